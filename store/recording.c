/// Events and what was sent during each, gathered for a round of the daemon's loop and then
/// written.
#include "store/recording.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <zlib.h>

#include "msgs/codec.h"

struct rp_recording {
    rp_sink_t sink;
    rp_recording_result_t result; ///< since the last event
    rp_buffer_t walls;            ///< [result.walls] uint64_t
    rp_buffer_t losses;           ///< [result.losses] rp_recording_loss_t
    rp_buffer_t event;            ///< being put together
    const char *error;            ///< why it ended; NULL: it goes on
};

void rp_recording_result_add(rp_recording_result_t *self, const void *to, size_t to_size,
                             const void *bytes, size_t size)
{
    uLong sum = crc32_z(self->sum, to, to_size);
    sum = crc32_z(sum, bytes, size);
    self->sum = (uint32_t)sum;
    self->messages++;
    self->bytes += size;
}

// ---- writing

static void end(rp_recording_t *self, const char *why)
{
    self->error = self->error != NULL ? self->error : why;
}

const char *rp_recording_error(const rp_recording_t *self)
{
    return self->error;
}

uint64_t rp_recording_bytes(const rp_recording_t *self)
{
    return self->sink.bytes;
}

/// At the end of what is being put together.
static void put(rp_recording_t *self, rp_buffer_t *buffer, const void *bytes, size_t size)
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

static void add(rp_recording_t *self, rp_recording_kind_t kind, const rp_buffer_t *buffer)
{
    const rp_record_t record = {
        .kind = (rp_record_kind_t)kind, .bytes = buffer->bytes, .size = buffer->size};
    if (self->error == NULL && !rp_sink_add(&self->sink, &record)) {
        end(self, "no memory");
    }
}

/// The event before is over: what was sent during it goes behind it.
static void note_result(rp_recording_t *self)
{
    rp_recording_result_t *result = &self->result;
    if (result->messages != 0 || result->walls != 0 || result->sends != 0) {
        self->event.size = 0;
        put(self, &self->event, result, sizeof *result);
        put(self, &self->event, self->walls.bytes, self->walls.size);
        put(self, &self->event, self->losses.bytes, self->losses.size);
        add(self, RP_RECORDING_RESULT, &self->event);
    }
    *result = (rp_recording_result_t){0};
    self->walls.size = 0;
    self->losses.size = 0;
}

void rp_recording_event(rp_recording_t *self, rp_recording_kind_t kind,
                        const rp_recording_part_t *parts, size_t count)
{
    if (self->error != NULL) {
        return;
    }
    note_result(self);
    self->event.size = 0;
    for (size_t i = 0; i < count; i++) {
        put(self, &self->event, parts[i].bytes, parts[i].size);
    }
    add(self, kind, &self->event);
}

void rp_recording_sent(rp_recording_t *self, const void *to, size_t to_size, const void *bytes,
                       size_t size)
{
    rp_recording_result_add(&self->result, to, to_size, bytes, size);
    self->result.sends++;
}

void rp_recording_lost(rp_recording_t *self, uint32_t sent)
{
    const rp_recording_loss_t loss = {self->result.sends, sent};
    put(self, &self->losses, &loss, sizeof loss);
    self->result.losses++;
    self->result.sends++;
}

void rp_recording_published(rp_recording_t *self, const void *to, size_t to_size, const void *bytes,
                            size_t size)
{
    rp_recording_result_add(&self->result, to, to_size, bytes, size);
}

void rp_recording_wall(rp_recording_t *self, uint64_t wall_us)
{
    put(self, &self->walls, &wall_us, sizeof wall_us);
    self->result.walls++;
}

void rp_recording_pour(rp_recording_t *self)
{
    if (self->error != NULL) {
        return;
    }
    note_result(self);
    if (!rp_sink_pour(&self->sink)) {
        end(self, strerror(errno));
    }
}

// ---- birth and death

rp_recording_t *rp_recording_open(const char *file, const rp_recording_begin_t *begin, char *error,
                                  size_t room)
{
    rp_recording_t *self = calloc(1, sizeof *self);
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
    const rp_recording_part_t part = {begin, sizeof *begin};
    rp_recording_event(self, RP_RECORDING_BEGIN, &part, 1);
    rp_recording_pour(self);
    if (self->error != NULL) {
        (void)snprintf(error, room, "--record: cannot write \"%s\": %s", file, self->error);
        rp_recording_close(&self);
    }
    return self;
}

void rp_recording_close(rp_recording_t **self)
{
    rp_recording_t *recording = *self;
    if (recording == NULL) {
        return;
    }
    rp_recording_pour(recording);
    (void)close(recording->sink.file);
    free(recording->sink.gathered);
    rp_buffer_fini(&recording->walls);
    rp_buffer_fini(&recording->losses);
    rp_buffer_fini(&recording->event);
    free(recording);
    *self = NULL;
}

// ---- reading

/// The result that begins at a place. @return false when it is none
static bool read_result(const rp_record_t *record, rp_recorded_t *recorded)
{
    rp_recording_result_t *result = &recorded->result;
    if (record->size < sizeof *result) {
        return false;
    }
    memcpy(result, record->bytes, sizeof *result);
    const uint64_t walls = result->walls * (uint64_t)sizeof(uint64_t);
    const uint64_t losses = result->losses * (uint64_t)sizeof(rp_recording_loss_t);
    if (record->size != sizeof *result + walls + losses) {
        return false;
    }
    recorded->has_result = true;
    recorded->walls = record->bytes + sizeof *result;
    recorded->losses = recorded->walls + walls;
    return true;
}

rp_recorded_look_t rp_recording_next(const uint8_t *bytes, size_t size, size_t *at,
                                     rp_recorded_t *recorded)
{
    rp_record_t next;
    *recorded = (rp_recorded_t){.at = *at};
    if (!rp_record_at(bytes, size, *at, &recorded->event)) {
        return RP_RECORDED_ENDS;
    }
    *at += RP_RECORD_HEAD + recorded->event.size;
    bool has_next = rp_record_at(bytes, size, *at, &next);
    if (has_next && (rp_recording_kind_t)next.kind == RP_RECORDING_RESULT) {
        if (!read_result(&next, recorded)) {
            return RP_RECORDED_BROKEN;
        }
        *at += RP_RECORD_HEAD + next.size;
        has_next = rp_record_at(bytes, size, *at, &next);
    }
    recorded->is_last = !has_next;
    return RP_RECORDED;
}
