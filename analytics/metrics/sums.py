"""Counts of wins that add up over parts: what statistics and their intervals are made from.

All numbers are whole, so a result does not depend on how wins were spread over parts or workers. Sums over games are
complete within a part. Players come back in later parts: their counts are kept one row per player and group until
the end, which is what memory is bounded by.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Protocol

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..corpus import Source, each_part, opened_parts
from ..notes import misfits
from ..rescoring import RECORDED, Recorded, Rules, rules_of
from ..scoring.ruleset import Ruleset
from .card import TABLE, Card, card_of
from .columns import WinView
from .intervals import ClusterSums
from .where import Split, Where, splits, unheld

NAMELESS = ("", "NoName")
"""Names that do not tell one player from another: hidden, and Tenhou's guests. Each seat of a game stands alone."""

Group = tuple
Cell = tuple[Group, str]
"""A group, which is a value per column that statistics are split by, and the id of a ruleset."""


@dataclass(frozen=True)
class Counts:
    """What a measure counts of each win.

    Attributes
    ----------
    values : int (n_wins, n_statistics)
        Numerators.
    over : int (n_wins, n_denominators)
        Denominators; `Measure.over` says which one each numerator stands over.
    besides : int (n_wins, names, n_statistics)
        Counts that need no interval, as `Measure.besides` names them.
    """

    values: np.ndarray
    over: np.ndarray
    besides: np.ndarray


class Measure(Protocol):
    """A family of statistics of wins; picklable."""

    over: np.ndarray
    """Per statistic the column of its denominator."""
    besides: tuple[str, ...]
    """Names of the counts that need no interval, one number per statistic each."""

    def count(self, view: WinView) -> Counts:
        """Counts of every win of a part."""

    def plays(self, rules: Ruleset) -> np.ndarray:
        """Whether each statistic can occur under a ruleset; where it cannot, wins are no part of its denominator."""


@dataclass
class Sums:
    """One measure, split by some columns.

    Attributes
    ----------
    totals : by cell, int64
        Sums of the counts besides (names, n_statistics).
    by_win, by_game, nameless : by cell
        Sums over clusters that are complete.
    tables : by group
        Wins by (players, length, ruleset, room).
    players, rows : by cell the row number of each player; counts (rows, values and denominators)
    """

    measure: Measure
    by: tuple[Split, ...]
    totals: dict[Cell, np.ndarray] = field(default_factory=dict)
    tables: dict[Group, Counter] = field(default_factory=dict)
    by_win: dict[Cell, ClusterSums] = field(default_factory=dict)
    by_game: dict[Cell, ClusterSums] = field(default_factory=dict)
    nameless: dict[Cell, ClusterSums] = field(default_factory=dict)
    players: dict[Cell, dict[str, int]] = field(default_factory=dict)
    n_rows: int = 0
    rows: np.ndarray = field(default_factory=lambda: np.zeros((0, 0), np.int32))

    def add(self, view: WinView, kept: np.ndarray, counts: Counts) -> None:
        """Count the kept wins (row numbers) of a part."""
        group, groups = _groups([split.values(view).take(pa.array(kept)) for split in self.by], len(kept))
        rulesets, n_rulesets = view.rescored.of[kept], len(view.rescored.rulesets)
        cell = group * n_rulesets + rulesets
        cells = {
            int(code): (groups[code // n_rulesets], view.rescored.rulesets[code % n_rulesets].id)
            for code in np.unique(cell)
        }
        counted = np.concatenate([counts.values[kept], counts.over[kept]], axis=1)
        player = view.column("player").take(pa.array(kept)).dictionary_encode()
        player_of, names = player.indices.to_numpy(), player.dictionary.to_pylist()
        is_named = ~np.isin(player_of, [code for code, name in enumerate(names) if name in NAMELESS])
        game, seat = view.game[kept], view.seat[kept]
        table_of, tables = _groups([view.column(name).take(pa.array(kept)) for name in TABLE], len(kept))
        for code, key in cells.items():
            rows = cell == code
            at_tables = zip(*np.unique(table_of[rows], return_counts=True), strict=True)
            self._add_tables(key[0], Counter({tables[table]: int(n) for table, n in at_tables}))
            self._add_besides(key, counts.besides[kept[rows]].sum(axis=0, dtype=np.int64))
            _put(self.by_win, key, self._sums(counted[rows]))
            _put(self.by_game, key, self._sums(_by(game[rows], counted[rows])[1]))
            _put(self.nameless, key, self._sums(_by(seat[rows & ~is_named], counted[rows & ~is_named])[1]))
            codes, of_player = _by(player_of[rows & is_named], counted[rows & is_named])
            self._add_players(key, [names[code] for code in codes], of_player)

    def __iadd__(self, other: Sums) -> Sums:
        for group, tables in other.tables.items():
            self._add_tables(group, tables)
        for key, besides in other.totals.items():
            self._add_besides(key, besides)
            for name in ("by_win", "by_game", "nameless"):
                _put(getattr(self, name), key, getattr(other, name)[key])
        for key, players in other.players.items():
            self._add_players(key, list(players), other.rows[list(players.values())])
        return self

    @property
    def groups(self) -> list[Group]:
        """Groups that occur, in order; what is not recorded comes last."""
        return sorted({group for group, _ in self.totals}, key=lambda group: [(x is None, x) for x in group])

    @property
    def n_statistics(self) -> int:
        return len(self.measure.over)

    def of_group(
        self, group: Group, rules: Mapping[str, Ruleset], shown: np.ndarray
    ) -> tuple[dict[str, np.ndarray], list[ClusterSums]]:
        """Counts besides by name, and the sums by win, by game and by player, of some statistics of a group.

        All rulesets the group's wins are scored under are taken together; the wins of one that does not play a
        statistic count neither for nor against it.
        """
        over = self.measure.over[shown]
        besides = np.zeros((len(self.measure.besides), len(shown)), np.int64)
        sums = [ClusterSums.none(len(shown)) for _ in range(3)]
        cells = [(group, id_) for id_ in rules if (group, id_) in self.totals]
        place = {player: i for i, player in enumerate({player: None for key in cells for player in self.players[key]})}
        values, sizes = np.zeros((2, len(place), len(shown)), np.int64)
        for key in cells:
            plays = self.measure.plays(rules[key[1]])[shown]
            besides += self.totals[key][:, shown]
            for position, complete in enumerate((self.by_win[key], self.by_game[key], self.nameless[key])):
                sums[position] += complete.only(shown).where(plays)
            players = self.players[key]
            at, counted = [place[player] for player in players], self.rows[list(players.values())]
            values[at] += counted[:, shown] * plays
            sizes[at] += counted[:, self.n_statistics :][:, over] * plays
        sums[2] += ClusterSums.of(values, sizes)
        return dict(zip(self.measure.besides, besides, strict=True)), sums

    def _sums(self, counted: np.ndarray) -> ClusterSums:
        n = self.n_statistics
        return ClusterSums.of(counted[:, :n], counted[:, n:][:, self.measure.over])

    def _add_besides(self, key: Cell, besides: np.ndarray) -> None:
        self.totals[key] = self.totals[key] + besides if key in self.totals else besides

    def _add_tables(self, group: Group, tables: Counter) -> None:
        self.tables[group] = self.tables.get(group, Counter()) + tables

    def _add_players(self, key: Cell, names: Sequence[str], counted: np.ndarray) -> None:
        players = self.players.setdefault(key, {})
        for name in names:
            if name not in players:
                players[name] = self.n_rows
                self.n_rows += 1
        if self.n_rows > len(self.rows):
            grown = np.zeros((max(self.n_rows, 2 * len(self.rows)), counted.shape[1]), np.int32)
            grown[: len(self.rows), : self.rows.shape[1]] = self.rows
            self.rows = grown
        if len(names):
            self.rows[[players[name] for name in names]] += counted.astype(np.int32)


def _put(into: dict[Cell, ClusterSums], key: Cell, sums: ClusterSums) -> None:
    into[key] = into[key] + sums if key in into else sums


def _by(cluster: np.ndarray, counted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Clusters that occur, and the sums over each."""
    if not len(cluster):
        return cluster, counted.astype(np.int64)
    order = np.argsort(cluster, kind="stable")
    first = np.flatnonzero(np.diff(cluster[order], prepend=-1))
    return cluster[order][first], np.add.reduceat(counted[order], first, axis=0, dtype=np.int64)


def _groups(columns: Sequence[pa.Array], n: int) -> tuple[np.ndarray, list[Group]]:
    """A code per win, and the group each code stands for."""
    code, groups = np.zeros(n, np.int64), [()]
    for column in columns:
        encoded = pc.dictionary_encode(column, null_encoding="encode")
        words = encoded.dictionary.to_pylist()
        code = code * len(words) + encoded.indices.to_numpy()
        groups = [(*group, word) for group in groups for word in words]
    return code, groups


@dataclass(frozen=True)
class Task:
    """What to count of each part."""

    measures: Sequence[tuple[Measure, tuple[Split, ...]]]
    rules: Ruleset | Recorded = RECORDED
    where: Where | None = None

    def __call__(self, tables: Mapping[str, pa.Table]) -> Counted:
        return self.of_view(WinView.of(tables, self.rules))

    def of_view(self, view: WinView) -> Counted:
        """Of a part that is scored already."""
        passes = np.ones(len(view), bool) if self.where is None else self.where.rows(view)
        kept = np.flatnonzero(view.rescored.stands & ~view.is_duplicate & passes)
        card = card_of(view, kept, passes, self.asked.keys())
        counted = Counted(card, [Sums(measure, by) for measure, by in self.measures])
        made: dict[int, Counts] = {}
        for (measure, _), sums in zip(self.measures, counted.sums, strict=True):
            if id(measure) not in made:
                made[id(measure)] = measure.count(view)
            sums.add(view, kept, made[id(measure)])
        return counted

    @property
    def asked(self) -> Mapping[str, set[str]]:
        """Words that columns are asked for, by column."""
        conditions = [self.where, *(split.condition for _, by in self.measures for split in by)]
        asked: dict[str, set[str]] = {}
        for condition in filter(None, conditions):
            for column, words in condition.words.items():
                asked.setdefault(column, set()).update(words)
        return asked

    def notes(self, card: Card) -> list[str]:
        """What the counts alone do not say: rules that are for other tables, words that no win holds."""
        of_tables = [
            note for rules in self.applied(card) for note in misfits(rules, card.wins_by_players(rules.id))
        ]
        return [*unheld(self.asked, card.words), *of_tables]

    def ruleset(self, id_: str) -> Ruleset:
        """A ruleset by the id that cells carry."""
        return self.rules.of(id_) if isinstance(self.rules, Recorded) else self.rules

    @property
    def given(self) -> dict[str, Ruleset]:
        """The ruleset that was asked for, by its id; none where the recorded ones are."""
        return {} if isinstance(self.rules, Recorded) else {self.rules.id: self.rules}

    def applied(self, card: Card) -> list[Ruleset]:
        """The rulesets the counted wins were scored under, by id."""
        return [self.ruleset(id_) for id_ in sorted(card.rulesets)] or list(self.given.values())


@dataclass
class Counted:
    """The counts of some parts."""

    card: Card
    sums: list[Sums]

    @classmethod
    def none(cls, task: Task) -> Counted:
        """Nothing counted yet."""
        return cls(Card(), [Sums(measure, by) for measure, by in task.measures])

    def __iadd__(self, other: Counted) -> Counted:
        self.card += other.card
        for mine, its in zip(self.sums, other.sums, strict=True):
            mine += its
        return self


def count(source: Source, task: Task, *, workers: int = 1) -> Counted:
    """All parts, counted."""
    total = Counted.none(task)
    with opened_parts(source, workers=workers) as parts:
        for counted in each_part(parts, partial(_counted, task), workers=workers):
            total += counted
    return total


def _counted(task: Task, tables: Mapping[str, pa.Table]) -> Counted:
    return task(tables)


def task_of(
    measures: Sequence[tuple[Measure, str | Iterable[str] | None]], rules: Rules, where: str | None
) -> Task:
    """A task from what users give, checked."""
    split = tuple((measure, splits(by)) for measure, by in measures)
    return Task(split, rules_of(rules), Where(where) if where and where.strip() else None)
