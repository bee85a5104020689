"""Event columns → the tables of a store.

No source's word is known here: whatever made the `Batch`, its tables are made the same way.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pyarrow as pa

from . import schema
from .events import KIND, NO_POINTS, NO_TILE, Actions, Batch, Lists, Reject, Rounds, Wins

STICK = 1000
_LIVE_WALL = {3: 55, 4: 70}


def tables(batch: Batch) -> dict[str, pa.Table]:
    """All tables but circumstances and walls, each conforming to its schema."""
    games, rounds, actions, wins, draws = batch.games, batch.rounds, batch.actions, batch.wins, batch.draws
    n_games, n_rounds = len(games.game), len(rounds.game)
    game_of_round = games.game[rounds.game]
    three = games.players == 3
    absent = three[rounds.game]  # whether seat 3 is
    n_per_game = np.bincount(rounds.game, minlength=n_games)
    first = np.cumsum(n_per_game) - n_per_game
    round_no = (np.arange(n_rounds) - first[rounds.game]).astype(np.int16)

    draws_of_round = np.bincount(actions.round[actions.kind == KIND["draw"]], minlength=n_rounds)
    live_left = np.where(absent, _LIVE_WALL[3], _LIVE_WALL[4]) - draws_of_round
    delta = _round_delta(batch)
    end = np.zeros(n_rounds, np.int8)
    end[draws.round] = draws.kind + 1

    n_actions = len(actions.round)
    per_round = np.bincount(actions.round, minlength=n_rounds)
    start = np.cumsum(per_round) - per_round

    win_absent = absent[wins.round]
    per_round_wins = np.bincount(wins.round, minlength=n_rounds)
    win_no = np.arange(len(wins.round)) - (np.cumsum(per_round_wins) - per_round_wins)[wins.round]

    made = {
        "games": {
            "game": games.game,
            "source_id": pa.array(games.source_id, pa.string()),
            "play_hash": play_hash(batch),
            "path": pa.array(games.path, pa.string()),
            "source": schema.words(np.full(n_games, schema.SOURCES.index(batch.source)), schema.SOURCES),
            "players": games.players,
            "length": schema.words(games.is_south, ("east", "south")),
            "ruleset": pa.array(games.ruleset, pa.string()),
            "flags": _column(games.flags, games.flags < 0),
            "room": pa.array(games.room, pa.string()),
            "lobby": _column(games.lobby, games.lobby < 0),
            "start_time": pa.array(games.start_time),
            "n_rounds": n_per_game.astype(np.int16),
            "is_complete": games.final_points[:, 0] != NO_POINTS,
            "defects": pa.array(["; ".join(found) or None for found in games.defects], pa.string()),
            "duplicate_of": pa.nulls(n_games, pa.int64()),
        },
        "seats": _seats(batch, first),
        "rounds": {
            "game": game_of_round,
            "round_no": round_no,
            "wind": rounds.wind,
            "dealer": rounds.dealer,
            "honba": rounds.honba,
            "sticks": rounds.sticks,
            **_per_seat("points", rounds.points, absent),
            **{f"hand_{seat}": _hands(rounds.hands[:, seat]) for seat in range(4)},
            "dora_indicators": _list(_round_dora(rounds, actions)),
            "ura_indicators": _list(_round_ura(n_rounds, wins)),
            "end": schema.words(end, schema.ROUND_ENDS),
            **_per_seat("delta", delta, absent),
            "live_left": live_left.astype(np.int16),
        },
        "actions": {
            "game": np.repeat(game_of_round, per_round),
            "round_no": np.repeat(round_no, per_round),
            "seq": (np.arange(n_actions) - np.repeat(start, per_round)).astype(np.int16),
            "seat": _column(actions.seat, actions.seat < 0),
            "kind": schema.words(actions.kind, schema.ACTION_KINDS),
            "tile": _column(actions.tile, actions.tile == NO_TILE),
            "copy": _column(actions.copy, actions.copy == NO_TILE),
            "from_seat": _column(actions.from_seat, actions.from_seat < 0),
            "meld_kind": _column(actions.meld_kind, actions.meld_kind == NO_TILE),
            "meld_red": _column(actions.meld_red, actions.meld_red < 0),
            "is_tsumogiri": _column(actions.is_tsumogiri == 1, actions.is_tsumogiri < 0),
        },
        "wins": {
            "game": game_of_round[wins.round],
            "round_no": round_no[wins.round],
            "winner": wins.winner,
            "win_no": win_no.astype(np.int8),
            "loser": _column(wins.loser, wins.loser < 0),
            "is_tsumo": wins.loser < 0,
            "concealed": _list(wins.concealed, is_null=None),
            "win_tile": wins.win_tile,
            **_meld_slots(actions, wins, n_rounds),
            "dora_indicators": _list(wins.dora, is_null=None),
            "ura_indicators": _list(wins.ura),
            "fu": _column(wins.fu, wins.fu < 0),
            "han": _column(wins.han, wins.han < 0),
            "limit": schema.words(np.maximum(wins.limit, 0), schema.LIMITS, missing=wins.limit < 0),
            "points": _column(wins.points, wins.points == NO_POINTS),
            "liable": _column(wins.liable, wins.liable < 0),
            "honba_paid": _column(wins.honba, wins.honba < 0),
            "sticks_paid": _column(wins.sticks, wins.sticks < 0),
            **_per_seat("delta", wins.delta, win_absent),
        },
        "win_yaku": _win_yaku(batch, game_of_round, round_no),
        "draws": {
            "game": game_of_round[draws.round],
            "round_no": round_no[draws.round],
            "kind": schema.words(draws.kind, schema.DRAW_KINDS),
            **{
                f"is_tenpai_{seat}": _column(draws.is_tenpai[:, seat] == 1, draws.is_tenpai[:, seat] < 0)
                for seat in range(4)
            },
            **_per_seat("is_nagashi", draws.is_nagashi, absent[draws.round]),
            **_per_seat("delta", draws.delta, absent[draws.round]),
        },
    }
    conforming = {name: schema.conform(pa.table(columns), schema.TABLES[name]) for name, columns in made.items()}
    return {**conforming, "rejects": rejects(batch.rejects, batch.source)}


def _bitmap(flags: np.ndarray) -> pa.Buffer:
    return pa.py_buffer(np.packbits(flags, bitorder="little"))


def _column(values: np.ndarray, is_null: np.ndarray) -> pa.Array:
    """An Arrow column with nulls; no value is copied but those of booleans."""
    valid = _bitmap(~is_null) if is_null.any() else None
    if values.dtype == bool:
        return pa.Array.from_buffers(pa.bool_(), len(values), [valid, _bitmap(values)])
    values = np.ascontiguousarray(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [valid, pa.py_buffer(values)])


def _per_seat(name: str, values: np.ndarray, absent: np.ndarray) -> dict[str, pa.Array]:
    """Four columns; of seat 3 null where it is absent."""
    nobody = np.zeros(len(values), bool)
    return {
        f"{name}_{seat}": _column(np.ascontiguousarray(values[:, seat]), absent if seat == 3 else nobody)
        for seat in range(4)
    }


def _list(lists: Lists, *, is_null: np.ndarray | str | None = "empty") -> pa.Array:
    """An Arrow column of lists of tiles; an empty list is null unless `is_null` is None."""
    offsets = pa.array(lists.offsets.astype(np.int32, copy=False))
    values = pa.array(lists.values.astype(np.uint8, copy=False))
    mask = None if is_null is None else pa.array(lists.lengths == 0)
    return pa.ListArray.from_arrays(offsets, values, mask=mask)


def _hands(hands: np.ndarray) -> pa.Array:
    """Thirteen tiles per row; null for a row of none."""
    present = hands[:, 0] != NO_TILE
    return _list(Lists.of_lengths(np.where(present, 13, 0), hands[present].ravel()))


def _round_dora(rounds: Rounds, actions: Actions) -> Lists:
    """The first indicator of each round and those turned later."""
    turned = actions.kind == KIND["dora"]
    row = np.concatenate([np.arange(len(rounds.game)), actions.round[turned]])
    order = np.argsort(row, kind="stable")
    tiles = np.concatenate([rounds.dora, actions.tile[turned]])[order]
    return Lists.of_lengths(np.bincount(row, minlength=len(rounds.game)), tiles)


def _round_ura(n_rounds: int, wins: Wins) -> Lists:
    """Ura indicators of each round: those of its first win that shows them."""
    lengths = wins.ura.lengths
    shown = np.flatnonzero(lengths)
    rounds, first = np.unique(wins.round[shown], return_index=True)
    chosen = np.zeros(len(lengths), bool)
    chosen[shown[first]] = True
    of_round = np.zeros(n_rounds, np.int64)
    of_round[rounds] = lengths[shown[first]]
    return Lists.of_lengths(of_round, wins.ura.values[np.repeat(chosen, lengths)])


def _round_delta(batch: Batch) -> np.ndarray:
    """Points won or lost in each round, from the points the record gives before and after it.

    After a round stand the points the next one begins with, after the last of a game those at its end. What
    does not agree with the recorded wins, draws and riichi sticks becomes a defect of the game.
    """
    rounds, wins, draws, actions = batch.rounds, batch.wins, batch.draws, batch.actions
    after = rounds.points_after.copy()
    followed = np.flatnonzero(rounds.game[1:] == rounds.game[:-1])
    after[followed] = rounds.points[followed + 1]
    delta = after - rounds.points

    paid = np.zeros_like(delta)
    for part in (wins, draws):
        np.add.at(paid, part.round, part.delta)
    accepted = actions.kind == KIND["riichi_accepted"]
    np.subtract.at(paid, (actions.round[accepted], actions.seat[accepted]), STICK)
    n_before = np.bincount(rounds.game, minlength=len(batch.games.game))
    start = np.cumsum(n_before) - n_before
    for row in np.flatnonzero((paid != delta).any(1) | (after != rounds.points_after).any(1)).tolist():
        game = int(rounds.game[row])
        batch.games.defects[game].append(f"points of round {row - int(start[game])} do not add up")
    return delta


def _seats(batch: Batch, first: np.ndarray) -> dict[str, pa.Array | np.ndarray]:
    games = batch.games
    n = len(games.game)
    present = np.ones((n, 4), bool)
    present[games.players == 3, 3] = False
    present = present.ravel()
    final = games.final_points
    ranked = np.where(present.reshape(n, 4), final, NO_POINTS).astype(np.int64) * 4 - np.arange(4)
    placement = (ranked[:, :, None] < ranked[:, None, :]).sum(2).astype(np.int8) + 1

    def flat(values: np.ndarray) -> np.ndarray:
        return np.ascontiguousarray(values.reshape(-1)[present])

    final_points, chips, grade, rating, result = map(
        flat, (final, games.chips, games.grade, games.rating, games.result)
    )
    return {
        "game": np.repeat(games.game, 4)[present],
        "seat": np.tile(np.arange(4, dtype=np.int8), n)[present],
        "player": pa.array(games.names, pa.string()).filter(pa.array(present)),
        "grade": _column(grade, grade < 0),
        "rating": _column(rating, np.isnan(rating)),
        "start_points": flat(batch.rounds.points[first]),
        "final_points": _column(final_points, final_points == NO_POINTS),
        "placement": _column(flat(placement), final_points == NO_POINTS),
        "result": _column(result, np.isnan(result)),
        "chips": _column(chips, chips == NO_POINTS),
    }


def _meld_slots(actions: Actions, wins: Wins, n_rounds: int) -> dict[str, pa.Array]:
    """The melds of each winner in call order, and the tiles it set aside.

    An added kan stays in the slot of its triplet: who fed it and with what does not change.
    """
    n = len(wins.round)
    win_of_seat = np.full(n_rounds * 4 + 4, -1)
    seat = wins.round * 4 + wins.winner
    win_of_seat[seat] = np.arange(n)
    kinds = [KIND[word] for word in schema.MELD_KINDS]
    code = np.full(len(schema.ACTION_KINDS), -1, np.int8)
    code[kinds] = np.arange(len(kinds))
    called = np.flatnonzero((code[actions.kind] >= 0) | (actions.kind == KIND["kita"]))
    win = win_of_seat[actions.round[called] * 4 + actions.seat[called]]
    called, win = called[win >= 0], win[win >= 0]
    is_kita = actions.kind[called] == KIND["kita"]
    n_kita = np.bincount(win[is_kita], minlength=n).astype(np.int8)
    called, win = called[~is_kita], win[~is_kita]

    kind = code[actions.kind[called]]
    added = kind == schema.MELD_KINDS.index("kakan")
    opened = np.flatnonzero(~added)
    order = opened[np.argsort(win[opened], kind="stable")]
    per_win = np.bincount(win[order], minlength=n)
    slot = np.arange(len(order)) - (np.cumsum(per_win) - per_win)[win[order]]
    fits = slot < 4
    order, slot = order[fits], slot[fits]

    kinds = np.full((n, 4), -1, np.int8)
    low = np.full((n, 4), NO_TILE, np.uint8)
    fed_by = np.full((n, 4), -1, np.int8)
    tile = np.full((n, 4), NO_TILE, np.uint8)
    red = np.full((n, 4), -1, np.int8)
    place, event = (win[order], slot), called[order]
    kinds[place], low[place], red[place] = kind[order], actions.meld_kind[event], actions.meld_red[event]
    fed_by[place] = actions.from_seat[event]
    concealed = kind[order] == schema.MELD_KINDS.index("ankan")
    tile[place] = np.where(concealed, NO_TILE, actions.tile[event])
    pon = schema.MELD_KINDS.index("pon")
    for row, event in zip(win[added], called[added], strict=True):
        for position in np.flatnonzero((kinds[row] == pon) & (low[row] == actions.meld_kind[event]))[:1]:
            kinds[row, position] = schema.MELD_KINDS.index("kakan")
            red[row, position] = actions.meld_red[event]

    columns: dict[str, pa.Array] = {}
    for i in range(4):
        name = f"meld_{i + 1}"
        none = kinds[:, i] < 0
        columns[name] = schema.words(np.maximum(kinds[:, i], 0), schema.MELD_KINDS, missing=none)
        columns[f"{name}_kind"] = _column(low[:, i], none)
        columns[f"{name}_from"] = _column(fed_by[:, i], fed_by[:, i] < 0)
        columns[f"{name}_called"] = _column(tile[:, i], tile[:, i] == NO_TILE)
        columns[f"{name}_red"] = _column(red[:, i], none)
    return {**columns, "n_kita": pa.array(n_kita)}


def _win_yaku(batch: Batch, game_of_round: np.ndarray, round_no: np.ndarray) -> dict[str, pa.Array | np.ndarray]:
    wins = batch.wins
    row = wins.yaku.rows()
    names = pa.array(batch.yaku_names, pa.string())
    return {
        "game": game_of_round[wins.round][row],
        "round_no": round_no[wins.round][row],
        "winner": wins.winner[row],
        "yaku": names.take(pa.array(wins.yaku.values)),
        "han": _column(wins.yaku_han, wins.yaku_han < 0),
    }


def rejects(found: Sequence[Reject], source: str) -> pa.Table:
    """The table of what was not read."""
    errors = [reject.error for reject in found]
    places = [
        ", ".join(
            f"{word} {number}"
            for word, number in (("round", error.round_no), ("event", error.event), ("byte", reject.byte))
            if number is not None
        )
        for reject, error in zip(found, errors, strict=True)
    ]
    rounds = [None if reject.game is None else reject.error.round_no for reject in found]
    columns = {
        "path": pa.array([error.path for error in errors], pa.string()),
        "source": schema.words(np.full(len(errors), schema.SOURCES.index(source)), schema.SOURCES),
        "game": pa.array([reject.game for reject in found], pa.int64()),
        "round_no": pa.array(rounds, pa.int16()),
        "place": pa.array(places, pa.string()),
        "reason": pa.array([error.reason for error in errors], pa.string()),
    }
    return schema.conform(pa.table(columns), schema.REJECTS)


def _mixed(x: np.ndarray) -> np.ndarray:
    """Each 64-bit number spread over all 64 bits (the finaliser of splitmix64)."""
    x = x ^ (x >> np.uint64(30))
    x *= np.uint64(0xBF58476D1CE4E5B9)
    x ^= x >> np.uint64(27)
    x *= np.uint64(0x94D049BB133111EB)
    x ^= x >> np.uint64(31)
    return x


def play_hash(batch: Batch) -> np.ndarray:
    """Per game a 64-bit hash of the play itself, the same whatever format it was recorded in.

    What counts: the number of players, the tiles dealt and the first indicator, and in order every draw, discard and
    call with its seat, tile and meld. What does not: physical copies, names, scores, and what formats time or record
    differently (riichi, the other indicators, disconnections).
    """
    games, rounds, actions = batch.games, batch.rounds, batch.actions
    n = len(games.game)
    total = _mixed(games.players.astype(np.uint64))
    if not n:
        return total.view(np.int64)

    def add(game: np.ndarray, values: np.ndarray, salt: int) -> None:
        """Add the values of each game, mixed with their position in it."""
        counts = np.bincount(game, minlength=n)
        start = np.cumsum(counts) - counts
        placed = np.arange(len(game), dtype=np.uint64)
        placed -= np.repeat(start.astype(np.uint64), counts)
        placed <<= np.uint64(24)
        placed |= values
        placed |= np.uint64(salt << 56)
        mixed = _mixed(placed)
        some = counts > 0
        total[some] += np.add.reduceat(mixed, start[some])

    dealt = rounds.hands.reshape(len(rounds.game), -1)
    add(np.repeat(rounds.game, dealt.shape[1]), dealt.ravel(), 1)
    add(rounds.game, rounds.dora, 3)
    played = actions.kind <= KIND["kita"]
    values = actions.kind.astype(np.uint32) << 18
    values |= actions.seat.astype(np.uint32) << 16
    values |= actions.meld_kind.astype(np.uint32) << 8
    values |= actions.tile
    add(rounds.game[actions.round[played]], values[played], 2)
    return _mixed(total).view(np.int64)
