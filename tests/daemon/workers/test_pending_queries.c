/// Questions to hosts of no worker, two and three: the same is found, part by part or at once,
/// however many are open.
#include <string.h>

#include "tests/daemon/host_trio.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

enum {
    SIDE = 24,
    SESSIONS = 10,
    POINTS = 3,
    AT_ONCE = 8, ///< questions that are open together
    STEPS = 6,
};

static const rp_cause_t no_cause;
static rp_host_t *hosts[RP_HOST_TRIO];
static rp_world_id_t world;
static rp_session_id_t sessions[SESSIONS];
static rp_random_t rng;

static void tear_down(void)
{
    rp_host_trio_close(hosts);
}

static rp_destination_t random_point(void)
{
    const uint32_t x = rp_random_below(&rng, SIDE);
    return (rp_destination_t){.x_m = x + 0.5, .y_m = rp_random_below(&rng, SIDE) + 0.5};
}

/// Sessions with goals of four groups, so that several workers have some.
static void begin(uint64_t seed)
{
    static uint8_t bytes[SIDE * SIDE];
    rng = (rp_random_t){seed};
    for (uint32_t i = 0; i < SIDE * SIDE; i++) {
        bytes[i] = rp_random_chance(&rng, 20) ? 0 : (uint8_t)rp_random_between(&rng, 1, 3);
    }
    rp_host_trio_open(hosts, SIDE, bytes, &world);
    for (unsigned i = 0; i < SESSIONS; i++) {
        const rp_session_options_t options = {.body = {.radius_m = i % 3 == 0 ? 1.0 : 0.0}};
        const rp_destination_t at = random_point();
        const rp_destination_t goal = {.x_m = 5.0 * (i % 4) + 2.5, .y_m = 3.5};
        const rp_aim_t aim = {.points = &goal, .count = 1};
        for (unsigned k = 0; k < RP_HOST_TRIO; k++) {
            ck_assert_int_eq(rp_host_open(hosts[k], world, &options, &sessions[i]), RP_OK);
            ck_assert_int_eq(rp_host_pose(hosts[k], sessions[i], at.x_m, at.y_m, 0, no_cause),
                             RP_OK);
            ck_assert_int_eq(rp_host_aim(hosts[k], sessions[i], &aim, no_cause), RP_OK);
        }
    }
    for (unsigned k = 0; k < RP_HOST_TRIO; k++) {
        rp_host_trio_settle(hosts[k], 0);
    }
}

// ---- questions

/// A question, or a walk, with what it points to.
typedef struct query {
    rp_question_t question;
    bool is_walk;
    rp_route_t route;
    rp_destination_t from[POINTS];
    rp_destination_t to[POINTS];
    rp_session_id_t about[SESSIONS];
    rp_edit_t edit;
    uint8_t steps[STEPS];
} query_t;

static void make_query(query_t *self)
{
    const uint32_t pairs = rp_random_between(&rng, 1, POINTS);
    *self = (query_t){.is_walk = rp_random_chance(&rng, 25)};
    rp_question_t *question = &self->question;
    question->kind = (rp_query_kind_t)rp_random_below(&rng, 3);
    for (unsigned i = 0; i < POINTS; i++) {
        self->from[i] = random_point();
        self->to[i] = random_point();
    }
    for (unsigned i = 0; i < STEPS; i++) {
        self->steps[i] = (uint8_t)rp_random_below(&rng, 8);
    }
    const uint32_t first = rp_random_below(&rng, SESSIONS);
    for (unsigned i = 0; i < SESSIONS; i++) {
        self->about[i] = sessions[(first + i) % SESSIONS];
    }
    self->route = (rp_route_t){.session = self->about[0],
                               .start_x = rp_random_below(&rng, SIDE),
                               .start_y = rp_random_below(&rng, SIDE),
                               .steps = self->steps,
                               .step_count = STEPS,
                               .version = 1};
    self->edit = (rp_edit_t){.x = rp_random_below(&rng, SIDE - 8u),
                             .y = rp_random_below(&rng, SIDE - 1u),
                             .width = 8,
                             .height = 1};
    question->sessions = self->about;
    question->edit = &self->edit;
    if (question->kind == RP_QUERY_FIELD) {
        question->session_count = 1;
        question->reach = rp_random_between(&rng, 1, 5);
        return;
    }
    question->from = self->from;
    question->from_count = pairs;
    question->to = self->to;
    question->to_count = pairs;
    question->session_count =
        question->kind == RP_QUERY_PROBE ? rp_random_below(&rng, SESSIONS + 1u) : 0;
}

static rp_status_t ask(rp_host_t *host, const query_t *query, rp_query_id_t *id)
{
    return query->is_walk ? rp_host_walk(host, &query->route, id)
                          : rp_host_ask(host, world, &query->question, id);
}

static bool is_same(const void *one, const void *other, size_t size)
{
    return (one == NULL) == (other == NULL) && (one == NULL || memcmp(one, other, size) == 0);
}

static void expect_same(const rp_query_report_t *found, const rp_query_report_t *other)
{
    const rp_query_result_t *here = &found->result;
    const rp_query_result_t *there = &other->result;
    ck_assert_int_eq(found->status, RP_OK);
    ck_assert_int_eq(other->status, RP_OK);
    ck_assert_uint_eq(there->count, here->count);
    ck_assert_uint_eq(there->version, here->version);
    ck_assert(is_same(there->costs, here->costs, here->count * sizeof *here->costs));
    ck_assert(is_same(there->after, here->after, here->count * sizeof *here->after));
    ck_assert(is_same(there->outcomes, here->outcomes, 2u * here->count));
    ck_assert(there->x == here->x && there->y == here->y && there->width == here->width);
    ck_assert_uint_eq(other->offender_count, found->offender_count);
    ck_assert(is_same(other->offenders, found->offenders,
                      found->offender_count * sizeof *found->offenders));
}

START_TEST(the_same_is_found_whoever_looks)
{
    static query_t queries[AT_ONCE];
    rp_query_id_t ids[RP_HOST_TRIO][AT_ONCE];
    begin(_i + 1u);
    for (unsigned round = 0; round < RP_ROUNDS(12); round++) {
        for (unsigned i = 0; i < AT_ONCE; i++) {
            make_query(&queries[i]);
            for (unsigned k = 0; k < RP_HOST_TRIO; k++) {
                ck_assert_int_eq(ask(hosts[k], &queries[i], &ids[k][i]), RP_OK);
            }
        }
        const unsigned left = rp_random_below(&rng, AT_ONCE); // nobody wants to know any more
        for (unsigned k = 0; k < RP_HOST_TRIO; k++) {
            rp_host_forget(hosts[k], ids[k][left]);
            rp_host_trio_settle(hosts[k], 0);
            ck_assert_ptr_null(rp_host_query_report(hosts[k], ids[k][left]));
        }
        for (unsigned i = 0; i < AT_ONCE; i++) {
            for (unsigned k = 1; k < RP_HOST_TRIO && i != left; k++) {
                const rp_query_report_t *here = rp_host_query_report(hosts[0], ids[0][i]);
                const rp_query_report_t *there = rp_host_query_report(hosts[k], ids[k][i]);
                ck_assert(here != NULL && there != NULL);
                expect_same(here, there);
            }
        }
        for (unsigned k = 0; k < RP_HOST_TRIO; k++) {
            for (unsigned i = 0; i < AT_ONCE; i++) {
                rp_host_forget(hosts[k], ids[k][i]);
                ck_assert_ptr_null(rp_host_query_report(hosts[k], ids[k][i]));
            }
        }
    }
}
END_TEST

/// At once, but for what only a worker can tell.
START_TEST(what_cannot_be_asked_is_refused)
{
    begin(1);
    const rp_destination_t point = random_point();
    const rp_session_id_t nobody = 999;
    const rp_question_t costs = {
        .kind = RP_QUERY_COSTS, .from = &point, .from_count = 1, .to = &point, .to_count = 1};
    const rp_question_t field = {
        .kind = RP_QUERY_FIELD, .sessions = &nobody, .session_count = 1, .reach = 1};
    const rp_route_t route = {.session = nobody};
    for (unsigned k = 0; k < RP_HOST_TRIO; k++) {
        rp_query_id_t ids[RP_QUERIES_MAX];
        rp_query_id_t id = 0;
        ck_assert_int_eq(rp_host_ask(hosts[k], world, &field, &id), RP_E_UNKNOWN);
        ck_assert_int_eq(rp_host_walk(hosts[k], &route, &id), RP_E_UNKNOWN);
        if (rp_host_ask(hosts[k], world + 1u, &costs, &id) != RP_E_UNKNOWN) {
            rp_host_trio_settle(hosts[k], 0);
            ck_assert_int_eq(rp_host_query_report(hosts[k], id)->status, RP_E_UNKNOWN);
            rp_host_forget(hosts[k], id);
        }
        for (unsigned i = 0; i < RP_QUERIES_MAX; i++) {
            ck_assert_int_eq(rp_host_ask(hosts[k], world, &costs, &ids[i]), RP_OK);
        }
        ck_assert_int_eq(rp_host_ask(hosts[k], world, &costs, &id), RP_E_LIMIT);
        rp_host_forget(hosts[k], ids[5]);
        ck_assert_int_eq(rp_host_ask(hosts[k], world, &costs, &id), RP_OK);
        rp_host_trio_settle(hosts[k], 0);
        ck_assert_ptr_nonnull(rp_host_query_report(hosts[k], id));
    }
}
END_TEST

int main(void)
{
    const TTest *const rounds[] = {the_same_is_found_whoever_looks};
    const TTest *const once[] = {what_cannot_be_asked_is_refused};
    const int failed = rp_suite_run("pending_queries: chance", rounds, 1, 4, tear_down);
    return rp_suite_run("pending_queries", once, 1, 1, tear_down) + failed;
}
