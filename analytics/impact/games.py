"""Games under the payments before and after a change: final points, places, results, and where they end."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa

from ..ends import ENDS, UNKNOWN, Ends, ends
from ..ledger import Ledger, first_points, ledger
from ..metrics.intervals import ClusterSums
from ..rescoring import Rescored, Rules
from ..rounds import game_rows, numbers
from ..settle import settle_rounds
from .tally import Events, Tally

STATISTICS = ("flipped", "rank_change", "points_moved")
"""Of each candidate, in this order, in a tally of all."""
SHARES = 12
"""A game counts as twelve, three or four of which are each seat's: a game of three is then one game, as one of four."""


@dataclass(frozen=True)
class Played:
    """The games of a part under one choice of rules."""

    ends: Ends
    ledger: Ledger
    start: np.ndarray
    """Points before the first round, int64 (n_games, 4)."""

    @classmethod
    def of(
        cls,
        tables: Mapping[str, pa.Table],
        rescored: Rescored,
        rules: Rules,
        *,
        record: Mapping[str, pa.Table] | None = None,
    ) -> Played:
        """Rounds settled, games cut where they end, points, places and results at the end.

        `record` are the tables as recorded, where `tables` are not.
        """
        deltas = settle_rounds(tables, rescored)
        ended = ends(tables, deltas, rules, record=record)
        ledger_ = ledger(tables, deltas * ended.is_played[:, None], rules)
        return cls(ended, ledger_, first_points(tables, rules))


@dataclass(frozen=True)
class Games:
    """The games of a part before and after one change; arrays by game, or by game and seat.

    Attributes
    ----------
    counts : bool (n_games)
        Games that are weighed: complete on record, no duplicates, and let through by the filter.
    """

    tables: Mapping[str, pa.Table]
    before: Played
    after: Played
    counts: np.ndarray

    @cached_property
    def compared(self) -> np.ndarray:
        """Games that end on record before and after."""
        return self.counts & ~self.before.ends.is_open & ~self.after.ends.is_open

    @cached_property
    def is_flipped(self) -> np.ndarray:
        """Whether two seats finish in another order, bool (n_games)."""
        before, after = (
            np.sign(one.ledger.placement[:, :, None].astype(int) - one.ledger.placement[:, None, :])
            for one in (self.before, self.after)
        )
        return (before != after).any(axis=(1, 2))

    @cached_property
    def places_moved(self) -> np.ndarray:
        """By seat, int64 (n_games, 4)."""
        return np.abs(self.before.ledger.placement.astype(np.int64) - self.after.ledger.placement)

    @cached_property
    def points_moved(self) -> np.ndarray:
        """How much more or less each seat wins or loses in the game, int64 (n_games, 4)."""
        before, after = (one.ledger.points - one.start for one in (self.before, self.after))
        return np.abs(before - after)


def counted_games(tables: Mapping[str, pa.Table], game_of_wins: np.ndarray | None) -> np.ndarray:
    """Complete games whose play is in the store once; with a filter, those a win of which it lets through."""
    games = tables["games"]
    counts = games["is_complete"].to_numpy() & ~games["duplicate_of"].is_valid().to_numpy()
    if game_of_wins is not None:
        passes = np.zeros(len(counts), bool)
        passes[game_of_wins] = True
        counts &= passes
    return counts


def counts_of(games: Games, n_incomplete: int) -> Counter:
    """Counts of one candidate that add up over parts; sums of results are in points."""
    before, after, kept = games.before, games.after, games.compared
    found = Counter(games=int(games.counts.sum()), incomplete=n_incomplete, compared=int(kept.sum()))
    both = np.stack([one.ledger.result[kept] for one in (before, after)])
    is_seat = (before.ledger.placement[kept] > 0) & np.isfinite(both).all(axis=0)
    for name, one, results in (("before", before, both[0]), ("after", after, both[1])):
        found[f"cut_{name}"] = int((one.ends.is_cut & games.counts).sum())
        found[f"open_{name}"] = int((one.ends.is_open & games.counts).sum())
        whole = np.rint(results[is_seat] * 1000).astype(np.int64)
        found[f"n_{name}"], found[f"sum_{name}"] = len(whole), int(whole.sum())
        found[f"squares_{name}"] = sum(result**2 for result in whole.tolist())  # exact, however large they are
    for end in (UNKNOWN, *range(len(ENDS))):
        word = "unknown" if end == UNKNOWN else ENDS[end]
        found[f"cut_by_{word}"] = int((after.ends.is_cut & games.counts & (after.ends.end == end)).sum())
        found[f"open_for_{word}"] = int((after.ends.is_open & games.counts & (before.ends.end == end)).sum())
    found["first"] = int(((before.ledger.placement == 1) != (after.ledger.placement == 1)).any(axis=1)[kept].sum())
    moved = np.abs(np.rint((both[0] - both[1])[is_seat] * 1000))
    found["result_moved"], found["result_games"] = int(moved.sum()), int(is_seat.any(axis=1).sum())
    return found


def tally_of(tables: Mapping[str, pa.Table], each: Sequence[Games]) -> Tally:
    """The statistics with intervals of all candidates of a part; a unit is a seat of a game."""
    games, seats = tables["games"], tables["seats"]
    row, seat = game_rows(seats, games), numbers(seats["seat"])
    share = SHARES // numbers(games["players"], 4)[row]
    sizes, entries = [], []
    for place, one in enumerate(each):
        kept = one.compared[row].astype(np.int64)
        sizes += [kept * share, kept]
        of_seat = {
            "flipped": one.is_flipped[row] * share,
            "rank_change": one.places_moved[row, seat],
            "points_moved": one.points_moved[row, seat] * SHARES,
        }
        for statistic, name in enumerate(STATISTICS):
            n = of_seat[name] * kept
            units = np.flatnonzero(n)
            entries.append((place * len(STATISTICS) + statistic, units, n[units], 0))
    player = seats["player"].combine_chunks().dictionary_encode()
    return Tally.of(
        groups_of(len(each)),
        np.stack(sizes, axis=1),
        Events.of(entries),
        row,
        row * 4 + seat,
        player.indices.to_numpy(),
        player.dictionary.to_pylist(),
    )


def groups_of(n_candidates: int) -> np.ndarray:
    """What each statistic is counted over: games compared of its candidate, as twelve each, or their seats."""
    return (2 * np.arange(n_candidates)[:, None] + np.array([0, 1, 0])).ravel()


def by_whole_game(sums: ClusterSums) -> ClusterSums:
    """Sums over games in which each counts once instead of as twelve."""
    one, two = SHARES, SHARES**2
    return ClusterSums(sums.n // one, sums.size // one, sums.nn // two, sums.n_size // two, sums.size_size // two)
