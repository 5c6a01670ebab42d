/// Which window a client names, with what is on its way.
#include <stdio.h>
#include <string.h>

#include "clients/c/windows.h"
#include "tests/support/suite.h"

static rp_heard_windows_t heard;
static Replan__V1__Request request;
static Replan__V1__Apply apply;
static Replan__V1__Change change;
static Replan__V1__Resize resize;
static Replan__V1__Geometry geometry;

static void begin(void)
{
    memset(&heard, 0, sizeof heard);
    replan__v1__geometry__init(&geometry);
}

static void hear(const char *world, uint64_t epoch, uint64_t window)
{
    rp_windows_hear(&heard, world, epoch, window, &geometry);
}

/// A change as its sender made it. @return the window that it is sent with; 0: none
static uint64_t name_of(const char *world, rp_named_t *as)
{
    replan__v1__request__init(&request);
    replan__v1__apply__init(&apply);
    replan__v1__change__init(&change);
    change.world = (char *)world;
    apply.change = &change;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    const rp_named_t named = rp_windows_name(&heard, &request);
    const uint64_t window = change.window;
    ck_assert(window == 0 || change.epoch != 0);
    rp_windows_unname(&named);
    ck_assert_uint_eq(change.window + change.epoch, 0); // as it was
    if (as != NULL) {
        *as = named;
    }
    return window;
}

static rp_named_t send_resize(const char *world, uint64_t id)
{
    replan__v1__request__init(&request);
    replan__v1__resize__init(&resize);
    resize.world = (char *)world;
    request.id = id;
    request.body_case = REPLAN__V1__REQUEST__BODY_RESIZE;
    request.resize = &resize;
    return rp_windows_name(&heard, &request);
}

static void reply_applied(const rp_named_t *named, uint64_t id, uint64_t window)
{
    Replan__V1__Applied applied = REPLAN__V1__APPLIED__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    reply.id = id;
    applied.epoch = 7;
    applied.window = window;
    reply.body_case = REPLAN__V1__REPLY__BODY_APPLIED;
    reply.applied = &applied;
    rp_windows_reply(&heard, &reply, named);
}

START_TEST(the_window_whose_geometry_came_last_is_named)
{
    begin();
    ck_assert_uint_eq(name_of("hall", NULL), 0);
    hear("hall", 7, 3);
    hear("yard", 8, 1);
    ck_assert_uint_eq(name_of("hall", NULL), 3);
    ck_assert_uint_eq(name_of("yard", NULL), 1);
    rp_windows_hear(&heard, "hall", 7, 4, NULL); // a number, and no cells
    ck_assert_uint_eq(name_of("hall", NULL), 3);
    hear("hall", 7, 4);
    hear("hall", 7, 2); // an answer that was on its way
    ck_assert_uint_eq(name_of("hall", NULL), 4);
    hear("hall", 6, 9); // of a life before
    ck_assert_uint_eq(name_of("hall", NULL), 4);
    hear("hall", 9, 1);
    ck_assert_uint_eq(name_of("hall", NULL), 1);
}
END_TEST

START_TEST(what_names_a_window_by_itself_is_left_alone)
{
    begin();
    hear("hall", 7, 3);
    change.world = (char *)"hall";
    change.epoch = 7;
    change.window = 1;
    apply.change = &change;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    const rp_named_t named = rp_windows_name(&heard, &request);
    rp_windows_unname(&named);
    ck_assert_uint_eq(change.window, 1);
    ck_assert_ptr_null(named.by);
}
END_TEST

/// What follows a Resize without waiting is in cells of a window whose number nobody knows yet.
START_TEST(behind_a_resize_nothing_is_named_until_its_reply)
{
    begin();
    hear("hall", 7, 3);
    const rp_named_t first = send_resize("hall", 100);
    ck_assert_uint_eq(name_of("hall", NULL), 0);
    hear("hall", 7, 3); // an answer of before
    ck_assert_uint_eq(name_of("hall", NULL), 0);
    const rp_named_t second = send_resize("hall", 101);
    reply_applied(&first, 100, 4);
    ck_assert_uint_eq(name_of("hall", NULL), 0);
    reply_applied(&second, 101, 5);
    ck_assert_uint_eq(name_of("hall", NULL), 5);
}
END_TEST

START_TEST(a_resize_that_failed_leaves_it_to_who_tells_next)
{
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    begin();
    hear("hall", 7, 3);
    rp_named_t named = send_resize("hall", 100);
    reply.id = 100;
    reply.status = REPLAN__V1__STATUS__INVALID;
    rp_windows_reply(&heard, &reply, &named);
    ck_assert_uint_eq(name_of("hall", NULL), 0);
    hear("hall", 7, 3);
    ck_assert_uint_eq(name_of("hall", NULL), 3);
    named = send_resize("hall", 101);
    rp_windows_give_up(&named, 101);
    hear("hall", 7, 3);
    ck_assert_uint_eq(name_of("hall", NULL), 3);
    (void)send_resize("hall", 102);
    rp_windows_forget(&heard); // the line broke
    hear("hall", 8, 1);
    ck_assert_uint_eq(name_of("hall", NULL), 1);
}
END_TEST

START_TEST(the_first_change_of_who_heard_nothing_tells_the_window)
{
    rp_named_t named;
    begin();
    ck_assert_uint_eq(name_of("hall", &named), 0);
    reply_applied(&named, 100, 3);
    ck_assert_uint_eq(name_of("hall", &named), 3);
    reply_applied(&named, 101, 4); // somebody shifted it: its cells are still those of 3
    ck_assert_uint_eq(name_of("hall", &named), 3);
    (void)send_resize("hall", 102);
    reply_applied(&named, 101, 4); // of a change before that
    ck_assert_uint_eq(name_of("hall", NULL), 0);
}
END_TEST

START_TEST(a_window_that_is_gone_is_named_once)
{
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    Replan__V1__Window present = REPLAN__V1__WINDOW__INIT;
    rp_named_t named;
    begin();
    hear("hall", 7, 3);
    ck_assert_uint_eq(name_of("hall", &named), 3);
    reply.status = REPLAN__V1__STATUS__GONE;
    reply.present = &present;
    rp_windows_reply(&heard, &reply, &named);
    ck_assert_uint_eq(name_of("hall", NULL), 0);
}
END_TEST

static void reply_with(const Replan__V1__Reply *reply)
{
    const rp_named_t nothing = {NULL, NULL, NULL, 0};
    rp_windows_reply(&heard, reply, &nothing);
}

START_TEST(answers_chunks_and_lists_of_worlds_tell_windows)
{
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    Replan__V1__Answer answer = REPLAN__V1__ANSWER__INIT;
    Replan__V1__Chunk chunk = REPLAN__V1__CHUNK__INIT;
    Replan__V1__Worlds worlds = REPLAN__V1__WORLDS__INIT;
    Replan__V1__WorldInfo infos[] = {REPLAN__V1__WORLD_INFO__INIT, REPLAN__V1__WORLD_INFO__INIT};
    Replan__V1__WorldInfo *list[] = {&infos[0], &infos[1]};
    Replan__V1__Head head = REPLAN__V1__HEAD__INIT;
    begin();
    answer.world = (char *)"hall";
    answer.epoch = 7;
    answer.window = 3;
    answer.geometry = &geometry;
    reply.body_case = REPLAN__V1__REPLY__BODY_ANSWER;
    reply.answer = &answer;
    reply_with(&reply);
    ck_assert_uint_eq(name_of("hall", NULL), 3);
    chunk.world = (char *)"yard";
    chunk.epoch = 7;
    chunk.window = 4;
    chunk.geometry = &geometry;
    reply.body_case = REPLAN__V1__REPLY__BODY_CHUNK;
    reply.chunk = &chunk;
    reply_with(&reply);
    ck_assert_uint_eq(name_of("yard", NULL), 4);
    infos[0].world = (char *)"hall";
    infos[1].world = (char *)"barn";
    head.epoch = 7;
    for (uint64_t i = 0; i < 2; i++) {
        infos[i].head = &head;
        infos[i].window = 5 + i;
        infos[i].geometry = &geometry;
    }
    worlds.worlds = list;
    worlds.n_worlds = 2;
    reply.body_case = REPLAN__V1__REPLY__BODY_WORLDS;
    reply.worlds = &worlds;
    reply_with(&reply);
    ck_assert_uint_eq(name_of("hall", NULL), 5);
    ck_assert_uint_eq(name_of("barn", NULL), 6);
}
END_TEST

START_TEST(the_longest_name_is_one_and_a_longer_is_none)
{
    char name[RP_LIMIT_NAME + 2u];
    begin();
    memset(name, 'n', sizeof name);
    name[RP_LIMIT_NAME + 1u] = '\0';
    hear(name, 7, 3);
    ck_assert_uint_eq(name_of(name, NULL), 0);
    name[RP_LIMIT_NAME] = '\0';
    hear(name, 7, 3);
    ck_assert_uint_eq(name_of(name, NULL), 3);
}
END_TEST

START_TEST(more_worlds_than_a_daemon_has_push_each_other_out)
{
    char world[RP_LIMIT_WORLDS + 1u][8];
    begin();
    for (unsigned i = 0; i <= RP_LIMIT_WORLDS; i++) {
        (void)snprintf(world[i], sizeof world[i], "w%u", i);
        hear(world[i], 7, i + 1u);
    }
    rp_named_t named;
    ck_assert_uint_eq(name_of(world[1], &named), 2);
    ck_assert_uint_eq(name_of(world[RP_LIMIT_WORLDS], NULL), RP_LIMIT_WORLDS + 1u);
    ck_assert_uint_eq(name_of(world[0], NULL), 0); // and it has the place of the second now
    reply_applied(&named, 100, 9);
    ck_assert_uint_eq(name_of(world[0], NULL), 0);
    hear("a_name_that_is_longer_than_any_name_may_be", 7, 1);
    ck_assert_uint_eq(name_of("a_name_that_is_longer_than_any_name_may_be", NULL), 0);
    ck_assert_uint_eq(name_of("", NULL), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        the_window_whose_geometry_came_last_is_named,
        what_names_a_window_by_itself_is_left_alone,
        behind_a_resize_nothing_is_named_until_its_reply,
        a_resize_that_failed_leaves_it_to_who_tells_next,
        the_first_change_of_who_heard_nothing_tells_the_window,
        a_window_that_is_gone_is_named_once,
        answers_chunks_and_lists_of_worlds_tell_windows,
        the_longest_name_is_one_and_a_longer_is_none,
        more_worlds_than_a_daemon_has_push_each_other_out,
    };
    return rp_suite_run("heard_windows", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
