/// `replan ctl`: worlds and their cells.
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "msgs/request.h"
#include "replan/map_file.h"
#include "replan/mirror.h"
#include "tools/commands.h"
#include "tools/ctl/ctl.h"
#include "tools/ctl/table.h"
#include "tools/remote.h"
#include "tools/report.h"
#include "tools/save_map.h"

static void print_world(const rp_ctl_t *self, const Replan__V1__WorldInfo *info)
{
    const Replan__V1__Geometry none = REPLAN__V1__GEOMETRY__INIT;
    const Replan__V1__Head silent = REPLAN__V1__HEAD__INIT;
    const Replan__V1__Geometry *geometry = info->geometry == NULL ? &none : info->geometry;
    const Replan__V1__Head *head = info->head == NULL ? &silent : info->head;
    const rp_number_t resolution = rp_number_of(geometry->resolution);
    if (self->json) {
        printf("{\"kind\":\"world\",\"world\":\"%s\",\"width\":%" PRIu32 ",\"height\":%" PRIu32
               ",\"resolution\":%s,\"neighbors\":%" PRIu32 ",\"wraps\":%s,\"profile\":\"%s\""
               ",\"epoch\":%" PRIu64 ",\"window\":%" PRIu64 ",\"version\":%" PRIu64
               ",\"settled\":%" PRIu64 ",\"agents\":%" PRIu32 ",\"hash\":\"%016" PRIx64 "\"",
               info->world, geometry->width, geometry->height, resolution.text, info->neighbors,
               info->wraps ? "true" : "false", info->profile, head->epoch, info->window,
               head->version, head->settled, head->agents, head->hash);
    } else {
        printf("%-16s %" PRIu32 " x %" PRIu32 " cells of %s m, %" PRIu32
               " neighbors%s, %s, version %" PRIu64 ", settled %" PRIu64 ", %" PRIu32 " agents",
               info->world, geometry->width, geometry->height, resolution.text, info->neighbors,
               info->wraps ? ", wraps" : "", info->profile, head->version, head->settled,
               head->agents);
    }
    rp_remote_print_agents("overdue", head->overdue_agents, head->n_overdue_agents, self->json);
    puts(self->json ? "}" : "");
}

static void add_world(rp_text_table_t *table, const Replan__V1__WorldInfo *info)
{
    const Replan__V1__Geometry *geometry = info->geometry;
    const Replan__V1__Head *head = info->head;
    rp_text_table_add(table, "%s", info->world);
    rp_text_table_add(table, "%" PRIu32 " x %" PRIu32 "%s", geometry->width, geometry->height,
                      info->wraps ? ", wraps" : "");
    rp_text_table_add(table, "%s m", rp_number_of(geometry->resolution).text);
    rp_text_table_add(table, "%s", info->profile);
    rp_text_table_add(table, "%" PRIu32, info->neighbors);
    rp_text_table_add(table, "%" PRIu64, head->version);
    rp_text_table_add(table, "%" PRIu64, head->settled);
    rp_text_table_add_ms(table, head->map_age_ms);
    rp_text_table_add(table, "%" PRIu32, head->agents);
    rp_text_table_add(table, "%zu", head->n_overdue_agents);
    rp_text_table_add(table, "%s", head->gap ? "gap" : head->stale_map ? "stale" : "-");
}

static void tabulate(const Replan__V1__Worlds *worlds)
{
    static const char *const heads[] = {"WORLD",  "CELLS",   "A CELL",  "PROFILE",
                                        "MOVES",  "VERSION", "SETTLED", "CHANGED",
                                        "AGENTS", "OVERDUE", "MARK"};
    rp_text_table_t table = rp_text_table_of(heads, sizeof heads / sizeof heads[0]);
    for (size_t i = 0; i < worlds->n_worlds; i++) {
        if (worlds->worlds[i]->geometry != NULL && worlds->worlds[i]->head != NULL) {
            add_world(&table, worlds->worlds[i]);
        }
    }
    rp_text_table_print(&table, stdout);
    rp_text_table_fini(&table);
}

int rp_ctl_worlds(rp_ctl_t *self)
{
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    const Replan__V1__Reply *reply;
    Replan__V1__Request request = RP_REQUEST(LIST_WORLDS, list_worlds, &list);
    const int code = rp_ctl_call(self, &request, &reply);
    if (code != RP_EXIT_FINE || reply->body_case != REPLAN__V1__REPLY__BODY_WORLDS) {
        return code;
    }
    if (self->table) {
        tabulate(reply->worlds);
        return RP_EXIT_FINE;
    }
    for (size_t i = 0; i < reply->worlds->n_worlds; i++) {
        print_world(self, reply->worlds->worlds[i]);
    }
    return RP_EXIT_FINE;
}

// ---- worlds

static bool read_size(const rp_ctl_t *self, Replan__V1__Geometry *geometry)
{
    const char *size = rp_ctl_value(self, RP_CTL_SIZE, "");
    char rest;
    if (sscanf(size, "%" SCNu32 "x%" SCNu32 "%c", &geometry->width, &geometry->height, &rest) !=
        2) {
        fprintf(stderr, "%s: --size \"%s\" is not WIDTHxHEIGHT in cells\n", self->program, size);
        return false;
    }
    return true;
}

bool rp_ctl_read_origin(const rp_ctl_t *self, const char *text, Replan__V1__Geometry *geometry)
{
    double numbers[3] = {0.0, 0.0, 0.0};
    const uint32_t count = rp_ctl_read_list(text, numbers, 3);
    geometry->origin_x = numbers[0];
    geometry->origin_y = numbers[1];
    geometry->origin_yaw = numbers[2];
    if (count < 2) {
        fprintf(stderr, "%s: --origin \"%s\" is not X,Y or X,Y,YAW\n", self->program, text);
    }
    return count >= 2;
}

/// The numbers among the options of `create`.
static bool read_world(const rp_ctl_t *self, Replan__V1__CreateWorld *create)
{
    create->wraps = (self->given & RP_CTL_WRAP) != 0;
    create->profile = (char *)rp_ctl_value(self, RP_CTL_PROFILE, create->profile);
    const char *resolution = rp_ctl_value(self, RP_CTL_RESOLUTION, NULL);
    if (!rp_ctl_read_whole(self, "--neighbors", rp_ctl_value(self, RP_CTL_NEIGHBORS, "8"), 8,
                           &create->neighbors) ||
        (resolution != NULL &&
         !rp_ctl_read_metres(self, "--resolution", resolution, &create->geometry->resolution))) {
        return false;
    }
    if ((self->given & RP_CTL_EXPECT) != 0 &&
        !rp_ctl_read_whole(self, "--expect-every", rp_ctl_value(self, RP_CTL_EXPECT, ""),
                           UINT32_MAX, &create->expect_every_ms)) {
        return false;
    }
    const char *origin = rp_ctl_value(self, RP_CTL_ORIGIN, NULL);
    if (origin != NULL && !rp_ctl_read_origin(self, origin, create->geometry)) {
        return false;
    }
    if ((self->given & RP_CTL_FILL) != 0) {
        create->content_case = REPLAN__V1__CREATE_WORLD__CONTENT_FILL;
        return rp_ctl_read_whole(self, "--fill", rp_ctl_value(self, RP_CTL_FILL, ""), UINT8_MAX,
                                 &create->fill);
    }
    return true;
}

static int send_create(rp_ctl_t *self, Replan__V1__CreateWorld *create)
{
    Replan__V1__Request request = RP_REQUEST(CREATE_WORLD, create_world, create);
    return rp_ctl_do(self, &request);
}

/// What the map says of its world; options may say otherwise.
static int create_from_map(rp_ctl_t *self, Replan__V1__CreateWorld *create)
{
    rp_map_file_t map;
    if (rp_map_file_read(rp_ctl_value(self, RP_CTL_MAP, ""), &map) != RP_CLIENT_OK) {
        fprintf(stderr, "%s: --map %s\n", self->program, map.sentence);
        return RP_EXIT_INPUT;
    }
    rp_map_file_describe(&map, create);
    const int code = read_world(self, create) ? send_create(self, create) : RP_EXIT_INPUT;
    rp_map_file_fini(&map);
    return code;
}

int rp_ctl_create(rp_ctl_t *self)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    const bool has_map = (self->given & RP_CTL_MAP) != 0;
    create.world = self->arguments[0];
    create.geometry = &geometry;
    geometry.resolution = 1.0;
    if (has_map == ((self->given & RP_CTL_SIZE) != 0)) {
        fprintf(stderr, "%s: create wants either --size or --map\n", self->program);
        return RP_EXIT_INPUT;
    }
    if (has_map && (self->given & RP_CTL_FILL) != 0) {
        fprintf(stderr, "%s: --map and --fill both say what the cells are\n", self->program);
        return RP_EXIT_INPUT;
    }
    if (has_map) {
        return create_from_map(self, &create);
    }
    return read_world(self, &create) && read_size(self, &geometry) ? send_create(self, &create)
                                                                   : RP_EXIT_INPUT;
}

int rp_ctl_remove(rp_ctl_t *self)
{
    Replan__V1__RemoveWorld remove = REPLAN__V1__REMOVE_WORLD__INIT;
    remove.world = self->arguments[0];
    Replan__V1__Request request = RP_REQUEST(REMOVE_WORLD, remove_world, &remove);
    return rp_ctl_do(self, &request);
}

/// Write the world as a map. What the bytes of a profile of its own mean is not told: they can
/// only be written as they are.
static int save_snapshot(const rp_ctl_t *self, rp_mirror_t *mirror, const char *output)
{
    const bool is_costmap = strcmp(mirror->profile, "costmap") == 0;
    const rp_map_view_t map = {
        .width = mirror->width,
        .height = mirror->height,
        .bytes = rp_mirror_newest(mirror),
        .profile = is_costmap ? RP_MAP_COSTMAP : RP_MAP_FACTOR,
        .frame = {mirror->resolution, mirror->origin_x, mirror->origin_y, mirror->origin_yaw},
    };
    const bool is_known = is_costmap || strcmp(mirror->profile, "factor") == 0;
    if (!is_known && rp_map_suffix_of(output) != RP_MAP_RAW_BYTES) {
        fprintf(
            stderr,
            "%s: --output %s: the world has the profile \"%s\" of its own, only its bytes can be "
            "written (no .map, .png, .pgm, .yaml)\n",
            self->program, output, mirror->profile);
        return RP_EXIT_INPUT;
    }
    char what[64];
    (void)snprintf(what, sizeof what, "%s: --output", self->program);
    return rp_save_map(what, output, &map);
}

/// Rows of numbers without --output, as a person may look at; a file with it.
static int print_snapshot(const rp_ctl_t *self, rp_mirror_t *mirror)
{
    const uint8_t *bytes = rp_mirror_newest(mirror);
    const char *output = rp_ctl_value(self, RP_CTL_OUTPUT, NULL);
    const size_t cells = (size_t)mirror->width * mirror->height;
    if (output != NULL && save_snapshot(self, mirror, output) != RP_EXIT_FINE) {
        return RP_EXIT_INPUT;
    }
    printf(self->json ? "{\"kind\":\"snapshot\",\"world\":\"%s\",\"epoch\":%" PRIu64
                        ",\"version\":%" PRIu64 ",\"width\":%" PRIu32 ",\"height\":%" PRIu32
                        ",\"hash\":\"%016" PRIx64 "\"}\n"
                      : "world %s epoch %" PRIu64 " version %" PRIu64 " width %" PRIu32
                        " height %" PRIu32 " hash %016" PRIx64 "\n",
           self->arguments[0], mirror->epoch, mirror->version, mirror->width, mirror->height,
           mirror->hash);
    for (size_t i = 0; i < cells && output == NULL && !self->json; i++) {
        printf("%u%c", bytes[i], (i + 1) % mirror->width == 0 ? '\n' : ' ');
    }
    return RP_EXIT_FINE;
}

static int fill_mirror(rp_ctl_t *self, rp_mirror_t *mirror)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    uint32_t id;
    watch.world = self->arguments[0];
    watch.map = true;
    const rp_client_status_t status = rp_client_watch(self->client, &watch, &id);
    const int code = rp_remote_judge(self->program, self->client, status, NULL);
    while (code == RP_EXIT_FINE && !mirror->is_whole) {
        rp_client_event_t event;
        const bool has_come = rp_client_poll(self->client, (int)RP_CLIENT_DEADLINE_MS, &event);
        if (!has_come || event.kind == RP_CLIENT_LOST) {
            fprintf(stderr, "%s: the daemon stopped telling the world\n", self->program);
            return RP_EXIT_NO_DAEMON;
        }
        const rp_mirror_news_t news = rp_mirror_take(mirror, &event);
        if (rp_mirror_needs_watch(news) || news == RP_MIRROR_MEMORY) {
            fprintf(stderr, "%s: the snapshot does not fit together\n", self->program);
            return RP_EXIT_INPUT;
        }
    }
    return code;
}

int rp_ctl_snapshot(rp_ctl_t *self)
{
    rp_mirror_t mirror;
    if (!rp_mirror_init(&mirror, 1, 1)) {
        fprintf(stderr, "%s: no memory\n", self->program);
        return RP_EXIT_INPUT;
    }
    int code = fill_mirror(self, &mirror);
    if (code == RP_EXIT_FINE) {
        code = print_snapshot(self, &mirror);
    }
    rp_mirror_fini(&mirror);
    return code;
}

int rp_ctl_set(rp_ctl_t *self)
{
    Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    char **arguments = self->arguments;
    change.world = arguments[0];
    change.rect_case = REPLAN__V1__CHANGE__RECT_FILL;
    if (!rp_ctl_read_whole(self, "X", arguments[1], UINT32_MAX, &change.x) ||
        !rp_ctl_read_whole(self, "Y", arguments[2], UINT32_MAX, &change.y) ||
        !rp_ctl_read_whole(self, "W", arguments[3], UINT32_MAX, &change.width) ||
        !rp_ctl_read_whole(self, "H", arguments[4], UINT32_MAX, &change.height) ||
        !rp_ctl_read_whole(self, "BYTE", arguments[5], UINT8_MAX, &change.fill) ||
        !rp_ctl_read_wait(self, &apply.wait)) {
        return RP_EXIT_INPUT;
    }
    apply.change = &change;
    Replan__V1__Request request = RP_REQUEST(APPLY, apply, &apply);
    return rp_ctl_apply(self, &request);
}
