"""A ruleset on fact patterns: select, precede, sum.

The yaku a ruleset plays are first written out as lines: a fact (or several), the facts it needs and forbids, a worth.
An option of a yaku changes its lines, never its predicate.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np

from .facts import Patterns, names
from .ruleset import NO_EFFECT, Effect, Ruleset, Yaku, keys, written
from .values import Worth

_LIMIT_HAN = {2000: 5, 3000: 6, 4000: 8, 6000: 11}


@dataclass(frozen=True)
class Line:
    """One way in which a yaku counts."""

    yaku: str
    facts: tuple[str, ...]
    needs: tuple[str, ...]
    forbids: tuple[str, ...]
    closed: Worth
    open: Worth
    han_needs: str | None
    counts: bool
    needs_valid: bool


@dataclass(frozen=True)
class Played:
    """What each pattern holds and is worth under one ruleset.

    Attributes
    ----------
    yaku : tuple of str
        The yaku the ruleset plays, in catalog order.
    holds : bool (n_patterns, n_yaku)
        The yaku that count where no floor decides: selected, not replaced, and only yakuman where there is one.
    floors : bool (n_patterns, n_yaku)
        The yaku that give the floor.
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
    holds: np.ndarray
    floors: np.ndarray
    han: np.ndarray
    minimum: np.ndarray
    units: np.ndarray
    floor: np.ndarray
    is_fixed: np.ndarray
    is_complete: np.ndarray


def play(patterns: Patterns, rules: Ruleset) -> Played:
    """Apply a ruleset to the distinct patterns of a batch."""
    bits = patterns.bits()
    position = {name: i for i, name in enumerate(names())}
    closed = bits[:, position["closed"]]
    side = closed.astype(np.int8)

    yaku = [y for y in rules.yaku().values() if y.kind == "hand" and rules.yaku_value(y.id).is_on]
    ids = [y.id for y in yaku]
    effects = {y.id: effect_of(y, rules) for y in yaku}
    all_lines = [line for y in yaku for line in lines_of(y, effects[y.id], rules)]
    owner = np.array([ids.index(line.yaku) for line in all_lines], np.int64)

    selected = np.empty((len(bits), len(all_lines)), bool)
    for column, line in enumerate(all_lines):
        holds = bits[:, position[line.facts[0]]].copy()
        for fact in line.facts[1:]:
            holds |= bits[:, position[fact]]
        for fact in line.needs:
            holds &= bits[:, position[fact]]
        for fact in line.forbids:
            holds &= ~bits[:, position[fact]]
        if not line.closed.is_on:
            holds &= ~closed
        if not line.open.is_on:
            holds &= closed
        selected[:, column] = holds
    of_yaku = np.zeros((len(all_lines), len(ids)), np.float32)
    of_yaku[np.arange(len(all_lines)), owner] = 1
    has = selected @ of_yaku > 0

    worth = {
        name: np.array([[getattr(w, name) for w in (line.open, line.closed)] for line in all_lines]).T
        for name in ("han", "units", "floor", "is_fixed")
    }
    han, units, floor, is_fixed = (
        np.where(selected, worth[name][side], 0) for name in ("han", "units", "floor", "is_fixed")
    )
    for column, line in enumerate(all_lines):
        if line.han_needs is not None:
            needed = has[:, ids.index(line.han_needs)] if line.han_needs in ids else False
            han[:, column] = np.where(needed, han[:, column], 0)

    # All replacements at once, from what was selected: a yaku that is itself replaced still replaces. What is only a
    # floor replaces nothing in the count it is compared with.
    only_floor = (floor > 0) & (han == 0) & (units == 0)
    replacing = (selected & ~only_floor) @ of_yaku > 0
    replaces = _replacements(yaku, effects, ids)
    stands = has & ~(replacing.astype(np.float32) @ replaces > 0)
    floor_stands = has & ~(has.astype(np.float32) @ replaces > 0)
    yaku_worth = (han + 100 * units) @ of_yaku
    for first, second in _exclusions(yaku, ids):
        both = stands[:, first] & stands[:, second]
        second_is_better = yaku_worth[:, second] > yaku_worth[:, first]
        stands[:, first] &= ~(both & second_is_better)
        stands[:, second] &= ~(both & ~second_is_better)

    counted = stands[:, owner]
    counts = np.array([line.counts for line in all_lines], bool)
    needs_valid = np.array([line.needs_valid for line in all_lines], bool)
    minimum = np.where(counted & counts, np.maximum(han, 0), 0).sum(axis=1)
    fixed_or_floor = np.where(floor_stands[:, owner], floor, 0)
    if needs_valid.any():
        valid = (minimum >= rules["round.minimum_han"]) | (fixed_or_floor.max(axis=1, initial=0) > 0)
        valid |= (counted & ~needs_valid & (units > 0)).any(axis=1)
        counted &= ~(needs_valid[None, :] & ~valid[:, None])
    each_units = np.where(counted, units, 0)
    total_units = each_units.sum(axis=1) if rules["limits.multiple_yakuman"] else each_units.max(axis=1, initial=0)
    if cap := rules["limits.yakuman_cap"]:
        total_units = np.minimum(total_units, cap)
    counted &= (units > 0) | (total_units == 0)[:, None]
    top_floor = fixed_or_floor.max(axis=1, initial=0)
    gives_floor = (fixed_or_floor > 0) & (fixed_or_floor == top_floor[:, None])
    shape = np.array([y.is_shape for y in yaku], bool)
    return Played(
        yaku=tuple(ids),
        holds=(counted & ((han != 0) | (units > 0))) @ of_yaku > 0,
        floors=gives_floor @ of_yaku > 0,
        han=np.where(counted, han, 0).sum(axis=1).astype(np.int16),
        minimum=minimum.astype(np.int16),
        units=total_units.astype(np.int8),
        floor=top_floor.astype(np.int32),
        is_fixed=(gives_floor & (is_fixed > 0)).any(axis=1),
        is_complete=bits[:, position["standard_form"]] | (has[:, shape]).any(axis=1),
    )


def effect_of(yaku: Yaku, rules: Ruleset) -> Effect:
    """The options of a yaku as the ruleset sets them, put together."""
    total = rules.own[yaku.id].effect if yaku.id in rules.own else NO_EFFECT
    for name in yaku.options:
        key = keys()[f"yaku.{yaku.id}.{name}"]
        value = rules[key.name]
        effect = key.effects.get(written(value), NO_EFFECT)
        total = Effect(
            fact=effect.fact or total.fact,
            also=total.also + effect.also,
            swaps={**total.swaps, **effect.swaps},
            needs=total.needs + effect.needs,
            forbids=total.forbids + effect.forbids,
            value=(effect.value if value != key.default else None) or total.value,
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
    value = effect.value or rules.yaku_value(yaku.id)
    plain = Line(
        yaku=yaku.id,
        facts=tuple(effect.swaps.get(fact, fact) for fact in (effect.fact or yaku.id, *effect.also)),
        needs=effect.needs,
        forbids=effect.forbids + tuple(fact for fact, _ in effect.cases),
        closed=_as(value.closed, effect.worth_as),
        open=_as(value.open, effect.worth_as),
        han_needs=effect.han_needs,
        counts=effect.counts,
        needs_valid=effect.needs_valid,
    )
    yield plain
    for position, (fact, worth) in enumerate(effect.cases):
        later = tuple(other for other, _ in effect.cases[position + 1 :])
        yield replace(
            plain, needs=(*effect.needs, fact), forbids=effect.forbids + later, closed=worth.closed, open=worth.open
        )


def _as(worth: Worth, kind: str | None) -> Worth:
    """A limit as its han, or han as the limit they reach."""
    if kind == "han" and worth.floor:
        return replace(worth, floor=0, han=worth.han or _LIMIT_HAN[worth.floor])
    if kind == "floor" and worth.han >= 5:
        return replace(worth, han=0, floor=max(base for base, han in _LIMIT_HAN.items() if han <= worth.han))
    return worth


def _replacements(yaku: list[Yaku], effects: dict[str, Effect], ids: list[str]) -> np.ndarray:
    """Which yaku (row) replaces which (column), float32."""
    matrix = np.zeros((len(ids), len(ids)), np.float32)
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

