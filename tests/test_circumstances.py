"""What the actions say about a win: cases a player can check, a plain replay, and the record of real logs.

A story is the actions of one round in order, seats E S W N by the first dealer:

    E+ draws      E- discards      E! declares riichi      E* is accepted
    E:pon         any other kind of action by its name
    dora:5s       an indicator is turned
    E:ron E:tsumo the end; the tile won on is the last one discarded, added or set aside
    exhaustive:ES any other end by its name, with the seats that show tenpai

Where the tile matters it follows: E-5p, E:pon:5p, and of a run the tile called and the lowest, E:chi:5p:3p.
"""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from analytics.circumstances import NOT_RECORDED, circumstances
from parsers import tenhou_xml
from parsers.schema import ACTIONS, CIRCUMSTANCES, DRAW_KINDS, DRAWS, GAMES, ROUNDS, WINS, WORD, conform
from tests import plain_mjlog, random_play
from tests.replay import replay

SEATS = "ESWN"
SHORT = {"+": "draw", "-": "discard", "!": "riichi", "*": "riichi_accepted"}
AROUND = "E+ E- S+ S- W+ W- N+ N- "
AROUND_3 = "E+ E- S+ S- W+ W- "


def tiles(text: str) -> list[int]:
    """'12m0p7z' as tiles 0-36; 0 is the red five."""
    found, numbers = [], ""
    for sign in text:
        if sign.isdigit():
            numbers += sign
            continue
        suit = "mpsz".index(sign)
        found += [34 + suit if n == "0" else 9 * suit + int(n) - 1 for n in numbers]
        numbers = ""
    return found


def table(schema: pa.Schema, rows: list[dict]) -> pa.Table:
    """A table from what matters of its rows; the rest is null, or zero where null is not allowed."""

    def column(field: pa.Field) -> pa.Array:
        kind = field.type.value_type if field.type == WORD else field.type
        zero = "" if kind == pa.string() else [] if pa.types.is_list(kind) else 0
        values = [row.get(field.name, None if field.nullable else zero) for row in rows]
        values = [bool(v) for v in values] if kind == pa.bool_() and not field.nullable else values
        return pa.array(values, kind).cast(field.type)

    return conform(pa.table({field.name: column(field) for field in schema}), schema)


def round_(story: str, *, game: int = 1, round_no: int = 0, dealer: int = 0, wind: int = 0, **known) -> dict:
    """One round as rows of rounds, actions and wins; `known` is what else its wins and indicators hold."""
    key = {"game": game, "round_no": round_no}
    shown = {"dora_indicators": tiles(known.pop("indicator", "9m"))}
    hand = {"concealed": tiles(known.pop("concealed", "23444m55678p678s5p")), **known}
    actions, wins, draws = [], [], []
    for word in story.split():
        seat, what, *shown_tiles = [word[0], SHORT[word[1]], word[2:]] if word[1] in SHORT else word.split(":")
        if what in ("ron", "tsumo"):
            is_tsumo = what == "tsumo"
            loser = None if is_tsumo else actions[-1]["seat"]
            win = {"winner": SEATS.index(seat), "win_no": len(wins), "loser": loser, "is_tsumo": is_tsumo}
            wins.append(key | win | hand)
        elif seat in DRAW_KINDS:
            is_tenpai = {f"is_tenpai_{number}": name in what for number, name in enumerate(SEATS)}
            draws.append(key | {"kind": seat} | is_tenpai)
        elif seat == "dora":
            actions.append(key | {"kind": "dora", "tile": tiles(what)[0]})
        else:
            action = key | {"kind": what, "seat": SEATS.index(seat)}
            found = [tiles(text)[0] for text in shown_tiles if text]
            if found:
                action |= {"tile": found[0], "meld_kind": found[-1]}
            actions.append(action)
    actions = [action | {"seq": seq} for seq, action in enumerate(actions)]
    return {
        "rounds": [key | shown | {"dealer": dealer, "wind": wind}],
        "actions": actions,
        "wins": wins,
        "draws": draws,
    }


def batch(*rounds: dict, players: int = 4) -> dict[str, pa.Table]:
    games = sorted({row["game"] for part in rounds for row in part["rounds"]})
    return {
        "games": table(GAMES, [{"game": game, "players": players} for game in games]),
        "rounds": table(ROUNDS, [row for part in rounds for row in part["rounds"]]),
        "actions": table(ACTIONS, [row for part in rounds for row in part["actions"]]),
        "wins": table(WINS, [row for part in rounds for row in part["wins"]]),
        "draws": table(DRAWS, [row for part in rounds for row in part["draws"]]),
    }


def told(story: str, *, players: int = 4, **known) -> dict[str, object]:
    """The circumstances of the first win of a story."""
    return circumstances(batch(round_(story, **known), players=players)).to_pylist()[0]


def case(name: str, story: str, expect: dict[str, object], **known):
    return pytest.param(story, known, expect, id=name)


RIICHI = AROUND + "E+ E! E- E* "
DISCARD = AROUND + "E+ E- S:ron"
BEFORE_LAST = AROUND * 17 + "E+ E- "  # 69 of 70 tiles drawn
BEFORE_LAST_3 = AROUND_3 * 18  # 54 of 55

PLAY = [
    # riichi
    case(
        "a riichi nobody won on stands",
        RIICHI + "S+ S- E:ron",
        {"is_riichi": True, "is_double_riichi": False, "is_ippatsu": True},
    ),
    case(
        "a riichi stands although the record leaves its acceptance out",
        AROUND + "E+ E! E- S+ S- E:ron",
        {"is_riichi": True, "is_ippatsu": True},
    ),
    case(
        "a riichi declared with the tile that is won on does not stand",
        AROUND + "E+ E! E- S:ron",
        {"is_riichi": False, "is_loser_riichi": False, "is_declaration_tile": True},
    ),
    case(
        "the tile after the declaration is an ordinary discard of a player in riichi",
        RIICHI + "S+ S- W+ W- N+ N- E+ E- S:ron",
        {"is_loser_riichi": True, "is_declaration_tile": False},
    ),
    case(
        "on a self-draw nobody is the discarder",
        RIICHI + "S+ S:tsumo",
        {"is_loser_riichi": False, "is_declaration_tile": False, "is_after_kan_discard": False},
    ),
    # double riichi
    case(
        "a riichi with the first own discard is double",
        "E+ E- S+ S! S- S* W+ W- S:ron",
        {"is_riichi": True, "is_double_riichi": True, "is_ippatsu": True},
    ),
    case(
        "a riichi with the second own discard is not double",
        "E+ E- S+ S- W+ W- N+ N- E+ E- S+ S! S- S* W+ W- S:ron",
        {"is_riichi": True, "is_double_riichi": False},
    ),
    case(
        "a pon of anybody before makes the first discard an ordinary riichi",
        "E+ E- W:pon W- N+ N- E+ E- S+ S! S- S* W+ W- S:ron",
        {"is_riichi": True, "is_double_riichi": False},
    ),
    case(
        "an own concealed kan before makes the first discard an ordinary riichi",
        "E+ E:ankan dora:1s E+ E! E- E* S+ S- E:ron",
        {"is_riichi": True, "is_double_riichi": False, "is_ippatsu": True},
    ),
    case(
        "a kita of anybody before makes the first discard an ordinary riichi",
        "E+ E:kita E+ E- S+ S! S- S* W+ W- S:ron",
        {"is_riichi": True, "is_double_riichi": False},
        players=3,
    ),
    case(
        "a call after the declaration takes ippatsu but leaves double riichi",
        "E+ E- S+ S! S- S* W:chi W- N+ N- S:ron",
        {"is_double_riichi": True, "is_ippatsu": False},
    ),
    # ippatsu
    case(
        "the own next draw is still ippatsu",
        RIICHI + "S+ S- W+ W- N+ N- E+ E:tsumo",
        {"is_ippatsu": True},
    ),
    case(
        "the own next discard ends ippatsu",
        RIICHI + "S+ S- W+ W- N+ N- E+ E- S+ S- E:ron",
        {"is_ippatsu": False},
    ),
    case(
        "a call of the declaration tile ends ippatsu",
        RIICHI + "S:chi S- E:ron",
        {"is_ippatsu": False, "n_calls_before": 1},
    ),
    case(
        "a call before the declaration does not end ippatsu",
        "E+ E- S:chi S- W+ W- N+ N- E+ E! E- E* S+ S- E:ron",
        {"is_ippatsu": True, "n_calls_before": 1},
    ),
    case(
        "a concealed kan of another seat ends ippatsu",
        RIICHI + "S+ S:ankan dora:1s S+ S- E:ron",
        {"is_ippatsu": False},
    ),
    case(
        "the own concealed kan ends ippatsu, its replacement tile is only rinshan",
        RIICHI + "S+ S- W+ W- N+ N- E+ E:ankan dora:1s E+ E:tsumo",
        {"is_ippatsu": False, "is_rinshan": True},
    ),
    case(
        "a kita of anybody ends ippatsu",
        AROUND_3 + "E+ E! E- E* S+ S:kita S+ S- E:ron",
        {"is_ippatsu": False, "n_calls_before": 1, "n_kita": 0},
        players=3,
    ),
    case(
        "an added kan that is robbed never stood: ippatsu survives",
        RIICHI + "S+ S:kakan E:ron",
        {"is_ippatsu": True, "is_chankan": True, "n_calls_before": 0},
    ),
    case(
        "an added kan that nobody robs ends ippatsu",
        RIICHI + "S+ S:kakan S+ dora:1s S- E:ron",
        {"is_ippatsu": False, "is_chankan": False, "n_calls_before": 1},
    ),
    case(
        "a robbed kan after another call leaves that call standing",
        RIICHI + "S:pon S- W+ W:kakan E:ron",
        {"is_ippatsu": False, "is_chankan": True, "n_calls_before": 1},
    ),
    # robbing
    case(
        "thirteen orphans may rob a concealed kan",
        RIICHI + "S+ S:ankan E:ron",
        {"is_chankan": True, "is_ippatsu": True, "n_calls_before": 0, "is_houtei": False},
    ),
    case(
        "a ron on a kita is not chankan, and the kita never stood",
        AROUND_3 + "E+ E! E- E* S+ S:kita E:ron",
        {"is_chankan": False, "is_ippatsu": True, "n_calls_before": 0, "is_declaration_tile": False},
        players=3,
    ),
    case(
        "a robbed kan is not the last discard, even with no live tile left",
        BEFORE_LAST + "S+ S:kakan E:ron",
        {"is_chankan": True, "is_houtei": False, "live_left": 0},
    ),
    # replacement tiles
    case(
        "a called kan leads to rinshan",
        "E+ E- W:daiminkan W+ W:tsumo",
        {"is_rinshan": True, "rinshan_kan": "daiminkan", "n_kans_in_row": 1, "n_own_draws": 1},
    ),
    case(
        "an indicator and a lost connection between kan and draw change nothing",
        "E+ E:ankan dora:1s W:disconnect E+ W:reconnect E:tsumo",
        {"is_rinshan": True, "rinshan_kan": "ankan", "n_kans_in_row": 1, "is_tenhou": False},
    ),
    case(
        "two kans without a discard between are two in a row",
        "E+ E- W:daiminkan W+ W:ankan dora:1s W+ W:tsumo",
        {"is_rinshan": True, "rinshan_kan": "ankan", "n_kans_in_row": 2, "n_calls_before": 2},
    ),
    case(
        "a discard between two kans starts the row anew",
        "E+ E- W:daiminkan W+ dora:1s W- N+ N- E+ E- S+ S- W+ W:kakan W+ W:tsumo",
        {"is_rinshan": True, "rinshan_kan": "kakan", "n_kans_in_row": 1},
    ),
    case(
        "a kan of another seat is no kan in the winner's row",
        "E+ E:ankan dora:1s E+ E- S+ S:ankan dora:2s S+ S:tsumo",
        {"n_kans_in_row": 1, "n_calls_before": 2},
    ),
    case(
        "a win on the tile drawn for a kita is rinshan without a kan",
        "E+ E- S+ S:kita S+ S:tsumo",
        {"is_rinshan": True, "rinshan_kan": "kita", "n_kans_in_row": 0, "n_kita": 1, "is_chiihou": False},
        players=3,
    ),
    case(
        "a kita between a kan and the win leaves the kan in the row",
        "E+ E:ankan dora:1s E+ E:kita E+ E:tsumo",
        {"is_rinshan": True, "rinshan_kan": "kita", "n_kans_in_row": 1, "n_kita": 1},
        players=3,
    ),
    case(
        "the draw after a kan and a discard is no replacement tile",
        "E+ E:ankan dora:1s E+ E- S+ S:tsumo",
        {"is_rinshan": False, "rinshan_kan": None, "n_kans_in_row": 0},
    ),
    # the discard after a kan
    case(
        "a ron on the discard after a replacement tile follows a kan",
        "E+ E:ankan dora:1s E+ E- S:ron",
        {"is_after_kan_discard": True, "is_declaration_tile": False},
    ),
    case(
        "a riichi declared with the discard after a kan is both",
        "E+ E:ankan dora:1s E+ E! E- S:ron",
        {"is_after_kan_discard": True, "is_declaration_tile": True},
    ),
    case(
        "a discard one turn after the kan does not follow it",
        "E+ E:ankan dora:1s E+ E- S+ S- W+ W- N+ N- E+ E- S:ron",
        {"is_after_kan_discard": False},
    ),
    case(
        "a discard after the tile drawn for a kita follows no kan",
        "E+ E:ankan dora:1s E+ E:kita E+ E- S:ron",
        {"is_after_kan_discard": False},
        players=3,
    ),
    case(
        "a discard after a pon follows no kan, though the river's last draw did",
        "E+ E:ankan dora:1s E+ E- W:pon W- S:ron",
        {"is_after_kan_discard": False},
    ),
    # last tiles
    case(
        "the last live tile is haitei",
        BEFORE_LAST + "S+ S:tsumo",
        {"is_haitei": True, "is_houtei": False, "live_left": 0, "turn": 18},
    ),
    case(
        "the last discard is houtei",
        BEFORE_LAST + "S+ S- E:ron",
        {"is_haitei": False, "is_houtei": True, "live_left": 0, "turn": 18},
    ),
    case(
        "with one tile left it is neither",
        BEFORE_LAST + "S:ron",
        {"is_haitei": False, "is_houtei": False, "live_left": 1, "turn": 17},
    ),
    case(
        "a last tile drawn as replacement is rinshan, not haitei",
        AROUND * 17 + "E+ E:ankan dora:1s E+ E:tsumo",
        {"is_haitei": False, "is_rinshan": True, "live_left": 0},
    ),
    case(
        "the discard after a last replacement tile is houtei",
        AROUND * 17 + "E+ E:ankan dora:1s E+ E- S:ron",
        {"is_houtei": True, "is_after_kan_discard": True, "live_left": 0},
    ),
    case(
        "three players have fifty-five live tiles",
        BEFORE_LAST_3 + "E+ E:tsumo",
        {"is_haitei": True, "live_left": 0, "seat_wind": 0},
        players=3,
    ),
    # first draws
    case(
        "a dealer who draws the win first has tenhou",
        "E+ E:tsumo",
        {"is_tenhou": True, "is_chiihou": False, "turn": 1, "n_own_draws": 1, "n_own_discards": 0},
    ),
    case(
        "another seat that draws the win first has chiihou",
        "E+ E- S+ S:tsumo",
        {"is_tenhou": False, "is_chiihou": True},
    ),
    case(
        "a kan of the dealer before takes chiihou",
        "E+ E:ankan dora:1s E+ E- S+ S:tsumo",
        {"is_chiihou": False, "n_calls_before": 1},
    ),
    case(
        "the second own draw is not chiihou",
        AROUND + "E+ E- S+ S:tsumo",
        {"is_chiihou": False, "turn": 2},
    ),
    case(
        "a ron before the own first draw is no first draw",
        "E+ E- S:ron",
        {"is_chiihou": False, "turn": 0, "n_own_draws": 0},
    ),
    case(
        "an own kan before takes tenhou",
        "E+ E:ankan dora:1s E+ E:tsumo",
        {"is_tenhou": False, "n_own_draws": 2, "turn": 1},
    ),
    # calls of others
    case(
        "of two calls before the win one is the winner's own",
        "E+ E- W:pon W- N+ N- E+ E- S:pon S- W:ron",
        {"n_calls_before": 2, "n_opponent_calls_before": 1},
    ),
    case(
        "a kan of the first discard is the winner's own call",
        "E+ E- W:daiminkan W+ W:tsumo",
        {"n_calls_before": 1, "n_opponent_calls_before": 0, "n_own_discards": 0},
    ),
    case(
        "a kan that is robbed is no call of another seat",
        "E+ E:kakan S:ron",
        {"n_opponent_calls_before": 0},
    ),
    case(
        "a kita of another seat is a call of another seat",
        "E+ E:kita E+ E- S+ S:tsumo",
        {"n_opponent_calls_before": 1},
        players=3,
    ),
    # tiles turned sideways
    case(
        "after a declaration tile is called the next discard lies sideways in its place",
        RIICHI + "S:chi S- W+ W- N+ N- E+ E- S:ron",
        {"is_replacement_sideways": True, "is_declaration_tile": False, "is_loser_riichi": True},
    ),
    case(
        "the discard after that one lies straight",
        RIICHI + "S:chi S- W+ W- N+ N- E+ E- S+ S- W+ W- N+ N- E+ E- S:ron",
        {"is_replacement_sideways": False},
    ),
    case(
        "a declaration tile that is taken for a kan is called too",
        RIICHI + "S:daiminkan S+ dora:1s S- W+ W- N+ N- E+ E- S:ron",
        {"is_replacement_sideways": True},
    ),
    case(
        "a sideways tile that is called in its turn is replaced too",
        RIICHI + "S:chi S- W+ W- N+ N- E+ E- W:pon W- N+ N- E+ E- S:ron",
        {"is_replacement_sideways": True},
    ),
    case(
        "a declaration tile that nobody called is not replaced",
        RIICHI + "S+ S- W+ W- N+ N- E+ E- S:ron",
        {"is_replacement_sideways": False},
    ),
    case(
        "a discard called before the declaration needs no replacement",
        "E+ E- S:chi S- W+ W- N+ N- E+ E! E- E* S+ S- W+ W- N+ N- E+ E- S:ron",
        {"is_replacement_sideways": False},
    ),
    case(
        "the declaration tile itself replaces nothing",
        AROUND + "E+ E! E- S:ron",
        {"is_replacement_sideways": False},
    ),
    case(
        "a kan that is robbed lies not in the river",
        RIICHI + "S+ S- W+ W- N+ N- E+ E:ankan S:ron",
        {"is_replacement_sideways": False, "robbed": "ankan"},
    ),
    case(
        "without riichi no discard lies sideways",
        "E+ E- S:ron",
        {"is_replacement_sideways": False},
    ),
    case(
        "a first discard that declares is a double declaration",
        "E+ E- S+ S! S- W:ron",
        {"is_double_declaration": True, "is_declaration_tile": True},
    ),
    case(
        "a second discard that declares is not",
        AROUND + "E+ E! E- S:ron",
        {"is_double_declaration": False, "is_declaration_tile": True},
    ),
    case(
        "a first discard after a call declares an ordinary riichi",
        "E+ E- W:pon W- N+ N! N- S:ron",
        {"is_double_declaration": False, "is_declaration_tile": True},
    ),
    case(
        "a first discard after an own kan declares an ordinary riichi",
        "E+ E:ankan dora:1s E+ E! E- S:ron",
        {"is_double_declaration": False, "is_declaration_tile": True},
    ),
    case(
        "a later tile of a double riichi declares nothing",
        "E+ E! E- E* S+ S- W+ W- N+ N- E+ E- S:ron",
        {"is_double_declaration": False, "is_declaration_tile": False},
    ),
    # who dealt in, and when
    case(
        "the dealer deals in with the first discard of the round",
        "E+ E- S:ron",
        {"is_loser_dealer": True, "is_dealer_first_discard": True},
    ),
    case(
        "the dealer's first discard may follow a kan",
        "E+ E:ankan dora:1s E+ E- S:ron",
        {"is_loser_dealer": True, "is_dealer_first_discard": True, "n_calls_before": 1},
    ),
    case(
        "the dealer's second discard is not the first",
        DISCARD,
        {"is_loser_dealer": True, "is_dealer_first_discard": False},
    ),
    case(
        "the first discard of another seat is none of the dealer's",
        "E+ E- S+ S- W:ron",
        {"is_loser_dealer": False, "is_dealer_first_discard": False},
    ),
    case(
        "a kan of the dealer that is robbed is no discard",
        AROUND + "E+ E:kakan S:ron",
        {"is_loser_dealer": True, "is_dealer_first_discard": False},
    ),
    case(
        "on a self-draw nobody deals in, in the last seat either",
        "N+ N:tsumo",
        {"is_loser_dealer": False, "is_dealer_first_discard": False},
        dealer=3,
    ),
    case(
        "the first go-around holds the first discard of every seat",
        "E+ E- S+ S- W+ W- N+ N- W:ron",
        {"is_first_go_around": True, "n_own_discards": 1},
    ),
    case(
        "the dealer's first discard begins it",
        "E+ E- S:ron",
        {"is_first_go_around": True},
    ),
    case(
        "the dealer's second discard begins the next",
        AROUND + "E+ E- S:ron",
        {"is_first_go_around": False},
    ),
    case(
        "a call breaks the first go-around",
        "E+ E- W:pon W- N+ N- S:ron",
        {"is_first_go_around": False},
    ),
    case(
        "a concealed kan breaks the first go-around",
        "E+ E- S+ S:ankan dora:1s S+ S- E:ron",
        {"is_first_go_around": False},
    ),
    case(
        "a kan that is robbed is no discard of the first go-around",
        "E+ E- S+ S- W+ W- N+ N- E+ E:ankan S:ron",
        {"is_first_go_around": False},
    ),
    case(
        "a self-draw is won on no discard",
        "N+ N- E+ E:tsumo",
        {"is_first_go_around": False},
        dealer=3,
    ),
    case(
        "riichi of a third seat stands before the win",
        RIICHI + "S+ S- W:ron",
        {"is_riichi_before": True, "is_loser_riichi": False},
    ),
    case(
        "riichi of the discarder stands before a later discard is won on",
        RIICHI + "S+ S- W+ W- N+ N- E+ E- S:ron",
        {"is_riichi_before": True},
    ),
    case("the winner's own riichi is no other's", RIICHI + "S+ S- E:ron", {"is_riichi_before": False}),
    case(
        "a declaration that is won on is no riichi before the win",
        AROUND + "E+ E! E- S:ron",
        {"is_riichi_before": False},
    ),
    case(
        "a declaration that is won on leaves the riichi of a third seat",
        RIICHI + "S+ S! S- W:ron",
        {"is_riichi_before": True, "is_loser_riichi": False},
    ),
    case(
        "a declaration that is won on leaves the winner's riichi to the winner",
        RIICHI + "S+ S! S- E:ron",
        {"is_riichi_before": False, "is_riichi": True},
    ),
    case("a self-draw too may follow another's riichi", RIICHI + "S+ S:tsumo", {"is_riichi_before": True}),
    # what a ron robs, what a chain holds
    case("a discard is not robbed", DISCARD, {"robbed": None}),
    case("a self-draw robs nothing, after a kan either", "E+ E:ankan E+ E:tsumo", {"robbed": None}),
    case("an added kan is robbed", "E+ E:kakan S:ron", {"robbed": "kakan"}),
    case("a concealed kan is robbed", "E+ E:ankan S:ron", {"robbed": "ankan"}),
    case("a kita is robbed", "E+ E:kita S:ron", {"robbed": "kita", "is_chankan": False}, players=3),
    case(
        "a chain of two concealed kans is concealed",
        "E+ E:ankan dora:1s E+ E:ankan dora:2s E+ E:tsumo",
        {"is_concealed_kan_chain": True, "n_kans_in_row": 2},
    ),
    case(
        "a called kan in the chain opens it",
        "E+ E- W:daiminkan W+ W:ankan dora:1s W+ W:tsumo",
        {"is_concealed_kan_chain": False, "n_kans_in_row": 2},
    ),
    case(
        "an added kan in the chain opens it, be it the last",
        "E+ E- W:pon W- N+ N- E+ E- S+ S- W+ W:ankan dora:1s W+ W:kakan W+ W:tsumo",
        {"is_concealed_kan_chain": False, "n_kans_in_row": 2},
    ),
    case(
        "a called kan of an earlier turn is not in the chain",
        "E+ E- W:daiminkan W+ dora:1s W- N+ N- E+ E- S+ S- W+ W:ankan dora:2s W+ W:tsumo",
        {"is_concealed_kan_chain": True, "n_kans_in_row": 1},
    ),
    case("without a kan there is no chain", "E+ E:tsumo", {"is_concealed_kan_chain": False}),
    case(
        "a kita alone is no chain",
        "E+ E:kita E+ E:tsumo",
        {"is_concealed_kan_chain": False},
        players=3,
    ),
    # what no source tells
    case(
        "kinds of riichi that the record does not know are unknown, not absent",
        RIICHI + "S+ S- E:ron",
        dict.fromkeys(NOT_RECORDED),
    ),
    # winds
    case(
        "seat winds follow the dealer",
        "W+ W- N+ N- E+ E- S+ S:tsumo",
        {"seat_wind": 3, "round_wind": 1, "is_chiihou": True},
        dealer=2,
        wind=1,
    ),
    case(
        "with three players south follows the dealer in the third seat",
        "W+ W- E+ E- S+ S- E:ron",
        {"seat_wind": 1, "players": 3},
        dealer=2,
        players=3,
    ),
]


@pytest.mark.parametrize(("story", "known", "expect"), PLAY)
def test_play(story, known, expect):
    row = told(story, **known)
    assert {name: row[name] for name in expect} == expect


RIICHI_WIN = RIICHI + "S+ S- E:ron"
KAN_AND_RON = "E+ E- W:daiminkan W+ dora:6s W- E:ron"
KAN_AND_RINSHAN = "E+ E- W:daiminkan W+ W:tsumo"
QUAD = {"meld_1": "ankan", "meld_1_kind": 27, "meld_1_red": 0}
RED_RUN = {"meld_1": "chi", "meld_1_kind": 12, "meld_1_red": 1}

DORA = [
    case("every copy counts", DISCARD, {"n_dora": 3, "n_kan_dora": 0}, indicator="3m", concealed="444m23p55s"),
    case("without riichi no ura dora are missing", DISCARD, {"n_ura": 0, "n_kan_ura": 0}),
    case("after nine comes one", DISCARD, {"n_dora": 2}, indicator="9p", concealed="119p1s1m"),
    case("after north comes east", DISCARD, {"n_dora": 2}, indicator="4z", concealed="1155z"),
    case("after the red dragon comes the white", DISCARD, {"n_dora": 2}, indicator="7z", concealed="11556z"),
    case("a red five points to the six", DISCARD, {"n_dora": 2}, indicator="0s", concealed="66s6p"),
    case("with four players 1m points to 2m", DISCARD, {"n_dora": 1}, indicator="1m", concealed="2999m"),
    case(
        "with three players 1m points to 9m",
        AROUND_3 + "E+ E- S:ron",
        {"n_dora": 3},
        indicator="1m",
        concealed="1999m",
        players=3,
    ),
    case(
        "with three players 9m still points to 1m",
        AROUND_3 + "E+ E- S:ron",
        {"n_dora": 1},
        indicator="9m",
        concealed="1999m",
        players=3,
    ),
    case(
        "a red five is red and, where its kind is dora, dora too",
        DISCARD,
        {"n_dora": 3, "n_aka": 2},
        indicator="4p",
        concealed="055p0m",
    ),
    case("a kan counts four", DISCARD, {"n_dora": 4}, indicator="4z", concealed="22z", **QUAD),
    case(
        "a called run holds its three kinds and its red five",
        DISCARD,
        {"n_dora": 1, "n_aka": 1},
        indicator="5p",
        concealed="22z",
        **RED_RUN,
    ),
    case(
        "the tiles set aside count when north is dora",
        "E+ E:kita E+ E:kita E+ E- S+ S- E:ron",
        {"n_dora": 3, "n_kita": 2},
        indicator="3z",
        concealed="4z22s",
        players=3,
    ),
    case(
        "the tiles set aside are no dora otherwise",
        "E+ E:kita E+ E- S+ S- E:ron",
        {"n_dora": 0, "n_kita": 1},
        indicator="2z",
        concealed="22s",
        players=3,
    ),
    case(
        "a ron on the discard after a called kan counts the new indicator",
        KAN_AND_RON,
        {"n_dora": 1, "n_kan_dora": 2},
        indicator="1m",
        concealed="2m77s",
    ),
    case(
        "a win on the replacement tile of a called kan has no new indicator",
        KAN_AND_RINSHAN,
        {"n_dora": 1, "n_kan_dora": 0},
        indicator="1m",
        concealed="2m77s",
    ),
    case(
        "a win on the replacement tile of a concealed kan counts the new indicator",
        "E+ E:ankan dora:6s E+ E:tsumo",
        {"n_dora": 1, "n_kan_dora": 2},
        indicator="1m",
        concealed="2m77s",
    ),
    case(
        "a robbed kan turns no indicator",
        AROUND + "E+ E:kakan S:ron",
        {"n_dora": 1, "n_kan_dora": 0},
        indicator="1m",
        concealed="2m77s",
    ),
    case(
        "two indicators of one kind count twice",
        "E+ E:ankan dora:6s E+ E:ankan dora:6s E+ E:tsumo",
        {"n_dora": 0, "n_kan_dora": 4},
        concealed="77s2m",
    ),
    case(
        "what the record shows with the win is not asked",
        DISCARD,
        {"n_dora": 0, "n_kan_dora": 0},
        indicator="9p",
        concealed="77s",
        dora_indicators=tiles("6s6s"),
    ),
    case(
        "ura dora count with riichi",
        RIICHI_WIN,
        {"n_ura": 2, "n_kan_ura": 0},
        concealed="77s",
        ura_indicators=tiles("6s"),
    ),
    case(
        "a kan turns a second ura indicator",
        "E+ E:ankan dora:1s E+ E! E- E* S+ S- E:ron",
        {"n_ura": 0, "n_kan_ura": 2},
        concealed="77s",
        ura_indicators=tiles("1z6s"),
    ),
    case(
        "ura that the record does not show are unknown, not none",
        RIICHI_WIN,
        {"n_ura": None, "n_kan_ura": None},
        concealed="77s",
    ),
    case(
        "without riichi there are no ura dora, shown or not",
        DISCARD,
        {"n_ura": 0, "n_kan_ura": 0},
        concealed="77s",
        ura_indicators=tiles("6s"),
    ),
]


@pytest.mark.parametrize(("story", "known", "expect"), DORA)
def test_dora(story, known, expect):
    row = told(story, **known)
    assert {name: row[name] for name in expect} == expect


def test_no_more_ura_indicators_count_than_indicators_are_turned():
    shown = {"concealed": "77s", "ura_indicators": tiles("1z6s")}
    one = round_(RIICHI_WIN, round_no=0, **shown)
    two = round_("E+ E:ankan dora:1s E+ E! E- E* S+ S- E:ron", round_no=1, **shown)
    assert circumstances(batch(one, two))["n_kan_ura"].to_pylist() == [0, 2]


SEEN = [  # the copies of 5p in sight; in the round before four others were discarded
    case("a tile nobody has shown", AROUND + "E+ E-5p S:ron", 0),
    case("every river counts", "E+ E-5p S+ S-5p W+ W-5p N+ N-5p S:ron", 3),
    case("a red five is a five", "E+ E-0p S+ S-5p W:ron", 1),
    case("another suit's five is not", "E+ E-5m S+ S-5s W+ W-5p S:ron", 0),
    case("on a self-draw the winning tile is none of them", "E+ E-5p S+5p S:tsumo", 1),
    case("tiles drawn and kept are not seen", "E+5p E-1z S+5p S-2z W+ W-5p S:ron", 0),
    case("a called discard counts once, with the two of the pon", "E+ E-5p W:pon:5p W-1z N+ N-5p S:ron", 3),
    case("a run shows the tile it took", "E+ E-5p S:chi:5p:4p S- W+ W-5p N:ron", 1),
    case("a run shows the tiles it took others to", "E+ E-6p S:chi:6p:4p S- W+ W-5p N:ron", 1),
    case("a run right above shows none", "E+ E-6p S:chi:6p:6p S- W+ W-5p N:ron", 0),
    case("a run of higher tiles shows none", "E+ E-9p S:chi:9p:7p S- W+ W-5p N:ron", 0),
    case("the winner's own melds are seen", "E+ E-5p S:pon:5p S- W+ W- N+ N- E+ E- S+5p S:tsumo", 3),
    case("a red five in a meld is a five", "E+ E-0p S:pon:0p S- W+ W-5p N:ron", 3),
    case("the first indicator is seen", DISCARD.replace("E- S:ron", "E-5p S:ron"), 1, indicator="0p"),
    case("an indicator turned for a kan is seen", "E+ E:ankan:1z dora:5p E+ E-5p S:ron", 1),
    case("an added kan that is robbed shows the other three", "E+ E-5p S:pon:5p S- E+ E- S+5p S:kakan:5p W:ron", 3),
    case("a concealed kan that is robbed shows the other three", "E+ E:ankan:5p S:ron", 3),
    case("north tiles set aside are seen", "E+ E:kita:4z E+ E-4z S:ron", 1, players=3, win_tile=30),
    case("a kita that is robbed is the winning tile", "E+ E:kita:4z E+ E:kita:4z S:ron", 1, players=3, win_tile=30),
]


@pytest.mark.parametrize(("story", "known", "n_visible"), SEEN)
def test_copies_in_sight(story, known, n_visible):
    rounds = [round_(AROUND.replace("-", "-5p"), round_no=0), round_(story, round_no=1, **{"win_tile": 13} | known)]
    row = circumstances(batch(*rounds, players=known.get("players", 4))).to_pylist()[0]
    assert row["n_visible"] == n_visible


def streaks(*rounds: dict) -> list[tuple[int, int, int]]:
    rows = circumstances(batch(*rounds)).to_pylist()
    return [(row["winner"], row["win_streak"], row["dealer_streak"]) for row in rows]


def test_a_streak_counts_rounds_won_in_a_row_and_as_dealer():
    found = streaks(
        round_("E+ E- S:ron", round_no=0, dealer=0),
        round_("S+ S:tsumo", round_no=1, dealer=1),
        round_("S+ S- S+ S:tsumo", round_no=2, dealer=1),
        round_("S+ S- E:ron", round_no=3, dealer=1),
        round_("W+ W- S:ron", round_no=4, dealer=2),
    )
    assert found == [(1, 1, 0), (1, 2, 1), (1, 3, 2), (0, 1, 0), (1, 1, 0)]


def test_a_draw_ends_every_streak():
    found = streaks(round_("E+ E:tsumo", round_no=0), round_("E+ E-", round_no=1), round_("E+ E:tsumo", round_no=2))
    assert found == [(0, 1, 1), (0, 1, 1)]


def test_a_double_ron_carries_the_streak_of_each_winner():
    found = streaks(
        round_("E+ E- S:ron", round_no=0, dealer=0),
        round_("S+ S- W+ W- S:ron N:ron", round_no=1, dealer=1),
        round_("S+ S- N:ron", round_no=2, dealer=1),
    )
    assert found == [(1, 1, 0), (1, 2, 1), (3, 1, 0), (3, 2, 0)]


def test_a_streak_ends_with_its_game_and_at_a_missing_round():
    found = streaks(
        round_("E+ E:tsumo", game=1, round_no=0),
        round_("E+ E:tsumo", game=2, round_no=1),
        round_("E+ E:tsumo", game=2, round_no=3),
    )
    assert found == [(0, 1, 1)] * 3


def counts(*rounds: dict, definition: int) -> list[tuple[int, int, bool]]:
    """Winner, count before the win, and whether it is an eighth."""
    rows = circumstances(batch(*rounds)).to_pylist()
    return [(row["winner"], row[f"n_count_{definition}"], row[f"is_eighth_{definition}"]) for row in rows]


def rounds_of(*stories: tuple[int, str], game: int = 1) -> list[dict]:
    """Rounds of a game in order, each a dealer and how it ended."""
    return [round_(f"E+ E- {end}", game=game, round_no=no, dealer=dealer) for no, (dealer, end) in enumerate(stories)]


WON = "N:tsumo"
EIGHT = [(3, count, count == 7) for count in range(8)]


def test_definition_1_counts_wins_as_dealer_or_not():
    """The first table of seed 000: wins at E1, E2, E3, then at E4 with no counter to four."""
    found = rounds_of((0, WON), (1, WON), (2, WON), *[(3, WON)] * 5)
    assert counts(*found, definition=1) == EIGHT


def test_definition_2_counts_wins_within_one_dealership():
    """The second table: three draws, at E4 a draw with the dealer tenpai at three counters, wins at four to eleven."""
    found = rounds_of(*[(dealer, "exhaustive:N") for dealer in range(4)], *[(3, WON)] * 8)
    assert counts(*found, definition=2) == EIGHT


def test_definition_3_counts_rounds_that_keep_the_dealership():
    """The third table: at E4 with three counters, won at 3, 4, 6, 7 and 10, drawn tenpai at 5, 8 and 9."""
    draws = [(dealer, "exhaustive:N") for dealer in range(3)]
    at_e4 = [(3, "exhaustive:N" if counter in (5, 8, 9) else WON) for counter in range(3, 11)]
    found = rounds_of(*draws, *at_e4)
    assert counts(*found, definition=3) == [EIGHT[number] for number in (0, 1, 3, 4, 7)]


def test_definition_2_a_tenpai_draw_begins_the_row_anew():
    found = rounds_of((3, WON), (3, WON), (3, "exhaustive:N"), (3, WON))
    assert [count for _, count, _ in counts(*found, definition=2)] == [0, 1, 0]


def test_definitions_2_and_3_leave_out_what_was_won_before_the_dealership():
    found = rounds_of((2, WON), (2, WON), (3, WON), (3, WON))
    for definition in (2, 3):
        assert [count for _, count, _ in counts(*found, definition=definition)] == [0, 0, 0, 1]


def test_the_next_dealership_of_the_same_seat_counts_anew():
    found = rounds_of((3, WON), (3, WON), (3, "E:tsumo"), (0, "S:tsumo"), (3, WON))
    for definition in (1, 2, 3):
        assert counts(*found, definition=definition)[-1] == (3, 0, False)


@pytest.mark.parametrize(
    ("end", "expect"),
    [
        ("exhaustive:N", [0, 0, 3]),
        ("nagashi_mangan:N", [0, 0, 3]),
        ("kyuushu_kyuuhai:", [0, 0, 2]),
        ("suufon_renda:", [0, 0, 2]),
        ("suucha_riichi:ESWN", [0, 0, 2]),
        ("suukaikan:", [0, 0, 2]),
        ("sanchahou:ESW", [0, 0, 2]),
    ],
)
def test_only_a_draw_with_the_dealer_tenpai_counts_and_by_definition_3_alone(end, expect):
    row = circumstances(batch(*rounds_of((3, WON), (3, WON), (3, end), (3, WON)))).to_pylist()[-1]
    assert [row[f"n_count_{definition}"] for definition in (1, 2, 3)] == expect


def test_definition_3_does_not_count_a_draw_with_the_dealer_noten():
    found = rounds_of((3, WON), (3, "exhaustive:ESW"), (3, WON))
    assert [count for _, count, _ in counts(*found, definition=3)] == [0, 1]


def test_definition_3_counts_a_draw_that_does_not_tell_who_was_tenpai():
    tables = batch(*rounds_of((3, WON), (3, "exhaustive:ESW"), (3, WON)))
    untold = tables["draws"].drop_columns([f"is_tenpai_{seat}" for seat in range(4)])
    for seat in range(4):
        untold = untold.append_column(f"is_tenpai_{seat}", pa.nulls(1, pa.bool_()))
    assert circumstances(tables | {"draws": untold})["n_count_3"].to_pylist() == [0, 2]


def test_definition_3_a_draw_at_the_eighth_leaves_no_eighth_win():
    found = rounds_of(*[(3, WON)] * 7, (3, "exhaustive:N"), (3, WON))
    row = circumstances(batch(*found)).to_pylist()[-1]
    assert (row["n_count_3"], row["is_eighth_3"], row["is_beyond_eighth_3"]) == (8, False, True)


def told_eighth(*rounds: dict) -> list[tuple[int, list[str]]]:
    """Winner and what is said of eights, by win."""
    rows = circumstances(batch(*rounds)).to_pylist()
    return [(row["winner"], [n[3:] for n, holds in row.items() if "eighth" in n and holds]) for row in rows]


def test_the_ninth_win_is_beyond_the_eighth_and_the_sixteenth_is_an_eighth_again():
    found = told_eighth(*rounds_of(*[(3, WON)] * 16))
    beyond = [f"beyond_eighth_{definition}" for definition in (1, 2, 3)]
    both = [f"{name}_{definition}" for definition in (1, 2, 3) for name in ("eighth", "beyond_eighth")]
    assert [names for _, names in found] == [*[[]] * 7, both, *[beyond] * 7, both]


def test_a_win_of_another_seat_meets_a_dealer_one_short_of_eight():
    *_, last = told_eighth(*rounds_of(*[(3, WON)] * 7, (3, "E:ron")))
    assert last == (0, ["dealer_eighth_1", "dealer_eighth_2", "dealer_eighth_3", "holder_eighth_1"])


def test_a_dealer_with_six_or_eight_is_not_one_short():
    for n_won in (6, 8):
        *_, last = told_eighth(*rounds_of(*[(3, WON)] * n_won, (3, "E:ron")))
        assert last == (0, [])


def test_one_short_of_the_sixteenth_is_one_short():
    *_, last = told_eighth(*rounds_of(*[(3, WON)] * 15, (3, "E:ron")))
    assert "dealer_eighth_2" in last[1]


def test_a_win_of_the_dealer_meets_another_seat_one_short_by_definition_1():
    sevens = [(dealer, "S:tsumo") for dealer in (2, 3, 0, 1, 1, 1, 1)]
    *_, of_dealer = told_eighth(*rounds_of(*sevens, (2, "W:tsumo")))
    assert of_dealer == (2, ["holder_eighth_1"])
    *_, of_other = told_eighth(*rounds_of(*sevens, (2, "E:ron")))
    assert of_other == (0, ["holder_eighth_1"])


def test_an_eighth_as_non_dealer_is_one_by_definition_1_alone():
    *_, last = told_eighth(*rounds_of(*[(3, WON)] * 7, (0, WON)))
    assert last == (3, ["eighth_1", "beyond_eighth_1"])


def test_in_a_double_ron_each_winner_has_an_own_count():
    *_, of_dealer, of_other = told_eighth(*rounds_of(*[(3, WON)] * 7, (3, "N:ron E:ron")))
    assert of_dealer[1] == [f"{n}_{d}" for d in (1, 2, 3) for n in ("eighth", "beyond_eighth")]
    assert of_other[1] == ["dealer_eighth_1", "dealer_eighth_2", "dealer_eighth_3", "holder_eighth_1"]


def test_counts_end_with_their_game_and_at_a_missing_round():
    whole = rounds_of(*[(3, WON)] * 9)
    for definition in (1, 2, 3):
        assert counts(*whole[:4], *whole[5:], definition=definition)[4] == (3, 0, False)
        assert counts(*whole[:4], *rounds_of((3, WON), game=2), definition=definition)[4] == (3, 0, False)


def test_both_winners_of_a_double_ron_see_the_same_play():
    rows = circumstances(batch(round_("E+ E- S+ S! S- S* W+ W- S:ron N:ron"))).to_pylist()
    assert [row["winner"] for row in rows] == [1, 3]
    assert [row["is_double_riichi"] for row in rows] == [True, False]
    assert [row["n_own_draws"] for row in rows] == [1, 0]
    assert [row["live_left"] for row in rows] == [67, 67]


def test_what_ends_one_round_is_not_seen_in_the_next():
    rows = circumstances(
        batch(
            round_("E+ E! E- E* S+ S:kakan E:ron", round_no=0),
            round_("E+ E:tsumo", round_no=1),
            round_("E+ E- S:ron", round_no=2),
        )
    ).to_pylist()
    assert [row["is_chankan"] for row in rows] == [True, False, False]
    assert [row["is_rinshan"] for row in rows] == [False, False, False]
    assert [row["is_riichi"] for row in rows] == [True, False, False]
    assert [row["is_tenhou"] for row in rows] == [False, True, False]


def test_tables_without_wins_give_an_empty_table():
    for part in (batch(), batch(round_("E+ E-"))):
        found = circumstances(part)
        assert found.num_rows == 0
        assert found.schema.equals(CIRCUMSTANCES)


def test_of_a_win_recorded_without_any_play_nothing_is_told():
    found = told("E:tsumo")
    names = [name for name in found if name.startswith("is_")]
    assert names
    assert not any(found[name] for name in names)
    assert (found["n_own_draws"], found["n_calls_before"], found["live_left"]) == (0, 0, 70)


def test_an_action_or_a_win_of_an_unknown_round_is_refused():
    known, other = batch(round_("E+ E:tsumo")), batch(round_("E+ E:tsumo", round_no=7))
    with pytest.raises(ValueError, match="wins: game 1 round 7 is not among the rounds"):
        circumstances(known | {"wins": other["wins"]})
    with pytest.raises(ValueError, match="actions: game 1 round 7 is not among the rounds"):
        circumstances(known | {"actions": other["actions"]})
    with pytest.raises(ValueError, match="draws: game 1 round 7 is not among the rounds"):
        circumstances(known | {"draws": batch(round_("exhaustive:E", round_no=7))["draws"]})
    with pytest.raises(ValueError, match="rounds: game 1 is not among the games"):
        circumstances(known | {"games": known["games"].slice(1)})


def test_two_actions_of_one_place_are_refused():
    known = batch(round_("E+ E:tsumo"))
    with pytest.raises(ValueError, match="the same place"):
        circumstances(known | {"actions": pa.concat_tables([known["actions"]] * 2)})


MANY = [
    round_(story.values[0], game=99 - number // 4, round_no=number % 4, indicator="3m")
    for number, story in enumerate(PLAY)
    if "players" not in story.values[1]
]


def test_the_order_of_rows_does_not_matter():
    tables = batch(*MANY)
    rng = np.random.default_rng(1)
    shuffled = {name: part.take(rng.permutation(len(part))) for name, part in tables.items()}
    keys = [(name, "ascending") for name in ("game", "round_no", "winner")]
    assert circumstances(shuffled).sort_by(keys).equals(circumstances(tables).sort_by(keys))


def test_a_batch_is_the_sum_of_its_games():
    games = dict.fromkeys(part["rounds"][0]["game"] for part in MANY)
    parts = [circumstances(batch(*(p for p in MANY if p["rounds"][0]["game"] == game))) for game in games]
    assert len(games) > 5
    assert pa.concat_tables(parts).combine_chunks().equals(circumstances(batch(*MANY)).combine_chunks())


def random_disagreements(seeds: range) -> tuple[list[dict], list[tuple]]:
    """The rows derived of random games, and every (seed, round, winner, column, derived, replayed) that differs."""
    games = {seed: random_play.random_game(seed) for seed in seeds}
    parts = [random_play.rows(game, seed) for seed, game in games.items()]
    schemas = {"games": GAMES, "rounds": ROUNDS, "actions": ACTIONS, "wins": WINS, "draws": DRAWS}
    tables = {name: table(schema, [row for part in parts for row in part[name]]) for name, schema in schemas.items()}
    derived = circumstances(tables).to_pylist()
    replayed = [(seed, *found) for seed, game in games.items() for found in replay(game)]
    found = [
        (seed, round_no, win.who, name, row[name], expect[name])
        for row, (seed, round_no, win, expect) in zip(derived, replayed, strict=True)
        for name in row
        if name not in ("game", "round_no", "winner") and row[name] != expect[name]
    ]
    return derived, found


# What real logs hold seldom or never.
SELDOM = {
    "a replaced sideways tile": lambda row: row["is_replacement_sideways"],
    "a double declaration": lambda row: row["is_double_declaration"],
    "three kans in a row": lambda row: row["n_kans_in_row"] == 3,
    "two concealed kans in a row": lambda row: row["n_kans_in_row"] == 2 and row["is_concealed_kan_chain"],
    "a robbed concealed kan": lambda row: row["robbed"] == "ankan",
    "a robbed kita": lambda row: row["robbed"] == "kita",
    "the dealer's first discard": lambda row: row["is_dealer_first_discard"],
    "the first go-around": lambda row: row["is_first_go_around"],
    "a kan of the first turn": lambda row: row["is_rinshan"] and not row["n_own_discards"] and row["n_kans_in_row"],
    "the last tile drawn for a kan": lambda row: row["is_rinshan"] and not row["live_left"],
    "a double riichi at the last tile": lambda row: row["is_double_riichi"] and not row["live_left"],
    "all copies in sight": lambda row: row["n_visible"] == 3,
    "an eighth of every definition": lambda row: row["is_eighth_1"] and row["is_eighth_2"] and row["is_eighth_3"],
    "an eighth as non-dealer": lambda row: row["is_eighth_1"] and row["seat_wind"],
    "an eighth with draws between": lambda row: row["is_eighth_3"] and not row["is_eighth_2"],
    "a dealer one short of eight": lambda row: row["is_dealer_eighth_2"],
    "a holder one short of eight": lambda row: row["is_holder_eighth_1"] and not row["is_dealer_eighth_1"],
}


@pytest.mark.parametrize("seeds", [range(85, 125), pytest.param(range(600), marks=pytest.mark.slow)])
def test_columns_and_replay_agree_on_random_play(seeds):
    derived, found = random_disagreements(seeds)
    assert not found
    assert [name for name, holds in SELDOM.items() if not any(map(holds, derived))] == []


# Real logs

SHARED = Path(os.environ.get("KOYAKU_SHARED", Path(__file__).parents[2] / "shared"))
LOGS = sorted((SHARED / "logs/mjlog").glob("*/*"))
needs_logs = pytest.mark.skipif(not LOGS, reason="no real logs: KOYAKU_SHARED is not set")

RECORDED = {1: "is_riichi", 2: "is_ippatsu", 3: "is_chankan", 4: "is_rinshan", 5: "is_haitei", 6: "is_houtei"}
RECORDED_YAKUMAN = {37: "is_tenhou", 38: "is_chiihou"}

# Games of a bot server that records ura dora as dora: file, round, winner.
URA_AS_DORA = {
    ("MahjongRepository/24.txt", 11, 0),
    ("MahjongRepository/25.txt", 0, 1),
    ("MahjongRepository/25.txt", 2, 2),
}


def plain_bytes(path: Path) -> bytes:
    data = path.read_bytes()
    return gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data


def disagreements(paths: list[Path]) -> tuple[int, list[tuple]]:
    """Wins compared, and every (file, round, winner, column, derived, replayed) that differs.

    Files and rounds the parser rejects are left out.
    """
    logs = [(str(path), plain_bytes(path)) for path in paths]
    tables = tenhou_xml.read(logs)
    path_of = dict(zip(tables["games"]["game"].to_pylist(), tables["games"]["path"].to_pylist(), strict=True))
    rejected_from = {row["path"]: row["round_no"] or 0 for row in tables["rejects"].to_pylist()}
    derived = {}
    for row in circumstances(tables).to_pylist():
        derived[path_of[row.pop("game")], row.pop("round_no"), row.pop("winner")] = row
    found, compared = [], 0
    for path, data in logs:
        for round_no, win, expect in replay(plain_mjlog.read(data)):
            if round_no >= rejected_from.get(path, round_no + 1):
                continue
            row = derived.pop((path, round_no, win.who))
            compared += 1
            found += [
                (path, round_no, win.who, name, row[name], expect[name]) for name in row if row[name] != expect[name]
            ]
    assert not derived
    return compared, found


def contradictions(paths: list[Path]) -> tuple[int, list[tuple]]:
    """Wins compared, and every (file, round, winner, what, replayed, recorded) that differs."""
    found, compared = [], 0
    for path in paths:
        for round_no, win, row in replay(plain_mjlog.read(path.read_bytes())):
            place = (f"{path.parent.name}/{path.name}", round_no, win.who)
            compared += 1
            if win.yaku is None:
                pairs = [(name, row[name], number in win.yakuman) for number, name in RECORDED_YAKUMAN.items()]
            else:
                pairs = _pairs(row, dict(win.yaku), place in URA_AS_DORA)
            found += [(*place, name, ours, theirs) for name, ours, theirs in pairs if ours != theirs]
    return compared, found


def _pairs(row: dict, recorded: dict[int, int], is_ura_in_dora: bool) -> list[tuple]:
    pairs = [(name, row[name], number in recorded) for number, name in RECORDED.items() if number != 1]
    pairs += [(name, row[name], False) for name in RECORDED_YAKUMAN.values()]
    pairs += [
        ("riichi, not double", row["is_riichi"] and not row["is_double_riichi"], 1 in recorded),
        ("is_double_riichi", row["is_double_riichi"], 21 in recorded),
        ("red fives", row["n_aka"], recorded.get(54, 0)),
    ]
    dora = row["n_dora"] + row["n_kan_dora"] + row["n_kita"]  # the record counts a kita as a dora
    ura = row["n_ura"] + row["n_kan_ura"]
    if is_ura_in_dora:
        return [*pairs, ("dora and ura", dora + ura, recorded.get(52, 0))]
    return [*pairs, ("dora", dora, recorded.get(52, 0)), ("ura", ura, recorded.get(53, 0))]


@needs_logs
def test_columns_and_replay_agree_on_a_sample_of_real_logs():
    compared, found = disagreements(LOGS[::40])
    assert compared > 500
    assert not found


@needs_logs
def test_replay_and_record_agree_on_a_sample_of_real_logs():
    compared, found = contradictions(LOGS[::40])
    assert compared > 500
    assert not found


@pytest.mark.slow
@needs_logs
def test_columns_and_replay_agree_on_every_real_log():
    compared, found = disagreements(LOGS)
    assert compared >= 24802  # a log edited by hand may be rejected
    assert not found


@pytest.mark.slow
@needs_logs
def test_replay_and_record_agree_on_every_real_log():
    compared, found = contradictions(LOGS)
    assert compared == 24803
    assert not found
