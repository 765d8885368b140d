"""The embedded setting, its corpus, and deployments for other mechanisms and relations."""

import pytest

from dpspin import pipeline
from dpspin.corpus import embedded


def setting_of(example):
    folder, name = embedded.EXAMPLES[example]
    files = embedded.files(folder)
    return pipeline.load(files[name], name, files.__getitem__)


@pytest.fixture(scope="session")
def setting():
    return setting_of("laplace-add-drop")


@pytest.fixture(scope="session")
def replaced():
    return setting_of("gaussian-replacement")


@pytest.fixture(scope="session")
def of_users():
    return setting_of("gaussian-users")


@pytest.fixture(scope="session")
def corpus(setting):
    return list(embedded.corpus(setting.deployment))[:800]
