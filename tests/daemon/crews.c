#include "tests/daemon/crews.h"

#include <check.h>
#include <poll.h>

#define MOST_MS 60000

const unsigned rp_crew_counts[RP_CREWS] = {0, 2, 3};

void rp_crews_open(rp_host_t **crews, uint32_t side, const uint8_t *data, rp_world_id_t *world)
{
    const rp_world_options_t options = {.width = side,
                                        .height = side,
                                        .neighbors = 8,
                                        .frame = {.resolution_m = 1.0},
                                        .data = data};
    for (unsigned i = 0; i < RP_CREWS; i++) {
        ck_assert_int_eq(rp_hosts_new(rp_crew_counts[i], UINT64_MAX, &crews[i]), RP_OK);
        ck_assert_int_eq(rp_host_open_world(crews[i], &options, NULL, world), RP_OK);
    }
}

void rp_crews_close(rp_host_t **crews)
{
    for (unsigned i = 0; i < RP_CREWS; i++) {
        rp_host_destroy(&crews[i]);
    }
}

void rp_crew_settle(rp_host_t *crew, uint64_t now_us)
{
    rp_answer_t answer;
    struct pollfd reports = {rp_host_descriptor(crew), POLLIN, 0};
    while (rp_host_step(crew, now_us, 512) || rp_host_is_at_work(crew)) {
        if (reports.fd >= 0) {
            ck_assert_int_eq(poll(&reports, 1, MOST_MS), 1);
        }
    }
    while (rp_host_next_answer(crew, &answer)) {
        rp_answer_t newest;
        ck_assert_int_eq(rp_host_answer(crew, answer.session, &newest), RP_OK);
        ck_assert_uint_eq(answer.path_seq, newest.path_seq);
    }
}

rp_answer_t rp_crew_look(rp_host_t *crew, rp_session_id_t session, uint64_t now_us)
{
    rp_answer_t answer;
    const uint64_t ticket = rp_host_look(crew, session);
    rp_crew_settle(crew, now_us);
    ck_assert(rp_host_has_looked(crew, session, ticket));
    ck_assert_int_eq(rp_host_answer(crew, session, &answer), RP_OK);
    return answer;
}
