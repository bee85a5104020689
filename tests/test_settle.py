"""Who pays whom: rounds of the folder `cases` settled by hand, and what holds over several rounds."""

import tomllib

import numpy as np
import pytest
from hand_cases import FOLDER
from told import tables_of

from analytics.rescoring import rescore
from analytics.rounds import play_order
from analytics.scoring.hands import of_case
from analytics.scoring.ruleset import base, catalog, keys, ruleset
from analytics.settle import liable_seats, settle_rounds

CASES = tomllib.loads((FOLDER / "settle.toml").read_text("utf-8"))["case"]
SAYS = {"name", "key", "rules", "players", "round", "under", "deltas", "decides", "misses"}

# What no recorded round is settled by: runs of wins are counted as they were recorded, whoever else won on the tile.
NOT_SETTLED = {"yaku.paarenchan.multi_ron"}


def settled(tables, rules):
    return settle_rounds(tables, rescore(tables, rules))


def each_value():
    for case in CASES:
        assert set(case) <= SAYS, f"{case['name']!r}: unknown {sorted(set(case) - SAYS)}"
        assert ("key" in case) == ("under" in case) != ("deltas" in case), case["name"]
        for one in case.get("under") or [case]:
            name = f"{case['name']}: {one['value']}" if "key" in case else case["name"]
            changes = case.get("rules", {}) | ({case["key"]: one["value"]} if "key" in case else {})
            yield pytest.param(case, changes, one["deltas"], id=name)


@pytest.mark.parametrize(("case", "changes", "deltas"), list(each_value()))
def test_the_round_is_paid_as_the_case_says(case, changes, deltas):
    tables = tables_of({"players": case.get("players", 4), "rounds": [case["round"]]})
    assert settled(tables, base().amend(changes)).tolist() == [deltas]
    put = 1000 * len(case["round"].get("riichi", ()))
    assert sum(deltas) + put in (0, 1000 * case["round"].get("sticks", 0) + put)


def test_every_key_of_payments_has_a_case_it_decides():
    of_settle = {name for name, key in keys().items() if key.stage == "settle"}
    decided = {case["key"] for case in CASES if "key" in case and len({str(u["deltas"]) for u in case["under"]}) > 1}
    assert of_settle == decided | NOT_SETTLED
    assert not decided & NOT_SETTLED


def test_every_value_of_a_key_with_few_values_has_its_case():
    shown = {(case["key"], str(one["value"])) for case in CASES if "key" in case for one in case["under"]}
    for name, key in keys().items():
        if key.stage == "settle" and name not in NOT_SETTLED and (key.allowed or isinstance(key.default, bool)):
            values = {str(value) for value in key.allowed or (True, False)}
            assert {value for value in values if (name, value) not in shown} == set(), name


def test_every_yaku_of_a_draw_has_a_case_it_decides_and_one_it_just_misses():
    of_draws = {id_ for id_, yaku in catalog().items() if yaku.kind == "draw"}
    assert of_draws == {case["decides"] for case in CASES if "decides" in case}
    assert of_draws == {case["misses"] for case in CASES if "misses" in case}


@pytest.mark.parametrize("case", [case for case in CASES if "decides" in case], ids=lambda case: case["name"])
def test_the_yaku_of_a_draw_decides_its_case(case):
    tables = tables_of({"players": case.get("players", 4), "rounds": [case["round"]]})
    without = base().amend(case.get("rules", {}) | {f"yaku.{case['decides']}": "off"})
    assert settled(tables, without).tolist() != [case["deltas"]]


def test_a_concealed_kan_makes_nobody_liable_whoever_is_said_to_have_fed_it():
    case = {"concealed": [1, 2, 3, 26, 26], "melds": [("pon", 31), ("pon", 32), ("ankan", 33)]}
    hands = of_case(case | {"win_kind": 1, "is_tsumo": True})
    feeder = np.array([[0, 2, 3, -1]])
    assert liable_seats(hands, feeder, "daisangen", np.array([True])).tolist() == [-1]
    last_called = of_case(case | {"win_kind": 1, "is_tsumo": True, "melds": [("ankan", 33), ("pon", 31), ("pon", 32)]})
    assert liable_seats(last_called, feeder, "daisangen", np.array([True])).tolist() == [3]
    assert liable_seats(last_called, feeder, "daisangen", np.array([False])).tolist() == [-1]


def test_who_fed_the_last_called_kan_is_liable_for_four_unless_one_was_added_after_it():
    hand = {"winner": 1, "hand": "9s (1111p) (3333p) (5555m) (7777m)", "win": "9s", "fed": [0, 2, 2, 3]}
    rules = base().amend({"payment.liable": ["suukantsu"]})

    def paid(*kans: str, hand=hand) -> list[int]:
        tables = tables_of({"rounds": [{"kans": [[1, kind] for kind in kans], "wins": [hand]}]})
        return settled(tables, rules).tolist()[0]

    by_all, by_last = [-16000, 32000, -8000, -8000], [0, 32000, 0, -32000]
    assert paid("daiminkan", "kakan", "daiminkan", "daiminkan") == by_last
    assert paid("daiminkan", "daiminkan", "daiminkan", "kakan") == by_all
    assert paid() == by_last  # not told: in the order of the melds


# Sticks over several rounds

TANYAO = {"hand": "234567m88p67s (345p)", "win": "8s"}  # worth 1000
CHINITSU = {"hand": "1233458899p (567p)", "win": "8p"}  # mangan
NO_OPEN_TANYAO = base().amend({"yaku.tanyao.open": False})


def test_sticks_stay_until_a_win_that_is_worth_something_takes_them():
    tables = tables_of(
        {
            "rounds": [
                {"sticks": 1, "riichi": [0], "draw": "exhaustive", "tenpai": [0]},
                {"sticks": 2, "riichi": [3], "wins": [{"winner": 1, "loser": 2, **TANYAO}]},
                {"riichi": [2], "wins": [{"winner": 3, "loser": 0, **CHINITSU}]},
                {"wins": [{"winner": 3, "loser": 1, **CHINITSU}]},
            ]
        }
    )
    drawn = [3000 - 1000, -1000, -1000, -1000]
    assert settled(tables, base()).tolist() == [
        drawn,
        [0, 4000, -1000, -1000],
        [-8000, 0, -1000, 9000],
        [0, -8000, 0, 8000],
    ]
    assert settled(tables, NO_OPEN_TANYAO).tolist() == [
        drawn,
        [0, 0, 0, -1000],
        [-8000, 0, -1000, 12000],
        [0, -8000, 0, 8000],
    ]


def test_sticks_do_not_pass_from_one_game_to_the_next():
    first = {"rounds": [{"riichi": [0, 1], "draw": "exhaustive", "tenpai": []}]}
    second = {"rounds": [{"sticks": 1, "wins": [{"winner": 1, "loser": 2, **CHINITSU}]}]}
    assert settled(tables_of(first, second), base()).tolist() == [[-1000, -1000, 0, 0], [0, 9000, -8000, 0]]


def test_nagashi_mangan_that_takes_the_pot_leaves_none_for_the_next_round():
    tables = tables_of(
        {
            "rounds": [
                {"sticks": 3, "draw": "exhaustive", "rivers": {"1": "19m1z"}, "tenpai": []},
                {"sticks": 3, "wins": [{"winner": 1, "loser": 2, **CHINITSU}]},
            ]
        }
    )
    assert settled(tables, base()).tolist()[1] == [0, 11000, -8000, 0]
    takes = base().amend({"yaku.nagashi_mangan.honba_riichi_sticks": True})
    assert settled(tables, takes).tolist() == [[-4000, 11000, -2000, -2000], [0, 8000, -8000, 0]]


def test_the_order_of_rows_changes_no_payment():
    case = {
        "rounds": [
            {"sticks": 1, "riichi": [0], "draw": "exhaustive", "tenpai": [0]},
            {"sticks": 2, "wins": [{"winner": 1, "loser": 2, **TANYAO}, {"winner": 0, "loser": 2, **CHINITSU}]},
            {"riichi": [2], "draw": "nagashi_mangan", "rivers": {"1": "19m1z", "3": "5m"}},
            {"sticks": 1, "honba": 1, "wins": [{"winner": 3, **CHINITSU}]},
        ]
    }
    tables = tables_of(case, {"players": 3, "rounds": [{"sticks": 1, "draw": "exhaustive", "tenpai": [2]}]}, case)
    rules = base().amend({"payment.honba_of_double_ron": "each"})
    expected = settled(tables, rules)
    rng = np.random.default_rng(3)
    order = {name: rng.permutation(table.num_rows) for name, table in tables.items()}
    order["circumstances"] = order["wins"]  # these two are rows of one another
    shuffled = {name: table.take(order[name]) for name, table in tables.items()}
    assert settled(shuffled, rules).tolist() == expected[order["rounds"]].tolist()


def test_each_game_is_settled_by_the_rules_it_was_played_under():
    one = {"rounds": [{"draw": "exhaustive", "tenpai": [1]}]}
    tables = tables_of(one, {"players": 3, "ruleset": "tenhou_3p", **one}, {"ruleset": "tenhou_4p_aka", **one})
    paid = rescore(tables)
    assert [rules.id for rules in paid.rulesets] == ["base", "tenhou_3p", "tenhou_4p_aka"]
    assert settle_rounds(tables, paid).tolist() == [
        [-1000, 3000, -1000, -1000],
        [-1000, 2000, -1000, 0],
        [-1000, 3000, -1000, -1000],
    ]


def test_a_part_without_wins_or_without_rounds_is_settled():
    assert settled(tables_of({"rounds": [{"draw": "exhaustive", "tenpai": [1]}]}), base()).shape == (1, 4)
    assert settled(tables_of(), base()).shape == (0, 4)
    assert settled(tables_of(), "recorded").shape == (0, 4)


def test_a_win_set_aside_by_head_bump_keeps_its_worth_and_does_not_stand():
    tables = tables_of(
        {"rounds": [{"wins": [{"winner": 1, "loser": 2, **CHINITSU}, {"winner": 3, "loser": 2, **TANYAO}]}]}
    )
    bumped = rescore(tables, base().amend({"payment.multiple_ron": "head_bump"}))
    assert bumped.points.tolist() == [8000, 1000]
    assert bumped.stands.tolist() == [False, True]
    assert rescore(tables, base()).stands.tolist() == [True, True]
    assert rescore(tables, NO_OPEN_TANYAO).stands.tolist() == [True, False]


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"yaku.riichi": "off", "yaku.tanyao": "off"},
        {"payment.multiple_ron": "head_bump", "payment.honba": 500, "yaku.nagashi_mangan.honba_riichi_sticks": True},
        {
            "yaku.maneman": "mangan",
            "yaku.paarenchan": "yakuman",
            "yaku.paarenchan.ryanhan_shibari": "dealer_after_fifth",
        },
    ],
)
def test_points_and_sticks_of_real_games_are_conserved(real_tables, changes):
    """What all seats of a game lost up to a round lies on the table in sticks, and never less than none."""
    deltas = settled(real_tables, ruleset("tenhou_4p_aka").amend(changes))
    order, starts = play_order(real_tables["rounds"], real_tables["games"])
    lost = -deltas.sum(axis=1)[order]
    before = np.cumsum(lost) - lost
    sticks = real_tables["rounds"]["sticks"].to_numpy()[order]
    first = np.maximum.accumulate(np.where(starts, np.arange(len(lost)), 0))
    on_table = 1000 * sticks[first] + before + lost - before[first]
    assert (on_table >= 0).all()
    assert (on_table % 1000 == 0).all()
    assert (on_table > 0).any()
