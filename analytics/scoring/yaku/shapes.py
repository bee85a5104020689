"""Hands that are not four sets and a pair."""

import numpy as np

from ..facts import reading_fact
from ..readings import CHIITOITSU, KOKUSHI, Bits, Readings


@reading_fact
def chiitoitsu(r: Readings) -> Bits:
    """Seven different pairs."""
    return r.form == CHIITOITSU


@reading_fact
def kokushi_musou(r: Readings) -> Bits:
    """One of each terminal and honour, and one of them twice."""
    return r.form == KOKUSHI


@reading_fact
def kokushi_juusanmen(r: Readings) -> Bits:
    """Thirteen orphans won on the tile that is there twice."""
    found = r.form == KOKUSHI
    rows = np.flatnonzero(found)
    if len(rows):
        found[rows] = _held_twice(r, rows)
    return found


def _held_twice(r: Readings, rows: np.ndarray) -> Bits:
    """Whether the winning tile is the one held twice, among kokushi readings."""
    hands = r.hands[r.hand[rows]]
    win = hands.win_kind.astype(np.int64)
    digit = np.where(win < 27, 5 ** (win % 9), 5 ** np.maximum(win - 27, 0))
    number = np.where(win < 27, 0, hands.honours.astype(np.int64))
    for suit in range(3):
        number = np.where((win < 27) & (win // 9 == suit), hands.suit(suit), number)
    return number // digit % 5 == 2
