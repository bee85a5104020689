"""Random complete hands, rich in patterns, as case dicts for the oracle and the engine.

`deal(rng)` gives one case and `deals(seed, n)` a reproducible list. Every hand is complete, holds no
tile five times and has circumstances that can happen together; a few have no yaku.
"""

import random
from collections import Counter
from itertools import chain

SUITS = (range(0, 9), range(9, 18), range(18, 27))
HONOURS = range(27, 34)
WINDS = "ESWN"
WIND_KINDS = (27, 28, 29, 30)
DRAGONS = (31, 32, 33)
TERMINALS = (0, 8, 9, 17, 18, 26)
ORPHANS = (*TERMINALS, *HONOURS)
SIMPLES = tuple(k for k in range(27) if k not in TERMINALS)
GREENS = (19, 20, 21, 23, 25, 32)
NORTH = 30


class Redraw(Exception):
    """The hand drawn so far needs a tile that does not exist."""


def size(shape):
    return {"run": 3, "triplet": 3, "kan": 4, "pair": 2, "single": 1}[shape]


def kinds_of(block):
    shape, kind = block
    return [kind, kind + 1, kind + 2] if shape == "run" else [kind] * size(shape)


def is_run_start(kind):
    return kind < 27 and kind % 9 <= 6


# Sets by style. Each style takes (rng, kinds that exist) and gives blocks with one pair among them,
# or pairs only, or single tiles. Impossible hands are drawn again.


def fill(rng, kinds, fixed=(), *, runs=0.6, pair=None, pair_kinds=None, run_starts=None, triplets=None):
    """`fixed` sets, then random ones from the given kinds up to four, then a pair."""
    kinds = list(kinds)
    run_starts = [k for k in (kinds if run_starts is None else run_starts) if is_run_start(k)]
    run_starts = [k for k in run_starts if {k, k + 1, k + 2} <= set(kinds)]
    triplets = kinds if triplets is None else [k for k in triplets if k in kinds]
    blocks = list(fixed)
    while len(blocks) < 4:
        if run_starts and (not triplets or rng.random() < runs):
            blocks.append(("run", rng.choice(run_starts)))
        elif triplets:
            blocks.append(("triplet", rng.choice(triplets)))
        else:
            raise Redraw
    return [*blocks, ("pair", rng.choice(list(pair_kinds or kinds)) if pair is None else pair)]


def anything(rng, kinds):
    return fill(rng, kinds, runs=rng.choice([0.3, 0.7, 0.9]))


def only_runs(rng, kinds):
    return fill(rng, kinds, runs=1.0)


def simples(rng, kinds):
    return fill(rng, [k for k in kinds if k in SIMPLES], runs=0.75)


def one_suit(rng, kinds):
    return fill(rng, rng.choice(full_suits(kinds)), runs=rng.choice([0.5, 0.8, 1.0]))


def suit_and_honours(rng, kinds):
    suit = list(rng.choice(SUITS[1:] if 1 not in kinds else SUITS))
    return fill(rng, [*suit, *HONOURS], runs=0.5)


def full_suits(kinds):
    return [suit for suit in SUITS if set(suit) <= set(kinds)]


def outside(rng, kinds, *, honours=True):
    tiles = [k for k in ORPHANS if honours or k < 27]
    starts = [k for k in kinds if is_run_start(k) and k % 9 in (0, 6) and k + 1 in kinds]
    blocks = []
    while len(blocks) < 4:
        run = rng.random() < 0.7
        blocks.append(("run", rng.choice(starts)) if run else ("triplet", rng.choice(tiles)))
    return [*blocks, ("pair", rng.choice(tiles))]


def pure_outside(rng, kinds):
    return outside(rng, kinds, honours=False)


def triplets_only(rng, kinds):
    return fill(rng, kinds, runs=0.0)


def three_triplets(rng, kinds):
    return fill(rng, kinds, [("triplet", k) for k in rng.sample(list(kinds), 3)], runs=0.9)


def orphan_triplets(rng, kinds):
    return fill(rng, ORPHANS, runs=0.0)


def terminals_only(rng, kinds):
    return fill(rng, TERMINALS, runs=0.0)


def honours_only(rng, kinds):
    return fill(rng, HONOURS, runs=0.0)


def dragons(rng, kinds):
    held = [("triplet", k) for k in rng.sample(DRAGONS, 2)]
    return fill(rng, kinds, held, pair_kinds=(*DRAGONS, rng.choice(list(kinds))))


def big_dragons(rng, kinds):
    return fill(rng, kinds, [("triplet", k) for k in DRAGONS])


def four_winds(rng, kinds):
    held = [("triplet", k) for k in rng.sample(WIND_KINDS, rng.choice([3, 3, 4]))]
    spare = rng.choice(list(kinds))
    return fill(rng, kinds, held, pair_kinds=(*WIND_KINDS, spare), triplets=(*WIND_KINDS, spare))


def value_honours(rng, kinds):
    held = [("triplet", k) for k in rng.sample(list(HONOURS), rng.choice([1, 2]))]
    return fill(rng, kinds, held, pair_kinds=rng.choice([HONOURS, kinds]))


def greens(rng, kinds):
    return fill(rng, GREENS)


def straight(rng, kinds):
    base = rng.choice(full_suits(kinds))[0]
    return fill(rng, kinds, [("run", base + step) for step in (0, 3, 6)])


def three_suit_runs(rng, kinds):
    """Runs of one number, now and then with one of them shifted."""
    if 1 not in kinds:
        raise Redraw
    low = rng.randrange(7)
    starts = [low, low + 9, low + 18]
    if rng.random() < 0.2:
        starts[rng.randrange(3)] = rng.choice([k for k in kinds if is_run_start(k)])
    return fill(rng, kinds, [("run", k) for k in starts])


def three_suit_triplets(rng, kinds):
    number = rng.choice([k for k in kinds if k < 9])
    return fill(rng, kinds, [("triplet", number + base) for base in (0, 9, 18)])


def twin_runs(rng, kinds):
    starts = [k for k in kinds if is_run_start(k) and k + 1 in kinds]
    first, second = rng.choice(starts), rng.choice(starts)
    fixed = [("run", first)] * 2
    if rng.random() < 0.6:
        fixed += [("run", second)] * 2
    return fill(rng, kinds, fixed)


def stacked(rng, kinds):
    """Shapes with several readings: three or four neighbouring triplets, or runs on one spot."""
    base = rng.choice(full_suits(kinds))[0]
    low = base + rng.randrange(6)
    fixed = rng.choice(
        [
            [("triplet", low + i) for i in range(3)],
            [("triplet", low + i) for i in range(4)],
            [("run", low)] * 3,
            [("run", low)] * 4,
            [("triplet", low), ("run", low + 1), ("run", low + 1)],
            [("triplet", low), ("triplet", low + 1), ("run", low)],
            [("run", low), ("run", low), ("run", low + 1), ("run", low + 1)],
        ]
    )
    near = [k for k in range(low - 2, low + 7) if base <= k < base + 9]
    pair_kinds = near if rng.random() < 0.6 else kinds
    return fill(rng, near if rng.random() < 0.6 else kinds, fixed, pair_kinds=pair_kinds)


def seven_pairs(rng, kinds):
    pool = rng.choice([kinds, kinds, SIMPLES, ORPHANS, HONOURS, *[[*s, *HONOURS] for s in SUITS], *SUITS])
    pool = [k for k in pool if k in kinds]
    if len(pool) < 7:
        raise Redraw
    return [("pair", k) for k in rng.sample(pool, 7)]


def orphans(rng, kinds):
    return [("single", k) for k in (*ORPHANS, rng.choice(ORPHANS))]


def nine_gates(rng, kinds):
    suit = rng.choice(full_suits(kinds))
    gates = [*[suit[0]] * 2, *suit, *[suit[-1]] * 2]
    return [("single", k) for k in (*gates, rng.choice(suit))]


STYLES = {
    anything: 10,
    only_runs: 10,
    simples: 9,
    one_suit: 6,
    suit_and_honours: 6,
    outside: 6,
    pure_outside: 4,
    triplets_only: 5,
    three_triplets: 4,
    orphan_triplets: 3,
    terminals_only: 1,
    honours_only: 1.5,
    dragons: 3,
    big_dragons: 1.5,
    four_winds: 2.5,
    value_honours: 6,
    greens: 1.5,
    straight: 4,
    three_suit_runs: 4,
    three_suit_triplets: 2,
    twin_runs: 5,
    stacked: 6,
    seven_pairs: 5,
    orphans: 2,
    nine_gates: 2,
}


# A hand at the table


def text_of(tiles):
    """mpsz text of (kind, is_red) tiles, sorted, a red five before its plain brothers."""
    parts = []
    for suit in range(4):
        ranked = sorted((k % 9 + 1, not red) for k, red in tiles if k // 9 == suit)
        if ranked:
            parts.append("".join("0" if n == 5 and not plain else str(n) for n, plain in ranked) + "mpsz"[suit])
    return "".join(parts)


def with_quads(rng, blocks):
    """Some triplets whose fourth tile is nowhere else in the hand become quads."""
    held = Counter(chain.from_iterable(map(kinds_of, blocks)))
    chance = rng.choice([0.0, 0.0, 0.1, 0.3, 0.9])
    return [
        ("kan", kind) if shape == "triplet" and held[kind] == 3 and rng.random() < chance else (shape, kind)
        for shape, kind in blocks
    ]


def lay_open(rng, blocks, *, players):
    """Split blocks into concealed ones and melds (block, type)."""
    callable_ = [b for b in blocks if b[0] != "pair" and not (players == 3 and b[0] == "run")]
    n_open = rng.choice([0, 0, 0, 1, 1, 2, 2, 3, 4])
    opened = rng.sample(callable_, min(n_open, len(callable_)))
    concealed, melds = [], []
    for block in blocks:
        if block in opened:
            opened.remove(block)
            kind = {"run": "chi", "triplet": "pon", "kan": rng.choice(["minkan", "kakan"])}[block[0]]
            melds.append((block, kind))
        elif block[0] == "kan":
            melds.append((block, "ankan"))
        else:
            concealed.append(block)
    rng.shuffle(melds)
    return concealed, melds


def flags_for(rng, *, tsumo, closed, seat, melds, n_nuki, lone_win):
    """Circumstances that can meet in one win."""
    quads = any(kind.endswith("kan") for _, kind in melds)
    flags = []
    if tsumo and not melds and not n_nuki and rng.random() < 0.04:
        return ["tenhou" if seat == "E" else "chiihou"]
    if closed and rng.random() < 0.5:
        flags.append("double_riichi" if rng.random() < 0.12 else "riichi")
    rinshan = tsumo and quads and rng.random() < 0.3
    # a double riichi allows no quad or kita before it, and one after it ends the go-around
    unbroken = flags == ["riichi"] or (flags and not quads and not n_nuki)
    if unbroken and not rinshan and rng.random() < 0.35:
        flags.append("ippatsu")
    if rinshan:
        flags.append("rinshan")
    elif not tsumo and lone_win and rng.random() < 0.15:
        flags.append("chankan")
    elif rng.random() < 0.07:
        flags.append("haitei" if tsumo else "houtei")
    return flags


def draw(rng, kinds, left):
    """A random tile among those not yet seen."""
    pool = [k for k in kinds for _ in range(max(0, left[k]))]
    if not pool:
        raise Redraw
    kind = rng.choice(pool)
    left[kind] -= 1
    return kind


def paint(rng, groups, *, reds):
    """Give groups of kinds their red fives: one per suit, anywhere among the fives held."""
    painted = [[(k, False) for k in group] for group in groups]
    for five in (4, 13, 22) if reds else ():
        places = [(g, i) for g, group in enumerate(groups) for i, k in enumerate(group) if k == five]
        if places and rng.random() < len(places) / 4:
            g, i = rng.choice(places)
            painted[g][i] = (five, True)
    return painted


def relation(rng, players):
    return rng.choice(["kamicha", "toimen", "shimocha"] if players == 4 else ["kamicha", "shimocha"])


def attempt(rng, players, rules):
    kinds = [k for k in range(34) if players == 4 or not 1 <= k <= 7]
    style = rng.choices(list(STYLES), STYLES.values())[0]
    blocks = style(rng, kinds)
    if any(k not in kinds for block in blocks for k in kinds_of(block)):
        raise Redraw
    concealed, melds = blocks, []
    if len(blocks) == 5:
        concealed, melds = lay_open(rng, with_quads(rng, blocks), players=players)

    held = Counter(chain.from_iterable(kinds_of(b) for b in blocks_of(concealed, melds)))
    if max(held.values()) > 4:
        raise Redraw
    left = Counter({k: 4 - held[k] for k in kinds})

    hand = list(chain.from_iterable(map(kinds_of, concealed)))
    rng.shuffle(hand)
    win = hand.pop()
    seat = rng.choice(WINDS[:players])
    tsumo = rng.random() < 0.45
    n_nuki = rng.randint(0, left[NORTH]) if players == 3 and rng.random() < 0.5 else 0
    left[NORTH] -= n_nuki
    closed = all(kind == "ankan" for _, kind in melds)
    lone_win = held[win] == 1
    flags = flags_for(rng, tsumo=tsumo, closed=closed, seat=seat, melds=melds, n_nuki=n_nuki, lone_win=lone_win)
    if "chankan" in flags:
        left[win] = 0  # the other three lie in the robbed triplet

    n_shown = min(5, 1 + sum(kind.endswith("kan") for _, kind in melds) + (rng.random() < 0.1))
    if flags[:1] in (["tenhou"], ["chiihou"]):
        n_shown = 1
    dora = [draw(rng, kinds, left) for _ in range(n_shown)]
    in_riichi = "riichi" in flags or "double_riichi" in flags
    ura = [draw(rng, kinds, left) for _ in range(n_shown)] if in_riichi else []

    groups = paint(rng, [hand, [win], *[kinds_of(b) for b, _ in melds]], reds=rng.random() < 0.7)
    laid = []
    for (_, kind), tiles in zip(melds, groups[2:], strict=True):
        source = None if kind == "ankan" else "kamicha" if kind == "chi" else relation(rng, players)
        meld = {"type": kind, "tiles": text_of(tiles), "from": source}
        if source:
            meld["called"] = text_of([rng.choice(tiles)])
        laid.append(meld)
    return {
        "hand": text_of(groups[0]),
        "melds": laid,
        "win": text_of(groups[1]),
        "tsumo": tsumo,
        "win_from": None if tsumo else relation(rng, players),
        "seat": seat,
        "round": rng.choice("EEEESSSSW" if players == 4 else "EEEESSSS"),
        "flags": flags,
        "dora_ind": [text_of([(k, False)]) for k in dora],
        "ura_ind": [text_of([(k, False)]) for k in ura],
        "nuki": n_nuki,
        "players": players,
        "honba": rng.choice([0, 0, 0, 1, 2, 5]),
        "sticks": rng.choice([0, 0, 1, 2]) + in_riichi,
        "rules": dict(rules),
        "style": style.__name__,
    }


def blocks_of(concealed, melds):
    return [*concealed, *[block for block, _ in melds]]


def deal(rng, *, players=4, rules=None):
    """One random complete hand as a case dict, drawn from a `random.Random`."""
    while True:
        try:
            return attempt(rng, players, rules or {})
        except Redraw:
            continue


def deal_rules(rng):
    """A random choice of the ruleset keys the oracle knows."""
    return {
        "kuitan": rng.random() < 0.7,
        "aka": rng.random() < 0.7,
        "double_yakuman": rng.random() < 0.5,
        "multiple_yakuman": rng.random() < 0.8,
        "double_wind_pair_fu": rng.choice([2, 4]),
        "kiriage": rng.random() < 0.5,
        "open_pinfu_fu": rng.choice([20, 30, 30]),
        "pinfu_tsumo_fu": rng.choice([20, 20, 30]),
    }


def deals(seed, n, *, players=4, rules=None):
    """`n` hands with ids; `rules` is a dict, or a function of the random source such as `deal_rules`."""
    rng = random.Random(seed)
    cases = []
    for i in range(n):
        chosen = rules(rng) if callable(rules) else rules
        cases.append({"id": f"dealt-{players}p-{seed}-{i}"} | deal(rng, players=players, rules=chosen))
    return cases
