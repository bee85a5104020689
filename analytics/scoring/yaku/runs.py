"""Runs, and how they match each other."""

from itertools import permutations

import numpy as np

from .. import tiles
from ..facts import reading_fact, within
from ..hands import column
from ..readings import KANCHAN, RYANMEN, TANKI, Bits, Readings
from ..tiles import U64, run_bits

_SUIT, _NINE = U64((1 << 21) - 1), U64(0x1FF)
_FIVES = tiles.BIT[4] | tiles.BIT[13] | tiles.BIT[22]


def field(runs: np.ndarray, suit: int) -> np.ndarray:
    """Run counts of one suit, three bits per start number."""
    return runs >> U64(21 * suit) & _SUIT


@column
def n_runs(r: Readings) -> np.ndarray:
    """How many runs the reading has."""
    return np.where(r.is_standard, 4 - r.n_triplets.astype(np.int8), 0)


def two_runs(r: Readings) -> Bits:
    """At least two runs."""
    return n_runs(r) >= 2


@within(two_runs)
def three_runs(r: Readings) -> Bits:
    """At least three runs."""
    return n_runs(r) >= 3


@within(three_runs)
def four_runs(r: Readings) -> Bits:
    """Four runs."""
    return n_runs(r) == 4


def starts(r: Readings, suit: int) -> np.ndarray:
    """Numbers that start a run of a suit, as nine bits."""
    return r.starts >> U64(9 * suit) & _NINE


def first_numbers(last: int) -> np.uint64:
    """Mask of the numbers 1 to `last` of every suit."""
    return U64(sum(1 << (9 * suit + n) for suit in range(3) for n in range(last)))


@column
def in_one_suit(r: Readings, step: int, length: int) -> np.ndarray:
    """Kinds n where runs start at n, n + step … in one suit."""
    found = r.starts
    for i in range(1, length):
        found = found & r.starts >> U64(step * i)
    return found & first_numbers(7 - step * (length - 1))


@column
def straights(r: Readings) -> np.ndarray:
    """The ones of suits that have 123, 456 and 789, as a mask."""
    return in_one_suit(r, 3, 3)


@within(three_runs)
def three_suits_of_runs(r: Readings) -> Bits:
    """Runs of all three suits."""
    man, pin, sou = tiles.SUITS
    return (r.starts & man != 0) & (r.starts & pin != 0) & (r.starts & sou != 0)


# ----------------------------------------------------------------------------------------- standard


@reading_fact(among=four_runs)
def pinfu(r: Readings) -> Bits:
    """Closed, four runs, a pair that gives no fu, and a two-sided wait."""
    value_pair = tiles.DRAGONS | r.seat_bit | r.round_bit
    return r.is_closed & (r.wait == RYANMEN) & (r.pair & value_pair == 0)


@reading_fact(among=two_runs)
def iipeikou(r: Readings) -> Bits:
    """Closed, two identical runs."""
    return r.is_closed & (r.runs_twice != 0)


@reading_fact(among=four_runs)
def ryanpeikou(r: Readings) -> Bits:
    """Closed, two pairs of identical runs; four identical ones are two pairs."""
    fourfold = r.runs >> U64(2) & tiles.RUN_ONES
    return r.is_closed & (np.bitwise_count(r.runs_twice) + np.bitwise_count(fourfold) == 2)


@reading_fact(among=three_suits_of_runs)
def sanshoku_doujun(r: Readings) -> Bits:
    """The same run in three suits."""
    return r.starts & r.starts >> U64(9) & r.starts >> U64(18) & _NINE != 0


@reading_fact(among=three_runs)
def ittsuu(r: Readings) -> Bits:
    """123 456 789 of one suit."""
    return straights(r) != 0


@column
def _ends_everywhere(r: Readings) -> Bits:
    """Every set and the pair hold a terminal or an honour, and there is a run."""
    inner = r.starts & ~tiles.TERMINAL_STARTS | (r.triplets | r.pair) & tiles.SIMPLES
    return r.is_standard & (inner == 0) & (r.starts != 0)


@reading_fact
def chanta(r: Readings) -> Bits:
    """Every set and the pair hold a terminal or an honour; at least one run and one honour."""
    return _ends_everywhere(r) & ((r.triplets | r.pair) & tiles.HONOURS != 0)


@reading_fact
def junchan(r: Readings) -> Bits:
    """Every set and the pair hold a terminal; at least one run, no honour."""
    return _ends_everywhere(r) & ((r.triplets | r.pair) & tiles.HONOURS == 0)


# ---------------------------------------------------------------------------------- identical runs


@reading_fact(among=three_runs)
def isshoku_sanjun(r: Readings) -> Bits:
    """Three identical runs."""
    return (r.runs & r.runs >> U64(1) | r.runs >> U64(2)) & tiles.RUN_ONES != 0


@reading_fact(among=four_runs)
def isshoku_yonjun(r: Readings) -> Bits:
    """Four identical runs."""
    return r.runs >> U64(2) & tiles.RUN_ONES != 0


@reading_fact(among=two_runs)
def nishoku_doujun(r: Readings) -> Bits:
    """The same run in two suits."""
    man, pin, sou = (starts(r, suit) for suit in range(3))
    return man & pin | pin & sou | man & sou != 0


@column
def _mirrored(r: Readings) -> tuple[np.ndarray, np.ndarray]:
    """Runs of two suits that are the same, and of the third suit; all runs doubled by another suit."""
    man, pin, sou = (field(r.runs, suit) for suit in range(3))
    same = np.where(man == pin, man, np.where(man == sou, man, np.where(pin == sou, pin, U64(0))))
    third = np.where((man == pin) & (same == man), sou, np.where((man == sou) & (same == man), pin, man))
    return same, third


def _is_mirrored(r: Readings, n_starts: int) -> Bits:
    """Four runs: the same two in two suits, of two different starts or of one."""
    same, third = _mirrored(r)
    once = (same | same >> U64(1)) & tiles.RUN_ONES
    each_once = same == once
    return (same != 0) & (third == 0) & (np.bitwise_count(once) == n_starts) & (each_once == (n_starts == 2))


@reading_fact(among=four_runs)
def kyandonhou(r: Readings) -> Bits:
    """Two different runs, each in the same two suits."""
    return _is_mirrored(r, 2)


@reading_fact(among=four_runs)
def equal_kyandonhou(r: Readings) -> Bits:
    """Four runs of the same numbers, two in each of two suits."""
    return _is_mirrored(r, 1)


@reading_fact(among=four_runs)
def kyandonhou_of_any_suits(r: Readings) -> Bits:
    """Two different runs, each in two suits."""
    man, pin, sou = (field(r.runs, suit) for suit in range(3))
    single = (r.runs & ~tiles.RUN_ONES == 0) & (man & pin & sou == 0)
    doubled = (man & pin) | (pin & sou) | (man & sou)
    return single & (np.bitwise_count(doubled) == 2)


@reading_fact(among=four_runs)
def chinpeikou(r: Readings) -> Bits:
    """Closed, four runs of the same numbers, two in each of two suits."""
    return r.is_closed & _is_mirrored(r, 1)


def _dragons(r: Readings, pair: np.uint64) -> tuple[Bits, np.ndarray]:
    """Two runs, the same in man and sou, and the pair among given kinds; and which starts (bits 0-6, apart)."""
    man, pin, sou = (field(r.runs, suit) for suit in range(3))
    starts = man
    once = (man | man >> U64(1)) & tiles.RUN_ONES
    holds = (man == sou) & (pin == 0) & (np.bitwise_count(once) == 2) & (man == once) & (r.pair & pair != 0)
    return holds, starts


def _starts_apart(starts: np.ndarray, apart: tuple[int, ...]) -> Bits:
    """Whether two packed starts lie so many numbers apart."""
    found = np.zeros(len(starts), bool)
    for distance in apart:
        found |= starts & starts >> U64(3 * distance) != 0
    return found


@reading_fact(among=four_runs)
def shanron_chonchu(r: Readings) -> Bits:
    """The same two runs without a common number in man and sou, and a pair of pin."""
    holds, starts = _dragons(r, tiles.SUITS[1])
    return holds & _starts_apart(starts, (3, 4, 5, 6))


@reading_fact(among=four_runs)
def shanron_chonchu_yakuman(r: Readings) -> Bits:
    """Six numbers in a row as runs in man and in sou, and a pair of 5p."""
    holds, starts = _dragons(r, tiles.BIT[13])
    return holds & _starts_apart(starts, (3,))


@reading_fact(among=four_runs)
def shanron_of_ends(r: Readings) -> Bits:
    """123 and 789 in man and in sou, and a pair of 5p."""
    holds, starts = _dragons(r, tiles.BIT[13])
    return holds & _starts_apart(starts, (6,))


@reading_fact(among=four_runs)
def sanshoku_souryuukai(r: Readings) -> Bits:
    """123 and 789 in two suits and a pair of 5 of the third."""
    found = np.zeros(len(r), bool)
    for one, other, third in ((0, 1, 2), (0, 2, 1), (1, 2, 0)):
        found |= (r.runs == run_bits((1, 7), (one, other))) & (r.pair == tiles.BIT[9 * third + 4])
    return found


@reading_fact(among=four_runs)
def isshoku_souryuukai(r: Readings) -> Bits:
    """123 123 789 789 and a pair of 5, one suit."""
    found = np.zeros(len(r), bool)
    for suit in range(3):
        twice = U64(2) * run_bits((1, 7), (suit,))
        found |= (r.runs == twice) & (r.pair == tiles.BIT[9 * suit + 4])
    return found


@reading_fact(among=four_runs)
def chinkaiko(r: Readings) -> Bits:
    """Closed 112233 778899 with a pair of 1 or of 9, one suit."""
    found = np.zeros(len(r), bool)
    for suit in range(3):
        twice = U64(2) * run_bits((1, 7), (suit,))
        found |= (r.runs == twice) & (r.pair & (tiles.BIT[9 * suit] | tiles.BIT[9 * suit + 8]) != 0)
    return found & r.is_closed


# -------------------------------------------------------------------------------- runs in steps


@column
def _in_three_suits(r: Readings, step: int) -> Bits:
    """Runs starting at n, n + step, n + 2 step, each in another suit."""
    first = [starts(r, suit) for suit in range(3)]
    second = [one >> U64(step) for one in first]
    third = [one >> U64(2 * step) for one in first]
    found = first[0] & second[1] & third[2]
    for a, b, c in list(permutations(range(3)))[1:]:
        found |= first[a] & second[b] & third[c]
    return found != 0


@reading_fact(among=three_suits_of_runs)
def sanshoku_tsuukan(r: Readings) -> Bits:
    """123, 456 and 789, each in another suit."""
    return _in_three_suits(r, 3)


@reading_fact(among=three_suits_of_runs)
def tanron(r: Readings) -> Bits:
    """Closed, 123, 456 and 789 in three suits, won on the pair."""
    return r.is_closed & (r.wait == TANKI) & _in_three_suits(r, 3)


@reading_fact(among=three_suits_of_runs)
def sanshoku_sanpokou(r: Readings) -> Bits:
    """Runs starting at n, n+1, n+2, each in another suit."""
    return _in_three_suits(r, 1)


@reading_fact(among=three_runs)
def isshoku_sanpokou(r: Readings) -> Bits:
    """Runs starting at n, n+1, n+2 in one suit."""
    return in_one_suit(r, 1, 3) != 0


@reading_fact(among=three_runs)
def isshoku_sanpokou_by_two(r: Readings) -> Bits:
    """Runs starting at n, n+2, n+4 in one suit."""
    return in_one_suit(r, 2, 3) != 0


@reading_fact(among=four_runs)
def isshoku_suupokou(r: Readings) -> Bits:
    """Runs starting at n, n+1, n+2, n+3 in one suit."""
    return in_one_suit(r, 1, 4) != 0


@reading_fact(among=four_runs)
def golden_gate_bridge(r: Readings) -> Bits:
    """123, 345, 567 and 789 of one suit."""
    return in_one_suit(r, 2, 4) != 0


@reading_fact(among=four_runs)
def pair_of_five_in_suit(r: Readings) -> Bits:
    """The pair is the 5 of the suit all runs are of."""
    found = np.zeros(len(r), bool)
    for suit in range(3):
        found |= (
            (field(r.runs, suit) == r.runs >> U64(21 * suit))
            & (r.pair == tiles.BIT[9 * suit + 4])
            & (r.runs == field(r.runs, suit) << U64(21 * suit))
        )
    return found


@reading_fact(among=two_runs)
def renroku(r: Readings) -> Bits:
    """Runs starting at n and n+3 in one suit."""
    return in_one_suit(r, 3, 2) != 0


@reading_fact(among=two_runs)
def roushoufuku(r: Readings) -> Bits:
    """123 and 789 of one suit."""
    return in_one_suit(r, 6, 2) != 0


# --------------------------------------------------------------------------------- the straight


@within(three_runs)
def straight(r: Readings) -> Bits:
    return straights(r) != 0


@reading_fact(among=straight)
def uushin_tsuukan(r: Readings) -> Bits:
    """A straight won on its 5 between 4 and 6."""
    return _won_on_five_of_straight(r) & (r.wait == KANCHAN)


@reading_fact(among=straight)
def loose_uushin_tsuukan(r: Readings) -> Bits:
    """A straight, won on the 5 of its suit."""
    return _won_on_five_of_straight(r)


@reading_fact(among=straight)
def concealed_straight(r: Readings) -> Bits:
    """123, 456 and 789 of one suit, none of them called."""
    held = r.runs - r.hands.called_runs[r.hand]
    held |= held >> U64(1) | held >> U64(2)
    straight = [run_bits((1, 4, 7), (suit,)) for suit in range(3)]
    return np.logical_or.reduce([held & runs == runs for runs in straight])


@column
def _won_on_five_of_straight(r: Readings) -> Bits:
    five = tiles.BIT[r.hands.win_kind[r.hand]] & _FIVES
    return five & straights(r) << U64(4) != 0


@column
def _straight_and_ends(r: Readings) -> Bits:
    """A straight whose fourth set and pair hold a terminal or an honour each."""
    found = np.zeros(len(r), bool)
    for suit in range(3):
        rest = r.runs - run_bits((1, 4, 7), (suit,))
        is_end = rest & ~(run_bits((1, 7)) * U64(7)) == 0
        found |= (straights(r) >> U64(9 * suit) & U64(1) == 1) & is_end
    return found & ((r.triplets | r.pair) & tiles.SIMPLES == 0)


@reading_fact(among=straight)
def ittsuu_chanta(r: Readings) -> Bits:
    """A straight; the fourth set and the pair hold a terminal or an honour, an honour among them."""
    return _straight_and_ends(r) & ((r.triplets | r.pair) & tiles.HONOURS != 0)


@reading_fact(among=straight)
def jun_ittsuu_chanta(r: Readings) -> Bits:
    """A straight; the fourth set and the pair hold a terminal each."""
    return _straight_and_ends(r) & ((r.triplets | r.pair) & tiles.HONOURS == 0)


# ------------------------------------------------------------------------------------- others


@reading_fact
def zentaigo(r: Readings) -> Bits:
    """Every set and the pair hold a 5."""
    with_five = _FIVES >> U64(2) | _FIVES >> U64(1) | _FIVES
    return r.is_standard & (r.starts & ~with_five | (r.triplets | r.pair) & ~_FIVES == 0)


@column
def n_fours_split(r: Readings) -> np.ndarray:
    """Kinds whose four copies are a triplet and one tile of a run."""
    in_runs = r.starts | r.starts << U64(1) | r.starts << U64(2)
    return np.bitwise_count(in_runs & r.triplets & ~r.kans)


def run_and_triplet(r: Readings) -> Bits:
    """A run and a triplet."""
    return (r.starts != 0) & (r.triplets & tiles.NUMBERS != 0)


@reading_fact(among=run_and_triplet)
def shikiichi(r: Readings) -> Bits:
    """A triplet and a run hold all four copies of a tile."""
    return n_fours_split(r) >= 1


@reading_fact(among=run_and_triplet)
def two_shikiichi(r: Readings) -> Bits:
    """Two tiles have their four copies in a triplet and a run."""
    return n_fours_split(r) >= 2


@reading_fact(among=run_and_triplet)
def three_shikiichi(r: Readings) -> Bits:
    """Three tiles have their four copies in a triplet and a run."""
    return n_fours_split(r) >= 3
