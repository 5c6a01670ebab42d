/// Lists through the daemon without its sockets: agents, shapes and peers, whole and in portions,
/// and what was counted of each world.
#include <stdio.h>
#include <string.h>

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

// ---- what is asked

static const Replan__V1__Agents *list_agents(uint64_t from)
{
    static Replan__V1__ListAgents list;
    replan__v1__list_agents__init(&list);
    list.world = rp_text("marsh");
    list.from = from;
    Replan__V1__Request request = RP_REQUEST(LIST_AGENTS, list_agents, &list);
    const Replan__V1__Reply *reply = rp_wire_do(&wire, 0, &request);
    ck_assert_int_eq(reply->body_case, REPLAN__V1__REPLY__BODY_AGENTS);
    return reply->agents;
}

static const Replan__V1__Shapes *list_shapes(uint64_t from)
{
    static Replan__V1__ListShapes list;
    replan__v1__list_shapes__init(&list);
    list.world = rp_text("marsh");
    list.from = from;
    Replan__V1__Request request = RP_REQUEST(LIST_SHAPES, list_shapes, &list);
    const Replan__V1__Reply *reply = rp_wire_do(&wire, 0, &request);
    ck_assert_int_eq(reply->body_case, REPLAN__V1__REPLY__BODY_SHAPES);
    return reply->shapes;
}

static Replan__V1__Request list_peers_request(uint64_t from)
{
    static Replan__V1__ListPeers list;
    replan__v1__list_peers__init(&list);
    list.from = from;
    Replan__V1__Request request = RP_REQUEST(LIST_PEERS, list_peers, &list);
    return request;
}

static const Replan__V1__Peers *list_peers(unsigned peer, uint64_t from)
{
    Replan__V1__Request request = list_peers_request(from);
    const Replan__V1__Reply *reply = rp_wire_do(&wire, peer, &request);
    ck_assert_int_eq(reply->body_case, REPLAN__V1__REPLY__BODY_PEERS);
    return reply->peers;
}

// ---- agents

START_TEST(an_agent_is_listed_with_its_pose_and_its_newest_answer)
{
    rp_wire_open(&wire);
    const uint64_t handle = rp_wire_agent(&wire, 0, "orc", 0, 4, 15, 4);
    rp_wire_work(&wire);
    rp_wire_pass(&wire, 3000000);
    const Replan__V1__Agents *agents = list_agents(0);
    ck_assert_uint_eq(agents->n_agents, 1);
    ck_assert_uint_eq(agents->next, 0);
    ck_assert_uint_eq(agents->version, 1);
    const Replan__V1__AgentInfo *orc = agents->agents[0];
    ck_assert_str_eq(orc->agent, "orc");
    ck_assert_uint_eq(orc->handle, handle);
    ck_assert_str_eq(orc->planner, "dstar-lite");
    ck_assert_int_eq(orc->outcome, REPLAN__V1__OUTCOME__FOUND);
    ck_assert_int_eq(orc->reason, REPLAN__V1__REASON__FIRST);
    ck_assert_double_eq(orc->cost, 15.0);
    ck_assert_uint_eq(orc->steps, 15);
    ck_assert_uint_eq(orc->path_seq, 1);
    ck_assert_uint_ge(orc->age_ms, 3000);
    ck_assert(orc->has_pose);
    ck_assert_double_eq(orc->x, 0.5);
    ck_assert_double_eq(orc->y, 4.5);
}
END_TEST

START_TEST(an_agent_that_has_not_answered_says_so)
{
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    rp_wire_open(&wire);
    open.world = rp_text("marsh");
    open.agent = rp_text("elf");
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    (void)rp_wire_do(&wire, 0, &request);
    const Replan__V1__AgentInfo *elf = list_agents(0)->agents[0];
    ck_assert_uint_eq(elf->path_seq, 0);
    ck_assert_double_eq(elf->cost, -1.0);
    ck_assert_ptr_null(elf->body);
    ck_assert(!elf->has_pose);
}
END_TEST

START_TEST(an_agent_is_listed_with_its_body)
{
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    Replan__V1__Body body = REPLAN__V1__BODY__INIT;
    rp_wire_open(&wire);
    body.profile = rp_text("costmap");
    body.inscribed_radius_m = 1.0;
    body.inflation_radius_m = 3.0;
    body.cost_scaling_factor = 2.0;
    open.world = rp_text("marsh");
    open.agent = rp_text("robot");
    open.body = &body;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    (void)rp_wire_do(&wire, 0, &request);
    const Replan__V1__Body *told = list_agents(0)->agents[0]->body;
    ck_assert_ptr_nonnull(told);
    ck_assert_str_eq(told->profile, "costmap");
    ck_assert_double_eq(told->inscribed_radius_m, 1.0);
    ck_assert_double_eq(told->inflation_radius_m, 3.0);
    ck_assert_double_eq(told->cost_scaling_factor, 2.0);
    ck_assert_double_eq(told->radius_m, 0.0);
}
END_TEST

START_TEST(many_agents_come_in_portions_each_once)
{
    const unsigned count = RP_LIMIT_LISTED + 3u;
    char name[RP_LIMIT_NAME + 1u];
    rp_wire_open(&wire);
    for (unsigned i = 0; i < count; i++) {
        (void)snprintf(name, sizeof name, "orc%u", i);
        (void)rp_wire_agent(&wire, 0, name, i % 16u, i / 16u % 8u, 15, 4);
    }
    rp_wire_work(&wire);
    const Replan__V1__Agents *first = list_agents(0);
    ck_assert_uint_eq(first->n_agents, RP_LIMIT_LISTED);
    ck_assert_uint_ne(first->next, 0);
    ck_assert_str_eq(first->agents[0]->agent, "orc0");
    const Replan__V1__Agents *rest = list_agents(first->next);
    ck_assert_uint_eq(rest->n_agents, 3);
    ck_assert_str_eq(rest->agents[0]->agent, "orc1024");
    ck_assert_uint_eq(rest->next, 0);
}
END_TEST

// ---- shapes

/// Discs with ids from 0 on, and one triangle on top.
static void put_shapes(uint32_t discs)
{
    static uint32_t ids[RP_LIMIT_SHAPES];
    static uint32_t corners[RP_LIMIT_SHAPES];
    static uint32_t ttls[RP_LIMIT_SHAPES];
    static double xs[RP_LIMIT_SHAPES + 2u];
    static double ys[RP_LIMIT_SHAPES + 2u];
    static double radii[RP_LIMIT_SHAPES];
    static uint8_t byte = 0;
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    for (uint32_t i = 0; i < discs; i++) {
        ids[i] = i;
        corners[i] = 1;
        ttls[i] = 0;
        xs[i] = i % 16u + 0.5;
        ys[i] = i / 16u % 8u + 0.5;
        radii[i] = 0.25;
    }
    ids[discs] = 7777;
    corners[discs] = 3;
    ttls[discs] = 5000;
    radii[discs] = 0.0;
    for (uint32_t i = 0; i < 3u; i++) {
        xs[discs + i] = 2.0 + (i == 1u);
        ys[discs + i] = 3.0 + (i == 2u);
    }
    overlay.world = rp_text("marsh");
    overlay.ids = ids;
    overlay.corners = corners;
    overlay.ttl_ms = ttls;
    overlay.radii_m = radii;
    overlay.x = xs;
    overlay.y = ys;
    overlay.values = (ProtobufCBinaryData){1, &byte};
    overlay.n_ids = overlay.n_corners = overlay.n_ttl_ms = overlay.n_radii_m = discs + 1u;
    overlay.n_x = overlay.n_y = discs + 3u;
    Replan__V1__Request request = RP_REQUEST(OVERLAY, overlay, &overlay);
    (void)rp_wire_do(&wire, 0, &request);
}

START_TEST(shapes_are_listed_as_they_were_put_the_lowest_first)
{
    rp_wire_open(&wire);
    ck_assert_uint_eq(list_shapes(0)->n_ids, 0);
    put_shapes(2);
    rp_wire_pass(&wire, 1000000);
    const Replan__V1__Shapes *shapes = list_shapes(0);
    ck_assert_uint_eq(shapes->n_ids, 3);
    ck_assert_uint_eq(shapes->next, 0);
    ck_assert_uint_eq(shapes->version, 2);
    ck_assert_uint_eq(shapes->ids[0], 0);
    ck_assert_uint_eq(shapes->ids[2], 7777);
    ck_assert_uint_eq(shapes->corners[0], 1);
    ck_assert_uint_eq(shapes->corners[2], 3);
    ck_assert_double_eq(shapes->radii_m[1], 0.25);
    ck_assert_double_eq(shapes->radii_m[2], 0.0);
    ck_assert_uint_eq(shapes->n_x, 5);
    ck_assert_double_eq(shapes->x[1], 1.5);
    ck_assert_double_eq(shapes->x[3], 3.0);
    ck_assert_double_eq(shapes->y[4], 4.0);
    ck_assert_uint_eq(shapes->left_ms[0], 0);
    ck_assert_uint_eq(shapes->left_ms[2], 4000);
    ck_assert_uint_eq(shapes->values.len, 3);
}
END_TEST

START_TEST(many_shapes_come_in_portions_each_once)
{
    rp_wire_open(&wire);
    put_shapes(RP_LIMIT_LISTED + 1u);
    const Replan__V1__Shapes *first = list_shapes(0);
    ck_assert_uint_eq(first->n_ids, RP_LIMIT_LISTED);
    ck_assert_uint_eq(first->next, RP_LIMIT_LISTED);
    const Replan__V1__Shapes *rest = list_shapes(first->next);
    ck_assert_uint_eq(rest->n_ids, 2);
    ck_assert_uint_eq(rest->ids[0], RP_LIMIT_LISTED);
    ck_assert_uint_eq(rest->ids[1], 7777);
    ck_assert_uint_eq(rest->next, 0);
    ck_assert_uint_eq(list_shapes(UINT64_MAX)->n_ids, 0);
}
END_TEST

// ---- peers

START_TEST(a_peer_is_listed_with_what_it_asked_and_what_was_refused)
{
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    rp_wire_open_bare(&wire);
    remove.world = rp_text("moor");
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    ck_assert_int_eq(rp_wire_ask(&wire, 3, &request)->status, REPLAN__V1__STATUS__UNKNOWN);
    rp_wire_pass(&wire, 2000000);
    const Replan__V1__Peers *peers = list_peers(4, 0);
    ck_assert_uint_eq(peers->n_peers, 2);
    const Replan__V1__PeerInfo *three = peers->peers[0];
    ck_assert_str_eq(three->socket, "control");
    ck_assert_uint_eq(three->requests, 1);
    ck_assert_uint_eq(three->refused, 1);
    ck_assert_uint_eq(three->since_ms, 2000);
    ck_assert_uint_eq(three->silent_ms, 2000);
    ck_assert_str_eq(three->last_refusal, "world: there is no world \"moor\"");
    ck_assert_uint_eq(three->refused_ms, 2000);
    ck_assert_uint_eq(peers->peers[1]->refused, 0);
    ck_assert_str_eq(peers->peers[1]->last_refusal, "");
}
END_TEST

START_TEST(what_waits_for_a_peer_is_told)
{
    Replan__V1__GetStats stats = REPLAN__V1__GET_STATS__INIT;
    Replan__V1__After after = REPLAN__V1__AFTER__INIT;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    rp_wire_open(&wire);
    (void)rp_wire_watch(&wire, 1, false, 10);
    after.world = rp_text("marsh");
    after.version = 1000000;
    request.id = ++wire.next_id;
    request.after = &after;
    request.body_case = REPLAN__V1__REQUEST__BODY_GET_STATS;
    request.get_stats = &stats;
    rp_wire_send(&wire, 1, &request);
    wire.fate[1] = RP_SENT_FULL;
    request.after = NULL;
    request.id = ++wire.next_id;
    rp_wire_send(&wire, 1, &request);
    rp_wire_work(&wire);
    const Replan__V1__Peers *peers = list_peers(2, 0);
    const Replan__V1__PeerInfo *one = peers->peers[1]; // the first made the world
    ck_assert_uint_eq(one->watches, 1);
    ck_assert_uint_eq(one->waiting, 1);
    ck_assert_uint_gt(one->bytes_out, 100);
}
END_TEST

START_TEST(a_reply_that_nobody_takes_counts_as_dropped)
{
    rp_wire_open(&wire);
    wire.fate[1] = RP_SENT_GONE;
    Replan__V1__Request request = list_peers_request(0);
    request.id = ++wire.next_id;
    rp_wire_send(&wire, 1, &request);
    rp_wire_work(&wire);
    ck_assert_uint_eq(list_peers(2, 0)->peers[1]->dropped, 1);
}
END_TEST

/// The sockets' side: a connection by which a peer speaks, one by which nobody has spoken, and one
/// by which nobody spoke that is known.
static size_t three_connections(void *user, rp_connection_t *list, size_t most)
{
    (void)user;
    if (most >= 3) {
        list[0] = (rp_connection_t){.number = 5, .socket = "control", .descriptor = 50};
        list[1] = (rp_connection_t){.socket = "poses", .descriptor = 51, .since_us = 1000};
        list[2] =
            (rp_connection_t){.number = 6, .socket = "control", .descriptor = 52, .since_us = 1000};
    }
    return 3;
}

static void tell_descriptor(void *user, const rp_connection_t *connection, char *address,
                            size_t size)
{
    (void)user;
    (void)snprintf(address, size, "from %d", connection->descriptor);
}

START_TEST(a_peer_whose_connection_is_gone_is_not_listed_and_a_silent_one_is)
{
    rp_wire_open_bare(&wire);
    wire.connection[1] = 4;
    wire.connection[2] = 5;
    (void)list_peers(1, 0);
    wire.daemon.serving.transport.connections = three_connections;
    wire.daemon.serving.transport.address = tell_descriptor;
    const Replan__V1__Peers *peers = list_peers(2, 0);
    ck_assert_uint_eq(peers->n_peers, 3);
    ck_assert_str_eq(peers->peers[0]->address, "from 50");
    ck_assert_str_eq(peers->peers[1]->address, "from 51");
    ck_assert_str_eq(peers->peers[1]->socket, "poses");
    ck_assert_uint_eq(peers->peers[1]->name.len, 0);
    ck_assert_uint_eq(peers->peers[1]->since_ms, 999);
    ck_assert_str_eq(peers->peers[2]->address, "from 52");
    ck_assert_uint_eq(list_peers(2, 1)->n_peers, 2);
    ck_assert_uint_eq(list_peers(2, UINT64_MAX)->n_peers, 0);
}
END_TEST

// ---- counts

START_TEST(stats_tell_of_each_world)
{
    Replan__V1__GetStats get = REPLAN__V1__GET_STATS__INIT;
    rp_wire_open(&wire);
    rp_wire_create(&wire, "moor", 4, 4);
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 15, 4);
    rp_wire_work(&wire);
    (void)rp_wire_apply(&wire, 0, rp_wire_change(8, 4, 0), REPLAN__V1__WAIT__SETTLED);
    rp_wire_pass(&wire, 7000);
    Replan__V1__Request request = RP_REQUEST(GET_STATS, get_stats, &get);
    const Replan__V1__Stats *stats = rp_wire_do(&wire, 0, &request)->stats;
    ck_assert_uint_eq(stats->n_worlds, 2);
    ck_assert_str_eq(stats->worlds[0]->world, "marsh");
    ck_assert_uint_eq(stats->worlds[0]->agents, 1);
    ck_assert_uint_eq(stats->worlds[0]->changes, 1);
    ck_assert_uint_eq(stats->worlds[0]->cells, 1);
    ck_assert_uint_eq(stats->worlds[0]->answers, 2);
    ck_assert_uint_eq(stats->worlds[1]->answers, 0);
    ck_assert_uint_eq(stats->worlds[1]->max_us, 0);
    ck_assert_uint_ge(rp_wire_stat(&wire, "process.uptime_ms"), 7);
}
END_TEST

/// A clock that is 12 ms ahead of the round: so long an answer took.
static uint64_t late_wall(void *user)
{
    return ((rp_wire_t *)user)->daemon.serving.now.wall_us + 12000u;
}

static uint64_t measured(const char *name)
{
    rp_serving_measure(&wire.daemon.serving);
    return rp_wire_stat(&wire, name);
}

START_TEST(the_latency_of_answers_is_from_arrival_to_publication)
{
    rp_wire_open(&wire);
    wire.daemon.serving.transport.wall_us = late_wall;
    (void)rp_wire_agent(&wire, 0, "orc", 0, 4, 15, 4);
    rp_wire_work(&wire);
    ck_assert_uint_eq(measured("answers.max_us"), 12000);
    ck_assert_uint_eq(measured("answers.p50_us"), 12000);
    rp_wire_pass(&wire, 3u * RP_LATENCY_PERIOD_US);
    ck_assert_uint_eq(measured("answers.max_us"), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        an_agent_is_listed_with_its_pose_and_its_newest_answer,
        an_agent_that_has_not_answered_says_so,
        an_agent_is_listed_with_its_body,
        many_agents_come_in_portions_each_once,
        shapes_are_listed_as_they_were_put_the_lowest_first,
        many_shapes_come_in_portions_each_once,
        a_peer_is_listed_with_what_it_asked_and_what_was_refused,
        what_waits_for_a_peer_is_told,
        a_reply_that_nobody_takes_counts_as_dropped,
        a_peer_whose_connection_is_gone_is_not_listed_and_a_silent_one_is,
        stats_tell_of_each_world,
        the_latency_of_answers_is_from_arrival_to_publication,
    };
    return rp_suite_run("handle_list", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
