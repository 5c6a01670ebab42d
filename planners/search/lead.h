/// @file
/// A led search: the first search in clutter. A* from cell to cell, with a heuristic from two
/// floods that are made for it, 64 places an instruction. 8 neighbours, no corner cutting, uniform
/// ground.
///
/// A straight step costs 408 = 239 + 169, a diagonal one 577 = 239 + 2 * 169. So a path costs 239
/// for each move, and 169 for each line (row or column) that it crosses. It has no fewer moves than
/// the hops of search/hops.h. It crosses no fewer lines than a path with 4 neighbours has steps, as
/// each diagonal move can be made by two straight ones: the cells beside it are free. Hence
///
///     h = 239 * hops + 169 * steps
///
/// is admissible. It is consistent, as a move changes the hops by one at most, and the steps by no
/// more than the lines that it crosses. In clutter detours cost mainly hops where a path is
/// diagonal, and mainly steps where it follows a row; with both known A* expands few cells beside
/// the path. Whether the target can be reached at all is told by the steps alone.
///
/// In order: first the flood of steps (search/flood.h). Its layers tell how long detours are. Where
/// they are long, the rings of hops would go through most of the world, and paths are so narrow
/// that little could be saved: then it *gives way* to another search. Otherwise a walk down the
/// steps, diagonally where it can, gives a path, whose cost limits the rings of hops. Once these
/// have met the root, A* looks at short detours only; if the target is not found, at longer ones,
/// up to the cost of that walk.
///
/// Layers: of two cells a step apart, the one farther from the root is in the same layer or the
/// next one. A cell that the flood did not reach is in a later layer than all that it did reach,
/// and is taken to be in the next one. So the steps from a cell are bounded by its layer and by its
/// distance from the root; the lesser of two consistent bounds is consistent.
///
/// Nodes and OPEN are those of the eager form (search/jump_eager.h), which touch little memory. A
/// node's g is its detour: its f less that of the root. It is reached by one move from its parent.
#ifndef REPLAN_SEARCH_LEAD_H
#define REPLAN_SEARCH_LEAD_H

#include "planners/search/budget.h"
#include "planners/search/flood_tile.h"
#include "planners/search/hops.h"
#include "planners/search/jump_eager.h"

/// Ways may be so much longer than on open ground: some layers, and one for so many steps.
#define RP_LEAD_LAYERS     8u
#define RP_LEAD_LAYER_EACH 8u

/// Detours that are looked at first, and so many times as long ones next.
#define RP_LEAD_DETOUR (16u * RP_HOPS_MOVE)
#define RP_LEAD_MORE   4u

/// Expansions between two looks at the layers of the flood.
#define RP_LEAD_PART 128u

/// What is done in the time of an expansion: steps of the flood, words of a ring, cells of the
/// walk, and words of ground that are made ready.
#define RP_LEAD_STEPS      4u
#define RP_LEAD_WORDS      64u
#define RP_LEAD_WALK       4u
#define RP_LEAD_WORDS_READ 128u

/// An entry of OPEN notes moves and layer of a cell.
#define RP_LEAD_LAYER_BITS 12u
#define RP_LEAD_LAYER_MAX  ((1u << RP_LEAD_LAYER_BITS) - 1u)
#define RP_LEAD_MOVES_MAX  ((1u << (32u - RP_LEAD_LAYER_BITS)) - 1u)

enum rp_lead_stage {
    RP_LEAD_AT_STEPS,
    RP_LEAD_AT_HOPS,
    RP_LEAD_AT_CELLS,
    RP_LEAD_DONE,
};

typedef struct rp_lead {
    rp_flood_t flood; ///< from the target; its user writes its map
    rp_hops_t hops;   ///< to the target
    const rp_grid_t *grid;
    uint32_t root_x;
    uint32_t root_y;
    uint32_t target_x;
    uint32_t target_y;
    enum rp_lead_stage stage;
    uint32_t beyond; ///< layer of what the flood did not reach, or less
    uint32_t moves;  ///< hops of the root, once it was met
    bool is_met;
    uint32_t base;   ///< h of the root
    uint32_t walk;   ///< cost of a path
    uint32_t detour; ///< the longest that is looked at
    uint32_t steps;  ///< of the flood that were not paid for yet
    bool has_given_way;
    uint64_t expanded; ///< by this call
    uint64_t flooded;  ///< of these, the floods' and the walk's share
} rp_lead_t;

// ---- steps

/// The layer of a place beside one whose layer is known.
/// @param is_away  the step leads away from the root
static inline uint32_t rp_lead_layer(const rp_lead_t *self, uint32_t x, uint32_t y, uint32_t known,
                                     bool is_away)
{
    const int parity = rp_flood_parity(&self->flood, x, y);
    if (parity < 0) {
        return self->beyond;
    }
    const uint32_t differs = (known ^ (uint32_t)parity) & 1u;
    return is_away ? known + differs : known - differs;
}

typedef struct rp_lead_spot {
    uint32_t x;
    uint32_t y;
    uint32_t layer; ///< in the flood of steps
} rp_lead_spot_t;

static inline int32_t rp_lead_right(unsigned direction)
{
    static const int8_t right[RP_DIRECTIONS] = {1, 1, 0, -1, -1, -1, 0, 1};
    return right[direction];
}

static inline int32_t rp_lead_down(unsigned direction)
{
    static const int8_t down[RP_DIRECTIONS] = {0, 1, 1, 1, 0, -1, -1, -1};
    return down[direction];
}

/// Take a legal move.
/// @return the steps to the target after it less those before, and the lines that it crosses
static inline uint32_t rp_lead_move(const rp_lead_t *self, rp_lead_spot_t *spot, unsigned direction)
{
    const int32_t right = rp_lead_right(direction);
    const int32_t down = rp_lead_down(direction);
    const uint32_t before = spot->layer;
    uint32_t towards = 0; // the root, of the lines
    if (right != 0) {
        const bool is_away = right > 0 ? spot->x >= self->root_x : spot->x <= self->root_x;
        spot->x += (uint32_t)right;
        spot->layer = rp_lead_layer(self, spot->x, spot->y, spot->layer, is_away);
        towards += !is_away;
    }
    if (down != 0) {
        const bool is_away = down > 0 ? spot->y >= self->root_y : spot->y <= self->root_y;
        spot->y += (uint32_t)down;
        spot->layer = rp_lead_layer(self, spot->x, spot->y, spot->layer, is_away);
        towards += !is_away;
    }
    return 2u * (towards + spot->layer - before);
}

// ---- a walk

/// A move that leads as far towards the target as it can: a diagonal one, or one after which there
/// is such; else a straight one.
static inline rp_lead_spot_t rp_lead_descend(const rp_lead_t *self, rp_lead_spot_t from,
                                             bool is_last, bool *is_diagonal)
{
    const rp_grid_t *grid = self->grid;
    const unsigned legal = grid->moves[rp_grid_cell(grid, from.x, from.y)];
    rp_lead_spot_t best = from;
    *is_diagonal = false;
    for (unsigned moves = legal & 0xaau; moves != 0; moves &= moves - 1u) {
        rp_lead_spot_t next = from;
        if (rp_lead_move(self, &next, (unsigned)__builtin_ctz(moves)) == 0) {
            *is_diagonal = true;
            return next;
        }
    }
    for (unsigned moves = is_last ? 0u : legal & 0x55u; moves != 0; moves &= moves - 1u) {
        rp_lead_spot_t next = from;
        bool leads = false;
        if (rp_lead_move(self, &next, (unsigned)__builtin_ctz(moves)) != 0) {
            continue;
        }
        best = next;
        (void)rp_lead_descend(self, next, true, &leads);
        if (leads) {
            break;
        }
    }
    return best;
}

/// Once the flood has found the root: walk down the steps to the target. Time: O(cells of it).
/// @return the moves
static inline uint32_t rp_lead_walk(const rp_lead_t *self)
{
    rp_lead_spot_t spot = {self->root_x, self->root_y, self->flood.goal_layer};
    uint32_t moves = 0;
    while (spot.x != self->target_x || spot.y != self->target_y) {
        bool is_diagonal;
        spot = rp_lead_descend(self, spot, false, &is_diagonal);
        moves++;
    }
    return moves;
}

// ---- one cell

/// OPEN holds the numbers of nodes.
static inline bool rp_lead_is_live(const void *owner, const rp_ladder_entry_t *entry)
{
    const rp_jump_t *jump = owner;
    const rp_jump_node_t *node = &jump->nodes[entry->cell];
    return node->waiting != 0 && node->g == entry->f;
}

/// A cell is reached from the node that is being expanded.
RP_JUMP_INLINE void rp_lead_reach(rp_lead_t *self, rp_jump_t *jump, const rp_lead_spot_t *spot,
                                  uint32_t detour, uint32_t moves)
{
    const uint32_t number = rp_eager_node(jump, rp_jump_place(spot->x + 1u, spot->y + 1u));
    rp_jump_node_t *node = &jump->nodes[number];
    if (detour >= node->g) {
        return;
    }
    node->g = detour;
    node->parent = jump->parent;
    node->waiting = 1;
    node->expanded = 0;
    jump->generated++;
    const uint32_t note = moves << RP_LEAD_LAYER_BITS | spot->layer;
    if (!rp_ladder_push(&jump->open, detour, number, note, rp_lead_is_live, jump)) {
        self->has_given_way = true;
    }
}

/// Three bits round a place, that before it first.
static inline unsigned rp_lead_three(const uint64_t *words, size_t stride, unsigned bit)
{
    unsigned three = (unsigned)(words[0] >> (bit - 1u)) & 7u;
    if (__builtin_expect(bit == 1u, 0)) {
        three |= (unsigned)(words[-(ptrdiff_t)stride] >> RP_HOPS_SPAN) & 1u;
    } else if (__builtin_expect(bit == RP_HOPS_SPAN, 0)) {
        three |= (unsigned)(words[stride] >> 1 & 1u) << 2;
    }
    return three;
}

/// Bit d: the bit of the neighbour in direction d.
static inline unsigned rp_lead_ring(const uint64_t *words, size_t stride, unsigned bit)
{
    return rp_lead_three(words - 1, stride, bit) << 5 |
           rp_ring_lower(rp_lead_three(words, stride, bit), rp_lead_three(words + 1, stride, bit));
}

static inline void rp_lead_expand(rp_lead_t *self, rp_jump_t *jump, const rp_lead_spot_t *spot,
                                  uint32_t detour, uint32_t moves)
{
    const rp_hops_t *hops = &self->hops;
    const size_t word = rp_hops_word(hops, spot->x, spot->y);
    const unsigned bit = spot->x % RP_HOPS_SPAN + 1u;
    const unsigned legal = self->grid->moves[rp_grid_cell(self->grid, spot->x, spot->y)];
    for (uint32_t more = 0; more < 3u; more++) { // moves that lead a hop on, none, one back
        const uint32_t dearer = detour + RP_HOPS_MOVE * more;
        if (dearer > self->detour) {
            break;
        }
        const uint64_t *met = hops->met[(moves + more + 2u) % 3u] + word;
        for (unsigned ring = legal & rp_lead_ring(met, hops->strip_stride, bit); ring != 0;
             ring &= ring - 1u) {
            const unsigned direction = (unsigned)__builtin_ctz(ring);
            rp_lead_spot_t next = *spot;
            const uint32_t all = dearer + RP_HOPS_LINE * rp_lead_move(self, &next, direction);
            if (all <= self->detour) {
                rp_lead_reach(self, jump, &next, all, moves + more - 1u);
            }
        }
    }
}

// ---- search

/// Begin between two cells. The flood's map is the grid's. Time: O(1).
static inline void rp_lead_begin(rp_lead_t *self, rp_jump_t *jump, uint32_t root, uint32_t target)
{
    self->root_x = rp_jump_column(root) - 1u;
    self->root_y = rp_jump_row(root) - 1u;
    self->target_x = rp_jump_column(target) - 1u;
    self->target_y = rp_jump_row(target) - 1u;
    self->stage = RP_LEAD_AT_STEPS;
    self->steps = 0;
    self->has_given_way = false;
    jump->root = root;
    jump->target = target;
    jump->is_found = false;
    jump->is_eager = true;
    rp_flood_begin(&self->flood, self->target_x, self->target_y, self->root_x, self->root_y);
}

/// For the floods. What takes more than the budget is counted in whole all the same, as it is in
/// one go.
static inline void rp_lead_pay(rp_lead_t *self, uint64_t *budget, uint64_t price)
{
    self->expanded += price;
    self->flooded += price;
    rp_budget_pay(budget, price);
}

static inline void rp_lead_give_way(rp_lead_t *self)
{
    self->has_given_way = true;
    self->stage = RP_LEAD_DONE;
}

/// Begin the rings, within what the walk costs: so the hops of the root are those of any other
/// time.
static inline void rp_lead_begin_hops(rp_lead_t *self, uint64_t *budget)
{
    const rp_hops_way_t way = {
        .from_x = self->target_x,
        .from_y = self->target_y,
        .to_x = self->root_x,
        .to_y = self->root_y,
        .lines = self->flood.f_first + 2u * self->flood.goal_layer,
        .most = self->walk,
    };
    self->stage = RP_LEAD_AT_HOPS;
    self->is_met = false;
    rp_hops_begin(&self->hops, &self->flood.map, &way);
    rp_lead_pay(self, budget,
                (uint64_t)(self->hops.box.bottom - self->hops.box.top + 1u) *
                        (self->hops.box.right - self->hops.box.left + 64u) / 64u /
                        RP_LEAD_WORDS_READ +
                    1u);
}

/// The steps are known: how many moves of a path, and with that what it costs at most?
static inline void rp_lead_take_steps(rp_lead_t *self, uint64_t *budget)
{
    const rp_flood_t *flood = &self->flood;
    const uint64_t steps = flood->f_first + 2ull * flood->goal_layer;
    self->beyond = flood->layer + 1u;
    if (self->beyond > RP_LEAD_LAYER_MAX || steps > RP_LEAD_MOVES_MAX) {
        rp_lead_give_way(self);
        return;
    }
    const uint32_t moves = rp_lead_walk(self);
    rp_lead_pay(self, budget, moves / RP_LEAD_WALK);
    self->walk = RP_HOPS_MOVE * moves + RP_HOPS_LINE * (uint32_t)steps;
    self->detour = RP_LEAD_DETOUR;
    rp_lead_begin_hops(self, budget);
}

/// The flood, until it is done or has gone on for too long.
static inline void rp_lead_find_steps(rp_lead_t *self, uint64_t *budget, rp_plan_stats_t *stats)
{
    rp_flood_t *flood = &self->flood;
    uint64_t part = RP_LEAD_STEPS * (*budget < RP_LEAD_PART ? *budget : RP_LEAD_PART);
    rp_flood_count_t count = {0};
    const rp_status_t status = rp_flood_search(flood, &part, &count);
    self->steps += (uint32_t)count.steps;
    rp_lead_pay(self, budget, self->steps / RP_LEAD_STEPS);
    self->steps %= RP_LEAD_STEPS;
    stats->generated += count.visits;
    if (status != RP_OK) {
        if (flood->layer > RP_LEAD_LAYERS + flood->f_first / RP_LEAD_LAYER_EACH) {
            rp_lead_give_way(self);
        }
    } else if (flood->is_found) {
        rp_lead_take_steps(self, budget);
    } else {
        self->stage = RP_LEAD_DONE; // there is no path
    }
}

/// All that is of use was met: the search goes on from cell to cell.
static inline void rp_lead_take_hops(rp_lead_t *self, rp_jump_t *jump)
{
    const uint32_t note = self->moves << RP_LEAD_LAYER_BITS | self->flood.goal_layer;
    rp_ladder_clear(&jump->open);
    rp_eager_begin_with(jump, note, rp_lead_is_live);
    self->stage = RP_LEAD_AT_CELLS;
}

/// A ring more.
static inline void rp_lead_find_hops(rp_lead_t *self, rp_jump_t *jump, uint64_t *budget)
{
    uint64_t words;
    if (!self->is_met && rp_hops_code(&self->hops, self->root_x, self->root_y) != 0) {
        const uint32_t steps = self->hops.way.lines;
        self->is_met = true;
        self->moves = self->hops.level;
        self->base = RP_HOPS_MOVE * self->moves + RP_HOPS_LINE * steps;
        if (self->detour > self->walk - self->base) {
            self->detour = self->walk - self->base;
        }
        rp_hops_tighten(&self->hops, self->base + self->detour);
    }
    if (!rp_hops_grow(&self->hops, &words)) {
        rp_lead_take_hops(self, jump);
    }
    rp_lead_pay(self, budget, 1u + words / RP_LEAD_WORDS);
}

/// Every detour that was looked at led nowhere: longer ones are next.
static inline void rp_lead_widen(rp_lead_t *self, uint64_t *budget)
{
    if (self->detour == self->walk - self->base) {
        rp_lead_give_way(self); // never: the walk is as long
        return;
    }
    self->detour *= RP_LEAD_MORE;
    rp_lead_begin_hops(self, budget);
}

/// Expand until the target's turn comes.
static inline void rp_lead_find_cells(rp_lead_t *self, rp_jump_t *jump, uint64_t *budget)
{
    while (*budget != 0 && !self->has_given_way) {
        const rp_ladder_entry_t *entry = rp_ladder_pop(&jump->open);
        if (entry == NULL) {
            rp_lead_widen(self, budget);
            return;
        }
        const uint32_t number = entry->cell;
        const uint32_t note = entry->note;
        rp_jump_node_t *node = &jump->nodes[number];
        if (node->waiting == 0) {
            continue; // an older entry of a cell that was reached more cheaply since
        }
        const uint32_t place = node->place;
        node->waiting = 0;
        node->expanded = 1;
        self->expanded++;
        --*budget;
        if (jump->is_by_cell) {
            rp_met_note(&jump->met, rp_jump_cell(jump, place), budget);
        }
        if (place == jump->target) {
            jump->found = number;
            jump->is_found = true;
            self->stage = RP_LEAD_DONE;
            return;
        }
        jump->parent = number;
        const rp_lead_spot_t spot = {rp_jump_column(place) - 1u, rp_jump_row(place) - 1u,
                                     note & RP_LEAD_LAYER_MAX};
        rp_lead_expand(self, jump, &spot, (uint32_t)node->g, note >> RP_LEAD_LAYER_BITS);
    }
}

/// Go on until the path is found, or there is none, or this gives way to another search, or the
/// budget is used up (counted down).
/// @return RP_OK or RP_MORE
static inline rp_status_t rp_lead_search(rp_lead_t *self, rp_jump_t *jump, uint64_t *budget,
                                         rp_plan_stats_t *stats)
{
    jump->generated = 0;
    self->expanded = 0;
    self->flooded = 0;
    while (*budget != 0 && self->stage != RP_LEAD_DONE && !self->has_given_way) {
        switch (self->stage) {
        case RP_LEAD_AT_STEPS:
            rp_lead_find_steps(self, budget, stats);
            break;
        case RP_LEAD_AT_HOPS:
            rp_lead_find_hops(self, jump, budget);
            break;
        default:
            rp_lead_find_cells(self, jump, budget);
            break;
        }
    }
    stats->expanded += self->expanded;
    stats->expanded_fast += self->flooded;
    stats->generated += jump->generated;
    return self->stage == RP_LEAD_DONE || self->has_given_way ? RP_OK : RP_MORE;
}

// ---- birth and death

static inline void rp_lead_fini(rp_lead_t *self, rp_rubble_t *rubble)
{
    rp_flood_fini(&self->flood, rubble);
    rp_hops_fini(&self->hops, rubble);
    *self = (rp_lead_t){0};
}

/// @param grid  borrowed until the end
/// @return RP_E_MEMORY (then all is zeroed)
static inline rp_status_t rp_lead_init(rp_lead_t *self, const rp_grid_t *grid)
{
    const rp_grid_shape_t *shape = &grid->shape;
    *self = (rp_lead_t){.grid = grid};
    rp_status_t status = rp_flood_init(&self->flood, shape->width, shape->height, rp_simd_best());
    if (status == RP_OK) {
        status = rp_hops_init(&self->hops, shape->width, shape->height, rp_simd_best());
    }
    if (status != RP_OK) {
        rp_lead_fini(self, NULL);
    }
    return status;
}

static inline uint64_t rp_lead_bytes(const rp_lead_t *self)
{
    const uint64_t of_hops = rp_hops_bytes(&self->hops);
    return of_hops != 0 ? rp_flood_bytes(&self->flood) + of_hops : 0u;
}

#endif
