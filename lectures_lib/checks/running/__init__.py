"""A student's code is called: plain data in, plain data out, within limits."""
