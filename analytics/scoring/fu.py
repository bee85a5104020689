"""Fu: what a reading gives before rounding, and what a ruleset makes of it.

A reading's fu under every ruleset follow from a thirteen-bit `fu_class`; a ruleset is a table over the classes.
"""

from __future__ import annotations

from functools import cache
from typing import NamedTuple

import numpy as np

from . import tiles
from .hands import Hands
from .readings import KANCHAN, KNITTED, PENCHAN, RYANMEN, STANDARD, TANKI, Readings
from .ruleset import Ruleset

# fu_class: seven bits of fu from sets, pair and wait, halved; then these.
_TSUMO, _CLOSED, _DOUBLE_WIND, _RINSHAN, _SEVEN_PAIRS, _PINFU = (1 << bit for bit in range(7, 13))
N_CLASSES = 1 << 13
_SINGLE_WAIT = np.zeros(6, bool)
_SINGLE_WAIT[[TANKI, KANCHAN, PENCHAN]] = True


def set_fu(r: Readings) -> np.ndarray:
    """Fu of triplets and kans: 2, doubled for terminals and honours, for concealed ones, fourfold for kans."""
    count, concealed, yaochuu = np.bitwise_count, r.concealed_triplets, r.triplets & tiles.YAOCHUU
    # Doubling sums: each property doubles the fu of the sets that have it.
    total = 2 * (count(r.triplets) + count(yaochuu) + count(concealed) + count(concealed & yaochuu))
    rows = np.flatnonzero(r.kans)
    kans = r.kans[rows] & r.triplets[rows]
    of_kans = (kans, kans & tiles.YAOCHUU, kans & concealed[rows], kans & concealed[rows] & tiles.YAOCHUU)
    total[rows] += 6 * sum(map(count, of_kans))
    return total


def pair_fu(r: Readings) -> tuple[np.ndarray, np.ndarray]:
    """Whether the pair gives two fu, and whether it is both seat and round wind."""
    seat, round_ = r.pair & r.seat_bit != 0, r.pair & r.round_bit != 0
    return seat | round_ | (r.pair & tiles.DRAGONS != 0), seat & round_


def fu_class(r: Readings) -> np.ndarray:
    """Everything a ruleset needs to know of a reading's fu, as an index below N_CLASSES."""
    valued, double_wind = pair_fu(r)
    has_sets = (r.form == STANDARD) | (r.form == KNITTED)
    halved = ((set_fu(r) >> 1) + valued + _SINGLE_WAIT[r.wait]) * has_sets
    is_pinfu = (halved == 0) & (r.wait == RYANMEN) & (r.form == STANDARD)
    found = _of_hand(r.hands)[r.hand] | halved
    for holds, bit in ((double_wind, _DOUBLE_WIND), (~has_sets & (r.wait == TANKI), _SEVEN_PAIRS), (is_pinfu, _PINFU)):
        found |= np.multiply(holds, bit, dtype=np.uint16)
    return found


def _of_hand(hands: Hands) -> np.ndarray:
    """The bits of a class that are the same for every reading of a hand."""
    found = np.zeros(len(hands), np.uint16)
    for holds, bit in ((hands.is_tsumo, _TSUMO), (hands.is_closed, _CLOSED), (hands.flag("rinshan"), _RINSHAN)):
        found |= np.multiply(holds, bit, dtype=np.uint16)
    return found


def fu_table(rules: Ruleset) -> np.ndarray:
    """Fu by fu_class under a ruleset, rounded up to tens; seven pairs are not rounded."""
    return _fu_table(fu_settings(rules))


class Settings(NamedTuple):
    """What fu depend on in a ruleset."""

    double_wind_pair: int
    pinfu_tsumo: int
    open_pinfu: int
    chiitoitsu: int
    rinshan_tsumo: bool


def fu_settings(rules: Ruleset) -> Settings:
    # A self-drawn pinfu keeps its 20 fu only where it is a yaku at all.
    plays_pinfu = rules.yaku_value("pinfu").closed.is_on and rules["yaku.pinfu.tsumo_pinfu"]
    return Settings(
        rules["fu.double_wind_pair"],
        rules["fu.pinfu_tsumo"] if plays_pinfu else 30,
        rules["fu.open_pinfu"],
        rules["fu.chiitoitsu"],
        rules["fu.rinshan_tsumo"],
    )


@cache
def _fu_table(settings: Settings) -> np.ndarray:
    code = np.arange(N_CLASSES)
    tsumo, closed, pinfu = code & _TSUMO > 0, code & _CLOSED > 0, code & _PINFU > 0
    total = 20 + 2 * (code & 0x7F)
    total += 2 * ((code & _DOUBLE_WIND > 0) & (settings.double_wind_pair == 4))
    total += 10 * (closed & ~tsumo)
    is_flat = closed & pinfu & (settings.pinfu_tsumo == 20)
    total += 2 * (tsumo & ~is_flat & (settings.rinshan_tsumo | (code & _RINSHAN == 0)))
    total += 10 * ((total == 20) & ~closed & ~tsumo & (settings.open_pinfu == 30))
    total += -total % 10
    return np.where(code & _SEVEN_PAIRS > 0, settings.chiitoitsu, total).astype(np.int16)


def fu_parts(code: int, rules: Ruleset) -> list[tuple[str, int]]:
    """The fu of a class part by part, rounding included.

    >>> from .ruleset import base
    >>> fu_parts(4, base())
    [('base', 20), ('sets_pair_wait', 8), ('rounding', 2)]
    """
    return _parts(code, fu_settings(rules))


def _parts(code: int, settings: Settings) -> list[tuple[str, int]]:
    if code & _SEVEN_PAIRS:
        return [("chiitoitsu", settings.chiitoitsu)]
    tsumo, closed = bool(code & _TSUMO), bool(code & _CLOSED)
    parts = [("base", 20)]
    shape = 2 * (code & 0x7F) + (2 if code & _DOUBLE_WIND and settings.double_wind_pair == 4 else 0)
    if shape:
        parts.append(("sets_pair_wait", shape))
    if closed and not tsumo:
        parts.append(("closed_ron", 10))
    is_flat = closed and code & _PINFU and settings.pinfu_tsumo == 20
    if tsumo and not is_flat and (settings.rinshan_tsumo or not code & _RINSHAN):
        parts.append(("tsumo", 2))
    total = sum(fu for _, fu in parts)
    if total == 20 and not closed and not tsumo and settings.open_pinfu == 30:
        parts.append(("open_pinfu", 10))
        total = 30
    if total % 10:
        parts.append(("rounding", 10 - total % 10))
    return parts
