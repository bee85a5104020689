"""Which games are in the samples, who sits at them, and what their files are called."""

from dataclasses import dataclass
from hashlib import sha256
from random import Random

from . import scripts as s
from .game import Spec


@dataclass(frozen=True)
class Person:
    """A made-up player; boldness is how readily the player calls and pushes."""

    name: str
    dan: int
    rate: float
    sex: str
    boldness: float


MASTERS = (
    Person("Akiho", 16, 2118.42, "F", 0.55),
    Person("Tatsuomi", 17, 2204.90, "M", 0.35),
    Person("みつば", 16, 2066.13, "F", 0.80),
    Person("小夜時雨", 18, 2247.71, "F", 0.45),
    Person("Kenjirou_", 16, 2031.05, "M", 0.60),
    Person("ゆきのした", 17, 2160.38, "F", 0.25),
    Person("Naoharu7", 16, 2093.66, "M", 0.90),
    Person("しおり橋", 16, 2012.84, "F", 0.50),
    Person("健三", 19, 2291.20, "M", 0.40),
    Person("Ryousuke", 17, 2179.57, "M", 0.70),
    Person("千景", 16, 2045.99, "F", 0.15),
    Person("Itsuki.M", 18, 2226.03, "M", 0.65),
)
AMATEURS = (
    Person("Fumika", 4, 1523.11, "F", 0.75),
    Person("まさおみ", 7, 1611.40, "M", 0.50),
    Person("harutoo", 1, 1478.25, "M", 0.95),
    Person("すみれ草", 9, 1702.88, "F", 0.30),
    Person("Kazuha", 0, 1500.00, "F", 0.60),
    Person("理央", 6, 1588.67, "M", 0.45),
    Person("Tomoe22", 10, 1755.32, "F", 0.20),
    Person("わたる", 3, 1467.09, "M", 0.85),
    Person("Seiichi", 8, 1664.75, "M", 0.55),
    Person("あおばずく", 5, 1549.93, "F", 0.40),
)

# Tenhou's game types: four players with red fives and open tanyao (169, 137 and 9 two winds; 225, 65 and 1 one
# wind), without red fives (11, 171), without open tanyao either (7, 15, 167), three players (185, 25, 17).
PLAN: tuple[tuple[int, tuple], ...] = (
    (169, (s.NINE_ORPHANS, s.ROBBED_KAN, s.LAST_TILE)),
    (169, (None, s.FOUR_WINDS, s.LAST_DISCARD)),
    (9, (s.FOUR_RIICHI, s.DOUBLE_RON)),
    (169, (s.TRIPLE_RON, s.NAGASHI)),
    (225, (s.FOUR_KANS, s.REPLACEMENT)),
    (169, (None, None, s.LIABLE_ON_DRAW)),
    (9, (s.DEALER_WIN, s.LIABLE_ON_RON)),
    (169, (s.FOUR_WINDS_LIABLE,)),
    (225, (s.HEAVENLY,)),
    (169, (None, s.EARTHLY)),
    (169, (s.COUNTED,)),
    (9, (s.THREE_KANS, s.THREE_SUITS_OF_TRIPLETS, s.TWO_TWIN_RUNS, s.FOUR_CONCEALED)),
    (169, (s.ORPHAN_PAIRS, s.LITTLE_DRAGONS, s.PURE_OUTSIDE, s.FOUR_CONCEALED_PAIR)),
    (225, (s.DOUBLE_RIICHI, s.ORPHANS)),
    (169, (None, s.ORPHANS_OF_THIRTEEN)),
    (65, (s.NINE_GATES,)),
    (169, (s.PURE_NINE_GATES,)),
    (1, (s.ALL_GREEN,)),
    (7, (s.ALL_HONOURS,)),
    (15, (s.ALL_TERMINALS,)),
    (65, (None, s.LITTLE_WINDS)),
    (169, (s.FOUR_KANS_OF_ONE,)),
    (185, (s.ROBBED_NORTH,)),
    (185, (s.NAGASHI_OF_THREE,)),
    (185, (None, s.NORTH_REPLACEMENT)),
    (169, (s.LAST_REPLACEMENT, s.KAN_DORA)),
    (137, (None, s.ROBBED_IN_IPPATSU, s.TWO_ADDED_KANS)),
    *((kind, ()) for kind in (169,) * 9 + (9,) * 4 + (225,) * 5 + (1,)),
    *((kind, ()) for kind in (7, 15, 11, 167, 171)),
    *((kind, ()) for kind in (185,) * 5 + (25,) * 2 + (17,) * 2),
)
COMPRESSED = range(5, 60, 12)
MASTERS_TABLE = 128 | 32  # the bits of the table for seventh dan and up


def sit_down(kind: int, seed: str) -> tuple[Person, ...]:
    pool = MASTERS if kind & MASTERS_TABLE == MASTERS_TABLE else AMATEURS
    return tuple(Random(f"people {seed}").sample(pool, 3 if kind & 16 else 4))


def file_name(number: int, kind: int, seed: str) -> str:
    """Named as Tenhou names its logs: hour, table, lobby, and a hash."""
    hours = 24 * 5 * number + 5 * number % 24
    month, rest = divmod(hours // 24, 28)
    stamp = f"2024{month + 1:02d}{rest + 1:02d}{hours % 24:02d}"
    return f"{stamp}gm-{kind:04x}-0000-{sha256(seed.encode()).hexdigest()[:8]}.mjlog"


def games(seed: str) -> list[tuple[str, Spec]]:
    """(file name, what to play) of every game."""
    found = []
    for number, (kind, stacked) in enumerate(PLAN):
        own = f"{seed}/{number}"
        spec = Spec(own, kind, stacked, people=sit_down(kind, own), gzip=number in COMPRESSED)
        found.append((file_name(number, kind, own), spec))
    return found
