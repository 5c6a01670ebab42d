/// Pixels of a small world: what is laid over what, how long a ghost stays, what glows, what is
/// tinted.
#include "view/picture.h"

#include <string.h>

#include "tests/support/suite.h"

#define WIDTH  10u
#define HEIGHT 6u

static rp_picture_t picture;
static char map[WIDTH * HEIGHT + 1u]; ///< '#' blocks, '?' is unknown
static rp_view_agent_t agents[4];
static uint32_t path[] = {12, 13, 14};
static uint32_t other[] = {12, 22, 23, 24};
static rp_view_scene_t scene;

static rp_paint_t look(const void *user, uint32_t cell)
{
    (void)user;
    return map[cell] == '#' ? RP_PAINT_WALL : map[cell] == '?' ? RP_PAINT_FOG : RP_PAINT_FLOOR;
}

static void tear_down(void)
{
    rp_picture_fini(&picture);
}

/// One agent "orc" at (2, 1) with a path along its row; all is free.
static void begin(void)
{
    memset(map, '.', sizeof map - 1u);
    memset(agents, 0, sizeof agents);
    agents[0] = (rp_view_agent_t){.name = "orc",
                                  .cell = 12,
                                  .goal = 14,
                                  .path = path,
                                  .path_count = 3,
                                  .path_seq = 1,
                                  .reason = "first"};
    scene = (rp_view_scene_t){.width = WIDTH,
                              .height = HEIGHT,
                              .ground = look,
                              .agents = agents,
                              .agent_count = 1,
                              .now_us = 1000000};
    picture.zoom = 1;
    ck_assert(rp_picture_fit(&picture, (int)WIDTH, (int)HEIGHT));
    ck_assert(rp_picture_draw(&picture, &scene, 0));
}

static void draw_after(uint64_t us)
{
    scene.now_us += us;
    ck_assert(rp_picture_draw(&picture, &scene, 0));
}

/// The agent gets another path.
static void turn(const char *reason)
{
    agents[0].path = other;
    agents[0].path_count = 4;
    agents[0].path_seq++;
    agents[0].reason = reason;
    draw_after(40000);
}

START_TEST(a_path_has_its_agents_paint)
{
    begin();
    ck_assert_int_eq(picture.pixels[13], RP_PAINT_AGENT);
    ck_assert_int_eq(picture.pixels[15], RP_PAINT_FLOOR);
    ck_assert_uint_eq(picture.seen[RP_PAINT_FLOOR], WIDTH * HEIGHT);
}
END_TEST

START_TEST(an_old_path_stays_for_a_second_with_the_reason)
{
    begin();
    turn("invalid");
    ck_assert_int_eq(picture.pixels[13], RP_PAINT_GHOST);
    ck_assert_str_eq(picture.agents[0].why, "blocked");
    ck_assert_str_eq(picture.event, "1 orc: its path was blocked; 4 cells, 3 before");
    draw_after(900000);
    ck_assert_int_eq(picture.pixels[13], RP_PAINT_GHOST);
    draw_after(60001);
    draw_after(40000);
    ck_assert_int_eq(picture.pixels[13], RP_PAINT_FLOOR);
}
END_TEST

START_TEST(a_new_path_flashes_over_the_old_one_and_not_each_time)
{
    begin();
    turn("cheaper");
    ck_assert_int_eq(picture.pixels[23], RP_PAINT_FLASH);
    ck_assert_int_eq(picture.pixels[12], RP_PAINT_FLASH); // both have it
    draw_after(300000);
    ck_assert_int_eq(picture.pixels[23], RP_PAINT_AGENT);
    turn("cheaper");
    ck_assert_int_eq(picture.pixels[23], RP_PAINT_AGENT); // too soon
    draw_after(2000000);
    turn("cheaper");
    ck_assert_int_eq(picture.pixels[23], RP_PAINT_FLASH);
}
END_TEST

START_TEST(a_path_that_ends_or_is_the_first_leaves_no_ghost)
{
    begin();
    turn("reached");
    ck_assert_int_eq(picture.pixels[13], RP_PAINT_FLOOR);
    ck_assert_str_eq(picture.event, "");
    agents[0].name = "elf"; // another one in its place
    agents[0].path = path;
    agents[0].path_count = 3;
    turn("invalid");
    ck_assert_str_eq(picture.event, "");
}
END_TEST

START_TEST(what_walks_on_is_no_ghost)
{
    begin();
    agents[0].path = path + 2;
    agents[0].path_count = 1;
    draw_after(40000);
    ck_assert_int_eq(picture.pixels[13], RP_PAINT_FLOOR);
    turn("invalid");
    ck_assert_int_eq(picture.pixels[13], RP_PAINT_FLOOR); // it lay behind the agent
    ck_assert_int_eq(picture.pixels[14], RP_PAINT_GHOST);
}
END_TEST

START_TEST(an_agent_that_stops_says_both_why_and_what)
{
    begin();
    agents[0].trouble = "no path";
    turn("invalid");
    ck_assert_str_eq(picture.event, "1 orc: its path was blocked, and now no path");
}
END_TEST

START_TEST(the_chosen_agents_event_is_not_overwritten_at_once)
{
    begin();
    agents[1] = agents[0];
    agents[1].name = "elf";
    scene.agent_count = 2;
    draw_after(40000);
    turn("goal");
    agents[1].path_seq++;
    agents[1].reason = "invalid";
    draw_after(40000);
    ck_assert_str_eq(picture.event, "1 orc: it has a new goal; 4 cells, 3 before");
    agents[1].path_seq++;
    draw_after(500000);
    ck_assert_str_eq(picture.event, "2 elf: its path was blocked; 3 cells, 3 before");
}
END_TEST

START_TEST(a_cell_that_becomes_blocked_or_free_glows_for_a_while)
{
    begin();
    map[50] = '#';
    draw_after(40000);
    ck_assert_int_eq(picture.pixels[50], RP_PAINT_FRESH_BLOCKED);
    draw_after(500000);
    ck_assert_int_eq(picture.pixels[50], RP_PAINT_WALL);
    map[50] = '.';
    draw_after(40000);
    ck_assert_int_eq(picture.pixels[50], RP_PAINT_FRESH_FREE);
    map[51] = '?'; // it is another cost, and blocks no more than before
    draw_after(500000);
    ck_assert_int_eq(picture.pixels[51], RP_PAINT_FOG);
}
END_TEST

START_TEST(when_all_changes_nothing_glows)
{
    begin();
    map[50] = map[51] = '#';
    draw_after(40000);
    ck_assert(!picture.is_glowing);
    ck_assert_int_eq(picture.pixels[50], RP_PAINT_WALL);
    draw_after(500000);
    map[30] = '#';
    draw_after(40000);
    ck_assert(picture.is_glowing);
    ck_assert_int_eq(picture.pixels[30], RP_PAINT_FRESH_BLOCKED);
}
END_TEST

START_TEST(scrolling_is_no_change)
{
    begin();
    map[51] = '#';
    picture.left = 1;
    draw_after(40000);
    ck_assert_int_eq(picture.pixels[50], RP_PAINT_WALL);
    ck_assert_int_eq(picture.pixels[9], RP_PAINT_NOTHING); // beyond the edge
}
END_TEST

START_TEST(the_chosen_body_tints_the_ground_by_distance)
{
    begin();
    map[35] = '#'; // (5, 3)
    agents[0].radius = 1.0;
    agents[0].inflation = 2.0;
    draw_after(40000);
    draw_after(600000);
    ck_assert_int_eq(picture.pixels[34], RP_PAINT_NEAR);
    ck_assert_int_eq(picture.pixels[24], RP_PAINT_DEAR); // at a distance of 1.41
    ck_assert_int_eq(picture.pixels[33], RP_PAINT_DEAR);
    ck_assert_int_eq(picture.pixels[23], RP_PAINT_FLOOR); // 2.24
    ck_assert_int_eq(picture.pixels[35], RP_PAINT_WALL);
    ck_assert_int_eq(picture.pixels[14], RP_PAINT_AGENT); // paths lie over it
    agents[0].radius = agents[0].inflation = 0;
    draw_after(40000);
    ck_assert_int_eq(picture.pixels[34], RP_PAINT_FLOOR);
}
END_TEST

START_TEST(zoomed_out_a_wall_across_a_pixel_is_seen)
{
    begin();
    picture.zoom = 2;
    map[0] = map[1] = '#'; // across pixel (0, 0)
    map[8] = '#';          // less than that of (4, 0)
    draw_after(40000);
    ck_assert_int_eq(picture.pixels[0], RP_PAINT_WALL);
    ck_assert_int_eq(picture.pixels[4], RP_PAINT_FLOOR);
    int x;
    int y;
    rp_picture_pixel_of(&picture, &scene, 23, &x, &y);
    ck_assert(x == 1 && y == 1);
}
END_TEST

static uint32_t looks;

static rp_paint_t count_looks(const void *user, uint32_t cell)
{
    (void)user;
    looks++;
    return cell / 4096u >= 2048u ? RP_PAINT_WALL : RP_PAINT_FLOOR;
}

START_TEST(a_huge_world_is_seen_by_some_of_its_cells)
{
    begin();
    scene.width = scene.height = 4096;
    scene.ground = count_looks;
    scene.agent_count = 0;
    picture.zoom = 683;
    looks = 0;
    draw_after(40000);
    ck_assert_uint_le(looks, WIDTH * HEIGHT * 256u);
    ck_assert_int_eq(picture.pixels[0], RP_PAINT_FLOOR);
    ck_assert_int_eq(picture.pixels[5u * WIDTH], RP_PAINT_WALL);
}
END_TEST

START_TEST(a_torus_goes_on_beyond_its_edge)
{
    begin();
    scene.wraps = true;
    picture.left = 8;
    picture.top = 5;
    map[0] = '#';
    draw_after(40000);
    ck_assert_int_eq(picture.pixels[WIDTH + 2u], RP_PAINT_WALL);
    int x;
    int y;
    rp_picture_pixel_of(&picture, &scene, 0, &x, &y);
    ck_assert(x == 2 && y == 1);
    rp_picture_pixel_of(&picture, &scene, RP_VIEW_NOWHERE, &x, &y);
    ck_assert(x == -1 && y == -1);
}
END_TEST

START_TEST(another_size_remembers_nothing)
{
    begin();
    ck_assert(rp_picture_fit(&picture, 5, 3));
    map[0] = '#';
    draw_after(40000);
    ck_assert_int_eq(picture.pixels[0], RP_PAINT_WALL);
    scene.agent_count = 0;
    draw_after(40000);
    ck_assert_uint_eq(picture.agent_count, 0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_path_has_its_agents_paint,
        an_old_path_stays_for_a_second_with_the_reason,
        a_new_path_flashes_over_the_old_one_and_not_each_time,
        a_path_that_ends_or_is_the_first_leaves_no_ghost,
        what_walks_on_is_no_ghost,
        an_agent_that_stops_says_both_why_and_what,
        the_chosen_agents_event_is_not_overwritten_at_once,
        a_cell_that_becomes_blocked_or_free_glows_for_a_while,
        when_all_changes_nothing_glows,
        scrolling_is_no_change,
        the_chosen_body_tints_the_ground_by_distance,
        zoomed_out_a_wall_across_a_pixel_is_seen,
        a_huge_world_is_seen_by_some_of_its_cells,
        a_torus_goes_on_beyond_its_edge,
        another_size_remembers_nothing,
    };
    return rp_suite_run("view_picture", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
