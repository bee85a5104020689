"""What every statistic of wins returns: one tidy table, and what it stands on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from ..notes import width
from ..rescoring import RECORDED
from ..scoring.ruleset import Ruleset
from .card import Card
from .intervals import (
    FEW_EVENTS,
    LEVEL,
    design_effect,
    effective_size,
    mean_design_effect,
    mean_interval,
    rate_interval,
    simultaneous,
)
from .published import Published, publications_for
from .sums import Sums, Task

if TYPE_CHECKING:
    import pandas as pd

RATE, MEAN = "rate", "mean"


@dataclass(frozen=True)
class Statistic:
    """A row of a result: what is counted over what.

    Attributes
    ----------
    unit : str
        Of the rate: `share of wins`, `tiles per win`.
    form : str
        `rate` (a win has it or not) or `mean`.
    scale : int
        What one of the numerator stands for.
    """

    kind: str
    key: str
    label: str
    unit: str
    form: str = RATE
    scale: int = 1


@dataclass(frozen=True)
class Result:
    """A table of statistics, one row each and per group, and what it stands on.

    Attributes
    ----------
    frame : pandas.DataFrame
    card : Card
    rulesets : list of Ruleset
        Those the wins were scored under.
    by, where
        How the wins were split and filtered.
    level : float
        Of the intervals.
    definitions : mapping of term to sentence
    notes : list of str
        What the rows alone do not say: rules that are for other tables, words that no win holds.
    published : list of Published
        Whose figures stand in the column `published`.
    """

    frame: pd.DataFrame
    card: Card
    rulesets: list[Ruleset]
    by: tuple[str, ...]
    where: str | None
    level: float
    definitions: Mapping[str, str]
    notes: list[str]
    published: list[Published]

    def table(self) -> pd.DataFrame:
        """The rows, to keep."""
        return self.frame.copy()

    def as_dict(self) -> dict:
        """Plain values, as JSON takes them; what cannot be told is None."""
        rows = self.frame.astype(object).where(self.frame.notna(), None).to_dict("records")
        return {
            "definitions": {**self.definitions, "interval": interval_text(self.level)},
            "notes": self.notes,
            "where": self.where,
            "by": list(self.by),
            "level": self.level,
            "rulesets": [{"id": r.id, "name": r.name, "hash": r.hash} for r in self.rulesets],
            "card": self.card.as_dict(),
            "published": [{"source": p.source, "about": p.about, "conventions": p.conventions} for p in self.published],
            "rows": rows,
        }

    def text(self) -> str:
        """The table for a terminal under a line that says what it stands on, which is all where no win passes."""
        notes = [f"note: {note}" for note in self.notes]
        if self.card.is_all_filtered:
            return "\n".join([self.headline(), *notes])
        rows = self.frame[self.frame["N"] > 0]
        shown = [(*self.by, "", "", "n", "N", "rate", f"{self.level:.0%} interval", "")]
        for row in rows.to_dict("records"):
            group = ["-" if row[name] is None else str(row[name]) for name in self.by]
            bounds = f"{figure(row['low'], row['unit'])} – {figure(row['high'], row['unit'])}"
            note = "too few" if row["too_few"] else ""
            numbers = f"{row['n']:,}", f"{row['N']:,}", figure(row["rate"], row["unit"])
            shown.append((*group, row["key"], row["label"], *numbers, bounds, note))
        said = [f"{term}: {text}" for term, text in self.definitions.items()]
        said = [*notes, *said, f"interval: {interval_text(self.level)}"]
        rows_of_text = aligned(shown, left={*range(len(self.by) + 2), len(shown[0]) - 1})
        return "\n".join([self.headline(), "", *rows_of_text, "", *said])

    def headline(self) -> str:
        """One line: how many wins, from where, under what."""
        card = self.card
        span = f", {card.first.date()} to {card.last.date()}" if card.first else ""
        under = ", ".join(rules.id for rules in self.rulesets) or RECORDED.id
        return f"{card.headline(self.where)}{span}; {card.under(under)}"


def interval_text(level: float) -> str:
    """How intervals are made, as it stands beside the numbers."""
    return (
        f"{level:.0%} for each row alone. Rates: Wilson's, and below {FEW_EVENTS} events the exact one of Clopper and "
        f"Pearson, both at the effective size N / design effect. The design effect is the variance of the rate over "
        f"clusters against that of independent wins: the larger of by game and by player, and at least 1; with few "
        f"clusters, counted by their effective number (ΣN)²/ΣN², the size shrinks further by the squared ratio of the "
        f"normal to Student's quantile. Means: Student's, with the variance over clusters. They are about players and "
        f"games like these."
    )


def figure(value: float, unit: str) -> str:
    """A rate as people read it: shares in percent to three digits, points whole.

    >>> figure(0.34489, "share of wins"), figure(0.000331, "share of wins"), figure(5273.8, "points per win")
    ('34.5%', '0.0331%', '5,274')
    >>> figure(0.0, "share of wins"), figure(3.1e-08, "share of wins"), figure(float("nan"), "share of wins")
    ('0%', '<0.0001%', '-')
    """
    if value is None or not np.isfinite(value):
        return "-"
    if unit.startswith("points"):
        return f"{value:,.0f}"
    if not unit.startswith("share"):
        return f"{value:.4f}"
    percent = 100 * value
    if 0 < percent < 0.0001:
        return "<0.0001%"
    if percent < 0.0995:
        return np.format_float_positional(percent, 3, fractional=False, trim="-") + "%"
    digits = 1 if percent >= 9.995 else 2 if percent >= 0.9995 else 3
    return f"{percent:.{digits}f}%"


def result_frame(
    sums: Sums, statistics: Sequence[Statistic], task: Task, names: Mapping[str, Sequence], *, level: float = LEVEL
) -> tuple[pd.DataFrame, list[Published]]:
    """One row per statistic and group; `names` are further columns that identify a statistic."""
    import pandas as pd

    rules = {id_: task.ruleset(id_) for _, id_ in sums.totals} or task.given
    plays = [sums.measure.plays(r) for r in rules.values()]
    shown = np.flatnonzero(np.logical_or.reduce(plays)) if plays else np.zeros(0, np.int64)
    groups = sums.groups or [(None,) * len(sums.by)]
    counted = [(group, *sums.of_group(group, rules, shown)) for group in groups]
    # Of three-player tables, say, nothing is told where there are none; what is among all wins has its row in any case.
    told = (sums.measure.over[shown] == 0) | np.any([schemes[0].size > 0 for _, _, schemes in counted], axis=0)
    counted = [
        (group, {name: each[told] for name, each in besides.items()}, [s.only(told) for s in schemes])
        for group, besides, schemes in counted
    ]
    shown = shown[told]
    statistics = [statistics[i] for i in shown]
    identity = {"kind": [s.kind for s in statistics], "key": [s.key for s in statistics]}
    identity |= {name: [values[i] for i in shown] for name, values in names.items()}
    identity |= {"label": [s.label for s in statistics], "unit": [s.unit for s in statistics]}

    n_rows = sum(int((schemes[0].size > 0).sum()) for _, _, schemes in counted)
    columns_used = {name for split in (*sums.by, *filter(None, [task.where])) for name in split.columns}
    blocks, sources = [], []
    for group, besides, schemes in counted:
        beside = publications_for(sums.tables.get(group), columns_used)
        figures = {key: value for published in beside for key, value in published.figures.items()}
        sources += [p for p in beside if p not in sources and any((s.kind, s.key) in p.figures for s in statistics)]
        blocks.append(
            pd.DataFrame(
                {split.name: [value] * len(shown) for split, value in zip(sums.by, group, strict=True)}
                | identity
                | _estimates(statistics, schemes, level, simultaneous(level, n_rows))
                | besides
                | {"published": np.array([figures.get((s.kind, s.key), np.nan) for s in statistics], float)}
            )
        )
    return pd.concat(blocks, ignore_index=True), sources


def _estimates(statistics: Sequence[Statistic], schemes: list, level: float, level_of_all: float) -> dict:
    is_rate = np.array([s.form == RATE for s in statistics], bool)
    scale = np.array([s.scale for s in statistics], np.int64)
    by_win = schemes[0]
    n, size = by_win.n.astype(np.int64), by_win.size.astype(np.int64)
    bounds = {}
    for name, at in (("", level), ("_simultaneous", level_of_all)):
        effective = effective_size(schemes[1:], level=at)
        of_rate = rate_interval(n, size, effective, level=at)
        of_mean = mean_interval(schemes, level=at)
        for side, a, b in zip(("low", "high"), of_rate, of_mean, strict=True):
            bounds[side + name] = np.where(is_rate, a, np.maximum(b, 0) * scale)
    effect = np.maximum.reduce([design_effect(s) for s in schemes[1:]])
    return {
        "n": n * scale,
        "N": size,
        "rate": by_win.ratio * scale,
        "low": bounds["low"],
        "high": bounds["high"],
        "low_simultaneous": bounds["low_simultaneous"],
        "high_simultaneous": bounds["high_simultaneous"],
        "deff": np.where(is_rate, effect, mean_design_effect(schemes)),
        "too_few": np.where(is_rate, n, size) < FEW_EVENTS,
    }


def aligned(rows: Sequence[Sequence[str]], left: set[int]) -> list[str]:
    """Rows of a table for a terminal; the columns `left` are flush left."""
    widths = [max(width(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = []
    for row in rows:
        cells = [
            text + " " * (widths[i] - width(text)) if i in left else " " * (widths[i] - width(text)) + text
            for i, text in enumerate(row)
        ]
        lines.append("  ".join(cells).rstrip())
    return lines
