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

from .hands import Hands
from .readings import Bits, Readings
from .tiles import U64

HAND_FACTS: dict[str, Callable[[Hands], Bits]] = {}
READING_FACTS: dict[str, Callable[[Readings], Bits]] = {}
_CLASS: dict[str, Callable] = {}
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


@cache
def _places() -> dict[str, tuple[int, int]]:
    places = {name: divmod(i, 64) for i, name in enumerate(HAND_FACTS)}
    first = _n_words(HAND_FACTS)
    places |= {name: (first + i // 64, i % 64) for i, name in enumerate(READING_FACTS)}
    return places


def _registered(function: Callable | None, registry: dict, among: Callable | None, asks: str):
    def register(function: Callable) -> Callable:
        name = function.__name__
        if name in HAND_FACTS or name in READING_FACTS:
            raise ValueError(f"fact {name!r} is registered twice")
        if not (function.__doc__ or "").strip():
            raise ValueError(f"fact {name!r} needs a sentence that says what it states")
        registry[name] = function
        if among is not None:
            _CLASS[name] = among
        _ASKS[name] = tuple(asks.split())
        _places.cache_clear()  # a fact may be registered after others were looked for
        return function

    return register if function is None else register(function)


def names() -> tuple[str, ...]:
    """Every fact in the order of its bit."""
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
    """The facts of a registry, one bit each; those of one class are looked for together, in its rows alone."""
    n_bytes = 8 * _n_words(registry)
    found = np.zeros((n_bytes, len(columns)), np.uint8)
    of_class: dict[Callable | None, list[tuple[int, Callable]]] = {}
    for position, (name, function) in enumerate(registry.items()):
        of_class.setdefault(_CLASS.get(name), []).append((position, function))
    for among, facts in of_class.items():
        if among is None:
            _set_bits(found, facts, columns)
            continue
        rows = np.flatnonzero(among(columns))
        if not len(rows):
            continue
        within = np.zeros((n_bytes, len(rows)), np.uint8)
        _set_bits(within, facts, columns[rows])
        for byte in sorted({position // 8 for position, _ in facts}):
            found[byte, rows] |= within[byte]
    # Eight bytes of a reading side by side are its word, the lowest first.
    return np.stack([np.ascontiguousarray(found[i : i + 8].T).view("<u8")[:, 0] for i in range(0, n_bytes, 8)])


def _set_bits(found: np.ndarray, facts: list[tuple[int, Callable]], columns: Hands | Readings) -> None:
    for position, function in facts:
        found[position // 8] |= function(columns).view(np.uint8) << np.uint8(position % 8)


_MIX = U64(0x9E3779B97F4A7C15), U64(0xBF58476D1CE4E5B9), U64(0x94D049BB133111EB), U64(0xD6E8FEB86659FD93)


def distinct(words: np.ndarray) -> Patterns:
    """The distinct columns of `words` (n_words, n), and which one each column is.

    Words are hashed into one and the hashes told apart; that equal hashes had equal words is then checked, so a
    collision costs time, never a wrong pattern.
    """
    mixed = words[0].copy()
    for word, factor in zip(words[1:], _MIX, strict=False):
        mixed = (mixed ^ mixed >> U64(29)) * factor ^ word
    encoded = pa.array(mixed).dictionary_encode()
    of = encoded.indices.to_numpy()
    first = np.empty(len(encoded.dictionary), np.int64)
    first[of[::-1]] = np.arange(len(of) - 1, -1, -1)
    chosen = words[:, first]
    if not np.array_equal(chosen[:, of], words):
        unique, of = np.unique(words, axis=1, return_inverse=True)
        return Patterns(unique.T.copy(), of.astype(np.int32))
    return Patterns(chosen.T.copy(), of)
