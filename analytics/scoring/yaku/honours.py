"""Sets and pairs of honours, alone and beside a straight."""

import numpy as np

from .. import tiles
from ..facts import reading_fact
from ..hands import column
from ..readings import CHIITOITSU, FOUR_PAIRS, Bits, Readings
from .composition import kinds
from .runs import straight

WIND, DRAGON = tiles.WINDS, tiles.DRAGONS


def honour_triplets(r: Readings) -> Bits:
    """Some triplet is of honours."""
    return r.triplets & tiles.HONOURS != 0


def honour_sets(r: Readings) -> Bits:
    """Two triplets are of honours, or one and the pair."""
    honours = (r.triplets | r.pair) & tiles.HONOURS
    return honours & (honours - tiles.U64(1)) != 0


@reading_fact(among=honour_triplets)
def yakuhai_haku(r: Readings) -> Bits:
    """Triplet or kan of white dragons."""
    return r.triplets & kinds("5z") != 0


@reading_fact(among=honour_triplets)
def yakuhai_hatsu(r: Readings) -> Bits:
    """Triplet or kan of green dragons."""
    return r.triplets & kinds("6z") != 0


@reading_fact(among=honour_triplets)
def yakuhai_chun(r: Readings) -> Bits:
    """Triplet or kan of red dragons."""
    return r.triplets & kinds("7z") != 0


@reading_fact(among=honour_triplets)
def yakuhai_seat(r: Readings) -> Bits:
    """Triplet or kan of the seat wind."""
    return r.triplets & r.seat_bit != 0


@reading_fact(among=honour_triplets)
def yakuhai_round(r: Readings) -> Bits:
    """Triplet or kan of the round wind."""
    return r.triplets & r.round_bit != 0


@reading_fact(among=honour_sets)
def shousangen(r: Readings) -> Bits:
    """Two triplets of dragons and a pair of the third."""
    return (np.bitwise_count(r.triplets & DRAGON) == 2) & (r.pair & DRAGON != 0)


@reading_fact(among=honour_sets)
def daisangen(r: Readings) -> Bits:
    """Triplets of all three dragons."""
    return np.bitwise_count(r.triplets & DRAGON) == 3


@reading_fact(among=honour_sets)
def shousuushii(r: Readings) -> Bits:
    """Triplets of three winds and a pair of the fourth."""
    return (np.bitwise_count(r.triplets & WIND) == 3) & (r.pair & WIND != 0)


@reading_fact(among=honour_sets)
def daisuushii(r: Readings) -> Bits:
    """Triplets of all four winds."""
    return np.bitwise_count(r.triplets & WIND) == 4


@reading_fact(among=honour_sets)
def sanpuukou(r: Readings) -> Bits:
    """Triplets or kans of three winds."""
    return np.bitwise_count(r.triplets & WIND) >= 3


@reading_fact(among=honour_sets)
def otakaze_sankou(r: Readings) -> Bits:
    """Seat and round wind are the same, and the three other winds are triplets or kans."""
    others = WIND & ~r.seat_bit
    return (r.seat_bit != 0) & (r.seat_bit == r.round_bit) & (r.triplets & others == others)


@reading_fact(among=honour_sets)
def guest_winds_of_dealer(r: Readings) -> Bits:
    """The dealer's south, west and north are triplets or kans, whatever the round."""
    others = kinds("234z")
    return r.hands.is_dealer[r.hand] & (r.triplets & others == others)


@reading_fact(among=honour_sets)
def shousanpuu(r: Readings) -> Bits:
    """Triplets or kans of two winds and a pair of a third."""
    return (np.bitwise_count(r.triplets & WIND) == 2) & (r.pair & WIND != 0)


@reading_fact(among=honour_sets)
def suuzuukou(r: Readings) -> Bits:
    """Four triplets or kans of honours."""
    return np.bitwise_count(r.triplets & tiles.HONOURS) == 4


@reading_fact(among=honour_sets)
def chousangen(r: Readings) -> Bits:
    """Kans of all three dragons."""
    return r.kans & DRAGON == DRAGON


@reading_fact(among=honour_sets)
def chousuushi(r: Readings) -> Bits:
    """Kans of all four winds."""
    return r.kans & WIND == WIND


# ------------------------------------------------------------------------------------------- pairs


@reading_fact
def wind_pair(r: Readings) -> Bits:
    """The pair is of winds."""
    return r.pair & WIND != 0


@reading_fact
def honour_pair(r: Readings) -> Bits:
    """The pair is of honours."""
    return r.pair & tiles.HONOURS != 0


@reading_fact
def white_green_pair(r: Readings) -> Bits:
    """The pair is of white or green dragons."""
    return r.pair & kinds("56z") != 0


def _seven_pairs(r: Readings) -> Bits:
    """Seven pairs, four of a kind among them or not."""
    return (r.form == CHIITOITSU) | (r.form == FOUR_PAIRS)


@reading_fact(among=_seven_pairs)
def sangen_chiitoitsu(r: Readings) -> Bits:
    """Seven pairs with all three dragons."""
    return r.kinds & DRAGON == DRAGON


@reading_fact(among=_seven_pairs)
def suushi_chiitoitsu(r: Readings) -> Bits:
    """Seven pairs with all four winds."""
    return r.kinds & WIND == WIND


# ------------------------------------------------------------------- flower, bird, wind, moon and snow


def _moon(r: Readings) -> Bits:
    """Triplets of 1p."""
    return r.triplets & kinds("1p") != 0


@reading_fact(among=_moon)
def kachoufuugetsu(r: Readings) -> Bits:
    """Triplets or kans of 5p, 1s, 1p and the round or seat wind."""
    return _flower_bird(r) & (r.triplets & (r.seat_bit | r.round_bit) != 0)


@reading_fact(among=_moon)
def kachoufuugetsu_of_any_wind(r: Readings) -> Bits:
    """Triplets or kans of 5p, 1s, 1p and a wind."""
    return _flower_bird(r) & (r.triplets & WIND != 0)


def _flower_bird(r: Readings) -> Bits:
    return r.triplets & kinds("15p 1s") == kinds("15p 1s")


@reading_fact(among=_moon)
def fuukasetsugetsu(r: Readings) -> Bits:
    """Triplets or kans of the round or seat wind, 5p, white dragons and 1p."""
    return _flower_snow(r) & (r.triplets & (r.seat_bit | r.round_bit) != 0)


@reading_fact(among=_moon)
def fuukasetsugetsu_of_any_wind(r: Readings) -> Bits:
    """Triplets or kans of a wind, 5p, white dragons and 1p."""
    return _flower_snow(r) & (r.triplets & WIND != 0)


def _flower_snow(r: Readings) -> Bits:
    return r.triplets & kinds("15p 5z") == kinds("15p 5z")


@reading_fact(among=_moon)
def panda(r: Readings) -> Bits:
    """Triplets or kans of white dragons and 1p."""
    return r.triplets & kinds("5z") != 0


# -------------------------------------------------------------------------- honours beside a straight


def _set_and_pair(r: Readings, first: str, second: str) -> Bits:
    one, other = kinds(first), kinds(second)
    return ((r.triplets & one != 0) & (r.pair & other != 0)) | ((r.triplets & other != 0) & (r.pair & one != 0))


@reading_fact(among=straight)
def tohoku_shinkansen(r: Readings) -> Bits:
    """A straight, and east and north as triplet and pair."""
    return _set_and_pair(r, "1z", "4z")


@reading_fact(among=straight)
def joetsu_asahi(r: Readings) -> Bits:
    """A straight, and white dragons and north as triplet and pair."""
    return _set_and_pair(r, "5z", "4z")


@reading_fact(among=straight)
def joetsu_toki(r: Readings) -> Bits:
    """A straight, one suit and honours, north among them."""
    return (np.bitwise_count(_suits_used(r)) == 1) & (r.kinds & kinds("4z") != 0)


@reading_fact(among=straight)
def gold_rush(r: Readings) -> Bits:
    """A straight of pin with green dragons, no other suit."""
    return (_suits_used(r) == 0b010) & (r.kinds & kinds("6z") != 0)


@reading_fact(among=straight)
def west_present(r: Readings) -> Bits:
    """West occurs beside a straight."""
    return r.kinds & kinds("3z") != 0


@reading_fact(among=straight)
def seikan_renrakusen(r: Readings) -> Bits:
    """A straight, a kan of green dragons and a pair of north."""
    return (r.kans & kinds("6z") != 0) & (r.pair & kinds("4z") != 0)


@reading_fact(among=straight)
def concealed_green_kan(r: Readings) -> Bits:
    """A concealed kan of green dragons beside a straight."""
    return r.hands.concealed_kans[r.hand] & kinds("6z") != 0


@column
def _suits_used(r: Readings) -> np.ndarray:
    return sum(((r.kinds & suit) != 0).astype(np.uint8) << i for i, suit in enumerate(tiles.SUITS))


# ---------------------------------------------------------------------- greens around a pair of fives

_FIVE_SOU = kinds("5s")


def _pair_of_five_sou(r: Readings) -> Bits:
    """Just two 5s, as the pair or as one of seven pairs."""
    as_pair = (r.pair == _FIVE_SOU) & (r.starts & ~kinds("2s") == 0)
    in_pairs = np.flatnonzero(_seven_pairs(r))
    as_pair[in_pairs] = r.hands[r.hand[in_pairs]].suit(2) // 5**4 % 5 == 2
    return as_pair


@reading_fact(among=_pair_of_five_sou)
def ryuuiisourin(r: Readings) -> Bits:
    """A pair of 5s, all else 2, 3, 4, 6, 8 of sou and green dragons."""
    return r.kinds & ~kinds("234568s 6z") == 0


@reading_fact(among=_pair_of_five_sou)
def kouittenrin(r: Readings) -> Bits:
    """A pair of 5s, all else 2, 3, 4, 6, 8 of sou and red dragons, which occur."""
    return (r.kinds & ~kinds("234568s 7z") == 0) & (r.kinds & kinds("7z") != 0)
