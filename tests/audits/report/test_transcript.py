"""The transcript: whole, lossless, its outcome read from the feedback, and withheld where something leaked."""

import re

import pytest

from dpspin import canonical
from dpspin_audits.report import case, transcript
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def opened(tree):
    return case.opened(Node(tree))


def view(tree):
    return transcript.view(opened(tree))


def texts(tree):
    return {row["name"]: row["text"] for row in tree["exposures"] if row["text"]}


def told(tree, name, text):
    """The evidence with another text."""
    for row in tree["exposures"]:
        if row["name"] == name:
            row |= {"text": text, "sha256": canonical.digest(text.encode())}
    return tree


def cells(tree):
    return [[plain(cell) for cell in row.cells] for row in transcript.attempts(opened(tree)).bodies[0].rows]


def test_every_text_is_there_in_order(evidence):
    tree = evidence()
    found = view(tree).objects
    assert [plain(item.name) for item in found] == list(texts(tree))
    assert plain(found[1].words) == texts(tree)["draft-1"]
    assert plain(found[6].note) == "the same as object 8"


def test_a_text_that_repeats_an_earlier_one_is_its_difference(evidence):
    second = view(evidence()).objects[3]
    assert [piece.role for piece in second.words] == ["text", "em"]
    assert second.words[0].text == '{"attempt":2'
    assert second.words[1].text.endswith("of object 4⟩")


def rebuilt(tree):
    """Every text again, from what is shown."""
    whole = {}
    for item in view(tree).objects:
        if plain(item.note).startswith("the same"):
            whole[item.order] = whole[int(plain(item.note).rpartition(" ")[2])]
            continue
        words = ""
        for piece in item.words:
            start, end, order = (
                map(int, re.findall(r"\d+", piece.text.replace(",", ""))) if piece.role == "em" else (0, 0, 0)
            )
            words += whole[order][start - 1 : end] if order else piece.text
        whole[item.order] = words
    return whole


@pytest.mark.parametrize("end", ["", " more", " " * 300, "⟨characters 1 to 200 of object 4⟩"])
def test_nothing_is_lost_by_showing_differences(evidence, end):
    tree = evidence()
    base = "All that a writer may say, said at length. " * 12
    tree = told(told(tree, "draft-1", base + "x"), "draft-2", base + "y" + end)
    tree = told(tree, "summary.txt", base)
    assert list(rebuilt(tree).values()) == list(texts(tree).values())


def test_attempts_name_the_first_rule_that_was_broken(evidence):
    assert cells(evidence()) == [
        ["1", "118 complaints concern", "step 6: mass is not a count", "rejected, one violation"],
        ["2", "none", "every sentence is supported", "accepted"],
    ]
    assert "needed two attempts" in plain(view(evidence()).said)


def test_a_fallback_is_called_one(evidence):
    tree = told(evidence(), "feedback-2", texts(evidence())["feedback-1"])
    assert "Two attempts failed; published is the fallback" in plain(view(tree).said)


@pytest.mark.parametrize(
    "text", ["", "no JSON", "[]", '{"violations":3}', '{"violations":[3]}', "[" * 5000, '{"x":[]}']
)
def test_feedback_of_another_form_is_shown_and_not_judged(evidence, text):
    tree = told(told(evidence(), "feedback-1", text), "feedback-2", text)
    assert transcript.attempts(opened(tree)) is None
    assert "not_assessed" in plain(view(tree).said)


def test_feedback_with_odd_entries_does_not_break_the_page(evidence):
    tree = told(evidence(), "feedback-1", '{"violations":[{"step":{"a":1},"rule":[],"found":null}]}')
    assert cells(tree)[0][1] == "no words"


def test_unseen_characters_are_named_and_lines_are_kept(evidence):
    words = view(told(evidence(), "draft-1", "one\ntwo\u202e\x00\r\n<b>")).objects[1].words
    assert plain(words) == "one\ntwo[U+202E][U+0000][U+000D]\n<b>"


def test_texts_are_withheld_where_something_leaked(evidence):
    found = view(evidence("fail"))
    assert all(item.words == () for item in found.objects)
    assert "withheld" in plain(found.objects[0].note)
    assert cells(evidence("fail"))[0][1] == "withheld"
    assert view(evidence("top-l")).objects[0].words  # its finding is about the law of the noise


def test_what_does_not_fit_is_named(evidence, monkeypatch):
    monkeypatch.setattr(transcript, "ROOM", 420)
    found = view(evidence()).objects  # the first prompt takes most of it
    assert found[0].words
    assert found[1].words == ()
    assert "left out to keep this page small" in plain(found[1].note)


def test_evidence_without_texts_says_so(evidence):
    tree = evidence()
    for row in tree["exposures"]:
        del row["text"]
    assert view(tree).objects == ()
    assert transcript.attempts(opened(tree)) is None


def test_a_language_model_is_named(evidence):
    prompt = '{"attempt":1,"question":{"answered_by":"template (stand-in)","model":"a-model"}}'
    said = plain(view(told(evidence(), "prompt-1", prompt)).said)
    assert "A language model was asked (a-model); answered by: template (stand-in)." in said
    assert "language model" not in plain(view(evidence()).said)
    assert "language model" not in plain(view(told(evidence(), "prompt-1", '{"question":3}')).said)
