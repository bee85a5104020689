"""Settle: who pays whom in a round under a ruleset.

A win's base points become payments by seat, with honba, sticks and liability; a draw's payments follow from who was
tenpai and who had nagashi mangan. Everything is columns: one row a win or a draw, four seats wide; an absent seat
gets 0.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from parsers.schema import DRAW_KINDS, codes

from .maneman import Turns, floor_of, imitations
from .rounds import by_seat, game_rows, numbers, play_order, rivers, round_rows
from .scoring.hands import ANKAN, DAIMINKAN, Hands
from .scoring.limits import MAX_HAN, base_table, self_draw_shares, up_to_hundred
from .scoring.ruleset import Ruleset
from .scoring.score import Scores
from .scoring.values import YAKUMAN_BASE, Worth

if TYPE_CHECKING:
    from .rescoring import Rescored

STICK = 1000


@dataclass(frozen=True)
class Situation:
    """Where the wins stand in their rounds; columns of equal length.

    `loser` is -1 on a self-draw. `honba` and `sticks` are what this win collects. `feeder` (n, 4) is the seat that
    fed each meld, -1 for none. `is_added_last` is whether the winner's last kan was an added one, whenever its triplet
    was called; None where the order of kans is that of the melds.
    """

    winner: np.ndarray
    loser: np.ndarray
    dealer: np.ndarray
    players: np.ndarray
    honba: np.ndarray
    sticks: np.ndarray
    feeder: np.ndarray
    is_added_last: np.ndarray | None = None

    def only(self, row: int) -> Situation:
        """One win alone."""
        columns = {name: getattr(self, name) for name in self.__dataclass_fields__}
        return Situation(**{name: column[row : row + 1] for name, column in columns.items() if column is not None})


def liable_seats(
    hands: Hands, feeder: np.ndarray, yaku: str, holds: np.ndarray, is_added_last: np.ndarray | None = None
) -> np.ndarray:
    """Seat that fed the set which decided a yakuman, -1 where nobody is liable.

    Daisangen and daisuushii: all their sets are melds, the last of them was called. Yakuman of four sets: all are
    melds, the fourth was called. A concealed kan makes nobody liable, an added kan leaves the liability with who fed
    the triplet; suukantsu needs a fourth kan that was called as one, for no discard completes an added one.
    """
    kinds = {"daisangen": (31, 34), "daisuushii": (27, 31)}.get(yaku)
    if kinds:
        concerned = (hands.meld_kind > 0) & (hands.meld_tile >= kinds[0]) & (hands.meld_tile < kinds[1])
        needed = kinds[1] - kinds[0]
    else:
        concerned = hands.meld_kind >= 0
        needed = 4
    decided = holds & (concerned.sum(axis=1) == needed)
    last = 3 - np.argmax(concerned[:, ::-1], axis=1)
    row = np.arange(len(hands))
    kind = hands.meld_kind[row, last]
    decided &= kind == DAIMINKAN if yaku == "suukantsu" else kind != ANKAN
    if yaku == "suukantsu" and is_added_last is not None:
        decided &= ~is_added_last
    return np.where(decided, feeder[row, last], -1)


def win_payments(scores: Scores, at: Situation) -> np.ndarray:
    """Change of points by seat for each win, int64 (n, 4); zero rows where nothing is paid."""
    rules, hands = scores.rules, scores.facts.hands
    base = scores.base.astype(np.int64)
    units = scores.units.astype(np.int64)
    pays = np.zeros((len(hands), 4), np.int64)
    is_win = base > 0
    first_liable = np.full(len(hands), -1)
    left = units.copy()
    shares: list[tuple[np.ndarray, np.ndarray]] = []
    for yaku in rules["payment.liable"]:
        if yaku not in scores.played.yaku:
            continue
        holds = scores.holds[:, scores.played.yaku.index(yaku)] & (units > 0)
        if not holds.any():
            continue
        seat = liable_seats(hands, at.feeder, yaku, holds, at.is_added_last)
        worth = rules.yaku_value(yaku).open.units
        owed = np.where(seat >= 0, np.minimum(worth, left), 0)
        left -= owed
        shares.append((seat, owed))
        first_liable = np.where((first_liable < 0) & (seat >= 0), seat, first_liable)
    is_liable = first_liable >= 0
    if rules["payment.liable_for"] == "hand":
        shares.append((first_liable, np.where(is_liable, left, 0)))
        left = np.where(is_liable, 0, left)
    ordinary = np.where(is_liable, left * YAKUMAN_BASE, base)

    _pay_ordinary(pays, ordinary, at, rules)
    for seat, owed in shares:
        _pay_liable(pays, owed * YAKUMAN_BASE, seat, at, rules)
    # Who is liable for all of a hand answers for its honba too; beside an ordinary part the usual payers do.
    _pay_honba(pays, np.where(is_liable & (ordinary == 0), first_liable, -1), at, rules, is_win)
    pays[np.arange(len(hands)), at.winner] += np.where(is_win, at.sticks * STICK, 0)
    return pays


def _is_payer(at: Situation, seat: int) -> np.ndarray:
    """Whether a seat pays its own share: everybody else on a self-draw, the discarder on a ron."""
    there = (seat != at.winner) & (seat < at.players)
    return np.where(at.loser >= 0, seat == at.loser, there)


def _pay(pays: np.ndarray, seat: np.ndarray, winner: np.ndarray, points: np.ndarray) -> None:
    row = np.arange(len(pays))
    pays[row, seat] -= points
    pays[row, winner] += points


def _pay_ordinary(pays: np.ndarray, base: np.ndarray, at: Situation, rules: Ruleset) -> None:
    is_dealer = at.winner == at.dealer
    from_dealer, from_other = self_draw_shares(base, is_dealer, at.players, bool(rules["payment.tsumo_loss"]))
    by_ron = up_to_hundred(base * np.where(is_dealer, 6, 4))
    for seat in range(4):
        self_draw = np.where(seat == at.dealer, from_dealer, from_other)
        points = np.where(at.loser >= 0, by_ron, self_draw) * _is_payer(at, seat)
        _pay(pays, np.full(len(pays), seat), at.winner, points)


def _whole(base: np.ndarray, at: Situation, rules: Ruleset) -> np.ndarray:
    """What a win of this base brings in all."""
    is_dealer = at.winner == at.dealer
    from_dealer, from_other = self_draw_shares(base, is_dealer, at.players, bool(rules["payment.tsumo_loss"]))
    by_draw = np.where(is_dealer, from_other * (at.players - 1), from_dealer + from_other * (at.players - 2))
    return np.where(at.loser >= 0, up_to_hundred(base * np.where(is_dealer, 6, 4)), by_draw)


def _pay_liable(pays: np.ndarray, base: np.ndarray, seat: np.ndarray, at: Situation, rules: Ruleset) -> None:
    """A liable seat pays all of a self-draw, and half of a ron beside the discarder."""
    whole = _whole(base, at, rules)
    half = np.where(at.loser >= 0, whole // 2, 0)
    _pay(pays, np.maximum(seat, 0), at.winner, np.where(seat >= 0, whole - half, 0))
    _pay(pays, np.maximum(at.loser, 0), at.winner, np.where(seat >= 0, half, 0))


def _pay_honba(
    pays: np.ndarray, liable: np.ndarray, at: Situation, rules: Ruleset, is_win: np.ndarray
) -> None:
    each = at.honba * rules["payment.honba"] * is_win
    whole = each * (at.players - 1)
    by_liable = (liable >= 0) & ((at.loser < 0) | (rules["payment.liable_honba_on_ron"] == "liable"))
    _pay(pays, np.maximum(liable, 0), at.winner, np.where(by_liable, whole, 0))
    for seat in range(4):
        points = np.where(at.loser >= 0, whole, each) * _is_payer(at, seat)
        _pay(pays, np.full(len(pays), seat), at.winner, np.where(by_liable, 0, points))


def first_in_turn(round_row: np.ndarray, at: Situation, counts: np.ndarray) -> np.ndarray:
    """Of the wins of each round that count, the one whose turn comes first after the discarder."""
    steps = (at.winner - at.loser) % at.players
    nearest = np.full(round_row.max(initial=-1) + 1, 4)
    np.minimum.at(nearest, round_row[counts], steps[counts])
    return counts & (steps == nearest[round_row])


def stands(is_paid: np.ndarray, is_first: np.ndarray, rules: Ruleset) -> np.ndarray:
    """The wins that stand: with head bump, only the first of each round in turn order."""
    return is_first if rules["payment.multiple_ron"] == "head_bump" else is_paid


def pots(tables: Mapping[str, pa.Table], put: np.ndarray, is_taken: np.ndarray) -> np.ndarray:
    """Riichi sticks on the table as each round ends, before anybody takes them, int64 (n_rounds).

    A game starts with the sticks of its first recorded round; `put` are put down in each, and none are left after
    those where `is_taken`.
    """
    rounds = tables["rounds"]
    order, starts = play_order(rounds, tables["games"])
    put = put[order]
    put[starts] += numbers(rounds["sticks"])[order][starts]
    total = np.cumsum(put)
    gone = np.where(is_taken[order], total, 0)  # sticks of this and all earlier rounds that are off the table after it
    before = np.maximum.accumulate(np.append(0, gone)[:-1])
    before = np.maximum(before, np.maximum.accumulate(np.where(starts, total - put, 0)))
    pot = np.empty_like(total)
    pot[order] = total - before
    return pot


def noten_payments(is_tenpai: np.ndarray, players: np.ndarray, rules: Ruleset) -> np.ndarray:
    """Payments between tenpai and noten at an exhaustive draw, int64 (n, 4).

    The larger side splits the amount evenly, down to whole points; the smaller side makes up what comes of it.
    """
    there = np.arange(4) < players[:, None]
    tenpai = is_tenpai & there
    n_tenpai = tenpai.sum(axis=1, keepdims=True)
    n_noten = players[:, None] - n_tenpai
    larger, smaller = np.maximum(n_tenpai, n_noten), np.minimum(n_tenpai, n_noten)
    share = np.where(smaller > 0, rules["payment.noten"] // larger, 0)
    other = share * larger // np.maximum(smaller, 1)
    received, paid = np.where(n_tenpai >= n_noten, (share, other), (other, share))
    return np.where(tenpai, received, np.where(there, -paid, 0)).astype(np.int64)


@dataclass(frozen=True)
class Draws:
    """Rounds without a win, in the order of the table `draws`; seats are four wide.

    `row` is the row in `rounds`. An abortive draw is not `drawn_out`.
    """

    row: np.ndarray
    dealer: np.ndarray
    players: np.ndarray
    honba: np.ndarray
    is_drawn_out: np.ndarray
    is_tenpai: np.ndarray
    is_yaochuu: np.ndarray
    was_called: np.ndarray
    is_open: np.ndarray


def draws_of(tables: Mapping[str, pa.Table]) -> Draws:
    """The draws of a part, as recorded."""
    draws, rounds, games = tables["draws"], tables["rounds"], tables["games"]
    row = round_rows(draws, rounds)
    kind = codes(draws["kind"], DRAW_KINDS)
    seen = rivers({"rounds": rounds, "actions": _actions_of(row, tables)})
    return Draws(
        row=row,
        dealer=numbers(rounds["dealer"])[row],
        players=numbers(games["players"])[game_rows(draws, games)],
        honba=numbers(rounds["honba"])[row],
        is_drawn_out=np.isin(kind, [DRAW_KINDS.index("exhaustive"), DRAW_KINDS.index("nagashi_mangan")]),
        is_tenpai=by_seat(draws, "is_tenpai", False),
        is_yaochuu=seen.is_yaochuu[row],
        was_called=seen.was_called[row],
        is_open=seen.is_open[row],
    )


def _actions_of(row: np.ndarray, tables: Mapping[str, pa.Table]) -> pa.Table:
    """The actions of some rows of `rounds`: each run of actions is looked up once."""
    actions, rounds = tables["actions"], tables["rounds"]
    game, round_no = actions["game"].to_numpy(), actions["round_no"].to_numpy()
    is_new = np.ones(len(game), bool)
    is_new[1:] = (game[1:] != game[:-1]) | (round_no[1:] != round_no[:-1])
    begins = np.flatnonzero(is_new)
    is_wanted = np.zeros(rounds.num_rows, bool)
    is_wanted[row] = True
    of_run = is_wanted[round_rows(actions.select(["game", "round_no"]).take(pa.array(begins)), rounds)]
    return actions.filter(pa.array(np.repeat(of_run, np.diff(begins, append=len(game)))))


def nagashi_seats(draws: Draws, rules: Ruleset) -> np.ndarray:
    """Seats that are paid nagashi mangan under a ruleset, bool (n, 4)."""
    value = rules.yaku_value("nagashi_mangan")
    has = draws.is_yaochuu & draws.is_drawn_out[:, None]
    if rules["yaku.nagashi_mangan.called_discard_breaks"]:
        has = has & ~draws.was_called
    if rules["yaku.nagashi_mangan.own_hand_closed"]:
        has = has & ~draws.is_open
    return has & np.where(draws.is_open, value.open.is_on, value.closed.is_on)


def base_without_hand(worth: Worth, rules: Ruleset) -> int:
    """Base points of what is paid without a win: its limit, its yakuman, or its han at 30 fu."""
    return worth.floor or worth.units * YAKUMAN_BASE or int(base_table(rules)[0][min(max(worth.han, 0), MAX_HAN), 30])


def draw_payments(draws: Draws, rules: Ruleset, pot: np.ndarray | int = 0) -> np.ndarray:
    """Change of points by seat at each draw, int64 (n, 4); `pot` is the sticks on the table.

    Nagashi mangan is paid as a self-draw, to each seat that has it. Where it takes the pot, honba and sticks go to
    the first of them in turn order from the dealer.
    """
    has = nagashi_seats(draws, rules)
    pays = noten_payments(draws.is_tenpai, draws.players, rules) * draws.is_drawn_out[:, None]
    if not rules["yaku.nagashi_mangan.noten_payments"]:
        pays[has.any(axis=1)] = 0
    value = rules.yaku_value("nagashi_mangan")
    base_open, base_closed = base_without_hand(value.open, rules), base_without_hand(value.closed, rules)
    takes_pot = bool(rules["yaku.nagashi_mangan.honba_riichi_sticks"])
    nobody = np.full(len(pays), -1)
    taken = np.zeros(len(pays), bool)
    for step in range(4):
        seat = (draws.dealer + step) % draws.players
        is_paid = has[np.arange(len(pays)), seat] & (step < draws.players)
        collects = is_paid & ~taken & takes_pot
        at = Situation(
            winner=seat,
            loser=nobody,
            dealer=draws.dealer,
            players=draws.players,
            honba=np.where(collects, draws.honba, 0),
            sticks=np.where(collects, pot, 0),
            feeder=np.full((len(pays), 4), -1),
        )
        base = np.where(draws.is_open[np.arange(len(pays)), seat], base_open, base_closed)
        _pay_ordinary(pays, np.where(is_paid, base, 0), at, rules)
        _pay_honba(pays, nobody, at, rules, collects)
        pays[np.arange(len(pays)), seat] += at.sticks * STICK
        taken |= is_paid
    return pays


def maneman_payments(made: Turns, rules: Ruleset, is_drawn_out: np.ndarray) -> np.ndarray:
    """Change of points by seat for imitated rivers in each round, int64 (n_rounds, 4).

    The imitated seat pays as a discarder would, at once, or where `is_drawn_out` only if the ruleset waits for that;
    honba and sticks stay where they are.
    """
    pays = np.zeros((len(made.dealer), 4), np.int64)
    worth = rules.yaku_value("maneman")
    if not worth.closed.is_on or rules["yaku.maneman.trigger"] == "floor_when_winning":
        return pays
    whom, n = imitations(made, rules)
    paid = whom >= 0
    if rules["yaku.maneman.trigger"] == "on_exhaustive_draw":
        paid &= is_drawn_out[:, None]
    base = base_without_hand(worth.closed, rules)
    for row, seat in np.argwhere(paid):
        raised = base if worth.closed.units else max(base, floor_of(n[row, seat], rules))
        points = int(up_to_hundred(np.array([raised * (6 if seat == made.dealer[row] else 4)]))[0])
        pays[row, seat] += points
        pays[row, whom[row, seat]] -= points
    return pays


def settle_rounds(tables: Mapping[str, pa.Table], rescored: Rescored) -> np.ndarray:
    """Change of points by seat in every round of a part under the rulesets of `rescored`, int64 (n_rounds, 4).

    Wins as scored, exhaustive draws by who was tenpai, nagashi mangan and maneman by the discards; abortive draws pay
    nothing.
    Each accepted riichi costs its stick.

    Raises
    ------
    RulesetError
        A ruleset of which no source tells what draws pay or how games end.
    """
    for rules in rescored.rulesets:
        rules.check_complete(games=True)
    rounds = tables["rounds"]
    deltas = -STICK * rescored.sticks
    np.add.at(deltas, round_rows(tables["wins"], rounds), rescored.pays)
    np.add.at(deltas, round_rows(tables["draws"], rounds), rescored.draw_pays)
    return deltas + rescored.maneman_pays
