"""Rule impact: what would change if the rules did, on recorded wins and on games.

Every number is a re-scoring of the same play. What players would have done otherwise it does not tell.
"""

from __future__ import annotations

from .candidates import Candidate, ImpactError, candidates_of, each_local
from .impact import rule_impact
from .result import RuleImpact

__all__ = ["Candidate", "ImpactError", "RuleImpact", "candidates_of", "each_local", "rule_impact"]
