"""Where an agent may want to go, besides a point or the cheapest of several."""

import numbers

from . import replan_pb2 as pb
from .errors import ReplanError


def waypoints(points, first=0):
    """All of these points (x, y), in order; an answer leads to the next one (Answer.waypoint).

    first: number of the one to begin with; those before it were reached.
    """
    goal = _points(points, pb.WAYPOINTS)
    goal.first_waypoint = first
    return goal


def region(corner, opposite):
    """Anywhere in the rectangle along the grid between two corners (x, y), in metres of the frame."""
    return _points([corner, opposite], pb.REGION)


def target(agent):
    """Wherever another agent of the same world is; outcome "target_lost" while there is none."""
    return pb.Goal(target=agent)


def message(goal, *, tolerance=0.0, nearest=False, goal_id=0):
    """A replan.v1.Goal from a point (x, y), a list of points, or what the functions above make.

    tolerance: metres; each cell whose middle is so near will do.
    nearest: when the goal cannot be reached, the nearest cell that can stands for it.
    """
    made = pb.Goal()
    try:
        if isinstance(goal, pb.Goal):
            made.CopyFrom(goal)
        else:
            points = [goal] if len(goal) > 0 and isinstance(goal[0], numbers.Real) else list(goal)
            made = _points(points, pb.POINTS)
    except (TypeError, ValueError):
        raise ReplanError("INVALID", f"goal is {goal!r}, it must be (x, y), a list of them, or what "
                                     "waypoints(), region() and target() make") from None
    made.tolerance_m, made.nearest, made.goal_id = tolerance, nearest, goal_id
    return made


def _points(points, kind):
    return pb.Goal(kind=kind, x=[x for x, _ in points], y=[y for _, y in points])
