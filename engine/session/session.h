/// @file
/// A session: one agent's pose, goals, planner, and the newest answer.
#ifndef REPLAN_ENGINE_SESSION_SESSION_H
#define REPLAN_ENGINE_SESSION_SESSION_H

#include "replan/session.h"

#include "engine/ground/world.h"
#include "engine/paths/escape.h"
#include "engine/paths/published_path.h"
#include "engine/session/audience.h"
#include "engine/session/goal_spec.h"
#include "engine/sharing/frozen_search.h"
#include "engine/sharing/goal_group.h"
#include "engine/sharing/greedy_search.h"
#include "engine/sharing/nearest_reachable.h"
#include "engine/sharing/planner_cache.h"

struct rp_session {
    // read for every change: kept together in two or three cache lines
    rp_world_t *world;
    rp_layer_t *layer;      ///< what its planner sees, borrowed from the world
    rp_goal_group_t *group; ///< of its goals; NULL without goals, or when it may not share
    rp_published_path_t published;
    rp_goal_t *goals;    ///< inside the world, no cell twice, owned [goal_count]
    size_t goal_count;   ///< 0: every goal lies outside
    rp_cell_t stands_at; ///< where the agent is; RP_NO_CELL: outside
    rp_cell_t at;        ///< where its path begins: `from`, or the end of the way out of there
    double cost;         ///< of what is left of the path
    double excess;       ///< how much more than the optimum that is; 0: the path is optimal
    uint64_t unhurt_at;  ///< version at which it became unsure; while it is sure, the newest
    bool is_unhurt;      ///< nothing on its path became dearer up to version unhurt_at
    bool is_unsure;      ///< its answer may no longer hold: it waits
    bool is_unasked; ///< it waits to find out whether version unhurt_at concerns it at all; else
                     ///< it waits for a plan
    bool is_strayed; ///< the window moved: whether its path lies inside is not known yet
    bool is_beside;  ///< `from` differs from `stands_at`
    bool is_short;   ///< its goals stand for others, which cannot be reached
    bool is_at_rendezvous; ///< its excess is no more than going by way of its rendezvous may cost
    rp_answer_outcome_t outcome;
    rp_cell_t from;    ///< where way and path begin: `stands_at`, or a cell of them beside it
    uint32_t interest; ///< its place in rp_audience_t.interests

    const rp_planner_info_t *about; ///< of the planner that was asked for
    rp_planner_options_t options;
    rp_session_id_t id;
    bool may_share; ///< the engine may choose the planner, so that of a large group will do
    rp_goal_group_t *rendezvous; ///< the group of its rendezvous (rp_aim_t.rendezvous); NULL: none
    rp_cached_planner_t own;     ///< has a planner when no common one will do
    uint64_t rent;               ///< expansions by common planners since it last had one of its own
    rp_planner_cache_t *searches; ///< of the engine, borrowed

    rp_way_t way; ///< that was said, to the beginning of the path; without steps where `from` is
                  ///< free

    // pose and goals
    double x_m; ///< the newest pose
    double y_m;
    double follow_radius_m;
    double escape_m;
    uint64_t followed; ///< version of the ground on which it was found to follow, or not
    bool has_pose;
    bool has_goals;
    bool goals_are_stale; ///< `goals` must be computed anew from the goal specification
    bool is_rim;          ///< they depend on where the agent is
    rp_goal_spec_t goal_spec;
    rp_nearest_reachable_t nearest; ///< for what is nearest to goals that cannot be reached
    rp_escape_t escape;             ///< from a blocked cell
    bool is_escaping;               ///< it is for the goals as they are, from `from` on
    uint64_t escape_version;        ///< of the world, that it is for
    uint32_t escape_restarts;       ///< times that a version came before it was done
    rp_greedy_search_t *greedy;     ///< of the engine, borrowed, as are
    rp_greedy_search_t *far;
    rp_frozen_search_t *frozen;
    rp_session_t *target;
    rp_session_t *chasers; ///< those whose target it is, by chase_next
    rp_session_t *chase_next;
    rp_session_t *chase_previous;
    uint64_t pose_seq;
    uint64_t goal_id;

    // the newest answer
    rp_reason_t reason;
    bool is_published;       ///< nobody took it yet: it is in the list of `said_next`
    uint64_t term;           ///< of the search that found it to be the cheapest; 0: none did
    uint64_t units;          ///< what it cost then, as that search counts
    uint64_t version;        ///< newest version for which it is known to be true
    uint64_t last_published; ///< version when something new was said
    uint64_t path_seq;
    const rp_planner_info_t *planner; ///< that found it
    uint64_t expansions;
    rp_effort_t effort; ///< of all its plans, those that led to nothing new too
    rp_cause_t published_cause;
    uint64_t published_goal_id;
    uint64_t published_pose_seq;
    uint64_t published_target_seq;
    double goal_distance_m;

    rp_said_t past[RP_PAST_MAX]; ///< ring: answer n lies at n % RP_PAST_MAX

    // keep or switch
    rp_policy_t policy;
    uint64_t published_us; ///< when the newest answer was said
    uint64_t look_us;      ///< when to plan again even if nothing happens; RP_NEVER_US: never
    uint32_t timer_place;  ///< in rp_timers_t; 0: none
    uint8_t timer_kind;    ///< rp_timer_kind_t
    bool is_put_off;       ///< a switch waits for min_interval_ms: `cause` is its cause

    // why it is not sure
    bool is_invalidated; ///< by a version of the world
    bool goals_are_new;
    bool target_moved;
    bool leg_is_new; ///< a waypoint was reached
    bool is_off_path;
    bool must_begin_anew; ///< its new path must begin where it stands, for this reason:
    rp_reason_t begin_reason;
    bool is_long;               ///< the search under way was stopped by the budget at least once
    bool is_provisional;        ///< the newest answer came before the optimum is known: is_unsure
    uint32_t cut_off;           ///< times that changes interrupted the search under way
    uint64_t frozen_expansions; ///< expansions on a frozen version (frozen_search.h) since its last
                                ///< answer
    uint64_t stands_for; ///< of a provisional answer: version on which it was found to be legal; 0:
                         ///< none, since its goals moved
    uint64_t sure_until; ///< version up to which the answer was true when it became unsure
    uint64_t unsure_us;  ///< of the step that saw it unsure first
    rp_cause_t cause;    ///< the oldest since then

    rp_session_t *unsure_next;
    rp_session_t *unsure_previous;
    rp_session_t *published_previous;
    rp_session_t *published_next; ///< answers not taken yet
    rp_session_t *world_next;
    rp_session_t *world_previous;
};

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
/// when it is needed (rp_session_settle()). Time: O(1)
/// @param before  a grid of the world as it was
void rp_session_resize(rp_session_t *self, const rp_grid_t *before, const rp_window_t *window);

/// Call this before reading its path. Time: O(1); after the window moved O(steps), once.
void rp_session_settle(rp_session_t *self);

/// Steps of a path that are read in the time of an expansion, and that are walked on a grid.
#define RP_SESSION_STEPS_EACH    64u
#define RP_SESSION_MEASURED_EACH 16u

/// Time to read what is left of its path, in expansions.
static inline uint64_t rp_session_read_price(const rp_session_t *self)
{
    return (self->published.count - self->published.first) / RP_SESSION_STEPS_EACH;
}

/// Time of rp_session_walk(), in expansions.
uint64_t rp_session_walk_price(const rp_session_t *self);

/// The tiles that its path runs through.
static inline rp_tiles_t *rp_session_tiles(const rp_session_t *self)
{
    return &self->layer->audience->interests.tiles[self->interest];
}

/// Plan, as far as the budget goes, and decide whether there is something new to say.
/// @param look_us  written on RP_OK: when to plan again though nothing happens, or RP_NEVER_US
/// @param budget  counted down
/// @param is_new  written: the answer is another one; on RP_MORE it is a provisional one
/// @return RP_MORE when the budget was spent first; RP_E_MEMORY
rp_status_t rp_session_plan(rp_session_t *self, uint64_t now_us, uint64_t *budget, bool *is_new,
                            uint64_t *look_us);

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

/// True when neither way nor path has a step left: the agent stands at the end of its path.
static inline bool rp_session_is_done(const rp_session_t *self)
{
    return rp_way_left(&self->way) == 0 && rp_published_path_is_done(&self->published);
}

#endif
