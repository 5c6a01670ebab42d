"""Where an agent may want to go, besides a point or the cheapest of several."""

import numbers
from collections.abc import Sequence
from typing import Any, Union

from . import arguments, replan_pb2 as pb
from .arguments import Point, made

Yaws = Union[float, Sequence[float]]
GoalLike = Union[Point, Sequence[Point], pb.Goal]


def waypoints(points: Sequence[Point], first: int = 0, *, yaws: Yaws = (), either_way: bool = False,
              tolerance: float = 0.0) -> pb.Goal:
    """All of these points (x, y), in order; an answer leads to the next one (Answer.waypoint).

    The curve of an agent with motion runs through all of them, as far as there is a way.
    first: number of the one to begin with; those before it were reached.
    yaws, either_way, tolerance: as of facing(), for agents with motion; none: any.
    """
    x, y = arguments.points("points", points)
    return _facing(made(pb.Goal, kind=pb.WAYPOINTS, x=x, y=y, first_waypoint=first), yaws, either_way, tolerance)


def region(corner: Point, opposite: Point) -> pb.Goal:
    """Anywhere in the rectangle along the grid between two corners (x, y), in metres of the frame."""
    (left, bottom), (right, top) = arguments.point("corner", corner), arguments.point("opposite", opposite)
    return made(pb.Goal, kind=pb.REGION, x=[left, right], y=[bottom, top])


def facing(place: Union[Point, Sequence[Point]], yaw: Yaws, *, either_way: bool = False, tolerance: float = 0.0) -> pb.Goal:
    """This point (x, y), or the cheapest of several, to arrive with a yaw, radians; for agents with motion.

    yaw: one for all, or one a point. either_way: or the other way round.
    tolerance: radians; any heading of the lattice this near to it will do.
    """
    x, y = arguments.points("place", [place] if is_point(place) else place)
    return _facing(made(pb.Goal, x=x, y=y), yaw, either_way, tolerance)


def _facing(goal: pb.Goal, yaws: Yaws, either_way: bool, tolerance: float) -> pb.Goal:
    found = [yaws] if isinstance(yaws, numbers.Real) else arguments.entries("yaw", yaws)
    if not found:
        return goal
    return arguments.fill(goal, yaw=[arguments.real("yaw", yaw) for yaw in found],
                          heading=pb.EITHER_WAY if either_way else pb.FIXED, yaw_tolerance=tolerance)


def target(agent: str) -> pb.Goal:
    """Wherever another agent of the same world is; outcome "target_lost" while there is none."""
    return made(pb.Goal, target=agent)


def message(goal: GoalLike, *, tolerance: float = 0.0, nearest: bool = False, goal_id: int = 0) -> pb.Goal:
    """A replan.v1.Goal from a point (x, y), a list of points, or what the functions above make.

    tolerance: metres; each cell whose middle is so near will do.
    nearest: when the goal cannot be reached, the nearest cell that can stands for it.
    """
    return put(pb.Goal(), goal, tolerance, nearest, goal_id)


def put(wanted: pb.Goal, goal: GoalLike, tolerance: float, nearest: bool, goal_id: int) -> pb.Goal:
    """The same into a message that is there."""
    if isinstance(goal, pb.Goal):
        wanted.CopyFrom(goal)
    elif isinstance(goal, (str, bytes, dict)) or not hasattr(goal, "__iter__"):
        raise arguments.wrong("goal", goal, _FORM)
    else:
        x, y = zip(arguments.numbers_of("goal", goal, (2,), _FORM)) if is_point(goal) else arguments.points("goal", goal)
        wanted.x.extend(x)
        wanted.y.extend(y)
    wanted.tolerance_m, wanted.nearest = arguments.real("goal.tolerance_m", tolerance), arguments.truth("goal.nearest", nearest)
    wanted.goal_id = arguments.whole("goal.goal_id", goal_id, 0, 2**64 - 1)
    return wanted


def is_point(place: Any) -> bool:
    """True for what begins with a number, as (x, y) does, and is no list of such."""
    return hasattr(place, "__getitem__") and not isinstance(place, (str, bytes, dict)) and len(place) > 0 \
        and isinstance(place[0], numbers.Real)


_FORM = "(x, y), a list of them, or what waypoints(), region(), facing() and target() make"
