"""universe.provenance: where the atoms come from, as declared, and whether they are the declared ones."""

from dpspin import canonical
from dpspin.pipeline import Setting
from dpspin_audits.checks.check import Check, Location

ID = "universe.provenance"
WORDS = {
    "public": "The atoms are public knowledge",
    "auxiliary": "The atoms come from auxiliary text",
    "charged": "The atoms come from protected records, at a cost of their own of epsilon {epsilon}, delta {delta}",
}


def check(setting: Setting) -> Check:
    """The declaration with the cost in it, and the digest of the universe file; whether it is true cannot be tested."""
    declared = setting.deployment.universe
    found, cost = canonical.digest(setting.universe_bytes), declared.charge
    paid = {"epsilon": cost.epsilon.text, "delta": cost.delta.text} if cost else {}
    figures = {"provenance": declared.provenance, "sha256": found, **paid}
    if found != declared.sha256:
        return Check(
            ID, "fail", "declared", "The universe is not the declared one.", figures,
            f"sha256 {found}, declared {declared.sha256}", "restore the declared file or declare the new digest",
            Location(declared.file),
        )  # fmt: skip
    words = WORDS[declared.provenance].format(**paid)
    return Check(ID, "pass", "declared", f"{words}, as declared; the digest matches.", figures)
