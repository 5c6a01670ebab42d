"""Engine: worlds and agents in this process, by the names of Client."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any

from .. import arguments, goals, replan_pb2 as pb
from ..answer import Answer, Frame, Line
from ..arguments import Cell, Octets, Point
from ..changes import Applied, ChangeLike
from ..errors import ReplanError
from ..goals import GoalLike
from ..maps import read_map
from . import convert, driving, library as c
from .agent import Agent
from .world import Handle, World

_NO_CAUSE = c.NO_CAUSE
_TARGET = 3  # RP_AIM_TARGET
_COSTS, _PROBE = range(2)  # rp_query_kind_t
_TTL_MAX_S = 4294967


class Engine:
    """Worlds, agents and plans, without a daemon. One thread at a time uses it."""

    def __init__(self) -> None:
        self._handle = Handle()
        self._lib, self._self = self._handle.lib, self._handle.engine
        self._worlds: dict[str, World] = {}
        self._agents: dict[int, Agent] = {}  # by session
        self._by_name: dict[tuple[str, str], Agent] = {}
        self._early: list[Answer] = []  # news that came while a call waited for something
        self._now_us = 0
        self._is_closed = False
        self._edit, self._version, self._answer = c.Edit(), ctypes.c_uint64(), c.Answer()
        self._planners: dict[int, str] = {0: ""}  # by the place of their names
        self.has_work = False  #: the last step() left work behind

    def close(self) -> None:
        """End its worlds and agents. Arrays of cells that are still held stay as they are."""
        self._is_closed = True
        for world in self._worlds.values():
            world.number = 0
        self._worlds, self._agents, self._by_name, self._early = {}, {}, {}, []

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # ---- worlds

    def create_world(self, world: str, width: int, height: int, *, data: Octets | None = None, fill: int | None = None,
                     resolution: float = 1.0, origin: Sequence[float] = (0.0, 0.0, 0.0), neighbors: int = 8, wraps: bool = False,
                     profile: str = "factor", profiles: Iterable[pb.Profile] = ()) -> Applied:
        """A new world; its arguments are those of Client.create_world()."""
        name = arguments.text("create_world.world", world)
        if self._is_closed:
            raise ReplanError("INVALID", "this engine was closed")
        if name in self._worlds:
            raise ReplanError("EXISTS", f'world: there is a world "{name}" already')
        width = arguments.whole("create_world.width", width, 1, c.SIDE_MAX)
        height = arguments.whole("create_world.height", height, 1, c.SIDE_MAX)
        if (width + 2) * (height + 2) > c.CELLS_MAX:
            raise arguments.invalid("create_world.width", f"x height is {width} x {height}, a world has at most {c.CELLS_MAX} cells")
        if arguments.whole("create_world.neighbors", neighbors, 4, 8) not in (4, 8):
            raise arguments.wrong("create_world.neighbors", neighbors, "4 or 8")
        if arguments.truth("create_world.wraps", wraps) and (width < 3 or height < 3):
            raise arguments.invalid("create_world.wraps", f"is True for {width} x {height} cells, a torus has 3 x 3 or more")
        if data is not None and fill is not None:
            raise ReplanError("INVALID", "create_world has data and fill, it takes one of them")
        octets = None if data is None else arguments.octets("create_world.data", data)
        if octets is not None and len(octets) != width * height:
            raise arguments.invalid("create_world.data", f"has {len(octets)} bytes, {width} x {height} cells need {width * height}")
        own = [arguments.message_of(pb.Profile, f"profiles[{i}]", entry)
               for i, entry in enumerate(arguments.entries("profiles", profiles))]
        options = c.WorldOptions(
            width=width, height=height, neighbors=neighbors, wraps=wraps,
            profile=arguments.text("create_world.profile", profile).encode(), profiles=convert.profiles_of(own), profile_count=len(own),
            frame=convert.frame_of(resolution, origin), data=octets, is_filled=fill is not None,
            fill=0 if fill is None else arguments.byte("fill", fill))
        number = ctypes.c_uint64()
        c.check(self._lib.rp_engine_open_world(self._self, options, number), f'world "{name}", profile "{profile}"')
        self._worlds[name] = World(self._handle, name, number.value, neighbors, bool(wraps), profile, own)
        return Applied(0, 1, [], [], 1)

    def create_world_from_map(self, world: str, path: Any, **options: Any) -> Applied:
        """A new world of a map file, as replan.read_map() reads it. options: those of create_world()."""
        return self.create_world(world, **{**read_map(path)._asdict(), **options})

    def resize(self, world: str, x: int | None = None, y: int | None = None, width: int | None = None, height: int | None = None,
               *, origin: Sequence[float] | None = None, fill: int | None = None, wait: str = "applied") -> Applied:
        """Replace the world's window by one of width x height cells; as Client.resize()."""
        found = self.world(world)
        found.begin("resized")
        if origin is not None and (x is not None or y is not None):
            raise arguments.invalid("origin", "is in metres, it excludes x and y")
        corner = (0.0, 0.0) if origin is None else arguments.numbers_of("origin", origin, (2,), "(x, y)")
        window = c.Window(
            x=0 if origin is not None else arguments.whole("resize.x", x, -2**31, 2**31 - 1),
            y=0 if origin is not None else arguments.whole("resize.y", y, -2**31, 2**31 - 1),
            width=arguments.whole("resize.width", width, 1, c.SIDE_MAX),
            height=arguments.whole("resize.height", height, 1, c.SIDE_MAX), is_told=origin is not None,
            origin_x_m=corner[0], origin_y_m=corner[1], is_filled=fill is not None,
            fill=0 if fill is None else arguments.byte("fill", fill))
        convert.check_wait(wait)
        c.check(self._lib.rp_engine_resize(self._self, found.open(), window, _NO_CAUSE, self._version), f'resize of "{world}"')
        found.note_window()
        return self._applied(found, wait)

    def remove_world(self, world: str) -> None:
        """Remove a world with its agents."""
        found = self.world(world)
        found.begin("removed")
        for agent in [agent for agent in self._agents.values() if agent.world == world]:
            agent.close()
        c.check(self._lib.rp_engine_close_world(self._self, found.open()), f'world "{world}"')
        del self._worlds[found.name]
        found.number = 0

    def worlds(self) -> list[World]:
        """All worlds."""
        return list(self._worlds.values())

    def world(self, name: str) -> World:
        """A world as it is now."""
        found = self._worlds.get(name) if type(name) is str else None
        if found is None:
            arguments.text("world", name)
            raise ReplanError("UNKNOWN", f'world: there is no world "{name}"')
        return found

    def snapshot(self, world: str) -> tuple[int, bytes]:
        """All cells, row by row, as (version, bytes [width * height])."""
        found = self.world(world)
        return found.version, found.data

    # ---- changes

    def fill_rect(self, world: str, x: int, y: int, width: int, height: int, byte: int, *, wait: str = "applied") -> Applied:
        """One byte for the cells from (x, y) to (x + width - 1, y + height - 1)."""
        found, edit = self.world(world), self._edit
        self._rectangle(found, edit, x, y, width, height)
        edit.data, edit.fill = None, arguments.byte("byte", byte)
        return self._apply(found, edit, wait)

    def write_rect(self, world: str, x: int, y: int, width: int, height: int, data: Octets, *, wait: str = "applied") -> Applied:
        """The bytes of the cells from (x, y) to (x + width - 1, y + height - 1), row by row."""
        found, edit = self.world(world), self._edit
        self._rectangle(found, edit, x, y, width, height)
        octets = arguments.octets("data", data)
        if len(octets) != width * height:
            raise arguments.invalid("data", f"has {len(octets)} bytes, {width} x {height} cells need {width * height}")
        edit.data = octets
        return self._apply(found, edit, wait)

    def set_cells(self, world: str, cells: Iterable[Cell], byte: int | Octets, *, wait: str = "applied") -> Applied:
        """Rewrite single cells, all in one version. cells: [(x, y), ..]. byte: one for all of them, or bytes of the same length."""
        found = self.world(world)
        edit, _kept = convert.cells_edit("cells", cells, byte, found.frame)
        return self._apply(found, edit, wait)

    def put_disc(self, world: str, number: int, x: float, y: float, radius: float, byte: int, *, ttl_s: float = 0.0,
                 wait: str = "applied") -> Applied:
        """Put a disc over the cells whose inside it meets. An existing number moves that shape. ttl_s: by the clock of step()."""
        return self._put(world, number, [x], [y], arguments.real("radius", radius, 0), byte, ttl_s, wait)

    def put_polygon(self, world: str, number: int, points: Sequence[Point], byte: int, *, ttl_s: float = 0.0,
                    wait: str = "applied") -> Applied:
        """The same with a polygon of 3 to 64 corners, [(x, y), ..] in metres."""
        x, y = arguments.points("points", points)
        if not 3 <= len(x) <= 64:
            raise arguments.invalid("points", f"has {len(x)} entries, it must have 3 to 64")
        return self._put(world, number, x, y, 0.0, byte, ttl_s, wait)

    def remove_shapes(self, world: str, numbers: Iterable[int] | None = None, *, wait: str = "applied") -> Applied:
        """Remove these shapes, or all; the bytes that they hid count again."""
        removed = [arguments.whole(f"numbers[{i}]", entry, 0, 2**32 - 1)
                   for i, entry in enumerate(arguments.entries("numbers", () if numbers is None else numbers))]
        edit = c.OverlayEdit(removed=(ctypes.c_uint32 * len(removed))(*removed), removed_count=len(removed), clears=numbers is None)
        return self._overlay(self.world(world), edit, wait)

    def apply(self, change: ChangeLike, *, wait: str = "applied") -> Applied:
        """A replan.v1.Change, or a dict of its fields."""
        told = arguments.message_of(pb.Change, "change", change)
        found = self.world(told.world)
        edit, _kept = convert.edit_of(told, found.frame)
        return self._apply(found, edit, wait)

    # ---- agents

    def open_agent(self, world: str, agent: str, start: Sequence[float], goal: GoalLike, *, planner: str = "", profile: str = "",
                   radius: float = 0.0, inscribed_radius: float = 0.0, inflation_radius: float = 0.0,
                   cost_scaling_factor: float = 0.0, cells: int = 0, footprint: Sequence[Any] = (), padding: float = 0.0,
                   tolerance: float = 0.0, nearest: bool = False, goal_id: int = 0, motion: pb.Motion | None = None,
                   **policy: float | None) -> Agent:
        """Open an agent that goes from start to goal, (x, y) in metres; as Client.open_agent().

        Unlike a daemon's, it switches to every cheaper path at once unless switch_gain_percent, min_interval_ms say otherwise,
        and stays until it is closed.
        """
        found = self.world(world)
        name = arguments.text("open_agent.agent", agent)
        if (world, name) in self._by_name:
            raise ReplanError("EXISTS", f'agent: there is an agent "{name}" in world "{world}" already')
        x, y, *yaw = arguments.numbers_of("start", start, (2, 3), "(x, y) or (x, y, yaw)")
        wanted = goals.message(goal, tolerance=tolerance, nearest=nearest, goal_id=goal_id)
        body = driving.body_of(profile=profile, radius_m=radius, inscribed_radius_m=inscribed_radius, inflation_radius_m=inflation_radius,
                               cost_scaling_factor=cost_scaling_factor, cells=cells, footprint=footprint, padding=padding)
        options = c.SessionOptions(planner=arguments.text("open_agent.planner", planner).encode() or None,
                                   body=convert.body_of(body, driving.reach_of(body)))
        told = arguments.made(pb.Policy, **policy)
        convert.fill_policy(options, told)
        self._check_footprint(found, body)
        if motion is not None:
            driving.check_motion(body, told, planner)
            options.motion = self._motion_of(found, arguments.message_of(pb.Motion, "motion", motion), body)
            options.body, options.planner = c.Body(profile=options.body.profile), None  # it is swept
        session = ctypes.c_uint64()
        c.check(self._lib.rp_engine_open(self._self, found.open(), options, session),
                f'agent "{name}", planner "{planner or "auto"}", profile "{profile or found.profile}"')
        opened = Agent(self, world, name, session.value, has_motion=motion is not None)
        self._agents[session.value] = self._by_name[world, name] = opened
        try:
            opened.pose(x, y, *yaw)
            self._aim(opened, wanted)
        except ReplanError:
            opened.close()
            raise
        self._retarget(opened, session.value)
        return opened

    def _check_footprint(self, world: World, body: pb.Body) -> None:
        polygons = driving.polygons_of(body)
        wrong = None if polygons is None else self._lib.rp_engine_judge_footprint(self._self, world.open(), polygons)
        if wrong is not None:
            raise arguments.invalid("body.footprint_x", f"in cells of {world.frame.resolution:g} metres: {wrong.decode()}")

    def _motion_of(self, world: World, motion: pb.Motion, body: pb.Body) -> Any:
        made = driving.motion_of(motion, body, world.frame.resolution)
        fault = driving.fault_of(self._lib.rp_engine_judge_motion(self._self, world.open(), made), made, world.frame.resolution)
        if fault is not None:
            raise fault
        return made

    def agent(self, world: str, name: str) -> Agent:
        """An agent that is open."""
        found = self._by_name.get((self.world(world).name, arguments.text("agent", name)))
        if found is None:
            raise ReplanError("UNKNOWN", f'agent: there is no agent "{name}" in world "{world}"')
        return found

    def order(self, agents: Iterable[Agent], places: Point | Sequence[Point], *, tolerance: float = 0.0, nearest: bool = False,
              goal_ids: Iterable[int] = (), yaws: Iterable[float] = (), either_way: bool = False, yaw_tolerance: float = 0.0) -> None:
        """Send many agents of one world; as Client.order()."""
        named = arguments.entries("agents", agents)
        for i, agent in enumerate(named):
            if not isinstance(agent, Agent) or agent.world != named[0].world:
                raise arguments.wrong(f"agents[{i}]", agent, "an Agent of this engine, all of one world")
        is_one = goals.is_point(places)
        told = arguments.entries("places", [places] if is_one else places)
        wanted = [arguments.point(f"places[{i}]", place) for i, place in enumerate(told)]
        numbers_ = [arguments.whole(f"goal_ids[{i}]", one, 0, 2**64 - 1)
                    for i, one in enumerate(arguments.entries("goal_ids", goal_ids))]
        facing = [arguments.real("yaws", yaw) for yaw in arguments.entries("yaws", yaws)]
        for name, count in (("places", len(wanted)), ("goal_ids", len(numbers_) or 1), ("yaws", len(facing) or 1), ("agents", len(named) or 0)):
            if count not in (1, len(named)) or count == 0:
                raise arguments.invalid(name, f"has {count} entries, it must have 1, or one for each of the {len(named)} agents")
        points = (c.Destination * len(wanted))(*((x, y, 0) for x, y in wanted))
        middle = points[self._lib.rp_engine_middle(points, len(wanted))] if len(wanted) > 1 else None
        for i, agent in enumerate(named):
            place = wanted[i % len(wanted)]
            there: GoalLike = place
            if facing:
                there = goals.facing(place, facing[i % len(facing)], either_way=either_way, tolerance=yaw_tolerance)
            goal = goals.message(there, tolerance=tolerance, nearest=nearest, goal_id=numbers_[i % len(numbers_)] if numbers_ else 0)
            self._aim(agent, goal, middle)

    # ---- questions

    def costs(self, world: str, sources: Sequence[Point], targets: Sequence[Point]) -> list[list[float | None]]:
        """Costs from each source to each target, by rows; None where there is no path."""
        found = self.world(world)
        start, end = convert.destinations("sources", sources), convert.destinations("targets", targets)
        question = c.Question(kind=_COSTS, from_=start, from_count=len(start), to=end, to_count=len(end))
        told = self._ask(found, question)
        return [told.costs[i::len(start)] for i in range(len(start))]

    def probe(self, change: ChangeLike, agents: str | Iterable[str] = (),
              pairs: Iterable[Sequence[Point]] = ()) -> list[tuple[float | None, float | None]]:
        """What-if: costs before and after a change that is not made: [(before, after), ..]; as Client.probe()."""
        told = arguments.message_of(pb.Change, "change", change)
        found = self.world(told.world)
        named = [self.agent(told.world, name).session for name in arguments.names("agents", agents)]
        ends = [convert.destinations(f"pairs[{i}]", pair) for i, pair in enumerate(arguments.entries("pairs", pairs))]
        for i, pair in enumerate(ends):
            if len(pair) != 2:
                raise arguments.invalid(f"pairs[{i}]", f"has {len(pair)} points, it must have 2")
        edit, _kept = convert.edit_of(told, found.frame)
        question = c.Question(
            kind=_PROBE, edit=ctypes.pointer(edit), sessions=(ctypes.c_uint64 * len(named))(*named), session_count=len(named),
            from_=(c.Destination * len(ends))(*(pair[0] for pair in ends)), from_count=len(ends),
            to=(c.Destination * len(ends))(*(pair[1] for pair in ends)), to_count=len(ends))
        result = self._ask(found, question)
        return list(zip(result.costs, result.after))

    def _ask(self, world: World, question: Any) -> convert.Told:
        number = ctypes.c_uint64()
        c.check(self._lib.rp_engine_start_query(self._self, world.open(), question, number),
                "question: 64 at most, with 16641 searches each, and agents need a pose inside")
        try:
            while not (result := self._lib.rp_engine_query_result(self._self, number)):
                self._work(c.NO_LIMIT)
            return convert.Told(result.contents)
        finally:
            self._lib.rp_engine_forget(self._self, number)

    # ---- work

    def step(self, budget: int | None = None, now_s: float | None = None) -> list[Answer]:
        """Plan for agents whose answer may not be true any more, and return the new answers.

        budget: cells to expand; None: until every answer is true. has_work says whether some is left.
        now_s: the caller's clock, which never goes back, for policies and shapes that end; None: time.monotonic().
        """
        told_s = time.monotonic() if now_s is None else arguments.real("now_s", now_s, 0, 1e12)
        self._now_us = max(self._now_us, int(told_s * 1e6))
        if budget is None:
            self._finish()
        else:
            self._work(arguments.whole("budget", budget, 0, c.NO_LIMIT))
        news, self._early = self._early, []
        self._take_news(news)
        return news

    def idle(self, budget: int) -> bool:
        """Spend idle time on work that makes later steps cheaper. True when there is more to do."""
        is_more: bool = self._lib.rp_engine_idle(self._self, arguments.whole("budget", budget, 0, c.NO_LIMIT))
        return is_more

    def memory(self) -> dict[str, int]:
        """Bytes that are held: by worlds ("ground"), agents ("sessions") and planners ("search")."""
        memory = self._lib.rp_engine_memory(self._self)
        return {"ground": memory.ground_bytes, "sessions": memory.session_bytes, "search": memory.search_bytes}

    def _work(self, budget: int) -> None:
        self.has_work = self._lib.rp_engine_step(self._self, self._now_us, budget)
        if self.has_work and self._lib.rp_engine_is_short(self._self):
            raise MemoryError("to plan for an agent")

    def _finish(self) -> None:
        self._work(c.NO_LIMIT)
        while self.has_work:
            self._work(c.NO_LIMIT)

    def _take_news(self, news: list[Answer]) -> None:
        while self._lib.rp_engine_next_answer(self._self, self._answer):
            news.append(self._answer_of())

    def _answer_of(self) -> Answer:
        """The answer that was told last."""
        (session, version, window, width, height, resolution, x, y, yaw, path_seq, goal_id, pose_seq, waypoint, goal_distance, escape,
         outcome_number, reason, cost, bound, start_x, start_y, steps, step_count, way_x, way_y, way, way_count, valid_through, planner,
         expansions) = c.read_answer(self._answer)
        agent, outcome = self._agents[session], c.OUTCOMES[outcome_number]
        has_path = outcome in c.WITH_PATH
        return Answer(
            agent.world, agent.name, outcome, c.REASONS[reason], cost if has_path else None, bound if has_path else None,
            has_path and bound == cost and outcome != "partial", 0, version, window, path_seq, goal_id, pose_seq, waypoint,
            goal_distance, escape, valid_through, False, 0, self._planners.get(planner) or self._name_planner(planner), expansions,
            Frame(width, height, resolution, x, y, yaw),
            Line(start_y * width + start_x, ctypes.string_at(steps, step_count)) if has_path else None,
            Line(way_y * width + way_x, ctypes.string_at(way, way_count)) if has_path and way_count else None,
            driving.curve_message(self._answer.curve) if agent.has_motion else None)

    def _name_planner(self, place: int) -> str:
        """Names of planners stay where they are."""
        if place not in self._planners:
            self._planners[place] = ctypes.string_at(place).decode()
        return self._planners[place]

    # ---- what calls share

    def _applied(self, world: World, wait: str) -> Applied:
        changed: list[str] = []
        if wait == "settled":
            self._finish()
            news: list[Answer] = []
            self._take_news(news)
            self._early += news
            changed = [answer.agent for answer in news if answer.world == world.name]
        return Applied(0, self._version.value, changed, [], world.window)

    def _apply(self, world: World, edit: Any, wait: str) -> Applied:
        convert.check_wait(wait)
        status = self._lib.rp_engine_apply(self._self, world.open(), edit, _NO_CAUSE, self._version)
        if status < 0:
            c.check(status, f'change of "{world.name}"')
        return self._applied(world, wait)

    def _rectangle(self, world: World, edit: Any, x: int, y: int, width: int, height: int) -> None:
        edit.x, edit.y = arguments.whole("change.x", x, 0, 2**32 - 1), arguments.whole("change.y", y, 0, 2**32 - 1)
        edit.width = arguments.whole("change.width", width, 0, 2**32 - 1)
        edit.height = arguments.whole("change.height", height, 0, 2**32 - 1)
        frame = world.frame
        if x + width > frame.width or y + height > frame.height:
            raise arguments.invalid("change", f"the rectangle {width} x {height} at ({x}, {y}) reaches outside the world of "
                                              f"{frame.width} x {frame.height}")

    def _put(self, world: str, number: int, x: list[float], y: list[float], radius: float, byte: int, ttl_s: float,
             wait: str) -> Applied:
        found, ttl = self.world(world), arguments.real("ttl_s", ttl_s, 0, _TTL_MAX_S)
        xs = (ctypes.c_double * len(x))(*(arguments.real("x", one) for one in x))
        ys = (ctypes.c_double * len(y))(*(arguments.real("y", one) for one in y))
        if ttl > 0:
            self._now_us = max(self._now_us, int(time.monotonic() * 1e6)) if self._now_us == 0 else self._now_us
        shape = c.Shape(id=arguments.whole("number", number, 0, 2**32 - 1), corners=len(x), x_m=xs, y_m=ys, radius_m=radius,
                        expires_us=self._now_us + max(1, int(ttl * 1e6)) if ttl > 0 else 0, byte=arguments.byte("byte", byte))
        return self._overlay(found, c.OverlayEdit(shapes=ctypes.pointer(shape), shape_count=1), wait)

    def _overlay(self, world: World, edit: Any, wait: str) -> Applied:
        convert.check_wait(wait)
        c.check(self._lib.rp_engine_overlay(self._self, world.open(), edit, _NO_CAUSE, self._version),
                f'shapes of "{world.name}", 4096 and 16777216 covered cells at most')
        return self._applied(world, wait)

    def _aim(self, agent: Agent, goal: pb.Goal, rendezvous: Any = None) -> None:
        count = len(goal.x)
        if count == 0 and not goal.target:
            raise arguments.invalid("goal.x", "has 0 entries, it must have 1 to 4096")
        offsets = list(goal.offsets) or [0] * count
        points = (c.Destination * count)(*zip(goal.x, goal.y, offsets))
        if goal.yaw and not agent.has_motion:
            raise ReplanError("UNSUPPORTED", f'goal.yaw: agent "{agent.name}" has no motion, a path of cells has no heading')
        if len(goal.yaw) not in (0, 1, count):
            raise arguments.invalid("goal.yaw", f"has {len(goal.yaw)} entries, it must have 1, or one for each of the {count} points")
        yaws = (ctypes.c_double * count)(*goal.yaw) if len(goal.yaw) > 1 else None
        heading = 0 if not goal.yaw or goal.heading == pb.FREE else 2 if goal.heading == pb.EITHER_WAY else 1
        chased = self._by_name.get((agent.world, goal.target))
        aim = c.Aim(kind=_TARGET if goal.target else goal.kind, points=points, count=count, first=goal.first_waypoint,
                    target=chased.session if chased is not None else 0, tolerance_m=goal.tolerance_m, is_nearest=goal.nearest,
                    goal_id=goal.goal_id, rendezvous=None if rendezvous is None else ctypes.pointer(rendezvous),
                    heading=heading, yaw=goal.yaw[0] if goal.yaw else 0.0, yaws=yaws, yaw_tolerance=goal.yaw_tolerance)
        about = ", which has motion: it goes to at most 64 points or waypoints, or to a target, without region, tolerance and nearest"
        c.check(self._lib.rp_engine_aim(self._self, agent.session, aim, _NO_CAUSE), f'goal of "{agent.name}"{about if agent.has_motion else ""}')
        agent.target = goal.target

    def _retarget(self, target: Agent, session: int) -> None:
        """Tell those who chase it, by its name, that it came or goes."""
        for agent in self._agents.values():
            if agent.target == target.name and agent.world == target.world and agent is not target:
                c.check(self._lib.rp_engine_retarget(self._self, agent.session, session, _NO_CAUSE), "target")
