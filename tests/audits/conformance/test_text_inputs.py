"""Inputs of texts: every way of breaking a chain changes it, and no text holds what JSON cannot."""

from dpspin_audits.conformance import steps, text_inputs


def test_every_broken_chain_differs_from_the_whole_one():
    chained = steps.answer("transcript", {"objects": text_inputs.OBJECTS})
    drafts = list(text_inputs.transcript_rows(chained))
    broken = [draft.input["transcript"] for draft in drafts if "Refused" in draft.flags]
    assert len(set(broken)) == len(broken) >= 10
    assert chained not in broken


def test_texts_with_lone_surrogates_are_left_out():
    rows = [{"row": "a", "text": "x\ud800", "optional": False}, {"row": "b", "text": "é", "optional": True}]
    (kept,) = text_inputs.verdict(rows)
    assert (kept.input, kept.flags) == ({"text": "é"}, ("Optional",))
