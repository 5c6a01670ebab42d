/// @file
/// The judge of an escape story: holds what the engine says of an agent against the references.
#ifndef REPLAN_TESTS_ESCAPE_JUDGE_H
#define REPLAN_TESTS_ESCAPE_JUDGE_H

#include "tests/engine/paths/escape_story.h"

/// Hold an answer that the engine is sure of against the truth for the pose, goals and world that
/// it was told last. An answer that is kept may be one for an older pose, if that still follows.
/// Look through the eyes of the agent's kind before.
void rp_escape_judge(const rp_escape_story_t *self, const rp_escape_agent_t *agent,
                     const rp_answer_t *answer);

#endif
