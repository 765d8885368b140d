"""A function of the deployer's own: what is pinned is what runs, and no record shows in how it fails."""

import pickle
import sys

import pytest

from dpspin.corpus import scoring
from dpspin.corpus.representation import Weights
from dpspin.errors import UsageError

LABELS = ("late fee", "lost card", "escrow trouble")
WORDS = """
def shared(text, labels):
    words = set(text.split())
    return [len(words & set(label.split())) for label in labels]
"""
HOSTILE = """
import sys


def scores(text, labels):
    print("seen:", text)
    print("seen:", text, file=sys.stderr)
    if text == "raise":
        raise ValueError(text)
    if text == "exit":
        sys.exit(text)
    if text == "interrupt":
        raise KeyboardInterrupt
    odd = {"float": [1.0, 0, 0], "flag": [True, 0, 0], "short": [1], "none": None, "word": "abc"}
    return odd.get(text, (3, 0, 2**80))
"""


def own(source, rule="maps:shared"):
    return scoring.load(rule, source.encode(), LABELS)


def complaint(source, rule="maps:shared"):
    with pytest.raises(UsageError) as caught:
        scoring.check(scoring.load(rule, source if isinstance(source, bytes) else source.encode(), LABELS))
    return str(caught.value)


def test_a_text_is_scored_by_the_function():
    assert own(WORDS).scores("a late card, late") == [1, 0, 0]
    assert own(WORDS).scores("late lost fee") == [2, 1, 0]
    assert own(WORDS).scores("") == own(WORDS).scores(None) == [0, 0, 0]
    assert own(WORDS).atoms == 3


def test_no_text_is_not_handed_over():
    assert own("def shared(text, labels): return [len(text) + 1] * 3").scores(None) == [0, 0, 0]


def test_it_can_be_sent_to_another_process():
    again = pickle.loads(pickle.dumps(own(WORDS)))
    assert again == own(WORDS)
    assert again.scores("late fee") == [2, 0, 0]


def test_what_runs_is_the_text_and_no_module_of_this_name():
    assert "maps" not in sys.modules
    assert own(WORDS).scores("late") != own(WORDS.replace("len(", "7 * len(")).scores("late")
    assert scoring.load("json:shared", WORDS.encode(), LABELS).scores("late") == [1, 0, 0]


@pytest.mark.parametrize("text", ["raise", "exit", "float", "flag", "short", "none", "word"])
def test_a_record_that_makes_it_fail_has_no_score_and_nothing_shows(text, capsys):
    hostile = own(HOSTILE, "maps:scores")
    capsys.readouterr()
    assert hostile.scores(text) == [0, 0, 0]
    assert hostile.scores("other") == [3, 0, 2**80]
    assert capsys.readouterr() == ("", "")


def test_whoever_stops_the_program_stops_it():
    with pytest.raises(KeyboardInterrupt):
        own(HOSTILE, "maps:scores").scores("interrupt")


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("def shared(text, labels: pass", "maps.py: line 1: shared failed on the label 'late fee' (SyntaxError"),
        ("import no_such_module", "(ModuleNotFoundError: No module named 'no_such_module')"),
        ("other = 1", "(AttributeError: module 'maps' has no attribute 'shared')"),
        ("shared = 1", "(TypeError: 'int' object is not callable)"),
        ("def shared(text): return [1, 2, 3]", "takes 1 positional argument but 2 were given"),
        ("import sys; sys.exit(3)", "(SystemExit: 3)"),
        ("def shared(text, labels): return [1.0] * 3", "shared returned [1.0, 1.0, 1.0] for the label 'late fee'"),
        ("def shared(text, labels): return [1] * 4", "return a list of 3 integers, one for every label"),
        (b"# caf\xe9\n", "maps.py: not UTF-8, from byte 6; save it as UTF-8"),
    ],
)
def test_what_cannot_be_used_is_refused_before_there_is_a_record(source, said):
    assert said in complaint(source)
    assert complaint(source).startswith("maps.py")


def test_to_load_it_runs_nothing():
    scoring.load("maps:shared", b"raise SystemExit(9)", LABELS)
    scoring.load("maps:shared", b"not Python", LABELS)


def test_weights_are_not_run():
    scoring.check(Weights("label", 3, {}))
