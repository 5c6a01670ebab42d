/// Bytes: 0 is normal ground, 1 an obstacle, 2 escape ground.
#include "tests/engine/paths/chance_ground.h"

#include <check.h>

void rp_chance_ground_init(rp_chance_ground_t *self, rp_random_t *rng,
                           const rp_chance_ground_options_t *options)
{
    rp_escape_world_t *world = &self->world;
    *self = (rp_chance_ground_t){0};
    world->width = rp_random_between(rng, 3, options->side_most);
    world->height = rp_random_between(rng, 3, options->side_most);
    world->neighbors = rp_random_chance(rng, 30) ? 4 : 8;
    world->wraps = rp_random_chance(rng, 30);
    world->unit = 1;
    world->frame.resolution_m = 1.0;
    for (uint32_t i = 0; i < world->width * world->height; i++) {
        const uint32_t percent = rp_random_below(rng, 100);
        self->bytes[i] = percent < options->obstacles                            ? 1
                         : percent < options->obstacles + options->escape_ground ? 2
                                                                                 : 0;
        world->is_obstacle[i] = self->bytes[i] == 1;
        world->factors[i] = self->bytes[i] == 0;
    }
    const rp_grid_shape_t shape = {
        world->width, world->height, world->neighbors, world->wraps, 1, 1};
    ck_assert_int_eq(rp_grid_new(&shape, &self->layer.grid), RP_OK);
    rp_grid_fill(self->layer.grid, world->factors);
    self->layer.bytes = self->bytes;
    self->layer.profile.is_obstacle[1] = true;
}

void rp_chance_ground_fini(rp_chance_ground_t *self)
{
    rp_grid_destroy(&self->layer.grid);
}

rp_cell_t rp_chance_ground_cell(const rp_chance_ground_t *self, uint32_t cell)
{
    return rp_grid_cell(self->layer.grid, cell % self->world.width, cell / self->world.width);
}

uint32_t rp_chance_ground_number(const rp_chance_ground_t *self, rp_cell_t cell)
{
    const rp_grid_t *grid = self->layer.grid;
    return rp_grid_holds(grid, cell)
               ? rp_grid_y(grid, cell) * self->world.width + rp_grid_x(grid, cell)
               : RP_ESCAPE_NO_CELL;
}

static bool is_open(const rp_escape_world_t *world, uint32_t cell)
{
    return cell != RP_ESCAPE_NO_CELL && !world->is_obstacle[cell];
}

bool rp_chance_ground_may_step(const rp_chance_ground_t *self, uint32_t from, unsigned direction)
{
    const rp_escape_world_t *world = &self->world;
    const unsigned turn = direction % 2u; // of a diagonal, to the cells beside it
    return (turn == 0 || world->neighbors == 8) &&
           is_open(world, rp_escape_step(world, from, direction)) &&
           is_open(world, rp_escape_step(world, from, (direction + turn) % RP_DIRECTIONS)) &&
           is_open(world, rp_escape_step(world, from, (direction - turn) % RP_DIRECTIONS));
}

rp_pose_t rp_chance_ground_pose(const rp_chance_ground_t *self, double x_m, double y_m)
{
    double at[2];
    const uint32_t cell = rp_escape_cell(&self->world, x_m, y_m, at);
    return (rp_pose_t){
        .cell = cell != RP_ESCAPE_NO_CELL ? rp_chance_ground_cell(self, cell) : RP_NO_CELL,
        .x = at[0],
        .y = at[1],
        .snap = rp_escape_snap(&self->world, x_m, y_m),
    };
}

double rp_chance_ground_within(rp_random_t *rng)
{
    static const double places[] = {0.5, 0.5, 0.25, 0.75, 0.0, 1.0, 0.02, 0.98};
    const uint32_t which = rp_random_below(rng, 11);
    return which < 8 ? places[which] : rp_random_below(rng, 1000) / 1000.0 + 0.0005;
}
