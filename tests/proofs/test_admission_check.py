"""The checker of admission certificates: independent, enclosing, and deaf to every altered field."""

import ast
import json
import subprocess
import sys
from fractions import Fraction
from hashlib import sha256
from pathlib import Path
from types import ModuleType

import pytest

from dpspin.accounting import admission
from dpspin.accounting.admission import Admission
from dpspin.accounting.admission_certificate import certify
from dpspin.accounting.split import PeelingClaim
from dpspin.accounting.value_loss import GaussianLoss
from dpspin_proofs import admission_check, certcheck

SOURCE = Path(admission_check.__file__)
DIGEST = sha256(SOURCE.read_bytes()).hexdigest()
CLAIMS = {
    "add_drop": PeelingClaim("add_drop", Fraction(1), 3, 30, Fraction(1, 2), Fraction(1), Fraction(1, 10**6)),
    "replacement": PeelingClaim(
        "replacement", Fraction(1, 3), 2, 9, Fraction(1, 3), Fraction(1, 2), Fraction(1, 10**9)
    ),
    "all admitted": PeelingClaim("replacement", Fraction(2), 5, 5, Fraction(1, 2), Fraction(1), Fraction(1, 10**6)),
}
CERTIFICATES = {name: certify(claim, DIGEST) for name, claim in CLAIMS.items()}


def sealed(tree):
    """The tree with the seal that belongs to it, as a forger would write it."""
    shown = {name: value for name, value in tree.items() if name != "seal"}
    return certcheck._dumps(shown | {"seal": sha256(certcheck._dumps(shown)).hexdigest()})


@pytest.mark.parametrize("name", CLAIMS)
def test_it_accepts_what_was_certified(name):
    assert admission_check.fault(CERTIFICATES[name]) is None


def test_it_runs_alone_and_imports_nothing_but_its_neighbour(tmp_path):
    for source in (SOURCE, Path(certcheck.__file__)):
        (tmp_path / source.name).write_bytes(source.read_bytes())
    alone = [sys.executable, tmp_path / SOURCE.name]
    assert subprocess.run([*alone, tmp_path], check=False, capture_output=True).returncode == 2
    good = CERTIFICATES["add_drop"]
    for data, code in ((good, 0), (good.replace(b'"bits":', b'"bits":1'), 5)):
        (tmp_path / "c.json").write_bytes(data)
        assert subprocess.run([*alone, tmp_path / "c.json"], check=False, capture_output=True).returncode == code
    imported = {node.module for node in ast.walk(ast.parse(SOURCE.read_text())) if isinstance(node, ast.ImportFrom)}
    imported |= {a.name for n in ast.walk(ast.parse(SOURCE.read_text())) if isinstance(n, ast.Import) for a in n.names}
    assert imported <= set(sys.stdlib_module_names) | {"collections.abc"}
    assert len(SOURCE.read_text().splitlines()) <= 130


def altered():
    """Every field of a certificate changed in a way that leaves it readable.

    The number of atoms is part of the claim; only whether all of them are admitted enters the cost.
    """
    tree = json.loads(CERTIFICATES["replacement"])
    for name, value in tree.items():
        if name == "seal":
            continue
        if name == "universe_size":
            yield name, tree | {name: tree["plan_size"]}
            continue
        if isinstance(value, dict):
            for inner, old in value.items():
                yield f"{name}.{inner}", tree | {name: value | {inner: nearby(old)}}
        else:
            yield name, tree | {name: nearby(value)}


def nearby(value):
    if isinstance(value, int):
        return value + 1
    if value.startswith("0x"):
        return (float.fromhex(value) * (1 + 2**-52)).hex()
    try:
        return str(Fraction(value) * Fraction(1000001, 1000000))
    except ValueError:
        return "add_drop" if value == "replacement" else value + "x"


@pytest.mark.parametrize(("name", "tree"), list(altered()))
def test_an_altered_field_is_refused_even_under_a_new_seal(name, tree):
    assert admission_check.fault(sealed(tree)) is not None, name


@pytest.mark.parametrize("name", ["universe_size", "seal"])
def test_an_altered_claim_or_seal_is_refused(name):
    tree = json.loads(CERTIFICATES["replacement"])
    assert admission_check.fault(certcheck._dumps(tree | {name: nearby(tree[name])})) is not None


def test_a_field_more_is_refused_even_under_a_new_seal():
    assert admission_check.fault(sealed(json.loads(CERTIFICATES["replacement"]) | {"lower": None})) is not None


@pytest.mark.parametrize("change", [
    {"epsilon": "1e9"}, {"epsilon": "9" * 400}, {"bits": 10**9}, {"bits": -1}, {"plan_size": 10**6}, {"plan_size": 2.0},
    {"factor": "1/1000000"}, {"factor": "1/0"}, {"mass_bound": "0"}, {"adjacency": "other"}, {"epsilon": None},
    {"universe_size": "9"}, {"split": {"sigma_hex": "inf", "exponent": "1"}},
])  # fmt: skip
def test_forgeries_are_refused_at_once(change):
    assert admission_check.fault(sealed(json.loads(CERTIFICATES["replacement"]) | change)) is not None


@pytest.mark.parametrize("data", [b"", b"[]", b"{}", b"null", b"\xff", b"[" * 10**5])
def test_bytes_that_are_no_certificate_are_refused(data):
    assert admission_check.fault(data) is not None


def enclosed(module):
    """Whether the checker's sums hold the other implementation's value, at so few bits that a slip is a miss."""
    for both, rounds, a in ((0, 1, "1/2"), (0, 3, "1/2"), (1, 1, "1/3"), (1, 2, "2"), (1, 0, "1")):
        for epsilon in (Fraction(0), Fraction(1, 3), Fraction(3, 2)):
            for square in (Fraction(1, 9), Fraction(4)):
                shape = ("replacement" if both else "add_drop"), rounds, Fraction(a), GaussianLoss(square)
                true = admission.delta(Admission(*shape), epsilon)
                sides = [(Fraction(a),) * 2] if both else [(Fraction(0), Fraction(a)), (Fraction(a), Fraction(0))]
                for p in (24, 40):
                    found = [module.direction(rounds, al, be, (epsilon - square / 2, square), p) for al, be in sides]
                    low, high = (max(x[i] for x in found) for i in (0, 1))
                    if not low <= true.high * 2**p or not true.low * 2**p <= high or high - low > 2 ** (p - 4):
                        return False
    return True


FAULTS = {
    "L instead of L + 1": ("rounds + 1, (1 << p, 1 << p)", "max(rounds, 1), (1 << p, 1 << p)"),
    "the factor of both masses is dropped": ("(own + other, *[other] * (rounds - 1))", "[other] * rounds"),
    "a tail from the wrong end": ("base.tail(max(ends), p)[0], base.tail(min(ends), p)[1]",
                                  "base.tail(min(ends), p)[1], base.tail(max(ends), p)[0]"),
    "the moved mean forgotten": ("center + slope * square", "center"),
    "the last branch forgotten": ("if rounds and al:", "if False:"),
}  # fmt: skip


def mutant(found, planted):
    source = SOURCE.read_text()
    assert found in source
    module = ModuleType("dpspin_proofs.changed")
    module.__package__ = "dpspin_proofs"
    exec(source.replace(found, planted), module.__dict__)
    return module


def test_a_product_is_rounded_outwards():
    assert admission_check.product((3, 3), (5, 5), 1) == (7, 8)
    assert admission_check.product((-3, 3), (5, 5), 1) == (0, 8)


def test_the_sums_hold_the_other_implementation():
    assert enclosed(admission_check)


@pytest.mark.parametrize("fault", FAULTS)
def test_a_planted_fault_is_caught(fault):
    assert not enclosed(mutant(*FAULTS[fault]))
