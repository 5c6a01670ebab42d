/// What several plots need.
#include "sim/scenes/scenes.h"

bool rp_scene_write(rp_simulation_t *self, rp_terrain_box_t box, rp_terrain_kind_t kind,
                    rp_edits_t *edits)
{
    rp_terrain_fill(&self->terrain, box, kind);
    for (uint32_t y = box.y; y < box.y + box.height; y++) {
        for (uint32_t x = box.x; x < box.x + box.width; x++) {
            if (!rp_edits_add(edits, y * self->terrain.grid.width + x)) {
                return false;
            }
        }
    }
    return true;
}

bool rp_scene_is_roomy(const rp_simulation_t *self, uint32_t cell, int around)
{
    for (int dy = -around; dy <= around; dy++) {
        for (int dx = -around; dx <= around; dx++) {
            const uint32_t near = rp_grid_view_offset(&self->terrain.grid, cell, dx, dy);
            if (near == RP_NOWHERE || !rp_terrain_is_free(&self->terrain, near)) {
                return false;
            }
        }
    }
    return true;
}

uint32_t rp_scene_roomy_place(rp_simulation_t *self, int around)
{
    uint32_t cell;
    do {
        cell = rp_terrain_any_free(&self->terrain, &self->seeded);
    } while (!rp_scene_is_roomy(self, cell, around));
    return cell;
}

void rp_scene_send(rp_simulation_t *self, uint32_t number, uint32_t cell, uint32_t goal)
{
    rp_sim_agent_t *agent = &self->agents[number];
    if (agent->cell != cell) {
        rp_sim_agent_place(agent, cell);
    }
    rp_sim_agent_aim(agent, goal, false);
}

bool rp_scene_has_time(const rp_simulation_t *self, uint64_t needed_us)
{
    return self->line.end_us == 0 || self->line.now_us + needed_us < self->line.end_us;
}

void rp_scene_label(rp_simulation_t *self)
{
    const uint32_t cell_count = (uint32_t)rp_terrain_cell_count(&self->terrain);
    uint32_t label = 0;
    rp_flood_reset(&self->flood);
    for (uint32_t cell = 0; cell < cell_count; cell++) {
        if (self->flood.labels[cell] == 0 && rp_terrain_is_free(&self->terrain, cell)) {
            rp_flood_from(&self->flood, &self->terrain.grid, cell, ++label);
        }
    }
}

bool rp_scene_is_connected(const rp_simulation_t *self, const rp_sim_agent_t *agent)
{
    const uint32_t *labels = self->flood.labels;
    return labels[agent->cell] != 0 && labels[agent->cell] == labels[agent->goal];
}
