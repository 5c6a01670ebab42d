/// How fast newcomers are let in, by a clock of the test's: local listeners in an epoll of the
/// system's.
#include "daemon/connections/accept_gate.h"

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/suite.h"

#define COUNT 256u
#define NOW   1000000000u

static rp_accept_gate_t gate;
static int epoll;

static void tear_down(void)
{
    rp_accept_gate_fini(&gate);
    (void)close(epoll);
}

/// A listener of no name, in the epoll, to which somebody has connected.
static int open_listener(void)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    socklen_t size = sizeof name;
    struct epoll_event event = {.events = 0};
    if (gate.listeners.polled == NULL) {
        epoll = epoll_create1(EPOLL_CLOEXEC);
        ck_assert(rp_accept_gate_init(&gate, COUNT));
    }
    const int listener = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const int client = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    ck_assert_int_eq(bind(listener, (struct sockaddr *)&name, sizeof(sa_family_t)), 0);
    ck_assert_int_eq(listen(listener, 4), 0);
    ck_assert_int_eq(getsockname(listener, (struct sockaddr *)&name, &size), 0);
    ck_assert_int_eq(connect(client, (struct sockaddr *)&name, size), 0);
    event.data.fd = listener;
    ck_assert_int_eq(rp_accept_gate_control(&gate, epoll, EPOLL_CTL_ADD, listener, &event), 0);
    event.events = EPOLLIN;
    ck_assert_int_eq(rp_accept_gate_control(&gate, epoll, EPOLL_CTL_MOD, listener, &event), 0);
    return listener;
}

/// True when the epoll tells that somebody waits there.
static bool is_heard(int listener)
{
    struct epoll_event events[4];
    bool is_told = false;
    const int count = epoll_wait(epoll, events, 4, 0);
    for (int i = 0; i < count; i++) {
        is_told = is_told || events[i].data.fd == listener;
    }
    return is_told;
}

static void come(unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        rp_accept_gate_came(&gate, NOW);
    }
}

#define US(count) ((count)*1000000u / RP_ACCEPT_GATE_RATE)

START_TEST(a_burst_is_let_in_at_once)
{
    const int listener = open_listener();
    come(RP_ACCEPT_GATE_BURST);
    rp_accept_gate_end_turn(&gate, listener, NOW);
    ck_assert(is_heard(listener));
    ck_assert_int_eq(rp_accept_gate_go_on(&gate, NOW, -1), -1);
    ck_assert(!rp_accept_gate_is_waiting(&gate));
}
END_TEST

START_TEST(beyond_a_burst_listeners_wait_for_the_next_round)
{
    const int listeners[] = {open_listener(), open_listener(), open_listener()};
    const uint64_t round_us = NOW + RP_ACCEPT_GATE_ROUND_US;
    come(RP_ACCEPT_GATE_BURST + 10u);
    rp_accept_gate_end_turn(&gate, listeners[0], NOW);
    rp_accept_gate_end_turn(&gate, listeners[1], NOW + 1000u);
    ck_assert(rp_accept_gate_is_waiting(&gate));
    ck_assert(!is_heard(listeners[0]) && !is_heard(listeners[1]) && is_heard(listeners[2]));
    (void)rp_accept_gate_go_on(&gate, round_us - 1u, -1);
    ck_assert(!is_heard(listeners[0]));
    (void)rp_accept_gate_go_on(&gate, round_us, -1);
    ck_assert(is_heard(listeners[0]) && is_heard(listeners[1]));
    rp_accept_gate_end_turn(&gate, listeners[1], round_us);
    ck_assert(is_heard(listeners[0]) && !is_heard(listeners[1]));
}
END_TEST

START_TEST(an_epoll_waits_no_longer_than_until_the_next_round)
{
    const int round_ms = RP_ACCEPT_GATE_ROUND_US / 1000u;
    const int listener = open_listener();
    come(RP_ACCEPT_GATE_BURST + 1u);
    rp_accept_gate_end_turn(&gate, listener, NOW);
    ck_assert_int_eq(rp_accept_gate_go_on(&gate, NOW, -1), round_ms);
    ck_assert_int_eq(rp_accept_gate_go_on(&gate, NOW, 1000), round_ms);
    ck_assert_int_eq(rp_accept_gate_go_on(&gate, NOW, 3), 3);
    ck_assert_int_eq(rp_accept_gate_go_on(&gate, NOW, 0), 0);
    ck_assert_int_eq(rp_accept_gate_go_on(&gate, NOW + RP_ACCEPT_GATE_ROUND_US - 1u, -1), 1);
}
END_TEST

START_TEST(whoever_brings_a_message_owes_nothing)
{
    const int listener = open_listener();
    for (unsigned i = 0; i < 100u * RP_ACCEPT_GATE_BURST; i++) {
        come(1);
        rp_accept_gate_repay(&gate);
    }
    rp_accept_gate_end_turn(&gate, listener, NOW);
    ck_assert(is_heard(listener));
    rp_accept_gate_repay(&gate); // for one that time has paid for
    come(RP_ACCEPT_GATE_BURST + 1u);
    rp_accept_gate_end_turn(&gate, listener, NOW);
    ck_assert(!is_heard(listener));
}
END_TEST

START_TEST(time_pays)
{
    const int listener = open_listener();
    come(RP_ACCEPT_GATE_BURST + 4u);
    rp_accept_gate_end_turn(&gate, listener, NOW + US(4u));
    ck_assert(is_heard(listener));
    rp_accept_gate_end_turn(&gate, listener, NOW + US(4u) - 1u);
    ck_assert(!is_heard(listener));
}
END_TEST

START_TEST(no_more_is_owed_than_a_second_pays)
{
    const int listener = open_listener();
    come(100000);
    rp_accept_gate_end_turn(&gate, listener, NOW + RP_ACCEPT_GATE_OWED_US);
    ck_assert(is_heard(listener));
    rp_accept_gate_end_turn(&gate, listener, NOW + RP_ACCEPT_GATE_OWED_US - 1u);
    ck_assert(!is_heard(listener));
}
END_TEST

START_TEST(a_listener_that_is_closed_waits_for_nothing)
{
    const int listener = open_listener();
    struct epoll_event event = {.events = 0};
    ck_assert(rp_accept_gate_has(&gate, listener));
    ck_assert_int_ne(fcntl(listener, F_GETFL) & O_NONBLOCK, 0);
    come(RP_ACCEPT_GATE_BURST + 1u);
    rp_accept_gate_end_turn(&gate, listener, NOW);
    ck_assert_int_eq(rp_accept_gate_control(&gate, epoll, EPOLL_CTL_DEL, listener, &event), 0);
    ck_assert(!rp_accept_gate_has(&gate, listener));
    ck_assert(!rp_accept_gate_is_waiting(&gate));
    ck_assert(!rp_accept_gate_has(&gate, -1));
    ck_assert(!rp_accept_gate_has(&gate, COUNT));
}
END_TEST

int main(void)
{
    const TTest *const tests[] = {
        a_burst_is_let_in_at_once,
        beyond_a_burst_listeners_wait_for_the_next_round,
        an_epoll_waits_no_longer_than_until_the_next_round,
        whoever_brings_a_message_owes_nothing,
        time_pays,
        no_more_is_owed_than_a_second_pays,
        a_listener_that_is_closed_waits_for_nothing,
    };
    return rp_suite_run("accept_gate", tests, sizeof tests / sizeof tests[0], 1, tear_down);
}
