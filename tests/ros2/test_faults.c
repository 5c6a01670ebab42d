/// What went wrong, as it stands on stderr.
#include "clients/ros2/faults.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

static char told[1000];
static FILE *file;
static int before;

static void begin(void)
{
    file = tmpfile();
    before = dup(STDERR_FILENO);
    ck_assert_ptr_nonnull(file);
    ck_assert_int_eq(dup2(fileno(file), STDERR_FILENO), STDERR_FILENO);
}

/// What came to stderr since begin(), which is stderr again.
static const char *end(void)
{
    (void)dup2(before, STDERR_FILENO);
    (void)close(before);
    rewind(file);
    told[fread(told, 1, sizeof told - 1, file)] = '\0';
    (void)fclose(file);
    return told;
}

START_TEST(lines_begin_with_the_program_that_counts)
{
    rp_ros_faults_t of_bridge = {.now_ms = 1000};
    rp_ros_faults_t of_other = {.program = "replan replay-costmap", .now_ms = 1000};
    begin();
    rp_ros_log(&of_bridge, "%s", "ready");
    rp_ros_fault(&of_bridge, RP_ROS_FAULT_GRID, "it has %u cells", 3u);
    rp_ros_fault(&of_other, RP_ROS_FAULT_DAEMON, "%s", "no reply");
    ck_assert_str_eq(end(), "replan-ros2: ready\n"
                            "replan-ros2: grids refused: 1: it has 3 cells\n"
                            "replan replay-costmap: daemon away: 1: no reply\n");
}
END_TEST

START_TEST(a_fault_is_told_again_after_a_while)
{
    rp_ros_faults_t faults = {.now_ms = 1000};
    begin();
    for (unsigned i = 1; i <= 3; i++) {
        rp_ros_fault(&faults, RP_ROS_FAULT_POSE, "%u", i);
        faults.now_ms += RP_ROS_FAULT_AGAIN_MS / 2;
    }
    ck_assert_str_eq(end(), "replan-ros2: poses refused: 1: 1\n"
                            "replan-ros2: poses refused: 3: 3\n");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        lines_begin_with_the_program_that_counts,
        a_fault_is_told_again_after_a_while,
    };
    return rp_suite_run("ros2_faults", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
