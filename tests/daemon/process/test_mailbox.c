/// Two threads, one queue: nothing is lost, nothing overtakes.
#include <poll.h>
#include <stdlib.h>

#include "daemon/process/mailbox.h"
#include "tests/support/suite.h"

#define ITEMS RP_ROUNDS(100000u)

typedef struct item {
    rp_mailbox_link_t link;
    unsigned number;
} item_t;

static rp_mailbox_t queue;

static void *put_all(void *user)
{
    (void)user;
    for (unsigned i = 0; i < ITEMS; i++) {
        item_t *item = malloc(sizeof *item);
        if (item == NULL) {
            abort();
        }
        item->number = i;
        rp_mailbox_put(&queue, &item->link);
    }
    return NULL;
}

/// @return the number that is expected next
static unsigned check(rp_mailbox_link_t *all, unsigned next)
{
    while (all != NULL) {
        item_t *item = (item_t *)all;
        all = all->next;
        RP_EACH_EQ(item->number, next);
        next++;
        free(item);
    }
    return next;
}

START_TEST(what_is_put_comes_in_order_to_who_sleeps)
{
    pthread_t writer;
    unsigned next = 0;
    ck_assert(rp_mailbox_init(&queue, false));
    ck_assert_int_eq(pthread_create(&writer, NULL, put_all, NULL), 0);
    while (next < ITEMS) {
        next = check(rp_mailbox_wait(&queue), next);
    }
    (void)pthread_join(writer, NULL);
    ck_assert_ptr_null(rp_mailbox_take(&queue));
    rp_mailbox_fini(&queue);
}
END_TEST

START_TEST(the_descriptor_speaks_while_something_waits)
{
    pthread_t writer;
    unsigned next = 0;
    ck_assert(rp_mailbox_init(&queue, true));
    struct pollfd descriptor = {queue.descriptor, POLLIN, 0};
    ck_assert_int_eq(poll(&descriptor, 1, 0), 0);
    ck_assert_int_eq(pthread_create(&writer, NULL, put_all, NULL), 0);
    while (next < ITEMS) {
        ck_assert_int_eq(poll(&descriptor, 1, 60000), 1);
        next = check(rp_mailbox_take(&queue), next);
    }
    (void)pthread_join(writer, NULL);
    ck_assert_ptr_null(rp_mailbox_take(&queue));
    rp_mailbox_fini(&queue);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_is_put_comes_in_order_to_who_sleeps,
        the_descriptor_speaks_while_something_waits,
    };
    return rp_suite_run("mailbox", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
