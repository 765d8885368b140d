"""The invented people: both secrets are atoms, and only the target says what is asked."""

from dpspin_experiments.attack import story


def test_both_secrets_are_atoms_of_the_embedded_universe(setting):
    labels = [secret.label for secret in story.secrets()]
    assert len(set(labels)) == 2
    assert set(labels) <= set(setting.universe.labels)


def test_texts_are_finished_sentences():
    texts = [secret.text for secret in story.secrets()]
    assert all(text.endswith(".") and "{" not in text for text in texts)


def test_nobody_else_says_what_is_known_of_the_target():
    pool = story.others()
    assert len(pool) == story.POOL
    assert not any("lighthouse" in text or "parrot" in text for text in pool)
    first, second = map(story.target, story.secrets())
    assert first.startswith(story.KNOWN)
    assert first != second
