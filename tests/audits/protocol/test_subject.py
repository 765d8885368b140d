"""A command is a subject with the methods that it offers."""

import threading
from fractions import Fraction

import numpy as np
import pytest

from dpspin.errors import SubjectError
from dpspin_audits.distribution.trials import sample
from dpspin_audits.subject import (
    Batched,
    BlackBox,
    Charges,
    Decodes,
    Keyed,
    NoiseInjectable,
    Seedable,
    Sketches,
    Staged,
)


def test_what_a_command_offers_becomes_its_methods(connect):
    found = connect()
    for protocol in (BlackBox, Batched, Seedable, Staged, Keyed, Sketches, Decodes, Charges):
        assert isinstance(found, protocol), protocol
    assert not isinstance(found, NoiseInjectable)
    assert (found.claim.epsilon, found.claim.scale, found.claim.mechanism) == (1, 1, "laplace")


def test_every_operation_gives_what_the_audit_expects(connect, records):
    found = connect()
    assert found.release(records)["more"] == b"\xff"
    assert b'"seed": "00ff"' in found.release_seeded(records, b"\x00\xff")["plan.json"]
    assert found.spent() == (Fraction(2), Fraction(0))
    assert found.fresh().spent() == (0, 0)
    assert found.contribution(records[0]) == [1 << 20, 0]
    assert found.sketch(records) == [2 << 20, 0]
    assert (found.unit_key(records[0]), found.unit_key({"text": "a"})) == ("1", None)
    assert found.decoder_input(b"{}") == b"{}"


@pytest.mark.parametrize("fault", ["none", "npy"])
def test_samples_arrive_as_numbers(connect, records, fault):
    found = connect(fault)
    draws = sample(found, records, 4000, b"seed")
    assert draws.atoms.tolist()[:2] == [[0, 1], [0, 1]]
    assert np.abs(draws.masses.mean(axis=0) - [2, 0]).max() < 0.2  # nine standard errors
    assert sample(found, records, 3, b"seed").masses.shape == (3, 2)


def test_threads_take_turns(connect, records):
    found, results = connect(), []
    threads = [threading.Thread(target=lambda: results.append(found.sample(records, 500))) for _ in range(8)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [plans.masses.shape for plans in results] == [(500, 2)] * 8


@pytest.mark.parametrize(
    ("fault", "words"),
    [("fewer rows", "rows of 2 for 10 runs"), ("huge batch", "rows of 2"),
     ("unknown type", "unknown type, '<f4'; write one of <f8, <i8"),
     ("short batch", "no answer to sample within 1 s .* bytes of an answer came"), ("path", "a file name with a path")],
)  # fmt: skip
def test_a_broken_batch_is_named(connect, records, fault, words):
    with pytest.raises(SubjectError, match=words):
        connect(fault, seconds=1).sample(records, 10)


@pytest.mark.parametrize(("fault", "op"), [("floats", "contribution"), ("no key", "unit_key")])
def test_values_of_another_kind_are_refused(connect, records, fault, op):
    with pytest.raises(SubjectError, match=f"answered {op} with"):
        getattr(connect(fault), op)(records[0])


def test_a_name_is_made_printable(connect):
    assert connect("odd name").name == "?[31mfau?lty"


def test_of_a_long_last_line_the_end_is_quoted(connect, records):
    with pytest.raises(SubjectError, match=r"x words at last$"):
        connect("long words").release(records)
