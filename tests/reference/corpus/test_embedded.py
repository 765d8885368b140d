"""The embedded deployment is what its generator makes of its own parameters."""

from functools import cache
from itertools import pairwise

import pytest

from dpspin import canonical, deployment, kernel, plan, universe
from dpspin.accounting.calibration import calibrate
from dpspin.accounting.utility import noise_floor
from dpspin.corpus import embedded, representation, split
from dpspin.curator.noise import SeededBits
from dpspin.curator.release import release
from dpspin.curator.sketch import sketch
from dpspin.plan import SemanticPlan

FILES = embedded.files()
DEPLOYMENT = deployment.load(FILES["deployment.yaml"], "deployment.yaml")
UNIVERSE = universe.decode(FILES["universe.json"], "universe.json")
WEIGHTS = representation.decode(FILES["weights.json"], "weights.json")
FLOOR = noise_floor(calibrate(DEPLOYMENT, 60), 60, 10, DEPLOYMENT.plan.noise_beta)


@cache
def exact() -> list[int]:
    protected = split.protected(embedded.corpus(), DEPLOYMENT.corpus.split)
    return sketch((WEIGHTS.scores(record.text) for record in protected), DEPLOYMENT, len(UNIVERSE))


def released(seed: int) -> SemanticPlan:
    samples = release(exact(), DEPLOYMENT, SeededBits(bytes([seed])))
    pairs = [(int(atom), int(mass)) for atom, mass in zip(samples.atoms[0], samples.masses[0], strict=True)]
    return plan.build(pairs, plan.terms_of(DEPLOYMENT, UNIVERSE, FLOOR, plan.SEEDED))


@pytest.mark.parametrize("folder", [embedded.RECORD, embedded.USER])
def test_the_committed_files_are_regenerated_byte_for_byte(folder: str) -> None:
    assert embedded.regenerate(folder) == embedded.files(folder)


def test_every_example_is_committed_and_every_committed_deployment_is_an_example() -> None:
    for folder in (embedded.RECORD, embedded.USER):
        named = {file for place, file in embedded.EXAMPLES.values() if place == folder}
        assert named == {name for name in embedded.files(folder) if name.endswith(".yaml")}


def test_the_examples_show_every_mechanism_unit_and_adjacency() -> None:
    terms = [deployment.load(embedded.files(folder)[file], file) for folder, file in embedded.EXAMPLES.values()]
    shown = {(t.mechanism.kind, t.unit) for t in terms} | {(t.mechanism.kind, t.adjacency) for t in terms}
    kinds, rest = ("laplace", "gaussian", "private_top_l"), ("record", "user", "add_drop", "replacement")
    assert shown == {(kind, other) for kind in kinds for other in rest}
    assert len({t.population for t in terms}) == len(terms) == 8


def test_users_are_on_one_side_of_the_split_by_user() -> None:
    terms = deployment.load(embedded.files(embedded.USER)["top-l-users.yaml"], "top-l-users.yaml")
    rows = list(embedded.corpus(terms))
    halves = split.auxiliary, split.protected
    sides = [{row.user for row in half(rows, terms.corpus.split, terms.user)} for half in halves]
    assert not sides[0] & sides[1]
    by_record = [{r.user for r in half(rows, terms.corpus.split)} for half in halves]
    assert by_record[0] & by_record[1]


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
