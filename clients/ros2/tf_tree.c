#include "clients/ros2/tf_tree.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "msgs/limits.h"

typedef struct sample {
    int64_t stamp_ns;
    rp_planar_t pose;
} sample_t;

typedef struct frame {
    struct frame *parent; ///< NULL: a root
    sample_t fixed;       ///< of a static frame
    sample_t *history;    ///< of a dynamic one, a ring by time [RP_TF_HISTORY]; NULL: it is static
    uint32_t first;       ///< the oldest of the ring
    uint32_t count;
    UT_hash_handle hh;
    char name[RP_LIMIT_FRAME_ID + 1u];
} frame_t;

struct rp_tf_tree {
    frame_t *frames;
};

rp_tf_tree_t *rp_tf_tree_new(void)
{
    return calloc(1, sizeof(rp_tf_tree_t));
}

void rp_tf_tree_destroy(rp_tf_tree_t **self)
{
    frame_t *frame, *next;
    if (*self == NULL) {
        return;
    }
    HASH_ITER(hh, (*self)->frames, frame, next)
    {
        HASH_DEL((*self)->frames, frame);
        free(frame->history);
        free(frame);
    }
    free(*self);
    *self = NULL;
}

const char *rp_tf_name(const char *frame)
{
    return frame + (frame[0] == '/' ? 1 : 0);
}

// ---- names

bool rp_tf_is_name(const char *name)
{
    const size_t length = strnlen(name, RP_LIMIT_FRAME_ID + 1u);
    for (size_t i = 0; i < length; i++) {
        if (name[i] <= ' ' || name[i] > '~') {
            return false;
        }
    }
    return length != 0 && length <= RP_LIMIT_FRAME_ID;
}

static frame_t *find(const rp_tf_tree_t *self, const char *name)
{
    frame_t *frame;
    HASH_FIND_STR(self->frames, name, frame);
    return frame;
}

/// @return NULL when there is no room
static frame_t *find_or_add(rp_tf_tree_t *self, const char *name)
{
    frame_t *frame = find(self, name);
    if (frame != NULL || HASH_COUNT(self->frames) >= RP_TF_FRAMES) {
        return frame;
    }
    frame = calloc(1, sizeof *frame);
    if (frame != NULL) {
        strcpy(frame->name, name); // its length was checked
        HASH_ADD_STR(self->frames, name, frame);
    }
    return frame;
}

// ---- the ring of a dynamic frame

static sample_t *sample_at(const frame_t *frame, uint32_t index)
{
    return &frame->history[(frame->first + index) % RP_TF_HISTORY];
}

static void drop_history(frame_t *frame)
{
    free(frame->history);
    frame->history = NULL;
    frame->first = frame->count = 0;
}

/// Put a sample where its time belongs; the oldest makes room. The same time twice: the later
/// counts.
static void insert(frame_t *frame, const sample_t *sample)
{
    uint32_t at = frame->count;
    while (at > 0 && sample_at(frame, at - 1)->stamp_ns > sample->stamp_ns) {
        at--;
    }
    if (at > 0 && sample_at(frame, at - 1)->stamp_ns == sample->stamp_ns) {
        *sample_at(frame, at - 1) = *sample;
        return;
    }
    if (frame->count == RP_TF_HISTORY) {
        frame->first = (frame->first + 1u) % RP_TF_HISTORY;
        at--;
    } else {
        frame->count++;
    }
    for (uint32_t i = frame->count - 1u; i > at; i--) {
        *sample_at(frame, i) = *sample_at(frame, i - 1);
    }
    *sample_at(frame, at) = *sample;
}

static rp_tf_status_t put_dynamic(frame_t *frame, const sample_t *sample)
{
    if (frame->history == NULL) {
        frame->history = malloc(RP_TF_HISTORY * sizeof *frame->history);
        if (frame->history == NULL) {
            frame->parent = NULL; // nobody knows where it is
            return RP_TF_FULL;
        }
    }
    if (frame->count != 0) {
        const int64_t newest = sample_at(frame, frame->count - 1)->stamp_ns;
        if (sample->stamp_ns < newest - RP_TF_JUMP_NS) {
            frame->count = 0;
        } else if (frame->count == RP_TF_HISTORY &&
                   sample->stamp_ns < sample_at(frame, 0)->stamp_ns) {
            return RP_TF_OLD;
        }
    }
    insert(frame, sample);
    return RP_TF_OK;
}

/// @return RP_TF_OLD before what is kept
static rp_tf_status_t pose_at(const frame_t *frame, int64_t at_ns, rp_planar_t *pose)
{
    if (frame->history == NULL) {
        *pose = frame->fixed.pose;
        return RP_TF_OK;
    }
    uint32_t after = frame->count;
    while (at_ns != RP_TF_LATEST && after > 0 && sample_at(frame, after - 1)->stamp_ns > at_ns) {
        after--;
    }
    if (after == 0) {
        return RP_TF_OLD;
    }
    const sample_t *before = sample_at(frame, after - 1);
    *pose = before->pose;
    if (after < frame->count) {
        const sample_t *next = sample_at(frame, after);
        const double share =
            (double)(at_ns - before->stamp_ns) / (double)(next->stamp_ns - before->stamp_ns);
        *pose = rp_planar_between(&before->pose, &next->pose, share);
    }
    return RP_TF_OK;
}

// ---- the tree

static bool hangs_on(const frame_t *frame, const frame_t *above)
{
    while (frame != NULL && frame != above) {
        frame = frame->parent;
    }
    return frame != NULL;
}

static void hang(frame_t *frame, frame_t *parent, bool is_static)
{
    if (frame->parent != parent || is_static) {
        drop_history(frame);
    }
    frame->parent = parent;
}

rp_tf_status_t rp_tf_tree_put(rp_tf_tree_t *self, const char *parent, const char *child,
                              bool is_static, int64_t stamp_ns, const rp_planar_t *pose)
{
    parent = rp_tf_name(parent);
    child = rp_tf_name(child);
    if (!rp_tf_is_name(parent) || !rp_tf_is_name(child)) {
        return RP_TF_BAD_NAME;
    }
    frame_t *above = find_or_add(self, parent);
    frame_t *frame = find_or_add(self, child);
    if (above == NULL || frame == NULL) {
        return RP_TF_FULL;
    }
    if (hangs_on(above, frame)) {
        return RP_TF_LOOP;
    }
    hang(frame, above, is_static);
    const sample_t sample = {.stamp_ns = stamp_ns, .pose = *pose};
    if (is_static) {
        frame->fixed = sample;
        return RP_TF_OK;
    }
    return put_dynamic(frame, &sample);
}

/// The pose of a frame in one that it hangs on, which may be itself.
static rp_tf_status_t climb(const frame_t *frame, const frame_t *above, int64_t at_ns,
                            rp_planar_t *pose)
{
    rp_planar_t sum = {0};
    for (; frame != above; frame = frame->parent) {
        rp_planar_t step;
        const rp_tf_status_t status = pose_at(frame, at_ns, &step);
        if (status != RP_TF_OK) {
            return status;
        }
        sum = rp_planar_compose(&step, &sum);
    }
    *pose = sum;
    return RP_TF_OK;
}

rp_tf_status_t rp_tf_tree_find(const rp_tf_tree_t *self, const char *in, const char *of,
                               int64_t at_ns, rp_planar_t *pose)
{
    in = rp_tf_name(in);
    of = rp_tf_name(of);
    if (strcmp(in, of) == 0) {
        *pose = (rp_planar_t){0};
        return RP_TF_OK;
    }
    const frame_t *to = find(self, in), *from = find(self, of), *common = to;
    if (to == NULL || from == NULL) {
        return RP_TF_UNKNOWN;
    }
    while (common != NULL && !hangs_on(from, common)) {
        common = common->parent;
    }
    if (common == NULL) {
        return RP_TF_UNKNOWN;
    }
    rp_planar_t down, up;
    rp_tf_status_t status = climb(to, common, at_ns, &down);
    status = status == RP_TF_OK ? climb(from, common, at_ns, &up) : status;
    if (status == RP_TF_OK) {
        down = rp_planar_inverse(&down);
        *pose = rp_planar_compose(&down, &up);
    }
    return status;
}

const char *rp_tf_status_text(rp_tf_status_t status)
{
    static const char *const texts[] = {
        [RP_TF_OK] = "fine",
        [RP_TF_BAD_NAME] = "a frame name that is empty, too long, or not printable",
        [RP_TF_LOOP] = "a frame that would hang on itself",
        [RP_TF_FULL] = "too many frames",
        [RP_TF_OLD] = "a stamp before what is kept",
        [RP_TF_UNKNOWN] = "no such frame, or not connected",
    };
    return texts[status];
}
