"""What every yaku says of a hand, one plain function each, written from the conditions and nothing else.

A second witness for the facts of the engine: no columns, no masks, one hand and one reading at a time. A hand comes as
the plain values of `analytics.scoring.hands.of_case`. `readings` gives every way to read it, also those of the
irregular local shapes; `facts` the yaku that hold in a reading, with the options at their defaults, and, by names such
as `kyandonhou.any_suit_pairs=true`, the conditions under an option's other values.

Only conditions stand here: which yaku replaces which, and what anything is worth, is a matter of rulesets. Where a
yaku counts only in a closed or only in an open hand because it has no other value, its function need not say so.
"""

import re
from collections import Counter
from dataclasses import dataclass
from functools import cache, cached_property
from itertools import combinations, permutations
from typing import NamedTuple

from oracle import Block, splits, wait

MAN, PIN, SOU = range(3)
EAST, SOUTH, WEST, NORTH, WHITE, GREEN, RED = range(27, 34)
WINDS = {EAST, SOUTH, WEST, NORTH}
DRAGONS = {WHITE, GREEN, RED}
HONOURS = WINDS | DRAGONS
TERMINALS = {0, 8, 9, 17, 18, 26}
ORPHANS = TERMINALS | HONOURS
SHAPES = {"chi": "run", "pon": "triplet", "daiminkan": "kan", "ankan": "kan", "kakan": "kan"}


@cache
def kinds_of(text):
    """Kinds of mpsz text, as a set.

    >>> sorted(kinds_of("19m7z"))
    [0, 8, 33]
    """
    found = re.findall(r"(\d+)([mpsz])", text)
    return frozenset("mpsz".index(letter) * 9 + int(digit) - 1 for digits, letter in found for digit in digits)


def kind(text):
    (only,) = kinds_of(text)
    return only


def suit(k):
    """0 man, 1 pin, 2 sou, 3 honours."""
    return k // 9


def number(k):
    return k % 9 + 1


class Hand(NamedTuple):
    concealed: tuple  # kinds, the winning one among them
    melds: tuple  # blocks
    tile: int
    tsumo: bool
    seat: int | None  # kind of the seat wind
    round: int | None
    flags: frozenset
    n_aka: int


@dataclass(frozen=True)
class Reading:
    hand: Hand
    form: str  # sets, seven_pairs, two_of_four (seven pairs with four of a kind), orphans, knitted, scattered, war
    blocks: tuple  # runs, triplets, kans and pairs; of a knitted hand those beside the nine tiles

    @cached_property
    def closed(self):
        return not any(block.called for block in self.hand.melds)

    @cached_property
    def is_pairs(self):
        return self.form in ("seven_pairs", "two_of_four")

    @cached_property
    def tiles(self):
        """Every tile, quads with four."""
        copies = {"run": 1, "triplet": 3, "kan": 4}
        return [*self.hand.concealed, *(k for b in self.hand.melds for k in b.kinds for _ in range(copies[b.shape]))]

    @cached_property
    def kinds(self):
        return set(self.tiles)

    def of(self, *shapes):
        return [b for b in self.blocks if b.shape in shapes]

    @cached_property
    def runs(self):
        """Kinds that start a run, as often as they do."""
        return Counter(b.kind for b in self.of("run"))

    @cached_property
    def triplets(self):
        """Kinds of triplets and quads."""
        return {b.kind for b in self.of("triplet", "kan")}

    @cached_property
    def kans(self):
        return {b.kind for b in self.of("kan")}

    @cached_property
    def concealed_kans(self):
        return {b.kind for b in self.hand.melds if b.shape == "kan" and not b.called}

    @cached_property
    def n_concealed_triplets(self):
        """Triplets and quads; one finished by another's discard is not concealed."""
        return sum(not b.called and not (b.won and not self.hand.tsumo) for b in self.of("triplet", "kan"))

    @cached_property
    def pair(self):
        """Kind of the pair, None where there is none or there are seven."""
        pairs = self.of("pair")
        return pairs[0].kind if len(pairs) == 1 else None

    @cached_property
    def won(self):
        """The block the winning tile completed, None where it stands alone."""
        return next((b for b in self.blocks if b.won), None)

    @cached_property
    def wait(self):
        return wait(self.won, self.hand.tile) if self.won else None


def hand_of(values):
    """A hand from the values that `analytics.scoring.hands.of_case` takes."""
    seat, round_ = values.get("seat_wind", -1), values.get("round_wind", -1)
    return Hand(
        concealed=tuple(sorted({34: 4, 35: 13, 36: 22}.get(t, t) for t in values["concealed"])),
        melds=tuple(Block(SHAPES[word], low, called=word != "ankan") for word, low in values.get("melds", ())),
        tile=values["win_kind"],
        tsumo=values["is_tsumo"],
        seat=EAST + seat if seat >= 0 else None,
        round=EAST + round_ if round_ >= 0 else None,
        flags=frozenset(values.get("flags", ())),
        n_aka=values.get("n_aka", 0),
    )


# ------------------------------------------------------------------------------------------- hands a player lays out

RIICHI = {
    "riichi": ["riichi"],
    "double": ["riichi", "double_riichi"],
    "open": ["riichi", "open_riichi"],
    "open_double": ["riichi", "double_riichi", "open_riichi"],
    "pon": ["pon_riichi"],
    "tsumosen": ["riichi", "tsumosen_riichi"],
    "bunbun": ["riichi", "open_riichi", "bunbun_riichi"],
}
"""Circumstances that each kind of riichi brings."""


def tiles_of(text):
    """Tiles 0-36 of mpsz text, in order.

    >>> tiles_of("105p7z")
    [9, 35, 13, 33]
    """
    found = []
    for digits, letter in re.findall(r"(\d+)([mpsz])", text):
        s = "mpsz".index(letter)
        found += [34 + s if digit == "0" else 9 * s + int(digit) - 1 for digit in digits]
    return found


def meld_of(group):
    """Kind of meld and lowest kind of `(678s)`, `(444p)`, `(4444p)`, `(4444p+)` or `[4444p]`."""
    kinds = sorted(4 + 9 * (t - 34) if t >= 34 else t for t in tiles_of(group))
    if group[0] == "[":
        return "ankan", kinds[0]
    if len(kinds) == 4:
        return "kakan" if "+" in group else "daiminkan", kinds[0]
    return "pon" if kinds[0] == kinds[2] else "chi", kinds[0]


def values_of(text, win, by, ctx=None):
    """The values that `analytics.scoring.hands.of_case` takes, of a hand as text and the facts of its round.

    `ctx` has `seat` and `round` (south in an east round unless said), `riichi` (a word of RIICHI), the counts
    `kan_chain`, `own_draws`, `own_discards`, `calls_before`, `opp_calls_before`, `counter`, `dealer_counter`,
    `visible_others`, and the truths `riichi_tile`, `after_kan_discard`, `chankan`, `rinshan`, `last_tile`,
    `ippatsu_window`, `discarder_in_riichi`; anything else by the name of its circumstance under `flags`.
    """
    ctx = dict(ctx or {})
    groups = [group for group in text.split() if group[0] in "(["]
    concealed = [*tiles_of("".join(group for group in text.split() if group[0] not in "([")), *tiles_of(win)]
    melds = [meld_of(group) for group in groups]
    reds = [t for t in (*concealed, *(t for group in groups for t in tiles_of(group))) if t >= 34]
    seat, round_ = ("ESWN".index(ctx.pop(name, default)) for name, default in (("seat", "S"), ("round", "E")))
    is_tsumo = by == "tsumo"
    flags = {*ctx.pop("flags", ()), *RIICHI.get(ctx.pop("riichi", None), ())}
    flags |= {("red_man", "red_pin", "red_sou")[t - 34] for t in reds}
    truths = {"riichi_tile": "declaration_tile", "ippatsu_window": "ippatsu", "discarder_in_riichi": "loser_riichi"}
    for name in ("after_kan_discard", "chankan", "rinshan", "last_tile", *truths):
        if ctx.pop(name, 0):
            flags.add(truths.get(name, name))
    if "last_tile" in flags and not flags & {"rinshan", "chankan"}:
        flags.add("haitei" if is_tsumo else "houtei")
    chain = ctx.pop("kan_chain", 0)
    flags |= {f"kan_chain_{n}" for n in (2, 3, 4) if n <= chain}
    if chain and all(word == "ankan" for word, _ in melds):
        flags.add("concealed_kan_chain")
    opponents = ctx.pop("opp_calls_before", 0)
    is_quiet = ctx.pop("calls_before", opponents) == 0 and not melds
    draws, discards = ctx.pop("own_draws", None), ctx.pop("own_discards", None)
    flags |= {"no_own_draw"} if draws == 0 else set()
    flags |= {"no_own_discard"} if discards == 0 else set()
    if draws == 0 or discards == 0:
        flags |= {"no_calls"} if is_quiet else set()
        flags |= {"no_opponent_calls"} if not opponents else set()
    if discards == 0 and is_tsumo and is_quiet:
        flags.add("chiihou" if seat else "tenhou")
    flags |= {"eighth_1", "beyond_eighth_1"} if ctx.pop("counter", 0) == 7 else set()
    flags |= {"dealer_eighth_1"} if ctx.pop("dealer_counter", 0) == 7 else set()
    flags |= {"last_copy"} if ctx.pop("visible_others", 0) == 3 else set()
    assert not ctx, f"unknown in ctx: {sorted(ctx)}"
    return {
        "concealed": concealed,
        "melds": melds,
        "win_kind": {34: 4, 35: 13, 36: 22}.get(concealed[-1], concealed[-1]),
        "is_tsumo": is_tsumo,
        "seat_wind": seat,
        "round_wind": round_,
        "flags": sorted(flags),
        "n_aka": len(reds),
    }


# ------------------------------------------------------------------------------------------------------- readings

KNITTED = [
    {low + 3 * i + 9 * s for low, s in enumerate(suits) for i in range(3)} for suits in permutations((MAN, PIN, SOU))
]
"""The nine tiles 147, 258, 369 of three suits, in each order of the suits."""


def readings(hand):
    """Every reading of a hand, each once; none if the tiles are complete in no way."""
    found = []
    counts = Counter(hand.concealed)
    if len(hand.concealed) + 3 * len(hand.melds) != 14:
        return []
    if not hand.melds:
        if set(counts) == ORPHANS:
            found.append(Reading(hand, "orphans", ()))
        if len(counts) == 7 and set(counts.values()) == {2}:
            found.append(Reading(hand, "seven_pairs", _pairs(hand, counts)))
        elif set(counts.values()) == {2, 4}:
            found.append(Reading(hand, "two_of_four", _pairs(hand, counts)))
        if is_scattered(counts):
            found.append(Reading(hand, "scattered", ()))
    found += [Reading(hand, "sets", (*blocks, *hand.melds)) for blocks in _placed(hand, hand.concealed)]
    for nine in KNITTED:
        rest = Counter(hand.concealed)
        rest.subtract(nine)
        if min(rest.values()) < 0 or len(hand.melds) > 1:
            continue
        left = sorted(rest.elements())
        for blocks in _placed(hand, left):
            found.append(Reading(hand, "knitted", (*blocks, *hand.melds)))
        if hand.tile in nine:
            for blocks in _unplaced(left):
                found.append(Reading(hand, "knitted", (*blocks, *hand.melds)))
    if years_of_war(hand):
        found.append(Reading(hand, "war", ()))
    return list(dict.fromkeys(found))


def _pairs(hand, counts):
    blocks = [Block("pair", k) for k in sorted(counts) for _ in range(counts[k] // 2)]
    at = next(i for i, b in enumerate(blocks) if b.kind == hand.tile)
    return (*blocks[:at], blocks[at]._replace(won=True), *blocks[at + 1 :])


def _unplaced(kinds):
    """Sets and one pair out of sorted kinds."""
    for pair in sorted({k for k in kinds if kinds.count(k) >= 2}):
        left = list(kinds)
        left.remove(pair)
        left.remove(pair)
        for sets in splits(left):
            yield tuple(sorted([*sets, Block("pair", pair)]))


def _placed(hand, kinds):
    """The same, with the winning tile in each block that can hold it."""
    for blocks in _unplaced(list(kinds)):
        for i, block in enumerate(blocks):
            if hand.tile in block.kinds:
                yield tuple(sorted([*blocks[:i], block._replace(won=True), *blocks[i + 1 :]]))


def is_scattered(counts):
    """Fourteen tiles of no set: knitted ones and honours, all different; or no two of them near each other."""
    return is_knitted_and_honours(counts) or is_apart(counts)


def is_knitted_and_honours(counts):
    return set(counts.values()) == {1} and any(set(counts) <= nine | HONOURS for nine in KNITTED)


def is_apart(counts):
    """All different, or with one pair, and no two tiles of a suit one or two numbers apart."""
    near = any(suit(a) == suit(b) < 3 and abs(a - b) <= 2 for a, b in combinations(counts, 2))
    return not near and sorted(counts.values())[-2:] in ([1, 1], [1, 2])


def years_of_war(hand):
    """Suits of the years 1861 and 1865 beside three souths and three norths, in every way: the tiles 1168 and 1568."""
    rest = Counter(hand.concealed)
    for wind in (SOUTH, NORTH):
        if not any(b.shape != "run" and b.kind == wind for b in hand.melds):
            rest[wind] -= 3
    if any(b.shape == "run" or b.kind not in (SOUTH, NORTH) for b in hand.melds):
        return []
    found = []
    for a in (MAN, PIN, SOU):
        for b in (MAN, PIN, SOU):
            years = Counter(9 * a + n - 1 for n in (1, 8, 6, 1)) + Counter(9 * b + n - 1 for n in (1, 8, 6, 5))
            if {k: n for k, n in rest.items() if n} == years:
                found.append((a, b))
    return found


# ------------------------------------------------------------------------------------------------- the collections

YAKU = {}
VARIANTS = {}


def yaku(function):
    """Register the condition of the yaku of this name."""
    YAKU[function.__name__] = function
    return function


def variant(*names):
    """Register a condition under options other than the default."""

    def register(function):
        for name in names:
            VARIANTS[name] = function
        return function

    return register


def facts(reading, names=None):
    """Names of the yaku and of the variants that hold in a reading; of those named, if any are."""
    every = YAKU | VARIANTS
    return {name for name in (every if names is None else names) if every[name](reading)}


# ------------------------------------------------------------------------------------------------- circumstances


def ron(r):
    return not r.hand.tsumo


def tsumo(r):
    return r.hand.tsumo


def flag(r, *names):
    """Whether all of these circumstances hold."""
    return set(names) <= r.hand.flags


def dealer(r):
    return r.hand.seat == EAST


@yaku
def riichi(r):
    """A closed hand whose riichi stands, of whatever kind."""
    return flag(r, "riichi") and r.closed


@yaku
def double_riichi(r):
    """Riichi with the first discard."""
    return flag(r, "double_riichi") and r.closed


@yaku
def ippatsu(r):
    """Within a go-around of the own riichi."""
    return flag(r, "ippatsu") and r.closed


@yaku
def menzen_tsumo(r):
    """Closed and self-drawn."""
    return r.closed and tsumo(r)


@yaku
def chankan(r):
    """On the tile of an added kan."""
    return flag(r, "chankan") and ron(r)


@yaku
def rinshan_kaihou(r):
    """On the replacement tile of a kan."""
    return flag(r, "rinshan") and tsumo(r)


@yaku
def haitei_raoyue(r):
    """The last live tile drawn, which a replacement tile never is."""
    return flag(r, "haitei") and tsumo(r) and not rinshan_kaihou(r)


@variant("haitei_raoyue.with_rinshan=both", "haitei_raoyue.with_rinshan=haitei_only")
def haitei_with_rinshan(r):
    """The last tile of all, also where it is a replacement tile."""
    return haitei_raoyue(r) or (rinshan_kaihou(r) and flag(r, "last_tile"))


@yaku
def houtei_raoyui(r):
    """The last discard."""
    return flag(r, "houtei") and ron(r) and not chankan(r)


@yaku
def tenhou(r):
    """The dealer's dealt hand."""
    return flag(r, "tenhou") and tsumo(r)


@yaku
def chiihou(r):
    """Another's first draw."""
    return flag(r, "chiihou") and tsumo(r)


@yaku
def tsubame_gaeshi(r):
    """Ron on the very tile of a riichi declaration."""
    return ron(r) and flag(r, "declaration_tile")


@variant("tsubame_gaeshi.replacement_sideways_tile=true")
def tsubame_on_replacement(r):
    """Or on the discard turned sideways in place of one that was called."""
    return ron(r) and bool(r.hand.flags & {"declaration_tile", "replacement_sideways"})


def is_bare(r):
    """Four melds, concealed kans among them or not, and the winning tile pairs the only other one."""
    return len(r.hand.melds) == 4 and len(r.hand.concealed) == 2


@yaku
def shiiaru_raotai(r):
    """Four called melds and the pair finished by ron."""
    return is_bare(r) and all(b.called for b in r.hand.melds) and ron(r)


@variant("shiiaru_raotai.win_by=any")
def raotai_drawn(r):
    """The same by self-draw too."""
    return is_bare(r) and all(b.called for b in r.hand.melds)


@variant("shiiaru_raotai.ankan=true")
def raotai_with_concealed_kans(r):
    """The four sets may be concealed kans."""
    return is_bare(r) and ron(r)


@yaku
def kanburi(r):
    """Ron on the discard right after the discarder's kan."""
    return ron(r) and flag(r, "after_kan_discard")


@yaku
def open_riichi(r):
    """Riichi with the hand shown, double riichi or not."""
    return riichi(r) and flag(r, "open_riichi")


@yaku
def open_double_riichi(r):
    """Double riichi with the hand shown."""
    return double_riichi(r) and flag(r, "open_riichi")


@yaku
def open_riichi_deal_in(r):
    """Ron of an open riichi from a player who is not in riichi."""
    return ron(r) and open_riichi(r) and not flag(r, "loser_riichi")


@variant("open_riichi_deal_in.riichi_players=exempt_only_if_riichi_before_open")
def deal_in_but_by_earlier_riichi(r):
    """Only who was in riichi before the open one is exempt."""
    return ron(r) and open_riichi(r) and not flag(r, "loser_riichi_before_open")


@yaku
def renkaihou(r):
    """On the replacement tile of the second kan in a row, or a later one."""
    return rinshan_kaihou(r) and flag(r, "kan_chain_2")


@yaku
def mondeikou(r):
    """All four red fives."""
    return r.hand.n_aka >= 4


@variant("mondeikou.red_count=3")
def three_reds(r):
    """Three red fives, where there are three."""
    return r.hand.n_aka >= 3


@yaku
def kinkei_dokuritsu(r):
    """Bare but for a 1s, which is paired."""
    return is_bare(r) and r.hand.tile == kind("1s")


@yaku
def touchao_hanchanshue(r):
    """Bare but for a white dragon, which is paired."""
    return is_bare(r) and r.hand.tile == WHITE


@yaku
def uupin_kaihou(r):
    """A 5p as replacement tile."""
    return rinshan_kaihou(r) and r.hand.tile == kind("5p")


@yaku
def ryanzou_chankan(r):
    """A 2s robbed."""
    return chankan(r) and r.hand.tile == kind("2s")


@yaku
def iipin_mouyue(r):
    """A 1p as last tile of the wall."""
    return haitei_raoyue(r) and r.hand.tile == kind("1p")


@yaku
def chuupin_raoyui(r):
    """A 9p as last discard."""
    return houtei_raoyui(r) and r.hand.tile == kind("9p")


@variant("kinkei_dokuritsu.scoring=plus_one_han")
def kinkei_beside_raotai(r):
    """A han beside shiiaru raotai, which must hold."""
    return kinkei_dokuritsu(r) and shiiaru_raotai(r)


@variant("touchao_hanchanshue.scoring=plus_one_han")
def touchao_beside_raotai(r):
    """A han beside shiiaru raotai, which must hold."""
    return touchao_hanchanshue(r) and shiiaru_raotai(r)


@yaku
def renhou(r):
    """A non-dealer's ron before the first own draw, no call or kan before."""
    return ron(r) and not dealer(r) and flag(r, "no_own_draw", "no_calls")


@variant("renhou.window=first_go_around")
def renhou_in_first_go_around(r):
    """Ron in the first go-around, uninterrupted; nobody is excluded."""
    return ron(r) and flag(r, "first_go_around", "no_calls")


@variant("renhou.window=dealer_first_discard_only")
def renhou_on_first_discard(r):
    """Ron on the dealer's first discard."""
    return renhou(r) and flag(r, "dealer_first_discard")


@variant("renhou.riichi_breaks=true")
def renhou_without_riichi(r):
    """No riichi of another before."""
    return renhou(r) and not flag(r, "riichi_before")


@yaku
def paarenchan(r):
    """The eighth win in a row."""
    return flag(r, "eighth_1")


@variant("paarenchan.definition=def2")
def paarenchan_2(r):
    """The eighth win in a row within one dealership."""
    return flag(r, "eighth_2")


@variant("paarenchan.definition=def3")
def paarenchan_3(r):
    """The eighth hand of one dealership, each won or drawn in tenpai."""
    return flag(r, "eighth_3")


@variant("paarenchan.repeat_every=1")
def paarenchan_and_on(r):
    """The eighth win in a row and every further one."""
    return flag(r, "beyond_eighth_1")


@yaku
def pouhoi_paarenchan(r):
    """A non-dealer's win when the dealer stands one short of eight."""
    return flag(r, "dealer_eighth_1") and not dealer(r)


@variant("pouhoi_paarenchan.definition=def2")
def pouhoi_2(r):
    """Counted by the second definition."""
    return flag(r, "dealer_eighth_2") and not dealer(r)


@variant("pouhoi_paarenchan.definition=def3")
def pouhoi_3(r):
    """Counted by the third definition."""
    return flag(r, "dealer_eighth_3") and not dealer(r)


@variant("pouhoi_paarenchan.win_by=tsumo_or_ron_from_dealer")
def pouhoi_at_the_dealer(r):
    """By self-draw, or by ron from the dealer."""
    return pouhoi_paarenchan(r) and (tsumo(r) or flag(r, "loser_dealer"))


@variant("pouhoi_paarenchan.under_def1=any_holder")
def pouhoi_of_any_holder(r):
    """The broken run of wins may be anybody's."""
    return bool(r.hand.flags & {"dealer_eighth_1", "holder_eighth_1"})


@yaku
def ishino_uenimo_sannen(r):
    """Double riichi, won with the last tile or the last discard."""
    return double_riichi(r) and (haitei_raoyue(r) or houtei_raoyui(r))


@variant("ishino_uenimo_sannen.houtei_counts=false")
def ishino_by_draw(r):
    """Only with the last tile of the wall."""
    return double_riichi(r) and haitei_raoyue(r)


@variant("ishino_uenimo_sannen.open_double_riichi_counts=false")
def ishino_unshown(r):
    """Not with the hand shown."""
    return ishino_uenimo_sannen(r) and not open_riichi(r)


@yaku
def toukanhou(r):
    """The replacement tile of a kan in the first turn: no own discard, no call of others before."""
    return rinshan_kaihou(r) and flag(r, "no_own_discard", "no_opponent_calls")


@variant("toukanhou.kan_type=ankan_only")
def toukanhou_concealed(r):
    """By concealed kans."""
    return toukanhou(r) and flag(r, "concealed_kan_chain")


@variant("toukanhou.who=dealer_only")
def toukanhou_of_the_dealer(r):
    """By the dealer."""
    return toukanhou(r) and dealer(r)


@variant("toukanhou.chain_of_kans=false")
def toukanhou_of_one_kan(r):
    """By a single kan."""
    return toukanhou(r) and not flag(r, "kan_chain_2")


@yaku
def katengecchi(r):
    """The replacement tile is the last tile of all."""
    return rinshan_kaihou(r) and flag(r, "last_tile")


@yaku
def pon_riichi(r):
    """An open hand in riichi."""
    return flag(r, "pon_riichi") and not r.closed


@yaku
def tsumosen(r):
    """Riichi with the promise to win by self-draw, kept."""
    return flag(r, "tsumosen_riichi") and tsumo(r) and r.closed


@yaku
def bunbun_riichi(r):
    """The same promise made with the hand shown."""
    return flag(r, "bunbun_riichi") and tsumo(r) and r.closed


@yaku
def aka_sanshoku(r):
    """A red five of each suit."""
    return flag(r, "red_man", "red_pin", "red_sou")


@yaku
def ketsupaihou(r):
    """An edge, closed or pair wait on the last copy."""
    return flag(r, "last_copy") and r.wait in ("penchan", "kanchan", "tanki")


@variant("ketsupaihou.tanki_counts=false")
def ketsupaihou_of_a_run(r):
    """An edge or closed wait only."""
    return flag(r, "last_copy") and r.wait in ("penchan", "kanchan")


@yaku
def kinkei_dasshoku(r):
    """The last copy is robbed."""
    return chankan(r) and ketsupaihou(r)


# --------------------------------------------------------------------------------------- what tiles the hand holds


def suits(r):
    return {suit(k) for k in r.kinds if k < 27}


def has_honours(r):
    return bool(r.kinds & HONOURS)


@yaku
def tanyao(r):
    """No terminal, no honour."""
    return not r.kinds & ORPHANS


@variant("tanyao.open=false")
def closed_tanyao(r):
    """Only closed."""
    return tanyao(r) and r.closed


@yaku
def honroutou(r):
    """Terminals and honours, both, in triplets or pairs."""
    is_shaped = toitoi(r) or r.is_pairs
    return is_shaped and r.kinds <= ORPHANS and has_honours(r) and bool(r.kinds & TERMINALS)


@yaku
def honitsu(r):
    """One suit with honours."""
    return len(suits(r)) == 1 and has_honours(r)


@yaku
def chinitsu(r):
    """One suit and no honour."""
    return len(suits(r)) == 1 and not has_honours(r)


def gates(tiles):
    """The kind that is left beside 1112345678999 of one suit, None if these are other tiles."""
    for base in (0, 9, 18):
        left = Counter(tiles)
        left.subtract([base, base, *range(base, base + 9), base + 8, base + 8])
        if min(left.values()) >= 0 and sum(left.values()) == 1:
            (extra,) = left.elements()
            return extra if base <= extra < base + 9 else None
    return None


@yaku
def chuuren_poutou(r):
    """1112345678999 and one more of the suit, no quad, closed."""
    return not r.hand.melds and gates(r.hand.concealed) is not None


@yaku
def junsei_chuuren_poutou(r):
    """Won on the one more."""
    return chuuren_poutou(r) and gates(r.hand.concealed) == r.hand.tile


@variant("junsei_chuuren_poutou.on_tenhou=true")
def any_gates_on_tenhou(r):
    """Any nine gates on the dealt hand."""
    return junsei_chuuren_poutou(r) or (chuuren_poutou(r) and tenhou(r))


@yaku
def naki_chuuren(r):
    """The same tiles in an open hand, without a quad."""
    return not r.closed and not r.kans and gates(r.tiles) is not None


GREENS = kinds_of("23468s6z")


@yaku
def ryuuiisou(r):
    """Green tiles only."""
    return r.kinds <= GREENS


@variant("ryuuiisou.hatsu_required=true")
def green_with_dragon(r):
    """With the green dragon."""
    return ryuuiisou(r) and GREEN in r.kinds


@yaku
def junsei_ryuuiisou(r):
    """Green tiles without the dragon."""
    return r.kinds <= GREENS - {GREEN}


@yaku
def chinroutou(r):
    """Terminals only."""
    return r.kinds <= TERMINALS


@yaku
def tsuuiisou(r):
    """Honours only."""
    return r.kinds <= HONOURS


@variant("tsuuiisou.seven_pairs_allowed=false")
def honours_without_pairs(r):
    """Not in seven pairs."""
    return tsuuiisou(r) and not r.is_pairs


def has_five_classes(r):
    return suits(r) == {MAN, PIN, SOU} and bool(r.kinds & WINDS) and bool(r.kinds & DRAGONS)


@yaku
def uumensai(r):
    """All three suits, winds and dragons, but not as thirteen orphans."""
    return has_five_classes(r) and r.form != "orphans"


@variant("uumensai.closed_only=true")
def closed_uumensai(r):
    """Closed."""
    return uumensai(r) and r.closed


@variant("uumensai.chiitoitsu_allowed=false")
def uumensai_without_pairs(r):
    """Not in seven pairs."""
    return uumensai(r) and not r.is_pairs


@variant("uumensai.kokushi_allowed=true")
def uumensai_with_orphans(r):
    """In thirteen orphans too."""
    return has_five_classes(r)


@variant("uumensai.honor_pair_required=true")
def uumensai_with_honour_pair(r):
    """With a pair of honours."""
    return uumensai(r) and r.pair in HONOURS


@variant("uumensai.toitoi_required=true")
def uumensai_of_triplets(r):
    """With four triplets."""
    return uumensai(r) and toitoi(r)


BLACK_OR_GREEN = kinds_of("248p23468s123456z")


@yaku
def tanfonhou(r):
    """No red on any tile."""
    return r.kinds <= BLACK_OR_GREEN


@variant("tanfonhou.split=true", "open_riichi_deal_in.enabled=false")
def never(r):
    """Two others are played in its place, or it is not played at all."""
    return False


@yaku
def hontanfon(r):
    """The same with an honour."""
    return tanfonhou(r) and has_honours(r)


@yaku
def chintanfon(r):
    """The same without."""
    return tanfonhou(r) and not has_honours(r)


def wheel(r, which, numbers):
    """Seven neighbouring pairs of one suit, held closed, with these first numbers."""
    return not r.hand.melds and any(
        Counter(r.hand.concealed) == Counter({9 * which + first - 1 + i: 2 for i in range(7)}) for first in numbers
    )


@yaku
def daisharin(r):
    """Pairs from 2p to 8p."""
    return wheel(r, PIN, [2])


@yaku
def daichikurin(r):
    """Pairs from 2s to 8s."""
    return wheel(r, SOU, [2])


@yaku
def daisuurin(r):
    """Pairs from 2m to 8m."""
    return wheel(r, MAN, [2])


@yaku
def shousharin(r):
    """Pairs from 1p to 7p or from 3p to 9p."""
    return wheel(r, PIN, [1, 3])


@yaku
def shouchikurin(r):
    """Pairs from 1s to 7s or from 3s to 9s."""
    return wheel(r, SOU, [1, 3])


@yaku
def shousuurin(r):
    """Pairs from 1m to 7m or from 3m to 9m."""
    return wheel(r, MAN, [1, 3])


@yaku
def chuusharin(r):
    """Seven pairs out of eight neighbouring ones of a suit, the two ends among them."""
    counts = Counter(r.hand.concealed)
    return (
        not r.hand.melds
        and len(suits(r)) == 1
        and not has_honours(r)
        and sorted(counts.values()) == [2] * 7
        and max(counts) - min(counts) == 7
    )


def is_all(r, which, *, honours=False):
    """Whether all tiles are of a suit, or honours where those are allowed."""
    return r.form != "two_of_four" and all(suit(k) == which or (honours and k in HONOURS) for k in r.kinds)


def sum_of(r):
    return sum(number(k) for k in r.tiles if k < 27)


@yaku
def hyakuman_goku(r):
    """Man only, a hundred or more together, quads with four."""
    return is_all(r, MAN) and sum_of(r) >= 100


@variant("hyakuman_goku.mode=exactly_100_only")
def just_a_hundred(r):
    """Just a hundred."""
    return is_all(r, MAN) and sum_of(r) == 100


@variant("hyakuman_goku.mode=more_than_100_yakuman_exact_double")
def more_than_a_hundred(r):
    """More than a hundred; just a hundred is the double."""
    return is_all(r, MAN) and sum_of(r) > 100


@variant("hyakuman_goku.honitsu_allowed=true")
def hundred_with_honours(r):
    """Honours may stand beside, and count nothing."""
    return is_all(r, MAN, honours=True) and sum_of(r) >= 100


@variant("hyakuman_goku.chiitoitsu_four_of_a_kind=true")
def hundred_of_pairs(r):
    """Also in seven pairs with four of a kind."""
    return all(k < 9 for k in r.kinds) and sum_of(r) >= 100


@variant("hyakuman_goku.pinzu_version=true")
def hundred_of_pin(r):
    """Pin counts as well."""
    return (is_all(r, MAN) or is_all(r, PIN)) and sum_of(r) >= 100


@yaku
def kaga_hyakuman_goku(r):
    """Man only, just a hundred."""
    return just_a_hundred(r)


@yaku
def kouitten(r):
    """Green sou and the red dragon."""
    return r.kinds <= kinds_of("23468s7z") and RED in r.kinds


@variant("kouitten.chun_as=triplet_only")
def kouitten_with_triplet(r):
    """The dragon as triplet."""
    return kouitten(r) and RED in r.triplets


@yaku
def benikujaku(r):
    """Sou with red in it and the red dragon: four triplets and a pair."""
    return toitoi(r) and r.kinds <= kinds_of("1579s7z")


@yaku
def kokuiisou(r):
    """2, 4, 8 of pin and winds: triplets or seven pairs."""
    return (toitoi(r) or r.is_pairs) and r.kinds <= kinds_of("248p1234z")


@yaku
def tohoku_expressway(r):
    """2, 4, 6 of pin, east and north."""
    return toitoi(r) and r.kinds <= kinds_of("246p14z")


@yaku
def blue_tunnel(r):
    """Triplets and a pair of just these: 2, 4, 8 of pin, the green dragon and one wind."""
    return toitoi(r) and len(r.kinds) == 5 and len(r.kinds & WINDS) == 1 and r.kinds - WINDS == kinds_of("248p6z")


@variant("blue_tunnel.loose=true")
def loose_tunnel(r):
    """Triplets or seven pairs of 2, 4, 8 of pin, green dragons and any winds, with both pin and honours."""
    return (toitoi(r) or r.is_pairs) and r.kinds <= kinds_of("248p12346z") and honitsu(r)


@yaku
def daichisei(r):
    """The seven honours as pairs."""
    return r.form == "seven_pairs" and r.kinds == HONOURS


@yaku
def sekaiichi(r):
    """Pairs of 1m, 1p, 1s and the winds."""
    return r.form == "seven_pairs" and r.kinds == kinds_of("1m1p1s1234z")


@yaku
def daisougen(r):
    """Sou only, without 1 and 8, closed."""
    return r.closed and r.kinds <= kinds_of("2345679s")


@yaku
def suifutou(r):
    """Tiles that read the same upside down."""
    return r.kinds <= kinds_of("1234589p245689s5z")


def numbers_within(r, low, high):
    return all(k < 27 and low <= number(k) <= high for k in r.kinds)


@yaku
def daiyuugo(r):
    """6 to 9."""
    return numbers_within(r, 6, 9)


@yaku
def shouyuugo(r):
    """1 to 4."""
    return numbers_within(r, 1, 4)


@yaku
def zendai(r):
    """7 to 9."""
    return numbers_within(r, 7, 9)


@yaku
def zenchuu(r):
    """4 to 6."""
    return numbers_within(r, 4, 6)


@yaku
def zenshou(r):
    """1 to 3."""
    return numbers_within(r, 1, 3)


@yaku
def zetsuichimon(r):
    """Two of the three suits."""
    return len(suits(r)) == 2


@variant("zetsuichimon.honors_allowed=false")
def two_suits_alone(r):
    """And no honours."""
    return zetsuichimon(r) and not has_honours(r)


# ------------------------------------------------------------------------------------------------------- honours


@yaku
def yakuhai_haku(r):
    """White dragons."""
    return WHITE in r.triplets


@yaku
def yakuhai_hatsu(r):
    """Green dragons."""
    return GREEN in r.triplets


@yaku
def yakuhai_chun(r):
    """Red dragons."""
    return RED in r.triplets


@yaku
def yakuhai_seat(r):
    """The seat wind."""
    return r.hand.seat in r.triplets


@yaku
def yakuhai_round(r):
    """The round wind."""
    return r.hand.round in r.triplets


@yaku
def shousangen(r):
    """Two triplets and a pair of dragons."""
    return len(r.triplets & DRAGONS) == 2 and r.pair in DRAGONS


@yaku
def daisangen(r):
    """Three triplets of dragons."""
    return r.triplets >= DRAGONS


@yaku
def shousuushii(r):
    """Three triplets and a pair of winds."""
    return len(r.triplets & WINDS) == 3 and r.pair in WINDS


@yaku
def daisuushii(r):
    """Four triplets of winds."""
    return r.triplets >= WINDS


@yaku
def sangen_chiitoitsu(r):
    """The three dragons among seven pairs."""
    return r.is_pairs and r.kinds >= DRAGONS


@yaku
def suushi_chiitoitsu(r):
    """The four winds among seven pairs."""
    return r.is_pairs and r.kinds >= WINDS


@yaku
def suuzuukou(r):
    """Four triplets of honours."""
    return len(r.triplets & HONOURS) == 4


@variant("suuzuukou.honor_pair=false")
def suuzuukou_on_a_number(r):
    """The pair of a suit."""
    return suuzuukou(r) and r.pair not in HONOURS


@yaku
def sanpuukou(r):
    """Three triplets of winds."""
    return len(r.triplets & WINDS) >= 3


@yaku
def otakaze_sankou(r):
    """One wind is of the seat and of the round; the other three are triplets."""
    return r.hand.seat is not None and r.hand.seat == r.hand.round and WINDS - {r.hand.seat} <= r.triplets


@variant("otakaze_sankou.dealer_only=true")
def otakaze_of_the_dealer(r):
    """Only for the dealer."""
    return otakaze_sankou(r) and dealer(r)


@variant("otakaze_sankou.any_round_for_dealer=true")
def otakaze_in_any_round(r):
    """For the dealer in any round."""
    return otakaze_sankou(r) or (dealer(r) and WINDS - {EAST} <= r.triplets)


def has_one(r, kinds):
    return bool(r.triplets & kinds)


def own_winds(r):
    return {r.hand.seat, r.hand.round} - {None}


@yaku
def kachoufuugetsu(r):
    """Triplets of 5p, 1s, the seat or round wind and 1p."""
    return kinds_of("15p1s") <= r.triplets and has_one(r, own_winds(r))


@variant("kachoufuugetsu.wind=seat_only")
def kachou_of_the_seat(r):
    """The wind of the seat."""
    return kinds_of("15p1s") <= r.triplets and has_one(r, {r.hand.seat})


@variant("kachoufuugetsu.wind=any_wind")
def kachou_of_any_wind(r):
    """Any wind."""
    return kinds_of("15p1s") <= r.triplets and has_one(r, WINDS)


@yaku
def fuukasetsugetsu(r):
    """Triplets of the seat or round wind, 5p, the white dragon and 1p."""
    return kinds_of("15p5z") <= r.triplets and has_one(r, own_winds(r))


@variant("fuukasetsugetsu.wind=seat_only")
def fuuka_of_the_seat(r):
    """The wind of the seat."""
    return kinds_of("15p5z") <= r.triplets and has_one(r, {r.hand.seat})


@variant("fuukasetsugetsu.wind=any_wind")
def fuuka_of_any_wind(r):
    """Any wind."""
    return kinds_of("15p5z") <= r.triplets and has_one(r, WINDS)


def stands_out(r, others):
    """Two fives of sou as pair, and nothing else but these."""
    fives = kind("5s")
    return r.tiles.count(fives) == 2 and (r.is_pairs or r.pair == fives) and r.kinds - {fives} <= others


@yaku
def ryuuiisourin(r):
    """A pair of 5s among greens."""
    return stands_out(r, GREENS)


@variant("ryuuiisourin.hatsu_required=true")
def rin_with_dragon(r):
    """With the green dragon."""
    return ryuuiisourin(r) and GREEN in r.kinds


@yaku
def kouittenrin(r):
    """A pair of 5s among green sou and red dragons."""
    return stands_out(r, kinds_of("23468s7z")) and RED in r.kinds


def straight(r):
    """The suit whose 123, 456, 789 the hand holds, None if there is none."""
    return next((s for s in (MAN, PIN, SOU) if {9 * s, 9 * s + 3, 9 * s + 6} <= set(r.runs)), None)


def set_and_pair(r, one, other):
    """A triplet of the one and a pair of the other, or the reverse."""
    return (one in r.triplets and r.pair == other) or (other in r.triplets and r.pair == one)


@yaku
def tohoku_shinkansen(r):
    """A straight with east and north, one as triplet, one as pair."""
    return straight(r) is not None and set_and_pair(r, EAST, NORTH)


@variant("tohoku_shinkansen.suit=souzu_only")
def shinkansen_of_sou(r):
    """A straight of sou."""
    return tohoku_shinkansen(r) and straight(r) == SOU


@variant("tohoku_shinkansen.suit=pinzu_only")
def shinkansen_of_pin(r):
    """A straight of pin."""
    return tohoku_shinkansen(r) and straight(r) == PIN


@yaku
def joetsu_asahi(r):
    """A straight with north and white dragons, one as triplet, one as pair."""
    return straight(r) is not None and set_and_pair(r, WHITE, NORTH)


@yaku
def joetsu_toki(r):
    """A straight and honours, north among them."""
    return straight(r) is not None and honitsu(r) and NORTH in r.kinds


@yaku
def gold_rush(r):
    """A straight of pin with green dragons and west."""
    return straight(r) == PIN and honitsu(r) and {GREEN, WEST} <= r.kinds


@variant("gold_rush.west_required=false")
def gold_without_west(r):
    """Green dragons are enough."""
    return straight(r) == PIN and honitsu(r) and GREEN in r.kinds


@yaku
def seikan_renrakusen(r):
    """A straight, a kan of green dragons, a pair of north."""
    return straight(r) is not None and GREEN in r.kans and r.pair == NORTH


@variant("seikan_renrakusen.quad=ankan_only")
def seikan_concealed(r):
    """The kan concealed."""
    return seikan_renrakusen(r) and GREEN in r.concealed_kans


@yaku
def chousangen(r):
    """Kans of the three dragons."""
    return r.kans >= DRAGONS


@yaku
def chousuushi(r):
    """Kans of the four winds."""
    return r.kans >= WINDS


@yaku
def panda(r):
    """Triplets of white dragons and 1p."""
    return {WHITE, kind("1p")} <= r.triplets


@yaku
def shousanpuu(r):
    """Triplets of two winds, a pair of a third."""
    return len(r.triplets & WINDS) == 2 and r.pair in WINDS


# ---------------------------------------------------------------------------------------------------------- runs


@yaku
def pinfu(r):
    """Closed, four runs, a pair that is worth nothing, a two-sided wait."""
    return r.closed and r.runs.total() == 4 and r.pair not in DRAGONS | own_winds(r) and r.wait == "ryanmen"


@variant("pinfu.tsumo_pinfu=false")
def pinfu_by_ron(r):
    """Only by ron."""
    return pinfu(r) and ron(r)


@variant("pinfu.pair_guest_wind_ok=false")
def pinfu_on_no_wind(r):
    """The pair is no wind at all."""
    return pinfu(r) and r.pair not in WINDS


def n_twins(r):
    return sum(n // 2 for n in r.runs.values())


@yaku
def iipeikou(r):
    """Two equal runs, closed; twice two hold it too, and count as that where ryanpeikou is played."""
    return r.closed and n_twins(r) >= 1


@yaku
def ryanpeikou(r):
    """Twice two equal runs, closed."""
    return r.closed and n_twins(r) == 2


@yaku
def ittsuu(r):
    """123, 456, 789 of a suit."""
    return straight(r) is not None


@yaku
def sanshoku_doujun(r):
    """One run in three suits."""
    return any({k, k + 9, k + 18} <= set(r.runs) for k in range(7))


def outside(r):
    """Terminals or honours in every block, and a run."""
    return r.form == "sets" and bool(r.runs) and all(b.kinds & ORPHANS for b in r.blocks)


@yaku
def chanta(r):
    """Outside with honours."""
    return outside(r) and has_honours(r)


@yaku
def junchan(r):
    """Outside without."""
    return outside(r) and not has_honours(r)


def won_five_of_straight(r):
    return straight(r) is not None and r.hand.tile == 9 * straight(r) + 4


@yaku
def uushin_tsuukan(r):
    """The 5 between the 4 and 6 of a straight is the winning tile."""
    return won_five_of_straight(r) and r.won.shape == "run" and r.won.kind == 9 * straight(r) + 3


@variant("uushin_tsuukan.strict_kanchan=false")
def uushin_loosely(r):
    """The winning tile is a 5 of the straight's suit, wherever it stands."""
    return won_five_of_straight(r)


@variant("uushin_tsuukan.straight_may_be_open=false")
def uushin_concealed(r):
    """Neither 123 nor 789 of the straight is called; the fourth set may be."""
    held = {b.kind for b in r.of("run") if not b.called}
    return uushin_tsuukan(r) and {9 * straight(r), 9 * straight(r) + 6} <= held


@yaku
def sanshoku_tsuukan(r):
    """123, 456 and 789, each of another suit."""
    return has_steps(set(r.runs), (0, 3, 6), mixed=True)


@yaku
def tanron(r):
    """That straight in a closed hand won on the pair."""
    return r.closed and sanshoku_tsuukan(r) and r.wait == "tanki"


@variant("tanron.forbid_white_green_pair=true")
def tanron_on_another_pair(r):
    """Not on a white or green dragon."""
    return tanron(r) and r.pair not in (WHITE, GREEN)


def has_steps(kinds, steps, *, mixed=False):
    """Whether kinds hold numbers so far apart: of one suit, or each of another suit."""
    if len(kinds) < len(steps):
        return False
    orders = permutations((MAN, PIN, SOU)) if mixed else [[s] * len(steps) for s in (MAN, PIN, SOU)]
    return any(
        all(first + step <= 8 and 9 * s + first + step in kinds for s, step in zip(order, steps, strict=True))
        for order in orders
        for first in range(9)
    )


def suits_by_number(r):
    """Of the first numbers of the runs, the suits of each, sorted."""
    found = {}
    for k in r.runs.elements():
        found.setdefault(number(k), []).append(suit(k))
    return {first: sorted(of) for first, of in found.items()}


@yaku
def kyandonhou(r):
    """Two different runs, each in the same two suits."""
    found = list(suits_by_number(r).values())
    return len(found) == 2 and found[0] == found[1] and len(set(found[0])) == len(found[0]) == 2


@variant("kyandonhou.open_allowed=false")
def kyandonhou_closed(r):
    """Closed."""
    return kyandonhou(r) and r.closed


@variant("kyandonhou.allow_X_equal_Y=true")
def kyandonhou_of_one_run(r):
    """The two runs may be of the same numbers."""
    found = list(suits_by_number(r).values())
    return kyandonhou(r) or (len(found) == 1 and sorted(Counter(found[0]).values()) == [2, 2])


@variant("kyandonhou.any_suit_pairs=true")
def kyandonhou_of_any_suits(r):
    """Two different runs, each in two suits."""
    found = list(suits_by_number(r).values())
    return len(found) == 2 and all(len(set(of)) == len(of) == 2 for of in found)


@yaku
def isshoku_sanjun(r):
    """Three equal runs."""
    return any(n >= 3 for n in r.runs.values())


@yaku
def isshoku_yonjun(r):
    """Four equal runs."""
    return 4 in r.runs.values()


@variant("isshoku_yonjun.closed_only=true")
def yonjun_closed(r):
    """Closed."""
    return isshoku_yonjun(r) and r.closed


def beside_straight(r):
    """The set and the pair beside a straight, None if there is no straight."""
    if straight(r) is None:
        return None
    left = [(b.shape, b.kind, b.kinds) for b in r.blocks]
    for step in (0, 3, 6):
        at = next(i for i, (shape, k, _) in enumerate(left) if (shape, k) == ("run", 9 * straight(r) + step))
        del left[at]
    return [kinds for _, _, kinds in left]


@yaku
def ittsuu_chanta(r):
    """A straight, and terminals or honours in the set and in the pair beside it, an honour among them."""
    left = beside_straight(r)
    return left is not None and all(kinds & ORPHANS for kinds in left) and any(kinds & HONOURS for kinds in left)


@variant("ittsuu_chanta.with_chinitsu_honitsu=not_stack")
def ittsuu_chanta_not_of_one_suit(r):
    """Not with one suit and honours."""
    return ittsuu_chanta(r) and not honitsu(r)


@yaku
def jun_ittsuu_chanta(r):
    """A straight, and terminals in the set and in the pair beside it."""
    left = beside_straight(r)
    return left is not None and all(kinds & TERMINALS for kinds in left)


@variant("jun_ittsuu_chanta.with_chinitsu=not_stack")
def jun_ittsuu_chanta_not_of_one_suit(r):
    """Not of one suit."""
    return jun_ittsuu_chanta(r) and not chinitsu(r)


@yaku
def chinpeikou(r):
    """Closed: one run twice in each of two suits."""
    found = list(suits_by_number(r).values())
    return r.closed and len(found) == 1 and sorted(Counter(found[0]).values()) == [2, 2]


@yaku
def shanron_chonchu(r):
    """Two runs without a common number, each in man and in sou; the pair of pin."""
    found = suits_by_number(r)
    is_split = list(found.values()) == [[MAN, SOU]] * 2 and max(found) - min(found) >= 3
    return is_split and suit(r.pair) == PIN


def shanron_with_five(r, *starts):
    return shanron_chonchu(r) and r.pair == kind("5p") and sorted(suits_by_number(r)) in [list(s) for s in starts]


@variant("shanron_chonchu.mode=yakuman_lsf")
def old_and_young(r):
    """123, 789 and a pair of 5p."""
    return shanron_with_five(r, (1, 7))


@yaku
def shanron_chonchu_yakuman(r):
    """Six numbers in a row and a pair of 5p."""
    return shanron_with_five(r, (1, 4), (2, 5), (3, 6), (4, 7))


@variant("shanron_chonchu_yakuman.closed_only=true")
def shanron_yakuman_closed(r):
    """Closed."""
    return shanron_chonchu_yakuman(r) and r.closed


@variant("shanron_chonchu_yakuman.old_young_form=true")
def shanron_yakuman_or_old_and_young(r):
    """Or 123, 789 and a pair of 5p."""
    return shanron_chonchu_yakuman(r) or old_and_young(r)


def bridge(r):
    """The suit of the runs 123, 345, 567, 789, None if these are others."""
    return next((s for s in (MAN, PIN, SOU) if r.runs == Counter(9 * s + step for step in (0, 2, 4, 6))), None)


@yaku
def golden_gate_bridge(r):
    """123, 345, 567, 789 of a suit."""
    return bridge(r) is not None


@variant("golden_gate_bridge.closed_only=true")
def bridge_closed(r):
    """Closed."""
    return golden_gate_bridge(r) and r.closed


@variant("golden_gate_bridge.chinitsu_only=true")
def bridge_of_one_suit(r):
    """The pair of the same suit."""
    return golden_gate_bridge(r) and suit(r.pair) == bridge(r)


@variant("golden_gate_bridge.pair_five_required=true")
def bridge_with_five(r):
    """The pair is the 5 of the suit."""
    return golden_gate_bridge(r) and r.pair == 9 * bridge(r) + 4


def two_dragons(r):
    """The suit of 123, 123, 789, 789, None if these are others."""
    return next((s for s in (MAN, PIN, SOU) if r.runs == Counter({9 * s: 2, 9 * s + 6: 2})), None)


@yaku
def chinkaiko(r):
    """123 and 789 twice with a pair of 1 or 9 of the suit, closed."""
    ends = two_dragons(r)
    return r.closed and ends is not None and r.pair in (9 * ends, 9 * ends + 8)


@yaku
def isshoku_souryuukai(r):
    """123 and 789 twice with the pair of 5 of the suit."""
    return two_dragons(r) is not None and r.pair == 9 * two_dragons(r) + 4


@variant("isshoku_souryuukai.closed_only=true")
def souryuukai_closed(r):
    """Closed."""
    return isshoku_souryuukai(r) and r.closed


@yaku
def sanshoku_souryuukai(r):
    """123 and 789 in two suits with the pair of 5 of the third."""
    found = suits_by_number(r)
    if sorted(found) != [1, 7] or found[1] != found[7] or len(set(found[1])) != 2 or len(found[1]) != 2:
        return False
    (third,) = {MAN, PIN, SOU} - set(found[1])
    return r.pair == 9 * third + 4


@yaku
def sanshoku_sanpokou(r):
    """Runs one number apart in three suits."""
    return has_steps(set(r.runs), (0, 1, 2), mixed=True)


@yaku
def isshoku_sanpokou(r):
    """Three runs of a suit, one number apart."""
    return has_steps(set(r.runs), (0, 1, 2))


@variant("isshoku_sanpokou.step_two=true")
def sanpokou_in_either_step(r):
    """One or two numbers apart."""
    return isshoku_sanpokou(r) or has_steps(set(r.runs), (0, 2, 4))


@yaku
def isshoku_suupokou(r):
    """Four runs of a suit, one number apart."""
    return has_steps(set(r.runs), (0, 1, 2, 3))


@variant("isshoku_suupokou.step_two_counts=true")
def suupokou_in_either_step(r):
    """One or two numbers apart."""
    return isshoku_suupokou(r) or has_steps(set(r.runs), (0, 2, 4, 6))


@yaku
def zentaigo(r):
    """A 5 in every set and in the pair."""
    fives = kinds_of("5m5p5s")
    return r.form == "sets" and all(b.kinds & fives for b in r.blocks)


@yaku
def shikiichi(r):
    """A triplet, not a quad, and a run share the four copies of a tile."""
    triplets = {b.kind for b in r.of("triplet")}
    return any(triplets & b.kinds for b in r.of("run"))


@yaku
def nishoku_doujun(r):
    """One run in two suits."""
    return any(len(set(of)) >= 2 for of in suits_by_number(r).values())


def any_suit(r, *starts):
    return any({9 * s + first - 1 for first in starts} <= set(r.runs) for s in (MAN, PIN, SOU))


@yaku
def renroku(r):
    """Two runs of a suit that follow each other."""
    return any(any_suit(r, first, first + 3) for first in (1, 2, 3, 4))


@yaku
def roushoufuku(r):
    """123 and 789 of a suit."""
    return any_suit(r, 1, 7)


# ------------------------------------------------------------------------------------------------------ triplets


@yaku
def sanshoku_doukou(r):
    """Triplets of one number in three suits."""
    return any({k, k + 9, k + 18} <= r.triplets for k in range(9))


@yaku
def toitoi(r):
    """Four triplets."""
    return len(r.of("triplet", "kan")) == 4


@yaku
def sanankou(r):
    """Three concealed triplets; four hold three."""
    return r.n_concealed_triplets >= 3


@yaku
def sankantsu(r):
    """Three kans; four hold three."""
    return len(r.kans) >= 3


@yaku
def suuankou(r):
    """Four concealed triplets."""
    return r.n_concealed_triplets == 4


@yaku
def suuankou_tanki(r):
    """Four concealed triplets, won on the pair."""
    return suuankou(r) and r.wait == "tanki"


@variant("suuankou_tanki.on_tenhou=true")
def any_suuankou_on_tenhou(r):
    """Any four concealed triplets on the dealt hand."""
    return suuankou_tanki(r) or (suuankou(r) and tenhou(r))


@yaku
def suukantsu(r):
    """Four kans."""
    return len(r.kans) == 4


@yaku
def sanrenkou(r):
    """Triplets of three neighbouring numbers of a suit."""
    return has_steps(numbers(r.triplets), (0, 1, 2))


def numbers(kinds):
    return {k for k in kinds if k < 27}


@yaku
def sanshoku_renkou(r):
    """Triplets of three neighbouring numbers, each of another suit."""
    return has_steps(numbers(r.triplets), (0, 1, 2), mixed=True)


def triplets_by_number(r):
    found = {}
    for k in numbers(r.triplets):
        found.setdefault(number(k), set()).add(suit(k))
    return found


@yaku
def ryandoukou(r):
    """Triplets of two numbers, each in the same two suits."""
    found = list(triplets_by_number(r).values())
    return len(found) == 2 and found[0] == found[1] and len(found[0]) == 2


@variant("ryandoukou.any_suit_pairs=true")
def ryandoukou_of_any_suits(r):
    """Triplets of two numbers, each in two suits."""
    return [len(of) for of in triplets_by_number(r).values()] == [2, 2]


@yaku
def shoutate(r):
    """Triplets of one number in two suits, its pair in the third."""
    return any(
        {9 * a + n, 9 * b + n} <= r.triplets and r.pair == 9 * c + n
        for a, b, c in permutations((MAN, PIN, SOU))
        for n in range(9)
    )


@yaku
def choupaikou(r):
    """Triplets of a suit two numbers apart."""
    return has_steps(numbers(r.triplets), (0, 2, 4))


@yaku
def sujipaikou(r):
    """Triplets of a suit three numbers apart."""
    return has_steps(numbers(r.triplets), (0, 3, 6))


@yaku
def chousankou(r):
    """Triplets of 1, 5, 9 of a suit."""
    return has_steps(numbers(r.triplets), (0, 4, 8))


@yaku
def sanshoku_choupaikou(r):
    """Triplets two numbers apart, each of another suit."""
    return has_steps(numbers(r.triplets), (0, 2, 4), mixed=True)


@yaku
def sanshoku_sujipaikou(r):
    """Triplets three numbers apart, each of another suit."""
    return has_steps(numbers(r.triplets), (0, 3, 6), mixed=True)


@yaku
def sanshoku_chousankou(r):
    """Triplets of 1, 5, 9, each of another suit."""
    return has_steps(numbers(r.triplets), (0, 4, 8), mixed=True)


@yaku
def suurenkou(r):
    """Triplets of four neighbouring numbers of a suit."""
    return has_steps(numbers(r.triplets), (0, 1, 2, 3))


@yaku
def junsei_suurenkou(r):
    """Three triplets in a row between two pairs: the other pair would have made it too."""
    if not suurenkou(r) or r.wait != "shanpon" or suit(r.pair) != suit(r.hand.tile):
        return False
    three = r.triplets - {r.hand.tile}
    return r.hand.tile in r.triplets and (r.hand.tile, r.pair) in (
        (min(three) - 1, max(three) + 1),
        (max(three) + 1, min(three) - 1),
    )


@yaku
def suuchoupaikou(r):
    """Triplets of a suit, four of them two numbers apart."""
    return has_steps(numbers(r.triplets), (0, 2, 4, 6))


@yaku
def sanshoku_doukan(r):
    """Kans of one number in three suits."""
    return any({k, k + 9, k + 18} <= r.kans for k in range(9))


@yaku
def sanrenkan(r):
    """Kans of three neighbouring numbers of a suit."""
    return has_steps(numbers(r.kans), (0, 1, 2))


@yaku
def ryanankan(r):
    """Two concealed kans."""
    return len(r.concealed_kans) == 2


@yaku
def sanankan(r):
    """Three concealed kans, or four."""
    return len(r.concealed_kans) >= 3


@yaku
def gozoku_kyouwa(r):
    """Closed: triplets and a pair of honours, of all three suits, winds and dragons."""
    return r.closed and toitoi(r) and has_five_classes(r) and r.pair in HONOURS


@yaku
def guusuu_toitoi(r):
    """Triplets and a pair of even numbers."""
    return toitoi(r) and all(k < 27 and number(k) % 2 == 0 for k in r.kinds)


@yaku
def ryanankou(r):
    """Two concealed triplets, no more."""
    return r.n_concealed_triplets == 2


@yaku
def nishoku_doukou(r):
    """Triplets of one number in two suits."""
    return any(len(of) >= 2 for of in triplets_by_number(r).values())


# ------------------------------------------------------------------------------------------------ irregular shapes


@yaku
def chiitoitsu(r):
    """Seven different pairs."""
    return r.form == "seven_pairs"


@variant("chiitoitsu.four_identical=true")
def pairs_with_four(r):
    """Seven pairs, two of which may be the same."""
    return r.is_pairs


@yaku
def kokushi_musou(r):
    """Each terminal and honour, one of them twice."""
    return r.form == "orphans"


@yaku
def kokushi_juusanmen(r):
    """Won on the one held twice."""
    return r.form == "orphans" and r.hand.concealed.count(r.hand.tile) == 2


@variant("kokushi_juusanmen.on_tenhou=true")
def any_orphans_on_tenhou(r):
    """Any thirteen orphans on the dealt hand."""
    return kokushi_juusanmen(r) or (r.form == "orphans" and tenhou(r))


def counts_of(r):
    return Counter(r.hand.concealed)


@yaku
def zenfukou(r):
    """Fourteen different ones of the knitted tiles and the honours."""
    return r.form == "scattered" and is_knitted_and_honours(counts_of(r))


@yaku
def chiishin_uushii(r):
    """The seven honours and seven of the knitted tiles."""
    return zenfukou(r) and r.kinds >= HONOURS


def is_first_turn(r):
    """Self-drawn in the first own turn, no call before."""
    return tsumo(r) and flag(r, "no_own_discard", "no_calls")


@yaku
def shiisanpuutaa(r):
    """In the first turn: one pair, and no two tiles within two numbers of each other."""
    is_shaped = r.form == "scattered" and is_apart(counts_of(r)) and 2 in counts_of(r).values()
    return is_shaped and is_first_turn(r)


@yaku
def shiisuupuutaa(r):
    """In the first turn: no pair, and no two tiles within two numbers of each other."""
    is_shaped = r.form == "scattered" and is_apart(counts_of(r)) and set(counts_of(r).values()) == {1}
    return is_shaped and is_first_turn(r)


@yaku
def american_civil_war(r):
    """South against north from 1861 to 1865, the years of two suits, all of it concealed."""
    return r.form == "war" and not r.hand.melds and any(a != b for a, b in years_of_war(r.hand))


@variant("american_civil_war.honor_kan_allowed=true")
def war_with_kans(r):
    """The winds may be concealed kans."""
    return r.form == "war" and r.closed and any(a != b for a, b in years_of_war(r.hand))


@variant("american_civil_war.honor_meld_allowed=true")
def war_with_melds(r):
    """The winds may be called."""
    is_called = all(b.called for b in r.hand.melds)
    return r.form == "war" and is_called and any(a != b for a, b in years_of_war(r.hand))


@variant("american_civil_war.same_suit=true")
def war_of_one_suit(r):
    """The years may be of one suit."""
    return r.form == "war" and not r.hand.melds


@variant("american_civil_war.manzu_required=true")
def war_with_man(r):
    """One of the years is of man."""
    return american_civil_war(r) and MAN in suits(r)


@yaku
def kumiairyuu(r):
    """The nine knitted tiles with a set and a pair, or with five honours."""
    return r.form == "knitted" or (zenfukou(r) and len(r.kinds & HONOURS) == 5)


@variant("kumiairyuu.open=false")
def kumiairyuu_closed(r):
    """The set is not called."""
    return kumiairyuu(r) and r.closed
