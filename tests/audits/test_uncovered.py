"""Files, fields and public values are held to a closed list."""

import json
from dataclasses import replace

import pytest

from dpspin import canonical, pipeline, plan, transcript
from dpspin.curator.noise import SystemBits
from dpspin.transcript import VisibleObject
from dpspin_audits import uncovered
from dpspin_audits.reference_subject import ReferenceSubject


@pytest.fixture(scope="module")
def files(reference, maker):
    return dict(reference.release(maker.settled()))


def changed(files, **fields):
    tree = canonical.loads(files["plan.json"], "plan.json")
    return {**files, "plan.json": canonical.dumps(tree | fields)}


def test_a_bundle_of_the_reference_is_clean(files, setting):
    assert list(uncovered.findings(files, setting)) == []
    assert uncovered.computed_again(files, setting)


@pytest.mark.parametrize("name", ["plan.json", "summary.txt", "transcript.jsonl"])
def test_a_missing_file_is_found(files, setting, name):
    rest = {key: data for key, data in files.items() if key != name}
    assert uncovered.Finding(name, "missing") in uncovered.findings(rest, setting)


@pytest.mark.parametrize("name", ["deployment.yaml", "universe.json"])
def test_a_public_file_that_is_not_the_declared_one_is_found(files, setting, name):
    lines = files[name].count(b"\n")
    assert uncovered.Finding(name, "differs from the declared file", lines + 1) in uncovered.findings(
        {**files, name: files[name] + b" "}, setting
    )


@pytest.mark.parametrize(
    ("fields", "what"),
    [({"effective_records": 1009}, "'effective_records' is not a field"),
     ({"noise_floor": "1"}, "'noise_floor' is not what"), ({"epsilon": "2"}, "'epsilon' is not what"),
     ({"stamp": "1009 records"}, "known stamps"), ({"released": 3}, "not a plan"),
     ({"released": [{"index": 0, "count": 3}]}, "'count' is not a field")],
)  # fmt: skip
def test_a_field_that_a_plan_has_not_or_that_was_changed_is_found(files, setting, fields, what):
    assert any(what in finding.what for finding in uncovered.findings(changed(files, **fields), setting))


def test_a_field_of_a_plan_stands_on_its_line(files, setting):
    """A plan that was written over several lines; in one line, all stands on the first."""
    tree = canonical.loads(files["plan.json"], "plan.json") | {"zz_count": 1009, "epsilon": "2"}
    text = json.dumps(tree, indent=1)
    lines = {key: 1 + next(at for at, line in enumerate(text.splitlines()) if f'"{key}"' in line) for key in tree}
    found = {one.what: one.line for one in uncovered.findings({**files, "plan.json": text.encode()}, setting)}
    assert found["field 'zz_count' is not a field of a plan"] == lines["zz_count"] > 9
    assert found["field 'epsilon' is not what the deployment declares"] == lines["epsilon"] > 1
    assert all(one.line == 1 for one in uncovered.findings(changed(files, zz=1), setting) if "field" in one.what)


def test_what_a_text_tells_stands_on_its_line(files, setting):
    """In the summary on the line of the words, in the transcript on that of the object."""
    other = rewritten(files, "One.\nTwo.\nMade at 2026-05-01T10:00.\n")
    assert [(one.file, one.line) for one in uncovered.findings(other, setting)] == [
        ("summary.txt", 3), ("transcript.jsonl", len(uncovered.ROLES)),
    ]  # fmt: skip


def test_a_plan_whose_blanks_could_carry_something_is_found(files, setting):
    spaced = {**files, "plan.json": files["plan.json"].replace(b",", b", ", 1)}
    assert any("canonical" in finding.what for finding in uncovered.findings(spaced, setting))


def test_a_known_stamp_is_no_finding(files, setting):
    assert not [f for f in uncovered.findings(changed(files, stamp=plan.SEEDED), setting) if "stamp" in f.what]


def listed(files, role="dp", skip=""):
    roles = {**uncovered.ROLES, "plan.json": role}
    objects = [VisibleObject(name, role, files[name], None) for name, role in roles.items() if name != skip]
    return {**files, "transcript.jsonl": transcript.encode(objects)}


def test_the_transcript_must_list_every_file_with_its_role_and_digest(files, setting):
    assert list(uncovered.findings(listed(files), setting)) == []
    for wrong in (
        listed(files, role="public"),
        listed(files, skip="plan.json"),
        changed(listed(files), stamp=plan.SEEDED),
    ):
        assert any("transcript does not list" in finding.what for finding in uncovered.findings(wrong, setting))
    torn = {**files, "transcript.jsonl": files["transcript.jsonl"].replace(b'"order":2', b'"order":3')}
    assert uncovered.Finding("transcript.jsonl", "IntegrityError", 2) in uncovered.findings(torn, setting)


def test_a_charged_universe_is_no_public_file(setting_of):
    setting = setting_of(built=("1/2", "0"))
    bundle = dict(ReferenceSubject(setting).release([]))
    assert list(uncovered.findings(bundle, setting)) == []
    assert uncovered.computed_again(bundle, setting)
    found = [finding.what for finding in uncovered.findings(listed(bundle), setting)]
    assert found == ["the transcript does not list these bytes as dp"]
    released = pipeline.release(replace(setting, universe_charge="0003"), [], SystemBits(), "0007").bundle
    assert uncovered.computed_again(released, setting)


def rewritten(files, text):
    """The bundle with another summary, listed as it is."""
    objects = [
        VisibleObject(name, role, text.encode() if name == "summary.txt" else files[name], None)
        for name, role in uncovered.ROLES.items()
    ]
    return {**files, "summary.txt": text.encode(), "transcript.jsonl": transcript.encode(objects)}


@pytest.mark.parametrize(
    ("text", "what"),
    [("A word\u200b.", "hidden character U+200B"), ("Bell\x07.", "hidden character U+0007"),
     ("Made in /srv/jobs/run-7/out.", "a path of a machine"), ("From D:\\\\data.", "a path of a machine"),
     ("Made at 2026-05-01T10:00.", "a time"), ("Took 00:03:14.", "a time"),
     ("Run 123e4567-e89b-12d3-a456-426614174000.", "a unique id"), ("On 10.1.2.3.", "an address of a network"),
     ("On 0a:1b:2c:3d:4e:5f.", "an address of a network")],
)  # fmt: skip
def test_text_that_is_not_our_own_must_not_tell_of_machine_or_moment(files, setting, text, what):
    seen = [finding.what for finding in uncovered.findings(rewritten(files, text), setting)]
    assert len(seen) > 0
    assert all(what in one for one in seen)


def test_other_text_is_no_finding_and_is_not_computed_again(files, setting):
    other = rewritten(files, "Lost card, 12.5 and 3/4; see 1.2.3 and a/b/c.\n")
    assert not uncovered.computed_again(other, setting)
    assert list(uncovered.findings(other, setting)) == []


def test_what_the_deployment_itself_says_may_be_repeated(files, setting):
    declared = replace(setting, deployment_bytes=setting.deployment_bytes + b"# /srv/public/list.txt")
    told = {**rewritten(files, "From /srv/public/list.txt."), "deployment.yaml": declared.deployment_bytes}
    assert "holds a path of a machine" not in {finding.what for finding in uncovered.findings(told, declared)}


def test_a_transcript_whose_blanks_could_carry_something_is_found(files, setting):
    lines = files["transcript.jsonl"].splitlines(keepends=True)
    spaced = {**files, "transcript.jsonl": b"".join([*lines[:-1], lines[-1].replace(b",", b", ", 1)])}
    assert any(finding.file == "transcript.jsonl" for finding in uncovered.findings(spaced, setting))
