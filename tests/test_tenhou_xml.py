"""Tenhou XML: the columnar decoder against a plain reader on real logs, small logs a reader can check by eye,
and logs that are broken in every way."""

from __future__ import annotations

import gzip
import hashlib
import os
from datetime import datetime
from pathlib import Path

import pyarrow as pa
import pytest

from parsers import schema
from parsers.tenhou_xml import read
from tests import plain_mjlog as plain

SHARED = Path(os.environ.get("KOYAKU_SHARED", Path(__file__).parents[2] / "shared"))
REAL = SHARED / "logs" / "mjlog"
needs_real_logs = pytest.mark.skipif(not REAL.is_dir(), reason="no real logs: set KOYAKU_SHARED to their folder")


def real_logs() -> list[tuple[str, bytes]]:
    """All real logs, by path."""
    logs = []
    for path in sorted(p for p in REAL.rglob("*") if p.is_file()):
        data = path.read_bytes()
        logs.append((path.name, gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data))
    return logs


# What the tables must hold, made tag by tag from the plain reader.

RULESETS = {
    **dict.fromkeys((1, 9, 41, 97, 137, 161, 169, 225, 257, 2113), "tenhou_4p_aka"),
    **dict.fromkeys((163, 171), "tenhou_4p_noaka"),
    167: "tenhou_4p_noaka_nokuitan",
    185: "tenhou_3p",
    **dict.fromkeys((553, 1601), "tenhou_4p_aka_chip"),
}
ROOMS = {
    **dict.fromkeys((1, 9, 257), "ippan"),
    **dict.fromkeys((1601, 2113), "ippan_fast"),
    **dict.fromkeys((41, 553), "tokujou"),
    97: "tokujou_fast",
    137: "joukyuu",
    **dict.fromkeys((161, 163, 167, 169, 171, 185), "houou"),
    225: "houou_fast",
}
YAKU_BY_NUMBER = """
    menzen_tsumo riichi ippatsu chankan rinshan_kaihou haitei_raoyue houtei_raoyui pinfu tanyao iipeikou
    yakuhai_seat yakuhai_seat yakuhai_seat yakuhai_seat yakuhai_round yakuhai_round yakuhai_round yakuhai_round
    yakuhai_haku yakuhai_hatsu yakuhai_chun double_riichi chiitoitsu chanta ittsuu sanshoku_doujun
    sanshoku_doukou sankantsu toitoi sanankou shousangen honroutou ryanpeikou junchan honitsu chinitsu renhou
    tenhou chiihou daisangen suuankou suuankou_tanki tsuuiisou ryuuiisou chinroutou chuuren_poutou
    junsei_chuuren_poutou kokushi_musou kokushi_juusanmen daisuushii shousuushii suukantsu dora ura_dora aka_dora
"""
YAKU = YAKU_BY_NUMBER.split()
DRAWS = {
    None: "exhaustive",
    "nm": "nagashi_mangan",
    "yao9": "kyuushu_kyuuhai",
    "kaze4": "suufon_renda",
    "reach4": "suucha_riichi",
    "ron3": "sanchahou",
    "kan4": "suukaikan",
}


class Expected:
    """The rows of all tables of one log, from its plain reading."""

    def __init__(self, path: str, data: bytes):
        game = plain.read(data)
        self.players = 3 if game.go_type & 16 else 4
        self.red = not game.go_type & 2
        self.id = int.from_bytes(hashlib.sha256(data).digest()[:8], "big", signed=True)
        self.rows: dict[str, list[dict]] = {name: [] for name in ("rounds", "actions", "wins", "win_yaku", "draws")}
        rounds = []
        for round_ in game.rounds:
            if not round_.is_over:
                break
            rounds.append(round_)
        for number, round_ in enumerate(rounds):
            self.key = {"game": self.id, "round_no": number}
            after = rounds[number + 1].ten if number + 1 < len(rounds) else None
            self._round(round_, after)
        owari = game.owari if len(rounds) == len(game.rounds) else None
        source_id = "-".join(path.split(".")[0].split("&")[0].split("-")[:4]) if path[10:13] == "gm-" else None
        self.rows["games"] = [
            {
                "game": self.id,
                "source_id": source_id,
                "start_time": datetime.strptime(path[:10], "%Y%m%d%H") if source_id else None,
                "path": path,
                "source": "tenhou_xml",
                "players": self.players,
                "length": "south" if game.go_type & 8 else "east",
                "ruleset": RULESETS[game.go_type],
                "flags": game.go_type,
                "room": ROOMS[game.go_type],
                "lobby": game.lobby,
                "n_rounds": len(rounds),
                "is_complete": owari is not None,
                "duplicate_of": None,
            }
        ]
        if not rounds:
            self.rows["games"] = self.rows["seats"] = []
            return
        final = [round(x * 100) for x in owari[: 2 * self.players : 2]] if owari else None
        order = sorted(range(self.players), key=lambda seat: (-final[seat], seat)) if final else None
        self.rows["seats"] = [
            {
                "game": self.id,
                "seat": seat,
                "player": game.names[seat],
                "grade": game.dan[seat] if game.dan else None,
                "rating": pytest.approx(game.rate[seat], rel=1e-6) if game.rate else None,
                "start_points": rounds[0].ten[seat] * 100,
                "final_points": final[seat] if final else None,
                "placement": order.index(seat) + 1 if final else None,
                "result": pytest.approx(owari[2 * seat + 1], abs=1e-4) if owari else None,
                "chips": owari[8 + 2 * seat] if owari and len(owari) == 16 else None,
            }
            for seat in range(self.players)
        ]

    def tile(self, physical: int) -> int:
        if self.red and physical in (16, 52, 88):
            return {16: 34, 52: 35, 88: 36}[physical]
        return physical // 4

    def tiles(self, physical: tuple[int, ...]) -> list[int]:
        return [self.tile(t) for t in physical]

    def n_red(self, meld: plain.Meld) -> int:
        return sum(self.tile(t) > 33 for t in meld.tiles)

    def per_seat(self, name: str, values: list) -> dict:
        return {f"{name}_{seat}": values[seat] if seat < self.players else None for seat in range(4)}

    def _round(self, round_: plain.Round, ten_after: tuple[int, ...] | None) -> None:
        events = round_.events
        results = [e for e in events if isinstance(e, plain.Agari | plain.Ryuukyoku)]
        wins = [e for e in results if isinstance(e, plain.Agari)]
        last = results[-1]
        after = ten_after or [last.sc[2 * s] + last.sc[2 * s + 1] for s in range(4)]
        n_draws = sum(isinstance(e, plain.Draw) for e in events)
        ura = [w.ura for w in wins if w.ura]
        self.rows["rounds"].append(
            {
                **self.key,
                "wind": round_.number // 4,
                "dealer": round_.oya,
                "honba": round_.honba,
                "sticks": round_.sticks,
                **self.per_seat("points", [t * 100 for t in round_.ten]),
                **self.per_seat("hand", [sorted(self.tiles(hand)) for hand in round_.hands]),
                "dora_indicators": self.tiles((round_.dora, *(e.tile for e in events if isinstance(e, plain.Dora)))),
                "ura_indicators": self.tiles(ura[0]) if ura else None,
                "end": "win" if wins else DRAWS[last.type],
                **self.per_seat("delta", [(after[s] - round_.ten[s]) * 100 for s in range(4)]),
                "live_left": (70 if self.players == 4 else 55) - n_draws,
            }
        )
        self._actions(events)
        for number, win in enumerate(wins):
            self._win(number, win)
        if isinstance(last, plain.Ryuukyoku):
            self._draw(last)

    def _actions(self, events: list) -> None:
        drawn = None  # (seat, tile) if the last draw, discard or call was a draw
        rows = []
        for event in events:
            row = dict.fromkeys(schema.ACTIONS.names) | self.key | {"seq": len(rows)}
            if isinstance(event, plain.Agari | plain.Ryuukyoku):
                continue
            if isinstance(event, plain.Draw):
                row |= {"kind": "draw", "seat": event.seat}
                drawn = (event.seat, event.tile)
            elif isinstance(event, plain.Discard):
                row |= {"kind": "discard", "seat": event.seat}
                row["is_tsumogiri"] = drawn == (event.seat, event.tile)
                drawn = None
            elif isinstance(event, plain.Dora):
                row |= {"kind": "dora"}
            elif isinstance(event, plain.Riichi):
                row |= {"kind": "riichi" if event.step == 1 else "riichi_accepted", "seat": event.seat}
            elif isinstance(event, plain.Bye):
                row |= {"kind": "disconnect", "seat": event.seat}
            elif isinstance(event, plain.Un):
                row |= {"kind": "reconnect", "seat": event.seat}
            else:
                drawn = None
                meld = event.meld
                row |= {"kind": meld.kind, "seat": event.seat, "from_seat": meld.from_seat}
                if meld.kind != "kita":
                    row |= {"meld_kind": meld.tiles[0] // 4, "meld_red": self.n_red(meld)}
                if meld.kind == "ankan":
                    row["tile"] = meld.tiles[0] // 4
                else:
                    tile = {"kakan": meld.added, "kita": meld.tiles[0]}.get(meld.kind, meld.called)
                    row |= {"tile": self.tile(tile), "copy": tile % 4}
            if hasattr(event, "tile"):
                row |= {"tile": self.tile(event.tile), "copy": event.tile % 4}
            rows.append(row)
        self.rows["actions"] += rows

    def _win(self, number: int, win: plain.Agari) -> None:
        row = dict.fromkeys(schema.WINS.names) | self.key
        hai = win.hai if len(win.hai) % 3 == 2 else (*win.hai, win.machi)
        melds = [m for m in win.melds if m.kind != "kita"]
        in_call_order = melds[::-1] if len(win.hai) % 3 == 2 else melds  # converters differ from Tenhou in both
        for slot, meld in enumerate(in_call_order, 1):
            row |= {
                f"meld_{slot}": meld.kind,
                f"meld_{slot}_kind": meld.tiles[0] // 4,
                f"meld_{slot}_from": meld.from_seat,
                f"meld_{slot}_called": None if meld.called is None else self.tile(meld.called),
                f"meld_{slot}_red": self.n_red(meld),
            }
        row |= {
            "winner": win.who,
            "win_no": number,
            "loser": None if win.from_who == win.who else win.from_who,
            "is_tsumo": win.from_who == win.who,
            "concealed": sorted(self.tiles(hai)),
            "win_tile": self.tile(win.machi),
            "n_kita": len(win.melds) - len(melds),
            "dora_indicators": self.tiles(win.dora),
            "ura_indicators": self.tiles(win.ura) if win.ura else None,
            "fu": win.fu,
            "han": None if win.yakuman else sum(han for _, han in win.yaku),
            "limit": schema.LIMITS[win.limit],
            "points": win.points,
            "liable": win.pao,
            "honba_paid": win.honba,
            "sticks_paid": win.sticks,
            **self.per_seat("delta", [change * 100 for change in win.sc[1:8:2]]),
        }
        self.rows["wins"].append(row)
        for yaku, han in win.yaku or [(yaku, None) for yaku in win.yakuman]:
            self.rows["win_yaku"].append({**self.key, "winner": win.who, "yaku": YAKU[yaku], "han": han})

    def _draw(self, draw: plain.Ryuukyoku) -> None:
        kind = DRAWS[draw.type]
        shown = [hand is not None for hand in draw.hands]
        if kind == "sanchahou":
            shown = [True if hand else None for hand in shown]
        elif kind not in ("exhaustive", "nagashi_mangan", "suucha_riichi"):
            shown = [None] * 4
        changes = draw.sc[1:8:2]
        nagashi = [kind == "nagashi_mangan" and change > 0 for change in changes]
        self.rows["draws"].append(
            {
                **self.key,
                "kind": kind,
                **self.per_seat("is_tenpai", shown),
                **self.per_seat("is_nagashi", nagashi),
                **self.per_seat("delta", [change * 100 for change in changes]),
            }
        )


def assert_same(logs: list[tuple[str, bytes]]) -> dict[str, pa.Table]:
    """Read the logs both ways and compare every value of every table."""
    read_tables = read(logs)
    expected: dict[str, list[dict]] = {}
    for path, data in logs:
        for name, rows in Expected(path, data).rows.items():
            expected.setdefault(name, []).extend(rows)
    for name, rows in expected.items():
        table = read_tables[name]
        columns = [c for c in table.column_names if c not in ("play_hash", "defects")]
        assert table.num_rows == len(rows), name
        for column in columns:
            got, want = table[column].to_pylist(), [row[column] for row in rows]
            if got != want:
                at = next(i for i, (g, w) in enumerate(zip(got, want, strict=True)) if g != w)
                pytest.fail(f"{name}.{column}, row {at}: {got[at]!r} is not {want[at]!r}\n{rows[at]}")
    return read_tables
