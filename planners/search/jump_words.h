/// @file
/// One word of the map under jump point search: what its free bits and those round it say of stops,
/// leads and squares.
#ifndef REPLAN_SEARCH_JUMP_WORDS_H
#define REPLAN_SEARCH_JUMP_WORDS_H

#include "planners/search/jump_map.h"

/// What is compiled once for each kind of processor.
#define RP_LINE_LOOP static inline __attribute__((always_inline))

/// Places where one of the two lines beside opens, seen by who comes from smaller positions; and
/// all that block.
RP_LINE_LOOP uint64_t rp_jump_stops_onward(const uint64_t *free, size_t place, size_t stride)
{
    const uint64_t above = free[place - 1];
    const uint64_t below = free[place + 1];
    const uint64_t behind_above = above << 1 | free[place - 1 - stride] >> 63;
    const uint64_t behind_below = below << 1 | free[place + 1 - stride] >> 63;
    return (above & ~behind_above) | (below & ~behind_below) | ~free[place];
}

RP_LINE_LOOP uint64_t rp_jump_stops_backward(const uint64_t *free, size_t place, size_t stride)
{
    const uint64_t above = free[place - 1];
    const uint64_t below = free[place + 1];
    const uint64_t behind_above = above >> 1 | free[place - 1 + stride] << 63;
    const uint64_t behind_below = below >> 1 | free[place + 1 + stride] << 63;
    return (above & ~behind_above) | (below & ~behind_below) | ~free[place];
}

/// Whether a jump that enters this word at its lowest place, going up, ends on free ground; in
/// bit 0.
RP_LINE_LOOP uint64_t rp_jump_entry_onward(const rp_strips_t *self, size_t place)
{
    const uint64_t stop = self->stop[RP_ONWARD][place];
    return (stop & self->free[place]) | (~stop & self->leads[RP_ONWARD][place]);
}

/// The same at its highest place, going down; in bit 63.
RP_LINE_LOOP uint64_t rp_jump_entry_backward(const rp_strips_t *self, size_t place)
{
    const uint64_t stop = self->stop[RP_BACKWARD][place];
    return (stop & self->free[place]) | (~stop & self->leads[RP_BACKWARD][place]);
}

/// Seeds flood the open places before them, in six doublings.
RP_LINE_LOOP uint64_t rp_jump_flood_down(uint64_t seeds, uint64_t open)
{
    seeds |= open & (seeds >> 1);
    open &= open >> 1;
    seeds |= open & (seeds >> 2);
    open &= open >> 2;
    seeds |= open & (seeds >> 4);
    open &= open >> 4;
    seeds |= open & (seeds >> 8);
    open &= open >> 8;
    seeds |= open & (seeds >> 16);
    open &= open >> 16;
    seeds |= open & (seeds >> 32);
    return seeds;
}

/// And those after them.
RP_LINE_LOOP uint64_t rp_jump_flood_up(uint64_t seeds, uint64_t open)
{
    seeds |= open & (seeds << 1);
    open &= open << 1;
    seeds |= open & (seeds << 2);
    open &= open << 2;
    seeds |= open & (seeds << 4);
    open &= open << 4;
    seeds |= open & (seeds << 8);
    open &= open << 8;
    seeds |= open & (seeds << 16);
    open &= open << 16;
    seeds |= open & (seeds << 32);
    return seeds;
}

/// A place leads somewhere when the next one is a free stop, or no stop and leads somewhere. The
/// free stops flood the places before them.
RP_LINE_LOOP uint64_t rp_jump_leads_onward(const rp_strips_t *self, size_t place)
{
    const uint64_t stop = self->stop[RP_ONWARD][place];
    const uint64_t carry = rp_jump_entry_onward(self, place + self->line_stride) << 63;
    const uint64_t seeds = (stop & self->free[place]) | (~stop & carry);
    return rp_jump_flood_down(seeds, ~stop) >> 1 | carry;
}

RP_LINE_LOOP uint64_t rp_jump_leads_backward(const rp_strips_t *self, size_t place)
{
    const uint64_t stop = self->stop[RP_BACKWARD][place];
    const uint64_t carry = rp_jump_entry_backward(self, place - self->line_stride) >> 63;
    const uint64_t seeds = (stop & self->free[place]) | (~stop & carry);
    return rp_jump_flood_up(seeds, ~stop) << 1 | carry;
}

RP_LINE_LOOP uint64_t rp_jump_squares_of(const rp_strips_t *rows, size_t place)
{
    const uint64_t *free = rows->free;
    const uint64_t *right = free + rows->line_stride;
    return free[place] & free[place + 1] & (free[place] >> 1 | right[place] << 63) &
           (free[place + 1] >> 1 | right[place + 1] << 63);
}

#endif
