"""A folder of judgements, open to its owner alone: what was asked and answered is kept and is not asked again."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dpspin import canonical
from dpspin.errors import UsageError
from dpspin_audits import files

FOLDER_MODE, FILE_MODE = 0o700, 0o600
ANSWERS = "answers"
RESULTS = ("judge.csv", "judge.html", "judge.json")


class Store:
    """The folder of one evaluation."""

    def __init__(self, out: Path) -> None:
        """Make the folder, or take up one that an earlier call made.

        Raises:
            UsageError: when it cannot be written, or holds something that no evaluation wrote.
        """
        self._out = out
        try:
            out.mkdir(mode=FOLDER_MODE, parents=True, exist_ok=True)
            foreign = sorted(path.name for path in out.iterdir() if not _ours(path.name))
            if foreign:
                raise UsageError(str(out), f"holds {foreign[0]!r}, which no evaluation wrote", "name another folder")
            out.chmod(FOLDER_MODE)
            (out / ANSWERS).mkdir(mode=FOLDER_MODE, exist_ok=True)
        except OSError as error:
            raise UsageError(str(out), f"cannot be written ({error.strerror})", "name another folder") from error

    def kept(self, key: str) -> Any | None:
        """What is stored of a question; None where nothing whole is."""
        path = self._out / ANSWERS / f"{key}.json"
        try:
            return canonical.loads(path.read_bytes(), str(path))
        except (OSError, UsageError):  # not there, or cut short: it is asked anew
            return None

    def keep(self, key: str, tree: Mapping[str, Any]) -> None:
        """Store a question and its answers.

        Raises:
            UsageError: when the disk does not take it.
        """
        self.write(f"{ANSWERS}/{key}.json", canonical.dumps(tree))

    def write(self, name: str, data: bytes) -> None:
        """Write one file for the owner alone, whole or not at all.

        Raises:
            UsageError: when the disk does not take it.
        """
        files.write(self._out / name, data, FILE_MODE)


def _ours(name: str) -> bool:
    return name in {*RESULTS, ANSWERS} or (name.startswith(".judge.") and name.endswith(".tmp"))
