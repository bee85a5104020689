"""A plain scan of one game for chances and latent wins: the second witness of `analytics.chances` and `.latent`.

It walks the events of `plain_mjlog` one by one, keeps every hand as a list of tiles, and asks of each tile that
comes whether it completes a hand, by taking sets off until nothing is left. What the table looks like is kept by
`replay`; which yaku a hand has is said by `local_reference`. No code is shared with what it is a witness of; of a
ruleset it takes the values and keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import permutations

import local_reference

from tests.plain_mjlog import Agari, Bye, Call, Discard, Dora, Draw, Game, Meld, Riichi, Round, Ryuukyoku, Un
from tests.replay import RED_FIVES, History, Table, _at_win

ORPHANS = {0, 8, 9, 17, 18, 26, *range(27, 34)}
HONOURS = set(range(27, 34))
NINES = [
    {low + 3 * i + 9 * suit for low, suit in enumerate(order) for i in range(3)} for order in permutations(range(3))
]
SOUTH, NORTH = 28, 30


# ------------------------------------------------------------------------------------------------ is it complete?


def comes_apart(kinds: tuple[int, ...]) -> bool:
    """Whether sorted kinds are sets and nothing else."""
    if not kinds:
        return True
    first = kinds[0]
    if kinds.count(first) >= 3 and comes_apart(kinds[3:]):
        return True
    if first >= 27 or first % 9 > 6 or first + 1 not in kinds or first + 2 not in kinds:
        return False
    rest = list(kinds)
    for kind in (first, first + 1, first + 2):
        rest.remove(kind)
    return comes_apart(tuple(rest))


def is_sets_and_pair(kinds: list[int]) -> bool:
    kinds = sorted(kinds)
    for kind in set(kinds):
        if kinds.count(kind) >= 2:
            rest = list(kinds)
            rest.remove(kind)
            rest.remove(kind)
            if comes_apart(tuple(rest)):
                return True
    return False


def forms(kinds: list[int], melds: list[Meld], is_first_draw: bool = False) -> set[str]:
    """The forms in which concealed tiles, the winning one included, are complete beside melds."""
    found = set()
    if is_sets_and_pair(kinds):
        found.add("standard")
    different = set(kinds)
    each = [kinds.count(kind) for kind in different]
    if not melds:
        if each == [2] * 7:
            found.add("chiitoitsu")
        elif set(each) == {2, 4}:
            found.add("four_pairs")
        if different == ORPHANS:
            found.add("kokushi")
        if len(different) == 14 and any(different <= nine | HONOURS for nine in NINES):
            found.add("scattered")
        if is_first_draw and len(different) >= 13 and is_apart(different):
            found.add("scattered")
    if len(melds) <= 1:
        for nine in NINES:
            if nine <= different:
                rest = list(kinds)
                for kind in nine:
                    rest.remove(kind)
                if is_sets_and_pair(rest):
                    found.add("knitted")
    if is_war(kinds, melds):
        found.add("civil_war")
    return found


def is_apart(kinds: set[int]) -> bool:
    return not any(kind // 9 == (kind + step) // 9 < 3 and kind + step in kinds for kind in kinds for step in (1, 2))


def is_war(kinds: list[int], melds: list[Meld]) -> bool:
    """South against north, 1861 to 1865: the digits in two suits or in one."""
    called = [meld.tiles[0] // 4 for meld in melds]
    if any(meld.kind == "chi" for meld in melds) or set(called) - {SOUTH, NORTH}:
        return False
    wanted = [wind for wind in (SOUTH, NORTH) if wind not in called for _ in range(3)]
    for one in range(3):
        for other in range(3):
            digits = [9 * one + digit - 1 for digit in (1, 8, 6, 1)] + [9 * other + digit - 1 for digit in (1, 8, 6, 5)]
            if sorted(digits + wanted) == sorted(kinds):
                return True
    return False


# ------------------------------------------------------------------------------------------------------ the scan


@dataclass
class Chance:
    """One tile that completed a hand; `row` is what the table says, as in `replay`."""

    round_no: int
    seq: int
    seat: int
    from_seat: int | None
    tile: int  # physical
    concealed: list[int]  # physical, the tile included
    melds: list[Meld]
    forms: set[str]
    waits: set[int]
    river: set[int]
    passed: set[int]
    passed_riichi: set[int]
    row: dict[str, object]
    is_taken: bool = False
    is_aborted: bool = False
    is_connected: bool = True
    rons: set[int] = field(default_factory=set)
    called: tuple[int, str] | None = None


@dataclass
class Hand:
    tiles: list[int]
    melds: list[Meld] = field(default_factory=list)
    norths: list[Meld] = field(default_factory=list)
    river: set[int] = field(default_factory=set)
    passed: set[int] = field(default_factory=set)
    passed_riichi: set[int] = field(default_factory=set)
    is_dealt: bool = True  # nothing done with it yet

    @property
    def kinds(self) -> list[int]:
        return [tile // 4 for tile in self.tiles]


def scan(game: Game) -> list[Chance]:
    """Every chance of a game, in order of play and seats."""
    players = 3 if game.go_type & 16 else 4
    history, away, found = History(), set(), []
    for round_no, round_ in enumerate(game.rounds):
        history.deal(round_.oya)
        of_round = list(_scan_round(round_, round_no, players, not game.go_type & 2, history, away))
        ends = [event for event in round_.events if isinstance(event, Agari | Ryuukyoku)]
        moves = [seq for seq, event in enumerate(round_.events) if isinstance(event, Draw | Discard | Call)]
        last = moves[-1] if moves else None
        winners = {event.who for event in ends if isinstance(event, Agari)}
        draw = next((event for event in ends if isinstance(event, Ryuukyoku)), None)
        aborted = draw is not None and draw.type == "ron3"
        claimed = {seat for seat in range(players) if aborted and draw.hands[seat] is not None}
        for chance in of_round:
            if chance.seq == last:
                chance.is_taken = chance.seat in winners
                chance.is_aborted = aborted
                chance.rons = (winners | claimed) - {chance.seat}
            after = [event for event in round_.events[chance.seq + 1 :] if isinstance(event, Draw | Discard | Call)]
            is_claim = after and isinstance(after[0], Call) and after[0].meld.kind in ("chi", "pon", "daiminkan")
            if is_claim and isinstance(round_.events[chance.seq], Discard):
                chance.called = (after[0].seat, after[0].meld.kind)
        found += of_round
        is_tenpai = draw is not None and draw.type in (None, "nm") and draw.hands[round_.oya] is not None
        history.end(winners, is_tenpai)
    return found


def _scan_round(
    round_: Round, round_no: int, players: int, plays_red: bool, history: History, away: set[int]
) -> Iterator[Chance]:
    table = Table(live=70 if players == 4 else 55, indicators=[round_.dora])
    hands = [Hand(list(round_.hands[seat])) for seat in range(players)]
    shown = [event.ura for event in round_.events if isinstance(event, Agari) and event.ura]
    won_ura = {event.who: event.ura for event in round_.events if isinstance(event, Agari)}
    for seq, event in enumerate(round_.events):
        offered, only = None, None
        match event:
            case Draw():
                table.draw(event)
                offered = event.tile
            case Discard():
                hands[event.seat].tiles.remove(event.tile)
                hands[event.seat].is_dealt = False
                table.discard(event)
                offered = event.tile
            case Call():
                table.call(event)
                own = hands[event.seat]
                for tile in _laid_down(event.meld):
                    own.tiles.remove(tile)
                if event.meld.kind == "kakan":
                    own.melds = [event.meld if _is_same(meld, event.meld) else meld for meld in own.melds]
                else:
                    (own.norths if event.meld.kind == "kita" else own.melds).append(event.meld)
                if event.meld.kind in ("kakan", "ankan", "kita"):
                    offered = event.meld.added if event.meld.kind == "kakan" else event.meld.tiles[0]
                    only = "kokushi" if event.meld.kind == "ankan" else None
            case Riichi():
                table.riichi(event)
            case Dora():
                table.indicators.append(event.tile)
            case Bye():
                away.add(event.seat)
            case Un():
                away.discard(event.seat)
        if offered is None:
            continue
        is_draw = isinstance(event, Draw)
        for seat, hand in enumerate(hands):
            if (seat == event.seat) != is_draw:
                continue
            is_first = is_draw and hand.is_dealt and not hand.melds and table.calls == 0
            complete = forms([*hand.kinds, offered // 4], hand.melds, is_first)
            complete &= {only} if only else complete
            if complete:
                ura = won_ura[seat] if seat in won_ura else shown[0][: len(table.indicators)] if shown else None
                win = _as_win(seat, event.seat, hand, offered, ura)
                row = _at_win(table, win, round_, players, plays_red) | history.row(seat)
                held = hand.kinds
                waits = {kind for kind in range(34) if held.count(kind) < 4 and forms([*held, kind], hand.melds)}
                yield Chance(
                    round_no,
                    seq,
                    seat,
                    None if is_draw else event.seat,
                    offered,
                    [*hand.tiles, offered],
                    list(hand.melds),
                    complete,
                    waits,
                    set(hand.river),
                    set(hand.passed),
                    set(hand.passed_riichi),
                    row,
                    is_connected=seat not in away,
                )
                if not is_draw:
                    hand.passed.add(offered // 4)
                    if table.seats[seat].has_riichi:
                        hand.passed_riichi.add(offered // 4)
        if is_draw:
            hands[event.seat].passed = set()
            hands[event.seat].tiles.append(offered)
        if isinstance(event, Discard):
            hands[event.seat].river.add(offered // 4)


def tempted(game: Game, names: tuple[str, ...]) -> set[tuple[int, int, str]]:
    """Rounds and seats that stood one live tile from a yaku: every hand after every event, every tile tried."""
    players = 3 if game.go_type & 16 else 4
    found = set()
    for round_no, round_ in enumerate(game.rounds):
        hands = [Hand(list(round_.hands[seat])) for seat in range(players)]
        shown = {round_.dora}
        for event in [None, *round_.events]:
            match event:
                case Draw():
                    hands[event.seat].tiles.append(event.tile)
                    continue
                case Discard():
                    hands[event.seat].tiles.remove(event.tile)
                    shown.add(event.tile)
                case Call():
                    own = hands[event.seat]
                    for tile in _laid_down(event.meld):
                        own.tiles.remove(tile)
                    shown.update(event.meld.tiles)
                    own.melds = [meld for meld in own.melds if not _is_same(meld, event.meld)]
                    own.melds += [event.meld] if event.meld.kind != "kita" else []
                case Dora():
                    shown.add(event.tile)
                    continue
                case None:
                    pass
                case _:
                    continue
            for seat in range(players) if event is None else [event.seat]:
                hand = hands[seat]
                if len(hand.tiles) + 3 * len(hand.melds) == 13:
                    sight = [tile // 4 for tile in shown | set(hand.tiles)]
                    live = [kind for kind in range(34) if sight.count(kind) < 4]
                    near = _within_reach(round_, seat, hand, live, names, players)
                    found |= {(round_no, seat, name) for name in near}
    return found


def _within_reach(round_: Round, seat: int, hand: Hand, live: list[int], names: tuple[str, ...], players: int):
    for kind in live:
        if forms([*hand.kinds, kind], hand.melds):
            for is_tsumo in (True, False):
                values = {
                    "concealed": [*hand.kinds, kind],
                    "melds": [(meld.kind, meld.tiles[0] // 4) for meld in hand.melds],
                    "win_kind": kind,
                    "is_tsumo": is_tsumo,
                    "seat_wind": (seat - round_.oya) % players,
                    "round_wind": round_.number // 4,
                }
                for reading in local_reference.readings(local_reference.hand_of(values)):
                    if reading.form in ("sets", "seven_pairs", "orphans"):
                        yield from local_reference.facts(reading, names)


def _is_same(meld: Meld, added: Meld) -> bool:
    return meld.kind == "pon" and meld.tiles[0] // 4 == added.tiles[0] // 4


def _laid_down(meld: Meld) -> list[int]:
    """What leaves the hand with a call."""
    if meld.kind == "kakan":
        return [meld.added]
    return [tile for tile in meld.tiles if tile != meld.called]


def _as_win(seat: int, from_seat: int, hand: Hand, tile: int, ura: tuple[int, ...] | None) -> Agari:
    """What a record would hold of the win, as far as `replay` asks."""
    return Agari(
        who=seat,
        from_who=from_seat,
        pao=None,
        honba=0,
        sticks=0,
        hai=(*hand.tiles, tile),
        melds=(*hand.melds, *hand.norths),
        machi=tile,
        fu=0,
        points=0,
        limit=0,
        yaku=None,
        yakuman=None,
        dora=(),
        ura=ura,
        sc=(),
        owari=None,
    )


# ------------------------------------------------------------------------------------------------- under a ruleset

SHAPES = (
    "chiitoitsu",
    "kokushi_musou",
    "kokushi_juusanmen",
    "chiishin_uushii",
    "shiisanpuutaa",
    "shiisuupuutaa",
    "american_civil_war",
    "zenfukou",
    "kumiairyuu",
)


def conditions(rules) -> dict[str, tuple[Callable, object]]:
    """For each yaku of hands that is played, its condition with the options as set, and its value."""
    found = {}
    for id_, yaku in rules.yaku().items():
        value = rules.yaku_value(id_)
        if yaku.kind != "hand" or not value.is_on:
            continue
        function = local_reference.YAKU[id_]
        for option in yaku.options:
            name = f"{id_}.{option}={str(rules[f'yaku.{id_}.{option}']).lower()}"
            function = local_reference.VARIANTS.get(name, function)
        found[id_] = (function, value)
    if "tanyao" in found and not rules["yaku.tanyao.open"]:
        plain = found["tanyao"][0]
        found["tanyao"] = (lambda r: r.closed and plain(r), found["tanyao"][1])
    return found


def flags_of(row: dict[str, object], tiles: list[int], plays_red: bool) -> set[str]:
    """Circumstances by the names a hand case gives them."""
    flags = {name[3:] for name, value in row.items() if name.startswith("is_") and value}
    for name, column in (("no_own_draw", "n_own_draws"), ("no_own_discard", "n_own_discards")):
        flags |= {name} if row[column] == 0 else set()
    for name, column in (("no_calls", "n_calls_before"), ("no_opponent_calls", "n_opponent_calls_before")):
        flags |= {name} if row[column] == 0 else set()
    flags |= {f"kan_chain_{n}" for n in (2, 3, 4) if row["n_kans_in_row"] >= n}
    flags |= {"last_tile"} if row["live_left"] == 0 else set()
    flags |= {"last_copy"} if row["n_visible"] == 3 else set()
    for tile, name in zip(RED_FIVES, ("red_man", "red_pin", "red_sou"), strict=True):
        flags |= {name} if plays_red and tile in tiles else set()
    return flags


def hand_of(chance: Chance, plays_red: bool) -> local_reference.Hand:
    everything = [*chance.concealed, *(tile for meld in chance.melds for tile in meld.tiles)]
    return local_reference.hand_of(
        {
            "concealed": [tile // 4 for tile in chance.concealed],
            "melds": [(meld.kind, meld.tiles[0] // 4) for meld in chance.melds],
            "win_kind": chance.tile // 4,
            "is_tsumo": chance.from_seat is None,
            "seat_wind": chance.row["seat_wind"],
            "round_wind": chance.row["round_wind"],
            "flags": flags_of(chance.row, everything, plays_red),
            "n_aka": chance.row["n_aka"],
        }
    )


def is_played(reading, hand, played) -> bool:
    """Whether a reading is a shape the ruleset knows."""
    if reading.form == "sets":
        return True
    return any(name in played and _counts(played[name], reading, hand) for name in SHAPES)


def _counts(condition, reading, hand) -> bool:
    function, value = condition
    worth = value.closed if hand_is_closed(hand) else value.open
    return worth.is_on and function(reading)


def hand_is_closed(hand) -> bool:
    return not any(block.called for block in hand.melds)


def standing_alone(hand, played) -> str:
    """win, no_yaku or no_shape."""
    readings = [r for r in local_reference.readings(hand) if is_played(r, hand, played)]
    if not readings:
        return "no_shape"
    for reading in readings:
        for function, value in played.values():
            worth = value.closed if hand_is_closed(hand) else value.open
            is_worth = worth.is_on and (worth.han > 0 or worth.units > 0 or worth.floor > 0)
            if is_worth and function(reading):
                return "win"
    return "no_yaku"


def standings(chances: list[Chance], rules, plays_red: bool) -> list[str]:
    """What each chance of a game is under a ruleset, as `analytics.latent.STANDINGS` names it, other claims aside."""
    played = conditions(rules)
    robs = rules["yaku.chankan.rob_closed_quad_for_kokushi"]
    found: list[str] = []
    passed: dict[tuple[int, int], list[Chance]] = {}
    for chance in chances:
        hand = hand_of(chance, plays_red)
        alone = standing_alone(hand, played)
        earlier = passed.setdefault((chance.round_no, chance.seat), [])
        if alone == "no_shape":
            found.append(alone)
            continue
        if chance.row["robbed"] == "ankan" and not robs:
            found.append("not_robbed")
            continue
        is_furiten = False
        if chance.from_seat is not None:
            is_furiten = any(
                before.row["is_riichi"] or before.row["n_own_draws"] == chance.row["n_own_draws"] for before in earlier
            ) or any(_completes(chance, kind, played) for kind in chance.river)
            earlier.append(chance)
        found.append("furiten" if is_furiten else alone)
    return found


def _completes(chance: Chance, kind: int, played) -> bool:
    """Whether a kind of the river completes the hand, by ron in an ordinary turn."""
    kinds = [tile // 4 for tile in chance.concealed[:-1]]
    if not forms([*kinds, kind], chance.melds):
        return False
    hand = local_reference.hand_of(
        {
            "concealed": [*kinds, kind],
            "melds": [(meld.kind, meld.tiles[0] // 4) for meld in chance.melds],
            "win_kind": kind,
            "is_tsumo": False,
        }
    )
    return any(is_played(reading, hand, played) for reading in local_reference.readings(hand))


def latent(chances: list[Chance], old, new, plays_red: bool, players: int) -> tuple[list[Chance], set[tuple[int, int]]]:
    """The latent wins of a game, the first of each round and seat, and the recorded wins they leave no room for."""
    before, after = standings(chances, old, plays_red), standings(chances, new, plays_red)
    tiles: dict[tuple[int, int], list[int]] = {}
    for index, chance in enumerate(chances):
        tiles.setdefault((chance.round_no, chance.seq), []).append(index)
    found, voided, done = [], set(), set()
    over: dict[int, int] = {}
    for (round_no, seq), here in tiles.items():
        claimed_old = [i for i in here if (chances[i].is_taken or chances[i].is_aborted) and before[i] == "win"]
        candidates = []
        for i in here:
            claims = sorted({*claimed_old, i})
            was_win = before[i] == "win" and i in _standing(claims, chances, old, players)
            if after[i] == "win" and not chances[i].is_taken and not was_win:
                candidates.append(i)
        claimed_new = [i for i in here if (chances[i].is_taken or chances[i].is_aborted) and after[i] == "win"]
        claims = sorted({*claimed_new, *candidates})
        stands = _standing(claims, chances, new, players)
        fresh = [i for i in candidates if i in stands and chances[i].is_connected]
        for i in fresh:
            if (round_no, chances[i].seat) not in done:
                found.append(chances[i])
                done.add((round_no, chances[i].seat))
        for i in here:
            if chances[i].is_taken and round_no in over and over[round_no] < seq:
                voided.add((round_no, chances[i].seat))
            if chances[i].is_taken and fresh and round_no not in over and i not in stands:
                voided.add((round_no, chances[i].seat))
        if fresh:
            over.setdefault(round_no, seq)
    return found, voided


def _standing(claims: list[int], chances: list[Chance], rules, players: int) -> list[int]:
    """Which of the claims on one tile stand."""
    if len(claims) <= 1:
        return claims
    if rules["payment.multiple_ron"] == "head_bump":
        return [min(claims, key=lambda i: (chances[i].seat - chances[i].from_seat) % players)]
    if len(claims) >= 3 and rules["round.triple_ron"] == "abort":
        return []
    return claims
