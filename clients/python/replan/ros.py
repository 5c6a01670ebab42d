"""What ROS tells in its own way: occupancy as -1 and 0..100, and numbers in 32 bits."""

import struct
from collections.abc import Iterable
from typing import Any

from . import arguments
from .errors import ReplanError

_MOST = 100
_KNOWN = bytes(range(_MOST + 1)) + b"\xff"  # -1 as a byte


def _byte_of(value: int) -> int:
    """The least byte that costmap_2d publishes so: 253 as 99, 254 as 100, 1..252 as 1 + 97 * (byte - 1) // 251."""
    return 254 if value == _MOST else 253 if value == 99 else 1 - (1 - value) * 251 // 97 if value else 0


_BYTES = bytes(_byte_of(value) if value <= _MOST else 255 for value in range(256))


def occupancy(data: Iterable[int]) -> bytes:
    """The bytes of a world with the profile "costmap" for the cells of an OccupancyGrid.

    data: -1 for unknown, 0..100; a list, an array of ROS, or bytes that hold such 8-bit numbers. ReplanError
    names the first that is none of these.
    """
    if not isinstance(data, (bytes, bytearray)):
        data = _packed(data)
    others = data.translate(None, _KNOWN)
    if others:
        at = data.index(others[0])
        raise _refused(at, struct.unpack("b", data[at:at + 1])[0])
    return data.translate(_BYTES)


def shortest_decimal(value: float) -> float:
    """The shortest decimal that a 32-bit float stands for: 0.05 where ROS says 0.05000000074505806.

    A number that is no 32-bit float stays as it is.
    """
    try:
        packed = struct.pack("f", value)
    except (OverflowError, struct.error):
        return value
    if struct.unpack("f", packed)[0] != value:
        return value
    decimals = (float(f"{value:.{digits}g}") for digits in range(1, 10))
    return next(decimal for decimal in decimals if struct.pack("f", decimal) == packed)


def _packed(data: object) -> bytes:
    values = arguments.entries("data", data)
    try:
        return struct.pack(f"{len(values)}b", *values)
    except struct.error:
        at = next(i for i, value in enumerate(values) if not _is_known(value))
        raise _refused(at, values[at]) from None


def _is_known(value: Any) -> bool:
    try:
        return bool(-1 <= value <= _MOST and value == int(value)) and not isinstance(value, float)
    except (TypeError, ValueError):
        return False


def _refused(at: int, value: object) -> ReplanError:
    return arguments.wrong(f"data[{at}]", value, f"-1 or within 0 and {_MOST}")
