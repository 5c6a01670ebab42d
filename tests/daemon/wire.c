/// The transport unpacks what it is given at once, as a client would.
#include "tests/daemon/wire.h"

#include <check.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/request.h"

#define ROUNDS_MOST     10000
#define WORKERS_MOST_MS 120000

// ---- what comes out

static void keep(rp_wire_t *self, unsigned peer, const char *topic,
                 const ProtobufCMessageDescriptor *type, const void *bytes, size_t size)
{
    rp_wire_sent_t *sent = calloc(1, sizeof *sent);
    ck_assert_ptr_nonnull(sent);
    sent->peer = peer;
    strcpy(sent->topic, topic);
    sent->message = protobuf_c_message_unpack(type, NULL, size, bytes);
    ck_assert_ptr_nonnull(sent->message);
    *self->last = sent;
    self->last = &sent->next;
}

static rp_sent_t send_control(void *user, const rp_peer_t *peer, const void *bytes, size_t size)
{
    rp_wire_t *self = user;
    const unsigned number = peer->bytes[1]; // see peer_of()
    if (self->fate[number] == RP_SENT) {
        keep(self, number, "", &replan__v1__to_client__descriptor, bytes, size);
    }
    return self->fate[number];
}

static void publish(void *user, const char *topic, const void *bytes, size_t size)
{
    static const struct {
        const char *start;
        const ProtobufCMessageDescriptor *type;
    } kinds[] = {
        {"path/", &replan__v1__answer__descriptor},
        {"head/", &replan__v1__head__descriptor},
        {"delta/", &replan__v1__delta__descriptor},
        {"status/", &replan__v1__notice__descriptor},
    };
    size_t kind = 0;
    while (strncmp(topic, kinds[kind].start, strlen(kinds[kind].start)) != 0) {
        ck_assert_uint_lt(++kind, 4);
    }
    keep(user, RP_WIRE_PEERS, topic, kinds[kind].type, bytes, size);
}

static uint64_t wall_us(void *user)
{
    return ((const rp_wire_t *)user)->daemon.serving.now.wall_us;
}

const Replan__V1__ToClient *rp_wire_next(rp_wire_t *self, unsigned peer)
{
    for (rp_wire_sent_t *sent = self->first; sent != NULL; sent = sent->next) {
        if (!sent->is_taken && sent->peer == peer) {
            sent->is_taken = true;
            return (const Replan__V1__ToClient *)sent->message;
        }
    }
    return NULL;
}

const Replan__V1__Reply *rp_wire_reply(rp_wire_t *self, unsigned peer)
{
    for (rp_wire_sent_t *sent = self->first; sent != NULL; sent = sent->next) {
        const Replan__V1__ToClient *message = (const Replan__V1__ToClient *)sent->message;
        if (!sent->is_taken && sent->peer == peer && message->watch == 0) {
            sent->is_taken = true;
            return message->reply;
        }
    }
    return NULL;
}

const ProtobufCMessage *rp_wire_published(rp_wire_t *self, const char *topic)
{
    for (rp_wire_sent_t *sent = self->first; sent != NULL; sent = sent->next) {
        if (!sent->is_taken && strcmp(sent->topic, topic) == 0) {
            sent->is_taken = true;
            return sent->message;
        }
    }
    return NULL;
}

// ---- what goes in

static rp_peer_t peer_of(unsigned number)
{
    const uint8_t identity[] = {(uint8_t)number, 'x'};
    rp_peer_t peer = {0};
    ck_assert(rp_peer_add(&peer, identity, sizeof identity));
    return peer;
}

void rp_wire_send(rp_wire_t *self, unsigned peer, const Replan__V1__Request *request)
{
    rp_peer_t from = peer_of(peer);
    from.connection = self->connection[peer];
    const size_t size = protobuf_c_message_get_packed_size(&request->base);
    uint8_t *bytes = malloc(size + 1u);
    ck_assert_ptr_nonnull(bytes);
    (void)protobuf_c_message_pack(&request->base, bytes);
    rp_daemon_request(&self->daemon, &from, bytes, size);
    free(bytes);
}

void rp_wire_send_bytes(rp_wire_t *self, unsigned peer, const uint8_t *bytes, size_t size)
{
    const rp_peer_t from = peer_of(peer);
    rp_daemon_request(&self->daemon, &from, bytes, size);
}

/// Wait for a report of the workers, if one is to come. @return false when all have done their work
static bool await_workers(const rp_wire_t *self)
{
    const rp_host_t *host = self->daemon.serving.host;
    struct pollfd reports = {rp_host_descriptor(host), POLLIN, 0};
    if (!rp_host_is_at_work(host)) {
        return false;
    }
    ck_assert_int_eq(poll(&reports, 1, WORKERS_MOST_MS), 1);
    return true;
}

void rp_wire_work(rp_wire_t *self)
{
    int rounds = 0;
    do {
        rp_daemon_work(&self->daemon, 8192);
        ck_assert_int_lt(++rounds, ROUNDS_MOST);
    } while (self->daemon.serving.is_work_left || self->daemon.serving.is_delivery_left ||
             await_workers(self));
}

void rp_wire_pass(rp_wire_t *self, uint64_t microseconds)
{
    self->daemon.serving.now.steady_us += microseconds;
    self->daemon.serving.now.wall_us += microseconds;
    rp_wire_work(self);
}

const Replan__V1__Reply *rp_wire_ask(rp_wire_t *self, unsigned peer, Replan__V1__Request *request)
{
    request->id = ++self->next_id;
    rp_wire_send(self, peer, request);
    rp_wire_work(self);
    const Replan__V1__Reply *reply = rp_wire_reply(self, peer);
    ck_assert_ptr_nonnull(reply);
    ck_assert_uint_eq(reply->id, request->id);
    return reply;
}

const Replan__V1__Reply *rp_wire_do(rp_wire_t *self, unsigned peer, Replan__V1__Request *request)
{
    const Replan__V1__Reply *reply = rp_wire_ask(self, peer, request);
    ck_assert_msg(reply->status == REPLAN__V1__STATUS__OK, "%s", reply->sentence);
    return reply;
}

void rp_wire_expect(rp_wire_t *self, unsigned peer, Replan__V1__Status status, const char *word)
{
    const Replan__V1__Reply *reply = rp_wire_reply(self, peer);
    ck_assert_ptr_nonnull(reply);
    ck_assert_int_eq(reply->status, status);
    ck_assert_msg(strstr(reply->sentence, word) != NULL, "no \"%s\" in: %s", word, reply->sentence);
}

void rp_wire_expect_no_reply(rp_wire_t *self, unsigned peer)
{
    const Replan__V1__Reply *reply = rp_wire_reply(self, peer);
    ck_assert_msg(reply == NULL, "a reply: %s", reply != NULL ? reply->sentence : "");
}

// ---- those that most tests need

void rp_wire_create(rp_wire_t *self, const char *name, uint32_t width, uint32_t height)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    geometry.width = width;
    geometry.height = height;
    geometry.resolution = 1.0;
    create.world = rp_text(name);
    create.geometry = &geometry;
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    (void)rp_wire_do(self, 0, &request);
}

Replan__V1__Change *rp_wire_change(uint32_t x, uint32_t y, uint32_t byte)
{
    static Replan__V1__Change change;
    replan__v1__change__init(&change);
    change.world = rp_text("marsh");
    change.x = x;
    change.y = y;
    change.width = 1;
    change.height = 1;
    change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    change.fill = byte;
    return &change;
}

Replan__V1__Request rp_wire_apply_request(rp_wire_t *self, Replan__V1__Change *change,
                                          Replan__V1__Wait wait)
{
    static Replan__V1__Apply apply;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    replan__v1__apply__init(&apply);
    apply.change = change;
    apply.wait = wait;
    request.id = ++self->next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &apply;
    return request;
}

uint64_t rp_wire_apply(rp_wire_t *self, unsigned peer, Replan__V1__Change *change,
                       Replan__V1__Wait wait)
{
    Replan__V1__Request request = rp_wire_apply_request(self, change, wait);
    return rp_wire_do(self, peer, &request)->applied->version;
}

uint64_t rp_wire_agent(rp_wire_t *self, unsigned peer, const char *name, uint32_t x, uint32_t y,
                       uint32_t goal_x, uint32_t goal_y)
{
    return rp_wire_agent_with(self, peer, name, x, y, goal_x, goal_y, NULL);
}

void rp_wire_pose(rp_wire_t *self, unsigned peer, const char *name, double x, double y)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    pose.world = rp_text("marsh");
    pose.agent = rp_text(name);
    pose.x = x;
    pose.y = y;
    Replan__V1__Request request = RP_REQUEST(SET_POSE, set_pose, &pose);
    (void)rp_wire_do(self, peer, &request);
}

Replan__V1__Request rp_wire_answer_request(rp_wire_t *self, const char *name)
{
    static Replan__V1__GetAnswer get;
    Replan__V1__Request request = REPLAN__V1__REQUEST__INIT;
    replan__v1__get_answer__init(&get);
    get.world = rp_text("marsh");
    get.agent = rp_text(name);
    request.id = ++self->next_id;
    request.body_case = REPLAN__V1__REQUEST__BODY_GET_ANSWER;
    request.get_answer = &get;
    return request;
}

const Replan__V1__Answer *rp_wire_answer(rp_wire_t *self, unsigned peer, const char *name)
{
    Replan__V1__Request request = rp_wire_answer_request(self, name);
    return rp_wire_do(self, peer, &request)->answer;
}

uint64_t rp_wire_agent_with(rp_wire_t *self, unsigned peer, const char *name, uint32_t x,
                            uint32_t y, uint32_t goal_x, uint32_t goal_y,
                            Replan__V1__Policy *policy)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    double at_x = goal_x + 0.5;
    double at_y = goal_y + 0.5;
    pose.x = x + 0.5;
    pose.y = y + 0.5;
    goal.n_x = goal.n_y = 1;
    goal.x = &at_x;
    goal.y = &at_y;
    open.world = rp_text("marsh");
    open.agent = rp_text(name);
    open.pose = &pose;
    open.goal = &goal;
    open.policy = policy;
    Replan__V1__Request request = RP_REQUEST(OPEN_AGENT, open_agent, &open);
    return rp_wire_do(self, peer, &request)->opened->handle;
}

static uint32_t watch_all(rp_wire_t *self, unsigned peer, Replan__V1__Watch *watch)
{
    watch->world = rp_text("marsh");
    watch->all = 1;
    Replan__V1__Request request = RP_REQUEST(WATCH, watch, watch);
    return rp_wire_do(self, peer, &request)->watching->watch;
}

uint32_t rp_wire_watch(rp_wire_t *self, unsigned peer, bool map, uint32_t credit)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.map = map;
    watch.credit = credit;
    return watch_all(self, peer, &watch);
}

uint32_t rp_wire_watch_batch(rp_wire_t *self, unsigned peer, uint32_t batch, uint32_t credit)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.batch = batch;
    watch.credit = credit;
    return watch_all(self, peer, &watch);
}

uint32_t rp_wire_watch_splices(rp_wire_t *self, unsigned peer, uint32_t credit)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.splices = 1;
    watch.credit = credit;
    return watch_all(self, peer, &watch);
}

// ---- what became of it

rp_served_t *rp_wire_marsh(const rp_wire_t *self)
{
    return rp_worlds_find(&self->daemon.serving.worlds, "marsh");
}

uint64_t rp_wire_version(const rp_wire_t *self)
{
    return rp_engine_version(self->daemon.serving.engine, rp_wire_marsh(self)->id);
}

uint64_t rp_wire_stat(const rp_wire_t *self, const char *name)
{
    size_t i = 0;
    while (strcmp(rp_stats_name(i), name) != 0) {
        ck_assert_ptr_nonnull(rp_stats_name(++i));
    }
    return rp_stats_value(&self->daemon.serving.stats, i);
}

// ---- birth and death

void rp_wire_open_bare(rp_wire_t *self)
{
    *self = (rp_wire_t){.next_id = 1000};
    self->last = &self->first;
    const rp_transport_t transport = {
        .control = send_control, .publish = publish, .wall_us = wall_us, .user = self};
    const char *workers = getenv("REPLAN_TEST_WORKERS");
    const unsigned worker_count = workers != NULL ? (unsigned)strtoul(workers, NULL, 10) : 0u;
    ck_assert_int_eq(
        rp_daemon_init(&self->daemon, &transport, "dstar-lite", worker_count, UINT64_MAX), RP_OK);
    self->daemon.serving.now = (rp_now_t){.steady_us = 1000000, .wall_us = 1700000000000000};
    self->daemon.serving.stats.subscriptions = 1;
}

void rp_wire_open(rp_wire_t *self)
{
    rp_wire_open_bare(self);
    rp_wire_create(self, "marsh", 16, 8);
}

void rp_wire_close(rp_wire_t *self)
{
    rp_daemon_fini(&self->daemon);
    while (self->first != NULL) {
        rp_wire_sent_t *sent = self->first;
        self->first = sent->next;
        protobuf_c_message_free_unpacked(sent->message, NULL);
        free(sent);
    }
}
