/// What an agent may ask of its body and its motion: msgs/limits.h, field by field.
#include <string.h>

#include "msgs/check_parts.h"

static bool check_length(const char *field, double value, rp_refusal_t *refusal)
{
    return (value >= 0.0 && value <= RP_LIMIT_COORDINATE) ||
           INVALID(refusal, "body.%s is %g, it must lie within 0 and %g", field, value,
                   RP_LIMIT_COORDINATE);
}

static bool check_corners(const char *field, const double *metres, size_t count,
                          rp_refusal_t *refusal)
{
    for (size_t i = 0; i < count; i++) {
        if (!(metres[i] >= -RP_LIMIT_RADIUS_M && metres[i] <= RP_LIMIT_RADIUS_M)) {
            return INVALID(refusal, "body.%s[%zu] is %g, it must lie within -%g and %g metres",
                           field, i, metres[i], RP_LIMIT_RADIUS_M, RP_LIMIT_RADIUS_M);
        }
    }
    return true;
}

/// Each polygon has three corners of its own.
static bool check_polygons(const Replan__V1__Body *body, rp_refusal_t *refusal)
{
    const size_t corners = body->n_footprint_x;
    if (body->n_footprint_at != 0 && body->footprint_at[0] != 0) {
        return INVALID(refusal,
                       "body.footprint_at[0] is %" PRIu32 ", the first polygon begins at 0",
                       body->footprint_at[0]);
    }
    for (size_t i = 0; i < body->n_footprint_at; i++) {
        const uint64_t first = body->footprint_at[i];
        const uint64_t end =
            i + 1u < body->n_footprint_at ? body->footprint_at[i + 1u] : (uint64_t)corners;
        if (end < first + 3u) {
            return INVALID(refusal,
                           "body.footprint_at[%zu] is %" PRIu64 ", its polygon ends at %" PRIu64
                           " of %zu corners, it has 3 at least",
                           i, first, end, corners);
        }
    }
    return true;
}

static bool check_footprint(const Replan__V1__Body *body, rp_refusal_t *refusal)
{
    const size_t corners = body->n_footprint_x;
    if (!check_as_many("body.footprint_y", body->n_footprint_y, "body.footprint_x", corners,
                       refusal)) {
        return false;
    }
    if (corners == 0) {
        const char *lone = body->n_footprint_at != 0                        ? "footprint_at"
                           : body->padding_m > 0.0 || body->padding_m < 0.0 ? "padding_m"
                                                                            : NULL;
        return lone == NULL ||
               INVALID(refusal, "body.footprint_x is missing, body.%s needs it", lone);
    }
    if (corners < 3 || corners > RP_LIMIT_FOOTPRINT) {
        return INVALID(refusal, "body.footprint_x has %zu entries, it must have 3 to %u", corners,
                       RP_LIMIT_FOOTPRINT);
    }
    if (body->radius_m > 0.0 || body->cells != 0) {
        return INVALID(refusal, "body.%s must be 0 with body.footprint_x",
                       body->cells != 0 ? "cells" : "radius_m");
    }
    return check_corners("footprint_x", body->footprint_x, corners, refusal) &&
           check_corners("footprint_y", body->footprint_y, corners, refusal) &&
           check_polygons(body, refusal) && check_length("padding_m", body->padding_m, refusal);
}

bool rp_check_body(const Replan__V1__Body *body, rp_refusal_t *refusal)
{
    if (!check_name_or_empty("body.profile", body->profile, refusal) ||
        !check_length("radius_m", body->radius_m, refusal) ||
        !check_length("inscribed_radius_m", body->inscribed_radius_m, refusal) ||
        !check_length("inflation_radius_m", body->inflation_radius_m, refusal) ||
        !check_length("cost_scaling_factor", body->cost_scaling_factor, refusal)) {
        return false;
    }
    if (!check_footprint(body, refusal)) {
        return false;
    }
    if (body->cells > RP_LIMIT_REACH) {
        return INVALID(refusal, "body.cells is %u, at most %u", body->cells, RP_LIMIT_REACH);
    }
    if (body->cells != 0 && (body->radius_m > 0.0 || body->inflation_radius_m > 0.0)) {
        return INVALID(refusal,
                       "body.cells is %u, then body.radius_m and body.inflation_radius_m "
                       "must be 0",
                       body->cells);
    }
    return body->inscribed_radius_m <= body->inflation_radius_m ||
           INVALID(refusal, "body.inscribed_radius_m is %g, at most body.inflation_radius_m, %g",
                   body->inscribed_radius_m, body->inflation_radius_m);
}

// ---- motion

bool rp_check_heading(const char *owner, const rp_checked_heading_t *heading, rp_refusal_t *refusal)
{
    const bool needs_yaw = heading->heading == REPLAN__V1__GOAL_HEADING__FIXED ||
                           heading->heading == REPLAN__V1__GOAL_HEADING__EITHER_WAY;
    if ((unsigned)heading->heading > REPLAN__V1__GOAL_HEADING__EITHER_WAY) {
        return INVALID(refusal, "%s.heading is %d, it must be AS_GIVEN, FREE, FIXED or EITHER_WAY",
                       owner, (int)heading->heading);
    }
    if (needs_yaw && heading->count == 0) {
        return INVALID(refusal, "%s.yaw is missing, %s.heading needs it", owner, owner);
    }
    if (!(heading->tolerance >= 0.0 && heading->tolerance <= RP_LIMIT_FOLLOW_YAW)) {
        return INVALID(refusal, "%s.yaw_tolerance is %g, it must lie within 0 and %g", owner,
                       heading->tolerance, RP_LIMIT_FOLLOW_YAW);
    }
    return check_coordinates(owner, "yaw", heading->yaw, heading->count, refusal);
}

static bool is_of_lattice(const char *planner)
{
    return planner[0] == '\0' || strcmp(planner, "auto") == 0 || strcmp(planner, "lattice") == 0;
}

/// What an agent with motion cannot have yet, though others can.
static bool check_not_built(const Replan__V1__OpenAgent *open, rp_refusal_t *refusal)
{
    const Replan__V1__Body *body = open->body;
    const Replan__V1__Policy *policy = open->policy;
    const char *field = body != NULL && body->inscribed_radius_m > 0.0   ? "body.inscribed_radius_m"
                        : body != NULL && body->inflation_radius_m > 0.0 ? "body.inflation_radius_m"
                        : body != NULL && body->cells != 0               ? "body.cells"
                        : policy != NULL && policy->immediate_start      ? "policy.immediate_start"
                        : policy != NULL && policy->answer_within_ms != 0
                            ? "policy.answer_within_ms"
                            : NULL;
    return field == NULL || INVALID(refusal, "%s: agents with motion do not have it yet", field);
}

static bool check_reverse(const Replan__V1__Motion *motion, rp_refusal_t *refusal)
{
    const double factor = motion->reverse_factor;
    const bool has_factor = motion->factor_case == REPLAN__V1__MOTION__FACTOR_REVERSE_FACTOR;
    if (has_factor && !(factor >= 1.0 && factor <= RP_LIMIT_REVERSE)) {
        return INVALID(refusal, "motion.reverse_factor is %g, it must lie within 1 and %g", factor,
                       RP_LIMIT_REVERSE);
    }
    return check_radius("motion.gear_change_m", motion->gear_change_m, refusal);
}

static bool is_headings(uint32_t count)
{
    return count == 0 || count == 8 || count == 16 || count == 32 || count == 64;
}

static bool check_headings(const Replan__V1__Motion *motion, rp_refusal_t *refusal)
{
    const uint32_t headings = motion->headings;
    const uint32_t most = motion->headings_most;
    if (!is_headings(headings) || !is_headings(most)) {
        return INVALID(refusal, "motion.%s is %" PRIu32 ", it must be 0, 8, 16, 32 or 64",
                       is_headings(headings) ? "headings_most" : "headings",
                       is_headings(headings) ? most : headings);
    }
    return most == 0 || most >= (headings != 0 ? headings : 16u) ||
           INVALID(refusal,
                   "motion.headings_most is %" PRIu32 ", motion.headings is more, %" PRIu32, most,
                   headings != 0 ? headings : 16u);
}

bool rp_check_motion(const Replan__V1__OpenAgent *open, rp_refusal_t *refusal)
{
    const Replan__V1__Motion *motion = open->motion;
    const bool is_car = motion->drive == REPLAN__V1__DRIVE__CAR;
    const bool is_omni = motion->drive == REPLAN__V1__DRIVE__OMNI;
    const bool has_turn = motion->turn_case == REPLAN__V1__MOTION__TURN_TURN_M_PER_RAD;
    if (!is_car && motion->drive != REPLAN__V1__DRIVE__SPOT && !is_omni) {
        return INVALID(refusal, "motion.drive is %d, it must be CAR, SPOT or OMNI",
                       (int)motion->drive);
    }
    if (!check_radius("motion.turning_radius_m", motion->turning_radius_m, refusal)) {
        return false;
    }
    if (is_car && motion->turning_radius_m <= 0.0) {
        return INVALID(refusal, "motion.turning_radius_m is 0, a CAR's must be more");
    }
    if (is_omni && motion->turning_radius_m > 0.0) {
        return INVALID(refusal, "motion.turning_radius_m is %g, OMNI moves on lines: it must be 0",
                       motion->turning_radius_m);
    }
    if (is_omni && motion->reverse) {
        return INVALID(refusal, "motion.reverse: OMNI has no gears, it moves in any direction");
    }
    if (has_turn && !check_radius("motion.turn_m_per_rad", motion->turn_m_per_rad, refusal)) {
        return false;
    }
    if (has_turn && motion->turn_m_per_rad <= 0.0) {
        return INVALID(refusal, "motion.turn_m_per_rad is 0, it must be more");
    }
    if (!check_radius("motion.hold_m", motion->hold_m, refusal)) {
        return false;
    }
    if (motion->follow_case == REPLAN__V1__MOTION__FOLLOW_FOLLOW_YAW &&
        !(motion->follow_yaw > 0.0 && motion->follow_yaw <= RP_LIMIT_FOLLOW_YAW)) {
        return INVALID(refusal, "motion.follow_yaw is %g, it must be above 0, at most %g",
                       motion->follow_yaw, RP_LIMIT_FOLLOW_YAW);
    }
    if (!check_headings(motion, refusal)) {
        return false;
    }
    if (!is_of_lattice(open->planner)) {
        return INVALID(refusal,
                       "open_agent.planner is \"%s\", with motion it must be absent, \"auto\" or "
                       "\"lattice\"",
                       open->planner);
    }
    return check_most("motion.bound_percent", motion->bound_percent, RP_LIMIT_BOUND_PERCENT,
                      refusal) &&
           check_reverse(motion, refusal) && check_not_built(open, refusal);
}
