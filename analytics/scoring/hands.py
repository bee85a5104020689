"""Hands: what the engine knows of each win, as columns.

One row is one complete hand with its circumstances. Made from a store (`from_tables`), or from single hand cases;
the engine reads nothing else.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cache, wraps
from typing import Self

import numpy as np
import pyarrow as pa

from parsers.schema import MELD_KINDS, codes

from . import tiles
from .tiles import U64

CHI, PON, DAIMINKAN, ANKAN, KAKAN = range(5)
FLAGS = (
    "riichi",
    "double_riichi",
    "open_riichi",
    "pon_riichi",
    "tsumosen_riichi",
    "bunbun_riichi",
    "ippatsu",
    "haitei",
    "houtei",
    "rinshan",
    "chankan",
    "tenhou",
    "chiihou",
    "declaration_tile",
    "replacement_sideways",
    "double_declaration",
    "after_kan_discard",
    "loser_riichi",
    "loser_riichi_before_open",
    "loser_dealer",
    "last_tile",
    "no_own_draw",
    "no_own_discard",
    "no_calls",
    "no_opponent_calls",
    "riichi_before",
    "dealer_first_discard",
    "first_go_around",
    "kan_chain_2",
    "kan_chain_3",
    "kan_chain_4",
    "concealed_kan_chain",
    "last_copy",
    "red_man",
    "red_pin",
    "red_sou",
    "eighth_1",
    "eighth_2",
    "eighth_3",
    "beyond_eighth_1",
    "beyond_eighth_2",
    "beyond_eighth_3",
    "dealer_eighth_1",
    "dealer_eighth_2",
    "dealer_eighth_3",
    "holder_eighth_1",
)
"""Circumstances the engine takes as given, one bit each in `Hands.flags`.

`last_copy`: the other three copies of the winning tile were visible outside the concealed hand. `eighth_D`: with this
win the winner's counter of paarenchan, definition D, reaches a multiple of eight; `beyond_eighth_D`: eight or more;
`dealer_eighth_D`, `holder_eighth_1`: the dealer, or anybody else under definition 1, stood one short of eight.
"""

DORA_COLUMNS = ("n_dora", "n_kan_dora", "n_ura", "n_kan_ura", "n_aka", "n_kita")

# Three suits as base-5 numbers of nine digits (21 bits each) in one word, the honours as seven digits in another with
# a count of the red fives of each suit above them: a column of hands is then a sum over its tiles, and each suit is
# one look-up away from its decompositions.
_SUIT_WEIGHT = np.array([5 ** (k % 9) << (21 * (k // 9)) if k < 27 else 0 for k in tiles.KIND_OF_TILE.tolist()], U64)
_HONOUR_WEIGHT = np.array(
    [5 ** (k - 27) if 27 <= k < 34 else 1 << (17 + 3 * (k - 34)) if k >= 34 else 0 for k in range(tiles.N_TILES)],
    np.uint32,
)
_SUIT_BITS, _HONOUR_BITS = U64((1 << 21) - 1), np.uint32((1 << 17) - 1)
_AT_ONCE = 1 << 13
"""Hands whose tiles are summed at once: what stays in cache."""


def column(function: Callable) -> Callable:
    """A column derived from hands or readings, computed once for each batch of them.

    Some rows of a batch take it from there if it is known, or else compute it of themselves.
    """

    @wraps(function)
    def once(columns: Columns, *args):
        key = (function, *args)
        known = columns.derived
        if key not in known:
            whole = columns.whole
            if whole is not None and isinstance(found := whole.derived.get(key), np.ndarray):
                known[key] = found[columns.rows]
            else:
                known[key] = function(columns, *args)
        return known[key]

    return once


def derived(function: Callable) -> property:
    """A `column` that is read as an attribute."""
    return property(column(function))


class Columns:
    """Columns of equal length. Those of some of the rows are gathered one by one, when they are asked for."""

    whole: Columns | None = None
    rows: np.ndarray | None = None

    def __getitem__(self, rows: slice | np.ndarray) -> Self:
        if isinstance(rows, slice):
            return replace(self, **{name: getattr(self, name)[rows] for name in self.columns()})
        some = object.__new__(type(self))
        some.__dict__.update({name: getattr(self, name) for name in self._kept()}, whole=self, rows=rows)
        return some

    def __len__(self) -> int:
        return len(self.rows if self.rows is not None else getattr(self, next(iter(self.columns()))))

    def __getattr__(self, name: str):
        whole = self.__dict__.get("whole")
        if whole is None or name not in self.columns():
            raise AttributeError(name)
        found = self.__dict__[name] = getattr(whole, name)[self.rows]
        return found

    @classmethod
    @cache
    def columns(cls) -> tuple[str, ...]:
        """Names of the columns that are given, not derived."""
        return tuple(f.name for f in fields(cls) if f.type == "np.ndarray")

    @classmethod
    @cache
    def _kept(cls) -> frozenset[str]:
        """Names of what is not a column, and the same for all rows."""
        return frozenset(f.name for f in fields(cls)) - {*cls.columns()}

    @property
    def derived(self) -> dict:
        return self.__dict__.setdefault("_derived", {})


@dataclass(frozen=True)
class Hands(Columns):
    """Columns of equal length n.

    Attributes
    ----------
    suits, honours : uint64, uint32
        Concealed tiles, the winning one included, as counts (see `suit`).
    concealed : uint64
        Kinds among the concealed tiles.
    meld_kind, meld_tile : int8 (n, 4), uint8 (n, 4)
        Melds in call order: index into parsers.schema.MELD_KINDS or -1, and the lowest kind.
    win_kind : uint8
        Kind of the winning tile.
    is_tsumo : bool
    seat_wind, round_wind : int8
        0 east to 3 north, -1 not stated.
    players : int8
    flags, known : uint64
        One bit per name in FLAGS: whether it holds, and whether the source could tell.
    n_dora, n_kan_dora, n_ura, n_kan_ura, n_aka, n_kita : uint8
        Dora of each kind in the whole hand.
    """

    suits: np.ndarray
    honours: np.ndarray
    concealed: np.ndarray
    meld_kind: np.ndarray
    meld_tile: np.ndarray
    win_kind: np.ndarray
    is_tsumo: np.ndarray
    seat_wind: np.ndarray
    round_wind: np.ndarray
    players: np.ndarray
    flags: np.ndarray
    known: np.ndarray
    n_dora: np.ndarray
    n_kan_dora: np.ndarray
    n_ura: np.ndarray
    n_kan_ura: np.ndarray
    n_aka: np.ndarray
    n_kita: np.ndarray

    def suit(self, index: int) -> np.ndarray:
        """Concealed tiles of suit 0 man, 1 pin, 2 sou as a base-5 number, the count of number i+1 at digit i."""
        return ((self.suits >> U64(21 * index)) & _SUIT_BITS).astype(np.int32)

    def flag(self, name: str) -> np.ndarray:
        """One circumstance as a boolean column."""
        return self.flags & flag_bit(name) != 0

    @derived
    def n_melds(self) -> np.ndarray:
        # Four bytes at once: a slot without a meld has the sign bit.
        slots = np.ascontiguousarray(self.meld_kind).view("<u4")[:, 0]
        return np.bitwise_count(~slots & np.uint32(0x80808080))

    @derived
    def is_closed(self) -> np.ndarray:
        """No chi, pon or open kan; concealed kans leave a hand closed."""
        return self.called_triplets | self.called_starts == 0

    @derived
    def _melds(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """Per slot, the rows that have a meld there, and its kind and tile as an index into the tables by meld."""
        return self._slots(0)

    @derived
    def _kans(self) -> list[tuple[np.ndarray, np.ndarray]]:
        """The same of kans alone, which are few."""
        return self._slots(DAIMINKAN)

    def _slots(self, first_kind: int) -> list[tuple[np.ndarray, np.ndarray]]:
        slots = []
        for slot in range(4):
            kind = self.meld_kind[:, slot]
            rows = np.flatnonzero(kind >= first_kind)
            slots.append((rows, (kind[rows] + np.intp(1)) * tiles.N_KINDS + self.meld_tile[rows, slot]))
        return slots

    def _joined(self, melds: list, table: np.ndarray, join: np.ufunc = np.bitwise_or) -> np.ndarray:
        """Melds looked up and joined."""
        found = np.zeros(len(self), U64)
        for rows, code in melds:
            found[rows] = join(found[rows], table[code])
        return found

    @derived
    def called_triplets(self) -> np.ndarray:
        """Kinds of pons and open kans."""
        return self._joined(self._melds, _CALLED_TRIPLET)

    @derived
    def concealed_kans(self) -> np.ndarray:
        return self._joined(self._kans, _CONCEALED_KAN)

    @derived
    def kans(self) -> np.ndarray:
        return self._joined(self._kans, _KAN)

    @derived
    def called_runs(self) -> np.ndarray:
        """Chis as packed run counts."""
        return self._joined(self._melds, _RUN, np.add)

    @derived
    def called_starts(self) -> np.ndarray:
        """Kinds that start a chi."""
        return self._joined(self._melds, _START)

    @derived
    def kinds(self) -> np.ndarray:
        """Kinds in the whole hand, melds included."""
        return self.concealed | self._joined(self._melds, _MELD_KINDS)

    @derived
    def seat_bit(self) -> np.ndarray:
        """The seat wind as a mask of one kind, 0 where it is not stated."""
        return _WIND_BIT[self.seat_wind]

    @derived
    def round_bit(self) -> np.ndarray:
        return _WIND_BIT[self.round_wind]

    @derived
    def is_dealer(self) -> np.ndarray:
        return self.seat_wind == 0


def flag_bit(name: str) -> np.uint64:
    """The bit of a circumstance in `Hands.flags`."""
    return U64(1 << FLAGS.index(name))


def _by_meld(kinds: tuple[int, ...], of_kind: np.ndarray) -> np.ndarray:
    """A table over kinds and tiles of melds: what stands for the lowest kind in melds of these kinds, else 0."""
    table = np.zeros(256, U64)
    for kind in kinds:
        first = (kind + 1) * tiles.N_KINDS
        table[first : first + tiles.N_KINDS] = of_kind
    return table


_CALLED_TRIPLET = _by_meld((PON, DAIMINKAN, KAKAN), tiles.BIT)
_CONCEALED_KAN = _by_meld((ANKAN,), tiles.BIT)
_KAN = _by_meld((DAIMINKAN, ANKAN, KAKAN), tiles.BIT)
_RUN = _by_meld((CHI,), tiles.RUN_OF_START)
_START = _by_meld((CHI,), tiles.BIT)
_MELD_KINDS = _CALLED_TRIPLET | _CONCEALED_KAN | _by_meld((CHI,), tiles.BIT * U64(0b111))


@cache
def any_flag(names: str) -> Callable[[Hands], np.ndarray]:
    """A column of the hands of which one of these circumstances holds, names apart by blanks."""
    bits = U64(sum(int(flag_bit(name)) for name in names.split()))

    def among(h: Hands) -> np.ndarray:
        return h.flags & bits != 0

    return among


ALL_KNOWN = U64((1 << len(FLAGS)) - 1)
_WIND_BIT = np.append(tiles.BIT[27:31], U64(0))  # index -1: not stated


@cache
def _kinds_of(n: int) -> np.ndarray:
    """By a base-5 number of n digits, the digits that are not 0, as bits."""
    present = np.zeros(1, np.uint16)
    for digit in range(n):
        present = np.concatenate([present, *4 * [present | np.uint16(1 << digit)]])
    return present


def tile_sums(tiles_column: pa.Array) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """The columns `suits`, `honours`, `concealed` of a list column of tiles 0-36; no list may be null.

    Last, whether there is a red five of man, pin, sou, bool (3, n).
    """
    offsets = tiles_column.offsets.to_numpy()
    values = tiles_column.values.to_numpy(zero_copy_only=False)
    n = len(tiles_column)
    suits, honours, kinds, reds = np.zeros(n, U64), np.zeros(n, np.uint32), np.zeros(n, U64), np.zeros((3, n), bool)
    for first in range(0, n, _AT_ONCE):
        piece = slice(first, min(first + _AT_ONCE, n))
        bounds = offsets[first : piece.stop + 1].astype(np.intp)
        index = values[bounds[0] : bounds[-1]].astype(np.intp)
        bounds -= bounds[0]
        suits[piece], sums = _sums(_SUIT_WEIGHT, index, bounds), _sums(_HONOUR_WEIGHT, index, bounds)
        honours[piece] = sums & _HONOUR_BITS
        kinds[piece] = _kinds_of(7).take(honours[piece]).astype(U64) << U64(27)
        for suit in range(3):
            of_suit = (suits[piece] >> U64(21 * suit) & _SUIT_BITS).view(np.intp)
            kinds[piece] |= _kinds_of(9).take(of_suit).astype(U64) << U64(9 * suit)
            reds[suit, piece] = sums >> np.uint32(17 + 3 * suit) & np.uint32(7) != 0
    return suits, honours, kinds, reds


def _sums(weights: np.ndarray, index: np.ndarray, bounds: np.ndarray) -> np.ndarray:
    """Sums of weights between bounds, as differences of running sums; that these wrap does no harm."""
    running = np.zeros(len(index) + 1, weights.dtype)
    np.cumsum(weights.take(index), out=running[1:])
    return np.diff(running.take(bounds))


def from_tables(wins: pa.Table, circumstances: pa.Table) -> Hands:
    """Hands of the wins; both tables hold the same wins in the same order."""
    wins, circumstances = wins.combine_chunks(), circumstances.combine_chunks()

    def numbers(table: pa.Table, name: str, missing: int, dtype: type) -> np.ndarray:
        return _filled(table[name], missing).astype(dtype, copy=False)

    def of_melds(name: str) -> np.ndarray:
        return np.stack([_stored(wins[name.format(slot)]).astype(np.uint8) for slot in range(1, 5)], axis=1)

    concealed = wins["concealed"].combine_chunks() if wins.num_rows else pa.array([], wins["concealed"].type)
    suits, honours, kinds, reds = tile_sums(concealed)
    meld_kind = np.stack([codes(wins[f"meld_{slot}"], MELD_KINDS) for slot in range(1, 5)], axis=1)
    meld_tile, meld_red = of_melds("meld_{}_kind"), of_melds("meld_{}_red")
    at = np.flatnonzero((meld_kind >= 0) & (meld_red > 0))
    reds[meld_tile.ravel()[at] // 9, at // 4] = True
    flags, known = _flags(circumstances, reds)
    return Hands(
        suits=suits,
        honours=honours,
        concealed=kinds,
        meld_kind=meld_kind,
        meld_tile=np.where(meld_kind < 0, np.uint8(0), meld_tile),
        win_kind=tiles.KIND_OF_TILE[numbers(wins, "win_tile", 0, np.uint8)],
        is_tsumo=numbers(wins, "is_tsumo", False, bool),
        seat_wind=numbers(circumstances, "seat_wind", -1, np.int8),
        round_wind=numbers(circumstances, "round_wind", -1, np.int8),
        players=numbers(circumstances, "players", 4, np.int8),
        flags=flags,
        known=known,
        **{name: numbers(circumstances, name, 0, np.uint8) for name in DORA_COLUMNS},
    )


def _stored(column: pa.ChunkedArray) -> np.ndarray:
    """The values of a column of numbers or booleans as they are stored; those of nulls mean nothing."""
    array = column.combine_chunks()
    if not len(array):
        return np.zeros(0, array.type.to_pandas_dtype())
    values = array.buffers()[1]
    if pa.types.is_boolean(array.type):
        bits = np.unpackbits(np.frombuffer(values, np.uint8), bitorder="little")
        return bits[array.offset : array.offset + len(array)].view(bool)
    stored = np.frombuffer(values, array.type.to_pandas_dtype())
    return stored[array.offset : array.offset + len(array)]


def _filled(column: pa.ChunkedArray, missing: int | bool) -> np.ndarray:
    """The values of a column, nulls replaced."""
    stored = _stored(column)
    return np.where(column.is_valid().to_numpy(), stored, stored.dtype.type(missing)) if column.null_count else stored


_THRESHOLDS = {
    "last_tile": ("live_left", "==", 0),
    "no_own_draw": ("n_own_draws", "==", 0),
    "no_own_discard": ("n_own_discards", "==", 0),
    "no_calls": ("n_calls_before", "==", 0),
    "no_opponent_calls": ("n_opponent_calls_before", "==", 0),
    "kan_chain_2": ("n_kans_in_row", ">=", 2),
    "kan_chain_3": ("n_kans_in_row", ">=", 3),
    "kan_chain_4": ("n_kans_in_row", ">=", 4),
    "last_copy": ("n_visible", "==", 3),
}
"""Flags that are a count of the table `circumstances` against a number."""


def _flags(circumstances: pa.Table, reds: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Flags and which of them are known: a column that is missing or null tells nothing."""
    n = circumstances.num_rows
    flags, known, always = np.zeros((8, n), np.uint8), np.zeros(n, U64), U64(0)

    def tell(name: str, holds: np.ndarray) -> None:
        byte, bit = divmod(FLAGS.index(name), 8)
        flags[byte] |= holds.view(np.uint8) * np.uint8(1 << bit)  # for bytes faster than a shift

    for name in FLAGS:
        column, relation, number = _THRESHOLDS.get(name, (f"is_{name}", None, None))
        if column not in circumstances.column_names or circumstances[column].null_count == n:
            continue
        values = circumstances[column]
        if values.null_count:
            known |= np.multiply(values.is_valid().to_numpy(), flag_bit(name), dtype=U64)
        else:
            always |= flag_bit(name)
        if relation is None:
            tell(name, _filled(values, False))
        elif relation == "==":
            tell(name, _filled(values, -1) == number)
        else:
            tell(name, _filled(values, -1) >= number)
    for name, holds in zip(("red_man", "red_pin", "red_sou"), reds, strict=True):
        tell(name, holds)
        always |= flag_bit(name)
    return tiles.words(flags)[0], known | always


def concatenate(parts: list[Hands]) -> Hands:
    return Hands(**{f.name: np.concatenate([getattr(part, f.name) for part in parts]) for f in fields(Hands)})


def of_case(values: Mapping[str, object]) -> Hands:
    """One hand from plain values.

    `concealed` holds tiles 0-36 with the winning one, `melds` pairs (kind of meld, lowest kind), `flags` names of
    FLAGS; the rest as the columns of `Hands`.
    """
    suits, honours, kinds, _ = tile_sums(pa.array([values["concealed"]], pa.list_(pa.uint8())))
    melds = list(values.get("melds", ()))
    meld_kind, meld_tile = np.full((1, 4), -1, np.int8), np.zeros((1, 4), np.uint8)
    for slot, (kind, low) in enumerate(melds):
        meld_kind[0, slot], meld_tile[0, slot] = MELD_KINDS.index(kind), low
    flags = sum(int(flag_bit(name)) for name in values.get("flags", ()))
    return Hands(
        suits=suits,
        honours=honours,
        concealed=kinds,
        meld_kind=meld_kind,
        meld_tile=meld_tile,
        win_kind=np.array([values["win_kind"]], np.uint8),
        is_tsumo=np.array([values["is_tsumo"]], bool),
        seat_wind=np.array([values.get("seat_wind", -1)], np.int8),
        round_wind=np.array([values.get("round_wind", -1)], np.int8),
        players=np.array([values.get("players", 4)], np.int8),
        flags=np.array([flags], U64),
        known=np.array([ALL_KNOWN], U64),
        **{name: np.array([values.get(name, 0)], np.uint8) for name in DORA_COLUMNS},
    )
