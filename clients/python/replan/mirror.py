"""Mirror: the cells of a world as a watch with `map` tells them: a snapshot first, then one delta a version."""

from __future__ import annotations

from typing import TYPE_CHECKING

from google.protobuf.message import Message

from . import replan_pb2 as pb
from .answer import Frame

if TYPE_CHECKING:
    import numpy
    import numpy.typing

_NOWHERE = Frame(0, 0, 1.0, 0.0, 0.0, 0.0)


class Mirror:
    """All of it is the daemon's word; nothing counts before is_whole."""

    def __init__(self) -> None:
        self.is_whole = False
        self.epoch = self.version = self.window = 0
        self.frame = _NOWHERE
        self.neighbors, self.wraps, self.profile = 8, False, "factor"
        self.data = bytearray()  #: row by row [width * height]

    @property
    def array(self) -> numpy.typing.NDArray[numpy.uint8]:
        """The cells for numpy [height, width]: a view of this version; take another one after the next."""
        import numpy
        flat = numpy.frombuffer(self.data, numpy.uint8)
        flat.flags.writeable = False
        return flat.reshape(self.frame.height, self.frame.width)

    def take(self, message: Message) -> bool:
        """Take in a message of the watch. True when it told of cells."""
        if isinstance(message, pb.Chunk):
            self._take_chunk(message)
        elif isinstance(message, pb.Delta):
            self._take_delta(message)
        else:
            return False
        return True

    def _take_chunk(self, chunk: pb.Chunk) -> None:
        """Rows of a snapshot; the first ones begin it anew."""
        if chunk.first:
            self.frame = Frame.of(chunk.geometry)
            self.neighbors, self.wraps, self.profile = chunk.neighbors, chunk.wraps, chunk.profile
            self.data = bytearray(self.frame.width * self.frame.height)
            self.is_whole = False
        at = chunk.first_row * self.frame.width
        self.data[at:at + len(chunk.data)] = chunk.data
        self.epoch, self.version, self.window = chunk.epoch, chunk.version, chunk.window
        self.is_whole = self.is_whole or chunk.last

    def _take_delta(self, delta: pb.Delta) -> None:
        """What one version rewrote: another window first, then the rectangle, then the single cells."""
        if delta.HasField("geometry"):
            self._move(delta)
        width, data = self.frame.width, self.data
        for row in range(delta.height):
            at = (delta.y + row) * width + delta.x
            told = delta.data[row * delta.width:(row + 1) * delta.width]
            data[at:at + delta.width] = told or bytes([delta.fill]) * delta.width
        for i, cell in enumerate(delta.cells):
            data[cell] = delta.values[i if len(delta.values) > 1 else 0]
        self.epoch, self.version, self.window = delta.epoch, delta.version, delta.window

    def _move(self, delta: pb.Delta) -> None:
        """All cells move, then come those that are new."""
        was, old = self.data, self.frame
        self.frame = Frame.of(delta.geometry)
        width = self.frame.width
        self.data = bytearray(width * self.frame.height)
        left, right = max(0, -delta.moved_x), min(width, old.width - delta.moved_x)
        for y in range(max(0, -delta.moved_y), min(self.frame.height, old.height - delta.moved_y)):
            at = (y + delta.moved_y) * old.width + delta.moved_x
            self.data[y * width + left:y * width + right] = was[at + left:at + right]
        at = 0
        for x, y, side, rows in zip(*[iter(delta.rects)] * 4):
            for row in range(y, y + rows):
                self.data[row * width + x:row * width + x + side] = delta.rect_data[at:at + side]
                at += side
