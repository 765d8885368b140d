"""Reading evidence in order to sign it.

Evidence has no seal of its own.  What follows from other parts is computed again (`coherence`): the verdict, counts,
certificates, the digest of the plan, the list of gaps.  Who invents evidence as a whole is not found out.
"""

import re

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError
from dpspin.settings import validated
from dpspin_audits.attest import coherence
from dpspin_audits.attest.parts import Evidence
from dpspin_audits.evidence import SCHEMA

LARGEST = 2**23
"""Bytes of an evidence file; what is signed of it then fits into an attestation (`envelope.LARGEST`)."""
VERSIONS = re.compile(r"dpspin-evidence/\d+")


def opened(data: bytes, place: str) -> Evidence:
    """Evidence from its bytes, if its parts belong together.

    Raises:
        UsageError: when it is no evidence, or of a newer layout.
        IntegrityError: naming the first part that was altered, or that another part contradicts.
    """
    if len(data) > LARGEST:
        raise UsageError(place, f"longer than {LARGEST} bytes", "name the evidence.json of an audit")
    tree = canonical.loads(data, place)
    schema = tree.get("schema") if isinstance(tree, dict) else None
    if schema != SCHEMA:
        newer = isinstance(schema, str) and VERSIONS.fullmatch(schema)
        what = f"{schema} is unknown here; this version reads {SCHEMA}" if newer else "not an evidence file"
        remedy = "install a newer dpspin" if newer else "name the evidence.json of an audit"
        raise UsageError(f"{place}: schema" if newer else place, what, remedy)
    if canonical.dumps(tree) != data:
        raise IntegrityError(place, "canonical JSON, as audits write it", "another spelling", coherence.REMEDY)
    found = validated(Evidence, tree, place)
    coherence.check(found, place)
    return found
