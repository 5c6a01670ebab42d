/// @file
/// What tests of states begin with.
#ifndef REPLAN_TESTS_DAEMON_RULES_KEEPING_H
#define REPLAN_TESTS_DAEMON_RULES_KEEPING_H

#include "tests/daemon/heir.h"
#include "tests/support/suite.h"

static Replan__V1__Request request;

static const Replan__V1__Reply *apply_of(rp_wire_t *self, uint64_t incarnation, uint64_t sequence,
                                         uint32_t x)
{
    static Replan__V1__Apply body;
    replan__v1__apply__init(&body);
    replan__v1__request__init(&request);
    body.change = rp_wire_change(x, 1, 0);
    body.change->publisher = rp_text("lidar");
    body.change->incarnation = incarnation;
    body.change->sequence = sequence;
    request.body_case = REPLAN__V1__REQUEST__BODY_APPLY;
    request.apply = &body;
    return rp_wire_ask(self, 0, &request);
}

static const Replan__V1__Reply *apply_numbered(rp_wire_t *self, uint64_t sequence, uint32_t x)
{
    return apply_of(self, 7, sequence, x);
}

static uint8_t byte_at(const rp_wire_t *self, uint32_t x, uint32_t y)
{
    const rp_served_t *world = rp_wire_marsh(self);
    return rp_engine_bytes(self->daemon.serving.engine, world->id)[y * world->options.width + x];
}

/// Lay a disc of a byte on cell (2, 4) for so long.
static void put_disc_of(uint32_t id, uint32_t ttl_ms, uint8_t value)
{
    uint32_t corners = 1;
    double x = -2.0 + 0.25;
    double y = 2.25;
    Replan__V1__Overlay overlay = REPLAN__V1__OVERLAY__INIT;
    replan__v1__request__init(&request);
    overlay.world = rp_text("marsh");
    overlay.n_ids = overlay.n_corners = overlay.n_x = overlay.n_y = overlay.n_ttl_ms = 1;
    overlay.ids = &id;
    overlay.corners = &corners;
    overlay.x = &x;
    overlay.y = &y;
    overlay.ttl_ms = &ttl_ms;
    overlay.values = (ProtobufCBinaryData){1, &value};
    request.body_case = REPLAN__V1__REQUEST__BODY_OVERLAY;
    request.overlay = &overlay;
    (void)rp_wire_do(&rp_keeper, 0, &request);
}

static void put_disc(uint32_t id, uint32_t ttl_ms)
{
    put_disc_of(id, ttl_ms, 0);
}

#endif
