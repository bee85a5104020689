"""What all figures share: fonts that hold the labels, colours told apart by everybody, files that never differ."""

from __future__ import annotations

import contextlib
import io
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from matplotlib.figure import Figure

# Okabe and Ito's palette, which people with any common colour vision tell apart; yellow is too pale on white.
COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9", "#E69F00")
INK, QUIET, FAINT = "#222222", "#6b6b6b", "#d9d9d9"
MAX_GROUPS = len(COLOURS)
_JAPANESE = "IPAexGothic"
_LONGEST_LABEL, _LONGEST_LINE = 32, 120
_WIDTH = 8.6
LONGEST_NAME = 48
"""Of a yaku in romaji and kanji."""


@cache
def japanese_file() -> Path | None:
    """The font that holds kanji, which comes from the package matplotlib-fontja."""
    # Importing that package would change the fonts of all figures of the process; only its file is wanted.
    spec = find_spec("matplotlib_fontja")
    file = Path(spec.origin).parent / "fonts" / "ipaexg.ttf" if spec and spec.origin else None
    return file if file is not None and file.exists() else None


@cache
def has_japanese() -> bool:
    """Whether figures can write kanji."""
    from matplotlib import font_manager

    if (file := japanese_file()) is None:
        return False
    font_manager.fontManager.addfont(file)
    return True


@contextlib.contextmanager
def style() -> Iterator[None]:
    """The look of a figure; needed where it is drawn and where it is saved."""
    import matplotlib

    fonts = ["DejaVu Sans", *([_JAPANESE] if has_japanese() else [])]
    looks = {
        "font.family": fonts,
        "font.size": 8.5,
        "text.color": INK,
        "axes.labelcolor": INK,
        "axes.edgecolor": QUIET,
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.titlesize": 10,
        "axes.titlelocation": "left",
        "axes.axisbelow": True,
        "axes.unicode_minus": False,
        "xtick.color": QUIET,
        "ytick.color": INK,
        "grid.color": FAINT,
        "grid.linewidth": 0.6,
        "legend.frameon": False,
        "svg.fonttype": "path",
        "svg.hashsalt": "koyaku",
        "figure.dpi": 110,
    }
    with matplotlib.rc_context(looks):
        yield


def label(text: object, *, longest: int = _LONGEST_LABEL) -> str:
    """Text from a log or a ruleset as a figure takes it: one line, no formulas, only characters the fonts have."""
    line = " ".join(str(text).split())
    line = line if len(line) <= longest else line[: longest - 1] + "…"
    return "".join(c if ord(c) in _characters() else "\ufffd" for c in line).replace("$", r"\$")


@cache
def _characters() -> frozenset[int]:
    from matplotlib import font_manager
    from matplotlib.ft2font import FT2Font

    names = ["DejaVu Sans", *([_JAPANESE] if has_japanese() else [])]
    return frozenset(code for name in names for code in FT2Font(font_manager.findfont(name)).get_charmap())


def latin(text: str) -> str:
    """The text without kanji, where no font has them."""
    return text if has_japanese() else "".join(c for c in text if ord(c) < 0x2E80).strip()


def said(lines: Sequence[str]) -> Figure:
    """In place of a figure that would be empty: what there is to say."""
    from matplotlib.figure import Figure

    with style():
        drawn = Figure(figsize=(_WIDTH, 0.25 * len(lines) + 0.1))
        for place, line in enumerate(lines):
            drawn.text(0, 1 - (place + 0.5) / len(lines), latin(label(line, longest=_LONGEST_LINE)), va="center")
    return drawn


def files(figure: Figure) -> dict[str, bytes]:
    """The figure as `svg`, text as outlines, and as `png`; the same bytes every time."""
    return {form: _saved(figure, form) for form in _PLAIN}


def svg(figure: Figure) -> bytes:
    """The figure as SVG alone."""
    return _saved(figure, "svg")


_PLAIN = {"svg": {"Date": None, "Creator": None}, "png": {"Software": None}}
"""Metadata that would tell when and by what a file was made, left out."""


def _saved(figure: Figure, form: str) -> bytes:
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    with style():
        figure.draw_without_rendering()
        box = figure.get_tightbbox(FigureCanvasAgg(figure).get_renderer()).padded(0.08)
        held = io.BytesIO()
        figure.savefig(held, format=form, metadata=_PLAIN[form], bbox_inches=box, dpi=160)
    return held.getvalue()
