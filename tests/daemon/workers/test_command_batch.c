/// Commands as they travel: what they point to is copied whole, and only what is added comes along.
#include "daemon/workers/command_batch.h"

#include <string.h>

#include "tests/support/suite.h"

static rp_command_batch_t *batch;

static void tear_down(void)
{
    rp_command_batch_destroy(&batch);
}

/// Pack a command, then spoil what it was made of.
static const rp_command_t *send(const rp_command_t *command, void *made_of, size_t size)
{
    batch = batch != NULL ? batch : rp_command_batch_new();
    ck_assert_ptr_nonnull(batch);
    rp_command_t *staged_edit = rp_command_batch_draft(batch, command);
    ck_assert_ptr_nonnull(staged_edit);
    rp_command_batch_add(batch, staged_edit);
    memset(made_of, 0xee, size);
    return staged_edit;
}

START_TEST(a_world_comes_with_its_bytes_and_profiles)
{
    struct {
        uint8_t data[6];
        uint8_t factors[256];
        char own[8];
        char like[8];
        rp_profile_options_t profile;
        rp_world_options_t world;
    } it = {.data = {1, 2, 3, 4, 5, 6}, .own = "wheels", .like = "factor"};
    it.factors[255] = 9;
    it.profile = (rp_profile_options_t){.name = it.own, .factors = it.factors, .like = it.like};
    it.world = (rp_world_options_t){.width = 3,
                                    .height = 2,
                                    .profile = it.own,
                                    .profiles = &it.profile,
                                    .profile_count = 1,
                                    .data = it.data};
    const rp_command_t command = {
        .kind = RP_COMMAND_OPEN_WORLD, .subject = 7, .with.world = &it.world};
    const rp_command_t *sent = send(&command, &it, sizeof it);
    const rp_world_options_t *world = sent->with.world;
    static const uint8_t bytes[] = {1, 2, 3, 4, 5, 6};
    ck_assert_uint_eq(sent->subject, 7);
    ck_assert_uint_eq(world->width, 3);
    ck_assert_mem_eq(world->data, bytes, sizeof bytes);
    ck_assert_str_eq(world->profile, "wheels");
    ck_assert_str_eq(world->profiles[0].name, "wheels");
    ck_assert_str_eq(world->profiles[0].like, "factor");
    ck_assert_uint_eq(world->profiles[0].factors[255], 9);
}
END_TEST

START_TEST(an_edit_comes_with_its_rectangle_and_its_cells)
{
    struct {
        uint8_t data[4];
        uint32_t cells[2];
        uint8_t values[2];
        rp_edit_t edit;
    } it = {.data = {1, 2, 3, 4}, .cells = {70, 80}, .values = {5, 6}};
    it.edit = (rp_edit_t){.x = 1,
                          .width = 2,
                          .height = 2,
                          .data = it.data,
                          .cells = it.cells,
                          .cell_count = 2,
                          .values = it.values};
    const rp_command_t command = {.kind = RP_COMMAND_APPLY, .cause = {3, 4}, .with.edit = &it.edit};
    const rp_command_t *sent = send(&command, &it, sizeof it);
    ck_assert_uint_eq(sent->cause.source_us, 3);
    ck_assert_uint_eq(sent->with.edit->data[3], 4);
    ck_assert_uint_eq(sent->with.edit->cells[1], 80);
    ck_assert_uint_eq(sent->with.edit->values[1], 6);
}
END_TEST

START_TEST(shapes_come_with_their_corners)
{
    struct {
        double x_m[3];
        double y_m[3];
        uint32_t removed[2];
        rp_shape_t shapes[2];
        rp_overlay_edit_t edit;
    } it = {.x_m = {1, 2, 3}, .y_m = {4, 5, 6}, .removed = {8, 9}};
    it.shapes[0] = (rp_shape_t){.id = 1, .corners = 3, .x_m = it.x_m, .y_m = it.y_m};
    it.shapes[1] = (rp_shape_t){.id = 2, .corners = 1, .x_m = it.x_m + 1, .y_m = it.y_m + 1};
    it.edit = (rp_overlay_edit_t){
        .shapes = it.shapes, .shape_count = 2, .removed = it.removed, .removed_count = 2};
    const rp_command_t command = {.kind = RP_COMMAND_OVERLAY, .with.overlay = &it.edit};
    const rp_overlay_edit_t *edit = send(&command, &it, sizeof it)->with.overlay;
    ck_assert_uint_eq(edit->removed[1], 9);
    ck_assert_double_eq(edit->shapes[0].x_m[2], 3);
    ck_assert_double_eq(edit->shapes[1].y_m[0], 5);
}
END_TEST

START_TEST(an_aim_comes_with_its_points_and_its_rendezvous)
{
    struct {
        rp_destination_t points[2];
        rp_destination_t rendezvous;
        rp_aim_t aim;
    } it = {.points = {{.x_m = 1}, {.x_m = 2, .offset = 3}}, .rendezvous = {.y_m = 4}};
    it.aim =
        (rp_aim_t){.points = it.points, .count = 2, .goal_id = 5, .rendezvous = &it.rendezvous};
    const rp_command_t command = {.kind = RP_COMMAND_AIM, .with.aim = &it.aim};
    const rp_aim_t *aim = send(&command, &it, sizeof it)->with.aim;
    ck_assert_uint_eq(aim->goal_id, 5);
    ck_assert_uint_eq(aim->points[1].offset, 3);
    ck_assert_double_eq(aim->rendezvous->y_m, 4);
}
END_TEST

START_TEST(a_session_comes_with_the_names_of_its_options)
{
    struct {
        char planner[8];
        char profile[8];
        rp_session_options_t options;
    } it = {.planner = "astar", .profile = "wheels"};
    it.options = (rp_session_options_t){.planner = it.planner, .body.profile = it.profile};
    const rp_command_t command = {.kind = RP_COMMAND_OPEN,
                                  .with.open = {.options = &it.options, .world = 2, .entry = 3}};
    const rp_command_t *sent = send(&command, &it, sizeof it);
    ck_assert_str_eq(sent->with.open.options->planner, "astar");
    ck_assert_str_eq(sent->with.open.options->body.profile, "wheels");
    ck_assert_uint_eq(sent->with.open.entry, 3);
}
END_TEST

START_TEST(a_question_comes_with_places_sessions_and_change)
{
    struct {
        rp_destination_t from;
        rp_destination_t to;
        rp_session_id_t session;
        uint32_t cell;
        rp_edit_t edit;
        rp_question_t question;
    } it = {.from = {.x_m = 1}, .to = {.x_m = 2}, .session = 3, .cell = 4};
    it.edit = (rp_edit_t){.cells = &it.cell, .cell_count = 1};
    it.question = (rp_question_t){.kind = RP_QUERY_PROBE,
                                  .from = &it.from,
                                  .from_count = 1,
                                  .to = &it.to,
                                  .to_count = 1,
                                  .sessions = &it.session,
                                  .session_count = 1,
                                  .edit = &it.edit};
    const rp_command_t command = {.kind = RP_COMMAND_ASK, .with.ask = {.question = &it.question}};
    const rp_question_t *question = send(&command, &it, sizeof it)->with.ask.question;
    ck_assert_double_eq(question->from[0].x_m, 1);
    ck_assert_double_eq(question->to[0].x_m, 2);
    ck_assert_uint_eq(question->sessions[0], 3);
    ck_assert_uint_eq(question->edit->cells[0], 4);
}
END_TEST

START_TEST(a_curve_comes_with_its_segments_and_its_body)
{
    struct {
        rp_session_id_t session;
        rp_path_segment_t segments[2];
        rp_polygon_body_t footprint;
        rp_question_t question;
    } it = {.session = 3,
            .segments = {{.length_m = 1.0}, {.turn = 2.0}},
            .footprint = {.x_m = {4.0}, .corner_count = 1}};
    it.question = (rp_question_t){.kind = RP_QUERY_DRIVE,
                                  .sessions = &it.session,
                                  .session_count = 1,
                                  .segments = it.segments,
                                  .segment_count = 2,
                                  .footprint = &it.footprint};
    const rp_command_t command = {.kind = RP_COMMAND_ASK, .with.ask = {.question = &it.question}};
    const rp_question_t *question = send(&command, &it, sizeof it)->with.ask.question;
    ck_assert_double_eq(question->segments[1].turn, 2.0);
    ck_assert_double_eq(question->footprint->x_m[0], 4.0);
}
END_TEST

START_TEST(a_walk_comes_with_its_steps)
{
    struct {
        uint8_t steps[3];
        rp_route_t route;
    } it = {.steps = {0, 1, 2}};
    it.route = (rp_route_t){.session = 5, .steps = it.steps, .step_count = 3, .version = 6};
    const rp_command_t command = {.kind = RP_COMMAND_WALK, .with.walk = &it.route};
    const rp_route_t *route = send(&command, &it, sizeof it)->with.walk;
    ck_assert_uint_eq(route->steps[2], 2);
    ck_assert_uint_eq(route->version, 6);
}
END_TEST

START_TEST(commands_come_as_they_were_added_and_drafts_not_at_all)
{
    batch = rp_command_batch_new();
    rp_command_t command = {.kind = RP_COMMAND_POSE};
    rp_command_t *drafts[3];
    for (uint32_t i = 0; i < 3; i++) {
        command.subject = i;
        drafts[i] = rp_command_batch_draft(batch, &command);
        ck_assert_ptr_nonnull(drafts[i]);
    }
    ck_assert_ptr_null(batch->first);
    rp_command_batch_add(batch, drafts[2]);
    rp_command_batch_add(batch, drafts[0]);
    ck_assert_uint_eq(batch->first->subject, 2);
    ck_assert_uint_eq(batch->first->next->subject, 0);
    ck_assert_ptr_null(batch->first->next->next);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_world_comes_with_its_bytes_and_profiles,
        an_edit_comes_with_its_rectangle_and_its_cells,
        shapes_come_with_their_corners,
        an_aim_comes_with_its_points_and_its_rendezvous,
        a_session_comes_with_the_names_of_its_options,
        a_question_comes_with_places_sessions_and_change,
        a_curve_comes_with_its_segments_and_its_body,
        a_walk_comes_with_its_steps,
        commands_come_as_they_were_added_and_drafts_not_at_all,
    };
    return rp_suite_run("command_batch", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
