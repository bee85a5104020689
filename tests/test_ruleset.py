"""Rulesets as data: what is refused and how it is said, what amending does, when hashes differ."""

import pickle
import random
import shutil
import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hand_cases import has_other_value, other_value

from analytics.account import explain
from analytics.cases import hands_of, read_case
from analytics.scoring import facts
from analytics.scoring import ruleset as rulesets
from analytics.scoring.facts import hand_fact, reading_fact
from analytics.scoring.limits import MAX_UNITS
from analytics.scoring.patterns import effect_of, lines_of
from analytics.scoring.ruleset import (
    FAMILIES,
    STAGES,
    RulesetError,
    amended,
    base,
    catalog,
    check_value,
    keys,
    ruleset,
    shipped,
    written,
)
from analytics.scoring.score import facts_of, score
from analytics.scoring.values import LIMIT_BASE, YAKUMAN_BASE, Value, parse_value
from parsers.schema import SCORES

# Amending

CHANGEABLE = [key for key in keys() if has_other_value(key)]

# Keys that other keys set while nobody states them, by the value of the latter that `other_value` gives.
SETS = {
    "yaku.tenhou.upgrades_waits": {
        f"yaku.{id_}.on_tenhou" for id_ in ("kokushi_juusanmen", "junsei_chuuren_poutou", "suuankou_tanki")
    },
    "yaku.katengecchi.when_off": {"yaku.haitei_raoyue.with_rinshan"},
    "yaku.junsei_ryuuiisou.ryuuiisou_requires_hatsu": {"yaku.ryuuiisou.hatsu_required"},
    "yaku.shoutate": {"yaku.sanshoku_doukou"},
}


@pytest.mark.parametrize("key", CHANGEABLE)
def test_another_value_of_any_key_gives_another_ruleset_and_leaves_the_first(key):
    before, hash_before = dict(base().values), base().hash
    changed = base().amend({key: other_value(key)})
    assert changed[key] != base()[key]
    assert changed.hash != hash_before
    assert changed.origin[key] == "amended"
    assert {k for k in keys() if changed[k] != base()[k]} == {key} | SETS.get(key, set())
    assert {k for k in keys() if changed.origin[k] != "base"} == {key} | SETS.get(key, set())
    assert dict(base().values) == before
    assert base().hash == hash_before


def test_a_key_with_one_value_only_can_be_stated_and_changes_nothing():
    only = {key: keys()[key].default for key in keys() if not has_other_value(key)}
    assert 5 < len(only) < 15
    assert base().amend(only) is base()


def test_the_hash_is_that_of_the_values_and_of_nothing_else():
    for key in CHANGEABLE:
        there = base().amend({key: other_value(key)})
        back = there.amend({key: base()[key].text if isinstance(base()[key], Value) else base()[key]})
        assert back.id != base().id, key
        assert back.hash == base().hash, key


def test_one_value_has_one_hash_however_it_is_written():
    for key, value, same in [
        ("yaku.tanyao", 1, "1"),
        ("yaku.tanyao", "1", "1/1"),
        ("yaku.chiitoitsu", "2/off", " 2/off "),
        ("yaku.daisangen", "yakuman", "yakuman*1"),
        ("yaku.daisangen", "off", "off/off"),
        ("yaku.nagashi_mangan", "mangan", "mangan+0"),
        ("game.uma", [30, 10, -10, -30], (30, 10, -10, -30)),
    ]:
        assert base().amend({key: value}).hash == base().amend({key: same}).hash, (key, value, same)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        *(("dora.aka=off", False), ("dora.aka=FALSE", False), ("dora.ura=false", False), ("dora.ura=on", True)),
        *(("payment.honba=200", 200), ("game.start_points=0", 0), ("fu.chiitoitsu=50", 50)),
        *(("game.uma=30, 10,-10,-30", (30, 10, -10, -30)), ("payment.liable=", ())),
        ("payment.multiple_ron=head_bump", "head_bump"),
    ],
)
def test_a_command_line_writes_every_type_as_text(text, value):
    key = text.partition("=")[0]
    rules = amended("base", set_=[text])
    assert rules[key] == value
    assert type(rules[key]) is type(value)
    assert rules.hash == base().amend({key: value}).hash


@pytest.mark.parametrize("key", [key for key, known in keys().items() if not isinstance(known.default, (str, Value))])
def test_text_is_no_number_switch_or_list_but_on_a_command_line(key):
    default = keys()[key].default
    text = ",".join(map(str, default)) if isinstance(default, tuple) else written(default)
    expected = {bool: "true or false", int: "a whole number", tuple: "a list"}[type(default)]
    with pytest.raises(RulesetError) as error:
        base().amend({key: text})
    assert str(error.value).startswith(f"base: {key} is {text!r}, expected {expected}")
    with pytest.raises(RulesetError) as error:
        rulesets._read("mine", f'{key} = "{text}"')
    assert str(error.value).startswith(f"mine.toml: {key} is {text!r}, expected {expected}")
    if keys()[key].stage != "play":
        assert amended("base", set_=[f"{key}={text}"]) is base()


def test_the_id_of_an_amended_ruleset_says_what_changed():
    once = ruleset("tenhou_4p_aka").amend({"yaku.tanyao.open": False})
    twice = once.amend({"yaku.kokushi_juusanmen": "yakuman*2"})
    assert once.id == "tenhou_4p_aka + tanyao.open=false"
    assert twice.id == "tenhou_4p_aka + tanyao.open=false, kokushi_juusanmen=yakuman*2"
    assert "kokushi_juusanmen=yakuman*2" in twice.name


def test_amending_to_the_same_values_is_the_same_ruleset():
    assert base().amend({"yaku.tanyao": 1, "dora.aka": True}) is base()
    assert base().amend({}) is base()


# Keys that set others

SETTING = [
    ({"yaku.shoutate": 2}, "yaku.sanshoku_doukou", "3", "yaku.shoutate.upgrade_sanshoku_doukou_to_3"),
    ({"yaku.tenhou.upgrades_waits": True}, "yaku.suuankou_tanki.on_tenhou", True, "yaku.tenhou.upgrades_waits"),
    (
        {"yaku.open_riichi": 2, "yaku.open_riichi.deal_in_penalty": "yakuman_if_discarder_not_in_riichi"},
        "yaku.open_riichi_deal_in",
        "least yakuman",
        "yaku.open_riichi.deal_in_penalty",
    ),
    ({"yaku.tanfonhou": 3, "yaku.tanfonhou.split": True}, "yaku.chintanfon", "6/5", "yaku.tanfonhou.split"),
    (
        {"yaku.paarenchan": "yakuman", "yaku.paarenchan.definition": "def2"},
        "yaku.pouhoi_paarenchan.definition",
        "def2",
        "yaku.paarenchan.definition",
    ),
    (
        {"yaku.hyakuman_goku": "yakuman", "yaku.hyakuman_goku.mode": "more_than_100_yakuman_exact_double"},
        "yaku.kaga_hyakuman_goku",
        "yakuman*2",
        "yaku.hyakuman_goku.mode",
    ),
    (
        {"yaku.junsei_ryuuiisou": "yakuman", "yaku.junsei_ryuuiisou.ryuuiisou_requires_hatsu": True},
        "yaku.ryuuiisou.hatsu_required",
        True,
        "yaku.junsei_ryuuiisou.ryuuiisou_requires_hatsu",
    ),
    ({"yaku.katengecchi.when_off": "both"}, "yaku.haitei_raoyue.with_rinshan", "both", "yaku.katengecchi.when_off"),
]
by_setting = pytest.mark.parametrize(("changes", "key", "value", "by"), SETTING, ids=[s[1] for s in SETTING])


def plain(value):
    return written(value) if isinstance(value, Value) else value


@by_setting
def test_a_key_that_nobody_states_is_set_by_another_and_names_it_as_its_origin(changes, key, value, by):
    rules = base().amend(changes)
    assert (plain(rules[key]), rules.origin[key]) == (value, by)
    assert rules.stated_origin[key] == "base"


@by_setting
def test_a_key_that_is_stated_is_set_by_no_other_whether_before_beside_or_after(changes, key, value, by):
    default = plain(base()[key])
    beside = base().amend(changes | {key: default})
    assert (plain(beside[key]), beside.origin[key]) == (default, "amended")
    assert f"{key.removeprefix('yaku.')}={written(base()[key])}" in beside.id
    after = base().amend(changes).amend({key: default})
    assert (plain(after[key]), after.origin[key]) == (default, "amended")
    assert after.hash == beside.hash
    other = "7" if isinstance(base()[key], Value) else next((v for v in keys()[key].allowed or () if v != value), None)
    if other is not None and other != default:
        before = base().amend({key: other}).amend(changes)
        assert (plain(before[key]), before.origin[key]) == (other, "amended")


@by_setting
def test_what_no_longer_sets_a_key_leaves_it_at_its_default(changes, key, value, by):
    back = base().amend(changes).amend({name: base()[name] for name in changes})
    assert (back[key], back.origin[key], back.hash) == (base()[key], "base", base().hash)


def test_an_option_of_a_yaku_that_is_off_sets_nothing():
    for changes, key, _, by in SETTING:
        options = {name: value for name, value in changes.items() if name.count(".") > 1}
        is_off = not base().yaku_value(by.split(".")[1]).is_on
        if is_off and not any(effect.sets_off for effect in keys()[by].effects.values()):
            assert base().amend(options)[key] == base()[key], key
    assert base().amend({"yaku.katengecchi": 2, "yaku.katengecchi.when_off": "both"})[
        "yaku.haitei_raoyue.with_rinshan"
    ] == "rinshan_only"


def test_every_value_that_a_key_sets_is_one_that_the_other_allows():
    set_by = [
        (key.name, other, value)
        for key in keys().values()
        for effect in key.effects.values()
        for other, value in (effect.sets | effect.sets_off).items()
    ]
    for by, other, value in set_by:
        assert check_value(by, other, value) != keys()[other].default, (by, other)
    assert {other for _, other, _ in set_by} >= {key for _, key, _, _ in SETTING}


def test_value_may_be_written_out_as_a_key_of_the_yaku():
    assert base().amend({"yaku.tanyao.value": 2}).yaku_value("tanyao").closed.han == 2


def test_nothing_of_a_ruleset_can_be_assigned():
    with pytest.raises(TypeError):
        base().values["dora.aka"] = False
    with pytest.raises(TypeError):
        base().origin["dora.aka"] = "me"
    with pytest.raises(AttributeError):
        base().id = "mine"
    with pytest.raises(TypeError):
        keys()["dora.aka"] = None
    with pytest.raises(TypeError):
        catalog()["mine"] = None


# What is refused


@pytest.mark.parametrize(
    ("key", "value", "message"),
    [
        ("yaku.tanyao.opne", "off", "base: no key 'yaku.tanyao.opne'; nearest: 'yaku.tanyao.open'"),
        ("yaku.tanyo", 1, "base: no key 'yaku.tanyo'; nearest: 'yaku.tanyao'"),
        ("dora.red", True, "base: no key 'dora.red'; nearest: 'dora.ura'"),
        ("zzz", 1, "base: no key 'zzz'"),
        ("dora.aka", 1, "base: dora.aka is 1, expected true or false"),
        ("dora.aka", "perhaps", "base: dora.aka is 'perhaps', expected true or false"),
        ("payment.honba", True, "base: payment.honba is True, expected a whole number from 0 to 10000"),
        ("payment.honba", 1.5, "base: payment.honba is 1.5, expected a whole number"),
        ("payment.honba", "many", "base: payment.honba is 'many', expected a whole number"),
        ("payment.honba", -100, "base: payment.honba is -100, expected 0 to 10000"),
        ("fu.double_wind_pair", 3, "base: fu.double_wind_pair is 3, expected one of 2, 4"),
        ("payment.multiple_ron", "some", "base: payment.multiple_ron is 'some', expected one of all, head_bump"),
        ("game.uma", 20, "base: game.uma is 20, expected a list"),
        ("game.uma", [20, "10", -10, -20], "base: game.uma holds '10', expected a list of int"),
        ("game.uma", [20, -20], "base: game.uma holds 2 values, expected 3 or 4"),
        (
            "payment.liable",
            ["tanyao"],
            "base: payment.liable holds 'tanyao', expected some of daisangen, daisuushii, suukantsu",
        ),
        ("yaku.tanyao", True, "base: yaku.tanyao: True is no value of a yaku"),
        ("yaku.tanyao", "mangam", "base: yaku.tanyao: 'mangam' is no value of a yaku"),
        ("yaku.tanyao", [1], "base: yaku.tanyao: [1] is no value of a yaku"),
    ],
)
def test_a_key_or_value_that_does_not_exist_is_named_with_what_does(key, value, message):
    with pytest.raises(RulesetError) as error:
        base().amend({key: value})
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"adopt": ["xyzzy"]}, "base: no yaku 'xyzzy'"),
        ({"drop": ["zqw"]}, "base: no yaku 'zqw'"),
        ({"set_": ["foo=1"]}, "base: no key 'foo'"),
        ({"adopt": ["tsubame"]}, "base: no yaku 'tsubame'; nearest: 'tsubame_gaeshi'"),
    ],
)
def test_a_name_that_is_like_no_other_has_no_nearest_and_the_beginning_of_one_has(changes, message):
    with pytest.raises(RulesetError) as error:
        amended("base", **changes)
    assert str(error.value) == message


def test_what_is_made_of_the_largest_numbers_fits_the_tables():
    most_honba = keys()["payment.honba"].most * 3 * np.iinfo(np.int16).max
    assert SCORES.field("delta_0").type == SCORES.field("points").type == pa.int32()
    assert most_honba + 6 * YAKUMAN_BASE * MAX_UNITS + 2000 * np.iinfo(np.int16).max < np.iinfo(np.int32).max
    assert keys()["limits.yakuman_cap"].most == MAX_UNITS == np.iinfo(np.int8).max


def test_the_han_of_all_yaku_together_can_be_counted(tmp_path):
    largest = {f"yaku.{id_}": 99 for id_ in ("toitoi", "sanankou", "sankantsu", "honitsu")}
    assert counted(base().amend(largest | {"yaku.honitsu": "-57"}), *TOITOI) == {"toitoi": "99"}
    told = "its yaku come to 501 han in all, expected 500 or fewer; the most is yaku."
    with pytest.raises(RulesetError, match=f"^base \\+ .*=99, .*: {told}"):
        base().amend(largest | {"yaku.tanyao": 63})
    rows = "".join(f'[yaku.own_{n}]\nneeds = ["tanyao"]\nvalue = {n}\n' for n in (99, 98, 97, 96, 59))
    with pytest.raises(RulesetError, match=f"^mine.toml: {told}own_99 = 99$"):
        ruleset(written_file(tmp_path, rows))


def test_han_beyond_ten_yakuman_are_paid_as_many_times_thirteen(tmp_path):
    rules = base().amend({"limits.counted_yakuman": "each_13", "yaku.tanyao": 99, "yaku.pinfu": 84})
    [found] = explain(*TANYAO, "ron", rules, seat="S")
    assert (found.han, found.points) == (183, 14 * 32000)


def test_reading_a_key_that_does_not_exist_names_the_nearest():
    with pytest.raises(RulesetError, match=r"^base: no key 'dora.akka'; nearest: 'dora.aka'$"):
        base()["dora.akka"]


def test_a_ruleset_that_does_not_exist_is_named_with_the_nearest():
    with pytest.raises(RulesetError, match=r"^no ruleset 'tenhou_4p_akka'; nearest: 'tenhou_4p_aka'; a file of your"):
        ruleset("tenhou_4p_akka")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("yaku.tanyo = 2", "mine.toml: no key 'yaku.tanyo'; nearest: 'yaku.tanyao'"),
        ("dora.aka = 1", "mine.toml: dora.aka is 1, expected true or false"),
        ("yaku = 3", "mine.toml: no key 'yaku'"),
        ("dora.aka = ", "mine.toml: not TOML: "),
        ('extends = "tenhou_4p_akka"', "mine.toml: extends 'tenhou_4p_akka', which is not shipped; nearest: "),
        ('extends = "mine.toml"', "mine.toml: extends 'mine.toml', which is not shipped"),
        ("extends = 4", "mine.toml: extends 4, which is not shipped"),
        ("dora.aka = 2024-01-01", "mine.toml: dora.aka is datetime.date(2024, 1, 1), expected true or false"),
        ("dora.aka.value = true", "mine.toml: no key 'dora.aka.value'; nearest: 'dora.aka'"),
        ("dora = true", "mine.toml: no key 'dora'"),
        ("[yaku.sanrenkou]", "mine.toml: [yaku.sanrenkou] says nothing, expected yaku.sanrenkou.value"),
        ("[dora]", "mine.toml: [dora] says nothing"),
        ("name = 3", "mine.toml: name is 3, expected text"),
        ("about = 5", "mine.toml: about is 5, expected text"),
        ("source = [1]", "mine.toml: source is [1], expected text"),
        ("payment.honba = true", "mine.toml: payment.honba is True, expected a whole number"),
        ("payment.honba = 100.0", "mine.toml: payment.honba is 100.0, expected a whole number"),
        ("payment.multiple_ron = false", "mine.toml: payment.multiple_ron is False, expected a word"),
        ('game.uma = ["20", "10", "-10", "-20"]', "mine.toml: game.uma holds '20', expected a list of int"),
        ('nam = "x"', "mine.toml: no key 'nam'; nearest: 'name'"),
        ("yaku.tanron = true", "mine.toml: yaku.tanron: True is no value of a yaku; expected han"),
        ("yaku.renhou.windw = 1", "mine.toml: no key 'yaku.renhou.windw'; nearest: 'yaku.renhou.window'"),
        ("yaku.renhou.window = 1", "mine.toml: yaku.renhou.window is 1, expected a word"),
        ('yaku.renhou.window = "x"', "mine.toml: yaku.renhou.window is 'x', expected one of before_own_first_draw, "),
        ("yaku.mondeikou.red_count = 5", "mine.toml: yaku.mondeikou.red_count is 5, expected one of 3, 4"),
        ('payment.liable = ["tanyao"]', "mine.toml: payment.liable holds 'tanyao', expected some of daisangen, "),
        ("payment.liable = [1]", "mine.toml: payment.liable holds 1, expected a list of str"),
        ("payment.honba = 10001", "mine.toml: payment.honba is 10001, expected 0 to 10000"),
        ("payment.noten = 100001", "mine.toml: payment.noten is 100001, expected 0 to 100000"),
        ("game.start_points = -1", "mine.toml: game.start_points is -1, expected 0 to 1000000"),
        ("game.return_points = 10000000000", "mine.toml: game.return_points is 10000000000, expected 0 to 1000000"),
        ("game.uma = [1, 2, 1001]", "mine.toml: game.uma holds 1001, expected -1000 to 1000"),
        ("round.minimum_han = 14", "mine.toml: round.minimum_han is 14, expected 0 to 13"),
        ("limits.yakuman_cap = 128", "mine.toml: limits.yakuman_cap is 128, expected 0 to 127"),
        ("yaku.tanyao.value = 100", "mine.toml: yaku.tanyao: 100 is no value of a yaku; expected han from -99 to 99"),
    ],
)
def test_an_error_in_a_file_names_the_file(tmp_path, text, message):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(RulesetError) as error:
        ruleset(path)
    assert str(error.value).startswith(message)


TOO_DEEP = "nested too deep to be a ruleset, expected keys such as yaku.tanyao.open"
TOO_LARGE = "not TOML: an integer of more than 64 bits"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"yaku = {'[' * 3000}{']' * 3000}", TOO_DEEP),
        (f"yaku = {'{a = ' * 3000}1{'}' * 3000}", TOO_DEEP),
        (f"{'.'.join(['a'] * 3000)} = 1", TOO_DEEP),
        (f"[{'.'.join(['a'] * 30000)}]\nb = 1", TOO_DEEP),
        (f"x = {'[' * 17}{']' * 17}", TOO_DEEP),
        (f"payment.honba = {'9' * 5000}", TOO_LARGE),
        (f"payment.honba = 0x{'f' * 5000}", TOO_LARGE),
        (f"game.uma = [{10**30}]", TOO_LARGE),
        (f"unknown = [0x{'f' * 5000}]", TOO_LARGE),
        (f'[yaku.mine]\nneeds = ["tanyao"]\nvalue = 0x{"f" * 5000}', TOO_LARGE),
        (f"payment.honba = {10**18}", f"payment.honba is {10**18}, expected 0 to 10000"),
        (f'payment.multiple_ron = "{"x" * 5000}"', f"payment.multiple_ron is '{'x' * 75}...', expected one of "),
        (f"yaku.{'x' * 5000} = 1", f"no key 'yaku.{'x' * 70}...'; beside the keys of base a file has name"),
    ],
    ids=["lists", "tables", "key", "heading", "few", "decimal", "hex", "of a list", "unknown", "own", *"abc"],
)
def test_what_is_too_deep_or_too_large_for_a_ruleset_is_one_short_line(tmp_path, text, message):
    with pytest.raises(RulesetError) as error:
        ruleset(written_file(tmp_path, text))
    assert str(error.value).startswith(f"mine.toml: {message}")
    assert len(str(error.value)) < 200


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (f"payment.honba={'9' * 5000}", f"payment.honba is '{'9' * 75}...', expected a whole number from 0 to 10000"),
        (f"payment.honba={10**17}", f"payment.honba is {10**17}, expected 0 to 10000"),
        (f"game.uma={'9' * 5000},0,0,0", f"game.uma holds '{'9' * 75}...', expected a list of int"),
        (f"yaku.tanyao={'9' * 5000}", f"yaku.tanyao: '{'9' * 75}...' is no value of a yaku"),
    ],
    ids=["number", "large", "list", "yaku"],
)
def test_a_number_of_thousands_of_digits_on_a_command_line_is_one_short_line(text, message):
    with pytest.raises(RulesetError) as error:
        amended("base", set_=[text])
    assert str(error.value).startswith(f"base: {message}")


def test_a_number_of_thousands_of_digits_in_python_is_one_short_line():
    for key, told in (("payment.honba", "is a number of 16610 bits, expected 0 to"), ("yaku.tanyao", ": a number of")):
        with pytest.raises(RulesetError, match=f"^base: {key}:? ?{told.lstrip(': ')}"):
            base().amend({key: 10**5000})


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(RulesetError, match=r"^\S+none\.toml: cannot be read: No such file or directory$"):
        ruleset(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes('name = "é"'.encode("latin-1"))
    with pytest.raises(RulesetError, match=r"^\S+latin\.toml: cannot be read: byte \d+ is no UTF-8, as TOML is$"):
        ruleset(tmp_path / "latin.toml")


def test_a_file_of_ones_own_holds_differences_and_says_where_each_value_came_from(tmp_path):
    path = tmp_path / "mine.toml"
    path.write_text('name = "Mine"\nextends = "tenhou_3p"\nyaku.tanyao = { value = 2, open = false }\n', "utf-8")
    mine = ruleset(str(path))
    assert (mine.id, mine.name) == ("mine", "Mine")
    assert mine.yaku_value("tanyao").closed.han == 2
    assert mine["yaku.tanyao.open"] is False
    assert mine["payment.noten"] == 2000
    origins = {"yaku.tanyao": "mine", "payment.noten": "tenhou_3p", "payment.honba": "base"}
    assert {key: mine.origin[key] for key in origins} == origins


# Values


@pytest.mark.parametrize(
    ("text", "closed", "open_"),
    [
        ("2", (2, 0, 0, False, True), None),
        ("3/2", (3, 0, 0, False, True), (2, 0, 0, False, True)),
        ("1/off", (1, 0, 0, False, True), (0, 0, 0, False, False)),
        ("off/1", (0, 0, 0, False, False), (1, 0, 0, False, True)),
        ("-4", (-4, 0, 0, False, True), None),
        ("mangan", (0, 0, 2000, False, True), None),
        ("haneman+2", (2, 0, 3000, False, True), None),
        ("baiman/mangan", (0, 0, 4000, False, True), (0, 0, 2000, False, True)),
        ("sanbaiman", (0, 0, 6000, False, True), None),
        ("only mangan", (0, 0, 2000, True, True), None),
        ("only haneman/mangan", (0, 0, 3000, True, True), (0, 0, 2000, False, True)),
        ("yakuman", (0, 1, 0, False, True), None),
        ("yakuman*2/yakuman", (0, 2, 0, False, True), (0, 1, 0, False, True)),
        ("least yakuman", (0, 0, 8000, False, True), None),
        ("least yakuman+1/only yakuman", (1, 0, 8000, False, True), (0, 0, 8000, True, True)),
        ("off", (0, 0, 0, False, False), None),
    ],
)
def test_a_value_is_read_as_han_units_and_floor(text, closed, open_):
    value = parse_value(text)
    for worth, expected in ((value.closed, closed), (value.open, open_ or closed)):
        assert (worth.han, worth.units, worth.floor, worth.is_fixed, worth.is_on) == expected
    assert value.text == text
    assert parse_value(value.text) == value
    assert value.is_on == (closed[4] or (open_ or closed)[4])
    assert value.is_yakuman == bool(closed[1] or (open_ or closed)[1])


@pytest.mark.parametrize(
    ("as_in_a_book", "text"),
    [
        ("5_han", "5"),
        ("5_han/4_han", "5/4"),
        ("3_kuisagari", "3/2"),
        ("3_han_kuisagari", "3/2"),
        ("double_yakuman", "yakuman*2"),
        ("double yakuman/single yakuman", "yakuman*2/yakuman"),
        ("quadruple_yakuman", "yakuman*4"),
        ("yakuman*1", "yakuman"),
        ("2/2", "2"),
        (" 2 / off ", "2/off"),
        ("off/off", "off"),
        ("least mangan", "mangan"),
        ("mangan+0", "mangan"),
        ([3, None], "3/off"),
        ([None, 2], "off/2"),
        (["yakuman", "mangan"], "yakuman/mangan"),
        ((2, 2), "2"),
        (2, "2"),
        (parse_value("3/2"), "3/2"),
    ],
)
def test_a_value_written_as_rule_books_do_has_one_text(as_in_a_book, text):
    assert parse_value(as_in_a_book).text == text
    assert parse_value(parse_value(as_in_a_book).text) == parse_value(as_in_a_book)


def test_every_limit_can_be_a_floor_or_fixed_and_a_yakuman_is_a_floor_only_where_it_says_so():
    for limit, points in LIMIT_BASE.items():
        fixed = parse_value(f"only {limit}")
        assert (fixed.closed.floor, fixed.closed.is_fixed, fixed.closed.units) == (points, True, 0)
        least = parse_value(f"least {limit}")
        assert (least.closed.floor, least.closed.is_fixed, least.closed.units) == (points, False, 0)
    assert parse_value("yakuman").closed.floor == 0


@pytest.mark.parametrize(
    "text",
    [
        *("", "0", "3/", "/3", "3/2/1", "1.5", "+1", "100", "yakuman*0", "yakuman*10", "on", "yakuman+1"),
        *("only 3", "only mangan+1", "least", "most mangan", "1_kuisagari", "fivefold yakuman", "-", "mangan+10"),
        *([], [1], [1, 2, 3], [True, 1], [1.5, 2], {"closed": 1}, None, True, 2.0),
    ],
    ids=repr,
)
def test_what_is_no_value_of_a_yaku_is_refused(text):
    with pytest.raises(ValueError, match="is no value of a yaku; expected han"):
        parse_value(text)


# Base, the identities and the facts


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The data files of the package in a folder where a test may change them."""
    source = Path(str(files("analytics.scoring")))
    for name in ("rulesets/base.toml", *(f"yaku/{family}.toml" for family in FAMILIES)):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(source / name, tmp_path / name)
    monkeypatch.setattr(rulesets, "files", lambda _: tmp_path)
    return tmp_path


def load():
    """Keys and yaku read anew, past what is kept."""
    return rulesets._load.__wrapped__()


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (old, text.count(old))
    path.write_text(text.replace(old, new), "utf-8")


def test_the_files_as_they_are_match_up(package):
    found, yaku = load()
    assert list(found) == list(keys())
    assert list(yaku) == list(catalog())


BASE, RUNS, TRIPLETS = "rulesets/base.toml", "yaku/runs.toml", "yaku/triplets.toml"
CIRCUMSTANCE, SHAPES = "yaku/circumstance.toml", "yaku/shapes.toml"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (TRIPLETS, "[toitoi]", "[toitoy]", "yaku 'toitoy' has no fact of its name; nearest: 'toitoi'"),
        (
            TRIPLETS,
            "[toitoi]\n",
            '[iipeikou]\nromaji = "I"\nkanji = "一"\nenglish = "I"\nvalue = 1\n\n[toitoi]\n',
            "triplets.toml: 'iipeikou' stands in another family too",
        ),
        (TRIPLETS, 'replaces = ["choupaikou"]', 'replaces = ["choupaiko"]', "names 'choupaiko', which does not exist"),
        (RUNS, 'excludes = ["ryanpeikou"]', 'excludes = ["ryanpeiko"]', "does not exist; nearest: 'ryanpeikou'"),
        (RUNS, 'forbids = ["wind_pair"]', 'forbids = ["wind_pare"]', "names 'wind_pare', which does not exist"),
        (RUNS, 'fact = "loose_uushin_tsuukan"', 'fact = "lose_uushin_tsuukan"', "nearest: 'loose_uushin_tsuukan'"),
        (RUNS, "when.not_stack.replaced_by = [\"chinitsu\"]", 'when.not_stack.replaced_by = ["one"]', "names 'one'"),
        (RUNS, 'forbids = ["wind_pair"]', 'forbid = ["wind_pair"]', "has 'forbid'; nearest: 'forbids'"),
        (RUNS, "when.true.also = [\"equal_k", "when.treu.also = [\"equal_k", "an effect for 'treu'; nearest: 'true'"),
        (CIRCUMSTANCE, "when.3.fact", "when.5.fact", "red_count has an effect for '5'"),
        (CIRCUMSTANCE, "{ third_kan", "{ third_kann", "names 'third_kann', which does not exist"),
        (CIRCUMSTANCE, 'raoyue.with_rinshan" = "both"', 'raoyue.with_rinsha" = "both"', "which does not exist"),
        (CIRCUMSTANCE, 'romaji = "Riichi"', 'romanji = "Riichi"', "yaku.riichi has no 'romaji'"),
        (SHAPES, 'value = "3/off"', 'valu = "3/off"', "yaku.zenfukou has no 'value'"),
        (SHAPES, 'kanji = "全不靠"', 'kanji = "全不靠"\nshap = true', "yaku.zenfukou has 'shap'; nearest: 'shape'"),
        (BASE, 'values = ["first", "lost"]', 'values = ["lost"]', "is 'first', which is not among its values"),
        (BASE, "most = 10_000\n", "", "payment.honba is a number without 'values', or 'least' and 'most'"),
        (BASE, "least = -1000\n", "", "game.uma is a number without 'values', or 'least' and 'most'"),
        (BASE, '[game.bust]\nvalue = true\nstage = "ledger"', "[game.bust]\nvalue = true", "game.bust has no 'stage'"),
        (
            BASE,
            '[game.bust]\nvalue = true\nstage = "ledger"',
            '[game.bust]\nvalue = true\nstage = "ledgr"',
            "game.bust is of stage 'ledgr'; nearest: 'ledger'",
        ),
        (BASE, 'doc = "Red fives are dora."', 'docs = "Red fives are dora."', "dora.aka has no 'doc'"),
    ],
)
def test_loading_refuses_what_does_not_match_up(package, file, old, new, message):
    edit(package / file, old, new)
    with pytest.raises(RulesetError) as error:
        load()
    assert message in str(error.value)


def test_loading_refuses_a_yaku_without_a_fact(package):
    (package / TRIPLETS).open("a", encoding="utf-8").write(
        '\n[goren]\nromaji = "Goren"\nkanji = "五連"\nenglish = "Five in a row"\nvalue = "yakuman"\n'
    )
    with pytest.raises(RulesetError, match="yaku 'goren' has no fact of its name"):
        load()


def test_every_key_says_what_it_means_and_base_plays_a_value_it_allows():
    for name, key in keys().items():
        assert key.doc.endswith("."), name
        assert key.stage in STAGES, name
        played = base()[name].text if isinstance(base()[name], Value) else base()[name]
        assert check_value("base", name, played) == key.default


def test_every_yaku_has_its_three_names():
    for yaku in catalog().values():
        assert yaku.romaji
        assert yaku.kanji
        assert yaku.english
        assert not set(yaku.replaces) & {yaku.id}
        assert not set(yaku.excludes) & {yaku.id, *yaku.replaces}
        assert yaku.kind in ("hand", "draw")


def test_every_effect_says_what_its_field_can_hold():
    for key in keys().values():
        for value, effect in key.effects.items():
            assert effect.worth_as in (None, "han", "floor"), key.name
            assert key.name.rpartition(".")[0].removeprefix("yaku.") in catalog(), key.name
            # The worth at the default is the yaku's own.
            assert effect.value is None or value != written(key.default), key.name


def test_base_plays_the_standard_yaku_at_their_own_value_and_no_other():
    for id_, yaku in catalog().items():
        played = base().yaku_value(id_)
        assert played == yaku.value if yaku.is_standard else not played.is_on, id_
    assert sum(yaku.is_standard for yaku in catalog().values()) == 46
    assert {id_ for id_, yaku in catalog().items() if yaku.is_standard and not yaku.value.is_on} == set()
    assert {id_ for id_, yaku in catalog().items() if not yaku.value.is_on} == {"tanron"}


WORDS = ("needs", "forbids", "value", "closed", "open", "replaces", "romaji", "words")


def random_toml(rng, depth=0):
    """Some value as TOML writes it."""
    plain = ["true", "-1", "0", "2", "4", "3000", "1.5", "nan", "2024-01-01", "07:32:00", '""', '"off"', '"3/2"', '"x"']
    plain += [f'"{word}"' for word in ("mangan", "only mangan+1", "yakuman*2", "all", "base", "tanyao", "dora.aka")]
    kind = rng.randrange(8)
    if kind == 0 and depth < 2:
        return f"[{', '.join(random_toml(rng, depth + 1) for _ in range(rng.randrange(4)))}]"
    if kind == 1 and depth < 2:
        fields = ", ".join(f"{word} = {random_toml(rng, depth + 1)}" for word in rng.sample(WORDS, rng.randrange(4)))
        return "{ " + fields + " }"
    if kind == 2:
        return "[" + ", ".join(f'"{name}"' for name in rng.sample(facts.names(), rng.randrange(4))) + "]"
    if kind == 3:
        return "[" + ", ".join(f'"{key}"' for key in rng.sample([*keys()], rng.randrange(3))) + "]"
    return rng.choice(plain)


def possible_toml(key):
    """A value that the key can have, as TOML writes it."""
    value = other_value(key) if has_other_value(key) else keys()[key].default
    return f'"{value}"' if isinstance(value, str) else written(tuple(value) if isinstance(value, list) else value)


def test_whatever_a_file_holds_it_is_a_ruleset_or_one_line():
    rng, messages, n_read = random.Random(4), [], 0
    heads = ("name", "extends", "source", "about", "unknown", "yaku", "dora", "x", "yaku.mine", "yaku.tanyao.x")
    for _ in range(400):
        lines = [f"{key} = {possible_toml(key)}" for key in rng.sample([*keys()], 2)]
        if rng.random() < 0.8:
            place = rng.choice([*keys(), *heads, *(f"yaku.mine.{word}" for word in WORDS)])
            lines.append(f"{place} = {random_toml(rng)}")
        try:
            rules = rulesets._read("mine", "\n".join(lines))
        except RulesetError as error:
            messages.append(str(error))
            continue
        n_read += 1
        assert len(rules.hash) == 12
        assert pickle.loads(pickle.dumps(rules)) == rules
    assert {message.startswith("mine.toml: ") and "\n" not in message for message in messages} == {True}
    assert min(len(messages), n_read) > 80, n_read


# A yaku of one's own


def written_file(folder, text, name="mine.toml"):
    path = folder / name
    path.write_text(text, "utf-8")
    return path


HALF_MOON = """
[yaku.half_moon]
needs = ["tanyao"]
forbids = ["tsumo"]
closed = 3
open = 1
replaces = ["tanyao"]
kanji = "半月"
english = "Half moon"
"""
TANYAO = ("234m567p34678s88p", "5s")  # pinfu too
OPEN_TANYAO = ("567p34678s88p (234m)", "5s")


def counted(rules, hand, win, by="ron", **more):
    """Yaku and han of the best reading, by id."""
    [found] = explain(hand, win, by, rules, seat="S", **more)
    return {yaku.id: yaku.worth for yaku in found.best.yaku if yaku.counts} if found.best else {}


def test_a_yaku_of_ones_own_scores_with_its_value_for_closed_and_open_hands(tmp_path):
    mine = ruleset(written_file(tmp_path, HALF_MOON))
    assert counted(mine, *TANYAO) == {"pinfu": "1", "half_moon": "3"}
    assert counted(mine, *OPEN_TANYAO) == {"half_moon": "1"}
    assert counted(mine, *TANYAO, by="tsumo") == {"tanyao": "1", "pinfu": "1", "menzen_tsumo": "1"}
    assert counted(base(), *TANYAO) == {"tanyao": "1", "pinfu": "1"}


def test_a_yaku_of_ones_own_is_a_key_of_its_ruleset_with_an_origin(tmp_path):
    mine = ruleset(written_file(tmp_path, 'extends = "tenhou_3p"\n' + HALF_MOON))
    assert (mine["yaku.half_moon"].text, mine.origin["yaku.half_moon"]) == ("3/1", "mine")
    assert mine["payment.noten"] == 2000
    assert list(mine.yaku())[-1] == "half_moon"
    assert "half_moon" not in catalog()
    assert "yaku.half_moon" not in keys()
    assert (mine.yaku()["half_moon"].romaji, mine.yaku()["half_moon"].english) == ("Half moon", "Half moon")
    with pytest.raises(RulesetError, match=r"^base: no key 'yaku.half_moon'"):
        base().amend({"yaku.half_moon": 1})


def test_a_yaku_of_ones_own_is_amended_adopted_and_dropped_like_any_other(tmp_path):
    path = written_file(tmp_path, HALF_MOON)
    assert counted(ruleset(path).amend({"yaku.half_moon": "5/off"}), *TANYAO)["half_moon"] == "5"
    assert "half_moon" not in counted(amended(path, drop=["half_moon"]), *TANYAO)
    assert counted(amended(path, ["half_moon=yakuman"]), *TANYAO) == {"half_moon": "yakuman"}
    dropped = amended(path, drop=["half_moon"])
    assert dropped.id == "mine + half_moon=off"
    again = amended(dropped, ["half_moon"])
    assert (again["yaku.half_moon"], again.origin["yaku.half_moon"]) == (ruleset(path)["yaku.half_moon"], "adopted")
    with pytest.raises(RulesetError, match="nearest: 'half_moon'"):
        amended(path, ["half_mon"])


def test_yaku_of_ones_own_can_replace_each_other(tmp_path):
    more = """
    [yaku.full_moon]
    needs = ["tanyao", "pinfu"]
    value = "mangan"
    replaces = ["half_moon", "pinfu"]
    """
    mine = ruleset(written_file(tmp_path, HALF_MOON + more))
    assert counted(mine, *TANYAO) == {"full_moon": "mangan"}
    assert counted(mine, *OPEN_TANYAO) == {"half_moon": "1"}
    assert counted(mine.amend({"yaku.full_moon": "6"}), *TANYAO) == {"full_moon": "6"}
    assert counted(mine.amend({"yaku.full_moon": "off"}), *TANYAO) == {"pinfu": "1", "half_moon": "3"}


def own_yaku(**replaced):
    """Yaku that hold in the same hands, and what each replaces."""
    row = '[yaku.{}]\nneeds = ["toitoi"]\nvalue = {}\nreplaces = {}\n'
    return "".join(row.format(id_, han, others) for han, (id_, others) in enumerate(replaced.items(), start=2))


TOITOI = ("222p333s44m11z (555s)", "4m")


@pytest.mark.parametrize(
    ("replaced", "message"),
    [
        ({"foo": ["bar"], "bar": ["foo"]}, "yaku.foo.replaces: foo replaces bar, bar replaces foo; with all of "),
        (
            {"d": ["a"], "a": ["b", "toitoi"], "c": ["d"], "b": ["sanankou", "c"], "e": ["a"]},
            "yaku.d.replaces: d replaces a, a replaces b, b replaces c, c replaces d; with all of them none would",
        ),
    ],
)
def test_yaku_that_replace_each_other_in_a_circle_are_refused(tmp_path, replaced, message):
    with pytest.raises(RulesetError) as error:
        ruleset(written_file(tmp_path, own_yaku(**replaced)))
    assert str(error.value).startswith(f"mine.toml: {message}")
    assert "\n" not in str(error.value)


def test_yaku_that_replace_each_other_without_a_circle_leave_the_highest(tmp_path):
    chain = {"c": [], "b": ["c", "toitoi"], "a": ["b", "c"]}
    assert counted(ruleset(written_file(tmp_path, own_yaku(**chain))), *TOITOI) == {"a": "4"}
    assert counted(base(), *TOITOI) == {"toitoi": "2"}


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (
            *(TRIPLETS, 'replaces = ["choupaikou"]', 'replaces = ["choupaikou", "suuchoupaikou"]'),
            "yaku.suuchoupaikou.replaces: suuchoupaikou replaces suuchoupaikou",
        ),
        (
            *(RUNS, '[iipeikou]\n', '[iipeikou]\nreplaces = ["ryanpeikou"]\n'),
            "yaku.iipeikou.replaces: iipeikou replaces ryanpeikou, ryanpeikou replaces iipeikou",
        ),
        (
            *(RUNS, 'when.not_stack.replaced_by = ["honitsu", "chinitsu"]'),
            'when.not_stack.replaced_by = ["honitsu", "ittsuu"]',
            "yaku.ittsuu.replaces: ittsuu replaces ittsuu_chanta, ittsuu_chanta replaces ittsuu",
        ),
    ],
    ids=["itself", "two", "by an option"],
)
def test_loading_refuses_a_circle_whatever_options_it_takes(package, file, old, new, message):
    edit(package / file, old, new)
    with pytest.raises(RulesetError) as error:
        load()
    assert str(error.value).startswith(message)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('needs = ["tanyo"]\nvalue = 1', "mine.toml: yaku.mine: no fact 'tanyo'; nearest: 'tanyao'"),
        ('forbids = ["kann"]\nvalue = 1', "mine.toml: yaku.mine: no fact 'kann'; nearest: "),
        ('needs = ["tanyao"]', "mine.toml: yaku.mine: has no value; give value, or closed and open"),
        ('needs = ["tanyao"]\nvalue = 1\nclosed = 2', "mine.toml: yaku.mine: has both value and closed or open; give"),
        ('needs = ["tanyao"]\nvalue = "many"', "mine.toml: yaku.mine: 'many' is no value of a yaku; expected han"),
        ('needs = ["tanyao"]\nclosed = true', "mine.toml: yaku.mine: 'True' is no value of a yaku"),
        ('needs = ["tanyao"]\nvalue = 1\nreplace = 1', "mine.toml: yaku.mine: no field 'replace'; nearest: 'replace"),
        ('need = ["tanyao"]\nvalue = 1', "mine.toml: yaku.mine: no field 'need'; nearest: 'needs'"),
        ('forbid = ["tsumo"]\nvalue = 1', "mine.toml: yaku.mine: no field 'forbid'; nearest: 'forbids'"),
        ('needs = "tanyao"\nvalue = 1', "mine.toml: yaku.mine: needs is 'tanyao', expected a list of names"),
        ("needs = [1]\nvalue = 1", "mine.toml: yaku.mine: needs is [1], expected a list of names"),
        ('needs = []\nvalue = 1\nreplaces = ["riich"]', "mine.toml: yaku.mine: no yaku 'riich'; nearest: 'riichi'"),
        ('needs = ["tanyao"]\nvalue = 1\nreplaces = ["mine"]', "mine.toml: yaku.mine: no yaku 'mine'"),
        ('needs = ["tanyao"]\nvalue = 1\nenglish = 3', "mine.toml: yaku.mine: english is 3, expected text"),
        ("value = 1", "mine.toml: no key 'yaku.mine'; nearest: "),
    ],
)
def test_a_yaku_of_ones_own_that_cannot_be_is_named(tmp_path, text, message):
    with pytest.raises(RulesetError) as error:
        ruleset(written_file(tmp_path, f"[yaku.mine]\n{text}\n"))
    assert str(error.value).startswith(message)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("id_", ["Mine", "my-yaku", "七夕", "2nd", "a.b", "my yaku", ""])
def test_the_id_of_a_yaku_of_ones_own_has_plain_letters(tmp_path, id_):
    with pytest.raises(RulesetError, match="small letters, digits and underscores"):
        ruleset(written_file(tmp_path, f'[yaku."{id_}"]\nneeds = ["tanyao"]\nvalue = 1\n'))


def test_a_table_of_a_known_yaku_sets_keys_and_does_not_describe_one(tmp_path):
    with pytest.raises(RulesetError, match=r"^mine\.toml: no key 'yaku\.tanyao\.needs'"):
        ruleset(written_file(tmp_path, '[yaku.tanyao]\nneeds = ["pinfu"]\n'))


@pytest.fixture
def registry():
    """What facts are registered in a test is forgotten after it."""
    before = dict(facts.HAND_FACTS), dict(facts.READING_FACTS)
    yield
    for registered, kept in zip((facts.HAND_FACTS, facts.READING_FACTS), before, strict=True):
        for name in set(registered) - set(kept):
            del registered[name]
    for known in (facts._places, facts._by_family):
        known.cache_clear()


def test_a_fact_of_ones_own_can_be_registered_late_and_needed(tmp_path, registry):
    text = '[yaku.mine]\nneeds = ["nine_of_pin_wins", "single_wait"]\nvalue = 4\n'
    with pytest.raises(RulesetError, match="no fact 'nine_of_pin_wins'"):
        ruleset(written_file(tmp_path, text))
    assert counted(base(), "123m456s234p77s99p", "9p") == {}  # facts were looked for before

    @hand_fact
    def nine_of_pin_wins(h):
        """Won on the nine of pin."""
        return h.win_kind == 17

    @reading_fact(among=lambda r: r.pair != 0)
    def single_wait(r):
        """The winning tile is one of the pair."""
        return r.wait == 0

    mine = ruleset(written_file(tmp_path, text))
    assert counted(mine, "123m456s234p777s9p", "9p") == {"mine": "4"}
    assert counted(mine, "123m456s234p77s99p", "9p") == {}
    assert counted(mine, "123m456s234p777s1p", "1p") == {}
    assert facts.sentence("nine_of_pin_wins") == "Won on the nine of pin."
    assert counted(base(), *TANYAO) == {"tanyao": "1", "pinfu": "1"}  # the other facts are where they were looked for


def test_a_fact_registered_after_the_facts_of_hands_were_found_is_asked_of_them_in_vain(tmp_path, registry):
    found = facts_of(hands_of([read_case({"hand": "123m456s234p77s99p", "win": "9p", "by": "ron"})]))

    @hand_fact
    def late_nine_of_pin(h):
        """Won on the nine of pin."""
        return h.win_kind == 17

    mine = ruleset(written_file(tmp_path, '[yaku.mine]\nneeds = ["late_nine_of_pin"]\nvalue = 4\n'))
    with pytest.raises(LookupError, match="fact 'late_nine_of_pin' was registered after the facts of these hands"):
        score(found, [mine])
    assert score(found.hands, [mine])[0].han.tolist() == [4]


def test_a_fact_is_registered_once_and_with_a_sentence(registry):
    with pytest.raises(ValueError, match="'tanyao' is registered twice"):

        @hand_fact
        def tanyao(h):
            """All simples."""

    with pytest.raises(ValueError, match="'silent' needs a sentence"):

        @reading_fact
        def silent(r):
            return r.wait == 0


# Incomplete rulesets

GAPS = 'unknown = ["dora.aka", "yaku.tanyao.open", "payment.honba"]\npayment.honba = 500\n'


def test_an_incomplete_ruleset_refuses_to_score_with_a_line_that_names_the_keys(tmp_path):
    mine = ruleset(written_file(tmp_path, GAPS))
    assert mine.unknown == ("dora.aka", "yaku.tanyao.open")  # what the file states is known
    line = (
        "mine: incomplete, no source tells dora.aka, yaku.tanyao.open; to take base's values for them say --assume base"
    )
    with pytest.raises(RulesetError) as error:
        explain(*TANYAO, "ron", mine)
    assert str(error.value) == line
    with pytest.raises(RulesetError, match="incomplete"):
        mine.check_complete()


def test_an_incomplete_ruleset_scores_with_the_values_of_base_where_the_user_says_so(tmp_path):
    path = written_file(tmp_path, GAPS)
    assumed = ruleset(path).assume_base()
    assert counted(assumed, *OPEN_TANYAO) == {"tanyao": "1"}
    assert (assumed.unknown, assumed.assumed) == ((), ("dora.aka", "yaku.tanyao.open"))
    assert {assumed.origin[key] for key in assumed.assumed} == {"assumed from base"}
    assert assumed.origin["payment.honba"] == "mine"
    assert amended(path, assume="base").assumed == assumed.assumed
    assert base().assume_base() is base()
    with pytest.raises(RulesetError, match="nothing but base can be assumed, not 'tenhou'"):
        amended(path, assume="tenhou")


def test_a_key_the_user_gives_is_neither_unknown_nor_assumed(tmp_path):
    path = written_file(tmp_path, GAPS)
    given = amended(path, set_=["dora.aka=true"])  # base's value, but given
    assert given.unknown == ("yaku.tanyao.open",)
    assert given.origin["dora.aka"] == "amended"
    both = amended(path, set_=["dora.aka=true"], assume="base")
    assert both.assumed == ("yaku.tanyao.open",)
    after = ruleset(path).assume_base().amend({"dora.aka": True})
    assert (after.assumed, after.origin["dora.aka"]) == (("yaku.tanyao.open",), "amended")
    assert amended(path, ["tanyao"], set_=["dora.aka=on", "yaku.tanyao.open=on"]).unknown == ()


def test_a_ruleset_that_extends_an_incomplete_one_knows_what_it_states_itself(tmp_path):
    wrc = ruleset("wrc_2025")
    of_games = ("payment.noten", "game.bust", "game.left_sticks")
    assert wrc.unknown == ("limits.counted_yakuman", "payment.liable_for", *of_games)
    assert (wrc.missing(), wrc.missing(games=True)) == (wrc.unknown[:2], wrc.unknown)
    mine = ruleset(written_file(tmp_path, 'extends = "wrc_2025"\nlimits.counted_yakuman = "sanbaiman"\n'))
    assert mine.unknown == ("payment.liable_for", *of_games)
    assert ruleset(written_file(tmp_path, 'extends = "wrc_2025"\npayment.liable_for = "hand"\n')).unknown == (
        "limits.counted_yakuman",
        *of_games,
    )


def test_a_key_said_to_be_unknown_is_assumed_from_base_whatever_the_ruleset_says_that_is_extended(tmp_path):
    mine = ruleset(written_file(tmp_path, 'extends = "tenhou_3p"\nunknown = ["payment.noten"]\n'))
    assert (mine.unknown, mine.assume_base()["payment.noten"]) == (("payment.noten",), base()["payment.noten"])
    assert mine["game.start_points"] == 35000


def test_a_key_that_was_assumed_is_set_by_another_as_in_base():
    """Where base's values are taken, what depends on them is as in base."""
    assumed = amended("seed_004", ["shoutate"], assume="base")
    assert "yaku.sanshoku_doukou" in assumed.assumed
    assert assumed["yaku.sanshoku_doukou"] == amended("base", ["shoutate"])["yaku.sanshoku_doukou"] == parse_value("3")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('unknown = ["dora.akka"]', "mine.toml: unknown names 'dora.akka', which is no key; nearest: 'dora.aka'"),
        ("unknown = [1]", "mine.toml: unknown names 1, which is no key"),
        ('unknown = [["dora.aka"]]', "mine.toml: unknown names ['dora.aka'], which is no key"),
        ('unknown = "dora.aka"', "mine.toml: unknown is 'dora.aka', expected a list of keys"),
    ],
)
def test_what_is_said_to_be_unknown_must_be_keys(tmp_path, text, message):
    with pytest.raises(RulesetError) as error:
        ruleset(written_file(tmp_path, text))
    assert str(error.value).startswith(message)


# Equality, hashes, other processes

VARIOUS = [
    base(),
    ruleset("seed_local"),
    ruleset("wrc_2025"),
    ruleset("wrc_2025").assume_base(),
    base().amend({"game.uma": [30, 10, -10, -30], "yaku.shoutate": "2"}),
]


def test_a_ruleset_goes_to_other_processes_and_comes_back_the_same(tmp_path):
    mine = ruleset(written_file(tmp_path, HALF_MOON))
    for rules in [*VARIOUS, mine]:
        there = pickle.loads(pickle.dumps(rules))
        assert there == rules
        assert hash(there) == hash(rules)
        assert (there.id, there.name, there.hash) == (rules.id, rules.name, rules.hash)
        assert dict(there.values) == dict(rules.values)
        assert dict(there.origin) == dict(rules.origin)
        assert (there.unknown, there.assumed, there.own) == (rules.unknown, rules.assumed, rules.own)
        with pytest.raises(TypeError):
            there.stated["dora.aka"] = False
    assert counted(pickle.loads(pickle.dumps(mine)), *TANYAO) == counted(mine, *TANYAO)


def test_rulesets_can_be_told_apart_in_a_set(tmp_path):
    mine = ruleset(written_file(tmp_path, HALF_MOON))
    assert len({*VARIOUS, mine, mine, ruleset("base")}) == len(VARIOUS) + 1


def test_the_hash_differs_with_what_is_unknown_and_with_yaku_of_ones_own(tmp_path):
    incomplete = ruleset(written_file(tmp_path, GAPS))
    hashes = {base().hash, incomplete.hash, incomplete.assume_base().hash}
    for text in (
        HALF_MOON,
        HALF_MOON.replace("closed = 3", "closed = 4"),
        HALF_MOON.replace('forbids = ["tsumo"]', ""),
        HALF_MOON.replace('replaces = ["tanyao"]', ""),
    ):
        hashes.add(ruleset(written_file(tmp_path, text)).hash)
    assert len(hashes) == 7
    assert all(len(one) == 12 and int(one, 16) >= 0 for one in hashes)
    assert len({ruleset(id_).hash for id_ in shipped()}) > len(shipped()) - 6  # rooms with chips differ in nothing else


def test_the_hash_is_the_same_in_every_run():
    code = "from analytics.scoring.ruleset import ruleset; print(ruleset('seed_local').hash)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == ruleset("seed_local").hash


# As a command line writes it


def test_adopt_drop_and_set_are_applied_in_this_order():
    rules = amended("base", ["toitoi=3", "tanyao"], ["tanyao"], ["yaku.toitoi=4", "game.uma=30,10,-10,-30"])
    assert rules.yaku_value("toitoi").closed.han == 4
    assert not rules.yaku_value("tanyao").is_on
    assert rules["game.uma"] == (30, 10, -10, -30)


def test_a_yaku_is_adopted_at_the_catalogs_value_or_at_the_one_given():
    rules = amended("base", ["sanrenkou", "open_riichi=3", "tanron=6"])
    assert [rules.yaku_value(id_).text for id_ in ("sanrenkou", "open_riichi", "tanron")] == ["2", "3", "6"]
    assert {rules.origin[f"yaku.{id_}"] for id_ in ("sanrenkou", "open_riichi", "tanron")} == {"adopted"}
    assert rules.id == "base + sanrenkou=2, open_riichi=3, tanron=6"
    for id_, yaku in catalog().items():
        if yaku.value.is_on:
            assert amended("base", [id_]).yaku_value(id_) == yaku.value


def test_what_was_adopted_and_then_dropped_or_set_is_no_longer_adopted():
    adopted = ("sanrenkou", "shoutate", "toitoi")
    rules = amended("base", adopted, ["sanrenkou"], ["yaku.shoutate=1", "yaku.toitoi.value=3"])
    assert not rules.yaku_value("sanrenkou").is_on
    assert [rules.origin[f"yaku.{id_}"] for id_ in adopted] == ["base", "amended", "amended"]
    assert amended("seed_local", ["sanrenkou"], ["sanrenkou"]).origin["yaku.sanrenkou"] == "amended"


def test_no_change_is_the_same_ruleset():
    assert amended("base") is base()
    assert amended("tenhou_3p", set_=["payment.noten=2000"]) is ruleset("tenhou_3p")
    assert amended("base", assume="base") is base()


def test_a_stated_worth_holds_against_a_yaku_that_would_raise_it():
    assert amended("base", ["shoutate"]).yaku_value("sanshoku_doukou").text == "3"
    stated = amended("base", ["shoutate"], set_=["yaku.sanshoku_doukou=2"])
    assert stated.yaku_value("sanshoku_doukou").text == "2"
    assert amended("base", ["shoutate", "sanshoku_doukou"]).yaku_value("sanshoku_doukou").text == "2"


def worth(rules, id_="kinkei_dokuritsu"):
    return rules.yaku_value(id_).text, rules.origin[f"yaku.{id_}"]


def test_an_option_gives_a_yaku_its_worth_where_none_is_stated_with_it_or_later(tmp_path):
    scoring = "yaku.kinkei_dokuritsu.scoring"
    assert worth(amended("base", ["kinkei_dokuritsu"])) == ("mangan+1", "adopted")
    assert worth(amended("base", ["kinkei_dokuritsu"], set_=[f"{scoring}=yakuman"])) == ("yakuman", scoring)
    assert worth(amended("base", ["kinkei_dokuritsu=3"], set_=[f"{scoring}=yakuman"])) == ("3", "adopted")
    stated = ["yaku.kinkei_dokuritsu=3", f"{scoring}=yakuman"]
    assert worth(amended("base", set_=stated)) == worth(amended("base", set_=stated[::-1])) == ("3", "amended")
    # What is stated before an option gives way to it, and the default option gives the catalog's value again.
    option = amended("seed_local", set_=[f"{scoring}=yakuman"])
    assert (worth(option), option.id) == (("yakuman", scoring), f"seed_local + {scoring[5:]}=yakuman")
    assert worth(option.amend({scoring: "max_of_both"})) == ("mangan+1", scoring)
    assert worth(option.amend({"yaku.kinkei_dokuritsu": "3"})) == ("3", "amended")
    assert worth(option.amend({"yaku.kinkei_dokuritsu": "mangan+1", scoring: "four_han_total"}))[0] == "mangan+1"
    # An option of a yaku that is off plays nothing, and gives the worth once it is adopted.
    unplayed = amended("base", set_=[f"{scoring}=yakuman"])
    assert worth(unplayed) == ("off", "base")
    assert worth(amended(unplayed, ["kinkei_dokuritsu"])) == ("yakuman", scoring)
    # So it is in files, one on top of the other.
    (tmp_path / "one.toml").write_text(f'extends = "seed_local"\n{scoring} = "yakuman"\n', "utf-8")
    assert worth(ruleset(tmp_path / "one.toml")) == ("yakuman", scoring)
    (tmp_path / "two.toml").write_text(f'yaku.kinkei_dokuritsu.value = 3\n{scoring} = "yakuman"\n', "utf-8")
    assert worth(ruleset(tmp_path / "two.toml")) == ("3", "two")


def test_every_option_that_gives_a_worth_gives_way_to_a_stated_one():
    for key in keys().values():
        for value, effect in key.effects.items():
            if effect.value is not None:
                id_ = key.name.split(".")[1]
                given = amended("base", [id_], set_=[f"{key.name}={value}"])
                assert worth(given, id_) == (effect.value.text, key.name)
                stated = amended("base", [f"{id_}=7"], set_=[f"{key.name}={value}"])
                assert worth(stated, id_) == ("7", "adopted")


def test_what_an_option_adds_or_doubles_follows_the_worth_that_is_stated():
    shown = {
        ("shikiichi=3", "yaku.shikiichi.per_occurrence=true"): ["3", "6", "9"],
        ("renkaihou=5", "yaku.renkaihou.extra_per_kan=1"): ["5", "6", "7"],
        ("kokuiisou=2", "yaku.kokuiisou.chiitoi_double=true"): ["2", "4", "4"],
        ("kokuiisou", "yaku.kokuiisou.chiitoi_double=true"): ["yakuman", "yakuman*2", "yakuman*2"],
        ("kokuiisou=sanbaiman", "yaku.kokuiisou.chiitoi_double=true"): ["sanbaiman"] * 3,
    }
    for (adopted, option), worths in shown.items():
        rules = amended("base", [adopted], set_=[option])
        one = catalog()[adopted.partition("=")[0]]
        lines = lines_of(one, effect_of(one, rules), rules)
        assert [Value(line.closed, line.open).text for line in lines] == worths


def test_what_riichi_brings_is_dropped_with_it_unless_it_is_stated():
    brought = catalog()["riichi"].brings
    rules = amended("seed_local", drop=["riichi"])
    assert all(rules[key] in (False, parse_value("off")) for key in brought)
    assert not {"yaku.ippatsu", "yaku.double_riichi", "dora.ura"} - set(brought)
    assert rules["dora.indicator"]
    assert rules.yaku_value("tanyao").is_on
    kept = amended("base", ["ippatsu"], ["riichi"], ["dora.ura=true"])
    assert kept.yaku_value("ippatsu").text == "1/off"
    assert (kept["dora.ura"], kept["dora.kan_ura"]) == (True, False)
    assert not amended("base", ["ippatsu"], ["riichi", "ippatsu"]).yaku_value("ippatsu").is_on
    # Elsewhere a value is only itself.
    assert amended("base", set_=["yaku.riichi=off"]).yaku_value("ippatsu").is_on
    assert amended("base", ["riichi=off"]).yaku_value("ippatsu").is_on


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"adopt": ["toitoy"]}, "base: no yaku 'toitoy'; nearest: 'toitoi'"),
        ({"adopt": ["toitoi=many"]}, "base: yaku.toitoi: 'many' is no value of a yaku"),
        ({"drop": ["toitoy"]}, "base: no yaku 'toitoy'; nearest: 'toitoi'"),
        ({"set_": ["dora.aka"]}, "base: 'dora.aka' sets nothing; expected KEY=VALUE"),
        ({"set_": ["dora.akka=off"]}, "base: no key 'dora.akka'; nearest: 'dora.aka'"),
        ({"set_": ["payment.liable=toitoi"]}, "base: payment.liable holds 'toitoi', expected some of"),
        ({"set_": ["round.kuikae=true"]}, "base: round.kuikae is a play key: it changes what players may do, which"),
        ({"set_": ["dora.kan_timing=all_after"]}, "base: dora.kan_timing is a play key: "),
        ({"adopt": ["tanron"]}, "base: tanron has no agreed value; give one, as in tanron=2"),
        ({"adopt": ["daisharin=only"]}, "base: yaku.daisharin: 'only' is no value of a yaku"),
        ({"assume": "nothing"}, "nothing but base can be assumed, not 'nothing'"),
    ],
)
def test_a_change_that_cannot_be_is_named(changes, message):
    with pytest.raises(RulesetError) as error:
        amended("base", **changes)
    assert str(error.value).startswith(message)


@pytest.mark.parametrize("kind", ["adopt", "drop"])
@pytest.mark.parametrize(
    ("named", "told"),
    [
        ("tanyao.open", "'tanyao.open' is no yaku but an option of one; say --set yaku.tanyao.open=false|true"),
        ("yaku.tanyao.open", "'tanyao.open' is no yaku but an option of one; say --set yaku.tanyao.open=false|true"),
        ("toitoi.open", "toitoi has no option 'open'; it has none"),
        ("tanyao.opne", "tanyao has no option 'opne'; nearest: 'open'"),
        ("pinfu.xyz", "pinfu has no option 'xyz'; known: tsumo_pinfu, pair_guest_wind_ok, unseparated_drawn_tile"),
        ("yaku.tanyao", "no yaku 'yaku.tanyao'; nearest: 'tanyao'"),
    ],
)
def test_an_option_named_as_a_yaku_is_pointed_to_as_what_it_is(kind, named, told):
    with pytest.raises(RulesetError) as error:
        amended("base", **{kind: [named]})
    assert str(error.value) == f"base: {told}"
