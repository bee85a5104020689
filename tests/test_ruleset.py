"""Rulesets as data: what is refused and how it is said, what amending does, when hashes differ."""

import json
import shutil
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from hand_cases import other_value

from analytics.scoring import ruleset as rulesets
from analytics.scoring.ruleset import STAGES, RulesetError, amended, base, catalog, check_value, keys, ruleset, shipped
from analytics.scoring.values import Value, parse_value

# Amending


@pytest.mark.parametrize("key", keys())
def test_another_value_of_any_key_gives_another_ruleset_and_leaves_the_first(key):
    before, hash_before = dict(base().values), base().hash
    changed = base().amend({key: other_value(key)})
    assert changed[key] != base()[key]
    assert changed.hash != hash_before
    assert changed.origin[key] == "amended"
    assert {k for k in keys() if changed[k] != base()[k]} == {key}
    assert {k for k in keys() if changed.origin[k] != "base"} == {key}
    assert dict(base().values) == before
    assert base().hash == hash_before


@pytest.mark.parametrize("key", keys())
def test_the_hash_is_that_of_the_values_and_of_nothing_else(key):
    there = base().amend({key: other_value(key)})
    back = there.amend({key: base()[key].text if isinstance(base()[key], Value) else base()[key]})
    assert back.id != base().id
    assert back.hash == base().hash


def test_one_value_has_one_hash_however_it_is_written():
    for key, value, same in [
        ("yaku.tanyao", 1, "1"),
        ("yaku.tanyao", "1", "1/1"),
        ("yaku.chiitoitsu", "2/off", " 2/off "),
        ("yaku.daisangen", "yakuman", "yakuman*1"),
        ("yaku.daisangen", "off", "off/off"),
        ("yaku.nagashi_mangan", "mangan", "mangan+0"),
        ("dora.aka", False, "off"),
        ("payment.honba", 200, "200"),
    ]:
        assert base().amend({key: value}).hash == base().amend({key: same}).hash, (key, value, same)


def test_the_id_of_an_amended_ruleset_says_what_changed():
    once = ruleset("tenhou_4p_aka").amend({"yaku.tanyao.open": False})
    twice = once.amend({"yaku.kokushi_juusanmen": "yakuman*2"})
    assert once.id == "tenhou_4p_aka + tanyao.open=false"
    assert twice.id == "tenhou_4p_aka + tanyao.open=false, kokushi_juusanmen=yakuman*2"
    assert "kokushi_juusanmen=yakuman*2" in twice.name


def test_amending_to_the_same_values_is_the_same_ruleset():
    assert base().amend({"yaku.tanyao": 1, "dora.aka": True}) is base()
    assert base().amend({}) is base()


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
        ("payment.honba", True, "base: payment.honba is True, expected a whole number"),
        ("payment.honba", 1.5, "base: payment.honba is 1.5, expected a whole number"),
        ("payment.honba", "many", "base: payment.honba is 'many', expected a whole number"),
        ("payment.honba", -100, "base: payment.honba is -100, expected 0 or more"),
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
    ],
)
def test_an_error_in_a_file_names_the_file(tmp_path, text, message):
    path = tmp_path / "mine.toml"
    path.write_text(text, "utf-8")
    with pytest.raises(RulesetError) as error:
        ruleset(path)
    assert str(error.value).startswith(message)


def test_a_file_that_cannot_be_read_is_named(tmp_path):
    with pytest.raises(RulesetError, match=r"none\.toml: cannot be read"):
        ruleset(tmp_path / "none.toml")
    (tmp_path / "latin.toml").write_bytes('name = "é"'.encode("latin-1"))
    with pytest.raises(RulesetError, match=r"latin\.toml: cannot be read"):
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
        ("2", (2, 0, 0, True), (2, 0, 0, True)),
        ("3/2", (3, 0, 0, True), (2, 0, 0, True)),
        ("1/off", (1, 0, 0, True), (0, 0, 0, False)),
        ("off/1", (0, 0, 0, False), (1, 0, 0, True)),
        ("-4", (-4, 0, 0, True), (-4, 0, 0, True)),
        ("mangan", (0, 0, 2000, True), (0, 0, 2000, True)),
        ("haneman+2", (2, 0, 3000, True), (2, 0, 3000, True)),
        ("baiman/mangan", (0, 0, 4000, True), (0, 0, 2000, True)),
        ("sanbaiman", (0, 0, 6000, True), (0, 0, 6000, True)),
        ("yakuman", (0, 1, 0, True), (0, 1, 0, True)),
        ("yakuman*2/yakuman", (0, 2, 0, True), (0, 1, 0, True)),
        ("off", (0, 0, 0, False), (0, 0, 0, False)),
    ],
)
def test_a_value_is_read_as_han_units_and_floor(text, closed, open_):
    value = parse_value(text)
    for worth, expected in ((value.closed, closed), (value.open, open_)):
        assert (worth.han, worth.units, worth.floor, worth.is_on) == expected
    assert value.text == text
    assert parse_value(value.text) == value


@pytest.mark.parametrize("text", ["", "0", "3/", "/3", "3/2/1", "1.5", "+1", "100", "yakuman*0", "yakuman*10", "on"])
def test_what_is_no_value_of_a_yaku_is_refused(text):
    with pytest.raises(ValueError, match="is no value of a yaku; expected han"):
        parse_value(text)


# Base, the identities and the facts


@pytest.fixture
def package(tmp_path, monkeypatch):
    """The data files of the package in a folder where a test may change them."""
    source = Path(str(files("analytics.scoring")))
    for name in ("rulesets/base.toml", "yaku/yaku.toml"):
        (tmp_path / name).parent.mkdir()
        shutil.copy(source / name, tmp_path / name)
    monkeypatch.setattr(rulesets, "files", lambda _: tmp_path)
    return tmp_path


def load():
    """Keys and yaku read anew, past what is kept."""
    return rulesets._load_base.__wrapped__()


def edit(path, old, new):
    text = path.read_text("utf-8")
    assert text.count(old) == 1, (old, text.count(old))
    path.write_text(text.replace(old, new), "utf-8")


def test_the_files_as_they_are_match_up(package):
    found, yaku = load()
    assert list(found) == list(keys())
    assert list(yaku) == list(catalog())


BASE, NAMES = "rulesets/base.toml", "yaku/yaku.toml"


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        (BASE, '[yaku.toitoi]\nvalue = "2"\n', "", r"differ in \['toitoi'\]"),
        (NAMES, "[toitoi]", "[toitoy]", r"differ in \['toitoi', 'toitoy'\]"),
        (BASE, 'replaces = ["riichi"]', 'replaces = ["richi"]', "replaces 'richi', which does not exist"),
        (BASE, 'forbids = ["wind_pair"]', 'forbids = ["wind_pare"]', "no fact 'wind_pare'; nearest: 'wind_pair'"),
        (BASE, "when.true.needs = [", "when.treu.needs = [", "a guard for 'treu'; nearest: 'true'"),
        (BASE, "when.true.needs = [", "when.true.need = [", "has 'need'; nearest: 'needs'"),
        (BASE, 'values = ["first", "lost"]', 'values = ["lost"]', "is 'first', which is not among its values"),
        (BASE, '[game.bust]\nvalue = true\nstage = "ledger"', "[game.bust]\nvalue = true", "game.bust has no 'stage'"),
        (
            BASE,
            '[game.bust]\nvalue = true\nstage = "ledger"',
            '[game.bust]\nvalue = true\nstage = "ledgr"',
            "game.bust is of stage 'ledgr'; nearest: 'ledger'",
        ),
        (BASE, 'doc = "Red fives are dora."', 'docs = "Red fives are dora."', "dora.aka has no 'doc'"),
        (BASE, '[yaku.honitsu]\nvalue = "3/2"', '[yaku.honitsu]\nvalu = "3/2"', "yaku.honitsu has no 'value'"),
        (NAMES, 'romaji = "Riichi"', 'romanji = "Riichi"', "yaku.riichi has no 'romaji'"),
    ],
)
def test_loading_refuses_what_does_not_match_up(package, file, old, new, message):
    edit(package / file, old, new)
    with pytest.raises(RulesetError, match=message):
        load()


def test_loading_refuses_a_yaku_without_a_fact(package):
    (package / "rulesets/base.toml").open("a", encoding="utf-8").write('\n[yaku.paarenchan]\nvalue = "yakuman"\n')
    (package / "yaku/yaku.toml").open("a", encoding="utf-8").write(
        '\n[paarenchan]\nromaji = "Paarenchan"\nkanji = "八連荘"\nenglish = "Eight wins"\n'
    )
    with pytest.raises(RulesetError, match="yaku 'paarenchan' has no fact of its name"):
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


# What is shipped


@pytest.mark.parametrize("id_", shipped())
def test_a_shipped_ruleset_holds_differences_only(id_):
    rules = ruleset(id_)
    assert set(rules.values) == set(keys())
    if id_ == "base":
        return
    tables = tomllib.loads((Path(str(files("analytics.scoring"))) / "rulesets" / f"{id_}.toml").read_text("utf-8"))
    parent = ruleset(tables.get("extends", "base"))
    assert {key for key in keys() if rules.origin[key] == id_} == {k for k in keys() if rules[k] != parent[k]}
    assert tables["source"]
    assert rules.name != id_


@pytest.mark.parametrize("id_", ["tenhou_4p_aka", "tenhou_4p_noaka", "tenhou_3p"])
def test_the_tenhou_rulesets_are_as_published(shared, id_):
    published = json.loads((shared / "rules/rulesets.json").read_text("utf-8"))["rulesets"]
    [sheet] = [sheet for sheet in published if sheet["id"] == id_]
    rules = ruleset(id_)
    assert rules["game.start_points"] == sheet["start_points"]
    assert rules["game.return_points"] == sheet["return_points"]
    assert rules["game.uma"] == tuple(sheet["uma"])
    assert rules["dora.aka"] == any(sheet["aka"].values())
    assert rules["yaku.tanyao.open"] == sheet["kuitan"]
    assert rules["fu.double_wind_pair"] == sheet["double_wind_pair_fu"]
    assert rules["limits.kiriage_mangan"] == sheet["kiriage_mangan"]
    assert rules["limits.multiple_yakuman"] == sheet["multiple_yakuman"]
    assert list(rules["payment.liable"]) == sheet["pao"]
    doubles = ("suuankou_tanki", "kokushi_juusanmen", "daisuushii")
    assert {rules.yaku_value(yaku).closed.units for yaku in doubles} == {1}


# As a command line writes it


def test_adopt_drop_and_set_are_applied_in_this_order():
    rules = amended("base", ["toitoi=3", "tanyao"], ["tanyao"], ["yaku.toitoi=4", "game.uma=30,10,-10,-30"])
    assert rules.yaku_value("toitoi").closed.han == 4
    assert not rules.yaku_value("tanyao").is_on
    assert rules["game.uma"] == (30, 10, -10, -30)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"adopt": ["toitoy"]}, "base: no yaku 'toitoy'; nearest: 'toitoi'"),
        ({"adopt": ["toitoi=many"]}, "base: yaku.toitoi: 'many' is no value of a yaku"),
        ({"drop": ["toitoy"]}, "base: no yaku 'toitoy'; nearest: 'toitoi'"),
        ({"set_": ["dora.aka"]}, "base: 'dora.aka' sets nothing; expected KEY=VALUE"),
        ({"set_": ["dora.akka=off"]}, "base: no key 'dora.akka'; nearest: 'dora.aka'"),
        ({"set_": ["payment.liable=toitoi"]}, "base: payment.liable holds 'toitoi', expected some of"),
    ],
)
def test_a_change_that_cannot_be_is_named(changes, message):
    with pytest.raises(RulesetError) as error:
        amended("base", **changes)
    assert str(error.value).startswith(message)
