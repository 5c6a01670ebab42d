/// The queue: who waits for whom, in what order they leave it.
#include "daemon/serving/request_queue.h"

#include <string.h>

#include "tests/support/suite.h"

static rp_request_queue_t queue;

static void tear_down(void)
{
    rp_request_queue_fini(&queue);
}

static const rp_peer_t *peer(const char *name)
{
    static rp_peer_t peers[2];
    rp_peer_t *self = &peers[name[0] == 'a'];
    *self = (rp_peer_t){0};
    ck_assert(rp_peer_add(self, name, strlen(name)));
    return self;
}

/// @param who  NULL: it was published
static rp_inbound_t inbound(const char *who, const char *world, unsigned touches)
{
    return (rp_inbound_t){.peer = who != NULL ? peer(who) : NULL,
                          .body = (const uint8_t *)"body",
                          .size = 4,
                          .world = world,
                          .touches = touches};
}

static rp_queued_t *add(const char *who, const char *world, unsigned touches)
{
    const rp_inbound_t added = inbound(who, world, touches);
    rp_shared_buffer_t *buffer = rp_shared_buffer_copy(added.body, added.size);
    return rp_request_queue_add(&queue, &added, &buffer);
}

static bool holds(const char *who, const char *world, unsigned touches)
{
    const rp_inbound_t asked = inbound(who, world, touches);
    return rp_request_queue_holds(&queue, &asked, NULL);
}

START_TEST(who_asks_about_the_same_of_a_world_waits)
{
    (void)add("ann", "marsh", RP_TOUCHES_MAP);
    ck_assert(holds("bob", "marsh", RP_TOUCHES_MAP));
    ck_assert(holds(NULL, "marsh", RP_TOUCHES_MAP | RP_TOUCHES_REST));
    ck_assert(!holds("bob", "marsh", RP_TOUCHES_REST));
    ck_assert(!holds("bob", "moor", RP_TOUCHES_MAP));
    ck_assert(!holds(NULL, "", RP_TOUCHES_REST));
}
END_TEST

START_TEST(who_sent_what_is_before_waits_whatever_it_is_about)
{
    (void)add("ann", "marsh", RP_TOUCHES_MAP);
    ck_assert(holds("ann", "moor", RP_TOUCHES_REST));
    ck_assert(holds("ann", "", 0));
    ck_assert(!holds("bob", "", RP_TOUCHES_REST));
}
END_TEST

START_TEST(only_those_before_it_hold_up_one_in_line)
{
    rp_queued_t *first = add("ann", "marsh", RP_TOUCHES_MAP);
    rp_queued_t *second = add(NULL, "marsh", RP_TOUCHES_MAP);
    rp_queued_t *third = add(NULL, "moor", RP_TOUCHES_MAP);
    ck_assert(!rp_request_queue_holds(&queue, &first->inbound, first));
    ck_assert(rp_request_queue_holds(&queue, &second->inbound, second));
    ck_assert(!rp_request_queue_holds(&queue, &third->inbound, third));
    rp_request_queue_remove(&queue, first);
    ck_assert(!rp_request_queue_holds(&queue, &second->inbound, second));
    rp_request_queue_remove(&queue, third);
    rp_request_queue_remove(&queue, second);
    ck_assert(rp_request_queue_is_empty(&queue));
    ck_assert_uint_eq(queue.shares.total, 0);
    (void)add("ann", "marsh", RP_TOUCHES_MAP);
    ck_assert_uint_eq(queue.count, 1);
}
END_TEST

/// @return how many more the sender could have in the queue
static size_t fill(const char *who)
{
    size_t count = 0;
    rp_inbound_t next = inbound(who, "marsh", RP_TOUCHES_REST);
    while (rp_request_queue_has_room(&queue, &next)) {
        ck_assert_ptr_nonnull(add(who, "marsh", RP_TOUCHES_REST));
        next = inbound(who, "marsh", RP_TOUCHES_REST);
        count++;
    }
    return count;
}

START_TEST(a_sender_has_its_part_and_leaves_others_theirs)
{
    const size_t part = RP_REQUEST_QUEUE_SENDER / (RP_REQUEST_QUEUE_WEIGHT + 4u);
    ck_assert_uint_eq(fill("ann"), part);
    ck_assert_uint_eq(fill("bob"), part);
    ck_assert_uint_eq(fill(NULL), part); // who publishes counts as one
    rp_request_queue_remove(&queue, queue.first);
    ck_assert_uint_eq(fill("bob"), 0);
    ck_assert_uint_eq(fill("ann"), 1);
}
END_TEST

START_TEST(one_message_finds_room_however_long_it_is)
{
    static uint8_t body[RP_REQUEST_QUEUE_SENDER + 1u];
    rp_inbound_t long_one = inbound("ann", "marsh", RP_TOUCHES_MAP);
    long_one.body = body;
    long_one.size = sizeof body;
    ck_assert(rp_request_queue_has_room(&queue, &long_one));
    rp_shared_buffer_t *buffer = rp_shared_buffer_copy(body, sizeof body);
    ck_assert_ptr_nonnull(rp_request_queue_add(&queue, &long_one, &buffer));
    ck_assert_uint_eq(fill("ann"), 0);
    ck_assert_uint_gt(fill("bob"), 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        who_asks_about_the_same_of_a_world_waits,
        who_sent_what_is_before_waits_whatever_it_is_about,
        only_those_before_it_hold_up_one_in_line,
        a_sender_has_its_part_and_leaves_others_theirs,
        one_message_finds_room_however_long_it_is,
    };
    return rp_suite_run("request_queue", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
