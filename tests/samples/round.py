"""The legal table: one round from the deal to the payments.

The table knows the rules and asks the seats; a choice that is not among those it offers is an error. Rules are
Tenhou's: no swap call, furiten of three kinds, ippatsu, the dora of a concealed kan at once and that of other
kans after the replacement draw, abortive draws, two rons paid and three voided.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Protocol

from . import shapes, tiles
from .wins import Score, score_win

ABSENT = [4 if k in tiles.ABSENT_FROM_THREE else 0 for k in range(34)]


@dataclass(frozen=True)
class Rules:
    players: int = 4
    reds: bool = True
    open_tanyao: bool = True


@dataclass(frozen=True)
class Meld:
    kind: str  # chi, pon, daiminkan, ankan, kakan, kita
    tiles: tuple[int, ...]  # ascending
    called: int | None = None
    feeder: int | None = None  # seat
    added: int | None = None

    @property
    def is_open(self) -> bool:
        return self.kind not in ("ankan", "kita")

    @property
    def is_kan(self) -> bool:
        return self.kind in ("daiminkan", "ankan", "kakan")


@dataclass
class Hand:
    """One seat's tiles and what it may not do."""

    tiles: list[int]
    melds: list[Meld] = field(default_factory=list)  # in call order, kita among them
    river: list[int] = field(default_factory=list)
    was_called: bool = False  # a discard of this seat was taken
    riichi: str | None = None  # "riichi" or "double_riichi" once accepted
    ippatsu: bool = False
    passed: bool = False  # let a winning tile go since the last own discard
    passed_in_riichi: bool = False
    waits: list[int] = field(default_factory=list)

    @property
    def sets(self) -> list[Meld]:
        return [m for m in self.melds if m.kind != "kita"]

    @property
    def n_kita(self) -> int:
        return len(self.melds) - len(self.sets)

    @property
    def is_closed(self) -> bool:
        return not any(m.is_open for m in self.melds)

    @property
    def counts(self) -> list[int]:
        return tiles.counts(self.tiles)

    @property
    def is_furiten(self) -> bool:
        own = {t // 4 for t in self.river}
        return self.passed or self.passed_in_riichi or any(w in own for w in self.waits)


@dataclass(frozen=True)
class Turn:
    """What a seat may do with fourteen tiles."""

    drawn: int | None
    discards: tuple[int, ...]
    riichi: tuple[int, ...] = ()  # discards that leave a closed tenpai
    kans: tuple[Meld, ...] = ()  # concealed and added
    kita: int | None = None
    tsumo: Score | None = None
    kyuushu: bool = False


class Seat(Protocol):
    def turn(self, table: "Round", seat: int, turn: Turn) -> tuple: ...
    def wants_ron(self, table: "Round", seat: int, tile: int, score: Score) -> bool: ...
    def call(self, table: "Round", seat: int, tile: int, options: Sequence[Meld]) -> Meld | None: ...


@dataclass(frozen=True)
class Win:
    winner: int
    loser: int | None
    tile: int
    score: Score
    hand: tuple[int, ...]
    melds: tuple[Meld, ...]
    flags: tuple[str, ...]
    dora: tuple[int, ...]
    ura: tuple[int, ...]
    honba: int
    sticks: int
    before: tuple[int, ...]
    deltas: tuple[int, ...]
    liable: int | None


@dataclass(frozen=True)
class Drawn:
    """A round nobody won; `shown` are the seats that lay their hands open."""

    kind: str
    before: tuple[int, ...]
    deltas: tuple[int, ...]
    shown: dict[int, tuple[int, ...]]
    tenpai: frozenset[int] = frozenset()


@dataclass(frozen=True)
class Place:
    """Where in the game a round stands."""

    number: int  # 0 is east 1
    honba: int = 0
    sticks: int = 0
    points: tuple[int, ...] = (25000, 25000, 25000, 25000)

    @property
    def dealer(self) -> int:
        return self.number % 4


class Round:
    """One round; `events` is what happened, `result` how it ended (wins, or a draw)."""

    def __init__(self, rules: Rules, place: Place, wall: Sequence[int], seats: Sequence[Seat]):
        if sorted(wall) != tiles.full_set(rules.players):
            raise ValueError("the wall is not the full set of tiles")
        self.rules, self.place, self.seats = rules, place, seats
        self.players = rules.players
        self.dealer = place.dealer
        self.points = list(place.points)
        self.sticks = place.sticks
        self.live, dead = list(wall[:-14]), list(wall[-14:])
        self.indicators, self.ura_indicators = dead[0:10:2], dead[1:10:2]
        self.replacements = dead[:9:-1]
        self.n_dora, self.n_pending = 1, 0
        self.n_replaced = 0
        self.hands = [Hand([]) for _ in range(self.players)]
        for size in (4, 4, 4, 1):
            for seat in self.order(self.dealer):
                self.hands[seat].tiles += self.live[:size]
                del self.live[:size]
        self.dealt = [tuple(h.tiles) for h in self.hands]
        for seat, hand in enumerate(self.hands):
            hand.waits = shapes.waits(hand.counts, 0, self.melded(seat))
        self.last: int | None = None  # the tile just drawn
        self.is_replacement = False
        self.is_unbroken = True  # no call or kan so far
        self.first_turns = set(range(self.players))  # who has not discarded
        self.events: list[tuple] = []
        self.result: list[Win] | Drawn | None = None

    # What anybody can see

    def order(self, start: int) -> list[int]:
        return [(start + i) % self.players for i in range(self.players)]

    def wind(self, seat: int) -> str:
        return "ESWN"[(seat - self.dealer) % self.players]

    @property
    def round_wind(self) -> str:
        return "ESWN"[self.place.number // 4]

    @property
    def dora_indicators(self) -> tuple[int, ...]:
        return tuple(self.indicators[: self.n_dora])

    @property
    def kans(self) -> list[tuple[int, Meld]]:
        return [(s, m) for s, h in enumerate(self.hands) for m in h.melds if m.is_kan]

    def melded(self, seat: int) -> list[int]:
        """Tiles of each kind in the seat's melds; kinds the game lacks count as used up."""
        held = tiles.counts(t for m in self.hands[seat].melds for t in m.tiles)
        return held if self.players == 4 else [h + a for h, a in zip(held, ABSENT, strict=True)]

    # The round

    def play(self) -> None:
        seat = self.dealer
        self.draw(seat)
        while self.result is None:
            turn = self.options(seat)
            act = self.seats[seat].turn(self, seat, turn)
            match act:
                case ("tsumo",) if turn.tsumo:
                    self.pay([(seat, turn.tsumo)], None, self.last)
                case ("kyuushu",) if turn.kyuushu:
                    self.abort("kyuushu_kyuuhai", [seat])
                case ("kita",) if turn.kita is not None:
                    self.set_north_aside(seat, turn.kita)
                case ("kan", meld) if meld in turn.kans:
                    self.kan(seat, meld)
                case ("riichi", tile) if tile in turn.riichi:
                    seat = self.discard(seat, tile, riichi=True)
                case ("discard", tile) if tile in turn.discards:
                    seat = self.discard(seat, tile, riichi=False)
                case _:
                    raise ValueError(f"seat {seat} may not {act}: {turn}")

    def draw(self, seat: int, *, replacement: bool = False) -> None:
        if not replacement:
            tile = self.live.pop(0)
        elif self.n_replaced < len(self.replacements):
            tile = self.replacements[self.n_replaced]
            self.live.pop()  # the dead wall stays at fourteen
        else:
            tile = self.live.pop()
        self.n_replaced += replacement
        hand = self.hands[seat]
        hand.tiles.append(tile)
        self.last, self.is_replacement = tile, replacement
        self.events.append(("draw", seat, tile))

    def options(self, seat: int) -> Turn:
        hand = self.hands[seat]
        if self.last is None:  # after a chi or pon
            return Turn(None, tuple(t for t in hand.tiles if t // 4 not in self.swaps(hand.melds[-1])))
        is_first = self.is_unbroken and seat in self.first_turns
        tsumo = None
        if shapes.is_complete(hand.counts, len(hand.sets)):
            tsumo = self.score(seat, None, self.last, ())
        can_replace = bool(self.live)
        return Turn(
            drawn=self.last,
            discards=(self.last,) if hand.riichi else tuple(hand.tiles),
            riichi=self.riichi_discards(seat),
            kans=tuple(self.kan_options(seat)) if can_replace and len(self.kans) < 4 else (),
            kita=self.north_to_set_aside(hand) if can_replace else None,
            tsumo=tsumo,
            kyuushu=is_first and len({t // 4 for t in hand.tiles} & set(tiles.ORPHANS)) >= 9,
        )

    def north_to_set_aside(self, hand: Hand) -> int | None:
        if self.players == 4:
            return None
        held = [self.last] if hand.riichi else hand.tiles
        return next((t for t in held if t // 4 == tiles.NORTH), None)

    @staticmethod
    def swaps(meld: Meld) -> set[int]:
        """Kinds that may not follow the call: the called one, and the other end of the run."""
        called = meld.called // 4
        if meld.kind != "chi":
            return {called}
        low = meld.tiles[0] // 4
        other = {low: low + 3, low + 2: low - 1}.get(called)
        return {called} | ({other} if other is not None and other // 9 == called // 9 and other >= 0 else set())

    def riichi_discards(self, seat: int) -> tuple[int, ...]:
        hand = self.hands[seat]
        if hand.riichi or not hand.is_closed or self.points[seat] < 1000 or len(self.live) < self.players:
            return ()
        counts, found = hand.counts, {}
        if shapes.shanten(counts, len(hand.sets)) > 0:
            return ()
        for kind in {t // 4 for t in hand.tiles}:
            counts[kind] -= 1
            found[kind] = bool(shapes.waits(counts, len(hand.sets), self.melded(seat)))
            counts[kind] += 1
        return tuple(t for t in hand.tiles if found[t // 4])

    def kan_options(self, seat: int) -> list[Meld]:
        hand, found = self.hands[seat], []
        counts = hand.counts
        for kind in (k for k in range(34) if counts[k] == 4):
            meld = Meld("ankan", tuple(range(4 * kind, 4 * kind + 4)))
            if not hand.riichi or self.keeps_the_waits(hand, kind):
                found.append(meld)
        for meld in hand.sets:
            added = next((t for t in hand.tiles if t // 4 == meld.tiles[0] // 4), None)
            if meld.kind == "pon" and added is not None and not hand.riichi:
                all_four = tuple(sorted((*meld.tiles, added)))
                found.append(Meld("kakan", all_four, meld.called, meld.feeder, added))
        return found

    def keeps_the_waits(self, hand: Hand, kind: int) -> bool:
        """In riichi: the drawn tile makes the kan, the waits stay, and the triplet was one in every reading."""
        if self.last // 4 != kind:
            return False
        before = tiles.counts(t for t in hand.tiles if t != self.last)
        after = [0 if k == kind else c for k, c in enumerate(before)]
        melds = len(hand.sets)
        same = shapes.waits(after, melds + 1) == shapes.waits(before, melds)
        return same and shapes.is_always_a_triplet(before, kind, melds)

    # Acts

    def set_north_aside(self, seat: int, tile: int) -> None:
        self.lay(seat, Meld("kita", (tile,)), [tile])
        if self.offer_ron(seat, tile, ()):
            return
        self.break_up()
        self.turn_pending()
        self.draw(seat, replacement=True)

    def kan(self, seat: int, meld: Meld) -> None:
        hand = self.hands[seat]
        if meld.kind == "ankan":
            self.lay(seat, meld, list(meld.tiles))
            self.break_up()
            self.turn_pending()
            self.turn_dora()
        else:
            hand.tiles.remove(meld.added)
            i = next(i for i, m in enumerate(hand.melds) if m.kind == "pon" and m.called == meld.called)
            hand.melds[i] = meld
            self.events.append(("call", seat, meld))
            if self.offer_ron(seat, meld.added, ("chankan",)):
                return
            self.break_up()
            self.turn_pending()
            self.n_pending += 1
        self.draw(seat, replacement=True)

    def lay(self, seat: int, meld: Meld, from_hand: list[int]) -> None:
        for tile in from_hand:
            self.hands[seat].tiles.remove(tile)
        self.hands[seat].melds.append(meld)
        self.events.append(("call", seat, meld))

    def break_up(self) -> None:
        """A call: nobody's first turn is unbroken any more, nobody's ippatsu stands."""
        self.is_unbroken = False
        for hand in self.hands:
            hand.ippatsu = False

    def turn_pending(self) -> None:
        for _ in range(self.n_pending):
            self.turn_dora()
        self.n_pending = 0

    def turn_dora(self) -> None:
        self.n_dora += 1
        self.events.append(("dora", self.indicators[self.n_dora - 1]))

    def discard(self, seat: int, tile: int, *, riichi: bool) -> int:
        """The discard and all that others do with it; returns whose turn it is."""
        hand = self.hands[seat]
        is_first = self.is_unbroken and seat in self.first_turns
        self.turn_pending()
        if riichi:
            self.events.append(("riichi", seat))
        self.events.append(("discard", seat, tile))
        hand.tiles.remove(tile)
        hand.river.append(tile)
        hand.passed = False
        hand.waits = shapes.waits(hand.counts, len(hand.sets), self.melded(seat))
        hand.ippatsu = False
        self.first_turns.discard(seat)
        self.last = None
        if self.offer_ron(seat, tile, ()):
            return seat
        if riichi:
            hand.riichi = "double_riichi" if is_first else "riichi"
            hand.ippatsu = True
            self.points[seat] -= 1000
            self.sticks += 1
            self.events.append(("accepted", seat, tuple(self.points)))
        if kind := self.abortive_draw():
            self.abort(kind, range(self.players) if kind == "suucha_riichi" else [])
            return seat
        if not self.live:
            self.exhaust()
            return seat
        return self.offer_call(seat, tile)

    def abortive_draw(self) -> str | None:
        if len(self.kans) == 4 and len({seat for seat, _ in self.kans}) > 1:
            return "suukaikan"
        if self.players == 3:
            return None
        if all(h.riichi for h in self.hands):
            return "suucha_riichi"
        firsts = {h.river[0] // 4 for h in self.hands if h.river}
        is_first_round = self.is_unbroken and all(len(h.river) == 1 for h in self.hands)
        if is_first_round and len(firsts) == 1 and firsts <= set(range(tiles.EAST, tiles.NORTH + 1)):
            return "suufon_renda"
        return None

    def offer_ron(self, loser: int, tile: int, flags: tuple[str, ...]) -> bool:
        """Whoever waits for the tile may take it; True if that ended the round."""
        winners = []
        for seat in self.order(loser)[1:]:
            hand = self.hands[seat]
            if tile // 4 not in hand.waits:
                continue
            score = None if hand.is_furiten else self.score(seat, loser, tile, flags)
            if score and self.seats[seat].wants_ron(self, seat, tile, score):
                winners.append(seat)
            else:
                hand.passed = True
                hand.passed_in_riichi |= hand.riichi is not None
        if len(winners) == 3:
            self.abort("sanchahou", winners)
        elif winners:
            # honba and sticks go to the first in turn order
            scores = [(s, self.score(s, loser, tile, flags, alone=s == winners[0])) for s in winners]
            self.pay(scores, loser, tile)
        return bool(winners)

    def offer_call(self, seat: int, tile: int) -> int:
        """A pon or kan before a chi; returns whose turn it is, its tile drawn."""
        following = self.order(seat)[1:]
        for kinds in (("pon", "daiminkan"), ("chi",)):
            for caller in following:
                options = [m for m in self.call_options(caller, seat, tile) if m.kind in kinds]
                meld = self.seats[caller].call(self, caller, tile, options) if options else None
                if meld is None:
                    continue
                if meld not in options:
                    raise ValueError(f"seat {caller} may not call {meld}")
                self.lay(caller, meld, [t for t in meld.tiles if t != tile])
                self.hands[seat].was_called = True
                self.break_up()
                if meld.kind == "daiminkan":
                    self.turn_pending()
                    self.n_pending += 1
                    self.draw(caller, replacement=True)
                return caller
        self.draw(following[0])
        return following[0]

    def call_options(self, caller: int, feeder: int, tile: int) -> list[Meld]:
        hand, found = self.hands[caller], []
        if hand.riichi:
            return found
        kind = tile // 4
        same = [t for t in hand.tiles if t // 4 == kind]
        for i in range(len(same)):
            for j in range(i + 1, len(same)):
                found.append(Meld("pon", tuple(sorted((same[i], same[j], tile))), tile, feeder))
        if len(same) == 3 and len(self.kans) < 4:
            found.append(Meld("daiminkan", tuple(sorted((*same, tile))), tile, feeder))
        if self.players == 4 and (caller - feeder) % 4 == 1 and kind < 27:
            for low in range(max(kind - 2, kind // 9 * 9), min(kind, kind // 9 * 9 + 6) + 1):
                first, second = (k for k in (low, low + 1, low + 2) if k != kind)
                for a in (t for t in hand.tiles if t // 4 == first):
                    for b in (t for t in hand.tiles if t // 4 == second):
                        found.append(Meld("chi", tuple(sorted((a, b, tile))), tile, feeder))
        return [m for m in found if m.kind == "daiminkan" or self.leaves_a_discard(hand, m)]

    def leaves_a_discard(self, hand: Hand, meld: Meld) -> bool:
        banned = self.swaps(meld)
        return any(t // 4 not in banned for t in hand.tiles if t not in meld.tiles)

    # The end

    def score(
        self, seat: int, loser: int | None, tile: int, flags: tuple[str, ...], *, alone: bool = True
    ) -> Score | None:
        """The score of a complete hand with all its circumstances; None without a yaku."""
        return score_win(self.case(seat, loser, tile, flags, alone=alone))

    def flags(self, seat: int, loser: int | None, extra: tuple[str, ...]) -> tuple[str, ...]:
        hand, flags = self.hands[seat], list(extra)
        if hand.riichi:
            flags.append(hand.riichi)
            flags += ["ippatsu"] if hand.ippatsu else []
        if loser is None:
            if self.is_unbroken and seat in self.first_turns:
                flags.append("tenhou" if seat == self.dealer else "chiihou")
            if self.is_replacement:
                flags.append("rinshan")
            elif not self.live:
                flags.append("haitei")
        elif not self.live and not extra and self.events[-1][0] == "discard":
            flags.append("houtei")
        return tuple(flags)

    def case(self, seat: int, loser: int | None, tile: int, extra: tuple[str, ...], *, alone: bool = True) -> dict:
        """The win as the shared fact files write one."""
        hand, reds = self.hands[seat], self.rules.reds
        flags = self.flags(seat, loser, extra)
        held = sorted(t for t in hand.tiles if t != tile) if loser is None else sorted(hand.tiles)
        in_riichi = hand.riichi is not None
        return {
            "hand": tiles.text(held, reds=reds),
            "win": tiles.text([tile], reds=reds),
            "tsumo": loser is None,
            "win_from": None if loser is None else self.relation(seat, loser),
            "melds": [
                {
                    "type": {"daiminkan": "minkan"}.get(m.kind, m.kind),
                    "tiles": tiles.text(m.tiles, reds=reds),
                    "from": None if m.feeder is None else self.relation(seat, m.feeder),
                    "called": None if m.called is None else tiles.text([m.called], reds=reds),
                }
                for m in hand.sets
            ],
            "seat": self.wind(seat),
            "round": self.round_wind,
            "players": self.players,
            "nuki": hand.n_kita,
            "flags": list(flags),
            "dora_ind": [tiles.text([t], reds=False) for t in self.dora_indicators],
            "ura_ind": [tiles.text([t], reds=False) for t in self.ura_indicators[: self.n_dora]] if in_riichi else [],
            "honba": self.place.honba if alone else 0,
            "sticks": self.sticks if alone else 0,
            "rules": {"kuitan": self.rules.open_tanyao, "aka": reds},
        }

    def relation(self, seat: int, other: int) -> str:
        step = (other - seat) % self.players
        return {1: "shimocha", self.players - 1: "kamicha"}.get(step, "toimen")

    def pay(self, scores: list[tuple[int, Score]], loser: int | None, tile: int) -> None:
        wins, sticks = [], self.sticks
        for seat, score in scores:
            hand = self.hands[seat]
            before = tuple(self.points)
            deltas = tuple(score.deltas[self.wind(s)] for s in range(self.players))
            self.points = [p + d for p, d in zip(before, deltas, strict=True)]
            liable = None if score.liable is None else self.order(self.dealer)["ESWN".index(score.liable)]
            wins.append(
                Win(
                    winner=seat,
                    loser=loser,
                    tile=tile,
                    score=score,
                    hand=tuple(sorted({*hand.tiles, tile})),
                    melds=tuple(hand.melds),
                    flags=self.flags(seat, loser, ("chankan",) if self.is_robbed_kan(loser) else ()),
                    dora=self.dora_indicators,
                    ura=tuple(self.ura_indicators[: self.n_dora]) if hand.riichi else (),
                    honba=self.place.honba,
                    sticks=sticks,
                    before=before,
                    deltas=deltas,
                    liable=liable,
                )
            )
            sticks = 0
        self.sticks, self.result = 0, wins

    def is_robbed_kan(self, loser: int | None) -> bool:
        kind, *rest = self.events[-1]
        return loser is not None and kind == "call" and rest[1].kind == "kakan"

    def abort(self, kind: str, shown: Sequence[int]) -> None:
        hands = {s: tuple(sorted(self.hands[s].tiles)) for s in sorted(shown)}
        self.result = Drawn(kind, tuple(self.points), (0,) * self.players, hands)

    def exhaust(self) -> None:
        """Nobody won: nagashi mangan, or the noten pay the tenpai."""
        before = tuple(self.points)
        tenpai = [s for s, h in enumerate(self.hands) if h.waits]
        shown = {s: tuple(sorted(self.hands[s].tiles)) for s in tenpai}
        deltas = [0] * self.players
        nagashi = [
            s for s, h in enumerate(self.hands) if not h.was_called and all(t // 4 in tiles.ORPHANS for t in h.river)
        ]
        for winner in nagashi:
            for payer in set(range(self.players)) - {winner}:
                share = 4000 if self.dealer in (winner, payer) else 2000
                deltas[payer] -= share
                deltas[winner] += share
        if not nagashi and 0 < len(tenpai) < self.players:
            pot = 1000 * (self.players - 1)
            for seat in range(self.players):
                is_tenpai = seat in tenpai
                deltas[seat] = pot // len(tenpai) if is_tenpai else -pot // (self.players - len(tenpai))
        self.points = [p + d for p, d in zip(before, deltas, strict=True)]
        kind = "nagashi_mangan" if nagashi else "exhaustive"
        self.result = Drawn(kind, before, tuple(deltas), shown, frozenset(tenpai))
