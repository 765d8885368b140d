"""The sample subjects, written from the published pages alone, keep the protocol, conform, and pass an audit."""

import math
import os
import shutil
import sys
from collections import Counter
from fractions import Fraction
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path

import pytest

from dpspin import canonical, plan
from dpspin.corpus import jsonl
from dpspin.corpus.embedded import RECORDS
from dpspin.corpus.synthetic import records as synthetic_records
from dpspin_audits import addresses, engine, evidence
from dpspin_audits.bundle import judged
from dpspin_audits.checks import hygiene
from dpspin_audits.cli.inputs import setting_of as embedded_setting
from dpspin_audits.conformance import run, suite
from dpspin_audits.distribution.trials import Effort
from dpspin_audits.reference_subject import ReferenceSubject

SUBJECTS = Path(__file__).parents[3] / "docs" / "examples" / "subjects"
FEW = Effort(pilot=512, training=2000, testing=6000, searched=50)
ALPHA = 1e-6
"""False alarms of one audit: the samples draw from the system, so that no seed repeats them."""
SKIPPED = {
    "node": {"gaussian_sigma"},
    "python": {"canonical", "claim_supported", "compare", "conversion", "fallback", "gaussian_sigma", "grouping",
               "is_admitted", "joint_cost", "laplace_scale", "ledger_sum", "mass_of", "rank_of", "selection_cost",
               "sensitivity", "transcript", "transcript_rows", "user_sketch", "verdict"},
}  # fmt: skip
RELATIONS = [
    {"unit": unit, "adjacency": adjacency, "missing": missing}
    for unit in ("record", "user") for adjacency in ("add_drop", "replacement")
    for missing in (("drop",) if unit == "record" else ("drop", "own_unit"))
]  # fmt: skip


@pytest.fixture(scope="session")
def programs():
    node = shutil.which("node")
    if node is None and os.environ.get("CI"):
        pytest.fail("CI needs it: apt-get install nodejs")
    return {"python": (sys.executable, "subject.py"), "node": (node, "subject.mjs")}


@pytest.fixture
def start(programs, tmp_path):
    """A sample for a deployment; with `edit` = (file, old, new), a copy that is wrong there."""
    made = []

    def begin(language, setting, edit=None):
        program, script = programs[language]
        if program is None:
            pytest.skip("no node on PATH (on Debian: apt-get install nodejs)")
        folder = SUBJECTS / language
        if edit:
            name, old, new = edit
            folder = tmp_path / language
            shutil.copytree(SUBJECTS / language, folder, ignore=shutil.ignore_patterns("__pycache__"))
            text = (folder / name).read_text()
            assert text.count(old) == 1
            (folder / name).write_text(text.replace(old, new))
        spec = f"cmd:{program} '{folder / script}'"
        made.append(addresses.resolve(spec, setting, ReferenceSubject))
        return made[-1]

    yield begin
    for one in made:
        addresses.close(one)


LANGUAGES = pytest.mark.parametrize("language", ["python", "node"])


@LANGUAGES
def test_every_step_that_a_sample_has_is_right(start, setting, language):
    answer = run.answers_of(start(language, setting))
    outcomes = list(run.run(suite.cases(), answer))
    assert [outcome for outcome in outcomes if outcome.status in ("fail", "error")] == []
    assert {outcome.case.function for outcome in outcomes if outcome.status == "skipped"} == SKIPPED[language]
    assert {outcome.case.function for outcome in outcomes if outcome.status == "pass"}.isdisjoint(SKIPPED[language])


EDITS = [
    ("node", ("kernel.mjs", "&& floor % 2n !== 0n ? floor - 1n", "&& floor % 2n === 2n ? floor - 1n"), "rounded"),
    ("node", ("kernel.mjs", "values[a] === values[b] ? a - b", "values[a] === values[b] ? b - a"), "highest"),
    ("node", ("verifier.mjs", "ranks[at - 1] >= rank", "ranks[at - 1] > rank + 99"), "verdict"),
    ("python", ("subject.py", "floor - 1 if rest == 0 and floor % 2 else floor", "floor"), "rounded"),
    ("python", ("subject.py", "positive = [max(value, 0) for", "positive = [value for"), "clip"),
]


@pytest.mark.parametrize(("language", "edit", "step"), EDITS)
def test_a_wrong_step_is_named(start, setting, language, edit, step):
    answer = run.answers_of(start(language, setting, edit))
    found = Counter(outcome.status for outcome in run.run(suite.cases(f"^{step}/"), answer))
    assert found["fail"] > 0


@pytest.fixture(scope="module")
def sample():
    """The Python sample as a module."""
    found = spec_from_file_location("sample_subject", SUBJECTS / "python" / "subject.py")
    made = module_from_spec(found)
    found.loader.exec_module(made)
    return made


@pytest.mark.parametrize("scale", [Fraction(1, 3), Fraction(7), Fraction(1 << 20)])
def test_the_digits_of_the_python_samples_noise_have_the_geometric_law(sample, scale):
    places, top = [], 1 << sample.FINE
    for place, fine, coarse in sample.tables(scale):
        places.append(place)
        assert coarse == [chance >> sample.FINE - sample.COARSE for chance in fine]
        assert fine == sorted(fine)
        assert fine[-1] == top
        for digit in range(1, 4):
            wanted = -math.expm1(-digit * place / scale) / -math.expm1(-1024 * place / scale)
            assert math.isclose(fine[digit - 1] / top, wanted, rel_tol=1e-12), (place, digit)
    assert places == [1024**at for at in range(len(places))]
    assert 1024 * places[-1] >= 200 * scale


def test_a_random_number_at_an_entry_of_the_table_is_drawn_on(sample):
    _, _, coarse = sample.tables(Fraction(7))[0]
    for at in (0, 5):
        for byte, digit in ((b"\0", at), (b"\xff", at + 1)):
            said = iter([coarse[at].to_bytes(8, sys.byteorder), byte * 24, bytes(8), b"\0"])
            drawn = sample.laplace(Fraction(7), 1, lambda count, said=said: next(said)[:count].ljust(count, b"\0"))
            assert drawn == [digit], "the other digits and the sign are 0"
    assert len(sample.tables(Fraction(7))) == 2


def corpus(setting):
    """The embedded records under a deployment's field names, and records that lack a field or hold odd characters."""
    names = jsonl.fields_of(setting.deployment)
    rows = [
        {names.id: row["id"], names.text: row["text"]} | ({names.user: row["user"]} if names.user else {})
        for row in synthetic_records(RECORDS)
    ][:400]
    odd = [{}, {names.id: "1"}, {names.text: "late fee"}, {names.id: "\ud800", names.text: "Late FEE \u212a late"},
           {names.id: "", names.text: "trouble"}, {names.id: "é", names.text: "constructor __proto__ fee"}]  # fmt: skip
    if names.user:
        odd += [row | {names.user: name} for row in odd for name in ("", "a", "\udfff")]
    return rows + odd


@LANGUAGES
@pytest.mark.parametrize("terms", RELATIONS, ids=lambda terms: "-".join(terms.values()))
def test_sketches_keys_and_bundles_are_those_of_the_reference(start, setting_of, language, terms):
    setting = setting_of(**terms, epsilon="0.50")
    subject, reference = start(language, setting), ReferenceSubject(setting)
    records = corpus(setting)
    assert subject.claim == reference.claim
    assert subject.sketch(records) == reference.sketch(records)
    assert any(subject.sketch(records))
    assert [subject.unit_key(row) for row in records[-30:]] == [reference.unit_key(row) for row in records[-30:]]
    assert subject.contribution(records[0]) == reference.contribution(records[0])
    bundles = [subject.release(rows) for rows in ([], records)]
    assert hygiene.check(bundles, setting).status == "pass"
    assert all(judged(bundle).verdict.accepted for bundle in bundles)
    assert subject.spent() == (2 * reference.claim.epsilon, 0)


@LANGUAGES
def test_a_seed_is_repeated_stamped_and_refused_on_real_records(start, setting, language):
    subject = start(language, setting)
    one, two, other = (subject.release_seeded([], seed) for seed in (b"\1", b"\1", b"\2"))
    assert one == two != other
    assert canonical.loads(one["plan.json"], "plan.json")["stamp"] == plan.SEEDED
    assert judged(one).verdict.accepted
    assert one["plan.json"] != subject.release([])["plan.json"]


def audit(subject, setting):
    asked = engine.Audit(setting, subject, "cmd:sample", "dpspin audit", b"\7" * 8, ALPHA, FEW)
    tree = engine.audit(asked)
    return tree["verdict"], {check["id"] for check in tree["checks"] if check["status"] == "fail"}, tree


@LANGUAGES
def test_an_audit_passes(start, setting_of, language):
    setting = setting_of() if language == "node" else setting_of(unit="user", adjacency="replacement")
    verdict, failed, tree = audit(start(language, setting), setting)
    statuses = {check["id"]: (check["status"], check["summary"], check["reason"]) for check in tree["checks"]}
    assert (verdict, failed) == ("pass", set()), statuses
    for name in (*evidence.SMOKE, "noninterference", "locality", "grouping", "budget", "conformance"):
        assert statuses[name][0] == "pass", name
    measured = Fraction(tree["accounting"]["measured"]["epsilon_at_least"])
    assert 0 < measured <= 1


FAULTS = [
    ("python", ("subject.py", "laplace(self.scale * UNIT, len", "laplace(self.scale * UNIT / 2, len"),
     "distribution.ideal"),
    ("node", ("noise.mjs", "return isNegative ? -size : size", "return size"), "distribution.ideal"),
    ("node", ("release.mjs", "const key = this.given.user ? unit : at;", "const key = this.given.user ? unit : 0;"),
     "locality"),
]  # fmt: skip


@pytest.mark.parametrize(("language", "edit", "check"), FAULTS)
def test_a_planted_fault_is_found(start, setting, language, edit, check):
    verdict, failed, _ = audit(start(language, setting, edit), setting)
    assert verdict == "fail"
    assert check in failed


@LANGUAGES
def test_the_embedded_deployment_is_released(start, language):
    setting = embedded_setting(None)
    bundle = start(language, setting).release(corpus(setting))
    assert hygiene.check([bundle], setting).status == "pass"
    assert judged(bundle).verdict.accepted
