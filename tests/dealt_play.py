"""Random play with hands: tiles come from a wall, and nobody discards or calls with what they do not hold.

Each seat has a complete hand in mind, of any form, is dealt most of it and keeps that. Kans are made whenever they can
be, and complete hands are mostly passed up, so that irregular hands, robbed kans, replacement draws and furiten, which
real logs hold seldom, come up in every few rounds.
"""

from __future__ import annotations

from collections import Counter
from random import Random

from tests import random_play
from tests.plain_mjlog import Agari, Bye, Call, Discard, Dora, Draw, Game, Meld, Riichi, Round, Ryuukyoku, Un

NORTH = 30
ORPHANS = [0, 8, 9, 17, 18, 26, *range(27, 34)]


def _standard(rng: Random) -> list[int]:
    """Four sets and a pair, of few kinds."""
    wanted: list[int] = []
    while len(wanted) < 12:
        kind = rng.choice([*range(27), *range(27, 34), *range(27, 34)])
        wanted += [kind] * 3 if kind >= 27 or kind % 9 > 6 or rng.random() < 0.5 else [kind, kind + 1, kind + 2]
    return [*wanted, *[rng.randrange(34)] * 2]


def _pairs(rng: Random) -> list[int]:
    kinds = rng.sample(range(34), 7)
    if rng.random() < 0.4:
        kinds[1] = kinds[0]
    return [kind for kind in kinds for _ in range(2)]


def _orphans(rng: Random) -> list[int]:
    return [*ORPHANS, rng.choice(ORPHANS)]


def _nine(rng: Random) -> list[int]:
    order = rng.sample(range(3), 3)
    return [9 * suit + low + 3 * step for low, suit in enumerate(order) for step in range(3)]


def _scattered(rng: Random) -> list[int]:
    return rng.sample([*_nine(rng), *range(27, 34)], 14)


def _knitted(rng: Random) -> list[int]:
    return [*_nine(rng), *[rng.randrange(34)] * 3, *[rng.randrange(34)] * 2]


def _apart(rng: Random) -> list[int]:
    numbers = [9 * suit + number for suit in range(3) for number in rng.choice([(0, 3, 7), (1, 4, 8), (0, 4, 8)])]
    kinds = rng.sample([*numbers, *range(27, 34)], 13)
    return [*kinds, rng.choice(kinds)]


def _war(rng: Random) -> list[int]:
    one, other = rng.randrange(3), rng.randrange(3)
    years = [9 * one + digit - 1 for digit in (1, 8, 6, 1)] + [9 * other + digit - 1 for digit in (1, 8, 6, 5)]
    return [*years, *[28] * 3, *[30] * 3]


AIMS = (_standard, _standard, _standard, _pairs, _orphans, _scattered, _knitted, _apart, _war)


def random_game(seed: int, *, n_rounds: int = 6) -> Game:
    rng = Random(seed)
    players = rng.choice([3, 4, 4])
    game = Game(0x19 if players == 3 else 0x9, None, [], None, None, None)
    for number in range(n_rounds):
        game.rounds.append(_Play(rng, players, number).round())
    return game


class _Play:
    def __init__(self, rng: Random, players: int, number: int):
        self.rng, self.players, self.dealer, self.number = rng, players, number % players, number
        self.wall = [tile for tile in range(136) if players == 4 or not 1 <= tile // 4 <= 7]
        rng.shuffle(self.wall)
        self.aims = [Counter(rng.choice(AIMS)(rng)) for _ in range(players)]
        self.hands: list[list[int]] = [[] for _ in range(players)]
        for aim, hand in zip(self.aims, self.hands, strict=True):
            for kind in rng.sample(list(aim.elements()), rng.choice([11, 12, 13, 13])):
                tile = next((tile for tile in self.wall if tile // 4 == kind), None)
                if tile is not None:
                    self.wall.remove(tile)
                    hand.append(tile)
        for hand in self.hands:
            hand += [self.wall.pop() for _ in range(13 - len(hand))]
        self.indicator = self.wall.pop(0)
        self.dealt = [list(hand) for hand in self.hands] + [[]] * (4 - players)
        self.melds: list[list[Meld]] = [[] for _ in range(players)]
        self.declared: set[int] = set()
        self.live = 70 if players == 4 else 55
        self.events: list = []

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def round(self) -> Round:
        self.play()
        return Round((self.number, 0, 0, 0, 0, self.indicator), (250,) * 4, self.dealer, self.dealt, self.events)

    def play(self) -> None:
        seat, draws = self.dealer, True
        while True:
            if self.chance(0.02):
                self.events.append(self.rng.choice([Bye, Un])(self.rng.randrange(self.players)))
            if draws:
                if self.live == 0 or len(self.wall) < 15:
                    hands = tuple((0,) if s < self.players and self.chance(0.5) else None for s in range(4))
                    return self.events.append(Ryuukyoku(None, 0, 0, hands, (), None))
                self.live -= 1
                tile = self.wall.pop()
                self.events.append(Draw(seat, tile))
                self.hands[seat].append(tile)
                if self.chance(0.002):
                    return self.win(seat, seat, tile)
                meld = self.own_meld(seat) if self.live else None
                if meld:
                    self.lay(seat, meld)
                    if self.chance(0.02):
                        other = (seat + 1) % self.players
                        return self.win(other, seat, meld.tiles[0] if meld.added is None else meld.added)
                    if meld.kind != "kita" and self.chance(0.7):
                        self.events.append(Dora(self.wall.pop(0)))
                    continue
            is_closed = all(meld.kind in ("ankan", "kita") for meld in self.melds[seat])
            if is_closed and seat not in self.declared and self.chance(0.05):
                self.declared.add(seat)
                self.events.append(Riichi(seat, 1))
            tile = self.unwanted(seat)
            self.hands[seat].remove(tile)
            self.events.append(Discard(seat, tile))
            if self.chance(0.003):
                return self.win((seat + self.rng.randrange(1, self.players)) % self.players, seat, tile)
            if self.events[-2] == Riichi(seat, 1):
                self.events.append(Riichi(seat, 2))
            caller, meld = self.claim(seat, tile)
            if meld:
                self.lay(caller, meld)
            draws = meld is None or meld.kind == "daiminkan"
            seat = (seat + 1) % self.players if meld is None else caller

    def unwanted(self, seat: int) -> int:
        """A tile that is no part of the hand in mind, if there is one."""
        left, odd = Counter(self.aims[seat]), []
        for tile in self.hands[seat]:
            left[tile // 4] -= 1
            odd += [tile] if left[tile // 4] < 0 else []
        return self.rng.choice(odd or self.hands[seat])

    def copies(self, seat: int, kind: int) -> list[int]:
        return [tile for tile in self.hands[seat] if tile // 4 == kind]

    def own_meld(self, seat: int) -> Meld | None:
        options = []
        for kind in {tile // 4 for tile in self.hands[seat]}:
            own = self.copies(seat, kind)
            if kind == NORTH and self.players == 3:
                options.append(Meld("kita", (own[0],), None, None, None, 0))
            if len(own) == 4 and self.n_sets(seat) < 4:
                options.append(Meld("ankan", tuple(sorted(own)), None, None, None, 0))
            for pon in self.melds[seat]:
                if pon.kind == "pon" and pon.tiles[0] // 4 == kind:
                    four = tuple(sorted([*pon.tiles, *own]))
                    options.append(Meld("kakan", four, pon.called, pon.from_seat, own[0], 0))
        return self.rng.choice(options) if options and self.chance(0.6) else None

    def n_sets(self, seat: int) -> int:
        return sum(meld.kind != "kita" for meld in self.melds[seat])

    def claim(self, seat: int, tile: int) -> tuple[int, Meld | None]:
        caller, kind = (seat + self.rng.randrange(1, self.players)) % self.players, tile // 4
        if caller in self.declared or self.n_sets(caller) == 4 or self.live == 0 or not self.chance(0.15):
            return seat, None
        own = self.copies(caller, kind)
        if len(own) == 3 and self.chance(0.5):
            return caller, Meld("daiminkan", tuple(sorted([*own, tile])), tile, seat, None, 0)
        if len(own) >= 2:
            return caller, Meld("pon", tuple(sorted([*own[:2], tile])), tile, seat, None, 0)
        low = kind - self.rng.randrange(3)
        if kind < 27 and low >= 0 and low // 9 == (low + 2) // 9 == kind // 9 and caller == (seat + 1) % self.players:
            others = [self.copies(caller, k) for k in range(low, low + 3) if k != kind]
            if all(others) and self.players == 4:
                return caller, Meld("chi", tuple(sorted([tile, *(of[0] for of in others)])), tile, seat, None, 0)
        return seat, None

    def lay(self, seat: int, meld: Meld) -> None:
        self.events.append(Call(seat, meld))
        for tile in meld.tiles if meld.kind != "kakan" else (meld.added,):
            if tile != meld.called:
                self.hands[seat].remove(tile)
        if meld.kind == "kakan":
            kind = meld.tiles[0] // 4
            self.melds[seat] = [m for m in self.melds[seat] if m.kind != "pon" or m.tiles[0] // 4 != kind]
        self.melds[seat].append(meld)

    def win(self, who: int, from_who: int, tile: int) -> None:
        hai = tuple(self.hands[who]) if who == from_who else (*self.hands[who], tile)
        melds = tuple(reversed(self.melds[who]))
        self.events.append(Agari(who, from_who, None, 0, 0, hai, melds, tile, 0, 0, 0, (), None, (), None, (), None))


def rows(game: Game, game_no: int) -> dict[str, list[dict]]:
    """The game as rows of games, rounds, actions, wins and draws, with what hands were dealt and who fed whom."""
    found = random_play.rows(game, game_no)
    found["games"][0]["ruleset"] = "tenhou_3p" if game.go_type & 16 else "tenhou_4p_aka"
    actions = iter(found["actions"])
    for row, round_ in zip(found["rounds"], game.rounds, strict=True):
        row |= {f"hand_{seat}": sorted(map(random_play._tile, hand)) for seat, hand in enumerate(round_.hands) if hand}
        for event in round_.events:
            if isinstance(event, Agari | Ryuukyoku):
                continue
            action = next(actions)
            if isinstance(event, Call):
                action["from_seat"] = event.meld.from_seat
            elif isinstance(event, Bye | Un):
                action |= {"seat": event.seat, "kind": "disconnect" if isinstance(event, Bye) else "reconnect"}
    return found
