"""hygiene: whether the release folder holds anything that no charge covers (`dpspin_audits.uncovered`).

What is not on the closed list must not be there, however harmless it looks; files of a folder must be plain.
"""

import stat
from collections.abc import Iterable, Mapping
from itertools import chain

from dpspin.pipeline import Setting
from dpspin_audits import digits
from dpspin_audits.bundle import plan_tree
from dpspin_audits.checks.check import Check, Location
from dpspin_audits.uncovered import Finding, computed_again, findings
from dpspin_audits.verify import foreign

ID = "hygiene"
MODE = "not a plain file that nobody may execute and only its owner's group may change"
UNUSUAL = 0o7113
"""Bits of a mode: set user, set group, sticky, execution, and writing by everybody."""
REMEDY = "keep it out of the release folder; curator files go elsewhere"
ELSEWHERE = "release the files that docs/third-party.md lists; `dpspin verify` accounts for a bundle of another layout"


def check(bundles: Iterable[Mapping[str, bytes]], setting: Setting, modes: Mapping[str, int] | None = None) -> Check:
    """The verdict on several bundles of one deployment.

    Args:
        bundles: names and bytes of files.
        setting: the deployment.
        modes: modes of the files of a folder (stat(2)), where a bundle was read from one.
    """
    looked = list(bundles)
    strange = (Finding(name, MODE) for name, mode in sorted((modes or {}).items()) if not _is_plain(mode))
    all_found = chain(strange, (finding for bundle in looked for finding in findings(bundle, setting)))
    found = next(all_found, None)
    again = sum(computed_again(bundle, setting) for bundle in looked)
    figures = {"bundles": len(looked), "files": sum(map(len, looked)), "computed_again": again}
    if found is not None:
        remedy = ELSEWHERE if any(map(foreign.applies, looked)) else REMEDY
        return Check(
            ID, "fail", "exact_on_hit", "The release folder holds something that no charge covers.", figures,
            f"{found.file!a}: {found.what}", remedy, Location(found.file, found.line),
        )  # fmt: skip
    floats = sum(map(_has_floats, looked))
    have = "1 plan has" if floats == 1 else f"{floats} plans have"
    noted = f" {have} float masses on no declared lattice; `distribution.bits` measures what these betray."
    what = f"Every file and field is public, charged or computed from those.{noted if floats else ''}"
    return Check(ID, "pass", "exact_on_hit", what, figures | ({"float_plans": floats} if floats else {}))


def _has_floats(bundle: Mapping[str, bytes]) -> bool:
    """Whether masses have digits that one plan cannot account for; what they betray is measured in many."""
    tree = plan_tree(bundle)
    return tree is not None and digits.problem(digits.masses(tree), ()) is not None


def _is_plain(mode: int) -> bool:
    """A regular file that nobody may execute, with no special bits, and that not everybody may write."""
    return stat.S_ISREG(mode) and not stat.S_IMODE(mode) & UNUSUAL
