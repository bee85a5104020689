"""Rounds in a row: who deals next, honba and sticks, when a game ends, the final result."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from random import Random

from . import tiles
from .round import Drawn, Place, Round, Rules
from .seats import Player

NO_RED, NO_OPEN_TANYAO, HANCHAN, THREE = 2, 4, 8, 16  # bits of Tenhou's game type


@dataclass(frozen=True)
class Spec:
    """A game to play: its seed, Tenhou's game type, its stacked rounds, who sits there by seat."""

    seed: str
    type: int
    stacked: tuple[Callable | None, ...] = ()  # the first rounds; None plays one freely
    people: tuple = ()  # Person of games.py
    gzip: bool = False

    @property
    def rules(self) -> Rules:
        return Rules(
            players=3 if self.type & THREE else 4,
            reds=not self.type & NO_RED,
            open_tanyao=not self.type & NO_OPEN_TANYAO,
        )

    @property
    def length(self) -> int:
        """Winds played before the extension."""
        return 2 if self.type & HANCHAN else 1


@dataclass
class Game:
    spec: Spec
    rounds: list[Round] = field(default_factory=list)
    dice: list[tuple[int, int]] = field(default_factory=list)
    points: tuple[int, ...] = ()
    results: tuple[float, ...] = ()


def play(spec: Spec) -> Game:
    """The whole game; the same spec always gives the same game."""
    random = Random(f"koyaku samples {spec.seed}")
    rules, game = spec.rules, Game(spec)
    start = (25000,) * 4 if rules.players == 4 else (35000,) * 3
    place: Place | None = Place(0, points=start)
    players = [Player(Random(random.random()), boldness=person.boldness) for person in spec.people]
    stacked = list(spec.stacked)
    while place is not None:
        game.dice.append((random.randrange(6), random.randrange(6)))
        script = stacked.pop(0) if stacked else None
        wall, seats = script(rules, place, random) if script else (free_wall(rules, random), players)
        table = Round(rules, place, wall, seats)
        table.play()
        game.rounds.append(table)
        place = next_place(spec, table)
    last = game.rounds[-1]
    game.points = settle(last)
    game.results = results(game.points)
    return game


def free_wall(rules: Rules, random: Random) -> list[int]:
    wall = tiles.full_set(rules.players)
    random.shuffle(wall)
    return wall


def next_place(spec: Spec, table: Round) -> Place | None:
    """Where the next round stands; None at the end of the game."""
    place, result, points = table.place, table.result, tuple(table.points)
    is_draw = isinstance(result, Drawn)
    if is_draw:
        is_abortive = result.kind not in ("exhaustive", "nagashi_mangan")
        repeats = is_abortive or table.dealer in result.tenpai
    else:
        is_abortive = False
        repeats = table.dealer in {w.winner for w in result}
    if min(points) < 0:
        return None
    number = place.number if repeats else place.number + 1
    if not repeats and number % 4 >= table.players:
        number += 1  # three players have no north dealer
    honba = place.honba + 1 if repeats or is_draw else 0
    goal = 30000 if table.players == 4 else 40000
    last = 4 * (spec.length - 1) + table.players - 1
    if place.number >= last and max(points) >= goal and not is_abortive:
        dealer_leads = points.index(max(points)) == table.dealer
        if not repeats or dealer_leads:
            return None
    if not repeats and place.number == last + 4:
        return None  # one wind of extension and no more
    return Place(number, honba, table.sticks, points)


def ranking(points: Sequence[int]) -> list[int]:
    """Seats from first to last; equal points go to the seat nearer the first dealer."""
    return sorted(range(len(points)), key=lambda s: (-points[s], s))


def settle(last: Round) -> tuple[int, ...]:
    """Final points: sticks left on the table go to the winner."""
    points = list(last.points)
    points[ranking(points)[0]] += 1000 * last.sticks
    return tuple(points)


def results(points: Sequence[int]) -> tuple[float, ...]:
    """Final results: thousands over the goal with uma, the winner taking what the others lose.

    >>> results((19400, 21000, 20800, 38800))
    (-30.6, 1.0, -19.2, 48.8)
    """
    goal, uma = (300, (200, 100, -100, -200)) if len(points) == 4 else (400, (200, 0, -200))
    order = ranking(points)
    tenths = [0] * len(points)
    for seat, extra in zip(order[1:], uma[1:], strict=True):
        tenths[seat] = points[seat] // 100 - goal + extra
    tenths[order[0]] = -sum(tenths)
    return tuple(t / 10 for t in tenths)
