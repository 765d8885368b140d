"""Evidence is opened if its parts belong together: every contradiction is planted once and named."""

import pytest

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError
from dpspin.transcript import VisibleObject, encode
from dpspin_audits import bundle
from dpspin_audits.formats.opened import contradictions, of_tree, opened
from dpspin_audits.report.tree import Node


def test_real_evidence_of_both_outcomes_opens(tree_of, faulty):
    for tree in (tree_of(), faulty()):
        data = canonical.dumps(tree)
        found = opened(data, "mine.json")
        assert found.digest == canonical.digest(data)
        assert found.root.text("verdict") == tree["verdict"]
        assert of_tree(tree).digest == found.digest


@pytest.mark.parametrize("data", [b"{}", b"[]", b"not json", b'{"schema":"dpspin-evidence/2"}\n'])
def test_what_is_no_evidence_of_this_version_is_refused_by_its_name(data):
    with pytest.raises(UsageError, match=r"mine\.json"):
        opened(data, "mine.json")


def flipped(tree):
    tree["verdict"] = "pass"


def hidden(tree):
    for check in tree["checks"]:
        if check["status"] == "fail":
            check["status"] = "pass"


def uncounted(tree):
    tree["strengths"]["statistical"]["fail"] = 0


@pytest.mark.parametrize("edit", [flipped, hidden, uncounted])
def test_a_better_outcome_by_hand_is_found_out(faulty, edit):
    tree = faulty()
    edit(tree)
    with pytest.raises(IntegrityError):
        opened(canonical.dumps(tree), "mine.json")


def test_every_byte_of_another_spelling_is_refused(tree_of):
    with pytest.raises(IntegrityError, match="spelling"):
        opened(canonical.dumps(tree_of()).replace(b",", b", ", 1), "mine.json")


def gated(tree, verdict, waivers=(), known=()):
    rows = [
        {"check": check, "reason": "r", "approver": "a", "expires": "2027-01-01", "state": state}
        for check, state in waivers
    ]
    return tree | {"gate": {"verdict": verdict, "waivers": rows, "known": list(known)}}


@pytest.mark.parametrize(
    ("waivers", "known", "verdict"),
    [
        ((), (), "fail"),
        ((("distribution.ideal", "in force"), ("sensitivity", "in force")), (), "inconclusive"),
        ((), ("distribution.ideal", "sensitivity"), "inconclusive"),
        ((("distribution.ideal", "expired"),), ("distribution.ideal", "sensitivity"), "fail"),
    ],
)
def test_the_gate_is_computed_again(faulty, waivers, known, verdict):
    tree = faulty()
    assert not list(contradictions(Node(gated(tree, verdict, waivers, known))))
    for other in ("pass", "error"):
        ((field, wanted, found),) = contradictions(Node(gated(tree, other, waivers, known)))
        assert (field, wanted, found) == ("gate: verdict", verdict, other)


@pytest.fixture
def exposed(tree_of):
    """A tree whose exposures come from a transcript."""
    shown = [
        VisibleObject("deployment.yaml", "public", b"a", None),
        VisibleObject("plan.json", "dp", b"b", "charge-1"),
        VisibleObject("prompt-1", "post-processing", b"c", "charge-1"),
        VisibleObject("universe.json", "public", b"d", None),
    ]
    rows = bundle.exposures({"transcript.jsonl": encode(shown)})
    return tree_of() | {"exposures": rows}


def test_the_chain_of_a_transcript_holds_as_it_was_written(exposed):
    assert not list(contradictions(Node(exposed)))


@pytest.mark.parametrize(
    ("row", "change"),
    [
        (0, {"name": "other.yaml"}),
        (1, {"sha256": "0" * 64}),
        (1, {"role": "public"}),
        (1, {"charge": None}),
        (1, {"bytes": 7}),
        (3, {"chain": "1" * 64}),
        (2, {"chain": "1" * 64}),
        (2, {"order": 9}),
    ],
)
def test_a_changed_line_breaks_the_chain(exposed, row, change):
    exposed["exposures"][row] |= change
    assert list(contradictions(Node(exposed)))


def test_a_line_taken_out_breaks_it_too(exposed):
    del exposed["exposures"][1]
    assert list(contradictions(Node(exposed)))


@pytest.mark.parametrize("section", ["plan", "utility", "certificates", "strengths", "not_assessed"])
def test_a_missing_section_is_not_assessed_and_no_way_around_the_verdict(faulty, section):
    tree = faulty()
    del tree[section]
    found = opened(canonical.dumps(tree), "mine.json")
    assert section in {gap.id for gap in found.case.gaps} | {"strengths", "not_assessed"}
    with pytest.raises(IntegrityError, match="verdict"):
        opened(canonical.dumps(tree | {"verdict": "pass"}), "mine.json")


def test_a_text_that_is_not_the_one_that_was_digested_is_refused(exposed):
    exposed["exposures"][2] |= {"text": "another"}
    with pytest.raises(IntegrityError):
        opened(canonical.dumps(exposed), "mine.json")
