"""Readings: every way to read each hand.

A reading is a decomposition of the concealed tiles together with the block that the winning tile completes. Hands
that are not four sets and a pair are readings of a form of their own, whether or not a ruleset plays it: that a
ruleset does is asked when it is applied. All readings of a hand stand together, in the order of hands.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from itertools import combinations_with_replacement, permutations

import numpy as np

from . import tiles
from .hands import Columns, Hands, derived
from .tiles import U64

STANDARD, CHIITOITSU, KOKUSHI, FOUR_PAIRS, SCATTERED, CIVIL_WAR, KNITTED = range(7)
FORMS = ("standard", "chiitoitsu", "kokushi", "four_pairs", "scattered", "civil_war", "knitted")
TANKI, SHANPON, KANCHAN, PENCHAN, RYANMEN, NO_WAIT = range(6)
WAITS = ("tanki", "shanpon", "kanchan", "penchan", "ryanmen", "none")

Bits = np.ndarray
"""A boolean column, one value per reading or per hand."""


@dataclass(frozen=True)
class Readings(Columns):
    """Columns of equal length; `hand` is the row of the hand in `hands`, ascending.

    Attributes
    ----------
    form, wait : uint8
        Index into FORMS and WAITS.
    runs, starts : uint64
        Counts of runs by suit and start, three bits each (tiles.run_bits), called ones included; and the kinds that
        start one, as a mask.
    triplets, concealed_triplets, pair : uint64
        Kinds of the triplets (kans and called ones included), of those that are concealed (a triplet finished by
        ron is not), and of the pair; 0 in forms that have no sets. A knitted hand has one set and a pair.
    """

    hands: Hands
    hand: np.ndarray
    form: np.ndarray
    wait: np.ndarray
    runs: np.ndarray
    starts: np.ndarray
    triplets: np.ndarray
    concealed_triplets: np.ndarray
    pair: np.ndarray

    @derived
    def runs_twice(self) -> np.ndarray:
        """Runs held at least twice."""
        return (self.runs >> U64(1) | self.runs >> U64(2)) & tiles.RUN_ONES

    @derived
    def n_triplets(self) -> np.ndarray:
        return np.bitwise_count(self.triplets)

    @derived
    def n_concealed_triplets(self) -> np.ndarray:
        return np.bitwise_count(self.concealed_triplets)

    @derived
    def is_standard(self) -> Bits:
        return self.form == STANDARD

    @derived
    def is_closed(self) -> Bits:
        return self.hands.is_closed[self.hand]

    @derived
    def kinds(self) -> np.ndarray:
        return self.hands.kinds[self.hand]

    @derived
    def kans(self) -> np.ndarray:
        return self.hands.kans[self.hand]

    @derived
    def seat_bit(self) -> np.ndarray:
        return self.hands.seat_bit[self.hand]

    @derived
    def round_bit(self) -> np.ndarray:
        return self.hands.round_bit[self.hand]


# One decomposition of a suit in one word: 21 bits of run counts, 9 of triplets, 9 of the pair, 9 of starts of runs.
_RUN_PART, _TRIPLET_SHIFT, _PAIR_SHIFT, _START_SHIFT, _NINE = U64((1 << 21) - 1), U64(21), U64(30), U64(39), U64(0x1FF)


@cache
def _suit_table() -> tuple[np.ndarray, np.ndarray]:
    """Decompositions of one suit: per base-5 pattern `first << 4 | count`, and the words they point to."""
    powers = 5 ** np.arange(9)
    blocks = [(powers[s : s + 3].sum(), 1 << (3 * s)) for s in range(7)]
    blocks += [(3 * powers[k], 1 << (21 + k)) for k in range(9)]
    sets = [(0, 0)]
    for n_sets in range(1, 5):
        for chosen in combinations_with_replacement(blocks, n_sets):
            word = sum(block for _, block in chosen)
            n_triplets = sum(block >> 21 > 0 for _, block in chosen)
            if (word >> 21).bit_count() == n_triplets:  # no triplet twice
                sets.append((sum(pattern for pattern, _ in chosen), word))
    pattern = np.array([s[0] for s in sets], np.int64)
    word = np.array([s[1] for s in sets], U64)
    with_pair = [(pattern, word)]
    for k in range(9):
        with_pair.append((pattern + 2 * powers[k], word | U64(1 << (30 + k))))
    pattern, word = (np.concatenate(column) for column in zip(*with_pair, strict=True))
    # A sum of blocks is a pattern only if no kind is there more than four times: no carry between digits.
    counts = np.zeros((len(word), 9), np.int8)
    for k in range(9):
        for offset in range(3):
            if 0 <= k - offset <= 6:
                counts[:, k] += ((word >> U64(3 * (k - offset))) & U64(7)).astype(np.int8)
        counts[:, k] += 3 * ((word >> U64(21 + k)) & U64(1)).astype(np.int8)
        counts[:, k] += 2 * ((word >> U64(30 + k)) & U64(1)).astype(np.int8)
    for k in range(7):
        word |= ((word >> U64(3 * k) & U64(7)) != 0).astype(U64) << (_START_SHIFT + U64(k))
    real = (counts <= 4).all(axis=1)
    pattern, word = pattern[real], word[real]
    order = np.lexsort((word, pattern))
    pattern, word = pattern[order], word[order]
    distinct, first, count = np.unique(pattern, return_index=True, return_counts=True)
    table = np.zeros(1 << 21, np.int32)
    table[distinct] = first << 4 | count
    return table, word


@cache
def _honour_table() -> np.ndarray:
    """Per base-5 pattern of seven honours: 1 bit valid, 7 of triplets, 7 of pairs."""
    pattern = np.arange(5**7)
    digits = pattern[:, None] // 5 ** np.arange(7) % 5
    valid = np.isin(digits, (0, 2, 3)).all(axis=1)
    bits = 1 << np.arange(7)
    return np.where(valid, 1 | ((digits == 3) @ bits) << 1 | ((digits == 2) @ bits) << 8, 0).astype(U64)


# The places a winning tile can take, as bits: pair, triplet, low / middle / high tile of a run, none of these.
_ALONE = 1 << 5
_N_PLACES = np.bitwise_count(np.arange(64, dtype=np.uint8)).astype(np.intp)
_PLACES = np.zeros((64, 6), np.intp)
for _mask in range(64):
    for _nth, _place in enumerate(place for place in range(6) if _mask >> place & 1):
        _PLACES[_mask, _nth] = _place
# Wait by place and number of the winning tile (0-8): 12-3 and 7-89 are edge waits.
_WAIT = np.array(
    [
        [TANKI] * 9,
        [SHANPON] * 9,
        [PENCHAN if n == 6 else RYANMEN for n in range(9)],
        [KANCHAN] * 9,
        [PENCHAN if n == 2 else RYANMEN for n in range(9)],
        [NO_WAIT] * 9,
    ],
    np.uint8,
)


def readings(hands: Hands) -> Readings:
    """All readings of all hands; a hand that is not complete has none."""
    standard = _standard(hands)
    found = (form(hands) for form in (_seven_pairs, _kokushi, _scattered, _civil_war, _knitted))
    irregular = [part for part in found if len(part["hand"])]
    if not irregular:
        return Readings(hands=hands, **standard)
    columns = {name: np.concatenate([standard[name], *(part[name] for part in irregular)]) for name in standard}
    order = np.argsort(columns["hand"], kind="stable")
    return Readings(hands=hands, **{name: column[order] for name, column in columns.items()})


def _standard(hands: Hands) -> dict[str, np.ndarray]:
    """Four sets and a pair: one decomposition per suit, every combination, every place of the winning tile."""
    table, words = _suit_table()
    entries = [table[hands.suit(suit)] for suit in range(3)]
    honours = _honour_table()[np.minimum(hands.honours, np.uint32(5**7 - 1))]
    n_ways = [entry & 15 for entry in entries]
    ways = n_ways[0] * n_ways[1] * n_ways[2] * (honours & U64(1)).astype(np.intp)

    hand = np.repeat(np.arange(len(hands)), ways)
    at = [(entry >> 4)[hand] for entry in entries]
    several = np.flatnonzero(ways[hand] > 1)
    if len(several):
        first = np.cumsum(ways) - ways
        owner = hand[several]
        rest = several - first[owner]
        for suit in range(3):
            at[suit][several] += rest % n_ways[suit][owner]
            rest //= n_ways[suit][owner]
    return _placed(hands, hand, STANDARD, [words[index] for index in at], honours[hand])


def _placed(
    hands: Hands, hand: np.ndarray, form: int, word: list[np.ndarray], honours: np.ndarray
) -> dict[str, np.ndarray]:
    """Readings of decompositions (a word per suit, one of the honours), one for each place of the winning tile."""

    def kinds(shift: np.uint64, of_honours: np.ndarray) -> np.ndarray:
        one, two, three = (w >> shift & _NINE for w in word)
        return one | two << U64(9) | three << U64(18) | of_honours << U64(27)

    starts = kinds(_START_SHIFT, U64(0))
    pair = kinds(_PAIR_SHIFT, honours >> U64(8))
    concealed_triplets = kinds(_TRIPLET_SHIFT, honours >> U64(1) & U64(0x7F))

    # Sums of suits can also fit with two or more pairs and too few sets.
    win_bit = tiles.BIT[hands.win_kind][hand]
    places = ((pair & win_bit) != 0).view(np.uint8)
    places |= ((concealed_triplets & win_bit) != 0).view(np.uint8) * np.uint8(2)
    for offset in range(3):
        places |= ((starts & win_bit >> U64(offset)) != 0).view(np.uint8) * np.uint8(4 << offset)
    if form == KNITTED:
        places[_in_nine(hands, hand)] |= _ALONE
    places *= np.bitwise_count(pair) == 1

    n_places = _N_PLACES[places]
    source = np.repeat(np.arange(len(hand)), n_places)
    place = _PLACES[places, 0][source]
    several = np.flatnonzero(n_places[source] > 1)
    first = np.cumsum(n_places) - n_places
    place[several] = _PLACES[places[source[several]], several - first[source[several]]]

    hand = hand[source]
    concealed_triplets = concealed_triplets[source]
    runs = (word[0] & _RUN_PART) | (word[1] & _RUN_PART) << U64(21) | (word[2] & _RUN_PART) << U64(42)
    by_ron = np.flatnonzero((place == 1) & ~hands.is_tsumo[hand])
    triplets = concealed_triplets | hands.called_triplets[hand]
    concealed_triplets[by_ron] &= ~win_bit[source[by_ron]]
    concealed_kans = hands.concealed_kans[hand]
    return {
        "hand": hand,
        "form": np.full(len(hand), form, np.uint8),
        "wait": _WAIT[place, hands.win_kind[hand] % 9],
        "runs": runs[source] + hands.called_runs[hand],
        "starts": starts[source] | hands.called_starts[hand],
        "triplets": triplets | concealed_kans,
        "concealed_triplets": concealed_triplets | concealed_kans,
        "pair": pair[source],
    }


def _irregular(hand: np.ndarray, form: int | np.ndarray) -> dict[str, np.ndarray]:
    nothing = np.zeros(len(hand), U64)
    form = np.broadcast_to(np.asarray(form, np.uint8), len(hand)).copy()
    return {
        "hand": hand,
        "form": form,
        "wait": np.where((form == CHIITOITSU) | (form == FOUR_PAIRS), TANKI, NO_WAIT).astype(np.uint8),
        "runs": nothing,
        "starts": nothing,
        "triplets": nothing,
        "concealed_triplets": nothing,
        "pair": nothing,
    }


@cache
def pairs_of(n: int) -> np.ndarray:
    """By a base-5 number of n digits: 0 unless all are even, else 1, and 2 more if one is 4."""
    kind = np.ones(1, np.uint8)
    for _ in range(n):
        odd = np.zeros_like(kind)
        kind = np.concatenate([kind, odd, kind, odd, np.where(kind > 0, np.uint8(3), np.uint8(0))])
    return kind


def _seven_pairs(hands: Hands) -> dict[str, np.ndarray]:
    """Seven pairs; those with four of a kind have a form of their own."""
    n_kinds = np.bitwise_count(hands.concealed)
    rows = np.flatnonzero((hands.n_melds == 0) & (n_kinds <= 7) & (n_kinds >= 4))
    some = hands[rows]
    parts = [pairs_of(7)[some.honours], *(pairs_of(9)[some.suit(suit)] for suit in range(3))]
    fits = np.logical_and.reduce([part > 0 for part in parts])
    has_four = np.bitwise_or.reduce(parts) & 2 > 0
    return _irregular(rows[fits], np.where(has_four[fits], FOUR_PAIRS, CHIITOITSU))


def _kokushi(hands: Hands) -> dict[str, np.ndarray]:
    """One of each terminal and honour, and one of them twice: fourteen tiles of exactly these thirteen kinds."""
    return _irregular(np.flatnonzero((hands.n_melds == 0) & (hands.concealed == tiles.YAOCHUU)), KOKUSHI)


def _scattered(hands: Hands) -> dict[str, np.ndarray]:
    """Thirteen kinds or fourteen."""
    return _irregular(np.flatnonzero((hands.n_melds == 0) & (np.bitwise_count(hands.concealed) >= 13)), SCATTERED)


_SOUTH, _NORTH = 1 << 28, 1 << 30
_YEARS = {"1861": 2 + 5**5 + 5**7, "1865": 1 + 5**4 + 5**5 + 5**7}


def _civil_war(hands: Hands) -> dict[str, np.ndarray]:
    """South and north as triplets, concealed or called, and the digits 1861 and 1865 of two suits or of one."""
    winds = U64(_SOUTH | _NORTH)
    rows = np.flatnonzero((hands.kinds & tiles.HONOURS == winds) & (hands.called_runs == 0))
    subset = hands[rows]
    melded = subset.called_triplets | subset.concealed_kans
    honours = subset.honours.astype(np.int64)
    fits = np.ones(len(rows), bool)
    for bit, digit in ((_SOUTH, 1), (_NORTH, 3)):
        fits &= (honours // 5**digit % 5 == 3) | (melded & U64(bit) != 0)
    fits &= melded & ~winds == 0
    numbers = np.sort(np.stack([subset.suit(suit) for suit in range(3)], axis=1), axis=1)
    years = sorted(_YEARS.values())
    both = (numbers[:, 0] == 0) & (numbers[:, 1] == years[0]) & (numbers[:, 2] == years[1])
    one = (numbers[:, :2] == 0).all(axis=1) & (numbers[:, 2] == sum(years))
    return _irregular(rows[fits & (both | one)], CIVIL_WAR)


_KNITTED_NUMBERS = tuple(sum(5 ** (n - 1) for n in numbers) for numbers in ((1, 4, 7), (2, 5, 8), (3, 6, 9)))
_KNITTED_BITS = tuple(sum(1 << (n - 1) for n in numbers) for numbers in ((1, 4, 7), (2, 5, 8), (3, 6, 9)))
KNITTED_KINDS = tuple(
    U64(sum(_KNITTED_BITS[part] << (9 * suit) for suit, part in enumerate(order))) for order in permutations(range(3))
)
"""147, 258 and 369 in three suits, in every order of suits."""


def _in_nine(hands: Hands, hand: np.ndarray) -> Bits:
    """Whether the winning tile is one of the nine knitted ones."""
    win_bit = tiles.BIT[hands.win_kind[hand]]
    found = np.zeros(len(hand), bool)
    for nine in KNITTED_KINDS:
        found |= (hands.concealed[hand] & nine == nine) & (win_bit & nine != 0)
    return found


def _knitted(hands: Hands) -> dict[str, np.ndarray]:
    """147, 258, 369 in three suits beside one set, which may be a meld, and a pair."""
    table, words = _suit_table()
    hand, word, honours = [], [], []
    may_be = (hands.n_melds <= 1) & (np.bitwise_count(hands.concealed & tiles.NUMBERS) >= 9)
    for order, nine in zip(permutations(range(3)), KNITTED_KINDS, strict=True):
        rows = np.flatnonzero(may_be & (hands.concealed & nine == nine))
        if not len(rows):
            continue
        subset = hands[rows]
        # Five tiles, or two beside a meld, come apart in one way at most.
        entries = [table[subset.suit(suit) - _KNITTED_NUMBERS[part]] for suit, part in enumerate(order)]
        of_honours = _honour_table()[subset.honours]
        fits = np.logical_and.reduce([of_honours & U64(1) == 1, *(entry & 15 > 0 for entry in entries)])
        complete = np.flatnonzero(fits)
        hand.append(rows[complete])
        word.append([words[entry[complete] >> 4] for entry in entries])
        honours.append(of_honours[complete])
    if not hand:
        return _irregular(np.zeros(0, np.int64), KNITTED)
    by_suit = [np.concatenate(of_suit) for of_suit in zip(*word, strict=True)]
    return _placed(hands, np.concatenate(hand), KNITTED, by_suit, np.concatenate(honours))
