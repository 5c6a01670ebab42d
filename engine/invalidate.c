/// A glance at all who stand, a look at those near, herd by herd, and a queue of those who need it.
#include "engine/invalidate.h"

#include <stddef.h>

#include "engine/session/affected.h"
#include "engine/session/change_impact.h"
#include "engine/session/session_queues.h"

/// So many are prefetched together: the cache misses overlap.
#define TOGETHER 32u

/// Whom a version may concern, as far as a glance tells.
typedef struct suspect {
    uint32_t place; ///< its stance
    bool asks;
    bool is_near;
    bool has_rival;
} suspect_t;

/// What a version asks of a layer.
typedef struct inquiry {
    rp_layer_t *layer;
    rp_broad_phase_t glance;
    rp_cause_t cause;
    uint64_t *budget;             ///< for asking, in expansions
    rp_goal_group_t *herds;       ///< those with sessions to be asked, by asked_next
    suspect_t suspects[TOGETHER]; ///< prefetched [count]
    uint32_t count;
} inquiry_t;

static void wake(rp_session_t *session, rp_cause_t cause)
{
    rp_world_t *world = session->world;
    rp_plan_queue_add(session, world->version - 1u, cause);
    session->is_unasked = session->is_unasked && session->is_unsure;
    session->is_woken = session->is_unsure && !session->is_unasked;
    world->wakes.woken += session->is_woken;
}

/// True when a session must wait: for a plan, as the change concerns it, or to be asked in its
/// turn, as no budget is left to find out now. One with an alarm waits for a plan in that case, as
/// its alarm would be lost.
static bool is_concerned(const inquiry_t *self, const rp_interest_t *stance)
{
    rp_session_t *session = stance->session;
    if (session->is_unsure) {
        return false;
    }
    if (*self->budget == 0) {
        session->is_unhurt = false; // for all that is known here
        session->is_unasked = session->alarm_place == 0;
        return true;
    }
    return rp_session_is_affected(session, stance->may_be_hurt, self->budget);
}

/// Prefetch its herd, and unless that may speak for it the session itself.
static void prefetch(const rp_interest_t *stance)
{
    const size_t line = 64;
    for (size_t at = 0; stance->may_be_hurt && at <= offsetof(rp_session_t, stance); at += line) {
        __builtin_prefetch((const char *)stance->session + at);
    }
    __builtin_prefetch(stance->herd);
}

/// Sessions of a herd are asked together later, others at once.
static void note(inquiry_t *self, uint32_t place)
{
    rp_interest_t *stance = &self->layer->stances.list[place];
    rp_goal_group_t *herd = stance->herd;
    if (herd == NULL) {
        if (is_concerned(self, stance)) {
            wake(stance->session, self->cause);
        }
        return;
    }
    if (herd->asked == 0) {
        herd->asked_next = self->herds;
        self->herds = herd;
        __builtin_prefetch(herd->search.planner);
    }
    stance->next = herd->asked;
    herd->asked = place + 1u;
}

/// Look again at those that a glance did not rule out.
static void look_again(inquiry_t *self)
{
    const rp_interest_index_t *stances = &self->layer->stances;
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        const suspect_t suspect = self->suspects[i];
        rp_interest_t *stance = &stances->list[suspect.place];
        stance->may_be_hurt =
            suspect.asks ||
            (suspect.is_near && rp_interest_index_enter(stances, &self->glance, suspect.place));
        self->suspects[count] = suspect;
        if (stance->may_be_hurt || suspect.has_rival) {
            prefetch(stance);
            count++;
        }
    }
    for (uint32_t i = 0; i < count; i++) {
        note(self, self->suspects[i].place);
    }
    self->count = 0;
}

static void suspect_block(inquiry_t *self, uint32_t block)
{
    const rp_interest_index_t *stances = &self->layer->stances;
    const rp_affected_block_t concerns = rp_interest_index_look(stances, &self->glance, block);
    uint32_t left = concerns.asks | concerns.near | concerns.rival;
    for (; left != 0; left &= left - 1u) {
        const uint32_t bit = left & (0u - left);
        const uint32_t place = block * RP_INTEREST_BLOCK + (uint32_t)__builtin_ctz(left);
        self->suspects[self->count++] = (suspect_t){
            .place = place,
            .asks = (concerns.asks & bit) != 0,
            .is_near = (concerns.near & bit) != 0,
            .has_rival = (concerns.rival & bit) != 0,
        };
        rp_interest_index_prefetch(stances, &self->glance, place);
        if (self->count == TOGETHER) {
            look_again(self);
        }
    }
}

/// True when something became cheaper where a cheaper path than its own might run, but the search
/// of its herd knows that there is none. That takes in the changes once for the whole herd.
static bool is_kept(const inquiry_t *self, rp_goal_group_t *herd, const rp_interest_t *stance,
                    uint64_t version)
{
    return !stance->may_be_hurt && stance->term != 0 && herd->search.term == stance->term &&
           rp_goal_group_hear(herd, self->layer, version) &&
           rp_planner_keeps(herd->search.planner, stance->start, stance->units);
}

/// Ask the sessions of a herd, and wake those that are concerned only after the last was asked: the
/// search of the herd can answer as long as none of them waits for a plan.
static void ask_herd(const inquiry_t *self, rp_goal_group_t *herd, uint64_t version)
{
    rp_interest_t *list = self->layer->stances.list;
    uint32_t woken = 0;
    for (uint32_t place = herd->asked; place != 0;) {
        rp_interest_t *stance = &list[place - 1u];
        const uint32_t next = stance->next;
        if (next != 0 && list[next - 1u].may_be_hurt) {
            __builtin_prefetch(list[next - 1u].session->said.steps);
        }
        if (!is_kept(self, herd, stance, version) && is_concerned(self, stance)) {
            stance->next = woken;
            woken = place;
        }
        place = next;
    }
    herd->asked = 0;
    for (; woken != 0; woken = list[woken - 1u].next) {
        wake(list[woken - 1u].session, self->cause);
    }
}

static void wake_layer(rp_layer_t *layer, uint64_t version, rp_cause_t cause, uint64_t *budget)
{
    inquiry_t inquiry = {
        .layer = layer,
        .glance = rp_broad_phase_of(layer->is_unread ? NULL : &layer->news),
        .cause = cause,
        .budget = budget,
    };
    const uint32_t blocks = rp_interest_index_blocks(&layer->stances);
    for (uint32_t block = 0; block < blocks; block++) {
        suspect_block(&inquiry, block);
    }
    look_again(&inquiry);
    for (rp_goal_group_t *herd = inquiry.herds; herd != NULL; herd = herd->asked_next) {
        ask_herd(&inquiry, herd, version);
    }
}

void rp_world_invalidate(rp_world_t *world, rp_cause_t cause)
{
    uint64_t budget = world->asked_at_once;
    world->wakes.asked -= world->unsure_count; // the others were sure until now
    for (uint32_t i = 0; i < world->layer_count; i++) {
        world->wakes.asked += world->layers[i]->stances.count;
        if (world->layers[i]->is_rewritten) {
            wake_layer(world->layers[i], world->version, cause, &budget);
        }
    }
}
