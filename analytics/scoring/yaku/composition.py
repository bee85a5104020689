"""Which kinds of tiles the whole hand is made of: the same for every reading."""

import numpy as np

from .. import tiles
from ..facts import hand_fact
from ..hands import Hands
from ..readings import Bits


def n_suits(h: Hands) -> np.ndarray:
    """How many of the three suits occur."""
    return sum(((h.kinds & suit) != 0).astype(np.int8) for suit in tiles.SUITS)


@hand_fact
def tanyao(h: Hands) -> Bits:
    """All simples: only 2-8 of the suits."""
    return h.kinds & tiles.YAOCHUU == 0


@hand_fact
def honitsu(h: Hands) -> Bits:
    """One suit and honours, both present."""
    return (n_suits(h) == 1) & (h.kinds & tiles.HONOURS != 0)


@hand_fact
def chinitsu(h: Hands) -> Bits:
    """One suit only."""
    return (n_suits(h) == 1) & (h.kinds & tiles.HONOURS == 0)


@hand_fact
def honroutou(h: Hands) -> Bits:
    """Only terminals and honours, at least one of each."""
    return (h.kinds & tiles.SIMPLES == 0) & (h.kinds & tiles.TERMINALS != 0) & (h.kinds & tiles.HONOURS != 0)


@hand_fact
def chinroutou(h: Hands) -> Bits:
    """Only terminals."""
    return h.kinds & ~tiles.TERMINALS == 0


@hand_fact
def tsuuiisou(h: Hands) -> Bits:
    """Only honours."""
    return h.kinds & tiles.NUMBERS == 0


@hand_fact
def ryuuiisou(h: Hands) -> Bits:
    """Only 2, 3, 4, 6, 8 of sou and the green dragon."""
    return h.kinds & ~tiles.GREENS == 0


@hand_fact
def green_dragon(h: Hands) -> Bits:
    """The green dragon occurs."""
    return h.kinds & tiles.BIT[32] != 0


_NINE_GATES = sum((3 if number in (0, 8) else 1) * 5**number for number in range(9))


@hand_fact
def chuuren_poutou(h: Hands) -> Bits:
    """Nine gates: closed 1112345678999 of one suit and one more tile of it, no kan."""
    return _extra_gate(h) >= 0


@hand_fact
def junsei_chuuren_poutou(h: Hands) -> Bits:
    """Nine gates won on the tile beyond 1112345678999, a nine-sided wait."""
    extra = _extra_gate(h)
    return (extra >= 0) & (extra == h.win_kind % 9)


def _extra_gate(h: Hands) -> np.ndarray:
    """Number (0-8) of the tile beyond 1112345678999, or -1."""
    extra = np.full(len(h), -1, np.int8)
    for suit, mask in enumerate(tiles.SUITS):
        rows = np.flatnonzero((h.concealed == mask) & (h.n_melds == 0))
        beyond = h.suit(suit)[rows] - _NINE_GATES
        for number in range(9):
            extra[rows[beyond == 5**number]] = number
    return extra
