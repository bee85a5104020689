"""Scores: every hand under any number of rulesets.

`facts_of` does what no ruleset changes, once. A ruleset then costs a table over the batch's distinct lines (a fact
pattern with a fu class) and a few gathers per reading: the best reading of a hand is the largest of
(base points, han, fu), a count before a limit of its own, then the first.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from . import tiles
from .facts import Patterns, distinct, fact_words, n_words
from .fu import fu_class, fu_table
from .hands import DORA_COLUMNS, Hands, flag_bit
from .limits import MAX_HAN, YAKUMAN, base_table, limit_of_base, win_points
from .patterns import Played, circumstances_asked, play
from .readings import readings
from .ruleset import Ruleset, ruleset
from .values import YAKUMAN_BASE, Worth

OK, NOT_WINNING, NO_YAKU = range(3)
STATUSES = ("ok", "not_winning", "no_yaku")
_CHUNK = 1 << 16
# A reading's key: base points, han, fu, whether the count decided; the lowest bit set alone for a hand worth nothing.
_YAKUMAN_HAN, _BY_COUNT, _COMPLETE = 0xFFF, 1, 1
_HAN_SHIFT = 1024
"""Han of yaku are more than the negative of this, and less: `ruleset.MOST_HAN` sees to it."""
_SITUATIONS = (np.arange(8) & 1 > 0, np.arange(8) & 2 > 0, np.where(np.arange(8) & 4 > 0, 3, 4))
"""Whether the winner is the dealer, whether by self-draw, and the players, of each situation."""
_DORA_KEYS = ("dora.indicator", "dora.kan", "dora.ura", "dora.kan_ura", "dora.aka", "dora.kita")


@dataclass(frozen=True)
class Facts:
    """What no ruleset changes: the readings of a batch of hands as lines, and the distinct lines.

    Attributes
    ----------
    hands : Hands
    hand : int32 (n_readings)
        Row of the hand, ascending.
    line : int32 (n_readings)
        Index into `line_pattern`, `line_fu_class`.
    patterns : Patterns
    dora : int32 (n_hands)
        Index into `dora_counts`, the distinct counts of the six kinds of dora.
    """

    hands: Hands
    hand: np.ndarray
    line: np.ndarray
    line_pattern: np.ndarray
    line_fu_class: np.ndarray
    patterns: Patterns
    dora: np.ndarray
    dora_counts: np.ndarray

    @cached_property
    def first(self) -> np.ndarray:
        """Place of the first reading of each hand that has any."""
        return np.flatnonzero(np.diff(self.hand, prepend=-1))

    @cached_property
    def several(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Hands with more than one reading, as places in `first`; their readings; where among these each hand's start.
        """
        n_readings = np.diff(self.first, append=len(self.hand))
        hands = np.flatnonzero(n_readings > 1)
        number = n_readings[hands]
        starts = np.cumsum(number) - number
        return hands, np.repeat(self.first[hands] - starts, number) + np.arange(number.sum()), starts

    @cached_property
    def dora_of_reading(self) -> np.ndarray:
        return self.dora[self.hand]

    @cached_property
    def situation(self) -> np.ndarray:
        """What the points depend on beside the base: index into `_SITUATIONS`, int32 (n_hands)."""
        hands = self.hands
        return (hands.is_dealer | hands.is_tsumo << 1 | (hands.players == 3) << 2).astype(np.int32)

    def hands_with(self, in_pattern: np.ndarray) -> np.ndarray:
        """Rows of the hands with a reading of one of these patterns, bool (n_patterns), ascending."""
        return np.unique(self.hand[in_pattern[self.line_pattern][self.line]])

    def only(self, rows: np.ndarray) -> Facts:
        """The facts of some hands alone, by their rows, ascending."""
        place = np.full(len(self.hands), -1, np.int32)
        place[rows] = np.arange(len(rows), dtype=np.int32)
        kept = np.flatnonzero(place[self.hand] >= 0)
        lines, line = np.unique(self.line[kept], return_inverse=True)
        patterns, line_pattern = np.unique(self.line_pattern[lines], return_inverse=True)
        return Facts(
            hands=self.hands[rows],
            hand=place[self.hand[kept]],
            line=line.astype(np.int32),
            line_pattern=line_pattern,
            line_fu_class=self.line_fu_class[lines],
            patterns=Patterns(self.patterns.words[patterns], np.zeros(0, np.int32), self.patterns.places),
            dora=self.dora[rows],
            dora_counts=self.dora_counts,
        )


def facts_of(hands: Hands) -> Facts:
    """Readings, facts and patterns of a batch, in pieces that stay in cache."""
    hand, words = [], []
    for start in range(0, len(hands), _CHUNK):
        found = readings(hands[start : start + _CHUNK])
        hand.append(found.hand.astype(np.int32) + np.int32(start))
        words.append(np.concatenate([fact_words(found), fu_class(found)[None]], dtype=np.uint64))
    if not sum(map(len, hand)):
        nothing = np.zeros(0, np.int32)
        empty = Patterns(np.zeros((0, n_words()), np.uint64), nothing)
        return Facts(hands, nothing, nothing, nothing, nothing, empty, *_dora(hands))
    lines = distinct(np.concatenate(words, axis=1))
    patterns = distinct(lines.words[:, :-1].T)
    return Facts(
        hands=hands,
        hand=np.concatenate(hand),
        line=lines.of,
        line_pattern=patterns.of,
        line_fu_class=lines.words[:, -1].astype(np.int32),
        patterns=patterns,
        dora=(dora := _dora(hands))[0],
        dora_counts=dora[1],
    )


def _dora(hands: Hands) -> tuple[np.ndarray, np.ndarray]:
    packed = np.zeros((8, len(hands)), np.uint8)
    for row, name in enumerate(DORA_COLUMNS):
        packed[row] = getattr(hands, name)
    found = distinct(tiles.words(packed))
    counts = found.words.astype("<u8").view(np.uint8).reshape(-1, 8)[:, : len(DORA_COLUMNS)]
    return found.of, counts.astype(np.int32)


@dataclass(frozen=True)
class _Columns:
    """The columns of `Scores` over distinct keys: thousands of hands share one."""

    is_paid: np.ndarray
    status: np.ndarray
    base: np.ndarray
    han: np.ndarray
    fu: np.ndarray
    by_floor: np.ndarray
    units: np.ndarray
    limit: np.ndarray

    @classmethod
    def of(cls, keys: np.ndarray) -> _Columns:
        is_paid = keys > _COMPLETE
        base, han = keys >> 24, keys >> 12 & _YAKUMAN_HAN
        by_floor = is_paid & ((keys & _BY_COUNT) == 0)
        is_yakuman = (han == _YAKUMAN_HAN) | (by_floor & (base == YAKUMAN_BASE))
        units = np.where(is_yakuman, base // YAKUMAN_BASE, 0)
        return cls(
            is_paid=is_paid,
            status=np.where(is_paid, OK, np.where(keys == _COMPLETE, NO_YAKU, NOT_WINNING)).astype(np.int8),
            base=base.astype(np.int32),
            han=np.where(units > 0, 0, han).astype(np.int16),
            fu=np.where(is_paid, keys >> 1 & 0x7FF, 0).astype(np.int16),
            by_floor=by_floor,
            units=units.astype(np.int8),
            limit=np.where(units > 0, YAKUMAN, limit_of_base(base)).astype(np.int8),
        )


@dataclass(frozen=True)
class Scores:
    """Hands under one ruleset, columns of equal length.

    Attributes
    ----------
    status : int8
        Index into STATUSES; the other columns are 0 where it is not `ok`.
    base : int32
        Base points; a non-dealer's ron pays four times as much.
    han, fu : int16
        Of the best reading, dora included; han is 0 for a yakuman.
    units : int8
        Yakuman units, 0 for a counted yakuman.
    limit : int8
        Index into limits.LIMIT_NAMES.
    points : int64
        Without honba and sticks; of a self-draw, the sum of the payments.
    keys : int64 (n_keys)
        The distinct keys that occur, ascending; `rank` is the place of each hand's among them.
    """

    rules: Ruleset
    facts: Facts
    played: Played
    keys: np.ndarray
    rank: np.ndarray

    @cached_property
    def key(self) -> np.ndarray:
        """What orders readings: `keys_of_readings` of the best one, 0 without any."""
        return self.keys[self.rank]

    @cached_property
    def is_paid(self) -> np.ndarray:
        return self._each.is_paid[self.rank]

    @cached_property
    def status(self) -> np.ndarray:
        return self._each.status[self.rank]

    @cached_property
    def base(self) -> np.ndarray:
        return self._each.base[self.rank]

    @cached_property
    def han(self) -> np.ndarray:
        return self._each.han[self.rank]

    @cached_property
    def fu(self) -> np.ndarray:
        return self._each.fu[self.rank]

    @cached_property
    def by_floor(self) -> np.ndarray:
        """Whether a limit of its own decided, not the count: then only the yaku that give it are held."""
        return self._each.by_floor[self.rank]

    @cached_property
    def units(self) -> np.ndarray:
        return self._each.units[self.rank]

    @cached_property
    def limit(self) -> np.ndarray:
        return self._each.limit[self.rank]

    @cached_property
    def points(self) -> np.ndarray:
        tsumo_loss = bool(self.rules["payment.tsumo_loss"])
        by_situation = win_points(self._each.base[:, None], *_SITUATIONS, tsumo_loss)
        return by_situation.ravel()[self.rank * len(_SITUATIONS[0]) + self.facts.situation]

    @cached_property
    def _each(self) -> _Columns:
        return _Columns.of(self.keys)

    @cached_property
    def is_lower_bound(self) -> np.ndarray:
        """Whether the ruleset plays a yaku that the source cannot tell of this hand: it is scored as absent."""
        asked = np.uint64(0)
        for id_ in self.played.yaku:
            for name in circumstances_asked(self.rules.yaku()[id_], self.rules):
                asked |= flag_bit(name)
        return self.facts.hands.known & asked != asked

    @cached_property
    def reading(self) -> np.ndarray:
        """Place of the best reading of each hand among the readings of `facts`; meaningless without a reading."""
        facts = self.facts
        best = np.zeros(len(facts.hands), np.int64)
        is_best = np.flatnonzero(_ranks_of_readings(facts, self.rules, self.played)[1] == self.rank[facts.hand])
        owner = facts.hand[is_best]
        first = np.diff(owner, prepend=-1) != 0
        best[owner[first]] = is_best[first]
        return best

    @cached_property
    def best_row(self) -> np.ndarray:
        """Row of `played` of the best reading of each hand, intp (n_hands); meaningless without a reading."""
        facts = self.facts
        if not len(facts.line):
            return np.zeros(len(facts.hands), np.intp)
        return self.played.row[facts.line_pattern].astype(np.intp)[facts.line[self.reading]]

    @cached_property
    def holds(self) -> np.ndarray:
        """Yaku of the best reading, bool (n_hands, n_yaku) over `played.yaku`; all False where nothing is paid."""
        if not len(self.facts.line):
            return np.zeros((len(self.rank), len(self.played.yaku)), bool)
        counted, floors = self.played.holds[self.best_row], self.played.floors[self.best_row]
        return np.where(self.by_floor[:, None], floors, counted) & self.is_paid[:, None]

    def counted(self, rows: np.ndarray) -> np.ndarray:
        """Yaku that count in some reading of hands, ascending rows, be the hands worth anything or not.

        bool (n_rows, n_yaku) over `played.yaku`.
        """
        facts, played = self.facts, self.played
        found = np.zeros((len(rows), len(played.yaku)), bool)
        reading = np.flatnonzero(np.isin(facts.hand, rows))
        row = played.row[facts.line_pattern[facts.line[reading]]]
        np.logical_or.at(found, np.searchsorted(rows, facts.hand[reading]), played.holds[row] | played.floors[row])
        return found

    def worth(self, row: int) -> dict[str, Worth]:
        """What each yaku that counts in a hand is worth there, by id: of a limit that decided, only the limit."""
        if not self.is_paid[row]:
            return {}
        played, by_floor = self.played, bool(self.by_floor[row])
        best = self.best_row[row]
        worths = {}
        for at in np.flatnonzero(self.holds[row]):
            units = 0 if by_floor else int(played.each_units[best, at])
            worths[played.yaku[at]] = Worth(
                han=0 if by_floor else int(played.each_han[best, at]),
                units=units,
                floor=0 if units else int(played.each_floor[best, at]),
            )
        return worths

    @cached_property
    def dora_han(self) -> np.ndarray:
        """Han of each of the six kinds of dora as the ruleset counts them, (n_hands, 6); also beside a yakuman."""
        return self.facts.dora_counts[self.facts.dora] * _dora_weights(self.rules)


def score(hands: Hands | Facts, rulesets: Iterable[Ruleset | str]) -> list[Scores]:
    """The hands under each ruleset, facts found once."""
    facts = hands if isinstance(hands, Facts) else facts_of(hands)
    return [_score(facts, ruleset(rules)) for rules in rulesets]


def _score(facts: Facts, rules: Ruleset) -> Scores:
    rules.check_complete()
    played = play(facts.patterns, rules)
    keys, rank_of_reading = _ranks_of_readings(facts, rules, played)
    best = rank_of_reading[facts.first]
    hands, their_readings, starts = facts.several
    if len(hands):
        best[hands] = np.maximum.reduceat(rank_of_reading[their_readings], starts)
    rank = np.zeros(len(facts.hands), np.intp)
    rank[facts.hand[facts.first]] = best
    return Scores(rules, facts, played, keys, rank)


def _dora_weights(rules: Ruleset) -> np.ndarray:
    return np.array([rules[key] for key in _DORA_KEYS], np.int32)


def keys_of_readings(facts: Facts, rules: Ruleset, played: Played) -> np.ndarray:
    """Per reading `base << 24 | han << 12 | fu << 1 | by count`, which orders readings.

    A yakuman beats any count, and of equals the count beats a limit of its own, as it does within a reading.

    `opened` takes a key apart.
    """
    keys, rank = _ranks_of_readings(facts, rules, played)
    return keys[rank]


def _ranks_of_readings(facts: Facts, rules: Ruleset, played: Played) -> tuple[np.ndarray, np.ndarray]:
    """The distinct keys, ascending from 0, and the place of each reading's among them."""
    # Rows that differ in nothing the points depend on share a worth, and lines with the same fu then a block of keys:
    # one for each number of dora.
    han = played.han.astype(np.int64) + _HAN_SHIFT
    is_met = played.minimum >= rules["round.minimum_han"]
    worths, worth = _ascending(
        han
        | played.units.astype(np.int64) << 11
        | played.floor.astype(np.int64) << 19
        | is_met.astype(np.int64) << 33
        | played.is_fixed.astype(np.int64) << 34
        | played.is_complete.astype(np.int64) << 35
    )
    code = worth[played.row[facts.line_pattern]] << 9 | fu_table(rules)[facts.line_fu_class]
    blocks = np.flatnonzero(np.bincount(code, minlength=1))
    block = np.zeros(len(worths) << 9, np.int32)
    block[blocks] = np.arange(len(blocks), dtype=np.int32)

    dora_han = (facts.dora_counts @ _dora_weights(rules)).astype(np.int32)
    width = np.int32(dora_han.max(initial=0) + 1)
    table = _key_table(worths[blocks >> 9], blocks & 0x1FF, int(width), rules)
    keys, rank = _ascending(np.append(0, table))
    rank = rank[1:].astype(np.min_scalar_type(len(keys)))
    row = (block[code] * width)[facts.line]
    row += dora_han[facts.dora_of_reading]
    return keys, rank[row]


def _ascending(numbers: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The distinct numbers in ascending order, and the place of each among them; for few among many."""
    encoded = pa.array(numbers).dictionary_encode()
    found = encoded.dictionary.to_numpy()
    order = np.argsort(found)
    place = np.empty(len(found), np.intp)
    place[order] = np.arange(len(found))
    return found[order], place[encoded.indices.to_numpy()]


def opened(key: int) -> tuple[int, int, int, bool]:
    """Base points, han, fu and whether a floor decided, of one reading's key; a yakuman has 0 han.

    >>> opened(8000 << 24 | 0xFFF << 12 | 30 << 1 | 1)
    (8000, 0, 30, False)
    """
    if key <= _COMPLETE:
        return 0, 0, 0, False
    han = key >> 12 & _YAKUMAN_HAN
    return key >> 24, 0 if han == _YAKUMAN_HAN else han, key >> 1 & 0x7FF, not key & _BY_COUNT


def _key_table(worth: np.ndarray, fu: np.ndarray, width: int, rules: Ruleset) -> np.ndarray:
    """Keys by block (its worth and fu) and number of dora, int64 (n_blocks, width)."""
    base, _ = base_table(rules)
    han = (worth & 0x7FF) - _HAN_SHIFT
    units, floor = worth >> 11 & 0xFF, (worth >> 19 & 0x3FFF)[:, None]
    is_met, is_fixed, is_complete = ((worth >> bit & 1)[:, None] == 1 for bit in (33, 34, 35))
    total = np.maximum(han[:, None] + np.arange(width), 0)
    ordinary = np.where(is_met & ~is_fixed, base[np.minimum(total, MAX_HAN), fu[:, None]], 0)
    paid = np.maximum(ordinary, floor)
    by_count = np.where((floor > ordinary) | is_fixed, 0, _BY_COUNT)
    key = np.where(paid > 0, paid.astype(np.int64) << 24 | total << 12 | fu[:, None] << 1 | by_count, 0)
    yakuman = units * YAKUMAN_BASE << 24 | _YAKUMAN_HAN << 12 | fu << 1 | _BY_COUNT
    key = np.where(units[:, None] > 0, yakuman[:, None], key)
    return np.where(is_complete, np.maximum(key, _COMPLETE), 0)
