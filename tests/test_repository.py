"""What must not be in any file: hosts of registries, paths of one machine, very large files."""

import re
import subprocess
from pathlib import Path

import pytest

from tests.conftest import ROOT

HOSTS = "|".join(["py" + r"pi\.org", "python" + r"hosted\.org", "npm" + r"js\.org", r"debian\.org"])
PRIVATE = re.compile(r"(?<![\w.])/(?:home|root|Users|work)/\w")


def tracked_files() -> list[Path]:
    """Every file of the repository, also those that are new and not yet committed."""
    words = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    listing = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, encoding="utf-8")
    if listing.returncode:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listing.stdout.split("\0") if name and (ROOT / name).is_file()]


def test_no_file_names_a_registry_or_a_path_of_one_machine() -> None:
    for path in tracked_files():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        assert not re.search(HOSTS, text), path
        assert not PRIVATE.search(text), path


def test_no_tracked_file_is_larger_than_one_and_a_half_megabytes() -> None:
    for path in tracked_files():
        assert path.stat().st_size < 1_500_000, path
