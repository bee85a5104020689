"""The walls of a game from the seed its log carries.

The seed is 624 words for the Mersenne Twister (mt19937ar, init_by_array). For every round 288 of its words are
hashed with SHA-512 in nine blocks of 32, which gives 144 words. The first shuffle the tiles: word i swaps place i
with one of those from i on. Words 135 and 136 are the dice. With three players the tiles lack 2m-8m.

The wall is dealt from its end: four tiles to each seat from the dealer on, three times, then one each, then the
draws. Replacement tiles come from its beginning in pairs, the later of a pair first; the indicators follow, dora
above ura.

Logs with another scheme or no seed have no wall.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from .. import schema
from ..events import KIND, NO_TILE, Lists
from .columns import TILE, Decoded
from .words import NO_RED

_PREFIX = b"mt19937ar-sha512-n288"
_WORDS, _PER_ROUND, _BLOCK = 624, 288, 128
_DICE = slice(135, 137)
_REPLACED = [KIND[word] for word in ("daiminkan", "ankan", "kakan", "kita")]


@dataclass(frozen=True)
class _Layout:
    """Places in the wall."""

    players: int
    tiles: np.ndarray  # before they are shuffled
    replacements: np.ndarray  # in order of use
    dora: np.ndarray
    ura: np.ndarray

    @property
    def deal(self) -> np.ndarray:
        """Of the thirteen tiles of each seat from the dealer on."""
        seat, number = np.arange(self.players)[:, None], np.arange(13)
        four_at_a_time = number // 4 * 4 * self.players + seat * 4 + number % 4
        return len(self.tiles) - 1 - np.where(number < 12, four_at_a_time, 12 * self.players + seat)

    @property
    def first_draw(self) -> int:
        return len(self.tiles) - 1 - 13 * self.players


_ALL = np.arange(136, dtype=np.uint8)
_LAYOUTS = (
    _Layout(4, _ALL, np.array([1, 0, 3, 2]), np.arange(5, 14, 2), np.arange(4, 13, 2)),
    _Layout(
        3, np.delete(_ALL, np.s_[4:32]), np.array([1, 0, 3, 2, 5, 4, 7, 6]), np.arange(9, 18, 2), np.arange(8, 17, 2)
    ),
)


def seed_words(seed: bytes | None) -> np.ndarray | None:
    """The 624 words of a seed; None where it is of another scheme or damaged."""
    if seed is None or not seed.startswith(_PREFIX):
        return None
    try:
        if seed.startswith(_PREFIX + b"-base64,"):
            words = np.frombuffer(base64.b64decode(seed.partition(b",")[2], validate=True), "<u4")
        else:
            words = np.array([int(word, 16) for word in seed.split(b",")[1:]], np.uint64)
    except (binascii.Error, ValueError, OverflowError):
        return None
    return words.astype(np.uint32) if len(words) == _WORDS and (words < 2**32).all() else None


def _round_words(seed: np.ndarray, n_rounds: int) -> np.ndarray:
    """The 144 words of each round, (n_rounds, 144)."""
    drawn = np.random.RandomState(seed).bytes(n_rounds * _PER_ROUND * 4)
    blocks = range(0, len(drawn), _BLOCK)
    digests = b"".join(hashlib.sha512(drawn[i : i + _BLOCK]).digest() for i in blocks)
    return np.frombuffer(digests, "<u4").reshape(n_rounds, -1)


def shuffled(tiles: np.ndarray, words: np.ndarray) -> np.ndarray:
    """The wall of each row of words, (rounds, tiles)."""
    n = len(tiles)
    wall = np.tile(tiles, (len(words), 1))
    rows = np.arange(len(words))
    for i in range(n - 1):
        j = i + words[:, i] % np.uint32(n - i)
        wall[:, i], wall[rows, j] = wall[rows, j], wall[:, i].copy()
    return wall


def walls(decoded: Decoded) -> pa.Table:
    """The table of walls: a row per kept round of the games whose seed is known."""
    games, rounds = decoded.batch.games, decoded.batch.rounds
    n_rounds = np.bincount(rounds.game, minlength=len(games.game))
    first = np.cumsum(n_rounds) - n_rounds
    n = len(rounds.game)
    words = np.zeros((n, 144), np.uint32)
    has_words = np.zeros(n, bool)
    for game, seed in enumerate(decoded.seed):
        if (parsed := seed_words(seed)) is not None:
            rows = slice(first[game], first[game] + n_rounds[game])
            words[rows] = _round_words(parsed, int(n_rounds[game]))
            has_words[rows] = True
    players = games.players[rounds.game]
    lengths, agrees = np.zeros(n, np.int64), np.zeros(n, bool)
    made: list[tuple[np.ndarray, np.ndarray]] = []
    for layout in _LAYOUTS:
        row = np.flatnonzero(has_words & (players == layout.players))
        wall = shuffled(layout.tiles, words[row])
        agrees[row] = _agrees(decoded, layout, row, wall)
        lengths[row] = len(layout.tiles)
        made.append((row, wall))
    offsets = np.cumsum(lengths) - lengths
    tiles = np.zeros(lengths.sum(), np.uint8)
    for row, wall in made:
        tiles[offsets[row, None] + np.arange(wall.shape[1])] = wall
    row = np.flatnonzero(has_words)
    columns = {
        "game": games.game[rounds.game[row]],
        "round_no": (row - first[rounds.game[row]]).astype(np.int16),
        "wall": _lists(lengths[row], tiles),
        "dice": _lists(np.full(len(row), 2), (words[row, _DICE] % 6).astype(np.uint8).ravel()),
        "agrees": agrees[row],
    }
    return schema.conform(pa.table(columns), schema.WALLS)


def ura_indicators(walls: pa.Table, games: pa.Table) -> np.ndarray:
    """The tiles 0-36 beneath the five indicators of each row of `walls`, uint8 (n, 5); 255 where it does not agree."""
    found = np.full((len(walls), 5), NO_TILE, np.uint8)
    column = pa.concat_arrays(walls["wall"].chunks) if len(walls) else pa.array([], walls.schema.field("wall").type)
    length, agrees = column.value_lengths().to_numpy(), walls["agrees"].to_numpy()
    flags = games["flags"].fill_null(0).to_numpy()
    order = np.argsort(games["game"].to_numpy())
    game = order[np.searchsorted(games["game"].to_numpy(), walls["game"].to_numpy(), sorter=order)]
    is_red = (flags[game] & NO_RED == 0).astype(np.int8)
    for layout in _LAYOUTS:
        row = np.flatnonzero(agrees & (length == len(layout.tiles)))
        tiles = column.values.to_numpy()[column.offsets.to_numpy()[row, None] + layout.ura]
        found[row] = TILE[is_red[row, None], tiles]
    return found


def _lists(lengths: np.ndarray, values: np.ndarray) -> pa.Array:
    lists = Lists.of_lengths(lengths, values)
    return pa.ListArray.from_arrays(pa.array(lists.offsets), pa.array(lists.values))


def _agrees(decoded: Decoded, layout: _Layout, row: np.ndarray, wall: np.ndarray) -> np.ndarray:
    """Whether deal, indicators and all draws of the rounds `row` follow from their walls."""
    if not len(row):
        return np.zeros(0, bool)
    rounds, actions, wins = decoded.batch.rounds, decoded.batch.actions, decoded.batch.wins
    n = len(rounds.game)
    place = np.full(n, -1)
    place[row] = np.arange(len(row))
    seats = (rounds.dealer[row, None] + np.arange(layout.players)) % layout.players
    dealt = np.sort(wall[:, layout.deal], axis=2)
    recorded = np.sort(decoded.hands[row[:, None], seats], axis=2)
    agrees = (dealt == recorded).all((1, 2)) & (wall[:, layout.dora[0]] == decoded.dora[row])

    def compare(round_: np.ndarray, at: np.ndarray, tile: np.ndarray) -> None:
        """Take the rounds out whose wall has another tile at a place than was recorded."""
        index = place[round_]
        inside = np.clip(at, 0, wall.shape[1] - 1)
        differs = (index >= 0) & ((at != inside) | (wall[index, inside] != tile))
        agrees[index[differs]] = False

    turned = np.flatnonzero(actions.kind == KIND["dora"])
    compare(actions.round[turned], _take(layout.dora, 1 + _number(actions.round[turned])), decoded.tile[turned])
    ura = decoded.ura
    order = np.arange(len(ura.values)) - np.repeat(ura.offsets[:-1], ura.lengths)
    compare(np.repeat(wins.round, ura.lengths), _take(layout.ura, order), ura.values)

    turn = np.flatnonzero(actions.kind <= KIND["kita"])
    kind, round_ = actions.kind[turn], actions.round[turn]
    after_kan = np.zeros(len(turn), bool)
    after_kan[1:] = np.isin(kind[:-1], _REPLACED)
    after_kan[1:] &= round_[1:] == round_[:-1]  # the last kan of a round may have been robbed
    draw, after_kan = turn[kind == KIND["draw"]], after_kan[kind == KIND["draw"]]
    live, replacement = draw[~after_kan], draw[after_kan]
    compare(actions.round[live], layout.first_draw - _number(actions.round[live]), decoded.tile[live])
    at = _take(layout.replacements, _number(actions.round[replacement]))
    compare(actions.round[replacement], at, decoded.tile[replacement])
    return agrees


def _number(group: np.ndarray) -> np.ndarray:
    """Place of each entry within its run of equal ones.

    >>> _number(np.array([3, 3, 5])).tolist()
    [0, 1, 0]
    """
    begins = np.flatnonzero(np.diff(group, prepend=-1))
    return np.arange(len(group)) - np.repeat(begins, np.diff(begins, append=len(group)))


def _take(places: np.ndarray, number: np.ndarray) -> np.ndarray:
    """The place with a number; 999, which is none, past the last."""
    return np.append(places, 999)[np.minimum(number, len(places))]
