/// What was kept, and when it is on the disk; and a disk that does not take it.
#include <errno.h>
#include <fcntl.h>
#include <glob.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "daemon/process/log.h"
#include "daemon/requests/restore.h"
#include "daemon/rules/state.h"
#include "tests/daemon/heir.h"
#include "tests/support/suite.h"

#define PATIENCE 120000u ///< milliseconds for the disk

static Replan__V1__Request request;

// ---- a disk that takes its time when it is told to: this stands before that of the C library

static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

int fdatasync(int file)
{
    (void)pthread_mutex_lock(&gate);
    (void)pthread_mutex_unlock(&gate);
    return (int)syscall(SYS_fdatasync, file);
}

static bool is_full; ///< no room can be had before it is used

int fallocate(int file, int mode, off_t at, off_t size)
{
    errno = ENOSPC;
    return is_full ? -1 : (int)syscall(SYS_fallocate, file, mode, at, size);
}

static const Replan__V1__Reply *apply_with(rp_wire_t *self, uint32_t x, Replan__V1__Wait wait)
{
    static Replan__V1__Apply body;
    replan__v1__apply__init(&body);
    replan__v1__request__init(&request);
    body.change = rp_wire_change(x, 1, 0);
    body.wait = wait;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &body;
    request.id = ++self->next_id;
    rp_wire_send(self, 0, &request);
    rp_daemon_work(&self->daemon, 8192);
    return rp_wire_reply(self, 0);
}

/// Work until the disk has taken what is on its way.
static const Replan__V1__Reply *await_reply(rp_wire_t *self)
{
    const Replan__V1__Reply *reply = NULL;
    for (unsigned waited = 0; reply == NULL; waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        (void)usleep(1000);
        rp_daemon_work(&self->daemon, 8192);
        reply = rp_wire_reply(self, 0);
    }
    return reply;
}

START_TEST(who_waits_for_the_disk_is_told_when_it_is_there)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    ck_assert_ptr_nonnull(apply_with(&rp_keeper, 3, REPLAN__V1__WAIT__APPLIED));
    const Replan__V1__Reply *reply = apply_with(&rp_keeper, 4, REPLAN__V1__WAIT__DURABLE);
    reply = reply != NULL ? reply : await_reply(&rp_keeper);
    ck_assert_int_eq(reply->status, 0);
    ck_assert_uint_eq(reply->applied->version, 3);
    ck_assert_uint_ge(rp_wire_marsh(&rp_keeper)->durable, 3);
    ck_assert_uint_gt(rp_wire_stat(&rp_keeper, "journal.syncs"), 0);
}
END_TEST

START_TEST(with_durability_disk_everybody_waits_for_it)
{
    rp_keeper_open(true);
    rp_keeper_create("marsh", 16, 8);
    const Replan__V1__Reply *reply = apply_with(&rp_keeper, 3, REPLAN__V1__WAIT__APPLIED);
    ck_assert(reply == NULL || rp_wire_marsh(&rp_keeper)->durable >= reply->applied->version);
    reply = reply != NULL ? reply : await_reply(&rp_keeper);
    ck_assert_uint_ge(rp_wire_marsh(&rp_keeper)->durable, reply->applied->version);
    reply = apply_with(&rp_keeper, 4, REPLAN__V1__WAIT__SETTLED);
    reply = reply != NULL ? reply : await_reply(&rp_keeper);
    ck_assert_uint_ge(rp_wire_marsh(&rp_keeper)->durable, reply->applied->version);
}
END_TEST

START_TEST(what_came_while_the_disk_was_busy_is_not_durable_yet)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    rp_keeper_renew();
    (void)pthread_mutex_lock(&gate);
    ck_assert_ptr_null(apply_with(&rp_keeper, 3, REPLAN__V1__WAIT__DURABLE)); // it is on its way
    const Replan__V1__Reply *reply = apply_with(&rp_keeper, 4, REPLAN__V1__WAIT__APPLIED);
    ck_assert_int_eq(reply->status, 0);
    const uint64_t later = reply->applied->version;
    (void)pthread_mutex_unlock(&gate);
    rp_served_t *marsh = rp_wire_marsh(&rp_keeper);
    for (unsigned waited = 0; marsh->durable + 1u < later; waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        (void)usleep(1000);
        rp_state_work(&rp_keeper.daemon.serving);
    }
    ck_assert_uint_eq(marsh->durable, later - 1u); // as soon as it moves
}
END_TEST

START_TEST(when_the_disk_has_taken_it_there_is_work_at_once)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    rp_keeper_renew();
    (void)pthread_mutex_lock(&gate);
    ck_assert_ptr_null(apply_with(&rp_keeper, 3, REPLAN__V1__WAIT__DURABLE));
    (void)pthread_mutex_unlock(&gate);
    const rp_daemon_t *daemon = &rp_keeper.daemon;
    for (unsigned waited = 0; rp_state_next_us(&daemon->serving) > daemon->serving.now.steady_us;
         waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        (void)usleep(1000);
    }
    rp_daemon_work(&rp_keeper.daemon, 8192);
    ck_assert_int_eq(rp_wire_reply(&rp_keeper, 0)->status, 0);
}
END_TEST

/// Work until the newest version is on the disk. @param step_us  by which the clock goes on
static void await_durable(uint64_t step_us)
{
    rp_serving_t *serving = &rp_keeper.daemon.serving;
    const rp_served_t *marsh = rp_wire_marsh(&rp_keeper);
    for (unsigned waited = 0; marsh->durable != rp_wire_version(&rp_keeper); waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        (void)usleep(1000);
        serving->now.steady_us += step_us;
        rp_state_work(serving);
    }
}

/// A keeper with a base, and with all of it on the disk.
static rp_serving_t *keep_marsh(bool is_disk)
{
    char error[256];
    rp_serving_t *serving = &rp_keeper.daemon.serving;
    rp_keeper_open(is_disk);
    rp_keeper_create("marsh", 16, 8);
    ck_assert(rp_state_settle(serving, error, sizeof error));
    serving->now.steady_us = 60000000;
    if (apply_with(&rp_keeper, 2, REPLAN__V1__WAIT__APPLIED) == NULL) {
        (void)await_reply(&rp_keeper);
    }
    await_durable(1000000);
    return serving;
}

START_TEST(what_comes_while_the_disk_is_busy_is_sent_after_it_at_once)
{
    rp_serving_t *serving = keep_marsh(true);
    const uint64_t before = serving->stats.journal_syncs;
    for (unsigned i = 0; i < 3; i++) {
        rp_state_work(serving);
    }
    ck_assert_uint_eq(serving->stats.journal_syncs, before); // all is there
    (void)pthread_mutex_lock(&gate);
    for (uint32_t x = 3; x < 6; x++) {
        ck_assert_ptr_null(apply_with(&rp_keeper, x, REPLAN__V1__WAIT__APPLIED));
        ck_assert_uint_eq(serving->stats.journal_syncs, before + 1u); // of the first
    }
    (void)pthread_mutex_unlock(&gate);
    await_durable(0);
    ck_assert_uint_eq(serving->stats.journal_syncs, before + 2u);
    for (unsigned i = 0; i < 3; i++) {
        rp_state_work(serving);
    }
    ck_assert_uint_eq(serving->stats.journal_syncs, before + 2u);
}
END_TEST

START_TEST(what_nobody_waits_for_is_sent_to_the_disk_after_a_second)
{
    rp_serving_t *serving = keep_marsh(false);
    const uint64_t last = serving->now.steady_us += 10000000;
    uint64_t before = serving->stats.journal_syncs;
    ck_assert_ptr_nonnull(apply_with(&rp_keeper, 3, REPLAN__V1__WAIT__APPLIED));
    ck_assert_uint_eq(serving->stats.journal_syncs, ++before);
    await_durable(0);
    ck_assert_uint_eq(rp_state_next_us(serving), RP_NEVER_US);
    ck_assert_ptr_nonnull(apply_with(&rp_keeper, 4, REPLAN__V1__WAIT__APPLIED));
    ck_assert_uint_eq(rp_state_next_us(serving), last + 1000000u);
    serving->now.steady_us = last + 999999u;
    rp_state_work(serving);
    ck_assert_uint_eq(serving->stats.journal_syncs, before);
    ck_assert_uint_eq(rp_state_next_us(serving), last + 1000000u);
    (void)pthread_mutex_lock(&gate);
    serving->now.steady_us = last + 1000000u;
    rp_state_work(serving);
    ck_assert_uint_eq(serving->stats.journal_syncs, before + 1u);
    ck_assert_uint_eq(rp_state_next_us(serving), RP_NEVER_US); // the disk tells
    (void)pthread_mutex_unlock(&gate);
    await_durable(0);
    ck_assert_uint_eq(rp_state_next_us(serving), RP_NEVER_US);
}
END_TEST

/// Note a request of so many bytes, which nobody will read.
static void note_bytes(rp_serving_t *serving, size_t size)
{
    uint8_t *bytes = calloc(1, size + 1u);
    replan__v1__request__init(&request);
    rp_state_note(serving, &request, bytes, size);
    free(bytes);
}

/// The size of the newest file of the state whose name ends so.
static uint64_t size_of(const char *ending)
{
    char pattern[128];
    glob_t found;
    struct stat about;
    (void)snprintf(pattern, sizeof pattern, "%s/*%s", rp_keeper_folder(), ending);
    ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
    ck_assert_int_eq(stat(found.gl_pathv[found.gl_pathc - 1u], &about), 0);
    globfree(&found);
    return (uint64_t)about.st_size;
}

/// Fill the log up to so many bytes: no base is begun. One byte more: a base is begun.
static void expect_base_beyond(rp_serving_t *serving, uint64_t most)
{
    const uint64_t before = serving->stats.journal_bases;
    const char *reason;
    rp_state_work(serving);
    ck_assert(rp_state_flush(serving, &reason));
    note_bytes(serving, (size_t)(most - size_of(".log")) - RP_RECORD_HEAD_MOST);
    ck_assert(rp_state_flush(serving, &reason));
    ck_assert_uint_eq(size_of(".log"), most);
    for (unsigned i = 0; i < 3; i++) {
        rp_state_work(serving);
        ck_assert(!rp_state_is_busy(serving));
    }
    ck_assert_uint_eq(serving->stats.journal_bases, before);
    note_bytes(serving, 0);
    for (unsigned waited = 0; serving->stats.journal_bases == before; waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        rp_state_work(serving);
        (void)usleep(rp_state_is_busy(serving) ? 0 : 1000);
    }
}

START_TEST(a_base_is_due_when_the_log_is_beyond_16_mib_and_twice_the_base)
{
    const uint64_t least = (uint64_t)16 << 20;
    char error[256];
    rp_serving_t *serving = keep_marsh(false);
    expect_base_beyond(serving, least);
    rp_keeper_create("moor", 3072, 3072);
    rp_keeper_renew();
    ck_assert(rp_state_settle(serving, error, sizeof error));
    const uint64_t base = size_of(".base");
    ck_assert_uint_gt(2u * base, least);
    expect_base_beyond(serving, 2u * base);
}
END_TEST

START_TEST(without_a_folder_nothing_can_be_durable)
{
    rp_wire_open(&rp_keeper);
    const Replan__V1__Reply *reply = apply_with(&rp_keeper, 3, REPLAN__V1__WAIT__DURABLE);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__UNSUPPORTED);
    ck_assert_ptr_nonnull(strstr(reply->sentence, "--state"));
}
END_TEST

/// A daemon goes on with a copy of a folder, as it stands at this moment.
static void follow(rp_wire_t *self, const char *from, const char *to)
{
    char command[256];
    char path[128];
    char error[256];
    (void)snprintf(command, sizeof command, "cp -r %s%s %s%s", rp_keeper_folder(), from,
                   rp_keeper_folder(), to);
    ck_assert_int_eq(system(command), 0);
    (void)snprintf(path, sizeof path, "%s%s", rp_keeper_folder(), to);
    rp_wire_open_bare(self);
    self->daemon.serving.state = rp_state_open(path, false, error, sizeof error);
    ck_assert_msg(self->daemon.serving.state != NULL, "%s", error);
    ck_assert_msg(rp_restore(&self->daemon.intake, false, error, sizeof error), "%s", error);
}

START_TEST(an_epoch_that_began_on_a_full_disk_is_known_later)
{
    static rp_wire_t third;
    const char *reason;
    char error[256];
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    ck_assert(
        rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error)); // older files are gone
    is_full = true;
    follow(&rp_heir, "", ".second");
    is_full = false;
    Replan__V1__Change *change = rp_wire_change(3, 1, 0);
    change->epoch = rp_wire_marsh(&rp_heir)->epoch;
    change->window = 1;
    request = rp_wire_apply_request(&rp_heir, change, REPLAN__V1__WAIT__APPLIED);
    rp_wire_send(&rp_heir, 0, &request);
    rp_wire_expect(&rp_heir, 0, REPLAN__V1__STATUS__OK, "");
    ck_assert(rp_state_flush(&rp_heir.daemon.serving, &reason));
    follow(&third, ".second", ".third"); // its base was not written to its end
    ck_assert_ptr_nonnull(rp_epochs_find(&rp_wire_marsh(&third)->epochs, change->epoch));
    ck_assert_uint_eq(rp_wire_version(&third), rp_wire_version(&rp_heir));
    rp_wire_close(&third);
}
END_TEST

/// From now on no file may be longer.
static void limit_files(rlim_t bytes)
{
    const struct rlimit limit = {bytes, RLIM_INFINITY};
    (void)signal(SIGXFSZ, SIG_IGN);
    ck_assert_int_eq(setrlimit(RLIMIT_FSIZE, &limit), 0);
}

/// Nothing of it is lost: another one is to be begun.
START_TEST(a_base_that_was_given_up_is_due_though_the_journal_is_whole)
{
    rp_serving_t *serving = keep_marsh(false);
    ck_assert(!rp_state_is_lost(NULL));
    ck_assert(!rp_state_is_lost(serving->state));
    rp_state_renew(serving);
    ck_assert(rp_state_is_busy(serving));
    ck_assert_uint_eq(rp_state_next_us(serving), RP_NEVER_US);
    replan__v1__request__init(&request);
    request.body_case = REPLAN__V1__REQUEST__BODY_REMOVE_WORLD;
    rp_state_note(serving, &request, NULL, 0);
    ck_assert(!rp_state_is_busy(serving));
    ck_assert_uint_eq(rp_state_next_us(serving), 5000000); // since when it may be begun
    ck_assert(!rp_state_is_lost(serving->state));
}
END_TEST

START_TEST(a_journal_that_broke_is_mended_every_5_s)
{
    const char *reason;
    rp_serving_t *serving = keep_marsh(false);
    const uint64_t now_us = serving->now.steady_us;
    limit_files(1);
    note_bytes(serving, 1);
    const bool is_flushed = rp_state_flush(serving, &reason);
    const uint64_t first = rp_state_next_us(serving);
    const bool is_lost = rp_state_is_lost(serving->state); // for all that is known
    rp_state_work(serving);
    const uint64_t next = rp_state_next_us(serving);
    const bool is_lost_then = rp_state_is_lost(serving->state);
    limit_files(RLIM_INFINITY); // Check writes to a file what failed
    ck_assert(!is_flushed);
    ck_assert_uint_eq(first, 5000000);
    ck_assert(!is_lost);
    ck_assert_uint_eq(next, now_us + 5000000u);
    ck_assert(is_lost_then);
    serving->now.steady_us = now_us + 4999999u;
    rp_state_work(serving);
    ck_assert(!rp_state_is_busy(serving));
    ck_assert(rp_state_is_lost(serving->state));
    serving->now.steady_us = now_us + 5000000u;
    rp_state_work(serving);
    ck_assert(rp_state_is_busy(serving));
    ck_assert(!rp_state_is_lost(serving->state));
}
END_TEST

static const Replan__V1__Reply *send_goal(uint64_t goal_id)
{
    static Replan__V1__Goal goal;
    double x = 1.0;
    double y = 1.0;
    replan__v1__goal__init(&goal);
    replan__v1__request__init(&request);
    goal.world = rp_text("marsh");
    goal.agent = rp_text("scout");
    goal.goal_id = goal_id;
    goal.n_x = goal.n_y = 1;
    goal.x = &x;
    goal.y = &y;
    request.body_case = REPLAN__V1__REQUEST__BODY_SET_GOAL;
    request.set_goal = &goal;
    return rp_wire_ask(&rp_keeper, 0, &request);
}

START_TEST(whatever_a_restart_will_undo_is_told_so)
{
    Replan__V1__Policy no_lease = REPLAN__V1__POLICY__INIT;
    no_lease.lease_case = REPLAN__V1__POLICY__LEASE_LEASE_S; // 0: the disk may be slow
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    (void)rp_wire_agent_with(&rp_keeper, 0, "scout", 1, 1, 9, 5, &no_lease);
    limit_files(1);
    const Replan__V1__Reply *reply = send_goal(1);
    const bool is_told = reply->status == REPLAN__V1__STATUS__LIMIT &&
                         strstr(reply->sentence, "it was done, but a restart will undo it") != NULL;
    reply = send_goal(2);
    const bool is_refused = reply->status == REPLAN__V1__STATUS__LIMIT &&
                            strstr(reply->sentence, "nothing was done") != NULL;
    limit_files(RLIM_INFINITY); // Check writes to a file what failed
    ck_assert(is_told);
    ck_assert(is_refused);
    ck_assert_ptr_nonnull(rp_wire_answer(&rp_keeper, 0, "scout")); // nothing has to be kept of it
    for (unsigned waited = 0; reply->status != REPLAN__V1__STATUS__OK; waited++) {
        ck_assert_msg(waited < PATIENCE, "%s", reply->sentence);
        (void)usleep(1000);
        rp_wire_pass(&rp_keeper, 10000000);
        rp_wire_work(&rp_keeper);
        reply = send_goal(3);
    }
    rp_keeper_die(0);
    ck_assert_uint_eq(rp_wire_answer(&rp_heir, 0, "scout")->goal_id, 3);
}
END_TEST

static void move_folder(const char *from, const char *to)
{
    char command[256];
    (void)snprintf(command, sizeof command, "mv %s%s %s%s", rp_keeper_folder(), from,
                   rp_keeper_folder(), to);
    ck_assert_int_eq(system(command), 0);
}

/// While the folder is gone who waits is told that nothing of it lasts; when it is back all is
/// mended.
static void lose_folder(bool is_disk, Replan__V1__Wait wait)
{
    char error[256];
    rp_keeper_open(is_disk);
    rp_keeper_create("marsh", 16, 8);
    ck_assert(rp_state_settle(&rp_keeper.daemon.serving, error, sizeof error));
    rp_wire_pass(&rp_keeper, 10000000); // a base that cannot be begun is tried every 5 s
    move_folder("", ".gone");
    const Replan__V1__Reply *reply = apply_with(&rp_keeper, 3, wait);
    reply = reply != NULL ? reply : await_reply(&rp_keeper);
    ck_assert_int_eq(reply->status, REPLAN__V1__STATUS__LIMIT);
    ck_assert_msg(strstr(reply->sentence, "it was done, but a restart will undo it") != NULL, "%s",
                  reply->sentence);
    rp_wire_work(&rp_keeper);
    ck_assert_uint_gt(rp_state_next_us(&rp_keeper.daemon.serving),
                      rp_keeper.daemon.serving.now.steady_us);
    move_folder(".gone", "");
    do { // it is mended by and by
        rp_wire_pass(&rp_keeper, 1000000);
        (void)usleep(1000);
        reply = apply_with(&rp_keeper, 4, REPLAN__V1__WAIT__DURABLE);
        reply = reply != NULL ? reply : await_reply(&rp_keeper);
    } while (reply->status != REPLAN__V1__STATUS__OK);
    rp_keeper_die(0);
    rp_heir_is_same();
}

START_TEST(who_asks_for_the_disk_while_the_folder_is_gone_is_told)
{
    lose_folder(false, REPLAN__V1__WAIT__DURABLE);
}
END_TEST

START_TEST(who_has_to_wait_for_the_disk_while_the_folder_is_gone_is_told)
{
    lose_folder(true, REPLAN__V1__WAIT__SETTLED);
}
END_TEST

START_TEST(a_base_that_finds_the_disk_busy_is_begun_when_that_is_free)
{
    rp_keeper_open(false);
    rp_keeper_create("marsh", 16, 8);
    rp_daemon_t *daemon = &rp_keeper.daemon;
    daemon->serving.now.steady_us += UINT64_C(60000000); // and stands still from here on
    uint64_t before = 0;
    for (int i = 0; i < 3; i++) { // each while the one before is on its way to the disk
        before = daemon->serving.stats.journal_bases;
        rp_state_renew(&daemon->serving);
        while (rp_state_is_busy(&daemon->serving)) {
            rp_state_work(&daemon->serving);
        }
    }
    for (unsigned waited = 0; daemon->serving.stats.journal_bases == before; waited++) {
        ck_assert_uint_lt(waited, PATIENCE);
        (void)usleep(1000);
        rp_state_work(&daemon->serving);
    }
}
END_TEST

int main(void)
{
    rp_log_set_level(RP_LOG_ERROR);
    const TTest *const tests[] = {
        who_waits_for_the_disk_is_told_when_it_is_there,
        with_durability_disk_everybody_waits_for_it,
        what_came_while_the_disk_was_busy_is_not_durable_yet,
        when_the_disk_has_taken_it_there_is_work_at_once,
        what_comes_while_the_disk_is_busy_is_sent_after_it_at_once,
        what_nobody_waits_for_is_sent_to_the_disk_after_a_second,
        a_base_is_due_when_the_log_is_beyond_16_mib_and_twice_the_base,
        a_base_that_was_given_up_is_due_though_the_journal_is_whole,
        a_journal_that_broke_is_mended_every_5_s,
        without_a_folder_nothing_can_be_durable,
        an_epoch_that_began_on_a_full_disk_is_known_later,
        whatever_a_restart_will_undo_is_told_so,
        who_asks_for_the_disk_while_the_folder_is_gone_is_told,
        who_has_to_wait_for_the_disk_while_the_folder_is_gone_is_told,
        a_base_that_finds_the_disk_busy_is_begun_when_that_is_free,
    };
    return rp_suite_run("state and disk", tests, sizeof tests / sizeof tests[0], 1,
                        rp_keeper_tear_down);
}
