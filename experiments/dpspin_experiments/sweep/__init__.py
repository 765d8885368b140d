"""Sweeps: many generated deployments over one data set, each run by itself, measured and grouped (paper appendix C)."""
