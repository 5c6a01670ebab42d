#include "tests/daemon/mcap_copy.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#include "files/load.h"
#include "msgs/limits.h"
#include "tools/mcap/mcap_read.h"

static void take_wire(rp_mcap_copy_t *self, const rp_mcap_message_t *message)
{
    rp_client_event_t event = {.kind = RP_CLIENT_NOTHING};
    rp_message_arena_reset(&self->arena);
    const Replan__V1__ToClient *news = (const Replan__V1__ToClient *)rp_codec_unpack(
        &self->arena, &replan__v1__to_client__descriptor, message->data, message->size);
    ck_assert_ptr_nonnull(news);
    self->answers += news->body_case == REPLAN__V1__TO_CLIENT__BODY_ANSWER;
    self->curves +=
        news->body_case == REPLAN__V1__TO_CLIENT__BODY_ANSWER && news->answer->n_segment_x != 0;
    self->snapshots += news->body_case == REPLAN__V1__TO_CLIENT__BODY_CHUNK;
    if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_CHUNK) {
        event = (rp_client_event_t){.kind = RP_CLIENT_CHUNK, .chunk = news->chunk};
    } else if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_DELTA) {
        event = (rp_client_event_t){.kind = RP_CLIENT_DELTA, .delta = news->delta};
    } else if (news->body_case == REPLAN__V1__TO_CLIENT__BODY_HEAD) {
        event = (rp_client_event_t){.kind = RP_CLIENT_HEAD, .head = news->head};
    }
    ck_assert(!rp_mirror_needs_watch(rp_mirror_take(&self->mirror, &event)));
}

static rp_status_t take(void *user, const rp_mcap_message_t *message, rp_complaint_t *complaint)
{
    rp_mcap_copy_t *self = user;
    const size_t length = strlen(self->world);
    const char *topic = message->channel->topic + 1; // behind the slash
    (void)complaint;
    ck_assert_uint_ge(message->log_ns, self->last_ns);
    self->last_ns = message->log_ns;
    if (strncmp(topic, self->world, length) != 0 || topic[length] != '/') {
        self->elsewhere++;
        return RP_OK;
    }
    self->grids += strcmp(topic + length, "/grid") == 0;
    if (strcmp(topic + length, "/replan") == 0) {
        take_wire(self, message);
    }
    return RP_OK;
}

void rp_mcap_copy_read(rp_mcap_copy_t *self, const char *file, const char *world)
{
    rp_text_t text = {0};
    rp_complaint_t complaint;
    *self = (rp_mcap_copy_t){.world = world};
    rp_message_arena_init(&self->arena, RP_LIMIT_ARENA_BYTES);
    ck_assert(rp_mirror_init(&self->mirror, 1, 1));
    ck_assert_int_eq(rp_text_load(file, &text, &complaint), RP_OK);
    const rp_status_t status = rp_mcap_read(&text, take, self, &complaint);
    ck_assert_msg(status == RP_OK, "%s", complaint.sentence);
    rp_text_fini(&text);
    rp_message_arena_fini(&self->arena);
}
