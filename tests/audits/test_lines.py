"""The line on which something stands, from 1."""

from dpspin_audits.lines import line_differing, line_holding, line_of_key


def test_the_first_line_that_holds_it():
    assert line_holding(b"a\nbc\nc", lambda line: b"c" in line) == 2
    assert line_holding(b"a", lambda line: b"c" in line) is None


def test_a_field_is_known_by_its_whole_name():
    assert line_of_key(b'{"nn":1,\n"n":2}', "n") == 2
    assert line_of_key('{"a":1,\n"\u00e9":2}'.encode(), "\u00e9") == 2
    assert line_of_key(b"{}", "n") is None


def test_files_differ_from_a_line_on():
    assert line_differing(b"a\nb\n", b"a\nc\n") == 2
    assert line_differing(b"a\n", b"a") == 1
    assert line_differing(b"a\nb", b"a\n") == 2
    assert line_differing(b"a\n", b"a\n") is None
