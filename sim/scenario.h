/// @file
/// Scenarios by name: a world, how it changes, and what its agents do.
#ifndef REPLAN_SIM_SCENARIO_H
#define REPLAN_SIM_SCENARIO_H

#include "sim/acceptance.h"
#include "sim/check/body_view.h"
#include "sim/check/curve_check.h"
#include "sim/world/terrain.h"

#include "replan.pb-c.h"

typedef enum rp_churn_sort {
    RP_CHURN_NONE,
    RP_CHURN_BUILDINGS, ///< whole buildings near goals, `rate` a second
    RP_CHURN_CELLS,     ///< many single cells near one goal at once, `rate` times a second
    RP_CHURN_WALLS,     ///< `walls` cells freed and as many blocked, at each tenth step
} rp_churn_sort_t;

typedef enum rp_trip_sort {
    RP_TRIP_BASES,    ///< walk to a base; then to another
    RP_TRIP_ANYWHERE, ///< walk to any cell; then to another
    RP_TRIP_STAND,    ///< stand and want a path; start anew when there is none
    RP_TRIP_CHASE,    ///< follow a target that moves; then another
    RP_TRIP_POST,     ///< stand where the plot puts them, and want a path all the same
    RP_TRIP_ORDERS,   ///< walk where the plot sends them
} rp_trip_sort_t;

struct rp_simulation;

/// What happens in one scenario and in no other. A slot that is NULL: nothing. All but `judge` may
/// place agents, aim them, and rewrite terrain; what was rewritten is appended to the edits.
typedef struct rp_plot {
    size_t size; ///< bytes of its state: simulation->story, all 0 at first

    /// The terrain is drawn, the agents stand somewhere. Not a word was said to the daemon yet.
    /// @return false without memory, or when the world is too small
    bool (*begin)(struct rp_simulation *self);

    /// A step of time: `steps` a second, after the agents walked. @return false without memory
    bool (*step)(struct rp_simulation *self, rp_edits_t *edits);

    /// The change that is due now, if one is; called until nothing is appended, at least `rate`
    /// times a second. @return false without memory
    bool (*change)(struct rp_simulation *self, rp_edits_t *edits);

    /// An agent heard an answer.
    void (*hear)(struct rp_simulation *self, uint32_t number, const Replan__V1__Answer *answer);

    /// Whether there is more to tell: a run that was not told how long goes on until this is false,
    /// however slow the machine is.
    bool (*has_more)(const struct rp_simulation *self);

    /// It is over: what must have come out of it.
    void (*judge)(const struct rp_simulation *self, rp_acceptance_t *acceptance);

    /// Free what the state owns. Called once, also after a `begin` that failed.
    void (*end)(struct rp_simulation *self);

    bool is_blind; ///< the daemon knows no cell before it is rewritten
} rp_plot_t;

/// How agents ask, and when another path is worth saying. All 0: the cheapest path to a cell.
typedef struct rp_manner {
    double tolerance_m;
    double escape_m;
    bool is_nearest;
    uint32_t switch_gain_percent;
    uint32_t min_interval_ms;
    uint32_t patient; ///< each so manieth agent may wait when others cannot be served; 0: none
    bool has_orders;  ///< new goals are told in one order to all who have one
} rp_manner_t;

typedef struct rp_scenario {
    const char *id;
    const char *about; ///< a sentence
    rp_terrain_options_t terrain;
    rp_churn_sort_t churn;
    rp_trip_sort_t trips;
    double rate;        ///< changes a second
    double steps;       ///< cells an agent walks in a second
    double closeness;   ///< of changes to a goal, as in churn.h
    double change_rate; ///< share of close cells in one change of single cells
    uint32_t agents;
    uint32_t walls;  ///< k of the moving-target protocol
    uint32_t sight;  ///< cells around an agent that it discovers; 0: the world is known
    uint32_t window; ///< side of the part of the world that the daemon knows; 0: all of it
    rp_body_view_options_t body;
    rp_drive_options_t drive; ///< all 0: agents walk; else they have the body that it says
    rp_manner_t manner;
    const rp_plot_t *plot;       ///< NULL: churn and trips are all
    const struct rp_carmen *log; ///< the recorded drive of the plot `carmen`, borrowed; else NULL
} rp_scenario_t;

#define RP_SCENARIO_DEFAULT "warcraft"

/// @return NULL when there is no such scenario
const rp_scenario_t *rp_scenario_find(const char *id);

/// All of them, the default first. @return NULL from the end on
const rp_scenario_t *rp_scenario_at(size_t index);

#endif
