"""Damaged stores: each damage is told by the file it is in and by what to do, and that helps."""

import re
import shutil
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import PROJECT

from analytics.audit import audit
from analytics.corpus import ingest, map_parts, read
from parsers.compact import compact
from parsers.errors import StoreError
from parsers.schema import RANGES, TABLES
from parsers.soundness import check_part, check_store
from parsers.store import Store, part_name

SAMPLES = PROJECT / "data_samples"
COMMANDS = {
    "audit": (),
    "yaku": (),
    "han": (),
    "score": (),
    "chances": ("--again",),
    "impact": ("--adopt", "sanrenkou"),
    "sweep": ("--each-local", "--no-latent"),
    "report": ("-o", "out"),
    "explain": ("1", "2", "--game", "2024010100"),
}


@pytest.fixture(scope="module")
def sound(tmp_path_factory):
    """The sample games in three parts."""
    path = tmp_path_factory.mktemp("sound") / "store"
    ingest(SAMPLES, path, batch=25)
    return path


@pytest.fixture
def maimed(sound, tmp_path, monkeypatch):
    """A store to damage, by a path that a message can be compared with."""
    monkeypatch.chdir(tmp_path)
    shutil.copytree(sound, "store")
    return Path("store")


def changed(name, change, number=0):
    """A damage: another content of one table of a part."""

    def damage(store):
        file = store / name / part_name(number)
        pq.write_table(change(pq.read_table(file)), file)

    return damage


def removed(name, number=0):
    return lambda store: (store / name / part_name(number)).unlink()


def with_value(column, value, row=3):
    def change(table):
        values = table[column].to_pylist()
        values[row] = [value, *values[row][1:]] if isinstance(values[row], list) else value
        at, field = table.column_names.index(column), table.schema.field(column)
        return table.set_column(at, field, pa.array(values, field.type))

    return change


def swapped(table):
    return table.take([1, 0, *range(2, len(table))])


FIT = "remove store and ingest the logs again"
DAMAGES = [
    (removed("wins"), "store/wins/part-00000000.parquet: no such file"),
    (removed("actions", 2), "store/actions/part-00000002.parquet: no such file"),
    (removed("circumstances", 1), "store/circumstances/part-00000001.parquet: no such file"),
    (lambda store: shutil.rmtree(store / "rounds"), "store/rounds/part-00000000.parquet: no such file"),
    (
        changed("rounds", lambda table: table.slice(0, 0)),
        "store/rounds/part-00000000.parquet: does not hold just the rounds that the table games counts",
    ),
    (
        changed("rounds", lambda table: table.slice(0, len(table) - 4)),
        "store/rounds/part-00000000.parquet: does not hold just the rounds that the table games counts",
    ),
    (
        changed("rounds", with_value("dealer", 4)),
        "store/rounds/part-00000000.parquet: dealer is 4 somewhere, expected 0-3",
    ),
    (
        changed("wins", with_value("concealed", 200)),
        "store/wins/part-00000000.parquet: concealed is 200 somewhere, expected 0-36",
    ),
    (
        changed("wins", with_value("win_tile", 37)),
        "store/wins/part-00000000.parquet: win_tile is 37 somewhere, expected 0-36",
    ),
    (
        changed("wins", with_value("loser", -1)),
        "store/wins/part-00000000.parquet: loser is -1 somewhere, expected 0-3",
    ),
    (
        changed("wins", with_value("game", 5)),
        "store/wins/part-00000000.parquet: a row belongs to nothing that the table games holds",
    ),
    (
        changed("actions", with_value("round_no", 99, -1)),
        "store/actions/part-00000000.parquet: a row belongs to nothing that the table rounds holds",
    ),
    (
        changed("win_yaku", with_value("winner", 3, 0)),
        "store/win_yaku/part-00000000.parquet: a row belongs to nothing that the table wins holds",
    ),
    (
        changed("wins", lambda table: table.slice(1)),
        "store/wins/part-00000000.parquet: does not hold just the rounds that end so by the table rounds",
    ),
    (
        changed("draws", lambda table: table.slice(0, 0)),
        "store/draws/part-00000000.parquet: does not hold just the rounds that end so by the table rounds",
    ),
    (
        changed("wins", lambda table: pa.concat_tables([table, table.slice(0, 1)])),
        "store/wins/part-00000000.parquet: a win stands in it twice",
    ),
    (
        changed("circumstances", swapped),
        "store/circumstances/part-00000000.parquet: does not tell of just the wins of the table wins",
    ),
    (
        changed("seats", lambda table: table.slice(0, 0)),
        "store/seats/part-00000000.parquet: does not hold a row for each player of each game",
    ),
    (
        changed("games", lambda table: pa.concat_tables([table, table.slice(2, 1)])),
        "store/games/part-00000000.parquet: a game stands in it twice",
    ),
]


@pytest.mark.parametrize(("damage", "said"), DAMAGES, ids=[said.partition("store/")[2][:60] for _, said in DAMAGES])
def test_a_store_whose_tables_do_not_fit_is_told_by_file_and_remedy(maimed, damage, said):
    damage(maimed)
    for function in (audit, read, lambda path: list(map_parts(Store(path), len))):
        with pytest.raises(StoreError, match=f"^{re.escape(said)}; {FIT}$"):
            function("store")


@pytest.mark.parametrize("command", COMMANDS)
def test_every_command_tells_of_a_damaged_store_in_a_line_and_what_it_says_helps(koyaku, sound, maimed, command):
    words = (command, "store", *COMMANDS[command])
    for damage, said in DAMAGES[:9]:
        damage(maimed)
        assert koyaku(*words) == (2, "", f"koyaku: {said}; {FIT}\n")
        assert not Path("out").exists()
        shutil.rmtree("store")
        shutil.copytree(sound, "store")
    shutil.rmtree("store")
    assert koyaku("ingest", SAMPLES, "-s", "store")[0] == 0
    code, out, err = koyaku(*words)
    assert (code, out != "", err) == (0, True, "")


@pytest.mark.parametrize("lost", [[0], [1], [0, 1, 2]], ids=str)
def test_games_that_are_gone_are_told_and_come_back_with_their_logs(koyaku, maimed, lost):
    before = Store(maimed).table("games").sort_by("path")
    for number in lost:
        removed("games", number)(maimed)
    said = f"store/games/{part_name(lost[0])}: no such file, though other tables have that part; ingest the logs again"
    for command, words in COMMANDS.items():
        assert koyaku(command, "store", *words) == (2, "", f"koyaku: {said}\n")
    assert koyaku("ingest", SAMPLES, "-s", "store")[0] == 0
    assert Store(maimed).table("games").sort_by("path").equals(before)
    assert audit("store").games_agree == audit("store").games > 0


def test_a_part_that_is_just_written_behind_the_others_is_no_damage(maimed):
    before = audit("store")
    for name in TABLES:
        if (maimed / name).exists() and name != "games":
            shutil.copy(maimed / name / part_name(2), maimed / name / part_name(3))
    assert audit("store") == before


def test_a_part_that_a_compaction_replaced_meanwhile_is_no_damage(maimed):
    parts = list(Store(maimed).parts())
    compact(maimed)
    for part in parts:
        with pytest.raises(StoreError, match=r"^store: the store was changed while it was read; read it again$"):
            check_part(part)


def test_a_damaged_table_that_commands_make_stops_nobody_who_does_not_read_it(koyaku, maimed):
    assert koyaku("score", "store")[0] == koyaku("chances", "store")[0] == 0
    before = audit("store")
    for name in ("scores", "chances"):
        (maimed / name / part_name(0)).write_bytes(b"junk")
    assert audit("store") == before
    for name, command in (("scores", "score"), ("chances", "chances")):
        code, _, err = koyaku(command, "store")
        assert (code, err.startswith(f"koyaku: store/{name}/part-00000000.parquet: not readable")) == (2, True)
        assert err.endswith(f"; 'koyaku {command} store --again' makes it anew\n")
        assert koyaku(command, "store", "--again")[0] == 0


def test_what_has_a_range_keeps_it_in_real_games(real_store):
    check_store(real_store, ("circumstances",))
    for part in real_store.parts():
        assert check_part(part, ("circumstances",)) is part
        for name in part:
            for column in (one for one in part[name].column_names if one in RANGES):
                values = part[name][column].combine_chunks()
                flat = values.flatten() if pa.types.is_list(values.type) else values
                known = flat.drop_null().to_numpy(zero_copy_only=False)
                assert RANGES[column][0] <= np.min(known, initial=3) <= np.max(known, initial=3) <= RANGES[column][1]
