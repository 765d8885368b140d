"""Step 7: the plan, which is the released masses and nothing else that does not follow from them."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any

from dpspin import canonical, plan
from dpspin.adjacency import MASS_UNIT
from dpspin.errors import DpspinError, UsageError
from dpspin.pipeline import Setting
from dpspin.settings import Exact
from dpspin_audits.verify.finding import Finding, brief, first_difference, line_at, suspicion

NAME = "plan.json"
STAMPS = (None, plan.SEEDED, plan.INJECTED)
Step = tuple[str, Any, Any]
ABSENT = object()


def derived(files: Mapping[str, bytes], setting: Setting) -> tuple[plan.SemanticPlan | None, list[Finding]]:
    """The plan that follows from the masses of plan.json and from the deployment, and where plan.json is another."""
    if NAME not in files:
        return None, []
    try:
        tree: Any = canonical.loads(files[NAME], NAME)
        masses = _masses(tree)
        stamp = tree.get("stamp")
        problem = _problem(masses, stamp, setting)
    except DpspinError as error:
        return None, [Finding(NAME, 1, "plan", brief(str(error)))]
    if problem:
        return None, [Finding(NAME, 1, *problem)]
    pairs = [(atom, int(mass * MASS_UNIT)) for atom, mass in masses.items()]
    built = plan.build(pairs, setting.terms(stamp))
    return built, list(_differences(files[NAME], tree, plan.encode(built)))


def _masses(tree: Any) -> dict[int, Exact]:
    """Atom -> noisy mass, in numbers of bounded length, whatever else stands there."""
    try:
        masses = {row["index"]: Exact(row["noisy_mass"]) for row in tree["released"]}
    except (KeyError, TypeError, ValueError):
        masses = {"": Exact("0")}
    if not isinstance(tree, dict) or not all(type(index) is int for index in masses):
        raise UsageError(NAME, "holds no released masses", "write `released` as a plan does")
    return masses


def _problem(masses: Mapping[int, Fraction], stamp: object, setting: Setting) -> tuple[str, str] | None:
    """Why no plan of this deployment has these masses, if so: rule and what stands there."""
    size = min(len(setting.universe), setting.deployment.plan.size)
    off = next((atom for atom, mass in masses.items() if (mass * MASS_UNIT).denominator > 1), None)
    if stamp not in STAMPS:
        return "stamp", f"{brief(stamp)} is not one of the known stamps"
    if not all(0 <= atom < len(setting.universe) for atom in masses):
        return "plan", "released: an atom outside the universe"
    if len(masses) != size:
        return "plan", f"released: {len(masses)} atoms, where the deployment admits {size}"
    if off is not None:
        return "plan", f"released: the mass of atom {off} is not on the lattice"
    return None


def _differences(data: bytes, tree: Any, expected: bytes) -> Iterator[Finding]:
    steps = list(_walk(tree, canonical.loads(expected, NAME), ""))
    for path, found, follows in steps:
        if path == "plan_id" and len(steps) > 1:
            continue  # it follows from the others, and so does its being wrong
        yield Finding(NAME, _line(data, path), *_words(path, found, follows))
    if not steps and data != expected:
        at = first_difference(data, expected)
        yield Finding(NAME, line_at(data, at), "not canonical", "blanks, an order of keys or digits could carry more")


def _walk(found: Any, expected: Any, path: str) -> Iterator[Step]:
    """Where two trees differ: path, what is found, what follows."""
    if isinstance(found, dict) and isinstance(expected, dict):
        pairs = [(key, found.get(key, ABSENT), expected.get(key, ABSENT)) for key in sorted(found | expected)]
    elif isinstance(found, list) and isinstance(expected, list) and len(found) == len(expected):
        pairs = [(str(at), *both) for at, both in enumerate(zip(found, expected, strict=True))]
    else:
        if type(found) is not type(expected) or found != expected:
            yield path, found, expected
        return
    for key, left, right in pairs:
        yield from _walk(left, right, f"{path}.{key}" if path else key)


def _words(path: str, found: object, follows: object) -> tuple[str, str]:
    """Rule and what stands there."""
    name = path.rpartition(".")[2]
    if follows is ABSENT:
        return suspicion(name), f"{brief(path)}, a field that no plan has"
    if found is ABSENT:
        return "missing field", path
    rule = "does not follow" if path.startswith(("released.", "plan_id")) else "not as declared"
    return rule, f"{path}: {brief(found)}, where {brief(follows)} follows"


def _line(data: bytes, path: str) -> int:
    """Plans stand on one line; in others, the first line that has the last key."""
    key = path.rpartition(".")[2].encode()
    return line_at(data, max(data.find(b'"' + key + b'"'), 0))
