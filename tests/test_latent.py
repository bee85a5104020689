"""Latent wins: rounds a player can follow, under rules that differ in one yaku."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from conftest import PROJECT
from staged import SEATS, staged

import koyaku
from analytics.chances import chances, chances_of_store
from analytics.corpus import ingest
from analytics.latent import STANDINGS, latent_of_store, latent_wins, standings, untaken_wins
from analytics.rescoring import RECORDED, amended_rules
from analytics.scoring.ruleset import base
from parsers.store import Store

TANYAO = base()
NO_TANYAO = base().amend({"yaku.tanyao": "off"})
NO_RIICHI = NO_TANYAO.amend({f"yaku.{name}": "off" for name in ("riichi", "double_riichi", "ippatsu")})
KANCHAN = "24m456p234p678s88s"  # waits for 3m and is worth nothing but tanyao, by ron
OPEN = "24m456p34p678s88s2z"  # the same, once 2p is called


def latent(hands, story, old=NO_TANYAO, new=TANYAO, players=4, **known):
    tables = staged({"hands": hands, "story": story, **known}, players=players)
    return latent_wins(tables, chances(tables), old, new)


def wins(found):
    """What was won: seat, seq, from whom."""
    return [
        (SEATS[row["winner"]], row["seq"], None if row["loser"] is None else SEATS[row["loser"]])
        for row in found.wins.to_pylist()
    ]


def standing(hands, story, rules, players=4):
    tables = staged({"hands": hands, "story": story}, players=players)
    return [STANDINGS[code] for code in standings(tables, chances(tables), rules).standing]


# ------------------------------------------------------------------------------------------------ where they come from


def test_a_hand_that_gains_its_only_yaku_wins_by_ron():
    found = latent({"S": KANCHAN}, "E+3m E-3m S+9s S-9s exhaustive")
    assert wins(found) == [("S", 1, "E")]
    [win] = found.wins.to_pylist()
    assert (win["before"], win["yaku"], win["han"], win["fu"], win["points"]) == ("no_yaku", ["tanyao"], 1, 40, 1300)
    assert (found.n_rounds, found.n_rounds_with, win["is_first"]) == (1, 1, True)


def test_honba_and_sticks_come_with_it():
    story = "E+9s E! E-9s E$ S+9s S-9s W+3m W-3m exhaustive"
    [win] = latent({"S": KANCHAN}, story, honba=2, sticks=1).wins.to_pylist()
    assert [win[f"delta_{seat}"] for seat in range(4)] == [0, 1300 + 600 + 2000, -1900, 0]


def test_an_open_hand_wins_by_self_draw():
    story = "E+2p E-2p S:chi:2p S-2z W+9s W-9s N+9s N-9s E+9s E-9s S+3m S-3m exhaustive"
    found = latent({"S": OPEN}, story)
    assert wins(found) == [("S", 10, None)]
    assert found.wins["points"].to_pylist() == [1100]


def test_a_robbed_kan_is_won_on():
    hands = {"W": KANCHAN, "E": "33m11m9m2p5p9p1s4s7s3z4z", "S": "1139m2259p147s34z"}
    story = "E+9p E-9p S+3m S-3m E:pon:3m E-1m S+9s S-9s W+9s W-9s N+9s N-9s E+3m E:kakan:3m E+9s E-9s exhaustive"
    no_chankan = NO_TANYAO.amend({"yaku.chankan": "off"})
    found = latent(hands, story, no_chankan, no_chankan.amend({"yaku.chankan": "1"}))
    assert wins(found) == [("W", 13, "E")]
    assert found.wins["yaku"].to_pylist() == [["chankan"]]
    assert wins(latent(hands, story, no_chankan, TANYAO)) == [("W", 3, "S")]


def test_orphans_rob_a_concealed_kan_where_the_ruleset_lets_them():
    hands = {"E": "777z11m39m2p5p9p1s4s7s", "S": "19m19p19s1123456z"}
    story = "E+7z E:ankan:7z E+9s E-9s exhaustive"
    robbing = base().amend({"yaku.chankan.rob_closed_quad_for_kokushi": True})
    found = latent(hands, story, base(), robbing)
    assert wins(found) == [("S", 1, "E")]
    assert found.wins["before"].to_pylist() == ["not_robbed"]
    assert wins(latent(hands, story, robbing, base())) == []


def test_a_north_set_aside_is_won_on_like_a_discard():
    hands = {"S": "99m123p456p789p44z"}
    no_yaku = base().amend({"yaku.ittsuu": "off"})
    found = latent(hands, "E+4z E:kita E+1s E-1s exhaustive", no_yaku, base(), players=3)
    assert wins(found) == [("S", 1, "E")]


def test_a_replacement_tile_wins_by_rinshan():
    hands = {"S": "24m456p22p678s888s"}
    no_rinshan = NO_TANYAO.amend({"yaku.rinshan_kaihou": "off"})
    story = "E+8s E-8s S:daiminkan:8s S+3m dora:9p S-3m exhaustive"
    found = latent(hands, story, no_rinshan, no_rinshan.amend({"yaku.rinshan_kaihou": "1"}))
    assert wins(found) == [("S", 3, None)]


def test_a_shape_of_the_first_draw_wins_on_the_first_draw():
    hands = {"S": "158m269p37s12345z"}
    adopted = base().amend({"yaku.shiisanpuutaa": "yakuman/off"})
    found = latent(hands, "E+9s E-9s S+5z S-5z W+5z W-5z exhaustive", base(), adopted)
    assert wins(found) == [("S", 2, None)]
    assert found.wins["before"].to_pylist() == ["no_shape"]
    assert found.wins["yaku"].to_pylist() == [["shiisanpuutaa"]]


def test_a_win_under_both_rules_is_none():
    """Passed up under the old rules, it is thought to be passed up under the new ones."""
    assert wins(latent({"S": KANCHAN}, "E+3m E-3m exhaustive", TANYAO, TANYAO.amend({"yaku.tanyao": "2"}))) == []


def test_a_recorded_win_is_none():
    assert wins(latent({"S": KANCHAN}, "E+3m E-3m S:ron")) == []


# ------------------------------------------------------------------------------------------------------------- furiten


def test_a_kind_in_the_own_river_prevents_it():
    story = "E+9s E-9s S+3m S-3m W+3m W-3m exhaustive"
    assert wins(latent({"S": KANCHAN}, story)) == []
    assert standing({"S": KANCHAN}, story, TANYAO) == ["win", "furiten"]  # it was drawn before, in a closed hand


def test_another_kind_of_the_wait_in_the_own_river_prevents_it():
    hands = {"S": "34m456p234p678s88s"}
    no_pinfu = NO_TANYAO.amend({"yaku.pinfu": "off"})
    found = latent(hands, "E+9s E-9s S+2m S-2m W+5m W-5m exhaustive", no_pinfu, TANYAO)
    assert wins(found) == []
    assert wins(latent(hands, "E+9s E-9s S+1m S-1m W+5m W-5m exhaustive", no_pinfu, TANYAO)) == [("S", 5, "W")]


def test_a_discard_that_was_called_stays_in_the_river():
    hands = {"S": KANCHAN, "W": "33m1m9m2p5p9p1s4s7s134z"}
    story = "E+9s E-9s S+3m S-3m W:pon:3m W-1m N+3m N-3m exhaustive"
    assert standing(hands, story, TANYAO) == ["win", "furiten"]


def test_a_tile_passed_up_prevents_it_until_the_next_own_draw():
    story = "E+9s E-9s S+9p S-9p W+3m W-3m N+3m N-3m E+3m E-3m S+9s S-9s W+3m W-3m exhaustive"
    assert standing({"S": KANCHAN}, story, TANYAO) == ["win", "furiten", "furiten", "win"]
    assert standing({"S": KANCHAN}, story, NO_TANYAO) == ["no_yaku", "furiten", "furiten", "no_yaku"]


def test_a_tile_passed_up_in_riichi_prevents_it_for_good():
    story = "E+9s E-9s S+9p S! S-9p S$ W+3m W-3m N+9s N-9s E+9s E-9s S+9s S-9s W+3m W-3m exhaustive"
    assert standing({"S": KANCHAN}, story, TANYAO) == ["win", "furiten"]
    assert standing({"S": KANCHAN}, story, NO_RIICHI) == ["no_yaku", "furiten"]


def test_furiten_goes_by_the_shapes_the_ruleset_plays():
    """The hand waits for 4s and 2z; 6p makes seven pairs of it where four of a kind are two of them."""
    hands = {"S": "334455m44s666p22z"}
    pairs = base().amend({"yaku.chiitoitsu.four_identical": True})
    story = "E+6p E-6p S+9s S-9s W+9s W-9s exhaustive"
    assert (standing(hands, story, base()), standing(hands, story, pairs)) == (["no_shape"], ["win"])
    story = "E+9s E-9s S+6p S-6p W+2z W-2z exhaustive"
    assert standing(hands, story, base()) == ["no_shape", "win"]
    assert standing(hands, story, pairs) == ["win", "furiten"]
    story = "E+6p E-6p S+9s S-9s W+2z W-2z N+6p N-6p E+2z E-2z exhaustive"
    assert standing(hands, story, base()) == ["no_shape", "win", "no_shape", "furiten"]
    assert standing(hands, story, pairs) == ["win", "win", "furiten", "furiten"]


def test_a_self_draw_knows_no_furiten():
    story = "E+2p E-2p S:chi:2p S-2z W+3m W-3m N+9s N-9s E+9s E-9s S+3m S-3m exhaustive"
    found = latent({"S": OPEN}, story)
    assert wins(found) == [("S", 5, "W")]
    tables = staged({"hands": {"S": OPEN}, "story": story})
    assert standings(tables, chances(tables), TANYAO).standing.tolist() == [0, 0]


def test_a_shape_nobody_may_claim_is_not_passed_up():
    hands = {"E": "777z11m39m2p5p9p1s4s7s", "S": "19m19p19s1123456z"}
    story = "E+7z E:ankan:7z E+9s E-9s exhaustive"
    assert standing(hands, story, base()) == ["not_robbed"]


# ------------------------------------------------------------------------------------------------- claims on one tile

BOTH = {"S": KANCHAN, "W": KANCHAN}
HEAD_BUMP = TANYAO.amend({"payment.multiple_ron": "head_bump"})


def test_two_seats_win_on_one_tile_and_the_round_counts_once():
    found = latent(BOTH, "E+3m E-3m exhaustive")
    assert wins(found) == [("S", 1, "E"), ("W", 1, "E")]
    assert found.n_rounds_with == 1
    assert found.wins["is_first"].to_pylist() == [True, False]


def test_with_head_bump_the_first_in_turn_order_wins():
    assert wins(latent(BOTH, "E+3m E-3m exhaustive", NO_TANYAO, HEAD_BUMP)) == [("S", 1, "E")]


def test_a_recorded_winner_further_on_in_turn_order_is_set_aside_by_head_bump():
    hands = {"S": KANCHAN, "W": "24m456p234p777z88s"}
    found = latent(hands, "E+3m E-3m W:ron", NO_TANYAO, HEAD_BUMP)
    assert wins(found) == [("S", 1, "E")]
    assert [row["winner"] for row in found.preempted.to_pylist()] == [2]


def test_a_recorded_winner_nearer_in_turn_order_keeps_the_tile_with_head_bump():
    hands = {"W": KANCHAN, "S": "24m456p234p777z88s"}
    found = latent(hands, "E+3m E-3m S:ron", NO_TANYAO, HEAD_BUMP)
    assert (wins(found), len(found.preempted)) == ([], 0)


def test_a_recorded_winner_wins_too_where_all_are_paid():
    hands = {"S": KANCHAN, "W": "24m456p234p777z88s"}
    found = latent(hands, "E+3m E-3m W:ron")
    assert (wins(found), found.wins["beside"].to_pylist(), len(found.preempted)) == ([("S", 1, "E")], [1], 0)


def test_who_was_bumped_wins_where_all_are_paid():
    hands = {"S": KANCHAN, "W": KANCHAN}
    found = latent(hands, "E+3m E-3m S:ron", HEAD_BUMP, TANYAO)
    assert wins(found) == [("W", 1, "E")]
    assert found.wins["before"].to_pylist() == ["set_aside"]


def test_three_claims_abort_the_round_or_are_paid():
    hands = {"S": KANCHAN, "W": KANCHAN, "N": KANCHAN}
    aborts, pays = (TANYAO.amend({"round.triple_ron": value}) for value in ("abort", "all"))
    assert wins(latent(hands, "E+3m E-3m exhaustive", NO_TANYAO, aborts)) == []
    assert [who for who, *_ in wins(latent(hands, "E+3m E-3m exhaustive", NO_TANYAO, pays))] == ["S", "W", "N"]
    story = "E+3m E-3m sanchahou:SWN"
    found = latent(hands, story, aborts, pays)
    assert [who for who, *_ in wins(found)] == ["S", "W", "N"]
    assert set(found.wins["before"].to_pylist()) == {"set_aside"}


# ------------------------------------------------------------------------------------------------------ what is counted


def test_a_second_one_of_the_same_seat_in_a_round_is_not_counted():
    story = "E+3m E-3m S+9s S-9s W+3m W-3m exhaustive"
    assert wins(latent({"S": KANCHAN}, story)) == [("S", 1, "E")]


def test_another_seat_later_in_the_round_counts_by_seat_and_not_by_round():
    story = "E+9p E-9p S+3m S-3m W+9s W-9s N+3m N-3m exhaustive"
    found = latent({"E": KANCHAN, "W": KANCHAN}, story)
    assert wins(found) == [("E", 3, "S"), ("W", 3, "S")]
    found = latent({"S": KANCHAN, "W": "234m456p234p57s88s"}, "E+3m E-3m S+6s S-6s exhaustive")
    assert wins(found) == [("S", 1, "E"), ("W", 3, "S")]
    assert (found.n_rounds_with, found.wins["is_first"].to_pylist()) == (1, [True, False])


def test_recorded_wins_later_in_the_round_would_not_have_come_about():
    hands = {"S": KANCHAN, "W": "24m456p234p777z88s"}
    found = latent(hands, "E+3m E-3m S+9s S-9s W+9s W-9s N+3m N-3m W:ron")
    assert wins(found) == [("S", 1, "E")]
    assert [row["winner"] for row in found.preempted.to_pylist()] == [2]


def test_a_seat_that_is_not_connected_wins_nothing():
    story = "E:disconnect S:disconnect E+3m E-3m exhaustive"
    found = latent({"S": KANCHAN}, story)
    assert (wins(found), found.n_disconnected) == ([], 1)


def test_ura_that_nobody_knows_make_the_points_a_lower_bound():
    story = "E+9s E-9s S+9p S! S-9p S$ W+3m W-3m exhaustive"
    assert latent({"S": KANCHAN}, story, NO_RIICHI, TANYAO).wins["is_lower_bound"].to_pylist() == [True]
    known = latent({"S": KANCHAN}, story, NO_RIICHI, TANYAO, ura="9p").wins
    assert known["is_lower_bound"].to_pylist() == [False]


# ---------------------------------------------------------------------------------------------------------------- laws


@pytest.fixture(scope="module")
def sample():
    tables = koyaku.read(PROJECT / "data_samples")
    return tables, chances(tables)


def test_nothing_changes_under_the_same_rules(sample):
    for rules in (RECORDED, base()):
        found = latent_wins(*sample, rules, rules)
        assert (len(found.wins), found.n_rounds_with, len(found.preempted)) == (0, 0, 0)


def test_every_recorded_win_is_a_win_under_the_recorded_rules(sample):
    tables, found = sample
    taken = found["is_taken"].to_numpy()
    assert set(standings(tables, found, RECORDED).standing[taken].tolist()) == {0}


def test_more_yaku_never_mean_fewer_wins(sample):
    tables, found = sample
    few = standings(tables, found, amended_rules("recorded", drop=["tanyao", "pinfu"])).standing
    many = standings(tables, found, RECORDED).standing
    assert not np.any((few == 0) & (many != 0))
    assert np.any((few != 0) & (many == 0))


def test_latent_wins_of_games_are_those_of_each_game(sample):
    tables, found = sample
    rules = amended_rules("recorded", drop=["riichi", "yakuhai_haku", "tanyao"]), RECORDED
    whole = latent_wins(tables, found, *rules)
    games = tables["games"]["game"].to_pylist()
    pieces = []
    for half in (games[:30], games[30:]):
        part = {name: _of_games(table, half) for name, table in tables.items()}
        pieces.append(latent_wins(part, chances(part), *rules))
    joined = pieces[0] + pieces[1]
    assert joined.wins.drop(["chance"]).to_pylist() == whole.wins.drop(["chance"]).to_pylist()
    assert (joined.n_rounds, joined.n_rounds_with) == (whole.n_rounds, whole.n_rounds_with)
    assert joined.preempted.equals(whole.preempted)


def test_latent_wins_of_a_store_are_those_of_its_parts_whether_or_not_it_holds_chances(sample, tmp_path):
    tables, found = sample
    rules = amended_rules("recorded", drop=["tanyao"])
    store = Store.create(tmp_path / "store")
    ingest(PROJECT / "data_samples", store, batch=30)
    asked = {"tanyao": RECORDED, "none": rules}
    without = latent_of_store(store, rules, asked)
    chances_of_store(store)
    assert store.n_rows("chances") == len(found)
    for of_store in (without, latent_of_store(store, rules, asked)):
        assert len(of_store["none"].wins) == 0
        for name, other in asked.items():
            whole = latent_wins(tables, found, rules, other)
            assert sorted(_keys(of_store[name].wins)) == sorted(_keys(whole.wins))
            assert (of_store[name].n_rounds, of_store[name].n_rounds_with) == (whole.n_rounds, whole.n_rounds_with)


def _keys(wins):
    return [(w["game"], w["round_no"], w["winner"], w["seq"], w["points"]) for w in wins.to_pylist()]


def _of_games(table, games):
    if "game" not in table.column_names:
        return table
    return table.filter(pa.array(np.isin(table["game"].to_numpy(), games)))


def test_wins_that_were_not_taken_fall_into_classes():
    hands = {"S": KANCHAN, "W": KANCHAN, "N": KANCHAN}
    tables = staged(
        {"hands": hands, "story": "E+3m E-3m sanchahou:SWN"},
        {"hands": {"S": KANCHAN, "W": KANCHAN}, "story": "E+3m E-3m S:ron"},
        {"hands": {"S": KANCHAN}, "story": "E+3m E-3m S:disconnect exhaustive"},
        {"hands": {"S": KANCHAN}, "story": "E+3m E-3m exhaustive"},
        {"hands": {"S": KANCHAN}, "story": "S:reconnect E+3m E-3m exhaustive"},
    )
    found = untaken_wins(tables, chances(tables), base())
    assert found["class"].to_pylist() == ["aborted"] * 3 + ["other_ron", "passed", "disconnected", "passed"]
