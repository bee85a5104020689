"""Facts: what is true of a hand or of one reading of it, whatever any ruleset pays for it.

A fact is a function from `Hands` (true of every reading of the hand) or from `Readings` to a boolean column. Each has
one bit in a few words; `patterns` keeps the distinct words of a batch, and rulesets are applied to those only.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import groupby
from operator import itemgetter

import numpy as np
import pyarrow as pa

from . import tiles
from .hands import Hands
from .readings import Bits, Readings
from .tiles import U64

HAND_FACTS: dict[str, Callable[[Hands], Bits]] = {}
READING_FACTS: dict[str, Callable[[Readings], Bits]] = {}
_FAMILY: dict[str, Callable] = {}
_WIDER: dict[Callable, Callable] = {}
_ASKS: dict[str, tuple[str, ...]] = {}


def hand_fact(
    function: Callable[[Hands], Bits] | None = None, *, among: Callable[[Hands], Bits] | None = None, asks: str = ""
):
    """Register a fact that is the same for every reading of a hand.

    Parameters
    ----------
    among : function, optional
        A cheap column that holds wherever the fact can; the fact is looked for only there.
    asks : str
        Circumstances, separated by blanks, without which the fact is not known.
    """
    return _registered(function, HAND_FACTS, among, asks)


def reading_fact(
    function: Callable[[Readings], Bits] | None = None,
    *,
    among: Callable[[Readings], Bits] | None = None,
    asks: str = "",
):
    """Register a fact that depends on how the hand is read; `among` and `asks` as for `hand_fact`."""
    return _registered(function, READING_FACTS, among, asks)


def within(wider: Callable) -> Callable:
    """Mark a family of hands or readings that lies wholly in a wider one: it is looked for there."""

    def mark(family: Callable) -> Callable:
        _WIDER[family] = wider
        return family

    return mark


@cache
def _places() -> dict[str, tuple[int, int]]:
    places, first = {}, 0
    for registry in (HAND_FACTS, READING_FACTS):
        places |= {name: (first + i // 64, i % 64) for i, name in enumerate(_in_order(registry))}
        first += _n_words(registry)
    return places


def _in_order(registry: Mapping) -> list[str]:
    """Names with those of one family side by side, so that they share bytes."""
    order = list(dict.fromkeys(_FAMILY.get(name) for name in registry))
    return sorted(registry, key=lambda name: order.index(_FAMILY.get(name)))


@cache
def _by_family(of_hands: bool) -> list[tuple[Callable | None, int, list[Callable]]]:
    """Each family of a registry, the place of its first fact among the registry's bits, and its facts in order."""
    registry = HAND_FACTS if of_hands else READING_FACTS
    names = [(_FAMILY.get(name), name) for name in _in_order(registry)]
    found, first = [], 0
    for family, group in groupby(names, key=itemgetter(0)):
        facts = [registry[name] for _, name in group]
        found.append((family, first, facts))
        first += len(facts)
    return found


def _registered(function: Callable | None, registry: dict, among: Callable | None, asks: str):
    def register(function: Callable) -> Callable:
        name = function.__name__
        if name in HAND_FACTS or name in READING_FACTS:
            raise ValueError(f"fact {name!r} is registered twice")
        if not (function.__doc__ or "").strip():
            raise ValueError(f"fact {name!r} needs a sentence that says what it states")
        registry[name] = function
        if among is not None:
            _FAMILY[name] = among
        _ASKS[name] = tuple(asks.split())
        for known in (_places, _by_family):  # a fact may be registered after others were looked for
            known.cache_clear()
        return function

    return register if function is None else register(function)


def names() -> tuple[str, ...]:
    """Every fact, those of hands first."""
    return (*HAND_FACTS, *READING_FACTS)


def asks(name: str) -> tuple[str, ...]:
    """Circumstances without which a fact is not known."""
    return _ASKS[name]


def sentence(name: str) -> str:
    """The first line of the fact's docstring."""
    return _function(name).__doc__.strip().splitlines()[0]


def family(name: str) -> str:
    """The file of `yaku` that a fact stands in; of one that a user registered, the module."""
    return _function(name).__module__.rpartition(".")[2]


def _function(name: str) -> Callable:
    return HAND_FACTS.get(name) or READING_FACTS[name]


def word_of(name: str) -> tuple[int, int]:
    """Word and bit of a fact: the facts of hands fill whole words, then those of readings; families lie together."""
    return _places()[name]


def n_words() -> int:
    """How many words the facts take."""
    return _n_words(HAND_FACTS) + _n_words(READING_FACTS)


def _n_words(registry: Mapping) -> int:
    return (len(registry) + 63) // 64


@dataclass(frozen=True)
class Patterns:
    """The distinct fact words of a batch.

    `words` is uint64 (n_patterns, n_words); `of` gives the pattern of each reading; `places` the word and the bit of
    each fact that was known when they were made.
    """

    words: np.ndarray
    of: np.ndarray
    places: Mapping[str, tuple[int, int]] = field(default_factory=lambda: _places())

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def facts(self) -> Mapping[str, np.ndarray]:
        """Each fact as a boolean column over the patterns, made when it is first asked for."""
        return _Columns(self)

    def by(self, names: Iterable[str]) -> Patterns:
        """The distinct patterns of these facts alone; `of` gives that of each pattern here."""
        mask = np.zeros(self.words.shape[1], U64)
        for name in names:
            word, bit = self.place(name)
            mask[word] |= U64(1) << U64(bit)
        key = mask.tobytes()
        if key not in self._by:
            self._by[key] = replace(distinct((self.words & mask).T), places=self.places)
        return self._by[key]

    def place(self, name: str) -> tuple[int, int]:
        """The word and the bit of a fact.

        Raises
        ------
        LookupError
            The fact was registered after these patterns were made.
        """
        if name not in self.places and name in _places():
            raise LookupError(f"fact {name!r} was registered after the facts of these hands were looked for")
        return self.places[name]

    @cached_property
    def _by(self) -> dict[bytes, Patterns]:
        return {}


class _Columns(dict):
    """Facts of patterns by name."""

    def __init__(self, patterns: Patterns):
        super().__init__()
        self.patterns = patterns

    def __missing__(self, name: str) -> np.ndarray:
        word, bit = self.patterns.place(name)
        self[name] = found = self.patterns.words[:, word] >> U64(bit) & U64(1) != 0
        return found


def fact_words(readings: Readings) -> np.ndarray:
    """All facts of all readings, uint64 (n_words, n_readings)."""
    of_hands = _words(HAND_FACTS, readings.hands)
    return np.concatenate([of_hands.take(readings.hand, axis=1), _words(READING_FACTS, readings)])


def _words(registry: Mapping[str, Callable], columns: Hands | Readings) -> np.ndarray:
    """The facts of a registry, one bit each; those of one family are looked for together, in its rows alone."""
    found = np.zeros((8 * _n_words(registry), len(columns)), np.uint8)
    families: dict[Callable | None, tuple] = {None: (columns, None)}
    for family, first, facts in _by_family(registry is HAND_FACTS):
        some, rows = _rows_of(family, families)
        if not len(some):
            continue
        # Eight facts side by side, each at its bit, are a byte; for bytes a product is faster than a shift.
        bits = np.zeros((-(-(first % 8 + len(facts)) // 8), 8, len(some)), np.uint8)
        for row, function in enumerate(facts, start=first % 8):
            bits[row // 8, row % 8] = function(some)
        bits *= _BITS
        packed = np.bitwise_or.reduce(bits, axis=1)
        for byte, into in zip(packed, found[first // 8 :], strict=False):
            if rows is None:
                into |= byte
            else:
                into[rows] |= byte
    return tiles.words(found)


def _rows_of(family: Callable | None, known: dict) -> tuple:
    """The rows of a family, and their places in the whole batch: looked for in the family it is part of."""
    if family not in known:
        wider, places = _rows_of(_WIDER.get(family), known)
        rows = np.flatnonzero(family(wider))
        known[family] = wider[rows], rows if places is None else places[rows]
    return known[family]


_BITS = (1 << np.arange(8)).astype(np.uint8)[:, None]
_MIX = U64(0x9E3779B97F4A7C15)


def distinct(words: np.ndarray) -> Patterns:
    """The distinct columns of `words` (n_words, n), and which one each column is.

    Words are hashed into one and the hashes told apart; that equal hashes had equal words is then checked, so a
    collision costs time, never a wrong pattern.
    """
    mixed = words[0]
    for word in words[1:]:
        mixed = (mixed ^ mixed >> U64(29)) * _MIX ^ word
    encoded = pa.array(mixed).dictionary_encode()
    of = encoded.indices.to_numpy()
    place = of.astype(np.intp)
    first = np.empty(len(encoded.dictionary), np.intp)
    first[place[::-1]] = np.arange(len(of) - 1, -1, -1)
    chosen = words[:, first]
    if len(words) > 1 and not all(np.array_equal(one[place], word) for one, word in zip(chosen, words, strict=True)):
        unique, of = np.unique(words, axis=1, return_inverse=True)
        return Patterns(unique.T.copy(), of.astype(np.int32))
    return Patterns(chosen.T.copy(), of)
