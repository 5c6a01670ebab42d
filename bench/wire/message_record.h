/// @file
/// Message record: what one message took a daemon, in the plays so far. It crosses from the process
/// of a play to the one that prints it.
#ifndef REPLAN_BENCH_WIRE_MESSAGE_RECORD_H
#define REPLAN_BENCH_WIRE_MESSAGE_RECORD_H

#include <cjson/cJSON.h>
#include <stdio.h>

#include "bench/measure/cpu_sample.h"

typedef struct rp_message_record {
    const char *what; ///< static text; NULL: no play has it so far
    size_t size;      ///< bytes
    rp_cpu_sample_t taken;
    rp_strip_t rounds; ///< of the work that it left, owned
    double once_us;    ///< the longest step of any play, by the clock on the wall
} rp_message_record_t;

/// @param rounds  taken over
rp_message_record_t rp_message_record_of(const char *what, size_t size, rp_cpu_sample_t taken,
                                         const rp_strip_t *rounds);

/// What the same message took in another play. @param again  taken over
void rp_message_record_hold(rp_message_record_t *self, const rp_message_record_t *again);

/// A row of the table and of the results. The record is freed.
void rp_message_record_print(rp_message_record_t *self, const char *pages, cJSON *rows);

/// To a process of the same program, in which static text has the same address, and from it.
void rp_message_record_send(const rp_message_record_t *self, FILE *pipe);
bool rp_message_record_receive(rp_message_record_t *self, FILE *pipe);

#endif
