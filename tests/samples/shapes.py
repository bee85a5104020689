"""How far a hand is from complete, and which tiles bring it nearer.

A suit is nine counts. For each suit and each number of sets, with the pair or without, `distance` holds how many
tiles are missing; the four suits are joined by the cheapest split of the sets among them. A style narrows the
sets a hand may use, for open hands that need their yaku from the shape.
"""

from functools import cache
from itertools import combinations_with_replacement

import numpy as np

from .tiles import HONOURS, ORPHANS

FAR = 20
ANY, SIMPLES, TRIPLETS, OUTSIDE = "any", "simples", "triplets", "outside"
STYLES = (ANY, SIMPLES, TRIPLETS, OUTSIDE)


def _sets(style: str, honours: bool) -> tuple[list, list]:
    """The sets and the pairs a style allows within nine ranks, as count vectors."""
    ranks = range(7) if honours else range(9)
    outer = ranks if honours else (0, 8)
    allowed = {ANY: ranks, TRIPLETS: ranks, SIMPLES: () if honours else range(1, 8), OUTSIDE: outer}[style]
    runs = {ANY: range(7), TRIPLETS: (), SIMPLES: range(1, 6), OUTSIDE: (0, 6)}[style]
    eye = np.eye(9, dtype=np.int8)
    sets = [3 * eye[k] for k in allowed]
    if not honours:
        sets += [eye[k] + eye[k + 1] + eye[k + 2] for k in runs]
    return sets, [2 * eye[k] for k in allowed]


@cache
def _missing(style: str, honours: bool) -> tuple[np.ndarray, list[int], list[int]]:
    """Every way to fill a cell, cell by cell, as what it misses.

    The array is rank x held x way: tiles of that rank missing when so many are held. The lists say which cells
    have a way at all, and where each of those begins.
    """
    sets, pairs = _sets(style, honours)
    none = np.zeros(9, np.int8)
    ways: list[tuple[int, ...]] = []
    cells, starts = [], []
    for cell in range(10):
        found = set()
        for chosen in combinations_with_replacement(range(len(sets)), cell % 5):
            base = sum((sets[i] for i in chosen), none)
            found |= {tuple(map(int, base + pair)) for pair in (pairs if cell >= 5 else [none])}
        found = {way for way in found if max(way) <= 4}
        if found:
            cells.append(cell)
            starts.append(len(ways))
            ways += sorted(found)
    needed = np.array(ways, np.int8).T
    missing = np.maximum(needed[:, None, :] - np.arange(5, dtype=np.int8)[None, :, None], 0)
    return missing, cells, starts


@cache
def distance(counts: tuple[int, ...], style: str, honours: bool) -> tuple[int, ...]:
    """Tiles missing for 0 to 4 sets (five cells), then for 0 to 4 sets and the pair."""
    missing, cells, starts = _missing(style, honours)
    total = sum((missing[rank][held] for rank, held in enumerate(counts)), np.zeros(missing.shape[2], np.int8))
    found = [FAR] * 10
    for cell, least in zip(cells, np.minimum.reduceat(total, starts), strict=True):
        found[cell] = int(least)
    return tuple(found)


NOTHING = (0, *[FAR] * 9)


@cache
def join(a: tuple[int, ...], b: tuple[int, ...]) -> tuple[int, ...]:
    """The cells of two suits together."""
    plain = [min(a[i] + b[n - i] for i in range(n + 1)) for n in range(5)]
    paired = [min(min(a[5 + i] + b[n - i], a[i] + b[5 + n - i]) for i in range(n + 1)) for n in range(5)]
    return (*plain, *paired)


def _suits(counts: list[int]) -> list[tuple[int, ...]]:
    return [tuple(counts[i : i + 9]) for i in (0, 9, 18)] + [(*counts[27:34], 0, 0)]


def _cells(counts: list[int], style: str, suit: int | None) -> list[tuple[int, ...]]:
    """The cells of the four suits; with `suit`, only that suit and the honours are of use."""
    return [
        distance(c, style, i == 3) if suit is None or i in (suit, 3) else NOTHING for i, c in enumerate(_suits(counts))
    ]


def seven_pairs(counts: list[int]) -> int:
    pairs = sum(c >= 2 for c in counts)
    return 6 - pairs + max(0, 7 - sum(c > 0 for c in counts))


def orphans(counts: list[int]) -> int:
    return 13 - sum(counts[k] > 0 for k in ORPHANS) - any(counts[k] > 1 for k in ORPHANS)


def shanten(counts: list[int], melds: int, style: str = ANY, suit: int | None = None) -> int:
    """Tiles from tenpai; 0 is tenpai, -1 complete. Closed hands of any style may be seven pairs or orphans."""
    one, two, three, honours = _cells(counts, style, suit)
    best = join(join(one, two), join(three, honours))[9 - melds] - 1
    if melds == 0 and style == ANY and suit is None:
        best = min(best, seven_pairs(counts), orphans(counts))
    return best


def useful(counts: list[int], melds: int, style: str = ANY, suit: int | None = None) -> tuple[int, list[int]]:
    """(shanten, the kinds that lower it) of a hand that waits for a tile."""
    cells = _cells(counts, style, suit)
    whole = join(join(cells[0], cells[1]), join(cells[2], cells[3]))
    closed = melds == 0 and style == ANY and suit is None
    now = whole[9 - melds] - 1
    pairs = seven_pairs(counts) if closed else FAR
    thirteen = orphans(counts) if closed else FAR
    best = min(now, pairs, thirteen)
    found = set()
    if now == best:
        suits = _suits(counts)
        for i in range(4):
            if cells[i] is NOTHING:
                continue
            others = [cells[j] for j in range(4) if j != i]
            rest = join(join(others[0], others[1]), others[2])
            for k in range(7 if i == 3 else 9):
                more = (*suits[i][:k], suits[i][k] + 1, *suits[i][k + 1 :])
                if more[k] <= 4 and join(rest, distance(more, style, i == 3))[9 - melds] - 1 < best:
                    found.add(i * 9 + k)
    if pairs == best:
        found |= {k for k in range(34) if counts[k] == 1 or (counts[k] == 0 and sum(map(bool, counts)) < 7)}
    if thirteen == best:
        doubled = any(counts[k] > 1 for k in ORPHANS)
        found |= {k for k in ORPHANS if counts[k] == 0 or not doubled}
    return best, sorted(found)


def is_complete(counts: list[int], melds: int) -> bool:
    return shanten(counts, melds) == -1


def waits(counts: list[int], melds: int, melded: list[int] | None = None) -> list[int]:
    """The kinds that complete the hand; one whose four tiles it holds itself is none."""
    if sum(counts) % 3 != 1 or shanten(counts, melds) != 0:
        return []
    own = [c + m for c, m in zip(counts, melded or [0] * 34, strict=True)]
    return [k for k in useful(counts, melds)[1] if own[k] < 4]


def is_always_a_triplet(counts: list[int], kind: int, melds: int) -> bool:
    """Whether every completed reading of a tenpai hand holds `kind`, held three times, as a triplet."""
    for wait in waits(counts, melds):
        whole = list(counts)
        whole[wait] += 1
        if not _sets_only(whole, kind, 4 - melds):
            return False
    return True


def _sets_only(counts: list[int], kind: int, sets: int) -> bool:
    """No reading of a complete hand uses `kind` in a run or as the pair."""
    left = list(counts)
    left[kind] -= 2
    if shanten_of_sets(left, sets) == 0:
        return False
    if kind in HONOURS:
        return True
    for start in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
        run = (start, start + 1, start + 2)
        if all(counts[k] for k in run):
            left = [c - (k in run) for k, c in enumerate(counts)]
            if shanten(left, 5 - sets) == -1:
                return False
    return True


def shanten_of_sets(counts: list[int], sets: int) -> int:
    """Tiles missing for that many sets and nothing else."""
    one, two, three, honours = _cells(counts, ANY, None)
    return join(join(one, two), join(three, honours))[sets]
