"""Values with the noise of one record are caught where a user moves two."""

import pytest


@pytest.mark.parametrize("mechanism", ["gaussian", "top_l"])
def test_it_is_caught(caught, mechanism):
    assert caught("values_per_record", unit="user", mechanism=mechanism) == ("fail", {"distribution.ideal"})
