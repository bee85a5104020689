"""Reports: figures and pages made from the tables of statistics."""

from __future__ import annotations

from .html import ReportError
from .page import Report, report

__all__ = ["Report", "ReportError", "report"]
