/// Options in, planner out. What a planner cannot do is refused here, before any search.
#include "tools/options.h"

#include <stdio.h>
#include <string.h>

#include "tools/commands.h"

rp_search_options_t rp_search_options_of(const char *program)
{
    return (rp_search_options_t){
        .program = program, .limit = UINT64_MAX, .motion = rp_motion_options_default()};
}

/// What the registry would say of the lattice, which is no member of it: its answers are curves.
static const rp_planner_info_t lattice = {
    .id = "lattice",
    .paper = "Pivtoraiko, Kelly 2005",
    .guarantee = "within a percentage",
    .capabilities = RP_CAN_8 | RP_CAN_WEIGHTED | RP_CAN_WRAP,
};

bool rp_search_options_has_motion(const rp_search_options_t *self)
{
    return self->planner == &lattice;
}

static bool take_planner(void *user, const char *id)
{
    rp_search_options_t *self = user;
    self->planner = strcmp(id, lattice.id) == 0 ? &lattice : rp_planner_find(id);
    if (self->planner == NULL) {
        fprintf(stderr, "%s: --planner: there is no planner \"%s\"; there are:", self->program, id);
        for (size_t i = 0; rp_planner_info(i) != NULL; i++) {
            fprintf(stderr, " %s", rp_planner_info(i)->id);
        }
        fprintf(stderr, " %s\n", lattice.id);
    }
    return self->planner != NULL;
}

static bool take_open(void *user, const char *value)
{
    static const char *const words[] = {[RP_OPEN_HEAP] = "heap", [RP_OPEN_BUCKETS] = "buckets"};
    rp_search_options_t *self = user;
    size_t open = 0;
    const bool is_one = rp_flags_read_word(self->program, "--open", value, words, 2,
                                           "is neither heap nor buckets", &open);
    self->search.open = (rp_open_t)open;
    return is_one;
}

static bool take_neighbors(void *user, const char *value)
{
    static const char *const words[] = {"4", "8"};
    rp_search_options_t *self = user;
    size_t eight = 0;
    const bool is_one = rp_flags_read_word(self->program, "--neighbors", value, words, 2,
                                           "is neither 4 nor 8", &eight);
    self->neighbors = eight != 0 ? 8u : 4u;
    return is_one;
}

size_t rp_search_options_flags(rp_search_options_t *self, rp_flag_t *flags)
{
    const rp_flag_t own[] = {
        {.name = "--planner", .take = take_planner, .user = self},
        {.name = "--open", .take = take_open, .user = self},
        {.name = "--variant", .number = &self->variant, .most = 2},
        {.name = "--neighbors", .take = take_neighbors, .user = self},
        {.name = "--limit", .number = &self->limit, .most = UINT64_MAX},
        {.name = "--paranoid", .number = &self->check_every, .most = UINT32_MAX},
        {.name = "--json", .given = &self->json},
        {.name = "--quiet", .given = &self->quiet},
    };
    const size_t count = sizeof own / sizeof own[0];
    memcpy(flags, own, sizeof own);
    return count + rp_motion_options_flags(&self->motion, self->program, flags + count);
}

bool rp_search_options_settle(rp_search_options_t *self)
{
    self->search.variant = (uint8_t)self->variant;
    self->search.check_every = (uint32_t)self->check_every;
    return rp_motion_options_settle(&self->motion);
}

// ---- grid and planner

/// Say what the planner lacks, by the words of the user. @return false when something is missing
static bool check_capabilities(const rp_search_options_t *options, const rp_grid_shape_t *shape,
                               bool weighted)
{
    const rp_member_options_t *search = &options->search;
    const struct {
        bool is_needed;
        uint32_t capability;
        const char *what;
    } needs[] = {
        {shape->neighbors == 4, RP_CAN_4, "4 neighbours"},
        {shape->neighbors == 8, RP_CAN_8, "8 neighbours"},
        {weighted, RP_CAN_WEIGHTED, "cells with factors other than 0 and 1"},
        {shape->wraps, RP_CAN_WRAP, "worlds that wrap"},
        {search->open == RP_OPEN_BUCKETS, RP_CAN_OPEN_BUCKETS, "--open buckets"},
        {search->variant != 0, RP_CAN_VARIANTS, "--variant 1 and 2"},
    };
    bool is_able = true;
    for (size_t i = 0; i < sizeof needs / sizeof needs[0]; i++) {
        if (needs[i].is_needed && (options->planner->capabilities & needs[i].capability) == 0) {
            fprintf(stderr, "%s: planner %s does not support %s\n", options->program,
                    options->planner->id, needs[i].what);
            is_able = false;
        }
    }
    return is_able;
}

/// What only one kind of planner takes. @return RP_EXIT_FINE, or another code after saying why
static int check_motion(const rp_search_options_t *options)
{
    if (!rp_search_options_has_motion(options)) {
        if (options->motion.given == NULL) {
            return RP_EXIT_FINE;
        }
        fprintf(stderr, "%s: %s: planner %s has no motion; lattice has\n", options->program,
                options->motion.given, options->planner->id);
        return RP_EXIT_UNSUPPORTED;
    }
    if (options->search.check_every != 0) {
        fprintf(stderr, "%s: planner lattice does not support --paranoid\n", options->program);
        return RP_EXIT_UNSUPPORTED;
    }
    return rp_motion_options_check(&options->motion, options->program);
}

/// A body that the world has no room for. @return RP_EXIT_FINE or RP_EXIT_INPUT after saying why
static int check_body(const rp_search_options_t *options, const rp_grid_shape_t *shape)
{
    const double body = rp_lattice_shape_inner(&options->motion.shape);
    const uint32_t side = shape->width < shape->height ? shape->width : shape->height;
    if (!rp_search_options_has_motion(options) || 2.0 * body <= side) {
        return RP_EXIT_FINE;
    }
    fprintf(stderr, "%s: %s %g is more than half of the world of %u x %u\n", options->program,
            options->motion.corner_count != 0 ? "the radius inside of --footprint"
                                              : "--body-radius",
            body, shape->width, shape->height);
    return RP_EXIT_INPUT;
}

/// Sets of twice the headings, and so on; they are built when they are needed. Those that cannot
/// turn are left out.
static rp_status_t make_finer(rp_setup_t *self, const rp_motion_options_t *motion)
{
    rp_lattice_shape_t shape = motion->shape;
    rp_status_t status = RP_OK;
    for (shape.headings *= 2u; shape.headings <= motion->headings_most && status == RP_OK;
         shape.headings *= 2u) {
        if (rp_lattice_shape_fault(&shape) == RP_LATTICE_FINE) {
            status = rp_control_set_new(&shape, &self->finer[self->finer_count]);
            self->finer_count += status == RP_OK;
        }
    }
    return status == RP_OK ? rp_lattice_set_finer(self->lattice, self->finer, self->finer_count)
                           : status;
}

static rp_status_t make_lattice(rp_setup_t *self, const rp_motion_options_t *motion)
{
    uint64_t budget = UINT64_MAX;
    self->motion = motion;
    rp_status_t status = rp_control_set_new(&motion->shape, &self->set);
    if (status == RP_OK) {
        status = rp_control_set_build(self->set, &budget);
    }
    if (status == RP_OK) {
        status = rp_lattice_new(self->set, self->grid, &self->lattice);
    }
    if (status == RP_OK) {
        status = make_finer(self, motion);
    }
    if (status == RP_OK) {
        status = rp_lattice_set_escape(self->lattice, motion->escape);
    }
    return status == RP_OK ? rp_lattice_set_percent(self->lattice, (uint32_t)motion->percent)
                           : status;
}

static rp_status_t make_planner(rp_setup_t *self, const rp_search_options_t *options)
{
    if (rp_search_options_has_motion(options)) {
        return make_lattice(self, &options->motion);
    }
    const rp_status_t status =
        rp_papers_new(options->planner->id, &options->search, &self->planner);
    return status == RP_OK ? rp_planner_bind(self->planner, self->grid) : status;
}

int rp_setup_init(rp_setup_t *self, const rp_search_options_t *options,
                  const rp_grid_shape_t *shape, const uint8_t *factors, bool weighted)
{
    *self = (rp_setup_t){0};
    int code = check_motion(options);
    code = code == RP_EXIT_FINE ? check_body(options, shape) : code;
    if (code != RP_EXIT_FINE) {
        return code;
    }
    if (!check_capabilities(options, shape, weighted)) {
        return RP_EXIT_UNSUPPORTED;
    }
    rp_status_t status = rp_grid_new(shape, &self->grid);
    if (status == RP_OK && factors != NULL) {
        rp_grid_fill(self->grid, factors);
    }
    if (status == RP_OK) {
        status = make_planner(self, options);
    }
    if (status == RP_OK) {
        return RP_EXIT_FINE;
    }
    fprintf(stderr, "%s: planner %s on %u x %u cells: %s\n", options->program, options->planner->id,
            shape->width, shape->height, rp_status_text(status));
    rp_setup_fini(self);
    return status == RP_E_UNSUPPORTED ? RP_EXIT_UNSUPPORTED : RP_EXIT_INPUT;
}

void rp_setup_fini(rp_setup_t *self)
{
    rp_lattice_destroy(&self->lattice);
    rp_control_set_destroy(&self->set);
    while (self->finer_count != 0) {
        rp_control_set_destroy(&self->finer[--self->finer_count]);
    }
    rp_planner_destroy(&self->planner);
    rp_grid_destroy(&self->grid);
}

// ---- either kind of planner

rp_status_t rp_setup_set_start(rp_setup_t *self, rp_cell_t cell, double yaw)
{
    return self->lattice != NULL ? rp_lattice_set_start(self->lattice, cell, yaw)
                                 : rp_planner_set_start(self->planner, cell);
}

rp_status_t rp_setup_set_goal(rp_setup_t *self, rp_cell_t cell, double yaw)
{
    if (self->lattice == NULL) {
        return rp_planner_set_goal(self->planner, cell);
    }
    const rp_lattice_goal_t goal = rp_motion_options_goal(self->motion, cell, yaw);
    return rp_lattice_set_goal_pose(self->lattice, &goal);
}

rp_status_t rp_setup_tell(rp_setup_t *self, rp_change_batch_t *batch)
{
    const size_t count = batch->count;
    if (self->lattice == NULL) {
        return rp_change_batch_tell(batch, self->grid, self->planner);
    }
    batch->count = 0;
    rp_grid_write(self->grid, batch->changes, count);
    return rp_lattice_apply(self->lattice, batch->changes, count);
}

rp_status_t rp_setup_plan(rp_setup_t *self, rp_plan_t *plan)
{
    if (self->lattice == NULL) {
        return rp_planner_plan(self->planner, UINT64_MAX, plan);
    }
    const rp_status_t status =
        rp_lattice_plan(self->lattice, &(uint64_t){UINT64_MAX}, &self->curves);
    *plan = (rp_plan_t){
        .outcome = self->curves.outcome,
        .cost = self->curves.cost,
        .path = self->curves.path,
        .stats = {.expanded = self->curves.expanded, .planner = lattice.id, .why = ""},
    };
    return status;
}
