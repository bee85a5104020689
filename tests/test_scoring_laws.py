"""Laws of scoring: the table of points, what no change of order or suits may change, and which yaku replaces which."""

import random
from dataclasses import fields
from itertools import pairwise

import numpy as np
import pytest
from dealing import deal, deal_rules
from hand_cases import hand_cases, other_value, yaku_of

from analytics.cases import hands_of, read_case, situation_of
from analytics.scoring import score as scoring
from analytics.scoring.facts import fact_words, names, unpack
from analytics.scoring.fu import fu_class, fu_parts
from analytics.scoring.hands import Hands, concatenate
from analytics.scoring.limits import MAX_HAN, base_table, limit_name, self_draw_shares, win_points
from analytics.scoring.readings import readings
from analytics.scoring.ruleset import base, catalog, keys, ruleset
from analytics.scoring.score import facts_of, score
from analytics.settle import win_payments

# The table of points. Each row is a number of fu, the columns are 1 to 4 han; 0 where the count cannot occur.

RON = {
    20: (700, 1300, 2600, 5200),
    25: (0, 1600, 3200, 6400),
    30: (1000, 2000, 3900, 7700),
    40: (1300, 2600, 5200, 8000),
    50: (1600, 3200, 6400, 8000),
    60: (2000, 3900, 7700, 8000),
    70: (2300, 4500, 8000, 8000),
    80: (2600, 5200, 8000, 8000),
    90: (2900, 5800, 8000, 8000),
    100: (3200, 6400, 8000, 8000),
    110: (3600, 7100, 8000, 8000),
}
DEALER_RON = {
    20: (1000, 2000, 3900, 7700),
    25: (0, 2400, 4800, 9600),
    30: (1500, 2900, 5800, 11600),
    40: (2000, 3900, 7700, 12000),
    50: (2400, 4800, 9600, 12000),
    60: (2900, 5800, 11600, 12000),
    70: (3400, 6800, 12000, 12000),
    80: (3900, 7700, 12000, 12000),
    90: (4400, 8700, 12000, 12000),
    100: (4800, 9600, 12000, 12000),
    110: (5300, 10600, 12000, 12000),
}
# A non-dealer's self-draw: from each other non-dealer, from the dealer.
SELF_DRAW = {
    20: ((200, 400), (400, 700), (700, 1300), (1300, 2600)),
    25: ((0, 0), (400, 800), (800, 1600), (1600, 3200)),
    30: ((300, 500), (500, 1000), (1000, 2000), (2000, 3900)),
    40: ((400, 700), (700, 1300), (1300, 2600), (2000, 4000)),
    50: ((400, 800), (800, 1600), (1600, 3200), (2000, 4000)),
    60: ((500, 1000), (1000, 2000), (2000, 3900), (2000, 4000)),
    70: ((600, 1200), (1200, 2300), (2000, 4000), (2000, 4000)),
    80: ((700, 1300), (1300, 2600), (2000, 4000), (2000, 4000)),
    90: ((800, 1500), (1500, 2900), (2000, 4000), (2000, 4000)),
    100: ((800, 1600), (1600, 3200), (2000, 4000), (2000, 4000)),
    110: ((900, 1800), (1800, 3600), (2000, 4000), (2000, 4000)),
}
DEALER_SELF_DRAW = {
    20: (400, 700, 1300, 2600),
    25: (0, 800, 1600, 3200),
    30: (500, 1000, 2000, 3900),
    40: (700, 1300, 2600, 4000),
    50: (800, 1600, 3200, 4000),
    60: (1000, 2000, 3900, 4000),
    70: (1200, 2300, 4000, 4000),
    80: (1300, 2600, 4000, 4000),
    90: (1500, 2900, 4000, 4000),
    100: (1600, 3200, 4000, 4000),
    110: (1800, 3600, 4000, 4000),
}
# Whatever the fu: han, the limit, a non-dealer's ron, a dealer's, a non-dealer's self-draw, a dealer's from each.
LIMITS = [
    (5, "mangan", 8000, 12000, (2000, 4000), 4000),
    (6, "haneman", 12000, 18000, (3000, 6000), 6000),
    (7, "haneman", 12000, 18000, (3000, 6000), 6000),
    (8, "baiman", 16000, 24000, (4000, 8000), 8000),
    (9, "baiman", 16000, 24000, (4000, 8000), 8000),
    (10, "baiman", 16000, 24000, (4000, 8000), 8000),
    (11, "sanbaiman", 24000, 36000, (6000, 12000), 12000),
    (12, "sanbaiman", 24000, 36000, (6000, 12000), 12000),
    (13, "counted_yakuman", 32000, 48000, (8000, 16000), 16000),
    (20, "counted_yakuman", 32000, 48000, (8000, 16000), 16000),
    (26, "counted_yakuman", 32000, 48000, (8000, 16000), 16000),
]


def paid(base_points, *, dealer):
    """Ron, and on a self-draw what a non-dealer and the dealer pay."""
    of, is_dealer, four = np.array([base_points]), np.array([dealer]), np.array([4])
    from_dealer, from_other = self_draw_shares(of, is_dealer, four, True)
    [ron] = win_points(of, is_dealer, np.array([False]), four, True)
    [drawn] = win_points(of, is_dealer, np.array([True]), four, True)
    assert drawn == from_other[0] * (3 if dealer else 2) + (0 if dealer else from_dealer[0])
    return int(ron), int(from_other[0]), int(from_dealer[0])


@pytest.mark.parametrize("fu", RON)
@pytest.mark.parametrize("han", [1, 2, 3, 4])
def test_points_are_those_of_the_table(fu, han):
    if not RON[fu][han - 1]:
        return
    table, _ = base_table(base())
    ron, from_other, from_dealer = paid(table[han, fu], dealer=False)
    assert ron == RON[fu][han - 1]
    assert (from_other, from_dealer) == SELF_DRAW[fu][han - 1]
    ron, from_other, _ = paid(table[han, fu], dealer=True)
    assert ron == DEALER_RON[fu][han - 1]
    assert from_other == DEALER_SELF_DRAW[fu][han - 1]


@pytest.mark.parametrize(("han", "name", "ron", "dealer_ron", "drawn", "dealer_drawn"), LIMITS)
def test_limits_are_those_of_the_table_whatever_the_fu(han, name, ron, dealer_ron, drawn, dealer_drawn):
    table, limit = base_table(base())
    for fu in (20, 25, 30, 110):
        assert limit_name(int(limit[han, fu]), 0) == name
        assert paid(table[han, fu], dealer=False) == (ron, *drawn)
        assert paid(table[han, fu], dealer=True)[:2] == (dealer_ron, dealer_drawn)


@pytest.mark.parametrize("units", [1, 2, 6])
def test_yakuman_are_multiples_of_one(units):
    assert paid(8000 * units, dealer=False) == (32000 * units, 8000 * units, 16000 * units)
    assert paid(8000 * units, dealer=True)[:2] == (48000 * units, 16000 * units)


def test_rounding_up_to_mangan_lifts_two_counts_and_no_other():
    plain, _ = base_table(base())
    lifted, _ = base_table(base().amend({"limits.kiriage_mangan": True}))
    differ = {(int(han), int(fu)) for han, fu in zip(*np.nonzero(plain != lifted), strict=True) if fu % 10 == 0}
    assert differ == {(4, 30), (3, 60), (2, 120), (1, 240)}
    assert {int(lifted[han, fu]) for han, fu in differ} == {2000}


# Dealt hands


@pytest.fixture(scope="module")
def dealt():
    rng = random.Random(5)
    found = [deal(rng, players=rng.choice((4, 4, 4, 3)), rules={}) for _ in range(1000)]
    return [{word: value for word, value in one.items() if word != "style"} for one in found]


@pytest.fixture(scope="module")
def cases(dealt):
    return [read_case(line) for line in dealt]


@pytest.fixture(scope="module")
def hands(cases):
    return hands_of(cases)


@pytest.fixture(scope="module")
def rules():
    rng = random.Random(6)
    words = [deal_rules(rng) for _ in range(3)]
    tenhou = ruleset("tenhou_4p_aka")
    return [base(), tenhou, tenhou.amend({"yaku.toitoi": "mangan+3", "yaku.suuankou_tanki": "yakuman*2"})] + [
        base().amend(
            {
                "yaku.tanyao.open": w["kuitan"],
                "dora.aka": w["aka"],
                "limits.kiriage_mangan": w["kiriage"],
                "fu.open_pinfu": w["open_pinfu_fu"],
            }
        )
        for w in words
    ]


COLUMNS = ("status", "base", "han", "fu", "units", "limit", "points", "holds", "dora_han")


def columns(scores):
    return {name: getattr(scores, name) for name in COLUMNS}


def assert_same(found, expected):
    for name in COLUMNS:
        np.testing.assert_array_equal(found[name], expected[name], err_msg=name)


def test_the_dealt_hands_are_worth_something_in_many_ways(hands):
    scores = score(hands, [base()])[0]
    assert (scores.status == 0).mean() > 0.8
    assert scores.holds.any(axis=0).sum() > 35


def test_the_order_of_hands_changes_no_score(hands, rules):
    order = np.random.default_rng(1).permutation(len(hands))
    for found, expected in zip(score(hands[order], rules), score(hands, rules), strict=True):
        assert_same(columns(found), {name: values[order] for name, values in columns(expected).items()})


@pytest.mark.parametrize("cuts", [[500], [1, 2, 3, 999], list(range(0, 1000, 90))])
def test_splitting_and_joining_batches_changes_no_score(hands, rules, cuts):
    bounds = [0, *cuts, len(hands)]
    parts = [hands[start:end] for start, end in pairwise(bounds)]
    apart = [score(part, rules) for part in parts]
    joined = concatenate(parts)
    for f in fields(Hands):
        np.testing.assert_array_equal(getattr(joined, f.name), getattr(hands, f.name))
    for index, expected in enumerate(score(joined, rules)):
        found = [columns(scores[index]) for scores in apart]
        assert_same({name: np.concatenate([part[name] for part in found]) for name in COLUMNS}, columns(expected))


def test_the_pieces_that_fit_in_cache_change_no_score(hands, rules, monkeypatch):
    expected = [columns(scores) for scores in score(hands, rules)]
    monkeypatch.setattr(scoring, "_CHUNK", 37)
    for found, one in zip(score(hands, rules), expected, strict=True):
        assert_same(columns(found), one)


def test_a_hand_is_worth_alone_what_it_is_worth_among_others(hands, rules):
    together = score(hands, rules)
    for row in (0, 17, 404, 999):
        for found, expected in zip(score(hands[row : row + 1], rules), together, strict=True):
            assert_same(columns(found), {name: v[row : row + 1] for name, v in columns(expected).items()})


def test_no_hands_have_no_scores(hands, rules):
    for found in score(hands[:0], rules):
        assert {name: len(values) for name, values in columns(found).items()} == dict.fromkeys(COLUMNS, 0)


def test_other_rulesets_beside_one_change_nothing_for_it(hands, rules):
    facts = facts_of(hands)
    alone = [columns(score(hands, [one])[0]) for one in rules]
    for found, expected in zip(score(facts, rules), alone, strict=True):
        assert_same(columns(found), expected)
    for found, expected in zip(score(facts, rules[::-1]), alone[::-1], strict=True):
        assert_same(columns(found), expected)


@pytest.mark.parametrize("suits", ["pms", "psm"])  # every other order is made of these two
def test_swapping_the_suits_changes_no_score_but_of_all_green(dealt, suits):
    swap = str.maketrans("mps", suits)
    four = [line for line in dealt if line["players"] == 4]

    def swapped(value):
        if isinstance(value, str):
            return value.translate(swap)
        return [swapped(v) for v in value] if isinstance(value, list) else value

    def other(line):
        melds = [meld | {w: swapped(meld[w]) for w in ("tiles", "called") if w in meld} for meld in line["melds"]]
        words = {word: swapped(line[word]) for word in ("hand", "win", "dora_ind", "ura_ind")}
        return line | words | {"melds": melds}

    plays = [base().amend({"yaku.ryuuiisou": "off"})]
    [expected] = score(hands_of([read_case(line) for line in four]), plays)
    [found] = score(hands_of([read_case(other(line)) for line in four]), plays)
    assert_same(columns(found), columns(expected))


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"payment.liable_for": "hand", "payment.liable_honba_on_ron": "liable"},
        {"payment.tsumo_loss": False},
        {"payment.liable": ["daisangen", "daisuushii", "suukantsu"], "payment.honba": 500},
    ],
)
def test_payments_sum_to_the_sticks(cases, hands, changes):
    at = situation_of(cases)
    [scores] = score(hands, [base().amend(changes)])
    pays = win_payments(scores, at)
    is_win = scores.status == 0
    np.testing.assert_array_equal(pays.sum(axis=1), np.where(is_win, 1000 * at.sticks, 0))
    assert (pays[is_win, at.winner[is_win]] > 0).all()
    others = np.arange(4) != at.winner[:, None]
    assert (pays[others] <= 0).all()
    assert (pays[at.players == 3, 3] == 0).all()


@pytest.mark.parametrize("stage", ["score", "settle", "ledger", "play"])
def test_a_ruleset_with_another_value_of_any_key_scores_and_pays(cases, hands, stage):
    at = situation_of(cases[:200])
    [plain] = score(hands[:200], [base()])
    pays_plain = win_payments(plain, at)
    for name, key in keys().items():
        if key.stage != stage:
            continue
        [scores] = score(hands[:200], [base().amend({name: other_value(name)})])
        pays = win_payments(scores, at)
        np.testing.assert_array_equal(pays.sum(axis=1), np.where(scores.status == 0, 1000 * at.sticks, 0), err_msg=name)
        if stage != "score" and name != "payment.tsumo_loss":  # what a three-player self-draw brings is its points
            assert_same(columns(scores), columns(plain))
        if stage in ("ledger", "play"):
            np.testing.assert_array_equal(pays, pays_plain, err_msg=name)


# The arithmetic of values, reading by reading

VALUES = ("off", "1", "2", "3/2", "1/off", "off/2", "-1", "-4", "mangan", "mangan+1", "haneman/mangan", "baiman+3/off")
YAKUMAN_VALUES = ("yakuman", "yakuman*2", "yakuman*3/yakuman", "yakuman/off", "off", "5", "sanbaiman")


def some_ruleset(rng):
    changes = {}
    for yaku in catalog().values():
        if yaku.kind == "hand" and rng.random() < 0.5:
            usual = base().yaku_value(yaku.id).is_yakuman
            changes[f"yaku.{yaku.id}"] = rng.choice(YAKUMAN_VALUES if usual else VALUES)
    for name, key in keys().items():
        if key.stage == "score" and name.count(".") == (2 if name.startswith("yaku.") else 1) and rng.random() < 0.3:
            changes[name] = other_value(name)
    return base().amend(changes)


def plainly_worth(rules, facts, fu_code, is_closed, dora):
    """(base points, han, fu, yaku) of one reading, by the words of the design; 0 points where it is nothing."""
    played = {y.id: y for y in catalog().values() if y.kind == "hand"}
    worth = {id_: getattr(rules.yaku_value(id_), "closed" if is_closed else "open") for id_ in played}
    selected = set()
    for id_ in played:
        holds = id_ in facts and worth[id_].is_on
        for name, key in keys().items():
            if name.startswith(f"yaku.{id_}."):
                guard = key.guards.get(str(rules[name]).lower(), {})
                holds &= facts >= set(guard.get("needs", ())) and not facts & set(guard.get("forbids", ()))
        if holds:
            selected.add(id_)
    counts = selected - {lower for id_ in selected for lower in played[id_].replaces}
    fu = sum(part for _, part in fu_parts(fu_code, rules))
    units = [worth[id_].units for id_ in counts if worth[id_].units]
    if units:
        total = sum(units) if rules["limits.multiple_yakuman"] else max(units)
        total = min(total, rules["limits.yakuman_cap"] or total)
        return 8000 * total, 0, fu, {id_ for id_ in counts if worth[id_].units}
    han = max(sum(worth[id_].han for id_ in counts) + dora, 0)
    is_met = sum(max(worth[id_].han, 0) for id_ in counts) >= rules["round.minimum_han"]
    ordinary = int(base_table(rules)[0][min(han, MAX_HAN), fu]) if is_met else 0
    return max([ordinary, *(worth[id_].floor for id_ in counts)]), han, fu, counts


@pytest.mark.parametrize("seed", range(6))
def test_any_ruleset_pays_the_best_reading_by_the_plain_formula(hands, seed):
    rng = random.Random(seed)
    rules = some_ruleset(rng)
    some = hands[np.array(rng.sample(range(len(hands)), 150))]
    [scores] = score(some, [rules])
    found = readings(some)
    codes, bits = fu_class(found), unpack(np.ascontiguousarray(fact_words(found).T))
    dora = scores.dora_han.sum(axis=1)
    best = {}
    for at, row in enumerate(found.hand.tolist()):
        facts = {name for name, bit in zip(names(), bits[at], strict=False) if bit}
        value = plainly_worth(rules, facts, int(codes[at]), bool(some.is_closed[row]), int(dora[row]))
        # A yakuman stands above a counted one of the same points.
        rank = (value[0], value[1] if value[0] % 8000 or value[1] else 4095, value[2])
        if value[0] and (row not in best or rank > best[row][0]):
            best[row] = rank, value
    for row in range(len(some)):
        points, han, fu, yaku = best[row][1] if row in best else (0, 0, 0, set())
        assert (scores.base[row], scores.han[row], scores.fu[row]) == (points, han, fu), row
        held = {id_ for id_, holds in zip(scores.played.yaku, scores.holds[row], strict=True) if holds}
        assert held == yaku, row


# Which yaku replaces which

PAIRS = [(yaku.id, lower) for yaku in catalog().values() for lower in yaku.replaces]
DECIDED = {case.decides: case for case in hand_cases() if case.decides}


@pytest.mark.parametrize(("higher", "lower"), PAIRS)
def test_a_yaku_replaces_another_only_while_it_is_on(higher, lower):
    case = DECIDED[higher]
    others = {yaku.id for yaku in catalog().values() if yaku.kind == "hand"} - {higher, lower}
    only_these = base().amend({f"yaku.{id_}": "off" for id_ in others})

    def held(**off):
        found = yaku_of(case.result(only_these.amend({f"yaku.{id_}": value for id_, value in off.items()})))
        return higher in found, lower in found

    assert held() == (True, False)
    assert held(**{higher: "off"}) == (False, True)
    assert held(**{lower: "off"}) == (True, False)
    assert held(**{higher: "off", lower: "off"}) == (False, False)


def test_a_yaku_that_is_itself_replaced_still_replaces():
    tanki = DECIDED["suuankou_tanki"]
    assert {"suuankou_tanki", "suuankou", "sanankou"} & set(yaku_of(tanki.result())) == {"suuankou_tanki"}
    # At four han it hides no yakuman, and of the three it replaces two; suuankou replaces sanankou by itself.
    plain = base().amend({"yaku.suuankou_tanki": "2", "yaku.suuankou": "2"})
    assert "sanankou" not in yaku_of(tanki.result(plain))
    assert "suuankou" not in yaku_of(tanki.result(plain))


def test_what_is_off_for_an_open_hand_replaces_nothing_there():
    case = DECIDED["suukantsu"]
    assert "sankantsu" in yaku_of(case.result(base().amend({"yaku.suukantsu": "yakuman/off"})))


def test_a_yakuman_hides_every_ordinary_yaku_and_no_other_yakuman():
    [case] = [case for case in hand_cases() if case.key == "limits.multiple_yakuman" and case.value is True]
    assert yaku_of(case.result()) == ["daisangen", "tsuuiisou"]
    without = base().amend({"yaku.daisangen": "off", "yaku.tsuuiisou": "off"})
    assert {"toitoi", "yakuhai_haku"} <= set(yaku_of(case.result(without)))


# Values that are limits or negative


def test_a_floor_is_the_least_a_hand_is_worth_and_adds_nothing_above():
    [riichi] = [case for case in hand_cases() if case.name == "riichi is a yaku by itself"]
    [chinitsu] = [case for case in hand_cases() if case.name == "chinitsu: one suit only, closed"]
    floor = base().amend({"yaku.riichi": "mangan", "yaku.chinitsu": "mangan"})
    assert riichi.result(floor)["points"] == 8000
    assert chinitsu.result(floor)["points"] == 8000
    both = base().amend({"yaku.chinitsu": "mangan+6"})
    assert chinitsu.result(both)["points"] == 12000
    assert riichi.result(base().amend({"yaku.riichi": "mangan+1"}))["points"] == 8000


def test_negative_han_count_and_are_no_yaku():
    [open_tanyao] = [case for case in hand_cases() if case.name == "open tanyao counts in base"]
    assert open_tanyao.result(base().amend({"yaku.tanyao": "-1"})) == {
        "id": open_tanyao.line["id"],
        "error": "no_yaku",
    }
    [toitoi] = [case for case in hand_cases() if case.name == "honroutou: terminals and honours, beside toitoi"]
    less = toitoi.result(base().amend({"yaku.honroutou": "-1"}))
    assert (less["han"], less["points"]) == (1, 1600)


def test_more_yakuman_than_any_real_ruleset_pays_are_paid_in_full():
    line = {"hand": "1112223334445z", "win": "5z", "by": "tsumo", "ctx": {"seat": "S", "round": "E"}}
    many = base().amend({f"yaku.{id_}": "yakuman*9" for id_ in ("tsuuiisou", "daisuushii", "suuankou_tanki")})
    [scores] = score(hands_of([read_case(line)]), [many])
    assert scores.units.tolist() == [27]
    assert scores.points.tolist() == [27 * 32000]


def test_a_ruleset_that_plays_no_yaku_pays_nothing(hands):
    nothing = base().amend({f"yaku.{yaku}": "off" for yaku in catalog()})
    [scores] = score(hands, [nothing])
    assert set(scores.status.tolist()) == {2}
    assert not scores.points.any()
