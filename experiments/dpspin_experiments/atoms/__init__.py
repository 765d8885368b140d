"""Atom dictionaries from auxiliary records: labels that are there, or two-word phrases (paper section 6)."""
