"""Reports: figures and pages made from the tables of statistics."""

from __future__ import annotations

from ..targets import ReportError
from .page import Report, check_report, report

__all__ = ["Report", "ReportError", "check_report", "report"]
