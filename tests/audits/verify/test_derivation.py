"""Every defect of a bundle is named by file, line and rule; a bundle without one has no finding."""

import json
from fractions import Fraction
from functools import partial
from operator import methodcaller

import pytest

from dpspin import canonical, plan
from dpspin.corpus import embedded
from dpspin.decimals import exact
from dpspin_audits.verify import derivation

D, U, P, S, T = "deployment.yaml", "universe.json", "plan.json", "summary.txt", "transcript.jsonl"


@pytest.mark.parametrize("example", embedded.EXAMPLES)
def test_an_untouched_bundle_has_no_finding(release, example):
    found = derivation.verify(release(example))
    assert (found.findings, found.left_out, found.stamp) == ((), (), plan.SEEDED)
    assert {row[2] for row in found.objects} == {"declared", "charge 0001", "derived"}


def test_objects_on_record_say_what_covers_them(bundle):
    found = derivation.verify(bundle, bundle[D])
    assert (found.findings, found.stamp) == ((), plan.SEEDED)
    assert found.objects == (
        (D, "public", "declared"), (U, "public", "declared"), (P, "dp", "charge 0001"),
        ("prompt-1", "post-processing", "derived"), ("draft-1", "post-processing", "derived"),
        ("feedback-1", "post-processing", "derived"), (S, "post-processing", "derived"),
    )  # fmt: skip


def line_with(data, words):
    return next(number for number, line in enumerate(data.split(b"\n"), 1) if words in line)


def swapped(first, second):
    def swap(data):
        lines = data.split(b"\n")
        one, other = line_with(data, first) - 1, line_with(data, second) - 1
        lines[one], lines[other] = lines[other], lines[one]
        return b"\n".join(lines)

    return swap


def without(words):
    return lambda data: b"\n".join(line for line in data.split(b"\n") if words not in line)


def of_row(number, **fields):
    return lambda lines: lines[number].update(fields)


def raise_mass(tree):
    row = tree["released"][0]
    row["noisy_mass"] = exact(Fraction(row["noisy_mass"]) + 32)


plan_as, text_as, record_as, bytes_as, declared_as = (
    partial(methodcaller, name) for name in ("plan", "text", "record", "bytes", "declared")
)
DEFECTS = {
    # the plan, with everything that a forger can mend mended
    "edited mass": (plan_as(raise_mass), (P, 1, "does not follow"), "released.0.support"),
    "edited support": (plan_as(lambda t: t["released"][1].update(support="1")), (P, 1, "does not follow"), "1.support"),
    "edited bin": (plan_as(lambda t: t["released"][0].update(bin="odd")), (P, 1, "does not follow"), "released.0.bin"),
    "wrong rank": (plan_as(lambda t: t["released"][2].update(rank=9)), (P, 1, "does not follow"), "released.2.rank"),
    "exchanged rows": (plan_as(lambda t: t["released"].reverse()), (P, 1, "does not follow"), "released.0.index"),
    "another label": (plan_as(lambda t: t["released"][0].update(label="x")), (P, 1, "does not follow"), "0.label"),
    "an atom less": (plan_as(lambda t: t["released"].pop()), (P, 1, "plan"), "9 atoms"),
    "mass off the lattice": (plan_as(lambda t: t["released"][0].update(noisy_mass="70.1")), (P, 1, "plan"), "lattice"),
    "mass as NaN": (plan_as(lambda t: t["released"][0].update(noisy_mass="NaN")), (P, 1, "plan"), "released masses"),
    "mass too long to read": (
        plan_as(lambda t: t["released"][0].update(noisy_mass="1e999999999")), (P, 1, "plan"), "no released masses"
    ),
    "another noise floor": (plan_as(lambda t: t.update(noise_floor="1")), (P, 1, "not as declared"), "noise_floor"),
    "another margin": (plan_as(lambda t: t.update(margin="0")), (P, 1, "not as declared"), "margin"),
    "another epsilon": (plan_as(lambda t: t.update(epsilon="0.1")), (P, 1, "not as declared"), "epsilon"),
    "a description more": (
        plan_as(lambda t: t["universe"][0].update(description="x")), (P, 1, "unknown"), "universe.0.description"
    ),
    "an unknown stamp": (plan_as(lambda t: t.update(stamp="n = 2478")), (P, 1, "stamp"), "n = 2478"),
    "seed field": (plan_as(lambda t: t.update(noise_seed=7)), (P, 1, "seed"), "noise_seed"),
    "time stamp": (plan_as(lambda t: t.update(released_at="2026-01-01")), (P, 1, "time stamp"), "released_at"),
    "record count": (plan_as(lambda t: t.update(effective_records=2478)), (P, 1, "record count"), "effective_records"),
    "count in a row": (plan_as(lambda t: t["released"][0].update(n=3)), (P, 1, "record count"), "released.0.n"),
    "digest of data": (plan_as(lambda t: t.update(corpus_sha256="0" * 64)), (P, 1, "digest of data"), "corpus_sha256"),
    "true mass": (plan_as(lambda t: t.update(exact_mass="3")), (P, 1, "curator's metrics"), "exact_mass"),
    "absolute path": (plan_as(lambda t: t.update(corpus_path="/x")), (P, 1, "machine path"), "corpus_path"),
    "a field less": (plan_as(lambda t: t.pop("margin")), (P, 1, "missing field"), "margin"),
    "another plan id": (
        bytes_as(P, lambda d: d.replace(b'"plan_id":"', b'"plan_id":"0', 1)), (P, 1, "does not follow"), "plan_id"
    ),
    "a blank in the plan": (bytes_as(P, lambda d: d.replace(b",", b", ", 1)), (P, 1, "not canonical"), "blanks"),
    "duplicate key": (bytes_as(P, lambda d: b'{"margin":"0",' + d[1:]), (P, 1, "plan"), "a key stands twice"),
    "plan with a byte order mark": (bytes_as(P, lambda d: b"\xef\xbb\xbf" + d), (P, 1, "encoding"), "byte order mark"),
    "plan not mended": (plan_as(raise_mass, mend=False), (P, None, "digest"), "line 3 of transcript.jsonl"),
    "plan cut in half": (bytes_as(P, lambda d: d[: len(d) // 2]), (P, 1, "plan"), "not strict JSON"),
    # the summary
    "edited sentence": (
        text_as(lambda d: d.replace(b"rank 1\n", b"rank 2\n")), (S, "rank 2", "step 10: unsupported claim"), "rank 1"
    ),
    "true sentence more": (
        text_as(lambda d: d + b"Epsilon is 1.\n"), (S, "Epsilon is 1.", "cannot be derived"), "Epsilon is 1."
    ),
    "swapped lines": (
        text_as(swapped(b"rank 3", b"rank 4")),
        (S, "rank 3", "step 9: list out of order"), "rank",
    ),
    "dropped line": (
        text_as(without(b"rank 2")), (S, "rank 3", "cannot be derived"), "Name, address"
    ),
    "a sentence about people": (
        text_as(lambda d: d + b"Most customers complained.\n"), (S, "Most", "step 8: not in the language"), "Most"
    ),
    "summary not mended": (text_as(lambda d: d[:-1], mend=False), (S, None, "digest"), "line 7 of transcript.jsonl"),
    "summary with CRLF": (
        text_as(lambda d: d.replace(b"\n", b"\r\n"), mend=False), (S, 1, "encoding"), "carriage return"
    ),
    "summary with a byte order mark": (
        text_as(lambda d: b"\xef\xbb\xbf" + d), (S, 1, "encoding"), "byte order mark"
    ),
    "summary not UTF-8": (text_as(lambda d: d + b"\xff", mend=False), (S, None, "encoding"), "not UTF-8"),
    # the record
    "wrong role": (record_as(of_row(2, role="public")), (T, 3, "role"), "plan.json: 'public', where dp follows"),
    "charge missing": (record_as(of_row(2, charge=None)), (T, 4, "charge"), "'0001', where None follows"),
    "charge on a public file": (record_as(of_row(0, charge="0001")), (T, 1, "charge"), "where None follows"),
    "charge that says more": (record_as(of_row(2, charge="2478 people")), (T, 3, "charge"), "no id of a ledger"),
    "edited prompt": (
        record_as(of_row(3, text='{"attempt":1,"n":2478}\n')), (T, 4, "cannot be derived"), "prompt-1: another text"
    ),
    "edited draft": (record_as(of_row(4, text="Other words.\n")), (T, 5, "cannot be derived"), "draft-1: another text"),
    "edited feedback": (record_as(of_row(5, text="{}\n")), (T, 6, "cannot be derived"), "feedback-1: another text"),
    "an object dropped": (record_as(lambda rows: rows.pop(3)), (T, 4, "cannot be derived"), "where prompt-1"),
    "an object more": (
        record_as(lambda rows: rows.insert(6, dict(rows[4], name="notes"))), (T, 7, "cannot be derived"), "'notes'"
    ),
    "objects swapped": (
        record_as(lambda rows: rows.insert(0, rows.pop(1))), (T, 1, "cannot be derived"), "'universe.json', where"
    ),
    "cut at a line": (bytes_as(T, lambda d: b"".join(d.splitlines(True)[:3])), (T, 3, "chain"), "ends before summary"),
    "cut in half": (bytes_as(T, lambda d: d[: len(d) // 2]), (T, None, "chain"), "not strict JSON"),
    "empty transcript": (bytes_as(T, lambda d: b""), (T, 1, "chain"), "ends before summary.txt"),
    "line swapped": (bytes_as(T, swapped(b"\"order\":4", b"\"order\":5")), (T, 4, "chain"), "another order"),
    "line edited": (bytes_as(T, lambda d: d.replace(b'"order":2', b'"order":3')), (T, 2, "chain"), "another order"),
    "text edited": (bytes_as(T, lambda d: d.replace(b"rank 1", b"rank 2")), (T, 5, "chain"), "another text"),
    "field in the record": (
        bytes_as(T, lambda d: d.replace(b'"order":4', b'"order":4,"seconds":7')), (T, 4, "time stamp"), "'seconds'"
    ),
    # what was declared
    "changed deployment": (
        bytes_as(D, lambda d: d.replace(b'epsilon: "1"', b'epsilon: "2"')), (P, 1, "not as declared"), "epsilon"
    ),
    "changed deployment, mended": (declared_as(b'"0.05"', b'"0.5"'), (P, 1, "not as declared"), "noise_floor"),
    "deployment not mended": (bytes_as(D, lambda d: d + b"\n"), (D, None, "digest"), "line 1 of transcript.jsonl"),
    "seed in the deployment": (declared_as(b"\nbudget:", b"\nseed: 7\nbudget:"), (D, "seed: 7", "seed"), "unknown"),
    "count in a comment": (declared_as(b"# B: most", b"# n = 2478; most"), (D, "n = 2478", "record count"), "n = 2478"),
    "digest in a comment": (
        declared_as(b"# L: atoms", b"# " + b"ab" * 32), (D, "ab" * 32, "digest of data"), "abab"
    ),
    "time in a comment": (
        declared_as(b"# L: atoms", b"# run 2026-01-15T09:30"), (D, "run 2026", "time stamp"), "2026-01-15T09:30"
    ),
    "path in a note": (
        declared_as(b"note: Product", b"note: see /srv/complaints/all.jsonl"), (D, "/srv", "machine path"), "/srv/"
    ),
    "deployment with a byte order mark": (
        bytes_as(D, lambda d: b"\xef\xbb\xbf" + d), (D, 1, "encoding"), "byte order mark"
    ),
    "deployment with a wrong value": (
        declared_as(b"max_attempts: 3", b"max_attempts: none"), (D, "max_attempts: none", "deployment"), "max_attempts"
    ),
    "real people, no charge": (
        lambda b: b.forge(
            lambda rows: [row.update(charge=None) for row in rows],
            {D: b.files[D].replace(b"synthetic: true", b"synthetic: false")},
        ),
        (T, 3, "charge"), "not declared synthetic",
    ),
    "changed universe": (bytes_as(U, lambda d: d.replace(b"Mortgage", b"mortgage", 1)), (U, None, "digest"), "where"),
    "universe with supports": (
        bytes_as(U, lambda d: d.replace(b'{"label"', b'{"count":7,"label"', 1)), (U, None, "universe"), "not an atom"
    ),
}  # fmt: skip
"""Name -> how the bundle is broken, where and by which rule it must be found, and words of the finding."""
INTEGRITY = {"digest", "chain"}


@pytest.mark.parametrize("defect", DEFECTS)
def test_a_defect_is_named(bundle, breaker, defect):
    broken, (file, line, rule), words = DEFECTS[defect]
    files = broken(breaker)
    assert files != bundle
    found = derivation.verify(files)
    if isinstance(line, str):
        line = line_with(files[file], line.encode())
    named = [f for f in found.findings if f.file == file and f.rule == rule and words in f.found]
    assert named, found.findings
    assert line is None or line in {f.line for f in named}, named
    assert all(f.integrity == (f.rule in INTEGRITY) for f in found.findings)
    assert all(len(f.found) < 400 and f.found.isprintable() for f in found.findings)


@pytest.mark.parametrize("name", [D, U, P, S, T])
@pytest.mark.parametrize("data", [b"", b"\x00", b"{}", b"[]", b"7\n", b"null\n", b'{"released":[{}]}\n', b"\xff\xfe"])
def test_any_bytes_in_place_of_a_file_are_a_finding_and_no_error(bundle, name, data):
    assert any(f.file == name for f in derivation.verify(bundle | {name: data}).findings)


def test_a_deployment_kept_elsewhere_shows_what_a_mended_bundle_hides(bundle, breaker):
    files = breaker.declared(b'epsilon: "3"', b'epsilon: "30"')
    assert derivation.verify(files).findings == ()
    found = derivation.verify(files, bundle[D])
    assert [(f.file, f.rule, f.integrity) for f in found.findings] == [(D, "digest", True)]


def test_a_demonstration_on_generated_records_needs_no_charge(breaker):
    free = breaker.forge(lambda rows: [row.update(charge=None) for row in rows])
    assert derivation.verify(free).findings == ()
    assert derivation.verify(free).objects[2] == (P, "dp", "charge none (generated records)")


def test_what_an_earlier_finding_made_impossible_is_said(bundle):
    assert derivation.verify(bundle | {D: b"x"}).left_out == ("7 plan", "8 record")
    assert derivation.verify(bundle | {P: b"x"}).left_out == ("8 record",)


def test_a_plan_that_another_release_drew_fits_no_summary_of_this_one(release, breaker):
    other = release("laplace-add-drop")
    found = derivation.verify(breaker.forge(files={P: other[P]}))
    assert {(f.file, f.rule) for f in found.findings} >= {(S, "cannot be derived"), (T, "cannot be derived")}


def test_what_the_hygiene_check_finds_elsewhere_is_kept(bundle):
    found = derivation.verify(bundle | {"metrics.json": b"{}"})
    assert [(f.file, f.rule) for f in found.findings] == [("metrics.json", "hygiene")]


def test_a_file_that_is_not_what_the_record_lists_is_not_derived(breaker):
    found = derivation.verify(breaker.text(lambda data: data + b"Epsilon is 1.\n", mend=False))
    assert [row[0] for row in found.objects if row[2] == "not derived"] == [S]


def test_every_prompt_names_the_plan_beside_it(bundle):
    prompts = [json.loads(row["text"]) for row in map(json.loads, bundle[T].splitlines()) if "prompt" in row["name"]]
    assert prompts
    assert all(prompt["plan_sha256"] == canonical.digest(bundle[P]) for prompt in prompts)
