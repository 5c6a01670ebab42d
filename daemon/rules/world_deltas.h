/// @file
/// World deltas: what a version rewrote is kept for mirrors (daemon/serving/deltas.h), and
/// published when somebody subscribes.
#ifndef REPLAN_DAEMON_RULES_WORLD_DELTAS_H
#define REPLAN_DAEMON_RULES_WORLD_DELTAS_H

#include "daemon/serving/serving.h"

/// Keep the delta of a version that was made by an edit; it has the edit's own form.
void rp_world_deltas_keep_edit(rp_serving_t *self, rp_served_t *world, const rp_edit_t *edit,
                               uint64_t version);

/// Keep the delta of a version that was made with shapes on the world.
/// @return false when there were none
bool rp_world_deltas_keep_rewritten(rp_serving_t *self, rp_served_t *world, uint64_t version);

/// The newest version has no delta: readers ask anew.
void rp_world_deltas_keep_none(rp_served_t *world);

/// Keep the delta of a version that made the world another window.
/// @param before  the window that it was; `window` says what came with the new one
void rp_world_deltas_keep_window(rp_serving_t *self, rp_served_t *world,
                                 const rp_known_window_t *before, const rp_window_t *window,
                                 uint64_t version);

/// Publish the deltas that were not yet; takes some of the arena. Answers go out before them: an
/// agent waits for its path.
void rp_world_deltas_publish(rp_serving_t *self, rp_served_t *world);

#endif
