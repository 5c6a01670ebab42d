/// @file
/// What tests of the C client begin with.
#ifndef REPLAN_TESTS_CLIENTS_CLIENT_SCENE_H
#define REPLAN_TESTS_CLIENTS_CLIENT_SCENE_H

#include <check.h>

#include "replan/client.h"
#include "tests/clients/fake_daemon.h"

#define WATCH   5u
#define WAIT_MS 60000 ///< for what must come; nothing waits for it in vain

/// What the fake saw; written on its thread, read when that is joined.
typedef struct seen {
    uint32_t requests;
    uint64_t credit;
    uint64_t credit_most; ///< of one renewal
    uint64_t held[2];     ///< ids of requests that were not answered at once
} seen_t;

static void reply_ok(fake_daemon_t *fake, uint64_t id)
{
    Replan__V1__Applied applied = REPLAN__V1__APPLIED__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    applied.version = 12;
    reply.id = id;
    reply.body_case = REPLAN__V1__REPLY__BODY_APPLIED;
    reply.applied = &applied;
    fake_daemon_reply(fake, &reply);
}

static inline void reply_watching(fake_daemon_t *fake, uint64_t id, uint32_t number)
{
    Replan__V1__Watching watching = REPLAN__V1__WATCHING__INIT;
    Replan__V1__Reply reply = REPLAN__V1__REPLY__INIT;
    reply.id = id;
    reply.body_case = REPLAN__V1__REPLY__BODY_WATCHING;
    watching.watch = number;
    reply.watching = &watching;
    fake_daemon_reply(fake, &reply);
}

static rp_client_t *open_client(const fake_daemon_t *fake)
{
    rp_client_t *client = NULL;
    ck_assert_int_eq(rp_client_open(fake_daemon_control(fake), WAIT_MS, &client), RP_CLIENT_OK);
    return client;
}

static void make_stats_request(Replan__V1__Request *request, Replan__V1__GetStats *get)
{
    replan__v1__get_stats__init(get);
    replan__v1__request__init(request);
    request->body_case = REPLAN__V1__REQUEST__BODY_GET_STATS;
    request->get_stats = get;
}

#endif
