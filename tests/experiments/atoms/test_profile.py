import pytest

from dpspin.errors import UsageError
from dpspin_experiments.atoms.profile import load, parsed

TABLES = 'stop = ""\ngeneric = "a"\nsentiment = ""\nforeign = ""\ndomain = "b c"\n'


@pytest.mark.parametrize("name", ["amazon-beauty", "yelp-restaurants"])
def test_shipped_profiles_load_and_end_in_canonical_forms(name):
    profile = load(name)
    assert profile.domain
    assert not profile.domain & profile.foreign
    assert not set(profile.words.values()) & set(profile.words)
    assert not set(profile.phrases.values()) & set(profile.phrases)
    for phrase in {*profile.phrases, *profile.phrases.values()}:
        assert not set(phrase) & set(profile.words)  # rules on phrases see words after those on words


def test_the_papers_own_examples_are_rules():
    amazon, yelp = load("amazon-beauty"), load("yelp-restaurants")
    assert amazon.phrases["easy", "apply"] == ("easy", "application")
    assert amazon.phrases["quality", "hair"] == ("hair", "quality")
    assert amazon.words["wasted"] == "waste"
    assert yelp.phrases["staff", "friendly"] == ("friendly", "staff")
    assert yelp.phrases["food", "delicious"] == ("delicious", "food")


@pytest.mark.parametrize(
    ("tail", "problem"),
    [
        ("[words]\n[phrases]\n'a b c' = 'b c'\n", "not two words"),
        ("[words]\na = 'b'\nb = 'c'\n[phrases]\n", "another rule changes"),
        ("[words]\n[phrases]\n'a b' = 'b c'\n'b c' = 'a c'\n", "another rule changes"),
        ("[words]\n", "other tables"),
        ("[words\n", "not TOML"),
    ],
)
def test_bad_profiles_are_refused(tail, problem):
    with pytest.raises(UsageError, match=problem):
        parsed((TABLES + tail).encode(), "mine")


def test_an_unknown_profile_is_refused():
    with pytest.raises(UsageError, match="not shipped"):
        load("cars")
