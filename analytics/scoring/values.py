"""What a yaku is worth: the small language in which rulesets say it."""

from __future__ import annotations

import re
from dataclasses import dataclass

LIMIT_BASE = {"mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000}
YAKUMAN_BASE = 8000
_LIMIT_OF_BASE = {base: name for name, base in LIMIT_BASE.items()}


@dataclass(frozen=True)
class Worth:
    """Worth of a yaku in a closed or in an open hand.

    Attributes
    ----------
    han : int
        Added to the count; negative han count, but are no yaku.
    units : int
        Yakuman units.
    floor : int
        Base points the hand is worth at least.
    is_on : bool
        False where the yaku does not count at all.
    """

    han: int = 0
    units: int = 0
    floor: int = 0
    is_on: bool = True

    @property
    def text(self) -> str:
        """As a ruleset writes it, in one way only."""
        if not self.is_on:
            return "off"
        if self.units:
            return "yakuman" if self.units == 1 else f"yakuman*{self.units}"
        if self.floor:
            return _LIMIT_OF_BASE[self.floor] + (f"+{self.han}" if self.han else "")
        return str(self.han)


OFF = Worth(is_on=False)


@dataclass(frozen=True)
class Value:
    """Worth in a closed and in an open hand.

    >>> parse_value("3/2").open.han, parse_value("1/off").open.is_on, parse_value("yakuman*2").closed.units
    (2, False, 2)
    >>> parse_value("mangan").closed
    Worth(han=0, units=0, floor=2000, is_on=True)
    """

    closed: Worth
    open: Worth

    @property
    def text(self) -> str:
        """As a ruleset writes it, in one way only: `2/2` is `2`."""
        return self.closed.text if self.closed == self.open else f"{self.closed.text}/{self.open.text}"

    @property
    def is_on(self) -> bool:
        return self.closed.is_on or self.open.is_on

    @property
    def is_yakuman(self) -> bool:
        return bool(self.closed.units or self.open.units)


def parse_value(text: object) -> Value:
    """Read a value: `2`, `3/2`, `1/off`, `-4`, `mangan`, `mangan+2`, `yakuman`, `yakuman*2`, `off`.

    Raises
    ------
    ValueError
        It is none of these.
    """
    if isinstance(text, bool) or not isinstance(text, (int, str)):
        raise ValueError(f"{text!r} is no value of a yaku; expected {EXPECTED}")
    closed, has_open, open_ = str(text).strip().partition("/")
    worth = _worth(closed)
    return Value(worth, _worth(open_) if has_open else worth)


EXPECTED = "han ('2'), closed/open ('3/2', '1/off'), a limit ('mangan', 'mangan+1'), 'yakuman', 'yakuman*2' or 'off'"


def _worth(text: str) -> Worth:
    if text == "off":
        return OFF
    if re.fullmatch(r"-?\d{1,2}", text) and int(text):
        return Worth(han=int(text))
    if match := re.fullmatch(r"yakuman(?:\*([1-9]))?", text):
        return Worth(units=int(match[1] or 1))
    if (match := re.fullmatch(r"([a-z]+)(?:\+(\d))?", text)) and match[1] in LIMIT_BASE:
        return Worth(floor=LIMIT_BASE[match[1]], han=int(match[2] or 0))
    raise ValueError(f"{text!r} is no value of a yaku; expected {EXPECTED}")
