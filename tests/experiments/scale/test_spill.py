"""Cells on their way: what is written is what is read, users keep together, and what is missing is noticed."""

import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import sparse

from dpspin import kernel
from dpspin.errors import ImpossibleError, UsageError
from dpspin_experiments.scale.spill import CELL, get, put, settled, share_of, unit_hash, write

ROWS = [("a", [5, 0, 1]), ("b", [0, 0, 0]), ("a", [0, 2, 0]), ("c", [9, 9, 9])]
records = st.lists(
    st.tuples(st.sampled_from("abcdefgh"), st.lists(st.integers(0, 9), min_size=3, max_size=3)), max_size=30
)


def written(rows, folder, name="0", users=2):
    shares = sparse.csr_array(np.array([vector for _, vector in rows], np.int64).reshape(-1, 3))
    shares.eliminate_zeros()
    return write([unit for unit, _ in rows], shares, b"key", (str(folder), name, users))


@given(st.lists(records, max_size=3), st.integers(1, 5), st.sampled_from([1, 5, 100]))
@settings(max_examples=40)
def test_shares_add_up_to_the_kernels_user_sketch(parts, users, bound):
    with tempfile.TemporaryDirectory() as folder:
        spills = [written(rows, folder, str(number), users) for number, rows in enumerate(parts)]
        totals = [settled(share_of(spills, number, bound, 3)).total for number in range(users)]
    owned = [(ord(unit), vector) for rows in parts for unit, vector in rows]
    assert kernel.add(totals, 3) == kernel.user_sketch(owned, bound, 3)


def test_a_user_is_in_one_share_of_all_files(tmp_path):
    spills = [written([(unit, [1, 1, 1]) for unit in "abcdefgh"[n:]], tmp_path, str(n), 4) for n in range(3)]
    seen = {}
    for number in range(4):
        for path, start, stop in share_of(spills, number, 1, 3).spills:
            for cell in np.fromfile(path, CELL)[start:stop]:
                seen.setdefault(tuple(cell["unit"].tolist()), set()).add(number)
    assert len(seen) == 8
    assert all(len(shares) == 1 for shares in seen.values())
    assert len(set().union(*seen.values())) > 1


def test_the_file_is_the_same_when_it_is_written_again_and_is_open_to_its_owner_alone(tmp_path):
    first = written(ROWS, tmp_path)
    path = Path(first.path)
    data = path.read_bytes()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert written(ROWS, tmp_path) == first
    assert path.read_bytes() == data
    assert [each.name for each in tmp_path.iterdir()] == ["0"]
    assert len(data) == CELL.itemsize * first.ends[-1] == CELL.itemsize * 6


def test_the_hash_is_of_the_id_as_it_is_and_of_the_key_and_the_same_in_every_process():
    ids = ["7", "07", "7 ", "\u00c5", "A\u030a", "\udc80", ""]
    assert len({unit_hash(each, b"k") for each in ids}) == len(ids)
    assert unit_hash("7", b"k") != unit_hash("7", b"l")
    code = "from dpspin_experiments.scale.spill import unit_hash; print(unit_hash('7', b'k').hex())"
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.strip() == unit_hash("7", b"k").hex()


def test_ids_are_not_written(tmp_path):
    first = written([("user Margaret", [1, 2, 3])], tmp_path)
    assert b"Margaret" not in Path(first.path).read_bytes()


def test_a_file_that_was_cut_or_taken_away_is_noticed(tmp_path):
    spills = [written(ROWS, tmp_path, users=1)]
    path = Path(spills[0].path)
    path.write_bytes(path.read_bytes()[:-1])
    with pytest.raises(ImpossibleError, match="cut short"):
        settled(share_of(spills, 0, 1, 3))
    path.unlink()
    with pytest.raises(UsageError, match="that all workers see"):
        settled(share_of(spills, 0, 1, 3))


def test_a_folder_that_is_not_there_is_named(tmp_path):
    with pytest.raises(UsageError, match="that all workers see"):
        written(ROWS, tmp_path / "gone")


def test_a_file_for_all_is_written_whole_for_its_owner_and_read_again(tmp_path):
    path = put(str(tmp_path), "weights", b"one")
    assert put(str(tmp_path), "weights", b"two") == path
    assert get(path) == b"two"
    assert stat.S_IMODE(Path(path).stat().st_mode) == 0o600
    assert [each.name for each in tmp_path.iterdir()] == ["weights"]
    with pytest.raises(UsageError, match="that all workers see"):
        get(path + "-gone")


def test_no_file_may_be_named_twice(tmp_path):
    with pytest.raises(ImpossibleError, match="counted twice"):
        share_of([written(ROWS, tmp_path)] * 2, 0, 1, 3)
