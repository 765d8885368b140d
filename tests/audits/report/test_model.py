import pytest

from dpspin_audits.report import model, tree


def view(evidence):
    return model.view(tree.opened(evidence), "ab" * 32)


def test_tables_are_numbered_in_the_order_of_the_page(any_evidence):
    numbers = [table.number for table in view(any_evidence).tables if table]
    assert numbers == list(range(1, len(numbers) + 1))


def test_contents_carry_the_worst_problem_of_each_section(evidence):
    signs = {entry.section.id: entry.status for entry in view(evidence("fail")).contents}
    assert signs["checks"] == "fail"
    assert signs["claim"] == "error"
    assert signs["measure"] == "fail"
    assert signs["gaps"] == ""
    assert {entry.status for entry in view(evidence()).contents} == {""}
    assert view(evidence("not_run")).contents[0].status == "not_run"


def test_the_title_says_the_outcome_first(evidence):
    assert view(evidence()).title.startswith("No violation found in what was assessed.")
    assert view(evidence("stamped")).title.startswith("NON-PRIVATE")
    assert view(evidence()).short_digest == "ab" * 6


def test_values_are_frozen(evidence):
    with pytest.raises(AttributeError):
        view(evidence()).title = "other"
