"""Answers of the judges that several tests need, computed once in a run of the tests.

They lie in the temporary folder of the run, which all workers share. An answer is found again by
the question (the line with its symbols, hypotheses and sizes), the source of the judges and the
versions of what they use. What a limit of time may have shaped is asked anew each time.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
from collections.abc import Iterator
from functools import cache
from importlib.metadata import version
from pathlib import Path

import pytest

import linecheck
from linecheck.process import Message, Process

FINAL = {"PROVED", "REFUTED", "DOMAIN", "INVALID", "confirmed", "contradicted"}


@cache
def judges() -> str:
    """What an answer depends on beside its question."""
    folder = Path(linecheck.__file__).parent
    source = b"".join(path.read_bytes() for path in sorted(folder.rglob("*.py")))
    versions = (platform.python_version(), version("sympy"), version("mpmath"))
    return " ".join((hashlib.sha256(source).hexdigest(), *versions))


@pytest.fixture(scope="module")
def judged_once(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """While it is in use, no judge is asked the same twice; the folder of the answers."""
    base = tmp_path_factory.getbasetemp()
    folder = (base.parent if "PYTEST_XDIST_WORKER" in os.environ else base) / "verdicts"
    folder.mkdir(exist_ok=True)
    ask = Process.ask

    def looked_up(process: Process, question: Message, seconds: float) -> Message | None:
        told = json.dumps([judges(), process.module, question, seconds], sort_keys=True)
        path = folder / f"{hashlib.sha256(told.encode()).hexdigest()}.json"
        if path.exists():
            stored: Message = json.loads(path.read_text("utf-8"))
            return stored
        answer = ask(process, question, seconds)
        if answer and str(answer.get("status") or answer.get("answer")) in FINAL:
            part = path.with_suffix(f".{os.getpid()}")
            part.write_text(json.dumps(answer), encoding="utf-8")
            part.replace(path)
        return answer

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Process, "ask", looked_up)
        yield folder
