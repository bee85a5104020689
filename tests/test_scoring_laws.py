"""Laws of scoring: the table of points, what no change of order or suits may change, and which yaku replaces which."""

import random
from dataclasses import fields
from itertools import pairwise

import numpy as np
import pattern_dealing
import pytest
from dealing import deal, deal_rules
from hand_cases import hand_cases, has_other_value, other_value, yaku_of
from printed_points import DEALER_RON, DEALER_SELF_DRAW, LIMITS, RON, SELF_DRAW

from analytics.cases import hands_of, read_case, score_cases, situation_of
from analytics.scoring import score as scoring
from analytics.scoring.facts import fact_words, names, word_of
from analytics.scoring.fu import fu_class, fu_parts
from analytics.scoring.hands import Hands, concatenate, of_case
from analytics.scoring.limits import MAX_HAN, base_table, limit_name, self_draw_shares, win_points
from analytics.scoring.readings import STANDARD, readings
from analytics.scoring.ruleset import NO_EFFECT, base, catalog, keys, ruleset, written
from analytics.scoring.score import facts_of, score
from analytics.scoring.values import parse_value
from analytics.settle import win_payments

# The table of points. Each row is a number of fu, the columns are 1 to 4 han; 0 where the count cannot occur.

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
    few = facts_of(hands[:200])
    for name, key in keys().items():
        if key.stage != stage or not has_other_value(name):
            continue
        [scores] = score(few, [base().amend({name: other_value(name)})])
        pays = win_payments(scores, at)
        np.testing.assert_array_equal(pays.sum(axis=1), np.where(scores.status == 0, 1000 * at.sticks, 0), err_msg=name)
        if stage != "score" and name != "payment.tsumo_loss":  # what a three-player self-draw brings is its points
            assert_same(columns(scores), columns(plain))
        if stage in ("ledger", "play"):
            np.testing.assert_array_equal(pays, pays_plain, err_msg=name)


# The arithmetic of values, reading by reading

VALUES = (
    *("off", "1", "2", "3/2", "1/off", "off/2", "-1", "-4", "5", "8/5"),
    *("mangan", "mangan+1", "haneman/mangan", "baiman+3/off", "sanbaiman", "least yakuman", "least yakuman/3"),
    *("only mangan", "only haneman/2", "mangan/only mangan", "only yakuman/only baiman"),
)
YAKUMAN_VALUES = ("yakuman", "yakuman*2", "yakuman*3/yakuman", "yakuman/off", "off", "5", "sanbaiman", "least yakuman")
SENTENCES = ("tanyao", "closed", "tsumo", "dealer", "toitoi", "honitsu", "pinfu", "standard_form", "wind_pair")


def some_ruleset(rng, folder):
    """Random worths, options and limits, with yaku of its own."""
    text = "".join(
        f"[yaku.own_{n}]\nneeds = {rng.sample(SENTENCES, 1 + n // 2)}\nforbids = {rng.sample(SENTENCES, n)}\n"
        f"value = {rng.choice(VALUES)!r}\nreplaces = {rng.sample([*catalog()], 8)}\n"
        for n in range(3)
    )
    (folder / "own.toml").write_text(text.replace("'", '"'), "utf-8")
    rules = ruleset(folder / "own.toml")
    changes = {}
    for yaku in catalog().values():
        if yaku.kind == "hand" and rng.random() < 0.5:
            usual = (yaku.value if yaku.value.is_on else parse_value("yakuman")).is_yakuman
            changes[f"yaku.{yaku.id}"] = rng.choice(YAKUMAN_VALUES if usual and rng.random() < 0.7 else VALUES)
    for name, key in keys().items():
        is_option = name.count(".") == (2 if name.startswith("yaku.") else 1)
        if key.stage == "score" and is_option and has_other_value(name) and rng.random() < 0.3:
            changes[name] = rng.choice(key.allowed) if key.allowed else other_value(name)
    changes |= {"limits.yakuman_cap": rng.choice((0, 0, 1, 3)), "round.minimum_han": rng.choice((0, 1, 1, 2))}
    return rules.amend(changes)


def options_of(rules, id_):
    """The effects of a yaku's options as the ruleset sets them."""
    if id_ in rules.own:
        return [rules.own[id_].effect]
    options = [keys()[f"yaku.{id_}.{option}"] for option in catalog()[id_].options]
    return [key.effects.get(written(rules[key.name]), NO_EFFECT) for key in options]


def worth_in(rules, id_, facts, side):
    """What a yaku is worth in a reading, None where it does not hold."""
    value, value_of_case, kind = rules.yaku_value(id_), None, None
    meant, also, swaps = id_, [], {}
    for effect in options_of(rules, id_):
        kind = effect.worth_as or kind
        meant = effect.fact or meant
        also += effect.also
        swaps |= effect.swaps
        if set(effect.needs) - facts or set(effect.forbids) & facts:
            return None
        for fact, worth in effect.cases:
            value_of_case = worth if fact in facts else value_of_case
    if not {swaps.get(fact, fact) for fact in (meant, *also)} & facts:
        return None
    is_relative = value_of_case is not None and value_of_case[0] in "*+"
    worth = getattr(value if is_relative or value_of_case is None else parse_value(value_of_case), side)
    han, units, floor, fixed = worth.han, worth.units, worth.floor, worth.is_fixed
    if is_relative and value_of_case[0] == "*":
        han, units = han * int(value_of_case[1:]), units * int(value_of_case[1:])
    elif is_relative and han:
        han += int(value_of_case[1:])
    if not worth.is_on:
        return None
    if value_of_case is None and kind == "han" and floor:
        han, floor = han or {2000: 5, 3000: 6, 4000: 8, 6000: 11, 8000: 13}[floor], 0
    elif value_of_case is None and kind == "floor" and han >= 5:
        han, floor = 0, 2000 if han == 5 else 3000 if han <= 7 else 4000 if han <= 10 else 6000 if han <= 12 else 8000
    return han, units, floor, fixed


def pairs_that_replace(rules, ids):
    """(higher, lower) among some yaku of a ruleset."""
    pairs = set()
    for id_ in ids:
        effects = options_of(rules, id_)
        spared = {other for effect in effects for other in effect.spares}
        pairs |= {(id_, other) for other in rules.yaku()[id_].replaces if other not in spared}
        pairs |= {(id_, other) for effect in effects for other in effect.replaces if other not in spared}
        pairs |= {(other, id_) for effect in effects for other in effect.replaced_by}
    for id_ in ids:
        pairs -= {(other, id_) for effect in options_of(rules, id_) for other in effect.spared_by}
    return {(higher, lower) for higher, lower in pairs if {higher, lower} <= set(ids)}


def plainly_worth(rules, facts, fu_code, is_closed, dora):
    """(base points, han, fu, yaku, whether a limit decided) of one reading; None where the shape is not played."""
    ids = [y.id for y in rules.yaku().values() if y.kind == "hand" and rules.yaku_value(y.id).is_on]
    worth = {id_: worth_in(rules, id_, facts, "closed" if is_closed else "open") for id_ in ids}
    worth = {id_: one for id_, one in worth.items() if one}
    if "standard_form" not in facts and not any(rules.yaku()[id_].is_shape for id_ in worth):
        return None
    effects = {id_: options_of(rules, id_) for id_ in worth}
    for id_, (_, units, floor, fixed) in worth.items():
        needed = [effect.han_needs for effect in effects[id_] if effect.han_needs]
        if needed and needed[-1] not in worth:
            worth[id_] = 0, units, floor, fixed

    # What is only a limit replaces nothing in the count it is compared with, but other limits.
    replaced = pairs_that_replace(rules, list(worth))
    is_limit = {id_ for id_, (han, units, floor, _) in worth.items() if floor and not han and not units}
    counts = set(worth) - {lower for higher, lower in replaced if higher not in is_limit}
    limits = {id_ for id_, one in worth.items() if one[2]} - {lower for _, lower in replaced}
    for one in worth:
        for other in rules.yaku()[one].excludes:
            if {one, other} <= counts:
                better = max((one, other), key=lambda id_: worth[id_][0] + 100 * worth[id_][1])
                counts -= {one, other} - {better}

    def minimum(some):
        counting = [id_ for id_ in some if all(effect.counts for effect in effects[id_])]
        return sum(max(worth[id_][0], 0) for id_ in counting) >= rules["round.minimum_han"]

    alone = {id_ for id_ in worth if any(effect.needs_valid for effect in effects[id_])}
    if not (minimum(counts - alone) or limits - alone or any(worth[id_][1] for id_ in counts - alone)):
        counts, limits = counts - alone, limits - alone

    fu = sum(part for _, part in fu_parts(fu_code, rules))
    units = {id_: worth[id_][1] for id_ in counts if worth[id_][1]}
    if units:
        total = sum(units.values()) if rules["limits.multiple_yakuman"] else max(units.values())
        total = min(total, rules["limits.yakuman_cap"] or total)
        return 8000 * total, None, fu, set(units), False
    han = max(sum(worth[id_][0] for id_ in counts) + dora, 0)
    floor = max((worth[id_][2] for id_ in limits), default=0)
    giving = {id_ for id_ in limits if worth[id_][2] == floor}
    is_fixed = any(worth[id_][3] for id_ in giving)
    ordinary = int(base_table(rules)[0][min(han, MAX_HAN), fu]) if minimum(counts) and not is_fixed else 0
    if floor > ordinary or is_fixed:
        return floor, han, fu, giving, True
    return ordinary, han, fu, {id_ for id_ in counts if worth[id_][0]}, False


@pytest.fixture(scope="module")
def patterned(hands):
    """Hands rich in the patterns of local yaku, and some of the others."""
    return concatenate([hands[:300], *(of_case(values) for values in pattern_dealing.deals(7, 900))])


def compare_with_plain_formula(hands, rules, rows):
    """Hands that were worth something; each is worth what its best reading is by the plain formula."""
    some = hands[rows]
    [scores] = score(some, [rules])
    found = readings(some)
    codes, words = fu_class(found), fact_words(found)
    dora = scores.dora_han.sum(axis=1)
    places = {name: word_of(name) for name in names()}
    best, is_win = {}, set()
    for at, row in enumerate(found.hand.tolist()):
        facts = {name for name, (word, bit) in places.items() if int(words[word, at]) >> bit & 1}
        value = plainly_worth(rules, facts, int(codes[at]), bool(some.is_closed[row]), int(dora[row]))
        if value is None:
            continue
        is_win.add(row)
        # A yakuman stands above a counted one of the same points, a count above a limit of its own.
        rank = (value[0], 4095 if value[1] is None else value[1], value[2], not value[4])
        if value[0] and (row not in best or rank > best[row][0]):
            best[row] = rank, value
    for row in range(len(some)):
        points, han, fu, yaku, _ = best[row][1] if row in best else (0, 0, 0, set(), False)
        assert (scores.base[row], scores.fu[row]) == (points, fu), row
        assert scores.status[row] == (0 if row in best else 2 if row in is_win else 1), row
        held = {id_ for id_, holds in zip(scores.played.yaku, scores.holds[row], strict=True) if holds}
        assert held == yaku, row
        assert set(scores.worth(row)) == yaku, row
        is_yakuman = han is None or (scores.by_floor[row] and points == 8000)
        assert scores.han[row] == (0 if is_yakuman else han), row
        assert scores.units[row] == (points // 8000 if is_yakuman else 0), row
    return len(best), sum(bool(one.any()) for one in scores.holds.T)


@pytest.mark.parametrize("seed", range(8))
def test_any_ruleset_pays_the_best_reading_by_the_plain_formula(patterned, tmp_path, seed):
    rng = random.Random(seed)
    rules = some_ruleset(rng, tmp_path)
    rows = np.array(rng.sample(range(len(patterned)), 150))
    n_paid, n_yaku = compare_with_plain_formula(patterned, rules, rows)
    assert n_paid > 60
    assert n_yaku > 15


@pytest.mark.parametrize("id_", ["seed_local", "riichi_city_koyaku", "mahjong_soul_koyaku", "ema_2016"])
def test_a_shipped_ruleset_pays_the_best_reading_by_the_plain_formula(patterned, id_):
    rows = np.array(random.Random(id_).sample(range(len(patterned)), 150))
    compare_with_plain_formula(patterned, ruleset(id_).assume_base(), rows)


@pytest.mark.slow
def test_many_rulesets_pay_the_best_reading_by_the_plain_formula(tmp_path):
    hands = concatenate([of_case(values) for values in pattern_dealing.deals(8, 6000)])
    for seed in range(100, 160):
        rng = random.Random(seed)
        compare_with_plain_formula(hands, some_ruleset(rng, tmp_path), np.array(rng.sample(range(len(hands)), 400)))


# Which yaku replaces which; of local yaku see test_local_cases

PAIRS = [
    (yaku.id, lower)
    for yaku in catalog().values()
    for lower in yaku.replaces
    if yaku.is_standard and catalog()[lower].is_standard
]
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

CLOSED_TANYAO = {"hand": "234m567p34678s88p", "win": "5s"}  # pinfu too
OPEN_TANYAO = {"hand": "567p34678s88p (234m)", "win": "5s"}
FLOORS = [
    # value of tanyao, hand, dora; points, yaku that count, han
    ("mangan", CLOSED_TANYAO, 0, 8000, ["tanyao"], 1),
    ("mangan", CLOSED_TANYAO, 3, 8000, ["tanyao"], 4),
    ("mangan", CLOSED_TANYAO, 4, 8000, ["pinfu"], 5),  # the count is worth as much
    ("mangan", CLOSED_TANYAO, 5, 12000, ["pinfu"], 6),  # and adds nothing of the limit
    ("mangan", OPEN_TANYAO, 0, 8000, ["tanyao"], 0),
    ("mangan", OPEN_TANYAO, 9, 8000, ["tanyao"], 9),  # dora are no yaku: there is no count beside the limit
    ("mangan+1", CLOSED_TANYAO, 0, 8000, ["tanyao"], 2),
    ("mangan+1", CLOSED_TANYAO, 2, 8000, ["tanyao"], 4),
    ("mangan+1", CLOSED_TANYAO, 3, 8000, ["pinfu", "tanyao"], 5),
    ("mangan+1", CLOSED_TANYAO, 4, 12000, ["pinfu", "tanyao"], 6),
    ("mangan+1", OPEN_TANYAO, 3, 8000, ["tanyao"], 4),
    ("mangan+1", OPEN_TANYAO, 5, 12000, ["tanyao"], 6),
    ("haneman+3", CLOSED_TANYAO, 2, 12000, ["pinfu", "tanyao"], 6),
    ("haneman+3", CLOSED_TANYAO, 1, 12000, ["tanyao"], 5),
    ("only mangan", CLOSED_TANYAO, 0, 8000, ["tanyao"], 1),
    ("only mangan", CLOSED_TANYAO, 9, 8000, ["tanyao"], 10),
    ("only mangan", OPEN_TANYAO, 9, 8000, ["tanyao"], 9),
    ("only mangan/mangan+1", OPEN_TANYAO, 9, 16000, ["tanyao"], 10),
    ("only mangan/3", OPEN_TANYAO, 3, 12000, ["tanyao"], 6),
    ("only mangan/off", OPEN_TANYAO, 3, 0, [], 0),
    ("3/only mangan", CLOSED_TANYAO, 2, 12000, ["pinfu", "tanyao"], 6),
    ("3/only mangan", OPEN_TANYAO, 6, 8000, ["tanyao"], 6),
    ("mangan/only mangan", CLOSED_TANYAO, 5, 12000, ["pinfu"], 6),
    ("least yakuman", CLOSED_TANYAO, 0, 32000, ["tanyao"], None),
    ("least yakuman", CLOSED_TANYAO, 11, 32000, ["tanyao"], None),
    ("least yakuman", CLOSED_TANYAO, 12, 32000, ["pinfu"], 13),  # a counted yakuman
    ("least yakuman", OPEN_TANYAO, 12, 32000, ["tanyao"], None),
    ("least yakuman/mangan", OPEN_TANYAO, 0, 8000, ["tanyao"], 0),
    ("yakuman/least yakuman", CLOSED_TANYAO, 0, 32000, ["tanyao"], None),
]


@pytest.mark.parametrize(("value", "hand", "n_dora", "points", "yaku", "han"), FLOORS)
def test_a_limit_is_compared_with_the_whole_count(value, hand, n_dora, points, yaku, han):
    rules = base().amend({"yaku.tanyao": value})
    [result] = score_cases([hand | {"by": "ron", "rules": {"dora_count_given": n_dora}}], rules)
    assert result.get("points", 0) == points
    assert yaku_of(result) == yaku
    assert result.get("han", 0) == han
    if han is None:
        assert (result["yakuman"], result["limit"]) == (1, "yakuman")


def test_the_highest_limit_stands_and_a_lower_fixed_one_is_none():
    line = CLOSED_TANYAO | {"by": "ron", "rules": {"dora_count_given": 0}}
    for tanyao, pinfu, points, yaku in [
        ("mangan", "haneman", 12000, ["pinfu"]),
        ("mangan", "mangan", 8000, ["pinfu", "tanyao"]),
        ("only mangan", "haneman", 12000, ["pinfu"]),
        ("only haneman", "mangan", 12000, ["tanyao"]),
        ("only mangan", "mangan+6", 8000, ["pinfu", "tanyao"]),
        ("only mangan", "yakuman", 32000, ["pinfu"]),
        ("least yakuman", "yakuman*2", 64000, ["pinfu"]),
        ("least yakuman", "only yakuman", 32000, ["pinfu", "tanyao"]),
    ]:
        [result] = score_cases([line], base().amend({"yaku.tanyao": tanyao, "yaku.pinfu": pinfu}))
        assert (result["points"], yaku_of(result)) == (points, yaku), (tanyao, pinfu)


def test_more_than_a_counted_yakuman_is_worth_more_than_the_least():
    rules = base().amend({"yaku.tanyao": "least yakuman", "limits.counted_yakuman": "each_13"})
    [result] = score_cases([CLOSED_TANYAO | {"by": "ron", "rules": {"dora_count_given": 25}}], rules)
    assert (result["points"], result["han"]) == (64000, 26)


@pytest.mark.parametrize(
    ("value", "error"), [("yakuman", "no_yaku"), ("mangan", "no_yaku"), ("only mangan", "no_yaku"), ("2", "no_yaku")]
)
def test_what_needs_a_valid_win_gives_none_by_itself_whatever_its_worth(value, error):
    eighth = {"by": "ron", "ctx": {"counter": 7}}
    yakuless = {"hand": "23678m555p99s (345m)", "win": "1m"} | eighth
    rules = base().amend({"yaku.paarenchan": value})
    assert next(score_cases([yakuless], rules))["error"] == error
    assert yaku_of(next(score_cases([OPEN_TANYAO | eighth], rules))) != ["tanyao"]
    alone = rules.amend({"yaku.paarenchan.needs_ordinary_yaku": False})
    assert yaku_of(next(score_cases([yakuless], alone))) == ["paarenchan"]
    # A limit of another yaku makes the win valid too.
    with_limit = rules.amend({"yaku.tanyao": "mangan"})
    assert "error" not in next(score_cases([OPEN_TANYAO | eighth], with_limit))


@pytest.mark.parametrize(
    ("value", "alone", "beside"),
    [  # han and points, of one han beside it
        ("mangan", (1, 8000), (6, 12000)),
        ("only mangan", (1, 8000), (6, 12000)),
        ("sanbaiman", (1, 24000), (12, 24000)),
        ("least yakuman", (0, 32000), (14, 32000)),
        ("5", (1, 8000), (6, 12000)),
        ("13", (0, 32000), (14, 32000)),
        ("3", (4, 7700), (4, 7700)),
        ("yakuman", (0, 32000), (0, 32000)),
    ],
)
def test_renhou_is_a_limit_or_its_han_beside_the_others(value, alone, beside):
    line = {"hand": "234m567p34678s99p", "win": "5s", "by": "ron", "ctx": {"seat": "S", "own_draws": 0}}  # pinfu too
    for mode, expected in (("exclusive_take_higher", alone), ("additive", beside)):
        rules = base().amend({"yaku.renhou": value, "yaku.renhou.mode": mode})
        [scores] = score(hands_of([read_case(line)]), [rules])
        assert (scores.han[0], scores.points[0]) == expected, mode


def test_han_that_need_another_yaku_are_no_yaku_without_it():
    line = {"hand": "9p (123m) (456s) (789s) [1111z]", "win": "9p", "by": "ron"}  # a concealed kan: no raotai
    touchao = {"yaku.touchao_hanchanshue": "1", "yaku.touchao_hanchanshue.scoring": "plus_one_han"}
    with_raotai = {"yaku.shiiaru_raotai": "1", "yaku.shiiaru_raotai.ankan": True}
    hand = {"hand": "1p (123p) (456s) (789s) (345m)", "win": "1p", "by": "ron"}
    for case, rules, expected in [
        (hand, touchao, None),
        (hand, touchao | with_raotai, ["shiiaru_raotai"]),
        (line, touchao | with_raotai, ["shiiaru_raotai"]),
    ]:
        [result] = score_cases([case], base().amend(rules))
        assert (yaku_of(result) or None) == expected


def test_negative_han_count_and_are_no_yaku():
    [open_tanyao] = [case for case in hand_cases() if case.name == "open tanyao counts in base"]
    assert open_tanyao.result(base().amend({"yaku.tanyao": "-1"})) == {
        "id": open_tanyao.line["id"],
        "error": "no_yaku",
    }
    [toitoi] = [case for case in hand_cases() if case.name == "honroutou: terminals and honours, beside toitoi"]
    less = toitoi.result(base().amend({"yaku.honroutou": "-1"}))
    assert (less["han"], less["points"]) == (1, 1600)


@pytest.mark.parametrize("changes", [{"limits.multiple_yakuman": False}, {"limits.yakuman_cap": 1}])
def test_yakuman_beyond_a_cap_are_listed_and_not_paid(changes):
    """What a hand holds does not depend on what it is paid for: all of its yakuman stand, each at its own worth."""
    line = {"hand": "1112223334445z", "win": "5z", "by": "ron", "ctx": {"seat": "W", "round": "W"}}
    [scores] = score(hands_of([read_case(line)]), [base().amend(changes)])
    assert (scores.units.tolist(), scores.points.tolist()) == ([1], [32000])
    assert {id_: worth.units for id_, worth in scores.worth(0).items()} == {
        "suuankou_tanki": 1,
        "daisuushii": 1,
        "tsuuiisou": 1,
    }
    [scores] = score(hands_of([read_case(line)]), [base().amend(changes | {"yaku.daisuushii": "yakuman*2"})])
    assert scores.units[0] == changes.get("limits.yakuman_cap", 2)


@pytest.mark.parametrize(("n", "units"), [(3, 27), (7, 63), (8, 72), (14, 126), (15, 127), (40, 127)])
def test_more_yakuman_than_any_real_ruleset_pays_are_paid_in_full(tmp_path, n, units):
    """Up to a hundred and twenty-seven: fifteen yakuman of nine units."""
    line = {"hand": "234m567p34678s88p", "win": "5s", "by": "ron"}
    text = "".join(f'[yaku.own_{number}]\nneeds = []\nvalue = "yakuman*9"\n' for number in range(n))
    (tmp_path / "mine.toml").write_text(text, "utf-8")
    [scores] = score(hands_of([read_case(line)]), [ruleset(tmp_path / "mine.toml")])
    assert (scores.units.tolist(), scores.points.tolist()) == ([units], [units * 32000])
    assert len(scores.worth(0)) == n


def test_as_many_han_as_a_ruleset_gives_count():
    line = {"hand": "234m567p34678s88p", "win": "5s", "by": "ron", "rules": {"dora_count_given": 9}}
    for changes, han, points in [
        ({"yaku.tanyao": 99}, 109, 32000),
        ({"yaku.tanyao": 99, "limits.counted_yakuman": "each_13"}, 109, 8 * 32000),
        ({"yaku.tanyao": 60, "yaku.pinfu": 50}, 119, 32000),
        ({"yaku.tanyao": 99, "yaku.pinfu": -98}, 10, 16000),
        ({"yaku.tanyao": -99}, 0, 0),
    ]:
        [result] = score_cases([line], base().amend(changes))
        assert (result.get("han", 0), result.get("points", 0)) == (han, points), changes


def test_a_ruleset_that_plays_no_yaku_pays_nothing(hands):
    nothing = base().amend({f"yaku.{yaku}": "off" for yaku in catalog()})
    [scores] = score(hands, [nothing])
    assert not scores.points.any()
    # Four sets and a pair are complete all the same; other forms are no win where their yaku is not played.
    found = readings(hands)
    complete = np.zeros(len(hands), bool)
    complete[found.hand[found.form == STANDARD]] = True
    np.testing.assert_array_equal(scores.status, np.where(complete, 2, 1))
    assert 0 < complete.sum() < len(hands)
