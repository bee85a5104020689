"""Whether the recorded play can be: the last check before a round is kept.

Every physical tile has at most one owner in a round, the seat that was dealt it or drew it. So nobody gets a
tile twice, discards one twice, discards, adds or sets aside one that is not theirs, or wins on or calls one that
the named seat did not have; and a winning hand has fourteen tiles. A flipped digit shows here. A round recorded
without any play is kept for its result, and is a defect of the game.
"""

from __future__ import annotations

import numpy as np

from ..events import KIND
from .log import Log
from .words import Tag

_SETS = np.zeros(len(KIND) + 1, bool)  # a new meld in the caller's hand
_SETS[[KIND[word] for word in ("chi", "pon", "daiminkan", "ankan")]] = True
_OWN = np.zeros(len(KIND) + 1, bool)  # played from the hand
_OWN[[KIND[word] for word in ("discard", "kakan", "kita")]] = True


def check_play(log: Log, kept: np.ndarray, tags: np.ndarray) -> None:
    """Flag what cannot be among `tags`, the actions of the rounds that are kept so far."""
    flag = log.t.flag
    round_ = log.round[tags]
    place = round_ * 136 + log.tile[tags]
    action, seat = log.action[tags], log.seat[tags]

    owner = np.full(log.n_rounds * 136, -1, np.int8)
    rounds = np.flatnonzero(kept)
    hands = log.hands[rounds]
    present = hands >= 0
    dealt = (rounds[:, None, None] * 136 + hands)[present]
    owner[dealt] = np.broadcast_to(np.arange(4, dtype=np.int8)[None, :, None], hands.shape)[present]
    drawn = np.flatnonzero(action == KIND["draw"])
    got = place[drawn]
    owner[got] = seat[drawn]
    if np.count_nonzero(owner >= 0) != len(dealt) + len(got):
        times = np.bincount(dealt, minlength=len(owner))
        flag(log.init[np.unique(np.flatnonzero(times > 1) // 136)], "a tile dealt twice")
        times += np.bincount(got, minlength=len(owner))
        flag(tags[drawn[times[got] > 1]], "a tile drawn that was dealt or drawn before")

    own = np.flatnonzero(_OWN[action])
    stolen = owner[place[own]] != seat[own]
    flag(tags[own[stolen]], "a tile discarded, added or set aside that the seat does not hold")
    discarded = np.flatnonzero(action == KIND["discard"])
    gone = place[discarded]
    was_discarded = np.zeros(len(owner), bool)
    was_discarded[gone] = True
    if np.count_nonzero(was_discarded) != len(gone):
        flag(tags[discarded[np.bincount(gone)[gone] > 1]], "a tile discarded twice")

    calls, win = log.attributes[Tag.N].tags, log.win
    call_round = log.round[calls]
    fed = np.flatnonzero((log.melds.relative >= 0) & (log.melds.kind != KIND["kakan"]) & (call_round >= 0))
    fed = fed[kept[call_round[fed]]]
    called = call_round[fed] * 136 + log.melds.tile[fed]
    wrong = (owner[called] != log.from_seat[fed]) | ~was_discarded[called]
    flag(calls[fed[wrong]], "a call of a tile that seat did not discard")

    n_draws = np.bincount(round_[drawn], minlength=log.n_rounds)
    flag(log.last_result[n_draws > np.where(log.round_three, 55, 70)], "more draws than the wall has tiles")

    chosen = np.flatnonzero(win.round >= 0)
    chosen = chosen[kept[win.round[chosen]]]
    in_round = win.round[chosen]
    from_other = owner[in_round * 136 + win.machi[chosen]] != win.from_who[chosen]
    from_other &= n_draws[in_round] > 0  # a round recorded without its play says its result alone
    flag(win.tag[chosen[from_other]], "a winning tile that the seat it came from did not have")
    sets = np.flatnonzero(_SETS[action])
    n_melds = np.bincount(round_[sets] * 4 + seat[sets], minlength=log.n_rounds * 4 + 4)
    row = win.hai.rows()
    has = np.zeros(len(win.tag), bool)
    has[row[win.hai.values == win.machi[row]]] = True
    # A few edited logs leave the winning tile out of the hand.
    size = win.hai.lengths + ~has + 3 * n_melds[np.where(win.round >= 0, win.round * 4 + win.who, 0)]
    flag(win.tag[chosen[size[chosen] != 14]], "a winning hand that is not of 14 tiles with the winning one")
