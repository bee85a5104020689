"""How the hand was won, and the plain facts that guards are made of."""

from ..facts import hand_fact
from ..hands import Hands
from ..readings import Bits


@hand_fact
def closed(h: Hands) -> Bits:
    """No tile was called for a set; concealed kans are allowed."""
    return h.is_closed


@hand_fact
def tsumo(h: Hands) -> Bits:
    """Won by self-draw."""
    return h.is_tsumo


@hand_fact
def dealer(h: Hands) -> Bits:
    """The winner is the dealer."""
    return h.is_dealer


@hand_fact
def kan(h: Hands) -> Bits:
    """There is a kan among the melds."""
    return h.kans != 0


@hand_fact
def three_players(h: Hands) -> Bits:
    """A game of three."""
    return h.players == 3


@hand_fact
def riichi(h: Hands) -> Bits:
    """An accepted riichi, double riichi included."""
    return h.flag("riichi") | h.flag("double_riichi")


@hand_fact
def double_riichi(h: Hands) -> Bits:
    """Riichi with the first own discard, no call or kan before."""
    return h.flag("double_riichi")


@hand_fact
def ippatsu(h: Hands) -> Bits:
    """Within one go-around of the own riichi, unbroken by any call or kan."""
    return h.flag("ippatsu") & riichi(h)


@hand_fact
def menzen_tsumo(h: Hands) -> Bits:
    """Closed hand won by self-draw."""
    return h.is_closed & h.is_tsumo


@hand_fact
def chankan(h: Hands) -> Bits:
    """Ron on the tile another player adds to a triplet."""
    return h.flag("chankan") & ~h.is_tsumo


@hand_fact
def rinshan_kaihou(h: Hands) -> Bits:
    """Self-draw of a replacement tile."""
    return h.flag("rinshan") & h.is_tsumo


@hand_fact
def haitei_raoyue(h: Hands) -> Bits:
    """Self-draw of the last live tile, not of a replacement tile."""
    return h.flag("haitei") & h.is_tsumo & ~h.flag("rinshan")


@hand_fact
def houtei_raoyui(h: Hands) -> Bits:
    """Ron on the last discard."""
    return h.flag("houtei") & ~h.is_tsumo & ~h.flag("chankan")


@hand_fact
def tenhou(h: Hands) -> Bits:
    """Dealer's self-draw on the dealt fourteen tiles, without a kan."""
    return h.flag("tenhou") & h.is_tsumo & (h.n_melds == 0)


@hand_fact
def chiihou(h: Hands) -> Bits:
    """Non-dealer's self-draw on the first own draw, before any call or kan."""
    return h.flag("chiihou") & h.is_tsumo & (h.n_melds == 0)
