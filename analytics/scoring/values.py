"""What a yaku is worth: the small language in which rulesets say it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

LIMIT_BASE = {"mangan": 2000, "haneman": 3000, "baiman": 4000, "sanbaiman": 6000, "yakuman": 8000}
YAKUMAN_BASE = LIMIT_BASE["yakuman"]
LIMIT_OF_BASE = {base: name for name, base in LIMIT_BASE.items()}
_TIMES = {"single": 1, "double": 2, "triple": 3, "quadruple": 4}


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
    is_fixed : bool
        The floor is all the hand is worth, whatever else it holds.
    is_on : bool
        False where the yaku does not count at all.
    """

    han: int = 0
    units: int = 0
    floor: int = 0
    is_fixed: bool = False
    is_on: bool = True

    @property
    def text(self) -> str:
        """As a ruleset writes it, in one way only."""
        if not self.is_on:
            return "off"
        if self.units:
            return "yakuman" if self.units == 1 else f"yakuman*{self.units}"
        if self.floor:
            limit = LIMIT_OF_BASE[self.floor]
            kind = "only " if self.is_fixed else "least " if limit == "yakuman" else ""
            return f"{kind}{limit}" + (f"+{self.han}" if self.han else "")
        return str(self.han)


OFF = Worth(is_on=False)


@dataclass(frozen=True)
class Value:
    """Worth in a closed and in an open hand.

    >>> parse_value("3/2").open.han, parse_value("1/off").open.is_on, parse_value("yakuman*2").closed.units
    (2, False, 2)
    >>> parse_value("mangan+1").closed
    Worth(han=1, units=0, floor=2000, is_fixed=False, is_on=True)
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

    def altered(self, written: str) -> Value:
        """This value `*2` or `+1`, or another one that is written; a limit stays where it is.

        >>> parse_value("3/2").altered("*2").text, parse_value("1/off").altered("+2").text
        ('6/4', '3/off')
        """
        match = re.fullmatch(r"([*+])([1-9])", written)
        if match is None:
            return parse_value(written)
        times, more = (int(match[2]), 0) if match[1] == "*" else (1, int(match[2]))
        sides = (
            replace(side, han=side.han and side.han * times + more, units=side.units * times)
            for side in (self.closed, self.open)
        )
        return Value(*sides)


NOTHING = Value(OFF, OFF)
EXPECTED = (
    "han from -99 to 99 ('2'), closed/open ('3/2', '1/off'), at least a limit ('mangan', 'mangan+1' to 'mangan+9', "
    "'least yakuman'), just a limit ('only mangan'), 'yakuman', 'yakuman*2' to 'yakuman*9' or 'off'"
)


_LONGEST = 80


def shown(value: object) -> str:
    """What a user gave, as a message names it: no longer than a line has room for.

    >>> shown("many"), shown(10**5000), len(shown("9" * 5000))
    ("'many'", 'a number of 16610 bits', 80)
    """
    if isinstance(value, int) and value.bit_length() > 64:
        return f"a number of {value.bit_length()} bits"
    text = repr(value)
    return text if len(text) <= _LONGEST else text[: _LONGEST - 4] + "..." + text[-1]


def parse_value(written: object) -> Value:
    """Read a value.

    `2`; `3/2` and `1/off` for closed and open; `-4`; `mangan`: at least that; `mangan+1`: that or the added han, the
    higher; `only mangan`: that and nothing beside it; `yakuman`, `yakuman*2`; `least yakuman`: paid as one yakuman
    unless it is worth more; `off`. A list is closed and open: `[3, null]`. `double_yakuman`, `5_han` and
    `3_kuisagari` are read too, as rule books write them.

    Raises
    ------
    ValueError
        It is none of these.
    """
    if isinstance(written, Value):
        return written
    if isinstance(written, Sequence) and not isinstance(written, str) and len(written) == 2:
        written = "/".join("off" if side is None else str(side) for side in written)
    is_number = isinstance(written, int) and not isinstance(written, bool)
    if not isinstance(written, str) and not (is_number and abs(written) < 100):
        raise ValueError(f"{shown(written)} is no value of a yaku; expected {EXPECTED}")
    text = str(written).strip()
    if match := re.fullmatch(r"(\d{1,2})(?:_han)?_kuisagari", text):
        text = f"{match[1]}/{int(match[1]) - 1}"
    closed, has_open, open_ = text.partition("/")
    worth = _worth(closed.strip())
    return Value(worth, _worth(open_.strip()) if has_open else worth)


def _worth(text: str) -> Worth:
    if text == "off":
        return OFF
    if match := re.fullmatch(r"(-?[0-9]{1,2})(?:_han)?", text):
        if han := int(match[1]):
            return Worth(han=han)
    elif match := re.fullmatch(r"yakuman(?:\*([1-9]))?", text):
        return Worth(units=int(match[1] or 1))
    elif match := re.fullmatch(rf"({'|'.join(_TIMES)})[_ ]yakuman", text):
        return Worth(units=_TIMES[match[1]])
    elif match := re.fullmatch(r"(only |least )?([a-z]+)(?:\+([0-9]))?", text):
        kind, limit, han = match[1], match[2], int(match[3] or 0)
        is_sum_of_nothing = kind == "only " and han
        if limit in LIMIT_BASE and (limit != "yakuman" or kind) and not is_sum_of_nothing:
            return Worth(floor=LIMIT_BASE[limit], han=han, is_fixed=kind == "only ")
    raise ValueError(f"{shown(text)} is no value of a yaku; expected {EXPECTED}")
