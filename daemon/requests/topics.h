/// @file
/// Topics: changes, poses and goals that are published to us. A publisher gets no reply; a
/// refusal is told by a notice.
#ifndef REPLAN_DAEMON_REQUESTS_TOPICS_H
#define REPLAN_DAEMON_REQUESTS_TOPICS_H

#include "daemon/requests/intake.h"

/// Topic change/<world>/. Bytes from outside.
void rp_topics_change(rp_intake_t *self, const void *topic, size_t topic_size, const void *body,
                      size_t size);

/// Topics pose/<world>/<agent>/, goal/<world>/<agent>/ and poses/<world>/. Bytes from outside.
void rp_topics_pose(rp_intake_t *self, const void *topic, size_t topic_size, const void *body,
                    size_t size);

/// Take a message that came, or whose turn in the queue has come.
void rp_topics_take(rp_intake_t *self, const rp_inbound_t *inbound);

/// Everything of a long message that took time is done: apply it.
void rp_topics_finish_staged(rp_intake_t *self, const rp_queued_t *queued);

#endif
