"""Step 1: what lies in the folder.  Nothing is followed, run or read that is not a plain file of bounded size."""

import os
import stat
from pathlib import Path

from dpspin.errors import UsageError
from dpspin.pipeline import BUNDLE
from dpspin_audits.verify import foreign
from dpspin_audits.verify.finding import REMOVE, Finding, suspicion

LARGEST = 2**26
"""Bytes of a file that is read."""
PAPER = {
    "config.yaml": "deployment.yaml",
    "private_plan.json": "plan.json",
    "verifier_attempts.json": "transcript.jsonl",
}
"""The paper's names of files, and ours."""
OTHERS = {"unknown file", "hidden file"}
"""What `foreign` says of files itself."""
PLAIN = stat.S_IRUSR | stat.S_IWUSR | stat.S_IRGRP | stat.S_IWGRP | stat.S_IROTH


def read(folder: Path) -> tuple[dict[str, bytes], list[Finding]]:
    """The plain files of a folder by name, and what should not be there.

    Raises:
        UsageError: when the folder cannot be read or holds no file of a bundle.
    """
    try:
        entries = sorted(os.scandir(folder), key=lambda entry: entry.name)
        found = [(entry.name, entry.stat(follow_symlinks=False)) for entry in entries]
        files = {
            name: (folder / name).read_bytes()
            for name, status in found
            if stat.S_ISREG(status.st_mode) and status.st_size <= LARGEST
        }
    except OSError as error:
        place = str(error.filename or folder)
        raise UsageError(place, f"cannot be read ({error.strerror})", "name the folder of a release") from error
    if not {*BUNDLE, *PAPER} & {name for name, _ in found}:
        raise UsageError(str(folder), "not a release bundle", f"name a folder with {', '.join(BUNDLE)}")
    findings = [finding for name, status in found for finding in _entry(name, status)]
    if foreign.applies(files):
        return files, [finding for finding in findings if finding.rule not in OTHERS]
    missing = sorted(set(BUNDLE) - {name for name, _ in found})
    return files, findings + [Finding(name, None, "missing file", "not in the folder") for name in missing]


def _entry(name: str, status: os.stat_result) -> list[Finding]:
    """What is wrong with one entry, whatever it holds."""
    findings = []
    mode = status.st_mode
    if name not in BUNDLE:
        kind = "hidden file" if name.startswith(".") else "unknown file"
        ours = f"; the paper's name of {PAPER[name]}" if name in PAPER else ""
        findings.append(Finding(name, None, kind, f"no file of a release ({suspicion(name)}{ours})", REMOVE))
    if not stat.S_ISREG(mode):
        kind = "link" if stat.S_ISLNK(mode) else "folder" if stat.S_ISDIR(mode) else "special file"
        findings.append(Finding(name, None, kind, "not a plain file, so not read", "put a plain file in its place"))
    elif status.st_size > LARGEST:
        findings.append(Finding(name, None, "too large", f"{status.st_size} bytes, so not read", REMOVE))
    elif stat.S_IMODE(mode) & ~PLAIN:
        findings.append(Finding(name, None, "mode", f"mode {stat.S_IMODE(mode):04o}", "chmod 644"))
    return findings
