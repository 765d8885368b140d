"""Exact sketches of corpora that no memory holds: in parts, by processes or a cluster, always the same integers."""
