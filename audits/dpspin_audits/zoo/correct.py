"""Correct: the parts of the reference one after another; every faulty one differs from it in one of them.

Style: inheritance, parts that can be replaced.
"""

from dpspin_audits.zoo.steps import Steps

subject = Steps
