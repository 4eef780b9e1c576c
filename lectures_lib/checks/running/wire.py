"""Plain data as bytes and back: JSON, and the numbers of arrays as they stand in memory.

Reading runs nobody's code, and sets aside no more memory than came in. A message is: the length of
the JSON, the JSON, and the arrays one after the other, whose types and shapes the JSON states.
"""

from __future__ import annotations

import json
import struct
from dataclasses import fields
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from lectures_lib.checks.running.in_thread import Reply, Status
from lectures_lib.checks.running.plain_data import Odd, Plain

LENGTH = struct.Struct(">I")
KINDS = "biufcUS"
LONGEST_TEXT = 20_000
LONGEST_LIST = 1_000_000
MOST_PIECES = 3_000_000  # of one message, before it is parsed: an empty list of 3 bytes takes 64
DEEPEST = 20  # a reply holds a value, and that may be nested itself


class WireError(ValueError):
    """What came is no message; the text says why."""


def pack(value: Plain) -> bytes:
    arrays: list[NDArray[Any]] = []
    content = _written(value, arrays)
    heads = [(array.dtype.str, array.shape) for array in arrays]
    text = json.dumps([content, heads]).encode("ascii")
    return b"".join([LENGTH.pack(len(text)), text, *(array.tobytes() for array in arrays)])


def _written(value: Plain, arrays: list[NDArray[Any]]) -> Any:
    if value is Ellipsis:
        return {"stub": True}
    if isinstance(value, Odd):
        return {"odd": str(value.what)}
    if isinstance(value, np.ndarray):
        arrays.append(value)
        return {"array": len(arrays) - 1}
    if isinstance(value, complex):
        return {"complex": [value.real, value.imag]}
    if isinstance(value, tuple):
        return [_written(entry, arrays) for entry in value]
    if isinstance(value, dict):
        return {"dict": {key: _written(entry, arrays) for key, entry in value.items()}}
    return value


def unpack(content: bytes) -> Plain:
    """The plain data in a message; WireError if it holds anything else."""
    try:
        (length,) = LENGTH.unpack(content[: LENGTH.size])
        end = LENGTH.size + length
        text = content[LENGTH.size : end]
        if sum(map(text.count, (b",", b"[", b"{"))) > MOST_PIECES:
            raise WireError(f"more than {MOST_PIECES:,} pieces")
        value, heads = json.loads(text)
        arrays = []
        for dtype, shape in heads:
            array = np.ndarray(shape, dtype, content, end)  # refused where fewer bytes came
            if array.dtype.kind not in KINDS:
                raise WireError(f"an array of {array.dtype.kind!r}")
            arrays.append(array.copy())
            end += array.nbytes
        return _read(value, arrays, 0)
    except WireError:
        raise
    except Exception as error:  # whatever bytes a stranger sends are no message
        raise WireError(f"{type(error).__name__}: {str(error)[:100]}") from None


def _read(value: Any, arrays: list[NDArray[Any]], depth: int) -> Plain:
    if depth > DEEPEST:
        raise WireError("it is nested too deeply")
    if value is None or isinstance(value, int | float):
        return value
    if isinstance(value, str):
        return value[:LONGEST_TEXT]
    if isinstance(value, list):
        if len(value) > LONGEST_LIST:
            raise WireError(f"a list with {len(value)} entries")
        return tuple(_read(entry, arrays, depth + 1) for entry in value)
    ((kind, content),) = value.items()
    if kind == "stub":
        return Ellipsis
    if kind == "odd":
        return Odd(str(content)[:300])
    if kind == "complex":
        real, imaginary = content
        return complex(float(real), float(imaginary))
    if kind == "array":
        return arrays[int(content)]
    if kind == "dict":
        return {str(key)[:300]: _read(entry, arrays, depth + 1) for key, entry in content.items()}
    raise WireError(f"a piece of kind {kind!r}"[:100])


def reply_as_data(reply: Reply) -> Plain:
    return {field.name: getattr(reply, field.name) for field in fields(reply)}


def reply_from_data(data: Plain) -> Reply:
    """The reply that `reply_as_data` wrote, every field of its type and cut to its length."""
    if not isinstance(data, dict) or set(data) != {field.name for field in fields(Reply)}:
        raise WireError("a reply with other fields")
    status = next((known for known in get_args(Status) if known == data["status"]), None)
    if status is None:
        raise WireError("a reply with an unknown status")
    length = data["printed_length"]
    return Reply(
        status,
        data["value"],
        _text(data["message"], 400),
        tuple(_text(line, 400) for line in _tuple(data["lines"], 8)),
        tuple(place for place in _tuple(data["changed"], 50) if isinstance(place, int)),
        _text(data["printed"], 2_000),
        length if isinstance(length, int) else 0,
        tuple(_text(warning, 400) for warning in _tuple(data["warnings"], 3)),
    )


def _text(value: Plain, longest: int) -> str:
    if not isinstance(value, str):
        raise WireError("a reply with something else in the place of a text")
    return value[:longest]


def _tuple(value: Plain, longest: int) -> tuple[Plain, ...]:
    if not isinstance(value, tuple):
        raise WireError("a reply with something else in the place of a list")
    return value[:longest]
