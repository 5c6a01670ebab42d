/// What the simulation tells the daemon of its world, and how it says and hears anything.
#include "sim/link.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <zmq.h>

#include "base/array.h"
#include "msgs/limits.h"
#include "msgs/request.h"
#include "sim/inbox.h"
#include "sim/world/window.h"

#define PUBLISHER       "replan-sim"
#define CONNECT_MS      3000
#define SNAPSHOT_MS     10000
#define JOIN_MS         300 ///< a publisher that just connected loses what it sends at once
#define MIRROR_VERSIONS (1u << 16)
#define MIRROR_CELLS    (1u << 22)

uint64_t rp_link_now_us(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

// ---- statuses

rp_link_status_t rp_link_fail(rp_link_t *self, rp_link_status_t status, const char *what,
                              const char *why)
{
    if (self->sentence[0] == '\0') {
        snprintf(self->sentence, sizeof self->sentence, "%s: %s", what, why);
    }
    return status;
}

rp_link_status_t rp_link_fail_client(rp_link_t *self, rp_client_status_t status, const char *what)
{
    const char *why = rp_client_sentence(self->client);
    switch (status) {
    case RP_CLIENT_E_MEMORY:
        return rp_link_fail(self, RP_LINK_E_MEMORY, what, "no memory");
    case RP_CLIENT_E_NO_DAEMON:
        return rp_link_fail(self, RP_LINK_E_NO_DAEMON, what, why);
    default:
        return rp_link_fail(self, RP_LINK_E_REFUSED, what, why);
    }
}

// ---- hearing

rp_link_status_t rp_link_hear(rp_link_t *self, int timeout_ms)
{
    rp_link_status_t status = RP_LINK_OK;
    rp_client_event_t event;
    while (status == RP_LINK_OK && rp_client_poll(self->client, timeout_ms, &event)) {
        status = rp_inbox_take(self, &event);
        timeout_ms = 0;
    }
    return status;
}

bool rp_link_is_quiet(const rp_link_t *self)
{
    return rp_client_pending(self->client) == 0 && self->mirror.is_whole &&
           self->version == self->mirror.version && self->settled == self->version &&
           self->version >= self->applied && rp_simulation_is_answered(self->simulation);
}

void rp_link_tell_line(rp_link_t *self)
{
    rp_link_state_t *line = &self->simulation->line;
    line->now_us = rp_link_now_us();
    line->is_quiet = rp_link_is_quiet(self);
    line->settled = self->settled == 0 ? 0 : self->settled - 1; // a world begins at version 1
}

size_t rp_link_differences(rp_link_t *self)
{
    const rp_grid_view_t *grid = &self->simulation->terrain.grid;
    const uint8_t *bytes = rp_mirror_newest(&self->mirror);
    const uint32_t cell_count = self->window.width * self->window.height;
    size_t differences = 0;
    for (uint32_t cell = 0; cell < cell_count; cell++) {
        const uint32_t place = rp_window_place(&self->window, grid, cell);
        differences += bytes == NULL || bytes[cell] != self->simulation->told[place];
    }
    return differences;
}

// ---- telling

rp_link_status_t rp_link_send(rp_link_t *self, Replan__V1__Request *request, const char *what)
{
    while (rp_client_pending(self->client) >= RP_CLIENT_WINDOW) {
        const rp_link_status_t heard = rp_link_hear(self, 100);
        if (heard != RP_LINK_OK) {
            return heard;
        }
    }
    const rp_client_status_t status = rp_client_send(self->client, request, NULL);
    return status == RP_CLIENT_OK ? RP_LINK_OK : rp_link_fail_client(self, status, what);
}

rp_link_status_t rp_link_publish(rp_link_t *self, void *socket, const char *kind, const char *agent,
                                 const ProtobufCMessage *message)
{
    char topic[RP_LIMIT_TOPIC];
    const int size = snprintf(topic, sizeof topic, "%s/%s/%s%s", kind, self->options->world,
                              agent != NULL ? agent : "", agent != NULL ? "/" : "");
    if (!rp_codec_pack(&self->packed, message)) {
        return rp_link_fail(self, RP_LINK_E_MEMORY, kind, "no memory");
    }
    if (zmq_send(socket, topic, (size_t)size, ZMQ_SNDMORE) < 0 ||
        zmq_send(socket, self->packed.bytes, self->packed.size, 0) < 0) {
        return rp_link_fail(self, RP_LINK_E_NO_DAEMON, kind, zmq_strerror(zmq_errno()));
    }
    return RP_LINK_OK;
}

static bool reserve_cells(rp_link_t *self, size_t count)
{
    size_t cells = self->cell_capacity;
    size_t values = self->cell_capacity;
    const bool has_room = rp_array_reserve(&self->cells, &cells, count, sizeof *self->cells) &&
                          rp_array_reserve(&self->values, &values, count, sizeof *self->values);
    self->cell_capacity = has_room ? values : self->cell_capacity;
    return has_room;
}

/// Fill in the single cells and the rectangle; what lies outside of the window is left out.
static void fill_change(rp_link_t *self, const rp_edits_t *edits, Replan__V1__Change *change)
{
    const rp_simulation_t *simulation = self->simulation;
    const rp_grid_view_t *grid = &simulation->terrain.grid;
    const rp_terrain_box_t *box = &edits->box;
    size_t count = 0;
    for (size_t i = 0; i < edits->count; i++) {
        const uint32_t cell = rp_window_cell(&self->window, grid, edits->cells[i]);
        if (cell != RP_NOWHERE) {
            self->cells[count] = cell;
            self->values[count++] = simulation->told[edits->cells[i]];
        }
    }
    change->n_cells = count;
    change->cells = self->cells;
    change->values = (ProtobufCBinaryData){count, self->values};
    if (box->width == 0) {
        return;
    }
    uint8_t *rows = self->values + edits->count;
    for (uint32_t y = 0; y < box->height; y++) {
        memcpy(rows + (size_t)y * box->width,
               simulation->told + (size_t)(box->y + y) * grid->width + box->x, box->width);
    }
    change->x = box->x - self->window.x;
    change->y = box->y - self->window.y;
    change->width = box->width;
    change->height = box->height;
    change->rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change->data = (ProtobufCBinaryData){(size_t)box->width * box->height, rows};
}

rp_link_status_t rp_link_tell_change(rp_link_t *self, rp_edits_t *edits)
{
    if (rp_edits_is_empty(edits)) {
        return RP_LINK_OK;
    }
    if (!reserve_cells(self, edits->count + (size_t)edits->box.width * edits->box.height)) {
        return rp_link_fail(self, RP_LINK_E_MEMORY, "change", "no memory");
    }
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    change.world = (char *)self->options->world;
    change.source_us = rp_link_now_us();
    fill_change(self, edits, &change);
    rp_edits_clear(edits);
    self->simulation->line.told++;
    if (self->changes != NULL) {
        change.publisher = (char *)PUBLISHER;
        change.incarnation = self->incarnation;
        change.sequence = ++self->sequence;
        return rp_link_publish(self, self->changes, "change", NULL, &change.base);
    }
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    apply.change = &change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    return rp_link_send(self, &request, "change");
}

rp_link_status_t rp_link_tell_window(rp_link_t *self)
{
    const rp_terrain_box_t *window = &self->simulation->window;
    if (rp_window_is(window, &self->window)) {
        return RP_LINK_OK;
    }
    while (rp_inbox_settle(self)) {
    }
    Replan__V1__Resize resize = REPLAN__V1__RESIZE__INIT;
    resize.world = (char *)self->options->world;
    resize.x = (int32_t)window->x - (int32_t)self->window.x;
    resize.y = (int32_t)window->y - (int32_t)self->window.y;
    resize.width = window->width;
    resize.height = window->height;
    resize.content_case = REPLAN__V1__RESIZE__CONTENT_FILL;
    resize.fill = RP_UNKNOWN_BYTE;
    Replan__V1__Request request = RP_REQUEST(RESIZE, resize, &resize);
    self->window = *window;
    self->simulation->line.told++;
    return rp_link_send(self, &request, "window");
}

rp_link_status_t rp_link_ask_work(rp_link_t *self)
{
    rp_link_state_t *line = &self->simulation->line;
    if (!line->wants_work) {
        return RP_LINK_OK;
    }
    Replan__V1__GetStats stats = REPLAN__V1__GET_STATS__INIT;
    line->wants_work = false;
    Replan__V1__Request request = RP_REQUEST(GET_STATS, get_stats, &stats);
    return rp_link_send(self, &request, "stats");
}

// ---- birth

static rp_client_status_t remove_world(rp_link_t *self)
{
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    remove.world = (char *)self->options->world;
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    return rp_client_call(self->client, &request, NULL);
}

/// The profile that says what a byte means; the daemon has it built in, or is told of it with the
/// world.
static const char *profile_of(rp_scale_t scale)
{
    return scale == RP_SCALE_COSTMAP ? "costmap" : scale == RP_SCALE_PERCENT ? "percent" : "factor";
}

static void fill_geometry(const rp_link_t *self, Replan__V1__Geometry *geometry)
{
    geometry->width = self->window.width;
    geometry->height = self->window.height;
    geometry->origin_x = self->window.x;
    geometry->origin_y = self->window.y;
    geometry->resolution = 1;
}

/// The bytes of the window as the daemon is told of them when the world is made.
/// @param bytes  written [cells of the window]
static void fill_bytes(const rp_link_t *self, uint8_t *bytes)
{
    const uint32_t width = self->simulation->terrain.grid.width;
    for (uint32_t y = 0; y < self->window.height; y++) {
        memcpy(bytes + (size_t)y * self->window.width,
               self->simulation->told + (size_t)(self->window.y + y) * width + self->window.x,
               self->window.width);
    }
}

static rp_link_status_t create_world(rp_link_t *self)
{
    const rp_grid_view_t grid = rp_simulation_told(self->simulation);
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__Profile percent = REPLAN__V1__PROFILE__INIT;
    Replan__V1__Profile *profiles[] = {&percent};
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    uint8_t factors[256];
    const size_t cell_count = (size_t)self->window.width * self->window.height;
    if (!reserve_cells(self, cell_count)) {
        return rp_link_fail(self, RP_LINK_E_MEMORY, "world", "no memory");
    }
    for (unsigned byte = 0; byte < 256; byte++) {
        factors[byte] = (uint8_t)byte;
    }
    percent.name = (char *)"percent";
    percent.factors = (ProtobufCBinaryData){sizeof factors, factors};
    percent.unit = rp_scale_unit(RP_SCALE_PERCENT);
    fill_geometry(self, &geometry);
    fill_bytes(self, self->values);
    create.world = (char *)self->options->world;
    create.geometry = &geometry;
    create.neighbors = grid.neighbors;
    create.wraps = grid.wraps;
    create.profile = (char *)profile_of(grid.scale);
    create.n_profiles = grid.scale == RP_SCALE_PERCENT;
    create.profiles = profiles;
    create.content_case = REPLAN__V1__CREATE_WORLD__CONTENT_DATA;
    create.data = (ProtobufCBinaryData){cell_count, self->values};
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, &create);
    // One of this name may be left from a run that was killed; none is the usual case.
    remove_world(self);
    const rp_client_status_t status = rp_client_call(self->client, &request, NULL);
    return status == RP_CLIENT_OK ? RP_LINK_OK : rp_link_fail_client(self, status, "world");
}

/// Watch the world, and wait until it is mirrored: answers are checked against the mirror.
static rp_link_status_t mirror_world(rp_link_t *self)
{
    rp_link_status_t status = rp_inbox_watch(self);
    const uint64_t give_up = rp_link_now_us() + SNAPSHOT_MS * UINT64_C(1000);
    while (status == RP_LINK_OK && !self->mirror.is_whole) {
        if (rp_link_now_us() > give_up) {
            return rp_link_fail(self, RP_LINK_E_NO_DAEMON, "watch",
                                "no snapshot of the world came");
        }
        status = rp_link_hear(self, 50);
    }
    return status;
}

/// @return NULL where no daemon can be: what is at inproc:// is within this process
static void *connect_publisher(rp_link_t *self, const char *endpoint)
{
    const bool has_scheme =
        strncmp(endpoint, "tcp://", 6) == 0 || strncmp(endpoint, "ipc://", 6) == 0;
    void *socket = has_scheme ? zmq_socket(self->zmq, ZMQ_PUB) : NULL;
    const int no_linger = 0;
    if (socket != NULL && (zmq_setsockopt(socket, ZMQ_LINGER, &no_linger, sizeof no_linger) != 0 ||
                           zmq_connect(socket, endpoint) != 0)) {
        zmq_close(socket);
        return NULL;
    }
    return socket;
}

static rp_link_status_t fail_endpoint(rp_link_t *self, rp_link_status_t status, const char *option,
                                      const char *endpoint, const char *why)
{
    char what[160];
    (void)snprintf(what, sizeof what, "%s \"%s\"", option, endpoint);
    return rp_link_fail(self, status, what, why);
}

static rp_link_status_t open_publishers(rp_link_t *self)
{
    const rp_options_t *options = self->options;
    if (options->changes == NULL && options->poses == NULL) {
        return RP_LINK_OK;
    }
    self->zmq = zmq_ctx_new();
    if (self->zmq == NULL) {
        return rp_link_fail(self, RP_LINK_E_MEMORY, "publishers", "no memory");
    }
    self->changes = options->changes == NULL ? NULL : connect_publisher(self, options->changes);
    self->poses = options->poses == NULL ? NULL : connect_publisher(self, options->poses);
    if ((self->changes == NULL) != (options->changes == NULL)) {
        return fail_endpoint(self, RP_LINK_E_REFUSED, "--changes", options->changes,
                             rp_client_endpoint_fault(options->changes));
    }
    if ((self->poses == NULL) != (options->poses == NULL)) {
        return fail_endpoint(self, RP_LINK_E_REFUSED, "--poses", options->poses,
                             rp_client_endpoint_fault(options->poses));
    }
    return rp_link_hear(self, JOIN_MS);
}

rp_link_status_t rp_link_open(rp_link_t *self, const rp_options_t *options,
                              rp_simulation_t *simulation, rp_checker_t *checker,
                              rp_run_report_t *report)
{
    *self = (rp_link_t){.options = options,
                        .simulation = simulation,
                        .checker = checker,
                        .report = report,
                        .incarnation = (uint64_t)time(NULL)};
    self->told_pose = calloc(simulation->agent_count, sizeof *self->told_pose);
    self->told_goal = calloc(simulation->agent_count, sizeof *self->told_goal);
    self->is_open = calloc(simulation->agent_count, sizeof *self->is_open);
    if (self->told_pose == NULL || self->told_goal == NULL || self->is_open == NULL ||
        !rp_mirror_init(&self->mirror, MIRROR_VERSIONS, MIRROR_CELLS)) {
        return rp_link_fail(self, RP_LINK_E_MEMORY, "mirror", "no memory");
    }
    const rp_client_status_t opened = rp_client_open(options->control, CONNECT_MS, &self->client);
    if (opened != RP_CLIENT_OK) {
        return fail_endpoint(
            self, opened == RP_CLIENT_E_NO_DAEMON ? RP_LINK_E_NO_DAEMON : RP_LINK_E_REFUSED,
            "--control", options->control,
            opened == RP_CLIENT_E_INVALID ? rp_client_endpoint_fault(options->control)
                                          : rp_client_status_text(opened));
    }
    self->window = simulation->window;
    rp_link_status_t status = create_world(self);
    status = status == RP_LINK_OK ? mirror_world(self) : status;
    status = status == RP_LINK_OK ? open_publishers(self) : status;
    return status == RP_LINK_OK ? rp_link_tell_agents(self) : status;
}

void rp_link_close(rp_link_t *self)
{
    if (self->client != NULL) {
        if (self->mirror.is_whole) {
            remove_world(self);
        }
        rp_client_close(&self->client);
    }
    if (self->changes != NULL) {
        zmq_close(self->changes);
    }
    if (self->poses != NULL) {
        zmq_close(self->poses);
    }
    if (self->zmq != NULL) {
        zmq_ctx_term(self->zmq);
    }
    rp_mirror_fini(&self->mirror);
    rp_buffer_fini(&self->packed);
    free(self->told_pose);
    free(self->told_goal);
    free(self->is_open);
    free(self->trail);
    free(self->cells);
    free(self->values);
    *self = (rp_link_t){0};
}
