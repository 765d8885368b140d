"""The statistical audit: labelled runs on pairs of corpora, ways to tell them apart, and what the guesses come to.

Runs are drawn in blocks (`trials`, `work`, `workplaces`), a family of pairs is tried by `judgement`, all of them by
`campaign`; the statistics themselves are in `dpspin_audits.statistics`.
"""
