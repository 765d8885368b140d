"""Section 3, certificates: what was shown about the noise scale, and how a stranger checks it again."""

from fractions import Fraction
from typing import NamedTuple

from dpspin.canonical import dumps
from dpspin.errors import IntegrityError
from dpspin_audits.checks.certificate import fault
from dpspin_audits.report.case import Case
from dpspin_audits.report.numerals import number, stopped, upper
from dpspin_audits.report.prose import Text, code, label, text
from dpspin_audits.report.tables import Pair
from dpspin_audits.report.tree import Node


class Certificates(NamedTuple):
    """Rows of each certificate, and why there is none where there is none."""

    held: tuple[tuple[Pair, ...], ...]
    missing: Text


def verified(root: Node) -> None:
    """Check every certificate that the evidence holds, and that it is one of the claim beside it.

    Raises:
        IntegrityError: naming the first one that the checker refuses, or that is about another claim.
    """
    claim = root.node("claim")
    for node in root.nodes("certificates"):
        found = fault(dumps(node.tree)) or _strange(node, claim)
        if found:
            raise IntegrityError(node.path, "a certificate that holds", found, "audit again, and trust neither")


def _strange(node: Node, claim: Node) -> str | None:
    """How a true certificate is about another claim than the evidence; None where it is about this one."""
    words = ("mechanism", "adjacency")
    other = [name for name in words if node.text(name) != claim.text(name)]
    other += [name for name in ("mass_bound", "epsilon", "delta") if node.number(name) != claim.number(name)]
    return f"a certificate of another claim ({', '.join(other)})" if other else None


def view(case: Case) -> Certificates:
    """Each certificate as rows."""
    held = tuple(_rows(node) for node in case.root.nodes("certificates"))
    reason = next((check.reason for check in case.checks if check.id == "accounting.certificate"), None)
    return Certificates(held, label(stopped(reason or "none was asked for")))


def _rows(node: Node) -> tuple[Pair, ...]:
    kinds = {"gaussian": _gaussian, "laplace": _laplace, "private_top_l": _peeling}
    noise = kinds[node.text("mechanism")](node)
    rows = (
        *noise,
        ("Theorem", label(node.text("theorem"))),
        ("Checker", text("SHA-256 ", code(node.text("checker_sha256")[:12]), ", standard library alone")),
        ("Seal", code(node.text("seal"))),
    )
    return tuple((text(term), words) for term, words in rows)


def _claim(node: Node) -> tuple[str, Text]:
    relation = "add/drop" if node.text("adjacency") == "add_drop" else "replacement"
    delta = node.number("delta")
    bound = text("ε ", number(node.number("epsilon")), text(", δ ", number(delta)) if delta else ())
    return "Shows", text("the noise below keeps ", bound, f" under {relation}")


def _laplace(node: Node) -> tuple[tuple[str, Text], ...]:
    return _claim(node), ("Noise", text("Laplace, b = ", label(node.text("scale")), ", exact; any smaller b fails"))


def _gaussian(node: Node) -> tuple[tuple[str, Text], ...]:
    hexadecimal = node.text("sigma_hex")
    sigma = Fraction(float.fromhex(hexadecimal))
    low, high, below = (node.number("delta_lo"), node.number("delta_hi"), node.node("predecessor").number("delta_lo"))
    grid = f"; both are multiples of 2 to the power −{node.count('bits')}"
    return (
        _claim(node),
        ("Noise", text("Gaussian, σ = ", upper(sigma), " (", code(hexadecimal), "), the least float that is enough")),
        ("δ of that noise", text("at least ", number(low), ", at most ", upper(high), grid)),
        ("The float below", text("fails: its δ is at least ", number(below))),
    )


def _peeling(node: Node) -> tuple[tuple[str, Text], ...]:
    scale, hexadecimal = 1 / node.number("exponent"), node.text("sigma_hex")
    sigma, before = Fraction(float.fromhex(hexadecimal)), node.node("predecessor")
    of_split = text(number(node.number("factor")), " of both scales that keep the claim one by one")
    return (
        _claim(node),
        ("Noise", text("admission 1/η = ", upper(scale), ", Gaussian values σ = ", upper(sigma), ": ", of_split)),
        (
            "δ of that noise",
            text("at least ", number(node.number("delta_lo")), ", at most ", upper(node.number("delta_hi"))),
        ),
        ("The factor before", text("is not certified: the bound is at least ", number(before.number("delta_lo")))),
    )
