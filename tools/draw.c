/// `replan draw`: starts the program that draws, which stands beside this one. It has its own copy
/// of the planners, compiled to tell each cell that they expand; here they would be slower for all.
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tools/commands.h"

#define SELF_BYTES 4096u
#define DRAW_NAME  "replan-draw"

int rp_draw_main(int argc, char **argv)
{
    (void)argc;
    char path[SELF_BYTES + sizeof DRAW_NAME];
    const ssize_t length = readlink("/proc/self/exe", path, SELF_BYTES);
    size_t folder = length > 0 ? (size_t)length : 0;
    while (folder > 0 && path[folder - 1u] != '/') {
        folder--;
    }
    memcpy(path + folder, DRAW_NAME, sizeof DRAW_NAME);
    execv(path, argv);
    fprintf(stderr, "replan draw: %s cannot be started: %s\n", path, strerror(errno));
    return RP_EXIT_INPUT;
}
