"""Attestations: signed statements about an audit, which other tools can read without this program."""

from dpspin_audits.attest.verify import verified

__all__ = ["verified"]
