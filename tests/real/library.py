"""A library in an environment of its own, asked through `libraries/worker.py`."""

import json
import subprocess
import tempfile
from pathlib import Path

import numpy as np
import pytest

HERE = Path(__file__).parent
BUILT = HERE.parents[1] / "build" / "real"


class Library:
    """One process; it ends with `close`."""

    def __init__(self, name):
        self.name = name
        python = BUILT / name / "bin" / "python"
        if not (BUILT / name / ".installed").is_file():
            pytest.skip(f"{name} could not be installed here (tests/real/requirements-{name}.txt)")
        self._folder = tempfile.TemporaryDirectory()
        self._errors = (Path(self._folder.name) / "errors").open("w+")
        command = [str(python), str(HERE / "libraries" / f"on_{name.replace('-', '_')}.py")]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._errors, text=True
        )

    def ask(self, function, **given):
        """What one of its functions returns: an array, or a number."""
        out = Path(self._folder.name) / "drawn.npy"
        print(json.dumps({"function": function, "given": given, "out": str(out)}), file=self._process.stdin, flush=True)
        line = self._process.stdout.readline()
        if not line:
            self._errors.seek(0)
            raise RuntimeError(f"{self.name} ended: {self._errors.read()[-2000:]}")
        answer = json.loads(line)
        if "error" in answer:
            raise RuntimeError(answer["error"])
        return np.load(out) if "saved" in answer else answer["value"]

    def close(self):
        """End the process and remove its files."""
        self._process.stdin.close()
        self._process.wait(timeout=20)
        self._process.stdout.close()
        self._errors.close()
        self._folder.cleanup()
