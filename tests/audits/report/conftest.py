"""Invented evidence: one full pass, and the ways in which evidence can be partial."""

import copy
import hashlib
from fractions import Fraction

import pytest

from dpspin import canonical

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
NOT_OFFERED = "The implementation does not offer this step."
OF_ANOTHER = "The proofs are about the reference’s kernel."


def sha(word):
    return hashlib.sha256(word.encode()).hexdigest()


def check(id_, summary, strength, **changes):
    tree = {
        "id": id_, "required": True, "status": "pass", "strength": strength, "summary": summary, "figures": {},
        "location": None, "reproduce": f"dpspin audit deployment.yaml --seed 5e1f08a94b7d22c2 --only {id_}",
        "reason": None, "remedy": None,
    }  # fmt: skip
    return tree | changes


def not_run(id_, reason=NOT_OFFERED, **changes):
    missing = {"required": False, "status": "not_run", "reason": reason}
    return check(id_, "Did not run.", "exact", **(missing | changes))


def counts(pair, score, right, bound, detectable):
    return {
        "pair": pair, "score": score, "runs": 65536, "guessed": 53512, "right": right, "alpha": "0.000125",
        "epsilon_at_least": bound, "detectable": detectable, "against": {"epsilon": "1", "delta": "0"},
        "about": "claim", "event": {"side": "both", "threshold": "0.25"},
        "bets": {"alpha": "0.0000625", "reached": None, "runs": 65536, "wealth": "0.31"},
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
        not_run("proofs", OF_ANOTHER),
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


def exposure(order, name, role, charge, text=None):
    return {
        "order": order, "name": name, "role": role, "sha256": sha(name if text is None else text), "charge": charge,
        "bytes": 700 + 431 * order if text is None else len(text.encode()), "chain": sha(f"chain {order}"),
        "text": text,
    }  # fmt: skip


DRAFTS = (
    "The plan releases 10 themes.\n118 complaints concern credit reporting.\n",
    "The plan releases 10 themes.\nCredit reporting, incorrect information ranks first.\n",
)
REASON = {
    "step": 6, "rule": "mass is not a count", "span": [29, 70], "claim": None, "found": "118 complaints concern",
}  # fmt: skip


def feedback(*reasons):
    return canonical.dumps({"violations": list(reasons)}).decode()


def transcript():
    """Two attempts, the second of which was accepted."""
    texts = []
    for number, draft, reasons in ((1, DRAFTS[0], [REASON]), (2, DRAFTS[1], [])):
        prompt = f'{{"attempt":{number},"task":"Write a summary of the plan, nothing else.{" Use its words." * 20}"}}\n'
        texts += [(f"prompt-{number}", prompt), (f"draft-{number}", draft), (f"feedback-{number}", feedback(*reasons))]
    texts.append(("summary.txt", DRAFTS[1]))
    return [exposure(order, name, "post-processing", "0002", text) for order, (name, text) in enumerate(texts, 4)]


def proofs():
    """Two statements, one of them without a theorem, and three gaps."""
    rows = (
        ("Proposition 5.1", "5", "Adding or removing one record moves the sketch by at most 1.", ["record_l1"], "", []),
        ("Sampler", "5.1", "Every draw has exactly the stated law.", ["a_1", "a_2", "a_3"], "", ["sampler"]),
        ("Bins", "3.4", "Bins are fixed first.", [], "a rule of the deployment file", ["assumptions"]),
    )
    names = ("name", "section", "says", "theorems", "source", "gaps")
    gaps = (
        ("assumptions", "what is declared", "digests", False),
        ("sampler", "the random bits", "an assumption", True),
    )
    return {
        "statements": [dict(zip(names, row, strict=True)) for row in rows],
        "gaps": [dict(zip(("name", "what", "instead", "everywhere"), row, strict=True)) for row in gaps],
    }


def deployment():
    return {
        "name": "complaints-2026q2", "population": "complaints", "declared_at": "2026-06-30",
        "sha256": sha("deployment.yaml"), "unit": "record", "adjacency": "add_drop", "mass_bound": "1", "max_atoms": 3,
        "universe_size": 50, "plan_size": 10, "public_denominator": "500",
        "bins": [{"name": "low", "from": "0"}, {"name": "moderate", "from": "0.05"}, {"name": "high", "from": "0.15"}],
        "noise_floor": "6.8759765625", "margin": "13.751953125", "margin_rule": True, "noise_beta": "0.05",
        "mechanism": "laplace", "scale": "1", "exponent": None, "on_missing_user": None, "sampling_rate": "1",
        "calibration": None, "em_mode": None, "selection_share": None, "values": None, "provenance": "auxiliary",
        "provenance_note": "first-quarter complaints", "synthetic": False, "decoder": "template",
        "contract_mode": "structured", "max_attempts": 5,
    }  # fmt: skip


def summary(top="118.42", gap="25.71 ≥ 13.75", low="5.37 ≤ 6.88", loss="epsilon 1 and delta 0"):
    rows = (
        ("The plan releases 10 themes.", "count 10"),
        (f"Credit reporting, incorrect information ranks first with a noisy mass of {top}.", "rank 1", f"mass {top}"),
        ("Credit reporting, incorrect information has more support than Debt collection, debt not owed.", gap),
        ("Payday loan, charged twice is below the noise floor.", low),
        (f"The plan was released with {loss}.", "public parameters"),
    )
    return [{"sentence": words, "supported": True, "claims": list(claims)} for words, *claims in rows]


def utility(laplace="6.876", gaussian="16.9061", gap="184.2069", sparse="10.5508"):
    def row(mechanism, value, selection=None):
        return {"mechanism": mechanism, "selection_error": selection or str(2 * Fraction(value)), "value_error": value}

    within, lacks, total = (
        "All noisy masses lie within this of the exact sums.",
        "No released theme has so much less mass than one left out.",
        "The released themes lack at most so much of the largest total.",
    )  # fmt: skip
    return {
        "noise_floor": laplace,
        "statements": [
            {"id": "masses", "text": within, "value": laplace, "probability": "0.95", "kind": "exact"},
            {"id": "gap", "text": lacks, "value": str(2 * Fraction(laplace)), "probability": "0.95", "kind": "bound"},
            {"id": "loss", "text": total, "value": str(20 * Fraction(laplace)), "probability": None, "kind": "bound"},
        ],
        "comparison": [row("laplace", laplace), row("gaussian", gaussian), row("private_top_l", sparse, gap)],
        "best": {"selection": "laplace", "values": "laplace"}, "assumed_delta": "1e-6",
    }  # fmt: skip


def curve():
    points = [("0", "0.394"), ("0.25", "0.313"), ("0.5", "0.222"), ("0.75", "0.118"), ("0.95", "0.0247"), ("1", "0")]
    return {
        "attained": True, "pure": "1", "rho": "0.5", "mu": "1.1",
        "points": [{"epsilon": epsilon, "delta": delta} for epsilon, delta in points],
    }  # fmt: skip


def measured():
    path = [(0, "0.00"), (500, "-0.14"), (2000, "0.31"), (8593, "-0.43"), (65536, "-1.03")]
    errors = [("1", "0"), ("0.49", "0.19"), ("0.33", "0.29"), ("0.245", "0.374"), ("0.19", "0.495")]
    return {
        "epsilon_at_least": "0.9412", "alpha": "0.001", "runs": 65536, "mu_at_least": "0.93",
        "bets": [{
            "about": "claim", "pair": "extremal, one atom", "score": "stated law", "alpha": "0.0001", "reached": None,
            "path": [{"runs": runs, "wealth": wealth} for runs, wealth in path],
        }],
        "tradeoff": {
            "pair": "extremal, one atom", "score": "stated law", "runs": 65536, "alpha": "0.0001",
            "points": [{"false_alarm": alarm, "miss": miss} for alarm, miss in errors],
            "false_alarm_margin": "0.02", "miss_margin": "0.02",
        },
    }  # fmt: skip


def full():
    loss = {"epsilon": "1", "delta": "0"}
    return {
        "schema": "dpspin-evidence/1", "tool": {"name": "dpspin", "version": "0.1.0"}, "verdict": "pass", "stamp": None,
        "subject": {"spec": "cmd:release", "name": "release"}, "deployment": deployment(),
        "claim": {
            "unit": "record", "adjacency": "add_drop", "mass_bound": "1", **loss, "mechanism": "laplace", "scale": "1",
            "exponent": None, "values": None, "missing_ids": "drop", "public_fields": [],
        },
        "exposures": [
            exposure(1, "deployment.yaml", "public", None), exposure(2, "universe.json", "public", None),
            exposure(3, "plan.json", "dp", "0002"), *transcript(),
        ],
        "accounting": {
            "claimed": loss, "accounted": {**loss, "theorem": "laplace_sketch_pure"},
            "measured": measured(), "lower": None, "curve": curve(),
            "second_opinion": {
                "tool": "dp-accounting", "version": "0.6.0", "epsilon": "1", "note": "agrees with ours",
            },
            "alternatives": [], "charge": {"id": "0002", **loss}, "budget": {"epsilon": "3", "delta": "1e-6"},
        },
        "certificates": [], "checks": checks(), "plan": plan(), "summary": summary(), "utility": utility(),
        "not_assessed": [
            {"id": "side", "what": "Memory, swap and logs", "why": "outside what a report can see"},
            {"id": "proofs", "what": "Machine-checked proofs", "why": OF_ANOTHER},
        ],
        "strengths": {"exact": {"pass": 3}, "exact_on_hit": {"not_run": 1, "pass": 4}, "statistical": {"pass": 2}},
        "seeds": {"audit": "5e1f08a94b7d22c2"}, "gate": None, "proofs": None,
    }  # fmt: skip


def retold(tree, claim, noise, floor):
    """The evidence of another claim and mechanism: claim, deployment, plan and tests agree."""
    margin = f"{2 * Fraction(floor)}"
    tree["claim"] |= claim | {key: noise[key] for key in ("mechanism", "scale", "exponent", "values")}
    shared = {key: claim[key] for key in ("unit", "adjacency", "mass_bound")}
    tree["deployment"] |= shared | noise | {"noise_floor": floor, "margin": margin}
    loss = {key: claim[key] for key in ("epsilon", "delta")}
    tree["plan"] |= loss | {"noise_floor": floor, "margin": margin, "mechanism": noise["mechanism"]}
    tree["accounting"]["claimed"] = loss
    tree["accounting"]["charge"] |= loss
    for item in (test for one in tree["checks"] for test in one["figures"].get("tests", [])):
        item["against"] = loss
    return tree


def gaussian_user():
    """All records of a user replaced, Gaussian noise, three quarters of the users, ids that may be missing."""
    claim = {"unit": "user", "adjacency": "replacement", "mass_bound": "2", "epsilon": "1", "delta": "1e-6"}
    noise = {
        "mechanism": "gaussian", "scale": "11.9491963639146288045367327868007123470306396484375", "exponent": None,
        "values": None, "calibration": "analytic", "on_missing_user": "own_unit", "sampling_rate": "3/4",
    }  # fmt: skip
    tree = retold(full(), claim | {"missing_ids": "own_unit"}, noise, "39.2349452972412109375")
    for row in tree["plan"]["released"]:
        row["noisy_mass"] = str(6 * Fraction(row["noisy_mass"]))
    tree["plan"]["public_denominator"] = tree["deployment"]["public_denominator"] = "3000"
    tree["summary"] = summary("710.50", "154.24 ≥ 78.47", "32.22 ≤ 39.24", "epsilon 1 and delta 0.000001")
    tree["utility"] = utility("27.5204", "39.235", "405.2552", "42.1849") | {"assumed_delta": None}
    for item, of in zip(tree["utility"]["statements"], (1, 2, 20), strict=True):
        item["value"] = str(of * Fraction("39.235"))
    needed = {"epsilon": "1", "delta": "0.00000099999999999999", "theorem": "Balle and Wang 2018, Theorem 8"}
    tree["accounting"] |= {"accounted": needed, "budget": {"epsilon": "3", "delta": "3e-6"}}
    tree["accounting"]["measured"]["epsilon_at_least"] = "0.4127"
    turned(tree, "proofs", status="pass", strength="proved", reason=None, summary="Three statements, two gaps.")
    vectors = {"vectors": 412, "passed": 400, "failed": 0, "skipped": 12, "steps_skipped": ["parse"], "first": []}
    turned(tree, "conformance", status="pass", reason=None, summary="400 vectors are answered.", figures=vectors)
    tree["proofs"] = proofs()
    tree["not_assessed"] = [row for row in tree["not_assessed"] if row["id"] != "proofs"]
    test = counts("all records of one user replaced", "stated law, whole curve", 31702, "0.3318", "0.61")
    tree["checks"][0]["figures"]["tests"].append(test | {"against": {"epsilon": "0.35", "delta": "0.000041"}})
    return tree


def admitted():
    """Admission before noise, and values of another law than was stated: a finding that leaves the claim standing."""
    claim = {"unit": "user", "adjacency": "add_drop", "mass_bound": "1", "epsilon": "2", "delta": "0"}
    noise = {
        "mechanism": "private_top_l", "scale": "3/2", "exponent": "2/15", "values": "laplace", "em_mode": "tight",
        "selection_share": "2/3", "on_missing_user": "drop",
    }  # fmt: skip
    tree = retold(full(), claim, noise, "7.91301631927490234375")
    tree["utility"] = utility("3.438", "8.5", "74.5776", "7.9131")
    lacking = ("values", "All released masses lie within this of the exact sums.", "7.9131"), ("gap", None, "74.5776")
    for item, (id_, words, value) in zip(tree["utility"]["statements"], lacking, strict=False):
        item |= {"id": id_, "text": words or item["text"], "value": value}
    names = ("paper's claim", "2"), ("selection and values composed", "2"), ("selection and values together", "28/15")
    tree["accounting"] |= {
        "accounted": {"epsilon": "28/15", "delta": "0", "theorem": "private_top_l: selection and values together"},
        "second_opinion": None,
        "alternatives": [{"name": name, "epsilon": epsilon, "delta": "0"} for name, epsilon in names],
    }
    tree["accounting"]["measured"]["epsilon_at_least"] = "1.9"
    tree["summary"] = summary("118.42", "25.71 ≥ 15.83", "5.37 ≤ 7.92", "epsilon 2 and delta 0")
    turned(tree, "accounting.second_opinion", status="not_run", reason="dp-accounting has no figure for peeling")
    tree["checks"][0]["figures"]["tests"][1] |= {
        "score": "stated law, whole curve", "against": {"epsilon": "28/15", "delta": "0"}, "epsilon_at_least": "1.9",
    }  # fmt: skip
    reason = "not the stated law: it keeps epsilon 1.8667 and epsilon is at least 1.9; the claim itself was not refuted"
    turned(tree, "distribution.ideal", status="fail", reason=reason, remedy="Compare the noise with the claim.")
    return tree | {"verdict": "fail"}


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
    tree["exposures"].append(exposure(11, "run_info.json", None, None) | {"order": None, "chain": None})
    tree["exposures"].append(exposure(12, "a\u202ejson.<b>exe</b>", None, None) | {"order": None, "chain": None})
    tree["plan"]["released"][1]["label"] = "<script>alert(1)</script> שלום & more words than any column could ever hold"
    tree["plan"]["released"][9]["noisy_mass"] = "-2.25"
    tree["summary"][2]["supported"] = False
    tree["accounting"]["measured"]["epsilon_at_least"] = "1.9412"
    tree["checks"][0]["figures"]["tests"][0]["epsilon_at_least"] = "1.9412"
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


def charged():
    """A universe that was built from the records, under a charge of its own."""
    tree = full()
    tree["deployment"] |= {"provenance": "charged", "provenance_note": "noisy counts of candidates"}
    own = {"epsilon": "0.5", "delta": "1e-7"}
    tree["accounting"] |= {"universe": own | {"id": "0001"}, "total": {"epsilon": "1.5", "delta": "0.0000001"}}
    tree["accounting"]["budget"] = {"epsilon": "3", "delta": "1e-6"}
    universe = next(row for row in tree["exposures"] if row["name"] == "universe.json")
    universe |= {"role": "dp", "charge": "0001"}
    figures = own | {"provenance": "charged", "sha256": universe["sha256"]}
    return turned(tree, "universe.provenance", figures=figures)


def waived():
    """One finding that somebody accepted."""
    tree = full() | {"verdict": "fail"}
    row = {"check": "rng", "reason": "no hook", "approver": "A. Person", "expires": "2027-01-01", "state": "in force"}
    tree["gate"] = {"known": [], "verdict": "pass", "waivers": [row]}
    return turned(tree, "rng", status="fail", summary="Two runs from the same state agree.", reason="run 3")


KINDS = {
    "pass": full, "gaussian-user": gaussian_user, "top-l": admitted, "fail": failing, "error": bare,
    "inconclusive": undecided, "not_run": unrun, "stamped": stamped, "waived": waived,
    "charged": charged,
}  # fmt: skip


@pytest.fixture
def evidence():
    """Builds a fresh tree of a kind, so that a test may change it."""
    return lambda kind="pass": copy.deepcopy(KINDS[kind]())


@pytest.fixture(params=sorted(KINDS))
def any_evidence(request):
    """Each kind in turn."""
    return KINDS[request.param]()
