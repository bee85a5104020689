"""Intervals for rates and means that were counted over wins of the same players and the same games.

Wins of one player resemble each other, so a table of wins tells less than as many independent ones would. A rate's
*design effect* is its variance over clusters divided by the variance that independent wins would give; the size a
table is worth is its size divided by that. Clusters are the players and, apart from them, the games; what counts is
the larger effect, and at least 1.

With few clusters their variance is itself uncertain. The effective size is therefore multiplied by the squared ratio
of the normal to Student's quantile, as Korn and Graubard (1998) do. As clusters differ much in size, a few players
having most of the wins, they are counted by their effective number (ΣN)²/ΣN², in the degrees of freedom and in the
variance: simulated intervals then cover what they say from some twenty players on, and are too wide below that.

Intervals speak of players and games like these, not of these games alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

LEVEL = 0.95
FEW_EVENTS = 30
_CLUSTERS_AT_ONCE = 1024


@dataclass(frozen=True)
class ClusterSums:
    """Sums over clusters of numerators n and denominators N, one entry per statistic, as exact whole numbers.

    They add up over disjoint sets of clusters, in any order.

    Attributes
    ----------
    n, size : sums of n and of N
    nn, n_size, size_size : sums of n², n·N and N²
    """

    n: np.ndarray
    size: np.ndarray
    nn: np.ndarray
    n_size: np.ndarray
    size_size: np.ndarray

    @classmethod
    def of(cls, n: np.ndarray, size: np.ndarray) -> ClusterSums:
        """Of whole numbers (clusters, statistics) each."""
        total = cls.none(n.shape[1])
        for start in range(0, len(n), _CLUSTERS_AT_ONCE):  # whose squares stay below 2**63 for sums to 90 million
            rows = slice(start, start + _CLUSTERS_AT_ONCE)
            a, b = n[rows].astype(np.int64), size[rows].astype(np.int64)
            total += cls(*(x.sum(axis=0).astype(object) for x in (a, b, a * a, a * b, b * b)))
        return total

    @classmethod
    def none(cls, n_statistics: int) -> ClusterSums:
        """No clusters yet."""
        return cls(*(np.zeros(n_statistics, np.int64).astype(object) for _ in range(5)))

    def __add__(self, other: ClusterSums) -> ClusterSums:
        return ClusterSums(*(a + b for a, b in zip(self._columns, other._columns, strict=True)))

    def only(self, statistics: np.ndarray) -> ClusterSums:
        """These statistics alone (row numbers)."""
        return ClusterSums(*(column[statistics] for column in self._columns))

    def where(self, counts: np.ndarray) -> ClusterSums:
        """These sums for the statistics that count, nothing for the others."""
        weight = counts.astype(np.int64).astype(object)
        return ClusterSums(*(column * weight for column in self._columns))

    @property
    def _columns(self) -> tuple[np.ndarray, ...]:
        return self.n, self.size, self.nn, self.n_size, self.size_size

    @property
    def ratio(self) -> np.ndarray:
        """Numerator over denominator; nan where there is none."""
        return _quotient(self.n, self.size)

    @property
    def clusters(self) -> np.ndarray:
        """Effective number of clusters, (ΣN)² / ΣN²: as many of equal size would tell as much."""
        return _quotient(self.size**2, self.size_size)

    @property
    def variance(self) -> np.ndarray:
        """Variance of the ratio by linearisation; nan with fewer than two clusters.

        C/(C-1) · Σ (n - rN)² / (ΣN)², with r the ratio and C the effective number of clusters.
        """
        residual = self.size**2 * self.nn - 2 * self.n * self.size * self.n_size + self.n**2 * self.size_size
        return _quotient(residual, self.size**2 * (self.size**2 - self.size_size))


def _quotient(a: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Whole numbers divided as Python divides them, rounded once."""
    return np.array([x / y if y else np.nan for x, y in zip(a.tolist(), b.tolist(), strict=True)], float)


def simultaneous(level: float, n_rows: int) -> float:
    """The level at which each of `n_rows` intervals must hold so that all do at `level` (Bonferroni).

    Bonferroni asks nothing of how the rows depend on each other.

    >>> simultaneous(0.95, 50)
    0.999
    """
    return 1 - (1 - level) / max(n_rows, 1)


def design_effect(sums: ClusterSums) -> np.ndarray:
    """Variance of a rate over these clusters against that of independent wins, at least 1.

    1 where it cannot be told: fewer than two effective clusters, or a rate of 0 or 1.
    """
    rate, size = sums.ratio, sums.size.astype(float)
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = sums.variance * size / (rate * (1 - rate))
    return np.where(np.isfinite(effect) & (sums.clusters >= 2), np.maximum(effect, 1), 1)


def effective_size(schemes: list[ClusterSums], *, level: float = LEVEL) -> np.ndarray:
    """The number of independent wins these are worth to a rate: the smallest over the kinds of clusters.

    A kind with fewer than two effective clusters tells nothing of others and is passed over.
    """
    size = schemes[0].size.astype(float)
    worth = [size]
    for sums in schemes:
        factor = (_normal(level) / _student(level, sums.clusters)) ** 2
        worth.append(np.where(sums.clusters >= 2, size / design_effect(sums) * factor, size))
    return np.minimum.reduce(worth)


def rate_interval(
    n: np.ndarray, size: np.ndarray, effective: np.ndarray, *, level: float = LEVEL
) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of n/size, as far as `effective` independent wins with this rate tell.

    Wilson's interval; Clopper-Pearson's, exact, where fewer than 30 wins have it or have it not. The exact one is
    taken through the beta quantiles at `rate · effective` events of `effective`, which need not be whole numbers.

    >>> low, high = rate_interval(np.array([0, 300]), np.array([1000, 1000]), np.array([1000.0, 500.0]))
    >>> low.round(4).tolist(), high.round(4).tolist()
    ([0.0, 0.2615], [0.0037, 0.3416])
    """
    n, size, effective = (np.asarray(x, float) for x in (n, size, effective))
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = n / size
        exact = _clopper_pearson(rate * effective, effective, level)
        wilson = _wilson(rate, effective, level)
    is_few = np.minimum(n, size - n) < FEW_EVENTS
    low, high = (np.where(is_few, a, b) for a, b in zip(exact, wilson, strict=True))
    return np.where(size > 0, low, np.nan), np.where(size > 0, high, np.nan)


def mean_interval(schemes: list[ClusterSums], *, level: float = LEVEL) -> tuple[np.ndarray, np.ndarray]:
    """Bounds of a mean: Student's with the variance over clusters, the widest over the kinds of clusters.

    The first scheme has each win as a cluster of its own, so that no interval is narrower than for independent wins.
    Where every number is zero there are no bounds: that nothing was seen to happen tells nothing of its size.
    """
    mean, half = schemes[0].ratio, np.full(len(schemes[0].n), np.nan)
    for sums in schemes:
        width = _student(level, sums.clusters) * np.sqrt(sums.variance)
        half = np.fmax(half, np.where((sums.clusters >= 2) & (sums.nn > 0), width, np.nan))
    return mean - half, mean + half


def mean_design_effect(schemes: list[ClusterSums]) -> np.ndarray:
    """As `design_effect`, of a mean; the first scheme has each win as a cluster of its own."""
    of_each = [np.where(sums.clusters >= 2, sums.variance, np.nan) for sums in schemes]
    with np.errstate(divide="ignore", invalid="ignore"):
        effect = np.fmax.reduce(of_each) / schemes[0].variance
    return np.where(np.isfinite(effect), np.maximum(effect, 1), 1)


def _normal(level: float) -> float:
    from scipy.special import ndtri

    return float(ndtri((1 + level) / 2))


def _student(level: float, clusters: np.ndarray) -> np.ndarray:
    from scipy.special import stdtrit

    return stdtrit(np.fmax(clusters - 1, 1), (1 + level) / 2)


def _wilson(rate: np.ndarray, size: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    z = _normal(level)
    centre = (rate + z * z / (2 * size)) / (1 + z * z / size)
    half = z * np.sqrt(rate * (1 - rate) / size + (z / (2 * size)) ** 2) / (1 + z * z / size)
    return np.maximum(centre - half, 0), np.minimum(centre + half, 1)


def _clopper_pearson(events: np.ndarray, size: np.ndarray, level: float) -> tuple[np.ndarray, np.ndarray]:
    from scipy.special import betaincinv

    tail, none, all_ = (1 - level) / 2, events <= 0, events >= size
    low = betaincinv(np.where(none, 1, events), size - events + 1, tail)
    high = betaincinv(events + 1, np.where(all_, 1, size - events), 1 - tail)
    return np.where(none, 0, low), np.where(all_, 1, high)
