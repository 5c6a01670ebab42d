/// @file
/// What tests of watches begin with.
#ifndef REPLAN_TESTS_DAEMON_REQUESTS_WATCHING_H
#define REPLAN_TESTS_DAEMON_REQUESTS_WATCHING_H

#include "msgs/request.h"
#include "tests/daemon/wire.h"
#include "tests/support/suite.h"

static rp_wire_t wire;

static void tear_down(void)
{
    rp_wire_close(&wire);
}

#define PEER 2u

/// The next message of the watch, which must be of this kind.
static const Replan__V1__ToClient *expect(Replan__V1__ToClient__BodyCase kind)
{
    const Replan__V1__ToClient *message = rp_wire_next(&wire, PEER);
    ck_assert_msg(message != NULL, "nothing came, not %d", kind);
    ck_assert_int_eq(message->body_case, kind);
    return message;
}

static void expect_nothing(void)
{
    const Replan__V1__ToClient *message = rp_wire_next(&wire, PEER);
    ck_assert_msg(message == NULL, "a message of kind %d",
                  message != NULL ? message->body_case : 0);
}

static Replan__V1__Request credit_request(Replan__V1__Credit *credit, uint32_t watch, uint32_t more)
{
    replan__v1__credit__init(credit);
    credit->watch = watch;
    credit->credit = more;
    Replan__V1__Request request = RP_REQUEST(CREDIT, credit, credit);
    return request;
}

/// Unnumbered, so that no reply comes between.
static void grant(uint32_t watch, uint32_t more)
{
    Replan__V1__Credit credit;
    const Replan__V1__Request request = credit_request(&credit, watch, more);
    rp_wire_send(&wire, PEER, &request);
    rp_wire_work(&wire);
}

static void block(uint32_t x, uint32_t y)
{
    (void)rp_wire_apply(&wire, 0, rp_wire_change(x, y, 0), REPLAN__V1__WAIT__SETTLED);
}

#endif
