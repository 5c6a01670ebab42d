/// @file
/// Worlds as the engine is told of them: what their bytes mean, what may happen to them, and what a
/// body demands of their ground. The calls are in engine.h.
#ifndef REPLAN_WORLD_H
#define REPLAN_WORLD_H

#include "replan/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

/// Handles of worlds, sessions and questions have 53 bits, so that a double holds them. The low
/// RP_ID_PLACE_BITS are a place, which is used again; the others make sure that no handle is given
/// twice.
#define RP_ID_PLACE_BITS 22u

/// Worlds, or sessions, that an engine can hold.
#define RP_ID_PLACES_MAX ((1u << RP_ID_PLACE_BITS) - 1u)

/// The place of a handle, for arrays of the caller's: counted from 1, of no two worlds, or
/// sessions, that are open together, and hardly greater than the most that ever were. 0 for no
/// handle.
static inline uint32_t rp_id_place(uint64_t handle)
{
    return (uint32_t)(handle & RP_ID_PLACES_MAX);
}

/// Handle of a world; 0 means none. That of a world that was closed is never given out again: calls
/// that get it return RP_E_UNKNOWN.
typedef uint64_t rp_world_id_t;

/// Where cells lie in metres, as in ROS: the origin is the corner of cell (0, 0). Points, corners
/// and regions in metres are snapped: what lies within 8 units in the last place of a border
/// between cells is on it, and a point on a border is in the cell of the greater index.
typedef struct rp_frame {
    double resolution_m; ///< side of a cell
    double origin_x_m;
    double origin_y_m;
    double origin_yaw; ///< radians, from +x towards +y
} rp_frame_t;

/// The byte of a cell that nobody has seen yet, in every profile.
#define RP_BYTE_UNKNOWN 255u

/// What an unknown cell counts as.
typedef enum rp_unknown {
    RP_UNKNOWN_FREE, ///< normal ground
    RP_UNKNOWN_BLOCKED,
    RP_UNKNOWN_FACTOR, ///< a factor of its own
} rp_unknown_t;

#define RP_PROFILE_NAME_MAX 32u
#define RP_PROFILES_MAX     16u ///< of one world, the built-in ones not counted

/// A profile that a world brings: what its bytes mean to one kind of mover.
typedef struct rp_profile_options {
    const char *name;       ///< 1..RP_PROFILE_NAME_MAX characters, not that of a built-in one
    const uint8_t *factors; ///< by byte: 0 blocks [256]; NULL: those of `like`, with its unit
    const char *like;       ///< "factor" or "costmap"; NULL: "factor"
    uint8_t unit;           ///< factor of normal ground; some byte must have it
    rp_unknown_t unknown;
    uint8_t unknown_factor; ///< with RP_UNKNOWN_FACTOR, from 1

    /// Bytes that block without being an obstacle: an agent on such a cell finds its way out of it
    /// (rp_answer_t.way_x), as out of inflation. Each of them blocks, none is unknown. Those of
    /// `like` are inscribed without being named; 253 of "costmap" is [inscribed_count]
    const uint8_t *inscribed;
    size_t inscribed_count;
} rp_profile_options_t;

#define RP_WINDOWS_KEPT     256u  ///< of one world: that may still be named
#define RP_WINDOW_RECTS_MAX 1024u ///< of one window

/// A window that a world is, or was. What stands in cell (x, y) of one window of a world stands in
/// cell (x + offset_x - other.offset_x, y + offset_y - other.offset_y) of another one.
typedef struct rp_known_window {
    uint64_t number;  ///< from 1; 0: none
    int64_t offset_x; ///< the nearest whole number of cells from the origin of window 1, along the
                      ///< world's yaw; half rounds up
    int64_t offset_y;
    uint32_t width;
    uint32_t height;
    double origin_x_m; ///< exactly what was told
    double origin_y_m;
} rp_known_window_t;

/// The windows of a world: what is needed to open it again where it was.
typedef struct rp_windows {
    uint64_t newest;  ///< number of the one that the world is
    double first_x_m; ///< origin of window 1
    double first_y_m;
    double told_x_m; ///< origin that was told last in metres, and the offset of that window
    double told_y_m;
    int64_t told_offset_x;
    int64_t told_offset_y;
    rp_known_window_t list[RP_WINDOWS_KEPT]; ///< window n stands at n modulo the number
} rp_windows_t;

typedef struct rp_world_options {
    uint32_t width;      ///< cells, 1..RP_GRID_SIDE_MAX (from 3 when wrapped)
    uint32_t height;     ///< cells
    uint8_t neighbors;   ///< 4 or 8
    bool wraps;          ///< a torus
    const char *profile; ///< what a byte means: "factor", "costmap", or one of `profiles`; NULL:
                         ///< "factor"
    const rp_profile_options_t *profiles; ///< borrowed until return [profile_count]
    size_t profile_count;                 ///< at most RP_PROFILES_MAX
    rp_frame_t frame;
    const uint8_t *data; ///< borrowed until return [width * height]; NULL: the same byte everywhere
    uint8_t *given; ///< instead of `data`, to spare a copy: from malloc(), and owned by the world
                    ///< once it is open [width * height]; NULL: none
    bool is_filled; ///< with neither of these: every cell is `fill`; else normal ground
    uint8_t fill;
    uint64_t first_version;      ///< of a world that is opened again: its version; 0: 1
    const rp_windows_t *windows; ///< of a world that is opened again: what it was, its frame the
                                 ///< newest; borrowed until return; NULL: this is window 1

    /// The XOR, over some cells from y * width + x = `first` on, of a number for "this byte stands
    /// in this cell"; NULL: none. The world keeps it for all cells (rp_engine_hash()), by which two
    /// copies of it can be compared.
    uint64_t (*cells_hash)(uint64_t first, const uint8_t *bytes, uint64_t count);
} rp_world_options_t;

/// The event behind an answer, for measuring latency. The engine only passes it on.
typedef struct rp_cause {
    uint64_t source_us;  ///< when the sender sent it, by the sender's clock
    uint64_t arrival_us; ///< when it arrived, by the caller's clock
} rp_cause_t;

/// What an edit, shapes or a window will make of a world's bytes, prepared before it is applied.
typedef struct rp_staged_edit rp_staged_edit_t;

/// Cells to rewrite, atomically: first the rectangle, then the single cells. All arrays are
/// borrowed until return.
typedef struct rp_edit {
    uint32_t x;
    uint32_t y;
    uint32_t width; ///< 0: no rectangle
    uint32_t height;
    const uint8_t *data;   ///< row by row, or NULL: `fill` everywhere
    uint32_t stride;       ///< bytes of `data` from one row to the next; 0: width
    const uint32_t *cells; ///< y * world width + x [cell_count]
    const uint8_t *values; ///< a byte a cell [cell_count], or NULL: `value` for all
    size_t cell_count;
    uint8_t fill;
    uint8_t value;
    rp_staged_edit_t *staged_edit; ///< of this edit, by rp_engine_stage(): then it takes far less
                                   ///< time; NULL: there is none
} rp_edit_t;

/// Bytes from the first of `data` to its last.
static inline size_t rp_edit_data_bytes(const rp_edit_t *edit)
{
    const size_t stride = edit->stride != 0 ? edit->stride : edit->width;
    return edit->width != 0 && edit->height != 0 ? (edit->height - 1u) * stride + edit->width : 0u;
}

#define RP_CORNERS_MAX 64u        ///< of one polygon
#define RP_SHAPES_MAX  4096u      ///< of one world
#define RP_COVERED_MAX (1u << 24) ///< of one world: cells under its shapes, counted for each shape

/// Something that lies over a world's cells. It hides the bytes of every cell whose inside it
/// meets; one that meets none, a point or a line on borders, those of the cells that its points lie
/// in (the greater index). When it moves or goes, they show again. A shape that was put later lies
/// above; one that moves keeps its place.
typedef struct rp_shape {
    uint32_t id;         ///< the caller's choice; a shape of the same id is replaced
    uint32_t corners;    ///< 1: a disc around that point; 3..RP_CORNERS_MAX: a polygon
    const double *x_m;   ///< borrowed until return [corners]
    const double *y_m;   ///< borrowed until return [corners]
    double radius_m;     ///< of a disc
    uint64_t expires_us; ///< by the clock of rp_engine_step(); 0: never
    uint8_t byte;        ///< that the cells under it have
} rp_shape_t;

/// What happens to the shapes of a world, atomically: first some go, then others are put.
typedef struct rp_overlay_edit {
    const rp_shape_t *shapes; ///< borrowed until return [shape_count]
    size_t shape_count;
    const uint32_t *removed; ///< ids; one that is not there is no error [removed_count]
    size_t removed_count;
    bool clears;                   ///< remove every shape that was there
    rp_staged_edit_t *staged_edit; ///< of this edit, as of rp_edit_t; NULL: there is none
} rp_overlay_edit_t;

/// The rectangle that a world is to become: named in cells of the world as it is now, or by the
/// corner's place in the frame, which need not be whole cells away.
typedef struct rp_window {
    int32_t x; ///< the cell that becomes (0, 0); it may lie outside
    int32_t y;
    uint32_t width;
    uint32_t height;
    bool is_told; ///< the corner is told in metres, and x, y do not count
    double origin_x_m;
    double origin_y_m;
    bool is_filled; ///< new cells get `fill`, else normal ground of the world's profile
    uint8_t fill;

    // Bytes of the window, written in the same version: of rectangles that overlap the last counts.
    // With any, each new cell lies in one of them, or `is_filled`. Borrowed until return.
    const uint32_t *rects; ///< x, y, width, height by rectangle, inside the window [4 * rect_count]
    size_t rect_count;     ///< at most RP_WINDOW_RECTS_MAX
    const uint8_t *rect_data;      ///< row by row, one rectangle after the other
    rp_staged_edit_t *staged_edit; ///< of this window, as of rp_edit_t; NULL: there is none
    bool is_judged; ///< sessions with motion had it once; those that it is too large for, if any,
                    ///< find no path
} rp_window_t;

/// What a staged edit is of: one of these, the others NULL; borrowed until the staged edit is
/// destroyed.
typedef struct rp_staged_kind {
    const rp_edit_t *edit;
    const rp_overlay_edit_t *overlay;
    const rp_window_t *window;
} rp_staged_kind_t;

#define RP_REACH_MAX  64u ///< greatest radius of a body or of an inflation, in cells
#define RP_LAYERS_MAX 16u ///< of one world

/// What an agent's body demands of the ground. Sessions with the same demands share a layer, which
/// lives as long as one of them; a world holds at most RP_LAYERS_MAX. All 0: a point, by the
/// world's own profile.
typedef struct rp_body {
    const char *profile; ///< NULL: the world's
    double radius_m;     ///< every cell whose centre is this near to that of a blocked cell blocks

    // Cells near a blocked one are dearer, by the formula of ROS' costmap_2d: byte 253 within the
    // inscribed radius, then falling exponentially with distance. The greater of this and the
    // cell's own byte counts. For profiles in which no greater byte is cheaper.
    double inscribed_radius_m; ///< at most inflation_radius_m
    double inflation_radius_m; ///< rounded up to whole cells; 0: none
    double cost_scaling;       ///< per metre

    /// A square body: it covers cells x .. x + cells - 1 and y .. y + cells - 1 of an agent in cell
    /// (x, y), all of which must be free and inside; the dearest of them counts. Instead of radii;
    /// at most RP_REACH_MAX. 0: none
    uint32_t cells;
} rp_body_t;

/// How many sessions the versions of a world concerned, summed since it was opened. The three are
/// further apart, the more plans were spared or made in vain.
typedef struct rp_invalidations {
    uint64_t asked;       ///< sessions that were sure when a version came
    uint64_t invalidated; ///< of these, those that the version might concern: they planned
    uint64_t needed;      ///< of these, those whose answer changed, or what is known about it
} rp_invalidations_t;

#ifdef __cplusplus
}
#endif

#endif
