"""The rulesets that are shipped, against the sheet of published rules they were taken from, and against themselves."""

import json
import re
import tomllib
from importlib.resources import files
from pathlib import Path

import pytest
from conftest import PROJECT, SHARED

from analytics.corpus import read
from analytics.impact import rule_impact
from analytics.rescoring import rescore
from analytics.scoring.hands import from_tables
from analytics.scoring.ruleset import RulesetError, base, catalog, keys, ruleset, shipped, written
from analytics.scoring.score import facts_of, score
from analytics.scoring.values import parse_value
from analytics.settle import settle_rounds

FOLDER = Path(str(files("analytics.scoring"))) / "rulesets"

# What a field of the sheet says of our keys: by its value, the value of each key. Words that say more than the key
# holds stand here in full, so that another text in the sheet is noticed.

_LIABLE_FOR_KANS = {
    "suukantsu (only when sankantsu is complete and the fourth quad is a daiminkan)": "suukantsu",
}
WORDS = {
    "renhou": {
        False: {"yaku.renhou": "off"},
        "yakuman": {"yaku.renhou": "yakuman"},
        "mangan": {"yaku.renhou": "mangan"},
        "mangan only": {"yaku.renhou": "only mangan"},
        "mangan (5 han, exclusive, highest taken)": {"yaku.renhou": "mangan"},
    },
    "nagashi_mangan": {
        False: {"yaku.nagashi_mangan": "off"},
        "mangan": {"yaku.nagashi_mangan": "mangan"},
        "mangan; counts as draw": {"yaku.nagashi_mangan": "mangan", "yaku.nagashi_mangan.counts_as": "draw"},
        "mangan; counts as draw (preset only)": {
            "yaku.nagashi_mangan": "mangan",
            "yaku.nagashi_mangan.counts_as": "draw",
        },
        "mangan; counts as draw; own calls allowed; noten payments replaced": {
            "yaku.nagashi_mangan": "mangan",
            "yaku.nagashi_mangan.counts_as": "draw",
            "yaku.nagashi_mangan.own_hand_closed": False,
            "yaku.nagashi_mangan.noten_payments": False,
        },
        "five yaku (mangan); concealed hand; plus counters and riichi bets; counts as a win": {
            "yaku.nagashi_mangan": "mangan",
            "yaku.nagashi_mangan.counts_as": "win",
            "yaku.nagashi_mangan.own_hand_closed": True,
            "yaku.nagashi_mangan.honba_riichi_sticks": True,
        },
        "mangan; counts as draw; own hand must be closed in the latest page revision "
        "(earlier revision: open allowed)": {
            "yaku.nagashi_mangan": "mangan",
            "yaku.nagashi_mangan.counts_as": "draw",
            "yaku.nagashi_mangan.own_hand_closed": True,
        },
    },
    "multiple_ron": {
        "head bump": {"payment.multiple_ron": "head_bump"},
        "double and triple ron all paid": {"payment.multiple_ron": "all", "round.triple_ron": "all"},
        "double and triple ron paid": {"payment.multiple_ron": "all", "round.triple_ron": "all"},
        "double ron paid; triple ron aborts": {"payment.multiple_ron": "all", "round.triple_ron": "abort"},
        "double ron; triple ron aborts": {"payment.multiple_ron": "all", "round.triple_ron": "abort"},
        "double ron paid; honba and deposits to the first in turn order; triple ron aborts": {
            "payment.multiple_ron": "all",
            "round.triple_ron": "abort",
            "payment.honba_of_double_ron": "first",
        },
    },
    "pao_scope": {
        "whole hand value (including other yakuman); honba too": {
            "payment.liable_for": "hand",
            "payment.liable_honba_on_ron": "liable",
        },
        "only the pao yakuman part": {"payment.liable_for": "yakuman"},
        "feeder pays all by self-draw, splits with the discarder by ron": {"payment.liable_for": "hand"},
    },
    "kan_dora_timing": {
        "ankan immediate; daiminkan/kakan after rinshan draw, before/at discard": {"dora.kan_timing": "ankan_at_once"},
        "ankan immediate; daiminkan/kakan before the next discard": {"dora.kan_timing": "ankan_at_once"},
        "immediate for every quad; not when robbed": {"dora.kan_timing": "all_at_once"},
        "immediate once the quad stands (seed 001)": {"dora.kan_timing": "all_at_once"},
        "immediate": {"dora.kan_timing": "all_at_once"},
    },
    "agari_yame": {
        "automatic for a leading dealer in the last hand": {"game.leading_dealer_ends": True},
        "leading dealer, automatic (preset only)": {"game.leading_dealer_ends": True},
        "leading dealer, automatic": {"game.leading_dealer_ends": True},
        False: {"game.leading_dealer_ends": False},
    },
    "tobi": {"below 0": {"game.bust": True}, True: {"game.bust": True}, False: {"game.bust": False}},
    "final_rounding": {
        # Recorded results of Tenhou's games are in whole thousands until January 2022, and exact from June on.
        "to nearest 1000 (4 down, 5 up)": {},
        "exact: (points-30000)/1000 + uma": {"game.result_rounding": "none"},
    },
    "tie_break": {
        "earlier dealership": {"game.tie_break": "seat"},
        "first dealer order": {"game.tie_break": "seat"},
        "bonus points split evenly": {"game.tie_break": "split"},
        "uma averaged": {"game.tie_break": "split"},
        "rank points split": {"game.tie_break": "split"},
    },
    "leftover_riichi_sticks": {
        "first place": {"game.left_sticks": "first"},
        "kept (kyoutaku)": {"game.left_sticks": "lost"},
    },
    "kuikae_allowed": {
        True: {"round.kuikae": True},
        False: {"round.kuikae": False},
        "same tile forbidden, suji swap allowed": {},  # the key knows no half
    },
    "ryanhan_shibari": {"from five counters": {}, False: {}},  # two han by counters is no rule of these rulesets
}
SWITCHES = {
    "kuitan": "yaku.tanyao.open",
    "kiriage_mangan": "limits.kiriage_mangan",
    "multiple_yakuman": "limits.multiple_yakuman",
    "ura_dora": "dora.ura",
    "kan_dora": "dora.kan",
    "kan_ura": "dora.kan_ura",
    "kokushi_rob_ankan": "yaku.chankan.rob_closed_quad_for_kokushi",
    "double_wind_pair_fu": "fu.double_wind_pair",
    "start_points": "game.start_points",
    "return_points": "game.return_points",
    "noten_payment_total": "payment.noten",
    "min_tiles_for_riichi": "round.riichi_tiles_left",
    "minimum_han": "round.minimum_han",
}
DOUBLES = {
    "suuankou_tanki": "yaku.suuankou_tanki",
    "kokushi_13": "yaku.kokushi_juusanmen",
    "junsei_chuuren": "yaku.junsei_chuuren_poutou",
    "daisuushii": "yaku.daisuushii",
}
ABORTS = {
    "kyuushu_kyuuhai": "round.kyuushu_kyuuhai",
    "suufon_renda": "round.suufon_renda",
    "suucha_riichi": "round.suucha_riichi",
    "suukaikan": "round.suukaikan",
}
# Fields of the sheet that no key is about.
APART = {
    *("id", "name", "players", "notes", "source", "inferred_fields"),
    "oka_total",  # follows from start and return points
    "extension",  # recorded games end where they ended
    "rinshan_pao",  # no liability for a replacement tile here
    "tenpai_yame",  # game.leading_dealer_ends is about wins and tenpai alike
}


# Of fields no source tells of, the key that is then unknown, where it is one of several.
_OF_WORDS = {
    "renhou": "yaku.renhou",
    "nagashi_mangan": "yaku.nagashi_mangan",
    "multiple_ron": "payment.multiple_ron",
    "pao_scope": "payment.liable_for",
    "kan_dora_timing": "dora.kan_timing",
    "agari_yame": "game.leading_dealer_ends",
    "tobi": "game.bust",
    "final_rounding": "game.result_rounding",
    "tie_break": "game.tie_break",
    "leftover_riichi_sticks": "game.left_sticks",
    "kuikae_allowed": "round.kuikae",
    "ryanhan_shibari": None,
}


def stated(sheet: dict) -> dict[str, object]:
    """What a sheet says of our keys, None where no source told."""
    found: dict[str, object] = {key: sheet[field] for field, key in SWITCHES.items()}
    for field, by_words in WORDS.items():
        if sheet[field] is not None:
            found |= by_words[sheet[field]]
        elif _OF_WORDS[field]:
            found[_OF_WORDS[field]] = None
    found["dora.aka"] = any(sheet["aka"].values()) if isinstance(sheet["aka"], dict) else sheet["aka"]
    for field, key in DOUBLES.items():
        is_double = (sheet["double_yakuman_forms"] or {}).get(field)
        found[key] = None if is_double is None else "yakuman*2" if is_double else "yakuman"
    for field, key in ABORTS.items():
        found[key] = (sheet["abortive_draws"] or {}).get(field)
    kazoe = sheet["kazoe_yakuman"]
    found["limits.counted_yakuman"] = None if kazoe is None else "yakuman" if kazoe else "sanbaiman"
    found["yaku.ippatsu"] = None if sheet["ippatsu"] is None else "1/off" if sheet["ippatsu"] else "off"
    found["game.uma"] = None if sheet["uma"] is None else tuple(sheet["uma"])
    # The sheet says what a counter is worth to a winner by ron.
    found["payment.honba"] = sheet["honba_value"] and sheet["honba_value"] // (sheet["players"] - 1)
    found["round.dealer_repeats"] = "tenpai" if sheet["dealer_keeps_on_tenpai"] else None
    is_listed = sheet["pao"] is not None and sheet["pao"] != ["yakuman pao (types not listed)"]
    liable = [_LIABLE_FOR_KANS.get(yaku, yaku) for yaku in sheet["pao"]] if is_listed else None
    found["payment.liable"] = liable
    if sheet["sanma"]:
        found["payment.tsumo_loss"] = sheet["sanma"]["tsumo_loss"]
    return found


def is_told_otherwise(sheet: dict, key: str) -> bool:
    """Whether what no source of the sheet tells of is known all the same, or makes no difference."""
    recorded = ("yaku.renhou", "payment.noten", "payment.multiple_ron")
    if sheet["id"].startswith("tenhou"):  # every win, draw and result of recorded games agrees
        return key in recorded or keys()[key].stage == "ledger"
    return key == "payment.liable_for" and sheet["pao"] == []


FILE = SHARED / "rules/rulesets.json"
SHEETS = json.loads(FILE.read_text("utf-8"))["rulesets"] if FILE.is_file() else []
by_sheet = pytest.mark.parametrize("sheet", SHEETS, ids=[sheet["id"] for sheet in SHEETS])


@by_sheet
def test_a_published_ruleset_says_what_its_sheet_says_and_knows_what_it_does_not(sheet):
    rules = ruleset(sheet["id"])
    for key, value in stated(sheet).items():
        if value is None:
            may_stand = keys()[key].stage == "play" or is_told_otherwise(sheet, key)
            assert key in rules.unknown or may_stand, key
            continue
        assert key not in rules.unknown, key
        if key == "payment.liable":
            # Liability for local yaku is base's, and is asked where they are played.
            assert set(rules[key]) & set(_STANDARD) == set(value)
            continue
        expected = parse_value(value) if key in _VALUES else value
        assert rules[key] == expected, key
    assert set(rules.unknown) <= {key for key, value in stated(sheet).items() if value is None}


def test_what_only_games_need_is_asked_where_they_are_followed():
    tables = read([PROJECT / "data_samples"])
    rules = ruleset("mahjong_soul_4p")
    assert rules.unknown == ("payment.noten", "game.result_rounding", "game.tie_break")
    rescored = rescore(tables, rules)  # wins are scored all the same
    assert (rescored.status == 0).any()
    for follow in (lambda: settle_rounds(tables, rescored), lambda: rule_impact(tables, rules=["mahjong_soul_4p"])):
        with pytest.raises(RulesetError, match=r"^mahjong_soul_4p: incomplete, no source tells payment\.noten, game\."):
            follow()
    assert settle_rounds(tables, rescore(tables, rules.assume_base())).any()


_STANDARD = [id_ for id_, yaku in catalog().items() if yaku.is_standard]
_VALUES = {f"yaku.{id_}" for id_ in catalog()}


@by_sheet
def test_every_field_of_the_sheet_is_read_or_about_no_key(sheet):
    read = {*SWITCHES, *WORDS, *APART, "aka", "double_yakuman_forms", "abortive_draws", "kazoe_yakuman", "ippatsu"}
    assert set(sheet) == read | {"uma", "honba_value", "dealer_keeps_on_tenpai", "pao", "sanma", "local_yaku"}


def test_all_sheets_of_four_players_that_tell_of_noten_payments_agree_with_base():
    told = {sheet["noten_payment_total"] for sheet in SHEETS if sheet["players"] == 4} - {None}
    assert told <= {base()["payment.noten"]}


# What a sheet says of a local yaku besides its worth.
_BESIDES = {
    ("iipin_mouyue", "replaces", "haitei_raoyue"): {"scoring": "five_han_additive"},
    ("chuupin_raoyui", "replaces", "houtei_raoyui"): {"scoring": "five_han_additive"},
    ("daichisei", "replaces", "tsuuiisou"): {"replaces_tsuuiisou": True},
    ("junsei_ryuuiisou", "replaces", "ryuuiisou"): {},
    ("benikujaku", "requires", "7z present"): {},
    ("kouitten", "requires", "7z present"): {},
    ("paarenchan", "definition", "dealer with continuation counter >= 7 (8th)"): {"definition": "def3"},
    ("hyakuman_goku", "mode", "at_least_100"): {"mode": "at_least_100"},
    ("golden_gate_bridge", "closed_only", True): {"closed_only": True},
    ("tohoku_shinkansen", "closed_only", True): {"open": "not_allowed"},
}
# A mixture of the three definitions of paarenchan: the file plays the nearest, and says so.
NEARLY = {("poland_open_example", "paarenchan"): {"yaku.paarenchan": "yakuman", "yaku.paarenchan.definition": "def2"}}


@by_sheet
def test_a_published_ruleset_plays_the_local_yaku_of_its_sheet_and_no_other(sheet):
    rules = ruleset(sheet["id"])
    expected = {"renhou"} if sheet["renhou"] else set()
    for id_, said in sheet["local_yaku"].items():
        expected.add(id_)
        if (sheet["id"], id_) in NEARLY:
            assert all(written(rules[key]) == value for key, value in NEARLY[sheet["id"], id_].items())
            assert id_ in tomllib.loads((FOLDER / f"{sheet['id']}.toml").read_text("utf-8"))["about"].lower()
            continue
        worth = dict(said) if isinstance(said, dict) else {"value": said}
        if "yakuman" in worth:
            worth["value"] = f"yakuman*{worth.pop('yakuman')}"
        plain = worth.pop("value", None) or worth.pop("han", None)
        value = parse_value(plain or [worth.pop("closed"), worth.pop("open")])
        assert _is_same(rules.yaku_value(id_), value, id_), id_
        for word, what in worth.items():
            for option, choice in _BESIDES[id_, word, what].items():
                assert rules[f"yaku.{id_}.{option}"] == choice
    played = {id_ for id_, yaku in catalog().items() if not yaku.is_standard and rules.yaku_value(id_).is_on}
    assert played == expected


def _is_same(value, said, id_: str) -> bool:
    """Whether a value is what a sheet says; of yaku that only closed hands can have it tells the closed side."""
    return value == said or (value.closed == said.closed and catalog()[id_].value.open == value.open)


# Every shipped ruleset, sheet or none


@pytest.fixture(scope="module")
def samples():
    """The wins of the sample games, every kind of recorded ruleset among them."""
    return facts_of(from_tables(*_wins_of_samples()))


def _wins_of_samples():
    tables = read([PROJECT / "data_samples"])
    return tables["wins"], tables["circumstances"]


@pytest.mark.parametrize("id_", shipped())
def test_a_shipped_ruleset_scores_the_sample_games_assumed_where_it_must_be(samples, id_):
    rules = ruleset(id_)
    asked = [key for key in rules.unknown if keys()[key].stage != "ledger" and key != "payment.noten"]
    if asked:
        with pytest.raises(RulesetError, match=rf"^{id_}: incomplete, no source tells {re.escape(', '.join(asked))};"):
            score(samples, [rules])
    else:
        score(samples, [rules])
    assumed = rules.assume_base()
    [scores] = score(samples, [assumed])
    assert assumed.assumed == rules.unknown
    assert not (scores.status == 1).any()  # open tanyao may be missing, a shape never
    assert (scores.status == 0).mean() > 0.9
    [plain] = score(samples, [base()])
    if id_ == "seed_local":  # yaku besides can only help; what a yaku replaces is worth less than it
        assert (scores.points >= plain.points).all()
        assert (scores.points > plain.points).sum() > 20


@pytest.mark.parametrize("id_", shipped())
def test_a_shipped_ruleset_is_a_whole_file_with_name_and_source(id_):
    rules = ruleset(id_)
    assert set(rules.values) == set(keys())
    assert not rules.own
    if id_ == "base":
        return
    tables = tomllib.loads((FOLDER / f"{id_}.toml").read_text("utf-8"))
    assert tables["source"]
    assert rules.name != id_
    stated = {key for key in keys() if rules.stated_origin[key] == id_}
    assert not stated & set(rules.unknown)
    assert set(rules.unknown) == set(tables.get("unknown", ())) - stated
    # What a play key would change nobody is told.
    assert "play" not in {keys()[key].stage for key in rules.unknown}


@pytest.mark.parametrize("id_", [id_ for id_ in shipped() if id_.startswith("tenhou")])
def test_the_rulesets_of_recorded_games_hold_differences_only(id_):
    rules = ruleset(id_)
    tables = tomllib.loads((FOLDER / f"{id_}.toml").read_text("utf-8"))
    parent = ruleset(tables.get("extends", "base"))
    assert {key for key in keys() if rules.origin[key] == id_} == {k for k in keys() if rules[k] != parent[k]}
    assert not rules.unknown


@pytest.mark.parametrize("id_", shipped())
def test_no_shipped_ruleset_plays_a_yaku_that_fewer_than_two_sources_define(id_):
    assert [y for y, yaku in catalog().items() if yaku.is_thin and ruleset(id_).yaku_value(y).is_on] == []


def test_the_yaku_that_fewer_than_two_sources_define_are_those_of_the_rules(shared):
    told = json.loads((shared / "rules/local_yaku.json").read_text("utf-8"))["yaku"]
    thin = {one["id"] for one in told if one.get("extended") and one["definition_source_count"] < 2}
    assert {id_ for id_, yaku in catalog().items() if yaku.is_thin} == thin


# Yaku of the seed's list that seed_local leaves off, and why the file says so.
LEFT_OFF = {
    "tanron": "the list gives it no value",
    "hontanfon": "they split tanfonhou, which is played",
    "chintanfon": "they split tanfonhou, which is played",
    "kaga_hyakuman_goku": "belongs to another mode of hyakuman goku",
    "open_riichi_deal_in": "The penalty of open riichi is an extra rule",
}


def test_the_local_seed_plays_every_yaku_of_its_list_but_those_it_names_with_reasons(shared):
    told = json.loads((shared / "rules/local_yaku.json").read_text("utf-8"))["yaku"]
    listed = {one["id"] for one in told if not one.get("extended")}
    rules = ruleset("seed_local")
    played = {id_ for id_, yaku in catalog().items() if not yaku.is_standard and rules.yaku_value(id_).is_on}
    assert listed - played == set(LEFT_OFF)
    assert played <= listed
    about = " ".join(tomllib.loads((FOLDER / "seed_local.toml").read_text("utf-8"))["about"].split())
    for reason in LEFT_OFF.values():
        assert reason in about, reason
