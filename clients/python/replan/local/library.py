"""libreplan-engine.so, which stands beside this module: its structs and calls, as engine.h, planner.h and grid.h have them.

The fields are those of the headers, in their order; a test compiles the headers and compares size and place of each.
"""

from __future__ import annotations

import ctypes
import functools
import os
import struct
from collections.abc import Callable, Iterator
from ctypes import POINTER, Structure, c_bool, c_char_p, c_double, c_int, c_int32, c_size_t, c_uint8, c_uint32, c_uint64, c_void_p
from typing import Any

from ..errors import ReplanError

_LIBRARY = os.path.join(os.path.dirname(os.path.abspath(__file__)), "libreplan-engine.so")
_WORDS = {-1: "INVALID", -3: "UNSUPPORTED", -4: "UNKNOWN", -5: "EXISTS", -6: "LIMIT"}  # rp_status_t
_MEMORY = -2
MORE = 1
NO_LIMIT = 2**64 - 1
SIDE_MAX = 16384  # RP_GRID_SIDE_MAX
CELLS_MAX = 1 << 28  # RP_GRID_CELLS_MAX
PAST_MAX = 8  # RP_PAST_MAX
REACH_MAX = 64  # RP_REACH_MAX
CORNERS_MAX = 16  # RP_FOOTPRINT_CORNERS_MAX
OUTLINES_MAX = 5  # RP_FOOTPRINT_OUTLINES_MAX
OFFENDERS_MAX = 64  # RP_CURVE_OFFENDERS_MAX
FIELD = 2  # RP_QUERY_FIELD
CAN_WEIGHTED = 1 << 8  # RP_CAN_WEIGHTED
OUTCOMES = ("no_outcome", "found", "no_path", "partial", "start_blocked", "goal_blocked", "outside", "target_lost", "arrived")
REASONS = ("first", "invalid", "cheaper", "aged", "goal", "off_path", "reached")
WITH_PATH = ("found", "partial", "arrived")
PLAN_OUTCOMES = ("found", "no_path", "start_blocked", "goal_blocked")

STRUCTS: dict[str, Any] = {}


def _struct(name: str, /, **fields: Any) -> Any:
    STRUCTS[name] = type(name, (Structure,), {"_fields_": list(fields.items())})
    return STRUCTS[name]


Frame = _struct("rp_frame_t", resolution_m=c_double, origin_x_m=c_double, origin_y_m=c_double, origin_yaw=c_double)
ProfileOptions = _struct("rp_profile_options_t", name=c_char_p, factors=c_char_p, like=c_char_p, unit=c_uint8, unknown=c_int,
                         unknown_factor=c_uint8, inscribed=c_char_p, inscribed_count=c_size_t)
KnownWindow = _struct("rp_known_window_t", number=c_uint64, offset_x=ctypes.c_int64, offset_y=ctypes.c_int64, width=c_uint32,
                      height=c_uint32, origin_x_m=c_double, origin_y_m=c_double)
WorldOptions = _struct("rp_world_options_t", width=c_uint32, height=c_uint32, neighbors=c_uint8, wraps=c_bool, profile=c_char_p,
                       profiles=POINTER(ProfileOptions), profile_count=c_size_t, frame=Frame, data=c_char_p, given=c_void_p,
                       is_filled=c_bool, fill=c_uint8, first_version=c_uint64, windows=c_void_p, cells_hash=c_void_p)
Cause = _struct("rp_cause_t", source_us=c_uint64, arrival_us=c_uint64)
NO_CAUSE = Cause(0, 0)
Edit = _struct("rp_edit_t", x=c_uint32, y=c_uint32, width=c_uint32, height=c_uint32, data=c_char_p, stride=c_uint32,
               cells=POINTER(c_uint32), values=c_char_p, cell_count=c_size_t, fill=c_uint8, value=c_uint8, staged_edit=c_void_p)
Shape = _struct("rp_shape_t", id=c_uint32, corners=c_uint32, x_m=POINTER(c_double), y_m=POINTER(c_double), radius_m=c_double,
                expires_us=c_uint64, byte=c_uint8)
OverlayEdit = _struct("rp_overlay_edit_t", shapes=POINTER(Shape), shape_count=c_size_t, removed=POINTER(c_uint32),
                      removed_count=c_size_t, clears=c_bool, staged_edit=c_void_p)
Window = _struct("rp_window_t", x=c_int32, y=c_int32, width=c_uint32, height=c_uint32, is_told=c_bool, origin_x_m=c_double,
                 origin_y_m=c_double, is_filled=c_bool, fill=c_uint8, rects=POINTER(c_uint32), rect_count=c_size_t,
                 rect_data=c_char_p, staged_edit=c_void_p, is_judged=c_bool)
Body = _struct("rp_body_t", profile=c_char_p, radius_m=c_double, inscribed_radius_m=c_double, inflation_radius_m=c_double,
               cost_scaling=c_double, cells=c_uint32)
Destination = _struct("rp_destination_t", x_m=c_double, y_m=c_double, offset=c_uint32)
Aim = _struct("rp_aim_t", kind=c_int, points=POINTER(Destination), count=c_size_t, first=c_size_t, target=c_uint64,
              tolerance_m=c_double, is_nearest=c_bool, goal_id=c_uint64, heading=c_int,
              yaw=c_double, yaws=POINTER(c_double), yaw_tolerance=c_double, rendezvous=POINTER(Destination))
Policy = _struct("rp_policy_t", switch_gain_percent=c_uint32, min_interval_ms=c_uint32, max_age_ms=c_uint32,
                 answer_within_ms=c_uint32, may_wait=c_bool, starts_at_once=c_bool)
PlannerOptions = _struct("rp_planner_options_t", open=c_int, check_every=c_uint32)
PolygonBody = _struct("rp_polygon_body_t", x_m=c_double * CORNERS_MAX, y_m=c_double * CORNERS_MAX, corner_count=c_uint32,
                      first=c_uint32 * OUTLINES_MAX, outline_count=c_uint32, padding_m=c_double)
Motion = _struct("rp_motion_t", drive=c_int, body_radius_m=c_double, footprint=POINTER(PolygonBody), turning_radius_m=c_double, turn_m_per_rad=c_double,
                 headings=c_uint32, hold_m=c_double, follow_yaw=c_double, bound_percent=c_uint32, headings_most=c_uint32, reverse=c_bool,
                 reverse_factor=c_double, gear_change_m=c_double)
SessionOptions = _struct("rp_session_options_t", body=Body, motion=Motion, planner=c_char_p, is_judged=c_bool,
                         planner_options=PlannerOptions, policy=Policy, follow_radius_m=c_double, escape_m=c_double)
PathSegment = _struct("rp_path_segment_t", x_m=c_double, y_m=c_double, yaw=c_double, curvature=c_double, length_m=c_double,
                      turn=c_double, course=c_double)
CurveReport = _struct("rp_curve_report_t", is_free=c_bool, cost=c_double, segment=c_uint32, at_m=c_double,
                      cells=c_uint32 * OFFENDERS_MAX, cell_count=c_uint32)
Splice = _struct("rp_splice_t", from_end=c_uint32, head=c_uint32, tail=c_uint32)
AnswerCurve = _struct("rp_answer_curve_t", segments=POINTER(PathSegment), has_courses=c_bool, count=c_uint32, family=c_uint32,
                      escape_count=c_uint32, valid_through_m=c_double, leg_at=POINTER(c_uint32), leg_count=c_uint32,
                      splice=Splice)
AnswerWindow = _struct("rp_answer_window_t", number=c_uint64, width=c_uint32, height=c_uint32, frame=Frame)
Answer = _struct("rp_answer_t", session=c_uint64, world=c_uint64, version=c_uint64, window=AnswerWindow, path_seq=c_uint64,
                 goal_id=c_uint64, pose_seq=c_uint64, target_pose_seq=c_uint64, waypoint=c_uint32, goal_distance_m=c_double,
                 escape_m=c_double, outcome=c_int, reason=c_int, cost=c_double, bound=c_double, start_x=c_uint32,
                 start_y=c_uint32, steps=c_void_p, step_count=c_uint32, splice=Splice, way_x=c_uint32, way_y=c_uint32,
                 way=c_void_p, way_count=c_uint32, curve=AnswerCurve, valid_through=c_uint32, planner=c_char_p,
                 expansions=c_uint64, cause=Cause)
Past = _struct("rp_past_answer_t", path_seq=c_uint64, sure_until=c_uint64, version=c_uint64, published_us=c_uint64, outcome=c_int,
               reason=c_int, cost=c_double, expansions=c_uint64, cause=Cause)
Question = _struct("rp_question_t", kind=c_int, from_=POINTER(Destination), from_count=c_size_t, to=POINTER(Destination),
                   to_count=c_size_t, sessions=POINTER(c_uint64), session_count=c_size_t, edit=POINTER(Edit), reach=c_uint32,
                   segments=POINTER(PathSegment), segment_count=c_size_t, radius_m=c_double, footprint=POINTER(PolygonBody))
QueryResult = _struct("rp_query_result_t", version=c_uint64, costs=POINTER(c_double), after=POINTER(c_double),
                      outcomes=POINTER(c_uint8), steps=c_void_p,
                      count=c_size_t, x=c_uint32, y=c_uint32, width=c_uint32, height=c_uint32, status=c_int,
                      curve=CurveReport)
Memory = _struct("rp_memory_t", ground_bytes=c_uint64, session_bytes=c_uint64, search_bytes=c_uint64, rubble_bytes=c_uint64,
                 evicted=c_uint64)
GridShape = _struct("rp_grid_shape_t", width=c_uint32, height=c_uint32, neighbors=c_uint8, wraps=c_bool, unit=c_uint8,
                    least=c_uint8)
GridHead = _struct("rp_grid_t", moves=c_void_p, factor=c_void_p, seam=c_void_p, offset=c_int32 * 8, row_magic=c_uint64,
                   stride=c_uint32, cell_count=c_uint32)  # the rest of it is nobody's business here
Change = _struct("rp_change_t", cell=c_uint32, before=c_uint8, after=c_uint8)
Goal = _struct("rp_goal_t", cell=c_uint32, offset=c_uint32)
PlannerInfo = _struct("rp_planner_info_t", id=c_char_p, paper=c_char_p, guarantee=c_char_p, capabilities=c_uint32,
                      bytes_per_cell=c_uint32)
PlanStats = _struct("rp_plan_stats_t", expanded=c_uint64, generated=c_uint64, restarts=c_uint32, checked=c_uint32,
                    differed=c_uint32, bytes=c_uint64, planner=c_char_p, why=c_char_p)
Path = _struct("rp_path_t", cells=POINTER(c_uint32), count=c_uint32)
Plan = _struct("rp_plan_t", outcome=c_int, cost=c_double, units=c_uint64, path=Path, stats=PlanStats)

def _leaves(kind: Any, name: str = "", offset: int = 0) -> Iterator[tuple[str, int, str]]:
    """Name, place and letter of each field of a struct, those of structs within it too. Pointers are numbers."""
    for field, part in kind._fields_:
        at, full = offset + getattr(kind, field).offset, f"{name}{field}"
        if issubclass(part, Structure):
            yield from _leaves(part, f"{full}.", at)
        else:
            yield full, at, _LETTERS.get(part, "Q")


def _reader(kind: Any, *names: str) -> Callable[[Any], tuple[Any, ...]]:
    """Reads these fields of a struct at once: one by one each takes a tenth of a microsecond."""
    letters, end = "=", 0
    found = {name: (at, letter) for name, at, letter in _leaves(kind)}
    for name in names:  # in their order in the struct
        at, letter = found[name]
        letters += f"{at - end}x{letter}"
        end = at + struct.calcsize(f"={letter}")
    return struct.Struct(letters).unpack_from


_LETTERS = {c_bool: "?", c_int: "i", c_int32: "i", c_uint32: "I", c_uint64: "Q", c_double: "d", c_void_p: "Q", c_char_p: "Q"}
read_answer = _reader(
    Answer, "session", "version", "window.number", "window.width", "window.height", "window.frame.resolution_m",
    "window.frame.origin_x_m", "window.frame.origin_y_m", "window.frame.origin_yaw", "path_seq", "goal_id", "pose_seq", "waypoint",
    "goal_distance_m", "escape_m", "outcome", "reason", "cost", "bound", "start_x", "start_y", "steps", "step_count", "way_x", "way_y",
    "way", "way_count", "valid_through", "planner", "expansions")

_CALLS: dict[str, tuple[Any, ...]] = {  # what is returned, then what is taken
    "rp_status_text": (c_char_p, c_int),
    "rp_engine_new": (c_int, POINTER(c_void_p)),
    "rp_engine_destroy": (None, POINTER(c_void_p)),
    "rp_engine_open_world": (c_int, c_void_p, POINTER(WorldOptions), POINTER(c_uint64)),
    "rp_engine_close_world": (c_int, c_void_p, c_uint64),
    "rp_engine_apply": (c_int, c_void_p, c_uint64, POINTER(Edit), Cause, POINTER(c_uint64)),
    "rp_engine_overlay": (c_int, c_void_p, c_uint64, POINTER(OverlayEdit), Cause, POINTER(c_uint64)),
    "rp_engine_resize": (c_int, c_void_p, c_uint64, POINTER(Window), Cause, POINTER(c_uint64)),
    "rp_engine_window": (POINTER(KnownWindow), c_void_p, c_uint64, c_uint64),
    "rp_engine_version": (c_uint64, c_void_p, c_uint64),
    "rp_engine_settled": (c_uint64, c_void_p, c_uint64),
    "rp_engine_bytes": (c_void_p, c_void_p, c_uint64),
    "rp_engine_shape": (c_bool, c_void_p, c_uint64, POINTER(c_uint32), POINTER(c_uint32), POINTER(Frame)),
    "rp_engine_open": (c_int, c_void_p, c_uint64, POINTER(SessionOptions), POINTER(c_uint64)),
    "rp_engine_close": (c_int, c_void_p, c_uint64),
    "rp_engine_judge_motion": (c_int, c_void_p, c_uint64, POINTER(Motion)),
    "rp_engine_judge_footprint": (c_char_p, c_void_p, c_uint64, POINTER(PolygonBody)),
    "rp_engine_pose_with_yaw": (c_int, c_void_p, c_uint64, c_double, c_double, c_double, c_uint64, Cause),
    "rp_engine_aim": (c_int, c_void_p, c_uint64, POINTER(Aim), Cause),
    "rp_engine_retarget": (c_int, c_void_p, c_uint64, c_uint64, Cause),
    "rp_engine_answer": (c_int, c_void_p, c_uint64, POINTER(Answer)),
    "rp_engine_is_sure": (c_bool, c_void_p, c_uint64),
    "rp_engine_middle": (c_size_t, POINTER(Destination), c_size_t),
    "rp_engine_start_query": (c_int, c_void_p, c_uint64, POINTER(Question), POINTER(c_uint64)),
    "rp_engine_query_result": (POINTER(QueryResult), c_void_p, c_uint64),
    "rp_engine_forget": (None, c_void_p, c_uint64),
    "rp_engine_walk": (c_size_t, c_void_p, c_uint64, c_uint32, c_uint32, c_char_p, c_size_t, POINTER(c_uint32), c_size_t,
                       POINTER(c_double)),
    "rp_engine_walk_way": (c_size_t, c_void_p, c_uint64, c_uint32, c_uint32, c_char_p, c_size_t, c_uint32, c_uint32,
                           POINTER(c_uint32), c_size_t),
    "rp_engine_drive": (c_int, c_void_p, c_uint64, POINTER(PathSegment), c_size_t, c_double, POINTER(PolygonBody), POINTER(CurveReport)),
    "rp_engine_factors": (c_int, c_void_p, c_uint64, c_void_p),
    "rp_engine_past": (c_size_t, c_void_p, c_uint64, POINTER(Past)),
    "rp_engine_memory": (Memory, c_void_p),
    "rp_engine_step": (c_bool, c_void_p, c_uint64, c_uint64),
    "rp_engine_is_short": (c_bool, c_void_p),
    "rp_engine_idle": (c_bool, c_void_p, c_uint64),
    "rp_engine_next_answer": (c_bool, c_void_p, POINTER(Answer)),
    "rp_grid_new": (c_int, POINTER(GridShape), POINTER(POINTER(GridHead))),
    "rp_grid_destroy": (None, POINTER(POINTER(GridHead))),
    "rp_grid_fill": (None, POINTER(GridHead), c_char_p),
    "rp_grid_write": (None, POINTER(GridHead), POINTER(Change), c_size_t),
    "rp_planner_info": (POINTER(PlannerInfo), c_size_t),
    "rp_planner_about": (POINTER(PlannerInfo), c_void_p),
    "rp_planner_new": (c_int, c_char_p, POINTER(PlannerOptions), POINTER(c_void_p)),
    "rp_planner_destroy": (None, POINTER(c_void_p)),
    "rp_planner_bind": (c_int, c_void_p, POINTER(GridHead)),
    "rp_planner_set_start": (c_int, c_void_p, c_uint32),
    "rp_planner_set_goals": (c_int, c_void_p, POINTER(Goal), c_size_t),
    "rp_planner_apply": (c_int, c_void_p, POINTER(Change), c_size_t),
    "rp_planner_start_over": (None, c_void_p),
    "rp_planner_plan": (c_int, c_void_p, c_uint64, POINTER(Plan)),
}


@functools.cache
def load() -> ctypes.CDLL:
    """The library, its calls typed."""
    try:
        library = ctypes.CDLL(_LIBRARY)
    except OSError as error:
        raise ReplanError("UNSUPPORTED", f"replan.local has no engine for this machine: {error}; it comes with the package "
                                         "replan-local") from error
    for name, (returned, *taken) in _CALLS.items():
        call = getattr(library, name)
        call.restype, call.argtypes = returned, taken
    return library


def check(status: int, about: str) -> int:
    """Raise what a status says."""
    if status >= 0:
        return status
    if status == _MEMORY:
        raise MemoryError(about)
    sentence: bytes = load().rp_status_text(status)
    raise ReplanError(_WORDS[status], f"{about}: {sentence.decode()}")
