/// A daemon that keeps its state, and one that comes after it: told the same, they serve the same.

#include "daemon/process/log.h"
#include "daemon/rules/state.h"
#include "daemon/serving/encode.h"
#include "msgs/request.h"
#include "tests/daemon/heir.h"
#include "tests/daemon/rules/keeping.h"
#include "tests/support/suite.h"

START_TEST(what_was_acknowledged_is_so_again)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)rp_wire_agent(&rp_keeper, 0, "scout", 1, 1, 9, 5);
    for (uint32_t x = 3; x < 9; x++) {
        (void)rp_wire_apply(&rp_keeper, 0, rp_wire_change(x, 2, 0), REPLAN__V1__WAIT__APPLIED);
        rp_keeper_die(0);
        rp_heir_is_same();
        ck_assert_int_eq(byte_at(&rp_heir, x, 2), 0);
        ck_assert_uint_gt(rp_wire_stat(&rp_heir, "journal.restored"), x - 3u);
    }
    rp_keeper_renew();
    rp_keeper_die(0);
    rp_heir_is_same();
}
END_TEST

/// A world whose cells are read by the second of its own profiles.
static void create_marsh_with_profiles(void)
{
    static uint8_t tables[2][256] = {{0, 10, 40}, {0, 3, 7}};
    static uint8_t inscribed[] = {9, 250};
    Replan__V1__Profile own[2];
    Replan__V1__Profile *list[] = {&own[0], &own[1]};
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    for (unsigned i = 0; i < 2; i++) {
        replan__v1__profile__init(&own[i]);
        own[i].name = i == 0 ? rp_text("wheels") : rp_text("feet");
        own[i].factors = (ProtobufCBinaryData){sizeof tables[i], tables[i]};
        own[i].unit = i == 0 ? 10 : 3;
        own[i].unknown = i == 0 ? REPLAN__V1__UNKNOWN__AS_BLOCKED : REPLAN__V1__UNKNOWN__AS_FACTOR;
        own[i].unknown_factor = i == 0 ? 0 : 20;
        own[i].inscribed = (ProtobufCBinaryData){i == 0 ? 2 : 0, inscribed};
    }
    geometry.width = 16;
    geometry.height = 8;
    geometry.resolution = 1.0;
    create.world = rp_text("marsh");
    create.geometry = &geometry;
    create.profile = rp_text("feet");
    create.profiles = list;
    create.n_profiles = 2;
    Replan__V1__Request creation = RP_REQUEST(CREATE_WORLD, create_world, &create);
    ck_assert_int_eq(rp_wire_do(&rp_keeper, 0, &creation)->status, REPLAN__V1__STATUS__OK);
}

static void expect_same_profiles(void)
{
    Replan__V1__Profile is[RP_PROFILES_MAX];
    Replan__V1__Profile should[RP_PROFILES_MAX];
    const rp_served_t *marsh = rp_wire_marsh(&rp_heir);
    const size_t count =
        rp_encode_profiles(&rp_keeper.daemon.serving, rp_wire_marsh(&rp_keeper), should);
    ck_assert_str_eq(marsh->profile, "feet");
    ck_assert_uint_eq(count, 2);
    ck_assert_uint_eq(rp_encode_profiles(&rp_heir.daemon.serving, marsh, is), count);
    for (size_t i = 0; i < count; i++) {
        ck_assert_str_eq(is[i].name, should[i].name);
        ck_assert_mem_eq(is[i].factors.data, should[i].factors.data, 256);
        ck_assert_uint_eq(is[i].unit, should[i].unit);
        ck_assert_int_eq(is[i].unknown, should[i].unknown);
        ck_assert_uint_eq(is[i].unknown_factor, should[i].unknown_factor);
        ck_assert_uint_eq(is[i].inscribed.len, should[i].inscribed.len);
        ck_assert_int_eq(
            memcmp(is[i].inscribed.data, should[i].inscribed.data, is[i].inscribed.len), 0);
    }
}

START_TEST(the_profiles_of_a_world_are_kept_in_a_log_and_in_a_base)
{
    rp_keeper_open(false);
    create_marsh_with_profiles();
    for (int round = 0; round < 2; round++) {
        rp_keeper_die(0);
        rp_heir_is_same();
        expect_same_profiles();
        rp_keeper_renew();
    }
}
END_TEST

START_TEST(versions_count_on_from_a_log_and_from_a_base)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    for (uint32_t x = 0; x < 8; x++) {
        (void)rp_wire_apply(&rp_keeper, 0, rp_wire_change(x, 2, 0), REPLAN__V1__WAIT__APPLIED);
    }
    rp_keeper_die(0);
    rp_heir_is_same();
    rp_keeper_renew();
    rp_keeper_die(0);
    rp_heir_is_same();
}
END_TEST

START_TEST(a_world_that_came_after_a_base_does_not_count_on_from_those_in_it)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)rp_wire_apply(&rp_keeper, 0, rp_wire_change(1, 2, 0), REPLAN__V1__WAIT__APPLIED);
    rp_keeper_renew();
    rp_keeper_create("moor", 16, 8);
    rp_keeper_die(0);
    rp_heir_is_same();
    const rp_served_t *moor = rp_worlds_find(&rp_heir.daemon.serving.worlds, "moor");
    ck_assert_uint_eq(rp_engine_version(rp_heir.daemon.serving.engine, moor->id), 1);
}
END_TEST

/// Discs that go one after the other, and a change that is acknowledged after that.
static void let_discs_go(uint64_t set_back_us)
{
    for (uint32_t i = 0; i < 8; i++) {
        put_disc(i, 1000 + 100 * i);
    }
    rp_keeper.daemon.serving.now.wall_us -= set_back_us;
    for (unsigned i = 0; i < 20; i++) {
        rp_wire_pass(&rp_keeper, 100000);
    }
    (void)rp_wire_apply(&rp_keeper, 0, rp_wire_change(1, 1, 0), REPLAN__V1__WAIT__APPLIED);
}

START_TEST(a_shape_that_goes_by_itself_counts_as_a_version_for_the_heir)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    let_discs_go(0);
    rp_keeper_die(0);
    rp_heir_is_same();
}
END_TEST

START_TEST(versions_count_on_though_the_clock_was_set_back)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    let_discs_go(60000000);
    rp_keeper_die(0);
    ck_assert_uint_ge(
        rp_engine_version(rp_heir.daemon.serving.engine, rp_wire_marsh(&rp_heir)->id),
        rp_engine_version(rp_keeper.daemon.serving.engine, rp_wire_marsh(&rp_keeper)->id));
}
END_TEST

START_TEST(a_shape_that_went_does_not_come_back_though_the_clock_was_set_back)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    rp_wire_pass(&rp_keeper, 1000000);
    put_disc(4, 1000);
    rp_keeper.daemon.serving.now.wall_us -= 60000000;
    rp_wire_pass(&rp_keeper, 2000000);
    for (int round = 0; round < 2; round++) { // from the log, then from a base
        rp_keeper_die(0);
        rp_heir_is_same();
        ck_assert_int_eq(byte_at(&rp_heir, 2, 4), 1);
        rp_keeper_renew();
    }
}
END_TEST

START_TEST(a_repeated_change_is_not_made_twice_after_a_restart)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    for (uint64_t sequence = 1; sequence <= 5; sequence++) {
        ck_assert_int_eq(apply_numbered(&rp_keeper, sequence, (uint32_t)sequence)->status, 0);
    }
    for (int round = 0; round < 2; round++) { // from the log, then from a base
        rp_keeper_die(0);
        const uint64_t version =
            rp_engine_version(rp_heir.daemon.serving.engine, rp_wire_marsh(&rp_heir)->id);
        for (uint64_t sequence = 2; sequence <= 5; sequence++) {
            const Replan__V1__Reply *reply = apply_numbered(&rp_heir, sequence, 15);
            ck_assert_msg(reply->status == 0, "%s", reply->sentence);
            ck_assert_uint_le(reply->applied->version, version);
        }
        ck_assert_int_eq(byte_at(&rp_heir, 15, 1), 1);
        ck_assert_int_eq(apply_numbered(&rp_heir, 7, 14)->status, 0);
        ck_assert_uint_eq(rp_wire_marsh(&rp_heir)->publishers.gaps, 1); // 6 was lost
        rp_keeper_renew();
    }
}
END_TEST

START_TEST(a_world_whose_bytes_are_still_to_be_written_is_kept_as_they_will_be)
{
    rp_keeper_open(false);
    Replan__V1__CreateWorld body = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    replan__v1__request__init(&request);
    geometry.width = 2048;
    geometry.height = 1024;
    geometry.resolution = 1.0;
    body.world = rp_text("marsh");
    body.geometry = &geometry;
    body.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_FILL;
    body.fill = 1;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &body;
    rp_wire_send(&rp_keeper, 0, &request);
    rp_state_renew(&rp_keeper.daemon.serving);
    while (rp_state_is_busy(&rp_keeper.daemon.serving)) {
        rp_state_work(&rp_keeper.daemon.serving); // and no step of the engine
    }
    rp_keeper_die(0);
    const uint8_t *bytes =
        rp_engine_bytes(rp_heir.daemon.serving.engine, rp_wire_marsh(&rp_heir)->id);
    for (size_t i = 0; i < (size_t)2048 * 1024; i++) {
        RP_EACH_EQ(bytes[i], 1);
    }
}
END_TEST

START_TEST(a_gap_stays_marked)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)apply_numbered(&rp_keeper, 1, 1);
    (void)apply_numbered(&rp_keeper, 3, 3);
    rp_keeper_die(0);
    rp_heir_is_same();
    rp_keeper_renew();
    rp_keeper_die(0);
    rp_heir_is_same();
    ck_assert_uint_eq(rp_wire_marsh(&rp_heir)->publishers.gaps, 1);
}
END_TEST

/// Publish a change for a window of an epoch that never was.
static void publish_for_no_window(const char *publisher, uint64_t sequence)
{
    rp_buffer_t buffer = {0};
    Replan__V1__Change *change = rp_wire_change(1, 1, 0);
    change->publisher = rp_text(publisher);
    change->incarnation = 1;
    change->sequence = sequence;
    change->epoch = 77;
    change->window = 1;
    ck_assert(rp_codec_pack(&buffer, &change->base));
    rp_daemon_change(&rp_keeper.daemon, "change/marsh/", 13, buffer.bytes, buffer.size);
    rp_buffer_fini(&buffer);
    rp_wire_work(&rp_keeper);
}

START_TEST(a_publisher_whose_last_change_was_lost_stays_marked)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)apply_of(&rp_keeper, 1, 1, 1);
    publish_for_no_window("lidar", 2);
    publish_for_no_window("radar", 1);
    ck_assert_uint_eq(rp_wire_marsh(&rp_keeper)->publishers.gaps, 2);
    for (int round = 0; round < 2; round++) { // from the log, then from a base
        rp_keeper_die(0);
        rp_heir_is_same();
        ck_assert_uint_eq(rp_wire_marsh(&rp_heir)->publishers.gaps, 2);
        ck_assert_int_eq(apply_of(&rp_heir, 1, 2, 2)->status, REPLAN__V1__STATUS__LATE);
        rp_keeper_renew();
    }
}
END_TEST

START_TEST(a_last_change_that_was_lost_and_forgiven_is_no_gap)
{
    Replan__V1__Forgive forgive = REPLAN__V1__FORGIVE__INIT;
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)apply_of(&rp_keeper, 1, 1, 1);
    publish_for_no_window("lidar", 2);
    replan__v1__request__init(&request);
    forgive.world = rp_text("marsh");
    forgive.publisher = rp_text("lidar");
    request.body_case = REPLAN__V1__REQUEST__BODY_FORGIVE;
    request.forgive = &forgive;
    (void)rp_wire_do(&rp_keeper, 0, &request);
    for (int round = 0; round < 2; round++) { // from the log, then from a base
        rp_keeper_die(0);
        ck_assert_uint_eq(rp_wire_marsh(&rp_heir)->publishers.gaps, 0);
        ck_assert_int_eq(apply_of(&rp_heir, 1, 3, 3)->status, REPLAN__V1__STATUS__OK);
        ck_assert_uint_eq(rp_wire_marsh(&rp_heir)->publishers.gaps, 0);
        rp_keeper_renew();
    }
}
END_TEST

START_TEST(a_gap_that_was_forgiven_stays_forgiven)
{
    Replan__V1__Forgive forgive = REPLAN__V1__FORGIVE__INIT;
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)apply_numbered(&rp_keeper, 1, 1);
    (void)apply_numbered(&rp_keeper, 3, 3);
    ck_assert_uint_eq(rp_wire_marsh(&rp_keeper)->publishers.gaps, 1);
    replan__v1__request__init(&request);
    forgive.world = rp_text("marsh");
    forgive.publisher = rp_text("lidar");
    request.body_case = REPLAN__V1__REQUEST__BODY_FORGIVE;
    request.forgive = &forgive;
    (void)rp_wire_do(&rp_keeper, 0, &request);
    for (int round = 0; round < 2; round++) { // from the log, then from a base
        rp_keeper_die(0);
        rp_heir_is_same();
        ck_assert_uint_eq(rp_wire_marsh(&rp_heir)->publishers.gaps, 0);
        rp_keeper_renew();
    }
}
END_TEST

int main(void)
{
    rp_log_set_level(RP_LOG_ERROR);
    const TTest *const tests[] = {
        what_was_acknowledged_is_so_again,
        the_profiles_of_a_world_are_kept_in_a_log_and_in_a_base,
        versions_count_on_from_a_log_and_from_a_base,
        a_world_that_came_after_a_base_does_not_count_on_from_those_in_it,
        a_shape_that_goes_by_itself_counts_as_a_version_for_the_heir,
        versions_count_on_though_the_clock_was_set_back,
        a_shape_that_went_does_not_come_back_though_the_clock_was_set_back,
        a_repeated_change_is_not_made_twice_after_a_restart,
        a_world_whose_bytes_are_still_to_be_written_is_kept_as_they_will_be,
        a_gap_stays_marked,
        a_publisher_whose_last_change_was_lost_stays_marked,
        a_last_change_that_was_lost_and_forgiven_is_no_gap,
        a_gap_that_was_forgiven_stays_forgiven,
    };
    return rp_suite_run("state", tests, sizeof tests / sizeof tests[0], 1, rp_keeper_tear_down);
}
