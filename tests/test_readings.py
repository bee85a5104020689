"""Every way to read a hand: hands with several readings by hand, and all readings of dealt hands by the oracle."""

import random
from collections import Counter

import local_reference
import numpy as np
import oracle
import pattern_dealing
import pytest
from dealing import deal
from hand_cases import laid_out

from analytics.cases import hands_of, read_case
from analytics.scoring.explain import reading_text
from analytics.scoring.hands import concatenate, of_case
from analytics.scoring.readings import FORMS, WAITS, readings
from analytics.scoring.ruleset import base
from analytics.scoring.score import score


def case(hand, win, by="ron"):
    bare, melds = laid_out(hand)
    return read_case({"hand": bare, "melds": melds, "win": win, "by": by, "ctx": {"seat": "S", "round": "E"}})


def texts(hand, win, by="ron"):
    found = readings(hands_of([case(hand, win, by)]))
    return [reading_text(found, at) for at in range(len(found))]


# Hands with more than one reading; `+` stands where the winning tile came.
SEVERAL = [
    (
        "three triplets in a row are three equal runs too, and a ron on the last kind ends both",
        "11122233789m44s",
        "3m",
        ["111m 222m 33m+3m 789m 44s", "12m+3m 123m 123m 789m 44s"],
    ),
    (
        "a won pair leaves both ways to read 111222333",
        "111222333m78p44s",
        "9p",
        ["111m 222m 333m 78p+9p 44s", "123m 123m 123m 78p+9p 44s"],
    ),
    (
        "the winning tile completes the end of one run or the gap of another",
        "34456m234p78999s",
        "5m",
        ["34m+5m 456m 234p 789s 99s", "345m 46m+5m 234p 789s 99s"],
    ),
    (
        "the winning tile completes a run or a triplet",
        "333m777p34555s44z",
        "5s",
        ["333m 777p 34s+5s 555s 44z", "333m 777p 345s 55s+5s 44z"],
    ),
    (
        "the winning tile completes the pair or a run",
        "3345m567p234888s",
        "3m",
        ["345m 567p 234s 888s 3m+3m", "45m+3m 567p 234s 888s 33m"],
    ),
    (
        "four equal runs, three triplets and a run through them with the tile in either, pairs with four of a kind",
        "22223333444m99p",
        "4m",
        [
            "23m+4m 234m 234m 234m 99p",
            "222m 23m+4m 333m 444m 99p",
            "222m 234m 333m 44m+4m 99p",
            "22m 22m 33m 33m 4m+4m 44m 99p",
        ],
    ),
    (
        "another pair in one suit moves the runs along",
        "1112345678999m",
        "2m",
        ["111m 345m 678m 999m 2m+2m"],
    ),
    (
        "nine gates on the 1: the triplet, or the run beside it",
        "1112345678999m",
        "1m",
        ["11m+1m 123m 456m 789m 99m", "111m 23m+1m 456m 789m 99m"],
    ),
    (
        "with four melds only the pair is left",
        "7z (123m) (111p) [9999s] (6666z+)",
        "7z",
        ["7z+7z (123m) (111p) [9999s] (6666z)"],
    ),
    (
        "thirteen orphans are thirteen scattered tiles too",
        "19m19p19s1234567z",
        "5z",
        ["19m19p19s1234567z+5z", "19m19p19s1234567z+5z"],
    ),
    (
        "two pairs of runs are seven pairs too",
        "223344m556677p9s",
        "9s",
        ["234m 234m 567p 567p 9s+9s", "22m 33m 44m 55p 66p 77p 9s+9s"],
    ),
]


@pytest.mark.parametrize(("hand", "win", "expected"), [s[1:] for s in SEVERAL], ids=[s[0] for s in SEVERAL])
def test_every_reading_is_found_once(hand, win, expected):
    assert sorted(texts(hand, win)) == sorted(expected)


# Hands that are not four sets and a pair: the forms of all their readings, each with its wait.
FORMED = [
    ("seven pairs", "1133m5588p99s44z2s", "2s", [("chiitoitsu", "tanki")]),
    ("four of a kind are two pairs", "1111m5588p99s44z2s", "2s", [("four_pairs", "tanki")]),
    ("four of a kind twice", "1111m5555p99s44z2s", "2s", [("four_pairs", "tanki")]),
    ("three kinds four times and a pair of honours", "1111m5555p9999s4z", "4z", [("four_pairs", "tanki")]),
    ("nine knitted tiles and five honours", "147m258p369s1234z", "5z", [("scattered", "none")]),
    ("thirteen kinds far apart and a pair", "147m258p369s1123z", "4z", [("scattered", "none")]),
    ("thirteen kinds of which some are near", "123m258p369s1123z", "4z", [("scattered", "none")]),
    ("the years of the war in two suits, winds held", "1168m156p222444z", "8p", [("civil_war", "none")]),
    ("the years of the war in one suit", "1115668m222444z", "8m", [("civil_war", "none")]),
    ("the years of the war, a wind called", "1168m156p222z (444z)", "8p", [("civil_war", "none")]),
    ("the years of the war, a wind as a concealed kan", "1168m156p222z [4444z]", "8p", [("civil_war", "none")]),
    ("the years of the war with west in place of north", "1168m156p222333z", "8p", []),
    ("twice the same year", "1168m116p222444z", "8p", []),
    ("nine knitted tiles, a run and a pair", "147m258p36s123m9p9p", "9s", [("knitted", "none")]),
    ("nine knitted tiles, the run won on", "147m258p369s12m99p", "3m", [("knitted", "penchan")]),
    ("nine knitted tiles beside a called set", "147m258p36s99p (777z)", "9s", [("knitted", "none")]),
    ("nine knitted tiles, the pair won on", "147m258p369s123m9p", "9p", [("knitted", "tanki")]),
    ("nine knitted tiles and a triplet of one of them", "1111m47m258p369s9p", "9p", [("knitted", "tanki")]),
    (
        "the winning tile is one of the nine, or completes the triplet",
        "111m47m258p369s99p",
        "1m",
        [("knitted", "none"), ("knitted", "shanpon")],
    ),
]


@pytest.mark.parametrize(("hand", "win", "expected"), [f[1:] for f in FORMED], ids=[f[0] for f in FORMED])
def test_a_hand_of_another_form_is_read_whether_or_not_a_ruleset_plays_it(hand, win, expected):
    found = readings(hands_of([case(hand, win)]))
    formed = [(FORMS[f], WAITS[w]) for f, w in zip(found.form.tolist(), found.wait.tolist(), strict=True)]
    assert sorted(formed) == sorted(expected)


@pytest.mark.parametrize(
    ("hand", "win", "yaku"),
    [
        ("1111m5588p99s44z2s", "2s", "chiitoitsu.four_identical"),
        ("147m258p369s1234z", "5z", "zenfukou"),
        ("147m258p36s123m99p", "9s", "kumiairyuu"),
        ("1168m156p222444z", "8p", "american_civil_war"),
    ],
)
def test_a_form_is_a_win_only_where_its_yaku_is_played(hand, win, yaku):
    hands = hands_of([case(hand, win)])
    plays = base().amend({f"yaku.{yaku}": True if "." in yaku else "yakuman"})
    without, with_it = score(hands, [base(), plays])
    assert (without.status.tolist(), without.points.tolist()) == ([1], [0])
    assert with_it.status.tolist() == [0]
    assert with_it.points[0] > 0


@pytest.mark.parametrize(
    ("hand", "win"),
    [
        ("123456789m1122p", "3p"),
        ("1111m5588p999s44z", "2s"),
        ("19m199p19s124567z", "1z"),
        ("1122m345p67899s1z", "1z"),
        ("147m258p369s1123z", "1z"),
        ("1155m3377p99s (678s)", "9s"),
    ],
)
def test_a_hand_that_is_not_complete_has_no_reading(hand, win):
    assert texts(hand, win) == []


def test_a_triplet_is_concealed_unless_it_was_called_or_ended_by_ron():
    for by, expected in (("tsumo", 3), ("ron", 2)):
        found = readings(hands_of([case("333m777p55s44z (678s)", "5s", by)]))
        assert found.n_triplets.tolist() == [3]
        assert found.n_concealed_triplets.tolist() == [expected]
    found = readings(hands_of([case("9s [1111m] (4444m) (8888p+) (222s)", "9s")]))
    assert found.n_concealed_triplets.tolist() == [1]


def test_no_hands_have_no_readings():
    assert len(readings(hands_of([case("234567m345p99p68s", "7s")])[:0])) == 0


# Every reading of dealt hands, told by the oracle and by the plain reference of local yaku


def as_told(reading):
    """A reading of the oracle: form, runs, triplets, which of these are concealed, pair, wait."""
    if reading.form == "seven_pairs":
        return "chiitoitsu", (), (), (), (), "tanki"
    if reading.form == "orphans":
        return "kokushi", (), (), (), (), "none"
    triplets = reading.triplets
    [wait] = [oracle.wait(b, reading.win.tile) for b in reading.blocks if b.won]
    return (
        "standard",
        tuple(sorted(b.kind for b in reading.runs)),
        tuple(sorted(b.kind for b in triplets)),
        tuple(sorted(b.kind for b in triplets if reading.is_concealed(b))),
        (reading.pair.kind,),
        wait,
    )


def kinds(mask):
    return tuple(kind for kind in range(34) if int(mask) >> kind & 1)


def as_columns(found, at):
    runs = int(found.runs[at])
    return (
        FORMS[found.form[at]],
        tuple(9 * (i // 7) + i % 7 for i in range(21) for _ in range(runs >> 3 * i & 7)),
        kinds(found.triplets[at]),
        kinds(found.concealed_triplets[at]),
        kinds(found.pair[at]),
        WAITS[found.wait[at]],
    )


def compare_readings(seed, n):
    rng = random.Random(seed)
    dealt = [deal(rng, players=rng.choice((3, 4, 4))) for _ in range(n)]
    found = readings(hands_of([read_case({k: v for k, v in one.items() if k != "style"}) for one in dealt]))
    assert np.all(np.diff(found.hand) >= 0)
    rows = np.searchsorted(found.hand, np.arange(n + 1))
    for i, one in enumerate(dealt):
        told = Counter(as_told(reading) for reading in oracle.readings(oracle.win_of(one)))
        ours = Counter(as_columns(found, at) for at in range(rows[i], rows[i + 1]))
        known = Counter({reading: n for reading, n in ours.items() if reading[0] in KNOWN_TO_THE_ORACLE})
        assert known == told, one
    return len(found)


KNOWN_TO_THE_ORACLE = ("standard", "chiitoitsu", "kokushi")
"""The other forms are no wins under its rules."""


def test_dealt_hands_have_the_readings_that_the_oracle_finds():
    assert compare_readings(11, 1500) > 1800


@pytest.mark.slow
def test_many_dealt_hands_have_the_readings_that_the_oracle_finds():
    compare_readings(12, 60_000)


LOCAL_FORMS = {
    "sets": "standard",
    "seven_pairs": "chiitoitsu",
    "two_of_four": "four_pairs",
    "orphans": "kokushi",
    "war": "civil_war",
    "knitted": "knitted",
}


def as_referred(reading):
    """A reading of the plain reference, as `as_told` of the oracle's."""
    triplets = reading.of("triplet", "kan")
    concealed = [b.kind for b in triplets if not b.called and not (b.won and not reading.hand.tsumo)]
    return (
        LOCAL_FORMS[reading.form],
        tuple(sorted(reading.runs.elements())),
        tuple(sorted(reading.triplets)),
        tuple(sorted(concealed)),
        () if reading.pair is None else (reading.pair,),
        reading.wait or "none",
    )


def compare_forms(seed, n):
    """Counts of readings by form; each is in the reference, and each of the reference's is found."""
    dealt = pattern_dealing.deals(seed, n)
    found = readings(concatenate([of_case(values) for values in dealt]))
    rows = np.searchsorted(found.hand, np.arange(n + 1))
    for i, values in enumerate(dealt):
        hand = local_reference.hand_of(values)
        told = Counter(as_referred(r) for r in local_reference.readings(hand) if r.form != "scattered")
        ours = Counter(as_columns(found, at) for at in range(rows[i], rows[i + 1]))
        is_scattered = not hand.melds and len(set(hand.concealed)) >= 13
        assert ours.pop(("scattered", (), (), (), (), "none"), 0) == is_scattered, values
        assert ours == told, values
    return Counter(FORMS[form] for form in found.form)


def test_dealt_hands_of_every_form_have_the_readings_of_the_reference():
    counts = compare_forms(21, 1500)
    assert set(counts) == set(FORMS)
    assert min(counts.values()) >= 5, counts


@pytest.mark.slow
def test_many_dealt_hands_of_every_form_have_the_readings_of_the_reference():
    compare_forms(22, 60_000)
