"""Scores as tables and as a frame: every win under the rulesets one names."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pyarrow as pa

from parsers.ingest import rederive
from parsers.schema import SCORES, YAKU_SETS, conform, words
from parsers.soundness import check_part, check_store
from parsers.store import Part, Store, shared_rows

from .corpus import DERIVED, Source, opened_tables
from .notes import misfits
from .rescoring import RECORDED, Recorded, Rescored, Rules, each_once, rescore_each, rules_of, rulesets_of
from .rounds import game_rows, numbers
from .scoring.limits import limit_name
from .scoring.ruleset import Ruleset, RulesetError
from .scoring.score import STATUSES
from .scoring.values import LIMIT_OF_BASE, Worth

if TYPE_CHECKING:
    import pandas as pd

_WIN = ("game", "round_no", "winner")
Rulesets = str | Ruleset | Recorded | Iterable[str | Ruleset | Recorded]


def score(source: Source, rulesets: Rulesets = RECORDED) -> dict[str, pa.Table]:
    """The tables `scores` and `yaku_sets` of games: win by win its scores under each ruleset, facts found once.

    Parameters
    ----------
    source : tables as `koyaku.read` or a part of a store gives them, or of several parts; a Store, its folder, logs
        All is held in memory at once; for more games than that holds, `score_store` goes part by part.
    rulesets
        `recorded`, ids, files or rulesets.

    Raises
    ------
    scoring.ruleset.RulesetError
        No such ruleset, an incomplete one, or one that is named twice.
    """
    scores, sets, listed = [], {}, _listed(rulesets)
    with opened_tables(source) as tables:
        for rules, rescored in zip(listed, rescore_each(tables, listed), strict=True):
            told, found = _told(rescored)
            scores.append(pa.table({**_keys(tables, rules, rescored.rulesets, rescored.of), **told}))
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
    return {"scores": conform(_by_win(scores), SCORES), "yaku_sets": conform(yaku_sets, YAKU_SETS)}


def score_store(
    store: Store | str | Path, rulesets: Rulesets = RECORDED, *, workers: int = 1, again: bool = False
) -> int:
    """Write `scores` and `yaku_sets` into a store; how many of its parts it were.

    Parts that hold the scores of just these rulesets already keep them, unless `again`; others are scored anew.
    """
    listed = _listed(rulesets)
    store = store if isinstance(store, Store) else Store(store)
    check_store(store, DERIVED)
    todo = store.part_numbers()
    if not again:
        sets = shared_rows("yaku_sets", (part["yaku_sets"] for part in store.parts()))["yaku_set"]
        todo = [part.number for part in store.parts() if not _is_scored(part, listed, sets)]
    work = partial(score, rulesets=listed)
    return rederive(store, {"scores": work}, parts=todo, needs=DERIVED, workers=workers) if todo else 0


def _is_scored(part: Part, rulesets: list[Rules], sets: pa.ChunkedArray) -> bool:
    """Whether the part holds what scoring it under these rulesets would write, as far as its keys tell."""
    if "scores" not in part:
        return False
    check_part(part, DERIVED)
    tables = {"games": part["games"], "wins": part.table("wins", _WIN)}
    asked = [(rules, *rulesets_of(tables, rules, ["wins"])) for rules in rulesets]
    due = _by_win([pa.table(_keys(tables, rules, found, of)) for rules, found, [of] in asked])
    held = part.table("scores", [*due.column_names, "yaku_set"])
    named = held["yaku_set"].unique().to_pylist()
    return all(held[name].equals(due[name]) for name in due.column_names) and {*named} <= {*sets.to_pylist(), _EMPTY}


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


def _listed(rulesets: Rulesets) -> list[Rules]:
    named = [rulesets] if isinstance(rulesets, (str, Ruleset, Recorded)) else list(rulesets)
    if not named:
        raise RulesetError("no ruleset is named")
    return each_once(named)


def _by_win(tables: list[pa.Table]) -> pa.Table:
    """Tables of the same wins as one, the rows of each win side by side: so games stay together, as in every table."""
    order = np.arange(tables[0].num_rows * len(tables)).reshape(len(tables), -1).T.ravel()
    return pa.concat_tables(tables).take(order).combine_chunks()


def _keys(
    tables: Mapping[str, pa.Table], rules: Rules, rulesets: list[Ruleset], of: np.ndarray
) -> dict[str, pa.ChunkedArray | pa.Array]:
    """The columns of `scores` that tell its rows apart: the wins under one choice of rules."""
    ids = np.array([one.id for one in rulesets], object)
    hashes = np.array([one.hash for one in rulesets], object)
    return {
        **{name: tables["wins"][name] for name in _WIN},
        "rules": pa.array([rules_of(rules).id] * len(of), pa.string()),
        "ruleset": pa.array(ids[of], pa.string()),
        "ruleset_hash": pa.array(hashes[of], pa.string()),
    }


def _told(rescored: Rescored) -> tuple[dict[str, object], dict[int, list[tuple[str, Worth]]]]:
    """The other columns of `scores` under one choice of rules, and the sets of yaku that occur."""
    limits = zip(rescored.limit.tolist(), rescored.units.tolist(), strict=True)
    set_of, sets = _sets(rescored)
    return {
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
    """For each win the id of its set of yaku, and the sets by id."""
    distinct, first, of = np.unique(rescored.worth_mark, return_index=True, return_inverse=True)
    sets, ids = {}, np.empty(len(distinct), np.int64)
    for index, row in enumerate(first.tolist()):
        held = list(rescored.worths(row).items())
        ids[index] = _set_id(sorted(f"{yaku}={worth.text}" for yaku, worth in held))
        sets[int(ids[index])] = held
    return ids[of], sets


def _set_id(held: list[str]) -> int:
    """A hash of what the set holds."""
    return int.from_bytes(hashlib.sha256(";".join(held).encode()).digest()[:8], "big", signed=True)


_EMPTY = _set_id([])
