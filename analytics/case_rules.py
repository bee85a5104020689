"""What the rules of a hand case, and the options its `ctx` sets, change in a ruleset."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from functools import cache

from .case_words import CaseError, check_known, expected, shown, whole
from .scoring.ruleset import Ruleset, RulesetError, base, catalog, keys, ruleset, shipped
from .scoring.values import OFF, Value, Worth, parse_value

Changes = dict[str, object]
Amend = Callable[[Mapping[str, object], Mapping[str, object]], Ruleset]
"""The ruleset of a case, from its rules and from the options of its `ctx`."""

_LIABLE = ("daisangen", "daisuushii")
_DOUBLE_FORMS = ("kokushi_juusanmen", "junsei_chuuren_poutou", "suuankou_tanki", "daisuushii")
_WHEELS = ("daisharin", "daichikurin", "daisuurin")
_OPEN_RIICHI = ("open_riichi", "open_double_riichi")
_OFF = (False, "off", "none", 0)
_ON = (True, "on")


# ---------------------------------------------------------------------------------------------- a case's own rules


def _adopted(*ids: str, **changes: object) -> Changes:
    """Yaku at the catalog's value."""
    return {f"yaku.{id_}": catalog()[id_].value for id_ in ids} | changes


def _dropped(*ids: str) -> Changes:
    return {f"yaku.{id_}": "off" for id_ in ids}


def _switch(key: str) -> dict[object, Changes]:
    return {True: {key: True}, False: {key: False}}


def _choice(key: str, values: Iterable[object]) -> dict[object, Changes]:
    return {value: {key: value} for value in values}


@cache
def local_yaku() -> tuple[str, ...]:
    """Every yaku that base does not play."""
    return tuple(id_ for id_, one in catalog().items() if not one.is_standard)


@cache
def agreed_local_yaku() -> tuple[str, ...]:
    """The local yaku that have an agreed value, that two sources define, and that are no mode of another."""
    modes = {name for key in keys().values() for effect in key.effects.values() for name in effect.sets}
    return tuple(
        id_
        for id_ in local_yaku()
        if catalog()[id_].value.is_on and not catalog()[id_].is_thin and f"yaku.{id_}" not in modes
    )


@cache
def _room(id_: str) -> Changes:
    """The local yaku of a shipped ruleset, with their options."""
    rules = ruleset(id_)
    of_local = tuple(f"yaku.{yaku}." for yaku in local_yaku())
    return {key: value for key, value in rules.stated.items() if f"{key}.".startswith(of_local)}


# What a rule of a case sets, by its value; of two that meet in a key the later here wins.
_RULES: dict[str, dict[object, Changes]] = {
    "kuitan": _switch("yaku.tanyao.open"),
    "aka": _switch("dora.aka"),
    "kiriage": _switch("limits.kiriage_mangan"),
    "double_wind_pair_fu": _choice("fu.double_wind_pair", (2, 4)),
    "open_pinfu_fu": _choice("fu.open_pinfu", (20, 30)),
    # 30 keeps the two fu of the self-draw, and a hand that has them is no pinfu.
    "pinfu_tsumo_fu": {
        20: {"fu.pinfu_tsumo": 20, "yaku.pinfu.tsumo_pinfu": True},
        30: {"fu.pinfu_tsumo": 30, "yaku.pinfu.tsumo_pinfu": False},
    },
    # Of local yaku see `_single`.
    "double_yakuman": {
        True: {f"yaku.{id_}": "yakuman*2" for id_ in _DOUBLE_FORMS},
        False: {f"yaku.{id_}": "yakuman" for id_ in _DOUBLE_FORMS},
    },
    "kazoe": {
        "yakuman": {"limits.counted_yakuman": "yakuman"},
        "sanbaiman": {"limits.counted_yakuman": "sanbaiman"},
        "no_limit": {"limits.counted_yakuman": "each_13"},
    },
    "sextuple_yakuman_cap": {True: {"limits.yakuman_cap": 6}, False: {"limits.yakuman_cap": 0}},
    "multiple_yakuman": {
        True: {"limits.multiple_yakuman": True},
        False: {"limits.multiple_yakuman": False, "limits.yakuman_cap": 1},
    },
    "pao": {True: {"payment.liable": _LIABLE}, False: {"payment.liable": ()}},
    "pao_scope": {
        "whole_hand": {"payment.liable_for": "hand"},
        "liable_yakuman_only": {"payment.liable_for": "yakuman"},
    },
    "pao_ron_honba": _choice("payment.liable_honba_on_ron", ("liable", "discarder")),
    "double_ron_honba": {
        "first_only": {"payment.honba_of_double_ron": "first"},
        "each": {"payment.honba_of_double_ron": "each"},
    },
    "daisharin": {
        **dict.fromkeys(_OFF, _dropped(*_WHEELS)),
        "pin": _adopted("daisharin") | _dropped("daichikurin", "daisuurin"),
        "any_suit": _adopted(*_WHEELS),
    },
    "daichisei": {
        **dict.fromkeys(_OFF, _dropped("daichisei")),
        True: {"yaku.daichisei": "yakuman/off", "yaku.daichisei.replaces_tsuuiisou": False},
    },
    "daichisei_replaces_tsuuiisou": _switch("yaku.daichisei.replaces_tsuuiisou"),
    # The penalty adds to the yakuman of the hand; without it the yaku itself is played all the same.
    "sashikomi_yakuman": {
        **dict.fromkeys(_OFF, _adopted(*_OPEN_RIICHI) | _dropped("open_riichi_deal_in")),
        True: _adopted(*_OPEN_RIICHI)
        | {"yaku.open_riichi_deal_in": "yakuman", "yaku.open_riichi_deal_in.stack_with_real_yakuman": True},
    },
    # Those who play it by this rule pay the ninth win in a row too.
    "paarenchan": {
        **dict.fromkeys(_OFF, _dropped("paarenchan")),
        **dict.fromkeys(_ON, _adopted("paarenchan") | {"yaku.paarenchan.repeat_every": 1}),
    },
    "paarenchan_needs_yaku": _switch("yaku.paarenchan.needs_ordinary_yaku"),
    "uumensai_chiitoi": _switch("yaku.uumensai.chiitoitsu_allowed"),
    "shiiaru_raotai_tsumo": {
        True: {"yaku.shiiaru_raotai.win_by": "any"},
        False: {"yaku.shiiaru_raotai.win_by": "ron_only"},
    },
}

# Rules whose value is that of a yaku, or sets what depends on other rules.
_VALUES = ("renhou", "isshoku_sanjun", "isshoku_sanjun_open_han")
_NOT_PLAYED = ("aotenjou",)
_FACTS = ("dora_count_given", "win_streak", "paarenchan_count", "players")
_DESCRIPTIONS = ("platform", "note", "options", "points_include_honba")
RULE_KEYS = ("local_yaku", *_RULES, *_VALUES, *_NOT_PLAYED, *_FACTS, *_DESCRIPTIONS)


def changes_of(words: Mapping, rules: Ruleset) -> Changes:
    """The keys that the rules of a case set on top of a ruleset.

    Raises
    ------
    CaseError
        A value that does not exist, or a rule that is not played.
    """
    changes: Changes = {}
    if words.get("local_yaku") is not None:
        changes |= _local(words["local_yaku"])
    for name, by_value in _RULES.items():
        if words.get(name) is not None:
            changes |= _of_value(f"rules.{name}", words[name], by_value)
    for name in ("renhou", "isshoku_sanjun"):
        if words.get(name) is not None:
            changes[f"yaku.{name}"] = _yaku_value(f"rules.{name}", name, words[name])
    if words.get("isshoku_sanjun_open_han") is not None:
        worth = _yaku_value("rules.isshoku_sanjun_open_han", "isshoku_sanjun", words["isshoku_sanjun_open_han"])
        now = parse_value(changes.get("yaku.isshoku_sanjun", rules.yaku_value("isshoku_sanjun")))
        changes["yaku.isshoku_sanjun"] = Value(now.closed, worth.open) if now.closed.is_on else now
    changes |= _paarenchan(words)
    if words.get("double_yakuman") in (False, 0):
        changes |= _single(changes, rules)
    for name in _NOT_PLAYED:
        value = words.get(name)
        if value is not None and not _is_among(value, _OFF):
            raise CaseError("unsupported_rule", f"rules.{name} is {shown(value)}, which is not played")
    # Several yakuman add up to more than one only where no cap stands in the way.
    if changes.get("limits.multiple_yakuman") and rules["limits.yakuman_cap"] == 1:
        changes.setdefault("limits.yakuman_cap", base()["limits.yakuman_cap"])
    return changes


def _is_among(value: object, values: Iterable[object]) -> bool:
    return isinstance(value, bool | int | str) and value in tuple(values)


def _of_value(name: str, value: object, by_value: Mapping[object, Changes]) -> Changes:
    if not _is_among(value, by_value):
        raise expected(name, value, f"one of {', '.join(map(shown, by_value))}")
    return by_value[value]


def _local(value: object) -> Changes:
    """Which local yaku are played: none, all that are agreed on, or those of a room."""
    if _is_among(value, _OFF):
        return _dropped(*local_yaku())
    if _is_among(value, (*_ON, "all")):
        return _adopted(*agreed_local_yaku())
    if not _is_among(value, shipped()):
        raise expected("rules.local_yaku", value, f"on, off, all or one of {', '.join(shipped())}")
    return _room(value)


def _yaku_value(name: str, id_: str, value: object) -> Value:
    """The value of a yaku as a rule or an option writes it; one value leaves a side off on which it never counts."""
    agreed = catalog()[id_].value
    if value is True or value == "on":
        return agreed
    try:
        found = parse_value("off" if value is None or _is_among(value, _OFF) else value)
    except ValueError as error:
        raise CaseError("bad_value", f"{name}: {error}") from None
    if found.closed != found.open or not agreed.is_on:
        return found
    return Value(found.closed if agreed.closed.is_on else OFF, found.open if agreed.open.is_on else OFF)


def _paarenchan(words: Mapping) -> Changes:
    """Several streaks that end with one win count as often, unless paarenchan is off."""
    whole("rules.win_streak", words.get("win_streak"))
    count = whole("rules.paarenchan_count", words.get("paarenchan_count"), high=9)
    is_off = words.get("paarenchan") is not None and _is_among(words["paarenchan"], _OFF)
    return {"yaku.paarenchan": f"yakuman*{count}"} if count and not is_off else {}


def _single(changes: Changes, rules: Ruleset) -> Changes:
    """Without double yakuman a local yaku is one yakuman at most, and what only doubles another is not there."""
    single: Changes = {}
    for id_ in local_yaku():
        value = parse_value(changes.get(f"yaku.{id_}", rules.yaku_value(id_)))
        if max(value.closed.units, value.open.units) > 1:
            closed, open_ = (Worth(units=1) if worth.units else worth for worth in (value.closed, value.open))
            single[f"yaku.{id_}"] = Value(closed, open_)
    if "yaku.daichisei" in single and changes.get("yaku.daichisei.replaces_tsuuiisou"):
        single["yaku.daichisei"] = "off"
    return single


# -------------------------------------------------------------------------------------------- options of adopted yaku

# Options that have no key of their name, and values that are not one key's, by what they set.
_OPTIONS: dict[tuple[str, str], dict[object, Changes]] = {
    ("riichi", "min_tiles_left"): _choice("round.riichi_tiles_left", (0, 4)),
    ("ippatsu", "enabled"): {True: _adopted("ippatsu"), False: _dropped("ippatsu")},
    ("rinshan_kaihou", "tsumo_fu"): _switch("fu.rinshan_tsumo"),
    ("chiitoitsu", "fu_han"): {
        "25fu_2han": {"fu.chiitoitsu": 25, "yaku.chiitoitsu": "2/off"},
        "50fu_1han": {"fu.chiitoitsu": 50, "yaku.chiitoitsu": "1/off"},
    },
    ("suurenkou", "value"): {"8_han_incl_toitoi": {"yaku.suurenkou.counting": "with_toitoi"}},
    ("kinkei_dasshoku", "value"): {
        "plus_1": {"yaku.kinkei_dasshoku.counting": "plus_one_han"},
        "4_total": {"yaku.kinkei_dasshoku": "4", "yaku.kinkei_dasshoku.counting": "four_han_total"},
    },
    ("maneman", "steps"): {
        (): {"yaku.maneman.steps": "none"},
        (("7", "haneman"), ("9", "baiman")): {"yaku.maneman.steps": "haneman_at_7_baiman_at_9"},
    },
    # No ruleset here has liability for a replacement tile.
    ("rinshan_kaihou", "pao"): {True: {}, False: {}},
}


def _option(name: str, value: object, adopted: Iterable[str], liable: tuple[str, ...]) -> Changes:
    """The keys that `opt_NAME` of a case sets: option NAME of each adopted yaku that has it."""
    option = name.removeprefix("opt_")
    having = [id_ for id_ in adopted if _has_option(id_, option)]
    if not having:
        check_known("option of an adopted yaku", [name], _option_names(adopted))
    found: Changes = {}
    for id_ in having:
        key, special = f"yaku.{id_}.{option}", _OPTIONS.get((id_, option), {})
        if _is_liability(id_, option):
            if not _is_among(value, (True, False)):
                raise expected(name, value, "true or false")
            now = {*liable, id_} if value else {*liable} - {id_}
            liable = found["payment.liable"] = tuple(one for one in keys()["payment.liable"].items if one in now)
        elif (plain := _plain(value)) in special:
            found |= special[plain]
        elif option == "value":
            found[f"yaku.{id_}"] = _yaku_value(name, id_, value)
        elif key not in keys() or value is None:
            raise expected(name, value, f"one of {', '.join(map(shown, special))}" if special else "a value")
        else:
            is_switch = isinstance(keys()[key].default, bool)
            found[key] = bool(value) if is_switch and _is_among(value, (0, 1)) else value
    return found


def _has_option(id_: str, option: str) -> bool:
    is_key = option == "value" or f"yaku.{id_}.{option}" in keys()
    return is_key or (id_, option) in _OPTIONS or _is_liability(id_, option)


def _is_liability(id_: str, option: str) -> bool:
    return option == "pao" and id_ in keys()["payment.liable"].items


def _option_names(adopted: Iterable[str]) -> list[str]:
    names = [f"opt_{option}" for id_ in adopted for option in catalog()[id_].options]
    names += [f"opt_{option}" for id_, option in _OPTIONS if id_ in adopted]
    names += ["opt_pao" for id_ in adopted if _is_liability(id_, "pao")]
    return [*names, "opt_value"] if adopted else []


def _plain(value: object) -> object:
    """A value by which a table can be asked."""
    if isinstance(value, Mapping):
        return tuple(sorted((str(name), _plain(inner)) for name, inner in value.items()))
    if isinstance(value, list | tuple):
        return tuple(map(_plain, value))
    return value if isinstance(value, str | int | float | None) else shown(value)


def amender(rules: Ruleset) -> Amend:
    """`rules` with what a case sets on top; made once for each set of changes."""
    made: dict[str, Ruleset] = {}
    origin = {id_: rules.origin[f"yaku.{id_}"] for id_ in catalog()}
    changed = [id_ for id_, by in origin.items() if by in ("adopted", "amended") or by.startswith(f"yaku.{id_}.")]
    adopted = [id_ for id_ in changed if rules.yaku_value(id_).is_on]

    def amend(words: Mapping[str, object], options: Mapping[str, object]) -> Ruleset:
        changes = changes_of(words, rules)
        for name, value in options.items():
            changes |= _option(name, value, adopted, changes.get("payment.liable", rules["payment.liable"]))
        mark = repr(sorted(changes.items(), key=lambda change: change[0]))
        if mark not in made:
            try:
                made[mark] = rules.amend(changes)
            except RulesetError as error:
                raise CaseError("bad_value", str(error)) from None
        return made[mark]

    return amend
