"""universe.provenance: where the atoms come from, as declared, and whether they are the declared ones."""

from dpspin import canonical
from dpspin.pipeline import Setting
from dpspin_audits.checks.check import Check, Location

ID = "universe.provenance"
WORDS = {
    "public": "The atoms are public knowledge",
    "auxiliary": "The atoms come from auxiliary text",
    "charged": "The atoms come from protected records under a charge of their own",
}


def check(setting: Setting) -> Check:
    """The declaration, and the digest of the universe file; whether the declaration is true cannot be tested."""
    declared = setting.deployment.universe
    found = canonical.digest(setting.universe_bytes)
    figures = {"provenance": declared.provenance, "sha256": found}
    if found != declared.sha256:
        return Check(
            ID, "fail", "declared", "The universe is not the declared one.", figures,
            f"sha256 {found}, declared {declared.sha256}", "restore the declared file or declare the new digest",
            Location(declared.file),
        )  # fmt: skip
    return Check(ID, "pass", "declared", f"{WORDS[declared.provenance]}, as declared; the digest matches.", figures)
