"""Tiles as drawings: every kind once, each hand in words too, and what lies, shows its back or is red."""

import re
from xml.etree import ElementTree

import pytest
from told import tables_of
from told import tiles as tiles_of

from analytics.impact.hand import hand_of, notation, short_writing
from analytics.reports import tiles


def a_hand(concealed: str, win: str, *melds: dict, **known) -> dict:
    shown = {"concealed": tiles_of(concealed), "win_tile": tiles_of(win)[0], "melds": list(melds), "n_kita": 0}
    return shown | {"dora_indicators": [], "ura_indicators": None} | known


def meld(kind: str, text: str, called: int | None = 0, fed_by: str | None = "left") -> dict:
    return {"kind": kind, "tiles": tiles_of(text), "called": called, "fed_by": fed_by}


def drawn(hand: dict) -> list[tuple[str, bool]]:
    """The tiles of a hand from left to right, and whether each lies on its side."""
    svg = ElementTree.fromstring(tiles.hand(hand))
    return [(use.get("href").removeprefix("#tile-"), "rotate" in use.get("transform", "")) for use in svg.iter("use")]


def test_the_words_of_a_hand_are_its_notation():
    hand = a_hand("123m99p", "0s", meld("chi", "406p", 1), meld("ankan", "7777z", None, None), n_kita=2)
    assert notation(hand) == "123m99p+0s (406p) [7777z] north set aside 2"
    svg = ElementTree.fromstring(tiles.hand(hand))
    assert (svg.get("role"), svg.get("aria-label")) == ("img", notation(hand))


@pytest.mark.parametrize(("fed_by", "lies"), [("left", 0), ("across", 1), ("right", 2)])
def test_a_called_tile_lies_where_it_was_taken_from(fed_by, lies):
    shown = drawn(a_hand("11m", "1m", meld("pon", "555z", 0, fed_by)))[3:]
    assert [is_lying for _, is_lying in shown] == [place == lies for place in range(3)]


def test_the_tile_of_a_run_that_was_called_lies_first():
    assert drawn(a_hand("11m", "1m", meld("chi", "456p", 1)))[3:] == [("13", True), ("12", False), ("14", False)]


def test_an_open_kan_has_one_lying_tile_and_an_added_one_two():
    assert [lies for _, lies in drawn(a_hand("11m", "1m", meld("daiminkan", "5555z", 0, "right")))[3:]] == [
        False
    ] * 3 + [True]
    added = a_hand("11m", "1m", meld("kakan", "5555z", 0, "left"))
    assert [lies for _, lies in drawn(added)[3:]] == [True, True, False, False]
    assert ElementTree.fromstring(tiles.hand(added)).get("viewBox").split()[1] == "-22"


def test_a_concealed_kan_shows_two_backs_and_its_red_five():
    shown = drawn(a_hand("11m", "1m", meld("ankan", "0555p", None, None)))[3:]
    assert shown == [("b", False), ("35", False), ("13", False), ("b", False)]


def test_a_red_five_is_red_and_has_a_mark():
    red, plain = (tiles.symbols([a_hand("11m", text)]) for text in ("0p", "5p"))
    assert "#c8102e" in red
    assert "<circle" in red
    assert "#c8102e" not in plain
    assert "<circle" not in plain


def test_every_tile_has_a_drawing_of_its_own_that_needs_no_font():
    hand = a_hand("123456789m123456789p123456789s1234567z00", "0m", meld("ankan", "1111z", None, None))
    hand["concealed"] += [35, 36]
    drawings = re.findall(r'<symbol id="tile-(\w+)".*?</symbol>', tiles.symbols([hand]))
    bodies = re.findall(r"<symbol.*?>(.*?)</symbol>", tiles.symbols([hand]))
    assert set(drawings) == {*map(str, range(37)), "b"}
    assert len(set(bodies)) == len(drawings) == 38
    assert not any("<text" in body for body in bodies)


def test_a_page_holds_only_the_drawings_it_uses():
    assert re.findall(r'id="tile-(\w+)"', tiles.symbols([a_hand("11m", "1m", dora_indicators=[33])])) == ["0", "33"]


def test_a_recorded_win_is_shown_as_it_lay():
    won = {"winner": 1, "loser": 3, "hand": "23m99s (555z) (678p) (777z)", "win": "4m", "fed": [0, 0, 3]}
    hand = hand_of(tables_of({"rounds": [{"dealer": 0, "wins": [won]}]}), 0)
    assert notation(hand) == "23m99s+4m (555z) (678p) (777z)"
    assert [one["fed_by"] for one in hand["melds"]] == ["left", "left", "across"]
    assert (hand["seat_wind"], hand["round_wind"], hand["is_tsumo"]) == (1, 0, False)


def test_tiles_are_written_by_suit_with_red_fives_first_among_fives():
    assert short_writing([33, 4, 34, 9, 0]) == "105m1p7z"
