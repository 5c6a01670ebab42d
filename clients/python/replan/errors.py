"""What can go wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from . import replan_pb2 as pb


class ReplanError(Exception):
    """The daemon refused a request.

    status: one word of the wire's enum: "INVALID", "UNKNOWN", "EXISTS", "LIMIT", ..
    sentence: why, with the field and the limit.
    present: with "GONE", for a window that is not known any more: the replan.v1.Window that the
    world is, with epoch, window and geometry; else None.
    """

    def __init__(self, status: str, sentence: str, present: pb.Window | None = None) -> None:
        super().__init__(f"{sentence} ({status})")
        self.status = status
        self.sentence = sentence
        self.present = present


class NoDaemon(ReplanError):
    """Nobody answered in time, or the connection broke."""

    def __init__(self, sentence: str) -> None:
        super().__init__("NO_DAEMON", sentence)
