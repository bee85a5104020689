"""Hand cases: single hands, one JSON object a line, scored one result a line.

A case comes in either of two writings, and in any mixture of them. The first has its circumstances at the top::

    {"id": "a", "hand": "23m456p11z", "melds": [{"type": "pon", "tiles": "777z", "from": "toimen"},
     {"type": "ankan", "tiles": "2222s"}], "win": "1m", "tsumo": false, "win_from": "kamicha", "seat": "E",
     "round": "S", "flags": ["houtei"], "dora_ind": ["3p"], "honba": 1, "sticks": 1, "rules": {"kiriage": true}}

The second has melds in the hand, and the facts of the log in `ctx`::

    {"hand": "23m456p11z (777z) [2222s]", "win": "1m", "by": "ron", "ctx": {"seat": "E", "last_tile": 1}}

What is not stated is not there: no seat, no wind yaku and not the dealer; only that nobody called is taken for granted.
`rules` go on top of the ruleset given. A case's words are turned into the engine's here, and those of its rules in
`case_rules`, and nowhere else.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import islice

import numpy as np
import orjson
import pyarrow as pa

from parsers.schema import MELD_KINDS

from . import maneman
from .case_rules import RULE_KEYS, Amend, amender
from .case_words import (
    WINDS,
    CaseError,
    agreed,
    check_known,
    list_of,
    object_of,
    one_of,
    shown,
    truth,
    whole,
    wind,
)
from .scoring import tiles
from .scoring.explain import explain, mpsz
from .scoring.hands import ALL_KNOWN, DORA_COLUMNS, FLAGS, Hands, flag_bit, tile_sums
from .scoring.limits import limit_name
from .scoring.ruleset import Ruleset, catalog, ruleset
from .scoring.score import OK, STATUSES, score
from .scoring.values import LIMIT_BASE, Value, Worth
from .settle import Situation, win_payments

EAST, NORTH, HAKU = 27, 30, 31
_BATCH = 4096

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
    "chinryuusou": "junsei_ryuuiisou",
    "touhoku_shinkansen": "tohoku_shinkansen",
    "ishi_no_ue_ni_mo_sannen": "ishino_uenimo_sannen",
    "chinchii_toushii": "kinkei_dasshoku",
    "sashikomi": "open_riichi_deal_in",
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

# Flags of cases that are circumstances of the engine under another name, or several of them.
_IMPLIED: dict[str, tuple[str, ...]] = {
    "tenhou": ("no_own_discard", "no_calls", "no_opponent_calls"),
    "chiihou": ("no_own_discard", "no_calls", "no_opponent_calls"),
    "renhou": ("no_own_draw", "no_own_discard", "no_calls", "no_opponent_calls"),
    "tsubame_gaeshi": ("declaration_tile",),
    "kanburi": ("after_kan_discard",),
    "haitei": ("last_tile",),
    "houtei": ("last_tile",),
    "nagashi_mangan": (),
}
_FLAGS = tuple(dict.fromkeys((*FLAGS, *_IMPLIED)))

_RIICHI = {
    "riichi": {"riichi"},
    "double": {"double_riichi"},
    "open": {"riichi", "open_riichi"},
    "open_double": {"double_riichi", "open_riichi"},
    "pon": {"pon_riichi"},  # of an open hand: no riichi
    "tsumosen": {"riichi", "tsumosen_riichi"},
    "bunbun": {"riichi", "open_riichi", "bunbun_riichi"},
}
_RIICHI_TILE = {"double": {"declaration_tile", "double_declaration"}, "replacement": {"replacement_sideways"}}
_LOSER_IN_RIICHI = {"loser_riichi", "loser_riichi_before_open", "riichi_before"}
_CTX_TRUTHS = ("after_kan_discard", "chankan", "rinshan", "last_tile", "discarder_in_riichi", "ippatsu_window")
_CTX_COUNTS = (
    *("own_draws", "own_discards", "calls_before", "opp_calls_before", "counter", "dealer_counter"),
    *("call_step", "visible_others", "total_han"),
)
_CTX = ("seat", "round", "riichi", "riichi_tile", "kan_chain", *_CTX_TRUTHS, *_CTX_COUNTS, "own_river", "rivers")


def yaku_id(name: str) -> str:
    """The id of a yaku that a case names.

    >>> yaku_id("chuuren_9"), yaku_id("tanyao")
    ('junsei_chuuren_poutou', 'tanyao')
    """
    return YAKU_IDS.get(name, name)


# -------------------------------------------------------------------------------------------------- the public


def score_cases(lines: Iterable[str | bytes | Mapping], rules: Ruleset | str = "base") -> Iterator[dict]:
    """Results of hand cases, one for each line that is not blank, in order.

    A result is ``{"id", "yaku": [{"id", "han"} or {"id", "yakuman"}], "han", "fu", "fu_parts", "limit", "yakuman",
    "points", "payments", "reading"}``. `id` is the case's own, or the number of its line from 1. `han` counts the
    dora, which are listed after the yaku as `dora`, `ura_dora`, `aka_dora` and `nuki_dora`. A yakuman has null for
    `han` and `fu` and no `fu_parts`; `yakuman` is 0 for a counted one. A yaku that lifts the hand to a limit has
    `limit`, and where that limit decided it stands alone: `han` and `fu` are then those of the count it beat. `points`
    leave honba and sticks out. `payments` by wind have them in, and are absent where a ron does not say from whom; a
    winner whose seat is not stated sits south. Where the case has the winner's river, `draw_yaku` lists what that
    would be paid: `nagashi_mangan`, and `maneman` with whom it imitates as `from` and when it is paid as `trigger`.

    What cannot be scored has ``{"id", "error"}`` instead, and mostly a `detail`: `not_winning`, `no_yaku`, or
    `bad_line` (no JSON object), `unknown_key`, `bad_value`, `bad_hand` (tiles that cannot be a hand),
    `contradiction` (circumstances that cannot meet), `unsupported_rule` (asks for what is not played). Nothing a line
    holds raises.

    Parameters
    ----------
    lines : iterable of str, bytes or mapping
        JSON text, or objects already read.
    rules : Ruleset or str
        The rules that hold where a case does not say otherwise. `opt_NAME` in a case's `ctx` sets option NAME of
        the yaku these rules have adopted.

    Raises
    ------
    RulesetError
        The rules are incomplete.

    >>> case = {"id": "a", "hand": "234m567p34678s99p", "win": "5s", "by": "ron", "ctx": {"seat": "S"}}
    >>> next(score_cases([case]))["yaku"]
    [{'id': 'pinfu', 'han': 1}]
    """
    rules = ruleset(rules)
    rules.check_complete()
    amend = amender(rules)
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
    case = _read(1, line, amender(ruleset(rules)))
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
    own_river: list[int] | None = None
    """The winner's discards, None where they are not stated."""
    rivers: dict[int, list[int]] = field(default_factory=dict)
    """The other players' discards, by seat."""
    is_broken_after: int | None = None
    """After how many discards of the winner a call was made; None where none is told of."""

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
        raise CaseError("bad_line", f"{shown(value)} is not an object")
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


_GROUP = re.compile(r"\s*([0-9]+)([mpsz])\s*")


def _tiles(name: str, text: object, *, kind: str = "bad_hand") -> list[int]:
    """Tiles 0-36 of mpsz text."""
    found: list[int] = []
    at = 0
    while not isinstance(text, str) or at < len(text):
        group = _GROUP.match(text, at) if isinstance(text, str) else None
        if not group or (group[2] == "z" and not set(group[1]) <= set("1234567")):
            raise CaseError(kind, f"{name} is {shown(text)}, expected tiles as in '123m0p7z'")
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
        raise CaseError("bad_hand", f"{name} is {shown(text)}, expected one tile")
    return found[0]


@dataclass
class _Meld:
    kind: int
    low: int
    tiles: list[int]
    fed_by: int | None = None
    """Steps in turn order from the winner to who fed it."""


def _case(id_: object, line: Mapping, amend: Amend) -> Case:
    ctx, words = object_of("ctx", line.get("ctx")), object_of("rules", line.get("rules"))
    said = list_of("flags", line.get("flags"))
    check_known("key", line, _KEYS)
    options = {name: value for name, value in ctx.items() if isinstance(name, str) and name.startswith("opt_")}
    check_known("key of ctx", (name for name in ctx if name not in options), _CTX)
    check_known("rule", words, RULE_KEYS)
    check_known("flag", said, _FLAGS)

    stated = (whole("players", place.get("players"), low=3, high=4) for place in (line, words))
    players = agreed("players", *stated) or 4
    seat = wind("seat", line.get("seat"), ctx.get("seat"))
    if seat is not None and seat >= players:
        raise CaseError("contradiction", "three players have no north seat")
    is_tsumo = _is_tsumo(line)
    win_from = _step("win_from", line.get("win_from"), players)
    concealed, melds = _hand(line, players)
    concealed.append(_one_tile("win", line.get("win")))
    nuki = whole("nuki", line.get("nuki"), high=4, missing=0)
    _check_tiles(concealed, melds, nuki)
    held = concealed + [tile for meld in melds for tile in meld.tiles]

    winner = 1 if seat is None else seat
    loser = None if win_from is None else (winner + win_from) % players
    flags = _flags(
        ctx, set(said), is_tsumo=is_tsumo, seat=seat, loser=loser, melds=melds, is_unbroken=not melds and not nuki
    )
    _check_circumstances(flags, is_tsumo=is_tsumo, win_from=win_from, seat=seat, melds=melds, nuki=nuki)
    _check_turns(ctx, melds)
    flags |= _runs_of_wins(ctx, words, seat)
    flags |= {name for tile, name in _RED_FLAGS.items() if tile in held}

    rules = amend(words, options)
    fed_by = _fed_by(line.get("pao"), melds, players)
    own_river, rivers = _rivers(ctx, seat)
    case = Case(
        id=id_,
        rules=_in_run(rules, ctx, seat),
        tiles=concealed,
        win_kind=_kind(concealed[-1]),
        melds=[(meld.kind, meld.low) for meld in melds],
        feeders=[-1 if step is None else (winner + step) % players for step in fed_by],
        is_tsumo=is_tsumo,
        loser=loser,
        seat=seat,
        round=wind("round", line.get("round"), ctx.get("round")),
        players=players,
        honba=whole("honba", line.get("honba"), missing=0),
        sticks=whole("sticks", line.get("sticks"), missing=0),
        flags=flags,
        dora=_dora(line, words, held, nuki, players, flags),
        own_river=own_river,
        rivers=rivers,
        is_broken_after=_is_broken_after(ctx, melds),
    )
    return _with_floor_of_imitation(case)


def _is_tsumo(line: Mapping) -> bool:
    by = one_of("by", line.get("by"), ("ron", "tsumo"))
    is_tsumo = agreed("tsumo", truth("tsumo", line.get("tsumo")), None if by is None else by == "tsumo")
    if is_tsumo is None:
        raise CaseError("bad_value", "tsumo (or by) is missing: true for a self-draw, false for a ron")
    return is_tsumo


def _step(name: str, value: object, players: int) -> int | None:
    """Steps in turn order from the winner to a seat named by where it sits."""
    word = one_of(name, value, ("kamicha", "toimen", "shimocha"))
    if word == "toimen" and players == 3:
        raise CaseError("contradiction", f"{name} is toimen, but three players have nobody opposite")
    return {None: None, "shimocha": 1, "toimen": 2, "kamicha": players - 1}[word]


_BRACKETS = re.compile(r"\(([^()\[\]]*)\)|\[([^()\[\]]*)\]")


def _hand(line: Mapping, players: int) -> tuple[list[int], list[_Meld]]:
    """Concealed tiles without the winning one, and the melds, of the list and in the hand."""
    text = line.get("hand")
    melds = [_listed_meld(meld, players) for meld in list_of("melds", line.get("melds"))]
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
    value = object_of("meld", value)
    check_known("key of a meld", value, _MELD_KEYS)
    type_ = value.get("type")
    check_known("type of meld", [type_], _MELD_TYPES)
    meld = _meld(type_, value.get("tiles"))
    from_player = whole("from_player", value.get("from_player"), low=1, high=players - 1)
    meld.fed_by = agreed("from", _step("from", value.get("from"), players), from_player)
    called = value.get("called")
    if type_ == "ankan" and (meld.fed_by is not None or called is not None):
        raise CaseError("contradiction", "a concealed kan was fed by nobody")
    if type_ == "chi" and (players == 3 or meld.fed_by not in (None, players - 1)):
        raise CaseError("contradiction", "chi among three players" if players == 3 else "chi from another than kamicha")
    if called is not None and _one_tile("called", called) not in meld.tiles:
        raise CaseError("bad_hand", f"called is {shown(called)}, which is not among {shown(value['tiles'])}")
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
        raise CaseError("bad_hand", f"{shown(text)} is no {type_}")
    return _Meld(MELD_KINDS.index(_MELD_TYPES[type_]), low, found)


def _check_tiles(concealed: list[int], melds: list[_Meld], nuki: int) -> None:
    if (n := len(concealed) + 3 * len(melds)) != 14:
        raise CaseError("bad_hand", f"{n} tiles with the winning one, each meld as three; a hand has 14")
    count = Counter(map(_kind, concealed + [tile for meld in melds for tile in meld.tiles]))
    count[NORTH] += nuki
    kind, most = count.most_common(1)[0]
    if most > 4:
        raise CaseError("bad_hand", f"{most} tiles {mpsz([kind])}")


def _flags(
    ctx: Mapping,
    said: set[str],
    *,
    is_tsumo: bool,
    seat: int | None,
    loser: int | None,
    melds: list[_Meld],
    is_unbroken: bool,
) -> set[str]:
    """The circumstances of a case, those of its flags and those of its `ctx`; what is not stated is not there.

    That no call was made is the one thing taken for granted.
    """
    is_true = {name: bool(truth(name, ctx.get(name))) for name in _CTX_TRUTHS}
    count = {name: whole(name, ctx.get(name)) for name in _CTX_COUNTS}
    if "renhou" in said:
        count["own_draws"] = agreed("own_draws", 0, count["own_draws"])
    flags = said | _RIICHI.get(one_of("riichi", ctx.get("riichi"), _RIICHI), set())
    flags |= _riichi_tile(ctx.get("riichi_tile"))
    flags |= {name for name in ("chankan", "rinshan", "last_tile", "after_kan_discard") if is_true[name]}
    flags |= {f"kan_chain_{n}" for n in range(2, whole("kan_chain", ctx.get("kan_chain"), high=4, missing=0) + 1)}
    if is_true["ippatsu_window"]:
        flags.add("ippatsu")
    if is_true["discarder_in_riichi"]:
        flags |= _LOSER_IN_RIICHI
    if "open_riichi" in flags and "double_riichi" not in flags:
        flags.add("riichi")
    # A replacement tile is not the last of the wall, and a robbed tile is no discard.
    if is_true["last_tile"] and not flags & {"chankan", "rinshan"}:
        flags.add("haitei" if is_tsumo else "houtei")
    kans = [MELD_KINDS[meld.kind] for meld in melds if "kan" in MELD_KINDS[meld.kind]]
    if "rinshan" in flags and kans and set(kans) == {"ankan"}:
        flags.add("concealed_kan_chain")
    if count["visible_others"] == 3:
        flags.add("last_copy")
    if loser == 0 and seat is not None:
        flags.add("loser_dealer")

    n_calls = count["calls_before"] or 0
    n_of_others = n_calls if count["opp_calls_before"] is None else count["opp_calls_before"]
    if not n_of_others:
        flags.add("no_opponent_calls")
    if is_unbroken and not n_calls and not n_of_others:
        flags |= {"no_calls"} | _first_turns(count, is_tsumo=is_tsumo, seat=seat, loser=loser)
    flags |= {name for name, seen in _NONE_OWN.items() if count[seen] == 0}
    return flags | {implied for name in flags for implied in _IMPLIED.get(name, ())}


_NONE_OWN = {"no_own_draw": "own_draws", "no_own_discard": "own_discards"}
_RED_FLAGS = {34: "red_man", 35: "red_pin", 36: "red_sou"}


def _first_turns(count: Mapping[str, int | None], *, is_tsumo: bool, seat: int | None, loser: int | None) -> set[str]:
    """What a win so early in an unbroken round is."""
    draws, discards = count["own_draws"], count["own_discards"]
    if is_tsumo:
        return {"tenhou" if seat == 0 else "chiihou"} if discards == 0 and draws in (None, 1) else set()
    flags = set()
    if (draws, discards) != (None, None) and max(draws or 0, discards or 0) <= 1:
        flags.add("first_go_around")
    # Before south draws, nobody but the dealer has discarded.
    if draws == 0 and (seat == 1 if loser is None else loser == 0):
        flags.add("dealer_first_discard")
    return flags


def _riichi_tile(value: object) -> set[str]:
    """How the winning tile lay in the discarder's river: it declared riichi, or stands for the tile that did."""
    if isinstance(value, str):
        return _RIICHI_TILE[one_of("riichi_tile", value, _RIICHI_TILE)]
    return {"declaration_tile"} if truth("riichi_tile", value) else set()


def _runs_of_wins(ctx: Mapping, words: Mapping, seat: int | None) -> set[str]:
    """What this win makes of the winner's run of wins, and what it ends of another's.

    `counter` is the run before this win, `win_streak` has it in; both are of the definition that the rules play.
    """
    streak = whole("win_streak", words.get("win_streak"))
    run = agreed("counter", whole("counter", ctx.get("counter")), streak - 1 if streak else None)
    if whole("paarenchan_count", words.get("paarenchan_count")):
        run = 7
    flags = set()
    if run is not None and run >= 7:
        flags |= {f"beyond_eighth_{definition}" for definition in (1, 2, 3)}
        if run % 8 == 7:
            flags |= {f"eighth_{definition}" for definition in (1, 2, 3)}
    of_dealer = whole("dealer_counter", ctx.get("dealer_counter"))
    if of_dealer is not None and of_dealer % 8 == 7 and seat != 0:
        flags |= {*(f"dealer_eighth_{definition}" for definition in (1, 2, 3)), "holder_eighth_1"}
    return flags


def _in_run(rules: Ruleset, ctx: Mapping, seat: int | None) -> Ruleset:
    """The ruleset in force: from the sixth hand of a run the dealer may need two han."""
    needs_two = rules.yaku_value("paarenchan").is_on and rules["yaku.paarenchan.ryanhan_shibari"] != "off"
    if needs_two and seat == 0 and (ctx.get("counter") or 0) >= 5 and rules["round.minimum_han"] < 2:
        return rules.amend({"round.minimum_han": 2})
    return rules


def _rivers(ctx: Mapping, seat: int | None) -> tuple[list[int] | None, dict[int, list[int]]]:
    """The winner's river, if it is stated, and those of others by seat."""
    stated = object_of("rivers", ctx.get("rivers"))
    check_known("river of", stated, WINDS)
    rivers = {WINDS.index(wind): _tiles("river", river, kind="bad_value") for wind, river in stated.items()}
    own = rivers.pop(seat, None) if seat is not None else None
    if ctx.get("own_river") is not None:
        own = _tiles("own_river", ctx["own_river"], kind="bad_value")
    return own, rivers


def _is_broken_after(ctx: Mapping, melds: list[_Meld]) -> int | None:
    """The number of own discards after which a call was made, as far as it is told; None where none was."""
    step = whole("call_step", ctx.get("call_step"))
    n_calls = (whole("calls_before", ctx.get("calls_before")) or 0) + (ctx.get("opp_calls_before") or 0)
    if step is None and (n_calls or any(MELD_KINDS[meld.kind] != "ankan" for meld in melds)):
        return 0
    return step


def _check_circumstances(
    flags: set[str], *, is_tsumo: bool, win_from: int | None, seat: int | None, melds: list[_Meld], nuki: int
) -> None:
    in_riichi = not flags.isdisjoint({"riichi", "double_riichi"})
    is_open = any(MELD_KINDS[meld.kind] != "ankan" for meld in melds)
    has_replacement = nuki or any("kan" in MELD_KINDS[meld.kind] for meld in melds)
    first, last = flags & {"tenhou", "chiihou", "renhou"}, flags & {"haitei", "houtei", "rinshan", "chankan"}
    clashes = {
        "ippatsu without riichi": "ippatsu" in flags and not in_riichi,
        "riichi with an open hand": in_riichi and is_open,
        "rinshan by ron": "rinshan" in flags and not is_tsumo,
        "haitei by ron": "haitei" in flags and not is_tsumo,
        "haitei on a replacement tile": {"haitei", "rinshan"} <= flags,
        "rinshan without a kan or a north set aside": "rinshan" in flags and not has_replacement,
        "ippatsu after a kan of one's own": {"ippatsu", "rinshan"} <= flags,
        "houtei by self-draw": "houtei" in flags and is_tsumo,
        "chankan by self-draw": "chankan" in flags and is_tsumo,
        "houtei on a robbed tile": {"houtei", "chankan"} <= flags,
        "a robbed tile that declared riichi": {"chankan", "declaration_tile"} <= flags,
        "tenhou of a non-dealer": "tenhou" in flags and seat not in (None, 0),
        "tenhou by ron": "tenhou" in flags and not is_tsumo,
        "chiihou of the dealer": "chiihou" in flags and seat == 0,
        "chiihou by ron": "chiihou" in flags and not is_tsumo,
        "renhou of the dealer": "renhou" in flags and seat == 0,
        "renhou by self-draw": "renhou" in flags and is_tsumo,
        f"{' and '.join(sorted(first))} at once": len(first) > 1,
        f"{' and '.join(sorted(first))} with a meld": bool(first and melds),
        f"{' and '.join(sorted(first))} with a north set aside": bool(first and nuki),
        f"{' and '.join(sorted(first))} in riichi": bool(first - {"renhou"} and in_riichi),
        f"{' and '.join(sorted(first))} with {' and '.join(sorted(last))}": bool(first and last),
        "a self-draw from another player": is_tsumo and win_from is not None,
    }
    for clash, is_there in clashes.items():
        if is_there:
            raise CaseError("contradiction", clash)


def _check_turns(ctx: Mapping, melds: list[_Meld]) -> None:
    """A discard follows a draw or a call; whether the dealer's fourteenth tile is one, sources see differently."""
    draws, discards = (whole(name, ctx.get(name)) for name in ("own_draws", "own_discards"))
    n_called = sum(MELD_KINDS[meld.kind] != "ankan" for meld in melds)
    if draws is not None and discards is not None and discards > draws + n_called + 1:
        raise CaseError("contradiction", f"{discards} own discards after {draws} own draws")


_LIABLE_FOR = {
    "daisangen": lambda meld: meld.low >= HAKU,
    "daisuushii": lambda meld: EAST <= meld.low <= NORTH,
    "suukantsu": lambda meld: "kan" in MELD_KINDS[meld.kind],
}
"""The melds that make the feeder of the last of them liable for a yaku; of others, all melds."""


def _fed_by(pao: object, melds: list[_Meld], players: int) -> list[int | None]:
    """Steps from the winner to who fed each meld; a seat stated as liable fed those that make it so."""
    pao = object_of("pao", pao)
    check_known("key of pao", pao, ("player", "liable", "yaku"))
    yaku = one_of("pao.yaku", pao.get("yaku"), catalog())
    player = whole("pao.player", pao.get("player"), low=1, high=players - 1)
    liable = agreed("pao", player, _step("pao.liable", pao.get("liable"), players))
    counts = _LIABLE_FOR.get(yaku, lambda meld: True)
    return [
        meld.fed_by if liable is None or MELD_KINDS[meld.kind] == "ankan" or not counts(meld) else liable
        for meld in melds
    ]


def _dora(line: Mapping, words: Mapping, held: list[int], nuki: int, players: int, flags: set[str]) -> dict[str, int]:
    """Dora of each kind in the hand; a number stated by the case stands for all of them."""
    given = whole("dora_count_given", words.get("dora_count_given"), high=99)
    count = Counter(map(_kind, held))
    count[NORTH] += nuki
    pointed = _POINTED[players]
    shown = {}
    for name in ("dora_ind", "ura_ind"):
        indicators = list_of(name, line.get(name))
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


# ------------------------------------------------------------------------------------------------ cases as columns


def hands_of(cases: list[Case]) -> Hands:
    """The hands of cases, one row each."""
    suits, honours, kinds, _ = tile_sums(pa.array([case.tiles for case in cases], pa.list_(pa.uint8())))
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
            result["yaku"] = [_listed(id_, worth) for id_, worth in scores.worth(row).items()]
            if not units and not scores.by_floor[row]:
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
        if case.own_river is not None or "nagashi_mangan" in case.flags:
            result["draw_yaku"] = [*_nagashi_mangan(case, rules), *_maneman(case, rules)]
        results.append(result)
    return results


def _listed(id_: str, worth: Worth) -> dict[str, object]:
    """A yaku with what it is worth: yakuman units, or han, or the limit it lifts the hand to."""
    if worth.units:
        return {"id": id_, "yakuman": worth.units}
    limit = {"limit": _LIMIT_OF_FLOOR[worth.floor]} if worth.floor else {}
    return {"id": id_, **limit, **({"han": worth.han} if worth.han or not limit else {})}


def _nagashi_mangan(case: Case, rules: Ruleset) -> list[dict]:
    """What the winner's river is paid for at a draw; it shows no call of a discard."""
    value = rules.yaku_value("nagashi_mangan")
    worth = value.closed if case.is_closed else value.open
    is_allowed = case.is_closed or not rules["yaku.nagashi_mangan.own_hand_closed"]
    river = case.own_river or ()
    is_nagashi = bool(river) and all(tiles.BIT_OF_TILE[tile] & tiles.YAOCHUU for tile in river)
    if not (is_nagashi or "nagashi_mangan" in case.flags) or not worth.is_on or not is_allowed:
        return []
    return [_listed("nagashi_mangan", worth)]


def _maneman(case: Case, rules: Ruleset) -> list[dict]:
    """What the winner's river is paid for because it imitates another."""
    found = _imitation(case, rules)
    if found is None:
        return []
    return [{**_listed("maneman", found[1]), "from": WINDS[found[0]], "trigger": rules["yaku.maneman.trigger"]}]


def _imitation(case: Case, rules: Ruleset) -> tuple[int, Worth] | None:
    """Whom the winner's river imitates, and what that is worth; None where it is worth nothing."""
    found = maneman.imitation(case.own_river or (), case.rivers, rules, seat=case.seat, players=case.players)
    if found is None:
        return None
    value = maneman.worth_of(found.n, rules)
    worth = value.closed if case.is_closed else value.open
    is_broken = case.is_broken_after is not None and case.is_broken_after < rules["yaku.maneman.n"]
    if is_broken and rules["yaku.maneman.call_break"] == "any_call":
        return None
    return (found.seat, worth) if worth.is_on else None


def _with_floor_of_imitation(case: Case) -> Case:
    """The case with its imitation among what the hand is worth, where the rules pay it so."""
    found = _imitation(case, case.rules)
    if found is None or case.rules["yaku.maneman.trigger"] != "floor_when_winning":
        return case
    return replace(case, rules=maneman.as_floor(case.rules, Value(found[1], found[1])))
