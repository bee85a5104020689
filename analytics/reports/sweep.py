"""The report of a sweep: how often every local yaku would occur, and what it would be worth."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

from parsers.schema import SCHEMA_VERSION

from ..metrics.intervals import FEW_EVENTS
from ..metrics.result import interval_text
from ..scoring.ruleset import name_of as yaku_name
from ..targets import check_page, write_whole
from . import figures
from .figures import COLOURS, LONGEST_NAME, QUIET
from .html import Cell, Picture, Row, Table, breakable, kinds_of_table, rendered
from .words import audit_sentence, to_the_point

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ..sweep import Sweep

_WIDTH, _ROW = 8.6, 0.21
NOTHING = "None of these yaku occurs in these wins."


def build(result: Sweep) -> dict[str, pd.DataFrame]:
    """The tables of the report: `drawn`, what occurs at its own value and no option, and `all` rows."""
    frame = result.frame
    occurs = (frame["N"] > 0) & frame["option"].isna() & (frame["n"].fillna(0).astype(int) > 0)
    return {"drawn": frame[occurs].reset_index(drop=True), "all": frame}


def name_of(row: dict, *, in_full: bool = False) -> str:
    """A row by its yaku, in full with the English name; of a ruleset as a whole, its id."""
    if row["yaku"] is None:
        return row["rules"]
    name = yaku_name(row["romaji"], row["kanji"], row["english"] if in_full else "")
    return f"{row['rules']}: {name}" if row["rules"] else name


def draw(result: Sweep) -> Figure:
    """Dot plot on a log axis; the thick whisker holds for the row alone, the thin one for all rows at once."""
    from matplotlib.figure import Figure

    rows = build(result)["drawn"].to_dict("records")
    if not rows:
        return figures.said([NOTHING])
    with figures.style():
        drawn = Figure(figsize=(_WIDTH, 1.1 + _ROW * len(rows)))
        axes = drawn.add_subplot()
        axes.set_xscale("log")
        least = min(row["low"] for row in rows)
        axes.set_xlim(max(least * 0.6, 0.1), 10_000)
        axes.set_ylim(len(rows) - 0.4, -0.6)
        edge = axes.get_yaxis_transform()
        for y, row in enumerate(rows):
            if y % 2 == 0:
                axes.axhspan(y - 0.5, y + 0.5, color="#f6f6f6", lw=0, zorder=0)
            for suffix, width in (("_simultaneous", 0.7), ("", 2.2)):
                left = max(row[f"low{suffix}"], axes.get_xlim()[0])
                axes.hlines(y, left, row[f"high{suffix}"], color=COLOURS[0], lw=width, zorder=2)
            face = "white" if row["too_few"] else COLOURS[0]
            axes.plot(row["per_10000"], y, "o", ms=4.5, color=face, mec=COLOURS[0], zorder=3)
            for at, text in ((1.09, row["value"]), (1.19, f"{row['mean_gain']:,.0f}"), (1.26, f"{row['n']:,}")):
                axes.text(at, y, text, transform=edge, ha="right", va="center", fontsize=7)
        for at, text in ((1.09, "at"), (1.19, "points each"), (1.26, "n")):
            axes.text(at, -0.8, text, transform=edge, ha="right", va="bottom", fontsize=7, color=QUIET)
        labels = [figures.latin(figures.label(name_of(row), longest=LONGEST_NAME)) for row in rows]
        axes.set_yticks(range(len(rows)), labels, fontsize=7.5)
        axes.tick_params(axis="y", length=0)
        axes.xaxis.set_major_formatter(lambda value, _: f"{value:g}" if value < 1 else f"{value:,.0f}")
        axes.grid(axis="x")
        axes.spines["left"].set_visible(False)
        axes.set_xlabel(
            f"per 10,000 wins; thick: {result.level:.0%} interval of the row, thin: of all rows at once; hollow: fewer "
            f"than {FEW_EVENTS}"
        )
    return drawn


def alt(result: Sweep) -> str:
    """What the dot plot shows, in words."""
    rows = build(result)["drawn"].to_dict("records")
    first = ", ".join(f"{name_of(row)} {to_the_point(row['per_10000'])}" for row in rows[:5])
    return (
        f"Dot plot of how often {len(rows)} local yaku would occur per 10,000 wins, on a log axis with "
        f"{result.level:.0%} intervals. The most frequent: {first or 'none'}. The table below holds every number."
    )


def picture(result: Sweep, svg: bytes, name: str | None = None) -> Picture:
    """The dot plot, drawn already, with its caption."""
    caption = (
        "Local yaku that occur, each alone against the base, variants apart; at the right its value, the points each "
        "occurrence gains, and n."
    )
    return Picture.of(svg, alt(result), caption, name)


def table(result: Sweep) -> Table:
    """Every row, the most frequent first; below its name what `--adopt` calls it, and notes."""

    def row_of(row: dict) -> Row:
        said = f"{row['option']}={row['value']}" if row["option"] else row["value"] or "all it changes"
        said = breakable(said)
        few = "too few" if row["too_few"] and row["N"] else ""
        counts = ("-",) * 5
        if row["N"]:
            counts = (
                f"{row['n']:,}",
                to_the_point(row["per_10000"]),
                _between(row, ""),
                _between(row, "_simultaneous"),
                to_the_point(row["mean_gain"], "+") if row["n"] else "-",
            )
        beside = ("-" if row[name] is None else f"{row[name]:,}" for name in ("latent", "tempted") if has_latent)
        note = "; ".join(filter(None, (few, row["note"])))
        name = Cell(name_of(row, in_full=True), id=row["yaku"] or "", note=note)
        return Row((name, said, *counts, *beside), bool(row["too_few"]))

    frame = result.frame.astype(object).where(result.frame.notna(), None)
    has_latent = result.frame["latent"].notna().any()
    level = f"{result.level:.0%}"
    heads = ["Yaku", "At", "n", "Per 10,000 wins", f"{level} interval", f"{level}, all rows at once", "Points each"]
    heads += ["Latent wins", "Tempted"] if has_latent else []
    rows = [row_of(row) for row in frame.to_dict("records")]
    return Table("Each alone against the base", heads, rows, (0, 1), kind="rows")


def _between(row: dict, suffix: str) -> str:
    return f"{to_the_point(row[f'low{suffix}'])} – {to_the_point(row[f'high{suffix}'])}"


def report(result: Sweep, file: str | Path, *, command: str | None = None) -> Path:
    """Write the page; `command` is what makes it again.

    Raises
    ------
    reports.ReportError
        Another ending than .html, or no such folder. Nothing is written then, nor on any other error.
    """
    file = check_page(file)
    command = command or shlex.join(["koyaku", "sweep", "STORE", "--base", result.base.id, "-o", file.name])
    definitions = {**result.definitions, "intervals": interval_text(result.level)}
    page = rendered(
        "sweep.html.jinja",
        title="How often local yaku would occur",
        headline=result.headline(),
        figure=picture(result, figures.svg(draw(result))),
        rows=table(result),
        audit=audit_sentence(result.audit),
        notes=[f"{note[0].upper()}{note[1:]}." for note in result.notes],
        kinds=kinds_of_table(result.card),
        definitions=[(term.replace("_", " "), text) for term, text in definitions.items()],
        command=command,
        schema_version=SCHEMA_VERSION,
        as_of=result.card.as_of or "an unknown day",
        games_hash=result.card.games_hash,
    )
    write_whole(file, page.encode())
    return file
