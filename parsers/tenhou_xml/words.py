"""Tenhou's own words: tags and attributes, rule bits, classes of tables, yaku numbers, kinds of draw."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum

from ..schema import DRAW_KINDS


class Tag(IntEnum):
    """The tags of a log but for draws (T U V W and a tile) and discards (D E F G and a tile)."""

    UNKNOWN = -1
    PLAY = 0  # a draw or discard
    N = 1
    REACH = 2
    DORA = 3
    INIT = 4
    AGARI = 5
    RYUUKYOKU = 6  # up to here what belongs to a round
    UN = 7
    BYE = 8
    GO = 9
    SHUFFLE = 10
    TAIKYOKU = 11
    OPEN = 12
    CLOSE = 13
    XML = 14


TAG_NAMES = {
    **{Tag[name]: name.encode() for name in ("N", "REACH", "DORA", "INIT", "AGARI", "RYUUKYOKU", "UN", "BYE")},
    **{Tag[name]: name.encode() for name in ("GO", "SHUFFLE", "TAIKYOKU")},
    Tag.OPEN: b"mjloggm",
    Tag.CLOSE: b"/mjloggm",
    Tag.XML: b"?xml",
}
KNOWN_TAGS = "T U V W D E F G with a tile, " + ", ".join(name.decode() for name in TAG_NAMES.values() if name.isalpha())

HANDS = (b"hai0", b"hai1", b"hai2", b"hai3")
NAMES = (b"n0", b"n1", b"n2", b"n3")
# Attributes that are read, then those ignored on purpose (the package's docstring says why).
ATTRIBUTES: dict[Tag, tuple[tuple[bytes, ...], tuple[bytes, ...]]] = {
    Tag.N: ((b"who", b"m"), ()),
    Tag.REACH: ((b"who", b"step"), (b"ten",)),
    Tag.DORA: ((b"hai",), ()),
    Tag.INIT: ((b"seed", b"ten", b"oya", *HANDS), (b"shuffle", b"chip")),
    Tag.AGARI: (
        (
            *(b"who", b"fromWho", b"paoWho", b"ba", b"sc", b"owari"),
            *(b"hai", b"machi", b"ten", b"yaku", b"yakuman", b"doraHai", b"doraHaiUra"),
        ),
        (b"m", b"chip", b"ratio"),
    ),
    Tag.RYUUKYOKU: ((b"type", b"ba", b"sc", *HANDS, b"owari"), (b"ratio",)),
    Tag.UN: ((*NAMES, b"dan", b"rate"), (b"sx", b"rc", b"gold")),
    Tag.BYE: ((b"who",), ()),
    Tag.GO: ((b"type", b"lobby"), (b"title", b"rule", b"ranking", b"csrule")),
    Tag.SHUFFLE: ((b"seed",), (b"ref",)),
}

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
