"""Poisoning: crafted records against a k-anonymous cluster-and-summarise pipeline, and against a plan."""
