"""Intervals over clusters: sums that add up, and bounds that agree with scipy's where wins are independent."""

import numpy as np
import pytest
from scipy.stats import binomtest

from analytics.metrics.intervals import (
    ClusterSums,
    design_effect,
    effective_size,
    mean_design_effect,
    mean_interval,
    rate_interval,
    simultaneous,
)


def sums(n, size) -> ClusterSums:
    """Of one statistic, or of several in columns."""
    n, size = np.asarray(n), np.asarray(size)
    return ClusterSums.of(n.reshape(len(n), -1), size.reshape(len(size), -1))


def interval(n: int, size: int, effective: float | None = None, level: float = 0.95) -> tuple[float, float]:
    low, high = rate_interval(np.array([n]), np.array([size]), np.array([effective or float(size)]), level=level)
    return low[0], high[0]


def players(rng, n_players: int, rate: float, alike: float, wins: float) -> tuple[np.ndarray, np.ndarray]:
    """Events and wins of players whose own rates differ and whose wins have a long tail."""
    size = rng.geometric(1 / wins, n_players)
    a, b = rate * (1 - alike) / alike, (1 - rate) * (1 - alike) / alike
    return rng.binomial(size, rng.beta(a, b, n_players)), size


# Sums


def test_sums_over_clusters_add_up_however_the_clusters_are_split():
    rng = np.random.default_rng(1)
    n, size = rng.integers(0, 50, (3000, 4)), rng.integers(50, 90, (3000, 4))
    whole, order = sums(n, size), rng.permutation(3000)
    pieces = [sums(n[rows], size[rows]) for rows in np.array_split(order, 7)]
    together = sum(pieces[1:], pieces[0])
    for a, b in zip(vars(whole).values(), vars(together).values(), strict=True):
        assert a.tolist() == b.tolist()


def test_sums_are_exact_where_squares_leave_64_bits():
    n = np.array([60_000_000, 3] * 4000)
    assert sums(n, n).nn[0] == 4000 * (60_000_000**2 + 9) > 2**63


def test_the_variance_is_the_textbook_one_for_clusters_of_equal_size():
    rng = np.random.default_rng(2)
    n, size = rng.binomial(40, rng.beta(4, 6, 60)), np.full(60, 40)
    assert sums(n, size).variance[0] == pytest.approx(np.var(n / 40, ddof=1) / 60)


def test_clusters_of_equal_size_count_as_they_are_and_one_that_has_nearly_all_as_one():
    assert sums([1, 2, 3], [5, 5, 5]).clusters[0] == 3
    assert sums([1, 2, 3], [9000, 1, 1]).clusters[0] == pytest.approx(1, abs=0.01)


# Design effect


def test_wins_that_come_four_at_a_time_are_worth_a_quarter():
    rng = np.random.default_rng(3)
    events = rng.random(4000) < 0.3
    whole = sums(events * 4, np.full(4000, 4))
    assert design_effect(whole)[0] == pytest.approx(4, rel=0.01)
    assert effective_size([whole])[0] == pytest.approx(4000, rel=0.01)


def test_the_larger_of_two_kinds_of_clusters_counts():
    rng = np.random.default_rng(4)
    n, size = players(rng, 400, 0.35, 0.02, 60)
    by_player, events = sums(n, size), np.repeat([1, 0], [n.sum(), (size - n).sum()])
    by_game = sums(rng.permutation(events), np.ones(len(events), np.int64))
    assert effective_size([by_game, by_player])[0] == effective_size([by_player])[0]


def test_no_design_effect_is_below_one():
    assert design_effect(sums([5] * 100, [10] * 100))[0] == 1


@pytest.mark.parametrize("n", [[0, 0, 0], [10, 10, 10]])
def test_a_rate_of_zero_or_one_shows_no_clustering(n):
    assert design_effect(sums(n, [10, 10, 10]))[0] == 1


def test_a_kind_with_a_single_cluster_is_passed_over():
    rng = np.random.default_rng(5)
    by_game = sums(rng.binomial(10, 0.4, 300), np.full(300, 10))
    one_player = sums([by_game.n[0]], [by_game.size[0]])
    assert effective_size([by_game, one_player])[0] == effective_size([by_game])[0]


def test_few_clusters_widen_the_interval_beyond_their_design_effect():
    few = sums([40, 41, 39, 40], [100, 100, 100, 100])
    assert design_effect(few)[0] == 1
    assert effective_size([few])[0] < 0.5 * 400


# Rates


@pytest.mark.parametrize("n", [30, 47, 500, 970])
def test_independent_wins_have_scipys_wilson_interval(n):
    expected = binomtest(n, 1000).proportion_ci(0.95, "wilson")
    assert interval(n, 1000) == pytest.approx((expected.low, expected.high))


@pytest.mark.parametrize("n", [0, 1, 29, 971, 999, 1000])
def test_fewer_than_thirty_events_have_scipys_exact_interval(n):
    expected = binomtest(n, 1000).proportion_ci(0.95, "exact")
    assert interval(n, 1000) == pytest.approx((expected.low, expected.high))


def test_the_exact_interval_widens_as_the_effective_size_falls():
    widths = [np.subtract(*interval(12, 1000, effective)) for effective in (1000.0, 812.5, 500.0, 100.0)]
    assert widths == sorted(widths, reverse=True)


def test_nothing_seen_gives_an_upper_bound_that_clusters_raise():
    assert interval(0, 1000)[0] == 0
    assert interval(0, 1000)[1] == pytest.approx(3.69 / 1000, rel=0.01)
    assert interval(0, 1000, 250.0)[1] > interval(0, 1000)[1]


def test_no_wins_have_no_interval():
    assert np.isnan(interval(0, 0)).all()


def test_intervals_that_hold_together_are_wider():
    low, high = interval(100, 1000)
    low_of_all, high_of_all = interval(100, 1000, level=simultaneous(0.95, 45))
    assert low_of_all < low < 0.1 < high < high_of_all


# Means


def test_a_mean_of_independent_wins_has_students_interval():
    points = np.random.default_rng(6).integers(10, 120, 500)
    one = np.ones(500, np.int64)
    low, high = mean_interval([sums(points, one)])
    half = 1.9647 * points.std(ddof=1) / np.sqrt(500)
    assert (low[0], high[0]) == pytest.approx((points.mean() - half, points.mean() + half), rel=1e-4)


def test_a_mean_over_alike_wins_of_players_is_less_certain():
    rng = np.random.default_rng(7)
    of_player = rng.integers(20, 90, 200)
    points = np.repeat(of_player, 25)
    by_win, by_player = sums(points, np.ones(5000, np.int64)), sums(of_player * 25, np.full(200, 25))
    assert mean_design_effect([by_win, by_player])[0] == pytest.approx(25, rel=0.01)
    narrow, wide = mean_interval([by_win]), mean_interval([by_win, by_player])
    assert wide[0][0] < narrow[0][0]


def test_a_mean_of_no_events_has_no_interval():
    """Nothing but zeros has no spread, and would look certain."""
    low, high = mean_interval([sums([0] * 400, [1] * 400), sums([0, 0], [200, 200])])
    assert np.isnan([low[0], high[0]]).all()


def test_one_win_has_a_mean_and_no_interval():
    low, high = mean_interval([sums([52], [1])])
    assert np.isnan([low[0], high[0]]).all()


# Coverage


def covered(n_players: int, rate: float, alike: float, wins: float, repeats: int) -> float:
    """How often the interval holds the rate; each repeat is a column of its own."""
    rng = np.random.default_rng(8)
    drawn = [players(rng, n_players, rate, alike, wins) for _ in range(repeats)]
    n, size = (np.array(column).T for column in zip(*drawn, strict=True))
    effective = effective_size([ClusterSums.of(n, size)])
    low, high = rate_interval(n.sum(axis=0), size.sum(axis=0), effective)
    return float(np.mean((low <= rate) & (rate <= high)))


def test_intervals_cover_the_rate_of_players_who_differ_and_naive_ones_do_not():
    assert 0.93 <= covered(200, 0.35, 0.02, 60, 1500) <= 0.97
    rng = np.random.default_rng(9)
    drawn = [players(rng, 200, 0.35, 0.02, 60) for _ in range(300)]
    naive = [interval(n.sum(), size.sum()) for n, size in drawn]
    assert np.mean([low <= 0.35 <= high for low, high in naive]) < 0.8


@pytest.mark.slow
@pytest.mark.parametrize(
    ("n_players", "rate", "alike", "wins"),
    [
        (1000, 0.38, 0.01, 40),
        (300, 0.38, 0.02, 40),
        (300, 0.04, 0.005, 40),
        (400, 0.016, 0.002, 60),
        (300, 0.003, 0.0005, 60),
        (100, 0.23, 0.02, 100),
        (50, 0.38, 0.02, 200),
        (20, 0.38, 0.02, 200),
    ],
)
def test_intervals_cover_what_they_say_for_common_and_rare_yaku_and_for_few_players(n_players, rate, alike, wins):
    assert 0.93 <= covered(n_players, rate, alike, wins, 8000) <= 0.97


@pytest.mark.slow
@pytest.mark.parametrize("n_players", [5, 10])
def test_intervals_of_very_few_players_cover_at_least_what_they_say(n_players):
    assert covered(n_players, 0.3, 0.02, 100, 4000) >= 0.95
