"""The pipeline: the charge stands at the wall, uncovered objects cross it in red, and words say the same."""

import pytest

from dpspin_audits.report import case, pipeline
from dpspin_audits.report.marks import Words
from dpspin_audits.report.tree import Node


def drawn(tree):
    return pipeline.view(case.opened(Node(tree)))


def words(drawing):
    return [mark.text for mark in drawing.marks if isinstance(mark, Words)]


def inside(drawing):
    """Whether all marks with a place stand within the drawing."""
    return all(
        0 <= float(mark.x) <= drawing.width and 0 <= float(mark.y) <= drawing.height
        for mark in drawing.marks
        if hasattr(mark, "x")
    )


@pytest.mark.parametrize("kind", ["pass", "fail", "stamped", "error"])
def test_both_widths_hold_every_step(evidence, kind):
    for drawing in drawn(evidence(kind)):
        assert {"records", "noise", "plan", "writer", "summary"} <= set(words(drawing))
        assert inside(drawing)
        assert drawing.description.startswith("Records")


def test_the_charge_is_named(evidence):
    assert all("charge 0002" in words(drawing) for drawing in drawn(evidence()))
    assert "no charge: generated records" in words(drawn(evidence("stamped"))[0])
    assert "no charge in the evidence" in words(drawn(evidence("error"))[0])


def test_what_nothing_covers_crosses_in_red(evidence):
    wide, narrow = drawn(evidence("fail"))
    assert "run_info.json" in words(wide)
    assert "run_info.json" in words(narrow)
    assert "Nothing covers what leaves besides: run_info.json" in wide.description
    assert any(getattr(mark, "stroke", "") == "fail" for mark in wide.marks)
    assert not any(getattr(mark, "stroke", "") == "fail" for mark in drawn(evidence())[0].marks)


def test_many_uncovered_objects_share_an_arrow():
    crossing = pipeline.Crossing("charge 1", tuple(f"file-{at}" for at in range(9)))
    shown = words(pipeline.drawing(crossing, "wide"))
    assert [name for name in shown if name.startswith("file")] == ["file-0", "file-1"]
    assert "7 more" in shown
