import pytest

from dpspin.corpus.objects import Number
from dpspin_experiments.sources.fields import day, first, identity, words


def test_a_number_and_its_digits_are_one_id():
    assert identity(Number("17")) == identity("17") == "17"


@pytest.mark.parametrize("value", [None, "", True, [], {}, ["17"]])
def test_what_is_no_text_and_no_number_is_no_id(value):
    assert identity(value) is None


def test_ids_are_not_normalised():
    assert len({identity(value) for value in ("a", "A", " a", "a\u0301", "á", Number("1"), Number("1.0"))}) == 7


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("2018-07-07 22:09:11", "2018-07-07"),  # Yelp
        ("2019/9/24", "2019-09-24"),
        ("2019-09-24T12:00:00-05:00", "2019-09-24"),
        ("04/03/2020", "2020-04-03"),  # month first
        ("02 19, 2015", "2015-02-19"),  # Amazon 2018
        (Number("1588687728923"), "2020-05-05"),  # milliseconds, Amazon 2023
        (Number("1424304000"), "2015-02-19"),  # seconds, Amazon 2018
        ("1424304000", "2015-02-19"),
        (Number("0"), "1970-01-01"),
        ("2019-02-30", None),
        ("13/40/2020", None),
        ("yesterday", None),
        (Number("1e9"), None),
        (Number("99999999999999"), "5138-11-16"),
        (None, None),
        (True, None),
    ],
)
def test_days(value, expected):
    assert day(value) == expected


def test_words_and_first():
    assert (words("  a b \n"), words(" \t"), words(Number("3")), words(None)) == ("a b", None, None, None)
    assert first({"b": 1, "a": 2}, ("x", "a", "b")) == 2
    assert first({}, ("x",)) is None
