/// @file
/// What the scheduler tells of whose search is at work, so that expansions can be drawn. Without
/// REPLAN_TRACE nothing of this is compiled.
#ifndef REPLAN_ENGINE_ENGINE_DRAWING_H
#define REPLAN_ENGINE_ENGINE_DRAWING_H

#include "engine/core.h"

#ifdef REPLAN_TRACE
/// From here on expansions are of this session, until rp_drawing_end().
void rp_drawing_begin(const rp_engine_t *engine, const rp_session_t *session);
void rp_drawing_end(void);
#else
static inline void rp_drawing_begin(const rp_engine_t *engine, const rp_session_t *session)
{
    (void)engine;
    (void)session;
}

static inline void rp_drawing_end(void)
{
}
#endif

#endif
