"""The lines of section 2 about the mechanism: what is added to what, how much of it, and by which rule."""

from dpspin_audits.report.numerals import ceiled, number
from dpspin_audits.report.prose import Text, code, label, text
from dpspin_audits.report.tree import Node

STEPS = {
    "laplace": "discrete Laplace noise on every theme, then the highest",
    "gaussian": "rounded Gaussian noise on every theme, then the highest",
    "private_top_l": "admission by the exponential mechanism, then noise on the admitted themes",
}
RULES = {
    "analytic": "the smallest σ for which the exact formula keeps ε and δ",
    "classical": "the paper’s rule for σ, proved for ε below 1 and larger than needed there",
}
EXPONENTS = {
    "paper": "the paper’s exponent, which needs no more than that share",
    "tight": "the largest exponent that is proved to keep that share; with Gaussian values η and σ are then scaled "
    "by the least factor that is certified to keep the claim",
}


def _amount(scale: Node, noise: str | None) -> Text:
    """The scale of the noise of released masses, rounded up to six digits."""
    size = scale.maybe_number("scale")
    if size is None:
        return ()
    name = "σ" if noise == "gaussian" else "b"
    return text(f"; {name} = ", number(ceiled(size)), f" unit{'' if size == 1 else 's'} of mass")


def mechanism(claim: Node) -> Text:
    """What is claimed about the noise."""
    kind = claim.maybe_text("mechanism")
    if kind is None:
        return text("not named; only ε and δ are claimed")
    steps = text(code(kind), f": {STEPS[kind]}" if kind in STEPS else "")
    if kind != "private_top_l":
        return text(steps, _amount(claim, kind))
    exponent, values = claim.maybe_number("exponent"), claim.maybe_text("values")
    rate = text("; exponent η = ", number(ceiled(exponent)), " per unit of mass") if exponent is not None else ()
    return text(steps, rate, text("; ", label(values), " values") if values else (), _amount(claim, values))


def calibration(deployment: Node) -> Text:
    """By which rule the deployment fixes the noise; empty for Laplace noise on every theme, which has one rule."""
    rule, mode = deployment.maybe_text("calibration"), deployment.maybe_text("em_mode")
    share = deployment.maybe_text("selection_share")
    if share:
        kept = text(f"{share} of ε for admission, the rest for values")
        return text(kept, "; ", code(mode), f": {EXPONENTS.get(mode, '')}") if mode else kept
    return text(code(rule), f": {RULES[rule]}" if rule in RULES else "") if rule else ()
