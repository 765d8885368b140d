"""The verdict on bundles: whatever no charge covers is a finding that names its file."""

import pytest

from dpspin_audits.checks import hygiene
from dpspin_audits.zoo import float_noise


@pytest.fixture(scope="module")
def files(reference, maker):
    return dict(reference.release(maker.settled()))


def test_bundles_of_the_reference_are_clean(files, setting):
    found = hygiene.check([files, files], setting)
    assert (found.status, found.strength) == ("pass", "exact_on_hit")
    assert found.figures == {"bundles": 2, "files": 10, "computed_again": 2}


@pytest.mark.parametrize("name", ["metrics.json", "notes.txt", ".DS_Store"])
def test_an_unknown_file_is_found(files, setting, name):
    found = hygiene.check([files, {**files, name: b"7"}], setting)
    assert (found.status, found.location.file) == ("fail", name)


def test_float_masses_are_left_to_a_measurement_and_that_is_said(files, setting, maker):
    floats = float_noise.subject(setting).release(maker.settled())
    found = hygiene.check([files, floats], setting)
    assert (found.status, found.figures["float_plans"]) == ("pass", 1)
    assert "1 plan has float masses on no declared lattice" in found.summary
    assert "`distribution.bits` measures" in found.summary
    assert "float" not in hygiene.check([files], setting).summary


def test_who_releases_another_layout_is_told_where_it_is_judged(files, setting):
    other = {"private_plan.json": files["plan.json"], "config.yaml": b"epsilon: 1\n"}
    assert "`dpspin verify`" in hygiene.check([other], setting).remedy
    assert "`dpspin verify`" not in hygiene.check([{**files, "n": b""}], setting).remedy


def test_a_finding_says_on_which_line(files, setting):
    wrong = {**files, "plan.json": files["plan.json"].replace(b'"stamp":', b'\n"stamp":"1009",\n"count":')}
    found = hygiene.check([wrong], setting)
    assert (found.status, found.location) == ("fail", ("plan.json", 3))
    assert "'count'" in found.reason


def test_text_of_another_writer_is_not_computed_again(files, setting):
    other = {**files, "summary.txt": files["summary.txt"] + b"\n"}
    assert hygiene.check([files, other], setting).figures["computed_again"] == 1


@pytest.mark.parametrize(
    ("mode", "status"),
    [(0o100644, "pass"), (0o100600, "pass"), (0o100664, "pass"), (0o100755, "fail"), (0o104644, "fail"),
     (0o100666, "fail"), (0o120777, "fail"), (0o010644, "fail")],
)  # fmt: skip
def test_a_file_of_the_folder_must_be_plain(files, setting, mode, status):
    found = hygiene.check([files], setting, {"plan.json": mode})
    assert found.status == status
    assert found.status == "pass" or found.location.file == "plan.json"
