/// A terminal of 80 x 24 that nobody sees, read back character by character.
#include "view/view.h"

#include <fcntl.h>
#include <ncurses.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

#define COLUMNS 80
#define ROWS    24
#define WIDTH   60u
#define HEIGHT  30u
#define AGENTS  15u

static rp_view_t view;
static int real_output;
static rp_view_agent_t agents[AGENTS];
static char names[AGENTS][33];
static uint32_t path[] = {61, 62, 63};
static rp_view_scene_t scene;
static rp_paint_t kinds[WIDTH * HEIGHT];

static rp_paint_t look(const void *user, uint32_t cell)
{
    (void)user;
    return kinds[cell];
}

static void open_view(void)
{
    setenv("TERM", "xterm-256color", 1);
    setenv("COLUMNS", "80", 1);
    setenv("LINES", "24", 1);
    real_output = dup(STDOUT_FILENO);
    const int nowhere = open("/dev/null", O_WRONLY);
    dup2(nowhere, STDOUT_FILENO);
    close(nowhere);
    ck_assert(rp_view_open(&view));
    for (uint32_t i = 0; i < AGENTS; i++) {
        (void)snprintf(names[i], sizeof names[i], "agent-%u", i + 1u);
        agents[i] = (rp_view_agent_t){.name = names[i],
                                      .cell = (2u * i + 1u) * WIDTH + 3u * i + 1u,
                                      .goal = RP_VIEW_NOWHERE,
                                      .path_seq = 1};
    }
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        kinds[i] = RP_PAINT_FLOOR;
    }
    scene = (rp_view_scene_t){.width = WIDTH,
                              .height = HEIGHT,
                              .ground = look,
                              .agents = agents,
                              .agent_count = AGENTS,
                              .about = "agents walk",
                              .now_us = 1000000};
}

static void tear_down(void)
{
    rp_view_close(&view);
    dup2(real_output, STDOUT_FILENO);
    close(real_output);
}

static void draw_after(uint64_t us)
{
    scene.now_us += us;
    ck_assert(rp_view_begin(&view));
    (void)rp_view_write(&view, 0, 1, RP_PAINT_TEXT, "replan  marsh");
    ck_assert(rp_view_draw(&view, &scene));
}

/// A row as it stands on the terminal; what is no ASCII is a blank.
static const char *row_of(int row)
{
    static char text[COLUMNS + 1];
    for (int i = 0; i < COLUMNS; i++) {
        cchar_t cell;
        wchar_t letters[8] = L"";
        attr_t attributes;
        short pair;
        (void)mvin_wch(row, i, &cell);
        (void)getcchar(&cell, letters, &attributes, &pair, NULL);
        text[i] = letters[0] >= L' ' && letters[0] < 127 ? (char)letters[0] : ' ';
    }
    return text;
}

static bool has(int row, const char *words)
{
    return strstr(row_of(row), words) != NULL;
}

/// The row of the map that has these words; -1: none.
static int find(const char *words)
{
    for (int row = 3; row < ROWS - 3; row++) {
        if (has(row, words)) {
            return row;
        }
    }
    return -1;
}

START_TEST(numbers_of_agents_are_whole)
{
    open_view();
    draw_after(0);
    ck_assert_int_ge(find("12"), 0);
    ck_assert_int_ge(find("15"), 0);
    ck_assert_int_ge(find("1"), 0);
}
END_TEST

START_TEST(two_numbers_side_by_side_are_not_read_as_one)
{
    open_view();
    scene.agent_count = 2;
    agents[1].cell = agents[0].cell + 1u;
    draw_after(0);
    ck_assert_int_eq(find("12"), -1);
    ck_assert_int_ge(find("1"), 0);
}
END_TEST

START_TEST(who_has_no_path_is_seen_without_being_chosen)
{
    open_view();
    agents[6].trouble = "no path";
    agents[11].trouble = "goal blocked";
    draw_after(0);
    ck_assert(has(0, "replan  marsh"));
    ck_assert(has(0, "2 without a path: 7 12"));
    ck_assert_int_ge(find("7 no path "), 0);
    ck_assert_int_ge(find("12 goal blocked "), 0);
    ck_assert(has(ROWS - 1, "1 agent-1 at 1,1"));
}
END_TEST

START_TEST(many_without_a_path_are_counted_in_the_room_that_there_is)
{
    open_view();
    for (uint32_t i = 0; i < AGENTS; i++) {
        agents[i].trouble = "no path";
    }
    draw_after(0);
    ck_assert(has(0, "15 without a path: 1 2 3"));
    ck_assert(has(0, " 14 15"));
    ck_assert_int_eq(row_of(0)[COLUMNS - 1], ' ');
    ck_assert(rp_view_begin(&view));
    (void)rp_view_write(&view, 0, 1, RP_PAINT_TEXT, "replan  a world of a longer name, marsh");
    ck_assert(rp_view_draw(&view, &scene));
    ck_assert(has(0, "marsh"));
    ck_assert(has(0, "15 without a path: 1"));
    ck_assert(has(0, " .. "));
    ck_assert_int_eq(row_of(0)[COLUMNS - 1], ' ');
}
END_TEST

START_TEST(a_replan_is_told_in_words_beside_the_agent_and_above_the_map)
{
    open_view();
    agents[0].path = path;
    agents[0].path_count = 3;
    draw_after(0);
    ck_assert(has(2, "agents walk"));
    agents[0].path_seq = 2;
    agents[0].path_count = 2;
    agents[0].reason = "invalid";
    draw_after(40000);
    ck_assert(has(2, "1 agent-1: its path was blocked; 2 cells, 3 before"));
    ck_assert_int_ge(find("1 blocked "), 0);
    draw_after(1000000);
    ck_assert_int_eq(find("blocked"), -1);
    draw_after(3000000);
    ck_assert(has(2, "agents walk"));
}
END_TEST

START_TEST(the_legend_has_what_is_seen_and_no_cut_word)
{
    static const rp_paint_t all[] = {RP_PAINT_GRASS,  RP_PAINT_HIGHLAND, RP_PAINT_SAND,
                                     RP_PAINT_ROAD,   RP_PAINT_RAMP,     RP_PAINT_BRIDGE,
                                     RP_PAINT_RUBBLE, RP_PAINT_TREE,     RP_PAINT_WATER,
                                     RP_PAINT_CLIFF,  RP_PAINT_BUILDING};
    open_view();
    draw_after(0);
    ck_assert(has(ROWS - 3, " free"));
    ck_assert(!has(ROWS - 3, "grass"));
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        kinds[i] = all[i / 3u % (sizeof all / sizeof all[0])];
    }
    draw_after(40000);
    ck_assert(!has(ROWS - 3, "free"));
    ck_assert(has(ROWS - 3, "grass"));
    ck_assert(has(ROWS - 3, "house"));
    ck_assert(has(ROWS - 2, "old path"));
    ck_assert_int_eq(row_of(ROWS - 3)[COLUMNS - 1], ' ');
}
END_TEST

START_TEST(keys_are_told_where_there_is_room_or_when_asked_for)
{
    open_view();
    draw_after(0);
    ck_assert(has(ROWS - 1, "q quit  ? keys"));
    ungetch('?');
    ck_assert(rp_view_take_keys(&view));
    draw_after(40000);
    ck_assert(
        has(ROWS - 1, "q quit  tab next agent  f follow  z zoom  w whole  space pause  arrows"));
    ungetch('q');
    ck_assert(!rp_view_take_keys(&view));
}
END_TEST

START_TEST(tab_chooses_the_next_and_after_the_last_the_first)
{
    open_view();
    for (uint32_t i = 0; i < AGENTS; i++) {
        draw_after(40000);
        ck_assert_uint_eq(view.chosen, i);
        ungetch('\t');
        ck_assert(rp_view_take_keys(&view));
    }
    draw_after(40000);
    ck_assert_uint_eq(view.chosen, 0);
}
END_TEST

START_TEST(a_world_that_fits_is_whole_at_first_and_a_large_one_is_followed)
{
    open_view();
    draw_after(0);
    ck_assert_int_eq(view.picture.zoom, 1);
    ck_assert_int_eq(view.picture.left, -10);
    ungetch('z');
    ck_assert(rp_view_take_keys(&view));
    draw_after(40000);
    ck_assert_int_eq(view.picture.zoom, 1); // all is seen already
    rp_view_close(&view);
    ck_assert(rp_view_open(&view));
    agents[0].cell = WIDTH * HEIGHT - 1u;
    scene.width = WIDTH * HEIGHT;
    scene.height = 1;
    scene.agent_count = 1;
    draw_after(0);
    ck_assert_int_eq(view.picture.zoom, 1);
    ck_assert_int_eq(view.picture.left, (int)(WIDTH * HEIGHT) - COLUMNS);
    ungetch('w');
    ck_assert(rp_view_take_keys(&view));
    draw_after(40000);
    ck_assert_int_eq(view.picture.zoom, 23); // 1800 / 80, upwards
}
END_TEST

START_TEST(nobody_is_there_and_nothing_moves)
{
    open_view();
    scene.agent_count = 0;
    scene.halt = "the daemon is gone";
    draw_after(0);
    ck_assert(has(2, "the daemon is gone"));
    ck_assert(has(ROWS - 1, "no agents"));
    ungetch(' ');
    ck_assert(rp_view_take_keys(&view));
    draw_after(40000);
    ck_assert(has(2, "paused; space goes on"));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        numbers_of_agents_are_whole,
        two_numbers_side_by_side_are_not_read_as_one,
        who_has_no_path_is_seen_without_being_chosen,
        many_without_a_path_are_counted_in_the_room_that_there_is,
        a_replan_is_told_in_words_beside_the_agent_and_above_the_map,
        the_legend_has_what_is_seen_and_no_cut_word,
        keys_are_told_where_there_is_room_or_when_asked_for,
        tab_chooses_the_next_and_after_the_last_the_first,
        a_world_that_fits_is_whole_at_first_and_a_large_one_is_followed,
        nobody_is_there_and_nothing_moves,
    };
    return rp_suite_run("view", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
