/// A list of what searches tell. It is the module's own, as rp_trace() knows no owner.
#include "clients/wasm/module/trace.h"

#include <assert.h>
#include <stdlib.h>

#include "replan/trace.h"

#define KIND_SHIFT 28u
#define CELL_MASK  ((1u << KIND_SHIFT) - 1u)
#define WORDS_MOST (1u << 22)

static_assert(RP_GRID_CELLS_MAX <= CELL_MASK + 1u,
              "a kind fits above a cell; the last is on the rim");

static struct trace {
    uint32_t *words;
    uint32_t count;
    uint32_t capacity;
    bool is_listening;
    bool wants_reused;
    bool is_told; ///< the words name cells of the world, no longer of a grid
} trace;

static bool has_room(void)
{
    if (trace.count < trace.capacity) {
        return true;
    }
    const uint32_t capacity = trace.capacity != 0 ? trace.capacity * 2u : 4096u;
    uint32_t *words =
        capacity <= WORDS_MOST ? realloc(trace.words, capacity * sizeof *words) : NULL;
    if (words == NULL) {
        return false;
    }
    trace.words = words;
    trace.capacity = capacity;
    return true;
}

bool rp_trace(rp_cell_t cell, rp_trace_kind_t kind)
{
    if (!trace.is_listening || (kind == RP_TRACE_REUSED && !trace.wants_reused)) {
        return false;
    }
    const bool is_question = kind == RP_TRACE_REUSED && cell == RP_NO_CELL;
    if (!is_question && has_room()) {
        const uint32_t place = cell == RP_NO_CELL ? CELL_MASK : cell;
        trace.words[trace.count++] = place | (uint32_t)kind << KIND_SHIFT;
    }
    return true;
}

void rp_js_trace_begin(bool wants_reused)
{
    trace.count = 0;
    trace.is_listening = true;
    trace.wants_reused = wants_reused;
    trace.is_told = false;
}

uint32_t rp_js_trace_end(void)
{
    trace.is_listening = false;
    return trace.count;
}

/// How far apart rows lie in grids so wide; 0 without memory.
static uint32_t stride_of(uint32_t width)
{
    const rp_grid_shape_t shape = {
        .width = width, .height = 1, .neighbors = 4, .unit = 1, .least = 1};
    rp_grid_t *grid;
    if (rp_grid_new(&shape, &grid) != RP_OK) {
        return 0;
    }
    const uint32_t stride = grid->stride;
    rp_grid_destroy(&grid);
    return stride;
}

const uint32_t *rp_js_trace_told(uint32_t width)
{
    const uint32_t stride = trace.is_told ? 0 : stride_of(width);
    trace.is_told = trace.is_told || stride != 0;
    for (uint32_t i = 0; stride != 0 && i < trace.count; i++) {
        const uint32_t cell = trace.words[i] & CELL_MASK;
        const uint32_t kind = trace.words[i] & ~CELL_MASK;
        if (cell != CELL_MASK) {
            trace.words[i] = kind | ((cell / stride - 1u) * width + cell % stride - 1u);
        }
    }
    return trace.words;
}
