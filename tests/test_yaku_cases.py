"""Hands that a player can check: what decides each yaku and each key of what a hand is worth, and what just misses."""

import oracle
import pytest
from hand_cases import hand_cases, yaku_of

from analytics.cases import read_case
from analytics.scoring.hands import of_case
from analytics.scoring.ruleset import base, catalog, keys
from analytics.scoring.score import score

CASES = hand_cases()
DECIDING = [case for case in CASES if case.decides]
MISSING = [case for case in CASES if case.misses]


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=[case.name for case in cases])


@by_name(CASES)
def test_the_hand_is_worth_what_the_case_says(case):
    result = case.result()
    found = {name: result.get(name) for name in case.expect} | ({"yaku": yaku_of(result)} if "yaku" in result else {})
    assert found == case.expect | ({"yaku": sorted(case.expect["yaku"])} if "yaku" in case.expect else {})


@by_name(DECIDING)
def test_the_yaku_that_a_case_decides_counts_and_is_missed_where_it_is_off(case):
    assert case.decides in yaku_of(case.result())
    without = case.result(case.rules.amend({f"yaku.{case.decides}": "off"}))
    assert case.decides not in yaku_of(without)
    assert without.get("points", 0) < case.result()["points"] or catalog()[case.decides].replaces


@by_name(MISSING)
def test_the_yaku_that_a_case_misses_does_not_count(case):
    assert case.misses not in yaku_of(case.result())


# The oracle's words for the keys of these cases; it knows no others, and no ruleset but Tenhou's.
ORACLE = {
    "fu.double_wind_pair": "double_wind_pair_fu",
    "fu.open_pinfu": "open_pinfu_fu",
    "limits.kiriage_mangan": "kiriage",
    "limits.multiple_yakuman": "multiple_yakuman",
    "dora.aka": "aka",
    "yaku.tanyao.open": "kuitan",
}
TO_ORACLE = [case for case in CASES if case.key is None or case.key in ORACLE or case.value == base()[case.key]]


@by_name(TO_ORACLE)
def test_the_oracle_agrees(case):
    value = oracle.score(oracle_case(case))
    if "error" in case.expect:
        assert value == {"error": case.expect["error"]}
        return
    yaku = sorted(name for name, _ in value["yaku"] if name not in ("dora", "ura_dora", "aka_dora", "nuki_dora"))
    expect = {"han": None, "fu": None, "yakuman": 0} | case.expect
    found = {"yaku": yaku} | {name: value[name] for name in ("han", "fu", "points", "yakuman")}
    assert found == {name: sorted(expect[name]) if name == "yaku" else expect[name] for name in found}


def oracle_case(case):
    """The case as the oracle reads it: circumstances as flags."""
    line = case.line
    return {
        "hand": line["hand"],
        "melds": line["melds"],
        "win": line["win"],
        "tsumo": line["by"] == "tsumo",
        "seat": line["ctx"]["seat"],
        "round": line["ctx"]["round"],
        "flags": sorted(read_case(line).flags),
        "rules": {ORACLE[case.key]: case.value} if case.key in ORACLE else {},
    } | {name: line[name] for name in ("players", "nuki", "dora_ind", "ura_ind") if name in line}


CLOSED = {"concealed": [1, 2, 3, 4, 5, 6, 11, 12, 13, 17, 17, 23, 24, 25]}  # 234567m 345p 99p 678s
OPEN = {"concealed": [1, 2, 3, 4, 5, 6, 17, 17, 23, 24, 25], "melds": [("pon", 30)]}
WITH_KAN = {"concealed": [1, 2, 3, 4, 5, 6, 17, 17, 23, 24, 25], "melds": [("ankan", 30)]}
MENZEN = {"menzen_tsumo"}


@pytest.mark.parametrize(
    ("hand", "flags", "is_tsumo", "expected"),
    [
        (OPEN, ["haitei", "rinshan"], True, {"rinshan_kaihou"}),
        (OPEN, ["haitei"], False, set()),
        (OPEN, ["rinshan"], False, set()),
        (OPEN, ["houtei", "chankan"], False, {"chankan"}),
        (OPEN, ["houtei"], True, set()),
        (OPEN, ["chankan"], True, set()),
        (CLOSED, ["ippatsu"], True, MENZEN),
        (CLOSED, ["riichi", "double_riichi", "ippatsu"], False, {"double_riichi", "ippatsu"}),
        (CLOSED, ["tenhou"], False, set()),
        (CLOSED, ["chiihou"], False, set()),
        (WITH_KAN, ["tenhou"], True, MENZEN),
        (WITH_KAN, ["chiihou"], True, MENZEN),
    ],
    ids=lambda value: "-".join(value) if isinstance(value, list) else None,
)
def test_circumstances_that_cannot_be_make_no_yaku(hand, flags, is_tsumo, expected):
    """No log and no case holds them; the engine does not rely on that."""
    case = hand | {"win_kind": 24, "is_tsumo": is_tsumo, "seat_wind": 1, "round_wind": 0, "flags": flags}
    [scores] = score(of_case(case), ["base"])
    assert {id_ for id_, holds in zip(scores.played.yaku, scores.holds[0], strict=True) if holds} == expected


def is_of_local_yaku(key: str) -> bool:
    """Whether a key belongs to a yaku that base does not play; test_local_facts and test_case_options decide those."""
    id_ = key.split(".")[1]
    return key.startswith("yaku.") and not catalog()[id_].is_standard


def test_every_yaku_of_a_hand_that_base_plays_has_a_case_it_decides_and_one_it_just_misses():
    of_hands = {id_ for id_, yaku in catalog().items() if yaku.kind == "hand" and yaku.is_standard}
    assert of_hands - {case.decides for case in DECIDING} == set()
    assert of_hands - {case.misses for case in MISSING} == set()
    assert {case.decides for case in DECIDING} | {case.misses for case in MISSING} <= of_hands


def test_every_key_of_what_a_hand_is_worth_has_a_case_it_decides():
    """A yaku's own value is decided by the yaku's deciding case: on there, missed where it is off."""
    of_score = {name for name, key in keys().items() if key.stage == "score" and not is_of_local_yaku(name)}
    own_values = {f"yaku.{id_}" for id_ in catalog()}
    results = {}
    for case in CASES:
        if case.key:
            results.setdefault((case.key, case.line["id"]), {})[str(case.value)] = case.expect
    decided = {key for (key, _), by_value in results.items() if len({str(e) for e in by_value.values()}) > 1}
    assert of_score - own_values - decided == set()
    assert {key for key, _ in results} <= of_score


def test_no_other_keys_are_without_a_case():
    """Rounds and games decide the keys of settle and ledger (test_settle, test_ledger).

    A key of play changes what players may do: recorded games, which were played without it, cannot decide it.
    """
    assert {key.stage for key in keys().values()} == {"score", "settle", "ledger", "play"}


def test_names_of_cases_are_sentences_and_occur_once():
    names = [case.name for case in CASES]
    assert len(names) == len(set(names))
    assert all(" " in name and name == name.strip() for name in names)


def test_every_value_of_a_key_with_few_values_has_its_case():
    shown = {(case.key, case.value) for case in CASES if case.key}
    for name, key in keys().items():
        values = (False, True) if isinstance(key.default, bool) else key.allowed or ()
        if key.stage == "score" and not is_of_local_yaku(name):
            assert {value for value in values if (name, value) not in shown} == set(), name
