/// Events by their parts, and the way out with an ear on it.
#include "daemon/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/process/log.h"

struct rp_recorder {
    rp_recording_t *recording;
    rp_transport_t to;
    bool has_told; ///< that it ended
};

// ---- what is said

static rp_sent_t send_control(void *user, const rp_peer_t *peer, const void *bytes, size_t size)
{
    rp_recorder_t *self = user;
    const rp_sent_t sent = self->to.control(self->to.user, peer, bytes, size);
    if (sent == RP_SENT) {
        rp_recording_sent(self->recording, peer->bytes, peer->size, bytes, size);
    } else {
        rp_recording_lost(self->recording, sent);
    }
    return sent;
}

static void publish(void *user, const char *topic, const void *bytes, size_t size)
{
    rp_recorder_t *self = user;
    rp_recording_published(self->recording, topic, strlen(topic), bytes, size);
    self->to.publish(self->to.user, topic, bytes, size);
}

static uint64_t read_wall(void *user)
{
    rp_recorder_t *self = user;
    const uint64_t wall_us = self->to.wall_us(self->to.user);
    rp_recording_wall(self->recording, wall_us);
    return wall_us;
}

static rp_shared_buffer_t *keep(void *user, const void *body)
{
    rp_recorder_t *self = user;
    return self->to.keep != NULL ? self->to.keep(self->to.user, body) : NULL;
}

rp_transport_t rp_recorder_transport(rp_recorder_t *self, const rp_transport_t *to)
{
    self->to = *to;
    return (rp_transport_t){.control = send_control,
                            .publish = publish,
                            .wall_us = read_wall,
                            .keep = keep,
                            .user = self};
}

// ---- what comes in

#define COUNT(parts) (sizeof(parts) / sizeof(parts)[0])

/// @param parts  [count]
static void note(rp_recorder_t *self, rp_recording_kind_t kind, const rp_recording_part_t *parts,
                 size_t count)
{
    if (self != NULL) {
        rp_recording_event(self->recording, kind, parts, count);
    }
}

void rp_recorder_now(rp_recorder_t *self, const rp_now_t *now)
{
    note(self, RP_RECORDING_NOW, &(rp_recording_part_t){now, sizeof *now}, 1);
}

void rp_recorder_map(rp_recorder_t *self, const char *name, const rp_world_options_t *map)
{
    const rp_recording_part_t parts[] = {
        {&map->width, sizeof map->width},          {&map->height, sizeof map->height},
        {&map->frame, sizeof map->frame},          {name, strlen(name) + 1u},
        {map->profile, strlen(map->profile) + 1u}, {map->data, (size_t)map->width * map->height}};
    note(self, RP_RECORDING_MAP, parts, COUNT(parts));
}

void rp_recorder_request(rp_recorder_t *self, const rp_peer_t *peer, const void *body, size_t size)
{
    const rp_recording_part_t parts[] = {{&peer->frame_count, sizeof peer->frame_count},
                                         {&peer->size, sizeof peer->size},
                                         {&peer->connection, sizeof peer->connection},
                                         {peer->bytes, peer->size},
                                         {body, size}};
    note(self, RP_RECORDING_REQUEST, parts, COUNT(parts));
}

void rp_recorder_published(rp_recorder_t *self, rp_recording_kind_t kind, const void *topic,
                           size_t topic_size, const void *body, size_t size)
{
    const uint32_t length = (uint32_t)topic_size;
    const rp_recording_part_t parts[] = {
        {&length, sizeof length}, {topic, topic_size}, {body, size}};
    note(self, kind, parts, COUNT(parts));
}

void rp_recorder_left(rp_recorder_t *self, uint64_t connection)
{
    note(self, RP_RECORDING_LEFT, &(rp_recording_part_t){&connection, sizeof connection}, 1);
}

void rp_recorder_malformed(rp_recorder_t *self, const char *socket, const char *sentence)
{
    const rp_recording_part_t parts[] = {{socket, strlen(socket) + 1u},
                                         {sentence, strlen(sentence) + 1u}};
    note(self, RP_RECORDING_MALFORMED, parts, COUNT(parts));
}

void rp_recorder_outside(rp_recorder_t *self, const rp_stats_outside_t *outside)
{
    note(self, RP_RECORDING_OUTSIDE, &(rp_recording_part_t){outside, sizeof *outside}, 1);
}

void rp_recorder_work(rp_recorder_t *self, uint64_t budget)
{
    note(self, RP_RECORDING_WORK, &(rp_recording_part_t){&budget, sizeof budget}, 1);
}

void rp_recorder_pour(rp_recorder_t *self)
{
    if (self == NULL) {
        return;
    }
    rp_recording_pour(self->recording);
    const char *error = rp_recording_error(self->recording);
    if (error != NULL && !self->has_told) {
        self->has_told = true;
        rp_log(RP_LOG_ERROR, "record", "error=\"%s\" bytes=%llu: it ends here", error,
               (unsigned long long)rp_recording_bytes(self->recording));
    }
}

// ---- birth and death

rp_recorder_t *rp_recorder_open(const char *file, const rp_recording_begin_t *begin, char *error,
                                size_t room)
{
    rp_recorder_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        (void)snprintf(error, room, "no memory");
        return NULL;
    }
    self->recording = rp_recording_open(file, begin, error, room);
    if (self->recording == NULL) {
        free(self);
        self = NULL;
    }
    return self;
}

void rp_recorder_close(rp_recorder_t **self)
{
    if (*self != NULL) {
        rp_recorder_pour(*self);
        rp_recording_close(&(*self)->recording);
        free(*self);
        *self = NULL;
    }
}
