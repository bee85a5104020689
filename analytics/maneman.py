"""Maneman: discarding what another player discarded before, tile by tile."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from parsers.schema import ACTION_KINDS, codes

from .rounds import game_rows, numbers, round_rows
from .scoring import tiles
from .scoring.ruleset import Ruleset, RulesetError
from .scoring.values import LIMIT_BASE

_DISCARD = ACTION_KINDS.index("discard")
_CALLS = tuple(ACTION_KINDS.index(kind) for kind in ("chi", "pon", "daiminkan"))
_DECLARED_KANS = tuple(ACTION_KINDS.index(kind) for kind in ("ankan", "kakan"))
_LONGEST = 32
"""No river is longer."""
_NEVER = np.iinfo(np.int64).max
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


@dataclass(frozen=True)
class Turns:
    """The discards of the rounds of a part, int64 (n_rounds, 4, 32) by seat and turn.

    `tile` is -1 where no discard is, or one that was called away; `at` orders the actions of a round; `called_at`
    (n_rounds) is the first call or kan of a round.
    """

    tile: np.ndarray
    at: np.ndarray
    called_at: np.ndarray
    dealer: np.ndarray
    players: np.ndarray


def turns(tables: Mapping[str, pa.Table]) -> Turns:
    """The discards of a part's rounds in their order."""
    actions, rounds, games = tables["actions"], tables["rounds"], tables["games"]
    n = rounds.num_rows
    row, at, kind = round_rows(actions, rounds), numbers(actions["seq"]), codes(actions["kind"], ACTION_KINDS)
    order = np.lexsort((at, row))
    row, at, kind = row[order], at[order], kind[order]
    seat, other = numbers(actions["seat"], -1)[order], numbers(actions["from_seat"], -1)[order]
    of_kind = numbers(actions["tile"])[order]

    is_discard = kind == _DISCARD
    river = row[is_discard] * 4 + seat[is_discard]
    by_river = np.argsort(river, kind="stable")
    begins = np.flatnonzero(np.diff(river[by_river], prepend=-1))
    turn = np.empty(len(river), np.int64)
    turn[by_river] = np.arange(len(river)) - np.repeat(begins, np.diff(np.append(begins, len(river))))
    tile = np.full((n * 4, _LONGEST), -1)
    made_at = np.full((n * 4, _LONGEST), _NEVER)
    tile[river, turn] = of_kind[is_discard]
    made_at[river, turn] = at[is_discard]
    # A called discard is the last one its player made before the call.
    for call in np.flatnonzero(np.isin(kind, _CALLS)):
        called = row[call] * 4 + other[call]
        tile[called, np.searchsorted(made_at[called], at[call]) - 1] = -1
    called_at = np.full(n, _NEVER)
    is_call = np.isin(kind, (*_CALLS, *_DECLARED_KANS))
    np.minimum.at(called_at, row[is_call], at[is_call])
    return Turns(
        tile=tile.reshape(n, 4, _LONGEST),
        at=made_at.reshape(n, 4, _LONGEST),
        called_at=called_at,
        dealer=numbers(rounds["dealer"]),
        players=numbers(games["players"])[game_rows(rounds, games)],
    )


def imitations(made: Turns, rules: Ruleset) -> tuple[np.ndarray, np.ndarray]:
    """Whom each seat of each round imitates and for how many discards, int64 (n_rounds, 4) both; -1 and 0 for nobody.

    The longest that the ruleset pays for, of equally long ones the lowest seat's. Each discard must follow the one it
    imitates, and none of them was called away.

    Raises
    ------
    RulesetError
        The imitation is to be the floor of a later win: recorded rounds are not settled so.
    """
    if rules["yaku.maneman.trigger"] == "floor_when_winning":
        raise RulesetError(
            f"{rules.id}: yaku.maneman.trigger = 'floor_when_winning' is scored in hand cases only; "
            "recorded rounds need 'immediate_payment' or 'on_exhaustive_draw'"
        )
    tile = made.tile
    if rules["yaku.maneman.red_five_equal"]:
        tile = np.where(tile < 0, -1, tiles.KIND_OF_TILE[np.maximum(tile, 0)].astype(np.int64))
    whom, longest = np.full(tile.shape[:2], -1), np.zeros(tile.shape[:2], np.int64)
    least = rules["yaku.maneman.n"]

    def follows(seat: int, other: int, rows: np.ndarray | slice, turns: slice) -> np.ndarray:
        own, its = tile[rows, seat, turns], tile[rows, other, turns]
        return (own == its) & (own >= 0) & (made.at[rows, seat, turns] > made.at[rows, other, turns])

    for seat in range(4):
        for other in range(4):
            if other == seat:
                continue
            long = np.flatnonzero(follows(seat, other, slice(None), slice(least)).all(axis=1))  # a few in thousands
            n = np.zeros(len(tile), np.int64)
            n[long] = np.cumprod(follows(seat, other, long, slice(None)), axis=1).sum(axis=1)
            if rules["yaku.maneman.who"] == "dealer_only":
                n = np.where(made.dealer == other, n, 0)
            elif rules["yaku.maneman.who"] == "nearest_previous_player":
                n = np.where((seat - 1) % made.players == other, n, 0)
            if rules["yaku.maneman.call_break"] == "any_call":
                completed = made.at[:, seat, least - 1]
                n = np.where(made.called_at < completed, 0, n)
            is_longer = n > longest[:, seat]
            whom[is_longer, seat], longest[is_longer, seat] = other, n[is_longer]
    return whom, longest
