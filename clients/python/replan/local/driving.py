"""Bodies, motion and curves, between messages and the engine's structs."""

from __future__ import annotations

import ctypes
import math
from collections.abc import Sequence
from typing import Any

from .. import arguments, replan_pb2 as pb
from ..agents import footprint_of
from ..arguments import made
from ..errors import ReplanError
from ..motion import Segment
from . import library as c

_HEADINGS, _BOUND_PERCENT = 16, 10  # as of a daemon
_NOT_WITH_MOTION = ("inscribed_radius_m", "inflation_radius_m", "cells"), ("immediate_start", "answer_within_ms")
_AS_OF_LATTICE = ("", "auto", "lattice")


def body_of(*, footprint: Sequence[Any], padding: float, **body: object) -> pb.Body:
    """A Body whose fields are checked as a daemon does."""
    told = made(pb.Body, padding_m=padding, **body, **footprint_of(footprint))
    for name in ("radius_m", "inscribed_radius_m", "inflation_radius_m", "cost_scaling_factor", "padding_m"):
        arguments.real(f"body.{name}", getattr(told, name), 0)
    arguments.whole("body.cells", told.cells, 0, c.REACH_MAX)
    corners, begins = len(told.footprint_x), list(told.footprint_at) or [0]
    if corners == 0 and told.padding_m != 0:
        raise arguments.invalid("footprint", "is missing, padding needs it")
    if corners and (told.radius_m or told.cells):
        raise arguments.invalid("radius" if told.radius_m else "cells", "must be 0 with a footprint")
    if corners and not 3 <= corners <= c.CORNERS_MAX:
        raise arguments.invalid("footprint", f"has {corners} corners, it must have 3 to {c.CORNERS_MAX}")
    for i, (begin, end) in enumerate(zip(begins, begins[1:] + [corners])):
        if corners and (end - begin < 3 or i >= c.OUTLINES_MAX):
            raise arguments.invalid(f"footprint[{i}]", f"has {end - begin} corners, each of at most {c.OUTLINES_MAX} polygons has 3 or more")
    return told


def reach_of(body: pb.Body) -> float:
    """Radius of the disc round the body, metres."""
    padded = [[abs(one) + body.padding_m if one else 0.0 for one in of] for of in (body.footprint_x, body.footprint_y)]
    return max([body.radius_m, *map(math.hypot, *padded)])


def polygons_of(body: pb.Body) -> Any:
    """Its footprint; None of a disc."""
    corners, begins = len(body.footprint_x), list(body.footprint_at) or [0]
    if corners == 0:
        return None
    return c.PolygonBody(tuple(body.footprint_x), tuple(body.footprint_y), corners, tuple(begins), len(begins), body.padding_m)


def motion_of(asked: pb.Motion, body: pb.Body, resolution: float) -> Any:
    """The same for the engine, with the defaults of a daemon."""
    turn = asked.turn_m_per_rad if asked.HasField("turn_m_per_rad") else max(reach_of(body), resolution)
    polygons = polygons_of(body)
    return c.Motion(
        drive={pb.CAR: 1, pb.SPOT: 2, pb.OMNI: 3}.get(asked.drive, 4), body_radius_m=body.radius_m,
        footprint=None if polygons is None else ctypes.pointer(polygons), turning_radius_m=asked.turning_radius_m, turn_m_per_rad=turn,
        headings=asked.headings or _HEADINGS, hold_m=asked.hold_m if asked.HasField("hold_m") else asked.turning_radius_m,
        follow_yaw=asked.follow_yaw, bound_percent=asked.bound_percent if asked.HasField("bound_percent") else _BOUND_PERCENT,
        headings_most=asked.headings_most, reverse=asked.reverse, reverse_factor=asked.reverse_factor,
        gear_change_m=asked.gear_change_m)


def check_motion(body: pb.Body, policy: pb.Policy, planner: str) -> None:
    """Refuse what only agents without motion have."""
    for owner, message, names in (("body", body, _NOT_WITH_MOTION[0]), ("policy", policy, _NOT_WITH_MOTION[1])):
        for name in names:
            if getattr(message, name):
                raise arguments.invalid(f"{owner}.{name}", "is given: agents with motion do not have it yet")
    if planner not in _AS_OF_LATTICE:
        raise arguments.wrong("planner", planner, 'absent, "auto" or "lattice" with motion')


def fault_of(number: int, motion: Any, resolution: float) -> ReplanError | None:
    """None, or what is wrong with motion, by the engine's word for it (rp_motion_fault_t)."""
    cells = f"cells of {resolution:g} metres"
    status, sentence = {
        1: ("INVALID", "motion.drive must be CAR, SPOT or OMNI, as car(), spot() and omni() make it"),
        2: ("INVALID", f"motion.headings is {motion.headings} and headings_most {motion.headings_most}: they must be 0, 8, 16, 32 or 64, "
                       "and headings_most no less"),
        3: ("INVALID", f"body.radius_m is {motion.body_radius_m:g}, it must be above 0 and at most 64 {cells}, or there is a footprint"),
        4: ("INVALID", "body.footprint_x is no footprint"),
        5: ("INVALID", f"motion.turning_radius_m is {motion.turning_radius_m:g}, at most 64 {cells}, above 0 of a CAR, 0 of OMNI"),
        6: ("INVALID", f"motion.turn_m_per_rad is {motion.turn_m_per_rad:g}, it must lie within 0.01 and 1000 {cells}"),
        7: ("INVALID", f"motion.bound_percent is {motion.bound_percent}, at most 50"),
        8: ("INVALID", f"motion.hold_m is {motion.hold_m:g}, it must be 0 or more"),
        9: ("INVALID", f"motion.follow_yaw is {motion.follow_yaw:g}, it must be above 0, at most {math.pi}"),
        10: ("INVALID", f"motion.reverse_factor is {motion.reverse_factor:g}, it must lie within 1 and 100"),
        11: ("INVALID", f"motion.gear_change_m is {motion.gear_change_m:g}, it must lie within 0 and 1000 {cells}"),
        12: ("INVALID", f"motion.headings is {motion.headings}: with a turning_radius_m of {motion.turning_radius_m:g}, {cells}, no move turns "
                        "by one heading"),
        13: ("UNSUPPORTED", "motion: each side of the world must be at least twice body.radius_m, of one that wraps 8 cells, too"),
        14: ("LIMIT", f"motion.headings times the cells of the world is more than {1 << 31}"),
        15: ("UNKNOWN", "there is no such world"),
        16: ("INVALID", "motion.reverse: OMNI has no gears, it moves in any direction"),
    }.get(number, ("", ""))
    return ReplanError(status, sentence) if status else None


def segments_of(curve: Any) -> list[Segment]:
    """Those of an answer."""
    return [Segment(one.x_m, one.y_m, one.yaw, one.curvature, one.length_m, one.turn, one.course) for one in curve.segments[:curve.count]]


def curve_message(curve: Any) -> pb.Answer:
    """What an Answer says of a curve."""
    x, y, yaw, curvature, length, turn, course = zip(*segments_of(curve)) if curve.count else [()] * 7
    return pb.Answer(segment_x=x, segment_y=y, segment_yaw=yaw, segment_curvature=curvature, segment_length=length, segment_turn=turn,
                     segment_course=course if curve.has_courses else (),
                     leg_at=curve.leg_at[:curve.leg_count], escape_segments=curve.escape_count, valid_through_m=curve.valid_through_m)


def curve_of(segments: Sequence[object]) -> Any:
    """Segments as the engine has them."""
    for i, segment in enumerate(segments):
        if not isinstance(segment, Segment):
            raise arguments.wrong(f"path[{i}]", segment, "a Segment, as all of them or none")
        for name, number in zip(Segment._fields, segment):
            arguments.real(f"path[{i}].{name}", number)
    return (c.PathSegment * len(segments))(*segments)
