"""From log files to a store: once, whole, in order, whatever happens on the way."""

from __future__ import annotations

import concurrent.futures
import gzip
import io
import multiprocessing
import os
import random
import shutil
import signal
import subprocess
import sys
import time
import zipfile
from collections import Counter
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from parsers import ingest as ingest_module
from parsers import sniff
from parsers.errors import StoreError
from parsers.files import InputError
from parsers.ingest import IngestSummary, compact, ingest, rederive
from parsers.store import ASIDE, Store
from tests import made_store
from tests.made_store import assert_consistent, content, dies_at, game_of, log, put, streaks

ROOT = Path(__file__).parents[1]
SHARED = Path(os.environ.get("KOYAKU_SHARED", ROOT.parent / "shared"))
HAS_LOGS = (SHARED / "logs" / "mjlog").exists()
SAMPLES = sorted((ROOT / "data_samples").glob("*.mjlog"))
FORK = "fork" in multiprocessing.get_all_start_methods()

every = pytest.mark.parametrize("every", [23, pytest.param(1, marks=pytest.mark.slow)])  # nth step
forks = pytest.mark.skipif(not FORK, reason="the made-up reader reaches another process by a fork only")


@pytest.fixture(autouse=True)
def made_up_reader(monkeypatch):
    monkeypatch.setattr(ingest_module, "_reader", lambda source: made_store.read)
    monkeypatch.setattr(os, "fsync", lambda number: None)  # no power is cut here


@pytest.fixture
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def workers(n: int) -> concurrent.futures.Executor:
    return concurrent.futures.ProcessPoolExecutor(n, multiprocessing.get_context("fork"))


# Plays repeat, bytes repeat, logs are bad, cut, empty and of no known format; broken ones repeat, too.
LOGS = (
    {f"a/{i:02}.xml": log(i % 7, i, **({"cut": 1} if i % 4 == 0 else {})) for i in range(12)}
    | {f"b/{i}.xml": log(i, i, **({"cut": 1} if i % 4 == 0 else {})) for i in range(3)}
    | {"b/bad.xml": log(1, bad="no such tile"), "b/empty.xml": b"", "b/junk.txt": b"junk", "c/also": b"junk"}
    | {"c/bad.xml": log(1, bad="no such tile"), "c/last.xml": log(99), "d/new.xml": log(99, "other bytes")}
    | {"d/three.xml": log(98, rounds=3)}
)
EXPECTED = IngestSummary(
    files=23,
    games=15,
    stored=3,
    duplicates=6,
    rounds=31,
    wins=31,
    rejects=Counter({"cut off": 3, "no such tile": 2, "the file is empty": 1, "unknown format": 2}),
    parts=4,
)


def test_a_folder_of_good_and_bad_logs_becomes_tables_and_reasons(here):
    put(here / "logs", LOGS)
    assert ingest("logs", "store", batch=6) == EXPECTED
    assert_consistent(Path("store"))
    games = content(Path("store"))["games"]
    assert [game["path"] for game in games] == [
        f"logs/{name}"
        for name, data in LOGS.items()
        if data.startswith(b"<mjloggm") and b"bad" not in data and not name.startswith("b/")
    ]
    assert [game["game"] for game in games] == [game_of(LOGS[game["path"].removeprefix("logs/")]) for game in games]
    first = {}
    for game in games:
        assert game["duplicate_of"] == first.get(game["play_hash"])
        first.setdefault(game["play_hash"], game["game"])
    rejects = content("store")["rejects"]
    assert {(row["path"].removeprefix("logs/"), row["reason"].partition(":")[0]) for row in rejects} == {
        *((f"a/{i:02}.xml", "cut off") for i in (0, 4, 8)),
        ("b/bad.xml", "no such tile"),
        ("b/empty.xml", "the file is empty"),
        ("b/junk.txt", "unknown format"),
        ("c/also", "unknown format"),
        ("c/bad.xml", "no such tile"),
    }


def test_the_same_call_again_changes_nothing(here):
    put(here / "logs", LOGS)
    ingest("logs", "store", batch=6)
    before, files = content("store"), sorted(Path("store").rglob("*"))
    again = ingest("logs", "store", batch=5)
    assert content("store") == before
    assert sorted(Path("store").rglob("*")) == files
    assert (again.files, again.games, again.stored, again.parts) == (23, 0, 18, 0)
    assert again.rejects == EXPECTED.rejects - Counter({"cut off": 3})


@pytest.mark.parametrize("batch", [4, 1000])
def test_the_rows_do_not_depend_on_the_size_of_a_batch(here, batch):
    put(here / "logs", LOGS)
    ingest("logs", "one", batch=6)
    ingest("logs", "other", batch=batch)
    assert content("other") == content("one")


@forks
def test_the_files_do_not_depend_on_the_number_of_workers(here):
    put(here / "logs", LOGS)
    ingest("logs", "one", batch=7, derive={"circumstances": streaks})
    for n in (2, 3):
        with workers(n) as executor:
            options = {"workers": n, "executor": executor, "derive": {"circumstances": streaks}}
            summary = ingest("logs", f"store{n}", batch=7, **options)
        assert summary.games == EXPECTED.games
        assert content(f"store{n}") == content("one")
        for file in Path("one").rglob("*.parquet"):
            assert pq.read_table(f"store{n}" / file.relative_to("one")).equals(pq.read_table(file)), file


def test_a_part_is_bounded_by_bytes_too(here):
    put(here / "logs", {f"{i}.xml": log(i) for i in range(6)})
    assert ingest("logs", "store", batch_bytes=2 * len(log(1))).parts == 3
    assert [len(part["games"]) for part in Store("store").parts()] == [2, 2, 2]


def test_growing_a_store_reads_what_is_new(here):
    put(here / "logs", LOGS)
    ingest(["logs/a", "logs/c"], "store")
    second = ingest("logs", "store")
    assert (second.games, second.stored) == (2, 16)
    assert_consistent(Path("store"))
    firsts = {game["play_hash"]: game["game"] for game in reversed(content("store")["games"])}
    for game in content("store")["games"]:
        assert game["duplicate_of"] in (None, firsts[game["play_hash"]])


def test_a_mistaken_path_stores_nothing_and_makes_no_store(here):
    put(here / "logs", LOGS)
    with pytest.raises(InputError, match=r"^nowhere: no such file or folder$"):
        ingest(["logs", "nowhere"], "store")
    assert not Path("store").exists()


def test_a_file_that_is_mended_loses_its_reject_and_one_that_breaks_otherwise_changes_it(here):
    put(here / "logs", {"a.xml": b"", "b.xml": log(1, bad="one"), "c.xml": log(2), "d.xml": b""})
    ingest("logs", "store")
    put(here / "logs", {"a.xml": log(3), "b.xml": log(1, bad="two"), "d.xml": log(2)})
    summary = ingest("logs", "store")
    assert (summary.games, summary.stored, summary.rejects) == (1, 2, Counter({"two": 1}))
    assert [(row["path"], row["reason"]) for row in content("store")["rejects"]] == [("logs/b.xml", "two")]
    assert_consistent(Path("store"))


def test_the_same_bytes_met_later_under_an_earlier_path_are_moved_there(here):
    put(here / "logs", {"a/1.xml": log(1, cut=1), "z/1.xml": log(1, cut=1), "m.xml": log(2)})
    ingest(["logs/z", "logs/m.xml"], "steps")
    ingest("logs", "steps")
    assert ingest("logs", "steps").parts == 0
    rows = content("steps")
    assert [(game["path"], game["source_id"]) for game in rows["games"]] == [
        ("logs/m.xml", "m.xml"),
        ("logs/a/1.xml", "1.xml"),
    ]
    assert [row["path"] for row in rows["rejects"]] == ["logs/a/1.xml"]
    ingest("logs", "once")
    compact("steps")
    assert content("steps") == content("once")


def test_broken_twins_are_told_one_by_one_and_good_ones_once(here):
    bad, good = log(1, bad="why"), log(2)
    put(here / "logs", {"1": bad, "2": bad, "3": good, "4": good, "5": bad})
    for batch in (1, 10):
        summary = ingest("logs", f"store{batch}", batch=batch)
        assert (summary.games, summary.stored, summary.rejects) == (1, 1, Counter(why=3))
        assert [row["path"] for row in content(f"store{batch}")["rejects"]] == ["logs/1", "logs/2", "logs/5"]


def test_only_bad_files_make_a_store_that_can_be_read(here):
    put(here / "logs", {"a": b"", "b": b"junk"})
    assert ingest("logs", "store").games == 0
    assert len(Store("store").table("rejects")) == 2
    assert len(Store("store").table("actions")) == 0
    assert ingest("logs", "store").parts == 0


def test_logs_in_archives_are_games_like_others_and_their_path_tells_the_archive(here):
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as archive:
        archive.writestr("x/2.xml", gzip.compress(log(2)))
        archive.writestr("1.xml", log(1))
        archive.writestr("bad", b"junk")
    put(here / "logs", {"old.zip": data.getvalue(), "z.xml": log(1)})
    summary = ingest("logs", "store")
    assert (summary.files, summary.games, summary.stored) == (4, 2, 1)
    assert [game["path"] for game in content("store")["games"]] == ["logs/old.zip!1.xml", "logs/old.zip!x/2.xml"]
    assert [row["path"] for row in content("store")["rejects"]] == ["logs/old.zip!bad"]


def test_walls_and_derived_tables_are_kept_where_asked_for(here):
    put(here / "logs", LOGS)
    ingest("logs", "plain")
    ingest("logs", "full", walls=True, derive={"circumstances": streaks})
    assert set(content("full")) - set(content("plain")) == {"walls", "circumstances"}
    wins = Store("full").table("wins", ["game", "round_no", "winner"]).to_pylist()
    assert Store("full").table("circumstances", ["game", "round_no", "winner"]).to_pylist() == wins


def twice(tables):
    made = streaks(tables)
    at = made.schema.get_field_index("turn")
    return made.set_column(at, made.schema.field(at), pa.array([7] * len(made), pa.int16()))


def test_a_derived_table_is_made_anew_without_the_logs(here):
    put(here / "logs", LOGS)
    ingest("logs", "derived", batch=6, derive={"circumstances": streaks})
    ingest("logs", "plain", batch=6)
    shutil.rmtree("logs")
    told = []
    assert rederive("plain", {"circumstances": streaks}, progress=told.append) == 4
    assert told == [1, 2, 3, 4]
    assert content("plain") == content("derived")
    rederive("plain", {"circumstances": twice})
    assert set(Store("plain").table("circumstances")["turn"].to_pylist()) == {7}
    assert_consistent(Path("plain"))
    with pytest.raises(ValueError, match=r"^derive: table 'wins' is read from logs, not derived$"):
        rederive("plain", {"wins": streaks})


def failing_derive(tables):
    if 3 in tables["games"]["play_hash"].to_pylist():
        raise ZeroDivisionError("three")
    return streaks(tables)


def test_a_log_that_koyaku_fails_on_costs_no_other(here):
    put(here / "logs", {f"{i}.xml": log(i) for i in range(6)} | {"5.xml": log(1, crash=1), "1": b"junk"})
    summary = ingest("logs", "store", derive={"circumstances": failing_derive})
    assert (summary.games, summary.rejects["Koyaku failed on it"]) == (4, 2)
    assert [(row["path"], row["reason"].partition("; ")[0]) for row in content("store")["rejects"]] == [
        ("logs/1", "unknown format: starts with b'junk'"),
        ("logs/3.xml", "Koyaku failed on it: ZeroDivisionError: three"),
        ("logs/5.xml", "Koyaku failed on it: KeyError: 'a mistake of the reader'"),
    ]
    assert_consistent(Path("store"))


def test_what_fails_on_every_log_is_raised(here):
    put(here / "logs", {f"{i}.xml": log(i, crash=1) for i in range(3)})
    with pytest.raises(KeyError, match="a mistake of the reader"):
        ingest("logs", "store")
    assert len(Store("store").table("games")) == 0


def read_two(logs, *, walls=False):
    """A source whose files hold several games, told by lines."""
    pieces = []
    for path, data in logs:
        tables = made_store.read([(path, line) for line in data.splitlines()[1:]], walls=walls)
        pieces.append({**tables, "games": tables["games"]})
    return ingest_module._joined(pieces) if pieces else made_store.read([], walls=walls)


def test_several_sources_in_one_batch_and_several_games_in_one_file_keep_the_order(here, monkeypatch):
    monkeypatch.setitem(sniff.SIGNS, "lines", lambda head: head.startswith(b"lines\n"))
    readers = {"tenhou_xml": made_store.read, "lines": read_two}
    monkeypatch.setattr(ingest_module, "_reader", readers.__getitem__)
    lines = b"lines\n" + b"\n".join([log(5), log(6, bad="no"), log(1), log(7)])
    two = b"lines\n" + log(8) + b"\n" + log(5)
    put(here / "logs", {"1.xml": log(1), "2.txt": lines, "3.xml": log(3), "4.txt": lines, "5.txt": two})
    put(here / "logs", {"0.junk": b"junk", "2.x": b"junk"})
    for batch in (2, 100):
        summary = ingest("logs", f"store{batch}", batch=batch)
        assert summary.games == 5
        rows = content(f"store{batch}")
        assert [(game["path"][5:], game["play_hash"]) for game in rows["games"]] == [
            ("1.xml", 1),
            ("2.txt", 5),
            ("2.txt", 7),
            ("3.xml", 3),
            ("5.txt", 8),
        ]
        assert [row["path"][5:] for row in rows["rejects"]] == ["0.junk", "2.txt", "2.x", "4.txt"]
        assert_consistent(Path(f"store{batch}"))
        assert ingest("logs", f"store{batch}").parts == 0
        assert content(f"store{batch}") == rows


def test_progress_is_told_after_every_batch(here):
    put(here / "logs", LOGS)
    told = []
    final = ingest("logs", "store", batch=6, progress=told.append)
    assert [summary.parts for summary in told] == [1, 2, 3, 4]
    assert told[-1] == final
    assert told[0].games == 6


@pytest.mark.parametrize(
    ("options", "reason"),
    [
        ({"workers": 0}, "workers, batch and batch_bytes are at least 1"),
        ({"derive": {"circumstance": streaks}}, "derive: no table 'circumstance'"),
        ({"workers": 2, "derive": {"circumstances": lambda tables: None}}, "derive: a function that cannot be sent"),
    ],
)
def test_a_call_that_cannot_work_says_why(here, options, reason):
    put(here / "logs", LOGS)
    with pytest.raises(ValueError, match=f"^{reason}"):
        ingest("logs", "store", **options)


# -- interruption ------------------------------------------------------------------------------------------------


@forks
@every
def test_a_process_that_dies_at_any_change_of_a_file_leaves_a_store_that_the_next_run_completes(here, every):
    put(here / "logs", LOGS)
    derive = {"circumstances": streaks}
    ingest("logs", "whole", batch=9, derive=derive)
    expected = content("whole")
    step, path = 0, Path("store0")
    while dies_at(step, lambda path=path: ingest("logs", path, batch=9, derive=derive)):
        if (path / "koyaku.json").exists():
            assert_consistent(path)
            there = content(path)
            assert all(rows == expected[name][: len(rows)] for name, rows in there.items()), "not a beginning"
        ingest("logs", path, batch=9, derive=derive)
        assert content(path) == expected, step
        assert not (path / ASIDE).exists()
        assert len(list(path.rglob("*.parquet"))) == len(expected) * len(Store(path).part_numbers())
        step += every
        path = Path(f"store{step}")
    assert step > 50


@forks
@every
def test_a_process_that_dies_while_it_changes_earlier_parts_is_made_good_by_the_next_run(here, every):
    before = {"a": b"", "b": log(1, bad="one"), "m": log(2), "z": log(3, cut=1)}
    after = {"a": log(4), "b": log(1, bad="two"), "c": log(3, cut=1), "m": log(2), "z": log(3, cut=1)}
    put(here / "logs", before)
    ingest("logs", "whole", batch=2)
    put(here / "logs", after)
    ingest("logs", "whole", batch=2)
    expected = content("whole")
    step = 0
    while True:
        path = Path(f"store{step}")
        put(here / "logs", before)
        (here / "logs" / "c").unlink()
        ingest("logs", path, batch=2)
        put(here / "logs", after)
        if not dies_at(step, lambda path=path: ingest("logs", path, batch=2)):
            break
        assert_consistent(path)
        ingest("logs", path, batch=2)
        assert content(path) == expected, step
        step += every
    assert step > 20


def test_an_interruption_keeps_what_is_whole_and_lets_go_of_the_store(here):
    put(here / "logs", LOGS)

    def interrupt(summary):
        if summary.parts == 2:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        ingest("logs", "store", batch=6, progress=interrupt)
    assert len(Store("store").part_numbers()) == 2
    assert not Path("store", ASIDE).exists()
    assert ingest("logs", "store", batch=6).games == EXPECTED.games - 12
    ingest("logs", "whole", batch=6)
    assert content("store") == content("whole")


def dies(*_arguments):
    os._exit(DIES)


DIES = 7


@forks
def test_a_worker_that_dies_is_told_in_one_line_and_the_next_run_goes_on(here, monkeypatch):
    put(here / "logs", LOGS)
    with workers(2) as executor, monkeypatch.context() as patched:
        patched.setattr(ingest_module, "_decode", dies)
        with pytest.raises(StoreError, match=r"^a worker process died; what was done before is stored"):
            ingest("logs", "store", batch=6, workers=2, executor=executor)
    assert ingest("logs", "store", batch=6).games == EXPECTED.games


# -- two at a time -----------------------------------------------------------------------------------------------

HOLD = """
import sys, time
from parsers.store import Store
with Store(sys.argv[1]).writing():
    print("held", flush=True)
    time.sleep(60)
"""


def test_a_second_process_is_told_who_writes_and_a_dead_one_holds_nothing(here):
    put(here / "logs", LOGS)
    ingest("logs/a", "store")
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "-c", HOLD, "store"], stdout=subprocess.PIPE, env=environment) as other:
        assert other.stdout.readline() == b"held\n"
        with pytest.raises(StoreError, match=f"^store: process {other.pid} on .* is writing to the store$"):
            ingest("logs", "store")
        assert len(Store("store").table("games")) == 12  # reading needs no lock
        other.send_signal(signal.SIGKILL)
        other.wait()
    assert Path("store", ".lock").read_text()  # what the dead one wrote is no lock
    assert ingest("logs", "store").games == 3


def test_one_process_writes_once_at_a_time(here):
    store = Store.create("store")
    with store.writing(), pytest.raises(StoreError, match=r"^store: this process is already writing"):
        ingest([], "store")
    assert ingest([], "store").files == 0


# -- with the reader of Tenhou XML, and processes of one's own -----------------------------------------------------

KILLED = """
from parsers.ingest import ingest
if __name__ == "__main__":
    ingest("logs", "killed", workers=2, batch=10, progress=lambda summary: print(summary.parts, flush=True))
"""


@pytest.mark.slow
@pytest.mark.skipif(not SAMPLES, reason="no sample logs")
def test_processes_of_its_own_give_the_same_files(here, monkeypatch):
    monkeypatch.undo()
    monkeypatch.chdir(here)
    ingest(SAMPLES, "one", batch=3)
    assert ingest(SAMPLES, "two", batch=3, workers=2).games == len(SAMPLES)
    for file in Path("one").rglob("*.parquet"):
        assert pq.read_table("two" / file.relative_to("one")).equals(pq.read_table(file)), file


@pytest.mark.slow
@pytest.mark.skipif(not HAS_LOGS, reason="no real logs: set KOYAKU_SHARED")
def test_real_logs_give_the_same_rows_after_a_kill_of_all_processes_and_in_steps(here, monkeypatch):
    monkeypatch.undo()
    monkeypatch.chdir(here)
    logs = sorted((SHARED / "logs" / "mjlog" / "mjx-project").iterdir())[:60]
    put(here / "logs", {path.name: path.read_bytes() for path in logs})
    files = [f"logs/{path.name}" for path in logs]
    whole = ingest("logs", "whole", batch=30)
    assert whole.games == 60
    expected = content("whole")

    Path("run.py").write_text(KILLED)
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    with subprocess.Popen([sys.executable, "run.py"], stdout=subprocess.PIPE, env=environment) as run:
        assert run.stdout.readline() == b"1\n"
        workers_ = [process for process in Path("/proc").glob("[0-9]*") if _parent(process) == run.pid]
        run.kill()
    assert 10 <= len(Store("killed").table("games")) <= 60
    ingest("logs", "killed", batch=50)
    assert content("killed") == expected
    for _ in range(100):
        if not any(process.exists() for process in workers_):
            break
        time.sleep(0.05)
    assert not any(process.exists() for process in workers_), "a worker outlives its parent"

    random.Random(0).shuffle(files)
    for start in range(0, len(files), 25):
        ingest(files[start : start + 25], "steps", batch=20)
    compact("steps")
    assert content("steps") == expected


def _parent(process: Path) -> int:
    try:
        return int((process / "stat").read_text().rpartition(")")[2].split()[1])
    except OSError:
        return 0


PEAK = """
import sys
from parsers.ingest import ingest
summary = ingest(sys.argv[1:], "store")
peak = next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM"))
print(summary.games, peak // 1024)
"""


@pytest.mark.slow
@pytest.mark.skipif(not HAS_LOGS or not Path("/proc/self/status").exists(), reason="no real logs, or no /proc")
def test_memory_is_bounded_by_the_batch(here):
    """The same 2,500 logs four times under other bytes: the peak of four batches and more is that of one."""
    folder = SHARED / "logs" / "mjlog" / "houou2023"
    for copy in range(4):
        put(here / f"logs{copy}", {p.name: p.read_bytes() + b"\n" * copy for p in sorted(folder.iterdir())})
    environment = os.environ | {"PYTHONPATH": str(ROOT)}
    peaks = []
    for n in (1, 4):
        command = [sys.executable, "-c", PEAK, *(f"logs{copy}" for copy in range(n))]
        run = subprocess.run(command, capture_output=True, text=True, check=True, env=environment)
        games, peak = map(int, run.stdout.split())
        assert games == 2500 * n
        peaks.append(peak)
        subprocess.run(["rm", "-r", "store"], check=True)
    assert peaks[1] < peaks[0] + 150, peaks
    assert peaks[1] < 1000, peaks
