"""Steps 3 and 4: what was fixed before data, and everything that follows from it without a record."""

import io
import re
from collections.abc import Mapping

from ruamel.yaml import YAML
from ruamel.yaml.error import YAMLError
from ruamel.yaml.nodes import MappingNode, SequenceNode

from dpspin import canonical, universe
from dpspin.accounting.calibration import calibrate
from dpspin.accounting.utility import noise_floor
from dpspin.corpus.representation import Weights
from dpspin.decoder import backend
from dpspin.decoder.verifier import check_terms
from dpspin.deployment import load
from dpspin.errors import DpspinError, IntegrityError
from dpspin.pipeline import Setting
from dpspin_audits.verify.finding import Finding, brief, suspicion, traces

NAME = "deployment.yaml"
CHOOSE = "declare what was meant, before data"


def setting_of(files: Mapping[str, bytes], outside: bytes | None) -> tuple[Setting | None, list[Finding]]:
    """The setting that a bundle names, term weights left out: they stay with the curator and no plan needs them.

    Args:
        files: the bundle.
        outside: the deployment as it was declared, kept elsewhere; None if there is none to compare with.
    """
    if NAME not in files:
        return None, []
    data = files[NAME]
    findings = _notes(data)
    if outside is not None and outside != data:
        findings.append(Finding(NAME, None, "digest", "not the declared deployment", integrity=True))
    try:
        deployment = load(data, NAME)
        atoms = universe.decode(files.get("universe.json", b""), "universe.json")
        noise = calibrate(deployment, len(atoms))
        floor = noise_floor(noise, len(atoms), deployment.plan.size, deployment.plan.noise_beta)
        weights = Weights(deployment.assignment.rule, len(atoms), {})
        setting = Setting(deployment, data, atoms, files["universe.json"], weights, noise, floor)
        check_terms(setting.terms())
    except DpspinError as error:
        return None, [*findings, *_complaint(error, files)]
    findings += _template(setting, data)
    sha256 = canonical.digest(files["universe.json"])
    if sha256 != deployment.universe.sha256:
        what = f"sha256 {sha256[:12]}..., where {NAME} declares {deployment.universe.sha256[:12]}..."
        findings.append(Finding("universe.json", None, "digest", what, integrity=True))
    return setting, findings


def _template(setting: Setting, data: bytes) -> list[Finding]:
    """Whether the prompts of a language model can be computed again here."""
    try:
        backend.check(setting.deployment.decoder, NAME)
    except IntegrityError as error:
        what = f"the installed template of prompts is {brief(error.found)}"
        line, remedy = line_of(data, "decoder.llm.prompt.sha256"), "verify with the version that has the declared one"
        return [Finding(NAME, line, "prompt template", what, remedy, integrity=True)]
    return []


def _complaint(error: DpspinError, files: Mapping[str, bytes]) -> list[Finding]:
    """An error of a public file as a finding with its line."""
    place, problem, remedy = (str(part) for part in (*error.args, "", "", "")[:3])
    file, _, path = place.partition(": ")
    if file not in files:
        return [] if file == "universe.json" else [Finding(NAME, None, "deployment", brief(str(error)), CHOOSE)]
    unknown = problem == "unknown field" or "not an atom" in problem
    rule = suspicion(path.rpartition(".")[2]) if unknown and file == NAME else file.partition(".")[0]
    line = line_of(files[file], path) or _line_in(f"{path} {problem}")
    return [Finding(file, line, rule, f"{path}: {problem}" if path else problem, remedy or CHOOSE)]


def _line_in(problem: str) -> int | None:
    match = re.search(r"\bline (\d+)", problem)
    return int(match[1]) if match else None


def line_of(data: bytes, path: str) -> int | None:
    """The line on which a YAML file has the field of a dotted path, or the deepest field above it that it has."""
    line = None
    try:
        node = YAML(typ="safe", pure=True).compose(io.StringIO(data.decode()))
    except (UnicodeDecodeError, YAMLError, RecursionError):
        return None
    for step in path.split("."):
        if isinstance(node, MappingNode):
            pairs = [(key, value) for key, value in node.value if key.value == step]
        elif isinstance(node, SequenceNode) and step.isdecimal():
            pairs = [(value, value) for value in node.value[int(step) : int(step) + 1]]
        else:
            pairs = []
        if not pairs:
            break
        line, node = pairs[0][0].start_mark.line + 1, pairs[0][1]
    return line


def _notes(data: bytes) -> list[Finding]:
    """What comments give away: no field holds them, and every digest covers them."""
    findings = []
    for number, line in enumerate(data.decode(errors="replace").splitlines(), 1):
        comment = re.search(r"(?:^|\s)#.*", line)
        given = list(traces(comment.group())) if comment else []
        given += [trace for trace in traces(line) if trace[0] == "machine path" and trace not in given]
        findings += [Finding(NAME, number, kind, brief(words), "leave it out before data") for kind, words in given]
    return findings
