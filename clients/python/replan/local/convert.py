"""Arguments become structs of the engine, and its structs what calls return."""

from __future__ import annotations

import ctypes
import numbers
from collections.abc import Iterable, Sequence
from typing import Any

from .. import arguments, replan_pb2 as pb
from ..answer import Frame, cost as cost_of
from ..arguments import Cell, Octets, Point
from ..errors import ReplanError
from . import library as c


class Told:
    """What a question was answered with, copied."""

    def __init__(self, result: Any) -> None:
        count = result.count
        self.version: int = result.version
        self.costs = [cost_of(value) for value in result.costs[:count]] if result.costs else []
        self.after = [cost_of(value) for value in result.after[:count]] if result.after else []
        self.steps = ctypes.string_at(result.steps, count) if result.steps else b""
        self.x, self.y, self.width, self.height = result.x, result.y, result.width, result.height


def check_wait(word: str) -> None:
    if word not in ("applied", "settled"):
        raise ReplanError("INVALID", f'wait is "{word}", it must be one of applied, settled')


def frame_of(resolution: float, origin: Sequence[float]) -> Any:
    x, y, yaw = arguments.numbers_of("origin", origin, (3,), "(x, y, yaw)")
    side = arguments.real("create_world.resolution", resolution)
    if side <= 0:
        raise arguments.wrong("create_world.resolution", resolution, "greater than 0")
    return c.Frame(side, x, y, yaw)


def profiles_of(own: Sequence[pb.Profile]) -> Any:
    made_ = (c.ProfileOptions * len(own))()
    for i, (one, told) in enumerate(zip(made_, own)):
        if len(told.factors) not in (0, 256):
            raise arguments.invalid(f"profiles[{i}].factors", f"has {len(told.factors)} bytes, it must have 256")
        one.name, one.factors = told.name.encode(), told.factors or None
        one.like, one.unit = told.like.encode() or None, arguments.whole(f"profiles[{i}].unit", told.unit, 0, 255)
        one.unknown = int(told.unknown)
        one.unknown_factor = arguments.whole(f"profiles[{i}].unknown_factor", told.unknown_factor, 0, 255)
        one.inscribed, one.inscribed_count = told.inscribed, len(told.inscribed)
    return made_


def body_of(told: pb.Body, reach: float) -> Any:
    """reach: radius of the disc round it, metres."""
    return c.Body(profile=told.profile.encode() or None, radius_m=reach, inscribed_radius_m=told.inscribed_radius_m,
                  inflation_radius_m=told.inflation_radius_m, cost_scaling=told.cost_scaling_factor, cells=told.cells)


def fill_policy(options: Any, told: pb.Policy) -> None:
    if told.HasField("lease_s"):
        raise arguments.invalid("policy.lease_s", "is a daemon's, an agent of this process stays until it is closed")
    if told.switch_gain_percent > 100:
        raise arguments.invalid("policy.switch_gain_percent", f"is {told.switch_gain_percent}, at most 100")
    options.policy = c.Policy(told.switch_gain_percent, told.min_interval_ms, told.max_age_ms, told.answer_within_ms,
                              told.may_wait, told.immediate_start)
    options.follow_radius_m = arguments.real("policy.follow_radius_m", told.follow_radius_m, 0)
    options.escape_m = arguments.real("policy.escape_m", told.escape_m, 0)


def destinations(name: str, points: Sequence[Point]) -> Any:
    x, y = arguments.points(name, points)
    return (c.Destination * len(x))(*((a, b, 0) for a, b in zip(x, y)))


def cells_edit(name: str, cells: Iterable[Cell], byte: int | Octets, frame: Frame) -> tuple[Any, Any]:
    """An edit of single cells, and what must live as long as it."""
    indices = []
    for x, y in arguments.cells(name, cells):
        if not (0 <= x < frame.width and 0 <= y < frame.height):
            raise ReplanError("INVALID", f"cell ({x}, {y}) is outside the world of {frame.width} x {frame.height}")
        indices.append(y * frame.width + x)
    array = (ctypes.c_uint32 * len(indices))(*indices)
    if isinstance(byte, numbers.Integral):
        return c.Edit(cells=array, cell_count=len(indices), value=arguments.byte("byte", byte)), array
    values = arguments.octets("byte", byte)
    if len(values) != len(indices):
        raise arguments.invalid("byte", f"has {len(values)} bytes for {len(indices)} cells")
    return c.Edit(cells=array, cell_count=len(indices), values=values), (array, values)


def edit_of(change: pb.Change, frame: Frame) -> tuple[Any, Any]:
    """The edit of a Change, checked against the world, and what must live as long as it."""
    if change.x + change.width > frame.width or change.y + change.height > frame.height:
        raise arguments.invalid("change", f"the rectangle {change.width} x {change.height} at ({change.x}, {change.y}) reaches "
                                          f"outside the world of {frame.width} x {frame.height}")
    octets = change.data if change.HasField("data") else None
    if octets is not None and len(octets) != change.width * change.height:
        raise arguments.invalid("change.data", f"has {len(octets)} bytes, {change.width} x {change.height} cells need "
                                               f"{change.width * change.height}")
    for i, cell in enumerate(change.cells):
        if cell >= frame.width * frame.height:
            raise arguments.invalid(f"change.cells[{i}]", f"is {cell}, the world has {frame.width * frame.height} cells")
    count, values = len(change.cells), change.values
    if count and len(values) not in (1, count):
        raise arguments.invalid("change.values", f"has {len(values)} bytes for {count} change.cells")
    array = (ctypes.c_uint32 * count)(*change.cells)
    edit = c.Edit(x=change.x, y=change.y, width=change.width, height=change.height, data=octets,
                  fill=arguments.byte("change.fill", change.fill), cells=array, cell_count=count)
    if len(values) == 1:
        edit.value = values[0]
    elif count:
        edit.values = values
    return edit, (array, octets, values)
