"""Summaries judged: evaluation only, never in the privacy path (paper section 6.5, appendices B.5 to B.7)."""
