/// The YAML file: what it sets and leaves alone, and where a bad value or key stands.
#include "daemon/config_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/daemon/capture.h"
#include "tests/support/suite.h"

static rp_config_t config;
static char path[40];
static char said[2000];

static void tear_down(void)
{
    free(config.maps);
    config = (rp_config_t){0};
    (void)unlink(path);
}

/// Read a file over what stands; `said` is what came to stderr.
static bool read_file(const char *name)
{
    rp_capture_t capture = rp_capture_begin();
    const bool is_read = rp_config_file_read(&config, name);
    rp_capture_end(&capture, said, sizeof said);
    return is_read;
}

/// Read a file of this text.
static bool read_text(const char *text)
{
    config.maps = config.maps != NULL ? config.maps : calloc(RP_CONFIG_MAPS, sizeof *config.maps);
    ck_assert_ptr_nonnull(config.maps);
    strcpy(path, "/tmp/replan-test-config-file-XXXXXX");
    const int file = mkstemp(path);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, text, strlen(text)), (ssize_t)strlen(text));
    (void)close(file);
    const bool is_read = read_file(path);
    (void)unlink(path);
    return is_read;
}

static void expect_said(const char *word)
{
    ck_assert_msg(strstr(said, word) != NULL, "no \"%s\" in: %s", word, said);
}

START_TEST(words_numbers_and_maps_are_set_in_the_order_of_the_file)
{
    ck_assert(read_text("control: ipc:///tmp/x\nplanner: lpa\nlog: debug\nawake_us: 0\n"
                        "memory: 512M\nworkers: 2\nparanoid: 100\ninsecure: true\n"
                        "maps:\n  - file: maps/arena.map\n  - file: b.map\n    name: bee\n"));
    ck_assert_str_eq(said, "");
    ck_assert_str_eq(config.control, "ipc:///tmp/x");
    ck_assert_str_eq(config.planner, "lpa");
    ck_assert_int_eq(config.log_level, RP_LOG_DEBUG);
    ck_assert_uint_eq(config.awake_us, 0);
    ck_assert_uint_eq(config.paranoid, 100);
    ck_assert_uint_eq(config.memory_bytes, 512u << 20);
    ck_assert_uint_eq(config.workers, 2);
    ck_assert(config.insecure);
    ck_assert_uint_eq(config.map_count, 2);
    ck_assert_str_eq(config.maps[0].file, "maps/arena.map");
    ck_assert_str_eq(config.maps[0].name, "arena");
    ck_assert_str_eq(config.maps[1].name, "bee");
}
END_TEST

START_TEST(what_it_leaves_out_stays)
{
    ck_assert(read_text("planner: lpa\ninsecure: true\nmaps:\n  - file: a.map\n"));
    ck_assert(read_text("workers: 3\n"));
    ck_assert_str_eq(config.planner, "lpa");
    ck_assert(config.insecure);
    ck_assert_uint_eq(config.map_count, 1);
    ck_assert(read_text("insecure: false\n"));
    ck_assert(!config.insecure);
}
END_TEST

START_TEST(a_file_without_a_word_says_nothing)
{
    ck_assert(read_text("# nothing is set here\n"));
    ck_assert_str_eq(said, "");
}
END_TEST

START_TEST(a_file_that_is_not_there_is_named)
{
    ck_assert(!read_file("/nowhere/x.yaml"));
    ck_assert_str_eq(said, "repland: --config: /nowhere/x.yaml: No such file or directory\n");
}
END_TEST

START_TEST(a_folder_is_no_file)
{
    ck_assert(!read_file("/tmp"));
    ck_assert_str_eq(said, "repland: --config: /tmp: Is a directory\n");
}
END_TEST

START_TEST(an_unknown_key_is_named_with_its_file_and_line)
{
    ck_assert(!read_text("control: ipc:///tmp/x\n\n# a word\nlog: info\nplaner: lpa\n"));
    expect_said(path);
    expect_said("line 5: unknown key \"planer\"");
    ck_assert(!read_text("logs: info\nlog: info\n"));
    expect_said("line 1: unknown key \"logs\"");
    ck_assert(!read_text("log: info\nmaps:\n  - file: logical\n    lo: b\n"));
    expect_said("line 4: unknown key \"lo\"");
}
END_TEST

START_TEST(values_out_of_their_limits_are_named)
{
    static const struct {
        const char *text;
        const char *word;
    } cases[] = {
        {"log: loud\n", "loud"},
        {"planner: 0123456789012345678901234567890123\n", "planner"},
        {"control: \"\"\n", "control"},
        {"maps: none\n", "maps"},
        {"awake_us: 10001\n", "0..10000"},
        {"workers: 17\n", "workers: \"17\" is not a whole number of 0..16"},
        {"workers: 1.5\n", "workers: \"1.5\" is not a whole number of 0..16"},
        {"workers: -1\n", "workers: \"-1\" is not"},
        {"poses: tcp://127.0.0.1:65536\n", "poses: port 65536 is none of 0..65535"},
        {"awake_us: soon\n", "awake_us"},
        {"memory: 1000\n", "memory"},
        {"memory: 2Q\n", "memory"},
        {"memory: 99999999999999G\n", "memory"},
        {"insecure: perhaps\n", "insecure: \"perhaps\" is neither false nor true"},
        {"maps:\n  - name: a\n", "file"},
        {"control: [a\n", ":"},
        {"- a\n- b\n", ":"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(!read_text(cases[i].text), "taken: %s", cases[i].text);
        expect_said(path);
        expect_said(cases[i].word);
    }
}
END_TEST

START_TEST(what_is_wrong_is_said_with_its_line_and_key)
{
    static const struct {
        const char *text;
        const char *sentence; ///< behind the file's name
    } cases[] = {
        {"planner: lpa\nlog: loud\n", "line 2\n"},
        {"log: info\n\nlog: debug\n", ": line 3: log stands in line 1 already\n"},
        {"log:\n  - info\n", ": line 2: log is a word, and a list stands there\n"},
        {"log: {a: b}\n", ": line 1: log is a word, and a mapping stands there\n"},
        {"log:\nplanner: lpa\n", ": line 1: log has no value\n"},
        {"log: \"inf\\0o\"\n", ": line 1: log has a zero byte\n"},
        {"insecure: [true]\n", ": line 1: insecure is a word, and a list stands there\n"},
        {"maps: none\n", ": line 1: maps is a list, and a word stands there\n"},
        {"maps:\n  - a.map\n",
         ": line 2: an entry of maps has file and perhaps name, and a word stands there\n"},
        {"maps:\n  - file: a.map\n  - name: b\n", ": line 3: this entry of maps has no file\n"},
        {"maps:\n  - file: a.map\n    file: b.map\n", ": line 3: file stands in line 2 already\n"},
        {"maps:\n  - file: [a]\n", ": line 2: file is a word, and a list stands there\n"},
        {"log: info\n\nplanner: \xe9\n", ": line 3: "},
        {"log: info\nplanner: a\001b\n", ": line 2: "},
        {"log: info\n---\nplanner: lpa\n", ": line 2: a second document begins"},
        {"- a\n- b\n", ": line 1: keys and values are needed, and a list stands there\n"},
        {"word\n", ": line 1: keys and values are needed, and a word stands there\n"},
        {"? [a, b]\n: c\n", ": line 1: a key is a word, and a list stands there\n"},
        {"control: [a\nlog: info\n", ": line "},
        {"log: info\n\tlog: x\n", ": line 2: "},
        {"log: 'info\n",
         ": line 2: while scanning a quoted scalar, found unexpected end of stream\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ck_assert_msg(!read_text(cases[i].text), "taken: %s", cases[i].text);
        expect_said(path);
        expect_said(cases[i].sentence);
        ck_assert_msg(strstr(said, "trace") == NULL && strstr(said, "oad:") == NULL, "%s", said);
        ck_assert_ptr_eq(strstr(said, "repland: "), said);
    }
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        words_numbers_and_maps_are_set_in_the_order_of_the_file,
        what_it_leaves_out_stays,
        a_file_without_a_word_says_nothing,
        a_file_that_is_not_there_is_named,
        a_folder_is_no_file,
        an_unknown_key_is_named_with_its_file_and_line,
        values_out_of_their_limits_are_named,
        what_is_wrong_is_said_with_its_line_and_key,
    };
    return rp_suite_run("config_file", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
