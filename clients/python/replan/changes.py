"""Calls that change the cells of a world, or lay shapes over them."""

from __future__ import annotations

import numbers
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Union

from . import arguments, replan_pb2 as pb
from .arguments import Cell, Octets, Point, made
from .errors import ReplanError
from .windows import Window
from .wire import Call, Wire

ChangeLike = Union[pb.Change, Mapping[str, Any]]
_TTL_MAX_S = 4294967  # what the wire's milliseconds hold


@dataclass(frozen=True)
class Applied:
    """Result of a change."""

    epoch: int
    version: int  #: of the world, with this change in it
    changed_agents: list[str]  #: with wait="settled": names of those whose answer changed
    overdue_agents: list[str]  #: with wait="settled": names of those whose answer took too long
    window: int = 0  #: number of the window that the world was then
    dropped: int = 0  #: cells that lie outside of some window since the one that the change was made for

    @staticmethod
    def of(reply: pb.Reply) -> Applied:
        applied = reply.applied
        return Applied(applied.epoch, applied.version, list(applied.changed_agents),
                       list(applied.overdue_agents), applied.window, applied.dropped)


def fill_rect(wire: Wire, /, world: str, x: int, y: int, width: int, height: int, byte: int, *,
              wait: str = "applied") -> Call[Applied]:
    """One byte for the cells from (x, y) to (x + width - 1, y + height - 1)."""
    change = made(pb.Change, world=world, x=x, y=y, width=width, height=height,
                  fill=arguments.byte("byte", byte))
    return (yield from apply(wire, change, wait=wait))


def write_rect(wire: Wire, /, world: str, x: int, y: int, width: int, height: int, data: Octets, *,
               wait: str = "applied") -> Call[Applied]:
    """The bytes of the cells from (x, y) to (x + width - 1, y + height - 1), row by row."""
    change = made(pb.Change, world=world, x=x, y=y, width=width, height=height,
                  data=arguments.octets("data", data))
    return (yield from apply(wire, change, wait=wait))


def set_cells(wire: Wire, /, world: str, cells: Iterable[Cell], byte: int | Octets, *,
              wait: str = "applied") -> Call[Applied]:
    """Rewrite single cells, all in one version.

    cells: [(x, y), ..]. byte: one for all of them, or bytes of the same length.
    The cells are those of the window whose geometry this client heard last; if it heard none, it
    asks for the newest.
    """
    values = byte_of(byte) if isinstance(byte, numbers.Integral) else arguments.octets("byte", byte)
    places = arguments.cells("cells", cells)
    window = yield from wire.window(arguments.text("change.world", world))
    change = made(pb.Change, world=world, cells=indices(places, window), values=values)
    window.name_in(change)
    return (yield from apply(wire, change, wait=wait))


def put_disc(wire: Wire, /, world: str, number: int, x: float, y: float, radius: float, byte: int, *,
             ttl_s: float = 0.0, wait: str = "applied") -> Call[Applied]:
    """Put a disc over the cells whose inside it meets. An existing number moves that shape.

    x, y, radius: metres. byte: value of its cells while it lies there. ttl_s: remove it
    after that long; 0: never.
    """
    shape = made(pb.Overlay, world=world, ids=[number], corners=[1], x=[x], y=[y],
                 radii_m=[radius], values=byte_of(byte), ttl_ms=[_ttl_ms(ttl_s)])
    return (yield from overlay(wire, shape, wait=wait))


def put_polygon(wire: Wire, /, world: str, number: int, points: Sequence[Point], byte: int, *,
                ttl_s: float = 0.0, wait: str = "applied") -> Call[Applied]:
    """The same with a polygon of 3 to 64 corners, [(x, y), ..] in metres."""
    x, y = arguments.points("points", points)
    shape = made(pb.Overlay, world=world, ids=[number], corners=[len(x)], x=x, y=y,
                 values=byte_of(byte), ttl_ms=[_ttl_ms(ttl_s)])
    return (yield from overlay(wire, shape, wait=wait))


def remove_shapes(wire: Wire, /, world: str, numbers: Iterable[int] | None = None, *,
                  wait: str = "applied") -> Call[Applied]:
    """Remove these shapes, or all; the bytes that they hid count again."""
    shapes = made(pb.Overlay, world=world, removed=() if numbers is None else numbers,
                  clear=numbers is None)
    return (yield from overlay(wire, shapes, wait=wait))


def overlay(wire: Wire, /, shapes: pb.Overlay | Mapping[str, Any], *, wait: str = "applied") -> Call[Applied]:
    """Send a replan.v1.Overlay: many shapes in one version. Returns Applied."""
    body = arguments.message_of(pb.Overlay, "shapes", shapes)
    body.wait = wait_of(wait)
    return Applied.of((yield from wire.ask(overlay=body)))


def apply(wire: Wire, /, change: ChangeLike, *, wait: str = "applied") -> Call[Applied]:
    """Send a replan.v1.Change.

    Cells are those of the window that it names; without epoch and window of the one whose geometry
    this client heard last, by worlds(), an Answer, create_world() or resize(), or else of the one
    that its first change was for. What lies outside
    of some window since is dropped, and counted by Applied.dropped. A window that the daemon does
    not know any more, as of an epoch before, is refused with "GONE", once, unless the present one has
    the same cells: then it is forgotten here, and the next change is for the newest.
    wait: "applied", "durable" (it survives a crash) or "settled" (every agent's newest answer
    is true for it, but for those that Applied.overdue_agents names). Returns Applied.
    """
    body = made(pb.Apply, change=change, wait=wait_of(wait))
    return Applied.of((yield from wire.ask(apply=body)))


def wait_of(word: str) -> pb.Wait:
    words = [name.lower() for name in pb.Wait.keys()]
    if word not in words:
        raise ReplanError("INVALID", f'wait is "{word}", it must be one of {", ".join(words)}')
    wait: pb.Wait = pb.Wait.Value(word.upper())
    return wait


def indices(cells: Iterable[tuple[int, int]], window: Window) -> list[int]:
    """Cells (x, y) as the wire counts them, y * width + x."""
    width, height = window.width, window.height
    found = []
    for x, y in cells:
        if not (0 <= x < width and 0 <= y < height):
            raise ReplanError("INVALID", f"cell ({x}, {y}) is outside the world of "
                                         f"{width} x {height}")
        found.append(y * width + x)
    return found


def byte_of(value: object) -> bytes:
    return bytes([arguments.byte("byte", value)])


def _ttl_ms(ttl_s: float) -> int:
    """Whole milliseconds, 1 or more where it is not 0: 0 is for ever."""
    seconds = arguments.real("ttl_s", ttl_s, 0, _TTL_MAX_S)
    return max(1, round(1000 * seconds)) if seconds > 0 else 0
