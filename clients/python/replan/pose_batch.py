"""Poses that many tasks tell at about the same time, gathered: one request for each is what costs most.

A pose waits for others while MANY_HZ come a second, or while PENDING requests wait for a reply. It never waits when its agent
was the last one to tell a pose, so one that is alone does not; nor for a while after a wait that brought few together, as when
tasks wait for each other.
"""

from __future__ import annotations

import asyncio
import time
from typing import NamedTuple

from . import replan_pb2 as pb
from .agents import Named, Place
from .wire import Call, Wire

GATHER_S = 0.004  # how long a pose waits for others, at most
MANY_HZ = 2000
PENDING = 8
FEW = 4  # poses of a request that were not worth their wait
APART_S = 0.5  # that none is gathered after it
_COUNTED_S = 0.01


class Told(NamedTuple):
    """A pose that waits for others. sent: true when it was taken, false when it is to be sent alone."""

    agent: Named
    place: Place
    sent: asyncio.Future[bool]


class PoseBatch:
    """The poses that wait, in the order in which they were told."""

    def __init__(self) -> None:
        self._told: list[Told] = []
        self._last: Named | None = None
        self._count, self._since, self._apart_until = 0, 0.0, 0.0
        self._are_many = False

    def __len__(self) -> int:
        return len(self._told)

    def wants(self, agent: Named, pending: int) -> bool:
        """True when the pose of this agent is to wait for others. pending: how many requests wait for a reply."""
        now = time.monotonic()
        self._count += 1
        if now - self._since >= _COUNTED_S:
            self._are_many = self._count >= MANY_HZ * (now - self._since)
            self._count, self._since = 0, now
        is_last, self._last = agent is self._last, agent
        return (self._are_many or pending >= PENDING) and not is_last and agent.handle != 0 and now >= self._apart_until

    def add(self, told: Told) -> None:
        self._told.append(told)

    def take(self) -> list[list[Told]]:
        """All that wait, those together that one request can tell: of one world, with one pose_seq. Cancelled ones are left out."""
        groups: dict[tuple[str, int], list[Told]] = {}
        for told in self._told:
            if not told.sent.done():
                groups.setdefault((told.agent.world, told.place.seq), []).append(told)
        if len(self._told) < FEW * max(1, len(groups)):
            self._apart_until = time.monotonic() + APART_S
        self._told = []
        return list(groups.values())


def gathered(wire: Wire, /, group: list[Told]) -> Call[None]:
    """Tell them."""
    request = pb.Request()
    poses = request.set_poses
    poses.world, poses.pose_seq = group[0].agent.world, group[0].place.seq
    poses.handles.extend([told.agent.handle for told in group])
    poses.x.extend([told.place.x for told in group])
    poses.y.extend([told.place.y for told in group])
    poses.yaw.extend([told.place.yaw for told in group])
    yield from wire.ask_made(request, wire.timeout_s)
