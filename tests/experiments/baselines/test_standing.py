import pytest

from dpspin.curator.noise import SystemBits
from dpspin_experiments.baselines import standing
from dpspin_experiments.baselines.evidence import Shown
from dpspin_experiments.baselines.methods import CATEGORIES, METHODS, PLAN, WITHOUT_NOISE
from dpspin_experiments.baselines.standing import standings
from dpspin_experiments.sweep.bench import Bench
from dpspin_experiments.sweep.settings import Comparison

SHOWN = Shown(PLAN, 1.0, 0.5, 1e-3, 20_000, refuted=False, law_refuted=False)


def asked(bench, **changed):
    terms = Comparison.model_validate({"mechanism": "laplace", "epsilon": "1", "seeds": 2} | changed)
    return Bench(bench.sweep.model_copy(update={"comparison": terms}), bench.gathered)


@pytest.fixture(scope="module")
def found(bench):
    return {each.name: each for each in standings(asked(bench))}


def test_every_method_stands_beside_the_others(found):
    assert list(found) == list(METHODS)
    assert [each.epsilon for each in found.values()] == [None] * 5 + [1.0] * 4
    assert all(each.measured is not None and each.measured <= 1 for each in list(found.values())[5:])
    assert not any(each.refuted for each in found.values())
    assert found[PLAN].measures["overlap"].runs == 2
    assert found[WITHOUT_NOISE].measures["reach"].mean == 1
    assert found[WITHOUT_NOISE].measures["embedding"].mean == pytest.approx(1)
    assert all(0 <= each.measures["reach"].mean <= 1 for each in found.values())
    assert found[CATEGORIES].text.startswith("Most frequent categories")


@pytest.fixture
def unaudited(monkeypatch):
    """The same without audits, which take the most time."""
    monkeypatch.setattr(standing, "evidence_of", lambda *given: iter([SHOWN]))


def test_utility_falls_with_the_budget(bench, found, unaudited):
    """The fault: a hundredth of the budget, which every measure of the plan and of the histograms must show."""
    blurred = {each.name: each for each in standings(asked(bench, epsilon="0.01"))}
    for name in list(METHODS)[5:8]:
        assert blurred[name].measures["retained"].mean < found[name].measures["retained"].mean
        assert blurred[name].measures["reach"].mean < found[name].measures["reach"].mean


def test_real_records_get_the_systems_noise_and_no_text_is_kept(bench, unaudited, monkeypatch):
    drawn = []
    kept = standing.private_of
    monkeypatch.setattr(standing, "private_of", lambda found, bits: drawn.append(type(bits)) or kept(found, bits))
    real = asked(bench, seeds=1)
    real.synthetic = False
    assert all(each.text is None for each in standings(real))
    assert drawn == [SystemBits]


@pytest.mark.parametrize("field", ["refuted", "law_refuted"])
def test_a_refuted_claim_is_said(bench, monkeypatch, field):
    monkeypatch.setattr(standing, "evidence_of", lambda *given: iter([SHOWN._replace(**{field: True})]))
    assert [each.name for each in standings(asked(bench, seeds=1)) if each.refuted] == [PLAN]


def test_a_sweep_need_not_compare(bench):
    assert standings(Bench(bench.sweep.model_copy(update={"comparison": None}), bench.gathered)) == []
