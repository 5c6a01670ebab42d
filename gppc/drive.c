/// Drives the entry through a dynamic .scen, as the competition's runner does.
#include "gppc/drive.h"

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

typedef struct drive {
    rp_sequence_t sequence;
    uint8_t *bits;                ///< the active map
    uint8_t **patch_bits;         ///< by patch of the sequence
    struct gppc_patch *changes;   ///< of the change under way [change_count]
    struct gppc_patch active_map; ///< `bits`
    uint32_t change_count;
    void *data; ///< the entry's, from the first query on
    struct gppc_point start;
    struct gppc_point goal;
    rp_drive_report_t *report;
    bool is_check;
} drive_t;

static uint64_t cpu_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void add_call(rp_drive_calls_t *self, uint64_t ns)
{
    self->count++;
    self->total_ns += ns;
    self->greatest_ns = ns > self->greatest_ns ? ns : self->greatest_ns;
}

// ---- the world

static bool is_free(const drive_t *self, int x, int y)
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

static void take_patch(drive_t *self, const rp_step_t *step)
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
static double walk(const drive_t *self, const struct gppc_path *path)
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

static void check(drive_t *self, const struct gppc_path *path, uint32_t index)
{
    const double expected = self->sequence.expected[index];
    const double length = path->length == 0 ? -1.0 : walk(self, path);
    const bool is_path = path->length == 0 || length >= 0;
    if (!is_path || fabs(length - expected) > LENGTH_SLACK) {
        self->report->differ++;
        printf("query %" PRIu32 ": %s %.9g, recorded %.9g\n", index,
               is_path ? "length" : "not a path,", length, expected);
    }
}

static void begin_search(drive_t *self)
{
    const uint64_t begin = cpu_ns();
    self->data = gppc_search_init(self->active_map, "");
    self->report->init_ns = cpu_ns() - begin;
    self->change_count = 0; // the map holds them already
}

static bool query(drive_t *self, uint32_t index)
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
        add_call(&self->report->changes, cpu_ns() - begin);
        self->change_count = 0;
    }
    const uint64_t begin = cpu_ns();
    const struct gppc_path path = gppc_get_path(self->data, self->start, self->goal);
    const uint64_t ns = cpu_ns() - begin;
    add_call(path.length != 0 ? &self->report->found : &self->report->no_path, ns);
    if (self->is_check) {
        check(self, &path, index);
    }
    return true;
}

// ---- the run

static rp_status_t run_all(drive_t *self)
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
                return RP_E_MEMORY;
            }
            break;
        case RP_STEP_SET:
            return RP_E_INVALID;
        }
    }
    return RP_OK;
}

static uint8_t *new_bits(size_t count)
{
    return calloc(count / 8u + 1u, 1);
}

/// The bits of the map and of each patch. @return false without memory
static bool make_bits(drive_t *self)
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

static void drive_fini(drive_t *self)
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

rp_status_t rp_drive(const char *path, bool is_check, rp_drive_report_t *report)
{
    drive_t self = {.report = report, .is_check = is_check};
    rp_complaint_t complaint;
    *report = (rp_drive_report_t){0};
    rp_status_t status = rp_sequence_load(path, &self.sequence, &complaint);
    if (status != RP_OK) {
        fprintf(stderr, "%s\n", complaint.sentence);
        return status;
    }
    status = self.sequence.expected == NULL ? RP_E_INVALID : RP_E_MEMORY;
    if (status != RP_E_INVALID && make_bits(&self)) {
        status = run_all(&self);
    }
    if (status == RP_E_INVALID) {
        fprintf(stderr, "%s: not a dynamic .scen of version 2\n", path);
    } else if (status == RP_E_MEMORY) {
        fprintf(stderr, "%s: no memory\n", path);
    }
    report->plan_count = self.sequence.plan_count;
    drive_fini(&self);
    return status;
}
