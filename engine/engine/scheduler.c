/// The scheduler: what a step spends its budget on. Deadlines come first, then questions, then
/// sessions, world by world, and sessions that may wait come last. Within a world short plans
/// overtake a long one.
#include "engine/core.h"
#include "engine/engine/drawing.h"
#include "engine/session/affected.h"
#include "engine/session/decision.h"
#include "engine/session/provisional.h"

/// Sessions that are tried, at most, while a long search is under way.
#define PASSED_AT_ONCE 256u

/// Sessions whose timer has run out that become unsure in a step, at most: a microsecond each.
#define WOKEN_AT_ONCE 1024u

/// Deferred memory that a step frees, in bytes of addresses, and when more is held than may be; and
/// what idle time frees in the time of an expansion. A megabyte that was touched takes some 60 us.
#define CLEARED_A_STEP ((uint64_t)4 << 20)
#define CLEARED_FULL   ((uint64_t)32 << 20)
#define CLEARED_EACH   4096u

/// Searches that do not fit within the limit of memory, as one always stays, go when nobody has
/// planned for so long.
#define KEPT_BEYOND_US UINT64_C(10000000)

/// Preparing a search in idle time takes several expansions a cell, and pays when it spares
/// searches of as many. The only planner there is may be prepared at once; for each other planner a
/// session must have searched one in so many of the cells before.
#define EARNED_SHARE 16u

/// Cells are counted with what sessions leave of a step, as nobody waits for it: up to a share of
/// it, as a request may come meanwhile, and a smaller one where sessions leave nothing, or an
/// answer is to be told.
#define COUNTED_SHARE       4u
#define COUNTED_SHARE_LEAST 16u

rp_effort_t rp_engine_effort(const rp_engine_t *self)
{
    return self != NULL ? self->effort : (rp_effort_t){.expanded = 0};
}

/// Deadline for an answer of a session that becomes unsure now; RP_NEVER_US: none.
static uint64_t deadline_of(const rp_session_t *session, uint64_t now_us)
{
    const uint32_t within_ms = session->policy.answer_within_ms;
    if (session->policy.starts_at_once && rp_session_is_due(session, RP_DUE_GOALS)) {
        return now_us;
    }
    return within_ms != 0 ? now_us + (uint64_t)within_ms * 1000u : RP_NEVER_US;
}

/// Ask a session that waits for it whether the newest version concerns it.
/// @return true when it does not, so that its answer stands
static bool is_let_off(rp_engine_t *self, rp_session_t *session, uint64_t *budget)
{
    rp_world_t *world = session->world;
    const bool is_known =
        session->validity.tested_at == world->version && !session->published.is_provisional;
    if (session->validity.state != RP_SESSION_UNTESTED) {
        return false;
    }
    rp_session_stop_asking(session);
    if (!is_known) {
        return false;
    }
    session->validity.is_intact = rp_answer_has_path(session->published.outcome); // as it was
    if (rp_session_is_affected(session, true, budget)) {
        session->validity.state = RP_SESSION_INVALIDATED;
        world->roster->invalidations.invalidated++;
        return false;
    }
    rp_plan_queue_remove(session);
    rp_timers_set(&self->timers, session, RP_NEVER_US);
    return true;
}

/// Count what a session's planner of curves holds. One that finds no room goes: it is made anew
/// when the session plans next.
static void count_driver(rp_engine_t *self, rp_driver_t *driver)
{
    const uint64_t others = self->driving_bytes - driver->counted;
    driver->counted = rp_driver_bytes(driver);
    if (driver->lattice != NULL && driver->search.stage != RP_DRIVER_SEARCHES &&
        others + driver->counted > self->search_bytes) {
        rp_driver_drop(driver);
        driver->counted = rp_driver_bytes(driver);
    }
    self->driving_bytes = others + driver->counted;
    self->may_improve = true;
}

/// Plan for one session.
/// @return false without memory: it stays unsure, and is tried again in a later step
static bool plan_for(rp_engine_t *self, rp_session_t *session, uint64_t *budget)
{
    rp_world_t *world = session->world;
    const double cost = session->published.cost;
    const double excess = session->published.excess;
    bool is_new;
    uint64_t look_us;
    if (is_let_off(self, session, budget)) {
        return true;
    }
    const rp_effort_t before = session->schedule.effort;
    self->planned_us = self->now_us;
    rp_drawing_begin(self, session);
    const rp_status_t status = rp_session_plan(session, self->now_us, budget, &is_new, &look_us);
    rp_drawing_end();
    self->is_at_rest = self->is_at_rest && session->own.planner == NULL;
    if (session->goal.group != NULL) {
        session->goal.group->is_busy = session->schedule.is_long;
    }
    self->effort.expanded += session->schedule.effort.expanded - before.expanded;
    self->effort.checked += session->schedule.effort.checked - before.checked;
    self->effort.differed += session->schedule.effort.differed - before.differed;
    if (session->driver != NULL) {
        count_driver(self, session->driver);
    }
    rp_planner_cache_trim(&self->searches, rp_engine_room(self));
    if (is_new) {
        rp_answer_queue_add(&self->published, session);
    }
    if (status != RP_OK) {
        return status == RP_MORE; // the budget is spent, or the path must begin elsewhere
    }
    world->roster->invalidations.needed +=
        session->validity.state == RP_SESSION_INVALIDATED &&
        (is_new || session->published.cost != cost || session->published.excess != excess);
    rp_plan_queue_remove(session);
    rp_session_note_interest(session);
    rp_timers_set(&self->timers, session, look_us);
    return true;
}

/// True when a session needs many steps: its search was interrupted, or that of another session of
/// its group (which it would have to begin again from its own start), its layer is still being
/// computed, the search for the cell nearest to its goal is under way, or the planners that it
/// could share are at work.
static bool is_slow(const rp_session_t *session)
{
    return session->schedule.is_long ||
           (session->goal.group != NULL && session->goal.group->is_busy) ||
           !rp_layer_is_whole(session->layer) ||
           (session->goal.nearest != NULL && !session->goal.nearest->is_done) ||
           (session->position.is_escaping && !session->position.escape->is_done) ||
           rp_session_awaits_planner(session);
}

/// A long search is under way: those behind it that may need little pass it, with half of the
/// budget, so that nobody waits for the largest search of all.
static void let_pass(rp_engine_t *self, const rp_session_t *first, uint64_t *budget)
{
    uint64_t share = *budget / 2u;
    const uint64_t given = share;
    bool has_memory = true;
    rp_session_t *session = first->schedule.next;
    for (unsigned i = 0; session != NULL && share != 0 && has_memory && i < PASSED_AT_ONCE; i++) {
        rp_session_t *next = session->schedule.next;
        has_memory = is_slow(session) || plan_for(self, session, &share);
        session = next;
    }
    *budget -= given - share;
}

bool rp_engine_make_room(rp_engine_t *self)
{
    const bool has_any =
        self != NULL && (self->searches.count != 0 || self->deferred_free.held != 0);
    if (has_any) {
        rp_planner_cache_evict(&self->searches);
        (void)rp_deferred_free_clear(&self->deferred_free, UINT64_MAX);
    }
    return has_any;
}

/// Plan for the session that waits longest; without memory the planners of others make room.
/// @return false without memory, also then
static bool plan_for_first(rp_engine_t *self, const rp_waiting_t *waiting, uint64_t *budget)
{
    bool has_memory = plan_for(self, waiting->first, budget);
    for (uint64_t left = self->searches.count; !has_memory && left != 0; left--) {
        (void)rp_engine_make_room(self);
        has_memory = plan_for(self, waiting->first, budget);
    }
    return has_memory;
}

/// Plan for the sessions of one world and rank while the budget lasts.
/// @return true when work is left
static bool step_world(rp_engine_t *self, rp_waiting_t *waiting, uint64_t *budget)
{
    bool has_memory = true;
    if (waiting->first != NULL && is_slow(waiting->first)) {
        let_pass(self, waiting->first, budget);
    }
    while (has_memory && waiting->first != NULL && *budget != 0) {
        has_memory = plan_for_first(self, waiting, budget);
    }
    self->is_short = self->is_short || !has_memory;
    return waiting->first != NULL;
}

/// Set the deadlines of sessions that became unsure since the last step.
static void set_deadlines(rp_engine_t *self, rp_waiting_t *waiting)
{
    for (rp_session_t *session = waiting->first_new; session != NULL;
         session = session->schedule.next) {
        session->schedule.unsure_us = self->now_us;
        rp_plan_queue_see_new(session);
        rp_timers_set(&self->timers, session, deadline_of(session, self->now_us));
    }
    waiting->first_new = NULL;
}

static void set_all_deadlines(rp_engine_t *self)
{
    for (uint32_t place = 0; place < self->worlds.capacity; place++) {
        rp_world_t *world = self->worlds.items[place];
        for (unsigned rank = 0; rank < RP_RANKS && world != NULL; rank++) {
            set_deadlines(self, &world->roster->unsure[rank]);
        }
    }
}

/// Say something legal before the search is done.
static rp_status_t hasten(rp_engine_t *self, rp_session_t *session, uint64_t *budget)
{
    bool is_new;
    rp_world_complete(session->world);
    const rp_status_t status = rp_session_hasten(session, self->now_us, budget, &is_new);
    if (status == RP_OK && is_new) {
        rp_answer_queue_add(&self->published, session);
    }
    return status;
}

/// Plan again for sessions whose policy asks for it now; their answers still hold until then.
static void wake_looks(rp_engine_t *self)
{
    rp_session_t *session;
    for (unsigned i = 0; i < WOKEN_AT_ONCE; i++) {
        session = rp_timers_take(&self->timers, RP_TIMER_LOOK, self->now_us);
        if (session == NULL) {
            return;
        }
        rp_plan_queue_add(session, session->world->version, (rp_cause_t){0, 0});
    }
}

/// Let sessions whose deadline has come give a provisional answer, with half of the budget.
static void ring_deadlines(rp_engine_t *self, uint64_t *budget)
{
    uint64_t share = *budget / 2u + *budget % 2u;
    const uint64_t given = share;
    rp_session_t *session;
    while (share != 0 &&
           (session = rp_timers_take(&self->timers, RP_TIMER_DEADLINE, self->now_us)) != NULL) {
        (void)hasten(self, session, &share); // without memory it is tried again
        const uint64_t deadline = deadline_of(session, self->now_us);
        const uint64_t next_us = self->now_us + 1u; // once in a step, whatever comes of it
        rp_timers_set(&self->timers, session, deadline > next_us ? deadline : next_us);
    }
    *budget -= given - share;
}

/// What came of looking for a cheaper curve: only what was weighed may set another timer.
/// @return true when the session is to plan again
static bool note_improved(rp_engine_t *self, rp_session_t *session, rp_status_t status,
                          uint64_t look_us)
{
    count_driver(self, session->driver);
    if (status == RP_OK) {
        rp_timers_set(&self->timers, session, look_us);
    } else if (status == RP_E_UNSUPPORTED) {
        rp_plan_queue_add(session, session->world->version, (rp_cause_t){0, 0});
    }
    return status == RP_E_UNSUPPORTED;
}

/// Look for cheaper curves with what the sessions leave.
/// @return true when work is left
static bool improve(rp_engine_t *self, uint64_t *budget)
{
    bool plans_again = false;
    for (uint32_t place = 0; self->may_improve && place < self->worlds.capacity; place++) {
        const rp_world_t *world = self->worlds.items[place];
        rp_session_t *session = world != NULL ? world->roster->sessions : NULL;
        for (; session != NULL; session = session->world_next) {
            if (!rp_driving_may_improve(session)) {
                continue;
            }
            bool is_new = false;
            uint64_t look_us = RP_NEVER_US;
            if (*budget == 0) {
                return true;
            }
            const rp_status_t status =
                rp_driving_improve(session, self->now_us, budget, &is_new, &look_us);
            if (status == RP_MORE) {
                return true;
            }
            plans_again = note_improved(self, session, status, look_us) || plans_again;
            if (is_new) {
                rp_answer_queue_add(&self->published, session);
            }
        }
    }
    self->may_improve = false;
    return plans_again;
}

static void expire_shapes(rp_engine_t *self)
{
    uint64_t version;
    for (uint32_t place = 0; place < self->worlds.capacity; place++) {
        (void)rp_engine_expire(self, rp_table_handle(&self->worlds, place), self->now_us,
                               (rp_cause_t){0, 0}, &version);
    }
}

/// True when the planners hold more than they may.
static bool is_beyond(const rp_engine_t *self)
{
    return self->searches.count != 0 && self->searches.bytes > rp_engine_room(self);
}

/// The last planner stays beyond the limit, as a change would need it; but not for good. With it
/// go the components of layers, which can be found anew, too.
static void drop_beyond(rp_engine_t *self)
{
    if (!is_beyond(self) || self->now_us - self->planned_us < KEPT_BEYOND_US) {
        return;
    }
    while (is_beyond(self)) {
        rp_planner_cache_evict(&self->searches);
    }
    for (uint32_t place = 0; place < self->worlds.capacity; place++) {
        const rp_world_t *world = self->worlds.items[place];
        for (uint32_t i = 0; world != NULL && i < world->layer_count; i++) {
            rp_layer_drop_components(world->layers[i]);
        }
    }
}

uint64_t rp_engine_next_us(const rp_engine_t *self)
{
    if (self == NULL) {
        return RP_NEVER_US;
    }
    uint64_t next_us = rp_timers_next_us(&self->timers);
    if (is_beyond(self) && self->planned_us + KEPT_BEYOND_US < next_us) {
        next_us = self->planned_us + KEPT_BEYOND_US;
    }
    for (uint32_t place = 0; place < self->worlds.capacity; place++) {
        const rp_world_t *world = self->worlds.items[place];
        if (world != NULL && world->overlay.next_expiry_us < next_us) {
            next_us = world->overlay.next_expiry_us;
        }
    }
    return next_us;
}

/// Plan for the sessions of one rank in all worlds, each in its turn.
/// @return true when work is left
static bool step_worlds(rp_engine_t *self, rp_rank_t rank, uint64_t *budget)
{
    const uint32_t count = self->worlds.capacity;
    const uint32_t first = self->next_world[rank];
    bool is_work_left = false;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t place = (first + i) % count;
        rp_world_t *world = self->worlds.items[place];
        if (world == NULL || world->roster->unsure[rank].first == NULL ||
            !rp_world_is_written(world)) {
            continue;
        }
        if (*budget == 0) {
            self->next_world[rank] = place; // it had no turn in this step
            return true;
        }
        if (!step_world(self, &world->roster->unsure[rank], budget)) {
            continue;
        }
        is_work_left = true;
        if (*budget == 0) {
            self->next_world[rank] = (place + 1u) % count;
            return true;
        }
    }
    return is_work_left;
}

/// Go on writing the bytes of worlds that opened, with half of the budget. Their sessions wait.
/// @return true when some are left
static bool write_unfilled(rp_engine_t *self, uint64_t *budget)
{
    uint64_t share = *budget / 2u + *budget % 2u;
    const uint64_t given = share;
    bool is_left = false;
    for (uint32_t place = 0; place < self->worlds.capacity; place++) {
        rp_world_t *world = self->worlds.items[place];
        is_left =
            (world != NULL && rp_lazy_fill_work(&world->unfilled, world->bytes, &share)) || is_left;
    }
    *budget -= given - share;
    return is_left;
}

/// Look for answers to questions with half of the budget: sessions come first, but not alone.
/// @return true when work is left
static bool work_asks(rp_engine_t *self, uint64_t *budget)
{
    uint64_t share = *budget / 2u + *budget % 2u;
    const uint64_t given = share;
    bool is_left = false;
    for (uint32_t place = 0; self->ask_count != 0 && place < self->asks.capacity; place++) {
        rp_query_t *ask = self->asks.items[place];
        if (ask != NULL && !ask->is_answered) {
            rp_status_t status = rp_query_work(ask, &share);
            for (uint64_t left = self->searches.count; status == RP_E_MEMORY && left != 0; left--) {
                (void)rp_engine_make_room(self);
                status = rp_query_work(ask, &share);
            }
            is_left = status != RP_OK || is_left;
            self->is_short = self->is_short || status == RP_E_MEMORY;
        }
    }
    *budget -= given - share;
    return is_left;
}

bool rp_engine_count(rp_engine_t *self, uint64_t budget)
{
    bool is_left = false;
    for (uint32_t place = 0; self != NULL && place < self->worlds.capacity && !is_left; place++) {
        rp_world_t *world = self->worlds.items[place];
        is_left = world != NULL && !rp_world_is_counted(world) && rp_world_count(world, &budget);
    }
    return is_left;
}

rp_status_t rp_engine_hasten(rp_engine_t *self, rp_session_id_t session)
{
    rp_session_t *late = rp_engine_session(self, session);
    uint64_t budget = UINT64_MAX;
    if (late == NULL) {
        return RP_E_UNKNOWN;
    }
    return rp_session_is_unsure(late) ? hasten(self, late, &budget) : RP_OK;
}

bool rp_engine_step(rp_engine_t *self, uint64_t now_us, uint64_t budget)
{
    if (self == NULL) {
        return false;
    }
    const uint64_t held = rp_engine_ground_bytes(self) + self->session_count * sizeof(rp_session_t);
    self->search_bytes = self->memory_bytes > held ? self->memory_bytes - held : 0u;
    self->now_us = now_us;
    self->is_short = false;
    drop_beyond(self);
    expire_shapes(self);
    set_all_deadlines(self);
    wake_looks(self);
    ring_deadlines(self, &budget);
    const bool is_asked = work_asks(self, &budget);
    const bool is_unfilled = write_unfilled(self, &budget);
    const bool counts = rp_engine_count(self, 0) && budget != 0;
    const uint64_t share = budget / COUNTED_SHARE;
    const uint64_t kept = counts ? budget / COUNTED_SHARE_LEAST : 0u;
    budget -= kept;
    const bool is_first_left = step_worlds(self, RP_RANK_FIRST, &budget);
    const bool is_patient_left = step_worlds(self, RP_RANK_PATIENT, &budget);
    const bool is_improvable = improve(self, &budget);
    const bool is_at_leisure = self->published.first == NULL;
    const uint64_t left = is_at_leisure ? budget + kept : kept;
    const uint64_t counted = left < share ? left : share; // at least 1, or small steps never end
    const bool is_uncounted = rp_engine_count(self, counts && counted == 0 ? 1u : counted);
    const bool is_full = self->searches.bytes + self->deferred_free.held > rp_engine_room(self);
    (void)rp_deferred_free_clear(&self->deferred_free, is_full ? CLEARED_FULL : CLEARED_A_STEP);
    return is_first_left || is_patient_left || is_improvable || is_asked || is_uncounted ||
           is_unfilled;
}

bool rp_engine_is_short(const rp_engine_t *self)
{
    return self != NULL && self->is_short;
}

/// A search of a session's own may work ahead when it has heard of everything, is asked often for
/// one among so many, and when nobody else's has to go for what it may come to hold. The common
/// ones serve whoever comes next.
static bool may_idle(const rp_engine_t *self, const rp_session_t *session)
{
    const uint64_t cells = session->layer->grid->cell_count;
    const uint64_t most = cells * session->about->bytes_per_cell;
    const bool has_earned =
        session->schedule.effort.expanded >= cells / EARNED_SHARE * (self->searches.count - 1u);
    return has_earned && session->own.heard == session->world->version &&
           !rp_session_is_unsure(session) && self->searches.bytes + most <= rp_engine_room(self);
}

bool rp_engine_idle(rp_engine_t *self, uint64_t budget)
{
    if (self == NULL) {
        return false;
    }
    if (!rp_deferred_free_is_empty(&self->deferred_free)) {
        const uint64_t most = UINT64_MAX / CLEARED_EACH;
        (void)rp_deferred_free_clear(&self->deferred_free,
                                     (budget < most ? budget : most) * CLEARED_EACH);
        return true;
    }
    for (uint32_t place = 0; !self->is_at_rest && place < self->worlds.capacity; place++) {
        const rp_world_t *world = self->worlds.items[place];
        rp_session_t *session = world != NULL ? world->roster->sessions : NULL;
        for (; session != NULL && budget != 0; session = session->world_next) {
            if (session->own.planner != NULL && !session->own.is_at_rest) {
                rp_cached_planner_idle(&session->own, may_idle(self, session), &budget);
            }
        }
    }
    self->is_at_rest = budget != 0;
    return !self->is_at_rest;
}

// ---- how far all are

/// Skip the sessions of one rank that are overdue. The session that waits longest comes first, and
/// was sure up to the oldest version.
/// @param passed  written [RP_OVERDUE_MAX / 2]
/// @return the first that is not overdue, or NULL
static const rp_session_t *pass_overdue(const rp_engine_t *self, const rp_waiting_t *waiting,
                                        uint64_t patience_us, const rp_session_t **passed,
                                        size_t *count)
{
    const rp_session_t *session = waiting->first;
    *count = 0;
    while (session != waiting->first_new &&
           self->now_us - session->schedule.unsure_us >= patience_us &&
           *count < RP_OVERDUE_MAX / 2u) {
        passed[(*count)++] = session;
        session = session->schedule.next;
    }
    return session;
}

uint64_t rp_engine_settled_but(const rp_engine_t *self, rp_world_id_t world, uint64_t patience_us,
                               rp_session_id_t *overdue, size_t *count)
{
    const rp_world_t *asked = rp_engine_world(self, world);
    const rp_session_t *passed[RP_OVERDUE_MAX];
    size_t passed_count = 0;
    uint64_t settled = asked != NULL ? asked->version : 0u;
    if (overdue == NULL || count == NULL) {
        return 0;
    }
    *count = 0;
    for (unsigned rank = 0; rank < RP_RANKS && asked != NULL; rank++) {
        size_t more;
        const rp_session_t *first = pass_overdue(self, &asked->roster->unsure[rank], patience_us,
                                                 passed + passed_count, &more);
        settled = first != NULL && first->validity.sure_until < settled ? first->validity.sure_until
                                                                        : settled;
        passed_count += more;
    }
    for (size_t i = 0; i < passed_count; i++) {
        if (passed[i]->validity.sure_until < settled) {
            overdue[(*count)++] = passed[i]->id;
        }
    }
    return settled;
}

uint64_t rp_engine_settled(const rp_engine_t *self, rp_world_id_t world)
{
    rp_session_id_t nobody[RP_OVERDUE_MAX];
    size_t count;
    return rp_engine_settled_but(self, world, RP_NEVER_US, nobody, &count);
}

bool rp_engine_next_answer(rp_engine_t *self, rp_answer_t *answer)
{
    rp_session_t *session = self != NULL && answer != NULL ? self->published.first : NULL;
    if (session == NULL) {
        return false;
    }
    rp_answer_queue_remove(&self->published, session);
    rp_session_settle(session);
    rp_session_answer(session, answer);
    return true;
}
