"""Sweep: how often each local yaku, and each value of its options, would occur, and what it would be worth.

Facts are found once for each part. A candidate then costs what it changes: the wins with a reading on which the rules
before and after can differ are scored again, all others stay as they are.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from .audit import Audit, audit_part
from .corpus import Source, each_part
from .impact.candidates import (
    NO_WIN,
    RULES,
    Candidate,
    ImpactError,
    assumed_of,
    each_drawn,
    notes_of,
    of_folder,
    range_of_gain,
    within,
)
from .impact.candidates import each_local as each_local_yaku
from .impact.counting import POINT, asked_bits, known, part_rulesets, parts_of, played_rulesets
from .impact.estimates import bounded, means, rates, words
from .impact.latent import Unwon, games_of, scanned, tempts
from .impact.tally import Events, Tally
from .metrics.card import Card, card_of
from .metrics.columns import WinView
from .metrics.intervals import LEVEL
from .metrics.published import GAME_COLUMNS
from .metrics.result import aligned, interval_text
from .metrics.where import Where
from .notes import counted
from .rescoring import RECORDED, Recorded, Rules, rules_of
from .scoring.patterns import differing_keys, may_differ
from .scoring.ruleset import Ruleset, Yaku, catalog
from .scoring.score import Scores, score
from .settle import first_in_turn, stands
from .targets import check_file, write_whole

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

PER = 10_000
NOT_RECORDED = "not recorded by these sources"
DEFINITIONS = {
    "n": "Wins whose best reading under the base with this one change holds the yaku; of a whole ruleset, wins that "
    "are scored otherwise: points, han, fu, or no win.",
    "N": "Wins under the same rules of which the source tells what the yaku asks for. A double ron is two wins.",
    "per_10000": "10,000 n / N, with its bounds.",
    "mean_gain": "Points that these n wins gain against the base without the yaku, over n; honba and sticks apart.",
    "static": "The same hands scored again: players would have played otherwise.",
}
OF_LATENT = {
    "latent": "Rounds with a hand that would be a win with this one change and was none without it, counted once; of "
    "what is paid without a win, rounds in which it would be paid and was not before.",
    "tempted": "Hands dealt that came to stand one tile, of which they did not see all copies, from a pattern; null of "
    "what is no pattern of the hand.",
}


@dataclass(frozen=True)
class Line:
    """A row of a sweep: a candidate, and the yaku that is looked for; None for any change of the score."""

    candidate: Candidate
    yaku: str | None


@dataclass(frozen=True)
class Sweep:
    """Every candidate alone against the base, one row each, the most frequent first.

    The columns of `table()` are those of `described.SWEEP`.
    """

    frame: pd.DataFrame
    base: Ruleset | Recorded
    card: Card
    audit: Audit
    """Of the same games under the rules they were played by."""
    where: str | None
    level: float
    definitions: Mapping[str, str]
    notes: list[str]
    """Words that no win holds, rules that are for other tables, and what was assumed of which."""
    dealt: Mapping[str, int] | None
    """Games and rounds with recorded play, and hands dealt in them, that `latent` and `tempted` are counted over."""

    def table(self) -> pd.DataFrame:
        """The rows, to keep."""
        return self.frame.copy()

    def as_dict(self) -> dict:
        """Plain values, as JSON takes them; what cannot be told is None."""
        rows = self.frame.astype(object).where(self.frame.notna(), None).to_dict("records")
        return {
            "base": self.base.id,
            "n_wins": self.card.counted,
            "n_games": self.card.counted_games,
            "where": self.where,
            "level": self.level,
            "definitions": {**self.definitions, "interval": interval_text(self.level)},
            "notes": self.notes,
            "card": self.card.as_dict(),
            "dealt": self.dealt,
            "rows": rows,
        }

    def write(self, file: str | Path, form: str | None = None) -> None:
        """Write it as `json`, `csv` or text, by the name's ending where no form is given; whole, or not at all.

        Raises
        ------
        reports.ReportError
            There is no such folder, or it cannot be written to.
        """
        file = check_file(file)
        form = form or {".json": "json", ".csv": "csv"}.get(file.suffix, "text")
        if form == "json":
            import orjson

            content = orjson.dumps(self.as_dict(), option=orjson.OPT_INDENT_2 | orjson.OPT_SERIALIZE_NUMPY)
        else:
            content = (self.frame.to_csv(index=False) if form == "csv" else self.text() + "\n").encode()
        write_whole(file, content)

    def plot(self) -> Figure:
        """Dot plot: rates of the local yaku with their intervals, on a log axis."""
        from .reports.sweep import draw  # the one step up, for notebooks

        return draw(self)

    def report(self, file: str | Path, *, command: str | None = None) -> Path:
        """Write it as a page that needs nothing but itself; whole, or not at all.

        Raises
        ------
        reports.ReportError
            The name does not end in .html, or there is no such folder.
        """
        from .reports.sweep import report

        return report(self, file, command=command)

    def text(self) -> str:
        """The table for a terminal under a line that says what it stands on, which is all where no win passes."""
        notes = [f"note: {note}" for note in self.notes]
        if self.card.is_all_filtered:
            return "\n".join([self.headline(), *notes])
        shown = [("", "", "n", "per 10,000", f"{self.level:.0%} interval", "points each", "latent", "tempted", "")]
        for row in self.frame.to_dict("records"):
            name = row["yaku"] or row["rules"]
            said = f"{row['option']}={row['value']}" if row["option"] else row["value"] or "all it changes"
            if row["N"]:
                gain = f"{row['mean_gain']:,.0f}" if row["n"] else "-"
                bounds = f"{row['low']:.2f} – {row['high']:.2f}"
                counts = (f"{row['n']:,}", f"{row['per_10000']:.2f}", bounds, gain)
            else:
                counts = ("-",) * 4
            few = "too few" if row["too_few"] and row["N"] else ""
            beside = ("" if row[name] is None else f"{row[name]:,}" for name in ("latent", "tempted"))
            shown.append((name, said, *counts, *beside, "; ".join(filter(None, (few, row["note"])))))
        defined = [f"{term}: {text}" for term, text in self.definitions.items()]
        return "\n".join(
            [
                self.headline(),
                "",
                *aligned(shown, left={0, 1, 8}),
                "",
                *notes,
                *defined,
                f"interval: {interval_text(self.level)}",
            ]
        )

    def headline(self) -> str:
        """One line: how many candidates on how many wins against what."""
        card, many = self.card, counted(len(self.frame), "candidate")
        return f"{many} on {card.headline(self.where)}; base {card.under(self.base.id)}"


def sweep(
    source: Source,
    *,
    base: Rules | Path = RECORDED,
    candidates: Sequence[Candidate] | None = None,
    each_local: bool = False,
    rules_dir: str | Path | None = None,
    where: str | None = None,
    latent: bool = True,
    assume: str | None = None,
    level: float = LEVEL,
    workers: int = 1,
) -> Sweep:
    """Score recorded wins under every candidate, one at a time, in one pass over the facts.

    Parameters
    ----------
    source : Store, its folder, logs, or tables
    base
        A ruleset, its id or its file; `recorded` for the one each game was played under.
    candidates, each_local, rules_dir
        What is weighed: candidates at hand, every local yaku with every other value of its options, or every ruleset
        file of a folder. Of a ruleset there is a row for all it changes and one for each local yaku it adds.
    where : str, optional
        Keep only wins of which this is true as the base scores them.
    latent : bool
        Whether to look for hands that would only now be wins, as rule_impact does.

    Raises
    ------
    ImpactError
        Nothing to weigh, or nothing to weigh it on.
    metrics.columns.StatisticsError
        `where` cannot be read.
    scoring.ruleset.RulesetError
        No such ruleset, or an incomplete one.
    """
    base = rules_of(str(base) if isinstance(base, Path) else base)
    found = [*(candidates or ()), *((*each_local_yaku(base), *each_drawn(base)) if each_local else ())]
    found += of_folder(rules_dir, base, assume=assume) if rules_dir is not None else ()
    if not found:
        raise ImpactError("nothing to sweep; say which rulesets, or each local yaku")
    filter_ = Where(where) if where and where.strip() else None
    definitions = DEFINITIONS | OF_LATENT if latent else DEFINITIONS
    if latent and filter_ is not None and not filter_.columns <= GAME_COLUMNS:
        latent = False
        definitions = DEFINITIONS | {"latent": "not looked for: the filter keeps some wins of a game and not others"}
    with parts_of(source, workers=workers) as parts:
        played = played_rulesets(parts)
        told = _told(_lines(found, played), played)
        task = _Task(base, told, found, played, filter_, latent)
        if latent:
            scanned(parts, workers=workers)
        total = _Counts(Card(), Audit(), Tally.none(told.group), Counter(), [Counter() for _ in found])
        for part in each_part(parts, partial(_of_part, task), workers=workers):
            total += part
    return Sweep(
        frame=_frame(task, total, level),
        base=base,
        card=total.card,
        audit=total.audit,
        where=filter_.text if filter_ else None,
        level=level,
        definitions=definitions,
        notes=[*notes_of(base, found, total.card, filter_), *assumed_of(base, found)],
        dealt=dict(total.dealt) if latent else None,
    )


def _lines(candidates: Sequence[Candidate], played: Sequence[str]) -> list[Line]:
    """The rows: one a candidate, and of a ruleset one for each local yaku it adds besides."""
    found = []
    for one in candidates:
        found.append(Line(one, one.drawn or one.yaku))
        if one.kind == RULES and isinstance(one.rules, Ruleset):
            rules, befores = one.rules, [within(one.before, id_) for id_ in played]
            for yaku in rules.yaku().values():
                is_new = any(yaku.id not in b.yaku() or not b.yaku_value(yaku.id).is_on for b in befores)
                if yaku.kind == "hand" and not yaku.is_standard and rules.yaku_value(yaku.id).is_on and is_new:
                    found.append(Line(one, yaku.id))
    return found


@dataclass(frozen=True)
class _Told:
    """The lines, and what must be known of a win for each.

    Attributes
    ----------
    of_candidate : rows of the lines of each candidate that is about wins
    group : int (2 n_lines)
        Occurrences of the lines that ask the same of a win are counted over the same wins; gains over occurrences, and
        what is paid without a win over none.
    bits : by ruleset played, the flags that must be known, one a group
    """

    lines: list[Line]
    of_candidate: list[list[int]]
    group: np.ndarray
    bits: dict[str, list[np.uint64]]


def _told(lines: Sequence[Line], played: Sequence[str]) -> _Told:
    of_candidate: dict[int, list[int]] = {}
    groups: dict[tuple, int] = {}
    group = np.full(2 * len(lines), -1, np.int64)
    for row, line in enumerate(lines):
        if line.candidate.drawn is not None:
            continue
        of_candidate.setdefault(id(line.candidate), []).append(row)
        asked = tuple(
            asked_bits(line.yaku, within(line.candidate.rules, id_)) if line.yaku else np.uint64(0) for id_ in played
        )
        group[row] = groups.setdefault(asked, len(groups))
    bits = {id_: [asked[place] for asked in groups] for place, id_ in enumerate(played)}
    return _Told(list(lines), list(of_candidate.values()), group, bits)


@dataclass(frozen=True)
class _Task:
    """What is asked of each part."""

    base: Ruleset | Recorded
    told: _Told
    candidates: list[Candidate]
    played: list[str]
    where: Where | None
    latent: bool


@dataclass
class _Counts:
    """All that is counted, as it adds up over parts; `latent` by candidate."""

    card: Card
    audit: Audit
    tally: Tally
    dealt: Counter
    latent: list[Counter]

    def __iadd__(self, other: _Counts) -> _Counts:
        self.card += other.card
        self.audit += other.audit
        self.tally += other.tally
        self.dealt.update(other.dealt)
        for mine, its in zip(self.latent, other.latent, strict=True):
            mine.update(its)
        return self


def _of_part(task: _Task, tables: Mapping[str, pa.Table]) -> _Counts:
    told, view = task.told, WinView.of(tables, task.base)
    passes = np.ones(len(view), bool) if task.where is None else task.where.rows(view)
    counts = ~view.is_duplicate & passes
    n_groups = int(told.group.max(initial=-1)) + 1
    sizes, entries = np.zeros((len(view), n_groups), np.int64), []
    for index, played in enumerate(part_rulesets(view, task.base)):
        own = _Own(view, index, counts, told.bits[played or next(iter(told.bits))])
        sizes += own.tells
        for rows in told.of_candidate:
            entries += own.entries([(row, told.lines[row], told.group[row]) for row in rows], len(told.lines), played)
    player = view.column("player").dictionary_encode()
    tally = Tally.of(
        told.group,
        sizes,
        Events.of(entries),
        view.game,
        view.seat,
        player.indices.to_numpy(),
        player.dictionary.to_pylist(),
    )
    card = card_of(view, np.flatnonzero(view.rescored.stands & counts), passes, task.where.words if task.where else ())
    audit = audit_part(view.tables)
    if not task.latent:
        return _Counts(card, audit, tally, Counter(), [Counter() for _ in task.candidates])
    unwon = Unwon.of(tables, games_of(view, passes, task.where))
    latent = [unwon.counts(one, unwon.wins(one), is_tempting=tempts(one, task.played)) for one in task.candidates]
    return _Counts(card, audit, tally, unwon.dealt, latent)


class _Own:
    """The wins of a part that were played under one ruleset, as the base scores them.

    `tells`, bool (n_wins, n_groups): whether a win stands, is counted, and is one of which the source tells enough.
    """

    def __init__(self, view: WinView, index: int, counts: np.ndarray, bits: Sequence[np.uint64]):
        self.view, self.facts = view, view.rescored.facts
        self.is_own = view.rescored.of == index
        self.counts = counts & self.is_own
        self.rules: Ruleset = view.rescored.rulesets[index]
        self.scores: Scores = view.rescored.scores[index]
        self.known = np.stack([known(self.facts.hands, one) for one in bits], axis=1)
        self.stands = self._stands(self.scores.is_paid, self.rules)
        self.tells = self.known & (self.stands & self.counts)[:, None]

    def entries(self, lines: Sequence[tuple[int, Line, int]], n_lines: int, played: str) -> Iterator[tuple]:
        """Events of the lines of one candidate, each with its row and group."""
        candidate = lines[0][1].candidate
        after, before = within(candidate.rules, played), within(candidate.before, played)
        after.check_complete()
        rows = self.facts.hands_with(may_differ(self.facts.patterns, before, after))
        rows = rows[self.is_own[rows]]
        old = self._scored(before)
        is_bumped = "head_bump" in (before["payment.multiple_ron"], after["payment.multiple_ron"])
        if not len(rows) and old is self.scores and not is_bumped:
            return
        new = score(self.facts.only(rows), [after])[0]
        is_paid = old.is_paid.copy()
        is_paid[rows] = new.is_paid
        stood, standing = self._stands(old.is_paid, before), self._stands(is_paid, after)
        is_changed = (standing != self.stands) | (stood != self.stands)
        if (is_changed & self.counts).any():  # these stand under one of the rulesets only
            rows_all = np.union1d(rows, np.flatnonzero(is_changed & self.is_own))
            if len(rows_all) > len(rows):
                rows, new = rows_all, score(self.facts.only(rows_all), [after])[0]
        counted = self.counts[rows]
        gain = (new.points * standing[rows] - old.points[rows] * stood[rows]) // POINT
        for row, line, group in lines:
            if line.yaku is None:
                tells = standing[rows] | stood[rows]
                occurs = _differs(old, new, rows) | (standing[rows] != stood[rows])
            else:
                tells = standing[rows] & self.known[rows, group]
                held = line.yaku in new.played.yaku
                occurs = new.holds[:, new.played.yaku.index(line.yaku)] if held else np.zeros(len(rows), bool)
            tells = tells & counted
            occurs = occurs & tells
            more = tells.astype(np.int64) - self.tells[rows, group]
            is_event = occurs | (more != 0)
            yield row, rows[is_event], occurs[is_event], more[is_event]
            yield n_lines + row, rows[occurs], gain[occurs], 1

    def _scored(self, rules: Ruleset) -> Scores:
        """All wins under the rules before the change: the base, unless it plays the yaku already."""
        if not differing_keys(rules, self.rules):
            return self.scores
        return score(self.facts, [rules])[0]

    def _stands(self, is_paid: np.ndarray, rules: Ruleset) -> np.ndarray:
        counts = is_paid & self.is_own
        if rules["payment.multiple_ron"] != "head_bump":
            return counts
        return stands(counts, first_in_turn(self.view.round, self.view.rescored.at, counts), rules)


def _differs(old: Scores, new: Scores, rows: np.ndarray) -> np.ndarray:
    """Of these wins, which are scored otherwise."""
    return np.logical_or.reduce(
        [getattr(old, name)[rows] != getattr(new, name) for name in ("status", "points", "han", "fu", "units")]
    )


def _frame(task: _Task, total: _Counts, level: float) -> pd.DataFrame:
    """The rows in their order; what no win holds comes last, without numbers of wins."""
    import pandas as pd

    lines, card, n_lines = task.told.lines, total.card, len(task.told.lines)
    latent = {one.id: counts for one, counts in zip(task.candidates, total.latent, strict=True)}
    schemes = total.tally.schemes
    tells = int((schemes[0].size[:n_lines] > 0).sum())
    rate = rates([one.only(np.arange(n_lines)) for one in schemes], tells, level=level)
    gain = means([one.only(np.arange(n_lines, 2 * n_lines)) for one in schemes], tells, level=level, scale=POINT)
    gain = bounded(gain, [range_of_gain(line.candidate, task.played) for line in lines])
    known_yaku = [_yaku(line) for line in lines]
    frame = pd.DataFrame(
        {
            "rules": words(line.candidate.id if line.candidate.kind == RULES else None for line in lines),
            "yaku": words(line.yaku for line in lines),
            **{
                name: words(None if one is None else getattr(one, name) for one in known_yaku)
                for name in ("kanji", "romaji", "english")
            },
            "option": words(line.candidate.option for line in lines),
            "value": words(map(_value, lines)),
            "n": rate["n"],
            "N": rate["N"],
            "per_10000": rate["rate"] * PER,
            **{
                side + suffix: rate[side + suffix] * PER for suffix in ("", "_simultaneous") for side in ("low", "high")
            },
            "per_100_games": rate["n"] * 100 / max(card.counted_games, 1),
            "deff": rate["deff"],
            "too_few": rate["too_few"],
            "needed": rate["needed"],
            "mean_gain": gain["mean"],
            "gain_low": gain["low"],
            "gain_high": gain["high"],
            "latent": words(_latent(line, latent[line.candidate.id]) for line in lines),
            "tempted": words(latent[line.candidate.id].get("tempted") for line in lines),
            "note": [_note(line, int(size), card) for line, size in zip(lines, rate["N"], strict=True)],
        }
    )
    ids = [(line.candidate.id, line.yaku or "") for line in lines]
    order = sorted(range(n_lines), key=lambda row: (rate["N"][row] == 0, -rate["n"][row], ids[row]))
    frame["n"] = words(int(n) if size else None for n, size in zip(rate["n"], rate["N"], strict=True))
    return frame.iloc[order].reset_index(drop=True)


def _latent(line: Line, counts: Counter) -> int | None:
    """Of a ruleset they stand in the row of all it changes."""
    if not counts or (line.candidate.kind == RULES and line.yaku is not None):
        return None
    if line.candidate.drawn is not None:
        return counts["paid_anew"]
    return counts["n"] if counts["told"] or not counts["chances"] else None


def _yaku(line: Line) -> Yaku | None:
    if line.yaku is None or line.yaku in catalog():
        return catalog().get(line.yaku)
    return line.candidate.rules.own[line.yaku].yaku


def _value(line: Line) -> str | None:
    """The value of the option, or of the yaku."""
    if line.yaku is not None and line.candidate.kind == RULES:
        return line.candidate.rules.yaku_value(line.yaku).text
    return line.candidate.value


def _note(line: Line, size: int, card: Card) -> str:
    if line.candidate.drawn is not None:
        return NO_WIN
    if not size:
        return NOT_RECORDED if card.counted else "no wins"
    yaku = _yaku(line)
    if yaku is not None and line.candidate.kind != RULES and not yaku.value.is_on:
        return "no agreed value: taken at one han"
    return ""
