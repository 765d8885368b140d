"""The glossary: footnotes lead to their terms and back, and every word is explained once."""

import re

from dpspin_audits.report import render, terms
from dpspin_audits.report.prose import plain


def test_the_first_terms_are_those_of_the_footnotes():
    found = terms.view("A record is not a person", 2)
    assert [term.note for term in found[: terms.NOTES + 1]] == [*range(1, terms.NOTES + 1), 0]
    assert len({plain(term.name) for term in found}) == len(found) >= 18


def test_places_are_filled_in_and_the_factor_is_a_power():
    found = terms.view("A record is not a person", 2)
    assert "A record is not a person (table 2)." in plain(found[1].words)
    assert ("sup", "ε") in [(piece.role, piece.text) for piece in found[0].words]
    assert not re.search(r"[{}^]", "".join(plain(term.words) for term in found))


def test_every_footnote_leads_there_and_back(any_evidence):
    page = render.render(any_evidence)
    for number in range(1, terms.NOTES + 1):
        assert page.count(f'id="r{number}"') == page.count(f'id="t{number}"') == 1
        assert page.count(f'href="#t{number}"') == page.count(f'href="#r{number}"') == 1
