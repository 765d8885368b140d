"""Faulty implementations, one fault each, that the audit must catch, and a control without one that it must pass.

Each module's `subject` makes its implementation for a deployment:
`dpspin audit --impl py:dpspin_audits.zoo.NAME:subject`.
They exist to be caught; nothing else imports them.
"""
