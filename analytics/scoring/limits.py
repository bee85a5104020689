"""From han and fu to base points, and from base points to what is paid."""

from __future__ import annotations

from functools import cache

import numpy as np

from .ruleset import Ruleset

MAX_UNITS = 127
"""No hand is paid more yakuman; it takes fifteen yaku at nine units, or 1,651 han where each thirteen are one."""
MAX_HAN, MAX_FU = 13 * MAX_UNITS, 260
LIMIT_NAMES = ("none", "mangan", "haneman", "baiman", "sanbaiman", "counted_yakuman", "yakuman")
MANGAN, COUNTED, YAKUMAN = 1, 5, 6
_BY_HAN = np.array([0] * 5 + [1, 2, 2, 3, 3, 3, 4, 4] + [COUNTED] * (MAX_HAN - 12), np.int8)
_LIMIT_BASE = np.array([0, 2000, 3000, 4000, 6000, 8000], np.int32)


def limit_name(limit: int, units: int) -> str | None:
    """`mangan`, `counted_yakuman`, `double_yakuman` …; None below mangan.

    >>> limit_name(6, 2), limit_name(5, 0), limit_name(0, 0)
    ('double_yakuman', 'counted_yakuman', None)
    """
    if units:
        prefix = {1: "", 2: "double_", 3: "triple_", 4: "quadruple_", 5: "quintuple_", 6: "sextuple_"}
        return prefix.get(units, f"{units}_fold_") + "yakuman"
    return LIMIT_NAMES[limit] if limit else None


def base_table(rules: Ruleset) -> tuple[np.ndarray, np.ndarray]:
    """Base points and limit by (han, fu): int32 and int8 arrays (MAX_HAN + 1, MAX_FU + 1), not to be written to."""
    return _base_table(bool(rules["limits.kiriage_mangan"]), rules["limits.counted_yakuman"])


@cache
def _base_table(kiriage_mangan: bool, counted_yakuman: str) -> tuple[np.ndarray, np.ndarray]:
    han, fu = np.arange(MAX_HAN + 1)[:, None], np.arange(MAX_FU + 1)[None, :]
    raw = fu << (2 + np.minimum(han, 5))
    limit = np.broadcast_to(_BY_HAN[: MAX_HAN + 1, None], raw.shape).copy()
    if counted_yakuman == "sanbaiman":
        limit[limit == COUNTED] = 4
    rounded_up = kiriage_mangan & (raw == 1920)
    limit[(limit == 0) & ((raw >= 2000) | rounded_up)] = MANGAN
    base = np.where(limit == 0, raw, _LIMIT_BASE[limit])
    if counted_yakuman == "each_13":
        base = np.where(han >= 13, _LIMIT_BASE[COUNTED] * (han // 13), base)
    base[0] = 0
    limit[0] = 0
    base = base.astype(np.int32)
    base.flags.writeable = limit.flags.writeable = False
    return base, limit


def limit_of_base(base: np.ndarray) -> np.ndarray:
    """The limit whose base points these are, 0 if none."""
    return np.searchsorted(_LIMIT_BASE[1:6], base, side="right").astype(np.int8)


def up_to_hundred(points: np.ndarray) -> np.ndarray:
    """Points rounded up to hundreds."""
    return -(-points // 100) * 100


def win_points(
    base: np.ndarray, is_dealer: np.ndarray, is_tsumo: np.ndarray, players: np.ndarray, tsumo_loss: bool
) -> np.ndarray:
    """Points of a win without honba and sticks; of a self-draw, the sum of its payments.

    >>> win_points(np.array([1280]), np.array([False]), np.array([True]), np.array([4]), True)
    array([5200])
    """
    ron = up_to_hundred(base * np.where(is_dealer, 6, 4))
    from_dealer, from_other = self_draw_shares(base, is_dealer, players, tsumo_loss)
    tsumo = np.where(is_dealer, from_other * (players - 1), from_dealer + from_other * (players - 2))
    return np.where(is_tsumo, tsumo, ron)


def self_draw_shares(
    base: np.ndarray, is_dealer: np.ndarray, players: np.ndarray, tsumo_loss: bool
) -> tuple[np.ndarray, np.ndarray]:
    """What the dealer and each other player pay for a self-draw of this base."""
    dealer_share, other_share = 2 * base, np.where(is_dealer, 2 * base, base)
    if not tsumo_loss:  # the absent player's share is split between the two who pay
        missing = np.where(is_dealer, 2 * base, base)
        half = np.where(players == 3, missing / 2, 0)
        dealer_share, other_share = dealer_share + half, other_share + half
    return up_to_hundred(dealer_share).astype(np.int64), up_to_hundred(other_share).astype(np.int64)

