/// Hauls: what is long is done in slices, and comes to the same as what is done in one go.
#include "daemon/haul.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/log.h"
#include "daemon/state.h"
#include "tests/daemon/heir.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

#define SIDE  64u
#define CELLS (SIDE * SIDE)
#define NEVER ((size_t)1 << 40)

static rp_wire_t wire; ///< hauls
static rp_wire_t twin; ///< never does
static rp_random_t chance;
static uint8_t bytes[CELLS];
static uint32_t cells[CELLS];
static uint32_t handles[4];

static const char *const worlds[] = {"marsh", "moor"};

static void tear_down(void)
{
    rp_wire_close(&wire);
    if (twin.last != NULL) {
        rp_wire_close(&twin);
        twin = (rp_wire_t){0};
    }
}

static uint32_t below(uint32_t limit)
{
    return rp_random_below(&chance, limit);
}

static void draw_bytes(uint32_t dense)
{
    for (uint32_t i = 0; i < CELLS; i++) {
        bytes[i] = below(dense) != 0;
    }
}

static void send_create(rp_wire_t *self, unsigned peer, const char *name, uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = geometry.height = SIDE;
    geometry.resolution = 1.0;
    create.world = rp_text(name);
    create.geometry = &geometry;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){CELLS, bytes};
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request.create_world = &create;
    rp_wire_send(self, peer, &request);
}

/// All cells of a world. @param is_scattered  named one by one
static void send_apply(rp_wire_t *self, unsigned peer, const char *name, bool is_scattered,
                       uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.world = rp_text(name);
    if (is_scattered) {
        change.n_cells = CELLS / 2u;
        change.cells = cells;
        change.values = (ProtobufCBinaryData){CELLS / 2u, bytes};
    } else {
        change.width = change.height = SIDE;
        change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
        change.data = (ProtobufCBinaryData){CELLS, bytes};
    }
    apply.change = &change;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    rp_wire_send(self, peer, &request);
}

static void send_pose(rp_wire_t *self, unsigned peer, double x, uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    pose.world = rp_text("marsh");
    pose.agent = rp_text("ann");
    pose.x = pose.y = x;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSE;
    request.set_pose = &pose;
    rp_wire_send(self, peer, &request);
}

static void send_poses(rp_wire_t *self, unsigned peer, uint64_t id, double by)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__Poses poses = REPLAN__V1__POSES__INIT;
    double x[4];
    for (unsigned i = 0; i < 4; i++) {
        x[i] = 1.5 + i + by;
    }
    poses.world = rp_text("marsh");
    poses.n_handles = poses.n_x = poses.n_y = 4;
    poses.handles = handles;
    poses.x = poses.y = x;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_POSES;
    request.set_poses = &poses;
    rp_wire_send(self, peer, &request);
}

static void send_remove(rp_wire_t *self, unsigned peer, const char *name, uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    remove.world = rp_text(name);
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
    request.remove_world = &remove;
    rp_wire_send(self, peer, &request);
}

static void send_list(rp_wire_t *self, unsigned peer, uint64_t id)
{
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_LIST_WORLDS;
    request.list_worlds = &list;
    rp_wire_send(self, peer, &request);
}

/// Two worlds, four agents in the first.
static void open_one(rp_wire_t *self, size_t long_from)
{
    rp_wire_open_bare(self);
    self->daemon.long_from = long_from;
    for (unsigned i = 0; i < 2; i++) {
        send_create(self, 0, worlds[i], 1u + i);
        rp_wire_work(self);
        ck_assert_int_eq(rp_wire_reply(self, 0)->status, 0);
    }
    Replan__V1__Policy policy = REPLAN__V1__POLICY__INIT; // each answer is the optimum
    policy.gain_case = REPLAN__V1__POLICY__GAIN_SWITCH_GAIN_PERCENT;
    policy.interval_case = REPLAN__V1__POLICY__INTERVAL_MIN_INTERVAL_MS;
    for (unsigned i = 0; i < 4; i++) {
        static const char *const names[] = {"ann", "bob", "cy", "dan"};
        handles[i] = rp_wire_agent_with(self, 0, names[i], 1 + i, 1 + i, 60, 60, &policy);
    }
}

static void open_hauler(void)
{
    memset(bytes, 1, sizeof bytes);
    open_one(&wire, 1000);
}

static const uint8_t *bytes_of(const rp_wire_t *self, const char *name)
{
    const rp_served_t *world = rp_worlds_find(&self->daemon.worlds, name);
    return world != NULL ? rp_engine_bytes(self->daemon.engine, world->id) : NULL;
}

// ---- who waits, and who does not

START_TEST(somebody_else_s_pose_does_not_wait_for_what_is_long)
{
    open_hauler();
    memset(bytes, 0, sizeof bytes);
    send_apply(&wire, 1, "marsh", false, 11);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    for (unsigned round = 0; round < 3; round++) {
        send_pose(&wire, 2, 5.5 + round, 21u + round);
        ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0); // with no round of work between
        ck_assert_int_eq(bytes_of(&wire, "marsh")[100], 1);   // and nobody sees half of it
        rp_daemon_work(&wire.daemon, 6);
    }
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2);
    ck_assert_int_eq(bytes_of(&wire, "marsh")[100], 0);
}
END_TEST

/// Each of these is ready within a round: without a rest between, nobody would be planned for.
START_TEST(what_is_long_has_rounds_of_its_own_but_never_three_in_a_row)
{
    open_hauler();
    for (unsigned i = 0; i < 8; i++) {
        send_apply(&wire, 1, "marsh", false, 11u + i);
    }
    unsigned full = 0;
    unsigned in_a_row = 0;
    for (unsigned round = 0; round < 32; round++) {
        rp_daemon_work(&wire.daemon, 100000);
        const bool is_full = wire.daemon.full_rounds != 0;
        in_a_row = is_full ? in_a_row + 1u : 0u;
        ck_assert_uint_le(in_a_row, 2);
        ck_assert(!is_full || wire.daemon.is_delivery_left); // the next round comes at once
        full += is_full;
    }
    ck_assert_uint_ge(full, 4);
}
END_TEST

START_TEST(changes_of_the_same_world_wait_and_those_of_another_do_not)
{
    open_hauler();
    send_apply(&wire, 1, "marsh", false, 11);
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    apply.change = rp_wire_change(3, 3, 0);
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    request.id = 31;
    rp_wire_send(&wire, 2, &request);
    ck_assert_ptr_null(rp_wire_reply(&wire, 2));
    apply.change->world = rp_text("moor");
    request.id = 32;
    rp_wire_send(&wire, 3, &request);
    ck_assert_uint_eq(rp_wire_reply(&wire, 3)->applied->version, 2);
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2);
    ck_assert_uint_eq(rp_wire_reply(&wire, 2)->applied->version, 3);
    ck_assert_int_eq(bytes_of(&wire, "marsh")[3 * SIDE + 3], 0);
}
END_TEST

START_TEST(who_has_too_much_in_line_is_refused_and_others_go_on)
{
    const uint64_t sent = RP_LINE_SENDER / RP_LINE_WEIGHT + 10u;
    uint64_t taken = 0;
    open_hauler();
    send_apply(&wire, 1, "marsh", false, 1);
    for (uint64_t id = 2; id <= sent; id++) {
        send_pose(&wire, 1, 5.5, id);
    }
    send_apply(&wire, 2, "marsh", false, 11);
    ck_assert_ptr_null(rp_wire_reply(&wire, 2));
    send_list(&wire, 3, 21);
    ck_assert_int_eq(rp_wire_reply(&wire, 3)->status, 0); // at once, as ever
    ck_assert_uint_gt(wire.daemon.stats.requests_refused, 9);
    rp_daemon_count(&wire.daemon);
    ck_assert_uint_le(wire.daemon.stats.line_bytes, 2u * RP_LINE_SENDER);
    rp_wire_work(&wire);
    ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0);
    for (uint64_t i = 1; i <= sent; i++) {
        const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
        ck_assert_ptr_nonnull(reply);
        taken += reply->status == 0;
        ck_assert(reply->status == 0 || (reply->status == REPLAN__V1__STATUS__LIMIT &&
                                         strstr(reply->sentence, "16777216") != NULL));
    }
    ck_assert_uint_eq(taken + wire.daemon.stats.requests_refused, sent);
    send_pose(&wire, 1, 8.5, sent + 1u);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, 0);
}
END_TEST

START_TEST(what_is_published_beyond_its_part_of_the_line_is_refused_for_all_to_see)
{
    uint8_t body[256];
    const uint64_t sent = RP_LINE_SENDER / RP_LINE_WEIGHT + 10u;
    open_hauler();
    send_apply(&wire, 1, "marsh", false, 1);
    const size_t size = protobuf_c_message_pack(&rp_wire_change(3, 3, 0)->base, body);
    for (uint64_t i = 0; i < sent; i++) {
        rp_daemon_change(&wire.daemon, "change/marsh/", 13, body, size);
    }
    const uint64_t refused = wire.daemon.stats.changes_refused;
    ck_assert_uint_ge(refused, 10);
    const Replan__V1__Notice *notice =
        (const Replan__V1__Notice *)rp_wire_published(&wire, "status/marsh/");
    ck_assert_ptr_nonnull(notice);
    ck_assert_int_eq(notice->status, REPLAN__V1__STATUS__LIMIT);
    send_apply(&wire, 2, "marsh", false, 2); // a peer has its own part
    rp_wire_work(&wire);
    ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0);
    ck_assert_uint_eq(wire.daemon.stats.changes_applied, sent - refused + 2u);
}
END_TEST

START_TEST(a_world_is_not_removed_while_poses_are_taken_in)
{
    open_hauler();
    send_poses(&wire, 1, 11, 0.0);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    send_remove(&wire, 2, "marsh", 21);
    ck_assert_ptr_null(rp_wire_reply(&wire, 2));
    rp_wire_work(&wire);
    ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, 0);
    ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0);
    ck_assert_ptr_null(rp_wire_marsh(&wire));
}
END_TEST

START_TEST(a_deadline_counts_from_the_request_also_when_it_stood_in_line)
{
    open_hauler();
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    after.world = rp_text("marsh");
    after.version = 99;
    send_apply(&wire, 1, "marsh", false, 11);
    Replan__V1__Request request = rp_wire_answer_request(&wire, "ann");
    request.after = &after;
    request.deadline_ms = 50;
    rp_wire_send(&wire, 1, &request);
    rp_wire_pass(&wire, 40000);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->id, 11);
    rp_wire_expect_no_reply(&wire, 1);
    rp_wire_pass(&wire, 10000);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__TIMEOUT, "deadline_ms");
}
END_TEST

START_TEST(one_of_many_bytes_that_are_no_map_is_handled_when_it_comes)
{
    enum {
        COUNT = 100
    };
    double at[COUNT];
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    open_hauler();
    for (unsigned i = 0; i < COUNT; i++) {
        at[i] = 3.5 + i % 50u;
    }
    goal.world = rp_text("marsh");
    goal.n_x = goal.n_y = COUNT;
    goal.x = goal.y = at;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_GOAL;
    request.set_goal = &goal;
    static const char *const names[] = {"a", "ab", "abc", "abcd", "abcde", "abcdef", "abcdefg"};
    for (unsigned i = 0; i < 7; i++) { // its doubles stand at any address
        (void)rp_wire_agent(&wire, 0, names[i], 1, 1, 60, 60);
        goal.agent = rp_text(names[i]);
        request.id = 100u + i;
        rp_wire_send(&wire, 1, &request);
        ck_assert_int_eq(rp_wire_reply(&wire, 1)->status, 0);
        ck_assert_double_eq_tol(rp_wire_answer(&wire, 1, names[i])->cost, 2.0 * sqrt(2.0), 1e-9);
    }
}
END_TEST

START_TEST(replies_to_one_peer_keep_their_order)
{
    open_hauler();
    send_create(&wire, 1, "fen", 11);
    send_list(&wire, 1, 12);
    send_apply(&wire, 1, "fen", true, 13);
    send_pose(&wire, 1, 7.5, 14);
    rp_wire_work(&wire);
    for (uint64_t id = 11; id <= 14; id++) {
        const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
        ck_assert_uint_eq(reply->id, id);
        ck_assert_int_eq(reply->status, 0);
        ck_assert(id != 12 || reply->worlds->n_worlds == 3);
    }
}
END_TEST

START_TEST(a_request_that_is_repeated_while_it_is_in_work_is_answered_once)
{
    open_hauler();
    send_apply(&wire, 1, "marsh", false, 11);
    rp_daemon_work(&wire.daemon, 6);
    send_apply(&wire, 1, "marsh", false, 11);
    rp_wire_work(&wire);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    send_apply(&wire, 1, "marsh", false, 11);
    ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2);
}
END_TEST

START_TEST(what_is_long_and_wrong_is_refused_by_the_same_sentence)
{
    open_hauler();
    open_one(&twin, NEVER);
    cells[CELLS / 2u - 1u] = CELLS; // outside
    for (unsigned i = 0; i < 2; i++) {
        rp_wire_t *self = i == 0 ? &wire : &twin;
        send_apply(self, 1, "marsh", true, 11);
        send_apply(self, 1, "nowhere", false, 12);
        send_create(self, 1, "moor", 13);
        rp_wire_work(self);
    }
    cells[CELLS / 2u - 1u] = 0;
    for (unsigned i = 0; i < 3; i++) {
        const Replan__V1__Reply *is = rp_wire_reply(&wire, 1);
        const Replan__V1__Reply *should = rp_wire_reply(&twin, 1);
        ck_assert_int_ne(is->status, 0);
        ck_assert_int_eq(is->status, should->status);
        ck_assert_str_eq(is->sentence, should->sentence);
    }
}
END_TEST

START_TEST(cells_that_stand_at_odd_addresses_are_read_right)
{
    enum {
        WIDE = 256,
        COUNT = 20000
    };
    static uint32_t many[COUNT];
    static uint8_t values[COUNT];
    open_hauler();
    rp_wire_create(&wire, "fen", WIDE, WIDE);
    for (uint32_t i = 0; i < COUNT; i++) {
        many[i] = i * 3u;
    }
    const uint64_t ids[] = {5, 500, 50000, 5000000}; // a byte longer each
    for (unsigned i = 0; i < 4; i++) {
        Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
        memset(values, (int)i + 2, sizeof values);
        change.world = rp_text("fen");
        change.n_cells = COUNT;
        change.cells = many;
        change.values = (ProtobufCBinaryData){COUNT, values};
        Replan__V1__Request request =
            rp_wire_apply_request(&wire, &change, REPLAN__V1__WAIT__APPLIED);
        request.id = ids[i];
        rp_wire_send(&wire, 0, &request);
        do {
            rp_daemon_work(&wire.daemon, 50);
        } while (wire.daemon.is_work_left);
        ck_assert_uint_eq(rp_wire_reply(&wire, 0)->applied->version, 2u + i);
        for (uint32_t cell = 0; cell < 3u * COUNT; cell++) {
            RP_EACH_EQ(bytes_of(&wire, "fen")[cell], cell % 3u == 0 ? 2 + i : 1);
        }
    }
}
END_TEST

// ---- whatever comes, in slices or in one go

static void send_change(rp_wire_t *self, const char *name, uint64_t sequence)
{
    static uint8_t packed[8 * CELLS];
    char topic[RP_LIMIT_TOPIC];
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.publisher = rp_text("lidar");
    change.incarnation = 1;
    change.sequence = sequence;
    change.width = change.height = SIDE;
    change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change.data = (ProtobufCBinaryData){CELLS, bytes};
    const size_t size = replan__v1__change__pack(&change, packed);
    (void)snprintf(topic, sizeof topic, "change/%s/", name);
    rp_daemon_change(&self->daemon, topic, strlen(topic), packed, size);
}

static void send_small(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint64_t id)
{
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    apply.change = rp_wire_change(x, 9, x % 2u);
    apply.change->world = rp_text(name);
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    rp_wire_send(self, peer, &request);
}

/// Discs, of which some move.
static void send_overlay(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint64_t id)
{
    enum {
        COUNT = 12
    };
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    uint32_t ids[COUNT];
    uint32_t corners[COUNT];
    double at_x[COUNT];
    double at_y[COUNT];
    double radii[COUNT];
    uint8_t value = 0;
    for (uint32_t i = 0; i < COUNT; i++) {
        ids[i] = i + x % 5u;
        corners[i] = 1;
        at_x[i] = (x + 5u * i) % SIDE;
        at_y[i] = 8.0 + 3.0 * i;
        radii[i] = i % 3u;
    }
    overlay.world = rp_text(name);
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = overlay.n_radii_m = COUNT;
    overlay.ids = ids;
    overlay.corners = corners;
    overlay.x = at_x;
    overlay.y = at_y;
    overlay.radii_m = radii;
    overlay.values = (ProtobufCBinaryData){1, &value};
    overlay.clear = x % 4u == 0;
    if (x % 7u == 0) { // all go
        overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = overlay.n_radii_m = 0;
        overlay.values.len = 0;
        overlay.clear = true;
    }
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_OVERLAY;
    request.overlay = &overlay;
    rp_wire_send(self, peer, &request);
}

static void send_resize(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint64_t id)
{
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    resize.world = rp_text(name);
    resize.x = resize.y = -(int32_t)(x % 3u);
    resize.width = SIDE + x % 4u;
    resize.height = SIDE + x % 3u;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &resize;
    rp_wire_send(self, peer, &request);
}

START_TEST(shapes_and_windows_are_made_ready_and_poses_go_on)
{
    open_hauler();
    for (unsigned kind = 0; kind < 2; kind++) {
        (kind == 0 ? send_resize : send_overlay)(&wire, 1, "marsh", 1, 11u + kind);
        ck_assert_ptr_null(rp_wire_reply(&wire, 1));
        for (unsigned round = 0; round < 3; round++) {
            send_pose(&wire, 2, 1.5 + round, 21u + 10u * kind + round);
            ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, 0);
            rp_daemon_work(&wire.daemon, 6);
            ck_assert_uint_eq(rp_engine_version(wire.daemon.engine, rp_wire_marsh(&wire)->id),
                              1u + kind);
        }
        rp_wire_work(&wire);
        ck_assert_uint_eq(rp_wire_reply(&wire, 1)->applied->version, 2u + kind);
    }
}
END_TEST

/// The same message to both.
static void play(uint64_t id)
{
    rp_wire_t *const both[] = {&wire, &twin};
    const unsigned peer = below(RP_WIRE_PEERS);
    const char *name = worlds[below(2)];
    const uint32_t kind = below(24);
    const uint32_t x = below(SIDE);
    draw_bytes(1u + below(30));
    for (uint32_t i = 0; i < CELLS; i++) {
        cells[i] = below(CELLS);
    }
    for (unsigned i = 0; i < 2; i++) {
        if (kind < 3) {
            send_apply(both[i], peer, name, false, id);
        } else if (kind < 6) {
            send_apply(both[i], peer, name, true, id);
        } else if (kind < 9) {
            send_change(both[i], name, id);
        } else if (kind < 13) {
            send_small(both[i], peer, name, x, id);
        } else if (kind < 15) {
            send_pose(both[i], peer, x + 0.5, id);
        } else if (kind < 17) {
            send_poses(both[i], peer, id, x / 2.0);
        } else if (kind == 17) {
            send_remove(both[i], peer, "moor", id);
        } else if (kind < 20) {
            send_create(both[i], peer, "moor", id);
        } else if (kind < 23) {
            send_overlay(both[i], peer, name, x, id);
        } else {
            send_resize(both[i], peer, name, x, id);
        }
    }
}

static void expect_same(void)
{
    for (unsigned i = 0; i < 2; i++) {
        const rp_served_t *is = rp_worlds_find(&wire.daemon.worlds, worlds[i]);
        const rp_served_t *should = rp_worlds_find(&twin.daemon.worlds, worlds[i]);
        ck_assert((is != NULL) == (should != NULL));
        if (is == NULL) {
            continue;
        }
        ck_assert_uint_eq(rp_engine_version(wire.daemon.engine, is->id),
                          rp_engine_version(twin.daemon.engine, should->id));
        ck_assert_uint_eq(rp_engine_hash(wire.daemon.engine, is->id),
                          rp_engine_hash(twin.daemon.engine, should->id));
        const size_t cells_there = (size_t)should->options.width * should->options.height;
        ck_assert_uint_eq(is->options.width, should->options.width);
        ck_assert_uint_eq(is->options.height, should->options.height);
        ck_assert_int_eq(
            memcmp(bytes_of(&wire, worlds[i]), bytes_of(&twin, worlds[i]), cells_there), 0);
        ck_assert_int_eq(memcmp(rp_engine_beneath(wire.daemon.engine, is->id),
                                rp_engine_beneath(twin.daemon.engine, should->id), cells_there),
                         0);
        ck_assert_uint_eq(is->publishers.gaps, should->publishers.gaps);
    }
    for (unsigned peer = 0; peer < RP_WIRE_PEERS; peer++) {
        const Replan__V1__Reply *should;
        while ((should = rp_wire_reply(&twin, peer)) != NULL) {
            const Replan__V1__Reply *is = rp_wire_reply(&wire, peer);
            ck_assert_ptr_nonnull(is);
            ck_assert_uint_eq(is->id, should->id);
            ck_assert_int_eq(is->status, should->status);
            ck_assert_str_eq(is->sentence, should->sentence);
            ck_assert_int_eq(is->body_case, should->body_case);
            ck_assert(should->body_case != REPLAN__V1__REPLY__BODY_APPLIED ||
                      is->applied->version == should->applied->version);
        }
        ck_assert_ptr_null(rp_wire_reply(&wire, peer));
    }
    const Replan__V1__Answer *is = rp_wire_answer(&wire, 0, "ann");
    const int outcome = is->outcome;
    const double cost = is->cost;
    const Replan__V1__Answer *should = rp_wire_answer(&twin, 0, "ann");
    ck_assert_int_eq(outcome, should->outcome);
    ck_assert_double_eq_tol(cost, should->cost, 1e-9);
}

START_TEST(slices_and_one_go_come_to_the_same)
{
    chance.state = (uint64_t)_i + 1u;
    open_hauler();
    open_one(&twin, NEVER);
    uint64_t id = 100;
    for (unsigned i = 0; i < 6; i++) {
        const unsigned burst = 1u + below(12);
        for (unsigned k = 0; k < burst; k++) {
            play(++id);
            for (uint32_t rounds = below(4); rounds != 0; rounds--) {
                rp_daemon_work(&wire.daemon, 1u + below(60));
            }
            rp_wire_work(&twin); // so that none of its replies waits for another
        }
        rp_wire_work(&wire);
        rp_wire_pass(&wire, 2000000); // paced ones go out
        rp_wire_pass(&twin, 2000000);
        expect_same();
    }
}
END_TEST

// ---- killed between slices

START_TEST(what_was_killed_in_the_middle_was_not_and_what_was_answered_is)
{
    chance.state = (uint64_t)_i + 1u;
    rp_keeper_open(false);
    rp_keeper.daemon.long_from = 1000;
    uint64_t id = 100;
    uint64_t replied = 0;
    draw_bytes(9);
    send_create(&rp_keeper, 0, "marsh", ++id);
    for (unsigned slice = 0; slice < 60; slice++) {
        if (below(3) == 0) {
            draw_bytes(1u + below(30));
            for (uint32_t i = 0; i < CELLS; i++) {
                cells[i] = below(CELLS);
            }
            const unsigned peer = below(RP_WIRE_PEERS);
            switch (below(4)) {
            case 0:
                send_small(&rp_keeper, peer, "moor", below(SIDE), ++id);
                break;
            case 1:
                send_change(&rp_keeper, "marsh", ++id);
                break;
            case 2:
                send_create(&rp_keeper, peer, "moor", ++id);
                break;
            default:
                send_apply(&rp_keeper, peer, "marsh", below(2) == 0, ++id);
            }
        }
        rp_daemon_work(&rp_keeper.daemon, 1u + below(60));
        if (below(20) == 0) {
            rp_state_renew(&rp_keeper.daemon); // it waits for the end of what is in work
        }
        if (below(6) == 0) {
            const char *reason;
            ck_assert(rp_state_flush(&rp_keeper.daemon, &reason));
            rp_keeper_die(0);
            rp_heir_is_same();
        }
    }
    rp_wire_pass(&rp_keeper, 2000000);
    rp_keeper_die(0);
    rp_heir_is_same();
    for (unsigned peer = 0; peer < RP_WIRE_PEERS; peer++) {
        while (rp_wire_reply(&rp_keeper, peer) != NULL) {
            replied++;
        }
    }
    ck_assert_uint_gt(replied, 1);
}
END_TEST

int main(void)
{
    rp_log_set_level(RP_LOG_ERROR);
    const TTest *const tests[] = {
        somebody_else_s_pose_does_not_wait_for_what_is_long,
        what_is_long_has_rounds_of_its_own_but_never_three_in_a_row,
        changes_of_the_same_world_wait_and_those_of_another_do_not,
        who_has_too_much_in_line_is_refused_and_others_go_on,
        what_is_published_beyond_its_part_of_the_line_is_refused_for_all_to_see,
        a_world_is_not_removed_while_poses_are_taken_in,
        a_deadline_counts_from_the_request_also_when_it_stood_in_line,
        one_of_many_bytes_that_are_no_map_is_handled_when_it_comes,
        replies_to_one_peer_keep_their_order,
        a_request_that_is_repeated_while_it_is_in_work_is_answered_once,
        what_is_long_and_wrong_is_refused_by_the_same_sentence,
        cells_that_stand_at_odd_addresses_are_read_right,
        shapes_and_windows_are_made_ready_and_poses_go_on,
    };
    const TTest *const by_chance[] = {slices_and_one_go_come_to_the_same};
    int failed = rp_suite_run("haul", tests, sizeof tests / sizeof tests[0], 1, tear_down);
    failed += rp_suite_run("haul: by chance", by_chance, 1, RP_ROUNDS(25), tear_down);
    const TTest *const killed[] = {what_was_killed_in_the_middle_was_not_and_what_was_answered_is};
    failed += rp_suite_run("haul: killed", killed, 1, RP_ROUNDS(12), rp_keeper_tear_down);
    return failed;
}
