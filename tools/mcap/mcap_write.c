#include "tools/mcap/mcap_write.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

#include "base/array.h"
#include "tools/mcap/compression.h"
#include "tools/mcap/mcap_read.h"

enum {
    OP_HEADER = 0x01,
    OP_FOOTER = 0x02,
    OP_SCHEMA = 0x03,
    OP_CHANNEL = 0x04,
    OP_MESSAGE = 0x05,
    OP_CHUNK = 0x06,
    OP_MESSAGE_INDEX = 0x07,
    OP_CHUNK_INDEX = 0x08,
    OP_STATISTICS = 0x0b,
    OP_SUMMARY_OFFSET = 0x0e,
    OP_DATA_END = 0x0f,
};

/// Where a message lies in the chunk that is being filled.
typedef struct entry {
    uint16_t channel;
    uint64_t log_ns;
    uint64_t offset;
} entry_t;

typedef struct span {
    uint64_t first_ns;
    uint64_t last_ns;
} span_t;

struct rp_mcap_writer {
    FILE *file;
    const char *path; ///< borrowed
    const char *compression;
    uint64_t offset; ///< bytes written so far
    int error;       ///< errno of the first write that failed; 0: none
    rp_output_t chunk;
    entry_t *entries; ///< of the chunk, owned [entry_count]
    size_t entry_count;
    size_t entry_capacity;
    span_t span;          ///< of the chunk's messages
    span_t whole;         ///< of all messages
    rp_output_t schemas;  ///< records, once more for the summary
    rp_output_t channels; ///< the same
    rp_output_t indexes;  ///< a CHUNK_INDEX for each chunk
    rp_output_t scratch;
    uint64_t *counts; ///< messages, by channel; owned [channel_count + 1]
    size_t count_capacity;
    uint16_t schema_count;
    uint16_t channel_count;
    uint32_t chunk_count;
    uint64_t message_count;
};

// ---- bytes

static void put(rp_output_t *out, size_t size, uint64_t number)
{
    for (size_t i = 0; i < size; i++) {
        rp_output_add_byte(out, (uint8_t)(number >> (8u * i)));
    }
}

static void put_text(rp_output_t *out, const char *text)
{
    put(out, 4, strlen(text));
    rp_output_add(out, text, strlen(text));
}

/// Open a record. @return where its length stands
static size_t begin(rp_output_t *out, uint8_t opcode)
{
    rp_output_add_byte(out, opcode);
    put(out, 8, 0);
    return out->size - 8u;
}

static void end(rp_output_t *out, size_t at)
{
    if (out->is_short) {
        return;
    }
    const uint64_t length = out->size - at - 8u;
    for (unsigned i = 0; i < 8; i++) {
        out->bytes[at + i] = (uint8_t)(length >> (8u * i));
    }
}

static void write_bytes(rp_mcap_writer_t *self, const void *bytes, size_t size)
{
    if (self->error == 0 && fwrite(bytes, 1, size, self->file) != size) {
        self->error = errno;
    }
    self->offset += size;
}

/// Write what was put together, and begin anew.
static void write_out(rp_mcap_writer_t *self, rp_output_t *out)
{
    write_bytes(self, out->bytes, out->size);
    self->error = self->error == 0 && out->is_short ? ENOMEM : self->error;
    out->size = 0;
}

/// Memory lacked for a message: the file is not whole.
static void note_shortage(rp_mcap_writer_t *self)
{
    self->error = self->error == 0 && self->chunk.is_short ? ENOMEM : self->error;
}

// ---- chunks

/// By channel, and within one in the order in which they came.
static int compare_entries(const void *left, const void *right)
{
    const entry_t *a = left, *b = right;
    return a->channel != b->channel ? (a->channel > b->channel) - (a->channel < b->channel)
                                    : (a->offset > b->offset) - (a->offset < b->offset);
}

/// @param entries  of one channel [count]
static void write_message_index(rp_mcap_writer_t *self, const entry_t *entries, size_t count)
{
    const size_t at = begin(&self->scratch, OP_MESSAGE_INDEX);
    put(&self->scratch, 2, entries->channel);
    put(&self->scratch, 4, 16u * count);
    for (size_t i = 0; i < count; i++) {
        put(&self->scratch, 8, entries[i].log_ns);
        put(&self->scratch, 8, entries[i].offset);
    }
    end(&self->scratch, at);
    write_out(self, &self->scratch);
}

/// One index for each channel that the chunk has messages of. @param places  where, as CHUNK_INDEX
/// says it
static void write_message_indexes(rp_mcap_writer_t *self, rp_output_t *places)
{
    const entry_t *entries = self->entries;
    size_t count;
    if (self->entry_count != 0) {
        qsort(self->entries, self->entry_count, sizeof *self->entries, compare_entries);
    }
    for (size_t i = 0; i < self->entry_count; i += count) {
        count = 1;
        while (i + count < self->entry_count && entries[i + count].channel == entries[i].channel) {
            count++;
        }
        put(places, 2, entries[i].channel);
        put(places, 8, self->offset);
        write_message_index(self, entries + i, count);
    }
}

static void put_chunk_index(rp_mcap_writer_t *self, uint64_t chunk_offset, uint64_t chunk_length,
                            uint64_t index_length, const rp_output_t *places, size_t packed)
{
    rp_output_t *out = &self->indexes;
    const size_t at = begin(out, OP_CHUNK_INDEX);
    put(out, 8, self->span.first_ns);
    put(out, 8, self->span.last_ns);
    put(out, 8, chunk_offset);
    put(out, 8, chunk_length);
    put(out, 4, places->size);
    rp_output_add(out, places->bytes, places->size);
    put(out, 8, index_length);
    put_text(out, self->compression);
    put(out, 8, packed);
    put(out, 8, self->chunk.size);
    end(out, at);
}

static void write_chunk(rp_mcap_writer_t *self)
{
    rp_output_t packed = {0};
    rp_output_t places = {0};
    const uint64_t chunk_offset = self->offset;
    note_shortage(self);
    if (self->chunk.size == 0) {
        return;
    }
    if (!rp_pack(self->compression, self->chunk.bytes, self->chunk.size, &packed)) {
        self->error = self->error == 0 ? ENOMEM : self->error;
    }
    const size_t at = begin(&self->scratch, OP_CHUNK);
    put(&self->scratch, 8, self->span.first_ns);
    put(&self->scratch, 8, self->span.last_ns);
    put(&self->scratch, 8, self->chunk.size);
    put(&self->scratch, 4, crc32_z(0, self->chunk.bytes, self->chunk.size));
    put_text(&self->scratch, self->compression);
    put(&self->scratch, 8, packed.size);
    rp_output_add(&self->scratch, packed.bytes, packed.size);
    end(&self->scratch, at);
    write_out(self, &self->scratch);
    const uint64_t chunk_end = self->offset;
    write_message_indexes(self, &places);
    put_chunk_index(self, chunk_offset, chunk_end - chunk_offset, self->offset - chunk_end, &places,
                    packed.size);
    self->error = self->error == 0 && fflush(self->file) != 0 ? errno : self->error;
    self->chunk_count++;
    self->chunk.size = 0;
    self->entry_count = 0;
    self->span = (span_t){0};
    rp_output_fini(&packed);
    rp_output_fini(&places);
}

// ---- what is recorded

/// A record for the chunk and for the summary.
static void add_twice(rp_mcap_writer_t *self, rp_output_t *summary, size_t from)
{
    if (!summary->is_short) {
        rp_output_add(&self->chunk, summary->bytes + from, summary->size - from);
    }
}

uint16_t rp_mcap_writer_schema(rp_mcap_writer_t *self, const char *name, const uint8_t *descriptors,
                               size_t size)
{
    const size_t from = self->schemas.size;
    const size_t at = begin(&self->schemas, OP_SCHEMA);
    put(&self->schemas, 2, ++self->schema_count);
    put_text(&self->schemas, name);
    put_text(&self->schemas, "protobuf");
    put(&self->schemas, 4, size);
    rp_output_add(&self->schemas, descriptors, size);
    end(&self->schemas, at);
    add_twice(self, &self->schemas, from);
    return self->schema_count;
}

uint16_t rp_mcap_writer_channel(rp_mcap_writer_t *self, uint16_t schema, const char *topic)
{
    const size_t from = self->channels.size;
    const size_t at = begin(&self->channels, OP_CHANNEL);
    put(&self->channels, 2, ++self->channel_count);
    put(&self->channels, 2, schema);
    put_text(&self->channels, topic);
    put_text(&self->channels, "protobuf");
    put(&self->channels, 4, 0); // no metadata
    end(&self->channels, at);
    add_twice(self, &self->channels, from);
    if (rp_array_reserve(&self->counts, &self->count_capacity, self->channel_count + 1u,
                         sizeof *self->counts)) {
        self->counts[self->channel_count] = 0;
    } else {
        self->error = ENOMEM;
    }
    return self->channel_count;
}

static void widen(span_t *span, uint64_t log_ns, bool is_first)
{
    span->first_ns = is_first || log_ns < span->first_ns ? log_ns : span->first_ns;
    span->last_ns = is_first || log_ns > span->last_ns ? log_ns : span->last_ns;
}

void rp_mcap_writer_message(rp_mcap_writer_t *self, uint16_t channel, uint64_t log_ns,
                            const uint8_t *bytes, size_t size)
{
    if (self->error != 0 || !rp_array_reserve(&self->entries, &self->entry_capacity,
                                              self->entry_count + 1u, sizeof *self->entries)) {
        self->error = self->error == 0 ? ENOMEM : self->error;
        return;
    }
    widen(&self->span, log_ns, self->entry_count == 0);
    widen(&self->whole, log_ns, self->message_count == 0);
    self->entries[self->entry_count++] = (entry_t){channel, log_ns, self->chunk.size};
    const size_t at = begin(&self->chunk, OP_MESSAGE);
    put(&self->chunk, 2, channel);
    put(&self->chunk, 4, (uint32_t)self->counts[channel]++);
    put(&self->chunk, 8, log_ns);
    put(&self->chunk, 8, log_ns);
    rp_output_add(&self->chunk, bytes, size);
    end(&self->chunk, at);
    self->message_count++;
    note_shortage(self);
    if (self->chunk.size >= RP_MCAP_CHUNK_BYTES) {
        write_chunk(self);
    }
}

// ---- the ends

rp_status_t rp_mcap_writer_open(rp_mcap_writer_t **out, const char *path, const char *compression,
                                rp_complaint_t *complaint)
{
    const char *chosen = compression != NULL ? compression : rp_pack_best();
    if (!rp_pack_can(chosen)) {
        return rp_complain(complaint, path, 0, "compression \"%s\" is none of \"\"%s", chosen,
                           rp_pack_names());
    }
    rp_mcap_writer_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return rp_complain_memory(complaint, path);
    }
    *self = (rp_mcap_writer_t){.path = path, .compression = chosen, .file = fopen(path, "wb")};
    if (self->file == NULL) {
        free(self);
        return rp_complain(complaint, path, 0, "cannot be written: %s", strerror(errno));
    }
    rp_output_add(&self->scratch, RP_MCAP_MAGIC, RP_MCAP_MAGIC_BYTES);
    const size_t at = begin(&self->scratch, OP_HEADER);
    put_text(&self->scratch, ""); // no profile
    put_text(&self->scratch, "replan");
    end(&self->scratch, at);
    write_out(self, &self->scratch);
    *out = self;
    return RP_OK;
}

static void put_statistics(rp_mcap_writer_t *self, rp_output_t *out)
{
    const size_t at = begin(out, OP_STATISTICS);
    put(out, 8, self->message_count);
    put(out, 2, self->schema_count);
    put(out, 4, self->channel_count);
    put(out, 4, 0); // attachments
    put(out, 4, 0); // metadata
    put(out, 4, self->chunk_count);
    put(out, 8, self->whole.first_ns);
    put(out, 8, self->whole.last_ns);
    put(out, 4, 10u * self->channel_count);
    for (uint32_t channel = 1; channel <= self->channel_count; channel++) {
        put(out, 2, channel);
        put(out, 8, self->counts[channel]);
    }
    end(out, at);
}

static void put_summary_offset(rp_output_t *out, uint8_t opcode, uint64_t start, uint64_t length)
{
    if (length == 0) {
        return;
    }
    const size_t at = begin(out, OP_SUMMARY_OFFSET);
    rp_output_add_byte(out, opcode);
    put(out, 8, start);
    put(out, 8, length);
    end(out, at);
}

/// Schemas, channels, statistics, indexes of chunks; where each of these begins; and the footer.
static void write_summary(rp_mcap_writer_t *self)
{
    rp_output_t statistics = {0};
    put_statistics(self, &statistics);
    rp_output_t *const groups[] = {&self->schemas, &self->channels, &statistics, &self->indexes};
    static const uint8_t opcodes[] = {OP_SCHEMA, OP_CHANNEL, OP_STATISTICS, OP_CHUNK_INDEX};
    rp_output_t offsets = {0};
    const uint64_t start = self->offset;
    for (size_t i = 0; i < sizeof opcodes; i++) {
        put_summary_offset(&offsets, opcodes[i], self->offset, groups[i]->size);
        write_out(self, groups[i]);
    }
    const uint64_t offset_start = self->offset;
    write_out(self, &offsets);
    const size_t at = begin(&self->scratch, OP_FOOTER);
    put(&self->scratch, 8, start);
    put(&self->scratch, 8, offset_start);
    put(&self->scratch, 4, 0); // no sum
    end(&self->scratch, at);
    rp_output_add(&self->scratch, RP_MCAP_MAGIC, RP_MCAP_MAGIC_BYTES);
    write_out(self, &self->scratch);
    rp_output_fini(&statistics);
    rp_output_fini(&offsets);
}

rp_status_t rp_mcap_writer_close(rp_mcap_writer_t **owner, rp_complaint_t *complaint)
{
    rp_mcap_writer_t *self = *owner;
    rp_status_t status = RP_OK;
    if (self == NULL) {
        return RP_OK;
    }
    write_chunk(self);
    const size_t at = begin(&self->scratch, OP_DATA_END);
    put(&self->scratch, 4, 0); // no sum
    end(&self->scratch, at);
    write_out(self, &self->scratch);
    write_summary(self);
    if (fclose(self->file) != 0 && self->error == 0) {
        self->error = errno;
    }
    if (self->error != 0) {
        status =
            rp_complain(complaint, self->path, 0, "cannot be written: %s", strerror(self->error));
    }
    rp_output_t *const outs[] = {&self->chunk, &self->schemas, &self->channels, &self->indexes,
                                 &self->scratch};
    for (size_t i = 0; i < sizeof outs / sizeof outs[0]; i++) {
        rp_output_fini(outs[i]);
    }
    free(self->entries);
    free(self->counts);
    free(self);
    *owner = NULL;
    return status;
}

bool rp_mcap_writer_has_failed(const rp_mcap_writer_t *self)
{
    return self->error != 0;
}
