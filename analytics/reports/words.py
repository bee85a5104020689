"""Groups and numbers as reports write them."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import TYPE_CHECKING

import numpy as np

from ..metrics.columns import COLUMNS
from ..metrics.intervals import FEW_EVENTS
from ..metrics.result import figure
from ..notes import counted

if TYPE_CHECKING:
    import pandas as pd

    from ..audit import Audit

NO_WINS = "There are no wins to draw."
_FLAGS = {
    "is_dealer": ("dealer", "non-dealer"),
    "is_open": ("open", "closed"),
    "is_riichi": ("riichi", "no riichi"),
    "is_tsumo": ("self-draw", "ron"),
    "is_complete": ("complete", "cut off"),
    "is_rated_higher": ("rated above the table", "rated no higher"),
}
_UNITS = {"players": "{} players", "honba": "{} honba", "turn": "turn {}", "seat": "seat {}", "lobby": "lobby {}"}
_UNITS |= {"round_wind": "{} round", "seat_wind": "{} seat", "length": "{} game", "grade": "grade {}", "han": "{} han"}
_UNITS |= {"fu": "{} fu", "points": "{} points", "rating": "rating {}"}


def group_name(by: Sequence[str], group: Sequence[object]) -> str:
    """A group in words.

    >>> group_name(("is_dealer", "length"), (True, "east"))
    'dealer, east game'
    >>> group_name(("turn <= 6",), (False,))
    'not (turn <= 6)'
    """
    return ", ".join(_one(name, value) for name, value in zip(by, group, strict=True)) or "all wins"


def _one(name: str, value: object) -> str:
    if value is None or (isinstance(value, float) and np.isnan(value)):
        return f"{name} not recorded"
    if name in _FLAGS:
        return _FLAGS[name][0 if value else 1]
    if name not in COLUMNS:  # a condition
        return name if value else f"not ({name})"
    return _UNITS.get(name, "{}").format(value)


def groups(frame: pd.DataFrame, by: Sequence[str]) -> list[tuple[str, pd.DataFrame]]:
    """Each group's name and rows, in the order of the table."""
    import pandas as pd

    if not by:
        return [("all wins", frame)] if len(frame) else []
    found: dict[tuple, list[int]] = {}
    for row, group in enumerate(frame[list(by)].itertuples(index=False, name=None)):
        found.setdefault(tuple(None if pd.isna(value) else value for value in group), []).append(row)
    return [(group_name(by, group), frame.iloc[rows]) for group, rows in found.items()]


def drawn_groups(shown: list[tuple[str, pd.DataFrame]], most: int) -> list[tuple[str, pd.DataFrame]]:
    """The groups a figure has room for: the largest, in their order, those of few wins only if all are."""
    large = [group for group in shown if group[1]["N"].max() >= FEW_EVENTS] or shown
    kept = sorted(range(len(large)), key=lambda i: -int(large[i][1]["N"].max()))[:most]
    return [large[i] for i in sorted(kept)]


def interval(low: float, high: float, unit: str) -> str:
    """Two bounds.

    >>> interval(0.372, 0.39, "share of wins")
    '37.2% – 39.0%'
    """
    return f"{measured(low, unit)} – {measured(high, unit)}" if np.isfinite(low) else "-"


def percent(part: int, whole: int) -> str | None:
    """A share that reads 100% only where nothing is missing.

    >>> percent(12103, 12103), percent(999_999, 1_000_000)
    ('100%', '99.99%')
    """
    if not whole:
        return None
    return "100%" if part == whole else f"{int(10_000 * part / whole) / 100:.2f}%"


def to_the_point(value: float, sign: str = "") -> str:
    """A number to three significant digits, from 100 on whole; `sign` is `+` to always write one.

    >>> to_the_point(4.0318), to_the_point(78.333), to_the_point(4467.28), to_the_point(0.0052811), to_the_point(0.0)
    ('4.03', '78.3', '4,467', '0.00528', '0')
    >>> to_the_point(-1742.5, "+"), to_the_point(0.5, "+"), to_the_point(9.996), to_the_point(float("nan"))
    ('-1,742', '+0.500', '10.0', '-')
    >>> to_the_point(2e-13), to_the_point(-2e-13)
    ('<0.0001', '>-0.0001')
    """
    if not np.isfinite(value):
        return "-"
    if abs(value) < 0.0001:
        return "0" if not value else "<0.0001" if value > 0 else ">-0.0001"
    return format(value, f"{sign},.0f") if abs(value) >= 100 else format(Decimal(f"{value:.2e}"), f"{sign}f")


def measured(value: float, unit: str) -> str:
    """A rate or a mean of any unit, to three significant digits.

    >>> measured(0.34489, "share of wins"), measured(0.20151, "tiles per win"), measured(5273.8, "points per win")
    ('34.5%', '0.202', '5,274')
    """
    return figure(value, unit) if unit.startswith("share") else to_the_point(value)


def none_of(size: int, high: float) -> str:
    """What is known of what was not seen; `high` is the upper bound in 10,000.

    >>> none_of(383, 110.2)
    '0 in 383 wins: at most 110 per 10,000 wins'
    """
    return f"0 in {counted(size, 'win')}: at most {to_the_point(high)} per 10,000 wins"


def audit_sentence(audit: Audit) -> str:
    """How far the record is scored as it stands."""
    if not audit.wins:
        return "There are no wins to audit."
    return (
        f"Every recorded win, those of duplicates too, is scored again under the rules it was played by, and its yaku, "
        f"han, fu, points and payments are compared with the record. {audit.agree:,} of "
        f"{counted(audit.wins, 'win')} agree ({percent(audit.agree, audit.wins)})."
    )
