/// Help and flags.
#include "daemon/command_line.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "daemon/config_file.h"
#include "daemon/settings.h"

static const char help[] =
    "usage: repland [options]\n"
    "Keeps shortest paths true while the world changes. Runs until SIGTERM or SIGINT.\n"
    "\n"
    "  --config FILE        YAML: changes, paths, control, poses, changes_from, poses_from,\n"
    "                       planner, workers, log, log_file, awake_us, memory, pages, paranoid,\n"
    "                       state, durability, record: each as its flag; insecure: true or\n"
    "                       false; maps: a list of mappings, file and perhaps name; flags win\n"
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
    "  --salvage            go on with what is left of a damaged DIR, and say what is gone, world\n"
    "                       by world; the damaged files stay as *.damaged. Not from the file\n"
    "  --durability WORD    acknowledge a change when it survives the end of the process (the\n"
    "                       default), or that of the machine (disk)\n"
    "  --workers N          plan on N threads of their own (0: none, up to 16); agents with the "
    "same\n"
    "                       goals stay together\n"
    "  --log LEVEL          error, warn, info (default) or debug; lines of key=value on stderr\n"
    "  --log-file FILE      append the log to FILE instead; SIGHUP opens FILE anew, so that it "
    "may\n"
    "                       be moved away. Whoever reads the log, or does not, holds nobody up:\n"
    "                       lines that cannot be written are counted (event=log lost=N)\n"
    "  --awake-us N         while messages come closer together than this, wait for the next one\n"
    "                       awake: it saves a wake-up of some 50 us (500; 0 sleeps at once)\n"
    "  --memory BYTES       hold no more than this: what searches know is forgotten where it was\n"
    "                       useful longest ago, and found again when needed; worlds beyond it, "
    "3.1\n"
    "                       bytes a cell, are refused; K, M, G may follow (1G)\n"
    "  --pages WORD         small (default): memory comes 4 KB at a time, and nobody waits for\n"
    "                       it; huge: 2 MB at a time where the system has them, which some hosts\n"
    "                       take 10 ms for; searches on the largest worlds are some 5 % faster\n"
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
    "Exit codes: 0 stopped by a signal, or a recording said the same; 1 it did not; 2 bad "
    "options,\n"
    "configuration, map, state or recording.\n";

// ---- flags

/// Those that are no settings; a setting's is its number.
enum {
    FLAG_CONFIG = RP_SETTING_COUNT,
    FLAG_MAP,
    FLAG_REPLAY,
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
            fputs(flag == FLAG_HELP ? help : "repland " REPLAN_VERSION "\n", stdout);
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
