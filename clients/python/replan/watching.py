"""What a watch is, whoever reads it: its events, whole paths, credit, and how it goes on after a break.

When the line breaks the daemon forgets its watches. A watch is asked for again as soon as a daemon is there, and says
in words what was lost: by the logger "replan", and in `lost`. A world that is gone is an error, once; after that the watch
waits for it.
"""

from __future__ import annotations

import collections
import logging
import time
from typing import Optional

from google.protobuf.message import Message

from . import replan_pb2 as pb
from .answer import splice
from .motion import Segment, splice_segments
from .errors import ReplanError
from .wire import Call, Event, Wire

CREDIT = 256  # events that a watch may be ahead of its reader
BATCH = 16  # answers in one message
RETRY_S = 0.1  # between two looks for a world that is gone

_log = logging.getLogger("replan")


class Watching:
    """One watch. number: 0 while no daemon knows it."""

    def __init__(self, wire: Wire, body: pb.Watch, *, resumes: bool, later: bool) -> None:
        body.credit = CREDIT
        self.events: collections.deque[Event] = collections.deque()
        self.number = 0
        self.resumes = resumes
        self.is_closed = False
        self.lost: list[str] = []
        self._wire, self._body, self._later = wire, body, later
        # With splices: path_seq, steps and segments of each newest path.
        self._paths: dict[str, tuple[int, bytes, list[Segment]]] = {}
        self._wanted: list[str] = []  # agents whose next answer must be whole
        self._spent = 0
        self._broke_at = 0.0
        self._before: Optional[tuple[int, int]] = None  # epoch and version that were heard last before the break
        self._told_gone = False

    def wake(self) -> None:
        """An event came, or the line broke."""

    @property
    def is_waiting(self) -> bool:
        """True when its reader was told that the world is gone."""
        return self._told_gone

    # ---- birth, break and end

    def open(self) -> Call[None]:
        """Ask the daemon for it. An agent that is named must be there."""
        for agent in () if self._later else self._body.agents:
            yield from self._wire.ask_aside(ask_why=pb.AskWhy(world=self._body.world, agent=agent))
        yield from self._ask()

    def _ask(self) -> Call[None]:
        self._paths, self._wanted, self._spent = {}, [], 0
        reply = yield from self._wire.ask_aside(watch=self._body)
        self.number = reply.watching.watch
        self._wire.bind(self.number, self)

    def close(self) -> Call[None]:
        """End it."""
        number, self.number, self.is_closed = self.number, 0, True
        self._wire.unbind(number)
        if number != 0:
            yield from self._wire.ask(unwatch=pb.Unwatch(watch=number))

    def break_off(self) -> None:
        """The line broke. What had come and was not read is older than what comes next."""
        self.number, self._broke_at = 0, time.monotonic()
        self._before = self._wire.versions.get(self._body.world)
        self.events.clear()
        self.wake()

    def resume(self) -> Call[None]:
        """Ask for it again, and say what was lost. ReplanError "UNKNOWN" when its world or an agent is gone."""
        world = self._body.world
        try:
            info = yield from self._wire.info(world)
            missing = yield from self._missing()
        except ReplanError as error:
            if error.status != "UNKNOWN":
                raise
            raise ReplanError("UNKNOWN", self._say_gone()) from None
        yield from self._ask()
        words = self._words(info.head, missing)
        self._told_gone = False
        self._say(words)

    def _missing(self) -> Call[list[str]]:
        """Those of the watched agents that are not open any more."""
        missing = []
        for agent in self._body.agents:
            try:
                yield from self._wire.ask_aside(ask_why=pb.AskWhy(world=self._body.world, agent=agent))
            except ReplanError as error:
                if error.status != "UNKNOWN":
                    raise
                missing.append(agent)
        return missing

    def _say_gone(self) -> str:
        sentence = f'the line to {self._wire.control} broke, and the daemon that is there now has no world ' \
                   f'"{self._body.world}": its cells and agents are lost; the watch waits for it'
        if not self._told_gone:
            self._say(sentence)
        self._told_gone = True
        return sentence

    def _words(self, head: pb.Head, missing: list[str]) -> str:
        passed, before = time.monotonic() - self._broke_at, self._before
        told = f'the watch of "{self._body.world}" goes on after {passed:.1f} s: '
        if self._told_gone and (before is None or before[0] != head.epoch):
            told += "its world was gone, and was made anew: what it was before is lost"
        elif before is None or before[0] == head.epoch:
            told += "the daemon is the same, no change is lost; answers that newer ones replaced are"
        elif head.version < before[1]:
            told += f"another epoch of the world began ({before[0]}, now {head.epoch}); it is at version {head.version}, " \
                    f"and was at {before[1]}: the changes since are lost"
        else:
            told += f"the daemon was started again (epoch {before[0]}, now {head.epoch}); no change up to version " \
                    f"{before[1]} is lost, answers of the old epoch are void"
        if missing:
            told += f"; lost are the agents {', '.join(missing)}"
        return told

    def _say(self, sentence: str) -> None:
        self.lost.append(sentence)
        _log.warning("%s", sentence)

    # ---- reading

    def take(self) -> Event | None:
        """The next event, answers whole; None when there is none now. An end is told each time."""
        while self.events:
            event = self.events[0]
            if isinstance(event.message, pb.Ended):  # stays, so that every later call says so too
                self._wire.unbind(self.number)
                self.number = 0  # the daemon has none to end
                raise ReplanError("UNKNOWN", event.message.sentence)
            self.events.popleft()
            self._spent += 1
            if not isinstance(event.message, pb.Answer) or self._make_whole(event.message):
                self._hear(event.message)
                return event
        return None

    def _hear(self, message: Message) -> None:
        """Remember the window of what the reader gets now, not when it came."""
        if isinstance(message, (pb.Answer, pb.Chunk, pb.Delta)):
            self._wire.hear_of(message)

    def _make_whole(self, answer: pb.Answer) -> bool:
        """Fill in what a splice leaves out. False without its base: it is asked for whole then."""
        if not self._body.splices:
            return True
        try:
            base_seq, path, curve = self._paths.get(answer.agent, (0, b"", []))
            steps = splice(answer, base_seq, path)
            segments = splice_segments(answer, base_seq, curve) if curve or answer.segment_x else curve  # most have none
        except ValueError:
            self._paths.pop(answer.agent, None)
            self._wanted.append(answer.agent)
            return False
        self._paths[answer.agent] = (answer.path_seq, steps, segments)
        if answer.base_seq != 0:
            answer.steps = steps
            answer.base_seq = answer.kept_from_end = answer.kept_head = answer.kept_tail = 0
        return True

    # ---- credit

    def due(self) -> bytes | None:
        """The credit that is to be sent now, if it is worth a message."""
        if self.number == 0 or (2 * self._spent < CREDIT and not self._wanted):
            return None
        return self._wire.credit(pb.Credit(watch=self.number, credit=self._spent, whole=self._wanted))

    def want(self, agent: str) -> None:
        """Its newest answer is to come at once, and whole, with the credit that is due then."""
        self._wanted.append(agent)

    def paid(self) -> None:
        """It was sent."""
        self._spent = 0
        self._wanted.clear()
