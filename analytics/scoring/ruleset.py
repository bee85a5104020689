"""Rulesets as data: a complete, frozen set of keys, each with the ruleset its value came from."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache, cached_property
from importlib.resources import files
from pathlib import Path
from types import MappingProxyType

import orjson

from . import yaku as _register_facts  # noqa: F401
from .facts import names as fact_names
from .values import Value, parse_value

STAGES = ("score", "settle", "ledger", "play")


class RulesetError(ValueError):
    """A ruleset that cannot be: a key or a value that does not exist, named with the nearest that does."""


@dataclass(frozen=True)
class Key:
    """One switch of a ruleset, as base declares it."""

    name: str
    default: object
    stage: str
    doc: str
    allowed: tuple | None = None
    items: tuple | None = None
    """Of a list, what it may hold."""
    lengths: tuple[int, ...] | None = None
    """Of a list, how many it may hold."""
    least: int | None = None
    guards: Mapping[str, Mapping[str, list[str]]] = field(default_factory=dict)
    """Of a yaku's option, per value: the facts it `needs` and `forbids`."""


@dataclass(frozen=True)
class Yaku:
    """Identity of a yaku; what it states is the fact of the same name."""

    id: str
    romaji: str
    kanji: str
    english: str
    replaces: tuple[str, ...]
    kind: str = "hand"
    """`hand`, or `draw` for what is paid without a winning hand."""


@cache
def catalog() -> Mapping[str, Yaku]:
    """Every yaku by id."""
    return MappingProxyType(_load_base()[1])


@cache
def keys() -> Mapping[str, Key]:
    """Every key a ruleset can set."""
    return MappingProxyType(_load_base()[0])


@cache
def _load_base() -> tuple[dict[str, Key], dict[str, Yaku]]:
    """Keys and yaku; refuses if base, the identities and the facts do not match up."""
    base = tomllib.loads(_folder().joinpath("base.toml").read_text("utf-8"))
    identity = tomllib.loads(files(__package__).joinpath("yaku", "yaku.toml").read_text("utf-8"))
    found: dict[str, Key] = {}
    for family, entries in base.items():
        if family in ("name", "about", "yaku"):
            continue
        for name, entry in entries.items():
            found[f"{family}.{name}"] = _key(f"{family}.{name}", entry)
    facts = set(fact_names())
    catalog: dict[str, Yaku] = {}
    if set(base["yaku"]) != set(identity):
        raise RulesetError(f"base and yaku.toml differ in {sorted(set(base['yaku']) ^ set(identity))}")
    for id_, entry in base["yaku"].items():
        row = identity[id_]
        _check_entry(f"yaku.{id_}", entry, ("value",), ("replaces", "options"))
        _check_entry(f"yaku.{id_}", row, ("romaji", "kanji", "english"), ("kind",))
        one = Yaku(
            id_,
            row["romaji"],
            row["kanji"],
            row["english"],
            tuple(entry.get("replaces", ())),
            row.get("kind", "hand"),
        )
        if one.kind == "hand" and id_ not in facts:
            raise RulesetError(f"yaku {id_!r} has no fact of its name")
        for other in one.replaces:
            if other not in identity:
                raise RulesetError(f"yaku {id_!r} replaces {other!r}, which does not exist")
        catalog[id_] = one
        stage = "settle" if one.kind == "draw" else "score"
        found[f"yaku.{id_}"] = Key(f"yaku.{id_}", parse_value(entry["value"]), stage, "Value of the yaku.")
        for name, option in entry.get("options", {}).items():
            key = _key(f"yaku.{id_}.{name}", {"stage": "score", **option})
            for guard in key.guards.values():
                _check_entry(key.name, guard, (), ("needs", "forbids"))
                for fact in (*guard.get("needs", ()), *guard.get("forbids", ())):
                    if fact not in facts:
                        raise RulesetError(f"{key.name}: no fact {fact!r}{_nearest(fact, facts)}")
            found[key.name] = key
    return found, catalog


def _key(name: str, entry: Mapping) -> Key:
    _check_entry(name, entry, ("value", "stage", "doc"), ("values", "items", "lengths", "least", "when"))
    value, guards = _frozen(entry["value"]), entry.get("when", {})
    allowed = tuple(_frozen(v) for v in entry["values"]) if "values" in entry else None
    if entry["stage"] not in STAGES:
        raise RulesetError(f"base: {name} is of stage {entry['stage']!r}{_nearest(str(entry['stage']), STAGES)}")
    if allowed is not None and value not in allowed:
        raise RulesetError(f"base: {name} is {value!r}, which is not among its values")
    possible = [written(v) for v in ((False, True) if isinstance(value, bool) else allowed or ())]
    for guarded in guards:
        if guarded not in possible:
            raise RulesetError(f"base: {name} has a guard for {guarded!r}{_nearest(guarded, possible)}")
    return Key(
        name,
        value,
        entry["stage"],
        entry["doc"],
        allowed=allowed,
        items=tuple(entry["items"]) if "items" in entry else None,
        lengths=tuple(entry["lengths"]) if "lengths" in entry else None,
        least=entry.get("least"),
        guards=guards,
    )


def _check_entry(name: str, entry: Mapping, needed: Iterable[str], known: Iterable[str]) -> None:
    """Of an entry of base or the identities, that it says what it must and nothing else."""
    for word in needed:
        if word not in entry:
            raise RulesetError(f"base: {name} has no {word!r}")
    for word in entry:
        if word not in (allowed := (*needed, *known)):
            raise RulesetError(f"base: {name} has {word!r}{_nearest(word, allowed)}")


def _folder():
    return files(__package__).joinpath("rulesets")


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


def _nearest(name: str, known: Iterable[str]) -> str:
    near = get_close_matches(name, list(known), n=1, cutoff=0.4)
    return f"; nearest: {near[0]!r}" if near else ""


@dataclass(frozen=True)
class Ruleset:
    """A complete set of rules; amending gives a new one.

    Attributes
    ----------
    id, name : str
    values : mapping of key to value
        Complete: every key of `keys()`. A yaku's value is a `Value`.
    origin : mapping of key to str
        The ruleset each value came from: its own id, the one it extends, or what amended it.
    """

    id: str
    name: str
    values: Mapping[str, object]
    origin: Mapping[str, str]

    def __getitem__(self, key: str) -> object:
        try:
            return self.values[key]
        except KeyError:
            raise RulesetError(f"{self.id}: no key {key!r}{_nearest(key, self.values)}") from None

    @cached_property
    def hash(self) -> str:
        """Twelve hex digits that differ whenever any value does."""
        plain = {k: v.text if isinstance(v, Value) else v for k, v in sorted(self.values.items())}
        return hashlib.sha256(orjson.dumps(plain)).hexdigest()[:12]

    def amend(self, changes: Mapping[str, object]) -> Ruleset:
        """A new ruleset with other values; its id says what changed.

        Raises
        ------
        RulesetError
            A key or value that does not exist.
        """
        checked = {_canonical(key): value for key, value in changes.items()}
        checked = {key: check_value(self.id, key, value) for key, value in checked.items()}
        changed = {key: value for key, value in checked.items() if self.values[key] != value}
        if not changed:
            return self
        words = ", ".join(f"{key.removeprefix('yaku.')}={written(value)}" for key, value in changed.items())
        return Ruleset(
            id=f"{self.id} + {words}" if " + " not in self.id else f"{self.id}, {words}",
            name=f"{self.name}, with {words}",
            values=MappingProxyType({**self.values, **changed}),
            origin=MappingProxyType({**self.origin, **dict.fromkeys(changed, "amended")}),
        )

    def yaku_value(self, id_: str) -> Value:
        return self[f"yaku.{id_}"]

    def __hash__(self) -> int:
        return hash((self.id, self.hash))


def written(value: object) -> str:
    """A value as a ruleset file writes it."""
    if isinstance(value, Value):
        return value.text
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(list(value)) if isinstance(value, tuple) else str(value)


def _canonical(key: str) -> str:
    return key.removesuffix(".value") if key.startswith("yaku.") else key


def check_value(place: str, key: str, value: object) -> object:
    """The value as the key's type, from TOML or from text.

    Raises
    ------
    RulesetError
        The key does not exist, or the value is not of its type or not among those allowed.
    """
    known = keys().get(key)
    if known is None:
        raise RulesetError(f"{place}: no key {key!r}{_nearest(key, keys())}")
    if isinstance(known.default, Value):
        try:
            return parse_value(value)
        except ValueError as error:
            raise RulesetError(f"{place}: {key}: {error}") from None
    value = _frozen(value)
    if isinstance(known.default, bool) and isinstance(value, str):
        value = {"true": True, "on": True, "false": False, "off": False}.get(value.lower(), value)
    elif isinstance(known.default, int) and isinstance(value, str):
        value = _number(value)
    if type(value) is not type(known.default):
        expected = {bool: "true or false", int: "a whole number", str: "a word", tuple: "a list"}
        raise RulesetError(f"{place}: {key} is {value!r}, expected {expected[type(known.default)]}")
    if known.allowed is not None and value not in known.allowed:
        choices = ", ".join(written(v) for v in known.allowed)
        raise RulesetError(f"{place}: {key} is {value!r}, expected one of {choices}")
    if known.least is not None and value < known.least:
        raise RulesetError(f"{place}: {key} is {value!r}, expected {known.least} or more")
    if isinstance(value, tuple):
        kind = type(known.default[0])
        for item in value:
            if type(item) is not kind:
                raise RulesetError(f"{place}: {key} holds {item!r}, expected a list of {kind.__name__}")
            if known.items is not None and item not in known.items:
                choices = ", ".join(known.items)
                raise RulesetError(f"{place}: {key} holds {item!r}, expected some of {choices}")
        if known.lengths is not None and len(value) not in known.lengths:
            counts = " or ".join(map(str, known.lengths))
            raise RulesetError(f"{place}: {key} holds {len(value)} values, expected {counts}")
    return value


def amended(
    rules: Ruleset | str | Path, adopt: Sequence[str] = (), drop: Sequence[str] = (), set_: Sequence[str] = ()
) -> Ruleset:
    """A ruleset with changes as a command line writes them; of two that meet, the later kind wins.

    Parameters
    ----------
    adopt : sequence of str
        `YAKU`, at the value base plays it at, or `YAKU=VALUE`. Its origin is `adopted`.
    drop : sequence of str
        Yaku to switch off.
    set_ : sequence of str
        `KEY=VALUE`; the items of a list stand between commas.

    Raises
    ------
    RulesetError
        A yaku, key or value that does not exist, or a yaku that base gives no value and the entry neither.

    >>> amended("base", adopt=["chiitoitsu=2/off", "tanyao=2"], set_=["payment.liable=daisangen"]).id
    "base + tanyao=2, payment.liable=['daisangen']"
    """
    rules = ruleset(rules)
    changes: dict[str, object] = {}
    for entry in adopt:
        id_, has_value, value = entry.partition("=")
        if not has_value and id_ in catalog():
            default = base().yaku_value(id_)
            if not default.is_on:
                raise RulesetError(f"{rules.id}: {id_} has no agreed value; give one, as in {id_}=2")
            value = default.text
        changes[_yaku_key(rules, id_)] = value
    adopted = dict.fromkeys(changes, "adopted")
    changes |= {_yaku_key(rules, id_): "off" for id_ in drop}
    for entry in set_:
        key, has_value, value = entry.partition("=")
        if not has_value:
            raise RulesetError(f"{rules.id}: {entry!r} sets nothing; expected KEY=VALUE")
        changes[key] = _listed(key, value)
    changed = rules.amend(changes)
    return replace(changed, origin=MappingProxyType({**changed.origin, **adopted})) if adopted else changed


def _yaku_key(rules: Ruleset, id_: str) -> str:
    if id_ not in catalog():
        raise RulesetError(f"{rules.id}: no yaku {id_!r}{_nearest(id_, catalog())}")
    return f"yaku.{id_}"


def _listed(key: str, text: str) -> object:
    """The text, or its parts between commas where the key holds a list."""
    known = keys().get(key)
    if known is None or not isinstance(known.default, tuple):
        return text
    parts = tuple(part.strip() for part in text.split(",") if part.strip())
    if isinstance(known.default[0], int):
        return tuple(map(_number, parts))
    return parts


def _number(text: str) -> int | str:
    """A whole number if the text is one, else the text."""
    return int(text) if re.fullmatch(r"-?[0-9]+", text) else text


def shipped() -> tuple[str, ...]:
    """Ids of the rulesets that come with the package."""
    return tuple(sorted(f.name.removesuffix(".toml") for f in _folder().iterdir() if f.name.endswith(".toml")))


@cache
def base() -> Ruleset:
    """The documented ruleset with every key."""
    text = tomllib.loads(_folder().joinpath("base.toml").read_text("utf-8"))
    values = {key.name: key.default for key in keys().values()}
    return Ruleset("base", text["name"], MappingProxyType(values), MappingProxyType(dict.fromkeys(values, "base")))


def ruleset(id_or_path: str | Path | Ruleset) -> Ruleset:
    """A ruleset by id, or from a TOML file of one's own.

    Raises
    ------
    RulesetError
        There is none of this name, or the file is not a ruleset.
    """
    if isinstance(id_or_path, Ruleset):
        return id_or_path
    text = str(id_or_path)
    if text.endswith(".toml"):
        return _from_file(Path(text))
    return _shipped(text)


@cache
def _shipped(id_: str) -> Ruleset:
    if id_ == "base":
        return base()
    if id_ not in shipped():
        raise RulesetError(f"no ruleset {id_!r}{_nearest(id_, shipped())}; a file of your own ends in .toml")
    return _read(id_, _folder().joinpath(f"{id_}.toml").read_text("utf-8"))


def _from_file(path: Path) -> Ruleset:
    try:
        return _read(path.stem, path.read_text("utf-8"))
    except (OSError, UnicodeDecodeError) as error:
        raise RulesetError(f"{path}: cannot be read: {error}") from None


def _read(id_: str, text: str) -> Ruleset:
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(f"{id_}.toml: not TOML: {error}") from None
    extends = tables.pop("extends", "base")
    if extends not in shipped():
        raise RulesetError(f"{id_}.toml: extends {extends!r}, which is not shipped{_nearest(str(extends), shipped())}")
    parent = _shipped(extends)
    name = tables.pop("name", id_)
    tables.pop("source", None)
    tables.pop("about", None)
    values, origin = dict(parent.values), dict(parent.origin)
    for key, value in _flatten(tables):
        key = _canonical(key)
        values[key] = check_value(f"{id_}.toml", key, value)
        origin[key] = id_
    return Ruleset(id_, name, MappingProxyType(values), MappingProxyType(origin))


def _flatten(tables: Mapping, prefix: str = "") -> Iterable[tuple[str, object]]:
    for name, value in tables.items():
        if isinstance(value, Mapping):
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
