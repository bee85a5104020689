"""Temptation: how often a hand pattern was one tile away, whether or not anybody went for it.

A seat stands one tile from a pattern if its resting hand waits, and a tile it waits for, of which it does not see all
copies, makes a hand with that yaku, by ron or by self-draw. A round and seat counts once for each yaku. Yaku of
circumstances (riichi, the last tile) are never one tile away.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
import pyarrow as pa

from .circumstances import ANKAN, CHI, DAIMINKAN, DISCARD, DORA, KAKAN, KITA, PON, Keys, Play
from .rescoring import Rules, rulesets_of
from .resting import Resting, meld_slots
from .rounds import game_rows, numbers
from .scoring.facts import asks, family
from .scoring.hands import DORA_COLUMNS, Hands, concatenate, from_tables
from .scoring.patterns import effect_of, lines_of, selected
from .scoring.ruleset import Ruleset
from .scoring.score import Facts, facts_of
from .scoring.tiles import BIT, KIND_OF_TILE, N_KINDS


@dataclass(frozen=True)
class Temptation:
    """Where patterns were one tile away.

    Attributes
    ----------
    seats : table
        `game`, `round_no`, `seat`, `yaku`: each round and seat once for each yaku.
    n_rounds, n_seats : int
        Rounds with recorded play, and the hands dealt in them.
    """

    seats: pa.Table
    n_rounds: int
    n_seats: int

    def __add__(self, other: Temptation) -> Temptation:
        seats = pa.concat_tables([self.seats, other.seats])
        return Temptation(seats, self.n_rounds + other.n_rounds, self.n_seats + other.n_seats)


@dataclass(frozen=True)
class Near:
    """The hands of a part that were one tile away from being complete, ready to be asked under any number of rules.

    Attributes
    ----------
    facts : Facts
        Of the completed hands, each by self-draw and by ron.
    whose : int64 (n_hands)
        4 * round + seat.
    n_rounds, n_seats : int
        Rounds with recorded play, and the hands dealt in them.
    """

    tables: Mapping[str, pa.Table]
    facts: Facts
    whose: np.ndarray
    n_rounds: int
    n_seats: int

    @classmethod
    def of(cls, tables: Mapping[str, pa.Table]) -> Near:
        rounds = tables["rounds"]
        play = Play.of(tables["actions"], Keys.of(rounds))
        resting = Resting.of(rounds, play)
        state, kind = _one_tile_away(rounds, play, resting)
        is_played = play.end > play.start
        is_seen = np.stack([rounds[f"hand_{seat}"].is_valid().to_numpy() for seat in range(4)], axis=1)
        return cls(
            tables,
            facts_of(_hands(tables, play, resting, state, kind)),
            np.tile(resting.whose[state], 2),
            int(is_played.sum()),
            int(is_seen[is_played].sum()),
        )

    @cached_property
    def _pattern(self) -> np.ndarray:
        return self.facts.line_pattern[self.facts.line]

    def tempted(self, rules: Rules, yaku: str) -> np.ndarray:
        """The rounds and seats (4 * round + seat) that stood one tile from a yaku as the rules define it, ascending."""
        rulesets, [of_round] = rulesets_of(self.tables, rules, ("rounds",))
        found = []
        for index, one in enumerate(rulesets):
            holds = np.flatnonzero(selected(self.facts.patterns, one, yaku)[self._pattern])
            whose = self.whose[self.facts.hand[holds]]
            found.append(whose[of_round[whose // 4] == index])
        return np.unique(np.concatenate(found))


def temptation(tables: Mapping[str, pa.Table], rules: Rules, yaku: Sequence[str]) -> Temptation:
    """The rounds and seats of a part that stood one tile from each of these yaku, as the rules define them."""
    near, rounds = Near.of(tables), tables["rounds"]
    each = [near.tempted(rules, id_) for id_ in yaku]
    whose = np.concatenate([np.zeros(0, np.int64), *each])
    seats = {
        "game": rounds["game"].to_numpy()[whose // 4],
        "round_no": rounds["round_no"].to_numpy()[whose // 4],
        "seat": (whose % 4).astype(np.int8),
        "yaku": pa.array(np.repeat(np.array(yaku, object), list(map(len, each))), pa.string()),
    }
    return Temptation(pa.table(seats), near.n_rounds, near.n_seats)


_SHOWN = (
    *("any_hand", "standard_form", "closed", "tsumo", "dealer", "three_players"),
    *("four_melds", "shiiaru_raotai", "concealed_kan", "pair_wait"),
)
"""Facts of the family of circumstances that tiles and seats show."""


def is_pattern(yaku: str, rules: Ruleset) -> bool:
    """Whether a yaku, as the ruleset plays it, asks for nothing but what tiles and seats show."""
    one = rules.yaku()[yaku]
    lines = lines_of(one, effect_of(one, rules), rules)
    asked = {fact for line in lines for fact in (*line.facts, *line.needs)}
    return not any(asks(fact) or (family(fact) == "circumstance" and fact not in _SHOWN) for fact in asked)


def _one_tile_away(rounds: pa.Table, play: Play, resting: Resting) -> tuple[np.ndarray, np.ndarray]:
    """Resting hands that wait, each once, and a kind for each that completes it and is not all in the seat's sight."""
    ready = np.flatnonzero(resting.waits)
    ready = ready[resting.are_sound(ready)]
    ready = ready[np.lexsort((resting.since[ready], resting.whose[ready]))]
    # What a seat sees only grows: of a hand that stays as it is, the first moment tells.
    stays = np.ones(max(len(ready) - 1, 0), bool)
    for column in (resting.whose, resting.suits, resting.others):
        stays &= column[ready[1:]] == column[ready[:-1]]
    ready = np.append(ready[:1], ready[1:][~stays])
    nth, kind = np.nonzero(resting.waits[ready, None] & BIT)
    state = ready[nth]
    own = resting.counts(ready)[nth, kind]
    is_live = own + _n_shown(rounds, play, resting.whose[state] // 4, resting.since[state], kind) < 4
    return state[is_live], kind[is_live]


def _n_shown(rounds: pa.Table, play: Play, row: np.ndarray, place: np.ndarray, kind: np.ndarray) -> np.ndarray:
    """How many tiles of a kind the table had shown up to a place: discards, melds, indicators, norths set aside."""
    places, kinds = [], []

    def add(action: int | list[int], n: int, from_meld: bool = False) -> None:
        at = np.flatnonzero(np.isin(play.kind, action))
        places.append(np.repeat(at, n))
        kinds.append(np.repeat(play.meld_kind[at] if from_meld else KIND_OF_TILE[play.tile[at]], n))

    add([DISCARD, DORA, KAKAN, KITA], 1)
    add(PON, 2, True)
    add(DAIMINKAN, 3, True)
    add(ANKAN, 4, True)
    runs = play.places(CHI)
    for step in range(3):
        own = runs[play.meld_kind[runs] + step != KIND_OF_TILE[play.tile[runs]]]
        places.append(own)
        kinds.append(play.meld_kind[own] + step)
    shown, kinds = np.concatenate(places), np.concatenate(kinds).astype(np.int64)

    width = len(play.kind) + 1
    key = np.sort((play.hand[shown] // 4 * N_KINDS + kinds) * width + shown)
    first = (row * N_KINDS + kind) * width
    n_shown = np.searchsorted(key, first + place, side="right") - np.searchsorted(key, first)
    of_round = rounds["dora_indicators"].combine_chunks()
    has_any = of_round.value_lengths().to_numpy() > 0
    indicator = np.full(len(rounds), N_KINDS)
    indicator[has_any] = KIND_OF_TILE[of_round.values.to_numpy()[of_round.offsets.to_numpy()[:-1][has_any]]]
    return n_shown + (indicator[row] == kind)


def _hands(
    tables: Mapping[str, pa.Table], play: Play, resting: Resting, state: np.ndarray, kind: np.ndarray
) -> Hands:
    """The completed hands, all by self-draw, then all by ron; nothing else is known of them."""
    rounds, games = tables["rounds"], tables["games"]
    whose, n = resting.whose[state], len(state)
    row, seat = whose // 4, whose % 4
    players = numbers(games["players"])[game_rows(rounds, games)][row]
    wins = {
        "concealed": resting.concealed(state, kind),
        "win_tile": kind.astype(np.uint8),
        "is_tsumo": np.ones(n, bool),
        **meld_slots(play, resting.since[state] + 1, whose),
    }
    circumstances = {
        "seat_wind": (seat - numbers(rounds["dealer"])[row]) % players,
        "round_wind": numbers(rounds["wind"])[row],
        "players": players,
        **dict.fromkeys(DORA_COLUMNS, np.zeros(n, np.uint8)),
    }
    drawn = from_tables(pa.table(wins), pa.table(circumstances))
    return concatenate([drawn, replace(drawn, is_tsumo=np.zeros(n, bool))])
