"""A second witness: one winning hand scored the slow way, straight from the rules.

Nothing here knows the engine. Tiles are kinds 0-33 (man, pin, sou, then E S W N haku hatsu chun),
a hand is a plain case dict as in the shared fact files, and every reading is tried: each split into
sets times each block the winning tile may have completed.

Rules left unstated are Tenhou's: open tanyao, red fives, 4 fu for a double-wind pair, every yakuman
single, several yakuman add up, counted yakuman at 13 han, no rounding up to mangan.
"""

from typing import NamedTuple

WINDS = "ESWN"
HONOURS = range(27, 34)
DRAGONS = (31, 32, 33)
TERMINALS = {suit * 9 + n for suit in range(3) for n in (0, 8)}
ORPHANS = TERMINALS | set(HONOURS)
GREENS = {19, 20, 21, 23, 25, 32}

DEFAULTS = {
    "kuitan": True,
    "aka": True,
    "double_yakuman": False,
    "multiple_yakuman": True,
    "kazoe": "yakuman",
    "double_wind_pair_fu": 4,
    "kiriage": False,
    "open_pinfu_fu": 30,
    "pinfu_tsumo_fu": 20,
    "pao": True,
    "pao_scope": "whole_hand",  # or "liable_yakuman_only"
    "pao_ron_honba": "liable",  # or "discarder"; not read where other yakuman are paid beside
}


# Tiles


def parse(text):
    """Kinds and number of red fives of mpsz text: `parse("340m7z")` is `([2, 3, 4, 33], 1)`."""
    kinds, reds, digits = [], 0, []
    for char in text or "":
        if char.isdigit():
            digits.append(int(char))
            continue
        for digit in digits:
            reds += digit == 0
            kinds.append("mpsz".index(char) * 9 + (digit or 5) - 1)
        digits = []
    assert not digits, f"{text!r} ends without a suit"
    return kinds, reds


def suit_of(kind):
    return kind // 9


def rank(kind):
    return kind % 9 + 1


def dora_of(indicator, players):
    """The kind an indicator points to; each suit, the winds and the dragons are rings."""
    if indicator >= 31:
        return 31 + (indicator - 31 + 1) % 3
    if indicator >= 27:
        return 27 + (indicator - 27 + 1) % 4
    if players == 3 and suit_of(indicator) == 0:
        return {0: 8, 8: 0}[indicator]  # three players leave only 1m and 9m
    return suit_of(indicator) * 9 + (rank(indicator) % 9)


# What is known about a win


class Block(NamedTuple):
    shape: str  # run, triplet, kan, pair
    kind: int  # the lowest tile
    called: bool = False  # taken from another player
    won: bool = False  # completed by the winning tile

    @property
    def kinds(self):
        return {self.kind, self.kind + 1, self.kind + 2} if self.shape == "run" else {self.kind}


class Win(NamedTuple):
    concealed: tuple  # kinds held, the winning tile among them
    melds: tuple  # Blocks in call order
    tile: int
    tsumo: bool
    flags: frozenset
    seat: int | None  # kind of the seat wind
    round: int | None
    reds: int
    nuki: int
    players: int
    dora: tuple  # kinds, once per indicator
    ura: tuple
    rules: dict

    @property
    def closed(self):
        return not any(block.called for block in self.melds)

    @property
    def tiles(self):
        """Every tile of the hand, quads with four."""
        copies = {"run": 1, "triplet": 3, "kan": 4}
        melded = [k for b in self.melds for k in sorted(b.kinds) * copies[b.shape]]
        return list(self.concealed) + melded

    @property
    def dealer(self):
        return self.seat == 27


class Reading(NamedTuple):
    win: Win
    form: str  # sets, seven_pairs, orphans
    blocks: tuple

    def of(self, *shapes):
        return [b for b in self.blocks if b.shape in shapes]

    @property
    def runs(self):
        return self.of("run")

    @property
    def triplets(self):
        """Triplets and quads alike."""
        return self.of("triplet", "kan")

    @property
    def triplet_kinds(self):
        return {b.kind for b in self.triplets}

    @property
    def pair(self):
        return self.of("pair")[0]

    @property
    def kinds(self):
        return set(self.win.tiles)

    def is_concealed(self, block):
        """Whether a triplet counts as concealed: one finished by another's discard does not."""
        return not block.called and not (block.won and not self.win.tsumo)

    @property
    def n_concealed_triplets(self):
        return sum(self.is_concealed(b) for b in self.triplets)


def meld_block(meld):
    kinds, _ = parse(meld["tiles"])
    shape = {"chi": "run", "pon": "triplet", "minkan": "kan", "kakan": "kan", "ankan": "kan"}[meld["type"]]
    return Block(shape, min(kinds), called=meld["type"] != "ankan")


def win_of(case):
    rules = DEFAULTS | (case.get("rules") or {})
    players = case.get("players") or 4
    held, reds = parse(case["hand"])
    (tile,), red = parse(case["win"])
    wind = {None: None} | {w: 27 + i for i, w in enumerate(WINDS)}

    def shown(indicators):
        return tuple(dora_of(parse(i)[0][0], players) for i in indicators or [])

    return Win(
        concealed=tuple(sorted([*held, tile])),
        melds=tuple(meld_block(m) for m in case["melds"]),
        tile=tile,
        tsumo=case["tsumo"],
        flags=frozenset(case.get("flags") or []),
        seat=wind[case.get("seat")],
        round=wind[case.get("round")],
        reds=reds + red + sum(parse(m["tiles"])[1] for m in case["melds"]),
        nuki=case.get("nuki") or 0,
        players=players,
        dora=shown(case.get("dora_ind")),
        ura=shown(case.get("ura_ind")),
        rules=rules,
    )


# Readings


def splits(kinds):
    """Every way to take sorted `kinds` apart into runs and triplets, as lists of blocks."""
    if not kinds:
        yield []
        return
    first = kinds[0]
    if kinds.count(first) >= 3:
        for rest in splits(kinds[3:]):
            yield [Block("triplet", first), *rest]
    if first < 27 and rank(first) <= 7 and first + 1 in kinds and first + 2 in kinds:
        left = list(kinds)
        for kind in (first, first + 1, first + 2):
            left.remove(kind)
        for rest in splits(left):
            yield [Block("run", first), *rest]


def readings(win):
    """Every reading of the hand: form, blocks, and which block the winning tile completed."""
    kinds = list(win.concealed)
    if len(kinds) + 3 * len(win.melds) != 14:
        return
    if len(kinds) == 14 and set(kinds) == ORPHANS:
        yield Reading(win, "orphans", ())
    if len(kinds) == 14 and len(set(kinds)) == 7 and all(kinds.count(k) == 2 for k in kinds):
        pairs = tuple(Block("pair", k, won=k == win.tile) for k in sorted(set(kinds)))
        yield Reading(win, "seven_pairs", pairs)
    seen = set()
    for pair in sorted({k for k in kinds if kinds.count(k) >= 2}):
        left = list(kinds)
        left.remove(pair)
        left.remove(pair)
        for sets in splits(left):
            blocks = [*sets, Block("pair", pair)]
            for i, block in enumerate(blocks):
                if win.tile not in block.kinds:
                    continue
                placed = [*blocks[:i], block._replace(won=True), *blocks[i + 1 :]]
                key = tuple(sorted(placed))
                if key not in seen:
                    seen.add(key)
                    yield Reading(win, "sets", (*key, *win.melds))


def wait(block, tile):
    """How `tile` completed its block: tanki, shanpon, kanchan, penchan or ryanmen."""
    if block.shape == "pair":
        return "tanki"
    if block.shape != "run":
        return "shanpon"
    if tile == block.kind + 1:
        return "kanchan"
    if (rank(block.kind), rank(tile)) in {(1, 3), (7, 7)}:
        return "penchan"
    return "ryanmen"


def pair_winds(r):
    return (r.pair.kind == r.win.seat) + (r.pair.kind == r.win.round)


# Circumstances


def riichi(r):
    return "riichi" in r.win.flags and not double_riichi(r) and r.win.closed


def double_riichi(r):
    return "double_riichi" in r.win.flags and r.win.closed


def ippatsu(r):
    return "ippatsu" in r.win.flags and (riichi(r) or double_riichi(r))


def menzen_tsumo(r):
    return r.win.tsumo and r.win.closed


def chankan(r):
    return "chankan" in r.win.flags and not r.win.tsumo


def rinshan_kaihou(r):
    return "rinshan" in r.win.flags and r.win.tsumo


def haitei_raoyue(r):
    """A replacement tile is never the last tile of the wall."""
    return "haitei" in r.win.flags and r.win.tsumo and not rinshan_kaihou(r)


def houtei_raoyui(r):
    """A robbed tile is no discard."""
    return "houtei" in r.win.flags and not r.win.tsumo and not chankan(r)


def tenhou(r):
    return "tenhou" in r.win.flags and r.win.tsumo and not r.win.melds and r.win.seat in (None, 27)


def chiihou(r):
    return "chiihou" in r.win.flags and r.win.tsumo and not r.win.melds and not r.win.dealer


# Patterns worth han


def pinfu(r):
    """Four runs, a worthless pair, a two-sided wait: the closed hand without fu.

    `pinfu_tsumo_fu` 30 is the rule that lets a self-draw keep its 2 fu, and so lose pinfu.
    """
    if r.form != "sets" or not r.win.closed or len(r.runs) != 4:
        return False
    if r.win.tsumo and r.win.rules["pinfu_tsumo_fu"] == 30:
        return False
    if r.pair.kind in DRAGONS or pair_winds(r):
        return False
    return any(b.won and wait(b, r.win.tile) == "ryanmen" for b in r.runs)


def n_twin_runs(r):
    starts = [b.kind for b in r.runs]
    return sum(starts.count(k) // 2 for k in set(starts))


def iipeikou(r):
    return r.win.closed and n_twin_runs(r) == 1


def ryanpeikou(r):
    """Two twin runs; four identical runs are two twins."""
    return r.win.closed and n_twin_runs(r) == 2


def tanyao(r):
    return not r.kinds & ORPHANS and (r.win.closed or r.win.rules["kuitan"])


def yakuhai_haku(r):
    return 31 in r.triplet_kinds


def yakuhai_hatsu(r):
    return 32 in r.triplet_kinds


def yakuhai_chun(r):
    return 33 in r.triplet_kinds


def yakuhai_seat(r):
    return r.win.seat in r.triplet_kinds


def yakuhai_round(r):
    return r.win.round in r.triplet_kinds


def chiitoitsu(r):
    return r.form == "seven_pairs"


def ittsuu(r):
    starts = {b.kind for b in r.runs}
    return any({base, base + 3, base + 6} <= starts for base in (0, 9, 18))


def sanshoku_doujun(r):
    starts = {b.kind for b in r.runs}
    return any({k, k + 9, k + 18} <= starts for k in range(7))


def sanshoku_doukou(r):
    return any({k, k + 9, k + 18} <= r.triplet_kinds for k in range(9))


def toitoi(r):
    return len(r.triplets) == 4


def sanankou(r):
    return r.n_concealed_triplets == 3


def sankantsu(r):
    return len(r.of("kan")) == 3


def chanta(r):
    return outside(r) and bool(r.kinds & set(HONOURS))


def junchan(r):
    return outside(r) and not r.kinds & set(HONOURS)


def outside(r):
    """A terminal or an honour in every set and the pair, and at least one run."""
    return r.form == "sets" and bool(r.runs) and all(b.kinds & ORPHANS for b in r.blocks)


def honroutou(r):
    return r.form != "orphans" and r.kinds <= ORPHANS and not (chinroutou(r) or tsuuiisou(r))


def shousangen(r):
    return r.form == "sets" and len(r.triplet_kinds & set(DRAGONS)) == 2 and r.pair.kind in DRAGONS


def suits(r):
    return {suit_of(k) for k in r.kinds if k < 27}


def honitsu(r):
    return r.form != "orphans" and len(suits(r)) == 1 and bool(r.kinds & set(HONOURS))


def chinitsu(r):
    return len(suits(r)) == 1 and not r.kinds & set(HONOURS)


# Patterns worth a yakuman


def kokushi_juusanmen(r):
    """Thirteen orphans won on the tile held twice."""
    return r.form == "orphans" and r.win.concealed.count(r.win.tile) == 2


def kokushi_musou(r):
    return r.form == "orphans" and not kokushi_juusanmen(r)


def surplus_over_nine_gates(r):
    """The tile beyond 1112345678999, or None where the hand is no chuuren."""
    if r.win.melds or not chinitsu(r):
        return None
    left = [rank(k) for k in r.win.concealed]
    for n in (1, 1, 1, 2, 3, 4, 5, 6, 7, 8, 9, 9, 9):
        if n not in left:
            return None
        left.remove(n)
    return left[0]


def junsei_chuuren_poutou(r):
    return surplus_over_nine_gates(r) == rank(r.win.tile)


def chuuren_poutou(r):
    return surplus_over_nine_gates(r) is not None and not junsei_chuuren_poutou(r)


def ryuuiisou(r):
    return r.kinds <= GREENS


def suuankou_tanki(r):
    return r.n_concealed_triplets == 4 and r.pair.won


def suuankou(r):
    return r.n_concealed_triplets == 4 and not r.pair.won


def suukantsu(r):
    return len(r.of("kan")) == 4


def chinroutou(r):
    return r.kinds <= TERMINALS


def tsuuiisou(r):
    return r.kinds <= set(HONOURS)


def daisangen(r):
    return set(DRAGONS) <= r.triplet_kinds


def wind_triplets(r):
    return len(r.triplet_kinds & {27, 28, 29, 30})


def shousuushii(r):
    return wind_triplets(r) == 3 and 27 <= r.pair.kind <= 30


def daisuushii(r):
    return wind_triplets(r) == 4


# (yaku, han closed, han open); a yaku for closed hands only says so itself, and repeats its han
HAN = [
    (riichi, 1, 1),
    (double_riichi, 2, 2),
    (ippatsu, 1, 1),
    (menzen_tsumo, 1, 1),
    (chankan, 1, 1),
    (rinshan_kaihou, 1, 1),
    (haitei_raoyue, 1, 1),
    (houtei_raoyui, 1, 1),
    (pinfu, 1, 1),
    (tanyao, 1, 1),
    (iipeikou, 1, 1),
    (yakuhai_haku, 1, 1),
    (yakuhai_hatsu, 1, 1),
    (yakuhai_chun, 1, 1),
    (yakuhai_seat, 1, 1),
    (yakuhai_round, 1, 1),
    (chiitoitsu, 2, 2),
    (ittsuu, 2, 1),
    (sanshoku_doujun, 2, 1),
    (sanshoku_doukou, 2, 2),
    (toitoi, 2, 2),
    (sanankou, 2, 2),
    (sankantsu, 2, 2),
    (chanta, 2, 1),
    (junchan, 3, 2),
    (honroutou, 2, 2),
    (shousangen, 2, 2),
    (ryanpeikou, 3, 3),
    (honitsu, 3, 2),
    (chinitsu, 6, 5),
]

# (yaku, units where double forms are played)
YAKUMAN = [
    (tenhou, 1),
    (chiihou, 1),
    (kokushi_musou, 1),
    (kokushi_juusanmen, 2),
    (chuuren_poutou, 1),
    (junsei_chuuren_poutou, 2),
    (ryuuiisou, 1),
    (suuankou, 1),
    (suuankou_tanki, 2),
    (suukantsu, 1),
    (chinroutou, 1),
    (tsuuiisou, 1),
    (daisangen, 1),
    (shousuushii, 1),
    (daisuushii, 2),
]


def han_yaku(r):
    return [(f.__name__, closed if r.win.closed else opened) for f, closed, opened in HAN if f(r)]


def yakuman(r):
    doubled = r.win.rules["double_yakuman"]
    return [(f.__name__, units if doubled else 1) for f, units in YAKUMAN if f(r)]


def dora(win):
    """The dora lines. A kita tile counts once for itself, and again where north is dora.

    A case that hands its dora in as a number means all of them, red fives included.
    """
    if "dora_count_given" in win.rules:
        given = win.rules["dora_count_given"]
        return [("dora", given)] if given else []
    tiles = win.tiles + [30] * win.nuki
    in_riichi = win.closed and win.flags & {"riichi", "double_riichi"}
    lines = [
        ("dora", sum(map(tiles.count, win.dora))),
        ("ura_dora", sum(map(tiles.count, win.ura)) if in_riichi else 0),
        ("aka_dora", win.reds if win.rules["aka"] else 0),
        ("nuki_dora", win.nuki),
    ]
    return [(name, n) for name, n in lines if n]


# Fu


def fu_parts(r):
    """(name, fu) lines which add up to the fu; the last may be the rounding."""
    win = r.win
    if r.form == "seven_pairs":
        return [("seven_pairs", 25)]
    parts = [("base", 20)]
    if win.closed and not win.tsumo:
        parts.append(("closed_ron", 10))
    for block in r.triplets:
        concealed = r.is_concealed(block)
        fu = 2
        fu *= 2 if concealed else 1
        fu *= 2 if block.kind in ORPHANS else 1
        fu *= 4 if block.shape == "kan" else 1
        parts.append((f"{'concealed' if concealed else 'open'}_{block.shape}", fu))
    if r.pair.kind in DRAGONS:
        parts.append(("dragon_pair", 2))
    elif pair_winds(r) == 2:
        parts.append(("double_wind_pair", win.rules["double_wind_pair_fu"]))
    elif pair_winds(r) == 1:
        parts.append(("wind_pair", 2))
    waits = [wait(b, win.tile) for b in r.blocks if b.won]
    if waits[0] in ("tanki", "kanchan", "penchan"):
        parts.append((waits[0], 2))
    if win.tsumo and not pinfu(r):
        parts.append(("tsumo", 2))
    if parts == [("base", 20)] and not win.closed and win.rules["open_pinfu_fu"] == 30:
        parts.append(("open_pinfu", 10))
    total = sum(fu for _, fu in parts)
    if total % 10:
        parts.append(("rounding", 10 - total % 10))
    return parts


# Value


def base_points(han, fu, rules):
    """(limit, base points) of a hand without a yakuman."""
    if han >= 13 and rules["kazoe"] == "yakuman":
        return "counted_yakuman", 8000
    if han >= 11:
        return "sanbaiman", 6000
    if han >= 8:
        return "baiman", 4000
    if han >= 6:
        return "haneman", 3000
    base = fu * 2 ** (2 + han)
    if han >= 5 or base >= 2000 or (rules["kiriage"] and base == 1920):
        return "mangan", 2000
    return None, base


def hundreds(points):
    """Rounded up to a full hundred."""
    return -(-points // 100) * 100


def draw_shares(base, win):
    """What each other seat pays on a self-draw, by wind; with three players north's share is lost."""
    shares = {}
    for i in range(win.players):
        if win.seat == 27 + i:
            continue
        both = win.dealer or i == 0
        shares[WINDS[i]] = hundreds(base * 2 if both else base)
    return shares


def points_for(base, win):
    """Value without honba and sticks: the discarder's payment, or the sum of the shares."""
    if not win.tsumo:
        return hundreds(base * (6 if win.dealer else 4))
    if win.seat is None:  # some seat that is not the dealer's
        return hundreds(base * 2) + (win.players - 2) * hundreds(base)
    return sum(draw_shares(base, win).values())


def other_seat(seat, relation, players):
    """The wind of the seat `relation` to `seat`; kamicha plays just before it."""
    step = {"kamicha": -1, "shimocha": 1, "toimen": 2}[relation]
    assert players == 4 or relation != "toimen", "three players have nobody opposite"
    return WINDS[(WINDS.index(seat) + step) % players]


def liability(case, units):
    """(wind of the liable seat, units it answers for), or (None, 0).

    Liable is who fed the call that laid the last of the three dragon sets, or of the four wind
    sets, open on the table.
    """
    rules = DEFAULTS | (case.get("rules") or {})
    worth = dict(units)
    if not rules["pao"] or case.get("seat") is None:
        return None, 0
    for name, kinds in (("daisangen", {31, 32, 33}), ("daisuushii", {27, 28, 29, 30})):
        sets = [m for m in case["melds"] if meld_block(m).kind in kinds]
        if name in worth and len(sets) == len(kinds) and sets[-1].get("from"):
            return other_seat(case["seat"], sets[-1]["from"], case.get("players") or 4), worth[name]
    return None, 0


def payments(case, win, base, units):
    """Change of each seat by wind, honba and sticks included; None while the payer is unknown."""
    players, honba, sticks = win.players, case.get("honba") or 0, case.get("sticks") or 0
    winner = case.get("seat")
    if winner is None or not (win.tsumo or case.get("win_from")):
        return None
    discarder = None if win.tsumo else other_seat(winner, case["win_from"], players)
    liable, answered = liability(case, units)
    total_units = base // 8000
    if liable and win.rules["pao_scope"] == "whole_hand":
        answered = total_units
    answered = min(answered, total_units)
    borne, rest = 8000 * answered, base - 8000 * answered
    paid = dict.fromkeys(WINDS[:players], 0)

    if win.tsumo:
        for seat, share in draw_shares(rest, win).items():
            paid[seat] += share + (100 * honba if rest or not liable else 0)
        if liable:
            paid[liable] += sum(draw_shares(borne, win).values())
            if not rest:
                paid[liable] += 100 * honba * (players - 1)
    else:
        paid[discarder] += points_for(rest, win)
        if liable:
            paid[discarder] += points_for(borne, win) // 2
            paid[liable] += points_for(borne, win) // 2
        liable_pays_honba = liable and (not rest) and win.rules["pao_ron_honba"] == "liable"
        paid[liable if liable_pays_honba else discarder] += 100 * honba * (players - 1)

    deltas = {seat: -amount for seat, amount in paid.items()}
    deltas[winner] = sum(paid.values()) + 1000 * sticks
    return deltas


def scored(r):
    """The value of one reading, or None without a yaku."""
    win, rules = r.win, r.win.rules
    units = yakuman(r)
    if units:
        total = sum(n for _, n in units)
        if not rules["multiple_yakuman"]:
            total = 1
        base = 8000 * total
        return {
            "yaku": units,
            "han": None,
            "fu": None,
            "fu_parts": [],
            "limit": "yakuman",
            "yakuman": total,
            "points": points_for(base, win),
            "base": base,
        }
    lines = han_yaku(r)
    if not lines:
        return None
    lines += dora(win)
    han = sum(n for _, n in lines)
    parts = fu_parts(r)
    fu = sum(n for _, n in parts)
    limit, base = base_points(han, fu, rules)
    return {
        "yaku": lines,
        "han": han,
        "fu": fu,
        "fu_parts": parts,
        "limit": limit,
        "yakuman": 0,
        "points": points_for(base, win),
        "base": base,
    }


def worth(value):
    """Order of readings: points, a yakuman before a counted one, han, fu."""
    return value["points"], value["yakuman"], value["han"] or 0, value["fu"] or 0


def every_score(case):
    """(reading, value or None) for each reading of the case."""
    return [(r, scored(r)) for r in readings(win_of(case))]


def score(case):
    """The best reading of a case as a dict, or `{"error": "not_winning" | "no_yaku"}`.

    `points` leaves honba and sticks out, `payments` has them in. A yakuman has neither han nor fu;
    without `multiple_yakuman` it is worth one yakuman, whatever it holds.
    """
    tried = every_score(case)
    if not tried:
        return {"error": "not_winning"}
    values = [value for _, value in tried if value]
    if not values:
        return {"error": "no_yaku"}
    best = max(values, key=worth)
    base = best.pop("base")
    units = best["yaku"] if best["yakuman"] else []
    return best | {"payments": payments(case, win_of(case), base, units)}
