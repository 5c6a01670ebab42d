/// Worlds and windows whose bytes fit no message, against a daemon that puts together what comes.
#include <check.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/request.h"
#include "replan/client.h"
#include "tests/clients/fake_daemon.h"
#include "tests/support/suite.h"

#define WAIT_MS 60000
#define WIDTH   5000u
#define HEIGHT  4500u
#define CELLS   ((size_t)WIDTH * HEIGHT)

static uint8_t *stated;
static uint8_t *held;

/// What the fake saw; written on its thread, read when that is joined.
typedef struct seen {
    uint32_t asked; ///< requests that make the world or the window
    uint32_t fill;  ///< of the last one; 999: none
    uint32_t changes;
    uint64_t least_window; ///< that changes named
    uint32_t refused;      ///< this change is; 0: none
} seen_t;

static void set_up(void)
{
    stated = malloc(CELLS);
    held = calloc(CELLS, 1);
    ck_assert(stated != NULL && held != NULL);
    for (size_t i = 0; i < CELLS; i++) {
        stated[i] = (uint8_t)(1u + i * 7u % 251u);
    }
}

static void tear_down(void)
{
    free(stated);
    free(held);
    stated = held = NULL;
}

static void reply_applied(fake_daemon_t *fake, uint64_t id, uint64_t version, bool is_fine)
{
    Replan__V1__Applied applied = REPLAN__V1__APPLIED__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    applied.epoch = 5;
    applied.window = 3;
    applied.version = version;
    reply.id = id;
    reply.status = is_fine ? REPLAN__V1__STATUS__OK : REPLAN__V1__STATUS__LIMIT;
    reply.sentence = is_fine ? NULL : (char *)"change.data: no";
    reply.body_case = REPLAN__V1__REPLY__BODY_APPLIED;
    reply.applied = &applied;
    fake_daemon_reply(fake, &reply);
}

static void reply_worlds(fake_daemon_t *fake, uint64_t id)
{
    Replan__V1__WorldInfo info = REPLAN__V1__WORLD_INFO__INIT;
    Replan__V1__WorldInfo *list[] = {&info};
    Replan__V1__Worlds worlds = REPLAN__V1__WORLDS__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    info.world = (char *)"plain";
    info.profile = (char *)"costmap";
    worlds.worlds = list;
    worlds.n_worlds = 1;
    reply.id = id;
    reply.body_case = REPLAN__V1__REPLY__BODY_WORLDS;
    reply.worlds = &worlds;
    fake_daemon_reply(fake, &reply);
}

static void take_change(seen_t *seen, const Replan__V1__Change *change)
{
    const uint8_t *from = change->data.data;
    const bool is_whole = change->data.len == (size_t)change->width * change->height;
    for (uint32_t row = 0; is_whole && row < change->height; row++, from += change->width) {
        memcpy(held + (size_t)(change->y + row) * WIDTH + change->x, from, change->width);
    }
    seen->changes++;
    seen->least_window = change->window < seen->least_window ? change->window : seen->least_window;
}

static void act(fake_daemon_t *fake, const Replan__V1__Request *request, void *user)
{
    seen_t *seen = user;
    switch (request->body_case) {
    case REPLAN__V1__REQUEST__BODY_LIST_WORLDS:
        reply_worlds(fake, request->id);
        return;
    case REPLAN__V1__REQUEST__BODY_APPLY:
        take_change(seen, request->apply->change);
        break;
    case REPLAN__V1__REQUEST__BODY_CREATE_WORLD:
        seen->asked++;
        seen->fill = request->create_world->content_case == REPLAN__V1__CREATE_WORLD__CONTENT_FILL
                         ? request->create_world->fill
                         : 999u;
        break;
    case REPLAN__V1__REQUEST__BODY_RESIZE:
        seen->asked++;
        seen->fill = request->resize->content_case == REPLAN__V1__RESIZE__CONTENT_FILL
                         ? request->resize->fill
                         : 999u;
        break;
    default:
        return; // the call runs into its deadline
    }
    reply_applied(fake, request->id, seen->asked + seen->changes,
                  seen->changes == 0 || seen->changes != seen->refused);
}

static rp_client_status_t do_call(seen_t *seen, Replan__V1__Request *request, uint64_t *version)
{
    fake_daemon_t *fake = fake_daemon_new(act, seen);
    rp_client_t *client = NULL;
    const Replan__V1__Reply *reply = NULL;
    seen->least_window = UINT64_MAX;
    ck_assert_int_eq(rp_client_open(fake_daemon_control(fake), WAIT_MS, &client), RP_CLIENT_OK);
    request->deadline_ms = WAIT_MS;
    const rp_client_status_t status = rp_client_call(client, request, &reply);
    *version = status == RP_CLIENT_OK ? reply->applied->version : 0;
    if (status == RP_CLIENT_OK) {
        ck_assert_uint_eq(reply->id, request->id);
    } else {
        ck_assert_str_eq(rp_client_sentence(client), "change.data: no");
    }
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
    return status;
}

/// @param create, request, geometry  written
static void make_create(Replan__V1__Request *request, Replan__V1__CreateWorld *create,
                        Replan__V1__Geometry *geometry)
{
    replan__v1__request__init(request);
    replan__v1__create_world__init(create);
    replan__v1__geometry__init(geometry);
    geometry->width = WIDTH;
    geometry->height = HEIGHT;
    create->world = (char *)"plain";
    create->geometry = geometry;
    create->content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create->data = (ProtobufCBinaryData){CELLS, stated};
    request->body_case = REPLAN__V1__REQUEST__BODY_CREATE_WORLD;
    request->create_world = create;
}

START_TEST(a_large_world_blocks_until_its_bytes_are_there)
{
    seen_t seen = {0};
    Replan__V1__Request request;
    Replan__V1__CreateWorld create;
    Replan__V1__Geometry geometry;
    uint64_t version;
    set_up();
    make_create(&request, &create, &geometry);
    ck_assert_int_eq(do_call(&seen, &request, &version), RP_CLIENT_OK);
    ck_assert_uint_eq(seen.asked, 1);
    ck_assert_uint_eq(seen.fill, 0);
    ck_assert_uint_eq(seen.changes, 3); // of 8 MiB
    ck_assert_uint_eq(version, 4);
    ck_assert_uint_eq(seen.least_window, 3);
    ck_assert_mem_eq(held, stated, CELLS);
    ck_assert_int_eq(create.content_case, REPLAN__V1__CREATE_WORLD__CONTENT_DATA);
}
END_TEST

START_TEST(a_profile_of_the_worlds_own_says_what_blocks)
{
    uint8_t factors[256];
    uint8_t inscribed = 4;
    Replan__V1__Profile profile = REPLAN__V1__PROFILE__INIT;
    Replan__V1__Profile *profiles[] = {&profile};
    seen_t seen = {0};
    Replan__V1__Request request;
    Replan__V1__CreateWorld create;
    Replan__V1__Geometry geometry;
    uint64_t version;
    set_up();
    memset(factors, 1, sizeof factors);
    factors[4] = factors[9] = factors[200] = 0;
    make_create(&request, &create, &geometry);
    profile.name = (char *)"boat";
    profile.factors = (ProtobufCBinaryData){256, factors};
    profile.inscribed = (ProtobufCBinaryData){1, &inscribed};
    create.profile = profile.name;
    create.profiles = profiles;
    create.n_profiles = 1;
    ck_assert_int_eq(do_call(&seen, &request, &version), RP_CLIENT_OK);
    ck_assert_uint_eq(seen.fill, 9);
}
END_TEST

START_TEST(a_large_window_blocks_until_its_rectangles_are_there)
{
    const uint32_t half = WIDTH / 2u;
    uint32_t rects[] = {0, 0, half, HEIGHT, half, 0, WIDTH - half, HEIGHT};
    uint8_t *halves = malloc(CELLS);
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    seen_t seen = {0};
    uint64_t version;
    set_up();
    ck_assert_ptr_nonnull(halves);
    for (uint32_t y = 0; y < HEIGHT; y++) {
        memcpy(halves + (size_t)y * half, stated + (size_t)y * WIDTH, half);
        memcpy(halves + (size_t)HEIGHT * half + (size_t)y * half, stated + (size_t)y * WIDTH + half,
               half);
    }
    resize.world = (char *)"plain";
    resize.width = WIDTH;
    resize.height = HEIGHT;
    resize.rects = rects;
    resize.n_rects = 8;
    resize.rect_data = (ProtobufCBinaryData){CELLS, halves};
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, &resize);
    ck_assert_int_eq(do_call(&seen, &request, &version), RP_CLIENT_OK);
    ck_assert_uint_eq(seen.asked, 1);
    ck_assert_uint_eq(seen.fill, 254); // its world is a costmap
    ck_assert_uint_eq(seen.changes, 4);
    ck_assert_uint_eq(version, 5);
    ck_assert_uint_eq(resize.n_rects, 8);
    ck_assert_mem_eq(held, stated, CELLS);
    free(halves);
}
END_TEST

START_TEST(a_portion_that_is_refused_ends_the_call)
{
    seen_t seen = {.refused = 2};
    Replan__V1__Request request;
    Replan__V1__CreateWorld create;
    Replan__V1__Geometry geometry;
    uint64_t version;
    set_up();
    make_create(&request, &create, &geometry);
    ck_assert_int_eq(do_call(&seen, &request, &version), RP_CLIENT_E_REFUSED);
    ck_assert_uint_eq(seen.changes, 2);
}
END_TEST

/// A change is one version or none; and who goes on before the reply comes sends one message.
START_TEST(what_is_not_split_is_refused_with_its_size_and_the_limit)
{
    seen_t seen = {0};
    fake_daemon_t *fake = fake_daemon_new(act, &seen);
    rp_client_t *client = NULL;
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    Replan__V1__CreateWorld create;
    Replan__V1__Geometry geometry;
    set_up();
    change.world = (char *)"plain";
    change.width = WIDTH;
    change.height = HEIGHT;
    change.rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change.data = (ProtobufCBinaryData){CELLS, stated};
    apply.change = &change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    ck_assert_int_eq(rp_client_open(fake_daemon_control(fake), WAIT_MS, &client), RP_CLIENT_OK);
    ck_assert_int_eq(rp_client_call(client, &request, NULL), RP_CLIENT_E_INVALID);
    ck_assert_ptr_nonnull(strstr(rp_client_sentence(client), "a message at most 20971520"));
    make_create(&request, &create, &geometry);
    ck_assert_int_eq(rp_client_send(client, &request, NULL), RP_CLIENT_E_INVALID);
    ck_assert_ptr_nonnull(strstr(rp_client_sentence(client), "a message at most 20971520"));
    geometry.height--; // the bytes are not those of the world
    ck_assert_int_eq(rp_client_call(client, &request, NULL), RP_CLIENT_E_INVALID);
    rp_client_close(&client);
    fake_daemon_destroy(&fake);
    ck_assert_uint_eq(seen.asked + seen.changes, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_large_world_blocks_until_its_bytes_are_there,
        a_profile_of_the_worlds_own_says_what_blocks,
        a_large_window_blocks_until_its_rectangles_are_there,
        a_portion_that_is_refused_ends_the_call,
        what_is_not_split_is_refused_with_its_size_and_the_limit,
    };
    return rp_suite_run("portions", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
