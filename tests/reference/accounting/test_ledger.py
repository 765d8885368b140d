"""The ledger: charged before reading, never refunded, one per population."""

import signal
import subprocess
import sys
import textwrap
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction

import pytest

from dpspin import deployment as deployments
from dpspin.accounting import ledger
from dpspin.corpus import embedded
from dpspin.errors import BudgetExceeded, IntegrityError, UsageError
from dpspin.mechanism import Gaussian, PrivateTopL
from dpspin.settings import Exact

TEXT = embedded.files()["deployment.yaml"].decode()
DEPLOYMENT = deployments.load(TEXT.encode(), "deployment.yaml")  # epsilon 1 of a budget of 3
SHA = "0" * 64


def changed(**budget):
    update = {"budget": DEPLOYMENT.budget.model_copy(update={k: Exact(v) for k, v in budget.items()})}
    return DEPLOYMENT.model_copy(update=update)


def charge(state, deployment=DEPLOYMENT):
    return ledger.charge(state, deployment, SHA, "deployment.yaml").release


def on_disk(state):
    path = ledger.path_of(state, DEPLOYMENT.population)
    return path, path.read_bytes()


def test_charges_add_up_until_the_budget_refuses_and_a_refusal_changes_nothing(tmp_path):
    assert [charge(tmp_path).id for _ in range(3)] == ["0001", "0002", "0003"]
    _, before = on_disk(tmp_path)
    with pytest.raises(BudgetExceeded, match=r"budget\.epsilon: 3 is spent of 3 and this release costs 1") as refusal:
        charge(tmp_path)
    assert refusal.value.exit_code == 2
    assert on_disk(tmp_path)[1] == before
    assert ledger.decode(before, "x").epsilon == 3


def test_a_ledger_is_read_without_a_charge_and_an_absent_one_is_empty(tmp_path):
    assert ledger.read(tmp_path / "none", DEPLOYMENT.population) == ledger.Ledger(())
    assert not (tmp_path / "none").exists()
    charge(tmp_path)
    _, before = on_disk(tmp_path)
    assert ledger.read(tmp_path, DEPLOYMENT.population) == ledger.decode(before, "x")
    assert on_disk(tmp_path)[1] == before


def test_a_ledger_that_cannot_be_read_or_is_broken_is_refused(tmp_path):
    path = ledger.path_of(tmp_path, DEPLOYMENT.population)
    path.mkdir()
    with pytest.raises(UsageError, match="cannot be read"):
        ledger.read(tmp_path, DEPLOYMENT.population)
    path.rmdir()
    charge(tmp_path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(IntegrityError, match="line 1"):
        ledger.read(tmp_path, DEPLOYMENT.population)


def test_sums_are_rational_so_thirds_fill_a_budget_of_one_exactly(tmp_path):
    mechanism = DEPLOYMENT.mechanism.model_copy(update={"epsilon": Exact("1/3")})
    third = changed(epsilon="1").model_copy(update={"mechanism": mechanism})
    for _ in range(3):
        charge(tmp_path, third)
    with pytest.raises(BudgetExceeded):
        charge(tmp_path, third)
    assert ledger.decode(on_disk(tmp_path)[1], "x").epsilon == Fraction(1)


def test_a_later_deployment_cannot_raise_the_budget_but_may_lower_it(tmp_path):
    charge(tmp_path, changed(epsilon="2"))
    charge(tmp_path, changed(epsilon="100"))
    with pytest.raises(BudgetExceeded, match="2 is spent of 2"):
        charge(tmp_path, changed(epsilon="100"))


def under(adjacency, mechanism=None, **budget):
    """The deployment under another adjacency, and perhaps with another mechanism."""
    update = {"adjacency": adjacency} | ({"mechanism": mechanism} if mechanism else {})
    return changed(**budget).model_copy(update=update)


GAUSSIAN = Gaussian.model_validate({"kind": "gaussian", "epsilon": "1", "delta": "1e-6", "calibration": "analytic"})
TOP_L = PrivateTopL.model_validate({
    "kind": "private_top_l", "epsilon": "1", "delta": "1e-6", "em_mode": "paper", "selection_share": "1/2",
    "values": "gaussian",
})  # fmt: skip
WIDE = {"epsilon": "100", "delta": "1e-3"}


def test_replacement_on_a_ledger_of_add_drop_is_refused_and_changes_nothing(tmp_path):
    charge(tmp_path)
    _, before = on_disk(tmp_path)
    with pytest.raises(UsageError, match=r"record replacement: .* counts record add_drop"):
        charge(tmp_path, under("replacement"))
    assert on_disk(tmp_path)[1] == before


@pytest.mark.parametrize("adjacency", ["add_drop", "replacement"])
@pytest.mark.parametrize("other", ["add_drop", "replacement"])
def test_another_unit_over_the_same_population_is_refused(tmp_path, adjacency, other):
    charge(tmp_path, under(adjacency))
    with pytest.raises(UsageError, match=f"counts record {adjacency}"):
        charge(tmp_path, under(other).model_copy(update={"unit": "user"}))


@pytest.mark.parametrize("mechanism", [GAUSSIAN, TOP_L])
def test_a_mechanism_is_charged_what_it_claims(tmp_path, mechanism):
    line = charge(tmp_path, under("add_drop", mechanism, **WIDE))
    assert (line.epsilon, line.delta, line.declared) == (1, Fraction(1, 10**6), None)


def test_add_drop_on_a_ledger_of_replacement_is_charged_as_two_steps(tmp_path):
    charge(tmp_path, under("replacement", **WIDE))
    line = charge(tmp_path, under("add_drop", GAUSSIAN, **WIDE))
    assert line.adjacency == "replacement"
    assert (line.epsilon, line.delta) == (2, Fraction("3.718282e-6"))  # (1 + e) 1e-6, rounded up
    assert line.declared == ledger.Declared("add_drop", Fraction(1), Fraction(1, 10**6))
    charge(tmp_path, under("replacement", **WIDE))
    read = ledger.decode(on_disk(tmp_path)[1], "x")
    assert read.charges[1] == line
    assert (read.epsilon, read.delta) == (4, Fraction("3.718282e-6"))


def test_a_conversion_counts_against_the_budget(tmp_path):
    charge(tmp_path, under("replacement", epsilon="2.9"))
    with pytest.raises(BudgetExceeded, match=r"1 is spent of 2\.9 and this release costs 2"):
        charge(tmp_path)
    charge(tmp_path, under("replacement"))


def test_lines_without_a_conversion_have_no_field_for_it(tmp_path):
    charge(tmp_path)
    assert b"declared" not in on_disk(tmp_path)[1]


ATOMS = "a" * 64
DECLARED = {"epsilon": "0.5", "delta": "1e-7"}


def over(sha256=ATOMS, costs=DECLARED, **options):
    """The deployment over a universe that was built from the population's records."""
    cost = {name: Exact(value) for name, value in costs.items()}
    built = {"sha256": sha256, "provenance": "charged", "charge": deployments.UniverseCharge.model_construct(**cost)}
    plain = under(options.pop("adjacency", "add_drop"), **{"delta": "1e-6"} | options)
    return plain.model_copy(update={"universe": plain.universe.model_copy(update=built)})


def rows(state):
    return [(row.universe, row.epsilon, row.delta) for row in ledger.read(state, DEPLOYMENT.population).charges]


def test_a_charged_universe_is_paid_before_the_first_release_over_it_and_never_again(tmp_path):
    first = ledger.charge(tmp_path, over(), SHA, "deployment.yaml")
    assert (first.universe.id, first.release.id, first.universe.universe) == ("0001", "0002", ATOMS)
    second = ledger.charge(tmp_path, over(), SHA, "deployment.yaml")
    assert (second.universe, second.release.id) == (first.universe, "0003")
    tenth = Fraction(1, 10**7)
    assert rows(tmp_path) == [(ATOMS, Fraction(1, 2), tenth), (None, 1, 0), (None, 1, 0)]
    found = ledger.read(tmp_path, DEPLOYMENT.population)
    assert (found.epsilon, found.delta) == (Fraction(5, 2), tenth)
    assert charge(tmp_path / "plain").universe is None
    assert ledger.charge(tmp_path / "plain", DEPLOYMENT, SHA, "deployment.yaml").universe is None


def test_another_universe_and_another_population_pay_again(tmp_path):
    charge(tmp_path, over(epsilon="9"))
    charge(tmp_path, over("b" * 64, epsilon="9"))
    charge(tmp_path, over(epsilon="9"))
    assert [universe for universe, *_ in rows(tmp_path)] == [ATOMS, None, "b" * 64, None, None]
    others = over().model_copy(update={"population": "others"})
    assert ledger.charge(tmp_path, others, SHA, "deployment.yaml").universe.id == "0001"


def test_a_release_that_calls_the_universe_public_changes_nothing_that_was_paid(tmp_path):
    charge(tmp_path, changed(delta="1e-6"))
    charge(tmp_path, over())
    assert [universe for universe, *_ in rows(tmp_path)] == [None, ATOMS, None]


def test_what_is_declared_later_in_excess_is_charged_too_and_a_smaller_cost_gives_nothing_back(tmp_path):
    for cost in (
        {"epsilon": "0.5", "delta": "1e-7"},
        {"epsilon": "0.75", "delta": "0"},
        {"epsilon": "0.1", "delta": "0"},
    ):
        charge(tmp_path, over(costs=cost, epsilon="9"))
    assert [epsilon for universe, epsilon, _ in rows(tmp_path) if universe] == [Fraction(1, 2), Fraction(1, 4)]
    rest = ledger.read(tmp_path, DEPLOYMENT.population).of_universe(ATOMS).charges[1]
    assert (rest.delta, rest.declared) == (0, ledger.Declared("add_drop", Fraction(3, 4), Fraction(0)))


def test_the_budget_must_hold_the_universe_and_the_release_or_neither_is_charged(tmp_path):
    charge(tmp_path, changed(delta="1e-6"))
    before = on_disk(tmp_path)[1]
    for tight in (over(epsilon="2.4"), over(epsilon="2.4", delta="1e-7")):
        words = r"budget\.epsilon: 1 is spent of 2\.4 and this release and its universe cost 1\.5"
        with pytest.raises(BudgetExceeded, match=words):
            charge(tmp_path, tight)
    with pytest.raises(BudgetExceeded, match=r"budget\.delta: .* and this release and its universe cost 0\.0000001"):
        charge(tmp_path, over(epsilon="2.5", delta="1e-8"))
    assert on_disk(tmp_path)[1] == before
    assert ledger.next_charges(ledger.decode(before, "x"), over(epsilon="2.5"), SHA, "x")[0].epsilon == Fraction(1, 2)
    assert on_disk(tmp_path)[1] == before
    charge(tmp_path, over(epsilon="2.5"))
    with pytest.raises(BudgetExceeded, match=r"2\.5 is spent of 2\.5 and this release costs 1"):
        charge(tmp_path, over(epsilon="2.5"))


def test_a_universe_is_converted_as_a_release_is_and_paid_once_under_both_relations(tmp_path):
    charge(tmp_path, under("replacement", **WIDE))
    charge(tmp_path, over(**WIDE))
    paid = ledger.read(tmp_path, DEPLOYMENT.population).of_universe(ATOMS).charges
    assert [(row.adjacency, row.epsilon, row.delta) for row in paid] == [
        ("replacement", 1, Fraction("2.648722e-7"))  # (1 + e^0.5) 1e-7, rounded up
    ]
    assert paid[0].declared == ledger.Declared("add_drop", Fraction(1, 2), Fraction(1, 10**7))
    charge(tmp_path, over(**WIDE))
    charge(tmp_path, over(costs={"epsilon": "1", "delta": "1e-7"}, adjacency="replacement", **WIDE))
    assert ledger.read(tmp_path, DEPLOYMENT.population).of_universe(ATOMS).charges == paid


def test_a_charged_universe_under_an_adjacency_that_says_nothing_is_refused(tmp_path):
    charge(tmp_path)
    before = on_disk(tmp_path)[1]
    with pytest.raises(UsageError, match=r"record replacement: .* counts record add_drop"):
        charge(tmp_path, over(adjacency="replacement"))
    assert on_disk(tmp_path)[1] == before


def test_many_threads_pay_a_universe_once(tmp_path):
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda _: ledger.charge(tmp_path, over(epsilon="99"), SHA, "x"), range(12)))
    assert {one.universe.id for one in found} == {"0001"}
    assert sorted(one.release.id for one in found) == [f"{n:04d}" for n in range(2, 14)]
    assert [universe for universe, *_ in rows(tmp_path)] == [ATOMS, *[None] * 12]


def test_populations_do_not_share_a_ledger(tmp_path):
    charge(tmp_path)
    assert charge(tmp_path, DEPLOYMENT.model_copy(update={"population": "others"})).id == "0001"


@pytest.mark.parametrize("fault", ["edit", "drop first", "swap", "torn", "not json", "blanks"])
def test_every_altered_ledger_is_refused_with_the_line(tmp_path, fault):
    for _ in range(3):
        charge(tmp_path)
    path, data = on_disk(tmp_path)
    a, b, c = data.splitlines(keepends=True)
    faulty = {
        "edit": a + b.replace(b'"epsilon":"1"', b'"epsilon":"0"') + c,
        "drop first": b + c,
        "swap": b + a + c,
        "torn": a + b + c[:-5],
        "not json": a + b"{\n" + c,
        "blanks": a.replace(b":", b": ", 1) + b + c,
    }[fault]
    assert faulty != data
    path.write_bytes(faulty)
    with pytest.raises((IntegrityError, UsageError), match=r"line [123]"):
        charge(tmp_path)
    assert path.read_bytes() == faulty


@pytest.mark.parametrize("fault", [
    (b'"epsilon":"1"}', b'"epsilon":"1/2"}'), (b'"epsilon":"2"', b'"epsilon":"1"'), (b'"declared":{', b'"declarer":{'),
    (b'"declared":{', b'"declared":{"x":"y",'), (b'"adjacency":"add_drop",', b""), (b'"id":"0002"', b'"id":2'),
    (b'"delta":"0","epsilon":"1"}', b'"delta":"0","epsilon":"a"}'),
])  # fmt: skip
def test_an_altered_conversion_is_refused(tmp_path, fault):
    charge(tmp_path, under("replacement", **WIDE))
    charge(tmp_path, under("add_drop", **WIDE))
    charge(tmp_path, under("replacement", **WIDE))
    path, data = on_disk(tmp_path)
    first, second, third = data.splitlines(keepends=True)
    altered = second.replace(*fault)
    assert altered != second
    path.write_bytes(first + altered + third)
    with pytest.raises(IntegrityError, match=r"line [23]"):
        charge(tmp_path, under("replacement", **WIDE))


def test_charges_from_many_threads_are_all_there(tmp_path):
    wide = changed(epsilon="100")
    with ThreadPoolExecutor(8) as pool:
        ids = list(pool.map(lambda _: charge(tmp_path, wide).id, range(24)))
    assert sorted(ids) == [f"{n:04d}" for n in range(1, 25)]
    assert len(ledger.decode(on_disk(tmp_path)[1], "x").charges) == 24


def test_a_full_disk_leaves_the_ledger_as_it_was(tmp_path):
    charge(tmp_path)
    _, before = on_disk(tmp_path)
    program = textwrap.dedent(f"""
        import pathlib, resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        from dpspin import deployment
        from dpspin.accounting import ledger
        from dpspin.corpus import embedded
        d = deployment.load(embedded.files()["deployment.yaml"], "x")
        resource.setrlimit(resource.RLIMIT_FSIZE, ({len(before) + 100}, {len(before) + 100}))
        ledger.charge(pathlib.Path({str(tmp_path)!r}), d, "0" * 64, "x")
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert "UsageError" in done.stderr
    assert "File too large" in done.stderr
    assert on_disk(tmp_path)[1] == before
    assert charge(tmp_path).id == "0002"


def test_a_disk_that_is_full_between_universe_and_release_leaves_neither(tmp_path):
    """The first line fits, the second does not: what was written of it is taken back."""
    one, two = (each.line() for each in ledger.next_charges(ledger.Ledger(()), over(), SHA, "x"))
    path = ledger.path_of(tmp_path, DEPLOYMENT.population)
    limit = f"({len(one) + 100}, {len(one) + 100})"
    program = textwrap.dedent(f"""
        import os, resource, signal
        signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
        from dpspin.accounting import ledger
        resource.setrlimit(resource.RLIMIT_FSIZE, {limit})
        file = os.open({str(path)!r}, os.O_RDWR | os.O_CREAT | os.O_APPEND, 0o600)
        try:
            ledger._append(file, {one!r} + {two!r})
        except OSError:
            print(os.fstat(file).st_size)
    """)
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=False)
    assert done.stdout.split() == ["0"], done.stderr
    assert ledger.read(tmp_path, DEPLOYMENT.population) == ledger.Ledger(())


def test_a_kill_after_the_charge_leaves_it_charged_and_the_lock_free(tmp_path):
    program = textwrap.dedent(f"""
        import os, pathlib, signal
        from dpspin import deployment
        from dpspin.accounting import ledger
        from dpspin.corpus import embedded
        d = deployment.load(embedded.files()["deployment.yaml"], "x")
        ledger._sync_folder = lambda folder: os.kill(os.getpid(), signal.SIGKILL)
        ledger.charge(pathlib.Path({str(tmp_path)!r}), d, "0" * 64, "x")
    """)
    done = subprocess.run([sys.executable, "-c", program], check=False)
    assert done.returncode == -signal.SIGKILL
    assert charge(tmp_path).id == "0002"


def test_a_state_folder_that_cannot_be_written_is_a_usage_error(tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    with pytest.raises(UsageError, match="DPSPIN_STATE"):
        charge(blocked)


def test_the_ledger_file_is_for_its_owner_alone(tmp_path):
    charge(tmp_path / "state")
    path, _ = on_disk(tmp_path / "state")
    assert oct(path.stat().st_mode & 0o777) == "0o600"
    assert oct((tmp_path / "state").stat().st_mode & 0o777) == "0o700"
