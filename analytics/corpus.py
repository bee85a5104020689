"""Where games come from: a store, or logs read on the spot; and work over the parts, on one core or several."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from parsers import ingest as _ingest
from parsers.schema import TABLES
from parsers.soundness import check_part, check_store
from parsers.store import OPTIONAL, Store, is_store

from .circumstances import circumstances

Result = TypeVar("Result")
Parts = Store | Iterable[Mapping[str, pa.Table]]
Source = Parts | str | Path | Sequence[str | Path]
"""A store, its folder, logs, or tables of one part or of several."""
DERIVED = {"circumstances": circumstances}
"""Tables that analytics makes from the others while logs are read."""


def ingest(paths: str | Path | Iterable[str | Path], store: str | Path | Store, **options) -> _ingest.IngestSummary:
    """Read logs into a store, circumstances included; options as for `parsers.ingest.ingest`."""
    return _ingest.ingest(paths, store, derive=DERIVED, **options)


def read(paths: str | Path | Iterable[str | Path], *, walls: bool = False) -> dict[str, pa.Table]:
    """The tables of logs, or of a store, in memory: each by its name, circumstances among them.

    What could not be read stands in `rejects`. For more games than memory holds, ingest them into a store.
    """
    with opened(paths, walls=walls) as store:
        _check(store)
        held = store.table_names()
        return {name: store.table(name) for name in TABLES if name in held or name not in OPTIONAL}


@contextlib.contextmanager
def opened(source: str | Path | Store | Iterable[str | Path], **options) -> Iterator[Store]:
    """The store that is named, or logs read into one that is gone afterwards.

    Raises
    ------
    parsers.errors.StoreError
        The folder looks like a store and cannot be read as one.
    parsers.files.InputError
        A path does not exist.
    """
    if isinstance(source, Store):
        yield source
        return
    paths = [source] if isinstance(source, (str, Path)) else list(source)
    if is_of_store(paths):
        yield Store(paths[0])
        return
    with tempfile.TemporaryDirectory(prefix="koyaku-") as folder:
        store = Store.create(Path(folder) / "store")
        ingest(paths, store, **options)
        yield store


@contextlib.contextmanager
def opened_parts(source: Source, *, workers: int = 1) -> Iterator[Parts]:
    """The parts of a source; what is only named is open meanwhile.

    Raises
    ------
    TypeError
        It is none.
    parsers.errors.StoreError, parsers.files.InputError
        As `opened`, or the store lacks what belongs to one.
    """
    if is_named(source) or isinstance(source, Store):
        with opened(source, workers=workers) as store:
            check_store(store, DERIVED)
            yield store
    elif isinstance(source, Iterable):
        yield [source] if isinstance(source, Mapping) else source
    else:
        raise TypeError(f"expected a store, paths, or tables as koyaku.read gives them; not {type(source).__name__}")


def is_of_store(paths: Sequence[str | Path]) -> bool:
    """Whether paths name a store, and not logs."""
    return len(paths) == 1 and is_store(paths[0])


def is_named(source: Source) -> bool:
    """Whether it is paths, of a store or of logs, that are still to be opened."""
    first = source[0] if isinstance(source, list | tuple) and source else source
    return isinstance(first, (str, Path))


def each_part(parts: Parts, function: Callable, *, workers: int = 1) -> Iterable:
    """The function of each part of a store, or of tables at hand."""
    return map_parts(parts, function, workers=workers) if isinstance(parts, Store) else map(function, parts)


@contextlib.contextmanager
def opened_tables(source: Source) -> Iterator[Mapping[str, pa.Table]]:
    """All that wins are scored from, in memory: the tables at hand, or those of the source, its parts in one."""
    if isinstance(source, Mapping):
        yield source
        return
    names = [name for name in TABLES if name not in OPTIONAL or name in DERIVED]
    with opened_parts(source) as parts:
        if isinstance(parts, Store):
            _check(parts)
            yield {name: parts.table(name) for name in names}
        else:
            held = list(parts)
            yield {name: pa.concat_tables([one[name] for one in held]).unify_dictionaries() for name in names}


def _check(store: Store) -> None:
    check_store(store, DERIVED)
    for part in store.parts():
        check_part(part, DERIVED)


def map_parts(
    store: Store,
    function: Callable[[Mapping[str, pa.Table]], Result],
    *,
    workers: int = 1,
    executor: Executor | None = None,
    progress: Callable[[int], object] | None = None,
) -> Iterator[Result]:
    """The function of each part, in the order of the parts whatever the number of workers.

    With several workers the function is sent to other processes, so it must be picklable; `executor` runs it
    elsewhere, a Dask client's included.

    Raises
    ------
    parsers.errors.StoreError
        A part lacks a table, or its tables do not fit each other.
    """
    if not isinstance(store, Store):
        raise TypeError(f"expected a Store, as koyaku.opened gives one; not {type(store).__name__}")
    check_store(store, DERIVED)
    numbers = store.part_numbers()
    work = partial(_of_part, store.path, function)
    with contextlib.ExitStack() as stack:
        if executor is None and workers > 1 and len(numbers) > 1:
            executor = stack.enter_context(ProcessPoolExecutor(workers, mp_context=get_context("spawn")))
        results = map(work, numbers) if executor is None else executor.map(work, numbers)
        for done, result in enumerate(results, start=1):
            if progress is not None:
                progress(done)
            yield result


def _of_part(path: Path, function: Callable[[Mapping[str, pa.Table]], Result], number: int) -> Result:
    return function(check_part(Store(path).part(number), DERIVED))
