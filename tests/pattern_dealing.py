"""Random hands around the patterns of local yaku: hands that have them and hands that just miss them.

A style draws the blocks of a hand, `deal` lays some of them open, makes kans, picks a winning tile and circumstances
that can meet, and gives the values that `analytics.scoring.hands.of_case` takes. No hand holds a tile five times;
about one in ten is complete in no way.
"""

import random
from collections import Counter
from itertools import chain

from dealing import DRAGONS, HONOURS, ORPHANS, SIMPLES, SUITS, TERMINALS, WIND_KINDS, Redraw, fill, kinds_of, with_quads
from local_reference import KNITTED
from local_reference import kinds_of as kinds_of_text

ALL = tuple(range(34))
NUMBERS = tuple(range(27))
FIVES = (4, 13, 22)
REDS = ("red_man", "red_pin", "red_sou")


def pool(text):
    return tuple(sorted(kinds_of_text(text)))


def run(suit, first):
    """The run of a suit (0-2) from a number (0-8); drawn again where there is none."""
    if not 0 <= first <= 6:
        raise Redraw
    return "run", 9 * suit + first


def triplet(suit, number):
    if not 0 <= number <= 8:
        raise Redraw
    return "triplet", 9 * suit + number


def suits_in_order(rng):
    return rng.sample(range(3), 3)


def somewhere(rng, blocks, *, chance=0.35):
    """The blocks, one of them now and then moved by a number or to another suit: a near miss."""
    blocks = list(blocks)
    if rng.random() < chance:
        at = rng.randrange(len(blocks))
        shape, kind = blocks[at]
        suit, number = divmod(kind, 9)
        if suit < 3:
            suit, number = rng.choice([(suit, number + 1), (suit, number - 1), ((suit + 1) % 3, number)])
            blocks[at] = run(suit, number) if shape == "run" else (shape, triplet(suit, number)[1])
        else:
            blocks[at] = shape, rng.choice(HONOURS)
    return blocks


def rounded(rng, sets, *, kinds=ALL, pair=None, runs=0.6):
    """Sets filled up to four, with a pair: the one given, or mostly one near the sets."""
    near = sorted({k for b in sets for k in kinds_of(b)})
    around = rng.choice([near, near, kinds]) if near else kinds
    return fill(rng, kinds, sets, pair=pair, pair_kinds=around, runs=runs)


# ------------------------------------------------------------------------------------------------------------ runs


def equal_runs(rng):
    """Three or four runs on one spot, which are triplets as well, or nearly."""
    suit, first = rng.randrange(3), rng.randrange(7)
    sets = [run(suit, first)] * rng.choice([3, 4])
    return rounded(rng, somewhere(rng, sets), kinds=rng.choice([ALL, SUITS[suit]]))


def two_by_two(rng):
    """Two runs, each in two suits: the same two, two others, or both of the same numbers."""
    a, b, c = rng.choice([(0, 2, 1), suits_in_order(rng)])
    x = rng.randrange(7)
    y = rng.choice([x, x + 3, x - 3, 6, 0, rng.randrange(7)])
    fourth = rng.choice([b, b, b, c])
    sets = [run(a, x), run(b, x), run(a, y), run(fourth, y)]
    if rng.random() < 0.2:
        sets = [run(a, x), run(b, x), run(b, y), run(c, y)]
    return [*somewhere(rng, sets, chance=0.2), ("pair", rng.choice([13, 13, 9 * c + 4, rng.choice(ALL)]))]


def straights(rng):
    """A straight of one suit or of three, with terminals, honours or anything beside it."""
    order = suits_in_order(rng)
    of = [order[0]] * 3 if rng.random() < 0.6 else order
    sets = somewhere(rng, [run(s, 3 * i) for i, s in enumerate(of)], chance=0.2)
    kinds = rng.choice([ALL, ORPHANS, TERMINALS, HONOURS, (*SUITS[of[0]], *HONOURS), (27, 30, 31, 32, 29)])
    if rng.random() < 0.3:
        sets.append(run(rng.choice(order), rng.choice([0, 6])))
    return fill(rng, kinds, sets, triplets=kinds, runs=0.3)


def trains(rng):
    """A straight with a triplet and a pair of winds or dragons, of north and others most of all."""
    suit = rng.randrange(3)
    sets = somewhere(rng, [run(suit, 3 * i) for i in range(3)], chance=0.1)
    one, other = rng.sample([27, 29, 30, 30, 31, 32], 2)
    return [*sets, ("triplet", one), ("pair", other if other != one else rng.choice(ALL))]


def bridges(rng):
    """Runs of one suit two numbers apart, or twice 123 and 789, with a pair of the suit or another."""
    suit = rng.randrange(3)
    firsts = rng.choice([(0, 2, 4, 6), (0, 0, 6, 6), (0, 0, 6, 6), (0, 6, 0, 6)])
    sets = somewhere(rng, [run(suit, first) for first in firsts], chance=0.15)
    number = rng.choice([4, 4, 0, 8, rng.randrange(9)])
    return [*sets, ("pair", 9 * rng.choice([suit, suit, rng.randrange(3)]) + number)]


def old_and_young(rng):
    """123 and 789 in two suits, the 5 of the third as pair, or nearly."""
    a, b, c = suits_in_order(rng)
    sets = somewhere(rng, [run(a, 0), run(b, 0), run(a, 6), run(b, 6)], chance=0.15)
    return [*sets, ("pair", 9 * rng.choice([c, c, c, a]) + rng.choice([4, 4, 4, 3]))]


def steps_of_runs(rng):
    """Runs one or two numbers apart, of one suit or of three."""
    step, order = rng.choice([1, 1, 2]), suits_in_order(rng)
    first = rng.randrange(7)
    of = [order[0]] * 4 if rng.random() < 0.5 else order
    sets = [run(s, first + step * i) for i, s in enumerate(of) if i < rng.choice([3, 3, 4])]
    return rounded(rng, somewhere(rng, sets, chance=0.2))


def fives(rng):
    """A five in every block, or in all but one."""

    def block():
        five = rng.choice(FIVES)
        return rng.choice([("run", five), ("run", five - 1), ("run", five - 2), ("run", five - 1), ("triplet", five)])

    pair = rng.choice([*FIVES, *FIVES, rng.choice(ALL)])
    return [*somewhere(rng, [block() for _ in range(4)], chance=0.2), ("pair", pair)]


def triplets_in_runs(rng):
    """Triplets with runs through them."""
    suit, number = rng.randrange(3), rng.randrange(9)
    sets = [triplet(suit, number), run(suit, number - rng.randrange(3))]
    if rng.random() < 0.4:
        number = rng.randrange(9)
        sets += [triplet(suit, number), run(suit, number - rng.randrange(3))]
    return rounded(rng, sets)


def runs_of_few_suits(rng):
    """Runs of two suits."""
    a, b, _ = suits_in_order(rng)
    sets = [run(rng.choice([a, b]), rng.choice([0, 3, 6, rng.randrange(7)])) for _ in range(rng.choice([2, 3, 4]))]
    return rounded(rng, sets, kinds=rng.choice([ALL, (*SUITS[a], *SUITS[b]), (*SUITS[a], *SUITS[b], *HONOURS)]))


# -------------------------------------------------------------------------------------------------------- triplets


def steps_of_triplets(rng):
    """Triplets one to four numbers apart, of one suit or of three."""
    step, order = rng.choice([1, 1, 1, 2, 2, 3, 3, 4, 4, 4]), suits_in_order(rng)
    first = rng.randrange(9 - 2 * step)
    of = [order[0]] * 4 if rng.random() < 0.5 else [*order, rng.choice(order)]
    sets = [triplet(s, first + step * i) for i, s in enumerate(of) if i < rng.choice([3, 3, 4])]
    if rng.random() < 0.4:
        rng.shuffle(of)
    return rounded(rng, somewhere(rng, sets, chance=0.2), runs=0.4)


def four_in_a_row(rng):
    """Four triplets one or two numbers apart, with a pair at either end or elsewhere."""
    suit, step = rng.randrange(3), rng.choice([1, 1, 2])
    first = rng.randrange(9 - 3 * step)
    sets = [triplet(suit, first + step * i) for i in range(4)]
    pair = rng.choice([first - 1, first + 4, first - step, first + 4 * step, rng.randrange(9)])
    if not 0 <= pair <= 8:
        raise Redraw
    return [*somewhere(rng, sets, chance=0.1), ("pair", 9 * suit + pair)]


def same_numbers(rng):
    """Triplets of one or two numbers in two or three suits, the pair perhaps of the number too."""
    a, b, c = suits_in_order(rng)
    x, y = rng.sample(range(9), 2)
    sets = rng.choice(
        [
            [triplet(a, x), triplet(b, x)],
            [triplet(a, x), triplet(b, x), triplet(c, x)],
            [triplet(a, x), triplet(b, x), triplet(a, y), triplet(b, y)],
            [triplet(a, x), triplet(b, x), triplet(b, y), triplet(c, y)],
        ]
    )
    pair = rng.choice([9 * c + x, rng.choice(ALL), 9 * c + y])
    return fill(rng, ALL, somewhere(rng, sets, chance=0.15), pair=pair, runs=0.6)


def even_triplets(rng):
    kinds = [k for k in NUMBERS if k % 9 % 2]
    pair = rng.choice([rng.choice(kinds), rng.choice(kinds), rng.choice(ALL)])
    return fill(rng, kinds, somewhere(rng, [("triplet", rng.choice(kinds))], chance=0.2), runs=0.0, pair=pair)


def any_triplets(rng):
    sets = [("triplet", k) for k in rng.sample(ALL, rng.choice([2, 3, 4]))]
    return rounded(rng, sets, runs=0.5)


# --------------------------------------------------------------------------------------------------------- honours


def winds(rng):
    sets = [("triplet", k) for k in rng.sample(WIND_KINDS, rng.choice([2, 3, 3, 4]))]
    pair = rng.choice([rng.choice(WIND_KINDS), rng.choice(DRAGONS), rng.choice(ALL)])
    return fill(rng, rng.choice([ALL, HONOURS, pool("159p1s567z")]), sets, pair=pair, runs=0.6)


def dragons(rng):
    sets = [("triplet", k) for k in rng.sample(DRAGONS, rng.choice([1, 2, 3]))]
    return fill(rng, rng.choice([ALL, HONOURS]), sets, pair_kinds=rng.choice([DRAGONS, ALL]), runs=0.6)


def nature(rng):
    """Flower, bird, wind, snow and moon as triplets."""
    kinds = [13, rng.choice([18, 31]), 9, rng.choice(WIND_KINDS)]
    return [*somewhere(rng, [("triplet", k) for k in kinds], chance=0.2), ("pair", rng.choice(ALL))]


def honour_triplets(rng):
    return fill(rng, HONOURS, pair_kinds=rng.choice([HONOURS, ALL]), runs=0.0)


# ------------------------------------------------------------------------------------------------ tiles of the hand

POOLS = [
    pool(text)
    for text in (
        *("23468s6z", "23468s7z", "234568s6z", "234568s7z", "1579s7z", "248p1234z", "246p14z", "248p6z1z", "248p6z"),
        *("248p12346z", "248p23468s", "248p23468s123456z", "1234589p245689s5z", "2345679s", "123456789s"),
        *("6789m6789p6789s", "1234m1234p1234s", "789m789p789s", "456m456p456s", "123m123p123s", "123456789m"),
        *("6789m", "56789m", "56789m56789p", "6789m12z", "2468m2468p2468s", "19m19p19s1234567z", "19m19p19s"),
        *("1m1p1s1234z", "123456789p1234567z", "1m1p1s567z"),
    )
]


def few_tiles(rng):
    """Sets of one of the collections of tiles that yaku are made of, the pair now and then from elsewhere."""
    kinds = rng.choice(POOLS)
    pair_kinds = rng.choice([kinds, kinds, kinds, ALL, (22,)])
    return fill(rng, kinds, runs=rng.choice([0.0, 0.3, 0.6, 0.9]), pair_kinds=pair_kinds)


SMALL_POOLS = [pool(text) for text in ("1579s7z", "248p1234z", "246p14z", "248p16z", "248p36z", "23468s7z", "1m19p19s")]


def few_triplets(rng):
    """Different triplets and a pair of just a few kinds."""
    kinds = rng.sample(rng.choice(SMALL_POOLS), 5)
    return somewhere(rng, [("triplet", k) for k in kinds[:4]] + [("pair", kinds[4])], chance=0.1)


def five_classes(rng):
    """A set of each class of tiles, most of them triplets."""
    classes = [*SUITS, WIND_KINDS, DRAGONS]
    rng.shuffle(classes)
    sets = [("triplet", rng.choice(of)) for of in classes[:4]]
    if rng.random() < 0.5:
        sets = [run(b[1] // 9, rng.randrange(7)) if b[1] < 27 and rng.random() < 0.6 else b for b in sets]
    return [*sets, ("pair", rng.choice([rng.choice(classes[4]), rng.choice(ALL)]))]


def around_a_hundred(rng):
    """High tiles of man or pin, now and then honours."""
    suit = rng.choice([0, 0, 0, 1])
    low = rng.choice([3, 4, 5])
    kinds = range(9 * suit + low, 9 * suit + 9)
    pair = rng.choice([*kinds, rng.choice(SUITS[suit]), 9 * suit + 4])
    pair = rng.choice([pair, pair, pair, rng.choice(HONOURS)])
    return fill(rng, kinds, [("triplet", k) for k in rng.sample(kinds, rng.choice([1, 2, 3]))], runs=0.5, pair=pair)


def nine_gates(rng):
    """Nine gates of which a set may be called, or one tile off."""
    suit = rng.choice(SUITS)
    tiles = Counter([*suit, suit[0], suit[0], suit[8], suit[8], rng.choice(suit)])
    if rng.random() < 0.2:
        tiles[rng.choice(suit)] += 1
        tiles[rng.choice(suit)] -= 1
    if min(tiles.values()) < 0:
        raise Redraw
    for shape, kind in rng.choice(
        [[], [run(suit[0] // 9, rng.randrange(7))], [("triplet", rng.choice([suit[0], suit[8]]))]]
    ):
        left = Counter(tiles)
        left.subtract(kinds_of((shape, kind)))
        if min(left.values()) >= 0:
            return [(shape, kind), *singles(left)]
    return singles(tiles)


def singles(counts):
    return [("single", k) for k in Counter(counts).elements()]


# ----------------------------------------------------------------------------------------------- seven pairs and others


def pairs(rng):
    """Seven pairs of any sort, now and then with four of a kind."""
    kinds = rng.choice([ALL, SIMPLES, HONOURS, ORPHANS, *POOLS, *SUITS])
    honours = rng.choice([(), (), (), DRAGONS, WIND_KINDS])
    found = [*honours, *rng.sample(kinds, min(7, len(kinds)))]
    if rng.random() < 0.15:
        found = list(rng.choice([HONOURS, (0, 9, 18, *WIND_KINDS), (10, 12, 16, *WIND_KINDS)]))
    if rng.random() < 0.15:
        found += found[:2]
        rng.shuffle(found)
    found = (found if len(found) >= 7 else found * 2)[:7]
    return [("pair", k) for k in found]


def wheels(rng):
    """Seven neighbouring pairs of a suit, or with a gap."""
    suit, first = rng.randrange(3), rng.randrange(3)
    numbers = [n for n in range(first, first + 8) if n < 9]
    if rng.random() < 0.6:
        numbers = numbers[:7]
    numbers = sorted(rng.sample(numbers, min(7, len(numbers))))
    return [("pair", 9 * suit + n) for n in numbers] + [
        ("pair", rng.choice(SUITS[suit])) for _ in range(7 - len(numbers))
    ]


def orphans(rng):
    return singles([*ORPHANS, rng.choice(ORPHANS)])


def knitted_and_honours(rng):
    """Fourteen of the nine knitted tiles and the honours, or one of them wrong."""
    nine = rng.choice(KNITTED)
    n_honours = rng.choice([5, 5, 6, 7, 7])
    tiles = [*rng.sample(list(HONOURS), n_honours), *rng.sample(sorted(nine), 14 - n_honours)]
    if rng.random() < 0.15:
        tiles[rng.randrange(14)] = rng.choice(ALL)
    return singles(tiles)


def knitted_and_sets(rng):
    """The nine knitted tiles with a set and a pair."""
    tiles = sorted(rng.choice(KNITTED))
    if rng.random() < 0.1:
        tiles[rng.randrange(9)] = rng.choice(ALL)
    kinds = rng.choice([ALL, HONOURS, NUMBERS])
    number = rng.choice(NUMBERS)
    sets = [("run", number)] if number % 9 <= 6 and rng.random() < 0.5 else [("triplet", rng.choice(kinds))]
    return [*sets, ("pair", rng.choice(kinds)), *singles(tiles)]


def scattered(rng):
    """Tiles of each suit three or more numbers apart with honours: no two of them neighbours, or one pair."""
    tiles = []
    for suit in range(3):
        number = rng.randrange(3)
        while number <= 8:
            tiles.append(9 * suit + number)
            number += rng.choice([3, 3, 3, 4])
    honours = rng.sample(list(HONOURS), 7)
    tiles = [*honours[: max(4, 14 - len(tiles))], *rng.sample(tiles, min(len(tiles), 10))][:13]
    extra = rng.choice([rng.choice(tiles), *honours[-2:], rng.choice(ALL)])
    if len(tiles) != 13:
        raise Redraw
    return singles([*tiles, extra])


def civil_war(rng):
    """South and north from 1861 to 1865, concealed, called or as kans; of two suits or of one; or nearly."""
    a, b = rng.choice([tuple(suits_in_order(rng)[:2])] * 5 + [(rng.randrange(3),) * 2])
    tiles = [9 * a + n - 1 for n in (1, 8, 6, 1)] + [9 * b + n - 1 for n in (1, 8, 6, 5)]
    if rng.random() < 0.1:
        tiles[rng.randrange(8)] = rng.choice(NUMBERS)
    last = 30 if rng.random() < 0.93 else 27
    return [("triplet", 28), ("triplet", last), *singles(tiles)]


def neighbours(rng):
    """Shapes with many readings: three or four of a kind beside runs, in one suit."""
    suit, low = rng.randrange(3), rng.randrange(6)
    near = range(9 * suit + max(0, low - 2), 9 * suit + min(9, low + 6))
    sets = rng.choice(
        [
            [triplet(suit, low + i) for i in range(3)],
            [triplet(suit, low), run(suit, low + 1), run(suit, low + 1)],
            [run(suit, low), run(suit, low), run(suit, low + 1), run(suit, low + 1)],
            [triplet(suit, low), triplet(suit, low + 1), run(suit, low)],
        ]
    )
    return fill(rng, near, sets, pair_kinds=rng.choice([near, ALL]))


STYLES = {
    equal_runs: 4,
    two_by_two: 7,
    straights: 7,
    trains: 5,
    bridges: 4,
    old_and_young: 2,
    steps_of_runs: 5,
    fives: 3,
    triplets_in_runs: 3,
    runs_of_few_suits: 4,
    steps_of_triplets: 7,
    four_in_a_row: 4,
    same_numbers: 5,
    even_triplets: 2,
    any_triplets: 3,
    winds: 4,
    dragons: 3,
    nature: 3,
    honour_triplets: 1.5,
    few_tiles: 11,
    few_triplets: 5,
    five_classes: 3,
    around_a_hundred: 5,
    nine_gates: 2,
    pairs: 5,
    wheels: 3,
    orphans: 1,
    knitted_and_honours: 3,
    knitted_and_sets: 3,
    scattered: 3,
    civil_war: 2,
    neighbours: 4,
}


# ---------------------------------------------------------------------------------------------------- at the table


def lay_open(rng, blocks):
    """Blocks held, and melds as (word, block): none, some or all of what can be called."""
    n_open = rng.choice([0, 0, 0, 0, 1, 2, 3, 4, 4])
    sets = [b for b in blocks if b[0] in ("run", "triplet", "kan")]
    opened = rng.sample(sets, min(n_open, len(sets)))
    held, melds = [], []
    for block in blocks:
        if block in opened:
            opened.remove(block)
            words = {"run": ["chi"], "triplet": ["pon"], "kan": ["daiminkan", "kakan", "ankan"]}[block[0]]
            melds.append((rng.choice(words), block))
        elif block[0] == "kan":
            melds.append(("ankan", block))
        else:
            held.append(block)
    rng.shuffle(melds)
    return held, melds


# Tiles at which a circumstance makes a yaku of its own, and the circumstances.
TELLING = {13: "rinshan", 19: "chankan", 9: "last_tile", 17: "last_tile"}


def chosen(rng, flags, *names, chance=0.5):
    """Add each name with a chance."""
    flags.update(name for name in names if rng.random() < chance)


def circumstances(rng, *, tsumo, melds, seat, win_held, wish):
    """Circumstances that can meet in one win.

    `last_copy` goes with any wait here, although of a pair the winner holds a copy himself: what it means of one, the
    conditions do not say.
    """
    words = [word for word, _ in melds]
    n_kans = sum(word.endswith("kan") for word in words)
    closed = set(words) <= {"ankan"}
    flags = set()
    is_first = rng.random() < 0.15 and set(words) <= {"ankan", "daiminkan"}
    if closed and not is_first and rng.random() < 0.45:
        flags.add("riichi")
        if rng.random() < 0.35 and not melds:
            flags.add("double_riichi")
        kind = rng.random()
        if kind < 0.3:
            flags.add("open_riichi")
        elif kind < 0.4:
            flags.add("tsumosen_riichi")
        elif kind < 0.5:
            flags.update(("open_riichi", "bunbun_riichi"))
        chosen(rng, flags, "ippatsu", chance=0.3)
    if not closed and "pon" in words and rng.random() < 0.1:
        flags.add("pon_riichi")
    if rng.random() < 0.15 or (wish == "last_tile" and rng.random() < 0.7):
        flags.add("last_tile")
    if is_first:
        flags.add("no_own_discard")
        flags.discard("last_tile")
    if rng.random() < 0.6:
        flags.add("no_opponent_calls")
        if not melds and rng.random() < 0.9:
            flags.add("no_calls")
    if tsumo:
        drawn(rng, flags, words, n_kans, seat, wish)
    else:
        claimed(rng, flags, words, seat, win_held, wish)
    if rng.random() < (0.3 if "chankan" not in flags else 0.0):
        flags.add("last_copy")
    streak(rng, flags, seat)
    return flags


def drawn(rng, flags, words, n_kans, seat, wish):
    if n_kans and (wish == "rinshan" or "no_own_discard" in flags or rng.random() < 0.35):
        flags.add("rinshan")
        chain = rng.randint(1, n_kans)
        flags.update(f"kan_chain_{n}" for n in (2, 3, 4) if n <= chain)
        n_concealed = words.count("ankan")
        if n_concealed == n_kans or (n_concealed >= chain and rng.random() < 0.5):
            flags.add("concealed_kan_chain")
        flags.discard("ippatsu")
    elif "last_tile" in flags:
        flags.add("haitei")
    if {"no_own_discard", "no_calls"} <= flags:
        flags.add("tenhou" if seat == 0 else "chiihou")
    elif not words and "no_own_discard" not in flags and rng.random() < 0.02:
        flags.update(("no_own_discard", "no_opponent_calls", "no_calls", "tenhou" if seat == 0 else "chiihou"))
        for name in ("riichi", "double_riichi", "open_riichi", "tsumosen_riichi", "bunbun_riichi", "ippatsu"):
            flags.discard(name)
        for name in ("haitei", "last_tile"):
            flags.discard(name)


def claimed(rng, flags, words, seat, win_held, wish):
    robbed = win_held == 1 and rng.random() < (0.6 if wish == "chankan" else 0.1)
    if robbed:
        flags.update(("chankan", "last_copy"))
        flags.discard("no_calls")
        flags.discard("no_opponent_calls")
    elif "last_tile" in flags:
        flags.add("houtei")
    riichi_of_loser = rng.random()
    if not robbed and riichi_of_loser < 0.15:
        flags.add("declaration_tile")
        chosen(rng, flags, "double_declaration", chance=0.3)
    elif not robbed and riichi_of_loser < 0.25:
        flags.update(("replacement_sideways", "loser_riichi", "riichi_before"))
    elif riichi_of_loser < 0.5:
        flags.update(("loser_riichi", "riichi_before"))
        if "open_riichi" in flags:
            chosen(rng, flags, "loser_riichi_before_open")
    chosen(rng, flags, "riichi_before", chance=0.2)
    if not robbed:
        chosen(rng, flags, "after_kan_discard", chance=0.1)
        if "after_kan_discard" in flags:
            flags -= {"no_calls", "no_opponent_calls"}
    if seat:
        chosen(rng, flags, "loser_dealer", chance=0.4)
    if "no_own_discard" in flags and not words:
        flags.add("no_own_draw")
    if "no_calls" in flags and ("no_own_draw" in flags or rng.random() < 0.2):
        flags.add("first_go_around")
        if "no_own_draw" in flags and "loser_dealer" in flags:
            flags.add("dealer_first_discard")


def streak(rng, flags, seat):
    """Where the winner and the dealer stand in their runs of wins."""
    lot = rng.random()
    if lot < 0.04:
        flags.add("beyond_eighth_1")
        chosen(rng, flags, "eighth_1", chance=0.6)
        if seat == 0:
            chosen(rng, flags, "beyond_eighth_2", "beyond_eighth_3")
            flags.update(f"eighth_{n}" for n in (2, 3) if f"beyond_eighth_{n}" in flags and rng.random() < 0.6)
    elif lot < 0.08:
        flags.add("holder_eighth_1")
        if seat:
            chosen(rng, flags, "dealer_eighth_1", "dealer_eighth_2", "dealer_eighth_3")


def attempt(rng):
    style = rng.choices(list(STYLES), STYLES.values())[0]
    blocks = style(rng)
    if sum(shape == "pair" for shape, _ in blocks) <= 1:
        held, melds = lay_open(rng, with_quads(rng, blocks))
    else:
        held, melds = blocks, []
    counts = Counter(chain.from_iterable(map(kinds_of, [*held, *[b for _, b in melds]])))
    if max(counts.values()) > 4 or any(k not in ALL for k in counts):
        raise Redraw
    hand = list(chain.from_iterable(map(kinds_of, held)))
    if len(hand) + 3 * len(melds) != 14:
        raise Redraw
    telling = [k for k in hand if k in TELLING or k in FIVES]
    win = rng.choice(telling) if telling and rng.random() < 0.25 else rng.choice(hand)
    tsumo = rng.random() < 0.45
    seat = rng.randrange(4)
    round_ = rng.choice([seat, *range(4)])
    wish = TELLING.get(win)
    flags = circumstances(rng, tsumo=tsumo, melds=melds, seat=seat, win_held=hand.count(win), wish=wish)
    hand, n_aka = painted(rng, hand, melds, flags)
    return {
        "concealed": hand,
        "melds": [(word, kind) for word, (_, kind) in melds],
        "win_kind": win,
        "is_tsumo": tsumo,
        "seat_wind": seat,
        "round_wind": round_,
        "flags": sorted(flags),
        "n_aka": n_aka,
        "style": style.__name__,
    }


def painted(rng, hand, melds, flags):
    """Tiles 0-36 of the hand, with red fives among those held; and how many are red, in melds too."""
    n_aka = 0
    hand = list(hand)
    eager = rng.random() < 0.5
    for suit, five in enumerate(FIVES):
        at = [i for i, k in enumerate(hand) if k == five]
        melded = sum(kinds_of(b).count(five) for _, b in melds)
        n_red = min(len(at) + melded, rng.choice([1, 2] if suit == 1 else [1])) if eager or rng.random() < 0.2 else 0
        for _ in range(n_red):
            n_aka += 1
            flags.add(REDS[suit])
            if at and (not melded or rng.random() < 0.5):
                hand[at.pop()] = 34 + suit
            else:
                melded -= 1
    return hand, n_aka


def deal(rng):
    """The values of one random hand, drawn from a `random.Random`."""
    while True:
        try:
            return attempt(rng)
        except Redraw:
            continue


def deals(seed, n):
    """The values of `n` hands."""
    rng = random.Random(seed)
    return [deal(rng) for _ in range(n)]
