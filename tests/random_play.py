"""Random play: events come in an order a table allows, tiles are any that nobody has seen.

Hands are not kept, so every shape is at hand at any time: chains of kans, double declarations, robbed kans and
eight wins in a row, which real logs hold seldom or never, come up in a few hundred rounds. A game is made twice, as
`plain_mjlog` reads one and as rows of the tables.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from random import Random

from tests.plain_mjlog import Agari, Call, Discard, Dora, Draw, Game, Meld, Riichi, Round, Ryuukyoku

RED_FIVES = (16, 52, 88)
NORTH = 30
ABORTIVE = {"yao9": "kyuushu_kyuuhai", "kaze4": "suufon_renda", "reach4": "suucha_riichi", "kan4": "suukaikan"}
DRAWS = {None: "exhaustive", "nm": "nagashi_mangan", **ABORTIVE}


@dataclass
class Play:
    """One round; `favourite` wins most of what is won."""

    rng: Random
    players: int
    dealer: int
    number: int
    favourite: int
    calm: float  # chance that nobody asks for a tile, but for the last
    unseen: list[int] = field(default_factory=list)
    events: list = field(default_factory=list)
    melds: list[list[Meld]] = field(default_factory=lambda: [[], [], [], []])
    declared: set[int] = field(default_factory=set)

    def __post_init__(self) -> None:
        is_played = [self.players == 4 or not 1 <= kind <= 7 for kind in range(34)]
        self.unseen = [tile for tile in range(136) if is_played[tile // 4]]
        self.live = 70 if self.players == 4 else 55
        self.indicator = self.show()

    def chance(self, probability: float) -> bool:
        return self.rng.random() < probability

    def show(self, *wanted: int) -> int:
        """A tile comes to lie open: one of those wanted, or any."""
        tile = self.rng.choice(wanted or self.unseen)
        self.unseen.remove(tile)
        return tile

    def copies(self, kind: int) -> list[int]:
        return [tile for tile in self.unseen if tile // 4 == kind]

    def round(self) -> Round:
        self.play()
        return Round((self.number, 0, 0, 0, 0, self.indicator), (250,) * 4, self.dealer, [[]] * 4, self.events)

    def play(self) -> None:
        """Up to the event that ends the round."""
        seat, draws = self.dealer, True
        while True:
            if draws:
                if not self.live:
                    return self.end_without_win(self.rng.choice([None, None, None, "nm"]))
                self.live -= 1
                self.events.append(Draw(seat, self.rng.choice(self.unseen)))
                if seat in self.winners(range(self.players)):
                    return self.win([seat], seat, self.rng.choice(self.unseen))
                if self.chance(0.003):
                    return self.end_without_win(self.rng.choice(list(ABORTIVE)))
                is_chain = len(self.events) > 1 and isinstance(self.events[-2], Call | Dora)
                is_likely = self.chance(0.5 if is_chain or self.live == 1 else 0.2)
                meld = self.own_meld(seat) if is_likely and self.can_meld() else None
                if meld:
                    self.events.append(Call(seat, meld))
                    if self.chance(0.3) and (winners := self.winners({*range(self.players)} - {seat})):
                        return self.win(winners, seat, meld.tiles[0] if meld.added is None else meld.added)
                    self.keep(seat, meld)
                    continue
            if seat not in self.declared and self.chance(0.1):
                self.declared.add(seat)
                self.events.append(Riichi(seat, 1))
            tile = self.show()
            self.events.append(Discard(seat, tile))
            if winners := self.winners({*range(self.players)} - {seat}):
                return self.win(winners, seat, tile)
            if self.events[-2] == Riichi(seat, 1) and self.chance(0.9):  # some records leave it out
                self.events.append(Riichi(seat, 2))
            caller, meld = self.claim(seat, tile)
            draws = meld is None or meld.kind == "daiminkan"
            seat = (seat + 1) % self.players if meld is None else caller
            if meld:
                self.events.append(Call(seat, meld))
                self.keep(seat, meld)

    def winners(self, candidates: Iterable[int]) -> list[int]:
        if self.live and self.chance(self.calm):
            return []
        return [seat for seat in candidates if self.chance(0.3 if seat == self.favourite or not self.live else 0.02)]

    def can_meld(self) -> bool:
        """There is a tile to draw, and enough unseen for the discards to come and a hand."""
        return 0 < self.live < len(self.unseen) - 25

    def keep(self, seat: int, meld: Meld) -> None:
        self.melds[seat] = [m for m in self.melds[seat] if m.kind != "pon" or m.tiles[0] // 4 != meld.tiles[0] // 4]
        self.melds[seat].append(meld)
        if meld.kind in ("ankan", "kakan", "daiminkan") and self.chance(0.8):
            self.events.append(Dora(self.show()))

    def own_meld(self, seat: int) -> Meld | None:
        """A concealed or added kan, or a kita."""
        options = [Meld("kita", (tile,), None, None, None, 0) for tile in self.copies(NORTH) if self.players == 3]
        for meld in self.melds[seat]:
            for tile in self.copies(meld.tiles[0] // 4) if meld.kind == "pon" else ():
                options += [Meld("kakan", (*meld.tiles, tile), meld.called, meld.from_seat, tile, 0)] * 9
        for kind in self.rng.sample(range(34), 4) if self.n_sets(seat) < 4 else ():
            if len(self.copies(kind)) == 4:
                options.append(Meld("ankan", tuple(self.copies(kind)), None, None, None, 0))
        if not options:
            return None
        meld = self.rng.choice(options)
        for tile in meld.tiles if meld.added is None else (meld.added,):
            self.unseen.remove(tile)
        return meld

    def n_sets(self, seat: int) -> int:
        return sum(meld.kind != "kita" for meld in self.melds[seat])

    def claim(self, seat: int, tile: int) -> tuple[int, Meld | None]:
        caller = (seat + self.rng.randrange(1, self.players)) % self.players
        same, kind = self.copies(tile // 4), tile // 4
        if not self.can_meld() or self.n_sets(caller) == 4 or not self.chance(0.2):
            return seat, None
        low = self.rng.randrange(kind - 2, kind + 1)
        others = [self.copies(k) for k in range(low, low + 3) if k != kind]
        is_run = kind < 27 and low >= 0 and low // 9 == (low + 2) // 9 == kind // 9 and self.players == 4
        if is_run and all(others) and caller == (seat + 1) % 4 and self.chance(0.5):
            taken, word = [self.show(*tiles) for tiles in others], "chi"
        elif len(same) == 3 and self.chance(0.3):
            taken, word = [self.show(t) for t in same], "daiminkan"
        elif len(same) >= 2:
            taken, word = [self.show(t) for t in same[:2]], "pon"
        else:
            return seat, None
        return caller, Meld(word, tuple(sorted([tile, *taken])), tile, seat, None, 0)

    def win(self, winners: list[int], from_who: int, tile: int) -> None:
        n_indicators = 1 + sum(isinstance(event, Dora) for event in self.events)
        rest = [t for t in self.unseen if t != tile]
        ura = tuple(self.rng.sample(rest, n_indicators)) if self.chance(0.9) else None
        for who in winners:
            hai = (*self.rng.sample(rest, 13 - 3 * self.n_sets(who)), tile)
            melds = tuple(reversed(self.melds[who]))
            self.events.append(Agari(who, from_who, None, 0, 0, hai, melds, tile, 0, 0, 0, (), None, (), ura, (), None))

    def end_without_win(self, type_: str | None) -> None:
        hands = tuple((0,) if seat < self.players and self.chance(0.6) else None for seat in range(4))
        self.events.append(Ryuukyoku(type_, 0, 0, hands, (), None))


def random_game(seed: int, *, n_rounds: int = 25) -> Game:
    rng = Random(seed)
    players = rng.choice([3, 4, 4])
    favourite, calm = rng.randrange(players), rng.choice([0, 0.5, 0.9, 0.98])
    keeps = rng.random() < 0.8  # otherwise the dealership passes after every round
    game = Game(0x19 if players == 3 else 0x9, None, [], None, None, None)
    dealer = number = 0
    for _ in range(n_rounds):
        round_ = Play(rng, players, dealer, number, favourite, calm).round()
        game.rounds.append(round_)
        end = round_.events[-1]
        if isinstance(end, Agari):
            stays = any(isinstance(e, Agari) and e.who == dealer for e in round_.events)
        else:
            stays = end.type in ABORTIVE or end.hands[dealer] is not None
        if not (keeps and stays):
            dealer, number = (dealer + 1) % players, number + 1
    return game


def _tile(tile: int) -> int:
    return 34 + RED_FIVES.index(tile) if tile in RED_FIVES else tile // 4


def _meld(meld: Meld) -> dict[str, int]:
    return {"kind": min(meld.tiles) // 4, "red": sum(tile in RED_FIVES for tile in meld.tiles)}


def rows(game: Game, game_no: int) -> dict[str, list[dict]]:
    """The game as rows of games, rounds, actions, wins and draws."""
    players = 3 if game.go_type & 16 else 4
    found = {"games": [{"game": game_no, "players": players}], "rounds": [], "actions": [], "wins": [], "draws": []}
    for round_no, round_ in enumerate(game.rounds):
        key = {"game": game_no, "round_no": round_no}
        turned = [round_.dora, *(event.tile for event in round_.events if isinstance(event, Dora))]
        found["rounds"].append(
            key | {"dealer": round_.oya, "wind": round_.number // 4, "dora_indicators": [_tile(t) for t in turned]}
        )
        for seq, event in enumerate(round_.events):
            action = key | {"seq": seq}
            match event:
                case Draw() | Discard():
                    action |= {"kind": type(event).__name__.lower(), "seat": event.seat, "tile": _tile(event.tile)}
                case Riichi():
                    action |= {"kind": ("riichi", "riichi_accepted")[event.step - 1], "seat": event.seat}
                case Dora():
                    action |= {"kind": "dora", "tile": _tile(event.tile)}
                case Call(seat, meld):
                    tile = meld.added if meld.added is not None else meld.called
                    shown = min(meld.tiles) // 4 if tile is None else _tile(tile)
                    of_meld = {f"meld_{name}": value for name, value in _meld(meld).items()}
                    action |= {"kind": meld.kind, "seat": seat, "tile": shown} | of_meld
                case Agari():
                    found["wins"].append(key | _win(event, len(round_.events) - seq))
                    continue
                case Ryuukyoku():
                    is_tenpai = {f"is_tenpai_{seat}": hand is not None for seat, hand in enumerate(event.hands)}
                    found["draws"].append(key | {"kind": DRAWS[event.type]} | is_tenpai)
                    continue
            found["actions"].append(action)
    return found


def _win(win: Agari, win_no: int) -> dict[str, object]:
    row = {
        "winner": win.who,
        "win_no": win_no,
        "loser": None if win.who == win.from_who else win.from_who,
        "is_tsumo": win.who == win.from_who,
        "concealed": sorted(_tile(tile) for tile in win.hai),
        "win_tile": _tile(win.machi),
        "ura_indicators": None if win.ura is None else [_tile(tile) for tile in win.ura],
    }
    sets = [meld for meld in reversed(win.melds) if meld.kind != "kita"]
    for slot, meld in enumerate(sets, start=1):
        row[f"meld_{slot}"] = meld.kind
        row |= {f"meld_{slot}_{name}": value for name, value in _meld(meld).items()}
    return row
