/// A daemon that is recorded: what goes out is dropped, time passes when the test says so.
#ifndef REPLAN_TESTS_DAEMON_RECORDED_H
#define REPLAN_TESTS_DAEMON_RECORDED_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "daemon/daemon.h"
#include "daemon/recorder.h"
#include "tests/support/suite.h"

static char file[64];
static rp_daemon_t served;
static rp_recorder_t *recorder;

static void publish(void *user, const char *topic, const void *bytes, size_t size)
{
    (void)user;
    (void)topic;
    (void)bytes;
    (void)size;
}

static void pass(uint64_t steady_us, int64_t wall_us)
{
    served.serving.now.steady_us += steady_us;
    served.serving.now.wall_us += (uint64_t)wall_us;
    rp_recorder_now(recorder, &served.serving.now);
}

static void work(uint64_t budget)
{
    rp_recorder_work(recorder, budget);
    rp_daemon_work(&served, budget);
}

/// @param transport  `publish` is filled in
static void open_recorded(rp_transport_t transport)
{
    char error[256];
    const rp_recording_begin_t begin = {
        .version = REPLAN_VERSION, .planner = "auto", .memory_bytes = 1u << 28};
    transport.publish = publish;
    strcpy(file, "/tmp/replan-recording-XXXXXX");
    (void)close(mkstemp(file));
    recorder = rp_recorder_open(file, &begin, error, sizeof error);
    ck_assert_msg(recorder != NULL, "%s", error);
    const rp_transport_t recorded = rp_recorder_transport(recorder, &transport);
    ck_assert_int_eq(rp_daemon_init(&served, &recorded, "auto", 0, begin.memory_bytes), RP_OK);
    served.serving.now = (rp_now_t){.steady_us = 1000000u, .wall_us = 1700000000000000u};
}

static void close_recorded(void)
{
    rp_daemon_fini(&served);
    rp_recorder_close(&recorder);
}

static void remove_recorded(void)
{
    if (recorder != NULL) {
        close_recorded();
    }
    (void)remove(file);
}

/// @param identity  a byte, the peer's name
static void send_recorded(uint64_t connection, uint8_t identity, const Replan__V1__Request *request)
{
    static rp_buffer_t packed;
    rp_peer_t peer = {.connection = connection};
    ck_assert(rp_peer_add(&peer, &identity, 1));
    ck_assert(rp_codec_pack(&packed, &request->base));
    rp_recorder_request(recorder, &peer, packed.bytes, packed.size);
    rp_daemon_request(&served, &peer, packed.bytes, packed.size);
    rp_buffer_fini(&packed);
}

#endif
