"""Facts: what is true of a hand or of one reading of it, whatever any ruleset pays for it.

A fact is a function from `Hands` (true of every reading of the hand) or from `Readings` to a boolean column. Each has
one bit in a few words; `patterns` keeps the distinct words of a batch, and rulesets are applied to those only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property

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


def _by_family(registry: Mapping[str, Callable]) -> list[tuple[Callable | None, list[tuple[int, Callable]]]]:
    """Each family and its facts, with the place of each among the bits of the registry."""
    families: dict[Callable | None, list[tuple[int, Callable]]] = {}
    for place, name in enumerate(_in_order(registry)):
        families.setdefault(_FAMILY.get(name), []).append((place, registry[name]))
    return list(families.items())


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
        _places.cache_clear()  # a fact may be registered after others were looked for
        return function

    return register if function is None else register(function)


def names() -> tuple[str, ...]:
    """Every fact in the order of its bit."""
    return tuple(_places())


def asks(name: str) -> tuple[str, ...]:
    """Circumstances without which a fact is not known."""
    return _ASKS[name]


def sentence(name: str) -> str:
    """The first line of the fact's docstring."""
    return (HAND_FACTS.get(name) or READING_FACTS[name]).__doc__.strip().splitlines()[0]


def word_of(name: str) -> tuple[int, int]:
    """Word and bit of a fact: the facts of hands fill whole words, then those of readings."""
    return _places()[name]


def n_words() -> int:
    """How many words the facts take."""
    return _n_words(HAND_FACTS) + _n_words(READING_FACTS)


def _n_words(registry: Mapping) -> int:
    return (len(registry) + 63) // 64


@dataclass(frozen=True)
class Patterns:
    """The distinct fact words of a batch.

    `words` is uint64 (n_patterns, n_words), the place of each fact as `word_of` says; `of` gives the pattern of each
    reading.
    """

    words: np.ndarray
    of: np.ndarray

    def __len__(self) -> int:
        return len(self.words)

    @cached_property
    def facts(self) -> Mapping[str, np.ndarray]:
        """Each fact as a boolean column over the patterns, made when it is first asked for."""
        return _Columns(self.words)


class _Columns(dict):
    """Facts by name, of some words."""

    def __init__(self, words: np.ndarray):
        super().__init__()
        self.words = words

    def __missing__(self, name: str) -> np.ndarray:
        word, bit = _places()[name]
        self[name] = found = self.words[:, word] >> U64(bit) & U64(1) != 0
        return found


def fact_words(readings: Readings) -> np.ndarray:
    """All facts of all readings, uint64 (n_words, n_readings)."""
    of_hands = _words(HAND_FACTS, readings.hands)
    return np.concatenate([of_hands[:, readings.hand], _words(READING_FACTS, readings)])


def _words(registry: Mapping[str, Callable], columns: Hands | Readings) -> np.ndarray:
    """The facts of a registry, one bit each; those of one family are looked for together, in its rows alone."""
    found = np.zeros((8 * _n_words(registry), len(columns)), np.uint8)
    families: dict[Callable | None, tuple] = {None: (columns, None)}
    for family, facts in _by_family(registry):
        some, rows = _rows_of(family, families)
        if not len(some):
            continue
        within: dict[int, np.ndarray] = {}
        for position, function in facts:
            byte, bit = divmod(position, 8)
            holds = function(some).view(np.uint8) << np.uint8(bit)
            within[byte] = within[byte] | holds if byte in within else holds
        for byte, bits in within.items():
            if rows is None:
                found[byte] |= bits
            else:
                row = found[byte]
                row[rows] |= bits
    return tiles.words(found)


def _rows_of(family: Callable | None, known: dict) -> tuple:
    """The rows of a family, and their places in the whole batch: looked for in the family it is part of."""
    if family not in known:
        wider, places = _rows_of(_WIDER.get(family), known)
        rows = np.flatnonzero(family(wider))
        known[family] = wider[rows], rows if places is None else places[rows]
    return known[family]


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
