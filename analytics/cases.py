"""Hand cases: single hands, one JSON object a line, scored one result a line.

A case comes in either of two writings, and in any mixture of them. The first has its circumstances at the top::

    {"id": "a", "hand": "23m456p11z", "melds": [{"type": "pon", "tiles": "777z", "from": "toimen"},
     {"type": "ankan", "tiles": "2222s"}], "win": "1m", "tsumo": false, "win_from": "kamicha", "seat": "E",
     "round": "S", "flags": ["houtei"], "dora_ind": ["3p"], "honba": 1, "sticks": 1, "rules": {"kiriage": true}}

The second has melds in the hand, and the facts of the log in `ctx`::

    {"hand": "23m456p11z (777z) [2222s]", "win": "1m", "by": "ron", "ctx": {"seat": "E", "last_tile": 1}}

What is not stated is not there: no seat, no wind yaku and not the dealer. `rules` go on top of the ruleset given.
A case's words are turned into the engine's here and nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from itertools import islice

import numpy as np
import orjson
import pyarrow as pa

from parsers.schema import MELD_KINDS

from .scoring import tiles
from .scoring.explain import explain, mpsz
from .scoring.hands import ALL_KNOWN, DORA_COLUMNS, FLAGS, Hands, flag_bit, tile_sums
from .scoring.limits import limit_name
from .scoring.ruleset import Ruleset, RulesetError, base, catalog, keys, ruleset
from .scoring.score import OK, STATUSES, score
from .scoring.values import LIMIT_BASE, Worth
from .settle import Situation, win_payments

WINDS = "ESWN"
NORTH = 30
_BATCH = 4096

Amend = Callable[[Mapping[str, object], Mapping[str, object]], Ruleset]
"""The ruleset of a case, from the keys its rules set and the options its `ctx` sets."""

# ------------------------------------------------------------------------------------------ the words of cases

YAKU_IDS = {
    "haku": "yakuhai_haku",
    "hatsu": "yakuhai_hatsu",
    "chun": "yakuhai_chun",
    "seat_wind": "yakuhai_seat",
    "round_wind": "yakuhai_round",
    "mentsumo": "menzen_tsumo",
    "chiitoi": "chiitoitsu",
    "rinshan": "rinshan_kaihou",
    "haitei": "haitei_raoyue",
    "houtei": "houtei_raoyui",
    "kokushi": "kokushi_musou",
    "kokushi_13": "kokushi_juusanmen",
    "chuuren": "chuuren_poutou",
    "chuuren_9": "junsei_chuuren_poutou",
}
"""Names that cases give yaku, where they differ from the ids."""

# Keys of a line that describe it and set nothing.
_DESCRIPTIONS = ("source", "origin", "note", "expect", "verdict")
_KEYS = (
    *("id", "hand", "melds", "win", "tsumo", "by", "win_from", "seat", "round", "players", "flags", "ctx"),
    *("dora_ind", "ura_ind", "nuki", "honba", "sticks", "rules", "pao", *_DESCRIPTIONS),
)
_MELD_KEYS = ("type", "tiles", "from", "called", "from_player")
_MELD_TYPES = {"chi": "chi", "pon": "pon", "minkan": "daiminkan", "ankan": "ankan", "kakan": "kakan"}

# Flags the engine takes as they are, and those of yaku that no ruleset plays yet.
_FLAGS = (*FLAGS, "renhou", "nagashi_mangan", "open_riichi", "tsubame_gaeshi", "kanburi")

_RIICHI = {
    "riichi": {"riichi"},
    "double": {"double_riichi"},
    "open": {"riichi", "open_riichi"},
    "open_double": {"double_riichi", "open_riichi"},
    "pon": set(),  # of an open hand: no riichi
    "tsumosen": {"riichi"},
    "bunbun": {"riichi", "open_riichi"},
}
_CTX_TRUTHS = ("riichi_tile", "after_kan_discard", "chankan", "rinshan", "last_tile", "discarder_in_riichi")
_CTX_COUNTS = (
    *("kan_chain", "own_draws", "own_discards", "calls_before", "opp_calls_before", "counter", "dealer_counter"),
    *("call_step", "visible_others", "total_han"),
)
_CTX = ("seat", "round", "riichi", "ippatsu_window", *_CTX_TRUTHS, *_CTX_COUNTS, "own_river", "rivers")

_LIABLE = ("daisangen", "daisuushii")
_DOUBLE_FORMS = ("kokushi_juusanmen", "junsei_chuuren_poutou", "suuankou_tanki", "daisuushii")


def _switch(key: str) -> dict[object, dict[str, object]]:
    return {True: {key: True}, False: {key: False}}


def _choice(key: str, values: Iterable[object]) -> dict[object, dict[str, object]]:
    return {value: {key: value} for value in values}


# What a rule of a case sets, by its value; of two that meet in a key the later here wins.
_RULES: dict[str, dict[object, dict[str, object]]] = {
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
}

# Rules of yaku and limits that are not played yet, with the values that ask for nothing.
_OFF = (False, "off", "none")
_NOT_PLAYED: dict[str, tuple[object, ...]] = {
    "local_yaku": _OFF,
    "renhou": _OFF,
    "daisharin": _OFF,
    "daichisei": _OFF,
    "daichisei_replaces_tsuuiisou": (True, False),
    "sashikomi_yakuman": _OFF,
    "paarenchan": _OFF,
    "paarenchan_needs_yaku": (True, False),
    "isshoku_sanjun": _OFF,
    "isshoku_sanjun_open_han": (*_OFF, 0),
    "uumensai_chiitoi": _OFF,
    "shiiaru_raotai_tsumo": _OFF,
    "aotenjou": _OFF,
}
# Of these, the ones that ask for nothing either where a hand lacks the circumstance.
_ASKS_ONLY_WITH = {"renhou": "renhou", "sashikomi_yakuman": "open_riichi"}

_RULE_FACTS = ("dora_count_given", "win_streak", "paarenchan_count", "players")
_RULE_DESCRIPTIONS = ("platform", "note", "options", "points_include_honba")
_RULE_KEYS = (*_RULES, *_NOT_PLAYED, *_RULE_FACTS, *_RULE_DESCRIPTIONS)


def yaku_id(name: str) -> str:
    """The id of a yaku that a case names.

    >>> yaku_id("chuuren_9"), yaku_id("tanyao")
    ('junsei_chuuren_poutou', 'tanyao')
    """
    return YAKU_IDS.get(name, name)


class CaseError(ValueError):
    """A case that cannot be scored, as `kind` and `detail` of its result."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind


# -------------------------------------------------------------------------------------------------- the public


def score_cases(lines: Iterable[str | bytes | Mapping], rules: Ruleset | str = "base") -> Iterator[dict]:
    """Results of hand cases, one for each line that is not blank, in order.

    A result is ``{"id", "yaku": [{"id", "han"} or {"id", "yakuman"}], "han", "fu", "fu_parts", "limit", "yakuman",
    "points", "payments", "reading"}``. `id` is the case's own, or the number of its line from 1. `han` counts the
    dora, which are listed after the yaku as `dora`, `ura_dora`, `aka_dora` and `nuki_dora`. A yakuman has null for
    `han` and `fu` and no `fu_parts`; `yakuman` is 0 for a counted one. `points` leave honba and sticks out.
    `payments` by wind have them in, and are absent where a ron does not say from whom; a winner whose seat is not
    stated sits south. Where the case has the winner's river, `draw_yaku` lists what it would be paid at a draw.

    What cannot be scored has ``{"id", "error"}`` instead, and mostly a `detail`: `not_winning`, `no_yaku`, or
    `bad_line` (no JSON object), `unknown_key`, `bad_value`, `bad_hand` (tiles that cannot be a hand),
    `contradiction` (circumstances that cannot meet), `unsupported_rule` (asks for what is not played yet). Nothing
    a line holds raises.

    Parameters
    ----------
    lines : iterable of str, bytes or mapping
        JSON text, or objects already read.
    rules : Ruleset or str
        The rules that hold where a case does not say otherwise. `opt_NAME` in a case's `ctx` sets option NAME of
        the yaku these rules have adopted.

    >>> case = {"id": "a", "hand": "234m567p34678s99p", "win": "5s", "by": "ron", "ctx": {"seat": "S"}}
    >>> next(score_cases([case]))["yaku"]
    [{'id': 'pinfu', 'han': 1}]
    """
    rules = ruleset(rules)
    amend = _amender(rules)
    numbered = enumerate(lines, start=1)
    while batch := list(islice(numbered, _BATCH)):
        yield from _results([_read(number, line, amend) for number, line in batch if not _is_blank(line)])


def read_case(line: str | bytes | Mapping, rules: Ruleset | str = "base") -> Case:
    """One case in the engine's terms.

    Raises
    ------
    CaseError
        It cannot be scored.
    """
    case = _read(1, line, _amender(ruleset(rules)))
    if isinstance(case, dict):
        raise CaseError(case["error"], case["detail"])
    return case


def _is_blank(line: object) -> bool:
    return isinstance(line, str | bytes) and not line.strip()


@dataclass
class Case:
    """A case in the engine's terms: tiles 0-36, kinds 0-33, seats from the dealer's 0."""

    id: object
    rules: Ruleset
    tiles: list[int]
    win_kind: int
    melds: list[tuple[int, int]]
    feeders: list[int]
    is_tsumo: bool
    loser: int | None
    seat: int | None
    round: int | None
    players: int
    honba: int
    sticks: int
    flags: set[str]
    dora: dict[str, int]
    is_nagashi: bool | None
    """Whether the winner's river is all terminals and honours; None where it is not stated."""

    @property
    def winner(self) -> int:
        """The seat that is paid: a winner whose seat is not stated sits south."""
        return 1 if self.seat is None else self.seat

    @property
    def is_closed(self) -> bool:
        return all(MELD_KINDS[kind] == "ankan" for kind, _ in self.melds)


def _results(read: list[Case | dict]) -> Iterator[dict]:
    """Results in the order of the cases, those under one ruleset scored together."""
    groups: dict[str, list[int]] = {}
    for index, case in enumerate(read):
        if isinstance(case, Case):
            groups.setdefault(case.rules.hash, []).append(index)
    results: list[dict] = [case if isinstance(case, dict) else {} for case in read]
    for members in groups.values():
        cases = [read[index] for index in members]
        for index, result in zip(members, _scored(cases, cases[0].rules), strict=True):
            results[index] = result
    yield from results


# ------------------------------------------------------------------------------------------- a case from a line


def _read(number: int, line: object, amend: Amend) -> Case | dict:
    """The case of a line, or the result that says why there is none."""
    id_: object = number
    try:
        case = line if isinstance(line, Mapping) else _decoded(line)
        if _is_id(case.get("id")):
            id_ = case["id"]
        return _case(id_, case, amend)
    except CaseError as error:
        return {"id": id_, "error": error.kind, "detail": str(error)}


def _decoded(line: object) -> Mapping:
    try:
        value = orjson.loads(line)
    except ValueError as error:
        raise CaseError("bad_line", f"not JSON: {error}") from None
    if not isinstance(value, dict):
        raise CaseError("bad_line", f"{_shown(value)} is not an object")
    return value


def _is_id(value: object) -> bool:
    """Whether a case can be named by this: a word or a whole number that JSON can write."""
    if not isinstance(value, str | int) or isinstance(value, bool):
        return False
    try:
        orjson.dumps(value)
    except TypeError:
        return False
    return True


def _shown(value: object) -> str:
    """A value of the line, shortened."""
    try:
        text = orjson.dumps(value).decode()
    except TypeError:  # no JSON: a mapping was given
        text = type(value).__name__
    return text if len(text) <= 60 else text[:57] + "..."


def _check_known(what: str, names: Iterable[object], known: Iterable[str]) -> None:
    known = tuple(known)
    for name in names:
        if name not in known:
            near = get_close_matches(name[:60], known, n=1, cutoff=0.4) if isinstance(name, str) else []
            nearest = f"; nearest: {near[0]!r}" if near else ""
            raise CaseError("unknown_key", f"no {what} {_shown(name)}{nearest}")


def _object(name: str, value: object) -> Mapping:
    if value is None:
        return {}
    if not isinstance(value, Mapping):
        raise CaseError("bad_value", f"{name} is {_shown(value)}, expected an object")
    return value


def _list(name: str, value: object) -> list:
    if value is None:
        return []
    if not isinstance(value, list | tuple):
        raise CaseError("bad_value", f"{name} is {_shown(value)}, expected a list")
    return list(value)


def _one_of(name: str, value: object, words: Iterable[str]) -> str | None:
    if value is None:
        return None
    if not isinstance(value, str) or value not in (words := tuple(words)):
        raise CaseError("bad_value", f"{name} is {_shown(value)}, expected one of {', '.join(words)}")
    return value


def _whole(name: str, value: object, *, low: int = 0, high: int = 999, missing: int | None = None) -> int | None:
    if value is None:
        return missing
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise CaseError("bad_value", f"{name} is {_shown(value)}, expected a whole number from {low} to {high}")
    return value


def _truth(name: str, value: object) -> bool | None:
    if value is None:
        return None
    if not isinstance(value, bool | int) or value not in (0, 1):
        raise CaseError("bad_value", f"{name} is {_shown(value)}, expected true or false")
    return bool(value)


def _agreed(name: str, *values: object) -> object:
    """What is said in several places, if it is the same."""
    said = {value for value in values if value is not None}
    if len(said) > 1:
        raise CaseError("contradiction", f"{name} is stated twice and differs")
    return said.pop() if said else None


def _wind(name: str, *words: object) -> int | None:
    word = _agreed(name, *(_one_of(name, value, WINDS) for value in words))
    return None if word is None else WINDS.index(word)


_GROUP = re.compile(r"\s*([0-9]+)([mpsz])\s*")


def _tiles(name: str, text: object, *, kind: str = "bad_hand") -> list[int]:
    """Tiles 0-36 of mpsz text."""
    found: list[int] = []
    at = 0
    while not isinstance(text, str) or at < len(text):
        group = _GROUP.match(text, at) if isinstance(text, str) else None
        if not group or (group[2] == "z" and not set(group[1]) <= set("1234567")):
            raise CaseError(kind, f"{name} is {_shown(text)}, expected tiles as in '123m0p7z'")
        suit = "mpsz".index(group[2])
        found += [34 + suit if number == "0" else 9 * suit + int(number) - 1 for number in group[1]]
        at = group.end()
    return found


_KINDS = tiles.KIND_OF_TILE.tolist()
_POINTED = {players: tiles.dora_of(players).tolist() for players in (3, 4)}


def _kind(tile: int) -> int:
    return _KINDS[tile]


def _one_tile(name: str, text: object) -> int:
    found = _tiles(name, text)
    if len(found) != 1:
        raise CaseError("bad_hand", f"{name} is {_shown(text)}, expected one tile")
    return found[0]


@dataclass
class _Meld:
    kind: int
    low: int
    tiles: list[int]
    fed_by: int | None = None
    """Steps in turn order from the winner to who fed it."""


def _case(id_: object, line: Mapping, amend: Amend) -> Case:
    ctx, words = _object("ctx", line.get("ctx")), _object("rules", line.get("rules"))
    flags = _list("flags", line.get("flags"))
    _check_known("key", line, _KEYS)
    options = {name: value for name, value in ctx.items() if isinstance(name, str) and name.startswith("opt_")}
    _check_known("key of ctx", (name for name in ctx if name not in options), _CTX)
    _check_known("rule", words, _RULE_KEYS)
    _check_known("flag", flags, _FLAGS)

    stated = (_whole("players", place.get("players"), low=3, high=4) for place in (line, words))
    players = _agreed("players", *stated) or 4
    seat = _wind("seat", line.get("seat"), ctx.get("seat"))
    if seat is not None and seat >= players:
        raise CaseError("contradiction", "three players have no north seat")
    is_tsumo = _is_tsumo(line)
    win_from = _step("win_from", line.get("win_from"), players)
    concealed, melds = _hand(line, players)
    concealed.append(_one_tile("win", line.get("win")))
    nuki = _whole("nuki", line.get("nuki"), high=4, missing=0)
    _check_tiles(concealed, melds, nuki)

    facts = set(flags) | _ctx_flags(ctx, is_tsumo=is_tsumo, seat=seat, is_unbroken=not melds and not nuki)
    if "open_riichi" in facts and "double_riichi" not in facts:
        facts.add("riichi")
    _check_circumstances(facts, is_tsumo=is_tsumo, win_from=win_from, seat=seat, melds=melds)
    changes = _changes(words, facts)

    liable = _liable(line.get("pao"), players)
    winner = 1 if seat is None else seat
    fed_by = [meld.fed_by if liable is None or MELD_KINDS[meld.kind] == "ankan" else liable for meld in melds]
    return Case(
        id=id_,
        rules=amend(changes, options),
        tiles=concealed,
        win_kind=_kind(concealed[-1]),
        melds=[(meld.kind, meld.low) for meld in melds],
        feeders=[-1 if step is None else (winner + step) % players for step in fed_by],
        is_tsumo=is_tsumo,
        loser=None if win_from is None else (winner + win_from) % players,
        seat=seat,
        round=_wind("round", line.get("round"), ctx.get("round")),
        players=players,
        honba=_whole("honba", line.get("honba"), missing=0),
        sticks=_whole("sticks", line.get("sticks"), missing=0),
        flags=facts,
        dora=_dora(line, words, concealed + [t for meld in melds for t in meld.tiles], nuki, players, facts),
        is_nagashi=True if "nagashi_mangan" in facts else _is_nagashi(ctx, seat),
    )


def _is_tsumo(line: Mapping) -> bool:
    by = _one_of("by", line.get("by"), ("ron", "tsumo"))
    is_tsumo = _agreed("tsumo", _truth("tsumo", line.get("tsumo")), None if by is None else by == "tsumo")
    if is_tsumo is None:
        raise CaseError("bad_value", "tsumo (or by) is missing: true for a self-draw, false for a ron")
    return is_tsumo


def _step(name: str, value: object, players: int) -> int | None:
    """Steps in turn order from the winner to a seat named by where it sits."""
    word = _one_of(name, value, ("kamicha", "toimen", "shimocha"))
    if word == "toimen" and players == 3:
        raise CaseError("contradiction", f"{name} is toimen, but three players have nobody opposite")
    return {None: None, "shimocha": 1, "toimen": 2, "kamicha": players - 1}[word]


_BRACKETS = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")


def _hand(line: Mapping, players: int) -> tuple[list[int], list[_Meld]]:
    """Concealed tiles without the winning one, and the melds, of the list and in the hand."""
    text = line.get("hand")
    melds = [_listed_meld(meld, players) for meld in _list("melds", line.get("melds"))]
    if isinstance(text, str):
        for match in _BRACKETS.finditer(text):
            called, kan = match[1], match[2]
            kinds = [_kind(tile) for tile in _tiles("hand", called or kan or "")]
            type_ = "ankan" if kan is not None else "minkan" if len(kinds) == 4 else None
            type_ = type_ or ("pon" if len(set(kinds)) == 1 else "chi")
            melds.append(_meld(type_, called or kan or ""))
        text = _BRACKETS.sub(" ", text)
    return _tiles("hand", text), melds


def _listed_meld(value: object, players: int) -> _Meld:
    value = _object("meld", value)
    _check_known("key of a meld", value, _MELD_KEYS)
    type_ = value.get("type")
    _check_known("type of meld", [type_], _MELD_TYPES)
    meld = _meld(type_, value.get("tiles"))
    from_player = _whole("from_player", value.get("from_player"), low=1, high=players - 1)
    meld.fed_by = _agreed("from", _step("from", value.get("from"), players), from_player)
    called = value.get("called")
    if type_ == "ankan" and (meld.fed_by is not None or called is not None):
        raise CaseError("contradiction", "a concealed kan was fed by nobody")
    if called is not None and _one_tile("called", called) not in meld.tiles:
        raise CaseError("bad_hand", f"called is {_shown(called)}, which is not among {_shown(value['tiles'])}")
    return meld


def _meld(type_: str, text: object) -> _Meld:
    found = _tiles("meld", text)
    kinds = sorted(map(_kind, found))
    low = kinds[0] if kinds else 0
    if type_ == "chi":
        is_one = low < 27 and low % 9 <= 6 and kinds == [low, low + 1, low + 2]
    else:
        is_one = kinds == [low] * (3 if type_ == "pon" else 4)
    if not is_one:
        raise CaseError("bad_hand", f"{_shown(text)} is no {type_}")
    return _Meld(MELD_KINDS.index(_MELD_TYPES[type_]), low, found)


def _check_tiles(concealed: list[int], melds: list[_Meld], nuki: int) -> None:
    if (n := len(concealed) + 3 * len(melds)) != 14:
        raise CaseError("bad_hand", f"{n} tiles with the winning one, each meld as three; a hand has 14")
    count = Counter(map(_kind, concealed + [tile for meld in melds for tile in meld.tiles]))
    count[NORTH] += nuki
    kind, most = count.most_common(1)[0]
    if most > 4:
        raise CaseError("bad_hand", f"{most} tiles {mpsz([kind])}")


def _ctx_flags(ctx: Mapping, *, is_tsumo: bool, seat: int | None, is_unbroken: bool) -> set[str]:
    """The facts of `ctx` as flags; those that no yaku reads are only checked."""
    is_true = {name: bool(_truth(name, ctx.get(name))) for name in (*_CTX_TRUTHS, "ippatsu_window")}
    count = {name: _whole(name, ctx.get(name)) for name in _CTX_COUNTS}
    flags = set(_RIICHI[_one_of("riichi", ctx.get("riichi"), _RIICHI) or "pon"])
    flags |= {name for name in ("chankan", "rinshan") if is_true[name]}
    if is_true["ippatsu_window"]:
        flags.add("ippatsu")
    # A replacement tile is not the last of the wall, and a robbed tile is no discard.
    if is_true["last_tile"] and not flags & {"chankan", "rinshan"}:
        flags.add("haitei" if is_tsumo else "houtei")
    is_first_draw = is_tsumo and count["own_discards"] == 0 and (count["own_draws"] or 1) == 1
    if is_first_draw and is_unbroken and not (count["calls_before"] or count["opp_calls_before"]):
        flags.add("tenhou" if seat == 0 else "chiihou")
    return flags


def _check_circumstances(
    flags: set[str], *, is_tsumo: bool, win_from: int | None, seat: int | None, melds: list[_Meld]
) -> None:
    in_riichi = not flags.isdisjoint({"riichi", "double_riichi"})
    is_open = any(MELD_KINDS[meld.kind] != "ankan" for meld in melds)
    first = flags & {"tenhou", "chiihou", "renhou"}
    clashes = {
        "ippatsu without riichi": "ippatsu" in flags and not in_riichi,
        "riichi with an open hand": in_riichi and is_open,
        "rinshan by ron": "rinshan" in flags and not is_tsumo,
        "haitei by ron": "haitei" in flags and not is_tsumo,
        "haitei on a replacement tile": {"haitei", "rinshan"} <= flags,
        "houtei by self-draw": "houtei" in flags and is_tsumo,
        "chankan by self-draw": "chankan" in flags and is_tsumo,
        "houtei on a robbed tile": {"houtei", "chankan"} <= flags,
        "tenhou of a non-dealer": "tenhou" in flags and seat not in (None, 0),
        "tenhou by ron": "tenhou" in flags and not is_tsumo,
        "chiihou of the dealer": "chiihou" in flags and seat == 0,
        "chiihou by ron": "chiihou" in flags and not is_tsumo,
        "renhou of the dealer": "renhou" in flags and seat == 0,
        "renhou by self-draw": "renhou" in flags and is_tsumo,
        f"{' and '.join(sorted(first))} with a meld": bool(first and melds),
        "a self-draw from another player": is_tsumo and win_from is not None,
    }
    for clash, is_there in clashes.items():
        if is_there:
            raise CaseError("contradiction", clash)


def _liable(value: object, players: int) -> int | None:
    """Steps from the winner to a seat stated as liable; it then counts as having fed every meld."""
    value = _object("pao", value)
    _check_known("key of pao", value, ("player", "liable", "yaku"))
    _one_of("pao.yaku", value.get("yaku"), catalog())
    player = _whole("pao.player", value.get("player"), low=1, high=players - 1)
    return _agreed("pao", player, _step("pao.liable", value.get("liable"), players))


def _dora(
    line: Mapping, words: Mapping, held: list[int], nuki: int, players: int, flags: set[str]
) -> dict[str, int]:
    """Dora of each kind in the hand; a number stated by the case stands for all of them."""
    given = _whole("dora_count_given", words.get("dora_count_given"), high=99)
    count = Counter(map(_kind, held))
    count[NORTH] += nuki
    pointed = _POINTED[players]
    shown = {}
    for name in ("dora_ind", "ura_ind"):
        indicators = _list(name, line.get(name))
        if len(indicators) > 5:
            raise CaseError("bad_hand", f"{len(indicators)} indicators as {name}; there are at most 5")
        shown[name] = [count[pointed[_kind(_one_tile(name, tile))]] for tile in indicators]
    if given is not None:
        return {"n_dora": given}
    if flags.isdisjoint({"riichi", "double_riichi"}):
        shown["ura_ind"] = []
    return {
        "n_dora": sum(shown["dora_ind"][:1]),
        "n_kan_dora": sum(shown["dora_ind"][1:]),
        "n_ura": sum(shown["ura_ind"][:1]),
        "n_kan_ura": sum(shown["ura_ind"][1:]),
        "n_aka": sum(tile >= tiles.N_KINDS for tile in held),
        "n_kita": nuki,
    }


def _is_nagashi(ctx: Mapping, seat: int | None) -> bool | None:
    """Whether the winner's river, if it is stated, is all terminals and honours. It shows no call of a discard."""
    stated = _object("rivers", ctx.get("rivers"))
    _check_known("river of", stated, WINDS)
    rivers = {wind: _tiles("river", river, kind="bad_value") for wind, river in stated.items()}
    own = rivers.get(WINDS[seat]) if seat is not None else None
    if ctx.get("own_river") is not None:
        own = _tiles("own_river", ctx["own_river"], kind="bad_value")
    if own is None:
        return None
    return bool(own) and all(tiles.BIT_OF_TILE[tile] & tiles.YAOCHUU for tile in own)


# -------------------------------------------------------------------------------------------- a case's own rules


def _changes(words: Mapping, flags: set[str]) -> dict[str, object]:
    """The keys that the rules of a case set.

    Raises
    ------
    CaseError
        A value that does not exist, or a rule that is not played yet and would matter.
    """
    changes: dict[str, object] = {}
    for name, by_value in _RULES.items():
        value = words.get(name)
        if value is None:
            continue
        if not isinstance(value, bool | int | str) or value not in by_value:
            expected = ", ".join(map(_shown, by_value))
            raise CaseError("bad_value", f"rules.{name} is {_shown(value)}, expected one of {expected}")
        changes |= by_value[value]
    for name, harmless in _NOT_PLAYED.items():
        value = words.get(name)
        if value is None or value in harmless or _ASKS_ONLY_WITH.get(name, "") not in {"", *flags}:
            continue
        raise CaseError("unsupported_rule", f"rules.{name} is {_shown(value)}, which is not played yet")
    for name in ("win_streak", "paarenchan_count"):
        _whole(name, words.get(name))
    return changes


def _amender(rules: Ruleset) -> Amend:
    """`rules` with what a case sets on top; made once for each set of changes."""
    made: dict[str, Ruleset] = {}
    changed = [id_ for id_ in catalog() if rules.origin[f"yaku.{id_}"] in ("adopted", "amended")]
    adopted = [id_ for id_ in changed if rules.yaku_value(id_).is_on]

    def amend(changes: Mapping[str, object], options: Mapping[str, object]) -> Ruleset:
        changes = dict(changes)
        for name, value in options.items():
            changes |= _option(name, value, adopted)
        # Several yakuman add up to more than one only where no cap stands in the way.
        if changes.get("limits.multiple_yakuman") and rules["limits.yakuman_cap"] == 1:
            changes.setdefault("limits.yakuman_cap", base()["limits.yakuman_cap"])
        mark = repr(sorted(changes.items()))
        if mark not in made:
            try:
                made[mark] = rules.amend(changes)
            except RulesetError as error:
                raise CaseError("bad_value", str(error)) from None
        return made[mark]

    return amend


def _option(name: str, value: object, adopted: list[str]) -> dict[str, object]:
    """The keys that `opt_NAME` of a case sets: option NAME of each adopted yaku that has it."""
    option = name.removeprefix("opt_")
    known = [key for id_ in adopted if (key := f"yaku.{id_}.{option}") in keys() or option == "value"]
    if not known:
        options = [
            f"opt_{key.rpartition('.')[2]}" for key in keys() for id_ in adopted if key.startswith(f"yaku.{id_}.")
        ]
        _check_known("option of an adopted yaku", [name], [*options, "opt_value"] if adopted else [])
    if not isinstance(value, bool | str) and _whole(name, value, low=-999) is None:
        raise CaseError("bad_value", f"{name} is null, expected true or false, a number or a word")
    changes = {}
    for key in known:
        is_switch = key in keys() and isinstance(keys()[key].default, bool)
        changes[key] = bool(value) if is_switch and value in (0, 1) else value
    return changes


# ------------------------------------------------------------------------------------------------ cases as columns


def hands_of(cases: list[Case]) -> Hands:
    """The hands of cases, one row each."""
    suits, honours, kinds = tile_sums(pa.array([case.tiles for case in cases], pa.list_(pa.uint8())))
    meld_kind, meld_tile = np.full((len(cases), 4), -1, np.int8), np.zeros((len(cases), 4), np.uint8)
    for row, case in enumerate(cases):
        for slot, (kind, low) in enumerate(case.melds):
            meld_kind[row, slot], meld_tile[row, slot] = kind, low
    flags = [sum(int(flag_bit(name)) for name in case.flags if name in FLAGS) for case in cases]
    return Hands(
        suits=suits,
        honours=honours,
        concealed=kinds,
        meld_kind=meld_kind,
        meld_tile=meld_tile,
        win_kind=np.array([case.win_kind for case in cases], np.uint8),
        is_tsumo=np.array([case.is_tsumo for case in cases], bool),
        seat_wind=np.array([-1 if case.seat is None else case.seat for case in cases], np.int8),
        round_wind=np.array([-1 if case.round is None else case.round for case in cases], np.int8),
        players=np.array([case.players for case in cases], np.int8),
        flags=np.array(flags, np.uint64),
        known=np.full(len(cases), ALL_KNOWN, np.uint64),
        **{name: np.array([case.dora.get(name, 0) for case in cases], np.uint8) for name in DORA_COLUMNS},
    )


def situation_of(cases: list[Case]) -> Situation:
    """Where the wins stand: seats by wind, east deals. An unknown discarder is whoever sits next."""
    losers = [-1 if c.is_tsumo else (c.winner + 1) % c.players if c.loser is None else c.loser for c in cases]
    feeder = np.full((len(cases), 4), -1)
    for row, case in enumerate(cases):
        feeder[row, : len(case.feeders)] = case.feeders
    return Situation(
        winner=np.array([case.winner for case in cases]),
        loser=np.array(losers),
        dealer=np.zeros(len(cases), np.int64),
        players=np.array([case.players for case in cases]),
        honba=np.array([case.honba for case in cases]),
        sticks=np.array([case.sticks for case in cases]),
        feeder=feeder,
    )


_DORA_IDS = {"dora": (0, 1), "ura_dora": (2, 3), "aka_dora": (4,), "nuki_dora": (5,)}
_LIMIT_OF_FLOOR = {floor: name for name, floor in LIMIT_BASE.items()}


def _scored(cases: list[Case], rules: Ruleset) -> list[dict]:
    """Results of cases that share a ruleset."""
    [scores] = score(hands_of(cases), [rules])
    pays = win_payments(scores, situation_of(cases))
    paid = np.flatnonzero(scores.status == OK)
    explanations = dict(zip(paid.tolist(), explain(scores, paid), strict=True))
    results = []
    for row, case in enumerate(cases):
        result: dict[str, object] = {"id": case.id}
        if row in explanations:
            units, limit = int(scores.units[row]), int(scores.limit[row])
            held = [id_ for id_, holds in zip(scores.played.yaku, scores.holds[row], strict=True) if holds]
            result["yaku"] = [_worth(id_, rules, is_closed=case.is_closed) for id_ in held]
            if not units:
                han = {id_: int(scores.dora_han[row, columns].sum()) for id_, columns in _DORA_IDS.items()}
                result["yaku"] += [{"id": id_, "han": n} for id_, n in han.items() if n]
            result["han"] = None if units else int(scores.han[row])
            result["fu"] = None if units else int(scores.fu[row])
            result["fu_parts"] = [list(part) for part in explanations[row].fu_parts]
            result["limit"] = limit_name(limit, units)
            result["yakuman"] = units
            result["points"] = int(scores.points[row])
            if case.is_tsumo or case.loser is not None:
                result["payments"] = {WINDS[seat]: int(pays[row, seat]) for seat in range(case.players)}
            result["reading"] = explanations[row].reading
        else:
            result["error"] = STATUSES[scores.status[row]]
        if case.is_nagashi is not None:
            result["draw_yaku"] = _draw_yaku(case, rules)
        results.append(result)
    return results


def _worth(id_: str, rules: Ruleset, *, is_closed: bool) -> dict[str, object]:
    """A yaku with what the ruleset gives for it: han, yakuman units, or the limit it lifts the hand to."""
    value = rules.yaku_value(id_)
    worth: Worth = value.closed if is_closed else value.open
    if worth.units:
        return {"id": id_, "yakuman": worth.units}
    if worth.floor:
        added = {"han": worth.han} if worth.han else {}
        return {"id": id_, "limit": _LIMIT_OF_FLOOR[worth.floor], **added}
    return {"id": id_, "han": worth.han}


def _draw_yaku(case: Case, rules: Ruleset) -> list[dict]:
    """What the winner's river would be paid for at a draw."""
    value = rules.yaku_value("nagashi_mangan")
    worth = value.closed if case.is_closed else value.open
    is_allowed = case.is_closed or not rules["yaku.nagashi_mangan.own_hand_closed"]
    if not (case.is_nagashi and worth.is_on and is_allowed):
        return []
    return [_worth("nagashi_mangan", rules, is_closed=case.is_closed)]
