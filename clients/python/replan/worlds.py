"""Calls that make, move and end worlds, and what is told of them."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Union

from . import arguments, plot as drawing, replan_pb2 as pb, windows
from .answer import Frame
from .arguments import Octets, made
from .changes import Applied, wait_of
from .errors import ReplanError
from .maps import read_map
from .mirror import Mirror
from .windows import Window
from .wire import DATA_MAX, Call, Wire

if TYPE_CHECKING:
    import numpy
    import numpy.typing

Progress = Callable[[int, int], object]
Rect = tuple[int, int, int, int, Octets]
Path = Union[str, bytes, "os.PathLike[str]"]


@dataclass(frozen=True)
class WorldInfo:
    """What the daemon says of a world, without its cells."""

    message: pb.WorldInfo = field(repr=False)  #: with geometry, window, neighbors, wraps, profile, head, layers
    name: str

    @staticmethod
    def of(message: pb.WorldInfo) -> WorldInfo:
        return WorldInfo(message, message.world)

    @property
    def world(self) -> str:
        """Its name, as messages call it."""
        return self.name

    @property
    def frame(self) -> Frame:
        return Frame.of(self.message.geometry)

    @property
    def width(self) -> int:
        return self.message.geometry.width

    @property
    def height(self) -> int:
        return self.message.geometry.height

    @property
    def version(self) -> int:
        return self.message.head.version

    @property
    def epoch(self) -> int:
        return self.message.head.epoch

    def __getattr__(self, field: str) -> Any:
        return getattr(self.message, field)

    def __str__(self) -> str:
        return f'world "{self.name}": {self.width} x {self.height} cells, version {self.version}'


@dataclass(frozen=True)
class World:
    """A picture of a world: all its cells at one version."""

    name: str
    epoch: int
    version: int
    window: int
    frame: Frame
    neighbors: int
    wraps: bool
    profile: str  #: what a byte means
    profiles: Sequence[pb.Profile] = field(repr=False)  #: the world's own
    data: bytes = field(repr=False)  #: row by row [width * height]

    @property
    def width(self) -> int:
        return self.frame.width

    @property
    def height(self) -> int:
        return self.frame.height

    @property
    def array(self) -> numpy.typing.NDArray[numpy.uint8]:
        """The cells for numpy [height, width]: a view that cannot be written."""
        import numpy
        return numpy.frombuffer(self.data, numpy.uint8).reshape(self.height, self.width)

    def plot(self, paths: Iterable[drawing.Drawable] = (), ax: Any = None) -> Any:
        """Draw the cells and paths by matplotlib, in metres. Returns its axes.

        paths: answers, or lists of points. ax: axes to draw in; None: those of a new figure.
        """
        blocks = windows.blocked(self.profile, self.profiles)
        return drawing.world(self.array, self.frame, blocks, paths, ax, self.name)


def create_world(wire: Wire, /, world: str, width: int, height: int, *, data: Octets | None = None,
                 fill: int | None = None, resolution: float = 1.0, origin: Sequence[float] = (0.0, 0.0, 0.0),
                 neighbors: int = 8, wraps: bool = False, profile: str = "factor",
                 profiles: Iterable[pb.Profile] = (), expect_every_ms: int = 0,
                 progress: Progress | None = None) -> Call[Applied]:
    """A new world of width x height cells.

    data: its bytes, row by row [width * height]; or fill: one byte for all cells; or neither:
    normal ground. A message holds 20 MiB: a world of more cells begins with a byte that blocks,
    and its bytes follow in portions.
    resolution: metres a cell. origin: x, y in metres and yaw in radians of the lower-left
    corner of cell (0, 0). neighbors: moves to 4 or 8 cells. wraps: the edges join (a torus).
    profile: what a byte means: "factor", "costmap" or one of profiles.
    profiles: the world's own, made by profile().
    expect_every_ms: without a change for longer answers say stale_map; 0: never.
    progress: called with the number of bytes that the daemon has taken so far, and of all.
    Returns Applied.
    """
    _check_progress(progress)
    x, y, yaw = arguments.numbers_of("origin", origin, (3,), "(x, y, yaw)")
    geometry = made(pb.Geometry, width=width, height=height, resolution=resolution,
                    origin_x=x, origin_y=y, origin_yaw=yaw)
    create = made(pb.CreateWorld, world=world, neighbors=neighbors, wraps=wraps,
                  profile=profile, expect_every_ms=expect_every_ms, profiles=profiles,
                  geometry=geometry, fill=_fill(fill) if data is None else None)
    if data is not None and fill is not None:
        raise ReplanError("INVALID", "create_world has data and fill, it takes one of them")
    octets = None if data is None else arguments.octets("create_world.data", data)
    is_large = octets is not None and len(octets) > DATA_MAX
    if octets is not None and is_large:
        _check_size("create_world.data", octets, geometry.width, geometry.height)
        _fill_blocked(create, create.profile, create.profiles)
    elif octets is not None:
        create.data = octets
    reply = yield from wire.ask(create_world=create)
    wire.windows.hear(world, Window.of(reply.applied.epoch, reply.applied.window, geometry))
    if octets is not None and is_large:
        rows = 0, 0, geometry.width, geometry.height, octets
        reply = yield from _write_rows(wire, world, [rows], "applied", progress)
    elif progress is not None:
        size = geometry.width * geometry.height
        progress(size, size)
    return Applied.of(reply)


def create_world_from_map(wire: Wire, /, world: str, path: Path, **options: Any) -> Call[Applied]:
    """A new world of a map file, as replan.read_map() reads it.

    options: those of create_world(), which win over what the map says: neighbors, wraps, origin, ..
    Returns Applied.
    """
    return (yield from create_world(wire, world, **{**read_map(path)._asdict(), **options}))


def resize(wire: Wire, /, world: str, x: int | None = None, y: int | None = None, width: int | None = None,
           height: int | None = None, *, origin: Sequence[float] | None = None, data: Octets | None = None,
           rects: Iterable[Rect] = (), fill: int | None = None, wait: str = "applied",
           progress: Progress | None = None) -> Call[Applied]:
    """Replace the world's window by one of width x height cells. Returns Applied.

    x, y: the cell, as it is numbered now, that becomes (0, 0); it may lie outside. Or origin:
    the corner of that cell, (x, y) in metres, which need not be whole cells away: bytes
    stay within a cell of where they were written, however often the world is shifted. Shapes,
    poses and goals keep their metres.
    data: the bytes of the window, row by row [width * height]. Or rects: those of some rectangles,
    [(x, y, width, height, bytes), ..], in cells of the new window; each new cell must lie in one of
    them then, or get fill. No plan runs before these are there; what is more than a message holds
    (20 MiB) follows in portions, and blocks until then.
    fill: the byte of new cells; normal ground without it. progress: as of create_world().
    """
    _check_progress(progress)
    body = made(pb.Resize, world=world, fill=_fill(fill), wait=wait_of(wait))
    if origin is None:
        arguments.fill(body, x=x, y=y, width=width, height=height)
    else:
        if x is not None or y is not None:
            raise arguments.invalid("origin", "is in metres, it excludes x and y")
        at_x, at_y, *yaw = arguments.numbers_of("origin", origin, (2, 3), "(x, y) or (x, y, yaw)")
        is_turned = yaw[0] if yaw else (yield from wire.window(world)).yaw
        body.geometry.CopyFrom(made(pb.Geometry, width=width, height=height, origin_x=at_x,
                                    origin_y=at_y, origin_yaw=is_turned))
    parts = _rects(body, data, rects)
    is_large = sum(len(octets) for *_, octets in parts) > DATA_MAX
    if is_large and (data is not None or fill is None):
        info = yield from wire.info(world)
        _fill_blocked(body, info.profile, info.profiles)
    for *rect, octets in () if is_large else parts:
        body.rects.extend(rect)
        body.rect_data += octets
    reply = yield from wire.ask(resize=body)
    told = body.geometry if origin is not None else pb.Geometry(
        width=body.width, height=body.height, origin_yaw=(yield from wire.window(world)).yaw)
    wire.windows.hear(world, Window.of(reply.applied.epoch, reply.applied.window, told))
    if is_large:
        reply = yield from _write_rows(wire, world, parts, wait, progress)
    elif progress is not None:
        progress(len(body.rect_data), len(body.rect_data))
    return Applied.of(reply)


def remove_world(wire: Wire, /, world: str) -> Call[None]:
    """Remove a world with its agents and watches."""
    yield from wire.ask(remove_world=made(pb.RemoveWorld, world=world))
    wire.windows.forget(world)
    wire.versions.pop(world, None)


def worlds(wire: Wire, /) -> Call[list[WorldInfo]]:
    """All worlds, without their cells: a list of WorldInfo."""
    reply = yield from wire.ask(list_worlds=pb.ListWorlds())
    return [WorldInfo.of(info) for info in reply.worlds.worlds]


def picture(wire: Wire, /, name: str, mirror: Mirror) -> Call[World]:
    """The World that a mirror is now."""
    info = yield from wire.info(name)
    return World(name, mirror.epoch, mirror.version, mirror.window, mirror.frame, mirror.neighbors, mirror.wraps,
                 mirror.profile, list(info.profiles), bytes(mirror.data))


def stats(wire: Wire, /) -> Call[dict[str, int]]:
    """The daemon's counters: {"changes.applied": 12, ..}."""
    reply = yield from wire.ask(get_stats=pb.GetStats())
    return dict(zip(reply.stats.names, reply.stats.values))


def profile(name: str, factors: Octets | None = None, unit: int = 1, *, like: str = "factor",
            unknown: str | int = "free", inscribed: Octets = b"") -> pb.Profile:
    """Meaning of a world's bytes for one kind of agent; for Client.create_world(profiles=[..]).

    factors: by byte: 0 blocks, else the factor of a move's cost [256]; without them those of `like`
    ("factor" or "costmap"). unit: with factors: that of normal ground.
    unknown: what byte 255 counts as: "free", "blocked", or a factor.
    inscribed: bytes that block and are no obstacle: an agent there finds a way out. 253 of "costmap" is.
    """
    counts: dict[str, object] = {"inscribed": arguments.octets("inscribed", inscribed)}
    if isinstance(unknown, str):
        words = [word.lower()[len("as_"):] for word in pb.Unknown.keys()]
        if unknown not in words or unknown == "factor":
            raise arguments.wrong("unknown", unknown, '"free", "blocked" or a factor')
        counts["unknown"] = pb.Unknown.Value("AS_" + unknown.upper())
    else:
        counts["unknown"] = pb.AS_FACTOR
        counts["unknown_factor"] = arguments.whole("unknown", unknown, 1, 255)
    if factors is None:
        return made(pb.Profile, name=name, like=like, **counts)
    return made(pb.Profile, name=name, factors=arguments.octets("factors", factors), unit=unit, **counts)


def _rects(resize: pb.Resize, data: Octets | None,
           rects: Iterable[Rect]) -> list[tuple[int, int, int, int, bytes]]:
    """What comes with a window, [(x, y, width, height, bytes), ..], checked."""
    told: pb.Geometry | pb.Resize = resize.geometry if resize.HasField("geometry") else resize
    found = []
    if data is not None:
        octets = arguments.octets("data", data)
        _check_size("data", octets, told.width, told.height)
        found.append((0, 0, told.width, told.height, octets))
    for i, rect in enumerate(arguments.entries("rects", rects)):
        entry = arguments.entries(f"rects[{i}]", rect)
        if len(entry) != 5:
            raise arguments.wrong(f"rects[{i}]", rect, "(x, y, width, height, bytes)")
        x, y, width, height = (arguments.whole(f"rects[{i}]", side, 0, 2**32 - 1) for side in entry[:4])
        octets = arguments.octets(f"rects[{i}]", entry[4])
        _check_size(f"rects[{i}]", octets, width, height)
        found.append((x, y, width, height, octets))
    return found


def _write_rows(wire: Wire, world: str, rects: Sequence[tuple[int, int, int, int, bytes]], wait: str,
                progress: Progress | None) -> Call[pb.Reply]:
    """Rectangles in portions. Returns the last reply."""
    done, size = 0, sum(len(data) for *_, data in rects)
    for x, y, width, height, data in rects:
        for row, rows in windows.portions(y, width, height):
            part = data[(row - y) * width:(row - y + rows) * width]
            change = made(pb.Change, world=world, x=x, y=row, width=width, height=rows, data=part)
            reply = yield from wire.ask(apply=pb.Apply(change=change, wait=wait_of(wait)))
            done += len(part)
            if progress is not None:
                progress(done, size)
    return reply


def _check_progress(progress: Progress | None) -> None:
    """Before anything is sent: it is called when the daemon has taken the world."""
    if progress is not None and not callable(progress):
        raise arguments.wrong("progress", progress, "a function of the number of bytes taken so far, and of all")


def _check_size(name: str, octets: bytes, width: int, height: int) -> None:
    if len(octets) != width * height:
        raise arguments.invalid(name, f"has {len(octets)} bytes, {width} x {height} cells need "
                                      f"{width * height}")


def _fill_blocked(body: pb.CreateWorld | pb.Resize, profile: str, profiles: Iterable[pb.Profile]) -> None:
    """Fill what is still to be stated with a byte that blocks, if there is one."""
    byte = windows.blocker(profile or "factor", profiles)
    if byte is not None:
        body.fill = byte


def _fill(value: int | None) -> int | None:
    return None if value is None else arguments.byte("fill", value)
