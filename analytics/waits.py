"""Waits: which tiles complete a hand, form by form.

Hands are columns of counts as in `scoring.hands`: three suits as base-5 numbers side by side in one word, the
honours in another. A table over all patterns of a suit says whether it is made of sets, with a pair or without, and
which tiles make it so; the waits of four sets and a pair are then four look-ups. The other forms are looked at
where a cheap mask lets them be.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import permutations

import numpy as np

from .scoring import tiles
from .scoring.readings import (
    CHIITOITSU,
    CIVIL_WAR,
    FORMS,
    FOUR_PAIRS,
    KNITTED,
    KNITTED_KINDS,
    KOKUSHI,
    SCATTERED,
    STANDARD,
)
from .scoring.tiles import U64

# One word per pattern: 9 bits of tiles that complete it, whether it is complete, its number of tiles modulo 3,
# 9 bits of kinds that are there an odd number of times, 9 of kinds that are there.
_COMPLETE, _REST, _ODD, _KINDS, _NINE = 9, 10, 12, 21, 0x1FF
_SHIFTS = tuple(map(U64, (0, 9, 18, 27)))
_SUIT = U64((1 << 21) - 1)


def _complete_patterns(n_kinds: int, *, runs: bool) -> np.ndarray:
    """Patterns of up to four sets, with a pair or without, as base-5 numbers."""
    ones = 8 ** np.arange(n_kinds)  # base 8 shows a fifth tile of a kind, base 5 would carry it over
    sets = [*(3 * ones), *(ones[low : low + 3].sum() for low in range(n_kinds - 2) if runs)]
    level, found = np.zeros(1, np.int64), [np.zeros(1, np.int64)]
    for _ in range(4):
        level = _possible(np.add.outer(level, sets), n_kinds)
        found.append(level)
    bare = np.concatenate(found)
    pattern = np.concatenate([bare, _possible(np.add.outer(bare, 2 * ones), n_kinds)])
    return sum((pattern >> 3 * place & 7) * 5**place for place in range(n_kinds))


def _possible(patterns: np.ndarray, n_kinds: int) -> np.ndarray:
    """The distinct patterns without more than four tiles of a kind."""
    patterns = np.unique(patterns)
    for place in range(n_kinds):
        patterns = patterns[patterns >> 3 * place & 7 <= 4]
    return patterns


def _pattern_words(n_kinds: int, *, runs: bool) -> np.ndarray:
    """The word of each pattern, uint32 (5 ** n_kinds)."""
    words, n_tiles = np.zeros(1, np.uint32), np.zeros(1, np.uint8)
    digit = np.arange(5, dtype=np.uint8)
    for place in range(n_kinds):
        of_digit = (digit & 1).astype(np.uint32) << _ODD + place | (digit > 0).astype(np.uint32) << _KINDS + place
        words = (of_digit[:, None] | words).ravel()
        n_tiles = ((digit[:, None] + n_tiles) % np.uint8(3)).ravel()
    words |= n_tiles.astype(np.uint32) << _REST
    complete = _complete_patterns(n_kinds, runs=runs)
    words[complete] |= np.uint32(1 << _COMPLETE)
    for place in range(n_kinds):
        has = complete[complete // 5**place % 5 > 0]
        words[has - 5**place] |= np.uint32(1 << place)
    return words


@cache
def _tables() -> tuple[np.ndarray, np.ndarray]:
    """The words of a suit and of the honours; 0 for numbers that are no pattern."""
    of_suit, of_honours = np.zeros(1 << 21, np.uint32), np.zeros(1 << 17, np.uint32)
    of_suit[: 5**9] = _pattern_words(9, runs=True)
    of_honours[: 5**7] = _pattern_words(7, runs=False)
    return of_suit, of_honours


def _words(suits: np.ndarray, honours: np.ndarray) -> list[np.ndarray]:
    of_suit, of_honours = _tables()
    return [*(of_suit[(suits >> U64(21 * index) & _SUIT).astype(np.int32)] for index in range(3)), of_honours[honours]]


def _joined(words: list[np.ndarray], shift: int) -> np.ndarray:
    """Nine bits of each of the four words as one mask of kinds."""
    parts = ((word >> np.uint32(shift) & np.uint32(_NINE)).astype(U64) for word in words)
    return np.bitwise_or.reduce([part << by for part, by in zip(parts, _SHIFTS, strict=True)])


def _standard(words: list[np.ndarray]) -> np.ndarray:
    """Tiles that make it sets and one pair."""
    complete = [(word >> np.uint32(_COMPLETE) & np.uint32(1)).astype(np.int8) for word in words]
    waits = np.zeros(len(words[0]), U64)
    rows = np.flatnonzero(sum(complete) >= 3)
    complete = [one[rows] for one in complete]
    words = [word[rows] for word in words]
    rest = [word >> np.uint32(_REST) & np.uint32(3) for word in words]
    n_complete, n_pairs = sum(complete), sum((one == 2).astype(np.int8) for one in rest)
    found = np.zeros(len(rows), U64)
    for index, by in enumerate(_SHIFTS):
        # A tile more makes a pair of a single one, and no pair of what was one.
        pairs_after = n_pairs - (rest[index] == 2) + (rest[index] == 1)
        fits = (n_complete - complete[index] == 3) & (pairs_after == 1)
        found |= np.where(fits, words[index] & np.uint32(_NINE), 0).astype(U64) << by
    waits[rows] = found
    return waits


_YEARS = tuple(sum(5 ** (int(digit) - 1) for digit in year) for year in ("1861", "1865"))
_YEAR_KINDS = U64(sum(0b010110001 << 9 * suit for suit in range(3)))
_WAR_WINDS = (28, 30)
_WAR_KINDS = _YEAR_KINDS | tiles.BIT[28] | tiles.BIT[30]


def _wars() -> Iterator[np.ndarray]:
    """The number tiles of the civil war as counts of 27 kinds: two suits, or both years of one."""
    for one in range(3):
        for other in range(3):
            counts = np.zeros(27, np.int8)
            for suit, year in ((one, _YEARS[0]), (other, _YEARS[1])):
                counts[9 * suit : 9 * suit + 9] += (year // 5 ** np.arange(9) % 5).astype(np.int8)
            yield counts


def _civil_war(counts: np.ndarray, war_melds: np.ndarray) -> np.ndarray:
    """Tiles the civil war lacks; counts (n, 34), and how many melds are of south and north (n, 2)."""
    waits = np.zeros(len(counts), U64)
    for numbers in _wars():
        wanted = np.zeros((len(counts), 34), np.int8)
        wanted[:, :27] = numbers
        for column, kind in enumerate(_WAR_WINDS):
            wanted[:, kind] = np.where(war_melds[:, column] > 0, 0, 3)
        lacks = wanted - counts
        fits = (lacks >= 0).all(axis=1) & (lacks.sum(axis=1) == 1)
        waits |= np.where(fits, tiles.BIT[lacks.argmax(axis=1)], U64(0))
    return waits


_KNITTED_NUMBERS = tuple(sum(5 ** (n - 1) for n in numbers) for numbers in ((1, 4, 7), (2, 5, 8), (3, 6, 9)))


def _knitted(suits: np.ndarray, honours: np.ndarray, kinds: np.ndarray) -> np.ndarray:
    """Tiles that complete 147, 258 and 369 of three suits beside a set, concealed or called, and a pair."""
    waits = np.zeros(len(suits), U64)
    for order, nine in zip(permutations(range(3)), KNITTED_KINDS, strict=True):
        nine_number = sum(_KNITTED_NUMBERS[part] << 21 * suit for suit, part in enumerate(order))
        missing = nine & ~kinds
        n_missing = np.bitwise_count(missing)
        rows = np.flatnonzero(n_missing == 0)
        if len(rows):
            waits[rows] |= _standard(_words(suits[rows] - U64(nine_number), honours[rows]))
        rows = np.flatnonzero(n_missing == 1)
        if len(rows):
            lacks = missing[rows]
            words = _words(suits[rows] + _suit_number(lacks) - U64(nine_number), honours[rows])
            n_complete = sum(word >> np.uint32(_COMPLETE) & np.uint32(1) for word in words)
            n_pairs = sum((word >> np.uint32(_REST) & np.uint32(3) == 2).astype(np.int8) for word in words)
            waits[rows] |= np.where((n_complete == 4) & (n_pairs == 1), lacks, U64(0))
    return waits


def _suit_number(bit: np.ndarray) -> np.ndarray:
    """The count of one number tile, given as a mask of its kind."""
    kind = np.bitwise_count(bit - U64(1)).astype(np.int64)
    return (5 ** (kind % 9)).astype(U64) << (21 * (kind // 9)).astype(U64)


def _scattered(kinds: np.ndarray) -> np.ndarray:
    """Tiles that make fourteen kinds out of the honours and 147, 258, 369 of three suits."""
    waits = np.zeros(len(kinds), U64)
    for nine in KNITTED_KINDS:
        whole = tiles.HONOURS | nine
        waits |= np.where(kinds & ~whole == 0, whole & ~kinds, U64(0))
    return waits


def counts(suits: np.ndarray, honours: np.ndarray) -> np.ndarray:
    """The tiles of each kind, int8 (n, 34)."""
    powers = 5 ** np.arange(9)
    of_suits = [(suits >> U64(21 * suit) & _SUIT).astype(np.int64)[:, None] // powers % 5 for suit in range(3)]
    of_honours = np.asarray(honours, np.int64)[:, None] // powers[:7] % 5
    return np.concatenate([*of_suits, of_honours], axis=1).astype(np.int8)


def waits(suits: np.ndarray, honours: np.ndarray, n_melds: np.ndarray, war_melds: np.ndarray) -> np.ndarray:
    """The kinds that complete each hand of thirteen tiles or fewer, melds aside: masks by form.

    Parameters
    ----------
    suits, honours : uint64, int
        Concealed tiles as in `scoring.hands.Hands`.
    n_melds : int
    war_melds : int (n, 2)
        Of these, the triplets and kans of south and of north.

    Returns
    -------
    uint64 (len(FORMS), n)
        Four pairs are the even ones with four of a kind; of scattered hands only those that can be won in any turn.
    """
    words = _words(suits, honours)
    kinds, odd = _joined(words, _KINDS), _joined(words, _ODD)
    found = np.zeros((len(FORMS), len(suits)), U64)
    found[STANDARD] = _standard(words)

    rows = np.flatnonzero((n_melds == 0) & (np.bitwise_count(odd) == 1))
    if len(rows):
        tiles_of_kind = counts(suits[rows], honours[rows])
        wait = np.bitwise_count(odd[rows] - U64(1))
        tiles_of_kind[np.arange(len(rows)), wait] += 1
        is_plain = tiles_of_kind.max(axis=1) == 2
        found[CHIITOITSU, rows] = np.where(is_plain, odd[rows], U64(0))
        found[FOUR_PAIRS, rows] = np.where(is_plain, U64(0), odd[rows])

    rows = np.flatnonzero((n_melds == 0) & (kinds & ~tiles.YAOCHUU == 0) & (np.bitwise_count(kinds) >= 12))
    missing = tiles.YAOCHUU & ~kinds[rows]
    found[KOKUSHI, rows] = np.where(missing == 0, tiles.YAOCHUU, missing)

    rows = np.flatnonzero((n_melds == 0) & (np.bitwise_count(kinds) == 13))
    found[SCATTERED, rows] = _scattered(kinds[rows])

    rows = np.flatnonzero((n_melds == war_melds.sum(axis=1)) & (kinds & ~_WAR_KINDS == 0))
    if len(rows):
        found[CIVIL_WAR, rows] = _civil_war(counts(suits[rows], honours[rows]), war_melds[rows])

    rows = np.flatnonzero((n_melds <= 1) & (np.bitwise_count(kinds & tiles.NUMBERS) >= 8))
    found[KNITTED, rows] = _knitted(suits[rows], honours[rows], kinds[rows])
    return found


def is_apart(kinds: np.ndarray) -> np.ndarray:
    """Whether no two kinds of a suit lie one or two numbers apart."""
    apart = np.ones(len(kinds), bool)
    for suit in tiles.SUITS:
        numbers = kinds & suit
        apart &= numbers & (numbers << U64(1) | numbers << U64(2)) & suit == 0
    return apart
