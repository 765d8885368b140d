"""The checker of certificates: enclosures that never miss, every rounding direction reversed, every field altered."""

import ast
import json
import math
import shutil
import subprocess
import sys
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import mpmath
import pytest

from dpspin.accounting.certificate import THEOREMS, Claim, certify
from dpspin_proofs import certcheck

SOURCE = Path(certcheck.__file__)
DIGEST = sha256(SOURCE.read_bytes()).hexdigest()
OPINION = {"tool": "other", "version": "1", "epsilon": "1.01"}
CONTEXT = mpmath.MPContext()
CONTEXT.dps = 60
TINY = CONTEXT.mpf(10) ** -40  # of what is compared in CONTEXT
ENCLOSING = ("root", "series", "exp", "inverse_root", "tail", "delta")
CLAIMS = {
    "gaussian": Claim("gaussian", "replacement", Fraction(1, 3), Fraction(1), Fraction(1, 10**6)),
    "laplace": Claim("laplace", "add_drop", Fraction(2), Fraction(1, 7), Fraction(0)),
}


def real(x):
    return CONTEXT.mpf(x.numerator) / x.denominator


def tail_of(x):
    return CONTEXT.ncdf(-x)


def delta_of(epsilon, ratio):
    mu, loss = CONTEXT.sqrt(real(ratio)), real(epsilon)
    return tail_of(loss / mu - mu / 2) - CONTEXT.exp(loss) * tail_of(loss / mu + mu / 2)


def series_of(x):
    return CONTEXT.exp(x * x / 2) * (0.5 - tail_of(x)) * CONTEXT.sqrt(2 * CONTEXT.pi)


def cases():
    """(function, arguments, true value) at so few bits that a rounding the wrong way is a miss."""
    for n in range(1, 30):
        for d in range(1, 8):
            yield "root", (n, d), CONTEXT.sqrt(real(Fraction(n, d)))
    for n in range(1, 30):
        yield "series", (1, n, 1, 3, 2), series_of(CONTEXT.sqrt(n)) / CONTEXT.sqrt(n)
    for p in range(2, 60):
        yield "inverse_root", (p,), CONTEXT.ldexp(1 / CONTEXT.sqrt(2 * CONTEXT.pi), p)
    for p in (3, 5, 8, 12):
        for name, arguments, truth in scaled_cases(p):
            yield name, arguments, CONTEXT.ldexp(truth, p)


def scaled_cases(p):
    """Arguments in units of 2^-p, and the true value."""
    for i in range(7 * p + 1):
        yield "exp", (i, 7, p), CONTEXT.exp(real(Fraction(i, 7)))
    for i in range(-(3 << p), (5 << p) + 1, (1 << p) // 13 or 1):
        yield "tail", (i, p), tail_of(CONTEXT.ldexp(i, -p))
        if i >= 0:
            yield "series", (i, i * i, 1 << 2 * p, 3, 2), series_of(CONTEXT.ldexp(i, -p))
    for epsilon in (Fraction(0), Fraction(1, 9), Fraction(1), Fraction(5, 2)):
        for ratio in map(Fraction, ("1/7", "2/3", "1", "3", "4", "11")):
            yield "delta", (epsilon, ratio, p), delta_of(epsilon, ratio)


CASES = list(cases())
LOSSES, RATIOS = (Fraction(x) for x in "1/4 1/3 1/2 2/3 3/4 1 7/4 7/3 2 3".split()), (1, 2, 4, 9)
INNER = [(x, Fraction(n, d), p) for x in LOSSES for n in RATIOS for d in (1, 3, 4) for p in (3, 4)]
INNER += [(Fraction(mu, 8) ** 2, Fraction(mu, 8) ** 2, 3) for mu in (3, 5)]  # eps / mu is exact here, mu / 2 is not


def miss(module):
    """The first enclosure that does not hold the true value."""
    for name, arguments, truth in CASES:
        low, high = getattr(module, name)(*arguments)
        if not low <= truth <= high:
            return name, arguments
    return inner_miss(module)


def inner_miss(module):
    """As `miss`, for delta and exp around stand-ins that do not round: x -> top - x for Phi(-x), k / 2^p for e^eps."""
    for start in range(9, 14):
        module.series = lambda first, *_, start=start: (start, start)
        low, high = module.exp(1, 1, 3)
        if not low <= 8 * Fraction(start, 8) ** 64 <= high:  # squared 6 times
            return "exp", start
    for epsilon, ratio, p in INNER:
        mu = CONTEXT.sqrt(real(ratio))
        near, far = real(epsilon) / mu - mu / 2, real(epsilon) / mu + mu / 2
        for top, k in ((32, 1 << p), (32, 2), (32, 3), (32, 4), (32, 5), (0, 2 << p), (0, 3 << p)):
            module.tail = lambda i, p, top=top: ((top << p) - i, (top << p) - i)
            module.exp = lambda n, d, p, k=k: (k, k)
            low, high = module.delta(epsilon, ratio, p)
            truth = (top - near) * (1 << p) - k * (top - far)
            if not low - TINY <= max(truth, 0) or not truth <= high + TINY:
                return "delta", (epsilon, ratio, p, top, k)
    return None


class Reversed(ast.NodeTransformer):
    """Turns the rounding at one place, counted from 0, the other way."""

    def __init__(self, place):
        self.left, self.what = place, None

    def visit(self, node):
        node = super().visit(node)
        down = isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv | ast.RShift)
        if not down and not (isinstance(node, ast.Call) and ast.unparse(node.func) == "up"):
            return node
        self.left -= 1
        if self.left != -1:
            return node
        self.what = ast.unparse(node)
        if not down:
            return ast.BinOp(node.args[0], ast.FloorDiv(), node.args[1])
        shift = isinstance(node.op, ast.RShift)
        by = ast.BinOp(ast.Constant(1), ast.LShift(), node.right) if shift else node.right
        return ast.Call(ast.Name("up", ast.Load()), [node.left, by], [])


def reversed_roundings(names):
    """Every version of the checker with one rounding reversed: (function, the expression, module)."""
    for name in names:
        place = 0
        while True:
            tree, reverse = ast.parse(SOURCE.read_text()), Reversed(place)
            reverse.visit(next(node for node in tree.body if getattr(node, "name", None) == name))
            if reverse.what is None:
                break
            yield name, reverse.what, changed(ast.unparse(ast.fix_missing_locations(tree)))
            place += 1


def changed(source):
    module = ModuleType("changed")
    exec(source, module.__dict__)
    return module


def is_caught(module):
    try:
        return miss(module) is not None
    except (ArithmeticError, ValueError):
        return True


REVERSED = list(reversed_roundings(ENCLOSING))


def test_no_enclosure_misses():
    assert miss(changed(SOURCE.read_text())) is None


@pytest.mark.parametrize(("name", "what", "module"), [row for row in REVERSED if row[0] != "inverse_root"])
def test_a_rounding_reversed_is_caught(name, what, module):
    assert is_caught(module), f"{name}: {what}"


def test_all_directed_roundings_are_reversed():
    assert len(REVERSED) == 18
    assert {name for name, _, _ in REVERSED} == set(ENCLOSING)


def straddling(epsilon, ratio, p):
    """The delta 6.1 / 2^bits: first an enclosure around 6 / 2^bits, then a narrow one."""
    first, shift = p == 8 + 64, p - 8
    return (
        (int(5.9 * 2**8) << shift - 8, int(6.3 * 2**8) << shift - 8) if first else ((6 << shift) + 1, (6 << shift) + 2)
    )


def finer(certificate):
    """The same certificate on a grid of half the step, where a coarser one would do, sealed again."""
    tree = json.loads(certificate)
    bits, ratio = tree["bits"] + 1, lambda name: Fraction(tree["delta_squared"]) / Fraction(float.fromhex(name)) ** 2
    below = tree["predecessor"]["sigma_hex"]
    k, more = (certcheck._units(Fraction(tree["epsilon"]), ratio(s), bits) for s in (tree["sigma_hex"], below))
    low, high, failing = (str(Fraction(n, 2**bits)) for n in (k, k + 1, more))
    witness = {"sigma_hex": below, "delta_lo": failing}
    return sealed(tree | {"bits": bits, "delta_lo": low, "delta_hi": high, "predecessor": witness})


def test_the_roundings_outside_the_enclosures_are_reversed_too():
    """A k that an enclosure straddles is not given; honest certificates hold; no grid is finer than it need be."""
    claims = [Claim("gaussian", "add_drop", Fraction(1), Fraction(1, n), Fraction(1, 10**6)) for n in range(1, 17)]
    honest = [certify(claim, DIGEST) for claim in claims]

    def is_wrong(module):
        module.__file__ = str(SOURCE)
        if any(module.fault(data) for data in honest) or not all(module.fault(finer(data)) for data in honest):
            return True
        module.delta = straddling
        return module._units(Fraction(0), Fraction(1), 8) != 6

    found = list(reversed_roundings(("_units", "_normal")))
    assert len(found) == 4
    assert not is_wrong(changed(SOURCE.read_text()))
    for name, what, module in found:
        assert is_wrong(module), f"{name}: {what}"


@pytest.mark.parametrize(("old", "new"), [
    ("low, high + 1  #", "low, high  #"), ("- 1) + 1", "- 1)"), ("0) + 6", "0)"), (" or 2 * n > c * d", ""),
    ("long > 1 or", "long > 40 or"),
    ("pi + error", "pi - error * 2**(p + 16)"), ("pi - error", "pi + error * 2**(p + 16)"),
])  # fmt: skip
def test_a_slack_that_is_too_small_is_caught(old, new):
    source = SOURCE.read_text()
    assert old in source
    assert is_caught(changed(source.replace(old, new)))


def test_the_terms_of_pi_are_counted():
    """The two roundings without a direction: what they cut off is below the error that is counted."""
    for p in range(2, 80):
        q, low, terms = 2 * p + 16, 0, 0
        for factor, n in ((16, 5), (-4, 239)):
            js = range(1, q // (n.bit_length() - 1) + 2, 2)
            low += factor * sum((2 - j % 4) * ((1 << q) // (j * n**j)) for j in js)
            terms += abs(factor) * len(js)
        assert abs(CONTEXT.ldexp(CONTEXT.pi, q) - low) < terms + 20 < 2 * terms


def sealed(tree):
    """The bytes of a forger who knows the format."""
    tree = {name: value for name, value in tree.items() if name != "seal"}
    dumps = lambda value: (json.dumps(value, sort_keys=True, separators=(",", ":")) + "\n").encode()  # noqa: E731
    return dumps(tree | {"seal": sha256(dumps(tree)).hexdigest()})


@pytest.fixture(scope="module", params=sorted(CLAIMS))
def certificate(request):
    return certify(CLAIMS[request.param], DIGEST, (OPINION,))


def test_a_certificate_holds(certificate):
    assert certcheck.fault(certificate) is None
    assert sealed(json.loads(certificate)) == certificate
    assert json.loads(certificate)["theorem"] == THEOREMS[json.loads(certificate)["mechanism"]]
    assert certcheck.THEOREMS == THEOREMS


def altered(value):
    """Other values of the same kind, near and far."""
    if isinstance(value, dict):
        return [value | {name: other} for name in value for other in altered(value[name])] + [{}, None]
    if isinstance(value, int):
        return [
            value + 1,
            value - 1,
            2 * value + 8,
            str(value),
            float(value),
            value > 0,
            None,
            -value - 1,
            10**15,
            -(10**15),
        ]
    if value is None:
        return [{}, 0, "0"]
    if isinstance(value, list):
        return [[], value * 2, [value[0] | {"epsilon": "0.9"}], None]
    found = [
        value + "0",
        value + " ",
        "0",
        "",
        "-1",
        "1/0",
        "nan",
        "inf",
        "1e999999999",
        "9" * 5000,
        "replacement",
        None,
        0,
    ]
    found += [
        "-" + value,
        value.upper() + "_",
        "add_drop",
        "laplace",
        "gaussian",
        "0x1p0",
        "-0x1p+2",
        "5e-324",
        "1e400",
    ]
    if value[:1].isdigit() and "x" not in value and len(value) < 60:
        found += [
            str(Fraction(value) * (1 + Fraction(1, 10**9))),
            f"{2 * Fraction(value).numerator}/{2 * Fraction(value).denominator}",
        ]
    if value.startswith("0x"):
        sigma = float.fromhex(value)
        found += [
            s.hex() for s in (math.nextafter(sigma, 9e9), math.nextafter(sigma, 0), -sigma, 2 * sigma, 5e-324, 1e308)
        ]
    return [other for other in found if other != value]


def test_every_altered_field_is_refused(certificate):
    tree = json.loads(certificate)
    for name, value in tree.items():
        for other in altered(value):
            plain = (json.dumps(tree | {name: other}, sort_keys=True, separators=(",", ":")) + "\n").encode()
            assert certcheck.fault(plain), (name, other)
            if name not in {"seal", "second_opinions"}:
                assert certcheck.fault(sealed(tree | {name: other})), (name, other)
        assert certcheck.fault(sealed({n: v for n, v in tree.items() if n != name})) or name == "seal"
    assert certcheck.fault(sealed(tree | {"more": 1}))


def test_other_bytes_are_refused(certificate):
    strange = [
        b"",
        b"[]",
        b"1",
        b"{}",
        b"\xff",
        b"[" * 100_000,
        certificate[:-1],
        certificate + b"\n",
        b" " + certificate,
    ]
    for old, new in ((b":", b": "), (b'"bits"', b'"bits":1,"bits"'), (b'"bits":', b'"bits":' + b"9" * 5000)):
        strange.append(certificate.replace(old, new, 1))
    for data in strange:
        assert certcheck.fault(data), data[:40]


def test_a_sigma_that_is_larger_or_smaller_by_one_float_is_refused_with_its_own_true_figures():
    claim = CLAIMS["gaussian"]
    tree = json.loads(certify(claim, DIGEST))
    sigma = float.fromhex(tree["sigma_hex"])
    for other in (math.nextafter(sigma, 9), math.nextafter(sigma, 0)):
        below, bits = math.nextafter(other, 0), 90
        k, more = (
            certcheck._units(claim.epsilon, claim.moved.l2_squared / Fraction(s) ** 2, bits) for s in (other, below)
        )
        low, high, failing = (str(Fraction(n, 2**bits)) for n in (k, k + 1, more))
        forged = {"sigma_hex": other.hex(), "bits": bits, "delta_lo": low, "delta_hi": high}
        forged = tree | forged | {"predecessor": {"sigma_hex": below.hex(), "delta_lo": failing}}
        assert "smaller sigma" in certcheck.fault(sealed(forged))


@pytest.mark.parametrize(("epsilon", "ratio"), [
    (Fraction(0), Fraction(1)), (Fraction(10) ** 300, Fraction(1)), (Fraction(1, 10**300), Fraction(1)),
    (Fraction(1), Fraction(10) ** 600), (Fraction(1), Fraction(1, 10**600)), (Fraction(2000), Fraction(10**7)),
    (Fraction(1, 2), Fraction(1)), (Fraction(10) ** 4000, Fraction(10) ** 4000),
])  # fmt: skip
def test_extreme_arguments_end_and_stay_between_0_and_1(epsilon, ratio):
    """The reduction of exp once never ended for huge x, and the tail at 0 called itself for ever (eps = mu^2 / 2)."""
    for p in (8, 200, 1000):
        low, high = certcheck.delta(epsilon, ratio, p)
        assert 0 <= low <= high <= (1 << p) + 2**8
    low, high = certcheck.tail(0, 64)
    assert low <= 1 << 63 <= high <= low + 2


def test_a_file_that_no_bits_decide_is_refused_within_the_bits():
    tree = json.loads(certify(CLAIMS["gaussian"], DIGEST))
    for other in (
        {"epsilon": "3000"},
        {"epsilon": "9" * 400},
        {"mass_bound": "0"},
        {"bits": 4090},
        {"sigma_hex": "0x1p+1023"},
    ):
        assert certcheck.fault(sealed(tree | other))


def test_the_file_runs_alone_and_its_exit_code_tells(tmp_path, certificate):
    alone = tmp_path / "certcheck.py"
    shutil.copy(SOURCE, alone)
    for data, code in ((certificate, 0), (certificate.replace(b"Laplace", b"Gauss").replace(b"Wang", b"Wong"), 5)):
        (tmp_path / "c.json").write_bytes(data)
        run = subprocess.run([sys.executable, "-I", "-S", alone, tmp_path / "c.json"], capture_output=True, check=False)
        assert (run.returncode, bool(run.stderr)) == (code, code != 0), run.stderr
    run = subprocess.run([sys.executable, "-I", "-S", alone, tmp_path], capture_output=True, check=False)
    assert (run.returncode, b"no file" in run.stderr, b"Traceback" in run.stderr) == (2, True, False)


@pytest.mark.parametrize("said", [
    None, {}, "x", [1], [{"tool": "x", "version": "1", "epsilon": 1}], [{"tool": "x", "version": "1"}],
    [{"tool": "x", "version": "1", "epsilon": "1", "more": "1"}],
])  # fmt: skip
def test_second_opinions_of_another_shape_are_refused_even_under_a_new_seal(said):
    tree = json.loads(certify(CLAIMS["gaussian"], DIGEST))
    opinion = {"tool": "x", "version": "1", "epsilon": "1"}
    assert certcheck.fault(sealed(tree | {"second_opinions": [opinion]})) is None
    assert certcheck.fault(sealed(tree | {"second_opinions": said}))


def test_the_file_imports_the_standard_library_alone_and_is_short():
    text = SOURCE.read_text()
    imported = {(n.names[0].name if isinstance(n, ast.Import) else n.module).split(".")[0]
                for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Import | ast.ImportFrom)}  # fmt: skip
    assert imported <= sys.stdlib_module_names
    assert len(text.splitlines()) <= 130
