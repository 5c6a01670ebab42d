"""What questions are answered with. A cost is None where there is no path."""

from dataclasses import dataclass, field

from .answer import cost, outcome, reason


@dataclass(frozen=True)
class Field:
    """What it costs from each cell of a tile to an agent's goals, and which step leads there."""

    version: int
    x: int  #: of the tile's first cell
    y: int
    width: int
    height: int
    costs: list = field(repr=False)  #: row by row
    steps: bytes = field(repr=False)  #: directions; 255 at a goal, and where no path begins


@dataclass(frozen=True)
class Valid:
    """Whether a path can be walked now."""

    version: int
    legal: bool
    cost: float  #: None when it is not legal
    offending: list  #: numbers of the illegal steps; none, and not legal: its start is blocked
    offending_way: list = ()  #: the same of the way; as many as it has steps: it leads elsewhere


@dataclass(frozen=True)
class Said:
    """An answer as it was said. What made it new came after sure_until, and up to version."""

    path_seq: int
    outcome: str
    reason: str
    cost: float
    sure_until: int
    version: int
    expansions: int
    age_ms: int  #: since it was said


def said(message):
    return Said(message.path_seq, outcome(message), reason(message), cost(message.cost),
                message.sure_until, message.version, message.expansions, message.age_ms)
