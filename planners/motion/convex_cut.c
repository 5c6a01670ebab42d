/// Ear clipping, then the merging of Hertel and Mehlhorn.
#include "planners/motion/convex_cut.h"

#include <string.h>

// Twice the area, in cells^2, by which a corner may miss being convex.
#define SLACK 1e-12

/// Twice the area of a triangle, above 0 when it turns to the left.
static double area(rp_motion_vector_t a, rp_motion_vector_t b, rp_motion_vector_t c)
{
    return (b.x - a.x) * (c.y - a.y) - (b.y - a.y) * (c.x - a.x);
}

static bool covers(const rp_motion_vector_t triangle[3], rp_motion_vector_t point)
{
    return area(triangle[0], triangle[1], point) >= -SLACK &&
           area(triangle[1], triangle[2], point) >= -SLACK &&
           area(triangle[2], triangle[0], point) >= -SLACK;
}

/// True when the corner at `place` of what is left can be cut off: it is convex, and no other
/// corner lies in its triangle.
static bool is_ear(const rp_motion_vector_t *corners, const rp_convex_part_t *left, uint32_t place)
{
    const uint32_t before = (place + left->count - 1u) % left->count;
    const uint32_t after = (place + 1u) % left->count;
    const rp_motion_vector_t triangle[3] = {corners[left->corners[before]],
                                            corners[left->corners[place]],
                                            corners[left->corners[after]]};
    bool is_free = area(triangle[0], triangle[1], triangle[2]) > SLACK;
    for (uint32_t i = 0; i < left->count && is_free; i++) {
        const bool is_own = i == before || i == place || i == after;
        is_free = is_own || !covers(triangle, corners[left->corners[i]]);
    }
    return is_free;
}

static rp_convex_part_t cut_off(rp_convex_part_t *left, uint32_t place)
{
    const rp_convex_part_t ear = {
        .count = 3,
        .corners = {left->corners[(place + left->count - 1u) % left->count], left->corners[place],
                    left->corners[(place + 1u) % left->count]},
    };
    left->count--;
    memmove(left->corners + place, left->corners + place + 1u, left->count - place);
    return ear;
}

static uint32_t triangles_of(const rp_motion_vector_t *corners, uint32_t count,
                             rp_convex_part_t *parts)
{
    rp_convex_part_t left = {.count = (uint8_t)count};
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        left.corners[i] = (uint8_t)i;
    }
    while (left.count > 3) {
        uint32_t place = 0;
        while (place < left.count && !is_ear(corners, &left, place)) {
            place++;
        }
        if (place == left.count) {
            return 0;
        }
        parts[found++] = cut_off(&left, place);
    }
    parts[found++] = left;
    return found;
}

static bool is_convex(const rp_motion_vector_t *corners, const rp_convex_part_t *part)
{
    bool convex = true;
    for (uint32_t i = 0; i < part->count && convex; i++) {
        const uint8_t *at = part->corners;
        convex = area(corners[at[i]], corners[at[(i + 1u) % part->count]],
                      corners[at[(i + 2u) % part->count]]) >= -SLACK;
    }
    return convex;
}

/// Both parts in one, which share the edge behind place `i` of `a` and before place `j` of `b`.
static rp_convex_part_t joined(const rp_convex_part_t *a, uint32_t i, const rp_convex_part_t *b,
                               uint32_t j)
{
    rp_convex_part_t both = {.count = 0};
    for (uint32_t k = 1; k <= a->count; k++) {
        both.corners[both.count++] = a->corners[(i + k) % a->count];
    }
    for (uint32_t k = 1; k + 1u < b->count; k++) {
        both.corners[both.count++] = b->corners[(j + k) % b->count];
    }
    return both;
}

/// Put `b` into `a` when they share an edge and are convex together.
static bool join(const rp_motion_vector_t *corners, rp_convex_part_t *a, const rp_convex_part_t *b)
{
    for (uint32_t i = 0; i < a->count; i++) {
        for (uint32_t j = 0; j < b->count; j++) {
            const bool is_shared =
                a->corners[i] == b->corners[j] &&
                a->corners[(i + 1u) % a->count] == b->corners[(j + b->count - 1u) % b->count];
            if (is_shared) {
                const rp_convex_part_t both = joined(a, i, b, j);
                if (is_convex(corners, &both)) {
                    *a = both;
                    return true;
                }
            }
        }
    }
    return false;
}

uint32_t rp_convex_cut(const rp_motion_vector_t *corners, uint32_t count, rp_convex_part_t *parts)
{
    uint32_t found = triangles_of(corners, count, parts);
    for (uint32_t i = 0; i < found; i++) {
        uint32_t j = i + 1u;
        while (j < found) {
            if (join(corners, &parts[i], &parts[j])) {
                parts[j] = parts[--found];
                j = i + 1u; // it has new edges
            } else {
                j++;
            }
        }
    }
    return found;
}
