"""Use the installed wheel from outside the repository. Run by .ci/run, not by pytest."""

from importlib.metadata import version
from pathlib import Path

import lectures_lib
from lectures_lib import datasets
from lectures_lib.__main__ import main

home = Path(lectures_lib.__file__).parent
assert "site-packages" in home.parts, f"this is not the wheel: {home}"
assert version("lectures-lib") == lectures_lib.__version__

loaders = [name for name in dir(datasets) if name.startswith("load_")]
assert len(loaders) == 8, loaders
for name in loaders:
    data = getattr(datasets, name)()
    assert len(data.X), name
assert (home / "datasets" / "SOURCES.md").is_file()

import lectures_lib.widgets  # noqa: E402  (its JavaScript is package data)
from lectures_lib.errata import errata  # noqa: E402

assert list(home.glob("widgets/*.js")), "the widget's JavaScript is not in the wheel"
assert "E0-07" in str(errata("perceptron"))
assert main(["where", "004", "31"]) == 0
print(f"the wheel of version {version('lectures-lib')} works from {Path.cwd()}")
