#include "tests/daemon/host_trio.h"

#include <check.h>
#include <poll.h>

#define MOST_MS 120000

const unsigned rp_host_trio_workers[RP_HOST_TRIO] = {0, 2, 3};

void rp_host_trio_open(rp_host_t **hosts, uint32_t side, const uint8_t *data, rp_world_id_t *world)
{
    const rp_world_options_t options = {.width = side,
                                        .height = side,
                                        .neighbors = 8,
                                        .frame = {.resolution_m = 1.0},
                                        .data = data};
    for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
        ck_assert_int_eq(rp_hosts_new(rp_host_trio_workers[i], UINT64_MAX, &hosts[i]), RP_OK);
        ck_assert_int_eq(rp_host_open_world(hosts[i], &options, NULL, world), RP_OK);
    }
}

void rp_host_trio_close(rp_host_t **hosts)
{
    for (unsigned i = 0; i < RP_HOST_TRIO; i++) {
        rp_host_destroy(&hosts[i]);
    }
}

void rp_host_trio_settle(rp_host_t *host, uint64_t now_us)
{
    rp_answer_t answer;
    struct pollfd reports = {rp_host_descriptor(host), POLLIN, 0};
    while (rp_host_step(host, now_us, 512) || rp_host_is_at_work(host)) {
        if (reports.fd >= 0) {
            ck_assert_int_eq(poll(&reports, 1, MOST_MS), 1);
        }
    }
    while (rp_host_next_answer(host, &answer)) {
        rp_answer_t newest;
        ck_assert_int_eq(rp_host_answer(host, answer.session, &newest), RP_OK);
        ck_assert_uint_eq(answer.path_seq, newest.path_seq);
    }
}

rp_answer_t rp_host_trio_look(rp_host_t *host, rp_session_id_t session, uint64_t now_us)
{
    rp_answer_t answer;
    const uint64_t ticket = rp_host_look(host, session);
    rp_host_trio_settle(host, now_us);
    ck_assert(rp_host_has_looked(host, session, ticket));
    ck_assert_int_eq(rp_host_answer(host, session, &answer), RP_OK);
    return answer;
}
