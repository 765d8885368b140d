"""Files, fields and public values are held to a closed list."""

import pytest

from dpspin import canonical, plan, transcript
from dpspin.transcript import VisibleObject
from dpspin_audits.checks import hygiene


@pytest.fixture(scope="module")
def files(reference, maker):
    return dict(reference.release(maker.settled()))


def changed(files, **fields):
    tree = canonical.loads(files["plan.json"], "plan.json")
    return {**files, "plan.json": canonical.dumps(tree | fields)}


def test_a_bundle_of_the_reference_is_clean(files, setting):
    assert list(hygiene.findings(files, setting)) == []
    assert hygiene.check([files, files], setting).figures == {"bundles": 2, "files": 10}


@pytest.mark.parametrize("name", ["metrics.json", "notes.txt", ".DS_Store"])
def test_an_unknown_file_is_found(files, setting, name):
    found = hygiene.check([files, {**files, name: b"7"}], setting)
    assert (found.status, found.location.file) == ("fail", name)


@pytest.mark.parametrize("name", ["plan.json", "summary.txt", "transcript.jsonl"])
def test_a_missing_file_is_found(files, setting, name):
    rest = {key: data for key, data in files.items() if key != name}
    assert hygiene.Finding(name, "missing") in hygiene.findings(rest, setting)


@pytest.mark.parametrize("name", ["deployment.yaml", "universe.json"])
def test_a_public_file_that_is_not_the_declared_one_is_found(files, setting, name):
    assert hygiene.Finding(name, "differs from the declared file") in hygiene.findings(
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
    assert any(what in finding.what for finding in hygiene.findings(changed(files, **fields), setting))


def test_a_plan_whose_blanks_could_carry_something_is_found(files, setting):
    spaced = {**files, "plan.json": files["plan.json"].replace(b",", b", ", 1)}
    assert any("canonical" in finding.what for finding in hygiene.findings(spaced, setting))


def test_a_known_stamp_is_no_finding(files, setting):
    assert not [f for f in hygiene.findings(changed(files, stamp=plan.SEEDED), setting) if "stamp" in f.what]


def listed(files, role="dp", skip=""):
    roles = {**hygiene.ROLES, "plan.json": role}
    objects = [VisibleObject(name, role, files[name], None) for name, role in roles.items() if name != skip]
    return {**files, "transcript.jsonl": transcript.encode(objects)}


def test_the_transcript_must_list_every_file_with_its_role_and_digest(files, setting):
    assert list(hygiene.findings(listed(files), setting)) == []
    for wrong in (
        listed(files, role="public"),
        listed(files, skip="plan.json"),
        changed(listed(files), stamp=plan.SEEDED),
    ):
        assert any("transcript does not list" in finding.what for finding in hygiene.findings(wrong, setting))
    torn = {**files, "transcript.jsonl": files["transcript.jsonl"].replace(b'"order":2', b'"order":3')}
    assert hygiene.Finding("transcript.jsonl", "IntegrityError") in hygiene.findings(torn, setting)
