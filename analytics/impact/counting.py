"""What counts of wins stand on: the source, the wins that are weighed, and what is known of them."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from parsers.store import Store

from ..corpus import Parts, Source, is_named, opened_parts
from ..metrics.columns import WinView
from ..rescoring import Recorded
from ..scoring.hands import Hands, flag_bit
from ..scoring.patterns import circumstances_asked
from ..scoring.ruleset import Ruleset
from .candidates import ImpactError

POINT = 100
"""Points are whole hundreds, and counted in these."""


@dataclass(frozen=True)
class Columns:
    """A family of statistics for metrics.sums.Sums whose counts are made elsewhere.

    Attributes
    ----------
    over : int (n_statistics)
        Per statistic the column of its denominator.
    """

    over: np.ndarray
    besides: tuple[str, ...] = ()

    def plays(self, rules: Ruleset) -> np.ndarray:
        """Every statistic can occur."""
        return np.ones(len(self.over), bool)


@contextlib.contextmanager
def parts_of(source: Source, *, workers: int = 1) -> Iterator[Parts]:
    """The parts of a source.

    Raises
    ------
    ImpactError
        It holds no games, or no actions, without which nothing is known of how a hand was won.
    """
    with opened_parts(source, workers=workers) as parts:
        if not isinstance(parts, Store):
            parts = list(parts)
        n_games, n_rounds, n_actions = (_n_rows(parts, name) for name in ("games", "rounds", "actions"))
        place = str(parts.path) if isinstance(parts, Store) else "tables"
        if is_named(source):
            place = ", ".join(map(str, source)) if isinstance(source, list | tuple) else str(source)
        if not n_games:
            raise ImpactError(f"{place}: no games, so there is nothing to weigh")
        if n_rounds and not n_actions:
            raise ImpactError(f"{place}: no actions, so how a hand was won is not known; read the logs again")
        yield parts


def _n_rows(parts: Parts, name: str) -> int:
    return parts.n_rows(name) if isinstance(parts, Store) else sum(part[name].num_rows for part in parts)


def played_rulesets(parts: Parts) -> list[str]:
    """Ids of the rulesets that games were played under."""
    tables = (part.table("games", ["ruleset"]) if isinstance(parts, Store) else part["games"] for part in _each(parts))
    return sorted({id_ for table in tables for id_ in table["ruleset"].to_pylist()})


def _each(parts: Parts) -> Iterator:
    return iter(parts.parts()) if isinstance(parts, Store) else iter(parts)


def part_rulesets(view: WinView, base: Ruleset | Recorded) -> list[str]:
    """The ids games were played under, one per ruleset of the view's `rescored.rulesets`."""
    if isinstance(base, Ruleset):
        return [""]
    return sorted(set(view.tables["games"]["ruleset"].to_pylist())) or ["base"]


def asked_bits(yaku: str, rules: Ruleset) -> np.uint64:
    """The flags without which it is not known whether a win holds a yaku."""
    bits = np.uint64(0)
    for name in circumstances_asked(rules.yaku()[yaku], rules):
        bits |= flag_bit(name)
    return bits


def known(hands: Hands, bits: np.uint64) -> np.ndarray:
    """The wins of which all these flags are known."""
    return hands.known & bits == bits
