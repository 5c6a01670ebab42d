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
#ifndef REPLAN_ENGINE_H
#define REPLAN_ENGINE_H

#include "replan/grid.h"
#include "replan/planner.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct rp_engine rp_engine_t;

/// Handles; 0 means none. They are used again after a close.
typedef uint32_t rp_world_id_t;
typedef uint32_t rp_session_id_t;

/// Where cells lie: metres a cell, and the corner of cell (0, 0) in the frame; yaw turns from +x
/// towards +y, in radians.
typedef struct rp_frame {
    double resolution_m;
    double origin_x_m;
    double origin_y_m;
    double origin_yaw;
} rp_frame_t;

/// The byte of a cell of which nothing is known.
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
    uint8_t *given; ///< instead of data, from malloc: the world's own once it is open, which spares
                    ///< a copy. NULL: none
    bool is_filled; ///< without either, every cell is `fill`, else normal ground
    uint8_t fill;
    uint64_t first_version; ///< 0: 1. Of a world that comes back: where it counts on from

    /// A number for "this byte stands in cell y * width + x"; NULL: none. The world keeps the XOR
    /// of it over all cells (rp_engine_hash()), by which two copies of it can be compared.
    uint64_t (*cell_hash)(uint64_t index, uint8_t byte);
} rp_world_options_t;

/// Why something happened, for whoever measures: stamps of the sender's and of our clock.
typedef struct rp_cause {
    uint64_t source_us;
    uint64_t arrival_us;
} rp_cause_t;

/// What an edit, shapes or a window make of a world's bytes, made ready before it is applied.
typedef struct rp_draft rp_draft_t;

/// Cells to rewrite, atomically: first the rectangle, then the single cells. All borrowed.
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
    rp_draft_t *draft; ///< of this edit, from rp_engine_draft(), which spares most of the time;
                       ///< NULL: there is none
} rp_edit_t;

#define RP_CORNERS_MAX 64u        ///< of one polygon
#define RP_SHAPES_MAX  4096u      ///< of one world
#define RP_COVERED_MAX (1u << 24) ///< cells of all shapes of a world, those that overlap each time

/// Something that lies over a world's cells: it hides the bytes of every cell that it touches, and
/// when it moves or goes they come back. A shape put later lies above.
typedef struct rp_shape {
    uint32_t id;         ///< the caller's; a shape put under an id that is there takes its place
    uint32_t corners;    ///< 1: a disc around that point; 3..RP_CORNERS_MAX: a polygon
    const double *x_m;   ///< borrowed until return [corners]
    const double *y_m;   ///< [corners]
    double radius_m;     ///< of a disc
    uint64_t expires_us; ///< by the caller's clock; 0: never
    uint8_t byte;
} rp_shape_t;

/// What happens to the shapes of a world, atomically: first some go, then others are put.
typedef struct rp_overlay_edit {
    const rp_shape_t *shapes; ///< borrowed until return [shape_count]
    size_t shape_count;
    const uint32_t *removed; ///< ids; those that are not there are no error [removed_count]
    size_t removed_count;
    bool clears;       ///< all that was there goes
    rp_draft_t *draft; ///< of this edit, as of rp_edit_t; NULL: there is none
} rp_overlay_edit_t;

/// A piece of the plane, in cells of a world as it is: what the world is to become.
typedef struct rp_window {
    int32_t x; ///< the cell that becomes (0, 0); it may lie outside
    int32_t y;
    uint32_t width;
    uint32_t height;
    bool is_filled; ///< new cells get `fill`, else normal ground of the world's profile
    uint8_t fill;
    rp_draft_t *draft; ///< of this window, as of rp_edit_t; NULL: there is none
} rp_window_t;

/// What a draft is of: one of these, borrowed until the draft is destroyed.
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

/// Cells that the rectangle round an area may have.
#define RP_AREA_MAX (1u << 20)

typedef enum rp_aim_kind {
    RP_AIM_POINTS,    ///< the cheapest of them
    RP_AIM_WAYPOINTS, ///< all of them, in order; the path leads to the next one
    RP_AIM_REGION,    ///< anywhere in a rectangle of the frame
    RP_AIM_TARGET,    ///< where another session of the same world is
} rp_aim_kind_t;

/// Where to go, and what will do.
typedef struct rp_aim {
    rp_aim_kind_t kind;
    const rp_destination_t *points; ///< of a region two opposite corners; borrowed [count]
    size_t count;                   ///< 1..RP_GOALS_MAX; of a target 0
    size_t first;                   ///< of waypoints: those before it were reached, below count
    rp_session_id_t target;         ///< 0: not there yet
    double tolerance_m; ///< each cell whose middle is so near to a point will do; 0: only its own
    bool is_nearest;    ///< when none can be reached: the nearest cell that can, then the cheapest
    uint64_t goal_id;   ///< echoed

    /// Where those gather who were ordered to places near each other; borrowed, NULL: nowhere. From
    /// eight on they share one search: a path goes by way of the rally where that is as good as the
    /// policy asks, and says by its bound how much cheaper another may be. For one point alone.
    const rp_destination_t *rally;
} rp_aim_t;

/// A rally for places that a group is ordered to: the one nearest to their mean.
/// @param count  at least 1
size_t rp_engine_middle(const rp_destination_t *places, size_t count);

/// No moment at all.
#define RP_NEVER_US UINT64_MAX

/// Whether a path that is still legal gives way to a cheaper one; one that broke is replaced at
/// once. All zero: to every cheaper one at once, so that each answer is optimal.
typedef struct rp_policy {
    uint32_t switch_gain_percent; ///< it must be cheaper by so much, 0..100
    uint32_t min_interval_ms;     ///< and what was said must be so old
    uint32_t max_age_ms;          ///< beyond this age any gain will do; 0: never
    uint32_t answer_within_ms;    ///< without the optimum for so long, something legal will do; 0:
                                  ///< never
    bool may_wait; ///< low priority: it is planned for in what the sessions that may not leave
    bool starts_at_once; ///< with new goals, something legal in the next step
} rp_policy_t;

#define RP_REACH_MAX  64u ///< greatest radius of a body or of an inflation, in cells
#define RP_LAYERS_MAX 16u ///< of one world

/// What an agent needs of the ground. Sessions with the same needs share a layer; a world holds at
/// most RP_LAYERS_MAX of them, a layer lives as long as somebody needs it. All 0: a point of the
/// world's own profile.
typedef struct rp_body {
    const char *profile; ///< NULL: the world's
    double radius_m;     ///< blocked: each cell whose centre is this near to a blocked cell's

    // dearer, as by costmap_2d: 253 within the inscribed radius, then falling exponentially; the
    // greater of the cell's byte and this counts. For profiles in which no greater byte is cheaper.
    double inscribed_radius_m; ///< at most inflation_radius_m
    double inflation_radius_m; ///< rounded up to whole cells; 0: none
    double cost_scaling;       ///< per metre
} rp_body_t;

typedef struct rp_session_options {
    rp_body_t body;
    const char *planner; ///< id; NULL: "auto"
    rp_planner_options_t planner_options;
    rp_policy_t policy;
    double follow_radius_m; ///< an agent no farther from its path follows it; 0: only on its cells

    /// From a blocked cell the path begins at the nearest free one, no farther than this; 0: only
    /// from cells that nothing but inflation blocks, as far as inflation reaches.
    double escape_m;
} rp_session_options_t;

typedef enum rp_answer_outcome {
    RP_ANSWER_NONE, ///< the session has no pose, no goal, or was never planned
    RP_ANSWER_FOUND,
    RP_ANSWER_NO_PATH,
    RP_ANSWER_PARTIAL, ///< steps that are legal but end at no goal: the rest is being searched for
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

/// What of the path of the answer before, path_seq - 1, stands in that of this one, in steps. It
/// may have been told from a place farther back, so its steps are counted from its end.
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
/// when `bound` is its cost; one that the policy kept, or that came before the optimum was known,
/// says by `bound` how much cheaper another may be. Of a partial path `cost` is that of its steps,
/// and `bound` that of the whole.
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

/// A world at version 1. Its layers are laid by the steps in which sessions need them.
/// @return RP_E_INVALID (shape, frame, a profile), RP_E_UNKNOWN (profile), RP_E_EXISTS (two
///         profiles of one name), RP_E_MEMORY
rp_status_t rp_engine_open_world(rp_engine_t *self, const rp_world_options_t *options,
                                 rp_world_id_t *world);

/// Ends the world's sessions too.
/// @return RP_E_UNKNOWN
rp_status_t rp_engine_close_world(rp_engine_t *self, rp_world_id_t world);

/// Rewrite cells: the world's next version, whatever the bytes were before.
/// @return RP_E_UNKNOWN; RP_E_INVALID when a cell lies outside; RP_E_MEMORY. Nothing is written
/// then. Time: O(cells of the edit + sessions of the world); what a large edit makes of the layers
///       comes with the steps that follow
rp_status_t rp_engine_apply(rp_engine_t *self, rp_world_id_t world, const rp_edit_t *edit,
                            rp_cause_t cause, uint64_t *version);

/// Begin to make ready what an edit will make of the world's bytes, in slices: applied with it the
/// edit takes O(sessions) of time, whatever its size. Nothing changes before. The same for shapes,
/// which then take O(shapes), and for a window. One draft a world: another one makes it void, as
/// does every version that comes before it is applied.
/// @return RP_E_UNKNOWN; RP_E_INVALID when a rectangle lies outside, or a window is none;
///         RP_E_UNSUPPORTED where there is nothing to be made ready: an edit or a window while
///         shapes lie on the world, a window that keeps its sides; RP_E_MEMORY
rp_status_t rp_engine_draft(rp_engine_t *self, rp_world_id_t world, const rp_drafted_t *what,
                            rp_draft_t **draft);

/// Go on with it. @param budget  counted down, in expansions that take as long
/// @return true when work is left; false when it is ready, or void
bool rp_draft_work(rp_draft_t *self, uint64_t *budget);

/// True when it is ready, and its world as it was: then its edit lies inside.
bool rp_draft_is_ready(const rp_draft_t *self);

/// Before its engine, applied or not. Accepts NULL.
void rp_draft_destroy(rp_draft_t **self);

/// Put, move and remove shapes: the world's next version. While shapes lie on a world, what
/// rp_engine_apply() writes stands beneath them.
/// @return RP_E_UNKNOWN; RP_E_INVALID (number of corners, a number that is not finite, a shape
/// larger
///         than a world that wraps); RP_E_LIMIT (RP_SHAPES_MAX, RP_COVERED_MAX); RP_E_MEMORY.
///         Nothing happens then.
/// Time: O(cells that were and are covered * shapes there)
rp_status_t rp_engine_overlay(rp_engine_t *self, rp_world_id_t world, const rp_overlay_edit_t *edit,
                              rp_cause_t cause, uint64_t *version);

/// Remove the shapes whose time is over: a version, if there are any. rp_engine_step() does it too;
/// who must know of each version calls this before.
/// @param version  written when it returns true
/// @return true when something went
bool rp_engine_expire(rp_engine_t *self, rp_world_id_t world, uint64_t now_us, rp_cause_t cause,
                      uint64_t *version);

/// Resize a world, shift its origin, or both: the world's next version. What lies in the window
/// stays where it is in the frame, poses, goals and shapes too; the corner of cell (0, 0) moves
/// with the window. Every session of the world plans anew, and before that its layer is laid anew.
/// @return RP_E_UNKNOWN; RP_E_INVALID (sides); RP_E_UNSUPPORTED (a world that wraps); RP_E_LIMIT
///         (RP_COVERED_MAX); RP_E_MEMORY. Nothing happens then. Time: a copy of the bytes
rp_status_t rp_engine_resize(rp_engine_t *self, rp_world_id_t world, const rp_window_t *window,
                             rp_cause_t cause, uint64_t *version);

/// What the newest version rewrote, in effective bytes, as cells and values of an edit.
/// @param edit  written on true, borrowed until the next call on the engine
/// @return false when no shape was there, before or after: then it is what was applied; or when
///         shapes came or went that cover too much to name each cell
bool rp_engine_rewritten(const rp_engine_t *self, rp_world_id_t world, rp_edit_t *edit);

/// @return 0 when there is no such world
uint64_t rp_engine_version(const rp_engine_t *self, rp_world_id_t world);

/// The version up to which the newest answer of every session of the world is true: its path is
/// legal there and ends at its goal, and no other one is so much cheaper that its policy would
/// switch, but for those that wait for their min_interval_ms.
uint64_t rp_engine_settled(const rp_engine_t *self, rp_world_id_t world);

/// Sessions that rp_engine_settled_but() leaves out, at most.
#define RP_OVERDUE_MAX 32u

/// The same for all but those who are overdue: unsure for so long, by the clock of steps. It never
/// falls either while the patience stays the same. Of those with `may_wait` at most half of
/// RP_OVERDUE_MAX are left out, and of the others as many.
/// @param overdue  written: those for whom the version may be too new [RP_OVERDUE_MAX]
/// @param count    written: how many
uint64_t rp_engine_settled_but(const rp_engine_t *self, rp_world_id_t world, uint64_t patience_us,
                               rp_session_id_t *overdue, size_t *count);

/// What the versions of a world meant to its sessions, counted since it was opened.
typedef struct rp_wakes {
    uint64_t asked;  ///< sessions that were sure when a version came, version by version
    uint64_t woken;  ///< of these, those that it could concern: they planned
    uint64_t needed; ///< of these, those whose answer, or what is known of it, became another
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

/// The profiles that the world brought, in their order; `unknown` as a factor, or blocked.
/// @param profile  written; it borrows from the world
/// @return false beyond the last
bool rp_engine_own_profile(const rp_engine_t *self, rp_world_id_t world, size_t index,
                           rp_profile_options_t *profile);

/// Whether a session with this body could be opened, as far as its layer goes.
/// @return what rp_engine_open() would say of the body, memory aside
rp_status_t rp_engine_judge_body(const rp_engine_t *self, rp_world_id_t world,
                                 const rp_body_t *body);

/// A number that bodies have in common exactly when they share a layer of this world, but for a
/// chance of 1 in 2^64: by it sessions can be spread over several engines.
/// @return 0 when rp_engine_judge_body() refuses the body, RP_E_LIMIT aside. Time: O(reach^2)
uint64_t rp_engine_layer_key(const rp_engine_t *self, rp_world_id_t world, const rp_body_t *body);

/// Layers that the world holds now: what its sessions need, and its own profile's.
uint32_t rp_engine_layers(const rp_engine_t *self, rp_world_id_t world);

/// XOR of `cell_hash` over all cells, kept as they change; 0 without one, and for the first steps
/// after a world of more than 65,536 cells was opened, resized or rewritten at large. Time: O(1).
uint64_t rp_engine_hash(const rp_engine_t *self, rp_world_id_t world);

// ---- sessions

/// A session without pose and goal: it says nothing until it has both.
/// @return RP_E_UNKNOWN (world, planner, profile), RP_E_INVALID (body), RP_E_LIMIT (layers),
///         RP_E_UNSUPPORTED (the planner cannot do this world, or the profile no inflation),
///         RP_E_MEMORY
/// Time: O(1) but for fresh memory; for a planner by name that knows no weights, the rest of laying
///       its ground, so that it shows whether there are any
rp_status_t rp_engine_open(rp_engine_t *self, rp_world_id_t world,
                           const rp_session_options_t *options, rp_session_id_t *session);

/// @return RP_E_UNKNOWN
rp_status_t rp_engine_close(rp_engine_t *self, rp_session_id_t session);

/// Where the agent is. On its path, or within follow_radius_m of it: what lies behind is pruned and
/// nothing is said before its end.
/// @param pose_seq  echoed; one that is not greater than the newest is ignored unless 0
/// @return RP_E_UNKNOWN; RP_E_INVALID when a coordinate is not finite
rp_status_t rp_engine_pose(rp_engine_t *self, rp_session_id_t session, double x_m, double y_m,
                           uint64_t pose_seq, rp_cause_t cause);

/// Where it wants to go: the cheapest of these.
/// @param goals    borrowed until return [count, 1..RP_GOALS_MAX]
/// @param goal_id  echoed
/// @return RP_E_UNKNOWN, RP_E_INVALID, RP_E_MEMORY; RP_E_UNSUPPORTED (this planner takes one goal
///         without offset)
rp_status_t rp_engine_goals(rp_engine_t *self, rp_session_id_t session,
                            const rp_destination_t *goals, size_t count, uint64_t goal_id,
                            rp_cause_t cause);

/// The same for wishes of any kind.
/// @return RP_E_UNKNOWN (session); RP_E_INVALID (numbers, counts, a target in another world or the
///         session itself); RP_E_LIMIT (an area beyond RP_AREA_MAX, or a rim beyond RP_GOALS_MAX);
///         RP_E_UNSUPPORTED (this planner takes one goal); RP_E_MEMORY. Then the old one stands.
rp_status_t rp_engine_aim(rp_engine_t *self, rp_session_id_t session, const rp_aim_t *aim,
                          rp_cause_t cause);

/// Another target for a session that has one; nothing else of its aim changes.
/// @param target  0: it is gone
/// @return RP_E_UNKNOWN, RP_E_INVALID (as above, or the session's aim is no target)
rp_status_t rp_engine_retarget(rp_engine_t *self, rp_session_id_t session, rp_session_id_t target,
                               rp_cause_t cause);

/// The newest answer of a session, cut to where the agent is now. While the session is not sure
/// (rp_engine_is_sure()) it is a past truth that may be cut in the middle: do not hand it on.
/// @return RP_E_UNKNOWN
rp_status_t rp_engine_answer(const rp_engine_t *self, rp_session_id_t session, rp_answer_t *answer);

/// True when the newest answer is true for the newest version, pose and goals; an interim one (see
/// rp_engine_hasten()) while it is known to be legal there.
bool rp_engine_is_sure(const rp_engine_t *self, rp_session_id_t session);

/// Have a session that is being planned for say something legal at once, however large the search:
/// its path if that still leads to a goal, else one that is found greedily, else the beginning of
/// one. The optimum follows. rp_engine_step() does it by itself for sessions with answer_within_ms.
/// What needs no search to be answered is left to the next step.
/// @return RP_E_UNKNOWN, RP_E_MEMORY. Time: a few thousand expansions
rp_status_t rp_engine_hasten(rp_engine_t *self, rp_session_id_t session);

/// The version that was newest when the session last said something new; 0: never.
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

/// A question about a world as it is soon; all borrowed until return. Points go by the world's own
/// profile, sessions by their bodies, from where and to which goals they planned last.
typedef struct rp_question {
    rp_ask_kind_t kind;
    const rp_destination_t *from; ///< offsets do not count [from_count]
    size_t from_count;
    const rp_destination_t *to; ///< [to_count]; of a probe as many as `from`
    size_t to_count;
    const rp_session_id_t *sessions; ///< [session_count]; of a field one
    size_t session_count;
    const rp_edit_t *edit; ///< of a probe: the change that is not made
    uint32_t reach;        ///< of a field: cells around the session, each way
} rp_question_t;

/// What was found, for one version: that which was newest when it was asked or, on a large world
/// that changes while it is copied, one of those that follow. A cost of -1: no path.
typedef struct rp_finding {
    uint64_t version;
    double *costs;  ///< by to, then from; of a probe by session, then pair; of a field row by row
    double *after;  ///< of a probe: with the change
    uint8_t *steps; ///< of a field: directions; RP_NO_STEP at a goal, and where no path begins
    size_t count;   ///< of each
    uint32_t x;     ///< of a field: its lower-left cell
    uint32_t y;
    uint32_t width;
    uint32_t height;
} rp_finding_t;

/// Copy the world, and look for the answer, both in the steps to come.
/// @return RP_E_UNKNOWN (world, a session of it), RP_E_INVALID (counts, a cell of the edit outside,
///         a session without a pose inside), RP_E_LIMIT (RP_ASKS_MAX, RP_ERRANDS_MAX), RP_E_MEMORY
rp_status_t rp_engine_ask(rp_engine_t *self, rp_world_id_t world, const rp_question_t *question,
                          rp_ask_id_t *ask);

/// @return NULL while it is looked for, or when there is no such question; borrowed until it is
///         forgotten
const rp_finding_t *rp_engine_finding(const rp_engine_t *self, rp_ask_id_t ask);

/// Answered or not, it is over.
void rp_engine_forget(rp_engine_t *self, rp_ask_id_t ask);

/// Walk a path of somebody's on the ground that a session goes by.
/// @param offenders  written: numbers of the steps that are illegal now [at most capacity]
/// @param cost       written: of the whole; -1 when a step is illegal or the start is blocked
/// @return number of illegal steps; one that leaves the world ends the walk and counts for all that
///         follow. 0 with a cost of -1: only the start is blocked, or outside
/// Time: O(count); if the session's ground is still being laid, the rest of that
size_t rp_engine_walk(rp_engine_t *self, rp_session_id_t session, uint32_t start_x,
                      uint32_t start_y, const uint8_t *steps, size_t count, uint32_t *offenders,
                      size_t capacity, double *cost);

/// Answers of a session that are remembered.
#define RP_PAST_MAX 8u

/// An answer as it was said.
typedef struct rp_said {
    uint64_t path_seq;
    uint64_t sure_until; ///< version up to which the answer before was true
    uint64_t version;    ///< for which this one was said; what made it new came between
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
    uint64_t ground_bytes;  ///< worlds, layers
    uint64_t session_bytes; ///< with the paths that they said
    uint64_t search_bytes;  ///< planners
    uint64_t rubble_bytes;  ///< of what was closed or dropped, not given back to the system so far
    uint64_t evicted;       ///< planners that had to go so far, for want of memory
} rp_memory_t;

/// Time: O(sessions)
rp_memory_t rp_engine_memory(const rp_engine_t *self);

/// Hold no more than this, as far as planners go: what they know is a cache, and what was useful
/// longest ago is found again when it is needed. Ground and sessions have what they need, and one
/// planner stays in any case. Counts from the next step on.
/// @param bytes  UINT64_MAX: no limit, as an engine begins
void rp_engine_limit_memory(rp_engine_t *self, uint64_t bytes);

// ---- work

/// Plan for sessions that are not sure, the one that waits longest first; those that may wait come
/// when nobody else does.
/// @param now_us  the caller's clock, steady; it counts for policies and for shapes
/// @param budget  expansions; each session that is looked at costs a few dozen
/// @return true when work is left
bool rp_engine_step(rp_engine_t *self, uint64_t now_us, uint64_t budget);

/// Go on hashing the worlds that are not yet. rp_engine_step() does it too; this is for who never
/// steps. @param budget  expansions that take as long
/// @return true when cells are left
bool rp_engine_count(rp_engine_t *self, uint64_t budget);

/// Use time that nobody else needs, after a step that left no work: what was closed or dropped is
/// given back to the system, some megabytes a call, and planners of sessions make ready
/// what is likely to be of use (rp_planner_idle()), those that heard of everything, have room
/// within the limit of memory, and are asked much where there are many. No answer comes of it and
/// no cost changes by it; of several best paths a later answer may show another one, so who wants
/// the same paths again calls it at the same points, or never.
/// @param budget  expansions
/// @return true when there is more to do; false until a session planned again
bool rp_engine_idle(rp_engine_t *self, uint64_t budget);

/// What plans came to so far.
typedef struct rp_effort {
    uint64_t expanded; ///< cells
    uint64_t checked;  ///< plans held against an independent search (`check_every`)
    uint64_t differed; ///< of these, not the best at first
} rp_effort_t;

/// Of all plans of all sessions, those that led to nothing new too; those of questions do not
/// count.
rp_effort_t rp_engine_effort(const rp_engine_t *self);

/// When a policy or a shape whose time is over wants a step though nothing happens until then;
/// RP_NEVER_US: none does.
uint64_t rp_engine_next_us(const rp_engine_t *self);

/// The next answer that nobody has taken yet: the newest of its session, oldest session first.
/// @return false when there is none
bool rp_engine_next_answer(rp_engine_t *self, rp_answer_t *answer);

#ifdef __cplusplus
}
#endif

#endif
