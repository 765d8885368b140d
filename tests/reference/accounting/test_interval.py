"""Intervals hold the true value at any precision, and each rounding that is turned the other way is found."""

import ast
import sys
from fractions import Fraction
from pathlib import Path
from types import ModuleType

import mpmath
import pytest

from dpspin.accounting import interval
from dpspin.errors import ImpossibleError

SOURCE = Path(interval.__file__)
CONTEXT = mpmath.MPContext()
CONTEXT.dps = 60
NUMBERS = [Fraction(n, d) for n in (-29, -7, -3, -1, 1, 2, 5, 11) for d in (1, 3, 7, 8)]


def real(x):
    return CONTEXT.mpf(x.numerator) / x.denominator


def holds(found, truth):
    return CONTEXT.ldexp(found.low, -found.bits) <= truth <= CONTEXT.ldexp(found.high, -found.bits)


def cases(module):
    """Enclosures and true values at so few bits that a rounding the wrong way is a miss."""
    for bits in (2, 3, 5, 9):
        for k in range(1, 9):
            just_below_a_square = Fraction(3 * k * k - 1, 3 << 2 * bits)
            yield module.root(just_below_a_square, bits), CONTEXT.sqrt(real(just_below_a_square))
        for x in NUMBERS:
            one = module.rational(x, bits)
            yield one, real(x)
            yield module.exponential(x / 3, bits), CONTEXT.exp(real(x / 3))
            if x > 0:
                yield module.root(x, bits), CONTEXT.sqrt(real(x))
                wide = module.Interval(max(one.low, 1), one.high, bits)
                yield wide.inverse(), CONTEXT.ldexp(1, bits) / CONTEXT.mpf(wide.low)
                yield wide.inverse(), CONTEXT.ldexp(1, bits) / CONTEXT.mpf(wide.high)
            for y in NUMBERS:
                other = module.rational(y, bits)
                yield one * other, real(x) * real(y)
                yield module.rational(x + y, bits) - other, real(x)
            for n in (0, 1, 2, 5):
                yield one.power(n), real(x) ** n
            yield one.times(-3), -3 * real(x)


def misses(module):
    try:
        return sum(not holds(found, truth) for found, truth in cases(module))
    except ArithmeticError:
        return 1


def test_no_interval_misses():
    assert misses(interval) == 0


class Reversed(ast.NodeTransformer):
    """Turns one rounding (// or >>) the other way."""

    def __init__(self, place):
        self.left, self.what = place, None

    def visit(self, node):
        node = super().visit(node)
        if not (isinstance(node, ast.BinOp) and isinstance(node.op, ast.FloorDiv | ast.RShift)):
            return node
        self.left -= 1
        if self.left != -1:
            return node
        self.what = ast.unparse(node)
        negated = ast.UnaryOp(ast.USub(), node.left)
        return ast.UnaryOp(ast.USub(), ast.BinOp(negated, node.op, node.right))


def changed(source, path=SOURCE):
    module = ModuleType("changed")
    module.__file__ = str(path)
    exec(compile(source, str(path), "exec"), module.__dict__)
    return module


def reversed_roundings():
    place = 0
    while True:
        tree, reverse = ast.parse(SOURCE.read_text()), Reversed(place)
        reverse.visit(tree)
        if reverse.what is None:
            return
        if "exponent //" not in reverse.what:  # of `power`, which counts and does not round
            yield reverse.what, ast.unparse(ast.fix_missing_locations(tree))
        place += 1


@pytest.mark.parametrize(("what", "source"), list(reversed_roundings()))
def test_a_rounding_reversed_is_caught(what, source, monkeypatch):
    monkeypatch.setitem(sys.modules, "changed", ModuleType("changed"))  # where dataclasses look
    assert misses(changed(source)) > 0, what


def test_all_roundings_are_reversed():
    assert len(list(reversed_roundings())) == 9


def test_a_divisor_that_may_be_zero_is_refused():
    with pytest.raises(ImpossibleError, match="may be zero"):
        interval.Interval(0, 4, 2).inverse()


def test_zero_and_one_are_exact():
    assert interval.exponential(Fraction(0), 10) == interval.whole(1, 10)
    assert interval.rational(Fraction(3, 4), 2) == interval.Interval(3, 3, 2)
    assert interval.whole(5, 3).power(0) == interval.whole(1, 3)


@pytest.mark.parametrize("x", ["1e-300", "-1e-300", "-1e300", "700", "-700"])
def test_extreme_arguments_end(x):
    found = interval.exponential(Fraction(x), 64)
    with CONTEXT.workdps(400):
        assert holds(found, CONTEXT.exp(real(Fraction(x))))
