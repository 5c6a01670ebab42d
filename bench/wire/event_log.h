/// @file
/// Event log of an army: recorded once from an engine whose agents walk their paths, then replayed
/// identically as often as needed.
#ifndef REPLAN_BENCH_WIRE_EVENT_LOG_H
#define REPLAN_BENCH_WIRE_EVENT_LOG_H

#include "replan/engine.h"

typedef enum rp_event_kind {
    RP_EVENT_POSE,
    RP_EVENT_AIM,
    RP_EVENT_BUILD, ///< a square of 3 x 3 cells gets another byte
    RP_EVENT_TICK,  ///< 50 ms have passed
} rp_event_kind_t;

typedef struct rp_event {
    rp_event_kind_t kind;
    uint32_t agent; ///< from 0
    uint32_t place; ///< y * side + x: where the agent is or goes to, or the building's corner
    uint8_t byte;   ///< of a building
} rp_event_t;

typedef struct rp_event_log {
    uint32_t side;
    uint32_t agents;
    uint32_t ticks;
    uint8_t *bytes;     ///< the world as it was at first, owned [side * side]
    rp_event_t *events; ///< owned [event_count]
    size_t event_count;
    size_t event_capacity;
} rp_event_log_t;

/// What an army of a kind does.
typedef struct rp_event_form {
    uint32_t side;
    uint32_t agents;
    uint32_t goals;
    uint32_t ticks;
    uint32_t builds; ///< buildings that come or go in a tick
} rp_event_form_t;

/// @return false when the engine failed
bool rp_event_log_make(rp_event_log_t *self, const rp_event_form_t *form, uint64_t seed);
void rp_event_log_fini(rp_event_log_t *self);

/// What both maker and players open: agents whose every answer is optimal.
rp_world_options_t rp_event_log_world(const rp_event_log_t *self);

/// The middle of a cell, in metres.
rp_destination_t rp_event_log_point(const rp_event_log_t *self, uint32_t place);

/// Cells that a building rewrites.
rp_edit_t rp_event_log_edit(const rp_event_log_t *self, const rp_event_t *event);

#endif
