"""Options of adopted yaku in the `ctx` of a hand case: every one the rules catalog names is taken and decides a hand.

What decides an option is an example of its yaku in the catalog, or a hand of `HANDS`. A value that decides none stands
in `WITHOUT_EFFECT` with the reason.
"""

from __future__ import annotations

import json
import os
from functools import cache
from pathlib import Path

import pytest

from analytics.cases import read_case, score_cases
from analytics.scoring.ruleset import amended, catalog, keys

SHARED = Path(os.environ.get("KOYAKU_SHARED") or Path(__file__).parents[2] / "shared")
CALM = "234m567p34678s99p"  # pinfu on 5s
OPEN_YONJUN = [{"type": "chi", "tiles": "234m", "from": "kamicha"}] * 4
FED = "kamicha"


def pons(*groups: str) -> list[dict]:
    return [{"type": "pon", "tiles": group, "from": FED} for group in groups]


def hand(hand: str, win: str, by: str = "ron", *, adopt=(), drop=(), set_=(), **more) -> dict:
    """A line, and beside it what its rules have besides the yaku."""
    return {"rules": (adopt, drop, set_), "line": {"hand": hand, "win": win, "by": by} | more}


FIRST_DRAW = {"ctx": {"seat": "E", "own_discards": 0}}
RIVER = "1z 9m 1p 4z 9s 0p 2z 7z 1s 6z"
SAME_RIVER = RIVER.replace("0p", "5p")
SHORTER_RIVER = "1z 9m 1p 4z 9s 3s"

# Hands that an option decides, by yaku and option.
HANDS: dict[tuple[str, str], list[dict]] = {
    ("tsubame_gaeshi", "replacement_sideways_tile"): [hand(CALM, "5s", ctx={"riichi_tile": "replacement"})],
    ("tsubame_gaeshi", "double_riichi_doubled"): [hand(CALM, "5s", ctx={"riichi_tile": "double"})],
    ("shiiaru_raotai", "ankan"): [hand("9p (123m) (456s) (789s) [1111z]", "9p")],
    ("uushin_tsuukan", "strict_kanchan"): [hand("12345667789m99p", "5m")],
    ("uushin_tsuukan", "straight_may_be_open"): [hand("46789m345p11z (123m)", "5m")],
    ("tanron", "forbid_white_green_pair"): [hand("123m456p789s333s5z", "5z")],
    ("kyandonhou", "open_allowed"): [hand("678m123678p9s (123m)", "9s")],
    ("kyandonhou", "allow_X_equal_Y"): [hand("123123m123p9s (123p)", "9s")],
    ("kyandonhou", "any_suit_pairs"): [hand("123m123p678p678s9s", "9s")],
    ("suuzuukou", "honor_pair"): [hand("5z (111z) (333z) (444z) (666z)", "5z", drop=["tsuuiisou"])],
    ("open_riichi_deal_in", "riichi_players"): [
        hand(CALM, "5s", flags=["loser_riichi"], ctx={"riichi": "open"}),
    ],
    ("isshoku_sanjun", "value"): [hand("345345m67p99s (345m)", "8p")],
    ("sanpuukou", "stack_with_otakaze"): [
        hand("45p22m222333444z", "6p", seat="E", round="E", adopt=["otakaze_sankou"]),
    ],
    ("otakaze_sankou", "dealer_only"): [hand("45p22m111333444z", "6p", seat="S", round="S")],
    ("otakaze_sankou", "any_round_for_dealer"): [hand("45p22m222333444z", "6p", seat="E", round="S")],
    ("uumensai", "chiitoitsu_allowed"): [hand("2244m66p88s33667z", "7z")],
    ("uumensai", "honor_pair_required"): [hand("234m567p8s222666z", "8s")],
    ("uumensai", "kokushi_allowed"): [hand("19m19p19s1234567z", "1z", ctx={"opt_value": "yakuman"})],
    ("ittsuu_chanta", "with_chinitsu_honitsu"): [hand("1234567899m111z", "9m")],
    ("jun_ittsuu_chanta", "with_chinitsu"): [hand("1231234567899m", "9m")],
    ("renkaihou", "extra_per_kan"): [
        hand("45p99s [1111m] [5555s] [7777z]", "6p", "tsumo", ctx={"rinshan": 1, "kan_chain": chain})
        for chain in (2, 3)
    ],
    ("tanfonhou", "value"): [hand("23488s444p55z (222z)", "5z")],
    ("kinkei_dokuritsu", "scoring"): [
        hand("1s (234s) (456s) (678s) (999s)", "1s", adopt=["shiiaru_raotai"]),
    ],
    ("touchao_hanchanshue", "scoring"): [
        hand("5z (666z) (777z) (111s) (234s)", "5z", seat="E", round="E", adopt=["shiiaru_raotai"]),
        hand("5z (666z) (222z) (111s) (999s)", "5z", adopt=["shiiaru_raotai"]),
    ],
    ("shanron_chonchu", "mode"): [
        hand("123567m123567s9p", "9p", flags=["riichi"], dora_ind=["8p", "2s", "2s"]),
    ],
    ("shanron_chonchu_yakuman", "closed_only"): [hand("456m123456s5p (123m)", "5p")],
    ("shanron_chonchu_yakuman", "old_young_form"): [hand("123789m123789s5p", "5p")],
    ("renhou", "window"): [
        hand(CALM, "5s", ctx={"seat": "W", "own_draws": 1, "own_discards": 1}),
        hand(CALM, "5s", win_from="kamicha", ctx={"seat": "W", "own_draws": 0}),
    ],
    ("renhou", "riichi_breaks"): [hand(CALM, "5s", ctx={"own_draws": 0, "discarder_in_riichi": 1})],
    ("maneman", "n"): [hand(CALM, "5s", ctx={"own_river": RIVER, "rivers": {"E": SHORTER_RIVER}})],
    ("maneman", "who"): [
        hand(CALM, "5s", seat=seat, ctx={"own_river": RIVER, "rivers": {"S": RIVER, "E": "9m"}}) for seat in "WN"
    ],
    ("maneman", "steps"): [hand(CALM, "5s", ctx={"own_river": RIVER, "rivers": {"E": RIVER}})],
    ("maneman", "call_break"): [hand(CALM, "5s", ctx={"own_river": RIVER, "rivers": {"E": RIVER}, "call_step": 3})],
    ("maneman", "red_five_equal"): [
        hand(CALM, "5s", ctx={"own_river": RIVER, "rivers": {"E": SAME_RIVER}, "opt_n": 6}),
    ],
    ("paarenchan", "definition"): [hand(CALM, "5s", flags=[f"eighth_{number}"]) for number in (1, 2, 3)],
    ("paarenchan", "needs_ordinary_yaku"): [hand("24m567p345678s99p", "3m", ctx={"counter": 7})],
    ("paarenchan", "repeat_every"): [hand(CALM, "5s", ctx={"counter": 8})],
    ("pouhoi_paarenchan", "definition"): [hand(CALM, "5s", flags=[f"dealer_eighth_{number}"]) for number in (1, 2, 3)],
    ("pouhoi_paarenchan", "under_def1"): [hand(CALM, "5s", flags=["holder_eighth_1"])],
    ("pouhoi_paarenchan", "win_by"): [hand(CALM, "5s", seat="S", win_from="shimocha", ctx={"dealer_counter": 7})],
    ("ishino_uenimo_sannen", "open_double_riichi_counts"): [
        hand(CALM, "5s", ctx={"riichi": "open_double", "last_tile": 1}),
    ],
    ("toukanhou", "kan_type"): [hand("34s99m567678p (7777m)", "2s", "tsumo", ctx={"rinshan": 1, "own_discards": 0})],
    ("toukanhou", "chain_of_kans"): [
        hand("34s99m567p [1111z] [7777m]", "2s", "tsumo", ctx={"rinshan": 1, "own_discards": 0, "kan_chain": 2}),
    ],
    ("suurenkou", "value"): [hand("22233344455m99p", "5m")],
    ("suurenkou", "counting"): [hand("22233344455m99p", "5m")],
    ("suurenkou", "pao"): [hand("9p", "9p", "tsumo", melds=pons("222m", "333m", "444m", "555m"))],
    ("suuchoupaikou", "pao"): [hand("9p", "9p", "tsumo", melds=pons("222m", "444m", "666m", "888m"))],
    ("isshoku_yonjun", "pao"): [hand("9p", "9p", "tsumo", melds=OPEN_YONJUN)],
    ("isshoku_yonjun", "closed_only"): [hand("9p", "9p", "tsumo", melds=OPEN_YONJUN)],
    ("daisangen", "pao"): [hand("1122m", "2m", "tsumo", melds=pons("555z", "666z", "777z"))],
    ("daisuushii", "pao"): [hand("1m", "1m", "tsumo", melds=pons("111z", "222z", "333z", "444z"))],
    ("suukantsu", "pao"): [
        hand(
            *("1m", "1m", "tsumo"),
            melds=[{"type": "minkan", "tiles": tiles, "from": FED} for tiles in ("3333m", "5555p", "7777s", "1111z")],
        ),
    ],
    ("hyakuman_goku", "mode"): [hand("7778889995m [6666m]", "5m")],
    ("hyakuman_goku", "honitsu_allowed"): [hand("8m (9999m) (7777m) (6666m) (111z)", "8m")],
    ("hyakuman_goku", "chiitoitsu_four_of_a_kind"): [
        hand("5666688889999m", "5m", set_=["yaku.chiitoitsu.four_identical=true"]),
    ],
    ("hyakuman_goku", "pinzu_version"): [hand("6667778889995p", "5p")],
    ("kachoufuugetsu", "wind"): [hand("11555p111s222z99m", "1p", "tsumo", round="S")],
    ("fuukasetsugetsu", "wind"): [hand("11555p222555z99m", "1p", round="S")],
    ("kouitten", "chun_as"): [hand("222333446688s77z", "4s"), hand("222333444888s7z", "7z")],
    ("kokuiisou", "chiitoi_double"): [hand("224488p1122334z", "4z")],
    ("golden_gate_bridge", "closed_only"): [hand("34556778p11z (123p)", "9p")],
    ("golden_gate_bridge", "pair_five_value"): [hand("1233455567789p", "5p")],
    ("american_civil_war", "honor_kan_allowed"): [hand("1168m156p222z [4444z]", "8p")],
    ("american_civil_war", "same_suit"): [hand("1115668m222444z", "8m")],
    ("american_civil_war", "manzu_required"): [hand("1168s156p222444z", "8p")],
    ("american_civil_war", "honor_meld_allowed"): [hand("1168m156p222z (444z)", "8p")],
    ("tohoku_shinkansen", "open"): [hand("123456s11z44z (789s)", "4z")],
    ("tohoku_shinkansen", "suit"): [hand(f"123456789{suit}11z44z", "4z") for suit in "ps"],
    ("gold_rush", "west_required"): [hand("123456789p666z1z", "1z")],
    ("ryuuiisourin", "hatsu_required"): [hand("2223334446665s", "5s")],
    ("ryuuiisou", "hatsu_required"): [hand("222333444666s8s", "8s")],
    ("sanrenkan", "four_quads"): [
        hand("9s (5555m) [6666m] (7777m) (8888m)", "9s", ctx={"opt_value": "mangan"}),
    ],
    ("seikan_renrakusen", "quad"): [hand("12345678p44z (6666z)", "9p")],
    ("sanankan", "four"): [hand("9m [1111p] [2222s] [7777z] [3333m]", "9m")],
    ("isshoku_souryuukai", "closed_only"): [hand("123778899s5s (123s)", "5s")],
    ("kumiairyuu", "open"): [hand("147m258p369s2z (111z)", "2z", ctx={"last_tile": 1})],
    ("ketsupaihou", "tanki_counts"): [hand("1m123999p678s777z", "1m", ctx={"visible_others": 3})],
    ("aka_sanshoku", "value"): [hand("340m067p34s99p (340s)", "5s")],
    ("isshoku_sanpokou", "step_two"): [hand("123345567m99p67s", "5s")],
    ("isshoku_suupokou", "step_two_counts"): [hand("12334556778p11z", "9p")],
    ("shikiichi", "per_occurrence"): [hand("33334577778p22z", "9p")],
    ("zendai", "value"): [hand("77788899m78s (999p)", "9s")],
    ("zenchuu", "value"): [hand("44455566m45s (666p)", "6s")],
    ("zenshou", "value"): [hand("11122233m12s (333p)", "3s")],
    ("pinfu", "tsumo_pinfu"): [hand(CALM, "5s", "tsumo")],
    ("pinfu", "pair_guest_wind_ok"): [hand("234m567p34678s44z", "5s")],
    ("tanyao", "open"): [hand("34m22p678s (345s) (567p)", "2m")],
    ("nagashi_mangan", "own_hand_closed"): [hand("34m22p678s (345s) (567p)", "2m", ctx={"own_river": "1z 9m"})],
    ("tsuuiisou", "seven_pairs_allowed"): [hand("1122334455667z", "7z")],
    ("tenhou", "upgrades_waits"): [hand("111m222p333s5577z", "7z", "tsumo", **FIRST_DRAW)],
    ("suuankou_tanki", "on_tenhou"): [hand("111m222p333s5577z", "7z", "tsumo", **FIRST_DRAW)],
    ("junsei_chuuren_poutou", "on_tenhou"): [hand("1112234678999m", "5m", "tsumo", **FIRST_DRAW)],
    ("kokushi_juusanmen", "on_tenhou"): [hand("119m19p19s123456z", "7z", "tsumo", **FIRST_DRAW)],
    ("daichisei", "replaces_tsuuiisou"): [hand("1122334455667z", "7z")],
    ("kinkei_dasshoku", "counting"): [hand("12999p11s567m777z", "3p", adopt=["ketsupaihou"], ctx={"chankan": 1})],
}

_ONE = "it has one value"
_PLAY = "what players may do; no hand shows it"
_LEDGER = "it changes what follows the round"
_ROUND = "it changes who is paid in a round of several winners, or what a draw pays besides"
WITHOUT_EFFECT = {
    ("kanburi", "after_consecutive_kans"): _ONE,
    ("open_double_riichi", "deal_in_penalty"): _ONE,
    ("sanpuukou", "pair_not_wind"): _ONE,
    ("pouhoi_paarenchan", "shibari_applies"): _ONE,
    ("shiisanpuutaa", "triplet_of_pair"): _ONE,
    ("chiishin_uushii", "not_first_turn_only"): _ONE,
    ("hyakuman_goku", "kan_counts_four"): _ONE,
    ("open_riichi", "shown"): _PLAY,
    ("open_riichi", "deal_in_penalty", '"deliberate_only"'): "nothing tells that a tile was dealt in deliberately",
    ("open_riichi_deal_in", "forced_case"): _PLAY,
    ("renhou", "value", '"5_han"'): "five han are a mangan, as a limit and added to others",
    ("paarenchan", "after"): _LEDGER,
    ("paarenchan", "multi_ron"): _ROUND,
    ("paarenchan", "def3_last_must_be_win"): "a hand that is scored was won",
    ("daisharin", "shape"): "the tiles are the same",
    ("daichikurin", "shape"): "the tiles are the same",
    ("daisuurin", "shape"): "the tiles are the same",
    ("junsei_ryuuiisou", "ryuuiisou_requires_hatsu"): "the hands it bars hold what replaces ryuuiisou",
    ("katengecchi", "when_off"): "it says what stands while katengecchi is off",
    ("riichi", "min_tiles_left"): _PLAY,
    ("riichi", "after_riichi_ankan"): _PLAY,
    ("pinfu", "unseparated_drawn_tile"): _PLAY,
    ("chankan", "rob_closed_quad_for_kokushi"): _PLAY,
    ("rinshan_kaihou", "pao"): "no ruleset has liability for a replacement tile",
    ("nagashi_mangan", "counts_as"): _LEDGER,
    ("nagashi_mangan", "honba_riichi_sticks"): _ROUND,
    ("nagashi_mangan", "noten_payments"): _ROUND,
    ("nagashi_mangan", "called_discard_breaks"): "the river of a case shows no call",
}
"""Options, or values of them, that change no result of a single hand."""


@cache
def told() -> dict[str, dict]:
    """The rules catalog's entries by yaku; none without the shared data."""
    files = [SHARED / "rules" / f"{name}_yaku.json" for name in ("local", "standard")]
    entries = [entry for file in files if file.is_file() for entry in json.loads(file.read_bytes())["yaku"]]
    return {entry["id"]: entry for entry in entries}


def values() -> list:
    """Every value of every option that the catalog or Koyaku names, but for what is played anyway."""
    found = {
        (id_, option, json.dumps(value)): value
        for id_, entry in told().items()
        for option, variant in entry["variants"].items()
        for value in variant["values"]
    }
    for id_, yaku in catalog().items():
        for option in yaku.options:
            key = keys()[f"yaku.{id_}.{option}"]
            allowed = key.allowed or ((False, True) if isinstance(key.default, bool) else ())
            found |= {(id_, option, json.dumps(value)): value for value in allowed}
    return [pytest.param(*key[:2], value, id="-".join(key)) for key, value in found.items()]


def default_of(id_: str, option: str) -> object:
    """The value that is played anyway."""
    if (id_, option) == ("tanron", "value"):
        return 2  # as `adopting` has it: no value is agreed on
    if f"yaku.{id_}.{option}" in keys():
        return keys()[f"yaku.{id_}.{option}"].default
    return told()[id_]["variants"][option]["default"]


@cache
def adopting(id_: str, adopt=(), drop=(), set_=()):
    """Base with a yaku; one without an agreed value at two han."""
    own = id_ if catalog()[id_].value.is_on else f"{id_}=2"
    return amended("base", [own, *adopt], drop, set_)


def groups(id_: str, option: str) -> list[tuple[object, list[dict]]]:
    """The hands of the yaku and the option, with their rules."""
    entry = told().get(id_, {"positive_examples": [], "negative_examples": []})
    found = {adopting(id_): [*entry["positive_examples"], *entry["negative_examples"]]}
    for one in HANDS.get((id_, option), []):
        found.setdefault(adopting(id_, *map(tuple, one["rules"])), []).append(one["line"])
    return list(found.items())


def results(id_: str, option: str, *values: object) -> list[dict]:
    """The results of these hands, without the option or with one of its values."""
    chosen = {f"opt_{option}": value for value in values}
    return [
        result
        for rules, lines in groups(id_, option)
        for result in score_cases([line | {"ctx": line.get("ctx", {}) | chosen} for line in lines], rules)
    ]


@cache
def without_option(id_: str, option: str) -> list[dict]:
    return results(id_, option)


REFUSED = {"bad_value", "unknown_key", "unsupported_rule"}


@pytest.mark.skipif(not told(), reason=f"no folder of shared data at {SHARED}; KOYAKU_SHARED names another place")
@pytest.mark.parametrize(("id_", "option", "value"), values())
def test_every_option_of_a_yaku_is_taken_and_decides_a_hand(id_, option, value):
    if value == default_of(id_, option) or (value, default_of(id_, option)) == ({}, "none"):
        for rules, lines in groups(id_, option):
            asked = {**lines[0], "ctx": {**lines[0].get("ctx", {}), f"opt_{option}": value}}
            assert read_case(asked, rules).rules.hash == read_case(lines[0], rules).rules.hash
        return
    without, with_ = without_option(id_, option), results(id_, option, value)
    assert not REFUSED & {result.get("error") for result in without + with_}, with_
    has_none = {(id_, option), (id_, option, json.dumps(value))} & set(WITHOUT_EFFECT)
    assert (without != with_) == (not has_none)
