from dpspin_audits.report import case, reasons
from dpspin_audits.report.prose import plain
from dpspin_audits.report.tree import Node


def lead(tree):
    return plain(reasons.lead(case.opened(Node(tree))))


def caption(tree):
    return plain(reasons.caption(case.opened(Node(tree))))


def test_the_reasons_name_measurement_findings_and_silence(evidence):
    words = lead(evidence("fail"))
    assert "contradicts ε\u00a0=\u00a01: the loss is at least 1.94, with 99.9\u00a0% confidence (F1)." in words
    assert "Finding F2: Two files" in words
    assert "Three further findings stand in section\u00a01." in words
    assert "Three required checks gave no answer." in words
    assert "nothing we measured contradicts" in lead(evidence())
    assert "was not put to a measurement" in lead(evidence("error"))


def test_a_delta_stands_beside_epsilon(evidence):
    words = lead(evidence("gaussian-user"))
    assert "contradicts ε\u00a0=\u00a01, δ\u00a0=\u00a010−6. The formula" in words
    assert "gives the same bound" in words


def test_another_bound_is_given_with_its_delta(evidence):
    tree = evidence("gaussian-user")
    tree["accounting"]["accounted"] |= {"epsilon": "2/3", "delta": "2e-7"}
    assert "gives a loss of at most 0.666667 at δ\u00a0≤\u00a02\u00a0×\u00a010−7; that" in lead(tree)


def test_masses_of_another_law_do_not_contradict_the_claim(evidence):
    assert lead(evidence("top-l")) == (
        "The masses do not follow the law that was stated (F1); nothing we measured contradicts ε\u00a0=\u00a02, "
        "but the formula behind it does not apply."
    )
    assert "not about this code" in caption(evidence("top-l"))
    violated = evidence("top-l")
    violated["accounting"]["measured"]["epsilon_at_least"] = "2.5"
    violated["checks"][0]["reason"] = "epsilon is at least 2.5, but at most 2 is claimed"
    assert lead(violated).startswith("Measurement contradicts")


def test_bounds_at_different_deltas_enclose_nothing(evidence):
    tree = evidence("gaussian-user")
    tree["accounting"]["accounted"]["delta"] = "2e-6"
    assert "needs a larger δ than is claimed" in caption(tree)


def test_the_caption_says_how_bounds_lie(evidence):
    assert "lies between the measured 0.94 and the accounted 1" in caption(evidence())
    assert "the code is not that mechanism" in caption(evidence("fail"))
    assert "was not assessed" in caption(evidence("error"))


def test_a_waived_audit_still_says_its_own_verdict(evidence):
    words = lead(evidence("waived"))
    assert words.startswith("The audit itself: One finding. The claim does not cover this release folder as it stands.")
    assert "Waivers stand in section\u00a012." in words
