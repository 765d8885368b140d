"""Values of DPSP/1 answers, each checked where it is read: claims, numbers, bytes, files, samples."""

from base64 import b64decode
from binascii import Error as NotBase64
from collections.abc import Callable, Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple, cast, get_args

import numpy as np
import numpy.typing as npt
from pydantic import BaseModel

from dpspin.adjacency import Adjacency, Unit
from dpspin.errors import SubjectError
from dpspin.settings import Exact
from dpspin_audits.subject import Claim, Values

MOST_VALUES = 1 << 27
"""Numbers of one hand-over: 1 GiB of masses."""
LONGEST_NAME = 60
"""Characters of a file's name, at most."""
ATOMS, MASSES = "<i4", ("<f8", "<i8")
"""Types of the numbers of a hand-over, little-endian."""


SIZES: Mapping[str, tuple[Callable[[Fraction], bool], str]] = {
    "epsilon": (lambda size: size >= 0, "a number that is not negative"),
    "delta": (lambda size: 0 <= size <= 1, "a number from 0 to 1"),
    **dict.fromkeys(("mass_bound", "scale", "exponent"), (lambda size: size > 0, "a number above zero")),
}
"""What numbers of a claim may be."""


class Plans(NamedTuple):
    """Released plans, as `Batched.sample` returns them."""

    atoms: npt.NDArray[Any]
    masses: npt.NDArray[Any]


def as_written(value: Any) -> Any:
    """A deployment as JSON, exact numbers spelt as in its file: plans repeat that spelling."""
    if isinstance(value, BaseModel):
        fields = type(value).model_fields
        return {fields[name].alias or name: as_written(item) for name, item in value}
    if isinstance(value, Mapping):
        return {key: as_written(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [as_written(item) for item in value]
    if isinstance(value, Exact):
        return value.text
    return value if value is None or isinstance(value, str | bool | int) else str(value)


def broken(op: str, what: str) -> SubjectError:
    """An answer that is not what the operation asks for."""
    return SubjectError("the subject", f"answered {op} with {what}")


def claim_of(tree: Any) -> Claim:
    """A claim from its JSON: the fields of `subject.Claim`, numbers as texts.

    Raises:
        SubjectError: naming what is wrong.
    """
    if not isinstance(tree, dict):
        raise broken("configure", "no claim")
    for name, allowed in (("unit", get_args(Unit)), ("adjacency", get_args(Adjacency))):
        if tree.get(name) not in allowed:
            raise broken("configure", f"a claim whose {name} is none of {', '.join(allowed)}")
    if tree.get("values") not in (None, *get_args(Values)):
        raise broken("configure", "a claim whose values are neither laplace nor gaussian")
    for field, (is_allowed, what) in SIZES.items():
        if tree.get(field) is not None and not is_allowed(number("configure", tree[field])):
            raise broken("configure", f"a claim whose {field} is {str(tree[field])[:40]!a}; write {what}")
    fields = tree.get("public_fields") or []
    if not isinstance(fields, list):
        raise broken("configure", "public_fields that are no list")
    return Claim(
        unit=cast("Unit", tree["unit"]),
        adjacency=cast("Adjacency", tree["adjacency"]),
        mass_bound=number("configure", tree.get("mass_bound")),
        epsilon=number("configure", tree.get("epsilon")),
        delta=number("configure", tree.get("delta")),
        mechanism=_maybe_text(tree, "mechanism"),
        scale=_maybe_number(tree, "scale"),
        exponent=_maybe_number(tree, "exponent"),
        values=cast("Values | None", tree.get("values")),
        missing_ids=_maybe_text(tree, "missing_ids") or "drop",
        public_fields=tuple(map(str, fields)),
    )


def _maybe_text(tree: Mapping[str, Any], key: str) -> str | None:
    found = tree.get(key)
    if found is not None and not isinstance(found, str):
        raise broken("configure", f"a {key} that is no text")
    return found


def _maybe_number(tree: Mapping[str, Any], key: str) -> Fraction | None:
    return None if tree.get(key) is None else number("configure", tree[key])


def number(op: str, value: Any) -> Fraction:
    """An exact number: a whole one, or a decimal or fraction in quotes."""
    try:
        return Fraction(Exact(str(value)))
    except ValueError:
        raise broken(op, f"{str(value)[:40]!a} for a number") from None


def integers(op: str, answer: Mapping[str, Any]) -> list[int]:
    """The field `values`: integers in lattice units; those of 2^53 or more may stand in quotes."""
    found = answer.get("values")
    if not isinstance(found, list):
        raise broken(op, "values that are no list")
    exact = [number(op, value) for value in found]
    if any(value.denominator != 1 for value in exact):
        raise broken(op, "a value that is no integer")
    return [int(value) for value in exact]


def count(op: str, answer: Mapping[str, Any], key: str) -> int:
    """A whole number that is not negative."""
    found = answer.get(key)
    if type(found) is not int or found < 0:
        raise broken(op, f"{key} that is no count")
    return found


def data(op: str, value: Any, place: str = "") -> bytes:
    """Bytes as `{"text": ...}` or `{"base64": ...}`; `place` says of what, for messages."""
    text, packed = (value.get(key) for key in ("text", "base64")) if isinstance(value, dict) else (None, None)
    if isinstance(text, str):
        return text.encode(errors="surrogatepass")
    try:
        return b64decode(packed or "?", validate=True)
    except (NotBase64, TypeError, ValueError):
        raise broken(op, f'neither text nor base64{place}; write {{"text": ...}} or {{"base64": ...}}') from None


def files(op: str, answer: Mapping[str, Any]) -> dict[str, bytes]:
    """The field `files`: names and bytes."""
    found = answer.get("files")
    if not isinstance(found, dict):
        raise broken(op, 'no files; write {"files": {"plan.json": {"text": ...}, ...}}')
    for name in found:
        if name in {"", ".", ".."} or len(name) > LONGEST_NAME or not name.isprintable() or "/" in name:
            raise broken(op, f"{name[:LONGEST_NAME]!a} for the name of a file")
    return {name: data(op, value, f" for {name}") for name, value in found.items()}


def handed_over(answer: Mapping[str, Any], folder: Path) -> Plans | None:
    """Samples that stand as two .npy files in the folder of the hand-over; the files are removed.

    Returns:
        None where the answer names no files: the numbers then follow on the wire.
    """
    names = answer.get("npy")
    if names is None:
        return None
    if not isinstance(names, dict) or set(names) != {"atoms", "masses"}:
        raise broken("sample", "an npy that does not name atoms and masses")
    return Plans(*(_array(folder, names[key]) for key in ("atoms", "masses")))


def _array(folder: Path, name: Any) -> npt.NDArray[Any]:
    if not isinstance(name, str) or Path(name).name != name:
        raise broken("sample", "a file name with a path")
    place = folder / name
    try:
        if place.is_symlink() or place.stat().st_size > 8 * MOST_VALUES + 4096:
            raise broken("sample", "a file that is too large or a link")
        return cast("npt.NDArray[Any]", np.load(place, allow_pickle=False))
    except (OSError, ValueError) as error:
        raise broken("sample", f"a file that cannot be read ({type(error).__name__})") from None
    finally:
        place.unlink(missing_ok=True)
