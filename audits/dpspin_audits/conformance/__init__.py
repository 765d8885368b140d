"""Conformance vectors: inputs and outputs of every deterministic step, for implementations in any language."""
