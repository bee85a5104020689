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
from typing import NamedTuple

import numpy as np

PAD = 16  # zero bytes around every file: a word may be read across its edge
BAD = np.int32(-(2**31))  # a number that is none
_LT, _QUOTE, _COMMA, _EQUALS, _GT, _SLASH = b'<",=>/'

_SPACE = np.zeros(256, bool)
_SPACE[list(b" \t\r\n")] = True
ENDS_NAME = _SPACE.copy()
ENDS_NAME[[_SLASH, _GT, ord("?")]] = True
_TAG_END = re.compile(rb"[ \t\r\n]*[/?]?>")
_PLAIN_TAG = re.compile(rb"</?[A-Za-z?][A-Za-z0-9]*[ \t\r\n]*/?>")
_PLAY_TAG = re.compile(rb"<[A-Z]([0-9]{1,3})[ \t\r\n]*/?>")

_LETTER = np.full(256, -1, np.int8)
_LETTER[list(b"TUVWDEFG")] = np.arange(8)
_IS_DIGIT = np.zeros(256, bool)
_IS_DIGIT[list(b"0123456789")] = True

_U = np.uint64


def word(name: bytes) -> int:
    """Up to eight bytes as one number.

    >>> hex(word(b"AB"))
    '0x4241'
    """
    return int.from_bytes(name, "little")


class Tokens:
    """Tags and attributes of a batch of files.

    Tags, in order of files and bytes: `at` (position of '<'), `head` (the eight bytes after '<'),
    `play` (0-7 for T U V W D E F G with digits, else -1), `tile` (the number of such a tag); `rare` are the
    others.
    Attributes, in order: `rare_of_attribute` (which of the rare tags), `open`, `close` (tokens of the two
    quotes); `number[token]` is the number right of an opening quote or a comma.
    `flags` collects what is wrong as (tags, reason).
    """

    def __init__(self, files: Sequence[bytes]):
        pad = bytes(PAD)
        self.data = pad + pad.join(files) + pad
        self.buf = np.frombuffer(self.data, np.uint8)
        self.words = np.ndarray((len(self.data) - 7,), "<u8", self.data, strides=(1,))
        self.half_words = np.ndarray((len(self.data) - 3,), "<u4", self.data, strides=(1,))
        sizes = np.fromiter(map(len, files), np.int64, len(files))
        self.file_start = np.cumsum(sizes + PAD) - sizes
        self.file_end = self.file_start + sizes
        self.flags: list[tuple[np.ndarray, str]] = []
        self._find_tags()
        self._find_attributes()
        self._read_numbers()

    def flag(self, tags: np.ndarray | list[int], reason: str) -> None:
        """Note that these tags are wrong."""
        if len(tags):
            self.flags.append((np.asarray(tags), reason))

    def file(self, tags: np.ndarray) -> np.ndarray:
        """The file each of these tags is in."""
        return np.searchsorted(self.first, tags, "right") - 1

    def _find_tags(self) -> None:
        buf = self.buf
        mark = (buf | (_LT ^ _COMMA)) == _LT  # the two differ in one bit
        mark |= buf == _QUOTE
        pos = self.pos = np.flatnonzero(mark)
        char = buf[pos]
        lt = self.lt = np.flatnonzero(char == _LT)
        at = self.at = pos[lt]
        self.first = np.searchsorted(at, self.file_start)  # first tag of each file
        self.head = self.words[at + 1]
        octets = self.head.view(np.uint8).reshape(-1, 8)
        self.play = _LETTER[octets[:, 0]]
        self.play[~_IS_DIGIT[octets[:, 1]]] = -1
        self.rare = np.flatnonzero(self.play < 0)
        self._read_play(octets)
        self._find_values(char)
        self._close_tags()

    def _read_play(self, octets: np.ndarray) -> None:
        """Tiles of the draw and discard tags, and where these tags end."""
        two = _IS_DIGIT[octets[:, 2]]
        three = _IS_DIGIT[octets[:, 3]]
        three &= two
        one, ten, hundred = (octets[:, place].astype(np.int16) - 48 for place in (1, 2, 3))
        tile = one
        np.copyto(tile, one * 10 + ten, where=two)
        np.copyto(tile, tile * 10 + hundred, where=three)
        self.tile = tile
        length = two.view(np.uint8) + three + np.uint8(2)  # letter and digits
        # The bytes after the digits must be '/>'; one space before them is common enough to be quick.
        rest = self.head >> (length * np.uint8(8))
        odd = np.flatnonzero((rest & _U(0xFFFF)) != word(b"/>"))
        self.end = self.at + (length + np.uint8(2))  # position of '>'
        odd = odd[self.play[odd] >= 0]
        spaced = (rest[odd] & _U(0xFFFFFF)) == word(b" />")
        self.end[odd[spaced]] += 1
        broken = []
        for tag in odd[~spaced].tolist():
            found = _PLAY_TAG.match(self.data, self.at[tag])
            if found:
                self.tile[tag], self.end[tag] = int(found[1]), found.end() - 1
            else:
                broken.append(tag)
        self.flag(broken, "a draw or discard that is cut off or damaged")

    def _find_values(self, char: np.ndarray) -> None:
        """The quotes and commas of values, as tokens."""
        n = len(self.at)
        lt, is_quote = self.lt, char == _QUOTE
        self.n_tokens = np.diff(lt, append=len(char))
        parity = np.cumsum(is_quote, dtype=np.uint8) & np.uint8(1)
        base = parity[lt]
        if base.any():  # a tag somewhere has an odd number of quotes: count from each tag anew
            parity ^= np.repeat(base, self.n_tokens)
        inside = parity.view(bool)  # the token opens a value or separates numbers in one
        self.inside = np.flatnonzero(inside)
        self._opens = np.flatnonzero(inside & is_quote)
        self._closes = np.flatnonzero(is_quote & ~inside)
        self._last = lt + self.n_tokens - 1
        self._last_is_quote = is_quote[self._last]
        unclosed = inside[self._last]
        if unclosed.any():
            self.flag(np.flatnonzero(unclosed), "a value without its closing quote: cut off or damaged")
            whole = ~np.repeat(unclosed, self.n_tokens)
            self._opens, self._closes, self.inside = (t[whole[t]] for t in (self._opens, self._closes, self.inside))
        if len(self.inside) + len(self._closes) + n != len(char):
            owner = np.repeat(np.arange(n), self.n_tokens)
            stray = (char == _COMMA) & ~inside
            self.flag(owner[stray], "a comma outside a value")

    def _close_tags(self) -> None:
        """Where the other tags end, and that nothing but white space lies between tags."""
        self.flag(
            np.flatnonzero((self.play >= 0) & (self.n_tokens > 1)),
            "text or attributes where a draw or discard has none",
        )
        has_values = self._last_is_quote[self.rare]
        tags = self.rare[has_values]
        after = self.pos[self._last[tags]] + 1
        tail = self.words[after]
        close = (tail & _U(0xFFFF)) == word(b"/>")
        spaced = (tail & _U(0xFFFFFF)) == word(b" />")
        self.end[tags] = after + close + 2 * spaced
        odd = np.flatnonzero(~(close | spaced | ((tail & _U(0xFF)) == word(b">"))))
        bare = self.rare[~has_values]
        broken = []
        for pattern, others, starts in ((_TAG_END, tags[odd], after[odd]), (_PLAIN_TAG, bare, self.at[bare])):
            for tag, start in zip(others.tolist(), starts.tolist(), strict=True):
                found = pattern.match(self.data, start)
                if found:
                    self.end[tag] = found.end() - 1
                else:
                    broken.append(tag)
        self.flag(broken, "a tag that is cut off or damaged")
        stop = np.append(self.at[1:], 0)
        filled = np.diff(self.first, append=len(self.at)) > 0
        stop[np.append(self.first[1:], len(self.at))[filled] - 1] = self.file_end[filled]
        broken = []
        for tag in np.flatnonzero(self.end + 1 != stop).tolist():
            between = self.data[self.end[tag] + 1 : stop[tag]]
            if between.strip(b" \t\r\n") or self.end[tag] >= stop[tag]:
                broken.append(tag)
        self.flag(broken, "text after a tag: only white space may stand between tags")

    def _find_attributes(self) -> None:
        opens = self._opens
        # One entry more than there are attributes, so that index -1 is always one.
        self.open, self.close = np.append(opens, 0), np.append(self._closes, 0)
        self.value_end = np.append(self.pos[self._closes], 0)  # position of the closing quote
        before = np.searchsorted(opens, self.lt[self.rare])
        self.n_attributes = np.diff(before, append=len(opens))  # per rare tag
        self.rare_of_attribute = np.repeat(np.arange(len(self.rare)), self.n_attributes)
        self.name_end = self.pos[opens] - 1  # position of '='
        self.name = self.words[self.name_end - 8]
        unnamed = self.buf[self.name_end] != _EQUALS
        self.flag(self.rare[self.rare_of_attribute[unnamed]], 'a value without name="..."')

    def _read_numbers(self) -> None:
        """Every whole number right of an opening quote or a comma: almost all have at most four digits."""
        left = self.inside
        start, stop = self.pos[left] + 1, self.pos[left + 1]
        first = self.buf[start]
        signed = np.flatnonzero((first == ord("-")) | (first == ord("+")))
        start[signed] += 1
        length = stop - start
        is_empty = np.zeros(len(self.pos) + 1, bool)
        is_empty[left[length == 0]] = True
        is_empty[left[signed]] = False
        self.is_blank = is_empty[self.open] & (self.close - self.open == 1)  # per attribute

        value, wrong = _digits(self.half_words[start], length)
        long = np.flatnonzero(length > 4)
        value[long], wrong[long] = _digits(self.words[start[long]], length[long])
        minus = signed[first[signed] == ord("-")]
        value[minus] *= -1
        value[wrong] = BAD
        self.number = np.full(len(self.pos) + 32, BAD, np.int32)
        self.number[left] = value


def _digits(words: np.ndarray, length: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The numbers of `length` digits that words of four or eight bytes begin with, int32, and which are none.

    >>> _digits(np.frombuffer(b'35,7-12"', "<u4"), np.array([2, 3]))[1]
    array([False,  True])
    >>> _digits(np.frombuffer(b'35,780"/', "<u8"), np.array([2]))[0]
    array([35], dtype=int32)
    """
    n, word_type = words.dtype.itemsize, words.dtype.type
    each = (1 << 8 * n) // 255  # 1 in every byte
    w = words ^ word_type(ord("0") * each)
    w <<= (8 * (n - length)).astype(word_type)  # the number moves to the end, over what followed it
    wrong = ((w + word_type(0x76 * each) | w) & word_type(0x80 * each)) != 0  # a byte of 10 or more
    wrong |= (length == 0) | (length > n)
    w = (w * word_type(10 << 8 | 1)) >> word_type(8)
    w = ((w & word_type(0x00FF00FF00FF00FF & each * 255)) * word_type(100 << 16 | 1)) >> word_type(16)
    if n == 8:
        w = ((w & word_type(0x0000FFFF0000FFFF)) * word_type(10_000 << 32 | 1)) >> word_type(32)
    return w.astype(np.int32), wrong


class NumberLists(NamedTuple):
    """Lists of numbers, one per tag: their lengths, and the values one list after the other."""

    lengths: np.ndarray
    values: np.ndarray

    def rows(self) -> np.ndarray:
        """The list each value is in."""
        return np.repeat(np.arange(len(self.lengths)), self.lengths)

    def take(self, chosen: np.ndarray) -> NumberLists:
        """The lists where the boolean `chosen` is set."""
        return NumberLists(self.lengths[chosen], self.values[np.repeat(chosen, self.lengths)])


class Attributes:
    """The attributes of all tags of one name, found by their own names.

    Parameters
    ----------
    tokens : Tokens
    rare, chosen : array of int
        The tags, as indices into `tokens.rare`, and their attributes, both ascending.
    known : sequence of bytes
        Names of attributes that are read or ignored on purpose; others are listed in `unknown`.
    tag_name : bytes
    """

    def __init__(self, tokens: Tokens, rare: np.ndarray, chosen: np.ndarray, known: Sequence[bytes], tag_name: bytes):
        self.tokens, self.tags = tokens, tokens.rare[rare]
        self._attribute: dict[bytes, np.ndarray] = {}
        row = np.repeat(np.arange(len(rare)), tokens.n_attributes[rare])
        name, name_end = tokens.name[chosen], tokens.name_end[chosen]
        start = np.zeros(len(chosen), np.int64)
        for key in known:
            n = min(len(key), 8)
            match = np.flatnonzero((name >> _U(64 - 8 * n)) == word(key[-n:]))
            begins = name_end[match] - len(key)
            whole = _SPACE[tokens.buf[begins - 1]]
            for extra in range(len(key) - 8):
                whole &= tokens.buf[begins + extra] == key[extra]
            found = match[whole]
            start[found] = begins[whole]
            column = np.full(len(rare), -1, np.int64)
            column[row[found]] = chosen[found]
            self._attribute[key] = column
            if len(found) != np.count_nonzero(column >= 0):
                counts = np.bincount(row[found], minlength=len(rare))
                tokens.flag(self.tags[counts > 1], f"attribute {key.decode()} twice in a tag")
        self.unknown = chosen[start == 0]
        self._check_spaces(row, chosen, start, tag_name)

    def _check_spaces(self, row: np.ndarray, chosen: np.ndarray, start: np.ndarray, tag_name: bytes) -> None:
        """Flag tags with anything but white space before an attribute."""
        t = self.tokens
        before = t.value_end[chosen - 1] + 1  # behind the attribute before
        first = np.flatnonzero(np.diff(row, prepend=-1))
        before[first] = t.at[self.tags[row[first]]] + 1 + len(tag_name)
        odd = np.flatnonzero((start != before + 1) & (start > 0))
        texts = (t.data[a:b] for a, b in zip(before[odd].tolist(), start[odd].tolist(), strict=True))
        broken = [bool(text.strip(b" \t\r\n")) for text in texts]
        t.flag(self.tags[row[odd[np.array(broken, bool)]]], "text between the attributes of a tag")

    def flag(self, wrong: np.ndarray, reason: str) -> None:
        """Note which of these tags are wrong, by a boolean for each."""
        if wrong.any():
            self.tokens.flag(self.tags[wrong], reason)

    def count(self, key: bytes) -> np.ndarray:
        """Numbers in the attribute per tag, 0 where it is absent or empty."""
        t, column = self.tokens, self._attribute[key]
        return np.where(self.has(key), t.close[column] - t.open[column], 0)

    def has(self, key: bytes) -> np.ndarray:
        """Whether each tag has the attribute with something in it."""
        column = self._attribute[key]
        return (column >= 0) & ~self.tokens.is_blank[column]

    def text(self, key: bytes, rows: np.ndarray | slice = slice(None)) -> list[bytes | None]:
        """The bytes of the attribute per tag (or of some), None where there is none."""
        t, column = self.tokens, self._attribute[key][rows]
        texts: list[bytes | None] = [None] * len(column)
        rows = np.flatnonzero(column >= 0)
        start, stop = t.pos[t.open[column[rows]]] + 1, t.value_end[column[rows]]
        for row, a, b in zip(rows.tolist(), start.tolist(), stop.tolist(), strict=True):
            texts[row] = t.data[a:b]
        return texts

    def numbers(
        self, key: bytes, n: int, low: int, high: int, *, optional: bool = False, exact: bool = False
    ) -> np.ndarray:
        """The first n whole numbers of the attribute, (tags, n) int32; BAD where there is none.

        A tag whose attribute has fewer (or, if `exact`, more), or one outside low..high, is flagged.
        """
        t, count = self.tokens, self.count(key)
        enough = count == n if exact else count >= n
        first = np.where(enough, t.open[self._attribute[key]], 0)
        values = t.number[first[:, None] + np.arange(n)]
        good = enough & (values >= low).all(1) & (values <= high).all(1)
        values[~good] = BAD
        if not good.all():
            numbers = f"{n} whole number{'s' if n > 1 else ''}" + (f" in {low}..{high}" if low > BAD else "")
            self.flag(
                ~good & (count > 0) if optional else ~good,
                f"attribute {key.decode()} must hold {numbers}",
            )
        return values

    def lists(self, key: bytes, low: int, high: int, most: int, *, optional: bool = False) -> NumberLists:
        """All whole numbers of the attribute, at most `most` of them, in low..high; else the tag is flagged."""
        t, lengths = self.tokens, self.count(key)
        start = t.open[self._attribute[key]] - (np.cumsum(lengths) - lengths)
        values = t.number[np.repeat(start, lengths) + np.arange(lengths.sum())]
        reason = f"attribute {key.decode()} must hold at most {most} whole numbers in {low}..{high}"
        wrong = (values < low) | (values > high)
        if wrong.any():
            t.flag(np.unique(np.repeat(self.tags, lengths)[wrong]), reason)
        self.flag(lengths > most, reason)
        if not optional:
            self.flag(lengths == 0, f"attribute {key.decode()} is missing")
        return NumberLists(lengths, values)
