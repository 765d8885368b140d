"""The texts of a deployment's theorems: nothing that is to be filled in stays open."""

import re
from string import Formatter

import pytest

from dpspin_proofs import clauses

TEXTS = {name: text for name, text in vars(clauses).items() if name.isupper()}


@pytest.mark.parametrize("name", TEXTS)
def test_names_in_braces_are_words_and_other_braces_are_doubled(name: str) -> None:
    fields = [field for _, field, _, _ in Formatter().parse(TEXTS[name]) if field is not None]
    assert all(re.fullmatch(r"[a-z0-9]+", field) for field in fields)
    assert "{" not in TEXTS[name].format(**dict.fromkeys(fields, "x")).replace("{Y}", "")


def test_every_theorem_ends_with_a_complete_proof() -> None:
    for name in ("SENSITIVITY", "PLAN"):
        assert TEXTS[name].count("Theorem ") == TEXTS[name].count("\nProof.") == TEXTS[name].count("\nQed.") == 1
