/// @file
/// The eight bytes a cell that a search from scratch needs: g, and a mark that says in which search
/// it was written, whether the cell is closed, and from which direction it was reached.
///
///     mark:  | search number, 27 bits | root, 1 | closed, 1 | direction back to the parent, 3 |
///
/// A new search is a new number: nothing is cleared but once in 2^27 searches.
#ifndef REPLAN_PLANNERS_OPEN_NODES_H
#define REPLAN_PLANNERS_OPEN_NODES_H

#include <string.h>

#include "planners/grid/cost.h"

typedef struct rp_node {
    rp_cost_t g;
    uint32_t mark;
} rp_node_t;

#define RP_NODE_CLOSED    8u
#define RP_NODE_DIRECTION 7u
#define RP_NODE_ROOT      16u ///< where the search began: no parent
#define RP_NODE_SEARCH    32u ///< one search number

/// The next search number; clears the nodes when the numbers are used up.
static inline uint32_t rp_nodes_next_search(uint32_t search, rp_node_t *nodes, uint32_t count)
{
    search += RP_NODE_SEARCH;
    if (search == 0) {
        memset(nodes, 0, (size_t)count * sizeof *nodes);
        search = RP_NODE_SEARCH;
    }
    return search;
}

/// True when the node was written in this search.
static inline bool rp_node_is_of(const rp_node_t *node, uint32_t search)
{
    return (node->mark & ~(RP_NODE_SEARCH - 1u)) == search;
}

static inline bool rp_node_is_closed(const rp_node_t *node, uint32_t search)
{
    return (node->mark & ~(RP_NODE_DIRECTION | RP_NODE_ROOT)) == (search | RP_NODE_CLOSED);
}

#endif
