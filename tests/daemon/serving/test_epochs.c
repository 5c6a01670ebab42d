/// Epochs that are over, and the record of a world's windows.
#include "daemon/serving/epochs.h"

#include <math.h>
#include <string.h>

#include "tests/support/random.h"
#include "tests/support/suite.h"

static rp_windows_t windows;
static rp_epochs_t epochs;
static rp_kept_windows_t kept;
static uint64_t words[RP_KEPT_WORDS_MAX];

static size_t keep_some(uint64_t newest, uint32_t epoch_count)
{
    windows = (rp_windows_t){.newest = newest,
                             .first_x_m = -10.3,
                             .first_y_m = 0.1,
                             .told_x_m = 7.25,
                             .told_y_m = -1e9,
                             .told_offset_x = -12,
                             .told_offset_y = 1 << 20};
    epochs.count = 0;
    for (uint64_t i = newest < RP_WINDOWS_KEPT ? 1u : newest - RP_WINDOWS_KEPT + 1u; i <= newest;
         i++) {
        windows.list[i % RP_WINDOWS_KEPT] = (rp_known_window_t){
            i, -(int64_t)i * 3, (int64_t)i, 1u + (uint32_t)i % 16384u, 16384, 0.1 * i, -0.3 * i};
    }
    for (uint32_t i = 0; i < epoch_count; i++) {
        rp_epochs_add(&epochs, 1000u + i, i / 2u);
    }
    return rp_windows_keep(&windows, &epochs, 77, words);
}

START_TEST(what_was_kept_is_recalled)
{
    const uint64_t newest[] = {1, 2, 255, 256, 257, 1000};
    for (size_t i = 0; i < sizeof newest / sizeof newest[0]; i++) {
        const size_t count = keep_some(newest[i], (uint32_t)i * 60u);
        ck_assert_uint_le(count, RP_KEPT_WORDS_MAX);
        ck_assert(rp_windows_recall((const uint8_t *)words, count * 8u, &kept));
        ck_assert_mem_eq(&kept.windows, &windows, sizeof windows);
        ck_assert_uint_eq(kept.epoch, 77);
        ck_assert_uint_eq(kept.epochs.count, epochs.count);
        ck_assert_mem_eq(kept.epochs.list, epochs.list, epochs.count * sizeof *epochs.list);
    }
}
END_TEST

START_TEST(the_last_256_epochs_are_known)
{
    (void)keep_some(1, 300);
    ck_assert_uint_eq(epochs.count, 256);
    ck_assert_ptr_null(rp_epochs_find(&epochs, 1043));
    ck_assert_uint_eq(rp_epochs_find(&epochs, 1044)->newest, 22);
    ck_assert_uint_eq(rp_epochs_find(&epochs, 1299)->newest, 149);
    ck_assert_ptr_null(rp_epochs_find(&epochs, 1300));
}
END_TEST

/// What is recalled of bytes that are not those of a record can be served all the same.
static void expect_sane(bool is_recalled)
{
    if (!is_recalled) {
        return;
    }
    const rp_windows_t *some = &kept.windows;
    const rp_known_window_t *newest = &some->list[some->newest % RP_WINDOWS_KEPT];
    RP_EACH_EQ(newest->number, some->newest);
    RP_EACH(newest->width >= 1 && newest->width <= 16384 && newest->height >= 1 &&
            newest->height <= 16384);
    RP_EACH(isfinite(newest->origin_x_m) && isfinite(some->told_x_m) && isfinite(some->first_y_m));
    RP_EACH(kept.epochs.count <= RP_EPOCHS_KEPT);
}

START_TEST(bytes_that_are_no_record_are_refused_or_harmless)
{
    rp_random_t rng = {1};
    const size_t size = keep_some(300, 3) * 8u;
    for (size_t cut = 0; cut < size; cut++) {
        const bool is_recalled = rp_windows_recall((const uint8_t *)words, cut, &kept);
        RP_EACH_EQ(is_recalled, cut % 16u == size % 16u && cut + 48u >= size); // epochs less
    }
    ck_assert(!rp_windows_recall((const uint8_t *)words, sizeof words + 8u, &kept));
    for (unsigned round = 0; round < RP_ROUNDS(4000); round++) {
        uint8_t bytes[sizeof words];
        memcpy(bytes, words, size);
        const uint32_t place = rp_random_chance(&rng, 50) ? rp_random_below(&rng, 120)
                                                          : rp_random_below(&rng, (uint32_t)size);
        bytes[place] = (uint8_t)rp_random_below(&rng, 256);
        expect_sane(rp_windows_recall(bytes, size, &kept));
    }
    words[8] = 0;
    ck_assert(!rp_windows_recall((const uint8_t *)words, size, &kept));
    words[8] = UINT64_MAX;
    ck_assert(!rp_windows_recall((const uint8_t *)words, size, &kept));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        what_was_kept_is_recalled,
        the_last_256_epochs_are_known,
        bytes_that_are_no_record_are_refused_or_harmless,
    };
    return rp_suite_run("epochs", tests, sizeof tests / sizeof tests[0], 1, NULL);
}
