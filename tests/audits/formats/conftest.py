"""Evidence of real audits, invented evidence of every kind, and evidence in which every text is an attack."""

import copy
import importlib.util
import json
from pathlib import Path

import pytest

from dpspin import canonical
from dpspin_audits import evidence as written
from dpspin_audits.checks.check import Check
from dpspin_audits.formats import opened

FAULTY = "py:dpspin_audits.zoo.noise_halved:subject"
HOSTILE = (
    "<script>alert(1)</script>",
    "{{ 7 * 7 }}{% include 'x' %}",
    "=cmd|' /C calc'!A0",
    "[click](javascript:alert(1)) `code` | cell |",
    "@someone #12 https://evil.example/x www.evil.example",
    "left\u202eright\u0000null\u001b[31mred\r\nnext\u2028line",
    "]]> <!-- --> &amp; \"'",
    "שלום عليكم",
    "-2+3",
    "# heading\n1. list\n- item",
)
"""Texts that some format gives a meaning."""


def _invented():
    place = Path(__file__).parents[1] / "report" / "conftest.py"
    spec = importlib.util.spec_from_file_location("invented_evidence", place)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module.KINDS


INVENTED = _invented()


def counted(tree):
    """The evidence with the counts that its checks have."""
    checks = [Check(row["id"], row["status"], row["strength"], "") for row in tree["checks"]]
    return tree | {"strengths": written.strengths_tree(checks)}


@pytest.fixture(scope="session")
def tree_of(audited):
    """A fresh tree of a real audit, of the reference or of an implementation with half the noise."""
    return lambda spec="ref": copy.deepcopy(audited(spec))


@pytest.fixture(scope="session")
def faulty(tree_of):
    return lambda: tree_of(FAULTY)


@pytest.fixture
def invented():
    """Opened evidence of an invented kind; it need not agree with itself."""
    return lambda kind="pass": opened.of_tree(counted(copy.deepcopy(INVENTED[kind]())))


@pytest.fixture(params=sorted(INVENTED))
def any_kind(request):
    """Opened evidence of each kind in turn."""
    return opened.of_tree(counted(INVENTED[request.param]()))


@pytest.fixture
def hostile(invented):
    """Evidence whose free texts are attacks, one after the other, wherever words of others stand."""
    tree = copy.deepcopy(invented("fail").tree)
    texts = iter(HOSTILE * 20)
    for row in tree["checks"]:
        row |= {"summary": next(texts), "remedy": next(texts), "reproduce": next(texts)}
        row["reason"] = next(texts) if row["status"] != "pass" else None
        if row["location"]:
            row["location"]["file"] = next(texts)
    for row in tree["plan"]["released"]:
        row["label"] = next(texts)
    for row in tree["summary"]:
        row |= {"sentence": next(texts), "claims": [next(texts)]}
    for row in tree["exposures"]:
        row["name"] = next(texts)
    for row in tree["not_assessed"]:
        row |= {"what": next(texts), "why": next(texts)}
    tree["deployment"] |= {"name": HOSTILE[5], "population": HOSTILE[0], "provenance_note": HOSTILE[1]}
    tree["subject"] |= {"name": HOSTILE[3], "spec": HOSTILE[2]}
    waiver = {"check": "hygiene", "reason": HOSTILE[0], "approver": HOSTILE[2], "expires": "2027-01-01"}
    tree["gate"] = {"verdict": "fail", "known": ["contract"], "waivers": [waiver | {"state": "in force"}]}
    return opened.of_tree(tree)


@pytest.fixture(scope="session")
def bytes_of():
    """The file of a tree."""
    return lambda tree: canonical.dumps(json.loads(json.dumps(tree, default=str)))
