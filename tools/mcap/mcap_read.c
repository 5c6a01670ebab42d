#include "tools/mcap/mcap_read.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/array.h"
#include "tools/mcap/compression.h"

#define RECORD_HEAD  9u ///< opcode and length
#define MESSAGE_HEAD 22u

enum {
    OP_FOOTER = 0x02,
    OP_SCHEMA = 0x03,
    OP_CHANNEL = 0x04,
    OP_MESSAGE = 0x05,
    OP_CHUNK = 0x06,
    OP_DATA_END = 0x0f,
};

typedef struct reading {
    const rp_text_t *text;
    rp_mcap_take_t take;
    void *user;
    rp_complaint_t *complaint;
    rp_mcap_channel_t **channels; ///< by id, owned [channel_count]
    size_t channel_count;
    char **schemas; ///< names, by id, owned [schema_count]
    size_t schema_count;
    bool is_over; ///< the data ended as it should
} reading_t;

/// What is left of a record, or of many.
typedef struct bytes {
    const uint8_t *at;
    size_t left;
    size_t offset;    ///< of `at`, in the file or in the chunk
    const char *what; ///< "" in the file
} bytes_t;

static rp_status_t refuse(const reading_t *self, const bytes_t *bytes, const char *why)
{
    return rp_complain_at(self->complaint, self->text->name, bytes->offset, "%s%s", bytes->what,
                          why);
}

// ---- numbers and strings

static void advance(bytes_t *bytes, size_t count)
{
    bytes->at += count;
    bytes->left -= count;
    bytes->offset += count;
}

static bool take_number(bytes_t *bytes, size_t size, uint64_t *number)
{
    if (bytes->left < size) {
        return false;
    }
    *number = 0;
    for (size_t i = size; i > 0; i--) {
        *number = *number << 8 | bytes->at[i - 1];
    }
    advance(bytes, size);
    return true;
}

/// Some bytes that begin with their count, a number of `size` bytes.
static bool take_counted(bytes_t *bytes, size_t size, bytes_t *part)
{
    uint64_t count;
    if (!take_number(bytes, size, &count) || count > bytes->left) {
        return false;
    }
    *part = (bytes_t){bytes->at, (size_t)count, bytes->offset, bytes->what};
    advance(bytes, (size_t)count);
    return true;
}

static char *copy_text(const bytes_t *text)
{
    char *copy = malloc(text->left + 1u);
    if (copy != NULL) {
        memcpy(copy, text->at, text->left);
        copy[text->left] = '\0';
    }
    return copy;
}

// ---- records

static rp_status_t take_schema(reading_t *self, bytes_t record)
{
    const bytes_t whole = record;
    uint64_t id;
    bytes_t name;
    if (!take_number(&record, 2, &id) || !take_counted(&record, 4, &name)) {
        return refuse(self, &whole, "a schema that ends early");
    }
    if (!rp_array_reserve_zeroed(&self->schemas, &self->schema_count, id + 1u,
                                 sizeof *self->schemas)) {
        return rp_complain_memory(self->complaint, self->text->name);
    }
    free(self->schemas[id]);
    self->schemas[id] = copy_text(&name);
    return self->schemas[id] != NULL ? RP_OK
                                     : rp_complain_memory(self->complaint, self->text->name);
}

static void free_channel(rp_mcap_channel_t *channel)
{
    if (channel != NULL) {
        free(channel->topic);
        free(channel->encoding);
        free(channel->schema);
        free(channel);
    }
}

static rp_status_t take_channel(reading_t *self, bytes_t record)
{
    const bytes_t whole = record;
    uint64_t id;
    uint64_t schema;
    bytes_t topic;
    bytes_t encoding;
    if (!take_number(&record, 2, &id) || !take_number(&record, 2, &schema) ||
        !take_counted(&record, 4, &topic) || !take_counted(&record, 4, &encoding)) {
        return refuse(self, &whole, "a channel that ends early");
    }
    if (schema != 0 && (schema >= self->schema_count || self->schemas[schema] == NULL)) {
        return refuse(self, &whole, "a channel of a schema that did not come");
    }
    const char *name = schema != 0 ? self->schemas[schema] : "";
    const bytes_t span = {(const uint8_t *)name, strlen(name), 0, ""};
    rp_mcap_channel_t *channel = calloc(1, sizeof *channel);
    if (channel == NULL ||
        !rp_array_reserve_zeroed(&self->channels, &self->channel_count, id + 1u, sizeof(void *))) {
        free(channel);
        return rp_complain_memory(self->complaint, self->text->name);
    }
    channel->id = (uint16_t)id;
    channel->topic = copy_text(&topic);
    channel->encoding = copy_text(&encoding);
    channel->schema = copy_text(&span);
    free_channel(self->channels[id]);
    self->channels[id] = channel;
    const bool is_whole =
        channel->topic != NULL && channel->encoding != NULL && channel->schema != NULL;
    return is_whole ? RP_OK : rp_complain_memory(self->complaint, self->text->name);
}

static rp_status_t take_message(reading_t *self, bytes_t record)
{
    const bytes_t whole = record;
    rp_mcap_message_t message = {0};
    uint64_t id;
    uint64_t sequence;
    if (!take_number(&record, 2, &id) || !take_number(&record, 4, &sequence) ||
        !take_number(&record, 8, &message.log_ns) ||
        !take_number(&record, 8, &message.publish_ns)) {
        return refuse(self, &whole, "a message that ends early");
    }
    message.channel = id < self->channel_count ? self->channels[id] : NULL;
    if (message.channel == NULL) {
        return refuse(self, &whole, "a message of a channel that did not come");
    }
    message.data = record.at;
    message.size = record.left;
    return self->take(self->user, &message, self->complaint);
}

static rp_status_t take_records(reading_t *self, bytes_t bytes);

/// Check the sum of a chunk, where it has one, and take its records.
static rp_status_t take_unpacked(reading_t *self, const bytes_t *record, const bytes_t *records,
                                 uint64_t sum)
{
    if (sum != 0 && crc32_z(0, records->at, records->left) != sum) {
        return refuse(self, record, "a chunk whose sum is wrong");
    }
    return take_records(self, *records);
}

static rp_status_t take_packed(reading_t *self, const bytes_t *record, rp_text_span_t compression,
                               const bytes_t *packed, uint64_t size, uint64_t sum)
{
    if (size > RP_MCAP_CHUNK_MAX) {
        return rp_complain_at(self->complaint, self->text->name, record->offset,
                              "a chunk of %" PRIu64 " bytes, at most %" PRIu64 " are read", size,
                              RP_MCAP_CHUNK_MAX);
    }
    uint8_t *unpacked = malloc((size_t)size + 1u);
    if (unpacked == NULL) {
        return rp_complain_memory(self->complaint, self->text->name);
    }
    const char *why = rp_unpack(compression, packed->at, packed->left, unpacked, (size_t)size);
    const bytes_t records = {unpacked, (size_t)size, 0, "in a compressed chunk: "};
    const rp_status_t status =
        why != NULL ? rp_complain_at(self->complaint, self->text->name, record->offset,
                                     "a chunk that cannot be unpacked: %s", why)
                    : take_unpacked(self, record, &records, sum);
    free(unpacked);
    return status;
}

static rp_status_t take_chunk(reading_t *self, bytes_t record)
{
    const bytes_t whole = record;
    uint64_t time;
    uint64_t size;
    uint64_t sum;
    bytes_t name;
    bytes_t records;
    if (record.what[0] != '\0') {
        return refuse(self, &whole, "a chunk in a chunk");
    }
    if (!take_number(&record, 8, &time) || !take_number(&record, 8, &time) ||
        !take_number(&record, 8, &size) || !take_number(&record, 4, &sum) ||
        !take_counted(&record, 4, &name) || !take_counted(&record, 8, &records)) {
        return refuse(self, &whole, "a chunk that ends early");
    }
    const rp_text_span_t compression = {(const char *)name.at, name.left};
    return compression.length == 0 ? take_unpacked(self, &whole, &records, sum)
                                   : take_packed(self, &whole, compression, &records, size, sum);
}

static rp_status_t take_record(reading_t *self, uint64_t opcode, bytes_t record)
{
    switch (opcode) {
    case OP_SCHEMA:
        return take_schema(self, record);
    case OP_CHANNEL:
        return take_channel(self, record);
    case OP_MESSAGE:
        return take_message(self, record);
    case OP_CHUNK:
        return take_chunk(self, record);
    case OP_DATA_END:
    case OP_FOOTER:
        self->is_over = true; // what follows is a summary
        return RP_OK;
    default:
        return RP_OK;
    }
}

static rp_status_t take_records(reading_t *self, bytes_t bytes)
{
    rp_status_t status = RP_OK;
    while (status == RP_OK && bytes.left != 0 && !self->is_over) {
        const bytes_t before = bytes;
        uint64_t opcode;
        bytes_t record;
        if (!take_number(&bytes, 1, &opcode) || !take_counted(&bytes, 8, &record)) {
            return refuse(self, &before, "the file breaks off within a record");
        }
        status = take_record(self, opcode, record);
    }
    return status;
}

// ---- a file

rp_status_t rp_mcap_read(const rp_text_t *text, rp_mcap_take_t take, void *user,
                         rp_complaint_t *complaint)
{
    reading_t self = {.text = text, .take = take, .user = user, .complaint = complaint};
    bytes_t bytes = {(const uint8_t *)text->bytes, text->size, 0, ""};
    if (text->size < RP_MCAP_MAGIC_BYTES ||
        memcmp(text->bytes, RP_MCAP_MAGIC, RP_MCAP_MAGIC_BYTES) != 0) {
        return rp_complain_at(complaint, text->name, 0, "does not begin as an MCAP does");
    }
    advance(&bytes, RP_MCAP_MAGIC_BYTES);
    rp_status_t status = take_records(&self, bytes);
    if (status == RP_OK && !self.is_over) {
        status =
            rp_complain_at(complaint, text->name, text->size, "the file breaks off before its end");
    }
    for (size_t id = 0; id < self.channel_count; id++) {
        free_channel(self.channels[id]);
    }
    for (size_t id = 0; id < self.schema_count; id++) {
        free(self.schemas[id]);
    }
    free(self.channels);
    free(self.schemas);
    return status;
}
