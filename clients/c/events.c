/// Events: what comes for the owner, message by message, in the order of arrival.
#include <string.h>

#include "caller.h"
#include "msgs/request.h"
#include "own_watches.h"

/// An event was handed out. The request keeps id 0, so that it is not replied to; a credit that
/// cannot leave now is tried again with the next event.
static void renew_credit(rp_client_t *self, rp_watch_place_t *watch)
{
    watch->spent++;
    if (watch->number == 0 || watch->line != self->line.breaks ||
        2 * (uint64_t)watch->spent < watch->credit) {
        return;
    }
    Replan__V1__Credit credit = REPLAN__V1__CREDIT__INIT;
    credit.watch = watch->number;
    credit.credit = watch->spent;
    Replan__V1__Request request = RP_REQUEST(CREDIT, credit, &credit);
    rp_named_t named;
    if (rp_caller_send(self, &request, false, &named) == RP_CLIENT_OK) {
        watch->spent = 0;
    }
}

// ---- events

static void hand_out_reply(rp_client_t *self, const Replan__V1__Reply *reply,
                           rp_client_event_t *event)
{
    const uint32_t at = rp_caller_find_waiting(self, reply->id);
    if (at < self->waiting_count) {
        rp_windows_reply(&self->windows, reply, &self->waiting[at].named);
        rp_own_watches_note_reply(self, reply, &self->waiting[at].named);
        self->waiting[at] = self->waiting[--self->waiting_count];
        *event = (rp_client_event_t){.kind = RP_CLIENT_REPLY, .reply = reply};
    } else {
        rp_own_watches_end_late(self, reply);
    }
}

/// An answer builds upon a path that is not here: have it sent whole. A request that cannot leave
/// now is not missed for long: the agent's next answer does not fit either.
static void ask_for_whole(rp_client_t *self, const rp_watch_place_t *watch, char *agent)
{
    Replan__V1__Credit credit = REPLAN__V1__CREDIT__INIT;
    credit.watch = watch->number;
    credit.whole = &agent;
    credit.n_whole = 1;
    Replan__V1__Request request = RP_REQUEST(CREDIT, credit, &credit);
    rp_named_t named;
    (void)rp_caller_send(self, &request, false, &named);
}

static void hand_out_answer(rp_client_t *self, const rp_watch_place_t *watch,
                            Replan__V1__Answer *answer, rp_client_event_t *event)
{
    if (!watch->splices || rp_paths_take(&self->paths, watch->id, answer)) {
        *event = (rp_client_event_t){.kind = RP_CLIENT_ANSWER, .answer = answer};
        rp_windows_hear(&self->windows, answer->world, answer->epoch, answer->window,
                        answer->geometry);
    } else {
        ask_for_whole(self, watch, answer->agent);
    }
}

/// Of a watch that resumes: what the owner knows now, and what its mirror takes in.
static void follow(rp_client_t *self, rp_watch_place_t *watch, const rp_client_event_t *event)
{
    switch (event->kind) {
    case RP_CLIENT_ANSWER:
        rp_own_watches_note(watch, event->answer->epoch, event->answer->version);
        return;
    case RP_CLIENT_HEAD:
        rp_own_watches_note(watch, event->head->epoch, event->head->version);
        break;
    case RP_CLIENT_DELTA:
        rp_own_watches_note(watch, event->delta->epoch, event->delta->version);
        break;
    case RP_CLIENT_CHUNK:
        rp_own_watches_note(watch, event->chunk->epoch, event->chunk->version);
        break;
    default:
        return;
    }
    if (watch->mirror != NULL && rp_mirror_needs_watch(rp_mirror_take(watch->mirror, event))) {
        rp_own_watches_repair(self, watch);
    }
}

/// The next answer of the batch at hand.
static void hand_out_next(rp_client_t *self, rp_client_event_t *event)
{
    rp_watch_place_t *watch = rp_own_watches_find(self, self->batch_watch);
    if (watch == NULL || self->batch_next == self->batch->n_answers) {
        self->batch = NULL; // read, or its watch ended meanwhile
        return;
    }
    hand_out_answer(self, watch, self->batch->answers[self->batch_next++], event);
    event->watch = event->kind != RP_CLIENT_NOTHING ? watch->id : 0;
    follow(self, watch, event);
    renew_credit(self, watch);
}

/// It may be for a watch that is being asked for again, whose number is not known yet.
static void keep_early(rp_client_t *self, uint32_t number)
{
    if (number != 0 && rp_own_watches_are_asked(self)) {
        (void)rp_frame_queue_put(&self->early, &self->event.frame);
        zmq_msg_init(&self->event.frame);
    }
}

/// What nobody waits for leaves the event as it is: malformed, late, of a watch that ended.
static void hand_out(rp_client_t *self, const Replan__V1__ToClient *news, rp_client_event_t *event)
{
    if (news == NULL) {
        return;
    }
    if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_REPLY) {
        if (!rp_own_watches_take_reply(self, news->reply, event)) {
            hand_out_reply(self, news->reply, event);
        }
        return;
    }
    rp_watch_place_t *watch = news->watch == 0 ? NULL : rp_own_watches_by_number(self, news->watch);
    if (watch == NULL) {
        keep_early(self, news->watch);
        return;
    }
    switch (news->body_case) {
    case REPLAN__V1__TO_CLIENT__BODY_ANSWER:
        hand_out_answer(self, watch, news->answer, event);
        break;
    case REPLAN__V1__TO_CLIENT__BODY_ANSWERS:
        self->batch = news->answers;
        self->batch_next = 0;
        self->batch_watch = watch->id;
        return;
    case REPLAN__V1__TO_CLIENT__BODY_HEAD:
        *event = (rp_client_event_t){.kind = RP_CLIENT_HEAD, .head = news->head};
        break;
    case REPLAN__V1__TO_CLIENT__BODY_DELTA:
        *event = (rp_client_event_t){.kind = RP_CLIENT_DELTA, .delta = news->delta};
        rp_windows_hear(&self->windows, news->delta->world, news->delta->epoch, news->delta->window,
                        news->delta->geometry);
        break;
    case REPLAN__V1__TO_CLIENT__BODY_CHUNK:
        *event = (rp_client_event_t){.kind = RP_CLIENT_CHUNK, .chunk = news->chunk};
        rp_windows_hear(&self->windows, news->chunk->world, news->chunk->epoch, news->chunk->window,
                        news->chunk->geometry);
        break;
    case REPLAN__V1__TO_CLIENT__BODY_ENDED:
        *event =
            (rp_client_event_t){.kind = RP_CLIENT_ENDED, .watch = watch->id, .ended = news->ended};
        rp_own_watches_drop(self, watch);
        return;
    default:
        return;
    }
    event->watch = event->kind != RP_CLIENT_NOTHING ? watch->id : 0;
    follow(self, watch, event);
    renew_credit(self, watch);
}

/// What came before the break has been handed out.
static void hand_out_break(rp_client_t *self, rp_client_event_t *event)
{
    self->is_lost = false;
    self->waiting_count = 0;
    rp_windows_forget(&self->windows);
    rp_own_watches_break(self);
    event->kind = RP_CLIENT_LOST;
}

/// Wait for a frame, and meanwhile ask again for watches that broke.
static rp_line_event_t wait_for(rp_client_t *self, int64_t deadline_ms, zmq_msg_t *frame)
{
    for (;;) {
        rp_own_watches_go_on(self);
        const int64_t wake_ms = rp_own_watches_wake_ms(self);
        const bool is_early = wake_ms >= 0 && (deadline_ms < 0 || wake_ms < deadline_ms);
        const rp_line_event_t arrival =
            rp_caller_receive(self, is_early ? wake_ms : deadline_ms, frame);
        if (arrival != RP_LINE_NOTHING || !is_early || rp_line_now_ms() < wake_ms) {
            return arrival;
        }
        rp_own_watches_expire(self);
    }
}

bool rp_client_poll(rp_client_t *self, int timeout_ms, rp_client_event_t *event)
{
    const int64_t deadline = timeout_ms < 0 ? -1 : rp_line_now_ms() + timeout_ms;
    if (event == NULL) {
        return false;
    }
    *event = (rp_client_event_t){.kind = RP_CLIENT_NOTHING};
    while (event->kind == RP_CLIENT_NOTHING) {
        zmq_msg_t frame;
        if (self->batch != NULL) {
            hand_out_next(self, event);
            continue;
        }
        if (self->is_lost && self->before_break == 0) {
            hand_out_break(self, event);
            return true;
        }
        if (rp_frame_queue_take(&self->inbox, &frame)) {
            self->before_break -= self->is_lost ? 1u : 0u;
        } else {
            const rp_line_event_t arrival = wait_for(self, deadline, &frame);
            if (arrival == RP_LINE_NOTHING) {
                return false;
            }
            if (arrival == RP_LINE_BROKE) {
                continue;
            }
        }
        hand_out(self, rp_caller_unpack(&self->event, &frame), event);
    }
    return true;
}

int rp_client_wake_ms(const rp_client_t *self)
{
    const int64_t wake_ms = rp_own_watches_wake_ms(self);
    return wake_ms < 0 ? -1 : (int)rp_line_left_ms(wake_ms);
}
