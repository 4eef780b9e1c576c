"""How long a newcomer waits: a fresh clone, downloads included, with pip and with uv."""

from __future__ import annotations

import os
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.error import URLError
from urllib.request import urlopen

from benchmarks._table import Measured, Row

ROOT = Path(__file__).resolve().parent.parent
NO_CACHE = {"PIP_NO_CACHE_DIR": "1", "UV_NO_CACHE": "1"}


@contextmanager
def fresh_clone() -> Iterator[Path]:
    """A clone of the committed state, in a folder of its own."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "curso de clasificación"
        subprocess.run(["git", "clone", "--quiet", ROOT, clone], check=True)
        yield clone


def environment(tool: str) -> dict[str, str]:
    """Our environment, without caches and, for pip, without uv on the path."""
    found = {**os.environ, **NO_CACHE}
    if tool == "pip":
        folders = found["PATH"].split(os.pathsep)
        found["PATH"] = os.pathsep.join(f for f in folders if not shutil.which("uv", path=f))
    elif not shutil.which("uv"):
        raise RuntimeError("uv is not on the path: `pip install uv`")
    return found


def base_python() -> str:
    """The Python outside any virtual environment, as a newcomer has it."""
    return str(getattr(sys, "_base_executable", sys.executable))


def free_port() -> int:
    """A port of this machine that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def lab_ready(tool: str) -> Measured:
    """Seconds from `course.py lab` on a fresh clone to the first answer of JupyterLab."""
    with fresh_clone() as clone:
        port = free_port()
        command = [base_python(), "course.py", "lab", "--no-browser", "--allow-root"]
        command += [f"--ServerApp.port={port}", "--IdentityProvider.token=bench"]
        start = time.perf_counter()
        server = subprocess.Popen(
            command, cwd=clone, env=environment(tool), stdout=subprocess.DEVNULL
        )
        try:
            wait_for(f"http://127.0.0.1:{port}/lab?token=bench", server)
            seconds = time.perf_counter() - start
        finally:
            jupyter = str(clone / ".venv" / "bin" / "jupyter")
            subprocess.run([jupyter, "server", "stop", str(port)], capture_output=True)
            server.terminate()
            server.wait(30)
    limit = 60.0 if tool == "pip" else 15.0
    return Measured(seconds, limit, note=f"{tool}, no cache")


def wait_for(address: str, server: subprocess.Popen[bytes]) -> None:
    """Return when the address answers; raise when the server has ended."""
    while server.poll() is None:
        try:
            with urlopen(address, timeout=1):
                return
        except (URLError, OSError):
            time.sleep(0.1)
    raise RuntimeError("JupyterLab ended before it answered")


def test_set_installed(tool: str) -> Measured:
    """Seconds of `course.py install` on a fresh clone."""
    with fresh_clone() as clone:
        start = time.perf_counter()
        subprocess.run(
            [base_python(), "course.py", "install"],
            cwd=clone,
            env=environment(tool),
            stdout=subprocess.DEVNULL,
            check=True,
        )
        seconds = time.perf_counter() - start
    limit = 120.0 if tool == "pip" else 30.0
    return Measured(seconds, limit, note=f"{tool}, no cache")


def test_command(*options: str) -> Measured:
    """Seconds of the test command in this checkout, all installed."""
    start = time.perf_counter()
    done = subprocess.run(
        [base_python(), "course.py", "test", *options], cwd=ROOT, stdout=subprocess.DEVNULL
    )
    seconds = time.perf_counter() - start
    verdict = "green" if done.returncode == 0 else f"exit code {done.returncode}"
    return Measured(seconds, 60.0 if options else 240.0, note=verdict)


ROWS = [
    Row("lab ready on a fresh clone, pip", lambda: lab_ready("pip")),
    Row("lab ready on a fresh clone, uv", lambda: lab_ready("uv")),
    Row("test set installed, pip", lambda: test_set_installed("pip")),
    Row("test set installed, uv", lambda: test_set_installed("uv")),
    Row("course.py test --fast", lambda: test_command("--fast")),
    Row("course.py test", test_command),
]
