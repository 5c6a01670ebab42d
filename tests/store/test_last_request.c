/// What is kept of agents and shapes, to be told again.
#include "store/last_request.h"

#include <stdlib.h>

#include "tests/support/suite.h"

#define NOW_US 1000000u

/// The wall clock is ahead of the steady one by so much.
#define WALL_US 7000000000u

static rp_last_request_shapes_t shapes;
static rp_last_request_agent_t agent;

static void tear_down(void)
{
    rp_last_request_shapes_fini(&shapes);
    rp_last_request_agent_fini(&agent);
}

/// Put a disc of a metre. @param ttl_ms  0: it stays
static void put(uint32_t id, uint32_t ttl_ms, uint64_t now_us)
{
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    uint32_t corners = 1;
    double at = 1.5;
    double radius_m = 1.0;
    uint8_t byte = 0;
    overlay.world = (char *)"marsh";
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = overlay.n_radii_m = 1;
    overlay.ids = &id;
    overlay.corners = &corners;
    overlay.x = overlay.y = &at;
    overlay.radii_m = &radius_m;
    overlay.values = (ProtobufCBinaryData){1, &byte};
    overlay.n_ttl_ms = ttl_ms != 0;
    overlay.ttl_ms = &ttl_ms;
    ck_assert(rp_last_request_overlay(&shapes, &overlay, now_us + WALL_US, now_us));
}

/// Their ids in the order in which they lie.
static const char *ids(void)
{
    static char text[64];
    char *end = text;
    for (const rp_last_request_shape_t *shape = shapes.by_id; shape != NULL;
         shape = shape->hh.next) {
        *end++ = (char)('0' + shape->id);
    }
    *end = '\0';
    return text;
}

START_TEST(a_shape_that_moves_lies_where_it_lay)
{
    put(1, 0, NOW_US);
    put(2, 0, NOW_US);
    put(1, 0, NOW_US);
    ck_assert_str_eq(ids(), "12");
}
END_TEST

/// How many shapes go at this time; of the last one the id.
static size_t expire(uint64_t now_us, uint32_t *id)
{
    static uint32_t gone[RP_LIMIT_SHAPES];
    const size_t count = rp_last_request_expire(&shapes, now_us, gone);
    *id = count != 0 ? gone[count - 1u] : 0;
    return count;
}

START_TEST(a_shape_whose_time_is_over_is_named_and_forgotten)
{
    uint32_t id;
    put(1, 5, NOW_US);
    put(2, 0, NOW_US);
    put(3, 6, NOW_US);
    ck_assert_uint_eq(expire(NOW_US + 4999u, &id), 0);
    ck_assert_uint_eq(expire(NOW_US + 5000u, &id), 1);
    ck_assert_uint_eq(id, 1);
    ck_assert_str_eq(ids(), "23");
    put(1, 5, NOW_US + 5000u); // comes anew, and on top
    ck_assert_str_eq(ids(), "231");
    ck_assert_uint_eq(expire(UINT64_MAX - 1u, &id), 2);
    ck_assert_str_eq(ids(), "2");
}
END_TEST

START_TEST(a_goal_begins_at_the_waypoint_that_was_reached)
{
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    double metres[] = {1.5, 2.5, 3.5};
    goal.n_x = goal.n_y = 3;
    goal.x = goal.y = metres;
    ck_assert_ptr_null(rp_last_request_waypoint(&agent, 1)); // it has none
    ck_assert(rp_last_request_goal(&agent, "marsh", "scout", &goal));
    ck_assert_ptr_null(rp_last_request_waypoint(&agent, 0));
    const rp_last_request_t *last = rp_last_request_waypoint(&agent, 2);
    ck_assert_ptr_nonnull(last);
    Replan__V1__Request *request = replan__v1__request__unpack(NULL, last->size, last->bytes);
    ck_assert_ptr_nonnull(request);
    ck_assert_str_eq(request->set_goal->agent, "scout");
    ck_assert_uint_eq(request->set_goal->n_x, 3);
    ck_assert_uint_eq(request->set_goal->first_waypoint, 2);
    replan__v1__request__free_unpacked(request, NULL);
    ck_assert_ptr_null(rp_last_request_waypoint(&agent, 2)); // it said so
    ck_assert_ptr_null(rp_last_request_waypoint(&agent, 3)); // of an older goal
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_shape_that_moves_lies_where_it_lay,
        a_shape_whose_time_is_over_is_named_and_forgotten,
        a_goal_begins_at_the_waypoint_that_was_reached,
    };
    return rp_suite_run("last", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
