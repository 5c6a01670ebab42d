/// What was published to us, changes, poses and goals: named by topic, and refused by a notice.
#include "daemon/handlers.h"

#include <stdio.h>
#include <string.h>

#include "daemon/haul.h"
#include "daemon/say.h"
#include "daemon/state.h"
#include "msgs/duplicates.h"

/// A body may leave out a name that its topic says, and must not contradict it.
static bool name_by_topic(const char *field, char **name, char *in_topic, rp_refusal_t *refusal)
{
    if ((*name)[0] == '\0') {
        *name = in_topic;
    }
    return strcmp(*name, in_topic) == 0 ||
           rp_refuse(refusal, REPLAN__V1__STATUS__INVALID,
                     "%s is another one than the topic's \"%s\"", field, in_topic);
}

/// @param world, agent  written [RP_LIMIT_NAME + 1]; agent empty where the form has none
static bool take_topic(const void *topic, size_t size, const char *kind, bool names_agent,
                       char *world, char *agent, rp_refusal_t *refusal)
{
    if (!rp_check_topic(topic, size, kind, world, agent, refusal)) {
        return false;
    }
    return names_agent == (agent[0] != '\0') ||
           rp_refuse(refusal, REPLAN__V1__STATUS__INVALID,
                     "topic must have the form \"%s/<world>/%s\"", kind,
                     names_agent ? "<agent>/" : "");
}

/// @return NULL with the refusal filled in
static ProtobufCMessage *take_body(rp_daemon_t *self, const ProtobufCMessageDescriptor *type,
                                   const char *kind, const rp_letter_t *letter, bool is_long,
                                   rp_refusal_t *refusal)
{
    ProtobufCMessage *message = (is_long ? rp_codec_unpack_in_place : rp_codec_unpack)(
        &self->arena, type, letter->body, letter->size);
    if (message == NULL) {
        self->stats.frames_malformed++;
        (void)rp_refuse(refusal, REPLAN__V1__STATUS__INVALID, "%s: these %zu bytes are not a %s",
                        kind, letter->size, type->name);
    } else if (!rp_check_duplicates(kind, type, letter->body, letter->size, refusal)) {
        message = NULL;
    }
    return message;
}

/// @param lined  it was hauled; NULL: it is short
static void end_change(rp_daemon_t *self, const char *world, Replan__V1__Change *change,
                       const rp_lined_t *lined, rp_refusal_t *refusal)
{
    rp_taken_t taken;
    const bool is_taken = refusal->status == REPLAN__V1__STATUS__OK &&
                          rp_apply_change(self, change, lined, &taken, refusal);
    if (!is_taken) {
        const bool is_lost =
            refusal->status == REPLAN__V1__STATUS__GONE && rp_lose_change(self, change);
        self->stats.changes_refused++;
        rp_refusals_log(&self->refusals, "changes", 0, refusal, self->now.steady_us);
        rp_publish_notice(self, world, refusal, change, is_lost);
    }
    if (lined == NULL && is_taken) {
        rp_state_note_change(self, change);
    } else if (lined != NULL && is_taken && !lined->haul->is_lost) {
        rp_state_note_done(self, NULL, lined->topic);
    } else if (lined != NULL) {
        rp_state_note_nothing(self);
    }
}

static void take_change(rp_daemon_t *self, const rp_letter_t *came)
{
    rp_letter_t letter = *came;
    rp_refusal_t refusal = {.status = REPLAN__V1__STATUS__OK};
    char world[RP_LIMIT_NAME + 1u] = "";
    char agent[RP_LIMIT_NAME + 1u] = "";
    Replan__V1__Change *change = NULL;
    const bool is_long = letter.size >= self->long_from;
    letter.world = world;
    letter.touches = RP_TOUCHES_MAP;
    rp_arena_reset(&self->arena);
    if (take_topic(letter.topic, letter.topic_size, "change", false, world, agent, &refusal) &&
        rp_daemon_line_up(self, &letter, &refusal)) {
        return;
    }
    if (refusal.status == REPLAN__V1__STATUS__OK) {
        change = (Replan__V1__Change *)take_body(self, &replan__v1__change__descriptor, "change",
                                                 &letter, is_long, &refusal);
    }
    const bool is_right = change != NULL &&
                          name_by_topic("change.world", &change->world, world, &refusal) &&
                          rp_check_change(change, &refusal);
    if (is_right && is_long && rp_daemon_haul(self, &letter, &refusal)) {
        return;
    }
    end_change(self, world, change, NULL, &refusal);
}

static bool take_pose(rp_daemon_t *self, ProtobufCMessage *message, char *world, char *agent,
                      rp_refusal_t *refusal)
{
    Replan__V1__Pose *pose = (Replan__V1__Pose *)message;
    return name_by_topic("pose.world", &pose->world, world, refusal) &&
           name_by_topic("pose.agent", &pose->agent, agent, refusal) &&
           rp_check_pose(pose, refusal) && rp_take_pose(self, pose, refusal);
}

static bool take_goal(rp_daemon_t *self, ProtobufCMessage *message, char *world, char *agent,
                      rp_refusal_t *refusal)
{
    Replan__V1__Goal *goal = (Replan__V1__Goal *)message;
    return name_by_topic("goal.world", &goal->world, world, refusal) &&
           name_by_topic("goal.agent", &goal->agent, agent, refusal) &&
           rp_check_goal(goal, refusal) && rp_take_goal(self, goal, refusal);
}

static bool take_poses(rp_daemon_t *self, ProtobufCMessage *message, char *world, char *agent,
                       rp_refusal_t *refusal)
{
    Replan__V1__Poses *poses = (Replan__V1__Poses *)message;
    uint64_t budget = UINT64_MAX;
    size_t taken = 0;
    (void)agent; // a batch names handles
    if (!name_by_topic("poses.world", &poses->world, world, refusal) ||
        !rp_check_poses(poses, refusal)) {
        return false;
    }
    rp_leave_out_stale(self, poses, refusal);
    return rp_take_poses(self, poses, &taken, &budget, refusal) && poses->n_handles != 0;
}

/// What comes by the poses socket, by the first word of its topic; "poses" last, so that a topic of
/// none of them is refused as one of it.
static const struct {
    const char *word;
    const ProtobufCMessageDescriptor *type;
    bool (*take)(rp_daemon_t *, ProtobufCMessage *, char *, char *, rp_refusal_t *);
    Replan__V1__Request__BodyCase body; ///< of the request that would do the same
    bool names_agent;
} pose_kinds[] = {
    {"pose", &replan__v1__pose__descriptor, take_pose, REPLAN__V1__REQUEST__BODY_SET_POSE, true},
    {"goal", &replan__v1__goal__descriptor, take_goal, REPLAN__V1__REQUEST__BODY_SET_GOAL, true},
    {"poses", &replan__v1__poses__descriptor, take_poses, REPLAN__V1__REQUEST__BODY_SET_POSES,
     false},
};

static size_t pose_kind_of(const char *topic, size_t size)
{
    const size_t last = sizeof pose_kinds / sizeof pose_kinds[0] - 1u;
    for (size_t kind = 0; kind < last; kind++) {
        const size_t length = strlen(pose_kinds[kind].word);
        if (size > length && memcmp(topic, pose_kinds[kind].word, length) == 0 &&
            topic[length] == '/') {
            return kind;
        }
    }
    return last;
}

/// @param is_taken  all that is left of the message; some of it may have been refused
static void end_pose(rp_daemon_t *self, const char *world, size_t kind, ProtobufCMessage *message,
                     bool is_taken, const rp_refusal_t *refusal)
{
    if (refusal->status != REPLAN__V1__STATUS__OK) {
        self->stats.poses_refused++;
        rp_refusals_log(&self->refusals, "poses", 0, refusal, self->now.steady_us);
        rp_publish_notice(self, world, refusal, NULL, false);
    }
    if (is_taken) {
        rp_state_note_body(self, pose_kinds[kind].body, message);
    }
}

/// Poses that are so many that they are hauled.
static bool haul_poses(rp_daemon_t *self, const rp_letter_t *letter, size_t kind,
                       ProtobufCMessage *message, rp_refusal_t *refusal)
{
    Replan__V1__Poses *poses = (Replan__V1__Poses *)message;
    return pose_kinds[kind].take == take_poses && rp_poses_are_long(self, poses->n_handles) &&
           name_by_topic("poses.world", &poses->world, (char *)letter->world, refusal) &&
           rp_check_poses(poses, refusal) && rp_daemon_haul(self, letter, refusal);
}

static void take_any_pose(rp_daemon_t *self, const rp_letter_t *came)
{
    rp_letter_t letter = *came;
    rp_refusal_t refusal = {.status = REPLAN__V1__STATUS__OK};
    char world[RP_LIMIT_NAME + 1u] = "";
    char agent[RP_LIMIT_NAME + 1u] = "";
    ProtobufCMessage *message = NULL;
    const size_t kind = pose_kind_of(letter.topic, letter.topic_size);
    const char *word = pose_kinds[kind].word;
    letter.world = world;
    letter.touches = RP_TOUCHES_AGENTS;
    rp_arena_reset(&self->arena);
    if (take_topic(letter.topic, letter.topic_size, word, pose_kinds[kind].names_agent, world,
                   agent, &refusal) &&
        rp_daemon_line_up(self, &letter, &refusal)) {
        return;
    }
    if (refusal.status == REPLAN__V1__STATUS__OK) {
        message = take_body(self, pose_kinds[kind].type, word, &letter, false, &refusal);
    }
    if (message != NULL && haul_poses(self, &letter, kind, message, &refusal)) {
        return;
    }
    const bool is_taken = message != NULL && refusal.status == REPLAN__V1__STATUS__OK &&
                          pose_kinds[kind].take(self, message, world, agent, &refusal);
    end_pose(self, world, kind, message, is_taken, &refusal);
}

// ---- what came, and what was hauled

void rp_take_published(rp_daemon_t *self, const rp_letter_t *letter)
{
    if (letter->kind == RP_LETTER_CHANGE) {
        take_change(self, letter);
    } else {
        take_any_pose(self, letter);
    }
}

void rp_finish_published(rp_daemon_t *self, const rp_lined_t *lined)
{
    rp_haul_t *haul = lined->haul;
    rp_arena_reset(&self->arena);
    if (lined->letter.kind == RP_LETTER_CHANGE) {
        end_change(self, lined->world, haul->change, lined, &haul->refusal);
    } else {
        const size_t kind = sizeof pose_kinds / sizeof pose_kinds[0] - 1u;
        const bool is_refused = haul->refusal.status != REPLAN__V1__STATUS__OK;
        end_pose(self, lined->world, kind, haul->message,
                 !is_refused && haul->poses->n_handles != 0,
                 is_refused ? &haul->refusal : &haul->stale);
    }
}

void rp_daemon_change(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                      size_t size)
{
    const rp_letter_t letter = {.kind = RP_LETTER_CHANGE,
                                .topic = topic,
                                .topic_size = topic_size,
                                .body = body,
                                .size = size};
    rp_take_published(self, &letter);
}

void rp_daemon_pose(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                    size_t size)
{
    const rp_letter_t letter = {.kind = RP_LETTER_POSE,
                                .topic = topic,
                                .topic_size = topic_size,
                                .body = body,
                                .size = size};
    rp_take_published(self, &letter);
}
