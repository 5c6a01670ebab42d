/// @file
/// Checks that several files of msgs/check*.c share: names and numbers that occur in many messages.
/// Private to those files.
#ifndef REPLAN_MSGS_CHECK_PARTS_H
#define REPLAN_MSGS_CHECK_PARTS_H

#include <inttypes.h>
#include <stdint.h>

#include "msgs/check.h"
#include "msgs/limits.h"

#define INVALID(refusal, ...) rp_refuse((refusal), REPLAN__V1__STATUS__INVALID, __VA_ARGS__)

static inline bool check_name_or_empty(const char *field, const char *name, rp_refusal_t *refusal)
{
    return name[0] == '\0' || rp_check_name(field, name, refusal);
}

/// The window that a message was made for: of an epoch, or the newest.
static inline bool check_window(const char *owner, uint64_t epoch, uint64_t window,
                                rp_refusal_t *refusal)
{
    return epoch != 0 || window == 0 ||
           INVALID(refusal, "%s.epoch is missing, %s.window is %" PRIu64 " of some epoch", owner,
                   owner, window);
}

/// @param owner  for "pose.x": "pose"
static inline bool check_coordinate(const char *owner, const char *field, double value,
                                    rp_refusal_t *refusal)
{
    // NaN fails every comparison, so the question is asked this way round.
    if (value >= -RP_LIMIT_COORDINATE && value <= RP_LIMIT_COORDINATE) {
        return true;
    }
    return INVALID(refusal, "%s.%s is %g, it must lie within -%g and %g", owner, field, value,
                   RP_LIMIT_COORDINATE, RP_LIMIT_COORDINATE);
}

static inline bool check_coordinates(const char *owner, const char *field, const double *values,
                                     size_t count, rp_refusal_t *refusal)
{
    for (size_t i = 0; i < count; i++) {
        if (!check_coordinate(owner, field, values[i], refusal)) {
            return false;
        }
    }
    return true;
}

/// Arrays that belong together.
static inline bool check_as_many(const char *field, size_t count, const char *other, size_t due,
                                 rp_refusal_t *refusal)
{
    return count == due ||
           INVALID(refusal, "%s has %zu entries, %s has %zu", field, count, other, due);
}

static inline bool check_radius(const char *field, double metres, rp_refusal_t *refusal)
{
    return (metres >= 0.0 && metres <= RP_LIMIT_RADIUS_M) ||
           INVALID(refusal, "%s is %g, it must lie within 0 and %g metres", field, metres,
                   RP_LIMIT_RADIUS_M);
}

static inline bool check_fill(const char *field, uint32_t fill, rp_refusal_t *refusal)
{
    return fill <= UINT8_MAX ||
           INVALID(refusal, "%s is %" PRIu32 ", a byte is 0 to 255", field, fill);
}

static inline bool check_most(const char *field, uint32_t value, uint32_t most,
                              rp_refusal_t *refusal)
{
    return value <= most ||
           INVALID(refusal, "%s is %" PRIu32 ", at most %" PRIu32, field, value, most);
}

static inline bool check_side(const char *owner, const char *field, uint32_t side,
                              rp_refusal_t *refusal)
{
    return (side >= 1 && side <= RP_LIMIT_SIDE) ||
           INVALID(refusal, "%s.%s is %" PRIu32 ", it must be 1 to %u", owner, field, side,
                   RP_LIMIT_SIDE);
}

/// Both sides and their product.
static inline bool check_area(const char *owner, uint32_t width, uint32_t height,
                              rp_refusal_t *refusal)
{
    if (!check_side(owner, "width", width, refusal) ||
        !check_side(owner, "height", height, refusal)) {
        return false;
    }
    uint64_t cells = (uint64_t)width * height;
    return cells <= RP_LIMIT_CELLS ||
           INVALID(refusal, "%s.width times %s.height is %" PRIu64 " cells, at most %u", owner,
                   owner, cells, RP_LIMIT_CELLS);
}

static inline bool check_data(const char *field, size_t size, uint32_t width, uint32_t height,
                              rp_refusal_t *refusal)
{
    uint64_t needed = (uint64_t)width * height;
    return size == needed ||
           INVALID(refusal,
                   "%s has %zu bytes, the rectangle of %" PRIu32 " x %" PRIu32 " needs %" PRIu64,
                   field, size, width, height, needed);
}

bool rp_check_resize(const Replan__V1__Resize *resize, rp_refusal_t *refusal);
bool rp_check_overlay(const Replan__V1__Overlay *overlay, rp_refusal_t *refusal);

static inline bool check_wait(const char *field, Replan__V1__Wait wait, rp_refusal_t *refusal)
{
    switch (wait) {
    case REPLAN__V1__WAIT__APPLIED:
    case REPLAN__V1__WAIT__DURABLE:
    case REPLAN__V1__WAIT__SETTLED:
        return true;
    default:
        return INVALID(refusal, "%s is %d, it must be APPLIED, DURABLE or SETTLED", field,
                       (int)wait);
    }
}

// check_body.c

/// What an agent asks of its layer, as far as it can be told without the world.
bool rp_check_body(const Replan__V1__Body *body, rp_refusal_t *refusal);

/// How an agent is to stand at its goal.
typedef struct rp_checked_heading {
    const double *yaw; ///< [count]
    size_t count;
    Replan__V1__GoalHeading heading;
    double tolerance;
} rp_checked_heading_t;

/// @param owner  for "goal.yaw": "goal"
bool rp_check_heading(const char *owner, const rp_checked_heading_t *heading,
                      rp_refusal_t *refusal);

/// The same of motion, which `open` has, with all that stands beside it.
bool rp_check_motion(const Replan__V1__OpenAgent *open, rp_refusal_t *refusal);

// check_ask.c
bool rp_check_ask_costs(const Replan__V1__AskCosts *ask, rp_refusal_t *refusal);
bool rp_check_ask_probe(const Replan__V1__AskProbe *ask, rp_refusal_t *refusal);
bool rp_check_ask_field(const Replan__V1__AskField *ask, rp_refusal_t *refusal);
bool rp_check_ask_valid(const Replan__V1__AskValid *ask, rp_refusal_t *refusal);
bool rp_check_ask_why(const Replan__V1__AskWhy *ask, rp_refusal_t *refusal);

#endif
