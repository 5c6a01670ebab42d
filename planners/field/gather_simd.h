/// @file
/// gather.h on plain ground by SSE2, which every x86-64 has: four neighbours in an instruction.
/// gather.h says what each function computes, and does it one by one elsewhere.
///
/// Lanes are in the order of directions. Known costs take at most half of the range of 32 bits
/// (grid/cost.h), so signed comparisons are right for them; RP_COST_INF is negative.
#ifndef REPLAN_PLANNERS_FIELD_GATHER_SIMD_H
#define REPLAN_PLANNERS_FIELD_GATHER_SIMD_H

#include "planners/field/field.h"

#if defined(__SSE2__) && RP_COST_BITS == 32
#define RP_HAS_GATHER_SIMD 1
#include <emmintrin.h>

#define RP_GATHER_SIMD_INLINE static inline __attribute__((always_inline))

typedef struct rp_gather_simd {
    __m128i low;  ///< of directions 0 to 3
    __m128i high; ///< of directions 4 to 7
} rp_gather_simd_t;

/// One bit each by direction, from lanes that are all ones or all zeros.
RP_GATHER_SIMD_INLINE unsigned rp_gather_simd_bits(rp_gather_simd_t self)
{
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(self.low)) |
           (unsigned)_mm_movemask_ps(_mm_castsi128_ps(self.high)) << 4;
}

RP_GATHER_SIMD_INLINE rp_gather_simd_t rp_gather_simd_greater(rp_gather_simd_t self,
                                                              rp_gather_simd_t than)
{
    return (rp_gather_simd_t){_mm_cmpgt_epi32(self.low, than.low),
                              _mm_cmpgt_epi32(self.high, than.high)};
}

/// Read four nodes, each by a load of its own: a load that spans two nodes which were written just
/// now cannot be forwarded from the store buffer, and has to wait.
RP_GATHER_SIMD_INLINE void rp_gather_simd_read(const rp_node_t *a, const rp_node_t *b,
                                               const rp_node_t *c, const rp_node_t *d,
                                               __m128i *costs, __m128i *marks)
{
    const __m128i first = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)a),
                                             _mm_loadl_epi64((const __m128i *)(const void *)b));
    const __m128i last = _mm_unpacklo_epi64(_mm_loadl_epi64((const __m128i *)(const void *)c),
                                            _mm_loadl_epi64((const __m128i *)(const void *)d));
    const __m128 x = _mm_castsi128_ps(first);
    const __m128 y = _mm_castsi128_ps(last);
    *costs = _mm_castps_si128(_mm_shuffle_ps(x, y, _MM_SHUFFLE(2, 0, 2, 0)));
    *marks = _mm_castps_si128(_mm_shuffle_ps(x, y, _MM_SHUFFLE(3, 1, 3, 1)));
}

/// All ones where a legal step leads to a node of this build.
RP_GATHER_SIMD_INLINE __m128i rp_gather_simd_known(__m128i marks, uint32_t build, unsigned moves,
                                                   __m128i bits)
{
    const __m128i search = _mm_and_si128(marks, _mm_set1_epi32((int)~(RP_NODE_SEARCH - 1u)));
    const __m128i is_of = _mm_cmpeq_epi32(search, _mm_set1_epi32((int)build));
    const __m128i legal = _mm_cmpeq_epi32(_mm_and_si128(_mm_set1_epi32((int)moves), bits), bits);
    return _mm_and_si128(legal, is_of);
}

/// d of the neighbours, RP_COST_INF where none is known. @param known  written: one bit each
RP_GATHER_SIMD_INLINE rp_gather_simd_t rp_gather_simd_of(const rp_field_t *field, rp_cell_t cell,
                                                         unsigned *known)
{
    const uint32_t stride = field->grid->stride;
    const unsigned moves = field->grid->moves[cell];
    const rp_node_t *at = &field->nodes[cell];
    const rp_node_t *before = at - stride;
    const rp_node_t *after = at + stride;
    const __m128i ones = _mm_set1_epi32(-1);
    rp_gather_simd_t self;
    rp_gather_simd_t are;
    rp_gather_simd_read(at + 1, after + 1, after, after - 1, &self.low, &are.low);
    rp_gather_simd_read(at - 1, before - 1, before, before + 1, &self.high, &are.high);
    are.low = rp_gather_simd_known(are.low, field->build, moves, _mm_setr_epi32(1, 2, 4, 8));
    are.high = rp_gather_simd_known(are.high, field->build, moves, _mm_setr_epi32(16, 32, 64, 128));
    self.low = _mm_or_si128(self.low, _mm_xor_si128(are.low, ones));
    self.high = _mm_or_si128(self.high, _mm_xor_si128(are.high, ones));
    *known = rp_gather_simd_bits(are);
    return self;
}

RP_GATHER_SIMD_INLINE rp_gather_simd_t rp_gather_simd_load(const rp_cost_t d[RP_DIRECTIONS])
{
    return (rp_gather_simd_t){_mm_load_si128((const __m128i *)(const void *)&d[0]),
                              _mm_load_si128((const __m128i *)(const void *)&d[4])};
}

RP_GATHER_SIMD_INLINE void rp_gather_simd_store(rp_gather_simd_t self, rp_cost_t d[RP_DIRECTIONS])
{
    _mm_store_si128((__m128i *)(void *)&d[0], self.low);
    _mm_store_si128((__m128i *)(void *)&d[4], self.high);
}

/// d plus the cost of a step in the direction of the lane.
RP_GATHER_SIMD_INLINE rp_gather_simd_t rp_gather_simd_beyond(const rp_field_t *field, int d)
{
    const int straight = (int)field->metric.length[0] + d;
    const int diagonal = (int)field->metric.length[1] + d;
    const __m128i four = _mm_setr_epi32(straight, diagonal, straight, diagonal);
    return (rp_gather_simd_t){four, four};
}

RP_GATHER_SIMD_INLINE unsigned rp_gather_simd_leaning(rp_gather_simd_t self,
                                                      const rp_field_t *field, rp_cost_t d)
{
    return rp_gather_simd_bits(
        rp_gather_simd_greater(self, rp_gather_simd_beyond(field, (int)d - 1)));
}

RP_GATHER_SIMD_INLINE unsigned rp_gather_simd_better(rp_gather_simd_t self, const rp_field_t *field,
                                                     rp_cost_t d)
{
    const __m128i most = _mm_set1_epi32(INT32_MAX); // of what is not known, too
    const rp_gather_simd_t now = {_mm_and_si128(self.low, most), _mm_and_si128(self.high, most)};
    return rp_gather_simd_bits(rp_gather_simd_greater(now, rp_gather_simd_beyond(field, (int)d)));
}

#else
#define RP_HAS_GATHER_SIMD 0
#endif

#endif
