/// A glance at all who stand, a look at those near, and a queue of those who need it.
#include "engine/wake.h"

#include "engine/queues.h"
#include "engine/touch.h"

/// Sessions that wake, by their herds.
typedef struct woken {
    rp_herd_t *herds; ///< those with any, by woken_next
    rp_cause_t cause;
} woken_t;

static void wake(rp_session_t *session, rp_cause_t cause)
{
    rp_world_t *world = session->world;
    rp_unsure_add(session, world->version - 1u, cause);
    session->is_woken = session->is_unsure;
    world->wakes.woken += session->is_woken;
}

/// Who has no herd wakes at once.
static void note(woken_t *self, rp_session_t *session)
{
    rp_herd_t *herd = session->herd;
    if (herd == NULL) {
        wake(session, self->cause);
        return;
    }
    if (herd->woken == NULL) {
        herd->woken_next = self->herds;
        self->herds = herd;
    }
    session->woken_next = herd->woken;
    herd->woken = session;
}

static void wake_herds(const woken_t *self)
{
    for (rp_herd_t *herd = self->herds; herd != NULL; herd = herd->woken_next) {
        for (rp_session_t *session = herd->woken; session != NULL; session = session->woken_next) {
            wake(session, self->cause);
        }
        herd->woken = NULL;
    }
}

/// Something became cheaper where its path might have a rival, and the search of its herd says that
/// there is none: what it found before it holds against the changes once for all of the herd.
static bool is_kept(const rp_stance_t *stance, const rp_layer_t *layer)
{
    const rp_session_t *session = stance->session;
    rp_herd_t *herd = session->herd;
    return stance->term != 0 && herd != NULL && herd->search.term == stance->term &&
           rp_herd_hear(herd, layer, session->world->version) &&
           rp_planner_keeps(herd->search.planner, rp_grid_cell(layer->grid, stance->x, stance->y),
                            stance->units);
}

static void wake_layer(const rp_layer_t *layer, rp_cause_t cause)
{
    const rp_glance_t glance = rp_glance_of(layer->is_unread ? NULL : &layer->news);
    woken_t woken = {.cause = cause};
    for (uint32_t i = 0; i < layer->stances.count; i++) {
        const rp_stance_t *stance = &layer->stances.list[i];
        const rp_concern_t concern = rp_stance_concern(stance, &glance);
        rp_session_t *session = stance->session;
        if (concern == RP_CONCERN_NONE || (concern == RP_CONCERN_RIVAL && is_kept(stance, layer))) {
            continue;
        }
        if (!session->is_unsure && rp_session_is_touched(session)) {
            note(&woken, session);
        }
    }
    wake_herds(&woken);
}

void rp_world_wake(rp_world_t *world, rp_cause_t cause)
{
    world->wakes.asked -= world->unsure_count; // the others were sure until now
    for (uint32_t i = 0; i < world->layer_count; i++) {
        world->wakes.asked += world->layers[i]->stances.count;
        if (world->layers[i]->is_rewritten) {
            wake_layer(world->layers[i], cause);
        }
    }
}
