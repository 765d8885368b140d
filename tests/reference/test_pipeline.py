"""A release from end to end: same words, same bytes; nothing but the plan crosses; total after the charge."""

import inspect
import json
from collections import Counter
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from dpspin import canonical, deployment, kernel, pipeline, plan, transcript, universe
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import embedded, fit, jsonl, representation, split
from dpspin.corpus.jsonl import Record
from dpspin.curator import intake
from dpspin.curator.noise import SeededBits, SystemBits
from dpspin.decoder.verifier import Verifier
from dpspin.errors import IntegrityError, UsageError

FILES = embedded.files()
SETTING = pipeline.load(FILES["deployment.yaml"], "deployment.yaml", FILES.__getitem__)
CORPUS = list(embedded.corpus())[:400]


def record(id_, text):
    return Record(id_, text, None, {})


def protected_id(prefix="r"):
    halves = SETTING.deployment.corpus.split
    return next(
        f"{prefix}{n}" for n in range(99) if not split.belongs(halves.key, halves.auxiliary_share, f"{prefix}{n}")
    )


def test_two_runs_on_the_same_words_are_byte_identical_and_other_words_are_not():
    one, two, other = (pipeline.release(SETTING, CORPUS, SeededBits(seed), "0001") for seed in (b"a", b"a", b"b"))
    assert one == two
    assert one.bundle["plan.json"] != other.bundle["plan.json"]
    assert one.sketch == other.sketch


def test_the_noise_is_drawn_before_the_first_record_is_read():
    events = []

    class Bits(SystemBits):
        def words(self, n):
            events.append("noise")
            return super().words(n)

    def records():
        events.append("record")
        yield from CORPUS[:3]

    pipeline.release(SETTING, records(), Bits(), "0001")
    assert events.count("record") == 1
    assert events.index("record") == len(events) - 1


def test_reproducible_noise_is_stamped_and_refused_on_a_real_corpus_before_reading():
    stamped = pipeline.release(SETTING, CORPUS, SeededBits(b"a"), None).bundle
    assert all(b"NON-PRIVATE" in stamped[name] for name in ("plan.json", "summary.txt", "transcript.jsonl"))
    unstamped = pipeline.release(SETTING, CORPUS, SystemBits(), None).bundle
    assert not any(b"NON-PRIVATE" in data for data in unstamped.values())
    text = FILES["deployment.yaml"].replace(b"synthetic: true", b"synthetic: false")
    real = pipeline.load(text, "deployment.yaml", FILES.__getitem__)

    def records():
        pytest.fail("a record was read")
        yield

    with pytest.raises(UsageError, match="seed"):
        pipeline.release(real, records(), SeededBits(b"a"), "0001")


ODD = {
    "empty": [],
    "no text": [record(protected_id(), None)],
    "no id": [record(None, "late fees on my card")],
    "no known word": [record(protected_id(), "zzz \u202e \x00 \ud83d")],
    "long": [record(protected_id(), "late fee interest mortgage " * 50_000)],
    "twins": [record(protected_id(), "late fees")] * 3,
}


@pytest.mark.parametrize("kind", ODD)
def test_every_parsed_corpus_gives_a_plan(kind):
    released = pipeline.release(SETTING, ODD[kind], SystemBits(), "0001")
    assert sorted(released.bundle) == sorted(pipeline.BUNDLE)
    assert len(plan.decode(released.bundle["plan.json"], "plan.json").atoms) == SETTING.deployment.plan.size


def test_only_protected_records_with_an_id_count_and_each_counts_by_itself():
    def exact(records):
        return pipeline.release(SETTING, records, SystemBits(), None).sketch

    halves = SETTING.deployment.corpus.split
    auxiliary = [r for r in CORPUS if split.belongs(halves.key, halves.auxiliary_share, r.id)]
    rest = [r for r in CORPUS if r not in auxiliary]
    assert auxiliary
    assert rest
    assert exact(auxiliary) == exact([r._replace(id=None) for r in rest]) == [0] * len(SETTING.universe)
    singles = np.array([exact([r]) for r in rest[:20]])
    assert exact(rest[:20]) == exact(rest[:20][::-1]) == singles.sum(axis=0).tolist()
    assert singles.any()
    assert (singles.sum(axis=1) <= 2**20).all()


def test_publishing_takes_the_plan_and_public_things_alone():
    assert list(inspect.signature(pipeline.publish).parameters) == ["released", "setting", "charge"]
    read = plan.decode(pipeline.release(SETTING, CORPUS, SystemBits(), "0001").bundle["plan.json"], "plan.json")
    assert pipeline.publish(read, SETTING, "0001") == pipeline.publish(read, SETTING, "0001")


def test_the_transcript_lists_every_file_and_every_attempt_with_its_cover():
    bundle = pipeline.release(SETTING, CORPUS, SystemBits(), "0007").bundle
    rows = transcript.decode(bundle["transcript.jsonl"], "transcript.jsonl")
    names = [row["name"] for row in rows]
    assert names[:3] == ["deployment.yaml", "universe.json", "plan.json"]
    assert names[3:] == ["prompt-1", "draft-1", "feedback-1", "summary.txt"]
    assert [row["charge"] for row in rows] == [None, None, *["0007"] * 5]
    assert {row["role"] for row in rows if row["charge"] is None} == {"public"}


def test_weights_and_sketch_never_enter_the_bundle():
    released = pipeline.release(SETTING, CORPUS, SystemBits(), None)
    everything = b"".join(released.bundle.values())
    assert FILES["weights.json"] not in everything
    assert str(max(released.sketch)).encode() not in everything
    rows = json.loads(pipeline.curator_files(released, SETTING)["sketch.json"])["atoms"]
    assert [row["mass"] for row in rows] == released.sketch


@pytest.mark.parametrize("name", ["universe.json", "weights.json"])
def test_a_file_with_another_digest_is_refused(name):
    with pytest.raises(IntegrityError, match=name):
        pipeline.load(FILES["deployment.yaml"], "deployment.yaml", (FILES | {name: FILES[name] + b" "}).__getitem__)


def test_weights_of_another_rule_are_refused():
    text = FILES["deployment.yaml"].replace(b"rule: centroid", b"rule: label")
    with pytest.raises(UsageError, match=r"assignment\.weights"):
        pipeline.load(text, "deployment.yaml", FILES.__getitem__)


def test_the_curator_learns_what_was_found_and_the_bundle_does_not():
    halves = SETTING.deployment.corpus.split
    auxiliary = next(r for r in CORPUS if split.belongs(halves.key, halves.auxiliary_share, r.id))
    records = [record(None, "late fees"), auxiliary, record(protected_id(), None), record(protected_id(), "late fees")]
    released = pipeline.release(SETTING, records, SystemBits(), None)
    assert released.counts == {
        "records": 4, "without_unit": 1, "auxiliary": 1, "not_selected": 0, "protected": 2,
        "protected_without_text": 1, "protected_without_mass": 1,
    }  # fmt: skip
    assert tuple(released.counts) == intake.COUNTED
    report = pipeline.curator_files(released, SETTING)["corpus-report.json"]
    assert json.loads(report)["counts"] == released.counts
    assert not any(b"without_text" in data for data in released.bundle.values())


def test_a_public_text_that_names_a_theme_is_refused_before_any_release():
    named = SETTING.universe.labels[0].encode()
    text = FILES["deployment.yaml"].replace(
        b"Normalised support is not a fraction of records", b"No fraction of " + named
    )
    assert text != FILES["deployment.yaml"]
    with pytest.raises(UsageError, match=r"public_text"):
        pipeline.load(text, "deployment.yaml", FILES.__getitem__)


EXAMPLES = {
    name: pipeline.load(embedded.files(folder)[file], file, embedded.files(folder).__getitem__)
    for name, (folder, file) in embedded.EXAMPLES.items()
}


@pytest.mark.parametrize("name", EXAMPLES)
def test_every_example_releases_the_same_bytes_on_the_same_words_and_a_supported_summary(name):
    setting = EXAMPLES[name]
    corpus = list(embedded.corpus(setting.deployment))[:300]
    one, two = (pipeline.release(setting, corpus, SeededBits(b"e"), "0001") for _ in range(2))
    assert one == two
    read = plan.decode(one.bundle["plan.json"], "plan.json")
    assert read.terms.mechanism == setting.deployment.mechanism.kind
    assert Verifier(read).verify(one.bundle["summary.txt"].decode()).accepted


def test_a_user_who_has_everything_moves_the_sketch_by_the_bound_at_most():
    setting = EXAMPLES["gaussian-users"]
    bound = int(setting.deployment.mass_bound * 2**20)
    corpus = list(embedded.corpus(setting.deployment))[:300]
    heavy = [row._replace(user="user with everything") for row in corpus] * 3
    with_, without = (
        pipeline.release(setting, rows, SystemBits(), None).sketch for rows in ([*corpus, *heavy], corpus)
    )
    moved = [a - b for a, b in zip(with_, without, strict=True)]
    assert min(moved) >= 0
    assert bound - 60 < sum(moved) <= bound


REAL = {
    "cfpb/laplace": ("cfpb_multi", ("product", "issue", "sub_issue"), 50),
    "cfpb/gaussian": ("cfpb_multi", ("product", "issue", "sub_issue"), 50),
    "cfpb/top-l": ("cfpb_multi", ("product", "issue", "sub_issue"), 50),
    "banking/laplace": ("banking77", ("intent",), 77),
    "vehicles/laplace": ("nhtsa_porsche", ("component",), 40),
}
PAGES = Path(__file__).parents[2] / "docs" / "examples"


def test_every_real_example_is_tried():
    deployments = [path for path in PAGES.rglob("*.yaml") if b"dpspin-deployment/" in path.read_bytes()]
    assert {str(path.relative_to(PAGES).with_suffix("")) for path in deployments} == set(REAL)


@pytest.mark.parametrize("name", REAL)
def test_real_rows_rebuild_the_declared_files_and_give_a_plan_in_words(name, data_dir):
    """universe.json and weights.json of real text are not committed; their digests are, so this rebuilds both."""
    source, labels, size = REAL[name]
    declared = (PAGES / f"{name}.yaml").read_bytes()
    terms = deployment.load(declared, name)
    with (data_dir / f"{source}.jsonl.gz").open("rb") as stream:
        jsonl.validate(stream, source)
        rows = jsonl.Lines(stream, source, jsonl.fields_of(terms))
        fitted = fit.build(split.auxiliary(rows, terms.corpus.split), labels, size, terms.assignment.rule)
        files = {
            "universe.json": universe.encode(fitted.universe),
            "weights.json": representation.encode(fitted.weights),
        }
        setting = pipeline.load(declared, name, files.__getitem__)
        released = pipeline.release(setting, rows, SystemBits(), "0001")
    read = plan.decode(released.bundle["plan.json"], "plan.json")
    assert read.terms.stamp is None
    assert len(read.atoms) == terms.plan.size
    assert Verifier(read).verify(released.bundle["summary.txt"].decode()).accepted
    assert sum(released.sketch) > 0.9 * released.counts["protected"] * 2**20


def test_a_source_that_only_looks_like_the_systems_is_stamped():
    class Alike(SystemBits):
        def words(self, n):
            return SeededBits(b"known").words(n)

    assert b"NON-PRIVATE" in pipeline.release(SETTING, [], Alike(), None).bundle["plan.json"]


class Nothing:
    """A source that adds no noise and admits the first atoms."""

    def laplace(self, values, scale, *, label):
        return list(values)

    gaussian = laplace

    def peel(self, scores, exponent, rounds, *, label):
        return list(range(rounds))


def test_a_release_under_noise_from_outside_is_exact_and_stamped_everywhere():
    found = pipeline.release_with(SETTING, CORPUS, Nothing())
    read = plan.decode(found.bundle["plan.json"], "plan.json")
    assert read.terms.stamp == plan.INJECTED
    assert all(mass == found.sketch[atom] for atom, mass in read.pairs)
    assert all(plan.INJECTED.encode() in found.bundle[name] for name in ("plan.json", "summary.txt"))
    rows = transcript.decode(found.bundle["transcript.jsonl"], "transcript.jsonl")
    assert {row["charge"] for row in rows} == {None}
    assert found.sketch == pipeline.release(SETTING, CORPUS, SystemBits(), None).sketch


def test_nothing_but_the_stamp_sets_it_apart_from_a_release():
    injected = pipeline.release_with(SETTING, CORPUS, Nothing()).bundle
    real = pipeline.release(SETTING, CORPUS, SystemBits(), None).bundle
    trees = [json.loads(bundle["plan.json"]) for bundle in (injected, real)]
    assert trees[0].keys() == trees[1].keys()
    changed = {name for name in trees[0] if trees[0][name] != trees[1][name]}
    assert changed == {"stamp", "released", "plan_id"}
    assert set(injected) == set(real)


OWN = """
def by_words(text, labels):
    words = set(text.casefold().split())
    return [len(words & set(label.casefold().split())) for label in labels]
"""


def with_own_scores(source=OWN, pinned=OWN):
    """The embedded deployment with a function of the deployer's own; `pinned` is what the digest is of."""
    weights = SETTING.deployment.assignment.weights
    declared = (
        FILES["deployment.yaml"].decode().replace("rule: centroid", 'rule: "maps:by_words"')
        .replace(weights.file, "maps.py").replace(weights.sha256, canonical.digest(pinned.encode()))
    )  # fmt: skip
    files = FILES | {"maps.py": source.encode()}
    return pipeline.load(declared.encode(), "deployment.yaml", files.__getitem__)


def test_scores_by_a_function_of_ones_own_are_bounded_by_the_kernel_and_stay_with_the_curator():
    released = pipeline.release(with_own_scores(), CORPUS, SeededBits(b"a"), None)
    texts = [found.text for _, found in intake.protected(CORPUS, SETTING.deployment, Counter()) if found.text]
    some = [0] * len(SETTING.universe)
    for text in texts:
        words = set(text.casefold().split())
        scores = [len(words & set(label.casefold().split())) for label in SETTING.universe.labels]
        some = kernel.add([some, kernel.contribution(scores, 3, MASS_UNIT)], len(some))
    assert released.sketch == some
    assert sum(some) > 10 * MASS_UNIT
    assert all(b"by_words(" not in data for data in released.bundle.values())


def test_a_function_that_fails_on_some_records_changes_no_message_and_no_count_but_the_curators():
    failing = OWN.replace("    words", "    if 'fee' in text: raise ValueError(text)\n    words", 1)
    released = pipeline.release(with_own_scores(failing, failing), CORPUS, SeededBits(b"a"), None)
    whole = pipeline.release(with_own_scores(), CORPUS, SeededBits(b"a"), None)
    assert set(released.bundle) == set(whole.bundle)
    assert released.counts["protected_without_mass"] > whole.counts["protected_without_mass"]


def test_the_file_of_a_function_has_to_be_the_one_that_the_rule_names():
    declared = FILES["deployment.yaml"].replace(b"rule: centroid", b'rule: "maps:by_words"')
    with pytest.raises(UsageError) as caught:
        pipeline.load(declared, "deployment.yaml", FILES.__getitem__)
    place = "deployment.yaml: assignment.weights.file"
    assert str(caught.value) == f"{place}: 'maps:by_words' is not in 'weights.json'; write maps.py"


def test_another_function_than_the_pinned_one_does_not_run():
    with pytest.raises(IntegrityError, match=r"maps\.py"):
        with_own_scores(source="raise SystemExit(9)")


def test_a_charged_universe_stands_in_the_transcript_under_its_own_charge():
    data = embedded.files()["deployment.yaml"].replace(
        b"provenance: auxiliary", b'provenance: charged\n  charge: {epsilon: "1/2", delta: "0"}'
    )
    files = embedded.files()
    setting = replace(pipeline.load(data, "deployment.yaml", files.__getitem__), universe_charge="0004")
    bundle = pipeline.release(setting, CORPUS, SystemBits(), "0007").bundle
    rows = transcript.decode(bundle["transcript.jsonl"], "transcript.jsonl")
    assert [(row["role"], row["charge"]) for row in rows[:3]] == [("public", None), ("dp", "0004"), ("dp", "0007")]
    read = plan.decode(bundle["plan.json"], "plan.json")
    unpaid = replace(setting, universe_charge=None)
    assert pipeline.publish_again(read, unpaid, "0007", rows) == bundle
    for wrong in ("0007", "0000", "12", "a text", None):
        rows[1]["charge"] = wrong
        again = transcript.decode(pipeline.publish_again(read, unpaid, "0007", rows)["transcript.jsonl"], "t")
        assert (again[1]["role"], again[1]["charge"]) == ("dp", None)
