/// Windows on the wire, through the daemon without its sockets: changes that were made for older
/// ones, mirrors that follow, and what is gone.
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/requests/windows_scene.h"
#include "tests/daemon/wire.h"
#include "tests/support/random.h"
#include "tests/support/suite.h"

static void expect_ground(void)
{
    const rp_served_t *marsh = rp_wire_marsh(&wire);
    ck_assert_uint_eq(marsh->options.width, known[newest].width);
    ck_assert_uint_eq(marsh->options.height, known[newest].height);
    ck_assert_mem_eq(rp_engine_bytes(wire.daemon.serving.engine, marsh->id), ground,
                     (size_t)known[newest].width * known[newest].height);
}

// ---- changes for older windows

/// @param long_from  bytes from which messages are staged
static void change_by_chance(size_t long_from)
{
    uint64_t all_dropped = 0;
    uint64_t all_kept = 0;
    rng = (rp_random_t){(uint64_t)long_from + 1u};
    open_wire();
    wire.daemon.intake.long_from = long_from;
    for (unsigned round = 0; round < RP_ROUNDS(300); round++) {
        if (rp_random_chance(&rng, 40)) {
            resize_some();
        }
        const uint64_t oldest = newest > 8 ? newest - 8 : 1;
        const uint64_t window = oldest + rp_random_below(&rng, (uint32_t)(newest - oldest) + 1u);
        uint64_t dropped;
        Replan__V1__Change *change = some_change(window, &dropped);
        const uint64_t size = (uint64_t)change->width * change->height + change->n_cells;
        const Replan__V1__Wait wait =
            rp_random_chance(&rng, 20) ? REPLAN__V1__WAIT__SETTLED : REPLAN__V1__WAIT__APPLIED;
        const Replan__V1__Reply *reply = ask_change(change, wait);
        ck_assert_msg(reply->status == REPLAN__V1__STATUS__OK, "%s", reply->sentence);
        ck_assert_uint_eq(reply->applied->dropped, dropped);
        ck_assert_uint_eq(reply->applied->window, newest);
        expect_ground();
        all_dropped += dropped;
        all_kept += size - dropped;
    }
    ck_assert_uint_eq(rp_wire_stat(&wire, "changes.cells_dropped"), all_dropped);
    ck_assert_uint_gt(all_dropped, 500);
    ck_assert_uint_gt(all_kept, 500);
    tear_down();
}

START_TEST(a_change_for_an_older_window_lands_where_it_was_meant)
{
    change_by_chance(SIZE_MAX);
    change_by_chance(40); // staged, nearly all of them
}
END_TEST

START_TEST(limits_are_those_of_the_window_that_is_named)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    open_wire();
    body.x = 4;
    body.width = 20;
    body.height = 4;
    ck_assert_int_eq(ask_resize(&body)->status, REPLAN__V1__STATUS__OK);
    Replan__V1__Change *change = rp_wire_change(15, 7, 9);
    change->epoch = epoch;
    change->window = 1;
    ck_assert_uint_eq(ask_change(change, REPLAN__V1__WAIT__APPLIED)->applied->dropped, 1);
    change = rp_wire_change(16, 0, 9);
    change->epoch = epoch;
    change->window = 1;
    const Replan__V1__Reply *reply = ask_change(change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "outside the world of 16 x 8"));
    change = rp_wire_change(16, 0, 9);
    change->epoch = epoch;
    change->window = 3;
    reply = ask_change(change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(
        strstr(reply->sentence, "change.window is 3, the newest of the world is 2"));
    change = rp_wire_change(16, 0, 9);
    change->epoch = epoch; // the newest of this epoch
    ck_assert_int_eq(ask_change(change, REPLAN__V1__WAIT__APPLIED)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

START_TEST(questions_may_be_asked_in_cells_of_an_older_window)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    Replan__V1__AskProbe probe = REPLAN__V1__ASK_PROBE__INIT;
    Replan__V1__AskValid valid = REPLAN__V1__ASK_VALID__INIT;
    double from[] = {8.5, 0.5};
    double to[] = {12.5, 0.5};
    open_wire();
    (void)rp_wire_agent(&wire, 0, "orc", 8, 0, 12, 0);
    body.x = 4;
    body.width = 16;
    body.height = 1; // a corridor
    ck_assert_int_eq(ask_resize(&body)->status, REPLAN__V1__STATUS__OK);
    probe.change = rp_wire_change(10, 0, 0); // in the way, in window 1
    probe.from_x = &from[0];
    probe.from_y = &from[1];
    probe.to_x = &to[0];
    probe.to_y = &to[1];
    probe.n_from_x = probe.n_from_y = probe.n_to_x = probe.n_to_y = 1;
    probe.epoch = epoch;
    probe.window = 1;
    Replan__V1__Request request = RP_REQUEST(ASK_PROBE, ask_probe, &probe);
    ck_assert_double_eq(rp_wire_do(&wire, 0, &request)->probe->after[0], -1.0);
    probe.epoch = probe.window = 0;
    probe.change = rp_wire_change(10, 0, 0); // behind it, in the newest
    ck_assert_double_eq(rp_wire_do(&wire, 0, &request)->probe->after[0], 4.0);
    probe.change->epoch = epoch;
    probe.change->window = 1;
    ck_assert_double_eq(rp_wire_do(&wire, 0, &request)->probe->after[0], -1.0);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(8, 0, 0), REPLAN__V1__WAIT__APPLIED); // 12 there
    uint8_t steps[] = {0, 0, 0, 0};
    valid.world = rp_text("marsh");
    valid.agent = rp_text("orc");
    valid.start = 8;
    valid.steps = (ProtobufCBinaryData){4, steps};
    valid.epoch = epoch;
    valid.window = 1;
    request.body_case = REPLAN__V1__REQUEST__BODY_ASK_VALID;
    request.ask_valid = &valid;
    const Replan__V1__Valid *found = rp_wire_do(&wire, 0, &request)->valid;
    ck_assert(!found->legal);
    ck_assert_uint_eq(found->n_offending, 1);
    ck_assert_uint_eq(found->offending[0], 3);
    valid.start = 2; // left of the newest window
    found = rp_wire_do(&wire, 0, &request)->valid;
    ck_assert(!found->legal);
    ck_assert_uint_eq(found->n_offending, 0);
    valid.epoch = epoch + 1u;
    const Replan__V1__Reply *reply = rp_wire_ask(&wire, 0, &request);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__GONE);
    ck_assert_uint_eq(reply->present->window, 2);
}
END_TEST

// ---- gone

static void expect_gone(const Replan__V1__Reply *reply, uint64_t window, double origin)
{
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__GONE);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "change.window"));
    ck_assert_ptr_nonnull(reply->present);
    ck_assert_uint_eq(reply->present->epoch, epoch);
    ck_assert_uint_eq(reply->present->window, window);
    ck_assert_uint_eq(reply->present->geometry->width, 16);
    ck_assert_double_eq(reply->present->geometry->origin_x, origin);
}

START_TEST(the_last_256_windows_are_known_and_older_ones_are_gone)
{
    open_wire();
    shift(255);
    Replan__V1__Change *change = rp_wire_change(15, 0, 9);
    change->epoch = epoch;
    change->window = 1;
    ck_assert_uint_eq(ask_change(change, REPLAN__V1__WAIT__APPLIED)->applied->dropped, 1);
    shift(1);
    const uint64_t version = rp_wire_version(&wire);
    expect_gone(ask_change(change, REPLAN__V1__WAIT__APPLIED), 257, 256.0);
    change->window = 2;
    change->epoch = epoch - 1u;
    expect_gone(ask_change(change, REPLAN__V1__WAIT__APPLIED), 257, 256.0);
    change->window = 0;
    expect_gone(ask_change(change, REPLAN__V1__WAIT__APPLIED), 257, 256.0);
    ck_assert_uint_eq(rp_wire_version(&wire), version);
    change->window = 2;
    change->epoch = epoch;
    ck_assert_int_eq(ask_change(change, REPLAN__V1__WAIT__APPLIED)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

static void publish(Replan__V1__Change *change)
{
    rp_buffer_t buffer = {0};
    ck_assert(rp_codec_pack(&buffer, &change->base));
    rp_daemon_change(&wire.daemon, "change/marsh/", 13, buffer.bytes, buffer.size);
    rp_buffer_fini(&buffer);
    rp_wire_work(&wire);
}

START_TEST(a_publisher_whose_window_is_gone_is_marked_until_it_restates)
{
    open_wire();
    shift(256);
    Replan__V1__Change *change = rp_wire_change(5, 5, 9);
    change->publisher = rp_text("lidar");
    change->incarnation = 1;
    change->sequence = 1;
    change->epoch = epoch;
    change->window = 1;
    publish(change);
    const Replan__V1__Notice *notice =
        (const Replan__V1__Notice *)rp_wire_published(&wire, "status/marsh/");
    ck_assert_ptr_nonnull(notice);
    ck_assert_int_eq(notice->status, REPLAN__V1__STATUS__GONE);
    ck_assert(notice->gap);
    ck_assert_str_eq(notice->publisher, "lidar");
    ck_assert_uint_eq(rp_wire_marsh(&wire)->publishers.gaps, 1);
    change->sequence = 2;
    change->window = 257;
    publish(change); // the next one is taken, but states nothing of what was lost
    ck_assert_uint_eq(rp_wire_marsh(&wire)->publishers.gaps, 1);
    change->sequence = 3;
    change->repairs_through = 2;
    publish(change);
    ck_assert_uint_eq(rp_wire_marsh(&wire)->publishers.gaps, 0);
    ck_assert_uint_eq(rp_wire_version(&wire), 1 + 256 + 2);
}
END_TEST

START_TEST(a_repeat_is_answered_whatever_became_of_its_window)
{
    open_wire();
    Replan__V1__Change *change = rp_wire_change(5, 5, 9);
    change->publisher = rp_text("lidar");
    change->incarnation = 1;
    change->sequence = 1;
    change->epoch = epoch;
    change->window = 1;
    ck_assert_uint_eq(ask_change(change, REPLAN__V1__WAIT__APPLIED)->applied->version, 2);
    shift(256);
    const Replan__V1__Reply *reply = ask_change(change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__OK);
    ck_assert_uint_eq(reply->applied->version, 2);
}
END_TEST

// ---- windows

START_TEST(a_window_with_a_new_cell_that_nothing_states_is_refused_and_so_is_another_frame)
{
    Replan__V1__Resize body = REPLAN__V1__RESIZE__INIT;
    Replan__V1__Geometry told = REPLAN__V1__GEOMETRY__INIT;
    uint32_t rects[] = {14, 0, 2, 7};
    uint8_t bytes[14] = {0};
    open_wire();
    told.width = 16;
    told.height = 8;
    told.origin_x = 2.0;
    body.geometry = &told;
    body.rects = rects;
    body.n_rects = 4;
    body.rect_data = (ProtobufCBinaryData){14, bytes};
    const Replan__V1__Reply *reply = ask_resize(&body);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "resize.rects: cell (14, 7) is new"));
    body.n_rects = 0;
    body.rect_data.len = 0;
    told.resolution = 0.5;
    reply = ask_resize(&body);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__INVALID);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "resize.geometry.resolution is 0.5"));
    told.resolution = 1.0;
    told.origin_yaw = 0.1;
    ck_assert_ptr_nonnull(strstr(ask_resize(&body)->sentence, "resize.geometry.origin_yaw is 0.1"));
    told.origin_yaw = 0.0;
    told.frame_id = rp_text("odom");
    ck_assert_ptr_nonnull(strstr(ask_resize(&body)->sentence, "resize.geometry.frame_id"));
    told.frame_id = rp_text("");
    ck_assert_uint_eq(rp_wire_version(&wire), 1);
    reply = ask_resize(&body);
    ck_assert_uint_eq(reply->applied->window, 2);
    ck_assert_uint_eq(reply->applied->epoch, epoch);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_change_for_an_older_window_lands_where_it_was_meant,
        limits_are_those_of_the_window_that_is_named,
        questions_may_be_asked_in_cells_of_an_older_window,
        the_last_256_windows_are_known_and_older_ones_are_gone,
        a_publisher_whose_window_is_gone_is_marked_until_it_restates,
        a_repeat_is_answered_whatever_became_of_its_window,
        a_window_with_a_new_cell_that_nothing_states_is_refused_and_so_is_another_frame,
    };
    return rp_suite_run("windows_wire", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
