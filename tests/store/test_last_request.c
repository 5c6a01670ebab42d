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

/// What is kept of a shape. @return to be freed by the caller
static Replan__V1__Request *kept_of(uint32_t id, const rp_last_request_shape_t **shape)
{
    *shape = shapes.by_id;
    while (*shape != NULL && (*shape)->id != id) {
        *shape = (*shape)->hh.next;
    }
    ck_assert_ptr_nonnull(*shape);
    Replan__V1__Request *request =
        replan__v1__request__unpack(NULL, (*shape)->put.size, (*shape)->put.bytes);
    ck_assert_ptr_nonnull(request);
    ck_assert_int_eq(request->body_case, REPLAN__V1__REQUEST__BODY_OVERLAY);
    ck_assert_str_eq(request->overlay->world, "marsh");
    ck_assert_uint_eq(request->overlay->n_ids, 1);
    ck_assert_uint_eq(request->overlay->ids[0], id);
    ck_assert_uint_eq(request->overlay->n_removed, 0);
    return request;
}

/// A disc, a triangle and a square that go at other times; the first one stays.
START_TEST(an_overlay_is_kept_shape_by_shape)
{
    static uint32_t names[] = {4, 7, 5};
    static uint32_t corners[] = {1, 3, 4};
    static uint32_t ttl_ms[] = {0, 20, 30};
    static double x[] = {1, 2, 3, 4, 5, 6, 7, 8};
    static double y[] = {10, 20, 30, 40, 50, 60, 70, 80};
    static double radii_m[] = {0.5, 0.25, 0.75};
    static uint8_t bytes[] = {200, 201, 202};
    for (unsigned round = 0; round < 8; round++) {
        const bool has_ttl = (round & 1u) != 0;
        const bool has_radii = (round & 2u) != 0;
        const bool has_values = (round & 4u) != 0;
        size_t corner = 0;
        Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
        overlay.world = (char *)"marsh";
        overlay.n_ids = overlay.n_corners = 3;
        overlay.ids = names;
        overlay.corners = corners;
        overlay.n_x = overlay.n_y = 8;
        overlay.x = x;
        overlay.y = y;
        overlay.n_ttl_ms = has_ttl ? 3 : 0;
        overlay.ttl_ms = ttl_ms;
        overlay.n_radii_m = has_radii ? 3 : 0;
        overlay.radii_m = radii_m;
        overlay.values = (ProtobufCBinaryData){has_values ? 3 : 1, bytes};
        ck_assert(rp_last_request_overlay(&shapes, &overlay, NOW_US + WALL_US, NOW_US));
        ck_assert_str_eq(ids(), "475");
        for (size_t i = 0; i < 3; i++) {
            const rp_last_request_shape_t *shape;
            Replan__V1__Request *request = kept_of(names[i], &shape);
            const Replan__V1__Overlay *kept = request->overlay;
            const bool goes = has_ttl && ttl_ms[i] != 0;
            ck_assert_uint_eq(kept->n_corners, 1);
            ck_assert_uint_eq(kept->corners[0], corners[i]);
            ck_assert_uint_eq(kept->n_x, corners[i]);
            ck_assert_uint_eq(kept->n_y, corners[i]);
            ck_assert_mem_eq(kept->x, x + corner, corners[i] * sizeof *x);
            ck_assert_mem_eq(kept->y, y + corner, corners[i] * sizeof *y);
            corner += corners[i];
            ck_assert_uint_eq(kept->n_radii_m, has_radii);
            ck_assert(!has_radii || kept->radii_m[0] == radii_m[i]);
            ck_assert_uint_eq(kept->values.len, 1);
            ck_assert_uint_eq(kept->values.data[0], bytes[has_values ? i : 0]);
            ck_assert_uint_eq(kept->n_ttl_ms, goes);
            ck_assert(!goes || kept->ttl_ms[0] == ttl_ms[i]);
            ck_assert_uint_eq(shape->put_us, NOW_US + WALL_US);
            ck_assert_uint_eq(shape->expires_us, goes ? NOW_US + 1000u * ttl_ms[i] : UINT64_MAX);
            replan__v1__request__free_unpacked(request, NULL);
        }
    }
}
END_TEST

START_TEST(what_an_overlay_removes_or_clears_is_forgotten)
{
    uint32_t removed[] = {2, 9, 4}; // of these one is not there
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    for (uint32_t id = 1; id <= 5; id++) {
        put(id, 0, NOW_US);
    }
    overlay.world = (char *)"marsh";
    overlay.n_removed = 3;
    overlay.removed = removed;
    ck_assert(rp_last_request_overlay(&shapes, &overlay, NOW_US, NOW_US));
    ck_assert_str_eq(ids(), "135");
    overlay.n_removed = 0;
    overlay.clear = 1;
    ck_assert(rp_last_request_overlay(&shapes, &overlay, NOW_US, NOW_US));
    ck_assert_str_eq(ids(), "");
}
END_TEST

START_TEST(an_agent_is_kept_without_where_it_was_and_where_it_went_then)
{
    Replan__V1__Pose pose = REPLAN__V1__POSE__INIT;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__OpenAgent open = REPLAN__V1__OPEN_AGENT__INIT;
    open.world = (char *)"marsh";
    open.agent = (char *)"scout";
    open.planner = (char *)"lpa";
    open.pose = &pose;
    open.goal = &goal;
    ck_assert(rp_last_request_open(&agent, &open));
    ck_assert_ptr_eq(open.pose, &pose);
    Replan__V1__Request *request =
        replan__v1__request__unpack(NULL, agent.open.size, agent.open.bytes);
    ck_assert_ptr_nonnull(request);
    ck_assert_int_eq(request->body_case, REPLAN__V1__REQUEST__BODY_OPEN_AGENT);
    ck_assert_str_eq(request->open_agent->agent, "scout");
    ck_assert_str_eq(request->open_agent->planner, "lpa");
    ck_assert_ptr_null(request->open_agent->pose);
    ck_assert_ptr_null(request->open_agent->goal);
    replan__v1__request__free_unpacked(request, NULL);
    agent.pose.is_there = true;
    rp_last_request_agent_fini(&agent);
    ck_assert(!agent.pose.is_there);
    ck_assert_uint_eq(agent.open.size, 0);
    ck_assert_ptr_null(agent.open.bytes);
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

// ---- without memory

static bool has_memory = true;

/// The linker has all of these come here, and knows the real ones by those names.
void *__real_calloc(size_t count, size_t each);  // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_calloc(size_t count, size_t each);  // NOLINT(bugprone-reserved-identifier,cert-*)
void *__real_realloc(void *memory, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_realloc(void *memory, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)

void *__wrap_calloc(size_t count, size_t each) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    return has_memory ? __real_calloc(count, each) : NULL;
}

void *__wrap_realloc(void *memory, size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    return has_memory ? __real_realloc(memory, size) : NULL;
}

START_TEST(what_there_is_no_memory_for_is_told_and_not_kept_in_part)
{
    uint32_t id = 3;
    uint32_t corners = 1;
    double at = 1.5;
    uint8_t byte = 0;
    Replan__V1__Goal goal = REPLAN__V1__GOAL__INIT;
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    overlay.world = (char *)"marsh";
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = 1;
    overlay.ids = &id;
    overlay.corners = &corners;
    overlay.x = overlay.y = &at;
    overlay.values = (ProtobufCBinaryData){1, &byte};
    put(1, 0, NOW_US);
    ck_assert(rp_last_request_goal(&agent, "marsh", "scout", &goal));
    has_memory = false;
    const bool is_new_kept = rp_last_request_overlay(&shapes, &overlay, NOW_US, NOW_US);
    id = 1;
    const bool is_old_kept = rp_last_request_overlay(&shapes, &overlay, NOW_US, NOW_US);
    const bool is_goal_kept = rp_last_request_goal(&agent, "marsh", "scout", &goal);
    has_memory = true;
    ck_assert(!is_new_kept);
    ck_assert(!is_old_kept);
    ck_assert(!is_goal_kept);
    ck_assert_str_eq(ids(), "1");
    ck_assert_uint_eq(shapes.by_id->put.size, 0);
    ck_assert_ptr_null(shapes.by_id->put.bytes);
    ck_assert_uint_eq(agent.goal.size, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_shape_that_moves_lies_where_it_lay,
        a_shape_whose_time_is_over_is_named_and_forgotten,
        an_overlay_is_kept_shape_by_shape,
        what_an_overlay_removes_or_clears_is_forgotten,
        an_agent_is_kept_without_where_it_was_and_where_it_went_then,
        a_goal_begins_at_the_waypoint_that_was_reached,
        what_there_is_no_memory_for_is_told_and_not_kept_in_part,
    };
    return rp_suite_run("last", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
