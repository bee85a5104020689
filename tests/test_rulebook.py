"""Rulesets to read: the list, one in full, what differs, a file checked, and the facts they are made of."""

import pytest

from analytics import rulebook
from analytics.scoring.facts import HAND_FACTS, READING_FACTS, asks, sentence
from analytics.scoring.hands import FLAGS
from analytics.scoring.ruleset import STAGES, RulesetError, amended, base, catalog, keys, ruleset, shipped, written

OWN = """
name = "Mine"
extends = "tenhou_3p"
unknown = ["dora.aka"]
yaku.tanyao.open = false
yaku.shoutate = 2
[yaku.odd_one]
needs = ["toitoi"]
forbids = ["closed"]
open = 3
"""


@pytest.fixture
def mine(tmp_path):
    (tmp_path / "mine.toml").write_text(OWN, "utf-8")
    return tmp_path / "mine.toml"


def test_the_list_holds_every_shipped_ruleset_once_and_base_first():
    found = rulebook.listing()
    assert found[0] is base()
    assert sorted(rules.id for rules in found) == list(shipped())


def test_a_ruleset_is_shown_with_every_key_its_value_origin_stage_and_meaning(mine):
    found = {row.key: row for row in rulebook.rows(mine)}
    assert list(found) == [*keys(), "yaku.odd_one"]
    for name, key in keys().items():
        assert found[name].stage == key.stage
        assert found[name].doc
        assert found[name].other is None
    assert (found["yaku.tanyao.open"].value, found["yaku.tanyao.open"].origin) == ("false", "mine")
    assert (found["payment.noten"].value, found["payment.noten"].origin) == ("2000", "tenhou_3p")
    assert (found["dora.aka"].value, found["dora.aka"].origin) == ("unknown", "base")
    set_by = found["yaku.sanshoku_doukou"]
    assert (set_by.value, set_by.origin) == ("3", "yaku.shoutate.upgrade_sanshoku_doukou_to_3")
    own = found["yaku.odd_one"]
    assert (own.value, own.origin, own.stage, own.doc) == ("off/3", "mine", "score", "A yaku of the ruleset's own.")
    assert found["yaku.toitoi"].doc == "All triplets, 対々和"


def test_what_a_ruleset_states_is_where_it_differs_from_base(mine):
    found = {row.key: row.value for row in rulebook.rows(mine, only_stated=True)}
    assert found == {
        "dora.aka": "unknown",
        "payment.noten": "2000",
        "payment.liable_for": "hand",
        "payment.liable_honba_on_ron": "liable",
        "game.start_points": "35000",
        "game.return_points": "40000",
        "game.uma": "[20, 0, -20]",
        "yaku.tanyao.open": "false",
        "yaku.shoutate": "2",
        "yaku.sanshoku_doukou": "3",
        "yaku.odd_one": "off/3",
    }
    assert rulebook.rows("base", only_stated=True) == []


@pytest.mark.parametrize("id_", shipped())
def test_every_shipped_ruleset_can_be_shown_and_compared_with_base(id_):
    rows = rulebook.rows(id_)
    assert [row.key for row in rows] == [*keys()]
    assert {row.stage for row in rows} == set(STAGES)
    stated = {row.key: row.value for row in rulebook.rows(id_, only_stated=True)}
    assert {row.key: row.other for row in rulebook.difference("base", id_)} == stated
    assert {row.key: row.value for row in rulebook.difference(id_, "base")} == stated


def test_two_rulesets_differ_in_the_keys_whose_values_differ(mine):
    found = {row.key: (row.value, row.other) for row in rulebook.difference("tenhou_3p", mine)}
    assert found == {
        "dora.aka": ("true", "unknown"),
        "yaku.tanyao.open": ("true", "false"),
        "yaku.shoutate": ("off", "2"),
        "yaku.sanshoku_doukou": ("2", "3"),
        "yaku.odd_one": ("off", "off/3"),
    }
    back = {row.key: (row.other, row.value) for row in rulebook.difference(mine, "tenhou_3p")}
    assert back == found
    assert rulebook.difference("base", base().amend({"dora.aka": True})) == []


def test_a_line_of_a_ruleset_has_the_key_its_value_and_its_origin(mine):
    rules = ruleset(mine)
    assert rulebook.origin_of(rules, "yaku.pinfu") == "yaku.pinfu = 1/off (base)"
    assert rulebook.origin_of(rules, "yaku.odd_one") == "yaku.odd_one = off/3 (mine)"
    assert rulebook.origin_of(rules.amend({"dora.ura": False}), "dora.ura") == "dora.ura = false (amended)"
    assert rulebook.origin_of(rules.assume_base(), "dora.aka") == "dora.aka = true (assumed from base)"


def test_a_file_is_checked_by_reading_it(mine):
    assert rulebook.checked(mine) == ruleset(mine)
    mine.write_text(OWN.replace("tanyao.open", "tanyao.opne"), "utf-8")
    with pytest.raises(RulesetError, match=r"^mine\.toml: no key 'yaku\.tanyao\.opne'; nearest: 'yaku\.tanyao\.open'$"):
        rulebook.checked(mine)


def read_again(rules, tmp_path, *, only_stated):
    """What the text of a ruleset reads as."""
    (tmp_path / "copy.toml").write_text(rulebook.as_toml(rules, only_stated=only_stated), "utf-8")
    return rulebook.checked(tmp_path / "copy.toml")


def same(rules):
    return dict(rules.values), rules.unknown, rules.name, rules.hash


@pytest.mark.parametrize("only_stated", [False, True])
def test_what_a_ruleset_is_shown_as_reads_as_the_same_ruleset(mine, tmp_path, only_stated):
    amendments = [
        {"adopt": ["shoutate", "kinkei_dokuritsu"], "set_": ["yaku.kinkei_dokuritsu.scoring=yakuman"]},
        {"adopt": ["shoutate"], "set_": ["yaku.sanshoku_doukou=2"]},
        {"adopt": ["kinkei_dokuritsu=3"], "set_": ["yaku.kinkei_dokuritsu.scoring=yakuman"]},
        {"drop": ["riichi"], "set_": ["payment.liable=daisangen", "game.uma=30,10,-10,-30"]},
        {"adopt": ["odd_one=mangan"]},
        {"drop": ["odd_one"]},
        {"assume": "base"},
    ]
    shown = [ruleset(id_) for id_ in shipped()] + [ruleset(mine)] + [amended(mine, **one) for one in amendments]
    for rules in shown:
        assert same(read_again(rules, tmp_path, only_stated=only_stated)) == same(rules), rules.id


def test_what_a_yaku_of_ones_own_is_told_by_is_shown_in_full(mine, tmp_path):
    text = rulebook.as_toml(mine)
    table = text[text.index("[yaku.odd_one]") :].splitlines()
    assert table[0] == "[yaku.odd_one]    # mine"
    assert 'needs = ["toitoi"]' in table
    assert 'value = "off/3"' in table
    assert read_again(ruleset(mine), tmp_path, only_stated=False).own == ruleset(mine).own


# Facts


def test_every_fact_is_listed_with_its_sentence():
    found = {name: (of, said) for name, of, said in rulebook.facts()}
    assert list(found) == sorted([*HAND_FACTS, *READING_FACTS])
    for name, (of, said) in found.items():
        assert of == ("hand" if name in HAND_FACTS else "reading")
        assert said == sentence(name)
        assert said.endswith("."), name
        assert said[0].isupper() or said[0].isdigit(), name


def test_every_yaku_of_a_hand_is_a_fact_and_every_guard_is_one():
    for id_, yaku in catalog().items():
        if yaku.kind == "hand":
            assert sentence(id_)
    for key in keys().values():
        for effect in key.effects.values():
            for fact in (*effect.also, *effect.needs, *effect.forbids, *effect.swaps.values()):
                assert sentence(fact), (key.name, fact)


def test_what_a_fact_asks_for_is_a_circumstance():
    asked = {name: asks(name) for name in (*HAND_FACTS, *READING_FACTS)}
    assert {flag for flags in asked.values() for flag in flags} <= set(FLAGS)
    assert asked["open_riichi"] == ("open_riichi",)
    assert asked["toitoi"] == ()


def test_values_are_written_in_one_way():
    assert [written(value) for value in (True, 4, (20, 10), "first")] == ["true", "4", "[20, 10]", "first"]
    assert written(base()["yaku.pinfu"]) == "1/off"
    assert written(base()["payment.liable"][:2]) == "['daisangen', 'daisuushii']"
