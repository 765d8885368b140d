import io
import json

import pytest

from dpspin.errors import UsageError
from dpspin_experiments.dataset import Entry
from dpspin_experiments.sources.gathering import digest_id, gather, rows_of

ONE = Entry("1", "u", "text", None, None)


def test_one_entry_of_an_id_is_kept():
    other = ONE._replace(id="2")
    conflict = ONE._replace(text="another text")
    found = gather([(ONE, ("x",)), (other, ()), (ONE, ("x",)), (conflict, ("y",)), ("without_text", ())], "place")
    assert found.entries == (ONE, other)
    assert found.counts == {"rows": 5, "duplicate": 1, "conflict": 1, "without_text": 1, "kept": 2}
    assert found.categories == {"x": 1}


def test_nothing_to_keep_is_refused():
    with pytest.raises(UsageError, match="no row gives a record"):
        gather([("without_text", ())], "place")


def test_wrapped_rows_are_unwrapped():
    data = json.dumps([{"_source": {"a": "1"}}, {"a": "2"}]).encode()
    assert [row["a"] for row in rows_of(io.BytesIO(data), "place")] == ["1", "2"]


def test_parts_of_an_id_do_not_run_together():
    assert len({digest_id("ab", "c"), digest_id("a", "bc"), digest_id("abc"), digest_id("abc", None)}) == 4
