"""Rulesets to read: the list of them, one in full as a file, two compared, a file checked, and the facts behind."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from .scoring.facts import HAND_FACTS, names, sentence
from .scoring.ruleset import Ruleset, Yaku, amended, catalog, keys, possible_values, ruleset, shipped, written
from .scoring.values import Value

_UNKNOWN = "unknown"


@dataclass(frozen=True)
class Row:
    """A key of one ruleset, or of two that differ in it."""

    key: str
    value: str
    origin: str
    stage: str
    doc: str
    other: str | None = None
    possible: str = ""
    """The values it can have, where they are few."""


def origin_of(rules: Ruleset, key: str) -> str:
    """A key with its value and the ruleset that says so: `yaku.pinfu = 1/off (base)`."""
    return f"{key} = {_value(rules, key)} ({rules.origin[key]})"


def listing() -> list[Ruleset]:
    """The rulesets that come with Koyaku, base first."""
    return [ruleset("base"), *(ruleset(id_) for id_ in shipped() if id_ != "base")]


def knows_nothing(rules: Ruleset) -> bool:
    """Whether no source tells anything of a ruleset that base does not say: with base assumed it is base."""
    stated = {key for key, origin in rules.stated_origin.items() if origin != "base"}
    return bool(rules.unknown) and not rules.own and stated <= set(rules.unknown)


def rows(rules: Ruleset | str | Path, *, only_stated: bool = False) -> list[Row]:
    """Every key of a ruleset; with `only_stated`, those that base amended by would be the same."""
    rules = ruleset(rules)
    found = [_row(rules, key) for key in rules.values]
    if not only_stated:
        return found
    same = ruleset("base").amend({key: rules[key] for key in keys() if key not in rules.unknown})
    return [row for row in found if row.key in rules.unknown or same.stated_origin.get(row.key) != "base"]


@dataclass(frozen=True)
class YakuRow:
    """A yaku under a ruleset.

    Attributes
    ----------
    value : str
        What it is worth there.
    usual : str or None
        What it is worth where it is adopted without a value; None where no value is agreed on.
    options : list of Row
    """

    yaku: Yaku
    value: str
    usual: str | None
    options: list[Row]


def yaku_rows(rules: Ruleset | str | Path, *, only_local: bool = False) -> list[YakuRow]:
    """Every yaku the ruleset can play, its own among them; with `only_local`, those that the common rules lack."""
    rules = ruleset(rules)
    return [
        YakuRow(
            one,
            _value(rules, f"yaku.{one.id}"),
            amended(rules, adopt=[one.id]).yaku_value(one.id).text if one.value.is_on else None,
            [_row(rules, f"yaku.{one.id}.{name}") for name in one.options],
        )
        for one in rules.yaku().values()
        if not (only_local and one.is_standard)
    ]


def as_toml(rules: Ruleset | str | Path, *, only_stated: bool = False) -> str:
    """A ruleset as a file that reads as the same ruleset; each line says where it came from and what it means."""
    rules = ruleset(rules)
    lines = [f"# {rules.id} ({rules.hash})", f"name = {_toml(rules.name)}"]
    if rules.unknown:
        lines.append(f"unknown = {_toml(rules.unknown)}")
    for row in rows(rules, only_stated=only_stated):
        if row.key.removeprefix("yaku.") not in rules.own:
            is_unknown = row.value == _UNKNOWN
            value = _UNKNOWN if is_unknown else _toml(rules[row.key])
            key = f"{row.key}.value" if isinstance(rules[row.key], Value) else row.key
            lines.append(f"{'# ' * is_unknown}{key} = {value}    # {row.origin}; {row.stage}; {row.doc}")
    for id_, own in rules.own.items():
        told = {"romaji": own.yaku.romaji, "kanji": own.yaku.kanji, "english": own.yaku.english}
        told |= {"needs": own.effect.needs, "forbids": own.effect.forbids, "replaces": own.yaku.replaces}
        told |= {"value": rules.yaku_value(id_)}
        lines += ["", f"[yaku.{id_}]    # {rules.origin[f'yaku.{id_}']}"]
        lines += [f"{name} = {_toml(value)}" for name, value in told.items()]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    """A value in TOML, which writes words, numbers, switches and lists as JSON does."""
    return json.dumps(written(value) if isinstance(value, Value) else value, ensure_ascii=False)


def difference(one: Ruleset | str | Path, other: Ruleset | str | Path) -> list[Row]:
    """The keys in which two rulesets differ; `other` of a row is the second one's value."""
    one, other = ruleset(one), ruleset(other)
    found = []
    for key in dict.fromkeys((*one.values, *other.values)):
        values = [_value(rules, key) for rules in (one, other)]
        if values[0] != values[1]:
            holder = one if key in one.values else other
            row = _row(holder, key)
            found.append(Row(key, values[0], row.origin, row.stage, row.doc, values[1]))
    return found


def file_text(rules: Ruleset, about: str) -> str:
    """A ruleset as a file of differences to the shipped one it came from, as `checked` reads it.

    >>> print(file_text(ruleset("base").amend({"yaku.sanrenkou": "2"}), "Sanrenkou at two han"))
    name = "Sanrenkou at two han"
    extends = "base"
    yaku.sanrenkou.value = "2"
    <BLANKLINE>
    """
    root = rules.id.partition(" + ")[0]
    parent = ruleset(root if root in shipped() else "base")
    lines = [f"name = {_toml(about)}", f"extends = {_toml(parent.id)}"]
    for key in keys():
        is_as_inherited = rules.stated[key] == parent.stated[key] and key not in (*parent.unknown, *rules.assumed)
        if key in rules.unknown or (is_as_inherited and rules.stated_origin[key] == parent.stated_origin[key]):
            continue
        field = f"{key}.value" if key.removeprefix("yaku.") in catalog() else key
        lines.append(f"{field} = {_toml(rules.values[key])}")
    if rules.unknown:
        lines.insert(2, f"unknown = {_toml(rules.unknown)}")
    for id_, own in rules.own.items():
        if id_ not in parent.own:
            one, effect = own.yaku, own.effect
            told = {"value": rules.yaku_value(id_), "needs": effect.needs, "forbids": effect.forbids}
            told |= {"replaces": one.replaces, "romaji": one.romaji, "kanji": one.kanji, "english": one.english}
            lines += ["", f"[yaku.{id_}]", *(f"{name} = {_toml(value)}" for name, value in told.items())]
    return "\n".join(lines) + "\n"


def _toml(value: object) -> str:
    value = value.text if isinstance(value, Value) else list(value) if isinstance(value, tuple) else value
    return json.dumps(value, ensure_ascii=False)


def _value(rules: Ruleset, key: str) -> str:
    if key in rules.unknown:
        return _UNKNOWN
    return written(rules.values[key]) if key in rules.values else "off"


def _row(rules: Ruleset, key: str) -> Row:
    known = keys().get(key)
    stage, doc = (known.stage, known.doc) if known else ("score", "A yaku of the ruleset's own.")
    id_ = key.removeprefix("yaku.")
    if id_ in catalog():
        one = catalog()[id_]
        doc = f"{one.english}, {one.kanji}"
    possible = ", ".join(possible_values(known)) if known else ""
    return Row(key, _value(rules, key), rules.origin[key], stage, doc, possible=possible)


def checked(file: str | Path) -> Ruleset:
    """A ruleset file, read and checked.

    Raises
    ------
    scoring.ruleset.RulesetError
        It cannot be a ruleset: file, key and the nearest that exists are named.
    """
    return ruleset(str(file))


def parent_of(file: str | Path) -> Ruleset:
    """The ruleset that a file, which can be read, is written as differences to."""
    return ruleset(tomllib.loads(Path(file).read_text("utf-8")).get("extends", "base"))


def facts() -> Iterator[tuple[str, str, str]]:
    """Every fact by name: whether it is of the `hand` or of its `reading`, and its sentence."""
    for name in sorted(names()):
        yield name, "hand" if name in HAND_FACTS else "reading", sentence(name)
