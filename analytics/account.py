"""Account: one hand in full, every reading of it, and the line of the ruleset each number came from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import orjson
import pyarrow as pa
import pyarrow.compute as pc

from parsers.soundness import check_part, check_store
from parsers.store import Store

from .cases import CaseError, hands_of, read_case, situation_of
from .corpus import DERIVED
from .notes import misfits, width
from .rescoring import Rules, each_once, rescore
from .rulebook import origin_of
from .scoring.explain import named_fu_parts, reading_text
from .scoring.hands import DORA_COLUMNS, Hands
from .scoring.limits import limit_name, limit_of_base
from .scoring.patterns import key_of_worth, replacements
from .scoring.readings import readings
from .scoring.ruleset import Ruleset, ruleset
from .scoring.score import Scores, keys_of_readings, opened, score
from .scoring.values import YAKUMAN_BASE, Worth, shown
from .settle import STICK, Situation, win_payments

DORA_KEYS = {
    "n_dora": ("dora", "dora.indicator"),
    "n_kan_dora": ("kan dora", "dora.kan"),
    "n_ura": ("ura dora", "dora.ura"),
    "n_kan_ura": ("kan ura dora", "dora.kan_ura"),
    "n_aka": ("red fives", "dora.aka"),
    "n_kita": ("north set aside", "dora.kita"),
}


@dataclass(frozen=True)
class YakuLine:
    """A yaku whose facts hold in a reading: what it is worth, and where the value came from.

    If it does not count, `replaced_by` names what stands in its place; nothing does where it is no yaku by itself.
    """

    id: str
    name: str
    worth: str
    origin: str
    counts: bool = True
    replaced_by: tuple[str, ...] = ()


@dataclass(frozen=True)
class ReadingAccount:
    """One reading of the hand under one ruleset."""

    text: str
    yaku: list[YakuLine]
    fu_parts: list[tuple[str, int]]
    han: int
    fu: int
    base: int
    limit: str | None
    is_best: bool
    is_played: bool
    """Whether the ruleset plays the shape; if not, the reading is no win."""


@dataclass(frozen=True)
class HandAccount:
    """One hand under one ruleset."""

    rules: Ruleset
    status: str
    readings: list[ReadingAccount]
    dora: list[tuple[str, int, str]]
    """Kind of dora, han, and the line of the ruleset."""
    han: int
    fu: int
    limit: str | None
    units: int
    points: int
    payments: dict[str, int] = field(default_factory=dict)
    """By seat wind, honba and sticks included; empty where the discarder is not known, or another win goes first."""
    notes: list[str] = field(default_factory=list)
    """Of a recorded win, that the ruleset is for other tables."""

    @property
    def best(self) -> ReadingAccount | None:
        return next((reading for reading in self.readings if reading.is_best), None)


def account(hands: Hands, at: Situation | None, rules: Ruleset, *, row: int = 0) -> HandAccount:
    """One hand of `hands` under a ruleset; `at` is where the wins stand, None where nobody is known to pay."""
    one = hands[row : row + 1]
    [scores] = score(one, [rules])
    found = readings(one)
    accounts = _readings(scores, found)
    payments = {}
    if at is not None and scores.is_paid[0]:
        here = at.only(row)
        payments = _by_wind(win_payments(scores, here)[0], int(here.dealer[0]), int(here.players[0]))
    units, limit = int(scores.units[0]), int(scores.limit[0])
    dora = [
        (DORA_KEYS[name][0], int(han), origin_of(rules, DORA_KEYS[name][1]))
        for name, han in zip(DORA_COLUMNS, scores.dora_han[0], strict=True)
        if han and not units
    ]
    return HandAccount(
        rules=rules,
        status=("ok", "not_winning", "no_yaku")[scores.status[0]],
        readings=accounts,
        dora=dora,
        han=int(scores.han[0]),
        fu=int(scores.fu[0]),
        limit=limit_name(limit, units),
        units=units,
        points=int(scores.points[0]),
        payments=payments,
    )


def _by_wind(pays: np.ndarray, dealer: int, players: int) -> dict[str, int]:
    return {"ESWN"[(seat - dealer) % players]: int(pays[seat]) for seat in range(players)}


def _readings(scores: Scores, found) -> list[ReadingAccount]:
    facts, played, rules = scores.facts, scores.played, scores.rules
    keys = keys_of_readings(facts, rules, played)
    higher = replacements(rules)
    accounts = []
    shown = np.flatnonzero(keys > 0)
    for index in shown.tolist() if len(shown) else range(len(found)):  # shapes not played, only if there is no other
        line = facts.line[index]
        pattern, code = int(facts.line_pattern[line]), int(facts.line_fu_class[line])
        row = int(played.row[pattern])
        base, han, fu, by_floor = opened(int(keys[index]))
        units = 1 if by_floor and base == YAKUMAN_BASE else int(played.units[row])
        accounts.append(
            ReadingAccount(
                text=reading_text(found, index),
                yaku=_yaku_lines(scores, pattern, higher, by_floor=by_floor),
                fu_parts=named_fu_parts(found, index, code, rules),
                han=han,
                fu=fu,
                base=base,
                limit=limit_name(int(limit_of_base(np.array([base]))[0]), units),
                is_best=bool(scores.is_paid[0]) and index == int(scores.reading[0]),
                is_played=bool(played.is_complete[row]),
            )
        )
    return accounts


def _yaku_lines(scores: Scores, pattern: int, higher: dict[str, tuple[str, ...]], *, by_floor: bool) -> list[YakuLine]:
    """The yaku whose facts hold in a pattern: those that count, then those that another one replaced."""
    played, rules, patterns = scores.played, scores.rules, scores.facts.patterns
    row = int(played.row[pattern])
    selected = {id_ for id_, is_selected in zip(played.yaku, played.selected[row], strict=True) if is_selected}
    shown = played.floors[row] if by_floor else played.holds[row]
    standing = tuple(id_ for id_, holds in zip(played.yaku, shown, strict=True) if holds)
    counted, others = [], []
    for column, id_ in enumerate(played.yaku):
        if id_ not in selected:
            continue
        one = rules.yaku()[id_]
        worth = Worth(
            han=0 if by_floor else int(played.each_han[row, column]),
            units=int(played.each_units[row, column]),
            floor=int(played.each_floor[row, column]) if by_floor else 0,
        )
        origin = origin_of(rules, key_of_worth(one, rules, patterns, pattern))
        if shown[column]:
            counted.append(YakuLine(id_, one.full_name, worth.text, origin))
            continue
        # Where nothing replaces it, what it cannot stand beside hides it: another yaku, the yakuman or the limits.
        by = tuple(other for other in higher[id_] if other in selected)
        by = by or tuple(other for other in standing if other in one.excludes or id_ in rules.yaku()[other].excludes)
        text = rules.yaku_value(id_).text
        others.append(YakuLine(id_, one.full_name, text, origin, counts=False, replaced_by=by or standing))
    return counted + others


def names_of(ids: Iterable[str], *rulesets: Ruleset) -> str:
    """Yaku by their names; those of a ruleset's own among them."""
    names = {id_: yaku.name for rules in rulesets for id_, yaku in rules.yaku().items()}
    return ", ".join(names.get(id_, id_) for id_ in ids)


class AccountError(ValueError):
    """A win that is not there, or a hand that cannot be one."""

    is_users = True


def case_line(
    hand: str,
    win: str,
    by: str,
    ctx: Iterable[str] = (),
    seat: str | None = None,
    round_: str | None = None,
    win_from: str | None = None,
    dora: str = "",
    ura: str = "",
) -> dict[str, object]:
    """A hand case from words of a command line; `ctx` are KEY=VALUE, a value read as JSON if it is that.

    Raises
    ------
    AccountError
        A circumstance without a value or stated twice, or indicators that are no tiles.
    """
    facts = {}
    for entry in ctx:
        key, has_value, value = entry.partition("=")
        if not has_value:
            raise AccountError(f"{shown(entry)} states nothing; expected KEY=VALUE, as in riichi=double")
        if key in facts:
            raise AccountError(f"{shown(key)} is stated twice, expected one value")
        try:
            facts[key] = orjson.loads(value)
        except orjson.JSONDecodeError:
            facts[key] = value
    line = {"hand": hand, "win": win, "by": by, "ctx": facts, "seat": seat, "round": round_, "win_from": win_from}
    for name, indicators in (("dora_ind", dora), ("ura_ind", ura)):
        if re.sub(r"[0-9]+[mpsz]|\s", "", indicators):
            raise AccountError(f"{shown(indicators)} are no indicators; expected tiles, as in 4m3p")
        line[name] = [n + suit for numbers, suit in re.findall(r"([0-9]+)([mpsz])", indicators) for n in numbers]
    return line


def of_case(line: Mapping[str, object], rulesets: Iterable[Ruleset]) -> list[HandAccount]:
    """A hand case (see `cases`) under each ruleset.

    Raises
    ------
    AccountError
        The case cannot be scored, or has ura indicators and no riichi.
    scoring.ruleset.RulesetError
        A ruleset is named twice.
    """
    found = []
    for rules in each_once(rulesets):
        try:
            case = read_case(line, rules)
        except CaseError as error:
            raise AccountError(str(error)) from None
        if line.get("ura_ind") and case.flags.isdisjoint({"riichi", "double_riichi"}):
            raise AccountError("ura indicators are turned for a hand in riichi only, as with --ctx riichi=riichi")
        pays_known = case.is_tsumo or case.loser is not None
        found.append(account(hands_of([case]), situation_of([case]) if pays_known else None, case.rules))
    return found


_OF_HANDS = ("ctx", "seat", "round", "from", "dora", "ura")
_OF_RECORDS = ("game",)


def check_options(source: str, *, is_recorded: bool, **given: object) -> None:
    """Refuse what is given and cannot apply: a recorded win has its circumstances, and a hand is of no game.

    Raises
    ------
    AccountError
        It names the options.
    """
    if idle := [f"--{name}" for name in (_OF_HANDS if is_recorded else _OF_RECORDS) if given.get(name)]:
        what = "a file or a store, whose wins have their circumstances" if is_recorded else "a hand, of no game"
        raise AccountError(f"{source} is {what}: {', '.join(idle)} cannot apply")


def place_of(source: str, round_no: str, winner: str) -> tuple[int, int]:
    """The round and the winner's seat as words of a command line name them.

    Raises
    ------
    AccountError
        They are no numbers, or larger than any.
    """
    if not all(re.fullmatch(r"[0-9]{1,9}", word) for word in (round_no, winner)):
        raise AccountError(
            f"{source} is a file or a store: after it come the round and the winner's seat, not {shown(round_no)} and "
            f"{shown(winner)}"
        )
    return int(round_no), int(winner)


def of_win(
    store: Store, round_no: int, winner: int, rulesets: Iterable[Rules], *, game: str = ""
) -> tuple[str, list[HandAccount]]:
    """A recorded win under each ruleset, and where it stands; `recorded` is the ruleset it was played under.

    Parameters
    ----------
    round_no, winner : int
        Round within the game, from 0, and seat.
    game : str
        Part of the path or of the id of the game, where there are several.

    Raises
    ------
    AccountError
        No such win, or several games fit.
    scoring.ruleset.RulesetError
        A ruleset is named twice.
    """
    rulesets = each_once(rulesets)
    check_store(store, DERIVED)
    number, id_, path = _game_named(store, game)
    tables = _of_game(check_part(store.part(number), DERIVED), id_)
    wins = tables["wins"].select(["round_no", "winner"]).to_pylist()
    rows = [i for i, win in enumerate(wins) if (win["round_no"], win["winner"]) == (round_no, winner)]
    if not rows:
        there = ", ".join(f"round {w['round_no']} winner {w['winner']}" for w in wins) or "none"
        raise AccountError(f"{path}: no win of seat {winner} in round {round_no}; wins: {there}")
    row, accounts = rows[0], []
    for rules in rulesets:
        rescored = rescore(tables, rules)
        found = account(rescored.hands, None, rescored.scores[rescored.in_force[row]].rules, row=row)
        players = int(rescored.at.players[row])
        payments = _by_wind(rescored.pays[row], int(rescored.at.dealer[row]), players)
        notes = misfits(found.rules, {players: 1})
        accounts.append(replace(found, payments=payments if rescored.stands[row] else {}, notes=notes))
    return f"{path}, round {round_no}, winner {winner}", accounts


def _game_named(store: Store, game: str) -> tuple[int, int, str]:
    """The one game that is meant: its part, its id and its path."""
    games = []
    for part in store.parts():
        rows = part.table("games", ["game", "path", "source_id"]).to_pylist()
        games += [(part.number, row["game"], row["path"], row["source_id"]) for row in rows]
    fits = [one for one in games if game in one[2:]] or [one for one in games if game in one[2]]
    if len(fits) == 1:
        return fits[0][:3]
    if not games:
        rejects = store.table("rejects", ["path", "reason"]).to_pylist()
        raise AccountError("no game here" + "".join(f"; {one['path']}: {one['reason']}" for one in rejects[:1]))
    some = "; ".join(path for _, _, path, _ in (fits or games)[:3]) + ("; …" if len(fits or games) > 3 else "")
    fitting = f" fit {shown(game)}" if game else ""
    said = f"{len(fits):,} games{fitting}" if fits else f"no game fits {shown(game)}; there are"
    raise AccountError(f"{said}: {some}; name one with --game, by a part of its path or its id")


def _of_game(part: Mapping[str, pa.Table], game: int) -> dict[str, pa.Table]:
    tables = {}
    for name in ("games", "rounds", "actions", "wins", "circumstances", "draws"):
        table = part[name]
        tables[name] = table.filter(pc.equal(table["game"], game))
    return tables


_NAMES_TAKE = 32
"""Columns of a terminal that names take at least."""
_GLYPHS = {"m": 0x1F007, "s": 0x1F010, "p": 0x1F019}
_HONOURS = (0x1F000, 0x1F001, 0x1F002, 0x1F003, 0x1F006, 0x1F005, 0x1F004)


def explain(
    hand: str, win: str, by: str, rules: Rules | Iterable[Rules] = "base", **circumstances: object
) -> list[HandAccount]:
    """A hand under one ruleset or several; circumstances as `case_line` takes them.

    >>> [found] = explain("234m567p34678s99p", "5s", "ron", seat="S")
    >>> found.han, found.fu, found.points
    (1, 30, 1000)
    """
    chosen = [rules] if isinstance(rules, (str, Ruleset)) else list(rules)
    return of_case(case_line(hand, win, by, **circumstances), [ruleset(one) for one in chosen])


def glyphs(text: str) -> str:
    """Tiles in mpsz writing as the characters of mahjong tiles; a red five as a plain one.

    >>> glyphs("19m+7z")
    '🀇🀏+🀄︎'
    """

    def shown(match: re.Match) -> str:
        if match[2] == "z":
            return "".join(chr(_HONOURS[int(n) - 1]) + ("\ufe0e" if n == "7" else "") for n in match[1])
        return "".join(chr(_GLYPHS[match[2]] + int(n.replace("0", "5")) - 1) for n in match[1])

    return re.sub(r"([0-9]+)([mpsz])", shown, text)


def text(one: HandAccount, *, as_glyphs: bool = False) -> str:
    """An account to read: readings, best first, with their yaku and fu, then dora, limit and payments."""
    tiles = glyphs if as_glyphs else str
    widest = max((width(yaku.name) for reading in one.readings for yaku in reading.yaku), default=0)

    def padded(name: str) -> str:
        return name + " " * (max(_NAMES_TAKE, widest) - width(name))

    lines = [f"{one.rules.id} ({one.rules.hash})"]
    if one.rules.assumed:
        lines.append(f"assumed from base: {', '.join(one.rules.assumed)}")
    lines += [f"note: {note}" for note in one.notes]
    if one.status != "ok":
        lines.append(one.status.replace("_", " "))
    for reading in sorted(one.readings, key=lambda r: not r.is_best):
        mark = "*" if reading.is_best else "-"
        worth = reading.limit or f"{reading.han} han {reading.fu} fu"
        if not reading.is_played:
            worth = "a shape this ruleset does not play"
        elif not reading.base:
            worth = "no yaku"
        lines.append(f"{mark} {tiles(reading.text)}   {worth}")
        for yaku in reading.yaku:
            if yaku.counts:
                lines.append(f"    {padded(yaku.name)} {yaku.worth:>9}   {yaku.origin}")
            else:
                by = f"replaced by {names_of(yaku.replaced_by, one.rules)}" if yaku.replaced_by else "no yaku by itself"
                lines.append(f"    {padded(yaku.name)} {'-':>9}   {by}")
        if reading.is_best:
            lines += [f"    {padded(kind)} {han:>9}   {origin}" for kind, han, origin in one.dora]
        if reading.fu_parts and not one.units:
            lines.append("    fu " + ", ".join(f"{tiles(name)} {fu}" for name, fu in reading.fu_parts))
    if one.status == "ok":
        total = f"{one.units} yakuman" if one.units else f"{one.han} han {one.fu} fu"
        lines.append(f"= {total}{', ' + one.limit.replace('_', ' ') if one.limit else ''}: {one.points:,} points")
    if one.payments:
        paid = "  ".join(f"{wind} {points:+,}" for wind, points in one.payments.items())
        lines.append(f"  {paid}{_besides(one)}")
    return "\n".join(lines)


def _besides(one: HandAccount) -> str:
    """What the winner gets beside the points of the hand: the sticks, which no player pays, and the honba."""
    sticks = sum(one.payments.values())
    honba = max(one.payments.values()) - one.points - sticks
    each = [f"{sticks:+,} {'riichi stick' if sticks == STICK else 'riichi sticks'}"] if sticks else []
    each += [f"{honba:+,} honba"] if honba else []
    return f"   ({one.points:,} {', '.join(each)})" if each else ""


def difference(one: HandAccount, other: HandAccount) -> str:
    """What changes from one ruleset to the other."""

    def held(account: HandAccount) -> dict[str, str]:
        return {y.id: y.worth for y in account.best.yaku if y.counts} if account.best else {}

    before, after = held(one), held(other)
    names = {id_: names_of((id_,), one.rules, other.rules) for id_ in (*before, *after)}
    changes = [f"+ {names[id_]} {after[id_]}" for id_ in after if id_ not in before]
    changes += [f"- {names[id_]} {before[id_]}" for id_ in before if id_ not in after]
    changes += [
        f"  {names[id_]} {before[id_]} -> {after[id_]}"
        for id_ in before
        if id_ in after and before[id_] != after[id_]
    ]
    changes.append(f"points {one.points:,} -> {other.points:,} ({other.points - one.points:+,})")
    return "\n".join(changes)
