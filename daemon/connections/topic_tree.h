/// @file
/// Topic tree: what ZeroMQ's tree of topics takes in memory, which it does not tell. There each
/// byte of a topic is a node, shared by the topics that begin alike; where they part the node has a
/// table of pointers, from the least byte to the greatest. This one holds each topic once, in a
/// crit-bit tree, whose branches say where topics part: so a topic's own nodes are those behind its
/// last branch.
#ifndef REPLAN_DAEMON_CONNECTIONS_TOPIC_TREE_H
#define REPLAN_DAEMON_CONNECTIONS_TOPIC_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/// Bytes of one of ZeroMQ's nodes, with those that malloc() adds.
#define RP_TOPIC_NODE_BYTES 32u

typedef union rp_topic_node rp_topic_node_t;

/// All zero: it is empty.
typedef struct rp_topic_tree {
    rp_topic_node_t *root; ///< owned
    size_t bytes;          ///< of ZeroMQ's nodes and tables, at most
} rp_topic_tree_t;

/// One more asks for this topic. @param topic  copied [size]
/// @return false without memory
bool rp_topic_tree_add(rp_topic_tree_t *self, const void *topic, size_t size);

/// One fewer does. @param topic  that was added as often at least
void rp_topic_tree_remove(rp_topic_tree_t *self, const void *topic, size_t size);

#endif
