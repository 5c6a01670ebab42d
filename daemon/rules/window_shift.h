/// @file
/// Windows by the names of the wire: what a message means that was made for an older one.
#ifndef REPLAN_DAEMON_RULES_WINDOW_SHIFT_H
#define REPLAN_DAEMON_RULES_WINDOW_SHIFT_H

#include "daemon/serving/serving.h"

/// How what is said of a window is said of the newest one.
typedef struct rp_window_shift {
    rp_known_window_t from; ///< that a message names
    rp_known_window_t to;   ///< the newest
    int64_t left;           ///< cells of the newest that lie in every window since: from here
    int64_t top;
    int64_t right; ///< up to here, exclusive; not greater than left: there are none
    int64_t bottom;
} rp_window_shift_t;

/// Find the window that a message names.
/// @param field  of the epoch and the window: "change"
/// @param epoch, window  both 0: the newest
/// @return false with the refusal filled in: GONE when it is not known any more
bool rp_window_shift_find(const rp_serving_t *self, const rp_served_t *world, const char *field,
                          uint64_t epoch, uint64_t window, rp_window_shift_t *shift,
                          rp_refusal_t *refusal);

/// Leave what lies in another window, too.
void rp_window_shift_narrow(rp_window_shift_t *self, const rp_known_window_t *window);

/// True when nothing moves.
static inline bool rp_window_shift_is_none(const rp_window_shift_t *self)
{
    return self->from.number == self->to.number;
}

/// A change as the engine is told it, in cells of the newest window. Checks that it lies in the
/// window that it names. The edit borrows its arrays, and has some of the arena.
/// @param dropped  written: cells that lie outside of any window since
/// @return false with the refusal filled in
bool rp_window_shift_change(rp_message_arena_t *arena, const Replan__V1__Change *change,
                            const rp_window_shift_t *shift, rp_edit_t *edit, uint64_t *dropped,
                            rp_refusal_t *refusal);

/// The rectangle of it alone. @param edit  has it as it stands in the older window
/// @return number of cells that are dropped
uint64_t rp_window_shift_rectangle(const rp_window_shift_t *shift, rp_edit_t *edit);

/// Does a rectangle lie in the window? @return false with the refusal filled in
bool rp_rectangle_is_inside(const Replan__V1__Change *change, const rp_known_window_t *window,
                            rp_refusal_t *refusal);

/// Does a single cell lie in the window? @param i  its number, for the refusal
bool rp_cell_is_inside(const Replan__V1__Change *change, size_t i, const rp_known_window_t *window,
                       rp_refusal_t *refusal);

/// A column or row of the older window in the newest; it may lie outside.
static inline int64_t rp_window_shift_x(const rp_window_shift_t *self, uint32_t x)
{
    return x + self->from.offset_x - self->to.offset_x;
}

static inline int64_t rp_window_shift_y(const rp_window_shift_t *self, uint32_t y)
{
    return y + self->from.offset_y - self->to.offset_y;
}

/// The same cell of the newest window. @return false when it is dropped
bool rp_window_shift_cell(const rp_window_shift_t *self, uint32_t cell, uint32_t *moved);

/// Which window the world is. @param geometry  written; both borrow from the world
void rp_encode_window(const rp_serving_t *self, const rp_served_t *world,
                      Replan__V1__Geometry *geometry, Replan__V1__Window *window);

#endif
