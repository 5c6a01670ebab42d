"""Client of repland: one DEALER socket, one thread.

A request blocks until its reply; messages of watches that come meanwhile are queued for their iterators.
"""

import collections
import dataclasses
import numbers
import secrets
import time

import zmq

from . import arguments, ask, goals, replan_pb2 as pb, windows
from .answer import Answer, cost, splice, steps_of
from .arguments import made
from .errors import NoDaemon, ReplanError
from .maps import read_map
from .windows import Window

CONTROL = "tcp://127.0.0.1:7403"

_CONNECT_S = 1.5
_TIMEOUT_MAX_S = 3600  # RP_LIMIT_DEADLINE_MS
_WAIT_MAX_S = 1e6  # of a poll
_TTL_MAX_S = 4294967  # what the wire's milliseconds hold
_MESSAGE_MAX = 20 << 20  # RP_LIMIT_MESSAGE_BYTES: the daemon ends the line of who sends more
_DATA_MAX = _MESSAGE_MAX - (64 << 10)  # what a message has room for beside everything else
_GRACE_S = 0.5  # the daemon tells TIMEOUT itself at the deadline: wait a little longer to hear it
_BATCH = 16  # answers in one message
_CREDIT = 256  # events that a watch may be ahead of its reader


@dataclasses.dataclass(frozen=True)
class Applied:
    """Result of a change."""

    epoch: int
    version: int  #: of the world, with this change in it
    changed_agents: list  #: with wait="settled": names of those whose answer changed
    overdue_agents: list  #: with wait="settled": names of those whose answer took too long
    window: int = 0  #: number of the window that the world was then
    dropped: int = 0  #: cells that lie outside of some window since the one that the change was made for


class Client:
    """Worlds, changes and agents of one daemon.

    control: endpoint of the daemon's control socket.
    timeout_s: how long a request may take.
    Raises NoDaemon when nobody listens there.
    """

    def __init__(self, control=CONTROL, timeout_s=5.0):
        arguments.text("control", control)
        self._timeout_s = arguments.real("timeout_s", timeout_s, 0, _TIMEOUT_MAX_S)
        self._next_id = secrets.randbits(31) << 32 | 1
        self._life = secrets.randbits(64) | 1  # ids of another run are not taken for this one's
        self._watches = {}
        self._windows = windows.Windows()
        self._context = zmq.Context()
        self._socket = self._context.socket(zmq.DEALER)
        self._socket.setsockopt(zmq.IMMEDIATE, 1)  # nothing is queued for nobody
        self._socket.setsockopt(zmq.LINGER, 200)
        self._socket.setsockopt(zmq.RCVHWM, 0)  # bounded by credit instead
        self._socket.setsockopt(zmq.HEARTBEAT_IVL, 1000)
        self._socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, 4000)
        self._monitor = self._socket.get_monitor_socket(zmq.EVENT_DISCONNECTED)
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._poller.register(self._monitor, zmq.POLLIN)
        fault = _fault(control)
        try:
            if fault is None:
                self._socket.connect(control)
        except zmq.ZMQError as error:
            fault = error
        if fault is not None:
            self.close()
            raise NoDaemon(f"{control} is no endpoint, as {CONTROL} is: {fault}")
        if not self._socket.poll(int(1000 * _CONNECT_S), zmq.POLLOUT):
            self.close()
            raise NoDaemon(f"no daemon answers at {control}")

    def close(self):
        """Ends the watches too. A second time does nothing."""
        if self._socket.closed:
            return
        self._socket.disable_monitor()
        self._socket.close()
        self._context.destroy(linger=0)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.close()

    # ---- worlds

    def create_world(self, world, width, height, *, data=None, fill=None, resolution=1.0,
                     origin=(0.0, 0.0, 0.0), neighbors=8, wraps=False, profile="factor",
                     profiles=(), expect_every_ms=0):
        """A new world of width x height cells.

        data: its bytes, row by row [width * height]; or fill: one byte for all cells; or neither:
        normal ground. A message holds 20 MiB: a world of more cells begins with a byte that blocks,
        and its bytes follow in portions.
        resolution: metres a cell. origin: x, y in metres and yaw in radians of the lower-left
        corner of cell (0, 0). neighbors: moves to 4 or 8 cells. wraps: the edges join (a torus).
        profile: what a byte means: "factor", "costmap" or one of profiles.
        profiles: the world's own, made by profile().
        expect_every_ms: without a change for longer answers say stale_map; 0: never.
        Returns Applied.
        """
        x, y, yaw = arguments.numbers_of("origin", origin, (3,), "(x, y, yaw)")
        geometry = made(pb.Geometry, width=width, height=height, resolution=resolution,
                        origin_x=x, origin_y=y, origin_yaw=yaw)
        create = made(pb.CreateWorld, world=world, neighbors=neighbors, wraps=wraps,
                      profile=profile, expect_every_ms=expect_every_ms, profiles=profiles,
                      geometry=geometry, fill=_fill(fill) if data is None else None)
        if data is not None and fill is not None:
            raise ReplanError("INVALID", "create_world has data and fill, it takes one of them")
        data = None if data is None else arguments.octets("create_world.data", data)
        is_large = data is not None and len(data) > _DATA_MAX
        if is_large:
            _check_size("create_world.data", data, geometry.width, geometry.height)
            _fill_blocked(create, create.profile, create.profiles)
        elif data is not None:
            create.data = data
        reply = self.request(create_world=create)
        self._windows.hear(world, Window.of(reply.applied.epoch, reply.applied.window, geometry))
        if is_large:
            reply = self._write_rows(world, 0, 0, geometry.width, geometry.height, data, "applied")
        return _applied(reply)

    def create_world_from_map(self, world, path, **options):
        """A new world of a map file, as replan.read_map() reads it.

        options: those of create_world(), which win over what the map says: neighbors, wraps, origin, ..
        Returns Applied.
        """
        return self.create_world(world, **{**read_map(path)._asdict(), **options})

    def resize(self, world, x=None, y=None, width=None, height=None, *, origin=None, data=None,
               rects=(), fill=None, wait="applied"):
        """Replace the world's window by one of width x height cells. Returns Applied.

        x, y: the cell, as it is numbered now, that becomes (0, 0); it may lie outside. Or origin:
        the corner of that cell, (x, y) in metres, which need not be whole cells away: bytes
        stay within a cell of where they were written, however often the world is shifted. Shapes,
        poses and goals keep their metres.
        data: the bytes of the window, row by row [width * height]. Or rects: those of some rectangles,
        [(x, y, width, height, bytes), ..], in cells of the new window; each new cell must lie in one of
        them then, or get fill. No plan runs before these are there; what is more than a message holds
        (20 MiB) follows in portions, and blocks until then.
        fill: the byte of new cells; normal ground without it.
        """
        body = made(pb.Resize, world=world, fill=_fill(fill), wait=_wait(wait))
        if origin is None:
            arguments.fill(body, x=x, y=y, width=width, height=height)
        else:
            if x is not None or y is not None:
                raise arguments.invalid("origin", "is in metres, it excludes x and y")
            at_x, at_y, *yaw = arguments.numbers_of("origin", origin, (2, 3), "(x, y) or (x, y, yaw)")
            body.geometry.CopyFrom(made(pb.Geometry, width=width, height=height, origin_x=at_x,
                                        origin_y=at_y, origin_yaw=yaw[0] if yaw else self._window(world).yaw))
        rects = self._rects(body, data, rects)
        is_large = sum(len(octets) for *_, octets in rects) > _DATA_MAX
        if is_large and (data is not None or fill is None):
            info = self._info(world)
            _fill_blocked(body, info.profile, info.profiles)
        for *rect, octets in () if is_large else rects:
            body.rects.extend(rect)
            body.rect_data += octets
        applied = self.request(resize=body)
        told = body.geometry if origin is not None else pb.Geometry(
            width=width, height=height, origin_yaw=self._window(world).yaw)
        self._windows.hear(world, Window.of(applied.applied.epoch, applied.applied.window, told))
        for *rect, octets in rects if is_large else ():
            applied = self._write_rows(world, *rect, octets, wait)
        return _applied(applied)

    def _rects(self, resize, data, rects):
        """What comes with a window, [(x, y, width, height, bytes), ..], checked."""
        told = resize.geometry if resize.HasField("geometry") else resize
        found = []
        if data is not None:
            data = arguments.octets("data", data)
            _check_size("data", data, told.width, told.height)
            found.append((0, 0, told.width, told.height, data))
        for i, rect in enumerate(arguments.entries("rects", rects)):
            entry = arguments.entries(f"rects[{i}]", rect)
            if len(entry) != 5:
                raise arguments.wrong(f"rects[{i}]", rect, "(x, y, width, height, bytes)")
            sides = [arguments.whole(f"rects[{i}]", side, 0, 2**32 - 1) for side in entry[:4]]
            octets = arguments.octets(f"rects[{i}]", entry[4])
            _check_size(f"rects[{i}]", octets, *sides[2:])
            found.append((*sides, octets))
        return found

    def _write_rows(self, world, x, y, width, height, data, wait):
        """A rectangle in portions. Returns the last reply."""
        for row, rows in windows.portions(y, width, height):
            part = data[(row - y) * width:(row - y + rows) * width]
            change = made(pb.Change, world=world, x=x, y=row, width=width, height=rows, data=part)
            reply = self.request(apply=pb.Apply(change=change, wait=_wait(wait)))
        return reply

    def remove_world(self, world):
        """Remove a world with its agents and watches."""
        self.request(remove_world=made(pb.RemoveWorld, world=world))
        self._windows.forget(world)

    def worlds(self):
        """All worlds: a list of messages with world, geometry, window, neighbors, wraps, profile, head."""
        return list(self.request(list_worlds=pb.ListWorlds()).worlds.worlds)

    def snapshot(self, world):
        """All cells, row by row, as (version, bytes [width * height]); also while it changes."""
        watch = self._open_watch(made(pb.Watch, world=world, map=True))
        width, data = 0, bytearray()
        while True:
            news = watch.next_message(self._timeout_s)
            if news is None:
                raise NoDaemon("the snapshot stopped before its end")
            if news.HasField("delta"):
                _rewrite(data, width, news.delta)
            elif news.HasField("chunk"):
                chunk = news.chunk
                if chunk.first:
                    width = chunk.geometry.width
                    data = bytearray(width * chunk.geometry.height)
                data[chunk.first_row * width:(chunk.first_row + chunk.rows) * width] = chunk.data
                if chunk.last:
                    watch.close()
                    return chunk.version, bytes(data)

    def stats(self):
        """The daemon's counters: {"changes.applied": 12, ..}."""
        stats = self.request(get_stats=pb.GetStats()).stats
        return dict(zip(stats.names, stats.values))

    # ---- changes

    def fill_rect(self, world, x, y, width, height, byte, *, wait="applied"):
        """One byte for the cells from (x, y) to (x + width - 1, y + height - 1)."""
        change = made(pb.Change, world=world, x=x, y=y, width=width, height=height,
                      fill=arguments.byte("byte", byte))
        return self.apply(change, wait=wait)

    def write_rect(self, world, x, y, width, height, data, *, wait="applied"):
        """The bytes of the cells from (x, y) to (x + width - 1, y + height - 1), row by row."""
        change = made(pb.Change, world=world, x=x, y=y, width=width, height=height,
                      data=arguments.octets("data", data))
        return self.apply(change, wait=wait)

    def set_cells(self, world, cells, byte, *, wait="applied"):
        """Rewrite single cells, all in one version.

        cells: [(x, y), ..]. byte: one for all of them, or bytes of the same length.
        The cells are those of the window whose geometry this client heard last; if it heard none, it
        asks for the newest.
        """
        values = _byte(byte) if isinstance(byte, numbers.Integral) else arguments.octets("byte", byte)
        cells = arguments.cells("cells", cells)
        window = self._window(world)
        change = made(pb.Change, world=world, cells=_indices(cells, window), values=values)
        window.name_in(change)
        return self.apply(change, wait=wait)

    def put_disc(self, world, number, x, y, radius, byte, *, ttl_s=0.0, wait="applied"):
        """Put a disc over the cells whose inside it meets. An existing number moves that shape.

        x, y, radius: metres. byte: value of its cells while it lies there. ttl_s: remove it
        after that long; 0: never.
        """
        shape = made(pb.Overlay, world=world, ids=[number], corners=[1], x=[x], y=[y],
                     radii_m=[radius], values=_byte(byte), ttl_ms=[_ttl_ms(ttl_s)])
        return self.overlay(shape, wait=wait)

    def put_polygon(self, world, number, points, byte, *, ttl_s=0.0, wait="applied"):
        """The same with a polygon of 3 to 64 corners, [(x, y), ..] in metres."""
        x, y = arguments.points("points", points)
        shape = made(pb.Overlay, world=world, ids=[number], corners=[len(x)], x=x, y=y,
                     values=_byte(byte), ttl_ms=[_ttl_ms(ttl_s)])
        return self.overlay(shape, wait=wait)

    def remove_shapes(self, world, numbers=None, *, wait="applied"):
        """Remove these shapes, or all; the bytes that they hid count again."""
        shapes = made(pb.Overlay, world=world, removed=() if numbers is None else numbers,
                      clear=numbers is None)
        return self.overlay(shapes, wait=wait)

    def overlay(self, shapes, *, wait="applied"):
        """Send a replan.v1.Overlay: many shapes in one version. Returns Applied."""
        body = arguments.message_of(pb.Overlay, "shapes", shapes)
        body.wait = _wait(wait)
        return _applied(self.request(overlay=body))

    def apply(self, change, *, wait="applied"):
        """Send a replan.v1.Change.

        Cells are those of the window that it names; without epoch and window of the one whose geometry
        this client heard last, by worlds(), an Answer, create_world() or resize(), or else of the one
        that its first change was for. What lies outside
        of some window since is dropped, and counted by Applied.dropped. A window that the daemon does
        not know any more is refused with "GONE", once: then it is forgotten here, and the next change
        is for the newest.
        wait: "applied", "durable" (it survives a crash) or "settled" (every agent's newest answer
        is true for it, but for those that Applied.overdue_agents names). Returns Applied.
        """
        body = made(pb.Apply, change=change, wait=_wait(wait))
        return _applied(self.request(apply=body))

    # ---- agents

    def open_agent(self, world, agent, start, goal, *, planner="", profile="", radius=0.0,
                   inscribed_radius=0.0, inflation_radius=0.0, cost_scaling_factor=0.0, cells=0,
                   tolerance=0.0, nearest=False, goal_id=0, bends=False, **policy):
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
        cells: instead of radii, a square body of cells x cells, the agent's cell its lowest x and y.
        bends: published answers, for subscribers without this package, have the bends.
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
                     cost_scaling_factor=cost_scaling_factor, cells=cells)
        body = made(pb.OpenAgent, world=world, agent=agent, planner=planner,
                    pose=made(pb.Pose, x=x, y=y, yaw=yaw[0] if yaw else 0.0),
                    goal=goals.message(goal, tolerance=tolerance, nearest=nearest, goal_id=goal_id),
                    body=needs,
                    policy=made(pb.Policy, **policy), bends=bends)
        opened = self.request(open_agent=body).opened
        return Agent(self, world, agent, opened.handle)

    def agent(self, world, name):
        """An agent that somebody else opened, or that opens with its first pose or goal here."""
        return Agent(self, world, name)

    def order(self, agents, places, *, tolerance=0.0, nearest=False, goal_ids=()):
        """Send many agents of one world, in one request.

        agents: as open_agent() and agent() give them.
        places: one (x, y) in metres for all, or one for each agent, near the others: they share
        one search. A path to a place of its own goes by way of the middle place if that is as
        good as switch_gain_percent asks; `bound` says how much cheaper another path may be.
        goal_ids: none, one for all, or one each, echoed in answers.
        """
        agents = arguments.entries("agents", agents)
        if not agents:
            raise ReplanError("INVALID", "agents is empty, an order has 1 or more")
        for i, agent in enumerate(agents):
            if not isinstance(agent, Agent):
                raise arguments.wrong(f"agents[{i}]", agent, "an Agent")
        # On the wire those with handles come first.
        order = sorted(range(len(agents)), key=lambda i: agents[i].handle == 0)
        x, y = arguments.points("places", [places] if goals.is_point(places) else places)
        goal_ids = arguments.entries("goal_ids", goal_ids)
        body = made(pb.Order, world=agents[0].world,
                    handles=[agents[i].handle for i in order if agents[i].handle != 0],
                    agents=[agents[i].name for i in order if agents[i].handle == 0],
                    x=_in_order("places", x, order), y=_in_order("places", y, order),
                    goal_ids=_in_order("goal_ids", goal_ids, order), tolerance_m=tolerance,
                    nearest=nearest)
        self.request(order=body)

    # ---- questions

    def costs(self, world, sources, targets):
        """Costs from each source to each target, by rows; None where there is no path."""
        from_x, from_y = arguments.points("sources", sources)
        to_x, to_y = arguments.points("targets", targets)
        body = made(pb.AskCosts, world=world, from_x=from_x, from_y=from_y, to_x=to_x, to_y=to_y)
        found = self.request(ask_costs=body).costs
        return [[cost(value) for value in found.costs[i:i + found.columns]]
                for i in range(0, len(found.costs), found.columns)]

    def probe(self, change, agents=(), pairs=()):
        """What-if: costs before and after a replan.v1.Change that is not made: [(before, after), ..].

        agents: a name, or several. pairs: [((x, y), (x, y)), ..], which come after the agents.
        """
        pairs = [arguments.points(f"pairs[{i}]", pair) for i, pair in
                 enumerate(arguments.entries("pairs", pairs))]
        for i, (x, _) in enumerate(pairs):
            if len(x) != 2:
                raise arguments.invalid(f"pairs[{i}]", f"has {len(x)} points, it must have 2")
        body = made(pb.AskProbe, change=change, agents=arguments.names("agents", agents),
                    from_x=[x[0] for x, _ in pairs], from_y=[y[0] for _, y in pairs],
                    to_x=[x[1] for x, _ in pairs], to_y=[y[1] for _, y in pairs])
        found = self.request(ask_probe=body).probe
        return [(cost(a), cost(b)) for a, b in zip(found.before, found.after)]

    # ---- watches

    def watch(self, world, agents=None, *, splices=True):
        """Iterate over new answers of these agents, or of all, also of those that are opened later.

        agents: a name, or several; None: all.
        The newest answer of each agent comes first. A slow reader gets the newest, never a
        backlog. splices: the daemon sends only the new part of a path; the watch keeps the newest
        path of each agent, and makes the next one whole.
        """
        return self._open_watch(made(pb.Watch, world=world, all=agents is None,
                                     agents=arguments.names("agents", agents), splices=splices,
                                     batch=_BATCH))

    def _open_watch(self, body):
        body.credit = _CREDIT
        number = self.request(watch=body).watching.watch
        watch = self._watches.setdefault(number, Watch(self, number))
        watch.paths = {} if body.splices else None
        return watch

    # ---- the wire

    def request(self, *, timeout_s=None, **body):
        """Send one request, named as in replan.v1.Request, and return its Reply.

            client.request(forgive=pb.Forgive(world="arena", publisher="lidar"))
        """
        reply = self._request(timeout_s, **body)
        self._hear(reply)
        return reply

    def _request(self, timeout_s, **body):
        timeout_s = self._timeout_s if timeout_s is None else timeout_s
        timeout_s = arguments.real("timeout_s", timeout_s, 0, _TIMEOUT_MAX_S)
        if len(body.keys() - {"after"}) > 1:
            raise ReplanError("INVALID", f"a request has one body, not {' and '.join(body)}")
        if self._socket.closed:
            raise NoDaemon("this client was closed")
        request = made(pb.Request, **body)
        self._windows.name(request)
        request.id, request.life = self._next_id, self._life
        request.deadline_ms = int(1000 * timeout_s)
        self._next_id += 1
        packed = request.SerializeToString()
        if len(packed) > _MESSAGE_MAX:
            raise ReplanError("LIMIT", f"the request has {len(packed)} bytes, a message at most "
                                       f"{_MESSAGE_MAX}: more cells come by several write_rect()")
        if not self._socket.poll(int(1000 * _CONNECT_S), zmq.POLLOUT):
            raise NoDaemon("the daemon is gone")
        self._look_at_line()  # an older break says nothing about this request
        self._socket.send(packed)
        reply = self._await_reply(request.id, timeout_s)
        if reply.status != pb.OK:
            raise self._refusal(request, reply)
        if request.HasField("apply"):
            applied = reply.applied
            self._windows.hear_number(request.apply.change.world, applied.epoch, applied.window)
        return reply

    def _refusal(self, request, reply):
        """What to raise. A window that is gone is forgotten: it is named once."""
        present = reply.present if reply.HasField("present") else None
        if present is not None:
            body = getattr(request, request.WhichOneof("body"))
            self._windows.forget(body.change.world if hasattr(body, "change") else body.world)
        return ReplanError(pb.Status.Name(reply.status), reply.sentence, present)

    def _hear(self, reply):
        """Remember the windows whose geometry a reply tells."""
        kind = reply.WhichOneof("body")
        if kind == "answer" or kind == "chunk":
            self._windows.hear_of(getattr(reply, kind))
        elif kind == "worlds":
            for info in reply.worlds.worlds:
                self._windows.hear(info.world, Window.of(info.head.epoch, info.window, info.geometry))

    def _send_credit(self, credit, flags=0):
        self._socket.send(pb.Request(life=self._life, credit=credit).SerializeToString(), flags)

    def _await_reply(self, number, timeout_s):
        deadline = time.monotonic() + timeout_s + _GRACE_S
        while True:
            news = self._receive(deadline)
            if news is None:
                raise NoDaemon(f"no reply within {timeout_s} s")
            if not news.HasField("reply"):
                self._file(news)
            elif news.reply.id == number:
                return news.reply

    def _receive(self, deadline):
        """The next ToClient; None at the deadline, which may be None for never."""
        while True:
            left_ms = None if deadline is None else max(0, 1000 * (deadline - time.monotonic()))
            ready = dict(self._poller.poll(left_ms))
            if self._socket in ready:
                return pb.ToClient.FromString(self._socket.recv_multipart()[-1])
            if self._look_at_line():
                raise NoDaemon("the daemon went away")
            if not ready:
                return None

    def _file(self, news):
        # A watch may speak before the reply that tells its number.
        events = self._watches.setdefault(news.watch, Watch(self, news.watch)).events
        if news.HasField("answers"):
            events.extend(pb.ToClient(watch=news.watch, answer=answer)
                          for answer in news.answers.answers)
        else:
            events.append(news)

    def _look_at_line(self):
        """True when the line broke since the last look; its watches are over then."""
        broke = False
        while self._monitor.poll(0):
            self._monitor.recv_multipart()
            broke = True
        if broke:
            self._watches.clear()
        return broke

    def _window(self, world):
        """The window that cells of a world are of, here."""
        known = self._windows.get(world)
        if known is not None:
            return known
        info = self._info(world)
        return Window.of(info.head.epoch, info.window, info.geometry)

    def _info(self, world):
        """What the daemon says of a world; the program does not hear it."""
        for info in self._request(None, list_worlds=pb.ListWorlds()).worlds.worlds:
            if info.world == world:
                return info
        raise ReplanError("UNKNOWN", f'there is no world "{world}"')


class Agent:
    """An agent. Get one by Client.open_agent(), or Client.agent()."""

    def __init__(self, client, world, name, handle=0):
        self.client = client
        self.world = arguments.text("world", world)
        self.name = arguments.text("agent", name)
        self.handle = handle  #: its number in packed messages; 0: not known here

    def answer(self):
        """The newest answer, true for the newest version of the world."""
        get = pb.GetAnswer(world=self.world, agent=self.name)
        return Answer.of(self.client.request(get_answer=get).answer)

    def goto(self, goal, *, tolerance=0.0, nearest=False, goal_id=0):
        """Set another goal, as in Client.open_agent(). goal_id: a number of yours, echoed in answers."""
        message = goals.message(goal, tolerance=tolerance, nearest=nearest, goal_id=goal_id)
        message.world, message.agent = self.world, self.name
        self.client.request(set_goal=message)

    def pose(self, x, y, yaw=0.0, *, pose_seq=0):
        """Tell where the agent is: metres, radians. pose_seq: greater is newer; 0: unnumbered."""
        message = made(pb.Pose, world=self.world, agent=self.name, x=x, y=y, yaw=yaw,
                       pose_seq=pose_seq)
        self.client.request(set_pose=message)

    def field(self, reach):
        """The costs to its goals from the cells around it, `reach` cells each way. Returns Field."""
        body = made(pb.AskField, world=self.world, agent=self.name, reach=reach)
        found = self.client.request(ask_field=body).field
        return ask.Field(found.version, found.x, found.y, found.width, found.height,
                         [cost(value) for value in found.costs], found.steps)

    def valid(self, path, way=()):
        """Check whether the agent can walk this path now: cells [(x, y), ..] as in Answer.path. Returns Valid.

        way: cells that lead out of a blocked one to path[0], as in Answer.way.
        """
        path = arguments.cells("path", path)
        window = self.client._window(self.world)
        steps = steps_of(path, window.width, window.height)
        body = pb.AskValid(world=self.world, agent=self.name, steps=steps,
                           start=_indices(path[:1], window)[0])
        way = arguments.cells("way", way)
        if way:
            body.way = steps_of(way, window.width, window.height, "way")
            body.way_start = _indices(way[:1], window)[0]
        window.name_in(body)
        found = self.client.request(ask_valid=body).valid
        return ask.Valid(found.version, found.legal, cost(found.cost), list(found.offending),
                         list(found.offending_way))

    def why(self):
        """The newest answers and the cause of each, newest first: a list of Said."""
        body = pb.AskWhy(world=self.world, agent=self.name)
        return [ask.said(said) for said in self.client.request(ask_why=body).why.said]

    def close(self):
        """Close the agent."""
        self.client.request(close_agent=pb.CloseAgent(world=self.world, agent=self.name))


class Watch:
    """An iterator over the answers of a watch. Get one by Client.watch()."""

    def __init__(self, client, number):
        self.events = collections.deque()
        self.paths = None  # with splices: agent to (path_seq, steps) of its newest path
        self._client = client
        self._number = number
        self._spent = 0

    def __iter__(self):
        return self

    def __next__(self):
        return self.next()

    def next(self, timeout_s=None):
        """The next answer; None when none came in time. Waits forever without timeout_s."""
        deadline = _deadline(timeout_s)
        while True:
            news = self._next_until(deadline)
            if news is None:
                return None
            if news.HasField("answer"):
                return Answer.of(news.answer)

    def next_message(self, timeout_s=None):
        """Like next(), for any message of the watch: a ToClient with answer, head, ..."""
        return self._next_until(_deadline(timeout_s))

    def _next_until(self, deadline):
        while True:
            news = self._next_as_told(deadline)
            if news is None or not news.HasField("answer") or self._make_whole(news.answer):
                self._hear(news)
                return news

    def _hear(self, news):
        """Remember the window of what the reader gets now, not when it came."""
        kind = news.WhichOneof("body") if news is not None else None
        if kind in ("answer", "chunk", "delta"):
            self._client._windows.hear_of(getattr(news, kind))

    def _next_as_told(self, deadline):
        while not self.events:
            if self._client._watches.get(self._number) is not self:
                raise NoDaemon("the watch is over: it was closed, or the daemon went away")
            news = self._client._receive(deadline)
            if news is None:
                return None
            if not news.HasField("reply"):
                self._client._file(news)
        if self.events[0].HasField("ended"):  # stays, so that every later call says so too
            self._client._watches.pop(self._number, None)
            raise ReplanError("UNKNOWN", self.events[0].ended.sentence)
        self._renew_credit()
        return self.events.popleft()

    def _make_whole(self, answer):
        """Fill in what a splice leaves out. False without its base: it is asked for whole then."""
        if self.paths is None:
            return True
        try:
            steps = splice(answer, *self.paths.get(answer.agent, (0, b"")))
        except ValueError:
            self.paths.pop(answer.agent, None)
            credit = pb.Credit(watch=self._number, whole=[answer.agent])
            self._client._send_credit(credit)
            return False
        self.paths[answer.agent] = (answer.path_seq, steps)
        answer.steps = steps
        for field in ("base_seq", "kept_from_end", "kept_head", "kept_tail"):
            answer.ClearField(field)
        return True

    def close(self):
        """End the watch."""
        self._client.request(unwatch=pb.Unwatch(watch=self._number))
        self._client._watches.pop(self._number, None)

    def _renew_credit(self):
        self._spent += 1
        if 2 * self._spent < _CREDIT:
            return
        credit = pb.Credit(watch=self._number, credit=self._spent)
        try:  # without an id it is not replied to
            self._client._send_credit(credit, zmq.NOBLOCK)
            self._spent = 0
        except zmq.Again:
            pass  # tried again with the next event


def profile(name, factors=None, unit=1, *, like="factor", unknown="free", inscribed=b""):
    """Meaning of a world's bytes for one kind of agent; for Client.create_world(profiles=[..]).

    factors: by byte: 0 blocks, else the factor of a move's cost [256]; without them those of `like`
    ("factor" or "costmap"). unit: with factors: that of normal ground.
    unknown: what byte 255 counts as: "free", "blocked", or a factor.
    inscribed: bytes that block and are no obstacle: an agent there finds a way out. 253 of "costmap" is.
    """
    if isinstance(unknown, str):
        words = [word.lower()[len("as_"):] for word in pb.Unknown.keys()]
        if unknown not in words or unknown == "factor":
            raise arguments.wrong("unknown", unknown, '"free", "blocked" or a factor')
        counts = {"unknown": pb.Unknown.Value("AS_" + unknown.upper())}
    else:
        counts = {"unknown": pb.AS_FACTOR, "unknown_factor": arguments.whole("unknown", unknown, 1, 255)}
    counts["inscribed"] = arguments.octets("inscribed", inscribed)
    if factors is None:
        return made(pb.Profile, name=name, like=like, **counts)
    return made(pb.Profile, name=name, factors=arguments.octets("factors", factors), unit=unit, **counts)


def _applied(reply):
    applied = reply.applied
    return Applied(applied.epoch, applied.version, list(applied.changed_agents),
                   list(applied.overdue_agents), applied.window, applied.dropped)


def _check_size(name, octets, width, height):
    if len(octets) != width * height:
        raise arguments.invalid(name, f"has {len(octets)} bytes, {width} x {height} cells need "
                                      f"{width * height}")


def _fill_blocked(body, profile, profiles):
    """Fill what is still to be stated with a byte that blocks, if there is one."""
    byte = windows.blocker(profile or "factor", profiles)
    if byte is not None:
        body.fill = byte


def _wait(word):
    words = [name.lower() for name in pb.Wait.keys()]
    if word not in words:
        raise ReplanError("INVALID", f'wait is "{word}", it must be one of {", ".join(words)}')
    return pb.Wait.Value(word.upper())


def _indices(cells, geometry):
    """Cells (x, y) as the wire counts them, y * width + x."""
    width, height = geometry.width, geometry.height
    for x, y in cells:
        if not (0 <= x < width and 0 <= y < height):
            raise ReplanError("INVALID", f"cell ({x}, {y}) is outside the world of "
                                         f"{width} x {height}")
    return [y * width + x for x, y in cells]


def _in_order(name, values, order):
    """None, or one for all, as they are; of one each those of the agents in this order."""
    if len(values) > 1 and len(values) != len(order):
        raise arguments.invalid(name, f"has {len(values)} entries, it must have 1, or one for each of the "
                                f"{len(order)} agents")
    return [values[i] for i in order] if len(values) > 1 else values


def _fault(endpoint):
    """None, or why no daemon can be there; what is at inproc:// is within this process."""
    if "://" not in endpoint:
        return "it has no scheme, tcp:// before a host and its port, or ipc:// before a path"
    if not endpoint.startswith(("tcp://", "ipc://")):
        return "it has a scheme other than tcp:// and ipc://"
    return None


def _fill(value):
    return None if value is None else arguments.byte("fill", value)


def _byte(value):
    return bytes([arguments.byte("byte", value)])


def _ttl_ms(ttl_s):
    """Whole milliseconds, 1 or more where it is not 0: 0 is for ever."""
    seconds = arguments.real("ttl_s", ttl_s, 0, _TTL_MAX_S)
    return max(1, round(1000 * seconds)) if seconds > 0 else 0


def _deadline(timeout_s):
    return None if timeout_s is None else time.monotonic() + arguments.real("timeout_s", timeout_s, 0, _WAIT_MAX_S)


def _rewrite(data, width, delta):
    """What one version rewrote: first the rectangle, then the single cells."""
    for row in range(delta.height):
        at = (delta.y + row) * width + delta.x
        bytes_of_row = delta.data[row * delta.width:(row + 1) * delta.width]
        data[at:at + delta.width] = bytes_of_row or bytes([delta.fill]) * delta.width
    for i, cell in enumerate(delta.cells):
        data[cell] = delta.values[i if len(delta.values) > 1 else 0]
