"""A student's own copies of the notebooks: made, updated and reset without losing a word."""
