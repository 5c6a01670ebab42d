/// What all hosts share: places of worlds, memory, and how far planning is.
#include "daemon/workers/host.h"

#include "daemon/workers/hosts.h"
#include "msgs/limits.h"
#include "tests/support/suite.h"

static const rp_cause_t nothing;
static rp_host_t *host;
static rp_engine_t *engine;

static void tear_down(void)
{
    rp_host_destroy(&host);
    rp_engine_destroy(&engine);
}

static rp_world_options_t options_of(uint32_t side)
{
    return (rp_world_options_t){
        .width = side, .height = side, .neighbors = 8, .frame = {.resolution_m = 1.0}};
}

START_TEST(of_several_engines_the_one_that_is_settled_least_counts)
{
    static const uint64_t rows[][3] = {{5, 7, 5}, {7, 5, 5}, {6, 6, 6}, {0, 9, 0}, {9, 0, 0}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        rp_progress_t progress = {.settled = rows[i][0]};
        rp_progress_add(&progress, &(rp_progress_t){.settled = rows[i][1]});
        ck_assert_uint_eq(progress.settled, rows[i][2]);
    }
}
END_TEST

START_TEST(an_engine_leaves_out_who_takes_longer_than_the_limit)
{
    const rp_world_options_t options = options_of(64);
    const rp_session_options_t plain = {.planner = "auto"};
    const rp_destination_t goal = {.x_m = 60.5, .y_m = 60.5};
    const rp_edit_t edit = {.x = 30, .y = 30, .width = 1, .height = 1};
    const uint64_t limit_us = RP_LIMIT_OVERDUE_MS * UINT64_C(1000);
    rp_session_id_t overdue[RP_OVERDUE_MAX];
    rp_session_id_t session;
    rp_world_id_t world;
    uint64_t version;
    size_t count;
    ck_assert_int_eq(rp_engine_new(&engine), RP_OK);
    ck_assert_int_eq(rp_engine_open_world(engine, &options, &world), RP_OK);
    ck_assert_int_eq(rp_engine_open(engine, world, &plain, &session), RP_OK);
    ck_assert_int_eq(rp_engine_pose(engine, session, 0.5, 0.5, 0, nothing), RP_OK);
    ck_assert_int_eq(rp_engine_goals(engine, session, &goal, 1, 0, nothing), RP_OK);
    ck_assert_int_eq(rp_engine_apply(engine, world, &edit, nothing, &version), RP_OK);
    (void)rp_engine_step(engine, 1000, 0); // no time to plan for it
    (void)rp_engine_step(engine, 1000 + limit_us - 1u, 0);
    ck_assert_uint_lt(rp_progress_of(engine, world, overdue, &count).settled, version);
    ck_assert_uint_eq(count, 0);
    (void)rp_engine_step(engine, 1000 + limit_us, 0);
    ck_assert_uint_eq(rp_progress_of(engine, world, overdue, &count).settled, version);
    ck_assert_uint_eq(count, 1);
    ck_assert_uint_eq(overdue[0], session);
}
END_TEST

START_TEST(a_world_beyond_the_arrays_of_the_daemon_is_none)
{
    const rp_world_options_t options = options_of(2);
    rp_world_id_t worlds[RP_LIMIT_WORLDS];
    rp_world_id_t more = 77;
    ck_assert_int_eq(rp_engine_new(&engine), RP_OK);
    for (unsigned i = 0; i < RP_LIMIT_WORLDS; i++) {
        ck_assert_int_eq(rp_host_open_placed(engine, &options, &worlds[i]), RP_OK);
        ck_assert_uint_eq(rp_id_place(worlds[i]), i + 1u);
    }
    const uint64_t before = rp_engine_memory(engine).ground_bytes;
    ck_assert_int_eq(rp_host_open_placed(engine, &options, &more), RP_E_LIMIT);
    ck_assert_uint_eq(more, 77);
    ck_assert_uint_eq(rp_engine_memory(engine).ground_bytes, before);
    ck_assert_int_eq(rp_engine_close_world(engine, worlds[9]), RP_OK);
    ck_assert_int_eq(rp_host_open_placed(engine, &options, &more), RP_OK);
    ck_assert_uint_le(rp_id_place(more), RP_LIMIT_WORLDS);
}
END_TEST

START_TEST(what_the_engine_refuses_a_host_refuses)
{
    rp_world_options_t options = options_of(2);
    rp_world_id_t world = 77;
    options.neighbors = 5;
    ck_assert_int_eq(rp_engine_new(&engine), RP_OK);
    ck_assert_int_eq(rp_host_open_placed(engine, &options, &world), RP_E_INVALID);
    ck_assert_uint_eq(world, 77);
}
END_TEST

/// Two agents whose planners are larger than that.
START_TEST(a_host_keeps_within_its_memory)
{
    const rp_world_options_t options = options_of(256);
    const rp_session_options_t how = {.planner = "dstar-lite"};
    const rp_destination_t goal = {.x_m = 250.5, .y_m = 250.5};
    for (unsigned limited = 0; limited < 2; limited++) {
        rp_world_id_t world;
        const uint64_t bytes = limited != 0 ? 1u << 20 : UINT64_MAX;
        ck_assert_int_eq(rp_hosts_new(0, bytes, &host), RP_OK);
        ck_assert_int_eq(rp_host_open_world(host, &options, NULL, &world), RP_OK);
        for (unsigned i = 0; i < 2; i++) {
            rp_session_id_t session;
            ck_assert_int_eq(rp_host_open(host, world, &how, &session), RP_OK);
            ck_assert_int_eq(rp_host_pose(host, session, 0.5, 0.5 + i, 0, nothing), RP_OK);
            const rp_aim_t aim = {.points = &goal, .count = 1};
            ck_assert_int_eq(rp_host_aim(host, session, &aim, nothing), RP_OK);
            while (rp_host_step(host, 1000, 1u << 20)) {
            }
        }
        ck_assert_uint_eq(rp_engine_memory(rp_host_authority(host)).evicted != 0, limited);
        ck_assert_uint_eq(host->world_copies, 1);
        ck_assert_uint_eq(host->layer_copies, 1);
        rp_host_destroy(&host);
        ck_assert_ptr_null(host);
        rp_host_destroy(&host); // there is none
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        of_several_engines_the_one_that_is_settled_least_counts,
        an_engine_leaves_out_who_takes_longer_than_the_limit,
        a_world_beyond_the_arrays_of_the_daemon_is_none,
        what_the_engine_refuses_a_host_refuses,
        a_host_keeps_within_its_memory,
    };
    return rp_suite_run("host", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
