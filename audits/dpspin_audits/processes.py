"""Releases from new processes: a generator that starts from the same state in each is found by nothing else."""

from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

from dpspin.errors import SubjectError
from dpspin.pipeline import Setting
from dpspin_audits.checks.canary import release
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.subject import Records, resolve


class Elsewhere:
    """Releases a corpus twice, each time in a new interpreter that resolves the subject's address anew."""

    def __init__(self, spec: str, setting: Setting) -> None:
        self._spec, self._setting = spec, setting

    def __call__(self, records: Records) -> tuple[Mapping[str, bytes], Mapping[str, bytes]]:
        """Two bundles.

        Raises:
            SubjectError: when a process dies or the release raises.
        """
        return self._once(records), self._once(records)

    def _once(self, records: Records) -> Mapping[str, bytes]:
        with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as pool:
            try:
                return pool.submit(released, self._spec, self._setting, records).result()
            except SubjectError:
                raise
            except Exception as error:
                raise SubjectError("the subject", f"a new process ended with {type(error).__name__}") from error


def released(spec: str, setting: Setting, records: Records) -> Mapping[str, bytes]:
    """One release of the subject at an address; runs in the new process."""
    return release(resolve(spec, setting, ReferenceSubject), records)
