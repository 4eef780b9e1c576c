"""A small library for a course on linear classification: models, figures, proofs, exercises."""

__version__ = "0.1.0"
