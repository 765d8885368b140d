"""One deployment of the laplace mechanism: from records to the exact sketch, and from there to plans and bundles."""

import hmac
import json
import re
import secrets
from array import array
from collections import Counter
from fractions import Fraction
from math import floor, lcm
from typing import Any

import kernel
import noise
import plans
from kernel import UNIT

Record = dict[str, str]
SEEDED = "NON-PRIVATE: the noise of this plan came from a seed and can be subtracted."
OBJECTS = (("deployment.yaml", "public"), ("universe.json", "public"), ("plan.json", "dp"),
           ("summary.txt", "post-processing"))  # fmt: skip
MOST_COUNTED = 64
DAMPED = [((count + 1) ** 256).bit_length() - 1 for count in range(MOST_COUNTED + 1)]
"""log2(1 + count) in 256ths, rounded down."""


def falls(key: str, share: str, unit: str) -> bool:
    """Whether an id falls into a share of ids: the first 128 bits of HMAC-SHA256(key, id) over 2^128 are below it."""
    mac = hmac.digest(key.encode(), unit.encode(errors="surrogatepass"), "sha256")[:16]
    return Fraction(int.from_bytes(mac, "big"), 1 << 128) < Fraction(share)


class Deployment:
    """A deployment, its universe and its weights."""

    def __init__(self, given: dict[str, Any], files: dict[str, str]) -> None:
        self.given, self.files = given, files
        self.atoms = json.loads(files["universe.json"])["atoms"]
        self.rows = json.loads(files["weights.json"])["terms"]
        self.bound = floor(Fraction(given["mass_bound"]) * UNIT)
        moves = 2 if given["adjacency"] == "replacement" and len(self.atoms) > 1 else 1
        self.scale = moves * Fraction(given["mass_bound"]) / Fraction(given["mechanism"]["epsilon"])
        self.admitted = min(given["plan"]["size"], len(self.atoms))
        if given["mechanism"]["kind"] != "laplace":
            raise ValueError("this sample has the laplace mechanism alone")
        shape, self.releases = given["plan"], 0
        self.floor = noise.noise_floor(float(self.scale * UNIT), len(self.atoms), float(Fraction(shape["noise_beta"])))
        self.cuts = [Fraction(one["from"]) for one in shape["bins"][1:]]

    def claim(self) -> dict[str, Any]:
        """What one release promises."""
        given = self.given
        return {
            "unit": given["unit"], "adjacency": given["adjacency"], "mass_bound": given["mass_bound"],
            "epsilon": given["mechanism"]["epsilon"], "delta": "0", "mechanism": "laplace",
            "scale": plans.exact(self.scale),
            "missing_ids": given["user"]["on_missing_user"] if given["user"] else "drop",
        }  # fmt: skip

    def spent(self) -> str:
        """Every release costs what is claimed."""
        return plans.exact(self.releases * Fraction(self.given["mechanism"]["epsilon"]))

    def unit_of(self, record: Record) -> str | None:
        """The id of a record's unit; None where it has none, is auxiliary or is not selected."""
        corpus, user = self.given["corpus"], self.given["user"]
        unit = name = record.get(corpus["id_field"])
        if user:
            owner = record.get(user["id_field"])
            own = f"record {name}" if user["on_missing_user"] == "own_unit" and name is not None else None
            unit = f"user {owner}" if owner else own
        if unit is None or falls(corpus["split"]["key"], corpus["split"]["auxiliary_share"], unit):
            return None
        return unit if falls(corpus["selection_key"], corpus["sampling_rate"], unit) else None

    def share(self, record: Record) -> list[int]:
        """phi(x): scores by integer weights of words, then one unit of mass for the highest."""
        text = record.get(self.given["corpus"]["text_field"]) or ""
        scores = [0] * len(self.atoms)
        for term, count in Counter(re.findall("[a-z]{2,}", text.casefold())).items():
            for atom, weight in self.rows.get(term, ()):
                scores[atom] += DAMPED[min(count, MOST_COUNTED)] * weight
        return kernel.contribution(scores, self.given["assignment"]["max_atoms"], UNIT)

    def sketch(self, records: list[Record]) -> list[int]:
        """The exact mass of every atom: shares summed by unit, clipped, summed."""
        units: dict[object, list[list[int]]] = {}
        for at, record in enumerate(records):
            unit = self.unit_of(record)
            if unit is not None:
                units.setdefault(unit if self.given["user"] else at, []).append(self.share(record))
        width = len(self.atoms)
        return kernel.sketch([kernel.add(shares, width) for shares in units.values()], self.bound, width)

    def noisy(self, masses: list[int], runs: int, bits: noise.Bits = secrets.randbits) -> list[list[int]]:
        """The masses with noise, so many times."""
        drawn, width = noise.laplace(self.scale * UNIT, runs * len(masses), bits), len(masses)
        return [
            [mass + more for mass, more in zip(masses, drawn[run * width : (run + 1) * width], strict=True)]
            for run in range(runs)
        ]

    def release(self, records: list[Record], seed: str | None = None) -> dict[str, dict[str, str]]:
        """The five files of a bundle; every draw follows from the seed (hexadecimal) where there is one."""
        if seed is not None and not self.given["corpus"]["synthetic"]:
            raise ValueError("a seed, and records that are not synthetic")
        self.releases += 1
        bits = secrets.randbits if seed is None else noise.seeded(bytes.fromhex(seed))
        masses = self.noisy(self.sketch(records), 1, bits)[0]
        chosen = [(atom, masses[atom]) for atom in kernel.highest(masses, self.admitted)]
        plan = self.plan(chosen, SEEDED if seed is not None else None)
        texts = [self.files["deployment.yaml"], self.files["universe.json"], plans.dumps(plan), plans.summary(plan)]
        seen = [(*named, text) for named, text in zip(OBJECTS, texts, strict=True)]
        files = {name: text for name, _, text in seen} | {"transcript.jsonl": plans.transcript(seen)}
        return {name: {"text": text} for name, text in files.items()}

    def plan(self, chosen: list[tuple[int, int]], stamp: str | None) -> dict[str, Any]:
        """plan.json of atoms and noisy masses, in order."""
        shape, mechanism, display = self.given["plan"], self.given["mechanism"], self.given["plan"]["display"]
        scale, denominator = lcm(*(cut.denominator for cut in self.cuts)), Fraction(shape["public_denominator"])
        margin = 2 * self.floor if shape["margin"] == "rule" else -floor(-Fraction(shape["margin"]) * UNIT)
        lowers = [None, "0", *map(plans.exact, self.cuts)]
        names = ["below noise floor", *(one["name"] for one in shape["bins"])]
        public = {
            "schema": "dpspin-plan/1", "universe": [{"index": at} | atom for at, atom in enumerate(self.atoms)],
            "public_denominator": plans.exact(denominator), "plan_size": shape["size"],
            "bins": [{"name": name, "lower": lower} for name, lower in zip(names, lowers, strict=True)],
            "noise_floor": plans.exact(Fraction(self.floor, UNIT)), "margin": plans.exact(Fraction(margin, UNIT)),
            "mechanism": "laplace", "epsilon": mechanism["epsilon"], "delta": mechanism["delta"],
            "display": {"mass_dp": display["mass_digits"], "support_dp": display["support_digits"]},
            "public_text": self.given["decoder"]["public_text"], "stamp": stamp,
        }  # fmt: skip
        cuts = [int(cut * scale) for cut in self.cuts]
        terms = {"floor": self.floor, "denominator": int(denominator * UNIT), "cuts": cuts, "scale": scale}
        return plans.plan_file(terms, chosen, public)

    def sample(self, records: list[Record], runs: int) -> bytes:
        """Many plans of one corpus: atoms, then masses as doubles in units of mass, which are exact."""
        exact, atoms, masses = self.sketch(records), array("i"), array("d")
        for start in range(0, runs, BLOCK):
            for row in self.noisy(exact, min(BLOCK, runs - start)):
                order = sorted(range(len(row)), key=row.__getitem__, reverse=True)  # stable: ties as due
                atoms.extend(order[: self.admitted])
                masses.extend(row[atom] / UNIT for atom in order[: self.admitted])
        return atoms.tobytes() + masses.tobytes()


BLOCK = 5000
"""Runs whose noise is drawn at once."""
