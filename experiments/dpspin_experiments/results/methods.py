"""The plan beside other methods, as rows of a page and as CSV."""

import csv
import io
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, NamedTuple

from dpspin_experiments.baselines.standing import Standing

HEADER = ("ε", "measured ε", "Overlap", "MassRetained", "reach", "token", "bigram", "keyphrase", "TF-IDF", "LSA")
MEASURES = ("overlap", "retained", "reach", "token", "bigram", "keyphrase", "tfidf", "embedding")


class Row(NamedTuple):
    """One method on the page."""

    standing: Standing
    cells: tuple[str, ...]
    """As HEADER names them."""
    accounting: tuple[str, ...]
    """Its stages in words; empty without a guarantee."""


def rows(standings: Sequence[Standing]) -> list[Row]:
    """Every method with its figures; means over its releases, least and largest in brackets where they differ."""
    return [
        Row(
            each,
            (_claim(each), _measured(each), *(_figure(each, name) for name in MEASURES)),
            tuple(map(_stage, each.accounting)),
        )
        for each in standings
    ]


def table(standings: Sequence[Standing]) -> bytes:
    """All methods as CSV, one measure of one method a row."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    columns = ["method", "epsilon", "delta", "measured_epsilon", "refuted", "measure", "runs", "mean", "least", "most"]
    writer.writerow(["audience", *columns])
    for each in standings:
        claim = ["" if x is None else f"{x:.9g}" for x in (each.epsilon, each.delta, each.measured)]
        for name in MEASURES:
            if name in each.measures:
                values = each.measures[name]
                figures = [values.runs, *(f"{x:.9g}" for x in values[1:4])]
                writer.writerow(["curator only", each.name, *claim, each.refuted, name, *figures])
    return out.getvalue().encode()


def _stage(stage: Mapping[str, Any]) -> str:
    """For instance "sizes: 1/10 of the budget, l1 at most 1, laplace noise of scale 10"."""
    scale = f"{float(Fraction(stage['scale'])):.4g}"
    spent = f"{stage['stage']}: {stage['share']} of the budget"
    return f"{spent}, ℓ₁ at most {stage['l1']}, {stage['noise']} of scale {scale}"


def _claim(each: Standing) -> str:
    if each.epsilon is None:
        return "none"
    return f"{each.epsilon:g}" + (f" (δ {each.delta:.1e})" if each.delta else "")


def _measured(each: Standing) -> str:
    if each.measured is None:
        return ""
    return f"at least {each.measured:.2f}" + ("; claim refuted" if each.refuted else "")


def _figure(each: Standing, name: str) -> str:
    values = each.measures.get(name)
    if values is None:
        return ""
    mean, least, most = (f"{x:.2f}" for x in (values.mean, values.least, values.most))
    return mean if least == most else f"{mean} ({least}\u00a0to\u00a0{most})"
