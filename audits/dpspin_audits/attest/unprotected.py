"""Whom and what a claim does not cover, in sentences that need no report beside them."""

from collections.abc import Iterator

from dpspin_audits.attest.parts import Evidence


def sentences(found: Evidence) -> list[str]:
    """Everybody and everything outside, the most common first."""
    return [*_people(found), *_numbers(found), *_files(found)]


def _people(found: Evidence) -> Iterator[str]:
    claim = found.claim
    more = ", and a larger delta" if claim.delta else ""
    if claim.unit == "record":
        yield f"A person with k records: the loss of all of them together is up to k times epsilon{more}."
    else:
        yield f"A person with k user ids: the loss of all of them together is up to k times epsilon{more}."
        if claim.missing_ids == "own_unit":
            yield f"A person with one user id and k records without one: up to 1 + k times epsilon{more}."
    yield "People named in the records of others."
    if found.deployment.provenance == "auxiliary":
        yield "People in the auxiliary text from which the atoms were taken."
    if found.accounting.universe:
        yield "Anybody, from a cost of building the atoms beyond the declared one, which was not checked."


def _numbers(found: Evidence) -> Iterator[str]:
    if found.claim.adjacency == "replacement":
        yield f"The number of {found.claim.unit}s, which replacement leaves as it is."


def _files(found: Evidence) -> Iterator[str]:
    for name in sorted(row.name for row in found.exposures if row.role is None):
        yield f"Whatever stands in {name}, which no charge covers."
