"""Noise held in an auditor's hand: sources that answer, a tap on a process, and what releases then show."""
