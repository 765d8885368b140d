"""The shipped vectors are what the script writes, byte for byte, and cover every step."""

from pathlib import Path

from dpspin_audits.conformance import generate, steps, suite

ROOT = Path(__file__).parents[3]
SOURCES = [ROOT / generate.EXAMINATION / name for name in ("examination.jsonl", "examination_plans.jsonl")]


def test_the_shipped_vectors_are_those_that_the_script_writes():
    folder = ROOT / "audits" / "dpspin_audits" / suite.FOLDER
    written = dict(generate.vectors(*(source.read_text(encoding="utf-8") for source in SOURCES)))
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == written


def test_every_step_has_vectors_and_there_are_enough():
    found = suite.cases()
    assert {case.function for case in found} == set(steps.STEPS)
    assert len(found) >= 1200
    assert len({case.name for case in found}) == len(found)
