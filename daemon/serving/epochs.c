/// A record of windows, in words: what they begin with, each window, each epoch.
///
///     newest, first x, y, told x, y, told offset x, y, epoch, number of windows
///     number, offset x, y, sides, origin x, y      by window
///     epoch, newest window                         by epoch that is over
#include "daemon/serving/epochs.h"

#include <math.h>
#include <string.h>

#include "msgs/limits.h"

#define HEAD_WORDS   9u
#define WINDOW_WORDS 6u
#define EPOCH_WORDS  2u

void rp_epochs_add(rp_epochs_t *self, uint64_t epoch, uint64_t newest)
{
    if (self->count == RP_EPOCHS_KEPT) {
        memmove(&self->list[0], &self->list[1], (RP_EPOCHS_KEPT - 1u) * sizeof *self->list);
        self->count--;
    }
    self->list[self->count++] = (rp_past_epoch_t){epoch, newest};
}

const rp_past_epoch_t *rp_epochs_find(const rp_epochs_t *self, uint64_t epoch)
{
    for (uint32_t i = self->count; i-- > 0;) {
        if (self->list[i].epoch == epoch) {
            return &self->list[i];
        }
    }
    return NULL;
}

// ---- words

static uint64_t word_of(double value)
{
    uint64_t word;
    memcpy(&word, &value, sizeof word);
    return word;
}

static double real_of(uint64_t word)
{
    double value;
    memcpy(&value, &word, sizeof value);
    return value;
}

size_t rp_windows_keep(const rp_windows_t *windows, const rp_epochs_t *epochs, uint64_t epoch,
                       uint64_t *words)
{
    const uint64_t count = windows->newest < RP_WINDOWS_KEPT ? windows->newest : RP_WINDOWS_KEPT;
    uint64_t *word = words;
    *word++ = windows->newest;
    *word++ = word_of(windows->first_x_m);
    *word++ = word_of(windows->first_y_m);
    *word++ = word_of(windows->told_x_m);
    *word++ = word_of(windows->told_y_m);
    *word++ = (uint64_t)windows->told_offset_x;
    *word++ = (uint64_t)windows->told_offset_y;
    *word++ = epoch;
    *word++ = count;
    for (uint64_t number = windows->newest - count + 1u; number <= windows->newest; number++) {
        const rp_known_window_t *window = &windows->list[number % RP_WINDOWS_KEPT];
        *word++ = window->number;
        *word++ = (uint64_t)window->offset_x;
        *word++ = (uint64_t)window->offset_y;
        *word++ = (uint64_t)window->width << 32 | window->height;
        *word++ = word_of(window->origin_x_m);
        *word++ = word_of(window->origin_y_m);
    }
    for (uint32_t i = 0; i < epochs->count; i++) {
        *word++ = epochs->list[i].epoch;
        *word++ = epochs->list[i].newest;
    }
    return (size_t)(word - words);
}

/// @return false when it cannot have been a window
static bool recall_window(const uint64_t *words, rp_known_window_t *window)
{
    *window = (rp_known_window_t){
        .number = words[0],
        .offset_x = (int64_t)words[1],
        .offset_y = (int64_t)words[2],
        .width = (uint32_t)(words[3] >> 32),
        .height = (uint32_t)words[3],
        .origin_x_m = real_of(words[4]),
        .origin_y_m = real_of(words[5]),
    };
    return window->width != 0 && window->width <= RP_LIMIT_SIDE && window->height != 0 &&
           window->height <= RP_LIMIT_SIDE && isfinite(window->origin_x_m) &&
           isfinite(window->origin_y_m);
}

bool rp_windows_recall(const uint8_t *bytes, size_t size, rp_kept_windows_t *kept)
{
    uint64_t words[RP_KEPT_WORDS_MAX];
    const size_t all = size / sizeof *words;
    if (size % sizeof *words != 0 || all < HEAD_WORDS || all > RP_KEPT_WORDS_MAX) {
        return false;
    }
    memcpy(words, bytes, size);
    const uint64_t newest = words[0];
    const uint64_t count = words[8];
    if (count == 0 || count > RP_WINDOWS_KEPT || count > newest ||
        all < HEAD_WORDS + WINDOW_WORDS * count ||
        (all - HEAD_WORDS - WINDOW_WORDS * count) % EPOCH_WORDS != 0) {
        return false;
    }
    memset(kept, 0, sizeof *kept);
    kept->windows.newest = newest;
    kept->windows.first_x_m = real_of(words[1]);
    kept->windows.first_y_m = real_of(words[2]);
    kept->windows.told_x_m = real_of(words[3]);
    kept->windows.told_y_m = real_of(words[4]);
    kept->windows.told_offset_x = (int64_t)words[5];
    kept->windows.told_offset_y = (int64_t)words[6];
    kept->epoch = words[7];
    for (uint64_t i = 0; i < count; i++) {
        rp_known_window_t window;
        if (!recall_window(&words[HEAD_WORDS + WINDOW_WORDS * i], &window) ||
            window.number != newest - count + 1u + i) {
            return false;
        }
        kept->windows.list[window.number % RP_WINDOWS_KEPT] = window;
    }
    for (size_t at = HEAD_WORDS + WINDOW_WORDS * count;
         at < all && kept->epochs.count < RP_EPOCHS_KEPT; at += EPOCH_WORDS) {
        rp_epochs_add(&kept->epochs, words[at], words[at + 1u]);
    }
    return isfinite(kept->windows.first_x_m) && isfinite(kept->windows.first_y_m) &&
           isfinite(kept->windows.told_x_m) && isfinite(kept->windows.told_y_m);
}
