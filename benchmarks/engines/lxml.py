"""`lxml`: a walk over every tag and attribute of a log that keeps nothing."""

from __future__ import annotations

from lxml import etree

from ..resident import Engine, Work, over

GAMES = 500


def load(work: Work) -> Engine:
    engine = Engine()
    if work.has_games:
        logs = [data for _, data in work.logs()]
        engine.tasks["decode"] = over(logs, work.chunk(GAMES, len(logs)), walk_all)
    return engine


def walk_all(chunk: list[bytes]) -> None:
    for data in chunk:
        for element in etree.fromstring(data):
            _ = element.tag
            for _name, _value in element.items():
                pass
