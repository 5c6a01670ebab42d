"""An agent of an engine."""

from __future__ import annotations

import ctypes
from collections.abc import Iterable
from typing import TYPE_CHECKING

from .. import arguments, ask, goals
from ..answer import Answer, steps_of
from ..arguments import Cell
from ..errors import ReplanError
from ..goals import GoalLike
from ..motion import Segment
from . import driving, library as c

if TYPE_CHECKING:
    from .engine import Engine
    from .world import World


class Agent:
    """An agent. Get one by Engine.open_agent(), or Engine.agent()."""

    def __init__(self, engine: Engine, world: str, name: str, session: int, has_motion: bool) -> None:
        self.world, self.name = world, name
        self.session = session  #: of rp_session_id_t; 0: it was closed
        self.has_motion = has_motion  #: its path is a curve
        self.target = ""  #: name of the agent that it goes after
        self._engine, self._lib = engine, engine._lib

    def __repr__(self) -> str:
        return f"Agent({self.world!r}, {self.name!r})"

    def answer(self) -> Answer:
        """The newest answer, true for the newest version of the world: what is left to plan is planned."""
        engine, session = self._engine, self._open()
        while not self._lib.rp_engine_is_sure(engine._self, session):
            engine._work(c.NO_LIMIT)
            if not engine.has_work:
                break
        c.check(self._lib.rp_engine_answer(engine._self, session, engine._answer), f'answer of "{self.name}"')
        return engine._answer_of()

    def goto(self, goal: GoalLike, *, tolerance: float = 0.0, nearest: bool = False, goal_id: int = 0) -> None:
        """Set another goal, as in Engine.open_agent()."""
        self._open()
        self._engine._aim(self, goals.message(goal, tolerance=tolerance, nearest=nearest, goal_id=goal_id))

    def pose(self, x: float, y: float, yaw: float = 0.0, *, pose_seq: int = 0) -> None:
        """Tell where the agent is: metres, radians. pose_seq: greater is newer; 0: unnumbered."""
        c.check(self._lib.rp_engine_pose_with_yaw(
            self._engine._self, self._open(), arguments.real("pose.x", x), arguments.real("pose.y", y), arguments.real("pose.yaw", yaw),
            arguments.whole("pose.pose_seq", pose_seq, 0, 2**64 - 1), c.NO_CAUSE), f'pose of "{self.name}"')

    def field(self, reach: int) -> ask.Field:
        """The costs to its goals from the cells around it, `reach` cells each way, 0 to 64. Returns Field."""
        session = (ctypes.c_uint64 * 1)(self._open())
        question = c.Question(kind=c.FIELD, sessions=session, session_count=1,
                              reach=arguments.whole("reach", reach, 0, c.REACH_MAX))
        told = self._engine._ask(self._engine.world(self.world), question)
        return ask.Field(told.version, told.x, told.y, told.width, told.height, told.costs, told.steps)

    def valid(self, path: Iterable[Cell] | Iterable[Segment], way: Iterable[Cell] = (), *, radius: float | None = None) -> ask.Valid:
        """Check whether the agent can walk this path, or drive this curve, now; as of a client's agent. Returns Valid."""
        session, world = self._open(), self._engine.world(self.world)
        frame, told = world.frame, arguments.entries("path", path)
        if told and isinstance(told[0], Segment):
            return self._drive(world, told, radius)
        cells, out = arguments.cells("path", told), arguments.cells("way", way)
        steps = steps_of(cells, frame.width, frame.height)
        for name, (x, y) in [("path[0]", cells[0]), *(("way[0]", cell) for cell in out[:1])]:
            if not (0 <= x < frame.width and 0 <= y < frame.height):
                raise arguments.invalid(name, f"is cell ({x}, {y}), outside the world of {frame.width} x {frame.height}")
        offenders, cost = (ctypes.c_uint32 * max(1, len(steps)))(), ctypes.c_double()
        count = self._lib.rp_engine_walk(self._engine._self, session, *cells[0], steps, len(steps), offenders, len(steps), cost)
        offending = offenders[:min(count, len(steps))]
        offending_way: list[int] = []
        if out:
            leads = steps_of(out, frame.width, frame.height, "way")
            places = (ctypes.c_uint32 * (len(leads) + 1))()
            wrong = self._lib.rp_engine_walk_way(self._engine._self, session, *out[0], leads, len(leads), *cells[0], places,
                                                 len(places))
            offending_way = places[:min(wrong, len(places))]
        is_legal = cost.value >= 0 and not offending_way
        return ask.Valid(world.version, is_legal, cost.value if is_legal else None, offending, offending_way)

    def _drive(self, world: World, segments: list[Segment], radius: float | None) -> ask.Valid:
        if radius is None and not self.has_motion:
            raise ReplanError("UNSUPPORTED", f'agent "{self.name}" has no motion: radius says what drives the curve')
        body = -1.0 if radius is None else arguments.real("radius", radius, 0, c.REACH_MAX * world.frame.resolution)
        report = c.CurveReport()
        c.check(self._lib.rp_engine_drive(self._engine._self, self._open(), driving.curve_of(segments), len(segments), body, None, report),
                "path: a curve is held against at most 8388608 cells near its body")
        cells = report.cells[:report.cell_count]
        return ask.Valid(world.version, report.is_free, report.cost if report.is_free else None, [],
                         offending_segment=report.segment, offending_at=report.at_m, offending_cells=cells)

    def why(self) -> list[ask.Said]:
        """The newest answers and the cause of each, newest first: a list of Said."""
        said = (c.Past * c.PAST_MAX)()
        count = self._lib.rp_engine_past(self._engine._self, self._open(), said)
        return [ask.Said(one.path_seq, c.OUTCOMES[one.outcome], c.REASONS[one.reason],
                         one.cost if c.OUTCOMES[one.outcome] in c.WITH_PATH else None, one.sure_until, one.version, one.expansions,
                         max(0, self._engine._now_us - one.published_us) // 1000) for one in said[:count]]

    def factors(self) -> bytes:
        """What its planner sees, row by row: 0 blocks, else the factor of a move's cost; profile and inflation are taken in."""
        frame = self._engine.world(self.world).frame
        room = ctypes.create_string_buffer(frame.width * frame.height)
        c.check(self._lib.rp_engine_factors(self._engine._self, self._open(), room), f'factors of "{self.name}"')
        return room.raw

    def close(self) -> None:
        """Close the agent."""
        session, engine = self._open(), self._engine
        engine._retarget(self, 0)
        c.check(self._lib.rp_engine_close(engine._self, session), f'agent "{self.name}"')
        del engine._agents[session], engine._by_name[self.world, self.name]
        engine._early = [answer for answer in engine._early if (answer.world, answer.agent) != (self.world, self.name)]
        self.session = 0

    def _open(self) -> int:
        if self.session == 0 or self._engine._is_closed:
            raise ReplanError("UNKNOWN", f'agent: there is no agent "{self.name}" in world "{self.world}"')
        return self.session
