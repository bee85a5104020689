"""The figures of a rule impact: gains, rarity beside the standard yaku, limits crossed, yaku in the same hands."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from ..metrics.intervals import FEW_EVENTS
from . import figures
from .figures import COLOURS, FAINT, INK, LONGEST_NAME, QUIET
from .names import candidate_name, limit_words, yaku_of
from .words import none_of, to_the_point

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

    from ..impact import RuleImpact

_WIDTH, _ROW = 8.6, 0.3
_OURS = COLOURS[1]
NO_CROSSING = "No recorded win comes to stand at a limit or above it, and none falls below one."
_MOST_TOGETHER = 14


def named(result: RuleImpact) -> dict[str, str]:
    """The name of each candidate by its id."""
    known = yaku_of(result)
    return {one.id: candidate_name(one, known) for one in result.candidates}


def _label(text: str) -> str:
    return figures.latin(figures.label(text, longest=LONGEST_NAME))


def is_told(row: dict, low: str, high: str) -> bool:
    """Whether a difference may be coloured: its interval leaves zero out, and rests on enough occurrences."""
    return not row["too_few"] and (row[low] > 0 or row[high] < 0)


# Gains


def draw_gains(result: RuleImpact) -> Figure:
    """Forest plot of the points gained per occurrence; the thick whisker holds for a row, the thin one for all.

    Rows of too few occurrences do not set the axis; their intervals are cut at its edge, and marked there.
    """
    from matplotlib.figure import Figure

    rows, names = gain_rows(result), named(result)
    if not rows:
        return figures.said(nothing_of(result))
    with figures.style():
        drawn = Figure(figsize=(_WIDTH, 0.75 + _ROW * len(rows)))
        axes = drawn.add_subplot()
        _frame_rows(axes, [names[row["candidate"]] for row in rows])
        left, right = axes.set_xlim(_gain_axis(rows))
        axes.axvline(0, color=INK, lw=0.8, zorder=1)
        for y, row in enumerate(rows):
            mean = row["gain_per_occurrence"]
            colour = (
                COLOURS[0] if is_told(row, "occurrence_low_simultaneous", "occurrence_high_simultaneous") else QUIET
            )
            for suffix, width in (("_simultaneous", 0.8), ("", 2.4)):
                low, high = row[f"occurrence_low{suffix}"], row[f"occurrence_high{suffix}"]
                axes.hlines(y, max(low, left), min(high, right), color=colour, lw=width)
                for edge, is_cut, mark in ((left, low < left, "<"), (right, high > right, ">")):
                    if is_cut:
                        axes.plot(edge, y, mark, ms=5, color=colour, clip_on=False, zorder=3)
            axes.plot(mean, y, "s", ms=6, color="white" if row["too_few"] else colour, mec=colour, zorder=3)
            _at_the_right(axes, y, f"{mean:+,.0f}", f"{row['n']:,}")
        _at_the_right(axes, -0.8, "points", "n", QUIET)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:+,.0f}" if value else "0")
        axes.grid(axis="x")
        axes.set_xlabel(
            f"points gained per occurrence; thick: {result.level:.0%} interval of the row, thin: of all rows at once; "
            f"hollow: fewer than {FEW_EVENTS}"
        )
    return drawn


def gain_rows(result: RuleImpact) -> list[dict]:
    """The candidates that occur."""
    return [row for row in result.table().to_dict("records") if row["n"]]


def nothing_of(result: RuleImpact) -> list[str]:
    """What there is to say of candidates of which nothing can be drawn: how rare they are at least, or why."""
    names = named(result)
    return [
        f"{names[row['candidate']]}: {row['note'] if row['n'] is None else none_of(row['N'], row['high'])}"
        for row in result.table().to_dict("records")
        if not row["n"]
    ]


def _gain_axis(rows: list[dict]) -> tuple[float, float]:
    """From the least to the most that is seen or that intervals of enough occurrences hold, zero within."""
    sure = [row[f"occurrence_{side}_simultaneous"] for row in rows if not row["too_few"] for side in ("low", "high")]
    ends = [0, *(row["gain_per_occurrence"] for row in rows), *(end for end in sure if np.isfinite(end))]
    room = 0.08 * (max(ends) - min(ends)) or 1
    return min(ends) - room, max(ends) + room


def _frame_rows(axes: Axes, names: list[str]) -> None:
    axes.set_ylim(max(len(names), 1) - 0.4, -0.6)
    axes.set_yticks(range(len(names)), [_label(name) for name in names])
    axes.tick_params(axis="y", length=0)
    axes.spines["left"].set_visible(False)


def _at_the_right(axes: Axes, y: float, first: str, second: str, colour: str = INK) -> None:
    edge = axes.get_yaxis_transform()
    for at, text in ((1.1, first), (1.18, second)):
        axes.text(at, y, text, transform=edge, ha="right", va="center", fontsize=7.5, color=colour)


def alt_gains(result: RuleImpact) -> str:
    """What the forest plot shows, in words."""
    names = named(result)
    said = "; ".join(f"{names[row['candidate']]} {row['gain_per_occurrence']:+,.0f}" for row in gain_rows(result))
    return f"Forest plot of points gained per occurrence: {said}. The verdict holds every number."


# Rarity


def rarity_rows(result: RuleImpact) -> pd.DataFrame:
    """Standard yaku and the candidates that are about one yaku, the most frequent first."""
    import pandas as pd

    known, base = yaku_of(result), {}
    rows = {}
    for row in result.table("peers").to_dict("records"):
        base[row["yaku"]] = row["value"]
        rows[row["yaku"], row["n"]] = [
            known[row["yaku"]].name,
            row["value"],
            row["n"],
            row["per_10000"],
            np.nan,
            np.nan,
            False,
        ]
    for one, row in zip(result.candidates, result.table().to_dict("records"), strict=True):
        if not one.yaku or row["n"] is None:
            continue
        name = known[one.yaku].name
        value = f"{base[one.yaku]} or off" if one.has_yaku_before and one.yaku in base else one.value
        earlier = rows.get((one.yaku, row["n"]))
        if earlier and earlier[-1]:  # further values of the same yaku, which is as frequent at each
            value = f"{earlier[1]}, {value}"
        rows[one.yaku, row["n"]] = [name, value, *(row[column] for column in ("n", "per_10000", "low", "high")), True]
    columns = ["name", "value", "n", "per_10000", "low", "high", "is_candidate"]
    frame = pd.DataFrame(rows.values(), columns=columns)
    return frame.sort_values("per_10000", ascending=False, kind="stable").reset_index(drop=True)


def draw_rarity(result: RuleImpact) -> Figure:
    """Frequency on a log axis: the standard yaku under the base, the candidates among them with their intervals."""
    from matplotlib.figure import Figure

    frame = rarity_rows(result)
    with figures.style():
        drawn = Figure(figsize=(_WIDTH, 1.0 + 0.21 * max(len(frame), 3)))
        axes = drawn.add_subplot()
        axes.set_xscale("log")
        _frame_rows(axes, list(frame["name"]))
        seen = frame["low"].where(frame["low"] > 0, frame["per_10000"])
        left, _ = axes.set_xlim(max(seen[seen > 0].min() * 0.6, 0.05) if (seen > 0).any() else 0.05, 10_000)
        for y, row in enumerate(frame.itertuples()):
            colour = _OURS if row.is_candidate else QUIET
            if row.is_candidate:
                axes.axhspan(y - 0.5, y + 0.5, color="#fdf0e6", lw=0, zorder=0)
            if row.is_candidate and not row.n:
                axes.hlines(y, left, row.high, color=colour, lw=0.9, ls=(0, (2, 2)))
                axes.plot(row.high, y, "<", ms=5, color="white", mec=colour, zorder=3)
            elif row.is_candidate:
                axes.hlines(y, max(row.low, left), row.high, color=colour, lw=2.2)
            if row.n:
                axes.plot(row.per_10000, y, "D" if row.is_candidate else "o", ms=5, color=colour, zorder=3)
            _at_the_right(axes, y, row.value, f"{row.n:,}", colour if row.is_candidate else INK)
        _at_the_right(axes, -1.1, "worth", "n", QUIET)
        for tick, row in zip(axes.get_yticklabels(), frame.itertuples(), strict=True):
            tick.set_color(_OURS if row.is_candidate else INK)
            tick.set_fontsize(7.5)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}" if value < 1 else f"{value:,.0f}")
        axes.grid(axis="x")
        axes.set_xlabel(
            f"per 10,000 wins; diamonds: candidates, with {result.level:.0%} intervals"
            + ("; dashes: none seen, at most" if (frame["n"] == 0).any() else "")
        )
    return drawn


def alt_rarity(result: RuleImpact) -> str:
    """What the dot plot shows, in words."""
    frame = rarity_rows(result)
    said = []
    for place in np.flatnonzero(frame["is_candidate"]):
        row = frame.iloc[place]
        near = [frame.iloc[at]["name"] for at in (place - 1, place + 1) if 0 <= at < len(frame)]
        at_most = f"not seen, at most {to_the_point(row['high'])} per 10,000 wins"
        at = f"{to_the_point(row['per_10000'])} per 10,000 wins, between {' and '.join(near)}"
        said.append(f"{row['name']} {at if row['n'] else at_most}")
    return f"Dot plot of how often yaku occur, on a log axis. {'; '.join(said) or 'No candidate is about one yaku'}."


# Limits


def draw_limits(result: RuleImpact) -> Figure:
    """Wins that come to stand at a limit or above it, to the right, and that fall below it, to the left."""
    from matplotlib.figure import Figure

    frame = result.table("crossings")
    frame = frame[frame["candidate"].isin(crossing(result))]
    names = {id_: name for id_, name in named(result).items() if id_ in set(frame["candidate"])}
    limits = list(dict.fromkeys(frame["limit"]))
    n = len(names)
    if not n:
        return figures.said([NO_CROSSING])
    with figures.style():
        drawn = Figure(figsize=(_WIDTH, 0.9 + 0.24 * n))
        panels = drawn.subplots(1, max(len(limits), 1), sharey=True, squeeze=False)[0]
        drawn.subplots_adjust(wspace=0.12)
        for panel, limit in zip(panels, limits, strict=False):
            rows = frame[frame["limit"] == limit]
            up, down = (rows[side].to_numpy() for side in ("n_up", "n_down"))
            y = np.arange(n)
            panel.barh(y, up, 0.7, color=COLOURS[0])
            panel.barh(y, -down, 0.7, color=COLOURS[1])
            most = max(int(up.max(initial=0)), int(down.max(initial=0)), 1)
            panel.set_xlim(-2.3 * most, 2.3 * most)
            for at, (above, below) in enumerate(zip(up, down, strict=True)):
                if above:
                    panel.annotate(
                        f"+{above:,}", (above, at), (2, 0), textcoords="offset points", va="center", fontsize=7
                    )
                if below:
                    panel.annotate(
                        f"-{below:,}",
                        (-below, at),
                        (-2, 0),
                        textcoords="offset points",
                        va="center",
                        ha="right",
                        fontsize=7,
                    )
            panel.axvline(0, color=QUIET, lw=0.8)
            panel.set_title(limit_words(limit), fontsize=8.5)
            panel.set_xticks([])
            panel.spines[["left", "bottom"]].set_visible(False)
            panel.tick_params(axis="y", length=0)
        panels[0].set_ylim(n - 0.4, -0.6)
        panels[0].set_yticks(range(n), [_label(name) for name in names.values()])
    return drawn


def crossing(result: RuleImpact) -> list[str]:
    """The candidates under which any win reaches a limit or falls below one."""
    frame = result.table("crossings")
    return list(dict.fromkeys(frame.loc[(frame["n_up"] > 0) | (frame["n_down"] > 0), "candidate"]))


def alt_limits(result: RuleImpact) -> str:
    """What the bars show, in words."""
    frame, names = result.table("crossings"), named(result)
    said = [
        f"{names[row.candidate]}, {limit_words(row.limit)}: {row.n_up:,} reach it, {row.n_down:,} fall below it"
        for row in frame.itertuples()
        if row.n_up or row.n_down
    ]
    return f"Bars of wins that reach a limit or fall below it. {'; '.join(said) or 'None does'}."


# Yaku in the same hands


def together_rows(result: RuleImpact) -> pd.DataFrame:
    """Lift by yaku and candidate, the yaku most often held beside any candidate first; nan where it never is."""
    frame = result.table("together")
    about = [one.id for one in result.candidates if one.yaku]
    frame = frame[frame["candidate"].isin(about)]
    most = frame.groupby("yaku", sort=False)["n"].max().sort_values(ascending=False, kind="stable")
    kept = list(most.index[:_MOST_TOGETHER])
    ids = [id_ for id_ in about if id_ in set(frame["candidate"])]
    return (
        frame.pivot(index="yaku", columns="candidate", values=["lift", "n"]).reindex(kept).reindex(columns=ids, level=1)
    )


def draw_together(result: RuleImpact) -> Figure:
    """Heat map: how many times as often as in all wins another yaku stands in hands with the candidate."""
    from matplotlib.colors import TwoSlopeNorm
    from matplotlib.figure import Figure

    wide, known, names = together_rows(result), yaku_of(result), named(result)
    if not len(wide):
        return figures.said(nothing_of(result) or ["No other yaku stands in the same hands."])
    lift, n = wide["lift"].to_numpy(float), wide["n"].to_numpy(float)
    ids = list(wide["lift"].columns)
    with figures.style():
        drawn = Figure(figsize=(2.4 + 1.05 * len(ids), 1.3 + 0.27 * len(wide)))
        axes = drawn.add_subplot()
        most = np.nanmax(np.abs(np.log2(lift)), initial=1)
        shown = np.where(n >= FEW_EVENTS, np.log2(lift), np.nan)
        axes.imshow(shown, cmap="PuOr_r", norm=TwoSlopeNorm(0, -most, most), aspect="auto", alpha=0.85)
        for (y, x), value in np.ndenumerate(lift):
            if value == value:
                few = n[y, x] < FEW_EVENTS
                text = f"×{value:.2g} ({n[y, x]:,.0f})" if value < 100 else f"×{value:.0f} ({n[y, x]:,.0f})"
                dark = not few and abs(shown[y, x]) > 0.6 * most
                axes.text(
                    x, y, text, ha="center", va="center", fontsize=7, color="white" if dark else QUIET if few else INK
                )
        heads = [re.sub(r",? (?=at |off$|\S+=)", "\n", _label(names[id_])) for id_ in ids]
        axes.set_xticks(range(len(ids)), heads, fontsize=7.5)
        axes.set_yticks(range(len(wide)), [_label(known[id_].name) for id_ in wide.index], fontsize=7.5)
        axes.tick_params(length=0, top=True, labeltop=True, bottom=False, labelbottom=False)
        axes.set_xticks(np.arange(len(ids) + 1) - 0.5, minor=True)
        axes.set_yticks(np.arange(len(wide) + 1) - 0.5, minor=True)
        axes.grid(which="minor", color=FAINT)
        axes.tick_params(which="minor", length=0)
        axes.spines[:].set_visible(False)
    return drawn


def alt_together(result: RuleImpact) -> str:
    """What the heat map shows, in words."""
    known, names = yaku_of(result), named(result)
    frame = result.table("together")
    said = []
    for one in result.candidates:
        rows = frame[frame["candidate"] == one.id].head(3)
        if one.yaku and len(rows):
            held = ", ".join(f"{known[row.yaku].name} ×{row.lift:.1f}" for row in rows.itertuples())
            said.append(f"{names[one.id]}: {held}")
    return f"Heat map of yaku in the same hands, by how many times their usual share. {'; '.join(said)}."


FIGURES = {"gains": draw_gains, "rarity": draw_rarity, "limits": draw_limits, "together": draw_together}
"""By the names users ask for."""
