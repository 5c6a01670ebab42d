/// A splice is laid out in a second buffer from the old path, which is then given up.
#include "paths.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "msgs/limits.h"

/// Whose path: compared as bytes, so it is zeroed before it is filled in.
typedef struct path_key {
    uint32_t watch;
    char agent[RP_LIMIT_NAME + 1u];
} path_key_t;

struct rp_watched_path {
    path_key_t key;
    uint64_t path_seq; ///< 0: there is none
    uint8_t *steps;    ///< owned [count]
    size_t count;
    UT_hash_handle hh;
};

static void forget_one(rp_paths_t *self, rp_watched_path_t *path)
{
    HASH_DEL(self->by_key, path); // NOLINT(clang-analyzer-unix.Malloc): freed once each
    free(path->steps);
    free(path);
}

/// @return NULL without memory
static rp_watched_path_t *find_or_add(rp_paths_t *self, uint32_t watch, const char *agent)
{
    path_key_t key;
    rp_watched_path_t *path;
    memset(&key, 0, sizeof key);
    key.watch = watch;
    (void)strncpy(key.agent, agent, RP_LIMIT_NAME);
    HASH_FIND(hh, self->by_key, &key, sizeof key, path);
    if (path == NULL && (path = calloc(1, sizeof *path)) != NULL) {
        path->key = key;
        HASH_ADD(hh, self->by_key, key, sizeof key, path);
    }
    return path;
}

/// True when what is said to stand does, in the path that is here.
static bool has_base(const rp_watched_path_t *path, const Replan__V1__Answer *answer)
{
    const uint64_t kept = (uint64_t)answer->kept_head + answer->kept_tail;
    return kept == 0 || (path->path_seq == answer->base_seq &&
                         answer->kept_from_end <= path->count && kept <= answer->kept_from_end);
}

bool rp_paths_take(rp_paths_t *self, uint32_t watch, Replan__V1__Answer *answer)
{
    rp_watched_path_t *path = find_or_add(self, watch, answer->agent);
    const size_t head = answer->kept_head;
    const size_t tail = answer->kept_tail;
    const size_t count = head + answer->steps.len + tail;
    uint8_t *steps = path != NULL && has_base(path, answer) ? malloc(count + 1u) : NULL;
    if (steps == NULL) {
        if (path != NULL) {
            forget_one(self, path);
        }
        return false;
    }
    if (head + tail != 0) {
        memcpy(steps, path->steps + path->count - answer->kept_from_end, head);
        memcpy(steps + head + answer->steps.len, path->steps + path->count - tail, tail);
    }
    if (answer->steps.len != 0) {
        memcpy(steps + head, answer->steps.data, answer->steps.len);
    }
    free(path->steps);
    path->steps = steps;
    path->count = count;
    path->path_seq = answer->path_seq;
    answer->steps = (ProtobufCBinaryData){count, steps};
    answer->base_seq = 0;
    answer->kept_from_end = answer->kept_head = answer->kept_tail = 0;
    return true;
}

void rp_paths_forget(rp_paths_t *self, uint32_t watch)
{
    rp_watched_path_t *path;
    rp_watched_path_t *next;
    HASH_ITER(hh, self->by_key, path, next)
    {
        if (watch == 0 || path->key.watch == watch) {
            forget_one(self, path);
        }
    }
}
