/// What was published to us, changes, poses and goals: named by topic, and refused by a notice.
#include "daemon/handlers.h"

#include <stdio.h>
#include <string.h>

#include "daemon/say.h"
#include "daemon/state.h"

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
                                   const char *kind, const void *body, size_t size,
                                   rp_refusal_t *refusal)
{
    ProtobufCMessage *message = rp_codec_unpack(&self->arena, type, body, size);
    if (message == NULL) {
        self->stats.frames_malformed++;
        (void)rp_refuse(refusal, REPLAN__V1__STATUS__INVALID, "%s: these %zu bytes are not a %s",
                        kind, size, type->name);
    }
    return message;
}

void rp_daemon_change(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                      size_t size)
{
    rp_refusal_t refusal = {.status = REPLAN__V1__STATUS__OK};
    char world[RP_LIMIT_NAME + 1u] = "";
    char agent[RP_LIMIT_NAME + 1u] = "";
    Replan__V1__Change *change = NULL;
    uint64_t version = 0;
    rp_arena_reset(&self->arena);
    if (take_topic(topic, topic_size, "change", false, world, agent, &refusal)) {
        change = (Replan__V1__Change *)take_body(self, &replan__v1__change__descriptor, "change",
                                                 body, size, &refusal);
    }
    if (change == NULL || !name_by_topic("change.world", &change->world, world, &refusal) ||
        !rp_check_change(change, &refusal) || !rp_apply_change(self, change, &version, &refusal)) {
        self->stats.changes_refused++;
        rp_publish_notice(self, world, &refusal, change, false);
        return;
    }
    rp_state_note_change(self, change);
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
    (void)agent; // a batch names handles
    return name_by_topic("poses.world", &poses->world, world, refusal) &&
           rp_check_poses(poses, refusal) && rp_take_poses(self, poses, refusal);
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

void rp_daemon_pose(rp_daemon_t *self, const void *topic, size_t topic_size, const void *body,
                    size_t size)
{
    rp_refusal_t refusal = {.status = REPLAN__V1__STATUS__OK};
    char world[RP_LIMIT_NAME + 1u] = "";
    char agent[RP_LIMIT_NAME + 1u] = "";
    ProtobufCMessage *message = NULL;
    const size_t kind = pose_kind_of(topic, topic_size);
    const char *word = pose_kinds[kind].word;
    rp_arena_reset(&self->arena);
    if (take_topic(topic, topic_size, word, pose_kinds[kind].names_agent, world, agent, &refusal)) {
        message = take_body(self, pose_kinds[kind].type, word, body, size, &refusal);
    }
    if (message == NULL || !pose_kinds[kind].take(self, message, world, agent, &refusal)) {
        self->stats.poses_refused++;
        rp_publish_notice(self, world, &refusal, NULL, false);
        return;
    }
    rp_state_note_body(self, pose_kinds[kind].body, message);
}
