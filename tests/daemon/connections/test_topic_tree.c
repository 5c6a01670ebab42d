/// What topics take in ZeroMQ's tree, against a count of all their beginnings.
#include "daemon/connections/topic_tree.h"

#include <stdlib.h>
#include <string.h>

#include "tests/support/suite.h"

#define TOPICS 40u
#define LONG   6u

static rp_topic_tree_t tree;

static void tear_down(void)
{
    ck_assert_uint_eq(tree.bytes, 0);
    ck_assert_ptr_null(tree.root);
}

static void add(const char *topic)
{
    ck_assert(rp_topic_tree_add(&tree, topic, strlen(topic)));
}

static void remove_topic(const char *topic)
{
    rp_topic_tree_remove(&tree, topic, strlen(topic));
}

START_TEST(a_topic_has_a_node_for_each_byte_that_no_other_begins_with)
{
    add("path/");
    ck_assert_uint_eq(tree.bytes, 5u * RP_TOPIC_NODE_BYTES);
    add("path/fen/");
    ck_assert_uint_eq(tree.bytes, 9u * RP_TOPIC_NODE_BYTES);
    add("path/");
    add("");
    ck_assert_uint_eq(tree.bytes, 9u * RP_TOPIC_NODE_BYTES);
    remove_topic("path/");
    remove_topic("path/");
    ck_assert_uint_eq(tree.bytes, 9u * RP_TOPIC_NODE_BYTES);
    remove_topic("path/fen/");
    ck_assert_uint_eq(tree.bytes, 0);
    remove_topic("");
}
END_TEST

START_TEST(where_topics_part_there_is_a_table)
{
    const char *const pairs[][2] = {{"a", "b"}, {"a", "\x81"}, {"a0", "a1"}};
    const size_t pointers[] = {4, 256, 2}; // that agree before the first bit that differs
    const size_t nodes[] = {2, 2, 3};
    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++) {
        add(pairs[i][0]);
        add(pairs[i][1]);
        ck_assert_uint_eq(tree.bytes,
                          nodes[i] * RP_TOPIC_NODE_BYTES + pointers[i] * sizeof(void *));
        remove_topic(pairs[i][0]);
        remove_topic(pairs[i][1]);
    }
}
END_TEST

// ---- any topics

typedef struct topic {
    size_t size;
    uint8_t bytes[LONG];
    unsigned count; ///< how often it is in the tree
} topic_t;

static topic_t topics[TOPICS];

static bool begins(const topic_t *topic, const uint8_t *bytes, size_t size)
{
    return topic->count != 0 && topic->size >= size &&
           (size == 0 || memcmp(topic->bytes, bytes, size) == 0);
}

/// True when no earlier topic begins with so much of this one.
static bool is_new(size_t which, size_t size)
{
    for (size_t i = 0; i < which; i++) {
        if (begins(&topics[i], topics[which].bytes, size)) {
            return false;
        }
    }
    return true;
}

/// The table behind a beginning, as ZeroMQ has it. @return 0 with fewer than two bytes to follow
static size_t table_behind(const uint8_t *bytes, size_t size)
{
    unsigned least = 256;
    unsigned most = 0;
    for (size_t i = 0; i < TOPICS; i++) {
        if (topics[i].size > size && begins(&topics[i], bytes, size)) {
            const unsigned next = topics[i].bytes[size];
            least = next < least ? next : least;
            most = next > most ? next : most;
        }
    }
    return most > least ? (most - least + 1u) * sizeof(void *) : 0u;
}

static void count(size_t *nodes, size_t *tables)
{
    *nodes = 0;
    *tables = 0;
    for (size_t i = 0; i < TOPICS; i++) {
        for (size_t size = 0; topics[i].count != 0 && size <= topics[i].size; size++) {
            if (is_new(i, size)) {
                *nodes += size != 0;
                *tables += table_behind(topics[i].bytes, size);
            }
        }
    }
}

static void draw_topics(unsigned letters)
{
    for (size_t i = 0; i < TOPICS; i++) {
        topics[i] = (topic_t){.size = (size_t)rand() % (LONG + 1u)};
        for (size_t at = 0; at < topics[i].size; at++) {
            topics[i].bytes[at] = (uint8_t)((unsigned)rand() % letters * (255u / (letters - 1u)));
        }
    }
}

START_TEST(any_topics_take_what_zeromq_has_for_them_and_no_less)
{
    const unsigned letters[] = {2, 4, 256};
    srand((unsigned)_i + 1u);
    draw_topics(letters[_i % 3]);
    for (unsigned step = 0; step < 400; step++) {
        topic_t *topic = &topics[(unsigned)rand() % TOPICS];
        if (topic->count == 0 || rand() % 2 == 0) {
            ck_assert(rp_topic_tree_add(&tree, topic->bytes, topic->size));
            topic->count++;
        } else {
            rp_topic_tree_remove(&tree, topic->bytes, topic->size);
            topic->count--;
        }
        size_t nodes;
        size_t tables;
        count(&nodes, &tables);
        // Tables are counted by bits, which is never too little, and exact where two bytes are all.
        ck_assert_uint_ge(tree.bytes, nodes * RP_TOPIC_NODE_BYTES + tables);
        if (letters[_i % 3] == 2) {
            ck_assert_uint_eq(tree.bytes, nodes * RP_TOPIC_NODE_BYTES + tables);
        }
    }
    for (size_t i = 0; i < TOPICS; i++) {
        while (topics[i].count != 0) {
            rp_topic_tree_remove(&tree, topics[i].bytes, topics[i].size);
            topics[i].count--;
        }
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_topic_has_a_node_for_each_byte_that_no_other_begins_with,
        where_topics_part_there_is_a_table,
        any_topics_take_what_zeromq_has_for_them_and_no_less,
    };
    return rp_suite_run("topic_tree", tests, sizeof tests / sizeof tests[0], 12, tear_down);
}
