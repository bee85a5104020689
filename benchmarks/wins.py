"""The wins that every engine scores: dealt at random or read from logs, as tables and as plain values.

There is one source, the tables `wins` and `circumstances`; what other engines are given follows from their rows.
"""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from analytics.circumstances import circumstances
from analytics.scoring.tiles import KIND_OF_TILE, dora_of
from parsers import tenhou_xml
from parsers.schema import CIRCUMSTANCES, MELD_KINDS, WINS, codes

ROOT = Path(__file__).parents[1]
RULESET = "tenhou_4p_aka"
FLAGS = ("riichi", "double_riichi", "ippatsu", "haitei", "houtei", "rinshan", "chankan", "tenhou", "chiihou")
"""Circumstances that every engine takes."""
RED_OF_FIVE = {4: 34, 13: 35, 22: 36}
RELATIVE = {"shimocha": 1, "toimen": 2, "kamicha": 3}


class Meld(NamedTuple):
    kind: str  # as in parsers.schema.MELD_KINDS
    low: int
    tiles: list[int]
    called: int | None
    source: int  # seats downstream of the winner, 0 for a concealed kan


class Win(NamedTuple):
    """One win in plain values; tiles 0-36 with red fives as 34-36, kinds 0-33."""

    concealed: list[int]  # the winning tile included
    tile: int
    melds: list[Meld]
    is_tsumo: bool
    seat_wind: int
    round_wind: int
    flags: frozenset[str]
    dora: list[int]  # kinds of the indicators
    ura: list[int]


# -- dealt


def dealt(n: int, seed: int = 1) -> tuple[pa.Table, pa.Table]:
    """Distinct random wins of four players, as `wins` and `circumstances`.

    Hands with all four fives of a suit and none of them red are left out: where red fives are in play there is none.
    """
    spec = importlib.util.spec_from_file_location("dealing", ROOT / "tests" / "dealing.py")
    dealing = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(dealing)
    rows, seen = [], set()
    while len(rows) < n:
        for case in dealing.deals(seed, n - len(rows)):
            written = repr({key: case[key] for key in case if key != "id"})
            if written not in seen and (row := _row(case)) is not None:
                seen.add(written)
                rows.append(row)
        seed += 1
    return _table(rows, WINS), _table(rows, CIRCUMSTANCES)


def _row(case: dict) -> dict | None:
    """A dealt case as the values of its rows in both tables; None if red fives rule it out."""
    winner = "ESWN".index(case["seat"])
    win = _tiles(case["win"])[0]
    concealed = sorted([*_tiles(case["hand"]), win])
    flags = set(case["flags"])
    row = {
        "winner": winner,
        "concealed": concealed,
        "win_tile": win,
        "is_tsumo": case["tsumo"],
        "players": 4,
        "seat_wind": winner,
        "round_wind": "ESWN".index(case["round"]),
        "dora_indicators": [tile for text in case["dora_ind"] for tile in _tiles(text)],
        "ura_indicators": [tile for text in case["ura_ind"] for tile in _tiles(text)] or None,
        **{f"is_{name}": name in flags for name in FLAGS},
        "is_riichi": bool(flags & {"riichi", "double_riichi"}),
    }
    whole = list(concealed)
    for slot, meld in enumerate(case["melds"], start=1):
        tiles = _tiles(meld["tiles"])
        whole += tiles
        row |= {
            f"meld_{slot}": "daiminkan" if meld["type"] == "minkan" else meld["type"],
            f"meld_{slot}_kind": int(KIND_OF_TILE[tiles].min()),
            f"meld_{slot}_from": None if meld["from"] is None else (winner + RELATIVE[meld["from"]]) % 4,
            f"meld_{slot}_called": None if meld["from"] is None else _tiles(meld["called"])[0],
            f"meld_{slot}_red": sum(tile >= 34 for tile in tiles),
        }
    for five, red in RED_OF_FIVE.items():
        if whole.count(five) == 4:
            return None
        assert whole.count(red) <= 1
    kinds = KIND_OF_TILE[whole].tolist()
    for name, indicators in (("dora", row["dora_indicators"]), ("ura", row["ura_indicators"] or [])):
        shown = [kinds.count(dora_of(4)[KIND_OF_TILE[tile]]) for tile in indicators]
        row[f"n_{name}"], row[f"n_kan_{name}"] = sum(shown[:1]), sum(shown[1:])
    row["n_aka"] = sum(tile >= 34 for tile in whole)
    return row


def _tiles(text: str) -> list[int]:
    """Tiles 0-36 of mpsz text, 0 for a red five."""
    tiles, digits = [], ""
    for letter in text:
        if letter.isdigit():
            digits += letter
            continue
        suit = "mpsz".index(letter)
        tiles += [34 + suit if digit == "0" else 9 * suit + int(digit) - 1 for digit in digits]
        digits = ""
    return tiles


def _table(rows: Sequence[dict], schema: pa.Schema) -> pa.Table:
    """A table of the schema; what the rows do not state is null where that may be, else zero or false."""
    arrays = []
    for field in schema:
        missing = None
        if not field.nullable and any(field.name not in row for row in rows):
            missing = [] if pa.types.is_list(field.type) else pa.scalar(0).cast(field.type).as_py()
        arrays.append(pa.array([row.get(field.name, missing) for row in rows], field.type))
    return pa.table(arrays, schema=schema)


# -- recorded


def recorded(logs: Sequence[tuple[str, bytes]]) -> tuple[pa.Table, pa.Table]:
    """The wins of the games among some logs that were played under RULESET, as `wins` and `circumstances`."""
    tables = tenhou_xml.read(logs)
    games = tables["games"].filter(pc.equal(tables["games"]["ruleset"], RULESET))
    of_games = pc.is_in(tables["wins"]["game"], games["game"].combine_chunks())
    return tables["wins"].filter(of_games), circumstances(tables).filter(of_games)


def repeated(tables: tuple[pa.Table, pa.Table], n: int, seed: int = 1) -> tuple[pa.Table, pa.Table]:
    """At least `n` rows: all rows over and over, in another order each time."""
    rng = np.random.default_rng(seed)
    size = tables[0].num_rows
    rows = np.concatenate([rng.permutation(size) for _ in range(-(-n // size))])
    return tuple(table.combine_chunks().take(rows).combine_chunks() for table in tables)


# -- plain


def plain(wins: pa.Table, facts: pa.Table) -> Iterator[Win]:
    """The wins one by one, from the tables `wins` and `circumstances`."""
    names = ["concealed", "win_tile", "winner", "is_tsumo", "dora_indicators", "ura_indicators"]
    columns = {name: wins[name].to_pylist() for name in names}
    for slot in range(1, 5):
        columns[f"meld_{slot}"] = codes(wins[f"meld_{slot}"], MELD_KINDS).tolist()
        for part in ("kind", "from", "called", "red"):
            columns[f"meld_{slot}_{part}"] = wins[f"meld_{slot}_{part}"].to_pylist()
    for name in ("seat_wind", "round_wind", *(f"is_{flag}" for flag in FLAGS)):
        columns[name] = facts[name].to_pylist()
    for values in zip(*columns.values(), strict=True):
        row = dict(zip(columns, values, strict=True))
        yield Win(
            concealed=row["concealed"],
            tile=row["win_tile"],
            melds=[_meld(row, slot) for slot in range(1, 5) if row[f"meld_{slot}"] >= 0],
            is_tsumo=row["is_tsumo"],
            seat_wind=row["seat_wind"],
            round_wind=row["round_wind"],
            flags=frozenset(flag for flag in FLAGS if row[f"is_{flag}"]),
            dora=KIND_OF_TILE[row["dora_indicators"]].tolist(),
            ura=KIND_OF_TILE[row["ura_indicators"] or []].tolist() if row["ura_indicators"] else [],
        )


def _meld(row: dict, slot: int) -> Meld:
    kind, low = MELD_KINDS[row[f"meld_{slot}"]], row[f"meld_{slot}_kind"]
    tiles = [low, low + 1, low + 2] if kind == "chi" else [low] * (3 if kind == "pon" else 4)
    if row[f"meld_{slot}_red"]:
        five = next(i for i, tile in enumerate(tiles) if tile in RED_OF_FIVE)
        tiles[five] = RED_OF_FIVE[tiles[five]]
    source = row[f"meld_{slot}_from"]
    return Meld(kind, low, tiles, row[f"meld_{slot}_called"], 0 if source is None else (source - row["winner"]) % 4)


def numbered(win: Win) -> tuple[list[int], int, list[list[int]]]:
    """The concealed tiles, the winning tile and the melds' tiles as 0-135; copy 0 of a five is the red one."""
    used: dict[int, int] = {}

    def number(tile: int) -> int:
        if tile >= 34:
            return 4 * int(KIND_OF_TILE[tile])
        copy = used.get(tile, 1 if tile in RED_OF_FIVE else 0)
        used[tile] = copy + 1
        return 4 * tile + copy

    tiles = [number(tile) for tile in win.concealed]
    return tiles, tiles[win.concealed.index(win.tile)], [[number(tile) for tile in meld.tiles] for meld in win.melds]


def points_of(is_tsumo: bool, is_dealer: bool, ron: int, from_dealer: int, from_other: int) -> int:
    """What the winner gets, of four players, without honba and sticks."""
    if not is_tsumo:
        return ron
    return 3 * from_other if is_dealer else from_dealer + 2 * from_other


def write(folder: Path, name: str, tables: tuple[pa.Table, pa.Table]) -> None:
    """Lay a set of wins down for the engines."""
    for table, part in zip(tables, ("wins", "circumstances"), strict=True):
        pq.write_table(table, folder / f"{name}-{part}.parquet")


def read_plain(folder: Path, name: str) -> list[Win]:
    """A set of wins as an engine gets it that takes one hand at a time."""
    return list(plain(*(pq.read_table(folder / f"{name}-{part}.parquet") for part in ("wins", "circumstances"))))
