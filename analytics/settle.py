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

from .rounds import by_seat, game_rows, nagashi_seats, numbers, riichi_sticks, round_rows
from .scoring.hands import ANKAN, Hands
from .scoring.limits import self_draw_shares, up_to_hundred
from .scoring.ruleset import Ruleset
from .scoring.score import Scores
from .scoring.values import YAKUMAN_BASE

if TYPE_CHECKING:
    from .rescoring import Rescored

STICK = 1000


@dataclass(frozen=True)
class Situation:
    """Where the wins stand in their rounds; columns of equal length.

    `loser` is -1 on a self-draw. `honba` and `sticks` are what this win collects. `feeder` (n, 4) is the seat that
    fed each meld, -1 for none.
    """

    winner: np.ndarray
    loser: np.ndarray
    dealer: np.ndarray
    players: np.ndarray
    honba: np.ndarray
    sticks: np.ndarray
    feeder: np.ndarray


def liable_seats(hands: Hands, feeder: np.ndarray, yaku: str, holds: np.ndarray) -> np.ndarray:
    """Seat that fed the set which decided a yakuman, -1 where nobody is liable.

    Daisangen and daisuushii: all their sets are melds, the last of them was called. Suukantsu: the fourth kan was
    called from a discard. A concealed kan makes nobody liable, an added kan leaves the liability with who fed the
    triplet.
    """
    kinds = {"daisangen": (31, 34), "daisuushii": (27, 31)}.get(yaku)
    if kinds:
        concerned = (hands.meld_kind > 0) & (hands.meld_tile >= kinds[0]) & (hands.meld_tile < kinds[1])
        needed = kinds[1] - kinds[0]
    else:
        concerned = hands.meld_kind >= 2
        needed = 4
    decided = holds & (concerned.sum(axis=1) == needed)
    last = 3 - np.argmax(concerned[:, ::-1], axis=1)
    row = np.arange(len(hands))
    decided &= hands.meld_kind[row, last] != ANKAN
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
        seat = liable_seats(hands, at.feeder, yaku, holds)
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


def noten_payments(is_tenpai: np.ndarray, players: np.ndarray, rules: Ruleset) -> np.ndarray:
    """Payments between tenpai and noten at an exhaustive draw, int64 (n, 4)."""
    there = np.arange(4) < players[:, None]
    tenpai = is_tenpai & there
    n_tenpai = tenpai.sum(axis=1, keepdims=True)
    n_noten = players[:, None] - n_tenpai
    pot = np.where((n_tenpai > 0) & (n_noten > 0), rules["payment.noten"], 0)
    received = pot // np.maximum(n_tenpai, 1)
    paid = pot // np.maximum(n_noten, 1)
    return np.where(tenpai, received, np.where(there, -paid, 0)).astype(np.int64)


def nagashi_payments(is_nagashi: np.ndarray, dealer: np.ndarray, players: np.ndarray, rules: Ruleset) -> np.ndarray:
    """Payments of nagashi mangan, as a self-draw of that limit for each seat that has it, int64 (n, 4)."""
    pays = np.zeros(is_nagashi.shape, np.int64)
    worth = rules.yaku_value("nagashi_mangan").open
    base = worth.floor or worth.units * YAKUMAN_BASE
    zero = np.zeros(len(dealer), np.int64)
    for seat in range(4):
        winner = np.full(len(dealer), seat)
        at = Situation(winner, zero - 1, dealer, players, zero, zero, np.full((len(dealer), 4), -1))
        one = np.zeros_like(pays)
        _pay_ordinary(one, np.where(is_nagashi[:, seat], base, 0), at, rules)
        pays += one
    return pays


def settle_rounds(tables: Mapping[str, pa.Table], rescored: Rescored) -> np.ndarray:
    """Change of points by seat in every round of a part under the rulesets of `rescored`, int64 (n_rounds, 4).

    Wins as scored, exhaustive draws by who was tenpai, nagashi mangan by the discards; abortive draws pay nothing.
    Each accepted riichi costs its stick.
    """
    rounds, draws = tables["rounds"], tables["draws"]
    deltas = -STICK * riichi_sticks(tables)
    np.add.at(deltas, round_rows(tables["wins"], rounds), rescored.pays)
    row = round_rows(draws, rounds)
    players = numbers(tables["games"]["players"])[game_rows(draws, tables["games"])]
    dealer = numbers(rounds["dealer"])[row]
    kind = codes(draws["kind"], DRAW_KINDS)
    drawn_out = np.isin(kind, [DRAW_KINDS.index("exhaustive"), DRAW_KINDS.index("nagashi_mangan")])
    is_nagashi = nagashi_seats(tables)[row] & drawn_out[:, None] & (np.arange(4) < players[:, None])
    is_tenpai = by_seat(draws, "is_tenpai", False)
    for index, rules in enumerate(rescored.rulesets):
        plays = rescored.of_draw == index
        plays_nagashi = is_nagashi & rules.yaku_value("nagashi_mangan").is_on
        has_nagashi = plays_nagashi.any(axis=1)
        noten = noten_payments(is_tenpai, players, rules) * drawn_out[:, None]
        if not rules["yaku.nagashi_mangan.noten_payments"]:
            noten[has_nagashi] = 0
        pays = noten + nagashi_payments(plays_nagashi, dealer, players, rules)
        np.add.at(deltas, row[plays], pays[plays])
    return deltas
