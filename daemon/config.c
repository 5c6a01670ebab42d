/// Flags and the YAML file. All defaults stand in the first table.
#include "daemon/config.h"

#include <cyaml/cyaml.h>
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/placement.h"

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

static const char help[] =
    "usage: repland [options]\n"
    "Keeps shortest paths true while the world changes. Runs until SIGTERM or SIGINT.\n"
    "\n"
    "  --config FILE        YAML: changes, paths, control, poses, changes_from, poses_from,\n"
    "                       planner, workers, log, awake_us, memory, paranoid, insecure, state,\n"
    "                       durability, record, maps; flags win\n"
    "  --changes ENDPOINT   where changes are published to us     (tcp://127.0.0.1:7401)\n"
    "  --paths ENDPOINT     where we publish paths and heads      (tcp://127.0.0.1:7402)\n"
    "  --control ENDPOINT   requests, watches                     (tcp://127.0.0.1:7403)\n"
    "  --poses ENDPOINT     where poses and goals are published   (tcp://127.0.0.1:7404)\n"
    "                       ENDPOINT is tcp://127.0.0.1:PORT, PORT may be *, or ipc://PATH\n"
    "  --changes-from ENDPOINT, --poses-from ENDPOINT\n"
    "                       connect to a publisher that binds there, too\n"
    "  --insecure           let an ENDPOINT be off loopback, where whoever can reach it may do\n"
    "                       everything: there are no keys, and nothing is encrypted\n"
    "  --planner ID         for agents that name none (auto); `replan planners` lists them\n"
    "  --map FILE[=NAME]    open a MovingAI map as a world; may come several times\n"
    "  --state DIR          keep worlds, publishers and agents there: what was acknowledged "
    "survives\n"
    "                       the end of the program, and is so again when it starts; no other\n"
    "                       repland may use DIR meanwhile; maps that are there win over --map\n"
    "  --durability WORD    acknowledge a change when it survives the end of the process (the\n"
    "                       default), or that of the machine (disk)\n"
    "  --workers N          plan on N threads of their own (0: none, up to 16); agents with the "
    "same\n"
    "                       goals stay together\n"
    "  --log LEVEL          error, warn, info (default) or debug; lines of key=value on stderr\n"
    "  --awake-us N         while messages come closer together than this, wait for the next one\n"
    "                       awake: it saves a wake-up of some 50 us (500; 0 sleeps at once)\n"
    "  --memory BYTES       hold no more than this: what searches know is forgotten where it was\n"
    "                       useful longest ago, and found again when needed; K, M, G may follow\n"
    "                       (1G)\n"
    "  --paranoid N         hold each Nth plan of an agent against an independent search, which\n"
    "                       takes the time of one from scratch; `replan ctl stats` counts\n"
    "                       planner.checked and planner.differed (0: none)\n"
    "  --record FILE        write all that comes in to FILE, so that it can be played again; not\n"
    "                       with --workers or --state\n"
    "  --replay FILE        play what was recorded, without sockets, and hold what is said "
    "against\n"
    "                       what was said then: exit 0 when it is the same bytes, 1 when not\n"
    "  --version, --help\n"
    "\n"
    "A configuration file:\n"
    "  control: tcp://127.0.0.1:7403\n"
    "  planner: lpa\n"
    "  maps:\n"
    "    - file: arena.map\n"
    "      name: arena\n"
    "\n"
    "Exit codes: 0 stopped by a signal, or a tape said the same; 1 it did not; 2 bad options,\n"
    "configuration, map, state or tape.\n";

// ---- the file

typedef struct map_entry {
    char *file;
    char *name;
} map_entry_t;

typedef struct file_form {
    char *changes;
    char *paths;
    char *control;
    char *poses;
    char *changes_from;
    char *poses_from;
    char *planner;
    char *log;
    char *state;
    char *durability;
    char *record;
    char *workers; // numbers are read by ourselves: libcyaml takes 1.5 for 1
    char *awake_us;
    char *memory;
    char *paranoid;
    bool *insecure;
    map_entry_t *maps;
    unsigned maps_count;
} file_form_t;

static const cyaml_schema_field_t map_fields[] = {
    CYAML_FIELD_STRING_PTR("file", CYAML_FLAG_POINTER, map_entry_t, file, 1, 4095),
    CYAML_FIELD_STRING_PTR("name", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, map_entry_t, name, 1,
                           RP_LIMIT_NAME),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t map_value = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_DEFAULT, map_entry_t, map_fields),
};

#define TEXT_FIELD(member, most)                                                                   \
    CYAML_FIELD_STRING_PTR(#member, CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_form_t, member, \
                           1, most)
#define NUMBER_CHARACTERS 24u

static const cyaml_schema_field_t file_fields[] = {
    TEXT_FIELD(changes, RP_CONFIG_ENDPOINT - 1u),
    TEXT_FIELD(paths, RP_CONFIG_ENDPOINT - 1u),
    TEXT_FIELD(control, RP_CONFIG_ENDPOINT - 1u),
    TEXT_FIELD(poses, RP_CONFIG_ENDPOINT - 1u),
    TEXT_FIELD(changes_from, RP_CONFIG_ENDPOINT - 1u),
    TEXT_FIELD(poses_from, RP_CONFIG_ENDPOINT - 1u),
    TEXT_FIELD(planner, RP_LIMIT_NAME),
    TEXT_FIELD(log, 8),
    TEXT_FIELD(state, 4095),
    TEXT_FIELD(durability, 8),
    TEXT_FIELD(record, 4095),
    TEXT_FIELD(workers, NUMBER_CHARACTERS),
    TEXT_FIELD(awake_us, NUMBER_CHARACTERS),
    TEXT_FIELD(memory, NUMBER_CHARACTERS),
    TEXT_FIELD(paranoid, NUMBER_CHARACTERS),
    CYAML_FIELD_BOOL_PTR("insecure", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_form_t,
                         insecure),
    CYAML_FIELD_SEQUENCE("maps", CYAML_FLAG_POINTER | CYAML_FLAG_OPTIONAL, file_form_t, maps,
                         &map_value, 0, RP_CONFIG_MAPS),
    CYAML_FIELD_END,
};

static const cyaml_schema_value_t file_schema = {
    CYAML_VALUE_MAPPING(CYAML_FLAG_POINTER, file_form_t, file_fields),
};

/// libcyaml tells where and why by its log, innermost place first; the lines become one sentence.
typedef struct complaint {
    char text[800];
    size_t length;
} complaint_t;

static void collect(cyaml_log_t level, void *user, const char *format, va_list arguments)
{
    complaint_t *complaint = user;
    if (level < CYAML_LOG_ERROR || complaint->length + 2u > sizeof complaint->text) {
        return;
    }
    const size_t room = sizeof complaint->text - complaint->length;
    const int written = vsnprintf(complaint->text + complaint->length, room, format, arguments);
    complaint->length += written < 0 ? 0u : (size_t)written < room ? (size_t)written : room - 1u;
    for (size_t i = 0; i < complaint->length; i++) {
        complaint->text[i] = complaint->text[i] == '\n' ? ' ' : complaint->text[i];
    }
}

static const cyaml_config_t reader = {
    .log_fn = collect,
    .log_level = CYAML_LOG_ERROR,
    .mem_fn = cyaml_mem,
};

// ---- values, from either

static bool set_text(char *to, size_t room, const char *value, const char *what)
{
    const size_t length = strlen(value);
    if (length == 0 || length >= room) {
        fprintf(stderr, "repland: %s: \"%.64s\" must have 1 to %zu characters\n", what, value,
                room - 1u);
        return false;
    }
    memcpy(to, value, length + 1u);
    return true;
}

static bool set_level(rp_log_level_t *level, const char *value)
{
    static const char *const words[] = {"error", "warn", "info", "debug"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        if (strcmp(value, words[i]) == 0) {
            *level = (rp_log_level_t)i;
            return true;
        }
    }
    fprintf(stderr, "repland: log: \"%.16s\" is none of error, warn, info, debug\n", value);
    return false;
}

static bool set_durability(bool *is_disk, const char *value)
{
    *is_disk = strcmp(value, "disk") == 0;
    if (!*is_disk && strcmp(value, "process") != 0) {
        fprintf(stderr, "repland: durability: \"%.16s\" is neither process nor disk\n", value);
        return false;
    }
    return true;
}

/// An endpoint. libzmq takes a port beyond the last one for another, 65536 less.
static bool set_endpoint(char *to, const char *value, const char *what)
{
    const char *port = strncmp(value, "tcp://", 6) == 0 ? strrchr(value, ':') + 1 : "";
    if (strspn(port, "0123456789") == strlen(port) && strtoul(port, NULL, 10) > UINT16_MAX) {
        fprintf(stderr, "repland: %s: port %.16s is none of 0..%u\n", what, port, UINT16_MAX);
        return false;
    }
    return set_text(to, RP_CONFIG_ENDPOINT, value, what);
}

/// @param what  names key or flag
static bool set_number(unsigned *number, const char *value, unsigned most, const char *what)
{
    char *end;
    const unsigned long read = strtoul(value, &end, 10);
    if (value[0] < '0' || value[0] > '9' || *end != '\0' || read > most) {
        fprintf(stderr, "repland: %s: \"%.24s\" is not a whole number of 0..%u\n", what, value,
                most);
        return false;
    }
    *number = (unsigned)read;
    return true;
}

/// A number of bytes, or of 2^10, 2^20 or 2^30 of them.
static bool set_memory(uint64_t *bytes, const char *value)
{
    static const char units[] = "KMG";
    char *end;
    const unsigned long long number = strtoull(value, &end, 10);
    const char *unit = *end != '\0' ? strchr(units, *end) : NULL;
    const unsigned shift = unit != NULL ? 10u * (unsigned)(unit - units + 1) : 0u;
    const bool is_whole = value[0] >= '0' && value[0] <= '9' && end[unit != NULL] == '\0';
    if (!is_whole || number > UINT64_MAX >> shift || number << shift < RP_CONFIG_MEMORY) {
        fprintf(stderr, "repland: memory: \"%.24s\" is not a number of bytes from 1M on\n", value);
        return false;
    }
    *bytes = (uint64_t)number << shift;
    return true;
}

/// The name of a map that was given none: its file's, without folder and ending.
static void name_of_file(const char *file, char *name)
{
    const char *start = strrchr(file, '/');
    start = start != NULL ? start + 1 : file;
    size_t length = strcspn(start, ".");
    length = length < RP_LIMIT_NAME ? length : RP_LIMIT_NAME;
    memcpy(name, start, length);
    name[length] = '\0';
}

static bool add_map(rp_config_t *config, const char *file, const char *name)
{
    if (config->map_count == RP_CONFIG_MAPS) {
        fprintf(stderr, "repland: maps: at most %u\n", RP_CONFIG_MAPS);
        return false;
    }
    rp_config_map_t *map = &config->maps[config->map_count];
    if (!set_text(map->file, sizeof map->file, file, "map")) {
        return false;
    }
    if (name == NULL) {
        name_of_file(file, map->name);
    } else if (!set_text(map->name, sizeof map->name, name, "name of a map")) {
        return false;
    }
    config->map_count++;
    return true;
}

/// FILE or FILE=NAME.
static bool add_map_flag(rp_config_t *config, const char *value)
{
    const char *sign = strrchr(value, '=');
    char file[sizeof config->maps[0].file];
    if (sign == NULL) {
        return add_map(config, value, NULL);
    }
    const size_t length = (size_t)(sign - value);
    if (length >= sizeof file) {
        fprintf(stderr, "repland: map: the file's name has more than %zu characters\n",
                sizeof file - 1u);
        return false;
    }
    memcpy(file, value, length);
    file[length] = '\0';
    return add_map(config, file, sign + 1);
}

static bool take_file(rp_config_t *config, const file_form_t *form)
{
    const struct {
        const char *value;
        char *to;
        const char *what;
    } endpoints[] = {
        {form->changes, config->changes, "changes"},
        {form->paths, config->paths, "paths"},
        {form->control, config->control, "control"},
        {form->poses, config->poses, "poses"},
        {form->changes_from, config->changes_from, "changes_from"},
        {form->poses_from, config->poses_from, "poses_from"},
    };
    const struct {
        const char *value;
        unsigned *to;
        unsigned most;
        const char *what;
    } numbers[] = {
        {form->workers, &config->workers, RP_WORKERS_MAX, "workers"},
        {form->awake_us, &config->awake_us, RP_CONFIG_AWAKE, "awake_us"},
        {form->paranoid, &config->paranoid, RP_CONFIG_PARANOID, "paranoid"},
    };
    for (size_t i = 0; i < sizeof endpoints / sizeof endpoints[0]; i++) {
        if (endpoints[i].value != NULL &&
            !set_endpoint(endpoints[i].to, endpoints[i].value, endpoints[i].what)) {
            return false;
        }
    }
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++) {
        if (numbers[i].value != NULL &&
            !set_number(numbers[i].to, numbers[i].value, numbers[i].most, numbers[i].what)) {
            return false;
        }
    }
    if (form->insecure != NULL) {
        config->insecure = *form->insecure;
    }
    if (form->planner != NULL &&
        !set_text(config->planner, sizeof config->planner, form->planner, "planner")) {
        return false;
    }
    if (form->log != NULL && !set_level(&config->log_level, form->log)) {
        return false;
    }
    if (form->state != NULL &&
        !set_text(config->state, sizeof config->state, form->state, "state")) {
        return false;
    }
    if (form->record != NULL &&
        !set_text(config->record, sizeof config->record, form->record, "record")) {
        return false;
    }
    if (form->durability != NULL && !set_durability(&config->is_disk, form->durability)) {
        return false;
    }
    if (form->memory != NULL && !set_memory(&config->memory_bytes, form->memory)) {
        return false;
    }
    for (unsigned i = 0; i < form->maps_count; i++) {
        if (!add_map(config, form->maps[i].file, form->maps[i].name)) {
            return false;
        }
    }
    return true;
}

/// The first line that starts with this key. @return 0 when there is none
static unsigned line_of_key(const char *path, const char *key, size_t length)
{
    FILE *file = fopen(path, "r");
    char *line = NULL;
    size_t room = 0;
    unsigned number = 0;
    bool is_found = false;
    while (file != NULL && !is_found && getline(&line, &room, file) > 0) {
        const char *start = line + strspn(line, " -");
        is_found = strncmp(start, key, length) == 0 && strchr(": ", start[length]) != NULL;
        number++;
    }
    free(line);
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_found ? number : 0;
}

/// Of an unknown key libcyaml tells the name, but the place of what stood before it.
/// @return false when the complaint is about something else
static bool tell_unknown_key(const char *path, const complaint_t *complaint)
{
    static const char introduction[] = "Unexpected key: ";
    const char *key = strstr(complaint->text, introduction);
    if (key == NULL) {
        return false;
    }
    key += strlen(introduction);
    const size_t length = strcspn(key, " ");
    fprintf(stderr, "repland: %s: line %u: unknown key \"%.*s\"\n", path,
            line_of_key(path, key, length), (int)length, key);
    return true;
}

static bool read_file(rp_config_t *config, const char *path)
{
    complaint_t complaint = {0};
    cyaml_config_t with_complaint = reader;
    with_complaint.log_ctx = &complaint;
    file_form_t *form = NULL;
    const cyaml_err_t error =
        cyaml_load_file(path, &with_complaint, &file_schema, (cyaml_data_t **)&form, NULL);
    if (error != CYAML_OK) {
        if (!tell_unknown_key(path, &complaint)) {
            fprintf(stderr, "repland: %s: %s: %s\n", path, cyaml_strerror(error), complaint.text);
        }
        return false;
    }
    const bool is_right = form == NULL || take_file(config, form);
    if (!is_right) {
        fprintf(stderr, "repland: that value stands in %s\n", path);
    }
    (void)cyaml_free(&with_complaint, &file_schema, form, 0);
    return is_right;
}

// ---- flags

enum flag {
    FLAG_CONFIG = 256,
    FLAG_CHANGES,
    FLAG_PATHS,
    FLAG_CONTROL,
    FLAG_POSES,
    FLAG_CHANGES_FROM,
    FLAG_POSES_FROM,
    FLAG_PLANNER,
    FLAG_MAP,
    FLAG_LOG,
    FLAG_AWAKE,
    FLAG_MEMORY,
    FLAG_STATE,
    FLAG_DURABILITY,
    FLAG_RECORD,
    FLAG_REPLAY,
    FLAG_WORKERS,
    FLAG_PARANOID,
    FLAG_INSECURE,
    FLAG_VERSION,
    FLAG_HELP,
};

static const struct option flags[] = {
    {"config", required_argument, NULL, FLAG_CONFIG},
    {"changes", required_argument, NULL, FLAG_CHANGES},
    {"paths", required_argument, NULL, FLAG_PATHS},
    {"control", required_argument, NULL, FLAG_CONTROL},
    {"poses", required_argument, NULL, FLAG_POSES},
    {"changes-from", required_argument, NULL, FLAG_CHANGES_FROM},
    {"poses-from", required_argument, NULL, FLAG_POSES_FROM},
    {"planner", required_argument, NULL, FLAG_PLANNER},
    {"map", required_argument, NULL, FLAG_MAP},
    {"log", required_argument, NULL, FLAG_LOG},
    {"state", required_argument, NULL, FLAG_STATE},
    {"durability", required_argument, NULL, FLAG_DURABILITY},
    {"record", required_argument, NULL, FLAG_RECORD},
    {"replay", required_argument, NULL, FLAG_REPLAY},
    {"workers", required_argument, NULL, FLAG_WORKERS},
    {"awake-us", required_argument, NULL, FLAG_AWAKE},
    {"memory", required_argument, NULL, FLAG_MEMORY},
    {"paranoid", required_argument, NULL, FLAG_PARANOID},
    {"insecure", no_argument, NULL, FLAG_INSECURE},
    {"version", no_argument, NULL, FLAG_VERSION},
    {"help", no_argument, NULL, FLAG_HELP},
    {NULL, 0, NULL, 0},
};

static bool take_flag(rp_config_t *config, int flag, const char *value)
{
    switch (flag) {
    case FLAG_CHANGES:
        return set_endpoint(config->changes, value, "--changes");
    case FLAG_PATHS:
        return set_endpoint(config->paths, value, "--paths");
    case FLAG_CONTROL:
        return set_endpoint(config->control, value, "--control");
    case FLAG_POSES:
        return set_endpoint(config->poses, value, "--poses");
    case FLAG_CHANGES_FROM:
        return set_endpoint(config->changes_from, value, "--changes-from");
    case FLAG_POSES_FROM:
        return set_endpoint(config->poses_from, value, "--poses-from");
    case FLAG_PLANNER:
        return set_text(config->planner, sizeof config->planner, value, "--planner");
    case FLAG_MAP:
        return add_map_flag(config, value);
    case FLAG_LOG:
        return set_level(&config->log_level, value);
    case FLAG_AWAKE:
        return set_number(&config->awake_us, value, RP_CONFIG_AWAKE, "--awake-us");
    case FLAG_MEMORY:
        return set_memory(&config->memory_bytes, value);
    case FLAG_PARANOID:
        return set_number(&config->paranoid, value, RP_CONFIG_PARANOID, "--paranoid");
    case FLAG_INSECURE:
        config->insecure = true;
        return true;
    case FLAG_STATE:
        return set_text(config->state, sizeof config->state, value, "--state");
    case FLAG_DURABILITY:
        return set_durability(&config->is_disk, value);
    case FLAG_RECORD:
        return set_text(config->record, sizeof config->record, value, "--record");
    case FLAG_REPLAY:
        return set_text(config->replay, sizeof config->replay, value, "--replay");
    case FLAG_WORKERS:
        return set_number(&config->workers, value, RP_WORKERS_MAX, "--workers");
    default:
        return true;
    }
}

/// One pass over the flags: first only --config, so that all others win over the file.
static rp_config_outcome_t read_flags(int argc, char **argv, rp_config_t *config, bool is_first)
{
    int flag;
    optind = 1;
    while ((flag = getopt_long(argc, argv, "", flags, NULL)) != -1) {
        if (flag == '?') {
            fprintf(stderr, "repland: see repland --help\n");
            return RP_CONFIG_BAD;
        }
        if (flag == FLAG_HELP || flag == FLAG_VERSION) {
            fputs(flag == FLAG_HELP ? help : "repland " REPLAN_VERSION "\n", stdout);
            return RP_CONFIG_DONE;
        }
        const bool is_file = flag == FLAG_CONFIG;
        if (is_first && is_file && !read_file(config, optarg)) {
            return RP_CONFIG_BAD;
        }
        if (!is_first && !is_file && !take_flag(config, flag, optarg)) {
            return RP_CONFIG_BAD;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "repland: \"%s\" is not an option; see repland --help\n", argv[optind]);
        return RP_CONFIG_BAD;
    }
    return RP_CONFIG_RUN;
}

/// Is it this machine's own, whatever else is plugged in? The whole host must be one of these: what
/// only begins like them may be a name of another, or a source before a semicolon.
static bool is_loopback(const char *endpoint)
{
    static const char *const hosts[] = {"localhost", "[::1]", "lo"};
    static const char tcp[] = "tcp://";
    if (strncmp(endpoint, tcp, strlen(tcp)) != 0) {
        return strncmp(endpoint, "ipc://", 6) == 0 || strncmp(endpoint, "inproc://", 9) == 0;
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

rp_config_outcome_t rp_config_read(int argc, char **argv, rp_config_t *config)
{
    *config = defaults;
    config->maps = calloc(RP_CONFIG_MAPS, sizeof *config->maps);
    if (config->maps == NULL) {
        fprintf(stderr, "repland: no memory\n");
        return RP_CONFIG_BAD;
    }
    rp_config_outcome_t outcome = read_flags(argc, argv, config, true);
    if (outcome == RP_CONFIG_RUN) {
        outcome = read_flags(argc, argv, config, false);
    }
    if (outcome == RP_CONFIG_RUN && config->is_disk && config->state[0] == '\0') {
        fprintf(stderr, "repland: durability: disk needs a folder, see --state\n");
        return RP_CONFIG_BAD;
    }
    if (outcome == RP_CONFIG_RUN && config->record[0] != '\0' &&
        (config->workers != 0 || config->state[0] != '\0')) {
        fprintf(stderr, "repland: record: goes with workers: 0 and without a state folder only\n");
        return RP_CONFIG_BAD;
    }
    return outcome != RP_CONFIG_RUN || are_safe(config) ? outcome : RP_CONFIG_BAD;
}

void rp_config_fini(rp_config_t *self)
{
    free(self->maps);
    self->maps = NULL;
}
