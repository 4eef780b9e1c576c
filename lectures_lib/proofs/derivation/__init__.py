"""Chains of lines, each judged against the line before it."""

from lectures_lib.proofs.derivation.chain import Derivation
from lectures_lib.proofs.derivation.lines import LineReport, Note, Report

__all__ = ["Derivation", "LineReport", "Note", "Report"]
