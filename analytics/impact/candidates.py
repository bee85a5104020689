"""Candidates: the changes of the rules that are weighed, each alone and all together."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf
from pathlib import Path

from ..metrics.card import Card
from ..metrics.where import Where, unheld
from ..notes import misfits
from ..rescoring import Recorded, Rules, each_once, rules_of
from ..scoring.patterns import differing_keys, only_adds
from ..scoring.ruleset import (
    Key,
    Ruleset,
    RulesetError,
    Yaku,
    amended,
    catalog,
    keys,
    possible_values,
    ruleset,
    written,
)
from ..scoring.values import NOTHING, parse_value

ADOPT, DROP, SET, RULES, TOGETHER = "adopt", "drop", "set", "rules", "together"
_OF_WINS_LATER = ("yaku.maneman.trigger=floor_when_winning",)
"""What is paid with a later win instead: nothing of it is seen without one."""
_OF_WINS = ("payment.multiple_ron", "payment.tsumo_loss", "yaku.paarenchan.ryanhan_shibari")
"""Keys of settling that bear on wins all the same: which of them stand, or what they are worth."""
NO_WIN = "paid at a discard or a draw: no win holds it"
UNSETTLED = (
    "yaku.paarenchan.after",
    "yaku.paarenchan.multi_ron",
    "yaku.nagashi_mangan.counts_as",
)
"""Keys, and those below them, whose effect on recorded rounds is not worked out."""


class ImpactError(ValueError):
    """Candidates, or a source, of which no impact can be told: one clear line for the user."""

    is_users = True


@dataclass(frozen=True)
class Candidate:
    """One change of the rules.

    Attributes
    ----------
    id : str
        As the user writes it: `sanrenkou=2`, `drop riichi`, `limits.kiriage_mangan=true`, a ruleset's id, `together`.
    kind : str
        `adopt`, `drop`, `set`, `rules` or `together`.
    yaku : str or None
        The yaku it is about; occurrences are wins that hold it. None where it is about no single yaku, or an option of
        one as it is played: occurrences are then the wins whose score changes.
    option, value : str or None
        The key of the yaku that is set, and what to; the value of the yaku where there is no option; of all together,
        the ids of the candidates.
    before, rules
        The rules without and with the change.
    goes_with : tuple of str
        What had to change with it.
    drawn : str or None
        The yaku it is about, of one that is paid without a win.
    """

    id: str
    kind: str
    yaku: str | None
    option: str | None
    value: str | None
    before: Ruleset | Recorded
    rules: Ruleset | Recorded
    goes_with: tuple[str, ...] = ()
    drawn: str | None = None

    @property
    def identity(self) -> Yaku | None:
        """Of the yaku it is about."""
        return known_yaku(self.rules)[self.yaku] if self.yaku else None

    @property
    def has_yaku_before(self) -> bool:
        """Whether the yaku is looked for before the change instead of after it."""
        return self.kind == DROP


@dataclass(frozen=True)
class Change:
    """What one candidate asks of the base."""

    adopt: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    set_: tuple[str, ...] = ()

    def __add__(self, other: Change) -> Change:
        return Change(self.adopt + other.adopt, self.drop + other.drop, self.set_ + other.set_)

    def of(self, base: Ruleset | Recorded) -> Ruleset | Recorded:
        """The base with this change.

        Raises
        ------
        scoring.ruleset.RulesetError
            It names what does not exist, or what scoring again cannot show.
        """
        amended("base" if isinstance(base, Recorded) else base, self.adopt, self.drop, self.set_)
        if not isinstance(base, Recorded):
            return amended(base, self.adopt, self.drop, self.set_)
        adopted = {entry.partition("=")[0] for entry in self.adopt}
        changed = {f"yaku.{id_}" for id_ in (*adopted, *self.drop)} | {entry.partition("=")[0] for entry in self.set_}
        return Recorded(
            adopt=(*_without(base.adopt, changed, "yaku."), *self.adopt),
            drop=tuple(dict.fromkeys((*_without(base.drop, changed, "yaku."), *self.drop))),
            set_=(*_without(base.set_, changed), *self.set_),
        )


def _without(entries: Iterable[str], changed: set[str], prefix: str = "") -> list[str]:
    """Of the changes a base has already, those that are not made anew."""
    return [entry for entry in entries if prefix + entry.partition("=")[0] not in changed]


def unseen_keys(one: Candidate, played: Iterable[str]) -> list[str]:
    """Keys the change sets that scoring and settling again do not show."""
    return [key for key in differing(one, played) if _is_unseen(key)]


def differing(one: Candidate, played: Iterable[str]) -> dict[str, tuple[Ruleset, Ruleset]]:
    """Keys the change sets, and for each the rules before and after of games in which it does."""
    pairs = [(within(one.before, id_), within(one.rules, id_)) for id_ in played]
    return {key: pair for pair in pairs for key in differing_keys(*pair)}


def untold_of_wins(one: Candidate, played: Sequence[str]) -> str:
    """Why the change is to be seen in no win; nothing where it may be in some, or where there is none."""
    changed = differing(one, played)
    if not changed or one.yaku is not None:
        return ""
    if all(map(_is_unseen, changed)):
        return "scoring again does not show it"
    if any(_bears_on_wins(key, *pair) for key, pair in changed.items() if not _is_unseen(key)):
        return ""
    return NO_WIN if one.drawn is not None else "changes no win, only what games come to"


def _bears_on_wins(key: str, *rules: Ruleset) -> bool:
    """Whether a key can change what a win is worth, honba and sticks apart, or which wins stand."""
    if key.startswith("yaku.maneman"):
        return any(f"yaku.maneman.trigger={one['yaku.maneman.trigger']}" in _OF_WINS_LATER for one in rules)
    stage = keys()[key].stage if key in keys() else "score"
    return stage == "score" or key in _OF_WINS


def range_of_gain(one: Candidate, played: Iterable[str]) -> tuple[float, float]:
    """The least and the most points a win can gain, as far as the rules tell.

    None is lost where all that the change does is to play one yaku more, which replaces nothing; none is gained where
    it is no longer played. With a head bump one player's new win is the loss of another.
    """
    pairs = [(within(one.before, id_), within(one.rules, id_)) for id_ in played]
    changed = [pair for pair in pairs if differing_keys(*pair)]
    is_apart = all(one["payment.multiple_ron"] != "head_bump" for pair in changed for one in pair)
    is_added = is_apart and all(only_adds(before, after) for before, after in changed)
    is_taken = is_apart and all(only_adds(after, before) for before, after in changed)
    return (0 if is_added else -inf), (0 if is_taken else inf)


def _is_unseen(key: str) -> bool:
    is_play = key in keys() and keys()[key].stage == "play"
    return is_play or any(f"{key}.".startswith(f"{one}.") for one in UNSETTLED)


def assumed_of(base: Ruleset | Recorded, candidates: Iterable[Candidate]) -> list[str]:
    """A sentence for each of the rules, the base and whole rulesets, of which base's values were assumed."""
    rules = {one.id: one for one in (base, *(one.rules for one in candidates if one.kind == RULES))}
    assumed = {id_: getattr(one, "assumed", ()) for id_, one in rules.items()}  # the recorded rules have no gaps
    return [f"assumed from base for {id_}: {', '.join(keys)}" for id_, keys in assumed.items() if keys]


def notes_of(
    base: Ruleset | Recorded, candidates: Iterable[Candidate], card: Card, where: Where | None
) -> list[str]:
    """Words that no win holds, and which of the rules, the base and whole rulesets, are for other tables."""
    rules = {one.id: one for one in (base, *(one.rules for one in candidates if one.kind == RULES))}
    given = [one for one in rules.values() if isinstance(one, Ruleset)]
    of_tables = [note for one in given for note in misfits(one, card.wins_by_players())]
    return [*unheld(where.words if where else {}, card.words), *of_tables]


def within(rules: Ruleset | Recorded, played: str) -> Ruleset:
    """The ruleset for games played under the one named `played`."""
    return rules.of(played) if isinstance(rules, Recorded) else rules


def candidates_of(
    base: Rules | Path,
    adopt: Sequence[str] = (),
    drop: Sequence[str] = (),
    set_: Sequence[str] = (),
    rules: Sequence[Rules | Path] = (),
    *,
    assume: str | None = None,
) -> tuple[Ruleset | Recorded, list[Candidate]]:
    """The base, and every change alone, then all of them together, then the other rulesets.

    `adopt` holds `YAKU`, `YAKU=VALUE` or `YAKU=VALUE,VALUE`; of several values each is a candidate, and so it is where
    a yaku or a key is given several times. Together stand the first values, then the second ones, where any change has
    a second one, and so on.

    Raises
    ------
    ImpactError
        Nothing to weigh.
    scoring.ruleset.RulesetError
        A yaku, key, value or ruleset that does not exist, a ruleset named twice, or a key that scoring again cannot
        show.
    """
    found = rules_of(str(base) if isinstance(base, Path) else base)
    if assume is not None and isinstance(found, Ruleset):
        found = amended(found, assume=assume)
    entries = _by_key(
        [(f"yaku.{entry.partition('=')[0]}", _adopted(found, entry)) for entry in adopt]
        + [(f"yaku.{id_}", [_dropped(found, id_)]) for id_ in drop]
        + [(entry.partition("=")[0].strip().removesuffix(".value"), [_set(found, entry)]) for entry in set_]
    )
    candidates = [one for entry in entries for one, _ in entry]
    if len(entries) > 1:
        candidates += list(_together(found, entries))
    others = [
        rules_of(one) if isinstance(one, Recorded) or str(one) == "recorded" else amended(one, assume=assume)
        for one in rules
    ]
    for other in each_once(others):
        if isinstance(other, Recorded) and other == found:
            raise ImpactError(
                f"{other.id} is the base already; name another base, or what to change: a yaku to adopt or drop, a key "
                "to set, another ruleset"
            )
        candidates.append(Candidate(other.id, RULES, None, None, None, found, other))
    if not candidates:
        raise ImpactError("nothing to weigh; give a yaku to adopt or drop, a key to set, or another ruleset")
    return found, list({one.id: one for one in candidates}.values())


_Entry = tuple[Candidate, Change]


def _by_key(wishes: Iterable[tuple[str, list[_Entry]]]) -> list[list[_Entry]]:
    """What is asked of each key, once: its values exclude each other, in whatever options they were given."""
    found: dict[str, dict[str, _Entry]] = {}
    for key, entries in wishes:
        found.setdefault(key, {}).update({one.id: (one, change) for one, change in entries})
    return [list(entries.values()) for entries in found.values()]


def _adopted(base: Ruleset | Recorded, entry: str) -> list[_Entry]:
    id_, has_value, values = entry.partition("=")
    texts = [text.strip() for text in values.split(",")] if has_value else [None]
    return [_candidate(base, id_, text) for text in texts]


def _candidate(base: Ruleset | Recorded, id_: str, text: str | None) -> _Entry:
    change = Change(adopt=(id_ if text is None else f"{id_}={text}",))
    rules = change.of(base)
    value = within(rules, "base").yaku_value(id_).text
    kind = DROP if value == "off" else ADOPT
    yaku, drawn = _held_or_drawn(id_, rules)
    return Candidate(f"{id_}={value}", kind, yaku, None, value, base, rules, drawn=drawn), change


def known_yaku(rules: Ruleset | Recorded) -> Mapping[str, Yaku]:
    """The yaku that rules can play, those of their own among them."""
    return rules.yaku() if isinstance(rules, Ruleset) else catalog()


def _held_or_drawn(id_: str, rules: Ruleset | Recorded) -> tuple[str | None, str | None]:
    """The yaku as one that a win can hold, or as one that is paid without a win."""
    return (id_, None) if known_yaku(rules)[id_].kind == "hand" else (None, id_)


def _dropped(base: Ruleset | Recorded, id_: str) -> _Entry:
    change = Change(drop=(id_,))
    rules = change.of(base)
    brought = [key for key in known_yaku(rules)[id_].brings if keys()[key].default not in (False, NOTHING)]
    goes = tuple(key.removeprefix("yaku.") for key in brought)
    yaku, drawn = _held_or_drawn(id_, rules)
    return Candidate(f"drop {id_}", DROP, yaku, None, "off", base, rules, goes, drawn), change


def _set(base: Ruleset | Recorded, entry: str) -> _Entry:
    change = Change(set_=(entry,))
    rules = change.of(base)
    key, _, value = (part.strip() for part in entry.partition("="))
    yaku, drawn, option, kind = None, None, None, SET
    if key.startswith("yaku."):
        _, yaku, *rest = key.split(".")
        option = ".".join(rest) if rest and rest != ["value"] else None
        if option is None and not parse_value(value).is_on:
            kind = DROP
        yaku, drawn = _held_or_drawn(yaku, rules)
        if option is not None:  # it weighs what an option changes, be the yaku held before, after or on neither side
            yaku = None
    return Candidate(f"{key}={value}", kind, yaku, option, value, base, rules, drawn=drawn), change


def _together(base: Ruleset | Recorded, entries: list[list[_Entry]]) -> Iterator[Candidate]:
    most = max(map(len, entries))
    for place in range(most):
        chosen = [entry[min(place, len(entry) - 1)] for entry in entries]
        change = sum((its for _, its in chosen), Change())
        goes = tuple(key for one, _ in chosen for key in one.goes_with)
        id_ = TOGETHER if most == 1 else f"{TOGETHER} {place + 1}"
        ids = ", ".join(one.id for one, _ in chosen)
        yield Candidate(id_, TOGETHER, None, None, ids, base, change.of(base), goes)


# Of the sweep


def each_local(base: Rules) -> list[Candidate]:
    """Every local yaku a win can hold, and each other value of its options that scoring can show, alone.

    A yaku without an agreed value is taken at one han. Of a yaku the base plays already, the rules before are the
    base without it.
    """
    base, yaku = rules_of(base), catalog().values()
    local = (one for one in yaku if one.kind == "hand" and not one.is_standard)
    return [candidate for one in local for candidate in _with_options(base, one, "score")]


def each_drawn(base: Rules) -> list[Candidate]:
    """The same of what is paid without a win; of a standard yaku the values of its options alone."""
    base, yaku = rules_of(base), catalog().values()
    drawn = (one for one in yaku if one.kind != "hand")
    return [candidate for one in drawn for candidate in _with_options(base, one, "settle")]


def _with_options(base: Ruleset | Recorded, yaku: Yaku, stage: str) -> Iterator[Candidate]:
    adopted, change = _candidate(base, yaku.id, None if yaku.value.is_on else "1")
    before = base
    if not yaku.is_standard:
        before = Change(drop=(yaku.id,)).of(base)
        yield replace(adopted, before=before)
    for option in yaku.options:
        key = keys()[f"yaku.{yaku.id}.{option}"]
        for text in other_values(key, stage):
            entry = f"{key.name}={text}"
            if entry not in _OF_WINS_LATER:
                id_, rules = f"{adopted.id}, {option}={text}", (change + Change(set_=(entry,))).of(base)
                yield replace(adopted, id=id_, kind=SET, option=option, value=text, before=before, rules=rules)


def other_values(key: Key, stage: str = "score") -> list[str]:
    """The values of an option that are not its default, as text; none of a key of another stage."""
    if key.stage != stage:
        return []
    return [value for value in possible_values(key) if value != written(key.default)]


def of_folder(folder: str | Path, base: Rules, *, assume: str | None = None) -> list[Candidate]:
    """Every ruleset file of a folder.

    Raises
    ------
    ImpactError
        There is none, or no such folder.
    """
    if not Path(folder).is_dir():
        raise ImpactError(f"{folder}: no ruleset, there is no such folder")
    files = sorted(Path(folder).glob("*.toml"))
    if not files:
        raise ImpactError(f"{folder}: no ruleset, a file that ends in .toml, in this folder")
    base = rules_of(base)
    found = []
    for file in files:
        rules = amended(ruleset(file), assume=assume)
        if rules.missing():
            raise RulesetError(f"{file}: incomplete; to take base's values for what no source tells say --assume base")
        found.append(Candidate(rules.id, RULES, None, None, None, base, rules))
    return found
