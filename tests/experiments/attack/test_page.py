"""The page and the table in lines."""

import re

from dpspin_experiments.attack import page, story


def test_the_page_is_one_file_without_script_or_request(rows):
    html = page.page(rows).decode()
    assert "<script" not in html
    assert re.findall(r'(?:src|href)="(?!data:|#)[^"]*"', html) == []
    assert "default-src 'none'" in html
    assert page.page(rows).decode() == html


def test_the_page_says_what_came_out_and_what_it_does_not_show(rows):
    words = " ".join(page.page(rows).decode().split())
    for row in rows:
        assert all(f">{' '.join(cell.split())}<" in words for cell in page.cells(row))
    assert story.KNOWN in words
    assert "It does not keep crafted records out" in words
    assert "88.1 % at ε = 2" in words
    assert "at confidence 0.999 for each row" in words


def test_a_refuted_promise_is_said(rows):
    assert "refuted" not in page.text(rows)
    for wrong in (rows[3]._replace(least=0.74), rows[3]._replace(epsilon_at_least=1.5)):
        assert page.cells(wrong)[-1].endswith("; claim refuted")


def test_lines_stand_in_columns(rows):
    lines = page.text(rows).splitlines()
    assert len({len(line) for line in lines[: len(rows) + 1]}) == 1
    assert lines[2].split()[-2:] == ["least", "3.75"]
    assert lines[3].split()[-3:] == ["0.35", "of", "1"]
    assert lines[len(rows) + 1] == ""
