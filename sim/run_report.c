/// The report. Every string in it is an id of ours or a planner's name; quotes and backslashes are
/// escaped all the same, a name on the command line may hold anything.
#include "sim/run_report.h"

#include <inttypes.h>
#include <math.h>

static void write_string(FILE *file, const char *text)
{
    if (text == NULL) {
        fputs("null", file);
        return;
    }
    fputc('"', file);
    for (const char *at = text; *at != '\0'; at++) {
        const unsigned char letter = (unsigned char)*at;
        if (letter == '"' || letter == '\\') {
            fprintf(file, "\\%c", letter);
        } else if (letter < 0x20) {
            fprintf(file, "\\u%04x", letter);
        } else {
            fputc(letter, file);
        }
    }
    fputc('"', file);
}

/// JSON knows no infinity.
static void write_limit(FILE *file, double limit)
{
    if (isfinite(limit)) {
        fprintf(file, "%.15g", limit);
    } else {
        fputs("null", file);
    }
}

static void write_latency(rp_latency_t *latency, FILE *file)
{
    static const double shares[] = {0.5, 0.9, 0.99, 1};
    uint64_t values[4];
    rp_latency_percentiles(latency, SIZE_MAX, shares, 4, values);
    fprintf(file,
            "  \"change_to_path_us\": {\"count\": %zu, \"p50\": %" PRIu64 ", \"p90\": %" PRIu64
            ", \"p99\": %" PRIu64 ", \"max\": %" PRIu64 "},\n",
            latency->count, values[0], values[1], values[2], values[3]);
}

static void write_acceptance(const rp_acceptance_t *acceptance, FILE *file)
{
    fputs("  \"laws\": [", file);
    for (size_t i = 0; i < acceptance->count; i++) {
        const rp_criterion_t *criterion = &acceptance->items[i];
        fprintf(file, "%s\n    {\"what\": ", i == 0 ? "" : ",");
        write_string(file, criterion->what);
        fprintf(file, ", \"is\": %.15g, \"least\": ", criterion->is);
        write_limit(file, criterion->least);
        fputs(", \"most\": ", file);
        write_limit(file, criterion->most);
        fprintf(file, ", \"holds\": %s}", rp_criterion_holds(criterion) ? "true" : "false");
    }
    fputs(acceptance->count == 0 ? "],\n" : "\n  ],\n", file);
}

static void write_count(FILE *file, const char *name, uint64_t count)
{
    fprintf(file, "  \"%s\": %" PRIu64 ",\n", name, count);
}

bool rp_run_report_write(rp_run_report_t *self, const rp_checker_t *checker, FILE *file)
{
    fputs("{\n  \"scenario\": ", file);
    write_string(file, self->scenario);
    fputs(",\n  \"planner\": ", file);
    write_string(file, self->planner[0] == '\0' ? NULL : self->planner);
    fprintf(file, ",\n  \"duration_s\": %.3f,\n", self->duration_s);
    write_count(file, "seed", self->seed);
    write_count(file, "width", self->width);
    write_count(file, "height", self->height);
    write_count(file, "neighbors", self->neighbors);
    write_count(file, "agents", self->agents);
    write_count(file, "changes", self->changes);
    write_count(file, "cells_changed", self->cells_changed);
    write_count(file, "answers", self->answers);
    write_count(file, "replans", self->replans);
    write_count(file, "no_paths", self->no_paths);
    write_count(file, "arrivals", self->arrivals);
    write_count(file, "steps", self->steps);
    write_count(file, "refusals", self->refusals);
    write_count(file, "mirror_losses", self->mirror_losses);
    write_latency(&self->change_to_path, file);
    write_count(file, "checked", checker->checked);
    write_count(file, "checked_optimal", checker->optima);
    write_count(file, "silences", checker->silences);
    write_count(file, "skipped", checker->skipped);
    write_acceptance(&self->acceptance, file);
    fputs("  \"first_violation\": ", file);
    write_string(file, checker->first[0] == '\0' ? NULL : checker->first);
    fprintf(file, ",\n  \"violations\": %" PRIu64 "\n}\n", checker->violations);
    return fflush(file) == 0 && ferror(file) == 0;
}

void rp_run_report_laws(const rp_acceptance_t *acceptance, FILE *file)
{
    for (size_t i = 0; i < acceptance->count; i++) {
        const rp_criterion_t *criterion = &acceptance->items[i];
        fprintf(file, "%s %s: %.6g", rp_criterion_holds(criterion) ? "holds " : "BROKEN",
                criterion->what, criterion->is);
        if (criterion->least >= criterion->most) {
            fprintf(file, ", must be %.6g\n", criterion->least);
        } else if (isinf(criterion->most)) {
            fprintf(file, ", at least %.6g\n", criterion->least);
        } else {
            fprintf(file, ", %.6g to %.6g\n", criterion->least, criterion->most);
        }
    }
}

void rp_run_report_verdict(const rp_checker_t *checker, FILE *file)
{
    fprintf(file, "checked %" PRIu64 " skipped %" PRIu64 " violations %" PRIu64 "\n",
            checker->checked, checker->skipped, checker->violations);
}

void rp_run_report_fini(rp_run_report_t *self)
{
    rp_latency_fini(&self->change_to_path);
}
