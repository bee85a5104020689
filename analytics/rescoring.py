"""The wins of a store's part under the rulesets they were played by, or under one of one's own.

`recorded` stands for the ruleset each game was played under. Facts are found once for all wins of the part; each
ruleset that occurs is then applied to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from pathlib import Path

import numpy as np
import pyarrow as pa

from parsers.errors import StoreError

from .maneman import as_floor, imitations, turns, worth_of
from .rounds import ends_with_added_kan, game_rows, numbers, riichi_sticks, round_rows
from .scoring.hands import Hands, from_tables
from .scoring.ruleset import Ruleset, RulesetError, amended, catalog, ruleset
from .scoring.score import Facts, Scores, facts_of, score
from .scoring.values import Worth
from .settle import (
    Draws,
    Situation,
    draw_payments,
    draws_of,
    first_in_turn,
    maneman_payments,
    nagashi_seats,
    pots,
    stands,
    win_payments,
)


@dataclass(frozen=True)
class Recorded:
    """The ruleset each game was played under, with the changes a user asks for, if any."""

    adopt: tuple[str, ...] = ()
    drop: tuple[str, ...] = ()
    set_: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        changes = [*self.adopt, *(f"{id_}=off" for id_ in self.drop), *self.set_]
        return " + ".join(["recorded", *([", ".join(changes)] if changes else [])])

    def __str__(self) -> str:
        return self.id

    def of(self, id_: str) -> Ruleset:
        """The ruleset of games recorded under this id, which may carry the changes already."""
        return _of_recorded(self, id_.partition(" + ")[0])


@lru_cache(maxsize=4096)
def _of_recorded(rules: Recorded, id_: str) -> Ruleset:
    return amended(id_, rules.adopt, rules.drop, rules.set_)


RECORDED = Recorded()
Rules = Ruleset | Recorded | str
"""What users name: a ruleset, its id or file, or `recorded`."""


def rules_of(rules: Rules) -> Ruleset | Recorded:
    """What is named, found.

    Raises
    ------
    scoring.ruleset.RulesetError
        There is no such ruleset.
    """
    if isinstance(rules, Recorded):
        return rules
    return RECORDED if rules == "recorded" else ruleset(rules)


def each_once(choices: Iterable[Rules]) -> list[Rules]:
    """The choices, where no two go by one name: what is told of rules is told by it.

    Raises
    ------
    scoring.ruleset.RulesetError
        Two do.
    """
    listed, known = list(choices), {}
    for one in map(rules_of, listed):
        hash_ = getattr(one, "hash", None)  # of the recorded rules each game has another
        if known.setdefault(one.id, hash_) != hash_:
            raise RulesetError(f"two rulesets are called {one.id}; give the file of one another name")
    if len(known) < len(listed):
        ids = [rules_of(one).id for one in listed]
        raise RulesetError(f"{next(id_ for id_ in ids if ids.count(id_) > 1)} is named twice")
    return listed


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
        Yaku of the best reading, over all of the catalog's yaku in its order, then those of the rulesets' own.
    dora_han : int32 (n, 6)
        Han by kind of dora: first indicator, kan, ura, ura of kan, red, north.
    stands : bool (n)
        Whether the win is one: it is worth something, and no head bump sets it aside.
    pays : int64 (n, 4)
        Change of points by seat, honba and sticks included; 0 where the win does not stand.
    draw_pays : int64 (n_draws, 4)
        Change of points by seat at each row of `draws`.
    maneman_pays : int64 (n_rounds, 4)
        Change of points by seat in each round for rivers that imitate another.
    sticks : int64 (n_rounds, 4)
        Riichi sticks put down in each round by each seat.
    scores : list of Scores
        All wins under each of `rulesets`, for what is asked of few, and after those under the same with two han where
        a run of wins asks it, and with what an imitated river is worth where a win is raised to it.
    in_force : int (n)
        Index of each win's own into `scores`.
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
    maneman_pays: np.ndarray
    sticks: np.ndarray
    scores: list[Scores]
    in_force: np.ndarray

    @cached_property
    def yaku(self) -> tuple[str, ...]:
        """The columns of `holds`."""
        return _yaku(self.rulesets)

    @cached_property
    def is_lower_bound(self) -> np.ndarray:
        """Whether a win's ruleset plays a yaku that its source cannot tell."""
        return self._of_own("is_lower_bound")

    @cached_property
    def key(self) -> np.ndarray:
        """What orders the readings of a win under its ruleset: scoring.score.Scores.key."""
        return self._of_own("key")

    @cached_property
    def worth_mark(self) -> np.ndarray:
        """A number that is the same only for wins with the same yaku at the same worth, int64."""
        mark = np.zeros(len(self), np.int64)
        for index, scores in enumerate(self.scores):
            rows = self.in_force == index
            own = scores.best_row << 2 | scores.by_floor << 1 | scores.is_paid
            mark[rows] = index << 48 | own[rows]
        return mark

    @cached_property
    def reading(self) -> np.ndarray:
        """Place of the best reading of each win among those of `facts`; meaningless where nothing is paid."""
        return self._of_own("reading")

    def worths(self, row: int) -> dict[str, Worth]:
        """What each yaku of a win is worth under its ruleset."""
        return self.scores[self.in_force[row]].worth(row)

    def _of_own(self, name: str) -> np.ndarray:
        """A column of each win's own ruleset."""
        columns = np.stack([getattr(scores, name) for scores in self.scores])
        return columns[self.in_force, np.arange(len(self))]

    @property
    def hands(self) -> Hands:
        return self.facts.hands

    def __len__(self) -> int:
        return len(self.status)


def yaku_ids() -> tuple[str, ...]:
    """The yaku every `Rescored.holds` has columns for; those of a ruleset's own come after them."""
    return tuple(catalog())


def _yaku(rulesets: Sequence[Ruleset]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*catalog(), *(id_ for rules in rulesets for id_ in rules.own))))


def rescore(tables: Mapping[str, pa.Table], rules: Rules = RECORDED) -> Rescored:
    """Score every win of a part; `tables` as `parsers.store.Store.parts` gives them."""
    [rescored] = rescore_each(tables, [rules])
    return rescored


def rescore_each(tables: Mapping[str, pa.Table], choices: Iterable[Rules]) -> Iterator[Rescored]:
    """Score every win of a part under one choice of rules after the other; facts are found once."""
    part = _Part.of(tables)
    for rules in choices:
        yield _rescored(tables, part, rules_of(rules))


@dataclass(frozen=True)
class _Part:
    """What no ruleset changes of a part; `sticks` are those put down in each round by each seat."""

    facts: Facts
    round_row: np.ndarray
    at: Situation
    draws: Draws
    sticks: np.ndarray

    @classmethod
    def of(cls, tables: Mapping[str, pa.Table]) -> _Part:
        if not isinstance(tables, Mapping):
            raise TypeError(f"expected tables by name, as koyaku.read gives them; not {type(tables).__name__}")
        n, n_told = len(tables["wins"]), len(tables["circumstances"])
        if n != n_told:
            raise StoreError(f"the table circumstances tells of {n_told:,} of {n:,} wins; read the logs again")
        return cls(
            facts=facts_of(from_tables(tables["wins"], tables["circumstances"])),
            round_row=round_rows(tables["wins"], tables["rounds"]),
            at=situation(tables),
            draws=draws_of(tables),
            sticks=riichi_sticks(tables),
        )


def _rescored(tables: Mapping[str, pa.Table], part: _Part, rules: Ruleset | Recorded) -> Rescored:
    facts, round_row, at, draws = part.facts, part.round_row, part.at, part.draws
    rulesets, (of, of_draw, of_round) = rulesets_of(tables, rules, ("wins", "draws", "rounds"))
    in_force, of_scores = _with_runs(rulesets, of, tables["circumstances"])
    in_force, of_scores = _with_imitations(in_force, of_scores, tables, round_row)
    n, ids = len(of), _yaku(rulesets)
    columns = dict.fromkeys(("status", "base", "han", "fu", "units", "limit", "points", "dora_han", "stands", "pays"))
    holds, draw_pays = np.zeros((n, len(ids)), bool), np.zeros((len(of_draw), 4), np.int64)
    maneman_pays = _maneman_pays(tables, draws, rulesets, of_round)
    all_scores = score(facts, in_force)
    is_worth = np.stack([scores.base > 0 for scores in all_scores])[of_scores, np.arange(n)]
    is_first = first_in_turn(round_row, at, is_worth)
    for index, scores in enumerate(all_scores):
        one, rows, draw_rows = in_force[index], of_scores == index, of_draw == index
        standing = stands(scores.base > 0, is_first, one)
        is_taken = np.zeros(tables["rounds"].num_rows, bool)
        is_taken[round_row[is_first]] = True
        if one["yaku.nagashi_mangan.honba_riichi_sticks"]:
            is_taken[draws.row[nagashi_seats(draws, one).any(axis=1)]] = True
        pot = pots(tables, part.sticks.sum(axis=1), is_taken)
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
        facts=facts, at=at, rulesets=rulesets, of=of, of_draw=of_draw, holds=holds, draw_pays=draw_pays,
        maneman_pays=maneman_pays, sticks=part.sticks, scores=all_scores, in_force=of_scores, **columns,
    )


def _with_runs(
    rulesets: Sequence[Ruleset], of: np.ndarray, circumstances: pa.Table
) -> tuple[list[Ruleset], np.ndarray]:
    """The rulesets in force: where paarenchan asks it, a dealer from the sixth hand of a run on needs two han."""
    in_force, of = list(rulesets), of.copy()
    for index, rules in enumerate(rulesets):
        is_asked = rules.yaku_value("paarenchan").is_on and rules["yaku.paarenchan.ryanhan_shibari"] != "off"
        if not is_asked or rules["round.minimum_han"] >= 2:
            continue
        n_before = numbers(circumstances[f"n_count_{rules['yaku.paarenchan.definition'][-1]}"], 0)
        in_run = (of == index) & (numbers(circumstances["seat_wind"], -1) == 0) & (n_before >= 5)
        if in_run.any():
            of[in_run] = len(in_force)
            in_force.append(rules.amend({"round.minimum_han": 2}))
    return in_force, of


def _with_imitations(
    rulesets: Sequence[Ruleset], of: np.ndarray, tables: Mapping[str, pa.Table], round_row: np.ndarray
) -> tuple[list[Ruleset], np.ndarray]:
    """The rulesets in force: where a win is raised to what an imitated river is worth, that is one of its yaku."""
    in_force, of = list(rulesets), of.copy()
    for index, rules in enumerate(rulesets):
        if not rules.yaku_value("maneman").is_on or rules["yaku.maneman.trigger"] != "floor_when_winning":
            continue
        _, imitated = imitations(turns(tables), rules)
        n = np.where(of == index, imitated[round_row, numbers(tables["wins"]["winner"])], 0)
        for length in np.unique(n[n > 0]):
            of[n == length] = len(in_force)
            in_force.append(as_floor(rules, worth_of(length, rules)))
    return in_force, of


def _maneman_pays(
    tables: Mapping[str, pa.Table], draws: Draws, rulesets: Sequence[Ruleset], of_round: np.ndarray
) -> np.ndarray:
    """What imitated rivers pay in each round under the ruleset that applies to it."""
    pays = np.zeros((len(of_round), 4), np.int64)
    played = [index for index, rules in enumerate(rulesets) if rules.yaku_value("maneman").is_on]
    if not played:
        return pays
    made, is_drawn_out = turns(tables), np.zeros(len(of_round), bool)
    is_drawn_out[draws.row[draws.is_drawn_out]] = True
    for index in played:
        rows = of_round == index
        pays[rows] = maneman_payments(made, rulesets[index], is_drawn_out)[rows]
    return pays


def amended_rules(
    rules: str | Path,
    adopt: Sequence[str] = (),
    drop: Sequence[str] = (),
    set_: Sequence[str] = (),
    *,
    assume: str | None = None,
    games: bool = False,
) -> Ruleset | Recorded:
    """Rules to score under, with changes as a command line writes them; of `recorded` each game's own are changed.

    With `games` they must also say all that games are followed by.

    Raises
    ------
    RulesetError
        A change that cannot be, or rules that are incomplete.
    """
    if rules != "recorded":
        changed = amended(rules, adopt, drop, set_, assume=assume)
        changed.check_complete(games=games)
        return changed
    amended("base", adopt, drop, set_, assume=assume)  # says at once what cannot be
    return Recorded(tuple(adopt), tuple(drop), tuple(set_))


def rulesets_of(
    tables: Mapping[str, pa.Table], rules: Rules, names: Sequence[str]
) -> tuple[list[Ruleset], list[np.ndarray]]:
    """The rulesets that apply to a part, and for each named table which one applies to each row."""
    rules = rules_of(rules)
    if isinstance(rules, Ruleset):
        return [rules], [np.zeros(tables[name].num_rows, np.int32) for name in names]
    games = tables["games"]
    played = games["ruleset"].to_pylist()
    ids = sorted(set(played))
    of_game = np.array([ids.index(id_) for id_ in played], np.int32)
    of_rows = [of_game[game_rows(tables[name], games)] for name in names]
    return [rules.of(id_) for id_ in ids] or [rules.of("base")], of_rows


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
        is_added_last=ends_with_added_kan(tables)[row, numbers(wins["winner"])],
    )
