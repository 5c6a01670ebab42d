"""The client for asyncio: the same calls, awaited. It belongs to the loop that it was opened in.

Messages are read as they come; a task that is cancelled while it waits for a reply leaves nothing behind: the reply is
dropped when it comes, and an answer that was not taken is still there for the next reader.
"""

from __future__ import annotations

import asyncio
import functools
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine, Iterable
from types import TracebackType
from typing import Any, Concatenate, NamedTuple, Optional, ParamSpec, TypeVar

import zmq

from . import agents, arguments, changes, questions, replan_pb2 as pb, worlds as _worlds
from .agents import Named, Place
from .answer import Answer
from .arguments import made
from .client import LINE_EVENTS, NOBLOCK, POLLIN, POLLOUT, connect, deadline_of, dealer, dressed, is_break, is_ready, pause_of
from .errors import NoDaemon, ReplanError
from .mirror import Mirror
from .pose_batch import GATHER_S, PoseBatch, Told, gathered
from .shared_watch import AsyncAgentWatches
from .watching import BATCH, Watching
from .wire import CONNECT_S, CONTROL, GRACE_S, Call, Event, Sent, Wire
from .worlds import World

P = ParamSpec("P")
T = TypeVar("T")
Method = Coroutine[Any, Any, T]
_AT_ONCE = 256  # messages, before other tasks have their turn
_LATE_S = 0.1  # between two looks for requests whose time is over


def _awaited(call: Callable[Concatenate[Wire, P], Call[T]]) -> Callable[Concatenate[AsyncClient, P], Method[T]]:
    """A method that carries a call."""
    async def method(self: AsyncClient, /, *positional: P.args, **named: P.kwargs) -> T:
        return await self._carry(call(self._wire, *positional, **named))
    return dressed(method, call)


def _opening(call: Callable[Concatenate[Wire, P], Call[Named]]) -> Callable[Concatenate[AsyncClient, P], Method[AsyncAgent]]:
    """The same for one that opens an agent."""
    async def method(self: AsyncClient, /, *positional: P.args, **named: P.kwargs) -> AsyncAgent:
        found = await self._carry(call(self._wire, *positional, **named))
        return AsyncAgent(self, found.world, found.name, found.handle)
    return dressed(method, call, "AsyncAgent")


def _of_agent(call: Callable[Concatenate[Wire, Named, P], Call[T]]) -> Callable[Concatenate[AsyncAgent, P], Method[T]]:
    """A method of an agent."""
    async def method(self: AsyncAgent, /, *positional: P.args, **named: P.kwargs) -> T:
        return await self.client._carry(call(self.client._wire, self, *positional, **named))
    return dressed(method, call)


class _Pending(NamedTuple):
    """A request that waits for its reply."""

    reply: asyncio.Future[pb.Reply]
    deadline: float
    timeout_s: float


class AsyncClient:
    """Worlds, changes and agents of one daemon, for asyncio.

        async with replan.AsyncClient() as client:
            scout = await client.open_agent("arena", "scout", start=(1.5, 1.5), goal=(60.5, 60.5))
            async for answer in scout:
                print(answer)

    control, timeout_s, strict: as of Client. NoDaemon is raised when it is opened: by `async with`, open(), or the first call.
    """

    def __init__(self, control: str = CONTROL, timeout_s: float = 5.0, *, strict: bool = False) -> None:
        self._wire = Wire(control, timeout_s, strict)
        self._context: zmq.Context[zmq.Socket[bytes]] | None = None
        self._replies: dict[int, _Pending] = {}
        self._is_read_due = self._is_late_due = False
        self._agents = AsyncAgentWatches(self)
        self._poses = PoseBatch()
        self._poses_due: asyncio.TimerHandle | None = None
        self._is_down = False  # the line broke, and the next one is not there yet
        self._writers: set[asyncio.Future[None]] = set()  # who waits for a daemon to be there
        self._is_closed = False

    async def open(self) -> None:
        """Connect. A second time does nothing."""
        if self._is_closed:
            raise NoDaemon("this client was closed")
        if self._context is not None:
            return
        self._loop = asyncio.get_running_loop()
        self._context = zmq.Context()
        self._socket = dealer(self._context)
        self._monitor = self._socket.get_monitor_socket(LINE_EVENTS)
        self._fds: list[int] = [self._socket.getsockopt(zmq.FD), self._monitor.getsockopt(zmq.FD)]  # type: ignore[list-item]
        for fd in self._fds:
            self._loop.add_reader(fd, self._read)
        fault = connect(self._socket, self._wire.control)
        if fault is None and not await self._is_writable(CONNECT_S):
            fault = f"no daemon answers at {self._wire.control}"
        if fault is not None:
            await self.close()
            raise NoDaemon(fault)

    async def close(self) -> None:
        """Ends the watches too, and what waits for a reply. A second time does nothing."""
        self._is_closed = True
        if self._context is None or self._socket.closed:
            return
        for fd in self._fds:
            self._loop.remove_reader(fd)
        self._send_poses()
        self._break_off("this client was closed")
        self._socket.disable_monitor()
        self._socket.close()
        self._context.destroy(linger=0)

    async def __aenter__(self) -> AsyncClient:
        await self.open()
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        await self.close()

    # ---- calls

    create_world = _awaited(_worlds.create_world)
    create_world_from_map = _awaited(_worlds.create_world_from_map)
    resize = _awaited(_worlds.resize)
    remove_world = _awaited(_worlds.remove_world)
    worlds = _awaited(_worlds.worlds)
    stats = _awaited(_worlds.stats)
    fill_rect = _awaited(changes.fill_rect)
    write_rect = _awaited(changes.write_rect)
    set_cells = _awaited(changes.set_cells)
    put_disc = _awaited(changes.put_disc)
    put_polygon = _awaited(changes.put_polygon)
    remove_shapes = _awaited(changes.remove_shapes)
    overlay = _awaited(changes.overlay)
    apply = _awaited(changes.apply)
    open_agent = _opening(agents.open_agent)
    order = _awaited(agents.order)
    poses = _awaited(agents.poses)
    costs = _awaited(questions.costs)
    probe = _awaited(questions.probe)

    def agent(self, world: str, name: str) -> AsyncAgent:
        """An agent that somebody else opened, or that opens with its first pose or goal here."""
        return AsyncAgent(self, world, name)

    async def request(self, *, timeout_s: float | None = None, **body: object) -> pb.Reply:
        """Send one request, named as in replan.v1.Request, and return its Reply."""
        return await self._carry(self._wire.ask(timeout_s, **body))

    # ---- cells

    async def snapshot(self, world: str) -> tuple[int, bytes]:
        """All cells, row by row, as (version, bytes [width * height]); also while it changes."""
        mirror = await self._photograph(world)
        return mirror.version, bytes(mirror.data)

    async def world(self, name: str) -> World:
        """The same with all that is known of the world: a World, for numpy and for plot()."""
        mirror = await self._photograph(name)
        return await self._carry(_worlds.picture(self._wire, name, mirror))

    async def mirror(self, world: str, *, resume: bool = True) -> AsyncMirror:
        """A copy of a world's cells that follows its changes. resume: as of watch()."""
        mirror = AsyncMirror(self, world, resume=resume)
        await self._carry(mirror._watching.open())
        return mirror

    async def _photograph(self, world: str) -> Mirror:
        async with await self.mirror(world, resume=False) as copy:
            if not await copy.follow(self._wire.timeout_s):
                raise NoDaemon("the snapshot stopped before its end")
            return copy

    # ---- watches

    async def watch(self, world: str, agents: str | Iterable[str] | None = None, *, splices: bool = True,
                    later: bool = False, resume: bool = True) -> AsyncWatch:
        """An async iterator over new answers; its arguments are those of Client.watch()."""
        body = made(pb.Watch, world=world, all=agents is None, agents=arguments.names("agents", agents),
                    splices=splices, batch=BATCH, segments=True, splice_segments=splices)
        watching = _Woken(self._wire, body, resumes=resume, later=later)
        await self._carry(watching.open())
        return AsyncWatch(self, watching)

    # ---- the line

    async def _carry(self, call: Call[T]) -> T:
        """Send what a call yields, and give it the replies."""
        try:
            sent = next(call)
            while True:
                sent = call.send(await self._exchange(sent))
        except StopIteration as end:
            result: T = end.value
            return result

    async def _exchange(self, sent: Sent) -> pb.Reply:
        if self._context is None or self._is_closed:
            await self.open()
        self._send_poses()  # they were told before
        reply = self._expect(sent)
        try:
            if not self._send(sent.packed):
                if not await self._is_writable(CONNECT_S):
                    raise NoDaemon("the daemon is gone")
                if not self._send(sent.packed):
                    raise NoDaemon("the daemon takes nothing more")
            return await reply
        finally:
            self._replies.pop(sent.id, None)

    def _expect(self, sent: Sent) -> asyncio.Future[pb.Reply]:
        """Its reply, for as long as it may take."""
        reply: asyncio.Future[pb.Reply] = self._loop.create_future()
        self._replies[sent.id] = _Pending(reply, time.monotonic() + sent.timeout_s + GRACE_S, sent.timeout_s)
        if not self._is_late_due:
            self._is_late_due = True
            self._loop.call_later(_LATE_S, self._end_late)
        return reply

    def _end_late(self) -> None:
        """Requests whose time is over. A timer for each would stay in the loop's heap for as long as a reply may take."""
        now = time.monotonic()
        for reply, deadline, timeout_s in self._replies.values():
            if deadline <= now:
                _fail(reply, f"no reply within {timeout_s} s")
        self._is_late_due = bool(self._replies) and not self._is_closed
        if self._is_late_due:
            self._loop.call_later(_LATE_S, self._end_late)

    def _send(self, packed: bytes) -> bool:
        """False when nobody is there, or has room for it: what is queued for a daemon is lost with the line."""
        if self._is_down:  # the socket may not have let go of the old line: what is sent there is lost
            return False
        self._read_soon()
        try:
            self._socket.send(packed, NOBLOCK)
            return True
        except zmq.Again:
            return False

    def _read_soon(self) -> None:
        """The descriptor tells once that messages are there, and who sends, or tries to, or looks takes that away."""
        if not self._is_read_due:
            self._is_read_due = True
            self._loop.call_soon(self._read)

    async def _is_writable(self, seconds: float) -> bool:
        """True when a daemon is there."""
        self._read_soon()
        if self._is_there():
            return True
        writer: asyncio.Future[None] = self._loop.create_future()
        self._writers.add(writer)
        try:
            await asyncio.wait_for(writer, seconds)
            return True
        except asyncio.TimeoutError:
            return False
        finally:
            self._writers.discard(writer)

    def _is_there(self) -> bool:
        return not self._is_down and is_ready(self._socket, POLLOUT)

    def _read(self) -> None:
        """Take all that has come."""
        self._is_read_due = False
        if self._socket.closed:
            return
        while is_ready(self._monitor, POLLIN):
            self._is_down = is_break(self._monitor.recv_multipart(NOBLOCK))
            if self._is_down:
                self._break_off("the daemon went away")
        try:
            for _ in range(_AT_ONCE):
                self._take(pb.ToClient.FromString(self._socket.recv(NOBLOCK)))  # one frame: no request has an envelope
            self._read_soon()
        except zmq.Again:
            pass
        if self._writers and self._is_there():
            for writer in self._writers:
                _settle(writer, None)

    def _take(self, news: pb.ToClient) -> None:
        if not news.HasField("reply"):
            self._wire.file(news)
            return
        reply = news.reply
        pending = self._replies.get(reply.id)
        if pending is not None and not pending.reply.done():
            pending.reply.set_result(reply)
        else:
            self._send_aside(self._wire.end_late(reply))

    def _break_off(self, sentence: str) -> None:
        for pending in self._replies.values():
            _fail(pending.reply, sentence)
        self._wire.break_off()

    # ---- poses that are gathered

    async def _tell(self, agent: Named, place: Place) -> None:
        """Tell where an agent is, together with others while there are many."""
        is_open = self._context is not None and not self._is_closed
        if not (is_open and self._poses.wants(agent, len(self._replies)) and await self._gather(agent, place)):
            await self._carry(agents.tell(self._wire, agent, place))

    def _gather(self, agent: Named, place: Place) -> asyncio.Future[bool]:
        """False when it is to be told alone."""
        sent: asyncio.Future[bool] = self._loop.create_future()
        self._poses.add(Told(agent, place, sent))
        if self._poses_due is None:
            self._poses_due = self._loop.call_later(GATHER_S, self._send_poses)
        return sent

    def _send_poses(self) -> None:
        if self._poses_due is not None:
            self._poses_due.cancel()
            self._poses_due = None
            for group in self._poses.take():
                self._send_group(group)

    def _send_group(self, group: list[Told]) -> None:
        call = gathered(self._wire, group)
        sent = next(call)
        if self._is_closed or not self._send(sent.packed):
            for told in group:
                _settle(told.sent, False)
            return
        reply = self._expect(sent)
        reply.add_done_callback(functools.partial(self._end_group, sent.id, call, group))

    def _end_group(self, number: int, call: Call[None], group: list[Told], reply: asyncio.Future[pb.Reply]) -> None:
        """What is refused together is told alone, so that each has its own refusal."""
        self._replies.pop(number, None)
        is_taken = False
        try:
            call.send(reply.result())
        except StopIteration:
            is_taken = True
        except NoDaemon as error:
            for told in group:
                _fail(told.sent, error.sentence)
        except ReplanError:
            pass
        for told in group:
            _settle(told.sent, is_taken)

    # ---- for watches

    async def _next_event(self, watch: _Woken, deadline: float | None) -> Event | None:
        while True:
            if watch.is_closed or self._is_closed:
                raise NoDaemon("the watch is over: it was closed")
            event = watch.take()
            self._pay(watch)
            if event is not None:
                return event
            if watch.number == 0:
                if not watch.resumes:
                    raise NoDaemon("the watch is over: the daemon went away")
                if not await self._resume(watch, deadline):
                    return None
            elif not await watch.wait(deadline):
                return None

    async def _resume(self, watch: _Woken, deadline: float | None) -> bool:
        """Try to, at least once. False at the deadline."""
        while watch.number == 0 and not self._is_closed:
            is_new = not watch.is_waiting
            try:
                if await self._is_writable(pause_of(deadline)):
                    await self._carry(watch.resume())
            except NoDaemon:
                pass
            except ReplanError as error:
                if error.status != "UNKNOWN" or is_new:
                    raise
                await asyncio.sleep(pause_of(deadline))
            if watch.number == 0 and pause_of(deadline) == 0.0:
                return False
        return True

    def _pay(self, watch: Watching) -> None:
        if self._send_aside(watch.due()):
            watch.paid()  # else it is tried again with the next event

    def _send_aside(self, packed: bytes | None) -> bool:
        """False when there is nothing to send, or no room for it."""
        return packed is not None and self._send(packed)


class AsyncAgent(Named):
    """An agent. Get one by AsyncClient.open_agent(), or AsyncClient.agent(). `async for` is a watch of it alone."""

    def __init__(self, client: AsyncClient, world: str, name: str, handle: int = 0) -> None:
        super().__init__(world, name, handle)
        self.client = client

    answer = _of_agent(agents.answer)
    goto = _of_agent(agents.goto)

    async def pose(self, x: float, y: float, yaw: float = 0.0, *, pose_seq: int = 0) -> None:
        """Tell where the agent is: metres, radians. pose_seq: greater is newer; 0: unnumbered.

        When tasks tell thousands a second, those of about the same time go in one request, some milliseconds later.
        """
        await self.client._tell(self, Place.of(x, y, yaw, pose_seq))

    close = _of_agent(agents.close)
    field = _of_agent(questions.field)
    valid = _of_agent(questions.valid)
    why = _of_agent(questions.why)

    def __aiter__(self) -> AsyncIterator[Answer]:
        return self.client._agents.answers(self)


class _Woken(Watching):
    """A watch whose reader is a task."""

    _waiter: Optional[asyncio.Future[None]] = None

    def wake(self) -> None:
        if self._waiter is not None:
            _settle(self._waiter, None)

    async def wait(self, deadline: float | None) -> bool:
        """Until an event comes. False at the deadline."""
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            left_s = None if deadline is None else max(0.0, deadline - time.monotonic())
            await asyncio.wait_for(self._waiter, left_s)
            return True
        except asyncio.TimeoutError:
            return False
        finally:
            self._waiter = None


class _Reader:
    """What reads a watch."""

    def __init__(self, client: AsyncClient, watching: _Woken) -> None:
        self._client, self._watching = client, watching

    @property
    def lost(self) -> list[str]:
        """What was lost when the daemon went away, a sentence each time."""
        return self._watching.lost

    async def close(self) -> None:
        """End the watch."""
        await self._client._carry(self._watching.close())

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None,
                        trace: TracebackType | None) -> None:
        try:
            await self.close()
        except NoDaemon:
            pass  # then the watch is over, too


class AsyncWatch(_Reader):
    """An async iterator over the answers of a watch. Get one by AsyncClient.watch()."""

    def __aiter__(self) -> AsyncWatch:
        return self

    async def __anext__(self) -> Answer:
        answer = await self.next()
        assert answer is not None  # without a deadline one comes
        return answer

    async def next(self, timeout_s: float | None = None) -> Answer | None:
        """The next answer; None when none came in time. Waits forever without timeout_s. As Watch.next()."""
        deadline = deadline_of(timeout_s)
        while True:
            event = await self._client._next_event(self._watching, deadline)
            if event is None:
                return None
            if isinstance(event.message, pb.Answer):
                return Answer.of(event.message)

    def _want(self, agent: str) -> None:
        self._watching.want(agent)
        self._client._pay(self._watching)

    async def __aenter__(self) -> AsyncWatch:
        return self


class AsyncMirror(Mirror, _Reader):
    """A copy of a world's cells that follows its changes. Get one by AsyncClient.mirror()."""

    def __init__(self, client: AsyncClient, world: str, *, resume: bool) -> None:
        Mirror.__init__(self)
        body = made(pb.Watch, world=world, map=True, follows=True)
        _Reader.__init__(self, client, _Woken(client._wire, body, resumes=resume, later=True))

    async def follow(self, timeout_s: float | None = None) -> bool:
        """Take in what comes next. True: the cells are those of another version; False: nothing came in time."""
        deadline = deadline_of(timeout_s)
        while True:
            event = await self._client._next_event(self._watching, deadline)
            if event is None:
                return False
            if self.take(event.message) and self.is_whole:
                return True

    async def __aenter__(self) -> AsyncMirror:
        return self


def _settle(future: asyncio.Future[T], result: T) -> None:
    if not future.done():
        future.set_result(result)


def _fail(future: asyncio.Future[T], sentence: str) -> None:
    if not future.done():
        future.set_exception(NoDaemon(sentence))
