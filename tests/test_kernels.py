"""A kernel whose port another program took is started again, and one that never starts is told."""

import pytest
from nbval import kernel

from tests.kernels import ATTEMPTS, patient


def failing(times: int) -> tuple[list[int], object]:
    """A start that fails so often, and the list of its calls."""
    calls: list[int] = []

    def start(**options: object) -> object:
        calls.append(len(calls))
        if len(calls) <= times:
            raise RuntimeError("Kernel died before replying to kernel_info")
        return options

    return calls, start


def test_a_kernel_that_died_is_started_again() -> None:
    calls, start = failing(ATTEMPTS - 1)
    assert patient(start)(cwd="notebooks") == {"cwd": "notebooks"}
    assert len(calls) == ATTEMPTS


def test_a_kernel_that_never_starts_is_an_error() -> None:
    calls, start = failing(ATTEMPTS)
    with pytest.raises(RuntimeError, match="died"):
        patient(start)()
    assert len(calls) == ATTEMPTS


def test_nbval_starts_its_kernels_so() -> None:
    assert kernel.start_new_kernel.__module__ == "tests.kernels"
