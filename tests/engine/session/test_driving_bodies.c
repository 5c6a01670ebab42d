/// Driving with a footprint: what it fits through as it is, and what is none.
#include "tests/engine/session/driving_scene.h"

/// A slab, three cells long and one wide.
static const rp_polygon_body_t slab = {
    .x_m = {1.5, 1.5, -1.5, -1.5},
    .y_m = {-0.45, 0.45, 0.45, -0.45},
    .corner_count = 4,
    .outline_count = 1,
};

static void block_row(uint32_t y, uint32_t from, uint32_t to)
{
    for (uint32_t x = from; x < to; x++) {
        (void)rp_scene_set(&scene, x, y, 0);
    }
}

START_TEST(a_slab_drives_through_a_corridor_of_its_width)
{
    const rp_motion_t motion = {.drive = RP_MOTION_CAR,
                                .headings_most = 16,
                                .footprint = &slab,
                                .turning_radius_m = RADIUS};
    const rp_motion_t disc = {.drive = RP_MOTION_CAR,
                              .headings_most = 16,
                              .body_radius_m = 1.5,
                              .turning_radius_m = RADIUS};
    open_meadow(40, 21, false);
    block_row(9, 15, 25);
    block_row(11, 15, 25);
    for (uint32_t y = 0; y < 21; y++) {
        if (y != 10) {
            (void)rp_scene_set(&scene, 20, y, 0);
        }
    }
    const rp_session_id_t session = drive(&motion, 5.5, 5.5, 0.3, 35, 15);
    const rp_answer_t answer = answer_of(session);
    ck_assert_int_eq(answer.outcome, RP_ANSWER_FOUND);
    check_curve(&answer, &motion);
    check_cells(&answer);
    ck_assert_int_eq(answer_of(drive(&disc, 5.5, 5.5, 0.3, 35, 15)).outcome, RP_ANSWER_NO_PATH);
}
END_TEST

START_TEST(a_slab_has_no_room_to_turn_where_a_point_has)
{
    const rp_motion_t motion = {.drive = RP_MOTION_SPOT,
                                .headings_most = 16,
                                .footprint = &slab,
                                .turning_radius_m = 0.0,
                                .turn_m_per_rad = 1.0};
    open_meadow(30, 3, false);
    block_row(0, 0, 30);
    block_row(2, 0, 30);
    rp_motion_t free = motion;
    free.footprint = NULL;
    free.body_radius_m = 0.45;
    const rp_session_id_t stuck = drive(&motion, 15.5, 1.5, 0.0, 4, 1);
    ck_assert_int_eq(answer_of(stuck).outcome, RP_ANSWER_NO_PATH);
    const rp_session_id_t session = drive(&free, 15.5, 1.5, 0.0, 4, 1);
    const rp_answer_t turned = answer_of(session);
    ck_assert_int_eq(turned.outcome, RP_ANSWER_FOUND);
    check_curve(&turned, &free);
}
END_TEST

START_TEST(an_obstacle_beside_a_slab_breaks_nothing_and_one_in_its_way_does)
{
    const rp_motion_t motion = {.drive = RP_MOTION_CAR,
                                .headings_most = 16,
                                .footprint = &slab,
                                .turning_radius_m = RADIUS};
    open_meadow(60, 30, false);
    (void)drive(&motion, 4.5, 14.5, 0.0, 55, 14);
    (void)last_answer();
    (void)rp_scene_set(&scene, 30, 15, 0); // 0.5 beside the middle, the slab reaches 0.45
    rp_scene_expect_silence(&scene);
    (void)rp_scene_set(&scene, 30, 14, 0);
    const rp_answer_t other = last_answer();
    ck_assert_int_eq(other.reason, RP_REASON_INVALID);
    check_curve(&other, &motion);
}
END_TEST

START_TEST(an_obstacle_that_touches_breaks_nothing)
{
    rp_motion_t motion = exact_car;
    motion.body_radius_m = 0.5;
    open_meadow(60, 30, false);
    const rp_session_id_t session = drive(&motion, 8.5, 15.5, 0.0, 50, 15);
    const uint64_t said = answer_of(session).path_seq;
    (void)rp_scene_set(&scene, 30, 14, 0);
    const rp_answer_t answer = answer_of(session);
    ck_assert_uint_eq(answer.path_seq, said);
    check_curve(&answer, &motion);
}
END_TEST

START_TEST(both_parts_of_a_train_count)
{
    open_meadow(30, 30, false);
    rp_motion_t motion = train;
    motion.reverse = false;
    const rp_session_id_t session = drive(&motion, 5.5, 15.5, 0.0, 25, 15);
    ck_assert_int_eq(answer_of(session).outcome, RP_ANSWER_FOUND);
    (void)rp_scene_set(&scene, 2, 15, 0); // a cell behind the trailer
    ck_assert_int_eq(answer_of(session).outcome, RP_ANSWER_FOUND);
    (void)rp_scene_set(&scene, 4, 15, 0); // under the trailer
    const rp_answer_t leaving = answer_of(session);
    ck_assert_int_eq(leaving.outcome, RP_ANSWER_FOUND);
    ck_assert_double_gt(leaving.escape_m, 0.1);
}
END_TEST

static const char *judge(const rp_polygon_body_t *body)
{
    const rp_motion_t motion = {
        .drive = RP_MOTION_CAR, .headings_most = 16, .footprint = body, .turning_radius_m = RADIUS};
    const char *wrong = rp_engine_judge_footprint(scene.engine, scene.world, body);
    const rp_motion_fault_t fault = rp_engine_judge_motion(scene.engine, scene.world, &motion);
    ck_assert((wrong == NULL) == (fault == RP_MOTION_FINE));
    return wrong != NULL ? wrong : "";
}

#define EXPECT(body, word) ck_assert_msg(strstr(judge(body), word) != NULL, "%s", judge(body))

START_TEST(footprints_that_are_none_are_told_in_words)
{
    open_meadow(60, 30, false);
    ck_assert_str_eq(judge(&slab), "");
    ck_assert_str_eq(judge(&train_body), "");
    rp_polygon_body_t body = slab;
    body.x_m[0] = -1.5;
    body.x_m[3] = 1.5;
    EXPECT(&body, "crosses itself");
    body = slab;
    body.x_m[0] = NAN;
    EXPECT(&body, "no number");
    body = slab;
    body.padding_m = -0.1;
    EXPECT(&body, "padding");
    body = slab;
    body.corner_count = 2;
    EXPECT(&body, "fewer than 3");
    body = slab;
    body.first[0] = 1;
    EXPECT(&body, "fewer than 3");
    body = slab;
    body.outline_count = 0;
    EXPECT(&body, "fewer than 3");
    body = slab;
    body.x_m[0] = body.x_m[1] = 3.0;
    body.x_m[2] = body.x_m[3] = 2.0;
    EXPECT(&body, "origin does not lie inside");
    body = slab;
    body.x_m[0] = body.x_m[1] = 64.5;
    EXPECT(&body, "farther than 64 cells");
    body = slab;
    body.y_m[0] = body.y_m[3] = -16.0;
    body.y_m[1] = body.y_m[2] = 16.0;
    body.x_m[0] = body.x_m[1] = 16.0;
    body.x_m[2] = body.x_m[3] = -16.0;
    EXPECT(&body, "narrower");
}
END_TEST

START_TEST(a_radius_beside_a_footprint_is_refused)
{
    rp_motion_t motion = train;
    open_meadow(60, 30, false);
    motion.body_radius_m = 0.5;
    ck_assert_int_eq(rp_engine_judge_motion(scene.engine, scene.world, &motion),
                     RP_MOTION_BAD_BODY_RADIUS);
    motion = car;
    motion.body_radius_m = 15.5;
    ck_assert_int_eq(rp_engine_judge_motion(scene.engine, scene.world, &motion),
                     RP_MOTION_TOO_NARROW);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_slab_drives_through_a_corridor_of_its_width,
        a_slab_has_no_room_to_turn_where_a_point_has,
        an_obstacle_beside_a_slab_breaks_nothing_and_one_in_its_way_does,
        an_obstacle_that_touches_breaks_nothing,
        both_parts_of_a_train_count,
        footprints_that_are_none_are_told_in_words,
        a_radius_beside_a_footprint_is_refused,
    };
    return rp_suite_run("driving bodies", tests, sizeof tests / sizeof *tests, 1, tear_down);
}
