/// A base: what a daemon serves, as requests, in pieces, while it goes on; read back and held
/// against what it serves.
#include "daemon/rules/checkpointer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/heir.h"
#include "tests/support/suite.h"

enum {
    WIDTH = 300,
    HEIGHT = 500, ///< three pieces
    CELLS = WIDTH * HEIGHT,
};

static char folder[] = "/tmp/replan-base-XXXXXX";
static rp_checkpointer_t base;

/// What was read back.
static struct {
    uint8_t bytes[CELLS]; ///< of "marsh"
    unsigned worlds;
    unsigned pieces;
    char agents[64];     ///< in order
    uint64_t handles[8]; ///< theirs
    uint64_t handle;     ///< that was told last
} kept;

static void tear_down(void)
{
    char command[64];
    rp_checkpointer_fini(&base);
    rp_journal_close(&base.to.journal);
    rp_keeper_tear_down();
    (void)snprintf(command, sizeof command, "rm -rf %s", folder);
    ck_assert_int_eq(system(command), 0);
}

static void open_folder(void)
{
    char error[256];
    base.to.journal = rp_journal_open(folder, NULL, error, sizeof error);
    ck_assert_msg(base.to.journal != NULL, "%s", error);
}

static void open_agent(const char *name)
{
    (void)rp_wire_agent(&rp_keeper, 0, name, 1, 1, 9, 9);
}

static void close_agent(const char *name)
{
    Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
    close.world = rp_text("marsh");
    close.agent = rp_text(name);
    Replan__V1__Request request = RP_REQUEST(CLOSE_AGENT, close_agent, &close);
    (void)rp_wire_do(&rp_keeper, 0, &request);
}

/// A world of three pieces, and agents of which the second went.
static void begin(void)
{
    ck_assert_ptr_nonnull(mkdtemp(folder));
    rp_keeper_open(false);
    rp_keeper_create("marsh", WIDTH, HEIGHT);
    for (const char *name = "abc"; *name != '\0'; name++) {
        open_agent((char[]){*name, '\0'});
    }
    close_agent("b");
    open_folder();
}

static void write_cell(uint32_t x, uint32_t y, uint32_t byte)
{
    (void)rp_wire_apply(&rp_keeper, 0, rp_wire_change(x, y, byte), REPLAN__V1__WAIT__APPLIED);
}

// ---- what was written

static void take_rows(const Replan__V1__Change *change)
{
    ck_assert_str_eq(change->world, "marsh");
    if (change->rect_case == REPLAN__V1__CHANGE__RECT_DATA) {
        ck_assert_uint_le(change->data.len, RP_LIMIT_CHUNK_BYTES);
        ck_assert_uint_eq(change->width, WIDTH);
        memcpy(&kept.bytes[change->y * WIDTH], change->data.data, change->data.len);
        kept.pieces++;
    }
}

static bool visit(void *user, const rp_record_t *record)
{
    (void)user;
    if (record->kind == RP_RECORD_HANDLE) {
        ck_assert_uint_eq(record->size, sizeof kept.handle);
        memcpy(&kept.handle, record->bytes, record->size);
    }
    if (record->kind != RP_RECORD_REQUEST) {
        return true;
    }
    Replan__V1__Request *request = replan__v1__request__unpack(NULL, record->size, record->bytes);
    ck_assert_ptr_nonnull(request);
    if (request->body_case == REPLAN__V1__REQUEST__BODY_CREATE_WORLD) {
        ck_assert_uint_eq(request->create_world->geometry->width, WIDTH);
        memset(kept.bytes, 1, sizeof kept.bytes);
        kept.worlds++;
    } else if (request->body_case == REPLAN__V1__REQUEST__BODY_APPLY) {
        take_rows(request->apply->change);
    } else if (request->body_case == REPLAN__V1__REQUEST__BODY_OPEN_AGENT) {
        kept.handles[strlen(kept.agents)] = kept.handle;
        strcat(kept.agents, request->open_agent->agent);
    }
    replan__v1__request__free_unpacked(request, NULL);
    return true;
}

static void read_back(void)
{
    char error[256];
    rp_state_found_t found;
    rp_journal_close(&base.to.journal);
    open_folder();
    memset(&kept, 0, sizeof kept);
    ck_assert_msg(rp_journal_read(base.to.journal, false, visit, NULL, &found, error, sizeof error),
                  "%s", error);
}

START_TEST(worlds_agents_and_bytes_are_in_it_in_pieces)
{
    begin();
    for (uint32_t y = 0; y < HEIGHT; y += 7) {
        write_cell(y % WIDTH, y, y % 256u);
    }
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    unsigned steps = 0;
    while (base.is_begun) {
        ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
        steps++;
    }
    ck_assert_uint_gt(steps, 3);
    read_back();
    ck_assert_uint_eq(kept.worlds, 1);
    ck_assert_uint_eq(kept.pieces, 3);
    ck_assert_str_eq(kept.agents, "ac");
    const rp_served_t *marsh = rp_wire_marsh(&rp_keeper);
    ck_assert_int_eq(
        memcmp(kept.bytes, rp_engine_bytes(rp_keeper.daemon.serving.engine, marsh->id), CELLS), 0);
}
END_TEST

/// The log says what each cell came to be: a piece may hold it before or after.
START_TEST(what_is_written_meanwhile_and_what_comes_later_does_no_harm)
{
    begin();
    write_cell(0, 0, 50);
    write_cell(0, HEIGHT - 1, 50);
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving)); // agents
    ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    write_cell(0, 0, 60);          // in a piece that is written
    write_cell(0, HEIGHT - 1, 60); // in one to come
    rp_keeper_create("meadow", WIDTH, HEIGHT);
    while (base.is_begun) {
        ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    }
    read_back();
    ck_assert_uint_eq(kept.worlds, 1);
    ck_assert_uint_eq(kept.bytes[0], 50);
    ck_assert_uint_eq(kept.bytes[(HEIGHT - 1) * WIDTH], 60);
}
END_TEST

/// The log has who came, and who went.
START_TEST(agents_are_in_it_who_were_there_when_it_began)
{
    begin();
    const uint64_t first = rp_worlds_agent_at(&rp_keeper.daemon.serving.worlds, 1)->handle;
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    rp_agent_t *gone = rp_worlds_agent_at(&rp_keeper.daemon.serving.worlds, 3);
    const uint64_t second = gone->handle;
    ck_assert_str_eq(gone->name, "c");
    ck_assert(rp_checkpointer_bury(&base, gone));
    ck_assert_ptr_null(gone->last.open.bytes);
    close_agent("c");
    open_agent("e"); // at the place of "b", who was not there
    open_agent("f"); // at that of "c"
    open_agent("g"); // at one that nobody had
    rp_agent_t *late = rp_worlds_agent_at(&rp_keeper.daemon.serving.worlds, 3);
    ck_assert_str_eq(late->name, "f");
    ck_assert(rp_checkpointer_bury(&base, late)); // nothing is to be told of it
    ck_assert_ptr_nonnull(late->last.open.bytes);
    while (base.is_begun) {
        ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    }
    read_back();
    ck_assert_str_eq(kept.agents, "ac");
    ck_assert_uint_eq(kept.handles[0], first);
    ck_assert_uint_eq(kept.handles[1], second);
}
END_TEST

START_TEST(who_goes_after_its_turn_is_in_it_once)
{
    begin();
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    ck_assert_uint_eq(base.place, base.place_end);
    rp_agent_t *gone = rp_worlds_agent_at(&rp_keeper.daemon.serving.worlds, 1);
    ck_assert(rp_checkpointer_bury(&base, gone));
    ck_assert_ptr_nonnull(gone->last.open.bytes);
    while (base.is_begun) {
        ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    }
    read_back();
    ck_assert_str_eq(kept.agents, "ac");
}
END_TEST

START_TEST(one_that_is_dropped_is_as_if_it_had_not_been)
{
    begin();
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    rp_checkpointer_drop(&base);
    ck_assert(!base.is_begun);
    rp_checkpointer_drop(&base);
    read_back();
    ck_assert_uint_eq(kept.worlds, 0);
}
END_TEST

/// What the records of a world and of an agent say of when they were.
static struct {
    Replan__V1__CreateWorld *create; ///< owned by `request`
    Replan__V1__Request *request;
    uint64_t world_us, rows_us, agent_us;
} told;

static bool visit_told(void *user, const rp_record_t *record)
{
    (void)user;
    if (record->kind != RP_RECORD_REQUEST) {
        return true;
    }
    Replan__V1__Request *request = replan__v1__request__unpack(NULL, record->size, record->bytes);
    ck_assert_ptr_nonnull(request);
    if (request->body_case == REPLAN__V1__REQUEST__BODY_CREATE_WORLD) {
        told.request = request;
        told.create = request->create_world;
        told.world_us = record->wall_us;
        return true;
    }
    if (request->body_case == REPLAN__V1__REQUEST__BODY_APPLY) {
        told.rows_us = record->wall_us;
    } else {
        told.agent_us = record->wall_us;
    }
    replan__v1__request__free_unpacked(request, NULL);
    return true;
}

START_TEST(a_world_is_written_as_it_was_made_and_when_it_changed)
{
    static uint8_t factors[256] = {0, 3, 7};
    Replan__V1__Profile own = REPLAN__V1__PROFILE__INIT;
    Replan__V1__Profile *list[] = {&own};
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    char error[256];
    rp_state_found_t found;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    rp_keeper_open(false);
    own.name = rp_text("feet");
    own.factors = (ProtobufCBinaryData){sizeof factors, factors};
    own.unit = 3;
    geometry.width = 20;
    geometry.height = 30;
    geometry.resolution = 0.25;
    geometry.origin_x = 4.5;
    create.world = rp_text("marsh");
    create.geometry = &geometry;
    create.neighbors = 4;
    create.wraps = 1;
    create.expect_every_ms = 7000;
    create.profile = rp_text("feet");
    create.profiles = list;
    create.n_profiles = 1;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    (void)rp_wire_do(&rp_keeper, 0, &request);
    open_agent("a");
    write_cell(3, 4, 1);
    const uint64_t changed_us = rp_keeper.daemon.serving.now.wall_us;
    rp_wire_pass(&rp_keeper, 5000000);
    open_folder();
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    while (base.is_begun) {
        ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    }
    rp_journal_close(&base.to.journal);
    open_folder();
    ck_assert(
        rp_journal_read(base.to.journal, false, visit_told, NULL, &found, error, sizeof error));
    ck_assert_ptr_nonnull(told.create);
    ck_assert_uint_eq(told.create->geometry->width, 20);
    ck_assert_uint_eq(told.create->geometry->height, 30);
    ck_assert_double_eq(told.create->geometry->resolution, 0.25);
    ck_assert_double_eq(told.create->geometry->origin_x, 4.5);
    ck_assert_uint_eq(told.create->neighbors, 4);
    ck_assert_int_eq(told.create->wraps, 1);
    ck_assert_uint_eq(told.create->expect_every_ms, 7000);
    ck_assert_str_eq(told.create->profile, "feet");
    ck_assert_uint_eq(told.create->n_profiles, 1);
    ck_assert_str_eq(told.create->profiles[0]->name, "feet");
    ck_assert_uint_eq(told.create->profiles[0]->unit, 3);
    ck_assert_uint_eq(told.world_us, changed_us);
    ck_assert_uint_eq(told.rows_us, changed_us);
    ck_assert_uint_eq(told.agent_us, changed_us + 5000000u);
    replan__v1__request__free_unpacked(told.request, NULL);
}
END_TEST

/// A goal of so many waypoints, each of 16 bytes.
static void send_far(const char *agent, size_t count)
{
    static double metres[4096];
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    for (size_t i = 0; i < count; i++) {
        metres[i] = 1.0 + (double)(i % 100u);
    }
    goal.world = rp_text("marsh");
    goal.agent = rp_text(agent);
    goal.kind = REPLAN__V1__GOAL_KIND__WAYPOINTS;
    goal.n_x = goal.n_y = count;
    goal.x = goal.y = metres;
    Replan__V1__Request request = RP_REQUEST(SET_GOAL, set_goal, &goal);
    (void)rp_wire_do(&rp_keeper, 0, &request);
}

START_TEST(agents_are_written_512_at_a_time_and_fewer_with_long_goals)
{
    begin();
    for (unsigned i = 4; i <= 600; i++) { // beside "a", "c" and the place of "b"
        char name[8];
        (void)snprintf(name, sizeof name, "u%u", i);
        open_agent(name);
    }
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    ck_assert_uint_eq(base.place, 1);
    ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    ck_assert_uint_eq(base.place, 513);
    ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    ck_assert_uint_eq(base.place, base.place_end);
    rp_checkpointer_drop(&base);
    send_far("a", RP_LIMIT_CHUNK_BYTES / 16u / 2u);
    send_far("c", RP_LIMIT_CHUNK_BYTES / 16u / 2u);
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    ck_assert_uint_eq(base.place, 4); // both of them, and no more
}
END_TEST

START_TEST(nobody_is_looked_for_behind_the_last_agent)
{
    begin();
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    ck_assert_uint_eq(base.place_end, 4);
    rp_checkpointer_drop(&base);
    close_agent("c");
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    ck_assert_uint_eq(base.place_end, 2);
    rp_checkpointer_drop(&base);
    close_agent("a");
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    ck_assert_uint_eq(base.place_end, 1);
}
END_TEST

static unsigned worlds_told;
static unsigned rows_told;

static bool visit_worlds(void *user, const rp_record_t *record)
{
    (void)user;
    if (record->kind == RP_RECORD_REQUEST) {
        Replan__V1__Request *request =
            replan__v1__request__unpack(NULL, record->size, record->bytes);
        ck_assert_ptr_nonnull(request);
        worlds_told += request->body_case == REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
        rows_told += request->body_case == REPLAN__V1__REQUEST__BODY_APPLY;
        replan__v1__request__free_unpacked(request, NULL);
    }
    return true;
}

START_TEST(of_as_many_worlds_as_there_may_be_each_is_written)
{
    char error[256];
    char name[16];
    rp_state_found_t found;
    ck_assert_ptr_nonnull(mkdtemp(folder));
    rp_keeper_open(false);
    for (unsigned i = 0; i < RP_LIMIT_WORLDS; i++) {
        (void)snprintf(name, sizeof name, "fen%u", i);
        rp_keeper_create(name, 4, 4);
    }
    open_folder();
    ck_assert(rp_checkpointer_begin(&base, &rp_keeper.daemon.serving));
    while (base.is_begun) {
        ck_assert(rp_checkpointer_step(&base, &rp_keeper.daemon.serving));
    }
    rp_journal_close(&base.to.journal);
    open_folder();
    ck_assert(
        rp_journal_read(base.to.journal, false, visit_worlds, NULL, &found, error, sizeof error));
    ck_assert_uint_eq(worlds_told, RP_LIMIT_WORLDS);
    ck_assert_uint_eq(rows_told, RP_LIMIT_WORLDS);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        worlds_agents_and_bytes_are_in_it_in_pieces,
        what_is_written_meanwhile_and_what_comes_later_does_no_harm,
        agents_are_in_it_who_were_there_when_it_began,
        who_goes_after_its_turn_is_in_it_once,
        one_that_is_dropped_is_as_if_it_had_not_been,
        a_world_is_written_as_it_was_made_and_when_it_changed,
        agents_are_written_512_at_a_time_and_fewer_with_long_goals,
        nobody_is_looked_for_behind_the_last_agent,
        of_as_many_worlds_as_there_may_be_each_is_written,
    };
    return rp_suite_run("base", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
