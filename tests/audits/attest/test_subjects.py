"""Subjects: every file with its own digest, and the certificates that the evidence means."""

import copy
import json

import pytest

from dpspin import canonical
from dpspin.errors import IntegrityError, UsageError
from dpspin_audits.attest import subjects
from dpspin_audits.attest.subjects import Given, Subject
from dpspin_proofs import certificate

GIVEN = Given("e" * 64)


def digests(found, given=GIVEN):
    return {one.name: one.sha256 for one in subjects.of(found, given)}


def test_every_file_of_the_release_has_the_digest_of_its_bytes(opened, judged, tree):
    bundle, _ = judged()
    found = digests(opened(tree))
    assert {name: found[name] for name in bundle} == {name: canonical.digest(data) for name, data in bundle.items()}
    assert found["evidence.json"] == "e" * 64
    assert found["certificate.json"] == canonical.digest(canonical.dumps(tree["certificates"][0]))


def test_an_implementation_is_known_by_its_address_or_its_file(opened, tree, change):
    said = {"name": "dpspin", "spec": "ref"}
    address = canonical.digest(canonical.dumps(said))
    known = {"digestOf": "address", **said}
    figures = {"kernel_sha256": "c" * 64}
    for given, more in ((figures, {"kernelSha256": "c" * 64}), ({}, {}), ({"kernel_sha256": 7}, {})):
        found = opened(change(tree, "proofs", figures=given))
        assert subjects.implementation(found, None) == Subject("implementation", address, known | more)
    assert subjects.implementation(found, "f" * 64) == Subject("implementation", "f" * 64, {"digestOf": "file"})


def test_the_report_is_a_subject_where_it_was_given(opened, tree):
    assert "report.html" not in digests(opened(tree))
    assert digests(opened(tree), GIVEN._replace(report="a" * 64))["report.html"] == "a" * 64


def test_without_a_bundle_the_public_files_remain(opened, tree):
    other = tree | {"exposures": [], "plan": None, "stamp": None}
    found = digests(opened(other))
    assert found["deployment.yaml"] == tree["deployment"]["sha256"]
    assert found["universe.json"] == digests(opened(tree))["universe.json"]
    assert "plan.json" not in found


def test_a_file_that_nothing_covers_is_signed_by_its_name(opened, tree, change):
    other = change(tree, "hygiene", status="fail")
    other["exposures"].append({"order": None, "name": "metrics.json", "role": None, "sha256": "b" * 64})
    assert digests(opened(other))["metrics.json"] == "b" * 64


def test_a_file_cannot_take_the_name_of_another_subject(opened, tree, change):
    other = change(tree, "hygiene", status="fail")
    other["exposures"].append({"order": None, "name": "evidence.json", "role": None, "sha256": "b" * 64})
    with pytest.raises(IntegrityError, match="a name with a meaning"):
        digests(opened(other))


def test_the_shipped_certificate_of_proofs_is_signed_where_the_audit_cited_it(opened, change, tree):
    shipped = cites(tree, change, certificate.read(certificate.shipped(), "shipped"), "shipped")
    assert digests(opened(shipped))["proofs.json"] == canonical.digest(certificate.shipped())
    given = cites(tree, change, certificate.read(certificate.shipped(), "shipped"), "given")
    assert "proofs.json" not in digests(opened(given))
    assert digests(opened(given), GIVEN._replace(proofs=certificate.shipped())) == digests(opened(shipped))


@pytest.mark.parametrize("field", subjects.CITED)
def test_another_certificate_of_proofs_is_refused(opened, change, tree, field):
    other = cites(tree, change, certificate.read(certificate.shipped(), "shipped"), "given", **{field: "another"})
    with pytest.raises(IntegrityError, match=rf"proofs\.json: {field}: expected another"):
        digests(opened(other), GIVEN._replace(proofs=certificate.shipped()))


def test_a_certificate_of_proofs_needs_evidence_that_cites_one(opened, change, tree):
    other = change(tree, "proofs", status="not_run")
    other["not_assessed"] = [{"id": "proofs", "what": "w", "why": "y"}, *other["not_assessed"]]
    assert "proofs.json" not in digests(opened(other))
    with pytest.raises(IntegrityError, match="leave --proofs out"):
        digests(opened(other), GIVEN._replace(proofs=certificate.shipped()))


def test_what_is_no_certificate_of_proofs_is_refused(opened, change, tree):
    other = cites(tree, change, certificate.read(certificate.shipped(), "shipped"), "given")
    with pytest.raises(UsageError, match=r"proofs\.json"):
        digests(opened(other), GIVEN._replace(proofs=json.dumps({"schema": "x"}).encode()))


def cites(tree, change, made, origin, **changes):
    """Evidence whose check of proofs passed on a certificate, whatever Coq had to say of the kernel of today."""
    figures = {"kernel_sha256": made.kernel_sha256, "coq": made.coq, "gaps": len(made.gaps), "certificate": origin}
    other = copy.deepcopy(tree)
    other["not_assessed"] = [row for row in other["not_assessed"] if row["id"] != "proofs"]
    return change(other, "proofs", status="pass", figures=figures | changes)
