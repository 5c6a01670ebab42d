/// Portions of lists. `from` of agents is the number under which the last one was opened, which is
/// greater than those of all before it; of shapes and peers it is a place.
#include "daemon/requests/handlers/handle_list.h"

#include <stdlib.h>
#include <string.h>

#include "daemon/serving/encode.h"

#define ADDRESS_MOST 64u ///< characters of an address with their end

// ---- agents

static uint64_t since_ms(const rp_serving_t *self, uint64_t then_us)
{
    return (self->now.steady_us - then_us) / 1000u;
}

static void describe_answer(rp_serving_t *self, const rp_agent_t *agent,
                            Replan__V1__AgentInfo *info)
{
    rp_answer_t answer;
    rp_past_answer_t past[RP_PAST_MAX];
    if (rp_host_answer(self->host, agent->session, &answer) != RP_OK || answer.path_seq == 0) {
        return;
    }
    info->outcome = rp_encode_outcome(answer.outcome);
    info->reason = rp_encode_reason(answer.reason);
    info->cost = rp_encode_cost(answer.outcome, answer.cost);
    info->steps = answer.step_count;
    info->path_seq = answer.path_seq;
    info->version = answer.version;
    if (rp_host_past(self->host, agent->session, past) != 0) {
        info->age_ms = since_ms(self, past[0].published_us);
    }
}

/// @return NULL: it is a point
static Replan__V1__Body *describe_body(const rp_agent_t *agent, Replan__V1__Body *message)
{
    const rp_body_t *body = &agent->body;
    const bool is_point = agent->profile[0] == '\0' && body->radius_m == 0 &&
                          body->inflation_radius_m == 0 && body->cells == 0;
    replan__v1__body__init(message);
    message->profile = (char *)agent->profile;
    message->radius_m = body->radius_m;
    message->inscribed_radius_m = body->inscribed_radius_m;
    message->inflation_radius_m = body->inflation_radius_m;
    message->cost_scaling_factor = body->cost_scaling;
    message->cells = body->cells;
    return is_point ? NULL : message;
}

/// @param body  room for that of the agent
static void describe_agent(rp_serving_t *self, const rp_agent_t *agent, Replan__V1__Body *body,
                           Replan__V1__AgentInfo *info)
{
    replan__v1__agent_info__init(info);
    info->body = describe_body(agent, body);
    info->agent = (char *)agent->name;
    info->handle = agent->handle;
    info->planner = (char *)agent->planner;
    info->cost = -1.0;
    info->has_pose = rp_engine_newest_pose(self->engine, agent->session, &info->x, &info->y);
    info->target = (char *)agent->target;
    info->lease_s = agent->lease_s;
    describe_answer(self, agent, info);
}

bool rp_handle_list_agents(rp_call_t *call)
{
    const Replan__V1__ListAgents *list = call->request->list_agents;
    rp_serving_t *self = call->serving;
    const rp_served_t *world = rp_call_world(call, list->world);
    if (world == NULL) {
        return true;
    }
    Replan__V1__Agents *agents = rp_message_arena_take(&self->arena, sizeof *agents);
    Replan__V1__AgentInfo *infos =
        rp_message_arena_take(&self->arena, RP_LIMIT_LISTED * sizeof *infos);
    Replan__V1__Body *bodies =
        rp_message_arena_take(&self->arena, RP_LIMIT_LISTED * sizeof *bodies);
    Replan__V1__AgentInfo **places =
        rp_message_arena_take(&self->arena, RP_LIMIT_LISTED * sizeof(Replan__V1__AgentInfo *));
    if (agents == NULL || infos == NULL || bodies == NULL || places == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "list_agents");
    }
    replan__v1__agents__init(agents);
    agents->agents = places;
    agents->epoch = world->epoch;
    agents->version = rp_engine_version(self->engine, world->id);
    uint64_t last = 0;
    for (const rp_agent_t *agent = rp_worlds_opened_after(world, list->from); agent != NULL;
         agent = agent->hh.next) {
        if (agents->n_agents == RP_LIMIT_LISTED) {
            agents->next = last;
            break;
        }
        describe_agent(self, agent, &bodies[agents->n_agents], &infos[agents->n_agents]);
        places[agents->n_agents] = &infos[agents->n_agents];
        agents->n_agents++;
        last = agent->opened;
    }
    call->reply.body_case = REPLAN__V1__REPLY__BODY_AGENTS;
    call->reply.agents = agents;
    return true;
}

// ---- shapes

/// Milliseconds that are left, at least 1; 0: without end.
static uint32_t left_ms(const rp_serving_t *self, uint64_t expires_us)
{
    const uint64_t now_us = self->now.steady_us;
    if (expires_us == 0) {
        return 0;
    }
    const uint64_t ms = expires_us > now_us ? (expires_us - now_us) / 1000u : 0;
    return ms == 0 ? 1u : ms < UINT32_MAX ? (uint32_t)ms : UINT32_MAX;
}

/// Room for so many shapes, with all the corners that they may have. @return false without memory
static bool take_shapes(rp_message_arena_t *arena, size_t count, Replan__V1__Shapes *shapes)
{
    const size_t corners = count * RP_LIMIT_CORNERS;
    shapes->ids = rp_message_arena_take(arena, (count + 1u) * sizeof *shapes->ids);
    shapes->corners = rp_message_arena_take(arena, (count + 1u) * sizeof *shapes->corners);
    shapes->x = rp_message_arena_take(arena, (corners + 1u) * sizeof *shapes->x);
    shapes->y = rp_message_arena_take(arena, (corners + 1u) * sizeof *shapes->y);
    shapes->radii_m = rp_message_arena_take(arena, (count + 1u) * sizeof *shapes->radii_m);
    shapes->values.data = rp_message_arena_take(arena, count + 1u);
    shapes->left_ms = rp_message_arena_take(arena, (count + 1u) * sizeof *shapes->left_ms);
    return shapes->ids != NULL && shapes->corners != NULL && shapes->x != NULL &&
           shapes->y != NULL && shapes->radii_m != NULL && shapes->values.data != NULL &&
           shapes->left_ms != NULL;
}

static void put_shape(const rp_serving_t *self, const rp_shape_t *shape, Replan__V1__Shapes *shapes)
{
    const size_t i = shapes->n_ids;
    shapes->ids[i] = shape->id;
    shapes->corners[i] = shape->corners;
    shapes->radii_m[i] = shape->corners == 1 ? shape->radius_m : 0.0;
    shapes->values.data[i] = shape->byte;
    shapes->left_ms[i] = left_ms(self, shape->expires_us);
    memcpy(shapes->x + shapes->n_x, shape->x_m, shape->corners * sizeof(double));
    memcpy(shapes->y + shapes->n_y, shape->y_m, shape->corners * sizeof(double));
    shapes->n_x += shape->corners;
    shapes->n_y += shape->corners;
    shapes->n_ids = shapes->n_corners = shapes->n_radii_m = shapes->values.len = shapes->n_left_ms =
        i + 1u;
}

bool rp_handle_list_shapes(rp_call_t *call)
{
    const Replan__V1__ListShapes *list = call->request->list_shapes;
    rp_serving_t *self = call->serving;
    const rp_served_t *world = rp_call_world(call, list->world);
    if (world == NULL) {
        return true;
    }
    rp_shape_t shape;
    size_t count = 0;
    while (count <= RP_LIMIT_LISTED && list->from <= RP_SHAPES_MAX &&
           rp_engine_placed_shape(self->engine, world->id, list->from + count, &shape)) {
        count++;
    }
    Replan__V1__Shapes *shapes = rp_message_arena_take(&self->arena, sizeof *shapes);
    if (shapes == NULL) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "list_shapes");
    }
    replan__v1__shapes__init(shapes);
    if (count > RP_LIMIT_LISTED) {
        count = RP_LIMIT_LISTED;
        shapes->next = list->from + count;
    }
    if (!take_shapes(&self->arena, count, shapes)) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "list_shapes");
    }
    for (size_t i = 0; i < count; i++) {
        (void)rp_engine_placed_shape(self->engine, world->id, list->from + i, &shape);
        put_shape(self, &shape, shapes);
    }
    shapes->epoch = world->epoch;
    shapes->version = rp_engine_version(self->engine, world->id);
    call->reply.body_case = REPLAN__V1__REPLY__BODY_SHAPES;
    call->reply.shapes = shapes;
    return true;
}

// ---- peers

/// The portion of peers that is being made.
typedef struct portion {
    rp_call_t *call;
    Replan__V1__Peers *peers;
    Replan__V1__PeerInfo *infos;  ///< [RP_LIMIT_LISTED]
    rp_connection_t *connections; ///< that there are, by number [connection_count]
    size_t connection_count;
    bool knows_connections;
    uint64_t place; ///< of the next one in the whole list
} portion_t;

static int compare_numbers(const void *a, const void *b)
{
    const uint64_t first = ((const rp_connection_t *)a)->number;
    const uint64_t second = ((const rp_connection_t *)b)->number;
    return (first > second) - (first < second);
}

/// The connection of a number of control; NULL when there is none.
static rp_connection_t *find_connection(const portion_t *self, uint64_t number)
{
    const rp_connection_t wanted = {.number = number};
    return number == 0 || self->connection_count == 0
               ? NULL
               : bsearch(&wanted, self->connections, self->connection_count, sizeof wanted,
                         compare_numbers);
}

/// Where a connection comes from, in the arena; empty when it is not known.
static char *address_of(rp_serving_t *self, const rp_connection_t *connection)
{
    char *address = connection != NULL ? rp_message_arena_take(&self->arena, ADDRESS_MOST) : NULL;
    if (address == NULL) {
        return (char *)protobuf_c_empty_string;
    }
    self->transport.address(self->transport.user, connection, address, ADDRESS_MOST);
    return address;
}

/// The next one of the whole list. @return NULL: it is in another portion
static Replan__V1__PeerInfo *next_info(portion_t *self)
{
    Replan__V1__Peers *peers = self->peers;
    const bool is_before = self->place < self->call->request->list_peers->from;
    if (is_before || peers->next != 0) {
        self->place++;
        return NULL;
    }
    if (peers->n_peers == RP_LIMIT_LISTED) {
        peers->next = self->place;
        return NULL;
    }
    Replan__V1__PeerInfo *info = &self->infos[peers->n_peers];
    replan__v1__peer_info__init(info);
    peers->peers[peers->n_peers++] = info;
    self->place++;
    return info;
}

/// What waits for a peer to read it.
static uint64_t count_unread(const rp_serving_t *self, const rp_peer_t *peer)
{
    const rp_transport_t *transport = &self->transport;
    const uint64_t unsent =
        transport->unsent != NULL ? transport->unsent(transport->user, peer) : 0;
    return unsent + rp_peer_quota_held(&self->outbox.shares, peer);
}

static void describe_peer(rp_serving_t *self, const rp_known_peer_t *known,
                          const rp_connection_t *connection, Replan__V1__PeerInfo *info)
{
    rp_peer_t peer;
    rp_known_peers_name(known, &peer);
    info->socket = (char *)"control";
    info->name = (ProtobufCBinaryData){known->size, (uint8_t *)known->bytes};
    info->address = address_of(self, connection);
    info->since_ms = since_ms(self, known->first_us);
    info->silent_ms = since_ms(self, known->heard_us);
    info->requests = known->requests;
    info->refused = known->refused;
    info->dropped = known->dropped;
    info->bytes_in = rp_peer_quota_held(&self->queue->shares, &peer);
    info->waiting = (uint32_t)rp_peer_quota_held(&self->pending.places, &peer);
    info->bytes_out = count_unread(self, &peer);
    info->watches = (uint32_t)rp_peer_quota_held(&self->watches.shares, &peer);
    info->life = known->life;
    if (known->refusal != NULL) {
        info->last_refusal = known->refusal;
        info->refused_ms = since_ms(self, known->refused_us);
    }
}

/// Peers that spoke and are there, by the order in which they came.
static void list_known(portion_t *self)
{
    rp_serving_t *serving = self->call->serving;
    for (const rp_known_peer_t *known = serving->peers.by_name; known != NULL;
         known = known->hh.next) {
        rp_connection_t *connection = find_connection(self, known->connection);
        const bool is_gone =
            connection == NULL && self->knows_connections && known->connection != 0;
        Replan__V1__PeerInfo *info = is_gone ? NULL : next_info(self);
        if (connection != NULL) {
            connection->is_told = true;
        }
        if (info != NULL) {
            describe_peer(serving, known, connection, info);
        }
    }
}

/// Connections by which nobody spoke that is known: nobody at all, or who sent nothing but bytes
/// that are no request, or was forgotten behind many others.
static void list_silent(portion_t *self)
{
    for (size_t i = 0; i < self->connection_count; i++) {
        const rp_connection_t *connection = &self->connections[i];
        Replan__V1__PeerInfo *info = connection->is_told ? NULL : next_info(self);
        if (info != NULL) {
            info->socket = (char *)connection->socket;
            info->address = address_of(self->call->serving, connection);
            info->since_ms = since_ms(self->call->serving, connection->since_us);
            info->silent_ms = info->since_ms;
        }
    }
}

/// @return false without memory
static bool take_connections(portion_t *self)
{
    rp_serving_t *serving = self->call->serving;
    const rp_transport_t *transport = &serving->transport;
    self->knows_connections = transport->connections != NULL;
    if (!self->knows_connections) {
        return true;
    }
    const size_t count = transport->connections(transport->user, NULL, 0);
    self->connections =
        rp_message_arena_take(&serving->arena, (count + 1u) * sizeof *self->connections);
    if (self->connections != NULL) {
        self->connection_count = transport->connections(transport->user, self->connections, count);
        qsort(self->connections, self->connection_count, sizeof *self->connections,
              compare_numbers);
    }
    return self->connections != NULL;
}

bool rp_handle_list_peers(rp_call_t *call)
{
    rp_message_arena_t *arena = &call->serving->arena;
    portion_t portion = {
        .call = call,
        .peers = rp_message_arena_take(arena, sizeof(Replan__V1__Peers)),
        .infos = rp_message_arena_take(arena, RP_LIMIT_LISTED * sizeof(Replan__V1__PeerInfo)),
    };
    Replan__V1__PeerInfo **places =
        rp_message_arena_take(arena, RP_LIMIT_LISTED * sizeof(Replan__V1__PeerInfo *));
    if (portion.peers == NULL || portion.infos == NULL || places == NULL ||
        !take_connections(&portion)) {
        return rp_call_refuse_status(call, RP_E_MEMORY, "list_peers");
    }
    replan__v1__peers__init(portion.peers);
    portion.peers->peers = places;
    list_known(&portion);
    list_silent(&portion);
    call->reply.body_case = REPLAN__V1__REPLY__BODY_PEERS;
    call->reply.peers = portion.peers;
    return true;
}
