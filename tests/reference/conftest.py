"""A small valid deployment, as a tree to change and as a value."""

import copy
import json

import pytest

from dpspin import deployment
from dpspin.universe import Universe

TREE = {
    "schema": "dpspin-deployment/1",
    "name": "demo",
    "population": "demo-people",
    "declared_at": "2026-01-31",
    "unit": "record",
    "adjacency": "add_drop",
    "corpus": {
        "synthetic": True,
        "text_field": "text",
        "id_field": "id",
        "split": {"key": "split-key-1", "auxiliary_share": "1/2"},
        "sampling_rate": "1",
        "selection_key": "selection-key-1",
    },
    "universe": {"file": "universe.json", "sha256": "a" * 64, "provenance": "public", "note": "made up"},
    "assignment": {"rule": "label", "max_atoms": 3, "weights": {"file": "weights.json", "sha256": "b" * 64}},
    "mass_bound": "1",
    "mechanism": {"kind": "laplace", "epsilon": "0.5", "delta": "0"},
    "plan": {
        "size": 3,
        "public_denominator": "5000",
        "bins": [{"name": "low", "from": "0"}, {"name": "moderate", "from": "0.05"}, {"name": "high", "from": "1/3"}],
        "margin": "rule",
        "noise_beta": "0.05",
        "display": {"mass_digits": 1, "support_digits": 3},
    },
    "decoder": {
        "backend": "template",
        "contract_mode": "legacy_text",
        "max_attempts": 3,
        "public_text": {"about": "These are made-up complaints."},
    },
    "budget": {"epsilon": "1", "delta": "1e-6"},
}


@pytest.fixture
def tree() -> dict:
    """The deployment as a tree; JSON is YAML, so `json.dumps` makes a file of it."""
    return copy.deepcopy(TREE)


@pytest.fixture(scope="session")
def demo() -> deployment.Deployment:
    """The deployment."""
    return deployment.load(json.dumps(TREE).encode(), "deployment.yaml")


@pytest.fixture(scope="session")
def five() -> Universe:
    """Five atoms."""
    return Universe(
        tuple(f"theme {word}" for word in ("ash", "bay", "cob", "dew", "elm")), (None, "a tree", *[None] * 3)
    )
