"""Client of repland: one DEALER socket, one thread.

A request blocks until its reply; messages of watches that come meanwhile are kept for their readers.
"""

from __future__ import annotations

import functools
import inspect
import math
import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator
from types import TracebackType
from typing import Any, Concatenate, ParamSpec, TypeVar

import zmq

from . import agents, arguments, changes, questions, replan_pb2 as pb, worlds as _worlds
from .agents import Named
from .answer import Answer
from .arguments import made
from .errors import NoDaemon, ReplanError
from .mirror import Mirror
from .shared_watch import AgentWatches
from .watching import BATCH, RETRY_S, Watching
from .wire import CONNECT_S, CONTROL, GRACE_S, HEARTBEAT_MS, SILENCE_MS, WAIT_MAX_S, Call, Event, Sent, Wire, fault_of
from .worlds import World

P = ParamSpec("P")
M = TypeVar("M", bound=Callable[..., Any])
T = TypeVar("T")
C = TypeVar("C", bound="Client")

POLLIN, POLLOUT, NOBLOCK = int(zmq.POLLIN), int(zmq.POLLOUT), int(zmq.NOBLOCK)  # to reckon with enums takes microseconds
_EVENTS, _DISCONNECTED = int(zmq.EVENTS), int(zmq.EVENT_DISCONNECTED)
SOON_MS = 20  # in which most replies come
LINE_EVENTS = _DISCONNECTED | int(zmq.EVENT_HANDSHAKE_SUCCEEDED)  # that a monitor tells


def dressed(method: M, call: Callable[..., object], result: str = "") -> M:
    """The method with the name and the words of the call that it carries, and with what a program gives it: so help() shows it.

    result: what it returns, where that is not what the call does.
    """
    functools.update_wrapper(method, call)
    about = inspect.signature(call)
    given = [one for one in about.parameters.values() if one.kind is not one.POSITIONAL_ONLY]
    itself = inspect.Parameter("self", inspect.Parameter.POSITIONAL_ONLY)
    returned = result or re.sub(r"^Call\[(.*)\]$", r"\1", str(about.return_annotation))
    method.__signature__ = about.replace(parameters=[itself, *given], return_annotation=returned)  # type: ignore[attr-defined]
    return method


def _plain(call: Callable[Concatenate[Wire, P], Call[T]]) -> Callable[Concatenate[Client, P], T]:
    """A method that carries a call."""
    def method(self: Client, /, *positional: P.args, **named: P.kwargs) -> T:
        return self._carry(call(self._wire, *positional, **named))
    return dressed(method, call)


def _opening(call: Callable[Concatenate[Wire, P], Call[Named]]) -> Callable[Concatenate[Client, P], Agent]:
    """The same for one that opens an agent."""
    def method(self: Client, /, *positional: P.args, **named: P.kwargs) -> Agent:
        found = self._carry(call(self._wire, *positional, **named))
        return Agent(self, found.world, found.name, found.handle)
    return dressed(method, call, "Agent")


def _of_agent(call: Callable[Concatenate[Wire, Named, P], Call[T]]) -> Callable[Concatenate[Agent, P], T]:
    """A method of an agent."""
    def method(self: Agent, /, *positional: P.args, **named: P.kwargs) -> T:
        return self.client._carry(call(self.client._wire, self, *positional, **named))
    return dressed(method, call)


class Client:
    """Worlds, changes and agents of one daemon.

    control: endpoint of the daemon's control socket.
    timeout_s: how long a request may take.
    strict: a pose or a goal opens no agent: one that is not open is refused with "UNKNOWN".
    Raises NoDaemon when nobody listens there.
    """

    def __init__(self, control: str = CONTROL, timeout_s: float = 5.0, *, strict: bool = False) -> None:
        self._wire = Wire(control, timeout_s, strict)
        self._agents = AgentWatches(self)
        self._context: zmq.Context[zmq.Socket[bytes]] = zmq.Context()
        self._socket = dealer(self._context)
        self._monitor = self._socket.get_monitor_socket(LINE_EVENTS)
        self._is_down = False  # the line broke, and the next one is not there yet
        self._socket.setsockopt(zmq.RCVTIMEO, SOON_MS)
        self._poller = zmq.Poller()
        self._poller.register(self._socket, zmq.POLLIN)
        self._poller.register(self._monitor, zmq.POLLIN)
        fault = connect(self._socket, control)
        if fault is not None:
            self.close()
            raise NoDaemon(fault)
        if not self._is_writable(CONNECT_S):
            self.close()
            raise NoDaemon(f"no daemon answers at {control}")

    def close(self) -> None:
        """Ends the watches too. A second time does nothing."""
        if self._socket.closed:
            return
        self._socket.disable_monitor()
        self._socket.close()
        self._context.destroy(linger=0)

    def __enter__(self: C) -> C:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()

    # ---- calls

    create_world = _plain(_worlds.create_world)
    create_world_from_map = _plain(_worlds.create_world_from_map)
    resize = _plain(_worlds.resize)
    remove_world = _plain(_worlds.remove_world)
    worlds = _plain(_worlds.worlds)
    stats = _plain(_worlds.stats)
    fill_rect = _plain(changes.fill_rect)
    write_rect = _plain(changes.write_rect)
    set_cells = _plain(changes.set_cells)
    put_disc = _plain(changes.put_disc)
    put_polygon = _plain(changes.put_polygon)
    remove_shapes = _plain(changes.remove_shapes)
    overlay = _plain(changes.overlay)
    apply = _plain(changes.apply)
    open_agent = _opening(agents.open_agent)
    order = _plain(agents.order)
    poses = _plain(agents.poses)
    costs = _plain(questions.costs)
    probe = _plain(questions.probe)

    def agent(self, world: str, name: str) -> Agent:
        """An agent that somebody else opened, or that opens with its first pose or goal here."""
        return Agent(self, world, name)

    def request(self, *, timeout_s: float | None = None, **body: object) -> pb.Reply:
        """Send one request, named as in replan.v1.Request, and return its Reply.

            client.request(forgive=pb.Forgive(world="arena", publisher="lidar"))
        """
        return self._carry(self._wire.ask(timeout_s, **body))

    # ---- cells

    def snapshot(self, world: str) -> tuple[int, bytes]:
        """All cells, row by row, as (version, bytes [width * height]); also while it changes."""
        mirror = self._photograph(world)
        return mirror.version, bytes(mirror.data)

    def world(self, name: str) -> World:
        """The same with all that is known of the world: a World, for numpy and for plot()."""
        return self._carry(_worlds.picture(self._wire, name, self._photograph(name)))

    def mirror(self, world: str, *, resume: bool = True) -> WorldMirror:
        """A copy of a world's cells that follows its changes. resume: as of watch()."""
        return WorldMirror(self, world, resume=resume)

    def _photograph(self, world: str) -> Mirror:
        with WorldMirror(self, world, resume=False) as copy:
            if not copy.follow(self._wire.timeout_s):
                raise NoDaemon("the snapshot stopped before its end")
            return copy

    # ---- watches

    def watch(self, world: str, agents: str | Iterable[str] | None = None, *, splices: bool = True,
              later: bool = False, resume: bool = True) -> Watch:
        """Iterate over new answers of these agents, or of all, also of those that are opened later.

        agents: a name, or several, which must be open; None: all. later: they may be opened later.
        The newest answer of each agent comes first. A slow reader gets the newest, never a
        backlog. splices: the daemon sends only the new part of a path; the watch keeps the newest
        path of each agent, and makes the next one whole.
        resume: when the daemon goes away, wait for it, go on, and say what was lost (Watch.lost);
        False: NoDaemon ends the watch.
        """
        body = made(pb.Watch, world=world, all=agents is None, agents=arguments.names("agents", agents),
                    splices=splices, batch=BATCH, segments=True, splice_segments=splices)
        return self._open_watch(body, resume=resume, later=later)

    def _open_watch(self, body: pb.Watch, *, resume: bool = False, later: bool = True) -> Watch:
        watching = Watching(self._wire, body, resumes=resume, later=later)
        self._carry(watching.open())
        return Watch(self, watching)

    # ---- the line

    def _carry(self, call: Call[T]) -> T:
        """Send what a call yields, and give it the replies."""
        try:
            sent = next(call)
            while True:
                sent = call.send(self._exchange(sent))
        except StopIteration as end:
            result: T = end.value
            return result

    def _exchange(self, sent: Sent) -> pb.Reply:
        if self._socket.closed:
            raise NoDaemon("this client was closed")
        self._look_at_line()
        if self._is_down or not self._send_aside(sent.packed):  # to look first whether there is room takes longer
            if not self._is_writable(CONNECT_S):
                raise NoDaemon("the daemon is gone")
            self._socket.send(sent.packed)
        deadline = time.monotonic() + sent.timeout_s + GRACE_S
        while True:
            news = self._receive(deadline)
            if news is None:
                raise NoDaemon(f"no reply within {sent.timeout_s} s")
            if not news.HasField("reply"):
                self._wire.file(news)
            elif news.reply.id == sent.id:
                return news.reply
            else:
                self._send_aside(self._wire.end_late(news.reply))

    def _is_writable(self, seconds: float) -> bool:
        """True when a daemon is there. An older break says nothing about what is sent then.

        ZeroMQ tells a break before its socket lets go of the old line, and what is sent there is lost: so the next line is
        waited for.
        """
        deadline = time.monotonic() + seconds
        self._look_at_line()
        while self._is_down:
            left_ms = _left_ms(deadline)
            if not self._monitor.poll(left_ms) and left_ms == 0:
                return False
            self._look_at_line()
        return is_ready(self._socket, POLLOUT) or bool(self._socket.poll(_left_ms(deadline), POLLOUT))

    def _receive(self, deadline: float | None) -> pb.ToClient | None:
        """The next ToClient; None at the deadline, which may be None for never.

        Most replies come at once, and to wait for them alone takes half of what a poll does, which hears of the line, too.
        """
        while True:
            left_ms = None if deadline is None else _left_ms(deadline)
            try:
                return pb.ToClient.FromString(self._socket.recv(0 if left_ms is None or left_ms > SOON_MS else NOBLOCK))
            except zmq.Again:
                pass
            if self._look_at_line():
                raise NoDaemon("the daemon went away")
            left_ms = None if deadline is None else _left_ms(deadline)
            if not self._poller.poll(left_ms) and left_ms is not None:
                return None

    def _look_at_line(self) -> bool:
        """True when the line broke since the last look; its watches are over then."""
        broke = False
        while is_ready(self._monitor, POLLIN):
            self._is_down = is_break(self._monitor.recv_multipart())
            broke = broke or self._is_down
        if broke:
            self._wire.break_off()
        return broke

    # ---- for watches

    def _next_event(self, watch: Watching, deadline: float | None) -> Event | None:
        while True:
            if watch.is_closed or self._socket.closed:
                raise NoDaemon("the watch is over: it was closed")
            event = watch.take()
            self._pay(watch)
            if event is not None:
                return event
            if watch.number == 0:
                if not watch.resumes:
                    raise NoDaemon("the watch is over: the daemon went away")
                if not self._resume(watch, deadline):
                    return None
            else:
                try:
                    news = self._receive(deadline)
                except NoDaemon:
                    continue
                if news is None:
                    return None
                if news.HasField("reply"):
                    self._send_aside(self._wire.end_late(news.reply))
                else:
                    self._wire.file(news)

    def _resume(self, watch: Watching, deadline: float | None) -> bool:
        """Try to, at least once. False at the deadline."""
        while watch.number == 0:
            is_new = not watch.is_waiting
            try:
                if self._is_writable(pause_of(deadline)):
                    self._carry(watch.resume())
            except NoDaemon:
                pass
            except ReplanError as error:
                if error.status != "UNKNOWN" or is_new:
                    raise
                time.sleep(pause_of(deadline))
            if watch.number == 0 and pause_of(deadline) == 0.0:
                return False
        return True

    def _pay(self, watch: Watching) -> None:
        if self._send_aside(watch.due()):
            watch.paid()  # else it is tried again with the next event

    def _send_aside(self, packed: bytes | None) -> bool:
        """False when there is nothing to send, or no room for it."""
        try:
            if packed is not None:
                self._socket.send(packed, zmq.NOBLOCK)
            return packed is not None
        except zmq.Again:
            return False


class Agent(Named):
    """An agent. Get one by Client.open_agent(), or Client.agent(). Iterating over it is a watch of it alone."""

    def __init__(self, client: Client, world: str, name: str, handle: int = 0) -> None:
        super().__init__(world, name, handle)
        self.client = client

    answer = _of_agent(agents.answer)
    goto = _of_agent(agents.goto)
    pose = _of_agent(agents.pose)
    close = _of_agent(agents.close)
    field = _of_agent(questions.field)
    valid = _of_agent(questions.valid)
    why = _of_agent(questions.why)

    def __iter__(self) -> Iterator[Answer]:
        return self.client._agents.answers(self)


class _Reader:
    """What reads a watch."""

    def __init__(self, client: Client, watching: Watching) -> None:
        self._client, self._watching = client, watching

    @property
    def lost(self) -> list[str]:
        """What was lost when the daemon went away, a sentence each time."""
        return self._watching.lost

    def close(self) -> None:
        """End the watch."""
        self._client._carry(self._watching.close())

    def _end(self, kind: type[BaseException] | None) -> None:
        if kind is None or not issubclass(kind, NoDaemon):
            try:
                self.close()
            except NoDaemon:
                pass  # then the watch is over, too


class Watch(_Reader):
    """An iterator over the answers of a watch. Get one by Client.watch()."""

    def __iter__(self) -> Iterator[Answer]:
        return self

    def __next__(self) -> Answer:
        answer = self.next()
        assert answer is not None  # without a deadline one comes
        return answer

    def next(self, timeout_s: float | None = None) -> Answer | None:
        """The next answer; None when none came in time. Waits forever without timeout_s.

        When the daemon went away and came back without the world: ReplanError "UNKNOWN", once; after that it waits.
        """
        deadline = deadline_of(timeout_s)
        while True:
            event = self._client._next_event(self._watching, deadline)
            if event is None:
                return None
            if isinstance(event.message, pb.Answer):
                return Answer.of(event.message)

    def next_message(self, timeout_s: float | None = None) -> pb.ToClient | None:
        """Like next(), for any message of the watch: a ToClient with answer, head, ..."""
        event = self._client._next_event(self._watching, deadline_of(timeout_s))
        return None if event is None else made(pb.ToClient, watch=self._watching.number, **{event.kind: event.message})

    def _want(self, agent: str) -> None:
        self._watching.want(agent)
        self._client._pay(self._watching)

    def __enter__(self) -> Watch:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._end(kind)


class WorldMirror(Mirror, _Reader):
    """A copy of a world's cells that follows its changes. Get one by Client.mirror()."""

    def __init__(self, client: Client, world: str, *, resume: bool) -> None:
        Mirror.__init__(self)
        body = made(pb.Watch, world=world, map=True, follows=True)
        _Reader.__init__(self, client, Watching(client._wire, body, resumes=resume, later=True))
        client._carry(self._watching.open())

    def follow(self, timeout_s: float | None = None) -> bool:
        """Take in what comes next. True: the cells are those of another version; False: nothing came in time."""
        deadline = deadline_of(timeout_s)
        while True:
            event = self._client._next_event(self._watching, deadline)
            if event is None:
                return False
            if self.take(event.message) and self.is_whole:
                return True

    def __enter__(self) -> WorldMirror:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self._end(kind)


def dealer(context: zmq.Context[zmq.Socket[bytes]]) -> zmq.Socket[bytes]:
    """A socket as clients use it."""
    socket = context.socket(zmq.DEALER)
    socket.setsockopt(zmq.IMMEDIATE, 1)  # nothing is queued for nobody
    socket.setsockopt(zmq.LINGER, 200)
    socket.setsockopt(zmq.RCVHWM, 0)  # bounded by credit instead
    socket.setsockopt(zmq.HEARTBEAT_IVL, HEARTBEAT_MS)
    socket.setsockopt(zmq.HEARTBEAT_TIMEOUT, SILENCE_MS)
    return socket


def connect(socket: zmq.Socket[bytes], control: str) -> str | None:
    """Connect it. Returns None, or a sentence that says why no daemon can be there."""
    fault = fault_of(control)
    try:
        if fault is None:
            socket.connect(control)
    except zmq.ZMQError as error:
        fault = str(error)
    return None if fault is None else f"{control} is no endpoint, as {CONTROL} is: {fault}"


def is_ready(socket: zmq.Socket[bytes], event: int) -> bool:
    """True when the socket can be read, or written to, at once."""
    events: int = socket.getsockopt(_EVENTS)  # type: ignore[assignment]  # of this one it is a number
    return bool(events & event)


def is_break(event: list[bytes]) -> bool:
    """Of what a monitor told: true when the line broke, false when the next one is there."""
    return int.from_bytes(event[0][:2], sys.byteorder) == _DISCONNECTED


def _left_ms(deadline: float) -> int:
    return max(0, math.ceil(1000 * (deadline - time.monotonic())))


def pause_of(deadline: float | None) -> float:
    """Seconds until a watch that could not go on tries it again; 0 at the deadline."""
    return RETRY_S if deadline is None else max(0.0, min(RETRY_S, deadline - time.monotonic()))


def deadline_of(timeout_s: float | None) -> float | None:
    return None if timeout_s is None else time.monotonic() + arguments.real("timeout_s", timeout_s, 0, WAIT_MAX_S)
