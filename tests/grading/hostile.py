# ruff: noqa: E501 -- programs in one line each
"""Submissions that mean harm, or that went wrong: each with the verdict that is expected of it.

`ANSWERS` stand in the answer cell of `perceptron.losses`; `NOTEBOOKS` change the whole notebook.
Everything else in them is solved, and keeps its points where the expectation says so.
"""

from __future__ import annotations

import json
import os
from dataclasses import dataclass
from typing import Any

from tests.checks.answers import SOLVED, UNTOUCHED
from tests.conftest import ROOT

TARGET = "perceptron.losses"
SOLUTION = "\n".join(
    line for line in SOLVED[TARGET].splitlines() if "### " not in line and '"""' not in line
)
RIGHT = SOLUTION.replace("def losses_at(m):\n", "")
ALL, OTHERS = 26.0, 22.0
NETWORK = "/proc/self/ns/net"
OURS = os.readlink(NETWORK) if os.path.exists(NETWORK) else ""  # noqa: PTH110, PTH115


@dataclass(frozen=True)
class Hostile:
    """A hostile answer: allowed verdicts on it, and the points of the whole notebook."""

    source: str
    statuses: tuple[str, ...]
    points: float = OTHERS
    flag: str = ""  # that must stand at it


def body(code: str) -> str:
    """`losses_at` with this inside, before the right answer."""
    lines = "\n".join(f"    {line}" for line in code.strip().splitlines())
    return f"def losses_at(m):\n{lines}\n{RIGHT}"


def returns(expression: str, before: str = "") -> str:
    """`losses_at` that returns this."""
    return f"{before}\ndef losses_at(m):\n    return {expression}\n"


def tries(code: str) -> str:
    """The right answer, after an attempt at something; the attempt must come to nothing.

    If it succeeds, the answer is wrong: so full points mean that it was stopped.
    """
    lines = "\n".join(f"    {line}" for line in code.strip().splitlines())
    return (
        f"def _attempt():\n{lines}\n    return True\n\n"
        "try:\n    _done = _attempt()\nexcept BaseException:\n    _done = False\n\n"
        f"def losses_at(m):\n    if _done:\n        return 'it succeeded'\n{RIGHT}"
    )


LIAR = """
class Liar:
    def __eq__(self, other): return True
    def __ne__(self, other): return False
    def __float__(self): return 0.0
    def __array__(self, *a, **k): return np.zeros(3)
    def __len__(self): return 4
    def __iter__(self): return iter([self] * 4)
    def __getitem__(self, k): return self
"""
SUBCLASS = """
class Lying(np.ndarray):
    def __eq__(self, other): return np.ones(self.shape, bool)
    def __sub__(self, other): return np.zeros(self.shape)
    def __array_ufunc__(self, *a, **k): return np.zeros(3)
    def __reduce__(self): return (print, ("run by pickle",))
def lie(m): return np.zeros_like(np.asarray(m, float)).view(Lying)
"""

ANSWERS: dict[str, Hostile] = {
    # --- redefining the world ---
    "redefines check": Hostile(
        "def check(*a): return 'right'\nhint = print\n" + UNTOUCHED[TARGET], ("not_attempted",)
    ),
    "redefines builtins": Hostile(
        "import builtins\nbuiltins.len = lambda *_: 4\nbuiltins.isinstance = lambda *_: True\n"
        "builtins.all = builtins.any = lambda *_: True\n" + returns("1"), ("wrong", "error", "crashed"), OTHERS,
    ),
    "redefines numpy": Hostile(
        "np.allclose = np.array_equal = lambda *a, **k: True\n"
        "np.testing.assert_allclose = lambda *a, **k: None\n" + returns("(0, 0, 0, 0)"), ("wrong",),
    ),
    "rewrites the library on disk": Hostile(
        tries("import lectures_lib.checks.judging.readings as r\nopen(r.__file__, 'a').write('#')"),
        ("right",), ALL,
    ),
    "patches the library in memory": Hostile(
        "import lectures_lib.checks.judging.readings as r, lectures_lib.checks.telling.outcomes as o\n"
        "import lectures_lib.checks.running.in_thread as w\nr.close = lambda *a, **k: True\n"
        "o.Outcome.points = property(lambda s: 99.0)\nw.one_reply = None\n" + returns("1"),
        ("wrong", "error", "crashed"), OTHERS,
    ),
    "leaves a sitecustomize": Hostile(
        "import os\nfor name in ('sitecustomize.py', 'usercustomize.py', 'conftest.py', 'x.pth'):\n"
        "    open(name, 'w').write('import os; os._exit(1)')\n" + SOLUTION, ("right",), ALL,
    ),
    "leaves a pth beside the packages": Hostile(
        tries("open(np.__file__.rpartition('/numpy')[0] + '/evil.pth', 'w').write('import evil')"),
        ("right",), ALL,
    ),
    # --- objects that lie ---
    "an object that equals everything": Hostile(returns("Liar()", LIAR), ("wrong", "error")),
    "four of them": Hostile(returns("(Liar(), Liar(), Liar(), Liar())", LIAR), ("wrong", "error")),
    "an array that equals everything": Hostile(
        returns("(lie(m), lie(m), lie(m), lie(m))", SUBCLASS), ("wrong",)
    ),
    "a float that equals everything": Hostile(
        returns("(F(0), F(0), F(0), F(0))", "class F(float):\n    __eq__ = lambda s, o: True\n"
                "    __float__ = lambda s: 5.0\n    __hash__ = None\n"), ("wrong",),
    ),
    "an endless iterator": Hostile(
        returns("itertools.repeat(0)", "import itertools"), ("wrong", "error")
    ),
    "an object whose length has no end": Hostile(
        returns("E()", "class E(list):\n    def __len__(self):\n        while True: pass"),
        ("timeout",),
    ),
    "NaN": Hostile(returns("(np.nan * m,) * 4"), ("wrong",)),
    "wrong shapes": Hostile(returns("np.zeros((4, 7))"), ("wrong",)),
    "an array that claims to be huge": Hostile(
        returns("np.broadcast_to(0.0, (4, 10**12))"), ("wrong",)
    ),
    "a number without end": Hostile(returns("10 ** 200_000"), ("wrong",)),
    "a text of 30 MB": Hostile(returns("'x' * 3 * 10**7"), ("wrong",)),
    "a list in itself": Hostile(
        "def losses_at(m):\n    a = []\n    a.append(a)\n    return a\n", ("wrong", "error")
    ),
    "an answer that is a class": Hostile("class losses_at:\n    pass\n", ("wrong",)),
    "an answer that is a text": Hostile("losses_at = 'losses_at'\n", ("wrong",)),
    "a signature that loops": Hostile(
        "class S:\n    def __call__(self, m): return 1\n    @property\n"
        "    def __signature__(self):\n        while True: pass\nlosses_at = S()\n",
        ("timeout", "wrong", "error"),
    ),
    # --- looking for the judge ---
    "walks frames": Hostile(
        body("import sys\nf = sys._getframe()\nwhile f:\n    for n, v in list(f.f_locals.items()):\n"
             "        if 'expected' in n or 'reference' in n: return v\n    f = f.f_back"),
        ("right",), ALL,
    ),
    "searches the collector for references": Hostile(
        tries("import gc\nassert [o for o in gc.get_objects() if type(o).__name__ in "
              "('Function', 'Exercise', 'Slip', 'Case')]"), ("right",), ALL,
    ),
    "asks the registry": Hostile(
        tries("from lectures_lib.checks.registry import find\n"
              "find('perceptron.losses').parts[0].reference"), ("right",), ALL,
    ),
    "imports the exercises": Hostile(
        tries("from lectures_lib.chapters.perceptron.exercises import EXERCISES"), ("right",), ALL,
    ),
    "reads compiled exercises": Hostile(
        tries("import glob, lectures_lib.chapters as c\n"
              "assert glob.glob(c.__path__[0] + '/*/__pycache__/exercises*')"), ("right",), ALL,
    ),
    "reads the source of the exercises": Hostile(
        tries("import lectures_lib.chapters as c\n"
              "assert open(c.__path__[0] + '/perceptron/exercises.py').read()"), ("right",), ALL,
    ),
    "reads what is accepted": Hostile(
        tries("import lectures_lib.chapters as c\n"
              "assert open(c.__path__[0] + '/perceptron/cases.py').read()"), ("right",), ALL,
    ),
    "traces the first process": Hostile(
        tries("import ctypes\nassert ctypes.CDLL(None).ptrace(16, 1, 0, 0) == 0"), ("right",), ALL,
    ),
    "reads the memory of others": Hostile(
        tries("import os\nfor p in os.listdir('/proc'):\n    if p.isdigit() and int(p) != os.getpid()"
              ":\n        open(f'/proc/{p}/mem', 'rb').read(1)\n        return\nraise OSError"),
        ("right",), ALL,
    ),
    "reads memory by process_vm_readv": Hostile(
        tries("import ctypes\nassert ctypes.CDLL(None).process_vm_readv(1, 0, 0, 0, 0, 0) == 0"),
        ("right",), ALL,
    ),
    "kills its parent": Hostile(
        tries("import os, signal\nos.kill(os.getppid(), signal.SIGKILL)\nimport time\n"
              "time.sleep(0.05)\nassert os.getppid() != 1"), ("right",), ALL,
    ),
    "writes into the line to the judge": Hostile(
        "import os\nfor n in range(3, 20):\n    try:\n        os.write(n, b'\\x00\\x00\\x00\\x04evil')\n"
        "    except OSError:\n        pass\n" + returns("1"), ("crashed", "error", "wrong"),
    ),
    "sends the judge ten million empty lists": Hostile(
        "import os, struct\ndef losses_at(m):\n    text = b'[[' + b'[],' * 10**7 + b'[]],[]]'\n"
        "    text = struct.pack('>I', len(text)) + text\n"
        "    text = struct.pack('>I', len(text)) + text\n"
        "    while text:\n        text = text[os.write(3, text):]\n", ("crashed",),
    ),
    "answers the judge in the place of the worker": Hostile(
        "import lectures_lib.grading.walls.worker as w\n"
        "reply = {'status': 'returned', 'value': 'Right', 'message': '', 'lines': (), 'changed': (),\n"
        "         'printed': '', 'printed_length': 10**4000, 'warnings': ()}\n"
        "w._answer = lambda question, _: (reply,) * len(question['calls'])\n", ("error",), 0.0,
    ),
    "closes the line to the judge": Hostile(
        "import os\nos.closerange(3, 100)\n" + returns("1"), ("crashed",)
    ),
    # --- reading what is not theirs ---
    "reads the home": Hostile(
        tries("import os\nassert [n for n in os.listdir(os.path.expanduser('~'))]"), ("right",), ALL,
    ),
    "reads solutions": Hostile(
        tries(f"assert open({str(ROOT / 'solutions' / '04_perceptron.ipynb')!r}).read()"),
        ("right",), ALL,
    ),
    "looks for other submissions": Hostile(
        tries("import os\nfound = []\nfor w in ('/', '/tmp', '/home', '/root', '/mnt', '/srv', '/var'):\n    if os.path.isdir(w): found += [n for n in os.listdir(w) if 'ipynb' in n or 'submi' in n]\n"
              "assert found"), ("right",), ALL,
    ),
    "lists the folder of the course": Hostile(
        tries(
            "import os\nopen_to_all = {'lectures_lib', 'linecheck', '.venv'}\n"
            f"assert set(os.listdir({str(ROOT)!r})) - open_to_all"
        ), ("right",), ALL,
    ),
    "reads the environment": Hostile(
        tries("import os\nassert set(os.environ) - {'PYTHONPATH', 'LANG', 'PATH', 'HOME', 'TMPDIR', "
              "'OMP_NUM_THREADS', 'OPENBLAS_NUM_THREADS', 'MKL_NUM_THREADS', 'PYTHONBREAKPOINT', "
              "'PYTHONUTF8', 'MPLBACKEND', 'LC_CTYPE'}"), ("right",), ALL,
    ),
    "reads passwords": Hostile(tries("assert open('/etc/passwd').read()"), ("right",), ALL),
    # --- not coming to an end ---
    "an endless loop": Hostile(body("while True:\n    pass"), ("timeout",)),
    "an endless loop at the top": Hostile("while True:\n    pass\n", ("timeout",)),
    "an endless loop in C": Hostile(body("sum(iter(int, 1))"), ("timeout",)),
    "a catastrophic regular expression": Hostile(
        body("import re\nre.match(r'(a+)+$', 'a' * 60 + 'b')"), ("timeout",)
    ),
    "a power without end": Hostile(body("9 ** 9 ** 9"), ("timeout", "memory")),
    "sleep": Hostile(body("import time\ntime.sleep(10**6)"), ("timeout",)),
    "a dead lock": Hostile(
        body("import threading\nlock = threading.Lock()\nlock.acquire()\nlock.acquire()"),
        ("timeout",),
    ),
    "input": Hostile(body("input('answer: ')"), ("forbidden",)),
    "input at the top": Hostile("answer = input()\n" + SOLUTION, ("error",)),
    "breakpoint": Hostile(body("breakpoint()"), ("right",), ALL),
    "catches everything for ever": Hostile(
        body("while True:\n    try:\n        while True: pass\n    except BaseException:\n        pass"),
        ("timeout",),
    ),
    "stops the signals": Hostile(
        body("import signal\nfor s in (2, 14, 15):\n    signal.signal(s, signal.SIG_IGN)\n"
             "while True: pass"), ("timeout",),
    ),
    # --- too many, too much ---
    "a fork bomb": Hostile(
        body("import os\nwhile True:\n    try:\n        os.fork()\n    except OSError:\n        pass"),
        ("timeout", "crashed", "memory"),
    ),
    "a daemon that survives": Hostile(
        "import os, time\nif os.fork() == 0:\n    os.setsid()\n    if os.fork() == 0:\n"
        "        while True:\n            time.sleep(1)\n    os._exit(0)\n" + SOLUTION, ("right",), ALL,
    ),
    "threads": Hostile(
        "import threading, time\n"
        "for _ in range(2000):\n    try:\n"
        "        threading.Thread(target=time.sleep, args=(10**6,), daemon=True).start()\n"
        "    except RuntimeError:\n        break\n" + SOLUTION,
        ("right", "crashed", "memory", "error"), None,
    ),
    "memory by a list": Hostile(
        body("a = []\nwhile True:\n    a.append(np.zeros(4 * 10**7))"), ("memory",)
    ),
    "memory by numpy": Hostile(body("np.ones((10**6, 10**4))"), ("memory",)),
    "memory in many processes": Hostile(
        body("import os, time\nfor _ in range(20):\n    if os.fork() == 0:\n"
             "        a = np.ones(6 * 10**7)\n        time.sleep(10**4)\ntime.sleep(10**4)"),
        ("memory", "crashed"),
    ),
    "shared memory in many processes, at the top": Hostile(
        "import mmap, os, time\nfor _ in range(20):\n    if os.fork() == 0:\n"
        "        a = mmap.mmap(-1, 4 * 10**8)\n        for _ in range(4): a.write(bytes(10**8))\n"
        "        time.sleep(10**4)\ntime.sleep(10**4)\n", ("memory", "crashed"),
    ),
    "memory by files": Hostile(
        tries("for k in range(1000):\n    open(f'f{k}', 'wb').write(bytes(10**7))"), ("right",), ALL,
    ),
    "a file of endless size": Hostile(
        tries("f = open('f', 'wb')\nwhile f.tell() < 10**9: f.write(bytes(10**6)); f.flush()"),
        ("right", "crashed"), None,
    ),
    "recursion": Hostile(body("return losses_at(m)"), ("error",)),
    "recursion to a segfault": Hostile(
        body("import sys\nsys.setrecursionlimit(10**9)\nf = lambda: f()\nf()"),
        ("crashed", "memory", "error", "timeout"),
    ),
    "a segfault": Hostile(body("import ctypes\nctypes.string_at(0)"), ("crashed",)),
    "os._exit": Hostile(body("import os\nos._exit(0)"), ("crashed",)),
    "os._exit at the top": Hostile("import os\nos._exit(0)\n", ("crashed",)),
    "os.abort": Hostile(body("import os\nos.abort()"), ("crashed",)),
    "sys.exit": Hostile(body("import sys\nsys.exit(0)"), ("crashed",)),
    "sys.exit at the top": Hostile("import sys\nsys.exit(0)\n", ("error", "crashed")),
    "BaseException": Hostile(
        body("class Mine(BaseException): pass\nraise Mine('hello')"), ("error",)
    ),
    "BaseException while its result is read": Hostile(
        returns("(R(),) * 4", "class R:\n    def __array__(self, *a, **k): raise GeneratorExit\n"
                "    def __float__(self): raise KeyboardInterrupt\n"), ("error", "crashed"),
    ),
    "an exception whose text loops": Hostile(
        body("class Mine(Exception):\n    def __str__(self):\n        while True: pass\nraise Mine"),
        ("timeout",),
    ),
    "an exception whose text loops, at the top": Hostile(
        "class Mine(Exception):\n    def __str__(self):\n        while True: pass\nraise Mine\n",
        ("timeout",),
    ),
    "raises while it is deleted": Hostile(
        "class D:\n    def __del__(self): raise SystemExit\n" + body("D()"), ("right",), ALL,
    ),
    "exits at the end of Python": Hostile(
        "import atexit, os\natexit.register(os._exit, 0)\n" + SOLUTION, ("right",), ALL,
    ),
    # --- output ---
    "a hundred million characters of output": Hostile(
        "for _ in range(100): print('x' * 10**6)\n" + body("print('x' * 10**6)"), ("right",), ALL,
    ),
    "ANSI and HTML in output": Hostile(
        returns("1", "").replace("return 1", "print('\\x1b[2J<script>alert(1)</script>\\u202e')\n"
                                 "    return '<img src=x onerror=alert(1)>'"), ("wrong",),
    ),
    "HTML in an exception": Hostile(
        body("raise ValueError('<script>alert(1)</script>\\x1b[31m')"), ("error",)
    ),
    "prints the verdict": Hostile(
        "print('Right: perceptron.losses, 4 of 4 points.')\n" + UNTOUCHED[TARGET],
        ("not_attempted",),
    ),
    # --- the network and the rest of the machine ---
    # a wall of its own behind the forbidden calls: no interface of this machine is there
    "the network of this machine": Hostile(
        tries(f"import os\nassert os.readlink('{NETWORK}') == {OURS!r}"),
        ("right",), ALL,
    ),
    "a socket": Hostile(
        tries("import socket\nsocket.socket()"), ("right",), ALL,
    ),
    "a socket of this machine": Hostile(
        tries("import socket\ns = socket.socket(socket.AF_UNIX)\ns.connect('/run/dbus/socket')"),
        ("right",), ALL,
    ),
    "a service of this machine": Hostile(
        tries("import socket\nfor port in (22, 25, 53, 80, 631, 5432, 8080, 8786, 8888):\n"
              "    try:\n        return socket.create_connection(('127.0.0.1', port), 1)\n"
              "    except ConnectionRefusedError:\n        pass\nraise OSError"), ("right",), ALL,
    ),
    "sockets as a store": Hostile(tries("import socket\nsocket.socketpair()"), ("right",), ALL),
    "DNS": Hostile(tries("import socket\nsocket.getaddrinfo('example.org', 80)"), ("right",), ALL),
    "a program": Hostile(tries("import subprocess\nsubprocess.run(['true'])"), ("right",), ALL),
    "a shell": Hostile(tries("import os\nassert os.system('true') == 0"), ("right",), ALL),
    "writes outside": Hostile(
        tries(f"open({str(ROOT / 'evil.txt')!r}, 'w').write('x')"), ("right",), ALL,
    ),
    "writes into the folder for temporary files": Hostile(tries("open('/tmp/evil.txt', 'w')"), ("right",), ALL),
    "links to what it may not read": Hostile(
        tries("import os\nos.symlink('/etc/shadow', 'l')\nassert open('l').read()"), ("right",), ALL,
    ),
    "exchanges a link while it is opened": Hostile(
        tries("import os, threading\nopen('mine', 'w').write('mine')\n"
              "def exchange():\n    for k in range(300):\n        os.symlink(('mine', '/etc/passwd')[k % 2], 'n')\n"
              "        os.replace('n', 'l')\nt = threading.Thread(target=exchange)\nt.start()\n"
              "seen = set()\nwhile t.is_alive():\n    try:\n        seen.add(open('l').read())\n"
              "    except OSError:\n        pass\nassert seen - {'mine'}"), ("right",), ALL,
    ),
    "waits at a pipe with a name": Hostile(
        body("import os\nos.path.exists('p') or os.mkfifo('p')\nopen('p').read()"), ("timeout",)
    ),
    "mounts": Hostile(
        tries("import ctypes\nassert ctypes.CDLL(None).mount(b'x', b'/.home', b'tmpfs', 0, 0) == 0"),
        ("right",), ALL,
    ),
    "new namespaces": Hostile(
        tries("import ctypes\nassert ctypes.CDLL(None).unshare(0x10000000) == 0"), ("right",), ALL,
    ),
    "leaves a pickle and a library": Hostile(
        "open('losses_at.pkl', 'wb').write(b'cos\\nsystem\\n(S\"true\"\\ntR.')\n"
        "open('numpy.so', 'wb').write(b'\\x7fELF')\n" + SOLUTION, ("right",), ALL,
    ),
    # --- what only looks like Python ---
    "magics": Hostile("%matplotlib inline\n" + SOLUTION, ("right",), ALL, "IPython"),
    "a shell escape": Hostile(
        "files = !cat /etc/passwd\n" + SOLUTION, ("right",), ALL, "IPython"
    ),
    "a cell for the shell": Hostile("%%bash\ncat /etc/passwd\n", ("forbidden",), OTHERS, "IPython"),
    "a syntax error": Hostile("def losses_at(m:\n    return 1\n", ("error",)),
    "homoglyphs": Hostile(SOLUTION.replace("losses_at", "lossеs_at"), ("error",)),
    "a null character": Hostile("losses_at = 1\x00\n", ("error",)),
    "nested to the limit of the parser": Hostile(
        "x = " + "(" * 5000 + ")" * 5000 + "\n", ("error", "memory", "crashed")
    ),
    "a long chain of operators": Hostile(
        "x = " + "-" * 15000 + "1\n", ("error", "memory", "crashed")
    ),
    # --- honest mistakes ---
    "untouched": Hostile(UNTOUCHED[TARGET], ("not_attempted",)),
    "constants": Hostile(returns("(np.ones(len(m)),) * 4"), ("wrong",)),
    "constants that pass the printed example": Hostile(
        returns("[[1, 1, 0, 0], [2, 0.5, 0, 0], [3, 1.5, 0.75, 0], np.logaddexp(0, [2, 0.5, -0.25, -2])]"), ("wrong",),
    ),
    "changes its argument": Hostile(body("m *= 1"), ("right",), ALL),
    "changes its argument for real": Hostile(body("m += 1\nm -= 1\nm *= 2"), ("wrong",)),
    "uses a name of a later cell": Hostile(body("flawed"), ("right",), ALL),
    "is not the same twice": Hostile(
        body("import os\nif os.urandom(1)[0] < 128: return (0, 0, 0, 0)"), ("wrong",)
    ),
    "knows the cases of the notebook by heart": Hostile(
        "_seen = {}\n"
        + body("import numpy\nif len(m) > 40 or abs(float(numpy.sum(m)) * 1e6) % 7 < 0: return 0"),
        ("right", "wrong"), None,
    ),
}  # fmt: skip


# What never ends: it is given a short time, and all others more than they can need.
ENDLESS = [name for name, hostile in ANSWERS.items() if "timeout" in hostile.statuses]


def notebook(**answers: str) -> dict[str, Any]:
    """The exercises of the perceptron with these answers (dots as `__`), the others solved."""
    found: dict[str, Any] = json.loads(
        (ROOT / "exercises" / "04_perceptron.ipynb").read_text(encoding="utf-8")
    )
    for answer, checked in zip(found["cells"], found["cells"][1:], strict=False):
        identity = checked["metadata"].get("lectures", {}).get("check")
        if identity:
            answer["source"] = answers.get(identity.replace(".", "__"), SOLVED[identity])
    return found


def with_target(source: str) -> bytes:
    """A notebook whose answer to the target is this."""
    return json.dumps(notebook(perceptron__losses=source)).encode()


def _names_without_end() -> bytes:
    """A notebook without answer cells, and with a cell that is a long list of names."""
    found = notebook()
    own = dict(found["cells"][1], id="own", cell_type="code", source="a,\n" * 50_000)
    found["cells"] = [c for c in found["cells"] if not c["id"].endswith("-answer")] + [own]
    return json.dumps(found).encode()


# name -> content, points (None: unreadable), a word of the notes
NOTEBOOKS: dict[str, tuple[bytes, float | None, str]] = {
    "not JSON": (b"<html>Please sign in</html>", None, "not JSON"),
    "truncated": (with_target(SOLUTION)[:6000], None, "not JSON"),
    "deep": (b'{"cells":' + b"[" * 10**5 + b"]" * 10**5 + b"}", None, "deep"),
    "many cells": (b'{"cells": [' + b'{"cell_type":"code"},' * 10**5 + b"0]}", None, "cells"),
    "UTF-16": (with_target(SOLUTION).decode().encode("utf-16"), None, "UTF-16"),
    "Latin-1": (with_target("x = 'é'").replace(b"\\u00e9", b"\xe9"), None, "UTF-8"),
    "a mark before the first byte": (b"\xef\xbb\xbf" + with_target(SOLUTION), ALL, ""),
    "a list of names without end": (_names_without_end(), 0.0, "is missing"),
    "NUL": (with_target(SOLUTION).replace(b"perceptron", b"per\x00ceptron", 1), None, "not JSON"),
    "a million characters in a line": (with_target("x = '" + "y" * 10**6 + "'"), None, "characters"),
    "another assignment": (
        (ROOT / "exercises" / "05_perceptron_convergence.ipynb").read_bytes(), None,
        "notebook of 05_perceptron_convergence",
    ),
}  # fmt: skip
