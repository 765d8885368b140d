"""A release bundle, read for evidence: what was exposed, the plan, and every sentence with what the plan says of it."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from dpspin import canonical, plan, transcript
from dpspin.decoder.claims import describe, supported
from dpspin.decoder.verifier import Verdict, Verifier, Violation
from dpspin.errors import DpspinError, UsageError
from dpspin.plan import SemanticPlan
from dpspin.settings import Exact

Files = Mapping[str, bytes]


@dataclass(frozen=True, slots=True)
class Judged:
    """A summary, judged against the plan beside it."""

    plan: SemanticPlan
    verdict: Verdict


def judged(files: Files) -> Judged:
    """Read plan.json and judge summary.txt by this project's own verifier.

    Raises:
        UsageError: when the plan cannot be read, a file is missing or the summary is not UTF-8.
    """
    missing = next((name for name in ("plan.json", "summary.txt") if name not in files), None)
    if missing is not None:
        raise UsageError(missing, "missing from the bundle", "release it")
    read = plan.decode(files["plan.json"], "plan.json")
    try:
        text = files["summary.txt"].decode()
    except UnicodeDecodeError as error:
        raise UsageError("summary.txt", "not UTF-8", "write UTF-8") from error
    return Judged(read, Verifier(read).verify(text))


def sentences(files: Files) -> list[dict[str, object]]:
    """Every sentence with the claims that it reduces to; what was not understood stands with its reasons.

    Nothing where there is no summary, or no plan to judge it by.
    """
    try:
        found = judged(files)
    except UsageError:
        return []
    understood = [
        {
            "sentence": statement.text.strip(),
            "supported": all(supported(claim, found.plan) for claim in statement.claims),
            "claims": [describe(claim, found.plan) for claim in statement.claims],
        }
        for statement in found.verdict.sentences
    ]
    return understood + [_refused(violation) for violation in found.verdict.violations]


def _refused(violation: Violation) -> dict[str, object]:
    return {
        "sentence": violation.claim or violation.found,
        "supported": False,
        "claims": [f"step {violation.step}: {violation.rule}"],
    }


def exposures(files: Files) -> list[dict[str, object]]:
    """Every object that the transcript lists, in order, then files that it does not list, without a role.

    The text of an object is there where the transcript holds it: what was computed from a plan, and nothing else.
    """
    rows = _rows(files)
    listed = {row["name"] for row in rows}
    extra = [name for name in sorted(files) if name not in listed and name != "transcript.jsonl"]
    return [*rows, *_own_line(files, len(rows) + 1), *(_exposure(None, name, None, files[name]) for name in extra)]


def _rows(files: Files) -> list[dict[str, object]]:
    data = files.get("transcript.jsonl", b"")
    try:
        rows = transcript.decode(data, "transcript.jsonl")
    except DpspinError:
        return []
    chains = map(canonical.digest, data.splitlines(keepends=True))
    kept = ("order", "name", "role", "sha256", "bytes", "charge", "text")
    return [{key: row.get(key) for key in kept} | {"chain": chain} for row, chain in zip(rows, chains, strict=True)]


def _own_line(files: Files, order: int) -> Iterator[dict[str, object]]:
    """The transcript itself: computed from the objects that it lists."""
    if "transcript.jsonl" in files:
        yield _exposure(order, "transcript.jsonl", "post-processing", files["transcript.jsonl"])


def _exposure(order: int | None, name: str, role: str | None, data: bytes) -> dict[str, object]:
    return {
        "order": order, "name": name, "role": role, "sha256": canonical.digest(data), "bytes": len(data),
        "charge": None, "text": None, "chain": None,
    }  # fmt: skip


def released_masses(files: Files) -> dict[int, Fraction]:
    """Atom -> noisy mass in units of mass, in plan order, as far as plan.json says it; the rest need not be a plan.

    Raises:
        UsageError: when there is no such file, or its released masses cannot be read.
    """
    try:
        rows = canonical.loads(files["plan.json"], "plan.json")["released"]
        return {int(row["index"]): Fraction(Exact(str(row["noisy_mass"]))) for row in rows}
    except (KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        raise UsageError("plan.json", "holds no released masses", "write `released` as a plan does") from error


def plan_tree(files: Files) -> Any:
    """The tree of plan.json, or None where it cannot be read as a plan."""
    try:
        plan.decode(files["plan.json"], "plan.json")
        return canonical.loads(files["plan.json"], "plan.json")
    except (DpspinError, KeyError):
        return None


UNIVERSE = "universe.json"


def charge_of(rows: Iterable[Mapping[str, object]]) -> str | None:
    """The id of the charge that covers the release, or None."""
    return _charge(row for row in rows if row.get("name") != UNIVERSE)


def universe_charge_of(rows: Iterable[Mapping[str, object]]) -> str | None:
    """The id of the charge that covers the universe, or None."""
    return _charge(row for row in rows if row.get("name") == UNIVERSE)


def _charge(rows: Iterable[Mapping[str, object]]) -> str | None:
    return next((str(row["charge"]) for row in rows if row.get("charge") is not None), None)
