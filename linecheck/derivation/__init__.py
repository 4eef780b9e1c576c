"""Chains of lines, each judged against the line before it."""

from linecheck.derivation.chain import Derivation
from linecheck.derivation.lines import LineReport, Note, Report

__all__ = ["Derivation", "LineReport", "Note", "Report"]
