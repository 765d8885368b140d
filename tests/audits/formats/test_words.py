"""Words of others act in no format: spreadsheets, code scanning, Markdown."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from dpspin_audits.formats.words import cell, coded, escaped, in_table, markdown, message, quoted
from dpspin_audits.report.prose import code, label, note, power, status, strong, text, var


@pytest.mark.parametrize("value", ["=1+1", "+x", "-x", "@SUM(A1)", "  =1", "|calc", "＝1"])
def test_a_formula_becomes_text(value):
    assert cell(value).startswith("'")


@pytest.mark.parametrize("value", ["-1.5", "+2", "1/3", "-2e-05", "plain", "a=b", ""])
def test_numbers_and_words_stay(value):
    assert cell(value) == value


def test_hidden_characters_are_written_out():
    for form in (cell, message, coded, escaped, quoted):
        shown = form("a\u202eb\x00\n")
        assert shown.isprintable()
        assert "202e" in shown


def test_messages_hold_no_link_and_no_placeholder():
    assert message("[a](http://x) {0}") == "[a] (http://x) {{0}}"


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("a *b* _c_ [d](e) <f> | ~g~ & $h$", r"a \*b\* \_c\_ \[d\](e) \<f\> \| \~g\~ \& \$h\$"),
        ("# no heading", r"\# no heading"),
        ("12. no list", r"12\. no list"),
        ("0.9426", "0.9426"),
        ("- no item", r"\- no item"),
        (":smile: and ratio 1:2", r"\:smile: and ratio 1:2"),
    ],
)
def test_plain_words_stay_plain(value, shown):
    assert escaped(value) == shown


@pytest.mark.parametrize(
    "value",
    ["@someone", "#12", "GH-12", "https://evil.example/a_b", "www.evil.example", "javascript://x", "a@b.example"],
)
def test_what_would_be_linked_or_notified_is_code(value):
    assert quoted(f"see {value} there") == f"see `{value}` there"


def test_code_ends_where_it_should():
    assert coded("a`b``c") == "```a`b``c```"
    assert coded("`") == "`` ` ``"
    assert in_table(coded("a|b")) == "`a\\|b`"
    assert in_table(escaped("a|b")) == escaped("a|b") == "a\\|b"


def test_every_role_has_its_form():
    parts = text(
        "a ", strong(" b "), var("k"), power("10", "−3"), power("e", "ε"), code("x|y"), label("@z"), status("not_run"),
        note(2),
    )  # fmt: skip
    assert markdown(parts) == "a  **b** *k*10⁻³e^ε`x|y` `@z`○ not run"


PARSER = MarkdownIt("commonmark", {"html": True}).enable(["table", "strikethrough"])
PIECES = st.sampled_from(
    ["`", "``", "\\", "|", "<b>", "<script>", "<!--", "-->", "&lt;", "[a](b)", "![a](b)", "[a]: b", "<http://x>", "*",
     "_", "~~", "# ", "1. ", "- ", "> ", "@a", "https://x", "www.x", " ", "\n", "\u202e", "x", "---", "| - |"]
)  # fmt: skip
ROLES = st.sampled_from([text, code, label, strong])


def kinds(tokens):
    for token in tokens:
        yield token.type
        yield from kinds(token.children or ())


@given(st.lists(st.tuples(ROLES, st.lists(PIECES, max_size=6).map("".join)), max_size=5), st.booleans())
def test_no_text_of_any_role_acts_in_markdown(runs, table):
    words = markdown(text(*(role(value) for role, value in runs)))
    page = f"| a | b |\n| --- | --- |\n| {in_table(words)} | end |\n" if table else f"{words}\n"
    tokens = list(kinds(PARSER.parse(page)))
    allowed = {"paragraph_open", "paragraph_close", "inline", "text", "code_inline", "strong_open", "strong_close"}
    allowed |= {
        name for name in tokens if table and name.split("_")[0] in ("table", "thead", "tbody", "tr", "th", "td")
    }
    assert set(tokens) <= allowed | {"text_special"}, page
    assert not table or tokens.count("td_open") == 2
