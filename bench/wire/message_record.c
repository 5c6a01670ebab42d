/// Records of messages: kept, sent, printed.
#include "bench/wire/message_record.h"

#include <math.h>

rp_message_record_t rp_message_record_of(const char *what, size_t size, rp_cpu_sample_t taken,
                                         const rp_strip_t *rounds)
{
    const double once_us = fmax((double)taken.wall_ns, (double)rounds->longest.wall_ns) / 1e3;
    return (rp_message_record_t){what, size, taken, *rounds, once_us};
}

void rp_message_record_hold(rp_message_record_t *self, const rp_message_record_t *again)
{
    rp_strip_t rounds = again->rounds;
    if (self->what == NULL) {
        *self = *again;
        return;
    }
    self->taken = rp_cpu_sample_lesser(self->taken, again->taken);
    self->once_us = fmax(self->once_us, again->once_us);
    rp_strip_hold_against(&self->rounds, &rounds);
    rp_strip_fini(&rounds);
}

void rp_message_record_print(rp_message_record_t *self, const char *pages, cJSON *rows)
{
    rp_strip_t *rounds = &self->rounds;
    cJSON *row = cJSON_CreateObject();
    cJSON_AddStringToObject(row, "pages", pages);
    cJSON_AddStringToObject(row, "message", self->what);
    cJSON_AddNumberToObject(row, "bytes", (double)self->size);
    cJSON_AddNumberToObject(row, "taken_us", (double)self->taken.ns / 1e3);
    cJSON_AddNumberToObject(row, "taken_faults", (double)self->taken.faults);
    rp_samples_to_json(&rounds->us, row, "round_us");
    cJSON_AddNumberToObject(row, "longest_faults", (double)rounds->longest.faults);
    cJSON_AddNumberToObject(row, "once_us", self->once_us);
    cJSON_AddItemToArray(rows, row);
    printf("| %s | %s | %zu | %.0f | %ld | %zu | %.0f | %.0f | %ld | %.0f |\n", pages, self->what,
           self->size, (double)self->taken.ns / 1e3, self->taken.faults, rounds->us.count,
           rp_samples_percentile(&rounds->us, 50.0), (double)rounds->longest.ns / 1e3,
           rounds->longest.faults, self->once_us);
    (void)fflush(stdout);
    rp_strip_fini(rounds);
}

// ---- from process to process

static void send_samples(FILE *pipe, const rp_samples_t *samples)
{
    (void)fwrite(samples->values, sizeof *samples->values, samples->count, pipe);
}

static bool receive_samples(FILE *pipe, rp_samples_t *samples)
{
    const size_t count = samples->count;
    samples->values = rp_bench_memory(NULL, count + 1u, sizeof *samples->values);
    return fread(samples->values, sizeof *samples->values, count, pipe) == count;
}

void rp_message_record_send(const rp_message_record_t *self, FILE *pipe)
{
    (void)fwrite(self, sizeof *self, 1, pipe);
    send_samples(pipe, &self->rounds.us);
    send_samples(pipe, &self->rounds.faults);
}

bool rp_message_record_receive(rp_message_record_t *self, FILE *pipe)
{
    return fread(self, sizeof *self, 1, pipe) == 1 && receive_samples(pipe, &self->rounds.us) &&
           receive_samples(pipe, &self->rounds.faults);
}
