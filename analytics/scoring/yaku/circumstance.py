"""How the hand was won, and the plain facts that guards are made of."""

from ..facts import hand_fact, reading_fact
from ..hands import Hands, any_flag
from ..readings import KANCHAN, PENCHAN, STANDARD, TANKI, Bits, Readings

_OPEN = any_flag("open_riichi pon_riichi tsumosen_riichi bunbun_riichi")
_DECLARATION = any_flag("declaration_tile replacement_sideways double_declaration")
_LAST_OR_KAN = any_flag(
    "haitei houtei last_tile rinshan chankan after_kan_discard kan_chain_2 kan_chain_3 kan_chain_4 concealed_kan_chain"
)
_FIRST = any_flag("tenhou chiihou no_own_draw first_go_around dealer_first_discard")
_HISTORY = any_flag(
    "eighth_1 eighth_2 eighth_3 beyond_eighth_1 beyond_eighth_2 beyond_eighth_3 "
    "dealer_eighth_1 dealer_eighth_2 dealer_eighth_3 holder_eighth_1"
)

_1P, _5P, _9P, _1S, _2S, _WHITE = 9, 13, 17, 18, 19, 31


@hand_fact
def any_hand(h: Hands) -> Bits:
    """True of every hand."""
    return h.win_kind >= 0


@reading_fact
def standard_form(r: Readings) -> Bits:
    """Four sets and a pair."""
    return r.form == STANDARD


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
def three_players(h: Hands) -> Bits:
    """A game of three."""
    return h.players == 3


@hand_fact
def tsumo_or_from_dealer(h: Hands) -> Bits:
    """Won by self-draw or from the dealer."""
    return h.is_tsumo | h.flag("loser_dealer")


# ------------------------------------------------------------------------------------------ riichi


@hand_fact
def riichi(h: Hands) -> Bits:
    """An accepted riichi of any kind for a closed hand."""
    return h.flag("riichi") | h.flag("double_riichi") | h.flag("open_riichi")


@hand_fact
def double_riichi(h: Hands) -> Bits:
    """Riichi with the first own discard, no call or kan before."""
    return h.flag("double_riichi")


@hand_fact(among=_OPEN, asks="open_riichi")
def open_riichi(h: Hands) -> Bits:
    """Riichi declared with the hand shown."""
    return h.flag("open_riichi")


@hand_fact(among=_OPEN, asks="open_riichi")
def open_double_riichi(h: Hands) -> Bits:
    """Double riichi declared with the hand shown."""
    return h.flag("open_riichi") & h.flag("double_riichi")


@hand_fact(among=_OPEN, asks="open_riichi loser_riichi")
def open_riichi_deal_in(h: Hands) -> Bits:
    """Ron in open riichi from a discarder who is not in riichi."""
    return h.flag("open_riichi") & ~h.is_tsumo & ~h.flag("loser_riichi")


@hand_fact(among=_OPEN, asks="open_riichi loser_riichi_before_open")
def open_riichi_chaser_deal_in(h: Hands) -> Bits:
    """Ron in open riichi from a discarder who was not in riichi before it."""
    return h.flag("open_riichi") & ~h.is_tsumo & ~h.flag("loser_riichi_before_open")


@hand_fact(among=_OPEN, asks="pon_riichi")
def pon_riichi(h: Hands) -> Bits:
    """An open hand declared riichi."""
    return h.flag("pon_riichi") & ~h.is_closed


@hand_fact(among=_OPEN, asks="tsumosen_riichi")
def tsumosen(h: Hands) -> Bits:
    """Riichi with the promise to win by self-draw only, and so won."""
    return h.flag("tsumosen_riichi") & h.is_tsumo


@hand_fact(among=_OPEN, asks="bunbun_riichi")
def bunbun_riichi(h: Hands) -> Bits:
    """Open riichi with the promise to win by self-draw only, and so won."""
    return h.flag("bunbun_riichi") & h.is_tsumo


@hand_fact
def ippatsu(h: Hands) -> Bits:
    """Within one go-around of the own riichi, unbroken by any call or kan."""
    return h.flag("ippatsu") & riichi(h)


@hand_fact(among=_DECLARATION, asks="declaration_tile")
def tsubame_gaeshi(h: Hands) -> Bits:
    """Ron on the very tile the discarder declared riichi with."""
    return h.flag("declaration_tile") & ~h.is_tsumo


@hand_fact(among=_DECLARATION, asks="replacement_sideways")
def replacement_sideways(h: Hands) -> Bits:
    """Ron on the discard turned sideways in place of a called declaration tile."""
    return h.flag("replacement_sideways") & ~h.is_tsumo


@hand_fact(among=_DECLARATION, asks="double_declaration")
def double_declaration(h: Hands) -> Bits:
    """Ron on the tile the discarder declared double riichi with."""
    return h.flag("double_declaration") & ~h.is_tsumo


# ------------------------------------------------------------------------------ last tiles and kans


@hand_fact
def menzen_tsumo(h: Hands) -> Bits:
    """Closed hand won by self-draw."""
    return h.is_closed & h.is_tsumo


@hand_fact(among=_LAST_OR_KAN)
def chankan(h: Hands) -> Bits:
    """Ron on the tile another player adds to a triplet."""
    return h.flag("chankan") & ~h.is_tsumo


@hand_fact(among=_LAST_OR_KAN)
def rinshan_kaihou(h: Hands) -> Bits:
    """Self-draw of a replacement tile."""
    return h.flag("rinshan") & h.is_tsumo


@hand_fact(among=_LAST_OR_KAN)
def haitei_raoyue(h: Hands) -> Bits:
    """Self-draw of the last live tile, not of a replacement tile."""
    return h.flag("haitei") & h.is_tsumo & ~h.flag("rinshan")


@hand_fact(among=_LAST_OR_KAN, asks="last_tile")
def last_replacement_tile(h: Hands) -> Bits:
    """Self-draw of a replacement tile with no live tile left."""
    return h.flag("rinshan") & h.is_tsumo & h.flag("last_tile")


@hand_fact(among=_LAST_OR_KAN, asks="last_tile")
def katengecchi(h: Hands) -> Bits:
    """Self-draw of a replacement tile that is the last tile there is."""
    return last_replacement_tile(h)


@hand_fact(among=_LAST_OR_KAN)
def houtei_raoyui(h: Hands) -> Bits:
    """Ron on the last discard."""
    return h.flag("houtei") & ~h.is_tsumo & ~h.flag("chankan")


@hand_fact(among=_LAST_OR_KAN, asks="after_kan_discard")
def kanburi(h: Hands) -> Bits:
    """Ron on the discard right after the discarder's replacement draw for a kan."""
    return h.flag("after_kan_discard") & ~h.is_tsumo & ~h.flag("chankan")


@hand_fact(among=_LAST_OR_KAN, asks="kan_chain_2")
def renkaihou(h: Hands) -> Bits:
    """Self-draw of the replacement tile of a second kan in a row, without a discard between."""
    return h.flag("rinshan") & h.is_tsumo & h.flag("kan_chain_2")


@hand_fact(among=_LAST_OR_KAN, asks="kan_chain_3")
def third_kan(h: Hands) -> Bits:
    """The kan before the winning replacement draw was the third in a row or later."""
    return h.flag("kan_chain_3")


@hand_fact(among=_LAST_OR_KAN, asks="kan_chain_4")
def fourth_kan(h: Hands) -> Bits:
    """The kan before the winning replacement draw was the fourth in a row."""
    return h.flag("kan_chain_4")


@hand_fact(among=_LAST_OR_KAN, asks="concealed_kan_chain")
def concealed_kan_chain(h: Hands) -> Bits:
    """All kans before the winning replacement draw were concealed."""
    return h.flag("concealed_kan_chain")


@hand_fact(among=_LAST_OR_KAN, asks="no_own_discard no_opponent_calls")
def toukanhou(h: Hands) -> Bits:
    """Self-draw of the replacement tile of a kan in the first turn, no call of others before."""
    return h.flag("rinshan") & h.is_tsumo & h.flag("no_own_discard") & h.flag("no_opponent_calls")


@hand_fact(among=_LAST_OR_KAN)
def ishino_uenimo_sannen(h: Hands) -> Bits:
    """Double riichi won with the last tile."""
    return double_riichi(h) & (haitei_raoyue(h) | houtei_raoyui(h))


@hand_fact(among=_LAST_OR_KAN)
def uupin_kaihou(h: Hands) -> Bits:
    """The replacement tile drawn is 5p."""
    return rinshan_kaihou(h) & (h.win_kind == _5P)


@hand_fact(among=_LAST_OR_KAN)
def ryanzou_chankan(h: Hands) -> Bits:
    """The robbed tile is 2s."""
    return chankan(h) & (h.win_kind == _2S)


@hand_fact(among=_LAST_OR_KAN)
def iipin_mouyue(h: Hands) -> Bits:
    """The last live tile drawn is 1p."""
    return haitei_raoyue(h) & (h.win_kind == _1P)


@hand_fact(among=_LAST_OR_KAN)
def chuupin_raoyui(h: Hands) -> Bits:
    """The last discard won on is 9p."""
    return houtei_raoyui(h) & (h.win_kind == _9P)


# ----------------------------------------------------------------------------------- first go-around


@hand_fact(among=_FIRST)
def tenhou(h: Hands) -> Bits:
    """Dealer's self-draw on the dealt fourteen tiles, without a kan."""
    return h.flag("tenhou") & h.is_tsumo & (h.n_melds == 0)


@hand_fact(among=_FIRST)
def chiihou(h: Hands) -> Bits:
    """Non-dealer's self-draw on the first own draw, before any call or kan."""
    return h.flag("chiihou") & h.is_tsumo & (h.n_melds == 0)


@hand_fact(among=_FIRST, asks="no_own_draw no_calls")
def renhou(h: Hands) -> Bits:
    """Non-dealer's ron before the own first draw and before any call or kan."""
    return ~h.is_tsumo & ~h.is_dealer & h.flag("no_own_draw") & h.flag("no_calls") & (h.n_melds == 0)


@hand_fact(among=_FIRST, asks="first_go_around no_calls")
def renhou_in_go_around(h: Hands) -> Bits:
    """Ron within the first go-around, unbroken by any call or kan."""
    return ~h.is_tsumo & (h.flag("first_go_around") | renhou(h)) & h.flag("no_calls") & (h.n_melds == 0)


@hand_fact(among=_FIRST, asks="dealer_first_discard no_calls")
def renhou_on_dealer(h: Hands) -> Bits:
    """Ron on the dealer's first discard."""
    return ~h.is_tsumo & ~h.is_dealer & h.flag("dealer_first_discard") & h.flag("no_calls") & (h.n_melds == 0)


@hand_fact(asks="riichi_before")
def riichi_before(h: Hands) -> Bits:
    """Another player declared riichi before the win."""
    return h.flag("riichi_before")


# ------------------------------------------------------------------------------ naked and single waits


def four_melds(h: Hands) -> Bits:
    """Four melds."""
    return h.n_melds == 4


@hand_fact(among=four_melds)
def shiiaru_raotai(h: Hands) -> Bits:
    """Four melds and a single tile, won by pairing it."""
    return h.n_melds == 4


@hand_fact
def concealed_kan(h: Hands) -> Bits:
    """There is a concealed kan."""
    return h.concealed_kans != 0


@hand_fact(among=four_melds)
def kinkei_dokuritsu(h: Hands) -> Bits:
    """Four melds and the single tile is 1s."""
    return (h.n_melds == 4) & (h.win_kind == _1S)


@hand_fact(among=four_melds)
def touchao_hanchanshue(h: Hands) -> Bits:
    """Four melds and the single tile is the white dragon."""
    return (h.n_melds == 4) & (h.win_kind == _WHITE)


def _single_wait(r: Readings) -> Bits:
    return (r.wait == PENCHAN) | (r.wait == KANCHAN) | (r.wait == TANKI)


@reading_fact
def pair_wait(r: Readings) -> Bits:
    """The winning tile completes the pair."""
    return r.wait == TANKI


def _last_copy(r: Readings) -> Bits:
    return r.hands.flag("last_copy")[r.hand]


@reading_fact(among=_last_copy, asks="last_copy")
def ketsupaihou(r: Readings) -> Bits:
    """Single wait for a tile whose other three copies were all in sight outside the concealed hand."""
    return _single_wait(r)


def _robbed(r: Readings) -> Bits:
    return r.hands.flag("chankan")[r.hand]


@reading_fact(among=_robbed)
def kinkei_dasshoku(r: Readings) -> Bits:
    """Robbing a kan on a single wait: the other three copies are the robbed set."""
    return _single_wait(r) & chankan(r.hands)[r.hand]


# ----------------------------------------------------------------------------------------- red fives


def _many_reds(h: Hands) -> Bits:
    return h.n_aka >= 3


@hand_fact(among=_many_reds)
def mondeikou(h: Hands) -> Bits:
    """Four red fives."""
    return h.n_aka >= 4


@hand_fact(among=_many_reds)
def three_reds(h: Hands) -> Bits:
    """Three red fives or more."""
    return h.n_aka >= 3


@hand_fact(among=_many_reds)
def aka_sanshoku(h: Hands) -> Bits:
    """A red five of each suit."""
    return h.flag("red_man") & h.flag("red_pin") & h.flag("red_sou")


# ------------------------------------------------------------------------------- history of the game


@hand_fact(among=_HISTORY, asks="eighth_1")
def paarenchan(h: Hands) -> Bits:
    """Eighth win in a row of the player, dealer or not; the sixteenth and so on too."""
    return h.flag("eighth_1")


@hand_fact(among=_HISTORY, asks="eighth_2")
def paarenchan_as_dealer(h: Hands) -> Bits:
    """Eighth win in a row within one own dealership."""
    return h.flag("eighth_2")


@hand_fact(among=_HISTORY, asks="eighth_3")
def paarenchan_by_hands(h: Hands) -> Bits:
    """Won the eighth hand of an own dealership kept by wins and tenpai draws."""
    return h.flag("eighth_3")


@hand_fact(among=_HISTORY, asks="beyond_eighth_1")
def beyond_paarenchan(h: Hands) -> Bits:
    """Eighth win in a row of the player or a later one."""
    return h.flag("beyond_eighth_1")


@hand_fact(among=_HISTORY, asks="beyond_eighth_2")
def beyond_paarenchan_as_dealer(h: Hands) -> Bits:
    """Eighth win in a row within one own dealership or a later one."""
    return h.flag("beyond_eighth_2")


@hand_fact(among=_HISTORY, asks="beyond_eighth_3")
def beyond_paarenchan_by_hands(h: Hands) -> Bits:
    """Won the eighth hand of an own dealership kept by wins and tenpai draws, or a later one."""
    return h.flag("beyond_eighth_3")


@hand_fact(among=_HISTORY, asks="dealer_eighth_1")
def pouhoi_paarenchan(h: Hands) -> Bits:
    """Non-dealer's win against a dealer who stood one short of eight wins in a row."""
    return h.flag("dealer_eighth_1") & ~h.is_dealer


@hand_fact(among=_HISTORY, asks="dealer_eighth_2")
def pouhoi_as_dealer(h: Hands) -> Bits:
    """Non-dealer's win against a dealer one short of eight wins within the dealership."""
    return h.flag("dealer_eighth_2") & ~h.is_dealer


@hand_fact(among=_HISTORY, asks="dealer_eighth_3")
def pouhoi_by_hands(h: Hands) -> Bits:
    """Non-dealer's win against a dealer one short of eight hands kept."""
    return h.flag("dealer_eighth_3") & ~h.is_dealer


@hand_fact(among=_HISTORY, asks="holder_eighth_1")
def pouhoi_of_holder(h: Hands) -> Bits:
    """Win against any player who stood one short of eight wins in a row."""
    return h.flag("holder_eighth_1")
