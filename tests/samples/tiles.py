"""Physical tiles 0-135 as Tenhou numbers them (tile // 4 is the kind, 0-33), and their text.

>>> text([16, 17, 124])
'0m5m5z'
"""

from collections import Counter
from collections.abc import Iterable

RED_FIVES = (16, 52, 88)
EAST, NORTH = 27, 30
HONOURS = range(27, 34)
DRAGONS = (31, 32, 33)
ORPHANS = (0, 8, 9, 17, 18, 26, *HONOURS)
ABSENT_FROM_THREE = range(1, 8)  # three players use no 2m to 8m


def full_set(players: int) -> list[int]:
    """All tiles of a game, in order: 136, or 108 for three players."""
    return [t for t in range(136) if players == 4 or t // 4 not in ABSENT_FROM_THREE]


def kinds(text: str) -> list[tuple[int, bool]]:
    """(kind, is it the red five) of each tile of a text such as `340m7z`; blanks are ignored."""
    found, digits = [], []
    for char in text.replace(" ", ""):
        if char.isdigit():
            digits.append(int(char))
            continue
        found += [("mpsz".index(char) * 9 + (d or 5) - 1, d == 0) for d in digits]
        digits = []
    if digits:
        raise ValueError(f"{text!r} ends without a suit")
    return found


def text(tiles: Iterable[int], *, reds: bool = True) -> str:
    """The tiles as text, in the order given; a red five is 0 where red fives are in play."""
    return "".join(f"{0 if reds and t in RED_FIVES else t // 4 % 9 + 1}{'mpsz'[t // 36]}" for t in tiles)


def counts(tiles: Iterable[int]) -> list[int]:
    """How many of each of the 34 kinds."""
    n = Counter(t // 4 for t in tiles)
    return [n[k] for k in range(34)]


def dora_of(indicator: int, players: int) -> int:
    """The kind that an indicator tile makes dora.

    >>> dora_of(0, 3), dora_of(120, 4), dora_of(35, 4)
    (8, 27, 0)
    """
    kind = indicator // 4
    if kind in DRAGONS:
        return 31 + (kind - 30) % 3
    if kind in HONOURS:
        return 27 + (kind - 26) % 4
    if players == 3 and kind == 0:
        return 8
    return kind // 9 * 9 + (kind + 1) % 9
