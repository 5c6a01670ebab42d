/// @file
/// Pixels in a terminal: two a character by half blocks, or one per two blanks where there are no
/// half blocks. 256 colours where the terminal has them, else eight.
#ifndef REPLAN_VIEW_CANVAS_H
#define REPLAN_VIEW_CANVAS_H

#include <stdbool.h>
#include <stdint.h>
#include <wchar.h>

/// Paints, by meaning; canvas.c says what they look like.
typedef enum rp_paint {
    RP_PAINT_NOTHING, ///< outside the world
    RP_PAINT_FOG,
    RP_PAINT_FLOOR,
    RP_PAINT_GRASS,
    RP_PAINT_MEADOW, ///< a second shade of grass
    RP_PAINT_HIGHLAND,
    RP_PAINT_SAND,
    RP_PAINT_ROAD,
    RP_PAINT_RAMP,
    RP_PAINT_BRIDGE,
    RP_PAINT_RUBBLE,
    RP_PAINT_TREE,
    RP_PAINT_SPRUCE, ///< a second shade of tree
    RP_PAINT_WATER,
    RP_PAINT_WAVE, ///< a second shade of water
    RP_PAINT_CLIFF,
    RP_PAINT_BUILDING,
    RP_PAINT_WALL,
    RP_PAINT_COSTLY, ///< ground that costs more than normal, in three steps
    RP_PAINT_COSTLIER,
    RP_PAINT_COSTLIEST,
    RP_PAINT_INSCRIBED,     ///< a byte that blocks and is no obstacle
    RP_PAINT_DEAR,          ///< dear for the chosen agent's body: inflation
    RP_PAINT_NEAR,          ///< too near to an obstacle for it
    RP_PAINT_GHOST,         ///< a path of a moment ago
    RP_PAINT_FLASH,         ///< a path that is new
    RP_PAINT_FRESH_BLOCKED, ///< became blocked a moment ago
    RP_PAINT_FRESH_FREE,    ///< became free a moment ago
    RP_PAINT_TEXT,
    RP_PAINT_FAINT, ///< text of less weight
    RP_PAINT_GOOD,
    RP_PAINT_BAD,
    RP_PAINT_BAR,   ///< behind text
    RP_PAINT_AGENT, ///< the first of RP_PAINT_AGENTS
    RP_PAINT_AGENT_LAST = RP_PAINT_AGENT + 7,
    RP_PAINT_COUNT,
} rp_paint_t;

#define RP_PAINT_AGENTS 8u

typedef struct rp_canvas {
    int columns; ///< characters of the terminal
    int rows;
    int width; ///< pixels of the picture
    int height;
    uint8_t *pixels;  ///< rp_paint_t each, owned [width * height]
    bool half_blocks; ///< two pixels to a character
    bool many_colours;
    bool *has_pair; ///< by pair number, owned
} rp_canvas_t;

/// Take over the terminal. @return false when it cannot (no terminal type, no colours, no memory)
bool rp_canvas_open(rp_canvas_t *self);

/// Give the terminal back as it was.
void rp_canvas_close(rp_canvas_t *self);

/// Fit the picture between `above` and `below` rows of text. @return false without memory
bool rp_canvas_fit(rp_canvas_t *self, int above, int below);

/// Put the pixels into the terminal, from row `above` on.
void rp_canvas_paint(rp_canvas_t *self, int above);

/// Where a pixel stands in the terminal. @return false outside of the picture
bool rp_canvas_place(const rp_canvas_t *self, int above, int x, int y, int *row, int *column);

/// One letter in bold; outside of the terminal nothing happens.
/// @param paper  RP_PAINT_NOTHING: black
void rp_canvas_letter(rp_canvas_t *self, int row, int column, wchar_t letter, rp_paint_t ink,
                      rp_paint_t paper);

/// Text from a column on, in ASCII; what does not fit is cut. @return the column behind it all
int rp_canvas_text(rp_canvas_t *self, int row, int column, rp_paint_t ink, const char *text);

/// Fill a row with the bar's paint.
void rp_canvas_bar(rp_canvas_t *self, int row);

/// Show what was drawn.
void rp_canvas_show(rp_canvas_t *self);

#endif
