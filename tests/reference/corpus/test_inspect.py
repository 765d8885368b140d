"""Inspection: every count is the one a plain count gives, and each suspicious thing is seen where it was planted."""

import io
import json
from pathlib import Path

import pytest

from dpspin import canonical
from dpspin.corpus.inspect import inspect
from dpspin.corpus.reader import Corpus
from dpspin.errors import UsageError


def found(data, **named):
    return inspect(Corpus(io.BytesIO(data), "F"), named)


def lines(*trees):
    return "".join(json.dumps(tree) + "\n" for tree in trees).encode()


def test_fields_are_counted():
    tree = found(lines({"id": "a", "text": "x"}, {"id": 1, "text": None}, {"text": ""}, {"id": "b", "more": [1]}))
    assert tree["source"]["rows"] == 4
    assert tree["fields"] == [
        {"name": "id", "missing": 1, "null": 0, "empty": 0, "not_a_string": 1},
        {"name": "more", "missing": 3, "null": 0, "empty": 0, "not_a_string": 1},
        {"name": "text", "missing": 1, "null": 1, "empty": 1, "not_a_string": 0},
    ]
    assert json.loads(canonical.dumps(tree)) == tree
    assert tree["audience"].startswith("curator only")


CLEAN = [{"id": f"i{number}", "text": f"t{number}", "user": f"u{number}"} for number in range(5)]
PLANTED = {
    ("id", "rows_without"): [{"text": "a"}, {"id": None, "text": "b"}, {"id": "", "text": "c"}],
    ("id", "rows_with_an_id_seen_before"): [{"id": "i0", "text": "a"}],
    ("id", "ids_that_differ_by_blanks_or_case"): [{"id": "I 0", "text": "a"}, {"id": "i1 ", "text": "b"}],
    ("id", "ids_both_string_and_number"): [{"id": "7", "text": "a"}, {"id": 7, "text": "b"}],
    ("id", "rows_like_a_display_name"): [{"id": "Ann Lee", "text": "a"}, {"id": "Zoë d'Arc", "text": "b"}],
    ("user", "rows_like_a_display_name"): [{"id": "n1", "text": "a", "user": "Ann Lee"}],
    ("text", "rows_without"): [{"id": "n1"}, {"id": "n2", "text": " \n"}, {"id": "n3", "text": 5}],
    ("text", "rows_with_a_text_seen_before"): [{"id": "n1", "text": "t0"}, {"id": "n2", "text": "t0"}],
    ("text", "rows_with_replacement_characters"): [{"id": "n1", "text": "caf\ufffd"}],
}
COUNTS = {("id", "rows_without"): 3, ("text", "rows_without"): 3}


@pytest.mark.parametrize("planted", PLANTED, ids=" ".join)
def test_a_clean_corpus_counts_nothing_and_a_planted_row_is_counted_once(planted):
    role, figure = planted
    clean = found(lines(*CLEAN))["roles"]
    assert {name for counts in clean.values() for name, count in counts.items() if count and name != "field"} == {
        "longest_in_characters"
    }
    rows = PLANTED[planted]
    wanted = 1 if figure == "ids_both_string_and_number" else len(rows)
    tree = found(lines(*CLEAN, *({"user": "u0"} | row for row in rows)))["roles"]
    assert tree[role][figure] == wanted
    others = {(r, name): count for r, counts in tree.items() for name, count in counts.items() if name != "field"}
    expected = {planted, ("text", "longest_in_characters"), ("user", "rows_with_an_id_seen_before")}
    assert {key for key, count in others.items() if count} <= expected


@pytest.mark.parametrize(("header", "roles"), [
    ("Complaint ID,Consumer complaint narrative", {"id": "Complaint ID", "text": "Consumer complaint narrative"}),
    ("consumer_complaint_narrative,complaint_id", {"id": "complaint_id", "text": "consumer_complaint_narrative"}),
    ("ID,Text,user_id,text", {"id": "ID", "text": "Text", "user": "user_id"}),
    ("a,b", {}),
])  # fmt: skip
def test_usual_names_tell_the_roles(header, roles):
    tree = found(f"{header}\n".encode())
    assert {role: figures["field"] for role, figures in tree["roles"].items()} == roles


def test_a_named_field_wins_and_must_be_there():
    data = b"id,text,b\nx,y,z\n"
    assert found(data, id="b")["roles"]["id"]["field"] == "b"
    with pytest.raises(UsageError, match=r"^F: no field 'c'; name a field of the file$"):
        found(data, text="c")


HOSTILE = {
    "blns.json": "line 2: not an object",
    "bom_header.csv": (21, ["category", "flags", "intent", "utterance"]),
    "cfpb_cut_at_1MiB_tail.csv": "line 2: 13 cells where the header names 18 columns",
    "cfpb_no_narrative_column_crlf.csv": (8, None),
    "cfpb_snake_case_header.csv": (9, None),
    "csv_escaped_quotes.csv": (2, ["a", "b"]),
    "csv_location_coordinates.csv": "line 2: the file ends here without a line feed",
    "csv_newlines_crlf.csv": (3, ["a", "b", "c"]),
    "csv_quotes_and_newlines.csv": (2, ["a", "b"]),
    "csv_utf8.csv": "line 3: the file ends here without a line feed",
    "json_i_number_huge_exp.json": "line 1: not an object",
    "json_i_string_UTF-16LE_with_BOM.json": "line 1: UTF-16",
    "json_i_string_incomplete_surrogate_pair.json": "line 1: an escape of half a surrogate pair",
    "json_n_number_NaN.json": "line 1: NaN or Infinity",
    "json_n_string_unescaped_newline.json": "line 1: not JSON",
    "json_n_structure_no_data.json": "empty: neither",
    "json_y_object_duplicated_key.json": "line 1: a key stands twice",
}


@pytest.mark.parametrize("name", sorted(HOSTILE))
def test_every_hostile_file_is_read_or_refused_by_place(name, data_dir):
    data = (data_dir / "hostile" / name).read_bytes()
    wanted = HOSTILE[name]
    if isinstance(wanted, str):
        with pytest.raises(UsageError) as caught:
            found(data)
        assert str(caught.value).startswith(f"F: {wanted}")
        return
    tree = found(data)
    assert tree["source"]["rows"] == wanted[0]
    assert wanted[1] is None or [field["name"] for field in tree["fields"]] == wanted[1]


def test_no_hostile_file_is_left_out(data_dir):
    assert {path.name for path in Path(data_dir / "hostile").iterdir()} == set(HOSTILE)


@pytest.mark.parametrize("name", ["csv_location_coordinates.csv", "csv_utf8.csv"])
def test_with_its_line_feed_a_hostile_file_is_read(name, data_dir):
    assert found((data_dir / "hostile" / name).read_bytes() + b"\n")["source"]["rows"] == {"l": 1, "u": 2}[name[4]]
