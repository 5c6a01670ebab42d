/// Kinds of terrain as paints, agents as they are told to the view, and the text above.
#include "sim/sim_view.h"

#include <inttypes.h>
#include <stdlib.h>

#include "msgs/splitmix.h"
#include "replan/client.h"

#define WIDE 100 ///< columns from which words are written out

// ---- what cells look like

/// Two shades, spread without a pattern, let wood and water look alive.
static rp_paint_t shade(uint32_t cell, uint32_t share, rp_paint_t common, rp_paint_t rare)
{
    return rp_splitmix_of(cell + 1u) % 100u < share ? rare : common;
}

static rp_paint_t paint_of(rp_terrain_kind_t kind, uint32_t cell)
{
    static const uint8_t plain[RP_KIND_COUNT] = {
        [RP_KIND_FLOOR] = RP_PAINT_FLOOR,   [RP_KIND_HIGHLAND] = RP_PAINT_HIGHLAND,
        [RP_KIND_SAND] = RP_PAINT_SAND,     [RP_KIND_ROAD] = RP_PAINT_ROAD,
        [RP_KIND_RAMP] = RP_PAINT_RAMP,     [RP_KIND_BRIDGE] = RP_PAINT_BRIDGE,
        [RP_KIND_RUBBLE] = RP_PAINT_RUBBLE, [RP_KIND_CLIFF] = RP_PAINT_CLIFF,
        [RP_KIND_WALL] = RP_PAINT_WALL,     [RP_KIND_BUILDING] = RP_PAINT_BUILDING,
    };
    switch (kind) {
    case RP_KIND_GRASS:
        return shade(cell, 8, RP_PAINT_GRASS, RP_PAINT_MEADOW);
    case RP_KIND_TREE:
        return shade(cell, 22, RP_PAINT_TREE, RP_PAINT_SPRUCE);
    case RP_KIND_WATER:
        return shade(cell, 6, RP_PAINT_WATER, RP_PAINT_WAVE);
    default:
        return plain[kind];
    }
}

/// Ground that costs clearly less than its kind does looks like a road.
static bool is_cheap(const rp_terrain_t *terrain, uint32_t cell, rp_terrain_kind_t kind)
{
    return terrain->grid.scale == RP_SCALE_PERCENT && rp_terrain_kind_is_free(kind) &&
           terrain->bytes[cell] < rp_terrain_byte(terrain, kind) * 9u / 10u;
}

static rp_paint_t ground(const void *user, uint32_t cell)
{
    const rp_simulation_t *simulation = user;
    if (simulation->told[cell] == RP_UNKNOWN_BYTE) {
        return RP_PAINT_FOG;
    }
    const rp_terrain_kind_t kind = simulation->terrain.kinds[cell];
    return is_cheap(&simulation->terrain, cell, kind) ? RP_PAINT_ROAD : paint_of(kind, cell);
}

// ---- agents

static const char *trouble_of(const rp_sim_agent_t *agent)
{
    if (!agent->has_no_path) {
        return NULL;
    }
    switch (agent->outcome) {
    case REPLAN__V1__OUTCOME__NO_OUTCOME:
        return NULL;
    case REPLAN__V1__OUTCOME__START_BLOCKED:
        return "stuck";
    case REPLAN__V1__OUTCOME__GOAL_BLOCKED:
        return "goal blocked";
    case REPLAN__V1__OUTCOME__TARGET_LOST:
        return "target lost";
    default:
        return "no path";
    }
}

static void tell_agent(const rp_sim_view_t *self, uint32_t number, rp_view_agent_t *told)
{
    const rp_sim_agent_t *agent = &self->simulation->agents[number];
    const rp_body_view_options_t *body = &self->options->scenario.body;
    *told = (rp_view_agent_t){
        .name = agent->name,
        .cell = agent->is_away ? RP_VIEW_NOWHERE : agent->cell,
        .goal = agent->is_away ? RP_VIEW_NOWHERE : agent->goal,
        .path = agent->path + agent->at,
        .path_count = agent->at < agent->path_count ? agent->path_count - agent->at : 0,
        .path_seq = agent->path_seq,
        .reason = rp_client_reason_text(agent->reason),
        .trouble = agent->is_away ? NULL : trouble_of(agent),
        .radius =
            body->radius_m > body->inscribed_radius_m ? body->radius_m : body->inscribed_radius_m,
        .inflation = body->inflation_radius_m,
    };
}

// ---- text above

static void write_first_row(rp_sim_view_t *self, const rp_sim_view_numbers_t *numbers)
{
    rp_view_t *view = &self->view;
    const rp_scenario_t *scenario = &self->options->scenario;
    int column = rp_view_write(view, 0, 1, RP_PAINT_TEXT, "replan  ");
    column = rp_view_write(view, 0, column, RP_PAINT_GOOD, "%s", scenario->id);
    column = rp_view_write(view, 0, column, RP_PAINT_FAINT, "  %" PRIu32 " x %" PRIu32,
                           scenario->terrain.width, scenario->terrain.height);
    if (view->canvas.columns >= WIDE) {
        column = rp_view_write(view, 0, column, RP_PAINT_FAINT, ", seed %" PRIu64 ", %s",
                               scenario->terrain.seed, numbers->report->planner);
    }
    column = rp_view_write(view, 0, column, RP_PAINT_TEXT, "  %.0f s", numbers->elapsed_s);
    if (self->options->duration_s > 0) {
        (void)rp_view_write(view, 0, column, RP_PAINT_FAINT, " of %.0f", self->options->duration_s);
    }
}

static void write_second_row(rp_sim_view_t *self, const rp_sim_view_numbers_t *numbers)
{
    rp_view_t *view = &self->view;
    const rp_checker_t *checker = numbers->checker;
    const rp_rate_t *rate = numbers->rate;
    const bool is_wide = view->canvas.columns >= WIDE;
    int column = rp_view_number(view, 1, "changes/s", RP_PAINT_TEXT, "%.0f", rate->changes);
    column = rp_view_number(view, column, "replans/s", RP_PAINT_TEXT, "%.0f", rate->replans);
    column = rp_view_number(view, column, is_wide ? "change to path" : "ms", RP_PAINT_TEXT,
                            is_wide ? "p50 %.1f p99 %.1f ms" : "p50 %.1f p99 %.1f",
                            (double)rate->p50_us / 1000, (double)rate->p99_us / 1000);
    column = rp_view_number(view, column, "checked", RP_PAINT_TEXT, "%" PRIu64, checker->checked);
    (void)rp_view_number(view, column, is_wide ? "violations" : "wrong",
                         checker->violations == 0 ? RP_PAINT_GOOD : RP_PAINT_BAD, "%" PRIu64,
                         checker->violations);
}

// ---- operations

bool rp_sim_view_draw(rp_sim_view_t *self, const rp_sim_view_numbers_t *numbers)
{
    const rp_simulation_t *simulation = self->simulation;
    const rp_grid_view_t *grid = &simulation->terrain.grid;
    for (uint32_t i = 0; i < simulation->agent_count; i++) {
        tell_agent(self, i, &self->agents[i]);
    }
    const rp_view_scene_t scene = {
        .width = grid->width,
        .height = grid->height,
        .wraps = grid->wraps,
        .ground = ground,
        .user = simulation,
        .agents = self->agents,
        .agent_count = simulation->agent_count,
        .about = self->options->scenario.about,
        .now_us = (uint64_t)(numbers->elapsed_s * 1e6) + 1u,
    };
    if (!rp_view_begin(&self->view)) {
        return false;
    }
    write_first_row(self, numbers);
    write_second_row(self, numbers);
    return rp_view_draw(&self->view, &scene);
}

// ---- birth and death

bool rp_sim_view_open(rp_sim_view_t *self, const rp_options_t *options,
                      const rp_simulation_t *simulation)
{
    *self = (rp_sim_view_t){.options = options, .simulation = simulation};
    self->agents = calloc(simulation->agent_count + 1u, sizeof *self->agents);
    if (self->agents == NULL || !rp_view_open(&self->view)) {
        rp_sim_view_close(self);
        return false;
    }
    return true;
}

void rp_sim_view_close(rp_sim_view_t *self)
{
    rp_view_close(&self->view);
    free(self->agents);
    self->agents = NULL;
}
