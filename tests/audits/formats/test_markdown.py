"""The report in Markdown: every section and table, no HTML, no link, no notice, and the report's own words."""

import re

from markdown_it import MarkdownIt

from dpspin_audits.formats import markdown
from dpspin_audits.report import model

CODE = re.compile(r"(`+)(?!`).*?(?<!`)\1(?!`)")


def shown(evidence):
    return markdown.encode(evidence).decode()


def bare(text):
    """What stands outside code, escapes taken out."""
    return re.sub(r"\\.", "", CODE.sub("", text))


def test_every_value_of_the_report_has_a_place(invented):
    report = model.view(invented().root, "0" * 64)
    placed = {path for paths in markdown.PARTS.values() for path in paths} | markdown.ELSEWHERE
    for name in report.__slots__:
        fields = getattr(getattr(report, name), "_fields", ())
        found = {f"{name}.{field}" for field in fields} - placed if name not in placed else set()
        found -= {path for path in found if any(one.startswith(f"{path}.") for one in placed)}
        assert name in placed or (fields and not found), (name, found)
    assert set(markdown.PARTS) == set(report.sections)


def test_every_section_that_has_values_is_there_in_order(any_kind):
    text, report = shown(any_kind), model.view(any_kind.root, any_kind.digest)
    titles = [section.title for id_, section in report.sections.items() if id_ in markdown.PARTS]
    found = re.findall(r"^## \d+\. (.*)$", text, re.MULTILINE)
    assert titles == found
    for table in filter(None, report.tables):
        assert f"**Table {table.number}.**" in text
        rows = sum(len(body.rows) + bool(body.title) for body in table.bodies)
        after = text.partition(f"**Table {table.number}.**")[2].partition("\n\n")[2].partition("\n\n")[0]
        assert len(after.splitlines()) == rows + 2
        assert len({len(re.findall(r"(?<!\\)\|", line)) for line in after.splitlines()}) == 1


def test_findings_are_headed_and_say_what_to_do(invented):
    text = shown(invented("fail"))
    assert re.search(r"^### F1\. ", text, re.MULTILINE)
    assert "Write such files with" in text
    assert "One of 5 sentences is not supported" in text


def test_a_stamp_stands_first_and_bears_no_tick(invented):
    first = shown(invented("stamped")).splitlines()[0]
    assert first.startswith("# ⚠ NON-PRIVATE")


def test_a_pass_names_its_gaps(invented):
    text = shown(invented())
    assert "not assessed" in text.splitlines()[0]
    assert "**Not assessed**" in text


def test_attacks_stay_words(hostile):
    text = shown(hostile)
    tokens = MarkdownIt("commonmark", {"html": True}).enable("table").parse(text)
    kinds = {token.type for found in tokens for token in (found, *(found.children or ()))}
    assert not kinds & {"html_inline", "html_block", "link_open", "image"}
    outside = bare(text)
    assert not re.search(r"[<>]", outside)
    assert "](" not in outside
    assert not re.search(r"@\w|https?://|www\.|#\d", outside)
    assert "\u202e" not in text
    assert text.replace("\n", "").isprintable()
    assert not [line for line in text.splitlines() if line.startswith("# heading")]


def test_the_wording_of_reports(any_kind):
    banned = r"private|passed d[p]|dp-complian[t]|\bsafe|secure\b|anonym|guaranteed|no risk|zero leakage|\bgrade"
    text = shown(any_kind).replace("NON-PRIVATE", "").replace("private_top_l", "").replace("private\\_top\\_l", "")
    assert not re.findall(banned, text, re.IGNORECASE)


def test_lines_speak_in_words_and_not_in_names_of_fields(any_kind):
    text = shown(any_kind)
    assert not re.findall(r"; (?:yes|no);|^- (?:not a person|floor|margin|shown|contract): ", text, re.MULTILINE)
    assert "- **exact on hit**: a hit is a violation for certain" in text


def test_a_sentence_stands_beside_what_it_rests_on(invented):
    text = shown(invented("fail"))
    assert re.search(r"^- .* \*supported\*: ", text, re.MULTILINE)
    assert re.search(r"^- .* \*\*not supported\*\*: ", text, re.MULTILINE)
