"""Bundles of other implementations: the paper's five files, or a neutral plan with a summary.

Nothing can be computed again as for a bundle of this project, because prompts, drafts and feedback follow from programs
that are not here.  So every object gets one of four words: **public** (a setting, fixed before data), **charged** (a
released mass, with the loss it is released at), **derived** (it follows from these), or **unaccounted**, which is a
finding: nobody has declared it, and it may come from records.  Drafts, verdicts and feedback count as derived from what
their writer was given, and prompts if all their words are those of the settings, the plan and earlier attempts: an
excerpt that has no word of its own would not be seen.
"""

import io
import json
from collections.abc import Iterable, Mapping
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError

from dpspin import canonical, plan
from dpspin.errors import DpspinError, UsageError
from dpspin_audits.verify import foreign_fields
from dpspin_audits.verify.batch import verifier_of
from dpspin_audits.verify.derivation import Verification
from dpspin_audits.verify.finding import Finding, brief, suspicion, traces
from dpspin_audits.verify.foreign_fields import Part
from dpspin_audits.verify.foreign_words import Known

CONFIG, SUMMARY, ATTEMPTS = "config.yaml", "summary.txt", "verifier_attempts.json"
PLANS = "private_plan.json", "plan.json"
DECLARE = "declare it before data, or keep it with the curator"


def applies(files: Mapping[str, bytes]) -> bool:
    """Whether this is no bundle of this project: one of the paper's files, or a plan without this project's schema."""
    if "deployment.yaml" in files or "transcript.jsonl" in files:
        return False
    return bool({CONFIG, PLANS[0], ATTEMPTS} & set(files)) or ("plan.json" in files and not _ours(files["plan.json"]))


def _ours(data: bytes) -> bool:
    try:
        tree = canonical.loads(data, "plan.json")
    except UsageError:
        return True
    return not isinstance(tree, dict) or "schema" in tree


def verify(files: Mapping[str, bytes], strange: Iterable[Finding] = ()) -> Verification:
    """Account for every object of a stranger's bundle.

    Args:
        files: name -> bytes, whatever lay in the folder.
        strange: what is wrong with its entries.

    Raises:
        UsageError: when the plan is missing, or the plan or the settings are of another kind.
    """
    name = next((name for name in PLANS if name in files), None)
    if name is None:
        raise UsageError(PLANS[0], "missing", "put the plan beside the summary")
    config, tree = _config(files), _tree(files, name)
    parts = [foreign_fields.settings(CONFIG, files[CONFIG], config)] if CONFIG in files else []
    parts += [_plan(name, tree, config), _attempts(files, Known([config, tree]))]
    parts += [_summary(files, tree, config), _others(files, name)]
    objects = tuple(row for part in parts for row in part.objects)
    findings = tuple(dict.fromkeys([*strange, *(found for part in parts for found in part.findings)]))
    return Verification(findings, objects, tree["stamp"] if isinstance(tree.get("stamp"), str) else None, ())


def _config(files: Mapping[str, bytes]) -> Any:
    """The settings as a tree; none where there is no such file.

    Raises:
        UsageError: when it is no YAML.
    """
    try:
        return YAML(typ="safe", pure=True).load(io.BytesIO(files.get(CONFIG, b"")))
    except (YAMLError, RecursionError, ValueError) as error:
        raise UsageError(CONFIG, "is no YAML", "write the settings of the run") from error


def _tree(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    tree = canonical.loads(files[name], name)
    if not isinstance(tree, dict):
        raise UsageError(name, "is no plan", "write an object with `universe` and `released`")
    return tree


def _plan(name: str, tree: dict[str, Any], config: Any) -> Part:
    """The plan: public parts, charged masses, what follows from them, and fields that no plan has."""
    found = Part([(f"{name}: universe, bins, denominator, margin", "public", "declared")], [])
    loss, problem = foreign_fields.loss(tree, config)
    found.objects.append((f"{name}: released masses", "dp", loss) if loss else _nothing(f"{name}: released masses"))
    if problem:
        found.findings.append(Finding(name, None, "charge", problem, "charge the release; say epsilon and delta"))
    follows = f"{name}: labels, supports, bins, ranks"
    try:
        plan.from_tree(foreign_fields.plain(tree, config), name)
        found.objects.append((follows, "post-processing", "derived"))
    except DpspinError as error:
        found.objects.append(_nothing(follows))
        found.findings.append(Finding(name, None, "does not follow", brief(str(error))))
    for path, field in foreign_fields.strange(tree):
        found.objects.append(_nothing(f"{name}: {path}"))
        found.findings.append(Finding(name, None, suspicion(field), f"{path}, a field that no plan has", DECLARE))
    return found


def _nothing(name: str) -> tuple[str, str, str]:
    return name, "unaccounted", "nothing"


def _summary(files: Mapping[str, bytes], tree: dict[str, Any], config: Any) -> Part:
    """The summary, sentence by sentence, by this project's verifier."""
    if SUMMARY not in files:
        return Part([], [])
    try:
        text = files[SUMMARY].decode()
        verdict = verifier_of(foreign_fields.plain(tree, config)).verify(text)
    except (DpspinError, UnicodeDecodeError) as error:
        found = Finding(SUMMARY, None, "not judged", brief(str(error)), "mend plan and summary")
        return Part([_nothing(SUMMARY)], [found])
    findings = [
        Finding(SUMMARY, text.count("\n", 0, v.span[0]) + 1, f"step {v.step}: {v.rule}", brief(v.claim or v.found))
        for v in verdict.violations
    ]
    return Part([(SUMMARY, "post-processing", "derived") if verdict.accepted else _nothing(SUMMARY)], findings)


MADE = frozenset(
    "text draft output summary response accept accepted verdict violations errors feedback attempt number round order"
    " index step rule span claim claims found valid passed fallback reason".split()
)
"""Fields of an attempt that decoder and verifier make."""
GIVEN = frozenset("prompt input context messages content system user".split())
"""Fields of an attempt that the decoder is given."""
SET = frozenset("role model backend plan_id mode contract_mode decoder_backend temperature".split())
"""Fields of an attempt that are settings."""
FREE = frozenset("text draft output summary response".split())
"""Texts of the decoder: what they say is judged where they become the summary."""


def _attempts(files: Mapping[str, bytes], known: Known) -> Part:
    """Attempts: prompts by their words, all else by its field."""
    if ATTEMPTS not in files:
        return Part([], [])
    try:
        tree = json.loads(files[ATTEMPTS])
    except (ValueError, RecursionError):
        found = Finding(ATTEMPTS, None, "encoding", "is no JSON", "write the attempts as a list")
        return Part([_nothing(ATTEMPTS)], [found])
    part = Part([], [])
    for path, field, value in foreign_fields.leaves(tree, ""):
        name, problem = f"{ATTEMPTS}: {path}", _problem(field, value, known)
        role = ("public", "declared") if field in SET else ("post-processing", "derived, not computed again")
        part.objects.append(_nothing(name) if problem else (name, *role))
        if problem:
            part.findings.append(Finding(ATTEMPTS, None, problem[0], f"{path}: {brief(problem[1])}", DECLARE))
        elif field in MADE:
            known.add(value)
    return part


def _problem(field: str, value: object, known: Known) -> tuple[str, object] | None:
    """What one leaf seems to be, and what stands there, where nothing accounts for it."""
    if field in FREE:
        return None
    if field in MADE | SET:
        return next(traces(str(value)), None)
    line = known.foreign_line(str(value)) if field in GIVEN else value
    if line is None:
        return None
    return "excerpt of records, or undeclared text" if field in GIVEN else suspicion(field), line


def _others(files: Mapping[str, bytes], plan_name: str) -> Part:
    """Files that a bundle does not have."""
    named = {CONFIG, plan_name, SUMMARY, ATTEMPTS}
    extra = [name for name in sorted(files) if name not in named]
    return Part(
        [_nothing(name) for name in extra],
        [Finding(name, None, suspicion(name), "no file of a release", "keep it with the curator") for name in extra],
    )
