"""Coq's compiler, without which a test skips; under CI it must be there."""

import os

import pytest

from dpspin_proofs import run


@pytest.fixture(scope="session")
def coqc() -> str:
    found = run.compiler()
    if found is None:
        assert not os.environ.get("CI"), "CI needs Coq: apt-get install coq"
        pytest.skip("Coq is not installed (on Debian: apt-get install coq)")
    return found
