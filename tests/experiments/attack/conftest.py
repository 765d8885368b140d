"""The embedded setting, and the demonstration's corpus prepared once."""

import pytest

from dpspin.settings import Exact
from dpspin_audits.cli.inputs import setting_of
from dpspin_experiments.attack import clusters, plans, story
from dpspin_experiments.attack.demonstration import Row


@pytest.fixture(scope="session")
def setting():
    return setting_of(None)


@pytest.fixture(scope="session")
def full():
    return clusters.corpus(story.others())


@pytest.fixture(scope="session")
def prepared(setting):
    return plans.prepared(plans.replacement(setting, Exact("1")), setting.weights, story.others())


@pytest.fixture
def rows():
    return [
        Row("clusters", 0, 300, 0.5, 0, None, None, 0.0, 0.4, 0.6),
        Row("clusters", 50, 300, 0.997, 299, None, None, 3.75, 0.97, 1.0),
        Row("plan", 0, 30_000, 0.587, 30_000, 0.731, 1.0, 0.35, 0.577, 0.597),
        Row("plan", 50, 30_000, 0.598, 30_000, 0.731, 1.0, 0.32, 0.588, 0.607),
    ]
