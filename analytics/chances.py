"""Chances: every tile with which a hand was complete in any known shape and could have been claimed.

One row per event and seat, whatever any ruleset pays for the hand: own draws, the discards of others, and the tiles
of added kans, concealed kans (thirteen orphans) and norths set aside that some ruleset lets others rob. Each row
holds the hand and the circumstances as a win there and then would have had them, whether the record has that win,
and what decides whether it could have been claimed: own river, tiles passed up, what others did with the tile.

A hand of thirteen tiles, or of thirteen less three per meld, stands between a discard and the next draw; its waits
are found once, and the events then asked for tiles among them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from parsers.ingest import rederive
from parsers.schema import ACTION_KINDS, CHANCES, CIRCUMSTANCES, DRAW_KINDS, MELD_KINDS, codes, conform, words
from parsers.store import Store
from parsers.tenhou_xml.walls import ura_indicators

from .circumstances import (
    ANKAN,
    CHI,
    DAIMINKAN,
    DISCARD,
    DORA,
    DRAW,
    IS_CLAIM,
    KAKAN,
    KIND_OF_TILE,
    KITA,
    NO_TILE,
    PON,
    Keys,
    Play,
    circumstances_as_of,
)
from .rounds import by_seat, numbers, round_rows
from .scoring import tiles
from .scoring.readings import FORMS, KOKUSHI, SCATTERED
from .scoring.tiles import U64
from .waits import counts, is_apart, waits

SOUTH, NORTH = 28, 30
_DISCONNECT, _RECONNECT = ACTION_KINDS.index("disconnect"), ACTION_KINDS.index("reconnect")
_SANCHAHOU = DRAW_KINDS.index("sanchahou")

# A hand is two words that add up over its actions: the suits, three base-5 numbers side by side; and the honours,
# a base-5 number of 17 bits, then three bits each of red fives by suit, of melds, and of melds of south and north.
_HONOUR_BITS = U64((1 << 17) - 1)
_RED, _MELDS, _SOUTHS, _NORTHS = 20, 32, 36, 40
_SUITS = np.array([5 ** (kind % 9) << 21 * (kind // 9) if kind < 27 else 0 for kind in KIND_OF_TILE], U64)
_OTHERS = np.array([5 ** (kind - 27) if kind >= 27 else 0 for kind in KIND_OF_TILE], U64)
_OTHERS[34:] += np.array([1 << _RED + 4 * suit for suit in range(3)], U64)


def chances(tables: Mapping[str, pa.Table]) -> pa.Table:
    """The table `chances` of a batch, in the order of its actions.

    Parameters
    ----------
    tables : mapping
        The tables games, rounds, actions, wins and draws; `walls`, if there, tell the ura indicators that no
        winner showed.
    """
    keys = Keys.of(tables["rounds"])
    play = Play.of(tables["actions"], keys)
    hands = _Hands.of(tables["rounds"], play)
    found = _Found.of(play, hands)
    rows = found.place, found.hand
    row, winner = found.hand // 4, found.hand % 4
    last = play.move_before(play.end, np.arange(len(play.start)))
    ends = found.place == last[row]
    claimed = _claims(tables, keys, play, found, ends)
    won_by = claimed.pop("win_row")

    kind, tile = play.kind[found.place], play.tile[found.place]
    is_tsumo = kind == DRAW
    held = hands.concealed(found.state, tile)
    melds = _meld_slots(play, *rows)
    indicators = _indicators(tables["rounds"], play, row, found.place)
    key = {
        "game": tables["rounds"]["game"].combine_chunks().take(pa.array(row)),
        "round_no": tables["rounds"]["round_no"].combine_chunks().take(pa.array(row)),
        "winner": winner.astype(np.int8),
    }
    hand = {
        "loser": pa.array((play.hand[found.place] % 4).astype(np.int8), mask=is_tsumo),
        "is_tsumo": is_tsumo,
        "concealed": held,
        "win_tile": tile,
        **melds,
        "dora_indicators": indicators,
    }
    is_riichi = _has_declared(play, *rows)
    hand["ura_indicators"] = _ura(tables, row, indicators, is_riichi, won_by)
    told = circumstances_as_of(tables, pa.table({**key, **hand}), found.place)
    passed = _passed(told, found.hand, tile, is_tsumo)
    return conform(
        pa.table(
            {
                **key,
                "seq": play.seq[found.place],
                "is_taken": won_by >= 0,
                "form_mask": found.forms,
                **hand,
                **{name: told[name] for name in CIRCUMSTANCES.names if name not in key},
                "wait_mask": found.waits,
                "river_mask": _rivers(play, *rows),
                **passed,
                **claimed,
                "is_connected": _connected(keys, play, row, winner, found.place),
            }
        ),
        CHANCES,
    )


def chances_of_store(store: Store, *, workers: int = 1) -> int:
    """Write `chances` of every part into the store, in place of earlier ones; the number of parts."""
    return rederive(store, {"chances": chances}, workers=workers)


# ------------------------------------------------------------------------------------------- hands of thirteen


@dataclass
class _Hands:
    """The hands between a discard and the next draw, first those dealt, one per seat and round.

    Attributes
    ----------
    suits, others : uint64 (n)
        The two words of each hand.
    waits : uint64 (n)
        The kinds that complete it in any shape.
    first_draw_waits : uint64 (n_rounds * 4)
        Of the hands dealt, the kinds that complete them in the first turn alone.
    whose : int64 (n)
        4 * round + seat.
    since, until : int64 (n)
        The places between which it stands: that of the action it comes of, and of the next one that leaves another.
    """

    suits: np.ndarray
    others: np.ndarray
    waits: np.ndarray
    first_draw_waits: np.ndarray
    whose: np.ndarray
    since: np.ndarray
    until: np.ndarray

    @classmethod
    def of(cls, rounds: pa.Table, play: Play) -> _Hands:
        suits, others, is_seen = _dealt(rounds)
        places, suits_after, others_after = _after(play, suits, others)
        is_resting = _IS_RESTING[play.kind[places]] & is_seen[play.hand[places]]
        resting, n = places[is_resting], len(suits)
        first = np.zeros(n, U64)
        first[is_seen] = _first_draw_waits(suits[is_seen], others[is_seen])
        suits = np.concatenate([suits, suits_after[is_resting]])
        others = np.concatenate([others, others_after[is_resting]])
        found = np.bitwise_or.reduce(_waits(suits, others))
        found[:n][~is_seen] = 0

        whose = play.hand[resting]
        until = np.repeat(play.end, 4)
        is_last = np.diff(whose, append=-1) != 0
        next_ = np.where(is_last, until[whose], np.append(resting[1:], 0))
        begins = np.flatnonzero(np.diff(whose, prepend=-1))
        until[whose[begins]] = resting[begins]
        return cls(
            suits,
            others,
            found,
            first,
            whose=np.concatenate([np.arange(n), whose]),
            since=np.concatenate([np.repeat(play.start, 4) - 1, resting]),
            until=np.concatenate([until, next_]),
        )

    def are_sound(self, state: np.ndarray) -> np.ndarray:
        """Whether hands hold as many tiles as they should: after a discard of a tile that is not there they do not."""
        n_tiles = counts(self.suits[state], self.others[state] & _HONOUR_BITS).sum(axis=1)
        return n_tiles == 13 - 3 * (self.others[state] >> U64(_MELDS) & U64(15)).astype(np.int64)

    def concealed(self, state: np.ndarray, tile: np.ndarray) -> pa.Array:
        """The tiles of hands and one more, as lists of tiles 0-36 in order."""
        held = np.zeros((len(state), tiles.N_TILES), np.int64)
        held[:, : tiles.N_KINDS] = counts(self.suits[state], self.others[state] & _HONOUR_BITS)
        for suit in range(3):
            n_red = (self.others[state] >> U64(_RED + 4 * suit) & U64(7)).astype(np.int64)
            held[:, 9 * suit + 4] -= n_red
            held[:, tiles.N_KINDS + suit] += n_red
        held[np.arange(len(state)), tile] += 1
        offsets = np.append(0, np.cumsum(held.sum(axis=1))).astype(np.int32)
        values = np.repeat(np.tile(np.arange(tiles.N_TILES, dtype=np.uint8), len(state)), held.ravel())
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values))


_IS_RESTING = np.isin(np.arange(len(ACTION_KINDS)), [DISCARD, DAIMINKAN, ANKAN, KAKAN, KITA])
_IS_OFFERED = np.isin(np.arange(len(ACTION_KINDS)), [DISCARD, KAKAN, ANKAN, KITA])
_IS_HANDLED = np.isin(np.arange(len(ACTION_KINDS)), [DRAW, DISCARD, CHI, PON, DAIMINKAN, ANKAN, KAKAN, KITA])


def _dealt(rounds: pa.Table) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The words of the hands dealt, 4 * round + seat, and whether the record shows thirteen tiles."""
    n = len(rounds)
    suits, others, is_seen = np.zeros((n, 4), U64), np.zeros((n, 4), U64), np.zeros((n, 4), bool)
    for seat in range(4):
        column = rounds[f"hand_{seat}"].combine_chunks()
        length = column.value_lengths().fill_null(0).to_numpy(zero_copy_only=False)
        rows = np.flatnonzero(length == 13)
        dealt = column.take(pa.array(rows)).flatten().to_numpy().reshape(-1, 13)
        suits[rows, seat] = _SUITS[dealt].sum(axis=1)
        others[rows, seat] = _OTHERS[dealt].sum(axis=1)
        is_seen[rows, seat] = True
    return suits.ravel(), others.ravel(), is_seen.ravel()


def _after(play: Play, suits: np.ndarray, others: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """The actions that change a hand, hand by hand in order of play, and the words of the hand after each."""
    places = np.flatnonzero(_IS_HANDLED[play.kind])
    places = places[np.argsort(play.hand[places], kind="stable")]
    kind, tile, hand = play.kind[places], play.tile[places], play.hand[places]
    sign = np.where(kind == DRAW, 1, -1).astype(np.int64).view(U64)  # sums wrap around, as they should
    tile = np.minimum(tile, tiles.N_TILES - 1)
    suit_change, other_change = sign * _SUITS[tile], sign * _OTHERS[tile]
    called = np.flatnonzero((kind != DRAW) & (kind != DISCARD) & (kind != KAKAN) & (kind != KITA))
    suit_change[called], other_change[called] = _called_off(play, places[called])
    suits_after, others_after = np.cumsum(suit_change, dtype=U64), np.cumsum(other_change, dtype=U64)
    begins = np.flatnonzero(np.diff(hand, prepend=-1))
    length = np.diff(begins, append=len(hand))
    before_suits = np.repeat((suits_after - suit_change)[begins], length)
    before_others = np.repeat((others_after - other_change)[begins], length)
    return places, suits_after - before_suits + suits[hand], others_after - before_others + others[hand]


def _called_off(play: Play, places: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """What calls change the words of their hands by: own tiles laid down, a meld more."""
    kind, tile, low = play.kind[places], play.tile[places], play.meld_kind[places].astype(np.int64)
    is_run = kind == CHI
    n_own = np.select([kind == PON, kind == DAIMINKAN], [2, 3], 4).astype(U64)
    suits, others = n_own * _SUITS[low], n_own * _OTHERS[low]
    run = low[is_run]
    suits[is_run] = _SUITS[run] + _SUITS[run + 1] + _SUITS[run + 2] - _SUITS[KIND_OF_TILE[tile[is_run]]]
    n_red = play.meld_red[places] - ((tile >= tiles.N_KINDS) & (kind != ANKAN))
    red = np.multiply(n_red, 1 << _RED + 4 * np.minimum(low // 9, 2), dtype=np.int64).view(U64)
    meld = (1 << _MELDS) + ((~is_run & (low == SOUTH)) << _SOUTHS) + ((~is_run & (low == NORTH)) << _NORTHS)
    return U64(0) - suits, meld.astype(U64) - others - red


def _waits(suits: np.ndarray, others: np.ndarray) -> np.ndarray:
    """As `waits`, of the words of hands."""
    of_war = np.stack([others >> U64(by) & U64(15) for by in (_SOUTHS, _NORTHS)], axis=1).astype(np.int8)
    n_melds = (others >> U64(_MELDS) & U64(15)).astype(np.int8)
    return waits(suits, (others & _HONOUR_BITS).astype(np.int32), n_melds, of_war)


def _first_draw_waits(suits: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Kinds that make a dealt hand thirteen or fourteen kinds of which no two are near each other."""
    found = np.zeros(len(suits), U64)
    kinds = _kinds(suits, others)
    rows = np.flatnonzero((np.bitwise_count(kinds) >= 12) & is_apart(kinds))
    for bit in tiles.BIT:
        fits = (np.bitwise_count(kinds[rows] | bit) >= 13) & is_apart(kinds[rows] | bit)
        found[rows[fits]] |= bit
    return found


def _kinds(suits: np.ndarray, others: np.ndarray) -> np.ndarray:
    held = counts(suits, others & _HONOUR_BITS) > 0
    return (held * tiles.BIT).sum(axis=1, dtype=U64)


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
    def of(cls, play: Play, hands: _Hands) -> _Found:
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
    def _shaped(cls, play: Play, hands: _Hands, place: np.ndarray, state: np.ndarray) -> _Found:
        """With the forms of each; of a concealed kan only thirteen orphans may take a tile."""
        by_form = _waits(hands.suits[state], hands.others[state])
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


def _on_first_draw(play: Play, hands: _Hands, place: np.ndarray, state: np.ndarray) -> np.ndarray:
    """What a draw may complete in the first turn alone: on the hand dealt, no call of anybody before."""
    n_dealt = len(hands.first_draw_waits)
    found = np.zeros(len(place), U64)
    dealt = np.flatnonzero(state < n_dealt)
    dealt = dealt[hands.first_draw_waits[state[dealt]] != 0]
    for index in dealt.tolist():  # one hand in some thousands
        before = play.kind[play.start[state[index] // 4] : place[index]]
        if not np.isin(before, [CHI, PON, DAIMINKAN, ANKAN, KAKAN, KITA]).any():
            found[index] = hands.first_draw_waits[state[index]]
    return found


# ---------------------------------------------------------------------------------------- columns of the table


def _meld_slots(play: Play, place: np.ndarray, hand: np.ndarray) -> dict[str, pa.Array]:
    """The melds of hands before a place, in call order; an added kan stays in the slot of its triplet."""
    never = len(play.kind)
    called = np.flatnonzero(np.isin(play.kind, [CHI, PON, DAIMINKAN, ANKAN]))
    called = called[np.argsort(play.hand[called], kind="stable")]
    first, beyond = _own_places(play, called, place, hand)
    added = {}
    for event in np.flatnonzero(play.kind == KAKAN).tolist():
        added[int(play.hand[event]), int(play.meld_kind[event])] = event
    place_added = np.full(len(called), never)
    for index in np.flatnonzero(play.kind[called] == PON).tolist() if added else ():
        event = called[index]
        place_added[index] = added.get((int(play.hand[event]), int(play.meld_kind[event])), never)
    called, place_added = np.append(called, 0), np.append(place_added, never)

    columns: dict[str, pa.Array] = {}
    for slot in range(4):
        none = first + slot >= beyond
        at = np.where(none, len(called) - 1, first + slot)
        event = called[at]
        last = np.where(place_added[at] < place, place_added[at], event)
        kind = play.kind[last]
        unfed = none | (kind == ANKAN)
        name = f"meld_{slot + 1}"
        columns |= {
            name: words(_MELD_CODE[kind], MELD_KINDS, missing=none),
            f"{name}_kind": pa.array(play.meld_kind[event], mask=none),
            f"{name}_from": pa.array(play.from_seat[event], mask=unfed),
            f"{name}_called": pa.array(play.tile[event], mask=unfed),
            f"{name}_red": pa.array(play.meld_red[last], mask=none),
        }
    return columns


_MELD_CODE = np.array([MELD_KINDS.index(word) if word in MELD_KINDS else 0 for word in ACTION_KINDS], np.int8)


def _own_places(
    play: Play, places: np.ndarray, place: np.ndarray, hand: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Of places sorted by hand and play, the first of each hand, and one past its last before a place."""
    width = len(play.kind) + 1
    key = play.hand[places] * width + places
    return np.searchsorted(key, hand * width), np.searchsorted(key, hand * width + place)


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
    declared = play.first_by_hand(play.places(ACTION_KINDS.index("riichi")))
    return declared[hand] < place


def _rivers(play: Play, place: np.ndarray, hand: np.ndarray) -> np.ndarray:
    """Kinds the seat had discarded, those that others called included, as masks."""
    discards = play.places(DISCARD)
    discards = discards[np.argsort(play.hand[discards], kind="stable")]
    first, beyond = _own_places(play, discards, place, hand)
    n = beyond - first
    of = np.repeat(np.arange(len(hand)), n)
    source = np.arange(len(of)) + np.repeat(first - (np.cumsum(n) - n), n)
    masks = np.zeros(len(hand), U64)
    np.bitwise_or.at(masks, of, tiles.BIT_OF_TILE[play.tile[discards[source]]])
    return masks


def _passed(told: pa.Table, hand: np.ndarray, tile: np.ndarray, is_tsumo: np.ndarray) -> dict[str, np.ndarray]:
    """Kinds each seat had passed up: others' tiles that completed its hand and that it did not win on."""
    later, earlier = earlier_rows(hand)
    n_draws, is_riichi = numbers(told["n_own_draws"]), told["is_riichi"].to_numpy()
    bit = tiles.BIT_OF_TILE[tile]
    since_draw, since_riichi = np.zeros(len(hand), U64), np.zeros(len(hand), U64)
    offered = ~is_tsumo[earlier]
    same_turn = offered & (n_draws[earlier] + is_tsumo[later] == n_draws[later])
    np.bitwise_or.at(since_draw, later[same_turn], bit[earlier[same_turn]])
    in_riichi = offered & is_riichi[earlier]
    np.bitwise_or.at(since_riichi, later[in_riichi], bit[earlier[in_riichi]])
    return {"passed_mask": since_draw, "passed_riichi_mask": since_riichi}


def earlier_rows(hand: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """All pairs of chances of one hand (4 * round + seat): the later row, the earlier row."""
    order = np.argsort(hand, kind="stable")
    begins = np.flatnonzero(np.diff(hand[order], prepend=-1))
    nth = np.arange(len(order)) - np.repeat(begins, np.diff(begins, append=len(order)))
    later = np.repeat(np.arange(len(order)), nth)
    step = np.arange(len(later)) - np.repeat(np.cumsum(nth) - nth, nth)
    return order[later], order[later - 1 - step]


def _claims(
    tables: Mapping[str, pa.Table], keys: Keys, play: Play, found: _Found, ends: np.ndarray
) -> dict[str, np.ndarray | pa.Array]:
    """Who took the tile: the row of the recorded win of this hand, calls, wins and claims of others."""
    row, winner = found.hand // 4, found.hand % 4
    after = play.move_after(found.place, row)
    is_called = IS_CLAIM[play.kind[after]] & (play.kind[found.place] == DISCARD)
    wins = tables["wins"]
    win_of_hand = np.full(len(play.start) * 4, -1)
    win_of_hand[4 * keys.rows(wins, "wins") + numbers(wins["winner"])] = np.arange(len(wins))
    win_row = np.where(ends, win_of_hand[found.hand], -1)
    has_won = (win_of_hand >= 0).reshape(-1, 4)[row] & ends[:, None]

    draws = tables["draws"]
    is_aborted = codes(draws["kind"], DRAW_KINDS) == _SANCHAHOU
    has_claimed = np.zeros((len(play.start), 4), bool)
    has_claimed[keys.rows(draws, "draws")[is_aborted]] = by_seat(draws, "is_tenpai", False)[is_aborted]
    of_abort = has_claimed[row] & ends[:, None]
    is_own = np.arange(4) == winner[:, None]
    return {
        "win_row": win_row,
        "called_by": pa.array((play.hand[after] % 4).astype(np.int8), mask=~is_called),
        "called_as": words(_MELD_CODE[play.kind[after]], MELD_KINDS, missing=~is_called),
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
