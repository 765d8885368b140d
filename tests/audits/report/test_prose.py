import pytest

from dpspin_audits.report.prose import Run, clipped, code, joined, label, lines, note, plain, power, text


def test_characters_without_ink_become_runs_of_their_own():
    assert label("a\u202eb\x00") == (
        Run("label", "a"), Run("control", "U+202E"), Run("label", "b"), Run("control", "U+0000"),
    )  # fmt: skip


@pytest.mark.parametrize("character", ["\n", "\u200b", "\u2066", "\ue000", "\u2028", "\ufeff", "\U000e0041"])
def test_every_class_of_unseen_characters_is_named(character):
    assert [piece.role for piece in code(f"x{character}y")] == ["code", "control", "code"]


def test_ordinary_letters_of_any_script_stay():
    assert label("naïve 日本 שלום") == (Run("label", "naïve 日本 שלום"),)


def test_texts_are_spliced_and_read_back():
    assert plain(text("delta ", power("10", "−6"), ", ", code("a\tb"))) == "delta 10−6, a[U+0009]b"


def test_enumerations_end_in_and():
    names = [code(name) for name in "abc"]
    assert [plain(joined(names[:count])) for count in range(4)] == ["", "a", "a and b", "a, b and c"]


def test_clipping_keeps_what_fits_and_marks_what_does_not():
    assert clipped("run_info.json", 12) == "run_info.json"
    assert clipped("n" * 12, 12) == "n" * 12
    assert clipped("n" * 13, 12) == "n" * 11 + "…"
    assert clipped("日" * 8, 12) == "日" * 5 + "…"
    assert clipped("a\u202eb", 12) == "a[U+202E]b"


def test_lines_keep_their_ends_and_name_what_cannot_be_seen():
    assert plain(lines("a\n\nb\u200b\t")) == "a\n\nb[U+200B][U+0009]"
    assert lines("") == ()


def test_plain_words_are_without_footnotes():
    assert plain(text("ε = 1", note(1), ".")) == "ε = 1."
