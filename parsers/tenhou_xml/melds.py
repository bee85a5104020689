"""Meld codes of the tag N as columns.

A code is 16 bits. Bits 0-1: seat the tile came from, counted from the caller. Then by kind:

- chi (bit 2): bits 3-8 the copies of the three tiles, bits 10-15 = (run, which of the three was called) in
  base 3, where run = suit * 7 + lowest rank;
- pon (bit 3) and kakan (bit 4): bits 5-6 the copy left out (kakan: the one added), bits 9-15 = (kind, which of
  the three was called) in base 3;
- kita (bit 5): bits 8-15 the tile;
- else a kan: bits 8-15 the tile, called or, where it came from nobody, any of the four.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..events import KIND

NORTH = 30


@dataclass(slots=True)
class Melds:
    """Columns of decoded meld codes; -1 where a column does not apply."""

    kind: np.ndarray  # action kind, -1 for a code that is none
    low: np.ndarray  # lowest kind of the meld, 0-33
    tile: np.ndarray  # physical tile called, added or set aside; of an ankan the first copy
    relative: np.ndarray  # 1-3: seat it came from, counted from the caller
    red: np.ndarray  # red fives in it where red fives are played
    own: np.ndarray  # (n, 4): physical tiles laid down from the hand, -1 beyond them; what is added or set aside apart


_FIVES = np.zeros(34, np.int8)
_FIVES[[4, 13, 22]] = 1


def decode(code: np.ndarray) -> Melds:
    """The melds of an array of codes."""
    code = np.asarray(code, np.int32)
    chi = code & 0x04 != 0
    pon = code & 0x1C == 0x08
    kakan = code & 0x1C == 0x10
    kita = code & 0x3C == 0x20
    kan = code & 0x3C == 0
    relative = code & 3
    daiminkan = kan & (relative > 0)

    run, which_run = np.divmod(code >> 10, 3)
    triplet, which_copy = np.divmod(code >> 9, 3)
    single = code >> 8
    suit, rank = np.divmod(run, 7)
    first = suit * 9 + rank
    low = np.where(chi, first, np.where(pon | kakan, triplet, single >> 2))

    # chi: the three tiles are first..first+2, each with its copy in two bits
    chi_copy = code >> (3 + 2 * which_run) & 3
    chi_tile = (first + which_run) * 4 + chi_copy
    # pon and kakan: the copies but one, in order; the called one is the which_copy-th of them
    left_out = code >> 5 & 3
    pon_tile = triplet * 4 + which_copy + (which_copy >= left_out)
    tile = np.where(chi, chi_tile, np.where(pon, pon_tile, np.where(kakan, triplet * 4 + left_out, single)))

    valid = np.where(chi, (run < 21) & (relative == 3), np.where(pon | kakan, triplet < 34, single < 136))
    valid &= ~((pon | kakan) & (relative == 0)) & ~(kita & (low != NORTH))
    kind = np.select(
        [~valid, chi, pon, kakan, kita, daiminkan, kan],
        [-1] + [KIND[word] for word in ("chi", "pon", "kakan", "kita", "daiminkan", "ankan")],
        -1,
    ).astype(np.int8)

    red = _FIVES[np.where(valid, low, 0)] * ~kita
    red = np.where(pon, red * (left_out != 0), red)
    run_red = np.zeros(len(code), np.int8)
    for place in range(3):
        five = _FIVES[np.where(valid & chi, first + place, 0)]
        run_red += five * ((code >> (3 + 2 * place) & 3) == 0)
    red = np.where(chi, run_red, red)
    fed = chi | pon | kakan | daiminkan
    place = np.arange(4)
    run_tiles = (first[:, None] + place) * 4 + (code[:, None] >> (3 + 2 * place) & 3)
    own = np.where(chi[:, None], run_tiles, low[:, None] * 4 + place)
    is_other = (own == tile[:, None]) & fed[:, None]
    is_other |= chi[:, None] & (place == 3) | pon[:, None] & (place == left_out[:, None])
    own[is_other | (~valid | kakan | kita)[:, None]] = -1
    return Melds(kind, low, tile, np.where(fed, relative, -1), red.astype(np.int8), own)
