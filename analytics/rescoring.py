"""The wins of a store's part under the rulesets they were played by, or under one of one's own.

`recorded` stands for the ruleset each game was played under. Facts are found once for all wins of the part; each
ruleset that occurs is then applied to them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from .rounds import game_rows, numbers, riichi_sticks, round_rows
from .scoring.hands import Hands, from_tables
from .scoring.ruleset import Ruleset, RulesetError, amended, catalog, ruleset
from .scoring.score import Facts, facts_of, score
from .settle import (
    Situation,
    draw_payments,
    draws_of,
    first_in_turn,
    nagashi_seats,
    pots,
    stands,
    win_payments,
)

RECORDED = "recorded"


@dataclass(frozen=True)
class Rescored:
    """Wins and what they are worth; columns of equal length in the order of the table `wins`.

    Attributes
    ----------
    rulesets : list of Ruleset
        The rulesets that occur; `of` is the index of each win's, `of_draw` of each row of `draws`.
    status, base, han, fu, units, limit, points
        As in scoring.score.Scores.
    holds : bool (n, n_yaku)
        Yaku of the best reading, over all of the catalog's yaku in its order.
    dora_han : int32 (n, 6)
        Han by kind of dora: first indicator, kan, ura, ura of kan, red, north.
    stands : bool (n)
        Whether the win is one: it is worth something, and no head bump sets it aside.
    pays : int64 (n, 4)
        Change of points by seat, honba and sticks included; 0 where the win does not stand.
    draw_pays : int64 (n_draws, 4)
        Change of points by seat at each row of `draws`.
    """

    facts: Facts
    at: Situation
    rulesets: list[Ruleset]
    of: np.ndarray
    of_draw: np.ndarray
    status: np.ndarray
    base: np.ndarray
    han: np.ndarray
    fu: np.ndarray
    units: np.ndarray
    limit: np.ndarray
    points: np.ndarray
    holds: np.ndarray
    dora_han: np.ndarray
    stands: np.ndarray
    pays: np.ndarray
    draw_pays: np.ndarray

    @property
    def hands(self) -> Hands:
        return self.facts.hands

    def __len__(self) -> int:
        return len(self.status)


def yaku_ids() -> tuple[str, ...]:
    """The columns of `Rescored.holds`."""
    return tuple(catalog())


def rescore(tables: Mapping[str, pa.Table], rules: Ruleset | str = RECORDED) -> Rescored:
    """Score every win of a part; `tables` as `parsers.store.Store.parts` gives them."""
    wins = tables["wins"]
    facts = facts_of(from_tables(wins, tables["circumstances"]))
    round_row, at = round_rows(wins, tables["rounds"]), situation(tables)
    draws, put = draws_of(tables), riichi_sticks(tables).sum(axis=1)
    rulesets, (of, of_draw) = rulesets_of(tables, rules, ("wins", "draws"))
    n, ids = len(of), yaku_ids()
    columns = dict.fromkeys(("status", "base", "han", "fu", "units", "limit", "points", "dora_han", "stands", "pays"))
    holds, draw_pays = np.zeros((n, len(ids)), bool), np.zeros((len(of_draw), 4), np.int64)
    for index, scores in enumerate(score(facts, rulesets)):
        one, rows, draw_rows = rulesets[index], of == index, of_draw == index
        is_first = first_in_turn(round_row, at, scores.base > 0)
        standing = stands(scores.base > 0, is_first, one)
        is_taken = np.zeros(tables["rounds"].num_rows, bool)
        is_taken[round_row[is_first]] = True
        if one["yaku.nagashi_mangan.honba_riichi_sticks"]:
            is_taken[draws.row[nagashi_seats(draws, one).any(axis=1)]] = True
        pot = pots(tables, put, is_taken)
        shares_honba = standing if one["payment.honba_of_double_ron"] == "each" else is_first
        collected = replace(
            at, honba=np.where(shares_honba, at.honba, 0), sticks=np.where(is_first, pot[round_row], 0)
        )
        found = {
            "stands": standing,
            "pays": win_payments(scores, collected) * standing[:, None],
            "draw_pays": draw_payments(draws, one, pot[draws.row]),
        }
        for name in columns:
            values = found[name] if name in found else getattr(scores, name)
            if columns[name] is None:
                columns[name] = np.zeros(values.shape, values.dtype)
            columns[name][rows] = values[rows]
        draw_pays[draw_rows] = found["draw_pays"][draw_rows]
        position = [ids.index(id_) for id_ in scores.played.yaku]
        holds[np.ix_(rows, position)] = scores.holds[rows]
    return Rescored(
        facts=facts, at=at, rulesets=rulesets, of=of, of_draw=of_draw, holds=holds, draw_pays=draw_pays, **columns
    )


def amended_rules(
    rules: Ruleset | str, adopt: Sequence[str] = (), drop: Sequence[str] = (), set_: Sequence[str] = ()
) -> Ruleset | str:
    """Rules with changes as a command line writes them (scoring.ruleset.amended); `recorded` as it is.

    Raises
    ------
    RulesetError
        A change that cannot be, or one to the rules that games were recorded under.
    """
    if rules != RECORDED:
        return amended(rules, adopt, drop, set_)
    if adopt or drop or set_:
        raise RulesetError("recorded rules are those of each game and cannot be changed; name a ruleset to change")
    return RECORDED


def rulesets_of(
    tables: Mapping[str, pa.Table], rules: Ruleset | str, names: Sequence[str]
) -> tuple[list[Ruleset], list[np.ndarray]]:
    """The rulesets that apply to a part, and for each named table which one applies to each row."""
    if rules != RECORDED:
        return [ruleset(rules)], [np.zeros(tables[name].num_rows, np.int32) for name in names]
    games = tables["games"]
    played = games["ruleset"].to_pylist()
    ids = sorted(set(played))
    of_game = np.array([ids.index(id_) for id_ in played], np.int32)
    of_rows = [of_game[game_rows(tables[name], games)] for name in names]
    return [ruleset(id_) for id_ in ids] or [ruleset("base")], of_rows


def situation(tables: Mapping[str, pa.Table]) -> Situation:
    """Where the wins stand, as recorded; the honba are those of the round, sticks are left to the ruleset."""
    wins, rounds = tables["wins"], tables["rounds"]
    row = round_rows(wins, rounds)
    return Situation(
        winner=numbers(wins["winner"], 0),
        loser=numbers(wins["loser"], -1),
        dealer=numbers(rounds["dealer"])[row],
        players=numbers(tables["circumstances"]["players"], 4),
        honba=numbers(rounds["honba"])[row],
        sticks=np.zeros(len(row), np.int64),
        feeder=np.stack([numbers(wins[f"meld_{slot}_from"], -1) for slot in range(1, 5)], axis=1),
    )
