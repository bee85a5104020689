"""One hand in words: the text of each form, each source of fu, and all dealt hands against the oracle's readings."""

from __future__ import annotations

import random
from collections import Counter
from itertools import permutations

import dealing
import numpy as np
import oracle
import pytest

from analytics.cases import hands_of, read_case, score_cases
from analytics.scoring.explain import explain, mpsz
from analytics.scoring.ruleset import amended
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


# ------------------------------------------------------------------------------ hands that are not four sets and a pair

SHAPES = ("kumiairyuu", "zenfukou", "chiishin_uushii", "shiisanpuutaa", "shiisuupuutaa", "american_civil_war")
ODD = amended(
    "base",
    adopt=[f"{shape}=1" for shape in SHAPES],
    set_=[
        "yaku.chiitoitsu.four_identical=true",
        *(
            f"yaku.american_civil_war.{option}=true"
            for option in ("same_suit", "honor_kan_allowed", "honor_meld_allowed")
        ),
    ],
)


def told_odd(hand: str, win: str, by: str = "ron", **more) -> dict:
    return next(score_cases([{"hand": hand, "win": win, "by": by} | more], ODD))


@pytest.mark.parametrize(
    ("hand", "win", "reading"),
    [
        ("147m258p369s1112z", "2z", "147m 258p 369s 111z 2z+2z"),
        ("147m258p369s1122z", "2z", "147m 258p 369s 22z+2z 11z"),
        ("14m258p369s11122z", "7m", "14m+7m 258p 369s 111z 22z"),
        ("147m258p369s78s11z", "9s", "147m 258p 369s 78s+9s 11z"),
        ("147m258p369s7z (888s)", "7z", "147m 258p 369s 7z+7z (888s)"),
        ("147m258p369s1234z", "5z", "147m258p369s1234z+5z"),
        ("1168m156p222444z", "8p", "1168m 156p+8p 222z 444z"),
        ("1168s1568p44z (222z)", "4z", "1568p 1168s 44z+4z (222z)"),
        ("1111556677889m", "9m", "11m 11m 55m 66m 77m 88m 9m+9m"),
    ],
)
def test_the_text_of_an_odd_hand(hand, win, reading):
    assert told_odd(hand, win)["reading"] == reading


def test_a_first_hand_of_singles_is_one_block():
    first = {"by": "tsumo", "ctx": {"own_discards": 0}}
    assert told_odd("258m1447p47s1234z", "5z", **first)["reading"] == "258m1447p47s1234z+5z"
    assert told_odd("258m147p47s12345z", "6z", **first)["reading"] == "258m147p47s12345z+6z"


def test_a_knitted_hand_has_the_fu_of_its_own_set_and_pair():
    assert told_odd("147m258p369s1112z", "2z")["fu_parts"] == [
        ["base", 20],
        ["triplet 111z", 8],
        ["tanki", 2],
        ["closed_ron", 10],
    ]
    assert told_odd("14m258p369s11166z", "7m")["fu_parts"][1:] == [
        ["triplet 111z", 8],
        ["pair 66z", 2],
        ["closed_ron", 10],
    ]


def odd_hand(rng: random.Random) -> tuple[list[int], list[dict]]:
    """Fourteen tiles of a form that is not four sets and a pair, as kinds, and their melds."""
    suits = rng.sample(range(3), 3)
    nine = [9 * suit + part + step for part, suit in enumerate(suits) for step in (0, 3, 6)]
    form = rng.choice(["pairs", "knitted", "scattered", "war"])
    if form == "pairs":
        return [kind for kind in rng.choices(rng.sample(range(34), 7), k=7) for _ in range(2)], []
    if form == "scattered":
        return rng.sample([*nine, *range(27, 34)], 14), []
    if form == "war":
        first, second = rng.choice([(0, 0), (1, 1), *permutations(range(3), 2)])
        years = [9 * first + n - 1 for n in (1, 8, 6, 1)] + [9 * second + n - 1 for n in (1, 8, 6, 5)]
        sets = [[28] * 3, [30] * 3]
    else:
        years = nine + 2 * [rng.randrange(34)]
        low = rng.choice([kind for kind in range(27) if kind % 9 < 7])
        sets = [rng.choice([[low, low + 1, low + 2], 3 * [rng.randrange(34)]])]
    melds = []
    for one in list(sets):
        if rng.random() < 0.4:
            sets.remove(one)
            types = ["pon", "ankan", "minkan"] if one[0] == one[2] else ["chi"]
            type_ = rng.choice(types)
            melds.append({"type": type_, "tiles": mpsz(one + one[:1] * (type_.endswith("kan")))})
    return years + [kind for one in sets for kind in one], melds


def test_odd_hands_are_told_in_full_and_their_fu_add_up():
    rng = random.Random(5)
    forms = Counter()
    given = []
    for _ in range(1500):
        kinds, melds = odd_hand(rng)
        win = kinds.pop(rng.randrange(len(kinds)))
        line = {"hand": mpsz(kinds), "melds": melds, "win": mpsz([win]), "by": rng.choice(["ron", "tsumo"])}
        given.append(line | {"seat": "E", "round": "E", "ctx": {"own_discards": rng.choice([0, 1])}})
    for line, found in zip(given, score_cases(given, ODD), strict=True):
        forms[found.get("error")] += 1
        if "error" in found:
            continue
        held = [line["hand"], line["win"], *(meld["tiles"] for meld in line["melds"])]
        assert kinds_in(found["reading"]) == sorted(kind for text in held for kind in oracle.parse(text)[0]), line
        assert found["reading"].partition("+")[2].split()[0] == line["win"]
        assert sum(fu for _, fu in found["fu_parts"]) == (found["fu"] or 0)
    assert forms[None] > 700
    assert set(forms) <= {None, "no_yaku", "not_winning", "bad_hand"}


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
