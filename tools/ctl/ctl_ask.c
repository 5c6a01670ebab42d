/// `replan ctl`: questions before acting. What a path or a change would cost, and why it was said.
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "msgs/request.h"
#include "tools/commands.h"
#include "tools/ctl/ctl.h"
#include "tools/remote.h"

/// A cost as JSON and people write it: null, or "none", for no path.
static void print_cost(const rp_ctl_t *self, double cost)
{
    if (cost < 0.0) {
        fputs(self->json ? "null" : "none", stdout);
    } else {
        printf(self->json ? "%.9g" : "%.3f", cost);
    }
}

static void print_row(const rp_ctl_t *self, const double *costs, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        fputs(i == 0 ? "" : self->json ? "," : " ", stdout);
        print_cost(self, costs[i]);
    }
}

int rp_ctl_costs(rp_ctl_t *self)
{
    double xs[RP_CTL_GOALS_MAX];
    double ys[RP_CTL_GOALS_MAX];
    size_t count = 0;
    Replan__V1__AskCosts ask = REPLAN__V1__ASK_COSTS__INIT;
    if (self->argument_count % 2 == 0) {
        fprintf(stderr, "%s: a place is X and Y\n", self->program);
        return RP_EXIT_INPUT;
    }
    for (uint32_t i = 1; i < self->argument_count; i += 2) {
        if (!rp_ctl_read_metres(self, "X", self->arguments[i], &xs[count]) ||
            !rp_ctl_read_metres(self, "Y", self->arguments[i + 1], &ys[count])) {
            return RP_EXIT_INPUT;
        }
        count++;
    }
    ask.world = self->arguments[0];
    ask.from_x = ask.to_x = xs;
    ask.from_y = ask.to_y = ys;
    ask.n_from_x = ask.n_from_y = ask.n_to_x = ask.n_to_y = count;
    Replan__V1__Request request = RP_REQUEST(ASK_COSTS, ask_costs, &ask);
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, &request, &reply);
    if (code != RP_EXIT_FINE || reply->body_case != REPLAN__V1__REPLY__BODY_COSTS) {
        return code;
    }
    const Replan__V1__Costs *costs = reply->costs;
    if (self->json) {
        printf("{\"kind\":\"costs\",\"version\":%" PRIu64 ",\"costs\":[", costs->version);
    }
    for (uint32_t row = 0; row < costs->rows && (row + 1u) * costs->columns <= costs->n_costs;
         row++) {
        fputs(self->json ? (row == 0 ? "[" : ",[") : "", stdout);
        print_row(self, costs->costs + (size_t)row * costs->columns, costs->columns);
        fputs(self->json ? "]" : "\n", stdout);
    }
    fputs(self->json ? "]}\n" : "", stdout);
    return RP_EXIT_FINE;
}

int rp_ctl_probe(rp_ctl_t *self)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    Replan__V1__AskProbe ask = REPLAN__V1__ASK_PROBE__INIT;
    if (!rp_ctl_read_whole(self, "X", self->arguments[1], UINT32_MAX, &change.x) ||
        !rp_ctl_read_whole(self, "Y", self->arguments[2], UINT32_MAX, &change.y) ||
        !rp_ctl_read_whole(self, "W", self->arguments[3], UINT32_MAX, &change.width) ||
        !rp_ctl_read_whole(self, "H", self->arguments[4], UINT32_MAX, &change.height) ||
        !rp_ctl_read_whole(self, "BYTE", self->arguments[5], UINT8_MAX, &change.fill)) {
        return RP_EXIT_INPUT;
    }
    change.world = self->arguments[0];
    change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    ask.change = &change;
    ask.agents = self->arguments + 6;
    ask.n_agents = self->argument_count - 6u;
    Replan__V1__Request request = RP_REQUEST(ASK_PROBE, ask_probe, &ask);
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, &request, &reply);
    if (code != RP_EXIT_FINE || reply->body_case != REPLAN__V1__REPLY__BODY_PROBE) {
        return code;
    }
    const Replan__V1__Probe *probe = reply->probe;
    for (size_t i = 0; i < probe->n_before && i < probe->n_after && i < ask.n_agents; i++) {
        printf(self->json ? "{\"kind\":\"probe\",\"agent\":\"%s\",\"before\":" : "%s before ",
               ask.agents[i]);
        print_cost(self, probe->before[i]);
        fputs(self->json ? ",\"after\":" : " after ", stdout);
        print_cost(self, probe->after[i]);
        fputs(self->json ? "}\n" : "\n", stdout);
    }
    return RP_EXIT_FINE;
}

/// What stands for a direction, for people: arrows of one character.
static char arrow_of(uint8_t step)
{
    static const char arrows[] = ">/^\\</v\\"; // y grows upwards
    return step < 8 ? arrows[step] : '.';
}

static void print_field(const rp_ctl_t *self, const Replan__V1__Field *field)
{
    if (self->json) {
        printf("{\"kind\":\"field\",\"version\":%" PRIu64 ",\"x\":%" PRIu32 ",\"y\":%" PRIu32
               ",\"width\":%" PRIu32 ",\"height\":%" PRIu32 ",\"costs\":[",
               field->version, field->x, field->y, field->width, field->height);
        for (size_t i = 0; i < field->n_costs; i++) {
            fputs(i == 0 ? "" : ",", stdout);
            print_cost(self, (double)field->costs[i]);
        }
        fputs("],\"steps\":[", stdout);
        for (size_t i = 0; i < field->steps.len; i++) {
            printf("%s%u", i == 0 ? "" : ",", field->steps.data[i]);
        }
        puts("]}");
        return;
    }
    for (uint32_t row = field->height; row-- > 0;) {
        for (uint32_t column = 0; column < field->width; column++) {
            const size_t i = (size_t)row * field->width + column;
            const bool is_open = i < field->n_costs && field->costs[i] >= 0.0f;
            putchar(!is_open ? '#' : i < field->steps.len ? arrow_of(field->steps.data[i]) : '?');
        }
        putchar('\n');
    }
}

int rp_ctl_field(rp_ctl_t *self)
{
    Replan__V1__AskField ask = REPLAN__V1__ASK_FIELD__INIT;
    if (!rp_ctl_read_whole(self, "REACH", self->arguments[2], UINT32_MAX, &ask.reach)) {
        return RP_EXIT_INPUT;
    }
    ask.world = self->arguments[0];
    ask.agent = self->arguments[1];
    Replan__V1__Request request = RP_REQUEST(ASK_FIELD, ask_field, &ask);
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, &request, &reply);
    if (code == RP_EXIT_FINE && reply->body_case == REPLAN__V1__REPLY__BODY_FIELD) {
        print_field(self, reply->field);
    }
    return code;
}

/// @param info  written with RP_EXIT_FINE, borrowed until the next call; NULL when there is no such
///              world
static int find_world(rp_ctl_t *self, const char *world, const Replan__V1__WorldInfo **info)
{
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    Replan__V1__Request request = RP_REQUEST(LIST_WORLDS, list_worlds, &list);
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, &request, &reply);
    *info = NULL;
    for (size_t i = 0; code == RP_EXIT_FINE && reply->worlds != NULL && i < reply->worlds->n_worlds;
         i++) {
        if (strcmp(reply->worlds->worlds[i]->world, world) == 0) {
            *info = reply->worlds->worlds[i];
        }
    }
    return code;
}

/// A cell as the wire counts it, y * width + x; of a world that the daemon does not know, 0.
static int find_cell(rp_ctl_t *self, const char *world, uint32_t x, uint32_t y, uint32_t *cell)
{
    const Replan__V1__WorldInfo *info;
    const int code = find_world(self, world, &info);
    *cell = 0;
    if (code != RP_EXIT_FINE || info == NULL || info->geometry == NULL) {
        return code;
    }
    const Replan__V1__Geometry *geometry = info->geometry;
    if (x >= geometry->width || y >= geometry->height) {
        fprintf(stderr,
                "%s: cell (%" PRIu32 ", %" PRIu32 ") is outside the world of %" PRIu32 " x %" PRIu32
                "\n",
                self->program, x, y, geometry->width, geometry->height);
        return RP_EXIT_INPUT;
    }
    *cell = y * geometry->width + x;
    return code;
}

/// Steps of a path, or of the way before it.
typedef struct steps {
    uint8_t list[4096];
    size_t count;
} steps_t;

/// @param what  names the argument or option. @return false when it is none, and that was said
static bool read_steps(const rp_ctl_t *self, const char *what, const char *digits, steps_t *steps)
{
    const size_t count = strspn(digits, "01234567");
    if (digits[count] != '\0' || count > sizeof steps->list) {
        fprintf(stderr, "%s: %s are at most %zu digits of 0..7\n", self->program, what,
                sizeof steps->list);
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        steps->list[i] = (uint8_t)(digits[i] - '0');
    }
    steps->count = count;
    return true;
}

/// Read X,Y,STEPS.
static bool read_way(const rp_ctl_t *self, const char *text, uint32_t *x, uint32_t *y,
                     steps_t *steps)
{
    char sides[2][8];
    for (unsigned i = 0; i < 2; i++) {
        const size_t length = strcspn(text, ",");
        if (length == 0 || length >= sizeof sides[i] || text[length] == '\0') {
            fprintf(stderr, "%s: --way is X,Y,STEPS\n", self->program);
            return false;
        }
        memcpy(sides[i], text, length);
        sides[i][length] = '\0';
        text += length + 1u;
    }
    return rp_ctl_read_whole(self, "--way X", sides[0], UINT16_MAX, x) &&
           rp_ctl_read_whole(self, "--way Y", sides[1], UINT16_MAX, y) &&
           read_steps(self, "--way STEPS", text, steps);
}

static void print_offending(const rp_ctl_t *self, const char *what, const uint32_t *steps,
                            size_t count)
{
    printf(self->json ? ",\"%s\":[" : " %s", what);
    for (size_t i = 0; i < count; i++) {
        printf(self->json ? "%s%" PRIu32 : "%s %" PRIu32, self->json && i != 0 ? "," : "",
               steps[i]);
    }
    fputs(self->json ? "]" : "", stdout);
}

static int ask_valid(rp_ctl_t *self, Replan__V1__AskValid *ask)
{
    Replan__V1__Request request = RP_REQUEST(ASK_VALID, ask_valid, ask);
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, &request, &reply);
    if (code != RP_EXIT_FINE || reply->body_case != REPLAN__V1__REPLY__BODY_VALID) {
        return code;
    }
    const Replan__V1__Valid *valid = reply->valid;
    printf(self->json ? "{\"kind\":\"valid\",\"legal\":%s,\"cost\":" : "legal %s cost ",
           valid->legal ? "true" : "false");
    print_cost(self, valid->cost);
    print_offending(self, "offending", valid->offending, valid->n_offending);
    if ((self->given & RP_CTL_WAY) != 0) {
        print_offending(self, self->json ? "offending_way" : "of the way", valid->offending_way,
                        valid->n_offending_way);
    }
    puts(self->json ? "}" : "");
    return RP_EXIT_FINE;
}

int rp_ctl_valid(rp_ctl_t *self)
{
    Replan__V1__AskValid ask = REPLAN__V1__ASK_VALID__INIT;
    const char *told = rp_ctl_value(self, RP_CTL_WAY, NULL);
    uint32_t x;
    uint32_t y;
    uint32_t way_x;
    uint32_t way_y;
    steps_t steps;
    steps_t way = {.count = 0};
    if (!rp_ctl_read_whole(self, "X", self->arguments[2], UINT16_MAX, &x) ||
        !rp_ctl_read_whole(self, "Y", self->arguments[3], UINT16_MAX, &y) ||
        !read_steps(self, "STEPS", self->arguments[4], &steps) ||
        (told != NULL && !read_way(self, told, &way_x, &way_y, &way))) {
        return RP_EXIT_INPUT;
    }
    int code = find_cell(self, self->arguments[0], x, y, &ask.start);
    if (code == RP_EXIT_FINE && told != NULL) {
        code = find_cell(self, self->arguments[0], way_x, way_y, &ask.way_start);
    }
    if (code != RP_EXIT_FINE) {
        return code;
    }
    ask.world = self->arguments[0];
    ask.agent = self->arguments[1];
    ask.steps = (ProtobufCBinaryData){steps.count, steps.list};
    ask.way = (ProtobufCBinaryData){way.count, way.list};
    return ask_valid(self, &ask);
}

typedef struct box {
    uint32_t x;
    uint32_t y;
    uint32_t end_x;
    uint32_t end_y;
} box_t;

static box_t join(box_t a, box_t b)
{
    return (box_t){a.x < b.x ? a.x : b.x, a.y < b.y ? a.y : b.y,
                   a.end_x > b.end_x ? a.end_x : b.end_x, a.end_y > b.end_y ? a.end_y : b.end_y};
}

/// @param width  of the world
static void print_cut(const rp_ctl_t *self, const Replan__V1__Delta *delta, uint32_t width)
{
    box_t box = {UINT32_MAX, UINT32_MAX, 0, 0};
    if (delta->width != 0) {
        box = (box_t){delta->x, delta->y, delta->x + delta->width, delta->y + delta->height};
    }
    for (size_t i = 0; i < delta->n_cells; i++) {
        const uint32_t x = delta->cells[i] % width;
        const uint32_t y = delta->cells[i] / width;
        box = join(box, (box_t){x, y, x + 1u, y + 1u});
    }
    if (box.x < box.end_x) { // or it is a version that rewrote nothing
        printf(self->json ? "{\"kind\":\"cut\",\"version\":%" PRIu64 ",\"x\":%" PRIu32
                            ",\"y\":%" PRIu32 ",\"width\":%" PRIu32 ",\"height\":%" PRIu32 "}\n"
                          : "  cut by version %" PRIu64 ", which rewrote cells from (%" PRIu32
                            ", %" PRIu32 ") on, %" PRIu32 " x %" PRIu32 "\n",
               delta->version, box.x, box.y, box.end_x - box.x, box.end_y - box.y);
    }
}

/// The changes after which there was no path any more, as far as the daemon remembers them.
static int print_cuts(rp_ctl_t *self, uint64_t sure_until, uint64_t version)
{
    const Replan__V1__WorldInfo *info;
    Replan__V1__DeltasSince since = REPLAN__V1__DELTAS_SINCE__INIT;
    const int code = find_world(self, self->arguments[0], &info);
    if (code != RP_EXIT_FINE || info == NULL || info->head == NULL || info->geometry == NULL) {
        return code;
    }
    since.world = self->arguments[0];
    since.epoch = info->head->epoch;
    const uint32_t width = info->geometry->width;
    since.version = sure_until;
    Replan__V1__Request request = RP_REQUEST(DELTAS_SINCE, deltas_since, &since);
    const Replan__V1__Reply *reply;
    if (rp_client_call(self->client, &request, &reply) != RP_CLIENT_OK || reply->deltas == NULL) {
        return RP_EXIT_FINE; // too long ago
    }
    for (size_t i = 0; i < reply->deltas->n_deltas; i++) {
        const ProtobufCBinaryData *packed = &reply->deltas->deltas[i];
        Replan__V1__Delta *delta = replan__v1__delta__unpack(NULL, packed->len, packed->data);
        if (delta != NULL && delta->version <= version) {
            print_cut(self, delta, width);
        }
        replan__v1__delta__free_unpacked(delta, NULL);
    }
    return RP_EXIT_FINE;
}

int rp_ctl_why(rp_ctl_t *self)
{
    Replan__V1__AskWhy ask = REPLAN__V1__ASK_WHY__INIT;
    ask.world = self->arguments[0];
    ask.agent = self->arguments[1];
    Replan__V1__Request request = RP_REQUEST(ASK_WHY, ask_why, &ask);
    const Replan__V1__Reply *reply;
    const int code = rp_ctl_call(self, &request, &reply);
    if (code != RP_EXIT_FINE || reply->body_case != REPLAN__V1__REPLY__BODY_WHY) {
        return code;
    }
    uint64_t sure_until = 0;
    uint64_t version = 0; // of the newest, when that is no path
    for (size_t i = 0; i < reply->why->n_said; i++) {
        const Replan__V1__Said *said = reply->why->said[i];
        printf(self->json ? "{\"kind\":\"said\",\"path_seq\":%" PRIu64
                            ",\"outcome\":\"%s\",\"reason\":\"%s\",\"cost\":"
                          : "%" PRIu64 " %s (%s) cost ",
               said->path_seq, rp_client_outcome_text(said->outcome),
               rp_client_reason_text(said->reason));
        print_cost(self, said->cost);
        printf(self->json ? ",\"sure_until\":%" PRIu64 ",\"version\":%" PRIu64
                            ",\"age_ms\":%" PRIu64 "}\n"
                          : " after version %" PRIu64 " up to %" PRIu64 ", %" PRIu64 " ms ago\n",
               said->sure_until, said->version, said->age_ms);
    }
    if (reply->why->n_said != 0 && reply->why->said[0]->outcome == REPLAN__V1__OUTCOME__NO_PATH) {
        sure_until = reply->why->said[0]->sure_until;
        version = reply->why->said[0]->version;
    }
    return sure_until < version ? print_cuts(self, sure_until, version) : RP_EXIT_FINE;
}
