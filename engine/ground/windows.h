/// @file
/// Windows: the rectangles of the plane that a world has been. Window n has a whole offset K(n),
/// the nearest whole number of cells from the origin of window 1, per axis along the world's yaw;
/// a half rounds up. Bytes move by differences of offsets, never by sums of rounded steps. So
/// after any number of shifts a byte lies less than one cell from where it was written. The frame
/// is exactly as given.
///
///     window 1  K = 0      |....|....|....|....|         origin 0.0
///     window 2  K = 0        |....|....|....|....|       origin 0.4 cells: bytes stay
///     window 3  K = 1          |....|....|....|....|     origin 0.8 cells: bytes move by one
#ifndef REPLAN_ENGINE_GROUND_WINDOWS_H
#define REPLAN_ENGINE_GROUND_WINDOWS_H

#include "replan/world.h"

/// A window in its place.
typedef struct rp_placed {
    rp_window_t window; ///< in cells of the window before: x, y are how far bytes move
    rp_frame_t frame;
    int64_t offset_x; ///< K
    int64_t offset_y;
} rp_placed_t;

/// Window 1 of a world.
void rp_windows_init(rp_windows_t *self, const rp_frame_t *frame, uint32_t width, uint32_t height);

/// Where a window comes to lie. Nothing changes.
/// @param frame  of the newest window: its resolution and yaw stay
/// @return RP_E_INVALID: sides, a rectangle that is empty or reaches outside, an origin that is not
///         finite or farther from window 1 than cells can be counted, a new cell that nothing
///         states
rp_status_t rp_windows_place(const rp_windows_t *self, const rp_frame_t *frame,
                             const rp_window_t *window, rp_placed_t *placed);

/// A placed window under the number that it would get.
rp_known_window_t rp_windows_next(const rp_windows_t *self, const rp_placed_t *placed);

/// It is the newest now. @param is_told  its origin was told in metres
void rp_windows_add(rp_windows_t *self, const rp_placed_t *placed, bool is_told);

/// @param number  0: the newest
/// @return NULL when there is none of that number, or no more
const rp_known_window_t *rp_windows_find(const rp_windows_t *self, uint64_t number);

/// The first new cell, row by row, that neither a rectangle nor `fill` states.
/// @param window  placed, its rectangles inside
/// @param old_width, old_height  sides of the window before
/// @return false when there is none. Time: O(rectangles^2)
bool rp_window_find_unstated(const rp_window_t *window, uint32_t old_width, uint32_t old_height,
                             uint32_t *x, uint32_t *y);

#endif
