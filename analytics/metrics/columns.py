"""The columns of a win that statistics may be filtered by and split by."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..rescoring import RECORDED, Rescored, Rules, rescore
from ..rounds import game_rows, numbers, round_rows
from ..scoring.limits import LIMIT_NAMES

NUMBER, WORD, FLAG = "number", "word", "flag"
WINDS = ("east", "south", "west", "north")
_READ = ("games", "seats", "rounds", "actions", "wins", "win_yaku", "circumstances", "draws", "rejects")


class StatisticsError(ValueError):
    """A filter or a split that cannot be: what the user wrote, and what is nearest to it."""

    is_users = True


@dataclass(frozen=True)
class WinView:
    """The wins of one part, scored, with look-ups into the other tables."""

    tables: Mapping[str, pa.Table]
    rescored: Rescored

    @classmethod
    def of(cls, tables: Mapping[str, pa.Table], rules: Rules = RECORDED) -> WinView:
        """Of a part, whose tables are read once."""
        held = {name: tables[name] for name in _READ}
        return cls(held, rescore(held, rules))

    def __len__(self) -> int:
        return len(self.rescored)

    @cached_property
    def game(self) -> np.ndarray:
        """Row in `games`."""
        return game_rows(self.tables["wins"], self.tables["games"])

    @cached_property
    def round(self) -> np.ndarray:
        """Row in `rounds`."""
        return round_rows(self.tables["wins"], self.tables["rounds"])

    @cached_property
    def seat(self) -> np.ndarray:
        """Row of the winner in `seats`."""
        seats, games = self.tables["seats"], self.tables["games"]
        known = game_rows(seats, games) * 4 + numbers(seats["seat"])
        order = np.argsort(known, kind="stable")
        wanted = self.game * 4 + numbers(self.tables["wins"]["winner"])
        return order[np.searchsorted(known[order], wanted)]

    @cached_property
    def is_duplicate(self) -> np.ndarray:
        """Wins of games whose play is in the store already."""
        return self.tables["games"]["duplicate_of"].is_valid().to_numpy()[self.game]

    def column(self, name: str) -> pa.Array:
        """One of `COLUMNS`, a value a win."""
        made = COLUMNS[name].make(self)
        return made.combine_chunks() if isinstance(made, pa.ChunkedArray) else pa.array(made)


@dataclass(frozen=True)
class Column:
    """A column of wins.

    Attributes
    ----------
    kind : str
        `number`, `word` or `flag`.
    words : tuple of str
        All values of a word that has few.
    make : function of a WinView
    """

    name: str
    kind: str
    description: str
    make: Callable[[WinView], pa.Array | pa.ChunkedArray | np.ndarray]
    words: tuple[str, ...] = ()


def _game(name: str) -> Callable[[WinView], pa.ChunkedArray]:
    def make(view: WinView):
        column = view.tables["games"][name]
        plain = column.cast(pa.string()) if pa.types.is_dictionary(column.type) else column
        return plain.take(pa.array(view.game))

    return make


def _started(form: str | None) -> Callable[[WinView], pa.ChunkedArray]:
    def make(view: WinView):
        start = view.tables["games"]["start_time"].take(pa.array(view.game))
        return pc.year(start) if form is None else pc.strftime(start, form)

    return make


def _seat(name: str) -> Callable[[WinView], pa.ChunkedArray]:
    return lambda view: view.tables["seats"][name].take(pa.array(view.seat))


def _round(name: str) -> Callable[[WinView], pa.ChunkedArray]:
    return lambda view: view.tables["rounds"][name].take(pa.array(view.round))


def _circumstance(name: str) -> Callable[[WinView], pa.ChunkedArray]:
    return lambda view: view.tables["circumstances"][name]


def _wind(column: Callable[[WinView], pa.ChunkedArray]) -> Callable[[WinView], pa.ChunkedArray]:
    return lambda view: pa.chunked_array([pa.array(WINDS)]).take(column(view).combine_chunks())


def _is_rated_higher(view: WinView) -> pa.Array:
    seats = view.tables["seats"]
    game = game_rows(seats, view.tables["games"])
    rating = seats["rating"].to_numpy().astype(float)  # a missing one is NaN, and so is all that is made of it
    n, total = np.bincount(game), np.bincount(game, weights=rating)
    own = rating[view.seat]
    others = (total[view.game] - own) / (n[view.game] - 1)
    return pa.array(own > others, mask=np.isnan(others) | np.isnan(own))


def _limit(view: WinView) -> pa.Array:
    return pa.array(LIMIT_NAMES).take(pa.array(view.rescored.limit))


def _ruleset(view: WinView) -> pa.Array:
    return pa.array([rules.id for rules in view.rescored.rulesets]).take(pa.array(view.rescored.of))


_ALL = (
    Column("players", NUMBER, "Players at the table, 3 or 4.", _game("players")),
    Column("length", WORD, "Length of the game as the room was set.", _game("length"), ("east", "south")),
    Column("ruleset", WORD, "Ruleset the win is scored under.", _ruleset),
    Column("room", WORD, "The platform's name of the room; null if not recorded.", _game("room")),
    Column("lobby", NUMBER, "Lobby number; null if not recorded.", _game("lobby")),
    Column("source", WORD, "Format the game was read from.", _game("source")),
    Column("year", NUMBER, "Year the game began; null if unknown.", _started(None)),
    Column("month", WORD, "Month the game began, as 2024-01; null if unknown.", _started("%Y-%m")),
    Column("date", WORD, "Day the game began, as 2024-01-31; null if unknown.", _started("%Y-%m-%d")),
    Column("is_complete", FLAG, "The record holds the game to its end.", _game("is_complete")),
    Column("player", WORD, "The winner's name as recorded.", _seat("player")),
    Column("grade", NUMBER, "The winner's grade on the platform; null if not recorded.", _seat("grade")),
    Column("rating", NUMBER, "The winner's rating before the game; null if not recorded.", _seat("rating")),
    Column(
        "is_rated_higher",
        FLAG,
        "The winner is rated above the mean of the others at the table; null if a rating is not recorded.",
        _is_rated_higher,
    ),
    Column("seat", NUMBER, "The winner's seat, 0-3, 0 deals first.", _seat("seat")),
    Column("round_wind", WORD, "Wind of the round.", _wind(_round("wind")), WINDS),
    Column("seat_wind", WORD, "The winner's wind.", _wind(_circumstance("seat_wind")), WINDS),
    Column("honba", NUMBER, "Counters on the table.", _round("honba")),
    Column("turn", NUMBER, "Own discards of the winner, plus one on a self-draw.", _circumstance("turn")),
    Column("is_dealer", FLAG, "The winner dealt.", lambda view: view.rescored.hands.is_dealer),
    Column("is_open", FLAG, "With a chi, pon or open kan.", lambda view: ~view.rescored.hands.is_closed),
    Column("is_riichi", FLAG, "In riichi, double riichi included.", _circumstance("is_riichi")),
    Column("is_tsumo", FLAG, "Won by self-draw.", lambda view: view.rescored.hands.is_tsumo),
    Column("han", NUMBER, "Han, dora included; 0 for a yakuman.", lambda view: view.rescored.han),
    Column("fu", NUMBER, "Fu.", lambda view: view.rescored.fu),
    Column("points", NUMBER, "Points without honba and sticks.", lambda view: view.rescored.points),
    Column("limit", WORD, "Limit, none below mangan.", _limit, LIMIT_NAMES),
)
COLUMNS: Mapping[str, Column] = {column.name: column for column in _ALL}
