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

TEXT = embedded.files()["deployment.yaml"].decode()
DEPLOYMENT = deployments.load(TEXT.encode(), "deployment.yaml")  # epsilon 1 of a budget of 3
SHA = "0" * 64


def changed(**budget):
    update = {"budget": DEPLOYMENT.budget.model_copy(update={k: deployments.Exact(v) for k, v in budget.items()})}
    return DEPLOYMENT.model_copy(update=update)


def charge(state, deployment=DEPLOYMENT):
    return ledger.charge(state, deployment, SHA, "deployment.yaml")


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
    mechanism = DEPLOYMENT.mechanism.model_copy(update={"epsilon": deployments.Exact("1/3")})
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
