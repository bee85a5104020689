"""Tenhou's own words: rule bits, classes of tables, yaku numbers, kinds of draw."""

from __future__ import annotations

from collections.abc import Sequence

from ..schema import DRAW_KINDS

NO_RED, NO_OPEN_TANYAO, SOUTH, THREE_PLAYERS = 2, 4, 8, 16
JOUKYUU, TOKUJOU, FAST, CHIPS = 128, 32, 64, 0x200 | 0x400

YAKU = (
    "menzen_tsumo",
    "riichi",
    "ippatsu",
    "chankan",
    "rinshan_kaihou",
    "haitei_raoyue",
    "houtei_raoyui",
    "pinfu",
    "tanyao",
    "iipeikou",
    *["yakuhai_seat"] * 4,
    *["yakuhai_round"] * 4,
    "yakuhai_haku",
    "yakuhai_hatsu",
    "yakuhai_chun",
    "double_riichi",
    "chiitoitsu",
    "chanta",
    "ittsuu",
    "sanshoku_doujun",
    "sanshoku_doukou",
    "sankantsu",
    "toitoi",
    "sanankou",
    "shousangen",
    "honroutou",
    "ryanpeikou",
    "junchan",
    "honitsu",
    "chinitsu",
    "renhou",
    "tenhou",
    "chiihou",
    "daisangen",
    "suuankou",
    "suuankou_tanki",
    "tsuuiisou",
    "ryuuiisou",
    "chinroutou",
    "chuuren_poutou",
    "junsei_chuuren_poutou",
    "kokushi_musou",
    "kokushi_juusanmen",
    "daisuushii",
    "shousuushii",
    "suukantsu",
    "dora",
    "ura_dora",
    "aka_dora",
)

# RYUUKYOKU type; none is the exhaustive draw.
DRAWS = {
    None: DRAW_KINDS.index("exhaustive"),
    b"nm": DRAW_KINDS.index("nagashi_mangan"),
    b"yao9": DRAW_KINDS.index("kyuushu_kyuuhai"),
    b"kaze4": DRAW_KINDS.index("suufon_renda"),
    b"reach4": DRAW_KINDS.index("suucha_riichi"),
    b"kan4": DRAW_KINDS.index("suukaikan"),
    b"ron3": DRAW_KINDS.index("sanchahou"),
}


def ruleset(flags: int) -> str:
    """Id of the ruleset the rule bits of GO stand for; the length is not part of it.

    >>> ruleset(169), ruleset(185), ruleset(167), ruleset(1601)
    ('tenhou_4p_aka', 'tenhou_3p', 'tenhou_4p_noaka_nokuitan', 'tenhou_4p_aka_chip')
    """
    if flags & THREE_PLAYERS:
        name = "tenhou_3p" + ("_noaka" if flags & NO_RED else "")
    else:
        name = "tenhou_4p" + ("_noaka" if flags & NO_RED else "_aka")
    return name + ("_nokuitan" if flags & NO_OPEN_TANYAO else "") + ("_chip" if flags & CHIPS else "")


def room(flags: int) -> str:
    """Class of the table.

    >>> room(225), room(9)
    ('houou_fast', 'ippan')
    """
    classes = {0: "ippan", JOUKYUU: "joukyuu", TOKUJOU: "tokujou", JOUKYUU | TOKUJOU: "houou"}
    return classes[flags & (JOUKYUU | TOKUJOU)] + ("_fast" if flags & FAST else "")


def yaku_name(number: int) -> str:
    """Our id of a yaku number; one that is not known keeps its number.

    >>> yaku_name(52), yaku_name(57)
    ('dora', 'tenhou:57')
    """
    return YAKU[number] if 0 <= number < len(YAKU) else f"tenhou:{number}"


def yaku_names(numbers: Sequence[int]) -> list[str]:
    """Our ids of many."""
    return [yaku_name(int(number)) for number in numbers]
