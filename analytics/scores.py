"""Scores as a frame: every win under the rulesets one names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from .rescoring import RECORDED, Rescored, rescore, yaku_ids
from .scoring.limits import limit_name
from .scoring.ruleset import Ruleset
from .scoring.score import STATUSES

if TYPE_CHECKING:
    import pandas as pd


def score_wins(
    tables: Mapping[str, pa.Table], rulesets: str | Ruleset | Iterable[str | Ruleset] = RECORDED
) -> pd.DataFrame:
    """Every win under each ruleset, one row a win and ruleset.

    Columns: `game`, `round_no`, `winner`, `ruleset`, `status` (`ok` or `no_yaku`), `yaku` (a list of ids, dora left
    out), `han` (dora included, 0 for a yakuman), `fu`, `limit` (None below mangan), `yakuman` (units), `points`
    (without honba and sticks) and `delta_0` to `delta_3` (with them).

    Parameters
    ----------
    tables : mapping of name to table
        As `read` or a part of a store gives them.
    rulesets
        `recorded`, ids, files or rulesets.
    """
    import pandas as pd

    chosen = [rulesets] if isinstance(rulesets, (str, Ruleset)) else list(rulesets)
    keys = tables["wins"].select(["game", "round_no", "winner"]).to_pandas()
    frames = [keys.assign(**_columns(rescore(tables, rules))) for rules in chosen]
    return pd.concat(frames, ignore_index=True)


def _columns(rescored: Rescored) -> dict[str, object]:
    ids = np.array(yaku_ids(), object)
    names = np.array([rules.id for rules in rescored.rulesets], object)
    limits = zip(rescored.limit.tolist(), rescored.units.tolist(), strict=True)
    return {
        "ruleset": names[rescored.of],
        "status": np.array(STATUSES, object)[rescored.status],
        "yaku": [ids[held].tolist() for held in rescored.holds],
        "han": rescored.han,
        "fu": rescored.fu,
        "limit": [limit_name(limit, units) for limit, units in limits],
        "yakuman": rescored.units,
        "points": rescored.points,
        **{f"delta_{seat}": rescored.pays[:, seat] for seat in range(4)},
    }
