"""Candidates and yaku in words: English and Japanese names, values, what a change asks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from ..impact.candidates import RULES, TOGETHER, Candidate, known_yaku, within
from ..rescoring import Recorded
from ..rulebook import file_text
from ..scoring.ruleset import Yaku, keys
from ..scoring.values import Value, Worth

if TYPE_CHECKING:
    from ..impact import RuleImpact

_LIMITS = {"no_win": "no win", "none": "below mangan"}


def usual(result: RuleImpact) -> str:
    """The ruleset most of the wins were played under."""
    played = result.card.rulesets
    return min(played, key=lambda id_: (-played[id_], id_)).partition(" + ")[0] if played else "base"


def yaku_of(result: RuleImpact) -> Mapping[str, Yaku]:
    """Every yaku the report can speak of, rulesets' own among them."""
    found: dict[str, Yaku] = {}
    for one in result.candidates:
        found |= {**known_yaku(one.before), **known_yaku(one.rules)}
    return found


def yaku_name(yaku: Yaku) -> str:
    """English and Japanese.

    >>> from ..scoring.ruleset import catalog
    >>> yaku_name(catalog()["sanrenkou"])
    'Three consecutive triplets 三連刻'
    """
    return f"{yaku.english} {yaku.kanji}".strip()


def candidate_name(one: Candidate, known: Mapping[str, Yaku]) -> str:
    """A candidate as a row or a column is headed."""
    if one.yaku is None:
        return one.id
    name = f"{known[one.yaku].romaji} {known[one.yaku].kanji}".strip()
    return f"{name} off" if one.has_yaku_before else f"{name} at {one.value}"


def sides(value: Value) -> str:
    """What a yaku is worth closed and open.

    >>> from ..scoring.values import parse_value
    >>> sides(parse_value("3/2")), sides(parse_value("mangan"))
    ('3 han closed, 2 han open', 'at least mangan, closed or open')
    """
    if not value.is_on:
        return "not played"
    if value.closed == value.open:
        return f"{_worth(value.closed)}, closed or open"
    return f"{_worth(value.closed)} closed, {_worth(value.open)} open"


def _worth(worth: Worth) -> str:
    if not worth.is_on:
        return "nothing"
    if worth.units:
        return "yakuman" if worth.units == 1 else f"{worth.units} yakuman"
    if not worth.floor:
        return f"{worth.han} han"
    return worth.text if worth.is_fixed or worth.text.startswith("least") else f"at least {worth.text}"


def question(one: Candidate, known: Mapping[str, Yaku], names: Mapping[str, str], played: str) -> str:
    """What the change asks, as a sentence."""
    if one.kind == RULES and isinstance(one.rules, Recorded):
        return "Play each game by the rules it was played under."
    if one.kind == RULES:
        return f"Play by {one.rules.name} ({one.rules.id})."
    if one.kind == TOGETHER:
        return f"All of these at once: {'; '.join(names.get(id_, id_) for id_ in one.value.split(', '))}."
    after = within(one.rules, played)
    besides = f" With it go {', '.join(one.goes_with)}." if one.goes_with else ""
    if one.yaku is None:
        key = one.id.partition("=")[0]
        said = keys()[key].doc if key in keys() else ""
        return f"Set {one.id}. {said}".strip()
    name = f"{yaku_name(known[one.yaku])} ({known[one.yaku].romaji})"
    value = after.yaku_value(one.yaku)
    return f"Play {name}: {sides(value)}.{besides}" if value.is_on else f"Do not play {name}.{besides}"


def ruleset_file(one: Candidate, known: Mapping[str, Yaku], played: str) -> str:
    """The rules after the change as a file that `koyaku rules check` accepts, for games played under `played`."""
    after = within(one.rules, played)
    return file_text(after, f"{within(one.before, played).name}, {candidate_name(one, known)}")


def limit_words(band: str) -> str:
    """A step of the ladder of limits."""
    return _LIMITS.get(band, band.replace("_", " "))
