"""The data card: what numbers stand on, and what was left out."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field, fields
from datetime import datetime
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from ..notes import counted

if TYPE_CHECKING:
    from .columns import WinView

TABLE = ("players", "length", "ruleset", "room")
"""What kind of table a game was played at."""


@dataclass
class Card:
    """Counts that add up over parts.

    Attributes
    ----------
    games, rounds, wins
        In the store, games whose play is there already left out.
    duplicates, duplicate_wins
        Those games, and their wins.
    incomplete
        Of the games, those whose record does not reach the end; their complete rounds count.
    filtered
        Wins the filter left out.
    no_wins
        Of the others, those that are none under the rules applied: without a yaku, or bumped by another winner.
    counted, counted_games, counted_rounds
        Wins the statistics are about, and the games and rounds they come from.
    players
        Names of the winners among the wins counted.
    rulesets, tables, sources : Counter
        Wins counted by ruleset; by (players, length, ruleset, room); by format.
    first, last : when the earliest and the latest of the games counted began.
    rejects : Counter of reasons why files, or the rest of them, were not read.
    game_ids : int64 arrays of the games counted.
    words : by column that a filter or a split compares with words, those that its wins hold, left out or not.
    """

    games: int = 0
    rounds: int = 0
    wins: int = 0
    duplicates: int = 0
    duplicate_wins: int = 0
    incomplete: int = 0
    filtered: int = 0
    no_wins: int = 0
    counted: int = 0
    counted_games: int = 0
    counted_rounds: int = 0
    players: set[str] = field(default_factory=set)
    rulesets: Counter = field(default_factory=Counter)
    tables: Counter = field(default_factory=Counter)
    sources: Counter = field(default_factory=Counter)
    first: datetime | None = None
    last: datetime | None = None
    rejects: Counter = field(default_factory=Counter)
    game_ids: list[np.ndarray] = field(default_factory=list)
    words: dict[str, set[str]] = field(default_factory=dict)

    def __iadd__(self, other: Card) -> Card:
        for name in ("players", *(f.name for f in fields(self) if f.type == "Counter")):
            getattr(self, name).update(getattr(other, name))
        for name in (f.name for f in fields(self) if f.type == "int"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.first = min(filter(None, (self.first, other.first)), default=None)
        self.last = max(filter(None, (self.last, other.last)), default=None)
        self.game_ids += other.game_ids
        for name, words in other.words.items():
            self.words.setdefault(name, set()).update(words)
        return self

    @property
    def is_all_filtered(self) -> bool:
        """Whether there are wins and the filter lets none of them through."""
        return self.filtered == self.wins > 0

    def headline(self, where: str | None) -> str:
        """How many wins are counted, of how many, and whose; where none is, what they were looked for among."""
        kept = f" where {where}" if where else ""
        if self.is_all_filtered:
            return f"no win{kept} among {counted(self.wins, 'win')} in {counted(self.games, 'game')}"
        of_all = f"{self.counted:,} of " if self.no_wins else ""
        wins = of_all + counted(self.counted + self.no_wins, "win")
        games = counted(self.games, "game")
        if self.counted_games < self.games:
            games = f"{self.counted_games:,} of {games}"
        return f"{wins}{kept} by {counted(len(self.players), 'player')} in {games}"

    def under(self, rules: str) -> str:
        """The rules applied, and how many wins are none under them."""
        none = f"{self.no_wins:,} {'is' if self.no_wins == 1 else 'are'} none"
        return f"{rules}, under which {none}" if self.no_wins else rules

    def wins_by_players(self, ruleset: str | None = None) -> Counter:
        """Wins counted by the players at their tables; only those scored under a ruleset, where its id is given."""
        counts = Counter()
        for (players, _, id_, _), n in self.tables.items():
            if ruleset in (None, id_):
                counts[players] += n
        return counts

    @property
    def games_hash(self) -> str:
        """Twelve hex digits that tell which games were counted, in whatever order they were read."""
        ids = np.sort(np.concatenate([np.zeros(0, np.int64), *self.game_ids]))
        return hashlib.sha256(ids.astype("<i8").tobytes()).hexdigest()[:12]

    @property
    def as_of(self) -> str | None:
        """Day of the latest game counted."""
        return self.last.date().isoformat() if self.last else None

    def as_dict(self) -> dict:
        """Plain values, as JSON takes them."""
        whole = {f.name: getattr(self, f.name) for f in fields(self) if f.type == "int"}
        tables = [
            {"players": players, "length": length, "ruleset": rules, "room": room, "wins": n}
            for (players, length, rules, room), n in sorted(self.tables.items(), key=lambda item: (-item[1], str(item)))
        ]
        return {
            **whole,
            "players": len(self.players),
            "first": self.first.date().isoformat() if self.first else None,
            "last": self.as_of,
            "sources": dict(sorted(self.sources.items())),
            "rulesets": dict(sorted(self.rulesets.items())),
            "tables": tables,
            "rejects": dict(sorted(self.rejects.items(), key=lambda item: (-item[1], item[0]))),
            "games_hash": self.games_hash,
        }


def card_of(view: WinView, kept: np.ndarray, passes: np.ndarray, asked: Iterable[str] = ()) -> Card:
    """The card of one part: `kept` the wins counted (row numbers), `passes` what the filter lets through.

    `asked` are the columns whose words are told.
    """
    tables = view.tables
    games = tables["games"]
    is_first = games["duplicate_of"].is_null().to_numpy()
    rounds_of_game = games["n_rounds"].to_numpy()
    is_first_win = ~view.is_duplicate
    of_game = np.unique(view.game[kept])
    start = games["start_time"].take(pa.array(of_game))
    span = pc.min_max(start).as_py()
    names = pc.unique(view.column("player").take(pa.array(kept))).to_pylist()
    rows = pa.table({name: view.column(name).take(pa.array(kept)) for name in TABLE})
    return Card(
        games=int(is_first.sum()),
        rounds=int(rounds_of_game[is_first].sum()),
        wins=int(is_first_win.sum()),
        duplicates=int((~is_first).sum()),
        duplicate_wins=int((~is_first_win).sum()),
        incomplete=int((is_first & ~games["is_complete"].to_numpy()).sum()),
        filtered=int((is_first_win & ~passes).sum()),
        no_wins=int((is_first_win & passes & ~view.rescored.stands).sum()),
        counted=len(kept),
        counted_games=len(of_game),
        counted_rounds=len(np.unique(view.round[kept])),
        players={name for name in names if name},
        rulesets=Counter(dict(_counts(rows, ["ruleset"]))),
        tables=Counter(dict(_counts(rows, rows.column_names))),
        sources=Counter(view.column("source").take(pa.array(kept)).to_pylist()),
        first=span["min"],
        last=span["max"],
        rejects=Counter(tables["rejects"]["reason"].to_pylist()),
        game_ids=[games["game"].to_numpy()[of_game]],
        words={name: set(pc.unique(view.column(name)).drop_null().to_pylist()) for name in asked},
    )


def _counts(rows: pa.Table, names: list[str]) -> list[tuple]:
    counted = rows.group_by(names).aggregate([([], "count_all")]).to_pylist()
    return [
        (tuple(row[name] for name in names) if len(names) > 1 else row[names[0]], row["count_all"]) for row in counted
    ]
