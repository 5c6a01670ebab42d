/// Rectangles, one after the other, each in bands of rows.
#include "portions.h"

#include <string.h>

#include "msgs/limits.h"
#include "msgs/request.h"

/// What a message has room for beside everything else.
#define DATA_MOST (RP_LIMIT_MESSAGE_BYTES - (64u << 10))

/// Bytes of rectangles of a world.
typedef struct pieces {
    char *world;
    const uint32_t *rects; ///< x, y, width, height by rectangle [4 * count]
    size_t count;
    const uint8_t *data; ///< row by row, one after the other
} pieces_t;

// ---- what is needed

static bool fills(const uint32_t *rects, size_t count, uint64_t size)
{
    uint64_t cells = 0;
    for (size_t i = 0; i < count && cells <= size; i++) {
        cells += (uint64_t)rects[4u * i + 2u] * rects[4u * i + 3u];
    }
    return cells == size;
}

bool rp_portions_are_needed(const Replan__V1__Request *request)
{
    if (request->body_case == REPLAN__V1__REQUEST__BODY_RESIZE) {
        const Replan__V1__Resize *resize = request->resize;
        return resize->rect_data.len > DATA_MOST && resize->n_rects % 4u == 0 &&
               fills(resize->rects, resize->n_rects / 4u, resize->rect_data.len);
    }
    const Replan__V1__CreateWorld *create = request->create_world;
    return request->body_case == REPLAN__V1__REQUEST__BODY_CREATE_WORLD &&
           create->content_case == REPLAN__V1__CREATE_WORLD__CONTENT_DATA &&
           create->data.len > DATA_MOST && create->geometry != NULL &&
           (uint64_t)create->geometry->width * create->geometry->height == create->data.len;
}

// ---- a byte that blocks

static bool is_inscribed(const Replan__V1__Profile *profile, uint32_t byte)
{
    return profile != NULL && profile->inscribed.len != 0 &&
           memchr(profile->inscribed.data, (int)byte, profile->inscribed.len) != NULL;
}

/// @return NULL: it is a built-in one
static const Replan__V1__Profile *find_profile(const char *name, Replan__V1__Profile *const *own,
                                               size_t count)
{
    for (size_t i = 0; i < count; i++) {
        if (strcmp(own[i]->name, name) == 0) {
            return own[i];
        }
    }
    return NULL;
}

/// An obstacle of a profile. @return false when it has none
static bool find_blocker(const char *name, Replan__V1__Profile *const *own, size_t count,
                         uint32_t *byte)
{
    const Replan__V1__Profile *profile = find_profile(name, own, count);
    const char *like = profile != NULL ? profile->like : name;
    if (profile == NULL || profile->factors.len == 0) {
        *byte = strcmp(like, "costmap") == 0 ? 254u : 0u;
        return !is_inscribed(profile, *byte);
    }
    for (*byte = 0; *byte < 255u && *byte < profile->factors.len; ++*byte) {
        if (profile->factors.data[*byte] == 0 && !is_inscribed(profile, *byte)) {
            return true;
        }
    }
    return false;
}

/// That of a world that is there. @param has_one  written on RP_CLIENT_OK
static rp_client_status_t ask_blocker(rp_client_t *client, const Replan__V1__Request *request,
                                      bool *has_one, uint32_t *byte)
{
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    Replan__V1__Request ask = REPLAN__V1__REQUEST__INIT;
    const Replan__V1__Reply *reply;
    ask.deadline_ms = request->deadline_ms;
    ask.body_case = REPLAN__V1__REQUEST__BODY_LIST_WORLDS;
    ask.list_worlds = &list;
    const rp_client_status_t status = rp_client_call(client, &ask, &reply);
    *has_one = false;
    if (status != RP_CLIENT_OK || reply->body_case != REPLAN__V1__REPLY__BODY_WORLDS) {
        return status;
    }
    for (size_t i = 0; i < reply->worlds->n_worlds; i++) {
        const Replan__V1__WorldInfo *info = reply->worlds->worlds[i];
        if (strcmp(info->world, request->resize->world) == 0) {
            *has_one = find_blocker(info->profile, info->profiles, info->n_profiles, byte);
        }
    }
    return status;
}

// ---- the calls

static rp_client_status_t call_without(rp_client_t *client, Replan__V1__Request *request,
                                       const Replan__V1__Request *of,
                                       const Replan__V1__Reply **reply)
{
    request->deadline_ms = of->deadline_ms;
    return rp_client_call(client, request, reply);
}

static rp_client_status_t create(rp_client_t *client, Replan__V1__Request *request,
                                 const Replan__V1__Reply **reply)
{
    Replan__V1__CreateWorld bare = *request->create_world;
    uint32_t byte = 0;
    const bool has_one = find_blocker(bare.profile, bare.profiles, bare.n_profiles, &byte);
    bare.content_case = has_one ? REPLAN__V1__CREATE_WORLD__CONTENT_FILL
                                : REPLAN__V1__CREATE_WORLD__CONTENT__NOT_SET;
    bare.fill = byte;
    Replan__V1__Request without = RP_REQUEST(CREATE_WORLD, create_world, &bare);
    return call_without(client, &without, request, reply);
}

/// True when one of the rectangles is the whole window, so that none of its cells is to be filled.
static bool is_stated(const Replan__V1__Resize *resize)
{
    const uint32_t width = resize->geometry != NULL ? resize->geometry->width : resize->width;
    const uint32_t height = resize->geometry != NULL ? resize->geometry->height : resize->height;
    for (size_t i = 0; i < resize->n_rects; i += 4) {
        const uint32_t *rect = &resize->rects[i];
        if (rect[0] == 0 && rect[1] == 0 && rect[2] == width && rect[3] == height) {
            return true;
        }
    }
    return false;
}

static rp_client_status_t resize(rp_client_t *client, Replan__V1__Request *request,
                                 const Replan__V1__Reply **reply)
{
    Replan__V1__Resize bare = *request->resize;
    bool has_one;
    uint32_t byte = 0;
    const rp_client_status_t status = ask_blocker(client, request, &has_one, &byte);
    if (status != RP_CLIENT_OK) {
        return status;
    }
    if (has_one && (bare.content_case != REPLAN__V1__RESIZE__CONTENT_FILL || is_stated(&bare))) {
        bare.content_case = REPLAN__V1__RESIZE__CONTENT_FILL;
        bare.fill = byte;
    }
    bare.n_rects = 0;
    bare.rect_data = (ProtobufCBinaryData){0, NULL};
    Replan__V1__Request without = RP_REQUEST(RESIZE, resize, &bare);
    return call_without(client, &without, request, reply);
}

/// Some rows of a rectangle. @param data  of these rows
static rp_client_status_t write_rows(rp_client_t *client, Replan__V1__Request *request,
                                     Replan__V1__Change *change, const uint8_t *data,
                                     const Replan__V1__Reply **reply)
{
    Replan__V1__Apply apply = REPLAN__V1__APPLY__INIT;
    change->rect_case = REPLAN__V1__CHANGE__RECT_DATA;
    change->data.len = (size_t)change->width * change->height;
    change->data.data = (uint8_t *)data;
    apply.change = change;
    apply.wait = request->body_case == REPLAN__V1__REQUEST__BODY_RESIZE ? request->resize->wait
                                                                        : REPLAN__V1__WAIT__APPLIED;
    Replan__V1__Request part = RP_REQUEST(APPLY, apply, &apply);
    const rp_client_status_t status = call_without(client, &part, request, reply);
    request->id = part.id;
    return status;
}

static rp_client_status_t write_pieces(rp_client_t *client, Replan__V1__Request *request,
                                       const pieces_t *pieces, const Replan__V1__Reply **reply)
{
    rp_client_status_t status = RP_CLIENT_OK;
    const uint8_t *data = pieces->data;
    for (size_t i = 0; i < pieces->count; i++) {
        const uint32_t *rect = &pieces->rects[4u * i];
        const uint32_t rows_most =
            rect[2] < RP_PORTION_BYTES ? RP_PORTION_BYTES / (rect[2] + (rect[2] == 0)) : 1u;
        for (uint32_t row = 0; row < rect[3] && rect[2] != 0 && status == RP_CLIENT_OK;) {
            Replan__V1__Change change = REPLAN__V1__CHANGE__INIT;
            change.world = pieces->world;
            change.x = rect[0];
            change.y = rect[1] + row;
            change.width = rect[2];
            change.height = rect[3] - row < rows_most ? rect[3] - row : rows_most;
            status = write_rows(client, request, &change, data, reply);
            data += change.data.len;
            row += change.height;
        }
    }
    return status;
}

rp_client_status_t rp_portions_call(rp_client_t *client, Replan__V1__Request *request,
                                    const Replan__V1__Reply **reply)
{
    const Replan__V1__Reply *ignored;
    const Replan__V1__Reply **last = reply == NULL ? &ignored : reply;
    if (request->body_case == REPLAN__V1__REQUEST__BODY_RESIZE) {
        const Replan__V1__Resize *whole = request->resize;
        const pieces_t pieces = {whole->world, whole->rects, whole->n_rects / 4u,
                                 whole->rect_data.data};
        const rp_client_status_t status = resize(client, request, last);
        return status == RP_CLIENT_OK ? write_pieces(client, request, &pieces, last) : status;
    }
    const Replan__V1__CreateWorld *whole = request->create_world;
    const uint32_t all[] = {0, 0, whole->geometry->width, whole->geometry->height};
    const pieces_t pieces = {whole->world, all, 1, whole->data.data};
    const rp_client_status_t status = create(client, request, last);
    return status == RP_CLIENT_OK ? write_pieces(client, request, &pieces, last) : status;
}
