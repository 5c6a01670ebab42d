/// What an agent remembers of its poses and goals, how it takes a path in, and how it walks.
#include "sim/world/agents.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "replan/client.h"

// ---- places

void rp_sim_agent_place(rp_sim_agent_t *self, uint32_t cell)
{
    self->cell = cell;
    self->pose_seq++;
    self->poses[self->pose_seq % RP_SIM_AGENT_MEMORY] = cell;
}

void rp_sim_agent_aim(rp_sim_agent_t *self, uint32_t goal, bool keep_path)
{
    self->goal = goal;
    self->goal_id++;
    self->goals[self->goal_id % RP_SIM_AGENT_MEMORY] = goal;
    if (!keep_path) {
        self->home = self->cell;
        self->path_count = self->way_count = 0;
        self->has_no_path = false;
    }
}

static bool recall(const uint32_t *cells, uint64_t newest, uint64_t wanted, uint32_t *cell)
{
    if (wanted == 0 || wanted > newest || newest - wanted >= RP_SIM_AGENT_MEMORY) {
        return false;
    }
    *cell = cells[wanted % RP_SIM_AGENT_MEMORY];
    return true;
}

bool rp_sim_agent_question(const rp_sim_agent_t *self, const rp_sim_agent_t *prey,
                           const Replan__V1__Answer *answer, rp_search_query_t *question)
{
    if (!recall(self->poses, self->pose_seq, answer->pose_seq, &question->start)) {
        return false;
    }
    if (prey == NULL) {
        return recall(self->goals, self->goal_id, answer->goal_id, &question->goal);
    }
    // An answer that names no pose of the prey was given while the prey was away.
    question->is_lost = answer->target_pose_seq == 0;
    return question->is_lost ||
           recall(prey->poses, prey->pose_seq, answer->target_pose_seq, &question->goal);
}

// ---- paths

/// The place of the agent's cell on its path; the end of the path when it stands beside it.
static size_t find_place(const rp_sim_agent_t *self)
{
    size_t at = 0;
    while (at < self->path_count && self->path[at] != self->cell) {
        at++;
    }
    return at;
}

/// Cells that steps lead through, the first one included.
static void add_cells(rp_sim_agent_t *self, const rp_grid_view_t *grid, uint32_t cell,
                      const ProtobufCBinaryData *steps)
{
    self->path[self->path_count++] = cell;
    for (size_t i = 0; i < steps->len; i++) {
        const unsigned direction = steps->data[i] % RP_PLANE_DIRECTIONS;
        cell =
            rp_grid_view_offset(grid, cell, rp_grid_view_dx(direction), rp_grid_view_dy(direction));
        if (cell == RP_NOWHERE) {
            break; // the checker says so; the agent walks as far as there is a world
        }
        self->path[self->path_count++] = cell;
    }
}

bool rp_sim_agent_hear(rp_sim_agent_t *self, const rp_grid_view_t *grid,
                       const Replan__V1__Answer *answer)
{
    if (answer->goal_id != self->goal_id) {
        return true;
    }
    self->heard_goal = answer->goal_id;
    self->path_seq = answer->path_seq;
    self->outcome = answer->outcome;
    self->reason = answer->reason;
    self->prey_pose = answer->target_pose_seq;
    self->path_count = 0;
    self->way_count = 0;
    self->at = 0;
    self->has_no_path = !rp_client_has_path(answer);
    if (self->has_no_path) {
        return true;
    }
    if (!rp_array_reserve(&self->path, &self->path_capacity,
                          answer->way.len + answer->steps.len + 1u, sizeof *self->path)) {
        return false;
    }
    if (answer->way.len != 0) {
        add_cells(self, grid, answer->way_start, &answer->way);
        self->way_count = --self->path_count; // the last one is the first of the path
    }
    add_cells(self, grid, answer->start, &answer->steps);
    self->at = find_place(self);
    if (self->at == self->path_count) {
        self->path_count = self->way_count = self->at = 0;
    }
    return true;
}

bool rp_sim_agent_step(rp_sim_agent_t *self, const rp_grid_view_t *grid)
{
    if (self->at + 1 >= self->path_count) {
        return false;
    }
    const uint32_t next = self->path[self->at + 1];
    for (unsigned direction = 0; direction < RP_PLANE_DIRECTIONS; direction++) {
        const uint32_t to = self->at < self->way_count
                                ? rp_optimum_way_step(grid, self->cell, self->cell, direction)
                                : rp_grid_view_move(grid, self->cell, direction);
        if (to == next) {
            self->at++;
            rp_sim_agent_place(self, next);
            return true;
        }
    }
    return false;
}

// ---- birth and death

bool rp_sim_agent_init(rp_sim_agent_t *self, unsigned number, uint32_t cell, uint32_t goal)
{
    *self = (rp_sim_agent_t){.prey = RP_NOWHERE};
    snprintf(self->name, sizeof self->name, "agent-%u", number);
    self->poses = calloc(RP_SIM_AGENT_MEMORY, sizeof *self->poses);
    self->goals = calloc(RP_SIM_AGENT_MEMORY, sizeof *self->goals);
    if (self->poses == NULL || self->goals == NULL) {
        rp_sim_agent_fini(self);
        return false;
    }
    rp_sim_agent_place(self, cell);
    rp_sim_agent_aim(self, goal, false);
    return true;
}

void rp_sim_agent_fini(rp_sim_agent_t *self)
{
    free(self->path);
    free(self->seats);
    free(self->curve);
    free(self->poses);
    free(self->goals);
    *self = (rp_sim_agent_t){0};
}
