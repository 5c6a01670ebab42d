/// @file
/// The simulated world with its agents and targets, without wire and clock. The owner says when a
/// step is due, and sends the edits, poses and goals to the daemon.
///
///     rp_simulation_step()    agents walk, targets wander, agents uncover what they see
///     rp_simulation_churn()   one change near one goal
///     rp_simulation_hear()    an answer came
#ifndef REPLAN_SIM_SIMULATION_H
#define REPLAN_SIM_SIMULATION_H

#include "sim/scenario.h"
#include "sim/world/agents.h"
#include "sim/world/churn.h"
#include "sim/world/targets.h"

#define RP_SIMULATION_AGENTS_MAX 1024u

/// How things stand with the daemon, as far as they are known: written by who carries the news.
typedef struct rp_link_state {
    uint64_t now_us;
    uint64_t begun_us;
    uint64_t end_us;    ///< 0: open
    bool is_quiet;      ///< all that was told is applied and settled, and every agent was answered
    bool is_timed;      ///< set by a plot: the clock runs, few optima are to be computed
    bool wants_work;    ///< set by a plot: ask how much the daemon has searched
    uint64_t work;      ///< its expansions, by the newest answer to that
    uint64_t work_news; ///< counts those answers
    uint64_t told;      ///< changes sent
    uint64_t applied;   ///< changes acknowledged
    uint64_t settled;   ///< changes for which every agent's newest answer is true
} rp_link_state_t;

typedef struct rp_simulation {
    rp_scenario_t scenario; ///< with what the command line changed
    void *story;            ///< the plot's state, owned
    rp_link_state_t line;
    rp_terrain_box_t window; ///< what the daemon shall know of the world
    rp_terrain_t terrain;    ///< the truth
    uint8_t *told;           ///< what the daemon was told, 255 where nobody looked; owned [cells]
    rp_churn_t churn;
    rp_flood_t flood;
    rp_sim_agent_t *agents; ///< owned [agent_count]
    rp_target_t *targets;   ///< what each agent chases; owned [agent_count]
    rp_chase_t *chases;     ///< scratch, owned [agent_count]
    uint32_t *kept;         ///< cells that churn leaves alone, owned [2 * agent_count]
    uint32_t agent_count;
    rp_seeded_t seeded;
    uint64_t step;     ///< steps so far
    uint64_t arrivals; ///< agents that came to their goal
    uint64_t walked;   ///< cells
} rp_simulation_t;

/// @param scenario  borrowed until return; its terrain carries the seed
/// @return false without memory, or for a size that the scenario's world cannot have
bool rp_simulation_init(rp_simulation_t *self, const rp_scenario_t *scenario);
void rp_simulation_fini(rp_simulation_t *self);

/// The world as the daemon was told.
rp_grid_view_t rp_simulation_told(const rp_simulation_t *self);

/// One step of time. Agents whose pose_seq or goal_id grew have something to say.
/// @param edits  what the daemon must be told is appended
/// @return false without memory
bool rp_simulation_step(rp_simulation_t *self, rp_edits_t *edits);

/// One change, if the scenario churns by time. @return false without memory
bool rp_simulation_churn(rp_simulation_t *self, rp_edits_t *edits);

/// The change that the plot wants now, if any: call again until there is none.
/// @return false without memory
bool rp_simulation_change(rp_simulation_t *self, rp_edits_t *edits);

/// An agent heard an answer, in cells of the whole plane.
/// @return false without memory
bool rp_simulation_hear(rp_simulation_t *self, uint32_t number, const Replan__V1__Answer *answer);

/// What must have come out of the run.
void rp_simulation_judge(const rp_simulation_t *self, rp_acceptance_t *acceptance);

/// True when every agent that is there was answered for its newest goal.
bool rp_simulation_is_answered(const rp_simulation_t *self);

/// Whom an agent goes after; NULL: nobody.
static inline const rp_sim_agent_t *rp_simulation_prey(const rp_simulation_t *self,
                                                       const rp_sim_agent_t *agent)
{
    return agent->prey != RP_NOWHERE ? &self->agents[agent->prey] : NULL;
}

#endif
