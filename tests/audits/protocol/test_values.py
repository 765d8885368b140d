"""Values of answers are checked where they are read."""

from fractions import Fraction

import numpy as np
import pytest

from dpspin.errors import SubjectError
from dpspin_audits.protocol import values

CLAIM = {"unit": "record", "adjacency": "add_drop", "mass_bound": "1", "epsilon": "1/3", "delta": "1e-6"}


def test_a_claim_is_read_exactly():
    found = values.claim_of(CLAIM | {"mechanism": "gaussian", "scale": "4.5", "public_fields": ["label"]})
    assert (found.epsilon, found.delta, found.scale) == (Fraction(1, 3), Fraction(1, 10**6), Fraction(9, 2))
    assert (found.exponent, found.missing_ids, found.public_fields) == (None, "drop", ("label",))


@pytest.mark.parametrize(
    ("change", "words"),
    [({"unit": "person"}, "unit is none of record, user"), ({"adjacency": None}, "adjacency is none of"),
     ({"epsilon": "nan"}, "'nan' for a number"), ({"epsilon": None}, "'None' for a number"),
     ({"delta": 0.5}, None), ({"epsilon": "-1"}, "epsilon is '-1'; write a number that is not negative"),
     ({"delta": "1.5"}, "from 0 to 1"), ({"scale": 0}, "scale is '0'; write a number above zero"),
     ({"mass_bound": "-1/2"}, "mass_bound is"), ({"exponent": "0"}, "exponent is"),
     ({"scale": "x"}, "'x' for a number"), ({"values": "cauchy"}, "neither laplace nor"),
     ({"mechanism": 1}, "mechanism that is no text"), ({"public_fields": "label"}, "no list")],
)  # fmt: skip
def test_a_claim_that_cannot_be_read_is_named(change, words):
    if words is None:
        assert values.claim_of(CLAIM | change).delta == Fraction(1, 2)
        return
    with pytest.raises(SubjectError, match=words):
        values.claim_of(CLAIM | change)


@pytest.mark.parametrize("tree", [None, [], "claim"])
def test_what_is_no_claim_is_named(tree):
    with pytest.raises(SubjectError, match="no claim"):
        values.claim_of(tree)


def test_bytes_come_as_text_or_base64():
    assert values.data("x", {"text": "é"}) == "é".encode()
    assert values.data("x", {"base64": "/w=="}) == b"\xff"


@pytest.mark.parametrize("value", [None, {}, {"base64": "***"}, {"base64": 1}, {"text": 1}, "text"])
def test_bytes_of_another_kind_are_named(value):
    with pytest.raises(SubjectError, match=r"neither text nor base64 for plan.json; write \{\"text\": "):
        values.files("x", {"files": {"plan.json": value}})


@pytest.mark.parametrize("found", [None, [0.5], ["1/2"], [True], ["a"], {"0": 1}])
def test_values_that_are_no_integers_are_named(found):
    with pytest.raises(SubjectError, match="answered sketch with"):
        values.integers("sketch", {"values": found})


def test_files_of_a_hand_over_are_read_and_removed(tmp_path):
    np.save(tmp_path / "a.npy", np.zeros((2, 3), np.int32))
    np.save(tmp_path / "m.npy", np.ones((2, 3)))
    found = values.handed_over({"npy": {"atoms": "a.npy", "masses": "m.npy"}}, tmp_path)
    assert found.masses.shape == (2, 3)
    assert list(tmp_path.iterdir()) == []
    assert values.handed_over({"rows": 1}, tmp_path) is None


@pytest.mark.parametrize("name", ["../a.npy", "/etc/passwd", 1, "missing.npy", "text.npy", "link.npy", "pickle.npy"])
def test_other_files_are_refused(tmp_path, name):
    (tmp_path / "text.npy").write_text("no array")
    (tmp_path / "link.npy").symlink_to("/etc/passwd")
    np.save(tmp_path / "pickle.npy", np.array([{}], object), allow_pickle=True)
    with pytest.raises(SubjectError, match="answered sample with a file"):
        values.handed_over({"npy": {"atoms": name, "masses": "m.npy"}}, tmp_path)


@pytest.mark.parametrize("name", ["", ".", "..", "a/b", "/etc/x", "../x", "a\0b", "a\nb", "x" * 61])
def test_names_that_are_no_names_of_files_are_refused(name):
    with pytest.raises(SubjectError, match="for the name of a file"):
        values.files("release", {"files": {name: {"text": ""}}})
