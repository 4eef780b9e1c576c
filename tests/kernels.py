"""A plugin for nbval: a kernel that dies while it starts is started again.

A kernel is handed five free ports and binds them a second later. Where tests run side by side,
another program may have taken one meanwhile, and a whole notebook would be red. JupyterLab starts
such a kernel again by itself; nbval does not.
"""

from collections.abc import Callable

from nbval import kernel

ATTEMPTS = 3


def patient(start: Callable) -> Callable:
    """The same start, tried up to three times; the last failure is the caller's."""

    def start_again(*args: object, **options: object) -> object:
        for _ in range(ATTEMPTS - 1):
            try:
                return start(*args, **options)
            except RuntimeError as error:
                print(f"The kernel is started again: {error}")
        return start(*args, **options)

    return start_again


kernel.start_new_kernel = patient(kernel.start_new_kernel)
