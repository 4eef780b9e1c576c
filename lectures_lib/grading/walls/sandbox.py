"""The sandbox ladder: what shuts a student's code in, as strong as this machine allows.

namespaces   A root of its own with nothing in it but Python and the library, read-only, and an
             empty home in memory; its own processes, network, users and messages. When it ends,
             everything in it ends. Landlock and seccomp on top, where the kernel has them.
landlock     No namespaces to be had: Landlock (with its rule against signals) and seccomp.
none         Limits on time and memory only. Never by itself: only where a teacher asks for it.

This module runs in the fork server, before any code of a student.
"""

from __future__ import annotations

import contextlib
import os
import re
import signal
import sys
import sysconfig
from collections.abc import Callable
from pathlib import Path

from lectures_lib.grading.walls import linux
from linecheck.process import ended, forked, limit

RUNGS = ("namespaces", "landlock", "none")
HOME = "/.home"  # no folder of a course stands there
ROOT = "/sys"  # covered by the new root while it is built: it is there on every Linux
DEVICES = ("/dev/null", "/dev/zero", "/dev/urandom", "/dev/random")
LIBRARIES = ("/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib")

ALL_MEMORY = 3 * 2**30  # of all processes of one submission together
OWN_MEMORY = 2 * 2**30  # of one process
DISK = 64 * 2**20  # in memory: what a submission may write
PROCESSES, FILES, LARGEST_FILE = 48, 128, 32 * 2**20
CPU_SECONDS = 300
cpu_seconds = CPU_SECONDS  # of the processor, for each process; the fork server is told another
HELD = re.compile(rb"^Rss(?:Anon|Shmem):\s+(\d+) kB$", re.MULTILINE)
OUT_OF_MEMORY = 77  # how the first process of a sandbox ends when memory ran out


def library() -> Path:
    """The folder of this library."""
    return Path(__file__).resolve().parents[2]


def secrets() -> list[Path]:
    """What holds references and slips, or what is accepted: as source and compiled."""
    names = ("exercises.py", "tries.py", "cases.py", "__pycache__")
    return sorted(path for name in names for path in library().glob(f"chapters/*/{name}"))


def readable() -> list[str]:
    """The places that Python, the library and its judge of derivations need."""
    paths = sysconfig.get_paths()
    own = [paths["stdlib"], paths["platstdlib"], paths["purelib"], paths["platlib"]]
    libraries = [str(library()), str(library().parent / "linecheck")]
    wanted = [*LIBRARIES, f"{sys.base_prefix}/lib", *own, *libraries]
    return [path for path in dict.fromkeys(wanted) if Path(path).is_dir()]


# --- the namespaces -------------------------------------------------------------------------------


def enter_namespaces() -> None:
    """Leave this process's namespaces for new ones, with a root that holds nothing but Python.

    The process that returns is the first of a new pid namespace; its parent waits for it and ends
    as it ends.
    """
    _new_user_namespace(linux.NAMESPACES)
    child = os.fork()
    if child:
        os._exit(ended(child, kill=False) & 0xFF)
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    linux.mount("none", "/", "", linux.MS_REC | linux.MS_PRIVATE)
    _build_root()
    # A process may only mount a view of its own processes where it sees one already.
    linux.mount("proc", _made(f"{ROOT}/proc"), "proc", linux.MS_NOSUID | linux.MS_NODEV)
    linux.pivot_to(ROOT)
    linux.make_read_only("/")


def _new_user_namespace(flags: int) -> None:
    """As root of the new one; a helper outside writes down who that is outside.

    Where the teacher is root, students are somebody without any rights: limits on processes do not
    hold for root.
    """
    user, group = os.geteuid(), os.getegid()
    nobody = 2_000_000_000 + os.getpid() % 100_000
    users = f"0 {user} 1\n" + (f"1000 {nobody} 1\n" if user == 0 else "")
    groups = f"0 {group} 1\n" + (f"1000 {nobody} 1\n" if user == 0 else "")
    wait, go = os.pipe()

    def write_down() -> None:
        os.close(go)
        os.read(wait, 1)
        target = Path(f"/proc/{os.getppid()}")
        (target / "setgroups").write_text("deny")
        (target / "uid_map").write_text(users)
        (target / "gid_map").write_text(groups)

    helper = forked(write_down)
    os.close(wait)
    linux.unshare(flags)
    os.write(go, b"!")
    os.close(go)
    if ended(helper, kill=False):
        raise OSError("the users of the new namespace cannot be written")


def _build_root() -> None:
    linux.mount("tmpfs", ROOT, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=1m,mode=755")
    empty = _made(f"{ROOT}/.empty")
    for path in readable():
        if Path(path).is_symlink():
            Path(ROOT + path).symlink_to(Path(path).readlink())
        elif not Path(ROOT + path).exists():
            linux.mount(path, _made(ROOT + path), "", linux.MS_BIND | linux.MS_REC)
    for device in DEVICES:
        _made(f"{ROOT}/dev")
        Path(ROOT + device).touch()
        linux.mount(device, ROOT + device, "", linux.MS_BIND)
    for secret in secrets():
        cover = empty if secret.is_dir() else "/dev/null"
        linux.mount(cover, f"{ROOT}{secret}", "", linux.MS_BIND)
    _made(ROOT + HOME)


def _made(folder: str) -> str:
    Path(folder).mkdir(parents=True, exist_ok=True)
    return folder


def first_process(worker: Callable[[], None]) -> None:
    """What the first process of one submission's pid namespace does: nothing here returns.

    It gives the submission a home and its own view of processes, starts the worker, and watches
    over the memory. It runs no code of the student's and cannot be traced.
    """
    linux.prctl(linux.PR_SET_PDEATHSIG, signal.SIGKILL)
    linux.unshare(linux.NEWNS | linux.NEWIPC)
    linux.mount("proc", "/proc", "proc", linux.MS_NOSUID | linux.MS_NODEV | linux.MS_NOEXEC)
    options = f"size={DISK},nr_inodes=4000,mode=777"
    linux.mount("tmpfs", HOME, "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, options)

    def unblocked() -> None:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, [signal.SIGCHLD])
        worker()

    signal.pthread_sigmask(signal.SIG_BLOCK, [signal.SIGCHLD])
    child = forked(unblocked)
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    os.closerange(3, 64)
    os._exit(_watch(child))


def _watch(child: int) -> int:
    """Reap processes until the worker ends, or until all of them together take too much memory."""
    while True:
        signal.sigtimedwait([signal.SIGCHLD], 0.1)
        with contextlib.suppress(ChildProcessError):
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if ended[0] == child:
                    return max(0, -os.waitstatus_to_exitcode(ended[1]))
        if _memory_of_all() > ALL_MEMORY:
            return OUT_OF_MEMORY


def _memory_of_all() -> int:
    names = os.listdir("/proc")  # noqa: PTH208 -- once every tenth of a second
    return sum(memory_of(name) for name in names if name.isdigit())


def memory_of(process: str) -> int:
    """Bytes that a process holds, but for files: what is shared without a file counts too."""
    try:
        status = Path(f"/proc/{process}/status").read_bytes()
    except OSError:  # it has ended
        return 0
    return 1024 * sum(int(kilobytes) for kilobytes in HELD.findall(status))


# --- inside, just before the student's code -------------------------------------------------------


def confine(rung: str) -> tuple[str, ...]:
    """Shut this process in and say by what; called in the worker, once."""
    layers = ["rlimits"]
    _limit()
    if rung == "none":
        return tuple(layers)
    if rung == "namespaces":
        os.chdir(HOME)
        os.environ.update(HOME=HOME, TMPDIR=HOME)
        layers += ["user", "pid", "mount", "network", "ipc"]
        if os.geteuid() == 0 and _mapped(1000):
            os.setresgid(1000, 1000, 1000)
            os.setresuid(1000, 1000, 1000)
    linux.drop_privileges()
    if linux.landlock_version():
        home = [HOME] if rung == "namespaces" else []
        everything = ["/"] if rung == "namespaces" else _readable_but_for_secrets()
        linux.allow_only([*everything, "/dev/urandom"], [*home, "/dev/null"])
        layers.append("landlock")
    elif rung == "landlock":
        raise OSError("this kernel has no Landlock")
    try:
        linux.forbid_system_calls()
        layers.append("seccomp")
    except OSError:
        if rung == "landlock":
            raise
    return tuple(layers)


def _readable_but_for_secrets() -> list[str]:
    """Landlock has no exceptions: the library is listed, file by file, without its secrets."""
    chapters, hidden = library() / "chapters", set(secrets())
    inner = [path for path in chapters.glob("*/*") if path not in hidden]
    outer = [path for path in library().iterdir() if path != chapters]
    others = [path for path in readable() if path != str(library())]
    own = [str(path) for path in (*outer, *inner, chapters / "__init__.py")]
    return [*others, *own, "/proc/self"]


def _mapped(user: int) -> bool:
    lines = Path("/proc/self/uid_map").read_text(encoding="ascii").splitlines()
    return any(int(line.split()[0]) == user for line in lines)


def _limit() -> None:
    limit({"AS": OWN_MEMORY, "NOFILE": FILES, "FSIZE": LARGEST_FILE, "CORE": 0})
    limit({"CPU": cpu_seconds, "NPROC": PROCESSES})
    with contextlib.suppress(OSError):
        Path("/proc/self/oom_score_adj").write_text("1000")


# --- which rung -----------------------------------------------------------------------------------


def _works(attempt: Callable[[], object]) -> str:
    """Try something in a child; an empty text, or why it does not work here."""
    out, into = os.pipe()

    def tried() -> None:
        try:
            attempt()
        except BaseException as error:
            os.write(into, str(error).encode()[:300] or b"refused")

    child = forked(tried)
    os.close(into)
    with os.fdopen(out, "rb") as pipe:
        said = pipe.read()
    ended(child, kill=False)
    return said.decode("utf-8", "replace")


def best_rung() -> tuple[str, str]:
    """The strongest rung that works here ("" for none), and why no better one does."""
    if sys.platform != "linux":
        return "", f"{sys.platform} offers no sandbox to a Python program"
    why = _works(enter_namespaces)
    if not why:
        return "namespaces", ""
    version = linux.landlock_version()
    if version < 6 or _works(linux.forbid_system_calls):
        return "", f"no namespaces ({why}), and Landlock version {version}, wanted 6"
    if os.geteuid() == 0:
        return "", f"no namespaces ({why}), and for root no limit on processes holds"
    return "landlock", f"no namespaces: {why}"
