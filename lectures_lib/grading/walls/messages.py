"""A line between the judge and a worker: plain data in messages, each with its length in front."""

from __future__ import annotations

import socket
import struct
import time

from lectures_lib.checks.running.plain_data import Plain
from lectures_lib.checks.running.wire import WireError, pack, unpack

LONGEST = 64 * 2**20
LENGTH = struct.Struct(">I")


class Ended(Exception):
    """The other side is gone."""


class Late(Exception):
    """The other side has not answered in time."""


class Link:
    """One end of the line."""

    def __init__(self, end: socket.socket) -> None:
        self.end = end

    def send(self, message: Plain) -> None:
        """Send a message; whoever does not take it for ten seconds is gone."""
        content = pack(message)
        self.end.settimeout(10)
        try:
            self.end.sendall(LENGTH.pack(len(content)) + content)
        except OSError:
            raise Ended from None

    def receive(self, seconds: float | None = None) -> Plain:
        """The next message; WireError if it is none, Late if it does not come in time."""
        end = None if seconds is None else time.monotonic() + seconds
        (length,) = LENGTH.unpack(self._bytes(LENGTH.size, end))
        if length > LONGEST:
            raise WireError(f"a message of {length:,} bytes")
        return unpack(self._bytes(length, end))

    def _bytes(self, wanted: int, end: float | None) -> bytes:
        pieces: list[bytes] = []
        while wanted:
            try:
                self.end.settimeout(None if end is None else max(0.001, end - time.monotonic()))
                piece = self.end.recv(min(wanted, 1 << 20))
            except TimeoutError:
                raise Late from None
            except OSError:
                raise Ended from None
            if not piece:
                raise Ended
            pieces.append(piece)
            wanted -= len(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """Hang up."""
        self.end.close()
