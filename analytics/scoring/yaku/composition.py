"""Which tiles the whole hand is made of: the same for every reading."""

from functools import cache, reduce
from operator import or_

import numpy as np

from .. import tiles
from ..facts import hand_fact, within
from ..hands import CHI, DAIMINKAN, PON, Hands, column
from ..readings import Bits, pairs_of
from .circumstance import tenhou

MAN, PIN, SOU = tiles.SUITS


@cache
def kinds(text: str) -> np.uint64:
    """Mask of the kinds written in mpsz notation.

    >>> bin(int(kinds("12m"))), int(kinds("1z")) == 1 << 27
    ('0b11', True)
    """
    mask, numbers = tiles.U64(0), ""
    for letter in text.replace(" ", ""):
        if letter.isdigit():
            numbers += letter
            continue
        first = {"m": 0, "p": 9, "s": 18, "z": 27}[letter]
        mask |= reduce(or_, (tiles.BIT[first + int(n) - 1] for n in numbers))
        numbers = ""
    return mask


def only(h: Hands, mask: np.uint64) -> Bits:
    """Whether no kind outside the mask occurs."""
    return h.kinds & ~mask == 0


def every(h: Hands, mask: np.uint64) -> Bits:
    """Whether every kind of the mask occurs."""
    return h.kinds & mask == mask


@column
def n_suits(h: Hands) -> np.ndarray:
    """How many of the three suits occur."""
    return sum(((h.kinds & suit) != 0).astype(np.int8) for suit in tiles.SUITS)


@column
def one_suit(h: Hands) -> Bits:
    """At most one suit, with or without honours."""
    return n_suits(h) <= 1


@column
def paired_kinds(h: Hands) -> Bits:
    """No meld and seven kinds, as seven pairs are."""
    return (h.n_melds == 0) & (np.bitwise_count(h.concealed) == 7)


@hand_fact
def tanyao(h: Hands) -> Bits:
    """All simples: only 2-8 of the suits."""
    return only(h, tiles.SIMPLES)


@hand_fact(among=one_suit)
def honitsu(h: Hands) -> Bits:
    """One suit and honours, both present."""
    return (n_suits(h) == 1) & (h.kinds & tiles.HONOURS != 0)


@hand_fact(among=one_suit)
def chinitsu(h: Hands) -> Bits:
    """One suit only."""
    return (n_suits(h) == 1) & (h.kinds & tiles.HONOURS == 0)


def no_simples(h: Hands) -> Bits:
    """No number from 2 to 8."""
    return h.kinds & tiles.SIMPLES == 0


@hand_fact(among=no_simples)
def honroutou(h: Hands) -> Bits:
    """Only terminals and honours, at least one of each, but not the thirteen of them."""
    both = (h.kinds & tiles.TERMINALS != 0) & (h.kinds & tiles.HONOURS != 0)
    return both & (h.kinds & tiles.SIMPLES == 0) & (h.kinds != tiles.YAOCHUU)


@hand_fact(among=no_simples)
def chinroutou(h: Hands) -> Bits:
    """Only terminals."""
    return only(h, tiles.TERMINALS)


@hand_fact(among=one_suit)
def tsuuiisou(h: Hands) -> Bits:
    """Only honours."""
    return only(h, tiles.HONOURS)


@hand_fact(among=one_suit)
def ryuuiisou(h: Hands) -> Bits:
    """Only 2, 3, 4, 6, 8 of sou and the green dragon."""
    return only(h, tiles.GREENS)


@hand_fact
def green_dragon(h: Hands) -> Bits:
    """The green dragon occurs."""
    return every(h, tiles.BIT[32])


@hand_fact
def honours_present(h: Hands) -> Bits:
    """An honour occurs."""
    return h.kinds & tiles.HONOURS != 0


@hand_fact(among=one_suit)
def man_only_suit(h: Hands) -> Bits:
    """The only suit is man."""
    return (h.kinds & (PIN | SOU) == 0) & (h.kinds & MAN != 0)


@hand_fact(among=one_suit)
def pin_only_suit(h: Hands) -> Bits:
    """The only suit is pin."""
    return (h.kinds & (MAN | SOU) == 0) & (h.kinds & PIN != 0)


@hand_fact(among=one_suit)
def sou_only_suit(h: Hands) -> Bits:
    """The only suit is sou."""
    return (h.kinds & (MAN | PIN) == 0) & (h.kinds & SOU != 0)


# --------------------------------------------------------------------------------------- nine gates

_POWERS = 5 ** np.arange(9)
_NINE_GATES = sum((3 if number in (0, 8) else 1) * 5**number for number in range(9))


@within(one_suit)
def _gates(h: Hands) -> Bits:
    """One suit, nine numbers, no kan."""
    return ((h.kinds == MAN) | (h.kinds == PIN) | (h.kinds == SOU)) & (h.kans == 0)


@hand_fact(among=_gates)
def chuuren_poutou(h: Hands) -> Bits:
    """Nine gates: closed 1112345678999 of one suit and one more tile of it, no kan."""
    return h.is_closed & (_beyond_gates(h) >= 0)


@hand_fact(among=_gates)
def junsei_chuuren_poutou(h: Hands) -> Bits:
    """Nine gates won on the tile beyond 1112345678999, a nine-sided wait."""
    return h.is_closed & (_beyond_gates(h) == h.win_kind % 9)


@hand_fact(among=_gates)
def chuuren_on_tenhou(h: Hands) -> Bits:
    """Nine gates on the dealer's first draw."""
    return tenhou(h) & (_beyond_gates(h) >= 0)


@hand_fact(among=_gates)
def naki_chuuren(h: Hands) -> Bits:
    """1112345678999 of one suit and one more tile of it in an open hand without a kan."""
    return ~h.is_closed & (_beyond_gates(h) >= 0)


@column
def _beyond_gates(h: Hands) -> np.ndarray:
    """Number (0-8) of the tile beyond 1112345678999, or -1."""
    whole = np.zeros(len(h), np.int64)
    for suit, mask in enumerate(tiles.SUITS):
        whole += np.where(h.kinds == mask, h.suit(suit), 0)
    for slot in range(4) if h.n_melds.any() else ():
        kind, one = h.meld_kind[:, slot], 5 ** (h.meld_tile[:, slot].astype(np.int64) % 9)
        whole += np.where(kind == CHI, 31 * one, np.where(kind == PON, 3 * one, 0))
    beyond = whole - _NINE_GATES
    number = np.searchsorted(_POWERS, beyond)
    return np.where(_POWERS[np.minimum(number, 8)] == beyond, number, -1)


# ------------------------------------------------------------------------------ hands of given kinds

_WITHOUT_BEND = kinds("248p 23468s 1234z 56z")


def _no_man(h: Hands) -> Bits:
    return h.kinds & MAN == 0


@hand_fact(among=_no_man)
def tanfonhou(h: Hands) -> Bits:
    """Only 2, 4, 8 of pin, 2, 3, 4, 6, 8 of sou, winds, white and green dragons."""
    return only(h, _WITHOUT_BEND)


@hand_fact(among=_no_man)
def hontanfon(h: Hands) -> Bits:
    """Tanfonhou with an honour."""
    return only(h, _WITHOUT_BEND) & (h.kinds & tiles.HONOURS != 0)


@hand_fact(among=_no_man)
def chintanfon(h: Hands) -> Bits:
    """Tanfonhou without honours."""
    return only(h, _WITHOUT_BEND & tiles.NUMBERS)


@hand_fact
def uumensai(h: Hands) -> Bits:
    """Man, pin, sou, a wind and a dragon all occur."""
    return (n_suits(h) == 3) & (h.kinds & tiles.WINDS != 0) & (h.kinds & tiles.DRAGONS != 0)


@hand_fact(among=one_suit)
def kouitten(h: Hands) -> Bits:
    """Only 2, 3, 4, 6, 8 of sou and the red dragon, which occurs."""
    return only(h, kinds("23468s 7z")) & every(h, kinds("7z"))


def _in_triplets(h: Hands, holds: Bits) -> Bits:
    """Of the few hands of five kinds, those in which none stands four times concealed, as in seven pairs it can."""
    rows = np.flatnonzero(holds)
    if len(rows):
        few = h[rows]
        for number, n in ((few.honours.astype(np.int64), 7), *((few.suit(suit), 9) for suit in range(3))):
            holds[rows] &= (number[:, None] // 5 ** np.arange(n) % 5 < 4).all(axis=1)
    return holds


@hand_fact(among=one_suit)
def benikujaku(h: Hands) -> Bits:
    """Triplets and a pair: 1, 5, 7, 9 of sou and red dragons."""
    return _in_triplets(h, only(h, kinds("1579s 7z")) & every(h, kinds("7z")))


@hand_fact(among=one_suit)
def kokuiisou(h: Hands) -> Bits:
    """Only 2, 4, 8 of pin and winds."""
    return only(h, kinds("248p 1234z"))


@hand_fact(among=one_suit)
def tohoku_expressway(h: Hands) -> Bits:
    """Triplets and a pair: just 2, 4, 6 of pin, east and north."""
    return _in_triplets(h, h.kinds == kinds("246p 14z"))


@hand_fact(among=one_suit)
def blue_tunnel(h: Hands) -> Bits:
    """Triplets and a pair: just 2, 4, 8 of pin, the green dragon and one wind."""
    one_wind = np.bitwise_count(h.kinds & tiles.WINDS) == 1
    return _in_triplets(h, _tunnel(h) & every(h, kinds("248p 6z")) & one_wind)


@hand_fact(among=one_suit)
def wide_blue_tunnel(h: Hands) -> Bits:
    """Only 2, 4, 8 of pin, the green dragon and winds, pin and honours both present."""
    return _tunnel(h) & (h.kinds & PIN != 0) & (h.kinds & tiles.HONOURS != 0)


def _tunnel(h: Hands) -> Bits:
    return only(h, kinds("248p 1234z 6z"))


@hand_fact(among=one_suit)
def junsei_ryuuiisou(h: Hands) -> Bits:
    """Only 2, 3, 4, 6, 8 of sou."""
    return only(h, kinds("23468s"))


@hand_fact(among=paired_kinds)
def daichisei(h: Hands) -> Bits:
    """All seven honours as pairs."""
    return h.kinds == tiles.HONOURS


@hand_fact(among=paired_kinds)
def sekaiichi(h: Hands) -> Bits:
    """1m, 1p, 1s and the four winds as pairs."""
    return h.kinds == kinds("1m 1p 1s 1234z")


@hand_fact(among=one_suit)
def daisougen(h: Hands) -> Bits:
    """Closed, only sou, neither 1 nor 8."""
    return h.is_closed & only(h, kinds("2345679s"))


@hand_fact(among=_no_man)
def suifutou(h: Hands) -> Bits:
    """Only 1, 2, 3, 4, 5, 8, 9 of pin, 2, 4, 5, 6, 8, 9 of sou and the white dragon."""
    return only(h, kinds("1234589p 245689s 5z"))


def numbers_only(h: Hands) -> Bits:
    """No honours, and numbers of one half only."""
    none = h.kinds & tiles.HONOURS == 0
    return none & ((h.kinds & _numbers(1, 3) == 0) | (h.kinds & _numbers(7, 9) == 0))


def _numbers(first: int, last: int) -> np.uint64:
    row = "".join(str(n) for n in range(first, last + 1))
    return kinds(f"{row}m {row}p {row}s")


@hand_fact(among=numbers_only)
def daiyuugo(h: Hands) -> Bits:
    """Only numbers 6 to 9."""
    return only(h, _numbers(6, 9))


@hand_fact(among=numbers_only)
def shouyuugo(h: Hands) -> Bits:
    """Only numbers 1 to 4."""
    return only(h, _numbers(1, 4))


@hand_fact(among=numbers_only)
def zendai(h: Hands) -> Bits:
    """Only numbers 7 to 9."""
    return only(h, _numbers(7, 9))


@hand_fact(among=numbers_only)
def zenchuu(h: Hands) -> Bits:
    """Only numbers 4 to 6."""
    return only(h, _numbers(4, 6))


@hand_fact(among=numbers_only)
def zenshou(h: Hands) -> Bits:
    """Only numbers 1 to 3."""
    return only(h, _numbers(1, 3))


@hand_fact
def zetsuichimon(h: Hands) -> Bits:
    """Just two of the three suits occur."""
    return n_suits(h) == 2


# ----------------------------------------------------------------------------- seven pairs of one suit


@within(one_suit)
def _flush_pairs(h: Hands) -> Bits:
    """Seven different pairs of one suit."""
    rows = np.flatnonzero(paired_kinds(h) & (h.kinds & tiles.HONOURS == 0))
    found = np.zeros(len(h), bool)
    found[rows] = np.logical_and.reduce([pairs_of(9)[h.suit(suit)[rows]] == 1 for suit in range(3)])
    return found


@hand_fact(among=_flush_pairs)
def daisharin(h: Hands) -> Bits:
    """22334455667788 of pin."""
    return h.kinds == kinds("2345678p")


@hand_fact(among=_flush_pairs)
def daichikurin(h: Hands) -> Bits:
    """22334455667788 of sou."""
    return h.kinds == kinds("2345678s")


@hand_fact(among=_flush_pairs)
def daisuurin(h: Hands) -> Bits:
    """22334455667788 of man."""
    return h.kinds == kinds("2345678m")


@hand_fact(among=_flush_pairs)
def shousharin(h: Hands) -> Bits:
    """11223344556677 or 33445566778899 of pin."""
    return (h.kinds == kinds("1234567p")) | (h.kinds == kinds("3456789p"))


@hand_fact(among=_flush_pairs)
def shouchikurin(h: Hands) -> Bits:
    """11223344556677 or 33445566778899 of sou."""
    return (h.kinds == kinds("1234567s")) | (h.kinds == kinds("3456789s"))


@hand_fact(among=_flush_pairs)
def shousuurin(h: Hands) -> Bits:
    """11223344556677 or 33445566778899 of man."""
    return (h.kinds == kinds("1234567m")) | (h.kinds == kinds("3456789m"))


@hand_fact(among=_flush_pairs)
def chuusharin(h: Hands) -> Bits:
    """Seven pairs of one suit from 1-8 or 2-9 with one number between the ends missing."""
    first, ninth = (h.kinds & kinds(f"{number}m {number}p {number}s") != 0 for number in (1, 9))
    second, eighth = (h.kinds & kinds(f"{number}m {number}p {number}s") != 0 for number in (2, 8))
    return (first & eighth & ~ninth) | (second & ninth & ~first)


# -------------------------------------------------------------------------------------- a hundred man


@within(one_suit)
def _high_sum(h: Hands) -> Bits:
    """Man or pin alone, honours allowed, high numbers among them."""
    return ((h.kinds & (PIN | SOU) == 0) | (h.kinds & (MAN | SOU) == 0)) & (h.kinds & _numbers(8, 9) != 0)


# Sums of numbers by the low five and the high four digits of a suit.
_LOW_SUM, _HIGH_SUM = (
    (np.arange(5**n)[:, None] // 5 ** np.arange(n) % 5 @ np.arange(first, first + n)).astype(np.int16)
    for n, first in ((5, 1), (4, 6))
)


@column
def suit_sum(h: Hands, suit: int) -> np.ndarray:
    """Sum of the numbers of a suit over the whole hand; a kan counts four tiles."""
    high, low = np.divmod(h.suit(suit), 5**5)
    total = _LOW_SUM[low] + _HIGH_SUM[high]
    for slot in range(4) if h.n_melds.any() else ():
        number = h.meld_tile[:, slot].astype(np.int16) - (9 * suit - 1)
        kind = h.meld_kind[:, slot]
        inside = (number >= 1) & (number <= 9) & (kind >= 0)
        total += np.where(inside, np.where(kind >= DAIMINKAN, 4, 3) * number + 3 * (kind == CHI), 0)
    return total


@hand_fact(among=_high_sum)
def hyakuman_goku(h: Hands) -> Bits:
    """Only man, and its numbers add up to a hundred or more."""
    return only(h, MAN) & (suit_sum(h, 0) >= 100)


@hand_fact(among=_high_sum)
def hyakuman_goku_with_honours(h: Hands) -> Bits:
    """Only man and honours, and the numbers add up to a hundred or more."""
    return (h.kinds & (PIN | SOU) == 0) & (suit_sum(h, 0) >= 100)


@hand_fact(among=_high_sum)
def hyakuman_goku_of_pin(h: Hands) -> Bits:
    """Only pin, and its numbers add up to a hundred or more."""
    return only(h, PIN) & (suit_sum(h, 1) >= 100)


@hand_fact(among=_high_sum)
def kaga_hyakuman_goku(h: Hands) -> Bits:
    """Only man, and its numbers add up to just a hundred."""
    return only(h, MAN) & (suit_sum(h, 0) == 100)


@hand_fact(among=_high_sum)
def exactly_a_hundred(h: Hands) -> Bits:
    """The numbers of man, or of pin, add up to just a hundred."""
    return (suit_sum(h, 0) == 100) | (suit_sum(h, 1) == 100)
