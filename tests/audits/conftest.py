"""A small deployment that every audit test can afford: eight atoms, of which three are released."""

import pytest

from dpspin import canonical, deployment, universe
from dpspin.corpus import representation
from dpspin.pipeline import Setting
from dpspin_audits import engine, probes
from dpspin_audits.pairs import Maker
from dpspin_audits.reference_subject import ReferenceSubject
from dpspin_audits.subject import resolve
from dpspin_audits.trials import Effort

LABELS = (
    "Lost card", "Late fee", "Wrong report", "Frozen account", "Scam transfer", "Loan servicer", "Escrow trouble",
    "Overdraft notice",
)  # fmt: skip
FEW = Effort(pilot=1024, training=8000, testing=20_000, searched=200)
"""Enough to catch every faulty implementation of the zoo."""
TEXT = """schema: dpspin-deployment/1
name: small
population: small
declared_at: "2026-01-01"
unit: record
adjacency: add_drop
corpus:
  synthetic: true
  text_field: body
  id_field: key
  split: {{key: split-key-1, auxiliary_share: "1/2"}}
  sampling_rate: "1"
  selection_key: select-key-1
universe: {{file: universe.json, sha256: "{universe}", provenance: public, note: invented}}
assignment: {{rule: label, max_atoms: 3, weights: {{file: weights.json, sha256: "{weights}"}}}}
mass_bound: "1"
mechanism: {{kind: laplace, epsilon: "{epsilon}", delta: "0"}}
plan:
  size: 3
  public_denominator: "100"
  bins: [{{name: low, from: "0"}}, {{name: high, from: "0.1"}}]
  margin: rule
  noise_beta: "0.05"
  display: {{mass_digits: 1, support_digits: 3}}
decoder: {{backend: template, contract_mode: legacy_text, max_attempts: 3, public_text: {{}}}}
budget: {{epsilon: "10", delta: "0"}}
"""


def small(epsilon="1"):
    """The deployment with its files; every word of a label speaks for its atom, "trouble" for three."""
    atoms = universe.Universe(LABELS, (None,) * len(LABELS))
    rows = {word: ((atom, 100),) for atom, label in enumerate(LABELS) for word in label.lower().split()}
    weights = representation.Weights("label", len(LABELS), rows | {"trouble": ((2, 30), (3, 50), (6, 100))})
    encoded = universe.encode(atoms)
    digests = {"universe": canonical.digest(encoded), "weights": canonical.digest(representation.encode(weights))}
    data = TEXT.format(epsilon=epsilon, **digests).encode()
    return Setting(deployment.load(data, "deployment.yaml"), data, atoms, encoded, weights)


@pytest.fixture(scope="session")
def setting():
    return small()


@pytest.fixture(scope="session")
def setting_at():
    return small


@pytest.fixture(scope="session")
def reference(setting):
    return ReferenceSubject(setting)


@pytest.fixture(scope="session")
def maker(setting):
    return Maker(setting, probes.search(setting))


@pytest.fixture(scope="session")
def few():
    return FEW


@pytest.fixture(scope="session")
def audited(setting):
    """Evidence of an audit of a subject, by its address; each address is audited once."""
    known = {}

    def run(spec):
        if spec not in known:
            subject = resolve(spec, setting, ReferenceSubject)
            asked = engine.Audit(setting, subject, spec, f"dpspin audit --impl {spec}", b"\x07" * 8, effort=FEW)
            known[spec] = engine.audit(asked)
        return known[spec]

    return run


@pytest.fixture(scope="session")
def caught(audited):
    """Ids of the checks that an implementation of the zoo fails, and its verdict."""

    def run(name):
        tree = audited(f"py:dpspin_audits.zoo.{name}:subject")
        return tree["verdict"], {check["id"] for check in tree["checks"] if check["status"] == "fail"}

    return run
