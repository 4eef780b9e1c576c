"""Exercises from solutions, for students and for nbgrader."""
