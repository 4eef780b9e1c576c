"""The sub-commands of `lectures`: one module each, with `configure(parser)` and `run(arguments)`.

A module is imported only when its command is called, so `lectures where` does not pay for
Matplotlib. The first line of a module's docstring is its help text.
"""
