"""Counts of rare events that add up over parts, with the sums over clusters that intervals are made from.

Most wins hold none of the yaku that are weighed. Only those that hold one are kept, statistic by statistic; what they
are counted over is kept once for all statistics that share it. All numbers are whole, so that a result does not
depend on how games were spread over parts or workers. Memory is bounded by the pairs of a player and a statistic that
occur.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ..metrics.intervals import ClusterSums
from ..metrics.sums import NAMELESS

_PLAYERS = 1 << 40


@dataclass(frozen=True)
class Events:
    """What is not zero; columns of equal length, at most one entry a statistic and row.

    Attributes
    ----------
    statistic, row : int64
    n : int64
        What the row adds to the numerator.
    more : int64
        What it adds to the denominator besides what all statistics of the group share.
    """

    statistic: np.ndarray
    row: np.ndarray
    n: np.ndarray
    more: np.ndarray

    @classmethod
    def of(cls, entries: Sequence[tuple[int, np.ndarray, np.ndarray, np.ndarray | int]]) -> Events:
        """Of a statistic's rows, numerators and further denominators each."""
        columns: list[list[np.ndarray]] = [[], [], [], []]
        for statistic, row, n, more in entries:
            for column, values in zip(columns, (statistic, row, n, more), strict=True):
                column.append(np.broadcast_to(np.asarray(values, np.int64), len(row)))
        return cls(*(np.concatenate([np.zeros(0, np.int64), *column]) for column in columns))

    def only(self, rows: np.ndarray) -> Events:
        """These entries alone."""
        return Events(self.statistic[rows], self.row[rows], self.n[rows], self.more[rows])

    def of_clusters(self, cluster: np.ndarray) -> Events:
        """Summed over clusters, the cluster of each row being given."""
        return summed(self.statistic, cluster[self.row], self.n, self.more)


def summed(statistic: np.ndarray, row: np.ndarray, n: np.ndarray, more: np.ndarray) -> Events:
    """Entries of the same statistic and row made one."""
    key, of = np.unique(statistic * _PLAYERS + row, return_inverse=True)
    sums = np.zeros((2, len(key)), np.int64)
    np.add.at(sums[0], of, n)
    np.add.at(sums[1], of, more)
    return Events(key // _PLAYERS, key % _PLAYERS, *sums)


@dataclass
class Tally:
    """Sums of some statistics over units, a unit being a win or a seat of a game.

    Attributes
    ----------
    group : int (n_statistics)
        The denominator each statistic shares with others, a column of `sizes`; -1 for none but its own events.
    by_unit, by_game, nameless : ClusterSums
        Sums over clusters that are complete within a part.
    names : row of `sizes` by player
    sizes : int64 (n_players, n_groups)
    events : Events
        By statistic and player.
    """

    group: np.ndarray
    by_unit: ClusterSums
    by_game: ClusterSums
    nameless: ClusterSums
    names: dict[str, int]
    sizes: np.ndarray
    events: Events

    @classmethod
    def none(cls, group: np.ndarray) -> Tally:
        """Nothing counted yet."""
        empty = [ClusterSums.none(len(group)) for _ in range(3)]
        return cls(group, *empty, {}, np.zeros((0, _n_groups(group)), np.int64), Events.of([]))

    @classmethod
    def of(
        cls,
        group: np.ndarray,
        sizes: np.ndarray,
        events: Events,
        game: np.ndarray,
        seat: np.ndarray,
        player: np.ndarray,
        names: Sequence[str],
    ) -> Tally:
        """Of the units of one part.

        Parameters
        ----------
        group : int (n_statistics)
        sizes : int (n_units, n_groups)
        events : Events
            Their rows are units.
        game, seat : int (n_units)
            A number for the game, and for the seat of the game.
        player : int (n_units)
            Index into `names`. A player whose name tells nothing stands alone in each game.
        """
        is_named = ~np.isin(player, [code for code, name in enumerate(names) if name in NAMELESS])
        their_events = is_named[events.row]
        of_player = events.only(their_events).of_clusters(player)
        known, place = np.unique(player[is_named], return_inverse=True)
        its_sizes = np.zeros((len(known), sizes.shape[1]), np.int64)
        np.add.at(its_sizes, place, sizes[is_named])
        rows = np.searchsorted(known, of_player.row)
        of_player = Events(of_player.statistic, rows, of_player.n, of_player.more)
        return cls(
            group=group,
            by_unit=cluster_sums(group, sizes, events),
            by_game=_clustered(group, sizes, events, game),
            nameless=_clustered(group, sizes * ~is_named[:, None], events.only(~their_events), seat),
            names={names[code]: row for row, code in enumerate(known.tolist())},
            sizes=its_sizes,
            events=of_player,
        )

    def __iadd__(self, other: Tally) -> Tally:
        self.by_unit += other.by_unit
        self.by_game += other.by_game
        self.nameless += other.nameless
        place = np.array([self.names.setdefault(name, len(self.names)) for name in other.names], np.int64)
        grown = np.zeros((len(self.names), self.sizes.shape[1]), np.int64)
        grown[: len(self.sizes)] = self.sizes
        grown[place] += other.sizes
        self.sizes = grown
        mine, its = self.events, other.events
        columns = zip(
            (mine.statistic, mine.row, mine.n, mine.more),
            (its.statistic, place[its.row] if len(its.row) else its.row, its.n, its.more),
            strict=True,
        )
        self.events = summed(*(np.concatenate(pair) for pair in columns))
        return self

    @property
    def schemes(self) -> list[ClusterSums]:
        """The sums by unit, by game and by player."""
        return [self.by_unit, self.by_game, self.nameless + cluster_sums(self.group, self.sizes, self.events)]


def _n_groups(group: np.ndarray) -> int:
    return int(group.max(initial=-1)) + 1


def _clustered(group: np.ndarray, sizes: np.ndarray, events: Events, cluster: np.ndarray) -> ClusterSums:
    known, place = np.unique(cluster, return_inverse=True)
    of_cluster = np.zeros((len(known), sizes.shape[1]), np.int64)
    np.add.at(of_cluster, place, sizes)
    return cluster_sums(group, of_cluster, events.of_clusters(place))


def cluster_sums(group: np.ndarray, sizes: np.ndarray, events: Events) -> ClusterSums:
    """Sums over clusters, from what they share, int (n_clusters, n_groups), and their events."""
    n, more, sizes = _squarable(events.n), _squarable(events.more), _squarable(sizes)
    shares = group >= 0
    column = group[events.statistic]
    base = np.zeros(len(column), sizes.dtype)
    base[column >= 0] = sizes[events.row[column >= 0], column[column >= 0]]
    whole = _squarable(base + more)

    def total(values: np.ndarray) -> np.ndarray:
        sums = np.zeros(len(group), values.dtype)
        np.add.at(sums, events.statistic, values)
        return sums.astype(object)

    def shared(values: np.ndarray) -> np.ndarray:
        sums = values.sum(axis=0)
        return np.where(shares, sums[group] if len(sums) else 0, 0).astype(object)

    return ClusterSums(
        n=total(n),
        size=shared(sizes) + total(more),
        nn=total(n**2),
        n_size=total(n * whole),
        size_size=shared(sizes**2) + total(whole**2 - base**2),
    )


def _squarable(numbers: np.ndarray) -> np.ndarray:
    """Whole numbers in which sums of their products are exact: as Python's where int64 is too narrow for them."""
    largest = max(abs(int(numbers.max(initial=0))), abs(int(numbers.min(initial=0))))
    return numbers.astype(np.int64 if largest**2 * max(numbers.size, 1) < 2**62 else object)
