/// Sums of floats are a little off, so every bound is taken a little wide.
#include "engine/stances.h"

#include <math.h>
#include <stdlib.h>

#include "engine/session.h"
#include "engine/verdict.h"

/// A bound in floats may be off by such a share, and this much.
#define OFF_SHARE 1e-5
#define OFF       0.01

// ---- who stands

rp_status_t rp_stances_add(rp_stances_t *self, rp_session_t *session)
{
    if (self->count == self->capacity) {
        const uint32_t capacity = 2u * self->capacity + 16u;
        rp_stance_t *list = realloc(self->list, capacity * sizeof *list);
        if (list == NULL) {
            return RP_E_MEMORY;
        }
        self->list = list;
        self->capacity = capacity;
    }
    session->stance = self->count;
    self->list[self->count++] = (rp_stance_t){.session = session, .kind = RP_STANCE_ALOOF};
    return RP_OK;
}

void rp_stances_remove(rp_stances_t *self, const rp_session_t *session)
{
    self->list[session->stance] = self->list[--self->count];
    self->list[session->stance].session->stance = session->stance;
}

void rp_stances_fini(rp_stances_t *self)
{
    free(self->list);
    *self = (rp_stances_t){0};
}

// ---- how

static bool has_cheapest_path(const rp_session_t *session)
{
    const bool has_escaped = session->at != session->stands_at && !session->is_beside;
    const bool is_good = session->excess <= 0.0 || session->is_rallied;
    return rp_answer_has_path(session->outcome) && is_good && !session->is_short && !has_escaped;
}

/// The rectangle of the goals, and how much longer than the path a way may be.
static void note_reach(rp_stance_t *self, const rp_session_t *session)
{
    const rp_grid_t *grid = session->layer->grid;
    const double least = (double)grid->shape.least / grid->shape.unit;
    uint32_t offset = UINT32_MAX;
    self->left = self->top = UINT16_MAX;
    self->right = self->bottom = 0;
    for (size_t i = 0; i < session->goal_count; i++) {
        const uint16_t x = (uint16_t)rp_grid_x(grid, session->goals[i].cell);
        const uint16_t y = (uint16_t)rp_grid_y(grid, session->goals[i].cell);
        self->left = x < self->left ? x : self->left;
        self->top = y < self->top ? y : self->top;
        self->right = x > self->right ? x : self->right;
        self->bottom = y > self->bottom ? y : self->bottom;
        offset = session->goals[i].offset < offset ? session->goals[i].offset : offset;
    }
    // A diagonal past a freed cell begins and ends one step from it.
    const double beside = grid->shape.neighbors == 8 ? 2.0 : 0.0;
    const double reach = (session->cost - offset) / least + beside;
    self->reach = (float)(reach * (1.0 + OFF_SHARE) + OFF);
}

/// Whether the search of its herd can say if the path is still the cheapest.
static void note_search(rp_stance_t *self, const rp_session_t *session)
{
    const rp_herd_t *herd = session->herd;
    const bool is_known = herd != NULL && session->term == herd->search.term &&
                          session->units != 0 && rp_session_has_cheapest(session);
    self->term = is_known ? session->term : 0;
    self->units = session->units;
}

void rp_stances_note(rp_stances_t *self, const rp_session_t *session)
{
    rp_stance_t *stance = &self->list[session->stance];
    stance->kind = has_cheapest_path(session) ? RP_STANCE_PATH : RP_STANCE_ASK;
    if (stance->kind == RP_STANCE_PATH) {
        const rp_grid_t *grid = session->layer->grid;
        stance->quarters = rp_tiles_quarters(&session->tiles);
        stance->x = (uint16_t)rp_grid_x(grid, session->said.at);
        stance->y = (uint16_t)rp_grid_y(grid, session->said.at);
        note_reach(stance, session);
        note_search(stance, session);
    }
}

// ---- glances

rp_glance_t rp_glance_of(const rp_news_t *news)
{
    if (news == NULL || news->grid->shape.wraps) {
        return (rp_glance_t){.asks_all = true};
    }
    const rp_rectangle_t *cheaper = &news->cheaper_in;
    return (rp_glance_t){
        .dearer = rp_tiles_quarters(&news->dearer),
        .has_cheaper = news->cheaper_count != 0,
        .left = (int32_t)cheaper->left,
        .top = (int32_t)cheaper->top,
        .right = (int32_t)cheaper->right,
        .bottom = (int32_t)cheaper->bottom,
        .diagonal = news->grid->shape.neighbors == 8 ? (float)(sqrt(2.0) - 1.0) : 1.0f,
    };
}

/// Between two ranges.
static inline int32_t gap(int32_t low, int32_t high, int32_t other_low, int32_t other_high)
{
    const int32_t ahead = other_low - high;
    const int32_t behind = low - other_high;
    const int32_t apart = ahead > behind ? ahead : behind;
    return apart > 0 ? apart : 0;
}

static inline float lengths(const rp_glance_t *glance, int32_t dx, int32_t dy)
{
    const int32_t more = dx > dy ? dx : dy;
    const int32_t less = dx > dy ? dy : dx;
    return (float)more + glance->diagonal * (float)less;
}

bool rp_stance_may_have_rival(const rp_stance_t *self, const rp_glance_t *glance)
{
    const int32_t to_x = gap(self->x, self->x, glance->left, glance->right);
    const int32_t to_y = gap(self->y, self->y, glance->top, glance->bottom);
    const int32_t on_x = gap(self->left, self->right, glance->left, glance->right);
    const int32_t on_y = gap(self->top, self->bottom, glance->top, glance->bottom);
    return lengths(glance, to_x, to_y) + lengths(glance, on_x, on_y) < self->reach;
}
