/// @file
/// Encoding: structs of the engine and of the daemon as messages of the wire, which borrow from
/// them.
#ifndef REPLAN_DAEMON_SERVING_ENCODE_H
#define REPLAN_DAEMON_SERVING_ENCODE_H

#include "daemon/serving/serving.h"

void rp_encode_geometry(const rp_served_t *world, Replan__V1__Geometry *geometry);
void rp_encode_answer(const rp_serving_t *self, const rp_agent_t *agent, const rp_answer_t *answer,
                      Replan__V1__Geometry *geometry, Replan__V1__Answer *message);

/// Tell where the path bends, too. Before rp_encode_splice(), which shortens the steps.
/// @param message  written; it borrows from the arena, and goes without when that is at its end
void rp_encode_bends(rp_message_arena_t *arena, Replan__V1__Answer *message);

/// Tell the curve of an agent with motion, too; of others nothing.
/// @param arena  holds what is added
void rp_encode_segments(rp_message_arena_t *arena, const rp_answer_t *answer,
                        Replan__V1__Answer *message);

/// Leave out the segments that stand in the answer before, which the reader has.
void rp_encode_curve_splice(const rp_answer_t *answer, Replan__V1__Answer *message);

/// Only so many of these segments, the first ones.
void rp_encode_first_segments(const rp_answer_t *answer, size_t count, Replan__V1__Answer *message);

/// The reader has the path of the answer before: leave out what of it stands, if that is worth it.
/// @param message  that of the answer, rewritten
void rp_encode_splice(const rp_answer_t *answer, Replan__V1__Answer *message);

/// The agents of sessions.
/// @param names  written: they borrow from the agents [RP_LEFT_OUT_MAX]
/// @return how many
size_t rp_encode_names(const rp_serving_t *self, const rp_left_out_t *sessions, char **names);

/// @param names  what the message borrows: room for the agents that are left out [RP_LEFT_OUT_MAX]
void rp_encode_head(const rp_serving_t *self, const rp_served_t *world, char **names,
                    Replan__V1__Head *message);

/// The world's own profiles, which borrow from it.
/// @param profiles  written [RP_PROFILES_MAX]
/// @return how many
size_t rp_encode_profiles(const rp_serving_t *self, const rp_served_t *world,
                          Replan__V1__Profile *profiles);
Replan__V1__Outcome rp_encode_outcome(rp_answer_outcome_t outcome);
Replan__V1__Reason rp_encode_reason(rp_reason_t reason);
Replan__V1__Status rp_encode_status(rp_status_t status);

/// The cost of an answer with this outcome: -1 without a path.
double rp_encode_cost(rp_answer_outcome_t outcome, double cost);

/// The rows of a snapshot from `first_row` on that fit into a chunk; the bytes stand in
/// self->chunk.
void rp_encode_chunk(rp_serving_t *self, const rp_served_t *world, uint32_t first_row,
                     Replan__V1__Geometry *geometry, Replan__V1__Chunk *message);

/// Publish a refusal, or a publisher's gap, on status/<world>/ ("-" when there is no such world).
void rp_publish_notice(rp_serving_t *self, const char *world, const rp_refusal_t *refusal,
                       const Replan__V1__Change *change, bool gap);

#endif
