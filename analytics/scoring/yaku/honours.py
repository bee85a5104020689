"""Triplets of honours."""

import numpy as np

from .. import tiles
from ..facts import reading_fact
from ..readings import Bits, Readings


@reading_fact
def yakuhai_haku(r: Readings) -> Bits:
    """Triplet or kan of white dragons."""
    return r.triplets & tiles.BIT[31] != 0


@reading_fact
def yakuhai_hatsu(r: Readings) -> Bits:
    """Triplet or kan of green dragons."""
    return r.triplets & tiles.BIT[32] != 0


@reading_fact
def yakuhai_chun(r: Readings) -> Bits:
    """Triplet or kan of red dragons."""
    return r.triplets & tiles.BIT[33] != 0


@reading_fact
def yakuhai_seat(r: Readings) -> Bits:
    """Triplet or kan of the seat wind."""
    return r.triplets & r.seat_bit != 0


@reading_fact
def yakuhai_round(r: Readings) -> Bits:
    """Triplet or kan of the round wind."""
    return r.triplets & r.round_bit != 0


@reading_fact
def shousangen(r: Readings) -> Bits:
    """Two triplets of dragons and a pair of the third."""
    return (np.bitwise_count(r.triplets & tiles.DRAGONS) == 2) & (r.pair & tiles.DRAGONS != 0)


@reading_fact
def daisangen(r: Readings) -> Bits:
    """Triplets of all three dragons."""
    return np.bitwise_count(r.triplets & tiles.DRAGONS) == 3


@reading_fact
def shousuushii(r: Readings) -> Bits:
    """Triplets of three winds and a pair of the fourth."""
    return (np.bitwise_count(r.triplets & tiles.WINDS) == 3) & (r.pair & tiles.WINDS != 0)


@reading_fact
def daisuushii(r: Readings) -> Bits:
    """Triplets of all four winds."""
    return np.bitwise_count(r.triplets & tiles.WINDS) == 4
