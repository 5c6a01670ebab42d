/// What a game asks of an engine beside plans: options to begin with, its own data, paths as
/// points, and debug drawing.
#include "engine/engine/drawing.h"

#include <math.h>
#include <stdlib.h>

#include "replan/trace.h"

// ---- points

/// A frame, and how it is turned.
typedef struct turned {
    const rp_frame_t *frame;
    double cosine;
    double sine;
} turned_t;

static turned_t turned_of(const rp_frame_t *frame)
{
    return (turned_t){frame, cos(frame->origin_yaw), sin(frame->origin_yaw)};
}

/// The middle of a cell; it may lie outside.
static void place(const turned_t *self, double x, double y, double *x_m, double *y_m)
{
    const double along = (x + 0.5) * self->frame->resolution_m;
    const double across = (y + 0.5) * self->frame->resolution_m;
    *x_m = self->frame->origin_x_m + self->cosine * along - self->sine * across;
    *y_m = self->frame->origin_y_m + self->sine * along + self->cosine * across;
}

size_t rp_engine_points(const rp_answer_t *answer, double *x_m, double *y_m, size_t capacity)
{
    static const int8_t step_x[RP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
    static const int8_t step_y[RP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
    if (answer == NULL || !rp_answer_has_steps(answer->outcome) ||
        (capacity != 0 && (x_m == NULL || y_m == NULL))) {
        return 0;
    }
    const turned_t turned = turned_of(&answer->window.frame);
    double x = answer->start_x;
    double y = answer->start_y;
    for (size_t i = 0; i <= answer->step_count && i < capacity; i++) {
        place(&turned, x, y, &x_m[i], &y_m[i]);
        if (i < answer->step_count) {
            x += step_x[answer->steps[i]];
            y += step_y[answer->steps[i]];
        }
    }
    return (size_t)answer->step_count + 1u;
}

// ---- drawing

static rp_status_t draw_path(const rp_session_t *session, const rp_draw_t *draw)
{
    rp_answer_t answer;
    rp_session_answer(session, &answer);
    const size_t count = draw->path != NULL ? rp_engine_points(&answer, NULL, NULL, 0) : 0;
    if (count == 0) {
        return RP_OK;
    }
    double *points = malloc(2u * count * sizeof *points);
    if (points == NULL) {
        return RP_E_MEMORY;
    }
    (void)rp_engine_points(&answer, points, points + count, count);
    draw->path(session->id, points, points + count, count, draw->user);
    free(points);
    return RP_OK;
}

/// @param values  row by row [width * height]
static void draw_cells(const rp_world_t *world, const uint8_t *values, const rp_draw_t *draw)
{
    const rp_grid_shape_t *shape = &world->layers[0]->grid->shape;
    const turned_t turned = {&world->frame, world->cosine, world->sine};
    double x_m;
    double y_m;
    for (uint32_t y = 0; y < shape->height; y++) {
        for (uint32_t x = 0; x < shape->width; x++) {
            place(&turned, x, y, &x_m, &y_m);
            draw->cell(x_m, y_m, values[(size_t)y * shape->width + x], draw->user);
        }
    }
}

rp_status_t rp_engine_draw_world(rp_engine_t *self, rp_world_id_t world, const rp_draw_t *draw)
{
    rp_world_t *drawn = rp_engine_world(self, world);
    if (drawn == NULL || draw == NULL) {
        return drawn == NULL ? RP_E_UNKNOWN : RP_E_INVALID;
    }
    if (draw->cell != NULL) {
        draw_cells(drawn, rp_engine_bytes(self, world), draw);
    }
    rp_status_t status = RP_OK;
    for (uint32_t i = 0; i < self->sessions.capacity && status == RP_OK; i++) {
        rp_session_t *session = self->sessions.items[i];
        if (session != NULL && session->world == drawn) {
            rp_session_settle(session);
            status = draw_path(session, draw);
        }
    }
    return status;
}

rp_status_t rp_engine_draw_session(rp_engine_t *self, rp_session_id_t session,
                                   const rp_draw_t *draw)
{
    rp_session_t *drawn = rp_engine_session(self, session);
    if (drawn == NULL || draw == NULL) {
        return drawn == NULL ? RP_E_UNKNOWN : RP_E_INVALID;
    }
    if (draw->cell != NULL) {
        uint8_t *factors = malloc(drawn->world->cells);
        rp_status_t status =
            factors != NULL ? rp_engine_factors(self, session, factors) : RP_E_MEMORY;
        if (status == RP_OK) {
            draw_cells(drawn->world, factors, draw);
        }
        free(factors);
        if (status != RP_OK) {
            return status;
        }
    }
    rp_session_settle(drawn);
    return draw_path(drawn, draw);
}

// ---- expansions

rp_status_t rp_engine_draw_searches(rp_engine_t *self, const rp_draw_t *draw)
{
#ifdef REPLAN_TRACE
    if (self == NULL) {
        return RP_E_INVALID;
    }
    self->draw = draw != NULL ? *draw : (rp_draw_t){NULL, NULL, NULL, NULL};
    return RP_OK;
#else
    (void)draw;
    return self != NULL ? RP_E_UNSUPPORTED : RP_E_INVALID;
#endif
}

#ifdef REPLAN_TRACE
/// Whose search is at work on this thread: planners have no room for more than a function's name.
static _Thread_local const rp_engine_t *at_work;
static _Thread_local const rp_session_t *searched_for;

void rp_drawing_begin(const rp_engine_t *engine, const rp_session_t *session)
{
    at_work = engine->draw.expansion != NULL ? engine : NULL;
    searched_for = session;
}

void rp_drawing_end(void)
{
    at_work = NULL;
}

bool rp_trace(rp_cell_t cell, rp_trace_kind_t kind)
{
    if (at_work == NULL) {
        return false;
    }
    if (cell != RP_NO_CELL) {
        const rp_grid_t *grid = searched_for->layer->grid;
        const rp_world_t *world = searched_for->world;
        const turned_t turned = {&world->frame, world->cosine, world->sine};
        double x_m;
        double y_m;
        place(&turned, rp_grid_x(grid, cell), rp_grid_y(grid, cell), &x_m, &y_m);
        at_work->draw.expansion(searched_for->id, x_m, y_m, (rp_draw_kind_t)kind,
                                at_work->draw.user);
    }
    return true;
}

static_assert((int)RP_DRAW_EXPANDED == (int)RP_TRACE_EXPANDED &&
                  (int)RP_DRAW_REUSED == (int)RP_TRACE_REUSED &&
                  (int)RP_DRAW_RAISED == (int)RP_TRACE_RAISED &&
                  (int)RP_DRAW_REACHED == (int)RP_TRACE_LEVEL,
              "one list of kinds");
#endif
