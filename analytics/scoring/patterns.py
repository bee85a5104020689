"""A ruleset on fact patterns: select, precede, sum."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .facts import Patterns, names
from .ruleset import Ruleset, catalog, keys
from .values import Value


@dataclass(frozen=True)
class Played:
    """What each pattern holds and is worth under one ruleset.

    Attributes
    ----------
    yaku : tuple of str
        The yaku the ruleset plays, in catalog order.
    holds : bool (n_patterns, n_yaku)
        The yaku that count: selected, not replaced, and only yakuman where there is one.
    han, minimum : int16
        Sum of han, and the part of it that counts towards the minimum.
    units : int8
        Yakuman units.
    floor : int32
        Base points the pattern is worth at least.
    """

    yaku: tuple[str, ...]
    holds: np.ndarray
    han: np.ndarray
    minimum: np.ndarray
    units: np.ndarray
    floor: np.ndarray


def play(patterns: Patterns, rules: Ruleset) -> Played:
    """Apply a ruleset to the distinct patterns of a batch."""
    bits = patterns.bits()
    position = {name: i for i, name in enumerate(names())}
    closed = bits[:, position["closed"]]
    played = [y for y in catalog().values() if y.kind == "hand" and rules.yaku_value(y.id).is_on]
    ids = [y.id for y in played]

    selected = np.zeros((len(bits), len(played)), bool)
    han, units, floor = (np.zeros((2, len(played)), np.int32) for _ in range(3))
    for column, yaku in enumerate(played):
        value: Value = rules.yaku_value(yaku.id)
        holds = bits[:, position[yaku.id]].copy()
        for needs, forbids in _guards(yaku.id, rules):
            for fact in needs:
                holds &= bits[:, position[fact]]
            for fact in forbids:
                holds &= ~bits[:, position[fact]]
        for side, worth in enumerate((value.open, value.closed)):
            if not worth.is_on:
                holds &= closed if side == 0 else ~closed
            han[side, column], units[side, column], floor[side, column] = worth.han, worth.units, worth.floor
        selected[:, column] = holds

    # All replacements at once from what was selected: a yaku that is itself replaced still replaces.
    replaces = np.array([other in yaku.replaces for yaku in played for other in ids], np.float32)
    replaces = replaces.reshape(len(ids), len(ids))
    holds = selected & ~(selected.astype(np.float32) @ replaces > 0)

    side = closed.astype(np.int8)
    each_units = np.where(holds, units[side], 0)
    total_units = each_units.sum(axis=1) if rules["limits.multiple_yakuman"] else each_units.max(axis=1, initial=0)
    if cap := rules["limits.yakuman_cap"]:
        total_units = np.minimum(total_units, cap)
    holds &= (units[side] > 0) | (total_units == 0)[:, None]
    each_han = np.where(holds, han[side], 0)
    return Played(
        yaku=tuple(ids),
        holds=holds,
        han=each_han.sum(axis=1).astype(np.int16),
        minimum=np.maximum(each_han, 0).sum(axis=1).astype(np.int16),
        units=total_units.astype(np.int8),
        floor=np.where(holds, floor[side], 0).max(axis=1, initial=0).astype(np.int32),
    )


def _guards(id_: str, rules: Ruleset):
    """The facts that the options of a yaku, as set, need and forbid."""
    for name, key in _options(id_):
        guard = key.guards.get(str(rules[name]).lower())
        if guard:
            yield guard.get("needs", ()), guard.get("forbids", ())


def _options(id_: str):
    prefix = f"yaku.{id_}."
    return [(name, key) for name, key in keys().items() if name.startswith(prefix)]
