/// What a head says is held against what the one before said.
#include "daemon/serving/heartbeat.h"

#include <stdio.h>

#include "daemon/serving/encode.h"

/// A head goes out when it moved, at most this often, and after this long in any case.
#define LEAST_US 1000u
#define MOST_US  1000000u

static uint64_t due_us(const rp_served_t *world)
{
    return world->head_us + (world->head_moved ? LEAST_US : MOST_US);
}

static rp_head_t head_of(const rp_serving_t *self, const rp_served_t *world)
{
    rp_left_out_t left_out;
    rp_head_t head = {
        .version = rp_engine_version(self->engine, world->id),
        .settled = rp_host_progress(self->host, world->id, &left_out).settled,
        .durable = world->durable,
        .is_stale = rp_worlds_stale_us(world) <= self->now.steady_us,
        .is_hashed = rp_engine_hash(self->engine, world->id) != 0,
    };
    for (size_t i = 0; i < left_out.count; i++) { // FNV-1a
        head.left_out = (head.left_out ^ left_out.sessions[i]) * 0x100000001b3u;
    }
    return head;
}

static bool is_same(const rp_head_t *one, const rp_head_t *other)
{
    return one->version == other->version && one->settled == other->settled &&
           one->left_out == other->left_out && one->durable == other->durable &&
           one->is_stale == other->is_stale && one->is_hashed == other->is_hashed;
}

static void publish(rp_serving_t *self, const rp_served_t *world)
{
    Replan__V1__Head message;
    char *names[RP_LEFT_OUT_MAX];
    char topic[RP_LIMIT_TOPIC];
    rp_encode_head(self, world, names, &message);
    (void)snprintf(topic, sizeof topic, "head/%s/", world->name);
    if (rp_codec_pack(&self->packed, &message.base)) {
        self->transport.publish(self->transport.user, topic, self->packed.bytes, self->packed.size);
    }
    rp_watches_note_head(&self->watches, world);
}

void rp_heartbeat_publish(rp_serving_t *self)
{
    for (rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next) {
        const rp_head_t head = head_of(self, world);
        world->head_moved = world->head_moved || !is_same(&head, &world->head);
        if (due_us(world) <= self->now.steady_us) {
            publish(self, world);
            world->head = head;
            world->head_moved = false;
            world->head_us = self->now.steady_us;
        }
    }
}

uint64_t rp_heartbeat_next_us(const rp_serving_t *self)
{
    uint64_t next_us = RP_NEVER_US;
    for (const rp_served_t *world = self->worlds.by_name; world != NULL; world = world->hh.next) {
        const uint64_t stale_us = world->head.is_stale ? RP_NEVER_US : rp_worlds_stale_us(world);
        next_us = due_us(world) < next_us ? due_us(world) : next_us;
        next_us = stale_us < next_us ? stale_us : next_us;
    }
    return next_us;
}
