"""Fault: records are written to a scratch file in the working folder, and the file stays.

Stands for: spills of a data frame, core dumps, a cache folder beside the program.
Caught by: conduct.
Needs: new processes.
"""

from pathlib import Path

from dpspin_audits.subject import Records
from dpspin_audits.zoo.steps import Steps


class ScratchLeft(Steps):
    """Its folder of results is as it should be."""

    def sketch(self, records: Records) -> list[int]:
        """The exact sketch, after a copy to disk."""
        Path("scratch.txt").write_bytes(repr(list(records)).encode(errors="backslashreplace"))
        return super().sketch(records)


subject = ScratchLeft
