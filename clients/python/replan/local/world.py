"""A world of an engine, as its calls need it, and as users see it."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .. import plot as drawing, replan_pb2 as pb, windows
from ..answer import Frame
from ..errors import ReplanError
from . import library as c

if TYPE_CHECKING:
    import numpy
    import numpy.typing


class Handle:
    """An rp_engine_t. It ends with whoever holds it last, so that no view of its cells outlives it."""

    def __init__(self) -> None:
        self.lib = c.load()
        self.engine = ctypes.c_void_p()
        c.check(self.lib.rp_engine_new(self.engine), "engine")
        self._end = weakref.finalize(self, self.lib.rp_engine_destroy, self.engine)


class World:
    """A world as it is now. Get one by Engine.world()."""

    def __init__(self, handle: Handle, name: str, number: int, neighbors: int, wraps: bool, profile: str,
                 profiles: Sequence[pb.Profile]) -> None:
        self.name, self.neighbors, self.wraps = name, neighbors, wraps
        self.profile, self.profiles = profile, profiles
        self.number = number  #: of rp_world_id_t; 0: it was removed
        self._handle = handle
        self._views: list[weakref.ref[Any]] = []  # arrays of its cells that may still be held
        self._frame: Frame | None = None
        self._window = 1

    @property
    def version(self) -> int:
        """Counts the changes, from 1."""
        version: int = self._handle.lib.rp_engine_version(self._handle.engine, self.open())
        return version

    @property
    def settled(self) -> int:
        """The version up to which the newest answer of each agent is true."""
        settled: int = self._handle.lib.rp_engine_settled(self._handle.engine, self.open())
        return settled

    @property
    def window(self) -> int:
        """Number of the rectangle of the plane that it is; resize() makes another one."""
        self.open()
        return self._window

    @property
    def frame(self) -> Frame:
        number = self.open()
        if self._frame is None:
            self._frame = self._ask_frame(number)
        return self._frame

    def note_window(self) -> None:
        """It was resized."""
        self._window = self._handle.lib.rp_engine_window(self._handle.engine, self.open(), 0).contents.number

    def _ask_frame(self, number: int) -> Frame:
        width, height, frame = ctypes.c_uint32(), ctypes.c_uint32(), c.Frame()
        self._handle.lib.rp_engine_shape(self._handle.engine, number, width, height, frame)
        return Frame(width.value, height.value, frame.resolution_m, frame.origin_x_m, frame.origin_y_m, frame.origin_yaw)

    @property
    def width(self) -> int:
        return self.frame.width

    @property
    def height(self) -> int:
        return self.frame.height

    @property
    def data(self) -> bytes:
        """A copy of the cells, shapes included, row by row [width * height]."""
        frame = self.frame
        return ctypes.string_at(self._cells(), frame.width * frame.height)

    @property
    def array(self) -> numpy.typing.NDArray[numpy.uint8]:
        """The cells for numpy [height, width]: no copy but the cells themselves, as they change; it cannot be written.

        While one is held the world is neither resized nor removed: both are refused.
        """
        import numpy
        frame = self.frame
        kind: Any = type("cells", (ctypes.c_uint8 * (frame.width * frame.height),), {})
        cells = kind.from_address(self._cells())
        cells.handle = self._handle  # lives as long as the view
        self._views.append(weakref.ref(cells))
        view = numpy.frombuffer(cells, numpy.uint8)
        view.flags.writeable = False
        return view.reshape(frame.height, frame.width)

    def plot(self, paths: Iterable[drawing.Drawable] = (), ax: Any = None) -> Any:
        """Draw the cells and paths by matplotlib, in metres. Returns its axes. As World.plot() of the client."""
        blocks = windows.blocked(self.profile, self.profiles)
        return drawing.world(self.array, self.frame, blocks, paths, ax, self.name)

    def open(self) -> int:
        """Its handle."""
        if self.number == 0:
            raise ReplanError("UNKNOWN", f'there is no world "{self.name}"')
        return self.number

    def begin(self, act: str) -> None:
        """It is going to be resized or removed, unless an array of its cells is held: ReplanError."""
        self._views = [view for view in self._views if view() is not None]
        if self._views:
            raise ReplanError("INVALID", f'world "{self.name}" is not {act} while {len(self._views)} array of its cells is held: '
                                         "delete it first, or take a copy()")
        self._frame = None

    def _cells(self) -> int:
        place: int = self._handle.lib.rp_engine_bytes(self._handle.engine, self.open())
        return place
