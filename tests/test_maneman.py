"""What recorded rounds bring under rules that look beyond one hand: imitated rivers, and runs that ask for two han."""

from __future__ import annotations

import numpy as np
import pytest
from plain_mjlog import Call, Discard, read
from told import tables_of

from analytics.corpus import read as read_logs
from analytics.maneman import imitations, turns
from analytics.rescoring import amended_rules, rescore
from analytics.scoring.hands import of_case
from analytics.scoring.ruleset import base, ruleset
from analytics.settle import liable_seats, settle_rounds

IMITATED = ("thewaxmango/2009031021gm-00e1-0000-fa3b15b0.txt", 2, 0, 3)
SHORT = {  # two discards instead of five or six, so that real rounds hold many
    "yaku.maneman.n": 2,
    "yaku.maneman.who": "any_opponent",
    "yaku.maneman.trigger": "immediate_payment",
    "yaku.maneman.call_break": "only_if_relevant_tile_melded",
    "yaku.maneman.red_five_equal": True,
}
OTHERWISE = [
    {},
    {"yaku.maneman.who": "dealer_only"},
    {"yaku.maneman.who": "nearest_previous_player"},
    {"yaku.maneman.call_break": "any_call"},
    {"yaku.maneman.red_five_equal": False},
]


def kind_of(tile: int, rules: dict) -> tuple[int, bool]:
    return tile // 4, not rules["yaku.maneman.red_five_equal"] and tile in (16, 52, 88)


def walked(round_, players: int, rules: dict) -> list[tuple[int, int]]:
    """Of each seat, whom it imitates and for how many discards, event by event."""
    called, rivers, first_call = set(), {seat: [] for seat in range(4)}, None
    for at, event in enumerate(round_.events):
        if isinstance(event, Discard):
            rivers[event.seat].append((at, event.tile))
        elif isinstance(event, Call) and event.meld.kind != "kita":
            first_call = at if first_call is None else first_call
            if event.meld.kind in ("chi", "pon", "daiminkan"):
                called.add(event.meld.called)
    found = []
    for seat in range(4):
        best = (-1, 0)
        for other in range(4):
            if other == seat or (rules["yaku.maneman.who"] == "dealer_only" and other != round_.oya):
                continue
            if rules["yaku.maneman.who"] == "nearest_previous_player" and other != (seat - 1) % players:
                continue
            n = 0
            for (at, tile), (before, same) in zip(rivers[seat], rivers[other], strict=False):
                if kind_of(tile, rules) != kind_of(same, rules) or at < before or {tile, same} & called:
                    break
                n += 1
            if n < rules["yaku.maneman.n"]:
                continue
            completed = rivers[seat][rules["yaku.maneman.n"] - 1][0]
            if rules["yaku.maneman.call_break"] == "any_call" and first_call is not None and first_call < completed:
                continue
            best = (other, n) if n > best[1] else best
        found.append(best)
    return found


def compare(part, paths: dict[int, bytes]) -> int:
    """Columns against the walk, under every rule; how many imitations were compared."""
    made, n_found = turns(part), 0
    where = list(zip(part["rounds"]["game"].to_pylist(), part["rounds"]["round_no"].to_pylist(), strict=True))
    games = {game: read(text) for game, text in paths.items()}
    for change in OTHERWISE:
        rules = SHORT | change
        whom, n = imitations(made, rules)
        for row, (game, round_no) in enumerate(where):
            if game not in games:
                continue
            expected = walked(games[game].rounds[round_no], int(made.players[row]), rules)
            assert list(zip(whom[row].tolist(), n[row].tolist(), strict=True)) == expected, (game, round_no, change)
            n_found += sum(seen > 0 for _, seen in expected)
    return n_found


@pytest.mark.slow
def test_rivers_are_compared_as_a_walk_compares_them(real_store):
    n_found = 0
    for part in real_store.parts():
        games = part["games"].select(["game", "path"]).to_pylist()[:250]
        n_found += compare(part, {game["game"]: _text(game["path"]) for game in games if "::" not in game["path"]})
    assert n_found > 300


def _text(path: str) -> bytes:
    with open(path, "rb") as file:
        return file.read()


def test_an_imitated_river_is_paid_by_the_imitated_seat(shared):
    file, round_no, seat, other = IMITATED
    path = shared / "logs" / "mjlog" / file
    round_ = read(path.read_bytes()).rounds[round_no]
    rivers = [[e.tile // 4 for e in round_.events if isinstance(e, Discard) and e.seat == s][:5] for s in (seat, other)]
    assert rivers[0] == rivers[1]
    assert len(rivers[0]) == 5
    tables = read_logs([path])
    row = tables["rounds"]["round_no"].to_pylist().index(round_no)

    def paid(*options: str) -> list[int]:
        rescored = rescore(tables, amended_rules("recorded", ["maneman"], set_=[f"yaku.maneman.{o}" for o in options]))
        without = settle_rounds(tables, rescore(tables, "recorded"))
        assert np.array_equal(settle_rounds(tables, rescored) - without, rescored.maneman_pays)
        return rescored.maneman_pays[row].tolist()

    expected = [0, 0, 0, 0]
    expected[seat], expected[other] = 8000, -8000
    assert paid() == expected
    assert paid("n=6") == paid("trigger=on_exhaustive_draw") == paid("who=dealer_only") == [0, 0, 0, 0]
    assert paid("trigger=floor_when_winning") == [0, 0, 0, 0]


EQUAL = "1z9m5s4z9s2p2z"
TANYAO = {"hand": "234567m88p67s (345p)", "win": "8s"}  # worth 1000


@pytest.mark.parametrize(
    ("win", "options", "points", "yaku"),
    [
        ({"winner": 1, **TANYAO}, {}, 8000, "maneman"),
        ({"winner": 0, **TANYAO}, {}, 1500, "tanyao"),  # whom the other imitates
        ({"winner": 2, **TANYAO}, {}, 1000, "tanyao"),
        ({"winner": 1, **TANYAO}, {"steps": "haneman_at_7_baiman_at_9"}, 12000, "maneman"),
        ({"winner": 1, **TANYAO}, {"trigger": "on_exhaustive_draw"}, 1000, "tanyao"),
        ({"winner": 1, "hand": "1233458899p (567p)", "win": "8p"}, {}, 8000, "chinitsu"),  # worth as much by itself
        ({"winner": 1, "hand": "234567m22z67s (345p)", "win": "8s"}, {}, 0, None),  # no win to raise
    ],
)
def test_an_imitated_river_may_be_what_a_later_win_of_a_recorded_round_is_worth_at_least(win, options, points, yaku):
    rivers = {"0": EQUAL, "1": EQUAL, "2": "2m", "3": "3p"}
    tables = tables_of({"rounds": [{"in_turn": True, "rivers": rivers, "wins": [{"loser": 3, **win}]}]})
    changes = {f"yaku.maneman.{name}": value for name, value in ({"trigger": "floor_when_winning"} | options).items()}
    rules = base().amend({"yaku.maneman": "mangan"} | changes)
    rescored = rescore(tables, rules)
    assert rescored.points.tolist() == [points]
    assert [rescored.yaku[column] for column in np.flatnonzero(rescored.holds[0])] == ([yaku] if yaku else [])
    assert not rescored.maneman_pays.any()
    expected = [0, 0, 0, -points]
    expected[win["winner"]] += points
    assert settle_rounds(tables, rescored).tolist() == [expected]


@pytest.mark.slow
def test_one_river_of_all_logs_imitates_another_for_five_discards(real_store):
    paid = [rescore(part, amended_rules("recorded", ["maneman"])).maneman_pays.any(axis=1).sum()
            for part in real_store.parts()]
    assert sum(paid) == 1


@pytest.mark.slow
def test_a_dealer_deep_in_a_run_needs_two_han_where_the_rules_ask_it(real_store):
    asked = ["yaku.paarenchan.definition=def3", "yaku.paarenchan.ryanhan_shibari=dealer_after_fifth"]
    n_refused = 0
    for part in real_store.parts():
        free, bound = (rescore(part, amended_rules("recorded", ["paarenchan"], set_=options))
                       for options in (asked[:1], asked))
        before = part["circumstances"]["n_count_3"].to_numpy()
        in_run = (before >= 5) & (part["circumstances"]["seat_wind"].to_numpy() == 0)
        refused = free.stands & ~bound.stands
        assert not refused[~in_run].any()
        yaku_han = free.han - free.dora_han.sum(axis=1)
        expected = free.stands & in_run & (yaku_han < 2) & (free.units == 0)
        assert np.array_equal(refused, expected)
        n_refused += int(refused.sum())
    assert n_refused > 0


def test_an_added_kan_as_the_fourth_makes_nobody_liable_for_suukantsu():
    def seat_of(*kinds: str) -> int:
        melds = list(zip(kinds, (0, 3, 9, 20), strict=True))
        hands = of_case({"concealed": [27, 27], "melds": melds, "win_kind": 27, "is_tsumo": True})
        return int(liable_seats(hands, np.array([[1, 1, 2, 3]]), "suukantsu", np.array([True]))[0])

    assert seat_of("ankan", "kakan", "daiminkan", "daiminkan") == 3
    assert seat_of("daiminkan", "daiminkan", "daiminkan", "kakan") == -1
    assert seat_of("daiminkan", "daiminkan", "daiminkan", "ankan") == -1
    assert "suukantsu" in ruleset("m_league")["payment.liable"]
