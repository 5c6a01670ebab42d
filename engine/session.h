/// @file
/// A session: one agent's pose, goals, planner, and the newest answer.
#ifndef REPLAN_ENGINE_SESSION_H
#define REPLAN_ENGINE_SESSION_H

#include "replan/engine.h"

#include "engine/herd.h"
#include "engine/pin.h"
#include "engine/quest.h"
#include "engine/said_path.h"
#include "engine/scout.h"
#include "engine/searches.h"
#include "engine/wish.h"
#include "engine/world.h"

struct rp_session {
    // what every change looks at first, in two or three lines of memory
    rp_world_t *world;
    rp_layer_t *layer; ///< what its planner sees, borrowed from the world
    rp_herd_t *herd;   ///< of its goals; NULL without goals, or when it may not share
    rp_said_path_t said;
    rp_goal_t *goals;    ///< inside the world, no cell twice, owned [goal_count]
    size_t goal_count;   ///< 0: every goal lies outside
    rp_cell_t stands_at; ///< where the agent is; RP_NO_CELL: outside
    rp_cell_t at;        ///< where its path begins: there, or beside it on the path that it follows
    double cost;         ///< of what is left of the path
    double excess;       ///< how much more than the optimum that is; 0: the path is optimal
    uint64_t unhurt_at;  ///< version at which it became unsure; while it is sure, the newest
    bool is_unhurt;      ///< nothing on it became dearer since its cost was known, up to unhurt_at
    bool is_unsure;
    bool is_unasked; ///< it waits to be asked whether the version unhurt_at concerns it at all;
                     ///< else, while it is unsure, for a plan
    bool is_strayed; ///< its window moved; whether its path lies inside is still to be looked at
    bool is_beside;  ///< `at` lies on the path that it follows, not where it stands
    bool is_short;   ///< its goals stand for others that cannot be reached
    bool is_rallied; ///< its excess is no more than what going by way of its rally may cost
    rp_answer_outcome_t outcome;
    uint32_t stance; ///< its place among those of the layer, where its tiles are too

    const rp_planner_info_t *about; ///< of the planner that was asked for
    rp_planner_options_t options;
    rp_session_id_t id;
    bool may_share;   ///< the engine may choose the planner: a large herd's serves as well
    rp_herd_t *rally; ///< of those whose goals lie near its own; NULL: none
    rp_search_t own;  ///< has a planner when a common one will not do
    uint64_t rent;    ///< expansions that it had others' planners do since it had one of its own
    rp_searches_t *searches; ///< of the engine, borrowed

    // pose and goals
    double x_m; ///< the newest pose
    double y_m;
    double follow_radius_m;
    double escape_m;
    bool has_pose;
    bool has_goals;
    bool goals_are_stale; ///< `goals` must be made anew from the wish
    bool is_rim;          ///< they depend on where the agent is
    rp_wish_t wish;
    rp_quest_t quest;  ///< for what is nearest to goals that cannot be reached
    rp_scout_t *scout; ///< of the engine, borrowed, as are
    rp_scout_t *far;
    rp_pin_t *pin;
    rp_session_t *target;
    rp_session_t *chasers; ///< those whose target it is, by chase_next
    rp_session_t *chase_next;
    rp_session_t *chase_previous;
    uint64_t pose_seq;
    uint64_t goal_id;

    // the newest answer
    rp_reason_t reason;
    bool is_said;       ///< nobody took it yet: it is in the list of `said_next`
    uint64_t term;      ///< of the search that found it to be the cheapest; 0: none did
    uint64_t units;     ///< what it cost then, as that search counts
    uint64_t version;   ///< newest version for which it is known to be true
    uint64_t last_said; ///< version when something new was said
    uint64_t path_seq;
    uint64_t expansions;
    rp_effort_t effort; ///< of all its plans, those that led to nothing new too
    rp_cause_t said_cause;
    uint64_t said_goal_id;
    uint64_t said_pose_seq;
    uint64_t said_target_seq;
    double goal_distance_m;

    rp_said_t past[RP_PAST_MAX]; ///< ring: answer n lies at n % RP_PAST_MAX

    // keep or switch
    rp_policy_t policy;
    uint64_t said_us;     ///< when the newest answer was said
    uint64_t look_us;     ///< when to look again though nothing happens; RP_NEVER_US: not at all
    uint32_t alarm_place; ///< in rp_alarms_t; 0: none
    uint8_t alarm_kind;   ///< rp_alarm_kind_t
    bool is_put_off;      ///< a switch waits for min_interval_ms: `cause` is its cause

    // why it is not sure
    bool is_woken; ///< by a version of the world
    bool goals_are_new;
    bool target_moved;
    bool leg_is_new; ///< a waypoint was reached
    bool is_off_path;
    bool must_begin_anew; ///< its new path begins where it stands; why it is new:
    rp_reason_t begin_reason;
    bool is_long;        ///< the search under way was stopped by the budget at least once
    bool is_interim;     ///< the newest answer came before the optimum is known: is_unsure
    uint32_t cut_off;    ///< times that changes fell into the search under way
    uint64_t pinned;     ///< expansions on the pin since it could say something
    uint64_t stands_for; ///< of an interim answer: version on which it was found to be legal; 0:
                         ///< none, since its goals moved
    uint64_t sure_until; ///< version up to which the answer was true when it became unsure
    uint64_t unsure_us;  ///< of the step that saw it unsure first
    rp_cause_t cause;    ///< the oldest since then

    rp_session_t *unsure_next;
    rp_session_t *unsure_previous;
    rp_session_t *said_previous;
    rp_session_t *said_next; ///< answers not taken yet
    rp_session_t *world_next;
    rp_session_t *world_previous;
};

/// @return RP_E_UNKNOWN (planner, profile), RP_E_INVALID (body), RP_E_LIMIT (layers),
///         RP_E_UNSUPPORTED, RP_E_MEMORY
rp_status_t rp_session_new(rp_world_t *world, rp_session_id_t id, rp_searches_t *searches,
                           const rp_session_options_t *options, rp_session_t **session);
void rp_session_destroy(rp_session_t **self);

/// The agent is at a point of the frame: prune, or note that the path was left.
/// @return true when the answer is no longer sure
bool rp_session_move(rp_session_t *self, double x_m, double y_m, uint64_t pose_seq);

/// The world has become another window: forget what is bound to its grids as they were. Every
/// session of the world forgets before one of them is resized.
void rp_session_forget(rp_session_t *self);

/// The world has become another window. The path that was said stays if it lies inside, which is
/// looked at when somebody needs it (rp_session_settle()). Time: O(1)
/// @param before  a grid of the world as it was
void rp_session_resize(rp_session_t *self, const rp_grid_t *before, const rp_window_t *window);

/// To be called before anybody looks at its path. Time: O(1), O(steps) after the window moved.
void rp_session_settle(rp_session_t *self);

/// Steps of a path that are looked at in the time of an expansion, and that are walked on a grid.
#define RP_SESSION_STEPS_EACH    64u
#define RP_SESSION_MEASURED_EACH 16u

/// What it takes to look at what is left of its path, in expansions.
static inline uint64_t rp_session_glance_price(const rp_session_t *self)
{
    return (self->said.count - self->said.first) / RP_SESSION_STEPS_EACH;
}

/// What it takes to know what that costs (rp_session_walk()).
uint64_t rp_session_walk_price(const rp_session_t *self);

/// Where its path runs.
static inline rp_tiles_t *rp_session_tiles(const rp_session_t *self)
{
    return &self->layer->stances.tiles[self->stance];
}

/// Plan, as far as the budget goes, and decide whether there is something new to say.
/// @param look_us  written on RP_OK: when to plan again though nothing happens, or RP_NEVER_US
/// @param budget  counted down
/// @param is_new  written: the answer is another one; on RP_MORE it is an interim one
/// @return RP_MORE when the budget was spent first; RP_E_MEMORY
rp_status_t rp_session_plan(rp_session_t *self, uint64_t now_us, uint64_t *budget, bool *is_new,
                            uint64_t *look_us);

/// It is of this herd from now on; NULL: of none.
/// @param herd  joined for it
void rp_session_enter_herd(rp_session_t *self, rp_herd_t *herd);

/// Its path costs no more than any to goals that stay where they are, as far as is known.
bool rp_session_has_cheapest(const rp_session_t *self);

/// Bring a planner to the newest version of the layer, the newest pose and these goals.
rp_status_t rp_session_catch_up(rp_session_t *self, rp_search_t *search, const rp_goal_t *goals,
                                size_t goal_count);

/// A scout that goes for it in slices need not come back.
void rp_session_recall_scout(rp_session_t *self);

/// Bytes that it holds, its planner not counted.
uint64_t rp_session_bytes(const rp_session_t *self);

/// The newest answer, cut to where the agent is.
void rp_session_say(const rp_session_t *self, rp_answer_t *answer);

#endif
