"""`dpspin conform`: a runner's output and exit codes, for Python subjects and commands."""

import json
import sys
from xml.etree import ElementTree

import pytest

WRONG = """
from dpspin_audits.conformance import steps
from dpspin_audits.reference_subject import ReferenceSubject

class Wrong(ReferenceSubject):
    def vector(self, function, given):
        if function == "clip":
            return [0] * len(given["vector"])
        if function == "add":
            raise NotImplementedError("no sums")
        return steps.answer(function, given)

class Silent(Wrong):
    def vector(self, function, given):
        raise NotImplementedError("nothing")
"""


@pytest.fixture
def wrong(tmp_path, monkeypatch):
    (tmp_path / "wrong.py").write_text(WRONG)
    monkeypatch.chdir(tmp_path)
    yield "py:wrong:Wrong"
    sys.modules.pop("wrong", None)


def test_the_reference_conforms(dpspin, tmp_path):
    done = dpspin("conform", "--junit", str(tmp_path / "out.xml"))
    assert (done.code, done.out.splitlines()[-1]) == (0, "1248 pass")
    assert len(ElementTree.parse(tmp_path / "out.xml").findall(".//testcase")) == 1248


def test_what_is_answered_otherwise_is_printed(dpspin, wrong):
    done = dpspin("conform", "--impl", wrong, "--pattern", "^(clip|add|shrink)/")
    assert done.code == 1
    assert "clip/2 (below the bound): [0, 0, 0]; wanted [1,2,3]" in done.out
    assert "skipped" in done.out.splitlines()[-1]


def test_json_lines(dpspin, wrong):
    done = dpspin("conform", "--impl", wrong, "--pattern", "^clip/", "--json")
    lines = [json.loads(line) for line in done.out.splitlines()]
    assert {line["status"] for line in lines} == {"pass", "fail"}
    assert done.code == 1


def test_an_implementation_that_answers_nothing_gives_no_verdict(dpspin, wrong):
    assert dpspin("conform", "--impl", "py:wrong:Silent", "--pattern", "^clip/").code == 3


def test_vectors_can_be_printed(dpspin):
    done = dpspin("conform", "--dump", "--pattern", "^clip/1$")
    assert json.loads(done.out)["input"] == {"bound": 1048576, "vector": [0, 0, 0]}
