// A robot in C++ that links the engine: a wall comes to stand before it, and its path goes round.
#include <cstdint>
#include <cstdio>

#include <replan/engine.h>

namespace {

bool tells_path(rp_engine_t *engine, std::uint32_t steps)
{
    rp_answer_t answer;
    (void)rp_engine_step(engine, 0, UINT64_MAX);
    return rp_engine_next_answer(engine, &answer) && answer.outcome == RP_ANSWER_FOUND &&
           answer.step_count == steps;
}

bool is_replanned(rp_engine_t *engine)
{
    rp_world_options_t options{};
    options.width = 8;
    options.height = 8;
    options.neighbors = 4;
    options.frame.resolution_m = 1.0;
    rp_edit_t wall{};
    wall.x = 4;
    wall.width = 1;
    wall.height = 7;
    const rp_session_options_t defaults{};
    const rp_destination_t goal{7.5, 0.5, 0};
    rp_world_id_t world;
    rp_session_id_t robot;
    std::uint64_t version;
    return rp_engine_open_world(engine, &options, &world) == RP_OK &&
           rp_engine_open(engine, world, &defaults, &robot) == RP_OK &&
           rp_engine_pose(engine, robot, 0.5, 0.5, 0, rp_cause_t{}) == RP_OK &&
           rp_engine_goals(engine, robot, &goal, 1, 1, rp_cause_t{}) == RP_OK &&
           tells_path(engine, 7) &&
           rp_engine_apply(engine, world, &wall, rp_cause_t{}, &version) == RP_OK &&
           tells_path(engine, 7 + 2 * 7);
}

} // namespace

int main()
{
    rp_engine_t *engine = nullptr;
    if (rp_engine_new(&engine) != RP_OK) {
        return 1;
    }
    const bool is_right = is_replanned(engine);
    rp_engine_destroy(&engine);
    std::puts(is_right ? "robot: round the wall" : "robot: not as it should be");
    return is_right ? 0 : 1;
}
