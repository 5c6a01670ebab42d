/// Counts through planners, structures of OPEN and variants, and leaves out what a planner lacks.
#include "tests/support/contestant.h"

#include <stdio.h>

#define OPENS    2u
#define VARIANTS 3u

static bool is_offered(uint32_t capabilities, const rp_member_options_t *options)
{
    static const uint32_t needed_open[OPENS] = {0, RP_CAN_OPEN_BUCKETS};
    const uint32_t needed =
        needed_open[options->open] | (options->variant != 0 ? RP_CAN_VARIANTS : 0u);
    return (capabilities & needed) == needed;
}

static void write_name(rp_contestant_t *contestant)
{
    static const char *const opens[OPENS] = {"heap", "buckets"};
    const rp_member_options_t *options = &contestant->options;
    char variant[16] = "";
    if (options->variant != 0) {
        snprintf(variant, sizeof variant, " --variant %u", options->variant);
    }
    snprintf(contestant->name, sizeof contestant->name, "%s --open %s%s", contestant->info->id,
             opens[options->open], variant);
}

bool rp_contestant_at(size_t index, rp_contestant_t *contestant)
{
    const rp_planner_info_t *info;
    for (size_t planner = 0; (info = rp_planner_info(planner)) != NULL; planner++) {
        for (unsigned form = 0; form < OPENS * VARIANTS; form++) {
            const rp_member_options_t options = {
                .open = (rp_open_t)(form % OPENS),
                .variant = (uint8_t)(form / OPENS),
            };
            if (!is_offered(info->capabilities, &options) || index-- != 0) {
                continue;
            }
            *contestant = (rp_contestant_t){.info = info, .options = options};
            write_name(contestant);
            return true;
        }
    }
    return false;
}

size_t rp_contestant_count(void)
{
    rp_contestant_t contestant;
    size_t count = 0;
    while (rp_contestant_at(count, &contestant)) {
        count++;
    }
    return count;
}
