"""Explain: one scored hand in words.

The text of a reading is its blocks in mpsz, sets before the pair and melds last: `(777z)` called, `[1111z]` a
concealed kan, and the block that was won on as what was held and what came, `34s+5s`. Single tiles make one block,
so do the tiles of a year of the civil war.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from . import tiles
from .fu import fu_parts
from .hands import ANKAN, CHI, PON, Hands
from .readings import (
    CHIITOITSU,
    CIVIL_WAR,
    FOUR_PAIRS,
    KANCHAN,
    KNITTED,
    NO_WAIT,
    PENCHAN,
    RYANMEN,
    SHANPON,
    STANDARD,
    TANKI,
    WAITS,
    Readings,
    readings,
)
from .ruleset import Ruleset
from .score import Scores


@dataclass(frozen=True)
class Explanation:
    """How a hand was read, and its fu part by part; a yakuman has none.

    The parts are named `base`, `closed_ron`, `tsumo`, `triplet 222z`, `kan 1111z`, `pair 55z`, the wait,
    `open_pinfu`, `rounding`, or `chiitoitsu` alone.
    """

    reading: str
    fu_parts: list[tuple[str, int]]


def explain(scores: Scores, rows: np.ndarray | None = None) -> list[Explanation]:
    """The best readings of the hands of `rows` (all by default), each of which must be paid something.

    Raises
    ------
    ValueError
        A hand without a score.
    """
    facts = scores.facts
    rows = np.arange(len(facts.hands)) if rows is None else np.asarray(rows)
    if not scores.is_paid[rows].all():
        raise ValueError("a hand that is paid nothing has no best reading")
    # `facts` keeps no columns of its readings: made again for these hands, they come in the same order.
    found = readings(facts.hands[rows])
    nth = scores.reading[rows] - np.searchsorted(facts.hand, rows)
    chosen = np.searchsorted(found.hand, np.arange(len(rows))) + nth
    codes = facts.line_fu_class[facts.line[scores.reading[rows]]]
    explained = []
    for row, at, code in zip(rows, chosen, codes, strict=True):
        parts = [] if scores.units[row] else named_fu_parts(found, int(at), int(code), scores.rules)
        assert scores.units[row] or sum(fu for _, fu in parts) == scores.fu[row], (parts, scores.fu[row])
        explained.append(Explanation(reading_text(found, int(at)), parts))
    return explained


def reading_text(found: Readings, at: int) -> str:
    """The blocks of one reading.

    >>> from .hands import of_case
    >>> win = {"concealed": [0, 1, 2, 8, 8, 9, 10, 11, 27, 27, 27], "melds": [("pon", 31)], "win_kind": 2}
    >>> reading_text(readings(of_case(win | {"is_tsumo": True})), 0)
    '12m+3m 123p 111z 99m (555z)'
    """
    hands, row = found.hands, int(found.hand[at])
    win = int(hands.win_kind[row])
    form = found.form[at]
    wait = int(found.wait[at])
    if form in (STANDARD, KNITTED):
        sets = _concealed_blocks(found, at)
        nine = _knitted_blocks(_counts(hands, row), sets) if form == KNITTED else []
        blocks = [*nine, *sets]
        completed = _first_with(win, nine) if wait == NO_WAIT else len(nine) + _completed(sets, win, wait)
    else:
        blocks = _irregular_blocks(_counts(hands, row), form)
        completed = _first_with(win, blocks)
    texts = [_block(block, win if index == completed else None) for index, block in enumerate(blocks)]
    return " ".join([*texts, *_melds(hands, row)])


def mpsz(kinds: list[int]) -> str:
    """Kinds in the usual short writing; a red five reads as a plain one.

    >>> mpsz([0, 8, 9, 33])
    '19m1p7z'
    """
    text = ""
    for suit in range(4):
        numbers = "".join(str(kind % 9 + 1) for kind in sorted(kinds) if kind // 9 == suit)
        text += numbers + "mpsz"[suit] if numbers else ""
    return text


def _block(kinds: list[int], win: int | None) -> str:
    if win is None:
        return mpsz(kinds)
    held = list(kinds)
    held.remove(win)
    return f"{mpsz(held)}+{mpsz([win])}"


def _bits(mask: int) -> list[int]:
    return [kind for kind in range(tiles.N_KINDS) if mask >> kind & 1]


def _counts(hands: Hands, row: int) -> list[int]:
    """How many concealed tiles of each kind the hand holds."""
    numbers = [int(hands.suit(suit)[row]) for suit in range(3)]
    honours = int(hands.honours[row])
    return [numbers[k // 9] // 5 ** (k % 9) % 5 for k in range(27)] + [honours // 5**k % 5 for k in range(7)]


def _concealed_blocks(found: Readings, at: int) -> list[list[int]]:
    """Runs and triplets of the concealed tiles by their lowest kind, the pair last."""
    hands, row = found.hands, found.hand[at]
    runs = int(found.runs[at] - hands.called_runs[row])
    triplets = int(found.triplets[at] & ~(hands.called_triplets[row] | hands.concealed_kans[row]))
    lows = [9 * (i // 7) + i % 7 for i in range(21) for _ in range(runs >> 3 * i & 7)]
    sets = [[low, low + 1, low + 2] for low in lows] + [[kind] * 3 for kind in _bits(triplets)]
    return [*sorted(sets), [kind for kind in _bits(int(found.pair[at])) for _ in range(2)]]


def _irregular_blocks(counts: list[int], form: int) -> list[list[int]]:
    """The blocks of a hand that is not four sets and a pair."""
    held = [kind for kind, count in enumerate(counts) for _ in range(count)]
    if form in (CHIITOITSU, FOUR_PAIRS):
        return [[kind, kind] for kind in held[::2]]
    if form == CIVIL_WAR:
        numbers = [[kind for kind in held if kind // 9 == suit] for suit in range(3)]
        return [block for block in [*numbers, *([kind] * 3 for kind in range(27, 34) if counts[kind])] if block]
    return [held]


def _knitted_blocks(counts: list[int], sets: list[list[int]]) -> list[list[int]]:
    """147, 258, 369 of three suits: what is left of the tiles beside the set and the pair."""
    in_sets = [kind for block in sets for kind in block]
    nine = [kind for kind, count in enumerate(counts) if count > in_sets.count(kind)]
    return [nine[first : first + 3] for first in (0, 3, 6)]


def _first_with(win: int, blocks: list[list[int]]) -> int:
    return next(index for index, block in enumerate(blocks) if win in block)


def _completed(blocks: list[list[int]], win: int, wait: int) -> int:
    """Which block the winning tile completed: the first that makes this wait of it."""
    for index, block in enumerate(blocks):
        if win not in block:
            continue
        if len(block) == 2:
            made = TANKI
        elif block[0] == block[2]:
            made = SHANPON
        elif block[1] == win:
            made = KANCHAN
        elif (block[0] % 9, block.index(win)) in ((0, 2), (6, 0)):
            made = PENCHAN
        else:
            made = RYANMEN
        if made == wait:
            return index
    raise AssertionError(f"no block of {blocks} is completed by {win} on a {WAITS[wait]} wait")


def _melds(hands: Hands, row: int) -> list[str]:
    """The melds in call order."""
    texts = []
    for kind, low in zip(hands.meld_kind[row].tolist(), hands.meld_tile[row].tolist(), strict=True):
        if kind < 0:
            continue
        text = mpsz([low, low + 1, low + 2] if kind == CHI else [low] * (3 if kind == PON else 4))
        texts.append(f"[{text}]" if kind == ANKAN else f"({text})")
    return texts


def named_fu_parts(found: Readings, at: int, code: int, rules: Ruleset) -> list[tuple[str, int]]:
    """The engine's parts, with what the sets, the pair and the wait give told apart."""
    named = []
    for name, fu in fu_parts(code, rules):
        named += _shape_parts(found, at, rules) if name == "sets_pair_wait" else [(name, fu)]
    return named


def _shape_parts(found: Readings, at: int, rules: Ruleset) -> list[tuple[str, int]]:
    if found.form[at] not in (STANDARD, KNITTED):
        return []
    hands, row = found.hands, found.hand[at]
    parts = []
    for kind in _bits(int(found.triplets[at])):
        is_kan = bool(hands.kans[row] & tiles.BIT[kind])
        fu = 2
        fu *= 2 if tiles.BIT[kind] & tiles.YAOCHUU else 1
        fu *= 2 if found.concealed_triplets[at] & tiles.BIT[kind] else 1
        fu *= 4 if is_kan else 1
        parts.append((f"kan {mpsz([kind] * 4)}" if is_kan else f"triplet {mpsz([kind] * 3)}", fu))
    pair = found.pair[at]
    winds = int(pair & hands.seat_bit[row] != 0) + int(pair & hands.round_bit[row] != 0)
    fu = {0: 2 if pair & tiles.DRAGONS else 0, 1: 2, 2: rules["fu.double_wind_pair"]}[winds]
    if fu:
        parts.append((f"pair {mpsz(_bits(int(pair)) * 2)}", fu))
    if found.wait[at] in (TANKI, KANCHAN, PENCHAN):
        parts.append((WAITS[found.wait[at]], 2))
    return parts
