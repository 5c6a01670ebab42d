/// Places with serial numbers, and a queue of the free ones: the place that was freed longest ago
/// comes first, as its serial is the furthest from the clock.
#include "daemon/serving/handles.h"

#include <assert.h>
#include <stdlib.h>

#define PLACES     ((uint32_t)1 << RP_HANDLE_PLACE_BITS)
#define SERIAL_MAX (((uint64_t)1 << RP_HANDLE_SERIAL_BITS) - 1u)

/// The first moment of 2026, since 1970; and a unit of serials.
#define YEAR_2026_US ((uint64_t)1767225600 * 1000000u)
#define TICK_US      100u

/// Serials by a clock that is before 2026 lie within the first 159 days of it, which are over.
#define WRONG_CLOCK_TICKS ((uint64_t)1 << 37)

static_assert(sizeof(rp_handle_place_t) == 24, "as the header says");

static uint64_t handle_of(uint32_t place, uint64_t serial)
{
    return serial << RP_HANDLE_PLACE_BITS | place;
}

static uint32_t place_of(uint64_t handle)
{
    return (uint32_t)(handle & (PLACES - 1u));
}

static uint64_t serial_of(uint64_t handle)
{
    return handle >> RP_HANDLE_PLACE_BITS;
}

// ---- time

static uint64_t serial_at(uint64_t wall_us)
{
    if (wall_us < YEAR_2026_US) {
        return wall_us / TICK_US % WRONG_CLOCK_TICKS;
    }
    const uint64_t serial = (wall_us - YEAR_2026_US) / TICK_US;
    return serial < SERIAL_MAX ? serial : SERIAL_MAX;
}

static void note_serial(rp_handles_t *self, uint64_t serial)
{
    if (serial >= self->newest) {
        self->newest = serial;
        self->newest_us = self->steady_us;
    }
}

void rp_handles_set_clock(rp_handles_t *self, uint64_t wall_us, uint64_t steady_us)
{
    uint64_t clock = serial_at(wall_us);
    self->steady_us = steady_us;
    if (clock < self->newest) { // it was set back
        const uint64_t since_us = steady_us > self->newest_us ? steady_us - self->newest_us : 0;
        clock = self->newest + since_us / TICK_US;
    }
    clock = clock > self->floor ? clock : self->floor + 1u;
    self->clock = clock < SERIAL_MAX ? clock : SERIAL_MAX;
}

// ---- places

/// Make `count` places. @return false without memory, or beyond PLACES
static bool reserve(rp_handles_t *self, uint32_t count)
{
    if (count <= self->capacity) {
        return true;
    }
    const uint32_t doubled = 2u * self->capacity < PLACES ? 2u * self->capacity : PLACES;
    const uint32_t capacity = count > doubled ? count : doubled;
    rp_handle_place_t *places =
        count <= PLACES ? realloc(self->places, capacity * sizeof *places) : NULL;
    if (places == NULL) {
        return false;
    }
    self->places = places;
    self->capacity = capacity;
    return true;
}

static void add_free(rp_handles_t *self, uint32_t place)
{
    rp_handle_place_t *it = &self->places[place];
    it->holder = NULL;
    it->before = self->last_free;
    it->after = 0;
    *(self->last_free != 0 ? &self->places[self->last_free - 1u].after : &self->first_free) =
        place + 1u;
    self->last_free = place + 1u;
}

static void remove_free(rp_handles_t *self, uint32_t place)
{
    const rp_handle_place_t *it = &self->places[place];
    *(it->before != 0 ? &self->places[it->before - 1u].after : &self->first_free) = it->after;
    *(it->after != 0 ? &self->places[it->after - 1u].before : &self->last_free) = it->before;
}

/// Places up to and including this one are there, those that are new are free.
static bool extend(rp_handles_t *self, uint32_t place)
{
    if (!reserve(self, place + 1u)) {
        return false;
    }
    while (self->count <= place) {
        self->places[self->count] = (rp_handle_place_t){.holder = NULL};
        add_free(self, self->count++);
    }
    return true;
}

static uint64_t take_place(rp_handles_t *self, uint32_t place, uint64_t serial, void *holder)
{
    remove_free(self, place);
    self->places[place].holder = holder;
    self->places[place].serial = serial;
    note_serial(self, serial);
    return handle_of(place, serial);
}

/// The handle that was wanted. @return 0 when its place is taken, or without memory
static uint64_t give_wanted(rp_handles_t *self, void *holder)
{
    const uint32_t place = place_of(self->wanted);
    const uint64_t serial = serial_of(self->wanted);
    const bool is_free = extend(self, place) && self->places[place].holder == NULL &&
                         self->places[place].serial < serial;
    return is_free ? take_place(self, place, serial, holder) : 0u;
}

uint64_t rp_handles_give(rp_handles_t *self, void *holder)
{
    const uint64_t serial = self->clock != 0 ? self->clock : 1u;
    const uint64_t wanted = self->wanted != 0 ? give_wanted(self, holder) : 0u;
    self->wanted = 0;
    if (wanted != 0) {
        return wanted;
    }
    uint32_t place = self->first_free - 1u;
    if (self->first_free == 0 || self->places[place].serial >= serial) {
        place = self->count;
        if (place == PLACES || !extend(self, place)) {
            return 0;
        }
    }
    return take_place(self, place, serial, holder);
}

void *rp_handles_find(const rp_handles_t *self, uint64_t handle)
{
    const uint32_t place = place_of(handle);
    const bool is_its = place < self->count && self->places[place].serial == serial_of(handle);
    return is_its ? self->places[place].holder : NULL;
}

void rp_handles_free(rp_handles_t *self, uint64_t handle)
{
    add_free(self, place_of(handle));
}

// ---- from a state on disk

void rp_handles_want(rp_handles_t *self, uint64_t handle)
{
    self->wanted = handle;
    note_serial(self, serial_of(handle));
}

uint64_t rp_handles_mark(const rp_handles_t *self)
{
    return handle_of(0, self->newest);
}

void rp_handles_restored(rp_handles_t *self, uint64_t wall_us)
{
    self->wanted = 0;
    note_serial(self, serial_at(wall_us));
    self->floor = self->newest;
    self->newest_us = self->steady_us;
}

// ---- death

void rp_handles_fini(rp_handles_t *self)
{
    free(self->places);
    *self = (rp_handles_t){0};
}
