/// A format that cannot hold a map is no failure, but nobody should have to find out.
#include "tools/save_map.h"

#include <stdio.h>

#include "tools/commands.h"

int rp_save_map(const char *what, const char *path, const rp_map_view_t *map)
{
    rp_complaint_t complaint;
    if (rp_map_save(path, map, &complaint) != RP_OK) {
        fprintf(stderr, "%s %s\n", what, complaint.sentence);
        return RP_EXIT_INPUT;
    }
    const size_t blurred = rp_map_blurred(map, rp_map_suffix_of(path));
    if (blurred != 0) {
        fprintf(
            stderr,
            "%s %s: %zu cells are written as the nearest that this format holds: free, blocked, "
            "or about as dear\n",
            what, path, blurred);
    }
    return RP_EXIT_FINE;
}
