/// Maps from files, as worlds to be made.
#include "replan/map_file.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/support/suite.h"

static char folder[] = "/tmp/replan-map-file-XXXXXX";
static char path[100];

/// Write a file into the folder. @return its path, until the next call
static const char *write_file(const char *name, const char *text)
{
    (void)snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
    return path;
}

START_TEST(map_file_describes_the_world_of_a_yaml)
{
    static const uint8_t bytes[] = {255, 0, 254, 0};
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    rp_map_file_t map;
    write_file("a.pgm", "P2 2 2 255\n0 254\n205 255\n");
    const char *yaml = write_file("a.yaml", "image: a.pgm\nresolution: 0.5\norigin: [1, 2, 3]\n"
                                            "negate: 0\noccupied_thresh: 0.65\nfree_thresh: 0.1\n");
    ck_assert_msg(rp_map_file_read(yaml, &map) == RP_CLIENT_OK, "%s", map.sentence);
    rp_map_file_describe(&map, &create);
    ck_assert_str_eq(create.profile, "costmap");
    ck_assert_uint_eq(create.geometry->width, 2);
    ck_assert_uint_eq(create.geometry->height, 2);
    ck_assert_double_eq(create.geometry->resolution, 0.5);
    ck_assert_double_eq(create.geometry->origin_x, 1.0);
    ck_assert_double_eq(create.geometry->origin_y, 2.0);
    ck_assert_double_eq(create.geometry->origin_yaw, 3.0);
    ck_assert_int_eq(create.content_case, REPLAN__V1__CREATE_WORLD__CONTENT_DATA);
    ck_assert_uint_eq(create.data.len, sizeof bytes);
    ck_assert_mem_eq(create.data.data, bytes, sizeof bytes);
    rp_map_file_fini(&map);
    ck_assert_ptr_null(map.bytes);
}
END_TEST

START_TEST(map_file_that_is_none_is_refused_by_a_sentence)
{
    rp_map_file_t map;
    ck_assert_int_eq(rp_map_file_read("/nowhere/a.map", &map), RP_CLIENT_E_INVALID);
    ck_assert_str_eq(map.sentence, "/nowhere/a.map: cannot be opened: No such file or directory");
    ck_assert_int_eq(rp_map_file_read(write_file("b.txt", "..\n...\n"), &map), RP_CLIENT_E_INVALID);
    ck_assert_ptr_nonnull(strstr(map.sentence, "b.txt:2: a row of 3 letters, the first one has 2"));
    rp_map_file_fini(&map);
}
END_TEST

START_TEST(map_file_takes_nothing_for_what_it_is)
{
    Replan__V1__CreateWorld create = REPLAN__V1__CREATE_WORLD__INIT;
    rp_map_file_t map;
    ck_assert_int_eq(rp_map_file_read("a.map", NULL), RP_CLIENT_E_INVALID);
    ck_assert_int_eq(rp_map_file_read(NULL, &map), RP_CLIENT_E_INVALID);
    ck_assert_str_eq(map.sentence, "path is NULL");
    rp_map_file_describe(&map, &create);
    rp_map_file_describe(&map, NULL);
    rp_map_file_describe(NULL, &create);
    ck_assert_ptr_null(create.geometry);
    rp_map_file_fini(&map);
    rp_map_file_fini(NULL);
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        map_file_describes_the_world_of_a_yaml,
        map_file_that_is_none_is_refused_by_a_sentence,
        map_file_takes_nothing_for_what_it_is,
    };
    if (mkdtemp(folder) == NULL) {
        return EXIT_FAILURE;
    }
    const int code = rp_suite_run("map_file", tests, sizeof tests / sizeof tests[0], 1, NULL);
    static const char *const names[] = {"a.pgm", "a.yaml", "b.txt"};
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
        (void)snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        (void)unlink(path);
    }
    (void)rmdir(folder);
    return code;
}
