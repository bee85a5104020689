"""Account: one hand in full, every reading of it, and the line of the ruleset each number came from."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .rulebook import origin_of
from .scoring.explain import named_fu_parts, reading_text
from .scoring.hands import DORA_COLUMNS, Hands
from .scoring.limits import limit_name, limit_of_base
from .scoring.patterns import replacements
from .scoring.readings import readings
from .scoring.ruleset import Ruleset, catalog
from .scoring.score import Scores, keys_of_readings, score
from .scoring.values import Worth
from .settle import Situation, win_payments

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
    """A yaku of a reading: what it is worth, where the value came from, and what replaced it if it does not count."""

    id: str
    name: str
    worth: str
    origin: str
    replaced_by: tuple[str, ...] = ()

    @property
    def counts(self) -> bool:
        return not self.replaced_by


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
    """By seat wind, honba and sticks included; empty where the discarder is not known."""

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
        here = Situation(**{name: getattr(at, name)[row : row + 1] for name in Situation.__dataclass_fields__})
        pays = win_payments(scores, here)[0]
        dealer, players = int(here.dealer[0]), int(here.players[0])
        payments = {"ESWN"[(seat - dealer) % players]: int(pays[seat]) for seat in range(players)}
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


def _readings(scores: Scores, found) -> list[ReadingAccount]:
    facts, played, rules = scores.facts, scores.played, scores.rules
    keys = keys_of_readings(facts, rules, played)
    higher = replacements(rules)
    accounts = []
    for index in range(len(found)):
        line = facts.line[index]
        pattern, code = int(facts.line_pattern[line]), int(facts.line_fu_class[line])
        key = int(keys[index])
        base, han, fu = key >> 24, key >> 12 & 0xFFF, key & 0x7FF
        is_yakuman = han == 0xFFF
        accounts.append(
            ReadingAccount(
                text=reading_text(found, index),
                yaku=_yaku_lines(scores, pattern, higher, by_floor=bool(key & 1 << 11)),
                fu_parts=named_fu_parts(found, index, code, rules),
                han=0 if is_yakuman else han,
                fu=fu if key > 1 else 0,
                base=base,
                limit=limit_name(int(limit_of_base(np.array([base]))[0]), int(played.units[pattern])),
                is_best=bool(scores.is_paid[0]) and index == int(scores.reading[0]),
                is_played=bool(played.is_complete[pattern]),
            )
        )
    return accounts


def _yaku_lines(scores: Scores, pattern: int, higher: dict[str, tuple[str, ...]], *, by_floor: bool) -> list[YakuLine]:
    """The yaku whose facts hold in a pattern: those that count, then those that another one replaced."""
    played, rules = scores.played, scores.rules
    selected = {id_ for id_, is_selected in zip(played.yaku, played.selected[pattern], strict=True) if is_selected}
    counted, replaced = [], []
    for column, id_ in enumerate(played.yaku):
        if id_ not in selected:
            continue
        name = rules.yaku()[id_].english
        holds = played.floors[pattern, column] if by_floor else played.holds[pattern, column]
        worth = Worth(
            han=0 if by_floor else int(played.each_han[pattern, column]),
            units=int(played.each_units[pattern, column]),
            floor=int(played.each_floor[pattern, column]) if by_floor else 0,
        )
        origin = origin_of(rules, f"yaku.{id_}")
        if holds:
            counted.append(YakuLine(id_, name, worth.text, origin))
            continue
        by = tuple(other for other in higher[id_] if other in selected) or _why_not(played, pattern, by_floor)
        replaced.append(YakuLine(id_, name, rules.yaku_value(id_).text, origin, by))
    return counted + replaced


def _why_not(played, pattern: int, by_floor: bool) -> tuple[str, ...]:
    """What hides a yaku that nothing replaces: the yakuman, or the limits, of the reading."""
    shown = played.floors[pattern] if by_floor else played.holds[pattern]
    return tuple(id_ for id_, holds in zip(played.yaku, shown, strict=True) if holds)


def names_of(ids: tuple[str, ...]) -> str:
    """Yaku by their English names."""
    return ", ".join(catalog()[id_].english if id_ in catalog() else id_ for id_ in ids)
