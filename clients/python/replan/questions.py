"""Calls that ask before anybody acts."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from . import arguments, ask, replan_pb2 as pb
from .agents import Named
from .answer import cost, steps_of
from .arguments import Cell, Point, made
from .changes import ChangeLike, indices
from .motion import Segment
from .wire import Call, Wire


def costs(wire: Wire, /, world: str, sources: Sequence[Point],
          targets: Sequence[Point]) -> Call[list[list[float | None]]]:
    """Costs from each source to each target, by rows; None where there is no path."""
    from_x, from_y = arguments.points("sources", sources)
    to_x, to_y = arguments.points("targets", targets)
    body = made(pb.AskCosts, world=world, from_x=from_x, from_y=from_y, to_x=to_x, to_y=to_y)
    found = (yield from wire.ask(ask_costs=body)).costs
    return [[cost(value) for value in found.costs[i:i + found.columns]]
            for i in range(0, len(found.costs), found.columns)]


def probe(wire: Wire, /, change: ChangeLike, agents: str | Iterable[str] = (),
          pairs: Iterable[Sequence[Point]] = ()) -> Call[list[tuple[float | None, float | None]]]:
    """What-if: costs before and after a replan.v1.Change that is not made: [(before, after), ..].

    agents: a name, or several; of one with motion the cheapest curve counts, from the middle of its cell with its yaw.
    pairs: [((x, y), (x, y)), ..], which come after the agents.
    """
    ends = [arguments.points(f"pairs[{i}]", pair) for i, pair in
            enumerate(arguments.entries("pairs", pairs))]
    for i, (x, _) in enumerate(ends):
        if len(x) != 2:
            raise arguments.invalid(f"pairs[{i}]", f"has {len(x)} points, it must have 2")
    body = made(pb.AskProbe, change=change, agents=arguments.names("agents", agents),
                from_x=[x[0] for x, _ in ends], from_y=[y[0] for _, y in ends],
                to_x=[x[1] for x, _ in ends], to_y=[y[1] for _, y in ends])
    found = (yield from wire.ask(ask_probe=body)).probe
    return [(cost(a), cost(b)) for a, b in zip(found.before, found.after)]


def field(wire: Wire, agent: Named, /, reach: int) -> Call[ask.Field]:
    """The costs to its goals from the cells around it, `reach` cells each way. Returns Field."""
    body = made(pb.AskField, world=agent.world, agent=agent.name, reach=reach)
    found = (yield from wire.ask(ask_field=body)).field
    return ask.Field(found.version, found.x, found.y, found.width, found.height,
                     [cost(value) for value in found.costs], found.steps)


def valid(wire: Wire, agent: Named, /, path: Iterable[Cell] | Iterable[Segment], way: Iterable[Cell] = (), *,
          radius: float | None = None) -> Call[ask.Valid]:
    """Check whether the agent can walk this path now: cells [(x, y), ..] as in Answer.path. Returns Valid.

    Or whether a vehicle can drive a curve: segments as in Answer.segments, of a body of this radius, metres; None:
    that of the agent's motion.
    way: cells that lead out of a blocked one to path[0], as in Answer.way.
    """
    told = arguments.entries("path", path)
    if told and isinstance(told[0], Segment):
        found = (yield from wire.ask(ask_valid=_curve(agent, told, radius))).valid
        return ask.valid(found)
    cells = arguments.cells("path", told)
    window = yield from wire.window(agent.world)
    steps = steps_of(cells, window.width, window.height)
    body = pb.AskValid(world=agent.world, agent=agent.name, steps=steps,
                       start=indices(cells[:1], window)[0])
    out = arguments.cells("way", way)
    if out:
        body.way = steps_of(out, window.width, window.height, "way")
        body.way_start = indices(out[:1], window)[0]
    window.name_in(body)
    found = (yield from wire.ask(ask_valid=body)).valid
    return ask.valid(found)


def _curve(agent: Named, segments: list[Segment], radius: float | None) -> pb.AskValid:
    for i, segment in enumerate(segments):
        if not isinstance(segment, Segment):
            raise arguments.wrong(f"path[{i}]", segment, "a Segment, as all of them or none")
    x, y, yaw, curvature, length, turn, course = zip(*segments)
    return made(pb.AskValid, world=agent.world, agent=agent.name, segment_x=x, segment_y=y, segment_yaw=yaw,
                segment_curvature=curvature, segment_length=length, segment_turn=turn,
                segment_course=course if any(course) else (),
                body=None if radius is None else made(pb.Body, radius_m=radius))


def why(wire: Wire, agent: Named, /) -> Call[list[ask.Said]]:
    """The newest answers and the cause of each, newest first: a list of Said."""
    body = pb.AskWhy(world=agent.world, agent=agent.name)
    found = (yield from wire.ask(ask_why=body)).why
    return [ask.said(said) for said in found.said]
