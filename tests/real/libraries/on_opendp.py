"""What is asked of opendp."""

import numpy as np
import opendp.prelude as dp
from worker import serve

dp.enable_features("contrib", "honest-but-curious", "idealized-numerics")
MEASURES = {"pure": dp.max_divergence, "zcdp": dp.zero_concentrated_divergence}
ROWS = 16


def _space(whole, metric):
    number = int if whole else float
    atom = dp.atom_domain(T=number) if whole else dp.atom_domain(T=number, nan=False)
    return dp.vector_domain(atom), metric


def laplace(values, scale, whole, runs=1):
    """Values with Laplace noise, [runs, len(values)]; integers or floats."""
    number = int if whole else float
    made = dp.m.make_laplace(*_space(whole, dp.l1_distance(T=number)), scale=scale)
    return np.array(made([number(value) for value in values] * runs)).reshape(runs, -1)


def laplace_epsilon(scale):
    """What the map says for one value that moves by 1."""
    return dp.m.make_laplace(*_space(False, dp.l1_distance(T=float)), scale=scale).map(1.0)


def gaussian(values, scale, whole, runs=1):
    """Values with Gaussian noise, [runs, len(values)]."""
    number = int if whole else float
    made = dp.m.make_gaussian(*_space(whole, dp.l2_distance(T=float)), scale=scale)
    return np.array(made([number(value) for value in values] * runs)).reshape(runs, -1)


def gaussian_rho(scale):
    """What the map says for one value that moves by 1."""
    return dp.m.make_gaussian(*_space(False, dp.l2_distance(T=float)), scale=scale).map(1.0)


def _noisy_max(scale, measure):
    return dp.m.make_noisy_max(*_space(True, dp.linf_distance(T=int)), MEASURES[measure](), scale=scale)


def noisy_max(scores, scale, measure, runs):
    """Positions, [runs, 1]."""
    made = _noisy_max(scale, measure)
    return np.array([[made(scores)] for _ in range(runs)])


def noisy_max_loss(scale, measure):
    """What the map says where every score may move by 1: epsilon, or rho."""
    return _noisy_max(scale, measure).map(1)


def top_k(scores, k, scale, measure, runs):
    """Positions in order, [runs, k]."""
    made = dp.m.make_noisy_top_k(*_space(True, dp.linf_distance(T=int)), MEASURES[measure](), k=k, scale=scale)
    return np.array([made(scores) for _ in range(runs)])


def top_k_loss(k, scale, measure):
    """What the map says where every score may move by 1."""
    return dp.m.make_noisy_top_k(*_space(True, dp.linf_distance(T=int)), MEASURES[measure](), k=k, scale=scale).map(1)


def _threshold(scale, threshold):
    counted = dp.t.make_count_by(dp.vector_domain(dp.atom_domain(T=str)), dp.symmetric_distance())
    return counted >> dp.m.then_laplace_threshold(scale=scale, threshold=threshold)


def threshold_kept(runs, scale, threshold):
    """1 where a key of one record was released, [runs, 1]; every run has a key of its own in one release."""
    names = [str(number) for number in range(runs)]
    kept = _threshold(scale, threshold)(names)
    return np.array([[name in kept] for name in names], dtype=np.int64)


def threshold_loss(scale, threshold):
    """What the map says for one record: epsilon and delta."""
    return list(_threshold(scale, threshold).map(1))


def _nan_count():
    import polars as pl

    column = dp.series_domain("x", dp.option_domain(dp.atom_domain(T=float)))
    domain = dp.with_margin(dp.lazyframe_domain([column]), dp.polars.Margin(max_length=ROWS, invariant="lengths"))
    count = pl.col("x").fill_null(0.0).cut([1.5]).count().dp.noise()
    query = pl.LazyFrame(schema={"x": pl.Float64}).select(count)
    space = domain, dp.frame_distance(dp.symmetric_distance()), dp.max_divergence()
    return dp.m.make_private_lazyframe(*space, query, global_scale=1.0)


def nan_count(nans, runs):
    """Released counts, [runs, 1], of a frame of 16 rows, some of them NaN."""
    import polars as pl

    made, frame = _nan_count(), pl.LazyFrame({"x": [float("nan")] * nans + [1.0] * (ROWS - nans)})
    return np.array([[made(frame).collect().item()] for _ in range(runs)])


def nan_count_epsilon():
    """What the map says where one row is replaced."""
    return _nan_count().map([dp.polars.Bound(per_group=2)])


def _predict():
    from opendp.extras.sklearn.linear_model._make_private_theil_sen import make_pairwise_predict

    return make_pairwise_predict(np.array([25.0, 75.0]), runs=1)


def theil_sen(rows):
    """Predictions at x = 25 and x = 75, one row for each pair of points."""
    return np.asarray(_predict()(np.array(rows)))


def theil_sen_stability():
    """How many predictions may change, by the map, where one point comes in."""
    return _predict().map(1)


def randomized_response(answer, prob, runs):
    """Answers of three, [runs, 1]."""
    made = dp.m.make_randomized_response([0, 1, 2], prob=prob)
    return np.array([[made(answer)] for _ in range(runs)])


def randomized_response_epsilon(prob):
    """What the map says for one answer that is another."""
    return dp.m.make_randomized_response([0, 1, 2], prob=prob).map(1)


def bounded_geometric(values, scale, bounds, runs=1):
    """Integers with geometric noise, kept within bounds, [runs, len(values)]."""
    space = dp.atom_domain(T=int), dp.absolute_distance(T=int)
    made = dp.m.make_geometric(*space, scale=scale, bounds=tuple(bounds))
    return np.array([[made(int(value)) for value in values] for _ in range(runs)])


def canonical_noise(values, epsilon, delta, runs=1):
    """Floats with canonical noise for a sensitivity of 1, [runs, len(values)]."""
    space = dp.atom_domain(T=float, nan=False), dp.absolute_distance(T=float)
    made = dp.m.make_canonical_noise(*space, d_in=1.0, d_out=(epsilon, delta))
    return np.array([[made(float(value)) for value in values] for _ in range(runs)])


NAMES = (
    bounded_geometric, canonical_noise, randomized_response, randomized_response_epsilon,
    laplace, laplace_epsilon, gaussian, gaussian_rho, noisy_max, noisy_max_loss, top_k, top_k_loss, threshold_kept,
    threshold_loss, nan_count, nan_count_epsilon, theil_sen, theil_sen_stability,
)  # fmt: skip
serve({function.__name__: function for function in NAMES})
