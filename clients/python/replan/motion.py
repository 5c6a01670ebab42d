"""How an agent moves whose path is a curve, and the pieces of such a curve."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

from . import replan_pb2 as pb
from .arguments import made

Pose = tuple[float, float, float]


def car(turning_radius: float, *, headings: int = 0, headings_most: int = 0, bound_percent: int | None = None,
        hold: float | None = None, follow_yaw: float | None = None, reverse: bool = False, reverse_factor: float | None = None,
        gear_change: float = 0.0) -> pb.Motion:
    """On arcs of this radius, metres, and on lines; for open_agent(motion=..).

    headings: of the lattice that is searched: 8, 16, 32 or 64; 0: 16.
    headings_most: where they find no path, twice as many are tried, up to so many; 0: 64. With more "no_path" takes longer.
    bound_percent: the first curve may cost so much more than the best, which is looked for after it; None: 10.
    hold: a new curve shares so many metres of the old one ahead of the agent, unless they are cut; None: one turning radius.
    follow_yaw: radians that the agent may be turned from its curve and still follow it; None: 0.35.
    reverse: it drives backwards, too: segments of negative length.
    reverse_factor: a metre backwards costs so many forwards; None: 1.
    gear_change: a change between forwards and backwards costs as much as so many metres.
    """
    return made(pb.Motion, drive=pb.CAR, turning_radius_m=turning_radius, headings=headings, headings_most=headings_most,
                bound_percent=bound_percent,
                hold_m=hold, follow_yaw=follow_yaw, reverse=reverse, reverse_factor=reverse_factor, gear_change_m=gear_change)


def spot(turning_radius: float = 0.0, *, turn: float | None = None, headings: int = 0,
         headings_most: int = 0, bound_percent: int | None = None, hold: float | None = None, follow_yaw: float | None = None, reverse: bool = False,
         reverse_factor: float | None = None, gear_change: float = 0.0) -> pb.Motion:
    """As car(), and it turns in place; with radius 0 it drives lines only.

    turn: a radian turned in place costs as much as so many metres; None: the radius of the body, at least a cell.
    """
    return made(pb.Motion, drive=pb.SPOT, turning_radius_m=turning_radius, turn_m_per_rad=turn, headings=headings, headings_most=headings_most,
                bound_percent=bound_percent, hold_m=hold, follow_yaw=follow_yaw, reverse=reverse,
                reverse_factor=reverse_factor, gear_change_m=gear_change)


def omni(*, turn: float | None = None, headings: int = 0, headings_most: int = 0, bound_percent: int | None = None,
         hold: float | None = None, follow_yaw: float | None = None) -> pb.Motion:
    """On lines in any direction, whatever its yaw, and turns in place; the options are those of spot()."""
    return made(pb.Motion, drive=pb.OMNI, turn_m_per_rad=turn, headings=headings, headings_most=headings_most,
                bound_percent=bound_percent, hold_m=hold, follow_yaw=follow_yaw)


class Segment(NamedTuple):
    """A line, an arc, a turn in place or a sideways move, in metres and radians."""

    x: float  #: where it begins, in the world's frame
    y: float
    yaw: float
    curvature: float  #: 1/m, above 0 to the left; 0: a line, or a turn in place
    length: float  #: 0 of a turn in place; below 0: driven backwards
    turn: float  #: above 0 to the left; of a turn in place
    course: float = 0.0  #: from yaw to where a line moves; 0 unless it is a sideways move

    def pose(self, part: float) -> Pose:
        """The pose after a part of its length, of a turn in place of its turn, without sign."""
        if self.turn != 0.0:
            return self.x, self.y, self.yaw + math.copysign(part, self.turn)
        part = math.copysign(part, self.length)
        if self.curvature == 0.0:
            ahead = self.yaw + self.course
            return self.x + part * math.cos(ahead), self.y + part * math.sin(ahead), self.yaw
        yaw = self.yaw + part * self.curvature
        return (self.x + (math.sin(yaw) - math.sin(self.yaw)) / self.curvature,
                self.y - (math.cos(yaw) - math.cos(self.yaw)) / self.curvature, yaw)

    @property
    def end(self) -> Pose:
        """The pose where it ends."""
        return self.pose(abs(self.turn) if self.turn != 0.0 else abs(self.length))


def segments_of(message: pb.Answer) -> list[Segment]:
    """Those that an answer tells."""
    columns = [getattr(message, name) for name in (_COLUMNS if message.segment_course else _COLUMNS[:-1])]
    return [Segment(*numbers) for numbers in zip(*columns)]


_COLUMNS = ("segment_x", "segment_y", "segment_yaw", "segment_curvature", "segment_length", "segment_turn", "segment_course")


def splice_segments(message: pb.Answer, base_seq: int, base: list[Segment]) -> list[Segment]:
    """The whole curve of an answer that may leave out what stands of the one before, which was `base` of the answer base_seq.

    ValueError when the answer builds upon another one. The message is made whole.
    """
    told = segments_of(message)
    head, tail, from_end = message.segments_head, message.segments_tail, message.segments_from_end
    if head + tail == 0:
        return told
    if message.base_seq != base_seq or from_end > len(base) or head + tail > from_end:
        raise ValueError(f"the curve {message.base_seq} of {message.agent} is not here")
    begin = len(base) - from_end
    whole = told[:1] + base[begin:begin + head] + told[1:] + base[len(base) - tail:]
    for name, values in zip(_COLUMNS if message.segment_course else _COLUMNS[:-1], zip(*whole)):
        column = getattr(message, name)
        del column[:]
        column.extend(values)
    message.segments_head = message.segments_tail = message.segments_from_end = 0
    return whole


def pose_along(segments: Sequence[Segment], distance: float) -> Pose:
    """The pose after so many metres, driven in either gear, at least that of the start, at most that of the end.

    Where a segment ends the next one's start counts, behind a turn in place the pose after it.
    """
    for segment in segments:
        length = abs(segment.length)
        if distance < length:
            return segment.pose(max(distance, 0.0))
        distance -= length
    return segments[-1].end
