"""Rule impact: every number of a small report by hand, then the laws that hold on any games."""

import json
import re
import shutil
from dataclasses import replace
from math import inf
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from conftest import PROJECT
from pages import Page
from scipy.stats import betabinom
from told import tables_of

from analytics.corpus import ingest
from analytics.ends import ENDS, UNKNOWN, ends, over_after
from analytics.impact import ImpactError, candidates_of, rule_impact
from analytics.impact import wins as of_wins
from analytics.impact.candidates import UNSETTLED, Change, each_local, range_of_gain, within
from analytics.impact.estimates import means, rates
from analytics.impact.games import Games, Played, counts_of
from analytics.impact.tally import Events, Tally, cluster_sums, summed
from analytics.ledger import ledger
from analytics.metrics import yaku_frequency
from analytics.metrics.columns import StatisticsError
from analytics.metrics.intervals import ClusterSums
from analytics.notes import width
from analytics.rescoring import RECORDED, Recorded, rescore, rescore_each
from analytics.rounds import by_seat, game_rows, numbers
from analytics.scoring.ruleset import RulesetError, amended, base, keys, ruleset
from analytics.settle import settle_rounds
from parsers.store import Store

SAMPLES = PROJECT / "data_samples"


def played(*games: dict) -> dict[str, pa.Table]:
    """Tables of games whose changes of points are recorded as their own rules have it, with some action to know of."""
    for game in games:
        for one in game["rounds"]:
            one.setdefault("rivers", {"0": "5m"})
    tables = tables_of(*games)
    deltas = settle_rounds(tables, rescore(tables))
    rounds = tables["rounds"]
    for seat in range(4):
        at = rounds.schema.get_field_index(f"delta_{seat}")
        rounds = rounds.set_column(at, rounds.schema.field(at), pa.array(deltas[:, seat], pa.int32()))
    return {**tables, "rounds": rounds}


def blocks_of(impact) -> dict[str, dict[str, list[str]]]:
    """The printed tables by title: by measure, the cell of each candidate; those beneath each other put together."""
    found = {}
    for title, *lines in (block.splitlines() for block in impact.text().split("\n\n")[1:]):
        measures = found.setdefault(title, {})
        for line in lines:
            label, *cells = re.split(r" {2,}", line.strip())
            if cells:
                measures.setdefault(label, []).extend(cells)
    return found


# Hands: what base makes of each, and what sanrenkou at one and at three han does.

TRIPLETS = "33m55s (111m) (222m) (888p)"  # toitoi 2, 30 fu: 2,000; 3 han 3,900; 5 han mangan 8,000
TRIPLETS_OF_THE_DEALER = "33m99m (111m) (222m) (111z)"  # toitoi, honitsu, two winds: 6 han 18,000; 7 han too; 9: 24,000
SIMPLES = "22m345p66s (234s) (567p)"  # open tanyao, 30 fu: 1,000; nothing without tanyao


def three_games() -> dict[str, pa.Table]:
    swaps_places = {
        "rounds": [
            {"wins": [{"winner": 1, "loser": 2, "hand": TRIPLETS, "win": "3m"}]},
            {"dealer": 1, "wins": [{"winner": 1, "loser": 3, "hand": TRIPLETS_OF_THE_DEALER, "win": "3m"}]},
            {"dealer": 1, "honba": 1, "wins": [{"winner": 2, "loser": 0, "hand": SIMPLES, "win": "6s"}]},
        ]
    }
    is_cut = {
        "points": [25000, 25000, 5000, 45000],
        "rounds": [
            {"wins": [{"winner": 1, "loser": 2, "hand": TRIPLETS, "win": "3m"}]},
            {"dealer": 1, "wins": [{"winner": 2, "loser": 3, "hand": SIMPLES, "win": "6s"}]},
        ],
    }
    stays_open = {
        "points": [29000, 25000, 25000, 21000],
        "rounds": [{"wind": 1, "dealer": 3, "wins": [{"winner": 0, "loser": 1, "hand": SIMPLES, "win": "6s"}]}],
    }
    return played(swaps_places, is_cut, stays_open)


@pytest.fixture(scope="module")
def impact():
    return rule_impact(three_games(), base="base", adopt=["sanrenkou=1,3"], drop=["tanyao"])


def rows(impact, name: str = "candidates") -> dict[str, dict]:
    return impact.table(name).set_index("candidate").to_dict("index")


def pairs(impact, name: str, candidate: str) -> dict:
    """The last column by those before it, of one candidate."""
    frame = impact.table(name)
    frame = frame[frame["candidate"] == candidate].drop(columns="candidate")
    return {tuple(row[:-1]) if len(row) > 2 else row[0]: row[-1] for row in frame.itertuples(index=False)}


def test_each_change_stands_alone_and_then_all_of_them_together(impact):
    expected = ["sanrenkou=1", "sanrenkou=3", "drop tanyao", "together 1", "together 2"]
    assert list(rows(impact)) == list(rows(impact, "games")) == expected
    assert impact.notes == ["together 1: sanrenkou=1, drop tanyao", "together 2: sanrenkou=3, drop tanyao"]


def test_occurrences_are_counted_with_whose_hands_they_are(impact):
    for id_ in ("sanrenkou=1", "sanrenkou=3"):
        row = rows(impact)[id_]
        assert (row["n"], row["N"], row["per_10000"]) == (3, 6, 5000)
        assert row["per_100_games"] == 100
        assert (row["share_open"], row["share_dealer"], row["share_tsumo"]) == (1, pytest.approx(1 / 3), 0)
        assert row["too_few"]
    dropped = rows(impact)["drop tanyao"]
    assert (dropped["n"], dropped["N"], dropped["share_dealer"]) == (3, 6, 0)


def test_gains_are_points_after_less_points_before(impact):
    one, three, dropped = (rows(impact)[id_] for id_ in ("sanrenkou=1", "sanrenkou=3", "drop tanyao"))
    assert (one["gain"], one["wins"]) == (2 * 1900, 6)
    assert one["gain_per_win"] == pytest.approx(3800 / 6)
    assert one["gain_per_occurrence"] == pytest.approx(3800 / 3)
    assert (three["gain"], three["gain_per_occurrence"]) == (3 * 6000, 6000)
    assert (three["occurrence_low"], three["occurrence_high"]) == (6000, 6000)
    assert (dropped["gain"], dropped["gain_per_occurrence"]) == (-3000, -1000)
    assert pairs(impact, "gains", "sanrenkou=1") == {0: 1, 1900: 2}
    assert rows(impact)["together 1"]["gain"] == 3800 - 3000
    assert rows(impact)["together 2"]["gain"] == 18000 - 3000


def test_han_limits_and_points_that_change_are_counted_and_what_a_limit_swallows(impact):
    def changes(id_):
        names = ("han", "limit", "points", "swallowed", "lost", "only", "gained", "reading")
        return [rows(impact)[id_][f"n_{name}"] for name in names]

    assert changes("sanrenkou=1") == [3, 0, 2, 1, 0, 0, 0, 0]
    assert changes("sanrenkou=3") == [3, 3, 3, 0, 0, 0, 0, 0]
    assert changes("drop tanyao") == [0, 0, 0, 0, 3, 3, 0, 0]
    assert changes("together 2") == [3, 3, 3, 0, 3, 3, 0, 0]


def test_the_ladder_goes_from_limit_to_limit(impact):
    assert pairs(impact, "ladder", "sanrenkou=1") == {}
    assert pairs(impact, "ladder", "sanrenkou=3") == {("none", "mangan"): 2, ("haneman", "baiman"): 1}
    assert pairs(impact, "ladder", "drop tanyao") == {("none", "no_win"): 3}
    up = {row.limit: row.n_up for row in impact.table("crossings").itertuples() if row.candidate == "sanrenkou=3"}
    assert up == {"mangan": 2, "haneman": 0, "baiman": 1, "sanbaiman": 0, "yakuman": 0}


def test_other_yaku_in_the_same_hands_have_a_lift(impact):
    frame = impact.table("together")
    frame = frame[frame["candidate"] == "sanrenkou=3"].set_index("yaku")
    assert frame["n"].to_dict() == {"toitoi": 3, "honitsu": 1, "yakuhai_round": 1, "yakuhai_seat": 1}
    assert frame.loc["toitoi", ["share", "lift"]].tolist() == [1, 2]
    assert frame.loc["honitsu", ["share", "lift"]].tolist() == pytest.approx([1 / 3, 2])


def test_the_balance_is_split_by_who_won_and_how(impact):
    frame = impact.table("balance")
    frame = frame[frame["candidate"] == "sanrenkou=3"].set_index(["split", "value"])
    assert frame.loc[("is_dealer", True), ["wins", "n", "gain"]].tolist() == [1, 1, 6000]
    assert frame.loc[("is_dealer", False), ["wins", "n", "gain"]].tolist() == [5, 2, 12000]
    assert frame.loc[("is_tsumo", True), ["wins", "n", "gain"]].tolist() == [0, 0, 0]


def test_the_balance_knows_who_was_rated_above_the_table():
    tables = three_games()
    seats = tables["seats"]
    rating = [1500, 1600, 1500, 1500, *(1500, 1800, None, 1500), *(1700, 1600, 1600, 1800)]
    place = seats.schema.get_field_index("rating")
    seats = seats.set_column(place, seats.schema.field(place), pa.array(rating, pa.float32()))
    frame = rule_impact({**tables, "seats": seats}, base="base", adopt=["sanrenkou=3"]).table("balance")
    frame = frame.set_index(["split", "value"])
    assert frame.loc[("is_rated_higher", True), ["wins", "n", "gain"]].tolist() == [3, 2, 12000]
    assert frame.loc[("is_rated_higher", False), ["wins", "n", "gain"]].tolist() == [1, 0, 0]


def test_standard_yaku_stand_beside_for_comparison(impact):
    peers = impact.table("peers").set_index("yaku")
    assert peers["n"].to_dict() == {"tanyao": 3, "toitoi": 3, "honitsu": 1, "yakuhai_round": 1, "yakuhai_seat": 1}
    assert peers.loc["toitoi", "mean_points"] == pytest.approx((2000 + 2000 + 18000) / 3)
    row = rows(impact)["sanrenkou=1"]
    assert (row["nearest_by_rate"], row["nearest_by_value"]) == ("tanyao", "tanyao")
    assert rows(impact)["sanrenkou=3"]["nearest_by_value"] == "honitsu"


def test_a_placement_flips_and_points_move(impact):
    one, three, dropped = (rows(impact, "games")[id_] for id_ in ("sanrenkou=1", "sanrenkou=3", "drop tanyao"))
    # 23,700 45,000 24,300 7,000 becomes 23,700 46,900 22,400 7,000: seats 0 and 2 change places. In the second game
    # 1,900 points move and nobody's place does.
    assert (one["n_games"], one["n_flipped"], one["n_first"]) == (3, 1, 0)
    assert one["rank_change"] == pytest.approx(2 / 12)
    assert one["points_moved"] == pytest.approx(100 * (1900 + 1900) / 3)
    # 23,700 57,000 18,300 1,000; in the second game, cut, 33,000 and -3,000 instead of 27,000, 4,000 and 44,000.
    assert (three["n_games"], three["n_flipped"]) == (3, 1)
    assert three["points_moved"] == pytest.approx(100 * (12000 + 7000) / 3)
    # 25,000 45,000 23,000 7,000 and 25,000 27,000 3,000 45,000: 1,300 and 1,000 points.
    assert (dropped["n_games"], dropped["n_flipped"]) == (2, 1)
    assert dropped["points_moved"] == pytest.approx(100 * (1300 + 1000) / 2)


def test_a_game_is_cut_short_and_one_stays_open(impact):
    games = rows(impact, "games")
    names = ("n_cut", "n_cut_by_bust", "n_open", "n_open_for_goal")
    assert {id_: tuple(row[name] for name in names) for id_, row in games.items()} == {
        "sanrenkou=1": (0, 0, 0, 0),
        "sanrenkou=3": (1, 1, 0, 0),
        "drop tanyao": (0, 0, 1, 1),
        "together 1": (0, 0, 1, 1),
        "together 2": (1, 1, 1, 1),
    }
    assert {row["n_cut_before"] + row["n_open_before"] for row in games.values()} == {0}


def test_results_spread_more_or_less(impact):
    # In thousands less 30, with uma 20 10 -10 -20 and 20 of oka: the games as their seats finish.
    before = [[-16.3, 55, 4.3, -43], [-15, 7, -46, 54], [40, -16, 5, -29]]
    after = [[3.7, 56.9, -17.6, -43], [-15, 8.9, -47.9, 54], [40, -16, 5, -29]]
    row = rows(impact, "games")["sanrenkou=1"]
    assert row["sd_before"] == pytest.approx(np.std(before))
    assert row["sd_after"] == pytest.approx(np.std(after))
    assert row["results_moved"] == pytest.approx(100 * np.abs(np.array(before) - after).sum() / 2 / 3)


def test_examples_show_the_typical_the_largest_and_the_edge(impact):
    found = {one["shows"]: one for one in impact.examples["sanrenkou=1"]}
    assert set(found) == {"typical", "swallowed"}  # the largest gain is that of the typical win
    swallowed = found["swallowed"]
    assert (swallowed["path"], swallowed["round_no"], swallowed["winner"]) == ("1000.told", 1, 1)
    assert (swallowed["before"]["han"], swallowed["after"]["han"]) == (6, 7)
    assert swallowed["before"]["points"] == swallowed["after"]["points"] == 18000
    assert swallowed["after"]["yaku"]["sanrenkou"] == "1"
    typical = impact.examples["drop tanyao"][0]
    assert typical["gain"] == -1000
    assert typical["before"]["yaku"] == {"tanyao": "1"}
    assert not typical["after"]["is_win"]
    assert {one["shows"] for one in impact.examples["drop tanyao"]} <= {"typical", "lost"}


def test_a_seed_chooses_the_examples_and_nothing_else(impact):
    assert impact.seed == 4
    tables, places = three_games(), set()
    for seed in range(4):
        other = rule_impact(tables, base="base", adopt=["sanrenkou=3"], seed=seed)
        [one] = other.examples["sanrenkou=3"]
        places.add((one["path"], one["round_no"]))
        assert pairs(other, "ladder", "sanrenkou=3") == pairs(impact, "ladder", "sanrenkou=3")
    assert len(places) > 1


# What one yaku's change does to others


def test_a_changed_value_of_another_yaku_stands_on_its_own_line():
    # Triplets of twos in all suits are sanshoku doukou, which shoutate makes three han; the hand itself is no shoutate.
    # With toitoi and tanyao that is six han instead of five: 12,000 instead of 8,000.
    hand = {"winner": 1, "loser": 2, "hand": "22s55s (222m) (222p) (888p)", "win": "2s"}
    impact = rule_impact(played({"rounds": [{"wins": [hand]}]}), base="base", adopt=["shoutate"])
    [row] = impact.table().to_dict("records")
    assert (row["n"], row["n_han"], row["gain"]) == (0, 1, 4000)
    assert pairs(impact, "carried", "shoutate=2") == {("sanshoku_doukou", 1): 4000}


def test_yaku_of_the_reading_that_is_left_are_named():
    # 111222333m is three triplets to sanankou and sanrenkou, three runs to pinfu, iipeikou and the like.
    hand = {"winner": 1, "hand": "111222333m45p99s", "win": "6p"}
    tables = played({"rounds": [{"wins": [hand]}]})
    impact = rule_impact(tables, base="base", adopt=["isshoku_sanjun=6"])
    [row] = impact.table().to_dict("records")
    assert row["n"] == 1
    taken = impact.table("taken_over").set_index(["yaku", "held"])["n"].to_dict()
    before = rescore(tables, "base").worths(0)
    after = rescore(tables, amended("base", ["isshoku_sanjun=6"])).worths(0)
    assert {yaku for yaku, held in taken if held == "before"} == set(before) - set(after)
    assert {yaku for yaku, held in taken if held == "after"} == set(after) - set(before) - {"isshoku_sanjun"}
    assert row["n_reading"] == 1


def test_without_riichi_nothing_that_asks_for_it_is_left():
    hand = {"winner": 1, "loser": 2, "hand": "123m456p789s1299p", "win": "3p", "ctx": {"riichi": "riichi"}}
    impact = rule_impact(played({"rounds": [{"riichi": [1], "wins": [hand]}]}), base="base", drop=["riichi"])
    [row] = impact.table().to_dict("records")
    assert (row["n"], row["n_lost"]) == (1, 1)
    [candidate] = impact.candidates
    changed = {"riichi", "double_riichi", "ippatsu"}
    assert all(not candidate.rules.yaku_value(id_).is_on for id_ in changed)
    assert not candidate.rules["dora.ura"]
    assert impact.notes == ["drop riichi: double_riichi, ippatsu, dora.ura, dora.kan_ura go with it"]


# Laws


CHANGES = {"adopt": ["uumensai=1,2", "nishoku_doujun", "tanyao=2/off"], "drop": ["pinfu"]}


@pytest.fixture(scope="module")
def of_samples(store):
    return rule_impact(store, **CHANGES)


@pytest.mark.parametrize("base_", ["recorded", "base"])
def test_the_impact_of_rules_that_do_not_change_is_zero(store, base_):
    impact = rule_impact(store, base=base_, adopt=["pinfu"], set_=["limits.yakuman_cap=0"])
    for row in impact.table().to_dict("records"):
        assert [row[f"n_{name}"] for name in ("han", "limit", "points", "swallowed", "lost", "gained")] == [0] * 6
        assert (row["gain"], row["gain_per_win"], row["win_low"], row["win_high"]) == (0, 0, 0, 0)
    assert rows(impact)["pinfu=1/off"]["n"] > 0
    for row in impact.table("games").to_dict("records"):
        assert (row["n_flipped"], row["points_moved"], row["rank_change"]) == (0, 0, 0)
        assert row["n_cut"] == row["n_cut_before"]
        assert row["n_open"] == row["n_open_before"]
        assert row["sd_before"] == row["sd_after"]
    for name in ("ladder", "taken_over", "carried"):
        assert not len(impact.table(name)), name


@pytest.mark.parametrize(
    ("asked", "known"),
    [
        ({"adopt": ["sanrenkou"]}, (0, inf)),
        ({"adopt": ["isshoku_sanjun"]}, (-inf, inf)),  # stands in the place of iipeikou
        ({"adopt": ["sanrenkou=only mangan"]}, (-inf, inf)),
        ({"adopt": ["sanrenkou=-1"]}, (-inf, inf)),
        ({"adopt": ["pinfu"]}, (0, 0)),
        ({"base": amended("base", ["sanrenkou"]), "drop": ["sanrenkou"]}, (-inf, 0)),
        ({"base": amended("base", ["sanrenkou=3"]), "adopt": ["sanrenkou=2"]}, (-inf, inf)),
        ({"set_": ["yaku.tanyao.open=false"]}, (-inf, inf)),
        ({"base": amended("base", set_=["payment.multiple_ron=head_bump"]), "adopt": ["sanrenkou"]}, (-inf, inf)),
        ({"base": amended("base", set_=["limits.counted_yakuman=each_13"]), "adopt": ["panda=yakuman"]}, (-inf, inf)),
    ],
)
def test_what_a_win_can_gain_is_known_beforehand_where_a_yaku_only_adds(asked, known):
    _, [one] = candidates_of(**{"base": "base"} | asked)
    assert range_of_gain(one, ["base"]) == known


def test_no_win_is_worth_less_where_a_yaku_only_adds(tables):
    adds = [one for one in each_local("base") if range_of_gain(one, ["base"]) == (0, inf)]
    assert len(adds) > 60
    before, *after = rescore_each(tables, ["base", *(one.rules for one in adds)])
    for one, rescored in zip(adds, after, strict=True):
        assert (rescored.points * rescored.stands >= before.points * before.stands).all(), one.id


def test_bounds_of_gains_keep_to_what_can_be_gained(impact):
    """Two of three occurrences gain 1,900 and one nothing, which leaves Student's lower bound far below zero."""
    of_one, of_tanyao = rows(impact)["sanrenkou=1"], rows(impact)["drop tanyao"]
    for suffix in ("", "_simultaneous"):
        assert of_one[f"occurrence_low{suffix}"] == of_one[f"win_low{suffix}"] == 0 < of_one[f"win_high{suffix}"]
        assert of_tanyao[f"win_high{suffix}"] == 0
    assert of_one["occurrence_high"] == pytest.approx(3800 / 3 + 4.302653 * 1900 / 3, rel=1e-5)


@pytest.mark.parametrize("yaku", ["tanyao", "toitoi", "pinfu", "sanrenkou"])
def test_dropping_a_yaku_and_adopting_it_again_are_mirror_images(tables, yaku):
    with_it = amended("base", [yaku])
    without = amended(with_it, drop=[yaku])
    [drop] = rule_impact(tables, base=with_it, drop=[yaku]).table().to_dict("records")
    value = with_it.yaku_value(yaku).text
    back = rule_impact(tables, base=without, adopt=[f"{yaku}={value}"])
    [adopt] = back.table().to_dict("records")
    for name in ("n", "N", "per_10000", "low", "high", "n_han", "n_limit", "n_points", "share_open", "median_turn"):
        assert adopt[name] == pytest.approx(drop[name], nan_ok=True), name
    assert (adopt["n_lost"], adopt["n_gained"]) == (drop["n_gained"], drop["n_lost"])
    assert adopt["gain"] == -drop["gain"]
    assert adopt["win_low"] == pytest.approx(-drop["win_high"], nan_ok=True)
    there, again = rule_impact(tables, base=with_it, drop=[yaku]), back
    [one], [other] = there.table("games").to_dict("records"), again.table("games").to_dict("records")
    for name in ("n_games", "n_flipped", "points_moved", "rank_change"):
        assert one[name] == other[name], name
    assert (one["n_cut"], one["n_open"]) == (other["n_cut_before"], other["n_open_before"])
    ladder = {(r.before, r.after): r.n for r in there.table("ladder").itertuples()}
    assert {(r.after, r.before): r.n for r in again.table("ladder").itertuples()} == ladder


def test_occurrences_are_those_of_the_yaku_frequency_under_the_same_rules(store, of_samples):
    for one in of_samples.candidates:
        if one.yaku is None:
            continue
        rules = one.before if one.has_yaku_before else one.rules
        frequency = yaku_frequency(store, rules=rules).table().set_index(["kind", "key"]).loc["yaku", one.yaku]
        row = rows(of_samples)[one.id]
        for name in ("n", "N", "low", "high", "deff"):
            ours = row[name] / (10_000 if name in ("low", "high") else 1)
            assert ours == pytest.approx(frequency[name]), (one.id, name)


def test_all_changes_together_are_the_ruleset_with_all_of_them(store, of_samples):
    together = rows(of_samples)["together 2"]
    rules = Recorded(("uumensai=2", "nishoku_doujun", "tanyao=2/off"), ("pinfu",))
    after, before = rescore(store.part(0), rules), rescore(store.part(0))
    assert together["gain"] == (after.points * after.stands).sum() - (before.points * before.stands).sum()


def test_the_recorded_rules_against_another_base_are_that_ruleset_turned_round(tables, tmp_path):
    id_ = "tenhou_4p_noaka_nokuitan"
    there, back = rule_impact(tables, rules=[id_]), rule_impact(tables, base=id_, rules=["recorded"])
    [one], [other] = there.table().to_dict("records"), back.table().to_dict("records")
    assert (one["candidate"], other["candidate"]) == (id_, "recorded")
    assert one["n_points"] == other["n_points"] > 0
    assert one["gain"] == -other["gain"] != 0
    assert (one["n_lost"], one["n_gained"]) == (other["n_gained"], other["n_lost"])
    assert "Play each game by the rules it was played under." in back.report(tmp_path / "page.html").read_text()


def test_the_recorded_rules_against_themselves_are_nothing_to_weigh(tables):
    with pytest.raises(ImpactError, match=r"^recorded is the base already; name another base, or what to change: "):
        rule_impact(tables, rules=["recorded"])


def test_what_is_assumed_of_a_ruleset_is_told_in_the_notes_and_on_the_page(tables, tmp_path):
    impact = rule_impact(tables, base="jpml_b", rules=["m_league"], assume="base", latent=False)
    told = [note for note in impact.notes if note.startswith("assumed from base")]
    assert [note.partition(": ")[0].split()[-1] for note in told] == ["jpml_b", "m_league"]
    assert all("payment.noten" in note for note in told[1:])
    page = impact.report(tmp_path / "page.html").read_text()
    assert all(note in page for note in told)


def test_numbers_do_not_depend_on_parts_or_workers(store, of_samples, tables, tmp_path):
    split = Store.create(tmp_path / "split")
    ingest(SAMPLES, split, batch=25)
    assert len(split.part_numbers()) > 2
    other = rule_impact(split, **CHANGES, workers=2)
    for name, frame in of_samples.tables.items():
        pd.testing.assert_frame_equal(frame, other.tables[name], check_exact=True)
    assert other.examples == of_samples.examples


def test_a_filter_keeps_the_wins_it_lets_through_and_games_only_as_a_whole(store):
    four = rule_impact(store, adopt=["nishoku_doujun"], where="players == 4")
    all_ = rule_impact(store, adopt=["nishoku_doujun"])
    [some], [every] = four.table().to_dict("records"), all_.table().to_dict("records")
    assert 0 < some["N"] < every["N"]
    assert 0 < four.table("games")["n_games"][0] < all_.table("games")["n_games"][0]
    closed = rule_impact(store, adopt=["nishoku_doujun"], where="not is_open")
    assert closed.table()["share_open"][0] == 0
    assert not len(closed.table("games"))
    assert "games are not weighed" in closed.notes[0]


def test_what_sources_do_not_record_has_no_number(store):
    impact = rule_impact(store, adopt=["open_riichi", "sanrenkou"])
    row = rows(impact)["open_riichi=2/off"]
    assert row["n"] is None
    assert row["note"] == "not recorded by these sources"
    assert "not recorded by these sources" in impact.text()


def test_play_keys_of_another_ruleset_are_named(store):
    impact = rule_impact(store, base="base", rules=["tenhou_4p_aka"])
    assert set(impact.unseen) <= {"tenhou_4p_aka"}
    other = base().amend({"round.dealer_repeats": "win", "yaku.sanrenkou": "2"})
    found = rule_impact(store, base="base", rules=[other])
    assert found.unseen == {other.id: ["round.dealer_repeats"]}
    assert "round.dealer_repeats" in found.text()


def test_what_scoring_again_does_not_show_has_no_number(store):
    impact = rule_impact(store, set_=["yaku.nagashi_mangan.counts_as=win"])
    [row] = impact.table().to_dict("records")
    assert (row["n"], row["note"]) == (None, "scoring again does not show it")
    assert list(impact.unseen.values()) == [["yaku.nagashi_mangan.counts_as"]]


def test_every_other_key_of_payments_and_points_is_read_by_what_settles():
    folder = PROJECT / "analytics"
    names = ("settle.py", "maneman.py", "ledger.py", "ends.py", "rescoring.py", "scoring/limits.py", "scoring/score.py")
    source = "".join((folder / name).read_text("utf-8") for name in names)
    own = {f"yaku.{yaku}" for yaku in ("nagashi_mangan", "maneman")}
    for key in keys().values():
        if key.stage in ("settle", "ledger") and key.name not in own:
            is_read = f'"{key.name}"' in source
            assert is_read != any(f"{key.name}.".startswith(f"{one}.") for one in UNSETTLED), key.name


def test_a_draw_that_is_paid_otherwise_moves_points_though_no_win_changes():
    river = {"rivers": {"0": "19m1z"}, "draw": "nagashi_mangan"}
    impact = rule_impact(played({"rounds": [river]}), base="base", drop=["nagashi_mangan"])
    [games] = impact.table("games").to_dict("records")
    assert (games["n_games"], games["points_moved"]) == (1, 100 * 12000)


# Games


def conserved(tables, rules, rescored) -> None:
    one = Played.of(tables, rescored, rules)
    start = one.start.sum(axis=1)
    rounds, games = tables["rounds"], tables["games"]
    first = np.zeros(games.num_rows, np.int64)
    is_first = numbers(rounds["round_no"]) == 0
    first[game_rows(rounds, games)[is_first]] = 1000 * numbers(rounds["sticks"])[is_first]
    keeps = one.ledger.points.sum(axis=1) == start + first
    loses = one.ledger.points.sum(axis=1) + one.ledger.pot == start + first
    assert (keeps | loses).all()
    assert (one.ledger.pot >= 0).all()


@pytest.mark.parametrize("change", [Change(), Change(drop=("riichi", "tanyao")), Change(adopt=("nishoku_doujun=6",))])
@pytest.mark.parametrize("base_", ["recorded", "base"])
def test_points_and_pot_are_conserved_in_every_game(tables, base_, change):
    rules = change.of(RECORDED if base_ == "recorded" else base())
    conserved(tables, rules, rescore(tables, rules))


def test_points_and_pot_are_conserved_in_real_games(real_tables):
    for change in (Change(drop=("riichi", "tanyao")), Change(adopt=("nishoku_doujun=6",), set_=("game.bust=false",))):
        rules = change.of(RECORDED)
        conserved(real_tables, rules, rescore(real_tables, rules))


def recorded_points(tables) -> tuple[np.ndarray, np.ndarray]:
    games, seats = tables["games"], tables["seats"]
    points = np.zeros((games.num_rows, 4), np.int64)
    points[game_rows(seats, games), numbers(seats["seat"])] = numbers(seats["final_points"])
    return points, games["is_complete"].to_numpy()


def test_under_the_recorded_rules_games_end_as_recorded(real_tables):
    one = Played.of(real_tables, rescore(real_tables), RECORDED)
    points, complete = recorded_points(real_tables)
    assert (one.ledger.points == points)[complete].all()
    assert not (one.ends.is_cut | one.ends.is_open).any()


def test_how_real_games_end_is_known(real_tables):
    one = Played.of(real_tables, rescore(real_tables), RECORDED)
    complete = real_tables["games"]["is_complete"].to_numpy()
    found = {ENDS[end]: int((one.ends.end[complete] == end).sum()) for end in range(len(ENDS))}
    assert (one.ends.end[complete] == UNKNOWN).mean() < 0.02
    assert min(found["bust"], found["goal"], found["leading_dealer"]) > 0


@pytest.mark.slow
def test_every_recorded_game_ends_where_it_ends_and_the_record_says_why(real_store):
    n, unknown, went_on, contradictions = 0, 0, 0, 0
    for part in real_store.parts():
        tables = {name: part[name] for name in part}
        rescored = rescore(tables)
        one = Played.of(tables, rescored, RECORDED)
        points, complete = recorded_points(tables)
        recorded = by_seat(tables["rounds"], "delta").astype(np.int64)
        disagrees = (settle_rounds(tables, rescored) != recorded).any(axis=1)  # the record contradicts itself there
        odd = game_rows(tables["rounds"], tables["games"])[disagrees]
        agrees = complete & ~np.isin(np.arange(len(complete)), odd)
        assert (one.ledger.points == points)[agrees].all()
        contradictions += len(odd)
        assert not (one.ends.is_cut | one.ends.is_open).any()
        over = over_after(tables, by_seat(tables["rounds"], "delta").astype(np.int64)).any(axis=1)
        last = {g: r for r, g in enumerate(game_rows(tables["rounds"], tables["games"]).tolist())}
        is_last = np.zeros(len(over), bool)
        is_last[list(last.values())] = True
        went_on += int((over & ~is_last).sum())
        n += int(complete.sum())
        unknown += int((one.ends.end[complete] == UNKNOWN).sum())
        for change in (Change(drop=("riichi",)), Change(adopt=("nishoku_doujun=6",))):
            conserved(tables, change.of(RECORDED), rescore(tables, change.of(RECORDED)))
    assert n > 4000
    assert unknown <= 5
    assert went_on <= 15
    assert contradictions <= 10


LAST = {"wind": 1, "dealer": 3}
WIN = {"winner": 0, "loser": 1, "hand": SIMPLES, "win": "6s"}  # 1,000 from seat 1 to seat 0, 1,500 as dealer
DEALERS = {"winner": 3, "loser": 1, "hand": SIMPLES, "win": "6s"}  # 1,500 from seat 1 to the last dealer


def ended(game: dict, deltas=None, rules="base"):
    tables = played(game)
    recorded = by_seat(tables["rounds"], "delta").astype(np.int64)
    return ends(tables, recorded if deltas is None else np.array(deltas), rules)


@pytest.mark.parametrize(
    ("points", "rounds", "end"),
    [
        ([29000, 25000, 25000, 21000], [LAST | {"wins": [WIN]}], "goal"),
        ([28000, 25000, 25000, 22000], [LAST | {"wins": [WIN]}], None),
        ([25000, 25000, 21500, 28500], [LAST | {"wins": [DEALERS]}], "leading_dealer"),
        ([31000, 25000, 15500, 28500], [LAST | {"wins": [DEALERS]}], None),
        ([35000, 1400, 25000, 38600], [{"wins": [WIN]}], "bust"),
        ([35000, 1500, 25000, 38500], [{"wins": [WIN]}], None),
        ([28000, 25000, 25000, 22000], [{"wind": 2, "dealer": 3, "wins": [WIN]}], "limit"),
        ([26000, 25000, 19000, 30000], [LAST | {"draw": "exhaustive", "tenpai": [0, 1, 2, 3]}], "leading_dealer"),
        ([26000, 25000, 19000, 30000], [LAST | {"draw": "exhaustive"}], "goal"),
        ([26000, 25000, 19000, 30000], [LAST | {"draw": "kyuushu_kyuuhai"}], None),
        ([31000, 25000, 19000, 25000], [{"wind": 1, "dealer": 2, "wins": [WIN]}], None),
    ],
)
def test_a_game_is_over_by(points, rounds, end):
    found = ended({"points": points, "rounds": rounds})
    assert found.end.tolist() == [UNKNOWN if end is None else ENDS.index(end)]
    assert not found.is_open.any()  # a record that ends by nothing known ends there in any case


def test_three_players_have_their_own_last_round_and_goal():
    game = {"players": 3, "ruleset": "tenhou_3p", "points": [39000, 31000, 35000]}
    without_chi = {**WIN, "hand": "22s345p66s (444s) (777p)"}
    last = {"wind": 1, "dealer": 2, "wins": [without_chi]}
    assert ended(game | {"rounds": [last]}, rules=RECORDED).end.tolist() == [ENDS.index("goal")]
    assert ended(game | {"rounds": [last | {"dealer": 1}]}, rules=RECORDED).end.tolist() == [UNKNOWN]


def test_a_ruleset_that_ends_no_game_below_zero_cuts_none():
    game = {"points": [35000, 900, 25000, 39100], "rounds": [{"wins": [WIN]}, {"dealer": 1, "wins": [WIN]}]}
    deltas = [[1000, -1000, 0, 0], [1000, -1000, 0, 0]]
    # The record goes on below zero, so that it is not played at this table, whatever the ruleset says.
    assert not ended(game, deltas).is_cut.any()
    first = {**game, "points": [35000, 1500, 25000, 38500]}
    assert ended(first, [[2000, -2000, 0, 0], [1000, -1000, 0, 0]]).is_cut.tolist() == [True]
    no_bust = base().amend({"game.bust": False})
    assert not ended(first, [[2000, -2000, 0, 0], [1000, -1000, 0, 0]], no_bust).is_cut.any()


def test_a_leading_dealer_ends_the_game_only_where_the_ruleset_says_so():
    rounds_ = [LAST | {"wins": [DEALERS]}, LAST | {"honba": 1, "wins": [WIN]}]
    game = {"points": [28000, 25000, 18500, 28500], "rounds": rounds_}
    # On record nobody has 30,000 after the first of them but the dealer: the game goes on, so it is not played here.
    assert not ended(game).is_cut.any()
    lower = {**game, "points": [29500, 25000, 19500, 26000]}
    deltas = [[0, -6000, 0, 6000], [1000, -1000, 0, 0]]
    assert ended(lower, deltas).is_cut.tolist() == [True]
    assert not ended(lower, deltas, base().amend({"game.leading_dealer_ends": False})).is_cut.any()


def test_rounds_after_the_end_are_not_played():
    game = {"points": [35000, 1500, 25000, 38500], "rounds": [{"wins": [WIN]}, {"dealer": 1, "wins": [WIN]}]}
    tables = played(game)
    deltas = np.array([[2000, -2000, 0, 0], [1000, -1000, 0, 0]])
    found = ends(tables, deltas, "base")
    assert found.is_played.tolist() == [True, False]
    assert ledger(tables, deltas * found.is_played[:, None], "base").points.tolist() == [[37000, -500, 25000, 38500]]


# What users write


@pytest.mark.parametrize(
    ("given", "ids"),
    [
        ({"adopt": ["sanrenkou=1", "sanrenkou=2"]}, ["sanrenkou=1", "sanrenkou=2"]),
        ({"adopt": ["sanrenkou", "sanrenkou"]}, ["sanrenkou=2"]),
        ({"adopt": ["sanrenkou"], "drop": ["sanrenkou"]}, ["sanrenkou=2", "drop sanrenkou"]),
        ({"drop": ["tanyao"], "set_": ["yaku.tanyao.value=2"]}, ["drop tanyao", "yaku.tanyao.value=2"]),
        ({"set_": ["payment.noten=3000", "payment.noten=0"]}, ["payment.noten=3000", "payment.noten=0"]),
    ],
)
def test_what_is_asked_of_one_key_in_several_options_never_stands_together(given, ids):
    assert [one.id for one in candidates_of("base", **given)[1]] == ids


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "nothing to weigh"),
        ({"adopt": ["sanrenko"]}, "no yaku 'sanrenko'; nearest: 'sanrenkou'"),
        ({"adopt": ["sanrenkou=2,x"]}, "'x' is no value of a yaku"),
        ({"adopt": ["tanron"]}, "tanron has no agreed value"),
        ({"drop": ["tanyo"]}, "nearest: 'tanyao'"),
        ({"set_": ["round.kuikae=true"]}, "round.kuikae is a play key"),
        ({"set_": ["payment.honba"]}, "sets nothing"),
        ({"rules": ["tenhu"]}, "no ruleset 'tenhu'"),
        ({"rules": ["jpml_b"]}, "incomplete"),
        ({"adopt": ["sanrenkou"], "where": "colour == 1"}, "no column 'colour'"),
        ({"adopt": ["sanrenkou"], "base": "nope"}, "no ruleset 'nope'"),
    ],
)
def test_a_question_that_cannot_be_answered_is_one_clear_line(tables, given, message):
    with pytest.raises((ImpactError, RulesetError, StatisticsError), match=message) as caught:
        rule_impact(tables, **given)
    assert "\n" not in str(caught.value)


def test_nothing_is_told_of_no_games_or_of_games_without_actions(tables, tmp_path):
    empty = {name: table.slice(0, 0) for name, table in tables.items()}
    with pytest.raises(ImpactError, match="no games"):
        rule_impact(empty, adopt=["sanrenkou"])
    with pytest.raises(ImpactError, match="no games"):
        rule_impact(Store.create(tmp_path / "empty"), adopt=["sanrenkou"])
    without = {**tables, "actions": tables["actions"].slice(0, 0)}
    with pytest.raises(ImpactError, match="no actions"):
        rule_impact(without, adopt=["sanrenkou"])


def test_a_change_of_recorded_rules_that_have_changes_already_is_made_on_top():
    has = Recorded(adopt=("sanrenkou=2",), drop=("tanyao",), set_=("yaku.pinfu=off", "dora.aka=false"))
    found = Change(adopt=("sanrenkou=3", "pinfu=2/off", "tanyao=3")).of(has)
    rules = within(found, "tenhou_4p_aka")
    values = {id_: rules.yaku_value(id_).text for id_ in ("sanrenkou", "pinfu", "tanyao")}
    assert values == {"sanrenkou": "3", "pinfu": "2/off", "tanyao": "3"}
    assert not rules["dora.aka"]


def test_a_yaku_that_is_set_off_is_dropped():
    changes = ["yaku.tanyao=off", "yaku.tanyao=2", "yaku.tanyao.open=false"]
    off, value, option = candidates_of("base", set_=changes)[1][:3]
    assert (off.kind, off.yaku, off.has_yaku_before) == ("drop", "tanyao", True)
    assert (option.kind, option.yaku, option.option, option.value) == ("set", None, "open", "false")
    assert (value.kind, value.yaku, value.option, value.value) == ("set", "tanyao", None, "2")


def test_an_option_is_weighed_by_every_win_it_changes(store):
    """Without open tanyao wins are lost that hold it only before the change."""
    [row] = rule_impact(store, set_=["yaku.tanyao.open=off"], latent=False).table().to_dict("records")
    assert row["n"] == row["n_lost"] + 1 == 29  # the last one keeps another yaku
    assert row["n_only"] == row["n_lost"]
    assert row["gain_per_occurrence"] * row["n"] == pytest.approx(row["gain_per_win"] * row["wins"])
    assert row["gain_per_occurrence"] < -3000


def test_wins_that_are_lost_though_their_yaku_still_count_are_not_lost_for_want_of_them(store):
    changes = ["round.minimum_han=2", "payment.multiple_ron=head_bump", "yaku.riichi=off"]
    found = rows(rule_impact(store, set_=changes, latent=False))
    assert {id_: (row["n_lost"], row["n_only"]) for id_, row in found.items() if id_ != "together"} == {
        "round.minimum_han=2": (170, 0),
        "payment.multiple_ron=head_bump": (2, 0),
        "yaku.riichi=off": (34, 34),
    }


GAMES_ONLY = "changes no win, only what games come to"


@pytest.mark.parametrize(
    ("changes", "note"),
    [
        ({"set_": ["payment.noten=1000"]}, GAMES_ONLY),
        ({"set_": ["payment.honba=500"]}, GAMES_ONLY),
        ({"set_": ["game.bust=false"]}, GAMES_ONLY),
        ({"set_": ["payment.liable=daisangen"]}, GAMES_ONLY),
        ({"rules": [base().amend({"game.uma": (15, 5, -5, -15), "round.kuikae": True})], "base": "base"}, GAMES_ONLY),
        ({"drop": ["nagashi_mangan"]}, "paid at a discard or a draw: no win holds it"),
        ({"adopt": ["maneman"]}, "paid at a discard or a draw: no win holds it"),
    ],
)
def test_a_change_that_touches_no_win_says_so_instead_of_counting_none(tables, tmp_path, changes, note):
    impact = rule_impact(tables, latent=False, **changes)
    [row] = impact.table().to_dict("records")
    assert (row["n"], row["note"]) == (None, note)
    assert np.isnan([row[name] for name in ("rate", "per_10000", "low", "high", "per_100_games")]).all()
    blocks = blocks_of(impact)
    for title in ("how often", "what it is worth, in points", "recorded wins that change"):
        assert {cell for measure in blocks[title].values() for cell in measure} == {"-"}
    assert f"\n{row['candidate']}: {note}\n" in impact.text()
    measures = Page(impact.report(tmp_path / "page.html").read_text("utf-8")).measures("Changes side by side")
    [said] = measures["Why none"].values()
    assert said == [note]
    assert "Why none" not in rule_impact(tables, adopt=["sanrenkou"], latent=False).report(
        tmp_path / "page.html"
    ).read_text("utf-8")


@pytest.mark.parametrize(
    "change", ["payment.multiple_ron=head_bump", "payment.tsumo_loss=false", "dora.aka=false", "yaku.tanyao.open=off"]
)
def test_a_change_that_may_touch_a_win_counts_them(tables, change):
    [row] = rule_impact(tables, set_=[change], latent=False).table().to_dict("records")
    assert row["n"] > 0
    assert row["note"] == ""


def test_games_cut_and_left_open_are_printed_before_and_after(store):
    impact = rule_impact(store, base="tenhou_4p_aka", set_=["payment.honba=500"], latent=False)
    [row] = impact.table("games").to_dict("records")
    assert row["n_cut"] > 0
    shown = blocks_of(impact)["games"]
    assert shown["cut short, before → after"] == [f"{row['n_cut_before']} → {row['n_cut']}"]
    assert shown["unfinished and left out, before → after"] == [f"{row['n_open_before']} → {row['n_open']}"]


def test_a_result_is_plain_json_text_and_files(of_samples, tmp_path):
    plain = json.loads(json.dumps(of_samples.as_dict(), default=lambda x: x.item()))
    assert {"base", "n_wins", "n_games", "candidates", "games", "ladder", "examples", "definitions"} <= set(plain)
    assert plain["base"] == "recorded"
    assert "NaN" not in json.dumps(plain)
    text = of_samples.text()
    assert text.startswith(of_samples.headline())
    assert all(one.id in text for one in of_samples.candidates)
    written = of_samples.write_csv(tmp_path / "csv")
    assert {path.stem for path in written} == set(of_samples.tables) - {"games_with_latent"}
    assert sorted(path.name for path in (tmp_path / "csv").iterdir()) == sorted(path.name for path in written)
    with pytest.raises(ImpactError, match="no table 'laddr'"):
        of_samples.table("laddr")


def test_the_text_puts_candidates_side_by_side_within_a_hundred_columns_and_defines_words_where_they_stand(store):
    impact = rule_impact(store, adopt=["sanrenkou=1,2,3"], drop=["riichi"], latent_in_games=True)
    text, shown, table = impact.text(), blocks_of(impact), rows(impact)
    prose = ("    before", "    after", impact.headline())
    assert max(width(line) for line in text.splitlines() if not line.startswith(prose)) <= 100
    assert shown["how often"]["occurrences, n"] == [f"{row['n']:,}" for row in table.values()]
    assert shown["how often"]["per 10,000 wins"] == [f"{row['per_10000']:,.2f}" for row in table.values()]
    assert shown["what it is worth, in points"]["gain per win, of all wins"] == [
        f"{row['gain_per_win']:+,.2f}" if row["n"] else "-" for row in table.values()
    ]
    changed = shown["recorded wins that change"]
    assert changed["lost: no win any more"] == [f"{row['n_lost']:,}" for row in table.values()]
    assert changed["only: nothing they held counts any more"] == [f"{row['n_only']:,}" for row in table.values()]
    ladder = impact.table("ladder").set_index(["before", "after"])["n"]
    [steps] = [its for title, its in shown.items() if title.startswith("limits, before")]
    assert {tuple(label.split(" → ")) for label in steps if " → " in label} == set(ladder.index)
    assert sum(int(cell) for cells in steps.values() for cell in cells if cell.isdigit()) == ladder.sum()
    flat = " ".join(text.split())
    is_left_out = {"carried": impact.table("carried").empty, "paid": True}
    for term, sentence in impact.definitions.items():
        assert flat.count(f"{term.replace('_', ' ')}: {sentence}") == (not is_left_out.get(term)), term
    [block] = [block for block in text.split("\n\n") if block.startswith("recorded wins that change")]
    assert "\nchanges: Han, limit or points differ" in block
    assert text == rule_impact(store, adopt=["sanrenkou=1,2,3"], drop=["riichi"], latent_in_games=True).text()


# The command line


@pytest.fixture(scope="module")
def useless(store, tmp_path_factory) -> dict[str, Path]:
    """A store without games, and one without actions."""
    folder = tmp_path_factory.mktemp("useless")
    Store.create(folder / "empty")
    shutil.copytree(store.path, folder / "mute")
    for file in (folder / "mute" / "actions").glob("*.parquet"):
        pq.write_table(pq.read_table(file).slice(0, 0), file)
    return {name: folder / name for name in ("empty", "mute")}


def test_the_command_impact_prints_what_the_function_returns(koyaku, store, tmp_path):
    code, out, err = koyaku("impact", store.path, "--adopt", "sanrenkou=1,2", "--drop", "tanyao", "--json")
    assert (code, err) == (0, "")
    expected = rule_impact(store, adopt=["sanrenkou=1,2"], drop=["tanyao"]).as_dict()
    assert json.loads(out) == json.loads(json.dumps(expected, default=lambda x: x.item()))
    code, out, err = koyaku("impact", store.path, "--adopt", "sanrenkou", "--csv", tmp_path / "csv")
    assert (code, err) == (0, "")
    assert {Path(line).stem for line in out.splitlines()} == set(expected) & {
        p.stem for p in (tmp_path / "csv").iterdir()
    }
    words = ("impact", store.path, "--rules", "m_league", "--assume", "base", "--no-latent", "--csv", tmp_path / "csv")
    told = f"note: assumed from base for m_league: {', '.join(ruleset('m_league').unknown)}\n"
    assert koyaku(*words, "--where", "players == 4")[2] == told
    code, out, err = koyaku("impact", store.path, "--adopt", "sanrenkou", "--csv", tmp_path / "csv", "--json")
    assert (code, json.loads(out)["base"]) == (0, "recorded")
    code, out, err = koyaku("impact", store.path, "--base", "base", "--set", "limits.kiriage_mangan=true")
    assert (code, err) == (0, "")
    assert out.splitlines()[0].endswith("base base")


def test_the_command_sweep_prints_or_writes_what_the_function_returns(koyaku, store, tmp_path):
    (tmp_path / "league.toml").write_text('[yaku]\nsanrenkou = "2"\n')
    code, out, err = koyaku("sweep", store.path, "--rules-dir", tmp_path, "--json")
    assert (code, err) == (0, "")
    assert {(row["rules"], row["yaku"]) for row in json.loads(out)["rows"]} == {
        ("league", None),
        ("league", "sanrenkou"),
    }
    code, out, err = koyaku("sweep", store.path, "--each-local", "-o", tmp_path / "sweep.csv")
    assert (code, out, err) == (0, f"{tmp_path / 'sweep.csv'}\n", "")
    assert len(pd.read_csv(tmp_path / "sweep.csv")) > 200


@pytest.mark.parametrize(
    "words",
    [
        ("impact", "{store}"),
        ("impact", "{store}", "--adopt", "sanrenko"),
        ("impact", "{store}", "--adopt", "sanrenkou=many"),
        ("impact", "{store}", "--set", "round.kuikae=true"),
        ("impact", "{store}", "--rules", "jpml_b", "--csv", "{out}"),
        ("impact", "{empty}", "--adopt", "sanrenkou", "--csv", "{out}"),
        ("impact", "{mute}", "--adopt", "sanrenkou", "--csv", "{out}"),
        ("impact", "{store}", "--adopt", "sanrenkou", "--csv", "{file}/csv", "-o", "{out}.html"),
        ("sweep", "{store}"),
        ("sweep", "{empty}", "--each-local", "-o", "{out}"),
        ("sweep", "{mute}", "--each-local", "-o", "{out}"),
        ("sweep", "{store}", "--rules-dir", "{out}"),
        ("sweep", "{store}", "--each-local", "-o", "{out}/none/file.json"),
    ],
    ids=" ".join,
)
def test_a_users_mistake_is_one_line_exits_with_2_and_writes_nothing(koyaku, store, useless, tmp_path, words):
    names = {**useless, "store": store.path, "out": tmp_path / "out", "file": __file__}
    code, out, err = koyaku(*(word.format(**names) for word in words))
    assert (code, out) == (2, "")
    assert err.startswith("koyaku: ")
    assert err.count("\n") == 1
    assert not list(tmp_path.iterdir())


# Sums


def test_sums_of_rare_events_are_those_of_all_units():
    rng = np.random.default_rng(3)
    n, group = 400, np.array([0, 1, -1, 0])
    game, player = rng.integers(0, 60, n), rng.integers(0, 12, n)
    seat = game * 12 + player
    names = ["", *map(str, range(11))]
    sizes = rng.integers(0, 3, (n, 2))
    values, more = rng.integers(-2, 3, (n, 4)) * (rng.random((n, 4)) < 0.1), rng.integers(0, 2, (n, 4))
    more = more * (values != 0)
    events = Events.of([(s, rows := np.flatnonzero(values[:, s]), values[rows, s], more[rows, s]) for s in range(4)])
    whole = np.column_stack([sizes, np.zeros(n, int)])[:, group] + more
    parts = []
    for half in (game < 30, game >= 30):
        place = np.cumsum(half) - 1
        rows = half[events.row]
        its = events.only(rows)
        its = Events(its.statistic, place[its.row], its.n, its.more)
        parts.append(Tally.of(group, sizes[half], its, game[half], seat[half], player[half], names))
    total = Tally.none(group)
    for part in parts:
        total += part
    alone = np.where(player == 0, 1000 + seat, player)
    for sums, cluster in zip(total.schemes, (np.arange(n), game, alone), strict=True):
        known = np.unique(cluster)
        by = [np.stack([x[cluster == one].sum(axis=0) for one in known]) for x in (values, whole)]
        expected = ClusterSums.of(*by)
        for a, b in zip(sums._columns, expected._columns, strict=True):
            assert a.tolist() == b.tolist()


def test_sums_whose_squares_are_beyond_int64_are_exact():
    sizes, most = np.array([[3], [10**10], [7]]), 9 * 10**12
    events = Events.of([(0, np.array([0, 1]), np.array([most, -1]), np.array([0, 5 * 10**9]))])
    sums = cluster_sums(np.array([0]), sizes, events)
    assert [column.tolist() for column in sums._columns] == [
        [most - 1],
        [15 * 10**9 + 10],
        [most**2 + 1],
        [3 * most - 15 * 10**9],
        [9 + (15 * 10**9) ** 2 + 49],
    ]


def test_results_of_games_whose_squares_are_beyond_int64_have_a_deviation():
    rounds = [{"draw": "exhaustive", "tenpai": []}]
    tables = tables_of({"rounds": rounds}, {"rounds": rounds})
    rescored = rescore(tables, base())
    before = Played.of(tables, rescored, base())
    far = replace(before, ledger=replace(before.ledger, result=before.ledger.result * 10**6))
    found = counts_of(Games(tables, before, far, np.ones(2, bool)), 0)
    results = [round(1000 * one) for one in before.ledger.result.ravel()]
    assert found["squares_before"] == sum(one**2 for one in results) > 0
    assert found["squares_after"] == 10**12 * found["squares_before"] > 2**63


def test_events_of_the_same_place_are_one():
    found = summed(np.array([1, 1, 0]), np.array([5, 5, 5]), np.array([2, 3, 4]), np.array([1, 0, 0]))
    assert (found.statistic.tolist(), found.n.tolist(), found.more.tolist()) == ([0, 1], [4, 5], [0, 1])


# Coverage


def covered(runs: int, *, n_players: int, rate: float, wins: int, spread: float, seed: int = 1) -> dict[str, float]:
    """Share of simulated tables whose interval holds the truth, of paired differences and of the rate.

    A player holds the yaku at a rate of their own, and gains by it an amount that the player's style shifts too; most
    wins gain nothing. Games hold the wins of four players.
    """
    rng = np.random.default_rng(seed)
    group, gains = of_wins.groups_of(1), np.array([0, 13, 20, 39, 80])  # in hundreds
    each = float(betabinom.pmf(np.arange(5), 4, 4, 4) @ gains)
    truth, holds = [rate, rate * each, each], np.zeros(3)
    for _ in range(runs):
        own_rate = rng.beta(rate * spread, (1 - rate) * spread, n_players)
        style = rng.beta(4, 4, n_players)
        player = np.repeat(np.arange(n_players), 1 + rng.poisson(wins, n_players))
        game = rng.permutation(len(player)) // 4
        occurs = np.flatnonzero(rng.random(len(player)) < own_rate[player])
        worth = gains[rng.binomial(4, style[player[occurs]])]
        events = Events.of([(0, occurs, 1, 0), (2, occurs, worth, 0), (3, occurs, worth, 1)])
        names, seat = [f"p{i}" for i in range(n_players)], game * n_players + player
        schemes = Tally.of(group, np.ones((len(player), 2), np.int64), events, game, seat, player, names).schemes
        of_rate = rates([one.only(np.array([0])) for one in schemes], 1, level=0.95)
        of_gain = means([one.only(np.array([2, 3])) for one in schemes], 1, level=0.95)
        low, high = ([of_rate[side][0], *of_gain[side]] for side in ("low", "high"))
        holds += [a <= t <= b for a, t, b in zip(low, truth, high, strict=True)]
    return dict(zip(("rate", "per_win", "per_occurrence"), (holds / runs).tolist(), strict=True))


def test_intervals_of_paired_differences_cover_the_truth_of_players_who_differ():
    found = covered(300, n_players=100, rate=0.15, wins=15, spread=20)
    assert all(0.91 <= share <= 0.985 for share in found.values()), found


@pytest.mark.slow
@pytest.mark.parametrize(("rate", "wins", "spread"), [(0.15, 25, 20), (0.05, 40, 30), (0.3, 15, 8)])
def test_intervals_of_paired_differences_cover_what_they_say(rate, wins, spread):
    found = covered(2000, n_players=200, rate=rate, wins=wins, spread=spread)
    assert all(0.93 <= share <= 0.97 for share in found.values()), found


def test_rules_for_other_tables_are_noted_and_a_filter_that_no_win_passes_is_all_that_is_told(store):
    four = yaku_frequency(store, where="players == 4").card.counted
    impact = rule_impact(store, rules=["tenhou_3p"], set_=["limits.kiriage_mangan=true"], latent=False)
    assert impact.notes == [f"{four} wins of four-player games are scored under tenhou_3p, a ruleset for three"]
    assert f"\nnote: {impact.notes[0]}\n" in impact.text()
    nothing = rule_impact(store, adopt=["sanrenkou"], where="room == 'hououu'")
    assert nothing.text().startswith("no win where room == 'hououu' among ")
    assert nothing.text().endswith("; base recorded\nnote: room: no win has 'hououu'; nearest: 'houou'")
