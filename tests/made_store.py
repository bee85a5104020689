"""Made-up logs of a made-up reader, for tests of the way from files to a store.

A log is `<mjloggm play="7" rounds="2"/>`: the same play in other bytes has another `note`. `bad="why"` is a log
that is not read, `cut="1"` one of which a round is missing.
"""

from __future__ import annotations

import hashlib
import re

import numpy as np
import pyarrow as pa

from parsers.schema import TABLES, conform

ACTIONS = 5  # of each round


def log(play: int, note: str = "", rounds: int = 2, **more) -> bytes:
    extra = "".join(f' {name}="{value}"' for name, value in more.items())
    return f'<mjloggm play="{play}" rounds="{rounds}" note="{note}"{extra}/>'.encode()


def game_of(data: bytes) -> int:
    return int.from_bytes(hashlib.sha256(data).digest()[:8], "big", signed=True)


def read(logs, *, walls=False) -> dict[str, pa.Table]:
    rows = {name: [] for name in TABLES if name != "circumstances" and (walls or name != "walls")}
    for path, data in logs:
        if b"crash=" in data:
            raise KeyError("a reader's mistake")
        words = dict(re.findall(r'(\w+)="([^"]*)"', data.decode()))
        if "bad" in words:
            rows["rejects"].append({"path": path, "source": "tenhou_xml", "place": "", "reason": words["bad"]})
            continue
        game, n_rounds = game_of(data), int(words["rounds"])
        rows["games"].append(
            {"game": game, "play_hash": int(words["play"]), "path": path, "n_rounds": n_rounds}
            | {"source_id": path.split("/")[-1], "source": "tenhou_xml"}
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
    """A table whose unnamed columns hold a zero of their type, or null where they may."""
    columns = {}
    for field in TABLES[name]:
        zero = None if field.nullable else _zero(field.type)
        values = [row.get(field.name, zero) for row in rows]
        columns[field.name] = pa.array(values, field.type)
    return conform(pa.table(columns), TABLES[name])


def _zero(type_: pa.DataType):
    if pa.types.is_list(type_):
        return []
    if pa.types.is_dictionary(type_) or pa.types.is_string(type_):
        return ""
    return False if pa.types.is_boolean(type_) else 0


def derived(tables: dict[str, pa.Table]) -> pa.Table:
    """Stands for what analyses derive from a batch: a row per win."""
    wins = tables["wins"]
    keys = {name: wins[name].to_numpy() for name in ("game", "round_no", "winner")}
    n_calls = np.arange(len(wins)) * 0 + 3
    return table("circumstances", [
        dict(zip(keys, map(int, values), strict=True)) | {"n_calls_before": int(calls)}
        for *values, calls in zip(*keys.values(), n_calls, strict=True)
    ])
