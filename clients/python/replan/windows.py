"""Windows: which rectangle of the plane a world is, as this client heard it last.

Cells that a program computed are those of the window whose geometry it heard; what it writes names that window, so
that it lands where it was meant to, however the world was shifted since.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable
from typing import Union

from . import replan_pb2 as pb

OfAWindow = Union[pb.Change, pb.AskProbe, pb.AskValid]
Telling = Union[pb.Answer, pb.Chunk, pb.Delta]

PORTION = 8 << 20  # bytes of one message where all of them fit into none


@dataclasses.dataclass(frozen=True)
class Window:
    """A window by number, and what a cell needs to be numbered in it."""

    epoch: int
    number: int  #: 0: the daemon knows no windows
    width: int = 0  #: 0: only the number was heard, with the reply to a change
    height: int = 0
    yaw: float = 0.0
    place: tuple[float, float, float] | None = None  #: resolution and origin in metres; None: not known

    @staticmethod
    def of(epoch: int, number: int, geometry: pb.Geometry) -> Window:
        place = geometry.resolution, geometry.origin_x, geometry.origin_y
        return Window(epoch, number, geometry.width, geometry.height, geometry.origin_yaw, place if geometry.resolution else None)

    def has_cells_of(self, other: Window) -> bool:
        """True when a number of a cell means the same place in both."""
        return self.place is not None and (self.width, self.height, self.yaw, self.place) == (
            other.width, other.height, other.yaw, other.place)

    def name_in(self, message: OfAWindow) -> None:
        """In a message that is of cells of this window."""
        if self.number:
            message.epoch, message.window = self.epoch, self.number


class Windows:
    """The windows that a client heard of last, by world."""

    def __init__(self) -> None:
        self._known: dict[str, Window] = {}

    def get(self, world: str) -> Window | None:
        """None: no geometry was heard."""
        known = self._known.get(world)
        return known if known is not None and known.width else None

    def hear(self, world: str, window: Window) -> None:
        """One that is older than what is known tells nothing new: an answer may have been under way."""
        known = self._known.get(world)
        if known is None or (window.epoch, window.number) >= (known.epoch, known.number):
            self._known[world] = window

    def hear_number(self, world: str, epoch: int, number: int) -> None:
        """A change was written, for the newest window if none was named: the next ones are meant for that, too."""
        if world not in self._known and number:
            self._known[world] = Window(epoch, number)

    def replace(self, world: str, named: OfAWindow, present: pb.Window) -> bool:
        """A window is gone. True when it was the known one and the present one has its cells: then that is named instead.

        So a daemon that began another epoch of the same window is written to as before.
        """
        known, now = self.get(world), Window.of(present.epoch, present.window, present.geometry)
        if known is None or (named.epoch, named.window) != (known.epoch, known.number) or not known.has_cells_of(now):
            return False
        self._known[world] = now
        now.name_in(named)
        return True

    def forget(self, world: str) -> None:
        self._known.pop(world, None)

    def hear_of(self, message: Telling) -> None:
        """An Answer, a Chunk or a Delta that a reader took. Without a geometry it tells nothing new."""
        known = self.get(message.world)
        if known is not None and (known.epoch, known.number) == (message.epoch, message.window):
            return
        if message.HasField("geometry"):
            self.hear(message.world, Window.of(message.epoch, message.window, message.geometry))

    def name(self, request: pb.Request) -> None:
        """Name the window that a request's cells are of, if it does not by itself."""
        kind = request.WhichOneof("body")
        if kind == "apply":
            self._name(request.apply.change, request.apply.change.world)
        elif kind == "ask_probe":
            if not request.ask_probe.epoch:
                self._name(request.ask_probe.change, request.ask_probe.change.world)
        elif kind == "ask_valid":
            self._name(request.ask_valid, request.ask_valid.world)

    def _name(self, message: pb.Change | pb.AskValid, world: str) -> None:
        known = self._known.get(world)
        if known is not None and not message.epoch and not message.window:
            known.name_in(message)


def blocker(profile: str, profiles: Iterable[pb.Profile]) -> int | None:
    """A byte that is an obstacle by a world's profile; None where none is.

    profiles: the world's own, replan.v1.Profile.
    """
    own = next((one for one in profiles if one.name == profile), pb.Profile(like=profile))
    if own.factors:
        return next((byte for byte, factor in enumerate(own.factors[:255])
                     if factor == 0 and byte not in own.inscribed), None)
    byte = 254 if own.like == "costmap" else 0
    return byte if byte not in own.inscribed else None


def portions(y: int, width: int, height: int) -> list[tuple[int, int]]:
    """Rows that fit into a message: (first row, number of rows), .."""
    most = max(1, PORTION // width)
    return [(row, min(most, y + height - row)) for row in range(y, y + height, most)]


def blocked(profile: str, profiles: Iterable[pb.Profile]) -> bytes:
    """The bytes that block by a world's profile."""
    own = next((one for one in profiles if one.name == profile), pb.Profile(like=profile))
    if own.factors:
        found = {byte for byte, factor in enumerate(own.factors[:255]) if factor == 0}
    else:
        found = {253, 254} if own.like == "costmap" else {0}
    found |= set(own.inscribed)
    return bytes(sorted(found | {255} if own.unknown == pb.AS_BLOCKED else found))
