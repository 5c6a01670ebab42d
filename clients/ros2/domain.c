/// Each variable adds what ROS' own layer over Cyclone DDS would add.
#include "clients/ros2/domain.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define DOMAIN_MOST 232u

rp_ros_environment_t rp_ros_environment_read(void)
{
    return (rp_ros_environment_t){
        .domain_id = getenv("ROS_DOMAIN_ID"),
        .localhost_only = getenv("ROS_LOCALHOST_ONLY"),
        .discovery_range = getenv("ROS_AUTOMATIC_DISCOVERY_RANGE"),
        .static_peers = getenv("ROS_STATIC_PEERS"),
        .uri = getenv("CYCLONEDDS_URI"),
    };
}

bool rp_ros_domain_id(const rp_ros_environment_t *environment, uint32_t *domain)
{
    const char *text = environment->domain_id;
    if (text == NULL || text[0] == '\0') {
        return true;
    }
    char *end;
    const unsigned long number = strtoul(text, &end, 10);
    if (text[0] < '0' || text[0] > '9' || *end != '\0' || number > DOMAIN_MOST) {
        return false;
    }
    *domain = (uint32_t)number;
    return true;
}

/// A text that grows, and remembers when it could not.
typedef struct sheet {
    char *text;
    size_t size;
    size_t length;
    bool is_full;
} sheet_t;

static void add(sheet_t *self, const char *format, ...) __attribute__((format(printf, 2, 3)));

static void add(sheet_t *self, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const size_t room = self->size - self->length;
    const int length = vsnprintf(self->text + self->length, room, format, arguments);
    va_end(arguments);
    self->is_full = self->is_full || length < 0 || (size_t)length >= room;
    self->length += self->is_full ? 0 : (size_t)length;
}

/// @return false for an address that would not stay one in XML
static bool add_peers(sheet_t *sheet, const char *peers)
{
    while (peers != NULL && *peers != '\0') {
        const size_t length = strcspn(peers, ";");
        if (strcspn(peers, "<>\"'&") < length) {
            return false;
        }
        if (length != 0) {
            add(sheet, "<Peer address=\"%.*s\"/>", (int)length, peers);
        }
        peers += length + (peers[length] == ';' ? 1 : 0);
    }
    return true;
}

static bool is(const char *value, const char *word)
{
    return value != NULL && strcmp(value, word) == 0;
}

const char *rp_ros_domain_config(const rp_ros_environment_t *environment, char *text, size_t size)
{
    sheet_t sheet = {.text = text, .size = size};
    const bool is_local = is(environment->discovery_range, "LOCALHOST");
    if (is(environment->discovery_range, "OFF")) {
        return "ROS_AUTOMATIC_DISCOVERY_RANGE is OFF: no robot can be found";
    }
    add(&sheet, "<CycloneDDS><Domain><General>");
    if (is(environment->localhost_only, "1")) {
        add(&sheet, "<Interfaces><NetworkInterface address=\"127.0.0.1\"/></Interfaces>");
    }
    add(&sheet, "%s</General><Discovery>",
        is_local ? "<AllowMulticast>false</AllowMulticast>" : "");
    add(&sheet, "<ParticipantIndex>auto</ParticipantIndex>"
                "<MaxAutoParticipantIndex>32</MaxAutoParticipantIndex><Peers>");
    add(&sheet, "%s", is_local ? "<Peer address=\"localhost\"/>" : "");
    if (!add_peers(&sheet, environment->static_peers)) {
        return "ROS_STATIC_PEERS has an address with one of < > \" ' &";
    }
    add(&sheet, "</Peers></Discovery></Domain></CycloneDDS>,");
    add(&sheet, "%s", environment->uri != NULL ? environment->uri : "");
    return sheet.is_full ? "ROS_STATIC_PEERS and CYCLONEDDS_URI are too long" : NULL;
}
