/// Everything that is printed about plans, but the rows themselves.
#include "tools/report.h"
#include "tools/timer.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"

/// Differences that are told one by one; of the rest the summary says how many there were.
#define DIFFERENCES_SHOWN   20u
#define PROGRESS_EVERY_NS   100000000u
#define CLEAR_TERMINAL_LINE "\r\033[K"

rp_number_t rp_number_of(double value)
{
    rp_number_t number = {"null"};
    if (!isfinite(value)) {
        return number;
    }
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(number.text, sizeof number.text, "%.*g", digits, value);
        if (strtod(number.text, NULL) == value) {
            break;
        }
    }
    return number;
}

rp_number_t rp_number_or_dash(double value)
{
    return isfinite(value) ? rp_number_of(value) : (rp_number_t){"-"};
}

void rp_print_json_string(FILE *stream, const char *text)
{
    fputc('"', stream);
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        if (byte == '"' || byte == '\\') {
            fprintf(stream, "\\%c", byte);
        } else if (byte < ' ' || byte > '~') {
            fprintf(stream, "\\u%04x", byte);
        } else {
            fputc(byte, stream);
        }
    }
    fputc('"', stream);
}

// ---- the tally

void rp_tally_init(rp_tally_t *self, const char *noun, bool rows_on_stdout)
{
    *self = (rp_tally_t){
        .noun = noun,
        .shows_progress =
            isatty(STDERR_FILENO) != 0 && !(rows_on_stdout && isatty(STDOUT_FILENO) != 0),
    };
}

void rp_tally_fini(rp_tally_t *self)
{
    free(self->micros);
    *self = (rp_tally_t){0};
}

bool rp_tally_add(rp_tally_t *self, const rp_plan_t *plan, double micros)
{
    if (!rp_array_reserve(&self->micros, &self->capacity, self->count + 1u, sizeof *self->micros)) {
        return false;
    }
    self->micros[self->count++] = micros;
    self->expanded += plan->stats.expanded;
    self->restarts += plan->stats.restarts;
    self->held += plan->stats.checked;
    self->wrong += plan->stats.differed;
    self->found += plan->outcome == RP_OUTCOME_FOUND;
    self->no_path += plan->outcome == RP_OUTCOME_NO_PATH;
    self->blocked +=
        plan->outcome == RP_OUTCOME_START_BLOCKED || plan->outcome == RP_OUTCOME_GOAL_BLOCKED;
    return true;
}

void rp_tally_check(rp_tally_t *self, const rp_plan_t *plan, double expected, double tolerance,
                    const char *where)
{
    const double difference = plan->cost == expected ? 0.0 : fabs(plan->cost - expected);
    self->checked++;
    if (difference <= tolerance) {
        self->greatest_difference = fmax(self->greatest_difference, difference);
        return;
    }
    self->differ++;
    if (self->differ > DIFFERENCES_SHOWN) {
        return;
    }
    fprintf(stderr, "%s%s: %s", self->shows_progress ? CLEAR_TERMINAL_LINE : "", where,
            rp_outcome_text(plan->outcome));
    if (isfinite(plan->cost)) {
        fprintf(stderr, ", cost %s", rp_number_of(plan->cost).text);
    }
    if (isfinite(expected)) {
        fprintf(stderr, ", expected %s\n", rp_number_of(expected).text);
    } else {
        fputs(", expected no path\n", stderr);
    }
}

void rp_tally_progress(rp_tally_t *self, uint64_t total)
{
    if (!self->shows_progress) {
        return;
    }
    const uint64_t now = rp_timer_clock_ns(CLOCK_MONOTONIC);
    if (now - self->shown_ns >= PROGRESS_EVERY_NS) {
        self->shown_ns = now;
        fprintf(stderr, CLEAR_TERMINAL_LINE "%" PRIu64 " of %" PRIu64 " %s, %" PRIu64 " differ",
                self->count, total, self->noun, self->differ);
    }
}

static int compare_doubles(const void *a, const void *b)
{
    const double left = *(const double *)a;
    const double right = *(const double *)b;
    return (left > right) - (left < right);
}

void rp_tally_print(rp_tally_t *self, FILE *stream)
{
    if (self->shows_progress) {
        fputs(CLEAR_TERMINAL_LINE, stderr);
    }
    double sum = 0.0;
    for (uint64_t i = 0; i < self->count; i++) {
        sum += self->micros[i];
    }
    double middle = 0.0;
    double late = 0.0;
    if (self->count != 0) {
        qsort(self->micros, self->count, sizeof *self->micros, compare_doubles);
        middle = self->micros[self->count / 2];
        late = self->micros[self->count - 1 - self->count / 100];
    }
    fprintf(stream,
            "%s %" PRIu64 ", found %" PRIu64 ", no path %" PRIu64 ", blocked %" PRIu64
            ", checked %" PRIu64 ", differ %" PRIu64 "\n",
            self->noun, self->count, self->found, self->no_path, self->blocked, self->checked,
            self->differ);
    fprintf(stream,
            "expanded %" PRIu64 ", restarts %" PRIu64 ", CPU %.3f s (micros p50 %.1f, p99 %.1f)",
            self->expanded, self->restarts, sum * 1e-6, middle, late);
    if (self->checked != 0) {
        fprintf(stream, ", greatest difference within what is allowed %.2g",
                self->greatest_difference);
    }
    fputc('\n', stream);
    if (self->held != 0) {
        fprintf(stream, "held against an independent search %" PRIu64 ", wrong %" PRIu64 "\n",
                self->held, self->wrong);
    }
    if (self->blocked != 0) {
        fprintf(stderr, "%" PRIu64 " of %" PRIu64 " %s begin or end in a blocked cell\n",
                self->blocked, self->count, self->noun);
    }
}
