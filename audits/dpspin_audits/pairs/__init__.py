"""Pairs of corpora that differ in one unit, and the records and probe texts that they are made of."""
