"""One planner on one grid: a path, repaired as cells change and ends move."""

from __future__ import annotations

import ctypes
import weakref
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

from .. import arguments
from ..arguments import Cell, Octets
from ..errors import ReplanError
from . import library as c

if TYPE_CHECKING:
    import numpy
    import numpy.typing

_PLAIN = b"\x00\x01\xff"  # bytes that every planner takes
_UNKNOWN_IS_FREE = bytes(range(255)) + b"\x01"
Matrix = Any  # rows of bytes: a list of lists, of bytes or of strings of numbers, or an array of numpy


class Plan:
    """A cheapest path as it is now. repair() takes changes in, and plans again."""

    def __init__(self, width: int, height: int, data: bytes, planner: str, neighbors: int, wraps: bool) -> None:
        self.width, self.height = width, height
        self.outcome = "no_path"  #: "found", "no_path", "start_blocked", "goal_blocked"
        self.cost: float | None = None  #: in cell lengths on normal ground; None without a path
        self.expanded = 0  #: cells that the last search took from its queue
        self.planner = planner  #: who searched; with "auto" whom it chose
        self._id = planner
        self._lib, self._grid, self._self = c.load(), ctypes.POINTER(c.GridHead)(), ctypes.c_void_p()
        self._plan, self._cells = c.Plan(), b""
        shape = c.GridShape(width, height, neighbors, wraps, 1, 1)
        c.check(self._lib.rp_grid_new(shape, self._grid), f"grid of {width} x {height} cells")
        self._end = weakref.finalize(self, _destroy, self._lib, self._grid, self._self)
        self._lib.rp_grid_fill(self._grid, data.translate(_UNKNOWN_IS_FREE))
        c.check(self._lib.rp_planner_new(arguments.text("planner", planner).encode(), None, self._self),
                f'planner "{planner}"')
        self._is_weighted = bool(self._lib.rp_planner_about(self._self).contents.capabilities & c.CAN_WEIGHTED)
        self._check_weights("grid", data.translate(None, _PLAIN))
        c.check(self._lib.rp_planner_bind(self._self, self._grid), f'planner "{planner}" on this grid')
        self._stride: int = self._grid.contents.stride

    @property
    def path(self) -> list[tuple[int, int]]:
        """Cells [(x, y), ..], start first; empty without a path."""
        stride = self._stride
        return [(place % stride - 1, place // stride - 1) for place in memoryview(self._cells).cast("I")]

    @property
    def path_array(self) -> numpy.typing.NDArray[numpy.int64]:
        """`path` for numpy, x and y by row [n, 2]."""
        import numpy
        y, x = numpy.divmod(numpy.frombuffer(self._cells, numpy.uint32).astype(numpy.int64), self._stride)
        return numpy.stack((x - 1, y - 1), axis=1)

    def repair(self, changes: Iterable[Sequence[int]] = (), *, start: Cell | None = None,
               goal: Cell | Sequence[Cell] | None = None) -> Plan:
        """Take in cells that changed, [(x, y, byte), ..], another start, other goals; and plan. Returns itself.

        byte: 0 blocks, 1 is normal ground, up to 254 multiplies the cost of a move.
        """
        noted = {}
        for i, entry in enumerate(arguments.entries("changes", changes)):
            told = arguments.entries(f"changes[{i}]", entry)
            if len(told) != 3:
                raise arguments.wrong(f"changes[{i}]", entry, "(x, y, byte)")
            place = self._place(f"changes[{i}]", told[:2])
            byte = arguments.byte(f"changes[{i}][2]", told[2])
            self._check_weights(f"changes[{i}]", bytes([byte]).translate(None, _PLAIN))
            noted[place] = _UNKNOWN_IS_FREE[byte]
        if start is not None:
            self.set_start(start)
        if goal is not None:
            self.set_goal(goal)
        if noted:
            self._write(noted)
        return self._search()

    def set_start(self, start: Cell) -> None:
        c.check(self._lib.rp_planner_set_start(self._self, self._place("start", start)), "start")

    def set_goal(self, goal: Cell | Sequence[Cell]) -> None:
        """A cell, or a list of them: the cheapest counts."""
        cells = arguments.entries("goal", goal)
        is_one = len(cells) == 2 and not hasattr(cells[0], "__len__")
        places = [self._place("goal", cells)] if is_one else [self._place(f"goal[{i}]", one) for i, one in enumerate(cells)]
        goals = (c.Goal * len(places))(*((place, 0) for place in dict.fromkeys(places)))
        c.check(self._lib.rp_planner_set_goals(self._self, goals, len(dict.fromkeys(places))), "goal")

    def _check_weights(self, name: str, weights: bytes) -> None:
        if weights and not self._is_weighted:
            raise ReplanError("UNSUPPORTED", f'{name} has byte {weights[0]}, and planner "{self._id}" takes 0, 1 and 255 only')

    def _place(self, name: str, cell: object) -> int:
        told = arguments.entries(name, cell)
        if len(told) != 2:
            raise arguments.wrong(name, cell, "a cell (x, y)")
        x, y = arguments.whole(f"{name}[0]", told[0], 0, self.width - 1), arguments.whole(f"{name}[1]", told[1], 0, self.height - 1)
        return (y + 1) * self._stride + x + 1

    def _write(self, noted: dict[int, int]) -> None:
        changes = (c.Change * len(noted))(*((place, 0, byte) for place, byte in noted.items()))
        self._lib.rp_grid_write(self._grid, changes, len(noted))
        status = self._lib.rp_planner_apply(self._self, changes, len(noted))
        if status < 0:
            self._lib.rp_planner_start_over(self._self)
        c.check(status, "changes")

    def _search(self) -> Plan:
        plan = self._plan
        c.check(self._lib.rp_planner_plan(self._self, c.NO_LIMIT, plan), "plan")
        self.outcome = c.PLAN_OUTCOMES[plan.outcome]
        count = plan.path.count
        self._cells = ctypes.string_at(plan.path.cells, 4 * count) if count else b""
        self.cost = plan.cost if count else None
        self.expanded = plan.stats.expanded
        self.planner = plan.stats.planner.decode()
        return self

    def __str__(self) -> str:
        about = "" if self.cost is None else f", cost {self.cost:.2f}, {len(self._cells) // 4} cells"
        return f"{self.outcome}{about}, by {self.planner}"


def plan(grid: Matrix, start: Cell, goal: Cell | Sequence[Cell], *, planner: str = "auto", neighbors: int = 8,
         wraps: bool = False) -> Plan:
    """A cheapest path on a grid, grid[y][x]: 0 blocks, 1 is normal ground, up to 254 multiplies the cost of a move.

    grid: an array of numpy [height, width], of numbers or of bool, or a list of rows.
    start, goal: cells (x, y); goal may be a list of them, the cheapest counts.
    planner: an id of `replan planners`. neighbors: 8, without cutting corners, or 4. wraps: a torus.
    """
    width, height, data = _rows(grid)
    if arguments.whole("neighbors", neighbors, 4, 8) not in (4, 8):
        raise arguments.wrong("neighbors", neighbors, "4 or 8")
    if arguments.truth("wraps", wraps) and (width < 3 or height < 3):
        raise arguments.invalid("wraps", f"is True for {width} x {height} cells, a torus has 3 x 3 or more")
    made = Plan(width, height, data, planner, neighbors, bool(wraps))
    made.set_start(start)
    made.set_goal(goal)
    return made.repair()


def planners() -> list[str]:
    """The ids of all planners."""
    found: list[str] = []
    while info := c.load().rp_planner_info(len(found)):
        found.append(info.contents.id.decode())
    return found


def _rows(grid: Matrix) -> tuple[int, int, bytes]:
    """Sides and bytes."""
    rows = [arguments.octets(f"grid[{y}]", _row(row)) for y, row in enumerate(arguments.entries("grid", grid))]
    if not 1 <= len(rows) <= c.SIDE_MAX:
        raise arguments.invalid("grid", f"has {len(rows)} rows, it must have 1 to {c.SIDE_MAX}")
    width = len(rows[0])
    if not 1 <= width <= c.SIDE_MAX:
        raise arguments.invalid("grid[0]", f"has {width} cells, it must have 1 to {c.SIDE_MAX}")
    for y, row in enumerate(rows):
        if len(row) != width:
            raise arguments.invalid(f"grid[{y}]", f"has {len(row)} cells, those before have {width}")
    return width, len(rows), b"".join(rows)


def _row(row: Any) -> Octets:
    """An array of wider numbers as a list: its bytes are not its numbers."""
    found: Octets = row.tolist() if getattr(row, "itemsize", 1) != 1 else row
    return found


def _destroy(library: ctypes.CDLL, grid: Any, planner: Any) -> None:
    library.rp_planner_destroy(planner)
    library.rp_grid_destroy(grid)
