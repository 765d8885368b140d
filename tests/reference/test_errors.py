"""Errors: documented exit codes, one printable line, and a way across process boundaries."""

import copy
import pickle

import pytest

from dpspin import errors

MADE = {
    "UsageError": (errors.UsageError("a.yaml: x", "cannot use 1", "write 2"), 2),
    "BudgetExceeded": (errors.BudgetExceeded("ledger", "spent", "stop"), 2),
    "SubjectError": (errors.SubjectError("impl", "timed out"), 4),
    "NoAnswerError": (errors.NoAnswerError(), 4),
    "IntegrityError": (errors.IntegrityError("plan.json", "aa", "bb", "restore it"), 5),
    "ImpossibleError": (errors.ImpossibleError("the tape has ended"), 70),
}
TEXTS = {
    "UsageError": "a.yaml: x: cannot use 1; write 2",
    "BudgetExceeded": "ledger: spent; stop",
    "SubjectError": "impl: timed out",
    "NoAnswerError": "the language model's server: no usable answer",
    "IntegrityError": "plan.json: expected aa, found bb; restore it",
    "ImpossibleError": "the tape has ended",
}


def test_every_class_is_listed_here():
    classes = {name for name, value in vars(errors).items() if isinstance(value, type)} - {"DpspinError", "ClassVar"}
    assert classes == set(MADE)


@pytest.mark.parametrize("name", MADE)
def test_exit_codes_and_texts_are_the_documented_ones(name):
    error, code = MADE[name]
    assert isinstance(error, errors.DpspinError)
    assert error.exit_code == code
    assert str(error) == TEXTS[name]


@pytest.mark.parametrize("name", MADE)
@pytest.mark.parametrize("carry", [lambda e: pickle.loads(pickle.dumps(e)), copy.copy, copy.deepcopy])
def test_errors_survive_a_process_boundary(name, carry):
    error = MADE[name][0]
    carried = carry(error)
    assert type(carried) is type(error)
    assert str(carried) == str(error)
    assert vars(carried) == vars(error)


def test_fields_carry_the_values():
    error = errors.UsageError("place", "problem", "remedy")
    assert (error.place, error.problem, error.remedy) == ("place", "problem", "remedy")
    error = errors.IntegrityError("place", "expected", "found", "remedy")
    assert (error.place, error.expected, error.found, error.remedy) == ("place", "expected", "found", "remedy")


@pytest.mark.parametrize("nasty", ["a\nb", "a\rb", "\x1b[2J", "\u2028", "\u202eabc", "\ud800", "\x85", "\u200b"])
@pytest.mark.parametrize("make", [
    lambda t: errors.UsageError(t, t, t), lambda t: errors.SubjectError("impl", t),
    lambda t: errors.IntegrityError(t, t, t, t), errors.ImpossibleError,
])  # fmt: skip
def test_a_message_is_one_printable_line_whatever_a_stranger_wrote(make, nasty):
    text = str(make(nasty))
    assert text.isprintable()
    assert len(text.splitlines()) == 1
    text.encode()


def test_printable_text_stays_as_it_is():
    assert str(errors.ImpossibleError("naïve café \\ 日本")) == "naïve café \\ 日本"
