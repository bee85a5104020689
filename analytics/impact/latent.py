"""Beside recorded wins: hands that would only now be wins, hands one tile away, rivers that would be paid."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from parsers.errors import StoreError
from parsers.store import Store

from ..chances import chances_of_store
from ..corpus import Parts
from ..latent import LatentWins, Scan, with_chances
from ..maneman import Turns, turns
from ..metrics.columns import WinView
from ..metrics.where import Where
from ..rescoring import Rules, rulesets_of
from ..rounds import game_rows, numbers
from ..scoring.ruleset import Ruleset
from ..settle import Draws, draws_of, maneman_payments, nagashi_seats
from ..temptation import Near, is_pattern
from .candidates import Candidate, within
from .counting import asked_bits, known
from .games import SHARES
from .tally import Events, Tally


def scanned(parts: Parts, *, workers: int = 1) -> None:
    """See that a store holds its chances. Where it cannot be written to, each part finds its own when asked."""
    if isinstance(parts, Store):
        with suppress(StoreError):
            chances_of_store(parts, workers=workers)


def games_of(view: WinView, passes: np.ndarray, where: Where | None) -> np.ndarray:
    """Games that are looked at, bool (n_games): all, or those of the wins that a filter of whole games lets through."""
    n = view.tables["games"].num_rows
    return np.ones(n, bool) if where is None else np.bincount(view.game[passes], minlength=n) > 0


def tempts(one: Candidate, played: Sequence[str]) -> bool:
    """Whether the candidate is about a yaku that is a pattern of the hand."""
    return one.yaku is not None and all(is_pattern(one.yaku, within(_with_yaku(one), id_)) for id_ in played)


def _with_yaku(one: Candidate) -> Rules:
    return one.before if one.has_yaku_before else one.rules


@dataclass(frozen=True)
class Unwon:
    """What a part holds of hands that were no wins, ready to be asked for any number of candidates."""

    scan: Scan
    near: Near

    @classmethod
    def of(cls, part: Mapping[str, pa.Table], kept: np.ndarray) -> Unwon:
        """Of the games kept, bool (n_games); those with the same play as others are left out in any case."""
        tables = with_chances(part, kept)
        return cls(Scan.of(tables, tables["chances"]), Near.of(tables))

    @property
    def tables(self) -> Mapping[str, pa.Table]:
        return self.scan.tables

    def wins(self, one: Candidate) -> LatentWins:
        """The wins after the change that were none before."""
        return self.scan.wins(one.before, one.rules)

    def counts(self, one: Candidate, found: LatentWins, *, is_tempting: bool) -> Counter:
        """All that is counted of a candidate, as it adds up over parts."""
        first = found.wins.filter(found.wins["is_first"])
        counts = Counter(
            n=len(first),
            seats=len(found.wins),
            points=pc.sum(first["points"]).as_py() or 0,
            lower_bound=pc.sum(first["is_lower_bound"]).as_py() or 0,
            preempted=len(found.preempted),
            furiten=len(found.prevented),
            disconnected=found.n_disconnected,
            chances=len(self.scan.place),
            told=self._told(one),
        )
        counts.update(f"by_{way}" for way in first["by"].to_pylist())
        if is_tempting:
            counts["tempted"] = len(self.near.tempted(_with_yaku(one), one.yaku))
        if one.drawn is not None:
            before, after = (self._paid(rules, one.drawn) for rules in (one.before, one.rules))
            counts["paid"] = int((before if one.has_yaku_before else after).sum())
            counts["paid_anew"] = int((after & ~before).sum())
        return counts

    @cached_property
    def dealt(self) -> Counter:
        """What candidates are counted over: games and rounds with recorded play, and the hands dealt in them."""
        return Counter(
            games=int((self._rounds_of_game > 0).sum()), rounds=len(self.scan.played), hands=self.near.n_seats
        )

    @cached_property
    def _rounds_of_game(self) -> np.ndarray:
        games = self.tables["games"]
        return np.bincount(game_rows(self.tables["rounds"], games)[self.scan.played], minlength=len(games))

    def _told(self, one: Candidate) -> int:
        """Chances of which the source tells what the yaku asks for."""
        if one.yaku is None:
            return len(self.scan.place)
        rulesets, [of] = rulesets_of(self.tables, _with_yaku(one), ("chances",))
        bits = np.array([asked_bits(one.yaku, rules) for rules in rulesets], np.uint64)
        return int(known(self.scan.facts.hands, bits[of]).sum())

    def _paid(self, rules: Rules, yaku: str) -> np.ndarray:
        """The rounds in which nagashi mangan or maneman is paid, bool (n_rounds)."""
        rulesets, [of] = rulesets_of(self.tables, rules, ("rounds",))
        each = [self._paid_under(one, yaku) & (of == index) for index, one in enumerate(rulesets)]
        return np.logical_or.reduce(each)

    def _paid_under(self, rules: Ruleset, yaku: str) -> np.ndarray:
        is_drawn_out, is_paid = np.zeros((2, len(self.tables["rounds"])), bool)
        if yaku == "maneman":
            is_drawn_out[self._draws.row[self._draws.is_drawn_out]] = True
            return maneman_payments(self._turns, rules, is_drawn_out).any(axis=1)
        is_paid[self._draws.row[nagashi_seats(self._draws, rules).any(axis=1)]] = True
        return is_paid

    @cached_property
    def _draws(self) -> Draws:
        return draws_of(self.tables)

    @cached_property
    def _turns(self) -> Turns:
        return turns(self.tables)

    def tally(self, each: Sequence[LatentWins]) -> Tally:
        """The latent wins of all candidates over the rounds; a unit is a seat of a game.

        A round counts as twelve, three or four of which are each seat's; one with a latent win, the first winner's.
        """
        games, seats = self.tables["games"], self.tables["seats"]
        row, seat = game_rows(seats, games), numbers(seats["seat"])
        place = np.zeros((len(games), 4), np.int64)
        place[row, seat] = np.arange(len(row))
        size = SHARES // numbers(games["players"], 4)[row] * self._rounds_of_game[row]

        def events() -> Iterator[tuple]:
            for statistic, found in enumerate(each):
                first = found.wins.filter(found.wins["is_first"])
                units, n = np.unique(
                    place[game_rows(first, games), numbers(first["winner"])], return_counts=True
                )
                yield statistic, units, SHARES * n, 0

        player = seats["player"].combine_chunks().dictionary_encode()
        return Tally.of(
            group_of(len(each)),
            size[:, None],
            Events.of(list(events())),
            row,
            row * 4 + seat,
            player.indices.to_numpy(),
            player.dictionary.to_pylist(),
        )


def group_of(n_candidates: int) -> np.ndarray:
    """All candidates are counted over the same rounds."""
    return np.zeros(n_candidates, np.int64)
