/// @file
/// The strips of a map of jumps (jump/jump_map.h): for each line of one axis, as bits, where
/// straight jumps end and where they lead.
#ifndef REPLAN_PLANNERS_JUMP_JUMP_STRIPS_H
#define REPLAN_PLANNERS_JUMP_JUMP_STRIPS_H

#include <stddef.h>
#include <stdint.h>

/// Jumps towards greater positions, and towards smaller ones.
enum rp_scan {
    RP_ONWARD,
    RP_BACKWARD
};

/// One axis. All arrays but `dirty` and `marked` by word [word_count * line_stride], with a strip
/// of zeros on both sides.
typedef struct rp_strips {
    uint64_t *free;
    uint64_t *stop[2];  ///< by way: a jump that arrives here ends here; blocked places included
    uint64_t *leads[2]; ///< by way: a jump from here ends on free ground
    uint64_t *dirty;    ///< one bit a word: free bits in it changed, or beside it; by block
    uint64_t *marked;   ///< one bit a block: it may not be zero [marked_count]
    uint64_t *memory;   ///< what the arrays above are parts of; that of the rows is owned
    uint32_t marked_count;
    uint32_t block_bits; ///< a word has so many blocks of 64 lines, as a power of two
    uint32_t line_count; ///< the rim included
    uint32_t line_stride;
    uint32_t word_count; ///< words of a line
} rp_strips_t;

static inline size_t rp_strips_place(const rp_strips_t *self, uint32_t line, uint32_t position)
{
    return (size_t)(position >> 6) * self->line_stride + line;
}

/// Where a jump ends, free or blocked: the first stop beyond `from`.
static inline uint32_t rp_strips_jump(const rp_strips_t *self, enum rp_scan way, uint32_t line,
                                      uint32_t from)
{
    const uint64_t *stop = self->stop[way];
    if (way == RP_ONWARD) {
        uint32_t word = (from + 1u) >> 6;
        size_t place = (size_t)word * self->line_stride + line;
        uint64_t bits = stop[place] & (~(uint64_t)0 << ((from + 1u) & 63u));
        while (bits == 0) {
            word++;
            place += self->line_stride;
            bits = stop[place];
        }
        return word * 64u + (uint32_t)__builtin_ctzll(bits);
    }
    uint32_t word = (from - 1u) >> 6;
    size_t place = (size_t)word * self->line_stride + line;
    uint64_t bits = stop[place] & (~(uint64_t)0 >> (63u - ((from - 1u) & 63u)));
    while (bits == 0) {
        word--;
        place -= self->line_stride;
        bits = stop[place];
    }
    return word * 64u + 63u - (uint32_t)__builtin_clzll(bits);
}

#endif
