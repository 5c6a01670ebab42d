/// @file
/// Sessions as the engine is told of them: where to go, by what policy, with what body; and what
/// they answer. The calls are in engine.h.
#ifndef REPLAN_SESSION_H
#define REPLAN_SESSION_H

#include "replan/planner.h"
#include "replan/world.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handle of a session; 0 means none. That of a session that was closed is never given out again:
/// calls that get it return RP_E_UNKNOWN.
typedef uint64_t rp_session_id_t;

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
    RP_AIM_REGION,    ///< anywhere in a rectangle along the grid
    RP_AIM_TARGET,    ///< where another session of the same world is
} rp_aim_kind_t;

/// How an agent with motion is to stand at its goal.
typedef enum rp_aim_heading {
    RP_AIM_ANY_HEADING,
    RP_AIM_HEADING,    ///< with the yaw that is given
    RP_AIM_EITHER_WAY, ///< with that, or the opposite
} rp_aim_heading_t;

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
    rp_aim_heading_t heading; ///< of an agent with motion; others take any
    double yaw;               ///< radians in the world's frame, where one is asked for
    const double *yaws;       ///< instead of that, one a point; borrowed; NULL: none [count]
    double yaw_tolerance;     ///< radians, 0..pi: a heading of the lattice so near to it will do

    /// For one point alone: the place shared by sessions that were ordered near each other, by
    /// rp_engine_middle(). Eight or more of them share one search: their paths lead by way of the
    /// rendezvous where that is as good as their policies ask, and say by their bound how much
    /// cheaper another path may be. Borrowed until return; NULL: none
    const rp_destination_t *rendezvous;
} rp_aim_t;

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

/// How an agent moves whose path is a curve.
typedef enum rp_motion_drive {
    RP_MOTION_NONE, ///< it asks for no motion: its path is cells
    RP_MOTION_CAR,  ///< on arcs of the turning radius and on lines
    RP_MOTION_SPOT, ///< the same, and it turns in place
    RP_MOTION_OMNI, ///< lines in any direction, whatever its yaw, and turns in place
} rp_motion_drive_t;

/// Corners of a footprint, at most, and outlines.
#define RP_FOOTPRINT_CORNERS_MAX  16u
#define RP_FOOTPRINT_OUTLINES_MAX 5u

/// A body of polygons, in the agent's frame: x ahead, y left, metres. Each may be concave, in
/// either sense of rotation; several may overlap. The origin, which paths lead, lies inside of one.
typedef struct rp_polygon_body {
    double x_m[RP_FOOTPRINT_CORNERS_MAX]; ///< corners, outline by outline [corner_count]
    double y_m[RP_FOOTPRINT_CORNERS_MAX];
    uint32_t corner_count;
    uint32_t first[RP_FOOTPRINT_OUTLINES_MAX]; ///< number of the first corner of each, the first
                                               ///< one's 0 [outline_count]
    uint32_t outline_count;
    double padding_m; ///< moves each corner away from both axes, as Nav2 does
} rp_polygon_body_t;

/// What a path must be for an agent to drive along it: a curve of which each arc is as wide as the
/// turning radius, and along which its body never meets a cell that blocks.
typedef struct rp_motion {
    rp_motion_drive_t drive;
    double body_radius_m;               ///< of a disc; 0 with a footprint
    const rp_polygon_body_t *footprint; ///< borrowed until return; NULL: a disc
    double turning_radius_m; ///< of the smallest circle; SPOT: 0 means lines and turns in place;
                             ///< OMNI: 0
    double turn_m_per_rad; ///< SPOT, OMNI: a radian turned in place costs as much as so many metres
    uint32_t headings;     ///< of the lattice that is searched: 8, 16, 32, 64; 0: 16
    double hold_m;         ///< a new curve shares so much of the old one ahead of the agent, unless
                           ///< that is cut; 0: to the next pose of the lattice
    double follow_yaw; ///< radians that an agent may be turned from its curve, up to pi; 0: 0.35
    uint32_t bound_percent; ///< the first curve costs at most so much more than the best, 0..50
    uint32_t headings_most; ///< where there is no path, twice as many headings are tried, up to so
                            ///< many, `headings` at least; 0: 64
    bool reverse;           ///< it drives backwards, too; OMNI, which needs no gear: false
    double reverse_factor;  ///< with reverse: a metre backwards costs so much, 1..100; 0: 1
    double gear_change_m;   ///< with reverse: each change between forwards and backwards costs as
                            ///< much as so many metres
} rp_motion_t;

/// Greatest bound_percent.
#define RP_MOTION_PERCENT_MAX 50u

/// Most points that an agent with motion goes to.
#define RP_MOTION_STOPS_MAX 64u

/// Greatest radii, in cells.
#define RP_MOTION_RADIUS_MAX 64.0

/// Least and greatest turn_m_per_rad, in cells.
#define RP_MOTION_TURN_MIN 0.01
#define RP_MOTION_TURN_MAX 1000.0

/// Greatest reverse_factor, and greatest gear_change_m, in cells.
#define RP_MOTION_REVERSE_MAX     100.0
#define RP_MOTION_GEAR_CHANGE_MAX 1000.0

/// Longest way out of obstacles that is looked for, in cells.
#define RP_MOTION_ESCAPE_MAX 16.0

/// What is wrong with motion, in a world.
typedef enum rp_motion_fault {
    RP_MOTION_FINE,
    RP_MOTION_BAD_DRIVE,
    RP_MOTION_BAD_HEADINGS,
    RP_MOTION_BAD_BODY_RADIUS,
    RP_MOTION_BAD_FOOTPRINT, ///< rp_engine_judge_footprint() says why
    RP_MOTION_BAD_TURNING_RADIUS,
    RP_MOTION_BAD_TURN,
    RP_MOTION_BAD_PERCENT,
    RP_MOTION_BAD_HOLD,
    RP_MOTION_BAD_FOLLOW_YAW,
    RP_MOTION_BAD_REVERSE_FACTOR,
    RP_MOTION_BAD_GEAR_CHANGE,
    RP_MOTION_TOO_WIDE,   ///< CAR: with so many headings no move turns so little
    RP_MOTION_TOO_NARROW, ///< the world is narrower than the body, or wraps and is below 8 cells
    RP_MOTION_TOO_LARGE,  ///< the world has too many cells for so many headings
    RP_MOTION_NO_SUCH_WORLD,
    RP_MOTION_BAD_REVERSE, ///< OMNI has no gears
} rp_motion_fault_t;

/// Most cells times headings.
#define RP_MOTION_POSES_MAX ((uint64_t)1 << 31)

/// A piece of a curve: a line, an arc or a turn in place.
typedef struct rp_path_segment {
    double x_m; ///< where it begins, in the world's frame; in a world that wraps perhaps beyond it
    double y_m;
    double yaw;       ///< there, -pi .. pi
    double curvature; ///< 1/m, above 0 to the left, from +x towards +y; 0: a line, or a turn
    double length_m;  ///< 0 of a turn in place; below 0: it is driven backwards
    double turn;      ///< radians, above 0 to the left; 0 unless it is a turn in place
    double course;    ///< of a line: its direction, from `yaw`, -pi .. pi; 0 unless it is a
                      ///< sideways move
} rp_path_segment_t;

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

/// The path of an agent with motion.
typedef struct rp_answer_curve {
    const rp_path_segment_t *segments; ///< borrowed as the answer's steps [count]
    bool has_courses;                  ///< some may move sideways
    uint32_t count;
    uint32_t family; ///< headings of the lattice that the answer is about: without a path those
                     ///< that were tried last; 0: there is no path of cells either, so none at all
    uint32_t escape_count;  ///< of these, the first ones: they lead out of obstacles, `escape_m`
    double valid_through_m; ///< so far the body comes into known cells only
    const uint32_t *leg_at; ///< of waypoints, borrowed: by waypoint, from the next one to that
                            ///< where the curve ends, number of its first segment [leg_count]
    uint32_t leg_count;
    rp_splice_t splice; ///< as that of steps, of segments: the first one is never kept, the head
                        ///< comes behind it
} rp_answer_curve_t;

/// Most cells that are named of those that a curve meets first.
#define RP_CURVE_OFFENDERS_MAX 64u

/// Most tests of free cells that the check of a curve may take: those of a box round each 8 cells
/// of it. A blocked cell counts for 30, and 40 more for each corner of the convex parts of a
/// footprint; each 16th of a cell along the curve for 20. What is no longer than 8 cells may take 4
/// times as many, which is enough for a body that reaches 64 cells.
#define RP_CURVE_TESTS_MAX 8388608.0

/// What came of holding a curve against obstacles.
typedef struct rp_curve_report {
    bool is_free;
    double cost;      ///< of a free one, in cell lengths on normal ground
    uint32_t segment; ///< the first one that is not free, or does not begin where the one before
                      ///< ends
    double at_m;      ///< so far along the curve that happens; turns in place are no way
    uint32_t cells[RP_CURVE_OFFENDERS_MAX]; ///< that the body meets there, y * width + x
                                            ///< [cell_count]
    uint32_t cell_count; ///< 0, and not free: it meets the edge of the world, or breaks off
} rp_curve_report_t;

typedef struct rp_session_options {
    rp_body_t body;
    rp_motion_t motion;  ///< with it `body` has a profile only, and `planner` is not asked
    const char *planner; ///< id; NULL: "auto", which also stands in for one that knows no weights
                         ///< while its ground has some
    bool is_judged;      ///< it was found able to do this world, and is not held against it again;
                         ///< one with motion that this is too large or narrow for finds no path
    rp_planner_options_t planner_options;
    rp_policy_t policy;
    double follow_radius_m; ///< an agent that is no farther from its path than this, by a straight
                            ///< line that meets no obstacle, follows it; 0: it must be on a cell

    /// For an agent on a blocked cell: its path begins at the end of a way out, no longer than
    /// this. 0: 64 cells. With motion, for a body that overlaps obstacles: its curve begins by
    /// driving out of them, at most so far, and RP_MOTION_ESCAPE_MAX cells
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
    RP_REASON_INVALID,  ///< what was published before is no longer true
    RP_REASON_CHEAPER,  ///< it is still legal, but there is a path that is cheaper by enough
    RP_REASON_AGED,     ///< the same, by less than the policy asks for, after max_age_ms
    RP_REASON_GOAL,     ///< other goals
    RP_REASON_OFF_PATH, ///< the agent left its path
    RP_REASON_REACHED,  ///< the agent came to the end of its path, or to a waypoint
} rp_reason_t;

/// The window of the world whose cells an answer means: the world may be resized while the answer
/// is kept.
typedef struct rp_answer_window {
    uint64_t number;
    uint32_t width;
    uint32_t height;
    rp_frame_t frame;
} rp_answer_window_t;

/// What a session says, for the version, the start and the goals that it names. A path is optimal
/// when `bound` equals its cost. A path that the policy kept, or that was found before the optimum
/// was known, may cost more: no path costs less than `bound`. Of a partial path `cost` is that of
/// its steps, and `bound` that of any whole path.
typedef struct rp_answer {
    rp_session_id_t session;
    rp_world_id_t world;
    uint64_t version;
    rp_answer_window_t window; ///< where its cells lie
    uint64_t path_seq;         ///< counts the answers of a session, from 1
    uint64_t goal_id;
    uint64_t pose_seq;
    uint64_t target_pose_seq; ///< of the pose of the target that the path leads to
    uint32_t waypoint;        ///< number of the one that the path leads to, from 0
    double goal_distance_m;   ///< what is left to the goal at the end of the path: is_nearest
    double escape_m; ///< length of the way out of a blocked cell to where the path begins; 0: none
    rp_answer_outcome_t outcome;
    rp_reason_t reason;
    double cost;          ///< cell lengths on normal ground; 0 without a path
    double bound;         ///< no path costs less
    uint32_t start_x;     ///< cell
    uint32_t start_y;     ///< cell
    const uint8_t *steps; ///< directions, borrowed until the next call on the engine [step_count]
    uint32_t step_count;
    rp_splice_t splice;
    uint32_t way_x;     ///< cell where the way out of a blocked cell begins: that of the agent, or
    uint32_t way_y;     ///< one of the way beside it
    const uint8_t *way; ///< directions, borrowed as `steps`: over ground that is blocked and no
                        ///< obstacle, to the start [way_count]
    uint32_t way_count; ///< 0: there is no way
    rp_answer_curve_t curve; ///< of an agent with motion; `steps` are the cells under it
    uint32_t valid_through;  ///< so many of the steps rest on known cells, none assumed free
    const char *planner; ///< that found it: the one asked for, or "auto" if the ground had weights
                         ///< then and that one knows none; never freed
    uint64_t expansions;
    rp_cause_t cause; ///< the oldest event since the answer before
} rp_answer_t;

/// How many answers of a session are remembered.
#define RP_PAST_MAX 8u

/// An answer of the past, without its path.
typedef struct rp_past_answer {
    uint64_t path_seq;
    uint64_t sure_until;   ///< version up to which the answer before this one held
    uint64_t version;      ///< that this one was given for; its cause lies between the two
    uint64_t published_us; ///< by the clock of rp_engine_step()
    rp_answer_outcome_t outcome;
    rp_reason_t reason;
    double cost;
    uint64_t expansions;
    rp_cause_t cause;
} rp_past_answer_t;

/// What plans took.
typedef struct rp_effort {
    uint64_t expanded; ///< cells
    uint64_t checked;  ///< plans checked by an independent search (`check_every`)
    uint64_t differed; ///< of these, plans for which that search found a cheaper path
} rp_effort_t;

#ifdef __cplusplus
}
#endif

#endif
