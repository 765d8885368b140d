"""accounting.certificate: whether the stated noise is at least the least noise that a certificate shows to be enough.

The certificate is made for the claim and read again by the stand-alone checker (docs/accounting.md), so that the
evidence holds something that a stranger can check without this program.
"""

from fractions import Fraction
from importlib.resources import files
from typing import Any, NamedTuple, cast

from dpspin import canonical
from dpspin.accounting import certificate
from dpspin.accounting.certificate import Additive
from dpspin.decimals import exact
from dpspin.errors import ImpossibleError, UsageError
from dpspin_audits.checks.check import Check
from dpspin_audits.subject import Claim
from dpspin_proofs import certcheck

ID = "accounting.certificate"


class Issued(NamedTuple):
    """A certificate, or the reason why there is none."""

    tree: dict[str, Any] | None
    missing: str | None = None


def issue(claimed: Claim, universe_size: int) -> Issued:
    """A certificate of the least additive noise that meets a claim.

    Args:
        claimed: what the subject promises.
        universe_size: m, the number of atoms.

    Raises:
        ImpossibleError: when the checker refuses what was just made.
    """
    if claimed.mechanism not in ("laplace", "gaussian") or not claimed.scale:
        return Issued(None, "needs a claim that names additive noise and its scale")
    if universe_size < certificate.ATOMS:
        return Issued(None, "needs a universe of two atoms or more: one atom moves less than a certificate assumes")
    if claimed.mechanism == "laplace" and claimed.delta:
        return Issued(None, "needs a pure claim: Laplace noise is certified without a delta")
    kind = cast("Additive", claimed.mechanism)
    wanted = certificate.Claim(kind, claimed.adjacency, claimed.mass_bound, claimed.epsilon, claimed.delta)
    try:
        data = certificate.certify(wanted, _checker())
    except UsageError as error:
        return Issued(None, f"no certificate can be made: {error.problem}")
    if fault := certcheck.fault(data):
        raise ImpossibleError(f"a certificate just made does not hold: {fault}")
    return Issued(canonical.loads(data, "the certificate"))


def _checker() -> str:
    """Digest of the checker that is installed here."""
    return canonical.digest(files("dpspin_proofs").joinpath("certcheck.py").read_bytes())


def check(claimed: Claim, issued: Issued) -> Check:
    """The stated scale against the certified one."""
    if issued.tree is None or claimed.scale is None:
        return Check(
            ID, "not_run", "exact", "No certificate was made for the stated noise.", {}, issued.missing,
            "read the accounted loss instead, which says how it is known",
        )  # fmt: skip
    needed, failing = _scales(issued.tree)
    figures = {
        "stated": exact(claimed.scale),
        "certified": exact(needed),
        "delta_at_most": issued.tree["delta_hi"],
        "bits": issued.tree["bits"],
        "theorem": issued.tree["theorem"],
        "seal": issued.tree["seal"],
    }
    if claimed.scale >= needed:
        summary = "A certificate that the stand-alone checker accepts shows the stated noise to be enough."
        return Check(ID, "pass", "exact", summary, figures)
    if claimed.scale <= failing:
        return Check(
            ID, "fail", "exact", "The stated noise is less than the least noise that keeps the claim.", figures,
            "the certificate shows that a scale as large as the stated one, or larger, fails",
            "add at least the certified noise, or claim what the stated noise costs",
        )  # fmt: skip
    return Check(
        ID, "inconclusive", "exact", "The stated noise lies between two neighbouring floats.", figures,
        "the certificate decides for the floats on either side, not between them", "state a float",
    )  # fmt: skip


def _scales(tree: dict[str, Any]) -> tuple[Fraction, Fraction]:
    """The certified scale, and the largest one known to fail: for Laplace noise everything below the scale."""
    if tree["mechanism"] == "laplace":
        return Fraction(tree["scale"]), Fraction(tree["scale"])
    above, below = tree["sigma_hex"], tree["predecessor"]["sigma_hex"]
    return Fraction(float.fromhex(above)), Fraction(float.fromhex(below))
