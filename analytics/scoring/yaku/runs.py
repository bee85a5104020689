"""Runs, and how they match each other."""

import numpy as np

from .. import tiles
from ..facts import reading_fact
from ..readings import RYANMEN, Bits, Readings
from ..tiles import U64, run_bits

_ONE_SUIT = run_bits((1, 2, 3, 4, 5, 6, 7), (0,))
_STRAIGHT_STARTS = run_bits((1,))


@reading_fact
def pinfu(r: Readings) -> Bits:
    """Closed, four runs, a pair that gives no fu, and a two-sided wait."""
    value_pair = tiles.DRAGONS | r.seat_bit | r.round_bit
    return r.is_closed & r.is_standard & (r.triplets == 0) & (r.wait == RYANMEN) & (r.pair & value_pair == 0)


@reading_fact
def wind_pair(r: Readings) -> Bits:
    """The pair is of winds."""
    return r.pair & tiles.WINDS != 0


def n_identical_pairs(r: Readings) -> np.ndarray:
    """Pairs of identical runs; four identical runs are two pairs."""
    fourfold = (r.runs >> U64(2)) & tiles.RUN_ONES
    return np.bitwise_count(r.runs_twice) + np.bitwise_count(fourfold)


@reading_fact
def iipeikou(r: Readings) -> Bits:
    """Closed, two identical runs."""
    return r.is_closed & (r.runs_twice != 0)


@reading_fact
def ryanpeikou(r: Readings) -> Bits:
    """Closed, two pairs of identical runs; four identical ones are two pairs."""
    return r.is_closed & (n_identical_pairs(r) == 2)


@reading_fact
def sanshoku_doujun(r: Readings) -> Bits:
    """The same run in three suits."""
    once = r.runs_once
    return once & once >> U64(21) & once >> U64(42) & _ONE_SUIT != 0


@reading_fact
def ittsuu(r: Readings) -> Bits:
    """123 456 789 of one suit."""
    once = r.runs_once
    return once & once >> U64(9) & once >> U64(18) & _STRAIGHT_STARTS != 0


def _ends_everywhere(r: Readings) -> Bits:
    """Every set and the pair hold a terminal or an honour, and there is a run."""
    return (
        (r.runs != 0)
        & (r.runs_once & ~tiles.TERMINAL_RUNS == 0)
        & ((r.triplets | r.pair) & tiles.SIMPLES == 0)
    )


@reading_fact
def chanta(r: Readings) -> Bits:
    """Every set and the pair hold a terminal or an honour; at least one run and one honour."""
    return _ends_everywhere(r) & ((r.triplets | r.pair) & tiles.HONOURS != 0)


@reading_fact
def junchan(r: Readings) -> Bits:
    """Every set and the pair hold a terminal; at least one run, no honour."""
    return _ends_everywhere(r) & ((r.triplets | r.pair) & tiles.HONOURS == 0)
