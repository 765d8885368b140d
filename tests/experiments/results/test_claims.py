from dpspin_experiments.results.claims import CLAIMS
from dpspin_experiments.results.store import read


def test_every_claim_is_judged_on_a_sweep_with_users(folder):
    found = {claim.id: claim.judge(read(folder)) for claim in CLAIMS}
    assert len(found) == len(CLAIMS)
    assert {name for name, finding in found.items() if finding.verdict == "not measured"} == {"m", "B", "judge"}
    assert found["verifier"].verdict == "agrees"
    assert all(finding.measured for finding in found.values())


def test_nothing_measured_agrees_with_nothing(made):
    assert {claim.judge(made.evidence()).verdict for claim in CLAIMS} == {"not measured"}


def test_sections_are_those_of_the_paper():
    assert {claim.section for claim in CLAIMS} == {"1, 6.5", "6", "6.1", "6.2", "6.3", "6.4", "6.5", "B.5", "E.6, F.7"}
