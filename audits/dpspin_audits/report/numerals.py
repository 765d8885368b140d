"""Numbers in words and digits, rounded in the direction that keeps each sentence true."""

from collections.abc import Callable
from decimal import ROUND_CEILING, Context, Decimal
from fractions import Fraction
from math import ceil, floor

from dpspin.decimals import exact, shown
from dpspin_audits.report.prose import Text, power, text

WORDS = (
    "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty"
).split()
LARGEST_LOSS = 100  # e^100 is beyond any use: the factor is then not worth a number
PRECISION = Context(prec=60)
RAISED = str.maketrans("0123456789−", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")


def at_most(value: Fraction, digits: int) -> str:
    """An upper bound in decimal digits, rounded up."""
    return nearest(Fraction(ceil(value * 10**digits), 10**digits), digits)


def at_least(value: Fraction, digits: int) -> str:
    """A lower bound in decimal digits, rounded down."""
    return nearest(Fraction(floor(value * 10**digits), 10**digits), digits)


def nearest(value: Fraction, digits: int) -> str:
    """A number in decimal digits, a half to the even one."""
    return shown(value.numerator, value.denominator, digits).replace("-", "−")


def brief(value: Fraction) -> str:
    """A number without trailing zeros: in full where it is short, else rounded to six significant digits."""
    whole = exact(value)
    if len(whole) <= 9 and "/" not in whole:
        return f"{int(whole):,}" if whole.lstrip("-").isdigit() else whole
    places = max(0, 5 - _power(value))
    return nearest(value, places).rstrip("0").rstrip(".") if places else nearest(value, 0)


def number(value: Fraction) -> Text:
    """A number that a reader can take in: small ones as a power of ten."""
    if value == 0 or abs(value) >= Fraction(1, 1000):
        return text(brief(value))
    cut = _cut(value, 3, round)
    lead = brief(cut / Fraction(10) ** _power(cut))
    return power("10" if lead == "1" else f"{lead}\u00a0×\u00a010", f"−{-_power(cut)}")


def _power(value: Fraction) -> int:
    """The power of ten of the first digit of a number other than 0."""
    found = len(str(int(abs(value)))) - 1 if abs(value) >= 1 else -1
    while abs(value) < Fraction(10) ** found:
        found -= 1
    return found


def _cut(value: Fraction, digits: int, towards: Callable[[Fraction], int]) -> Fraction:
    step = Fraction(10) ** (_power(value) + 1 - digits)
    return towards(value / step) * step


def ceiled(value: Fraction, digits: int = 6) -> Fraction:
    """The least number of so many significant digits that is not below the value."""
    return value and _cut(value, digits, ceil)


def upper(value: Fraction) -> Text:
    """An upper bound as `number` shows it, rounded up."""
    return number(ceiled(value, 3 if value < Fraction(1, 1000) else 6))


def inscribed(value: Text) -> str:
    """A number of a text as a drawing shows it, where a power has raised digits of its own."""
    return "".join(piece.text.translate(RAISED) if piece.role == "sup" else piece.text for piece in value)


def percent(value: Fraction) -> str:
    """A share as a percentage, never rounded up to certainty."""
    digits = 1
    while value < 1 and round(value * 100, digits) >= 100 and digits < 12:
        digits += 1
    return f"{brief(Fraction(at_least(value * 100, digits)))}\u00a0%"


def _exp(value: Fraction) -> Decimal:
    """e^value to 60 digits; the context rounds correctly, so the digits are the same everywhere."""
    return PRECISION.exp(PRECISION.divide(Decimal(value.numerator), Decimal(value.denominator)))


def exponential(value: Fraction) -> Fraction:
    """e^value to 60 digits, for drawings; beyond LARGEST_LOSS, that of LARGEST_LOSS."""
    return Fraction(_exp(min(value, Fraction(LARGEST_LOSS))))


def factor(epsilon: Fraction) -> str:
    """e^epsilon as a bound: two decimals, none from 100 on, rounded up."""
    if epsilon > LARGEST_LOSS:
        return "without useful limit"
    value = _exp(epsilon)
    step = Decimal("0.01") if value < 100 else Decimal(1)
    return f"{value.quantize(step, ROUND_CEILING, PRECISION):,}"


def group_delta(epsilon: Fraction, delta: Fraction, units: int) -> Fraction:
    """Upper bound of delta for a group: delta (e^(units eps) - 1) / (e^eps - 1), summed term by term; at most 1."""
    if delta == 0 or epsilon * units > LARGEST_LOSS:
        return Fraction(0) if delta == 0 else Fraction(1)
    others = sum((Fraction(_exp(epsilon * k)) for k in range(1, units)), Fraction(0))
    return min(Fraction(1), delta * (1 + others * (1 + Fraction(1, 10**50))))


def spelled(count: int) -> str:
    """A small number as a word, a larger one in digits."""
    return WORDS[count] if count < len(WORDS) else f"{count:,}"


def counted(count: int, thing: str, things: str = "") -> str:
    """A number with its noun: one finding, two findings."""
    return f"{spelled(count)} {thing if count == 1 else things or thing + 's'}"


def sentence(words: str) -> str:
    """The words with a capital at the beginning; what is no plain word, such as a file name, stays as it is."""
    first = words.split(maxsplit=1)[:1]
    plain = bool(first) and first[0].rstrip(".,:;").replace("'", "").replace("’", "").isalpha()
    return words[:1].upper() + words[1:] if plain else words


def stopped(words: str) -> str:
    """The words as a sentence, with a full stop at the end."""
    return sentence(words if words.endswith((".", "!", "?")) else f"{words}.")
