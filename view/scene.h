/// @file
/// Scene: what there is to be seen, as it is told for one frame.
#ifndef REPLAN_VIEW_SCENE_H
#define REPLAN_VIEW_SCENE_H

#include <stddef.h>
#include <stdint.h>

#include "view/canvas.h"

/// No cell: of an agent without a pose, or without a goal.
#define RP_VIEW_NOWHERE UINT32_MAX

/// What an agent is and says. All is borrowed.
typedef struct rp_view_agent {
    const char *name;
    uint32_t cell; ///< y * width + x, as all cells
    uint32_t goal;
    const uint32_t *path; ///< what is left of it [path_count]
    size_t path_count;
    uint64_t path_seq;   ///< another one with each answer; 0: none came
    const char *reason;  ///< of the newest answer, a word of the wire: "invalid"
    const char *trouble; ///< why there is no path, in words; NULL: there is one, or none is awaited
    double radius;       ///< of its body, in cells: no nearer to what blocks
    double inflation;    ///< in cells: ground so near to what blocks is dear for it
} rp_view_agent_t;

typedef struct rp_view_scene {
    uint32_t width; ///< cells
    uint32_t height;
    bool wraps;
    rp_paint_t (*ground)(const void *user, uint32_t cell); ///< how a cell looks
    const void *user;
    const rp_view_agent_t *agents; ///< borrowed [agent_count]
    uint32_t agent_count;
    const char *about; ///< a sentence, shown while nothing happens
    const char *halt;  ///< why the picture does not move, in words; NULL: it does
    uint64_t now_us;   ///< a clock that never goes back
} rp_view_scene_t;

/// What it looks like is an obstacle.
static inline bool rp_paint_blocks(rp_paint_t paint)
{
    return paint >= RP_PAINT_TREE && paint <= RP_PAINT_WALL;
}

#endif
