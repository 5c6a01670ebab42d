/// Lines of refusals. A sentence repeats words of who is refused: it is made fit for one line.
#include "daemon/net/refusal_log.h"

#include <inttypes.h>

#include "daemon/process/log.h"

/// Between quotes there are none, and no ends of lines.
static void make_quotable(char *text)
{
    for (; *text != '\0'; text++) {
        const unsigned char byte = (unsigned char)*text;
        *text = byte == '"' ? '\'' : byte < 0x20u || byte == 0x7fu ? '?' : *text;
    }
}

static const char *name_of(Replan__V1__Status status)
{
    const ProtobufCEnumValue *value =
        protobuf_c_enum_descriptor_get_value(&replan__v1__status__descriptor, (int)status);
    return value != NULL ? value->name : "?";
}

void rp_refusal_log_add(rp_refusal_log_t *self, const char *socket, uint64_t id,
                        const rp_refusal_t *refusal, uint64_t steady_us)
{
    const uint64_t second = steady_us / 1000000u;
    rp_refusal_t shown = *refusal;
    if (second != self->second) {
        self->second = second;
        self->logged = 0;
    }
    if (self->logged == RP_REFUSAL_LOG_EACH_SECOND) {
        self->skipped++;
        return;
    }
    make_quotable(shown.sentence);
    rp_log(RP_LOG_DEBUG, "refused",
           "socket=%s id=%" PRIu64 " status=%s skipped=%" PRIu64 " sentence=\"%s\"", socket, id,
           name_of(refusal->status), self->skipped, shown.sentence);
    self->logged++;
    self->skipped = 0;
}
