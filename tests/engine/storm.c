/// Weather, and what it does to the world.
#include "tests/engine/storm.h"

#include "engine/core.h"

#include <check.h>
#include <stdio.h>

#define SHAPES 6u

static const rp_cause_t nothing = {0, 0};

bool rp_storm_chance(rp_storm_t *self, uint32_t percent)
{
    return rp_random_chance(&self->rng, percent);
}

uint32_t rp_storm_below(rp_storm_t *self, uint32_t limit)
{
    return rp_random_below(&self->rng, limit);
}

void rp_storm_trace(const rp_storm_t *self, const char *what, double a, double b, double c)
{
    if (self->is_traced) {
        (void)fprintf(stderr, "%u %s %.6g %.6g %.6g\n", self->event, what, a, b, c);
    }
}

// ---- the world

static uint8_t random_byte(rp_storm_t *self)
{
    if (self->weather.has_unknown && rp_storm_chance(self, 5)) {
        return RP_BYTE_UNKNOWN;
    }
    if (rp_storm_chance(self, self->weather.density)) {
        return !self->weather.is_costmap ? 0 : rp_storm_chance(self, 50) ? 254 : 253;
    }
    if (!self->weather.has_weights || rp_storm_chance(self, 50)) {
        return self->weather.is_costmap ? 0 : 1;
    }
    return (uint8_t)(self->weather.is_costmap
                         ? rp_storm_below(self, 253)
                         : 1u + rp_storm_below(self, rp_storm_chance(self, 80) ? 5 : 254));
}

/// A kind of mover has a table of its own here, so that the engine's is not asked.
static void describe_kinds(rp_storm_t *self)
{
    static const double scaling[] = {0.5, 2.0};
    const double metre = self->witness.resolution_m;
    for (unsigned byte = 0; byte < 256; byte++) {
        const bool is_free = byte < 253 || byte == 255;
        const uint8_t graded = (uint8_t)(!is_free ? 0u : byte == 255 ? 50u : 50u + 4u * byte / 5u);
        self->witness.kinds[0].factors[byte] = (uint8_t)(self->weather.is_costmap ? graded
                                                         : byte == 255            ? 1u
                                                                                  : byte);
        self->witness.kinds[1].factors[byte] = graded;
        self->witness.kinds[0].is_inscribed[byte] = self->weather.is_costmap && byte == 253;
        self->witness.kinds[1].is_inscribed[byte] = byte == 253;
        self->witness.kinds[2].is_inscribed[byte] = byte == 3 || byte == 10;
        // Roads are cheaper than normal ground, and what is unknown blocks.
        self->witness.kinds[2].factors[byte] = (uint8_t)(byte % 7u == 3u || byte == 255 ? 0u
                                                         : byte == 1                    ? 10u
                                                                     : 5u + byte % 11u);
    }
    self->witness.kinds[0].unit = self->weather.is_costmap ? 50 : 1;
    self->witness.kinds[0].body = (rp_body_t){0};
    self->witness.kinds[1].unit = 50;
    self->witness.kinds[1].body = (rp_body_t){.profile = "costmap"};
    self->witness.kinds[2].unit = 10;
    self->witness.kinds[2].body = (rp_body_t){.profile = "mud"};
    self->witness.kinds[3] = self->witness.kinds[0];
    self->witness.kinds[3].body =
        (rp_body_t){.radius_m = (1.0 + rp_storm_below(self, 2) * 0.5) * metre};
    self->witness.kinds[4] = self->witness.kinds[1];
    self->witness.kinds[4].body =
        (rp_body_t){.profile = "costmap",
                    .radius_m = rp_storm_below(self, 2) * metre,
                    .inscribed_radius_m = rp_storm_below(self, 2) * metre,
                    .inflation_radius_m = 3.0 * metre,
                    .cost_scaling = scaling[rp_storm_below(self, 2)] / metre};
    self->witness.kind_count = RP_WITNESS_BODIES;
}

void rp_storm_choose(rp_storm_t *self)
{
    static const uint64_t budgets[] = {1, 20, 100, 400, 3000, 100000, UINT64_MAX};
    static const uint64_t asked[] = {0, 1, 4, 8192};
    const bool is_large = rp_storm_chance(self, 2) || self->regions != 0;
    self->weather = (rp_weather_t){
        .side_x = is_large ? 190u + rp_storm_below(self, 11)
                           : 3u + rp_storm_below(self, rp_storm_chance(self, 50) ? 15 : 40),
        .side_y = is_large ? 190u + rp_storm_below(self, 11)
                           : 3u + rp_storm_below(self, rp_storm_chance(self, 50) ? 15 : 40),
        .is_costmap = rp_storm_chance(self, 35),
        .has_weights = rp_storm_chance(self, 40),
        .has_unknown = rp_storm_chance(self, 40),
        .density = rp_storm_below(self, 46),
        .agents = is_large ? 1u + rp_storm_below(self, 5)
                           : 1u + rp_storm_below(self, rp_storm_chance(self, 50) ? 8 : 60),
        .common = rp_storm_below(self, 2) * 60u + rp_storm_below(self, 41),
        .named = rp_storm_chance(self, 60) ? 0 : rp_storm_below(self, 101),
        .bodies = rp_storm_chance(self, 60) ? 0 : rp_storm_below(self, 101),
        .patience = rp_storm_chance(self, 50) ? 0 : rp_storm_below(self, 101),
        .awkward = rp_storm_chance(self, 40) ? 0 : rp_storm_below(self, 101),
        .moves = 5u + rp_storm_below(self, 70),
        .looks = is_large                    ? 10
                 : rp_storm_chance(self, 70) ? 100
                                             : 30,
        .at_rest = is_large                    ? 5
                   : rp_storm_chance(self, 30) ? 2
                                               : 10u + rp_storm_below(self, 80),
        .budget = budgets[rp_storm_below(self, 7)],
        .events = is_large ? 25 : 100u + rp_storm_below(self, 150),
        .is_resized = rp_storm_chance(self, 40),
        .asked = asked[rp_storm_below(self, 4)],
    };
}

void rp_storm_open(rp_storm_t *self)
{
    static uint8_t data[RP_WITNESS_PLACES];
    self->witness.neighbors = rp_storm_chance(self, 35) ? 4 : 8;
    self->witness.wraps = rp_storm_chance(self, 25);
    self->witness.resolution_m = rp_storm_chance(self, 70) ? 1.0 : 0.5;
    describe_kinds(self);
    const rp_profile_options_t mud = {.name = "mud",
                                      .factors = self->witness.kinds[2].factors,
                                      .unit = 10,
                                      .unknown = RP_UNKNOWN_BLOCKED,
                                      .inscribed = (const uint8_t[]){3, 10},
                                      .inscribed_count = 2};
    const rp_world_options_t options = {
        .width = self->weather.side_x,
        .height = self->weather.side_y,
        .neighbors = self->witness.neighbors,
        .wraps = self->witness.wraps,
        .profile = self->weather.is_costmap ? "costmap" : "factor",
        .profiles = &mud,
        .profile_count = 1,
        .frame = {.resolution_m = self->witness.resolution_m,
                  .origin_x_m = rp_storm_chance(self, 50) ? 0.0 : -3.0,
                  .origin_y_m = rp_storm_chance(self, 50) ? 0.0 : 7.5},
        .data = data,
    };
    for (uint32_t i = 0; i < self->weather.side_x * self->weather.side_y; i++) {
        data[i] = random_byte(self);
    }
    ck_assert_int_eq(rp_engine_new(&self->engine), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(self->engine, &options, &self->world), RP_OK);
    rp_engine_world(self->engine, self->world)->roster->tests_at_once = self->weather.asked;
    if (rp_storm_chance(self, 50)) {
        rp_engine_world(self->engine, self->world)->overlay.composed_most = 0;
    }
    rp_witness_begin(&self->witness, self->engine, self->world);
}

/// The middle of a cell, or any point of it; now and then outside.
rp_spot_t rp_storm_place(rp_storm_t *self)
{
    const rp_past_ground_t *ground = rp_witness_ground(&self->witness);
    const bool is_out = rp_storm_chance(self, 2);
    const double x = rp_storm_below(self, ground->width) +
                     (rp_storm_chance(self, 80) ? 0.5 : rp_storm_below(self, 100) / 100.0);
    const double y = rp_storm_below(self, ground->height) +
                     (rp_storm_chance(self, 80) ? 0.5 : rp_storm_below(self, 100) / 100.0);
    return (rp_spot_t){ground->origin_x_m +
                           (is_out ? x - ground->width : x) * self->witness.resolution_m,
                       ground->origin_y_m + y * self->witness.resolution_m};
}

rp_spot_t rp_storm_wanted(rp_storm_t *self)
{
    return rp_storm_chance(self, self->weather.common)
               ? self->pool[rp_storm_below(self, RP_STORM_POOL)]
               : rp_storm_place(self);
}

/// A place where a change matters: of the pool, near an agent, or any.
static uint32_t stormy_cell(rp_storm_t *self)
{
    const rp_past_ground_t *ground = rp_witness_ground(&self->witness);
    rp_spot_t at = rp_storm_place(self);
    if (rp_storm_chance(self, 25)) {
        at = self->pool[rp_storm_below(self, RP_STORM_POOL)];
    } else if (rp_storm_chance(self, 40)) {
        const rp_witness_agent_t *agent =
            &self->witness.agents[rp_storm_below(self, self->witness.agent_count)];
        at = agent->has_pose ? (rp_spot_t){agent->x_m, agent->y_m} : at;
    }
    at.x_m += ((double)rp_storm_below(self, 3) - 1.0) * self->witness.resolution_m *
              (rp_storm_chance(self, 50) ? 1.0 : 0.0);
    at.y_m += ((double)rp_storm_below(self, 3) - 1.0) * self->witness.resolution_m *
              (rp_storm_chance(self, 50) ? 1.0 : 0.0);
    const uint32_t place = rp_witness_place(&self->witness, ground, at.x_m, at.y_m);
    return place != RP_ORACLE_NO_PLACE ? place
                                       : rp_storm_below(self, ground->width * ground->height);
}

static void apply(rp_storm_t *self, const rp_edit_t *edit)
{
    uint64_t version;
    ck_assert_int_eq(rp_engine_apply(self->engine, self->world, edit, nothing, &version), RP_OK);
}

static void change_cells(rp_storm_t *self)
{
    uint32_t cells[40];
    uint8_t values[40];
    const uint32_t count = rp_storm_chance(self, 60) ? 1u : 1u + rp_storm_below(self, 40);
    for (uint32_t i = 0; i < count; i++) {
        cells[i] = stormy_cell(self);
        values[i] = random_byte(self);
        if (rp_storm_chance(self, 30)) { // what was blocked is freed, and the other way round
            const uint8_t now = rp_witness_ground(&self->witness)->bytes[cells[i]];
            const bool is_blocked = self->witness.kinds[0].factors[now] == 0;
            values[i] = is_blocked == self->weather.is_costmap ? 0
                        : self->weather.is_costmap             ? 254
                                                               : is_blocked;
        }
    }
    rp_storm_trace(self, "cells", count, cells[0], values[0]);
    apply(self, &(rp_edit_t){.cells = cells, .values = values, .cell_count = count});
}

static void change_rectangle(rp_storm_t *self)
{
    static uint8_t data[RP_WITNESS_PLACES];
    const rp_past_ground_t *ground = rp_witness_ground(&self->witness);
    const uint32_t most = rp_storm_chance(self, 10) ? UINT32_MAX : 6;
    const uint32_t corner = stormy_cell(self);
    const uint32_t x = most > 6 ? 0 : corner % ground->width;
    const uint32_t y = most > 6 ? 0 : corner / ground->width;
    const uint32_t left_x = ground->width - x;
    const uint32_t left_y = ground->height - y;
    rp_edit_t edit = {.x = x, .y = y, .fill = random_byte(self)};
    edit.width = 1u + rp_storm_below(self, left_x < most ? left_x : most);
    edit.height = 1u + rp_storm_below(self, left_y < most ? left_y : most);
    const uint32_t size = edit.width * edit.height;
    const bool is_drawn = size > 200 || rp_storm_chance(self, 50);
    for (uint32_t i = 0; i < size; i++) {
        data[i] = random_byte(self);
    }
    edit.data = is_drawn ? data : NULL;
    rp_storm_trace(self, "rectangle", x, y, size);
    apply(self, &edit);
}

static void change_overlay(rp_storm_t *self)
{
    double x_m[4];
    double y_m[4];
    uint64_t version;
    const rp_spot_t at = rp_storm_chance(self, 50) ? self->pool[rp_storm_below(self, RP_STORM_POOL)]
                                                   : rp_storm_place(self);
    const double size = (0.3 + rp_storm_below(self, 30) / 10.0) * self->witness.resolution_m;
    const bool is_disc = rp_storm_chance(self, 50);
    for (unsigned i = 0; i < 4; i++) {
        x_m[i] = at.x_m + (is_disc || i == 0 || i == 3 ? 0.0 : size);
        y_m[i] = at.y_m + (is_disc || i < 2 ? 0.0 : size);
    }
    const rp_shape_t shape = {
        .id = rp_storm_below(self, SHAPES),
        .corners = is_disc ? 1 : 4,
        .x_m = x_m,
        .y_m = y_m,
        .radius_m = is_disc ? size : 0.0,
        .expires_us =
            rp_storm_chance(self, 50) ? 0 : self->witness.now_us + rp_storm_below(self, 30000),
        .byte = random_byte(self)};
    const uint32_t removed = rp_storm_below(self, SHAPES);
    const bool puts = rp_storm_chance(self, 65);
    const rp_overlay_edit_t edit = {.shapes = &shape,
                                    .shape_count = puts,
                                    .removed = &removed,
                                    .removed_count = rp_storm_chance(self, puts ? 20 : 100),
                                    .clears = rp_storm_chance(self, 3)};
    const rp_status_t status =
        rp_engine_overlay(self->engine, self->world, &edit, nothing, &version);
    rp_storm_trace(self, "overlay", shape.id, puts, (double)status);
    ck_assert_msg(status == RP_OK || (status == RP_E_INVALID && self->witness.wraps), "overlay: %d",
                  status);
}

static void resize(rp_storm_t *self)
{
    const rp_past_ground_t *ground = rp_witness_ground(&self->witness);
    uint64_t version;
    const rp_window_t window = {
        .is_told = rp_storm_chance(self, 40), // by parts of cells
        .origin_x_m = ground->origin_x_m + (rp_storm_below(self, 41) - 20.0) / 10.0,
        .origin_y_m = ground->origin_y_m + (rp_storm_below(self, 41) - 20.0) / 10.0,
        .x = (int32_t)rp_storm_below(self, 9) - 4,
        .y = (int32_t)rp_storm_below(self, 9) - 4,
        .width = rp_storm_chance(self, 50) ? ground->width : 3u + rp_storm_below(self, 45),
        .height = rp_storm_chance(self, 50) ? ground->height : 3u + rp_storm_below(self, 45),
        .is_filled = rp_storm_chance(self, 50),
        .fill = random_byte(self)};
    const rp_status_t status =
        rp_engine_resize(self->engine, self->world, &window, nothing, &version);
    rp_storm_trace(self, "resize", window.x, window.y, window.width * 1000.0 + window.height);
    ck_assert_int_eq(status, self->witness.wraps ? RP_E_UNSUPPORTED : RP_OK);
}

void rp_storm_change(rp_storm_t *self)
{
    const uint32_t what = rp_storm_below(self, 100);
    if (what < 62) {
        change_cells(self);
    } else if (what < 76) {
        change_rectangle(self);
    } else if (what < 97 || !self->weather.is_resized) {
        change_overlay(self);
    } else {
        resize(self);
    }
}
