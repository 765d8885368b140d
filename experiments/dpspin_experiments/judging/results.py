"""Everything that one evaluation found, and its three forms: a page, a table of values and a tree."""

import csv
import io
import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from dpspin_audits.report.render import environment
from dpspin_experiments.judging import prompts, rater
from dpspin_experiments.judging.answers import DIMENSIONS
from dpspin_experiments.judging.asking import ATTEMPTS
from dpspin_experiments.judging.duels import ALPHA, Tally
from dpspin_experiments.judging.exhibit import AUDIENCE
from dpspin_experiments.judging.likeness import Likeness
from dpspin_experiments.judging.tables import Row, Stat

SCHEMA = "dpspin-judge/1"
NOTICE = f"{AUDIENCE}; curator only: NON-PRIVATE, made with references that read protected records."
TEMPLATE = "judge.html.j2"
HEADER = ("audience", "table", "instrument", "method", "measure", "mean", "sd", "n", "low", "high")
WORDS = {name: name.replace("_", " ") for name in DIMENSIONS}
MEASURES = {
    "token": "token Jaccard", "bigram": "bigram Jaccard", "keyphrase": "keyphrase Jaccard", "tfidf": "TF-IDF cosine",
}  # fmt: skip
LIMITS = (
    "A score says how a text reads beside the object that its writer was given. It says nothing of how much the object "
    "kept of the records: a histogram can score as high as a plan.",
    "Text safety is about words. It is no statement on privacy.",
    "A language model can be led by the text that it judges. Objects and texts reach it as quoted data, and its "
    "instruction gives words in them no standing, but nothing makes a model obey. Texts that speak to a judge are "
    "flagged by patterns; a flag is a reason to read the text, and no flag is no clearance.",
    "A judge of another make gives other scores, and a hosted model may change under one name. Scores of two judges are"
    " not comparable.",
    "The standard deviation is over releases, so it holds the noise, the writer and the judge together. A reference is "
    "made once and has none.",
    "With texts from a template, the comparison is largely one of plans (appendix B.7).",
)


class Text(NamedTuple):
    """The first summary of a method."""

    method: str
    text: str
    sha256: str
    """Of the exhibit."""


class Results(NamedTuple):
    """One evaluation."""

    setting: Mapping[str, str]
    """Public terms, and how summaries were made."""
    judge: Mapping[str, str] | None
    """Public settings of the language model; None where none was asked."""
    rated: Sequence[Row]
    judged: Sequence[Row]
    duels: Sequence[Tally]
    likeness: Sequence[Likeness]
    texts: Sequence[Text]

    @property
    def unread(self) -> int:
        """Shown summaries, and pairs, without an answer that could be read."""
        scores = sum(row.summaries - row.unshown - row.scored for row in self.judged)
        return scores + sum(each.outcomes["unread"] for each in self.duels)


class Page(NamedTuple):
    """What the template prints, beside the results."""

    notice: str
    dimensions: Mapping[str, str]
    measures: Mapping[str, str]
    rater: str
    notes: tuple[str, ...]
    limits: tuple[str, ...]
    prompts: Sequence[prompts.Prompt]
    attempts: int
    confidence: str
    lines: Sequence[str]
    """What the judge's and the rater's tables have in common below them: malformed answers and flags, in words."""


def page(found: Results) -> bytes:
    """One HTML file: no script, no request; the same results give the same bytes."""
    shown = Page(
        NOTICE, WORDS, MEASURES, rater.NAME, rater.NOTES, LIMITS, _prompts(), ATTEMPTS, f"{100 * (1 - ALPHA):g} %",
        tuple(_lines(found)),
    )  # fmt: skip
    return environment().get_template(TEMPLATE).render(found=found, page=shown, cell=cell).encode()


def cell(stat: Stat | None) -> str:
    """Mean and standard deviation as a table has them."""
    if stat is None:
        return "–"
    return f"{stat.mean:.2f}" if stat.sd is None else f"{stat.mean:.2f} ± {stat.sd:.2f}"


def lines(found: Results) -> str:
    """The scores in columns, one table for each instrument."""
    parts = []
    for rows, name in ((found.judged, "language model"), (found.rated, rater.NAME)):
        if rows:
            cells = [("method", *WORDS.values(), "scored")]
            cells += [(row.method, *map(cell, row.scores.values()), f"{row.scored} of {row.summaries}") for row in rows]
            widths = [max(map(len, column)) for column in zip(*cells, strict=True)]
            parts.append(f"\n{name}")
            parts += ["  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip() for row in cells]
    return "\n".join([*parts, "", *_lines(found)])


def table(found: Results) -> bytes:
    """Every value on a line of its own, as CSV."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(HEADER)
    for row in _values(found):
        writer.writerow((NOTICE, *row))
    return out.getvalue().encode()


def tree(found: Results) -> bytes:
    """All of it as JSON."""
    asked = {each.version: {"sha256": each.sha256, "text": each.text} for each in _prompts()}
    whole = {
        "schema": SCHEMA, "notice": NOTICE, "setting": dict(found.setting), "judge": found.judge, "prompts": asked,
        "rater": {"name": rater.NAME, "version": rater.VERSION, "notes": rater.NOTES}, "limits": LIMITS,
        "rated": _plain(found.rated), "judged": _plain(found.judged), "duels": _plain(found.duels),
        "likeness": _plain(found.likeness), "texts": _plain(found.texts),
    }  # fmt: skip
    return json.dumps(whole, indent=1, sort_keys=True, ensure_ascii=False, allow_nan=False).encode() + b"\n"


def _prompts() -> list[prompts.Prompt]:
    return [prompts.load("scores"), prompts.load("comparison"), prompts.load("summary")]


def _plain(value: Any) -> Any:
    """Named tuples as objects, all the way down."""
    if hasattr(value, "_asdict"):
        return {name: _plain(item) for name, item in value._asdict().items()}
    if isinstance(value, Mapping):
        return {name: _plain(item) for name, item in value.items()}
    return [_plain(item) for item in value] if isinstance(value, list | tuple) else value


def _values(found: Results) -> Iterator[tuple[Any, ...]]:
    """Lines of the CSV, from the second column on."""
    model = f"language model {found.judge['model']}" if found.judge else ""
    for rows, instrument in ((found.judged, model), (found.rated, rater.NAME)):
        for row in rows:
            yield from (("scores", instrument, row.method, *_measured(name, stat)) for name, stat in row.scores.items())
    for row in found.judged:
        counts = {"summaries": row.summaries, "not shown": row.unshown, **row.malformed}
        yield from (("counts", model, row.method, name, count, "", "", "", "") for name, count in counts.items())
    for each in found.duels:
        yield from (("comparison", model, each.method, *row) for row in _compared(each))
    for alike in found.likeness:
        yield from (("likeness", "lexical", alike.method, *_measured(n, stat)) for n, stat in alike.measures.items())


def _measured(name: str, stat: Stat | None) -> tuple[Any, ...]:
    return name, *(stat or ("", "", 0)), "", ""


def _compared(tally: Tally) -> Iterator[tuple[Any, ...]]:
    for name, count in tally.outcomes.items():
        yield name, count, "", tally.pairs, "", ""
    for share, rate in (("wins among decided", tally.wins), ("first position among stuck", tally.first)):
        if rate:
            yield share, rate.part / rate.whole, "", rate.whole, rate.low, rate.high


def _lines(found: Results) -> Iterator[str]:
    """What was not scored and why, and what was flagged."""
    for row in found.judged:
        if row.malformed:
            kinds = ", ".join(f"{count} {name}" for name, count in sorted(row.malformed.items()))
            yield f"{row.method}: answers that could not be read: {kinds}."
        if row.unshown:
            yield f"{row.method}: {row.unshown} not shown to the judge, because the object is longer than the limit."
    for row in found.rated:
        if row.flags:
            yield f"{row.method}: words of a summary speak to a judge of {', '.join(row.flags)}; read it first."
        if row.object_flags:
            yield f"{row.method}: words inside the object could speak to a judge of {', '.join(row.object_flags)}."
