/// Changes: what is written, what is counted of it, and what is refused or a repeat.
#include "daemon/rules/changes.h"

#include <stdio.h>
#include <string.h>

#include "daemon/process/log.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;
static rp_taken_t taken;
static rp_refusal_t refusal;
static uint64_t incarnation;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

static void begin(void)
{
    rp_wire_open(&wire);
    incarnation = 3;
}

static rp_serving_t *serving(void)
{
    return &wire.daemon.serving;
}

static uint8_t byte_at(uint32_t x)
{
    return rp_engine_bytes(serving()->engine, rp_wire_marsh(&wire)->id)[16u + x];
}

/// Block a cell of the second row. @param publisher  "": it is not numbered
static bool apply(const char *publisher, uint64_t sequence, uint32_t x)
{
    Replan__V1__Change *change = rp_wire_change(x, 1, 0);
    change->publisher = rp_text(publisher);
    change->incarnation = incarnation;
    change->sequence = sequence;
    taken = (rp_taken_t){.version = 99, .dropped = 99};
    refusal = (rp_refusal_t){.status = REPLAN__V1__STATUS__OK};
    return rp_changes_apply(serving(), change, NULL, &taken, &refusal);
}

static void expect_refused(Replan__V1__Status status, const char *word)
{
    ck_assert_int_eq(refusal.status, status);
    ck_assert_msg(strstr(refusal.sentence, word) != NULL, "%s", refusal.sentence);
    ck_assert_uint_eq(taken.version, 0);
    ck_assert_uint_eq(taken.dropped, 0);
}

START_TEST(a_change_is_written_and_counted)
{
    begin();
    rp_served_t *marsh = rp_wire_marsh(&wire);
    serving()->now.steady_us += 1000;
    for (uint64_t i = 1; i <= 2; i++) {
        ck_assert_msg(apply("", 0, (uint32_t)i), "%s", refusal.sentence);
        ck_assert_uint_eq(taken.version, 1u + i);
        ck_assert_uint_eq(taken.dropped, 0);
        ck_assert_uint_eq(rp_wire_version(&wire), 1u + i);
        ck_assert_uint_eq(byte_at((uint32_t)i), 0);
        ck_assert_uint_eq(marsh->changes, i);
        ck_assert_uint_eq(marsh->cells, i);
        ck_assert_uint_eq(marsh->changed_us, serving()->now.steady_us);
    }
    Replan__V1__Change *change = rp_wire_change(0, 0, 0);
    uint8_t rows[12] = {0};
    change->n_cells = 0;
    change->values.len = 0;
    change->x = 2;
    change->y = 3;
    change->width = 4;
    change->height = 3;
    change->rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change->data = (ProtobufCBinaryData){sizeof rows, rows};
    ck_assert_msg(rp_changes_apply(serving(), change, NULL, &taken, &refusal), "%s",
                  refusal.sentence);
    ck_assert_uint_eq(marsh->changes, 3);
    ck_assert_uint_eq(marsh->cells, 2 + 12);
}
END_TEST

START_TEST(a_change_of_nothing_or_outside_is_refused_and_its_number_free)
{
    begin();
    rp_served_t *marsh = rp_wire_marsh(&wire);
    const uint64_t changed_us = marsh->changed_us;
    serving()->now.steady_us += 1000;
    Replan__V1__Change *change = rp_wire_change(1, 1, 0);
    change->world = rp_text("moor");
    refusal = (rp_refusal_t){.status = REPLAN__V1__STATUS__OK};
    taken = (rp_taken_t){.version = 99, .dropped = 99};
    ck_assert(!rp_changes_apply(serving(), change, NULL, &taken, &refusal));
    expect_refused(REPLAN__V1__STATUS__UNKNOWN, "change.world: there is no world \"moor\"");
    ck_assert(!apply("lidar", 1, 16u * 8u));
    expect_refused(REPLAN__V1__STATUS__INVALID, "change");
    ck_assert_uint_eq(rp_wire_version(&wire), 1);
    ck_assert_uint_eq(marsh->changes, 0);
    ck_assert_uint_eq(marsh->changed_us, changed_us);
    ck_assert(apply("lidar", 1, 1));
    ck_assert_uint_eq(taken.version, 2);
}
END_TEST

START_TEST(a_repeat_has_the_version_that_it_got_and_a_late_one_is_refused)
{
    begin();
    ck_assert(apply("lidar", 1, 1));
    ck_assert(apply("lidar", 2, 2));
    ck_assert_uint_eq(taken.version, 3);
    ck_assert(apply("lidar", 2, 9));
    ck_assert_uint_eq(taken.version, 3);
    ck_assert_uint_eq(byte_at(9), 1);
    ck_assert_uint_eq(rp_wire_version(&wire), 3);
    ck_assert_uint_eq(serving()->stats.changes_repeated, 1);
    ck_assert_uint_eq(serving()->stats.changes_late, 0);
    incarnation--;
    ck_assert(!apply("lidar", 3, 9));
    expect_refused(REPLAN__V1__STATUS__LATE, "change.sequence 3 of \"lidar\" comes too late");
    ck_assert_uint_eq(byte_at(9), 1);
    ck_assert_uint_eq(serving()->stats.changes_repeated, 1);
    ck_assert_uint_eq(serving()->stats.changes_late, 1);
    ck_assert_uint_eq(serving()->stats.changes_gaps, 0);
    ck_assert(apply("radar", 1, 9)); // numbers of its own
    ck_assert_uint_eq(byte_at(9), 0);
}
END_TEST

START_TEST(a_gap_is_told_once)
{
    begin();
    rp_served_t *marsh = rp_wire_marsh(&wire);
    ck_assert(apply("lidar", 1, 1));
    while (rp_wire_published(&wire, "status/marsh/") != NULL) {
    }
    marsh->head_moved = false;
    ck_assert(apply("lidar", 7, 2));
    ck_assert_uint_eq(taken.version, 3);
    ck_assert(marsh->head_moved);
    ck_assert_uint_eq(serving()->stats.changes_gaps, 1);
    ck_assert_uint_eq(marsh->publishers.gaps, 1);
    rp_wire_work(&wire);
    const Replan__V1__Notice *notice =
        (const Replan__V1__Notice *)rp_wire_published(&wire, "status/marsh/");
    ck_assert_ptr_nonnull(notice);
    ck_assert_ptr_nonnull(
        strstr(notice->sentence, "changes of \"lidar\" before sequence 7 were lost"));
    ck_assert(notice->gap);
    ck_assert_str_eq(notice->publisher, "lidar");
    ck_assert_uint_eq(notice->sequence, 7);
    ck_assert(apply("lidar", 8, 3));
    ck_assert_uint_eq(serving()->stats.changes_gaps, 1);
    ck_assert_uint_eq(marsh->publishers.gaps, 1);
}
END_TEST

START_TEST(there_are_so_many_publishers)
{
    char name[32];
    begin();
    for (unsigned i = 0; i < RP_LIMIT_PUBLISHERS; i++) {
        (void)snprintf(name, sizeof name, "p%u", i);
        ck_assert_msg(apply(name, 1, 1), "%s", refusal.sentence);
    }
    ck_assert(!apply("lidar", 1, 2));
    expect_refused(REPLAN__V1__STATUS__LIMIT, "change.publisher \"lidar\" is one more than");
    ck_assert_uint_eq(byte_at(2), 1);
    ck_assert(apply("", 0, 2));
    ck_assert(apply("p0", 2, 3));
}
END_TEST

static bool lose(const char *world, const char *publisher, uint64_t sequence)
{
    Replan__V1__Change *change = rp_wire_change(1, 1, 0);
    change->world = rp_text(world);
    change->publisher = rp_text(publisher);
    change->incarnation = incarnation;
    change->sequence = sequence;
    return rp_changes_lose(serving(), change);
}

START_TEST(what_cannot_be_made_is_lost_once)
{
    begin();
    rp_served_t *marsh = rp_wire_marsh(&wire);
    ck_assert(apply("lidar", 1, 1));
    marsh->head_moved = false;
    ck_assert(!lose("moor", "lidar", 2));
    ck_assert(!lose("marsh", "", 2));
    ck_assert_uint_eq(serving()->stats.changes_gaps, 0);
    ck_assert(!marsh->head_moved);
    for (unsigned again = 0; again < 2; again++) {
        ck_assert_int_eq(lose("marsh", "lidar", 2), !again);
        ck_assert_uint_eq(serving()->stats.changes_gaps, 1);
        ck_assert_uint_eq(marsh->publishers.gaps, 1);
        ck_assert_int_eq(marsh->head_moved, !again);
        marsh->head_moved = false;
    }
    ck_assert_uint_eq(byte_at(1), 0);
    ck_assert_uint_eq(rp_wire_version(&wire), 2);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_change_is_written_and_counted,
        a_change_of_nothing_or_outside_is_refused_and_its_number_free,
        a_repeat_has_the_version_that_it_got_and_a_late_one_is_refused,
        a_gap_is_told_once,
        there_are_so_many_publishers,
        what_cannot_be_made_is_lost_once,
    };
    rp_log_set_level(RP_LOG_ERROR);
    return rp_suite_run("changes", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
