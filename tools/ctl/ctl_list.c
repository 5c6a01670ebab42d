/// `replan ctl`: lists of what there is, and what was counted. They come in portions.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "msgs/request.h"
#include "tools/commands.h"
#include "tools/ctl/ctl.h"
#include "tools/ctl/table.h"
#include "tools/report.h"

/// A list is a table or JSON; that is also what a pipe gets.
static bool is_json(const rp_ctl_t *self)
{
    return !self->table;
}

/// @param said  what a daemon that knows this request replies
static int call_for(rp_ctl_t *self, Replan__V1__Request *request, Replan__V1__Reply__BodyCase said,
                    const Replan__V1__Reply **reply)
{
    const int code = rp_ctl_call(self, request, reply);
    if (code == RP_EXIT_FINE && (*reply)->body_case != said) {
        fprintf(stderr, "%s: the daemon is older than this program and does not list %s\n",
                self->program, self->name);
        return RP_EXIT_UNSUPPORTED;
    }
    return code;
}

static int finish_table(const rp_ctl_t *self, rp_text_table_t *table, int code)
{
    if (code == RP_EXIT_FINE && !is_json(self)) {
        rp_text_table_print(table, stdout);
    }
    rp_text_table_fini(table);
    return code;
}

// ---- agents

static void print_agent(const Replan__V1__AgentInfo *info)
{
    const rp_number_t cost = rp_number_of(info->cost);
    printf(
        "{\"kind\":\"agent\",\"agent\":\"%s\",\"handle\":\"%" PRIu64
        "\",\"planner\":\"%s\",\"outcome\":\"%s\",\"reason\":\"%s\",\"cost\":%s,\"steps\":%" PRIu32
        ",\"path_seq\":%" PRIu64 ",\"version\":%" PRIu64 ",\"age_ms\":%" PRIu64,
        info->agent, info->handle, info->planner, rp_client_outcome_text(info->outcome),
        rp_client_reason_text(info->reason), cost.text, info->steps, info->path_seq, info->version,
        info->age_ms);
    if (info->has_pose) {
        printf(",\"x\":%s,\"y\":%s", rp_number_of(info->x).text, rp_number_of(info->y).text);
    }
    if (info->target[0] != '\0') {
        printf(",\"target\":\"%s\"", info->target);
    }
    printf(",\"lease_s\":%" PRIu32 "}\n", info->lease_s);
}

static void add_agent(rp_text_table_t *table, const Replan__V1__AgentInfo *info)
{
    const bool has_answer = info->path_seq != 0;
    rp_text_table_add(table, "%s", info->agent);
    rp_text_table_add(table, "%s", has_answer ? rp_client_outcome_text(info->outcome) : "-");
    rp_text_table_add(table, "%s", has_answer ? rp_client_reason_text(info->reason) : "-");
    rp_text_table_add(table, info->cost < 0 ? "-" : "%.2f", info->cost);
    rp_text_table_add(table, info->cost < 0 ? "-" : "%" PRIu32, info->steps);
    rp_text_table_add(table, info->has_pose ? "%.2f" : "-", info->x);
    rp_text_table_add(table, info->has_pose ? "%.2f" : "-", info->y);
    if (has_answer) {
        rp_text_table_add_ms(table, info->age_ms);
    } else {
        rp_text_table_add(table, "-");
    }
    rp_text_table_add(table, "%s", info->planner);
    rp_text_table_add(table, "%s", info->target[0] != '\0' ? info->target : "-");
}

int rp_ctl_agents(rp_ctl_t *self)
{
    static const char *const heads[] = {"AGENT", "ANSWER", "BECAUSE", "COST",    "STEPS",
                                        "X",     "Y",      "AGE",     "PLANNER", "TARGET"};
    rp_text_table_t table = rp_text_table_of(heads, sizeof heads / sizeof heads[0]);
    Replan__V1__ListAgents list = REPLAN__V1__LIST_AGENTS__INIT;
    list.world = self->arguments[0];
    Replan__V1__Request request = RP_REQUEST(LIST_AGENTS, list_agents, &list);
    int code;
    do {
        const Replan__V1__Reply *reply;
        code = call_for(self, &request, REPLAN__V1__REPLY__BODY_AGENTS, &reply);
        list.from = code == RP_EXIT_FINE ? reply->agents->next : 0;
        for (size_t i = 0; code == RP_EXIT_FINE && i < reply->agents->n_agents; i++) {
            if (is_json(self)) {
                print_agent(reply->agents->agents[i]);
            } else {
                add_agent(&table, reply->agents->agents[i]);
            }
        }
    } while (list.from != 0);
    return finish_table(self, &table, code);
}

// ---- shapes

/// A shape out of arrays of many.
typedef struct shape {
    const Replan__V1__Shapes *all;
    size_t place;
    size_t corner; ///< its first one
} shape_t;

static void print_shape(const shape_t *shape)
{
    const Replan__V1__Shapes *all = shape->all;
    const size_t i = shape->place;
    printf("{\"kind\":\"shape\",\"id\":%" PRIu32 ",\"byte\":%u", all->ids[i], all->values.data[i]);
    if (all->corners[i] == 1) {
        printf(",\"radius_m\":%s", rp_number_of(all->radii_m[i]).text);
    }
    fputs(",\"corners\":[", stdout);
    for (size_t k = 0; k < all->corners[i]; k++) {
        printf("%s[%s,%s]", k == 0 ? "" : ",", rp_number_of(all->x[shape->corner + k]).text,
               rp_number_of(all->y[shape->corner + k]).text);
    }
    printf("],\"left_ms\":%" PRIu32 "}\n", all->left_ms[i]);
}

static void add_shape(rp_text_table_t *table, const shape_t *shape)
{
    const Replan__V1__Shapes *all = shape->all;
    const size_t i = shape->place;
    const bool is_disc = all->corners[i] == 1;
    rp_text_table_add(table, "%" PRIu32, all->ids[i]);
    rp_text_table_add(table, is_disc ? "disc" : "polygon of %" PRIu32, all->corners[i]);
    rp_text_table_add(table, "%.3f", all->x[shape->corner]);
    rp_text_table_add(table, "%.3f", all->y[shape->corner]);
    rp_text_table_add(table, is_disc ? "%.3f" : "-", all->radii_m[i]);
    rp_text_table_add(table, "%u", all->values.data[i]);
    if (all->left_ms[i] != 0) {
        rp_text_table_add_ms(table, all->left_ms[i]);
    } else {
        rp_text_table_add(table, "-");
    }
}

/// True when all arrays are as long as they say, so that they may be read.
static bool is_whole(const Replan__V1__Shapes *shapes)
{
    size_t corners = 0;
    for (size_t i = 0; i < shapes->n_corners; i++) {
        corners += shapes->corners[i];
    }
    return shapes->n_corners == shapes->n_ids && shapes->n_radii_m == shapes->n_ids &&
           shapes->values.len == shapes->n_ids && shapes->n_left_ms == shapes->n_ids &&
           shapes->n_x == corners && shapes->n_y == corners;
}

static void take_shapes(const rp_ctl_t *self, const Replan__V1__Shapes *shapes,
                        rp_text_table_t *table)
{
    shape_t shape = {.all = shapes};
    for (; shape.place < shapes->n_ids; shape.place++) {
        if (is_json(self)) {
            print_shape(&shape);
        } else {
            add_shape(table, &shape);
        }
        shape.corner += shapes->corners[shape.place];
    }
}

int rp_ctl_shapes(rp_ctl_t *self)
{
    static const char *const heads[] = {"ID", "KIND", "X", "Y", "RADIUS", "BYTE", "LEFT"};
    rp_text_table_t table = rp_text_table_of(heads, sizeof heads / sizeof heads[0]);
    Replan__V1__ListShapes list = REPLAN__V1__LIST_SHAPES__INIT;
    list.world = self->arguments[0];
    Replan__V1__Request request = RP_REQUEST(LIST_SHAPES, list_shapes, &list);
    int code;
    do {
        const Replan__V1__Reply *reply;
        code = call_for(self, &request, REPLAN__V1__REPLY__BODY_SHAPES, &reply);
        list.from = code == RP_EXIT_FINE ? reply->shapes->next : 0;
        if (code == RP_EXIT_FINE && is_whole(reply->shapes)) {
            take_shapes(self, reply->shapes, &table);
        }
    } while (list.from != 0);
    return finish_table(self, &table, code);
}

// ---- peers

typedef struct peer_name {
    char text[80];
} peer_name_t;

static bool is_printable(const uint8_t *bytes, size_t size)
{
    for (size_t i = 0; i < size; i++) {
        if (bytes[i] < ' ' || bytes[i] > '~') {
            return false;
        }
    }
    return size != 0;
}

/// The first routing frame, which tells one connection from another: as text, or in hex.
static peer_name_t name_of(const Replan__V1__PeerInfo *info)
{
    peer_name_t name = {"-"};
    const uint8_t *bytes = info->name.data;
    size_t size = info->name.len != 0 ? bytes[0] : 0;
    if (size == 0 || size >= info->name.len) { // its length is before it
        return name;
    }
    bytes++;
    if (is_printable(bytes, size)) {
        (void)snprintf(name.text, sizeof name.text, "%.*s", (int)size, bytes);
        return name;
    }
    for (size_t i = 0; i < size && 2u * i + 3u < sizeof name.text; i++) {
        (void)snprintf(name.text + 2u * i, sizeof name.text - 2u * i, "%02x", bytes[i]);
    }
    return name;
}

static void print_peer(const Replan__V1__PeerInfo *info)
{
    printf("{\"kind\":\"peer\",\"socket\":\"%s\",\"name\":", info->socket);
    rp_print_json_string(stdout, name_of(info).text);
    fputs(",\"address\":", stdout);
    rp_print_json_string(stdout, info->address);
    printf(",\"since_ms\":%" PRIu64 ",\"silent_ms\":%" PRIu64 ",\"requests\":%" PRIu64
           ",\"refused\":%" PRIu64 ",\"dropped\":%" PRIu64 ",\"bytes_in\":%" PRIu64
           ",\"waiting\":%" PRIu32 ",\"bytes_out\":%" PRIu64 ",\"watches\":%" PRIu32,
           info->since_ms, info->silent_ms, info->requests, info->refused, info->dropped,
           info->bytes_in, info->waiting, info->bytes_out, info->watches);
    if (info->last_refusal[0] != '\0') {
        fputs(",\"last_refusal\":", stdout);
        rp_print_json_string(stdout, info->last_refusal);
        printf(",\"refused_ms\":%" PRIu64, info->refused_ms);
    }
    puts("}");
}

static void add_peer(rp_text_table_t *table, const Replan__V1__PeerInfo *info)
{
    rp_text_table_add(table, "%s", info->socket);
    rp_text_table_add(table, "%s", name_of(info).text);
    rp_text_table_add(table, "%s", info->address[0] != '\0' ? info->address : "-");
    rp_text_table_add_ms(table, info->since_ms);
    rp_text_table_add_ms(table, info->silent_ms);
    rp_text_table_add(table, "%" PRIu64, info->requests);
    rp_text_table_add(table, "%" PRIu32, info->watches);
    rp_text_table_add(table, "%" PRIu32, info->waiting);
    rp_text_table_add_bytes(table, info->bytes_in);
    rp_text_table_add_bytes(table, info->bytes_out);
    rp_text_table_add(table, "%" PRIu64, info->dropped);
    rp_text_table_add(table, "%" PRIu64, info->refused);
    rp_text_table_add(table, "%s", info->last_refusal[0] != '\0' ? info->last_refusal : "-");
}

int rp_ctl_peers(rp_ctl_t *self)
{
    static const char *const heads[] = {"SOCKET",  "NAME",    "FROM",        "SINCE", "SILENT",
                                        "ASKED",   "WATCHES", "WAIT",        "IN",    "OUT",
                                        "DROPPED", "REFUSED", "LAST REFUSAL"};
    rp_text_table_t table = rp_text_table_of(heads, sizeof heads / sizeof heads[0]);
    Replan__V1__ListPeers list = REPLAN__V1__LIST_PEERS__INIT;
    Replan__V1__Request request = RP_REQUEST(LIST_PEERS, list_peers, &list);
    int code;
    do {
        const Replan__V1__Reply *reply;
        code = call_for(self, &request, REPLAN__V1__REPLY__BODY_PEERS, &reply);
        list.from = code == RP_EXIT_FINE ? reply->peers->next : 0;
        for (size_t i = 0; code == RP_EXIT_FINE && i < reply->peers->n_peers; i++) {
            if (is_json(self)) {
                print_peer(reply->peers->peers[i]);
            } else {
                add_peer(&table, reply->peers->peers[i]);
            }
        }
    } while (list.from != 0);
    return finish_table(self, &table, code);
}

// ---- stats

static bool ends_in(const char *name, const char *end)
{
    const size_t length = strlen(name);
    return length > strlen(end) && strcmp(name + length - strlen(end), end) == 0;
}

/// A counter by the unit that its name ends in.
static void add_counter(rp_text_table_t *table, const char *name, uint64_t value)
{
    rp_text_table_add(table, "%s", name);
    if (ends_in(name, "_us")) {
        rp_text_table_add_us(table, value);
    } else if (ends_in(name, "_ms")) {
        rp_text_table_add_ms(table, value);
    } else if (ends_in(name, "bytes")) {
        rp_text_table_add_bytes(table, value);
    } else {
        rp_text_table_add(table, "%" PRIu64, value);
    }
}

static void tabulate_worlds(const Replan__V1__Stats *stats)
{
    static const char *const heads[] = {"WORLD", "AGENTS", "CHANGES", "CELLS", "ANSWERS",
                                        "P50",   "P90",    "P99",     "MAX"};
    rp_text_table_t table = rp_text_table_of(heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < stats->n_worlds; i++) {
        const Replan__V1__WorldStats *world = stats->worlds[i];
        rp_text_table_add(&table, "%s", world->world);
        rp_text_table_add(&table, "%" PRIu32, world->agents);
        rp_text_table_add(&table, "%" PRIu64, world->changes);
        rp_text_table_add(&table, "%" PRIu64, world->cells);
        rp_text_table_add(&table, "%" PRIu64, world->answers);
        rp_text_table_add_us(&table, world->p50_us);
        rp_text_table_add_us(&table, world->p90_us);
        rp_text_table_add_us(&table, world->p99_us);
        rp_text_table_add_us(&table, world->max_us);
    }
    rp_text_table_print(&table, stdout);
    rp_text_table_fini(&table);
}

static void tabulate(const Replan__V1__Stats *stats)
{
    static const char *const heads[] = {"COUNTER", "VALUE"};
    rp_text_table_t table = rp_text_table_of(heads, 2);
    printf("replan %s\n\n", stats->version);
    for (size_t i = 0; i < stats->n_names && i < stats->n_values; i++) {
        add_counter(&table, stats->names[i], stats->values[i]);
    }
    rp_text_table_print(&table, stdout);
    rp_text_table_fini(&table);
    if (stats->n_worlds != 0) {
        putchar('\n');
        tabulate_worlds(stats);
    }
}

/// @param format  of a name and a number
static void print_world_numbers(const Replan__V1__WorldStats *world, const char *before,
                                const char *format)
{
    const struct {
        const char *name;
        uint64_t value;
    } numbers[] = {
        {"agents", world->agents},   {"changes", world->changes}, {"cells", world->cells},
        {"answers", world->answers}, {"p50_us", world->p50_us},   {"p90_us", world->p90_us},
        {"p99_us", world->p99_us},   {"max_us", world->max_us},
    };
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        printf(format, before, numbers[i].name, numbers[i].value);
    }
}

static void print_stats(const Replan__V1__Stats *stats)
{
    printf("replan %s\n", stats->version);
    for (size_t i = 0; i < stats->n_names && i < stats->n_values; i++) {
        printf("%s %" PRIu64 "\n", stats->names[i], stats->values[i]);
    }
    for (size_t i = 0; i < stats->n_worlds; i++) {
        print_world_numbers(stats->worlds[i], stats->worlds[i]->world,
                            "worlds.%s.%s %" PRIu64 "\n");
    }
}

static void print_stats_json(const Replan__V1__Stats *stats)
{
    printf("{\"kind\":\"stats\",\"replan\":\"%s\"", stats->version);
    for (size_t i = 0; i < stats->n_names && i < stats->n_values; i++) {
        printf(",\"%s\":%" PRIu64, stats->names[i], stats->values[i]);
    }
    fputs(",\"worlds\":[", stdout);
    for (size_t i = 0; i < stats->n_worlds; i++) {
        printf("%s{\"world\":\"%s\"", i == 0 ? "" : ",", stats->worlds[i]->world);
        print_world_numbers(stats->worlds[i], "", "%s,\"%s\":%" PRIu64);
        putchar('}');
    }
    puts("]}");
}

int rp_ctl_stats(rp_ctl_t *self)
{
    Replan__V1__GetStats get = REPLAN__V1__GET_STATS__INIT;
    Replan__V1__Request request = RP_REQUEST(GET_STATS, get_stats, &get);
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, &request, &reply);
    if (code != RP_EXIT_FINE || reply->body_case != REPLAN__V1__REPLY__BODY_STATS) {
        return code;
    }
    if (self->json) {
        print_stats_json(reply->stats);
    } else if (self->table) {
        tabulate(reply->stats);
    } else {
        print_stats(reply->stats);
    }
    return RP_EXIT_FINE;
}
