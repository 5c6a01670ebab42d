/// Who waits, held against arrays in which one stands behind the other.
#include "engine/session/session_queues.h"

#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    WORLDS = 2,
    SESSIONS = 24,
    ACTS = 4000,
};

/// A queue as an array, the first one in front.
typedef struct line {
    const rp_session_t *list[SESSIONS];
    size_t count;
} line_t;

static rp_random_t rng;
static rp_roster_t rosters[WORLDS];
static rp_world_t worlds[WORLDS];
static rp_goal_group_t groups[WORLDS];
static rp_session_t sessions[SESSIONS];
static line_t unsure[WORLDS][RP_RANKS];
static rp_answer_queue_t published;
static line_t speakers;

static bool stands_in(const line_t *line, const rp_session_t *session)
{
    size_t i = 0;
    while (i < line->count && line->list[i] != session) {
        i++;
    }
    return i < line->count;
}

static void join(line_t *line, const rp_session_t *session)
{
    if (!stands_in(line, session)) {
        line->list[line->count++] = session;
    }
}

static void leave(line_t *line, const rp_session_t *session)
{
    size_t kept = 0;
    for (size_t i = 0; i < line->count; i++) {
        line->list[kept] = line->list[i];
        kept += line->list[i] != session;
    }
    line->count = kept;
}

static void begin(void)
{
    rng = (rp_random_t){1};
    for (unsigned i = 0; i < SESSIONS; i++) {
        rp_world_t *world = &worlds[i % WORLDS];
        world->roster = &rosters[i % WORLDS];
        sessions[i] = (rp_session_t){
            .world = world,
            .goal.group = i % 3 == 0 ? &groups[i % WORLDS] : NULL,
            .policy = {.may_wait = i % 5 < 2},
            .position.has_pose = i % 7 != 0,
            .goal.is_given = i % 11 != 0,
        };
        world->version = 10;
    }
}

static line_t *line_of(const rp_session_t *session)
{
    const rp_rank_t rank = session->policy.may_wait ? RP_RANK_PATIENT : RP_RANK_FIRST;
    return &unsure[session->world - worlds][rank];
}

static void check_unsure(void)
{
    for (unsigned i = 0; i < WORLDS; i++) {
        uint32_t count = 0;
        uint32_t of_group = 0;
        for (unsigned rank = 0; rank < RP_RANKS; rank++) {
            const line_t *line = &unsure[i][rank];
            const rp_session_t *session = rosters[i].unsure[rank].first;
            const rp_session_t *before = NULL;
            for (size_t place = 0; place < line->count; place++) {
                RP_EACH(session == line->list[place] && rp_session_is_unsure(session));
                RP_EACH(session->schedule.previous == before);
                of_group += session->goal.group != NULL;
                before = session;
                session = session->schedule.next;
            }
            RP_EACH(session == NULL && rosters[i].unsure[rank].last == before);
            count += (uint32_t)line->count;
        }
        RP_EACH_EQ(rosters[i].unsure_count, count);
        RP_EACH_EQ(groups[i].unsure, of_group);
    }
}

START_TEST(for_a_plan_they_wait_in_the_order_in_which_they_came)
{
    uint64_t true_until[SESSIONS] = {0};
    begin();
    for (unsigned act = 0; act < ACTS; act++) {
        const uint32_t i = rp_random_below(&rng, SESSIONS);
        rp_session_t *session = &sessions[i];
        if (rp_random_chance(&rng, 60)) {
            const uint64_t version = session->world->version++;
            const bool comes = session->position.has_pose && session->goal.is_given &&
                               !stands_in(line_of(session), session);
            rp_plan_queue_add(session, version, (rp_cause_t){act, act});
            if (comes) {
                join(line_of(session), session);
                true_until[i] = version;
                RP_EACH_EQ(session->schedule.cause.arrival_us, act);
            }
        } else {
            rp_plan_queue_remove(session);
            leave(line_of(session), session);
        }
        RP_EACH_EQ(rp_session_is_unsure(session), stands_in(line_of(session), session));
        RP_EACH(!rp_session_is_unsure(session) || session->validity.sure_until == true_until[i]);
        check_unsure();
    }
}
END_TEST

/// Where those begin who came since the turns looked last, as they do by forgetting it.
START_TEST(who_came_since_the_last_step_stands_behind_the_mark)
{
    bool is_fresh[SESSIONS] = {false};
    begin();
    for (unsigned act = 0; act < ACTS; act++) {
        rp_session_t *session = &sessions[rp_random_below(&rng, SESSIONS)];
        rp_waiting_t *waiting =
            &session->world->roster
                 ->unsure[session->policy.may_wait ? RP_RANK_PATIENT : RP_RANK_FIRST];
        const bool was_there = rp_session_is_unsure(session);
        if (rp_random_chance(&rng, 10)) {
            waiting->first_new = NULL;
            for (rp_session_t *i = waiting->first; i != NULL; i = i->schedule.next) {
                is_fresh[i - sessions] = false;
                rp_plan_queue_see_new(i);
            }
        } else if (rp_random_chance(&rng, 50)) {
            rp_plan_queue_add(session, session->world->version, (rp_cause_t){0, 0});
            is_fresh[session - sessions] |= !was_there && rp_session_is_unsure(session);
        } else {
            rp_plan_queue_remove(session);
            is_fresh[session - sessions] = false;
        }
        bool is_behind = false;
        for (const rp_session_t *i = waiting->first; i != NULL; i = i->schedule.next) {
            is_behind |= i == waiting->first_new;
            RP_EACH_EQ(is_behind, is_fresh[i - sessions]);
        }
    }
}
END_TEST

/// A session of this group, or of none.
static rp_session_t *set_out(rp_session_t *session, rp_goal_group_t *group)
{
    *session = (rp_session_t){
        .world = &worlds[0],
        .goal = {.group = group, .is_given = true},
        .position.has_pose = true,
    };
    rp_plan_queue_add(session, worlds[0].version, (rp_cause_t){0, 0});
    return session;
}

static void check_order(rp_session_t *const *order, size_t count)
{
    const rp_session_t *before = NULL;
    const rp_session_t *at = rosters[0].unsure[RP_RANK_FIRST].first;
    for (size_t i = 0; i < count; i++, before = at, at = at->schedule.next) {
        ck_assert_ptr_eq(at, order[i]);
        ck_assert_ptr_eq(at->schedule.previous, before);
    }
    ck_assert_ptr_null(at);
    ck_assert_ptr_eq(rosters[0].unsure[RP_RANK_FIRST].last, before);
}

START_TEST(those_of_a_group_that_come_between_two_steps_stand_together)
{
    begin();
    rp_session_t *a = set_out(&sessions[0], &groups[0]);
    rp_session_t *b = set_out(&sessions[1], &groups[1]);
    rp_session_t *alone = set_out(&sessions[2], NULL);
    rp_session_t *a2 = set_out(&sessions[3], &groups[0]);
    rp_session_t *b2 = set_out(&sessions[4], &groups[1]);
    check_order((rp_session_t *[]){a, a2, b, b2, alone}, 5);
    worlds[0].version++; // it is sure of more than the others of its group
    rp_session_t *a3 = set_out(&sessions[5], &groups[0]);
    check_order((rp_session_t *[]){a, a2, b, b2, alone, a3}, 6);
    rosters[0].unsure[RP_RANK_FIRST].first_new = NULL; // a step
    rp_plan_queue_see_new(a3);
    rp_session_t *b3 = set_out(&sessions[6], &groups[1]);
    rp_session_t *a4 = set_out(&sessions[7], &groups[0]);
    rp_plan_queue_remove(b3); // nobody stands behind who has left
    rp_session_t *b4 = set_out(&sessions[8], &groups[1]);
    check_order((rp_session_t *[]){a, a2, b, b2, alone, a3, a4, b4}, 8);
}
END_TEST

START_TEST(who_put_a_switch_off_keeps_its_cause)
{
    begin();
    sessions[1].schedule.is_put_off = true;
    sessions[1].schedule.cause = (rp_cause_t){7, 8};
    rp_plan_queue_add(&sessions[1], 10, (rp_cause_t){9, 9});
    ck_assert_uint_eq(sessions[1].schedule.cause.source_us, 7);
}
END_TEST

START_TEST(they_are_heard_in_the_order_in_which_they_spoke)
{
    begin();
    for (unsigned act = 0; act < ACTS; act++) {
        rp_session_t *session = &sessions[rp_random_below(&rng, SESSIONS)];
        if (rp_random_chance(&rng, 50)) {
            rp_answer_queue_add(&published, session);
            join(&speakers, session);
        } else {
            rp_answer_queue_remove(&published, session);
            leave(&speakers, session);
        }
        const rp_session_t *next = published.first;
        const rp_session_t *before = NULL;
        for (size_t place = 0; place < speakers.count; place++) {
            RP_EACH(next == speakers.list[place] && next->published.previous == before);
            before = next;
            next = next->published.next;
        }
        RP_EACH(next == NULL && published.last == before);
        RP_EACH_EQ(session->published.is_queued, stands_in(&speakers, session));
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        for_a_plan_they_wait_in_the_order_in_which_they_came,
        who_came_since_the_last_step_stands_behind_the_mark,
        those_of_a_group_that_come_between_two_steps_stand_together,
        who_put_a_switch_off_keeps_its_cause,
        they_are_heard_in_the_order_in_which_they_spoke,
    };
    return rp_suite_run("session_queues", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
