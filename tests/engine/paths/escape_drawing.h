/// @file
/// Worlds for the escape reference drawn as text. Rows are y from 0 downwards, all of the same
/// length; a cell is one metre, the corner of cell (0, 0) the origin.
///
///     "..#+"   `.` normal ground, 1 to 9 a factor, `#` an obstacle, `+` escape ground: blocked by
///     "S.Gg"   the layer, no obstacle
///
/// `S` the agent on escape ground, `X` in an obstacle, `A` on normal ground; `G` a goal on normal
/// ground, `g` on escape ground (several: in reading order).
#ifndef REPLAN_TESTS_ESCAPE_DRAWING_H
#define REPLAN_TESTS_ESCAPE_DRAWING_H

#include "tests/engine/paths/escape_reference.h"

typedef struct rp_escape_drawing {
    rp_escape_world_t world;
    rp_escape_question_t question; ///< from the middle of the agent's cell to all goals
} rp_escape_drawing_t;

/// Read a drawing; the test fails where it is none. 8 neighbours, no wrapping.
void rp_escape_draw(rp_escape_drawing_t *self, const char *text);

#endif
