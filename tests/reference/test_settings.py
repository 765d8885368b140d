"""Settings: exact numbers that remember how they were written, and complaints that a person could have written."""

import copy
import pickle
from fractions import Fraction
from typing import Annotated, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import Field

from dpspin.errors import UsageError
from dpspin.settings import (
    Between,
    Exact,
    Margin,
    Name,
    NonNegative,
    Positive,
    Probability,
    Sha256,
    Share,
    Strict,
    spelt,
    validated,
)


@pytest.mark.parametrize(("text", "value"), [
    ("0", 0), ("1", 1), ("0.1", Fraction(1, 10)), ("1e-6", Fraction(1, 10**6)), ("1/3", Fraction(1, 3)),
    ("-2.50", Fraction(-5, 2)),
    ("6/4", Fraction(3, 2)), ("1E+2", 100), ("007", 7), ("1e99", 10**99), (f"0.{'0' * 399}1", Fraction(1, 10**400)),
])  # fmt: skip
def test_exact_numbers_are_exact_and_keep_their_text(text, value):
    number = Exact(text)
    assert number == value
    assert number.text == text
    assert 3 * number == 3 * value


@pytest.mark.parametrize("text", [
    " 1", "1 ", "1_0", "NaN", "inf", "-inf", "Infinity", "１", "٣", "1/0", "1/00", "1/-3", "-1/-3", "1//3", "1/3/5",
    "+1", ".5", "5.", "1e", "e5", "1e1000", "1e999999999", "1e-100", "0x10", "1,5", "1.000,5", "", "1\n", "1/3\n", "½",
    "1e5.5", "--1", "1" * 401, f"1.{'1' * 401}", f"1/{'9' * 401}", 1, 1.0, True, None, Fraction(1, 2), [1], b"1",
])  # fmt: skip
def test_other_spellings_are_refused(text):
    with pytest.raises(ValueError, match="write an exact decimal or fraction in quotes"):
        Exact(text)


@given(
    st.fractions(max_denominator=10**30) | st.decimals(allow_nan=False, allow_infinity=False, places=9).map(Fraction)
)
def test_exact_numbers_survive_copies_and_processes(value):
    number = Exact(str(value))
    for carried in (copy.copy(number), copy.deepcopy(number), pickle.loads(pickle.dumps(number))):
        assert type(carried) is Exact
        assert (carried, carried.text) == (number, number.text) == (value, str(value))


class Inner(Strict):
    count: int = Field(ge=1, le=9)
    word: Literal["a", "b"] = "a"


class Left(Strict):
    kind: Literal["left"]
    size: Positive


class Right(Strict):
    kind: Literal["right"]
    flag: bool


class Sample(Strict):
    number: NonNegative = Exact("0")
    positive: Positive = Exact("1")
    share: Share = Exact("1")
    between: Between = Exact("1/2")
    probability: Probability = Exact("0")
    margin: Margin = "rule"
    name: Name = "x"
    digest: Sha256 = "0" * 64
    text: str = Field(default="text", min_length=3, max_length=5)
    flag: bool = True
    inner: Inner = Inner(count=1)
    many: tuple[Inner, ...] = Field(default=(), min_length=1, strict=False)
    free: dict[str, str] = Field(default_factory=dict)
    side: Annotated[Left | Right, Field(discriminator="kind")] = Right(kind="right", flag=True)
    odd: Annotated[str, spelt("[a-c]{2}", "write two of a, b and c")] = "ab"


NAMES = 'write up to 100 letters, digits, dots, dashes and underscores, such as "hair-care"'
EXACT = 'write an exact decimal or fraction in quotes, such as "1", "0.05", "1e-6" or "1/3"'
COMPLAINTS = [
    ({"number": "-1"}, 'number: cannot use "-1"; write a number that is not negative'),
    ({"number": "-0"}, 'number: cannot use "-0"; write a number that is not negative'),
    ({"number": 1}, f"number: cannot use 1; {EXACT}"),
    ({"number": None}, f"number: cannot use null; {EXACT}"),
    ({"positive": "0"}, 'positive: cannot use "0"; write a number above zero'),
    ({"share": "1.01"}, 'share: cannot use "1.01"; write a number above 0 and at most 1'),
    ({"share": "0"}, 'share: cannot use "0"; write a number above 0 and at most 1'),
    ({"between": "1"}, 'between: cannot use "1"; write a number above 0 and below 1'),
    ({"probability": "1"}, 'probability: cannot use "1"; write a number that is not negative and below 1'),
    ({"margin": "-1"}, 'margin: cannot use "-1"; write rule, or a number that is not negative in quotes, such as "12"'),
    ({"margin": 12}, 'margin: cannot use 12; write rule, or a number that is not negative in quotes, such as "12"'),
    ({"margin": "ruler"}, f'margin: cannot use "ruler"; {EXACT}'),
    ({"name": "../x"}, f'name: cannot use "../x"; {NAMES}'),
    ({"name": "a\n"}, f'name: cannot use "a\\n"; {NAMES}'),
    ({"name": ".."}, f'name: cannot use ".."; {NAMES}'),
    ({"name": 5}, "name: cannot use 5; write a text, in quotes where it looks like a number"),
    ({"digest": "A" * 64}, f'digest: cannot use "{"A" * 64}"; write 64 hexadecimal digits in lower case'),
    ({"text": "ab"}, 'text: cannot use "ab"; write at least 3 characters'),
    ({"text": "abcdef"}, 'text: cannot use "abcdef"; write at most 5 characters'),
    ({"text": "\ud800bc"}, 'text: cannot use "\\ud800bc"; write whole characters, no halves of a surrogate pair'),
    ({"text": "x" * 500}, f'text: cannot use "{"x" * 76}...; write at most 5 characters'),
    ({"flag": 1}, "flag: cannot use 1; write true or false"),
    ({"flag": "true"}, 'flag: cannot use "true"; write true or false'),
    ({"inner": {"count": 0}}, "inner.count: cannot use 0; write a whole number from 1 on"),
    ({"inner": {"count": 10}}, "inner.count: cannot use 10; write a whole number up to 9"),
    ({"inner": {"count": True}}, "inner.count: cannot use true; write a whole number without quotes"),
    ({"inner": {"count": "5"}}, 'inner.count: cannot use "5"; write a whole number without quotes'),
    ({"inner": {"count": 1, "word": "c"}}, 'inner.word: cannot use "c"; write "a" or "b"'),
    ({"inner": {}}, "inner.count: missing; add it (see `dpspin schema`)"),
    ({"inner": {"count": 1, "x": 2}}, "inner.x: unknown field; remove it or correct its name"),
    ({"inner": [1]}, "inner: cannot use a list; write fields, one a line"),
    ({"inner": None}, "inner: cannot use null; write fields, one a line"),
    ({"many": [{"count": 1}, {"count": 0}]}, "many.1.count: cannot use 0; write a whole number from 1 on"),
    ({"many": []}, "many: cannot use an empty list; write at least 1 of them"),
    ({"many": "x"}, 'many: cannot use "x"; write a list'),
    ({"free": {"a": 1}}, "free.a: cannot use 1; write a text, in quotes where it looks like a number"),
    ({"free": []}, "free: cannot use an empty list; write fields, one a line"),
    ({"side": {"kind": "left", "size": "0"}}, 'side.size: cannot use "0"; write a number above zero'),
    ({"side": {"kind": "left", "size": "1", "flag": True}}, "side.flag: unknown field; remove it or correct its name"),
    ({"side": {"kind": "left"}}, "side.size: missing; add it (see `dpspin schema`)"),
    ({"side": {"kind": "up"}}, 'side.kind: cannot use "up"; write one of "left", "right"'),
    ({"side": {"kind": ["left"]}}, 'side.kind: cannot use a list; write one of "left", "right"'),
    ({"side": {"size": "1"}}, "side.kind: missing; add it (see `dpspin schema`)"),
    ({"side": "left"}, 'side: cannot use "left"; write fields, one a line'),
    ({"odd": "ad"}, 'odd: cannot use "ad"; write two of a, b and c'),
    ({"a\x1bb\n": 1}, "a\\x1bb\\n: unknown field; remove it or correct its name"),
    ([], "cannot use an empty list; write fields, one a line"),
    (None, "cannot use null; write fields, one a line"),
]


@pytest.mark.parametrize(("tree", "complaint"), COMPLAINTS)
def test_complaints_name_field_value_and_remedy(tree, complaint):
    with pytest.raises(UsageError) as caught:
        validated(Sample, tree, "f.yaml")
    assert str(caught.value) == f"f.yaml: {complaint}"


def test_a_usable_tree_gives_a_frozen_value():
    value = validated(Sample, {"number": "0.50", "many": [{"count": 3}]}, "f.yaml")
    assert (value.number.text, value.many[0].count) == ("0.50", 3)
    with pytest.raises(ValueError, match="frozen"):
        value.flag = False
    assert pickle.loads(pickle.dumps(value)) == value


JUNK = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.sampled_from(["left", "rule", "1", "a"]),
    lambda inner: st.lists(inner) | st.dictionaries(st.sampled_from([*Sample.model_fields, "kind", "count"]), inner),
    max_leaves=8,
)


@given(JUNK)
def test_nothing_but_a_usage_error_ever_leaves(tree):
    try:
        validated(Sample, tree, "f.yaml")
    except UsageError as error:
        text = str(error)
    else:
        return
    assert text.isprintable()
    assert not any(word in text for word in ("pydantic", "Input should", "validation", "tuple", "dictionary"))
