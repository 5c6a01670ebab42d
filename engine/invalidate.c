/// For each layer: a broad phase over all its sessions, a narrow phase for those that it does not
/// rule out, goal group by goal group, and the queue for those that the version affects.
#include "engine/invalidate.h"

#include <stddef.h>

#include "engine/paths/change_impact.h"
#include "engine/session/affected.h"
#include "engine/session/session_queues.h"

/// So many are prefetched together: the cache misses overlap.
#define TOGETHER 32u

/// Whom a version may concern, as far as a broad phase tells.
typedef struct suspect {
    uint32_t place; ///< its interest
    bool asks;
    bool is_near;
    bool has_rival;
} suspect_t;

/// What a version asks of a layer.
typedef struct inquiry {
    rp_layer_t *layer;
    rp_broad_phase_t broad_phase;
    rp_cause_t cause;
    uint64_t *budget;             ///< for asking, in expansions
    rp_goal_group_t *groups;      ///< those with sessions to be asked, by asked_next
    suspect_t suspects[TOGETHER]; ///< prefetched [count]
    uint32_t count;
} inquiry_t;

static void invalidate(const rp_interest_t *interest, rp_cause_t cause)
{
    rp_session_t *session = interest->session;
    rp_world_t *world = session->world;
    rp_plan_queue_add(session, world->version - 1u, cause);
    if (rp_session_is_unsure(session)) {
        session->validity.state =
            interest->is_untested ? RP_SESSION_UNTESTED : RP_SESSION_INVALIDATED;
        world->roster->invalidations.invalidated += !interest->is_untested;
    }
}

/// True when a session must wait: for a plan, as the change concerns it, or to be asked in its
/// turn, as no budget is left to find out now. One with a timer waits for a plan in that case, as
/// its timer would be lost.
static bool is_concerned(const inquiry_t *self, rp_interest_t *interest)
{
    rp_session_t *session = interest->session;
    if (rp_session_is_unsure(session)) {
        return false;
    }
    interest->is_untested = *self->budget == 0 && session->schedule.timer_place == 0;
    if (*self->budget == 0) {
        session->validity.is_intact = false; // for all that is known here
        return true;
    }
    return rp_session_is_affected(session, interest->may_be_worse, self->budget);
}

/// Prefetch its group, and unless that may speak for it the session itself.
static void prefetch(const rp_interest_t *interest)
{
    const rp_session_t *session = interest->session;
    if (interest->may_be_worse) {
        __builtin_prefetch(session);
        __builtin_prefetch(&session->published);
        __builtin_prefetch(&session->goal);
        __builtin_prefetch(&session->position);
    }
    __builtin_prefetch(interest->group);
}

/// Sessions of a goal group are asked together later, others at once.
static void note(inquiry_t *self, uint32_t place)
{
    rp_interest_t *interest = &self->layer->audience->interests.list[place];
    rp_goal_group_t *group = interest->group;
    if (group == NULL) {
        if (is_concerned(self, interest)) {
            invalidate(interest, self->cause);
        }
        return;
    }
    if (group->asked == 0) {
        group->asked_next = self->groups;
        self->groups = group;
        __builtin_prefetch(group->search.planner);
    }
    interest->next = group->asked;
    group->asked = place + 1u;
}

/// Look again at those that a broad phase did not rule out.
static void look_again(inquiry_t *self)
{
    const rp_interest_index_t *interests = &self->layer->audience->interests;
    uint32_t count = 0;
    for (uint32_t i = 0; i < self->count; i++) {
        const suspect_t suspect = self->suspects[i];
        rp_interest_t *interest = &interests->list[suspect.place];
        interest->may_be_worse =
            suspect.asks || (suspect.is_near &&
                             rp_interest_index_enter(interests, &self->broad_phase, suspect.place));
        self->suspects[count] = suspect;
        if (interest->may_be_worse || suspect.has_rival) {
            prefetch(interest);
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
    const rp_interest_index_t *interests = &self->layer->audience->interests;
    const rp_affected_block_t concerns =
        rp_interest_index_look(interests, &self->broad_phase, block);
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
        rp_interest_index_prefetch(interests, &self->broad_phase, place);
        if (self->count == TOGETHER) {
            look_again(self);
        }
    }
}

/// True when something became cheaper where a cheaper path than its own might run, but the search
/// of its group knows that there is none. That takes in the changes once for the whole group.
static bool is_kept(const inquiry_t *self, rp_goal_group_t *group, const rp_interest_t *interest,
                    uint64_t version)
{
    return !interest->may_be_worse && interest->term != 0 && group->search.term == interest->term &&
           rp_goal_group_hear(group, self->layer, version) &&
           rp_planner_keeps(group->search.planner, interest->start, interest->units);
}

/// Ask the sessions of a goal group, and invalidate those that are affected only after the last was
/// asked: the search of the group can answer as long as none of them waits for a plan.
static void ask_group(const inquiry_t *self, rp_goal_group_t *group, uint64_t version)
{
    rp_interest_t *list = self->layer->audience->interests.list;
    uint32_t invalidated = 0;
    for (uint32_t place = group->asked; place != 0;) {
        rp_interest_t *interest = &list[place - 1u];
        const uint32_t next = interest->next;
        if (next != 0 && list[next - 1u].may_be_worse) {
            __builtin_prefetch(list[next - 1u].session->published.path.steps);
        }
        if (!is_kept(self, group, interest, version) && is_concerned(self, interest)) {
            interest->next = invalidated;
            invalidated = place;
        }
        place = next;
    }
    group->asked = 0;
    for (; invalidated != 0; invalidated = list[invalidated - 1u].next) {
        invalidate(&list[invalidated - 1u], self->cause);
    }
}

static void invalidate_layer(rp_layer_t *layer, uint64_t version, rp_cause_t cause,
                             uint64_t *budget)
{
    inquiry_t inquiry = {
        .layer = layer,
        .broad_phase = rp_broad_phase_of(layer->lacks_newest ? NULL : &layer->audience->impact),
        .cause = cause,
        .budget = budget,
    };
    const uint32_t blocks = rp_interest_index_blocks(&layer->audience->interests);
    for (uint32_t block = 0; block < blocks; block++) {
        suspect_block(&inquiry, block);
    }
    look_again(&inquiry);
    for (rp_goal_group_t *group = inquiry.groups; group != NULL; group = group->asked_next) {
        ask_group(&inquiry, group, version);
    }
}

void rp_world_invalidate(rp_world_t *world, rp_cause_t cause)
{
    uint64_t budget = world->roster->tests_at_once;
    world->roster->invalidations.asked -=
        world->roster->unsure_count; // the others were sure until now
    for (uint32_t i = 0; i < world->layer_count; i++) {
        rp_layer_t *layer = world->layers[i];
        rp_audience_read(layer);
        if (layer->audience == NULL) {
            continue;
        }
        world->roster->invalidations.asked += layer->audience->interests.count;
        if (layer->is_rewritten) {
            invalidate_layer(layer, world->version, cause, &budget);
        }
    }
}
