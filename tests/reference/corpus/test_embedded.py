"""The embedded deployment is what its generator makes of its own parameters."""

from functools import cache
from itertools import pairwise

import pytest

from dpspin import canonical, deployment, kernel, plan, universe
from dpspin.corpus import embedded, representation, split
from dpspin.curator.noise import SeededBits
from dpspin.curator.release import release
from dpspin.curator.sketch import sketch
from dpspin.plan import SemanticPlan

FILES = embedded.files()
DEPLOYMENT = deployment.load(FILES["deployment.yaml"], "deployment.yaml")
UNIVERSE = universe.decode(FILES["universe.json"], "universe.json")
WEIGHTS = representation.decode(FILES["weights.json"], "weights.json")


@cache
def exact() -> list[int]:
    protected = split.protected(embedded.corpus(), DEPLOYMENT.corpus.split)
    return sketch((WEIGHTS.scores(record.text) for record in protected), DEPLOYMENT, len(UNIVERSE))


def released(seed: int) -> SemanticPlan:
    samples = release(exact(), DEPLOYMENT, SeededBits(bytes([seed])))
    pairs = [(int(atom), int(mass)) for atom, mass in zip(samples.atoms[0], samples.masses[0], strict=True)]
    return plan.build(pairs, plan.terms_of(DEPLOYMENT, UNIVERSE, plan.SEEDED))


def test_the_committed_files_are_regenerated_byte_for_byte() -> None:
    assert embedded.regenerate() == FILES


def test_another_corpus_would_be_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(embedded, "RECORDS", embedded.RECORDS - 10)
    assert embedded.regenerate() != FILES


def test_the_declared_digests_are_those_of_the_files() -> None:
    assert canonical.digest(FILES["universe.json"]) == DEPLOYMENT.universe.sha256
    assert canonical.digest(FILES["weights.json"]) == DEPLOYMENT.assignment.weights.sha256


def test_files_fit_each_other_and_stay_small() -> None:
    assert len(UNIVERSE) == WEIGHTS.atoms == embedded.UNIVERSE_SIZE
    assert WEIGHTS.rule == DEPLOYMENT.assignment.rule
    assert len(FILES["weights.json"]) < 150_000


def test_every_field_of_the_deployment_has_its_line_and_its_comment() -> None:
    lines = FILES["deployment.yaml"].decode().splitlines()
    fields = [line for line in lines if ":" in line and not line.startswith("#")]
    assert {line.split(":")[0].strip() for line in fields if " # " not in line} == set(DEPLOYMENT.decoder.public_text)
    assert all(len(line) <= 120 for line in lines)


def test_some_adjacent_comparisons_are_supported_and_some_are_withheld() -> None:
    for seed in range(3):
        found = released(seed)
        masses = [atom.mass for atom in found.atoms]
        links = [kernel.compare(a, b, found.terms.margin) for a, b in pairwise(masses)]
        assert {0, 1} == set(links)
        assert {atom.bin for atom in found.atoms} == {1, 2, 3}


def test_a_frequent_label_is_the_beginning_of_a_rarer_one() -> None:
    labels = [atom.label for atom in released(0).atoms]
    assert any(other.startswith(label) and other not in labels for label in labels for other in UNIVERSE.labels)
