"""Rulesets as data: a complete, frozen set of keys, each with the ruleset its value came from."""

from __future__ import annotations

import hashlib
import re
import tomllib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from functools import cache, cached_property
from graphlib import CycleError, TopologicalSorter
from importlib.resources import files
from itertools import pairwise
from pathlib import Path
from types import MappingProxyType

import orjson

from parsers.errors import nearest, system_reason

from . import yaku as _register_facts  # noqa: F401
from .facts import names as fact_names
from .values import NOTHING, Value, parse_value, shown

STAGES = ("score", "settle", "ledger", "play")


class RulesetError(ValueError):
    """A ruleset that cannot be: a key or a value that does not exist, named with the nearest that does."""


@dataclass(frozen=True)
class Effect:
    """What one value of a yaku's option changes.

    Attributes
    ----------
    fact : str or None
        The fact that stands for the yaku instead of its own.
    also : tuple of str
        Facts that stand for it as well.
    swaps : mapping of str to str
        Facts that stand for it instead of others.
    needs, forbids : tuple of str
        Facts that must, or must not, hold beside it.
    value : Value or None
        Its worth where the option is stated and no worth of the yaku is stated with it or later.
    cases : tuple of (str, str)
        Its worth where a further fact holds: `Value.altered`.
    replaces, spares, replaced_by, spared_by : tuple of str
        Yaku it replaces besides or no longer replaces, and by which it is replaced or no longer replaced.
    han_needs : str or None
        A yaku that must be selected for its han to count; a floor stands without.
    counts : bool
        False where its han do not count towards the minimum.
    needs_valid : bool
        Whether the hand must be a valid win without it.
    worth_as : str or None
        `han` or `floor`: a limit taken as its han, or han as their limit.
    sets, sets_off : mapping
        Other keys this one sets where they stand at their default; the latter while its yaku is off.
    """

    fact: str | None = None
    also: tuple[str, ...] = ()
    swaps: Mapping[str, str] = field(default_factory=dict)
    needs: tuple[str, ...] = ()
    forbids: tuple[str, ...] = ()
    value: Value | None = None
    cases: tuple[tuple[str, str], ...] = ()
    replaces: tuple[str, ...] = ()
    spares: tuple[str, ...] = ()
    replaced_by: tuple[str, ...] = ()
    spared_by: tuple[str, ...] = ()
    han_needs: str | None = None
    counts: bool = True
    needs_valid: bool = False
    worth_as: str | None = None
    sets: Mapping[str, object] = field(default_factory=dict)
    sets_off: Mapping[str, object] = field(default_factory=dict)

    @property
    def facts(self) -> tuple[str, ...]:
        """Every fact it names."""
        named = (self.fact, *self.also, *self.needs, *self.forbids, *(fact for fact, _ in self.cases))
        return tuple(fact for fact in (*named, *self.swaps, *self.swaps.values()) if fact)


NO_EFFECT = Effect()
_ASSUMED = "assumed from base"
MOST_HAN = 500
"""All yaku of a ruleset together are worth no more, either way: what options add to it stays below the 1,023 han that
`score` counts to."""


@dataclass(frozen=True)
class Key:
    """One switch of a ruleset, as base or the catalog declares it."""

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
    most: int | None = None
    """Of a number, or of each number of a list, the smallest and the largest; both, or its values are listed."""
    effects: Mapping[str, Effect] = field(default_factory=dict)
    """Of a yaku's option, by value as `written`."""


@dataclass(frozen=True)
class Yaku:
    """Identity of a yaku; what it states is the fact of the same name.

    Attributes
    ----------
    value : Value
        What it is worth where it is adopted without a value; `off` where no value is agreed on.
    replaces : tuple of str
        Yaku that do not count beside it.
    excludes : tuple of str
        Yaku never counted together with it: the better one stands.
    kind : str
        `hand`, or `draw` for what is paid without a winning hand.
    is_standard : bool
        Whether base plays it.
    is_shape : bool
        Whether its fact makes a hand complete that is not four sets and a pair.
    is_thin : bool
        Whether fewer than two sources define it: no shipped ruleset plays it.
    brings : tuple of str
        Keys that are off without it: what nobody can have where it is dropped.
    """

    id: str
    romaji: str
    kanji: str
    english: str
    value: Value
    replaces: tuple[str, ...] = ()
    excludes: tuple[str, ...] = ()
    kind: str = "hand"
    is_standard: bool = False
    is_shape: bool = False
    is_thin: bool = False
    options: tuple[str, ...] = ()
    brings: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """As players call it, romaji and kanji."""
        return name_of(self.romaji, self.kanji)

    @property
    def full_name(self) -> str:
        """The same with the English name, where that is another one."""
        return name_of(self.romaji, self.kanji, self.english)


def name_of(romaji: str, kanji: str, english: str = "") -> str:
    """A yaku, or what counts beside yaku, as every page, figure and table calls it.

    >>> name_of("Sanrenkou", "三連刻"), name_of("Sanrenkou", "三連刻", "Three consecutive triplets")
    ('Sanrenkou 三連刻', 'Sanrenkou 三連刻 (Three consecutive triplets)')
    >>> name_of("Panda", "", "Panda")
    'Panda'
    """
    name = f"{romaji} {kanji}".strip()
    return f"{name} ({english})" if english and english.casefold() != romaji.casefold() else name


@cache
def catalog() -> Mapping[str, Yaku]:
    """Every yaku by id."""
    return MappingProxyType(_load()[1])


@cache
def keys() -> Mapping[str, Key]:
    """Every key a ruleset can set."""
    return MappingProxyType(_load()[0])


FAMILIES = ("circumstance", "composition", "honours", "runs", "triplets", "shapes", "draws")


@cache
def _load() -> tuple[dict[str, Key], dict[str, Yaku]]:
    """Keys and yaku; refuses if base, the catalog and the facts do not match up."""
    found: dict[str, Key] = {}
    base_file = tomllib.loads(_folder().joinpath("base.toml").read_text("utf-8"))
    for family, entries in base_file.items():
        if family not in ("name", "about"):
            for name, entry in entries.items():
                found[f"{family}.{name}"] = _key(f"{family}.{name}", entry)
    rows: dict[str, dict] = {}
    for family in FAMILIES:
        of_family = tomllib.loads(files(__package__).joinpath("yaku", f"{family}.toml").read_text("utf-8"))
        if twice := set(rows) & set(of_family):
            raise RulesetError(f"{family}.toml: {sorted(twice)[0]!r} stands in another family too")
        rows |= of_family
    yaku = {id_: _yaku(id_, row) for id_, row in rows.items()}
    facts = set(fact_names())
    for one in yaku.values():
        if one.kind == "hand" and one.id not in facts:
            raise RulesetError(f"yaku {one.id!r} has no fact of its name{nearest(one.id, facts)}")
        _check_names(f"yaku {one.id!r}", (*one.replaces, *one.excludes), yaku)
        stage = "settle" if one.kind == "draw" else "score"
        default = one.value if one.is_standard else NOTHING
        found[f"yaku.{one.id}"] = Key(f"yaku.{one.id}", default, stage, "Value of the yaku.")
        for name, option in rows[one.id].get("options", {}).items():
            key = _key(f"yaku.{one.id}.{name}", {"stage": stage, **option})
            for effect in key.effects.values():
                _check_names(key.name, effect.facts, facts)
                others = (*effect.replaces, *effect.spares, *effect.replaced_by, *effect.spared_by, effect.han_needs)
                _check_names(key.name, [y for y in others if y], yaku)
            found[key.name] = key
    for one in yaku.values():
        _check_names(f"yaku {one.id!r}", one.brings, found)
    for key in found.values():
        for effect in key.effects.values():
            _check_names(key.name, (*effect.sets, *effect.sets_off), found)
    _check_replacing("yaku", _replaced_by_any(yaku, found))
    return found, yaku


def _replaced_by_any(yaku: Mapping[str, Yaku], known: Mapping[str, Key]) -> dict[str, list[str]]:
    """For each yaku what it can replace, whatever the options are set to."""
    found = {one.id: list(one.replaces) for one in yaku.values()}
    for key in known.values():
        for effect in key.effects.values():
            id_ = key.name.split(".")[1]
            found[id_] += effect.replaces
            for other in effect.replaced_by:
                found[other].append(id_)
    return found


def _check_replacing(place: str, replaced: Mapping[str, Iterable[str]]) -> None:
    """Refuse yaku that replace each other in a circle: of a hand that has them all, none would count.

    Whatever options can make of it is asked at once, so that no later change closes a circle.
    """
    try:
        TopologicalSorter(replaced).prepare()
    except CycleError as error:
        circle = error.args[1][:0:-1]
        first = circle.index(min(circle, key=[*replaced].index))
        circle = [*circle[first:], *circle[: first + 1]]
        said = ", ".join(f"{one} replaces {other}" for one, other in pairwise(circle))
        raise RulesetError(f"{place}.{circle[0]}.replaces: {said}; with all of them none would count") from None


def _check_names(place: str, named: Iterable[str], known: Iterable[str]) -> None:
    for name in named:
        if name not in known:
            raise RulesetError(f"{place} names {name!r}, which does not exist{nearest(name, known)}")


def _yaku(id_: str, row: Mapping) -> Yaku:
    optional = ("replaces", "excludes", "kind", "standard", "shape", "thin", "options", "brings")
    _check_entry(f"yaku.{id_}", row, ("romaji", "kanji", "english", "value"), optional)
    return Yaku(
        id=id_,
        romaji=row["romaji"],
        kanji=row["kanji"],
        english=row["english"],
        value=parse_value(row["value"]),
        replaces=tuple(row.get("replaces", ())),
        excludes=tuple(row.get("excludes", ())),
        kind=row.get("kind", "hand"),
        is_standard=row.get("standard", False),
        is_shape=row.get("shape", False),
        is_thin=row.get("thin", False),
        options=tuple(row.get("options", ())),
        brings=tuple(row.get("brings", ())),
    )


def _key(name: str, entry: Mapping) -> Key:
    _check_entry(name, entry, ("value", "stage", "doc"), ("values", "items", "lengths", "least", "most", "when"))
    default = _frozen(entry["value"])
    allowed = tuple(_frozen(v) for v in entry["values"]) if "values" in entry else None
    if entry["stage"] not in STAGES:
        raise RulesetError(f"base: {name} is of stage {entry['stage']!r}{nearest(str(entry['stage']), STAGES)}")
    if allowed is not None and default not in allowed:
        raise RulesetError(f"base: {name} is {default!r}, which is not among its values")
    first = default[0] if isinstance(default, tuple) else default
    if type(first) is int and allowed is None and not {"least", "most"} <= {*entry}:
        raise RulesetError(f"base: {name} is a number without 'values', or 'least' and 'most'")
    key = Key(
        name,
        default,
        entry["stage"],
        entry["doc"],
        allowed=allowed,
        items=tuple(entry["items"]) if "items" in entry else None,
        lengths=tuple(entry["lengths"]) if "lengths" in entry else None,
        least=entry.get("least"),
        most=entry.get("most"),
    )
    possible, effects = possible_values(key), {}
    for value, effect in entry.get("when", {}).items():
        if value not in possible:
            raise RulesetError(f"base: {name} has an effect for {value!r}{nearest(value, possible)}")
        _check_entry(name, effect, (), Effect.__dataclass_fields__)
        effects[value] = Effect(**{field_: _effect_field(field_, given) for field_, given in effect.items()})
    return replace(key, effects=effects)


def _effect_field(name: str, given: object) -> object:
    if name == "value":
        return parse_value(given)
    if name == "cases":
        for text in given.values():
            NOTHING.altered(text)
        return tuple(given.items())
    return _frozen(given)


def _check_entry(name: str, entry: Mapping, needed: Iterable[str], known: Iterable[str]) -> None:
    """Of an entry of base or the identities, that it says what it must and nothing else."""
    for word in needed:
        if word not in entry:
            raise RulesetError(f"base: {name} has no {word!r}")
    for word in entry:
        if word not in (allowed := (*needed, *known)):
            raise RulesetError(f"base: {name} has {word!r}{nearest(word, allowed)}")


def _folder():
    return files(__package__).joinpath("rulesets")


def _frozen(value: object) -> object:
    return tuple(value) if isinstance(value, list) else value


@dataclass(frozen=True)
class Own:
    """A yaku of a ruleset's own: a sentence over facts."""

    yaku: Yaku
    effect: Effect


@dataclass(frozen=True, repr=False)
class Ruleset:
    """A complete set of rules; amending gives a new one.

    Attributes
    ----------
    id, name : str
    stated : mapping of key to value
        Every key of `keys()` as base and the rulesets above it state it.
    stated_origin : mapping of key to str
        The ruleset each of them came from: base, its own id, the one it extends, or what amended it.
    own : mapping of id to Own
        Yaku that only this ruleset knows.
    unknown : tuple of str
        Keys no source tells; while there are any, the ruleset is incomplete: without those of hands and payments it
        scores nothing, without those of draws and results it follows no games.
    assumed : tuple of str
        Keys that were unknown and stand at base's value, because the user said so.
    """

    id: str
    name: str
    stated: Mapping[str, object]
    stated_origin: Mapping[str, str]
    own: Mapping[str, Own] = field(default_factory=dict)
    unknown: tuple[str, ...] = ()
    assumed: tuple[str, ...] = ()

    @cached_property
    def values(self) -> Mapping[str, object]:
        """Every key's value, with what other keys set where nobody stated it. A yaku's value is a `Value`."""
        return self._resolved[0]

    @cached_property
    def origin(self) -> Mapping[str, str]:
        """Where each value came from; a key set by another names that."""
        return self._resolved[1]

    @cached_property
    def _resolved(self) -> tuple[Mapping[str, object], Mapping[str, str]]:
        values, origin = dict(self.stated), dict(self.stated_origin)
        for name, key in keys().items():
            effect = key.effects.get(written(values[name]))
            if effect is None or not (effect.sets or effect.sets_off):
                continue
            for other, value in (effect.sets if self._is_played(name) else effect.sets_off).items():
                if origin[other] in ("base", _ASSUMED):
                    values[other] = check_value(self.id, other, value)
                    origin[other] = name
        return MappingProxyType(values), MappingProxyType(origin)

    def _is_played(self, key: str) -> bool:
        """Whether the yaku an option belongs to is on."""
        value = self.stated.get(key.rpartition(".")[0])
        return not isinstance(value, Value) or value.is_on

    def __getitem__(self, key: str) -> object:
        try:
            return self.values[key]
        except KeyError:
            raise RulesetError(f"{self.id}: no key {shown(key)}{nearest(key, self.values)}") from None

    @cached_property
    def hash(self) -> str:
        """Twelve hex digits that differ whenever any value does."""
        plain = {k: v.text if isinstance(v, Value) else v for k, v in sorted(self.values.items())}
        plain["own"] = [repr((replace(own.yaku, value=NOTHING), own.effect)) for own in self.own.values()]
        plain["unknown"] = sorted(self.unknown)
        return hashlib.sha256(orjson.dumps(plain)).hexdigest()[:12]

    def amend(self, changes: Mapping[str, object]) -> Ruleset:
        """A new ruleset with other values; its id says what changed.

        Raises
        ------
        RulesetError
            A key or value that does not exist.
        """
        checked = {_canonical(key): value for key, value in changes.items()}
        checked = {key: check_value(self.id, key, value, self.own) for key, value in checked.items()}
        untold = (*self.unknown, *self.assumed)
        changed = {k: value for k, value in checked.items() if self.values[k] != value or k in untold}
        if not changed:
            return self
        amended = self._with(changed)
        # What stood at its value anyway was stated all the same: no other key of the changes sets it.
        set_by_others = {k: value for k, value in checked.items() if amended.values[k] != value}
        return self._with({**changed, **set_by_others}) if set_by_others else amended

    def _with(self, changed: Mapping[str, object]) -> Ruleset:
        worths = _worths_of_options(changed, self.values)
        words = ", ".join(f"{key.removeprefix('yaku.')}={written(value)}" for key, value in changed.items())
        amended = replace(
            self,
            id=f"{self.id} + {words}" if " + " not in self.id else f"{self.id}, {words}",
            name=f"{self.name}, with {words}",
            stated=MappingProxyType({**self.stated, **changed, **{key: value for key, (value, _) in worths.items()}}),
            stated_origin=MappingProxyType(
                {**self.stated_origin, **dict.fromkeys(changed, "amended"), **{k: by for k, (_, by) in worths.items()}}
            ),
            unknown=tuple(key for key in self.unknown if key not in changed),
            assumed=tuple(key for key in self.assumed if key not in changed),
        )
        _check_han(amended.id, amended)
        return amended

    def assume_base(self) -> Ruleset:
        """The ruleset with base's values for the keys that no source tells; they stand in `assumed`."""
        if not self.unknown:
            return self
        origin = MappingProxyType({**self.stated_origin, **dict.fromkeys(self.unknown, _ASSUMED)})
        return replace(self, stated_origin=origin, unknown=(), assumed=(*self.assumed, *self.unknown))

    def missing(self, *, games: bool = False) -> tuple[str, ...]:
        """The unknown keys without which no win can be scored, or with `games` no game followed."""
        return tuple(key for key in self.unknown if games or not _is_of_games(key))

    def check_complete(self, *, games: bool = False) -> None:
        """Refuse to score under an incomplete ruleset, or with `games` to follow games under it.

        Raises
        ------
        RulesetError
            Some keys are unknown; they are named.
        """
        if missing := self.missing(games=games):
            keys_ = ", ".join(missing)
            raise RulesetError(
                f"{self.id}: incomplete, no source tells {keys_}; to take base's values for them say --assume base"
            )

    @property
    def players(self) -> int:
        """Players at the tables it is for: as many as its uma has places."""
        return len(self["game.uma"])

    def yaku_value(self, id_: str) -> Value:
        return self[f"yaku.{id_}"]

    def yaku(self) -> Mapping[str, Yaku]:
        """Every yaku the ruleset can play: the catalog's and its own."""
        return {**catalog(), **{id_: own.yaku for id_, own in self.own.items()}} if self.own else catalog()

    def __hash__(self) -> int:
        return hash((self.id, self.hash))

    def __repr__(self) -> str:
        return f"Ruleset({self.id!r}, {self.hash})"

    def __reduce__(self):
        # The mappings are read-only views, which do not travel to another process as they are.
        own = {id_: (one.yaku, one.effect) for id_, one in self.own.items()}
        views = (dict(self.stated), dict(self.stated_origin))
        return _remade, (self.id, self.name, *views, own, self.unknown, self.assumed)


def _remade(id_: str, name: str, stated: dict, origin: dict, own: dict, unknown: tuple, assumed: tuple) -> Ruleset:
    views = (MappingProxyType(stated), MappingProxyType(origin))
    return Ruleset(id_, name, *views, {i: Own(*one) for i, one in own.items()}, unknown, assumed)


def _worths_of_options(
    stated: Mapping[str, object], before: Mapping[str, object]
) -> dict[str, tuple[Value, str]]:
    """Of yaku that are played, the worth that a stated option gives where none is stated beside it, and the option."""
    found = {}
    for name in stated:
        yaku = name.rpartition(".")[0]
        gives_worth = name in keys() and any(effect.value for effect in keys()[name].effects.values())
        if gives_worth and yaku not in stated and before[yaku].is_on:
            found[yaku] = _usual_worth(catalog()[yaku.removeprefix("yaku.")], {**before, **stated}, name)
    return found


def _usual_worth(yaku: Yaku, values: Mapping[str, object], origin: str) -> tuple[Value, str]:
    """What a yaku is worth where nobody states it, and who says so: an option of it, or by `origin` the catalog."""
    for name in yaku.options:
        key = keys()[f"yaku.{yaku.id}.{name}"]
        if value := key.effects.get(written(values[key.name]), NO_EFFECT).value:
            return value, key.name
    return yaku.value, origin


def _is_of_games(key: str) -> bool:
    """Whether a key is about draws and results: no win is worth more or less by it."""
    return keys()[key].stage == "ledger" or key == "payment.noten"


def written(value: object) -> str:
    """A value as a ruleset file writes it."""
    if isinstance(value, Value):
        return value.text
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(list(value)) if isinstance(value, tuple) else str(value)


def possible_values(key: Key) -> list[str]:
    """The values a key can have, as a ruleset file writes them; none where they are many."""
    of_switch = (False, True) if isinstance(key.default, bool) else ()
    return [written(value) for value in key.allowed or of_switch]


def _canonical(key: str) -> str:
    return key.removesuffix(".value") if key.startswith("yaku.") else key


_HEADS = ("name", "extends", "source", "about", "unknown")
"""What a ruleset file may hold beside keys."""


def check_value(place: str, key: str, value: object, own: Mapping[str, Own] = MappingProxyType({})) -> object:
    """The value as the ruleset keeps it; text is no number and no switch.

    Raises
    ------
    RulesetError
        The key does not exist, or the value is not of its type or not among those allowed.
    """
    known = keys().get(key)
    is_own = key.removeprefix("yaku.") in own
    if known is None and not is_own:
        near = get_close_matches(key, _HEADS, n=1, cutoff=0.7)
        hint = nearest(key, near or keys())
        if not hint and place.endswith(".toml"):
            hint = f"; beside the keys of base a file has {', '.join(_HEADS)}"
        raise RulesetError(f"{place}: no key {shown(key)}{hint}")
    if is_own or isinstance(known.default, Value):
        try:
            return parse_value(value)
        except ValueError as error:
            raise RulesetError(f"{place}: {key}: {error}") from None
    value = _frozen(value)
    if type(value) is not type(known.default):
        range_ = "" if known.most is None else f" from {known.least} to {known.most}"
        expected = {bool: "true or false", int: f"a whole number{range_}", str: "a word", tuple: "a list"}
        raise RulesetError(f"{place}: {key} is {shown(value)}, expected {expected[type(known.default)]}")
    if known.allowed is not None and value not in known.allowed:
        choices = ", ".join(written(v) for v in known.allowed)
        raise RulesetError(f"{place}: {key} is {shown(value)}, expected one of {choices}")
    if isinstance(value, tuple):
        kind = type(known.default[0])
        for item in value:
            if type(item) is not kind:
                raise RulesetError(f"{place}: {key} holds {shown(item)}, expected a list of {kind.__name__}")
            if known.items is not None and item not in known.items:
                choices = ", ".join(known.items)
                raise RulesetError(f"{place}: {key} holds {shown(item)}, expected some of {choices}")
        if known.lengths is not None and len(value) not in known.lengths:
            counts = " or ".join(map(str, known.lengths))
            raise RulesetError(f"{place}: {key} holds {len(value)} values, expected {counts}")
    if known.most is not None:
        has, numbers = ("holds", value) if isinstance(value, tuple) else ("is", (value,))
        for number in numbers:
            if not known.least <= number <= known.most:
                raise RulesetError(f"{place}: {key} {has} {shown(number)}, expected {known.least} to {known.most}")
    return value


def amended(
    rules: Ruleset | str | Path,
    adopt: Sequence[str] = (),
    drop: Sequence[str] = (),
    set_: Sequence[str] = (),
    *,
    assume: str | None = None,
) -> Ruleset:
    """A ruleset with changes as a command line writes them; of two that meet, the later kind wins.

    A stated worth of a yaku stands against what its options would make of it.

    Parameters
    ----------
    adopt : sequence of str
        `YAKU`, worth what its options or else the catalog say, or `YAKU=VALUE`. Its origin is `adopted`.
    drop : sequence of str
        Yaku to switch off, and with them what they bring (riichi: double riichi, ippatsu, ura dora …), unless that is
        stated otherwise.
    set_ : sequence of str
        `KEY=VALUE`; the items of a list stand between commas.
    assume : str, optional
        `base`: its values stand for keys that no source tells.

    Raises
    ------
    RulesetError
        A yaku, key or value that does not exist, or a yaku without an agreed value and none given.

    >>> amended("base", adopt=["chiitoitsu=2/off", "tanyao=2"], set_=["payment.liable=daisangen"]).id
    "base + tanyao=2, payment.liable=['daisangen']"
    """
    rules = ruleset(rules)
    if assume not in (None, "base"):
        raise RulesetError(f"nothing but base can be assumed, not {shown(assume)}")
    changes: dict[str, object] = {}
    for entry in adopt:
        id_, has_value, value = entry.partition("=")
        key = _yaku_key(rules, id_)
        if not has_value and not rules.yaku()[id_].value.is_on:
            raise RulesetError(f"{rules.id}: {id_} has no agreed value; give one, as in {id_}=2")
        changes[key] = value if has_value else None
    for id_ in drop:
        changes[_yaku_key(rules, id_)] = "off"
    adopted = dict.fromkeys(changes.keys() - {_yaku_key(rules, id_) for id_ in drop}, "adopted")
    for entry in set_:
        key, has_value, value = entry.partition("=")
        if not has_value:
            raise RulesetError(f"{rules.id}: {shown(entry)} sets nothing; expected KEY=VALUE")
        if key in keys() and keys()[key].stage == "play":
            raise RulesetError(
                f"{rules.id}: {key} is a play key: it changes what players may do, which scoring recorded games again "
                "cannot show"
            )
        key = _canonical(key)
        changes[key] = check_value(rules.id, key, _from_text(key, value), rules.own)
        adopted.pop(key, None)
    for key in (key for id_ in drop for key in rules.yaku()[id_].brings):
        changes.setdefault(key, NOTHING if isinstance(rules[key], Value) else False)
    for key in (key for key in adopted if changes[key] is None):
        yaku = rules.yaku()[key.removeprefix("yaku.")]
        changes[key], adopted[key] = _usual_worth(yaku, {**rules.values, **changes}, "adopted")
    changed = rules.amend(changes)
    if adopted:
        changed = replace(changed, stated_origin=MappingProxyType({**changed.stated_origin, **adopted}))
    return changed.assume_base() if assume else changed


def _yaku_key(rules: Ruleset, id_: str) -> str:
    named = id_.removeprefix("yaku.")
    key = f"yaku.{named}"
    yaku, _, option = named.partition(".")
    if key in keys() and option:
        values = "|".join(possible_values(keys()[key])) or "VALUE"
        raise RulesetError(f"{rules.id}: {named!r} is no yaku but an option of one; say --set {key}={values}")
    if yaku in catalog() and option:
        options = catalog()[yaku].options
        near = nearest(option, options, lists=True) if options else "; it has none"
        raise RulesetError(f"{rules.id}: {yaku} has no option {option!r}{near}")
    if id_ not in rules.yaku():
        raise RulesetError(f"{rules.id}: no yaku {shown(id_)}{nearest(named, rules.yaku())}")
    return f"yaku.{id_}"


def _from_text(key: str, text: str) -> object:
    """What a command line says a key is, as the key's type; as it stands where it cannot be that."""
    default = keys()[key].default if key in keys() else None
    if isinstance(default, bool):
        return {"true": True, "on": True, "false": False, "off": False}.get(text.lower(), text)
    if isinstance(default, int):
        return _number(text)
    if isinstance(default, tuple):
        parts = tuple(part.strip() for part in text.split(",") if part.strip())
        return tuple(map(_number, parts)) if isinstance(default[0], int) else parts
    return text


def _number(text: str) -> int | str:
    """A whole number if the text is one that any range holds, else the text."""
    return int(text) if re.fullmatch(r"-?[0-9]{1,18}", text) else text


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
        raise RulesetError(f"no ruleset {shown(id_)}{nearest(id_, shipped())}; a file of your own ends in .toml")
    return _read(id_, _folder().joinpath(f"{id_}.toml").read_text("utf-8"))


def _from_file(path: Path) -> Ruleset:
    try:
        return _read(path.stem, path.read_text("utf-8"))
    except OSError as error:
        raise RulesetError(f"{path}: cannot be read: {system_reason(error)}") from None
    except UnicodeDecodeError as error:
        raise RulesetError(f"{path}: cannot be read: byte {error.start} is no UTF-8, as TOML is") from None


_DEEPEST = 16
"""Nesting in which a key of a file may lie; those there are lie in three."""


def _tables(place: str, text: str) -> dict[str, object]:
    """What a file of TOML holds, nested no deeper and no number larger than a ruleset can use."""
    too_deep = RulesetError(f"{place}: nested too deep to be a ruleset, expected keys such as yaku.tanyao.open")
    try:
        tables = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise RulesetError(f"{place}: not TOML: {error}") from None
    except RecursionError:
        raise too_deep from None
    except ValueError:  # Python reads no integer of so many digits
        raise RulesetError(f"{place}: not TOML: an integer of more than 64 bits") from None
    level: list[object] = [tables]
    for _ in range(_DEEPEST):
        inner = [one for of_one in level for one in (of_one.values() if isinstance(of_one, dict) else of_one)]
        if any(isinstance(one, int) and one.bit_length() > 64 for one in inner):
            raise RulesetError(f"{place}: not TOML: an integer of more than 64 bits")
        level = [one for one in inner if isinstance(one, (dict, list))]
    if level:
        raise too_deep
    return tables


def _read(id_: str, text: str) -> Ruleset:
    tables = _tables(f"{id_}.toml", text)
    extends = tables.pop("extends", "base")
    if extends not in shipped():
        near = nearest(str(extends), shipped())
        raise RulesetError(f"{id_}.toml: extends {shown(extends)}, which is not shipped{near}")
    parent = _shipped(extends)
    name, _, _ = (_text(id_, head, tables.pop(head, id_)) for head in ("name", "source", "about"))
    values, origin = dict(parent.stated), dict(parent.stated_origin)
    unknown = _unknown(id_, tables.pop("unknown", []), parent)
    for key in unknown:  # what the ruleset it extends says of them is not known to hold here
        values[key], origin[key] = keys()[key].default, "base"
    own = dict(parent.own)
    rows = tables["yaku"] if isinstance(tables.get("yaku"), dict) else {}
    own_rows = {own_id: rows.pop(own_id) for own_id in list(rows) if _is_own(own_id, rows[own_id])}
    if own_rows and not rows:
        del tables["yaku"]
    for own_id, row in own_rows.items():
        own[own_id] = _own(f"{id_}.toml", own_id, row, {*catalog(), *own_rows} - {own_id})
        values[f"yaku.{own_id}"], origin[f"yaku.{own_id}"] = own[own_id].yaku.value, id_
    by_own = {own_id: one.yaku.replaces for own_id, one in own.items()}
    _check_replacing(f"{id_}.toml: yaku", {**by_own, **_replaced_by_any(catalog(), keys())})
    stated = {}
    for key, value in _flatten(tables):
        if value == {}:
            value_key = f", expected {key}.value" if key.startswith("yaku.") else ""
            raise RulesetError(f"{id_}.toml: [{key}] says nothing{value_key}")
        key = _canonical(key)
        stated[key] = check_value(f"{id_}.toml", key, value, own)
        origin[key] = id_
    for key, (value, option) in _worths_of_options(stated, values).items():
        values[key], origin[key] = value, option
    values |= stated
    still_unknown = tuple(key for key in unknown if origin[key] != id_)
    views = (MappingProxyType(values), MappingProxyType(origin), MappingProxyType(own))
    rules = Ruleset(id_, name, *views, still_unknown)
    _check_han(f"{id_}.toml", rules)
    return rules


def _check_han(place: str, rules: Ruleset) -> None:
    """Refuse worths that no hand's han could be told of."""
    worths = {key: value for key, value in rules.values.items() if isinstance(value, Value)}
    han = {key: max(abs(value.closed.han), abs(value.open.han)) for key, value in worths.items()}
    if (total := sum(han.values())) > MOST_HAN:
        most = max(han, key=han.get)
        raise RulesetError(
            f"{place}: its yaku come to {total:,} han in all, expected {MOST_HAN} or fewer; the most is {most} = "
            f"{worths[most].text}"
        )


def _text(id_: str, head: str, value: object) -> str:
    if not isinstance(value, str):
        raise RulesetError(f"{id_}.toml: {head} is {shown(value)}, expected text")
    return value


def _unknown(id_: str, named: object, parent: Ruleset) -> tuple[str, ...]:
    """The keys a ruleset says nobody tells, with those of the ruleset it extends."""
    if not isinstance(named, list):
        raise RulesetError(f"{id_}.toml: unknown is {shown(named)}, expected a list of keys")
    for key in named:
        if not isinstance(key, str) or key not in keys():
            raise RulesetError(f"{id_}.toml: unknown names {shown(key)}, which is no key{nearest(str(key), keys())}")
    return tuple(dict.fromkeys((*parent.unknown, *named)))


_OWN_FACTS = ("needs", "forbids")
_OWN_NAMES = ("romaji", "kanji", "english")
_OWN_FIELDS = (*_OWN_FACTS, "value", "closed", "open", "replaces", *_OWN_NAMES)


def _is_own(id_: str, row: object) -> bool:
    """Whether an entry under `yaku` describes a yaku rather than setting a known one: it has facts, if misspelt."""
    is_unknown_table = isinstance(row, Mapping) and id_ not in catalog()
    return is_unknown_table and any(get_close_matches(field_, _OWN_FACTS, cutoff=0.8) for field_ in row)


def _own(place: str, id_: str, row: Mapping, others: Iterable[str]) -> Own:
    """A yaku of the ruleset's own, checked; it may replace `others`."""
    where = f"{place}: yaku.{id_}"
    for field_ in row:
        if field_ not in _OWN_FIELDS:
            raise RulesetError(f"{where}: no field {shown(field_)}{nearest(field_, _OWN_FIELDS, lists=True)}")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", id_):
        raise RulesetError(f"{where}: a yaku's id is small letters, digits and underscores")
    for field_ in (*_OWN_FACTS, "replaces"):
        given = row.get(field_, [])
        if not isinstance(given, list) or not all(isinstance(one, str) for one in given):
            raise RulesetError(f"{where}: {field_} is {shown(given)}, expected a list of names")
    for field_ in _OWN_NAMES:
        if not isinstance(row.get(field_, ""), str):
            raise RulesetError(f"{where}: {field_} is {shown(row[field_])}, expected text")
    needs, forbids, replaced = (tuple(row.get(field_, ())) for field_ in (*_OWN_FACTS, "replaces"))
    for fact in (*needs, *forbids):
        if fact not in fact_names():
            raise RulesetError(f"{where}: no fact {shown(fact)}{nearest(fact, fact_names())}")
    for other in replaced:
        if other not in others:
            raise RulesetError(f"{where}: no yaku {shown(other)}{nearest(other, others)}")
    sides = [row.get("closed"), row.get("open")]
    if ("value" in row) == (sides != [None, None]):
        said = "has both value and closed or open" if "value" in row else "has no value"
        raise RulesetError(f"{where}: {said}; give value, or closed and open")
    try:
        value = parse_value(row.get("value", sides))
    except ValueError as error:
        raise RulesetError(f"{where}: {error}") from None
    romaji = row.get("romaji", id_.replace("_", " ").capitalize())
    yaku = Yaku(id_, romaji, row.get("kanji", ""), row.get("english", romaji), value, replaces=replaced)
    return Own(yaku, Effect(fact="any_hand", needs=needs, forbids=forbids))


def _flatten(tables: Mapping, prefix: str = "") -> Iterable[tuple[str, object]]:
    for name, value in tables.items():
        if isinstance(value, Mapping) and value:
            yield from _flatten(value, f"{prefix}{name}.")
        else:
            yield f"{prefix}{name}", value
