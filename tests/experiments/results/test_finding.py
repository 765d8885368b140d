from dpspin_experiments.results.finding import NO_USERS, NOTHING, verdict


def test_nothing_measured_is_never_agreement():
    assert NOTHING.verdict == NO_USERS.verdict == "not measured"
    assert (verdict(True), verdict(False)) == ("agrees", "differs")
