"""Whether the recorded play can be: the last check before a round is kept.

Every physical tile has at most one owner in a round, the seat that was dealt it or drew it, and leaves the hand at
most once, later: as a discard, in a meld, added to one or set aside. So nobody gets a tile twice, plays one that is not
theirs, not yet theirs or gone, calls another than the last discard, adds to a triplet that is not there, or wins on a
tile that the named seat did not have; and a winning hand has fourteen tiles, held by the winner. A flipped digit shows
here. A round recorded without any play is kept for its result, and is a defect of the game.
"""

from __future__ import annotations

import numpy as np

from ..events import KIND
from .log import Log
from .words import Tag

_SETS = np.zeros(len(KIND) + 1, bool)  # a new meld in the caller's hand
_SETS[[KIND[word] for word in ("chi", "pon", "daiminkan", "ankan")]] = True
_OWN = np.zeros(len(KIND) + 1, bool)  # one tile played from the hand
_OWN[[KIND[word] for word in ("discard", "kakan", "kita")]] = True
_NEVER = np.int32(2**31 - 1)
_OFFERS = np.zeros(len(KIND) + 1, bool)  # what others may win on
_OFFERS[[KIND[word] for word in ("discard", "kakan", "ankan", "kita")]] = True


def check_play(log: Log, kept: np.ndarray, tags: np.ndarray) -> None:
    """Flag what cannot be among `tags`, the actions of the rounds that are kept so far."""
    play = _Play(log, kept, tags)
    play.check_calls()
    play.check_leaving()
    play.check_wins()


class _Play:
    """The actions that are looked at as columns; `got`: when and by whom each tile of each round was got.

    A moment and a seat are one number, 4 * tag + seat; those of the actions are `by`. Tiles stand at `place`,
    136 * round + tile.
    """

    def __init__(self, log: Log, kept: np.ndarray, tags: np.ndarray):
        self.log, self.flag, self.kept, self.tags = log, log.t.flag, kept, tags
        self.round, self.action, self.seat = log.round[tags], log.action[tags], log.seat[tags]
        self.place = self.round * 136
        self.place += log.tile[tags]
        self.by = tags.astype(np.int32)
        self.by *= 4
        self.by += self.seat
        self.turns = np.flatnonzero(self.action <= KIND["kita"])
        self.draws = np.flatnonzero(self.action == KIND["draw"])
        self.got = self._got()
        calls = log.attributes[Tag.N].tags
        self.rows = np.flatnonzero(np.append(kept, False)[log.round[calls]])  # of the melds that are looked at
        self.calls = calls[self.rows]

    def _got(self) -> np.ndarray:
        log, draws = self.log, self.draws
        got = np.full(log.n_rounds * 136, _NEVER)
        rounds = np.flatnonzero(self.kept)
        hands = log.hands[rounds]
        present = hands >= 0
        dealt = (rounds[:, None, None] * 136 + hands)[present]
        by = (4 * log.init[rounds][:, None, None] + np.arange(4)[:, None]).astype(np.int32)
        got[dealt] = np.broadcast_to(by, hands.shape)[present]
        drawn = self.place[draws]
        got[drawn] = self.by[draws]
        if np.count_nonzero(got != _NEVER) != len(dealt) + len(drawn):
            times = np.bincount(dealt, minlength=len(got))
            self.flag(log.init[np.unique(np.flatnonzero(times > 1) // 136)], "a tile dealt twice")
            times += np.bincount(drawn, minlength=len(got))
            self.flag(self.tags[draws[times[drawn] > 1]], "a tile drawn that was dealt or drawn before")
        return got

    def _is_held(self, place: np.ndarray, by: np.ndarray) -> np.ndarray:
        """Whether the seat got the tile before."""
        got = self.got[place]
        return (got < by) & ((got ^ by) & 3 == 0)

    def _last_turn(self, tags: np.ndarray) -> np.ndarray:
        """The last draw, discard or call before each tag; one behind it where there is none."""
        return self.turns[np.searchsorted(self.tags[self.turns], tags) - 1]

    def check_calls(self) -> None:
        """Flag calls of another tile than the last discard, and kans added to nothing."""
        log, melds, calls = self.log, self.log.melds, self.calls
        kind, round_ = melds.kind[self.rows], log.round[calls]
        is_pon, is_added = kind == KIND["pon"], kind == KIND["kakan"]
        is_fed = (melds.relative[self.rows] >= 0) & ~is_added
        fed, last = calls[is_fed], self._last_turn(calls[is_fed])
        called = round_[is_fed] * 136 + melds.tile[self.rows][is_fed]
        is_offered = (self.action[last] == KIND["discard"]) & (self.place[last] == called) & (self.tags[last] < fed)
        is_offered &= self.seat[last] == log.from_seat[self.rows][is_fed]
        self.flag(fed[~is_offered], "a call of a tile that seat did not just discard")
        triplet = (round_ * 4 + log.seat[calls]) * 34 + melds.low[self.rows]
        since = dict(zip(triplet[is_pon].tolist(), calls[is_pon].tolist(), strict=True))
        added = zip(triplet[is_added].tolist(), calls[is_added].tolist(), strict=True)
        self.flag([call for of, call in added if since.get(of, call) >= call], "a kan added to no triplet of the seat")

    def check_leaving(self) -> None:
        """Flag tiles that leave a hand they are not in, or no longer; what has left is `is_gone`."""
        own = self.log.melds.own[self.rows]
        played = np.flatnonzero(_OWN[self.action])
        place, by = self.place[played], self.by[played]
        stolen = played[~self._is_held(place, by)]
        self.flag(self.tags[stolen], "a tile discarded, added or set aside that the seat does not hold")
        row, column = np.nonzero(own >= 0)
        call = self.calls[row]
        laid, laid_by = self.log.round[call] * 136 + own[row, column], 4 * call + self.log.seat[call]
        self.flag(np.unique(call[~self._is_held(laid, laid_by)]), "a meld of tiles that the seat does not hold")
        left, by = np.concatenate([place, laid]), np.concatenate([by, laid_by])
        self.is_gone = np.zeros(len(self.got), bool)
        self.is_gone[left] = True
        if np.count_nonzero(self.is_gone) != len(left):
            self.flag(np.unique(by[np.bincount(left)[left] > 1] // 4), "a tile that leaves the hand twice")

    def check_wins(self) -> None:
        """Flag wins on a tile that was not just offered or drawn, or with tiles that the winner does not hold."""
        log, win = self.log, self.log.win
        n_draws = np.bincount(self.round[self.draws], minlength=log.n_rounds)
        self.flag(log.last_result[n_draws > np.where(log.round_three, 55, 70)], "more draws than the wall has tiles")
        wins = np.flatnonzero(win.round >= 0)
        wins = wins[self.kept[win.round[wins]]]
        shown = wins[n_draws[win.round[wins]] > 0]  # a round recorded without its play says its result alone

        last, machi = self._last_turn(win.tag[shown]), win.machi[shown]
        action, tile = self.action[last], log.tile[self.tags[last]]
        is_kan = action == KIND["ankan"]  # any of its four tiles stands for it
        is_it = np.where(is_kan, tile // 4 == machi // 4, tile == machi)
        is_tsumo = win.who[shown] == win.from_who[shown]
        is_it &= np.where(is_tsumo, action == KIND["draw"], _OFFERS[action])
        is_it &= (self.round[last] == win.round[shown]) & (self.seat[last] == win.from_who[shown])
        self.flag(win.tag[shown[~is_it]], "a winning tile that the seat it came from did not just draw, discard or add")

        sets = np.flatnonzero(_SETS[self.action])
        n_melds = np.bincount(self.round[sets] * 4 + self.seat[sets], minlength=log.n_rounds * 4 + 4)
        row = win.hai.rows()
        is_winning = win.hai.values == win.machi[row]
        has = np.zeros(len(win.tag), bool)
        has[row[is_winning]] = True
        # A few edited logs leave the winning tile out of the hand.
        size = win.hai.lengths + ~has + 3 * n_melds[np.where(win.round >= 0, win.round * 4 + win.who, 0)]
        self.flag(win.tag[wins[size[wins] != 14]], "a winning hand that is not of 14 tiles with the winning one")
        is_looked_at = np.zeros(len(win.tag), bool)
        is_looked_at[shown] = True
        held = np.flatnonzero(is_looked_at[row] & ~is_winning)
        of = row[held]
        place, by = win.round[of] * 136 + win.hai.values[held], 4 * win.tag[of] + win.who[of]
        is_own = self._is_held(place, by) & ~self.is_gone[place]
        self.flag(np.unique(win.tag[of[~is_own]]), "a winning hand with a tile that the seat does not hold")
