/// Every call of client_calls.h against a real daemon, and sixty wrong ones: each is refused, by a
/// sentence that names the field, and its limit where there is one.
///
///     tour CONTROL
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "replan/client.h"
#include "replan/mirror.h"

#define PATIENCE_MS 60000

static unsigned failed;
static unsigned refused;

/// What a call must give, or the test fails and says where.
#define MUST(condition) must((condition), #condition, __LINE__)

static void must(bool is_true, const char *text, int line)
{
    if (!is_true) {
        printf("line %d: %s\n", line, text);
        failed++;
    }
}

/// A wrong call: its sentence must have these words.
#define REFUSED(call, field, limit) refuse((call), client, #call, field, limit)

static void refuse(rp_client_status_t status, const rp_client_t *client, const char *call,
                   const char *field, const char *limit)
{
    const char *sentence = rp_client_sentence(client);
    refused++;
    if ((status != RP_CLIENT_E_REFUSED && status != RP_CLIENT_E_INVALID) ||
        strstr(sentence, field) == NULL || strstr(sentence, limit) == NULL) {
        printf("%s: %s, \"%s\", and not %s and %s\n", call, rp_client_status_text(status), sentence,
               field, limit);
        failed++;
    }
}

static void walk_through(rp_client_t *client)
{
    static const uint8_t bytes[4] = {0, 0, 1, 1};
    static const uint32_t cells[2] = {21, 22};
    const char *agents[] = {"scout"};
    const uint32_t numbers[] = {7};
    rp_client_path_t path;
    rp_mirror_t mirror;
    rp_client_event_t event;
    uint64_t version = 0;
    uint32_t watch = 0;
    uint32_t map = 0;
    MUST(rp_mirror_init(&mirror, 4, 64));
    MUST(rp_client_create_world(client, "arena", 20, 10, NULL) == RP_CLIENT_OK);
    MUST(rp_client_open_agent(client, "arena", "scout", 1.5, 4.5, 18.5, 4.5, NULL) == RP_CLIENT_OK);
    MUST(rp_client_answer(client, "arena", "scout", &path) == RP_CLIENT_OK && path.count == 18);
    MUST(strcmp(path.outcome, "found") == 0 && path.cost == 17.0 && path.version == 1);
    MUST(path.x_m[0] == 1.5 && path.y_m[0] == 4.5 && path.x_m[17] == 18.5);
    MUST(rp_client_watch_agents(client, "arena", agents, 1, &watch) == RP_CLIENT_OK);
    MUST(rp_client_mirror(client, "arena", &mirror, &map) == RP_CLIENT_OK);
    MUST(rp_client_next_answer(client, PATIENCE_MS, &path) == RP_CLIENT_OK && path.watch == watch);
    MUST(rp_client_fill_rect(client, "arena", 10, 0, 1, 9, 0, &version) == RP_CLIENT_OK);
    MUST(version == 2);
    MUST(rp_client_next_answer(client, PATIENCE_MS, &path) == RP_CLIENT_OK && path.version == 2);
    MUST(rp_client_write_rect(client, "arena", 0, 0, 2, 2, bytes, &version) == RP_CLIENT_OK);
    MUST(rp_client_set_cells(client, "arena", cells, bytes, 2, &version) == RP_CLIENT_OK);
    MUST(version == 4);
    while (!(mirror.is_whole && mirror.version == 4) &&
           rp_client_poll(client, PATIENCE_MS, &event)) {
    }
    const uint8_t *copy = rp_mirror_newest(&mirror);
    MUST(copy != NULL && copy[0] == 0 && copy[20] == 1 && copy[21] == 0 && copy[22] == 0);
    MUST(rp_client_put_disc(client, "arena", 7, 10.5, 9.5, 1.0, 0, &version) == RP_CLIENT_OK);
    MUST(rp_client_answer(client, "arena", "scout", &path) == RP_CLIENT_OK && path.count == 0);
    MUST(strcmp(path.outcome, "no_path") == 0 && path.cost == -1.0);
    MUST(rp_client_remove_shapes(client, "arena", numbers, 1, NULL) == RP_CLIENT_OK);
    MUST(rp_client_remove_shapes(client, "arena", NULL, 0, NULL) == RP_CLIENT_OK);
    MUST(rp_client_pose(client, "arena", "scout", 9.5, 9.5) == RP_CLIENT_OK);
    MUST(rp_client_goto(client, "arena", "scout", 12.5, 9.5) == RP_CLIENT_OK);
    MUST(rp_client_answer(client, "arena", "scout", &path) == RP_CLIENT_OK && path.cost == 3.0);
    MUST(rp_client_unwatch(client, map) == RP_CLIENT_OK);
    MUST(rp_client_unwatch(client, watch) == RP_CLIENT_OK);
    MUST(rp_client_next_answer(client, 0, &path) == RP_CLIENT_E_TIMEOUT);
    MUST(rp_client_close_agent(client, "arena", "scout") == RP_CLIENT_OK);
    rp_mirror_fini(&mirror);
}

static void drive_through(rp_client_t *client)
{
    const Replan__V1__Motion car = rp_client_car(2.0);
    const Replan__V1__Motion spot = rp_client_spot(0.0);
    rp_client_agent_options_t options = rp_client_agent_defaults();
    rp_client_path_t path;
    rp_client_pose_t pose;
    MUST(rp_client_create_world(client, "yard", 30, 20, NULL) == RP_CLIENT_OK);
    options.motion = &car;
    options.radius_m = 0.8;
    options.yaw = 0.5;
    MUST(rp_client_open_agent(client, "yard", "truck", 4.5, 4.5, 24.5, 14.5, &options) ==
         RP_CLIENT_OK);
    MUST(rp_client_answer(client, "yard", "truck", &path) == RP_CLIENT_OK);
    MUST(rp_client_pose_at(path.answer, 0.0, &pose) && pose.x_m == 4.5 && pose.yaw == 0.5);
    MUST(rp_client_pose_at(path.answer, INFINITY, &pose) && fabs(pose.y_m - 14.5) < 1e-6);
    MUST(rp_client_curve_length(path.answer) > hypot(20.0, 10.0) - 1e-6);
    MUST(rp_client_goto_facing(client, "yard", "truck", 24.5, 10.5, 1.5) == RP_CLIENT_OK);
    MUST(rp_client_turn_to(client, "yard", "truck", 6.5, 6.5, 1.0) == RP_CLIENT_OK);
    MUST(rp_client_answer(client, "yard", "truck", &path) == RP_CLIENT_OK);
    MUST(rp_client_pose_at(path.answer, INFINITY, &pose));
    MUST(fabs(remainder(pose.yaw - 1.5, 6.2831853071795862)) < 1e-6);
    options.motion = &spot;
    MUST(rp_client_open_agent(client, "yard", "tank", 4.5, 4.5, 24.5, 14.5, &options) ==
         RP_CLIENT_OK);
    REFUSED(rp_client_goto_facing(client, "yard", NULL, 1.0, 1.0, 0.0), "agent", "NULL");
    REFUSED(rp_client_turn_to(client, "yard", "truck", 1.0, 1.0, (double)NAN), "yaw", "1e+09");
    MUST(rp_client_remove_world(client, "yard") == RP_CLIENT_OK);
}

static void open_wrong_worlds(rp_client_t *client)
{
    rp_client_world_options_t options = rp_client_world_defaults();
    REFUSED(rp_client_create_world(client, NULL, 4, 4, NULL), "world", "NULL");
    REFUSED(rp_client_create_world(client, "", 4, 4, NULL), "world", "32");
    REFUSED(rp_client_create_world(client, "a b", 4, 4, NULL), "world", "A-Z");
    REFUSED(rp_client_create_world(client, "abcdefghijklmnopqrstuvwxyz0123456", 4, 4, NULL),
            "world", "32");
    REFUSED(rp_client_create_world(client, "arena", 4, 4, NULL), "arena", "");
    REFUSED(rp_client_create_world(client, "new", 0, 4, NULL), "width", "16384");
    REFUSED(rp_client_create_world(client, "new", 4, 0, NULL), "height", "16384");
    REFUSED(rp_client_create_world(client, "new", 16385, 4, NULL), "width", "16384");
    REFUSED(rp_client_create_world(client, "new", 4, UINT32_MAX, NULL), "height", "16384");
    REFUSED(rp_client_create_world(client, "new", 16384, 16384, NULL), "width", "267911424");
    options.resolution_m = 0.0;
    REFUSED(rp_client_create_world(client, "new", 4, 4, &options), "resolution", "10000");
    options.resolution_m = (double)NAN;
    REFUSED(rp_client_create_world(client, "new", 4, 4, &options), "resolution", "10000");
    options.resolution_m = -1.0;
    REFUSED(rp_client_create_world(client, "new", 4, 4, &options), "resolution", "10000");
    options = rp_client_world_defaults();
    options.origin_x_m = 2e9;
    REFUSED(rp_client_create_world(client, "new", 4, 4, &options), "origin_x", "1e+09");
    options = rp_client_world_defaults();
    options.origin_y_m = (double)INFINITY;
    REFUSED(rp_client_create_world(client, "new", 4, 4, &options), "origin_y", "1e+09");
    options = rp_client_world_defaults();
    options.origin_yaw = (double)NAN;
    REFUSED(rp_client_create_world(client, "new", 4, 4, &options), "yaw", "");
    options = rp_client_world_defaults();
    options.neighbors = 6;
    REFUSED(rp_client_create_world(client, "new", 4, 4, &options), "neighbors", "8");
    options = rp_client_world_defaults();
    options.profile = "cost map";
    REFUSED(rp_client_create_world(client, "new", 4, 4, &options), "profile", "");
    options.profile = "unheard";
    REFUSED(rp_client_create_world(client, "new", 4, 4, &options), "profile", "costmap");
    options = rp_client_world_defaults();
    options.wraps = true;
    REFUSED(rp_client_create_world(client, "new", 2, 4, &options), "width", "3");
    REFUSED(rp_client_remove_world(client, NULL), "world", "NULL");
    REFUSED(rp_client_remove_world(client, "nowhere"), "nowhere", "");
}

static void make_wrong_changes(rp_client_t *client)
{
    static const uint8_t bytes[4] = {0};
    static const uint32_t cells[1] = {200};
    REFUSED(rp_client_fill_rect(client, NULL, 0, 0, 1, 1, 0, NULL), "world", "NULL");
    REFUSED(rp_client_fill_rect(client, "nowhere", 0, 0, 1, 1, 0, NULL), "nowhere", "");
    REFUSED(rp_client_fill_rect(client, "arena", 20, 0, 1, 1, 0, NULL), "(20, 0)", "20 x 10");
    REFUSED(rp_client_fill_rect(client, "arena", 0, 10, 1, 1, 0, NULL), "(0, 10)", "20 x 10");
    REFUSED(rp_client_fill_rect(client, "arena", 19, 0, 2, 1, 0, NULL), "2 x 1", "20 x 10");
    REFUSED(rp_client_fill_rect(client, "arena", 0, 9, 1, 2, 0, NULL), "1 x 2", "20 x 10");
    REFUSED(rp_client_fill_rect(client, "arena", UINT32_MAX, 0, 2, 1, 0, NULL), "x", "");
    REFUSED(rp_client_write_rect(client, "arena", 0, 0, 1, 1, NULL, NULL), "bytes", "NULL");
    REFUSED(rp_client_write_rect(client, "arena", 0, 0, 16385, 1, bytes, NULL), "width", "16384");
    REFUSED(rp_client_write_rect(client, NULL, 0, 0, 2, 2, bytes, NULL), "world", "NULL");
    REFUSED(rp_client_set_cells(client, "arena", NULL, bytes, 1, NULL), "cells", "NULL");
    REFUSED(rp_client_set_cells(client, "arena", cells, NULL, 1, NULL), "bytes", "NULL");
    REFUSED(rp_client_set_cells(client, "arena", cells, bytes, 1, NULL), "cells", "200");
    REFUSED(rp_client_set_cells(client, NULL, cells, bytes, 1, NULL), "world", "NULL");
    REFUSED(rp_client_put_disc(client, NULL, 1, 1.0, 1.0, 1.0, 0, NULL), "world", "NULL");
    REFUSED(rp_client_put_disc(client, "arena", 1, (double)NAN, 1.0, 1.0, 0, NULL), "x", "1e+09");
    REFUSED(rp_client_put_disc(client, "arena", 1, 1.0, 2e9, 1.0, 0, NULL), "y", "1e+09");
    REFUSED(rp_client_put_disc(client, "arena", 1, 1.0, 1.0, -1.0, 0, NULL), "radii_m", "1e+09");
    REFUSED(rp_client_put_disc(client, "nowhere", 1, 1.0, 1.0, 1.0, 0, NULL), "nowhere", "");
    REFUSED(rp_client_remove_shapes(client, "arena", NULL, 1, NULL), "numbers", "NULL");
    REFUSED(rp_client_remove_shapes(client, NULL, NULL, 0, NULL), "world", "NULL");
}

/// Open an agent with one option wrong.
#define REFUSED_WITH(field_is_wrong, field, limit)                                                 \
    do {                                                                                           \
        rp_client_agent_options_t options = rp_client_agent_defaults();                            \
        options.field_is_wrong;                                                                    \
        REFUSED(rp_client_open_agent(client, "arena", "new", 1.5, 1.5, 2.5, 2.5, &options), field, \
                limit);                                                                            \
    } while (0)

static void open_wrong_agents(rp_client_t *client)
{
    REFUSED(rp_client_open_agent(client, NULL, "a", 1, 1, 2, 2, NULL), "world", "NULL");
    REFUSED(rp_client_open_agent(client, "arena", NULL, 1, 1, 2, 2, NULL), "agent", "NULL");
    REFUSED(rp_client_open_agent(client, "arena", "a/b", 1, 1, 2, 2, NULL), "agent", "A-Z");
    REFUSED(rp_client_open_agent(client, "nowhere", "a", 1, 1, 2, 2, NULL), "nowhere", "");
    REFUSED(rp_client_open_agent(client, "arena", "a", (double)NAN, 1, 2, 2, NULL), "x", "1e+09");
    REFUSED(rp_client_open_agent(client, "arena", "a", 1, 2e9, 2, 2, NULL), "y", "1e+09");
    REFUSED(rp_client_open_agent(client, "arena", "a", 1, 1, -2e9, 2, NULL), "x", "1e+09");
    REFUSED_WITH(planner = "magic", "magic", "");
    REFUSED_WITH(profile = "unheard", "unheard", "");
    REFUSED_WITH(radius_m = -1.0, "radius_m", "1e+09");
    REFUSED_WITH(radius_m = (double)NAN, "radius_m", "1e+09");
    REFUSED_WITH(inscribed_radius_m = 2.0, "inscribed", "inflation");
    REFUSED_WITH(inflation_radius_m = 1e7, "inflation_radius_m", "64");
    REFUSED_WITH(cost_scaling_factor = -1.0, "cost_scaling", "");
    REFUSED_WITH(cells = 65, "cells", "64");
    REFUSED_WITH(tolerance_m = -1.0, "tolerance_m", "1e+06");
    REFUSED_WITH(switch_gain_percent = 101, "switch_gain_percent", "100");
    REFUSED_WITH(min_interval_ms = 86400001, "min_interval_ms", "86400000");
    REFUSED_WITH(max_age_ms = 86400001, "max_age_ms", "86400000");
    REFUSED_WITH(answer_within_ms = 86400001, "answer_within_ms", "86400000");
    REFUSED_WITH(follow_radius_m = -1.0, "follow_radius_m", "1e+06");
    REFUSED_WITH(escape_m = (double)NAN, "escape_m", "1e+06");
    REFUSED_WITH(lease_s = 86401, "lease_s", "86400");
}

static void name_nobody(rp_client_t *client)
{
    const char *agents[] = {"scuot"};
    const char *none[] = {NULL};
    rp_mirror_t mirror = {0};
    rp_client_path_t path;
    uint32_t id;
    REFUSED(rp_client_pose(client, "arena", "scuot", 1, 1), "scuot", "");
    REFUSED(rp_client_pose(client, NULL, "scout", 1, 1), "world", "NULL");
    REFUSED(rp_client_goto(client, "arena", "scuot", 1, 1), "scuot", "");
    REFUSED(rp_client_goto(client, "arena", NULL, 1, 1), "agent", "NULL");
    REFUSED(rp_client_close_agent(client, "arena", "scuot"), "scuot", "");
    REFUSED(rp_client_answer(client, "arena", "scuot", &path), "scuot", "");
    REFUSED(rp_client_answer(client, "arena", "scout", NULL), "path", "NULL");
    REFUSED(rp_client_watch_agents(client, "arena", agents, 1, &id), "scuot", "");
    REFUSED(rp_client_watch_agents(client, "arena", none, 1, &id), "agents[0]", "NULL");
    REFUSED(rp_client_watch_agents(client, "nowhere", NULL, 0, &id), "nowhere", "");
    REFUSED(rp_client_watch_agents(client, "arena", NULL, 0, NULL), "id", "NULL");
    REFUSED(rp_client_mirror(client, "arena", NULL, &id), "mirror", "NULL");
    REFUSED(rp_client_mirror(client, "nowhere", &mirror, &id), "nowhere", "");
    REFUSED(rp_client_unwatch(client, 12345), "12345", "");
    REFUSED(rp_client_next_answer(client, 0, NULL), "path", "NULL");
}

int main(int argc, char **argv)
{
    rp_client_t *client = NULL;
    if (argc != 2 || rp_client_open(argv[1], PATIENCE_MS, &client) != RP_CLIENT_OK) {
        fputs("tour: no daemon\n", stderr);
        return 4;
    }
    walk_through(client);
    drive_through(client);
    open_wrong_worlds(client);
    make_wrong_changes(client);
    open_wrong_agents(client);
    name_nobody(client);
    rp_client_close(&client);
    printf("tour: %u refused, %u failed\n", refused, failed);
    return failed == 0 && refused >= 60 ? 0 : 1;
}
