/// @file
/// What tests of both ends of a path begin with: sessions that stand somewhere.
#ifndef REPLAN_TESTS_ENGINE_SESSION_STANDING_H
#define REPLAN_TESTS_ENGINE_SESSION_STANDING_H

#include "tests/engine/scene.h"
#include "tests/support/suite.h"

static rp_scene_t scene;

static void tear_down(void)
{
    rp_scene_close(&scene);
}

static const rp_cause_t nothing = {0, 0};

static void aim(rp_session_id_t session, rp_aim_t how)
{
    ck_assert_int_eq(rp_engine_aim(scene.engine, session, &how, nothing), RP_OK);
}

static rp_answer_t newest(rp_session_id_t session)
{
    rp_answer_t answer;
    rp_scene_settle(&scene);
    ck_assert_int_eq(rp_engine_answer(scene.engine, session, &answer), RP_OK);
    return answer;
}

#endif
