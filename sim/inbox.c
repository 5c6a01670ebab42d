/// Deltas go to the mirror, answers to checker, report and agent. An answer follows the delta of
/// its version in the same stream, and the mirror can go back: so it is checked as it comes.
#include "sim/inbox.h"

#include <stdio.h>

rp_link_status_t rp_inbox_watch(rp_link_t *link)
{
    Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
    watch.world = (char *)link->options->world;
    watch.all = 1;
    watch.map = 1;
    const rp_client_status_t status = rp_client_watch(link->client, &watch, &link->watch);
    if (status == RP_CLIENT_OK) {
        return RP_LINK_OK;
    }
    return rp_link_fail(link,
                        status == RP_CLIENT_E_NO_DAEMON ? RP_LINK_E_NO_DAEMON : RP_LINK_E_REFUSED,
                        "watch", rp_client_sentence(link->client));
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
        link->report->changes++;
        link->report->cells_changed += delta->n_cells + (uint64_t)delta->width * delta->height;
    }
    if (event->kind == RP_CLIENT_HEAD) {
        link->version = event->head->version;
        link->settled = event->head->settled;
    }
    return RP_LINK_OK;
}

// ---- answers

/// @return NULL when the name is nobody's here
static rp_agent_t *find_agent(const rp_link_t *link, const char *name)
{
    unsigned number;
    int read = 0;
    if (sscanf(name, "agent-%9u%n", &number, &read) != 1 || name[read] != '\0' || number == 0 ||
        number > link->simulation->agent_count) {
        return NULL;
    }
    return &link->simulation->agents[number - 1];
}

/// The world at a version. @return false when the mirror does not know it
static bool recall(rp_link_t *link, uint64_t epoch, uint64_t version, rp_plane_t *plane)
{
    *plane = link->simulation->terrain.plane;
    plane->bytes = rp_mirror_at(&link->mirror, epoch, version);
    return plane->bytes != NULL;
}

bool rp_inbox_settle(rp_link_t *link)
{
    const rp_debt_t *debt = rp_checker_debt(link->checker);
    rp_plane_t plane;
    if (debt == NULL) {
        return false;
    }
    const bool is_known = recall(link, debt->epoch, debt->version, &plane);
    rp_checker_settle(link->checker, is_known ? &plane : NULL);
    return true;
}

static void check(rp_link_t *link, const rp_agent_t *agent, const Replan__V1__Answer *answer)
{
    rp_plane_t plane;
    rp_question_t question;
    if (!recall(link, answer->epoch, answer->version, &plane) ||
        !rp_agent_question(agent, answer, &question)) {
        rp_checker_skip(link->checker);
    } else {
        rp_checker_take(link->checker, &plane, answer, question);
    }
}

/// Poses and goals carry no stamp here: one on an answer is that of a change.
static void measure(rp_link_t *link, const Replan__V1__Answer *answer, uint64_t now_us)
{
    rp_report_t *report = link->report;
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
    rp_agent_t *agent = find_agent(link, answer->agent);
    if (agent == NULL) {
        return RP_LINK_OK; // somebody else's, in our world
    }
    measure(link, answer, now_us);
    check(link, agent, answer);
    if (!rp_agent_hear(agent, &link->simulation->terrain.plane, answer)) {
        return rp_link_fail(link, RP_LINK_E_MEMORY, agent->name, "no memory");
    }
    return RP_LINK_OK;
}

// ---- all

static void take_reply(rp_link_t *link, const Replan__V1__Reply *reply)
{
    if (reply->status != REPLAN__V1__STATUS__OK) {
        link->report->refusals++;
        rp_link_fail(link, RP_LINK_E_REFUSED, "refused", reply->sentence);
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
    case RP_CLIENT_NOTHING:
        break;
    }
    return RP_LINK_OK;
}
