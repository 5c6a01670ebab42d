/// What a new generation of a state costs the thread that serves: rp_journal_begin_checkpoint()
/// waits for the disk, as nothing may be acknowledged between the end of one log and the first
/// record of the next. A base is written as the daemon does it, in pieces of 64 KiB, each of them
/// timed; then records are added and flushed while the disk takes the base, as those of clients
/// would be. Time on the wall, in $TMPDIR or /tmp: figures are those of that disk.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "bench/suites.h"
#include "store/journal.h"

#define PIECE  ((size_t)64 << 10)
#define ROUNDS 7u

/// What came since most of the log was brought to the disk.
#define LATE_PIECES 16u

static const uint32_t sizes_mib[] = {1, 16, 256, 1024};

typedef struct rotation {
    rp_journal_t *journal;
    uint32_t base_mib;
    uint8_t bytes[PIECE];
    double begin_ms[ROUNDS]; ///< waiting for the disk
    double piece_ms;         ///< the longest
    double flush_ms;         ///< the longest while the disk took the base
    double settle_s;         ///< the longest time for that
} rotation_t;

static double ms_since(uint64_t begin_ns)
{
    return (double)(rp_bench_wall_ns() - begin_ns) / 1e6;
}

static void keep_longest(double *longest, double took)
{
    *longest = took > *longest ? took : *longest;
}

static rp_record_t record_of(rotation_t *self, size_t size)
{
    return (rp_record_t){.kind = RP_RECORD_REQUEST, .bytes = self->bytes, .size = size};
}

/// Requests come, and are flushed.
static bool add(rotation_t *self, size_t size)
{
    const rp_record_t record = record_of(self, size);
    return rp_journal_add(self->journal, &record) && rp_journal_flush(self->journal);
}

/// The log grows, and most of it comes to the disk, as before a generation of the daemon.
static bool fill_log(rotation_t *self)
{
    bool is_fine = true;
    for (size_t i = 0; is_fine && i < ((size_t)16 << 20) / PIECE; i++) {
        is_fine = add(self, PIECE);
    }
    rp_journal_sync(self->journal);
    while (rp_journal_synced(self->journal) < rp_journal_flushed(self->journal) &&
           !rp_journal_is_broken(self->journal)) {
    }
    for (unsigned i = 0; is_fine && i < LATE_PIECES; i++) {
        is_fine = add(self, PIECE);
    }
    return is_fine;
}

static bool write_base(rotation_t *self)
{
    bool is_fine = true;
    const rp_record_t record = record_of(self, PIECE);
    for (size_t i = 0; is_fine && i < ((size_t)self->base_mib << 20) / PIECE; i++) {
        const uint64_t begin_ns = rp_bench_wall_ns();
        is_fine = rp_journal_write_checkpoint(self->journal, &record);
        keep_longest(&self->piece_ms, ms_since(begin_ns));
    }
    return is_fine && rp_journal_end_checkpoint(self->journal, 0);
}

/// Requests go on while the disk takes the base.
static bool serve(rotation_t *self)
{
    const uint64_t begin_ns = rp_bench_wall_ns();
    bool is_fine = true;
    while (is_fine && !rp_journal_is_free(self->journal)) {
        const uint64_t flush_ns = rp_bench_wall_ns();
        is_fine = add(self, 64);
        keep_longest(&self->flush_ms, ms_since(flush_ns));
    }
    keep_longest(&self->settle_s, ms_since(begin_ns) / 1000.0);
    return is_fine && rp_journal_await_checkpoint(self->journal);
}

static bool play(rotation_t *self, unsigned round)
{
    if (!fill_log(self)) {
        return false;
    }
    const uint64_t begin_ns = rp_bench_wall_ns();
    const bool is_begun = rp_journal_begin_checkpoint(self->journal);
    self->begin_ms[round] = ms_since(begin_ns);
    return is_begun && write_base(self) && serve(self);
}

static int compare(const void *one, const void *other)
{
    const double a = *(const double *)one;
    const double b = *(const double *)other;
    return (a > b) - (a < b);
}

static void tell(rotation_t *self, cJSON *rows)
{
    cJSON *row = cJSON_CreateObject();
    qsort(self->begin_ms, ROUNDS, sizeof *self->begin_ms, compare);
    const double median = self->begin_ms[ROUNDS / 2u];
    const double longest = self->begin_ms[ROUNDS - 1u];
    printf("| %u | %.2f | %.2f | %.2f | %.2f | %.2f |\n", self->base_mib, median, longest,
           self->piece_ms, self->flush_ms, self->settle_s);
    (void)fflush(stdout);
    cJSON_AddNumberToObject(row, "base_mib", self->base_mib);
    cJSON_AddNumberToObject(row, "begin_median_ms", median);
    cJSON_AddNumberToObject(row, "begin_longest_ms", longest);
    cJSON_AddNumberToObject(row, "piece_longest_ms", self->piece_ms);
    cJSON_AddNumberToObject(row, "flush_longest_ms", self->flush_ms);
    cJSON_AddNumberToObject(row, "settle_longest_s", self->settle_s);
    cJSON_AddItemToArray(rows, row);
}

/// @return false when the disk does not take it, which stderr is told
static bool measure(rotation_t *self, const char *folder)
{
    char error[320];
    rp_state_found_t found;
    self->journal = rp_journal_open(folder, NULL, error, sizeof error);
    bool is_fine = self->journal != NULL &&
                   rp_journal_read(self->journal, false, NULL, NULL, &found, error, sizeof error);
    if (is_fine) {
        is_fine = rp_journal_begin_checkpoint(self->journal) &&
                  rp_journal_end_checkpoint(self->journal, 0) &&
                  rp_journal_await_checkpoint(self->journal);
        for (unsigned round = 0; is_fine && round < ROUNDS; round++) {
            is_fine = play(self, round);
        }
        (void)snprintf(error, sizeof error, "%s", rp_journal_error(self->journal));
    }
    if (!is_fine) {
        (void)fprintf(stderr, "replan-bench: %s\n", error);
    }
    rp_journal_close(&self->journal);
    return is_fine;
}

int rp_bench_rotation(const rp_bench_options_t *options, cJSON *results)
{
    static rotation_t self;
    const char *parent = getenv("TMPDIR");
    const size_t count = options->quick ? 2u : sizeof sizes_mib / sizeof sizes_mib[0];
    cJSON *rows = cJSON_AddArrayToObject(results, "rows");
    bool is_fine = true;
    printf(
        "| base, MiB | begun, median ms | longest | longest piece ms | longest flush beside ms | "
        "on the disk after s |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; is_fine && i < count; i++) {
        char folder[160];
        char command[200];
        (void)snprintf(folder, sizeof folder, "%.100s/replan-rotation-XXXXXX",
                       parent != NULL ? parent : "/tmp");
        self = (rotation_t){.base_mib = sizes_mib[i]};
        memset(self.bytes, 'x', sizeof self.bytes);
        is_fine = mkdtemp(folder) != NULL && measure(&self, folder);
        if (is_fine) {
            tell(&self, rows);
        }
        (void)snprintf(command, sizeof command, "rm -rf %s", folder);
        (void)!system(command);
    }
    return is_fine ? 0 : 2;
}
