"""Strangers' plans and texts: an answer to every line, and none accepted that could not be judged."""

import io
import json

import pytest

from dpspin_audits.verify import batch

PLAN = {
    "plan_id": "p1",
    "universe": [{"index": at, "label": label} for at, label in enumerate(("dry skin", "dry skin care", "fees"))],
    "released": [
        {"index": 0, "label": "dry skin", "noisy_mass": 118.4, "support": 0.059, "bin": "moderate", "rank": 1},
        {"index": 2, "label": "fees", "noisy_mass": "3.25", "support": "0.002", "bin": "below noise floor", "rank": 2},
    ],
    "public_denominator": 2000,
    "bins": [
        {"name": "below noise floor", "lower": None}, {"name": "low", "lower": 0}, {"name": "moderate", "lower": 0.05}
    ],
    "margin": 25, "plan_size": 2, "mechanism": "gaussian", "epsilon": 1.0, "delta": "1e-5",
    "display": {"mass_dp": 1, "support_dp": 3},
}  # fmt: skip


def case(text, case_id="c", **plan):
    return json.dumps({"case_id": case_id, "plan": PLAN | plan, "text": text}).encode() + b"\n"


def judged(*lines):
    """Answers as trees, and the exit code."""
    answers = list(batch.answers(io.BytesIO(b"".join(lines))))
    assert all(answer.line.count(b"\n") == 1 for answer in answers)
    return [json.loads(answer.line) for answer in answers], max((answer.code for answer in answers), default=0)


def accepts(text, **plan):
    (tree,), code = judged(case(text, **plan))
    assert (code, tree["accept"]) == (0, not tree["violations"])
    return tree["accept"]


@pytest.mark.parametrize("text", [
    "dry skin has noisy mass 118.4.", "dry skin is in the moderate bin.", "fees is below the noise floor.",
    "dry skin has more support than fees.", "Epsilon is 1 and delta is 1e-5.", "The public denominator is 2,000.",
    "The plan releases 2 themes: dry skin and fees.",
])  # fmt: skip
def test_true_sentences_about_a_strangers_plan_are_accepted(text):
    assert accepts(text)


@pytest.mark.parametrize("text", [
    "dry skin has noisy mass 118.5.", "dry skin care ranks first.", "fees is in the low bin.", "", "Fees rise.",
    "fees has more support than dry skin.", "Epsilon is 2 and delta is 1e-5.", "118.4", "\u202edry skin ranks first.",
])  # fmt: skip
def test_other_sentences_are_not(text):
    assert not accepts(text)


def test_float_masses_are_judged_as_written_and_noted_beside_the_answer():
    row = PLAN["released"][0] | {"noisy_mass": 118.39999999999318, "support": 0.05919999999999659}
    lines = case("dry skin has noisy mass 118.4.", released=[row]), case("fees ranks second.")
    floats, other = batch.answers(io.BytesIO(b"".join(lines)))
    assert json.loads(floats.line) == {"case_id": "c", "accept": True, "violations": []}
    assert (floats.has_floats, other.has_floats) == (True, False)
    assert not accepts("dry skin has noisy mass 118.3.", released=[row])


def test_an_answer_has_the_pinned_fields():
    (good, bad), code = judged(case("dry skin ranks first."), case("dry skin ranks second.", 7))
    assert good == {"case_id": "c", "accept": True, "violations": []}
    assert (bad["case_id"], bad["accept"], code) == (7, False, 0)
    assert bad["violations"] == [{
        "step": 10, "rule": "unsupported claim", "span": [0, 22], "claim": "dry skin ranks second.", "found": "rank 1"
    }]  # fmt: skip


@pytest.mark.parametrize(("plan", "words"), [
    ({"margin": None}, "margin"), ({"margin": "wide"}, "margin"), ({"margin": float("nan")}, "NaN is not JSON"),
    ({"public_denominator": "NaN"}, "public_denominator"), ({"public_denominator": 0}, "public_denominator"),
    ({"extra": 1}, "extra: unknown field"), ({"released": PLAN["released"][:1] * 2}, "stands twice"),
    ({"released": [PLAN["released"][0] | {"bin": "low"}]}, "does not follow"), ({"bins": []}, "bins"),
    ({"released": [PLAN["released"][0] | {"index": 9}]}, "outside the universe"), ({"universe": []}, "universe"),
    ({"universe": [{"index": at, "label": "fees"} for at in range(3)]}, "does not follow"),
    ({"released": PLAN["released"] * 1001}, "2002 atoms"), ({"display": {"mass_dp": 50}}, "display"),
    ({"universe": [*PLAN["universe"], {"index": 3, "label": "FEES"}]}, "reads like atom 2"),
])  # fmt: skip
def test_a_plan_that_cannot_be_used_is_an_answer_and_no_failure(plan, words):
    (tree,), code = judged(case("dry skin ranks first.", **plan))
    assert (tree["case_id"], tree["accept"], code) == ("c", False, 0)
    assert words in tree["violations"][0]["found"]
    assert tree["violations"][0]["step"] == 0


@pytest.mark.parametrize("field", [name for name in PLAN if name != "display"])
def test_a_missing_field_of_the_plan_is_named(field):
    line = json.dumps({"case_id": "c", "plan": {k: v for k, v in PLAN.items() if k != field}, "text": "x"}).encode()
    (tree,), _ = judged(line)
    assert f"plan: {field}: missing" in tree["violations"][0]["found"]


@pytest.mark.parametrize("line", [
    b"not JSON", b"[]", b"7", b'"x"', b"{", b"\xff\xfe", b"{}", b'{"case_id":null}', b'{"case_id":1.5}', b"[" * 10**5,
    b'{"case_id":true,"plan":{},"text":""}', b'{"case_id":"\\ud800"}', b'{"case_id":NaN}',
])  # fmt: skip
def test_a_line_that_is_no_case_has_an_answer_without_id_and_the_others_theirs(line):
    (bad, good), code = judged(line + b"\n", case("dry skin ranks first."))
    assert (bad["case_id"], bad["accept"], code) == (None, False, 2)
    assert "line 1" in bad["violations"][0]["found"]
    assert good["accept"]


@pytest.mark.parametrize("rest", [
    b'"plan":{},"text":"x"', b'"plan":3,"text":"x"', b'"text":"x"', b'"plan":{},"text":7',
    b'"plan":{},"text":"\\ud800"', b'"plan":{"margin":NaN},"text":"x"', b'"plan":{},"plan":{},"text":"x"',
    b'"plan":{"a":' + b"9" * 5000 + b'},"text":""',
    b'"plan":{"a":1e999999999},"text":""',
])  # fmt: skip
def test_a_bad_case_with_an_id_is_answered_under_its_id(rest):
    (tree,), code = judged(b'{"case_id":"c",' + rest + b"}\n")
    assert (tree["case_id"], tree["accept"], code) == ("c", False, 0)


def test_a_byte_order_mark_costs_its_line_alone():
    trees, code = judged(b"\xef\xbb\xbf" + case("dry skin ranks first."), case("dry skin ranks first."))
    assert ([(tree["case_id"], tree["accept"]) for tree in trees], code) == ([("c", False), ("c", True)], 0)


def test_blank_lines_and_carriage_returns_do_not_matter():
    trees, code = judged(b"\n", case("dry skin ranks first.").replace(b"\n", b"\r\n"), b" \n", case("x")[:-1])
    assert ([tree["accept"] for tree in trees], code) == ([True, False], 0)


def test_an_overlong_line_is_passed_over_without_being_kept(monkeypatch):
    monkeypatch.setattr(batch, "LONGEST_LINE", len(case("dry skin ranks first.")))
    trees, code = judged(b"x" * 5000 + b"\n", case("dry skin ranks first."), b"y" * 5000)
    assert ([tree["accept"] for tree in trees], code) == ([False, True, False], 2)
    assert "line 1: more than" in trees[0]["violations"][0]["found"]


def test_lines_are_read_one_by_one():
    class Stream:
        left = 3

        def readline(self, _):
            self.left -= 1
            return case("dry skin ranks first.") if self.left >= 0 else b""

    stream = Stream()
    answers = batch.answers(stream)
    next(answers)
    assert stream.left == 2


def test_few_verifiers_are_kept_and_equal_plans_share_one():
    judge = batch.Judge()
    for number in range(batch.KEPT + 5):
        judge.answer(case("x", plan_id=str(number)), 1)
    assert len(judge._verifiers) == batch.KEPT
    kept = list(judge._verifiers.values())
    judge.answer(case("y", plan_id=str(batch.KEPT + 4)), 1)
    assert list(judge._verifiers.values()) == kept


def test_plans_that_print_alike_are_told_apart():
    row = PLAN["universe"][2]
    texts = [
        case("dry skin ranks first.", universe=[*PLAN["universe"][:2], row | {"description": d}]) for d in ("7", 7)
    ]
    trees, _ = judged(*texts)
    assert [tree["accept"] for tree in trees] == [True, False]


def test_public_texts_are_accepted_verbatim_and_unusable_ones_are_judged_as_claims():
    texts = {"good": "Values are noisy.", "claim": "dry skin ranks second.", "names": "dry skin care is common."}
    assert accepts("Values are noisy. dry skin ranks first.", public_text=texts)
    assert not accepts("dry skin ranks second.", public_text=texts)
    assert not accepts("dry skin care is common.", public_text=texts)
    assert not accepts("Values are very noisy.", public_text=texts)


def test_too_many_unusable_public_texts_are_a_finding():
    texts = {f"t{at}": "fees" for at in range(batch.MOST_LEFT_OUT + 5)}
    (tree,), _ = judged(case("dry skin ranks first.", public_text=texts))
    assert not tree["accept"]


def test_a_failure_at_one_case_costs_no_other(monkeypatch):
    real = batch.verifier_of

    def broken(tree):
        if tree["plan_id"] == "bad":
            raise RuntimeError("values of a plan")
        return real(tree)

    monkeypatch.setattr(batch, "verifier_of", broken)
    trees, code = judged(case("x", plan_id="bad"), case("dry skin ranks first."))
    assert ([tree["accept"] for tree in trees], code) == ([False, True], 70)
    assert trees[0]["violations"][0] | {"found": "RuntimeError"} == trees[0]["violations"][0]
