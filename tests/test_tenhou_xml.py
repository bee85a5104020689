"""Tenhou XML: the columnar decoder against a plain reader on real logs, small logs a reader can check by eye,
and logs that are broken in every way."""

from __future__ import annotations

import base64
import gzip
import hashlib
import os
import random
import re
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pytest

from parsers import schema
from parsers.tenhou_xml import melds, read
from tests import plain_mjlog as plain
from tests.small_mjlog import AFTER, EXHAUSTED, OWARI, RON, agari, init, log, tsumo

SHARED = Path(os.environ.get("KOYAKU_SHARED", Path(__file__).parents[2] / "shared"))
REAL = SHARED / "logs" / "mjlog"
needs_real_logs = pytest.mark.skipif(not REAL.is_dir(), reason="no real logs: set KOYAKU_SHARED to their folder")


def real_logs(wanted: Callable[[Path], bool] = lambda _: True, *, data: bool = True) -> list[tuple[str, bytes]]:
    """Real logs by path, without their folders; or only the paths."""
    logs = []
    for path in sorted(p for p in REAL.rglob("*") if p.is_file() and wanted(p)):
        content = path.read_bytes() if data else b""
        logs.append((path.name, gzip.decompress(content) if content[:2] == b"\x1f\x8b" else content))
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


# Real logs.

ODD_FOLDERS = ("CrazyBBB", "Jim137", "MahjongPantheon", "MahjongRepository", "chienshyong", "dnovikoff", "gimite")
@needs_real_logs
def test_real_logs_of_every_odd_kind_read_as_the_plain_reader_reads_them():
    logs = real_logs(lambda path: path.parent.name in ODD_FOLDERS)
    assert_same(logs)


@needs_real_logs
def test_a_sample_of_ordinary_real_logs_reads_as_the_plain_reader_reads_them():
    paths = [path for path, _ in real_logs(lambda path: path.parent.name not in ODD_FOLDERS, data=False)]
    chosen = set(random.Random(7).sample(paths, 60))
    assert_same(real_logs(lambda path: path.name in chosen))


@needs_real_logs
@pytest.mark.slow
def test_all_real_logs_read_as_the_plain_reader_reads_them():
    logs = real_logs()
    for start in range(0, len(logs), 500):
        assert_same(logs[start : start + 500])


@needs_real_logs
@pytest.mark.slow
def test_all_real_logs_are_counted_and_only_damaged_ones_rejected():
    logs = real_logs()
    made = read(logs)
    rejects = made["rejects"].to_pylist()
    assert len(logs) == 4171
    assert made["games"].num_rows == 4169
    assert made["rounds"].num_rows == 28_948 - 18  # 18 are cut off
    assert made["wins"].num_rows == 24_803
    assert {reject["reason"].split(":")[0] for reject in rejects} == {
        "the round has no end",
        "RYUUKYOKU without scores",
    }
    assert len(rejects) == 18
    assert set(made["win_yaku"]["yaku"].unique().to_pylist()) <= set(YAKU)


@needs_real_logs
@pytest.mark.slow
def test_the_wall_of_every_real_log_with_a_seed_agrees_with_its_record():
    walls = read(real_logs(), walls=True)["walls"]
    assert walls.num_rows == 26_275
    assert walls["agrees"].to_pylist() == [True] * walls.num_rows


# Small logs: what each tag becomes.


def rows(data: bytes, name: str, *, path: str = "small.mjlog", walls: bool = False) -> list[dict]:
    made = read([(path, data)], walls=walls)
    if name != "rejects":
        assert made["rejects"].to_pylist() == []
    return made[name].to_pylist()


def small(*tags: str, go: str = 'type="9"', three: bool = False) -> bytes:
    """One round of these tags, then a win that ends the game."""
    return log(init(three=three) + "".join(tags) + tsumo(130, owari=OWARI), go=go)


def actions(data: bytes) -> list[dict]:
    return [row for row in rows(data, "actions") if row["tile"] != 32]


def test_every_meld_code_decodes_as_the_plain_reader_decodes_it():
    codes = np.arange(65536)
    decoded = melds.decode(codes)
    kinds = [*schema.ACTION_KINDS, None]
    for code in codes.tolist():
        if decoded.kind[code] < 0:
            continue
        meld = plain.meld(code, 0)
        assert kinds[decoded.kind[code]] == meld.kind
        assert decoded.low[code] == meld.tiles[0] // 4
        called = {"kakan": meld.added, "kita": meld.tiles[0], "ankan": code >> 8}.get(meld.kind, meld.called)
        assert decoded.tile[code] == called
        assert decoded.relative[code] == (-1 if meld.from_seat is None else meld.from_seat)
        assert decoded.red[code] == sum(tile in (16, 52, 88) for tile in meld.tiles if meld.kind != "kita")


@pytest.mark.parametrize(
    ("code", "why"),
    [
        (0x40, "bit 6 alone is no kind of meld but a kan of 1m: see the next"),
        (0x88 << 8, "a kan of tile 136"),
        (34 * 3 << 9 | 0x9, "a pon of kind 34"),
        (63 << 10 | 0x7, "a run beyond the souzu"),
        (0x8, "a pon from oneself"),
        (0x5, "a chi from the next seat"),
        (0x20, "kita of 1m"),
    ],
)
def test_a_meld_code_that_stands_for_no_meld_is_none(code, why):
    expected = -1 if code != 0x40 else schema.ACTION_KINDS.index("ankan")
    assert melds.decode(np.array([code])).kind[0] == expected, why


def test_a_discard_of_the_tile_just_drawn_is_tsumogiri_and_another_is_not():
    found = rows(small("<T60/><D60/><U61/><E13/>"), "actions")
    assert [row["is_tsumogiri"] for row in found] == [None, True, None, False, None]
    assert [row["kind"] for row in found][:4] == ["draw", "discard", "draw", "discard"]


def test_a_discard_after_riichi_is_still_tsumogiri():
    found = rows(
        small('<T60/><REACH who="0" step="1"/><D60/><REACH who="0" ten="240,250,250,250" step="2"/>'), "actions"
    )
    assert [row["kind"] for row in found][:4] == ["draw", "riichi", "discard", "riichi_accepted"]
    assert found[2]["is_tsumogiri"] is True


def test_tiles_are_kinds_and_copies_and_red_fives_their_own():
    found = rows(small("<T53/><D53/><U52/><E52/>"), "actions")
    assert [(row["tile"], row["copy"]) for row in found][:4] == [(13, 1), (13, 1), (35, 0), (35, 0)]


def test_there_are_no_red_fives_where_the_room_plays_without():
    data = small("<T53/><D53/><U52/><E52/>", go='type="11"')
    assert [row["tile"] for row in rows(data, "actions")][2:4] == [13, 13]
    assert 34 not in rows(data, "rounds")[0]["hand_1"]
    assert rows(data, "games")[0]["ruleset"] == "tenhou_4p_noaka"


def test_a_pon_is_made_of_the_called_tile_and_remembers_who_fed_it():
    code = (14 * 3 + 2) << 9 | 1 << 5 | 0x8 | 3  # 6p, tiles 56 58 59, the last called
    drawn = "<T60/><D60/><U56/><E13/><V61/><F61/><W62/><G62/><T63/><D63/><U58/><E14/><V64/><F64/><W65/><G65/>"
    actions = rows(small(drawn + f'<T59/><D59/><N who="1" m="{code}"/><E15/>'), "actions")
    (found,) = [action for action in actions if action["kind"] == "pon"]
    assert (found["seat"], found["from_seat"]) == (1, 0)
    assert (found["tile"], found["copy"], found["meld_kind"], found["meld_red"]) == (14, 3, 14, 0)


def test_a_concealed_kan_has_its_kind_for_a_tile_and_no_copy():
    found = rows(log(init() + f'<T60/><N who="0" m="{1 << 8}"/><T61/><D61/>' + EXHAUSTED), "actions")[1]
    assert (found["kind"], found["tile"], found["copy"], found["from_seat"]) == ("ankan", 0, None, None)
    assert (found["meld_kind"], found["meld_red"]) == (0, 0)


def test_an_added_kan_stays_in_the_slot_of_its_triplet():
    pon = (15 * 3) << 9 | 3 << 5 | 0x8 | 2  # 7p, tiles 60 61 62, the first called, from across
    other = (16 * 3) << 9 | 3 << 5 | 0x8 | 1  # 8p, tiles 64 65 66, from the right
    kan = (15 * 3) << 9 | 3 << 5 | 0x10 | 2  # 7p with tile 63
    data = log(
        init()
        + "<T61/><D9/><U70/><E70/><V71/><F71/><W72/><G72/><T62/><D10/><U73/><E73/><V74/><F74/><W75/><G75/>"
        + "<T65/><D11/><U76/><E76/><V77/><F77/><W78/><G78/><T66/><D12/><U79/><E79/>"
        + f'<V60/><F60/><N who="0" m="{pon}"/><D0/><U64/><E64/><N who="0" m="{other}"/><D1/><T63/>'
        + f'<N who="0" m="{kan}"/><T100/>'
        + agari("2,3,4,5,6,7,8,100", 100, 0, 0)
    )
    win = rows(data, "wins")[0]
    assert (win["meld_1"], win["meld_1_kind"], win["meld_1_from"], win["meld_1_called"]) == ("kakan", 15, 2, 15)
    assert (win["meld_2"], win["meld_2_kind"], win["meld_2_from"]) == ("pon", 16, 1)
    assert win["meld_3"] is None
    added = rows(data, "actions")[-2]
    assert (added["kind"], added["tile"], added["copy"], added["from_seat"]) == ("kakan", 15, 3, 2)


def test_a_north_set_aside_is_kita_and_counts_for_its_winner():
    three = init(three=True)
    win = agari(",".join(map(str, range(32, 45))) + ",100", 100, 0, 0, sc="350,30,350,-15,350,-15,0,0", yaku="0,1,52,1")
    data = log(three + f'<T120/><N who="0" m="{120 << 8 | 0x20}"/><T100/>' + win, go='type="185" lobby="0"')
    assert rows(data, "wins")[0]["n_kita"] == 1
    kita = rows(data, "actions")[1]
    assert (kita["kind"], kita["tile"], kita["copy"], kita["meld_kind"]) == ("kita", 30, 0, None)


def test_the_fourth_seat_of_a_three_player_game_is_null_everywhere():
    win = agari(",".join(map(str, range(32, 45))) + ",100", 100, 0, 0, sc="350,30,350,-15,350,-15,0,0")
    draw = '<RYUUKYOKU ba="0,0" sc="380,20,335,-10,335,-10,0,0" hai0="1"/>'
    second = init(1, three=True, ten="380,335,335,0", oya=1)
    data = log(init(three=True, ten="350,350,350,0") + "<T100/>" + win, second + draw, go='type="185"')
    for name in ("rounds", "wins", "draws"):
        row = rows(data, name)[0]
        per_seat = [value for column, value in row.items() if column.endswith("_3") and not column.startswith("meld")]
        assert per_seat
        assert per_seat == [None] * len(per_seat), name
    assert [row["seat"] for row in rows(data, "seats")] == [0, 1, 2]
    assert [row["live_left"] for row in rows(data, "rounds")] == [54, 55]


def test_going_and_coming_back_are_actions_but_not_before_the_first_round():
    data = log(
        init() + '<BYE who="2"/><T60/><D60/><UN n2="west"/>' + tsumo(130, owari=OWARI),
        before='<BYE who="1"/><UN n1="south"/>',
    )
    found = [(row["kind"], row["seat"]) for row in rows(data, "actions")]
    assert found == [("disconnect", 2), ("draw", 0), ("discard", 0), ("reconnect", 2), ("draw", 0)]


@pytest.mark.parametrize(
    ("written", "name"),
    [
        ("%E9%9B%80", "雀"),
        ("雀", "雀"),
        ("A&amp;B", "A&B"),
        ("%26lt%3B", "<"),
        ("%FF", "\N{REPLACEMENT CHARACTER}"),
        ("a b", "a b"),
        ("", ""),
    ],
)
def test_names_are_read_percent_encoded_or_plain(written, name):
    data = log(init() + tsumo(owari=OWARI)).replace(b'n0="east"', f'n0="{written}"'.encode())
    assert rows(data, "seats")[0]["player"] == name


def test_both_winners_of_a_double_ron_have_a_row_and_only_the_first_takes_the_sticks():
    second = agari(
        "26,27,28,29,30,31,32,33,34,35,36,37,38,52", 52, 2, 0, ba="1,0", sc="240,-13,250,0,250,13,250,0", owari=OWARI
    )
    first = RON.replace('ba="0,0"', 'ba="1,2"')
    found = rows(log(init() + first + second), "wins")
    assert [(w["win_no"], w["winner"], w["loser"], w["honba_paid"], w["sticks_paid"]) for w in found] == [
        (0, 1, 0, 1, 2),
        (1, 2, 0, 1, 0),
    ]


@pytest.mark.parametrize(
    ("type_", "kind", "tenpai"),
    [
        (None, "exhaustive", [True, False, False, True]),
        ("nm", "nagashi_mangan", [True, False, False, True]),
        ("yao9", "kyuushu_kyuuhai", [None] * 4),
        ("kaze4", "suufon_renda", [None] * 4),
        ("reach4", "suucha_riichi", [True, False, False, True]),
        ("ron3", "sanchahou", [True, None, None, True]),
        ("kan4", "suukaikan", [None] * 4),
    ],
)
def test_every_kind_of_draw_says_who_was_tenpai_where_it_shows_hands(type_, kind, tenpai):
    attribute = f'type="{type_}" ' if type_ else ""
    draw = f'<RYUUKYOKU {attribute}ba="0,0" sc="250,-20,250,80,250,-40,250,-20" hai0="0" hai3="1"/>'
    found = rows(log(init() + draw), "draws")[0]
    assert found["kind"] == kind
    assert [found[f"is_tenpai_{seat}"] for seat in range(4)] == tenpai
    assert [found[f"is_nagashi_{seat}"] for seat in range(4)] == [False, kind == "nagashi_mangan", False, False]
    assert found["delta_1"] == 8000


def test_a_yakuman_has_no_han_and_a_counted_one_has():
    hand = "0,1,2,3,4,5,6,7,8,9,10,11,12,52"
    yakuman = agari(hand, 52, 0, 0, yaku=None, yakuman="39,42", ten="30,96000,5")
    assert rows(log(init() + "<T52/>" + yakuman), "wins")[0]["han"] is None
    assert [row["han"] for row in rows(log(init() + "<T52/>" + yakuman), "win_yaku")] == [None, None]
    counted = agari(hand, 52, 0, 0, yaku="35,6,52,7", ten="30,48000,5")
    assert rows(log(init() + "<T52/>" + counted), "wins")[0]["han"] == 13
    assert rows(log(init() + "<T52/>" + counted), "wins")[0]["limit"] == "yakuman"


def test_ura_dora_without_han_and_a_yaku_number_nobody_knows_are_kept():
    win = agari("0,1,2,3,4,5,6,7,8,9,10,11,12,52", 52, 0, 0, yaku="1,1,53,0,57,2", doraHaiUra="100")
    found = [(row["yaku"], row["han"]) for row in rows(log(init() + "<T52/>" + win), "win_yaku")]
    assert found == [("riichi", 1), ("ura_dora", 0), ("tenhou:57", 2)]
    assert rows(log(init() + "<T52/>" + win), "rounds")[0]["ura_indicators"] == [25]


def test_a_liable_seat_is_recorded():
    win = agari("0,1,2,3,4,5,6,7,8,9,10,11,12,52", 52, 0, 0, paoWho="2")
    assert rows(log(init() + "<T52/>" + win), "wins")[0]["liable"] == 2


def test_a_hand_recorded_without_its_winning_tile_gets_it():
    win = agari("0,1,2,3,4,5,6,7,8,9,10,11,12", 52, 0, 0, m="", doraHaiUra="")
    found = rows(log(init() + "<T52/>" + win), "wins")[0]
    assert found["concealed"] == [0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 35]
    assert found["ura_indicators"] is None


def test_chips_come_from_the_end_of_a_game_in_a_chip_room():
    end = OWARI + ",-3,0,2,0,5,0,-4,0"
    data = log(init() + tsumo(owari=end), go='type="1601" lobby="1111"')
    assert [row["chips"] for row in rows(data, "seats")] == [-3, 2, 5, -4]
    game = rows(data, "games")[0]
    assert (game["ruleset"], game["lobby"], game["room"]) == ("tenhou_4p_aka_chip", 1111, "ippan_fast")


@pytest.mark.parametrize(
    ("flags", "ruleset", "length"),
    [
        (1, "tenhou_4p_aka", "east"),
        (9, "tenhou_4p_aka", "south"),
        (11, "tenhou_4p_noaka", "south"),
        (13, "tenhou_4p_aka_nokuitan", "south"),
        (7, "tenhou_4p_noaka_nokuitan", "east"),
        (17, "tenhou_3p", "east"),
        (27, "tenhou_3p_noaka", "south"),
        (31, "tenhou_3p_noaka_nokuitan", "south"),
        (0x201, "tenhou_4p_aka_chip", "east"),
        (0x400 | 27, "tenhou_3p_noaka_chip", "south"),
    ],
)
def test_the_ruleset_follows_from_the_rule_bits(flags, ruleset, length):
    draw = EXHAUSTED if not flags & 16 else '<RYUUKYOKU ba="0,0" sc="250,0,250,0,250,0,0,0"/>'
    game = rows(log(init(three=bool(flags & 16)) + draw, go=f'type="{flags}"'), "games")[0]
    assert (game["ruleset"], game["length"], game["flags"]) == (ruleset, length, flags)


def test_id_and_start_come_from_a_file_name_that_has_them():
    data = log(init() + tsumo(owari=OWARI))
    game = rows(data, "games", path="logs.zip!a/2022060123gm-00a9-0000-01481d95&tw=2.mjlog")[0]
    assert (game["source_id"], game["start_time"]) == ("2022060123gm-00a9-0000-01481d95", datetime(2022, 6, 1, 23))
    assert rows(data, "games", path="2022069923gm-00a9-0000-01481d95.xml")[0]["start_time"] is None
    assert rows(data, "games")[0]["source_id"] is None


def test_a_table_with_rules_of_its_own_says_so_among_its_defects():
    data = log(
        init() + tsumo(owari=OWARI), go='type="257" lobby="1" title="" rule=",,0101" ranking="" csrule="0FE0BF0B"'
    )
    assert rows(data, "games")[0]["defects"] == "rules of its own (csrule), not read"


def test_an_attribute_that_is_not_known_is_a_defect_and_no_error():
    data = log(init() + tsumo(owari=OWARI)).replace(b"<AGARI ", b'<AGARI luck="9" ')
    assert rows(data, "games")[0]["defects"] == "an attribute of AGARI that is not known"


SPELLINGS = {
    "a space before the slash": lambda text: text.replace("/>", " />"),
    "several": lambda text: text.replace("/>", "  \t />"),
    "line breaks inside tags": lambda text: text.replace('" ', '"\n      '),
    "line breaks and indents between tags": lambda text: text.replace("><", ">\r\n    <"),
    "a line break before the slash": lambda text: text.replace("/>", "\n/>"),
    "a declaration and a comment": lambda text: '<?xml version="1.0"?>\n<!-- <T99/> "x" -->' + text + "<!--, -->\n",
    "a byte order mark": lambda text: "\N{BYTE ORDER MARK}" + text,
    "plus signs": lambda text: text.replace(",15,", ",+15,"),
    "leading zeros": lambda text: text.replace('machi="52"', 'machi="00052"').replace("<T52", "<T052"),
    "attributes in the other order": lambda text: re.sub(
        r"<(INIT|AGARI|UN|N) ([^>]*)/>",
        lambda tag: f"<{tag[1]} {' '.join(reversed(re.findall(r'[^ ]+=.[^ ]*', tag[2])))}/>",
        text,
    ),
}


@pytest.mark.parametrize("spelling", SPELLINGS, ids=str)
def test_the_same_log_is_the_same_however_it_is_spelt(spelling):
    text = log(init() + "<T60/><D60/><U61/><E13/>" + tsumo(130), init(ten=AFTER) + LAST)
    spelt = SPELLINGS[spelling](text.decode()).encode()
    assert spelt != text
    for name, table in read([("same", text)]).items():
        other = read([("same", spelt)])[name]
        assert other.drop(["game"]).equals(table.drop(["game"])), name


# Broken logs.

TSUMO = tsumo()
LAST = tsumo(before=AFTER, owari="280,8.0,240,0.0,240,-2.0,240,-6.0")
GOOD = log(init() + TSUMO, init(ten=AFTER) + LAST)


def reject(data: bytes) -> dict:
    """The only row a log that is not read whole gives in rejects."""
    (row,) = read([("broken.mjlog", data)])["rejects"].to_pylist()
    assert not row["reason"].startswith("cannot be read")  # what the decoder did not foresee
    return row


ANKAN_OF_1M = '<N who="0" m="0"/>'
PON_OF_60 = f'<N who="0" m="{(15 * 3) << 9 | 3 << 5 | 0x8 | 2}"/>'  # 7p, tiles 60 61 62, the first called, from across

BROKEN = [
    ("a tile out of range", "<T52/>", "<T136/>", "tile out of range"),
    ("a tile of four digits", "<T52/>", "<T0052/>", "draw or discard that is cut off or damaged"),
    ("a tile that is no number", "<T52/>", "<T5x/>", "draw or discard that is cut off or damaged"),
    ("lower case, which is what clients receive", "<T52/>", "<t52/>", "unknown tag <t52>"),
    ("an unknown tag", "<T52/>", "<FOO/>", "unknown tag <FOO>; known: T U V W D E F G with a tile, N, REACH"),
    ("an unknown kind of draw", "<T52/>", '<RYUUKYOKU type="x" ba="0,0" sc="1,0,1,0,1,0,1,0"/>', "unknown type"),
    ("a seat beyond the table", 'who="0"', 'who="7"', "attribute who must hold 1 whole number in 0..3"),
    ("a seat that is no number", 'who="0"', 'who="a"', "attribute who must hold"),
    ("a winner without seat", 'who="0" ', "", "attribute who must hold"),
    ("a number beyond all bounds", 'machi="52"', 'machi="99999999999999999999"', "attribute machi must hold"),
    ("a number just beyond", 'machi="52"', 'machi="136"', "attribute machi must hold"),
    ("an empty number", 'ten="30,1500,0"', 'ten="30,,0"', "attribute ten must hold 3 whole numbers"),
    ("a limit beyond yakuman", 'ten="30,1500,0"', 'ten="30,1500,6"', "a limit that is not in 0..5"),
    ("scores that are too few", 'sc="250,15,', 'sc="', "attribute sc must hold 8 whole numbers"),
    ("yaku that are no pairs", 'yaku="0,1"', 'yaku="0,1,7"', "pairs of number and han"),
    ("a win without yaku", 'yaku="0,1"', 'yaku=""', "a win without yaku or yakuman"),
    ("too much han", 'yaku="0,1"', 'yaku="0,200"', "more than 127 han"),
    ("a win without hand", 'hai="0,1,2,3,4,5,6,7,8,9,10,11,12,52"', "", "attribute hai is missing"),
    ("a hand too small", 'hai="0,1,2,3,4,5,6,7,8,9,10,11,12,52"', 'hai="0,1,2,3,52"', "not of 14 tiles"),
    ("a hand without its winning tile", '12,52" machi', '12,60" machi', "not of 14 tiles with the winning one"),
    ("an attribute twice", 'who="0"', 'who="0" who="1"', "attribute who twice in a tag"),
    ("an attribute without quotes", 'who="0"', "who=0", "text between the attributes"),
    ("an open value", 'who="0"', 'who="0', "without its closing quote"),
    ("text between attributes", ' who="0"', ' no who="0"', "text between the attributes"),
    ("text before the first attribute", "<AGARI ", "<AGARI no ", "text between the attributes"),
    ("text between tags", "<T52/>", "<T52/>x", "only white space may stand between tags"),
    ("text in a draw", "<T52/>", "<T52 x/>", "draw or discard that is cut off or damaged"),
    ("an attribute in a draw", "<T52/>", '<T52 x="1"/>', "draw or discard that is cut off or damaged"),
    ("a comma outside of values", ' who="0"', ', who="0"', "a comma outside a value"),
    ("a draw in the header", "<TAIKYOKU", "<T60/><TAIKYOKU", "play before the first INIT"),
    ("a game without rules", '<GO type="9" lobby="0"/>', "", "no GO before the first round"),
    ("two games in one", '<GO type="9" lobby="0"/>', '<GO type="9"/><GO type="9"/>', "a second GO"),
    ("rules beyond all bounds", 'type="9"', 'type="99999999999"', "attribute type must hold"),
    ("a hand of twelve", 'hai2="26,', 'hai2="', "attribute hai2 must hold 13 whole numbers"),
    ("a hand of fourteen", 'hai2="26,', 'hai2="26,60,', "attribute hai2 must hold 13 whole numbers"),
    ("no hand at all", 'hai3="', 'hai9="', "attribute hai3 must hold 13 tiles"),
    ("a tile dealt twice", 'hai2="26,', 'hai2="0,', "a tile dealt twice"),
    ("a tile drawn that was dealt", "<T52/>", "<T26/><D26/><T52/>", "a tile drawn that was dealt or drawn before"),
    ("a discard from another hand", "<T52/>", "<D26/><T52/>", "that the seat does not hold"),
    ("a discard of what is drawn later", "<T52/>", "<D60/><T60/><T52/>", "that the seat does not hold"),
    ("a tile discarded twice", "<T52/>", "<D1/><U60/><D1/><T52/>", "a tile that leaves the hand twice"),
    ("a kan of a tile discarded before", "<T52/>", f"<D1/>{ANKAN_OF_1M}<T52/>", "a tile that leaves the hand twice"),
    ("a discard out of a kan", "<T52/>", f"{ANKAN_OF_1M}<D1/><T52/>", "a tile that leaves the hand twice"),
    ("a kan of tiles of others", "<T52/>", f'<N who="0" m="{26 << 8}"/><T52/>', "a meld of tiles that the seat"),
    ("a pon without the pair", "<T52/>", f"<V60/><F60/>{PON_OF_60}<T52/>", "a meld of tiles that the seat"),
    ("a call of a tile nobody discarded", "<T52/>", f"{PON_OF_60}<T52/>", "that seat did not just discard"),
    ("a call of an earlier discard", "<T52/>", f"<V60/><F60/><W61/>{PON_OF_60}<T52/>", "did not just discard"),
    ("a kan added to nothing", "<T52/>", f'<T63/><N who="0" m="{45 << 9 | 0x72}"/><T52/>', "a kan added to no triplet"),
    ("a win with a tile of others", "12,52", "26,52", "a winning hand with a tile that the seat does not hold"),
    ("a win with a tile discarded before", "<T52/>", "<D1/><T52/>", "a winning hand with a tile that the seat"),
    ("a win on an earlier draw", "<T52/>", "<T52/><D0/><U60/>", "did not just draw, discard or add"),
    ("a meld code that is none", "<T52/>", '<N who="0" m="60000"/><T52/>', "stands for no meld"),
    ("kita of four players", "<T52/>", f'<N who="0" m="{120 << 8 | 0x20}"/><T52/>', "kita in a game of four players"),
    ("a riichi without step", "<T52/>", '<REACH who="0"/><T52/>', "attribute step must hold"),
    ("a third step of riichi", "<T52/>", '<REACH who="0" step="3"/><T52/>', "attribute step must hold"),
    ("a win on a tile nobody had", 'machi="52"', 'machi="60"', "that the seat it came from did not just draw"),
    ("a round without end", TSUMO, "<T52/>", "the round has no end"),
    ("a draw without scores", TSUMO, '<T52/><RYUUKYOKU owari=""/>', "RYUUKYOKU without scores"),
    ("play after the win", TSUMO, TSUMO + "<U60/>", "play after the end of the round"),
    ("a draw after the win", TSUMO, TSUMO + EXHAUSTED, "play after the end of the round"),
    ("the same win twice", TSUMO, TSUMO + TSUMO[6:], "two wins in a round that are not ron on the same discard"),
    ("an end that is no number", "280,8.0,", "280,eight,", "attribute owari must hold 8 or 16 numbers"),
    ("an end beyond all bounds", "280,8.0,", "280,1e99,", "attribute owari must hold 8 or 16 numbers"),
    ("an end that is not finite", "280,8.0,", "280,nan,", "attribute owari must hold 8 or 16 numbers"),
    ("another game behind", "</mjloggm>", '</mjloggm><mjloggm ver="2.3"></mjloggm>', "a second game in the same file"),
    ("a tag behind the end", "</mjloggm>", "</mjloggm><T60/>", "tags after </mjloggm>"),
    ("no XML at all", '<mjloggm ver="2.3">', "{}", "it does not begin with <mjloggm>"),
    ("another XML", '<mjloggm ver="2.3">', "<html>", "it does not begin with <mjloggm>"),
    ("an entity bomb", '<mjloggm ver="2.3">', '<!DOCTYPE l [<!ENTITY l "lol">]><mjloggm>&l;', "refused"),
    ("an open comment", "<T52/>", "<!-- <T52/>", "refused"),
    ("character data", "<T52/>", "<![CDATA[<T52/>]]>", "refused"),
    ("a file longer than any game", "</mjloggm>", " " * 10_000_000, "no game is longer"),
]


@pytest.mark.parametrize(("old", "new", "reason"), [b[1:] for b in BROKEN], ids=[b[0] for b in BROKEN])
def test_what_is_wrong_is_said_once_and_nothing_of_it_is_kept(old, new, reason):
    text = GOOD.decode()
    assert old in text
    assert reason in reject(text.replace(old, new).encode())["reason"]


def test_the_place_of_an_error_is_named_by_round_event_and_byte():
    data = GOOD[: GOOD.rindex(b"<T52/>")] + b"<T136/></mjloggm>"
    row = reject(data)
    assert row["place"] == f"round 1, event 1, byte {data.index(b'<T136')}"
    assert (row["round_no"], row["path"], row["source"]) == (1, "broken.mjlog", "tenhou_xml")
    assert row["game"] == int.from_bytes(hashlib.sha256(data).digest()[:8], "big", signed=True)


def test_complete_rounds_of_a_broken_log_are_kept_and_the_game_is_marked():
    data = GOOD[: GOOD.rindex(b"<AGARI")] + b"<AGARI/></mjloggm>"
    made = read([("broken.mjlog", data)])
    (game,) = made["games"].to_pylist()
    assert (game["n_rounds"], game["is_complete"]) == (1, False)
    assert "the end of the game is missing" in game["defects"]
    assert made["rounds"].num_rows == made["wins"].num_rows == 1
    assert made["rejects"].num_rows == 1


def test_a_game_whose_last_round_cannot_be_has_no_end():
    data = GOOD[: GOOD.rindex(b"<T52/>")] + b"<D39/>" + GOOD[GOOD.rindex(b"<T52/>") :]
    made = read([("broken.mjlog", data)])
    (game,) = made["games"].to_pylist()
    assert (game["n_rounds"], game["is_complete"]) == (1, False)
    assert made["seats"]["final_points"].to_pylist() == [None] * 4
    assert made["rejects"]["reason"].to_pylist() == ["a tile discarded, added or set aside that the seat does not hold"]


def test_a_log_that_ends_right_after_a_round_keeps_it_and_says_the_rest_is_missing():
    cut = GOOD[: GOOD.index(b"<INIT", GOOD.index(b"<INIT") + 1)]
    made = read([("cut.mjlog", cut)])
    assert made["rounds"].num_rows == 1
    assert made["rejects"].to_pylist()[0]["reason"] == "the log is cut off: no </mjloggm>"
    assert made["games"].to_pylist()[0]["defects"] == "the log is cut off; the end of the game is missing"


def test_a_complete_game_without_its_closing_tag_is_no_reject():
    made = read([("cut.mjlog", GOOD.replace(b"</mjloggm>", b""))])
    assert made["rejects"].num_rows == 0
    assert made["games"].to_pylist()[0]["is_complete"] is True
    assert made["games"].to_pylist()[0]["defects"] == "the log is cut off"


def test_an_error_after_the_win_spares_the_round_unless_it_may_be_another_win():
    for wrong, n_rounds in (("<INIT/>", 1), ("<XYZ/>", 1), ("<AGARI/>", 0), ("<AGAR", 0)):
        made = read([("x", log(init() + TSUMO + wrong))])
        assert made["rounds"].num_rows == n_rounds, wrong
        assert made["rejects"].num_rows == 1


def test_broken_logs_disturb_no_other():
    rng = random.Random(5)
    broken = [(f"broken {i}", bytes(rng.randrange(256) for _ in range(i * 7))) for i in range(20)]
    broken += [(name, GOOD.replace(old.encode(), new.encode())) for name, old, new, _ in BROKEN]
    good = [(f"good {i}", log(init() + TSUMO, init(ten=AFTER) + LAST, before=" " * i)) for i in range(9)]
    mixed = good + broken
    rng.shuffle(mixed)
    order = [path for path, _ in mixed if path.startswith("good")]
    good.sort(key=lambda entry: order.index(entry[0]))
    alone, together = read(good), read(mixed)
    games = alone["games"]["game"].to_pylist()
    for name in alone:
        if name != "rejects":
            table = together[name].filter(pc.is_in(together[name]["game"], pa.array(games)))
            assert table.equals(alone[name]), name
    rejected = together["rejects"]["path"].to_pylist()
    assert len(rejected) == len(set(rejected))
    assert not [path for path in rejected if path.startswith("good")]


def test_tables_do_not_depend_on_how_logs_are_batched(monkeypatch):
    logs = [(f"{i}", log(init() + TSUMO, before=" " * i)) for i in range(12)]
    together = read(logs, walls=True)
    monkeypatch.setattr("parsers.tenhou_xml.BATCH_BYTES", 1)
    for name, table in read(logs, walls=True).items():
        assert table.equals(together[name]), name


def test_no_logs_give_empty_tables():
    made = read([], walls=True)
    assert {name: table.num_rows for name, table in made.items()} == dict.fromkeys(made, 0)
    for name, table in made.items():
        assert table.schema.equals(schema.TABLES[name])


def check_ends_in_tables_or_rejects(logs: list[tuple[str, bytes]]) -> None:
    made = read(logs, walls=True)
    for name, table in made.items():
        table.validate(full=True)
        assert table.schema.equals(schema.TABLES[name])
    rejected = made["rejects"]["path"].to_pylist()
    assert len(rejected) == len(set(rejected))
    assert set(made["games"]["path"].to_pylist()) | set(rejected) == {path for path, _ in logs}
    assert not [reason for reason in made["rejects"]["reason"].to_pylist() if reason.startswith("cannot be read")]


def test_a_log_cut_at_any_byte_ends_in_tables_or_rejects():
    check_ends_in_tables_or_rejects([(str(stop), GOOD[:stop]) for stop in range(len(GOOD))])


def test_no_round_of_a_cut_log_is_kept_that_the_whole_log_does_not_have():
    whole = read([("x", GOOD)])["rounds"].drop(["game"]).to_pylist()
    made = read([(str(stop), GOOD[:stop]) for stop in range(len(GOOD))])
    games = made["games"].to_pylist()
    kept = made["rounds"].drop(["game"]).to_pylist()
    assert {game["n_rounds"] for game in games} == {1, 2}
    assert kept == [row for game in games for row in whole[: game["n_rounds"]]]


def mutated(data: bytes, rng: random.Random) -> bytes:
    out = bytearray(data)
    kind = rng.choice(("flip", "flip", "structure", "cut out", "repeat", "junk"))
    place, length = rng.randrange(len(out)), rng.choice((1, 2, 5, 30, 300))
    if kind == "flip":
        for _ in range(rng.choice((1, 1, 2, 5, 50))):
            out[rng.randrange(len(out))] = rng.randrange(256)
    elif kind == "structure":
        for _ in range(rng.choice((1, 2, 5))):
            out[rng.randrange(len(out))] = rng.choice(b'<>/"=,0123456789- \n')
    elif kind == "cut out":
        del out[place : place + length]
    elif kind == "repeat":
        other = rng.randrange(len(out))
        out[other:other] = out[place : place + length]
    else:
        out[place : place + length] = rng.randbytes(length)
    return bytes(out)


def test_damaged_logs_end_in_tables_or_rejects():
    rng = random.Random(11)
    for _ in range(40):
        check_ends_in_tables_or_rejects([(str(i), mutated(GOOD, rng)) for i in range(25)])


@needs_real_logs
@pytest.mark.slow
def test_damaged_real_logs_end_in_tables_or_rejects():
    rng = random.Random(13)
    logs = [data for _, data in real_logs(lambda path: path.parent.name in ODD_FOLDERS or "0b" in path.name[-7:])]
    for _ in range(300):
        check_ends_in_tables_or_rejects([(str(i), mutated(rng.choice(logs), rng)) for i in range(25)])
    for data in rng.sample(logs, 5):
        check_ends_in_tables_or_rejects([(str(stop), data[:stop]) for stop in range(0, len(data), 13)])


def test_floods_of_structure_are_read_in_bounded_memory():
    head = GOOD[: GOOD.index(b"<TAIKYOKU")]
    for flood in (b"<", b'"', b",", b"<T5", b"<a/>", b"<AGARI/>", b'a="1" ', b"<T5   />\n", b"<!---->"):
        data = head + flood * (200_000 // len(flood))
        check_ends_in_tables_or_rejects([("flood", data), ("good", GOOD)])


# Walls.


def plain_walls(seed: bytes, n_rounds: int, tiles: list[int]) -> list[tuple[list[int], list[int]]]:
    """Walls and dice of a game tile by tile, with Python's own generator."""
    rng = random.Random(int.from_bytes(seed, "little"))
    made = []
    for _ in range(n_rounds):
        drawn = b"".join(rng.getrandbits(32).to_bytes(4, "little") for _ in range(288))
        hashed = b"".join(hashlib.sha512(drawn[i : i + 128]).digest() for i in range(0, len(drawn), 128))
        words = [int.from_bytes(hashed[i : i + 4], "little") for i in range(0, len(hashed), 4)]
        wall = list(tiles)
        for i in range(len(wall) - 1):
            j = i + words[i] % (len(wall) - i)
            wall[i], wall[j] = wall[j], wall[i]
        made.append((wall, [words[135] % 6, words[136] % 6]))
    return made


def dealt_from(wall: list[int], players: int, oya: int) -> list[list[int]]:
    stack, hands = list(wall), [[] for _ in range(4)]
    for count in (4, 4, 4, 1):
        for i in range(players):
            hands[(oya + i) % players] += [stack.pop() for _ in range(count)]
    return hands


@pytest.mark.parametrize("players", [4, 3])
def test_a_wall_follows_from_its_seed_and_agrees_with_what_was_dealt_from_it(players):
    seed = random.Random(3).randbytes(2496)
    tiles = [t for t in range(136) if players == 4 or not 4 <= t < 32]
    rounds = []
    expected = plain_walls(seed, 2, tiles)
    for number, (wall, dice) in enumerate(expected):
        hands = dealt_from(wall, players, number)
        dealt = " ".join(f'hai{seat}="{",".join(map(str, hand))}"' for seat, hand in enumerate(hands))
        dora = wall[5] if players == 4 else wall[9]
        first = wall[-1 - 13 * players]
        rounds.append(
            f'<INIT seed="{number},0,0,{dice[0]},{dice[1]},{dora}" ten="250,250,250,250" oya="{number}" {dealt}/>'
            + f"<{'TU'[number]}{first}/><{'DE'[number]}{first}/>"
            + (EXHAUSTED if players == 4 else '<RYUUKYOKU ba="0,0" sc="250,0,250,0,250,0,250,0"/>')
        )
    words = [f"{int.from_bytes(seed[i : i + 4], 'little'):08X}" for i in range(0, len(seed), 4)]
    flags = 'type="9"' if players == 4 else 'type="25"'
    for written in ("-base64," + base64.b64encode(seed).decode(), "," + ",".join(words)):
        shuffle = f'<SHUFFLE seed="mt19937ar-sha512-n288{written}" ref=""/>'
        found = rows(log(*rounds, go=flags, before=shuffle), "walls", walls=True)
        assert [(row["wall"], row["dice"]) for row in found] == expected
        assert [row["agrees"] for row in found] == [True, True]
    swapped = [
        rounds[0]
        .replace(f"T{first_draw(rounds[0])}/", f"T{expected[0][0][20]}/")
        .replace(f"<D{first_draw(rounds[0])}/", f"<D{expected[0][0][20]}/"),
        rounds[1],
    ]
    found = rows(log(*swapped, go=flags, before=shuffle), "walls", walls=True)
    assert [row["agrees"] for row in found] == [False, True]


def first_draw(round_: str) -> str:
    return re.search(r"<T(\d+)/>", round_)[1]


@pytest.mark.parametrize(
    "seed",
    ["", "0.3796", "mt19937ar-sha512-n288-base64,AAAA", "mt19937ar-sha512-n288-base64,?", "mt19937ar-sha512-n288,FF,x"],
)
def test_a_log_with_another_seed_or_none_has_no_wall(seed):
    data = log(init() + tsumo(owari=OWARI), before=f'<SHUFFLE seed="{seed}" ref=""/>')
    assert rows(data, "walls", walls=True) == []


@needs_real_logs
def test_dice_of_real_walls_are_those_recorded():
    for path, data in real_logs(lambda path: path.parent.name == "tsubakisakura"):
        dice = [list(round_.seed[3:5]) for round_ in plain.read(data).rounds]
        assert [row["dice"] for row in read([(path, data)], walls=True)["walls"].to_pylist()] == dice
