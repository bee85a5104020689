"""Sets of tile kinds as 34-bit masks, and small tables indexed by kind or tile.

Bit k of a mask stands for kind k: 0-8 man, 9-17 pin, 18-26 sou, 27-30 winds, 31-33 dragons.
"""

from __future__ import annotations

import numpy as np

U64 = np.uint64
N_KINDS, N_TILES = 34, 37

SUITS = tuple(U64(0x1FF << shift) for shift in (0, 9, 18))
NUMBERS = U64((1 << 27) - 1)
WINDS = U64(0b1111 << 27)
DRAGONS = U64(0b111 << 31)
HONOURS = WINDS | DRAGONS
TERMINALS = U64(sum(1 << (9 * suit + number) for suit in range(3) for number in (0, 8)))
YAOCHUU = TERMINALS | HONOURS
SIMPLES = NUMBERS & ~TERMINALS
GREENS = U64(sum(1 << kind for kind in (19, 20, 21, 23, 25, 32)))
ALL = U64((1 << N_KINDS) - 1)

KIND_OF_TILE = np.array([*range(34), 4, 13, 22], np.uint8)
BIT = np.left_shift(U64(1), np.arange(N_KINDS, dtype=U64))
BIT_OF_TILE = BIT[KIND_OF_TILE]
IS_RED = np.arange(N_TILES) >= N_KINDS


def dora_of(players: int) -> np.ndarray:
    """Kind that each indicator kind (0-33) points to; with three players 1m points to 9m."""
    kinds = np.arange(N_KINDS)
    after = np.where(kinds < 27, kinds // 9 * 9 + (kinds + 1) % 9, 0)
    after[27:31] = 27 + (kinds[27:31] - 27 + 1) % 4
    after[31:34] = 31 + (kinds[31:34] - 31 + 1) % 3
    if players == 3:
        after[0] = 8
    return after.astype(np.uint8)


# Runs are packed as 21 counts of three bits: count i belongs to the run that starts at suit i // 7, number i % 7.
RUN_ONES = U64(sum(1 << (3 * i) for i in range(21)))


def run_bits(starts: tuple[int, ...], suits: tuple[int, ...] = (0, 1, 2)) -> np.uint64:
    """Mask over packed runs with the given start numbers (1-7) in the given suits."""
    return U64(sum(1 << (3 * (7 * suit + start - 1)) for suit in suits for start in starts))


TERMINAL_STARTS = U64(sum(1 << (9 * suit + number) for suit in range(3) for number in (0, 6)))


def _run_of_start() -> np.ndarray:
    """Per kind, the packed-run bit of the run that starts there; 0 if none can."""
    table = np.zeros(N_KINDS, U64)
    for kind in range(27):
        suit, number = divmod(kind, 9)
        if number <= 6:
            table[kind] = 1 << (3 * (7 * suit + number))
    return table


RUN_OF_START = _run_of_start()


def words(columns: np.ndarray) -> np.ndarray:
    """Bit columns in words: uint8 (8 k, n), eight columns a byte, as uint64 (k, n), the lowest byte first."""
    n_bytes, n = columns.shape
    found = np.empty((n_bytes // 8, n, 8), np.uint8)
    for byte, column in enumerate(columns):
        found[byte // 8, :, byte % 8] = column
    return found.view("<u8")[:, :, 0]
