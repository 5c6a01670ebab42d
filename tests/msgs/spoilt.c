/// A sample is spoilt, goes through the wire, and is held against its row.
#include "tests/msgs/spoilt.h"

#include <check.h>
#include <string.h>

#include "msgs/codec.h"
#include "msgs/limits.h"

double rp_many_doubles[RP_MANY];
uint32_t rp_many_numbers[RP_MANY];
uint64_t rp_many_handles[RP_MANY];
char *rp_many_names[RP_MANY];

bool rp_sample_is_accepted(const Replan__V1__Request *request, rp_refusal_t *refusal)
{
    rp_buffer_t buffer = {0};
    ck_assert(rp_codec_pack(&buffer, &request->base));
    rp_message_arena_t arena;
    rp_message_arena_init(&arena, RP_LIMIT_ARENA_BYTES);
    ProtobufCMessage *came =
        rp_codec_unpack(&arena, &replan__v1__request__descriptor, buffer.bytes, buffer.size);
    ck_assert_ptr_nonnull(came);
    const bool accepted = rp_check_request((const Replan__V1__Request *)came, refusal);
    rp_message_arena_fini(&arena);
    rp_buffer_fini(&buffer);
    return accepted;
}

void rp_spoilt_judge(const rp_spoilt_t *self)
{
    rp_samples_t s;
    rp_refusal_t refusal = {0};
    for (size_t i = 0; i < RP_MANY; i++) {
        rp_many_names[i] = rp_sample_text("orc");
    }
    rp_samples_init(&s);
    rp_samples_choose(&s, self->kind);
    self->spoil(&s);
    const bool accepted = rp_sample_is_accepted(&s.request, &refusal);
    if (self->word == NULL) {
        ck_assert_msg(accepted, "%s: %s", self->name, refusal.sentence);
        return;
    }
    ck_assert_msg(!accepted, "%s is accepted", self->name);
    ck_assert_int_eq(refusal.status, REPLAN__V1__STATUS__INVALID);
    ck_assert_msg(strstr(refusal.sentence, self->word) != NULL, "%s: \"%s\" lacks \"%s\"",
                  self->name, refusal.sentence, self->word);
    for (const char *at = refusal.sentence; *at != '\0'; at++) {
        ck_assert_msg(*at >= ' ' && *at <= '~', "%s echoes a byte", self->name);
    }
}
