"""A plain replay of one game: what its events say about each win.

The second witness of `analytics.circumstances`. It walks the events of `plain_mjlog` one by one, keeps the
state a referee at the table would keep, and writes it down when somebody wins. No code is shared.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.plain_mjlog import Agari, Call, Discard, Dora, Draw, Game, Meld, Riichi, Round, Ryuukyoku

KANS = ("daiminkan", "ankan", "kakan")
RED_FIVES = (16, 52, 88)
NORTH = 30


@dataclass
class Seat:
    draws: int = 0
    discards: int = 0
    kans_this_turn: list[str] = field(default_factory=list)
    calls: int = 0
    has_declared: bool = False
    has_riichi: bool = False
    is_double: bool = False
    has_ippatsu: bool = False
    kita: int = 0
    river: list[int] = field(default_factory=list)  # what nobody called
    sideways: int | None = None  # the tile that marks the riichi, while it lies in the river
    melds: list[Meld] = field(default_factory=list)


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
    is_declaration: bool = False  # the tile in the middle declares riichi
    is_sideways: bool = False  # it lies sideways: declares, or marks a riichi whose tile was called
    discarder: int | None = None
    is_kan_discard: bool = False  # the tile in the middle came right after a replacement for a kan

    def complete_pending(self) -> str | None:
        """A call nobody robbed stands: it ends every ippatsu and the first go-around."""
        kind, seat = self.pending, self.pending_seat
        self.pending = self.pending_seat = None
        if kind in KANS:
            self.seats[seat].kans_this_turn.append(kind)
        if kind == "kita":
            self.seats[seat].kita += 1
        if kind:
            self.count_call(seat)
        return kind

    def count_call(self, caller: int) -> None:
        self.calls += 1
        self.seats[caller].calls += 1
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
        self.is_sideways = seat.has_declared and seat.sideways is None
        if self.is_sideways:
            seat.sideways = event.tile
        seat.river.append(event.tile)
        self.discarder = event.seat
        seat.discards += 1
        seat.kans_this_turn = []
        seat.has_ippatsu = False

    def call(self, event: Call) -> None:
        self.let_declaration_stand()
        self.complete_pending()
        self.drawn_for = None
        if event.meld.kind in ("chi", "pon", "daiminkan"):
            feeder = self.seats[self.discarder]
            taken = feeder.river.pop()
            assert taken == event.meld.called
            if feeder.sideways == taken:
                feeder.sideways = None
        self.seats[event.seat].melds.append(event.meld)
        if event.meld.kind in ("chi", "pon"):
            self.count_call(event.seat)
        else:
            self.pending, self.pending_seat = event.meld.kind, event.seat

    def in_sight(self) -> set[int]:
        """Every physical tile that lies open."""
        tiles = set(self.indicators)
        for seat in self.seats:
            tiles.update(seat.river)
            for meld in seat.melds:
                tiles.update(meld.tiles)
        return tiles

    def riichi(self, event: Riichi) -> None:
        seat = self.seats[event.seat]
        if event.step == 1:
            seat.has_declared = True
            seat.is_double = seat.discards == 0 and self.calls == 0
        else:
            self.let_declaration_stand()


@dataclass
class History:
    """What paarenchan asks of the rounds before, each definition on its own."""

    dealer: int | None = None
    row_of_wins: list[int] = field(default_factory=lambda: [0] * 4)  # 1: by seat
    dealer_row: int = 0  # 2: in the running dealership
    dealer_kept: int = 0  # 3: in the running dealership

    def deal(self, dealer: int) -> None:
        if dealer != self.dealer:
            self.dealer_row = self.dealer_kept = 0
        self.dealer = dealer

    def end(self, winners: set[int], is_tenpai_draw: bool) -> None:
        """`is_tenpai_draw`: played to the last tile, the dealer tenpai."""
        self.row_of_wins = [n + 1 if seat in winners else 0 for seat, n in enumerate(self.row_of_wins)]
        if self.dealer in winners:
            self.dealer_row += 1
            self.dealer_kept += 1
        else:
            self.dealer_row = 0
            if is_tenpai_draw:
                self.dealer_kept += 1

    def counts(self, seat: int) -> dict[int, int]:
        """By definition, before the round ends."""
        if seat == self.dealer:
            return {1: self.row_of_wins[seat], 2: self.dealer_row, 3: self.dealer_kept}
        return {1: self.row_of_wins[seat], 2: 0, 3: 0}

    def row(self, winner: int) -> dict[str, object]:
        mine, dealers = self.counts(winner), self.counts(self.dealer)
        others = [n for seat, n in enumerate(self.row_of_wins) if seat != winner]
        row = {"win_streak": mine[1] + 1, "dealer_streak": 0, "is_holder_eighth_1": any(n % 8 == 7 for n in others)}
        if winner == self.dealer:
            row["dealer_streak"] = mine[2] + 1
        for definition in (1, 2, 3):
            is_counted = winner == self.dealer or definition == 1
            row[f"n_count_{definition}"] = mine[definition]
            row[f"is_eighth_{definition}"] = is_counted and mine[definition] % 8 == 7
            row[f"is_beyond_eighth_{definition}"] = is_counted and mine[definition] >= 7
            row[f"is_dealer_eighth_{definition}"] = winner != self.dealer and dealers[definition] % 8 == 7
        return row


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
    """The row of one win, but for what the rounds before say."""
    me = table.seats[win.who]
    is_tsumo = win.who == win.from_who
    is_robbed = not is_tsumo and table.pending is not None
    on_discard = not is_tsumo and not is_robbed
    is_rinshan = is_tsumo and table.drawn_for is not None
    tiles = list(win.hai) + [tile for meld in win.melds for tile in meld.tiles]
    if win.machi not in win.hai:  # some servers record the hand without it
        tiles.append(win.machi)
    in_effect = table.indicators
    loser = None if is_tsumo else table.seats[win.from_who]
    other_riichi = [seat for who, seat in enumerate(table.seats) if who != win.who and seat.has_riichi]
    shown = [tile for tile in table.in_sight() - {win.machi} if tile // 4 == win.machi // 4]
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
        "is_open_riichi": None,
        "is_pon_riichi": None,
        "is_tsumosen_riichi": None,
        "is_bunbun_riichi": None,
        "is_loser_riichi_before_open": None,
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
        "n_opponent_calls_before": table.calls - me.calls,
        "is_replacement_sideways": on_discard and table.is_sideways and not table.is_declaration,
        "is_double_declaration": on_discard and table.is_declaration and loser.is_double,
        "is_declaration_tile": on_discard and table.is_declaration,
        "is_after_kan_discard": on_discard and table.is_kan_discard,
        "n_kans_in_row": len(me.kans_this_turn) if is_rinshan else 0,
        "is_concealed_kan_chain": is_rinshan and set(me.kans_this_turn) == {"ankan"},
        "robbed": table.pending if is_robbed else None,
        "rinshan_kan": table.drawn_for if is_rinshan else None,
        "is_loser_riichi": not is_tsumo and loser.has_riichi,
        "is_loser_dealer": not is_tsumo and win.from_who == round_.oya,
        "is_riichi_before": bool(other_riichi),
        "is_dealer_first_discard": on_discard and win.from_who == round_.oya and loser.discards == 1,
        "is_first_go_around": on_discard and table.calls == 0 and max(seat.discards for seat in table.seats) == 1,
        "n_visible": len(shown),
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
    history = History()
    found = []
    for round_no, round_ in enumerate(game.rounds):
        table = Table(live=70 if players == 4 else 55, indicators=[round_.dora])
        history.deal(round_.oya)
        winners, is_tenpai_draw = set(), False
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
                    found.append((round_no, event, row | history.row(event.who)))
                case Ryuukyoku():
                    is_tenpai_draw = event.type in (None, "nm") and event.hands[round_.oya] is not None
        history.end(winners, is_tenpai_draw)
    return found
