"""A summary must be supported by the plan beside it."""

import pytest

from dpspin import canonical
from dpspin_audits.checks import contract


@pytest.fixture(scope="module")
def files(reference, maker):
    return dict(reference.release(maker.settled()))


def test_summaries_of_the_reference_are_supported(files, reference):
    found = contract.check([files, reference.release([])])
    assert (found.status, found.strength, found.figures) == ("pass", "exact", {"bundles": 2})


@pytest.mark.parametrize(
    ("name", "data", "reason"),
    [("summary.txt", b"Half of all people lost a card.\n", "step 8"), ("summary.txt", b"\xff", "not UTF-8"),
     ("summary.txt", b"", "step 6"), ("plan.json", b"{}", ""), ("plan.json", None, "missing")],
)  # fmt: skip
def test_anything_else_is_a_finding_that_names_the_file(files, name, data, reason):
    wrong = {key: value for key, value in {**files, name: data}.items() if value is not None}
    found = contract.check([files, wrong])
    assert (found.status, found.location.file, found.figures) == ("fail", name, {"bundles": 2})
    assert reason in found.reason


def test_a_plan_whose_ranks_do_not_follow_from_its_masses_is_a_finding(files):
    tree = canonical.loads(files["plan.json"], "plan.json")
    tree["released"][0]["rank"], tree["released"][1]["rank"] = 2, 1
    assert contract.check([{**files, "plan.json": canonical.dumps(tree)}]).status == "fail"


def test_a_plan_with_fewer_rows_than_it_declares_is_a_finding_about_the_plan(files):
    tree = canonical.loads(files["plan.json"], "plan.json")
    del tree["released"][-1]
    found = contract.check([{**files, "plan.json": canonical.dumps(tree)}])
    assert (found.status, found.location.file) == ("fail", "plan.json")
    assert (found.summary, found.reason) == ("A summary cannot be judged by its plan.", "2 atoms")


@pytest.mark.parametrize("blanks", ["", "\n\n"])
def test_a_sentence_that_is_not_supported_is_found_on_its_line(files, blanks):
    lines = files["summary.txt"].decode().splitlines()
    lines[3] = f"{blanks}Half of all people lost a card."
    found = contract.check([{**files, "summary.txt": "\n".join(lines).encode()}])
    assert (found.status, found.location) == ("fail", ("summary.txt", 4 + len(blanks)))
