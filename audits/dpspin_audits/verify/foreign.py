"""Bundles of other implementations: the paper's five files, or a neutral plan with a summary.

Nothing can be computed again as for a bundle of this project, because prompts, drafts and feedback follow from programs
that are not here.  So every object gets one of four words: **public** (a setting, fixed before data), **charged** (a
released mass, with the loss it is released at), **derived** (it follows from these), or **unaccounted**, which is a
finding: nobody has declared it, and it may come from records.  Drafts, verdicts and feedback count as derived from what
their writer was given, and prompts if all their words are those of the settings, the plan and earlier attempts.  Not
seen: an excerpt that has no word of its own, one that stands in the settings or the public texts as if it had been
declared, and what is hidden in ids, in the order of rows or in blanks.
"""

import io
from collections.abc import Iterable, Mapping
from typing import Any

from ruamel.yaml import YAML
from ruamel.yaml.constructor import DuplicateKeyError
from ruamel.yaml.error import YAMLError

from dpspin import canonical
from dpspin.errors import DpspinError, UsageError
from dpspin_audits.verify import foreign_attempts, foreign_fields, foreign_plan
from dpspin_audits.verify.batch import verifier_of
from dpspin_audits.verify.derivation import Verification
from dpspin_audits.verify.finding import Finding, brief, suspicion
from dpspin_audits.verify.foreign_fields import Part, nothing

CONFIG, SUMMARY, ATTEMPTS = "config.yaml", "summary.txt", foreign_attempts.NAME
PLANS = "private_plan.json", "plan.json"


def applies(files: Mapping[str, bytes]) -> bool:
    """Whether this is no bundle of this project: one of the paper's files, or a plan without this project's schema."""
    known = "plan.json" in files and _ours(files["plan.json"])
    if "deployment.yaml" in files or ("transcript.jsonl" in files and (known or PLANS[0] not in files)):
        return False
    return bool({CONFIG, PLANS[0], ATTEMPTS} & set(files)) or ("plan.json" in files and not known)


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
    config, tree, strange = _config(files), _tree(files, name), list(strange)
    parts = [foreign_fields.settings(CONFIG, files[CONFIG], config)] if CONFIG in files else []
    parts += [foreign_plan.part(name, tree, config), foreign_attempts.part(dict(files), tree, config)]
    parts += [_summary(files, tree, config), _others(files, name)]
    parts += [Part([nothing(found.file) for found in strange if found.file not in files], [])]
    objects = tuple(row for part in parts for row in part.objects)
    findings = tuple(dict.fromkeys([*strange, *(found for part in parts for found in part.findings)]))
    return Verification(findings, objects, tree["stamp"] if isinstance(tree.get("stamp"), str) else None, ())


def _config(files: Mapping[str, bytes]) -> Any:
    """The settings as a tree; none where there is no such file.

    Raises:
        UsageError: when it is no YAML, or a key stands twice; with the line.
    """
    try:
        return YAML(typ="safe", pure=True).load(io.BytesIO(files.get(CONFIG, b"")))
    except DuplicateKeyError as error:
        raise UsageError(_line(error), "a key stands twice", "keep one") from error
    except (YAMLError, RecursionError, ValueError) as error:
        raise UsageError(_line(error), "is no YAML", "write the settings of the run") from error


def _line(error: Exception) -> str:
    mark = getattr(error, "problem_mark", None)
    return CONFIG if mark is None else f"{CONFIG}:{mark.line + 1}"


def _tree(files: Mapping[str, bytes], name: str) -> dict[str, Any]:
    tree = canonical.loads(files[name], name)
    if not isinstance(tree, dict):
        raise UsageError(name, "is no plan", "write an object with `universe` and `released`")
    return tree


def _summary(files: Mapping[str, bytes], tree: dict[str, Any], config: Any) -> Part:
    """The summary, sentence by sentence, by this project's verifier."""
    if SUMMARY not in files:
        return Part([], [])
    try:
        text = files[SUMMARY].decode()
        verdict = verifier_of(foreign_fields.plain(tree, config)).verify(text)
    except (DpspinError, UnicodeDecodeError) as error:
        found = Finding(SUMMARY, None, "not judged", brief(str(error)), "mend plan and summary")
        return Part([nothing(SUMMARY)], [found])
    findings = [
        Finding(SUMMARY, text.count("\n", 0, v.span[0]) + 1, f"step {v.step}: {v.rule}", brief(v.claim or v.found))
        for v in verdict.violations
    ]
    return Part([(SUMMARY, "post-processing", "derived") if verdict.accepted else nothing(SUMMARY)], findings)


def _others(files: Mapping[str, bytes], plan_name: str) -> Part:
    """Files that a bundle does not have."""
    named = {CONFIG, plan_name, SUMMARY, ATTEMPTS}
    extra = [name for name in sorted(files) if name not in named]
    return Part(
        [nothing(name) for name in extra],
        [Finding(name, None, suspicion(name), "no file of a release", "keep it with the curator") for name in extra],
    )
