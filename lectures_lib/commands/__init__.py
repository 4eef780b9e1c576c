"""The sub-commands of `lectures`: one module each, with `run(arguments)`.

What has options of its own declares them in `configure(parser)`.

A module is imported only when its command is called, so `lectures where` does not pay for
Matplotlib. The first line of a module's docstring is its help text.
"""
