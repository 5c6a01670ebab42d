/// @file
/// Lazy fill: the bytes of a large world that opens with the same byte everywhere. They are
/// written part by part, when they are needed or when there is time. Writing pages that the system
/// has yet to find takes a millisecond for two megabytes.
#ifndef REPLAN_ENGINE_GROUND_LAZY_FILL_H
#define REPLAN_ENGINE_GROUND_LAZY_FILL_H

#include <stdbool.h>
#include <stdint.h>

typedef struct rp_lazy_fill {
    uint64_t parts; ///< bit i: the i-th is not written yet; 0: none is left
    uint64_t cells;
    uint64_t each; ///< cells of a part; the last ones may be shorter, or empty
    uint8_t byte;
} rp_lazy_fill_t;

/// Have so many bytes be this one. Fewer than a million are written at once.
/// @param bytes  [cells]
void rp_lazy_fill_init(rp_lazy_fill_t *self, uint8_t *bytes, uint64_t cells, uint8_t byte);

/// Write the parts that hold these cells. @param begin, end  within the cells
void rp_lazy_fill_need(rp_lazy_fill_t *self, uint8_t *bytes, uint64_t begin, uint64_t end);

/// Go on writing. @param budget  counted down, in expansions that take as long
/// @return true when parts are left
bool rp_lazy_fill_work(rp_lazy_fill_t *self, uint8_t *bytes, uint64_t *budget);

#endif
