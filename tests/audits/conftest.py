"""Small deployments that every audit test can afford: twelve atoms, of which three are released."""

from functools import lru_cache

import pytest

from dpspin import canonical, pipeline, plan, universe
from dpspin.corpus import representation
from dpspin_audits import engine
from dpspin_audits.addresses import resolve
from dpspin_audits.distribution.trials import Effort
from dpspin_audits.pairs import probes
from dpspin_audits.pairs.corpora import Maker
from dpspin_audits.reference_subject import ReferenceSubject

LABELS = (
    "Lost card", "Late fee", "Wrong report", "Frozen account", "Scam transfer", "Loan servicer", "Escrow trouble",
    "Overdraft notice", "Hidden charge", "Blocked login", "Stolen cheque", "Missing refund",
)  # fmt: skip
REMEMBERED = 4000
"""Plans whose bundles are kept in memory."""
FEW = Effort(pilot=1024, training=8000, testing=20_000, searched=200)
"""Enough to catch every faulty implementation of the zoo."""
TEXT = """schema: dpspin-deployment/1
name: small
population: small
declared_at: "2026-01-01"
unit: {unit}
adjacency: {adjacency}
corpus:
  synthetic: true
  text_field: body
  id_field: key
  split: {{key: split-key-1, auxiliary_share: "1/2"}}
  sampling_rate: "{rate}"
  selection_key: select-key-1
universe: {{file: universe.json, sha256: "{universe}", provenance: {origin}, note: invented}}
assignment: {{rule: label, max_atoms: 3, weights: {{file: weights.json, sha256: "{weights}"}}}}
mass_bound: "{bound}"
mechanism: {mechanism}
plan:
  size: 3
  public_denominator: "100"
  bins: [{{name: low, from: "0"}}, {{name: high, from: "0.1"}}]
  margin: rule
  noise_beta: "0.05"
  display: {{mass_digits: 1, support_digits: 3}}
decoder: {{backend: template, contract_mode: legacy_text, max_attempts: 3, public_text: {{}}}}
budget: {{epsilon: "10", delta: "0.1"}}
"""
MECHANISMS = {
    "laplace": '{{kind: laplace, epsilon: "{epsilon}", delta: "0"}}',
    "gaussian": '{{kind: gaussian, epsilon: "{epsilon}", delta: "1e-5", calibration: analytic}}',
    "top_l": '{{kind: private_top_l, epsilon: "{epsilon}", delta: "0", em_mode: tight, selection_share: "{share}",'
    " values: laplace}}",
    "top_l_gaussian": '{{kind: private_top_l, epsilon: "{epsilon}", delta: "1e-5", em_mode: paper,'
    ' selection_share: "{share}", values: gaussian}}',
    "tight_gaussian": '{{kind: private_top_l, epsilon: "{epsilon}", delta: "1e-5", em_mode: tight,'
    ' selection_share: "{share}", values: gaussian}}',
}


@lru_cache
def small(
    *,
    mechanism="laplace",
    unit="record",
    adjacency="add_drop",
    epsilon="1",
    bound=None,
    share="1/2",
    rate="1",
    missing="drop",
    built=None,
):
    """The deployment with its files; every word of a label speaks for its atom, "trouble" for three.

    With `built`, its universe was built from protected records at that epsilon and delta.
    """
    atoms = universe.Universe(LABELS, (None,) * len(LABELS))
    rows = {word: ((atom, 100),) for atom, label in enumerate(LABELS) for word in label.lower().split()}
    weights = representation.Weights("label", len(LABELS), rows | {"trouble": ((2, 30), (3, 50), (6, 100))})
    files = {"universe.json": universe.encode(atoms), "weights.json": representation.encode(weights)}
    data = TEXT.format(
        unit=unit if unit == "record" else f"user\nuser: {{id_field: who, on_missing_user: {missing}}}",
        adjacency=adjacency,
        rate=rate,
        bound=bound or ("1" if unit == "record" else "2"),
        mechanism=MECHANISMS[mechanism].format(epsilon=epsilon, share=share),
        origin='charged, charge: {{epsilon: "{}", delta: "{}"}}'.format(*built) if built else "public",
        universe=canonical.digest(files["universe.json"]),
        weights=canonical.digest(files["weights.json"]),
    )
    return pipeline.load(data.encode(), "deployment.yaml", files.__getitem__)


@pytest.fixture(scope="session")
def setting():
    return small()


@pytest.fixture(scope="session")
def setting_at():
    return lambda epsilon: small(epsilon=epsilon)


@pytest.fixture(scope="session")
def setting_of():
    return small


@pytest.fixture(scope="session")
def reference(setting):
    return ReferenceSubject(setting)


@pytest.fixture(scope="session")
def maker_of():
    return lambda **terms: Maker(small(**terms), probes.search(small(**terms)))


@pytest.fixture(scope="session")
def maker(maker_of):
    return maker_of()


@pytest.fixture(scope="session")
def few():
    return FEW


@pytest.fixture(scope="session")
def published():
    """`pipeline.publish`, which is a function of a plan and its deployment, with a memory of its own.

    Under held noise nearly all plans are the same, and their texts cost most of a release.  Thousands of audits make
    millions of plans that do not come again; so it forgets all from time to time.
    """
    publish, known = pipeline.publish, {}

    def remembered(released, setting, charge):
        key = plan.encode(released), setting.deployment_bytes, setting.universe_bytes, charge
        if key not in known:
            if len(known) >= REMEMBERED:
                known.clear()
            known[key] = publish(released, setting, charge)
        return dict(known[key])

    return remembered


@pytest.fixture(scope="session")
def audited(published):
    """Evidence of an audit of a subject, by its address and its deployment; each is audited once."""

    @lru_cache
    def run(spec, effort=FEW, **terms):
        setting = small(**terms)
        subject = resolve(spec, setting, ReferenceSubject)
        asked = engine.Audit(setting, subject, spec, f"dpspin audit --impl {spec}", b"\x07" * 8, effort=effort)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(pipeline, "publish", published)
            return engine.audit(asked)

    return run


@pytest.fixture(scope="session")
def caught(audited):
    """Ids of the checks that an implementation of the zoo fails, and its verdict."""

    def run(name, **terms):
        tree = audited(f"py:dpspin_audits.zoo.{name}:subject", **terms)
        return tree["verdict"], {check["id"] for check in tree["checks"] if check["status"] == "fail"}

    return run


@pytest.fixture(scope="session")
def finding(audited):
    """One check of an audit of an implementation of the zoo."""

    def run(name, check, **terms):
        tree = audited(f"py:dpspin_audits.zoo.{name}:subject", **terms)
        return next(found for found in tree["checks"] if found["id"] == check)

    return run


@pytest.fixture(scope="session")
def judged():
    """A release of no records and the evidence of an audit that judged it; few runs, since nobody looks at figures."""

    @lru_cache
    def run(**terms):
        setting = small(**terms)
        bundle = dict(ReferenceSubject(setting).release([]))
        effort = Effort(pilot=256, training=1000, testing=2000, searched=20)
        asked = (ReferenceSubject(setting), "ref", "dpspin audit", b"\x07" * 8)
        return bundle, engine.audit(engine.Audit(setting, *asked, effort=effort, bundle=bundle))

    return run
