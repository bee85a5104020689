"""A recorded hand as plain values that a report can draw, and in short writing."""

from __future__ import annotations

from collections.abc import Mapping

import pyarrow as pa

_LENGTH = {"chi": 3, "pon": 3, "daiminkan": 4, "ankan": 4, "kakan": 4}
_RED = {4: 34, 13: 35, 22: 36}
"""The red five of a kind."""


def hand_of(tables: Mapping[str, pa.Table], row: int) -> dict:
    """A win's tiles.

    Returns
    -------
    dict
        `concealed` (tiles 0-36 without the winning one), `win_tile`, `is_tsumo`, `melds` in call order, `n_kita`,
        `seat_wind` and `round_wind` (0-3), `turn`, `dora_indicators`, `ura_indicators` (None if not shown). A meld is
        its `kind`, its `tiles` in order, the index of the called one among them (None of a concealed kan) and how many
        seats after the winner its feeder sits.
    """
    win = {name: tables["wins"][name][row].as_py() for name in tables["wins"].column_names}
    around = {
        name: tables["circumstances"][name][row].as_py() for name in ("seat_wind", "round_wind", "turn", "players")
    }
    concealed = sorted(win["concealed"], key=_kind)
    concealed.remove(win["win_tile"])
    return {
        "concealed": concealed,
        **{name: win[name] for name in ("win_tile", "is_tsumo", "n_kita", "dora_indicators", "ura_indicators")},
        "melds": [_meld(win, slot, around["players"]) for slot in range(1, 5) if win[f"meld_{slot}"] is not None],
        **{name: around[name] for name in ("seat_wind", "round_wind", "turn")},
    }


def _meld(win: Mapping, slot: int, players: int) -> dict:
    kind, low, called, n_red = (win[f"meld_{slot}{name}"] for name in ("", "_kind", "_called", "_red"))
    kinds = [low, low + 1, low + 2] if kind == "chi" else [low] * _LENGTH[kind]
    tiles, at = list(kinds), None
    if called is not None:
        at = kinds.index(_kind(called))
        tiles[at] = called
        n_red -= called >= 34
    for place in range(len(tiles)):
        if n_red and place != at and kinds[place] in _RED:
            tiles[place] = _RED[kinds[place]]
            n_red -= 1
    after = None if win[f"meld_{slot}_from"] is None else (win[f"meld_{slot}_from"] - win["winner"]) % players
    return {"kind": kind, "tiles": tiles, "called": at, "fed_by": None if after is None else _PLACES[players][after]}


_PLACES = {4: ("", "right", "across", "left"), 3: ("", "right", "left")}
"""Where a seat sits, seen from the winner, by how many seats after."""


def _kind(tile: int) -> int:
    return tile if tile < 34 else (4, 13, 22)[tile - 34]


def short_writing(tiles: list[int]) -> str:
    """Tiles in short writing, a red five as 0.

    >>> short_writing([0, 34, 4, 8, 33])
    '1059m7z'
    """
    text = ""
    for suit in range(4):
        own = sorted((tile for tile in tiles if _kind(tile) // 9 == suit), key=lambda tile: (_kind(tile), tile < 34))
        text += "".join("0" if tile >= 34 else str(tile % 9 + 1) for tile in own)
        text += "mpsz"[suit] if own else ""
    return text


def notation(hand: Mapping) -> str:
    """The hand in short writing: the winning tile after `+`, called melds in round brackets, concealed kans in square.

    >>> notation({"concealed": [0, 1, 27, 27], "win_tile": 2, "n_kita": 0,
    ...           "melds": [{"kind": "chi", "tiles": [12, 35, 14]}, {"kind": "ankan", "tiles": [33] * 4}]})
    '12m11z+3m (406p) [7777z]'
    """
    melds = [
        f"[{short_writing(m['tiles'])}]" if m["kind"] == "ankan" else f"({short_writing(m['tiles'])})"
        for m in hand["melds"]
    ]
    kita = [f"north set aside {hand['n_kita']}"] if hand["n_kita"] else []
    return " ".join([f"{short_writing(hand['concealed'])}+{short_writing([hand['win_tile']])}", *melds, *kita])
