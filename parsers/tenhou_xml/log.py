"""The tags of a batch of logs, read and checked.

First every tag is checked on its own, then the order of the tags, then whether the play is possible. Whatever
is wrong is flagged with its tag; the earliest flag of a file ends it there: the complete rounds before it are
kept, the rest is one reject.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np

from ..errors import LogError
from ..events import KIND
from . import melds, words
from .tokens import BAD, ENDS_NAME, Attributes, NumberLists, Tokens, word
from .words import ATTRIBUTES, HANDS, NAMES, Tag

MAX_BYTES = 1_000_000  # the largest real log has 33,000
MAX_HUNDREDS = 1_000_000

_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_WHITE = b" \t\r\n"
_ACTION = np.array([KIND["draw"]] * 4 + [KIND["discard"]] * 4 + [-1], np.int8)  # by play code, -1 for others
_SEAT = np.array([0, 1, 2, 3, 0, 1, 2, 3, -1], np.int8)


def prepared(data: bytes) -> bytes:
    """The log with comments blanked, byte positions unchanged.

    Raises
    ------
    LogError
        It is no log: too long, does not begin like one, or declares entities, which are never expanded.
    """
    if len(data) > MAX_BYTES:
        raise LogError(f"{len(data):,} bytes: no game is longer than {MAX_BYTES:,}")
    if data[:3] == b"\xef\xbb\xbf":
        data = b"   " + data[3:]
    if b"!" in data and b"<!" in data:
        data = _COMMENT.sub(lambda comment: b" " * len(comment[0]), data)
        if b"<!" in data:
            raise LogError("a declaration (<!DOCTYPE, <!ENTITY, <![CDATA[) or an open comment: refused")
    start = data[:64].lstrip(_WHITE) or data.lstrip(_WHITE)
    if not start.startswith((b"<mjloggm", b"<?xml")):
        raise LogError("no Tenhou XML: it does not begin with <mjloggm>" if start else "the file is empty")
    return data


@dataclass(slots=True)
class Win:
    """Columns of the AGARI tags."""

    tag: np.ndarray
    round: np.ndarray  # -1 before the first INIT
    who: np.ndarray
    from_who: np.ndarray
    pao: np.ndarray  # -1 for none
    ba: np.ndarray  # honba, sticks
    ten: np.ndarray  # fu, points, limit
    before: np.ndarray  # hundreds by seat
    change: np.ndarray
    machi: np.ndarray
    hai: NumberLists
    dora: NumberLists
    ura: NumberLists
    yaku: NumberLists  # number, han, number, han ...
    yakuman: NumberLists


@dataclass(slots=True)
class Draw:
    """Columns of the RYUUKYOKU tags."""

    tag: np.ndarray
    round: np.ndarray
    kind: np.ndarray
    shown: np.ndarray  # bool (tags, 4)
    before: np.ndarray
    change: np.ndarray


class Log:
    """A batch of logs, read step by step; every step works on all files at once.

    Columns over all tags: `kind`, `round` (-1 before the first of the file), and of those that are actions
    `action` (else -1), `seat`, `tile` (0-135). Columns over files: `flags`, `lobby`, `three` (players) ...
    Columns over INIT tags: `seed`, `ten`, `oya`, `hands`, `last_result` ...
    """

    def __init__(self, files: list[bytes]):
        self.n_files = len(files)
        self.t = Tokens(files)
        self.n_tags = len(self.t.at)
        self._name_tags()
        self._split_rounds()
        self._read_header()
        self._read_deals()
        self._read_play()
        self._read_calls()
        self._read_other_actions()
        self._read_wins()
        self._read_draws()
        self._check_order()

    def where(self, kind: Tag) -> np.ndarray:
        """The tags of a kind."""
        return self.t.rare[self.rare_kind == kind]

    def _name_tags(self) -> None:
        t = self.t
        head, at = t.head[t.rare], t.at[t.rare]
        found = np.full(len(t.rare), Tag.UNKNOWN, np.int8)
        for kind, name in words.TAG_NAMES.items():
            n = min(len(name), 8)
            match = np.flatnonzero((head & np.uint64((1 << 8 * n) - 1)) == word(name[:8]))
            place = at[match] + 1
            whole = ENDS_NAME[t.buf[place + len(name)]]
            for extra in range(8, len(name)):
                whole &= t.buf[place + extra] == name[extra]
            found[match[whole]] = kind
        self.rare_kind = found
        t.flag(t.rare[found == Tag.UNKNOWN], "unknown tag {tag}; known: " + words.KNOWN_TAGS)
        self.kind = np.zeros(self.n_tags, np.int8)
        self.kind[t.rare] = found
        of_attribute = found[t.rare_of_attribute]
        tags_of = {kind: np.flatnonzero(found == kind) for kind in ATTRIBUTES}
        self.attributes = {
            kind: Attributes(t, tags_of[kind], np.flatnonzero(of_attribute == kind), known, words.TAG_NAMES[kind])
            for kind, known in ((kind, read + ignored) for kind, (read, ignored) in ATTRIBUTES.items())
        }

    def _split_rounds(self) -> None:
        t, n = self.t, self.n_tags
        init = self.init = self.where(Tag.INIT)
        self.file_stop = np.append(t.first[1:], n)[: self.n_files]
        self.round_file = t.file(init)
        self.n_rounds = len(init)
        start = np.concatenate([t.first, init])
        value = np.concatenate([np.full(self.n_files, -1), np.arange(self.n_rounds)])
        order = np.argsort(start, kind="stable")
        self.round = np.repeat(value[order], np.diff(start[order], append=n))
        self.round_stop = np.minimum(np.append(init[1:], n)[: self.n_rounds], self.file_stop[self.round_file])

    def _first_of_file(self, tags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Per file the place of its first in these ascending tags, -1 where it has none; and the others."""
        files, first = np.unique(self.t.file(tags), return_index=True)
        column = np.full(self.n_files, -1)
        column[files] = first
        return column, np.delete(tags, first)

    def _read_header(self) -> None:
        t = self.t
        first, last = t.first, self.file_stop - 1  # every file has a tag: it begins with one
        opening, closing, xml = self.where(Tag.OPEN), self.where(Tag.CLOSE), self.where(Tag.XML)
        root, again = self._first_of_file(opening)
        t.flag(again, "a second game in the same file")
        t.flag(xml[~np.isin(xml, first)], "an XML declaration inside the log")
        begins = np.append(opening, -1)[root] == first + (self.kind[first] == Tag.XML)
        t.flag(first[~begins], "no Tenhou XML: it does not begin with <mjloggm>")
        end, again = self._first_of_file(closing)
        t.flag(again, "a second </mjloggm>")
        self.is_closed = end >= 0
        end = np.append(closing, -1)[end]
        late = self.is_closed & (end < last)
        t.flag(end[late] + 1, "tags after </mjloggm>")

        go = self.attributes[Tag.GO]
        row, again = self._first_of_file(go.tags)
        t.flag(again, "a second GO in the same file")
        missing = np.append(self.round[go.tags], 0)[row] >= 0
        t.flag(np.minimum(first + 1, last)[missing], "no GO before the first round: rules unknown")
        flags, lobby = go.numbers(b"type", 1, 0, 2**31 - 1), go.numbers(b"lobby", 1, 0, 2**31 - 1, optional=True)
        self.flags = np.maximum(np.append(flags, 0)[row], 0)
        self.lobby = np.maximum(np.append(lobby, -1)[row], -1)
        self.is_custom = np.append(go.has(b"csrule"), False)[row]
        self.three = (self.flags & words.THREE_PLAYERS) > 0
        self.any_three = bool(self.three.any())
        self.round_three = self.three[self.round_file]
        self.red = (self.flags & words.NO_RED == 0).astype(np.int8)

        for tag, name in ((Tag.UN, "un_row"), (Tag.SHUFFLE, "shuffle_row")):
            tags = self.attributes[tag].tags
            row, _ = self._first_of_file(tags)
            setattr(self, name, np.where(np.append(self.round[tags], 0)[row] < 0, row, -1))

    def _in_three(self, a: Attributes) -> np.ndarray:
        """Whether each tag stands in a game of three players."""
        return self.three[self.t.file(a.tags)]

    def _seats(self, a: Attributes, key: bytes, *, optional: bool = False) -> np.ndarray:
        """Seats of an attribute; the empty one of three-player games is flagged."""
        seat = a.numbers(key, 1, 0, 3, optional=optional)[:, 0]
        if self.any_three:
            a.flag((seat == 3) & self._in_three(a), f"{key.decode()}=3 in a game of three players")
        return np.maximum(seat, -1).astype(np.int8)

    def _read_deals(self) -> None:
        a = self.attributes[Tag.INIT]
        self.seed = a.numbers(b"seed", 6, BAD, 2**31 - 1)  # two of six, the dice, may be empty
        for place, high in ((0, 15), (1, 999), (2, 999), (5, 135)):
            wrong = (self.seed[:, place] < 0) | (self.seed[:, place] > high)
            a.flag(wrong, f"attribute seed must hold a whole number in 0..{high} at place {place}")
        self.ten = a.numbers(b"ten", 4, -MAX_HUNDREDS, MAX_HUNDREDS)
        self.oya = self._seats(a, b"oya")
        self.hands = np.empty((self.n_rounds, 4, 13), np.int16)
        for seat, key in enumerate(HANDS):
            hand = a.numbers(key, 13, 0, 135, optional=True, exact=True)
            self.hands[:, seat] = np.maximum(hand, -1)
            absent = ~a.has(key)
            if seat == 3:
                a.flag(~absent & self.round_three, "a hand for the empty seat")
                absent &= ~self.round_three
            a.flag(absent, f"attribute {key.decode()} must hold 13 tiles")

    def _read_play(self) -> None:
        t = self.t
        if (t.tile > 135).any():
            t.flag(np.flatnonzero((t.play >= 0) & (t.tile > 135)), "a tile out of range: tiles are 0..135")
        self.action, self.seat, self.tile = _ACTION[t.play], _SEAT[t.play], t.tile
        self.tile[t.rare] = -1
        if self.any_three:
            fourth = np.flatnonzero(self.seat == 3)
            t.flag(fourth[self.three[t.file(fourth)]], "play of the empty seat")
        early = np.flatnonzero((self.kind <= Tag.RYUUKYOKU) & (self.kind >= 0) & (self.round < 0))
        t.flag(early, "play before the first INIT")

    def _read_calls(self) -> None:
        a = self.attributes[Tag.N]
        who = self._seats(a, b"who")
        code = a.numbers(b"m", 1, 0, 65535)[:, 0]
        meld = self.melds = melds.decode(np.maximum(code, 0))
        a.flag((code >= 0) & (meld.kind < 0), "a meld code that stands for no meld")
        self.from_seat = np.where(meld.relative >= 0, (who + meld.relative) % 4, -1).astype(np.int8)
        three = self._in_three(a)
        a.flag(three & (self.from_seat == 3), "a call from the empty seat")
        a.flag(three & (meld.kind == KIND["chi"]), "chi in a game of three players")
        a.flag(~three & (meld.kind == KIND["kita"]), "kita in a game of four players")
        self.action[a.tags], self.seat[a.tags], self.tile[a.tags] = meld.kind, who, meld.tile

    def _read_other_actions(self) -> None:
        a = self.attributes[Tag.REACH]
        step = a.numbers(b"step", 1, 1, 2)[:, 0]
        self.action[a.tags] = np.where(step == 2, KIND["riichi_accepted"], KIND["riichi"])
        self.seat[a.tags] = self._seats(a, b"who")

        a = self.attributes[Tag.DORA]
        self.action[a.tags] = KIND["dora"]
        self.tile[a.tags] = a.numbers(b"hai", 1, 0, 135)[:, 0]

        a = self.attributes[Tag.BYE]
        self.action[a.tags] = KIND["disconnect"]
        self.seat[a.tags] = self._seats(a, b"who")

        a = self.attributes[Tag.UN]  # after the first of the file: somebody came back
        named = np.stack([a.has(key) for key in NAMES], 1)
        self.action[a.tags] = np.where(named.sum(1) == 1, KIND["reconnect"], -1)
        self.seat[a.tags] = named.argmax(1)
        if self.any_three:
            a.flag((named.sum(1) == 1) & named[:, 3] & self._in_three(a), "somebody came back to the empty seat")
        self.action[self.round < 0] = -1

    def _scores(self, a: Attributes, *, optional: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Hundreds before and change, (tags, 4) each."""
        sc = a.numbers(b"sc", 8, -MAX_HUNDREDS, MAX_HUNDREDS, optional=optional)
        return sc[:, 0::2], sc[:, 1::2]

    def _read_wins(self) -> None:
        a = self.attributes[Tag.AGARI]
        ten = a.numbers(b"ten", 3, 0, 10_000_000)
        a.flag(ten[:, 2] > 5, "a limit that is not in 0..5")
        a.flag(ten[:, 0] > 999, "more than 999 fu")
        before, change = self._scores(a)
        yaku = a.lists(b"yaku", 0, 32767, 100, optional=True)
        yakuman = a.lists(b"yakuman", 0, 32767, 20, optional=True)
        a.flag(yaku.lengths & 1 > 0, "attribute yaku must hold pairs of number and han")
        a.flag(yaku.lengths + yakuman.lengths == 0, "a win without yaku or yakuman")
        place = np.arange(len(yaku.values)) - np.repeat(np.cumsum(yaku.lengths) - yaku.lengths, yaku.lengths)
        too_much = (place & 1 > 0) & (yaku.values > 127)
        self.t.flag(np.repeat(a.tags, yaku.lengths)[too_much], "a yaku of more than 127 han")
        self.win = Win(
            tag=a.tags,
            round=self.round[a.tags],
            who=self._seats(a, b"who"),
            from_who=self._seats(a, b"fromWho"),
            pao=self._seats(a, b"paoWho", optional=True),
            ba=a.numbers(b"ba", 2, 0, 999),
            ten=ten,
            before=before,
            change=change,
            machi=a.numbers(b"machi", 1, 0, 135)[:, 0],
            hai=a.lists(b"hai", 0, 135, 14),
            dora=a.lists(b"doraHai", 0, 135, 5),
            ura=a.lists(b"doraHaiUra", 0, 135, 5, optional=True),
            yaku=yaku,
            yakuman=yakuman,
        )

    def _read_draws(self) -> None:
        a = self.attributes[Tag.RYUUKYOKU]
        a.flag(~a.has(b"sc"), "RYUUKYOKU without scores: the log was cut off here")
        before, change = self._scores(a, optional=True)
        kind = np.array([words.DRAWS.get(text, -1) for text in a.text(b"type")], np.int8)
        known = ", ".join(name.decode() for name in words.DRAWS if name)
        a.flag(kind < 0, f"unknown type of RYUUKYOKU; known: {known}, or none")
        shown = np.stack([a.has(key) for key in HANDS], 1)
        a.flag(shown[:, 3] & self._in_three(a), "a hand of the empty seat")
        self.draw = Draw(a.tags, self.round[a.tags], kind, shown, before, change)

    def _check_order(self) -> None:
        """Flag what stands after the end of a round, and rounds without an end."""
        t, win = self.t, self.win
        results = np.sort(np.concatenate([win.tag, self.draw.tag]))
        results = results[self.round[results] >= 0]
        rounds, first = np.unique(self.round[results], return_index=True)
        self.last_result = np.full(self.n_rounds, -1)
        self.last_result[self.round[results]] = results
        start = results[first] + 1
        lengths = self.round_stop[rounds] - start
        later = np.repeat(start - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
        kind, first_kind = self.kind[later], np.repeat(self.kind[start - 1], lengths)
        wrong = (kind >= Tag.PLAY) & (kind <= Tag.RYUUKYOKU) & ~((kind == Tag.AGARI) & (first_kind == Tag.AGARI))
        t.flag(later[wrong], "play after the end of the round")
        again = np.flatnonzero((win.round[1:] == win.round[:-1]) & (win.round[1:] >= 0))
        differs = (win.from_who[again] != win.from_who[again + 1]) | (win.who[again + 1] == win.from_who[again + 1])
        t.flag(win.tag[again[differs] + 1], "two wins in a round that are not ron on the same discard")
        key = win.round * 4 + win.who
        twice = np.setdiff1d(np.arange(len(key)), np.unique(key, return_index=True)[1])
        t.flag(win.tag[twice], "a seat wins twice in a round")
        t.flag(self.round_stop[self.last_result < 0] - 1, "the round has no end: the log is cut off or damaged")

    def find_errors(self) -> None:
        """Set `error_tag` (per file its first flagged tag, past the last for none) and `error` (why)."""
        t = self.t
        self.error_tag = np.full(self.n_files, self.n_tags)
        self.error: dict[int, str] = {}
        for tags, reason in t.flags:
            tags = np.sort(tags)
            files, first = np.unique(t.file(tags), return_index=True)
            for file, tag in zip(files.tolist(), tags[first].tolist(), strict=True):
                if tag < self.error_tag[file]:
                    self.error_tag[file], self.error[file] = tag, reason

    def kept_rounds(self) -> np.ndarray:
        """Boolean per round: complete, and nothing wrong in it or before it."""
        self.find_errors()
        t = self.t
        error = self.error_tag[self.round_file]
        kept = (self.last_result >= 0) & (error >= self.round_stop)
        # An error after the result spares the round, unless it may have been another win.
        late = np.flatnonzero((self.last_result >= 0) & (error > self.last_result) & (error < self.round_stop))
        if len(late):
            kept[late] = t.buf[t.at[error[late]] + 1] != ord("A")
        return kept
