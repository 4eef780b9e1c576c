"""Chains of lines, each judged against the line before it."""
