"""Local yaku on hands that a player can check.

A case of `cases/local_*.toml` is a hand a player can lay out: concealed tiles bare, (called) melds in round brackets, a
+ behind the tiles of an added kan, [concealed kans] in square ones; the winning tile apart; 0 is a red five, 1z-7z are
the winds and the dragons. `ctx` has the facts of the round as `local_reference.values_of` reads them; unless it says
otherwise the winner sits south in an east round. The rules are base's with the yaku of `adopt` played (else the one the
case is about), those of `drop` not, and `options` set.

`decides` names the yaku whose presence a case shows, `misses` one that the hand nearly has. A case with `key` shows an
option under each of its values. In `local_precedence.toml` the `higher` yaku stands in place of the `lower`; of `one`
and `other` the better is counted.
"""

import tomllib
from functools import cache
from pathlib import Path

import local_reference as reference
import oracle
import pytest
from test_local_facts import choices

from analytics.scoring.hands import of_case
from analytics.scoring.ruleset import amended, base, catalog, keys, written
from analytics.scoring.score import STATUSES, facts_of, score

FOLDER = Path(__file__).parent / "cases"
FAMILIES = ("circumstance", "runs", "triplets", "honours", "composition", "shapes")
LOCAL = [id_ for id_, yaku in catalog().items() if yaku.kind == "hand" and not yaku.is_standard]


def load(name):
    return tomllib.loads((FOLDER / f"local_{name}.toml").read_text("utf-8"))["case"]


OF_YAKU = [case for family in FAMILIES for case in load(family)]
OF_OPTIONS = load("options")
OF_PRECEDENCE = load("precedence")


def by_name(cases):
    return pytest.mark.parametrize("case", cases, ids=[case["name"] for case in cases])


def values(case):
    return reference.values_of(case["hand"], case["win"], case["by"], case.get("ctx"))


FACTS = {}


def facts(case):
    """The facts of a case's hand, found once."""
    if case["name"] not in FACTS:
        FACTS[case["name"]] = facts_of(of_case(values(case)))
    return FACTS[case["name"]]


def rules_of(case):
    named = case.get("decides") or case.get("misses")
    rules = amended("base", adopt=case.get("adopt", [named] if named else []), drop=case.get("drop", []))
    return rules.amend({f"yaku.{key}": value for key, value in case.get("options", {}).items()})


def result(case, rules):
    """What a case expects, of a hand under rules: yaku, and han and fu unless a limit of its own decides."""
    scored = score(facts(case), [rules])[0]
    status = STATUSES[int(scored.status[0])]
    if status != "ok":
        return {"error": status}
    found = {"yaku": sorted(id_ for id_, holds in zip(scored.played.yaku, scored.holds[0], strict=True) if holds)}
    if scored.units[0]:
        found["yakuman"] = int(scored.units[0])
    elif not scored.by_floor[0]:
        found |= {"han": int(scored.han[0]), "fu": int(scored.fu[0])}
    return found | {"points": int(scored.points[0])}


def expected(expect):
    return expect | ({"yaku": sorted(expect["yaku"])} if "yaku" in expect else {})


# ------------------------------------------------------------------------------------------------- what decides


@by_name(OF_YAKU)
def test_a_hand_is_worth_what_the_case_says(case):
    found = result(case, rules_of(case))
    assert found == expected(case["expect"])
    named = case.get("decides") or case["misses"]
    assert (named in found.get("yaku", ())) == ("decides" in case)


@by_name([case for case in OF_YAKU if "decides" in case])
def test_without_the_yaku_the_hand_is_worth_something_else(case):
    found = result(case, rules_of(case))
    without = result(case, rules_of(case).amend({f"yaku.{case['decides']}": "off"}))
    assert case["decides"] not in without.get("yaku", ())
    assert without != found


@by_name(OF_YAKU)
def test_the_reference_agrees(case):
    hand = reference.hand_of(values(case))
    readings = reference.readings(hand)
    named = case.get("decides") or case["misses"]
    value = catalog()[named].value
    closed = all(not block.called for block in hand.melds)
    counts = (value.closed if closed else value.open).is_on or named == "tanron"
    says = counts and any(conditions(case)[named](reading) for reading in readings)
    # Seven honours with tsuuiisou hold it as well, which then does not count.
    replaced = {"suuzuukou": "tsuuiisou"}.get(named) in case["expect"].get("yaku", ())
    assert says == ("decides" in case or replaced)


def worth_of(id_, holding, closed, rules):
    """Han, units and floor of a yaku in a reading where these hold; han that are added to another ask for it."""
    value = rules.yaku_value(id_)
    worth = value.closed if closed else value.open
    key = keys().get(f"yaku.{id_}.scoring")
    needed = key.effects[key.default].han_needs if key else None
    return (worth.han if needed is None or needed in holding else 0), worth.units, worth.floor


def conditions(case):
    """The reference's conditions, those under the options of the case among them."""
    found = dict(reference.YAKU)
    for option, value in case.get("options", {}).items():
        name = f"{option}={written(value)}"
        found |= {option.partition(".")[0]: reference.VARIANTS[name]} if name in reference.VARIANTS else {}
    return found


def counted_plainly(reading, rules, holds):
    """What a reading is worth by the reference's yaku and the oracle's fu: (points, yakuman, han, fu, yaku)."""
    closed, win = reading.closed, win_of(reading.hand)
    values = {id_: rules.yaku_value(id_) for id_ in holds}
    on = [id_ for id_, value in values.items() if value.is_on and (value.closed if closed else value.open).is_on]
    holding = {id_ for id_ in on if holds[id_](reading)}
    if reading.form != "sets" and not any(catalog()[id_].is_shape for id_ in holding):
        return None
    worth = {id_: worth_of(id_, holding, closed, rules) for id_ in holding}
    of_floor = {id_ for id_, (han, units, floor) in worth.items() if floor and not han and not units}
    replaced = {lower for higher in holding - of_floor for lower in catalog()[higher].replaces}
    for one in holding - replaced:
        for other in set(catalog()[one].excludes) & holding - replaced:
            replaced.add(min(one, other, key=lambda id_: worth[id_]))
    standing = holding - replaced
    if total := sum(worth[id_][1] for id_ in standing):
        units = sorted(id_ for id_ in standing if worth[id_][1])
        return oracle.points_for(8000 * total, win), total, 0, 0, units
    fu = 25 if reading.is_pairs else fu_of(reading, win)
    han = sum(worth[id_][0] for id_ in standing)
    ordinary = oracle.base_points(han + reading.hand.n_aka, fu, oracle.DEFAULTS)[1] if han > 0 else 0
    floor = max((worth[id_][2] for id_ in holding), default=0)
    if floor > ordinary:
        points, units = oracle.points_for(floor, win), floor // 8000
        return points, units, 0, 0, sorted(id_ for id_ in holding if worth[id_][2] == floor)
    named = sorted(id_ for id_ in standing if worth[id_][0])
    return oracle.points_for(ordinary, win), 0, han + reading.hand.n_aka, fu, named


def win_of(hand):
    """A hand as the oracle has it."""
    flags = hand.flags
    return oracle.Win(
        hand.concealed,
        hand.melds,
        hand.tile,
        hand.tsumo,
        flags,
        hand.seat,
        hand.round,
        0,
        0,
        4,
        (),
        (),
        oracle.DEFAULTS,
    )


def fu_of(reading, win):
    """Fu by the oracle where the winning tile completes a block; hands without sets have those of winning alone."""
    if reading.won:
        return sum(fu for _, fu in oracle.fu_parts(oracle.Reading(win, reading.form, reading.blocks)))
    assert not reading.triplets
    assert reading.pair not in reference.HONOURS
    return 30  # 20, and 10 for a closed ron or 2 for a self-draw; an open ron of nothing else counts 30 too


@by_name(OF_YAKU)
def test_the_case_counted_plainly(case):
    rules, holds = rules_of(case), conditions(case)
    readings = reference.readings(reference.hand_of(values(case)))
    counts = [count for reading in readings if (count := counted_plainly(reading, rules, holds))]
    if "error" in case["expect"]:
        assert not any(points for points, *_ in counts)
        assert bool(counts) == (case["expect"]["error"] == "no_yaku")
        return
    points, yakuman, han, fu, yaku = max(counts)
    expect = {"yakuman": 0, "han": 0, "fu": 0} | expected(case["expect"])
    assert expect == {"yaku": yaku, "points": points, "yakuman": yakuman, "han": han, "fu": fu}


def test_every_local_yaku_has_two_hands_that_decide_it_and_two_near_misses():
    for word in ("decides", "misses"):
        named = [case[word] for case in OF_YAKU if word in case]
        assert {id_ for id_ in LOCAL if named.count(id_) < 2} == set(), word
        assert set(named) <= set(LOCAL)


def test_names_are_sentences_and_occur_once():
    names = [case["name"] for case in [*OF_YAKU, *OF_OPTIONS, *OF_PRECEDENCE]]
    assert len(names) == len(set(names))
    assert all(" " in name for name in names)


# ---------------------------------------------------------------------------------------------------- options

# Values that no single hand can tell apart, and why.
UNDECIDED = {
    "paarenchan.def3_last_must_be_win": "it is about a draw at the eighth hand, which no source pays",
    "daisharin.shape": "the tiles are the same, and a yakuman hides what the shapes differ in",
    "daichikurin.shape": "as daisharin",
    "daisuurin.shape": "as daisharin",
}


def options():
    """Options of yaku that a hand's worth may depend on; one with a single value decides nothing."""
    for name, key in keys().items():
        if name.startswith("yaku.") and name.count(".") == 2 and key.stage == "score" and len(choices(key)) > 1:
            yield name.removeprefix("yaku."), key


@by_name(OF_OPTIONS)
def test_a_hand_is_worth_what_the_case_says_under_each_value(case):
    rules, key = rules_of(case), f"yaku.{case['key']}"
    found = {written(one["value"]): result(case, rules.amend({key: one["value"]})) for one in case["under"]}
    assert found == {written(one["value"]): expected(one["expect"]) for one in case["under"]}
    assert set(found) == {written(value) for value in choices(keys()[key])}
    assert len({str(one) for one in found.values()}) > 1


def test_every_value_of_every_option_is_decided():
    """By a hand whose worth is another under another value; any two values are told apart by some hand."""
    told_apart = {}
    for case in OF_OPTIONS:
        results = {written(one["value"]): one["expect"] for one in case["under"]}
        pairs = {frozenset((a, b)) for a in results for b in results if results[a] != results[b]}
        told_apart.setdefault(case["key"], set()).update(pairs)
    same = {
        "open_riichi.deal_in_penalty": {frozenset(("none", "deliberate_only"))}
    }  # no record tells what is deliberate
    for name, key in options():
        if name in UNDECIDED:
            assert name not in told_apart
            continue
        values = [written(value) for value in choices(key)]
        pairs = {frozenset((a, b)) for a in values for b in values if a != b}
        assert pairs - told_apart.get(name, set()) == same.get(name, set()), name


def test_the_undecided_are_options():
    assert set(UNDECIDED) <= {name for name, _ in options()}


# ------------------------------------------------------------------------------------------------- precedence

# Pairs of the catalog that never hold in one reading.
NEVER_TOGETHER = {
    *((higher, "ryanankou") for higher in ("sanankou", "suuankou", "suuankou_tanki", "sanankan")),
    ("sanankan", "ryanankan"),
}


@cache
def nothing():
    return base().amend({f"yaku.{id_}": "off" for id_ in catalog()})


def alone(case, **han):
    """Rules that play just these yaku at so many han, and the shapes that make the hand complete."""
    changes = {f"yaku.{id_}": 1 for id_ in case.get("beside", ())}
    for id_, n in han.items():
        value = catalog()[id_].value
        sides = [n if n and (worth.is_on or id_ == "tanron") else None for worth in (value.closed, value.open)]
        changes[f"yaku.{id_}"] = sides if any(sides) else "off"
    rules = nothing().amend(changes)
    return rules.amend({f"yaku.{key}": value for key, value in case.get("options", {}).items()})


def counted(case, **han):
    return [id_ for id_ in result(case, alone(case, **han)).get("yaku", ()) if id_ in han]


@by_name([case for case in OF_PRECEDENCE if "higher" in case])
def test_the_higher_yaku_stands_in_place_of_the_lower(case):
    """Also where it is worth less, unless the two are readings of their own; off, it gives way."""
    higher, lower = case["higher"], case["lower"]
    n = 1 if case.get("less") else 3
    assert counted(case, **{higher: 2, lower: n}) == [higher]
    assert counted(case, **{higher: 0, lower: n}) == case.get("without", [lower])
    assert counted(case, **{higher: 2, lower: 0}) == [higher]
    assert counted(case, **{higher: 0, lower: 0}) == []


@by_name([case for case in OF_PRECEDENCE if "one" in case])
def test_of_two_yaku_that_exclude_each_other_the_better_stands(case):
    one, other = case["one"], case["other"]
    assert counted(case, **{one: 1, other: 3}) == [other]
    assert counted(case, **{one: 3, other: 1}) == [one]
    assert counted(case, **{one: 1, other: 0}) == case.get("without", [one])
    assert counted(case, **{one: 0, other: 1}) == [other]


def test_every_pair_of_the_catalog_has_its_case():
    replaced = {(higher.id, lower) for higher in catalog().values() for lower in higher.replaces}
    excluded = {(one.id, other) for one in catalog().values() for other in one.excludes}
    assert {(case["higher"], case["lower"]) for case in OF_PRECEDENCE if "higher" in case} == replaced - NEVER_TOGETHER
    assert {(case["one"], case["other"]) for case in OF_PRECEDENCE if "one" in case} == excluded
    assert replaced >= NEVER_TOGETHER
