/// Questions: places, names and counts. What they cost is bounded here.
#include "msgs/check.h"
#include "msgs/check_parts.h"

static bool check_points(const char *owner, const double *x, size_t x_count, const double *y,
                         size_t y_count, rp_refusal_t *refusal)
{
    if (x_count != y_count) {
        return INVALID(refusal, "%s_x has %zu entries, %s_y has %zu", owner, x_count, owner,
                       y_count);
    }
    return check_coordinates(owner, "x", x, x_count, refusal) &&
           check_coordinates(owner, "y", y, y_count, refusal);
}

/// @param what  names the product: "ask_costs.from_x times ask_costs.to_x"
static bool check_searches(const char *what, uint64_t count, rp_refusal_t *refusal)
{
    return (count != 0 && count <= RP_LIMIT_SEARCHES) ||
           INVALID(refusal, "%s is %" PRIu64 ", it must be 1 to %u", what, count,
                   RP_LIMIT_SEARCHES);
}

bool rp_check_ask_costs(const Replan__V1__AskCosts *ask, rp_refusal_t *refusal)
{
    return rp_check_name("ask_costs.world", ask->world, refusal) &&
           check_points("ask_costs.from", ask->from_x, ask->n_from_x, ask->from_y, ask->n_from_y,
                        refusal) &&
           check_points("ask_costs.to", ask->to_x, ask->n_to_x, ask->to_y, ask->n_to_y, refusal) &&
           check_searches("ask_costs.from_x times ask_costs.to_x",
                          (uint64_t)ask->n_from_x * ask->n_to_x, refusal);
}

bool rp_check_ask_probe(const Replan__V1__AskProbe *ask, rp_refusal_t *refusal)
{
    if (ask->change == NULL) {
        return INVALID(refusal, "ask_probe.change is missing");
    }
    const Replan__V1__Change *change = ask->change;
    if (!rp_check_change(change, refusal) ||
        !check_window("ask_probe", ask->epoch, ask->window, refusal)) {
        return false;
    }
    if (ask->epoch != 0 && change->epoch != 0 &&
        (ask->epoch != change->epoch || ask->window != change->window)) {
        return INVALID(refusal,
                       "ask_probe.window is %" PRIu64 " of epoch %" PRIu64
                       ", ask_probe.change.window %" PRIu64 " of epoch %" PRIu64 ", leave one out",
                       ask->window, ask->epoch, change->window, change->epoch);
    }
    if (!check_points("ask_probe.from", ask->from_x, ask->n_from_x, ask->from_y, ask->n_from_y,
                      refusal) ||
        !check_points("ask_probe.to", ask->to_x, ask->n_to_x, ask->to_y, ask->n_to_y, refusal)) {
        return false;
    }
    if (ask->n_from_x != ask->n_to_x) {
        return INVALID(refusal, "ask_probe.to_x has %zu entries, ask_probe.from_x has %zu",
                       ask->n_to_x, ask->n_from_x);
    }
    if (!check_searches("ask_probe.agents and ask_probe.from_x together",
                        (uint64_t)ask->n_agents + ask->n_from_x, refusal)) {
        return false;
    }
    for (size_t i = 0; i < ask->n_agents; i++) {
        if (!rp_check_name("ask_probe.agents", ask->agents[i], refusal)) {
            return false;
        }
    }
    return true;
}

bool rp_check_ask_field(const Replan__V1__AskField *ask, rp_refusal_t *refusal)
{
    return rp_check_name("ask_field.world", ask->world, refusal) &&
           rp_check_name("ask_field.agent", ask->agent, refusal) &&
           check_most("ask_field.reach", ask->reach, RP_LIMIT_TILE, refusal);
}

static bool check_steps(const char *field, const ProtobufCBinaryData *steps, rp_refusal_t *refusal)
{
    for (size_t i = 0; i < steps->len; i++) {
        if (steps->data[i] > 7) {
            return INVALID(refusal, "%s has %u at %zu, a direction is 0 to 7", field,
                           steps->data[i], i);
        }
    }
    return true;
}

/// Numbers of a curve, as many as it has segments.
static bool check_column(const char *field, const double *values, size_t count, size_t segments,
                         rp_refusal_t *refusal)
{
    return (count == segments ||
            INVALID(refusal, "ask_valid.%s has %zu entries, ask_valid.segment_x has %zu", field,
                    count, segments)) &&
           check_coordinates("ask_valid", field, values, count, refusal);
}

static bool check_turns(const Replan__V1__AskValid *ask, rp_refusal_t *refusal)
{
    for (size_t i = 0; i < ask->n_segment_turn; i++) {
        const double turn = ask->segment_turn[i];
        if (!(turn >= -RP_LIMIT_TURN && turn <= RP_LIMIT_TURN)) {
            return INVALID(refusal, "ask_valid.segment_turn is %g, it must lie within -%g and %g",
                           turn, RP_LIMIT_TURN, RP_LIMIT_TURN);
        }
        if (turn != 0.0 && ask->segment_length[i] != 0.0) {
            return INVALID(refusal, "ask_valid.segment_length is %g, that of a turn in place is 0",
                           ask->segment_length[i]);
        }
    }
    return true;
}

/// Directions of sideways moves: none, or one a segment, and those of arcs and turns are 0.
static bool check_courses(const Replan__V1__AskValid *ask, rp_refusal_t *refusal)
{
    if (ask->n_segment_course == 0) {
        return true;
    }
    if (!check_column("segment_course", ask->segment_course, ask->n_segment_course,
                      ask->n_segment_x, refusal)) {
        return false;
    }
    for (size_t i = 0; i < ask->n_segment_course; i++) {
        if (ask->segment_course[i] != 0.0 &&
            (ask->segment_curvature[i] != 0.0 || ask->segment_turn[i] != 0.0)) {
            return INVALID(refusal, "ask_valid.segment_course is %g, only a line moves sideways",
                           ask->segment_course[i]);
        }
    }
    return true;
}

/// A body that is driven along a curve.
static bool check_driven(const Replan__V1__Body *body, rp_refusal_t *refusal)
{
    return rp_check_body(body, refusal) &&
           ((body->profile[0] == '\0' && body->cells == 0 && body->inflation_radius_m <= 0.0) ||
            INVALID(refusal, "ask_valid.body: a disc of body.radius_m or a footprint is all "
                             "that counts, leave out the rest"));
}

static bool check_curve(const Replan__V1__AskValid *ask, rp_refusal_t *refusal)
{
    const size_t count = ask->n_segment_x;
    if (count > RP_LIMIT_SEGMENTS) {
        return INVALID(refusal, "ask_valid.segment_x has %zu entries, at most %u", count,
                       RP_LIMIT_SEGMENTS);
    }
    if (count != 0 && ask->steps.len + ask->way.len != 0) {
        return INVALID(refusal, "ask_valid.steps and ask_valid.segment_x exclude each other");
    }
    if (count == 0 && ask->body != NULL) {
        return INVALID(refusal, "ask_valid.body: only a curve is driven by a body of its own");
    }
    return check_column("segment_x", ask->segment_x, count, count, refusal) &&
           check_column("segment_y", ask->segment_y, ask->n_segment_y, count, refusal) &&
           check_column("segment_yaw", ask->segment_yaw, ask->n_segment_yaw, count, refusal) &&
           check_column("segment_curvature", ask->segment_curvature, ask->n_segment_curvature,
                        count, refusal) &&
           check_column("segment_length", ask->segment_length, ask->n_segment_length, count,
                        refusal) &&
           check_column("segment_turn", ask->segment_turn, ask->n_segment_turn, count, refusal) &&
           check_turns(ask, refusal) && check_courses(ask, refusal) &&
           (ask->body == NULL || check_driven(ask->body, refusal));
}

bool rp_check_ask_valid(const Replan__V1__AskValid *ask, rp_refusal_t *refusal)
{
    return rp_check_name("ask_valid.world", ask->world, refusal) &&
           rp_check_name("ask_valid.agent", ask->agent, refusal) &&
           check_window("ask_valid", ask->epoch, ask->window, refusal) &&
           check_steps("ask_valid.steps", &ask->steps, refusal) &&
           check_steps("ask_valid.way", &ask->way, refusal) && check_curve(ask, refusal);
}

bool rp_check_ask_why(const Replan__V1__AskWhy *ask, rp_refusal_t *refusal)
{
    return rp_check_name("ask_why.world", ask->world, refusal) &&
           rp_check_name("ask_why.agent", ask->agent, refusal);
}
