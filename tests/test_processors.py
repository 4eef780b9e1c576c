"""Other processors compute the same numbers: OpenBLAS runs as if it were on one of them."""

from __future__ import annotations

import os
import platform
import subprocess
import sys

import pytest

from tests.conftest import ROOT

KERNELS = ("Haswell", "Sandybridge", "Nehalem")


@pytest.mark.deep
@pytest.mark.skipif(platform.machine() not in ("x86_64", "AMD64"), reason="kernels of x86-64")
@pytest.mark.parametrize("kernels", KERNELS)
def test_all_examples_and_all_notebooks_print_the_same(kernels: str) -> None:
    environment = {**os.environ, "OPENBLAS_CORETYPE": kernels}
    for name in [name for name in environment if name.startswith("PYTEST_")]:
        del environment[name]
    options = ["-q", "-p", "no:cacheprovider", "-p", "tests.kernels"]
    options += ["--nbval", "--nbval-current-env"]
    paths = ["tests/test_examples.py", "notebooks", "solutions"]
    made = subprocess.run(
        [sys.executable, "-m", "pytest", *options, *paths],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )
    assert made.returncode == 0, made.stdout[-20_000:]
