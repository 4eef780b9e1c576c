"""Quotients of polynomials in generators: the exact algebra behind PROVED."""
