"""Koyaku: whole columns, from the tables of a store and from hands built of them."""

from __future__ import annotations

import shutil
import tempfile
from itertools import islice, product
from pathlib import Path

import numpy as np
import pyarrow.parquet as pq

from analytics import corpus
from analytics.audit import audit
from analytics.chances import chances_of_store
from analytics.scoring.hands import from_tables
from analytics.scoring.ruleset import Ruleset, ruleset
from analytics.scoring.score import Scores, facts_of, score
from parsers import tenhou_xml
from parsers.ingest import ingest
from parsers.schema import TABLES
from parsers.store import MARKER, Store, write_table

from ..resident import Engine, Task, Work
from ..wins import RULESET, repeated

DOUBLE = {
    f"yaku.{yaku}": "yakuman*2"
    for yaku in ("kokushi_juusanmen", "suuankou_tanki", "junsei_chuuren_poutou", "daisuushii")
}
N_FURTHER = 20


def load(work: Work) -> Engine:
    engine = Engine()
    for name in work.hands:
        _add_scoring(engine, name, work)
    if work.has_games:
        _add_reading(engine, work)
    return engine


def further_rulesets(n: int = N_FURTHER) -> list[Ruleset]:
    """Rulesets that differ from each other in what yaku are worth, in fu, in limits and in dora."""
    choices = product(
        ({}, {"yaku.tanyao.open": False}),
        ({}, {"fu.double_wind_pair": 2}),
        ({}, {"dora.aka": False}),
        ({}, {"limits.kiriage_mangan": True}),
        ({}, {"yaku.ittsuu": "3/2", "yaku.sankantsu": "4"}, DOUBLE),
    )
    changes = [{key: value for part in parts for key, value in part.items()} for parts in choices]
    return [ruleset(RULESET).amend(change) for change in islice((c for c in changes if c), n)]


def _add_scoring(engine: Engine, name: str, work: Work) -> None:
    distinct = tuple(pq.read_table(work.folder / f"{name}-{table}.parquet") for table in ("wins", "circumstances"))
    tables = repeated(distinct, work.n_hands)
    hands = from_tables(*tables)
    facts = facts_of(hands)
    rules, further = ruleset(RULESET), further_rulesets()

    def from_arrow() -> int:
        _numbers(score(from_tables(*tables), [rules])[0])
        return len(hands)

    def from_hands() -> int:
        _numbers(score(hands[:], [rules])[0])  # a slice holds nothing found before
        return len(hands)

    def more_rulesets() -> int:
        for one in further:
            _numbers(score(facts, [one])[0])
        return len(hands) * len(further)

    def points(rules_: Ruleset) -> list[int]:
        return score(from_tables(*distinct), [rules_])[0].points.tolist()

    engine.tasks |= {
        f"{name}: built": Task(from_arrow),
        f"{name}: prebuilt": Task(from_hands),
        f"{name}: further": Task(more_rulesets),
    }
    engine.points |= {name: lambda: points(rules), f"{name}, double": lambda: points(rules.amend(DOUBLE))}


def _numbers(scores: Scores) -> tuple[np.ndarray, ...]:
    """The numbers of a score, each as a column."""
    return scores.base, scores.han, scores.fu, scores.points


def _add_reading(engine: Engine, work: Work) -> None:
    logs = work.logs()
    folder = str(work.folder / "games")
    place, kept = (Path(tempfile.mkdtemp(dir=work.folder)) for _ in range(2))

    def clear() -> None:
        shutil.rmtree(place)
        place.mkdir()

    def decode() -> int:
        tenhou_xml.read(logs)
        return len(logs)

    def decode_and_write() -> int:
        for name, table in tenhou_xml.read(logs).items():
            if name in TABLES:
                write_table(table, place / name)
        return len(logs)

    def files_to_store() -> int:
        assert ingest(folder, place / "store").games == len(logs)
        return len(logs)

    def files_to_audit() -> int:
        with corpus.opened([folder]) as store:
            result = audit(store)
        assert result.rounds > 0
        return len(logs)

    def chances() -> int:
        if not (kept / MARKER).exists():  # in the turn that does not count
            ingest(folder, kept)
        chances_of_store(Store(kept), again=True)
        return len(logs)

    engine.tasks |= {
        "decode": Task(decode),
        "decode, Parquet": Task(decode_and_write, clear),
        "ingest": Task(files_to_store, clear),
        "audit": Task(files_to_audit),
        "chances": Task(chances),
    }
