/// Settings: each goes to its own place, from a flag as from the file, and a bad word is told under
/// the name that it came with.
#include "daemon/settings.h"

#include <stdio.h>
#include <string.h>

#include "tests/daemon/capture.h"
#include "tests/support/suite.h"

/// A word that each takes, which is not what a zeroed configuration has.
static const char *const words[RP_SETTING_COUNT] = {
    [RP_SETTING_changes] = "tcp://127.0.0.1:1",
    [RP_SETTING_paths] = "tcp://127.0.0.1:2",
    [RP_SETTING_control] = "ipc:///tmp/control",
    [RP_SETTING_poses] = "tcp://127.0.0.1:*",
    [RP_SETTING_changes_from] = "tcp://127.0.0.1:3",
    [RP_SETTING_poses_from] = "tcp://127.0.0.1:4",
    [RP_SETTING_planner] = "lpa",
    [RP_SETTING_workers] = "3",
    [RP_SETTING_log] = "debug",
    [RP_SETTING_log_file] = "/tmp/log",
    [RP_SETTING_awake_us] = "77",
    [RP_SETTING_memory] = "5M",
    [RP_SETTING_pages] = "huge",
    [RP_SETTING_paranoid] = "9",
    [RP_SETTING_state] = "/tmp/state",
    [RP_SETTING_durability] = "disk",
    [RP_SETTING_record] = "/tmp/tape",
};

static rp_config_t flagged;
static rp_config_t filed;

START_TEST(each_has_a_place_of_its_own_the_same_from_flag_and_file)
{
    for (unsigned i = 0; i < RP_SETTING_COUNT; i++) {
        const rp_config_t before = flagged;
        ck_assert_msg(rp_setting_take(i, &flagged, words[i], true), "%s", rp_setting_flag(i));
        ck_assert(rp_setting_take(i, &filed, words[i], false));
        ck_assert_msg(memcmp(&flagged, &before, sizeof before) != 0, "%s", rp_setting_flag(i));
        ck_assert_mem_eq(&flagged, &filed, sizeof filed);
    }
    ck_assert_str_eq(flagged.changes, "tcp://127.0.0.1:1"); // and none took another one's
    ck_assert_str_eq(flagged.poses_from, "tcp://127.0.0.1:4");
    ck_assert_str_eq(flagged.planner, "lpa");
    ck_assert_uint_eq(flagged.workers, 3);
    ck_assert_int_eq(flagged.log_level, RP_LOG_DEBUG);
    ck_assert_uint_eq(flagged.memory_bytes, 5u << 20);
    ck_assert(flagged.is_disk);
    ck_assert_str_eq(flagged.record, "/tmp/tape");
}
END_TEST

START_TEST(a_bad_word_is_told_by_the_name_that_it_came_with)
{
    char said[4000];
    char name[40];
    for (unsigned i = 0; i < RP_SETTING_COUNT; i++) {
        for (unsigned is_flag = 0; is_flag < 2; is_flag++) {
            rp_capture_t capture = rp_capture_begin();
            const bool is_taken = rp_setting_take(i, &flagged, "", is_flag != 0);
            rp_capture_end(&capture, said, sizeof said);
            ck_assert_msg(!is_taken, "%s", rp_setting_flag(i));
            (void)snprintf(name, sizeof name, "repland: --%s: ", rp_setting_flag(i));
            ck_assert_msg((strncmp(said, name, strlen(name)) == 0) == (is_flag != 0), "%s", said);
        }
    }
}
END_TEST

START_TEST(memory_has_units_and_a_least)
{
    static const struct {
        const char *word;
        uint64_t bytes; ///< 0: refused
    } cases[] = {
        {"1048576", 1u << 20},
        {"1024K", 1u << 20},
        {"1G", 1u << 30},
        {"1048575", 0},
        {"1T", 0},
        {"1MB", 0},
        {"-1", 0},
        {"18014398509481984K", 0}, // 2^64
    };
    char said[4000];
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        rp_capture_t capture = rp_capture_begin();
        flagged.memory_bytes = 0;
        (void)rp_setting_take(RP_SETTING_memory, &flagged, cases[i].word, true);
        rp_capture_end(&capture, said, sizeof said);
        ck_assert_msg(flagged.memory_bytes == cases[i].bytes, "%s", cases[i].word);
        ck_assert_uint_eq(strlen(said) == 0, cases[i].bytes != 0);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        each_has_a_place_of_its_own_the_same_from_flag_and_file,
        a_bad_word_is_told_by_the_name_that_it_came_with,
        memory_has_units_and_a_least,
    };
    return rp_suite_run("settings", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
