"""Whether a release bundle holds nothing but what is public, charged or computed from those.

A bundle is right when it is the bundle that its deployment and its released masses give: everything else in it is
post-processing, so it is computed again and compared byte for byte.  The steps:

1. Folder: the five files of a release and nothing else, plain files of ordinary mode (`folder.py`).
2. Encoding: UTF-8 without a byte order mark; no carriage return in what the pipeline writes.
3. Deployment: it can be used, and its comments give nothing away (`declared.py`).
4. Universe: it can be used and has the declared digest.
5. Transcript: its chain holds to the last line, and no line has another field (`record.py`).
6. Files: the transcript lists each of them once, with its digest.
7. Plan: labels, supports, bins, ranks, plan id and public parameters follow from masses and deployment (`plan.py`).
8. Record: every line of the transcript, prompts, drafts, verdicts and feedback among them, and the summary follow;
   where a language model was asked, its drafts are taken as they stand there and all else follows from them.
9. Summary: this project's verifier accepts it, whatever the transcript says.

What a bundle cannot show by itself: that the masses are those that were released, that a model's drafts are what it
answered, and that the deployment is the one that was declared.  Whoever keeps the digest of the transcript's last line,
or the deployment, can tell.
"""

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from dpspin import canonical, pipeline
from dpspin.errors import UsageError
from dpspin.pipeline import Setting
from dpspin.transcript import is_charge_id, precedes
from dpspin_audits import uncovered
from dpspin_audits.bundle import judged
from dpspin_audits.verify import declared, plan, record
from dpspin_audits.verify.finding import Finding, brief, first_difference, line_at

WRITTEN = ("universe.json", "plan.json", "summary.txt", "transcript.jsonl")


class Verification(NamedTuple):
    """What was found in a bundle."""

    findings: tuple[Finding, ...]
    objects: tuple[tuple[str, str, str], ...]
    """Every object on record: name, role, and what covers it."""
    stamp: str | None
    """Why the plan must not be relied on, if it says so."""
    left_out: tuple[str, ...]
    """Steps that an earlier finding made impossible."""


def verify(files: Mapping[str, bytes], outside: bytes | None = None, strange: Iterable[Finding] = ()) -> Verification:
    """Judge the files of a bundle (steps 2 to 9).

    Args:
        files: name -> bytes.
        outside: the declared deployment, kept elsewhere, if there is one to compare with.
        strange: what step 1 found.
    """
    setting, problems = declared.setting_of(files, outside)
    findings = [*strange, *_encoding(files), *problems, *record.findings(files)]
    built, left_out, expected = None, ["7 plan", "8 record"], None
    if setting is not None:
        built, differences = plan.derived(files, setting)
        findings += differences
        left_out = [] if built else ["8 record"]
    rows = record.rows_of(files.get(record.NAME, b""))
    if setting is not None and built is not None:
        charge, problems = _charge(rows, setting)
        expected = pipeline.publish_again(built, setting, charge, rows)
        findings += [*problems, *_record(rows, expected), *_summary(files, expected)]
    findings += _contract(files)
    if setting is not None:
        known = {finding.file for finding in findings}
        findings += [
            Finding(f.file, f.line, "hygiene", f.what)
            for f in uncovered.findings(files, setting)
            if f.file not in known
        ]
    stamp = built.terms.stamp if built else None
    return Verification(tuple(dict.fromkeys(findings)), _objects(rows, files, expected), stamp, tuple(left_out))


def _encoding(files: Mapping[str, bytes]) -> Iterator[Finding]:
    for name in (declared.NAME, *WRITTEN):
        data = files.get(name, b"")
        try:
            data.decode()
        except UnicodeDecodeError as error:
            yield Finding(name, line_at(data, error.start), "encoding", "not UTF-8")
        if data.startswith(b"\xef\xbb\xbf"):
            yield Finding(name, 1, "encoding", "begins with a byte order mark")
        if b"\r" in data and name in WRITTEN:
            yield Finding(name, line_at(data, data.index(b"\r")), "encoding", "a carriage return")


def _charge(rows: list[record.Row], setting: Setting) -> tuple[str | None, list[Finding]]:
    """The charge that the plan is released under, as the transcript names it."""
    line, charge = next(
        ((n, row.get("charge")) for n, row in enumerate(rows, 1) if row.get("name") == plan.NAME), (1, None)
    )
    if is_charge_id(charge):
        return str(charge), list(_universe(rows, setting, str(charge)))
    problem = []
    if charge is not None:
        problem = [Finding(record.NAME, line, "charge", f"{brief(charge)} is no id of a ledger")]
    elif not setting.deployment.corpus.synthetic:
        problem = [Finding(record.NAME, line, "charge", "none, on a corpus that is not declared synthetic")]
    return None, problem


def _universe(rows: list[record.Row], setting: Setting, charge: str) -> Iterator[Finding]:
    """Whether a charged universe names the line of the ledger on which it was paid, before the release's own."""
    if setting.deployment.universe.charge is None:
        return
    line, paid = next(
        ((n, row.get("charge")) for n, row in enumerate(rows, 1) if row.get("name") == "universe.json"), (1, None)
    )
    if not precedes(paid, charge):
        what = f"{brief(paid)} is no id of a charge before {charge}, and the universe is declared to be charged"
        yield Finding(record.NAME, line, "charge", what)


def _record(rows: list[record.Row], expected: Mapping[str, bytes]) -> Iterator[Finding]:
    """Step 8: the lines of the transcript, up to the first one about another object."""
    for number, (row, follows) in enumerate(zip_longest(rows, record.rows_of(expected[record.NAME])), 1):
        if row is None or follows is None or row.get("name") != follows["name"]:
            found = "the end" if row is None else brief(row.get("name", "no object"))
            wanted = "the end" if follows is None else follows["name"]
            yield Finding(record.NAME, number, "cannot be derived", f"{found}, where {wanted} follows")
            return
        for field in ("role", "charge"):
            if row.get(field) != follows[field]:
                what = f"{row['name']}: {brief(row.get(field))}, where {follows[field]} follows"
                yield Finding(record.NAME, number, field, what)
        if row.get("text") != follows["text"]:
            yield Finding(record.NAME, number, "cannot be derived", f"{row['name']}: another text follows")


def _summary(files: Mapping[str, bytes], expected: Mapping[str, bytes]) -> Iterator[Finding]:
    """Step 8: the summary, where it first differs."""
    name, found = record.LAST, files.get(record.LAST)
    if found is not None and found != expected[name]:
        at = first_difference(found, expected[name])
        line = line_at(found, at)
        words = found.split(b"\n")[line - 1].decode(errors="replace")
        yield Finding(name, line, "cannot be derived", f"{brief(words)} does not follow from the plan")


def _contract(files: Mapping[str, bytes]) -> Iterator[Finding]:
    """Step 9, by the plan as it stands there."""
    try:
        verdict = judged(files).verdict
    except UsageError:
        return  # plan or summary cannot be read, and a finding says so
    data = files[record.LAST].decode()
    for violation in verdict.violations:
        line = data.count("\n", 0, violation.span[0]) + 1
        what = f"{brief(violation.claim or violation.found)} ({brief(violation.found)})"
        yield Finding(record.LAST, line, f"step {violation.step}: {violation.rule}", what)


def _objects(
    rows: list[record.Row], files: Mapping[str, bytes], expected: Mapping[str, bytes] | None
) -> tuple[tuple[str, str, str], ...]:
    """Every object on record with what covers it."""
    follow = record.rows_of(expected[record.NAME]) if expected else []
    answered = any(row.get("name") == "prompt-1" and '"question":' in str(row.get("text")) for row in follow)
    covers = {"public": "declared", "dp": "charge {}", "post-processing": "derived"}
    found = []
    for row, right in zip_longest(rows, follow[: len(rows)]):
        name, role = str(row.get("name")), str(row.get("role"))
        matches = right is not None and all(row.get(key) == right[key] for key in right if key != "previous")
        beside = files.get(name) if name in pipeline.BUNDLE else None
        matches = matches and (beside is None or canonical.digest(beside) == row["sha256"])
        cover = covers.get(role, "nothing").format(row.get("charge") or "none (generated records)")
        cover = "the model's answer" if answered and name.startswith("draft-") else cover
        found.append((brief(name)[1:-1], role, cover if matches else "not derived"))
    return tuple(found)
