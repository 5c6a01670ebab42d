/// Events and what was said during each, gathered for a round of the loop and then written.
#include "daemon/recorder.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "daemon/process/log.h"
#include "store/record.h"

struct rp_recorder {
    rp_sink_t sink;
    rp_transport_t to;
    rp_recording_said_t said; ///< since the last event
    rp_buffer_t walls;        ///< [said.walls] uint64_t
    rp_buffer_t losses;       ///< [said.losses] rp_recording_loss_t
    rp_buffer_t event;        ///< being put together
    bool is_over;             ///< something of it could not be kept: the recording ends before that
};

// ---- bytes

void rp_recording_said_add(rp_recording_said_t *self, const void *to, size_t to_size,
                           const void *bytes, size_t size)
{
    uLong sum = crc32_z(self->sum, to, to_size);
    sum = crc32_z(sum, bytes, size);
    self->sum = (uint32_t)sum;
    self->messages++;
    self->bytes += size;
}

static void end(rp_recorder_t *self, const char *why)
{
    if (!self->is_over) {
        rp_log(RP_LOG_ERROR, "record", "error=\"%s\" bytes=%llu: it ends here", why,
               (unsigned long long)self->sink.bytes);
    }
    self->is_over = true;
}

/// At the end of what is being put together.
static void put(rp_recorder_t *self, rp_buffer_t *buffer, const void *bytes, size_t size)
{
    if (size == 0) {
        return;
    }
    if (!rp_buffer_reserve(buffer, size)) {
        end(self, "no memory");
        return;
    }
    memcpy(buffer->bytes + buffer->size, bytes, size);
    buffer->size += size;
}

static void add(rp_recorder_t *self, rp_recording_kind_t kind, const rp_buffer_t *buffer)
{
    const rp_record_t record = {
        .kind = (rp_record_kind_t)kind, .bytes = buffer->bytes, .size = buffer->size};
    if (!self->is_over && !rp_sink_add(&self->sink, &record)) {
        end(self, "no memory");
    }
}

// ---- what was said

/// The event before is over: what was said during it goes behind it.
static void note_result(rp_recorder_t *self)
{
    rp_recording_said_t *said = &self->said;
    if (said->messages != 0 || said->walls != 0 || said->sends != 0) {
        self->event.size = 0;
        put(self, &self->event, said, sizeof *said);
        put(self, &self->event, self->walls.bytes, self->walls.size);
        put(self, &self->event, self->losses.bytes, self->losses.size);
        add(self, RP_RECORDING_RESULT, &self->event);
    }
    *said = (rp_recording_said_t){0};
    self->walls.size = 0;
    self->losses.size = 0;
}

static rp_sent_t send_control(void *user, const rp_peer_t *peer, const void *bytes, size_t size)
{
    rp_recorder_t *self = user;
    const rp_sent_t sent = self->to.control(self->to.user, peer, bytes, size);
    if (sent == RP_SENT) {
        rp_recording_said_add(&self->said, peer->bytes, peer->size, bytes, size);
    } else {
        const rp_recording_loss_t loss = {self->said.sends, sent};
        put(self, &self->losses, &loss, sizeof loss);
        self->said.losses++;
    }
    self->said.sends++;
    return sent;
}

static void publish(void *user, const char *topic, const void *bytes, size_t size)
{
    rp_recorder_t *self = user;
    rp_recording_said_add(&self->said, topic, strlen(topic), bytes, size);
    self->to.publish(self->to.user, topic, bytes, size);
}

static uint64_t read_wall(void *user)
{
    rp_recorder_t *self = user;
    const uint64_t wall_us = self->to.wall_us(self->to.user);
    put(self, &self->walls, &wall_us, sizeof wall_us);
    self->said.walls++;
    return wall_us;
}

static rp_shared_buffer_t *keep(void *user, const void *body)
{
    rp_recorder_t *self = user;
    return self->to.keep != NULL ? self->to.keep(self->to.user, body) : NULL;
}

rp_transport_t rp_recorder_outlet(rp_recorder_t *self, const rp_transport_t *to)
{
    self->to = *to;
    return (rp_transport_t){.control = send_control,
                            .publish = publish,
                            .wall_us = read_wall,
                            .keep = keep,
                            .user = self};
}

// ---- what comes in

/// @return false when nothing is recorded
static bool begin_event(rp_recorder_t *self)
{
    if (self == NULL || self->is_over) {
        return false;
    }
    note_result(self);
    self->event.size = 0;
    return true;
}

/// Add an event that consists of a few bytes.
static void note(rp_recorder_t *self, rp_recording_kind_t kind, const void *bytes, size_t size)
{
    if (begin_event(self)) {
        put(self, &self->event, bytes, size);
        add(self, kind, &self->event);
    }
}

void rp_recorder_now(rp_recorder_t *self, const rp_now_t *now)
{
    note(self, RP_RECORDING_NOW, now, sizeof *now);
}

void rp_recorder_map(rp_recorder_t *self, const char *name, uint32_t width, uint32_t height,
                     const uint8_t *factors)
{
    if (begin_event(self)) {
        put(self, &self->event, &width, sizeof width);
        put(self, &self->event, &height, sizeof height);
        put(self, &self->event, name, strlen(name) + 1u);
        put(self, &self->event, factors, (size_t)width * height);
        add(self, RP_RECORDING_MAP, &self->event);
    }
}

void rp_recorder_request(rp_recorder_t *self, const rp_peer_t *peer, const void *body, size_t size)
{
    if (begin_event(self)) {
        put(self, &self->event, &peer->frame_count, sizeof peer->frame_count);
        put(self, &self->event, &peer->size, sizeof peer->size);
        put(self, &self->event, &peer->connection, sizeof peer->connection);
        put(self, &self->event, peer->bytes, peer->size);
        put(self, &self->event, body, size);
        add(self, RP_RECORDING_REQUEST, &self->event);
    }
}

void rp_recorder_published(rp_recorder_t *self, rp_recording_kind_t kind, const void *topic,
                           size_t topic_size, const void *body, size_t size)
{
    const uint32_t length = (uint32_t)topic_size;
    if (begin_event(self)) {
        put(self, &self->event, &length, sizeof length);
        put(self, &self->event, topic, topic_size);
        put(self, &self->event, body, size);
        add(self, kind, &self->event);
    }
}

void rp_recorder_left(rp_recorder_t *self, uint64_t connection)
{
    note(self, RP_RECORDING_LEFT, &connection, sizeof connection);
}

void rp_recorder_malformed(rp_recorder_t *self, const char *socket, const char *sentence)
{
    if (begin_event(self)) {
        put(self, &self->event, socket, strlen(socket) + 1u);
        put(self, &self->event, sentence, strlen(sentence) + 1u);
        add(self, RP_RECORDING_MALFORMED, &self->event);
    }
}

void rp_recorder_outside(rp_recorder_t *self, const rp_stats_outside_t *outside)
{
    note(self, RP_RECORDING_OUTSIDE, outside, sizeof *outside);
}

void rp_recorder_work(rp_recorder_t *self, uint64_t budget)
{
    note(self, RP_RECORDING_WORK, &budget, sizeof budget);
}

void rp_recorder_pour(rp_recorder_t *self)
{
    if (begin_event(self) && !rp_sink_pour(&self->sink)) {
        end(self, strerror(errno));
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
    self->sink.file = open(file, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    if (self->sink.file < 0) {
        (void)snprintf(error, room, "--record: cannot write \"%s\": %s", file, strerror(errno));
        free(self);
        return NULL;
    }
    note(self, RP_RECORDING_BEGIN, begin, sizeof *begin);
    rp_recorder_pour(self);
    if (self->is_over) {
        (void)snprintf(error, room, "--record: cannot write \"%s\"", file);
        rp_recorder_close(&self);
    }
    return self;
}

void rp_recorder_close(rp_recorder_t **self)
{
    rp_recorder_t *recorder = *self;
    if (recorder == NULL) {
        return;
    }
    rp_recorder_pour(recorder);
    (void)close(recorder->sink.file);
    free(recorder->sink.gathered);
    rp_buffer_fini(&recorder->walls);
    rp_buffer_fini(&recorder->losses);
    rp_buffer_fini(&recorder->event);
    free(recorder);
    *self = NULL;
}
