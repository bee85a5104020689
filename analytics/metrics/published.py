"""Published figures beside ours, where the tables played at are the same."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

GAME_COLUMNS = frozenset(
    ("players", "length", "ruleset", "room", "lobby", "source", "year", "month", "date", "is_complete")
)
"""Columns of whole games: filtering or splitting by these leaves a population of tables what it is."""


@dataclass(frozen=True)
class Published:
    """One publication: who counted what, how, and the figures by (kind, key)."""

    id: str
    source: str
    about: str
    conventions: str
    players: int
    length: str
    ruleset: str
    rooms: frozenset[str]
    figures: Mapping[tuple[str, str], float]

    def is_about(self, tables: Iterable[tuple]) -> bool:
        """Whether all of these (players, length, ruleset, room) are among its tables."""
        return all(
            (players, length, rules) == (self.players, self.length, self.ruleset) and room in self.rooms
            for players, length, rules, room in tables
        )


@cache
def publications() -> tuple[Published, ...]:
    """All there are."""
    text = files(__package__).joinpath("published.toml").read_text("utf-8")
    found = []
    for id_, entry in tomllib.loads(text).items():
        figures = {
            (kind, key): figure
            for kind, block in entry.items()
            if isinstance(block, Mapping)
            for key, figure in block.items()
        }
        plain = {key: value for key, value in entry.items() if not isinstance(value, Mapping)}
        found.append(Published(id=id_, figures=figures, **{**plain, "rooms": frozenset(plain["rooms"])}))
    return tuple(found)


def publications_for(tables: Counter, columns: Iterable[str]) -> list[Published]:
    """Those that may stand beside wins of these tables, filtered and split by these columns."""
    if not tables or not set(columns) <= GAME_COLUMNS:
        return []
    return [published for published in publications() if published.is_about(tables)]
