"""Facts: what is true of a hand or of one reading of it, whatever any ruleset pays for it.

A fact is a function from `Hands` (true of every reading of the hand) or from `Readings` to a boolean column. Each has
one bit in a few words; `patterns` keeps the distinct words of a batch, and rulesets are applied to those only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

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
    return (HAND_FACTS.get(name) or READING_FACTS[name]).__doc__.strip().splitlines()[0]


@dataclass(frozen=True)
class Patterns:
    """The distinct fact words of a batch.

    `words` is uint64 (n_patterns, n_words) with bit i of word w for fact 64 w + i; `of` gives the pattern of each
    reading.
    """

    words: np.ndarray
    of: np.ndarray

    def __len__(self) -> int:
        return len(self.words)

    def bits(self) -> np.ndarray:
        """The facts as a boolean matrix (n_patterns, n_facts)."""
        return unpack(self.words)[:, : len(names())]


def unpack(words: np.ndarray) -> np.ndarray:
    """Words (n, w) as booleans (n, 64 w), lowest bit first."""
    little = np.ascontiguousarray(words.astype("<u8", copy=False)).view(np.uint8)
    return np.unpackbits(little, axis=1, bitorder="little").astype(bool)


def fact_words(readings: Readings) -> np.ndarray:
    """All facts of all readings, uint64 (n_words, n_readings)."""
    n_words = (len(names()) + 63) // 64
    of_hand = np.zeros((n_words, len(readings.hands)), U64)
    _find(HAND_FACTS, readings.hands, of_hand, first=0)
    words = of_hand[:, readings.hand]
    _find(READING_FACTS, readings, words, first=len(HAND_FACTS))
    return words


def _find(registry: Mapping[str, Callable], columns: Hands | Readings, words: np.ndarray, first: int) -> None:
    """Set the bits of a registry's facts; those of one class are looked for together, in its rows alone."""
    of_class: dict[Callable | None, list[tuple[int, Callable]]] = {}
    for position, (name, function) in enumerate(registry.items(), start=first):
        of_class.setdefault(_CLASS.get(name), []).append((position, function))
    for among, facts in of_class.items():
        if among is None:
            for position, function in facts:
                words[position // 64] |= np.left_shift(function(columns), U64(position % 64), dtype=U64)
            continue
        rows = np.flatnonzero(among(columns))
        if not len(rows):
            continue
        subset = columns[rows]
        found = np.zeros((len(words), len(rows)), U64)
        for position, function in facts:
            found[position // 64] |= np.left_shift(function(subset), U64(position % 64), dtype=U64)
        for word in np.flatnonzero(found.any(axis=1)):
            words[word, rows] |= found[word]


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
