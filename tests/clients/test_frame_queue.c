/// Frames that wait.
#include "clients/c/frame_queue.h"

#include <check.h>
#include <string.h>

#include "tests/support/suite.h"

static rp_frame_queue_t frames;

static void tear_down(void)
{
    rp_frame_queue_fini(&frames);
}

static void put(unsigned number)
{
    zmq_msg_t frame;
    zmq_msg_init_size(&frame, sizeof number);
    memcpy(zmq_msg_data(&frame), &number, sizeof number);
    ck_assert(rp_frame_queue_put(&frames, &frame));
}

static void take(unsigned number)
{
    zmq_msg_t frame;
    ck_assert(rp_frame_queue_take(&frames, &frame));
    ck_assert_uint_eq(zmq_msg_size(&frame), sizeof number);
    ck_assert_mem_eq(zmq_msg_data(&frame), &number, sizeof number);
    zmq_msg_close(&frame);
}

/// The ring grows while its oldest frame stands in its middle.
START_TEST(frames_leave_in_order_of_coming_however_many_wait)
{
    unsigned next_in = 0;
    unsigned next_out = 0;
    for (unsigned round = 0; round < 40; round++) {
        for (unsigned i = 0; i < 25; i++) {
            put(next_in++);
        }
        for (unsigned i = 0; i < 10; i++) {
            take(next_out++);
        }
    }
    while (next_out < next_in) {
        take(next_out++);
    }
    zmq_msg_t none;
    ck_assert(!rp_frame_queue_take(&frames, &none));
}
END_TEST

START_TEST(those_that_wait_in_the_end_are_closed)
{
    for (unsigned i = 0; i < 100; i++) {
        put(i);
    }
    rp_frame_queue_fini(&frames); // a sanitizer sees what is left
    ck_assert_uint_eq(frames.count, 0);
    put(7);
    take(7);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        frames_leave_in_order_of_coming_however_many_wait,
        those_that_wait_in_the_end_are_closed,
    };
    return rp_suite_run("frames", tests, 2, 1, tear_down);
}
