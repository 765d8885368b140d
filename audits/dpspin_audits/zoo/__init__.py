"""Faulty implementations, one fault each, that the audit must catch, and correct ones that it must pass.

Each member's `subject` makes its implementation for a deployment:
`dpspin audit --impl py:dpspin_audits.zoo.NAME:subject`.  `docs/zoo.md` lists them (`catalogue`).
They exist to be caught; nothing else imports them.
"""
