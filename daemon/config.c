/// All defaults stand in the first table.
#include "daemon/config.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const rp_config_t defaults = {
    .changes = "tcp://127.0.0.1:7401",
    .paths = "tcp://127.0.0.1:7402",
    .control = "tcp://127.0.0.1:7403",
    .poses = "tcp://127.0.0.1:7404",
    .planner = "auto",
    .log_level = RP_LOG_INFO,
    .awake_us = 500,
    .memory_bytes = (uint64_t)1 << 30,
};

// ---- what does not go together

/// Is it this machine's own, whatever else is plugged in? The whole host must be one of these: what
/// only begins like them may be a name of another, or a source before a semicolon.
static bool is_loopback(const char *endpoint)
{
    static const char *const hosts[] = {"localhost", "[::1]", "lo"};
    static const char tcp[] = "tcp://";
    if (strncmp(endpoint, tcp, strlen(tcp)) != 0) {
        return strncmp(endpoint, "ipc://", 6) == 0;
    }
    const char *host = endpoint + strlen(tcp);
    const char *colon = strrchr(host, ':');
    const size_t length = colon != NULL ? (size_t)(colon - host) : strlen(host);
    for (size_t i = 0; i < sizeof hosts / sizeof hosts[0]; i++) {
        if (strlen(hosts[i]) == length && memcmp(host, hosts[i], length) == 0) {
            return true;
        }
    }
    return strncmp(host, "127.", 4) == 0 && strspn(host, "0123456789.") == length;
}

/// There are no keys yet: who can reach a socket may do everything.
static bool are_safe(const rp_config_t *config)
{
    const char *const endpoints[][2] = {
        {"changes", config->changes},           {"paths", config->paths},
        {"control", config->control},           {"poses", config->poses},
        {"changes_from", config->changes_from}, {"poses_from", config->poses_from}};
    for (size_t i = 0; i < sizeof endpoints / sizeof endpoints[0] && !config->insecure; i++) {
        if (endpoints[i][1][0] != '\0' && !is_loopback(endpoints[i][1])) {
            fprintf(stderr,
                    "repland: %s: \"%.64s\" is not on loopback, as tcp://127.0.0.1:PORT and "
                    "ipc://PATH are; --insecure lets it be\n",
                    endpoints[i][0], endpoints[i][1]);
            return false;
        }
    }
    return true;
}

bool rp_config_is_sound(const rp_config_t *self)
{
    if (self->is_disk && self->state[0] == '\0') {
        fprintf(stderr, "repland: durability: disk needs a folder, see --state\n");
        return false;
    }
    if (self->salvages && self->state[0] == '\0') {
        fprintf(stderr, "repland: --salvage needs a folder, see --state\n");
        return false;
    }
    if (self->record[0] != '\0' && (self->workers != 0 || self->state[0] != '\0')) {
        fprintf(stderr, "repland: record: goes with workers: 0 and without a state folder only\n");
        return false;
    }
    if (self->mcap[0] != '\0' && self->replay[0] == '\0') {
        fprintf(stderr, "repland: --mcap writes what --replay plays; of a daemon that runs, "
                        "`replan record --mcap` does\n");
        return false;
    }
    return are_safe(self);
}

// ---- birth and death

bool rp_config_init(rp_config_t *self)
{
    *self = defaults;
    self->maps = calloc(RP_CONFIG_MAPS, sizeof *self->maps);
    return self->maps != NULL;
}

void rp_config_fini(rp_config_t *self)
{
    free(self->maps);
    self->maps = NULL;
}
