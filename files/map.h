/// @file
/// MovingAI map (.map): `type octile`, then rows of terrain (terrain.h).
#ifndef REPLAN_FILES_MAP_H
#define REPLAN_FILES_MAP_H

#include "files/text.h"

typedef struct rp_map {
    uint32_t width;
    uint32_t height;
    uint8_t *factors; ///< owned; 1 for ground, 0 blocks; row by row [width * height]
} rp_map_t;

/// @param map  written when all is well
/// @return RP_E_INVALID or RP_E_MEMORY, with a complaint
rp_status_t rp_map_parse(const rp_text_t *text, rp_map_t *map, rp_complaint_t *complaint);

void rp_map_fini(rp_map_t *self);

#endif
