from dpspin_audits.report import vocabulary


def test_every_check_is_explained_in_a_section_that_exists():
    assert {subject.section for subject in vocabulary.CHECKS.values()} <= set(vocabulary.SECTIONS)


def test_sections_are_numbered_in_order():
    assert [section.number for section in vocabulary.SECTIONS.values()] == list(range(1, len(vocabulary.SECTIONS) + 1))


def test_an_unknown_check_stands_for_itself():
    assert vocabulary.subject_of("tomorrow").title == "tomorrow"
    assert vocabulary.subject_of("rng").section == "assume"


def test_the_protected_change_in_words():
    assert vocabulary.protected("record", "add_drop") == "one record, added or removed"
    assert vocabulary.protected("user", "replacement") == "all records of one user, replaced by another"
    assert vocabulary.worded("exact_on_hit") == "exact on hit"
