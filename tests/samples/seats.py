"""Who decides: a simple player, or a script.

The player looks at nothing a person at the table could not see. It takes the discard that leaves the most useful
tiles, calls for yakuhai, simples, one suit or triplets, declares riichi on most closed hands, and keeps to safe
tiles against a riichi while its own hand is far.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from random import Random

from . import shapes, tiles
from .round import Meld, Round, Turn
from .shapes import ANY, OUTSIDE, SIMPLES, TRIPLETS
from .wins import Score


@dataclass(frozen=True)
class Plan:
    """A way for a hand to earn its yaku: the style of its sets, and its suit if it keeps to one."""

    style: str
    suit: int | None = None
    handicap: float = 0.0  # steps added when plans are compared; below 0 favours this one


CLOSED = Plan(ANY)


class Player:
    """A simple player; `boldness` 0 to 1 shifts how often it calls and pushes."""

    def __init__(self, random: Random, boldness: float = 0.5):
        self.random = random
        self.boldness = boldness

    # Own turn

    def turn(self, table: Round, seat: int, turn: Turn) -> tuple:
        if turn.tsumo:
            return ("tsumo",)
        hand = table.hands[seat]
        if hand.riichi:
            return self.turn_in_riichi(turn)
        counts = hand.counts
        if turn.kyuushu and shapes.orphans(counts) > 2:
            return ("kyuushu",)
        if turn.kita is not None and shapes.orphans(counts) > 2:
            return ("kita",)
        if kan := self.useful_kan(table, seat, turn):
            return ("kan", kan)
        plan, far = self.plan(table, seat, hand.tiles, hand.sets)
        if turn.riichi and (tile := self.riichi_discard(table, seat, turn)) is not None:
            return ("riichi", tile)
        if self.should_fold(table, seat, far):
            return ("discard", self.safest(table, seat, turn.discards))
        return ("discard", self.best_discard(table, seat, turn.discards, plan, far))

    @staticmethod
    def turn_in_riichi(turn: Turn) -> tuple:
        if turn.kita is not None:
            return ("kita",)
        if turn.kans:
            return ("kan", turn.kans[0])
        return ("discard", turn.drawn)

    def useful_kan(self, table: Round, seat: int, turn: Turn) -> Meld | None:
        """A kan that costs the hand no step, while nobody threatens or the own hand is near."""
        hand = table.hands[seat]
        before = self.plan(table, seat, hand.tiles, hand.sets)[1]
        for meld in turn.kans:
            left = [t for t in hand.tiles if t not in meld.tiles]
            sets = [m for m in hand.sets if m.called is None or m.called != meld.called] + [meld]
            after = self.plan(table, seat, left, sets)[1]
            near = after <= 1 if meld.kind == "kakan" else after <= 2
            if after <= before and near and not (threats(table, seat) and after > 0):
                return meld
        return None

    def riichi_discard(self, table: Round, seat: int, turn: Turn) -> int | None:
        """The declaration tile with the most live waits; None to stay silent."""
        hand, best = table.hands[seat], None
        for tile in turn.riichi:
            left = [t for t in hand.tiles if t != tile]
            waits = shapes.waits(tiles.counts(left), len(hand.sets), table.melded(seat))
            river = {t // 4 for t in (*hand.river, tile)}
            live = sum(unseen(table, seat)[k] for k in waits) * (0.3 if river & set(waits) else 1)
            key = (live, -tile_worth(table, seat, tile), -tile)
            if live > 0 and (best is None or key > best[0]):
                best = (key, tile)
        if best is None:
            return None
        (live, *_), tile = best
        if live < 2 or len(table.live) < 8 or (live <= 3 and threats(table, seat)):
            return None
        return None if self.random.random() < 0.18 else tile

    # Plans

    def plan(self, table: Round, seat: int, held: Sequence[int], sets: Sequence[Meld]) -> tuple[Plan, int]:
        """The plan with the fewest steps left, and these steps."""
        counts = tiles.counts(held)
        found = []
        for plan in self.plans(table, seat, counts, sets):
            far = self.steps(table, seat, counts, sets, plan)
            found.append((far + plan.handicap, len(found), plan, far))
        if not found:
            return CLOSED, shapes.shanten(counts, len(sets))
        _, _, plan, far = min(found)
        return plan, far

    def plans(self, table: Round, seat: int, counts: list[int], sets: Sequence[Meld]) -> list[Plan]:
        is_closed = not any(m.is_open for m in sets)
        melded = [{t // 4 for t in m.tiles} for m in sets]
        found = []
        if is_closed:
            found.append(CLOSED)
        elif self.has_value_set(table, seat, counts, sets) or self.value_pair(table, seat, counts) is not None:
            found.append(Plan(ANY))
        if not is_closed and table.rules.open_tanyao and not any(m & set(tiles.ORPHANS) for m in melded):
            found.append(Plan(SIMPLES, handicap=-0.2))
        honours = sum(counts[27:]) + 3 * sum(min(m) >= 27 for m in melded)
        for suit in range(3):
            ranks = range(suit * 9, suit * 9 + 9)
            mine = honours + sum(counts[k] for k in ranks) + 3 * sum(m <= set(ranks) for m in melded)
            if mine >= 10 and all(m <= set(ranks) or min(m) >= 27 for m in melded):
                found.append(Plan(ANY, suit, -1.0 if is_closed else -0.4))
        if not is_closed and all(len(m) == 1 for m in melded) and sum(c >= 2 for c in counts) + len(sets) >= 4:
            found.append(Plan(TRIPLETS, handicap=-0.6))
        if not is_closed and all(m & set(tiles.ORPHANS) for m in melded):
            found.append(Plan(OUTSIDE, handicap=-0.3))
        return found

    def steps(self, table: Round, seat: int, counts: list[int], sets: Sequence[Meld], plan: Plan) -> int:
        """Steps to tenpai under a plan; an open hand of any style still has to complete its value pair."""
        is_open = any(m.is_open for m in sets)
        if plan.style != ANY or plan.suit is not None or not is_open:
            return shapes.shanten(counts, len(sets), plan.style, plan.suit)
        if self.has_value_set(table, seat, counts, sets):
            return shapes.shanten(counts, len(sets))
        left = list(counts)
        left[self.value_pair(table, seat, counts)] -= 2
        return shapes.shanten(left, len(sets) + 1) + 1

    def useful(self, table: Round, seat: int, counts: list[int], plan: Plan) -> tuple[int, list[int]]:
        """(steps, kinds that lower them) of a hand under a plan."""
        sets = table.hands[seat].sets
        is_open = any(m.is_open for m in sets)
        if plan == CLOSED and is_open and not self.has_value_set(table, seat, counts, sets):
            pair = self.value_pair(table, seat, counts)
            if pair is None:
                return shapes.FAR, []
            left = list(counts)
            left[pair] -= 2
            far, kinds = shapes.useful(left, len(sets) + 1)
            return far + 1, sorted({*kinds, pair})
        return shapes.useful(counts, len(sets), plan.style, plan.suit)

    @staticmethod
    def has_value_set(table: Round, seat: int, counts: list[int], sets: Sequence[Meld]) -> bool:
        value = value_kinds(table, seat)
        return any(m.tiles[0] // 4 in value for m in sets) or any(counts[k] >= 3 for k in value)

    @staticmethod
    def value_pair(table: Round, seat: int, counts: list[int]) -> int | None:
        """A pair of yakuhai that can still become a triplet."""
        left = unseen(table, seat)
        return next((k for k in sorted(value_kinds(table, seat)) if counts[k] == 2 and left[k]), None)

    # Discards

    def best_discard(self, table: Round, seat: int, discards: Sequence[int], plan: Plan, far: int) -> int:
        """The discard that keeps the steps and the most useful unseen tiles, then the cheapest tile."""
        hand = table.hands[seat]
        counts, left = hand.counts, unseen(table, seat)
        best = None
        for kind in sorted({t // 4 for t in discards}):
            tile = min((t for t in discards if t // 4 == kind), key=lambda t: (t in tiles.RED_FIVES, t))
            counts[kind] -= 1
            steps, kinds = self.useful(table, seat, counts, plan)
            counts[kind] += 1
            gain = sum(left[k] for k in kinds)
            if far == 0 and kind in kinds:
                gain *= 0.3  # furiten
            if is_fourth_wind(table, kind):
                gain -= 5
            taste = (2.5 if len(hand.river) < 4 else 0.5) * self.random.random()
            key = (-steps, gain - tile_worth(table, seat, tile) + taste, -kind)
            if best is None or key > best[0]:
                best = (key, tile)
        return best[1]

    def should_fold(self, table: Round, seat: int, far: int) -> bool:
        if not threats(table, seat) or far < 0:
            return False
        if far == 0:
            cheap = n_dora(table, seat) == 0 and len(table.live) < 20
            return cheap and self.random.random() > self.boldness + 0.2
        riichi = [s for s in threats(table, seat) if table.hands[s].riichi]
        if not riichi:
            return far >= 2
        if far == 1:
            dora = n_dora(table, seat)
            return len(riichi) > 1 or (dora < 3 and self.random.random() > 0.4 * self.boldness)
        return True

    @staticmethod
    def safest(table: Round, seat: int, discards: Sequence[int]) -> int:
        """The tile least likely to be waited for, then the one of least use."""
        return min(discards, key=lambda t: (danger(table, seat, t // 4), tile_worth(table, seat, t), t))

    # Others' tiles

    def wants_ron(self, table: Round, seat: int, tile: int, score: Score) -> bool:
        """Every win is taken, but for a kita robbed within the own ippatsu, which sources score differently."""
        kind, *rest = table.events[-1]
        return not (kind == "call" and rest[1].kind == "kita" and table.hands[seat].ippatsu)

    def call(self, table: Round, seat: int, tile: int, options: Sequence[Meld]) -> Meld | None:
        hand = table.hands[seat]
        is_closed = hand.is_closed
        before = self.plan(table, seat, hand.tiles, hand.sets)[1]
        if before <= 0 and is_closed:
            return None
        threatened = bool(threats(table, seat))
        best = None
        for meld in options:
            left = [t for t in hand.tiles if t not in meld.tiles]
            plan, after = self.best_after_call(table, seat, meld, left)
            if after >= shapes.FAR:
                continue
            if meld.kind == "daiminkan":
                continue
            is_value = tile // 4 in value_kinds(table, seat)
            limit = 3 if is_value or plan.style == SIMPLES or plan.suit is not None else 2
            is_easy = is_value or (plan.style == SIMPLES and self.random.random() < 0.7 * self.boldness)
            if after > limit or (threatened and after > 0) or after > before - (not is_easy):
                continue
            if is_closed and not is_value and not self.is_worth_opening(table, seat, before, after, plan):
                continue
            key = (after, sum(t in tiles.RED_FIVES for t in left), meld.tiles)
            if best is None or key < best[0]:
                best = (key, meld)
        if best is None or self.random.random() < 0.25 - 0.2 * self.boldness:
            return None
        if len(options) > 1 and best[1].kind == "pon":
            return self.maybe_kan(table, seat, options, best[1])
        return best[1]

    def maybe_kan(self, table: Round, seat: int, options: Sequence[Meld], pon: Meld) -> Meld:
        """A pair of value tiles held three times is called as a kan now and then."""
        kan = next((m for m in options if m.kind == "daiminkan"), None)
        is_open = not table.hands[seat].is_closed
        return kan if kan and is_open and self.random.random() < 0.5 else pon

    def best_after_call(self, table: Round, seat: int, meld: Meld, left: list[int]) -> tuple[Plan, int]:
        """The plan and its steps once the meld lies there and a tile is discarded."""
        sets = [*table.hands[seat].sets, meld]
        counts = tiles.counts(left)
        found = []
        for plan in self.plans(table, seat, counts, sets):
            found.append((self.steps(table, seat, counts, sets, plan), len(found), plan))
        if not found:
            return CLOSED, shapes.FAR
        after, _, plan = min(found)
        return plan, after

    def is_worth_opening(self, table: Round, seat: int, before: int, after: int, plan: Plan) -> bool:
        """A closed hand near riichi stays closed unless the call makes it tenpai with something in it."""
        dora = n_dora(table, seat)
        if plan.suit is not None or plan.style == TRIPLETS:
            return after <= 1 or before >= 2
        if before <= 1:
            return after == 0 and (dora >= 1 or len(table.live) < 30) and self.random.random() < 0.3 + self.boldness
        return self.random.random() < (0.3 if dora == 0 and len(table.live) > 45 else 0.5) + 0.5 * self.boldness


# What a person at the table sees


def unseen(table: Round, seat: int) -> list[int]:
    """Tiles of each kind that lie in the wall or in another hand."""
    hand = table.hands[seat]
    shown = [*hand.tiles, *table.dora_indicators]
    for other in table.hands:
        shown += other.river
        shown += [t for m in other.melds for t in m.tiles if t != m.called]
    seen = tiles.counts(shown)
    absent = tiles.ABSENT_FROM_THREE if table.players == 3 else ()
    return [0 if k in absent else max(0, 4 - seen[k]) for k in range(34)]


def is_fourth_wind(table: Round, kind: int) -> bool:
    """Whether everybody so far began with this wind, so that it may void the round."""
    firsts = [h.river[0] // 4 for h in table.hands if h.river]
    return len(firsts) >= 2 and {kind} == set(firsts) and not any(len(h.river) > 1 for h in table.hands)


def value_kinds(table: Round, seat: int) -> set[int]:
    winds = {27 + "ESWN".index(w) for w in (table.wind(seat), table.round_wind)}
    return winds | set(tiles.DRAGONS)


def dora_kinds(table: Round) -> list[int]:
    return [tiles.dora_of(t, table.players) for t in table.dora_indicators]


def n_dora(table: Round, seat: int) -> int:
    hand, dora = table.hands[seat], dora_kinds(table)
    held = [*hand.tiles, *(t for m in hand.melds for t in m.tiles)]
    return sum(dora.count(t // 4) + (table.rules.reds and t in tiles.RED_FIVES) for t in held) + hand.n_kita


def tile_worth(table: Round, seat: int, tile: int) -> float:
    """What it costs to let go of a tile that is as useful as another."""
    kind = tile // 4
    worth = 3.0 * dora_kinds(table).count(kind) + (3.0 if table.rules.reds and tile in tiles.RED_FIVES else 0)
    if kind in tiles.HONOURS:
        return worth + (0.4 if kind in value_kinds(table, seat) else 0)
    rank = kind % 9
    return worth + 0.5 + 0.3 * min(rank, 8 - rank)


def threats(table: Round, seat: int) -> list[int]:
    """Others in riichi, or with three melds."""
    return [s for s, h in enumerate(table.hands) if s != seat and (h.riichi or sum(m.is_open for m in h.sets) >= 3)]


def danger(table: Round, seat: int, kind: int) -> float:
    return sum(danger_to(table, seat, other, kind) for other in threats(table, seat))


def danger_to(table: Round, seat: int, other: int, kind: int) -> float:
    """How likely `other` waits for the tile: nothing if it let one go, little behind its own discards."""
    safe = {t // 4 for t in table.hands[other].river} | passed_kinds(table, other)
    if kind in safe:
        return 0
    left = unseen(table, seat)[kind]
    if kind in tiles.HONOURS:
        return (0.2, 1, 2, 4)[min(left, 3)]
    rank = kind % 9
    partners = [k for k in (kind - 3, kind + 3) if k // 9 == kind // 9 and 0 <= k < 27]
    covered = sum(k in safe for k in partners)
    open_sides = len(partners) - covered
    base = (5, 6, 7, 9, 10, 9, 7, 6, 5)[rank]
    return base * (0.25, 0.6, 1)[open_sides] if len(partners) == 2 else base * (0.25 if open_sides == 0 else 1)


def passed_kinds(table: Round, other: int) -> set[int]:
    """Kinds discarded by anybody since `other` accepted riichi."""
    found: set[int] = set()
    since = False
    for kind, *rest in table.events:
        if kind == "accepted" and rest[0] == other:
            since = True
        elif since and kind == "discard":
            found.add(rest[1] // 4)
    return found


# Scripts


@dataclass
class Script:
    """A seat that does as told: `own` on its turns in order, `others` on named tiles, else it lets all pass.

    Own acts: `.` (discard what was drawn), `tsumo`, `kyuushu`, `kita`, `kan 5z`, `riichi 3p`, `discard 3p`;
    without any left it discards what it drew. Acts on others' tiles: (`ron`, `pon` or `kan`, tile), in order.
    """

    own: list[str] = field(default_factory=list)
    others: list[tuple[str, str]] = field(default_factory=list)

    def turn(self, table: Round, seat: int, turn: Turn) -> tuple:
        if not self.own or self.own[0] == ".":
            self.own = self.own[1:]
            return ("discard", turn.drawn if turn.drawn is not None else turn.discards[-1])
        act, _, tile = self.own.pop(0).partition(" ")
        if act in ("discard", "riichi"):
            offered = turn.discards if act == "discard" else turn.riichi
            return (act, self.pick(table, offered, tile, turn.drawn))
        if act == "kan":
            kind = tiles.kinds(tile)[0][0]
            return ("kan", next(m for m in turn.kans if m.tiles[0] // 4 == kind))
        return (act,)

    @staticmethod
    def pick(table: Round, offered: Sequence[int], tile: str, drawn: int | None) -> int:
        """The offered tile with that text; the drawn one last."""
        found = [t for t in offered if tiles.text([t], reds=table.rules.reds) == tile]
        if not found:
            raise ValueError(f"{tile} is not among {tiles.text(offered)}")
        return min(found, key=lambda t: (t == drawn, t))

    def wants_ron(self, table: Round, seat: int, tile: int, score: Score) -> bool:
        return self.is_told("ron", table, tile)

    def call(self, table: Round, seat: int, tile: int, options: Sequence[Meld]) -> Meld | None:
        if not self.others:
            return None
        act, wanted = self.others[0]
        kind = "daiminkan" if act == "kan" else act
        if wanted == tiles.text([tile], reds=table.rules.reds):
            for meld in options:
                if meld.kind == kind:
                    self.others.pop(0)
                    return meld
        return None

    def is_told(self, act: str, table: Round, tile: int) -> bool:
        if self.others and self.others[0] == (act, tiles.text([tile], reds=table.rules.reds)):
            self.others.pop(0)
            return True
        return False
