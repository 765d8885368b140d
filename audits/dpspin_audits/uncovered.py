"""Whatever in a bundle no charge covers: files and fields that are not on a closed list, and bytes that say more.

What is public must be byte for byte what was declared before data.  Where this project's own writer was declared, text
and transcript are computed again from the plan: equal bytes hold nothing else.  Other text must not carry hidden
characters, or paths, times and addresses that no public file holds.
"""

import re
import unicodedata
from collections.abc import Iterator, Mapping
from functools import partial
from typing import Any, NamedTuple

from dpspin import canonical, plan, transcript
from dpspin.errors import DpspinError
from dpspin.pipeline import BUNDLE, Setting, publish_again
from dpspin_audits.bundle import charge_of
from dpspin_audits.lines import line_differing, line_of_key

RELEASED = {"index", "label", "noisy_mass", "support", "bin", "rank"}
OWN = {"plan_id", "released", "stamp"}
"""Fields of a plan that are not fixed by the deployment."""
TRANSCRIPT = {"order", "name", "role", "charge", "bytes", "sha256", "previous", "text"}
ROLES = {
    "deployment.yaml": "public",
    "universe.json": "public",
    "plan.json": "dp",
    "summary.txt": "post-processing",
}
"""Roles of the files; a universe that was built from protected records is dp."""
LINE = re.compile(r": line ([0-9]+)$")
"""How the place of an error ends that is about a line of a transcript."""
PLACES = {
    "a path of a machine": re.compile(r"(?<![\w.:/~-])/(?:[\w.-]+/)+[\w.-]*\w|\b[A-Za-z]:\\\\?\w+"),
    "a time": re.compile(r"\b\d{4}-\d\d-\d\d[T ]\d\d:\d\d|\b\d\d:\d\d:\d\d\b"),
    "a unique id": re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE),
    "an address of a network": re.compile(r"\b\d{1,3}(?:\.\d{1,3}){3}\b|\b[0-9a-f]{2}(?::[0-9a-f]{2}){5}\b"),
}
"""What tells of the machine or the moment."""


class Finding(NamedTuple):
    """One thing that should not be there, or should be."""

    file: str
    what: str
    line: int | None = None
    """Where it stands in the file, from 1; None where it is about the whole of it."""


def findings(bundle: Mapping[str, bytes], setting: Setting) -> Iterator[Finding]:
    """Everything wrong with one bundle, file by file."""
    yield from (Finding(name, "not a file of a release bundle") for name in sorted(set(bundle) - set(BUNDLE)))
    yield from (Finding(name, "missing") for name in BUNDLE if name not in bundle)
    public = {"deployment.yaml": setting.deployment_bytes, "universe.json": setting.universe_bytes}
    for name, declared in public.items():
        if bundle.get(name, declared) != declared:
            yield Finding(name, "differs from the declared file", line_differing(bundle[name], declared))
    if "plan.json" in bundle:
        yield from _plan(bundle["plan.json"], setting)
    if "transcript.jsonl" in bundle:
        yield from _transcript(bundle, ROLES | ({"universe.json": "dp"} if setting.deployment.universe.charge else {}))
    if not computed_again(bundle, setting):
        known = setting.deployment_bytes + setting.universe_bytes
        for name, row, text in _texts(bundle):
            yield from (Finding(name, what, row or _line(text, what, known)) for what in hidden(text, known))


def _line(text: str, what: str, public: bytes) -> int | None:
    """The first line of a text in which something is found."""
    return next((number for number, line in enumerate(text.split("\n"), 1) if what in hidden(line, public)), None)


def _plan(data: bytes, setting: Setting) -> Iterator[Finding]:
    """Fields of a plan: released numbers, and public ones that are those of the deployment."""
    try:
        tree: Any = canonical.loads(data, "plan.json")
        stamp = tree.get("stamp")
        declared = canonical.loads(plan.encode(plan.build([], setting.terms())), "")
        rows = list(tree["released"])
        extra = sorted(set(tree) - set(declared)) + sorted({key for row in rows for key in row} - RELEASED)
    except (DpspinError, AttributeError, KeyError, TypeError):
        yield Finding("plan.json", "not a plan")
        return
    at = partial(line_of_key, data)
    yield from (Finding("plan.json", f"field {key!a} is not a field of a plan", at(key)) for key in extra)
    for key in sorted(set(declared) - OWN):
        if tree.get(key) != declared[key]:
            yield Finding("plan.json", f"field {key!a} is not what the deployment declares", at(key))
    if stamp not in (None, plan.SEEDED, plan.INJECTED):
        yield Finding("plan.json", "the stamp is not one of the known stamps", at("stamp"))
    if data != canonical.dumps(tree):
        yield Finding("plan.json", "not canonical JSON, so that blanks or digits could carry something", 1)


def _transcript(bundle: Mapping[str, bytes], roles: Mapping[str, str]) -> Iterator[Finding]:
    """Every file has its line, its role and its digest."""
    try:
        rows = transcript.decode(bundle["transcript.jsonl"], "transcript.jsonl")
    except DpspinError as error:
        found = LINE.search(getattr(error, "place", ""))
        yield Finding("transcript.jsonl", type(error).__name__, int(found[1]) if found else None)
        return
    extra = sorted({key for row in rows for key in row} - TRANSCRIPT)
    yield from (Finding("transcript.jsonl", f"field {key!a} is not a field of a transcript") for key in extra)
    lines = {str(row.get("name")): row for row in rows}
    for name, role in roles.items():
        row = lines.get(name, {})
        if name in bundle and (row.get("role"), row.get("sha256")) != (role, canonical.digest(bundle[name])):
            yield Finding(name, f"the transcript does not list these bytes as {role}")
    if bundle["transcript.jsonl"] != b"".join(map(canonical.dumps, rows)):
        yield Finding("transcript.jsonl", "not canonical JSON, so that blanks or digits could carry something")


def computed_again(bundle: Mapping[str, bytes], setting: Setting) -> bool:
    """Whether everything beside the plan, and beside a model's drafts, follows: computed again, the bytes are equal."""
    try:
        read = plan.decode(bundle["plan.json"], "plan.json")
        rows = transcript.decode(bundle["transcript.jsonl"], "transcript.jsonl")
        charge: Any = charge_of(rows)
        return publish_again(read, setting, charge, rows) == dict(bundle)
    except (DpspinError, KeyError, TypeError):
        return False


def _texts(bundle: Mapping[str, bytes]) -> Iterator[tuple[str, int | None, str]]:
    """The summary, and the texts of the transcript's lines, each with the line that holds all of it."""
    yield "summary.txt", None, bundle.get("summary.txt", b"").decode(errors="replace")
    try:
        rows = transcript.decode(bundle.get("transcript.jsonl", b""), "transcript.jsonl")
    except DpspinError:
        return  # said already
    yield from (("transcript.jsonl", at, str(row["text"])) for at, row in enumerate(rows, 1) if row.get("text"))


def hidden(text: str, public: bytes) -> Iterator[str]:
    """What a text holds that nobody sees, or that says where and when it was made and stands in no public file."""
    for character in sorted({c for c in text if unicodedata.category(c) in ("Cc", "Cf", "Co", "Cn") and c != "\n"}):
        if character.encode() not in public:
            yield f"holds the hidden character U+{ord(character):04X}"
    for what, pattern in PLACES.items():
        if any(found.encode() not in public for found in pattern.findall(text)):
            yield f"holds {what}"
