"""Proofs: what is known in a case, and the ways to prove from it."""
