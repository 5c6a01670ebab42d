/// Plays clients/story.json with the C client, by the lines of story_player.py.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "replan/client.h"
#include "replan/mirror.h"

#define PATIENCE_S  60
#define PATIENCE_MS (1000 * PATIENCE_S)

typedef struct player {
    rp_client_t *client;
    uint32_t watch;
    uint32_t map;
    rp_mirror_t mirror;
} player_t;

static void tell_answer(player_t *self)
{
    rp_client_path_t path;
    switch (rp_client_next_answer(self->client, PATIENCE_MS, &path)) {
    case RP_CLIENT_OK:
        printf("answer %s %s %.17g %" PRIu64 " %" PRIu64 "\n", path.agent, path.outcome, path.cost,
               path.answer->epoch, path.version);
        break;
    case RP_CLIENT_E_REFUSED:
        printf("gone %s\n", rp_client_sentence(self->client));
        break;
    default:
        puts("none");
    }
}

/// The mirror follows while answers are awaited, too.
static void tell_cells(player_t *self, uint64_t version, uint64_t epoch)
{
    const time_t end = time(NULL) + PATIENCE_S;
    rp_mirror_t *mirror = &self->mirror;
    rp_client_event_t event;
    while ((!mirror->is_whole || mirror->epoch < epoch || mirror->version < version) &&
           time(NULL) < end) {
        (void)rp_client_poll(self->client, 1000, &event);
    }
    const uint8_t *bytes = rp_mirror_newest(mirror);
    unsigned blocked = 0;
    for (size_t i = 0; bytes != NULL && i < (size_t)mirror->width * mirror->height; i++) {
        blocked += bytes[i] == 0;
    }
    printf("cells %" PRIu64 " %" PRIu64 " %u\n", mirror->epoch, mirror->version, blocked);
}

static void call(player_t *self, const char *hex)
{
    uint8_t packed[1024];
    size_t size = 0;
    unsigned byte;
    for (; size < sizeof packed && sscanf(hex + 2 * size, "%2x", &byte) == 1; size++) {
        packed[size] = (uint8_t)byte;
    }
    Replan__V1__Request *request = replan__v1__request__unpack(NULL, size, packed);
    const Replan__V1__Reply *reply = NULL;
    const rp_client_status_t status =
        request != NULL ? rp_client_call(self->client, request, &reply) : RP_CLIENT_E_INVALID;
    const ProtobufCEnumValue *word =
        reply != NULL
            ? protobuf_c_enum_descriptor_get_value(&replan__v1__status__descriptor, reply->status)
            : NULL;
    printf("reply %s\n", word != NULL ? word->name : rp_client_status_text(status));
    if (request != NULL) {
        replan__v1__request__free_unpacked(request, NULL);
    }
}

int main(int argc, char **argv)
{
    player_t self = {.client = NULL};
    char line[2200];
    char words[2][2100];
    if (argc != 2 || rp_client_open(argv[1], PATIENCE_MS, &self.client) != RP_CLIENT_OK ||
        !rp_mirror_init(&self.mirror, 16, 1024)) {
        fputs("story_player: no daemon\n", stderr);
        return 4;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        words[0][0] = words[1][0] = '\0';
        if (sscanf(line, "call %2099s", words[0]) == 1) {
            call(&self, words[0]);
        } else if (sscanf(line, "watch %2099s %2099s", words[0], words[1]) == 2) {
            const char *agents[] = {words[1]};
            puts(rp_client_watch_agents(self.client, words[0], agents, 1, &self.watch) ==
                         RP_CLIENT_OK
                     ? "ok"
                     : rp_client_sentence(self.client));
        } else if (sscanf(line, "mirror %2099s", words[0]) == 1) {
            puts(rp_client_mirror(self.client, words[0], &self.mirror, &self.map) == RP_CLIENT_OK
                     ? "ok"
                     : rp_client_sentence(self.client));
        } else if (sscanf(line, "cells %2099s %2099s", words[0], words[1]) == 2) {
            tell_cells(&self, strtoull(words[0], NULL, 10), strtoull(words[1], NULL, 10));
        } else if (strcmp(line, "answer\n") == 0) {
            tell_answer(&self);
        } else {
            printf("lost %s\n", rp_client_lost(self.client, self.watch));
        }
        (void)fflush(stdout);
    }
    rp_client_close(&self.client);
    rp_mirror_fini(&self.mirror);
    return 0;
}
