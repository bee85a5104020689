"""Hands that are not four sets and a pair."""

import numpy as np

from .. import tiles
from ..facts import reading_fact
from ..hands import column
from ..readings import CHIITOITSU, CIVIL_WAR, FOUR_PAIRS, KNITTED, KNITTED_KINDS, KOKUSHI, SCATTERED, Bits, Readings
from ..tiles import SUITS, U64
from .circumstance import tenhou


def _orphans(r: Readings) -> Bits:
    return r.form == KOKUSHI


def _scattered(r: Readings) -> Bits:
    return r.form == SCATTERED


def _civil_war(r: Readings) -> Bits:
    return r.form == CIVIL_WAR


@reading_fact
def chiitoitsu(r: Readings) -> Bits:
    """Seven different pairs."""
    return r.form == CHIITOITSU


@reading_fact
def four_identical_pairs(r: Readings) -> Bits:
    """Seven pairs, two or more of them of the same kind."""
    return r.form == FOUR_PAIRS


@reading_fact
def kokushi_musou(r: Readings) -> Bits:
    """One of each terminal and honour, and one of them twice."""
    return r.form == KOKUSHI


@reading_fact(among=_orphans)
def kokushi_juusanmen(r: Readings) -> Bits:
    """Thirteen orphans won on the tile that is there twice."""
    hands = r.hands[r.hand]
    win = hands.win_kind.astype(np.int64)
    number = np.where(win < 27, 0, hands.honours.astype(np.int64))
    for suit in range(3):
        number = np.where((win < 27) & (win // 9 == suit), hands.suit(suit), number)
    digit = np.where(win < 27, 5 ** (win % 9), 5 ** np.maximum(win - 27, 0))
    return number // digit % 5 == 2


@reading_fact(among=_orphans)
def kokushi_on_tenhou(r: Readings) -> Bits:
    """Thirteen orphans on the dealer's first draw."""
    return tenhou(r.hands)[r.hand]


# ----------------------------------------------------------------------------- scattered first hands


@column
def _no_neighbours(r: Readings) -> Bits:
    """No two kinds of a suit lie one or two numbers apart."""
    apart = np.ones(len(r), bool)
    for shift, suit in zip((0, 9, 18), SUITS, strict=True):
        field = (r.kinds & suit) >> U64(shift)
        apart &= field & (field >> U64(1) | field >> U64(2)) == 0
    return apart


@column
def _first_turn(r: Readings) -> Bits:
    """Self-draw in the first own turn, no call before."""
    hands = r.hands
    first = hands.is_tsumo & hands.flag("no_own_discard") & hands.flag("no_calls")
    return first[r.hand]


@reading_fact(among=_scattered, asks="no_own_discard no_calls")
def shiisanpuutaa(r: Readings) -> Bits:
    """First own turn: thirteen kinds and one pair, nothing near anything."""
    return (np.bitwise_count(r.kinds) == 13) & _no_neighbours(r) & _first_turn(r)


@reading_fact(among=_scattered, asks="no_own_discard no_calls")
def shiisuupuutaa(r: Readings) -> Bits:
    """First own turn: fourteen kinds, nothing near anything."""
    return (np.bitwise_count(r.kinds) == 14) & _no_neighbours(r) & _first_turn(r)


@column
def _knitted(r: Readings) -> Bits:
    """Fourteen kinds, the suit tiles among 147, 258, 369 of three suits."""
    numbers = r.kinds & tiles.NUMBERS
    found = np.zeros(len(r), bool)
    for nine in KNITTED_KINDS:
        found |= numbers & ~nine == 0
    return found & (np.bitwise_count(r.kinds) == 14)


@reading_fact(among=_scattered)
def zenfukou(r: Readings) -> Bits:
    """Fourteen kinds out of the honours and 147, 258, 369 in three suits."""
    return _knitted(r)


@reading_fact(among=_scattered)
def chiishin_uushii(r: Readings) -> Bits:
    """All seven honours and seven kinds out of 147, 258, 369 in three suits."""
    return _knitted(r) & (r.kinds & tiles.HONOURS == tiles.HONOURS)


@reading_fact
def kumiairyuu(r: Readings) -> Bits:
    """147, 258, 369 in three suits, with a set and a pair or within fourteen single tiles."""
    found = r.form == KNITTED
    rows = np.flatnonzero(r.form == SCATTERED)
    if len(rows):
        subset = r[rows]
        nine = np.zeros(len(rows), bool)
        for kinds in KNITTED_KINDS:
            nine |= subset.kinds & kinds == kinds
        found[rows] = _knitted(subset) & nine
    return found


# ------------------------------------------------------------------------------------ the civil war


@column
def _of_one_suit(r: Readings) -> Bits:
    return sum(((r.kinds & suit) != 0).astype(np.int8) for suit in SUITS) == 1


def _n_melds(r: Readings) -> np.ndarray:
    return r.hands.n_melds[r.hand]


@reading_fact(among=_civil_war)
def american_civil_war(r: Readings) -> Bits:
    """South and north as concealed triplets, 1861 of one suit, 1865 of another."""
    return (_n_melds(r) == 0) & ~_of_one_suit(r)


@reading_fact(among=_civil_war)
def civil_war_of_one_suit(r: Readings) -> Bits:
    """South and north as concealed triplets, 1861 and 1865 of one suit."""
    return (_n_melds(r) == 0) & _of_one_suit(r)


@reading_fact(among=_civil_war)
def civil_war_with_kans(r: Readings) -> Bits:
    """The civil war with south or north as a concealed kan; where that is allowed too, the other called."""
    return (r.hands.concealed_kans[r.hand] != 0) & ~_of_one_suit(r)


@reading_fact(among=_civil_war)
def civil_war_with_melds(r: Readings) -> Bits:
    """The civil war with south or north called, neither a concealed kan."""
    return ~r.is_closed & (r.hands.concealed_kans[r.hand] == 0) & ~_of_one_suit(r)


@reading_fact(among=_civil_war)
def war_in_man(r: Readings) -> Bits:
    """One of the years of the civil war is of man."""
    return r.kinds & SUITS[0] != 0
