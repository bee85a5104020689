"""How wins spread over han, fu, limits and points."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from ..corpus import Source
from ..rescoring import RECORDED, Rules
from ..scoring.limits import LIMIT_NAMES, MANGAN
from ..scoring.ruleset import Ruleset
from .columns import WinView
from .intervals import LEVEL
from .result import MEAN, Result, Statistic, result_frame
from .sums import Counted, Counts, Task, count, task_of

if TYPE_CHECKING:
    import pandas as pd
    from matplotlib.figure import Figure

SPLITS = ("is_dealer", "is_open", "is_riichi", "is_tsumo")
"""Splits that `HanDistribution.splits` always has."""
MANY_HAN, MANY_FU, LOW_HAN = 13, 120, 4
FU = (20, 25, *range(30, MANY_FU + 1, 10))
BANDS = (*LIMIT_NAMES, "double_yakuman", "triple_yakuman")
_BAND_LABELS = {
    "none": "Below mangan",
    "mangan": "Mangan 満貫",
    "haneman": "Haneman 跳満",
    "baiman": "Baiman 倍満",
    "sanbaiman": "Sanbaiman 三倍満",
    "counted_yakuman": "Counted yakuman 数え役満",
    "yakuman": "Yakuman 役満",
    "double_yakuman": "Double yakuman ダブル役満",
    "triple_yakuman": "Triple yakuman or more",
}
THRESHOLDS = (3900, 7700, 11600)
_SHARES = {
    "dealer": "By the dealer 親",
    "tsumo": "By self-draw ツモ",
    "riichi": "In riichi 立直",
    "open": "Open 副露",
    "dama": "Closed, no riichi ダマ",
}
_WINS, _LOW = range(2)
_POINT = 100
"""Points are whole hundreds, and counted in these."""

DEFINITIONS = {
    "han": "Han of the best reading, dora included. 13+ are thirteen han and more of ordinary yaku; a yakuman has no "
    "han.",
    "fu": f"Fu of hands of at most {LOW_HAN} han, no yakuman among them: those whose points depend on fu. A hand of "
    f"three or four han that its fu make a mangan is one of them.",
    "limit": "Limits by what is paid: a hand rounded up to mangan, or one a yaku makes worth a limit, is in that band. "
    "A counted yakuman is one of thirteen han; a double yakuman is two yakuman units.",
    "points": "Points of the hand without honba and sticks; of a self-draw, the sum of its payments.",
    "share": "Riichi includes double riichi; open is with a chi, pon or open kan; dama is closed without riichi.",
    "N": "A double ron is two wins.",
}


class HanMeasure:
    """Han, fu, limit and points of each win."""

    besides = ()

    @cached_property
    def statistics(self) -> list[Statistic]:
        """What is counted, in order."""
        wins, low = "share of wins", f"share of wins of at most {LOW_HAN} han"
        found = [Statistic("han", str(han), f"{han} han", wins) for han in range(1, MANY_HAN)]
        found.append(Statistic("han", f"{MANY_HAN}+", f"{MANY_HAN} han and more", wins))
        found.append(Statistic("han", "yakuman", "Yakuman 役満", wins))
        found += [Statistic("fu", str(fu), f"{fu} fu", low) for fu in FU[:-1]]
        found.append(Statistic("fu", f"{MANY_FU}+", f"{MANY_FU} fu and more", low))
        found += [Statistic("limit", band, _BAND_LABELS[band], wins) for band in BANDS]
        found.append(Statistic("at_least", "mangan", "Mangan or more 満貫以上", wins))
        found += [Statistic("points", f"at_least_{p}", f"{p:,} points or more", wins) for p in THRESHOLDS]
        found += [Statistic("share", key, label, wins) for key, label in _SHARES.items()]
        found.append(Statistic("mean", "points", "Mean points 平均打点", "points per win", MEAN, _POINT))
        return found

    @cached_property
    def over(self) -> np.ndarray:
        return np.array([_LOW if s.kind == "fu" else _WINS for s in self.statistics])

    def count(self, view: WinView) -> Counts:
        rescored, hands = view.rescored, view.rescored.hands
        is_yakuman = rescored.units > 0
        han = np.where(is_yakuman, MANY_HAN + 1, np.minimum(rescored.han, MANY_HAN))
        is_low = (rescored.han <= LOW_HAN) & ~is_yakuman
        fu = np.minimum(rescored.fu, MANY_FU) * is_low
        band = rescored.limit + np.clip(rescored.units - 1, 0, len(BANDS) - len(LIMIT_NAMES))
        is_riichi = view.column("is_riichi").to_numpy(zero_copy_only=False)
        shares = {
            "dealer": hands.is_dealer,
            "tsumo": hands.is_tsumo,
            "riichi": is_riichi,
            "open": ~hands.is_closed,
            "dama": hands.is_closed & ~is_riichi,
        }
        values = [
            han[:, None] == np.arange(1, MANY_HAN + 2),
            fu[:, None] == np.array(FU),
            band[:, None] == np.arange(len(BANDS)),
            rescored.limit[:, None] >= MANGAN,
            rescored.points[:, None] >= np.array(THRESHOLDS),
            np.column_stack([shares[key] for key in _SHARES]),
            rescored.points[:, None] // _POINT,
        ]
        return Counts(
            values=np.concatenate(values, axis=1).astype(np.int32),
            over=np.column_stack([np.ones(len(view), np.int32), is_low]).astype(np.int32),
            besides=np.zeros((len(view), 0, len(self.statistics)), np.int32),
        )

    def plays(self, rules: Ruleset) -> np.ndarray:
        return np.ones(len(self.statistics), bool)

    def __reduce__(self):
        return HanMeasure, ()


@dataclass(frozen=True)
class HanDistribution(Result):
    """How wins spread over han, fu, limits and points.

    The columns of `table()` are the values the wins are split by, then those of `described.HAN`.

    Attributes
    ----------
    split_frame : pandas.DataFrame
        See `splits`.
    """

    split_frame: pd.DataFrame | None = None

    def splits(self) -> pd.DataFrame:
        """The same statistics by dealer, open, riichi and self-draw, one after the other.

        Before the columns of `table()` stand `split`, the column split by, and `value`, true or false.
        """
        return self.split_frame.copy()

    def plot(self) -> Figure:
        """Histograms of han and fu, and limits by group."""
        from ..reports.han import draw  # the one step up, for notebooks

        return draw(self)


def han_tasks(by: str | Iterable[str] | None) -> list[tuple[HanMeasure, str | Iterable[str] | None]]:
    """What `distribution_of` needs counted, in its order."""
    measure = HanMeasure()
    return [(measure, by), *((measure, split) for split in SPLITS)]


def han_distribution(
    source: Source,
    rules: Rules = RECORDED,
    where: str | None = None,
    by: str | Iterable[str] | None = None,
    *,
    level: float = LEVEL,
    workers: int = 1,
) -> HanDistribution:
    """How wins spread over han, fu, limits and points; parameters and errors as of `yaku_frequency`."""
    task = task_of(han_tasks(by), rules, where)
    return distribution_of(count(source, task, workers=workers), task, level=level)


def distribution_of(counted: Counted, task: Task, position: int = 0, *, level: float = LEVEL) -> HanDistribution:
    """The result of counts already made, those of `han_tasks` from `position` on."""
    import pandas as pd

    sums = counted.sums[position]
    frame, published = result_frame(sums, sums.measure.statistics, task, {}, level=level)
    blocks = []
    for split, its in zip(SPLITS, counted.sums[position + 1 :], strict=False):
        block, _ = result_frame(its, its.measure.statistics, task, {}, level=level)
        block.insert(0, "split", split)
        blocks.append(block.rename(columns={split: "value"}))
    return HanDistribution(
        frame=frame,
        card=counted.card,
        rulesets=task.applied(counted.card),
        by=tuple(split.name for split in sums.by),
        where=task.where.text if task.where else None,
        level=level,
        definitions=DEFINITIONS,
        notes=task.notes(counted.card),
        published=published,
        split_frame=pd.concat(blocks, ignore_index=True),
    )
