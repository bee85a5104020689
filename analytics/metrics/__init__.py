"""Statistics of wins: how often each yaku occurs, how wins spread over han, fu and limits."""

from __future__ import annotations

from .columns import COLUMNS
from .han import HanDistribution, han_distribution
from .yaku import YakuFrequency, yaku_frequency

__all__ = ["COLUMNS", "HanDistribution", "YakuFrequency", "han_distribution", "yaku_frequency"]
