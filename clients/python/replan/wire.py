"""What requests need, whoever carries them: ids, the windows that cells are of, refusals, and the watches.

A call is a generator: it yields what is to be sent, gets the reply, and returns its result. So each call is written
once, in worlds.py, changes.py, agents.py, questions.py and watching.py; client.py carries it by waiting, aio.py by awaiting.
"""

from __future__ import annotations

import collections
import secrets
from collections.abc import Generator
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from google.protobuf.message import Message

from . import arguments, replan_pb2 as pb
from .arguments import made
from .errors import ReplanError
from .windows import Window, Windows

if TYPE_CHECKING:
    from .watching import Watching

CONTROL = "tcp://127.0.0.1:7403"

CONNECT_S = 1.5
GRACE_S = 0.5  # the daemon tells TIMEOUT itself at the deadline: wait a little longer to hear it
HEARTBEAT_MS, SILENCE_MS = 1000, 4000  # of the line
TIMEOUT_MAX_S = 3600  # RP_LIMIT_DEADLINE_MS
WAIT_MAX_S = 1e6  # of a poll
MESSAGE_MAX = 20 << 20  # RP_LIMIT_MESSAGE_BYTES: the daemon ends the line of who sends more
DATA_MAX = MESSAGE_MAX - (64 << 10)  # what a message has room for beside everything else

T = TypeVar("T")


class Sent(NamedTuple):
    """A request on its way."""

    id: int
    packed: bytes
    timeout_s: float


class Event(NamedTuple):
    """A message of a watch: "answer", "head", "delta", "chunk" or "ended", and what it says."""

    kind: str
    message: Message


Call = Generator[Sent, pb.Reply, T]


class Wire:
    """One client's side of it."""

    def __init__(self, control: str, timeout_s: float, strict: bool) -> None:
        self.control = arguments.text("control", control)
        self.timeout_s = arguments.real("timeout_s", timeout_s, 0, TIMEOUT_MAX_S)
        self.strict = arguments.truth("strict", strict)
        self.life = secrets.randbits(64) | 1  # ids of another run are not taken for this one's
        self.windows = Windows()
        self.versions: dict[str, tuple[int, int]] = {}  # epoch and version that were heard last, by world
        self.watches: dict[int, Watching] = {}
        self._early: dict[int, collections.deque[Event]] = {}  # of watches whose number is not told yet
        self._opening: set[int] = set()  # ids of requests for watches that this line has yet to reply to
        self._next_id = secrets.randbits(31) << 32 | 1

    # ---- requests

    def ask(self, timeout_s: float | None = None, /, **body: object) -> Call[pb.Reply]:
        """Send one request, named as in replan.v1.Request. What its reply tells of windows is heard."""
        reply = yield from self.ask_aside(timeout_s, **body)
        kind = reply.WhichOneof("body")
        if kind == "answer":
            self.hear_of(reply.answer)
        elif kind == "chunk":
            self.hear_of(reply.chunk)
        elif kind == "worlds":
            for info in reply.worlds.worlds:
                self.windows.hear(info.world, Window.of(info.head.epoch, info.window, info.geometry))
                self.versions[info.world] = info.head.epoch, info.head.version
        return reply

    def ask_aside(self, timeout_s: float | None = None, /, **body: object) -> Call[pb.Reply]:
        """The same for what the program does not hear of: the cells that it computed stay those of the window before."""
        limit_s = self.timeout_s if timeout_s is None else arguments.real("timeout_s", timeout_s, 0, TIMEOUT_MAX_S)
        if len(body.keys() - {"after"}) > 1:
            raise ReplanError("INVALID", f"a request has one body, not {' and '.join(body)}")
        return (yield from self.ask_made(made(pb.Request, **body), limit_s))

    def ask_made(self, request: pb.Request, limit_s: float) -> Call[pb.Reply]:
        """The same of a request whose fields are checked."""
        self.windows.name(request)
        request.life, request.deadline_ms = self.life, int(1000 * limit_s)
        reply = yield self._sent(request, limit_s)
        self._opening.discard(reply.id)
        if reply.HasField("present") and self._is_renamed(request, reply.present):
            reply = yield self._sent(request, limit_s)
        if reply.status != pb.OK:
            raise self._refusal(request, reply)
        if reply.HasField("applied"):
            self._hear_applied(request, reply.applied)
        return reply

    def _sent(self, request: pb.Request, limit_s: float) -> Sent:
        request.id = self._next_id
        self._next_id += 1
        if request.HasField("watch"):
            self._opening.add(request.id)
        packed = request.SerializeToString()
        if len(packed) > MESSAGE_MAX:
            raise ReplanError("LIMIT", f"the request has {len(packed)} bytes, a message at most "
                                       f"{MESSAGE_MAX}: more cells come by several write_rect()")
        return Sent(request.id, packed, limit_s)

    def _is_renamed(self, request: pb.Request, present: pb.Window) -> bool:
        """True when the request names the present window now, and its cells are the same."""
        kind = request.WhichOneof("body")
        if kind == "apply":
            return self.windows.replace(request.apply.change.world, request.apply.change, present)
        if kind == "ask_probe" and not request.ask_probe.epoch:
            return self.windows.replace(request.ask_probe.change.world, request.ask_probe.change, present)
        if kind == "ask_valid":
            return self.windows.replace(request.ask_valid.world, request.ask_valid, present)
        return False

    def _hear_applied(self, request: pb.Request, applied: pb.Applied) -> None:
        if request.HasField("apply"):
            self.windows.hear_number(request.apply.change.world, applied.epoch, applied.window)
        self.versions[_world_of(request)] = applied.epoch, applied.version

    def _refusal(self, request: pb.Request, reply: pb.Reply) -> ReplanError:
        """What to raise. A window that is gone is forgotten: it is named once."""
        present = reply.present if reply.HasField("present") else None
        if present is not None:
            self.windows.forget(_world_of(request))
        return ReplanError(pb.Status.Name(reply.status), reply.sentence, present)

    # ---- what the daemon says by itself

    def hear_of(self, message: pb.Answer | pb.Chunk | pb.Delta) -> None:
        """What a reader took tells which window cells are of from now on, and how far the world is."""
        self.windows.hear_of(message)
        self.versions[message.world] = message.epoch, message.version

    def file(self, news: pb.ToClient) -> None:
        """Put a message where the reader of its watch finds it. A watch may speak before it is told its number."""
        watch = self.watches.get(news.watch)
        events = watch.events if watch is not None else self._early.setdefault(news.watch, collections.deque())
        kind = news.WhichOneof("body")
        if kind == "answers":
            events.extend(Event("answer", answer) for answer in news.answers.answers)
        elif kind is not None:
            events.append(Event(kind, getattr(news, kind)))
        if watch is not None:
            watch.wake()

    def bind(self, number: int, watch: Watching) -> None:
        """From here on messages of this number are this watch's."""
        watch.events = self._early.pop(number, collections.deque())
        self.watches[number] = watch

    def unbind(self, number: int) -> None:
        self.watches.pop(number, None)

    def break_off(self) -> None:
        """The line broke: the daemon forgets its watches."""
        bound, self.watches = list(self.watches.values()), {}
        self._early.clear()
        self._opening.clear()
        for watch in bound:
            watch.break_off()

    def end_late(self, reply: pb.Reply) -> bytes | None:
        """Of a reply that nobody waits for any more: what ends the watch that it tells of."""
        if reply.id not in self._opening:
            return None
        self._opening.discard(reply.id)
        if not reply.HasField("watching"):
            return None
        self._early.pop(reply.watching.watch, None)
        return pb.Request(life=self.life, unwatch=pb.Unwatch(watch=reply.watching.watch)).SerializeToString()

    def credit(self, credit: pb.Credit) -> bytes:
        """A request without an id, which is not replied to."""
        return pb.Request(life=self.life, credit=credit).SerializeToString()

    # ---- worlds, as calls need them

    def info(self, world: str) -> Call[pb.WorldInfo]:
        """What the daemon says of a world; the program does not hear it."""
        reply = yield from self.ask_aside(list_worlds=pb.ListWorlds())
        for info in reply.worlds.worlds:
            if info.world == world:
                return info
        raise ReplanError("UNKNOWN", f'there is no world "{world}"')

    def window(self, world: str) -> Call[Window]:
        """The window that cells of a world are of, here."""
        known = self.windows.get(world)
        if known is None:
            info = yield from self.info(world)
            known = Window.of(info.head.epoch, info.window, info.geometry)
        return known


def fault_of(endpoint: str) -> str | None:
    """None, or why no daemon can be there; what is at inproc:// is within this process."""
    if "://" not in endpoint:
        return "it has no scheme, tcp:// before a host and its port, or ipc:// before a path"
    if not endpoint.startswith(("tcp://", "ipc://")):
        return "it has a scheme other than tcp:// and ipc://"
    return None


def _world_of(request: pb.Request) -> str:
    """Name of the world that a request is about."""
    body = getattr(request, request.WhichOneof("body") or "")
    name: str = body.change.world if hasattr(body, "change") else body.world
    return name
