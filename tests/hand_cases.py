"""The cases of the folder `cases` that hold one hand each, their results, and other values of keys."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from pathlib import Path

from analytics.cases import score_cases
from analytics.scoring.ruleset import Ruleset, base, keys
from analytics.scoring.values import Value, parse_value

FOLDER = Path(__file__).parent / "cases"
FILES = ("circumstances", "runs", "triplets", "honours", "composition", "shapes", "rules")
DORA = ("dora", "ura_dora", "aka_dora", "nuki_dora")
_SAYS = {"name", "hand", "win", "by", "ctx", "expect", "decides", "misses", "key", "under"}
_EXPECTED = {"yaku", "han", "fu", "points", "limit", "yakuman", "error"}
# Words of ctx that stand beside it in a line of `koyaku hands`.
_BESIDE = ("players", "nuki", "dora_ind", "ura_ind", "honba", "sticks", "win_from")

_RESULTS: dict[tuple[str, str], dict] = {}


@dataclass(frozen=True)
class HandCase:
    """One hand under one value of a key (base's rules where it names no key), and what must come out."""

    name: str
    line: dict
    expect: dict
    decides: str | None = None
    misses: str | None = None
    key: str | None = None
    value: object = None
    rules: Ruleset = field(default_factory=base, repr=False)

    def result(self, rules: Ruleset | None = None) -> dict:
        """What the hand is worth under the case's rules, or others."""
        rules = rules or self.rules
        if (self.name, rules.hash) not in _RESULTS:
            _RESULTS[self.name, rules.hash] = next(score_cases([self.line], rules))
        return _RESULTS[self.name, rules.hash]


def yaku_of(result: dict) -> list[str]:
    """The yaku of a result without its dora, sorted."""
    return sorted(line["id"] for line in result.get("yaku", ()) if line["id"] not in DORA)


def laid_out(text: str) -> tuple[str, list[dict]]:
    """Concealed tiles, and melds as `koyaku hands` takes them.

    >>> laid_out("99s (678s) (1111z+) [2222m]")[1]  # doctest: +NORMALIZE_WHITESPACE
    [{'type': 'chi', 'tiles': '678s'}, {'type': 'kakan', 'tiles': '1111z'}, {'type': 'ankan', 'tiles': '2222m'}]
    """
    groups = text.split()
    melds = []
    for group in groups:
        tiles = group.strip("()[]+")
        if group[0] == "[":
            melds.append({"type": "ankan", "tiles": tiles})
        elif group[0] == "(" and len(tiles) == 5:
            melds.append({"type": "kakan" if "+" in group else "minkan", "tiles": tiles})
        elif group[0] == "(":
            melds.append({"type": "pon" if tiles[0] == tiles[1] else "chi", "tiles": tiles})
    return "".join(group for group in groups if group[0] not in "(["), melds


def load(name: str) -> list[HandCase]:
    """The cases of one file; a key of `under` makes a case of each value."""
    found = []
    for entry in tomllib.loads((FOLDER / f"{name}.toml").read_text("utf-8"))["case"]:
        said = entry["name"]
        assert set(entry) <= _SAYS, f"{name}.toml, {said!r}: unknown {sorted(set(entry) - _SAYS)}"
        ctx = {"seat": "S", "round": "E"} | entry.get("ctx", {})
        hand, melds = laid_out(entry["hand"])
        line = {"id": said, "hand": hand, "melds": melds, "win": entry["win"], "by": entry["by"]}
        line |= {word: ctx.pop(word) for word in _BESIDE if word in ctx}
        line["ctx"] = ctx
        for one in entry.get("under") or [entry]:
            assert set(one["expect"]) <= _EXPECTED, f"{name}.toml, {said!r}: cannot expect {sorted(one['expect'])}"
            key, value = entry.get("key"), one.get("value")
            found.append(
                HandCase(
                    name=f"{said}: {value}" if key else said,
                    line=line,
                    expect=one["expect"],
                    decides=entry.get("decides"),
                    misses=entry.get("misses"),
                    key=key,
                    value=value,
                    rules=base().amend({key: value}) if key else base(),
                )
            )
    return found


def hand_cases() -> list[HandCase]:
    return [case for name in FILES for case in load(name)]


def has_other_value(key: str) -> bool:
    """Whether a key can have another value than base's: some options know one value only, and say so."""
    known = keys()[key]
    return known.allowed is None or len(known.allowed) > 1


def other_value(key: str) -> object:
    """Some value of a key that base does not play."""
    known, value = keys()[key], base()[key]
    if isinstance(value, Value):
        return "2" if value != parse_value("2") else "3"
    if isinstance(value, bool):
        return not value
    if known.allowed:
        return next(v for v in known.allowed if v != value)
    if known.items:
        return [item for item in known.items if item not in value]
    if isinstance(value, tuple):
        return [2 * item for item in value]
    return value + 1
