"""Points, places and results of games: by hand, and as real games record them."""

import datetime as dt
import tomllib
from collections import Counter

import numpy as np
import pytest
from hand_cases import FOLDER
from told import tables_of

from analytics.ledger import ledger
from analytics.rescoring import rescore
from analytics.rounds import game_rows, numbers
from analytics.scoring.ruleset import base, keys, ruleset
from analytics.settle import settle_rounds

CASES = tomllib.loads((FOLDER / "ledger.toml").read_text("utf-8"))["case"]
SAYS = {"name", "key", "rules", "ruleset", "players", "start", "sticks", "deltas", "under", "expect"}

# The ledger follows a game to the last round it is given; test_impact.py asks where a game ends under these keys.
ENDS_GAMES = {"game.bust", "game.leading_dealer_ends"}
# Who deals next stays as recorded.
DEALS_NEXT = {"yaku.nagashi_mangan.counts_as", "yaku.paarenchan.after"}


def each_value():
    for case in CASES:
        assert set(case) <= SAYS, f"{case['name']!r}: unknown {sorted(set(case) - SAYS)}"
        for one in case.get("under") or [case]:
            name = f"{case['name']}: {one['value']}" if "key" in case else case["name"]
            changes = case.get("rules", {}) | ({case["key"]: one["value"]} if "key" in case else {})
            yield pytest.param(case, changes, one["expect"], id=name)


def booked(case, rules):
    players = case.get("players", 4)
    told = [{"sticks": case.get("sticks", 0) if number == 0 else 0} for number in range(len(case["deltas"]))]
    game = {"players": players, "points": case.get("start"), "rounds": told, "ruleset": case.get("ruleset", "base")}
    deltas = np.array([[*row, 0][:4] for row in case["deltas"]], np.int64)
    return ledger(tables_of(game), deltas, rules)


@pytest.mark.parametrize(("case", "changes", "expect"), list(each_value()))
def test_the_game_ends_as_the_case_says(case, changes, expect):
    end = booked(case, base().amend(changes))
    for name in ("points", "placement", "result", "pot"):
        if name in expect:
            np.testing.assert_allclose(np.squeeze(getattr(end, name)), expect[name], atol=0.001, err_msg=name)


def test_every_key_of_points_and_places_has_a_case_it_decides():
    of_ledger = {name for name, key in keys().items() if key.stage == "ledger"}
    decided = {case["key"] for case in CASES if "key" in case and len({str(u["expect"]) for u in case["under"]}) > 1}
    assert of_ledger == decided | ENDS_GAMES | DEALS_NEXT
    assert not decided & (ENDS_GAMES | DEALS_NEXT)


def test_every_value_of_a_key_with_few_values_has_its_case():
    shown = {(case["key"], str(one["value"])) for case in CASES if "key" in case for one in case["under"]}
    for name, key in keys().items():
        if key.stage == "ledger" and key.allowed and name not in DEALS_NEXT:
            assert {str(value) for value in key.allowed if (name, str(value)) not in shown} == set(), name


@pytest.mark.parametrize("rounding", ["none", "thousand"])
@pytest.mark.parametrize("tie_break", ["seat", "split"])
def test_results_sum_to_the_sticks_that_are_lost(rounding, tie_break):
    rng = np.random.default_rng(8)
    n = 300
    deltas = rng.integers(-300, 300, (n, 4)) * 100
    deltas[: n // 2] = np.round(deltas[: n // 2], -4)  # with ties
    deltas[:, 3] = -deltas[:, :3].sum(axis=1) - 1000 * rng.integers(0, 3, n)
    tables = tables_of(*[{"rounds": [{}]}] * n)
    rules = base().amend({"game.result_rounding": rounding, "game.tie_break": tie_break})
    end = ledger(tables, deltas, rules)
    np.testing.assert_allclose(end.result.sum(axis=1), 0, atol=1e-9)
    assert (end.points.sum(axis=1) == 100_000).all()
    lost = ledger(tables, deltas, rules.amend({"game.left_sticks": "lost"}))
    np.testing.assert_allclose(lost.result.sum(axis=1), -lost.pot / 1000, atol=1e-9)
    assert (lost.points.sum(axis=1) == 100_000 - lost.pot).all()


def test_points_go_by_place():
    rng = np.random.default_rng(9)
    deltas = rng.integers(-3, 4, (200, 4)) * 1000
    end = ledger(tables_of(*[{"rounds": [{}]}] * 200), deltas, base().amend({"game.left_sticks": "lost"}))
    assert (np.sort(end.placement, axis=1) == [1, 2, 3, 4]).all()
    by_place = np.take_along_axis(end.points, np.argsort(end.placement, axis=1), axis=1)
    assert (np.diff(by_place, axis=1) <= 0).all()
    equal = by_place[:, :-1] == by_place[:, 1:]
    assert (np.diff(np.argsort(end.placement, axis=1), axis=1)[equal] > 0).all()


def test_a_ruleset_for_another_number_of_players_gives_no_result():
    three = {"players": 3, "points": [35000] * 3, "ruleset": "tenhou_3p", "rounds": [{}]}
    end = ledger(tables_of(three), np.zeros((1, 4), np.int64), "tenhou_4p_aka")
    assert np.isnan(end.result[0, :3]).all()
    assert end.placement.tolist() == [[1, 2, 3, 0]]


def test_each_game_is_booked_by_the_rules_it_was_played_under():
    four = {"rounds": [{}], "ruleset": "tenhou_4p_aka"}
    three = {"players": 3, "points": [35000] * 3, "ruleset": "tenhou_3p", "rounds": [{}]}
    end = ledger(tables_of(four, three), np.zeros((2, 4), np.int64))
    assert end.result.tolist() == [[35, 5, -15, -25], [30, -5, -25, 0]]


def test_a_game_without_rounds_has_points_and_result_of_none():
    end = ledger(tables_of({"rounds": []}, {"rounds": [{}]}), np.zeros((1, 4), np.int64), "base")
    assert end.points.tolist() == [[0] * 4, [25000] * 4]
    assert end.placement.tolist() == [[0] * 4, [1, 2, 3, 4]]
    assert np.isnan(end.result[0]).all()
    assert ledger(tables_of(), np.zeros((0, 4), np.int64)).points.shape == (0, 4)


def test_the_order_of_rows_changes_no_game():
    games = [{"rounds": [{"sticks": 1}, {"sticks": 2}, {}], "points": [30000, 20000, 25000, 25000]}, {"rounds": [{}]}]
    tables = tables_of(*games)
    deltas = np.array([[1000, -2000, 0, 0], [8000, 0, -8000, 0], [0, 0, 0, -1000], [0, 500, 0, -500]])
    expected = ledger(tables, deltas, base())
    order = [2, 3, 0, 1]
    tables["rounds"] = tables["rounds"].take(order)
    found = ledger(tables, deltas[order], base())
    for name in ("points", "placement", "result", "pot"):
        np.testing.assert_array_equal(getattr(found, name), getattr(expected, name))


# Real games

ROUNDED_UNTIL = dt.datetime(2022, 2, 1)
"""Tenhou's results are whole thousands in the games of January 2022 and before, tenths in those of June and after."""
EAST_UMA, EAST_UMA_UNTIL = {"game.uma": [10, 5, -5, -10]}, dt.datetime(2010, 1, 1)
"""East games of 2009 have uma of 10 and 5; from the first later ones on 20 and 10."""

# What these rooms add to a result is in no rule that is read.
ROOMS_OF_THEIR_OWN = {
    "MahjongPantheon/chips_tonpusen.xml": "rules of its own (csrule)",
    "dnovikoff/chip.xml_": "chips are counted in",
    "dnovikoff/newattr2023.xml": "rules of its own (csrule)",
    "dnovikoff/sanma.xml": "a special room (0x800) that counts points against the start",
    "mjx-project/2019020120gm-0009-10011-215330df.mjlog": "a private lobby: 30000 to start with, uma of its own",
}


def conventions(when, length):
    """Changes under which results were recorded, by what is known of the game's time."""
    whole = {"game.result_rounding": "thousand"}
    if when is None:
        return [{}, whole, whole | EAST_UMA]
    uma = EAST_UMA if when < EAST_UMA_UNTIL and length == "east" else {}
    return [uma | whole if when < ROUNDED_UNTIL else {}]


def results_that_differ(tables):
    """Counts of compared games, and the paths of those whose recorded results are another."""
    games, seats = tables["games"], tables["seats"]
    deltas = settle_rounds(tables, rescore(tables))
    at = game_rows(seats, games), numbers(seats["seat"])
    recorded, final_points = np.zeros((2, games.num_rows, 4))
    recorded[at], final_points[at] = seats["result"].to_numpy(), seats["final_points"].to_numpy()
    points_agree = (final_points == ledger(tables, deltas).points).all(axis=1)
    told = ("path", "ruleset", "start_time", "length", "is_complete")
    made, counts, differ = {}, Counter(), []
    rows = zip(*(games[name].to_pylist() for name in told), strict=True)
    for row, (path, id_, when, length, is_complete) in enumerate(rows):
        if not is_complete or np.isnan(recorded[row]).any():
            counts["not recorded"] += 1
            continue
        if not points_agree[row]:  # an edited record, see the audit
            counts["other points"] += 1
            continue
        agrees = False
        for changes in conventions(when, length):
            if "game.uma" in changes and len(ruleset(id_)["game.uma"]) == 3:
                changes = {key: value for key, value in changes.items() if key != "game.uma"}
            mark = (id_, str(changes))
            if mark not in made:
                made[mark] = ledger(tables, deltas, ruleset(id_).amend(changes)).result
            agrees |= bool(np.allclose(made[mark][row], recorded[row], atol=0.001))
        counts["agree" if agrees else "differ"] += 1
        if not agrees:
            differ.append(path)
    return counts, differ


def of_known_rooms(paths):
    return {room for room in ROOMS_OF_THEIR_OWN for path in paths if path.endswith(room)}


def test_results_of_a_sample_of_real_games_are_as_recorded(real_tables):
    counts, differ = results_that_differ(real_tables)
    assert counts["agree"] > 180
    assert len(of_known_rooms(differ)) == len(differ), differ


@pytest.mark.slow
def test_results_of_all_real_games_are_as_recorded(real_store):
    total, differ = Counter(), []
    for part in real_store.parts():
        counts, some = results_that_differ({name: part[name] for name in part})
        total += counts
        differ += some
    assert of_known_rooms(differ) == set(ROOMS_OF_THEIR_OWN)
    assert len(differ) == len(ROOMS_OF_THEIR_OWN), differ
    assert total["agree"] == 4146, total
    assert total["other points"] == 1, total
