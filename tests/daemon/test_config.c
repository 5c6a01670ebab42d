/// Flags: what they set, over what the file says, and what is said of a bad one.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/command_line.h"
#include "tests/daemon/capture.h"
#include "tests/support/suite.h"

static rp_config_t config;
static char path[] = "/tmp/replan-test-config-XXXXXX";
static char said[2000];

static void tear_down(void)
{
    rp_config_fini(&config);
    (void)unlink(path);
}

static void write_file(const char *text)
{
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(file);
}

/// Read these flags; `said` is what came to stderr.
static rp_command_line_t read_flags(int count, const char *const *flags)
{
    char *argv[16] = {(char *)"repland"};
    ck_assert_int_lt(count, 15);
    for (int i = 0; i < count; i++) {
        argv[i + 1] = (char *)flags[i];
    }
    rp_capture_t capture = rp_capture_begin();
    const rp_command_line_t outcome = rp_command_line_read(count + 1, argv, &config);
    rp_capture_end(&capture, said, sizeof said);
    return outcome;
}

#define READ(...)                                                                                  \
    read_flags((int)(sizeof((const char *[]){__VA_ARGS__}) / sizeof(char *)),                      \
               (const char *[]){__VA_ARGS__})

static void expect_said(const char *word)
{
    ck_assert_msg(strstr(said, word) != NULL, "no \"%s\" in: %s", word, said);
}

START_TEST(without_anything_it_listens_on_loopback)
{
    ck_assert_int_eq(read_flags(0, NULL), RP_COMMAND_LINE_RUN);
    ck_assert_str_eq(config.control, "tcp://127.0.0.1:7403");
    ck_assert_str_eq(config.changes, "tcp://127.0.0.1:7401");
    ck_assert_str_eq(config.paths, "tcp://127.0.0.1:7402");
    ck_assert_str_eq(config.poses, "tcp://127.0.0.1:7404");
    ck_assert_int_eq(config.log_level, RP_LOG_INFO);
    ck_assert_uint_eq(config.awake_us, 500);
    ck_assert_uint_eq(config.paranoid, 0);
    ck_assert_uint_eq(config.memory_bytes, 1u << 30);
    ck_assert_uint_eq(config.workers, 0);
    ck_assert_uint_eq(config.map_count, 0);
}
END_TEST

START_TEST(flags_win_wherever_they_stand)
{
    write_file("control: ipc:///tmp/x\nplanner: lpa\n");
    ck_assert_int_eq(READ("--planner", "gaa", "--config", path, "--map", "a.map=one"),
                     RP_COMMAND_LINE_RUN);
    ck_assert_str_eq(config.planner, "gaa");
    ck_assert_str_eq(config.control, "ipc:///tmp/x");
    ck_assert_str_eq(config.maps[0].file, "a.map");
    ck_assert_str_eq(config.maps[0].name, "one");
}
END_TEST

START_TEST(an_endpoint_off_loopback_has_to_be_asked_for)
{
    static const char *const off[] = {"tcp://*:7403",
                                      "tcp://0.0.0.0:7403",
                                      "tcp://10.0.0.1:7403",
                                      "tcp://eth0:7403",
                                      "tcp://127.a.example:7403",
                                      "tcp://localhost:0;10.0.0.1:7403",
                                      "tcp://127.0.0.1:0;10.0.0.1:7403"};
    static const char *const on[] = {"tcp://127.0.0.1:*", "tcp://127.8.9.1:7403",
                                     "tcp://localhost:7403", "tcp://[::1]:7403", "ipc:///tmp/x"};
    for (size_t i = 0; i < sizeof off / sizeof off[0]; i++) {
        ck_assert_int_eq(READ("--poses", off[i]), RP_COMMAND_LINE_BAD);
        expect_said("poses");
        expect_said(off[i]);
        expect_said("--insecure");
        rp_config_fini(&config);
        ck_assert_int_eq(READ("--insecure", "--poses", off[i]), RP_COMMAND_LINE_RUN);
        rp_config_fini(&config);
    }
    for (size_t i = 0; i < sizeof on / sizeof on[0]; i++) {
        ck_assert_int_eq(READ("--poses", on[i]), RP_COMMAND_LINE_RUN);
        rp_config_fini(&config);
    }
    ck_assert_int_eq(READ("--changes-from", "tcp://10.0.0.1:7401"), RP_COMMAND_LINE_BAD);
    expect_said("changes_from");
    rp_config_fini(&config);
    write_file("insecure: true\ncontrol: tcp://*:7403\nposes_from: tcp://10.0.0.1:7404\n");
    ck_assert_int_eq(READ("--config", path), RP_COMMAND_LINE_RUN);
    ck_assert_str_eq(config.poses_from, "tcp://10.0.0.1:7404");
    ck_assert_str_eq(config.changes_from, "");
}
END_TEST

START_TEST(bad_flags_are_named)
{
    ck_assert_int_eq(READ("--frobnicate"), RP_COMMAND_LINE_BAD);
    expect_said("frobnicate");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--control"), RP_COMMAND_LINE_BAD);
    expect_said("control");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("now"), RP_COMMAND_LINE_BAD);
    expect_said("now");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--log", "loud"), RP_COMMAND_LINE_BAD);
    expect_said("loud");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--paranoid", "often"), RP_COMMAND_LINE_BAD);
    expect_said("--paranoid");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--awake-us", "-1"), RP_COMMAND_LINE_BAD);
    expect_said("--awake-us");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--map", "a.map=0123456789012345678901234567890123"),
                     RP_COMMAND_LINE_BAD);
    expect_said("32");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--control", "tcp://127.0.0.1:99999"), RP_COMMAND_LINE_BAD);
    expect_said("--control: port 99999 is none of 0..65535");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--control", "tcp://127.0.0.1"), RP_COMMAND_LINE_BAD);
    expect_said("--control: \"tcp://127.0.0.1\" has no port");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--control", "tcp://127.0.0.1:"), RP_COMMAND_LINE_BAD);
    expect_said("--control: \"tcp://127.0.0.1:\" has no port");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--control", "localhost:7500"), RP_COMMAND_LINE_BAD);
    expect_said("--control: \"localhost:7500\" has no scheme: tcp:// comes before a host and its "
                "port");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--changes-from", "/tmp/changes"), RP_COMMAND_LINE_BAD);
    expect_said("--changes-from: \"/tmp/changes\" has no scheme");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--poses", "udp://127.0.0.1:7404", "--insecure"), RP_COMMAND_LINE_BAD);
    expect_said("--poses: \"udp://127.0.0.1:7404\" has a scheme other than tcp:// and ipc://");
    rp_config_fini(&config);
    static const char *const options[] = {"--control", "--changes",      "--paths",
                                          "--poses",   "--changes-from", "--poses-from"};
    for (size_t i = 0; i < sizeof options / sizeof options[0]; i++) { // nobody else is in there
        char sentence[96];
        ck_assert_int_eq(READ(options[i], "inproc://x"), RP_COMMAND_LINE_BAD);
        (void)snprintf(sentence, sizeof sentence,
                       "%s: \"inproc://x\" has a scheme other than tcp:// and ipc://", options[i]);
        expect_said(sentence);
        rp_config_fini(&config);
    }
    ck_assert_int_eq(READ("--config", "/nowhere/x.yaml"), RP_COMMAND_LINE_BAD);
    expect_said("--config");
    expect_said("/nowhere/x.yaml");
}
END_TEST

START_TEST(record_and_replay)
{
    ck_assert_int_eq(READ("--record", "tape"), RP_COMMAND_LINE_RUN);
    ck_assert_str_eq(config.record, "tape");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--replay", "tape"), RP_COMMAND_LINE_RUN);
    ck_assert_str_eq(config.replay, "tape");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--replay", "tape", "--mcap", "drive.mcap"), RP_COMMAND_LINE_RUN);
    ck_assert_str_eq(config.mcap, "drive.mcap");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--mcap", "drive.mcap"), RP_COMMAND_LINE_BAD);
    expect_said("--mcap writes what --replay plays");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--record", "tape", "--workers", "2"), RP_COMMAND_LINE_BAD);
    expect_said("record: goes with workers: 0 and without a state folder only");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--record", "tape", "--state", "here"), RP_COMMAND_LINE_BAD);
}
END_TEST

START_TEST(state_and_durability)
{
    ck_assert_int_eq(read_flags(0, NULL), RP_COMMAND_LINE_RUN);
    ck_assert_str_eq(config.state, "");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--state", "/var/lib/replan", "--durability", "disk"),
                     RP_COMMAND_LINE_RUN);
    ck_assert_str_eq(config.state, "/var/lib/replan");
    ck_assert(config.is_disk);
    rp_config_fini(&config);
    write_file("state: here\ndurability: process\n");
    ck_assert_int_eq(READ("--config", path), RP_COMMAND_LINE_RUN);
    ck_assert_str_eq(config.state, "here");
    ck_assert(!config.is_disk);
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--state", "here", "--durability", "paper"), RP_COMMAND_LINE_BAD);
    expect_said("durability: \"paper\" is neither process nor disk");
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--durability", "disk"), RP_COMMAND_LINE_BAD);
    expect_said("durability: disk needs a folder, see --state");
}
END_TEST

START_TEST(pages_are_small_until_huge_ones_are_asked_for)
{
    ck_assert_int_eq(read_flags(0, NULL), RP_COMMAND_LINE_RUN);
    ck_assert(!config.has_huge_pages);
    rp_config_fini(&config);
    ck_assert_int_eq(READ("--pages", "huge"), RP_COMMAND_LINE_RUN);
    ck_assert(config.has_huge_pages);
    rp_config_fini(&config);
    write_file("pages: large\n");
    ck_assert_int_eq(READ("--config", path), RP_COMMAND_LINE_BAD);
    expect_said("pages: \"large\" is neither small nor huge");
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        record_and_replay,
        state_and_durability,
        pages_are_small_until_huge_ones_are_asked_for,
        without_anything_it_listens_on_loopback,
        flags_win_wherever_they_stand,
        bad_flags_are_named,
        an_endpoint_off_loopback_has_to_be_asked_for,
    };
    return rp_suite_run("config", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
