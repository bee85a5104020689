"""Triplets and kans."""

import numpy as np

from ..facts import reading_fact
from ..readings import TANKI, Bits, Readings
from ..tiles import SUITS, U64


@reading_fact
def toitoi(r: Readings) -> Bits:
    """Four triplets or kans, open or concealed."""
    return r.n_triplets == 4


@reading_fact
def sanankou(r: Readings) -> Bits:
    """Three concealed triplets or kans; one finished by ron is not concealed."""
    return r.n_concealed_triplets >= 3


@reading_fact
def suuankou(r: Readings) -> Bits:
    """Four concealed triplets or kans."""
    return r.n_concealed_triplets == 4


@reading_fact
def suuankou_tanki(r: Readings) -> Bits:
    """Four concealed triplets or kans, won on the pair."""
    return (r.n_concealed_triplets == 4) & (r.wait == TANKI)


@reading_fact
def sankantsu(r: Readings) -> Bits:
    """Three kans."""
    return np.bitwise_count(r.kans) >= 3


@reading_fact
def suukantsu(r: Readings) -> Bits:
    """Four kans."""
    return np.bitwise_count(r.kans) == 4


@reading_fact
def sanshoku_doukou(r: Readings) -> Bits:
    """The same number as triplets or kans in three suits."""
    return r.triplets & r.triplets >> U64(9) & r.triplets >> U64(18) & SUITS[0] != 0
