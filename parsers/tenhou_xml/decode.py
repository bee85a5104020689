"""Tags and attributes of a batch of logs → event columns.

First every tag is checked on its own, then the order of the tags, then whether the play is possible. Whatever is
wrong is flagged with its tag; the earliest flag of a file ends it there: the complete rounds before it are kept,
the rest is one reject.
"""

from __future__ import annotations

import hashlib
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import unquote_to_bytes
from xml.sax.saxutils import unescape

import numpy as np

from ..errors import LogError
from ..events import KIND, NO_POINTS, NO_TILE, Actions, Batch, Draws, Games, Lists, Reject, Rounds, Wins
from ..schema import DRAW_KINDS
from . import melds, words
from .tokens import _ENDS_NAME, BAD, Attributes, Tokens, word

MAX_BYTES = 2_000_000  # the largest real log has 33,000
MAX_HUNDREDS = 1_000_000
_TAGS = (
    b"N",
    b"REACH",
    b"DORA",
    b"INIT",
    b"AGARI",
    b"RYUUKYOKU",
    b"UN",
    b"BYE",
    b"GO",
    b"SHUFFLE",
    b"TAIKYOKU",
    b"mjloggm",
    b"/mjloggm",
    b"?xml",
)
_PLAY, _UNKNOWN = 0, -1
(_N, _REACH, _DORA, _INIT, _AGARI, _RYUUKYOKU, _UN, _BYE, _GO, _SHUFFLE, _TAIKYOKU, _OPEN, _CLOSE, _XML) = range(1, 15)
_KNOWN = "T U V W D E F G with a tile, " + ", ".join(name.decode() for name in _TAGS if name.isalpha())

_HANDS = (b"hai0", b"hai1", b"hai2", b"hai3")
_NAMES = (b"n0", b"n1", b"n2", b"n3")
# Attributes that are read, then those ignored on purpose (see the package's docstring).
_ATTRIBUTES = {
    _N: ((b"who", b"m"), ()),
    _REACH: ((b"who", b"step"), (b"ten",)),
    _DORA: ((b"hai",), ()),
    _INIT: ((b"seed", b"ten", b"oya", *_HANDS), (b"shuffle", b"chip")),
    _AGARI: (
        (b"ba", b"hai", b"m", b"machi", b"ten", b"yaku", b"yakuman", b"doraHai", b"doraHaiUra", b"who", b"fromWho")
        + (b"paoWho", b"sc", b"owari"),
        (b"chip", b"ratio"),
    ),
    _RYUUKYOKU: ((b"type", b"ba", b"sc", *_HANDS, b"owari"), (b"ratio",)),
    _UN: ((*_NAMES, b"dan", b"rate"), (b"sx", b"rc", b"gold")),
    _BYE: ((b"who",), ()),
    _GO: ((b"type", b"lobby"), (b"title", b"rule", b"ranking", b"csrule")),
    _SHUFFLE: ((b"seed",), (b"ref",)),
}

_ID = re.compile(r"(\d{10})gm-[0-9a-f]{4}-\d{4,6}-[0-9a-z]{8}")
_COMMENT = re.compile(rb"<!--.*?-->", re.DOTALL)
_WHITE = b" \t\r\n"

_TILE = np.empty((2, 136), np.uint8)  # of a physical tile: without red fives, with them
_TILE[:] = np.arange(136) // 4
_TILE[1, [16, 52, 88]] = 34, 35, 36


@dataclass(slots=True)
class Decoded:
    """A batch, and what only this source knows of it."""

    batch: Batch
    seed: list[bytes | None]  # of the walls, per game
    physical_hands: np.ndarray  # (rounds, 4, 13) tiles 0-135, as dealt
    physical: np.ndarray  # tile 0-135 per action, -1
    win_ura: Lists  # physical ura indicators per win


def decode(logs: Sequence[tuple[str, bytes]]) -> Decoded:
    """The event columns of some logs, in their order; broken ones in `rejects`."""
    rejects: list[tuple[int, Reject]] = []
    numbers, paths, originals, files = [], [], [], []
    for number, (path, data) in enumerate(logs):
        try:
            files.append(_prepared(data))
        except LogError as error:
            rejects.append((number, Reject(LogError(error.reason, path=path))))
            continue
        numbers.append(number)
        paths.append(path)
        originals.append(data)
    log = _Log(files, paths, originals)
    decoded = log.decoded()
    rejects += [(numbers[file], reject) for file, reject in log.rejects]
    decoded.batch.rejects = [reject for _, reject in sorted(rejects, key=lambda r: r[0])]
    return decoded


def _prepared(data: bytes) -> bytes:
    """The log with comments blanked, byte positions unchanged; or what it is that is no log."""
    if len(data) > MAX_BYTES:
        raise LogError(f"{len(data):,} bytes: no game is longer than {MAX_BYTES:,}")
    if data[:3] == b"\xef\xbb\xbf":
        data = b"   " + data[3:]
    if b"<!" in data:
        data = _COMMENT.sub(lambda comment: b" " * len(comment[0]), data)
        if b"<!" in data:
            raise LogError("a declaration (<!DOCTYPE, <!ENTITY, <![CDATA[) or an open comment: refused")
    start = data[:64].lstrip(_WHITE) or data.lstrip(_WHITE)
    if not start.startswith((b"<mjloggm", b"<?xml")):
        raise LogError("no Tenhou XML: it does not begin with <mjloggm>" if start else "the file is empty")
    return data


class _Log:
    """The decoding of a batch, step by step; every step works on all files at once."""

    def __init__(self, files: list[bytes], paths: list[str], originals: list[bytes]):
        self.paths, self.originals = paths, originals
        self.n_files = len(files)
        self.rejects: list[tuple[int, Reject]] = []
        t = self.t = Tokens(files)
        self.n_tags = len(t.at)
        self._name_tags()
        self.attributes = {
            kind: Attributes(t, self.where(kind), read + ignored) for kind, (read, ignored) in _ATTRIBUTES.items()
        }
        self._split_rounds()
        self._read_header()
        self._read_deals()
        self._read_events()
        self._read_wins()
        self._read_draws()
        self._check_order()

    def where(self, kind: int) -> np.ndarray:
        """The tags of a kind."""
        return self.rare[self.rare_kind == kind]

    def _name_tags(self) -> None:
        t = self.t
        self.rare = np.flatnonzero(t.play < 0)
        head, at = t.head[self.rare], t.at[self.rare]
        found = np.full(len(self.rare), _UNKNOWN, np.int8)
        for kind, name in enumerate(_TAGS, 1):
            n = min(len(name), 8)
            match = (head & np.uint64((1 << 8 * n) - 1)) == word(name[:8])
            match &= _ENDS_NAME[t.buf[at + 1 + len(name)]]
            for extra in range(8, len(name)):
                match &= t.buf[at + 1 + extra] == name[extra]
            found[match] = kind
        self.rare_kind = found
        t.flag(self.rare[found == _UNKNOWN], "unknown tag {tag}; known: " + _KNOWN)
        self.kind = np.zeros(self.n_tags, np.int8)
        self.kind[self.rare] = found

    def _split_rounds(self) -> None:
        t, n = self.t, self.n_tags
        init = self.init = self.where(_INIT)
        self.file_stop = np.append(t.first[1:], n)
        self.round_file = t.file[init]
        self.n_rounds = len(init)
        start = np.concatenate([t.first, init])
        value = np.concatenate([np.full(self.n_files, -1), np.arange(self.n_rounds)])
        order = np.argsort(start, kind="stable")
        self.round = np.repeat(value[order], np.diff(start[order], append=n))  # per tag, -1 before the first
        self.round_stop = np.minimum(np.append(init[1:], n), self.file_stop[self.round_file])
        before = self.round[self.rare] < 0
        self.header = {kind: self.rare[before & (self.rare_kind == kind)] for kind in (_GO, _UN, _SHUFFLE)}

    def _first_of_file(self, tags: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Per file its first of these ascending tags, -1 where none; and the others."""
        files, first = np.unique(self.t.file[tags], return_index=True)
        column = np.full(self.n_files, -1)
        column[files] = tags[first]
        return column, np.delete(tags, first)

    def _read_header(self) -> None:
        t = self.t
        filled = np.flatnonzero(self.file_stop > t.first)
        first = t.first[filled]
        root, again = self._first_of_file(self.where(_OPEN))
        t.flag(again, "a second game in the same file")
        t.flag(self.where(_XML)[~np.isin(self.where(_XML), first)], "an XML declaration inside the log")
        expected = first + (self.kind[first] == _XML)
        t.flag(first[root[filled] != expected], "no Tenhou XML: it does not begin with <mjloggm>")
        closing, again = self._first_of_file(self.where(_CLOSE))
        t.flag(again, "a second </mjloggm>")
        last = self.file_stop - 1
        late = (closing >= 0) & (closing < last)
        t.flag(closing[late] + 1, "tags after </mjloggm>")
        self.is_closed = closing >= 0

        go = self.attributes[_GO]
        flags = go.numbers(b"type", 1, 0, 2**31 - 1)[:, 0]
        lobby = go.numbers(b"lobby", 1, 0, 2**31 - 1, optional=True)[:, 0]
        go_tag, again = self._first_of_file(go.tags)
        t.flag(again, "a second GO in the same file")
        missing = (go_tag < 0) | (self.round[np.maximum(go_tag, 0)] >= 0 if self.n_tags else True)
        missing &= self.file_stop > t.first
        t.flag(np.minimum(t.first[missing] + 1, last[missing]), "no GO before the first round: rules unknown")
        row = np.searchsorted(go.tags, go_tag)
        has = np.flatnonzero((go_tag >= 0) & ~missing)
        self.flags = np.zeros(self.n_files, np.int32)
        self.lobby = np.full(self.n_files, -1, np.int32)
        self.flags[has] = np.maximum(flags[row[has]], 0)
        self.lobby[has] = np.maximum(lobby[row[has]], -1)
        self.is_custom = np.zeros(self.n_files, bool)
        self.is_custom[has] = go.has(b"csrule")[row[has]]
        self.three = (self.flags & words.THREE_PLAYERS) > 0
        self.round_three = self.three[self.round_file]
        self.red = (self.flags & words.NO_RED == 0).astype(np.int8)

        un = self.attributes[_UN]
        self.un_tag, _ = self._first_of_file(self.header[_UN])
        self.un_row = np.where(self.un_tag >= 0, np.searchsorted(un.tags, self.un_tag), -1)
        self.shuffle_tag, _ = self._first_of_file(self.header[_SHUFFLE])

    def _read_deals(self) -> None:
        a, t = self.attributes[_INIT], self.t
        seed = a.numbers(b"seed", 6, BAD, 2**31 - 1)  # two of six, the dice, may be empty
        for place, low, high in ((0, 0, 15), (1, 0, 999), (2, 0, 999), (5, 0, 135)):
            wrong = (seed[:, place] < low) | (seed[:, place] > high)
            t.flag(a.tags[wrong], f"attribute seed must hold a whole number in {low}..{high} at place {place}")
        self.seed = seed
        self.ten = a.numbers(b"ten", 4, -MAX_HUNDREDS, MAX_HUNDREDS)
        self.oya = a.numbers(b"oya", 1, 0, 3)[:, 0]
        t.flag(a.tags[self.round_three & (self.oya == 3)], "a dealer in the empty seat")
        self.hands = np.full((self.n_rounds, 4, 13), -1, np.int16)
        for seat, key in enumerate(_HANDS):
            hand = a.numbers(key, 13, 0, 135, optional=True)
            self.hands[:, seat] = np.where(hand == BAD, -1, hand)
            absent = hand[:, 0] == BAD
            if seat == 3:
                t.flag(a.tags[~absent & self.round_three], "a hand for the empty seat")
                absent &= ~self.round_three
            t.flag(a.tags[absent], f"attribute {key.decode()} must hold 13 tiles")
            column = a.attribute(key)
            count = np.where(column >= 0, t.close[column] - t.open[column], 0)
            t.flag(a.tags[count > 13], f"attribute {key.decode()} must hold 13 tiles")

    def _seats(self, attributes: Attributes, key: bytes, *, optional: bool = False) -> np.ndarray:
        """Seats of an attribute; the empty one of three-player games is flagged."""
        seat = attributes.numbers(key, 1, 0, 3, optional=optional)[:, 0]
        t = self.t
        wrong = (seat == 3) & self.three[t.file[attributes.tags]]
        t.flag(attributes.tags[wrong], f"{key.decode()}=3 in a game of three players")
        return np.where(seat == BAD, -1, seat)

    def _read_events(self) -> None:
        """Columns over all tags: action kind (-1 for none), seat, physical tile; and the columns of calls."""
        t, n = self.t, self.n_tags
        play = t.play
        is_play = play >= 0
        t.flag(np.flatnonzero(is_play & (t.tile > 135)), "a tile out of range: tiles are 0..135")
        if self.three.any():
            t.flag(np.flatnonzero(is_play & (play & 3 == 3) & self.three[t.file]), "play of the empty seat")
        self.action = np.where(is_play, np.where(play > 3, KIND["discard"], KIND["draw"]), -1).astype(np.int8)
        self.seat = np.where(is_play, play & 3, -1).astype(np.int8)
        self.tile = np.where(is_play, t.tile, -1).astype(np.int16)

        a = self.attributes[_N]
        who = self._seats(a, b"who")
        code = a.numbers(b"m", 1, 0, 65535)[:, 0]
        meld = self.melds = melds.decode(np.maximum(code, 0))
        t.flag(a.tags[(code >= 0) & (meld.kind < 0)], "a meld code that stands for no meld")
        self.from_seat = np.where(meld.relative >= 0, (who + meld.relative) % 4, -1).astype(np.int8)
        if self.three.any():
            three = self.three[t.file[a.tags]]
            t.flag(a.tags[three & (self.from_seat == 3)], "a call from the empty seat")
            t.flag(a.tags[three & (meld.kind == KIND["chi"])], "chi in a game of three players")
        t.flag(a.tags[(meld.kind == KIND["kita"]) & ~self.three[t.file[a.tags]]], "kita in a game of four players")
        self.action[a.tags] = meld.kind
        self.seat[a.tags] = who
        self.tile[a.tags] = meld.tile

        a = self.attributes[_REACH]
        step = a.numbers(b"step", 1, 1, 2)[:, 0]
        self.action[a.tags] = np.where(step == 2, KIND["riichi_accepted"], KIND["riichi"])
        self.seat[a.tags] = self._seats(a, b"who")

        a = self.attributes[_DORA]
        self.action[a.tags] = KIND["dora"]
        self.tile[a.tags] = a.numbers(b"hai", 1, 0, 135)[:, 0]

        a = self.attributes[_BYE]
        self.action[a.tags] = KIND["disconnect"]
        self.seat[a.tags] = self._seats(a, b"who")

        a = self.attributes[_UN]  # after the first: somebody came back
        named = np.stack([a.has(key) for key in _NAMES], 1) if len(a.tags) else np.zeros((0, 4), bool)
        self.action[a.tags] = np.where(named.sum(1) == 1, KIND["reconnect"], -1)
        self.seat[a.tags] = named.argmax(1) if len(a.tags) else 0
        self.action[self.round < 0] = -1
        self.n = n

    def _scores(self, a: Attributes, *, optional: bool) -> tuple[np.ndarray, np.ndarray]:
        """Hundreds before and change, (tags, 4) each."""
        sc = a.numbers(b"sc", 8, -MAX_HUNDREDS, MAX_HUNDREDS, optional=optional)
        return sc[:, 0::2], sc[:, 1::2]

    def _read_wins(self) -> None:
        a, t = self.attributes[_AGARI], self.t
        tags = a.tags
        w = self.win = {"tag": tags, "round": self.round[tags]}
        w["who"], w["from"] = self._seats(a, b"who"), self._seats(a, b"fromWho")
        w["pao"] = self._seats(a, b"paoWho", optional=True)
        w["ba"] = a.numbers(b"ba", 2, 0, 999)
        w["ten"] = a.numbers(b"ten", 3, 0, 10_000_000)
        t.flag(tags[w["ten"][:, 2] > 5], "a limit that is not in 0..5")
        t.flag(tags[w["ten"][:, 0] > 999], "more than 999 fu")
        w["before"], w["change"] = self._scores(a, optional=False)
        w["machi"] = a.numbers(b"machi", 1, 0, 135)[:, 0]
        self.win_hai = a.lists(b"hai", 0, 135)
        self.win_dora = a.lists(b"doraHai", 0, 135)
        self.win_ura = a.lists(b"doraHaiUra", 0, 135)
        self.win_yaku = a.lists(b"yaku", 0, 32767)
        self.win_yakuman = a.lists(b"yakuman", 0, 32767)
        a.require(b"hai", b"doraHai")
        odd = self.win_yaku[0] & 1 > 0
        none = self.win_yaku[0] + self.win_yakuman[0] == 0
        t.flag(tags[odd], "attribute yaku must hold pairs of number and han")
        t.flag(tags[none], "a win without yaku or yakuman")
        for lengths, most, key in (
            (self.win_hai[0], 14, "hai"),
            (self.win_dora[0], 5, "doraHai"),
            (self.win_ura[0], 5, "doraHaiUra"),
            (self.win_yaku[0], 100, "yaku"),
            (self.win_yakuman[0], 20, "yakuman"),
        ):
            t.flag(tags[lengths > most], f"attribute {key} holds more than {most} numbers")
        if not odd.any():
            too_much = self.win_yaku[1][1::2] > 127
            t.flag(np.repeat(tags, self.win_yaku[0] // 2)[too_much], "a yaku of more than 127 han")

    def _read_draws(self) -> None:
        a, t = self.attributes[_RYUUKYOKU], self.t
        tags = a.tags
        has_scores = a.has(b"sc")
        t.flag(tags[~has_scores], "RYUUKYOKU without scores: the log was cut off here")
        d = self.draw = {"tag": tags, "round": self.round[tags]}
        d["before"], d["change"] = self._scores(a, optional=True)
        kind = [words.DRAWS.get(text, -1) for text in a.text(b"type")]
        d["kind"] = np.array(kind, np.int8)
        t.flag(
            tags[d["kind"] < 0],
            "unknown type of RYUUKYOKU; known: " + ", ".join(k.decode() for k in words.DRAWS if k),
        )
        d["shown"] = np.stack([a.has(key) for key in _HANDS], 1) if len(tags) else np.zeros((0, 4), bool)
        t.flag(tags[d["shown"][:, 3] & self.three[t.file[tags]]], "a hand of the empty seat")

    def _check_order(self) -> None:
        t = self.t
        results = np.sort(np.concatenate([self.win["tag"], self.draw["tag"]]))
        outside = (self.round[self.rare] < 0) & (self.rare_kind > 0) & (self.rare_kind <= _RYUUKYOKU)
        t.flag(self.rare[outside], "play before the first INIT")
        before = np.flatnonzero((t.play >= 0) & (self.round < 0)) if self.n_tags else results
        t.flag(before, "play before the first INIT")
        results = results[self.round[results] >= 0]
        rounds, first = np.unique(self.round[results], return_index=True)
        self.first_result = np.full(self.n_rounds, -1)
        self.first_result[rounds] = results[first]
        self.last_result = np.full(self.n_rounds, -1)
        self.last_result[self.round[results]] = results
        ended = self.first_result >= 0
        start = self.first_result[ended] + 1
        lengths = self.round_stop[ended] - start
        later = np.repeat(start - (np.cumsum(lengths) - lengths), lengths) + np.arange(lengths.sum())
        first_kind = np.repeat(self.kind[self.first_result[ended]], lengths)
        kind = self.kind[later]
        wrong = (kind >= _PLAY) & (kind <= _RYUUKYOKU) & ~((kind == _AGARI) & (first_kind == _AGARI))
        t.flag(later[wrong], "play after the end of the round")
        counts = np.bincount(self.round[self.win["tag"]] + 1, minlength=self.n_rounds + 1)[1:]
        t.flag(self.last_result[counts > 3], "more than three wins in a round")
        same = np.flatnonzero(
            (np.diff(self.win["round"]) == 0) & ((np.diff(self.win["from"]) != 0) | (self.win["who"][1:] == self.win["from"][1:]))
        )
        t.flag(self.win["tag"][same + 1], "two wins in a round that are not ron on the same discard")
        t.flag(self.round_stop[~ended] - 1, "the round has no end: the log is cut off or damaged")

    def _errors(self) -> None:
        """Per file its first flagged tag, and why."""
        t = self.t
        self.error_tag = np.full(self.n_files, self.n_tags)
        self.error: dict[int, str] = {}
        for tags, reason in t.flags:
            tags = np.sort(tags)
            files, first = np.unique(t.file[tags], return_index=True)
            for file, tag in zip(files.tolist(), tags[first].tolist(), strict=True):
                if tag < self.error_tag[file]:
                    self.error_tag[file], self.error[file] = tag, reason

    def _kept_rounds(self) -> np.ndarray:
        """Boolean per round: complete, and nothing wrong in it or before it."""
        self._errors()
        t = self.t
        error = self.error_tag[self.round_file]
        kept = (self.last_result >= 0) & (error >= self.round_stop)
        # An error after the result spares the round, unless it may have been another win.
        late = np.flatnonzero((self.last_result >= 0) & (error > self.last_result) & (error < self.round_stop))
        if len(late):
            kept[late] = t.buf[t.at[error[late]] + 1] != ord("A")
        return kept

    def _check_play(self, kept: np.ndarray) -> None:
        """Flag play that cannot be, in the rounds that are kept so far.

        Every physical tile has one owner, who was dealt it or drew it: nobody gets a tile twice, discards one
        twice, or discards, adds, or is called for one that is not theirs.
        """
        t = self.t
        tags = np.flatnonzero((self.action >= 0) & kept[self.round])
        place = self.round[tags] * 136 + self.tile[tags]
        action, seat = self.action[tags], self.seat[tags]
        owner = np.full(self.n_rounds * 136, -1, np.int8)
        rounds = np.flatnonzero(kept)
        hands = self.hands[rounds]
        dealt = (rounds[:, None, None] * 136 + hands)[hands >= 0]
        dealt_seat = np.broadcast_to(np.arange(4)[None, :, None], hands.shape)[hands >= 0]
        owner[dealt] = dealt_seat
        drawn = action == KIND["draw"]
        times = np.bincount(dealt, minlength=len(owner))
        t.flag(self.init[np.unique(np.flatnonzero(times > 1) // 136)], "a tile dealt twice")
        times += np.bincount(place[drawn], minlength=len(owner))
        t.flag(tags[drawn & (times[place] > 1)], "a tile drawn that was dealt or drawn before")
        owner[place[drawn]] = seat[drawn]
        discarded = action == KIND["discard"]
        own = discarded | (action == KIND["kakan"]) | (action == KIND["kita"])
        t.flag(tags[own & (owner[place] != seat)], "a tile discarded, added or set aside that the seat does not hold")
        times = np.bincount(place[discarded], minlength=len(owner))
        t.flag(tags[discarded & (times[place] > 1)], "a tile discarded twice")
        a = self.attributes[_N]
        fed = (self.melds.relative >= 0) & (self.melds.kind != KIND["kakan"]) & kept[self.round[a.tags]]
        fed &= self.round[a.tags] >= 0
        place = self.round[a.tags] * 136 + self.melds.tile
        wrong = fed.copy()
        wrong[fed] = (owner[place[fed]] != self.from_seat[fed]) | (times[place[fed]] != 1)
        t.flag(a.tags[wrong], "a call of a tile that seat did not discard")
        w = self.win
        chosen = (w["round"] >= 0) & kept[w["round"]]
        place = w["round"] * 136 + w["machi"]
        chosen[chosen] = owner[place[chosen]] != w["from"][chosen]
        t.flag(w["tag"][chosen], "a winning tile that the seat it came from did not have")
        draws = np.bincount(self.round[tags[drawn]], minlength=self.n_rounds)
        too_many = draws > np.where(self.round_three, 55, 70)
        t.flag(self.last_result[too_many], "more draws than the wall has tiles")
        self._check_hands(tags, kept)

    def _check_hands(self, tags: np.ndarray, kept: np.ndarray) -> None:
        t, w = self.t, self.win
        action = self.action[tags]
        sets = np.isin(action, [KIND[word] for word in ("chi", "pon", "daiminkan", "ankan")])
        n_melds = np.bincount(self.round[tags[sets]] * 4 + self.seat[tags[sets]], minlength=self.n_rounds * 4 + 4)
        lengths, tiles = self.win_hai
        complete = lengths + (lengths % 3 == 1)
        chosen = (w["round"] >= 0) & kept[w["round"]]
        seat = np.where(chosen, w["round"] * 4 + w["who"], 0)
        t.flag(w["tag"][chosen & (complete + 3 * n_melds[seat] != 14)], "a winning hand that is not of 14 tiles")
        has = np.zeros(len(lengths), bool)
        row = np.repeat(np.arange(len(lengths)), lengths)
        has[row[tiles == w["machi"][row]]] = True
        t.flag(w["tag"][chosen & has & (lengths % 3 == 1)], "a winning hand that is not of 14 tiles")
        t.flag(w["tag"][chosen & ~has & (lengths % 3 == 2)], "a winning hand without the winning tile")

    def decoded(self) -> Decoded:
        """The columns of the rounds that are kept; what is not is in `rejects`."""
        kept = self._kept_rounds()
        if kept.any():
            self._check_play(kept)
            kept = self._kept_rounds()
        n_kept = np.bincount(self.round_file[kept], minlength=self.n_files)
        self._read_owari(kept)
        if self.owari_failed:
            kept = self._kept_rounds()
            n_kept = np.bincount(self.round_file[kept], minlength=self.n_files)
        self.game_files = np.flatnonzero(n_kept)
        self.game_of_file = np.full(self.n_files, -1)
        self.game_of_file[self.game_files] = np.arange(len(self.game_files))
        ids = [hashlib.sha256(data).digest()[:8] for data in self.originals]
        self.game_id = np.array([int.from_bytes(i, "big", signed=True) for i in ids], np.int64)
        self._collect_rejects(n_kept)
        self.new_round = np.cumsum(kept) - 1
        red = self.red[self.round_file]
        rounds, physical_hands = self._rounds(kept, red)
        actions, physical = self._actions(kept, red)
        wins, names, ura = self._wins(kept, red)
        batch = Batch("tenhou_xml", self._games(), rounds, actions, wins, self._draws(kept), names)
        seeds = self.attributes[_SHUFFLE].text(b"seed")
        row = np.searchsorted(self.attributes[_SHUFFLE].tags, self.shuffle_tag)
        seed = [seeds[row[f]] if self.shuffle_tag[f] >= 0 else None for f in self.game_files]
        return Decoded(batch, seed, physical_hands, physical, ura)

    def _collect_rejects(self, n_kept: np.ndarray) -> None:
        t = self.t
        for file in range(self.n_files):
            kept = int(n_kept[file])
            reason = self.error.get(file)
            if reason is None:
                if self.is_closed[file] and kept:
                    continue
                if kept and file in self.owari:
                    continue
                reason = "the log is cut off: no </mjloggm>" if not self.is_closed[file] else "no round in this log"
                tag = max(int(self.file_stop[file]) - 1, 0)
                round_no, event, byte = kept if kept else None, None, None
            else:
                tag = int(self.error_tag[file])
                start = int(t.at[tag])
                byte = start - int(t.file_start[file])
                round_ = int(self.round[tag])
                round_no = event = None
                if round_ >= 0:
                    first_round = int(np.searchsorted(self.round_file, file))
                    round_no, event = round_ - first_round, tag - int(self.init[round_])
                    if round_no < kept:
                        round_no, event = kept, None
                name = re.match(rb"<[^\s<>/]{0,20}", t.data[start : start + 24])
                reason = reason.replace("{tag}", name[0].decode("utf-8", "replace") + ">" if name else "<")
            error = LogError(reason, path=self.paths[file], round_no=round_no, event=event)
            self.rejects.append((file, Reject(error, byte, int(self.game_id[file]) if kept else None)))

    def _read_owari(self, kept: np.ndarray) -> None:
        """Final points, results and chips of the games whose last result says them."""
        self.owari: dict[int, list[float]] = {}
        self.owari_failed = False
        last = np.full(self.n_files, -1)
        last[self.round_file[kept]] = self.last_result[kept]
        for kind in (_AGARI, _RYUUKYOKU):
            a = self.attributes[kind]
            column = a.text(b"owari")
            for row in np.flatnonzero(a.has(b"owari")).tolist():
                tag = a.tags[row]
                file = int(self.t.file[tag])
                if tag != last[file]:
                    continue
                try:
                    values = [float(x) for x in column[row].split(b",")]
                except ValueError:
                    values = []
                if len(values) not in (8, 16) or not all(
                    math.isfinite(x) and abs(x) < 2**31 / 100 for x in values
                ):
                    self.t.flag(np.array([tag]), "attribute owari must hold 8 or 16 numbers")
                    self.owari_failed = True
                else:
                    self.owari[file] = values

    def _games(self) -> Games:
        files = self.game_files
        n = len(files)
        flags = self.flags[files]
        two = [int(f) for f in flags]
        ids = [_ID.findall(path) and list(_ID.finditer(path))[-1] for path in (self.paths[f] for f in files)]
        points = np.full((n, 4), NO_POINTS)
        result = np.full((n, 4), np.nan, np.float32)
        chips = np.full((n, 4), NO_POINTS)
        for game, file in enumerate(files.tolist()):
            values = self.owari.get(file)
            if values:
                points[game] = [round(x * 100) for x in values[0:8:2]]
                result[game] = values[1:8:2]
                if len(values) == 16:
                    chips[game] = [round(x) for x in values[8::2]]
        names, grade, rating, defects = self._players()
        for game, file in enumerate(files.tolist()):
            if file not in self.owari:
                defects[game].append("the end of the game is missing")
            if not self.is_closed[file]:
                defects[game].append("the log is cut off")
            if self.is_custom[file]:
                defects[game].append("rules of its own (csrule), not read")
        for kind, a in self.attributes.items():
            for attribute in a.unknown[:1000].tolist():
                tag = int(self.t.tag[attribute])
                game = int(self.game_of_file[self.t.file[tag]])
                name = _TAGS[kind - 1].decode()
                defect = f"attribute of {name} that is not known"
                if game >= 0 and defect not in defects[game]:
                    defects[game].append(defect)
        return Games(
            game=self.game_id[files],
            path=[self.paths[f] for f in files],
            source_id=[i[0] if i else None for i in ids],
            players=np.where(self.three[files], 3, 4).astype(np.int8),
            is_south=(flags & words.SOUTH) > 0,
            ruleset=[words.ruleset(f) for f in two],
            flags=flags,
            room=[words.room(f) for f in two],
            lobby=self.lobby[files],
            start_time=np.array([_hour(i[1]) if i else "NaT" for i in ids], "datetime64[s]"),
            defects=defects,
            names=names,
            grade=grade,
            rating=rating,
            final_points=points,
            result=result,
            chips=chips,
        )

    def _players(self) -> tuple[list[str], np.ndarray, np.ndarray, list[list[str]]]:
        files, un = self.game_files, self.attributes[_UN]
        n = len(files)
        defects: list[list[str]] = [[] for _ in range(n)]
        names: list[str] = []
        grade = np.full((n, 4), -1, np.int16)
        rating = np.full((n, 4), np.nan, np.float32)
        raw = [un.text(key) for key in _NAMES]
        dan, rate = un.text(b"dan"), un.text(b"rate")
        known: dict[bytes | None, str] = {None: ""}
        for game, row in enumerate(self.un_row[files].tolist()):
            if row < 0:
                names += [""] * 4
                defects[game].append("names are missing")
                continue
            for column in raw:
                text = column[row]
                if text not in known:
                    known[text] = _name(text)
                names.append(known[text])
            try:
                if dan[row] is not None:
                    grade[game] = [int(x) for x in dan[row].split(b",")]
                if rate[row] is not None:
                    rating[game] = [float(x) for x in rate[row].split(b",")]
            except (ValueError, OverflowError):
                defects[game].append("grades or ratings that are not four numbers")
        return names, grade, rating, defects

    def _rounds(self, kept: np.ndarray, red: np.ndarray) -> tuple[Rounds, np.ndarray]:
        rows = np.flatnonzero(kept)
        seed, hands = self.seed[rows], self.hands[rows]
        tiles = _TILE[red[rows][:, None, None], np.maximum(hands, 0)]
        tiles[hands < 0] = NO_TILE
        tiles.sort(axis=2)
        last = self.last_result[rows]
        points_after = np.zeros((len(rows), 4), np.int32)
        for part in (self.win, self.draw):
            place = np.searchsorted(part["tag"], last)
            place = np.minimum(place, max(len(part["tag"]) - 1, 0))
            here = part["tag"][place] == last if len(part["tag"]) else np.zeros(len(rows), bool)
            points_after[here] = (part["before"] + part["change"])[place[here]] * 100
        return (
            Rounds(
                game=self.game_of_file[self.round_file[rows]],
                wind=(seed[:, 0] // 4).astype(np.int8),
                dealer=self.oya[rows].astype(np.int8),
                honba=seed[:, 1].astype(np.int16),
                sticks=seed[:, 2].astype(np.int16),
                points=self.ten[rows] * 100,
                hands=tiles,
                dora=_TILE[red[rows], seed[:, 5]],
                points_after=points_after,
            ),
            hands,
        )

    def _actions(self, kept: np.ndarray, red: np.ndarray) -> tuple[Actions, np.ndarray]:
        a = self.attributes[_N]
        tags = np.flatnonzero((self.action >= 0) & np.append(kept, False)[self.round])
        round_ = self.round[tags]
        kind, seat, physical = self.action[tags], self.seat[tags], self.tile[tags]
        has_tile = physical >= 0
        number = np.maximum(physical, 0)
        tile = _TILE[1][number] if red.all() else _TILE[red[round_], number]
        tile[~has_tile] = NO_TILE
        copy = (number & 3).astype(np.uint8)
        copy[~has_tile] = NO_TILE
        ankan = kind == KIND["ankan"]
        tile[ankan] = number[ankan] // 4
        copy[ankan] = NO_TILE
        column = np.full((3, len(tags)), -1, np.int16)
        place = np.searchsorted(tags, a.tags)
        here = np.flatnonzero(tags[np.minimum(place, len(tags) - 1)] == a.tags) if len(tags) else place[:0]
        place = place[here]
        set_ = self.melds.kind[here] != KIND["kita"]
        column[0, place] = self.from_seat[here]
        column[1, place] = np.where(set_, self.melds.low[here], NO_TILE)
        column[2, place] = np.where(set_, self.melds.red[here] * red[self.round[a.tags[here]]], -1)
        turn = np.flatnonzero(kind <= KIND["kita"])
        turn_kind = kind[turn]
        drawn = turn_kind[:-1] == KIND["draw"]
        same = (physical[turn[1:]] == physical[turn[:-1]]) & (seat[turn[1:]] == seat[turn[:-1]])
        same &= round_[turn[1:]] == round_[turn[:-1]]
        tsumogiri = np.full(len(tags), -1, np.int8)
        tsumogiri[turn[turn_kind == KIND["discard"]]] = 0
        tsumogiri[turn[1:][(turn_kind[1:] == KIND["discard"]) & drawn & same]] = 1
        return (
            Actions(
                round=self.new_round[round_],
                kind=kind,
                seat=seat,
                tile=tile,
                copy=copy,
                from_seat=column[0].astype(np.int8),
                meld_kind=column[1].astype(np.uint8),
                meld_red=column[2].astype(np.int8),
                is_tsumogiri=tsumogiri,
            ),
            physical,
        )

    def _wins(self, kept: np.ndarray, red: np.ndarray) -> tuple[Wins, list[str], Lists]:
        w = self.win
        mine = np.append(kept, False)[w["round"]]
        rows = np.flatnonzero(mine)
        is_red = red[w["round"][rows]]

        def chosen(lists: tuple[np.ndarray, np.ndarray]) -> tuple[np.ndarray, np.ndarray]:
            return lists[0][rows], lists[1][np.repeat(mine, lists[0])]

        def tiles(lists: tuple[np.ndarray, np.ndarray]) -> Lists:
            lengths, values = chosen(lists)
            return Lists.of_lengths(lengths, _TILE[np.repeat(is_red, lengths), values])

        lengths, values = chosen(self.win_hai)
        short = lengths % 3 == 1  # a few edited logs leave the winning tile out
        row = np.concatenate([np.repeat(np.arange(len(rows)), lengths), np.flatnonzero(short)])
        tile = _TILE[is_red[row], np.concatenate([values, w["machi"][rows][short]])]
        key = np.sort(row * 64 + tile)
        concealed = Lists.of_lengths(lengths + short, (key & 63).astype(np.uint8))

        y_lengths, y = chosen(self.win_yaku)
        m_lengths, m = chosen(self.win_yakuman)
        pairs = y_lengths // 2
        number = np.concatenate([y[0::2], m])
        han = np.concatenate([y[1::2], np.full(len(m), -1)])
        row = np.concatenate([np.repeat(np.arange(len(rows)), n) for n in (pairs, m_lengths)])
        order = np.argsort(row, kind="stable")
        distinct, index = np.unique(number[order], return_inverse=True)
        total = np.bincount(row, np.maximum(han, 0), minlength=len(rows))
        u_lengths, u = chosen(self.win_ura)
        who, from_ = w["who"][rows], w["from"][rows]
        return (
            Wins(
                round=self.new_round[w["round"][rows]],
                winner=who.astype(np.int8),
                loser=np.where(who == from_, -1, from_).astype(np.int8),
                concealed=concealed,
                win_tile=_TILE[is_red, w["machi"][rows]],
                dora=tiles(self.win_dora),
                ura=tiles(self.win_ura),
                fu=w["ten"][rows, 0].astype(np.int16),
                han=np.where(m_lengths > 0, -1, total).astype(np.int16),
                limit=w["ten"][rows, 2].astype(np.int8),
                points=w["ten"][rows, 1],
                liable=w["pao"][rows].astype(np.int8),
                honba=w["ba"][rows, 0].astype(np.int16),
                sticks=w["ba"][rows, 1].astype(np.int16),
                delta=w["change"][rows] * 100,
                yaku=Lists.of_lengths(pairs + m_lengths, index.astype(np.int16)),
                yaku_han=han[order].astype(np.int8),
            ),
            words.yaku_names(distinct),
            Lists.of_lengths(u_lengths, u),
        )

    def _draws(self, kept: np.ndarray) -> Draws:
        d = self.draw
        rows = np.flatnonzero(np.append(kept, False)[d["round"]])
        kind, shown, change = d["kind"][rows], d["shown"][rows], d["change"][rows]
        is_kind = {name: (kind == code)[:, None] for code, name in enumerate(DRAW_KINDS)}
        tenpai = np.full(shown.shape, -1, np.int8)
        np.copyto(tenpai, shown, where=is_kind["exhaustive"] | is_kind["nagashi_mangan"] | is_kind["suucha_riichi"])
        np.copyto(tenpai, 1, where=is_kind["sanchahou"] & shown)
        tenpai[self.round_three[d["round"][rows]], 3] = -1
        return Draws(
            round=self.new_round[d["round"][rows]],
            kind=kind,
            is_tenpai=tenpai,
            is_nagashi=is_kind["nagashi_mangan"] & (change > 0),
            delta=change * 100,
        )


def _hour(digits: str) -> str:
    text = f"{digits[:4]}-{digits[4:6]}-{digits[6:8]}T{digits[8:]}"
    try:
        return str(np.datetime64(text, "s"))
    except ValueError:
        return "NaT"


def _name(text: bytes) -> str:
    name = unquote_to_bytes(text).decode("utf-8", "replace")
    return unescape(name, {"&quot;": '"', "&apos;": "'"}) if "&" in name else name
