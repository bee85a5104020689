"""The report of han, fu and limits: the rows it shows, its histograms, and limits by group of wins."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from ..metrics.han import BANDS, SPLITS
from ..metrics.result import figure
from . import figures
from .figures import COLOURS, MAX_GROUPS, QUIET
from .words import NO_WINS, drawn_groups, groups, interval

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure, SubFigure

    from ..metrics.han import HanDistribution

_BAND_COLOURS = ("#dfe8ef", "#b3cde0", "#6baed6", "#2f7fbc", "#08519c", "#3b2a6b")
_DRAWN_BANDS = ("none", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")
"""Bands of the stacked bars; every kind of yakuman is in the last."""
_BAND_WORDS = ("below mangan", "mangan", "haneman", "baiman", "sanbaiman", "yakuman")
_WIDTH = 9.2
_LABELLED_SHARE = 0.045


def build(result: HanDistribution) -> dict[str, pd.DataFrame]:
    """The tables of the report: `han`, `fu`, `limit`, and `besides`, and `groups`, limits and points by split."""
    frame = result.frame
    parts = {kind: frame[frame["kind"] == kind].reset_index(drop=True) for kind in ("han", "fu", "limit")}
    parts["besides"] = frame[~frame["kind"].isin(parts)].reset_index(drop=True)
    splits = result.split_frame
    parts["groups"] = splits[splits["kind"].isin(("limit", "at_least", "mean"))].reset_index(drop=True)
    return parts


def draw(result: HanDistribution) -> Figure:
    """Histograms of han and fu above, limits and mean points by group below."""
    from matplotlib.figure import Figure

    if not len(result.frame):
        return figures.said([NO_WINS])
    n_bars = len(_bars(result))
    with figures.style():
        drawn = Figure(figsize=(_WIDTH, 3.2 + 1.3 + 0.28 * n_bars))
        above, below = drawn.subfigures(2, 1, height_ratios=[3.2, 1.3 + 0.28 * n_bars])
        _histograms(above, result)
        _limits(below, result)
    return drawn


def draw_histograms(result: HanDistribution) -> Figure:
    """Histograms of han and fu."""
    from matplotlib.figure import Figure

    if not len(result.frame):
        return figures.said([NO_WINS])
    with figures.style():
        drawn = Figure(figsize=(_WIDTH, 3.2))
        _histograms(drawn, result)
    return drawn


def draw_limits(result: HanDistribution) -> Figure:
    """Limits and mean points by group."""
    from matplotlib.figure import Figure

    if not len(result.frame):
        return figures.said([NO_WINS])
    with figures.style():
        drawn = Figure(figsize=(_WIDTH, 1.3 + 0.28 * len(_bars(result))))
        _limits(drawn, result)
    return drawn


def _histograms(drawn: Figure | SubFigure, result: HanDistribution) -> None:
    shown = drawn_groups(groups(result.frame, result.by), MAX_GROUPS)
    left, right = drawn.subplots(1, 2, width_ratios=[1.15, 1])
    drawn.subplots_adjust(wspace=0.16, left=0.06, right=0.985, bottom=0.16, top=0.86)
    _histogram(left, shown, "han", "Han of winning hands")
    _histogram(right, shown, "fu", "Fu of hands of at most four han")
    if len(shown) > 1:
        left.legend(fontsize=8, loc="upper right")


def _histogram(axes: Axes, shown: list, kind: str, title: str) -> None:
    bar = 0.8 / max(len(shown), 1)
    published, keys, top = None, [], 0.0
    for number, (name, rows) in enumerate(shown):
        rows = rows[rows["kind"] == kind]
        keys = ["Y" if key == "yakuman" else key for key in rows["key"]]
        x = np.arange(len(rows)) + (number - (len(shown) - 1) / 2) * bar
        rate, low, high = (rows[side].to_numpy() for side in ("rate", "low", "high"))
        error = np.nan_to_num(np.stack([rate - low, high - rate]))
        axes.bar(x, np.nan_to_num(rate), bar * 0.92, color=COLOURS[number], label=figures.label(name), zorder=2)
        axes.errorbar(x, rate, np.maximum(error, 0), fmt="none", ecolor="#222222", elinewidth=0.8, zorder=3)
        if len(shown) == 1:
            for at, edge, n in zip(x, high, rows["n"], strict=True):
                axes.annotate(
                    f"{n:,}", (at, np.nan_to_num(edge)), (0, 2), textcoords="offset points",
                    ha="center", va="bottom", fontsize=6, color=QUIET,
                )
            if rows["published"].notna().any():
                published = axes.hlines(rows["published"], x - 0.42, x + 0.42, color="black", lw=1.3, zorder=4)
        top = max(top, float(np.nanmax(high, initial=0)))
    axes.set_xticks(range(len(keys)), keys, fontsize=7.5)
    axes.set_ylim(0, top * 1.12 or 1)
    axes.tick_params(axis="x", length=0)
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.grid(axis="y")
    axes.set_title(title)
    axes.set_xlabel("han, dora included; Y yakuman" if kind == "han" else "fu")
    if published is not None:
        axes.legend([published], ["published"], fontsize=8, loc="upper right")


def _bars(result: HanDistribution) -> list[tuple[str, pd.DataFrame]]:
    """The groups whose limits are drawn: those split by, else all wins and the four standard splits."""
    if result.by:
        return [bar for bar in groups(result.frame, result.by) if bar[1]["N"].max() > 0]
    bars = groups(result.frame, ())
    for split in SPLITS:
        rows = result.split_frame[result.split_frame["split"] == split].rename(columns={"value": split})
        bars += reversed([bar for bar in groups(rows, (split,)) if bar[1]["N"].max() > 0])
    return bars


def _limits(drawn: Figure | SubFigure, result: HanDistribution) -> None:
    from matplotlib.patches import Patch

    bars = _bars(result)
    axes = drawn.subplots()
    height = 1.3 + 0.28 * len(bars)
    drawn.subplots_adjust(left=0.12, right=0.77, bottom=0.5 / height, top=1 - 0.45 / height)
    axes.set_xlim(0, 1)
    axes.set_ylim(len(bars) - 0.45, -0.6)
    for place, (_, rows) in enumerate(bars):
        left = 0.0
        for band, share in enumerate(_band_shares(rows)):
            axes.barh(place, share, 0.78, left=left, color=_BAND_COLOURS[band], edgecolor="white", lw=0.5)
            if share >= _LABELLED_SHARE:
                ink, at = "white" if band >= 3 else "black", (left + share / 2, place)
                axes.text(*at, figure(share, "share"), ha="center", va="center", fontsize=7, color=ink)
            left += share
        mean = rows[rows["kind"] == "mean"].iloc[0]
        edge = axes.get_yaxis_transform()
        axes.text(1.09, place, f"{mean['N']:,}", transform=edge, ha="right", va="center", fontsize=7.5)
        points = f"{figure(mean['rate'], mean['unit'])}  ({interval(mean['low'], mean['high'], mean['unit'])})"
        axes.text(1.11, place, points, transform=edge, ha="left", va="center", fontsize=7.5)
    edge = axes.get_yaxis_transform()
    for at, side, head in ((1.09, "right", "wins"), (1.11, "left", f"mean points ({result.level:.0%})")):
        axes.text(at, -0.7, head, transform=edge, ha=side, va="bottom", fontsize=8, color=QUIET)
    axes.set_yticks(range(len(bars)), [figures.label(name) for name, _ in bars])
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
    axes.set_xlabel("share of the group's wins")
    axes.spines["left"].set_visible(False)
    patches = [Patch(color=colour, label=word) for colour, word in zip(_BAND_COLOURS, _BAND_WORDS, strict=True)]
    axes.legend(
        handles=patches, loc="lower left", bbox_to_anchor=(0, 1.01), ncols=6, fontsize=7.5, handlelength=1,
        columnspacing=1, borderaxespad=0.2,
    )


def _band_shares(rows: pd.DataFrame) -> list[float]:
    share = rows[rows["kind"] == "limit"].set_index("key")["rate"].fillna(0)
    ordinary = [float(share[band]) for band in _DRAWN_BANDS[:-1]]
    return [*ordinary, float(share[[band for band in BANDS if "yakuman" in band]].sum())]


def alt_histograms(result: HanDistribution) -> str:
    """What the histograms show, in words."""
    said = []
    for name, rows in drawn_groups(groups(result.frame, result.by), MAX_GROUPS):
        han, fu = (rows[(rows["kind"] == kind) & (rows["N"] > 0)] for kind in ("han", "fu"))
        if len(han) and len(fu):
            top, common = han.loc[han["rate"].idxmax()], fu.loc[fu["rate"].idxmax()]
            said.append(
                f"{name}: most wins have {top['key']} han ({figure(top['rate'], top['unit'])}), of those of at most "
                f"four han most have {common['key']} fu ({figure(common['rate'], common['unit'])})"
            )
    return f"Two histograms with {result.level:.0%} intervals, han and fu of winning hands. {'; '.join(said)}."


def alt_limits(result: HanDistribution) -> str:
    """What the stacked bars show, in words."""
    said = []
    for name, rows in _bars(result):
        mean = rows[rows["kind"] == "mean"].iloc[0]
        below = figure(_band_shares(rows)[0], "share")
        said.append(f"{name} {below} below mangan, {figure(mean['rate'], mean['unit'])} points on average")
    return f"Stacked bars of limits by group of wins: {'; '.join(said)}."
