"""One watch of a world, for all the tasks that each iterate over an agent of it: a daemon has 256 watches for a client.

Iterating over an agent opens a watch of it alone while few are. From SHARED_FROM on the next ones share a watch of all agents of
their world, those of others, too, and the tasks get the answers of theirs. Each gets the newest one: what a task was too slow for
is left out.
"""

from __future__ import annotations

import asyncio
import collections
from collections.abc import AsyncIterator
from typing import TYPE_CHECKING, Optional

from . import replan_pb2 as pb

if TYPE_CHECKING:
    from .aio import AsyncAgent, AsyncClient, AsyncWatch
    from .answer import Answer

SHARED_FROM = 128  # iterations over agents that have a watch each


class _Slot:
    """The newest answer for one task, until it takes it."""

    def __init__(self) -> None:
        self._newest: Optional[Answer] = None
        self._known = 0, 0, 0
        self._error: Optional[Exception] = None
        self._waiter: Optional[asyncio.Future[None]] = None

    def put(self, answer: Answer) -> None:
        told = 0 if answer.message is None else answer.message.arrival_us
        known = answer.epoch, answer.path_seq, told
        if known != self._known:  # else it was asked for while it was on its way
            self._newest, self._known = answer, known
            self._wake()

    def fail(self, error: Exception) -> None:
        self._error = error
        self._wake()

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    async def take(self) -> Answer:
        while self._newest is None:
            if self._error is not None:
                raise self._error
            self._waiter = asyncio.get_running_loop().create_future()
            await self._waiter
        answer, self._newest = self._newest, None
        return answer


class SharedWatch:
    """It is open while somebody reads."""

    def __init__(self, client: AsyncClient, world: str) -> None:
        self._client, self._world = client, world
        self._slots: dict[str, list[_Slot]] = collections.defaultdict(list)
        self._watch: Optional[AsyncWatch] = None
        self._reader: Optional[asyncio.Task[None]] = None

    async def answers(self, name: str) -> AsyncIterator[Answer]:
        """Of one agent, which must be there, the newest first."""
        await self._client.request(ask_why=pb.AskWhy(world=self._world, agent=name))
        slot = _Slot()
        self._slots[name].append(slot)
        if self._reader is None:
            self._reader = asyncio.create_task(self._read())
        elif self._watch is not None:
            self._watch._want(name)
        try:
            while True:
                yield await slot.take()
        finally:
            self._leave(name, slot)

    def _leave(self, name: str, slot: _Slot) -> None:
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


class AgentWatches:
    """How the agents of a client are iterated over."""

    def __init__(self, client: AsyncClient) -> None:
        self._client = client
        self._alone = 0  # watches of one agent
        self._shared: dict[str, SharedWatch] = {}

    async def answers(self, agent: AsyncAgent) -> AsyncIterator[Answer]:
        world = agent.world
        if self._alone >= SHARED_FROM:
            shared = self._shared.setdefault(world, SharedWatch(self._client, world))
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
