"""DP-SPIN: differentially private semantic plans for aggregate insight reports over private text.

The reference implementation, written to be read and checked against.  It is not a data warehouse, not a framework for
language models and not a general library for differential privacy; inside the release path, clarity wins over speed.
"""

__version__ = "0.1.0"
