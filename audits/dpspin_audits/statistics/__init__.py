"""Statistics of the audit: what samples of two adjacent corpora say about (epsilon, delta), and with which certainty.

Every bound here is valid for any fixed rule and any number of runs.  Rules are fixed on training runs that the bound
never sees; nothing is repeated, and nothing is looked at before its last run.
"""
