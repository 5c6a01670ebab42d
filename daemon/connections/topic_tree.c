/// A crit-bit tree. A topic is read as nine bits a byte, one that says that the byte is there and
/// its own eight from the highest, and no bits are zeros: so a topic may begin another one.
#include "daemon/connections/topic_tree.h"

#include <stdlib.h>
#include <string.h>

#define BITS 9u

/// The first bit is where the topics below differ first; LEAF: it is a topic.
union rp_topic_node {
    size_t bit;
    struct {
        size_t bit;
        rp_topic_node_t *child[2]; ///< owned: those with a 0 there, those with a 1
    } branch;
    struct {
        size_t bit;
        size_t count; ///< how many ask for it
        size_t size;
        uint8_t bytes[];
    } leaf;
};

#define LEAF SIZE_MAX

static unsigned bit_at(const uint8_t *topic, size_t size, size_t bit)
{
    const size_t at = bit / BITS;
    const unsigned within = (unsigned)(bit % BITS);
    return at >= size ? 0u : within == 0 ? 1u : topic[at] >> (BITS - 1u - within) & 1u;
}

/// The first bit at which two topics differ. @return LEAF: they are equal
static size_t difference(const rp_topic_node_t *leaf, const uint8_t *topic, size_t size)
{
    const size_t least = leaf->leaf.size < size ? leaf->leaf.size : size;
    size_t at = 0;
    while (at < least && leaf->leaf.bytes[at] == topic[at]) {
        at++;
    }
    if (at == least) {
        return leaf->leaf.size == size ? LEAF : at * BITS;
    }
    const unsigned differing = leaf->leaf.bytes[at] ^ topic[at];
    return at * BITS + 1u + (unsigned)__builtin_clz(differing) - 24u;
}

/// The table of ZeroMQ's node at which topics part by this bit: those that agree in the bits before
/// it are no further apart.
static size_t table_bytes(size_t bit)
{
    const size_t within = bit % BITS;
    return within == 0 ? 0u : sizeof(void *) << (BITS - within);
}

/// What a topic takes that parts from all others at this bit, or earlier.
static size_t own_bytes(size_t size, size_t bit)
{
    return (size - bit / BITS) * RP_TOPIC_NODE_BYTES + table_bytes(bit);
}

/// The topic, or the one most like it in the bits that are branched by.
static rp_topic_node_t *nearest(const rp_topic_tree_t *self, const uint8_t *topic, size_t size)
{
    rp_topic_node_t *node = self->root;
    while (node->bit != LEAF) {
        node = node->branch.child[bit_at(topic, size, node->bit)];
    }
    return node;
}

static rp_topic_node_t *new_leaf(const uint8_t *topic, size_t size)
{
    rp_topic_node_t *leaf = malloc(sizeof *leaf + size);
    if (leaf != NULL) {
        leaf->leaf.bit = LEAF;
        leaf->leaf.count = 1;
        leaf->leaf.size = size;
        if (size != 0) {
            memcpy(leaf->leaf.bytes, topic, size);
        }
    }
    return leaf;
}

bool rp_topic_tree_add(rp_topic_tree_t *self, const void *topic, size_t size)
{
    rp_topic_node_t *like = self->root != NULL ? nearest(self, topic, size) : NULL;
    const size_t bit = like != NULL ? difference(like, topic, size) : 0;
    if (like != NULL && bit == LEAF) {
        like->leaf.count++;
        return true;
    }
    rp_topic_node_t *leaf = new_leaf(topic, size);
    rp_topic_node_t *branch = leaf != NULL && like != NULL ? malloc(sizeof *branch) : NULL;
    if (leaf == NULL || (like != NULL && branch == NULL)) {
        free(leaf);
        return false;
    }
    self->bytes += own_bytes(size, bit);
    if (like == NULL) {
        self->root = leaf;
        return true;
    }
    rp_topic_node_t **place = &self->root;
    while ((*place)->bit < bit) {
        place = &(*place)->branch.child[bit_at(topic, size, (*place)->bit)];
    }
    const unsigned side = bit_at(topic, size, bit);
    branch->branch.bit = bit;
    branch->branch.child[side] = leaf;
    branch->branch.child[1u - side] = *place;
    *place = branch;
    return true;
}

void rp_topic_tree_remove(rp_topic_tree_t *self, const void *topic, size_t size)
{
    rp_topic_node_t **parent = NULL;
    rp_topic_node_t **place = &self->root;
    while ((*place)->bit != LEAF) {
        parent = place;
        place = &(*place)->branch.child[bit_at(topic, size, (*place)->bit)];
    }
    rp_topic_node_t *leaf = *place;
    if (--leaf->leaf.count != 0) {
        return;
    }
    self->bytes -= own_bytes(size, parent != NULL ? (*parent)->bit : 0);
    if (parent == NULL) {
        self->root = NULL;
    } else {
        rp_topic_node_t *branch = *parent;
        *parent = branch->branch.child[branch->branch.child[0] == leaf];
        free(branch);
    }
    free(leaf);
}
