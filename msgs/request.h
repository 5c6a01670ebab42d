/// @file
/// Requests in one line.
#ifndef REPLAN_MSGS_REQUEST_H
#define REPLAN_MSGS_REQUEST_H

#include "replan.pb-c.h"

/// A request with this body: `RP_REQUEST(GET_ANSWER, get_answer, &get)`. The body is borrowed as
/// long as the request is used.
#define RP_REQUEST(body_case_, field, body)                                                        \
    (Replan__V1__Request)                                                                          \
    {                                                                                              \
        .base = PROTOBUF_C_MESSAGE_INIT(&replan__v1__request__descriptor),                         \
        .body_case = REPLAN__V1__REQUEST__BODY_##body_case_, .field = (body)                       \
    }

#endif
