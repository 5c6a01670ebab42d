"""What an agent is answered: a path, or why there is none.

A path is told as the cell where it starts and a direction a step; its cells and points are made when they are asked for.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

from google.protobuf.message import DecodeError

from . import replan_pb2 as pb
from .arguments import octets
from .errors import ReplanError
from .motion import Pose, Segment, pose_along, segments_of

if TYPE_CHECKING:
    import numpy
    import numpy.typing

Places = list[tuple[float, float]]
Cells = list[tuple[int, int]]

STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_OUTCOMES = {number: name.lower() for name, number in pb.Outcome.items()}
_REASONS = {number: name.lower() for name, number in pb.Reason.items()}
_REASONS |= {pb.BROKEN: "invalid", pb.NEW_GOAL: "goal", pb.REQUESTED: "request"}
_WITH_PATH = ("found", "partial", "arrived")
_SHOWN_MAX = 12  # corners of a path that are printed


class Frame(NamedTuple):
    """Sides of a world in cells, metres a cell, and where the corner of cell (0, 0) lies."""

    width: int
    height: int
    resolution: float
    x: float
    y: float
    yaw: float

    def middle(self, x: float, y: float) -> tuple[float, float]:
        """The middle of a cell, in metres."""
        along_x, along_y = (x + 0.5) * self.resolution, (y + 0.5) * self.resolution
        cosine, sine = math.cos(self.yaw), math.sin(self.yaw)
        return self.x + cosine * along_x - sine * along_y, self.y + sine * along_x + cosine * along_y

    @staticmethod
    def of(geometry: pb.Geometry) -> Frame:
        return Frame(geometry.width, geometry.height, geometry.resolution, geometry.origin_x,
                     geometry.origin_y, geometry.origin_yaw)


class Line(NamedTuple):
    """Cells in a row: y * width + x of the first, and directions. On a torus it runs on beyond the edge."""

    start: int
    steps: bytes

    def walk(self, width: int) -> Iterator[tuple[int, int]]:
        y, x = divmod(self.start, width)
        yield x, y
        for step in self.steps:
            dx, dy = STEPS[step % len(STEPS)]
            x, y = x + dx, y + dy
            yield x, y

    def array(self, width: int) -> numpy.typing.NDArray[numpy.int32]:
        """The same for numpy [n, 2]."""
        import numpy
        y, x = divmod(self.start, width)
        cells = numpy.empty((len(self.steps) + 1, 2), numpy.int32)
        cells[0] = x, y
        cells[1:] = numpy.array(STEPS, numpy.int32)[numpy.frombuffer(self.steps, numpy.uint8) % len(STEPS)]
        return cells.cumsum(0, out=cells)


@dataclass(slots=True)
class Answer:
    """Optimal for the version, start and goal that it names, unless `optimal` is false."""

    world: str
    agent: str
    outcome: str  #: "found", "no_path", "start_blocked", "goal_blocked", "arrived", ..
    reason: str  #: why it was sent: "first", "invalid", "cheaper", "aged", "goal", ..
    cost: float | None  #: in cell lengths on normal ground; None without a path
    bound: float | None  #: no path costs less; None without a path
    optimal: bool  #: false for a path that was kept though another one is a little cheaper
    epoch: int  #: which incarnation of the world
    version: int  #: number of changes that the world had taken in
    window: int  #: number of the window whose cells the path is of
    path_seq: int  #: counts the answers of this agent: a jump means that some were missed
    goal_id: int  #: as given with the goal
    pose_seq: int  #: of the newest pose that it knows
    waypoint: int  #: number of the one that the path leads to, from 0
    goal_distance: float  #: metres from the end of the path to the goal, with nearest
    escape: float  #: metres that the way is long
    valid_through: int  #: so many of the path's steps rest on known cells, none assumed free
    stale_map: bool  #: no change came for longer than the world expects
    map_age_ms: int  #: since the last change
    planner: str  #: whose search found it: as asked for, or "auto" where that one knows no weights
    expansions: int  #: cells that the search took from its queue
    frame: Frame = field(repr=False)  #: of the window
    line: Line | None = field(repr=False)  #: the path as it was told; None without one
    way_line: Line | None = field(repr=False)
    message: pb.Answer | None = field(repr=False, compare=False)  #: as a daemon told it, with everything else; of replan.local the curve alone

    @property
    def path(self) -> Cells:
        """Cells [(x, y), ..], start first; empty without a path."""
        return _cells(self.line, self.frame)

    @property
    def way(self) -> Cells:
        """Cells out of a blocked one, the agent's first, path[0] last; or empty."""
        return _cells(self.way_line, self.frame)

    @property
    def points(self) -> Places:
        """The middles of the path's cells, (x, y) in metres of the world's frame.

        In a world that wraps they run on beyond the edge, so that they make one line.
        """
        return [] if self.line is None else [self.frame.middle(x, y) for x, y in self.line.walk(self.frame.width)]

    @property
    def way_points(self) -> Places:
        """The middles of the way's cells, (x, y) in metres, up to points[0]. Empty without a way."""
        if self.way_line is None or self.line is None:
            return []
        way = list(self.way_line.walk(self.frame.width))
        # On a torus so that it ends where the path begins.
        y, x = divmod(self.line.start, self.frame.width)
        off_x, off_y = x - way[-1][0], y - way[-1][1]
        return [self.frame.middle(x + off_x, y + off_y) for x, y in way]

    @property
    def bends(self) -> Places:
        """The points at which the path bends, its ends too: between two it is a straight line."""
        return [] if self.line is None else [self.frame.middle(x, y) for x, y in _corners(self.line, self.frame)]

    @property
    def segments(self) -> list[Segment]:
        """The curve of an agent with motion, from where it is; of others none."""
        return [] if self.message is None else segments_of(self.message)

    @property
    def leg_at(self) -> list[int]:
        """Of waypoints: by waypoint, from `waypoint` on, the number of the first of `segments` that leads there."""
        return [] if self.message is None else list(self.message.leg_at)

    @property
    def escape_segments(self) -> int:
        """So many of the first segments lead out of obstacles that the body overlaps, `escape` metres."""
        return 0 if self.message is None else self.message.escape_segments

    def pose_at(self, distance: float) -> Pose:
        """The pose (x, y, yaw) after so many metres along the curve, within its ends."""
        segments = self.segments
        if not segments:
            raise ReplanError("INVALID", "the answer has no segments: its agent has no motion, or no path")
        return pose_along(segments, distance)

    @property
    def path_array(self) -> numpy.typing.NDArray[numpy.int32]:
        """`path` for numpy, x and y by row [n, 2]."""
        import numpy
        if self.line is None:
            return numpy.empty((0, 2), numpy.int32)
        sides = numpy.array((self.frame.width, self.frame.height), numpy.int32)
        cells: numpy.typing.NDArray[numpy.int32] = self.line.array(self.frame.width) % sides
        return cells

    @property
    def points_array(self) -> numpy.typing.NDArray[numpy.float64]:
        """`points` for numpy, x and y in metres by row [n, 2]."""
        import numpy
        if self.line is None:
            return numpy.empty((0, 2))
        along = (self.line.array(self.frame.width) + 0.5) * self.frame.resolution
        cosine, sine = math.cos(self.frame.yaw), math.sin(self.frame.yaw)
        turned = numpy.array(((cosine, sine), (-sine, cosine)))
        points: numpy.typing.NDArray[numpy.float64] = along @ turned + (self.frame.x, self.frame.y)
        return points

    def __str__(self) -> str:
        """The answer in a line: with a path its cost, and the cells where it bends."""
        about = f"{self.agent}: {self.outcome} ({self.reason}) at version {self.version}"
        if self.line is None:
            return about
        corners = [str(cell) for cell in _corners(self.line, self.frame)]
        if len(corners) > _SHOWN_MAX:
            corners[_SHOWN_MAX - 2:-1] = [".."]
        kept = "" if self.optimal or self.bound is None else f", the optimum not below {self.bound:.2f}"
        return f"{about}, cost {self.cost or 0.0:.2f}{kept}, {len(self.line.steps) + 1} cells: {' '.join(corners)}"

    @staticmethod
    def parse(body: bytes) -> Answer:
        """An answer from the bytes that a SUB socket gets on a topic path/<world>/<agent>/."""
        try:
            return Answer.of(pb.Answer.FromString(octets("body", body)))
        except DecodeError:
            raise ReplanError("INVALID", "body is no replan.v1.Answer") from None

    @staticmethod
    def of(message: pb.Answer) -> Answer:
        """An answer from its message."""
        word, geometry = outcome(message), message.geometry
        has_path = word in _WITH_PATH and geometry.width > 0
        return Answer(
            message.world, message.agent, word, reason(message), cost(message.cost), cost(message.bound), message.optimal,
            message.epoch, message.version, message.window, message.path_seq, message.goal_id, message.pose_seq,
            message.waypoint, message.goal_distance_m, message.escape_m, message.valid_through, message.stale_map,
            message.map_age_ms, message.planner, message.expansions, Frame.of(geometry),
            Line(message.start, message.steps) if has_path else None,
            Line(message.way_start, message.way) if has_path and message.way else None, message)


def cost(value: float) -> float | None:
    """A cost as the wire tells it: -1 is none, as there is no path."""
    return None if value < 0 else value


def outcome(message: pb.Answer | pb.Said) -> str:
    """The word for the outcome of an Answer, or of a Said."""
    return _OUTCOMES.get(message.outcome) or f"outcome {message.outcome}"


def reason(message: pb.Answer | pb.Said) -> str:
    """The word for what made it new."""
    return _REASONS.get(message.reason) or f"reason {message.reason}"


def splice(message: pb.Answer, base_seq: int, base: bytes) -> bytes:
    """The whole steps of an Answer that may leave out what stands of its agent's last path.

    base_seq, base: path_seq and steps of that. ValueError when the answer builds upon another one.
    """
    if message.base_seq == 0:
        return message.steps
    begin = len(base) - message.kept_from_end
    kept = message.kept_head + message.kept_tail
    if message.base_seq != base_seq or begin < 0 or kept > message.kept_from_end:
        raise ValueError(f"the path {message.base_seq} of {message.agent} is not here")
    head = base[begin:begin + message.kept_head]
    return head + message.steps + base[len(base) - message.kept_tail:]


def steps_of(path: Sequence[tuple[int, int]], width: int, height: int, name: str = "path") -> bytes:
    """The steps of a path of cells (x, y) of a world of these sides, as bytes of directions 0..7.

    ReplanError when it has no cell, or a cell that is no neighbour of the one before.
    """
    if not path:
        raise ReplanError("INVALID", f"{name} is empty, it has 1 cell or more")
    steps: list[int] = []
    for (x, y), (next_x, next_y) in zip(path, path[1:]):
        step = (_short_way(next_x - x, width), _short_way(next_y - y, height))
        if step not in STEPS:
            raise ReplanError("INVALID", f"{name}[{len(steps) + 1}] is ({next_x}, {next_y}), no "
                                         f"neighbour of ({x}, {y})")
        steps.append(STEPS.index(step))
    return bytes(steps)


def _short_way(step: int, side: int) -> int:
    """Over the edge of a world that wraps, to the other side of it."""
    return step if abs(step) <= 1 else (step + 1) % side - 1


def _cells(line: Line | None, frame: Frame) -> Cells:
    """The cells of a line; over the edge of the world the other side comes in again."""
    return [] if line is None else [(x % frame.width, y % frame.height) for x, y in line.walk(frame.width)]


def _corners(line: Line, frame: Frame) -> Cells:
    """The cells of a line where it bends, and its ends."""
    last, steps = len(line.steps), line.steps
    return [cell for i, cell in enumerate(line.walk(frame.width)) if i in (0, last) or steps[i] != steps[i - 1]]
