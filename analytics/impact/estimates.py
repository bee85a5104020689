"""Rates and means of candidates, with their intervals."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..metrics.intervals import (
    FEW_EVENTS,
    ClusterSums,
    design_effect,
    effective_size,
    mean_design_effect,
    mean_interval,
    rate_interval,
    simultaneous,
)

if TYPE_CHECKING:
    import pandas as pd

PRECISION = 0.1
"""The half width of the interval, as a share of the rate, that `needed` is about."""


def rates(schemes: Sequence[ClusterSums], n_rows: int, *, level: float, weight: int = 1) -> dict:
    """Rates with bounds at `level` for each alone and for all `n_rows` at once.

    Parameters
    ----------
    schemes : the sums by unit, by game and by player
        Of the first only the totals are taken.
    weight : int
        As how many a unit counts in the other schemes.

    Returns
    -------
    dict of columns
        `n`, `N`, `rate`, `low`, `high`, `low_simultaneous`, `high_simultaneous`, `deff`, `too_few` (fewer than 30
        events), and `needed`: units needed for bounds 10% of the rate seen away from it; nan without events.
    """
    n, total = schemes[0].n.astype(np.int64), schemes[0].size.astype(np.int64)
    columns = {"n": n, "N": total, "rate": schemes[0].ratio}
    for suffix, at in (("", level), ("_simultaneous", simultaneous(level, n_rows))):
        effective = effective_size(list(schemes[1:]), level=at)
        low, high = rate_interval(n, total, np.minimum(effective, total), level=at)
        columns |= {"low" + suffix: low, "high" + suffix: high}
    effect = np.maximum(np.maximum.reduce([design_effect(one) for one in schemes[1:]]) / weight, 1)
    from scipy.special import ndtri

    z = float(ndtri((1 + level) / 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        rate = columns["rate"]
        needed = np.ceil(effect * (1 - rate) / rate * (z / PRECISION) ** 2)
    columns["deff"] = effect
    columns["too_few"] = n < FEW_EVENTS
    columns["needed"] = np.where(n > 0, needed, np.nan)
    return columns


def means(schemes: Sequence[ClusterSums], n_rows: int, *, level: float, scale: float = 1) -> dict:
    """Means of signed numbers, a paired difference for one, with bounds at `level`.

    Returns
    -------
    dict of columns
        `sum`, `N`, `mean`, `low`, `high`, `low_simultaneous`, `high_simultaneous`, `deff`. Bounds are nan where they
        cannot be told: of one unit or none, or where every number is zero.
    """
    columns = {"sum": schemes[0].n.astype(np.int64) * scale, "N": schemes[0].size.astype(np.int64)}
    columns["mean"] = schemes[0].ratio * scale
    for suffix, at in (("", level), ("_simultaneous", simultaneous(level, n_rows))):
        low, high = mean_interval(list(schemes), level=at)
        columns |= {"low" + suffix: low * scale, "high" + suffix: high * scale}
    columns["deff"] = mean_design_effect(list(schemes))
    return columns


def bounded(found: dict, ranges: Sequence[tuple[float, float]]) -> dict:
    """Means whose bounds hold what is known beforehand: the least and the most that a number of each row can be."""
    least, most = np.array(ranges, float).reshape(-1, 2).T
    bounds = [name for name in found if name.startswith(("low", "high"))]
    return found | {name: np.where(least == most, least, np.clip(found[name], least, most)) for name in bounds}


def words(values: Iterable[object]) -> pd.Series:
    """A column of a frame that may hold None, which pandas would write as nan."""
    import pandas as pd

    return pd.Series(list(values), dtype=object)
