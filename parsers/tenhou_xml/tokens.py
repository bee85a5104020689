"""The bytes of many XML logs as columns: tags, attributes, numbers.

A log is one flat list of tags, so three kinds of byte carry its whole structure: '<' opens a tag, '"' opens
and closes a value, ',' separates the numbers in it. All three are found in one pass. Names and numbers are then
read eight bytes at a time, as little-endian words, for all tags at once.

Everything in a file is accounted for: between two tags only white space may stand, inside a tag only its name,
attributes and white space. What is not is flagged with its place.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

import numpy as np

PAD = 16  # zero bytes around every file: a word may be read across its edge
BAD = np.int32(-(2**31))  # a number that is none
_LT, _QUOTE, _COMMA, _EQUALS, _GT, _SLASH = b'<",=>/'

_SPACE = np.zeros(256, bool)
_SPACE[list(b" \t\r\n")] = True
_ENDS_NAME = _SPACE.copy()
_ENDS_NAME[[_SLASH, _GT, ord("?")]] = True
_TAG_END = re.compile(rb"[ \t\r\n]*[/?]?>")
_PLAIN_TAG = re.compile(rb'</?[A-Za-z?!]+[ \t\r\n]*/?>')
_PLAY_TAG = re.compile(rb"<[A-Z]([0-9]{1,3})[ \t\r\n]*/?>")

_LETTER = np.full(256, -1, np.int8)
_LETTER[list(b"TUVWDEFG")] = np.arange(8)
_IS_DIGIT = np.zeros(256, bool)
_IS_DIGIT[list(b"0123456789")] = True

_U = np.uint64
# Of a word that ends with a number of n bytes: keep these n, set the others to '0'.
_KEEP = np.array([0] + [(0xFFFFFFFFFFFFFFFF << 8 * (8 - n)) & 0xFFFFFFFFFFFFFFFF for n in range(1, 9)], _U)
_FILL = np.array([0x3030303030303030 & ((1 << 8 * (8 - n)) - 1) for n in range(9)], _U)


def word(name: bytes) -> int:
    """Up to eight bytes as one number.

    >>> hex(word(b"AB"))
    '0x4241'
    """
    return int.from_bytes(name, "little")


class Tokens:
    """Tags and attributes of a batch of files.

    Tags, in order of files and bytes: `at` (position of '<'), `file`, `head` (the eight bytes after '<'),
    `play` (0-7 for T U V W D E F G with digits, else -1), `tile` (the number of such a tag).
    Attributes, in order: `tag`, `open`, `close` (tokens of the two quotes); `number[token]` is the number right
    of an opening quote or a comma.
    `flags` collects what is wrong as (tags, reason).
    """

    def __init__(self, files: Sequence[bytes]):
        pad = bytes(PAD)
        self.data = pad + pad.join(files) + pad
        self.buf = np.frombuffer(self.data, np.uint8)
        self.words = np.ndarray((len(self.data) - 7,), "<u8", self.data, strides=(1,))
        sizes = np.fromiter(map(len, files), np.int64, len(files))
        self.file_start = np.cumsum(sizes + PAD) - sizes
        self.file_end = self.file_start + sizes
        self.flags: list[tuple[np.ndarray, str]] = []
        self._find_tags()
        self._find_attributes()
        self._read_numbers()

    def flag(self, tags: np.ndarray, reason: str) -> None:
        """Note that these tags are wrong."""
        if len(tags):
            self.flags.append((tags, reason))

    def _find_tags(self) -> None:
        buf = self.buf
        mark = buf == _LT
        mark |= buf == _QUOTE
        mark |= buf == _COMMA
        pos = self.pos = np.flatnonzero(mark)
        char = buf[pos]
        is_lt = char == _LT
        lt = self.lt = np.flatnonzero(is_lt)
        at = self.at = pos[lt]
        n = len(at)
        self.first = np.searchsorted(at, self.file_start)  # first tag of each file
        counts = np.diff(self.first, append=n)
        self.file = np.repeat(np.arange(len(counts)), counts)
        self.head = self.words[at + 1]
        octets = self.head.view(np.uint8).reshape(-1, 8)
        is_digit = _IS_DIGIT[octets[:, 1]]
        self.play = np.where(is_digit, _LETTER[octets[:, 0]], np.int8(-1))
        self._read_play(octets)

        is_quote = char == _QUOTE
        parity = np.cumsum(is_quote, dtype=np.uint8) & 1
        n_tokens = np.diff(lt, append=len(pos))
        base = parity[lt]
        if base.any():  # a tag somewhere has an odd number of quotes: count from each tag anew
            parity ^= np.repeat(base, n_tokens)
        inside = parity.view(bool)  # the token opens a value or separates numbers in one
        self.inside = np.flatnonzero(inside)
        self._opens = np.flatnonzero(inside & is_quote)
        self._closes = np.flatnonzero(is_quote & ~inside)
        if lt.size and lt[0]:  # quotes or commas before the first tag: text, found below
            self._opens, self._closes = (t[t > lt[0]] for t in (self._opens, self._closes))
            self.inside = self.inside[self.inside > lt[0]]
        self.n_tokens = n_tokens
        last = lt + n_tokens - 1
        unclosed = inside[last]
        if unclosed.any():
            self.flag(np.flatnonzero(unclosed), "a value without its closing quote: cut off or damaged")
            whole = ~unclosed
            owner = np.repeat(np.arange(n), n_tokens)
            skip = int(lt[0])
            self._opens, self._closes, self.inside = (
                t[whole[owner[t - skip]]] for t in (self._opens, self._closes, self.inside)
            )
        self._close_tags(last, char)
        stray = (char == _COMMA) & ~inside
        if stray.any():
            self.flag(np.searchsorted(lt, np.flatnonzero(stray), "right") - 1, "a comma outside a value")

    def _read_play(self, octets: np.ndarray) -> None:
        """Tiles of the draw and discard tags, and where these tags end."""
        play = self.play >= 0
        two, three = _IS_DIGIT[octets[:, 2]], _IS_DIGIT[octets[:, 3]]
        three &= two
        digits = octets[:, 1:4].astype(np.int16) - 48
        tile = digits[:, 0]
        tile = np.where(two, tile * 10 + digits[:, 1], tile)
        tile = np.where(three, tile * 10 + digits[:, 2], tile)
        self.tile = tile
        length = 2 + two.astype(np.int8) + three  # letter and digits
        # The bytes after the digits must be '/>'; one space before them is common enough to be quick.
        shift = (8 * length).astype(_U)
        rest = self.head >> shift
        close = (rest & _U(0xFFFF)) == word(b"/>")
        spaced = (rest & _U(0xFFFFFF)) == word(b" />")
        self.end = self.at + length + np.where(spaced, 3, 2)  # position of '>'
        for tag in np.flatnonzero(play & ~close & ~spaced):
            found = _PLAY_TAG.match(self.data, self.at[tag])
            if found:
                self.tile[tag], self.end[tag] = int(found[1]), found.end() - 1
            else:
                self.flag(np.array([tag]), "a draw or discard that is cut off or damaged")

    def _close_tags(self, last: np.ndarray, char: np.ndarray) -> None:
        """Where the other tags end, and that nothing but white space lies between tags."""
        other = self.play < 0
        with_values = np.flatnonzero(other & (char[last] == _QUOTE))
        after = self.pos[last[with_values]] + 1
        tail = self.words[after]
        close = (tail & _U(0xFFFF)) == word(b"/>")
        spaced = (tail & _U(0xFFFFFF)) == word(b" />")
        open_ = (tail & _U(0xFF)) == word(b">")
        self.end[with_values] = after + np.where(close, 1, np.where(spaced, 2, 0))
        odd = ~(close | spaced | open_)
        for tag, start in zip(with_values[odd], after[odd], strict=True):
            found = _TAG_END.match(self.data, start)
            if found:
                self.end[tag] = found.end() - 1
            else:
                self.flag(np.array([tag]), "a tag that is cut off or damaged")
        for tag in np.flatnonzero(other & (self.n_tokens == 1)):
            found = _PLAIN_TAG.match(self.data, self.at[tag])
            if found:
                self.end[tag] = found.end() - 1
            else:
                self.flag(np.array([tag]), "a tag that is cut off or damaged")
        play_with_values = np.flatnonzero(~other & (self.n_tokens > 1))
        self.flag(play_with_values, "text or attributes where a draw or discard has none")
        stop = np.append(self.at[1:], 0)
        filled = np.diff(self.first, append=len(self.at)) > 0
        stop[np.append(self.first[1:], len(self.at))[filled] - 1] = self.file_end[filled]
        for tag in np.flatnonzero(self.end + 1 != stop):
            between = self.data[self.end[tag] + 1 : stop[tag]]
            if between.strip(b" \t\r\n") or self.end[tag] >= stop[tag]:
                self.flag(np.array([tag]), "text after a tag: only white space may stand between tags")

    def _find_attributes(self) -> None:
        opens = self._opens
        # One entry more than there are attributes, so that index -1 is always one.
        self.open, self.close = np.append(opens, 0), np.append(self._closes, 0)
        self.tag = np.searchsorted(self.lt, opens, "right") - 1
        self.name_end = self.pos[opens] - 1  # position of '='
        self.name = self.words[np.maximum(self.name_end - 8, 0)]
        unnamed = self.buf[self.name_end] != _EQUALS
        self.flag(self.tag[unnamed], 'a value without name="..."')

    def _read_numbers(self) -> None:
        left = self.inside
        start = self.pos[left] + 1
        stop = self.pos[left + 1]
        length = stop - start
        first = self.buf[start]
        negative = first == 45
        signed = (negative | (first == 43)) & (length > 1)
        length -= signed
        self.is_empty = np.zeros(len(self.pos) + 1, bool)
        self.is_empty[left[length == 0]] = True
        good = (length > 0) & (length <= 8)
        np.clip(length, 0, 8, out=length)
        w = (self.words[stop - 8] & _KEEP[length]) | _FILL[length]
        good &= (w & _U(0xF0F0F0F0F0F0F0F0)) == _U(0x3030303030303030)
        w &= _U(0x0F0F0F0F0F0F0F0F)
        good &= ((w + _U(0x0606060606060606)) & _U(0xF0F0F0F0F0F0F0F0)) == 0
        w = (w * _U(2561)) >> _U(8)
        w = ((w & _U(0x00FF00FF00FF00FF)) * _U(6553601)) >> _U(16)
        w = ((w & _U(0x0000FFFF0000FFFF)) * _U(42949672960001)) >> _U(32)
        value = w.astype(np.int32)
        np.negative(value, out=value, where=negative)
        value[~good] = BAD
        self.number = np.full(len(self.pos) + 32, BAD, np.int32)
        self.number[left] = value


class Attributes:
    """The attributes of all tags of one name, found by their own names.

    Parameters
    ----------
    tokens : Tokens
    tags : array of int
        The tags, ascending.
    known : sequence of bytes
        Names of attributes that are read or ignored on purpose; others are counted in `unknown`.
    """

    def __init__(self, tokens: Tokens, tags: np.ndarray, known: Sequence[bytes]):
        self.tokens, self.tags = tokens, tags
        row_of_tag = np.full(len(tokens.at), -1, np.int64)
        row_of_tag[tags] = np.arange(len(tags))
        row = row_of_tag[tokens.tag]
        chosen = np.flatnonzero(row >= 0)
        row = row[chosen]
        name, name_end = tokens.name[chosen], tokens.name_end[chosen]
        unmatched = np.ones(len(chosen), bool)
        self._attribute: dict[bytes, np.ndarray] = {}
        for key in known:
            n = min(len(key), 8)
            match = (name >> _U(64 - 8 * n)) == word(key[-n:])
            match &= _SPACE[tokens.buf[name_end - len(key) - 1]]
            for extra in range(len(key) - 8):
                match &= tokens.buf[name_end - len(key) + extra] == key[extra]
            found = np.flatnonzero(match)
            column = np.full(len(tags), -1, np.int64)
            column[row[found]] = chosen[found]
            self._attribute[key] = column
            if len(found) != np.count_nonzero(column >= 0):
                counts = np.bincount(row[found], minlength=len(tags))
                tokens.flag(tags[counts > 1], f"attribute {key.decode()} twice in a tag")
            unmatched[found] = False
        self.unknown = chosen[unmatched]

    def attribute(self, key: bytes) -> np.ndarray:
        """Index of the attribute per tag, -1 where there is none."""
        return self._attribute[key]

    def has(self, key: bytes) -> np.ndarray:
        """Whether each tag has the attribute with something in it."""
        column = self._attribute[key]
        t = self.tokens
        return (column >= 0) & ~((t.close - t.open == 1) & t.is_empty[t.open])[column]

    def require(self, *keys: bytes, where: np.ndarray | None = None) -> None:
        """Flag the tags without these attributes."""
        for key in keys:
            missing = ~self.has(key)
            if where is not None:
                missing &= where
            self.tokens.flag(self.tags[missing], f"attribute {key.decode()} is missing")

    def text(self, key: bytes) -> list[bytes | None]:
        """The bytes of the attribute per tag, None where there is none."""
        t, column = self.tokens, self._attribute[key]
        start, stop = (t.pos[t.open[column]] + 1).tolist(), t.pos[t.close[column]].tolist()
        data = t.data
        return [
            data[a:b] if c >= 0 else None for a, b, c in zip(start, stop, column.tolist(), strict=True)
        ]

    def numbers(self, key: bytes, n: int, low: int, high: int, *, optional: bool = False) -> np.ndarray:
        """The first n whole numbers of the attribute, (tags, n) int32; BAD where there is none.

        A tag whose attribute has fewer, or one outside low..high, is flagged.
        """
        t, column = self.tokens, self._attribute[key]
        if not len(self.tags):
            return np.zeros((0, n), np.int32)
        present = self.has(key)
        attribute = np.where(present, column, 0)
        enough = present & (t.close[attribute] - t.open[attribute] >= n)
        first = np.where(enough, t.open[attribute], 0)
        values = t.number[first[:, None] + np.arange(n)]
        values[~enough] = BAD
        wrong = present & ~(enough & ((values >= low) & (values <= high)).all(1))
        if not optional:
            wrong |= ~present
        t.flag(
            self.tags[wrong],
            f"attribute {key.decode()} must hold {n} whole number{'s' if n > 1 else ''} in {low}..{high}",
        )
        values[wrong] = BAD
        return values

    def lists(self, key: bytes, low: int, high: int) -> tuple[np.ndarray, np.ndarray]:
        """All whole numbers of the attribute: lengths per tag, and the values one after the other."""
        t, column = self.tokens, self._attribute[key]
        if not len(self.tags):
            return np.zeros(0, np.int64), np.zeros(0, np.int32)
        present = self.has(key)
        attribute = np.where(present, column, 0)
        lengths = np.where(present, t.close[attribute] - t.open[attribute], 0)
        start = t.open[attribute] - (np.cumsum(lengths) - lengths)
        values = t.number[np.repeat(start, lengths) + np.arange(lengths.sum())]
        wrong = (values < low) | (values > high)
        if wrong.any():
            t.flag(
                np.unique(np.repeat(self.tags, lengths)[wrong]),
                f"attribute {key.decode()} must hold whole numbers in {low}..{high}",
            )
        return lengths, values
