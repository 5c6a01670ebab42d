/// Idle time counted in three ways: who plays once more without, and which figure is whose.
#include <math.h>
#include <string.h>

#include "bench/beyond/beyond.h"
#include "tests/support/suite.h"

static const rp_contender_t contenders[] = {
    {.name = "A*", .id = "astar"},
    {.name = "JPS", .id = "jps", .every = 7},
    {.name = "CERT", .id = "cert"},
    {.name = "auto", .id = "auto"},
};
#define OWN 4u

/// In the order of the match.
enum {
    ASTAR,
    JPS,
    CERT,
    AUTO,
    CERT_WITHOUT,
    AUTO_WITHOUT,
    WHO,
};

static const rp_beyond_cell_t cells[] = {{"row", NULL, 8, 0, 0, 0, 0}};
static const rp_beyond_protocol_t protocol = {
    .name = "P", .cells = cells, .cell_count = 1, .idles = true};

static rp_beyond_t suite;
static rp_samples_t us[WHO];
static rp_samples_t charged[WHO];
static rp_samples_t worlds[WHO];
static rp_samples_t quotients[2][WHO];

static void begin(void)
{
    static const rp_bench_options_t options = {0};
    rp_contender_t players[RP_CONTENDERS_MAX];
    suite = (rp_beyond_t){.options = &options,
                          .protocol = &protocol,
                          .us = us,
                          .charged = charged,
                          .worlds = worlds,
                          .quotients = {quotients[0], quotients[1]}};
    memcpy(players, contenders, sizeof contenders);
    const size_t count = rp_beyond_add_idlers(&suite, players, OWN);
    rp_comparison_open(&suite.match, players, count);
    ck_assert(rp_score_table_open(&suite.scores, &suite.match, 1, &options, NULL));
}

/// One world: what a plan took, and with idle time charged to it.
static void add_world(size_t who, double plan_us, double charged_us)
{
    const rp_score_t score = {.of = {[RP_SCORE_STEPS] = 1.0,
                                     [RP_SCORE_NS] = plan_us * 1e3,
                                     [RP_SCORE_IDLE_NS] = (charged_us - plan_us) * 1e3}};
    rp_score_table_add(&suite.scores, 0, who, &score);
    rp_samples_add(&us[who], plan_us);
    rp_samples_add(&charged[who], charged_us);
    rp_samples_add(&worlds[who], charged_us);
}

/// With idle time AUTO is the quickest, without CERT, and A* when all of it is charged.
static void play(void)
{
    begin();
    add_world(ASTAR, 9.0, 9.0);
    add_world(CERT, 2.0, 20.0);
    add_world(AUTO, 1.0, 36.0);
    add_world(CERT_WITHOUT, 3.0, 3.0);
    add_world(AUTO_WITHOUT, 8.0, 8.0);
    rp_score_table_finish(&suite.scores, "world", 0, 0);
    rp_samples_add(&quotients[RP_BEYOND_IDLE_FREE][CERT], 0.5);
    rp_samples_add(&quotients[RP_BEYOND_IDLE_NONE][CERT], 2.5);
}

static void tear_down(void)
{
    rp_score_table_close(&suite.scores);
    rp_comparison_close(&suite.match);
    for (size_t i = 0; i < WHO; i++) {
        rp_samples_fini(&us[i]);
        rp_samples_fini(&charged[i]);
        rp_samples_fini(&worlds[i]);
        rp_samples_fini(&quotients[0][i]);
        rp_samples_fini(&quotients[1][i]);
    }
}

START_TEST(those_that_use_idle_time_play_once_more_without)
{
    begin();
    ck_assert_uint_eq(suite.match.count, WHO);
    ck_assert_str_eq(suite.match.contenders[CERT_WITHOUT].name, "CERT, no idle time");
    ck_assert(suite.match.contenders[AUTO_WITHOUT].never_idles);
    ck_assert(!suite.match.contenders[AUTO].never_idles);
    ck_assert_uint_eq(rp_beyond_without_idle(&suite, CERT), CERT_WITHOUT);
    ck_assert_uint_eq(rp_beyond_without_idle(&suite, AUTO), AUTO_WITHOUT);
    ck_assert_uint_eq(rp_beyond_without_idle(&suite, ASTAR), ASTAR); // it has no use for idle time
    ck_assert_uint_eq(rp_beyond_without_idle(&suite, JPS), JPS);     // it plans at some steps only
    ck_assert_uint_eq(rp_beyond_leader(&suite), AUTO);
}
END_TEST

START_TEST(each_way_of_counting_has_its_own_figure)
{
    static const double wanted[RP_BEYOND_IDLE_COUNT] = {1.0, 8.0, 36.0};
    play();
    for (int idle = 0; idle < RP_BEYOND_IDLE_COUNT; idle++) {
        ck_assert_double_eq(rp_beyond_idle_us(&suite, 0, AUTO, (rp_beyond_idle_t)idle),
                            wanted[idle]);
        ck_assert_double_eq(
            rp_beyond_idle_percentile(&suite, 0, AUTO, (rp_beyond_idle_t)idle, 99.9), wanted[idle]);
        ck_assert_double_eq(rp_beyond_idle_us(&suite, 0, ASTAR, (rp_beyond_idle_t)idle), 9.0);
        ck_assert(isnan(rp_beyond_idle_us(&suite, 0, JPS, (rp_beyond_idle_t)idle)));
    }
}
END_TEST

START_TEST(the_best_single_planner_is_the_best_in_the_same_case)
{
    play();
    ck_assert_uint_eq(rp_beyond_best_single(&suite, 0, RP_BEYOND_IDLE_FREE), CERT);
    ck_assert_uint_eq(rp_beyond_best_single(&suite, 0, RP_BEYOND_IDLE_NONE), CERT);
    ck_assert_uint_eq(rp_beyond_best_single(&suite, 0, RP_BEYOND_IDLE_CHARGED), ASTAR);
    ck_assert_double_eq(rp_beyond_slower(&suite, 0, CERT, RP_BEYOND_IDLE_FREE), 0.5);
    ck_assert_double_eq(rp_beyond_slower(&suite, 0, CERT, RP_BEYOND_IDLE_NONE), 2.5);
    ck_assert_double_eq(rp_beyond_slower(&suite, 0, ASTAR, RP_BEYOND_IDLE_CHARGED), 4.0);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        those_that_use_idle_time_play_once_more_without,
        each_way_of_counting_has_its_own_figure,
        the_best_single_planner_is_the_best_in_the_same_case,
    };
    return rp_suite_run("idle_time", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
