"""What every source is decoded to: the columns of a batch of games, in one vocabulary.

A source's file makes a `Batch`; `tables.py` makes the tables of it. Nothing here is any source's word.

Absent values: -1 in signed columns, 255 in unsigned ones, NaN in float ones, None in lists of text.
`NO_POINTS` stands for unknown points, since points may be negative.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from .errors import LogError
from .schema import ACTION_KINDS

KIND = {word: code for code, word in enumerate(ACTION_KINDS)}
CALL_KINDS = tuple(KIND[word] for word in ("chi", "pon", "daiminkan", "ankan", "kakan", "kita"))
NO_TILE = 255
NO_POINTS = np.int32(-(2**31))


@dataclass(slots=True)
class Lists:
    """A column of lists: row i is values[offsets[i]:offsets[i + 1]]."""

    offsets: np.ndarray
    values: np.ndarray

    def __len__(self) -> int:
        return len(self.offsets) - 1

    @property
    def lengths(self) -> np.ndarray:
        return np.diff(self.offsets)

    @classmethod
    def of_lengths(cls, lengths: np.ndarray, values: np.ndarray) -> Lists:
        """Lists of the given lengths, one after the other.

        >>> Lists.of_lengths(np.array([1, 2]), np.array([7, 8, 9])).offsets.tolist()
        [0, 1, 3]
        """
        offsets = np.zeros(len(lengths) + 1, np.int32)
        np.cumsum(lengths, out=offsets[1:])
        return cls(offsets, values)

    def rows(self) -> np.ndarray:
        """The row of each value."""
        return np.repeat(np.arange(len(self)), self.lengths)


@dataclass(slots=True)
class Games:
    """One entry per game with at least one complete round. (n, 4) arrays go by seat."""

    game: np.ndarray  # int64
    path: list[str]
    source_id: list[str | None]
    players: np.ndarray  # int8, 3 or 4
    is_south: np.ndarray  # bool: two winds
    ruleset: list[str]
    flags: np.ndarray  # int32, -1
    room: list[str | None]
    lobby: np.ndarray  # int32, -1
    start_time: np.ndarray  # datetime64[s], NaT
    defects: list[list[str]]
    names: list[str]  # four per game, by seat
    grade: np.ndarray  # int16 (n, 4), -1
    rating: np.ndarray  # float32 (n, 4), NaN
    final_points: np.ndarray  # int32 (n, 4), NO_POINTS where the end is missing
    result: np.ndarray  # float32 (n, 4), NaN
    chips: np.ndarray  # int32 (n, 4), NO_POINTS


@dataclass(slots=True)
class Rounds:
    """One entry per complete round, in order of games and play."""

    game: np.ndarray  # index into Games
    wind: np.ndarray  # int8
    dealer: np.ndarray  # int8
    honba: np.ndarray  # int16
    sticks: np.ndarray  # int16
    points: np.ndarray  # int32 (n, 4), at the start
    hands: np.ndarray  # uint8 (n, 4, 13), tiles 0-36, sorted; 255 for an absent or unseen hand
    dora: np.ndarray  # uint8, the first indicator
    points_after: np.ndarray  # int32 (n, 4), as the source records them after the round


@dataclass(slots=True)
class Actions:
    """One entry per event, in order of rounds and play."""

    round: np.ndarray  # index into Rounds
    kind: np.ndarray  # int8, index into ACTION_KINDS
    seat: np.ndarray  # int8, -1
    tile: np.ndarray  # uint8, 255
    copy: np.ndarray  # uint8, 255
    from_seat: np.ndarray  # int8, -1
    meld_kind: np.ndarray  # uint8, 255
    meld_red: np.ndarray  # int8, -1
    is_tsumogiri: np.ndarray  # int8: 0, 1, or -1


@dataclass(slots=True)
class Wins:
    """One entry per winner, in order of rounds and of the record."""

    round: np.ndarray
    winner: np.ndarray  # int8
    loser: np.ndarray  # int8, -1 on a self-draw
    concealed: Lists  # uint8 tiles, sorted, the winning tile included
    win_tile: np.ndarray  # uint8
    dora: Lists  # uint8
    ura: Lists  # uint8, empty where none was shown
    fu: np.ndarray  # int16, -1
    han: np.ndarray  # int16, dora included; -1 for a yakuman or where it is not recorded
    limit: np.ndarray  # int8, index into LIMITS, -1
    points: np.ndarray  # int32, NO_POINTS
    liable: np.ndarray  # int8, -1
    honba: np.ndarray  # int16, -1
    sticks: np.ndarray  # int16, -1
    delta: np.ndarray  # int32 (n, 4)
    yaku: Lists  # int16, index into Batch.yaku_names
    yaku_han: np.ndarray  # int8 beside yaku.values, -1 for a yakuman


@dataclass(slots=True)
class Draws:
    """One entry per round that ended without a win."""

    round: np.ndarray
    kind: np.ndarray  # int8, index into DRAW_KINDS
    is_tenpai: np.ndarray  # int8 (n, 4): 0, 1, or -1
    is_nagashi: np.ndarray  # bool (n, 4)
    delta: np.ndarray  # int32 (n, 4)


@dataclass(slots=True)
class Reject:
    """A file, or the rest of one, that was not read."""

    error: LogError
    byte: int | None = None
    game: int | None = None  # where other rounds of the file were kept


@dataclass(slots=True)
class Batch:
    """Some games of one source."""

    source: str
    games: Games
    rounds: Rounds
    actions: Actions
    wins: Wins
    draws: Draws
    yaku_names: list[str]
    rejects: list[Reject] = field(default_factory=list)
