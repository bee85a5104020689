"""Scores as tables and as a frame: every win under the rulesets one names."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from parsers.ingest import rederive
from parsers.schema import SCORES, YAKU_SETS, conform, words
from parsers.store import Store

from .corpus import Source, opened_tables
from .notes import misfits
from .rescoring import RECORDED, Recorded, Rescored, rescore_each, rules_of
from .rounds import game_rows, numbers
from .scoring.limits import limit_name
from .scoring.ruleset import Ruleset, RulesetError
from .scoring.score import STATUSES
from .scoring.values import LIMIT_OF_BASE, Worth

if TYPE_CHECKING:
    import pandas as pd

Rulesets = str | Ruleset | Recorded | Iterable[str | Ruleset | Recorded]


def score(source: Source, rulesets: Rulesets = RECORDED) -> dict[str, pa.Table]:
    """The tables `scores` and `yaku_sets` of games: every win under each ruleset, facts found once.

    Parameters
    ----------
    source : tables as `koyaku.read` or a part of a store gives them, or of several parts; a Store, its folder, logs
        All is held in memory at once; for more games than that holds, `score_store` goes part by part.
    rulesets
        `recorded`, ids, files or rulesets.

    Raises
    ------
    scoring.ruleset.RulesetError
        No such ruleset, or an incomplete one.
    """
    scores, sets = [], {}
    with opened_tables(source) as tables:
        keys = tables["wins"].select(["game", "round_no", "winner"])
        for rescored in rescore_each(tables, _listed(rulesets)):
            columns, found = _columns(rescored)
            scores.append(pa.table({**{name: keys[name] for name in keys.column_names}, **columns}))
            sets |= found
    rows = [(id_, yaku, worth) for id_, held in sorted(sets.items()) for yaku, worth in held]
    yaku_sets = pa.table(
        {
            "yaku_set": pa.array([id_ for id_, _, _ in rows], pa.int64()),
            "yaku": pa.array([yaku for _, yaku, _ in rows], pa.string()),
            "han": pa.array([worth.han for _, _, worth in rows], pa.int16()),
            "yakuman": pa.array([worth.units for _, _, worth in rows], pa.int8()),
            "limit": pa.array([_limit(worth) for _, _, worth in rows], pa.string()),
        }
    )
    return {"scores": conform(pa.concat_tables(scores), SCORES), "yaku_sets": conform(yaku_sets, YAKU_SETS)}


def score_store(store: Store | str | Path, rulesets: Rulesets, *, workers: int = 1) -> int:
    """Write `scores` and `yaku_sets` of every part into the store, in place of earlier ones; the number of parts."""
    return rederive(store, {"scores": partial(score, rulesets=_listed(rulesets))}, workers=workers)


def notes_of(store: Store | str | Path, rulesets: Rulesets) -> list[str]:
    """Which of the rulesets are for other tables than those they are applied to."""
    n_wins: Counter = Counter()
    for part in (store if isinstance(store, Store) else Store(store)).parts():
        games = part.table("games", ["game", "players"])
        n_wins.update(numbers(games["players"])[game_rows(part.table("wins", ["game"]), games)].tolist())
    given = [one for one in map(rules_of, _listed(rulesets)) if isinstance(one, Ruleset)]
    return [note for rules in given for note in misfits(rules, n_wins)]


def score_wins(source: Source, rulesets: Rulesets = RECORDED) -> pd.DataFrame:
    """The table `scores` as a frame, with the ids of the yaku of each win as a list in `yaku`; as for `score`."""
    made = score(source, rulesets)
    frame = made["scores"].to_pandas()
    held = made["yaku_sets"].to_pandas().groupby("yaku_set").yaku.agg(list)
    frame.insert(frame.columns.get_loc("yaku_set"), "yaku", frame.pop("yaku_set").map(held.to_dict()))
    frame["yaku"] = [ids if isinstance(ids, list) else [] for ids in frame["yaku"]]
    return frame


def _limit(worth: Worth) -> str | None:
    """The limit that decided; where the count did, a yaku that might lift the hand to one has its han."""
    return LIMIT_OF_BASE[worth.floor] if worth.floor and not worth.han else None


def _listed(rulesets: Rulesets) -> list[str | Ruleset | Recorded]:
    named = [rulesets] if isinstance(rulesets, (str, Ruleset, Recorded)) else list(rulesets)
    if not named:
        raise RulesetError("no ruleset is named")
    return named


def _columns(rescored: Rescored) -> tuple[dict[str, object], dict[int, list[tuple[str, Worth]]]]:
    """The columns of `scores` under one choice of rules, and the sets of yaku that occur."""
    ids = np.array([rules.id for rules in rescored.rulesets], object)
    hashes = np.array([rules.hash for rules in rescored.rulesets], object)
    limits = zip(rescored.limit.tolist(), rescored.units.tolist(), strict=True)
    set_of, sets = _sets(rescored)
    return {
        "ruleset": pa.array(ids[rescored.of], pa.string()),
        "ruleset_hash": pa.array(hashes[rescored.of], pa.string()),
        "status": words(rescored.status, STATUSES),
        "han": rescored.han,
        "fu": rescored.fu,
        "limit": pa.array([limit_name(limit, units) for limit, units in limits], pa.string()),
        "yakuman": rescored.units,
        "points": rescored.points,
        **{f"delta_{seat}": rescored.pays[:, seat] for seat in range(4)},
        "yaku_set": set_of,
        "is_lower_bound": rescored.is_lower_bound,
    }, sets


def _sets(rescored: Rescored) -> tuple[np.ndarray, dict[int, list[tuple[str, Worth]]]]:
    """For each win the id of its set of yaku, and the sets by id. An id is a hash of what the set holds."""
    distinct, first, of = np.unique(rescored.worth_mark, return_index=True, return_inverse=True)
    sets, ids = {}, np.empty(len(distinct), np.int64)
    for index, row in enumerate(first.tolist()):
        held = list(rescored.worths(row).items())
        text = ";".join(sorted(f"{yaku}={worth.text}" for yaku, worth in held))
        ids[index] = int.from_bytes(hashlib.sha256(text.encode()).digest()[:8], "big", signed=True)
        sets[int(ids[index])] = held
    return ids[of], sets
