"""Records in: reading, splitting, and everything that auxiliary text decides (paper sections 3.2, 3.3 and 6).

Only the curator imports this package: the decoder may not.
"""
