/// States that are old, damaged, salvaged, or more than there is room for.
#include "daemon/requests/restore.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "daemon/process/log.h"
#include "daemon/requests/staged_request.h"
#include "daemon/rules/state.h"
#include "msgs/request.h"
#include "tests/daemon/capture.h"
#include "tests/daemon/heir.h"
#include "tests/support/suite.h"

#define LOG  "00000002.log"
#define BASE "00000002.base"

static char folder[64];
static char kept[80]; ///< the same before a start
static char error[512];
static char said[4096];

static void run(const char *format, const char *one, const char *other)
{
    char command[512];
    (void)snprintf(command, sizeof command, format, one, other);
    ck_assert_int_eq(system(command), 0);
}

/// A folder with what stands in another.
static void copy_state(const char *from)
{
    strcpy(folder, "/tmp/replan-restore-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    (void)snprintf(kept, sizeof kept, "%s.kept", folder);
    run(from[0] != '\0' ? "cp -r %s/. %s/" : "test -z '%s' && ls %s", from, folder);
}

static void tear_down(void)
{
    if (rp_keeper.last != NULL) {
        rp_keeper_tear_down();
    } else if (rp_heir.last != NULL) {
        rp_wire_close(&rp_heir);
    }
    run("rm -rf %s %s", folder, kept);
}

/// A daemon on the folder. @return false with `error` when it does not start
static bool start(bool is_salvaging)
{
    if (rp_heir.last != NULL) {
        rp_wire_close(&rp_heir);
    }
    rp_wire_open_bare(&rp_heir);
    rp_heir.daemon.serving.state = rp_state_open(folder, false, error, sizeof error);
    ck_assert_msg(rp_heir.daemon.serving.state != NULL, "%s", error);
    return rp_restore(&rp_heir.daemon.intake, is_salvaging, error, sizeof error);
}

/// It does not start, says so by this word, and changes nothing.
static void expect_refused(const char *word)
{
    run("rm -rf %s%s", kept, "");
    run("cp -r %s %s", folder, kept);
    ck_assert(!start(false));
    ck_assert_msg(strstr(error, word) != NULL, "%s", error);
    rp_wire_close(&rp_heir);
    run("diff -r --exclude=lock %s %s", folder, kept);
}

static uint8_t byte_at(const char *world, uint32_t x, uint32_t y)
{
    const rp_served_t *served = rp_worlds_find(&rp_heir.daemon.serving.worlds, world);
    ck_assert_ptr_nonnull(served);
    return rp_engine_bytes(rp_heir.daemon.serving.engine,
                           served->id)[y * served->options.width + x];
}

// ---- formats

static void expect_pose(const char *name, double x)
{
    const rp_agent_t *agent = rp_worlds_find_agent(rp_wire_marsh(&rp_heir), name);
    ck_assert_msg(agent != NULL, "%s", name);
    ck_assert(agent->last.pose.is_there && agent->last.pose.x_m == x);
}

/// tests/state/make.py tells the story.
START_TEST(a_state_of_each_format_is_understood)
{
    char from[64];
    (void)snprintf(from, sizeof from, "tests/state/%d", _i + 1);
    copy_state(from);
    for (int round = 0; round < 2; round++) { // as it was, then as this version writes it
        ck_assert_msg(start(false), "%s", error);
        const rp_served_t *marsh = rp_wire_marsh(&rp_heir);
        ck_assert(marsh->options.frame.origin_x_m == 1.0); // it was shifted by a cell
        ck_assert_int_eq(byte_at("marsh", 0, 1), 0);
        ck_assert_int_eq(byte_at("marsh", 2, 1), 0);
        ck_assert_int_eq(byte_at("marsh", 3, 1), 1);
        ck_assert_int_eq(byte_at("marsh", 8, 1), 7);
        ck_assert_int_eq(byte_at("marsh", 4, 2), 0);
        ck_assert_int_eq(byte_at("marsh", 11, 3), 0); // under a disc
        ck_assert_int_eq(byte_at("marsh", 0, 0), 0);
        ck_assert_uint_eq(marsh->publishers.gaps, 1);
        ck_assert_uint_eq(marsh->agent_count, 3);
        expect_pose("first", 1.5);
        expect_pose("third", 4.5);
        expect_pose("fourth", 7.5);
    }
}
END_TEST

// ---- damage

static void apply(const char *world, uint32_t x)
{
    Replan__V1__Change *change = rp_wire_change(x, 1, 0);
    change->world = rp_text(world);
    const Replan__V1__Request request =
        rp_wire_apply_request(&rp_keeper, change, REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&rp_keeper, 0, &request);
    rp_wire_work(&rp_keeper); // what is staged takes some rounds
    ck_assert_int_eq(rp_wire_reply(&rp_keeper, 0)->status, REPLAN__V1__STATUS__OK);
}

/// Two worlds, an agent, a base of generation 2, and a log behind it.
/// @param long_from  requests of so many bytes are kept in parts
static void make_state_of(size_t long_from)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    rp_keeper_create("moor", 16, 8);
    (void)rp_wire_agent(&rp_keeper, 0, "scout", 1, 1, 9, 5);
    (void)rp_wire_apply(&rp_keeper, 0, rp_wire_change(1, 1, 0), REPLAN__V1__WAIT__APPLIED);
    rp_keeper_renew();
    ck_assert(
        rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error)); // older files are gone
    rp_keeper.daemon.intake.long_from = long_from;
    for (uint32_t i = 2; i < 6; i++) {
        apply(i % 2 == 0 ? "marsh" : "moor", i);
    }
    copy_state(rp_keeper_folder());
}

static void make_state(void)
{
    make_state_of(RP_STAGED_FROM_BYTES);
}

/// Flip a bit of a byte counted from the start of a file, or, below 0, from its end.
static void flip(const char *name, long at)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "r+b");
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(fseek(file, at, at < 0 ? SEEK_END : SEEK_SET), 0);
    const int byte = fgetc(file);
    ck_assert_int_ne(byte, EOF);
    ck_assert_int_eq(fseek(file, -1, SEEK_CUR), 0);
    ck_assert_int_ne(fputc(byte ^ 4, file), EOF);
    (void)fclose(file);
}

START_TEST(damage_ends_the_start_by_the_files_name_and_changes_nothing)
{
    make_state();
    flip(LOG, 100);
    expect_refused(LOG ": damaged");
    flip(LOG, 100);
    flip(BASE, -40);
    expect_refused(BASE ": damaged");
    flip(BASE, -40);
    ck_assert_msg(start(false), "%s", error);
    ck_assert_int_eq(byte_at("moor", 5, 1), 0);
}
END_TEST

static void put_back(void)
{
    rp_wire_close(&rp_heir);
    run("rm -rf %s%s", folder, "");
    run("cp -r %s %s", kept, folder);
}

static long size_of(const char *name)
{
    char path[128];
    struct stat about;
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    ck_assert_int_eq(stat(path, &about), 0);
    return (long)about.st_size;
}

/// The bytes of both worlds, as one number.
static uint64_t worlds_hash(void)
{
    const rp_served_t *moor = rp_worlds_find(&rp_heir.daemon.serving.worlds, "moor");
    const rp_engine_t *engine = rp_heir.daemon.serving.engine;
    return moor == NULL ? 0
                        : rp_engine_hash(engine, rp_wire_marsh(&rp_heir)->id) * 3u +
                              rp_engine_hash(engine, moor->id);
}

START_TEST(whatever_is_flipped_is_told_and_changes_nothing)
{
    const char *const names[] = {LOG, BASE};
    const long step = getenv("REPLAN_EXHAUSTIVE") != NULL ? 1 : 7;
    unsigned starts = 0;
    make_state();
    run("cp -r %s %s", folder, kept);
    for (unsigned i = 0; i < 2; i++) {
        for (long at = 0; at < size_of(names[i]); at += step) {
            flip(names[i], at);
            ck_assert_msg(!start(false), "%s: byte %ld", names[i], at);
            starts++;
            ck_assert_msg(strstr(error, names[i]) != NULL, "%s", error);
            flip(names[i], at);
        }
    }
    printf("restore: %u refused starts\n", starts);
    rp_wire_close(&rp_heir);
    run("diff -r --exclude=lock %s %s", folder, kept);
    ck_assert_msg(start(false), "%s", error);
}
END_TEST

START_TEST(whatever_a_cut_leaves_is_told_or_a_beginning)
{
    const long step = getenv("REPLAN_EXHAUSTIVE") != NULL ? 1 : 11;
    uint64_t moments[8] = {0};
    unsigned count = 0;
    make_state();
    run("cp -r %s %s", folder, kept);
    const long whole = size_of(LOG);
    for (long size = whole; size > 0; size -= step) {
        char path[128];
        (void)snprintf(path, sizeof path, "%s/" LOG, folder);
        ck_assert_int_eq(truncate(path, size), 0);
        if (start(false)) {
            const uint64_t hash = worlds_hash();
            if (count == 0 || moments[count - 1u] != hash) {
                ck_assert_uint_lt(count, 8);
                moments[count++] = hash; // one change less
            }
        } else {
            ck_assert_msg(strstr(error, LOG ": damaged: its head is cut short") != NULL, "%s",
                          error);
        }
        put_back();
    }
    ck_assert_uint_eq(count, 5); // four changes, and none
}
END_TEST

START_TEST(a_missing_file_ends_the_start_by_its_name)
{
    make_state();
    run("rm %s/%s", folder, BASE);
    expect_refused(BASE ": damaged: this file of the state is missing");
}
END_TEST

/// Start, and keep what the log says.
static void start_heard(bool is_salvaging)
{
    rp_capture_t capture = rp_capture_begin();
    const bool is_started = start(is_salvaging);
    rp_capture_end(&capture, said, sizeof said);
    ck_assert_msg(is_started, "%s", error);
}

static void salvage(void)
{
    start_heard(true);
}

static void expect_said(const char *text)
{
    ck_assert_msg(strstr(said, text) != NULL, "%s is not in: %s", text, said);
}

/// The byte of a file where these begin for the nth time, from 0.
static long find(const char *name, const char *text, unsigned nth)
{
    static char bytes[1 << 16];
    char path[128];
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    ck_assert_ptr_nonnull(file);
    const size_t size = fread(bytes, 1, sizeof bytes, file);
    (void)fclose(file);
    const char *at = memmem(bytes, size, text, strlen(text));
    for (; nth > 0 && at != NULL; nth--) {
        at = memmem(at + 1, size - (size_t)(at + 1 - bytes), text, strlen(text));
    }
    ck_assert_ptr_nonnull(at);
    return at - bytes;
}

START_TEST(salvage_tells_world_by_world_which_versions_are_gone)
{
    make_state();
    flip(LOG, find(LOG, "moor", 0)); // the second of four changes
    expect_refused(LOG ": damaged");
    salvage();
    expect_said("event=salvaged damage=\"" LOG ": damaged: record");
    expect_said("unread=1");
    expect_said("world=marsh version=3 gone_from=4 gone_to=4 unsure_from=5 unsure_to=5");
    expect_said("world=moor version=1 gone_from=2 gone_to=2 unsure_from=3 unsure_to=3");
    ck_assert_int_eq(byte_at("marsh", 2, 1), 0);
    ck_assert_int_eq(byte_at("marsh", 4, 1), 1); // it stood behind the damage
    ck_assert_int_eq(byte_at("moor", 3, 1), 1);
    run("cmp %s/" LOG ".damaged %s/" LOG, folder, kept);
    ck_assert_msg(start(false), "%s", error); // it is whole again
    ck_assert_int_eq(byte_at("marsh", 2, 1), 0);
}
END_TEST

START_TEST(salvage_tells_of_changes_that_were_kept_in_parts)
{
    make_state_of(1);
    flip(LOG, find(LOG, "moor", 0));
    expect_refused(LOG ": damaged");
    salvage();
    expect_said("world=marsh version=3 gone_from=4 gone_to=4");
    expect_said("world=moor version=1 gone_from=2 gone_to=2");
}
END_TEST

START_TEST(salvage_tells_of_a_log_whose_head_is_damaged)
{
    make_state();
    flip(LOG, 20);
    expect_refused(LOG ": damaged: the check sum of its head");
    salvage();
    expect_said("world=marsh version=2 gone_from=3 gone_to=4");
    expect_said("world=moor version=1 gone_from=2 gone_to=3");
    ck_assert_ptr_null(strstr(said, "unsure"));
}
END_TEST

START_TEST(salvage_tells_of_a_log_that_is_missing)
{
    make_state();
    run("rm %s/%s", folder, LOG);
    expect_refused(LOG ": damaged: this file of the state is missing");
    salvage();
    expect_said("end=unknown");
    expect_said("world=marsh version=2 unsure_from=3 unsure_to=unknown");
    expect_said("world=moor version=1 unsure_from=2 unsure_to=unknown");
}
END_TEST

START_TEST(a_torn_end_of_format_1_is_told_as_torn_or_damaged)
{
    copy_state("tests/state/1");
    flip(LOG, -3);
    start_heard(false);
    expect_said("torn_bytes=46: torn or damaged");
}
END_TEST

START_TEST(salvage_says_nothing_of_a_world_that_was_removed)
{
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    rp_keeper_create("moor", 16, 8);
    remove.world = rp_text("moor");
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    ck_assert_int_eq(rp_wire_ask(&rp_keeper, 0, &request)->status, REPLAN__V1__STATUS__OK);
    (void)rp_wire_apply(&rp_keeper, 0, rp_wire_change(1, 1, 0), REPLAN__V1__WAIT__APPLIED);
    ck_assert(
        rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error)); // older files are gone
    copy_state(rp_keeper_folder());
    salvage();
    expect_said("event=salvaged damage=\"\"");
    ck_assert_ptr_null(strstr(said, "moor"));
}
END_TEST

START_TEST(salvage_keeps_the_worlds_of_which_a_base_tells_all)
{
    make_state();
    flip(BASE, find(BASE, "moor", 1)); // its bytes; first it was created
    expect_refused(BASE ": damaged");
    salvage();
    expect_said("world=moor gone=all");
    ck_assert_ptr_null(rp_worlds_find(&rp_heir.daemon.serving.worlds, "moor"));
    ck_assert_int_eq(byte_at("marsh", 1, 1), 0);
    ck_assert_int_eq(byte_at("marsh", 4, 1), 0); // logs are told on top of it
    ck_assert_uint_eq(rp_wire_marsh(&rp_heir)->agent_count, 1);
}
END_TEST

START_TEST(salvage_does_no_harm_to_what_is_whole)
{
    make_state();
    salvage();
    expect_said("event=salvaged damage=\"\"");
    ck_assert_int_eq(byte_at("marsh", 4, 1), 0);
    ck_assert_int_eq(byte_at("moor", 5, 1), 0);
}
END_TEST

// ---- limits

START_TEST(what_was_accepted_once_and_is_refused_now_ends_the_start)
{
    rp_state_found_t found;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    copy_state("");
    rp_journal_t *journal = rp_journal_open(folder, NULL, error, sizeof error);
    ck_assert_ptr_nonnull(journal);
    ck_assert(rp_journal_read(journal, false, NULL, NULL, &found, error, sizeof error));
    ck_assert(rp_journal_begin_checkpoint(journal));
    geometry.width = geometry.height = 4;
    geometry.resolution = 1.0;
    create.geometry = &geometry;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    for (unsigned i = 0; i <= RP_LIMIT_WORLDS; i++) {
        char name[16];
        uint8_t bytes[128];
        (void)snprintf(name, sizeof name, "world-%u", i);
        create.world = name;
        ck_assert(rp_journal_add(
            journal, &(rp_record_t){.kind = RP_RECORD_REQUEST,
                                    .bytes = bytes,
                                    .size = protobuf_c_message_pack(&request.base, bytes)}));
    }
    rp_journal_close(&journal);
    expect_refused("is refused now: create_world: the daemon holds at most");
    salvage();
    expect_said("refused=1");
    ck_assert_uint_eq(rp_heir.daemon.serving.worlds.count, RP_LIMIT_WORLDS);
}
END_TEST

int main(void)
{
    rp_log_set_level(RP_LOG_WARN);
    const TTest *const formats[] = {a_state_of_each_format_is_understood};
    const TTest *const tests[] = {
        damage_ends_the_start_by_the_files_name_and_changes_nothing,
        whatever_is_flipped_is_told_and_changes_nothing,
        whatever_a_cut_leaves_is_told_or_a_beginning,
        a_missing_file_ends_the_start_by_its_name,
        salvage_tells_world_by_world_which_versions_are_gone,
        salvage_tells_of_changes_that_were_kept_in_parts,
        salvage_tells_of_a_log_whose_head_is_damaged,
        salvage_tells_of_a_log_that_is_missing,
        a_torn_end_of_format_1_is_told_as_torn_or_damaged,
        salvage_says_nothing_of_a_world_that_was_removed,
        salvage_keeps_the_worlds_of_which_a_base_tells_all,
        salvage_does_no_harm_to_what_is_whole,
        what_was_accepted_once_and_is_refused_now_ends_the_start,
    };
    const int failed = rp_suite_run("formats", formats, 1, 2, tear_down);
    return rp_suite_run("restore", tests, sizeof tests / sizeof tests[0], 1, tear_down) | failed;
}
