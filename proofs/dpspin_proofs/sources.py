"""What Coq sources may not say, the order in which they are compiled, and what in them nobody uses."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from graphlib import CycleError, TopologicalSorter

from dpspin.errors import UsageError
from dpspin_proofs.coq import Finding

FORBIDDEN = re.compile(
    r"\b(Admitted|admit|give_up|Axioms?|Parameters?|Conjectures?|Declare|Unset|Load|Redirect|bypass_check|Primitive)\b"
    r"|\b(Set (?:Universe Polymorphism|Typing Flags)|Type-in-type|type_in_type|Add LoadPath|Add ML Path|Obligations)\b"
    r"|\b(Symbols?|Rewrite Rules?)\b"
)
ASSUMED = re.compile(r"^\s*(?:Local |Global |#\[[^]]*\]\s*)*(Variables?|Hypothes[ie]s|Context)\b")
SECTION, END = re.compile(r"^\s*(Section|Module(?: Type)?)\s+(\w+)"), re.compile(r"^\s*End\s+(\w+)\s*\.")
LATER = {
    "8.14": {"Omega"},
    "8.19": {"Div2", "Even", "Gt", "Le", "Lt", "Max", "Min", "Minus", "Mult", "NPeano", "Plus"},
    "8.20": {"Ndigits", "Ndist", "ByteVector"},
}
"""Library files that a version of Coq has removed, according to its list of changes; a source may not require them.
Names that 8.16 already calls deprecated are found by compiling with those warnings as errors."""
STATED = re.compile(
    r"^\s*(?:Local |Global )?(Theorem|Corollary|Lemma|Fact|Remark|Proposition|Definition|Fixpoint|Notation)\s+\"?(\w+)",
    re.MULTILINE,
)


def forbidden(theories: Mapping[str, str]) -> Iterator[Finding]:
    """Words that let Coq accept what was not proved, or read what is not a source; comments are left out."""
    for name, text in theories.items():
        inside: list[str] = []
        for number, line in enumerate(without_comments(text).splitlines(), 1):
            inside += [match.group(2) for match in [SECTION.match(line)] if match and match.group(1) == "Section"]
            ended = END.match(line)
            if ended and inside and inside[-1] == ended.group(1):
                inside.pop()
            assumed = ASSUMED.match(line)
            for match in FORBIDDEN.finditer(line):
                yield Finding(f"{name}.v: line {number}", f"the word {match.group()} may not stand in a source")
            if assumed and not inside:
                what = f"{assumed.group(1)} outside a section is an axiom"
                yield Finding(f"{name}.v: line {number}", what)


def order(theories: Mapping[str, str]) -> list[str]:
    """Names of the sources, each after those that it requires.

    Raises:
        UsageError: a source requires one that is not there, or itself.
    """
    needs = {
        name: [each for line in re.findall(r"^From DPSPIN Require Import (.*)\.$", text, re.M) for each in line.split()]
        for name, text in sorted(theories.items())
    }
    for name, wanted in needs.items():
        if missing := sorted(set(wanted) - set(theories)):
            raise UsageError(f"{name}.v", f"requires {missing[0]}, which is not there", "add the source")
    try:
        return list(TopologicalSorter(needs).static_order())
    except CycleError as error:
        raise UsageError(f"{error.args[1][0]}.v", "requires itself", "break the cycle") from error


def gone(theories: Mapping[str, str]) -> Iterator[Finding]:
    """Required files of Coq's library that a later version does not have."""
    for name, text in theories.items():
        for number, line in enumerate(without_comments(text).splitlines(), 1):
            required = line.partition(" Require ")[2] if line.startswith("From Coq ") else ""
            for file in required.rstrip(".").split():
                for version in (version for version, files in LATER.items() if file.split(".")[-1] in files):
                    yield Finding(f"{name}.v: line {number}", f"Coq {version} has no {file}")


def unused(theories: Mapping[str, str], cited: frozenset[str]) -> list[str]:
    """Lemmas, definitions and theorems that no source mentions besides their own and that nobody cites."""
    plain = {name: without_comments(text) for name, text in theories.items()}
    mentions = Counter(re.findall(r"[\w']+", "\n".join(plain.values())))
    stated = {name: file for file, text in plain.items() for _, name in STATED.findall(text)}
    return sorted(f"{file}.{name}" for name, file in stated.items() if mentions[name] < 2 and name not in cited)


def without_comments(text: str) -> str:
    """The text with comments blanked, nested ones included, line by line as it was."""
    kept, depth = [], 0
    for piece in re.split(r"(\(\*|\*\)|\n)", text):
        depth += (piece == "(*") - (piece == "*)")
        kept.append(piece if piece == "\n" or (depth == 0 and piece != "*)") else "")
    return "".join(kept)
