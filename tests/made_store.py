"""Made-up logs and a reader of them, for tests of the way from files to a store.

A log is `<mjloggm play="7" rounds="2"/>`: the same play in other bytes has another `note`. `bad="why"` is a log
that is not read, `cut="1"` one of which a round is missing, `crash="1"` one that the reader fails on.
"""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from pathlib import Path

import pyarrow as pa

from parsers.schema import TABLES, conform
from parsers.store import Store

ACTIONS = 5  # of each round
DIED = 9


def log(play: int, note: object = "", rounds: int = 2, **more: object) -> bytes:
    extra = "".join(f' {name}="{value}"' for name, value in more.items())
    return f'<mjloggm play="{play}" rounds="{rounds}" note="{note}"{extra}/>'.encode()


def game_of(data: bytes) -> int:
    return int.from_bytes(hashlib.sha256(data).digest()[:8], "big", signed=True)


def put(folder: Path, logs: dict[str, bytes]) -> Path:
    for name, data in logs.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)
    return folder


def read(logs, *, walls=False) -> dict[str, pa.Table]:
    rows = {name: [] for name in TABLES if name != "circumstances" and (walls or name != "walls")}
    for path, data in logs:
        if b"crash=" in data:
            raise KeyError("a mistake of the reader")
        words = dict(re.findall(r'(\w+)="([^"]*)"', data.decode()))
        if "bad" in words:
            rows["rejects"].append({"path": path, "source": "tenhou_xml", "place": "", "reason": words["bad"]})
            continue
        game, n_rounds = game_of(data), int(words["rounds"])
        rows["games"].append(
            {"game": game, "play_hash": int(words["play"]), "path": path, "n_rounds": n_rounds}
            | {"source_id": path.rpartition("/")[2], "source": "tenhou_xml", "players": 4}
        )
        if "cut" in words:
            rows["rejects"].append(
                {"path": path, "source": "tenhou_xml", "game": game, "round_no": n_rounds}
                | {"place": f"round {n_rounds}", "reason": "cut off"}
            )
        rows["seats"] += [{"game": game, "seat": seat, "player": f"p{seat}"} for seat in range(4)]
        for round_no in range(n_rounds):
            at = {"game": game, "round_no": round_no}
            rows["rounds"].append(at | {"hand_0": [1, 2, 3], "end": "win"})
            rows["actions"] += [at | {"seq": seq, "kind": "draw", "tile": seq} for seq in range(ACTIONS)]
            rows["wins"].append(at | {"winner": round_no % 4})
            rows["win_yaku"].append(at | {"winner": round_no % 4, "yaku": "tanyao", "han": 1})
            if walls:
                rows["walls"].append(at | {"wall": [0, 1]})
    return {name: table(name, its_rows) for name, its_rows in rows.items()}


def table(name: str, rows: list[dict]) -> pa.Table:
    """A table whose columns that are not given hold a zero of their type, or null where they may."""
    if not rows:
        return TABLES[name].empty_table()
    columns = {}
    for field in TABLES[name]:
        missing = None if field.nullable else _zero(field.type)
        columns[field.name] = pa.array([row.get(field.name, missing) for row in rows], field.type)
    return conform(pa.table(columns), TABLES[name])


def _zero(type_: pa.DataType) -> object:
    if pa.types.is_list(type_):
        return []
    if pa.types.is_dictionary(type_) or pa.types.is_string(type_):
        return ""
    return False if pa.types.is_boolean(type_) else 0


def streaks(tables: dict[str, pa.Table]) -> pa.Table:
    """Stands for what analyses derive from a batch: a row for each win."""
    keys = ("game", "round_no", "winner")
    rows = tables["wins"].select(keys).to_pylist()
    return table("circumstances", [row | {"win_streak": row["round_no"] + 1} for row in rows])


def content(store: Store | Path) -> dict[str, list[dict]]:
    """All rows of all tables that the store holds."""
    store = store if isinstance(store, Store) else Store(store)
    names = sorted({name for part in store.parts() for name in part})
    return {name: store.table(name).to_pylist() for name in names}


def assert_consistent(path: Path) -> None:
    """Every part holds every table, and each game all of its rows."""
    store = Store(path)
    parts = list(store.parts())
    for part in parts:
        assert set(part) == set(parts[0]), part
        games = {game["game"]: game for game in part["games"].to_pylist()}
        rounds = [row["game"] for row in part["rounds"].to_pylist()]
        assert rounds == [game for game, row in games.items() for _ in range(row["n_rounds"])]
        assert len(part["actions"]) == ACTIONS * len(rounds)
        assert len(part["seats"]) == 4 * len(games)
    ids = [game for part in parts for game in part["games"]["game"].to_pylist()]
    assert len(set(ids)) == len(ids), "a game is stored twice"


def dies_at(step: int, function: Callable[[], object]) -> bool:
    """Run the function in a process that dies at once before its nth change of a file; whether it did."""
    child = os.fork()
    if not child:
        try:
            left = [step]

            def deadly(change):
                def changed(*arguments, **options):
                    if not left[0]:
                        os._exit(DIED)
                    left[0] -= 1
                    return change(*arguments, **options)

                return changed

            os.fsync = lambda number: None
            for place, name in ((os, "replace"), (os, "fsync"), (os, "unlink"), (Path, "unlink")):
                setattr(place, name, deadly(getattr(place, name)))
            function()
            os._exit(0)
        finally:
            os._exit(1)
    code = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert code in (0, DIED)
    return code == DIED
