"""Pictures by matplotlib, which is needed only here."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, Union

from .answer import Answer, Frame

if TYPE_CHECKING:
    import numpy
    import numpy.typing

_PARTS = 32  # of an arc

Drawable = Union[Answer, Sequence[Sequence[float]]]


def world(cells: numpy.typing.NDArray[numpy.uint8], frame: Frame, blocks: bytes, paths: Iterable[Drawable], ax: Any,
          title: str) -> Any:
    """Cells in metres of the frame, what blocks black, dearer bytes darker; over them the paths. Returns the axes.

    blocks: the bytes that block.
    """
    import numpy
    from matplotlib import pyplot, transforms
    axes = pyplot.figure().add_subplot() if ax is None else ax
    shade = numpy.full(256, 255.0)
    shade[1:] -= numpy.arange(255) * 0.6
    shade[list(blocks)] = 0.0
    side = frame.resolution
    turned = transforms.Affine2D().rotate(frame.yaw).translate(frame.x, frame.y) + axes.transData
    axes.imshow(shade[cells], cmap="gray", vmin=0, vmax=255, origin="lower", interpolation="nearest",
                extent=(0, frame.width * side, 0, frame.height * side), transform=turned)
    for path in paths:
        _draw_path(axes, path)
    corners = [_corner(frame, x, y) for x in (0, frame.width) for y in (0, frame.height)]
    axes.set_xlim(min(x for x, _ in corners), max(x for x, _ in corners))
    axes.set_ylim(min(y for _, y in corners), max(y for _, y in corners))
    axes.set_aspect("equal")
    axes.set_title(title)
    axes.set_xlabel("x in metres")
    axes.set_ylabel("y in metres")
    return axes


def _curve(answer: Answer) -> list[tuple[float, float]]:
    """Points along the curve of an agent with motion, close enough to look round."""
    points = [segment.pose(abs(segment.length) * i / _PARTS)[:2] for segment in answer.segments if segment.turn == 0.0
              for i in range(_PARTS if segment.curvature != 0.0 else 1)]
    return [*points, answer.segments[-1].end[:2]]


def _draw_path(axes: Any, path: Drawable) -> None:
    points: Sequence[Sequence[float]]
    if isinstance(path, Answer):
        points = _curve(path) if path.segments else path.points
    else:
        points = path
    if points:
        line, = axes.plot([x for x, *_ in points], [y for _, y, *_ in points],
                          label=path.agent if isinstance(path, Answer) else None)
        axes.plot(*points[-1][:2], "o", color=line.get_color())
    if isinstance(path, Answer) and points:
        axes.legend()


def _corner(frame: Frame, x: float, y: float) -> tuple[float, float]:
    cosine, sine, side = math.cos(frame.yaw), math.sin(frame.yaw), frame.resolution
    return frame.x + side * (cosine * x - sine * y), frame.y + side * (sine * x + cosine * y)
