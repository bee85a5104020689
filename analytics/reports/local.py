"""The report of the local yaku: which would occur, and how often as a dot plot."""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..metrics.result import figure
from ..sweep import PER
from .yaku import dots

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

    from ..sweep import Sweep

UNIT = "share of wins"
_BOUNDS = [side + suffix for side in ("low", "high") for suffix in ("", "_simultaneous")]


def build(result: Sweep) -> dict[str, pd.DataFrame]:
    """The tables of the report: yaku that occur, `seen`, the most frequent first, and `unseen`; rates as shares."""
    frame = result.frame.rename(columns={"yaku": "key", "per_10000": "rate"})
    frame[["rate", *_BOUNDS]] /= PER
    frame["label"] = frame["english"] + " " + frame["kanji"]
    is_seen = frame["n"].fillna(0) > 0
    return {name: frame[rows].reset_index(drop=True) for name, rows in (("seen", is_seen), ("unseen", ~is_seen))}


def draw(result: Sweep) -> Figure:
    """Dot plot on a log axis: a row per yaku that occurs, whiskers as those of the standard yaku."""
    return dots(build(result)["seen"], level=result.level)


def alt(result: Sweep) -> str:
    """What the dot plot shows, in words."""
    seen = build(result)["seen"]
    first = ", ".join(f"{row.english} {figure(row.rate, UNIT)}" for row in seen.head(5).itertuples())
    return (
        f"Dot plot of how often each of {len(seen)} local yaku would occur among wins, on a log axis with "
        f"{result.level:.0%} intervals. The most frequent: {first or 'none'}. The table below holds every number."
    )
