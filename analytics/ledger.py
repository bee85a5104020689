"""Ledger: from the deltas of rounds to the points, places and results of games."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from .rounds import by_seat, game_rows, numbers, riichi_sticks, round_rows
from .scoring.ruleset import Ruleset
from .settle import STICK


@dataclass(frozen=True)
class Ledger:
    """Games in the order of the table `games`; arrays (n_games, 4), an absent seat holds 0.

    Attributes
    ----------
    points : int64
        After the last round, sticks left on the table included where the ruleset gives them to the first.
    placement : int8
        1 to 4, 0 for an absent seat.
    pot : int64 (n_games)
        Points left on the table in sticks, before they go to anybody.
    """

    points: np.ndarray
    placement: np.ndarray
    pot: np.ndarray


def ledger(tables: Mapping[str, pa.Table], deltas: np.ndarray, rules: Ruleset) -> Ledger:
    """Points and places of every game of a part, from the deltas of its rounds (n_rounds, 4)."""
    games, rounds = tables["games"], tables["rounds"]
    row = game_rows(rounds, games)
    players = numbers(games["players"])
    n = games.num_rows
    first, last = np.full(n, -1), np.full(n, -1)
    first[row[::-1]] = np.arange(len(row))[::-1]
    last[row] = np.arange(len(row))
    played = last >= 0
    points = np.zeros((n, 4), np.int64)
    points[played] = by_seat(rounds, "points")[first[played]]
    np.add.at(points, row, deltas)
    pot = np.zeros(n, np.int64)
    pot[played] = _pot_after(tables)[last[played]]
    placement = places(points, players)
    if rules["game.left_sticks"] == "first":
        leader = np.argmax(placement == 1, axis=1)
        points[np.arange(n), leader] += pot
    return Ledger(points, placement, pot)


def _pot_after(tables: Mapping[str, pa.Table]) -> np.ndarray:
    """Points in sticks on the table after each round: none after a win."""
    rounds = tables["rounds"]
    pot = STICK * (numbers(rounds["sticks"]) + riichi_sticks(tables).sum(axis=1))
    pot[round_rows(tables["wins"], rounds)] = 0
    return pot


def places(points: np.ndarray, players: np.ndarray) -> np.ndarray:
    """Placement by points, ties to the earlier seat; int8 (n, 4), 0 for an absent seat.

    >>> places(np.array([[30000, 20000, 30000, 20000]]), np.array([4]))
    array([[1, 3, 2, 4]], dtype=int8)
    """
    there = np.arange(4) < players[:, None]
    ranked = np.where(there, points, np.iinfo(np.int64).min)
    order = np.argsort(-ranked.astype(np.float64), axis=1, kind="stable")
    placement = np.empty_like(order)
    np.put_along_axis(placement, order, np.arange(1, 5)[None, :], axis=1)
    return np.where(there, placement, 0).astype(np.int8)
