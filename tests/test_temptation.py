"""How often a pattern was one tile away: rounds to follow, and real games against a plain count."""

from __future__ import annotations

import pytest
from conftest import PROJECT, tenhou_logs
from staged import SEATS, staged

import koyaku
from analytics.scoring.ruleset import base
from analytics.temptation import temptation
from parsers import tenhou_xml
from tests import chances_reference as reference
from tests import plain_mjlog

RULES = base().amend({"yaku.sanrenkou": "2"})
NAMES = ("sanrenkou", "toitoi", "chiitoitsu", "honitsu", "suuankou", "iipeikou", "ittsuu", "chanta")
STEPS = "22233344m99p678s"  # 4m makes three triplets in a row, 9p does not


def tempted(hands, story, names=("sanrenkou",), **known):
    found = temptation(staged({"hands": hands, "story": story, **known}), RULES, names)
    return [(SEATS[row["seat"]], row["yaku"]) for row in found.seats.to_pylist()]


def test_a_hand_dealt_one_tile_short_is_tempted():
    assert tempted({"S": STEPS}, "E+9s E-9s exhaustive") == [("S", "sanrenkou")]


def test_a_seat_counts_once_in_a_round_however_long_it_waits():
    story = "E+9s E-9s S+9s S-9s W+9s W-9s N+9s N-9s E+1z E-1z S+1z S-1z exhaustive"
    assert tempted({"S": STEPS}, story) == [("S", "sanrenkou")]


def test_a_hand_that_comes_to_it_in_play_is_tempted():
    hands = {"S": "2223334m9p678s12z"}
    story = "E+9s E-9s S+9p S-1z W+9s W-9s N+9s N-9s E+9s E-9s S+4m S-2z exhaustive"
    assert tempted(hands, story) == [("S", "sanrenkou")]
    assert tempted(hands, story.partition(" S+4m")[0] + " exhaustive") == []


def test_a_tile_of_which_all_copies_are_in_sight_tempts_nobody():
    hands = {"S": "22233344m99p67s1z"}
    story = "E+4m E-4m S+9s S-9s W+{0} W-{0} N+9s N-9s E+9s E-9s S+8s S-1z exhaustive"
    assert tempted(hands, story.format("9s")) == [("S", "sanrenkou")]
    assert tempted(hands, story.format("4m")) == []
    assert tempted(hands, story.format("9s"), indicator="4m") == []


def test_a_pattern_of_a_meld_and_one_by_self_draw_count():
    hands = {"S": "2233344m99p678s9s"}
    story = "E+2m E-2m S:pon:2m S-9s exhaustive"
    assert tempted(hands, story) == [("S", "sanrenkou")]
    assert tempted({"S": "111m22m333p444s55s"}, "E+9s E-9s exhaustive", ("suuankou",)) == [("S", "suuankou")]


def test_a_yaku_of_circumstances_tempts_nobody():
    assert tempted({"S": STEPS}, "E+9s E! E-9s E$ exhaustive", ("riichi", "haitei_raoyue")) == []


def test_rounds_and_seats_are_those_with_play():
    tables = staged({"hands": {}, "story": "E+9s E-9s exhaustive"}, {"hands": {}, "story": "exhaustive"}, players=3)
    found = temptation(tables, RULES, NAMES) + temptation(tables, RULES, NAMES)
    assert (found.n_rounds, found.n_seats, len(found.seats)) == (2, 6, 0)


def differing(path):
    data = path.read_bytes()
    game, tables = plain_mjlog.read(data), tenhou_xml.read([(path.name, data)])
    game.rounds = game.rounds[: len(tables["rounds"])]
    rows = temptation(tables, RULES, NAMES).seats.to_pylist()
    mine = {(row["round_no"], row["seat"], row["yaku"]) for row in rows}
    assert len(mine) == len(rows)
    return mine ^ reference.tempted(game, NAMES), len(mine)


def test_a_few_real_games_are_counted_as_the_plain_scan_counts_them(shared):
    logs = tenhou_logs(shared)
    found = [differing(path) for path in logs[7 :: len(logs) // 3][:3]]
    assert [wrong for wrong, _ in found] == [set()] * 3
    assert sum(n for _, n in found) > 3


@pytest.mark.slow
def test_more_real_games_are_counted_as_the_plain_scan_counts_them(shared):
    logs = tenhou_logs(shared)
    found = [differing(path) for path in logs[:: len(logs) // 60]]
    assert [wrong for wrong, _ in found if wrong] == []


def test_every_win_with_the_pattern_was_one_tile_away_from_it():
    tables = koyaku.read(PROJECT / "data_samples")
    won = {
        (row["game"], row["round_no"], row["winner"])
        for row in tables["win_yaku"].to_pylist()
        if row["yaku"] == "chiitoitsu"
    }
    seats = temptation(tables, base(), ("chiitoitsu",)).seats.to_pylist()
    assert won <= {(row["game"], row["round_no"], row["seat"]) for row in seats}
    assert won
