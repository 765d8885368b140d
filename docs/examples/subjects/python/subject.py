"""A subject of DPSP/1 in one file, by the standard library alone: `dpspin audit --impl 'cmd:python3 subject.py'`.

From the top: the steps of docs/spec.md on integers, noise, one deployment from records to noisy masses, the files of a
bundle, and last the protocol.  Masses are integers that count lattice units, 2^20 of them for one unit of mass.
"""

import hmac
import inspect
import json
import math
import re
import secrets
import sys
import traceback
from array import array
from bisect import bisect_right
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal, getcontext
from fractions import Fraction
from functools import cache
from hashlib import sha256, shake_256
from typing import Any

UNIT = 1 << 20
Tree = dict[str, Any]
Record = dict[str, str]
Draw = Callable[[int], bytes]
"""From a count to so many random bytes."""

# Deterministic steps (docs/spec.md, sections 1, 3 and 4)


def highest(values: Sequence[int], count: int) -> list[int]:
    """Positions of the largest values, largest first; the lower position wins a tie."""
    return sorted(range(len(values)), key=values.__getitem__, reverse=True)[:count]  # stable, also when reversed


def shrink(vector: Sequence[int], bound: int) -> list[int]:
    """The vector scaled to a total of at most `bound`, every entry rounded down."""
    total = sum(vector) or 1
    return [value * bound // total for value in vector]


def contribution(scores: Sequence[int], max_atoms: int, unit: int) -> list[int]:
    """One unit of mass for the highest positive scores, in proportion."""
    kept = set(highest(scores, max_atoms))
    return shrink([max(score, 0) if at in kept else 0 for at, score in enumerate(scores)], unit)


def clip(vector: Sequence[int], bound: int) -> list[int]:
    """Entries that are not negative, with a total of at most `bound`."""
    positive = [max(value, 0) for value in vector]
    return positive if sum(positive) <= bound else shrink(positive, bound)


def add(vectors: Sequence[Sequence[int]], width: int) -> list[int]:
    """Sums by coordinate."""
    return [sum(vector[at] for vector in vectors) for at in range(width)]


def sketch(units: Sequence[Sequence[int]], bound: int, width: int) -> list[int]:
    """Every unit clipped, then the sum."""
    return add([clip(unit, bound) for unit in units], width)


def rounded(numerator: int, denominator: int, scale: int) -> int:
    """scale * numerator / denominator to the nearest integer, a half to the even one."""
    floor, rest = divmod(2 * numerator * scale + denominator, 2 * denominator)
    return floor - 1 if rest == 0 and floor % 2 else floor


def support_bin(mass: int, floor: int, denominator: int, cuts: Sequence[int], scale: int) -> int:
    """0 at or below the noise floor, else 1 and one more for every cut that the support reaches."""
    return 0 if mass <= floor else 1 + sum(cut * denominator <= mass * scale for cut in cuts)


STEPS = {step.__name__: step for step in (highest, shrink, contribution, clip, add, sketch, rounded, support_bin)}


def vector(function: str, given: Tree) -> Any:
    """The output of one conformance vector.  Raises where the step does not take the input."""
    values = {key: whole(given[key]) for key in inspect.signature(STEPS[function]).parameters}
    if values.get("denominator", 1) <= 0 or sorted(values.get("cuts", [])) != values.get("cuts", []):
        raise ValueError("a denominator that is not positive, or cuts that do not ascend")
    if any(len(row) != values["width"] for row in [*values.get("vectors", []), *values.get("units", [])]):
        raise ValueError("vectors of unequal lengths")
    return STEPS[function](**values)


def whole(value: Any) -> Any:
    """An integer, in quotes or not, or lists of them to any depth."""
    if type(value) not in (int, str, list):
        raise TypeError("not an integer")
    return [whole(item) for item in value] if type(value) is list else int(value)


# Noise: P(x) proportional to exp(-|x| / scale), in integers.  The size is geometric, with q = exp(-1 / scale), and the
# sign is random, without a negative zero (Canonne, Kamath and Steinke 2020).  In base 1024 the digits of a geometric
# variable are independent, and digit i is d with probability proportional to q^(1024^i d): a random number finds it in
# a table of cumulative probabilities of 256 bits.  Its first 64 bits are enough, unless they are those of an entry.

BASE, FINE, COARSE = 1024, 256, 64
getcontext().prec = 100


@cache
def tables(scale: Fraction) -> list[tuple[int, list[int], list[int]]]:
    """For each digit its place and P(it is below 1, 2, ... 1024), in 2^-256; and the first 64 bits of these."""
    found, place = [], 1
    while place < 200 * scale:  # a higher digit is 0 but for a chance of exp(-200)
        q = (-Decimal(place * scale.denominator) / scale.numerator).exp()
        fine = [int((1 - q**digit) / (1 - q**BASE) * 2**FINE) for digit in range(1, BASE + 1)]
        found.append((place, fine, [chance >> FINE - COARSE for chance in fine]))
        place *= BASE
    return found


def laplace(scale: Fraction, count: int, draw: Draw = secrets.token_bytes) -> list[int]:
    """Independent draws."""
    sizes = [0] * count
    for place, fine, coarse in tables(scale):
        for at, word in enumerate(array("Q", draw(COARSE // 8 * count))):
            digit = bisect_right(coarse, word)
            if digit and coarse[digit - 1] == word:
                rest = int.from_bytes(draw((FINE - COARSE) // 8), "big")
                digit = bisect_right(fine, (word << FINE - COARSE) + rest)
            sizes[at] += place * digit
    pairs = zip(sizes, draw(count), strict=True)
    return [-size or laplace(scale, 1, draw)[0] if sign & 1 else size for size, sign in pairs]


def seeded(seed: bytes) -> Draw:
    """Bytes that follow from a seed, for audits: whoever holds it subtracts the noise."""
    calls = iter(range(1 << 62))
    return lambda count: shake_256(seed + next(calls).to_bytes(8, "little")).digest(count)


def noise_floor(scale: float, count: int, beta: float) -> int:
    """The least k that no draw exceeds in size with probability 1 - beta; P(|x| > k) = 2 q^(k+1) / (1 + q)."""
    each = -math.expm1(math.log1p(-beta) / count)  # for one draw of `count`
    return max(0, math.ceil(scale * math.log(2 / ((1 + math.exp(-1 / scale)) * each)) - 1))


# One deployment of the laplace mechanism: from records to the exact sketch, and to noisy masses

SEEDED = "NON-PRIVATE: the noise of this plan came from a seed and can be subtracted."
DAMPED = [((count + 1) ** 256).bit_length() - 1 for count in range(65)]
"""log2(1 + count) in 256ths, rounded down."""


def falls(key: str, share: str, unit: str) -> bool:
    """Whether an id falls into a share of ids: the first 128 bits of HMAC-SHA256(key, id) over 2^128 are below it."""
    mac = hmac.digest(key.encode(), unit.encode(errors="surrogatepass"), "sha256")[:16]
    return Fraction(int.from_bytes(mac, "big"), 1 << 128) < Fraction(share)


class Deployment:
    """What `configure` gives."""

    def __init__(self, given: Tree, files: dict[str, str]) -> None:
        if given["mechanism"]["kind"] != "laplace":
            raise ValueError("this sample has the laplace mechanism alone")
        self.given, self.files, self.releases = given, files, 0
        self.atoms = json.loads(files["universe.json"])["atoms"]
        self.weights = json.loads(files["weights.json"])["terms"]
        self.bound, self.epsilon = Fraction(given["mass_bound"]), Fraction(given["mechanism"]["epsilon"])
        self.scale = self.bound / self.epsilon * (1 + (given["adjacency"] == "replacement" and len(self.atoms) > 1))
        self.admitted = min(given["plan"]["size"], len(self.atoms))

    def claim(self) -> Tree:
        """What one release promises."""
        return {
            **{key: self.given[key] for key in ("unit", "adjacency", "mass_bound")},
            **{key: self.given["mechanism"][key] for key in ("epsilon", "delta")},
            "mechanism": "laplace", "scale": exact(self.scale),
            "missing_ids": self.given["user"]["on_missing_user"] if self.given["user"] else "drop",
        }  # fmt: skip

    def unit_of(self, record: Record) -> str | None:
        """The id of a record's unit; None where it has none, is auxiliary or is not selected."""
        corpus, user = self.given["corpus"], self.given["user"]
        unit = name = record.get(corpus["id_field"])
        if user:
            owner, alone = record.get(user["id_field"]), user["on_missing_user"] == "own_unit" and name is not None
            unit = f"user {owner}" if owner else f"record {name}" if alone else None
        if unit is None or falls(corpus["split"]["key"], corpus["split"]["auxiliary_share"], unit):
            return None
        return unit if falls(corpus["selection_key"], corpus["sampling_rate"], unit) else None

    def share(self, record: Record) -> list[int]:
        """phi(x): scores by integer weights of words, then one unit of mass for the highest."""
        text, scores = record.get(self.given["corpus"]["text_field"]) or "", [0] * len(self.atoms)
        for term, count in Counter(re.findall("[a-z]{2,}", text.casefold())).items():
            for atom, weight in self.weights.get(term, ()):
                scores[atom] += DAMPED[min(count, 64)] * weight
        return contribution(scores, self.given["assignment"]["max_atoms"], UNIT)

    def sketch(self, records: Sequence[Record]) -> list[int]:
        """The exact mass of every atom: shares summed by unit, clipped, summed."""
        units: dict[object, list[list[int]]] = {}
        for at, record in enumerate(records):
            unit = self.unit_of(record)
            if unit is not None:
                units.setdefault(unit if self.given["user"] else at, []).append(self.share(record))
        width = len(self.atoms)
        return sketch([add(shares, width) for shares in units.values()], math.floor(self.bound * UNIT), width)

    def noisy(self, masses: Sequence[int], draw: Draw = secrets.token_bytes) -> list[tuple[int, int]]:
        """The highest atoms with their noisy masses, in order."""
        drawn = laplace(self.scale * UNIT, len(masses), draw)
        row = [mass + more for mass, more in zip(masses, drawn, strict=True)]
        return [(atom, row[atom]) for atom in highest(row, self.admitted)]

    def sample(self, records: Sequence[Record], runs: int) -> bytes:
        """Many plans of one corpus: all their atoms as 32-bit integers, then all masses as 64-bit integers."""
        masses, atoms, noisy = self.sketch(records), array("i"), array("q")
        for _ in range(runs):
            for atom, mass in self.noisy(masses):
                atoms.append(atom)
                noisy.append(mass)
        return atoms.tobytes() + noisy.tobytes()

    def release(self, records: Sequence[Record], seed: str | None = None) -> dict[str, Tree]:
        """The five files of a bundle; every draw follows from the seed (hexadecimal) where there is one."""
        if seed is not None and not self.given["corpus"]["synthetic"]:
            raise ValueError("a seed, and records that are not synthetic")
        self.releases += 1
        draw, stamp = (secrets.token_bytes, None) if seed is None else (seeded(bytes.fromhex(seed)), SEEDED)
        plan = plan_of(self, self.noisy(self.sketch(records), draw), stamp)
        seen = [
            *((name, "public", self.files[name]) for name in ("deployment.yaml", "universe.json")),
            ("plan.json", "dp", canonical(plan)), ("summary.txt", "post-processing", summary(plan)),
        ]  # fmt: skip
        files = {name: text for name, _, text in seen} | {"transcript.jsonl": transcript(seen)}
        return {name: {"text": text} for name, text in files.items()}


# The files of a bundle


def canonical(value: Any) -> str:
    """Canonical JSON: sorted keys, no blanks, no escapes where none is needed, one line."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":")) + "\n"


def digest(text: str) -> str:
    """SHA-256 in hexadecimal."""
    return sha256(text.encode()).hexdigest()


def shown(value: Fraction, digits: int) -> str:
    """A number with so many digits after the point."""
    scaled = rounded(value.numerator, value.denominator, 10**digits)
    whole, rest = divmod(abs(scaled), 10**digits)
    return f"{'-' * (scaled < 0)}{whole}" + (f".{rest:0{digits}d}" if digits else "")


def exact(value: Fraction) -> str:
    """A number in full: as a decimal where there is one, else as a fraction."""
    lengths = range(value.denominator.bit_length() + 1)
    return next((shown(value, digits) for digits in lengths if 10**digits % value.denominator == 0), str(value))


def plan_of(deployment: Deployment, admitted: Sequence[tuple[int, int]], stamp: str | None) -> Tree:
    """plan.json (`dpspin schema plan`): the noisy masses of the admitted atoms, and what follows from them."""
    given, atoms, scale = deployment.given, deployment.atoms, float(deployment.scale * UNIT)
    shape, display, bins = given["plan"], given["plan"]["display"], given["plan"]["bins"]
    denominator, cuts = Fraction(shape["public_denominator"]), [Fraction(one["from"]) for one in bins]
    names = ["below noise floor", *(one["name"] for one in bins)]
    floor = noise_floor(scale, len(atoms), float(Fraction(shape["noise_beta"])))
    margin = 2 * floor if shape["margin"] == "rule" else math.ceil(Fraction(shape["margin"]) * UNIT)
    rows = [
        {
            "index": atom, "label": atoms[atom]["label"], "rank": rank, "noisy_mass": exact(Fraction(mass, UNIT)),
            "support": shown(max(mass, 0) / (denominator * UNIT), display["support_digits"]),
            "bin": names[support_bin(mass, floor, denominator * UNIT, cuts[1:], 1)],
        }
        for rank, (atom, mass) in enumerate(admitted, 1)
    ]  # fmt: skip
    body = {
        "schema": "dpspin-plan/1", "universe": [{"index": at} | atom for at, atom in enumerate(atoms)],
        "released": rows, "plan_size": shape["size"], "public_denominator": exact(denominator),
        "bins": [{"name": name, "lower": cut} for name, cut in zip(names, [None, *map(exact, cuts)], strict=True)],
        "noise_floor": exact(Fraction(floor, UNIT)), "margin": exact(Fraction(margin, UNIT)), "stamp": stamp,
        "mechanism": "laplace", "epsilon": given["mechanism"]["epsilon"], "delta": given["mechanism"]["delta"],
        "display": {"mass_dp": display["mass_digits"], "support_dp": display["support_digits"]},
        "public_text": given["decoder"]["public_text"],
    }  # fmt: skip
    return body | {"plan_id": digest(canonical(body))[:16]}


def summary(plan: Tree) -> str:
    """Sentences of docs/contract.md: every released atom in a row, then the public parameters."""
    text = f"{plan['stamp']}\n\n" if plan["stamp"] else ""
    for row in plan["released"]:
        place = f"{row['bin']} bin" if row["bin"] != plan["bins"][0]["name"] else "below the noise floor"
        mass = shown(Fraction(row["noisy_mass"]), plan["display"]["mass_dp"])
        numbers = f"noisy mass {mass}, normalised support {row['support']}, {place}, rank {row['rank']}"
        text += f"- {row['label']}: {numbers}\n"
    return f"{text}\nThe plan was released with epsilon {plan['epsilon'].lower()} and delta {plan['delta'].lower()}.\n"


def transcript(seen: Sequence[tuple[str, str, str]]) -> str:
    """One line for each object that anybody sees (name, role, text), each with the digest of the line before it."""
    lines, previous = "", "0" * 64
    for order, (name, role, text) in enumerate(seen, 1):
        line = canonical({
            "order": order, "name": name, "role": role, "charge": None, "bytes": len(text.encode()),
            "sha256": digest(text), "previous": previous, "text": text if role == "post-processing" else None,
        })  # fmt: skip
        lines, previous = lines + line, digest(line)
    return lines


# The protocol (docs/protocol.md)

OFFERS = ["sample", "seed", "contribution", "unit_key", "sketch", "decoder_input", "spent", "vector"]


class Subject:
    """Answers one request after another."""

    mine: Deployment

    def result(self, asked: Tree) -> Tree:
        """The result of one operation."""
        if asked["op"] == "configure":  # whatever was released before is forgotten
            self.mine = Deployment(asked["deployment"], asked["files"])
        operations = {
            "hello": lambda: {"protocol": "DPSP/1", "name": "python-sample", "offers": OFFERS},
            "configure": lambda: {"claim": self.mine.claim()},
            "release": lambda: {"files": self.mine.release(asked["records"], asked.get("seed"))},
            "sample": lambda: {"rows": asked["runs"], "width": self.mine.admitted, "masses": "<i8"},
            "contribution": lambda: {"values": self.mine.sketch([asked["record"]])},
            "unit_key": lambda: {"key": self.mine.unit_of(asked["record"])},
            "sketch": lambda: {"values": self.mine.sketch(asked["records"])},
            "decoder_input": lambda: {"data": {"text": asked["plan"]}},  # the summary is made of the plan alone
            "spent": lambda: {"epsilon": exact(self.mine.releases * self.mine.epsilon), "delta": "0"},
            "vector": lambda: {"output": vector(asked["function"], asked["input"])},
            "bye": dict,
        }
        return operations[asked["op"]]()


def answer(subject: Subject, asked: Tree) -> None:
    """One line: a result, a reason or a traceback.  The numbers of `sample` follow it."""
    numbers = b""
    try:
        if asked["op"] == "vector" and asked["function"] not in STEPS:
            said = {"skipped": {"reason": "this sample has no such step"}}
        else:
            said = {"result": subject.result(asked)}
            numbers = subject.mine.sample(asked["records"], asked["runs"]) if asked["op"] == "sample" else b""
    except Exception:
        said = {"errored": {"traceback": traceback.format_exc()}}
    sys.stdout.buffer.write(json.dumps({"id": asked["id"], **said}).encode() + b"\n" + numbers)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    talking = Subject()
    for line in sys.stdin.buffer:
        request = json.loads(line)
        answer(talking, request)
        if request["op"] == "bye":
            break
