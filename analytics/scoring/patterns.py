"""A ruleset on fact patterns: select, precede, sum.

The yaku a ruleset plays are first written out as lines: a fact (or several), the facts it needs and forbids, a worth.
An option of a yaku changes its lines, never its predicate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import lru_cache

import numpy as np

from .facts import Patterns, asks
from .fu import fu_settings
from .limits import MAX_UNITS
from .ruleset import NO_EFFECT, Effect, Ruleset, Yaku, keys, written
from .values import Worth

_LIMIT_HAN = {2000: 5, 3000: 6, 4000: 8, 6000: 11, 8000: 13}


@dataclass(frozen=True)
class Line:
    """One way in which a yaku counts; `key` is what its worth is written at."""

    yaku: str
    key: str
    facts: tuple[str, ...]
    needs: tuple[str, ...]
    forbids: tuple[str, ...]
    closed: Worth
    open: Worth
    counts: bool


@dataclass(frozen=True)
class Played:
    """What patterns hold and are worth under one ruleset, a row for those it does not tell apart.

    Attributes
    ----------
    yaku : tuple of str
        The yaku the ruleset plays, in catalog order.
    row : int32 (n_patterns)
        The row of each pattern.
    selected : bool (n_rows, n_yaku)
        The yaku whose facts and guards hold, before any replaces another.
    holds : bool (n_rows, n_yaku)
        The yaku that count where no floor decides: selected, not replaced, and only yakuman where there is one.
    floors : bool (n_rows, n_yaku)
        The yaku that give the floor.
    each_han, each_units, each_floor : int16, int8, int32 (n_rows, n_yaku)
        What each yaku that holds, or gives the floor, is worth there.
    han, minimum : int16
        Sum of han, and the part of it that counts towards the minimum.
    units : int8
        Yakuman units.
    floor : int32
        Base points the pattern is worth at least.
    is_fixed : bool
        The floor is all it is worth.
    is_complete : bool
        The ruleset plays the shape of this reading.
    """

    yaku: tuple[str, ...]
    row: np.ndarray
    selected: np.ndarray
    holds: np.ndarray
    floors: np.ndarray
    each_han: np.ndarray
    each_units: np.ndarray
    each_floor: np.ndarray
    han: np.ndarray
    minimum: np.ndarray
    units: np.ndarray
    floor: np.ndarray
    is_fixed: np.ndarray
    is_complete: np.ndarray


@dataclass(frozen=True)
class _Plan:
    """What a ruleset asks of patterns, written out once: the yaku it plays, and how they bear on each other."""

    yaku: tuple[Yaku, ...]
    effects: tuple[Effect, ...]
    lines: tuple[tuple[Line, ...], ...]
    replaces: np.ndarray
    exclusions: tuple[tuple[int, int], ...]
    facts: frozenset[str]


@lru_cache(maxsize=1024)
def _plan(rules: Ruleset) -> _Plan:
    yaku = [y for y in rules.yaku().values() if y.kind == "hand" and rules.yaku_value(y.id).is_on]
    ids = [y.id for y in yaku]
    effects = {y.id: effect_of(y, rules) for y in yaku}
    lines = tuple(tuple(lines_of(y, effects[y.id], rules)) for y in yaku)
    asked = {fact for of_yaku in lines for line in of_yaku for fact in (*line.facts, *line.needs, *line.forbids)}
    return _Plan(
        yaku=tuple(yaku),
        effects=tuple(effects.values()),
        lines=lines,
        replaces=_replacements(yaku, effects, ids),
        exclusions=tuple(_exclusions(yaku, ids)),
        facts=frozenset(asked | {"closed", "standard_form"}),
    )


def play(patterns: Patterns, rules: Ruleset) -> Played:
    """Apply a ruleset to the distinct patterns of a batch."""
    plan = _plan(rules)
    distinct = patterns.by(plan.facts)
    facts, n = distinct.facts, len(distinct)
    closed = facts["closed"]
    ids = [y.id for y in plan.yaku]

    # Select. A yaku has several lines where a case changes its worth; at most one of them holds.
    has = np.zeros((len(ids), n), bool)
    han, units, floor, minimum = (np.zeros((len(ids), n), np.int16) for _ in range(4))
    is_fixed = np.zeros((len(ids), n), bool)
    needs_valid = np.zeros(len(ids), bool)
    for row, (effect, lines) in enumerate(zip(plan.effects, plan.lines, strict=True)):
        needs_valid[row] = effect.needs_valid
        for line in lines:
            holds = _selected(line, facts)
            if not holds.any():
                continue
            has[row] |= holds
            for column, name in ((han, "han"), (units, "units"), (floor, "floor")):
                in_closed, in_open = getattr(line.closed, name), getattr(line.open, name)
                if in_closed or in_open:
                    column[row] += holds * np.where(closed, in_closed, in_open)
            if line.closed.is_fixed or line.open.is_fixed:
                is_fixed[row] |= holds & np.where(closed, line.closed.is_fixed, line.open.is_fixed)
            if line.counts:
                minimum[row] += holds * np.maximum(han[row], 0)
    for row, effect in enumerate(plan.effects):
        needed = effect.han_needs
        if needed is not None:
            stands = has[ids.index(needed)] if needed in ids else np.zeros(n, bool)
            han[row] *= stands
            minimum[row] *= stands

    # Precede: all replacements at once from what was selected, so that a yaku which is itself replaced still
    # replaces. What is only a floor replaces nothing in the count it is compared with.
    only_floor = (floor > 0) & (han == 0) & (units == 0)
    stands, floor_stands = has.copy(), has.copy()
    for higher, lower in zip(*np.nonzero(plan.replaces), strict=True):
        stands[lower] &= ~(has[higher] & ~only_floor[higher])
        floor_stands[lower] &= ~has[higher]
    for first, second in plan.exclusions:
        both = stands[first] & stands[second]
        if both.any():
            second_is_better = han[second] + 100 * units[second] > han[first] + 100 * units[first]
            stands[first] &= ~(both & second_is_better)
            stands[second] &= ~(both & ~second_is_better)

    # Sum.
    floor *= floor_stands
    if needs_valid.any():
        is_other = ~needs_valid[:, None]
        is_valid = (minimum * (stands & is_other)).sum(axis=0) >= rules["round.minimum_han"]
        is_valid |= (floor * is_other).any(axis=0) | (units * (stands & is_other)).any(axis=0)
        stands &= is_other | is_valid
        floor *= is_other | is_valid
    top_floor = floor.max(axis=0, initial=0)
    units *= stands
    total_units = units.sum(axis=0) if rules["limits.multiple_yakuman"] else units.max(axis=0, initial=0)
    total_units = np.minimum(total_units, rules["limits.yakuman_cap"] or MAX_UNITS)
    stands &= (units > 0) | (total_units == 0)
    gives_floor = (floor > 0) & (floor == top_floor)
    han *= stands
    shape = [row for row, one in enumerate(plan.yaku) if one.is_shape]
    return Played(
        yaku=tuple(ids),
        row=distinct.of,
        selected=has.T,
        holds=(stands & ((han != 0) | (units > 0))).T,
        floors=gives_floor.T,
        each_han=han.T.astype(np.int16),
        each_units=units.T.astype(np.int8),
        each_floor=floor.T,
        han=han.sum(axis=0).astype(np.int16),
        minimum=(minimum * stands).sum(axis=0).astype(np.int16),
        units=total_units.astype(np.int8),
        floor=top_floor.astype(np.int32),
        is_fixed=(gives_floor & is_fixed).any(axis=0),
        is_complete=facts["standard_form"] | has[shape].any(axis=0),
    )


def selected(patterns: Patterns, rules: Ruleset, yaku: str) -> np.ndarray:
    """The patterns in which a yaku's facts and guards hold, in a shape the ruleset plays, bool (n_patterns)."""
    facts = patterns.facts

    def has(one: Yaku) -> np.ndarray:
        lines = lines_of(one, effect_of(one, rules), rules)
        return np.logical_or.reduce([_selected(line, facts) for line in lines])

    played = {y.id: y for y in rules.yaku().values() if y.kind == "hand" and rules.yaku_value(y.id).is_on}
    if yaku not in played:
        return np.zeros(len(patterns), bool)
    is_complete = [facts["standard_form"], *(has(one) for one in played.values() if one.is_shape)]
    return has(played[yaku]) & np.logical_or.reduce(is_complete)


def _selected(line: Line, facts: dict[str, np.ndarray]) -> np.ndarray:
    """The patterns in which a line holds."""
    holds = facts[line.facts[0]].copy()
    for fact in line.facts[1:]:
        holds |= facts[fact]
    for fact in line.needs:
        holds &= facts[fact]
    for fact in line.forbids:
        holds &= ~facts[fact]
    if not line.closed.is_on:
        holds &= ~facts["closed"]
    if not line.open.is_on:
        holds &= facts["closed"]
    return holds


def may_differ(patterns: Patterns, one: Ruleset, other: Ruleset) -> np.ndarray:
    """The patterns that two rulesets may read differently, bool (n_patterns).

    In all others both select the same yaku at the same worth: the yaku in which they differ are selected by neither,
    so they replace nothing there. Any key that is not of a yaku may touch every pattern, and so may one that changes
    fu: a self-drawn pinfu keeps its fu only where it is played.
    """
    differing = differing_keys(one, other)
    ids = {key.split(".")[1] for key in differing if key.startswith("yaku.")}
    if fu_settings(one) != fu_settings(other) or any(map(_is_of_all, differing)):
        return np.ones(len(patterns), bool)
    touched = np.zeros(len(patterns), bool)
    for rules in (one, other):
        known = rules.yaku()
        for id_ in ids:
            if id_ in known and known[id_].kind == "hand" and rules.yaku_value(id_).is_on:
                for line in lines_of(known[id_], effect_of(known[id_], rules), rules):
                    touched |= _selected(line, patterns.facts)
    return touched


def differing_keys(one: Ruleset, other: Ruleset) -> list[str]:
    """Keys whose values two rulesets do not share; those of yaku of their own are among them."""
    a, b = dict(one.values), dict(other.values)
    shared = zip(a, a.values(), b.values() if list(a) == list(b) else map(b.get, a), strict=True)
    found = [key for key, value, its in shared if value is not its and value != its]
    found += [key for key in b if key not in a]
    own = sorted({*one.own, *other.own})
    return list(dict.fromkeys(found + [f"yaku.{id_}" for id_ in own if one.own.get(id_) != other.own.get(id_)]))


def only_adds(one: Ruleset, other: Ruleset) -> bool:
    """Whether all that the other ruleset has besides is one yaku that takes nothing from any hand.

    No pattern is worth less then: the yaku stands in nobody's place, and its worth is not negative, no limit that is
    all a hand is worth, and no yakuman where counted ones pay several.
    """
    differing = differing_keys(one, other)
    ids = {key.split(".")[1] for key in differing if key.startswith("yaku.")}
    if len(ids) != 1 or not all(key.startswith("yaku.") for key in differing):
        return False
    [id_], plan = ids, _plan(other)
    known = [yaku.id for yaku in plan.yaku]
    if id_ not in known or (id_ in one.yaku() and one.yaku_value(id_).is_on) or fu_settings(one) != fu_settings(other):
        return False
    at = known.index(id_)
    if plan.replaces[at].any() or any(at in pair for pair in plan.exclusions):
        return False
    worths = [worth for line in plan.lines[at] for worth in (line.closed, line.open)]
    pays_counted = other["limits.counted_yakuman"] == "each_13"
    return not any(worth.han < 0 or worth.is_fixed or (worth.units and pays_counted) for worth in worths)


def _is_of_all(key: str) -> bool:
    """Whether a key can change what any hand is worth."""
    return not key.startswith("yaku.") and (keys()[key].stage == "score" or key == "payment.tsumo_loss")


def effect_of(yaku: Yaku, rules: Ruleset) -> Effect:
    """The options of a yaku as the ruleset sets them, put together."""
    total = rules.own[yaku.id].effect if yaku.id in rules.own else NO_EFFECT
    for name in yaku.options:
        key = keys()[f"yaku.{yaku.id}.{name}"]
        effect = key.effects.get(written(rules[key.name]), NO_EFFECT)
        total = Effect(
            fact=effect.fact or total.fact,
            also=total.also + effect.also,
            swaps={**total.swaps, **effect.swaps},
            needs=total.needs + effect.needs,
            forbids=total.forbids + effect.forbids,
            cases=total.cases + effect.cases,
            replaces=total.replaces + effect.replaces,
            spares=total.spares + effect.spares,
            spared_by=total.spared_by + effect.spared_by,
            replaced_by=total.replaced_by + effect.replaced_by,
            han_needs=effect.han_needs or total.han_needs,
            counts=total.counts and effect.counts,
            needs_valid=total.needs_valid or effect.needs_valid,
            worth_as=effect.worth_as or total.worth_as,
        )
    return total


def lines_of(yaku: Yaku, effect: Effect, rules: Ruleset) -> Iterator[Line]:
    """The lines of one yaku under a ruleset; where a case holds, its worth stands instead of the plain one."""
    value = rules.yaku_value(yaku.id)
    plain = Line(
        yaku=yaku.id,
        key=f"yaku.{yaku.id}",
        facts=tuple(effect.swaps.get(fact, fact) for fact in (effect.fact or yaku.id, *effect.also)),
        needs=effect.needs,
        forbids=effect.forbids + tuple(fact for fact, _ in effect.cases),
        closed=_as(value.closed, effect.worth_as),
        open=_as(value.open, effect.worth_as),
        counts=effect.counts,
    )
    yield plain
    key_of_case = _keys_of_cases(yaku, rules)
    for position, (fact, text) in enumerate(effect.cases):
        later, worth = tuple(other for other, _ in effect.cases[position + 1 :]), value.altered(text)
        yield replace(
            plain,
            key=key_of_case[fact],
            needs=(*effect.needs, fact),
            forbids=effect.forbids + later,
            closed=worth.closed,
            open=worth.open,
        )


def _keys_of_cases(yaku: Yaku, rules: Ruleset) -> dict[str, str]:
    """The option that says what a yaku is worth where a case holds, by the fact of the case."""
    options = (keys()[f"yaku.{yaku.id}.{name}"] for name in yaku.options)
    effects = ((key.name, key.effects.get(written(rules[key.name]), NO_EFFECT)) for key in options)
    return {fact: name for name, effect in effects for fact, _ in effect.cases}


def key_of_worth(yaku: Yaku, rules: Ruleset, patterns: Patterns, pattern: int) -> str:
    """The key that says what a yaku is worth in a pattern."""
    for line in lines_of(yaku, effect_of(yaku, rules), rules):
        if _selected(line, patterns.facts)[pattern]:
            return line.key
    return f"yaku.{yaku.id}"


def _as(worth: Worth, kind: str | None) -> Worth:
    """A limit as its han, or han as the limit they reach."""
    if kind == "han" and worth.floor:
        return replace(worth, floor=0, han=worth.han or _LIMIT_HAN[worth.floor])
    if kind == "floor" and worth.han >= 5:
        return replace(worth, han=0, floor=max(base for base, han in _LIMIT_HAN.items() if han <= worth.han))
    return worth


def circumstances_asked(yaku: Yaku, rules: Ruleset) -> frozenset[str]:
    """The circumstances without which a yaku, as the ruleset plays it, is not known."""
    facts: set[str] = set()
    for line in lines_of(yaku, effect_of(yaku, rules), rules):
        facts.update(line.facts, line.needs, line.forbids)
    return frozenset(flag for fact in facts for flag in asks(fact))


def replacements(rules: Ruleset) -> dict[str, tuple[str, ...]]:
    """For each yaku a ruleset plays, the yaku that replace it there."""
    plan = _plan(rules)
    ids = [y.id for y in plan.yaku]
    return {id_: tuple(ids[row] for row in np.flatnonzero(plan.replaces[:, at])) for at, id_ in enumerate(ids)}


def _replacements(yaku: list[Yaku], effects: dict[str, Effect], ids: list[str]) -> np.ndarray:
    """Which yaku (row) replaces which (column)."""
    matrix = np.zeros((len(ids), len(ids)), bool)
    for row, one in enumerate(yaku):
        effect = effects[one.id]
        for other in (*one.replaces, *effect.replaces):
            if other in ids and other not in effect.spares:
                matrix[row, ids.index(other)] = 1
        for other in effect.replaced_by:
            if other in ids:
                matrix[ids.index(other), row] = 1
    for row, one in enumerate(yaku):
        for other in effects[one.id].spared_by:
            if other in ids:
                matrix[ids.index(other), row] = 0
    return matrix


def _exclusions(yaku: list[Yaku], ids: list[str]) -> Iterator[tuple[int, int]]:
    for row, one in enumerate(yaku):
        for other in one.excludes:
            if other in ids:
                yield row, ids.index(other)

