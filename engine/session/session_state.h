/// @file
/// Session: one agent of a world. Its position, its goal, what it published last, whether that
/// holds, and when it has its turn.
#ifndef REPLAN_ENGINE_SESSION_SESSION_STATE_H
#define REPLAN_ENGINE_SESSION_SESSION_STATE_H

#include <assert.h>
#include <stddef.h>

#include "replan/session.h"

#include "engine/ground/world_state.h"
#include "engine/paths/answer_history.h"
#include "engine/paths/escape.h"
#include "engine/paths/published_path.h"
#include "engine/session/audience.h"
#include "engine/session/goal_spec.h"
#include "engine/sharing/frozen_search.h"
#include "engine/sharing/goal_group.h"
#include "engine/sharing/greedy_search.h"
#include "engine/sharing/nearest_reachable.h"
#include "engine/sharing/planner_cache.h"

/// Where an agent stands, and where its path may begin.
typedef struct rp_session_position {
    rp_cell_t cell;    ///< where the agent is; RP_NO_CELL: outside
    rp_cell_t at;      ///< where its path begins: `from`, or the end of the way out of there
    rp_cell_t from;    ///< where way and path begin: `cell`, or a cell of them beside it
    bool is_beside;    ///< `from` differs from `cell`
    bool has_pose;     ///< it was told
    bool is_escaping;  ///< `escape` is for the goals as they are, from `from` on
    uint32_t restarts; ///< of `escape`: times that a version came before it was done
    double x_m;        ///< the newest pose
    double y_m;
    uint64_t pose_seq;       ///< of the newest pose
    double follow_radius_m;  ///< how far beside its path it still follows that
    double escape_m;         ///< the longest way out of a blocked cell
    uint64_t followed;       ///< version of the ground on which it was found to follow, or not
    rp_escape_t *escape;     ///< from a blocked cell, owned; NULL: nobody looks for ways
    uint64_t escape_version; ///< of the world, that `escape` is for
} rp_session_position_t;

/// Where it is to go: what was ordered, and the cells that this makes goals now.
typedef struct rp_session_goal {
    rp_goal_t *cells;            ///< inside the world, no cell twice, owned [count]
    size_t count;                ///< 0: every goal lies outside
    rp_goal_group_t *group;      ///< of the cells; NULL without goals, or when it may not share
    bool is_given;               ///< there is an order
    bool is_stale;               ///< `cells` must be computed anew from the goal specification
    bool is_rim;                 ///< they depend on where the agent is
    bool is_short;               ///< they stand for others, which cannot be reached
    uint64_t id;                 ///< of the order
    rp_goal_spec_t spec;         ///< what was ordered
    rp_goal_group_t *rendezvous; ///< the group of its rendezvous (rp_aim_t.rendezvous); NULL: none
    rp_nearest_reachable_t *nearest; ///< to goals that cannot be reached, owned; NULL: it was not
                                     ///< looked for
    rp_session_t *target;            ///< NULL: none
    rp_session_t *chasers;           ///< those whose target it is, by chase_next
    rp_session_t *chase_next;
    rp_session_t *chase_previous;
} rp_session_goal_t;

/// Its newest answer, and those before.
typedef struct rp_session_published {
    rp_published_path_t path;
    double cost;   ///< of what is left of the path
    double excess; ///< how much more than the optimum that is; 0: the path is optimal
    rp_answer_outcome_t outcome;
    bool is_at_rendezvous; ///< its excess is no more than going by way of its rendezvous may cost
    bool is_provisional;   ///< it came before the optimum is known: the session is unsure
    bool is_queued;        ///< nobody took it yet: it is in the list of `next`
    rp_reason_t reason;
    rp_way_t way;      ///< to the beginning of the path; without steps where `from` is free
    uint64_t term;     ///< of the search that found it to be the cheapest; 0: none did
    uint64_t units;    ///< what it cost then, as that search counts
    uint64_t version;  ///< when something new was published
    uint64_t at_us;    ///< when it was published
    uint64_t path_seq; ///< of the path
    const rp_planner_info_t *planner; ///< that found it
    uint64_t expansions;
    rp_cause_t cause;
    uint64_t goal_id;
    uint64_t pose_seq;
    uint64_t target_seq;
    double goal_distance_m;
    uint64_t stands_for; ///< of a provisional answer: version on which it was found to be legal; 0:
                         ///< none, since its goals moved
    rp_answer_history_t past; ///< the newest answers, this one too
    rp_session_t *next;       ///< answers not taken yet
    rp_session_t *previous;
} rp_session_published_t;

/// Whether the newest answer holds.
typedef enum rp_session_state {
    RP_SESSION_SURE,        ///< it holds
    RP_SESSION_UNTESTED,    ///< it waits to find out whether version `tested_at` concerns it at all
    RP_SESSION_UNSURE,      ///< it waits for a plan
    RP_SESSION_INVALIDATED, ///< it waits for a plan since a version of the world concerns it
} rp_session_state_t;

/// What makes another answer due, whatever becomes of the path.
typedef enum rp_due {
    RP_DUE_GOALS = 1,     ///< its goals are new
    RP_DUE_TARGET = 2,    ///< its target moved; due only when the path lacks its end then
    RP_DUE_LEG = 4,       ///< a waypoint was reached
    RP_DUE_OFF_PATH = 8,  ///< the agent left its path
    RP_DUE_BEGINNING = 16 ///< its new path must begin where it stands, for `begin_reason`
} rp_due_t;

/// For which version its answer holds, and why it may not any more.
typedef struct rp_session_validity {
    rp_session_state_t state;
    unsigned due;    ///< a set of rp_due_t
    bool is_intact;  ///< nothing on its path became dearer up to version `tested_at`
    bool drives;     ///< it has a driver: its planner alone knows what concerns it
    bool is_strayed; ///< the window moved: whether its path lies inside is not known yet
    rp_reason_t begin_reason;
    uint64_t tested_at;  ///< version at which it became unsure; while it is sure, the newest
    uint64_t sure_until; ///< version up to which the answer was true when it became unsure
    uint64_t version;    ///< newest version for which it is known to be true
} rp_session_validity_t;

/// When it has its turn, and how far its search is.
typedef struct rp_session_schedule {
    rp_session_t *next; ///< of those that wait for a plan
    rp_session_t *previous;
    rp_cause_t cause;           ///< the oldest since it became unsure
    uint64_t unsure_us;         ///< of the step that saw it unsure first
    uint64_t look_us;           ///< when to plan again even if nothing happens; RP_NEVER_US: never
    uint32_t timer_place;       ///< in rp_timers_t; 0: none
    uint8_t timer_kind;         ///< rp_timer_kind_t
    bool is_put_off;            ///< a switch waits for min_interval_ms: schedule.cause is its cause
    bool is_long;               ///< the search under way was stopped by the budget at least once
    uint32_t cut_off;           ///< times that changes interrupted the search under way
    uint32_t searched;          ///< budget that the search under way took, and those that changes
                                ///< cut off before it; as of an earlier one unless `is_long`
    uint64_t frozen_expansions; ///< expansions on a frozen version (frozen_search.h) since its last
                                ///< answer
    rp_effort_t effort;         ///< of all its plans, those that led to nothing new too
} rp_session_schedule_t;

/// What a session has that asked for motion (driving/driver.h).
typedef struct rp_driver rp_driver_t;
struct rp_tour; // driving/tour.h

struct rp_session {
    // what is read for every change that may concern it: two cache lines, and the first of goal and
    // position
    rp_world_t *world;
    rp_layer_t *layer; ///< what its planner sees, borrowed from the world
    rp_session_validity_t validity;
    rp_session_published_t published;
    rp_session_goal_t goal;
    rp_session_position_t position;
    rp_session_schedule_t schedule;
    rp_policy_t policy;  ///< when to keep a path, and when to switch
    rp_driver_t *driver; ///< owned; NULL: it asked for no motion

    rp_session_id_t id;
    uint32_t interest; ///< its place in rp_audience_t.interests

    // its planner
    const rp_planner_info_t *about; ///< of the planner that was asked for
    rp_planner_options_t options;
    bool may_share;          ///< the engine may choose the planner: that of a large group will do
    rp_cached_planner_t own; ///< has a planner when no common one will do
    uint64_t rent;           ///< expansions by common planners since it last had one of its own
    rp_planner_cache_t *searches; ///< of the engine, borrowed, as are
    rp_greedy_search_t *greedy;
    rp_greedy_search_t *far;
    rp_frozen_search_t *frozen;

    rp_session_t *world_next;
    rp_session_t *world_previous;

    void *user; ///< the caller's, as it is
};

static_assert(offsetof(rp_session_t, published.reason) <= 2u * 64u, "two cache lines");

/// Its answer may no longer hold: it waits.
static inline bool rp_session_is_unsure(const rp_session_t *self)
{
    return self->validity.state != RP_SESSION_SURE;
}

static inline bool rp_session_is_due(const rp_session_t *self, rp_due_t due)
{
    return (self->validity.due & (unsigned)due) != 0;
}

/// Ways out of a blocked cell that were found: none where nobody looked for them.
static inline const rp_escape_t *rp_session_escape(const rp_session_t *self)
{
    static const rp_escape_t none = {0};
    return self->position.escape != NULL ? self->position.escape : &none;
}

/// It waits for a plan whether or not the version concerns it.
static inline void rp_session_stop_asking(rp_session_t *self)
{
    if (self->validity.state == RP_SESSION_UNTESTED) {
        self->validity.state = RP_SESSION_UNSURE;
    }
}

/// The answer is a whole path to a goal.
static inline bool rp_answer_has_path(rp_answer_outcome_t outcome)
{
    return outcome == RP_ANSWER_FOUND || outcome == RP_ANSWER_ARRIVED;
}

/// True for steps of any kind, also those that lead only part of the way.
static inline bool rp_answer_has_steps(rp_answer_outcome_t outcome)
{
    return rp_answer_has_path(outcome) || outcome == RP_ANSWER_PARTIAL;
}

/// @return RP_E_UNKNOWN (planner, profile), RP_E_INVALID (body), RP_E_LIMIT (layers),
///         RP_E_UNSUPPORTED, RP_E_MEMORY
rp_status_t rp_session_new(rp_world_t *world, rp_session_id_t id, rp_planner_cache_t *searches,
                           const rp_session_options_t *options, rp_session_t **session);
void rp_session_destroy(rp_session_t **self);

/// The agent has moved to a point of the frame: cut off what lies behind it, or note that it has
/// left its path.
/// @return true when the session became unsure
bool rp_session_move(rp_session_t *self, double x_m, double y_m, uint64_t pose_seq);

/// The ground may be another one since the newest pose: an agent beside its path whose free line is
/// cut has left it, and begins where it stands. Time: of rp_follow()
/// @return false when what is left of its path, or where it begins, is another
bool rp_session_follow_on(rp_session_t *self);

/// The world was resized: drop what is bound to its old grids. Call it for every session of the
/// world before rp_session_resize() for any.
void rp_session_forget(rp_session_t *self);

/// The world was resized. The path of the newest answer stays if it lies inside, which is found out
/// when it is needed (rp_session_settle()). Time: O(1), with motion O(curve)
/// @param before  a grid of the world as it was
void rp_session_resize(rp_session_t *self, const rp_grid_t *before, const rp_window_t *window);

/// The same place in another window. @return RP_NO_CELL when it lies outside
rp_cell_t rp_session_moved_cell(const rp_grid_t *before, const rp_grid_t *grid,
                                const rp_window_t *window, rp_cell_t cell);

/// Call this before reading its path. Time: O(1); after the window moved O(steps), once.
void rp_session_settle(rp_session_t *self);

/// Steps of a path that are read in the time of an expansion, and that are walked on a grid.
#define RP_SESSION_STEPS_EACH    64u
#define RP_SESSION_MEASURED_EACH 16u

/// Time to read what is left of its path, in expansions.
static inline uint64_t rp_session_read_price(const rp_session_t *self)
{
    return (self->published.path.count - self->published.path.first) / RP_SESSION_STEPS_EACH;
}

/// Time of rp_session_walk(), in expansions.
uint64_t rp_session_walk_price(const rp_session_t *self);

/// The sectors that its path runs through.
static inline rp_sectors_t *rp_session_sectors(const rp_session_t *self)
{
    return &self->layer->audience->interests.sectors[self->interest];
}

/// Plan, as far as the budget goes, and decide whether there is something new to say.
/// @param look_us  written on RP_OK: when to plan again though nothing happens, or RP_NEVER_US
/// @param budget  counted down
/// @param is_new  written: the answer is another one; on RP_MORE it is a provisional one
/// @return RP_MORE when the budget was spent first; RP_E_MEMORY
rp_status_t rp_session_plan(rp_session_t *self, uint64_t now_us, uint64_t *budget, bool *is_new,
                            uint64_t *look_us);

/// True when it had better wait for one of the planners that it may share: all are at work.
bool rp_session_awaits_planner(const rp_session_t *self);

/// Go after another one, or after nobody. Its goals are stale.
void rp_session_chase(rp_session_t *self, rp_session_t *target);

/// Move it to another group.
/// @param group  joined already; NULL: to none
void rp_session_enter_group(rp_session_t *self, rp_goal_group_t *group);

/// It is sure of its answer now: note which changes concern it from here on.
void rp_session_note_interest(const rp_session_t *self);

/// True when its path is optimal as far as is known, and its goals stay where they are.
bool rp_session_has_cheapest(const rp_session_t *self);

/// The planner that was asked for. While its ground has weights and it knows none, which is judged
/// when the session is opened but may come later, AUTO stands in.
const rp_planner_info_t *rp_session_planner(const rp_session_t *self);

/// Bring a planner to the newest version of the layer, the newest pose and these goals.
rp_status_t rp_session_catch_up(rp_session_t *self, rp_cached_planner_t *search,
                                const rp_goal_t *goals, size_t goal_count);

/// Give up a greedy search that searches for it in slices.
void rp_session_stop_greedy_search(rp_session_t *self);

/// Bytes that it holds, its planner not counted.
uint64_t rp_session_bytes(const rp_session_t *self);

/// The newest answer, cut to where the agent is.
void rp_session_answer(const rp_session_t *self, rp_answer_t *answer);

// ---- with motion: its path is a curve, planned by a lattice, kept as long as it is free and cheap
// enough, and followed by pose and yaw. Points, waypoints or a target; no region, no tolerance,
// nothing nearest; no answer before there is a whole curve. A body that overlaps obstacles begins
// by driving out of them. All of it is in driving/.

/// True when such a session can go there.
bool rp_driving_can_aim(const rp_aim_t *aim);

/// What a plan would begin with; its own searches go on.
/// @param tour   a copy of that of its driver; written: where its stops lie now
/// @param stays  written: the agent stands on a stop as it should
/// @return false: the next stop, or each of several, lies outside, or the target is lost
bool rp_driving_look(const rp_session_t *self, struct rp_tour *tour, bool *stays);

/// As rp_session_plan(), when the layer is derived.
rp_status_t rp_driving_plan(rp_session_t *self, uint64_t now_us, uint64_t *budget, bool *is_new,
                            uint64_t *look_us);

/// True when it is sure of its answer, and a cheaper curve may exist.
bool rp_driving_may_improve(const rp_session_t *self);

/// Look for the cheapest curve.
/// @param budget  counted down
/// @param is_new  written: the answer is another one
/// @param look_us  written with RP_OK, as by rp_session_plan()
/// @return RP_MORE, RP_E_MEMORY; RP_E_UNSUPPORTED: what was found leaves its curve behind the
///         agent, or something changed: it is to plan again
rp_status_t rp_driving_improve(rp_session_t *self, uint64_t now_us, uint64_t *budget, bool *is_new,
                               uint64_t *look_us);

/// As rp_session_move(). @param yaw  radians; no number: the last one
bool rp_driving_move(rp_session_t *self, double x_m, double y_m, double yaw, uint64_t pose_seq);

/// The window moved. Time: O(curve)
/// @param before  a grid of the world as it was
void rp_driving_resize(rp_session_t *self, const rp_grid_t *before, const rp_window_t *window);

/// What an answer says of the curve.
void rp_driving_tell(const rp_session_t *self, rp_answer_t *answer);

/// True when neither way nor path has a step left: the agent stands at the end of its path.
static inline bool rp_session_is_done(const rp_session_t *self)
{
    return rp_way_left(&self->published.way) == 0 &&
           rp_published_path_is_done(&self->published.path);
}

#endif
