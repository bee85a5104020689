"""What the actions say about each win, whatever the recorded yaku say.

`circumstances` turns the tables of any source into the table of the same name, by column operations over the
whole batch. Below, a *round* is a row of `rounds`, a *place* a row of `actions`, and a *hand* the pair of a
round and a seat, numbered `4 * round + seat`. All actions of a round precede its wins, so what holds at the
win is what holds at the end of the round.

Definitions others disagree on:

- A kan or kita stands once its replacement tile is drawn. A robbed one never stood: it ends no ippatsu and is
  no call.
- A kita ends ippatsu and the first go-around like any call (Tenhou). A ron on it is not chankan (Tenhou).
- Riichi stands if nobody won on the declaration tile; the acceptance itself is not asked for, since some
  records leave it out.
- A riichi player whose declaration tile is called turns the next discard sideways instead, and the next again if
  that one is called. Neither is a declaration tile.
- Tiles in sight are the rivers, the melds of all seats, the indicators turned and the north tiles set aside. A robbed
  tile and its kan are shown: the other three copies are in sight.
- Paarenchan counts, definition 1, the rounds a player won in a row, dealer or not; definition 2, the rounds won in a
  row within the running own dealership; definition 3, the rounds of that dealership the dealer won or was tenpai in
  at its draw. An abortive draw is neither a win nor a draw with the dealer tenpai, whoever shows tenpai at it: it ends
  the row of 1 and 2 and leaves 3 as it is. Of an exhaustive draw that does not tell who was tenpai, that the
  dealership went on tells it. Counters on the table are not asked for. With two winners of a round each
  has its own count, and neither ends the other's: beside a dealer who wins the eighth, the other winner still met a
  dealer one short of it.
- Indicators in effect are the first of the round and those the actions turned, so that the order of turning,
  drawing and discarding is the platform's own. Tenhou turns the indicator of a called or added kan just
  before the discard: a ron on that discard counts it, a win on the replacement tile does not.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from parsers.schema import ACTION_KINDS, CIRCUMSTANCES, DRAW_KINDS, MELD_KINDS, codes, conform, words

DRAW, DISCARD, RIICHI = (ACTION_KINDS.index(word) for word in ("draw", "discard", "riichi"))
DORA, KITA = (ACTION_KINDS.index(word) for word in ("dora", "kita"))
CHI, PON = (ACTION_KINDS.index(word) for word in ("chi", "pon"))
DAIMINKAN, ANKAN, KAKAN = KANS = [ACTION_KINDS.index(word) for word in ("daiminkan", "ankan", "kakan")]
CALLS = [CHI, PON, *KANS, KITA]
LIVE_TILES = {4: 136 - 14 - 4 * 13, 3: 108 - 14 - 3 * 13}
NORTH = 30
NO_TILE = 255
NO_KIND = 34

NOT_RECORDED = (
    "is_open_riichi",
    "is_pon_riichi",
    "is_tsumosen_riichi",
    "is_bunbun_riichi",
    "is_loser_riichi_before_open",
)
"""Columns that no source read so far tells anything about: null throughout."""


def _among(members: list[int]) -> np.ndarray:
    """A lookup by kind of action; the last entry answers for "no action" (-1)."""
    return np.isin(np.arange(len(ACTION_KINDS) + 1), members)


IS_MOVE = _among([DRAW, DISCARD, RIICHI, *CALLS])
IS_CALL = _among(CALLS)
IS_KAN = _among(KANS)
IS_CLAIM = _among([CHI, PON, DAIMINKAN])
IS_REPLACED = _among([*KANS, KITA])
IS_PLAYED_OUT = np.array([word in ("exhaustive", "nagashi_mangan") for word in DRAW_KINDS])

N_SHOWN = np.zeros(len(ACTION_KINDS), np.int64)  # tiles an action puts on the table, discards aside
N_SHOWN[[KAKAN, KITA, DORA]] = 1
N_SHOWN[[CHI, PON]] = 3
N_SHOWN[[DAIMINKAN, ANKAN]] = 4

KIND_OF_TILE = np.array([*range(34), 4, 13, 22])
KIND_OR_NONE = np.append(KIND_OF_TILE, np.full(NO_TILE + 1 - len(KIND_OF_TILE), NO_KIND))


def _dora_of(players: int) -> np.ndarray:
    """The dora kind by indicator tile 0-36, `NO_KIND` for none; three players skip 2m-8m."""
    following = np.arange(34) + 1
    for first, last in ((0, 8), (9, 17), (18, 26), (27, 30), (31, 33)):
        following[last] = first
    if players == 3:
        following[0] = 8
    lookup = np.full(NO_TILE + 1, NO_KIND)
    lookup[: len(KIND_OF_TILE)] = following[KIND_OF_TILE]
    return lookup


DORA_OF = {players: _dora_of(players) for players in LIVE_TILES}


def circumstances(tables: Mapping[str, pa.Table]) -> pa.Table:
    """The table `circumstances`: one row per row of `wins`, in its order.

    Parameters
    ----------
    tables : mapping
        The tables games, rounds, actions, wins and draws of one batch, rows in any order.

    Raises
    ------
    ValueError
        A win, a draw or an action belongs to no row of `rounds`, or a round to no row of `games`.
    """
    rounds, wins = tables["rounds"], tables["wins"]
    keys = Keys.of(rounds)
    play = Play.of(tables["actions"], keys)
    row = keys.rows(wins, "wins")
    idle = row[play.start[row] == play.end[row]]
    if len(idle):
        play = Play.of(_with_idle(tables["actions"], rounds, np.unique(idle)), keys)
    return _told(tables, wins, keys, play, np.arange(len(rounds)), row)


def circumstances_as_of(tables: Mapping[str, pa.Table], hands: pa.Table, place: np.ndarray) -> pa.Table:
    """The same for hands that were complete at any place of their round: what the actions up to it say.

    Parameters
    ----------
    tables : mapping
        As for `circumstances`.
    hands : table
        The columns of `wins` that tell a hand, its winner and its loser.
    place : int64 (len(hands))
        The last action that counts, as a place of `Play.of(tables["actions"], Keys.of(tables["rounds"]))`.
    """
    keys = Keys.of(tables["rounds"])
    row = keys.rows(hands, "hands")
    play = Play.of(tables["actions"], keys).up_to(row, place)
    return _told(tables, hands, keys, play, row, np.arange(len(row)))


def _told(
    tables: Mapping[str, pa.Table], wins: pa.Table, keys: Keys, play: Play, rows: np.ndarray, at: np.ndarray
) -> pa.Table:
    """What `play` says about wins at its end: each in the round `at` of it, which is the row `rows[at]` of `rounds`."""
    rounds, row = tables["rounds"], rows[at]
    winner = _ints(wins, "winner")
    loser = _ints(wins, "loser", -1)
    is_tsumo = wins["is_tsumo"].to_numpy()
    dealer = _ints(rounds, "dealer")[row]
    players = _players(tables["games"], rounds)[row]
    mine = 4 * at + winner
    theirs = 4 * at + loser  # meaningless on a self-draw

    # The end of the round, read backwards.
    last = play.move_before(play.end[at], at)
    second = play.move_before(last, at)
    last_kind, second_kind = play.kind_at(last, at), play.kind_at(second, at)
    is_robbed = ~is_tsumo & IS_REPLACED[last_kind]
    is_on_discard = ~is_tsumo & (last_kind == DISCARD)
    is_rinshan = is_tsumo & IS_REPLACED[second_kind]
    is_declaration_tile = is_on_discard & (second_kind == RIICHI)
    drawn = np.where(is_declaration_tile, play.move_before(second, at), second)
    drawn_for = play.kind_at(play.move_before(drawn, at), at)
    is_after_kan = is_on_discard & IS_KAN[drawn_for]

    # Counts.
    draws, discards, calls = play.places(DRAW), play.places(DISCARD), np.flatnonzero(IS_CALL[play.kind])
    n_draws, n_discards = play.per_hand(draws), play.per_hand(discards)
    is_first_discard_of_loser = is_on_discard & (n_discards[theirs] == 1)
    last_discard = play.last_by_hand(discards)
    live_left = np.where(players == 3, LIVE_TILES[3], LIVE_TILES[4]) - n_draws.reshape(-1, 4).sum(axis=1)[at]
    kans = np.flatnonzero(IS_KAN[play.kind])
    kans = kans[kans > last_discard[play.hand[kans]]]  # a kan since then leads to rinshan
    n_kans = play.per_hand(kans)[mine]
    n_concealed_kans = play.per_hand(kans[play.kind[kans] == ANKAN])[mine]
    n_kita = play.per_hand(play.places(KITA))[mine]

    # Calls that stood.
    first_call = np.searchsorted(calls, play.start[at])
    n_calls = np.searchsorted(calls, play.end[at]) - first_call - is_robbed
    n_own_calls = play.per_hand(calls)[mine]
    call_place = np.append(calls, len(play.kind))
    first_call_place = np.where(n_calls > 0, call_place[first_call], len(play.kind))
    last_call_place = np.where(n_calls > 0, call_place[first_call + np.maximum(n_calls, 1) - 1], -1)
    is_untouched = is_tsumo & (n_draws[mine] == 1) & (n_calls == 0)

    # Riichi.
    declared = play.last_by_hand(play.places(RIICHI))
    declared_mine = declared[mine]
    is_riichi = declared_mine >= 0
    is_first_discard = play.first_by_hand(discards)[mine] > declared_mine
    is_ippatsu = (last_discard[mine] == play.move_after(declared_mine, at)) & (last_call_place < declared_mine)
    n_declared = (declared.reshape(-1, 4) >= 0).sum(axis=1)[at]
    n_riichi_others = n_declared - is_riichi - is_declaration_tile

    # What lies on the table.
    is_called = np.zeros(len(play.kind), bool)
    is_called[play.called(calls)] = True
    river = discards[~is_called[discards]]
    n_since = play.per_hand(river[river > declared[play.hand[river]]])[theirs]
    is_sideways = is_on_discard & (declared[theirs] >= 0) & (n_since == 1)  # the first since declared that stayed
    first_indicator = _matrix(rounds["dora_indicators"], 1)[:, 0]
    in_sight = play.in_sight(river, np.append(calls, play.places(DORA)), first_indicator[rows])
    win_kind = KIND_OF_TILE[wins["win_tile"].to_numpy()]
    # But for the winning tile itself, which an edited record may not hold among the discards.
    n_visible = np.maximum(in_sight[at, win_kind] - np.where(is_tsumo, 0, 1), 0)

    counts = _counts(tables, keys, row, winner)
    dora = _dora(first_indicator[row], wins, play, at, players, n_kita, is_riichi)
    return conform(
        pa.table(
            {
                "game": wins["game"],
                "round_no": wins["round_no"],
                "winner": wins["winner"],
                "players": players,
                "seat_wind": (winner - dealer) % players,
                "round_wind": _ints(rounds, "wind")[row],
                "is_riichi": is_riichi,
                "is_double_riichi": is_riichi & is_first_discard & (first_call_place > declared_mine),
                **dict.fromkeys(NOT_RECORDED, pa.nulls(len(wins), pa.bool_())),
                "is_ippatsu": is_riichi & is_ippatsu,
                "is_haitei": is_tsumo & (live_left == 0) & ~is_rinshan,
                "is_houtei": is_on_discard & (live_left == 0),
                "is_rinshan": is_rinshan,
                "is_chankan": is_robbed & IS_KAN[last_kind],
                "is_tenhou": is_untouched & (winner == dealer),
                "is_chiihou": is_untouched & (winner != dealer),
                "n_own_draws": n_draws[mine],
                "n_own_discards": n_discards[mine],
                "n_calls_before": n_calls,
                "n_opponent_calls_before": n_calls - n_own_calls,
                "is_declaration_tile": is_declaration_tile,
                "is_replacement_sideways": is_sideways & ~is_declaration_tile,
                "is_double_declaration": is_declaration_tile & is_first_discard_of_loser & (n_calls == 0),
                "is_after_kan_discard": is_after_kan,
                "n_kans_in_row": n_kans,
                "is_concealed_kan_chain": (n_kans > 0) & (n_concealed_kans == n_kans),
                "rinshan_kan": words(second_kind, ACTION_KINDS, missing=~is_rinshan),
                "robbed": words(last_kind, ACTION_KINDS, missing=~is_robbed),
                "is_loser_riichi": ~is_tsumo & (declared[theirs] >= 0) & ~is_declaration_tile,
                "is_loser_dealer": loser == dealer,
                "is_riichi_before": n_riichi_others > 0,
                "is_dealer_first_discard": is_first_discard_of_loser & (loser == dealer),
                "is_first_go_around": is_first_discard_of_loser & (n_calls == 0),
                "n_visible": n_visible,
                "live_left": live_left,
                "turn": n_discards[mine] + is_tsumo,
                **counts,
                **dora,
                "n_kita": n_kita,
            }
        ),
        CIRCUMSTANCES,
    )


def _with_idle(actions: pa.Table, rounds: pa.Table, idle: np.ndarray) -> pa.Table:
    """The actions, and one that moves nothing in the rounds that record a result without any play."""
    n = len(idle)
    columns = {field.name: pa.nulls(n, field.type) for field in actions.schema}
    columns |= {name: rounds[name].combine_chunks().take(pa.array(idle)) for name in ("game", "round_no")}
    columns["seq"], columns["seat"] = pa.array(np.zeros(n), pa.int16()), pa.array(np.zeros(n), pa.int8())
    columns["kind"] = words(np.full(n, ACTION_KINDS.index("disconnect")), ACTION_KINDS)
    return pa.concat_tables([actions, pa.table(columns).cast(actions.schema)]).unify_dictionaries()


def _ints(table: pa.Table, name: str, null: int | None = None) -> np.ndarray:
    """A column as int64, ready for arithmetic, `null` standing for its nulls."""
    column = table[name] if null is None else table[name].fill_null(null)
    return column.to_numpy().astype(np.int64)


@dataclass
class Keys:
    """Which row of `rounds` a (game, round_no) is."""

    games: np.ndarray  # distinct, sorted
    keys: np.ndarray  # of the rows of rounds, sorted
    order: np.ndarray  # row of rounds by sorted key

    @classmethod
    def of(cls, rounds: pa.Table) -> Keys:
        games, game = np.unique(rounds["game"].to_numpy(), return_inverse=True)
        keys = (game << 16) + _ints(rounds, "round_no")
        order = np.argsort(keys, kind="stable")
        return cls(games, keys[order], order)

    def rows(self, table: pa.Table, name: str) -> np.ndarray:
        return self.find(table["game"].to_numpy(), _ints(table, "round_no"), name)

    def find(self, game: np.ndarray, round_no: np.ndarray, name: str) -> np.ndarray:
        position, is_game = _position(self.games, game)
        row, is_round = _position(self.keys, (position << 16) + round_no)
        lost = np.flatnonzero(~(is_game & is_round))
        if len(lost):
            raise ValueError(f"{name}: game {game[lost[0]]} round {round_no[lost[0]]} is not among the rounds")
        return self.order[row]


def _position(values: np.ndarray, wanted: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where in sorted values each wanted one stands, and whether it does."""
    position = np.searchsorted(values, wanted)
    is_there = position < len(values)
    is_there[is_there] = values[position[is_there]] == wanted[is_there]
    return position, is_there


def _players(games: pa.Table, rounds: pa.Table) -> np.ndarray:
    """Three or four, by round."""
    game, wanted = games["game"].to_numpy(), rounds["game"].to_numpy()
    order = np.argsort(game)
    row, is_there = _position(game[order], wanted)
    if not is_there.all():
        raise ValueError(f"rounds: game {wanted[~is_there][0]} is not among the games")
    return _ints(games, "players")[order[row]]


@dataclass
class Play:
    """The actions of a batch in order of play; a move is one that is part of the play itself."""

    kind: np.ndarray  # code in ACTION_KINDS
    hand: np.ndarray  # 4 * round + seat; meaningless for an indicator
    tile: np.ndarray
    meld_kind: np.ndarray
    meld_red: np.ndarray  # 0 where there is no meld
    from_seat: np.ndarray  # -1 for none
    seq: np.ndarray
    start: np.ndarray  # by round, first place
    end: np.ndarray  # by round, one past the last place

    @classmethod
    def of(cls, actions: pa.Table, keys: Keys) -> Play:
        game, round_no = actions["game"].to_numpy(), actions["round_no"].to_numpy()
        seq = actions["seq"].to_numpy()
        kind = codes(actions["kind"], ACTION_KINDS)
        seat = actions["seat"].fill_null(0).to_numpy()
        tile = actions["tile"].fill_null(NO_TILE).to_numpy()
        meld_kind = actions["meld_kind"].fill_null(NO_KIND).to_numpy()
        meld_red = actions["meld_red"].fill_null(0).to_numpy()
        from_seat = actions["from_seat"].fill_null(-1).to_numpy()
        is_new = np.ones(len(kind), bool)
        is_new[1:] = (game[1:] != game[:-1]) | (round_no[1:] != round_no[:-1])
        start = np.flatnonzero(is_new)
        at = keys.find(game[start], round_no[start].astype(np.int64), "actions")
        if len(np.unique(at)) < len(at) or not (is_new[1:] | (seq[1:] > seq[:-1])).all():
            order = np.lexsort((seq, round_no, game))
            if (order == np.arange(len(order))).all():
                raise ValueError("actions: two of one round have the same place in it")
            return cls.of(actions.take(pa.array(order)), keys)
        n_rounds = len(keys.order)
        starts, ends = np.zeros(n_rounds, np.int64), np.zeros(n_rounds, np.int64)
        starts[at], ends[at] = start, np.append(start[1:], len(kind))
        hand = np.repeat(4 * at, ends[at] - start)
        hand += seat
        return cls(kind, hand, tile, meld_kind, meld_red, from_seat, seq, starts, ends)

    def up_to(self, row: np.ndarray, place: np.ndarray) -> Play:
        """A round for each of these places: the actions of its round, a row of `rounds`, up to and with the place."""
        first = self.start[row]
        length = place + 1 - first
        end = np.cumsum(length)
        start = end - length
        of = np.repeat(np.arange(len(row)), length)
        source = np.arange(len(of)) + (first - start)[of]
        columns = {f.name: getattr(self, f.name)[source] for f in fields(self)[:-2]}
        columns["hand"] += (4 * (np.arange(len(row)) - row))[of]
        return Play(**columns, start=start, end=end)

    def places(self, kind: int) -> np.ndarray:
        return np.flatnonzero(self.kind == kind)

    def per_hand(self, places: np.ndarray) -> np.ndarray:
        return np.bincount(self.hand[places], minlength=4 * len(self.start))

    def last_by_hand(self, places: np.ndarray) -> np.ndarray:
        """The last of these places, -1 where there is none."""
        last = np.full(4 * len(self.start), -1)
        np.maximum.at(last, self.hand[places], places)
        return last

    def first_by_hand(self, places: np.ndarray) -> np.ndarray:
        """The first of these places, the number of actions where there is none."""
        first = np.full(4 * len(self.start), len(self.kind))
        np.minimum.at(first, self.hand[places], places)
        return first

    def kind_at(self, place: np.ndarray, at: np.ndarray) -> np.ndarray:
        """Kind of action, -1 before the round began."""
        return np.where(place >= self.start[at], self.kind[place], -1)

    def move_before(self, place: np.ndarray, at: np.ndarray) -> np.ndarray:
        """The last move of the round before a place; one before the round's first place if there is none."""
        start = self.start[at]
        place = np.maximum(place, start) - 1
        while (is_idle := (place >= start) & ~IS_MOVE[self.kind[place]]).any():
            place = place - is_idle
        return place

    def move_after(self, place: np.ndarray, at: np.ndarray) -> np.ndarray:
        """The first move of the round after a place; the round's last place if there is none."""
        last = self.end[at] - 1
        place = np.minimum(place + 1, last)
        while (is_idle := (place < last) & ~IS_MOVE[self.kind[place]]).any():
            place = place + is_idle
        return place

    def called(self, calls: np.ndarray) -> np.ndarray:
        """The places of the discards these calls took."""
        claims = calls[IS_CLAIM[self.kind[calls]]]
        return self.move_before(claims, self.hand[claims] // 4)

    def in_sight(self, river: np.ndarray, others: np.ndarray, first_indicator: np.ndarray) -> np.ndarray:
        """Tiles on the table at the end of each round, by kind; the column after the last kind is for no tile.

        `river` are the places of discards nobody called, `others` those of calls and of indicators turned.
        """
        n = N_SHOWN[self.kind[others]]
        tile_no = np.arange(n.sum()) - np.repeat(np.cumsum(n) - n, n)
        others = np.repeat(others, n)
        is_run = self.kind[others] == CHI
        kind = np.where(is_run, self.meld_kind[others] + tile_no, KIND_OR_NONE[self.tile[others]])
        kind = np.minimum(kind, NO_KIND)
        n_rounds = len(self.start)
        index = np.concatenate([self.hand[river], self.hand[others], 4 * np.arange(n_rounds)]) // 4 * (NO_KIND + 1)
        index += np.concatenate([KIND_OR_NONE[self.tile[river]], kind, KIND_OR_NONE[first_indicator]])
        return np.bincount(index, minlength=n_rounds * (NO_KIND + 1)).reshape(n_rounds, NO_KIND + 1)


def _counts(tables: Mapping[str, pa.Table], keys: Keys, row: np.ndarray, winner: np.ndarray) -> dict[str, np.ndarray]:
    """The columns of streaks and of paarenchan, from how the rounds of a game ended one after the other.

    `row` and `winner` are the rows of `rounds` and the seats that are asked for.
    """
    every = np.arange(len(keys.order))
    rank = np.empty_like(every)  # of a row of rounds in order of games and play
    rank[keys.order] = every
    dealer = _ints(tables["rounds"], "dealer")[keys.order]
    is_apart = np.ones(len(every), bool)  # does not follow on the round before
    is_apart[1:] = np.diff(keys.keys) != 1
    is_new = is_apart.copy()  # another dealership
    is_new[1:] |= np.diff(dealer) != 0

    has_won = np.zeros((len(every), 4), bool)
    recorded = tables["wins"]
    has_won[rank[keys.rows(recorded, "wins")], _ints(recorded, "winner")] = True
    has_dealer_won = has_won[every, dealer]
    draws = tables["draws"]
    drawn = rank[keys.rows(draws, "draws")]
    is_tenpai = np.stack([draws[f"is_tenpai_{seat}"].fill_null(True).to_numpy() for seat in range(4)], axis=1)
    is_tenpai = is_tenpai[np.arange(len(draws)), dealer[drawn]] & IS_PLAYED_OUT[codes(draws["kind"], DRAW_KINDS)]
    is_kept = has_dealer_won.copy()
    is_kept[drawn] |= is_tenpai

    of_seat = _row_before(has_won, is_apart)
    n_kept = np.cumsum(is_kept) - is_kept
    of_dealer = (of_seat[every, dealer], _row_before(has_dealer_won, is_new), n_kept - n_kept[_start(is_new)])

    at = rank[row]
    is_dealer = winner == dealer[at]
    of_winner = (of_seat[at, winner], of_dealer[1][at] * is_dealer, of_dealer[2][at] * is_dealer)
    is_holder = of_seat % 8 == 7
    columns = {
        "win_streak": of_winner[0] + 1,
        "dealer_streak": of_winner[1] + is_dealer,
        "is_holder_eighth_1": is_holder.sum(axis=1)[at] > is_holder[at, winner],
    }
    for number, before, theirs in zip((1, 2, 3), of_winner, of_dealer, strict=True):
        columns |= {
            f"n_count_{number}": before,
            f"is_eighth_{number}": before % 8 == 7,
            f"is_beyond_eighth_{number}": before >= 7,
            f"is_dealer_eighth_{number}": ~is_dealer & (theirs[at] % 8 == 7),
        }
    return columns


def _start(is_new: np.ndarray) -> np.ndarray:
    """For each row the first row of its stretch; a stretch begins where `is_new`."""
    return np.maximum.accumulate(np.where(is_new, np.arange(len(is_new)), 0))


def _row_before(counts: np.ndarray, is_new: np.ndarray) -> np.ndarray:
    """How many rows of the same stretch directly before each row count, column by column."""
    every = np.arange(len(counts)).reshape(-1, *[1] * (counts.ndim - 1))
    after_break = np.maximum.accumulate(np.where(counts, 0, every + 1), axis=0)
    after_break = np.concatenate([np.zeros_like(after_break[:1]), after_break[:-1]])
    return every - np.maximum(after_break, _start(is_new).reshape(every.shape))


def _matrix(column: pa.ChunkedArray, width: int) -> np.ndarray:
    """A list column as rows of `width` tiles, `NO_TILE` where a list is shorter or null."""
    matrix = np.full((len(column), width), NO_TILE, np.uint8)
    lists = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
    row = pc.list_parent_indices(lists).to_numpy()
    length = np.bincount(row, minlength=len(column))
    place = np.arange(len(row)) - np.repeat(np.cumsum(length) - length, length)
    fits = place < width
    matrix[row[fits], place[fits]] = lists.flatten().to_numpy()[fits]
    return matrix


def _dora(
    first_indicator: np.ndarray,
    wins: pa.Table,
    play: Play,
    at: np.ndarray,
    players: np.ndarray,
    n_kita: np.ndarray,
    is_riichi: np.ndarray,
) -> dict[str, np.ndarray | pa.Array]:
    """The columns of dora: of the first and the later indicators, above and below, and the red fives."""
    tiles = _matrix(wins["concealed"], 14)
    held, n_aka = _held(wins, tiles)
    held[:, NORTH] += n_kita

    turned = play.places(DORA)
    first, beyond = np.searchsorted(turned, play.start[at]), np.searchsorted(turned, play.end[at])
    indicators = np.full((len(wins), 1 + np.max(beyond - first, initial=0)), NO_TILE, np.uint8)
    indicators[:, 0] = first_indicator
    turned_tile = np.append(play.tile[turned], NO_TILE)
    for later in range(1, indicators.shape[1]):
        place = first + later - 1
        indicators[:, later] = turned_tile[np.where(place < beyond, place, len(turned))]

    ura = _matrix(wins["ura_indicators"], indicators.shape[1])
    ura[indicators == NO_TILE] = NO_TILE
    ura[~is_riichi] = NO_TILE
    is_hidden = is_riichi & wins["ura_indicators"].is_null().to_numpy()

    def matches(turned: np.ndarray) -> np.ndarray:
        kind = np.where(players[:, None] == 3, DORA_OF[3][turned], DORA_OF[4][turned])
        return np.take_along_axis(held, kind, axis=1)

    above, below = matches(indicators), matches(ura)
    return {
        "n_dora": above[:, 0],
        "n_kan_dora": above[:, 1:].sum(axis=1),
        "n_ura": pa.array(below[:, 0], mask=is_hidden),
        "n_kan_ura": pa.array(below[:, 1:].sum(axis=1), mask=is_hidden),
        "n_aka": n_aka,
    }


def _held(wins: pa.Table, concealed: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Tiles of each kind in the hand, melds and all four of a kan included, and the red fives among them.

    The column after the last kind stands for no tile and is 0.
    """
    n_wins = len(wins)
    index = KIND_OR_NONE[concealed] + (NO_KIND + 1) * np.arange(n_wins)[:, None]
    held = np.bincount(index.ravel(), minlength=n_wins * (NO_KIND + 1)).reshape(n_wins, NO_KIND + 1)
    n_aka = np.sum((concealed >= 34) & (concealed != NO_TILE), axis=1)
    chi, pon = MELD_KINDS.index("chi"), MELD_KINDS.index("pon")
    for slot in range(1, 5):
        meld = codes(wins[f"meld_{slot}"], MELD_KINDS)
        lowest = _ints(wins, f"meld_{slot}_kind", NO_KIND)
        is_run = np.flatnonzero(meld == chi)
        for step in range(3):
            held[is_run, lowest[is_run] + step] += 1
        is_set = np.flatnonzero(meld >= pon)
        held[is_set, lowest[is_set]] += np.where(meld[is_set] == pon, 3, 4)
        n_aka += _ints(wins, f"meld_{slot}_red", 0)
    held[:, NO_KIND] = 0
    return held, n_aka
