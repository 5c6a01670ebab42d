/// @file
/// The truth that a witness holds answers against: grounds of bodies, goals of aims, ways out of
/// blocked places, and costs, each worked out anew from the bytes of a version. Goals are those
/// that were gathered last.
#ifndef REPLAN_TESTS_TRUTH_H
#define REPLAN_TESTS_TRUTH_H

#include "tests/engine/witness.h"

/// A coordinate of a torus.
int64_t rp_truth_wrapped(int64_t at, int64_t side);

/// The ground of a kind at a version, borrowed.
rp_oracle_t *rp_truth_oracle(rp_witness_t *self, uint32_t kind, uint64_t version);

/// Whether a place is there and an obstacle to an agent: what blocks and is not inscribed.
bool rp_truth_is_obstacle(const rp_witness_t *self, const rp_witness_agent_t *agent,
                          uint32_t place);

/// A sum of what an agent sees of the world, on the ground that was asked for last: changes of
/// which it sees nothing decide nothing anew.
uint64_t rp_truth_ground_sum(const rp_witness_t *self, const rp_witness_agent_t *agent);

/// Costs from everywhere to the goals, on the ground that was asked for last.
void rp_truth_flood(rp_witness_t *self, uint32_t kind);

/// Gather the places where an agent wants to go; none: all lie outside.
/// @return false when what it goes after is not there
bool rp_truth_goals(rp_witness_t *self, const rp_witness_agent_t *agent,
                    const rp_past_ground_t *ground, uint32_t waypoint);
bool rp_truth_is_goal(const rp_witness_t *self, uint32_t place);
bool rp_truth_any_free(const rp_witness_t *self, const rp_oracle_t *oracle);

/// No goal can be reached: those places that can and lie nearest to one are the goals now, flooded.
void rp_truth_substitute(rp_witness_t *self, uint32_t kind, uint32_t start);

/// Metres from the middle of a place to what was asked for, over the seams of a torus too.
double rp_truth_distance_m(const rp_witness_t *self, const rp_past_ground_t *ground,
                           const rp_aim_t *aim, const rp_destination_t *point, uint32_t place);

/// The ends of the shortest ways out of a blocked place, of those from which a goal can be reached
/// if there are any. The goals are flooded.
/// @param x, y  of the agent in cells, inside of the place
void rp_truth_escape(rp_witness_t *self, const rp_witness_agent_t *agent,
                     const rp_past_ground_t *ground, uint32_t from, double x, double y);

/// True when steps lead from a place out of it as shortly as any way, to one of the ends.
/// @param end  written: where they end
bool rp_truth_is_way(const rp_witness_t *self, const rp_witness_agent_t *agent,
                     const rp_past_ground_t *ground, uint32_t from, double x, double y,
                     const uint8_t *steps, uint32_t count, uint32_t *end);

#endif
