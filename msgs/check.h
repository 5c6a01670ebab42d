/// @file
/// Checks of a message that need no knowledge of worlds: names, finite numbers, lengths that agree,
/// the limits of limits.h. The first bad field is refused with a sentence that names the field and
/// the limit, such as "change.data has 12 bytes, the rectangle of 4 x 4 needs 16". Nobody acts on a
/// message before it has passed.
#ifndef REPLAN_MSGS_CHECK_H
#define REPLAN_MSGS_CHECK_H

#include <stdbool.h>
#include <stddef.h>

#include "replan.pb-c.h"

typedef struct rp_refusal {
    Replan__V1__Status status;
    char sentence[200];
} rp_refusal_t;

/// Fill in a refusal. @return false, so that a check can end with it
bool rp_refuse(rp_refusal_t *refusal, Replan__V1__Status status, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/// [A-Za-z0-9_.-]{1,32}
bool rp_check_name(const char *field, const char *name, rp_refusal_t *refusal);

/// Each returns false with the refusal filled in; messages as unpacked, any bytes allowed.
bool rp_check_change(const Replan__V1__Change *change, rp_refusal_t *refusal);
bool rp_check_pose(const Replan__V1__Pose *pose, rp_refusal_t *refusal);
bool rp_check_poses(const Replan__V1__Poses *poses, rp_refusal_t *refusal);
bool rp_check_goal(const Replan__V1__Goal *goal, rp_refusal_t *refusal);
bool rp_check_create_world(const Replan__V1__CreateWorld *create, rp_refusal_t *refusal);

/// The request and all that is in it; a request without a body is refused. In OpenAgent the names
/// inside pose and goal may be absent.
bool rp_check_request(const Replan__V1__Request *request, rp_refusal_t *refusal);

/// Take a topic apart: "<kind>/<world>/" or "<kind>/<world>/<agent>/". Names are checked.
/// @param world, agent  written, terminated [RP_LIMIT_NAME + 1]; agent empty when there is none
/// @return false with the refusal filled in
bool rp_check_topic(const void *topic, size_t size, const char *kind, char *world, char *agent,
                    rp_refusal_t *refusal);

#endif
