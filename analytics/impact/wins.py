"""Recorded wins under the rules before and after a change: what occurs, what changes, what it is worth."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, fields
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..metrics.columns import WinView
from ..rescoring import Rescored, yaku_ids
from ..rounds import numbers
from ..scoring.limits import LIMIT_NAMES, limit_name
from ..scoring.ruleset import catalog
from .candidates import Candidate
from .counting import POINT, asked_bits
from .hand import hand_of
from .tally import Events

STATISTICS = ("occurs", "changes", "gain_per_win", "gain_per_occurrence", "lost")
"""Of each candidate, in this order, in a tally of all."""
BANDS = ("no_win", *LIMIT_NAMES, "double_yakuman", "triple_yakuman")
"""Steps of the ladder; the last holds three yakuman and more."""
SPLITS = ("is_dealer", "is_open", "is_tsumo", "is_riichi", "is_rated_higher")
GAIN, SWALLOWED, LOST = "gain", "swallowed", "lost"


def groups_of(n_candidates: int) -> np.ndarray:
    """What each statistic is counted over: wins that tell and stand, twice a candidate; wins before or after."""
    of_one = np.array([0, 1, 1, -1, 1])
    offset = 2 * np.arange(n_candidates)[:, None]
    return np.where(of_one >= 0, of_one + offset, -1).ravel()


@dataclass
class WinCounts:
    """Counts of one candidate that add up over parts.

    Attributes
    ----------
    plain : Counter by name
        Of occurrences `open`, `dealer`, `tsumo`, `reading` (the best reading is another one with the yaku); of wins
        that stand before and after, those whose `han`, `limit`, `points` change, and `swallowed`: han rose, points
        did not. `lost` wins are none after the change, `gained` ones none before; `only` are lost wins that held
        nothing but what is no longer played.
    turns : Counter of the winner's turn, of occurrences
    gains : Counter of points gained, of occurrences
    ladder : Counter of (band before, band after), of wins that stand before or after
    held, held_with : Counter of yaku
        Under the rules with the yaku: in all wins that tell, and in occurrences.
    dropped, taken : Counter of (yaku, whether the best reading is another one)
        Of wins that stand before and after, yaku held only before, and only after.
    carried, carried_gain : Counter of yaku
        Wins without the yaku weighed in which another one is worth something else now, and points they gain.
    balance : Counter of (split, value, name)
        Wins that stand before or after, points they gain, and occurrences; wins without a value are in neither part.
    examples : by what it shows, (hash, example)
        Of all wins that show it, the one with the lowest hash.
    """

    plain: Counter = field(default_factory=Counter)
    turns: Counter = field(default_factory=Counter)
    gains: Counter = field(default_factory=Counter)
    ladder: Counter = field(default_factory=Counter)
    held: Counter = field(default_factory=Counter)
    held_with: Counter = field(default_factory=Counter)
    dropped: Counter = field(default_factory=Counter)
    taken: Counter = field(default_factory=Counter)
    carried: Counter = field(default_factory=Counter)
    carried_gain: Counter = field(default_factory=Counter)
    balance: Counter = field(default_factory=Counter)
    examples: dict[tuple, tuple[int, dict]] = field(default_factory=dict)

    def __iadd__(self, other: WinCounts) -> WinCounts:
        for name in (f.name for f in fields(self) if f.name != "examples"):
            getattr(self, name).update(getattr(other, name))
        for shows, found in other.examples.items():
            self.examples[shows] = min(self.examples.get(shows, found), found, key=lambda one: one[0])
        return self


@dataclass(frozen=True)
class Pair:
    """The wins of a part before and after one change.

    Attributes
    ----------
    view : WinView
        Scored before the change.
    after : Rescored
    counts : bool (n)
        Wins that are counted at all: no duplicates, and let through by the filter.
    """

    candidate: Candidate
    view: WinView
    after: Rescored
    counts: np.ndarray

    @property
    def before(self) -> Rescored:
        return self.view.rescored

    @property
    def with_yaku(self) -> Rescored:
        """The side on which the yaku that is weighed is played."""
        return self.before if self.candidate.has_yaku_before else self.after

    @cached_property
    def stood(self) -> np.ndarray:
        return self.before.stands & self.counts

    @cached_property
    def stands(self) -> np.ndarray:
        return self.after.stands & self.counts

    @cached_property
    def gain(self) -> np.ndarray:
        """Points gained, honba and sticks apart; what is no win is worth nothing."""
        return self.after.points * self.stands - self.before.points * self.stood

    @cached_property
    def han_steps(self) -> tuple[np.ndarray, np.ndarray]:
        """Han before and after, a yakuman above any count."""
        return tuple(np.where(one.units > 0, 1000 * one.units.astype(np.int64), one.han) for one in self._sides)

    @cached_property
    def bands(self) -> tuple[np.ndarray, np.ndarray]:
        """Step of the ladder before and after, 0 where there is no win."""
        standing = (self.stood, self.stands)
        return tuple(
            (1 + one.limit + np.clip(one.units - 1, 0, 2)).astype(np.int64) * stands
            for one, stands in zip(self._sides, standing, strict=True)
        )

    @property
    def _sides(self) -> tuple[Rescored, Rescored]:
        return self.before, self.after

    @cached_property
    def is_changed(self) -> np.ndarray:
        """Wins that are scored otherwise: win or none, points, han or fu."""
        pairs = (self.han_steps, (self.before.fu, self.after.fu), (self.before.points, self.after.points))
        differs = np.logical_or.reduce([a != b for a, b in pairs])
        return (self.stood != self.stands) | (self.stood & self.stands & differs)

    @cached_property
    def tells(self) -> np.ndarray:
        """Wins that stand where the yaku is played, and whose source tells what it asks for."""
        yaku, side = self.candidate.yaku, self.with_yaku
        if yaku is None:
            return self.stood | self.stands
        standing = self.stood if self.candidate.has_yaku_before else self.stands
        bits = np.array([asked_bits(yaku, rules) for rules in side.rulesets], np.uint64)
        return standing & (side.hands.known & bits[side.of] == bits[side.of])

    @cached_property
    def occurs(self) -> np.ndarray:
        """Wins that hold the yaku, or where the candidate is about none, that are scored otherwise."""
        yaku = self.candidate.yaku
        if yaku is None:
            return self.is_changed
        return self.with_yaku.holds[:, self.with_yaku.yaku.index(yaku)] & self.tells


def sizes_and_events(pair: Pair, place: int) -> tuple[np.ndarray, list[tuple]]:
    """The two denominators of a candidate, and the events of its five statistics, in hundreds of points."""
    first = place * len(STATISTICS)
    either = pair.stood | pair.stands
    hundreds = pair.gain // POINT
    occurs, gains = np.flatnonzero(pair.occurs), np.flatnonzero(hundreds)
    lost = np.flatnonzero(pair.stood & ~pair.stands)
    events = [
        (first, occurs, 1, 0),
        (first + 1, gains, 1, 0),
        (first + 2, gains, hundreds[gains], 0),
        (first + 3, occurs, hundreds[occurs], 1),
        (first + 4, lost, 1, 0),
    ]
    return np.stack([pair.tells, either], axis=1).astype(np.int64), events


def counts_of(pair: Pair, seed: int) -> WinCounts:
    """All but the statistics with intervals."""
    found = WinCounts()
    before, after, occurs = pair.before, pair.after, pair.occurs
    both, lost, gained = pair.stood & pair.stands, pair.stood & ~pair.stands, ~pair.stood & pair.stands
    han_before, han_after = pair.han_steps
    band_before, band_after = pair.bands
    swallowed = both & (han_after > han_before) & (after.points == before.points)
    flags = {name: pair.view.column(name) for name in SPLITS}
    is_ = {(name, value): _holds(column, value) for name, column in flags.items() for value in (False, True)}
    reading = before.reading != after.reading
    for name, rows in {
        "open": occurs & is_["is_open", True],
        "dealer": occurs & is_["is_dealer", True],
        "tsumo": occurs & is_["is_tsumo", True],
        "reading": occurs & both & reading,
        "han": both & (han_before != han_after),
        "limit": both & (band_before != band_after),
        "points": both & (before.points != after.points),
        "swallowed": swallowed,
        "lost": lost,
        "gained": gained,
        "only": _is_only(before, after, lost),
    }.items():
        found.plain[name] = int(rows.sum())
    turn = numbers(pair.view.tables["circumstances"]["turn"])
    found.turns.update(turn[occurs].tolist())
    found.gains.update(pair.gain[occurs].tolist())
    either = pair.stood | pair.stands
    steps = np.stack([band_before, band_after])[:, either]
    found.ladder.update(_counted(zip(*steps.tolist(), strict=True)))
    _count_yaku(found, pair, both, reading)
    _count_carried(found, pair, both)
    for (split, value), rows in is_.items():
        found.balance[split, value, "wins"] = int((rows & either).sum())
        found.balance[split, value, "gain"] = int(pair.gain[rows & either].sum())
        found.balance[split, value, "n"] = int((rows & occurs).sum())
    _choose(found, pair, swallowed, lost, seed)
    return found


def _holds(column: pa.Array, value: bool) -> np.ndarray:
    return pc.fill_null(pc.equal(column, value), False).to_numpy(zero_copy_only=False)


def _counted(pairs: Iterable[tuple[int, int]]) -> Counter:
    return Counter({(BANDS[a], BANDS[b]): n for (a, b), n in Counter(pairs).items()})


def _is_only(before: Rescored, after: Rescored, lost: np.ndarray) -> np.ndarray:
    """Wins lost of which each yaku they held counts in no reading any more: dropped, or not for a hand like this."""
    found = np.zeros(len(before), bool)
    for index, scores in enumerate(after.scores):
        rows = np.flatnonzero(lost & (after.in_force == index))
        held, left = before.holds[rows], scores.counted(rows)
        common = [(before.yaku.index(id_), at) for at, id_ in enumerate(scores.played.yaku) if id_ in before.yaku]
        places = np.array(common, int).reshape(-1, 2)
        found[rows] = held.any(axis=1) & ~(held[:, places[:, 0]] & left[:, places[:, 1]]).any(axis=1)
    return found


def _by_yaku(rescored: Rescored, rows: np.ndarray) -> Counter:
    counts = rescored.holds[rows].sum(axis=0)
    return Counter({rescored.yaku[at]: int(counts[at]) for at in np.flatnonzero(counts)})


def _count_yaku(found: WinCounts, pair: Pair, both: np.ndarray, reading: np.ndarray) -> None:
    side = pair.with_yaku
    found.held += _by_yaku(side, pair.tells)
    found.held_with += _by_yaku(side, pair.occurs)
    ids = list(dict.fromkeys((*pair.before.yaku, *pair.after.yaku)))
    changed = np.flatnonzero(both & pair.is_changed | both & pair.occurs)
    was, now = (_held(one, changed, ids) for one in (pair.before, pair.after))
    for counter, only in ((found.dropped, was & ~now), (found.taken, now & ~was)):
        for at in np.flatnonzero(only.any(axis=0)):
            for is_other in (False, True):
                n = int((only[:, at] & (reading[changed] == is_other)).sum())
                if n:
                    counter[ids[at], is_other] += n


def _held(rescored: Rescored, rows: np.ndarray, ids: Sequence[str]) -> np.ndarray:
    held = np.zeros((len(rows), len(ids)), bool)
    held[:, [ids.index(id_) for id_ in rescored.yaku]] = rescored.holds[rows]
    return held


def _count_carried(found: WinCounts, pair: Pair, both: np.ndarray) -> None:
    """Changed wins that do not hold the yaku weighed, by the yaku whose worth is another one now."""
    left = pair.occurs if pair.candidate.yaku is not None else np.zeros(len(both), bool)
    rows = np.flatnonzero(both & pair.is_changed & ~left)
    marks = np.stack([pair.before.worth_mark[rows], pair.after.worth_mark[rows]], axis=1)
    _, first, of = np.unique(marks, axis=0, return_index=True, return_inverse=True)
    n = np.bincount(of.ravel(), minlength=len(first))
    gain = np.zeros(len(first), np.int64)
    np.add.at(gain, of.ravel(), pair.gain[rows])
    for at, row in enumerate(rows[first].tolist()):
        was, now = pair.before.worths(row), pair.after.worths(row)
        for yaku in was:
            if yaku in now and was[yaku] != now[yaku] and yaku != pair.candidate.yaku:
                found.carried[yaku] += int(n[at])
                found.carried_gain[yaku] += int(gain[at])


# Examples


def _choose(found: WinCounts, pair: Pair, swallowed: np.ndarray, lost: np.ndarray, seed: int) -> None:
    """Of each gain among the occurrences, and of what is swallowed or lost, the win with the lowest hash."""
    wins = pair.view.tables["wins"]
    game = wins["game"].to_numpy().astype(np.int64).view(np.uint64)
    place = numbers(wins["round_no"]) * 4 + numbers(wins["winner"])
    hashes = mixed(game ^ mixed(place.astype(np.uint64) + np.uint64(seed) * np.uint64(1 << 20)))
    chosen: dict[tuple, int] = {}
    rows = np.flatnonzero(pair.occurs)
    order = rows[np.lexsort((hashes[rows], pair.gain[rows]))]
    for row in order[np.diff(pair.gain[order], prepend=_NEVER) != 0].tolist():
        chosen[GAIN, int(pair.gain[row])] = row
    for name, among in ((SWALLOWED, swallowed), (LOST, lost)):
        rows = np.flatnonzero(among)
        if len(rows):
            chosen[name,] = int(rows[np.argmin(hashes[rows])])
    for shows, row in chosen.items():
        found.examples[shows] = (int(hashes[row]), example(pair, row))


_NEVER = -(1 << 40)


def mixed(numbers_: np.ndarray) -> np.ndarray:
    """Numbers spread over all of 64 bits, the same for the same number (the finish of SplitMix64)."""
    x = numbers_ + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ x >> np.uint64(30)) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ x >> np.uint64(27)) * np.uint64(0x94D049BB133111EB)
    return x ^ x >> np.uint64(31)


def example(pair: Pair, row: int) -> dict:
    """A win before and after the change, as plain values."""
    games, wins = pair.view.tables["games"], pair.view.tables["wins"]
    at = int(pair.view.game[row])
    return {
        "path": games["path"][at].as_py(),
        "source_id": games["source_id"][at].as_py(),
        "game": games["game"][at].as_py(),
        "round_no": wins["round_no"][row].as_py(),
        "winner": wins["winner"][row].as_py(),
        "gain": int(pair.gain[row]),
        "hand": hand_of(pair.view.tables, row),
        "before": scored(pair.before, row, bool(pair.stood[row])),
        "after": scored(pair.after, row, bool(pair.stands[row])),
    }


def scored(rescored: Rescored, row: int, stands: bool) -> dict:
    """How a win is scored: yaku with their worth, dora, han, fu, limit, points."""
    units = int(rescored.units[row])
    return {
        "ruleset": rescored.rulesets[rescored.of[row]].id,
        "is_win": stands,
        "yaku": {yaku: worth.text for yaku, worth in rescored.worths(row).items()},
        "dora": 0 if units or not stands else int(rescored.dora_han[row].sum()),
        "han": int(rescored.han[row]),
        "fu": int(rescored.fu[row]),
        "limit": limit_name(int(rescored.limit[row]), units),
        "points": int(rescored.points[row]) if stands else 0,
    }


# Standard yaku beside the candidates


@dataclass
class Peers:
    """Wins by standard yaku, and their points, under the base."""

    n: Counter = field(default_factory=Counter)
    points: Counter = field(default_factory=Counter)
    wins: int = 0

    @classmethod
    def of(cls, base: Rescored, stood: np.ndarray) -> Peers:
        """Of the wins that stand."""
        ids = list(yaku_ids())
        held = base.holds[stood]
        points = base.points[stood].astype(np.int64) @ held
        standard = [ids.index(id_) for id_ in ids if catalog()[id_].is_standard]
        n = held.sum(axis=0)
        return cls(
            Counter({ids[at]: int(n[at]) for at in standard if n[at]}),
            Counter({ids[at]: int(points[at]) for at in standard if n[at]}),
            int(stood.sum()),
        )

    def __iadd__(self, other: Peers) -> Peers:
        self.n.update(other.n)
        self.points.update(other.points)
        self.wins += other.wins
        return self


def events_of(pairs: Sequence[tuple[int, Pair]]) -> tuple[np.ndarray, Events]:
    """Denominators and events of all candidates of a part, by their places."""
    made = [sizes_and_events(pair, place) for place, pair in pairs]
    return np.concatenate([sizes for sizes, _ in made], axis=1), Events.of([e for _, events in made for e in events])
