"""Triplets and kans, and how their numbers match."""

from itertools import permutations

import numpy as np

from .. import tiles
from ..facts import reading_fact, within
from ..readings import SHANPON, TANKI, Bits, Readings
from ..tiles import SUITS, U64
from .circumstance import tenhou

_NINE = U64(0x1FF)
_EVENS = U64(sum(1 << (9 * suit + n - 1) for suit in range(3) for n in (2, 4, 6, 8)))


def field(kinds: np.ndarray, suit: int) -> np.ndarray:
    """Kinds of one suit as nine bits."""
    return kinds >> U64(9 * suit) & _NINE


def _starts(last: int) -> np.uint64:
    """Numbers 1 to `last` of every suit."""
    return U64(sum(1 << (9 * suit + n) for suit in range(3) for n in range(last)))


def two_triplets(r: Readings) -> Bits:
    """At least two triplets."""
    return r.n_triplets >= 2


@within(two_triplets)
def three_triplets(r: Readings) -> Bits:
    """At least three triplets."""
    return r.n_triplets >= 3


@within(three_triplets)
def four_triplets(r: Readings) -> Bits:
    """Four triplets."""
    return r.n_triplets == 4


def some_kan(r: Readings) -> Bits:
    """At least one kan."""
    return r.kans != 0


# ----------------------------------------------------------------------------------------- standard


@reading_fact
def toitoi(r: Readings) -> Bits:
    """Four triplets or kans, open or concealed."""
    return r.n_triplets == 4


@reading_fact(among=three_triplets)
def sanankou(r: Readings) -> Bits:
    """Three concealed triplets or kans; one finished by ron is not concealed."""
    return r.n_concealed_triplets >= 3


@reading_fact(among=four_triplets)
def suuankou(r: Readings) -> Bits:
    """Four concealed triplets or kans."""
    return r.n_concealed_triplets == 4


@reading_fact(among=four_triplets)
def suuankou_tanki(r: Readings) -> Bits:
    """Four concealed triplets or kans, won on the pair."""
    return (r.n_concealed_triplets == 4) & (r.wait == TANKI)


@reading_fact(among=four_triplets)
def suuankou_on_tenhou(r: Readings) -> Bits:
    """Four concealed triplets on the dealer's first draw."""
    return (r.n_concealed_triplets == 4) & tenhou(r.hands)[r.hand]


@reading_fact(among=some_kan)
def kan(r: Readings) -> Bits:
    """There is a kan."""
    return r.kans != 0


@reading_fact(among=some_kan)
def sankantsu(r: Readings) -> Bits:
    """Three kans."""
    return np.bitwise_count(r.kans) >= 3


@reading_fact(among=some_kan)
def suukantsu(r: Readings) -> Bits:
    """Four kans."""
    return np.bitwise_count(r.kans) == 4


@reading_fact(among=three_triplets)
def sanshoku_doukou(r: Readings) -> Bits:
    """The same number as triplets or kans in three suits."""
    return _same_number(r.triplets)


def _same_number(kinds: np.ndarray) -> Bits:
    return kinds & kinds >> U64(9) & kinds >> U64(18) & SUITS[0] != 0


# --------------------------------------------------------------------------------- numbers in steps


def _in_one_suit(kinds: np.ndarray, step: int, length: int) -> np.ndarray:
    """Low bits of n, n + step … in one suit."""
    found = kinds & tiles.NUMBERS
    for i in range(1, length):
        found = found & (kinds & tiles.NUMBERS) >> U64(step * i)
    return found & _starts(9 - step * (length - 1))


def _in_three_suits(kinds: np.ndarray, step: int) -> Bits:
    """n, n + step and n + 2 step, each in another suit."""
    fields = [field(kinds, suit) for suit in range(3)]
    found = np.zeros(len(kinds), bool)
    for a, b, c in permutations(range(3)):
        found |= fields[a] & fields[b] >> U64(step) & fields[c] >> U64(2 * step) != 0
    return found


@reading_fact(among=three_triplets)
def sanrenkou(r: Readings) -> Bits:
    """Triplets or kans of n, n+1, n+2 in one suit."""
    return _in_one_suit(r.triplets, 1, 3) != 0


@reading_fact(among=three_triplets)
def choupaikou(r: Readings) -> Bits:
    """Triplets or kans of n, n+2, n+4 in one suit."""
    return _in_one_suit(r.triplets, 2, 3) != 0


@reading_fact(among=three_triplets)
def sujipaikou(r: Readings) -> Bits:
    """Triplets or kans of n, n+3, n+6 in one suit."""
    return _in_one_suit(r.triplets, 3, 3) != 0


@reading_fact(among=three_triplets)
def chousankou(r: Readings) -> Bits:
    """Triplets or kans of 1, 5, 9 in one suit."""
    return _in_one_suit(r.triplets, 4, 3) != 0


@reading_fact(among=three_triplets)
def sanshoku_renkou(r: Readings) -> Bits:
    """Triplets or kans of n, n+1, n+2, each in another suit."""
    return _in_three_suits(r.triplets, 1)


@reading_fact(among=three_triplets)
def sanshoku_choupaikou(r: Readings) -> Bits:
    """Triplets or kans of n, n+2, n+4, each in another suit."""
    return _in_three_suits(r.triplets, 2)


@reading_fact(among=three_triplets)
def sanshoku_sujipaikou(r: Readings) -> Bits:
    """Triplets or kans of n, n+3, n+6, each in another suit."""
    return _in_three_suits(r.triplets, 3)


@reading_fact(among=three_triplets)
def sanshoku_chousankou(r: Readings) -> Bits:
    """Triplets or kans of 1, 5, 9, each in another suit."""
    return _in_three_suits(r.triplets, 4)


@reading_fact(among=four_triplets)
def suurenkou(r: Readings) -> Bits:
    """Triplets or kans of n to n+3 in one suit."""
    return _in_one_suit(r.triplets, 1, 4) != 0


@reading_fact(among=four_triplets)
def junsei_suurenkou(r: Readings) -> Bits:
    """Triplets of n to n+3 in one suit, won on either end of n to n+4, the pair at the other."""
    block = _in_one_suit(r.triplets, 1, 4)
    win = tiles.BIT[r.hands.win_kind[r.hand]]
    low = (block & win != 0) & (r.pair == block << U64(4)) & (block & _starts(5) != 0)
    high = (block << U64(3) & win != 0) & (r.pair == block >> U64(1)) & (block & ~_first_numbers() != 0)
    return (block != 0) & (r.wait == SHANPON) & (low | high)


def _first_numbers() -> np.uint64:
    return _starts(1)


@reading_fact(among=four_triplets)
def suuchoupaikou(r: Readings) -> Bits:
    """Triplets or kans of n, n+2, n+4, n+6 in one suit."""
    return _in_one_suit(r.triplets, 2, 4) != 0


# ---------------------------------------------------------------------------------- the same numbers


def _twice(kinds: np.ndarray) -> np.ndarray:
    """Numbers that occur in two suits or three, as nine bits."""
    man, pin, sou = (field(kinds, suit) for suit in range(3))
    return (man & pin) | (pin & sou) | (man & sou)


@reading_fact(among=two_triplets)
def nishoku_doukou(r: Readings) -> Bits:
    """The same number as triplets or kans in two suits."""
    return _twice(r.triplets) != 0


@reading_fact(among=four_triplets)
def ryandoukou(r: Readings) -> Bits:
    """Two numbers as triplets or kans, each in the same two suits."""
    man, pin, sou = (field(r.triplets, suit) for suit in range(3))
    found = np.zeros(len(r), bool)
    for one, other in ((man, pin), (man, sou), (pin, sou)):
        found |= np.bitwise_count(one & other) == 2
    return found


@reading_fact(among=four_triplets)
def ryandoukou_of_any_suits(r: Readings) -> Bits:
    """Two numbers as triplets or kans, each in two suits."""
    return np.bitwise_count(_twice(r.triplets)) == 2


@reading_fact(among=two_triplets)
def shoutate(r: Readings) -> Bits:
    """A number as triplets or kans in two suits and as the pair in the third."""
    triplets = [field(r.triplets, suit) for suit in range(3)]
    found = np.zeros(len(r), bool)
    for a, b, c in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        found |= triplets[a] & triplets[b] & field(r.pair, c) != 0
    return found


@reading_fact(among=four_triplets)
def guusuu_toitoi(r: Readings) -> Bits:
    """Four triplets or kans and a pair, all of even numbers."""
    return (r.triplets | r.pair) & ~_EVENS == 0


@reading_fact(among=four_triplets)
def gozoku_kyouwa(r: Readings) -> Bits:
    """Closed, four triplets or kans, all three suits, winds and dragons, a pair of honours."""
    five = np.ones(len(r), bool)
    for family in (*SUITS, tiles.WINDS, tiles.DRAGONS):
        five &= r.kinds & family != 0
    return r.is_closed & five & (r.pair & tiles.HONOURS != 0)


# ------------------------------------------------------------------------------- concealed and kans


@reading_fact(among=two_triplets)
def ryanankou(r: Readings) -> Bits:
    """Just two concealed triplets or kans."""
    return r.n_concealed_triplets == 2


@reading_fact(among=some_kan)
def ryanankan(r: Readings) -> Bits:
    """Just two concealed kans."""
    return np.bitwise_count(r.hands.concealed_kans[r.hand]) == 2


@reading_fact(among=some_kan)
def sanankan(r: Readings) -> Bits:
    """Three concealed kans or four."""
    return np.bitwise_count(r.hands.concealed_kans[r.hand]) >= 3


@reading_fact(among=some_kan)
def four_concealed_kans(r: Readings) -> Bits:
    """Four concealed kans."""
    return np.bitwise_count(r.hands.concealed_kans[r.hand]) == 4


@reading_fact(among=some_kan)
def sanshoku_doukan(r: Readings) -> Bits:
    """The same number as kans in three suits."""
    return _same_number(r.kans)


@reading_fact(among=some_kan)
def sanrenkan(r: Readings) -> Bits:
    """Kans of n, n+1, n+2 in one suit."""
    return _in_one_suit(r.kans, 1, 3) != 0


@reading_fact(among=some_kan)
def suurenkan(r: Readings) -> Bits:
    """Kans of n to n+3 in one suit."""
    return _in_one_suit(r.kans, 1, 4) != 0


@reading_fact(among=some_kan)
def daiminkan(r: Readings) -> Bits:
    """A kan was called from a discard."""
    return (r.hands.meld_kind[r.hand] == 2).any(axis=1)
