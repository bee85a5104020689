"""Tiles as small drawings inside a page: each kind is drawn once, a hand uses them.

Everything is strokes, so that no font is needed: numerals with the sign of their suit, honours as their characters.
A red five is red and has a mark, a called tile lies on its side where it was taken from, a concealed kan shows two
backs, the winning tile stands apart in a frame.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from markupsafe import Markup

from ..impact.hand import notation, short_writing

WIDTH, HEIGHT = 30, 40
_GAP = 9
_BACK = "b"
_INK, _BLUE, _GREEN, _RED = "#222", "#0067a5", "#00704f", "#c8102e"
_SUITS = (_INK, _BLUE, _GREEN)
_DIGITS = (
    "M12 8.5L16 5V19",
    "M10.5 8.5C10.5 3.8 19.5 3.8 19.5 8.8C19.5 12 13 15 10.5 19H20",
    "M11 5H19L15 10.2C21 10.2 21.2 19 14.6 19C12.6 19 11 18 10.3 16.5",
    "M17 19V5L10 15H20",
    "M19 5H12L11.2 11.2C14 9.6 19.6 10 19.6 14.6C19.6 19 13.5 20 10.5 17",
    "M18.5 5.5C13 6.5 10.4 11 10.4 14.4A4.6 4.6 0 1 0 19.6 14.4A4.6 4.6 0 1 0 10.4 14.4",
    "M10.5 5H19.5L13.5 19",
    "M15 11.4A3.2 3.2 0 1 1 15.01 11.4ZM15 19A3.8 3.8 0 1 1 15.01 19Z",
    "M11.5 18.5C17 17.5 19.6 13 19.6 9.6A4.6 4.6 0 1 0 10.4 9.6A4.6 4.6 0 1 0 19.6 9.6",
)
_SIGNS = (
    "M8.5 24.5H21.5M14 24.5C14 30 12.5 34 9 36M13.6 28.8H19.8C19.8 33 19 36.5 16.5 35.3",
    "M15 24.3A5.7 5.7 0 1 1 14.99 24.3ZM15 28.4A1.6 1.6 0 1 1 14.99 28.4Z",
    "M10 24V29M10 31.2V36M15 24V29M15 31.2V36M20 24V29M20 31.2V36",
)
_HONOURS = (
    (_INK, "M5 10H25M15 5V35M8 14.5H22V24H8ZM8 19.2H22M14 24L5 32M16 24L25 32"),
    (_INK, "M5 10H25M15 5V14M6 35V14H24V34M11 17L12.6 20M19 17L17.4 20M9.5 22.5H20.5M9.5 27.5H20.5M15 22.5V34"),
    (_INK, "M5 8H25M6 15H24V34H6ZM12 8V19C12 22.5 10.5 24.5 8 25.5M18 8V22C18 24 19 24.5 22 24.5"),
    (_INK, "M11.5 7V33M5 16H11.5M4.5 31.5L11.5 28M18 7V30.5C18 33 18.5 33 25 33V29M25 13L18 19"),
    (_BLUE, "M7 7H23V33H7ZM10 10V30H20V10Z"),
    (
        _GREEN,
        "M6 8.5H12.5C11.5 12.5 8.5 16.5 4.5 18.5M7.5 12L10.5 14.8M17 6C19 11.5 22 15.5 26 18M22 6.5L18.5 9.5"
        "M25 10.8L21 13.8M9 19.5H21M6 25H24M12.5 19.5V25C12.5 30 10 33 6 35M18 19.5V31.5C18 34.5 19 34.5 25 34V30",
    ),
    (_RED, "M6.5 13H23.5V24H6.5ZM15 5V35"),
)


def _drawing(tile: int | str) -> str:
    """What stands in the frame of a tile."""
    if tile == _BACK:
        return (
            '<rect x="3.5" y="3.5" width="23" height="33" rx="2" fill="#b98a3c"/>'
            '<path d="M8 8H22V32H8ZM8 20H22M15 8V32" stroke="#fff" stroke-width="1.2"/>'
        )
    if 27 <= tile < 34:
        colour, path = _HONOURS[tile - 27]
        return f'<path d="{path}" stroke="{colour}" stroke-width="2.2"/>'
    suit, number = (tile - 34, 5) if tile >= 34 else (tile // 9, tile % 9 + 1)
    colour = _RED if tile >= 34 else _SUITS[suit]
    mark = f'<circle cx="24.6" cy="5.4" r="2.6" fill="{_RED}"/>' if tile >= 34 else ""
    return (
        f'<path d="{_DIGITS[number - 1]}" stroke="{colour}" stroke-width="2.8"/>'
        f'<path d="{_SIGNS[suit]}" stroke="{colour}" stroke-width="1.9"/>{mark}'
    )


def symbols(hands: Iterable[Mapping]) -> Markup:
    """The drawings that these hands use, once for a page; to stand before the first of them."""
    used = {tile for hand in hands for tile in _tiles(hand)}
    drawn = "".join(
        f'<symbol id="tile-{tile}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f'<rect x=".75" y=".75" width="28.5" height="38.5" rx="3.5" fill="#fffdf7" stroke="#8a8578" stroke-width="1"/>'
        f"{_drawing(tile)}</symbol>"
        for tile in sorted(used, key=str)
    )
    style = 'fill="none" stroke-linecap="round" stroke-linejoin="round"'
    return Markup(f'<svg width="0" height="0" aria-hidden="true" style="position:absolute" {style}>{drawn}</svg>')


def _tiles(hand: Mapping) -> Iterable[int | str]:
    yield from (*hand["concealed"], hand["win_tile"], *hand["dora_indicators"], *(hand["ura_indicators"] or ()))
    for meld in hand["melds"]:
        yield from meld["tiles"]
        if meld["kind"] == "ankan":
            yield _BACK
    if hand["n_kita"]:
        yield 30


class _Row:
    """Tiles side by side; what has been drawn, and how wide and high it is."""

    def __init__(self) -> None:
        self.drawn: list[str] = []
        self.x = self.top = 0

    def stand(self, tile: int | str) -> None:
        self.drawn.append(f'<use href="#tile-{tile}" x="{self.x}" width="{WIDTH}" height="{HEIGHT}"/>')
        self.x += WIDTH

    def lie(self, *tiles: int) -> None:
        """On their side, the second above the first."""
        for level, tile in enumerate(tiles):
            foot = HEIGHT - WIDTH * level
            turned = f'transform="translate({self.x} {foot}) rotate(-90)"'
            self.drawn.append(f'<use href="#tile-{tile}" {turned} width="{WIDTH}" height="{HEIGHT}"/>')
            self.top = min(self.top, foot - WIDTH)
        self.x += HEIGHT

    def svg(self, words: str) -> Markup:
        box = f"-2 {self.top - 2} {self.x + 4} {HEIGHT - self.top + 4}"
        size = f'width="{self.x + 4}" height="{HEIGHT - self.top + 4}"'
        head = Markup('<svg class="hand" role="img" aria-label="{}" viewBox="{}" ').format(words, box)
        return head + Markup(
            f'{size} fill="none" stroke-linecap="round" stroke-linejoin="round">{"".join(self.drawn)}</svg>'
        )


def hand(shown: Mapping) -> Markup:
    """A hand as analytics.impact.hand.hand_of tells it."""
    row = _Row()
    for tile in shown["concealed"]:
        row.stand(tile)
    row.x += _GAP
    frame = (
        f'<rect x="{row.x - 1}" y="-1" width="{WIDTH + 2}" height="{HEIGHT + 2}" rx="4.5" stroke="#d55e00" '
        'stroke-width="2"/>'
    )
    row.stand(shown["win_tile"])
    row.drawn.append(frame)
    for meld in shown["melds"]:
        row.x += _GAP
        _draw_meld(row, meld)
    if shown["n_kita"]:
        row.x += _GAP
        for _ in range(shown["n_kita"]):
            row.stand(30)
    return row.svg(notation(shown))


def _draw_meld(row: _Row, meld: Mapping) -> None:
    tiles = list(meld["tiles"])
    if meld["kind"] == "ankan":
        # The inner two show their faces, a red five among them.
        for tile in (_BACK, *tiles[:2], _BACK):
            row.stand(tile)
        return
    if meld["called"] is None:  # of an open meld nobody is on record as having fed
        for tile in tiles:
            row.stand(tile)
        return
    lying = [tiles.pop(meld["called"])]
    if meld["kind"] == "kakan":  # the added tile lies on the called one
        lying.append(tiles.pop())
    place = {"left": 0, "across": 1, "right": len(tiles)}[meld["fed_by"]]
    for index in range(len(tiles) + 1):
        if index == place:
            row.lie(*lying)
        if index < len(tiles):
            row.stand(tiles[index])


def tiles(shown: Iterable[int], words: str) -> Markup:
    """Loose tiles, as indicators are; `words` say what they are."""
    row = _Row()
    for tile in shown:
        row.stand(tile)
    return row.svg(f"{words} {short_writing(list(shown))}")
