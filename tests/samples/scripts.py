"""Rounds with a stacked wall, for what hardly ever happens by itself.

A stacked round names some of the tiles and tells some seats what to do, by wind; everything else is shuffled, and
a seat that is told nothing discards what it draws. It is played at the same legal table as any other round. In
draws `-` is any tile. A script does not know its round: it fits any dealer, honba and points.
"""

from collections.abc import Sequence
from random import Random

from . import tiles
from .round import Place, Rules
from .seats import Script

Stacked = tuple[list[int], list[Script]]


def stack(
    rules: Rules,
    place: Place,
    random: Random,
    *,
    hands: dict[str, str],
    draws: str = "",
    replacements: str = "",
    last: str = "",
    dora: str = "",
    ura: str = "",
    own: dict[str, str] | None = None,
    others: dict[str, str] | None = None,
) -> Stacked:
    """The wall and the seats. `own` and `others` hold each wind's acts, comma by comma, as in `Script`."""
    left = tiles.full_set(rules.players)

    def take(text: str) -> list[int]:
        return [take_one(kind, red) for kind, red in tiles.kinds(text)]

    def take_one(kind: int, red: bool) -> int:
        for tile in left:
            if tile // 4 == kind and (not rules.reds or (tile in tiles.RED_FIVES) == red):
                left.remove(tile)
                return tile
        raise ValueError(f"no tile of kind {kind} left")

    held = {wind: take(text) for wind, text in hands.items()}
    fixed_draws = [take(t) if t != "-" else [] for t in draws.split()]
    fixed_dora, fixed_ura, fixed_replacements, fixed_last = take(dora), take(ura), take(replacements), take(last)
    random.shuffle(left)

    def filled(some: Sequence[int], size: int) -> list[int]:
        return [*some, *(left.pop() for _ in range(size - len(some)))]

    winds = "ESWN"[: rules.players]
    whole = {wind: filled(held.get(wind, []), 13) for wind in winds}
    for hand in whole.values():
        random.shuffle(hand)
    deal = []
    for start, stop in ((0, 4), (4, 8), (8, 12), (12, 13)):
        for wind in winds:
            deal += whole[wind][start:stop]
    dora_side, ura_side = filled(fixed_dora, 5), filled(fixed_ura, 5)
    pairs = [t for pair in zip(dora_side, ura_side, strict=True) for t in pair]
    dead = pairs + filled(fixed_replacements, 4)[::-1]
    front = [t[0] if t else left.pop() for t in fixed_draws]
    wall = [*deal, *front, *left, *fixed_last, *dead]

    seats = [Script() for _ in range(rules.players)]
    for i, wind in enumerate(winds):
        script = seats[(place.dealer + i) % rules.players]
        script.own = split(own, wind)
        script.others = [tuple(act.rsplit(" ", 1)) for act in split(others, wind)]
    return wall, seats


def split(acts: dict[str, str] | None, wind: str) -> list[str]:
    return [act.strip() for act in (acts or {}).get(wind, "").split(",") if act.strip()]


def script(**told):
    """A stacked round to be played wherever the game puts it."""
    return lambda rules, place, random: stack(rules, place, random, **told)


# Draws

SEVENTEEN_ORPHANS = tuple(f"{n}{s}" for n, s in zip("19191912345671915", "mmppsszzzzzzzmpsz", strict=True))
NINE_ORPHANS = script(hands={"S": "19m19p19s1234z258m"}, own={"S": "kyuushu"})
FOUR_WINDS = script(
    hands={"E": "3z", "S": "3z", "W": "3z", "N": "3z"},
    own={"E": "discard 3z", "S": "discard 3z", "W": "discard 3z", "N": "discard 3z"},
)
FOUR_RIICHI = script(
    hands={"E": "123456789m1p99s1z", "S": "123456789p1s11m2z", "W": "123456789s2m88m3z", "N": "234m234p234s7p66s4z"},
    draws="5z 6z 7z 5z 2p 2s 3m 8p",
    own={"E": "., riichi 1z", "S": "., riichi 2z", "W": "., riichi 3z", "N": "., riichi 4z"},
)
FOUR_KANS = script(
    hands={"E": "1111m9999p2z258s4m", "S": "222z9999s147p58m3z"},
    own={"E": "kan 1m, kan 9p, discard 2z", "S": "kan 9s, discard 3z"},
    others={"S": "kan 2z"},
)
TRIPLE_RON = script(
    hands={
        "E": "46s234m567m22p678p",
        "S": "5s19m19p1289s1257z",
        "W": "34s345m345p66m222s",
        "N": "67s678m678p44p222m",
    },
    draws="5z -",
    own={"S": "discard 5s"},
    others={"E": "ron 5s", "W": "ron 5s", "N": "ron 5s"},
)
NAGASHI = script(
    hands={"W": "234m567m345p678s2s"},
    draws=" ".join(f"- - {orphan} -" for orphan in SEVENTEEN_ORPHANS),
)
NAGASHI_OF_THREE = script(
    hands={"S": "234p567p345s678s2s"},
    draws=" ".join(f"- {orphan} -" for orphan in (*SEVENTEEN_ORPHANS, "6z")),
)

# Robbing, rons of two, the ends of the wall

ROBBED_KAN = script(
    hands={"E": "5p", "S": "55p129m369s12345z", "W": "46p234m567s88s24s9m"},
    draws="- 3s - - 0p",
    own={"E": "discard 5p", "S": "discard 1z, kan 5p", "W": "discard 9m"},
    others={"S": "pon 5p", "W": "ron 0p"},
)
ROBBED_NORTH = script(
    hands={"E": "4z", "S": "19m199p19s12356z7z"},
    own={"E": "kita"},
    others={"S": "ron 4z"},
)
DOUBLE_RON = script(
    hands={"E": "45m123p456p79p77s1z", "S": "45m345s678s22s46p1z", "W": "3m"},
    draws="- - - - 8p 5p",
    own={"E": "., riichi 1z", "S": "., discard 1z", "W": "., discard 3m"},
    others={"E": "ron 3m", "S": "ron 3m"},
)
LAST_TILE = script(
    hands={"E": "055p", "S": "46p234m678m345s99s"},
    last="5p",
    own={"S": ", ".join(["."] * 17 + ["tsumo"])},
)
LAST_DISCARD = script(
    hands={"E": "055p", "W": "46p234m789m123s99s"},
    last="5p",
    others={"W": "ron 5p"},
)
REPLACEMENT = script(
    hands={"S": "777z234m56p22s345s", "E": "7z"},
    replacements="4p",
    own={"E": "discard 7z", "S": "tsumo"},
    others={"S": "kan 7z"},
)

LAST_REPLACEMENT = script(  # the last tile of the wall replaces a kan; the discard after it is the last one
    hands={"E": "0555p777z", "W": "46p234m789m123s99s"},
    draws="- " * 68 + "7z",
    own={"E": ", ".join(["."] * 17 + ["kan 7z", "discard 5p"])},
    others={"W": "ron 5p"},
)
NORTH_REPLACEMENT = script(
    hands={"S": "123456789p11s23s"},
    draws="- 4z",
    replacements="4s",
    own={"S": "kita, tsumo"},
)

# Kans and their dora

KAN_DORA = script(  # turned after the replacement draw, before the discard that is won on
    hands={"E": "7z", "S": "777z3m", "W": "24m345p678p567s66s"},
    dora="9s2m",
    own={"E": "discard 7z", "S": "discard 3m"},
    others={"S": "kan 7z", "W": "ron 3m"},
)
ROBBED_IN_IPPATSU = script(
    hands={"E": "5p", "S": "55p129m369s12345z", "W": "46p234m567s88s24s9m"},
    draws="- 3s - - 0p",
    own={"E": "discard 5p", "S": "discard 1z, kan 5p", "W": "riichi 9m"},
    others={"S": "pon 5p", "W": "ron 0p"},
)
TWO_ADDED_KANS = script(
    hands={"E": "5z", "S": "55667z234m67s19p2s", "W": "6z", "N": "8s"},
    draws="- - - - - 5z",
    replacements="6z7z",
    own={
        "E": "discard 5z",
        "S": "discard 1p, discard 9p, kan 5z, kan 6z, discard 2s",
        "W": "discard 6z",
        "N": "., discard 8s",
    },
    others={"S": "pon 5z, pon 6z, ron 8s"},
)

# Liability

DRAGONS = {
    "hands": {"E": "5z", "S": "556677z234m9s19p1z", "W": "6z9s", "N": "7z"},
    "own": {
        "E": "discard 5z",
        "S": "discard 1p, discard 9p, discard 1z, tsumo",
        "W": "discard 6z, ., discard 9s",
        "N": "discard 7z",
    },
}
LIABLE_ON_DRAW = script(
    hands=DRAGONS["hands"],
    own=DRAGONS["own"] | {"W": "discard 6z"},
    draws="- - - - - - - 9s",
    others={"S": "pon 5z, pon 6z, pon 7z"},
)
LIABLE_ON_RON = script(**DRAGONS, others={"S": "pon 5z, pon 6z, pon 7z, ron 9s"})
FOUR_WINDS_LIABLE = script(
    hands={"S": "11223344z5s1479p", "E": "14z", "W": "2z", "N": "3z"},
    draws="- - - - - - - - - - 5s",
    own={
        "E": "discard 1z, discard 4z",
        "S": "discard 1p, discard 4p, discard 7p, discard 9p, tsumo",
        "W": "discard 2z",
        "N": "discard 3z",
    },
    others={"S": "pon 1z, pon 2z, pon 3z, pon 4z"},
)

# Yakuman

HEAVENLY = script(hands={"E": "123m456p789s11z22z"}, draws="1z", own={"E": "tsumo"})
EARTHLY = script(hands={"S": "234m567p345s88s77p"}, draws="- 8s", own={"S": "tsumo"})
COUNTED = script(
    hands={"S": "122233445678m1z"},
    draws="- - - - - 9m - - - 5m",
    dora="1m",
    own={"S": "., riichi 1z, tsumo"},
)
FOUR_CONCEALED = script(
    hands={"N": "111m333p55s77s99p1z"},
    draws="- - - - - - - 5s - - - 9p",
    own={"N": "., discard 1z, tsumo"},
)
FOUR_CONCEALED_PAIR = script(
    hands={"W": "111m333p555s999p7s", "E": "7s"},
    own={"E": "., discard 7s"},
    others={"W": "ron 7s"},
)
ORPHANS = script(
    hands={"N": "119m19p19s123456z", "E": "7z"},
    own={"E": "., discard 7z"},
    others={"N": "ron 7z"},
)
ORPHANS_OF_THIRTEEN = script(
    hands={"S": "19m19p19s1234567z"},
    draws="- 5m - - - 9p",
    own={"S": "., tsumo"},
)
NINE_GATES = script(hands={"W": "1112234567899p"}, draws="- - 5z - - - 9p", own={"W": "., tsumo"})
PURE_NINE_GATES = script(hands={"S": "1112345678999s"}, draws="- 1z - - - 0s", own={"S": "., tsumo"})
ALL_GREEN = script(
    hands={"N": "22334466688s66z", "S": "6z"},
    draws="- - - 5z",
    own={"S": "., discard 6z"},
    others={"N": "ron 6z"},
)
ALL_HONOURS = script(hands={"S": "1122334455667z"}, draws="- 5m - - - 7z", own={"S": "., tsumo"})
ALL_TERMINALS = script(
    hands={"S": "11m99m111p999s1s23z", "E": "1m", "W": "9m"},
    draws="- - - - - 1s",
    own={"E": "discard 1m", "S": "discard 2z, discard 3z, tsumo", "W": "discard 9m"},
    others={"S": "pon 1m, pon 9m"},
)
LITTLE_WINDS = script(
    hands={"S": "11z22z333z44z23m56z", "E": "1z", "W": "2z", "N": "4m"},
    own={"E": "discard 1z", "S": "discard 5z, discard 6z", "W": "discard 2z", "N": "discard 4m"},
    others={"S": "pon 1z, pon 2z, ron 4m"},
)
FOUR_KANS_OF_ONE = script(
    hands={"S": "111m222p333s444m5z"},
    draws="- 1m",
    replacements="2p 3s 4m 5z",
    own={"S": "kan 1m, kan 2p, kan 3s, kan 4m, tsumo"},
)

# Han

THREE_KANS = script(
    hands={"S": "111m222p333s78s99p"},
    draws="- 1m",
    replacements="2p 3s 9s",
    own={"S": "kan 1m, kan 2p, kan 3s, tsumo"},
)
THREE_SUITS_OF_TRIPLETS = script(
    hands={"W": "222m222p22s88s4p79m", "S": "2s", "N": "8s"},
    draws="- - - - - 4p",
    own={"S": "discard 2s", "W": "discard 9m, discard 7m", "N": "., discard 8s"},
    others={"W": "pon 2s, ron 8s"},
)
TWO_TWIN_RUNS = script(
    hands={"N": "112233m55667s4p1z", "E": "4p"},
    draws="- - - 5z - - - 7s",
    own={"N": "., riichi 1z", "E": "., ., discard 4p"},
    others={"N": "ron 4p"},
)
ORPHAN_PAIRS = script(
    hands={"S": "1199m1199p1199s1z", "W": "1z"},
    draws="- 5z",
    own={"W": "., discard 1z"},
    others={"S": "ron 1z"},
)
LITTLE_DRAGONS = script(
    hands={"S": "55z66z777z234m78p9m", "E": "5z", "N": "9p"},
    own={"E": "discard 5z", "S": "discard 9m", "N": "discard 9p"},
    others={"S": "pon 5z, ron 9p"},
)
PURE_OUTSIDE = script(
    hands={"W": "123m789m12p789s99s", "N": "3p"},
    own={"N": "., discard 3p"},
    others={"W": "ron 3p"},
)
DOUBLE_RIICHI = script(
    hands={"S": "345m678m22p456p67s"},
    draws="- 1z - - - 8s",
    own={"S": "riichi 1z, tsumo"},
)
DEALER_WIN = script(
    hands={"E": "234m67m345p88p57s1z"},
    draws="6s - - - 5m",
    own={"E": "discard 1z, tsumo"},
)
