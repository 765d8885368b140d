"""Everything on the public side of the plan: claims, the controlled language, the verifier, the writers and their loop.

Nothing here imports the curator, the corpus or the accounting: that is the premise of paper Theorem 5.8 in code.
"""
