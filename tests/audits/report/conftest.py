"""Invented evidence: one full pass, and the ways in which evidence can be partial."""

import copy
import hashlib

import pytest

THEMES = (
    ("Credit reporting, incorrect information", "118.4169921875", "high"),
    ("Debt collection, debt not owed", "92.7099609375", "high"),
    ("Checking account, managing it", "84.0595703125", "high"),
    ("Credit card, fees or interest", "57.3291015625", "moderate"),
    ("Mortgage, payment trouble", "54.1904296875", "moderate"),
    ("Money transfer, fraud or scam", "38.900390625", "moderate"),
    ("Student loan, the servicer", "26.4794921875", "moderate"),
    ("Vehicle loan, repossession", "19.75", "low"),
    ("Prepaid card, unauthorised charge", "12.0595703125", "low"),
    ("Payday loan, charged twice", "5.3701171875", "below noise floor"),
)
NOT_BUILT = "Not part of this version."


def sha(word):
    return hashlib.sha256(word.encode()).hexdigest()


def check(id_, summary, strength, **changes):
    tree = {
        "id": id_, "required": True, "status": "pass", "strength": strength, "summary": summary, "figures": {},
        "location": None, "reproduce": f"dpspin audit deployment.yaml --seed 5e1f08a94b7d22c2 --only {id_}",
        "reason": None, "remedy": None,
    }  # fmt: skip
    return tree | changes


def not_run(id_, reason=NOT_BUILT, **changes):
    missing = {"required": False, "status": "not_run", "reason": reason}
    return check(id_, "Did not run.", "exact", **(missing | changes))


def counts(pair, score, right, bound, detectable):
    return {
        "pair": pair, "score": score, "runs": 65536, "guessed": 53512, "right": right, "alpha": "0.000125",
        "epsilon_at_least": bound, "detectable": detectable,
    }  # fmt: skip


def checks():
    ideal = [
        counts("one record on the first theme", "likelihood ratio", 38864, "0.9412", "1.07"),
        counts("empty against one record", "mass of the first theme", 38711, "0.9287", "1.07"),
    ]
    bits = [counts("one record on the first theme", "lowest eight bits", 26790, "0", "1.02")]
    return [
        check("distribution.ideal", "The claim is not contradicted.", "statistical", figures={"tests": ideal}),
        check(
            "distribution.bits", "Low-order bits do not tell the pair apart.", "statistical", figures={"tests": bits}
        ),
        check("sensitivity", "No pair among 2,000 searched moved the sums by more than 1.", "exact_on_hit"),
        check("rng", "Two runs from the same state differ; no seed in the bundle.", "exact_on_hit"),
        check("hygiene", "Five files, all named in the transcript.", "exact_on_hit"),
        check("canary", "None of 64 planted texts reached the bundle.", "exact_on_hit"),
        check("contract", "All 5 sentences of summary.txt reduce to supported claims.", "exact"),
        check("accounting.claim", "Scale 1 covers sensitivity 1 at ε = 1.", "exact"),
        check("universe.provenance", "Auxiliary text; the digest matches.", "declared"),
        check("accounting.second_opinion", "dp-accounting agrees.", "exact", required=False),
        not_run("proofs"),
        not_run("noninterference"),
        not_run("conformance"),
        not_run("timing", "Times are written to timings.json and judged by nobody."),
    ]


def plan():
    return {
        "schema": "dpspin-plan/1", "plan_id": "0123456789abcdef",
        "universe": [{"index": at, "label": label} for at, (label, _, _) in enumerate(THEMES)],
        "released": [
            {"index": at, "label": label, "noisy_mass": mass, "support": f"{float(mass) / 500:.3f}", "bin": bin_,
             "rank": at + 1}
            for at, (label, mass, bin_) in enumerate(THEMES)
        ],
        "public_denominator": "500",
        "bins": [
            {"name": "below noise floor", "lower": None}, {"name": "low", "lower": "0"},
            {"name": "moderate", "lower": "0.05"}, {"name": "high", "lower": "0.15"},
        ],
        "noise_floor": "6.8759765625", "margin": "13.751953125", "plan_size": 10, "mechanism": "laplace",
        "epsilon": "1", "delta": "0", "display": {"mass_dp": 2, "support_dp": 3}, "public_text": {}, "stamp": None,
    }  # fmt: skip


def exposure(order, name, role, charge):
    return {
        "order": order, "name": name, "role": role, "sha256": sha(name), "bytes": 700 + 431 * order, "charge": charge,
        "chain": sha(f"chain {order}"),
    }  # fmt: skip


def deployment():
    return {
        "name": "complaints-2026q2", "population": "complaints", "declared_at": "2026-06-30",
        "sha256": sha("deployment.yaml"), "unit": "record", "adjacency": "add_drop", "mass_bound": "1", "max_atoms": 3,
        "universe_size": 50, "plan_size": 10, "public_denominator": "500",
        "bins": [{"name": "low", "from": "0"}, {"name": "moderate", "from": "0.05"}, {"name": "high", "from": "0.15"}],
        "noise_floor": "6.8759765625", "margin": "13.751953125", "margin_rule": True, "noise_beta": "0.05",
        "mechanism": "laplace", "scale": "1", "provenance": "auxiliary", "provenance_note": "first-quarter complaints",
        "synthetic": False, "decoder": "template", "contract_mode": "structured", "max_attempts": 5,
    }  # fmt: skip


def summary():
    rows = (
        ("The plan releases 10 themes.", "count 10"),
        ("Credit reporting, incorrect information ranks first with a noisy mass of 118.42.", "rank 1", "mass 118.42"),
        (
            "Credit reporting, incorrect information has more support than Debt collection, debt not owed.",
            "25.71 ≥ 13.75",
        ),
        ("Payday loan, charged twice is below the noise floor.", "5.37 ≤ 6.88"),
        ("The plan was released with epsilon 1 and delta 0.", "public parameters"),
    )
    return [{"sentence": words, "supported": True, "claims": list(claims)} for words, *claims in rows]


def full():
    loss = {"epsilon": "1", "delta": "0"}
    return {
        "schema": "dpspin-evidence/1", "tool": {"name": "dpspin", "version": "0.1.0"}, "verdict": "pass", "stamp": None,
        "subject": {"spec": "ref", "name": "dpspin reference"}, "deployment": deployment(),
        "claim": {
            "unit": "record", "adjacency": "add_drop", "mass_bound": "1", **loss, "mechanism": "laplace", "scale": "1",
            "missing_ids": "drop", "public_fields": [],
        },
        "exposures": [
            exposure(1, "deployment.yaml", "public", None), exposure(2, "universe.json", "public", None),
            exposure(3, "plan.json", "dp", "0002"), exposure(4, "prompt-1", "post-processing", "0002"),
            exposure(5, "draft-1", "post-processing", "0002"), exposure(6, "summary.txt", "post-processing", "0002"),
        ],
        "accounting": {
            "claimed": loss, "accounted": {**loss, "theorem": "laplace_sketch_pure"},
            "measured": {"epsilon_at_least": "0.9412", "alpha": "0.001", "runs": 65536},
            "second_opinion": {"tool": "dp-accounting", "version": "0.6.0", "epsilon": "1"},
            "charge": {"id": "0002", **loss}, "budget": {"epsilon": "3", "delta": "1e-6"},
        },
        "certificates": [], "checks": checks(), "plan": plan(), "summary": summary(),
        "not_assessed": [
            {"id": "side", "what": "Memory, swap and logs", "why": "outside what a report can see"},
            {"id": "proofs", "what": "Machine-checked proofs", "why": "none exist in this version"},
        ],
        "seeds": {"audit": "5e1f08a94b7d22c2"},
    }  # fmt: skip


def turned(tree, id_, **changes):
    """The evidence with one check changed."""
    for item in tree["checks"]:
        if item["id"] == id_:
            item.update(changes)
    return tree


def failing():
    """Five findings, hostile names, an uncovered file, an error, an undecided and an absent check."""
    tree = full()
    tree["verdict"] = "fail"
    tree["exposures"].append(exposure(7, "run_info.json", None, None) | {"order": None, "chain": None})
    tree["exposures"].append(exposure(8, "a\u202ejson.<b>exe</b>", None, None) | {"order": None, "chain": None})
    tree["plan"]["released"][1]["label"] = "<script>alert(1)</script> שלום & more words than any column could ever hold"
    tree["plan"]["released"][9]["noisy_mass"] = "-2.25"
    tree["summary"][2]["supported"] = False
    tree["accounting"]["measured"]["epsilon_at_least"] = "1.9412"
    turned(
        tree, "hygiene", status="fail", summary="Two files in the release folder have no covering charge.",
        reason="run_info.json, line 4, changes by exactly 1 when one record is added. The value is withheld here.",
        remedy="Write such files with --curator-out, outside the release folder.",
        location={"file": "release/run_info.json", "line": 4},
    )  # fmt: skip
    turned(tree, "distribution.ideal", status="fail", summary="The loss is at least 1.94; the claim is 1.")
    turned(tree, "contract", status="fail", summary="One of 5 sentences is not supported by the plan.")
    turned(tree, "canary", status="fail", summary="A planted text stands in the bundle", reason="canary 7 of 64")
    turned(tree, "accounting.second_opinion", status="fail", summary="dp-accounting gives another figure.")
    turned(tree, "sensitivity", status="error", reason="no answer within 60 s, pair 31 of 2,000")
    turned(tree, "distribution.bits", status="inconclusive", reason="too few runs", remedy="Run --depth deep.")
    turned(tree, "rng", status="not_run", reason="needs NoiseInjectable; this subject does not offer it")
    return tree


def bare():
    """A subject with no readable bundle and nothing measured."""
    tree = full()
    tree |= {"plan": None, "summary": [], "exposures": [], "verdict": "error"}
    tree["accounting"] |= {"accounted": None, "measured": None, "second_opinion": None, "charge": None}
    for item in tree["checks"]:
        item["figures"] = {}
    return turned(tree, "distribution.ideal", status="error", reason="exit code 1 after the first message")


def undecided():
    tree = full()
    tree["verdict"] = "inconclusive"
    return turned(tree, "distribution.bits", status="inconclusive", reason="too few runs", remedy="Run --depth deep.")


def unrun():
    tree = full()
    tree["verdict"] = "not_run"
    return turned(tree, "rng", status="not_run", reason="needs a hook", remedy="Offer NoiseInjectable.")


def stamped():
    tree = full()
    tree["stamp"] = "NON-PRIVATE: the noise of this plan came from a seed and can be subtracted."
    tree["deployment"]["synthetic"] = True
    tree["accounting"]["charge"] = None
    for item in tree["exposures"]:
        item["charge"] = None
    return tree


KINDS = {
    "pass": full, "fail": failing, "error": bare, "inconclusive": undecided, "not_run": unrun, "stamped": stamped,
}  # fmt: skip


@pytest.fixture
def evidence():
    """Builds a fresh tree of a kind, so that a test may change it."""
    return lambda kind="pass": copy.deepcopy(KINDS[kind]())


@pytest.fixture(params=sorted(KINDS))
def any_evidence(request):
    """Each kind in turn."""
    return KINDS[request.param]()
