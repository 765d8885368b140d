"""From the public files of the paper's three corpora to entries (paper section 6, appendices D to F).

These are conversions by the curator, before any release exists: adjacency is defined on their output.
"""
