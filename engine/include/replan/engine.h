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
///
/// Order: types of worlds, of goals and answers; then calls on worlds, on sessions, questions,
/// memory, and the steps in which the work is done.
#ifndef REPLAN_ENGINE_H
#define REPLAN_ENGINE_H

#include "replan/grid.h"
#include "replan/planner.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rp_engine rp_engine_t;

/// Handles; 0 means none. The handle of what was closed may be given out again.
typedef uint32_t rp_world_id_t;
typedef uint32_t rp_session_id_t;

/// Where cells lie in metres, as in ROS: the origin is the corner of cell (0, 0).
typedef struct rp_frame {
    double resolution_m; ///< side of a cell
    double origin_x_m;
    double origin_y_m;
    double origin_yaw; ///< radians, from +x towards +y
} rp_frame_t;

/// The byte of a cell that nobody has seen yet, in every profile.
#define RP_BYTE_UNKNOWN 255u

/// What an unknown cell counts as.
typedef enum rp_unknown {
    RP_UNKNOWN_FREE, ///< normal ground
    RP_UNKNOWN_BLOCKED,
    RP_UNKNOWN_FACTOR, ///< a factor of its own
} rp_unknown_t;

#define RP_PROFILE_NAME_MAX 32u
#define RP_PROFILES_MAX     16u ///< of one world, the built-in ones not counted

/// A profile that a world brings: what its bytes mean to one kind of mover.
typedef struct rp_profile_options {
    const char *name;       ///< 1..RP_PROFILE_NAME_MAX characters, not that of a built-in one
    const uint8_t *factors; ///< by byte: 0 blocks [256]; NULL: those of `like`, with its unit
    const char *like;       ///< "factor" or "costmap"; NULL: "factor"
    uint8_t unit;           ///< factor of normal ground; some byte must have it
    rp_unknown_t unknown;
    uint8_t unknown_factor; ///< with RP_UNKNOWN_FACTOR, from 1
} rp_profile_options_t;

typedef struct rp_world_options {
    uint32_t width;      ///< cells, 1..RP_GRID_SIDE_MAX (from 3 when wrapped)
    uint32_t height;     ///< cells
    uint8_t neighbors;   ///< 4 or 8
    bool wraps;          ///< a torus
    const char *profile; ///< what a byte means: "factor", "costmap", or one of `profiles`; NULL:
                         ///< "factor"
    const rp_profile_options_t *profiles; ///< borrowed until return [profile_count]
    size_t profile_count;                 ///< at most RP_PROFILES_MAX
    rp_frame_t frame;
    const uint8_t *data; ///< borrowed until return [width * height]; NULL: the same byte everywhere
    uint8_t *given; ///< instead of `data`, to spare a copy: from malloc(), and owned by the world
                    ///< once it is open [width * height]; NULL: none
    bool is_filled; ///< with neither of these: every cell is `fill`; else normal ground
    uint8_t fill;
    uint64_t first_version; ///< of a world that is opened again: its version; 0: 1

    /// A number for "this byte stands in cell y * width + x"; NULL: none. The world keeps the XOR
    /// of it over all cells (rp_engine_hash()), by which two copies of it can be compared.
    uint64_t (*cell_hash)(uint64_t index, uint8_t byte);
} rp_world_options_t;

/// The event behind an answer, for measuring latency. The engine only passes it on.
typedef struct rp_cause {
    uint64_t source_us;  ///< when the sender sent it, by the sender's clock
    uint64_t arrival_us; ///< when it arrived, by the caller's clock
} rp_cause_t;

/// What an edit, shapes or a window will make of a world's bytes, prepared before it is applied.
typedef struct rp_draft rp_draft_t;

/// Cells to rewrite, atomically: first the rectangle, then the single cells. All arrays are
/// borrowed until return.
typedef struct rp_edit {
    uint32_t x;
    uint32_t y;
    uint32_t width; ///< 0: no rectangle
    uint32_t height;
    const uint8_t *data;   ///< row by row [width * height], or NULL: `fill` everywhere
    const uint32_t *cells; ///< y * world width + x [cell_count]
    const uint8_t *values; ///< a byte a cell [cell_count], or NULL: `value` for all
    size_t cell_count;
    uint8_t fill;
    uint8_t value;
    rp_draft_t *draft; ///< of this edit, by rp_engine_draft(): then it takes far less time;
                       ///< NULL: there is none
} rp_edit_t;

#define RP_CORNERS_MAX 64u        ///< of one polygon
#define RP_SHAPES_MAX  4096u      ///< of one world
#define RP_COVERED_MAX (1u << 24) ///< of one world: cells under its shapes, counted for each shape

/// Something that lies over a world's cells. It hides the bytes of every cell that it touches; when
/// it moves or goes, they show again. A shape that was put later lies above.
typedef struct rp_shape {
    uint32_t id;         ///< the caller's choice; a shape of the same id is replaced
    uint32_t corners;    ///< 1: a disc around that point; 3..RP_CORNERS_MAX: a polygon
    const double *x_m;   ///< borrowed until return [corners]
    const double *y_m;   ///< borrowed until return [corners]
    double radius_m;     ///< of a disc
    uint64_t expires_us; ///< by the clock of rp_engine_step(); 0: never
    uint8_t byte;        ///< that the cells under it have
} rp_shape_t;

/// What happens to the shapes of a world, atomically: first some go, then others are put.
typedef struct rp_overlay_edit {
    const rp_shape_t *shapes; ///< borrowed until return [shape_count]
    size_t shape_count;
    const uint32_t *removed; ///< ids; one that is not there is no error [removed_count]
    size_t removed_count;
    bool clears;       ///< remove every shape that was there
    rp_draft_t *draft; ///< of this edit, as of rp_edit_t; NULL: there is none
} rp_overlay_edit_t;

/// The rectangle that a world is to become, in cells of the world as it is now.
typedef struct rp_window {
    int32_t x; ///< the cell that becomes (0, 0); it may lie outside
    int32_t y;
    uint32_t width;
    uint32_t height;
    bool is_filled; ///< new cells get `fill`, else normal ground of the world's profile
    uint8_t fill;
    rp_draft_t *draft; ///< of this window, as of rp_edit_t; NULL: there is none
} rp_window_t;

/// What a draft is of: one of these, the others NULL; borrowed until the draft is destroyed.
typedef struct rp_drafted {
    const rp_edit_t *edit;
    const rp_overlay_edit_t *overlay;
    const rp_window_t *window;
} rp_drafted_t;

/// A place to go to, in metres of the world's frame.
typedef struct rp_destination {
    double x_m;
    double y_m;
    uint32_t offset; ///< cost of stopping there, in cell lengths
} rp_destination_t;

/// Greatest number of cells of the rectangle round a region or a tolerance.
#define RP_AREA_MAX (1u << 20)

typedef enum rp_aim_kind {
    RP_AIM_POINTS,    ///< the cheapest of them
    RP_AIM_WAYPOINTS, ///< all of them, in order; the path leads to the next one
    RP_AIM_REGION,    ///< anywhere in a rectangle of the frame
    RP_AIM_TARGET,    ///< where another session of the same world is
} rp_aim_kind_t;

/// Where to go, and what counts as being there.
typedef struct rp_aim {
    rp_aim_kind_t kind;
    const rp_destination_t *points; ///< of a region two opposite corners; borrowed until return
                                    ///< [count]
    size_t count;                   ///< 1..RP_GOALS_MAX; of a region 2, of a target 0
    size_t first;                   ///< of waypoints: number of the next one, below count
    rp_session_id_t target;         ///< 0: not there yet
    double tolerance_m; ///< every cell whose centre is so near to a point is a goal; 0: only the
                        ///< cell of the point
    bool is_nearest;    ///< if no goal can be reached: go to the reachable cell nearest to one; of
                        ///< equally near ones to the cheapest
    uint64_t goal_id;   ///< echoed in answers

    /// For one point alone: a place that all share who were ordered to places near each other, by
    /// rp_engine_middle(). Eight or more of them share one search: their paths lead by way of the
    /// rally where that is as good as their policies ask, and say by their bound how much cheaper
    /// another path may be. Borrowed until return; NULL: none
    const rp_destination_t *rally;
} rp_aim_t;

/// Choose a rally for the places that a group is ordered to: the place nearest to their mean.
/// @param places  [count, at least 1]
/// @return its number. Time: O(count)
size_t rp_engine_middle(const rp_destination_t *places, size_t count);

/// A time that never comes.
#define RP_NEVER_US UINT64_MAX

/// When a path that is still legal gives way to a cheaper one; a path that broke is replaced at
/// once. All zero: to every cheaper one at once, so that each answer is optimal.
typedef struct rp_policy {
    uint32_t switch_gain_percent; ///< the new path must be cheaper by so much, 0..100
    uint32_t min_interval_ms;     ///< and the newest answer at least so old
    uint32_t max_age_ms;          ///< from this age on any gain is enough; 0: never
    uint32_t answer_within_ms;    ///< after so long without the optimum, answer with any legal
                                  ///< path; 0: never
    bool may_wait;                ///< low priority: planned for when no other session needs it
    bool starts_at_once;          ///< after new goals, answer with any legal path in the next step
} rp_policy_t;

#define RP_REACH_MAX  64u ///< greatest radius of a body or of an inflation, in cells
#define RP_LAYERS_MAX 16u ///< of one world

/// What an agent's body demands of the ground. Sessions with the same demands share a layer, which
/// lives as long as one of them; a world holds at most RP_LAYERS_MAX. All 0: a point, by the
/// world's own profile.
typedef struct rp_body {
    const char *profile; ///< NULL: the world's
    double radius_m;     ///< every cell whose centre is this near to that of a blocked cell blocks

    // Cells near a blocked one are dearer, by the formula of ROS' costmap_2d: byte 253 within the
    // inscribed radius, then falling exponentially with distance. The greater of this and the
    // cell's own byte counts. For profiles in which no greater byte is cheaper.
    double inscribed_radius_m; ///< at most inflation_radius_m
    double inflation_radius_m; ///< rounded up to whole cells; 0: none
    double cost_scaling;       ///< per metre
} rp_body_t;

typedef struct rp_session_options {
    rp_body_t body;
    const char *planner; ///< id; NULL: "auto"
    rp_planner_options_t planner_options;
    rp_policy_t policy;
    double follow_radius_m; ///< an agent that is no farther from its path than this follows it; 0:
                            ///< it must be on a cell of it

    /// For an agent on a blocked cell: its path begins at the nearest free cell no farther than
    /// this. 0: only if nothing but inflation blocks its cell, and no farther than inflation
    /// reaches
    double escape_m;
} rp_session_options_t;

typedef enum rp_answer_outcome {
    RP_ANSWER_NONE, ///< the session has no pose, no goal, or was not planned for yet
    RP_ANSWER_FOUND,
    RP_ANSWER_NO_PATH,
    RP_ANSWER_PARTIAL, ///< a legal path that ends at no goal yet: the rest is being searched for
    RP_ANSWER_START_BLOCKED,
    RP_ANSWER_GOAL_BLOCKED,
    RP_ANSWER_OUTSIDE,     ///< the pose lies outside the world, or all goals
    RP_ANSWER_TARGET_LOST, ///< the session to go after is not there, or outside the world
    RP_ANSWER_ARRIVED,     ///< the agent stands at the end of its path: one without steps
} rp_answer_outcome_t;

typedef enum rp_reason {
    RP_REASON_FIRST,
    RP_REASON_INVALID,  ///< what was said before is no longer true
    RP_REASON_CHEAPER,  ///< it is still legal, but there is a path that is cheaper by enough
    RP_REASON_AGED,     ///< the same, by less than the policy asks for, after max_age_ms
    RP_REASON_GOAL,     ///< other goals
    RP_REASON_OFF_PATH, ///< the agent left its path
    RP_REASON_REACHED,  ///< the agent came to the end of its path, or to a waypoint
} rp_reason_t;

/// Which steps of the last answer's path (path_seq - 1) are steps of this one too. The last answer
/// may have begun farther back, where the agent was then, so its steps are counted from the end.
///
///     before:  ......| head |.........| tail |
///              from_end: to here      to here: 0
///     now:           | head | middle | tail |
typedef struct rp_splice {
    uint32_t from_end; ///< at least head + tail
    uint32_t head;
    uint32_t tail; ///< with head 0, too: nothing stands, or it is not known what
} rp_splice_t;

/// What a session says, for the version, the start and the goals that it names. A path is optimal
/// when `bound` equals its cost. A path that the policy kept, or that was found before the optimum
/// was known, may cost more: no path costs less than `bound`. Of a partial path `cost` is that of
/// its steps, and `bound` that of any whole path.
typedef struct rp_answer {
    rp_session_id_t session;
    rp_world_id_t world;
    uint64_t version;
    uint64_t path_seq; ///< counts the answers of a session, from 1
    uint64_t goal_id;
    uint64_t pose_seq;
    uint64_t target_pose_seq; ///< of the pose of the target that the path leads to
    uint32_t waypoint;        ///< number of the one that the path leads to, from 0
    double goal_distance_m;   ///< what is left to the goal at the end of the path: is_nearest
    double escape_m;          ///< from the agent to where its path begins
    rp_answer_outcome_t outcome;
    rp_reason_t reason;
    double cost;          ///< cell lengths on normal ground; 0 without a path
    double bound;         ///< no path costs less
    uint32_t start_x;     ///< cell
    uint32_t start_y;     ///< cell
    const uint8_t *steps; ///< directions, borrowed until the next call on the engine [step_count]
    uint32_t step_count;
    rp_splice_t splice;
    uint32_t valid_through; ///< so many of the steps rest on known cells, none assumed free
    uint64_t expansions;
    rp_cause_t cause; ///< the oldest event since the answer before
} rp_answer_t;

/// @return RP_E_MEMORY
rp_status_t rp_engine_new(rp_engine_t **engine);
void rp_engine_destroy(rp_engine_t **self);

// ---- worlds

/// Open a world, at version 1 or first_version. Its layers are computed in the steps in which
/// sessions need them.
/// @return RP_E_INVALID (shape, frame, a profile), RP_E_UNKNOWN (profile), RP_E_EXISTS (two
///         profiles of one name), RP_E_MEMORY
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
/// before it is applied. A world has one draft at a time: a new draft, and every version that comes
/// before it is applied, makes it void.
/// @return RP_E_UNKNOWN; RP_E_INVALID when a rectangle lies outside, or the window is not valid;
///         RP_E_UNSUPPORTED where there is nothing to prepare: an edit or a window while shapes lie
///         on the world, a window that keeps its sides; RP_E_MEMORY
rp_status_t rp_engine_draft(rp_engine_t *self, rp_world_id_t world, const rp_drafted_t *what,
                            rp_draft_t **draft);

/// Go on with it.
/// @param budget  counted down, in work that takes as long as so many expansions
/// @return true when work is left; false when the draft is ready, or void
bool rp_draft_work(rp_draft_t *self, uint64_t *budget);

/// True when it is ready and not void. Then its edit is known to lie inside the world.
bool rp_draft_is_ready(const rp_draft_t *self);

/// Destroy it, applied or not, before its engine. Accepts NULL.
void rp_draft_destroy(rp_draft_t **self);

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

/// Resize a world, shift its origin, or both: the next version of the world. What lies in the
/// window keeps its place in metres, as do poses, goals and shapes; the origin of the frame moves
/// to the corner of the window. All layers are computed anew, and every session plans anew.
/// @param version  written: that version
/// @return RP_E_UNKNOWN; RP_E_INVALID (sides); RP_E_UNSUPPORTED (a torus); RP_E_LIMIT
///         (RP_COVERED_MAX); RP_E_MEMORY. Time: a copy of the bytes
rp_status_t rp_engine_resize(rp_engine_t *self, rp_world_id_t world, const rp_window_t *window,
                             rp_cause_t cause, uint64_t *version);

/// What the newest version rewrote, in effective bytes (those of the topmost shapes), as cells and
/// values of an edit.
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

/// How many sessions the versions of a world concerned, summed since it was opened. The three are
/// further apart, the more plans were spared or made in vain.
typedef struct rp_wakes {
    uint64_t asked;  ///< sessions that were sure when a version came
    uint64_t woken;  ///< of these, those that the version might concern: they planned
    uint64_t needed; ///< of these, those whose answer changed, or what is known about it
} rp_wakes_t;

/// @return false when there is no such world
bool rp_engine_wakes(const rp_engine_t *self, rp_world_id_t world, rp_wakes_t *wakes);

/// The world's effective bytes, row by row; borrowed until the world is closed [width * height]
const uint8_t *rp_engine_bytes(const rp_engine_t *self, rp_world_id_t world);

/// The bytes as they are beneath the shapes; borrowed until the next call [width * height]
const uint8_t *rp_engine_beneath(const rp_engine_t *self, rp_world_id_t world);

/// True when shapes lie on the world.
bool rp_engine_has_shapes(const rp_engine_t *self, rp_world_id_t world);

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

/// XOR of `cell_hash` over all cells, kept as they change; 0 without one, and for the first steps
/// after a world of more than 65,536 cells was opened, resized or rewritten at large. Time: O(1).
uint64_t rp_engine_hash(const rp_engine_t *self, rp_world_id_t world);

// ---- sessions

/// Open a session. It says nothing until it has a pose and a goal.
/// @return RP_E_UNKNOWN (world, planner, profile), RP_E_INVALID (body), RP_E_LIMIT (layers),
///         RP_E_UNSUPPORTED (the planner cannot do this world, or the profile no inflation),
///         RP_E_MEMORY
/// Time: O(1) but for fresh memory. A planner by name that cannot do weights: the rest of computing
///       its layer, to know whether there are any
rp_status_t rp_engine_open(rp_engine_t *self, rp_world_id_t world,
                           const rp_session_options_t *options, rp_session_id_t *session);

/// @return RP_E_UNKNOWN
rp_status_t rp_engine_close(rp_engine_t *self, rp_session_id_t session);

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

/// True when the newest answer holds for the newest version, pose and goals. An interim answer (see
/// rp_engine_hasten()) holds while its path is known to be legal.
bool rp_engine_is_sure(const rp_engine_t *self, rp_session_id_t session);

/// Make a session that is being planned for answer at once with a legal path, however large the
/// search: with its old path if that still leads to a goal, else with one that is found greedily,
/// else with the beginning of one. The optimum follows. rp_engine_step() does so by itself for
/// policies with answer_within_ms. An answer that needs no search is left to the next step.
/// @return RP_E_UNKNOWN, RP_E_MEMORY. Time: a few thousand expansions
rp_status_t rp_engine_hasten(rp_engine_t *self, rp_session_id_t session);

/// The version that was newest when the session last gave a new answer; 0: never.
uint64_t rp_engine_last_said(const rp_engine_t *self, rp_session_id_t session);

// ---- questions

typedef uint32_t rp_ask_id_t;

#define RP_ASKS_MAX    64u    ///< questions that are open at the same time
#define RP_ERRANDS_MAX 16641u ///< searches of one question: a tile of 129 x 129 cells
#define RP_NO_STEP     255u

typedef enum rp_ask_kind {
    RP_ASK_COSTS, ///< from each of `from` to each of `to`
    RP_ASK_PROBE, ///< what a change would cost sessions, and who goes from from[i] to to[i]
    RP_ASK_FIELD, ///< what it costs from each cell around a session to its goals, and whereto
} rp_ask_kind_t;

/// A question about a world as it is now or soon. All arrays are borrowed until return. For points
/// the world's own profile counts; for sessions their bodies, and the start and goals of their last
/// plan.
typedef struct rp_question {
    rp_ask_kind_t kind;
    const rp_destination_t *from; ///< their offsets do not count [from_count]
    size_t from_count;
    const rp_destination_t *to; ///< of a probe as many as `from` [to_count]
    size_t to_count;
    const rp_session_id_t *sessions; ///< of a field one [session_count]
    size_t session_count;
    const rp_edit_t *edit; ///< of a probe: the change, which is not made
    uint32_t reach;        ///< of a field: cells from the session to each side
} rp_question_t;

/// The answer to a question, for one version: the newest one when it was asked, or a later one if a
/// large world changed while it was copied. A cost of -1: no path. All arrays are the engine's.
typedef struct rp_finding {
    uint64_t version;
    double *costs; ///< in cell lengths: by `to`, then `from`; of a probe by session, then pair; of
                   ///< a field row by row [count]
    double *after; ///< of a probe: the costs with the change [count]
    uint8_t
        *steps; ///< of a field: directions, RP_NO_STEP at a goal and where no path begins [count]
    size_t count;
    uint32_t x; ///< of a field: its cell with the least x and y
    uint32_t y;
    uint32_t width;  ///< of a field: cells
    uint32_t height; ///< of a field: cells
} rp_finding_t;

/// Ask a question. The world is copied, and the answer searched for, in the steps that follow.
/// @param ask  written: the handle of the question, until rp_engine_forget()
/// @return RP_E_UNKNOWN (world, a session of it), RP_E_INVALID (counts, a cell of the edit outside,
///         a session without a pose inside), RP_E_LIMIT (RP_ASKS_MAX, RP_ERRANDS_MAX), RP_E_MEMORY
rp_status_t rp_engine_ask(rp_engine_t *self, rp_world_id_t world, const rp_question_t *question,
                          rp_ask_id_t *ask);

/// The answer to a question; borrowed until rp_engine_forget().
/// @return NULL while it is searched for, or when there is no such question
const rp_finding_t *rp_engine_finding(const rp_engine_t *self, rp_ask_id_t ask);

/// End a question, answered or not, and free its answer.
void rp_engine_forget(rp_engine_t *self, rp_ask_id_t ask);

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

/// How many answers of a session are remembered.
#define RP_PAST_MAX 8u

/// An answer of the past, without its path.
typedef struct rp_said {
    uint64_t path_seq;
    uint64_t sure_until; ///< version up to which the answer before this one held
    uint64_t version;    ///< that this one was given for; its cause lies between the two
    uint64_t said_us;    ///< by the clock of rp_engine_step()
    rp_answer_outcome_t outcome;
    rp_reason_t reason;
    double cost;
    uint64_t expansions;
    rp_cause_t cause;
} rp_said_t;

/// The newest answers of a session, the newest first.
/// @param said  written [RP_PAST_MAX]
/// @return their number
size_t rp_engine_past(const rp_engine_t *self, rp_session_id_t session, rp_said_t *said);

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
/// Worlds, layers and sessions keep what they need, and one planner always stays.
/// @param bytes  of everything together; UINT64_MAX, the default: no limit
void rp_engine_limit_memory(rp_engine_t *self, uint64_t bytes);

// ---- work

/// Plan for sessions that are not sure, the longest unsure first; those with `may_wait` when there
/// is no other.
/// @param now_us  the caller's clock, which never goes back; for policies and for shapes that
/// expire
/// @param budget  expansions; each session that is looked at costs some dozens
/// @return true when work is left
bool rp_engine_step(rp_engine_t *self, uint64_t now_us, uint64_t budget);

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

/// What all plans of all sessions took so far.
typedef struct rp_effort {
    uint64_t expanded; ///< cells
    uint64_t checked;  ///< plans checked by an independent search (`check_every`)
    uint64_t differed; ///< of these, plans for which that search found a cheaper path
} rp_effort_t;

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

#ifdef __cplusplus
}
#endif

#endif
