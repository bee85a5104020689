"""The report of yaku frequency: the rows it shows, and its dot plot."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from ..metrics.result import figure
from ..scoring.ruleset import name_of
from . import figures
from .figures import COLOURS, MAX_GROUPS, QUIET
from .words import NO_WINS, drawn_groups, groups

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..metrics.yaku import YakuFrequency

_PUBLISHED = "#000000"
_ROW, _WIDTH = 0.235, 8.6


def build(result: YakuFrequency) -> dict[str, pd.DataFrame]:
    """The tables of the report: `yaku`, the most frequent first, and `besides`, dora and value tiles."""
    frame = result.frame
    is_yaku = frame["kind"] == "yaku"
    order = _order(frame[is_yaku])
    yaku = frame[is_yaku].copy()
    yaku["_place"] = yaku["key"].map(order)
    yaku = yaku.sort_values("_place", kind="stable").drop(columns="_place")
    return {"yaku": yaku.reset_index(drop=True), "besides": frame[~is_yaku].reset_index(drop=True)}


def _order(yaku: pd.DataFrame) -> dict[str, int]:
    """Place of each yaku: by rate over all groups, then as the catalog has them."""
    total = yaku.groupby("key", sort=False)[["n", "N"]].sum()
    rate = np.where(total["N"] > 0, total["n"] / np.maximum(total["N"], 1), -1)
    order = np.argsort(-rate, kind="stable")
    return {key: place for place, key in enumerate(total.index[order])}


_WORDED = {
    "any": "Any {name}",
    "lines": "{name}, lines a win",
    "dora": "Hands with {name}",
    "tiles": "{name}, tiles a win",
    "riichi": "{name}, of riichi wins",
    "riichi_tiles": "{name}, tiles a riichi win",
}


def row_name(row: tuple) -> str:
    """A row of the table in full: a yaku by its names, what else is counted with what it is counted by."""
    name = name_of(row.romaji, row.kanji, row.english)
    return name if row.kind == "yaku" else _WORDED[row.kind].format(name=name)


def draw(result: YakuFrequency) -> Figure:
    """Dot plot of how often each yaku occurs."""
    return dots(build(result)["yaku"], by=result.by, level=result.level, has_published=bool(result.published))


def dots(yaku: pd.DataFrame, *, by: Sequence[str] = (), level: float, has_published: bool = False) -> Figure:
    """Dot plot on a log axis: a row per yaku, a dot per group, whiskers for the intervals.

    The thick whisker holds for the row alone, the thin one for all rows at once. Of more than six groups those with
    the most wins are drawn, and those of fewer than 30 wins are not.
    """
    from matplotlib.figure import Figure
    from matplotlib.ticker import NullFormatter

    shown = drawn_groups(groups(yaku[yaku["N"] > 0], by), MAX_GROUPS)
    keys = list(dict.fromkeys(yaku["key"]))
    labels = {row.key: name_of(row.romaji, row.kanji) for row in yaku.drop_duplicates("key").itertuples()}
    if not shown:
        return figures.said([NO_WINS])
    with figures.style():
        drawn = Figure(figsize=(_WIDTH, _ROW * max(len(keys), 3) * (1 + 0.35 * (len(shown) - 1)) + 1.2))
        axes = drawn.add_subplot()
        low = _left_edge(shown)
        axes.set_xscale("log")
        axes.set_xlim(low, 1)
        axes.set_ylim(len(keys) - 0.4, -0.6)
        for place in range(0, len(keys), 2):
            axes.axhspan(place - 0.5, place + 0.5, color="#f6f6f6", lw=0, zorder=0)
        place = {key: float(i) for i, key in enumerate(keys)}
        for number, (name, rows) in enumerate(shown):
            _draw_group(axes, rows, place, number, len(shown), name)
        if has_published:
            at = yaku.dropna(subset="published").drop_duplicates("key")
            at = at[at["published"] >= low]
            y = [place[key] for key in at["key"]]
            axes.plot(at["published"], y, "|", color=_PUBLISHED, ms=9, mew=1.3, zorder=4, label="published")
        axes.set_yticks(range(len(keys)), [figures.latin(labels[key]) for key in keys])
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_formatter(_percent)
        axes.xaxis.set_minor_formatter(NullFormatter())
        axes.grid(axis="x", which="major")
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(f"share of wins; thick: {level:.0%} interval of the row, thin: of all rows at once")
        _legend(axes, yaku, len(shown), has_published)
    return drawn


def _left_edge(shown: list) -> float:
    """A round power of ten below everything seen."""
    edges = [rows.loc[rows["n"] > 0, "low"].min() for _, rows in shown] + [
        rows.loc[rows["n"] == 0, "high"].min() / 4 for _, rows in shown
    ]
    edges = [edge for edge in edges if np.isfinite(edge) and edge > 0]
    return 10.0 ** np.floor(np.log10(min(edges))) if edges else 1e-4


def _draw_group(axes: Axes, rows: pd.DataFrame, place: dict, number: int, n_groups: int, name: str) -> None:
    colour = COLOURS[number]
    offset = (number - (n_groups - 1) / 2) * min(0.24, 0.8 / n_groups)
    y = np.array([place[key] + offset for key in rows["key"]])
    seen = (rows["n"] > 0).to_numpy()
    left = axes.get_xlim()[0]
    for suffix, lw in (("_simultaneous", 0.7), ("", 2.2)):
        low, high = rows["low" + suffix].to_numpy(), rows["high" + suffix].to_numpy()
        axes.hlines(y[seen], np.maximum(low[seen], left), high[seen], color=colour, lw=lw, alpha=0.85, zorder=2)
    high = rows["high"].to_numpy()
    axes.hlines(y[~seen], left, high[~seen], color=colour, lw=0.9, ls=(0, (2, 2)), zorder=2)
    axes.plot(high[~seen], y[~seen], "<", color="white", mec=colour, ms=4, zorder=3)
    few = rows["too_few"].to_numpy()
    rate = rows["rate"].to_numpy()
    axes.plot(rate[seen & ~few], y[seen & ~few], "o", color=colour, ms=4.5, zorder=3, label=figures.label(name))
    axes.plot(rate[seen & few], y[seen & few], "o", color="white", mec=colour, ms=4.5, zorder=3)
    at = 1.012 + 0.085 * number
    edge = axes.get_yaxis_transform()
    for value, height in zip(rows["n"], y - offset, strict=True):
        axes.text(at + 0.07, height, f"{value:,}", transform=edge, ha="right", va="center", color=colour, fontsize=7.5)
    axes.text(at + 0.07, -0.75, "n", transform=edge, ha="right", va="bottom", color=colour, fontsize=8, style="italic")


def _legend(axes: Axes, yaku: pd.DataFrame, n_groups: int, has_published: bool) -> None:
    from matplotlib.lines import Line2D

    handles, _ = axes.get_legend_handles_labels()
    handles = [h for h in handles if n_groups > 1 or h.get_label() == "published"]
    few = {"ls": "", "marker": "o", "color": "white", "mec": QUIET, "ms": 4.5}
    none = {"ls": (0, (2, 2)), "lw": 0.9, "marker": "<", "color": QUIET, "mfc": "white", "ms": 4}
    handles.append(Line2D([], [], **few, label="fewer than 30"))
    if (yaku["n"] == 0).any():
        handles.append(Line2D([], [], **none, label="none seen: at most"))
    axes.legend(handles=handles, loc="lower left", bbox_to_anchor=(0, 1), ncols=min(len(handles), 4), fontsize=8)


def _percent(value: float, _position: int) -> str:
    return f"{100 * value:.10f}".rstrip("0").rstrip(".") + "%"


def alt(result: YakuFrequency) -> str:
    """What the dot plot shows, in words."""
    yaku = build(result)["yaku"]
    first = [
        f"{name}: "
        + ", ".join(
            f"{name_of(row.romaji, row.kanji)} {figure(row.rate, row.unit)}" for row in rows.head(5).itertuples()
        )
        for name, rows in drawn_groups(groups(yaku[yaku["N"] > 0], result.by), MAX_GROUPS)
    ]
    return (
        f"Dot plot of how often each of {yaku['key'].nunique()} yaku occurs among wins, on a log axis with "
        f"{result.level:.0%} intervals. The most frequent, {'; '.join(first)}. The table below holds every number."
    )


