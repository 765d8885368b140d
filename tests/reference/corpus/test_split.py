"""The split depends on key and id alone, and keeps the declared share of ids."""

import hashlib
from collections.abc import Callable
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binom

from dpspin.corpus.jsonl import Record
from dpspin.corpus.split import auxiliary, belongs, protected
from dpspin.deployment import Split

IDS = [f"id {number}" for number in range(20_000)]
SPLIT = Split.model_validate({"key": "a key of the split", "auxiliary_share": "1/3"})


def keyed(key: bytes, message: bytes) -> int:
    """HMAC-SHA256 as RFC 2104 writes it, first 128 bits."""
    block = key.ljust(64, b"\0")
    inner = hashlib.sha256(bytes(b ^ 0x36 for b in block) + message).digest()
    return int.from_bytes(hashlib.sha256(bytes(b ^ 0x5C for b in block) + inner).digest()[:16], "big")


def check_exact(kept: Callable[[str, Fraction, str], bool]) -> None:
    for name in ("", "a", " A", "caf\u00e9", "\ud800"):
        value = keyed(b"a key", name.encode(errors="surrogatepass"))
        assert not kept("a key", Fraction(value, 2**128), name)
        assert kept("a key", Fraction(value + 1, 2**128), name)


def test_the_share_is_compared_exactly() -> None:
    check_exact(belongs)


def test_a_float_comparison_would_be_found() -> None:
    def rough(key: str, share: Fraction, name: str) -> bool:
        return keyed(key.encode(), name.encode(errors="surrogatepass")) / 2**128 < float(share)

    with pytest.raises(AssertionError):
        check_exact(rough)


def check_share(count: int, share: float) -> None:
    """Exact binomial bounds, 5e-7 on either side."""
    assert binom.ppf(5e-7, len(IDS), share) <= count <= binom.isf(5e-7, len(IDS), share)


@pytest.mark.parametrize("share", [Fraction(1, 2), Fraction(1, 3), Fraction(1, 100)])
def test_the_share_of_ids_is_the_declared_one(share: Fraction) -> None:
    check_share(sum(belongs("a key", share, name) for name in IDS), float(share))


def test_another_share_would_be_found() -> None:
    with pytest.raises(AssertionError):
        check_share(sum(belongs("a key", Fraction(9, 20), name) for name in IDS), 0.5)


def agreement(left: str, right: str) -> int:
    half = Fraction(1, 2)
    return sum(belongs(left, half, name) == belongs(right, half, name) for name in IDS)


def test_two_keys_give_unrelated_halves() -> None:
    check_share(agreement("key one", "key two"), 0.5)
    with pytest.raises(AssertionError):
        check_share(agreement("key one", "key one"), 0.5)


def test_the_first_and_the_last_share_keep_nothing_and_everything() -> None:
    assert not any(belongs("a key", Fraction(0), name) for name in IDS[:100])
    assert all(belongs("a key", Fraction(1), name) for name in IDS[:100])


@given(st.lists(st.none() | st.text(max_size=3)))
def test_halves_are_disjoint_keep_order_and_leave_out_records_without_id(names: list[str | None]) -> None:
    records = [Record(name, str(place), None, {}) for place, name in enumerate(names)]
    left, right = list(auxiliary(records, SPLIT)), list(protected(records, SPLIT))
    assert not {record.id for record in left} & {record.id for record in right}
    assert sorted(left + right, key=lambda r: int(r.text or 0)) == [r for r in records if r.id is not None]
