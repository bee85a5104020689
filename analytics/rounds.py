"""Columns of a part by round and seat, as the tables hold them."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from parsers.schema import ACTION_KINDS, codes

from .scoring import tiles

_CALLS = tuple(ACTION_KINDS.index(kind) for kind in ("chi", "pon", "daiminkan"))
_DISCARD, _ACCEPTED = ACTION_KINDS.index("discard"), ACTION_KINDS.index("riichi_accepted")
_ROUNDS_PER_GAME = 1 << 15


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


def nagashi_seats(tables: Mapping[str, pa.Table]) -> np.ndarray:
    """Seats whose discards were all terminals and honours, none of them called, bool (n_rounds, 4).

    Whether the round was drawn is not asked here.
    """
    actions, rounds = tables["actions"], tables["rounds"]
    kind = codes(actions["kind"], ACTION_KINDS)
    row, seat = round_rows(actions, rounds), numbers(actions["seat"], -1)
    tile = numbers(actions["tile"])
    is_discard = kind == _DISCARD
    is_simple = np.array([bool(tiles.SIMPLES >> tiles.U64(k) & tiles.U64(1)) for k in tiles.KIND_OF_TILE.tolist()])
    discards, broken = (np.zeros((rounds.num_rows, 4), bool) for _ in range(2))
    discards[row[is_discard], seat[is_discard]] = True
    spoilt = is_discard & is_simple[tile]
    broken[row[spoilt], seat[spoilt]] = True
    called = np.isin(kind, _CALLS)
    broken[row[called], numbers(actions["from_seat"])[called]] = True
    return discards & ~broken
