"""A plain replay of one game: what its events say about each win.

The second witness of `analytics.circumstances`. It walks the events of `plain_mjlog` one by one, keeps the
state a referee at the table would keep, and writes it down when somebody wins. No code is shared.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.plain_mjlog import Agari, Call, Discard, Dora, Draw, Game, Riichi, Round

KANS = ("daiminkan", "ankan", "kakan")
RED_FIVES = (16, 52, 88)
NORTH = 30


@dataclass
class Seat:
    draws: int = 0
    discards: int = 0
    kans_this_turn: int = 0
    has_declared: bool = False
    has_riichi: bool = False
    is_double: bool = False
    has_ippatsu: bool = False
    kita: int = 0


@dataclass
class Table:
    """One round in progress."""

    live: int
    indicators: list[int]
    seats: list[Seat] = field(default_factory=lambda: [Seat() for _ in range(4)])
    calls: int = 0
    pending: str | None = None  # a kan or kita that may still be robbed: no replacement drawn yet
    pending_seat: int | None = None
    drawn_for: str | None = None  # what the latest draw replaced; None for a tile of the live wall
    is_declaration: bool = False  # the tile in the middle was turned sideways
    is_kan_discard: bool = False  # the tile in the middle came right after a replacement for a kan

    def complete_pending(self) -> str | None:
        """A call nobody robbed stands: it ends every ippatsu and the first go-around."""
        kind, seat = self.pending, self.pending_seat
        self.pending = self.pending_seat = None
        if kind in KANS:
            self.seats[seat].kans_this_turn += 1
        if kind == "kita":
            self.seats[seat].kita += 1
        if kind:
            self.count_call()
        return kind

    def count_call(self) -> None:
        self.calls += 1
        for seat in self.seats:
            seat.has_ippatsu = False

    def let_declaration_stand(self) -> None:
        """Play went on after a declaration tile: the riichi stands, whether or not the log says so."""
        for seat in self.seats:
            if seat.has_declared and not seat.has_riichi:
                seat.has_riichi = seat.has_ippatsu = True

    def draw(self, event: Draw) -> None:
        self.let_declaration_stand()
        self.drawn_for = self.complete_pending()
        self.live -= 1
        self.seats[event.seat].draws += 1

    def discard(self, event: Discard) -> None:
        seat = self.seats[event.seat]
        self.is_kan_discard = self.drawn_for in KANS
        self.drawn_for = None
        self.is_declaration = seat.has_declared and not seat.has_riichi
        seat.discards += 1
        seat.kans_this_turn = 0
        seat.has_ippatsu = False

    def call(self, event: Call) -> None:
        self.let_declaration_stand()
        self.complete_pending()
        self.drawn_for = None
        if event.meld.kind in ("chi", "pon"):
            self.count_call()
        else:
            self.pending, self.pending_seat = event.meld.kind, event.seat

    def riichi(self, event: Riichi) -> None:
        seat = self.seats[event.seat]
        if event.step == 1:
            seat.has_declared = True
            seat.is_double = seat.discards == 0 and self.calls == 0
        else:
            self.let_declaration_stand()


def _next_kind(kind: int, players: int) -> int:
    """The dora kind an indicator points to."""
    if kind == 0 and players == 3:
        return 8
    if kind < 27:
        return kind // 9 * 9 + (kind % 9 + 1) % 9
    if kind < 31:
        return 27 + (kind - 27 + 1) % 4
    return 31 + (kind - 31 + 1) % 3


def _dora(tiles: list[int], indicators: list[int], players: int) -> int:
    return sum(tile // 4 == _next_kind(indicator // 4, players) for indicator in indicators for tile in tiles)


def _at_win(table: Table, win: Agari, round_: Round, players: int, plays_red: bool) -> dict[str, object]:
    """The row of one win, but for the streaks."""
    me = table.seats[win.who]
    is_tsumo = win.who == win.from_who
    is_robbed = not is_tsumo and table.pending is not None
    on_discard = not is_tsumo and not is_robbed
    is_rinshan = is_tsumo and table.drawn_for is not None
    tiles = list(win.hai) + [tile for meld in win.melds for tile in meld.tiles]
    if win.machi not in win.hai:  # some servers record the hand without it
        tiles.append(win.machi)
    in_effect = table.indicators
    if not me.has_riichi:
        n_ura, n_kan_ura = 0, 0
    elif win.ura is None:
        n_ura, n_kan_ura = None, None
    else:
        n_ura = _dora(tiles, list(win.ura[:1]), players)
        n_kan_ura = _dora(tiles, list(win.ura[1 : len(in_effect)]), players)
    return {
        "players": players,
        "seat_wind": (win.who - round_.oya) % players,
        "round_wind": round_.number // 4,
        "is_riichi": me.has_riichi,
        "is_double_riichi": me.has_riichi and me.is_double,
        "is_ippatsu": me.has_ippatsu,
        "is_haitei": is_tsumo and table.live == 0 and not is_rinshan,
        "is_houtei": on_discard and table.live == 0,
        "is_rinshan": is_rinshan,
        "is_chankan": is_robbed and table.pending in KANS,
        "is_tenhou": is_tsumo and win.who == round_.oya and me.draws == 1 and table.calls == 0,
        "is_chiihou": is_tsumo and win.who != round_.oya and me.draws == 1 and table.calls == 0,
        "n_own_draws": me.draws,
        "n_own_discards": me.discards,
        "n_calls_before": table.calls,
        "is_declaration_tile": on_discard and table.is_declaration,
        "is_after_kan_discard": on_discard and table.is_kan_discard,
        "n_kans_in_row": me.kans_this_turn if is_rinshan else 0,
        "rinshan_kan": table.drawn_for if is_rinshan else None,
        "is_loser_riichi": not is_tsumo and table.seats[win.from_who].has_riichi,
        "live_left": table.live,
        "turn": me.discards + is_tsumo,
        "n_dora": _dora(tiles, in_effect[:1], players),
        "n_kan_dora": _dora(tiles, in_effect[1:], players),
        "n_ura": n_ura,
        "n_kan_ura": n_kan_ura,
        "n_aka": sum(tile in RED_FIVES for tile in tiles) if plays_red else 0,
        "n_kita": me.kita,
    }


def replay(game: Game) -> list[tuple[int, Agari, dict[str, object]]]:
    """Round, recorded win and what the events say about it, for every win in order of play."""
    players = 3 if game.go_type & 16 else 4
    plays_red = not game.go_type & 2
    streak, dealer_streak = [0] * 4, [0] * 4
    found = []
    for round_no, round_ in enumerate(game.rounds):
        table = Table(live=70 if players == 4 else 55, indicators=[round_.dora])
        winners = set()
        for event in round_.events:
            match event:
                case Draw():
                    table.draw(event)
                case Discard():
                    table.discard(event)
                case Call():
                    table.call(event)
                case Riichi():
                    table.riichi(event)
                case Dora():
                    table.indicators.append(event.tile)
                case Agari():
                    winners.add(event.who)
                    row = _at_win(table, event, round_, players, plays_red)
                    row["win_streak"] = streak[event.who] + 1
                    is_dealer = event.who == round_.oya
                    row["dealer_streak"] = dealer_streak[event.who] + 1 if is_dealer else 0
                    found.append((round_no, event, row))
        for seat in range(4):
            has_won = seat in winners
            streak[seat] = streak[seat] + 1 if has_won else 0
            dealer_streak[seat] = dealer_streak[seat] + 1 if has_won and seat == round_.oya else 0
    return found
