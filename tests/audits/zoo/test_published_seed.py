"""A published seed is caught by replaying it, whatever its field is called."""


def test_a_published_seed_is_caught(caught):
    verdict, failed = caught("published_seed")
    assert verdict == "fail"
    assert failed == {"rng", "hygiene", "contract"}


def test_the_seed_is_found_by_its_noise(audited):
    tree = audited("py:dpspin_audits.zoo.published_seed:subject")
    found = next(check for check in tree["checks"] if check["id"] == "rng")
    assert found["reason"] == "'plan.json: run' is the seed of the noise"
