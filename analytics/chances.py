"""Chances: every tile with which a hand was complete in any known shape and could have been claimed.

One row per event and seat, whatever any ruleset pays for the hand: own draws, the discards of others, and the tiles
of added kans, concealed kans (thirteen orphans) and norths set aside that some ruleset lets others rob. Each row
holds the hand and the circumstances as a win there and then would have had them, whether the record has that win,
and what decides whether it could have been claimed: own river, tiles passed up, what others did with the tile.

The hands between a discard and the next draw are found once, with their waits (`resting`); the tiles that come while
they stand are then asked for among these.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from parsers.ingest import rederive
from parsers.schema import ACTION_KINDS, CHANCES, CIRCUMSTANCES, DRAW_KINDS, MELD_KINDS, codes, conform, words
from parsers.store import Store
from parsers.tenhou_xml.walls import ura_indicators

from .circumstances import (
    ANKAN,
    DISCARD,
    DORA,
    DRAW,
    IS_CALL,
    IS_CLAIM,
    KAKAN,
    KITA,
    NO_TILE,
    Keys,
    Play,
    circumstances_as_of,
)
from .resting import Resting, meld_slots, own_places
from .rounds import by_seat, numbers, round_rows
from .scoring import tiles
from .scoring.readings import FORMS, KOKUSHI, SCATTERED
from .scoring.tiles import U64

_DISCONNECT, _RECONNECT = ACTION_KINDS.index("disconnect"), ACTION_KINDS.index("reconnect")
_RIICHI = ACTION_KINDS.index("riichi")
_SANCHAHOU = DRAW_KINDS.index("sanchahou")
_IS_OFFERED = np.isin(np.arange(len(ACTION_KINDS)), [DISCARD, KAKAN, ANKAN, KITA])
_CLAIM_WORD = np.array([MELD_KINDS.index(word) if word in MELD_KINDS else 0 for word in ACTION_KINDS], np.int8)



def chances(tables: Mapping[str, pa.Table]) -> pa.Table:
    """The table `chances` of a batch, in the order of its actions.

    Parameters
    ----------
    tables : mapping
        The tables games, rounds, actions, wins and draws; `walls`, if there, tell the ura indicators that no
        winner showed.
    """
    rounds = tables["rounds"]
    keys = Keys.of(rounds)
    play = Play.of(tables["actions"], keys)
    hands = Resting.of(rounds, play)
    found = _Found.of(play, hands)
    place, row, winner = found.place, found.hand // 4, found.hand % 4
    tile, is_tsumo = play.tile[place], play.kind[place] == DRAW
    win_row, claims = _claims(tables, keys, play, found)
    indicators = _indicators(rounds, play, row, place)
    key = {
        "game": rounds["game"].to_numpy()[row],
        "round_no": rounds["round_no"].to_numpy()[row],
        "winner": winner.astype(np.int8),
    }
    hand = {
        "loser": pa.array((play.hand[place] % 4).astype(np.int8), mask=is_tsumo),
        "is_tsumo": is_tsumo,
        "concealed": hands.concealed(found.state, tile),
        "win_tile": tile,
        **meld_slots(play, place, found.hand),
        "dora_indicators": indicators,
        "ura_indicators": _ura(tables, row, indicators, _has_declared(play, place, found.hand), win_row),
    }
    told = circumstances_as_of(tables, pa.table({**key, **hand}), place)
    columns = {
        **key,
        "seq": play.seq[place],
        "is_taken": win_row >= 0,
        "form_mask": found.forms,
        **hand,
        **{name: told[name] for name in CIRCUMSTANCES.names if name not in key},
        "wait_mask": found.waits,
        "river_mask": _rivers(play, place, found.hand),
        **_passed(told, place, found.hand, tile, is_tsumo),
        **claims,
        "is_connected": _connected(keys, play, row, winner, place),
    }
    return conform(pa.table(columns), CHANCES)


def chances_of_store(
    store: Store, *, workers: int = 1, again: bool = False, progress: Callable[[int], object] | None = None
) -> int:
    """Write `chances` into the parts of a store that hold none yet, or into all of them again; how many it were.

    Parameters
    ----------
    progress
        Called with the number of parts done.
    """
    todo = [part.number for part in store.parts() if again or "chances" not in part]
    return rederive(store, {"chances": chances}, parts=todo, workers=workers, progress=progress) if todo else 0


# ------------------------------------------------------------------------------------------------ completions


@dataclass
class _Found:
    """The chances: the place of the tile, the hand (4 * round + seat) it completes, and in which forms."""

    place: np.ndarray
    hand: np.ndarray
    state: np.ndarray
    waits: np.ndarray
    forms: np.ndarray

    @classmethod
    def of(cls, play: Play, hands: Resting) -> _Found:
        wanted = hands.waits.copy()
        wanted[: len(hands.first_draw_waits)] |= hands.first_draw_waits
        ready = np.flatnonzero(wanted)
        n = hands.until[ready] - hands.since[ready] - 1
        nth = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        state = np.repeat(ready, n)
        place = np.repeat(hands.since[ready] + 1, n) + nth
        is_own = play.hand[place] == hands.whose[state]
        fits = np.where(is_own, play.kind[place] == DRAW, _IS_OFFERED[play.kind[place]])
        place, state = place[fits], state[fits]
        bit = tiles.BIT_OF_TILE[play.tile[place]]
        fits = hands.waits[state] & bit != 0
        of_draw = np.flatnonzero(~fits & (play.kind[place] == DRAW))
        fits[of_draw] = _on_first_draw(play, hands, place[of_draw], state[of_draw]) & bit[of_draw] != 0
        place, state = place[fits], state[fits]
        order = np.lexsort((hands.whose[state], place))
        return cls._shaped(play, hands, place[order], state[order])

    @classmethod
    def _shaped(cls, play: Play, hands: Resting, place: np.ndarray, state: np.ndarray) -> _Found:
        """With the forms of each; of a concealed kan only thirteen orphans may take a tile."""
        by_form = hands.waits_by_form(state)
        bit, kind = tiles.BIT_OF_TILE[play.tile[place]], play.kind[place]
        is_form = by_form & bit != 0
        of_draw = np.flatnonzero(kind == DRAW)
        first = _on_first_draw(play, hands, place[of_draw], state[of_draw])
        is_form[SCATTERED, of_draw] |= first & bit[of_draw] != 0
        is_form &= (kind != ANKAN) | (np.arange(len(FORMS)) == KOKUSHI)[:, None]
        forms = (is_form.astype(np.uint8) << np.arange(len(FORMS), dtype=np.uint8)[:, None]).sum(axis=0, dtype=np.uint8)
        kept = (forms > 0) & hands.are_sound(state)
        any_form = np.bitwise_or.reduce(by_form)
        return cls(place[kept], hands.whose[state[kept]], state[kept], any_form[kept], forms[kept])


def _on_first_draw(play: Play, hands: Resting, place: np.ndarray, state: np.ndarray) -> np.ndarray:
    """What a draw may complete in the first turn alone: on the hand dealt, no call of anybody before."""
    n_dealt = len(hands.first_draw_waits)
    found = np.zeros(len(place), U64)
    dealt = np.flatnonzero(state < n_dealt)
    dealt = dealt[hands.first_draw_waits[state[dealt]] != 0]
    for index in dealt.tolist():  # one hand in some thousands
        before = play.kind[play.start[state[index] // 4] : place[index]]
        if not IS_CALL[before].any():
            found[index] = hands.first_draw_waits[state[index]]
    return found


# ---------------------------------------------------------------------------------------- columns of the table


def _indicators(rounds: pa.Table, play: Play, row: np.ndarray, place: np.ndarray) -> pa.Array:
    """The first indicator of the round, and those turned before a place."""
    turned = play.places(DORA)
    first = np.searchsorted(turned, play.start[row])
    n = np.searchsorted(turned, place) - first
    of_round = rounds["dora_indicators"].combine_chunks()
    starts = of_round.offsets.to_numpy()[row]
    offsets = np.append(0, np.cumsum(n + 1)).astype(np.int32)
    values = np.zeros(offsets[-1], np.uint8)
    values[offsets[:-1]] = of_round.values.to_numpy()[starts]
    later = np.ones(len(values), bool)
    later[offsets[:-1]] = False
    source = np.repeat(first - (offsets[:-1] + 1), n + 1)[later] + np.flatnonzero(later)
    values[later] = play.tile[turned[source]]
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values))


def _ura(
    tables: Mapping[str, pa.Table], row: np.ndarray, indicators: pa.Array, is_riichi: np.ndarray, win_row: np.ndarray
) -> pa.Array:
    """Ura indicators: of a recorded win as recorded; of another hand in riichi as the round or its wall tells."""
    n = indicators.value_lengths().to_numpy()
    known = np.full((len(row), 5), NO_TILE, np.uint8)
    walls = tables.get("walls")
    if walls is not None and len(walls):
        of_wall = ura_indicators(walls, tables["games"])
        of_round = np.full((len(tables["rounds"]), 5), NO_TILE, np.uint8)
        of_round[round_rows(walls, tables["rounds"])] = of_wall
        known = of_round[row]
    shown = _lists(tables["rounds"]["ura_indicators"], 5)[row]
    known = np.where(shown == NO_TILE, known, shown)
    known[np.arange(5) >= n[:, None]] = NO_TILE
    is_told = is_riichi & ((known != NO_TILE).sum(axis=1) == np.minimum(n, 5))
    taken = np.flatnonzero(win_row >= 0)
    of_win = _lists(tables["wins"]["ura_indicators"], 5)[win_row[taken]]
    known[taken], is_told[taken] = of_win, (of_win != NO_TILE).any(axis=1)
    lengths = np.where(is_told, (known != NO_TILE).sum(axis=1), 0)
    offsets = np.append(0, np.cumsum(lengths)).astype(np.int32)
    values = known[is_told[:, None] & (known != NO_TILE)]
    return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values), mask=pa.array(~is_told))


def _lists(column: pa.ChunkedArray, width: int) -> np.ndarray:
    """A column of lists as rows of `width` tiles, NO_TILE where a list is shorter or null."""
    filled = column.combine_chunks()
    length = filled.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
    matrix = np.full((len(length), width), NO_TILE, np.uint8)
    row = np.repeat(np.arange(len(length)), length)
    nth = np.arange(len(row)) - np.repeat(np.cumsum(length) - length, length)
    fits = nth < width
    matrix[row[fits], nth[fits]] = filled.flatten().to_numpy()[fits]
    return matrix


def _has_declared(play: Play, place: np.ndarray, hand: np.ndarray) -> np.ndarray:
    """Whether the seat had declared riichi before a place."""
    declared = play.first_by_hand(play.places(_RIICHI))
    return declared[hand] < place


def _rivers(play: Play, place: np.ndarray, hand: np.ndarray) -> np.ndarray:
    """Kinds the seat had discarded, those that others called included, as masks."""
    discards = play.places(DISCARD)
    discards = discards[np.argsort(play.hand[discards], kind="stable")]
    first, beyond = own_places(play, discards, place, hand)
    n = beyond - first
    of = np.repeat(np.arange(len(hand)), n)
    source = np.arange(len(of)) + np.repeat(first - (np.cumsum(n) - n), n)
    masks = np.zeros(len(hand), U64)
    np.bitwise_or.at(masks, of, tiles.BIT_OF_TILE[play.tile[discards[source]]])
    return masks


def _passed(
    told: pa.Table, place: np.ndarray, hand: np.ndarray, tile: np.ndarray, is_tsumo: np.ndarray
) -> dict[str, np.ndarray]:
    """Kinds each seat had passed up: others' tiles that completed its hand and that it did not win on."""
    later, earlier = earlier_rows(hand, place)
    n_draws, is_riichi = numbers(told["n_own_draws"]), told["is_riichi"].to_numpy()
    bit = tiles.BIT_OF_TILE[tile]
    since_draw, since_riichi = np.zeros(len(hand), U64), np.zeros(len(hand), U64)
    offered = ~is_tsumo[earlier]
    same_turn = offered & (n_draws[earlier] + is_tsumo[later] == n_draws[later])
    np.bitwise_or.at(since_draw, later[same_turn], bit[earlier[same_turn]])
    in_riichi = offered & is_riichi[earlier]
    np.bitwise_or.at(since_riichi, later[in_riichi], bit[earlier[in_riichi]])
    return {"passed_mask": since_draw, "passed_riichi_mask": since_riichi}


def earlier_rows(hand: np.ndarray, seq: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of chances of one hand (4 * round + seat): the later row, the earlier row."""
    order = np.lexsort((seq, hand))
    begins = np.flatnonzero(np.diff(hand[order], prepend=-1))
    nth = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
    later = np.repeat(np.arange(len(order)), nth)
    step = np.arange(len(later)) - np.repeat(np.cumsum(nth) - nth, nth)
    return order[later], order[later - 1 - step]


def _claims(
    tables: Mapping[str, pa.Table], keys: Keys, play: Play, found: _Found
) -> tuple[np.ndarray, dict[str, np.ndarray | pa.Array]]:
    """The row of the recorded win each chance is, -1 for none; and the columns of what others did with the tile."""
    row, winner = found.hand // 4, found.hand % 4
    is_last = found.place == play.move_before(play.end[row], row)
    after = play.move_after(found.place, row)
    is_called = IS_CLAIM[play.kind[after]] & (play.kind[found.place] == DISCARD)

    wins = tables["wins"]
    win_of_hand = np.full(len(play.start) * 4, -1)
    win_of_hand[4 * keys.rows(wins, "wins") + numbers(wins["winner"])] = np.arange(len(wins))
    has_won = (win_of_hand >= 0).reshape(-1, 4)[row] & is_last[:, None]

    draws = tables["draws"]
    is_aborted = codes(draws["kind"], DRAW_KINDS) == _SANCHAHOU
    has_claimed = np.zeros((len(play.start), 4), bool)
    has_claimed[keys.rows(draws, "draws")[is_aborted]] = by_seat(draws, "is_tenpai", False)[is_aborted]
    of_abort = has_claimed[row] & is_last[:, None]
    is_own = np.arange(4) == winner[:, None]
    return np.where(is_last, win_of_hand[found.hand], -1), {
        "called_by": pa.array((play.hand[after] % 4).astype(np.int8), mask=~is_called),
        "called_as": words(_CLAIM_WORD[play.kind[after]], MELD_KINDS, missing=~is_called),
        "rons_mask": ((has_won | of_abort) & ~is_own).astype(np.uint8) @ (1 << np.arange(4, dtype=np.uint8)),
        "is_aborted": of_abort.any(axis=1),
    }


def _connected(keys: Keys, play: Play, row: np.ndarray, winner: np.ndarray, place: np.ndarray) -> np.ndarray:
    """Whether the seat was connected: its last disconnect or reconnect in the game before the place."""
    events = np.flatnonzero((play.kind == _DISCONNECT) | (play.kind == _RECONNECT))
    rank = np.empty(len(keys.order), np.int64)
    rank[keys.order] = np.arange(len(keys.order))

    def key(row: np.ndarray, seat: np.ndarray, place: np.ndarray) -> np.ndarray:
        game = keys.keys[rank[row]] >> 16
        return (4 * game + seat) << 40 | rank[row] << 16 | (place - play.start[row])

    of_event = key(play.hand[events] // 4, play.hand[events] % 4, events)
    order = np.argsort(of_event)
    of_event = np.append(-1, of_event[order])
    has_left = np.append(False, play.kind[events[order]] == _DISCONNECT)
    wanted = key(row, winner, place)
    latest = np.searchsorted(of_event, wanted) - 1
    return ~(has_left[latest] & (of_event[latest] >> 40 == wanted >> 40))
