"""DPSP/1: an implementation in any language as a subject, by JSON lines on its standard input and output."""
