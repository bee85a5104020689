"""How often each yaku occurs among wins."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..corpus import Source
from ..rescoring import RECORDED, Rescored, Rules, rules_of
from ..scoring.facts import asks
from ..scoring.hands import flag_bit
from ..scoring.patterns import circumstances_asked
from ..scoring.ruleset import Own, Ruleset, Yaku, catalog, keys
from .columns import WinView
from .intervals import LEVEL
from .result import MEAN, Result, Statistic, result_frame
from .sums import Counted, Counts, Task, count, task_of

if TYPE_CHECKING:
    from matplotlib.figure import Figure

YAKUHAI = ("yakuhai_haku", "yakuhai_hatsu", "yakuhai_chun", "yakuhai_seat", "yakuhai_round")
DORA = {"dora": (0, 1), "ura_dora": (2, 3), "aka_dora": (4,), "kita": (5,)}
"""Lines of dora, and the kinds in `Rescored.dora_han` each holds."""
_DORA_KEYS = {
    "dora": ("dora.indicator", "dora.kan"),
    "ura_dora": ("dora.ura", "dora.kan_ura"),
    "aka_dora": ("dora.aka",),
    "kita": ("dora.kita",),
}
_DORA_NAMES = {
    "dora": ("Dora", "ドラ", "Dora"),
    "ura_dora": ("Ura dora", "裏ドラ", "Ura dora"),
    "aka_dora": ("Aka dora", "赤ドラ", "Red fives"),
    "kita": ("Kita", "抜きドラ", "North tiles set aside"),
}
_WINS, _RIICHI, _THREE, _KNOWN = range(4)
PER_WIN, PER_RIICHI = "share of wins", "share of riichi wins"

DEFINITIONS = {
    "yaku": "n counts winning hands that hold the yaku in their best reading; N counts wins under the rulesets that "
    "play it and whose source tells what it asks for. A double ron is two wins. Riichi and double riichi are different "
    "yaku. A yakuman hand lists only its yakuman, and no dora.",
    "any": "n counts winning hands with at least one yakuhai: a dragon, the seat's or the round's wind.",
    "lines": "n counts yakuhai lines; a triplet of a wind that is both seat's and round's is two.",
    "dora": "n counts winning hands with at least one such dora; a line of ura dora with no tile is none. Kan dora are "
    "counted with dora, kan ura with ura. North tiles set aside are apart from dora.",
    "tiles": "n counts dora as the hands' han count them: a tile indicated twice is two.",
    "riichi": "N counts wins in riichi, double riichi and yakuman hands included.",
    "kita": "N counts wins at tables of three players.",
}


class YakuMeasure:
    """Which yaku, and how many dora, each win holds; `rules` may have yaku of their own."""

    besides = ("n_open", "n_dealer")

    def __init__(self, rules: Rules = RECORDED):
        named = rules_of(rules)
        self.own = dict(named.own) if isinstance(named, Ruleset) else {}

    @cached_property
    def yaku(self) -> dict[str, Yaku]:
        """By id, in the order of `Rescored.yaku`."""
        return {**catalog(), **{id_: one.yaku for id_, one in self.own.items()}}

    @cached_property
    def asking(self) -> list[str]:
        """Local yaku that ask for circumstances which a source may not tell; only wins that tell them count."""
        found = []
        for id_, yaku in self.yaku.items():
            effects = [effect for name in yaku.options for effect in keys()[f"yaku.{id_}.{name}"].effects.values()]
            effects += [self.own[id_].effect] if id_ in self.own else []
            facts = {fact for effect in effects for fact in effect.facts} | ({id_} - set(self.own))
            if yaku.kind == "hand" and not yaku.is_standard and any(asks(fact) for fact in facts):
                found.append(id_)
        return found

    @cached_property
    def statistics(self) -> list[Statistic]:
        """What is counted, in order; yaku in the catalog's."""
        found = [
            Statistic("yaku", yaku.id, _label(yaku.kanji, yaku.english), PER_WIN)
            for yaku in self.yaku.values()
            if yaku.kind == "hand"
        ]
        found.append(Statistic("any", "yakuhai", _label("役牌", "any value tiles"), PER_WIN))
        found.append(Statistic("lines", "yakuhai", _label("役牌", "value tiles, lines"), "lines per win", MEAN))
        for line, (_, kanji, english) in _DORA_NAMES.items():
            found.append(Statistic("dora", line, _label(kanji, f"hands with {english.lower()}"), PER_WIN))
        for line, (_, kanji, english) in _DORA_NAMES.items():
            found.append(Statistic("tiles", line, _label(kanji, f"{english.lower()}, tiles"), "tiles per win", MEAN))
        found.append(Statistic("riichi", "ippatsu", _label("一発", "of riichi wins"), PER_RIICHI))
        found.append(Statistic("riichi", "ura_dora", _label("裏ドラ", "of riichi wins"), PER_RIICHI))
        tiles = _label("裏ドラ", "of riichi wins, tiles")
        found.append(Statistic("riichi_tiles", "ura_dora", tiles, "tiles per riichi win", MEAN))
        return found

    @cached_property
    def names(self) -> dict[str, list[str]]:
        """Kanji, romaji and English of each statistic."""
        rows = []
        for one in self.statistics:
            if one.key in self.yaku:
                yaku = self.yaku[one.key]
                rows.append((yaku.kanji, yaku.romaji, yaku.english))
            elif one.key in _DORA_NAMES:
                romaji, kanji, english = _DORA_NAMES[one.key]
                rows.append((kanji, romaji, english))
            else:
                rows.append(("役牌", "Yakuhai", "Value tiles"))
        return dict(zip(("kanji", "romaji", "english"), map(list, zip(*rows, strict=True)), strict=True))

    @cached_property
    def over(self) -> np.ndarray:
        of_asking = {id_: _KNOWN + position for position, id_ in enumerate(self.asking)}

        def column(one: Statistic) -> int:
            if one.kind == "yaku":
                return of_asking.get(one.key, _WINS)
            return _THREE if one.key == "kita" else _RIICHI if one.kind.startswith("riichi") else _WINS

        return np.array([column(one) for one in self.statistics])

    def count(self, view: WinView) -> Counts:
        rescored = view.rescored
        ids = list(rescored.yaku)
        holds = rescored.holds.astype(np.int32)
        in_hand = [ids.index(id_) for id_, yaku in self.yaku.items() if yaku.kind == "hand"]
        yakuhai = holds[:, [ids.index(id_) for id_ in YAKUHAI]].sum(axis=1)
        ordinary = (rescored.units == 0).astype(np.int32)
        tiles = np.stack([rescored.dora_han[:, kinds].sum(axis=1) * ordinary for kinds in DORA.values()], axis=1)
        is_riichi = view.column("is_riichi").to_numpy(zero_copy_only=False).astype(np.int32)
        ura = tiles[:, list(DORA).index("ura_dora")] * is_riichi
        ippatsu = holds[:, ids.index("ippatsu")] * is_riichi
        values = np.column_stack(
            [holds[:, in_hand], yakuhai > 0, yakuhai, tiles > 0, tiles, ippatsu, ura > 0, ura]
        ).astype(np.int32)
        is_open, is_dealer = ~rescored.hands.is_closed, rescored.hands.is_dealer
        is_three = view.column("players").to_numpy() == 3
        return Counts(
            values=values,
            over=np.column_stack(
                [np.ones(len(view), np.int32), is_riichi, is_three, self._tells(rescored)]
            ).astype(np.int32),
            besides=np.stack([values * is_open[:, None], values * is_dealer[:, None]], axis=1),
        )

    def _tells(self, rescored: Rescored) -> np.ndarray:
        """Whether the source of each win tells what each of `asking` asks for, bool (n_wins, n_asking)."""
        tells = np.zeros((len(rescored), len(self.asking)), bool)
        for index, rules in enumerate(rescored.rulesets):
            rows = rescored.of == index
            known = rescored.hands.known[rows]
            for column, id_ in enumerate(self.asking):
                bits = np.uint64(sum(int(flag_bit(name)) for name in circumstances_asked(self.yaku[id_], rules)))
                tells[rows, column] = known & bits == bits
        return tells

    def plays(self, rules: Ruleset) -> np.ndarray:
        def is_played(one: Statistic) -> bool:
            if one.key in _DORA_KEYS:
                return any(rules[key] for key in _DORA_KEYS[one.key])
            if one.key == "yakuhai":
                return any(rules.yaku_value(id_).is_on for id_ in YAKUHAI)
            return rules.yaku_value(one.key).is_on

        return np.array([is_played(one) for one in self.statistics], bool)

    def __reduce__(self):
        return _measure_of, (self.own,)


def _label(kanji: str, english: str) -> str:
    """What stands beside an id, which is the name in Latin letters."""
    return f"{kanji} ({english})" if kanji else english


def _measure_of(own: dict[str, Own]) -> YakuMeasure:
    measure = YakuMeasure()
    measure.own = own
    return measure


@dataclass(frozen=True)
class YakuFrequency(Result):
    """How often each yaku occurs among wins.

    The columns of `table()` are the values the wins are split by, then those of `described.YAKU`.
    """

    def plot(self) -> Figure:
        """Dot plot: rates of the yaku with their intervals, on a log axis."""
        from ..reports.yaku import draw  # the one step up, for notebooks

        return draw(self)


def yaku_frequency(
    source: Source,
    rules: Rules = RECORDED,
    where: str | None = None,
    by: str | Iterable[str] | None = None,
    *,
    level: float = LEVEL,
    workers: int = 1,
) -> YakuFrequency:
    """How often each yaku occurs among wins, with intervals.

    Parameters
    ----------
    source : Store, its folder, logs, or tables of one part or of several
        Games whose play occurs twice count once.
    rules
        A ruleset, its id or its file; `recorded` for the one each game was played under.
    where : str, optional
        Keep only wins of which this is true, over the columns in `COLUMNS`.
    by : str or several
        Columns to split by, `dealer` standing for `is_dealer`, and conditions as `where` is one, which make a group of
        wins of which they are true and one of the others.

    Raises
    ------
    StatisticsError
        `where` or `by` cannot be read, or names what does not exist.
    """
    task = task_of([(YakuMeasure(rules), by)], rules, where)
    return frequency_of(count(source, task, workers=workers), task, level=level)


def frequency_of(counted: Counted, task: Task, position: int = 0, *, level: float = LEVEL) -> YakuFrequency:
    """The result of counts already made, whose measure at `position` is a YakuMeasure."""
    sums = counted.sums[position]
    measure = sums.measure
    frame, published = result_frame(sums, measure.statistics, task, measure.names, level=level)
    definitions = DEFINITIONS
    if counted.card.counted and (missing := _not_recorded(measure, task.applied(counted.card), set(frame["key"]))):
        definitions = {**DEFINITIONS, "not recorded": f"{', '.join(missing)}: not recorded by these sources."}
    position_of = list(frame.columns).index("n_open") + 1
    frame.insert(position_of, "n_closed", frame["n"] - frame["n_open"])
    return YakuFrequency(
        frame=frame,
        card=counted.card,
        rulesets=task.applied(counted.card),
        by=tuple(split.name for split in sums.by),
        where=task.where.text if task.where else None,
        level=level,
        definitions=definitions,
        notes=task.notes(counted.card),
        published=published,
    )


def _not_recorded(measure: YakuMeasure, rulesets: Iterable[Ruleset], told: set[str]) -> list[str]:
    """Yaku that are played and of which no win's source tells, by their names."""
    played = {id_ for rules in rulesets for id_ in measure.asking if rules.yaku_value(id_).is_on}
    return [measure.yaku[id_].name for id_ in measure.asking if id_ in played - told]
