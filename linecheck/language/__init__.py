"""What may be typed: terms, the parser, domains, LaTeX."""
