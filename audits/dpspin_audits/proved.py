"""What the cited certificate of proofs establishes, for evidence: statements of the paper, and open gaps."""

from collections.abc import Iterable

from dpspin_audits.checks import proofs
from dpspin_audits.checks.check import Check
from dpspin_proofs.register import register


def tree(checks: Iterable[Check]) -> dict[str, object] | None:
    """The statements of the register and its gaps, where the check of proofs passed; else None.

    A pass means that the certificate is about the kernel that ran and says what this register says.
    """
    if not any(check.id == proofs.ID and check.status == "pass" for check in checks):
        return None
    known = register()
    statements = [
        {
            "name": row.name,
            "section": row.section,
            "says": row.says,
            "theorems": list(row.theorems),
            "source": row.source,
            "gaps": list(row.gaps),
        }
        for row in known.statements
    ]
    return {"statements": statements, "gaps": [gap._asdict() for gap in known.gaps]}
