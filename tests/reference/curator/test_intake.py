"""From a corpus to its sketch: units, halves, selection, and memory that does not grow with the corpus."""

import io
import json
from collections import Counter
from fractions import Fraction

import pytest

from dpspin import deployment, kernel, universe
from dpspin.adjacency import MASS_UNIT
from dpspin.corpus import embedded, representation, split
from dpspin.corpus.jsonl import Fields, Lines, Record
from dpspin.curator import intake
from dpspin.settings import Exact

FILES = embedded.files(embedded.USER)
USERS = deployment.load(FILES["gaussian-users.yaml"], "gaussian-users.yaml")
RECORDS = deployment.load(embedded.files()["deployment.yaml"], "deployment.yaml")
WEIGHTS = representation.decode(FILES["weights.json"], "weights.json")
WIDTH = len(universe.decode(FILES["universe.json"], "universe.json"))
CORPUS = list(embedded.corpus(USERS))[:600]
SIDES = ("auxiliary", "not_selected", "protected")


def record(id_, user, text="late fees on my card"):
    return Record(id_, text, user, {})


def exact(records, terms=USERS):
    return intake.exact_sketch(records, terms, WEIGHTS, Counter())


def specification(records, terms):
    """The sketch by the kernel's own specification, from who owns what."""
    halves, corpus = terms.corpus.split, terms.corpus
    owned = {}
    for row in records:
        unit = split.unit_of(row, terms.user)
        if unit is None or split.belongs(halves.key, halves.auxiliary_share, unit):
            continue
        if split.belongs(corpus.selection_key, corpus.sampling_rate, unit):
            owned.setdefault(unit, []).append(kernel.contribution(WEIGHTS.scores(row.text), 3, MASS_UNIT))
    shares = [(number, share) for number, parts in enumerate(owned.values()) for share in parts]
    return kernel.user_sketch(shares, int(terms.mass_bound * MASS_UNIT), WIDTH)


def test_the_user_sketch_is_the_specification_and_clips_per_user():
    assert exact(CORPUS) == specification(CORPUS, USERS)
    unclipped = exact(CORPUS, USERS.model_copy(update={"mass_bound": Exact("1000")}))
    assert sum(exact(CORPUS)) < sum(unclipped)


def test_several_passes_give_the_same_sketch_and_the_same_counts(monkeypatch):
    whole, parts = Counter(), Counter()
    wanted = intake.exact_sketch(CORPUS, USERS, WEIGHTS, whole)
    monkeypatch.setattr(intake, "RECORDS_AT_ONCE", 50)
    seen = []
    real = intake.user_sketch

    def counted(scores, *rest):
        rows = list(scores)
        seen.append({unit for unit, _ in rows})
        return real(rows, *rest)

    monkeypatch.setattr(intake, "user_sketch", counted)
    assert intake.exact_sketch(CORPUS, USERS, WEIGHTS, parts) == wanted
    assert parts == whole
    halves = 1 - USERS.corpus.split.auxiliary_share
    assert len(seen) == 1 + int(len(CORPUS) * halves * USERS.corpus.sampling_rate / 50) > 6
    assert not any(a & b for n, a in enumerate(seen) for b in seen[:n])
    assert max(map(len, seen)) < len(set().union(*seen)) / 2


@pytest.mark.parametrize("terms", [USERS, RECORDS], ids=["users", "records"])
def test_records_are_chosen_before_they_are_scored(terms):
    chosen, scored = Counter(), Counter()
    rows = [record(None, None), record("a", ""), record("b", "u", None), *CORPUS]
    found = list(intake.protected(rows, terms, chosen))
    assert [(unit, WEIGHTS.scores(row.text)) for unit, row in found] == list(
        intake.protected_scores(rows, terms, WEIGHTS, scored)
    )
    assert chosen == Counter({name: n for name, n in scored.items() if name != "protected_without_mass"})
    assert 0 < len(found) == chosen["protected"] < len(rows)


def test_records_that_can_be_read_once_are_read_once():
    assert exact(iter(CORPUS)) == exact(CORPUS)


class Again:
    """Records that can be read as often as one likes, and do not say how many they are."""

    def __init__(self, rows):
        self.rows, self.read = rows, 0

    def __iter__(self):
        self.read += 1
        return iter(self.rows)


def test_records_of_unknown_number_are_read_once(monkeypatch):
    monkeypatch.setattr(intake, "RECORDS_AT_ONCE", 50)
    again = Again(CORPUS)
    assert exact(again) == exact(CORPUS)
    assert again.read == 1


HOSTILE = [
    {"id": "a", "user": "u", "text": "late fees on my card"},
    {"id": "a", "user": "u", "text": "late fees on my card"},
    {"id": "b", "user": "u ", "text": "a loan"},
    {"id": "c", "user": "\ud83d\ude00\x00\n", "text": "\u2028late \u212aards\x85 fees"},
    {"id": "d", "user": "", "text": "a mortgage payment"},
    {"id": None, "user": None, "text": "a mortgage payment"},
    {"user": ["u"], "text": {"user": "u"}, "id": 7},
    {"id": "e", "user": "v", "text": None},
    {"id": "f", "user": "v", "text": "xxxx XXXX"},
    {"id": "g", "user": "w" * 10_000, "text": "credit report " * 5_000},
    {},
]


@pytest.mark.parametrize("missing", ["drop", "own_unit"])
@pytest.mark.parametrize("at_once", [1, 7, 10**6])
def test_hostile_lines_have_the_sketch_and_the_counts_of_the_specification(monkeypatch, missing, at_once):
    terms = USERS.model_copy(update={"user": USERS.user.model_copy(update={"on_missing_user": missing})})
    lines = [{**row, "id": f"{row['id']}{n}"} if row.get("id") else row for n in range(9) for row in HOSTILE]
    stream = io.BytesIO(b"".join(json.dumps(row).encode() + b"\r\n" for row in lines))
    rows = Lines(stream, "corpus", Fields("id", "text", "user"))
    found, counts = Counter(), Counter()
    assert exact(iter(rows), terms) == specification(list(rows), terms)
    wanted = intake.exact_sketch(iter(rows), terms, WEIGHTS, counts)
    monkeypatch.setattr(intake, "RECORDS_AT_ONCE", at_once)
    assert intake.exact_sketch(rows, terms, WEIGHTS, found) == wanted != [0] * WIDTH
    assert found == counts
    assert found["records"] == len(lines)


def passes(records, terms):
    """How often a corpus is read."""
    again = type("Counted", (Again, list), {})(records)
    again.extend(records)
    exact(again, terms)
    return again.read


def test_the_number_of_passes_follows_from_the_length_and_from_public_shares_alone(monkeypatch):
    monkeypatch.setattr(intake, "RECORDS_AT_ONCE", 25)
    one, many = ([record(f"r{n}", f"u{n % users}") for n in range(120)] for users in (1, 120))
    assert passes(one, USERS) == passes(many, USERS) == 1 + 60 // 25
    less = USERS.model_copy(update={"corpus": USERS.corpus.model_copy(update={"sampling_rate": Fraction(1, 4)})})
    assert passes(one, less) == passes(many, less) == 1


@pytest.mark.parametrize("missing", ["drop", "own_unit"])
def test_records_without_a_user_are_dropped_or_stand_alone_and_are_never_pooled(missing):
    terms = USERS.model_copy(update={"user": USERS.user.model_copy(update={"on_missing_user": missing})})
    lost = [record(f"r{n}", None) for n in range(40)] + [record(f"e{n}", "") for n in range(40)]
    found = exact(lost, terms)
    assert found == specification(lost, terms)
    if missing == "drop":
        assert found == [0] * WIDTH
    else:
        kept = sum(1 for row in lost if exact([row], terms) != [0] * WIDTH)
        assert 20 < kept < 60
        assert max(found) > 2 * terms.mass_bound * MASS_UNIT, "pooled records would be clipped together"


def test_a_record_without_any_id_contributes_nothing_under_either_policy():
    own = USERS.model_copy(update={"user": USERS.user.model_copy(update={"on_missing_user": "own_unit"})})
    assert exact([record(None, None)] * 9, own) == [0] * WIDTH


def test_user_ids_are_compared_exactly():
    names = ["7", "07", "7.0", "7 ", " 7", "Ann", "ann", "ANN", "\u00c5", "A\u030a", "nan", "None"]
    units = {split.unit_of(record(None, name), USERS.user) for name in names}
    assert len(units) == len(names)


def test_a_user_and_a_record_of_the_same_name_are_different_units():
    own = USERS.user.model_copy(update={"on_missing_user": "own_unit"})
    assert split.unit_of(record("x", "a"), own) != split.unit_of(record("a", None), own)


def test_all_records_of_a_user_are_on_one_side_and_selected_together():
    half = USERS.model_copy(update={"corpus": USERS.corpus.model_copy(update={"sampling_rate": Exact("1/2")})})
    sides = {}
    for row in CORPUS:
        counts = Counter()
        intake.exact_sketch([row], half, WEIGHTS, counts)
        sides.setdefault(row.user, set()).update(
            {name for name in ("auxiliary", "not_selected", "protected") if counts[name]}
        )
    assert all(len(side) == 1 for side in sides.values())
    assert set().union(*sides.values()) == {"auxiliary", "not_selected", "protected"}


def test_selection_keeps_about_its_share_and_one_unit_more_moves_no_other():
    half = RECORDS.model_copy(update={"corpus": RECORDS.corpus.model_copy(update={"sampling_rate": Exact("1/2")})})
    counts = Counter()
    base = intake.exact_sketch(CORPUS, half, WEIGHTS, counts)
    assert 0.3 < counts["protected"] / (counts["protected"] + counts["not_selected"]) < 0.7
    for n in range(20):
        more = intake.exact_sketch([*CORPUS, record(f"new{n}", None)], half, WEIGHTS, Counter())
        alone = intake.exact_sketch([record(f"new{n}", None)], half, WEIGHTS, Counter())
        assert [a - b for a, b in zip(more, base, strict=True)] == alone


def test_counts_name_everything_that_was_found():
    counts = Counter()
    rows = [record(None, None), record("a", "u"), record("b", "u", None)]
    intake.exact_sketch(rows, USERS, WEIGHTS, counts)
    assert set(counts) <= set(intake.COUNTED)
    assert counts["records"] == 3
    assert counts["without_unit"] == 1
