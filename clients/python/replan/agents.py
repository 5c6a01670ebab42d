"""Calls on agents: to open one, and to say where it is and where it goes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from . import arguments, goals, replan_pb2 as pb
from .answer import Answer
from .arguments import Point, made
from .errors import ReplanError
from .goals import GoalLike
from .wire import Call, Wire


class Named:
    """An agent by its world and name."""

    def __init__(self, world: str, name: str, handle: int = 0) -> None:
        self.world = arguments.text("world", world)
        self.name = arguments.text("agent", name)
        self.handle = handle  #: its number in packed messages; 0: not known here

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self.world!r}, {self.name!r})"


class Place(NamedTuple):
    """Where an agent is: metres, radians, and the number of the pose."""

    x: float
    y: float
    yaw: float
    seq: int

    @staticmethod
    def of(x: float, y: float, yaw: float, pose_seq: int) -> Place:
        """The same of numbers that are not checked."""
        return Place(arguments.real("pose.x", x), arguments.real("pose.y", y), arguments.real("pose.yaw", yaw),
                     arguments.whole("pose.pose_seq", pose_seq, 0, 2**64 - 1))


def open_agent(wire: Wire, /, world: str, agent: str, start: Sequence[float], goal: GoalLike, *, planner: str = "",
               profile: str = "", radius: float = 0.0, inscribed_radius: float = 0.0, inflation_radius: float = 0.0,
               cost_scaling_factor: float = 0.0, cells: int = 0, footprint: Sequence[Any] = (), padding: float = 0.0, tolerance: float = 0.0, nearest: bool = False,
               goal_id: int = 0, bends: bool = False, motion: pb.Motion | None = None, segments: bool = False,
               **policy: float | None) -> Call[Named]:
    """Open an agent that goes from start to goal, (x, y) in metres. Returns Agent.

    start may be (x, y, yaw), a pose.
    goal may be a list of points: the cheapest counts; or replan.waypoints([..]),
    replan.region(corner, opposite), replan.target("another agent").
    tolerance: metres; any cell whose centre is this near to a point will do.
    nearest: when the goal cannot be reached, or lies outside, go to the nearest cell that can.
    goal_id: a number of yours, echoed in answers.
    planner: id of a planner; the daemon's default when empty.
    profile: meaning of bytes for this agent; the world's when empty.
    radius: metres; cells whose centre is this near to a blocked cell's block for this agent.
    inscribed_radius, inflation_radius, cost_scaling_factor: inflation as in ROS costmap_2d;
    inflation_radius 0: none.
    footprint: instead of a radius, corners (x, y) of a polygon in metres, x ahead of the agent, y to its left, or several
    such lists; up to 16 corners. With motion it is swept as it is; else the disc round it counts.
    padding: metres that each of them is moved outwards, as Nav2 does.
    cells: instead of radii, a square body of cells x cells, the agent's cell its lowest x and y.
    bends: published answers, for subscribers without this package, have the bends.
    motion: the path is to be a curve that the agent can drive with this body, a disc or a footprint: what replan.car()
    and replan.spot() make. Its answers have `segments` and pose_at(); start is (x, y, yaw), goal up to 64 points or waypoints.
    segments: published answers have the segments of its curve.
    policy: the fields of replan.v1.Policy; docs/policy.md explains them.
        switch_gain_percent=5: a legal path is replaced when another saves at least this much,
        min_interval_ms=200: but not sooner than this after the last answer. With 0 for both
        every answer is the optimum.
        max_age_ms=0: from this age on any saving will do; 0: never.
        answer_within_ms=0: if the optimum takes longer, send the best legal path known; 0: never.
        immediate_start=False: a new goal gets a legal path at once.
        may_wait=False: low priority, planned for only when no other agent waits.
        follow_radius_m=0: the agent still follows its path this far from it, by a straight line
        that meets no obstacle.
        escape_m=0: length of the longest way out of a blocked cell; 0: 64 cells.
        lease_s=60: close the agent when nobody has watched or named it for so long; 0: never.
    """
    x, y, *yaw = arguments.numbers_of("start", start, (2, 3), "(x, y) or (x, y, yaw)")
    needs = made(pb.Body, profile=profile, radius_m=radius,
                 inscribed_radius_m=inscribed_radius, inflation_radius_m=inflation_radius,
                 cost_scaling_factor=cost_scaling_factor, cells=cells, padding_m=padding, **footprint_of(footprint))
    body = made(pb.OpenAgent, world=world, agent=agent, planner=planner,
                pose=made(pb.Pose, x=x, y=y, yaw=yaw[0] if yaw else 0.0),
                goal=goals.message(goal, tolerance=tolerance, nearest=nearest, goal_id=goal_id),
                body=needs,
                policy=made(pb.Policy, **policy), bends=bends, motion=motion, segments=segments)
    reply = yield from wire.ask(open_agent=body)
    return Named(world, agent, reply.opened.handle)


def footprint_of(footprint: Sequence[Any]) -> dict[str, list[Any]]:
    """The fields of Body for a polygon, or for several."""
    polygons = arguments.entries("footprint", footprint)
    if polygons and goals.is_point(polygons[0]):
        polygons = [polygons]
    x: list[float] = []
    y: list[float] = []
    at: list[int] = []
    for polygon in polygons:
        at.append(len(x))
        corners = arguments.points("footprint", polygon)
        x += corners[0]
        y += corners[1]
    return {"footprint_x": x, "footprint_y": y, "footprint_at": at if len(at) > 1 else []}


def answer(wire: Wire, agent: Named, /) -> Call[Answer]:
    """The newest answer, true for the newest version of the world."""
    request = pb.Request()  # this one, goto() and pose() are made by hand: thousands a second are sent
    asked = request.get_answer
    asked.world, asked.agent, asked.segments = agent.world, agent.name, True
    reply = yield from wire.ask_made(request, wire.timeout_s)
    wire.hear_of(reply.answer)
    return Answer.of(reply.answer)


def goto(wire: Wire, agent: Named, /, goal: GoalLike, *, tolerance: float = 0.0, nearest: bool = False,
         goal_id: int = 0) -> Call[None]:
    """Set another goal, as in Client.open_agent(). goal_id: a number of yours, echoed in answers."""
    request = pb.Request()
    told = goals.put(request.set_goal, goal, tolerance, nearest, goal_id)
    told.world, told.agent, told.must_be_open = agent.world, agent.name, wire.strict
    yield from wire.ask_made(request, wire.timeout_s)


def pose(wire: Wire, agent: Named, /, x: float, y: float, yaw: float = 0.0, *, pose_seq: int = 0) -> Call[None]:
    """Tell where the agent is: metres, radians. pose_seq: greater is newer; 0: unnumbered."""
    yield from tell(wire, agent, Place.of(x, y, yaw, pose_seq))


def tell(wire: Wire, agent: Named, /, place: Place) -> Call[None]:
    """The same of a place whose numbers are checked."""
    request = pb.Request()
    told = request.set_pose
    told.world, told.agent, told.must_be_open = agent.world, agent.name, wire.strict
    told.x, told.y, told.yaw, told.pose_seq = place
    yield from wire.ask_made(request, wire.timeout_s)


def close(wire: Wire, agent: Named, /) -> Call[None]:
    """Close the agent."""
    yield from wire.ask(close_agent=pb.CloseAgent(world=agent.world, agent=agent.name))


def poses(wire: Wire, /, agents: Iterable[Named], places: Sequence[Point], *, pose_seq: int = 0,
          yaws: Iterable[float] = ()) -> Call[None]:
    """Tell where many agents of one world are, in one request.

    agents: as open_agent() gives them. places: (x, y) in metres, one each. pose_seq: as in Agent.pose(), one for all.
    yaws: radians, one each; none: the last ones told. Agents with motion need one once.
    """
    named = _agents_of(agents)
    for i, agent in enumerate(named):
        if agent.handle == 0:
            raise arguments.wrong(f"agents[{i}]", agent, "an Agent of open_agent(), whose handle is known")
    x, y = arguments.points("places", places)
    if len(x) != len(named):
        raise arguments.invalid("places", f"has {len(x)} entries, it must have one for each of the {len(named)} agents")
    body = made(pb.Poses, world=named[0].world, handles=[agent.handle for agent in named], x=x, y=y, pose_seq=pose_seq,
                yaw=arguments.entries("yaws", yaws))
    yield from wire.ask(set_poses=body)


def order(wire: Wire, /, agents: Iterable[Named], places: Point | Sequence[Point], *, tolerance: float = 0.0,
          nearest: bool = False, goal_ids: Iterable[int] = (), yaws: Iterable[float] = (), either_way: bool = False,
          yaw_tolerance: float = 0.0) -> Call[None]:
    """Send many agents of one world, in one request.

    agents: as open_agent() and agent() give them.
    places: one (x, y) in metres for all, or one for each agent, near the others: they share
    one search. A path to a place of its own goes by way of the middle place if that is as
    good as switch_gain_percent asks; `bound` says how much cheaper another path may be.
    goal_ids: none, one for all, or one each, echoed in answers.
    yaws: radians to arrive with, of agents with motion: none, one for all, or one each; either_way: or the other
    way round; yaw_tolerance: radians, as of replan.facing().
    """
    facing = arguments.entries("yaws", yaws)
    named = _agents_of(agents)
    # On the wire those with handles come first.
    order = sorted(range(len(named)), key=lambda i: named[i].handle == 0)
    x, y = arguments.points("places", [places] if goals.is_point(places) else places)
    body = made(pb.Order, world=named[0].world,
                handles=[named[i].handle for i in order if named[i].handle != 0],
                agents=[named[i].name for i in order if named[i].handle == 0],
                x=_in_order("places", x, order), y=_in_order("places", y, order),
                goal_ids=_in_order("goal_ids", arguments.entries("goal_ids", goal_ids), order),
                yaw=_in_order("yaws", [arguments.real("yaws", yaw) for yaw in facing], order),
                heading=pb.AS_GIVEN if not facing else pb.EITHER_WAY if either_way else pb.FIXED, yaw_tolerance=yaw_tolerance,
                tolerance_m=tolerance, nearest=nearest)
    yield from wire.ask(order=body)


def _agents_of(agents: Iterable[Named]) -> list[Named]:
    found = arguments.entries("agents", agents)
    if not found:
        raise ReplanError("INVALID", "agents is empty, an order has 1 or more")
    for i, agent in enumerate(found):
        if not isinstance(agent, Named):
            raise arguments.wrong(f"agents[{i}]", agent, "an Agent")
    return found


def _in_order(name: str, values: list[Any], order: list[int]) -> list[Any]:
    """None, or one for all, as they are; of one each those of the agents in this order."""
    if len(values) > 1 and len(values) != len(order):
        raise arguments.invalid(name, f"has {len(values)} entries, it must have 1, or one for each of the "
                                f"{len(order)} agents")
    return [values[i] for i in order] if len(values) > 1 else values
