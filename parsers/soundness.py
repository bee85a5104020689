"""Whether the files of a store fit each other, found from their keys and the columns that others are looked up by.

A store is consistent whenever its writer dies; what is found here was done to it from outside. An analysis asks
before it reads a part, so that nothing is computed from half of it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import NoReturn

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .errors import StoreError
from .schema import RANGES, TABLES
from .store import MADE_BY, OPTIONAL, Part, Store, remedy

_WIN = ("game", "round_no", "winner")


def check_store(store: Store, needs: Collection[str] = ()) -> None:
    """Ask whether every part has its games and the tables that belong to them, and the optional ones of `needs`.

    Raises
    ------
    StoreError
        One has not; it names the file, and what to do.
    """
    if lost := store.lost_numbers():
        file = store.part(lost[0]).file("games")
        raise StoreError(f"{file}: no such file, though other tables have that part; ingest the logs again")
    for part in store.parts():
        _check_files(part, needs)


def check_part(part: Part, needs: Collection[str] = (), *, but: Collection[str] = ()) -> Part:
    """The part, where its tables are there and fit each other, those of `but` aside, which are to be made anew.

    Of what commands make from the others nothing is asked here, as it stops nobody who does not read it.

    Raises
    ------
    StoreError
        A table is missing, a row names what another table does not hold, or a value is outside the range of its
        column; it names the file, and what to do.
    """
    _check_files(part, needs)
    kept = [name for name in TABLES if name in part and name not in (*MADE_BY, *but)]
    tables = {name: part.table(name, _asked(name)) for name in kept}
    for name, table in tables.items():
        _check_ranges(part, name, table)
    _check_keys(part, tables)
    return part


def _check_files(part: Part, needs: Collection[str]) -> None:
    for name in TABLES:
        if name not in part and (name in needs or name not in OPTIONAL):
            _refuse(part, name, "no such file")


def _refuse(part: Part, name: str, reason: str) -> NoReturn:
    part.check_in_force()
    file = part.file(name)
    raise StoreError(f"{file}: {reason}; {remedy(file)}")


def _asked(name: str) -> list[str]:
    """The columns of a table that are looked at: of the largest the keys alone, for what this costs."""
    if name == "actions":
        return ["game", "round_no"]
    columns = (column for column in TABLES[name].names if not column.startswith("hand_"))
    return [column for column in columns if column in RANGES or column in ("game", "n_rounds", "end")]


def _check_ranges(part: Part, name: str, table: pa.Table) -> None:
    for column in table.column_names:
        if column not in RANGES:
            continue
        values = table[column]
        if pa.types.is_list(values.type):
            values = pc.list_flatten(values)
        least, most = RANGES[column]
        found = pc.min_max(values).as_py()
        for value in found.values():
            if value is not None and not least <= value <= most:
                _refuse(part, name, f"{column} is {value} somewhere, expected {least}-{most}")


def _check_keys(part: Part, tables: Mapping[str, pa.Table]) -> None:
    games, rounds, wins = tables["games"], tables["rounds"], tables["wins"]
    order = np.argsort(games["game"].to_numpy(), kind="stable")
    ids = games["game"].to_numpy()[order]
    if (ids[1:] == ids[:-1]).any():
        _refuse(part, "games", "a game stands in it twice")

    def of_round(name: str, rows: np.ndarray | slice = slice(None)) -> np.ndarray:
        """A number for the round of each row."""
        game, round_no = (tables[name][column].to_numpy()[rows] for column in ("game", "round_no"))
        return _rows(part, name, game, ids, "games") << 15 | round_no

    def of_win(name: str) -> np.ndarray:
        return of_round(name) << 2 | tables[name]["winner"].to_numpy()

    seats = _rows(part, "seats", tables["seats"]["game"].to_numpy(), ids, "games")
    if (np.bincount(seats, minlength=len(ids)) != games["players"].to_numpy()[order]).any():
        _refuse(part, "seats", "does not hold a row for each player of each game")
    played = of_round("rounds")
    by_round = np.argsort(played, kind="stable")
    known = played[by_round]
    n_rounds = np.bincount(known >> 15, minlength=len(ids))
    if (known[1:] == known[:-1]).any() or (n_rounds != games["n_rounds"].to_numpy()[order]).any():
        _refuse(part, "rounds", "does not hold just the rounds that the table games counts")
    is_won = pc.equal(rounds["end"].combine_chunks().cast(pa.string()), "win").to_numpy(zero_copy_only=False)[by_round]
    for name in (name for name in tables if name not in ("games", "seats", "rounds", "rejects")):
        there = _rows(part, name, of_round(name, _first_rows(tables[name])), known, "rounds")
        if name in ("wins", "draws"):
            has = np.zeros(len(known), bool)
            has[there] = True
            if (has != (is_won if name == "wins" else ~is_won)).any():
                _refuse(part, name, "does not hold just the rounds that end so by the table rounds")
    won = np.sort(of_win("wins"))
    if (won[1:] == won[:-1]).any():
        _refuse(part, "wins", "a win stands in it twice")
    _rows(part, "win_yaku", of_win("win_yaku"), won, "wins")
    if "circumstances" in tables and not tables["circumstances"].select(_WIN).equals(wins.select(_WIN)):
        _refuse(part, "circumstances", "does not tell of just the wins of the table wins")


def _rows(part: Part, name: str, keys: np.ndarray, known: np.ndarray, of: str) -> np.ndarray:
    """Where each key of a table stands among the known ones, which ascend and are those of another table."""
    at = np.searchsorted(known, keys)
    if (np.append(known, -1)[at] != keys).any() or (at == len(known)).any():
        _refuse(part, name, f"a row belongs to nothing that the table {of} holds")
    return at


def _first_rows(table: pa.Table) -> np.ndarray:
    """The rows that are of another round than the row before: of few the key is sought."""
    game, round_no = table["game"].to_numpy(), table["round_no"].to_numpy()
    differs = (game[1:] != game[:-1]) | (round_no[1:] != round_no[:-1])
    return np.flatnonzero(np.append(len(game) > 0, differs))
