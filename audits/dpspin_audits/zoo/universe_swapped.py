"""Fault: the list of atoms is another one than the deployment declares, made anew after a look at the records.

Stands for: spec.md section 8, row 23; keywords extracted from the corpus at hand.
Caught by: universe.provenance.
"""

from dataclasses import replace

from dpspin import universe
from dpspin.pipeline import Setting
from dpspin_audits.zoo.steps import Steps

subject = Steps


def deployed(setting: Setting) -> Setting:
    """The deployment as it runs: the last label is one that the records suggested."""
    labels = (*setting.universe.labels[:-1], "Surprise")
    other = universe.Universe(labels, setting.universe.descriptions)
    return replace(setting, universe=other, universe_bytes=universe.encode(other))
