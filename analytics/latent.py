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
from dataclasses import dataclass, replace

import numpy as np
import pyarrow as pa

from parsers.schema import ACTION_KINDS, codes

from .chances import earlier_rows
from .rescoring import Rules, rulesets_of
from .rounds import numbers, round_rows
from .scoring.hands import Hands, from_tables, tile_sums
from .scoring.limits import limit_name
from .scoring.ruleset import Ruleset
from .scoring.score import NOT_WINNING, Scores, facts_of, score
from .scoring.tiles import BIT
from .settle import Situation, win_payments

WIN, NO_YAKU, NO_SHAPE, FURITEN, NOT_ROBBED, SET_ASIDE = range(6)
STANDINGS = ("win", "no_yaku", "no_shape", "furiten", "not_robbed", "set_aside")
"""What a chance is under a ruleset: a win, or why it is none."""
PASSED, DISCONNECTED, ABORTED, OTHER_RON = range(4)
CLASSES = ("passed", "disconnected", "aborted", "other_ron")
"""Why a win was not taken: passed up by choice, the seat was not there, three claimed the tile, another won on it."""

_ANKAN = ACTION_KINDS.index("ankan")


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


def latent_wins(tables: Mapping[str, pa.Table], chances: pa.Table, old: Rules, new: Rules) -> LatentWins:
    """The wins under `new` that were none under `old`.

    Parameters
    ----------
    tables : mapping
        The tables games, rounds, actions, wins and draws of a part.
    chances : table
        Its chances.
    old, new
        Rulesets, ids, or `recorded`, with changes or without.
    """
    hands = from_tables(chances, chances)
    before, after = (standings(tables, chances, rules, hands=hands) for rules in (old, new))
    claims = _Claims.of(tables, chances)
    taken, aborted = _bools(chances, "is_taken"), _bools(chances, "is_aborted")
    claimed = taken | aborted
    # Under the old rules each stands or falls beside the claims that were made.
    was_win = before.standing == WIN
    was_set_aside = was_win & ~claims.stand(before, claimed & was_win, each=True)
    was = np.where(was_set_aside, SET_ASIDE, before.standing)

    is_win = after.standing == WIN
    latent = is_win & ~taken & (was != WIN)
    claimants = is_win & claimed | latent
    stands = claims.stand(after, claimants)
    latent &= stands
    is_there = _bools(chances, "is_connected")
    first = claims.first_of_hand(latent & is_there)
    gone = claims.first_of_hand(latent)
    n_disconnected = len(np.setdiff1d(claims.hand[gone], claims.hand[first]))
    begins = np.full(claims.n_rounds, np.iinfo(np.int64).max)
    np.minimum.at(begins, claims.row[first], claims.seq[first])
    is_first = claims.first_of_round(first)

    later = taken & (claims.seq > begins[claims.row])
    beside = taken & (claims.seq == begins[claims.row]) & ~stands
    preempted = chances.select(["game", "round_no", "winner"]).filter(pa.array(later | beside))
    wins = _table(tables, chances, claims, first, is_first, was, after, claimants & stands)
    n_rounds = len(np.unique(round_rows(tables["actions"], tables["rounds"])))
    return LatentWins(wins, preempted, n_rounds, int(is_first.sum()), n_disconnected)


def standings(
    tables: Mapping[str, pa.Table], chances: pa.Table, rules: Rules, *, hands: Hands | None = None
) -> Standing:
    """What each chance is under the rules, whoever else claims the tile."""
    hands = from_tables(chances, chances) if hands is None else hands
    rulesets, [of] = rulesets_of({**tables, "chances": chances}, rules, ("chances",))
    scores = score(facts_of(hands), rulesets)
    is_ron = ~hands.is_tsumo
    of_concealed_kan = codes(chances["robbed"], ACTION_KINDS) == _ANKAN
    later, earlier = _passed_pairs(tables, chances)
    standing = np.zeros(len(of), np.int8)
    for index, (one, rules_) in enumerate(zip(scores, rulesets, strict=True)):
        rows = of == index
        is_kept_out = of_concealed_kan & (not rules_["yaku.chankan.rob_closed_quad_for_kokushi"])
        is_complete = (one.status != NOT_WINNING) & ~is_kept_out
        furiten = _river_furiten(chances, hands, rows & is_ron & is_complete, rules_)
        furiten[later[is_complete[earlier]]] = True
        found = np.select(
            [one.status == NOT_WINNING, is_kept_out, is_ron & furiten, one.base == 0],
            [NO_SHAPE, NOT_ROBBED, FURITEN, NO_YAKU],
            WIN,
        )
        standing[rows] = found[rows]
    return Standing(rulesets, of, scores, standing)


def untaken_wins(tables: Mapping[str, pa.Table], chances: pa.Table, rules: Rules = "recorded") -> pa.Table:
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


def _passed_pairs(tables: Mapping[str, pa.Table], chances: pa.Table) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of chances of a hand: one by ron, and an earlier one passed up that still weighs on it, if it was one."""
    later, earlier = earlier_rows(4 * round_rows(chances, tables["rounds"]) + numbers(chances["winner"]))
    is_ron, n_draws = ~_bools(chances, "is_tsumo"), numbers(chances["n_own_draws"])
    weighs = (n_draws[later] == n_draws[earlier]) | _bools(chances, "is_riichi")[earlier]
    weighs &= is_ron[later] & is_ron[earlier] & (numbers(chances["seq"])[earlier] < numbers(chances["seq"])[later])
    return later[weighs], earlier[weighs]


def _river_furiten(chances: pa.Table, hands: Hands, asked: np.ndarray, rules: Ruleset) -> np.ndarray:
    """Whether a kind of the own river completes the hand in a shape the ruleset plays."""
    furiten = np.zeros(len(hands), bool)
    masks = chances["river_mask"].to_numpy() & chances["wait_mask"].to_numpy()
    rows = np.flatnonzero(asked & (masks != 0))
    if len(rows):
        nth, kind = np.nonzero(masks[rows, None] & BIT)
        [scores] = score(facts_of(_won_by(chances, hands, rows[nth], kind)), [rules])
        furiten[rows[nth[scores.status != NOT_WINNING]]] = True
    return furiten


def _won_by(chances: pa.Table, hands: Hands, rows: np.ndarray, kind: np.ndarray) -> Hands:
    """The hands of some rows, won with a tile of another kind by ron."""
    concealed = chances["concealed"].combine_chunks().take(pa.array(rows))
    starts = concealed.offsets.to_numpy()[:-1]
    values = concealed.values.to_numpy().copy()
    owner = np.repeat(np.arange(len(rows)), concealed.value_lengths().to_numpy())
    is_won = np.flatnonzero(values == chances["win_tile"].to_numpy()[rows][owner])
    place = is_won[np.searchsorted(is_won, starts)]  # the first of each hand
    values[place] = kind
    suits, honours, kinds = tile_sums(pa.ListArray.from_arrays(concealed.offsets, pa.array(values)))
    is_tsumo = np.zeros(len(rows), bool)
    return replace(
        hands[rows], suits=suits, honours=honours, concealed=kinds, win_kind=kind.astype(np.uint8), is_tsumo=is_tsumo
    )


# ------------------------------------------------------------------------------------------ claims on one tile


@dataclass(frozen=True)
class _Claims:
    """Where the chances stand in their rounds, and which of them are by ron on the same tile."""

    row: np.ndarray
    hand: np.ndarray
    seq: np.ndarray
    tile: np.ndarray  # one number per tile offered; a self-draw has its own
    steps: np.ndarray  # of the seat in turn order after who offered it
    n_rounds: int

    @classmethod
    def of(cls, tables: Mapping[str, pa.Table], chances: pa.Table) -> _Claims:
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


def _table(
    tables: Mapping[str, pa.Table],
    chances: pa.Table,
    claims: _Claims,
    rows: np.ndarray,
    is_first: np.ndarray,
    was: np.ndarray,
    after: Standing,
    stands: np.ndarray,
) -> pa.Table:
    """The columns of `LatentWins.wins`."""
    here = chances.select(["game", "round_no", "winner", "seq", "loser"]).take(pa.array(rows))
    units, limit = after.column("units")[rows], after.column("limit")[rows]
    n_beside = np.bincount(claims.tile[_bools(chances, "is_taken")], minlength=claims.tile.max(initial=-1) + 1)
    is_blind = chances["n_ura"].is_null().to_numpy() | after.column("is_lower_bound")
    pays = _pays(tables, chances, claims, after, stands)[rows]
    held = [
        [after.scores[of].played.yaku[at] for at in np.flatnonzero(after.scores[of].holds[row])]
        for row, of in zip(rows.tolist(), after.of[rows].tolist(), strict=True)
    ]
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
            "is_lower_bound": is_blind[rows],
            "is_first": is_first,
            "beside": n_beside[claims.tile[rows]].astype(np.int8),
        }
    )


def _pays(
    tables: Mapping[str, pa.Table], chances: pa.Table, claims: _Claims, after: Standing, stands: np.ndarray
) -> np.ndarray:
    """Change of points by seat of each chance that stands, int64 (n, 4); sticks to the first in turn order."""
    rounds, actions = tables["rounds"], tables["actions"]
    nearest = np.full(claims.tile.max(initial=-1) + 1, 4)
    np.minimum.at(nearest, claims.tile[stands], claims.steps[stands])
    is_first = claims.steps == nearest[claims.tile]

    accepted = np.flatnonzero(codes(actions["kind"], ACTION_KINDS) == ACTION_KINDS.index("riichi_accepted"))
    put = actions.select(["game", "round_no", "seq"]).take(pa.array(accepted))
    key = np.sort(round_rows(put, rounds) << 16 | numbers(put["seq"]))
    n_put = np.searchsorted(key, claims.row << 16 | claims.seq) - np.searchsorted(key, claims.row << 16)
    sticks = np.where(is_first, numbers(rounds["sticks"])[claims.row] + n_put, 0)
    honba = numbers(rounds["honba"])[claims.row]

    pays = np.zeros((len(claims.row), 4), np.int64)
    for index, (rules, scores) in enumerate(zip(after.rulesets, after.scores, strict=True)):
        shares = np.ones(len(honba), bool) if rules["payment.honba_of_double_ron"] == "each" else is_first
        at = Situation(
            winner=numbers(chances["winner"]),
            loser=numbers(chances["loser"], -1),
            dealer=numbers(rounds["dealer"])[claims.row],
            players=numbers(chances["players"]),
            honba=np.where(shares, honba, 0),
            sticks=sticks,
            feeder=np.stack([numbers(chances[f"meld_{slot}_from"], -1) for slot in range(1, 5)], axis=1),
        )
        rows = after.of == index
        pays[rows] = win_payments(scores, at)[rows]
    return pays
