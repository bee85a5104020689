"""Sentences beside results, what numbers alone do not say, and the words and widths they share."""

from __future__ import annotations

import unicodedata
from collections.abc import Mapping

from .scoring.ruleset import Ruleset

_COUNT = {3: "three", 4: "four"}


def misfits(rules: Ruleset, wins: Mapping[int, int]) -> list[str]:
    """A sentence for each kind of table the rules are not for; `wins` scored under them, by players.

    >>> from analytics.scoring.ruleset import ruleset
    >>> misfits(ruleset("tenhou_3p"), {3: 5, 4: 1200})
    ['1,200 wins of four-player games are scored under tenhou_3p, a ruleset for three']
    """
    return [
        f"{counted(n, 'win')} of {_COUNT[players]}-player games {'is' if n == 1 else 'are'} scored under {rules.id}, "
        f"a ruleset for {_COUNT[rules.players]}"
        for players, n in sorted(wins.items())
        if n and players != rules.players
    ]


def counted(n: int, one: str) -> str:
    """A number and its noun.

    >>> counted(1, "game"), counted(2500, "game")
    ('1 game', '2,500 games')
    """
    return f"{n:,} {one if n == 1 else one + 's'}"


def width(text: str) -> int:
    """Columns of a terminal the text takes.

    >>> width("立直 Ready")
    10
    """
    return sum(2 if unicodedata.east_asian_width(c) in "WF" else 1 for c in text)
