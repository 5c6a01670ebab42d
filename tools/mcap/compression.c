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

static const char *unpack_zstd(const uint8_t *bytes, size_t packed, uint8_t *out, size_t size)
{
#ifdef REPLAN_HAS_ZSTD
    const size_t got = ZSTD_decompress(out, size, bytes, packed);
    return ZSTD_isError(got) ? ZSTD_getErrorName(got) : got != size ? "shorter than it says" : NULL;
#else
    (void)bytes, (void)packed, (void)out, (void)size;
    return "replan was built without zstd";
#endif
}

static const char *unpack_lz4(const uint8_t *bytes, size_t packed, uint8_t *out, size_t size)
{
#ifdef REPLAN_HAS_LZ4
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
#else
    (void)bytes, (void)packed, (void)out, (void)size;
    return "replan was built without lz4";
#endif
}

const char *rp_unpack(rp_text_span_t name, const uint8_t *bytes, size_t packed, uint8_t *out,
                      size_t size)
{
    return rp_text_span_is(name, "zstd")  ? unpack_zstd(bytes, packed, out, size)
           : rp_text_span_is(name, "lz4") ? unpack_lz4(bytes, packed, out, size)
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
#ifdef REPLAN_HAS_ZSTD
    if (strcmp(name, "zstd") == 0) {
        return true;
    }
#endif
#ifdef REPLAN_HAS_LZ4
    if (strcmp(name, "lz4") == 0) {
        return true;
    }
#endif
    return name[0] == '\0';
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
    return rp_pack_can("zstd") ? "zstd" : rp_pack_can("lz4") ? "lz4" : "";
}

/// @return the most bytes that packing may take; 0 without that compression
static size_t bound_of(const char *name, size_t size)
{
#ifdef REPLAN_HAS_ZSTD
    if (strcmp(name, "zstd") == 0) {
        return ZSTD_compressBound(size);
    }
#endif
#ifdef REPLAN_HAS_LZ4
    if (strcmp(name, "lz4") == 0) {
        return LZ4F_compressFrameBound(size, NULL);
    }
#endif
    (void)size;
    return 0;
}

/// @return how many bytes it took; 0 when it failed
static size_t pack_into(const char *name, const uint8_t *bytes, size_t size, uint8_t *out,
                        size_t room)
{
#ifdef REPLAN_HAS_ZSTD
    if (strcmp(name, "zstd") == 0) {
        const size_t packed = ZSTD_compress(out, room, bytes, size, ZSTD_CLEVEL_DEFAULT);
        return ZSTD_isError(packed) ? 0 : packed;
    }
#endif
#ifdef REPLAN_HAS_LZ4
    if (strcmp(name, "lz4") == 0) {
        const size_t packed = LZ4F_compressFrame(out, room, bytes, size, NULL);
        return LZ4F_isError(packed) ? 0 : packed;
    }
#endif
    (void)bytes, (void)size, (void)out, (void)room;
    return 0;
}

bool rp_pack(const char *name, const uint8_t *bytes, size_t size, rp_output_t *out)
{
    if (name[0] == '\0') {
        rp_output_add(out, bytes, size);
        return !out->is_short;
    }
    const size_t room = bound_of(name, size);
    uint8_t *packed = malloc(room + 1u);
    const size_t count = packed != NULL ? pack_into(name, bytes, size, packed, room) : 0;
    rp_output_add(out, packed, count);
    free(packed);
    return count != 0 && !out->is_short;
}
