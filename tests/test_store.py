"""A store: a folder of plain Parquet, whole at every moment."""

from __future__ import annotations

import json
import os
import random
import shutil
from pathlib import Path

import pandas as pd
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest

from parsers import ingest as ingest_module
from parsers.compact import compact
from parsers.errors import StoreError
from parsers.ingest import ingest
from parsers.schema import SCHEMA_VERSION, TABLES
from parsers.store import LOCK, MARKER, Store, part_name
from tests import made_store
from tests.made_store import assert_consistent, content, dies_at, log, put, streaks

DERIVE = {"circumstances": streaks}


@pytest.fixture(autouse=True)
def made_up_reader(monkeypatch, tmp_path):
    monkeypatch.setattr(ingest_module, "_reader", lambda source: made_store.read)
    monkeypatch.setattr(os, "fsync", lambda number: None)  # no power is cut here
    monkeypatch.chdir(tmp_path)


LOGS = {f"{i}.xml": log(i % 5, i) for i in range(7)} | {"bad": b"junk"}


@pytest.fixture(scope="module")
def made(tmp_path_factory) -> Path:
    folder = tmp_path_factory.mktemp("made")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ingest_module, "_reader", lambda source: made_store.read)
        patched.chdir(folder)
        put(folder / "logs", LOGS)
        ingest("logs", "store", batch=3, derive=DERIVE)
    return folder / "store"


@pytest.fixture
def store(tmp_path, made) -> Store:
    """Seven games in three parts, made from the folder `logs`."""
    put(tmp_path / "logs", LOGS)
    shutil.copytree(made, "store")
    return Store("store")


# -- reading -----------------------------------------------------------------------------------------------------


def test_a_table_is_read_whole_or_by_columns(store):
    games = store.table("games")
    assert len(games) == 7
    assert games.schema.equals(TABLES["games"])
    assert store.table("games", ["path", "game"]).column_names == ["path", "game"]
    assert store.table("games", "path").column_names == ["path"]
    assert store.n_rows("actions") == len(store.table("actions")) == 7 * 2 * made_store.ACTIONS


def test_every_table_reads_with_the_types_and_descriptions_of_its_schema(store):
    for name in store.table_names():
        read = store.table(name)
        assert read.schema.equals(TABLES[name], check_metadata=True), name


def test_the_parts_are_mappings_of_tables_that_add_up_to_the_whole(store):
    parts = list(store.parts())
    assert [part.number for part in parts] == store.part_numbers() == [0, 1, 2]
    for name in parts[0]:
        joined = pa.concat_tables([part[name] for part in parts])
        assert joined.to_pylist() == store.table(name).to_pylist()
        assert [part.n_rows(name) for part in parts] == [len(part[name]) for part in parts]
    assert dict(parts[1])["games"].equals(parts[1]["games"])
    assert "walls" not in parts[0]
    assert len(parts[0]["walls"]) == 0
    assert store.part(1)["wins"].equals(parts[1]["wins"])


def test_pandas_duckdb_and_arrow_read_a_store_as_it_lies_there(store):
    duckdb = pytest.importorskip("duckdb")
    games = store.table("games")
    assert pd.read_parquet("store/games")["path"].tolist() == games["path"].to_pylist()
    assert pd.read_parquet("store/rounds", columns=["end"])["end"].tolist() == ["win"] * 14
    count = duckdb.sql(
        "select count(*), count(distinct path), min(kind) from 'store/actions/*.parquet' "
        "join 'store/games/*.parquet' using (game)"
    )
    assert count.fetchall()[0] == (70, 7, "draw")
    assert ds.dataset("store/wins").count_rows() == 14
    for name in store.table_names():
        assert duckdb.sql(f"select count(*) from 'store/{name}/*.parquet'").fetchall()[0][0] == store.n_rows(name)
    names = sorted(path.name for path in Path("store/games").iterdir())
    assert names == [part_name(number) for number in (0, 1, 2)]


def test_every_file_says_which_schema_it_follows_and_what_its_columns_mean(store):
    for file in Path("store").rglob("*.parquet"):
        schema = pq.read_schema(file)
        assert schema.metadata[b"koyaku_schema"] == str(SCHEMA_VERSION).encode()
        assert all(b"description" in field.metadata for field in schema)
    column = pq.read_metadata("store/actions/part-00000000.parquet").row_group(0).column(0)
    assert column.statistics is not None
    assert column.compression == "ZSTD"


@pytest.mark.parametrize(
    ("call", "reason"),
    [
        (lambda store: store.table("win"), "no table 'win'; nearest: 'wins'"),
        (lambda store: store.table("xyz"), "no table 'xyz'; known: games, seats"),
        (lambda store: store.table("games", ["pth"]), "table 'games' has no column 'pth'; nearest: 'path'"),
        (lambda store: store.table("walls"), "store: holds no table 'walls'"),
        (lambda store: store.part(0)["gmes"], "no table 'gmes'; nearest: 'games'"),
    ],
)
def test_what_is_not_there_is_named_with_what_is(store, call, reason):
    with pytest.raises(StoreError, match=f"^{reason}"):
        call(store)


def test_an_empty_store_has_empty_tables(tmp_path):
    store = Store.create("new/store")
    assert list(store.parts()) == []
    assert len(store.table("games")) == len(store.table("walls")) == 0


def test_columns_and_tables_that_older_parts_lack_read_as_null_and_as_no_rows(store):
    for number in (0, 2):
        file = Path("store/games") / part_name(number)
        pq.write_table(pq.read_table(file).drop_columns(["room", "players"]), file)
    shutil.rmtree("store/seats")
    (Path("store/circumstances") / part_name(1)).unlink()
    games = store.table("games")
    assert games["players"].is_null().to_pylist() == [True] * 3 + [False] * 3 + [True]
    assert games.schema.field("players").nullable
    assert store.part(0)["games"]["room"].null_count == 3
    assert len(store.table("circumstances")) == 8
    with pytest.raises(StoreError, match="store: holds no table 'seats'"):
        store.table("seats")
    compact(store, batch=10)
    assert store.table("games")["players"].null_count == 4
    assert len(store.table("circumstances")) == 8


def test_a_column_of_a_newer_writer_is_passed_over(store):
    file = Path("store/games") / part_name(0)
    games = pq.read_table(file)
    pq.write_table(games.append_column("new", games["game"]), file)
    assert store.table("games").schema.equals(TABLES["games"])


def test_a_store_whose_lock_cannot_be_had_is_told_by_its_own_name(store):
    (store.path / LOCK).unlink()
    (store.path / LOCK).mkdir()
    with pytest.raises(StoreError, match=r"^store: cannot write to the store: Is a directory$"), store.writing():
        pass


# -- what is a store ---------------------------------------------------------------------------------------------


def test_a_folder_that_is_no_store_is_told_and_what_was_expected(tmp_path):
    Path("folder").mkdir()
    Path("file").write_text("")
    for path, reason in {
        "folder": "folder: not a store; expected a folder with koyaku.json, as ingest makes it",
        "file": "file: not a store; expected a folder with koyaku.json, as ingest makes it",
        "nowhere": "nowhere: no such folder; expected a folder with koyaku.json, as ingest makes it",
    }.items():
        with pytest.raises(StoreError) as raised:
            Store(path)
        assert str(raised.value) == reason


@pytest.mark.parametrize("text", ["", "{}", "[]", '{"koyaku_schema": "1", "first": 0, "until": null}', "\xff"])
def test_a_damaged_marker_is_told(store, text):
    (store.path / MARKER).write_text(text, encoding="latin-1")
    with pytest.raises(StoreError, match=r"^store: koyaku.json in it is damaged"):
        Store("store")


def test_a_store_of_a_newer_version_is_not_guessed_at(store):
    marker = json.loads((store.path / MARKER).read_text())
    (store.path / MARKER).write_text(json.dumps(marker | {"koyaku_schema": SCHEMA_VERSION + 1}))
    with pytest.raises(StoreError, match=f"^store: written with schema {SCHEMA_VERSION + 1}, this Koyaku knows up to"):
        Store("store")


def test_a_store_is_not_made_among_other_things(tmp_path):
    put(tmp_path, {"folder/thing": b"x"})
    with pytest.raises(StoreError, match=r"^folder: holds other things"):
        Store.create("folder")
    with pytest.raises(StoreError, match=r"^folder/thing: is a file; a store is a folder"):
        Store.create("folder/thing")
    assert Store.create("new").path == Store.create("new").path


def test_a_store_that_cannot_be_made_is_told_by_its_own_name(tmp_path, monkeypatch):
    Path("file").write_text("")
    with pytest.raises(StoreError, match=r"^file/store: cannot be made a store: Not a directory$"):
        Store.create("file/store")

    def refuse(*_):
        raise PermissionError(13, "Permission denied", "new/.aside")

    monkeypatch.setattr("parsers.store._write_marker", refuse)
    with pytest.raises(StoreError, match=r"^new: cannot be made a store: Permission denied$"):
        Store.create("new")


def scrambled(data: bytes) -> bytes:
    """The same Parquet file but for bytes of its columns."""
    return data[:8] + bytes(byte ^ 0x5A for byte in data[8:200]) + data[200:]


@pytest.mark.parametrize("damage", [lambda data: b"junk", lambda data: data[:-20], scrambled])
def test_a_part_that_is_no_parquet_is_named(store, damage):
    file = Path("store/wins") / part_name(1)
    file.write_bytes(damage(file.read_bytes()))
    said = r"not readable as Parquet: [^;]+; remove store and ingest the logs again"
    with pytest.raises(StoreError, match=rf"^store/wins/part-00000001.parquet: {said}$"):
        store.table("wins")


def test_a_part_whose_size_cannot_be_told_is_named(store):
    (Path("store/wins") / part_name(1)).write_bytes(b"junk")
    with pytest.raises(StoreError, match=r"^store/wins/part-00000001.parquet: not readable as Parquet: "):
        store.n_rows("wins")


def test_a_store_that_is_compacted_under_a_reader_says_so(store):
    parts = list(store.parts())
    compact(store)
    with pytest.raises(StoreError, match=r"^store: the store was changed while it was read; read it again$"):
        parts[0]["games"]


def test_all_may_read_a_store_that_the_umask_lets_read(store):
    files = [path for path in store.path.rglob("*") if path.is_file()]
    umask = os.umask(0o022)
    os.umask(umask)
    assert {path.stat().st_mode & 0o777 for path in files} == {0o666 & ~umask}


# -- compaction --------------------------------------------------------------------------------------------------


def logs_of(seed: int) -> dict[str, bytes]:
    """Logs whose plays, bytes and mistakes repeat, in folders and under many names."""
    rng = random.Random(seed)
    logs = {}
    for i in range(rng.randint(1, 25)):
        name = f"{rng.choice(['a', 'b/c', 'b-c', 'd/e/f'])}/{rng.randint(0, 99):02}.xml"
        kind = rng.random()
        note = rng.randint(0, 2)
        if kind < 0.6:
            logs[name] = log(rng.randint(0, 5), note, rounds=rng.randint(0, 3))
        elif kind < 0.75:
            logs[name] = log(rng.randint(0, 5), note, cut=1)
        elif kind < 0.9:
            logs[name] = log(i, bad=rng.choice(["one", "two"]))
        else:
            logs[name] = rng.choice([b"", b"junk"])
    return logs


def check_steps(folder: Path, seed: int) -> None:
    """A store grown in random steps, compacted, holds what one ingest of the same files gives."""
    rng = random.Random(seed)
    put(folder / "logs", logs_of(seed))
    files = [str(path.relative_to(folder)) for path in sorted(folder.rglob("logs/**/*.xml"))]
    ingest(files, "once", batch=rng.randint(1, 9), derive=DERIVE)
    todo = rng.sample(files, len(files))
    while todo:
        step = rng.randint(1, 6)
        ingest(todo[:step], "steps", batch=rng.randint(1, 4), derive=DERIVE)
        todo = todo[step:]
        if rng.random() < 0.2:
            compact("steps", batch=rng.randint(1, 9))
    compact("steps", batch=rng.randint(1, 9))
    assert content("steps") == content("once")
    if rng.random() < 0.5:
        before = sorted(Path("steps").rglob("*"))
        ingest(files, "steps", derive=DERIVE)
        assert sorted(Path("steps").rglob("*")) == before


@pytest.mark.parametrize("seed", range(4))
def test_a_store_grown_in_steps_is_after_compaction_as_if_made_at_once(tmp_path, seed):
    check_steps(tmp_path, seed)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(100, 160))
def test_many_stores_grown_in_steps_are_after_compaction_as_if_made_at_once(tmp_path, seed):
    check_steps(tmp_path, seed)


def test_compaction_merges_parts_and_does_nothing_the_second_time(store):
    rows = content(store)
    assert compact(store, batch=5)
    assert [len(part["games"]) for part in store.parts()] == [5, 2]
    assert content(store) == rows
    assert not compact(store, batch=5)
    assert not compact(store, batch=4)
    assert_consistent(store.path)


def test_compaction_reads_parts_again_when_they_do_not_fit_in_memory(store, monkeypatch):
    monkeypatch.setattr("parsers.compact._KEPT_BYTES", 1)
    rows = content(store)
    ingest("logs", "grown", batch=2)
    compact(store, batch=2)
    assert content(store) == rows


def test_an_empty_store_is_compact():
    assert not compact(Store.create("empty"))


def test_a_compacted_store_grows_on(store, tmp_path):
    compact(store)
    put(tmp_path / "logs", {"new.xml": log(50)})
    assert ingest("logs", "store", derive=DERIVE).games == 1
    assert store.part_numbers() == [3, 4]
    assert len(store.table("games")) == 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="dies in a forked process")
@pytest.mark.parametrize("every", [29, pytest.param(1, marks=pytest.mark.slow)])
def test_a_compaction_that_dies_at_any_change_of_a_file_leaves_the_old_rows_or_the_new(tmp_path, every):
    put(tmp_path / "logs", {f"{i}.xml": log(i % 2, i, cut=1) for i in range(4)} | {"bad": b"junk"})
    for name in ("3.xml", "2.xml", "bad"):
        ingest(f"logs/{name}", "grown", derive=DERIVE)
    ingest("logs", "grown", derive=DERIVE)
    old = content("grown")
    shutil.copytree("grown", "compacted")
    compact("compacted", batch=2)
    new = content("compacted")
    assert new != old
    seen, step = [], 0
    while True:
        path = Path(f"store{step}")
        shutil.copytree("grown", path)
        if not dies_at(step, lambda path=path: compact(path, batch=2)):
            break
        assert_consistent(path)
        rows = content(path)
        assert rows in (old, new), step
        seen.append(rows == new)
        compact(path, batch=2)
        assert content(path) == new
        assert len(list(path.rglob("*.parquet"))) == len(new) * len(Store(path).part_numbers())
        shutil.rmtree(path)
        step += every
    assert seen == sorted(seen), "old rows came back"
    assert {False, True} == set(seen)
