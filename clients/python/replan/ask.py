"""What questions are answered with. A cost is None where there is no path."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from . import replan_pb2 as pb
from .answer import cost, outcome, reason

if TYPE_CHECKING:
    import numpy
    import numpy.typing


@dataclass(frozen=True)
class Field:
    """What it costs from each cell of a tile to an agent's goals, and which step leads there."""

    version: int
    x: int  #: of the tile's first cell
    y: int
    width: int
    height: int
    costs: list[float | None] = field(repr=False)  #: row by row
    steps: bytes = field(repr=False)  #: directions; 255 at a goal, and where no path begins

    @property
    def costs_array(self) -> numpy.typing.NDArray[numpy.float64]:
        """`costs` for numpy [height, width]; infinite where there is no path."""
        import numpy
        flat = numpy.array([numpy.inf if entry is None else entry for entry in self.costs])
        return flat.reshape(self.height, self.width)

    @property
    def steps_array(self) -> numpy.typing.NDArray[numpy.uint8]:
        """`steps` for numpy [height, width], a view that cannot be written."""
        import numpy
        return numpy.frombuffer(self.steps, numpy.uint8).reshape(self.height, self.width)


@dataclass(frozen=True)
class Valid:
    """Whether a path can be walked now."""

    version: int
    legal: bool
    cost: float | None  #: None when it is not legal
    offending: Sequence[int]  #: numbers of the illegal steps; none, and not legal: its start is blocked
    offending_way: Sequence[int] = ()  #: the same of the way; as many as it has steps: it leads elsewhere
    offending_segment: int = 0  #: of a curve: the first that meets an obstacle, or does not begin where the one before ends
    offending_at: float = 0.0  #: so many metres along the curve
    offending_cells: Sequence[int] = ()  #: that the body meets there, y * width + x; none: the edge, or no obstacle


def valid(message: pb.Valid) -> Valid:
    return Valid(message.version, message.legal, cost(message.cost), list(message.offending), list(message.offending_way),
                 message.offending_segment, message.offending_at_m, list(message.offending_cells))


@dataclass(frozen=True)
class Said:
    """An answer as it was said. What made it new came after sure_until, and up to version."""

    path_seq: int
    outcome: str
    reason: str
    cost: float | None
    sure_until: int
    version: int
    expansions: int
    age_ms: int  #: since it was said


def said(message: pb.Said) -> Said:
    return Said(message.path_seq, outcome(message), reason(message), cost(message.cost),
                message.sure_until, message.version, message.expansions, message.age_ms)
