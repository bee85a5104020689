"""Where a game ends under given payments, and whether the end on record would still have come.

Rounds, dealers and honba stay as recorded. After a round the game is over

- by *bust*: somebody is below zero, where the ruleset ends games so;
- by *goal*: it is the last round of the room's length or later, the dealership passes, and the first has at least the
  return points of the rules the game was played by;
- by *leading dealer*: as late, the dealer repeats, is first and has as many, where the ruleset ends games so;
- by *limit*: the dealership passes after the last round of the wind beyond the room's length.

A game is cut at the first round after which it is over. If it is over after none, it is *open*: it would have gone on
past its record. What is known of the record comes first: a kind of end after which the record itself goes on is not
played at that table; and a record that ends by none of these under its own payments (another goal, a game broken off)
ends by something that is not known, and is taken to end there in any case.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from parsers.schema import DRAW_KINDS, codes

from .ledger import first_points, places
from .rescoring import RECORDED, Rules, rulesets_of
from .rounds import by_seat, game_rows, numbers, play_order, round_rows
from .scoring.ruleset import ruleset

BUST, GOAL, LEADING_DEALER, LIMIT = range(4)
ENDS = ("bust", "goal", "leading_dealer", "limit")
UNKNOWN = -1
_WINDS = {"east": 1, "south": 2}


@dataclass(frozen=True)
class Ends:
    """How games end; rounds in the order of `rounds`, games in that of `games`.

    Attributes
    ----------
    is_played : bool (n_rounds)
        Not after the end.
    end : int8 (n_games)
        Index into ENDS of what ends the game; -1 where nothing does, or what did is not known.
    is_cut : bool (n_games)
        Over before the last round on record.
    is_open : bool (n_games)
        Over after none of its rounds, though its record ends by something known.
    """

    is_played: np.ndarray
    end: np.ndarray
    is_cut: np.ndarray
    is_open: np.ndarray


def ends(
    tables: Mapping[str, pa.Table],
    deltas: np.ndarray,
    rules: Rules = RECORDED,
    *,
    record: Mapping[str, pa.Table] | None = None,
) -> Ends:
    """How every game of a part ends under the payments `deltas`, int64 (n_rounds, 4), and the rules of a ruleset.

    `record` are the tables as recorded, where some rounds of `tables` end otherwise.
    """
    rounds, games = tables["rounds"], tables["games"]
    of_round = game_rows(rounds, games)
    order, _ = play_order(rounds, games)
    recorded = over_after(record or tables, by_seat(rounds, "delta").astype(np.int64), RECORDED)
    n_games, place = games.num_rows, np.empty(len(order), np.int64)
    place[order] = np.arange(len(order))
    last = np.full(n_games, -1)
    last[of_round[order]] = order  # the last round of each game stays
    is_last = last[of_round] == np.arange(len(order))
    went_on = np.zeros((n_games, len(ENDS)), bool)
    np.logical_or.at(went_on, of_round, recorded & ~is_last[:, None])
    is_known = np.zeros(n_games, bool)
    is_known[of_round[is_last]] = (recorded & ~went_on[of_round])[is_last].any(axis=1)

    over = over_after(tables, deltas, rules) & ~went_on[of_round]
    end_place = np.full(n_games, len(order))
    is_over = over.any(axis=1)
    np.minimum.at(end_place, of_round[is_over], place[is_over])
    ended = np.flatnonzero(end_place < len(order))
    end_round = order[end_place[ended]]
    end = np.full(n_games, UNKNOWN, np.int8)
    end[ended] = over[end_round].argmax(axis=1)
    is_cut = np.zeros(n_games, bool)
    is_cut[ended] = ~is_last[end_round]
    return Ends(place <= end_place[of_round], end, is_cut, is_known & (end == UNKNOWN))


def over_after(tables: Mapping[str, pa.Table], deltas: np.ndarray, rules: Rules = RECORDED) -> np.ndarray:
    """By what the game is over after each round, bool (n_rounds, 4) over ENDS."""
    rounds, games = tables["rounds"], tables["games"]
    of_round, players = game_rows(rounds, games), numbers(games["players"])[game_rows(rounds, games)]
    there = np.arange(4) < players[:, None]
    points = points_after(tables, deltas, rules)
    rulesets, (of,) = rulesets_of(tables, rules, ("rounds",))
    placement = np.zeros((len(points), 4), np.int8)
    ends_by_bust, ends_by_dealer = np.zeros(len(points), bool), np.zeros(len(points), bool)
    for index, one in enumerate(rulesets):
        rows = of == index
        placement[rows] = places(points[rows], players[rows], one)
        ends_by_bust[rows], ends_by_dealer[rows] = one["game.bust"], one["game.leading_dealer_ends"]

    dealer = numbers(rounds["dealer"])
    row = np.arange(len(points))
    goal = goals(tables, rules)[of_round]
    n_winds = np.array([_WINDS.get(length, 2) for length in games["length"].to_pylist()], np.int64)[of_round]
    kyoku = numbers(rounds["wind"]) * players + dealer
    is_late = kyoku >= n_winds * players - 1
    repeats = dealer_repeats(tables)
    has_goal = (points * there).max(axis=1) >= goal
    leads = (placement[row, dealer] == 1) & (points[row, dealer] >= goal)

    is_drawn = is_abortive(tables)
    over = np.zeros((len(points), len(ENDS)), bool)
    over[:, BUST] = ((points < 0) & there).any(axis=1) & ends_by_bust
    over[:, GOAL] = is_late & ~repeats & has_goal
    over[:, LEADING_DEALER] = is_late & repeats & ~is_drawn & leads & ends_by_dealer
    over[:, LIMIT] = ~repeats & (kyoku >= (n_winds + 1) * players - 1)
    return over


def points_after(tables: Mapping[str, pa.Table], deltas: np.ndarray, rules: Rules = RECORDED) -> np.ndarray:
    """Points of each seat after each round, sticks on the table apart, int64 (n_rounds, 4)."""
    rounds, games = tables["rounds"], tables["games"]
    order, starts = play_order(rounds, games)
    total = np.cumsum(deltas[order], axis=0)
    game = np.cumsum(starts) - 1
    before = (total - deltas[order])[starts]
    points = np.empty_like(total)
    points[order] = total - before[game] + first_points(tables, rules)[game_rows(rounds, games)[order]]
    return points


def goals(tables: Mapping[str, pa.Table], rules: Rules = RECORDED) -> np.ndarray:
    """Points a game is played for, int64 (n_games): the return points of the rules it was played by.

    Under rules that begin with more or fewer points the goal is moved by as much.
    """
    games = tables["games"]
    played = [ruleset(id_) for id_ in games["ruleset"].to_pylist()]
    rulesets, (of,) = rulesets_of(tables, rules, ("games",))
    starts = np.array([one["game.start_points"] for one in rulesets], np.int64)[of]
    return np.array([one["game.return_points"] - one["game.start_points"] for one in played], np.int64) + starts


def dealer_repeats(tables: Mapping[str, pa.Table]) -> np.ndarray:
    """Whether the dealer of each round stays dealer, as recorded, bool (n_rounds).

    Before another round of its game: whether that has the same dealer and wind. Of the last round: whether the dealer
    won, or a draw leaves the dealership where it is under the rules the game was played by.
    """
    rounds, games = tables["rounds"], tables["games"]
    order, starts = play_order(rounds, games)
    dealer, wind = numbers(rounds["dealer"]), numbers(rounds["wind"])
    rows = np.zeros(rounds.num_rows, bool)

    won = round_rows(tables["wins"], rounds)
    rows[won[numbers(tables["wins"]["winner"]) == dealer[won]]] = True
    draws = tables["draws"]
    drawn = round_rows(draws, rounds)
    kept_by = [ruleset(id_)["round.dealer_repeats"] for id_ in games["ruleset"].to_pylist()]
    keeps = np.array([word == "tenpai" for word in kept_by], bool)[game_rows(draws, games)]
    is_tenpai = by_seat(draws, "is_tenpai", False)[np.arange(len(drawn)), dealer[drawn]]
    rows[drawn] = is_abortive(tables)[drawn] | (is_tenpai & keeps)

    followed = ~np.append(starts[1:], True) if len(order) else np.zeros(0, bool)
    now, after = order[:-1][followed[:-1]], order[1:][followed[:-1]]
    rows[now] = (dealer[now] == dealer[after]) & (wind[now] == wind[after])
    return rows


def is_abortive(tables: Mapping[str, pa.Table]) -> np.ndarray:
    """Whether each round was broken off, bool (n_rounds)."""
    rounds, draws = tables["rounds"], tables["draws"]
    drawn_out = [DRAW_KINDS.index("exhaustive"), DRAW_KINDS.index("nagashi_mangan")]
    rows = np.zeros(rounds.num_rows, bool)
    rows[round_rows(draws, rounds)] = ~np.isin(codes(draws["kind"], DRAW_KINDS), drawn_out)
    return rows
