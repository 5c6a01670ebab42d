/// @file
/// Picture: the pixels of a window on a scene, and what it remembers from one frame to the next:
/// - a path that another one replaces stays for a second as a ghost, and the new one flashes;
/// - a pixel that became blocked or free glows, unless so many do that nothing else would be seen;
/// - ground that is too near to obstacles for the chosen agent's body, or dear for it, is tinted.
#ifndef REPLAN_VIEW_PICTURE_H
#define REPLAN_VIEW_PICTURE_H

#include "view/scene.h"

/// How long a ghost is seen.
#define RP_PICTURE_GHOST_US 1000000u

/// What is remembered of an agent.
typedef struct rp_picture_agent {
    char name[33];
    uint64_t path_seq;
    uint32_t *path; ///< as it was in the frame before, owned [path_count]
    size_t path_count;
    size_t path_capacity;
    uint32_t *ghost; ///< the path before the newest answer, owned [ghost_count]
    size_t ghost_count;
    size_t ghost_capacity;
    uint64_t turned_us; ///< when it was replaced; 0: never
    uint64_t flash_us;  ///< when the path flashed last; 0: never
    const char *why;    ///< it was, in a word or two; NULL: nothing to tell
} rp_picture_agent_t;

typedef struct rp_picture {
    int width; ///< pixels
    int height;
    int zoom; ///< cells a pixel: 1, 2, 4, .., at last as many as show all of the world
    int left; ///< cell in the upper left corner
    int top;

    uint8_t *ground;    ///< rp_paint_t of each pixel without paths, owned, as all arrays of pixels
    uint8_t *pixels;    ///< with them
    uint64_t *fresh_us; ///< when it became blocked or free; 0: long ago
    float *distances;   ///< in pixels, to what blocks
    uint32_t seen[RP_PAINT_COUNT]; ///< pixels of the ground with each paint
    uint32_t fresh_count;          ///< that glow, or would
    bool is_glowing;               ///< and do: they are few
    int ground_left;               ///< the window of `ground`
    int ground_top;
    int ground_zoom; ///< 0: there is none

    rp_picture_agent_t *agents; ///< owned [agent_count]
    uint32_t agent_count;
    char event[128]; ///< what an agent said last, in words
    uint64_t event_us;
    uint32_t event_agent;
} rp_picture_t;

void rp_picture_fini(rp_picture_t *self);

/// Give the picture a size; when that is another one, nothing of the ground is remembered.
/// @return false without memory
bool rp_picture_fit(rp_picture_t *self, int width, int height);

/// Draw all pixels. @param chosen  agent whose path is on top, and whose body tints the ground
/// @return false without memory
bool rp_picture_draw(rp_picture_t *self, const rp_view_scene_t *scene, uint32_t chosen);

/// The pixel of a cell; outside of the picture one that is outside. On a torus the window may show
/// its other side.
void rp_picture_pixel_of(const rp_picture_t *self, const rp_view_scene_t *scene, uint32_t cell,
                         int *x, int *y);

static inline rp_paint_t rp_paint_of_agent(uint32_t number)
{
    return (rp_paint_t)(RP_PAINT_AGENT + number % RP_PAINT_AGENTS);
}

#endif
