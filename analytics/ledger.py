"""Ledger: from the deltas of rounds to the points, places and results of games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from .rescoring import RECORDED, Rules, rulesets_of
from .rounds import by_seat, game_rows, numbers, play_order
from .scoring.ruleset import Ruleset, ruleset
from .settle import STICK


@dataclass(frozen=True)
class Ledger:
    """Games in the order of the table `games`; arrays (n_games, 4), an absent seat holds 0.

    Attributes
    ----------
    points : int64
        After the last round, sticks left on the table included where the ruleset gives them to the first.
    placement : int8
        1 to 4, 0 for an absent seat; shared places have the same number.
    result : float64
        Thousands against the return points, with uma and oka; nan where the ruleset has no uma for as many players,
        or the game no round.
    pot : int64 (n_games)
        Points left on the table in sticks, before they go to anybody.
    """

    points: np.ndarray
    placement: np.ndarray
    result: np.ndarray
    pot: np.ndarray


def ledger(tables: Mapping[str, pa.Table], deltas: np.ndarray, rules: Rules = RECORDED) -> Ledger:
    """Points, places and results of every game of a part, from the deltas of its rounds (n_rounds, 4).

    A game is followed from its first recorded round to its last, as if it ended there. Under other rules than its
    own it begins with as many points more or less as the rules begin with.
    """
    games, rounds = tables["games"], tables["rounds"]
    players = numbers(games["players"])
    order, starts = play_order(rounds, games)
    first, of_round = order[starts], game_rows(rounds, games)
    of_first = of_round[first]
    n = games.num_rows

    pot = np.zeros(n, np.int64)
    pot[of_first] = STICK * numbers(rounds["sticks"])[first]
    np.subtract.at(pot, of_round, deltas.sum(axis=1))  # what no seat gained or lost lies on the table
    points = first_points(tables, rules)
    np.add.at(points, of_round, deltas)

    rulesets, (of_game,) = rulesets_of(tables, rules, ("games",))
    placement, result = np.zeros((n, 4), np.int8), np.full((n, 4), np.nan)
    for index, one in enumerate(rulesets):
        rows = np.intersect1d(np.flatnonzero(of_game == index), of_first)
        placement[rows] = places(points[rows], players[rows], one)
        if one["game.left_sticks"] == "first":
            points[rows] += _split(pot[rows], placement[rows] == 1)
        for count in {3, 4} & {len(one["game.uma"])}:
            fit = rows[players[rows] == count]
            result[fit] = _results(points[fit], placement[fit], count, one)
    return Ledger(points, placement, np.where(_there(players), result, 0), pot)


def first_points(tables: Mapping[str, pa.Table], rules: Rules = RECORDED) -> np.ndarray:
    """Points of each seat before the first recorded round, int64 (n_games, 4); 0 without a round.

    Under rules that begin with more or fewer points than the game's own, they are moved by as much.
    """
    games, rounds = tables["games"], tables["rounds"]
    order, starts = play_order(rounds, games)
    first = order[starts]
    of_first = game_rows(rounds, games)[first]
    points = np.zeros((games.num_rows, 4), np.int64)
    points[of_first] = by_seat(rounds, "points")[first]
    rulesets, (of_game,) = rulesets_of(tables, rules, ("games",))
    start = np.array([one["game.start_points"] for one in rulesets], np.int64)[of_game]
    played = games["ruleset"].to_pylist()
    begun_with = {id_: ruleset(id_)["game.start_points"] for id_ in set(played)}
    own = np.array([begun_with[id_] for id_ in played], np.int64)
    points[of_first] += ((start - own)[:, None] * _there(numbers(games["players"])))[of_first]
    return points


def _there(players: np.ndarray) -> np.ndarray:
    return np.arange(4) < players[:, None]


def places(points: np.ndarray, players: np.ndarray, rules: Ruleset) -> np.ndarray:
    """Placement by points, int8 (n, 4), 0 for an absent seat; equal points by seat, or shared.

    >>> from .scoring.ruleset import base
    >>> points, players = np.array([[30000, 20000, 30000, 20000]]), np.array([4])
    >>> places(points, players, base())
    array([[1, 3, 2, 4]], dtype=int8)
    >>> places(points, players, base().amend({"game.tie_break": "split"}))
    array([[1, 3, 1, 3]], dtype=int8)
    """
    there = _there(players)
    ahead = points[:, None, :] > points[:, :, None]
    if rules["game.tie_break"] == "seat":
        ahead |= (points[:, None, :] == points[:, :, None]) & np.tri(4, k=-1, dtype=bool)
    return np.where(there, 1 + (ahead & there[:, None, :]).sum(axis=2), 0).astype(np.int8)


def _split(points: np.ndarray, among: np.ndarray) -> np.ndarray:
    """Points shared evenly, what is left over to the earliest seat, int64 (n, 4)."""
    count = np.maximum(among.sum(axis=1), 1)
    shares = (points // count)[:, None] * among
    shares[np.arange(len(points)), among.argmax(axis=1)] += np.where(among.any(axis=1), points % count, 0)
    return shares


def _results(points: np.ndarray, placement: np.ndarray, players: int, rules: Ruleset) -> np.ndarray:
    """Results of games of as many players as the ruleset has uma for; absent seats are not asked for."""
    return_points = rules["game.return_points"]
    bonus = np.array(rules["game.uma"], np.float64)
    bonus[0] += (return_points - rules["game.start_points"]) * players / 1000
    # Seats that share a place share what it and the places it covers are worth.
    sharing = np.stack([(placement == place).sum(axis=1) for place in range(players + 1)], axis=1)
    sums = np.append(0, np.cumsum(bonus))
    shared = np.take_along_axis(sharing, placement.astype(np.int64), axis=1)
    low, high = np.maximum(placement - 1, 0), np.minimum(placement - 1 + shared, players)
    result = (sums[high] - sums[low]) / np.maximum(shared, 1)
    there = np.arange(4) < players
    if rules["game.result_rounding"] == "none":
        return result + (points - return_points) / 1000
    exact = (result + (points - return_points) / 1000)[:, there].sum(axis=1)
    result += np.trunc(points / 1000 + np.copysign(0.5, points)) - return_points / 1000
    result[np.arange(len(points)), np.argmax(placement == 1, axis=1)] += exact - result[:, there].sum(axis=1)
    return result
