/// @file
/// The words of four lines that follow each other, at once: the map under jump point search keeps
/// them side by side, and each of them is computed from its own surroundings.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_FOUR_H
#define REPLAN_PLANNERS_JUMP_JUMP_FOUR_H

#include <stdbool.h>
#include <string.h>

#include "planners/jump/jump_strips.h"

/// What is compiled once for each kind of processor.
#define RP_LINE_LOOP static inline __attribute__((always_inline))

#define RP_LINES 4u

/// Handed on by address: not every processor returns them.
typedef uint64_t rp_jump_four_t __attribute__((vector_size(RP_LINES * sizeof(uint64_t))));

RP_LINE_LOOP void rp_jump_four_get(rp_jump_four_t *four, const uint64_t *words)
{
    memcpy(four, words, sizeof *four);
}

RP_LINE_LOOP void rp_jump_four_put(const rp_jump_four_t *four, uint64_t *words)
{
    memcpy(words, four, sizeof *four);
}

RP_LINE_LOOP bool rp_jump_four_is_any(const rp_jump_four_t *four)
{
    const rp_jump_four_t two = *four | __builtin_shufflevector(*four, *four, 2, 3, 0, 1);
    return (two[0] | two[1]) != 0;
}

/// Places where one of the two lines beside opens, seen by who comes from smaller or from greater
/// positions; and all that block.
RP_LINE_LOOP void rp_jump_four_settle_stops(rp_strips_t *self, size_t place)
{
    rp_jump_four_t free;
    rp_jump_four_get(&free, self->free + place);
    rp_jump_four_t onward = ~free;
    rp_jump_four_t backward = ~free;
    for (unsigned side = 0; side < 2u; side++) {
        const uint64_t *line = self->free + place - 1u + (size_t)2u * side;
        rp_jump_four_t beside;
        rp_jump_four_t before;
        rp_jump_four_t after;
        rp_jump_four_get(&beside, line);
        rp_jump_four_get(&before, line - self->line_stride);
        rp_jump_four_get(&after, line + self->line_stride);
        onward |= beside & ~(beside << 1 | before >> 63);
        backward |= beside & ~(beside >> 1 | after << 63);
    }
    rp_jump_four_put(&onward, self->stop[RP_ONWARD] + place);
    rp_jump_four_put(&backward, self->stop[RP_BACKWARD] + place);
}

// ---- leads, where the words to which jumps go from these are settled

/// What four words say of the jumps in them.
typedef struct rp_jump_four_jumps {
    rp_jump_four_t stop;
    rp_jump_four_t free;
    rp_jump_four_t leads;
} rp_jump_four_jumps_t;

RP_LINE_LOOP void rp_jump_four_load(rp_jump_four_jumps_t *four, const rp_strips_t *self,
                                    enum rp_scan way, size_t place)
{
    rp_jump_four_get(&four->stop, self->stop[way] + place);
    rp_jump_four_get(&four->free, self->free + place);
    rp_jump_four_get(&four->leads, self->leads[way] + place);
}

/// Bit 0: a jump that enters each of them ends on free ground.
RP_LINE_LOOP void rp_jump_four_enter(rp_jump_four_t *entries, const rp_jump_four_jumps_t *four,
                                     enum rp_scan way)
{
    const rp_jump_four_t all = (four->stop & four->free) | (~four->stop & four->leads);
    *entries = way == RP_ONWARD ? all & 1u : all >> 63;
}

/// Free stops flood the places before them, in six doublings.
RP_LINE_LOOP void rp_jump_four_lead_onward(rp_jump_four_jumps_t *four,
                                           const rp_jump_four_t *entries)
{
    const rp_jump_four_t carry = *entries << 63;
    rp_jump_four_t open = ~four->stop;
    rp_jump_four_t seeds = (four->stop & four->free) | (open & carry);
    for (unsigned by = 1; by < 64u; by *= 2u) {
        seeds |= open & seeds >> by;
        open &= open >> by;
    }
    four->leads = seeds >> 1 | carry;
}

/// And those after them: upwards a sum does it, for it carries to the end of a run of open places.
RP_LINE_LOOP void rp_jump_four_lead_backward(rp_jump_four_jumps_t *four,
                                             const rp_jump_four_t *entries)
{
    const rp_jump_four_t open = ~four->stop;
    const rp_jump_four_t seeds = four->stop & four->free;
    const rp_jump_four_t flooded = open & ~(open + (open & (seeds << 1 | *entries)));
    four->leads = (seeds | flooded) << 1 | *entries;
}

/// @param entries  of the words from which jumps come to these
RP_LINE_LOOP void rp_jump_four_lead(rp_jump_four_jumps_t *four, const rp_jump_four_t *entries,
                                    enum rp_scan way)
{
    if (!rp_jump_four_is_any(
            &four->stop)) { // in the open all of a word leads somewhere, or nothing
        four->leads = 0 - *entries;
    } else if (way == RP_ONWARD) {
        rp_jump_four_lead_onward(four, entries);
    } else {
        rp_jump_four_lead_backward(four, entries);
    }
}

/// @param four  written: what is settled then
RP_LINE_LOOP void rp_jump_four_settle_leads(rp_jump_four_jumps_t *four, rp_strips_t *self,
                                            enum rp_scan way, size_t place)
{
    const size_t stride = self->line_stride;
    rp_jump_four_t entries;
    rp_jump_four_load(four, self, way, way == RP_ONWARD ? place + stride : place - stride);
    rp_jump_four_enter(&entries, four, way);
    rp_jump_four_load(four, self, way, place);
    rp_jump_four_lead(four, &entries, way);
    rp_jump_four_put(&four->leads, self->leads[way] + place);
}

#endif
