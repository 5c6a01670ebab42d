/// A mirror of a world, fed by hand.
#include <check.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "msgs/codec.h"
#include "replan/mirror.h"

#define WIDTH  4u
#define HEIGHT 3u
#define EPOCH  7u

static uint64_t hash_of(const uint8_t *bytes)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < WIDTH * HEIGHT; i++) {
        hash ^= rp_codec_cell_hash(i, bytes[i]);
    }
    return hash;
}

static rp_mirror_news_t feed_rows(rp_mirror_t *mirror, uint64_t version, uint32_t first_row,
                                  uint32_t rows, uint8_t byte)
{
    uint8_t data[WIDTH * HEIGHT];
    memset(data, byte, sizeof(data));
    Replan__V1__Geometry geometry = REPLAN__V1__GEOMETRY__INIT;
    Replan__V1__Chunk chunk = REPLAN__V1__CHUNK__INIT;
    geometry.width = WIDTH;
    geometry.height = HEIGHT;
    geometry.resolution = 0.5;
    geometry.frame_id = (char *)"map";
    chunk.epoch = EPOCH;
    chunk.version = version;
    chunk.first_row = first_row;
    chunk.rows = rows;
    chunk.data = (ProtobufCBinaryData){.len = (size_t)rows * WIDTH, .data = data};
    chunk.first = first_row == 0;
    chunk.last = first_row + rows == HEIGHT;
    chunk.neighbors = 4;
    chunk.wraps = true;
    chunk.profile = (char *)"factor";
    chunk.geometry = chunk.first ? &geometry : NULL;
    return rp_mirror_chunk(mirror, &chunk);
}

static rp_mirror_news_t feed_fill(rp_mirror_t *mirror, uint64_t version, uint32_t x, uint32_t y,
                                  uint32_t width, uint32_t height, uint8_t byte)
{
    Replan__V1__Delta delta = REPLAN__V1__DELTA__INIT;
    delta.epoch = EPOCH;
    delta.version = version;
    delta.x = x;
    delta.y = y;
    delta.width = width;
    delta.height = height;
    delta.rect_case = REPLAN__V1__DELTA__RECT_FILL;
    delta.fill = byte;
    return rp_mirror_delta(mirror, &delta);
}

static rp_mirror_news_t feed_cells(rp_mirror_t *mirror, uint64_t version, uint32_t *cells,
                                   size_t count, uint8_t *values, size_t values_count)
{
    Replan__V1__Delta delta = REPLAN__V1__DELTA__INIT;
    delta.epoch = EPOCH;
    delta.version = version;
    delta.n_cells = count;
    delta.cells = cells;
    delta.values = (ProtobufCBinaryData){.len = values_count, .data = values};
    return rp_mirror_delta(mirror, &delta);
}

static rp_mirror_news_t feed_head(rp_mirror_t *mirror, uint64_t epoch, uint64_t version,
                                  uint64_t hash)
{
    Replan__V1__Head head = REPLAN__V1__HEAD__INIT;
    head.epoch = epoch;
    head.version = version;
    head.hash = hash;
    return rp_mirror_head(mirror, &head);
}

static void init_whole(rp_mirror_t *mirror, uint32_t versions, uint32_t undo_cells)
{
    ck_assert(rp_mirror_init(mirror, versions, undo_cells));
    ck_assert_int_eq(feed_rows(mirror, 10, 0, HEIGHT, 1), RP_MIRROR_TAKEN);
}

START_TEST(mirror_is_whole_after_the_last_rows)
{
    rp_mirror_t mirror;
    ck_assert(rp_mirror_init(&mirror, 8, 64));
    ck_assert_int_eq(feed_rows(&mirror, 10, 0, 1, 1), RP_MIRROR_WAITING);
    ck_assert_ptr_null(rp_mirror_newest(&mirror));
    ck_assert_int_eq(feed_rows(&mirror, 10, 1, 2, 1), RP_MIRROR_TAKEN);
    ck_assert(mirror.is_whole);
    ck_assert_uint_eq(mirror.width, WIDTH);
    ck_assert_uint_eq(mirror.neighbors, 4);
    ck_assert(mirror.wraps);
    ck_assert_str_eq(mirror.frame_id, "map");
    ck_assert_str_eq(mirror.profile, "factor");
    ck_assert_uint_eq(mirror.hash, hash_of(rp_mirror_newest(&mirror)));
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_that_is_whole_begins_anew_with_first_rows)
{
    rp_mirror_t mirror;
    init_whole(&mirror, 8, 64);
    ck_assert_int_eq(feed_rows(&mirror, 20, 0, 1, 5), RP_MIRROR_WAITING);
    ck_assert_ptr_null(rp_mirror_newest(&mirror));
    ck_assert_int_eq(feed_rows(&mirror, 20, 1, HEIGHT - 1, 5), RP_MIRROR_TAKEN);
    ck_assert_uint_eq(mirror.version, 20);
    ck_assert_uint_eq(rp_mirror_newest(&mirror)[WIDTH], 5);
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_takes_deltas_between_the_rows_of_a_snapshot)
{
    rp_mirror_t mirror;
    ck_assert(rp_mirror_init(&mirror, 8, 64));
    ck_assert_int_eq(feed_rows(&mirror, 10, 0, 1, 1), RP_MIRROR_WAITING);
    ck_assert_int_eq(feed_fill(&mirror, 11, 0, 0, 1, HEIGHT, 9), RP_MIRROR_WAITING);
    ck_assert_int_eq(feed_rows(&mirror, 11, 1, 2, 2), RP_MIRROR_TAKEN);
    const uint8_t expected[] = {9, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2};
    ck_assert_mem_eq(rp_mirror_newest(&mirror), expected, sizeof(expected));
    ck_assert_uint_eq(mirror.hash, hash_of(expected));
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_keeps_its_hash_through_deltas)
{
    rp_mirror_t mirror;
    init_whole(&mirror, 8, 64);
    uint32_t cells[] = {0, 5, 5, 11};
    uint8_t values[] = {3, 4, 6, 5};
    ck_assert_int_eq(feed_fill(&mirror, 11, 1, 1, 2, 2, 0), RP_MIRROR_TAKEN);
    ck_assert_int_eq(feed_cells(&mirror, 12, cells, 4, values, 4), RP_MIRROR_TAKEN);
    const uint8_t expected[] = {3, 1, 1, 1, 1, 6, 0, 1, 1, 0, 0, 5};
    ck_assert_mem_eq(rp_mirror_newest(&mirror), expected, sizeof(expected));
    ck_assert_int_eq(feed_head(&mirror, EPOCH, 12, hash_of(expected)), RP_MIRROR_TAKEN);
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_shows_older_versions_and_comes_back)
{
    rp_mirror_t mirror;
    uint8_t expected[8][WIDTH * HEIGHT];
    init_whole(&mirror, 8, 64);
    memcpy(expected[0], rp_mirror_newest(&mirror), WIDTH * HEIGHT);
    srand(1);
    for (uint64_t step = 1; step < 8; step++) {
        uint32_t cells[] = {(uint32_t)rand() % 12, (uint32_t)rand() % 12, (uint32_t)rand() % 12};
        uint8_t values[] = {(uint8_t)rand(), (uint8_t)rand(), (uint8_t)rand()};
        ck_assert_int_eq(feed_cells(&mirror, 10 + step, cells, 3, values, 3), RP_MIRROR_TAKEN);
        memcpy(expected[step], rp_mirror_newest(&mirror), WIDTH * HEIGHT);
    }
    for (int i = 0; i < 100; i++) {
        const unsigned step = (unsigned)rand() % 8;
        ck_assert_mem_eq(rp_mirror_at(&mirror, EPOCH, 10 + step), expected[step], WIDTH * HEIGHT);
    }
    ck_assert_ptr_nonnull(rp_mirror_at(&mirror, EPOCH, 10));
    uint32_t cell = 3;
    uint8_t value = 77;
    ck_assert_int_eq(feed_cells(&mirror, 18, &cell, 1, &value, 1), RP_MIRROR_TAKEN);
    expected[7][3] = 77;
    ck_assert_mem_eq(rp_mirror_newest(&mirror), expected[7], WIDTH * HEIGHT);
    ck_assert_uint_eq(mirror.hash, hash_of(expected[7]));
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_forgets_versions_beyond_its_ring)
{
    rp_mirror_t mirror;
    init_whole(&mirror, 3, 64);
    for (uint64_t version = 11; version <= 14; version++) {
        ck_assert_int_eq(feed_fill(&mirror, version, 0, 0, 1, 1, (uint8_t)version),
                         RP_MIRROR_TAKEN);
    }
    ck_assert_ptr_null(rp_mirror_at(&mirror, EPOCH, 11));
    ck_assert_ptr_null(rp_mirror_at(&mirror, EPOCH, 15));
    ck_assert_ptr_null(rp_mirror_at(&mirror, EPOCH + 1, 14));
    for (uint64_t version = 12; version <= 14; version++) {
        ck_assert_uint_eq(rp_mirror_at(&mirror, EPOCH, version)[0], version);
    }
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_forgets_the_past_when_a_change_outgrows_the_undo)
{
    rp_mirror_t mirror;
    init_whole(&mirror, 8, 5);
    ck_assert_int_eq(feed_fill(&mirror, 11, 0, 0, 1, 1, 11), RP_MIRROR_TAKEN);
    ck_assert_int_eq(feed_fill(&mirror, 12, 0, 1, 4, 1, 12), RP_MIRROR_TAKEN);
    ck_assert_uint_eq(rp_mirror_at(&mirror, EPOCH, 10)[0], 1);
    ck_assert_int_eq(feed_fill(&mirror, 13, 0, 2, 2, 1, 13), RP_MIRROR_TAKEN);
    ck_assert_uint_eq(mirror.oldest, 12);
    ck_assert_uint_eq(rp_mirror_at(&mirror, EPOCH, 12)[8], 1);
    ck_assert_int_eq(feed_fill(&mirror, 14, 0, 0, 4, 3, 14), RP_MIRROR_TAKEN);
    ck_assert_uint_eq(mirror.oldest, 14);
    ck_assert_uint_eq(rp_mirror_newest(&mirror)[11], 14);
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_reports_a_hole)
{
    rp_mirror_t mirror;
    init_whole(&mirror, 8, 64);
    ck_assert_int_eq(feed_fill(&mirror, 12, 0, 0, 1, 1, 2), RP_MIRROR_HOLE);
    ck_assert(!mirror.is_whole);
    ck_assert_int_eq(feed_fill(&mirror, 13, 0, 0, 1, 1, 2), RP_MIRROR_WAITING);
    ck_assert_int_eq(feed_rows(&mirror, 13, 0, HEIGHT, 2), RP_MIRROR_TAKEN);
    ck_assert_ptr_null(rp_mirror_at(&mirror, EPOCH, 10));
    rp_mirror_fini(&mirror);
}
END_TEST

/// A hole would have it asked for what is on its way.
START_TEST(mirror_waits_for_its_first_rows)
{
    rp_mirror_t mirror;
    ck_assert(rp_mirror_init(&mirror, 8, 64));
    ck_assert_int_eq(feed_head(&mirror, EPOCH, 10, 0), RP_MIRROR_WAITING);
    ck_assert_int_eq(feed_fill(&mirror, 10, 0, 0, 1, 1, 2), RP_MIRROR_WAITING);
    ck_assert_int_eq(feed_rows(&mirror, 10, 0, HEIGHT, 1), RP_MIRROR_TAKEN);
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_reports_a_new_epoch)
{
    rp_mirror_t mirror;
    init_whole(&mirror, 8, 64);
    ck_assert_int_eq(feed_head(&mirror, EPOCH + 1, 1, 0), RP_MIRROR_HOLE);
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_reports_another_hash)
{
    rp_mirror_t mirror;
    init_whole(&mirror, 8, 64);
    ck_assert_int_eq(feed_head(&mirror, EPOCH, 9, 0), RP_MIRROR_OLD);
    ck_assert_int_eq(feed_head(&mirror, EPOCH, 10, 0), RP_MIRROR_OLD); // still being counted
    ck_assert_int_eq(feed_head(&mirror, EPOCH, 10, mirror.hash + 1), RP_MIRROR_DIFFERS);
    ck_assert_ptr_null(rp_mirror_newest(&mirror));
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_passes_over_a_version_that_it_has)
{
    rp_mirror_t mirror;
    init_whole(&mirror, 8, 64);
    ck_assert_int_eq(feed_fill(&mirror, 10, 0, 0, 1, 1, 2), RP_MIRROR_OLD);
    ck_assert_uint_eq(rp_mirror_newest(&mirror)[0], 1);
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_refuses_cells_that_it_does_not_have)
{
    uint32_t cells[] = {1, WIDTH * HEIGHT};
    uint8_t values[] = {2, 2, 2};
    rp_mirror_t mirror;
    init_whole(&mirror, 8, 64);
    ck_assert_int_eq(feed_cells(&mirror, 11, cells, 2, values, 1), RP_MIRROR_HOLE);
    ck_assert_int_eq(feed_rows(&mirror, 10, 0, HEIGHT, 1), RP_MIRROR_TAKEN);
    ck_assert_int_eq(feed_cells(&mirror, 11, cells, 1, values, 3), RP_MIRROR_HOLE);
    ck_assert_int_eq(feed_rows(&mirror, 10, 0, HEIGHT, 1), RP_MIRROR_TAKEN);
    ck_assert_int_eq(feed_fill(&mirror, 11, 2, 0, UINT32_MAX, 1, 1), RP_MIRROR_HOLE);
    ck_assert_int_eq(feed_rows(&mirror, 10, 0, 1, 1), RP_MIRROR_WAITING);
    ck_assert_int_eq(feed_rows(&mirror, 10, 2, 1, 1), RP_MIRROR_HOLE);
    ck_assert_int_eq(feed_rows(&mirror, 10, 0, HEIGHT, 1), RP_MIRROR_TAKEN);
    rp_mirror_fini(&mirror);
}
END_TEST

/// Another window of 5 x 3, one cell to the right and one up: new are a column and a row.
static Replan__V1__Delta window_delta(Replan__V1__Geometry *geometry)
{
    static uint32_t rects[] = {3, 0, 2, 3, 0, 2, 5, 1};
    static uint8_t bytes[] = {21, 22, 23, 24, 25, 26, 31, 32, 33, 34, 35};
    static uint32_t cell = 0;
    static uint8_t value = 40;
    Replan__V1__Delta delta = REPLAN__V1__DELTA__INIT;
    replan__v1__geometry__init(geometry);
    geometry->width = 5;
    geometry->height = 3;
    geometry->resolution = 0.5;
    geometry->origin_x = 0.4;
    geometry->frame_id = (char *)"odom";
    delta.epoch = EPOCH;
    delta.version = 11;
    delta.window = 2;
    delta.geometry = geometry;
    delta.moved_x = 1;
    delta.moved_y = 1;
    delta.n_rects = 8;
    delta.rects = rects;
    delta.rect_data = (ProtobufCBinaryData){.len = sizeof bytes, .data = bytes};
    delta.n_cells = 1;
    delta.cells = &cell;
    delta.values = (ProtobufCBinaryData){.len = 1, .data = &value};
    return delta;
}

START_TEST(mirror_follows_another_window)
{
    rp_mirror_t mirror;
    Replan__V1__Geometry geometry;
    ck_assert(rp_mirror_init(&mirror, 8, 64));
    ck_assert_int_eq(feed_rows(&mirror, 9, 0, HEIGHT, 1), RP_MIRROR_TAKEN);
    ck_assert_int_eq(feed_fill(&mirror, 10, 2, 1, 1, 2, 7), RP_MIRROR_TAKEN);
    const Replan__V1__Delta delta = window_delta(&geometry);
    ck_assert_int_eq(rp_mirror_delta(&mirror, &delta), RP_MIRROR_TAKEN);
    const uint8_t expected[] = {40, 7, 1, 21, 22, 1, 7, 1, 23, 24, 31, 32, 33, 34, 35};
    ck_assert_mem_eq(rp_mirror_newest(&mirror), expected, sizeof expected);
    uint64_t hash = 0;
    for (uint32_t i = 0; i < 15; i++) {
        hash ^= rp_codec_cell_hash(i, expected[i]);
    }
    ck_assert_uint_eq(mirror.hash, hash);
    ck_assert_uint_eq(mirror.width, 5);
    ck_assert_uint_eq(mirror.window, 2);
    ck_assert_double_eq(mirror.origin_x, 0.4);
    ck_assert_str_eq(mirror.frame_id, "odom");
    ck_assert_str_eq(mirror.profile, "factor");           // no window changes that
    ck_assert_ptr_null(rp_mirror_at(&mirror, EPOCH, 10)); // its cells were others
    ck_assert_int_eq(feed_fill(&mirror, 12, 4, 2, 1, 1, 8), RP_MIRROR_TAKEN);
    ck_assert_uint_eq(rp_mirror_newest(&mirror)[14], 8);
    ck_assert_mem_eq(rp_mirror_at(&mirror, EPOCH, 11), expected, sizeof expected);
    rp_mirror_fini(&mirror);
}
END_TEST

START_TEST(mirror_follows_no_window_that_cannot_be)
{
    rp_mirror_t mirror;
    Replan__V1__Geometry geometry;
    ck_assert(rp_mirror_init(&mirror, 8, 64));
    for (unsigned fault = 0; fault < 8; fault++) {
        Replan__V1__Delta delta = window_delta(&geometry);
        uint32_t rects[] = {3, 0, 2, 3, 0, 2, 5, 1};
        delta.rects = rects;
        ck_assert_int_eq(feed_rows(&mirror, 10, 0, HEIGHT, 1), RP_MIRROR_TAKEN);
        geometry.width = fault == 0 ? 0 : geometry.width;
        geometry.height = fault == 1 ? 1u << 31 : geometry.height;
        rects[0] = fault == 2 ? UINT32_MAX : rects[0];
        rects[7] = fault == 3 ? 2 : rects[7];
        delta.n_rects = fault == 4 ? 7 : delta.n_rects;
        delta.rect_data.len = fault == 5 ? 10 : delta.rect_data.len;
        uint32_t cell = 15;
        delta.cells = fault == 6 ? &cell : delta.cells;
        delta.version = fault == 7 ? 12 : delta.version;
        ck_assert_int_eq(rp_mirror_delta(&mirror, &delta), RP_MIRROR_HOLE);
    }
    Replan__V1__Delta delta = window_delta(&geometry);
    ck_assert_int_eq(feed_rows(&mirror, 10, 0, 1, 1), RP_MIRROR_WAITING);
    ck_assert_int_eq(rp_mirror_delta(&mirror, &delta), RP_MIRROR_HOLE); // amid rows
    delta.moved_x = INT32_MIN; // far away: all of it is new
    delta.moved_y = INT32_MAX;
    ck_assert_int_eq(feed_rows(&mirror, 10, 0, HEIGHT, 1), RP_MIRROR_TAKEN);
    ck_assert_int_eq(rp_mirror_delta(&mirror, &delta), RP_MIRROR_TAKEN);
    rp_mirror_fini(&mirror);
}
END_TEST

// ---- without memory

static unsigned callocs_left = UINT_MAX; ///< that succeed

/// The linker has all callocs come here, and knows the real one by that name.
void *__real_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)
void *__wrap_calloc(size_t count, size_t size); // NOLINT(bugprone-reserved-identifier,cert-*)

void *__wrap_calloc(size_t count, size_t size) // NOLINT(bugprone-reserved-identifier,cert-*)
{
    if (callocs_left == 0) {
        return NULL;
    }
    callocs_left -= callocs_left != UINT_MAX;
    return __real_calloc(count, size);
}

START_TEST(mirror_without_memory_is_none)
{
    for (unsigned i = 0; i < 2; i++) {
        rp_mirror_t mirror;
        callocs_left = i;
        const bool is_made = rp_mirror_init(&mirror, 8, 64);
        callocs_left = UINT_MAX;
        ck_assert(!is_made);
        ck_assert(mirror.ends == NULL && mirror.undo == NULL);
    }
}
END_TEST

START_TEST(mirror_takes_nothing_from_null)
{
    rp_mirror_t mirror;
    const rp_client_event_t empty = {.kind = RP_CLIENT_DELTA, .delta = NULL};
    ck_assert(rp_mirror_init(&mirror, 4, 16));
    ck_assert_int_eq(feed_rows(&mirror, 10, 0, HEIGHT, 1), RP_MIRROR_TAKEN);
    ck_assert_int_eq(rp_mirror_take(&mirror, NULL), RP_MIRROR_OLD);
    ck_assert_int_eq(rp_mirror_take(&mirror, &empty), RP_MIRROR_OLD);
    ck_assert_int_eq(rp_mirror_chunk(&mirror, NULL), RP_MIRROR_OLD);
    ck_assert_int_eq(rp_mirror_head(&mirror, NULL), RP_MIRROR_OLD);
    ck_assert(mirror.is_whole);
    rp_mirror_fini(&mirror);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("mirror");
    TCase *cases = tcase_create("mirror");
    tcase_add_test(cases, mirror_is_whole_after_the_last_rows);
    tcase_add_test(cases, mirror_without_memory_is_none);
    tcase_add_test(cases, mirror_takes_nothing_from_null);
    tcase_add_test(cases, mirror_that_is_whole_begins_anew_with_first_rows);
    tcase_add_test(cases, mirror_takes_deltas_between_the_rows_of_a_snapshot);
    tcase_add_test(cases, mirror_keeps_its_hash_through_deltas);
    tcase_add_test(cases, mirror_shows_older_versions_and_comes_back);
    tcase_add_test(cases, mirror_forgets_versions_beyond_its_ring);
    tcase_add_test(cases, mirror_forgets_the_past_when_a_change_outgrows_the_undo);
    tcase_add_test(cases, mirror_reports_a_hole);
    tcase_add_test(cases, mirror_waits_for_its_first_rows);
    tcase_add_test(cases, mirror_reports_a_new_epoch);
    tcase_add_test(cases, mirror_reports_another_hash);
    tcase_add_test(cases, mirror_passes_over_a_version_that_it_has);
    tcase_add_test(cases, mirror_refuses_cells_that_it_does_not_have);
    tcase_add_test(cases, mirror_follows_another_window);
    tcase_add_test(cases, mirror_follows_no_window_that_cannot_be);
    suite_add_tcase(suite, cases);
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_NORMAL);
    const int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    return failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
