/// gppc-runner: drives libGPPCentry.so through a dynamic .scen, as the competition's runner does.
///
///     gppc-runner check SCEN    every path walked cell by cell, every length compared
///     gppc-runner run SCEN      thread CPU time by kind of call
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "files/load.h"
#include "gppc/gppc.h"

/// Recorded lengths have 12 digits or more.
#define LENGTH_SLACK 1e-4

/// Calls of one kind.
typedef struct calls {
    uint64_t count;
    uint64_t total_ns;
    uint64_t greatest_ns;
} calls_t;

typedef struct runner {
    rp_sequence_t sequence;
    uint8_t *bits;                ///< the active map
    uint8_t **patch_bits;         ///< by patch of the sequence
    struct gppc_patch *changes;   ///< of the change under way [change_count]
    struct gppc_patch active_map; ///< `bits`
    uint32_t change_count;
    void *data; ///< the entry's, from the first query on
    struct gppc_point start;
    struct gppc_point goal;
    calls_t changes_made;
    calls_t found;
    calls_t no_path;
    uint64_t differ;
    bool is_check;
} runner_t;

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void add_call(calls_t *self, uint64_t ns)
{
    self->count++;
    self->total_ns += ns;
    self->greatest_ns = ns > self->greatest_ns ? ns : self->greatest_ns;
}

// ---- the world

static bool is_free(const runner_t *self, int x, int y)
{
    if (x < 0 || y < 0 || x >= self->active_map.width || y >= self->active_map.height) {
        return false;
    }
    const size_t bit = (size_t)y * self->active_map.width + (size_t)x;
    return ((self->bits[bit >> 3] >> (bit & 7u)) & 1u) != 0;
}

static void write_bit(uint8_t *bits, size_t bit, bool value)
{
    const uint8_t mask = (uint8_t)(1u << (bit & 7u));
    bits[bit >> 3] = (uint8_t)(value ? bits[bit >> 3] | mask : bits[bit >> 3] & ~mask);
}

static void take_patch(runner_t *self, const rp_step_t *step)
{
    const rp_patch_t *patch = &self->sequence.patches[step->index];
    const uint8_t *factors = self->sequence.patch_factors + patch->first;
    for (uint32_t y = 0; y < patch->height; y++) {
        for (uint32_t x = 0; x < patch->width; x++) {
            write_bit(self->bits, (size_t)(step->y + y) * self->active_map.width + step->x + x,
                      factors[(size_t)y * patch->width + x] != 0);
        }
    }
    self->changes[self->change_count++] = (struct gppc_patch){
        .bitarray = self->patch_bits[step->index],
        .width = (uint16_t)patch->width,
        .height = (uint16_t)patch->height,
        .pos = {step->x, step->y},
    };
}

// ---- queries

static int sign(int value)
{
    return (value > 0) - (value < 0);
}

/// Walk a path cell by cell. @return its length, or -1 when it is not one
static double walk(const runner_t *self, const struct gppc_path *path)
{
    uint64_t straights = 0;
    uint64_t diagonals = 0;
    int x = path->path[0].x;
    int y = path->path[0].y;
    if (!is_free(self, x, y) || x != self->start.x || y != self->start.y) {
        return -1.0;
    }
    for (uint32_t i = 1; i < path->length; i++) {
        const int to_x = path->path[i].x;
        const int to_y = path->path[i].y;
        const int dx = sign(to_x - x);
        const int dy = sign(to_y - y);
        if (dx != 0 && dy != 0 && abs(to_x - x) != abs(to_y - y)) {
            return -1.0;
        }
        while (x != to_x || y != to_y) {
            if (!is_free(self, x + dx, y + dy) || !is_free(self, x + dx, y) ||
                !is_free(self, x, y + dy)) {
                return -1.0;
            }
            x += dx;
            y += dy;
            straights += dx == 0 || dy == 0;
            diagonals += dx != 0 && dy != 0;
        }
    }
    return x == self->goal.x && y == self->goal.y
               ? (double)straights + (double)diagonals * sqrt(2.0)
               : -1.0;
}

static void check(runner_t *self, const struct gppc_path *path, uint32_t index)
{
    const double expected = self->sequence.expected[index];
    const double length = path->length == 0 ? -1.0 : walk(self, path);
    const bool is_path = path->length == 0 || length >= 0;
    if (!is_path || fabs(length - expected) > LENGTH_SLACK) {
        self->differ++;
        printf("query %" PRIu32 ": %s %.9g, recorded %.9g\n", index,
               is_path ? "length" : "not a path,", length, expected);
    }
}

static void begin_search(runner_t *self)
{
    const uint64_t begin = cpu_ns();
    self->data = gppc_search_init(self->active_map, "");
    printf("%s: init %.1f us\n", gppc_get_name(), (double)(cpu_ns() - begin) * 1e-3);
    self->change_count = 0; // the map holds them already
}

static bool query(runner_t *self, uint32_t index)
{
    if (self->data == NULL) {
        begin_search(self);
        if (self->data == NULL) {
            return false;
        }
    }
    if (self->change_count != 0) {
        const uint64_t begin = cpu_ns();
        gppc_map_change(self->data, self->changes, self->change_count);
        add_call(&self->changes_made, cpu_ns() - begin);
        self->change_count = 0;
    }
    const uint64_t begin = cpu_ns();
    const struct gppc_path path = gppc_get_path(self->data, self->start, self->goal);
    const uint64_t ns = cpu_ns() - begin;
    add_call(path.length != 0 ? &self->found : &self->no_path, ns);
    if (self->is_check) {
        check(self, &path, index);
    }
    return true;
}

// ---- the run

static void print_calls(const char *name, const calls_t *calls)
{
    if (calls->count != 0) {
        printf("%-8s %6" PRIu64 "  mean %9.3f us  greatest %9.1f us\n", name, calls->count,
               (double)calls->total_ns * 1e-3 / (double)calls->count,
               (double)calls->greatest_ns * 1e-3);
    }
}

static int run_all(runner_t *self)
{
    for (size_t i = 0; i < self->sequence.step_count; i++) {
        const rp_step_t *step = &self->sequence.steps[i];
        switch ((rp_step_kind_t)step->kind) {
        case RP_STEP_PATCH:
            take_patch(self, step);
            break;
        case RP_STEP_START:
            self->start = (struct gppc_point){step->x, step->y};
            break;
        case RP_STEP_GOAL:
            self->goal = (struct gppc_point){step->x, step->y};
            break;
        case RP_STEP_PLAN:
            if (!query(self, step->index)) {
                fprintf(stderr, "gppc-runner: no memory\n");
                return 2;
            }
            break;
        case RP_STEP_SET:
            fprintf(stderr, "gppc-runner: it takes .scen files of version 2\n");
            return 2;
        }
    }
    print_calls("change", &self->changes_made);
    print_calls("path", &self->found);
    print_calls("no path", &self->no_path);
    if (self->is_check) {
        printf("checked %" PRIu32 ", differ %" PRIu64 "\n", self->sequence.plan_count,
               self->differ);
    }
    return self->differ != 0 ? 1 : 0;
}

static uint8_t *new_bits(size_t count)
{
    return calloc(count / 8u + 1u, 1);
}

/// The bits of the map and of each patch. @return false without memory
static bool make_bits(runner_t *self)
{
    const rp_sequence_t *sequence = &self->sequence;
    const size_t cells = (size_t)sequence->width * sequence->height;
    self->bits = new_bits(cells);
    self->patch_bits = calloc(sequence->patch_count + 1u, sizeof *self->patch_bits);
    self->changes = calloc(sequence->step_count + 1u, sizeof *self->changes);
    if (self->bits == NULL || self->patch_bits == NULL || self->changes == NULL) {
        return false;
    }
    for (size_t cell = 0; cell < cells; cell++) {
        write_bit(self->bits, cell, sequence->factors == NULL || sequence->factors[cell] != 0);
    }
    for (size_t i = 0; i < sequence->patch_count; i++) {
        const rp_patch_t *patch = &sequence->patches[i];
        const size_t count = (size_t)patch->width * patch->height;
        self->patch_bits[i] = new_bits(count);
        if (self->patch_bits[i] == NULL) {
            return false;
        }
        for (size_t cell = 0; cell < count; cell++) {
            write_bit(self->patch_bits[i], cell, sequence->patch_factors[patch->first + cell] != 0);
        }
    }
    self->active_map = (struct gppc_patch){
        .bitarray = self->bits,
        .width = (uint16_t)sequence->width,
        .height = (uint16_t)sequence->height,
    };
    return true;
}

static void runner_fini(runner_t *self)
{
    gppc_free_data(self->data);
    for (size_t i = 0; self->patch_bits != NULL && i < self->sequence.patch_count; i++) {
        free(self->patch_bits[i]);
    }
    free(self->patch_bits);
    free(self->changes);
    free(self->bits);
    rp_sequence_fini(&self->sequence);
}

static const char help[] = "usage: gppc-runner check|run FILE.scen\n"
                           "\n"
                           "Drive libGPPCentry.so through a dynamic .scen (version 2) of the\n"
                           "Grid-Based Path Planning Competition.\n"
                           "\n"
                           "  check   walk every path, compare every length with the recorded one\n"
                           "  run     thread CPU time of changes, paths, and queries without one\n"
                           "\n"
                           "exit codes: 0 fine, 1 a length differs, 2 bad input\n";

int main(int argc, char **argv)
{
    runner_t self = {0};
    rp_complaint_t complaint;
    if (argc != 3 || (strcmp(argv[1], "check") != 0 && strcmp(argv[1], "run") != 0)) {
        fputs(help, argc == 2 && strcmp(argv[1], "--help") == 0 ? stdout : stderr);
        return argc == 2 && strcmp(argv[1], "--help") == 0 ? 0 : 2;
    }
    self.is_check = strcmp(argv[1], "check") == 0;
    if (rp_sequence_load(argv[2], &self.sequence, &complaint) != RP_OK) {
        fprintf(stderr, "%s\n", complaint.sentence);
        return 2;
    }
    int code = 2;
    if (self.sequence.expected == NULL) {
        fprintf(stderr, "gppc-runner: it takes .scen files of version 2\n");
    } else if (make_bits(&self)) {
        code = run_all(&self);
    } else {
        fprintf(stderr, "gppc-runner: no memory\n");
    }
    runner_fini(&self);
    return code;
}
