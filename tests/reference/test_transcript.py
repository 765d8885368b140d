"""The transcript's chain: whatever it can see broken is reported, and what it cannot see is written down here."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dpspin import canonical, transcript
from dpspin.errors import IntegrityError
from dpspin.transcript import VisibleObject

OBJECTS = [
    VisibleObject("deployment.yaml", "public", b"schema: x\n", None),
    VisibleObject("plan.json", "dp", b"\xff\x00binary", "0001"),
    VisibleObject("prompt-1", "post-processing", "Ünïcode\nlines\r\n\u2028\x85".encode(), "0001"),
    VisibleObject("feedback-1", "post-processing", b"", "0001"),
    VisibleObject("summary.txt", "post-processing", b"The plan releases 3 themes.", "0001"),
]
DATA = transcript.encode(OBJECTS)
LINES = DATA.splitlines(keepends=True)


def test_every_object_is_one_line_in_order_with_its_digest():
    rows = transcript.decode(DATA, "t")
    assert len(rows) == len(LINES) == len(OBJECTS)
    for number, (row, seen) in enumerate(zip(rows, OBJECTS, strict=True), 1):
        assert row["order"] == number
        assert (row["name"], row["role"], row["charge"]) == (seen.name, seen.role, seen.charge)
        assert (row["bytes"], row["sha256"]) == (len(seen.data), canonical.digest(seen.data))
        assert row["text"] == (seen.data.decode() if seen.role == "post-processing" else None)
    assert [row["previous"] for row in rows] == ["0" * 64, *map(canonical.digest, LINES[:-1])]


@given(st.lists(st.builds(
    VisibleObject, st.text(), st.sampled_from(["public", "dp", "post-processing"]),
    st.text(st.characters(codec="utf-8")).map(str.encode), st.none() | st.text(),
), max_size=5))  # fmt: skip
def test_what_is_written_is_read_back(objects):
    rows = transcript.decode(transcript.encode(objects), "t")
    assert [(row["name"], row["sha256"]) for row in rows] == [(o.name, canonical.digest(o.data)) for o in objects]


def edited(number, **changes):
    """The transcript with one line changed and nothing recomputed."""
    row = json.loads(LINES[number]) | changes
    return [*LINES[:number], canonical.dumps(row), *LINES[number + 1 :]]


def caught(lines):
    with pytest.raises(IntegrityError) as error:
        transcript.decode(b"".join(lines), "t")
    assert error.value.exit_code == 5
    assert str(error.value).startswith("t: line ")
    assert str(error.value).isprintable()
    return int(error.value.place.removeprefix("t: line "))


EDITS = {
    "name": "other", "role": "public", "charge": "0002", "bytes": 99, "sha256": "0" * 64, "previous": "1" * 64,
    "text": "other", "order": 9,
}  # fmt: skip


@pytest.mark.parametrize("number", range(len(LINES) - 1))
@pytest.mark.parametrize("field", EDITS)
def test_a_changed_field_breaks_its_own_line_or_the_next(number, field):
    lines = edited(number, **{field: EDITS[field]})
    if lines != LINES:
        assert caught(lines) in (number + 1, number + 2)


@pytest.mark.parametrize("change", [
    {"text": "other"}, {"text": None}, {"sha256": "0" * 64}, {"bytes": 99}, {"order": 4}, {"order": 6},
    {"previous": "0" * 64}, {"role": "public"}, {"role": "dp"}, {"more": 1},
])  # fmt: skip
def test_of_the_last_line_text_digest_length_and_place_are_covered(change):
    assert caught(edited(len(LINES) - 1, **change)) == len(LINES)


def test_lines_swapped_dropped_repeated_or_inserted_are_seen():
    for at in range(len(LINES) - 1):
        swapped = [*LINES]
        swapped[at], swapped[at + 1] = swapped[at + 1], swapped[at]
        assert caught(swapped) == at + 1
        assert caught(LINES[:at] + LINES[at + 1 :]) == at + 1
        assert caught(LINES[: at + 1] + LINES[at:]) == at + 2
        assert caught([*LINES[:at], b"{}\n", *LINES[at:]]) == at + 1
    assert caught([*LINES, LINES[-1]]) == len(LINES) + 1


@pytest.mark.parametrize("line", range(len(LINES)))
@pytest.mark.parametrize("change", [
    lambda line: b" " + line, lambda line: line.replace(b":", b": ", 1), lambda line: line[:-1] + b"\r\n",
    lambda line: line[:-2] + b"\n", lambda line: b"\n" + line, lambda line: b"\xff" + line,
    lambda line: line.replace(b'"bytes":', b'"bytes":0,"bytes":'),
    lambda line: b"[]\n", lambda line: b"\n",
])  # fmt: skip
def test_a_line_that_is_not_as_it_was_written_is_seen(line, change):
    assert caught([*LINES[:line], change(LINES[line]), *LINES[line + 1 :]]) == line + 1


def test_a_missing_end_of_line_is_seen():
    assert caught([DATA[:-1]]) == len(LINES)
    assert caught([DATA, b"\n"]) == len(LINES) + 1


def test_a_chain_that_is_recomputed_as_a_whole_is_not_seen():
    """The chain has no key: only a digest kept elsewhere (evidence) shows that everything was written anew."""
    assert transcript.decode(transcript.encode(OBJECTS[::-1]), "t")


@pytest.mark.parametrize("kept", range(len(LINES)))
def test_lines_cut_off_at_the_end_are_not_seen(kept):
    assert len(transcript.decode(b"".join(LINES[:kept]), "t")) == kept


def test_ids_of_charges_and_their_order():
    assert [value for value in ("0001", "12345", "001", "00x1", "٠٠٠١", 1, None) if transcript.is_charge_id(value)] == [
        "0001",
        "12345",
    ]
    assert transcript.precedes("0001", "0002")
    assert transcript.precedes("9999", "10000")
    assert not any(transcript.precedes(value, "0002") for value in ("0000", "0002", "0003", "1", None, 1, "a" * 4))


def test_name_and_charge_of_the_last_line_are_not_seen():
    assert transcript.decode(b"".join(edited(len(LINES) - 1, name="other", charge=None)), "t")
