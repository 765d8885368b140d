"""hygiene: whether the release folder holds anything that no charge covers.

Files and fields are checked against a closed list.  What is public must be byte for byte what was declared before data;
what is not on the list must not be there, however harmless it looks.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from dpspin import canonical, plan, transcript
from dpspin.errors import DpspinError
from dpspin.pipeline import BUNDLE, Setting
from dpspin_audits.checks.check import Check, Location

ID = "hygiene"
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
REMEDY = "keep it out of the release folder; curator files go elsewhere"


class Finding(NamedTuple):
    """One thing that should not be there, or should be."""

    file: str
    what: str


def check(bundles: Iterable[Mapping[str, bytes]], setting: Setting) -> Check:
    """The verdict on several bundles of one deployment."""
    looked = list(bundles)
    found = next((finding for bundle in looked for finding in findings(bundle, setting)), None)
    figures = {"bundles": len(looked), "files": sum(map(len, looked))}
    if found is not None:
        return Check(
            ID, "fail", "exact_on_hit", "The release folder holds something that no charge covers.", figures,
            f"{found.file!a}: {found.what}", REMEDY, Location(found.file),
        )  # fmt: skip
    return Check(ID, "pass", "exact_on_hit", "Every file and field is public, charged or computed from those.", figures)


def findings(bundle: Mapping[str, bytes], setting: Setting) -> Iterator[Finding]:
    """Everything wrong with one bundle, file by file."""
    yield from (Finding(name, "not a file of a release bundle") for name in sorted(set(bundle) - set(BUNDLE)))
    yield from (Finding(name, "missing") for name in BUNDLE if name not in bundle)
    public = {"deployment.yaml": setting.deployment_bytes, "universe.json": setting.universe_bytes}
    for name, declared in public.items():
        if bundle.get(name, declared) != declared:
            yield Finding(name, "differs from the declared file")
    if "plan.json" in bundle:
        yield from _plan(bundle["plan.json"], setting)
    if "transcript.jsonl" in bundle:
        yield from _transcript(bundle)


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
    yield from (Finding("plan.json", f"field {key!a} is not a field of a plan") for key in extra)
    for key in sorted(set(declared) - OWN):
        if tree.get(key) != declared[key]:
            yield Finding("plan.json", f"field {key!a} is not what the deployment declares")
    if stamp not in (None, plan.SEEDED):
        yield Finding("plan.json", "the stamp is not one of the known stamps")
    if data != canonical.dumps(tree):
        yield Finding("plan.json", "not canonical JSON, so that blanks or digits could carry something")


def _transcript(bundle: Mapping[str, bytes]) -> Iterator[Finding]:
    """Every file has its line, its role and its digest."""
    try:
        rows = transcript.decode(bundle["transcript.jsonl"], "transcript.jsonl")
    except DpspinError as error:
        yield Finding("transcript.jsonl", type(error).__name__)
        return
    extra = sorted({key for row in rows for key in row} - TRANSCRIPT)
    yield from (Finding("transcript.jsonl", f"field {key!a} is not a field of a transcript") for key in extra)
    lines = {str(row.get("name")): row for row in rows}
    for name, role in ROLES.items():
        row = lines.get(name, {})
        if name in bundle and (row.get("role"), row.get("sha256")) != (role, canonical.digest(bundle[name])):
            yield Finding(name, f"the transcript does not list these bytes as {role}")
