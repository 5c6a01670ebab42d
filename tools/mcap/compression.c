/// lz4 and zstd.
#include "tools/mcap/compression.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#ifdef REPLAN_HAS_ZSTD
#include <zstd.h>
#endif
#ifdef REPLAN_HAS_LZ4
#include <lz4frame.h>
#endif

#define ZSTD_MAGIC       "\x28\xb5\x2f\xfd"
#define ZSTD_MAGIC_BYTES 4u

/// A compression that replan was built with.
typedef struct compression {
    const char *name;

    /// @return the most bytes that packing may take
    size_t (*bound)(size_t size);

    /// @return how many bytes it took; 0 when it failed
    size_t (*pack)(const uint8_t *bytes, size_t size, uint8_t *out, size_t room);

    /// @return NULL, or why it cannot be unpacked
    const char *(*unpack)(const uint8_t *bytes, size_t packed, uint8_t *out, size_t size);
} compression_t;

#ifdef REPLAN_HAS_ZSTD
static size_t pack_zstd(const uint8_t *bytes, size_t size, uint8_t *out, size_t room)
{
    const size_t packed = ZSTD_compress(out, room, bytes, size, ZSTD_CLEVEL_DEFAULT);
    return ZSTD_isError(packed) ? 0 : packed;
}

static const char *unpack_zstd(const uint8_t *bytes, size_t packed, uint8_t *out, size_t size)
{
    const size_t got = ZSTD_decompress(out, size, bytes, packed);
    return ZSTD_isError(got) ? ZSTD_getErrorName(got) : got != size ? "shorter than it says" : NULL;
}
#endif

#ifdef REPLAN_HAS_LZ4
static size_t bound_lz4(size_t size)
{
    return LZ4F_compressFrameBound(size, NULL);
}

static size_t pack_lz4(const uint8_t *bytes, size_t size, uint8_t *out, size_t room)
{
    const size_t packed = LZ4F_compressFrame(out, room, bytes, size, NULL);
    return LZ4F_isError(packed) ? 0 : packed;
}

static const char *unpack_lz4(const uint8_t *bytes, size_t packed, uint8_t *out, size_t size)
{
    LZ4F_dctx *context = NULL;
    size_t left = LZ4F_createDecompressionContext(&context, LZ4F_VERSION);
    if (LZ4F_isError(left)) {
        return LZ4F_getErrorName(left);
    }
    size_t got = size;
    size_t taken = packed;
    left = LZ4F_decompress(context, out, &got, bytes, &taken, NULL);
    LZ4F_freeDecompressionContext(context);
    return LZ4F_isError(left)                            ? LZ4F_getErrorName(left)
           : left != 0 || got != size || taken != packed ? "not as long as it says"
                                                         : NULL;
}
#endif

/// The best first, and an end.
static const compression_t compressions[] = {
#ifdef REPLAN_HAS_ZSTD
    {"zstd", ZSTD_compressBound, pack_zstd, unpack_zstd},
#endif
#ifdef REPLAN_HAS_LZ4
    {"lz4", bound_lz4, pack_lz4, unpack_lz4},
#endif
    {.name = NULL},
};

/// @return NULL when it is not there
static const compression_t *find(rp_text_span_t name)
{
    for (const compression_t *one = compressions; one->name != NULL; one++) {
        if (rp_text_span_is(name, one->name)) {
            return one;
        }
    }
    return NULL;
}

static const compression_t *find_named(const char *name)
{
    return find((rp_text_span_t){name, strlen(name)});
}

const char *rp_unpack(rp_text_span_t name, const uint8_t *bytes, size_t packed, uint8_t *out,
                      size_t size)
{
    const compression_t *one = find(name);
    return one != NULL                     ? one->unpack(bytes, packed, out, size)
           : rp_text_span_is(name, "zstd") ? "replan was built without zstd"
           : rp_text_span_is(name, "lz4")  ? "replan was built without lz4"
                                           : "a compression other than lz4 and zstd";
}

#ifdef REPLAN_HAS_ZSTD
/// Unpack by blocks, as a frame need not say how long it is.
static rp_status_t unpack_stream(ZSTD_DStream *stream, const rp_text_t *text, size_t most,
                                 rp_text_t *whole, rp_complaint_t *complaint)
{
    const size_t block = ZSTD_DStreamOutSize();
    ZSTD_inBuffer in = {text->bytes, text->size, 0};
    char *bytes = NULL;
    size_t capacity = 0;
    size_t size = 0;
    size_t left = 1;
    rp_status_t status = RP_OK;
    while (status == RP_OK && (left != 0 || in.pos < in.size)) {
        if (!rp_array_reserve(&bytes, &capacity, size + block, 1)) {
            status = rp_complain_memory(complaint, text->name);
            break;
        }
        ZSTD_outBuffer out = {bytes + size, block, 0};
        left = ZSTD_decompressStream(stream, &out, &in);
        size += out.pos;
        if (ZSTD_isError(left)) {
            status =
                rp_complain_at(complaint, text->name, in.pos, "zstd: %s", ZSTD_getErrorName(left));
        } else if (size > most) {
            status = rp_complain(complaint, text->name, 0, "unpacked longer than %zu bytes", most);
        } else if (left != 0 && in.pos == in.size && out.pos < out.size) {
            status = rp_complain_at(complaint, text->name, in.pos, "zstd: the file breaks off");
        }
    }
    if (status != RP_OK) {
        free(bytes);
        return status;
    }
    *whole = (rp_text_t){.name = text->name, .bytes = bytes, .size = size};
    return RP_OK;
}
#endif

rp_status_t rp_unpack_text(rp_text_t *text, size_t most, rp_complaint_t *complaint)
{
    if (text->size < ZSTD_MAGIC_BYTES || memcmp(text->bytes, ZSTD_MAGIC, ZSTD_MAGIC_BYTES) != 0) {
        return RP_OK;
    }
#ifdef REPLAN_HAS_ZSTD
    rp_text_t whole = {0};
    ZSTD_DStream *stream = ZSTD_createDStream();
    if (stream == NULL) {
        return rp_complain_memory(complaint, text->name);
    }
    const rp_status_t status = unpack_stream(stream, text, most, &whole, complaint);
    ZSTD_freeDStream(stream);
    if (status == RP_OK) {
        free((char *)text->bytes);
        *text = whole;
    }
    return status;
#else
    (void)most;
    return rp_complain(complaint, text->name, 0, "packed by zstd, and replan was built without it");
#endif
}

// ---- packing

bool rp_pack_can(const char *name)
{
    return name[0] == '\0' || find_named(name) != NULL;
}

const char *rp_pack_names(void)
{
    return rp_pack_can("zstd") && rp_pack_can("lz4") ? ", \"lz4\", \"zstd\""
           : rp_pack_can("zstd")                     ? ", \"zstd\""
           : rp_pack_can("lz4")                      ? ", \"lz4\""
                                                     : "";
}

const char *rp_pack_best(void)
{
    return compressions[0].name != NULL ? compressions[0].name : "";
}

bool rp_pack(const char *name, const uint8_t *bytes, size_t size, rp_output_t *out)
{
    const compression_t *one = find_named(name);
    if (one == NULL) {
        rp_output_add(out, bytes, size);
        return name[0] == '\0' && !out->is_short;
    }
    const size_t room = one->bound(size);
    uint8_t *packed = malloc(room + 1u);
    const size_t count = packed != NULL ? one->pack(bytes, size, packed, room) : 0;
    if (count != 0) {
        rp_output_add(out, packed, count);
    }
    free(packed);
    return count != 0 && !out->is_short;
}
