"""Engines as resident processes: loaded once, then asked in turn for one chunk of work at a time.

All share one processor. Only the engine that was asked runs; the others wait for their pipe, so each chunk is timed as
if the engine were alone, and whatever else disturbs the machine disturbs all of them alike.
"""

from __future__ import annotations

import os
import time
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from multiprocessing import get_context
from pathlib import Path

ONE_THREAD = {
    **dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "ARROW_IO_THREADS"), "1"),
    "OMP_THREAD_LIMIT": "1",
    "JAX_PLATFORMS": "cpu",
    "XLA_FLAGS": "--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1",
}


@dataclass(frozen=True)
class Work:
    """Where an engine finds what it works on, all of it under one folder.

    Attributes
    ----------
    hands : tuple of str
        The sets of wins: `<name>-wins.parquet` and `<name>-circumstances.parquet`, each win once.
    n_hands : int
        Wins of a chunk of the engines that score whole columns.
    scale : float
        Factor on the size of all other chunks.
    has_games : bool
        Whether there are logs, single files in the folder `games`.
    """

    folder: Path
    hands: tuple[str, ...]
    n_hands: int
    scale: float = 1.0
    has_games: bool = False

    def chunk(self, usual: int, available: int) -> int:
        return max(1, min(round(usual * self.scale), available))

    def logs(self) -> list[tuple[str, bytes]]:
        return [(str(path), path.read_bytes()) for path in sorted((self.folder / "games").iterdir())]


@dataclass
class Task:
    """One kind of work of an engine.

    `run` does a chunk and returns how many units that was; `before` is called ahead of it and not timed.
    """

    run: Callable[[], int]
    before: Callable[[], object] = lambda: None


@dataclass
class Engine:
    """What an engine module's `load` returns: tasks by name, and points of each win by set of wins.

    Points are what the winner gets without honba and sticks, 0 without a yaku, None where the engine gives none.
    """

    tasks: dict[str, Task] = field(default_factory=dict)
    points: dict[str, Callable[[], list[int | None]]] = field(default_factory=dict)


def rotation(items: list, size: int) -> Iterator[list]:
    """Slices of `size` items, round and round."""
    start = 0
    while True:
        chosen = items[start : start + size]
        if len(chosen) < size:
            chosen = chosen + items[: size - len(chosen)]
        yield chosen
        start = (start + size) % len(items)


def over(items: list, size: int, function: Callable[[list], object]) -> Task:
    """A task that gives `function` the next `size` items each time."""
    chunks = rotation(items, size)

    def run() -> int:
        chunk = next(chunks)
        function(chunk)
        return len(chunk)

    return Task(run)


@dataclass(frozen=True)
class Timing:
    units: int
    wall: float
    cpu: float


class EngineError(RuntimeError):
    """An engine failed in its own process."""


class Resident:
    """An engine in a process of its own; `module` is its module in benchmarks.engines."""

    def __init__(self, module: str, work: Work, cpu: int | None):
        context = get_context("spawn")
        self.module = module
        self._pipe, theirs = context.Pipe()
        self._process = context.Process(target=_serve, args=(theirs, module, work, cpu), daemon=True)
        self._process.start()
        theirs.close()
        self.tasks, self.sets = self._answer()

    def run(self, task: str) -> Timing:
        return Timing(*self._ask("run", task))

    def points(self, hands: str) -> list[int | None]:
        return self._ask("points", hands)

    def close(self) -> None:
        self._pipe.close()
        self._process.join(10)

    def _ask(self, *request: str):
        self._pipe.send(request)
        return self._answer()

    def _answer(self):
        try:
            is_fine, answer = self._pipe.recv()
        except EOFError:
            raise EngineError(f"{self.module}: its process ended") from None
        if not is_fine:
            raise EngineError(f"{self.module}: {answer}")
        return answer


def _serve(pipe, module: str, work: Work, cpu: int | None) -> None:
    pin(cpu)
    try:
        engine: Engine = import_module(f".engines.{module}", __package__).load(work)
        pipe.send((True, (tuple(engine.tasks), tuple(engine.points))))
        while True:
            try:
                kind, name = pipe.recv()
            except EOFError:
                return
            if kind == "points":
                pipe.send((True, engine.points[name]()))
                continue
            task = engine.tasks[name]
            task.before()
            wall, own = time.perf_counter(), time.process_time()
            units = task.run()
            pipe.send((True, (units, time.perf_counter() - wall, time.process_time() - own)))
    except Exception:
        pipe.send((False, traceback.format_exc(limit=-3)))


def pin(cpu: int | None) -> None:
    """Keep this process, and those it starts, on one processor and to one thread."""
    os.environ.update(ONE_THREAD)
    if cpu is not None and hasattr(os, "sched_setaffinity"):
        os.sched_setaffinity(0, {cpu})


def installed(distribution: str) -> str | None:
    """The version of a distribution, None if it is not installed."""
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None
