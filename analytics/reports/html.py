"""What pages share: tables, the template with its style, kanji that need no font of the reader."""

from __future__ import annotations

import base64
import io
import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import TYPE_CHECKING, NamedTuple

from . import figures

if TYPE_CHECKING:
    from jinja2 import Environment

    from ..metrics.card import Card

_FULL_WIDTH = 720
"""Points of a figure that is as wide as the page."""
JAPANESE = "Koyaku Japanese"
"""The family of the kanji that a page brings along."""


class Cell(NamedTuple):
    """A cell with a mark: `few`, or `up` and `down` of a difference whose interval leaves zero out.

    Below its text stand, in small, what commands call it and a note.
    """

    text: str
    mark: str = ""
    id: str = ""
    note: str = ""


def breakable(text: str) -> str:
    """A key or an option that may be broken into lines where its words meet."""
    return re.sub("(?<=[.=_])", "\u200b", text)


@dataclass(frozen=True)
class Row:
    """Cells of a table, the first its head; `is_head` of a row that only says what follows."""

    cells: Sequence[str | Cell]
    is_few: bool = False
    is_head: bool = False


@dataclass(frozen=True)
class Table:
    """A table as the template takes it: `text` are the columns aligned left, `kind` its class."""

    caption: str
    heads: Sequence[str]
    rows: Sequence[Row]
    text: Sequence[int] = (0,)
    kind: str = ""


@dataclass(frozen=True)
class Picture:
    """A figure within a page; `name` of one that lies beside the page too.

    `width` is its share of the page's in percent, so that all figures are lettered alike.
    """

    data: str
    alt: str
    caption: str
    width: int
    name: str | None = None

    @classmethod
    def of(cls, svg: bytes, alt: str, caption: str, name: str | None = None) -> Picture:
        """Of a figure's SVG."""
        width = re.search(rb'<svg[^>]* width="([\d.]+)pt"', svg)
        share = min(100, round(100 * float(width[1]) / _FULL_WIDTH)) if width else 100
        return cls(f"data:image/svg+xml;base64,{base64.b64encode(svg).decode()}", alt, caption, share, name)


def kinds_of_table(card: Card) -> Table:
    """Where the counted wins were played."""
    rows = [
        Row((t["room"] or "not recorded", str(t["players"]), t["length"], t["ruleset"], f"{t['wins']:,}"))
        for t in card.as_dict()["tables"]
    ]
    heads = ("Room", "Players", "Length", "Scored under", "Wins")
    return Table("Kinds of table the counted wins come from", heads, rows, (0, 2, 3))


def version() -> str:
    """Koyaku's own."""
    from koyaku import __version__

    return __version__


def rendered(template: str, **values: object) -> str:
    """A page: the template of this name with values, everything in them escaped, and the kanji it needs."""
    page = _environment().get_template(template).render(version=version(), **values)
    return page.replace(_FONT_GOES_HERE, japanese_face(page), 1)


_FONT_GOES_HERE = "/* kanji */"


@cache
def _environment() -> Environment:
    from jinja2 import Environment, PackageLoader, StrictUndefined

    made = Environment(
        loader=PackageLoader("analytics", "reports"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.globals["css"] = files(__package__).joinpath("report.css").read_text("utf-8")
    return made


def japanese_face(text: str) -> str:
    """A @font-face with the Japanese characters of a text and no others; nothing where no font has them."""
    wanted = sorted(set(re.findall("[\u2e80-\uffef]", text)))
    file = figures.japanese_file()
    if not wanted or file is None:
        return ""
    from fontTools.subset import Options, Subsetter, load_font, save_font

    options = Options(flavor="woff", layout_features=[], hinting=False, notdef_outline=True)
    subsetter, held = Subsetter(options), io.BytesIO()
    subsetter.populate(text="".join(wanted))
    with load_font(str(file), options) as font:
        subsetter.subset(font)
        save_font(font, held, options)
    data = base64.b64encode(held.getvalue()).decode()
    source = f'src: url(data:font/woff;base64,{data}) format("woff")'
    return f'@font-face {{ font-family: "{JAPANESE}"; {source}; unicode-range: U+2E80-FFEF; font-display: swap; }}'
