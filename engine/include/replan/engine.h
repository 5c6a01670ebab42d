/// @file
/// The engine: worlds that change, sessions that want their paths kept true. No I/O, no clock, no
/// threads: a game links it into its own loop, the daemon calls it from its reactor.
///
///     rp_engine_apply(world, edit)   rp_engine_pose(session, ..)   rp_engine_goals(session, ..)
///                    \                          |                        /
///                     +------> sessions that are no longer sure <-------+
///                                               |
///                     rp_engine_step(now_us, budget): plans, as far as the budget goes
///                                               |
///                     rp_engine_next_answer(): what changed, the newest of each session
///
/// An answer that did not change is not repeated: rp_engine_settled() says up to which version the
/// newest answer of every session is true.
///
/// An engine and all that belongs to it are used by one thread at a time; engines share nothing.
/// What a call takes by pointer is borrowed until it returns where nothing else is said, and when
/// it fails nothing has changed. A handle that is not open gives RP_E_UNKNOWN, or the value named.
/// A pointer may be NULL where that is said, and an array of no entries. Any other NULL is refused:
/// by RP_E_INVALID, or by the value that stands for nothing (false, 0, NULL). In an engine that is
/// NULL nothing is open.
///
/// What the calls are given and give back stands in world.h, session.h, question.h and draw.h. The
/// calls, in this order: on worlds, on sessions, questions, memory, the steps in which the work is
/// done, and drawing.
#ifndef REPLAN_ENGINE_H
#define REPLAN_ENGINE_H

#include "replan/draw.h"
#include "replan/question.h"
#include "replan/session.h"
#include "replan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rp_engine rp_engine_t;

/// @return RP_E_MEMORY
rp_status_t rp_engine_new(rp_engine_t **engine);

/// Accepts NULL.
void rp_engine_destroy(rp_engine_t **self);

// ---- worlds

/// Options to begin with: 8 neighbours, cells of a metre from (0, 0) on, bytes as "factor", normal
/// ground everywhere.
rp_world_options_t rp_engine_world_defaults(uint32_t width, uint32_t height);

/// Open a world, at version 1 or first_version. Its layers are computed in the steps in which
/// sessions need them.
/// @return RP_E_INVALID (shape, frame, a profile), RP_E_UNKNOWN (profile), RP_E_EXISTS (two
///         profiles of one name), RP_E_LIMIT (RP_ID_PLACES_MAX), RP_E_MEMORY
rp_status_t rp_engine_open_world(rp_engine_t *self, const rp_world_options_t *options,
                                 rp_world_id_t *world);

/// Close a world and its sessions.
/// @return RP_E_UNKNOWN
rp_status_t rp_engine_close_world(rp_engine_t *self, rp_world_id_t world);

/// Rewrite cells. This makes the next version of the world, even if no byte changes.
/// @param version  written: that version
/// @return RP_E_UNKNOWN; RP_E_INVALID when a cell lies outside; RP_E_MEMORY
/// Time: O(cells of the edit + sessions of the world). Layers follow a large edit in later steps
rp_status_t rp_engine_apply(rp_engine_t *self, rp_world_id_t world, const rp_edit_t *edit,
                            rp_cause_t cause, uint64_t *version);

/// Begin to prepare a large edit in slices, so that applying it takes only O(sessions), whatever
/// its size. The same for shapes, which take O(shapes) then, and for a window. Nothing changes
/// before it is applied. A world has one staged edit at a time: a new staged edit, and every
/// version that comes before it is applied, makes it void.
/// @return RP_E_UNKNOWN; RP_E_INVALID when a rectangle lies outside, or the window is not valid;
///         RP_E_UNSUPPORTED where there is nothing to prepare: an edit or a window while shapes lie
///         on the world, a window that keeps its sides and brings no bytes; RP_E_MEMORY
rp_status_t rp_engine_stage(rp_engine_t *self, rp_world_id_t world, const rp_staged_kind_t *what,
                            rp_staged_edit_t **staged_edit);

/// Go on with it.
/// @param budget  counted down, in work that takes as long as so many expansions
/// @return true when work is left; false when the staged edit is ready, or void
bool rp_staged_edit_work(rp_staged_edit_t *self, uint64_t *budget);

/// True when it is ready and not void. Then its edit is known to lie inside the world.
bool rp_staged_edit_is_ready(const rp_staged_edit_t *self);

/// Destroy it, applied or not, before its engine. Accepts NULL.
void rp_staged_edit_destroy(rp_staged_edit_t **self);

/// Put, move and remove shapes: the next version of the world. While shapes lie on a world,
/// rp_engine_apply() writes the bytes beneath them.
/// @param version  written: that version
/// @return RP_E_UNKNOWN; RP_E_INVALID (number of corners, a number that is not finite, a shape
///         larger than a torus); RP_E_LIMIT (RP_SHAPES_MAX, RP_COVERED_MAX); RP_E_MEMORY
/// Time: O(cells covered before or after * shapes over them)
rp_status_t rp_engine_overlay(rp_engine_t *self, rp_world_id_t world, const rp_overlay_edit_t *edit,
                              rp_cause_t cause, uint64_t *version);

/// Remove the shapes that have expired, which makes a version if there are any. rp_engine_step()
/// does it too; a caller that must hear of each version calls this first.
/// @param now_us   by the clock of rp_engine_step()
/// @param version  written when it returns true
/// @return true when a shape was removed
bool rp_engine_expire(rp_engine_t *self, rp_world_id_t world, uint64_t now_us, rp_cause_t cause,
                      uint64_t *version);

/// Resize a world, shift its origin, or both: the next version of the world, and its next window.
/// What lies in both windows keeps its place in metres to less than a cell, however often the world
/// is shifted; poses, goals and shapes keep theirs. All layers are computed anew, and every session
/// plans anew.
/// @param version  written: that version
/// @return RP_E_UNKNOWN; RP_E_INVALID (sides, origin, a rectangle, a new cell that nothing states);
///         RP_E_UNSUPPORTED (a torus); RP_E_LIMIT (RP_COVERED_MAX, or RP_MOTION_POSES_MAX of a
///         session with motion); RP_E_MEMORY. Time: a copy of the bytes
rp_status_t rp_engine_resize(rp_engine_t *self, rp_world_id_t world, const rp_window_t *window,
                             rp_cause_t cause, uint64_t *version);

/// What a window would be, its origin and offset, if rp_engine_resize() came now.
/// @param known  written on RP_OK; its number is that of the next window
/// @return RP_E_UNKNOWN, RP_E_INVALID
rp_status_t rp_engine_place(const rp_engine_t *self, rp_world_id_t world, const rp_window_t *window,
                            rp_known_window_t *known);

/// The first cell, row by row, for which rp_engine_resize() refuses a window with rectangles: it is
/// new, and nothing states its byte.
/// @return false when there is none, or something else is wrong
bool rp_engine_find_unstated(const rp_engine_t *self, rp_world_id_t world,
                             const rp_window_t *window, uint32_t *x, uint32_t *y);

/// A window that the world is or was.
/// @param number  0: the one that it is
/// @return borrowed until the next call on the engine; NULL when it has not been, or is not among
///         the last RP_WINDOWS_KEPT
const rp_known_window_t *rp_engine_window(const rp_engine_t *self, rp_world_id_t world,
                                          uint64_t number);

/// All of them; borrowed likewise. NULL when there is no such world
const rp_windows_t *rp_engine_windows(const rp_engine_t *self, rp_world_id_t world);

/// What the newest version rewrote, in effective bytes (those of the topmost shapes), as cells and
/// values of an edit. Of a window: which of the cells that it has in common with the window before
/// it has rewritten, besides moving them.
/// @param edit  written with true; borrowed until the next call on the engine
/// @return false when the world had no shapes before or after, as the edit that was applied says it
///         all then; or when shapes came or went that cover too many cells to list
bool rp_engine_rewritten(const rp_engine_t *self, rp_world_id_t world, rp_edit_t *edit);

/// @return 0 when there is no such world
uint64_t rp_engine_version(const rp_engine_t *self, rp_world_id_t world);

/// The version up to which the newest answer of every session of the world is true: its path is
/// legal there and ends at its goal, and no other one is so much cheaper that its policy would
/// switch, but for those that wait for their min_interval_ms.
uint64_t rp_engine_settled(const rp_engine_t *self, rp_world_id_t world);

/// Sessions that rp_engine_settled_but() leaves out, at most.
#define RP_OVERDUE_MAX 32u

/// rp_engine_settled() for all sessions but those that are overdue: not sure for longer than
/// `patience_us`, by the clock of rp_engine_step(). With the same patience in each call it never
/// falls. At most half of RP_OVERDUE_MAX sessions with `may_wait` are left out, and as many others.
/// @param overdue  written: those that are left out; for them the version may be too new
///                 [RP_OVERDUE_MAX]
/// @param count    written: how many
uint64_t rp_engine_settled_but(const rp_engine_t *self, rp_world_id_t world, uint64_t patience_us,
                               rp_session_id_t *overdue, size_t *count);

/// @return false when there is no such world
bool rp_engine_invalidations(const rp_engine_t *self, rp_world_id_t world,
                             rp_invalidations_t *invalidations);

/// The world's effective bytes, row by row; borrowed until the world is closed [width * height]
const uint8_t *rp_engine_bytes(const rp_engine_t *self, rp_world_id_t world);

/// The bytes as they are beneath the shapes; borrowed until the next call [width * height]
const uint8_t *rp_engine_beneath(const rp_engine_t *self, rp_world_id_t world);

/// True when shapes lie on the world.
bool rp_engine_has_shapes(const rp_engine_t *self, rp_world_id_t world);

/// The shapes on a world, the lowest first.
/// @param shape  written; its corners are borrowed until the next call on the engine
/// @return false beyond the last
bool rp_engine_placed_shape(const rp_engine_t *self, rp_world_id_t world, size_t index,
                            rp_shape_t *shape);

/// Sides and frame of the world as it is. @return false when there is no such world
bool rp_engine_shape(const rp_engine_t *self, rp_world_id_t world, uint32_t *width,
                     uint32_t *height, rp_frame_t *frame);

/// Name of the world's own profile; borrowed until the world is closed.
const char *rp_engine_profile(const rp_engine_t *self, rp_world_id_t world);

/// The profiles that the world was opened with, in their order; `unknown` is said as a factor, or
/// blocked.
/// @param profile  written; borrowed until the world is closed
/// @return false beyond the last
bool rp_engine_own_profile(const rp_engine_t *self, rp_world_id_t world, size_t index,
                           rp_profile_options_t *profile);

/// Whether rp_engine_open() would accept this body.
/// @return what that would return for it, RP_E_MEMORY aside
rp_status_t rp_engine_judge_body(const rp_engine_t *self, rp_world_id_t world,
                                 const rp_body_t *body);

/// A hash that two bodies have in common if they share a layer of this world; if they do not, with
/// a chance of 1 in 2^64. By it sessions can be spread over several engines.
/// @return 0 when rp_engine_judge_body() refuses the body for another reason than RP_E_LIMIT.
///         Time: O(reach^2), in cells
uint64_t rp_engine_layer_key(const rp_engine_t *self, rp_world_id_t world, const rp_body_t *body);

/// Number of layers that the world holds now: those of its sessions, and that of its own profile.
uint32_t rp_engine_layers(const rp_engine_t *self, rp_world_id_t world);

/// Bytes that the shapes on a world take: what they cover, and the bytes beneath them. Time:
/// O(shapes)
uint64_t rp_engine_shape_bytes(const rp_engine_t *self, rp_world_id_t world);

/// `cells_hash` of all cells, kept as they change; 0 without one, and for the first steps
/// after a world of more than 65,536 cells was opened, resized or rewritten at large. Time: O(1).
uint64_t rp_engine_hash(const rp_engine_t *self, rp_world_id_t world);

/// Whatever the caller wants to find again by the handle. The engine only keeps it.
/// @return RP_E_UNKNOWN
rp_status_t rp_engine_set_world_user(rp_engine_t *self, rp_world_id_t world, void *user);

/// @return NULL when none was set, or there is no such world
void *rp_engine_world_user(const rp_engine_t *self, rp_world_id_t world);

// ---- sessions

/// Options to begin with: a point, the world's own profile, the planner "auto", and every path the
/// optimum.
rp_session_options_t rp_engine_session_defaults(void);

/// Whatever the caller wants to find again by the handle. The engine only keeps it.
/// @return RP_E_UNKNOWN
rp_status_t rp_engine_set_session_user(rp_engine_t *self, rp_session_id_t session, void *user);

/// @return NULL when none was set, or there is no such session
void *rp_engine_session_user(const rp_engine_t *self, rp_session_id_t session);

/// Open a session. It says nothing until it has a pose and a goal.
/// @return RP_E_UNKNOWN (world, planner, profile), RP_E_INVALID (body), RP_E_LIMIT (layers,
/// RP_ID_PLACES_MAX),
///         RP_E_UNSUPPORTED (the planner cannot do this world, or the profile no inflation),
///         RP_E_MEMORY
/// Time: O(1) but for fresh memory. A planner by name that cannot do weights: the rest of computing
///       its layer, to know whether there are any
rp_status_t rp_engine_open(rp_engine_t *self, rp_world_id_t world,
                           const rp_session_options_t *options, rp_session_id_t *session);

/// @return RP_E_UNKNOWN
rp_status_t rp_engine_close(rp_engine_t *self, rp_session_id_t session);

/// Whether rp_engine_open() would accept this motion, whose drive is not RP_MOTION_NONE.
rp_motion_fault_t rp_engine_judge_motion(const rp_engine_t *self, rp_world_id_t world,
                                         const rp_motion_t *motion);

/// What is wrong with a footprint in a world, in words, in static storage: what its corners are
/// named by comes before them. NULL: nothing, or there is no such world.
const char *rp_engine_judge_footprint(const rp_engine_t *self, rp_world_id_t world,
                                      const rp_polygon_body_t *footprint);

/// Numbers of headings with which a CAR can turn: the sum of 8, 16, 32 and 64, each where it can.
/// @param turning_radius  in cells
uint32_t rp_engine_headings_for(double turning_radius);

/// As rp_engine_pose(), for an agent with motion, which plans from its first yaw on.
/// @param yaw  radians; no number: the last one, RP_E_INVALID before the first
rp_status_t rp_engine_pose_with_yaw(rp_engine_t *self, rp_session_id_t session, double x_m,
                                    double y_m, double yaw, uint64_t pose_seq, rp_cause_t cause);

/// Say where the agent is. As long as it is on its path, or within follow_radius_m of it, nothing
/// is answered before the end of the path; what lies behind the agent is cut off.
/// @param pose_seq  echoed in answers; 0, or greater than that of the newest pose: else the pose is
///                  ignored
/// @return RP_E_UNKNOWN; RP_E_INVALID when a coordinate is not finite
rp_status_t rp_engine_pose(rp_engine_t *self, rp_session_id_t session, double x_m, double y_m,
                           uint64_t pose_seq, rp_cause_t cause);

/// Say where the agent is to go: to the cheapest of these.
/// @param goals    borrowed until return [count, 1..RP_GOALS_MAX]
/// @param goal_id  echoed in answers
/// @return RP_E_UNKNOWN, RP_E_INVALID, RP_E_MEMORY; RP_E_UNSUPPORTED (this planner takes one goal
///         without offset)
rp_status_t rp_engine_goals(rp_engine_t *self, rp_session_id_t session,
                            const rp_destination_t *goals, size_t count, uint64_t goal_id,
                            rp_cause_t cause);

/// rp_engine_goals() for aims of every kind.
/// @return RP_E_UNKNOWN (session); RP_E_INVALID (numbers, counts, a target in another world or the
///         session itself); RP_E_LIMIT (an area beyond RP_AREA_MAX, or a rim beyond RP_GOALS_MAX);
///         RP_E_UNSUPPORTED (this planner takes one goal); RP_E_MEMORY. The old aim stands then
rp_status_t rp_engine_aim(rp_engine_t *self, rp_session_id_t session, const rp_aim_t *aim,
                          rp_cause_t cause);

/// Give a session with RP_AIM_TARGET another target; nothing else of its aim changes.
/// @param target  0: the target is gone
/// @return RP_E_UNKNOWN, RP_E_INVALID (as above, or the session's aim is no target)
rp_status_t rp_engine_retarget(rp_engine_t *self, rp_session_id_t session, rp_session_id_t target,
                               rp_cause_t cause);

/// The newest answer of a session, without the steps that the agent has made since. While the
/// session is not sure (rp_engine_is_sure()) it may be out of date, even break off: do not pass it
/// on.
/// @param answer  written; its steps are borrowed until the next call on the engine
/// @return RP_E_UNKNOWN
rp_status_t rp_engine_answer(const rp_engine_t *self, rp_session_id_t session, rp_answer_t *answer);

/// The path of an answer as points: the middles of its cells in metres, from the start to the goal.
/// On a torus they run on beyond the edge, so that they make one line.
/// @param answer    its steps must still be borrowed
/// @param x_m, y_m  written [capacity]; may be NULL with a capacity of 0
/// @return the number of points, 0 without a path; at most `capacity` are written
size_t rp_engine_points(const rp_answer_t *answer, double *x_m, double *y_m, size_t capacity);

/// True when the newest answer holds for the newest version, pose and goals. A provisional answer
/// (see rp_engine_hasten()) holds while its path is known to be legal.
bool rp_engine_is_sure(const rp_engine_t *self, rp_session_id_t session);

/// Make a session that is being planned for answer at once with a legal path, however large the
/// search: with its old path if that still leads to a goal, else with one that is found greedily,
/// else with the beginning of one. The optimum follows. rp_engine_step() does so by itself for
/// policies with answer_within_ms. An answer that needs no search is left to the next step.
/// @return RP_E_UNKNOWN, RP_E_MEMORY. Time: a few thousand expansions
rp_status_t rp_engine_hasten(rp_engine_t *self, rp_session_id_t session);

/// The newest pose of a session, in metres. @return false when it has none
bool rp_engine_newest_pose(const rp_engine_t *self, rp_session_id_t session, double *x_m,
                           double *y_m);

/// The version that was newest when the session last gave a new answer; 0: never.
uint64_t rp_engine_last_published(const rp_engine_t *self, rp_session_id_t session);

/// Choose a rendezvous for the places that a group is ordered to: the place nearest to their mean.
/// @param places  [count, at least 1]
/// @return its number. Time: O(count)
size_t rp_engine_middle(const rp_destination_t *places, size_t count);

// ---- questions

/// Ask a question. The world is copied, and the answer searched for, in the steps that follow.
/// @param ask  written: the handle of the question, until rp_engine_forget()
/// @return RP_E_UNKNOWN (world, a session of it), RP_E_INVALID (counts, a cell of the edit outside,
///         a session without a pose inside), RP_E_LIMIT (RP_QUERIES_MAX, RP_QUERY_JOBS_MAX),
///         RP_E_MEMORY
rp_status_t rp_engine_start_query(rp_engine_t *self, rp_world_id_t world,
                                  const rp_question_t *question, rp_query_id_t *ask);

/// The answer to a question; borrowed until rp_engine_forget().
/// @return NULL while it is searched for, or when there is no such question
const rp_query_result_t *rp_engine_query_result(const rp_engine_t *self, rp_query_id_t ask);

/// End a question, answered or not, and free its answer.
void rp_engine_forget(rp_engine_t *self, rp_query_id_t ask);

/// Check any path against the layer of a session.
/// @param start_x, start_y  cell where it begins
/// @param steps      directions, borrowed until return [count]
/// @param offenders  written: numbers of the illegal steps, the first of them [capacity]
/// @param cost       written: in cell lengths; -1 when a step is illegal or the start is blocked
/// @return number of illegal steps. A step out of the world ends the walk, and all that follow
/// count
///         as illegal. 0 with a cost of -1: only the start is blocked or outside
/// Time: O(count); if the session's layer is still being computed, the rest of that
size_t rp_engine_walk(rp_engine_t *self, rp_session_id_t session, uint32_t start_x,
                      uint32_t start_y, const uint8_t *steps, size_t count, uint32_t *offenders,
                      size_t capacity, double *cost);

/// Check any way out of a blocked cell against the layer of a session, as rp_engine_walk() does for
/// a path: each step leads from a blocked cell to one that is no obstacle, past none on a diagonal,
/// and from an obstacle to a side that the agent is nearest to (or, when the agent is elsewhere,
/// the middle of the cell).
/// @param start_x, start_y  cell where it begins
/// @param steps      directions, borrowed until return [count]
/// @param end_x, end_y  cell where the path begins; it must be free
/// @param offenders  written: numbers of the illegal steps, the first of them [capacity]; `count`
///                   when it does not lead to its end
/// @return number of offenders; 0 for a way without steps
/// Time: O(count); if the session's layer is still being computed, the rest of that
size_t rp_engine_walk_way(rp_engine_t *self, rp_session_id_t session, uint32_t start_x,
                          uint32_t start_y, const uint8_t *steps, size_t count, uint32_t end_x,
                          uint32_t end_y, uint32_t *offenders, size_t capacity);

/// Check any curve against what blocks for a session: its profile counts, not its inflation.
/// @param segments  as an answer has them, a negative length: backwards; finite numbers, borrowed
///                  until return [count]
/// @param radius_m  of the body, a disc, at most RP_MOTION_RADIUS_MAX cells; below 0: the body of
///                  the session's motion
/// @param footprint  of the body, instead of both; borrowed until return; NULL: none
/// @param report    written on RP_OK
/// @return RP_E_UNKNOWN, RP_E_INVALID (radius, footprint); RP_E_UNSUPPORTED (no body, nor motion),
///         RP_E_LIMIT (RP_CURVE_TESTS_MAX, or 2^50 cells from the origin), RP_E_MEMORY
/// Time: O(cells that the body comes near); RP_QUERY_DRIVE asks the same in slices
rp_status_t rp_engine_drive(rp_engine_t *self, rp_session_id_t session,
                            const rp_path_segment_t *segments, size_t count, double radius_m,
                            const rp_polygon_body_t *footprint, rp_curve_report_t *report);

/// The factors that a session's planner sees: the world's bytes by its profile, inflated for its
/// body.
/// @param factors  written, row by row: 0 blocks, else the factor of a move's cost [width * height]
/// @return RP_E_UNKNOWN; RP_E_INVALID without room. Time: O(cells); if the session's layer is still
///         being computed, the rest of that
rp_status_t rp_engine_factors(rp_engine_t *self, rp_session_id_t session, uint8_t *factors);

/// The newest answers of a session, the newest first.
/// @param published  written [RP_PAST_MAX]
/// @return their number
size_t rp_engine_past(const rp_engine_t *self, rp_session_id_t session,
                      rp_past_answer_t *published);

// ---- memory

/// What the engine holds, in bytes that were touched.
typedef struct rp_memory {
    uint64_t ground_bytes;  ///< worlds and layers
    uint64_t session_bytes; ///< sessions, with the paths of their answers
    uint64_t search_bytes;  ///< planners
    uint64_t rubble_bytes;  ///< closed or dropped, and not yet given back to the system
    uint64_t evicted;       ///< number of planners dropped so far to stay within the limit
} rp_memory_t;

/// Time: O(sessions)
rp_memory_t rp_engine_memory(const rp_engine_t *self);

/// Limit what the engine holds, from the next step on. Search state is a cache: beyond the limit
/// the planners that were used longest ago are dropped, and made again when they are needed.
/// Worlds, layers and sessions keep what they need. One planner stays beyond it until nobody has
/// planned for ten seconds (rp_engine_next_us() knows when that is).
/// @param bytes  of everything together; UINT64_MAX, the default: no limit
void rp_engine_limit_memory(rp_engine_t *self, uint64_t bytes);

/// Give back what can be computed again: the planner that was used longest ago, and all that was
/// closed. The engine does so itself where a plan or a question lacks memory; this is for a caller
/// who lacks it elsewhere. No answer changes.
/// @return false when there is nothing more
bool rp_engine_make_room(rp_engine_t *self);

// ---- work

/// Plan for sessions that are not sure, the longest unsure first; those with `may_wait` when there
/// is no other.
/// @param now_us  the caller's clock, which never goes back; for policies and for shapes that
/// expire
/// @param budget  expansions; each session that is looked at costs some dozens
/// @return true when work is left
bool rp_engine_step(rp_engine_t *self, uint64_t now_us, uint64_t budget);

/// True when the last step lacked memory to plan for a session or to answer a question. Those wait,
/// and later steps try again.
bool rp_engine_is_short(const rp_engine_t *self);

/// Go on with the hashes of worlds (rp_engine_hash()). rp_engine_step() does it too; this is for
/// callers that never step.
/// @param budget  in work that takes as long as so many expansions
/// @return true when cells are left
bool rp_engine_count(rp_engine_t *self, uint64_t budget);

/// Spend idle time, after a step that left no work. Memory of what was closed or dropped is given
/// back to the system, some megabytes a call. Planners prepare for what is likely to come
/// (rp_planner_idle()): those that have taken in all changes, as far as the limit of memory allows;
/// where there are many, those that are used most. This makes no answer and changes no cost. Of
/// several optimal paths a later answer may show another one: to get the same paths again, call it
/// at the same points, or never.
/// @param budget  expansions
/// @return true when there is more to do; false until a session planned again
bool rp_engine_idle(rp_engine_t *self, uint64_t budget);

/// The effort so far: plans that led to no new answer count, searches for questions do not.
rp_effort_t rp_engine_effort(const rp_engine_t *self);

/// When rp_engine_step() is to be called next even if nothing happens until then, for a policy or
/// an expiring shape; RP_NEVER_US: there is no need.
uint64_t rp_engine_next_us(const rp_engine_t *self);

/// Take the next new answer: the newest one of its session; of the session first that has waited
/// longest.
/// @param answer  written with true; its steps are borrowed until the next call on the engine
/// @return false when there is none
bool rp_engine_next_answer(rp_engine_t *self, rp_answer_t *answer);

// ---- drawing

/// Hand out all cells of a world with their bytes, and the newest path of each of its sessions, the
/// lowest handle first.
/// @return RP_E_UNKNOWN, RP_E_INVALID, RP_E_MEMORY
rp_status_t rp_engine_draw_world(rp_engine_t *self, rp_world_id_t world, const rp_draw_t *draw);

/// Hand out what a session's planner sees, its body taken in, and its newest path.
/// @return RP_E_UNKNOWN, RP_E_INVALID, RP_E_MEMORY. Time: O(cells) where cells are drawn; if the
///         session's layer is still being computed, the rest of that
rp_status_t rp_engine_draw_session(rp_engine_t *self, rp_session_id_t session,
                                   const rp_draw_t *draw);

/// Hand out each cell that a search touches, in the steps to come. Only where planners and engine
/// are compiled with REPLAN_TRACE (the joined sources: `cc -DREPLAN_TRACE *.c mine.c -lm`).
/// @param draw  copied; NULL: no more
/// @return RP_E_UNSUPPORTED without REPLAN_TRACE; RP_E_INVALID
rp_status_t rp_engine_draw_searches(rp_engine_t *self, const rp_draw_t *draw);

#ifdef __cplusplus
}
#endif

#endif
