"""One hand in words: the text of each form, each source of fu, and all dealt hands against the oracle's readings."""

from __future__ import annotations

from collections import Counter

import dealing
import numpy as np
import oracle
import pytest

from analytics.cases import hands_of, read_case, score_cases
from analytics.scoring.explain import explain, mpsz
from analytics.scoring.score import score


def told(hand: str, win: str, by: str = "ron", **more) -> dict:
    return next(score_cases([{"hand": hand, "win": win, "by": by, "flags": ["riichi"]} | more]))


@pytest.mark.parametrize(
    ("hand", "win", "reading"),
    [
        ("234m567p34678s99p", "5s", "234m 567p 34s+5s 678s 99p"),
        ("234m567p45678s99p", "3s", "234m 567p 45s+3s 678s 99p"),
        ("234m567p35678s99p", "4s", "234m 567p 35s+4s 678s 99p"),
        ("234m567p12678s99p", "3s", "234m 567p 12s+3s 678s 99p"),
        ("234m567p89678s99p", "7s", "234m 567p 678s 89s+7s 99p"),
        ("234m567p345678s9p", "9p", "234m 567p 345s 678s 9p+9p"),
        ("234m567p345s99p77z", "7z", "234m 567p 345s 77z+7z 99p"),
        ("567p34678s99p [2222m]", "5s", "567p 34s+5s 678s 99p [2222m]"),
        ("2244m66p88s55667z", "7z", "22m 44m 66p 88s 55z 66z 7z+7z"),
        ("19m19p199s123456z", "7z", "19m19p199s123456z+7z"),
        ("19m19p19s1234567z", "1z", "19m19p19s1234567z+1z"),
    ],
)
def test_the_text_of_a_reading(hand, win, reading):
    assert told(hand, win)["reading"] == reading


def test_melds_stand_last_in_call_order_and_red_fives_are_plain():
    melds = [
        {"type": "pon", "tiles": "777z"},
        {"type": "ankan", "tiles": "1111m"},
        {"type": "chi", "tiles": "340p"},
        {"type": "kakan", "tiles": "0555s"},
    ]
    assert told("9m", "9m", melds=melds, flags=[])["reading"] == "9m+9m (777z) [1111m] (345p) (5555s)"


def test_the_better_of_two_readings_is_told():
    assert told("111222333m45p99s", "6p")["reading"] == "111m 222m 333m 45p+6p 99s"
    assert told("111222333m45p99s", "6p", flags=[])["reading"] == "111m 222m 333m 45p+6p 99s"
    assert told("112233m112233p9s", "9s")["reading"] == "123m 123m 123p 123p 9s+9s"
    assert told("334455m345p34s22z", "5s")["reading"] == "345m 345m 345p 34s+5s 22z"


# hand, winning tile, how, what else, and one part of its fu
PARTS = [
    ("234m567p34678s99p", "5s", "ron", {}, ["closed_ron", 10]),
    ("234m567p35678s99p", "4s", "tsumo", {}, ["tsumo", 2]),
    ("234m567p35678s99p", "4s", "ron", {}, ["kanchan", 2]),
    ("234m567p12678s99p", "3s", "ron", {}, ["penchan", 2]),
    ("234m567p89678s99p", "7s", "ron", {}, ["penchan", 2]),
    ("234m567p345678s9p", "9p", "ron", {}, ["tanki", 2]),
    ("222m567p34678s99p", "5s", "ron", {}, ["triplet 222m", 4]),
    ("111m567p34678s99p", "5s", "ron", {}, ["triplet 111m", 8]),
    ("22m567p345678s99p", "2m", "ron", {}, ["triplet 222m", 2]),
    ("22m567p345678s99p", "2m", "tsumo", {}, ["triplet 222m", 4]),
    ("567p34678s99p [2222m]", "5s", "ron", {}, ["kan 2222m", 16]),
    ("567p34678s99p [1111m]", "5s", "ron", {}, ["kan 1111m", 32]),
    ("34678s99p (222m) (555z)", "5s", "ron", {"flags": []}, ["triplet 222m", 2]),
    ("34678s99p (222m) (555z)", "5s", "ron", {"flags": []}, ["triplet 555z", 4]),
    ("34678s99p (2222m) (555z)", "5s", "ron", {"flags": []}, ["kan 2222m", 8]),
    ("34678s99p (222m) (5555z)", "5s", "ron", {"flags": []}, ["kan 5555z", 16]),
    ("234m567p34678s55z", "5s", "ron", {}, ["pair 55z", 2]),
    ("234m567p34678s22z", "5s", "ron", {"seat": "S"}, ["pair 22z", 2]),
    ("234m567p34678s22z", "5s", "ron", {"round": "S"}, ["pair 22z", 2]),
    ("234m567p34678s22z", "5s", "ron", {"seat": "S", "round": "S"}, ["pair 22z", 4]),
    (
        *("234m567p34678s22z", "5s", "ron"),
        {"seat": "S", "round": "S", "rules": {"double_wind_pair_fu": 2}},
        ["pair 22z", 2],
    ),
    ("34m22p678s (345s) (567p)", "2m", "ron", {"flags": []}, ["open_pinfu", 10]),
    ("2244m66p88s55667z", "7z", "ron", {}, ["chiitoitsu", 25]),
    ("234m567p35678s99p", "4s", "tsumo", {}, ["rounding", 6]),
]


@pytest.mark.parametrize(("hand", "win", "by", "more", "part"), PARTS)
def test_each_source_of_fu_is_named(hand, win, by, more, part):
    found = told(hand, win, by, **more)
    assert part in found["fu_parts"]
    assert sum(fu for _, fu in found["fu_parts"]) == found["fu"]


def test_nothing_is_named_that_gives_no_fu():
    assert told("234m567p34678s99p", "5s", "tsumo")["fu_parts"] == [["base", 20]]
    assert told("2244m66p88s55667z", "7z", "tsumo")["fu_parts"] == [["chiitoitsu", 25]]


def test_a_hand_that_is_paid_nothing_has_no_best_reading():
    case = read_case({"hand": "24m567p345678s99p", "win": "3m", "by": "ron"})
    [scores] = score(hands_of([case]), ["base"])
    with pytest.raises(ValueError, match="no best reading"):
        explain(scores)


def test_rows_can_be_chosen_and_repeated():
    hands = {"234m567p34678s99p": "5s", "22m567p345678s99p": "2m", "24m567p345678s99p": "3m"}
    given = [read_case({"hand": hand, "win": win, "tsumo": True}) for hand, win in hands.items()]
    [scores] = score(hands_of(given), ["base"])
    texts = [one.reading for one in explain(scores)]
    assert [one.reading for one in explain(scores, np.array([2, 0, 0]))] == [texts[2], texts[0], texts[0]]


# ------------------------------------------------------------------------------------- dealt hands, by the oracle

NAMES = {"wind_pair": "pair", "dragon_pair": "pair", "double_wind_pair": "pair", "seven_pairs": "chiitoitsu"}
SHAPES = {f"{how}_{shape}": shape for how in ("open", "concealed") for shape in ("triplet", "kan")}


def parts_by_shape(parts: list) -> Counter:
    """Fu parts without the tiles, in one vocabulary."""
    return Counter((NAMES.get(name, SHAPES.get(name, name.split()[0])), fu) for name, fu in parts)


def kinds_in(text: str) -> list[int]:
    """All tiles of a reading's text."""
    for sign in "()[]+":
        text = text.replace(sign, " ")
    return sorted(kind for block in text.split() for kind in oracle.parse(block)[0])


def check_dealt(seed: int, n: int, players: int) -> None:
    dealt = dealing.deals(seed, n, players=players)
    for case in dealt:
        del case["style"]
    for case, found in zip(dealt, score_cases(dealt), strict=True):
        if "error" in found:
            continue
        held = [case["hand"], case["win"], *(meld["tiles"] for meld in case["melds"])]
        assert kinds_in(found["reading"]) == sorted(kind for text in held for kind in oracle.parse(text)[0]), case
        won = found["reading"].partition("+")[2].split()[0]
        assert won == mpsz(oracle.parse(case["win"])[0])
        if found["yakuman"]:
            assert found["fu_parts"] == []
            continue
        same = [value for _, value in oracle.every_score(case) if value and value["points"] == found["points"]]
        assert parts_by_shape(found["fu_parts"]) in [parts_by_shape(value["fu_parts"]) for value in same], case


@pytest.mark.parametrize("players", [4, 3])
def test_the_parts_and_blocks_of_dealt_hands_are_those_of_a_best_reading(players):
    check_dealt(31, 400, players)


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 3])
def test_the_parts_and_blocks_of_many_dealt_hands_are_those_of_a_best_reading(players):
    check_dealt(32, 10000, players)
