"""Where games come from: a store, or logs read on the spot; and work over the parts, on one core or several."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping
from concurrent.futures import Executor, ProcessPoolExecutor
from functools import partial
from multiprocessing import get_context
from pathlib import Path
from typing import TypeVar

import pyarrow as pa

from parsers import ingest as _ingest
from parsers.schema import TABLES
from parsers.store import MARKER, OPTIONAL, Store

from .circumstances import circumstances

Result = TypeVar("Result")
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
        is_asked_for = {name for name in OPTIONAL if name not in DERIVED}
        return {name: store.table(name) for name in TABLES if name not in is_asked_for or store.n_rows(name)}


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
    if len(paths) == 1 and (Path(paths[0]) / MARKER).exists():
        yield Store(paths[0])
        return
    with tempfile.TemporaryDirectory(prefix="koyaku-") as folder:
        store = Store.create(Path(folder) / "store")
        ingest(paths, store, **options)
        yield store


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
    """
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
    return function(Store(path).part(number))
