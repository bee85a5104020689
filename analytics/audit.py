"""Audit: every recorded win scored again, and every round settled again, under the rules it was played by.

Equality is asked of yaku, han, fu (not of a yakuman), points and the change of every seat; of a round, of the change
of every seat; of a complete game, of the final points. A win that could not be scored is a mismatch.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial

import numpy as np
import pyarrow as pa

from parsers.schema import LIMITS, TABLES, codes
from parsers.store import Part

from .corpus import Source, each_part, opened_parts
from .ledger import ledger
from .notes import misfits
from .rescoring import RECORDED, Recorded, Rescored, Rules, rescore, rules_of, yaku_ids
from .rounds import by_seat, game_rows, numbers, riichi_sticks, round_rows
from .scoring.limits import MAX_FU, MAX_HAN, base_table, win_points
from .scoring.score import STATUSES
from .settle import STICK, settle_rounds

_READ = ("games", "seats", "rounds", "actions", "wins", "win_yaku", "circumstances", "draws", "rejects")
_NOT_ASKED = {"copy", "meld_kind", "meld_red", "is_tsumogiri", *(f"hand_{seat}" for seat in range(4))}
"""Columns of actions and rounds that no ruleset asks about: the larger half of what a part holds."""
DORA_LINES = ("dora", "ura_dora", "aka_dora")
_YAKUMAN = 100
"""Han written for a yakuman where lines of yaku are compared."""


@dataclass(frozen=True)
class Mismatch:
    """One field of a win (or, with no winner, of a round or a game) that the record states otherwise."""

    source: str
    round: int | None
    winner: int | None
    field: str
    recorded: object
    computed: object
    cause: str | None = None


@dataclass
class Audit:
    """Counts that add up over parts, and the mismatches one by one; `rules` names what was scored under.

    `players` counts the wins by the players at their tables; `notes` name those that the rules are not for.
    """

    rules: str = RECORDED.id
    wins: int = 0
    agree: int = 0
    rounds: int = 0
    rounds_agree: int = 0
    games: int = 0
    games_agree: int = 0
    rejects: int = 0
    by_source: Counter = field(default_factory=Counter)
    players: Counter = field(default_factory=Counter)
    mismatches: list[Mismatch] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    @property
    def rate(self) -> float | None:
        """Share of wins that agree in every field; None without wins."""
        return self.agree / self.wins if self.wins else None

    def __iadd__(self, other: Audit) -> Audit:
        for name in ("wins", "agree", "rounds", "rounds_agree", "games", "games_agree", "rejects"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.by_source.update(other.by_source)
        self.players.update(other.players)
        self.mismatches += other.mismatches
        return self

    def as_dict(self) -> dict:
        """As `koyaku audit --json` prints it."""
        by_source: dict[str, dict] = {}
        for (source, rules, name), count in sorted(self.by_source.items()):
            entry = by_source.setdefault(source, {}).setdefault(rules, dict.fromkeys(_COUNTS, 0))
            entry[name] = count
        return {
            "rules": self.rules,
            "wins": self.wins,
            "agree": self.agree,
            "rate": self.rate,
            "rounds": self.rounds,
            "rounds_agree": self.rounds_agree,
            "games": self.games,
            "games_agree": self.games_agree,
            "rejects": self.rejects,
            "by_source": by_source,
            "notes": self.notes,
            "mismatches": [vars(m) for m in self.mismatches],
        }


_COUNTS = ("wins", "agree", "rounds", "rounds_agree")


def audit(source: Source, *, rules: Rules = RECORDED, workers: int = 1) -> Audit:
    """Audit a store, logs, or tables at hand; under other rules than the recorded ones, what would differ."""
    chosen = rules_of(rules)
    total = Audit(chosen.id)
    with opened_parts(source, workers=workers) as parts:
        for part in each_part(parts, partial(audit_part, rules=rules), workers=workers):
            total += part
    total.notes = [] if isinstance(chosen, Recorded) else misfits(chosen, total.players)
    return total


def audit_part(tables: Mapping[str, pa.Table], rules: Rules = RECORDED) -> Audit:
    """Audit the wins, rounds and complete games of one part."""
    if isinstance(tables, Part):  # it reads its files anew whenever it is asked
        tables = {name: tables.table(name, [c for c in TABLES[name].names if c not in _NOT_ASKED]) for name in _READ}
    rescored = rescore(tables, rules)
    deltas = settle_rounds(tables, rescored)
    result = Audit(rules_of(rules).id, rejects=tables["rejects"].num_rows)
    result.players.update(numbers(tables["games"]["players"])[game_rows(tables["wins"], tables["games"])].tolist())
    _audit_wins(tables, rescored, result)
    _audit_rounds(tables, deltas, result)
    _audit_games(tables, deltas, rules, result)
    return result


def _count(result: Audit, tables: Mapping[str, pa.Table], table: pa.Table, name: str, agrees: np.ndarray) -> None:
    """Count rows and agreeing rows by source and ruleset."""
    games = tables["games"]
    row, n_games = game_rows(table, games), games.num_rows
    agreeing = "agree" if name == "wins" else f"{name}_agree"
    counts = {name: np.bincount(row, minlength=n_games), agreeing: np.bincount(row[agrees], minlength=n_games)}
    told = pa.table({"source": games["source"].cast(pa.string()), "ruleset": games["ruleset"], **counts})
    for one in told.group_by(["source", "ruleset"]).aggregate([(word, "sum") for word in counts]).to_pylist():
        result.by_source += Counter({(one["source"], one["ruleset"], word): one[f"{word}_sum"] for word in counts})
    setattr(result, name, getattr(result, name) + len(row))
    setattr(result, agreeing, getattr(result, agreeing) + int(agrees.sum()))


def _audit_wins(tables: Mapping[str, pa.Table], rescored: Rescored, result: Audit) -> None:
    wins = tables["wins"]
    is_scored = rescored.status == 0
    is_yakuman = rescored.units > 0
    recorded_lines, line_names, tells_ura = recorded_yaku(tables, rescored.yaku)
    computed_lines = computed_yaku(rescored, line_names)
    _join_ura(computed_lines, line_names, ~tells_ura)
    recorded = {
        "han": numbers(wins["han"], -1),
        "fu": numbers(wins["fu"], -1),
        "points": numbers(wins["points"], -1),
    }
    recorded_limit = codes(wins["limit"], LIMITS)
    recorded_yakuman = numbers(wins["han"], -1) < 0
    deltas = by_seat(wins, "delta").astype(np.int64)
    differs = {
        "yaku": (recorded_lines != computed_lines).any(axis=1),
        "han": ~is_yakuman & (recorded["han"] != rescored.han) | (recorded_yakuman != is_yakuman),
        "fu": ~is_yakuman & ~recorded_yakuman & (recorded["fu"] >= 0) & (recorded["fu"] != rescored.fu),
        "points": recorded["points"] != rescored.points,
        "deltas": (deltas != rescored.pays).any(axis=1),
    }
    for name in ("yaku", "han", "fu", "points", "deltas"):
        differs[name] |= ~is_scored
    any_differs = np.logical_or.reduce(list(differs.values()))
    _count(result, tables, wins, "wins", ~any_differs)
    if not any_differs.any():
        return

    paths, rounds, winners = _paths(tables, wins), wins["round_no"].to_pylist(), wins["winner"].to_pylist()
    for row in np.flatnonzero(any_differs):
        cause = _cause(wins, rescored, result, recorded, recorded_limit, int(row))
        for name in (n for n in differs if differs[n][row]):
            if name == "yaku":
                was, now = _lines(recorded_lines[row], line_names), _lines(computed_lines[row], line_names)
            elif name == "deltas":
                was, now = deltas[row].tolist(), rescored.pays[row].tolist()
            else:
                was = None if recorded[name][row] < 0 else int(recorded[name][row])
                now = int(getattr(rescored, name)[row])
            if not is_scored[row]:
                now = STATUSES[rescored.status[row]]
            result.mismatches.append(Mismatch(paths[row], rounds[row], winners[row], name, was, now, cause))


def recorded_yaku(
    tables: Mapping[str, pa.Table], known: Sequence[str] | None = None
) -> tuple[np.ndarray, list[str], np.ndarray]:
    """Han by win and line as recorded, int16 (n_wins, n_lines), the names of the lines, and which wins tell ura dora.

    A line recorded with 0 han is none. A yaku that is not among the `known`, by default the catalog's, has a line of
    its own. North tiles set aside count under dora, as some sources write them there; a record without any line of
    ura dora may have it there too.
    """
    wins, lines = tables["wins"], tables["win_yaku"]
    names = [*(yaku_ids() if known is None else known), *DORA_LINES]
    encoded = lines["yaku"].combine_chunks().dictionary_encode()
    written = ["dora" if name == "nuki_dora" else name for name in encoded.dictionary.to_pylist()]
    names += sorted(set(written) - set(names))
    position = {name: i for i, name in enumerate(names)}
    han = np.zeros((wins.num_rows, len(names)), np.int16)
    column = np.array([position[name] for name in written], np.int64)[encoded.indices.to_numpy()]
    row = win_rows(lines, tables)
    np.add.at(han, (row, column), numbers(lines["han"], _YAKUMAN).astype(np.int16))
    tells_ura = np.zeros(wins.num_rows, bool)
    tells_ura[row[column == position["ura_dora"]]] = True
    return han, names, tells_ura


def _join_ura(han: np.ndarray, names: list[str], rows: np.ndarray) -> None:
    """Count ura dora under dora in the given rows, in place."""
    ura = names.index("ura_dora")
    han[rows, names.index("dora")] += han[rows, ura]
    han[rows, ura] = 0


def win_rows(table: pa.Table, tables: Mapping[str, pa.Table]) -> np.ndarray:
    """For each row of a table keyed by (game, round_no, winner), its row in `wins`."""
    wins, rounds = tables["wins"], tables["rounds"]
    known = round_rows(wins, rounds) * 4 + numbers(wins["winner"])
    order = np.argsort(known, kind="stable")
    return order[np.searchsorted(known[order], round_rows(table, rounds) * 4 + numbers(table["winner"]))]


def computed_yaku(rescored: Rescored, names: list[str]) -> np.ndarray:
    """Han by win and line as scored, in the lines of `recorded_yaku`."""
    han = np.zeros((len(rescored), len(names)), np.int16)
    for index, scores in enumerate(rescored.scores):
        rows = np.flatnonzero(rescored.in_force == index)
        row = scores.best_row[rows]
        worth = np.where(scores.played.each_units > 0, _YAKUMAN, scores.played.each_han)
        position = [names.index(id_) for id_ in scores.played.yaku]
        han[np.ix_(rows, position)] = worth[row] * scores.holds[rows]
    ordinary = (rescored.units == 0) & (rescored.status == 0)
    dora = rescored.dora_han * ordinary[:, None]
    for name, kinds in (("dora", (0, 1, 5)), ("ura_dora", (2, 3)), ("aka_dora", (4,))):
        han[:, names.index(name)] = dora[:, kinds].sum(axis=1)
    return han


def _lines(row: np.ndarray, names: list[str]) -> list[list]:
    return [[names[i], "yakuman" if row[i] == _YAKUMAN else int(row[i])] for i in np.flatnonzero(row)]


def _paths(tables: Mapping[str, pa.Table], table: pa.Table) -> list[str]:
    paths = tables["games"]["path"].to_pylist()
    return [paths[row] for row in game_rows(table, tables["games"])]


def _cause(
    wins: pa.Table,
    rescored: Rescored,
    result: Audit,
    recorded: Mapping[str, np.ndarray],
    limit: np.ndarray,
    row: int,
) -> str | None:
    """Why a win differs: it is none, or the points of the record do not follow from its own han and fu."""
    if rescored.status[row]:
        status, rules = STATUSES[rescored.status[row]], rescored.rulesets[rescored.of[row]]
        return f"the recorded hand is {status.replace('_', ' ')} under {rules.id}"
    if result.rules != RECORDED.id:  # its own rules are asked for what it contradicts
        return None
    han, fu, points = (int(recorded[name][row]) for name in ("han", "fu", "points"))
    if han < 0 or not 0 < fu <= MAX_FU or limit[row] > 0:
        return None
    rules = rescored.rulesets[rescored.of[row]]
    base, _ = base_table(rules)
    at, one = rescored.at, slice(row, row + 1)
    due = win_points(
        base[min(han, MAX_HAN), fu : fu + 1].astype(np.int64),
        (at.winner == at.dealer)[one],
        (at.loser < 0)[one],
        at.players[one],
        bool(rules["payment.tsumo_loss"]),
    )[0]
    if due != points:
        who = "dealer" if at.winner[row] == at.dealer[row] else "non-dealer"
        by = "self-draw" if at.loser[row] < 0 else "ron"
        return f"the record contradicts itself: {fu} fu {han} han by a {who}'s {by} is {due}, recorded {points}"
    return None


def _audit_rounds(tables: Mapping[str, pa.Table], deltas: np.ndarray, result: Audit) -> None:
    rounds = tables["rounds"]
    recorded = by_seat(rounds, "delta").astype(np.int64)
    agrees = (recorded == deltas).all(axis=1)
    _count(result, tables, rounds, "rounds", agrees)
    if agrees.all():
        return

    paths, numbers_ = _paths(tables, rounds), rounds["round_no"].to_pylist()
    explained = {(m.source, m.round): m.cause for m in result.mismatches if m.cause}
    changes = _recorded_changes(tables)
    for row in np.flatnonzero(~agrees):
        cause = explained.get((paths[row], numbers_[row]))
        if cause is None and (changes[row] != recorded[row]).any():
            cause = (
                f"the record contradicts itself: the changes it states add up to {changes[row].tolist()}, "
                "the points after the round say otherwise"
            )
        result.mismatches.append(
            Mismatch(paths[row], numbers_[row], None, "deltas", recorded[row].tolist(), deltas[row].tolist(), cause)
        )


def _recorded_changes(tables: Mapping[str, pa.Table]) -> np.ndarray:
    """What the stated changes of wins and draws, and the sticks put down, come to by round and seat."""
    rounds = tables["rounds"]
    changes = -STICK * riichi_sticks(tables)
    for name in ("wins", "draws"):
        np.add.at(changes, round_rows(tables[name], rounds), by_seat(tables[name], "delta").astype(np.int64))
    return changes


def _audit_games(tables: Mapping[str, pa.Table], deltas: np.ndarray, rules: Rules, result: Audit) -> None:
    """Final points of complete games; a game is followed from its first recorded round."""
    games, seats = tables["games"], tables["seats"]
    end = ledger(tables, deltas, rules)
    recorded = np.zeros((games.num_rows, 4), np.int64)
    known = np.zeros(games.num_rows, bool)
    row = game_rows(seats, games)
    recorded[row, numbers(seats["seat"])] = numbers(seats["final_points"])
    known[row] = seats["final_points"].is_valid().to_numpy()
    known &= games["is_complete"].to_numpy()
    agrees = (recorded == end.points).all(axis=1)
    result.games += int(known.sum())
    result.games_agree += int((known & agrees).sum())
    paths = games["path"].to_pylist()
    wrong_rounds = {m.source for m in result.mismatches}
    for index in np.flatnonzero(known & ~agrees):
        cause = "a round of the game does not agree" if paths[index] in wrong_rounds else None
        result.mismatches.append(
            Mismatch(
                paths[index], None, None, "final_points", recorded[index].tolist(), end.points[index].tolist(), cause
            )
        )
