"""Statistics of the audit: what samples of two adjacent corpora say about (epsilon, delta), and with which certainty.

Every test here is valid for any rule that was fixed before the runs it is tried on.  Bounds come from a fixed number of
fresh runs; wealth may be watched after every run (`docs/statistics.md`).  Nothing is ever repeated.
"""
