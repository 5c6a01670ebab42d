/// `replan cheat`: twelve lines to paste.
#include <getopt.h>
#include <stdio.h>
#include <string.h>

#include "replan/client.h"
#include "tools/commands.h"
#include "tools/flags.h"

static const char help[] =
    "usage: replan cheat [--control EP]\n"
    "\n"
    "Print twelve lines that work as pasted into a shell, in their order: from a daemon that is\n"
    "started to a path, a wall, the reason why the path turned, and a picture.\n"
    "\n"
    "  -c, --control EP\n"
    "                 print them for a daemon at this endpoint, which must run already\n"
    "  --help         this text\n"
    "\n"
    "exit codes: 0 fine, 2 bad input\n"
    "\n"
    "example: replan cheat | sh\n";

typedef struct line {
    const char *command; ///< "replan ctl"
    const char *rest;    ///< what comes behind the endpoint
    const char *comment;
} line_t;

static const line_t lines[] = {
    {"replan ctl", "create arena --size 40x20", "a world of 40 x 20 cells, a metre each"},
    {"replan ctl", "open arena scout 1.5 1.5 38.5 18.5", "an agent: where it is, where it goes"},
    {"replan ctl", "answer arena scout --bends", "its path, as a line of points"},
    {"replan ctl", "set arena 20 0 1 19 0 --wait settled",
     "a wall; byte 0 blocks; who had to turn"},
    {"replan ctl", "why arena scout", "its last answers, and what caused each"},
    {"replan ctl", "disc arena 7 10 9 2.5 0 --ttl 60000", "a round obstacle, gone after a minute"},
    {"replan watch", "arena --count 1", "answers, as they come"},
    {"replan ctl", "agents arena", "all agents, and what each answered last"},
    {"replan ctl", "snapshot arena --output arena.png", "the world as a picture"},
    {"replan load", "--seconds 1", "changes a second, change to path"},
    {"replan ctl", "peers", "who is connected, and what waits"},
};
#define LINE_COUNT (sizeof lines / sizeof lines[0])

typedef struct command {
    char text[256];
} command_t;

/// @param endpoint  "-c EP ", or empty
static command_t command_of(const line_t *line, const char *endpoint)
{
    command_t command;
    (void)snprintf(command.text, sizeof command.text, "%s %s%s", line->command, endpoint,
                   line->rest);
    return command;
}

/// The comments stand under each other.
/// @param control  NULL: a daemon is started, on the ports that all programs know
static void print_lines(const char *control)
{
    static const line_t start = {"repland", "2>repland.log &",
                                 "a daemon; it speaks on ports 7401 to 7404"};
    static const line_t look = {"replan ctl", "worlds", "the daemon's worlds"};
    const line_t *all[1 + LINE_COUNT] = {control == NULL ? &start : &look};
    char endpoint[128] = "";
    int width = 0;
    if (control != NULL) {
        (void)snprintf(endpoint, sizeof endpoint, "-c %s ", control);
    }
    for (size_t i = 0; i < LINE_COUNT; i++) {
        all[1 + i] = &lines[i];
    }
    for (size_t i = 0; i <= LINE_COUNT; i++) {
        const command_t command = command_of(all[i], endpoint);
        const int length = (int)strlen(command.text);
        width = length > width ? length : width;
    }
    for (size_t i = 0; i <= LINE_COUNT; i++) {
        printf("%-*s  # %s\n", width, command_of(all[i], endpoint).text, all[i]->comment);
    }
}

/// True when a shell takes it as one word, and it has a scheme; else says why not.
static bool is_pasteable(const char *program, const char *control)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
                                ":/._@-";
    if (strstr(control, "://") == NULL) {
        fprintf(stderr, "%s: --control: \"%s\" %s\n", program, control,
                rp_client_endpoint_fault(control));
        return false;
    }
    if (control[strspn(control, plain)] != '\0') {
        fprintf(stderr, "%s: --control: \"%s\" has a character that a shell takes for its own\n",
                program, control);
        return false;
    }
    return true;
}

int rp_cheat_main(int argc, char **argv)
{
    const char *control = NULL;
    const rp_flag_t flag = {.name = "--control", .text = &control};
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    if (!rp_flags_read(argv[0], &flag, 1, argc, argv)) {
        return RP_EXIT_INPUT;
    }
    if (optind != argc) {
        fprintf(stderr, "%s: \"%s\" is one argument too many, it takes options only\n", argv[0],
                argv[optind]);
        return RP_EXIT_INPUT;
    }
    if (control != NULL && !is_pasteable(argv[0], control)) {
        return RP_EXIT_INPUT;
    }
    print_lines(control);
    return RP_EXIT_FINE;
}
