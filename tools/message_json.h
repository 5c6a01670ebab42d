/// @file
/// Prints any message of the wire as JSON: only fields that are set, by name; enums by name, bytes
/// in base64, numbers as numbers.
#ifndef REPLAN_TOOLS_MESSAGE_JSON_H
#define REPLAN_TOOLS_MESSAGE_JSON_H

#include <protobuf-c/protobuf-c.h>
#include <stdio.h>

/// On the line at hand.
void rp_message_print_json(FILE *stream, const ProtobufCMessage *message);

#endif
