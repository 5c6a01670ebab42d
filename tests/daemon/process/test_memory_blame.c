/// What ZeroMQ's thread makes the process grow by, and what others do not.
#include "daemon/process/memory_blame.h"

#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <zmq.h>

#include "tests/support/suite.h"

#define BYTES ((size_t)64 << 20)

static void *context;
static void *in;
static void *out;
static rp_memory_blame_t blame;

static void set_up(void)
{
    char endpoint[64];
    size_t room = sizeof endpoint;
    const int all = 0;
    (void)prctl(PR_SET_THP_DISABLE, 1, 0, 0, 0);
    context = zmq_ctx_new();
    in = zmq_socket(context, ZMQ_PULL);
    out = zmq_socket(context, ZMQ_PUSH);
    (void)zmq_setsockopt(in, ZMQ_RCVHWM, &all, sizeof all);
    (void)zmq_setsockopt(out, ZMQ_LINGER, &all, sizeof all);
    ck_assert_int_eq(zmq_bind(in, "tcp://127.0.0.1:*"), 0);
    (void)zmq_getsockopt(in, ZMQ_LAST_ENDPOINT, endpoint, &room);
    ck_assert_int_eq(zmq_connect(out, endpoint), 0);
    rp_memory_blame_init(&blame);
    while (!rp_memory_blame_is_possible(&blame)) { // ZeroMQ's thread gives itself its name
        ck_assert_uint_eq(rp_memory_blame_growth(&blame, 1000), 0);
    }
}

static void tear_down(void)
{
    rp_memory_blame_fini(&blame);
    (void)zmq_close(in);
    (void)zmq_close(out);
    (void)zmq_ctx_term(context);
}

START_TEST(after_a_pause_nothing_is_known)
{
    set_up();
    ck_assert_uint_eq(rp_memory_blame_growth(&blame, 1001 + RP_MEMORY_BLAME_PAUSE_US), 0);
}
END_TEST

START_TEST(what_comes_over_a_line_is_growth)
{
    char byte = 0;
    set_up();
    char *bytes = calloc(1, BYTES);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 1, BYTES);
    (void)rp_memory_blame_growth(&blame, 1000);
    ck_assert_int_eq(zmq_send(out, bytes, BYTES, 0), (int)BYTES);
    ck_assert_int_eq(zmq_recv(in, &byte, 1, 0), (int)BYTES); // cut to one, but it was there
    const uint64_t growth = rp_memory_blame_growth(&blame, 2000);
    ck_assert_uint_le(growth, 2u * BYTES);
    free(bytes);
}
END_TEST

START_TEST(what_this_thread_meets_is_none)
{
    set_up();
    (void)rp_memory_blame_growth(&blame, 1000);
    char *bytes = malloc(BYTES);
    ck_assert_ptr_nonnull(bytes);
    memset(bytes, 1, BYTES);
    ck_assert_uint_lt(rp_memory_blame_growth(&blame, 2000), BYTES / 8u);
    ck_assert_int_eq(bytes[BYTES - 1u], 1);
    free(bytes);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        after_a_pause_nothing_is_known,
        what_comes_over_a_line_is_growth,
        what_this_thread_meets_is_none,
    };
    return rp_suite_run("memory_blame", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
