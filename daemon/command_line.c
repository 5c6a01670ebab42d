/// Help and flags.
#include "daemon/command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "daemon/config_file.h"
#include "daemon/settings.h"

static const char help_options[] =
    "usage: repland [options]\n"
    "Incremental path planning: takes cell changes, poses and goals over ZeroMQ, keeps each\n"
    "agent's shortest path up to date. Runs until SIGTERM or SIGINT.\n"
    "\n"
    "  --config FILE        YAML with these keys, each as its flag: changes, paths, control,\n"
    "                       poses, changes_from, poses_from, planner, workers, log, log_file,\n"
    "                       awake_us, memory, pages, paranoid, state, durability, record;\n"
    "                       insecure: true or false; maps: a list of mappings with file and\n"
    "                       optionally name. A flag overrides its key\n"
    "  --changes ENDPOINT   clients publish changes here          (tcp://127.0.0.1:7401)\n"
    "  --paths ENDPOINT     publishes paths, deltas and heads     (tcp://127.0.0.1:7402)\n"
    "  --control ENDPOINT   requests, replies, watches            (tcp://127.0.0.1:7403)\n"
    "  --poses ENDPOINT     clients publish poses and goals here  (tcp://127.0.0.1:7404)\n"
    "                       ENDPOINT is tcp://127.0.0.1:PORT, where PORT may be *, or ipc://PATH\n"
    "  --changes-from ENDPOINT, --poses-from ENDPOINT\n"
    "                       also connect to a publisher that binds this endpoint\n"
    "  --insecure           allow an ENDPOINT off loopback. There are no keys and no encryption:\n"
    "                       whoever can reach it may do everything\n"
    "  --planner ID         for agents that name none (auto); `replan planners` lists them\n"
    "  --map FILE[=NAME]    open a .map, PNG, PGM or map_server's YAML as a world; repeatable\n"
    "  --state DIR          keep worlds, publishers and agents in DIR. What was acknowledged\n"
    "                       survives kill -9 and is there at the next start. One repland a DIR.\n"
    "                       A map that is in DIR wins over --map\n"
    "  --salvage            start from what is left of a damaged DIR, and log what is lost, world\n"
    "                       by world. Damaged files stay as *.damaged. Not a key of the YAML file\n"
    "  --durability WORD    acknowledge a change when it survives the end of the process\n"
    "                       (process, the default) or the loss of power (disk)\n"
    "  --workers N          plan on N threads (0, the default: on none; at most 16). Agents with\n"
    "                       the same goals share one thread\n"
    "  --log LEVEL          error, warn, info (default) or debug; lines of key=value on stderr\n"
    "  --log-file FILE      append the log to FILE instead. SIGHUP reopens FILE, so that it may\n"
    "                       be moved away. Logging never blocks: lines that cannot be written\n"
    "                       are counted (event=log lost=N)\n"
    "  --awake-us N         while messages come closer together than this, busy-wait for the next\n"
    "                       one; saves a wake-up of some 50 us (500; 0 sleeps at once)\n"
    "  --memory BYTES       limit of memory (1G); K, M, G may follow. At the limit the least\n"
    "                       recently useful search state is evicted, and searched again when\n"
    "                       needed. Worlds, layers, agents and shapes beyond it are refused\n"
    "  --pages WORD         small (default): pages of 4 KB. huge: pages of 2 MB where the system\n"
    "                       has them; searches on the largest worlds are some 5 % faster, but on\n"
    "                       some hosts a huge page takes 10 ms, during which nobody is served\n"
    "  --paranoid N         check each Nth plan of an agent with an independent search, which\n"
    "                       costs as much as a plan from scratch; `replan ctl stats` counts\n"
    "                       planner.checked and planner.differed (0: none)\n"
    "  --record FILE        write everything that comes in to FILE, for --replay; not with\n"
    "                       --workers or --state\n"
    "  --replay FILE        play a recording without sockets, and compare what is sent with what\n"
    "                       was sent then: exit code 0 when the bytes are the same, 1 when not\n"
    "  --mcap FILE          with --replay: write what happened in all its worlds to FILE as well,\n"
    "                       as `replan record --mcap` does of a daemon that runs\n"
    "  --version, --help\n";

static const char help_end[] =
    "\n"
    "A configuration file:\n"
    "  control: tcp://127.0.0.1:7403\n"
    "  planner: lpa\n"
    "  maps:\n"
    "    - file: arena.map\n"
    "      name: arena\n"
    "\n"
    "Exit codes: 0 stopped by a signal, or a recording replayed the same; 1 it did not; 2 bad\n"
    "options, configuration, map, state or recording.\n";

// ---- flags

/// Those that are no settings; a setting's is its number.
enum {
    FLAG_CONFIG = RP_SETTING_COUNT,
    FLAG_MAP,
    FLAG_REPLAY,
    FLAG_MCAP,
    FLAG_INSECURE,
    FLAG_SALVAGE,
    FLAG_VERSION,
    FLAG_HELP,
    FLAG_COUNT,
};

static void list_flags(struct option flags[FLAG_COUNT + 1])
{
    static const struct option others[] = {
        {"config", required_argument, NULL, FLAG_CONFIG},
        {"map", required_argument, NULL, FLAG_MAP},
        {"replay", required_argument, NULL, FLAG_REPLAY},
        {"mcap", required_argument, NULL, FLAG_MCAP},
        {"insecure", no_argument, NULL, FLAG_INSECURE},
        {"salvage", no_argument, NULL, FLAG_SALVAGE},
        {"version", no_argument, NULL, FLAG_VERSION},
        {"help", no_argument, NULL, FLAG_HELP},
        {NULL, 0, NULL, 0},
    };
    for (int i = 0; i < RP_SETTING_COUNT; i++) {
        flags[i] = (struct option){rp_setting_flag((unsigned)i), required_argument, NULL, i};
    }
    memcpy(flags + RP_SETTING_COUNT, others, sizeof others);
}

/// FILE or FILE=NAME.
static bool take_map_flag(rp_config_t *config, const char *value)
{
    const char *sign = strrchr(value, '=');
    char file[sizeof config->maps[0].file];
    if (sign == NULL) {
        return rp_setting_add_map(config, value, NULL);
    }
    const size_t length = (size_t)(sign - value);
    if (length >= sizeof file) {
        fprintf(stderr, "repland: map: the file's name has more than %zu characters\n",
                sizeof file - 1u);
        return false;
    }
    memcpy(file, value, length);
    file[length] = '\0';
    return rp_setting_add_map(config, file, sign + 1);
}

static bool take_flag(rp_config_t *config, int flag, const char *word)
{
    switch (flag) {
    case FLAG_MAP:
        return take_map_flag(config, word);
    case FLAG_REPLAY:
        return rp_setting_copy(config->replay, sizeof config->replay, word, "--replay");
    case FLAG_MCAP:
        return rp_setting_copy(config->mcap, sizeof config->mcap, word, "--mcap");
    case FLAG_INSECURE:
        config->insecure = true;
        return true;
    case FLAG_SALVAGE:
        config->salvages = true;
        return true;
    default:
        return rp_setting_take((unsigned)flag, config, word, true);
    }
}

/// One pass over the flags: first only --config, so that all others win over the file.
static rp_command_line_t read_flags(int argc, char **argv, rp_config_t *config, bool is_first)
{
    struct option flags[FLAG_COUNT + 1];
    int flag;
    list_flags(flags);
    optind = 1;
    while ((flag = getopt_long(argc, argv, "", flags, NULL)) != -1) {
        if (flag == '?') {
            fprintf(stderr, "repland: see repland --help\n");
            return RP_COMMAND_LINE_BAD;
        }
        if (flag == FLAG_HELP || flag == FLAG_VERSION) {
            fputs(flag == FLAG_HELP ? help_options : "repland " REPLAN_VERSION "\n", stdout);
            fputs(flag == FLAG_HELP ? help_end : "", stdout);
            return RP_COMMAND_LINE_DONE;
        }
        const bool is_file = flag == FLAG_CONFIG;
        if (is_first && is_file && !rp_config_file_read(config, optarg)) {
            return RP_COMMAND_LINE_BAD;
        }
        if (!is_first && !is_file && !take_flag(config, flag, optarg)) {
            return RP_COMMAND_LINE_BAD;
        }
    }
    if (optind < argc) {
        fprintf(stderr, "repland: \"%s\" is not an option; see repland --help\n", argv[optind]);
        return RP_COMMAND_LINE_BAD;
    }
    return RP_COMMAND_LINE_RUN;
}

rp_command_line_t rp_command_line_read(int argc, char **argv, rp_config_t *config)
{
    if (!rp_config_init(config)) {
        fprintf(stderr, "repland: no memory\n");
        return RP_COMMAND_LINE_BAD;
    }
    rp_command_line_t outcome = read_flags(argc, argv, config, true);
    if (outcome == RP_COMMAND_LINE_RUN) {
        outcome = read_flags(argc, argv, config, false);
    }
    return outcome != RP_COMMAND_LINE_RUN || rp_config_is_sound(config) ? outcome
                                                                        : RP_COMMAND_LINE_BAD;
}
