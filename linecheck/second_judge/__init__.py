"""SymPy as the second judge: it shares the parser with the engine, and nothing of its algebra."""
