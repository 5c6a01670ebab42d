/// A list in the order in which agents were heard of; one is looked for from where the last was
/// found.
#include "tools/known_agents.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

// ---- who there is

/// The agent of this name, which is made when there is none. @return NULL without memory
static rp_known_agent_t *find_agent(rp_known_agents_t *self, const char *name)
{
    for (uint32_t i = 0; i < self->count; i++) {
        self->found = self->found + 1u < self->count ? self->found + 1u : 0;
        if (strcmp(self->list[self->found].name, name) == 0) {
            return &self->list[self->found];
        }
    }
    if (!rp_array_reserve(&self->list, &self->capacity, self->count + 1u, sizeof *self->list)) {
        return NULL;
    }
    self->found = self->count++;
    rp_known_agent_t *agent = &self->list[self->found];
    *agent = (rp_known_agent_t){.listed = self->lists};
    (void)snprintf(agent->name, sizeof agent->name, "%s", name);
    return agent;
}

static void forget_agent(rp_known_agents_t *self, uint32_t number)
{
    free(self->list[number].path);
    free(self->list[number].drawn);
    self->count--;
    memmove(&self->list[number], &self->list[number + 1u],
            (self->count - number) * sizeof *self->list);
}

// ---- what is heard of them

void rp_known_agents_answer(rp_known_agents_t *self, const Replan__V1__Answer *answer)
{
    rp_known_agent_t *agent = find_agent(self, answer->agent);
    const size_t count = answer->geometry != NULL ? rp_client_cells(answer, NULL, 0) : 0;
    if (agent == NULL ||
        !rp_array_reserve(&agent->path, &agent->path_capacity, count, sizeof *agent->path)) {
        return;
    }
    agent->path_count = count != 0 ? rp_client_cells(answer, agent->path, count) : 0;
    agent->path_seq = answer->path_seq;
    agent->outcome = answer->outcome;
    agent->reason = answer->reason;
    if (count != 0) {
        agent->path_width = answer->geometry->width;
        agent->path_origin_x = answer->geometry->origin_x;
        agent->path_origin_y = answer->geometry->origin_y;
    }
}

void rp_known_agents_begin_list(rp_known_agents_t *self)
{
    self->lists++;
}

static void take_info(rp_known_agents_t *self, const Replan__V1__AgentInfo *info)
{
    rp_known_agent_t *agent = find_agent(self, info->agent);
    if (agent == NULL) {
        return;
    }
    agent->listed = self->lists;
    agent->has_pose = info->has_pose;
    agent->x_m = info->x;
    agent->y_m = info->y;
    if (info->body != NULL) {
        agent->radius_m = fmax(info->body->radius_m, info->body->inscribed_radius_m);
        agent->inflation_m = info->body->inflation_radius_m;
    }
}

void rp_known_agents_list(rp_known_agents_t *self, const Replan__V1__Agents *part)
{
    for (size_t i = 0; i < part->n_agents; i++) {
        take_info(self, part->agents[i]);
    }
}

void rp_known_agents_end_list(rp_known_agents_t *self)
{
    for (uint32_t i = self->count; i-- > 0;) {
        if (self->list[i].listed != self->lists) {
            forget_agent(self, i);
        }
    }
}

// ---- what is told of them

uint32_t rp_known_agents_place(const rp_known_agents_t *self, const char *name)
{
    uint32_t place = 0;
    while (place < self->count && strcmp(self->list[place].name, name) != 0) {
        place++;
    }
    return place;
}

/// The cell of a place; RP_VIEW_NOWHERE outside of the world.
static uint32_t cell_of(const rp_mirror_t *mirror, double x_m, double y_m)
{
    const double across = x_m - mirror->origin_x;
    const double up = y_m - mirror->origin_y;
    const double cosine = cos(mirror->origin_yaw);
    const double sine = sin(mirror->origin_yaw);
    const double x = floor((across * cosine + up * sine) / mirror->resolution);
    const double y = floor((up * cosine - across * sine) / mirror->resolution);
    const bool is_inside = x >= 0 && y >= 0 && x < mirror->width && y < mirror->height;
    return is_inside ? (uint32_t)y * mirror->width + (uint32_t)x : RP_VIEW_NOWHERE;
}

/// Translate a path into cells of the mirror, whose window may have moved on since.
/// @return false without memory
static bool translate_path(const rp_mirror_t *mirror, rp_known_agent_t *agent)
{
    const double across = agent->path_origin_x - mirror->origin_x;
    const double up = agent->path_origin_y - mirror->origin_y;
    const double cosine = cos(mirror->origin_yaw);
    const double sine = sin(mirror->origin_yaw);
    const int64_t dx = llround((across * cosine + up * sine) / mirror->resolution);
    const int64_t dy = llround((up * cosine - across * sine) / mirror->resolution);
    agent->drawn_count = 0;
    if (!rp_array_reserve(&agent->drawn, &agent->drawn_capacity, agent->path_count,
                          sizeof *agent->drawn)) {
        return false;
    }
    for (size_t i = 0; i < agent->path_count; i++) {
        const int64_t x = (int64_t)(agent->path[i] % agent->path_width) + dx;
        const int64_t y = (int64_t)(agent->path[i] / agent->path_width) + dy;
        if (x >= 0 && y >= 0 && x < mirror->width && y < mirror->height) {
            agent->drawn[agent->drawn_count++] = (uint32_t)(y * mirror->width + x);
        }
    }
    return true;
}

/// What lies behind the agent is not drawn.
static size_t find_on_path(const rp_known_agent_t *agent, uint32_t cell)
{
    for (size_t i = 0; i < agent->drawn_count; i++) {
        if (agent->drawn[i] == cell) {
            return i;
        }
    }
    return 0;
}

static const char *trouble_of(Replan__V1__Outcome outcome)
{
    switch (outcome) {
    case REPLAN__V1__OUTCOME__NO_PATH:
        return "no path";
    case REPLAN__V1__OUTCOME__START_BLOCKED:
        return "stuck";
    case REPLAN__V1__OUTCOME__GOAL_BLOCKED:
        return "goal blocked";
    case REPLAN__V1__OUTCOME__OUTSIDE:
        return "outside";
    case REPLAN__V1__OUTCOME__TARGET_LOST:
        return "target lost";
    default:
        return NULL;
    }
}

/// @return false without memory
static bool tell_agent(rp_known_agent_t *agent, const rp_mirror_t *mirror, rp_view_agent_t *told)
{
    if (!translate_path(mirror, agent)) {
        return false;
    }
    const uint32_t pose =
        agent->has_pose ? cell_of(mirror, agent->x_m, agent->y_m) : RP_VIEW_NOWHERE;
    const size_t at = find_on_path(agent, pose);
    const size_t count = agent->drawn_count;
    *told = (rp_view_agent_t){
        .name = agent->name,
        .cell = !agent->has_pose && count != 0 ? agent->drawn[0] : pose,
        .goal = count != 0 ? agent->drawn[count - 1u] : RP_VIEW_NOWHERE,
        .path = agent->drawn + at,
        .path_count = count - at,
        .path_seq = agent->path_seq,
        .reason = rp_client_reason_text(agent->reason),
        .trouble = trouble_of(agent->outcome),
        .radius = agent->radius_m / mirror->resolution,
        .inflation = agent->inflation_m / mirror->resolution,
    };
    return true;
}

const rp_view_agent_t *rp_known_agents_tell(rp_known_agents_t *self, const rp_mirror_t *mirror)
{
    bool has_memory =
        rp_array_reserve(&self->told, &self->told_capacity, self->count + 1u, sizeof *self->told);
    for (uint32_t i = 0; has_memory && i < self->count; i++) {
        has_memory = tell_agent(&self->list[i], mirror, &self->told[i]);
    }
    return has_memory ? self->told : NULL;
}

// ---- birth and death

void rp_known_agents_clear(rp_known_agents_t *self)
{
    while (self->count != 0) {
        forget_agent(self, self->count - 1u);
    }
    self->found = 0;
}

void rp_known_agents_fini(rp_known_agents_t *self)
{
    rp_known_agents_clear(self);
    free(self->list);
    free(self->told);
    *self = (rp_known_agents_t){.lists = 0};
}
