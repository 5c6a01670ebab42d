/// @file
/// Epochs that a world had, of runs of the daemon before this one: windows are named by epoch and
/// number, and numbers go on. Without `--state` there are none.
#ifndef REPLAN_DAEMON_SERVING_EPOCHS_H
#define REPLAN_DAEMON_SERVING_EPOCHS_H

#include "replan/world.h"

#define RP_EPOCHS_KEPT 256u

/// An epoch that is over.
typedef struct rp_past_epoch {
    uint64_t epoch;
    uint64_t newest; ///< window that the world was at its end: later ones were never in it
} rp_past_epoch_t;

typedef struct rp_epochs {
    rp_past_epoch_t list[RP_EPOCHS_KEPT]; ///< oldest first [count]
    uint32_t count;
} rp_epochs_t;

/// An epoch is over. The oldest one makes room.
void rp_epochs_add(rp_epochs_t *self, uint64_t epoch, uint64_t newest);

/// @return NULL when it is not known
const rp_past_epoch_t *rp_epochs_find(const rp_epochs_t *self, uint64_t epoch);

// ---- on disk

/// The windows of a world and its epochs, as a record keeps them.
typedef struct rp_kept_windows {
    rp_windows_t windows;
    rp_epochs_t epochs;
    uint64_t epoch; ///< that it has now
} rp_kept_windows_t;

/// Words of a record at most.
#define RP_KEPT_WORDS_MAX (9u + 6u * RP_WINDOWS_KEPT + 2u * RP_EPOCHS_KEPT)

/// Write them as words of 64 bits.
/// @param words  written [RP_KEPT_WORDS_MAX]
/// @return how many
size_t rp_windows_keep(const rp_windows_t *windows, const rp_epochs_t *epochs, uint64_t epoch,
                       uint64_t *words);

/// Read them.
/// @return false when they are none
bool rp_windows_recall(const uint8_t *bytes, size_t size, rp_kept_windows_t *kept);

#endif
