"""What a session says: a path, or why there is none."""

import math
from dataclasses import dataclass, field

from google.protobuf.message import DecodeError

from . import replan_pb2 as pb
from .arguments import octets
from .errors import ReplanError

_STEPS = ((1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0), (-1, -1), (0, -1), (1, -1))
_REASONS = {pb.BROKEN: "invalid", pb.NEW_GOAL: "goal", pb.REQUESTED: "request"}
_WITH_PATH = (pb.FOUND, pb.PARTIAL, pb.ARRIVED)


@dataclass(frozen=True)
class Answer:
    """Optimal for the version, start and goal that it names, unless `optimal` is false."""

    world: str
    agent: str
    outcome: str  #: "found", "no_path", "start_blocked", "goal_blocked", "arrived", ..
    reason: str  #: why it was sent: "first", "invalid", "cheaper", "aged", "goal", ..
    path: list = field(repr=False)  #: cells [(x, y), ..], start first; empty without a path
    cost: float  #: in cell lengths on normal ground; None without a path
    bound: float  #: no path costs less; None without a path
    optimal: bool  #: false for a path that was kept though another one is a little cheaper
    epoch: int  #: which incarnation of the world
    version: int  #: number of changes that the world had taken in
    window: int  #: number of the window whose cells the path is of
    path_seq: int  #: counts the answers of this agent: a jump means that some were missed
    goal_id: int  #: as given with the goal
    pose_seq: int  #: of the newest pose that it knows
    waypoint: int  #: number of the one that the path leads to, from 0
    goal_distance: float  #: metres from the end of the path to the goal, with nearest
    way: list = field(repr=False)  #: cells out of a blocked one, the agent's first, path[0] last; or empty
    escape: float  #: metres that the way is long
    valid_through: int  #: so many of the path's steps rest on known cells, none assumed free
    stale_map: bool  #: no change came for longer than the world expects
    map_age_ms: int  #: since the last change
    planner: str  #: whose search found it: as asked for, or "auto" where that one knows no weights
    expansions: int  #: cells that the search took from its queue
    message: pb.Answer = field(repr=False, compare=False)  #: as it came, with everything else

    @property
    def points(self):
        """The middles of the path's cells, (x, y) in metres of the world's frame.

        In a world that wraps they run on beyond the edge, so that they make one line.
        """
        return [_middle(self.message.geometry, x, y) for x, y in _walk(self.message)]

    @property
    def way_points(self):
        """The middles of the way's cells, (x, y) in metres, up to points[0]. Empty without a way."""
        way = _walk(self.message, way=True)
        if not way:
            return []
        # On a torus so that it ends where the path begins.
        x, y = divmod(self.message.start, self.message.geometry.width)[::-1]
        off_x, off_y = x - way[-1][0], y - way[-1][1]
        return [_middle(self.message.geometry, x + off_x, y + off_y) for x, y in way]

    @property
    def bends(self):
        """The points at which the path bends, its ends too: between two it is a straight line."""
        points, steps = self.points, self.message.steps
        last = len(points) - 1
        return [point for i, point in enumerate(points)
                if i in (0, last) or steps[i] != steps[i - 1]]

    @staticmethod
    def parse(body):
        """An answer from the bytes that a SUB socket gets on a topic path/<world>/<agent>/."""
        try:
            return Answer.of(pb.Answer.FromString(octets("body", body)))
        except DecodeError:
            raise ReplanError("INVALID", "body is no replan.v1.Answer") from None

    @staticmethod
    def of(message):
        """An answer from its message."""
        return Answer(
            world=message.world,
            agent=message.agent,
            outcome=outcome(message),
            reason=reason(message),
            path=_cells(message),
            way=_cells(message, way=True),
            cost=cost(message.cost),
            bound=cost(message.bound),
            optimal=message.optimal,
            epoch=message.epoch,
            version=message.version,
            window=message.window,
            path_seq=message.path_seq,
            goal_id=message.goal_id,
            pose_seq=message.pose_seq,
            waypoint=message.waypoint,
            goal_distance=message.goal_distance_m,
            escape=message.escape_m,
            valid_through=message.valid_through,
            stale_map=message.stale_map,
            map_age_ms=message.map_age_ms,
            planner=message.planner,
            expansions=message.expansions,
            message=message,
        )


def cost(value):
    """A cost as the wire tells it: -1 is none, as there is no path."""
    return None if value < 0 else value


def outcome(message):
    """The word for the outcome of an Answer, or of a Said."""
    return pb.Outcome.Name(message.outcome).lower()


def reason(message):
    """The word for what made it new."""
    return _REASONS.get(message.reason) or pb.Reason.Name(message.reason).lower()


def splice(message, base_seq, base):
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


def steps_of(path, width, height, name="path"):
    """The steps of a path of cells (x, y) of a world of these sides, as bytes of directions 0..7.

    ReplanError when it has no cell, or a cell that is no neighbour of the one before.
    """
    if not path:
        raise ReplanError("INVALID", f"{name} is empty, it has 1 cell or more")
    steps = []
    for (x, y), (next_x, next_y) in zip(path, path[1:]):
        step = (_short_way(next_x - x, width), _short_way(next_y - y, height))
        if step not in _STEPS:
            raise ReplanError("INVALID", f"{name}[{len(steps) + 1}] is ({next_x}, {next_y}), no "
                                         f"neighbour of ({x}, {y})")
        steps.append(_STEPS.index(step))
    return bytes(steps)


def _short_way(step, side):
    """Over the edge of a world that wraps, to the other side of it."""
    return step if abs(step) <= 1 else (step + 1) % side - 1


def _walk(message, way=False):
    """Follow the steps, or those of the way; over the edge of the world they go on beyond it."""
    if message.outcome not in _WITH_PATH or message.geometry.width == 0 or (way and not message.way):
        return []
    y, x = divmod(message.way_start if way else message.start, message.geometry.width)
    cells = [(x, y)]
    for step in message.way if way else message.steps:
        dx, dy = _STEPS[step % len(_STEPS)]
        x, y = x + dx, y + dy
        cells.append((x, y))
    return cells


def _cells(message, way=False):
    """The same, but over the edge of the world the other side comes in again."""
    width, height = message.geometry.width, message.geometry.height
    return [(x % width, y % height) for x, y in _walk(message, way)]


def _middle(geometry, x, y):
    along_x, along_y = (x + 0.5) * geometry.resolution, (y + 0.5) * geometry.resolution
    cosine, sine = math.cos(geometry.origin_yaw), math.sin(geometry.origin_yaw)
    return (geometry.origin_x + cosine * along_x - sine * along_y,
            geometry.origin_y + sine * along_x + cosine * along_y)
