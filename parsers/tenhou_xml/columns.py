"""The rounds that are kept → event columns, in the vocabulary of all sources."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from urllib.parse import unquote_to_bytes
from xml.sax.saxutils import unescape

import numpy as np

from ..errors import LogError
from ..events import KIND, NO_POINTS, NO_TILE, Actions, Batch, Draws, Games, Lists, Reject, Rounds, Wins
from ..schema import DRAW_KINDS
from . import words
from .log import Log, prepared
from .possible import check_play
from .tokens import NumberLists
from .words import NAMES, Tag

_ID = re.compile(r"(\d{10})gm-[0-9a-f]{4}-\d{4,6}-[0-9a-z]{8}")
_DECIMALS = re.compile(rb"[+-]?[0-9]{1,7}(?:\.[0-9]{1,9})?(?:,[+-]?[0-9]{1,7}(?:\.[0-9]{1,9})?)*")
_TAG = re.compile(rb"<[^\s<>/]{0,20}")
_SHOWS_HANDS = np.array([kind in ("exhaustive", "nagashi_mangan", "suucha_riichi") for kind in DRAW_KINDS])

TILE = np.empty((2, 136), np.uint8)  # of a physical tile: without red fives, with them
TILE[:] = np.arange(136) // 4
TILE[1, [16, 52, 88]] = 34, 35, 36


@dataclass(slots=True)
class Decoded:
    """A batch, and what only this source knows of it."""

    batch: Batch
    seed: list[bytes | None]  # of the walls, per game; empty if not asked for
    hands: np.ndarray  # int16 (rounds, 4, 13): physical tiles as dealt
    tile: np.ndarray  # int16: physical tile per action, -1
    dora: np.ndarray  # int32: first indicator per round, physical
    ura: Lists  # physical ura indicators per win


def decode(logs: Sequence[tuple[str, bytes]], *, seeds: bool = False) -> Decoded:
    """The event columns of some logs, in their order; broken ones in `rejects`. Seeds only if asked for."""
    rejects: list[tuple[int, Reject]] = []
    numbers, files = [], []
    for number, (path, data) in enumerate(logs):
        try:
            files.append(prepared(data))
        except LogError as error:
            rejects.append((number, Reject(LogError(error.reason, path=path))))
        else:
            numbers.append(number)
    kept = _Kept(Log(files), [logs[number] for number in numbers])
    rejects += [(numbers[file], reject) for file, reject in kept.rejects()]
    rejects.sort(key=lambda entry: entry[0])
    return kept.decoded([reject for _, reject in rejects], seeds=seeds)


class _Kept:
    """What is kept of a batch: `kept` per round, `files` with a kept round, `tags` of their actions."""

    def __init__(self, log: Log, originals: Sequence[tuple[str, bytes]]):
        self.log = log
        self.paths = [path for path, _ in originals]
        self._select(log.kept_rounds())
        n_flags = len(log.t.flags)
        check_play(log, self.kept, self.tags)
        if len(log.t.flags) > n_flags:
            self._select(log.kept_rounds())
            n_flags = len(log.t.flags)
        self.owari = self._read_owari()
        if len(log.t.flags) > n_flags:
            self._select(log.kept_rounds())
        self.n_kept = np.bincount(log.round_file[self.kept], minlength=log.n_files)
        self.files = np.flatnonzero(self.n_kept)
        self.game_of_file = np.full(log.n_files, -1)
        self.game_of_file[self.files] = np.arange(len(self.files))
        digests = b"".join(hashlib.sha256(data).digest()[:8] for _, data in originals)
        self.game_id = np.frombuffer(digests, ">i8").astype(np.int64)
        self.new_round = np.append(np.cumsum(self.kept) - 1, -1)
        self.red = log.red[log.round_file]

    def _select(self, kept: np.ndarray) -> None:
        log = self.log
        self.kept = kept
        if kept.all() and log.n_rounds:
            self.tags = np.flatnonzero(log.action >= 0)
        else:
            self.tags = np.flatnonzero((log.action >= 0) & np.append(kept, False)[log.round])

    def _rows(self, round_: np.ndarray) -> np.ndarray:
        """Boolean: which of these rounds are kept; -1 is not."""
        return np.append(self.kept, False)[round_]

    def _read_owari(self) -> dict[int, list[float]]:
        """Points, results and chips at the end, by file; of those whose last result says them."""
        log, kept = self.log, self.kept
        last = np.full(log.n_files, -1)
        last[log.round_file[kept]] = log.last_result[kept]
        found: dict[int, list[float]] = {}
        for kind in (Tag.AGARI, Tag.RYUUKYOKU):
            a = log.attributes[kind]
            file = log.t.file(a.tags)
            rows = np.flatnonzero(a.has(b"owari") & (last[file] == a.tags))
            for row, text in zip(rows.tolist(), a.text(b"owari", rows), strict=True):
                values = _decimals(text)
                if len(values) in (8, 16):
                    found[int(file[row])] = values
                else:
                    log.t.flag(a.tags[[row]], "attribute owari must hold 8 or 16 numbers")
        return found

    def rejects(self) -> list[tuple[int, Reject]]:
        """What is not kept, one entry per file."""
        log = self.log
        ended = np.zeros(log.n_files, bool)
        ended[list(self.owari)] = True
        unread = (self.n_kept == 0) | ~(log.is_closed | ended)
        unread[list(log.error)] = True
        return [(file, self._reject(file)) for file in np.flatnonzero(unread).tolist()]

    def _reject(self, file: int) -> Reject:
        log, t = self.log, self.log.t
        kept = int(self.n_kept[file])
        round_no, event, byte = kept if kept else None, None, None
        reason = log.error.get(file)
        if reason is None:
            reason = "no round in this log" if log.is_closed[file] else "the log is cut off: no </mjloggm>"
        else:
            tag = int(log.error_tag[file])
            start = int(t.at[tag])
            byte = start - int(t.file_start[file])
            round_ = int(log.round[tag])
            if round_ >= 0:
                in_file = round_ - int(np.searchsorted(log.round_file, file))
                if in_file >= kept:
                    round_no, event = in_file, tag - int(log.init[round_])
            name = _TAG.match(t.data, start, start + 22)
            reason = reason.replace("{tag}", f"{name[0].decode('utf-8', 'replace')}>" if name else "<")
        game = int(self.game_id[file]) if kept else None
        return Reject(LogError(reason, path=self.paths[file], round_no=round_no, event=event), byte, game)

    def decoded(self, rejects: list[Reject], *, seeds: bool) -> Decoded:
        log = self.log
        wins, yaku_names, ura = self._wins()
        rounds, actions = self._rounds(), self._actions()
        batch = Batch("tenhou_xml", self._games(), rounds, actions, wins, self._draws(), yaku_names, rejects)
        texts = [*log.attributes[Tag.SHUFFLE].text(b"seed"), None] if seeds else []
        return Decoded(
            batch=batch,
            seed=[texts[row] for row in log.shuffle_row[self.files].tolist()] if seeds else [],
            hands=log.hands[self.kept],
            tile=log.tile[self.tags],
            dora=log.seed[self.kept, 5],
            ura=ura,
        )

    def _games(self) -> Games:
        log, files = self.log, self.files
        n = len(files)
        flags = log.flags[files]
        kinds = {int(f): (words.ruleset(int(f)), words.room(int(f))) for f in np.unique(flags)}
        paths = [self.paths[file] for file in files.tolist()]
        ids = [_source_id(path) for path in paths]
        points, chips = np.full((n, 4), NO_POINTS), np.full((n, 4), NO_POINTS)
        result = np.full((n, 4), np.nan, np.float32)
        owari = [(game, self.owari[file]) for game, file in enumerate(files.tolist()) if file in self.owari]
        if owari:
            games = [game for game, _ in owari]
            values = np.array([end[:8] for _, end in owari])
            points[games], result[games] = np.rint(values[:, 0::2] * 100), values[:, 1::2]
            for game, end in owari:
                if len(end) == 16:
                    chips[game] = np.rint(end[8::2])
        names, grade, rating, defects = self._players()
        self._note_defects(defects)
        return Games(
            game=self.game_id[files],
            path=paths,
            source_id=[source_id for source_id, _ in ids],
            players=np.where(log.three[files], 3, 4).astype(np.int8),
            is_south=(flags & words.SOUTH) > 0,
            ruleset=[kinds[f][0] for f in flags.tolist()],
            flags=flags,
            room=[kinds[f][1] for f in flags.tolist()],
            lobby=log.lobby[files],
            start_time=np.array([start for _, start in ids], "datetime64[s]"),
            defects=defects,
            names=names,
            grade=grade,
            rating=rating,
            final_points=points,
            result=result,
            chips=chips,
        )

    def _note_defects(self, defects: list[list[str]]) -> None:
        log = self.log
        for file in self.files[~log.is_closed[self.files]].tolist():
            defects[self.game_of_file[file]].append("the log is cut off")
        for file in np.setdiff1d(self.files, list(self.owari)).tolist():
            defects[self.game_of_file[file]].append("the end of the game is missing")
        for file in self.files[log.is_custom[self.files]].tolist():
            defects[self.game_of_file[file]].append("rules of its own (csrule), not read")
        for kind, a in log.attributes.items():
            file = log.t.file(log.t.rare[log.t.rare_of_attribute[a.unknown]])
            for game in np.unique(self.game_of_file[file]).tolist():
                if game >= 0:
                    defects[game].append(f"an attribute of {kind.name} that is not known")

    def _players(self) -> tuple[list[str], np.ndarray, np.ndarray, list[list[str]]]:
        un, rows = self.log.attributes[Tag.UN], self.log.un_row[self.files]
        n = len(rows)
        defects: list[list[str]] = [[] for _ in range(n)]
        has = np.flatnonzero(rows >= 0)
        for game in np.flatnonzero(rows < 0).tolist():
            defects[game].append("names are missing")
        texts: list[bytes | None] = [None] * (4 * n)
        for seat, key in enumerate(NAMES):
            column = un.text(key, rows[has])
            for game, text in zip(has.tolist(), column, strict=True):
                texts[4 * game + seat] = text
        known = {text: _name(text) if text else "" for text in set(texts)}

        def numbers(key: bytes, what: str) -> np.ndarray:
            column = np.full((n, 4), np.nan)
            for game, text in zip(has.tolist(), un.text(key, rows[has]), strict=True):
                values = _decimals(text or b"")
                if len(values) == 4:
                    column[game] = values
                elif text is not None:
                    defects[game].append(f"{what} that are not four numbers")
            return column

        grade, rating = numbers(b"dan", "grades"), numbers(b"rate", "ratings").astype(np.float32)
        grade = np.where(np.abs(grade) < 1000, grade, -1).astype(np.int16)
        return [known[text] for text in texts], grade, rating, defects

    def _rounds(self) -> Rounds:
        log = self.log
        rows = np.flatnonzero(self.kept)
        seed, hands, red = log.seed[rows], log.hands[rows], self.red[rows]
        tiles = TILE[red[:, None, None], hands]
        tiles[hands < 0] = NO_TILE
        tiles.sort(axis=2)
        last = log.last_result[rows]
        points_after = np.zeros((len(rows), 4), np.int32)
        for part in (log.win, log.draw):
            here = np.flatnonzero(np.isin(last, part.tag))
            place = np.searchsorted(part.tag, last[here])
            points_after[here] = (part.before[place] + part.change[place]) * 100
        return Rounds(
            game=self.game_of_file[log.round_file[rows]],
            wind=(seed[:, 0] // 4).astype(np.int8),
            dealer=log.oya[rows],
            honba=seed[:, 1].astype(np.int16),
            sticks=seed[:, 2].astype(np.int16),
            points=log.ten[rows] * 100,
            hands=tiles,
            dora=TILE[red, seed[:, 5]],
            points_after=points_after,
        )

    def _actions(self) -> Actions:
        log, tags = self.log, self.tags
        round_ = log.round[tags]
        kind, seat, number = log.action[tags], log.seat[tags], log.tile[tags]
        tile = TILE[1][number] if self.red.all() else TILE[self.red[round_], number]
        copy = number.astype(np.uint8) & np.uint8(3)
        no_tile = np.flatnonzero(number < 0)
        tile[no_tile] = copy[no_tile] = NO_TILE
        ankan = np.flatnonzero(kind == KIND["ankan"])
        tile[ankan], copy[ankan] = number[ankan] // 4, NO_TILE

        from_seat, meld_red = np.full(len(tags), -1, np.int8), np.full(len(tags), -1, np.int8)
        meld_kind = np.full(len(tags), NO_TILE, np.uint8)
        calls = log.attributes[Tag.N].tags
        here = np.flatnonzero(self._rows(log.round[calls]))
        place = np.searchsorted(tags, calls[here])
        from_seat[place] = log.from_seat[here]
        is_set = log.melds.kind[here] != KIND["kita"]
        here, place = here[is_set], place[is_set]
        meld_kind[place] = log.melds.low[here]
        meld_red[place] = log.melds.red[here] * self.red[log.round[calls[here]]]

        # The tile just drawn: the draw is the last of the draws, discards and calls before the discard.
        turn = np.flatnonzero(kind <= KIND["kita"])
        turn_kind = kind[turn]
        tsumogiri = np.full(len(tags), -1, np.int8)
        is_discard = turn_kind == KIND["discard"]
        tsumogiri[turn[is_discard]] = 0
        same = is_discard[1:] & (turn_kind[:-1] == KIND["draw"])
        turn_tile = number[turn]
        same &= turn_tile[1:] == turn_tile[:-1]
        turn_round = round_[turn]
        same &= turn_round[1:] == turn_round[:-1]
        tsumogiri[turn[1:][same]] = 1
        return Actions(
            round=self.new_round[round_],
            kind=kind,
            seat=seat,
            tile=tile,
            copy=copy,
            from_seat=from_seat,
            meld_kind=meld_kind,
            meld_red=meld_red,
            is_tsumogiri=tsumogiri,
        )

    def _wins(self) -> tuple[Wins, list[str], Lists]:
        w = self.log.win
        mine = self._rows(w.round)
        rows = np.flatnonzero(mine)
        red = self.red[w.round[rows]]
        machi = w.machi[rows]

        def tiles(lists: NumberLists) -> Lists:
            lists = lists.take(mine)
            return Lists.of_lengths(lists.lengths, TILE[np.repeat(red, lists.lengths), lists.values])

        hai = w.hai.take(mine)
        short = np.flatnonzero(hai.lengths % 3 == 1)  # the few hands without their winning tile
        row = np.concatenate([hai.rows(), short])
        tile = TILE[red[row], np.concatenate([hai.values, machi[short]])]
        lengths = hai.lengths.copy()
        lengths[short] += 1
        order = np.sort(row * 64 + tile)

        yaku, yakuman, ura = w.yaku.take(mine), w.yakuman.take(mine), w.ura.take(mine)
        pairs = yaku.lengths // 2
        number = np.concatenate([yaku.values[0::2], yakuman.values])
        han = np.concatenate([yaku.values[1::2], np.full(len(yakuman.values), -1)])
        row = np.concatenate([np.repeat(np.arange(len(rows)), pairs), yakuman.rows()])
        total = np.bincount(row, np.maximum(han, 0), minlength=len(rows))
        by_win = np.argsort(row, kind="stable")
        numbers, index = np.unique(number[by_win], return_inverse=True)
        who, from_who = w.who[rows], w.from_who[rows]
        wins = Wins(
            round=self.new_round[w.round[rows]],
            winner=who,
            loser=np.where(who == from_who, np.int8(-1), from_who),
            concealed=Lists.of_lengths(lengths, (order & 63).astype(np.uint8)),
            win_tile=TILE[red, machi],
            dora=tiles(w.dora),
            ura=tiles(w.ura),
            fu=w.ten[rows, 0].astype(np.int16),
            han=np.where(yakuman.lengths > 0, -1, total).astype(np.int16),
            limit=w.ten[rows, 2].astype(np.int8),
            points=w.ten[rows, 1],
            liable=w.pao[rows],
            honba=w.ba[rows, 0].astype(np.int16),
            sticks=w.ba[rows, 1].astype(np.int16),
            delta=w.change[rows] * 100,
            yaku=Lists.of_lengths(pairs + yakuman.lengths, index.astype(np.int16)),
            yaku_han=han[by_win].astype(np.int8),
        )
        return wins, words.yaku_names(numbers), Lists.of_lengths(ura.lengths, ura.values)

    def _draws(self) -> Draws:
        d = self.log.draw
        rows = np.flatnonzero(self._rows(d.round))
        kind, shown, change = d.kind[rows], d.shown[rows], d.change[rows]
        tenpai = np.where(_SHOWS_HANDS[kind][:, None], shown, np.int8(-1)).astype(np.int8)
        sanchahou = kind == DRAW_KINDS.index("sanchahou")
        tenpai[sanchahou[:, None] & shown] = 1  # the three who called it; of the fourth nothing is known
        tenpai[self.log.round_three[d.round[rows]], 3] = -1
        nagashi = kind == DRAW_KINDS.index("nagashi_mangan")
        return Draws(
            round=self.new_round[d.round[rows]],
            kind=kind,
            is_tenpai=tenpai,
            is_nagashi=nagashi[:, None] & (change > 0),
            delta=change * 100,
        )


def _source_id(path: str) -> tuple[str | None, datetime | None]:
    """The id of a game and its start, from a file name such as 2022060100gm-00a9-0000-01481d95&tw=1.mjlog.

    >>> _source_id("logs/2022060100gm-00a9-0000-01481d95&tw=1.mjlog")
    ('2022060100gm-00a9-0000-01481d95', datetime.datetime(2022, 6, 1, 0, 0))
    """
    found = None
    for found in _ID.finditer(path):  # noqa: B007 - the last one is wanted
        pass
    if not found:
        return None, None
    digits = found[1]
    try:
        start = datetime(int(digits[:4]), int(digits[4:6]), int(digits[6:8]), int(digits[8:]))
    except ValueError:
        start = None
    return found[0], start


def _decimals(text: bytes) -> list[float]:
    """The numbers of a list; empty if one is none, or longer than any number of a log.

    >>> _decimals(b"250,-10.5"), _decimals(b"250,nan"), _decimals(b"2_50")
    ([250.0, -10.5], [], [])
    """
    return list(map(float, text.split(b","))) if _DECIMALS.fullmatch(text) else []


def _name(text: bytes) -> str:
    """A player's name: percent-encoded or plain UTF-8, perhaps with the entities XML itself knows.

    >>> _name(b"%E9%9B%80"), _name("雀".encode()), _name(b"A&amp;B")
    ('雀', '雀', 'A&B')
    """
    name = unquote_to_bytes(text).decode("utf-8", "replace")
    return unescape(name, {"&quot;": '"', "&apos;": "'"}) if "&" in name else name
