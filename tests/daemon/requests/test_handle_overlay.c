/// Shapes through the daemon without its sockets: what is seen, told and mirrored.
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static uint32_t ids[2];
static uint32_t corners[2];
static double x[8];
static double y[8];
static double radii[2];
static uint32_t ttls[2];
static uint8_t values[2];

static void tear_down(void)
{
    rp_wire_close(&wire);
}

/// One disc in the middle of a cell of "marsh".
static Replan__V1__Overlay disc(uint32_t id, uint32_t cell_x, uint32_t cell_y, uint8_t byte,
                                uint32_t ttl_ms)
{
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    ids[0] = id;
    corners[0] = 1;
    x[0] = cell_x + 0.5;
    y[0] = cell_y + 0.5;
    radii[0] = 0.4;
    ttls[0] = ttl_ms;
    values[0] = byte;
    overlay.world = rp_text("marsh");
    overlay.ids = ids;
    overlay.corners = corners;
    overlay.x = x;
    overlay.y = y;
    overlay.radii_m = radii;
    overlay.ttl_ms = ttls;
    overlay.values = (ProtobufCBinaryData){1, values};
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = 1;
    overlay.n_radii_m = overlay.n_ttl_ms = 1;
    return overlay;
}

static const Replan__V1__Reply *ask(Replan__V1__Overlay *overlay)
{
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, overlay);
    return rp_wire_ask(&wire, 0, &request);
}

static uint64_t put(Replan__V1__Overlay overlay)
{
    const Replan__V1__Reply *reply = ask(&overlay);
    ck_assert_msg(reply->status == REPLAN__V1__STATUS__OK, "%s", reply->sentence);
    return reply->applied->version;
}

static uint8_t byte_at(uint32_t cell_x, uint32_t cell_y)
{
    return rp_engine_bytes(wire.daemon.serving.engine,
                           rp_wire_marsh(&wire)->id)[cell_y * 16u + cell_x];
}

static const Replan__V1__Delta *next_delta(void)
{
    const ProtobufCMessage *message = rp_wire_published(&wire, "delta/marsh/");
    ck_assert_ptr_nonnull(message);
    return (const Replan__V1__Delta *)message;
}

static void expect_delta(uint64_t version, uint32_t cell, uint8_t byte)
{
    const Replan__V1__Delta *delta = next_delta();
    ck_assert_uint_eq(delta->version, version);
    ck_assert_uint_eq(delta->width, 0);
    ck_assert_uint_eq(delta->n_cells, 1);
    ck_assert_uint_eq(delta->cells[0], cell);
    ck_assert_uint_eq(delta->values.data[0], byte);
}

START_TEST(deltas_carry_what_is_seen_never_shapes)
{
    rp_wire_open(&wire);
    ck_assert_uint_eq(put(disc(1, 3, 2, 0, 0)), 2);
    expect_delta(2, 2 * 16 + 3, 0);
    ck_assert_uint_eq(put(disc(1, 3, 2, 7, 0)), 3);
    expect_delta(3, 2 * 16 + 3, 7);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(3, 2, 9), REPLAN__V1__WAIT__APPLIED);
    const Replan__V1__Delta *hidden = next_delta();
    ck_assert_uint_eq(hidden->version, 4);
    ck_assert_uint_eq(hidden->n_cells, 0);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(4, 2, 9), REPLAN__V1__WAIT__APPLIED);
    expect_delta(5, 2 * 16 + 4, 9);
    Replan__V1__Overlay clear = REPLAN__V1__OVERLAY__INIT;
    clear.world = rp_text("marsh");
    clear.clear = 1;
    ck_assert_uint_eq(put(clear), 6);
    expect_delta(6, 2 * 16 + 3, 9);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(5, 2, 9), REPLAN__V1__WAIT__APPLIED);
    ck_assert_uint_eq(next_delta()->width, 1); // again in the change's own form
}
END_TEST

START_TEST(a_shape_goes_by_itself_and_that_is_a_version)
{
    rp_wire_open(&wire);
    (void)put(disc(1, 3, 2, 0, 250));
    expect_delta(2, 2 * 16 + 3, 0);
    ck_assert_uint_le(rp_daemon_next_us(&wire.daemon), wire.daemon.serving.now.steady_us + 250000u);
    rp_wire_pass(&wire, 249000);
    rp_wire_work(&wire);
    ck_assert_uint_eq(byte_at(3, 2), 0);
    rp_wire_pass(&wire, 1000);
    rp_wire_work(&wire);
    ck_assert_uint_eq(byte_at(3, 2), 1);
    expect_delta(3, 2 * 16 + 3, 1);
}
END_TEST

START_TEST(settled_names_whom_a_shape_stopped)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    (void)rp_wire_agent(&wire, 0, "elf", 0, 7, 15, 7);
    Replan__V1__Overlay wall = disc(1, 8, 0, 0, 0);
    wall.wait = REPLAN__V1__WAIT__SETTLED;
    const Replan__V1__Reply *reply = ask(&wall);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(reply->applied->n_changed_agents, 1);
    ck_assert_str_eq(reply->applied->changed_agents[0], "orc");
}
END_TEST

START_TEST(what_cannot_be_is_refused_with_the_limit)
{
    rp_wire_open(&wire);
    Replan__V1__Overlay overlay = disc(1, 3, 2, 0, 0);
    overlay.world = rp_text("hill");
    ck_assert_int_eq(ask(&overlay)->status, REPLAN__V1__STATUS__UNKNOWN);
    overlay = disc(1, 3, 2, 0, 0);
    overlay.wait = REPLAN__V1__WAIT__DURABLE;
    const Replan__V1__Reply *reply = ask(&overlay);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "overlay.wait"));
    static uint32_t many[RP_LIMIT_SHAPES];
    static uint32_t ones[RP_LIMIT_SHAPES];
    static double at[RP_LIMIT_SHAPES];
    for (uint32_t i = 0; i < RP_LIMIT_SHAPES; i++) {
        many[i] = i;
        ones[i] = 1;
    }
    Replan__V1__Overlay crowd = REPLAN__V1__OVERLAY__INIT;
    crowd.world = rp_text("marsh");
    crowd.ids = many;
    crowd.corners = ones;
    crowd.x = crowd.y = at;
    crowd.values = (ProtobufCBinaryData){1, values};
    crowd.n_ids = crowd.n_corners = crowd.n_x = crowd.n_y = RP_LIMIT_SHAPES;
    (void)put(crowd);
    overlay = disc(RP_LIMIT_SHAPES, 3, 2, 0, 0);
    reply = ask(&overlay);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__LIMIT);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "at most 4096 shapes"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        deltas_carry_what_is_seen_never_shapes,
        a_shape_goes_by_itself_and_that_is_a_version,
        settled_names_whom_a_shape_stopped,
        what_cannot_be_is_refused_with_the_limit,
    };
    return rp_suite_run("handle_overlay", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
