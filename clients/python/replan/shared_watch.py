"""One watch of a world, for all who each iterate over an agent of it: a daemon has 256 watches for a client.

Iterating over an agent opens a watch of it alone while few are. From SHARED_FROM on the next ones share a watch of all agents of
their world, those of others, too, and get the answers of theirs. Each gets the newest one: what its reader was too slow for
is left out. With asyncio a task reads the shared watch; else whoever waits for an answer reads it for the others, too.
"""

from __future__ import annotations

import asyncio
import collections
from collections.abc import AsyncIterator, Iterator
from typing import TYPE_CHECKING, Optional

from . import replan_pb2 as pb
from .errors import ReplanError

if TYPE_CHECKING:
    from .aio import AsyncAgent, AsyncClient, AsyncWatch
    from .answer import Answer
    from .client import Agent, Client, Watch

SHARED_FROM = 128  # iterations over agents that have a watch each


class _Slot:
    """The newest answer for one reader, until it takes it."""

    def __init__(self) -> None:
        self._newest: Optional[Answer] = None
        self._known = 0, 0, 0
        self._error: Optional[Exception] = None

    def put(self, answer: Answer) -> None:
        told = 0 if answer.message is None else answer.message.arrival_us
        known = answer.epoch, answer.path_seq, told
        if known != self._known:  # else it was asked for while it was on its way
            self._newest, self._known = answer, known
            self.wake()

    def fail(self, error: Exception) -> None:
        self._error = error
        self.wake()

    def wake(self) -> None:
        """There is something to take."""

    def take(self) -> Answer | None:
        """None: there is none now."""
        if self._newest is None and self._error is not None:
            raise self._error
        answer, self._newest = self._newest, None
        return answer


class _AwaitedSlot(_Slot):
    """Its reader is a task."""

    _waiter: Optional[asyncio.Future[None]] = None

    def wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def wait(self) -> Answer:
        while (answer := self.take()) is None:
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        return answer


class SharedWatch:
    """It is open while somebody reads."""

    def __init__(self, client: Client, world: str) -> None:
        self._client, self._world = client, world
        self._slots: dict[str, list[_Slot]] = collections.defaultdict(list)
        self._watch: Optional[Watch] = None

    def answers(self, name: str) -> Iterator[Answer]:
        """Of one agent, which must be there, the newest first."""
        self._client.request(ask_why=pb.AskWhy(world=self._world, agent=name))
        slot = _Slot()
        self._slots[name].append(slot)
        try:
            if self._watch is not None:
                self._watch._want(name)
            while True:
                while (answer := slot.take()) is None:
                    self._hear()
                yield answer
        finally:
            self._leave(name, slot)

    def _hear(self) -> None:
        """The next answer, of whomever it is."""
        try:
            if self._watch is None:
                self._watch = self._client.watch(self._world)
            answer = next(self._watch)
        except Exception as error:  # whatever it is, the others are to hear of it, too
            self._close()
            for slots in self._slots.values():
                for slot in slots:
                    slot.fail(error)
            return
        for slot in self._slots.get(answer.agent, ()):
            slot.put(answer)

    def _leave(self, name: str, slot: _Slot) -> None:
        self._slots[name].remove(slot)
        if not self._slots[name]:
            del self._slots[name]
        if not self._slots:
            self._close()

    def _close(self) -> None:
        watch, self._watch = self._watch, None
        try:
            if watch is not None:
                watch.close()
        except ReplanError:
            pass  # then it is over, too


class AgentWatches:
    """How the agents of a client are iterated over."""

    def __init__(self, client: Client) -> None:
        self._client = client
        self._alone = 0  # watches of one agent
        self._shared: dict[str, SharedWatch] = {}

    def answers(self, agent: Agent) -> Iterator[Answer]:
        world = agent.world
        if self._alone >= SHARED_FROM:
            yield from self._shared.setdefault(world, SharedWatch(self._client, world)).answers(agent.name)
            return
        self._alone += 1
        try:
            with self._client.watch(world, agent.name) as watch:
                for answer in watch:
                    yield answer
        finally:
            self._alone -= 1


class AsyncSharedWatch:
    """It is open while somebody reads."""

    def __init__(self, client: AsyncClient, world: str) -> None:
        self._client, self._world = client, world
        self._slots: dict[str, list[_AwaitedSlot]] = collections.defaultdict(list)
        self._watch: Optional[AsyncWatch] = None
        self._reader: Optional[asyncio.Task[None]] = None

    async def answers(self, name: str) -> AsyncIterator[Answer]:
        """Of one agent, which must be there, the newest first."""
        await self._client.request(ask_why=pb.AskWhy(world=self._world, agent=name))
        slot = _AwaitedSlot()
        self._slots[name].append(slot)
        if self._reader is None:
            self._reader = asyncio.create_task(self._read())
        elif self._watch is not None:
            self._watch._want(name)
        try:
            while True:
                yield await slot.wait()
        finally:
            self._leave(name, slot)

    def _leave(self, name: str, slot: _AwaitedSlot) -> None:
        self._slots[name].remove(slot)
        if not self._slots[name]:
            del self._slots[name]
        if not self._slots and self._reader is not None:
            self._reader.cancel()
            self._watch = self._reader = None

    async def _read(self) -> None:
        try:
            async with await self._client.watch(self._world) as watch:
                self._watch = watch
                async for answer in watch:
                    for slot in self._slots.get(answer.agent, ()):
                        slot.put(answer)
        except Exception as error:  # whatever it is, the tasks would wait for ever
            if self._reader is asyncio.current_task():  # else nobody reads this one any more, and the next may be there
                self._watch = self._reader = None
                for slots in self._slots.values():
                    for slot in slots:
                        slot.fail(error)


class AsyncAgentWatches:
    """How the agents of a client for asyncio are iterated over."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._alone = 0  # watches of one agent
        self._shared: dict[str, AsyncSharedWatch] = {}

    async def answers(self, agent: AsyncAgent) -> AsyncIterator[Answer]:
        world = agent.world
        if self._alone >= SHARED_FROM:
            shared = self._shared.setdefault(world, AsyncSharedWatch(self._client, world))
            async for answer in shared.answers(agent.name):
                yield answer
            return
        self._alone += 1
        try:
            async with await self._client.watch(world, agent.name) as watch:
                async for answer in watch:
                    yield answer
        finally:
            self._alone -= 1
