/// Apply and Forgive: what is written, what is refused, whom the reply names and what is published.
#include "daemon/requests/handlers/handle_apply.h"

#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

#define SIDE 300u ///< of a world whose bytes are too many for one message of PUB

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

static void send_apply(unsigned peer, Replan__V1__Change *change, Replan__V1__Wait wait)
{
    const Replan__V1__Request request = rp_wire_apply_request(&wire, change, wait);
    rp_wire_send(&wire, peer, &request);
}

START_TEST(a_change_outside_is_refused_by_name_and_writes_nothing)
{
    uint32_t cells[] = {0, 16u * 8u};
    uint8_t value = 0;
    rp_wire_open(&wire);
    Replan__V1__Change *change = rp_wire_change(15, 7, 0);
    send_apply(1, change, REPLAN__V1__WAIT__APPLIED);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__OK, "");
    ck_assert_uint_eq(rp_wire_version(&wire), 2);
    change->width = 2;
    send_apply(1, change, REPLAN__V1__WAIT__APPLIED);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__INVALID, "2 x 1 at (15, 7)");
    change->width = 1;
    change->height = 2;
    send_apply(1, change, REPLAN__V1__WAIT__APPLIED);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__INVALID, "1 x 2 at (15, 7)");
    change->height = 1;
    change->cells = cells;
    change->n_cells = 2;
    change->values = (ProtobufCBinaryData){1, &value};
    send_apply(1, change, REPLAN__V1__WAIT__APPLIED);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__INVALID, "change.cells[1]");
    change->world = rp_text("moor");
    send_apply(1, change, REPLAN__V1__WAIT__APPLIED);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__UNKNOWN, "moor");
    ck_assert_uint_eq(rp_wire_version(&wire), 2);
    ck_assert_uint_eq(rp_wire_stat(&wire, "changes.refused"), 4);
}
END_TEST

START_TEST(settled_replies_name_the_agents_whose_answer_changed)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    (void)rp_wire_agent(&wire, 0, "elf", 0, 7, 15, 7);
    send_apply(1, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__SETTLED);
    ck_assert_ptr_null(rp_wire_reply(&wire, 1));
    rp_wire_work(&wire);
    const Replan__V1__Reply *reply = rp_wire_reply(&wire, 1);
    ck_assert_ptr_nonnull(reply);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(reply->applied->n_changed_agents, 1);
    ck_assert_str_eq(reply->applied->changed_agents[0], "orc");
    ck_assert_uint_eq(reply->applied->epoch, rp_wire_marsh(&wire)->epoch);
}
END_TEST

START_TEST(durable_is_refused_as_long_as_nothing_is_kept)
{
    rp_wire_open(&wire);
    send_apply(1, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__DURABLE);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__UNSUPPORTED, "apply.wait");
    ck_assert_uint_eq(rp_wire_version(&wire), 1);
}
END_TEST

START_TEST(a_change_that_cannot_wait_is_not_applied)
{
    rp_wire_open(&wire);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 0, 15, 0);
    for (uint32_t i = 0; i <= RP_LIMIT_WINDOW; i++) {
        send_apply(1, rp_wire_change(i % 16, 3, 0), REPLAN__V1__WAIT__SETTLED);
    }
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__LIMIT, "64");
    ck_assert_uint_eq(rp_wire_version(&wire), 1u + RP_LIMIT_WINDOW);
    send_apply(2, rp_wire_change(0, 4, 0), REPLAN__V1__WAIT__SETTLED);
    rp_wire_work(&wire);
    ck_assert_int_eq(rp_wire_reply(&wire, 2)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

/// More bytes than a message of PUB takes: the box round all that was written is named instead.
START_TEST(of_a_large_change_its_place_is_published)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    static uint8_t bytes[SIDE * (SIDE - 10u)];
    uint32_t cells[] = {7u * SIDE + 3u, 8u * SIDE + 5u};
    uint8_t value = 0;
    rp_wire_open(&wire);
    geometry.width = SIDE;
    geometry.height = SIDE;
    geometry.resolution = 1.0;
    create.world = rp_text("moor");
    create.geometry = &geometry;
    Replan__V1__Request creating = RP_REQUEST(CREATE_WORLD, create_world, &create);
    (void)rp_wire_do(&wire, 0, &creating);
    Replan__V1__Change *change = rp_wire_change(20, 10, 0);
    change->world = rp_text("moor");
    change->width = SIDE - 20u;
    change->height = SIDE - 10u;
    change->rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change->data = (ProtobufCBinaryData){(size_t)change->width * change->height, bytes};
    change->cells = cells;
    change->n_cells = 2;
    change->values = (ProtobufCBinaryData){1, &value};
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    rp_wire_work(&wire);
    const Replan__V1__Delta *delta =
        (const Replan__V1__Delta *)rp_wire_published(&wire, "delta/moor/");
    ck_assert_ptr_nonnull(delta);
    ck_assert(delta->only_names);
    ck_assert_uint_eq(delta->version, 2);
    ck_assert_uint_eq(delta->x, 3);
    ck_assert_uint_eq(delta->y, 7);
    ck_assert_uint_eq(delta->width, SIDE - 3u);
    ck_assert_uint_eq(delta->height, SIDE - 7u);
    ck_assert_int_eq(delta->rect_case, REPLAN__V1__DELTA__RECT__NOT_SET);
    ck_assert_uint_eq(delta->n_cells, 0);
}
END_TEST

START_TEST(only_who_published_is_forgiven)
{
    Replan__V1__Forgive forgive = REPLAN__V1__FORGIVE__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    rp_wire_open(&wire);
    forgive.world = rp_text("marsh");
    forgive.publisher = rp_text("scout");
    request.id = ++wire.next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_FORGIVE;
    request.forgive = &forgive;
    rp_wire_send(&wire, 1, &request);
    rp_wire_expect(&wire, 1, REPLAN__V1__STATUS__UNKNOWN, "forgive.publisher");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_change_outside_is_refused_by_name_and_writes_nothing,
        settled_replies_name_the_agents_whose_answer_changed,
        durable_is_refused_as_long_as_nothing_is_kept,
        a_change_that_cannot_wait_is_not_applied,
        of_a_large_change_its_place_is_published,
        only_who_published_is_forgiven,
    };
    return rp_suite_run("handle_apply", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
