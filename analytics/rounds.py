"""Columns of a part by round and seat, as the tables hold them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from parsers.schema import ACTION_KINDS, codes

from .scoring import tiles

_CALLS = tuple(ACTION_KINDS.index(kind) for kind in ("chi", "pon", "daiminkan"))
_KANS = tuple(ACTION_KINDS.index(kind) for kind in ("daiminkan", "ankan", "kakan"))
_DISCARD, _ACCEPTED = ACTION_KINDS.index("discard"), ACTION_KINDS.index("riichi_accepted")
_ROUNDS_PER_GAME = 1 << 15
_IS_SIMPLE = tiles.SIMPLES & tiles.BIT_OF_TILE != 0


def round_rows(table: pa.Table, rounds: pa.Table) -> np.ndarray:
    """For each row of a table keyed by (game, round_no), its row in `rounds`."""
    games = pc.unique(rounds["game"])

    def key(keyed: pa.Table) -> np.ndarray:
        game = pc.index_in(keyed["game"], games).to_numpy().astype(np.int64)
        return game * _ROUNDS_PER_GAME + keyed["round_no"].to_numpy()

    known = key(rounds)
    order = np.argsort(known, kind="stable")
    return order[np.searchsorted(known[order], key(table))]


def game_rows(table: pa.Table, games: pa.Table) -> np.ndarray:
    """For each row of a table keyed by game, its row in `games`."""
    return pc.index_in(table["game"], games["game"].combine_chunks()).to_numpy().astype(np.int64)


def play_order(rounds: pa.Table, games: pa.Table) -> tuple[np.ndarray, np.ndarray]:
    """The rows of `rounds` game by game in the order of play, and which of these are the first of their game."""
    game = game_rows(rounds, games)
    order = np.lexsort((numbers(rounds["round_no"]), game))
    return order, np.diff(game[order], prepend=-1) != 0


def by_seat(table: pa.Table, prefix: str, missing: int | bool = 0) -> np.ndarray:
    """The four columns of a per-seat value as one array (n, 4)."""
    return np.stack([table[f"{prefix}_{seat}"].fill_null(missing).to_numpy() for seat in range(4)], axis=1)


def numbers(column: pa.ChunkedArray, missing: int = 0) -> np.ndarray:
    """A whole-number column as int64, nulls replaced."""
    return column.fill_null(missing).to_numpy().astype(np.int64)


def riichi_sticks(tables: Mapping[str, pa.Table]) -> np.ndarray:
    """Sticks put down in each round by each seat, int64 (n_rounds, 4)."""
    actions, rounds = tables["actions"], tables["rounds"]
    accepted = actions.filter(pa.array(codes(actions["kind"], ACTION_KINDS) == _ACCEPTED))
    made = np.zeros((rounds.num_rows, 4), np.int64)
    np.add.at(made, (round_rows(accepted, rounds), numbers(accepted["seat"])), 1)
    return made


def ends_with_added_kan(tables: Mapping[str, pa.Table]) -> np.ndarray:
    """Whether the last kan each seat made in a round was an added one, bool (n_rounds, 4)."""
    actions, rounds = tables["actions"], tables["rounds"]
    kans = actions.filter(pa.array(np.isin(codes(actions["kind"], ACTION_KINDS), _KANS)))
    kans = kans.take(np.argsort(numbers(kans["seq"]), kind="stable"))
    is_added = np.zeros((rounds.num_rows, 4), bool)
    is_added[round_rows(kans, rounds), numbers(kans["seat"])] = codes(kans["kind"], ACTION_KINDS) == _KANS[-1]
    return is_added


@dataclass(frozen=True)
class Rivers:
    """What each seat's discards of each round come to, bool (n_rounds, 4).

    Attributes
    ----------
    is_yaochuu : the seat discarded, and nothing but terminals and honours
    was_called : another player called one of its discards
    is_open : it called a tile itself
    """

    is_yaochuu: np.ndarray
    was_called: np.ndarray
    is_open: np.ndarray


def rivers(tables: Mapping[str, pa.Table]) -> Rivers:
    """The rivers of all rounds of a part."""
    actions, rounds = tables["actions"], tables["rounds"]
    kind = codes(actions["kind"], ACTION_KINDS)
    row, seat = round_rows(actions, rounds), numbers(actions["seat"], -1)
    tile = numbers(actions["tile"])
    is_discard, is_call = kind == _DISCARD, np.isin(kind, _CALLS)
    discarded, spoilt, was_called, is_open = (np.zeros((rounds.num_rows, 4), bool) for _ in range(4))
    discarded[row[is_discard], seat[is_discard]] = True
    is_simple = is_discard & _IS_SIMPLE[tile]
    spoilt[row[is_simple], seat[is_simple]] = True
    was_called[row[is_call], numbers(actions["from_seat"])[is_call]] = True
    is_open[row[is_call], seat[is_call]] = True
    return Rivers(discarded & ~spoilt, was_called, is_open)
