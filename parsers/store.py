"""A store: a folder of plain Parquet, one subfolder of parts per table.

    store/
      koyaku.json                 what this folder is, and which parts are in force
      games/part-00000000.parquet
      seats/part-00000000.parquet
      …                           a part number stands for the same games in every table

`SHARED` tables are not cut into parts: the first part in force holds them for the whole store.

A part is there when its file in `games` is: that file is put in place last, and whatever has no games part
is passed over. So a store is consistent at every moment, whenever its writer dies. Anything that reads
Parquet reads a store; `game` joins its tables, and part names sort in the order of ingest.
"""

from __future__ import annotations

import contextlib
import json
import os
import re
import shutil
import tempfile
import threading
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from .errors import StoreError, nearest, system_reason
from .schema import SCHEMA_VERSION, TABLES

MARKER = "koyaku.json"
_NEW_MARKER = f".{MARKER}."  # while it is written
LOCK = ".lock"
ASIDE = ".aside"  # what is being written

BATCH_GAMES = 2000  # in one part
KEYS = ("game", "round_no", "seq")

# Kept only where asked for (`walls`) or where a function makes them (`circumstances`).
OPTIONAL = ("circumstances", "walls", "scores", "yaku_sets", "chances")

MADE_BY = {"chances": "koyaku chances {}", "scores": "koyaku score {}", "yaku_sets": "koyaku score {}"}
"""Commands that write a table from the others alone, into the parts that lack it or, with --again, into all."""

_ANEW = "remove {} and ingest the logs again"

SHARED = {"yaku_sets": "scores"}
"""Tables whose rows belong to no one game, and the table that names them by the first column of theirs.

The first part holds them for the whole store, each key once, so that whoever joins the two by name joins rightly.
"""

_PART = re.compile(r"part-(\d{8})\.parquet")


def is_store(path: str | os.PathLike) -> bool:
    """Whether this is the folder of a store, or of one that has lost its marker."""
    return (Path(path) / MARKER).is_file() or any(_numbers(Path(path) / name) for name in TABLES)


def part_name(number: int) -> str:
    return f"part-{number:08}.parquet"


class Part(Mapping[str, pa.Table]):
    """The tables of one batch of games, each read when asked for."""

    def __init__(self, store: Store, number: int):
        self._store, self.number = store, number

    def __repr__(self) -> str:
        return f"Part({str(self._store.path)!r}, {self.number})"

    def __iter__(self) -> Iterator[str]:
        return (name for name in TABLES if self.file(name).exists())

    def __contains__(self, name: object) -> bool:
        return name in TABLES and self.file(name).exists()

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, name: str) -> pa.Table:
        return self.table(name)

    def table(self, name: str, columns: Iterable[str] | None = None) -> pa.Table:
        """One table of the part, or some of its columns; a table the part does not hold has no rows."""
        wanted = _wanted(name, columns)
        return _filled(self._read(name, wanted), wanted)

    def n_rows(self, name: str) -> int:
        """Rows of one table, from the file's footer alone."""
        _wanted(name, None)
        file = self.file(name)
        with _readable(file):
            return pq.read_metadata(file).num_rows if file.exists() else 0

    def file(self, name: str) -> Path:
        """Where a table of the part stands, or would."""
        return self._store.path / name / part_name(self.number)

    def _read(self, name: str, wanted: pa.Schema) -> pa.Table | None:
        place = self.file(name)
        try:
            with _readable(place), pq.ParquetFile(place, memory_map=False) as file:
                there = set(file.schema_arrow.names)
                return file.read([column for column in wanted.names if column in there], use_threads=False)
        except FileNotFoundError:
            self.check_in_force()
            return None

    def check_in_force(self) -> None:
        """Ask whether the part is still one of the store's, where a file of it is missing.

        Raises
        ------
        StoreError
            It has been replaced since.
        """
        if self.number not in self._store.part_numbers():
            raise StoreError(f"{self._store.path}: the store was changed while it was read; read it again") from None


class Kept(Mapping[str, pa.Table]):
    """The tables of a part, each read once, and tables made beside them or in their place.

    A table is read when it is first asked for: a damaged one stops nobody who does not.
    """

    def __init__(self, part: Part):
        self._part, self._held = part, {}

    def __iter__(self) -> Iterator[str]:
        return (name for name in TABLES if name in self._held or name in self._part)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __getitem__(self, name: str) -> pa.Table:
        if name not in self._held:
            self._held[name] = self._part[name]
        return self._held[name]

    def make(self, tables: Mapping[str, pa.Table]) -> None:
        """Have these tables from now on."""
        self._held |= tables


@contextlib.contextmanager
def _readable(file: Path) -> Iterator[None]:
    """A damaged file is named, with the command that makes it anew where one does."""
    try:
        yield
    except FileNotFoundError:
        raise
    except (pa.ArrowException, OSError) as error:
        if getattr(error, "errno", None):  # of the system, not of the content
            raise StoreError(f"{file}: {os.strerror(error.errno)}") from None
        reason = str(error).strip().rstrip(".:")
        raise StoreError(f"{file}: not readable as Parquet: {reason}; {remedy(file)}") from None


def remedy(file: Path) -> str:
    """What to do about a damaged or missing file of a store."""
    table, store = file.parent.name, file.parent.parent
    if table in MADE_BY:
        return f"'{MADE_BY[table].format(store)} --again' makes it anew"
    return _ANEW.format(store)


def completion(table: str, store: Path) -> str:
    """What to do about a table that some parts of a store hold and others lack."""
    same = ", with the rules as before," if table == "scores" else ""
    return f"'{MADE_BY[table].format(store)}'{same} adds the others"


class Store:
    """The tables of many games, on disk.

    Parameters
    ----------
    path : path
        A folder that `ingest` or `Store.create` made.

    Raises
    ------
    StoreError
        The folder is no store, or is one of a newer version of Koyaku.
    """

    def __init__(self, path: str | os.PathLike):
        self.path = Path(path)
        self._marker()

    def __repr__(self) -> str:
        return f"Store({str(self.path)!r})"

    @classmethod
    def create(cls, path: str | os.PathLike) -> Store:
        """The store at this path, made if there is none.

        Raises
        ------
        StoreError
            The path is a file, or a folder that holds other things, or nothing can be written there.
        """
        path = Path(path)
        if path.exists() and not path.is_dir():
            raise StoreError(f"{path}: is a file; a store is a folder")
        if not is_store(path):
            if path.exists() and any(not file.name.startswith(_NEW_MARKER) for file in path.iterdir()):
                raise StoreError(f"{path}: holds other things; a store needs a folder of its own")
            try:
                path.mkdir(parents=True, exist_ok=True)
                _write_marker(path, {"first": 0, "until": None})
            except OSError as error:
                raise StoreError(f"{path}: cannot be made a store: {system_reason(error)}") from None
        return cls(path)

    # -- reading

    def table(self, name: str, columns: Iterable[str] | None = None) -> pa.Table:
        """One whole table, or some of its columns, in the order of ingest.

        A column that an older part lacks reads as null. For stores larger than memory go through `parts`.

        Raises
        ------
        StoreError
            No such table or column, or games are stored but no part holds this table.
        """
        wanted = _wanted(name, columns)
        parts = list(self.parts())
        pieces = [piece for part in parts if (piece := part._read(name, wanted)) is not None]
        if parts and not pieces:
            how = f"'{MADE_BY[name].format(self.path)}'" if name in MADE_BY else "ingest, where asked for,"
            raise StoreError(f"{self.path}: holds no table {name!r}; {how} makes it")
        if not pieces:
            return wanted.empty_table()
        pieces = [_filled(piece, wanted) for piece in pieces]
        if any(piece.schema != wanted for piece in pieces):
            nullable = [any(piece.schema.field(at).nullable for piece in pieces) for at in range(len(wanted))]
            wanted = pa.schema(map(pa.Field.with_nullable, wanted, nullable), wanted.metadata)
            pieces = [piece.cast(wanted) for piece in pieces]
        return pa.concat_tables(pieces).unify_dictionaries()

    def parts(self) -> Iterator[Part]:
        """The batches of games, in the order of ingest; each is complete."""
        return (Part(self, number) for number in self.part_numbers())

    def table_names(self) -> list[str]:
        """The tables that at least one part holds."""
        held = {name for part in self.parts() for name in part}
        return [name for name in TABLES if name in held]

    def part(self, number: int) -> Part:
        """One batch of games by its number."""
        return Part(self, number)

    def part_numbers(self) -> list[int]:
        """Numbers of the parts in force, ascending."""
        return self._in_force("games", self._marker())

    def lost_numbers(self) -> list[int]:
        """Numbers of parts whose games are gone, ascending: other tables have them.

        A part behind the last one may just be written, or its writer may have died; it is none of these unless there
        is no other.
        """
        marker = self._marker()
        there = self._in_force("games", marker)
        numbers = {number for name in TABLES for number in self._in_force(name, marker)} - set(there)
        return sorted(number for number in numbers if not there or number < there[-1])

    def _in_force(self, table: str, marker: Mapping) -> list[int]:
        first, until = marker["first"], marker["until"]
        numbers = _numbers(self.path / table)
        return [number for number in numbers if number >= first and (until is None or number < until)]

    def n_rows(self, name: str) -> int:
        """Rows of one table, from the files' footers alone."""
        return sum(part.n_rows(name) for part in self.parts())

    def behind(self) -> list[str]:
        """Tables that a command made of some parts and that others lack: these came later, or were compacted."""
        parts = list(self.parts())
        holding = {name: sum(name in part for part in parts) for name in MADE_BY if name not in SHARED}
        return [name for name, n in holding.items() if 0 < n < len(parts)]

    def _marker(self) -> dict:
        """What the marker file says, checked."""
        try:
            marker = json.loads((self.path / MARKER).read_bytes())
            version, first, until = marker["koyaku_schema"], marker["first"], marker["until"]
            is_sound = isinstance(version, int) and isinstance(first, int) and isinstance(until, int | None)
        except (FileNotFoundError, NotADirectoryError):
            if is_store(self.path):
                raise StoreError(f"{self.path}: a store without its {MARKER}; {_ANEW.format(self.path)}") from None
            what = "no such folder" if not self.path.exists() else "not a store"
            raise StoreError(f"{self.path}: {what}; expected a folder with {MARKER}, as ingest makes it") from None
        except (ValueError, KeyError, TypeError):
            is_sound = False
        if not is_sound:
            raise StoreError(f"{self.path}: {MARKER} in it is damaged or none of Koyaku's")
        if version > SCHEMA_VERSION:
            raise StoreError(
                f"{self.path}: written with schema {version}, this Koyaku knows up to {SCHEMA_VERSION}; update Koyaku"
            )
        return marker

    # -- writing

    @contextlib.contextmanager
    def writing(self) -> Iterator[Writer]:
        """The right to write, held by one process at a time.

        What a writer that died left behind is cleared away first.

        Raises
        ------
        StoreError
            Another process is writing, or the folder cannot be written to.
        """
        with _locked(self.path):
            self._clear()
            try:
                aside = Path(tempfile.mkdtemp(dir=_made(self.path / ASIDE)))
                yield Writer(self, aside)
            except PermissionError as error:
                raise StoreError(f"{self.path}: no permission to write ({error.filename})") from None
            except BaseException:
                self._clear()
                raise
            finally:
                shutil.rmtree(self.path / ASIDE, ignore_errors=True)

    def _clear(self) -> None:
        """Remove what no reader sees: files laid aside, parts without games, parts not in force."""
        shutil.rmtree(self.path / ASIDE, ignore_errors=True)
        for file in self.path.glob(f"{_NEW_MARKER}*"):
            file.unlink(missing_ok=True)
        numbers = set(self.part_numbers())
        for name in ("games", *TABLES):  # games first: no part in force loses another table before it
            for number in set(_numbers(self.path / name)) - numbers:
                (self.path / name / part_name(number)).unlink(missing_ok=True)
        marker = self._marker()
        if marker["until"] is not None or marker["koyaku_schema"] != SCHEMA_VERSION:
            _write_marker(self.path, {"first": marker["first"], "until": None})


class Writer:
    """Puts parts into a store; made by `Store.writing`."""

    def __init__(self, store: Store, aside: Path):
        self.store, self.aside = store, aside
        numbers = store.part_numbers()
        self.next_number = max(numbers[-1] + 1 if numbers else 0, store._marker()["first"])

    def add(self, files: Mapping[str, Path], tables: Mapping[str, pa.Table]) -> int:
        """A new part from files laid aside and from tables, `games` among these; its number."""
        number = self.next_number
        written = dict(files)
        for name, table in tables.items():
            written[name] = self.aside / f"{name}-{number}"
            write_table(table, written[name])
        for name in sorted(written, key=lambda name: name == "games"):  # games last
            self.place(number, name, written[name])
        self.next_number += 1
        return number

    def replace(self, number: int, name: str, table: pa.Table) -> None:
        """Another content for one table of a part."""
        file = self.aside / f"replaced-{name}"
        write_table(table, file)
        self.place(number, name, file)

    def place(self, number: int, name: str, file: Path) -> None:
        """A file laid aside as one table of a part."""
        os.replace(file, _made(self.store.path / name) / part_name(number))

    def share(self, name: str, table: pa.Table) -> None:
        """Another content for a shared table."""
        first, *others = self.store.part_numbers()
        self.replace(first, name, table)
        for number in others:
            (self.store.path / name / part_name(number)).unlink(missing_ok=True)

    def exchange(self, parts: Iterable[tuple[Mapping[str, Path], Mapping[str, pa.Table]]]) -> None:
        """These parts instead of all there are, for readers of `Store` at one instant."""
        first, path = self.next_number, self.store.path
        old = self.store._marker()["first"]
        _write_marker(path, {"first": old, "until": first})
        for files, tables in parts:
            self.add(files, tables)
        _write_marker(path, {"first": first, "until": None})
        self.store._clear()


def shared_rows(name: str, tables: Iterable[pa.Table], used: pa.Array | None = None) -> pa.Table:
    """The rows of a shared table, those of each key from the first of the tables that has it, in order of the keys.

    With `used`, the keys in it alone.
    """
    key = TABLES[name].names[0]
    pieces = [TABLES[name].empty_table()]
    for table in tables:
        known = pa.concat_tables(pieces)[key].combine_chunks()
        pieces.append(table.filter(pc.invert(pc.is_in(table[key], known))))
    rows = pa.concat_tables(pieces)
    if used is not None:
        rows = rows.filter(pc.is_in(rows[key], used))
    return rows.take(np.argsort(rows[key].to_numpy(), kind="stable")).combine_chunks()


def write_table(table: pa.Table, file: str | os.PathLike) -> None:
    """One part of one table as a Parquet file, on the disk when this returns."""
    keys = [name for name in KEYS if name in table.column_names]
    others = [
        f"{field.name}.list.element" if pa.types.is_list(field.type) else field.name
        for field in table.schema
        if field.name not in keys
    ]
    pq.write_table(
        table,
        file,
        compression="zstd",
        use_dictionary=others,  # the keys rise and repeat, which compression alone makes as small
        write_statistics=keys,  # nobody looks for a range of tiles; a quarter faster
    )
    with open(file, "rb+") as written:
        os.fsync(written.fileno())


def _wanted(name: str, columns: Iterable[str] | None) -> pa.Schema:
    if name not in TABLES:
        raise StoreError(f"no table {name!r}{nearest(name, TABLES, lists=True)}")
    schema = TABLES[name]
    if columns is None:
        return schema
    columns = [columns] if isinstance(columns, str) else list(columns)
    for column in columns:
        if column not in schema.names:
            raise StoreError(f"table {name!r} has no column {column!r}{nearest(column, schema.names, lists=True)}")
    return pa.schema([schema.field(column) for column in columns], schema.metadata)


def _filled(table: pa.Table | None, schema: pa.Schema) -> pa.Table:
    """The table as the schema has it, nulls for columns it lacks."""
    if table is None:
        return schema.empty_table()
    fields, columns = [], []
    for field in schema:
        if field.name in table.column_names:
            column = table[field.name].cast(field.type)
        else:
            column = pa.chunked_array([pa.nulls(len(table), field.type)])
        columns.append(column)
        fields.append(field.with_nullable(field.nullable or column.null_count > 0))
    return pa.table(columns, schema=pa.schema(fields, schema.metadata))


def _numbers(folder: Path) -> list[int]:
    try:
        names = os.listdir(folder)
    except (FileNotFoundError, NotADirectoryError):
        return []
    return sorted(int(match[1]) for name in names if (match := _PART.fullmatch(name)))


def _made(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


def _write_marker(path: Path, state: Mapping[str, int | None]) -> None:
    file = path / f"{_NEW_MARKER}{os.getpid()}"
    file.write_text(json.dumps({"koyaku_schema": SCHEMA_VERSION, **state}) + "\n")
    os.replace(file, path / MARKER)


# -- one writer at a time --------------------------------------------------------------------------------------

_held: set[str] = set()
_held_guard = threading.Lock()


@contextlib.contextmanager
def _locked(path: Path) -> Iterator[None]:
    """The store's lock file, held until the end of the block or of the process, however it ends.

    The lock is the system's, not the file: a file that a dead process left is no lock.
    """
    place = os.path.realpath(path)
    with _held_guard:
        # A second lock of the same process would succeed, and its end would release the first.
        if place in _held:
            raise StoreError(f"{path}: this process is already writing to the store")
        _held.add(place)
    try:
        try:
            file = open(path / LOCK, "a+")  # noqa: SIM115
        except OSError as error:  # no permission, or nothing on the disk may be written
            raise StoreError(f"{path}: cannot write to the store: {system_reason(error)}") from None
        with file:
            if not _try_lock(file):
                file.seek(0)
                raise StoreError(f"{path}: {file.read().strip() or 'another process'} is writing to the store")
            file.truncate(0)
            file.write(f"process {os.getpid()} on {os.uname().nodename if hasattr(os, 'uname') else 'this machine'}")
            file.flush()
            yield
    finally:
        with _held_guard:
            _held.discard(place)


try:
    import fcntl
except ImportError:  # Windows
    import msvcrt

    def _try_lock(file) -> bool:
        file.seek(1 << 30)  # far behind the text, which others may read
        try:
            msvcrt.locking(file.fileno(), msvcrt.LK_NBLCK, 1)
        except OSError:
            return False
        return True

else:

    def _try_lock(file) -> bool:
        try:
            fcntl.lockf(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            return False
        return True
