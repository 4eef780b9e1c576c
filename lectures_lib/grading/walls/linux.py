"""What Linux offers to shut a process in, called by ctypes: namespaces, mounts, Landlock, seccomp.

Each function does one thing and raises OSError where the system refuses.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
from collections.abc import Sequence
from typing import Any

NEWNS, NEWCGROUP, NEWUTS = 0x00020000, 0x02000000, 0x04000000
NEWIPC, NEWUSER, NEWPID, NEWNET = 0x08000000, 0x10000000, 0x20000000, 0x40000000
NAMESPACES = NEWNS | NEWCGROUP | NEWUTS | NEWIPC | NEWUSER | NEWPID | NEWNET

MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_BIND, MS_REC, MS_PRIVATE = 2, 4, 8, 4096, 16384, 1 << 18
MS_DETACH = 2
ATTR_RDONLY, ATTR_NOSUID = 1, 2

PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_NO_NEW_PRIVS, PR_SET_CHILD_SUBREAPER = 38, 36

# Numbers of system calls: x86_64, aarch64. Those from 424 on are the same everywhere.
_MACHINE = {"x86_64": 0, "aarch64": 1}.get(platform.machine(), -1)
_AUDIT_ARCH = (0xC000003E, 0xC00000B7)
PIVOT_ROOT, CLONE, CLONE3 = (155, 41), (56, 220), (435, 435)
MOUNT_SETATTR = 442
LANDLOCK_CREATE, LANDLOCK_ADD, LANDLOCK_RESTRICT = 444, 445, 446

# What no exercise needs, and what leads out of the sandbox or around its limits.
FORBIDDEN = {
    "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200),
    "listen": (50, 201),
    "execve": (59, 221), "execveat": (322, 281), "unshare": (272, 97), "setns": (308, 268),
    "mount": (165, 40), "umount2": (166, 39), "pivot_root": PIVOT_ROOT, "chroot": (161, 51),
    "open_tree": (428, 428), "move_mount": (429, 429), "fsopen": (430, 430),
    "mount_setattr": (442, 442), "open_by_handle_at": (304, 265), "bpf": (321, 280),
    "perf_event_open": (298, 241), "userfaultfd": (323, 282), "io_uring_setup": (425, 425),
    "keyctl": (250, 219), "add_key": (248, 217), "request_key": (249, 218),
    "memfd_create": (319, 279), "memfd_secret": (447, 447), "shmget": (29, 194),
    "mq_open": (240, 180), "kexec_load": (246, 104), "init_module": (175, 105),
    "finit_module": (313, 273), "delete_module": (176, 106), "reboot": (169, 142),
    "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89), "quotactl": (179, 60),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "sethostname": (170, 161),
    "syslog": (103, 116), "personality": (135, 92), "pidfd_getfd": (438, 438),
}  # fmt: skip

_libc: Any = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None


def _called(result: int, what: str) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, f"{what}: {os.strerror(number)}")
    return result


def _syscall(number: int, what: str, *arguments: object) -> int:
    return _called(int(_libc.syscall(ctypes.c_long(number), *arguments)), what)


def prctl(option: int, value: int, pointer: object = 0) -> None:
    """One setting of this process."""
    zero = ctypes.c_ulong(0)
    third = ctypes.c_ulong(pointer) if isinstance(pointer, int) else pointer
    _called(_libc.prctl(option, ctypes.c_ulong(value), third, zero, zero), "prctl")


def unshare(flags: int) -> None:
    """Leave namespaces for new ones; a new pid namespace is for the children only."""
    _called(_libc.unshare(flags), "unshare")


def setns(descriptor: int, kind: int) -> None:
    """Enter a namespace."""
    _called(_libc.setns(descriptor, kind), "setns")


def mount(source: str, target: str, kind: str = "", flags: int = 0, options: str = "") -> None:
    """Mount something."""
    texts = [text.encode() or None for text in (source, target, kind)]
    given = options.encode() or None
    result = _libc.mount(texts[0], texts[1], texts[2], ctypes.c_ulong(flags), given)
    _called(result, f"mount {source} on {target}")


def make_read_only(target: str) -> None:
    """A mount, and what is mounted below it, becomes read-only, without set-uid programs."""
    attributes = struct.pack("QQQQ", ATTR_RDONLY | ATTR_NOSUID, 0, 0, 0)
    _syscall(
        MOUNT_SETATTR, "mount_setattr", -100, target.encode(), ctypes.c_uint(0x8000),
        attributes, ctypes.c_size_t(len(attributes)),
    )  # fmt: skip


def pivot_to(root: str) -> None:
    """Make a mounted folder the root; nothing of the old one can be reached afterwards."""
    os.chdir(root)
    _syscall(PIVOT_ROOT[_MACHINE], "pivot_root", b".", b".")
    _called(_libc.umount2(b".", MS_DETACH), "umount2")
    os.chdir("/")


def drop_privileges() -> None:
    """Give up every capability, for good."""
    for capability in range(64):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            break
    header = struct.pack("Ii", 0x20080522, 0)
    _called(_libc.capset(header, struct.pack("IIIIII", *[0] * 6)), "capset")
    prctl(PR_SET_NO_NEW_PRIVS, 1)


def forbid_system_calls() -> None:
    """From now on the calls of FORBIDDEN fail with EPERM, in this process and its children."""
    if _MACHINE < 0:
        raise OSError(f"no list of system calls for {platform.machine()}")
    program = _filter()
    buffer = ctypes.create_string_buffer(program, len(program))
    head = struct.pack("HxxxxxxQ", len(program) // 8, ctypes.addressof(buffer))
    prctl(PR_SET_SECCOMP, 2, ctypes.c_char_p(head))


def _filter() -> bytes:
    """The program for the kernel: look at the machine, then at the number of the call."""
    load, equal, greater, some, leave = 0x20, 0x15, 0x35, 0x45, 0x06
    allow, refuse, missing, kill = 0x7FFF0000, 0x00050001, 0x00050026, 0x80000000

    def step(code: int, value: int, yes: int = 0, no: int = 0) -> bytes:
        return struct.pack("HBBI", code, yes, no, value)

    steps = [step(load, 4), step(equal, _AUDIT_ARCH[_MACHINE], 1, 0), step(leave, kill)]
    # Numbers above 0x40000000 are the same calls once more, for the x32 interface.
    steps += [step(load, 0), step(greater, 0x40000000, 0, 1), step(leave, kill)]
    for numbers in FORBIDDEN.values():
        steps += [step(equal, numbers[_MACHINE], 0, 1), step(leave, refuse)]
    # clone3 hides its flags from us: the C library then takes clone, without new namespaces.
    steps += [step(equal, CLONE3[_MACHINE], 0, 1), step(leave, missing)]
    steps += [step(equal, CLONE[_MACHINE], 0, 3), step(load, 16), step(some, NAMESPACES, 0, 1)]
    return b"".join([*steps, step(leave, refuse), step(leave, allow)])


def landlock_version() -> int:
    """The version of Landlock in this kernel; 0 where there is none."""
    try:
        return _syscall(LANDLOCK_CREATE, "landlock", None, ctypes.c_size_t(0), ctypes.c_uint(1))
    except OSError:
        return 0


READ, WRITE = 0b1100, 0b1111111111110010  # files and folders; executing is never allowed


def allow_only(readable: Sequence[str], writable: Sequence[str]) -> None:
    """From now on nothing but these places can be opened; no network, no signals to others."""
    version = landlock_version()
    files = (1 << min(16, {1: 13, 2: 14, 3: 15, 4: 15}.get(version, 16))) - 1
    network = 3 if version >= 4 else 0
    scopes = 3 if version >= 6 else 0
    rules = struct.pack("QQQ", files, network, scopes)
    size = 24 if version >= 6 else 16 if version >= 4 else 8
    rules_at = _syscall(
        LANDLOCK_CREATE, "landlock", rules, ctypes.c_size_t(size), ctypes.c_uint(0)
    )  # fmt: skip
    try:
        for paths, access in ((readable, READ), (writable, READ | WRITE)):
            for path in paths:
                _allow(rules_at, path, access & files)
        _syscall(LANDLOCK_RESTRICT, "landlock_restrict_self", rules_at, ctypes.c_uint(0))
    finally:
        os.close(rules_at)


def _allow(rules_at: int, path: str, access: int) -> None:
    place = os.open(path, getattr(os, "O_PATH", 0x200000) | os.O_CLOEXEC)
    try:
        if not os.path.isdir(path):  # noqa: PTH112 -- no Path in a sandbox that is being built
            access &= 0b100000000000110  # execute, write, read and truncate a file
            access &= ~1
        rule = struct.pack("=Qi", access, place)
        _syscall(LANDLOCK_ADD, "landlock_add_rule", rules_at, 1, rule, ctypes.c_uint(0))
    finally:
        os.close(place)
