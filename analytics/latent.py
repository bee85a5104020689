"""Latent wins: hands that would have been wins under one ruleset and were none under another.

The table `chances` holds every tile that completed a hand. Under a ruleset such a hand is a *win* if it is worth
something, is not furiten, may take the tile where it lies, and no other claim on the tile sets it aside.

- Furiten goes by the shapes the ruleset plays, with or without yaku: a kind in the own river completes the hand; or a
  tile that completed it was passed up since the last own draw, or since the own riichi. A call of one's own ends no
  furiten. Self-draws know none.
- A tile of a concealed kan is for thirteen orphans, where the ruleset lets them have it. A north set aside is a tile
  like a discard.
- Of several claims on one tile the ruleset pays all, or the first in turn order; three abort the round where it says
  so. Recorded winners claim the tile again if it is worth something to them, players who passed up what they could
  have won pass it up again.
- The first latent win of a seat in a round is counted; a round counts once however many seats have one.

Players would have played otherwise under other rules; of that this says nothing.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from itertools import compress

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from parsers.schema import ACTION_KINDS, codes
from parsers.store import Store

from .chances import chances as chances_of
from .chances import earlier_rows
from .corpus import map_parts
from .rescoring import RECORDED, Rules, rulesets_of
from .rounds import numbers, round_rows
from .scoring.hands import Hands, from_tables, tile_sums
from .scoring.limits import limit_name
from .scoring.patterns import differing_keys, may_differ
from .scoring.ruleset import Ruleset
from .scoring.score import NOT_WINNING, Facts, Scores, facts_of, score
from .scoring.tiles import BIT
from .settle import Situation, win_payments

WIN, NO_YAKU, NO_SHAPE, FURITEN, NOT_ROBBED, SET_ASIDE = range(6)
STANDINGS = ("win", "no_yaku", "no_shape", "furiten", "not_robbed", "set_aside")
"""What a chance is under a ruleset: a win, or why it is none."""
PASSED, DISCONNECTED, ABORTED, OTHER_RON = range(4)
CLASSES = ("passed", "disconnected", "aborted", "other_ron")
"""Why a win was not taken: passed up by choice, the seat was not there, three claimed the tile, another won on it."""

WAYS = ("ron", "tsumo", "chankan")
"""How a latent win is won: on a discard, by self-draw, by robbing a kan; a north set aside is like a discard."""

_ANKAN, _KAKAN = ACTION_KINDS.index("ankan"), ACTION_KINDS.index("kakan")
_ACCEPTED = ACTION_KINDS.index("riichi_accepted")
_OF_CLAIMS = ("yaku.chankan.rob_closed_quad_for_kokushi", "payment.multiple_ron", "round.triple_ron")
"""Keys that say who may claim a tile, whatever the hands are worth."""


@dataclass(frozen=True)
class Standing:
    """What each chance is under rules, its seat alone on the table.

    Attributes
    ----------
    rulesets : list of Ruleset
        The rulesets that occur; `of` (n) is the index of each chance's.
    scores : list of Scores
        All chances under each of them.
    standing : int8 (n)
        Index into STANDINGS; other claims on the tile are not looked at.
    """

    rulesets: list[Ruleset]
    of: np.ndarray
    scores: list[Scores]
    standing: np.ndarray

    def column(self, name: str) -> np.ndarray:
        """A column of `Scores`, each chance's under its own ruleset."""
        return np.stack([getattr(scores, name) for scores in self.scores])[self.of, np.arange(len(self.of))]

    def key(self, name: str) -> np.ndarray:
        """The value of a ruleset's key, for each chance."""
        return np.array([rules[name] for rules in self.rulesets])[self.of]


@dataclass(frozen=True)
class LatentWins:
    """The latent wins of a part.

    Attributes
    ----------
    wins : table
        The first of each round and seat: `game`, `round_no`, `winner`, `seq`; `chance`, its row in the table of
        chances; `loser`, null on a self-draw; `by`, of WAYS; `before`, what it was under the old rules, of STANDINGS;
        `han`, `fu`, `limit`, `yakuman`, `points`, `yaku` under the new ones; `delta_0` … `delta_3`, honba and the
        sticks on the table included; `is_lower_bound`, of the points, where ura or a yaku are not known; `is_first`,
        whether it is the first of its round, which a rate counts; `beside`, how many recorded winners have the same
        tile.
    preempted : table
        The recorded wins, `game`, `round_no`, `winner`, that would not have come about.
    prevented : table
        The rounds without a latent win in which furiten alone stood in the way of one: `game`, `round_no`, `winner`
        of the first such hand.
    n_rounds : int
        Rounds with recorded play, of which `n_rounds_with` hold a latent win.
    n_disconnected : int
        Rounds and seats whose only latent wins fell to a seat that was not connected; they are no part of `wins`.
    """

    wins: pa.Table
    preempted: pa.Table
    prevented: pa.Table
    n_rounds: int
    n_rounds_with: int
    n_disconnected: int

    def __add__(self, other: LatentWins) -> LatentWins:
        """Of two parts together; `chance` still counts within each."""
        return LatentWins(
            pa.concat_tables([self.wins, other.wins]),
            pa.concat_tables([self.preempted, other.preempted]),
            pa.concat_tables([self.prevented, other.prevented]),
            self.n_rounds + other.n_rounds,
            self.n_rounds_with + other.n_rounds_with,
            self.n_disconnected + other.n_disconnected,
        )


@dataclass(frozen=True)
class Scan:
    """The chances of a part, made ready to be asked under any number of rules: facts are found once.

    Attributes
    ----------
    tables, chances
        What it was made of, or the chances of some rounds of it; `place` (n) are their rows in the table of chances.
    facts : Facts
        Of all chances.
    river_rows : int64 (m)
        For each kind in the own river that completes a hand in some form, the chance, by ron; `river_facts` are those
        of the hand with this kind.
    passed : pair of int64 (k)
        Chances by ron, and earlier ones of the same hand that still weigh on them where they were complete.
    claims : Claims
        Where the chances stand in their rounds.
    played : int64
        Rows in `rounds` of those with recorded play.
    n_put : int64 (n)
        Sticks put down in the round before.
    """

    tables: Mapping[str, pa.Table]
    chances: pa.Table
    place: np.ndarray
    facts: Facts
    river_rows: np.ndarray
    river_facts: Facts
    passed: tuple[np.ndarray, np.ndarray]
    claims: Claims
    played: np.ndarray
    n_put: np.ndarray

    @classmethod
    def of(cls, tables: Mapping[str, pa.Table], chances: pa.Table) -> Scan:
        hands = from_tables(chances, chances)
        claims = Claims.of(tables, chances)
        masks = chances["river_mask"].to_numpy() & chances["wait_mask"].to_numpy()
        asked = np.flatnonzero(~hands.is_tsumo & (masks != 0))
        nth, kind = np.nonzero(masks[asked, None] & BIT)
        river_rows = asked[nth]
        rows = round_rows(tables["actions"], tables["rounds"])
        return cls(
            tables,
            chances,
            np.arange(len(hands)),
            facts_of(hands),
            river_rows,
            facts_of(_won_by(chances, hands, river_rows, kind)),
            _passed_pairs(chances, claims),
            claims,
            np.unique(rows),
            _sticks_put(tables, rows, claims),
        )

    def where_differ(self, old: Rules, new: Rules) -> Scan:
        """The rounds alone in which the rules can differ in what is won.

        They differ in what a hand is worth that was not taken or whose tile others could claim too, or in who may.
        """
        (before, of_before), (after, of_after) = self._rulesets(old), self._rulesets(new)
        differs = np.zeros(len(self.place), bool)
        pair = of_before * len(after) + of_after
        for code in np.flatnonzero(np.bincount(pair)).tolist():
            i, j = divmod(code, len(after))
            one, other, rows = before[i], after[j], np.zeros(len(self.place), bool)
            rows[self.facts.hands_with(may_differ(self.facts.patterns, one, other))] = True
            river = self.river_facts.hands_with(may_differ(self.river_facts.patterns, one, other))
            rows[self.river_rows[river]] = True
            rows |= not set(_OF_CLAIMS).isdisjoint(differing_keys(one, other))
            differs |= rows & (pair == code)
        tile = self.claims.tile
        differs &= ~_bools(self.chances, "is_taken") | (np.bincount(tile)[tile] > 1)
        in_round = np.zeros(self.claims.n_rounds, bool)
        in_round[self.claims.row[differs]] = True
        return self._only(np.flatnonzero(in_round[self.claims.row]))

    def _only(self, rows: np.ndarray) -> Scan:
        """Some chances alone, those of whole rounds, by their rows, ascending."""
        new = np.full(len(self.place), -1)
        new[rows] = np.arange(len(rows))
        rivers, (later, earlier) = np.flatnonzero(new[self.river_rows] >= 0), self.passed
        is_kept = new[later] >= 0
        return replace(
            self,
            chances=self.chances.take(pa.array(rows)),
            place=self.place[rows],
            facts=self.facts.only(rows),
            river_rows=new[self.river_rows[rivers]],
            river_facts=self.river_facts.only(rivers),
            passed=(new[later[is_kept]], new[earlier[is_kept]]),
            claims=self.claims.only(rows),
            n_put=self.n_put[rows],
        )

    def _rulesets(self, rules: Rules) -> tuple[list[Ruleset], np.ndarray]:
        """The rulesets that occur, and the one of each chance."""
        rulesets, [of] = rulesets_of({**self.tables, "chances": self.chances}, rules, ("chances",))
        is_used = np.bincount(of, minlength=len(rulesets)) > 0
        return list(compress(rulesets, is_used)) or rulesets[:1], (np.cumsum(is_used) - 1)[of]

    def standings(self, rules: Rules) -> Standing:
        """What each chance is under the rules, whoever else claims the tile."""
        rulesets, of = self._rulesets(rules)
        scores = score(self.facts, rulesets)
        is_ron = ~self.facts.hands.is_tsumo
        of_concealed_kan = codes(self.chances["robbed"], ACTION_KINDS) == _ANKAN
        later, earlier = self.passed
        standing = np.zeros(len(of), np.int8)
        for index, (one, rules_, of_river) in enumerate(
            zip(scores, rulesets, score(self.river_facts, rulesets), strict=True)
        ):
            is_kept_out = of_concealed_kan & (not rules_["yaku.chankan.rob_closed_quad_for_kokushi"])
            is_complete = (one.status != NOT_WINNING) & ~is_kept_out
            furiten = np.zeros(len(of), bool)
            furiten[later[is_complete[earlier]]] = True
            furiten[self.river_rows[of_river.status != NOT_WINNING]] = True
            found = np.select(
                [one.status == NOT_WINNING, is_kept_out, is_ron & furiten, one.base == 0],
                [NO_SHAPE, NOT_ROBBED, FURITEN, NO_YAKU],
                WIN,
            )
            standing[of == index] = found[of == index]
        return Standing(rulesets, of, scores, standing)

    def wins(self, old: Rules, new: Rules) -> LatentWins:
        """As `latent_wins`; only rounds in which the rules can differ are looked at."""
        scan = self.where_differ(old, new)
        return scan._wins(old, new) if len(scan.place) else self._no_wins

    @cached_property
    def _no_wins(self) -> LatentWins:
        return self._only(np.zeros(0, np.int64))._wins(RECORDED, RECORDED)

    def _wins(self, old: Rules, new: Rules) -> LatentWins:
        before, after = self.standings(old), self.standings(new)
        claims, chances = self.claims, self.chances
        taken, claimed = _bools(chances, "is_taken"), _bools(chances, "is_taken") | _bools(chances, "is_aborted")
        # Under the old rules each chance stands or falls beside the claims that were made.
        was_win = before.standing == WIN
        was_set_aside = was_win & ~claims.stand(before, claimed & was_win, each=True)
        was = np.where(was_set_aside, SET_ASIDE, before.standing)

        is_win, is_there = after.standing == WIN, _bools(chances, "is_connected")
        latent = is_win & ~taken & (was != WIN)
        stands = claims.stand(after, is_win & claimed | latent)
        latent &= stands
        first = claims.first_of_hand(latent & is_there)
        n_disconnected = len(np.unique(claims.hand[latent])) - len(first)
        is_first = claims.first_of_round(first)
        # A hand that is furiten is one of a shape that is played; only its worth decides.
        was_worth = (before.column("base") > 0) & np.isin(before.standing, [WIN, FURITEN])
        prevented = (after.standing == FURITEN) & (after.column("base") > 0) & ~taken & ~was_worth & is_there
        prevented &= ~np.isin(claims.row, claims.row[first])
        prevented = np.flatnonzero(prevented)
        prevented = prevented[claims.first_of_round(prevented)]

        begins = np.full(claims.n_rounds, np.iinfo(np.int64).max)
        np.minimum.at(begins, claims.row[first], claims.seq[first])
        begins = begins[claims.row]
        is_void = taken & ((claims.seq > begins) | (claims.seq == begins) & ~stands)
        seats = chances.select(["game", "round_no", "winner"])
        return LatentWins(
            wins=self._table(first, is_first, was, after, stands),
            preempted=seats.filter(pa.array(is_void)),
            prevented=seats.take(pa.array(prevented)),
            n_rounds=len(self.played),
            n_rounds_with=int(is_first.sum()),
            n_disconnected=n_disconnected,
        )

    def _table(
        self, rows: np.ndarray, is_first: np.ndarray, was: np.ndarray, after: Standing, stands: np.ndarray
    ) -> pa.Table:
        """The columns of `LatentWins.wins`."""
        claims, n_tiles = self.claims, self.claims.tile.max(initial=-1) + 1
        here = self.chances.take(pa.array(rows))
        units, limit = after.column("units")[rows], after.column("limit")[rows]
        n_beside = np.bincount(claims.tile[_bools(self.chances, "is_taken")], minlength=n_tiles)
        is_blind = here["n_ura"].is_null().to_numpy() | after.column("is_lower_bound")[rows]
        pays, held = self._paid(here, rows, after, stands)
        is_robbed = np.isin(codes(here["robbed"], ACTION_KINDS), [_KAKAN, _ANKAN])
        by = np.select([_bools(here, "is_tsumo"), is_robbed], [1, 2], 0)
        return pa.table(
            {
                **{name: here[name] for name in ("game", "round_no", "winner", "seq")},
                "chance": self.place[rows],
                "loser": here["loser"],
                "by": pa.array(np.array(WAYS)[by], pa.string()),
                "before": pa.array(np.array(STANDINGS)[was[rows]], pa.string()),
                "han": after.column("han")[rows],
                "fu": after.column("fu")[rows],
                "limit": pa.array(list(map(limit_name, limit.tolist(), units.tolist())), pa.string()),
                "yakuman": units,
                "points": after.column("points")[rows],
                "yaku": pa.array(held, pa.list_(pa.string())),
                **{f"delta_{seat}": pays[:, seat] for seat in range(4)},
                "is_lower_bound": is_blind,
                "is_first": is_first,
                "beside": n_beside[claims.tile[rows]].astype(np.int8),
            }
        )

    def _paid(
        self, here: pa.Table, rows: np.ndarray, after: Standing, stands: np.ndarray
    ) -> tuple[np.ndarray, list[list[str]]]:
        """Change of points by seat, int64 (n, 4), and the yaku, of some chances; sticks to the first in turn order."""
        claims, rounds = self.claims, self.tables["rounds"]
        nearest = np.full(claims.tile.max(initial=-1) + 1, 4)
        np.minimum.at(nearest, claims.tile[stands], claims.steps[stands])
        is_first = claims.steps[rows] == nearest[claims.tile[rows]]
        row = claims.row[rows]
        sticks = np.where(is_first, numbers(rounds["sticks"])[row] + self.n_put[rows], 0)
        honba = numbers(rounds["honba"])[row]

        facts = facts_of(self.facts.hands[rows])
        pays, held = np.zeros((len(rows), 4), np.int64), [[] for _ in rows]
        for index in np.unique(after.of[rows]).tolist():
            rules, mine = after.rulesets[index], np.flatnonzero(after.of[rows] == index)
            [scores] = score(facts, [rules])
            shares = np.ones(len(rows), bool) if rules["payment.honba_of_double_ron"] == "each" else is_first
            at = Situation(
                winner=numbers(here["winner"]),
                loser=numbers(here["loser"], -1),
                dealer=numbers(rounds["dealer"])[row],
                players=numbers(here["players"]),
                honba=np.where(shares, honba, 0),
                sticks=sticks,
                feeder=np.stack([numbers(here[f"meld_{slot}_from"], -1) for slot in range(1, 5)], axis=1),
            )
            pays[mine] = win_payments(scores, at)[mine]
            for one in mine.tolist():
                held[one] = [scores.played.yaku[yaku] for yaku in np.flatnonzero(scores.holds[one])]
        return pays, held


def latent_wins(tables: Mapping[str, pa.Table], chances: pa.Table, old: Rules, new: Rules) -> LatentWins:
    """The wins under `new` that were none under `old`.

    Parameters
    ----------
    tables : mapping
        The tables games, rounds, actions, wins and draws of a part. Games to be left out, as those with the same play
        as others, are left out of all tables.
    chances : table
        Its chances.
    old, new
        Rulesets, ids, or `recorded`, with changes or without. To ask for several, make a `Scan` once.
    """
    return Scan.of(tables, chances).wins(old, new)


def latent_of_store(
    store: Store, old: Rules, new: Mapping[str, Rules], *, workers: int = 1, executor: Executor | None = None
) -> dict[str, LatentWins]:
    """The latent wins of a whole store under each of several rulesets, by the name they are given under.

    Chances are those the store holds, else found on the way. Games with the same play as others are left out.
    """
    total: dict[str, LatentWins] = {}
    for of_part in map_parts(store, partial(_of_part, old=old, new=dict(new)), workers=workers, executor=executor):
        total = {name: total[name] + found if name in total else found for name, found in of_part.items()}
    return total


def _of_part(part: Mapping[str, pa.Table], old: Rules, new: Mapping[str, Rules]) -> dict[str, LatentWins]:
    tables = with_chances(part)
    scan = Scan.of(tables, tables["chances"])
    return {name: scan.wins(old, rules) for name, rules in new.items()}


def with_chances(part: Mapping[str, pa.Table], kept: np.ndarray | None = None) -> dict[str, pa.Table]:
    """The tables of a part that play is read from, and its chances: those it holds, else found now.

    Games with the same play as others are left out, and those that are not `kept`, bool (n_games).
    """
    besides = ["chances"] if "chances" in part else ["walls"] if "walls" in part else []
    tables = {name: part[name] for name in ("games", "seats", "rounds", "actions", "wins", "draws", *besides)}
    counts = tables["games"]["duplicate_of"].is_null().to_numpy() & (True if kept is None else kept)
    if not counts.all():
        games = tables["games"]["game"].filter(pa.array(counts)).combine_chunks()
        tables = {name: table.filter(pc.is_in(table["game"], games)) for name, table in tables.items()}
    return tables if "chances" in tables else {**tables, "chances": chances_of(tables)}


@dataclass
class ChanceCounts:
    """What the chances of games are, under the rules they were played by.

    Attributes
    ----------
    games, rounds : int
        Those looked at: games whose play is there once, rounds with recorded play.
    duplicates, unplayed : int
        Games left out, their play being there already, and rounds left out, no play of them being recorded.
    taken : int
        Recorded wins.
    untaken : Counter of CLASSES
        Wins that the record does not have.
    others : Counter of STANDINGS
        Chances that were no wins.
    """

    games: int = 0
    rounds: int = 0
    duplicates: int = 0
    unplayed: int = 0
    chances: int = 0
    taken: int = 0
    untaken: Counter = field(default_factory=lambda: Counter(dict.fromkeys(CLASSES, 0)))
    others: Counter = field(default_factory=lambda: Counter(dict.fromkeys(STANDINGS[1:-1], 0)))

    def __iadd__(self, other: ChanceCounts) -> ChanceCounts:
        for name in ("games", "rounds", "duplicates", "unplayed", "chances", "taken"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.untaken.update(other.untaken)
        self.others.update(other.others)
        return self

    @property
    def passed_rate(self) -> float:
        """Wins passed up by choice, over all that a player could have had: these and the recorded ones."""
        could = self.taken + self.untaken["passed"]
        return self.untaken["passed"] / could if could else float("nan")

    def as_dict(self) -> dict:
        """Plain values."""
        rate = self.passed_rate
        counts = {**vars(self), "untaken": dict(self.untaken), "others": dict(self.others)}
        return {**counts, "passed_rate": None if rate != rate else rate}


def chance_counts(store: Store, *, workers: int = 1) -> ChanceCounts:
    """The chances of a store by what they are; games with the same play as others are left out."""
    total = ChanceCounts()
    for of_part in map_parts(store, _chance_counts, workers=workers):
        total += of_part
    return total


def _chance_counts(part: Mapping[str, pa.Table]) -> ChanceCounts:
    tables = with_chances(part)
    chances = tables["chances"]
    taken = _bools(chances, "is_taken")
    found, untaken = Scan.of(tables, chances), untaken_wins(tables, chances)
    others = found.standings(RECORDED).standing[~taken]
    return ChanceCounts(
        games=len(tables["games"]),
        rounds=len(found.played),
        duplicates=len(part["games"]) - len(tables["games"]),
        unplayed=len(tables["rounds"]) - len(found.played),
        chances=len(chances),
        taken=int(taken.sum()),
        untaken=Counter(untaken["class"].to_pylist()),
        others=Counter(STANDINGS[code] for code in others[others != WIN].tolist()),
    )


def carried_out(tables: Mapping[str, pa.Table], chances: pa.Table, found: LatentWins) -> dict[str, pa.Table]:
    """The tables as if the first latent win of each round, and all others on the same tile, had ended it.

    `chances` are those that `found` counts its rows in. What comes of the rounds is to be settled anew; the changes of
    points that `rounds` holds are still those on record.
    """
    rounds, wins = tables["rounds"], found.wins
    row, seq = round_rows(wins, rounds), numbers(wins["seq"])
    end = np.full(len(rounds), np.iinfo(np.int64).max)
    np.minimum.at(end, row, seq)
    won = chances.take(wins["chance"].filter(pa.array(seq == end[row])))
    is_over = end < np.iinfo(np.int64).max

    def seats(table: pa.Table) -> np.ndarray:
        return 4 * round_rows(table, rounds) + numbers(table["winner"])

    def with_won(name: str) -> pa.Table:
        kept = tables[name].filter(pa.array(~np.isin(seats(tables[name]), seats(found.preempted))))
        columns = [column for column in kept.column_names if column in won.column_names]
        return pa.concat_tables([kept, won.select(columns)], promote_options="default").unify_dictionaries()

    actions, draws = tables["actions"], tables["draws"]
    is_before = numbers(actions["seq"]) <= end[round_rows(actions, rounds)]
    return {
        **tables,
        "actions": actions.filter(pa.array(is_before)),
        "draws": draws.filter(pa.array(~is_over[round_rows(draws, rounds)])),
        "wins": with_won("wins"),
        "circumstances": with_won("circumstances"),
    }


def standings(tables: Mapping[str, pa.Table], chances: pa.Table, rules: Rules) -> Standing:
    """What each chance is under the rules, whoever else claims the tile."""
    return Scan.of(tables, chances).standings(rules)


def untaken_wins(tables: Mapping[str, pa.Table], chances: pa.Table, rules: Rules = RECORDED) -> pa.Table:
    """The wins under the rules that the record does not have: row `chance` in the table of chances, and its `class`."""
    found = standings(tables, chances, rules)
    rows = np.flatnonzero((found.standing == WIN) & ~_bools(chances, "is_taken"))
    is_aborted, is_gone = _bools(chances, "is_aborted"), ~_bools(chances, "is_connected")
    has_other = numbers(chances["rons_mask"]) > 0
    at = np.select([is_aborted, is_gone, has_other], [ABORTED, DISCONNECTED, OTHER_RON], PASSED)[rows]
    return pa.table({"chance": rows, "class": pa.array(np.array(CLASSES)[at], pa.string())})


def _bools(table: pa.Table, name: str) -> np.ndarray:
    return table[name].to_numpy().astype(bool, copy=False)


# ----------------------------------------------------------------------------------------------------- furiten


def _passed_pairs(chances: pa.Table, claims: Claims) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of chances of a hand: one by ron, and an earlier one passed up that still weighs on it, if it was one."""
    later, earlier = earlier_rows(claims.hand, claims.seq)
    is_ron, n_draws = ~_bools(chances, "is_tsumo"), numbers(chances["n_own_draws"])
    weighs = (n_draws[later] == n_draws[earlier]) | _bools(chances, "is_riichi")[earlier]
    weighs &= is_ron[later] & is_ron[earlier]
    return later[weighs], earlier[weighs]


def _won_by(chances: pa.Table, hands: Hands, rows: np.ndarray, kind: np.ndarray) -> Hands:
    """The hands of some rows, won with a tile of another kind by ron."""
    concealed = chances["concealed"].combine_chunks().take(pa.array(rows))
    starts = concealed.offsets.to_numpy()[:-1]
    values = concealed.values.to_numpy().copy()
    owner = np.repeat(np.arange(len(rows)), concealed.value_lengths().to_numpy())
    is_won = np.flatnonzero(values == chances["win_tile"].to_numpy()[rows][owner])
    values[is_won[np.searchsorted(is_won, starts)]] = kind  # the first of each hand
    suits, honours, kinds, _ = tile_sums(pa.ListArray.from_arrays(concealed.offsets, pa.array(values)))
    is_tsumo = np.zeros(len(rows), bool)
    return replace(
        hands[rows], suits=suits, honours=honours, concealed=kinds, win_kind=kind.astype(np.uint8), is_tsumo=is_tsumo
    )


# ------------------------------------------------------------------------------------------ claims on one tile


@dataclass(frozen=True)
class Claims:
    """Where the chances stand in their rounds, and which of them are by ron on the same tile."""

    row: np.ndarray
    hand: np.ndarray
    seq: np.ndarray
    tile: np.ndarray  # one number per tile offered; a self-draw has its own
    steps: np.ndarray  # of the seat in turn order after who offered it
    n_rounds: int

    @classmethod
    def of(cls, tables: Mapping[str, pa.Table], chances: pa.Table) -> Claims:
        row, seq = round_rows(chances, tables["rounds"]), numbers(chances["seq"])
        winner, loser = numbers(chances["winner"]), numbers(chances["loser"], -1)
        tile = np.unique(row << 16 | seq, return_inverse=True)[1]
        steps = (winner - loser) % numbers(chances["players"])
        return cls(row, 4 * row + winner, seq, tile, steps, tables["rounds"].num_rows)

    def only(self, rows: np.ndarray) -> Claims:
        """Some chances alone, by their rows."""
        return Claims(*(one[rows] for one in (self.row, self.hand, self.seq, self.tile, self.steps)), self.n_rounds)

    def stand(self, under: Standing, claimants: np.ndarray, *, each: bool = False) -> np.ndarray:
        """Which claims the rules let stand; `each` asks it of every chance, as if it had claimed beside them."""
        n_tiles = self.tile.max(initial=-1) + 1
        n_claims = np.bincount(self.tile[claimants], minlength=n_tiles)[self.tile]
        nearest = np.full(n_tiles, 4)
        np.minimum.at(nearest, self.tile[claimants], self.steps[claimants])
        is_first = self.steps <= nearest[self.tile]
        n_with = n_claims + (~claimants if each else 0)
        is_bumped = (under.key("payment.multiple_ron") == "head_bump") & ~is_first
        is_aborted = (under.key("round.triple_ron") == "abort") & (n_with >= 3)
        is_aborted &= under.key("payment.multiple_ron") != "head_bump"
        return (claimants | each) & ~is_bumped & ~is_aborted

    def first_of_hand(self, chosen: np.ndarray) -> np.ndarray:
        """The rows of the first chosen chance of each round and seat, in the order of the table."""
        return _first(self.hand, self.seq, np.flatnonzero(chosen))

    def first_of_round(self, rows: np.ndarray) -> np.ndarray:
        """Of some rows, which are the first of their round; on the same tile the first in turn order."""
        found = np.zeros(len(rows), bool)
        found[np.isin(rows, _first(self.row, self.seq * 4 + self.steps, rows))] = True
        return found


def _first(group: np.ndarray, rank: np.ndarray, rows: np.ndarray) -> np.ndarray:
    order = rows[np.lexsort((rank[rows], group[rows]))]
    return np.sort(order[np.diff(group[order], prepend=-1) != 0])


def _sticks_put(tables: Mapping[str, pa.Table], row: np.ndarray, claims: Claims) -> np.ndarray:
    """Sticks put down in the round before each chance; `row` is that of each action."""
    actions = tables["actions"]
    is_put = codes(actions["kind"], ACTION_KINDS) == _ACCEPTED
    key = np.sort(row[is_put] << 16 | numbers(actions["seq"])[is_put])
    return np.searchsorted(key, claims.row << 16 | claims.seq) - np.searchsorted(key, claims.row << 16)
