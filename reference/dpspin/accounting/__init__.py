"""Judges deployments: what an implementation claims, what it costs, and whether its budget holds."""
