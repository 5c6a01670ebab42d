/// Deltas go to the mirror, answers to checker, report and agent. An answer follows the delta of
/// its version in the same stream, and the mirror can go back: so it is checked as it comes.
#include "sim/inbox.h"

#include <stdio.h>
#include <string.h>

#include "base/array.h"
#include "sim/world/driving.h"
#include "sim/world/window.h"

/// An agent that has stood for so long was surely looked at by the daemon since.
#define REST_US 300000u

rp_link_status_t rp_inbox_watch(rp_link_t *link)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.world = (char *)link->options->world;
    watch.all = 1;
    watch.map = 1;
    watch.follows = 1;
    watch.splices = 1;
    watch.batch = 16;
    watch.segments = rp_drive_is_on(&link->simulation->scenario.drive);
    const rp_client_status_t status = rp_client_watch(link->client, &watch, &link->watch);
    if (status == RP_CLIENT_OK) {
        return RP_LINK_OK;
    }
    return rp_link_fail(link,
                        status == RP_CLIENT_E_NO_DAEMON ? RP_LINK_E_NO_DAEMON : RP_LINK_E_REFUSED,
                        "watch", rp_client_sentence(link->client));
}

// ---- answers

/// @return NULL when the name is nobody's here
static rp_sim_agent_t *find_agent(const rp_link_t *link, const char *name)
{
    unsigned number;
    int read = 0;
    if (sscanf(name, "agent-%9u%n", &number, &read) != 1 || name[read] != '\0' || number == 0 ||
        number > link->simulation->agent_count) {
        return NULL;
    }
    return &link->simulation->agents[number - 1];
}

/// The world at a version, in the cells of the daemon's window.
/// @return false when the mirror does not know it
static bool recall(rp_link_t *link, uint64_t epoch, uint64_t version, rp_grid_view_t *grid)
{
    *grid = link->simulation->terrain.grid;
    grid->bytes = rp_mirror_at(&link->mirror, epoch, version);
    grid->width = link->mirror.width;
    grid->height = link->mirror.height;
    return grid->bytes != NULL;
}

/// The window that the mirror shows.
static rp_terrain_box_t window_of(const rp_mirror_t *mirror)
{
    return (rp_terrain_box_t){(uint32_t)mirror->origin_x, (uint32_t)mirror->origin_y, mirror->width,
                              mirror->height};
}

/// Fill in how all agents ask, and count cells from the window's corner.
static rp_search_query_t asked(const rp_link_t *link, rp_search_query_t question)
{
    const rp_simulation_t *simulation = link->simulation;
    const rp_grid_view_t *grid = &simulation->terrain.grid;
    const rp_manner_t *manner = &simulation->scenario.manner;
    const rp_terrain_box_t window = window_of(&link->mirror);
    question.start = rp_window_cell(&window, grid, question.start);
    question.goal = question.is_lost ? RP_NOWHERE : rp_window_cell(&window, grid, question.goal);
    question.tolerance = manner->tolerance_m;
    question.is_nearest = manner->is_nearest;
    question.escape = manner->escape_m;
    return question;
}

bool rp_inbox_settle(rp_link_t *link)
{
    const rp_debt_t *debt = rp_checker_debt(link->checker);
    rp_grid_view_t grid;
    if (debt == NULL) {
        return false;
    }
    const bool is_known = recall(link, debt->epoch, debt->version, &grid);
    rp_checker_settle(link->checker, is_known ? &grid : NULL);
    return true;
}

/// The curve of one that drives. @return false: the pose is forgotten
static bool check_curve(rp_link_t *link, const rp_grid_view_t *grid, const rp_sim_agent_t *agent,
                        const Replan__V1__Answer *answer, uint32_t goal)
{
    const rp_drive_pose_t *seat = rp_driving_seat_of(agent, answer->pose_seq);
    if (seat == NULL) {
        return false;
    }
    const char *wrong =
        rp_client_has_path(answer)
            ? rp_drive_check(&link->simulation->scenario.drive, grid, answer, seat, goal)
            : NULL;
    rp_checker_take_verdict(link->checker, answer, wrong);
    return true;
}

static void check(rp_link_t *link, const rp_sim_agent_t *agent, const Replan__V1__Answer *answer)
{
    rp_grid_view_t grid;
    rp_search_query_t question = {0};
    if (!recall(link, answer->epoch, answer->version, &grid) ||
        !rp_sim_agent_question(agent, rp_simulation_prey(link->simulation, agent), answer,
                               &question)) {
        rp_checker_skip(link->checker);
    } else if (rp_drive_is_on(&link->simulation->scenario.drive)) {
        if (!check_curve(link, &grid, agent, answer, question.goal)) {
            rp_checker_skip(link->checker);
        }
    } else {
        rp_checker_take(link->checker, &grid, answer, asked(link, question));
    }
}

// ---- silence

/// What is left of an agent's path, in cells of the window. @return cells; 0: nothing to look at
static size_t copy_path(rp_link_t *link, const rp_sim_agent_t *agent)
{
    const rp_terrain_box_t window = window_of(&link->mirror);
    size_t count = 0;
    if (agent->at < agent->way_count || agent->at >= agent->path_count ||
        agent->path[agent->at] != agent->cell ||
        !rp_array_reserve(&link->trail, &link->trail_capacity, agent->path_count,
                          sizeof *link->trail)) {
        return 0;
    }
    for (size_t i = agent->at; i < agent->path_count; i++) {
        const uint32_t cell =
            rp_window_cell(&window, &link->simulation->terrain.grid, agent->path[i]);
        if (cell == RP_NOWHERE) {
            return 0;
        }
        link->trail[count++] = cell;
    }
    return count;
}

/// What part of its path's cost a better path may save without being told, by the policy. That is
/// all of it while the daemon may not have looked yet from where the agent is now.
static double share_kept(const rp_link_t *link, const rp_sim_agent_t *agent)
{
    const rp_manner_t *manner = &link->simulation->scenario.manner;
    const uint64_t rest_us = rp_link_now_us() - agent->stirred_us;
    if (manner->switch_gain_percent == 0 && manner->min_interval_ms == 0) {
        return 0;
    }
    return rest_us < manner->min_interval_ms * UINT64_C(1000) + REST_US
               ? 1
               : manner->switch_gain_percent / 100.0;
}

/// True when the head leaves the agent out: its newest answer may not be true any more, and the
/// head does not wait for the next one.
static bool is_left_out(const Replan__V1__Head *head, const char *agent)
{
    for (size_t i = 0; i < head->n_overdue_agents; i++) {
        if (strcmp(head->overdue_agents[i], agent) == 0) {
            return true;
        }
    }
    return false;
}

/// All is settled: what is left of the curve of one that drives must be free still.
static void check_standing(rp_link_t *link, const Replan__V1__Head *head,
                           const rp_sim_agent_t *agent)
{
    rp_grid_view_t grid;
    if (is_left_out(head, agent->name) || agent->heard_goal != agent->goal_id ||
        agent->curve_count == 0 || !recall(link, head->epoch, head->version, &grid)) {
        return;
    }
    const bool is_free = rp_drive_is_free(&link->simulation->scenario.drive, &grid, agent->curve,
                                          agent->curve_count, agent->along);
    rp_checker_take_standing(link->checker, agent->name, agent->path_seq, head->version, is_free);
}

/// The head says that all is settled. So what an agent was told last must still be true: look at
/// one agent a head, in turn.
static void check_silence(rp_link_t *link, const Replan__V1__Head *head)
{
    rp_simulation_t *simulation = link->simulation;
    rp_sim_agent_t *agent = &simulation->agents[link->listener++ % simulation->agent_count];
    const rp_sim_agent_t *prey = rp_simulation_prey(simulation, agent);
    rp_search_query_t question = {.start = agent->cell, .goal = agent->goal};
    rp_grid_view_t grid;
    if (prey != NULL && agent->path_count > 0) {
        question.goal = agent->path[agent->path_count - 1]; // where the prey was
    }
    if (rp_drive_is_on(
            &simulation->scenario.drive)) { // what is left of a curve is not kept by cells
        check_standing(link, head, agent);
        return;
    }
    const bool is_no_path = agent->outcome == REPLAN__V1__OUTCOME__NO_PATH;
    const bool is_path = agent->outcome == REPLAN__V1__OUTCOME__FOUND ||
                         agent->outcome == REPLAN__V1__OUTCOME__ARRIVED;
    if (is_left_out(head, agent->name) || agent->is_away || agent->heard_goal != agent->goal_id ||
        !(is_path || (is_no_path && prey == NULL)) ||
        !recall(link, head->epoch, head->version, &grid)) {
        return;
    }
    const size_t count = is_path ? copy_path(link, agent) : 0;
    question = asked(link, question);
    if ((is_path && count == 0) || question.start == RP_NOWHERE || question.goal == RP_NOWHERE) {
        return;
    }
    const rp_silence_t silence = {.agent = agent->name,
                                  .epoch = head->epoch,
                                  .version = head->version,
                                  .path_seq = agent->path_seq,
                                  .outcome = agent->outcome,
                                  .path = link->trail,
                                  .path_count = count,
                                  .kept = share_kept(link, agent)};
    rp_checker_take_silence(link->checker, &grid, &silence, question);
}

// ---- what came of it

/// Poses and goals carry no stamp here: one on an answer is that of a change.
static void measure(rp_link_t *link, const Replan__V1__Answer *answer, uint64_t now_us)
{
    rp_run_report_t *report = link->report;
    if (report->answers++ == 0) {
        snprintf(report->planner, sizeof report->planner, "%.32s", answer->planner);
    }
    report->no_paths += answer->outcome == REPLAN__V1__OUTCOME__NO_PATH;
    if (answer->source_us == 0 || (answer->reason != REPLAN__V1__REASON__BROKEN &&
                                   answer->reason != REPLAN__V1__REASON__CHEAPER)) {
        return;
    }
    report->replans++;
    if (now_us >= answer->source_us) {
        rp_latency_add(&report->change_to_path, now_us - answer->source_us);
    }
}

static rp_link_status_t take_answer(rp_link_t *link, const Replan__V1__Answer *answer)
{
    const uint64_t now_us = rp_link_now_us();
    rp_sim_agent_t *agent = find_agent(link, answer->agent);
    if (agent == NULL) {
        return RP_LINK_OK; // somebody else's, in our world
    }
    measure(link, answer, now_us);
    check(link, agent, answer);
    Replan__V1__Answer placed = *answer;
    if (answer->geometry != NULL &&
        answer->start < rp_grid_view_cell_count(&link->simulation->terrain.grid)) {
        const rp_terrain_box_t window = {(uint32_t)answer->geometry->origin_x,
                                         (uint32_t)answer->geometry->origin_y,
                                         answer->geometry->width, answer->geometry->height};
        placed.start = rp_window_place(&window, &link->simulation->terrain.grid, answer->start);
    }
    link->simulation->line.now_us = now_us;
    if (!rp_simulation_hear(link->simulation, (uint32_t)(agent - link->simulation->agents),
                            &placed)) {
        return rp_link_fail(link, RP_LINK_E_MEMORY, agent->name, "no memory");
    }
    return RP_LINK_OK;
}

// ---- the map

static rp_link_status_t take_map(rp_link_t *link, const rp_client_event_t *event)
{
    const rp_mirror_news_t news = rp_mirror_take(&link->mirror, event);
    if (news == RP_MIRROR_MEMORY) {
        return rp_link_fail(link, RP_LINK_E_MEMORY, "mirror", "no memory");
    }
    if (rp_mirror_needs_watch(news)) {
        link->report->mirror_losses++;
        rp_client_unwatch(link->client, link->watch);
        return rp_inbox_watch(link);
    }
    if (event->kind == RP_CLIENT_DELTA && news == RP_MIRROR_TAKEN) {
        const Replan__V1__Delta *delta = event->delta;
        link->report->cells_changed += delta->n_cells + (uint64_t)delta->width * delta->height;
    }
    if (link->mirror.is_whole) {
        const uint64_t known = link->counted == 0 ? link->mirror.version : link->counted;
        link->report->changes += link->mirror.version - known;
        link->counted = link->mirror.version;
    }
    if (event->kind == RP_CLIENT_HEAD) {
        const Replan__V1__Head *head = event->head;
        link->version = head->version;
        link->settled = head->n_overdue_agents == 0 ? head->settled : link->settled;
        if (link->mirror.is_whole && head->settled == link->mirror.version) {
            check_silence(link, head);
        }
    }
    return RP_LINK_OK;
}

// ---- all

static void take_work(rp_link_state_t *line, const Replan__V1__Stats *stats)
{
    for (size_t i = 0; i < stats->n_names && i < stats->n_values; i++) {
        if (strcmp(stats->names[i], "planner.expansions") == 0) {
            line->work = stats->values[i];
            line->work_news++;
        }
    }
}

static void take_reply(rp_link_t *link, const Replan__V1__Reply *reply)
{
    if (reply->status != REPLAN__V1__STATUS__OK) {
        link->report->refusals++;
        rp_link_fail(link, RP_LINK_E_REFUSED, "refused", reply->sentence);
        return;
    }
    if (reply->body_case == REPLAN__V1__REPLY__BODY_APPLIED) {
        link->simulation->line.applied++;
        link->applied =
            reply->applied->version > link->applied ? reply->applied->version : link->applied;
    }
    if (reply->body_case == REPLAN__V1__REPLY__BODY_STATS) {
        take_work(&link->simulation->line, reply->stats);
    }
}

rp_link_status_t rp_inbox_take(rp_link_t *link, const rp_client_event_t *event)
{
    switch (event->kind) {
    case RP_CLIENT_REPLY:
        take_reply(link, event->reply);
        return RP_LINK_OK;
    case RP_CLIENT_ANSWER:
        return take_answer(link, event->answer);
    case RP_CLIENT_HEAD:
    case RP_CLIENT_DELTA:
    case RP_CLIENT_CHUNK:
        return take_map(link, event);
    case RP_CLIENT_ENDED:
        return rp_link_fail(link, RP_LINK_E_REFUSED, "watch", event->ended->sentence);
    case RP_CLIENT_LOST:
        return rp_link_fail(link, RP_LINK_E_NO_DAEMON, link->options->control, "the line broke");
    case RP_CLIENT_RESUMED: // watches here do not resume
    case RP_CLIENT_GONE:
    case RP_CLIENT_NOTHING:
        break;
    }
    return RP_LINK_OK;
}
