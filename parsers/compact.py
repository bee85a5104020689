"""A store grown in steps, made into what one ingest of all its files would have made."""

from __future__ import annotations

import bisect
import itertools
import os
import uuid
from collections import OrderedDict
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from .schema import TABLES
from .store import BATCH_GAMES, MADE_BY, SHARED, Part, Store, Writer, shared_rows, write_table

_KEPT_BYTES = 256 << 20  # of old parts, while they are sorted into new ones


def compact(
    store: Store | str | os.PathLike, *, batch: int = BATCH_GAMES, progress: Callable[[int, int], object] | None = None
) -> bool:
    """Sort a store by path and merge its parts; whether there was anything to do.

    Afterwards every table holds the rows, in the order, that one ingest of the same files would give: which of
    several equal plays is the first is settled anew. Of the tables that commands make a new part holds those that tell
    of all of its games; the same command makes them of the other parts again. Readers see the old parts or the new
    ones, nothing between; a compaction that is stopped leaves the old ones. It needs as much room again as the store
    takes, and memory of about 200 bytes a game.

    Parameters
    ----------
    batch : int
        Games in one part.
    progress
        Called with the parts written so far and the number of all.

    Raises
    ------
    StoreError
        No store, or another process is writing to it.
    """
    store = store if isinstance(store, Store) else Store(store)
    with store.writing() as writer:
        parts = list(store.parts())
        plan = _Plan(parts, batch)
        if plan.is_done:
            return False
        files: list[dict[str, Path]] = [{} for _ in plan.groups]
        names = sorted({name for part in parts for name in part}, key=lambda name: (name in SHARED, name))
        used: dict[str, list[pa.Array]] = {name: [] for name in SHARED}
        for at, name in enumerate(names):
            for number, table in _tables(name, parts, plan, used):
                files[number][name] = _written(table, writer)
                if progress is not None:
                    progress(at * len(files) + number + 1, len(names) * len(files))
        writer.exchange((group, {}) for group in files)
    return True


class _Plan:
    """Which game goes where.

    Attributes
    ----------
    game, part_of : arrays
        All games in their new order, and the index of the part that holds each.
    duplicate_of : Arrow array
        Of the games in their new order.
    groups : list of slices
        Of the games in their new order, one for each new part.
    ends : list of str
        The sort key of the last path of each new part.
    """

    def __init__(self, parts: list[Part], batch: int):
        tables = [part.table("games", ["game", "path", "play_hash", "n_rounds", "duplicate_of"]) for part in parts]
        games = pa.concat_tables(tables) if tables else TABLES["games"].empty_table()
        sizes = [len(table) for table in tables]
        key = _sort_key(games["path"])
        order = pc.sort_indices(key).to_numpy()  # stable: games of one file stay in its order
        game, play, n_rounds = (games[name].to_numpy()[order] for name in ("game", "play_hash", "n_rounds"))
        self.game = game
        self.part_of = np.repeat(np.arange(len(parts)), sizes)[order]
        self.duplicate_of = _duplicates(game, play, n_rounds)
        starts = range(0, max(len(game), 1), batch)
        self.groups = [slice(start, min(start + batch, len(game))) for start in starts]
        self.ends = [key[int(order[group.stop - 1])].as_py() for group in self.groups if group.stop]
        rejected = _sort_key(_rejects(parts)["path"])
        self.is_done = (
            _is_ascending(order)
            and _is_ascending(pc.sort_indices(rejected).to_numpy())
            and games["duplicate_of"].combine_chunks().equals(self.duplicate_of)
            and all(size + next_ > batch for size, next_ in itertools.pairwise(sizes))
        )


def _is_ascending(order: np.ndarray) -> bool:
    return bool((order[1:] > order[:-1]).all())


def _rejects(parts: list[Part]) -> pa.Table:
    return pa.concat_tables([TABLES["rejects"].empty_table(), *(part["rejects"] for part in parts)])


def _sort_key(path: pa.ChunkedArray) -> pa.ChunkedArray:
    """`path_order` of a column."""
    for separator, replacement in ((os.sep, "\0"), ("/", "\0"), ("!", "\1")):
        path = pc.replace_substring(path, separator, replacement)
    return path


def _duplicates(game: np.ndarray, play: np.ndarray, n_rounds: np.ndarray) -> pa.Array:
    """`duplicate_of` of games in their order; a game without rounds is no play and nobody's duplicate."""
    rows = np.flatnonzero(n_rounds)
    _, first, of = np.unique(play[rows], return_index=True, return_inverse=True)
    first = rows[first][of]
    duplicate_of = np.zeros(len(game), np.int64)
    duplicate_of[rows] = game[first]
    is_null = np.ones(len(game), bool)
    is_null[rows] = first == rows
    return pa.array(duplicate_of, mask=is_null)


def _tables(
    name: str, parts: list[Part], plan: _Plan, used: dict[str, list[pa.Array]]
) -> Iterator[tuple[int, pa.Table]]:
    """One table of each new part that holds it, with the index of the part; `used` gains the keys of shared tables."""
    if name == "rejects":
        yield from enumerate(_reject_tables(parts, plan))
    elif name not in SHARED:
        for number, table in _game_tables(name, parts, plan):
            for shared in (one for one, user in SHARED.items() if user == name):
                used[shared].append(table[TABLES[shared].names[0]].unique())
            yield number, table
    elif used[name]:
        yield 0, shared_rows(name, (part[name] for part in parts), pa.concat_arrays(used[name]))


def _game_tables(name: str, parts: list[Part], plan: _Plan) -> Iterator[tuple[int, pa.Table]]:
    kept = _Kept(name, parts)
    for number, group in enumerate(plan.groups):
        holders = np.unique(plan.part_of[group])
        if name in MADE_BY and not all(name in parts[at] for at in holders):
            continue
        ids = pa.array(plan.game[group])
        pieces = [TABLES[name].empty_table()]
        for at in holders:
            table = kept.table(int(at))
            pieces.append(table.filter(pc.is_in(table["game"], ids)))
        table = pa.concat_tables(pieces, promote_options="permissive").unify_dictionaries()
        place = pc.index_in(table["game"], ids).to_numpy()
        table = table.take(np.argsort(place, kind="stable")).combine_chunks()
        if name == "games":
            at = table.schema.get_field_index("duplicate_of")
            table = table.set_column(at, table.schema.field(at), plan.duplicate_of[group.start : group.stop])
        yield number, table


def _reject_tables(parts: list[Part], plan: _Plan) -> Iterator[pa.Table]:
    """The rejects, each in the part of the games whose paths are around its own."""
    rejects = _rejects(parts)
    key = _sort_key(rejects["path"])
    order = pc.sort_indices(key)
    rejects = rejects.take(order)
    keys = key.take(order).to_pylist()
    starts = [0, *(bisect.bisect_right(keys, end) for end in plan.ends[:-1]), len(keys)]
    for start, stop in itertools.pairwise(starts):
        yield rejects.slice(start, stop - start)


class _Kept:
    """Old parts of one table, those last used kept in memory."""

    def __init__(self, name: str, parts: list[Part]):
        self._name, self._parts = name, parts
        self._tables: OrderedDict[int, pa.Table] = OrderedDict()
        self._bytes = 0

    def table(self, at: int) -> pa.Table:
        if at in self._tables:
            self._tables.move_to_end(at)
            return self._tables[at]
        table = self._tables[at] = self._parts[at][self._name]
        self._bytes += table.nbytes
        while self._bytes > _KEPT_BYTES and len(self._tables) > 1:
            self._bytes -= self._tables.popitem(last=False)[1].nbytes
        return table


def _written(table: pa.Table, writer: Writer) -> Path:
    file = writer.aside / uuid.uuid4().hex
    write_table(table, file)
    return file
