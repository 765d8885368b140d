"""The atom universe: a fixed public list of concepts (paper section 3.2, Assumption 3.5).

Labels are refused when a universe is read, not when a text is judged: a label that equals a word of the controlled
language, hides characters or reads like another label would make honest sentences ambiguous (contract.md section 3).
"""

import re
import unicodedata
from dataclasses import dataclass

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError

SCHEMA = "dpspin-universe/1"
LONGEST_LABEL = 300
COMMON_WORDS = frozenset(
    """a about above after all also among an and are as at be because been before below between both bin but by can
    delta denominator does each eighth epsilon fall falls fifth first floor for fourth from had has have high he her him
    his how i if in include into is it its less low many mass moderate more most my ninth no noise noisy normalised not
    of on only or other our out plan public rank ranked ranks released releases same second seventh she similar sixth so
    some such support tenth than that the their them theme themes then there these they third this those to was we were
    what when where which while who will with would you your""".split()
)


HIDDEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters and marks that leave no trace on the page (Unicode's default ignorables, and the blank of Braille)."""
REFUSED_CATEGORIES = ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp")


@dataclass(frozen=True, slots=True)
class Universe:
    """Labels and optional descriptions, in order; an atom is known by its position."""

    labels: tuple[str, ...]
    descriptions: tuple[str | None, ...]

    def __len__(self) -> int:
        return len(self.labels)


def fold(text: str) -> str:
    """Case and blanks folded; two labels that fold alike are one label."""
    return " ".join(text.casefold().split())


def encode(universe: Universe) -> bytes:
    """Canonical bytes of a universe file."""
    atoms = [
        {"label": label} if text is None else {"label": label, "description": text}
        for label, text in zip(universe.labels, universe.descriptions, strict=True)
    ]
    return canonical.dumps({"schema": SCHEMA, "atoms": atoms})


def decode(data: bytes, place: str) -> Universe:
    """Read a universe file.

    Raises:
        UsageError: naming the atom, when the layout or a label cannot be used.
    """
    tree = canonical.loads(data, place)
    if not isinstance(tree, dict) or set(tree) != {"schema", "atoms"} or tree["schema"] != SCHEMA:
        raise UsageError(place, "not a universe file", f'write {{"schema": "{SCHEMA}", "atoms": [...]}}')
    if not isinstance(tree["atoms"], list) or not tree["atoms"]:
        raise UsageError(f"{place}: atoms", "not a list of atoms", "list at least one atom")
    seen: dict[str, int] = {}
    for number, atom in enumerate(tree["atoms"]):
        where = f"{place}: atoms.{number}"
        if not (
            isinstance(atom, dict) and isinstance(atom.get("label"), str) and set(atom) <= {"label", "description"}
        ):
            raise UsageError(where, "not an atom", "write a label and, if wanted, a description")
        if not isinstance(atom.get("description", ""), str):
            raise UsageError(f"{where}.description", "not a text", "write a text or leave it out")
        problem = label_problem(atom["label"])
        if problem:
            raise UsageError(f"{where}.label", f"{atom['label']!a} {problem}", "choose another label")
        twin = seen.setdefault(fold(atom["label"]), number)
        if twin != number:
            raise UsageError(f"{where}.label", f"{atom['label']!a} reads like atom {twin}", "choose another label")
    labels = tuple(atom["label"] for atom in tree["atoms"])
    return Universe(labels, tuple(atom.get("description") for atom in tree["atoms"]))


def label_problem(label: str) -> str | None:
    """Why a label may not stand in a universe, or None."""
    if not label.strip() or label != label.strip() or len(label) > LONGEST_LABEL:
        return f"is blank, has blanks at an end or is longer than {LONGEST_LABEL} characters"
    if unicodedata.normalize("NFC", label) != label:
        return "is not in normal form C"
    if HIDDEN.search(label) or any(unicodedata.category(c) in REFUSED_CATEGORIES for c in label):
        return "holds a control, invisible, private-use or unassigned character"
    if not any(c.isalnum() for c in label):
        return "holds no letter and no digit"
    if all(_is_common(word) for word in fold(label).split()):
        return "consists of common words or numbers"
    return None


def _is_common(word: str) -> bool:
    """Whether a word, punctuation aside, is one that honest sentences need, or a number."""
    kept = "".join(c for c in word if c.isalnum())
    return kept in COMMON_WORDS or not any(c.isalpha() for c in kept)


def check_digest(data: bytes, sha256: str, place: str) -> bytes:
    """The data, if their digest is the declared one.

    Raises:
        IntegrityError: otherwise.
    """
    found = canonical.digest(data)
    if found != sha256:
        raise IntegrityError(place, f"sha256 {sha256}", found, "restore the declared file or declare the new digest")
    return data
