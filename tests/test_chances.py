"""Every tile that completed a hand: rounds told with their tiles, the record, and what the hands are like."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from conftest import PROJECT
from staged import SEATS, staged
from told import tiles

import koyaku
from analytics.chances import chances, chances_of_store
from analytics.corpus import ingest
from analytics.scoring.readings import FORMS
from analytics.waits import counts, is_apart, waits
from parsers.schema import CHANCES, CIRCUMSTANCES, WINS
from parsers.store import Store

RYANMEN = "23m456p234p678s88s"  # 1m and 4m


def found(hands, story, players=4, **known):
    """The chances of one round as dicts: seat as a letter, tile as it is written, and the rest."""
    rows = chances(staged({"hands": hands, "story": story, **known}, players=players)).to_pylist()
    return [row | {"who": SEATS[row["winner"]], "from": _seat(row["loser"])} for row in rows]


def _seat(number):
    return None if number is None else SEATS[number]


def forms(row):
    return {FORMS[i] for i in range(len(FORMS)) if row["form_mask"] >> i & 1}


def kinds(mask):
    return {k for k in range(34) if mask >> k & 1}


def kinds_of(text):
    return set(tiles(text))


def told(rows):
    """What each row comes to: who, seq, from whom, by what forms."""
    return [(row["who"], row["seq"], row["from"], forms(row)) for row in rows]


# ------------------------------------------------------------------------------------------------ where tiles come from


def test_a_discard_of_another_that_completes_a_hand_is_a_chance():
    rows = found({"S": RYANMEN}, "E+1m E-1m S+9s S-9s exhaustive")
    assert told(rows) == [("S", 1, "E", {"standard"})]
    [row] = rows
    assert (row["is_taken"], row["is_tsumo"], row["win_tile"]) == (False, False, 0)
    assert sorted(row["concealed"]) == sorted(tiles(RYANMEN + "1m"))
    assert kinds(row["wait_mask"]) == kinds_of("14m")


def test_an_own_draw_that_completes_a_hand_is_a_chance_and_the_own_discard_is_none():
    rows = found({"S": RYANMEN}, "E+9p E-9p S+4m S-4m exhaustive")
    assert told(rows) == [("S", 2, None, {"standard"})]
    assert rows[0]["is_tsumo"]


def test_one_discard_can_complete_several_hands():
    rows = found({"S": RYANMEN, "N": RYANMEN}, "E+1m E-1m S:ron")
    assert [(who, seq) for who, seq, *_ in told(rows)] == [("S", 1), ("N", 1)]
    assert [row["is_taken"] for row in rows] == [True, False]
    assert [row["rons_mask"] for row in rows] == [0, 1 << 1]


def test_the_tile_of_an_added_kan_is_a_chance_that_robs_it():
    hands = {"W": "111m99p234s678s45p", "E": "66p1m4m7m2p8p3s6s9s1z2z3z"}
    story = "E+9m E-9m S+6p S-6p E:pon:6p E-1z S+1z S-1z W+1z W-1z N+1z N-1z E+6p E:kakan:6p E+9s E-9s exhaustive"
    rows = found(hands, story)
    assert told(rows) == [("W", 3, "S", {"standard"}), ("W", 13, "E", {"standard"})]
    assert [(row["called_by"], row["called_as"]) for row in rows] == [(0, "pon"), (None, None)]
    assert [(row["robbed"], row["is_chankan"]) for row in rows] == [(None, False), ("kakan", True)]


def test_a_concealed_kan_is_a_chance_for_thirteen_orphans_alone():
    hands = {"E": "777z1m4m7m2p5p8p3s6s9s1z", "S": "19m19p19s1123456z", "W": "234m567m234p99p56z7z"}
    hands["W"] = "234m567m234p99p77z"
    rows = found(hands, "E+7z E:ankan:7z E+8s E-8s exhaustive")
    assert told(rows) == [("S", 1, "E", {"kokushi"})]
    assert rows[0]["robbed"] == "ankan"


def test_a_north_set_aside_is_a_chance_of_three_players():
    hands = {"S": "99m123p456p789p44z"}
    rows = found(hands, "E+4z E:kita E+1s E-1s exhaustive", players=3)
    assert told(rows) == [("S", 1, "E", {"standard"})]
    assert rows[0]["robbed"] == "kita"
    assert not rows[0]["is_chankan"]


def test_a_replacement_tile_completes_a_hand_after_a_concealed_kan():
    hands = {"E": "111m23m456p789s99p"}
    rows = found(hands, "E+1m E:ankan:1m E+4m E-4m exhaustive")
    assert told(rows) == [("E", 0, None, {"standard"}), ("E", 2, None, {"standard"})]
    assert [row["is_rinshan"] for row in rows] == [False, True]
    assert (rows[1]["meld_1"], rows[1]["meld_1_kind"], rows[1]["meld_1_from"]) == ("ankan", 0, None)
    assert sorted(rows[1]["concealed"]) == sorted(tiles("23m456p789s99p4m"))


def test_a_replacement_tile_completes_a_hand_after_an_open_kan():
    hands = {"S": "111m23m456p789s88s"}
    rows = found(hands, "E+1m E-1m S:daiminkan:1m S+4m S-4m exhaustive")
    assert [row["rinshan_kan"] for row in rows] == [None, "daiminkan"]
    assert (rows[1]["meld_1"], rows[1]["meld_1_from"], rows[1]["meld_1_called"]) == ("daiminkan", 0, 0)


def test_no_hand_is_complete_right_after_a_call():
    """The tile that a run was called with completes nothing; what is discarded next is asked of others."""
    rows = found({"S": RYANMEN}, "E+1m E-1m S:chi:1m S-8s W+8s W-8s exhaustive")
    assert told(rows) == [("S", 1, "E", {"standard"}), ("S", 5, "W", {"standard"})]
    assert (rows[0]["called_by"], rows[0]["called_as"]) == (1, "chi")
    assert (rows[1]["meld_1"], rows[1]["meld_1_kind"], rows[1]["meld_1_from"]) == ("chi", 0, 0)


def test_a_red_five_stays_red_in_the_hand():
    [row] = found({"S": "340m46p678s777z99s"}, "E+0p E-0p S+9p S-9p exhaustive")
    assert row["concealed"] == sorted(tiles("340m46p678s777z99s0p"))
    assert (row["win_tile"], row["n_aka"]) == (35, 2)


# -------------------------------------------------------------------------------------------------------------- forms

FORM_CASES = {
    "seven pairs": ("1133m5577p2244s7z", "7z", {"chiitoitsu"}),
    "two pairs of runs that are seven pairs too": ("112233m445566p7z", "7z", {"standard", "chiitoitsu"}),
    "pairs with four of a kind": ("1111m5577p2244s7z", "7z", {"four_pairs"}),
    "thirteen orphans": ("19m19p19s123456z6z", "7z", {"kokushi"}),
    "thirteen orphans on thirteen tiles": ("19m19p19s1234567z", "3z", {"kokushi"}),
    "lesser honours and knitted tiles": ("147m258p369s1234z", "5z", {"scattered"}),
    "the civil war": ("1168m156p222z444z", "8p", {"civil_war"}),
    "the civil war of one suit": ("11156688m222z44z", "4z", {"civil_war"}),
    "knitted tiles, a set and a pair": ("147m258p36s777z11z", "9s", {"knitted"}),
    "knitted tiles and a pair in the making": ("147m258p369s777z1z", "1z", {"knitted"}),
}


@pytest.mark.parametrize(("hand", "tile", "expect"), FORM_CASES.values(), ids=FORM_CASES)
def test_a_hand_of_this_form_is_complete(hand, tile, expect):
    rows = found({"W": hand}, f"E+{tile} E-{tile} exhaustive")
    assert told(rows) == [("W", 1, "E", expect)]


def test_unconnected_tiles_are_complete_on_the_first_draw_alone():
    apart = "158m269p37s12345z"
    assert told(found({"E": apart}, "E+7z E-7z S+9p S-9p exhaustive")) == [("E", 0, None, {"scattered"})]
    assert found({"S": apart}, "E+7z E-7z S+1s S-1s exhaustive") == []
    assert told(found({"S": apart}, "E+3m E-3m S+7z S-7z W+7z W-7z exhaustive")) == [("S", 2, None, {"scattered"})]
    called = "E+3p E-3p N:pon:3p N-1m E+3m E-3m S+7z S-7z exhaustive"
    assert found({"S": apart, "N": "33p1m4m7m2p5p8p3s6s9s1z2z"}, called) == []


def test_unconnected_tiles_with_a_pair_wait_for_a_new_kind():
    apart = "158m269p37s11234z"
    assert told(found({"S": apart}, "E+3m E-3m S+7z S-7z exhaustive")) == [("S", 2, None, {"scattered"})]
    assert found({"S": apart}, "E+3m E-3m S+2z S-2z exhaustive") == []


def test_a_triplet_is_not_unconnected():
    assert found({"E": "158m269p37s12377z"}, "E+7z E-7z exhaustive") == []


# ------------------------------------------------------------------------------------------------------ what is beside


def test_own_discards_lie_in_the_river_also_those_that_were_called():
    story = "E+9p E-9p S+1m S-1m W+2s W-2s N+2s N-2s E+4m E-4m S+9s S-9s W:pon:9s W-1m exhaustive"
    rows = found({"S": RYANMEN, "W": "99s1m4m7m2p5p8p3s6s1z2z3z"}, story)
    assert [row["seq"] for row in rows] == [2, 9, 13]
    assert [kinds(row["river_mask"]) for row in rows] == [set(), {0}, {0, 26}]


def test_tiles_are_passed_up_until_the_next_own_draw_and_in_riichi_for_good():
    story = "E+1m E-1m S+9p S! S-9p S$ W+4m W-4m N+1m N-1m E+3z E-3z S+3s S-3s W+2z W-1m exhaustive"
    rows = found({"S": RYANMEN}, story)
    assert [row["seq"] for row in rows] == [1, 7, 9, 15]
    assert [kinds(row["passed_mask"]) for row in rows] == [set(), set(), {3}, set()]
    assert [kinds(row["passed_riichi_mask"]) for row in rows] == [set(), set(), {3}, {0, 3}]


def test_a_tile_passed_up_before_an_own_call_is_still_passed_up():
    story = "E+1m E-1m W:pon:1m W-2p N+9s N-9s E+2s E-2s S:chi:2s S-8s W+1m W-1m exhaustive"
    rows = found({"S": "23m456p99p345678s", "W": "11m4m7m2p5p8p3s6s9s23z4z"}, story)
    assert [(row["seq"], kinds(row["passed_mask"])) for row in rows] == [(1, set()), (11, {0})]


def test_three_who_claim_a_tile_abort_the_round():
    hands = {"S": RYANMEN, "W": RYANMEN, "N": RYANMEN}
    rows = found(hands, "E+1m E-1m sanchahou:SWN")
    assert [row["is_aborted"] for row in rows] == [True] * 3
    assert [row["rons_mask"] for row in rows] == [0b1100, 0b1010, 0b0110]
    assert not any(row["is_taken"] for row in rows)


def test_a_seat_that_left_is_not_connected_until_it_comes_back_also_rounds_later():
    tables = staged(
        {"hands": {"S": RYANMEN}, "story": "E+1m E-1m S:disconnect S+9p S-9p W+4m W-4m exhaustive"},
        {"hands": {"S": RYANMEN}, "story": "E+1m E-1m S+9p S-9p S:reconnect W+4m W-4m exhaustive"},
    )
    rows = chances(tables).to_pylist()
    assert [row["is_connected"] for row in rows] == [True, False, False, True]


def test_ura_are_those_another_winner_of_the_round_showed():
    hands = {"S": RYANMEN, "W": RYANMEN}
    rows = found(hands, "E+9p E-9p S+9p S! S-9p S$ W+4m W-4m N+1m N-1m exhaustive", ura="3z")
    shown = tiles("3z")
    expect = [("W", None), ("S", shown), ("S", shown), ("W", None)]
    assert [(row["who"], row["ura_indicators"]) for row in rows] == expect
    rows = found(hands, "E+9p E-9p S+9p S! S-9p S$ W+4m W-4m exhaustive")
    assert [row["n_ura"] for row in rows] == [0, None]


def test_indicators_turned_before_the_tile_are_in_effect():
    hands = {"S": RYANMEN, "N": "111z11m7m2p5p8p3s6s9s2z"}
    story = "E+9p E-9p S+9p S-9p W+2z W-1m N+1z N:ankan:1z dora:7m N+9s N-1m exhaustive"
    rows = found(hands, story)
    assert [row["dora_indicators"] for row in rows] == [tiles("9m"), tiles("9m7m")]
    assert [row["n_dora"] for row in rows] == [1, 1]


# --------------------------------------------------------------------------------------------------- waits as columns


def columns(*hands):
    """Suits and honours of hands as text."""
    return words_of([[t if t < 34 else (t - 34) * 9 + 4 for t in tiles(hand)] for hand in hands])


def words_of(hands):
    """Suits and honours of hands as kinds."""
    suits = [sum(5 ** int(k % 9) << 21 * int(k // 9) for k in hand if k < 27) for hand in hands]
    honours = [sum(5 ** int(k - 27) for k in hand if k >= 27) for hand in hands]
    return np.array(suits, np.uint64), np.array(honours)


def waits_of(hand, n_melds=0, war_melds=(0, 0)):
    by_form = waits(*columns(hand), np.array([n_melds]), np.array([war_melds]))
    return {FORMS[i]: kinds(int(mask)) for i, [mask] in enumerate(by_form) if mask}


WAIT_CASES = {
    "nine gates wait for all nine": ("1112345678999m", 0, {"standard": "123456789m"}),
    "a fourth pair beside two sets is none too many to wait for": ("11m22p33s777z444z", 0, {}),
    "a pair and a pair": ("123m456p789s11z22z", 0, {"standard": "12z"}),
    "a hand of one tile waits for its like": ("5p", 4, {"standard": "5p"}),
    "a tile held four times is not waited for": ("1111m234p567s789s", 0, {}),
    "six pairs": ("1133m5577p2244s7z", 0, {"chiitoitsu": "7z"}),
    "a triplet among the pairs": ("111m5577p2244s77z", 0, {"four_pairs": "1m"}),
    "melds rule seven pairs out": ("1133m5577p2z", 1, {}),
    "any knitted tile or honour that is lacking": ("147m258p369s1234z", 0, {"scattered": "567z"}),
    "the knitted tiles of a suit that is not there yet": ("147m258p1234567z", 0, {"scattered": "369s"}),
    "knitted tiles beside a called set": ("147m258p369s1z", 1, {"knitted": "1z"}),
    "knitted tiles beside a ragged run": ("147m258p369s2399p", 0, {"knitted": "14p"}),
    "the civil war with a called wind": ("1168m156p222z", 1, {"civil_war": "8p"}),
}


@pytest.mark.parametrize(("hand", "n_melds", "expect"), WAIT_CASES.values(), ids=WAIT_CASES)
def test_a_hand_waits_for_these(hand, n_melds, expect):
    war = (0, 1) if "civil_war" in expect else (0, 0)
    assert waits_of(hand, n_melds, war) == {form: kinds_of(text) for form, text in expect.items()}


def test_waits_are_those_of_the_readings_of_the_hand_with_each_tile():
    """Random hands of one and two suits, thirteen tiles and fewer, against trying every tile."""
    random = np.random.default_rng(4)
    n_checked = 0
    for n_tiles in (13, 10, 7, 4, 1):
        kinds_in_play = [*range(9), *range(27, 31)] if n_tiles < 13 else [*range(9), *range(9, 14)]
        deck = np.repeat(kinds_in_play, 4)
        hands = [np.sort(random.permutation(deck)[:n_tiles]) for _ in range(300)]
        suits, honours = words_of(hands)
        n = np.full(300, (13 - n_tiles) // 3)
        by_form = waits(suits, honours, n, np.zeros((300, 2), int))
        for hand, mask in zip(hands, by_form[0].tolist(), strict=True):
            held = np.bincount(hand, minlength=34)
            more = (held + (np.arange(34) == k) for k in range(34))
            expect = {k for k, one_more in enumerate(more) if held[k] < 4 and _is_sets_and_pair(one_more.tolist())}
            assert kinds(mask) == expect, hand
            n_checked += len(expect)
    assert n_checked > 400


def _is_sets_and_pair(held):
    return any(h >= 2 and _is_sets([*held[:k], h - 2, *held[k + 1 :]]) for k, h in enumerate(held))


def _is_sets(held):
    first = next((k for k, h in enumerate(held) if h), None)
    if first is None:
        return True
    if held[first] >= 3 and _is_sets([*held[:first], held[first] - 3, *held[first + 1 :]]):
        return True
    if first >= 27 or first % 9 > 6 or not (held[first + 1] and held[first + 2]):
        return False
    return _is_sets([*held[:first], held[first] - 1, held[first + 1] - 1, held[first + 2] - 1, *held[first + 3 :]])


def test_tiles_are_apart_where_no_two_of_a_suit_are_within_two_numbers():
    bits = [sum(1 << k for k in kinds_of(text)) for text in ("147m258p369s1z", "13m", "24s", "9m1p", "89p", "1234567z")]
    assert is_apart(np.array(bits, np.uint64)).tolist() == [True, False, False, True, False, True]


def test_counts_are_the_tiles_of_each_kind():
    [row] = counts(*columns("1135m0p99s77z"))
    assert {k: int(n) for k, n in enumerate(row) if n} == {0: 2, 2: 1, 4: 1, 13: 1, 26: 2, 33: 2}


# -------------------------------------------------------------------------------------------- the whole and its parts


@pytest.fixture(scope="module")
def sample():
    return koyaku.read(PROJECT / "data_samples", walls=True)


def keyed(table):
    return {(row["game"], row["round_no"], row["winner"]): row for row in table.to_pylist()}


def test_every_recorded_win_is_a_chance_that_was_taken_with_its_hand_and_circumstances(sample):
    """The samples of the project: what a chance says of a win is what the record and the circumstances say."""
    rows = keyed(chances(sample).filter(pa.compute.field("is_taken")))
    wins, circumstances = keyed(sample["wins"]), keyed(sample["circumstances"])
    assert rows.keys() == wins.keys()
    for key, row in rows.items():
        for name in CHANCES.names:
            expect = circumstances[key] if name in CIRCUMSTANCES.names else wins[key] if name in WINS.names else None
            assert expect is None or row[name] == expect[name], (key, name)


def test_parts_make_the_same_chances_whatever_the_order_of_their_rounds(sample):
    whole = chances(sample)
    order = np.random.default_rng(1).permutation(len(sample["rounds"]))
    shuffled = sample | {"rounds": sample["rounds"].take(pa.array(order)), "wins": sample["wins"].slice(0)}
    assert chances(shuffled).equals(whole)


def test_a_store_holds_its_chances(tmp_path, sample):
    store = Store.create(tmp_path / "store")
    ingest(PROJECT / "data_samples", store, batch=30)
    assert chances_of_store(store) == 2
    whole = chances({name: table for name, table in sample.items() if name != "walls"})
    assert sorted(map(str, store.table("chances").to_pylist())) == sorted(map(str, whole.to_pylist()))


def test_no_play_gives_no_chances():
    tables = staged({"hands": {}, "story": "E+9p E-9p exhaustive"})
    assert len(chances(tables)) == 0
    empty = {name: table.slice(0, 0) for name, table in tables.items()}
    assert chances(empty).schema.equals(CHANCES)
