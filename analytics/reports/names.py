"""Candidates in words: names, values, what a change asks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from ..impact.candidates import RULES, TOGETHER, Candidate, known_yaku, within
from ..rescoring import Recorded
from ..rulebook import file_text
from ..scoring.ruleset import Ruleset, Yaku, keys, written
from ..scoring.values import Value, Worth

if TYPE_CHECKING:
    from ..impact import RuleImpact

_LIMITS = {"no_win": "no win", "none": "below mangan"}


def played_by(result: RuleImpact) -> list[str]:
    """The rulesets the wins were played under, that of most of them first."""
    played = result.card.rulesets
    ids = sorted(played, key=lambda id_: (-played[id_], id_))
    return list(dict.fromkeys(id_.partition(" + ")[0] for id_ in ids)) or ["base"]


def yaku_of(result: RuleImpact) -> Mapping[str, Yaku]:
    """Every yaku the report can speak of, rulesets' own among them."""
    found: dict[str, Yaku] = {}
    for one in result.candidates:
        found |= {**known_yaku(one.before), **known_yaku(one.rules)}
    return found


def candidate_name(one: Candidate, known: Mapping[str, Yaku]) -> str:
    """A candidate as a row or a column is headed: what is other after the change."""
    if one.kind in (RULES, TOGETHER):
        return one.id
    if one.option is not None or not (one.yaku or one.drawn):
        key = key_of(one)
        return f"{_subject(key, known)}: {value_words(within(one.rules, 'base')[key])}"
    name = known[one.yaku or one.drawn].name
    return f"{name} off" if one.has_yaku_before else f"{name} at {one.value}"


def key_of(one: Candidate) -> str:
    """The key that a candidate sets."""
    return one.id.partition("=")[0].strip()


def _subject(key: str, known: Mapping[str, Yaku]) -> str:
    family, *rest = key.split(".")
    whose, words = (known[rest[0]].name, rest[1:]) if family == "yaku" else (family.capitalize(), rest)
    return ", ".join((whose, *(word.replace("_", " ") for word in words)))


def value_words(value: object) -> str:
    """The value of a key.

    >>> value_words(False), value_words("head_bump"), value_words((20, 10, -10, -20)), value_words(30000)
    ('off', 'head bump', '20, 10, -10, -20', '30000')
    """
    if isinstance(value, bool):
        return "on" if value else "off"
    if isinstance(value, tuple):
        return ", ".join(map(value_words, value)) or "none"
    return written(value) if isinstance(value, Value) else str(value).replace("_", " ")


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


def short_worth(value: Value) -> str:
    """The same in few words.

    >>> from ..scoring.values import parse_value
    >>> short_worth(parse_value("1")), short_worth(parse_value("2/1")), short_worth(parse_value("1/off"))
    ('1 han', '2 han, 1 open', '1 han, closed')
    """
    if value.closed == value.open:
        return _worth(value.closed)
    if not value.open.is_on:
        return f"{_worth(value.closed)}, closed"
    return f"{_worth(value.closed)}, {_worth(value.open).removesuffix(' han')} open"


def _worth(worth: Worth) -> str:
    if not worth.is_on:
        return "nothing"
    if worth.units:
        return "yakuman" if worth.units == 1 else f"{worth.units} yakuman"
    if not worth.floor:
        return f"{worth.han} han"
    return worth.text if worth.is_fixed or worth.text.startswith("least") else f"at least {worth.text}"


def question(one: Candidate, known: Mapping[str, Yaku], names: Mapping[str, str], played: Iterable[str]) -> str:
    """What the change asks, as a sentence; `played` are the rulesets of the games."""
    if one.kind == RULES and isinstance(one.rules, Recorded):
        return "Play each game by the rules it was played under."
    if one.kind == RULES:
        return f"Play by {one.rules.name} ({one.rules.id})."
    if one.kind == TOGETHER:
        return f"All of these at once: {'; '.join(names.get(id_, id_) for id_ in one.value.split(', '))}."
    pairs = [(within(one.before, id_), within(one.rules, id_)) for id_ in played]
    besides = f" With it go {', '.join(known[id_].name if id_ in known else id_ for id_ in one.goes_with)}."
    besides = besides if one.goes_with else ""
    if one.option is not None or not (one.yaku or one.drawn):
        return _setting(key_of(one), pairs)
    yaku = known[one.yaku or one.drawn]
    value = pairs[0][1].yaku_value(yaku.id)
    asks = f"Play {yaku.full_name}: {sides(value)}." if value.is_on else f"Do not play {yaku.full_name}."
    return asks + besides


def _setting(key: str, pairs: Iterable[tuple[Ruleset, Ruleset]]) -> str:
    """A key before and after, in words and as it is written; before may differ from game to game."""
    befores, [after, *_] = ([*dict.fromkeys(rules[key] for rules in each)] for each in zip(*pairs, strict=True))
    said = keys()[key].doc.rstrip(".")
    if befores == [after]:
        return f"{said}: {value_words(after)} before and after ({key} = {written(after)}); nothing changes."
    before, raw = (" or ".join(map(words, befores)) for words in (value_words, written))
    return f"{said}: {before} → {value_words(after)} ({key}: {raw} → {written(after)})."


def ruleset_file(one: Candidate, known: Mapping[str, Yaku], played: str) -> str:
    """The rules after the change as a file that `koyaku rules check` accepts, for games played under `played`."""
    after = within(one.rules, played)
    return file_text(after, f"{within(one.before, played).name}, {candidate_name(one, known)}")


def limit_words(band: str) -> str:
    """A step of the ladder of limits."""
    return _LIMITS.get(band, band.replace("_", " "))
