"""Koyaku: riichi mahjong replay logs as tables, every win re-scored under any ruleset, the difference as reports.

    >>> import koyaku
    >>> koyaku.ruleset("tenhou_4p_aka").amend({"yaku.tanyao.open": False}).id
    'tenhou_4p_aka + tanyao.open=false'

Everything here is loaded when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module

__version__ = "0.1.0"

_FACE = {
    "ingest": "analytics.corpus",
    "opened": "analytics.corpus",
    "map_parts": "analytics.corpus",
    "read": "analytics.corpus",
    "Store": "parsers.store",
    "compact": "parsers.ingest",
    "TABLES": "parsers.schema",
    "ruleset": "analytics.scoring.ruleset",
    "Ruleset": "analytics.scoring.ruleset",
    "RulesetError": "analytics.scoring.ruleset",
    "amended_rules": "analytics.rescoring",
    "rescore": "analytics.rescoring",
    "score": "analytics.scores",
    "score_store": "analytics.scores",
    "score_wins": "analytics.scores",
    "explain": "analytics.account",
    "hand_fact": "analytics.scoring.facts",
    "reading_fact": "analytics.scoring.facts",
    "score_cases": "analytics.cases",
    "audit": "analytics.audit",
    "yaku_frequency": "analytics.metrics",
    "han_distribution": "analytics.metrics",
    "rule_impact": "analytics.impact",
    "sweep": "analytics.sweep",
    "report": "analytics.reports",
}
__all__ = [*_FACE, "__version__"]


def __getattr__(name: str) -> object:
    if name not in _FACE:
        raise AttributeError(f"module 'koyaku' has no attribute {name!r}")
    value = getattr(import_module(_FACE[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
