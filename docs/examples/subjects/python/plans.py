"""What is written: canonical JSON, a plan file (dpspin-plan/1), a summary in the controlled language, a transcript."""

import json
from collections.abc import Sequence
from fractions import Fraction
from hashlib import sha256
from typing import Any

import kernel

Tree = dict[str, Any]


def dumps(value: Any) -> str:
    """Canonical JSON: sorted keys, no blanks, one line."""
    return json.dumps(value, sort_keys=True, ensure_ascii=False, separators=(",", ":"), allow_nan=False) + "\n"


def digest(text: str) -> str:
    """SHA-256 in hexadecimal."""
    return sha256(text.encode()).hexdigest()


def exact(value: Fraction) -> str:
    """A number in full: as a decimal where there is one, else as a fraction."""
    for digits in range(value.denominator.bit_length() + 1):
        if 10**digits % value.denominator == 0:
            return shown(value.numerator, value.denominator, digits).replace(",", "")
    return str(value)


def shown(numerator: int, denominator: int, digits: int) -> str:
    """A number with so many digits after the point, thousands grouped."""
    scaled = kernel.rounded(numerator, denominator, 10**digits)
    whole, rest = divmod(abs(scaled), 10**digits)
    return f"{'-' * (scaled < 0)}{whole:,}" + (f".{rest:0{digits}d}" if digits else "")


def plan_file(terms: Tree, admitted: Sequence[tuple[int, int]], public: Tree) -> Tree:
    """The tree of plan.json.

    Args:
        terms: floor, denominator, cuts and scale, as the kernel takes them.
        admitted: atom and noisy mass, in order.
        public: every field that does not follow from the masses.
    """
    rows = [
        {
            "index": atom, "label": public["universe"][atom]["label"], "rank": rank,
            "noisy_mass": exact(Fraction(mass, kernel.UNIT)),
            "support": shown(max(mass, 0), terms["denominator"], public["display"]["support_dp"]).replace(",", ""),
            "bin": public["bins"][kernel.support_bin(mass, **terms)]["name"],
        }
        for rank, (atom, mass) in enumerate(admitted, 1)
    ]  # fmt: skip
    body = public | {"released": rows}
    return body | {"plan_id": digest(dumps(body))[:16]}


def summary(plan: Tree) -> str:
    """Every released atom in a row, then the public parameters."""
    rows = plan["released"]
    lines = [plan["stamp"], ""] if plan["stamp"] else []
    lines += [f"The plan releases {len(rows)} {'theme' if len(rows) == 1 else 'themes'}.", ""]
    for row in rows:
        mass = Fraction(row["noisy_mass"])
        place = f"{row['bin']} bin" if row["bin"] != plan["bins"][0]["name"] else "below the noise floor"
        lines.append(
            f"- {row['label']}: noisy mass {shown(mass.numerator, mass.denominator, plan['display']['mass_dp'])}, "
            f"normalised support {row['support']}, {place}, rank {row['rank']}"
        )
    denominator = plan["public_denominator"]
    grouped = f"{int(denominator):,}" if denominator.isdecimal() else denominator
    lines += ["", f"The public denominator is {grouped}."]
    lines += [f"The plan was released with epsilon {plan['epsilon'].lower()} and delta {plan['delta'].lower()}.", ""]
    return "\n".join(lines)


def transcript(seen: Sequence[tuple[str, str, str]]) -> str:
    """One line for each object that anybody sees (name, role, text), each with the digest of the line before it."""
    lines, previous = "", "0" * 64
    for order, (name, role, text) in enumerate(seen, 1):
        line = dumps({
            "order": order, "name": name, "role": role, "charge": None, "bytes": len(text.encode()),
            "sha256": digest(text), "previous": previous, "text": text if role == "post-processing" else None,
        })  # fmt: skip
        lines, previous = lines + line, digest(line)
    return lines
