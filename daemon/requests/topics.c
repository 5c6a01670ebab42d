/// What was published to us, changes, poses and goals: named by topic, and refused by a notice.
#include "daemon/requests/topics.h"

#include <string.h>

#include "daemon/requests/staged_request.h"
#include "daemon/rules/agents.h"
#include "daemon/rules/changes.h"
#include "daemon/rules/state.h"
#include "daemon/serving/encode.h"
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
static ProtobufCMessage *take_body(rp_intake_t *self, const ProtobufCMessageDescriptor *type,
                                   const char *kind, const rp_inbound_t *inbound, bool is_long,
                                   rp_refusal_t *refusal)
{
    ProtobufCMessage *message = (is_long ? rp_codec_unpack_in_place : rp_codec_unpack)(
        &self->serving->arena, type, inbound->body, inbound->size);
    if (message == NULL) {
        self->serving->stats.frames_malformed++;
        (void)rp_refuse(refusal, REPLAN__V1__STATUS__INVALID, "%s: these %zu bytes are not a %s",
                        kind, inbound->size, type->name);
    } else if (!rp_check_duplicates(kind, type, inbound->body, inbound->size, refusal)) {
        message = NULL;
    }
    return message;
}

/// @param queued  it was staged; NULL: it is short
static void end_change(rp_intake_t *self, const char *world, Replan__V1__Change *change,
                       const rp_queued_t *queued, rp_refusal_t *refusal)
{
    rp_taken_t taken;
    const bool is_taken =
        refusal->status == REPLAN__V1__STATUS__OK &&
        rp_changes_apply(self->serving, change, queued != NULL ? &queued->staged->prepared : NULL,
                         &taken, refusal);
    if (!is_taken) {
        const bool is_lost =
            refusal->status == REPLAN__V1__STATUS__GONE && rp_changes_lose(self->serving, change);
        self->serving->stats.changes_refused++;
        rp_refusal_log_add(&self->serving->refusals, "changes", 0, refusal,
                           self->serving->now.steady_us);
        rp_publish_notice(self->serving, world, refusal, change, is_lost);
    }
    if (queued == NULL && is_taken) {
        rp_state_note_change(self->serving, change);
    } else if (queued != NULL && is_taken && !queued->staged->is_lost) {
        rp_state_note_done(self->serving, NULL, queued->topic);
    } else if (queued != NULL) {
        rp_state_note_nothing(self->serving);
    }
}

static void take_change(rp_intake_t *self, const rp_inbound_t *came)
{
    rp_inbound_t inbound = *came;
    rp_refusal_t refusal = {.status = REPLAN__V1__STATUS__OK};
    char world[RP_LIMIT_NAME + 1u] = "";
    char agent[RP_LIMIT_NAME + 1u] = "";
    Replan__V1__Change *change = NULL;
    const bool is_long = inbound.size >= self->long_from;
    inbound.world = world;
    inbound.touches = RP_TOUCHES_MAP;
    rp_message_arena_reset(&self->serving->arena);
    if (take_topic(inbound.topic, inbound.topic_size, "change", false, world, agent, &refusal) &&
        rp_intake_enqueue(self, &inbound, &refusal)) {
        return;
    }
    if (refusal.status == REPLAN__V1__STATUS__OK) {
        change = (Replan__V1__Change *)take_body(self, &replan__v1__change__descriptor, "change",
                                                 &inbound, is_long, &refusal);
    }
    const bool is_right = change != NULL &&
                          name_by_topic("change.world", &change->world, world, &refusal) &&
                          rp_check_change(change, &refusal);
    if (is_right && is_long && rp_intake_stage(self, &inbound, &refusal)) {
        return;
    }
    end_change(self, world, change, NULL, &refusal);
}

static bool take_pose(rp_intake_t *self, ProtobufCMessage *message, char *world, char *agent,
                      rp_refusal_t *refusal)
{
    Replan__V1__Pose *pose = (Replan__V1__Pose *)message;
    return name_by_topic("pose.world", &pose->world, world, refusal) &&
           name_by_topic("pose.agent", &pose->agent, agent, refusal) &&
           rp_check_pose(pose, refusal) && rp_agents_take_pose(self->serving, pose, refusal);
}

static bool take_goal(rp_intake_t *self, ProtobufCMessage *message, char *world, char *agent,
                      rp_refusal_t *refusal)
{
    Replan__V1__Goal *goal = (Replan__V1__Goal *)message;
    return name_by_topic("goal.world", &goal->world, world, refusal) &&
           name_by_topic("goal.agent", &goal->agent, agent, refusal) &&
           rp_check_goal(goal, refusal) && rp_agents_take_goal(self->serving, goal, refusal);
}

static bool take_poses(rp_intake_t *self, ProtobufCMessage *message, char *world, char *agent,
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
    rp_agents_leave_out_stale(self->serving, poses, refusal);
    return rp_agents_take_poses(self->serving, poses, &taken, &budget, refusal) &&
           poses->n_handles != 0;
}

/// What comes by the poses socket, by the first word of its topic; "poses" last, so that a topic of
/// none of them is refused as one of it.
static const struct {
    const char *word;
    const ProtobufCMessageDescriptor *type;
    bool (*take)(rp_intake_t *, ProtobufCMessage *, char *, char *, rp_refusal_t *);
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
static void end_pose(rp_intake_t *self, const char *world, size_t kind, ProtobufCMessage *message,
                     bool is_taken, const rp_refusal_t *refusal)
{
    if (refusal->status != REPLAN__V1__STATUS__OK) {
        self->serving->stats.poses_refused++;
        rp_refusal_log_add(&self->serving->refusals, "poses", 0, refusal,
                           self->serving->now.steady_us);
        rp_publish_notice(self->serving, world, refusal, NULL, false);
    }
    if (is_taken) {
        rp_state_note_body(self->serving, pose_kinds[kind].body, message);
    }
}

/// Poses that are so many that they are staged.
static bool stage_poses(rp_intake_t *self, const rp_inbound_t *inbound, size_t kind,
                        ProtobufCMessage *message, rp_refusal_t *refusal)
{
    Replan__V1__Poses *poses = (Replan__V1__Poses *)message;
    return pose_kinds[kind].take == take_poses &&
           rp_staged_request_are_many(poses->n_handles, self->long_from) &&
           name_by_topic("poses.world", &poses->world, (char *)inbound->world, refusal) &&
           rp_check_poses(poses, refusal) && rp_intake_stage(self, inbound, refusal);
}

static void take_any_pose(rp_intake_t *self, const rp_inbound_t *came)
{
    rp_inbound_t inbound = *came;
    rp_refusal_t refusal = {.status = REPLAN__V1__STATUS__OK};
    char world[RP_LIMIT_NAME + 1u] = "";
    char agent[RP_LIMIT_NAME + 1u] = "";
    ProtobufCMessage *message = NULL;
    const size_t kind = pose_kind_of(inbound.topic, inbound.topic_size);
    const char *word = pose_kinds[kind].word;
    inbound.world = world;
    inbound.touches = RP_TOUCHES_REST;
    rp_message_arena_reset(&self->serving->arena);
    if (take_topic(inbound.topic, inbound.topic_size, word, pose_kinds[kind].names_agent, world,
                   agent, &refusal) &&
        rp_intake_enqueue(self, &inbound, &refusal)) {
        return;
    }
    if (refusal.status == REPLAN__V1__STATUS__OK) {
        message = take_body(self, pose_kinds[kind].type, word, &inbound, false, &refusal);
    }
    if (message != NULL && stage_poses(self, &inbound, kind, message, &refusal)) {
        return;
    }
    const bool is_taken = message != NULL && refusal.status == REPLAN__V1__STATUS__OK &&
                          pose_kinds[kind].take(self, message, world, agent, &refusal);
    end_pose(self, world, kind, message, is_taken, &refusal);
}

// ---- what came, and what was staged

void rp_topics_take(rp_intake_t *self, const rp_inbound_t *inbound)
{
    if (inbound->kind == RP_INBOUND_CHANGE) {
        take_change(self, inbound);
    } else {
        take_any_pose(self, inbound);
    }
}

void rp_topics_finish_staged(rp_intake_t *self, const rp_queued_t *queued)
{
    rp_staged_request_t *staged = queued->staged;
    rp_message_arena_reset(&self->serving->arena);
    if (queued->inbound.kind == RP_INBOUND_CHANGE) {
        end_change(self, queued->world, staged->change, queued, &staged->refusal);
    } else {
        const size_t kind = sizeof pose_kinds / sizeof pose_kinds[0] - 1u;
        const bool is_refused = staged->refusal.status != REPLAN__V1__STATUS__OK;
        end_pose(self, queued->world, kind, staged->message, false,
                 is_refused ? &staged->refusal : &staged->stale);
        if (!is_refused) {
            rp_agents_note_poses(self->serving, staged->poses);
        }
    }
}

void rp_topics_change(rp_intake_t *self, const void *topic, size_t topic_size, const void *body,
                      size_t size)
{
    const rp_inbound_t inbound = {.kind = RP_INBOUND_CHANGE,
                                  .topic = topic,
                                  .topic_size = topic_size,
                                  .body = body,
                                  .size = size};
    rp_topics_take(self, &inbound);
}

void rp_topics_pose(rp_intake_t *self, const void *topic, size_t topic_size, const void *body,
                    size_t size)
{
    const rp_inbound_t inbound = {.kind = RP_INBOUND_POSE,
                                  .topic = topic,
                                  .topic_size = topic_size,
                                  .body = body,
                                  .size = size};
    rp_topics_take(self, &inbound);
}
