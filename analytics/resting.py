"""Resting hands: what a seat holds between a discard or kan and its next draw, thirteen tiles less three per meld.

All of a batch are found at once: a hand is two words of counts that add up over its actions. Between two of its own
actions nothing changes it, so its waits are found once, and the tiles others offer meanwhile are asked for among them.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from parsers.schema import ACTION_KINDS, MELD_KINDS, words

from .circumstances import ANKAN, CHI, DAIMINKAN, DISCARD, DRAW, KAKAN, KIND_OF_TILE, KITA, PON, Play
from .scoring import tiles
from .scoring.tiles import U64
from .waits import counts, is_apart, waits

SOUTH, NORTH = 28, 30

# A hand is two words that add up over its actions: the suits, three base-5 numbers side by side; and the honours,
# a base-5 number of 17 bits, then three bits each of red fives by suit, of melds, and of melds of south and north.
_HONOUR_BITS = U64((1 << 17) - 1)
_RED, _MELDS, _SOUTHS, _NORTHS = 20, 32, 36, 40
_SUITS = np.array([5 ** (kind % 9) << 21 * (kind // 9) if kind < 27 else 0 for kind in KIND_OF_TILE], U64)
_OTHERS = np.array([5 ** (kind - 27) if kind >= 27 else 0 for kind in KIND_OF_TILE], U64)
_OTHERS[34:] += np.array([1 << _RED + 4 * suit for suit in range(3)], U64)


@dataclass
class Resting:
    """The resting hands of a batch, first those dealt, one per seat and round.

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
    def of(cls, rounds: pa.Table, play: Play) -> Resting:
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

    def waits_by_form(self, rows: np.ndarray) -> np.ndarray:
        """As `waits.waits`, of some of the hands."""
        return _waits(self.suits[rows], self.others[rows])

    def n_melds(self, rows: np.ndarray) -> np.ndarray:
        return (self.others[rows] >> U64(_MELDS) & U64(15)).astype(np.int64)

    def counts(self, rows: np.ndarray) -> np.ndarray:
        """Concealed tiles of each kind, int8 (n, 34)."""
        return counts(self.suits[rows], self.others[rows] & _HONOUR_BITS)

    def are_sound(self, rows: np.ndarray) -> np.ndarray:
        """Whether hands hold as many tiles as they should: after a discard of a tile that is not there they do not."""
        return self.counts(rows).sum(axis=1) == 13 - 3 * self.n_melds(rows)

    def concealed(self, rows: np.ndarray, tile: np.ndarray) -> pa.Array:
        """The tiles of some of the hands and one more for each, as lists of tiles 0-36 in order."""
        held = np.zeros((len(rows), tiles.N_TILES), np.int64)
        held[:, : tiles.N_KINDS] = self.counts(rows)
        for suit in range(3):
            n_red = (self.others[rows] >> U64(_RED + 4 * suit) & U64(7)).astype(np.int64)
            held[:, 9 * suit + 4] -= n_red
            held[:, tiles.N_KINDS + suit] += n_red
        held[np.arange(len(rows)), tile] += 1
        offsets = np.append(0, np.cumsum(held.sum(axis=1))).astype(np.int32)
        values = np.repeat(np.tile(np.arange(tiles.N_TILES, dtype=np.uint8), len(rows)), held.ravel())
        return pa.ListArray.from_arrays(pa.array(offsets), pa.array(values))


_IS_RESTING = np.isin(np.arange(len(ACTION_KINDS)), [DISCARD, DAIMINKAN, ANKAN, KAKAN, KITA])
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


def meld_slots(play: Play, place: np.ndarray, hand: np.ndarray) -> dict[str, pa.Array]:
    """The melds of hands before a place, in call order; an added kan stays in the slot of its triplet."""
    never = len(play.kind)
    called = np.flatnonzero(np.isin(play.kind, [CHI, PON, DAIMINKAN, ANKAN]))
    called = called[np.argsort(play.hand[called], kind="stable")]
    first, beyond = own_places(play, called, place, hand)
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


def own_places(
    play: Play, places: np.ndarray, place: np.ndarray, hand: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Of places sorted by hand and play, the first of each hand, and one past its last before a place."""
    width = len(play.kind) + 1
    key = play.hand[places] * width + places
    return np.searchsorted(key, hand * width), np.searchsorted(key, hand * width + place)
