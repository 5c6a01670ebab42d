/// The folder between the two, and what is held against what.
#include "tests/daemon/heir.h"

#include <glob.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/requests/restore.h"
#include "daemon/requests/staged_request.h"
#include "daemon/rules/state.h"
#include "msgs/request.h"
#include "tests/support/suite.h"

rp_wire_t rp_keeper;
rp_wire_t rp_heir;

static char folder[64];
static char error[512];

static void run(const char *verb, const char *ending)
{
    char command[256];
    (void)snprintf(command, sizeof command, "%s %s%s", verb, folder, ending);
    ck_assert_int_eq(system(command), 0);
}

/// A daemon with the state that stands in a folder.
static void restore(rp_wire_t *self, const char *ending, bool is_disk)
{
    char path[128];
    (void)snprintf(path, sizeof path, "%s%s", folder, ending);
    self->daemon.serving.state = rp_state_open(path, is_disk, error, sizeof error);
    ck_assert_msg(self->daemon.serving.state != NULL, "%s", error);
    ck_assert_msg(rp_restore(&self->daemon.intake, false, error, sizeof error), "%s", error);
}

void rp_keeper_open(bool is_disk)
{
    strcpy(folder, "/tmp/replan-state-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(folder));
    rp_wire_open_bare(&rp_keeper);
    restore(&rp_keeper, "", is_disk);
}

const char *rp_keeper_folder(void)
{
    return folder;
}

void rp_keeper_tear_down(void)
{
    if (rp_heir.last != NULL) {
        rp_wire_close(&rp_heir);
    }
    rp_wire_close(&rp_keeper);
    if (folder[0] != '\0') {
        run("rm -rf", "*");
    }
}

void rp_keeper_die(uint64_t later_us)
{
    char command[256];
    if (rp_heir.last != NULL) {
        rp_wire_close(&rp_heir);
    }
    (void)snprintf(command, sizeof command, "rm -rf %s.copy && cp -r %s %s.copy 2> /dev/null",
                   folder, folder, folder);
    for (unsigned tries = 0; system(command) != 0; tries++) { // a file went while it was copied
        ck_assert_uint_lt(tries, 100);
    }
    rp_wire_open_bare(&rp_heir);
    rp_heir.daemon.serving.now.wall_us =
        rp_keeper.daemon.serving.now.wall_us + RP_HEIR_START_US + later_us;
    rp_heir.daemon.serving.now.steady_us = 10000000000;
    rp_heir.daemon.serving.memory_bytes = rp_keeper.daemon.serving.memory_bytes;
    restore(&rp_heir, ".copy", false);
    rp_wire_work(&rp_heir);
}

/// Whether a base is on its way to the disk.
static bool has_part(void)
{
    char pattern[128];
    glob_t found;
    (void)snprintf(pattern, sizeof pattern, "%s/*.part", folder);
    const bool has_part = glob(pattern, GLOB_NOSORT, NULL, &found) == 0;
    globfree(&found);
    return has_part;
}

/// A base takes several rounds of work, and waits for the one before, and the disk takes its time.
void rp_keeper_renew(void)
{
    do {
        rp_state_renew(&rp_keeper.daemon.serving);
    } while (!rp_state_is_busy(&rp_keeper.daemon.serving));
    while (rp_state_is_busy(&rp_keeper.daemon.serving)) {
        rp_daemon_work(&rp_keeper.daemon, 8192);
    }
    while (has_part()) {
    }
}

void rp_keeper_create(const char *name, uint32_t width, uint32_t height)
{
    Replan__V1__CreateWorld body = REPLAN__V1__CREATE_WORLD__INIT;
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    geometry.width = width;
    geometry.height = height;
    geometry.resolution = 0.5;
    geometry.origin_x = -3.0;
    geometry.frame_id = rp_text("odom");
    body.world = rp_text(name);
    body.geometry = &geometry;
    body.expect_every_ms = 60000;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &body);
    (void)rp_wire_ask(&rp_keeper, 0, &request);
}

// ---- are they the same?

/// Windows go on, and are known by the epochs that are over.
static void windows_are_same(const rp_served_t *is, const rp_served_t *should)
{
    const rp_windows_t *windows = rp_engine_windows(rp_heir.daemon.serving.engine, is->id);
    ck_assert_mem_eq(windows, rp_engine_windows(rp_keeper.daemon.serving.engine, should->id),
                     sizeof *windows);
    const rp_past_epoch_t *past = rp_epochs_find(&is->epochs, should->epoch);
    ck_assert_ptr_nonnull(past);
    ck_assert_uint_eq(past->newest, windows->newest);
    for (uint32_t i = 0; i < should->epochs.count; i++) {
        past = rp_epochs_find(&is->epochs, should->epochs.list[i].epoch);
        ck_assert_ptr_nonnull(past);
        ck_assert_uint_eq(past->newest, should->epochs.list[i].newest);
    }
}

static void worlds_are_same(const rp_served_t *is, const rp_served_t *should)
{
    const rp_engine_t *engine = rp_keeper.daemon.serving.engine;
    const rp_engine_t *later = rp_heir.daemon.serving.engine;
    const rp_world_options_t *options = &should->options;
    const size_t cells = (size_t)options->width * options->height;
    ck_assert_uint_eq(is->options.width, options->width);
    ck_assert_uint_eq(is->options.height, options->height);
    ck_assert_uint_eq(is->options.neighbors, options->neighbors);
    ck_assert(is->options.frame.origin_x_m == options->frame.origin_x_m &&
              is->options.frame.origin_y_m == options->frame.origin_y_m &&
              is->options.frame.resolution_m == options->frame.resolution_m);
    ck_assert_str_eq(is->frame_id, should->frame_id);
    ck_assert_uint_eq(is->expect_every_ms, should->expect_every_ms);
    ck_assert_uint_eq(is->publishers.gaps, should->publishers.gaps);
    ck_assert_uint_gt(is->epoch, should->epoch);
    windows_are_same(is, should);
    ck_assert_uint_ge(rp_engine_version(later, is->id), rp_engine_version(engine, should->id));
    ck_assert_int_eq(
        memcmp(rp_engine_bytes(later, is->id), rp_engine_bytes(engine, should->id), cells), 0);
    ck_assert_int_eq(
        memcmp(rp_engine_beneath(later, is->id), rp_engine_beneath(engine, should->id), cells), 0);
}

/// An answer that was kept by policy says by its bound what a new one costs. Workers say again only
/// what is news, which the cost of a path that stands is not.
static void agents_are_same(const rp_agent_t *is, const rp_agent_t *should)
{
    const bool has_workers = getenv("REPLAN_TEST_WORKERS") != NULL;
    rp_answer_t answer;
    rp_answer_t expected;
    ck_assert_uint_eq(is->handle, should->handle);
    ck_assert_str_eq(is->planner, should->planner);
    ck_assert_str_eq(is->target, should->target);
    ck_assert_uint_eq(is->lease_s, should->lease_s);
    ck_assert_uint_eq(is->has_appeared, should->has_appeared);
    ck_assert_uint_eq(is->last.pose.pose_seq, should->last.pose.pose_seq);
    ck_assert(is->last.pose.x_m == should->last.pose.x_m);
    ck_assert_int_eq(rp_host_answer(rp_heir.daemon.serving.host, is->session, &answer),
                     rp_host_answer(rp_keeper.daemon.serving.host, should->session, &expected));
    ck_assert_uint_eq(answer.goal_id, expected.goal_id);
    ck_assert_uint_eq(answer.waypoint, expected.waypoint);
    if (expected.outcome == RP_ANSWER_ARRIVED) {
        return; // one who is there already has arrived, or not
    }
    ck_assert_int_eq(answer.outcome, expected.outcome);
    ck_assert_msg(has_workers || fabs(answer.bound - expected.bound) < 1e-9 ||
                      answer.bound == expected.bound,
                  "%s: %g, it was %g", is->name, answer.bound, expected.bound);
}

/// True when the keeper removes this world in slices: by and by it has fewer agents.
static bool is_going(const rp_served_t *world)
{
    const rp_queued_t *queued = rp_keeper.daemon.intake.queue.first;
    while (queued != NULL && (queued->staged == NULL || queued->staged->remove == NULL ||
                              strcmp(queued->staged->remove->world, world->name) != 0)) {
        queued = queued->next;
    }
    return queued != NULL;
}

void rp_heir_has_same_worlds(void)
{
    ck_assert_uint_eq(rp_heir.daemon.serving.worlds.count, rp_keeper.daemon.serving.worlds.count);
    for (const rp_served_t *world = rp_keeper.daemon.serving.worlds.by_name; world != NULL;
         world = world->hh.next) {
        const rp_served_t *twin = rp_worlds_find(&rp_heir.daemon.serving.worlds, world->name);
        ck_assert_msg(twin != NULL, "%s", world->name);
        worlds_are_same(twin, world);
        if (is_going(world)) { // killed meanwhile it is whole
            ck_assert_uint_ge(twin->agent_count, world->agent_count);
        } else {
            ck_assert_uint_eq(twin->agent_count, world->agent_count);
        }
    }
}

void rp_heir_is_same(void)
{
    rp_heir_has_same_worlds();
    for (const rp_served_t *world = rp_keeper.daemon.serving.worlds.by_name; world != NULL;
         world = world->hh.next) {
        const rp_served_t *twin = rp_worlds_find(&rp_heir.daemon.serving.worlds, world->name);
        for (const rp_agent_t *agent = world->agents; agent != NULL; agent = agent->hh.next) {
            const rp_agent_t *other = rp_worlds_find_agent(twin, agent->name);
            ck_assert_msg(other != NULL, "%s", agent->name);
            agents_are_same(other, agent);
        }
    }
    ck_assert_uint_eq(rp_heir.daemon.serving.stats.agents, rp_keeper.daemon.serving.stats.agents);
}
