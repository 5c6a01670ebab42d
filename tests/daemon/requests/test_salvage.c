/// What is gone of a damaged state, world by world.
#include "daemon/requests/salvage.h"

#include <string.h>

#include "daemon/process/log.h"
#include "msgs/request.h"
#include "tests/daemon/capture.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;
static rp_salvage_t salvage;
static rp_state_found_t found;
static char said[4096];

static void set_up(void)
{
    rp_wire_open(&wire);
    rp_wire_create(&wire, "moor", 16, 8);
    salvage = (rp_salvage_t){0};
    found = (rp_state_found_t){.damage = "00000002.log: damaged"};
}

static void tear_down(void)
{
    rp_wire_close(&wire);
}

// ---- requests

static void create(const char *name, uint64_t version)
{
    Replan__V1__CreateWorld body = REPLAN__V1__CREATE_WORLD__INIT;
    body.world = rp_text(name);
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &body);
    rp_salvage_note(&salvage, &request, true, version);
}

/// A change of so many bytes, handled or lost.
static void apply(const char *name, size_t bytes, bool is_of_base, bool is_lost)
{
    Replan__V1__Apply body = REPLAN__V1__APPLY__INIT;
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.world = rp_text(name);
    change.data.len = bytes;
    body.change = &change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &body);
    if (is_lost) {
        rp_salvage_lose(&salvage, &request);
    } else {
        rp_salvage_note(&salvage, &request, is_of_base, 0);
    }
}

static void remove_world(const char *name)
{
    Replan__V1__RemoveWorld body = REPLAN__V1__REMOVE_WORLD__INIT;
    body.world = rp_text(name);
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &body);
    rp_salvage_note(&salvage, &request, false, 0);
}

/// Tell, and keep what the log says.
static void tell(void)
{
    rp_capture_t capture = rp_capture_begin();
    rp_salvage_end(&salvage, &wire.daemon.serving, &found);
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_ptr_null(salvage.worlds);
}

static void expect_said(const char *text)
{
    ck_assert_msg(strstr(said, text) != NULL, "%s is not in: %s", text, said);
}

static void expect_unsaid(const char *text)
{
    ck_assert_msg(strstr(said, text) == NULL, "%s is in: %s", text, said);
}

START_TEST(versions_behind_the_damage_are_gone_one_by_one)
{
    set_up();
    create("marsh", 5);
    apply("marsh", 0, false, false);
    apply("marsh", 0, false, false);
    apply("marsh", 0, false, true);
    rp_salvage_lose_change(&salvage, "marsh");
    tell();
    expect_said("damage=\"00000002.log: damaged\"");
    expect_said("world=marsh version=7 gone_from=8 gone_to=9");
    expect_unsaid("unsure");
}
END_TEST

START_TEST(a_world_that_lost_nothing_is_not_named)
{
    set_up();
    create("marsh", 1);
    create("moor", 1);
    apply("moor", 0, false, true);
    tell();
    expect_said("world=moor version=1 gone_from=2 gone_to=2");
    expect_unsaid("world=marsh");
}
END_TEST

START_TEST(what_cannot_be_read_may_be_of_any_world)
{
    set_up();
    found.unreadable = 3;
    create("marsh", 4);
    create("moor", 1);
    apply("moor", 0, false, true);
    tell();
    expect_said("world=marsh version=4 unsure_from=5 unsure_to=7");
    expect_said("world=moor version=1 gone_from=2 gone_to=2 unsure_from=3 unsure_to=5");
}
END_TEST

START_TEST(an_end_that_cannot_be_read_may_hold_any_number)
{
    set_up();
    found.is_open = true;
    create("marsh", 4);
    tell();
    expect_said("end=unknown");
    expect_said("world=marsh version=4 unsure_from=5 unsure_to=unknown");
}
END_TEST

START_TEST(a_world_that_was_removed_in_order_is_not_gone)
{
    set_up();
    create("fen", 1);
    apply("fen", 0, false, true);
    remove_world("fen");
    tell();
    expect_unsaid("fen");
}
END_TEST

START_TEST(of_a_base_with_a_gap_only_whole_worlds_stay)
{
    set_up();
    create("marsh", 1);
    rp_salvage_gap(&salvage); // here something is missing, of this world or of one behind it
    apply("marsh", (size_t)16 * 8, true, false);
    create("moor", 1);
    apply("moor", (size_t)16 * 7, true, false);
    apply("moor", 16, true, false);
    rp_salvage_end_base(&salvage, &wire.daemon.serving);
    ck_assert_ptr_null(rp_wire_marsh(&wire));
    ck_assert_ptr_nonnull(rp_worlds_find(&wire.daemon.serving.worlds, "moor"));
    tell();
    expect_said("gaps=1");
    expect_said("world=marsh gone=all");
    expect_unsaid("world=moor");
}
END_TEST

START_TEST(a_world_whose_rows_are_not_all_there_goes)
{
    set_up();
    create("marsh", 1);
    create("moor", 1);
    apply("marsh", (size_t)16 * 8, true, false);
    apply("moor", (size_t)16 * 7, true, false);
    salvage.newest = NULL; // worlds are told of, rows are missing
    rp_salvage_gap(&salvage);
    rp_salvage_end_base(&salvage, &wire.daemon.serving);
    ck_assert_ptr_nonnull(rp_wire_marsh(&wire));
    ck_assert_ptr_null(rp_worlds_find(&wire.daemon.serving.worlds, "moor"));
    tell();
}
END_TEST

START_TEST(a_base_without_a_gap_takes_nothing_away)
{
    set_up();
    create("marsh", 1); // none of its rows was told yet: they are in the log
    rp_salvage_end_base(&salvage, &wire.daemon.serving);
    ck_assert_ptr_nonnull(rp_wire_marsh(&wire));
    tell();
    expect_unsaid("world=marsh");
}
END_TEST

int main(void)
{
    rp_log_set_level(RP_LOG_WARN);
    const TTest *const tests[] = {
        versions_behind_the_damage_are_gone_one_by_one,
        a_world_that_lost_nothing_is_not_named,
        what_cannot_be_read_may_be_of_any_world,
        an_end_that_cannot_be_read_may_hold_any_number,
        a_world_that_was_removed_in_order_is_not_gone,
        of_a_base_with_a_gap_only_whole_worlds_stay,
        a_world_whose_rows_are_not_all_there_goes,
        a_base_without_a_gap_takes_nothing_away,
    };
    return rp_suite_run("salvage", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
