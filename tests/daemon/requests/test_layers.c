/// What agents ask of the ground: profiles, bodies and inflation, through the daemon without its
/// sockets.
#include <math.h>
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

/// A world "moor" of 9 x 5 cells of 0.5 m with a profile of its own: byte 1 is road, 2 is swamp,
/// and 3 blocks only since an obstacle is near.
static void begin(void)
{
    static uint8_t table[256] = {0, 10, 40};
    static uint8_t inscribed[] = {3};
    static Replan__V1__Geometry geometry;
    static Replan__V1__Profile profile;
    static Replan__V1__Profile *profiles[] = {&profile};
    static Replan__V1__CreateWorld create;
    rp_wire_open(&wire);
    replan__v1__geometry__init(&geometry);
    geometry.width = 9;
    geometry.height = 5;
    geometry.resolution = 0.5;
    replan__v1__profile__init(&profile);
    profile.name = rp_text("wheels");
    profile.factors = (ProtobufCBinaryData){sizeof table, table};
    profile.unit = 10;
    profile.inscribed = (ProtobufCBinaryData){1, inscribed};
    replan__v1__create_world__init(&create);
    create.world = rp_text("moor");
    create.geometry = &geometry;
    create.profile = rp_text("wheels");
    create.profiles = profiles;
    create.n_profiles = 1;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    (void)rp_wire_do(&wire, 0, &request);
}

/// An agent of "moor" that wants from the left edge to the right one, along the middle row.
static const Replan__V1__Reply *open_agent(const char *name, Replan__V1__Body *body)
{
    double x = 4.25;
    double y = 1.25;
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    pose.x = 0.25;
    pose.y = 1.25;
    goal.x = &x;
    goal.y = &y;
    goal.n_x = goal.n_y = 1;
    open.world = rp_text("moor");
    open.agent = rp_text(name);
    open.pose = &pose;
    open.goal = &goal;
    open.body = body;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    return rp_wire_ask(&wire, 0, &request);
}

static double cost_of(const char *name)
{
    Replan__V1__GetAnswer get = REPLAN__V1__GET_ANSWER__INIT;
    get.world = rp_text("moor");
    get.agent = rp_text(name);
    Replan__V1__Request request = RP_REQUEST(GET_ANSWER, get_answer, &get);
    const Replan__V1__Answer *answer = rp_wire_do(&wire, 0, &request)->answer;
    return answer->outcome == REPLAN__V1__OUTCOME__FOUND ? answer->cost : -1.0;
}

START_TEST(who_stands_where_only_inscribed_bytes_block_finds_a_way_out)
{
    begin();
    Replan__V1__Change *change = rp_wire_change(0, 1, 3);
    change->world = rp_text("moor");
    change->width = 3;
    change->height = 3;
    ck_assert_int_eq(open_agent("cart", NULL)->status, REPLAN__V1__STATUS__OK);
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_double_eq_tol(cost_of("cart"), 6.0 + 2.0 * sqrt(2.0), 1e-9); // from the edge
    change = rp_wire_change(0, 1, 0);
    change->world = rp_text("moor");
    change->width = 3;
    change->height = 3;
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_double_eq(cost_of("cart"), -1.0); // deep in an obstacle
}
END_TEST

static uint32_t layers(void)
{
    const rp_served_t *moor = rp_worlds_find(&wire.daemon.serving.worlds, "moor");
    return rp_host_layers(wire.daemon.serving.host, moor->id);
}

static void expect_refusal(const Replan__V1__Reply *reply, Replan__V1__Status status,
                           const char *word)
{
    ck_assert_int_eq(reply->status, status);
    ck_assert_msg(strstr(reply->sentence, word) != NULL, "no \"%s\" in: %s", word, reply->sentence);
}

START_TEST(a_world_may_say_itself_what_its_bytes_mean)
{
    begin();
    Replan__V1__Change *change = rp_wire_change(0, 0, 2);
    change->world = rp_text("moor");
    change->width = 9;
    change->height = 5;
    ck_assert_int_eq(open_agent("cart", NULL)->status, REPLAN__V1__STATUS__OK);
    ck_assert_double_eq(cost_of("cart"), 8.0);
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_double_eq(cost_of("cart"), 32.0); // swamp everywhere
}
END_TEST

START_TEST(a_body_blocks_more_than_a_point_and_follows_the_changes)
{
    begin();
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    body.radius_m = 0.5;
    (void)open_agent("point", NULL);
    (void)open_agent("wide", &body);
    ck_assert_uint_eq(layers(), 2);
    Replan__V1__Change *change = rp_wire_change(4, 0, 0);
    change->world = rp_text("moor");
    change->height = 2;
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_double_eq(cost_of("point"), 8.0);
    ck_assert_double_gt(cost_of("wide"), 8.0);
    change->height = 4;
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_double_gt(cost_of("point"), 8.0);
    ck_assert_double_eq(cost_of("wide"), -1.0);
    change->height = 5;
    change->fill = 1;
    (void)rp_wire_apply(&wire, 0, change, REPLAN__V1__WAIT__APPLIED);
    ck_assert_double_eq(cost_of("wide"), 8.0);
}
END_TEST

START_TEST(a_layer_goes_with_the_last_agent_that_needs_it)
{
    begin();
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    body.radius_m = 0.5;
    (void)open_agent("wide", &body);
    body.radius_m = 0.6; // as many cells
    (void)open_agent("broad", &body);
    ck_assert_uint_eq(layers(), 2);
    Replan__V1__CloseAgent close = REPLAN__V1__CLOSE_AGENT__INIT;
    close.world = rp_text("moor");
    close.agent = rp_text("wide");
    Replan__V1__Request request = RP_REQUEST(CLOSE_AGENT, close_agent, &close);
    (void)rp_wire_do(&wire, 0, &request);
    ck_assert_uint_eq(layers(), 2);
    close.agent = rp_text("broad");
    (void)rp_wire_do(&wire, 0, &request);
    ck_assert_uint_eq(layers(), 1);
}
END_TEST

START_TEST(a_body_that_the_world_cannot_give_is_refused_by_name)
{
    begin();
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    body.profile = rp_text("wings");
    expect_refusal(open_agent("a", &body), REPLAN__V1__STATUS__UNKNOWN, "no profile \"wings\"");
    body.profile = rp_text("");
    body.radius_m = 33.0;
    expect_refusal(open_agent("a", &body), REPLAN__V1__STATUS__INVALID,
                   "body.radius_m is 33, at most 64 cells of 0.5");
    body.radius_m = 0.0;
    body.inflation_radius_m = 34.0;
    expect_refusal(open_agent("a", &body), REPLAN__V1__STATUS__INVALID,
                   "body.inflation_radius_m is 34, at most 64 cells of 0.5");
    body.inflation_radius_m = 1.0;
    expect_refusal(open_agent("a", &body), REPLAN__V1__STATUS__UNSUPPORTED, "\"wheels\"");
    body.profile = rp_text("costmap");
    ck_assert_int_eq(open_agent("a", &body)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

START_TEST(one_layer_more_than_a_world_may_have_is_refused)
{
    begin();
    char name[] = "a";
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    for (unsigned i = 1; i < RP_LIMIT_LAYERS; i++, name[0]++) {
        body.radius_m = 0.5 * i;
        ck_assert_int_eq(open_agent(name, &body)->status, REPLAN__V1__STATUS__OK);
    }
    body.radius_m = 10.0;
    expect_refusal(open_agent("z", &body), REPLAN__V1__STATUS__LIMIT, "at most 16 layers");
    ck_assert_int_eq(open_agent("z", NULL)->status, REPLAN__V1__STATUS__OK);
}
END_TEST

START_TEST(the_list_of_worlds_tells_their_own_profiles)
{
    begin();
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    Replan__V1__Request request = RP_REQUEST(LIST_WORLDS, list_worlds, &list);
    const Replan__V1__Worlds *worlds = rp_wire_do(&wire, 0, &request)->worlds;
    const Replan__V1__WorldInfo *moor = worlds->worlds[0];
    moor = strcmp(moor->world, "moor") == 0 ? moor : worlds->worlds[1];
    ck_assert_str_eq(moor->profile, "wheels");
    ck_assert_uint_eq(moor->layers, 1);
    ck_assert_uint_eq(moor->n_profiles, 1);
    ck_assert_str_eq(moor->profiles[0]->name, "wheels");
    ck_assert_uint_eq(moor->profiles[0]->factors.len, 256);
    ck_assert_uint_eq(moor->profiles[0]->factors.data[2], 40);
    ck_assert_uint_eq(moor->profiles[0]->unknown_factor, 10);
    ck_assert_uint_eq(moor->profiles[0]->inscribed.len, 1);
    ck_assert_uint_eq(moor->profiles[0]->inscribed.data[0], 3);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_world_may_say_itself_what_its_bytes_mean,
        who_stands_where_only_inscribed_bytes_block_finds_a_way_out,
        a_body_blocks_more_than_a_point_and_follows_the_changes,
        a_layer_goes_with_the_last_agent_that_needs_it,
        a_body_that_the_world_cannot_give_is_refused_by_name,
        one_layer_more_than_a_world_may_have_is_refused,
        the_list_of_worlds_tells_their_own_profiles,
    };
    return rp_suite_run("daemon: layers", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
