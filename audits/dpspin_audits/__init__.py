"""The auditor: judges any implementation of DP-SPIN, the reference first."""
