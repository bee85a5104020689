"""The sample logs: made again byte for byte, complete, and every game legal.

The referee below replays the logs as `plain_mjlog` reads them and shares no code with the table that played them.
"""

import json
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from tests.plain_mjlog import Agari, Call, Discard, Dora, Draw, Game, Meld, Riichi, Round, Ryuukyoku, read

SAMPLES = Path(__file__).parents[1] / "data_samples"
FILES = sorted(p.name for p in SAMPLES.glob("*.mjlog"))
EXPECTED = json.loads((Path(__file__).parent / "samples" / "expected.json").read_text())

ORPHANS = {0, 8, 9, 17, 18, 26, *range(27, 34)}
DRAWS = {
    None: "exhaustive",
    "nm": "nagashi_mangan",
    "yao9": "kyuushu_kyuuhai",
    "kaze4": "suufon_renda",
    "reach4": "suucha_riichi",
    "ron3": "sanchahou",
    "kan4": "suukaikan",
}


@cache
def sample(name: str) -> Game:
    return read((SAMPLES / name).read_bytes())


def players(game: Game) -> int:
    return 3 if game.go_type & 16 else 4


def ends(round: Round) -> list[Agari | Ryuukyoku]:
    return [e for e in round.events if isinstance(e, Agari | Ryuukyoku)]


def wins(round: Round) -> list[Agari]:
    return [e for e in round.events if isinstance(e, Agari)]


def every_win() -> list[Agari]:
    return [w for name in FILES for r in sample(name).rounds for w in wins(r)]


# Hands, the slow way


def are_sets(kinds: tuple[int, ...]) -> bool:
    """Whether sorted kinds fall apart into runs and triplets."""
    if not kinds:
        return True
    first = kinds[0]
    if kinds[:3] == (first,) * 3 and are_sets(kinds[3:]):
        return True
    if first < 27 and first % 9 <= 6 and {first + 1, first + 2} <= set(kinds):
        left = list(kinds)
        for kind in (first, first + 1, first + 2):
            left.remove(kind)
        return are_sets(tuple(left))
    return False


@cache
def is_complete(kinds: tuple[int, ...]) -> bool:
    n = Counter(kinds)
    if len(kinds) == 14 and (set(kinds) == ORPHANS or sorted(n.values()) == [2] * 7):
        return True
    for pair in (k for k in n if n[k] >= 2):
        left = list(kinds)
        left.remove(pair)
        left.remove(pair)
        if are_sets(tuple(left)):
            return True
    return False


def waits(hand: list[int], melds: list[Meld]) -> set[int]:
    """Kinds that complete the hand, but for those whose four tiles it holds itself."""
    kinds = [t // 4 for t in hand]
    held = Counter(kinds + [t // 4 for m in melds for t in m.tiles])
    return {k for k in range(34) if held[k] < 4 and is_complete(tuple(sorted([*kinds, k])))}


# The referee


class Referee:
    """Replays one round and asserts that everything in it was legal."""

    def __init__(self, round: Round, players: int):
        self.round, self.players = round, players
        self.hands = [list(h) for h in round.hands[:players]]
        self.melds: list[list[Meld]] = [[] for _ in range(players)]
        self.rivers: list[list[int]] = [[] for _ in range(players)]
        self.offered: list[list[int]] = [[] for _ in range(players)]  # others' tiles since the own last discard
        self.since_riichi: list[list[int] | None] = [None] * players
        self.called_from: set[int] = set()
        self.points = [100 * p for p in round.ten[:players]]
        self.sticks = round.sticks
        self.live = 70 if players == 4 else 55
        self.seen = {round.dora}
        self.turn, self.drawn, self.has_drawn = round.oya, None, False
        self.replaces = False
        self.banned: set[int] = set()
        self.last: tuple[int, int] | None = None  # who showed a tile that may be taken, and the tile
        self.declaring: int | None = None
        self.is_robbable = False
        self.pending = self.due = 0  # dora to turn: before the next discard, at once
        for hand in self.hands:
            assert len(hand) == 13
            for tile in hand:
                self.meet(tile)

    def meet(self, tile: int) -> None:
        assert tile not in self.seen, f"tile {tile} twice"
        assert 0 <= tile < 136
        assert self.players == 4 or tile // 4 not in range(1, 8)
        self.seen.add(tile)

    def is_closed(self, seat: int) -> bool:
        return all(m.kind in ("ankan", "kita") for m in self.melds[seat])

    def sets(self, seat: int) -> list[Meld]:
        return [m for m in self.melds[seat] if m.kind != "kita"]

    def waits(self, seat: int) -> set[int]:
        found = waits(self.hands[seat], self.melds[seat])
        return found if self.players == 4 else found - set(range(1, 8))

    def show(self, seat: int, tile: int) -> None:
        """A tile others may win on."""
        self.last = (seat, tile)
        for other in range(self.players):
            if other != seat:
                self.offered[other].append(tile // 4)
                if self.since_riichi[other] is not None:
                    self.since_riichi[other].append(tile // 4)

    def replay(self) -> None:
        for event in self.round.events:
            match event:
                case Draw():
                    self.draw(event.seat, event.tile)
                case Discard():
                    self.discard(event.seat, event.tile)
                case Riichi(step=1):
                    self.declare(event.seat)
                case Riichi(step=2):
                    self.accept(event.seat)
                case Call():
                    self.call(event.seat, event.meld)
                case Dora():
                    self.turn_dora(event.tile)
                case Agari():
                    self.win(event)
                case Ryuukyoku():
                    self.end(event)

    def draw(self, seat: int, tile: int) -> None:
        assert self.live > 0, "a draw from an empty wall"
        assert self.due == 0, "the dora of a concealed kan is turned before the replacement draw"
        assert self.declaring is None, "a riichi nobody won on is accepted"
        if self.replaces or self.last is None:
            assert seat == self.turn
        else:
            assert seat == (self.last[0] + 1) % self.players
        self.meet(tile)
        self.hands[seat].append(tile)
        self.turn, self.drawn, self.has_drawn = seat, tile, True
        self.replaces, self.last, self.is_robbable = False, None, False
        self.banned = set()
        self.offered[seat] = []
        self.live -= 1

    def discard(self, seat: int, tile: int) -> None:
        assert seat == self.turn
        assert self.has_drawn or self.banned, "a discard takes a draw or a call"
        assert self.pending == 0, "the dora of called and added kans is turned before the discard"
        assert tile // 4 not in self.banned, "a swap call"
        assert self.since_riichi[seat] is None or tile == self.drawn, "riichi discards what it draws"
        self.hands[seat].remove(tile)
        self.rivers[seat].append(tile)
        self.offered[seat] = []
        if self.declaring == seat:
            assert self.waits(seat), "riichi without tenpai"
        self.has_drawn, self.drawn = False, None
        self.banned = set()
        self.show(seat, tile)

    def declare(self, seat: int) -> None:
        assert seat == self.turn
        assert self.has_drawn
        assert self.since_riichi[seat] is None
        assert self.is_closed(seat)
        assert self.points[seat] >= 1000
        assert self.live >= self.players
        self.declaring = seat

    def accept(self, seat: int) -> None:
        assert self.declaring == seat
        self.declaring = None
        self.since_riichi[seat] = []
        self.points[seat] -= 1000
        self.sticks += 1

    def call(self, seat: int, meld: Meld) -> None:
        assert self.declaring is None
        assert self.since_riichi[seat] is None or meld.kind in ("ankan", "kita")
        hand = self.hands[seat]
        self.due += self.pending if meld.kind in ("ankan", "kakan", "kita") else 0
        self.pending -= self.pending if meld.kind in ("ankan", "kakan", "kita") else 0
        if meld.kind in ("chi", "pon", "daiminkan"):
            assert self.last == (meld.from_seat, meld.called), "a call takes the last discard"
            assert meld.from_seat != seat
            assert self.live > 0, "no call of the last discard"
            assert meld.kind != "chi" or (self.players == 4 and seat == (meld.from_seat + 1) % 4)
            for tile in set(meld.tiles) - {meld.called}:
                hand.remove(tile)
            self.called_from.add(meld.from_seat)
            self.melds[seat].append(meld)
            self.banned = swaps(meld) if meld.kind != "daiminkan" else set()
        else:
            assert seat == self.turn
            assert self.has_drawn
            if meld.kind == "kakan":
                pon = next(m for m in self.melds[seat] if m.kind == "pon" and m.called == meld.called)
                assert pon.from_seat == meld.from_seat
                self.melds[seat][self.melds[seat].index(pon)] = meld
                hand.remove(meld.added)
                self.show(seat, meld.added)
            else:
                if self.since_riichi[seat] is not None:
                    assert self.drawn in meld.tiles
                before = self.waits_without(seat, self.drawn)
                for tile in meld.tiles:
                    hand.remove(tile)
                self.melds[seat].append(meld)
                if meld.kind == "ankan" and self.since_riichi[seat] is not None:
                    assert self.waits(seat) == before, "a kan in riichi keeps the waits"
                if meld.kind == "kita":
                    self.show(seat, meld.tiles[0])
        if meld.kind not in ("chi", "pon"):
            assert self.live > 0, "no kan and no kita without a tile to draw"
            self.replaces = True
        assert len([m for ms in self.melds for m in ms if "kan" in m.kind]) <= 4
        self.due += meld.kind == "ankan"
        self.pending += meld.kind in ("daiminkan", "kakan")
        self.is_robbable = meld.kind in ("kakan", "kita")
        self.turn, self.has_drawn = seat, False

    def waits_without(self, seat: int, drawn: int) -> set[int]:
        return waits([t for t in self.hands[seat] if t != drawn], self.melds[seat])

    def turn_dora(self, tile: int) -> None:
        self.meet(tile)
        if self.due:
            self.due -= 1
        else:
            assert self.has_drawn, "the dora of called and added kans is turned after the replacement draw"
            assert self.pending
            self.pending -= 1

    def win(self, win: Agari) -> None:
        seat = win.who
        hand = sorted({*self.hands[seat], win.machi})
        assert win.hai == tuple(hand)
        assert tuple(m.code for m in win.melds) == tuple(m.code for m in reversed(self.melds[seat]))
        assert is_complete(tuple(sorted(t // 4 for t in hand)))
        if win.from_who == seat:
            assert (self.turn, self.drawn) == (seat, win.machi)
        else:
            assert self.last == (win.from_who, win.machi)
            self.must_not_be_furiten(seat, win.machi // 4)
        has_riichi = self.since_riichi[seat] is not None
        assert (win.ura is not None) == has_riichi
        for tile in win.ura or ():
            assert tile not in self.seen
        self.take(win)

    def must_not_be_furiten(self, seat: int, kind: int) -> None:
        mine = self.waits(seat)
        assert kind in mine
        assert not mine & {t // 4 for t in self.rivers[seat]}, "furiten by an own discard"
        # the tile won on is the last one offered
        assert not mine & set(self.offered[seat][:-1]), "furiten until the own next discard"
        assert not mine & set((self.since_riichi[seat] or [])[:-1]), "furiten in riichi"

    def take(self, end: Agari | Ryuukyoku) -> None:
        before, change = end.sc[0 : 2 * self.players : 2], end.sc[1 : 2 * self.players : 2]
        assert [100 * p for p in before] == self.points
        assert (end.honba, end.sticks) == (self.round.honba, self.sticks)
        self.points = [100 * (p + c) for p, c in zip(before, change, strict=True)]
        if isinstance(end, Agari):
            assert 100 * sum(change) == 1000 * self.sticks
            self.sticks = 0
        else:
            assert sum(change) == 0

    def end(self, end: Ryuukyoku) -> None:
        shown = {s for s, hand in enumerate(end.hands) if hand is not None}
        for seat in shown:
            assert end.hands[seat] == tuple(sorted(self.hands[seat]))
        firsts = [river[0] // 4 for river in self.rivers if river]
        kans = [s for s, ms in enumerate(self.melds) for m in ms if "kan" in m.kind]
        match end.type:
            case None | "nm":
                assert self.live == 0
                assert shown == {s for s in range(self.players) if self.waits(s)}
                self.check_noten(end, shown)
            case "yao9":
                assert shown == {self.turn}
                assert not self.rivers[self.turn]
                assert not any(self.melds)
                assert len({t // 4 for t in self.hands[self.turn]} & ORPHANS) >= 9
            case "kaze4":
                assert len(firsts) == 4
                assert len(set(firsts)) == 1
                assert 27 <= firsts[0] <= 30
                assert not any(self.melds)
            case "reach4":
                assert all(r is not None for r in self.since_riichi)
                assert len(shown) == 4
            case "ron3":
                assert len(shown) == 3
                assert all(self.last[1] // 4 in self.waits(s) for s in shown)
            case "kan4":
                assert len(kans) == 4
                assert len(set(kans)) > 1
        self.take(end)

    def check_noten(self, end: Ryuukyoku, tenpai: set[int]) -> None:
        change = [100 * c for c in end.sc[1 : 2 * self.players : 2]]
        nagashi = [
            s
            for s in range(self.players)
            if s not in self.called_from and all(t // 4 in ORPHANS for t in self.rivers[s])
        ]
        assert bool(nagashi) == (end.type == "nm")
        if nagashi:
            assert all(change[s] > 0 for s in nagashi)
        elif 0 < len(tenpai) < self.players:
            pot = 1000 * (self.players - 1)
            for seat in range(self.players):
                n = len(tenpai) if seat in tenpai else len(tenpai) - self.players
                assert change[seat] == pot / n
        else:
            assert not any(change)


def swaps(meld: Meld) -> set[int]:
    """Kinds that may not be discarded right after a chi or pon."""
    called = meld.called // 4
    if meld.kind == "pon":
        return {called}
    low = min(meld.tiles) // 4
    ends = {low: low + 3, low + 2: low - 1}
    other = ends.get(called, called)
    return {called} | ({other} if other >= 0 and other // 9 == called // 9 else set())


# The tests


@pytest.mark.parametrize("name", FILES)
def test_every_round_is_legal(name):
    game = sample(name)
    for round in game.rounds:
        Referee(round, players(game)).replay()


@pytest.mark.parametrize("name", FILES)
def test_rounds_follow_each_other(name):
    game = sample(name)
    n = players(game)
    total = 100000 if n == 4 else 105000
    assert game.rounds[0].seed[:3] == (0, 0, 0)
    for round, following in zip(game.rounds, [*game.rounds[1:], None], strict=True):
        assert 100 * sum(round.ten) + 1000 * round.sticks == total
        referee = Referee(round, n)
        referee.replay()
        last = ends(round)[-1]
        is_abortive = isinstance(last, Ryuukyoku) and last.type not in (None, "nm")
        if isinstance(last, Ryuukyoku):
            repeats = is_abortive or last.hands[round.oya] is not None
        else:
            repeats = round.oya in {w.who for w in wins(round)}
        assert (following is None) == is_last(game, round, referee.points, repeats, is_abortive)
        assert (last.owari is not None) == (following is None)
        if following is None:
            continue
        assert [100 * p for p in following.ten[:n]] == referee.points
        assert following.sticks == referee.sticks
        grows = repeats or isinstance(last, Ryuukyoku)
        assert following.honba == (round.honba + 1 if grows else 0)
        wind, seat = divmod(round.number, 4)
        after = (wind, seat + 1) if seat + 1 < n else (wind + 1, 0)
        assert divmod(following.number, 4) == ((wind, seat) if repeats else after)
        assert following.oya == following.number % 4


def is_last(game: Game, round: Round, points: list[int], repeats: bool, is_abortive: bool) -> bool:
    """Whether Tenhou ends a game after such a round."""
    n = players(game)
    last = (4 if game.go_type & 8 else 0) + n - 1
    if min(points) < 0:
        return True
    if round.number < last or is_abortive:
        return False
    has_goal = max(points) >= (30000 if n == 4 else 40000)
    leads = points.index(max(points)) == round.oya
    return (has_goal and (not repeats or leads)) or (not repeats and round.number == last + 4)


@pytest.mark.parametrize("name", FILES)
def test_the_final_result_adds_up(name):
    game = sample(name)
    n = players(game)
    points, results = game.owari[0 : 2 * n : 2], game.owari[1 : 2 * n : 2]
    assert 100 * sum(points) == (100000 if n == 4 else 105000)
    assert sum(results) == pytest.approx(0)
    order = sorted(range(n), key=lambda s: (-points[s], s))
    goal, uma = (300, (20, 10, -10, -20)) if n == 4 else (400, (20, 0, -20))
    oka = 20 if n == 4 else 15
    for place, seat in enumerate(order):
        own = (points[seat] - goal) / 10 + uma[place] + (oka if place == 0 else 0)
        assert results[seat] == pytest.approx(own)


@pytest.mark.parametrize("name", FILES)
def test_a_file_holds_what_is_expected_of_it(name):
    game, expected = sample(name), EXPECTED["files"][name]
    n = players(game)
    drawn = Counter(DRAWS[e.type] for r in game.rounds for e in ends(r) if isinstance(e, Ryuukyoku))
    assert expected == {
        "type": game.go_type,
        "players": n,
        "rounds": len(game.rounds),
        "wins": sum(len(wins(r)) for r in game.rounds),
        "draws": dict(drawn),
        "points": [100 * p for p in game.owari[0 : 2 * n : 2]],
        "results": list(game.owari[1 : 2 * n : 2]),
    }


def test_all_files_together_hold_what_is_expected():
    found = every_win()
    total = EXPECTED["total"]
    assert set(FILES) == set(EXPECTED["files"])
    assert len(found) == total["wins"]
    assert sum(w.points for w in found) == total["points"]
    assert sum(w.from_who == w.who for w in found) == total["self_draws"]
    assert sum(w.yakuman is not None for w in found) == total["yakuman"]
    han = Counter(str(sum(n for _, n in w.yaku)) for w in found if w.yaku)
    assert han == total["han"]
    listed = Counter(number for w in found for number in (w.yakuman or [n for n, _ in w.yaku]))
    yaku = total["yaku"]
    assert listed[1] == yaku["riichi"]
    assert listed[8] == yaku["tanyao"]
    assert sum(listed[n] for n in range(10, 14)) == yaku["yakuhai_seat"]
    assert sum(listed[n] for n in range(14, 18)) == yaku["yakuhai_round"]
    assert sum(n for number, n in listed.items() if number < 52) == sum(yaku.values())


def test_every_yaku_of_tenhou_occurs_but_renhou():
    occurring = {n for w in every_win() for n in (w.yakuman or [number for number, _ in w.yaku])}
    by_wind = set(range(10, 18))
    assert set(range(55)) - occurring - by_wind == {36}
    assert occurring & set(range(10, 14))
    assert occurring & set(range(14, 18))


def test_every_kind_of_draw_occurs():
    assert set(EXPECTED["total"]["draws"]) == set(DRAWS.values())


def test_rare_wins_occur():
    found = every_win()
    assert any(w.pao is not None and w.from_who == w.who for w in found)
    assert any(w.pao is not None and w.from_who not in (w.who, w.pao) and w.honba for w in found)
    assert any(w.yaku and w.limit == 5 for w in found), "a counted yakuman"
    assert any(w.yakuman and len(w.yakuman) == 2 for w in found)
    assert {w.limit for w in found} == set(range(6))
    double = [wins(r) for name in FILES for r in sample(name).rounds if len(wins(r)) == 2]
    assert any(first.sticks and first.honba and not second.sticks for first, second in double)
    for first, second in double:
        assert (first.who - first.from_who) % 4 < (second.who - second.from_who) % 4
    robbed = [
        (call.meld.kind, win)
        for name in FILES
        for r in sample(name).rounds
        for call, win in zip(r.events, r.events[1:], strict=False)
        if isinstance(call, Call) and isinstance(win, Agari)
    ]
    assert {kind for kind, _ in robbed} >= {"kakan", "kita"}


def test_the_traps_of_circumstances_occur():
    found = set()
    for name in FILES:
        for round in sample(name).rounds:
            acts = [trace(e) for e in round.events]
            for win in wins(round):
                listed = dict(win.yaku or ())
                before = acts[: round.events.index(win)]
                if 6 in listed and before[-4:] == ["ankan", "dora", "draw", "discard"]:
                    found.add("houtei after a last replacement draw")
                if 4 in listed and before[-2:] == ["kita", "draw"]:
                    found.add("rinshan after a north")
                if 4 in listed and before[-2:] == ["daiminkan", "draw"]:
                    found.add("rinshan before the dora of the kan is turned")
                if {2, 3} <= set(listed):
                    found.add("ippatsu outlives a robbed kan")
                if before[-4:] == ["daiminkan", "draw", "dora", "discard"]:
                    found.add("ron on the discard that follows a new dora")
            text = " ".join(acts)
            if "kakan draw kakan dora draw dora discard" in text:
                found.add("the dora of an added kan waits for the next kan")
            if "daiminkan draw ankan dora dora draw discard" in text:
                found.add("two dora at once")
    assert len(found) == 7, found


def trace(event) -> str:
    return event.meld.kind if isinstance(event, Call) else type(event).__name__.lower()


def test_games_of_every_kind_and_every_end_occur():
    games = [sample(name) for name in FILES]
    assert {g.go_type for g in games} >= {169, 9, 225, 65, 1, 7, 15, 11, 185, 25, 17}
    ended = Counter()
    for game in games:
        last = (4 if game.go_type & 8 else 0) + players(game) - 1
        final = game.rounds[-1]
        ended["extended"] += final.number > last
        ended["below zero"] += min(game.owari[0::2]) < 0
        dealer_won = any(w.who == final.oya for w in wins(final))
        ended["leading dealer"] += final.number == last and dealer_won and min(game.owari[0::2]) >= 0
    assert all(ended[kind] for kind in ("extended", "below zero", "leading dealer"))
    assert any((SAMPLES / name).read_bytes()[:2] == b"\x1f\x8b" for name in FILES)


def test_wins_come_at_a_natural_rate():
    total = EXPECTED["total"]
    assert 0.75 < total["won_rounds"] / total["rounds"] < 0.9
    assert 0.3 < total["self_draws"] / total["wins"] < 0.5


def made_again(wanted) -> None:
    from tests.samples import mjlog
    from tests.samples.game import play
    from tests.samples.games import games

    for name, spec in games(EXPECTED["seed"]):
        if wanted(name):
            assert mjlog.write(play(spec)) == (SAMPLES / name).read_bytes(), name


def test_the_seed_gives_the_same_bytes():
    made_again(lambda name: name in (FILES[0], FILES[5], FILES[-1]))


@pytest.mark.slow
def test_the_seed_gives_the_same_bytes_for_every_game():
    made_again(lambda name: True)
    assert len(FILES) == EXPECTED["total"]["games"]


def test_the_samples_are_small():
    assert sum((SAMPLES / name).stat().st_size for name in FILES) < 1_000_000
