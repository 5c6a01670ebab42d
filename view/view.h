/// @file
/// Terminal view of a world and its agents: a part of the map that follows an agent or is scrolled,
/// paths in the colours of their agents, text above, legend and keys below.
///
/// It knows no daemon and no simulation: for each frame its owner tells what there is.
///
///     rp_view_begin(view);
///     rp_view_write(view, 0, 1, RP_PAINT_TEXT, "marsh");   // the owner's text: rows 0 and 1
///     rp_view_draw(view, &scene);                          // all the rest
#ifndef REPLAN_VIEW_VIEW_H
#define REPLAN_VIEW_VIEW_H

#include "view/picture.h"

typedef struct rp_view {
    rp_canvas_t canvas;
    rp_picture_t picture;
    bool *taken; ///< characters that hold a label, owned [taken_count]
    size_t taken_count;
    uint32_t chosen; ///< agent that is followed
    bool follows;
    bool is_placed; ///< the zoom was chosen
    bool is_paused;
    bool shows_keys;
    int fit;       ///< zoom at which the whole world is seen
    int row_0_end; ///< column behind the owner's text
} rp_view_t;

/// Take over the terminal. @return false when it cannot: do without a view then
bool rp_view_open(rp_view_t *self);

/// Gives the terminal back. Accepts one that was not opened.
void rp_view_close(rp_view_t *self);

/// Take the keys that were pressed. @return false for q
bool rp_view_take_keys(rp_view_t *self);

/// Begin a frame: the rows above the map are empty then. @return false without memory
bool rp_view_begin(rp_view_t *self);

/// Text in a row above the map, cut where the terminal ends. @return the column behind it
int rp_view_write(rp_view_t *self, int row, int column, rp_paint_t ink, const char *format, ...)
    __attribute__((format(printf, 5, 6)));

/// A word and its number in row 1, the number in the brighter ink. @return the column behind both
int rp_view_number(rp_view_t *self, int column, const char *word, rp_paint_t ink,
                   const char *format, ...) __attribute__((format(printf, 5, 6)));

/// Draw the map and the text that is the view's own, and show the frame.
/// @param scene  borrowed until return. @return false without memory
bool rp_view_draw(rp_view_t *self, const rp_view_scene_t *scene);

#endif
