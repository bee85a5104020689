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

from collections.abc import Mapping
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from functools import partial

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

_TABLES = ("games", "rounds", "actions", "wins", "draws")
_ANKAN, _ACCEPTED = ACTION_KINDS.index("ankan"), ACTION_KINDS.index("riichi_accepted")


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
        chances; `loser`, null on a self-draw; `before`, what it was under the old rules, of STANDINGS; `han`, `fu`,
        `limit`, `yakuman`, `points`, `yaku` under the new ones; `delta_0` … `delta_3`, honba and the sticks on the
        table included; `is_lower_bound`, of the points, where ura or a yaku are not known; `is_first`, whether it is
        the first of its round, which a rate counts; `beside`, how many recorded winners have the same tile.
    preempted : table
        The recorded wins, `game`, `round_no`, `winner`, that would not have come about.
    n_rounds : int
        Rounds with recorded play, of which `n_rounds_with` hold a latent win.
    n_disconnected : int
        Rounds and seats whose only latent wins fell to a seat that was not connected; they are no part of `wins`.
    """

    wins: pa.Table
    preempted: pa.Table
    n_rounds: int
    n_rounds_with: int
    n_disconnected: int

    def __add__(self, other: LatentWins) -> LatentWins:
        """Of two parts together; `chance` still counts within each."""
        return LatentWins(
            pa.concat_tables([self.wins, other.wins]),
            pa.concat_tables([self.preempted, other.preempted]),
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
        What it was made of.
    facts : Facts
        Of all chances.
    river_rows : int64 (m)
        For each kind in the own river that completes a hand in some form, the chance, by ron; `river_facts` are those
        of the hand with this kind.
    passed : pair of int64 (k)
        Chances by ron, and earlier ones of the same hand that still weigh on them where they were complete.
    claims : Claims
        Where the chances stand in their rounds.
    n_rounds : int
        Rounds with recorded play.
    n_put : int64 (n)
        Sticks put down in the round before.
    """

    tables: Mapping[str, pa.Table]
    chances: pa.Table
    facts: Facts
    river_rows: np.ndarray
    river_facts: Facts
    passed: tuple[np.ndarray, np.ndarray]
    claims: Claims
    n_rounds: int
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
            facts_of(hands),
            river_rows,
            facts_of(_won_by(chances, hands, river_rows, kind)),
            _passed_pairs(chances, claims),
            claims,
            len(np.unique(rows)),
            _sticks_put(tables, rows, claims),
        )

    def standings(self, rules: Rules) -> Standing:
        """What each chance is under the rules, whoever else claims the tile."""
        rulesets, [of] = rulesets_of({**self.tables, "chances": self.chances}, rules, ("chances",))
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

    def wins(self, old: Rules | Standing, new: Rules | Standing) -> LatentWins:
        """As `latent_wins`; what was asked before can be given as its `Standing`."""
        before, after = (rules if isinstance(rules, Standing) else self.standings(rules) for rules in (old, new))
        claims, chances = self.claims, self.chances
        taken, claimed = _bools(chances, "is_taken"), _bools(chances, "is_taken") | _bools(chances, "is_aborted")
        # Under the old rules each chance stands or falls beside the claims that were made.
        was_win = before.standing == WIN
        was_set_aside = was_win & ~claims.stand(before, claimed & was_win, each=True)
        was = np.where(was_set_aside, SET_ASIDE, before.standing)

        is_win = after.standing == WIN
        latent = is_win & ~taken & (was != WIN)
        stands = claims.stand(after, is_win & claimed | latent)
        latent &= stands
        first = claims.first_of_hand(latent & _bools(chances, "is_connected"))
        n_disconnected = len(np.unique(claims.hand[latent])) - len(first)
        is_first = claims.first_of_round(first)

        begins = np.full(claims.n_rounds, np.iinfo(np.int64).max)
        np.minimum.at(begins, claims.row[first], claims.seq[first])
        begins = begins[claims.row]
        is_void = taken & ((claims.seq > begins) | (claims.seq == begins) & ~stands)
        return LatentWins(
            wins=self._table(first, is_first, was, after, stands),
            preempted=chances.select(["game", "round_no", "winner"]).filter(pa.array(is_void)),
            n_rounds=self.n_rounds,
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
        return pa.table(
            {
                **{name: here[name] for name in ("game", "round_no", "winner", "seq")},
                "chance": rows,
                "loser": here["loser"],
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
        for index, (rules, scores) in enumerate(zip(after.rulesets, score(facts, after.rulesets), strict=True)):
            mine = np.flatnonzero(after.of[rows] == index)
            if not len(mine):
                continue
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
    tables = {name: part[name] for name in (*_TABLES, *(name for name in ("walls", "chances") if name in part))}
    again = tables["games"]["game"].filter(tables["games"]["duplicate_of"].is_valid())
    if len(again):
        tables = {name: table.filter(pc.invert(pc.is_in(table["game"], again))) for name, table in tables.items()}
    scan = Scan.of(tables, tables["chances"] if "chances" in tables else chances_of(tables))
    before = scan.standings(old)
    return {name: scan.wins(before, rules) for name, rules in new.items()}


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
