/// repland: read the configuration, bind the sockets, open the maps, run the loop; or play a
/// recorder.
#include <stdio.h>
#include <stdlib.h>
#include <sys/prctl.h>

#include "daemon/command_line.h"
#include "daemon/process/log.h"
#include "daemon/process/process.h"
#include "daemon/reactor.h"
#include "daemon/replay.h"
#include "daemon/replay_mcap.h"
#include "daemon/rules/state.h"
#include "daemon/rules/world_quota.h"
#include "files/load.h"

#define ERROR_BYTES ((size_t)RP_CONFIG_PATH + 512u)

static rp_world_options_t options_of(const rp_map_t *map)
{
    return (rp_world_options_t){
        .width = map->width,
        .height = map->height,
        .profile = rp_map_profile_name(map->profile),
        .frame = {.resolution_m = map->frame.resolution_m,
                  .origin_x_m = map->frame.origin_x,
                  .origin_y_m = map->frame.origin_y,
                  .origin_yaw = map->frame.origin_yaw},
        .data = map->bytes,
    };
}

/// Hold a map to the limits of a world that is made by a message.
static bool check_map(const rp_config_map_t *entry, const rp_map_t *map, rp_refusal_t *refusal)
{
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    geometry.width = map->width;
    geometry.height = map->height;
    geometry.resolution = map->frame.resolution_m;
    geometry.origin_x = map->frame.origin_x;
    geometry.origin_y = map->frame.origin_y;
    geometry.origin_yaw = map->frame.origin_yaw;
    create.world = (char *)entry->name;
    create.geometry = &geometry;
    return rp_check_create_world(&create, refusal);
}

/// Open one map file as a world. @param error  a sentence on failure [ERROR_BYTES]
static bool open_map(rp_reactor_t *reactor, const rp_config_map_t *entry, char *error)
{
    rp_daemon_t *daemon = rp_reactor_daemon(reactor);
    rp_map_t map;
    rp_complaint_t complaint;
    rp_refusal_t refusal;
    if (!rp_check_name("name of a map", entry->name, &refusal)) {
        (void)snprintf(error, ERROR_BYTES, "--map: %s: %s", entry->file, refusal.sentence);
        return false;
    }
    if (daemon->serving.state != NULL &&
        rp_worlds_find(&daemon->serving.worlds, entry->name) != NULL) {
        rp_log(RP_LOG_INFO, "world", "name=%s file=\"%s\" kept=state", entry->name, entry->file);
        return true; // as it became since
    }
    if (rp_map_load(entry->file, &map, &complaint) != RP_OK) {
        (void)snprintf(error, ERROR_BYTES, "--map: %s", complaint.sentence);
        return false;
    }
    if (!check_map(entry, &map, &refusal)) {
        (void)snprintf(error, ERROR_BYTES, "--map: %s: %s", entry->file, refusal.sentence);
        rp_map_fini(&map);
        return false;
    }
    const rp_world_options_t options = options_of(&map);
    rp_recorder_map(rp_reactor_recorder(reactor), entry->name, &options);
    const rp_status_t status = rp_daemon_open_map(daemon, entry->name, &options);
    rp_map_fini(&map);
    const uint64_t cells = (uint64_t)options.width * options.height;
    if (status == RP_E_MEMORY && !rp_world_quota_has_room(&daemon->serving, NULL, cells)) {
        (void)snprintf(error, ERROR_BYTES,
                       "%s as world \"%s\": with it the worlds would take %llu bytes, --memory "
                       "allows %llu",
                       entry->file, entry->name,
                       (unsigned long long)rp_world_quota_bytes_with(&daemon->serving, NULL, cells),
                       (unsigned long long)daemon->serving.memory_bytes);
        return false;
    }
    if (status != RP_OK) {
        (void)snprintf(error, ERROR_BYTES, "--map: %s as world \"%s\": %s", entry->file,
                       entry->name, rp_status_text(status));
        return false;
    }
    rp_log(RP_LOG_INFO, "world", "name=%s width=%u height=%u profile=%s file=\"%s\"", entry->name,
           options.width, options.height, options.profile, entry->file);
    return true;
}

static bool open_maps(rp_reactor_t *reactor, const rp_config_t *config, char *error)
{
    for (size_t i = 0; i < config->map_count; i++) {
        if (!open_map(reactor, &config->maps[i], error)) {
            return false;
        }
    }
    if (config->map_count == 0) {
        return true;
    }
    rp_state_renew(&rp_reactor_daemon(reactor)->serving); // no request has told of them
    return rp_state_settle(&rp_reactor_daemon(reactor)->serving, error, ERROR_BYTES);
}

/// Searches ask for huge pages; here nobody gets one unless that was wished for.
static void choose_pages(bool has_huge_pages)
{
#ifdef PR_SET_THP_DISABLE
    (void)prctl(PR_SET_THP_DISABLE, has_huge_pages ? 0 : 1, 0, 0, 0);
#else
    (void)has_huge_pages;
#endif
}

/// Serve until a signal. @param error  a sentence on failure [ERROR_BYTES]
static bool serve(const rp_config_t *config, char *error)
{
    rp_reactor_t *reactor = NULL;
    const bool is_open = rp_log_open(config->log_file, error, ERROR_BYTES) &&
                         rp_reactor_open(config, &reactor, error, ERROR_BYTES) &&
                         open_maps(reactor, config, error);
    if (is_open) {
        rp_reactor_say_ready(reactor);
        rp_reactor_run(reactor);
    }
    rp_reactor_close(&reactor);
    rp_log_close();
    return is_open;
}

int main(int argc, char **argv)
{
    rp_process_begin();
    rp_config_t config;
    char error[ERROR_BYTES];
    int code = 0;
    const rp_command_line_t outcome = rp_command_line_read(argc, argv, &config);
    if (outcome != RP_COMMAND_LINE_RUN) {
        rp_config_fini(&config);
        return outcome == RP_COMMAND_LINE_DONE ? 0 : 2;
    }
    rp_log_set_level(config.log_level);
    choose_pages(config.has_huge_pages);
    if (config.replay[0] != '\0') {
        code = config.mcap[0] != '\0' ? rp_replay_mcap(config.replay, config.mcap, stdout)
                                      : rp_replay(config.replay, NULL, stdout);
    } else if (!serve(&config, error)) {
        rp_process_let_end();
        fprintf(stderr, "repland: %s\n", error);
        code = 2;
    }
    rp_config_fini(&config);
    return code;
}
