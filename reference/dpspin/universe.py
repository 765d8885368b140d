"""The atom universe: a fixed public list of concepts (paper section 3.2, Assumption 3.5).

Labels are refused when a universe is read, not when a text is judged: a label that equals a word of the controlled
language, hides characters, reads like another label or like an order to the writer would make honest sentences
ambiguous (contract.md section 3).  Labels that begin other labels are allowed, and `families` lists them.
"""

import re
import unicodedata
from bisect import bisect
from dataclasses import dataclass

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError

SCHEMA = "dpspin-universe/1"
LONGEST_LABEL = 300
COMMON_WORDS = frozenset(
    """a about above after all also among an and are as at be because been before below between bin both but by can
    delta denominator does each eight eighteenth eighth eleventh epsilon fall falls fifteenth fifth first five floor
    for four fourteenth fourth from had has have he her high him his how i if in include into is it its less low many
    mass moderate more most my nine nineteenth ninth no noise noisy none normalised normalized not of on one only or
    other our out percent plan public rank ranked ranks released releases same second seven seventeenth seventh she
    similar six sixteenth sixth so some such support ten tenth than that the their them theme themes then there these
    they third thirteenth this those three to twelfth twentieth two was we were what when where which while who will
    with would you your""".split()
)


HIDDEN = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\U000e0100-\U000e01ef]")
"""Letters and marks that leave no trace on the page (Unicode's default ignorables, and the blank of Braille)."""
REFUSED_CATEGORIES = ("Cc", "Cf", "Co", "Cn", "Cs", "Zl", "Zp")
LONGEST_DESCRIPTION = 1000
LAST = "\U0010ffff"  # no character sorts after it, and no label holds it
LOOKALIKES = str.maketrans(
    "АВЕКМНОРСТУХЅІЈаеорсухѕіјһԁԛԝӏ" + "ΑΒΕΖΗΙΚΜΝΟΡΤΥΧαγικνορυ" + "օոսհ" + "‐‑‒–—−‘’‛′“”″⁄∕",
    "ABEKMHOPCTYXSIJaeopcyxsijhdqwl" + "ABEZHIKMNOPTYXayikvopu" + "onuh" + "-" * 6 + "'" * 4 + '"' * 3 + "//",
)
"""Cyrillic, Greek and Armenian letters, dashes, quotes and slashes that look like ASCII (after Unicode TS 39)."""
ALIKE = str.maketrans("I1|0", "lllO")
"""Characters that many typefaces draw alike."""
ORDER = re.compile(
    r"\b(ignore|disregard|forget|override|bypass)\b.{0,40}\b(above|contract|instructions?|previous|prior|prompts?|rules)\b"
    r"|^(please )?(answer|output|print|repeat|reply|respond|reveal|say|state|write)\b.{0,60}"
    r"\b(exactly|following|instead|only|that|this|with)\b"
    r"|\b(system|developer) prompt\b|^(system|developer|assistant|user|human) ?:|\b(act as|pretend to be)\b"
)
"""Orders to whoever writes the text, in folded form.  A list of habits, no defence: labels never reach the grammar."""
MARKUP = re.compile(r"<[A-Za-z/!?|]|\{\{|\}\}|\{%|\$\{|```|://|\]\(")


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
    seen: dict[tuple[int, str], int] = {}
    for number, atom in enumerate(tree["atoms"]):
        where = f"{place}: atoms.{number}"
        _check_atom(atom, where)
        twin = min(seen.setdefault(reading, number) for reading in readings(atom["label"]))
        if twin != number:
            raise UsageError(f"{where}.label", f"{atom['label']!a} reads like atom {twin}", "choose another label")
    labels = tuple(atom["label"] for atom in tree["atoms"])
    return Universe(labels, tuple(atom.get("description") for atom in tree["atoms"]))


def _check_atom(atom: object, where: str) -> None:
    if not (isinstance(atom, dict) and isinstance(atom.get("label"), str) and set(atom) <= {"label", "description"}):
        raise UsageError(where, "not an atom", "write a label and, if wanted, a description")
    description = atom.get("description", "no description")
    if not isinstance(description, str):
        raise UsageError(f"{where}.description", "not a text", "write a text or leave it out")
    if problem := description_problem(description):
        raise UsageError(f"{where}.description", f"it {problem}", "write another one or leave it out")
    if problem := label_problem(atom["label"]):
        raise UsageError(f"{where}.label", f"{atom['label']!a} {problem}", "choose another label")


def label_problem(label: str) -> str | None:
    """Why a label may not stand in a universe, or None."""
    if problem := _text_problem(label, LONGEST_LABEL):
        return problem
    if not any(c.isalnum() for c in label):
        return "holds no letter and no digit"
    if any(_mixes_scripts(word) for word in re.findall(r"\w+", label)):
        return "mixes letters of two scripts that look alike in one word"
    if any(all(map(_is_common, reading.split())) for reading in (fold(label), _latin(label))):
        return "consists of common words or numbers"
    return None


def description_problem(text: str) -> str | None:
    """Why a description may not stand beside a label, or None."""
    return _text_problem(text, LONGEST_DESCRIPTION)


def readings(label: str) -> frozenset[tuple[int, str]]:
    """How a label may be read; two labels that share a reading are confusable.

    Case and blanks are folded; or letters of other scripts are taken for the Latin ones that they look like as well; or
    case is kept, and I, l, 1 and | are one letter, and so are 0 and O.
    """
    shape = unicodedata.normalize("NFKC", label.translate(LOOKALIKES))
    return frozenset(enumerate((fold(label), _latin(label), " ".join(shape.translate(ALIKE).split()))))


def families(universe: Universe) -> dict[int, tuple[int, ...]]:
    """Atoms whose label begins longer ones, and those: a text that names a longer one does not name the shorter."""
    order = sorted((fold(label), atom) for atom, label in enumerate(universe.labels))
    found = {}
    for place, (label, atom) in enumerate(order, 1):
        begun = order[place : bisect(order, (label + LAST, 0))]
        longer = tuple(sorted(other for text, other in begun if not in_word(text[len(label)])))
        if longer:
            found[atom] = longer
    return dict(sorted(found.items()))


def _text_problem(text: str, longest: int) -> str | None:
    if not text.strip() or text != text.strip() or len(text) > longest:
        return f"is blank, has blanks at an end or is longer than {longest} characters"
    if unicodedata.normalize("NFC", text) != text:
        return "is not in normal form C"
    if HIDDEN.search(text) or any(unicodedata.category(c) in REFUSED_CATEGORIES for c in text):
        return "holds a control, invisible, private-use or unassigned character"
    if ORDER.search(_latin(text)):
        return "reads like an instruction to the writer"
    return "holds markup or an address" if MARKUP.search(text) else None


def _latin(text: str) -> str:
    """Folded, with letters that look like Latin ones read as these."""
    return fold(unicodedata.normalize("NFKC", text.translate(LOOKALIKES)))


def _mixes_scripts(word: str) -> bool:
    foreign = any(c.isalpha() and ord(c) in LOOKALIKES for c in word)
    return foreign and any(unicodedata.name(c, "").startswith("LATIN") for c in word)


def in_word(character: str) -> bool:
    """Whether a character continues a word, combining marks included: labels begin and end where none does."""
    return character.isalnum() or character == "_" or unicodedata.category(character).startswith("M")


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
