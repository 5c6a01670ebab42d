/// A recording as MCAP: worlds that come and go, more of one than a watch has credit for, and a
/// clock that is set back. That each cell is told whatever happens is test_replay.c's.
#include "daemon/replay_mcap.h"

#include "daemon/process/log.h"
#include "msgs/request.h"
#include "tests/daemon/capture.h"
#include "tests/daemon/mcap_copy.h"
#include "tests/daemon/recorded.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"
#include "tools/mcap/scene_record.h"

#define SIDE 4u

static char mcap[sizeof file + 8u];
static uint64_t next_id;

// ---- a daemon that is recorded

static rp_sent_t send_control(void *user, const rp_peer_t *peer, const void *bytes, size_t size)
{
    (void)user;
    (void)peer;
    (void)bytes;
    (void)size;
    return RP_SENT;
}

static uint64_t read_wall(void *user)
{
    (void)user;
    return served.serving.now.wall_us;
}

static void open_quick(void)
{
    open_recorded((rp_transport_t){.control = send_control, .wall_us = read_wall});
    (void)snprintf(mcap, sizeof mcap, "%s.mcap", file);
    pass(0, 0);
}

static void tear_down(void)
{
    remove_recorded();
    (void)remove(mcap);
}

static void ask(Replan__V1__Request *request)
{
    request->id = ++next_id;
    send_recorded(1, 'a', request);
    work(8192);
}

static void create_world(const char *name, uint32_t width)
{
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = width;
    geometry.height = SIDE;
    geometry.resolution = 1.0;
    create.world = rp_text(name);
    create.geometry = &geometry;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    ask(&request);
}

static void remove_world(const char *name)
{
    Replan__V1__RemoveWorld body = REPLAN__V1__REMOVE_WORLD__INIT;
    body.world = rp_text(name);
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &body);
    ask(&request);
}

static void write_cell(const char *world, uint32_t x, uint32_t y, uint32_t byte)
{
    Replan__V1__Apply body = REPLAN__V1__APPLY__INIT;
    Replan__V1__Change *change = rp_wire_change(x, y, byte);
    change->world = rp_text(world);
    body.change = change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &body);
    ask(&request);
}

/// One that drives.
static void open_car(const char *world)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__OpenAgent body = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Motion motion = REPLAN__V1__MOTION__INIT;
    double x = 25.5, y = 2.5;
    pose.x = pose.y = 2.5;
    goal.x = &x;
    goal.y = &y;
    goal.n_x = goal.n_y = 1;
    motion.drive = REPLAN__V1__DRIVE__CAR;
    motion.turning_radius_m = 2.0;
    body.world = rp_text(world);
    body.agent = rp_text("car");
    body.pose = &pose;
    body.goal = &goal;
    body.motion = &motion;
    request.body_case = REPLAN__V1__REQUEST__BODY_OPEN_AGENT;
    request.open_agent = &body;
    ask(&request);
}

/// Have all that happened shown.
static void catch_up(void)
{
    for (unsigned round = 0; round < 20; round++) {
        pass(100000, 100000);
        work(8192);
    }
}

// ---- what is written

/// @return the exit code
static int convert(void)
{
    FILE *out = tmpfile();
    close_recorded();
    ck_assert_ptr_nonnull(out);
    const int code = rp_replay_mcap(file, mcap, out);
    (void)fclose(out);
    return code;
}

static void expect_world(const char *name, uint32_t width, uint64_t version)
{
    rp_mcap_copy_t copy;
    rp_mcap_copy_read(&copy, mcap, name);
    ck_assert(copy.mirror.is_whole);
    ck_assert_uint_eq(copy.mirror.width, width);
    ck_assert_uint_eq(copy.mirror.version, version);
    rp_mirror_fini(&copy.mirror);
}

START_TEST(each_world_is_told_under_its_name_from_when_it_came)
{
    open_quick();
    create_world("fen", SIDE);
    write_cell("fen", 1, 1, 0);
    catch_up();
    create_world("moor", SIDE + 1u);
    write_cell("moor", 2, 1, 0);
    write_cell("moor", 3, 1, 0);
    catch_up();
    ck_assert_int_eq(convert(), 0);
    expect_world("fen", SIDE, 2);
    expect_world("moor", SIDE + 1u, 3);
}
END_TEST

START_TEST(a_world_that_comes_again_is_told_again)
{
    open_quick();
    for (uint32_t life = 1; life <= 4; life++) {
        create_world("fen", SIDE + life);
        for (uint32_t i = 0; i < life; i++) {
            write_cell("fen", i % SIDE, i / SIDE, 0);
        }
        catch_up();
        if (life != 4) {
            remove_world("fen");
            if (life == 2) { // else before anybody has heard that it went
                catch_up();
            }
        }
    }
    ck_assert_int_eq(convert(), 0);
    expect_world("fen", SIDE + 4u, 5);
}
END_TEST

/// A watch of which nobody renews the credit tells no more than RP_LIMIT_CREDIT messages.
START_TEST(more_is_told_of_a_world_than_a_watch_has_credit_for)
{
    const uint32_t count = RP_LIMIT_CREDIT + 100u;
    open_quick();
    create_world("fen", SIDE);
    catch_up();
    for (uint32_t i = 0; i < count; i++) {
        write_cell("fen", i % SIDE, 1, i / SIDE % 2u);
    }
    catch_up();
    ck_assert_int_eq(convert(), 0);
    expect_world("fen", SIDE, 1u + count);
}
END_TEST

/// The copy refuses times that go back.
START_TEST(though_the_clock_is_set_back_times_go_on)
{
    open_quick();
    create_world("fen", SIDE);
    for (uint32_t i = 0; i < 8; i++) {
        write_cell("fen", i % SIDE, 1, 0);
        pass(600000, i % 2u == 0 ? 600000 : -900000);
        work(8192);
    }
    ck_assert_int_eq(convert(), 0);
    expect_world("fen", SIDE, 9);
}
END_TEST

/// The world changes ten times a second for half a minute.
START_TEST(a_grid_is_told_twice_a_second_and_a_snapshot_each_ten)
{
    rp_mcap_copy_t copy;
    open_quick();
    create_world("fen", SIDE);
    for (uint32_t i = 0; i < 300; i++) {
        write_cell("fen", i % SIDE, 1, i / SIDE % 2u);
        pass(100000, 100000);
        work(8192);
    }
    ck_assert_int_eq(convert(), 0);
    rp_mcap_copy_read(&copy, mcap, "fen");
    ck_assert_uint_eq(copy.mirror.version, 301);
    ck_assert_uint_ge(copy.grids, 50);
    ck_assert_uint_le(copy.grids, 61);
    ck_assert_uint_ge(copy.snapshots, 3);
    ck_assert_uint_le(copy.snapshots, 4);
    rp_mirror_fini(&copy.mirror);
}
END_TEST

START_TEST(who_drives_is_told_with_the_curve)
{
    rp_mcap_copy_t copy;
    open_quick();
    create_world("fen", 30);
    open_car("fen");
    for (unsigned i = 0; i < 20; i++) { // what it searches is made in slices
        catch_up();
    }
    ck_assert_int_eq(convert(), 0);
    rp_mcap_copy_read(&copy, mcap, "fen");
    ck_assert_uint_ne(copy.curves, 0);
    rp_mirror_fini(&copy.mirror);
}
END_TEST

static void expect_snapshots(const char *name)
{
    rp_mcap_copy_t copy;
    rp_mcap_copy_read(&copy, mcap, name);
    ck_assert_uint_ne(copy.snapshots, 0);
    rp_mirror_fini(&copy.mirror);
}

/// As many as have topics; a daemon shows 64 at a time, and serves 1,024 watches.
START_TEST(of_more_worlds_than_it_can_hold_the_first_is_named)
{
    const unsigned most = UINT16_MAX / RP_SCENE_TOPICS;
    char said[4096], expected[64];
    char name[16];
    open_quick();
    for (unsigned i = 0; i <= most; i++) {
        (void)snprintf(name, sizeof name, "fen%u", i);
        create_world(name, SIDE);
        work(8192);
        remove_world(name);
    }
    rp_capture_t capture = rp_capture_begin();
    const int code = convert();
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_int_eq(code, 2);
    (void)snprintf(expected, sizeof expected, "world \"fen%u\" is not written", most);
    ck_assert_ptr_nonnull(strstr(said, expected));
    (void)snprintf(name, sizeof name, "\"fen%u\"", most - 1u);
    ck_assert_ptr_null(strstr(said, name));
    expect_snapshots("fen1025");
    (void)snprintf(name, sizeof name, "fen%u", most - 1u);
    expect_snapshots(name);
}
END_TEST

START_TEST(as_many_worlds_as_a_daemon_shows_at_a_time_are_told)
{
    char name[16];
    open_quick();
    for (uint32_t i = 0; i < RP_LIMIT_WORLDS; i++) {
        (void)snprintf(name, sizeof name, "fen%u", i);
        create_world(name, SIDE + i);
    }
    for (uint32_t i = 0; i < RP_LIMIT_WORLDS; i++) {
        (void)snprintf(name, sizeof name, "fen%u", i);
        write_cell(name, i % SIDE, 1, 0);
    }
    catch_up();
    ck_assert_int_eq(convert(), 0);
    for (uint32_t i = 0; i < RP_LIMIT_WORLDS; i++) {
        (void)snprintf(name, sizeof name, "fen%u", i);
        expect_world(name, SIDE + i, 2);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_world_is_told_under_its_name_from_when_it_came,
        a_world_that_comes_again_is_told_again,
        more_is_told_of_a_world_than_a_watch_has_credit_for,
        though_the_clock_is_set_back_times_go_on,
        a_grid_is_told_twice_a_second_and_a_snapshot_each_ten,
        who_drives_is_told_with_the_curve,
        of_more_worlds_than_it_can_hold_the_first_is_named,
        as_many_worlds_as_a_daemon_shows_at_a_time_are_told,
    };
    rp_log_set_level(RP_LOG_ERROR);
    return rp_suite_run("replay_mcap", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
