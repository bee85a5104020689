"""Maneman: discarding what another player discarded before, tile by tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from .scoring import tiles
from .scoring.ruleset import Ruleset
from .scoring.values import LIMIT_BASE

_STEPS = {"haneman_at_7_baiman_at_9": {7: LIMIT_BASE["haneman"], 9: LIMIT_BASE["baiman"]}, "none": {}}


class Imitation(NamedTuple):
    """Whom a river imitates, and for how many discards."""

    seat: int
    n: int


def n_imitated(own: Sequence[int], other: Sequence[int], *, red_five_equal: bool = True) -> int:
    """How many first discards of `own` equal those of `other`, in order; tiles are 0-36.

    >>> n_imitated([27, 8, 34], [27, 8, 4, 1]), n_imitated([27, 8, 34], [27, 8, 4, 1], red_five_equal=False)
    (3, 2)
    """
    if red_five_equal:
        own, other = tiles.KIND_OF_TILE[list(own)].tolist(), tiles.KIND_OF_TILE[list(other)].tolist()
    n = 0
    while n < min(len(own), len(other)) and own[n] == other[n]:
        n += 1
    return n


def imitation(
    own: Sequence[int], others: Mapping[int, Sequence[int]], rules: Ruleset, *, seat: int | None, players: int = 4
) -> Imitation | None:
    """The longest imitation in a river that a ruleset pays for, None if there is none.

    `own` and the `others`, by seat from the dealer's 0, are rivers without a called discard. Of two players the one
    later in turn imitates, for every discard of hers follows the other's; a river whose `seat` is not known follows
    all others, and is taken as the second seat's where the nearest player before it matters.
    """
    who = rules["yaku.maneman.who"]
    before = [other for other in others if seat is None or other < seat]
    if who == "dealer_only":
        before = [other for other in before if other == 0]
    elif who == "nearest_previous_player":
        before = [other for other in before if other == ((1 if seat is None else seat) - 1) % players]
    equal = rules["yaku.maneman.red_five_equal"]
    found = [Imitation(other, n_imitated(own, others[other], red_five_equal=equal)) for other in sorted(before)]
    longest = max(found, key=lambda one: one.n, default=None)
    return longest if longest is not None and longest.n >= rules["yaku.maneman.n"] else None


def floor_of(n: int, rules: Ruleset) -> int:
    """Base points that an imitation of n discards is raised to, 0 where its length raises nothing."""
    return max((base for least, base in _STEPS[rules["yaku.maneman.steps"]].items() if n >= least), default=0)
