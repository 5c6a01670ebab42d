/// @file
/// How the sessions of a layer stand, in a row, as a change looks at them first: it passes over
/// most without a look at the session itself. What a glance lets through is asked in full
/// (rp_session_is_touched()).
///
/// A stance is what it was when the session last became sure. Who walks on along its path since
/// then needs less than its stance says; whatever else happens to it makes it unsure.
#ifndef REPLAN_ENGINE_STANCES_H
#define REPLAN_ENGINE_STANCES_H

#include "engine/touch.h"

typedef struct rp_session rp_session_t;

typedef enum rp_stance_kind {
    RP_STANCE_ALOOF, ///< it was never planned for: no change of the ground concerns it
    RP_STANCE_PATH,  ///< it has a path that is the cheapest, or nearly so by way of its rally
    RP_STANCE_ASK,   ///< anything else
} rp_stance_kind_t;

typedef struct rp_stance {
    rp_session_t *session; ///< borrowed
    uint64_t quarters;     ///< where its path runs, as rp_tiles_quarters()
    float reach; ///< cell lengths from its start over a place and on to its goals that are
                 ///< too many for a cheaper path, whatever the ground
    uint16_t x;  ///< its start
    uint16_t y;
    uint16_t left; ///< a rectangle that holds its goals, all inclusive
    uint16_t top;
    uint16_t right;
    uint16_t bottom;
    uint8_t kind;   ///< rp_stance_kind_t
    uint64_t term;  ///< of its herd's search, when that knows its path; else 0
    uint64_t units; ///< what that search said it costs
} rp_stance_t;

typedef struct rp_stances {
    rp_stance_t *list; ///< owned [capacity]
    uint32_t count;
    uint32_t capacity;
} rp_stances_t;

/// What a version changed, for a glance.
typedef struct rp_glance {
    bool asks_all; ///< nothing more is known of it
    uint64_t dearer;
    bool has_cheaper;
    int32_t left; ///< the rectangle of what became cheaper, all inclusive
    int32_t top;
    int32_t right;
    int32_t bottom;
    float diagonal; ///< what a step aside costs beyond the one ahead, in cell lengths
} rp_glance_t;

void rp_stances_fini(rp_stances_t *self);

/// A session comes, aloof; it notes its place itself. @return RP_E_MEMORY
rp_status_t rp_stances_add(rp_stances_t *self, rp_session_t *session);

/// It goes, and the last one takes its place.
void rp_stances_remove(rp_stances_t *self, const rp_session_t *session);

/// The session is sure of its answer now.
void rp_stances_note(rp_stances_t *self, const rp_session_t *session);

/// @param news  NULL when not all of it is known
rp_glance_t rp_glance_of(const rp_news_t *news);

/// What a version may have to do with a session.
typedef enum rp_concern {
    RP_CONCERN_NONE,  ///< nothing, for certain
    RP_CONCERN_RIVAL, ///< something became cheaper where a cheaper path could run; no more than
                      ///< that
    RP_CONCERN_ANY,
} rp_concern_t;

/// True when a cheaper path may run through the rectangle of what became cheaper.
bool rp_stance_may_have_rival(const rp_stance_t *self, const rp_glance_t *glance);

/// Asked of every session at every version: most are let off after a look at two words.
static inline rp_concern_t rp_stance_concern(const rp_stance_t *self, const rp_glance_t *glance)
{
    if (self->kind != RP_STANCE_PATH || glance->asks_all) {
        return self->kind != RP_STANCE_ALOOF ? RP_CONCERN_ANY : RP_CONCERN_NONE;
    }
    if ((self->quarters & glance->dearer) != 0) {
        return RP_CONCERN_ANY;
    }
    return glance->has_cheaper && rp_stance_may_have_rival(self, glance) ? RP_CONCERN_RIVAL
                                                                         : RP_CONCERN_NONE;
}

#endif
