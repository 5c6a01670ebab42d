/// One event after the other, each with its result: the clocks that the daemon reads for stamps and
/// the sends that are not taken come from there, and what it says must be as much as then.
#include "daemon/replay.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "daemon/recorder.h"

typedef struct replay {
    const char *file;
    uint8_t *bytes; ///< owned [size]
    size_t size;
    size_t at;                              ///< where the next event begins
    const rp_replay_spectator_t *spectator; ///< NULL: what the daemon says is compared
    rp_daemon_t daemon;
    bool has_begun;
    rp_recorded_t then;           ///< the event at hand, and what was sent during it
    rp_recording_result_t result; ///< by this daemon
    uint64_t events;
    uint64_t heard;    ///< messages in
    uint64_t messages; ///< and out
    uint64_t result_bytes;
} replay_t;

// ---- the way out

/// A send that was not taken then is not taken now.
static rp_sent_t send_control(void *user, const rp_peer_t *peer, const void *bytes, size_t size)
{
    replay_t *self = user;
    rp_recording_loss_t loss;
    if (self->spectator != NULL && rp_peer_is_equal(peer, &self->spectator->peer)) {
        self->spectator->hear(self->spectator->user, bytes, size);
        return RP_SENT;
    }
    const uint32_t index = self->result.sends++;
    if (self->result.losses < self->then.result.losses) {
        memcpy(&loss, self->then.losses + self->result.losses * sizeof loss, sizeof loss);
        if (loss.index == index) {
            self->result.losses++;
            return loss.sent == RP_SENT_FULL ? RP_SENT_FULL : RP_SENT_GONE;
        }
    }
    rp_recording_result_add(&self->result, peer->bytes, peer->size, bytes, size);
    return RP_SENT;
}

static void publish(void *user, const char *topic, const void *bytes, size_t size)
{
    replay_t *self = user;
    rp_recording_result_add(&self->result, topic, strlen(topic), bytes, size);
}

static uint64_t read_wall(void *user)
{
    replay_t *self = user;
    uint64_t wall_us = self->daemon.serving.now.wall_us;
    if (self->result.walls < self->then.result.walls) {
        memcpy(&wall_us, self->then.walls + self->result.walls * sizeof wall_us, sizeof wall_us);
    }
    self->result.walls++;
    return wall_us;
}

// ---- events

/// Take bytes from the front of a record. @return false when there are not so many
static bool take(rp_record_t *record, void *to, size_t size)
{
    if (record->size < size) {
        return false;
    }
    memcpy(to, record->bytes, size);
    record->bytes += size;
    record->size -= size;
    return true;
}

/// The same of a text with its end, which is borrowed. @return NULL when it has none
static const char *take_text(rp_record_t *record)
{
    const char *text = (const char *)record->bytes;
    const size_t length = record->size != 0 ? strnlen(text, record->size) : 0;
    if (length >= record->size) {
        return NULL;
    }
    record->bytes += length + 1u;
    record->size -= length + 1u;
    return text;
}

static bool begin(replay_t *self, rp_record_t *record)
{
    rp_recording_begin_t begin;
    const rp_transport_t transport = {
        .control = send_control, .publish = publish, .wall_us = read_wall, .user = self};
    if (self->has_begun || !take(record, &begin, sizeof begin) ||
        memchr(begin.planner, '\0', sizeof begin.planner) == NULL) {
        return false;
    }
    if (strncmp(begin.version, REPLAN_VERSION, sizeof begin.version) != 0) {
        fprintf(stderr, "repland: %s: recorded by replan %.*s, this is %s\n", self->file,
                (int)sizeof begin.version, begin.version, REPLAN_VERSION);
    }
    self->has_begun =
        rp_daemon_init(&self->daemon, &transport, begin.planner, 0, begin.memory_bytes) == RP_OK;
    self->daemon.serving.check_every = begin.check_every;
    return self->has_begun;
}

static bool play_map(replay_t *self, rp_record_t *record)
{
    rp_world_options_t map = {0};
    rp_refusal_t refusal;
    if (!take(record, &map.width, sizeof map.width) ||
        !take(record, &map.height, sizeof map.height) ||
        !take(record, &map.frame, sizeof map.frame)) {
        return false;
    }
    const char *name = take_text(record);
    map.profile = name != NULL ? take_text(record) : NULL;
    map.data = record->bytes;
    return map.profile != NULL && rp_check_name("map", name, &refusal) &&
           record->size == (uint64_t)map.width * map.height &&
           rp_daemon_open_map(&self->daemon, name, &map) == RP_OK;
}

static bool play_request(replay_t *self, rp_record_t *record)
{
    rp_peer_t peer = {0};
    if (!take(record, &peer.frame_count, sizeof peer.frame_count) ||
        !take(record, &peer.size, sizeof peer.size) ||
        !take(record, &peer.connection, sizeof peer.connection) || peer.size > sizeof peer.bytes ||
        peer.frame_count == 0 || !take(record, peer.bytes, peer.size)) {
        return false;
    }
    self->heard++;
    rp_daemon_request(&self->daemon, &peer, record->bytes, record->size);
    return true;
}

static bool play_published(replay_t *self, rp_record_t *record)
{
    uint32_t topic_size;
    if (!take(record, &topic_size, sizeof topic_size) || topic_size > record->size) {
        return false;
    }
    void (*hear)(rp_daemon_t *, const void *, size_t, const void *, size_t) =
        (rp_recording_kind_t)record->kind == RP_RECORDING_CHANGE ? rp_daemon_change
                                                                 : rp_daemon_pose;
    self->heard++;
    hear(&self->daemon, record->bytes, topic_size, record->bytes + topic_size,
         record->size - topic_size);
    return true;
}

static bool play_left(replay_t *self, rp_record_t *record)
{
    uint64_t connection;
    if (!take(record, &connection, sizeof connection)) {
        return false;
    }
    rp_daemon_left(&self->daemon, connection);
    return true;
}

static bool play_malformed(replay_t *self, rp_record_t *record)
{
    const char *socket = take_text(record);
    const char *sentence = socket != NULL ? take_text(record) : NULL;
    if (sentence == NULL) {
        return false;
    }
    rp_daemon_malformed(&self->daemon, socket, sentence);
    return true;
}

static bool play_outside(replay_t *self, rp_record_t *record)
{
    rp_stats_outside_t outside;
    if (!take(record, &outside, sizeof outside)) {
        return false;
    }
    (void)rp_stats_set_outside(&self->daemon.serving.stats, &outside);
    return true;
}

static bool play_work(replay_t *self, rp_record_t *record)
{
    uint64_t budget;
    if (!take(record, &budget, sizeof budget)) {
        return false;
    }
    rp_daemon_work(&self->daemon, budget);
    return true;
}

/// @return false when that is no event
static bool play(replay_t *self, rp_record_t *record)
{
    const rp_recording_kind_t kind = (rp_recording_kind_t)record->kind;
    if (self->has_begun == (kind == RP_RECORDING_BEGIN)) {
        return false;
    }
    switch (kind) {
    case RP_RECORDING_BEGIN:
        return begin(self, record);
    case RP_RECORDING_NOW:
        return take(record, &self->daemon.serving.now, sizeof self->daemon.serving.now);
    case RP_RECORDING_MAP:
        return play_map(self, record);
    case RP_RECORDING_REQUEST:
        return play_request(self, record);
    case RP_RECORDING_CHANGE:
    case RP_RECORDING_POSE:
        return play_published(self, record);
    case RP_RECORDING_LEFT:
        return play_left(self, record);
    case RP_RECORDING_MALFORMED:
        return play_malformed(self, record);
    case RP_RECORDING_OUTSIDE:
        return play_outside(self, record);
    case RP_RECORDING_WORK:
        return play_work(self, record);
    case RP_RECORDING_RESULT:
        break;
    }
    return false;
}

// ---- results

/// The last event of a torn recording has lost its result.
static bool is_same(const replay_t *self)
{
    return (self->then.is_last && !self->then.has_result) ||
           memcmp(&self->result, &self->then.result, sizeof self->result) == 0;
}

static int tell_difference(const replay_t *self, FILE *out)
{
    fprintf(out,
            "differs: event %llu, at byte %zu: said %llu messages of %llu bytes (sum %08x), the "
            "recording has %llu of %llu (%08x)\n",
            (unsigned long long)self->events, self->then.at,
            (unsigned long long)self->result.messages, (unsigned long long)self->result.bytes,
            self->result.sum, (unsigned long long)self->then.result.messages,
            (unsigned long long)self->then.result.bytes, self->then.result.sum);
    return 1;
}

/// Play to the end; without a spectator to the first difference.
/// @return 0, 1 with a difference, 2 with what is no recording
static int play_all(replay_t *self, FILE *out)
{
    rp_recorded_look_t look;
    while ((look = rp_recording_next(self->bytes, self->size, &self->at, &self->then)) !=
           RP_RECORDED_ENDS) {
        self->result = (rp_recording_result_t){0};
        if (look == RP_RECORDED_BROKEN || !play(self, &self->then.event)) {
            fprintf(stderr, "repland: %s: no recording of this version: byte %zu\n", self->file,
                    self->then.at);
            return 2;
        }
        self->events++;
        self->messages += self->result.messages;
        self->result_bytes += self->result.bytes;
        if (self->spectator != NULL) {
            self->spectator->look(self->spectator->user, &self->daemon);
        } else if (!is_same(self)) {
            return tell_difference(self, out);
        }
    }
    return 0;
}

static int compare(replay_t *self, FILE *out)
{
    const int code = play_all(self, out);
    if (code != 0) {
        return code;
    }
    if (!self->has_begun) {
        fprintf(stderr, "repland: %s: no recording\n", self->file);
        return 2;
    }
    fprintf(out, "the same: %llu events, %llu messages in, %llu out, %llu bytes%s\n",
            (unsigned long long)self->events, (unsigned long long)self->heard,
            (unsigned long long)self->messages, (unsigned long long)self->result_bytes,
            self->at != self->size ? "; the end of the recording is torn" : "");
    return 0;
}

/// Once more from the beginning, with another daemon.
static int show(replay_t *self, const rp_replay_spectator_t *spectator, FILE *out)
{
    if (self->has_begun) {
        rp_daemon_fini(&self->daemon);
    }
    *self = (replay_t){
        .file = self->file, .bytes = self->bytes, .size = self->size, .spectator = spectator};
    return play_all(self, out);
}

// ---- the file

static bool load(replay_t *self)
{
    FILE *file = fopen(self->file, "rb");
    bool is_read = file != NULL && fseek(file, 0, SEEK_END) == 0;
    const long size = is_read ? ftell(file) : -1;
    is_read = is_read && size >= 0 && fseek(file, 0, SEEK_SET) == 0;
    if (is_read) {
        self->size = (size_t)size;
        self->bytes = malloc(self->size + 1u);
        is_read = self->bytes != NULL && fread(self->bytes, 1, self->size, file) == self->size;
    }
    if (!is_read) {
        fprintf(stderr, "repland: --replay: cannot read \"%s\": %s\n", self->file, strerror(errno));
    }
    if (file != NULL) {
        (void)fclose(file);
    }
    return is_read;
}

int rp_replay(const char *file, const rp_replay_spectator_t *spectator, FILE *out)
{
    replay_t self = {.file = file};
    int code = load(&self) ? compare(&self, out) : 2;
    if (spectator != NULL && code != 2) {
        const int shown = show(&self, spectator, out);
        code = shown != 0 ? shown : code;
    }
    if (self.has_begun) {
        rp_daemon_fini(&self.daemon);
    }
    free(self.bytes);
    return code;
}
