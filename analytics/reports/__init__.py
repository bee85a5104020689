"""Reports: figures and pages made from the tables of statistics."""

from __future__ import annotations

from .page import Report, ReportError, report

__all__ = ["Report", "ReportError", "report"]
