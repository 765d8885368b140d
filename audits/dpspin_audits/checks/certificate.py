"""accounting.certificate: whether the stated noise is at least the least noise that a certificate shows to be enough.

The certificate is made for the claim and read again by the stand-alone checker (docs/accounting.md), so that the
evidence holds something that a stranger can check without this program.
"""

from fractions import Fraction
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, cast

from dpspin import canonical
from dpspin.accounting import admission_certificate, certificate
from dpspin.accounting.certificate import Additive
from dpspin.accounting.split import PeelingClaim
from dpspin.decimals import exact
from dpspin.errors import ImpossibleError, UsageError
from dpspin.mechanism import PrivateTopL
from dpspin.pipeline import Setting
from dpspin_audits.checks.check import Check
from dpspin_audits.subject import Claim
from dpspin_proofs import admission_check, certcheck

ID = "accounting.certificate"
PEELING = "private_top_l"


class Issued(NamedTuple):
    """A certificate, or the reason why there is none."""

    tree: dict[str, Any] | None
    missing: str | None = None


def issue(claimed: Claim, setting: Setting) -> Issued:
    """A certificate of the least noise that meets a claim.

    Args:
        claimed: what the subject promises.
        setting: numbers of atoms and of admitted ones, and how epsilon is shared.

    Raises:
        ImpossibleError: when the checker refuses what was just made.
    """
    reason = _uncertified(claimed, len(setting.universe))
    if reason:
        return Issued(None, reason)
    try:
        data = _additive(claimed) if claimed.mechanism != PEELING else _admission(claimed, setting)
    except UsageError as error:
        return Issued(None, f"no certificate can be made: {error.problem}")
    if found := fault(data):
        raise ImpossibleError(f"a certificate just made does not hold: {found}")
    return Issued(canonical.loads(data, "the certificate"))


def fault(data: bytes) -> str | None:
    """What is wrong with a certificate in evidence, by the stand-alone checker of its kind; None where it holds.

    `issue` asks for no second opinions, and nothing here could tell that they were said.
    """
    tree = canonical.loads(data, "the certificate")
    if tree.get("second_opinions"):
        return "it holds second opinions, which no audit writes"
    checker = admission_check if tree.get("schema") == admission_certificate.SCHEMA else certcheck
    found: str | None = checker.fault(data)
    return found


def _uncertified(claimed: Claim, universe_size: int) -> str | None:
    """Why there is no certificate for such a claim."""
    if claimed.mechanism not in ("laplace", "gaussian", PEELING) or not claimed.scale:
        return "needs a claim that names its noise and its scale"
    if universe_size < certificate.ATOMS:
        return "needs a universe of two atoms or more: one atom moves less than a certificate assumes"
    if claimed.mechanism == PEELING and (claimed.values != "gaussian" or not claimed.exponent):
        return "the cost is a rational number, exact as it stands: there is nothing to certify"
    if claimed.mechanism == "laplace" and claimed.delta:
        return "needs a pure claim: Laplace noise is certified without a delta"
    return None


def _additive(claimed: Claim) -> bytes:
    kind = cast("Additive", claimed.mechanism)
    wanted = certificate.Claim(kind, claimed.adjacency, claimed.mass_bound, claimed.epsilon, claimed.delta)
    return certificate.certify(wanted, digest_of(certcheck))


def _admission(claimed: Claim, setting: Setting) -> bytes:
    mechanism, size = setting.deployment.mechanism, setting.deployment.plan.size
    share = Fraction(mechanism.selection_share) if isinstance(mechanism, PrivateTopL) else Fraction(1, 2)
    shape = claimed.adjacency, claimed.mass_bound, size, len(setting.universe), share
    wanted = PeelingClaim(*shape, claimed.epsilon, claimed.delta)
    return admission_certificate.certify(wanted, digest_of(admission_check))


def digest_of(checker: ModuleType) -> str:
    """Digest of a checker that is installed here."""
    return canonical.digest(Path(str(checker.__file__)).read_bytes())


def check(claimed: Claim, issued: Issued) -> Check:
    """The stated scale against the certified one."""
    if issued.tree is None or claimed.scale is None:
        return Check(
            ID, "not_run", "exact", "No certificate was made for the stated noise.", {}, issued.missing,
            "read the accounted loss instead, which says how it is known",
        )  # fmt: skip
    if claimed.mechanism == PEELING:
        return _peeling(claimed, issued.tree)
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


def _peeling(claimed: Claim, tree: dict[str, Any]) -> Check:
    """Both scales against the certified ones; whether less of one is made up for by the other, nothing here decides."""
    scale, exponent = claimed.scale or Fraction(0), claimed.exponent or Fraction(0)
    needed, allowed = Fraction(float.fromhex(tree["sigma_hex"])), Fraction(tree["exponent"])
    figures = {
        "stated": exact(scale), "certified": exact(needed),
        "stated_exponent": exact(exponent), "certified_exponent": exact(allowed),
        "delta_at_most": tree["delta_hi"], "bits": tree["bits"], "theorem": tree["theorem"], "seal": tree["seal"],
    }  # fmt: skip
    if exponent <= allowed and scale >= needed:
        summary = "A certificate that the stand-alone checker accepts shows the stated scales to be enough."
        return Check(ID, "pass", "exact", summary, figures)
    return Check(
        ID, "not_run", "exact", "The certificate does not speak of the stated scales.", figures,
        "it is for the declared share of epsilon; the stated scales spend more on admission or on values",
        "read the accounted loss, which is that of the stated scales",
    )  # fmt: skip
