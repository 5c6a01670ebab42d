/// Topics are counted once each, whatever is said of them.
#include "daemon/connections/subscriptions.h"

#include <string.h>

#include "tests/support/suite.h"

static rp_subscriptions_t subscriptions;
static int owners[3];

static void add(int who, const char *topic)
{
    ck_assert(rp_subscriptions_add(&subscriptions, &owners[who], topic, strlen(topic)));
}

static void remove_topic(int who, const char *topic)
{
    rp_subscriptions_remove(&subscriptions, &owners[who], topic, strlen(topic));
}

static void tear_down(void)
{
    rp_subscriptions_fini(&subscriptions);
    ck_assert_uint_eq(subscriptions.count, 0);
    ck_assert_uint_eq(subscriptions.tree.bytes, 0);
    ck_assert_uint_eq(subscriptions.leaving_bytes, 0);
}

#define NODES *RP_TOPIC_NODE_BYTES

START_TEST(what_is_asked_for_twice_counts_once)
{
    add(0, "path/");
    add(0, "path/");
    add(0, "path/fen/");
    add(1, "path/");
    ck_assert_uint_eq(subscriptions.count, 3);
    ck_assert_uint_eq(subscriptions.tree.bytes, 9 NODES);
    ck_assert_uint_eq(rp_subscriptions_held(&subscriptions, &owners[0]), 2);
}
END_TEST

START_TEST(what_was_not_asked_for_cannot_be_given_back)
{
    add(0, "path/");
    remove_topic(0, "head/");
    remove_topic(1, "path/");
    ck_assert_uint_eq(subscriptions.count, 1);
    remove_topic(0, "path/");
    remove_topic(0, "path/");
    ck_assert_uint_eq(subscriptions.count, 0);
    ck_assert_uint_eq(rp_subscriptions_held(&subscriptions, &owners[0]), 0);
}
END_TEST

START_TEST(everything_is_a_topic_too)
{
    add(0, "");
    ck_assert_uint_eq(subscriptions.count, 1);
    remove_topic(0, "");
    ck_assert_uint_eq(subscriptions.count, 0);
}
END_TEST

START_TEST(who_leaves_takes_all_of_its_own)
{
    add(0, "path/");
    add(0, "head/");
    add(1, "path/");
    rp_subscriptions_drop(&subscriptions, &owners[0]);
    rp_subscriptions_drop(&subscriptions, &owners[2]); // had none
    ck_assert_uint_eq(subscriptions.count, 1);
    ck_assert_uint_eq(subscriptions.tree.bytes, 5 NODES);
}
END_TEST

START_TEST(who_is_told_to_go_takes_what_it_took_until_it_is_gone)
{
    add(0, "path/");
    add(0, "path/fen/");
    add(1, "path/");
    rp_subscriptions_leave(&subscriptions, &owners[0]);
    rp_subscriptions_leave(&subscriptions, &owners[2]); // had none
    ck_assert_uint_eq(subscriptions.count, 1);
    ck_assert_uint_eq(subscriptions.tree.bytes, 5 NODES);
    ck_assert_uint_eq(subscriptions.leaving_bytes, 4 NODES);
    ck_assert_ptr_eq(rp_subscriptions_greatest(&subscriptions), &owners[1]);
    rp_subscriptions_drop(&subscriptions, &owners[0]);
    ck_assert_uint_eq(subscriptions.leaving_bytes, 0);
}
END_TEST

START_TEST(whoever_holds_most_is_found)
{
    ck_assert_ptr_null(rp_subscriptions_greatest(&subscriptions));
    add(0, "path/");
    add(1, "path/");
    add(1, "head/");
    add(2, "path/");
    ck_assert_ptr_eq(rp_subscriptions_greatest(&subscriptions), &owners[1]);
    char topic[200];
    memset(topic, 'x', sizeof topic);
    topic[sizeof topic - 1u] = '\0';
    add(2, topic);
    ck_assert_ptr_eq(rp_subscriptions_greatest(&subscriptions), &owners[2]);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_asked_for_twice_counts_once,
        what_was_not_asked_for_cannot_be_given_back,
        everything_is_a_topic_too,
        who_leaves_takes_all_of_its_own,
        who_is_told_to_go_takes_what_it_took_until_it_is_gone,
        whoever_holds_most_is_found,
    };
    return rp_suite_run("subscriptions", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
