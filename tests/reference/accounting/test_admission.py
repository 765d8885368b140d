"""The certified cost of admission: 46 known values, every scale that is quoted, bad input, and bounded work."""

from fractions import Fraction

import pytest

from dpspin.accounting import admission
from dpspin.accounting.admission import Admission, delta, epsilon, meets
from dpspin.accounting.certified import Ends
from dpspin.accounting.search import least_decimal
from dpspin.accounting.value_loss import GaussianLoss, LaplaceLoss
from dpspin.errors import UsageError

A, SIXTH, NINTH = Fraction(1, 10), Fraction(1, 10**6), Fraction(1, 10**9)
# epsilon rounded up to six digits at a = 0.1: alone, and with Gaussian values of sigma = 5 B (prototype of the proofs)
KNOWN = {
    ("add_drop", 1): ("0.0993830", "0.866903", "0.0999805", "1.14352"),
    ("add_drop", 2): ("0.193741", "0.894036", "0.199375", "1.17825"),
    ("add_drop", 5): ("0.414897", "0.958792", "0.473219", "1.26863"),
    ("add_drop", 10): ("0.624454", "1.03520", "0.801179", "1.39062"),
    ("add_drop", 20): ("0.809110", "1.12404", "1.14981", "1.56010"),
    ("replacement", 1): ("0.199149", "0.937360", "0.199974", "1.22047"),
    ("replacement", 2): ("0.292239", "1.31660", "0.299225", "1.71388"),
    ("replacement", 5): ("0.505171", "1.35647", "0.570174", "1.77431"),
    ("replacement", 10): ("0.701382", "1.39945", "0.889068", "1.85116"),
    ("replacement", 20): ("0.870894", "1.44781", "1.22275", "1.95617"),
}
# scale 1 / eta at epsilon 1, B = 1, rounded up to six digits, for delta 1e-6 and 1e-9
SCALES = {
    ("add_drop", 1): ("0.998412", "0.99995"), ("replacement", 1): ("1.99683", "1.9999"),
    ("add_drop", 2): ("1.96795", "1.99678"), ("replacement", 2): ("2.95373", "2.99536"),
    ("add_drop", 5): ("4.2949", "4.77315"), ("replacement", 5): ("5.1832", "5.73739"),
    ("add_drop", 10): ("6.45066", "8.06739"), ("replacement", 10): ("7.1825", "8.92267"),
    ("add_drop", 20): ("8.25159", "11.4144"), ("replacement", 20): ("8.81866", "12.1015"),
    ("add_drop", 50): ("9.7191", None), ("replacement", 50): ("10.1343", None),
    ("add_drop", 1000): ("10.8524", None), ("replacement", 1000): ("11.1411", None),
}  # fmt: skip
TENTH_DIGIT = Fraction(1, 10**9)


@pytest.mark.parametrize(("adjacency", "rounds"), KNOWN)
def test_forty_known_losses_to_every_digit(adjacency, rounds):
    two = 2 if adjacency == "replacement" and rounds > 1 else 1
    values = GaussianLoss(Fraction(two, 25))
    held = [epsilon(Admission(adjacency, rounds, A, v), claim) for claim in (SIXTH, NINTH) for v in (None, values)]
    assert held == [Fraction(text) for text in KNOWN[adjacency, rounds]]


@pytest.mark.parametrize(("adjacency", "values", "known"), [
    ("add_drop", None, "1.451019546e-7"), ("replacement", None, "1.714341807e-6"),
    ("add_drop", GaussianLoss(Fraction(1, 25)), "2.541482870e-5"),
    ("replacement", GaussianLoss(Fraction(1, 25)), "6.760156396e-5"),
    ("add_drop", LaplaceLoss(Fraction(1, 3)), "3.557414206e-5"),
    ("replacement", LaplaceLoss(Fraction(1, 3)), "1.182645704e-4"),
])  # fmt: skip
def test_six_known_deltas_to_every_digit(adjacency, values, known):
    found = delta(Admission(adjacency, 10, Fraction(1, 7), values), Fraction(1))
    assert found.low <= found.high <= found.low * (1 + Fraction(1, 10**12))
    assert abs(found.high / Fraction(known) - 1) <= TENTH_DIGIT


@pytest.mark.parametrize(("adjacency", "rounds"), SCALES)
def test_scales_of_admission_alone(adjacency, rounds):
    for claim, known in zip((SIXTH, NINTH), SCALES[adjacency, rounds], strict=True):
        if known is not None:
            found = least_decimal(
                lambda scale, claim=claim: meets(Admission(adjacency, rounds, 1 / scale), Fraction(1), claim),
                float(known) * 0.9,
                Fraction(1, 10**6 if float(known) < 1 else 10**5 if float(known) < 10 else 10**4),
            )
            last_digit = 0 if rounds <= 20 else Fraction(1, 10**4)  # quoted to the nearest
            assert abs(found - Fraction(known)) <= last_digit


def test_no_number_of_rounds_costs_more_than_the_limit():
    """At the scale 10.9172 even L -> infinity keeps (1, 1e-6) under add/drop: (1 - e^-a) exp(-(1 + a) / (e^a - 1))."""
    for rounds in (10, 1000, 100_000):
        assert meets(Admission("add_drop", rounds, 1 / Fraction("10.9172")), Fraction(1), SIXTH)
    assert not meets(Admission("add_drop", 100_000, 1 / Fraction("10.91")), Fraction(1), SIXTH)


def test_values_alone_remain_where_every_atom_is_admitted():
    found = epsilon(Admission("replacement", 0, A, GaussianLoss(Fraction(1, 25))), SIXTH)
    assert found < epsilon(Admission("replacement", 1, A, GaussianLoss(Fraction(1, 25))), SIXTH)
    assert epsilon(Admission("replacement", 0, A), SIXTH) == 0


def test_a_larger_exponent_or_less_noise_costs_more():
    for values in (None, GaussianLoss(Fraction(1, 25)), LaplaceLoss(Fraction(1, 3))):
        costs = [delta(Admission("add_drop", 5, a, values), Fraction(2, 5)).low for a in (A, A * 2, A * 3)]
        assert costs == sorted(costs)
        assert costs[0] < costs[2]
    weak, strong = (Admission("replacement", 5, A, GaussianLoss(Fraction(1, n))) for n in (4, 9))
    assert delta(strong, Fraction(1)).high < delta(weak, Fraction(1)).low


@pytest.mark.parametrize(("rounds", "per_round"), [(-1, A), (3, Fraction(0)), (3, -A)])
def test_what_is_no_admission_is_refused(rounds, per_round):
    with pytest.raises(UsageError, match="not positive"):
        Admission("add_drop", rounds, per_round)


@pytest.mark.parametrize("values", [None, GaussianLoss(Fraction(1, 25)), LaplaceLoss(Fraction(1, 3))])
@pytest.mark.parametrize("loss", ["0", "1e-300", "1e300"])
@pytest.mark.parametrize("per_round", ["1/3", "1e-300", "1e300"])
def test_extreme_losses_are_certified_or_refused(loss, per_round, values):
    """Either ends that hold a probability, or an error that says what to do; never a wait and never a NaN."""
    one = Admission("replacement", 10, Fraction(per_round), values)
    try:
        found = admission.told(one, Fraction(loss), SIXTH)
    except UsageError as refused:
        message = str(refused)
        found = Ends(Fraction(0), Fraction(1))
    else:
        message = "bits"
    assert "bits" in message
    assert 0 <= found.low <= found.high <= 1
    if values is None:
        assert found.high - found.low < SIXTH


@pytest.mark.parametrize("claim", ["1e-300", "1e-900", "0.999999"])
def test_extreme_deltas_are_certified_or_refused(claim):
    assert 0 <= epsilon(Admission("add_drop", 5, A), Fraction(claim)) <= 5 * A
    with_values = Admission("add_drop", 5, A, GaussianLoss(Fraction(1, 25)))
    if claim == "0.999999":
        assert epsilon(with_values, Fraction(claim)) == 0
    else:
        with pytest.raises(UsageError, match="at least 1e-40"):
            epsilon(with_values, Fraction(claim))


def test_too_many_rounds_with_values_are_refused_and_alone_they_are_not():
    with pytest.raises(UsageError, match="at most 256"):
        delta(Admission("add_drop", 257, A, GaussianLoss(A)), Fraction(1))
    assert delta(Admission("add_drop", 1000, A), Fraction(1)).high < SIXTH * 100


def test_a_loss_is_found_in_few_evaluations(monkeypatch):
    asked = []
    exact = admission.units
    monkeypatch.setattr(admission, "units", lambda *args: asked.append(args[2]) or exact(*args))
    epsilon.__wrapped__(Admission("replacement", 10, Fraction(1, 9), GaussianLoss(Fraction(1, 30))), SIXTH)
    assert len(asked) <= 16
    assert max(asked) < 400


def test_reversed_ends_would_be_noticed(monkeypatch):
    """Rounding to the wrong side, planted: the certified end then lies below the value, and known digits are missed."""
    exact = admission.units
    one = Admission("add_drop", 10, A)
    monkeypatch.setattr(
        admission,
        "units",
        lambda *args: (found := exact(*args)).__class__(found.low - 2**99, found.low - 2**99, found.bits),
    )
    assert epsilon.__wrapped__(one, SIXTH) != Fraction("0.624454")
