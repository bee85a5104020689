"""From log files to a store, in batches.

The parent walks the files in their order, leaves out what is stored already, and hands batches to workers. A
worker turns a batch into tables and lays them aside as Parquet; the parent takes the batches back in order,
settles which game is whose duplicate, and puts each part in place. What is stored therefore does not
depend on the number of workers, and an ingest that was stopped is completed by running it again.
"""

from __future__ import annotations

import concurrent.futures
import contextlib
import hashlib
import importlib
import itertools
import multiprocessing
import multiprocessing.connection
import os
import pickle
import signal
import threading
import uuid
from collections import Counter, deque
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import BrokenExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .compact import compact
from .errors import StoreError
from .files import log_files, path_order
from .schema import REJECTS, TABLES, conform
from .sniff import source_of, unknown_format
from .soundness import check_part, check_store
from .store import BATCH_GAMES, OPTIONAL, SHARED, Kept, Part, Store, Writer, shared_rows, write_table

__all__ = ["IngestSummary", "compact", "ingest", "rederive"]

BATCH_BYTES = 32 << 20

Derive = Mapping[str, Callable[[Mapping[str, pa.Table]], pa.Table]]


@dataclass
class IngestSummary:
    """What an ingest did."""

    files: int = 0  # looked at, members of archives counted singly
    games: int = 0  # added
    stored: int = 0  # left out: the same bytes are stored already, or came earlier in this run
    duplicates: int = 0  # added, but the same play as another game
    rounds: int = 0
    wins: int = 0
    rejects: Counter[str] = field(default_factory=Counter)  # by reason, whether new or known from an earlier run
    parts: int = 0
    behind: list[str] = field(default_factory=list)  # tables of the store that do not tell of all games, at the end

    def copy(self) -> IngestSummary:
        return replace(self, rejects=self.rejects.copy())


def ingest(
    paths: str | os.PathLike | Iterable[str | os.PathLike],
    store: Store | str | os.PathLike,
    *,
    workers: int = 1,
    batch: int = BATCH_GAMES,
    batch_bytes: int = BATCH_BYTES,
    walls: bool = False,
    derive: Derive | None = None,
    progress: Callable[[IngestSummary], object] | None = None,
    executor: concurrent.futures.Executor | None = None,
) -> IngestSummary:
    """Read logs into a store, which is made if there is none.

    A game whose bytes are stored already is left out; the same play from other bytes is stored and marked
    `duplicate_of`. A game whose bytes are met again under a path that sorts before its own is kept under that path,
    as if all files had been read at once. A file that cannot be read, or a part of one, becomes one row of
    `rejects`; what an earlier run said about the file is replaced. Stopped at any moment, the store is
    consistent, and the same call again completes it.

    Parameters
    ----------
    paths
        Files, folders, globs, archives: see `log_files`.
    workers : int
        Processes. The result is the same for any number.
    batch, batch_bytes : int
        Files, and bytes of them, in one part.
    walls : bool
        Whether to keep the walls that follow from recorded seeds.
    derive : mapping of table name to function
        Tables made from the others of a batch, in the worker; the functions must be picklable.
    progress
        Called with the summary so far after each batch.
    executor : concurrent.futures.Executor, optional
        Runs the batches instead of own processes; it must see the store's folder. `workers` then says how
        many batches it runs at once.

    Raises
    ------
    InputError
        A path does not exist or a pattern matches nothing; nothing is stored then.
    StoreError
        The store cannot be written, or another process is writing to it.
    """
    if workers < 1 or batch < 1 or batch_bytes < 1:
        raise ValueError("workers, batch and batch_bytes are at least 1")
    derive = _checked(derive)
    files = log_files(paths)
    store = store if isinstance(store, Store) else Store.create(store)
    with store.writing() as writer, contextlib.ExitStack() as stack:
        job = _Job(writer.aside, walls, derive)
        if workers > 1 or executor is not None:
            _check_picklable(job)
        known = _Known(store, writer.next_number)
        summary = IngestSummary()
        waiting: deque = deque()
        batches = _batches(files, known, summary, batch, batch_bytes)
        first = list(itertools.islice(batches, 2))  # a single batch is not worth a process
        submit = stack.enter_context(_pool(workers if len(first) == 2 else 1, executor))

        def take_back() -> None:
            items, decoded = waiting.popleft()
            _commit(items, decoded.result(), known, writer, summary)
            if progress is not None:
                progress(summary.copy())

        try:
            for items in itertools.chain(first, batches):
                if not items:
                    if progress is not None:
                        progress(summary.copy())
                    continue
                logs = [(item.path, item.data) for item in items if item.data is not None]
                waiting.append((items, (submit if logs else _done)(_decode, job, logs)))
                while len(waiting) > 2 * workers or (waiting and waiting[0][1].done()):
                    take_back()
            while waiting:
                take_back()
        finally:
            for _, future in waiting:
                future.cancel()
    summary.behind = store.behind()
    return summary


def rederive(
    store: Store | str | os.PathLike,
    derive: Derive,
    *,
    parts: Sequence[int] | None = None,
    needs: Collection[str] = (),
    workers: int = 1,
    progress: Callable[[int], object] | None = None,
    executor: concurrent.futures.Executor | None = None,
) -> int:
    """Make derived tables anew from what is stored, without the logs, of all parts or of some; how many parts.

    Parameters as for `ingest`; `needs` are optional tables that the functions read; `progress` is called with the
    number of parts done. A part is replaced as a whole, and a run that was stopped is completed by the same call
    again. Of shared tables rows are added before anything names them, and those that nothing names any more are
    dropped at the end.

    Raises
    ------
    StoreError
        A part lacks a table, or its tables do not fit each other; else as for `ingest`.
    """
    derive = _checked(derive)
    if kept := [name for name in derive if name not in OPTIONAL]:
        raise ValueError(f"derive: table {kept[0]!r} is read from logs, not derived")
    store = store if isinstance(store, Store) else Store(store)
    check_store(store, needs)
    with store.writing() as writer, contextlib.ExitStack() as stack:
        numbers = store.part_numbers() if parts is None else parts
        job = _Job(writer.aside, False, derive)
        if workers > 1 or executor is not None:
            _check_picklable(job)
        submit = stack.enter_context(_pool(workers if len(numbers) > 1 else 1, executor))
        is_all = set(store.part_numbers()) <= set(numbers)
        held: dict[str, pa.Table] = {}
        waiting: deque = deque()
        todo = iter(numbers)
        for done, number in enumerate(numbers, start=1):
            for next_ in itertools.islice(todo, 2 * workers - len(waiting)):
                waiting.append(submit(_derived, job, store.part(next_), needs))
            files, shared = waiting.popleft().result()
            for name, table in shared.items():
                known = held[name] if name in held else _shared(store, name, is_all=is_all)
                held[name] = shared_rows(name, [table, known])
                if len(held[name]) > len(known):
                    writer.share(name, held[name])
            for name, file in files.items():
                writer.place(number, name, file)
            if progress is not None:
                progress(done)
        for name, table in held.items():
            writer.share(name, shared_rows(name, [table], _used(store, name)))
    return len(numbers)


def _derived(job: _Job, part: Part, needs: Collection[str]) -> tuple[dict[str, Path], dict[str, pa.Table]]:
    """The tables of a part as files laid aside, and its rows of shared tables."""
    tables, made = Kept(check_part(part, needs, but=job.derive)), {}
    for name, function in job.derive.items():
        result = function(tables)
        made |= result if isinstance(result, Mapping) else {name: result}
        tables.make(made)
    made = {name: conform(table, TABLES[name]) for name, table in made.items()}
    files = {name: _laid_aside(name, table, job) for name, table in made.items() if name not in SHARED}
    return files, {name: table for name, table in made.items() if name in SHARED}


def _shared(store: Store, name: str, *, is_all: bool) -> pa.Table:
    """The rows of a shared table as they stand; damaged ones are none where all are made anew."""
    try:
        return shared_rows(name, (part[name] for part in store.parts()))
    except StoreError:
        if not is_all:
            raise
        return TABLES[name].empty_table()


def _used(store: Store, name: str) -> pa.Array:
    """The keys of a shared table that the store's parts name."""
    key = TABLES[name].names[0]
    return pa.concat_arrays([part.table(SHARED[name], [key])[key].unique() for part in store.parts()])


def _laid_aside(name: str, table: pa.Table, job: _Job) -> Path:
    file = job.aside / f"{name}-{uuid.uuid4().hex}"
    write_table(table, file)
    return file


def _checked(derive: Derive | None) -> dict:
    derive = dict(derive or {})
    if unknown := [name for name in derive if name not in TABLES]:
        raise ValueError(f"derive: no table {unknown[0]!r}; known: {', '.join(TABLES)}")
    return derive


def _check_picklable(job: _Job) -> None:
    try:
        pickle.dumps(job)
    except (pickle.PicklingError, AttributeError, TypeError) as error:
        raise ValueError(f"derive: a function that cannot be sent to workers: {error}") from None


# -- the parent: files to batches --------------------------------------------------------------------------------


@dataclass(slots=True)
class _Item:
    """A file of a batch: what it holds, or why it holds nothing, or that its content was met before."""

    path: str
    data: bytes | None = None
    reason: str | None = None
    digest: int | None = None

    @property
    def is_twin(self) -> bool:
        """The same bytes came earlier in this run, or are stored."""
        return self.data is None and self.reason is None


def _game_id(data: bytes) -> int:
    """The `game` of a log that is one game."""
    return int.from_bytes(hashlib.sha256(data).digest()[:8], "big", signed=True)


def _batches(
    files: Iterable[tuple[str, bytes | str]], known: _Known, summary: IngestSummary, batch: int, batch_bytes: int
) -> Iterator[list[_Item]]:
    """The files that need work, in order; an empty batch now and then when there are none.

    What needs work depends on the store as it was and on the files before, never on how far the workers are.
    """
    items: list[_Item] = []
    size = 0
    for path, found in files:
        summary.files += 1
        if isinstance(found, str):
            items.append(_Item(path, reason=found))
        elif known.meets(digest := _game_id(found)):
            items.append(_Item(path, digest=digest))
        elif (kept := known.path_before(digest)) is not None and path_order(kept) <= path_order(path):
            if path in known.rejected:
                items.append(_Item(path, digest=digest))
            else:
                summary.stored += 1
        else:
            items.append(_Item(path, data=found, digest=digest))
            size += len(found)
        if len(items) >= batch or size >= batch_bytes:
            yield items
            items, size = [], 0
        elif not items and summary.files % BATCH_GAMES == 0:
            yield []
    if items:
        yield items


# -- the worker: a batch to tables -------------------------------------------------------------------------------


@dataclass(frozen=True)
class _Job:
    aside: Path
    walls: bool
    derive: dict


@dataclass
class _Decoded:
    """A batch as the worker returns it: the small tables themselves, the others as files laid aside."""

    games: pa.Table
    rejects: pa.Table
    files: dict[str, Path]


def _decode(job: _Job, logs: Sequence[tuple[str, bytes]]) -> _Decoded:
    tables = _tables(job, logs)
    files = {name: _laid_aside(name, tables[name], job) for name in tables if name not in ("games", "rejects")}
    return _Decoded(tables["games"], tables["rejects"], files)


def _tables(job: _Job, logs: Sequence[tuple[str, bytes]]) -> dict[str, pa.Table]:
    """The tables of some logs, in the order of the logs.

    A reader turns every broken log into a reject. Should one fail all the same, the logs that it fails on are
    found by halving, and cost no other; but what fails on every log is no log's fault.
    """
    try:
        return _tables_at_once(job, logs)
    except (ImportError, MemoryError):
        raise
    except Exception as error:
        failed: list[tuple[str, str | None, str]] = []
        pieces = _halved(job, logs, error, failed)
        if len(failed) == len(logs) > 1:
            raise
        return _in_order(_joined([*pieces, {**_tables_at_once(job, []), "rejects": _reject_rows(failed)}]), logs)


def _halved(
    job: _Job, logs: Sequence[tuple[str, bytes]], error: Exception, failed: list[tuple[str, str | None, str]]
) -> list[dict[str, pa.Table]]:
    """The tables of logs that cannot be read together; those that cannot be read alone go to `failed`."""
    if len(logs) == 1:
        path, data = logs[0]
        failed.append((path, source_of(data), f"Koyaku failed on it: {type(error).__name__}: {error}"))
        return []
    pieces = []
    for half in (logs[: len(logs) // 2], logs[len(logs) // 2 :]):
        try:
            pieces.append(_tables_at_once(job, half))
        except Exception as its_error:
            pieces += _halved(job, half, its_error, failed)
    return pieces


def _tables_at_once(job: _Job, logs: Sequence[tuple[str, bytes]]) -> dict[str, pa.Table]:
    by_source: dict[str, list[tuple[str, bytes]]] = {}
    unknown = []
    for path, data in logs:
        source = source_of(data)
        if source is None:
            unknown.append((path, None, unknown_format(data)))
        else:
            by_source.setdefault(source, []).append((path, data))
    kept = [name for name in TABLES if name not in OPTIONAL or (job.walls and name == "walls")]
    pieces = []
    for source, its_logs in by_source.items():
        tables = _reader(source)(its_logs, walls=job.walls)
        pieces.append({name: conform(tables[name], TABLES[name]) for name in kept})
    if unknown or not pieces:
        pieces.append({name: TABLES[name].empty_table() for name in kept} | {"rejects": _reject_rows(unknown)})
    tables = pieces[0] if len(pieces) == 1 else _in_order(_joined(pieces), logs)
    tables = _each_game_once(tables)
    for name, function in job.derive.items():
        tables[name] = conform(function(dict(tables)), TABLES[name])
    return tables


def _reader(source: str) -> Callable[..., dict[str, pa.Table]]:
    return importlib.import_module(f".{source}", __package__).read


def _joined(pieces: Sequence[dict[str, pa.Table]]) -> dict[str, pa.Table]:
    return {
        name: pa.concat_tables([piece[name] for piece in pieces]).unify_dictionaries().combine_chunks()
        for name in pieces[0]
    }


def _in_order(tables: dict[str, pa.Table], logs: Sequence[tuple[str, bytes]]) -> dict[str, pa.Table]:
    """The rows of all tables in the order of the logs."""
    place = pa.array([path for path, _ in logs], pa.string())
    games = _sorted_by(tables["games"], pc.index_in(tables["games"]["path"], place))
    ordered = {"games": games, "rejects": _sorted_by(tables["rejects"], pc.index_in(tables["rejects"]["path"], place))}
    ids = games["game"].combine_chunks()
    for name, table in tables.items():
        if name not in ordered:
            ordered[name] = _sorted_by(table, pc.index_in(table["game"], ids))
    return {name: ordered[name] for name in tables}


def _sorted_by(table: pa.Table, key: pa.ChunkedArray) -> pa.Table:
    key = key.to_numpy()
    if len(key) < 2 or (key[1:] >= key[:-1]).all():
        return table
    return table.take(np.argsort(key, kind="stable"))


def _each_game_once(tables: dict[str, pa.Table]) -> dict[str, pa.Table]:
    """The tables without games that stand in the batch twice; the first stays.

    Equal bytes give equal rows, so the first half of a game's rows (of three: the first third) is the first.
    """
    ids, times = np.unique(tables["games"]["game"].to_numpy(), return_counts=True)
    if (times == 1).all():
        return tables
    again = dict(zip(ids[times > 1].tolist(), times[times > 1].tolist(), strict=True))
    return {name: table.filter(pa.array(_is_first(table, again))) for name, table in tables.items()}


def _is_first(table: pa.Table, again: dict[int, int]) -> np.ndarray:
    first = np.ones(len(table), bool)
    game = table["game"].fill_null(0).to_numpy()
    is_null = table["game"].is_null().to_numpy()
    for repeated, times in again.items():
        rows = np.flatnonzero((game == repeated) & ~is_null)
        first[rows[len(rows) // times :]] = False
    return first


def _reject_rows(rows: Iterable[tuple[str, str | None, str]]) -> pa.Table:
    """Rejects of whole files: (path, source, reason)."""
    return pa.Table.from_pylist(
        [
            {"path": path, "source": source, "game": None, "round_no": None, "place": "", "reason": reason}
            for path, source, reason in rows
        ],
        schema=REJECTS,
    )


# -- the parent: tables to a part --------------------------------------------------------------------------------


def _commit(items: list[_Item], decoded: _Decoded, known: _Known, writer: Writer, summary: IngestSummary) -> None:
    """Put one batch into the store: what is new of it, and what it changes about earlier parts.

    The new part first. If the process dies before the earlier parts are changed, the next run finds the same
    changes to make.
    """
    games, moved = known.new_games(decoded.games)
    whole, partial = _rejects(items, decoded, known)
    is_new = pc.is_in(partial["game"], games["game"].combine_chunks())
    fresh, outdated = known.new_rejects(items, whole)
    rejects = _by_item(items, [fresh, partial.filter(is_new)])

    summary.games += len(games)
    summary.duplicates += len(games) - games["duplicate_of"].null_count
    summary.stored += len(decoded.games) - len(games)
    summary.stored += sum(item.is_twin and not known.failed.get(item.digest) for item in items)
    for reason in [*whole["reason"].to_pylist(), *partial.filter(is_new)["reason"].to_pylist()]:
        summary.rejects[reason.partition(":")[0]] += 1

    if len(games) or len(rejects):
        files = _files_of(games, decoded, writer.aside)
        summary.rounds += pq.read_metadata(files["rounds"]).num_rows
        summary.wins += pq.read_metadata(files["wins"]).num_rows
        number = writer.add(files, {"rejects": rejects, "games": games})
        known.add(number, games, fresh)
        summary.parts += 1
    else:
        for file in decoded.files.values():
            file.unlink()
    for number, paths in outdated.items():
        _drop_rejects(writer, number, paths)
    for number, rows in moved.items():
        _move_games(writer, number, decoded.games.take(rows), partial)
        known.forget_paths(number)


def _rejects(items: list[_Item], decoded: _Decoded, known: _Known) -> tuple[pa.Table, pa.Table]:
    """What the batch could not read: where nothing was kept, and inside of games that were."""
    is_whole = pc.is_null(decoded.rejects["game"])
    whole, partial = decoded.rejects.filter(is_whole), decoded.rejects.filter(pc.invert(is_whole))
    known.note_failed(items, whole)
    unread = _reject_rows((item.path, None, item.reason) for item in items if item.reason is not None)
    twins = [
        dict(zip(_REJECT, (item.path, *row), strict=True))
        for item in items
        if item.is_twin
        for row in known.failed.get(item.digest, ())
    ]
    return _by_item(items, [whole, unread, pa.Table.from_pylist(twins, schema=REJECTS)]), partial


def _by_item(items: list[_Item], rejects: Sequence[pa.Table]) -> pa.Table:
    table = pa.concat_tables(rejects)
    return _sorted_by(table, pc.index_in(table["path"], pa.array([item.path for item in items], pa.string())))


def _files_of(games: pa.Table, decoded: _Decoded, aside: Path) -> dict[str, Path]:
    """The tables that the worker laid aside, with the rows of these games only."""
    if len(games) == len(decoded.games):
        return decoded.files
    ids = games["game"].combine_chunks()
    for file in decoded.files.values():
        table = pq.read_table(file)
        write_table(table.filter(pc.is_in(table["game"], ids)), file)
    return decoded.files


def _drop_rejects(writer: Writer, number: int, paths: set[str]) -> None:
    """Take the rows about these paths as wholes out of a part."""
    rejects = writer.store.part(number)["rejects"]
    is_outdated = pc.and_(pc.is_in(rejects["path"], pa.array(sorted(paths))), pc.is_null(rejects["game"]))
    writer.replace(number, "rejects", rejects.filter(pc.invert(is_outdated)))


def _move_games(writer: Writer, number: int, moved: pa.Table, partial: pa.Table) -> None:
    """Stored games, met again under paths that sort before theirs, get the rows they would have had from there."""
    part = writer.store.part(number)
    ids = moved["game"].combine_chunks()
    rejects = part["rejects"]
    others = rejects.filter(pc.invert(pc.fill_null(pc.is_in(rejects["game"], ids), False)))
    theirs = partial.filter(pc.is_in(partial["game"], ids))
    theirs = theirs.filter(pc.is_in(theirs["path"], moved["path"].combine_chunks()))
    writer.replace(number, "rejects", pa.concat_tables([others, theirs]))

    games = part["games"]
    row_of = {game: row for row, game in enumerate(games["game"].to_pylist())}
    source = np.arange(len(games))
    for row, game in enumerate(ids.to_pylist()):
        source[row_of[game]] = len(games) + row
    changed = pa.concat_tables([games, moved]).unify_dictionaries().take(source)
    kept = changed.schema.get_field_index("duplicate_of")
    writer.replace(number, "games", changed.set_column(kept, changed.schema.field(kept), games["duplicate_of"]))


# -- what is known ------------------------------------------------------------------------------------------------


class _Index:
    """A map from int64 to int64 that takes 16 bytes an entry: sorted arrays, and a dict of what came since."""

    def __init__(self, keys: np.ndarray, values: np.ndarray):
        order = np.argsort(keys, kind="stable")
        self._keys, self._values = keys[order], values[order]
        self._recent: dict[int, int] = {}

    def get(self, key: int) -> int | None:
        if (value := self._recent.get(key)) is not None:
            return value
        at = int(self._keys.searchsorted(key))
        return int(self._values[at]) if at < len(self._keys) and self._keys[at] == key else None

    def put(self, key: int, value: int) -> None:
        self._recent[key] = value
        if len(self._recent) > max(1 << 17, len(self._keys) // 8):
            keys = np.fromiter(self._recent.keys(), np.int64, len(self._recent))
            values = np.fromiter(self._recent.values(), np.int64, len(self._recent))
            self.__init__(np.concatenate([self._keys, keys]), np.concatenate([self._values, values]))


class _Known:
    """What is stored and what came in this run, as far as the next files depend on it."""

    def __init__(self, store: Store, first_new: int):
        self._store, self._first_new = store, first_new
        self._came = _Index(np.zeros(0, np.int64), np.zeros(0, np.int64))
        # Where nothing was kept: by digest what was wrong in this run, by path what is stored, part first.
        self.failed: dict[int, list[tuple]] = {}
        self.rejected: dict[str, list[tuple]] = {}
        self._paths: dict[int, dict[int, str]] = {}  # part → game → path, of the parts last asked for
        games, numbers, plays, firsts = [], [], [], []
        for part in store.parts():
            table = part.table("games", ["game", "play_hash", "n_rounds", "duplicate_of"])
            game = table["game"].to_numpy()
            is_first = table["duplicate_of"].is_null().to_numpy() & (table["n_rounds"].to_numpy() > 0)
            games.append(game)
            numbers.append(np.full(len(game), part.number))
            plays.append(table["play_hash"].to_numpy()[is_first])
            firsts.append(game[is_first])
            self._note_rejects(part.number, part["rejects"])
        none = [np.zeros(0, np.int64)]
        self._part_of = _Index(np.concatenate(games or none), np.concatenate(numbers or none))
        self._first_of = _Index(np.concatenate(plays or none), np.concatenate(firsts or none))

    def meets(self, digest: int) -> bool:
        """Whether these bytes came before in this run; from now on they did."""
        if self._came.get(digest) is not None:
            return True
        self._came.put(digest, 1)
        return False

    def path_before(self, game: int) -> str | None:
        """The path of a game that was stored before this run."""
        number = self._part_of.get(game)
        return None if number is None or number >= self._first_new else self.stored_path(game)

    def stored_path(self, game: int) -> str | None:
        """The path a stored game was read from."""
        number = self._part_of.get(game)
        if number is None:
            return None
        if number not in self._paths:
            while len(self._paths) >= 64:
                del self._paths[next(iter(self._paths))]
            table = self._store.part(number).table("games", ["game", "path"])
            self._paths[number] = dict(zip(*(column.to_pylist() for column in table.columns), strict=True))
        return self._paths[number][game]

    def forget_paths(self, number: int) -> None:
        self._paths.pop(number, None)

    def new_games(self, games: pa.Table) -> tuple[pa.Table, dict[int, list[int]]]:
        """The games that are not stored yet, with `duplicate_of`, and by part the rows of those to be moved."""
        new, firsts, moved = [], [], {}
        columns = zip(*(games[name].to_pylist() for name in ("game", "play_hash", "n_rounds", "path")), strict=True)
        for row, (game, play, n_rounds, path) in enumerate(columns):
            if (kept := self.stored_path(game)) is not None:
                if path_order(path) < path_order(kept):
                    moved.setdefault(self._part_of.get(game), []).append(row)
                continue
            new.append(row)
            first = self._first_of.get(play) if n_rounds else None
            firsts.append(first)
            if first is None and n_rounds:
                self._first_of.put(play, game)
        at = games.schema.get_field_index("duplicate_of")
        games = games.take(pa.array(new, pa.int64()))
        return games.set_column(at, games.schema.field(at), pa.array(firsts, pa.int64())), moved

    def note_failed(self, items: list[_Item], whole: pa.Table) -> None:
        """Remember by their bytes the files that were read to no game, for others with the same bytes."""
        digest = {item.path: item.digest for item in items if item.data is not None}
        for path, *row in _reject_tuples(whole):
            self.failed.setdefault(digest[path], []).append(tuple(row))

    def new_rejects(self, items: list[_Item], whole: pa.Table) -> tuple[pa.Table, dict[int, set[str]]]:
        """The rejects that are not stored yet, and by part the paths about which it says what is no longer so."""
        found: dict[str, list[tuple]] = {}
        for path, *rest in _reject_tuples(whole):
            found.setdefault(path, []).append(tuple(rest))
        outdated: dict[int, set[str]] = {}
        known = set()
        for item in items:
            stored = self.rejected.get(item.path)
            if stored is None:
                continue
            if [tuple(rest) for _, *rest in stored] == found.get(item.path, []):
                known.add(item.path)
                continue
            for number, *_ in self.rejected.pop(item.path):
                outdated.setdefault(number, set()).add(item.path)
        return whole.filter(pc.invert(pc.is_in(whole["path"], pa.array(sorted(known), pa.string())))), outdated

    def add(self, number: int, games: pa.Table, rejects: pa.Table) -> None:
        """Note what a new part holds."""
        for game in games["game"].to_pylist():
            self._part_of.put(game, number)
        self._note_rejects(number, rejects)

    def _note_rejects(self, number: int, rejects: pa.Table) -> None:
        for path, *rest in _reject_tuples(rejects.filter(pc.is_null(rejects["game"]))):
            self.rejected.setdefault(path, []).append((number, *rest))


_REJECT = ("path", "source", "round_no", "place", "reason")


def _reject_tuples(rejects: pa.Table) -> Iterator[tuple]:
    return zip(*(rejects[name].to_pylist() for name in _REJECT), strict=True)


# -- processes ---------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def _pool(workers: int, executor: concurrent.futures.Executor | None) -> Iterator[Callable]:
    """A `submit` function."""
    with contextlib.ExitStack() as stack:
        if executor is None and workers > 1:
            spawn = multiprocessing.get_context("spawn")  # a fork would copy the locks of Arrow's threads
            executor = concurrent.futures.ProcessPoolExecutor(workers, spawn, _begin_worker)
            stack.callback(executor.shutdown, wait=True, cancel_futures=True)
        try:
            yield _done if executor is None else executor.submit
        except BrokenExecutor:
            raise StoreError(
                "a worker process died; what was done before is stored, and the same call goes on from there "
                "(a script that starts workers needs `if __name__ == '__main__':`)"
            ) from None


def _done(function: Callable, *arguments) -> concurrent.futures.Future:
    future: concurrent.futures.Future = concurrent.futures.Future()
    future.set_result(function(*arguments))
    return future


def _begin_worker() -> None:
    """An interruption is the parent's to handle, and no worker outlives it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    parent = multiprocessing.parent_process()

    def end_with_parent() -> None:
        multiprocessing.connection.wait([parent.sentinel])
        os._exit(1)

    threading.Thread(target=end_with_parent, daemon=True).start()
