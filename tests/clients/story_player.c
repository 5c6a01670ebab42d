/// Plays clients/story.json with the C client, by the lines of story_player.py. It shows how a C
/// program goes on when the daemon comes back: watch again when a call succeeds.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "replan/client.h"
#include "replan/mirror.h"

#define PATIENCE_S 60
#define RETRY_MS   100

typedef struct player {
    rp_client_t *client;
    char world[40];
    char agent[40];
    bool has_watch;
    bool has_mirror;
    uint32_t watch;   ///< 0: no daemon knows it
    uint32_t map;     ///< watch of the mirror; 0: likewise
    uint64_t epoch;   ///< of the newest answer
    uint64_t version; ///< of the newest answer
    bool was_told;    ///< that the world is gone
    bool is_resumed;  ///< the next answer is the first after a break
    bool has_answer;  ///< that was not told yet
    char answer[200]; ///< the line of it
    char lost[600];   ///< what was lost, in words
    rp_mirror_t mirror;
} player_t;

static void say_lost(player_t *self, const char *words)
{
    const size_t used = strlen(self->lost);
    (void)snprintf(self->lost + used, sizeof self->lost - used, "%s%s", used != 0 ? " | " : "",
                   words);
}

/// @return RP_CLIENT_E_REFUSED when the world is gone
static rp_client_status_t watch_again(player_t *self)
{
    rp_client_status_t status = RP_CLIENT_OK;
    if (self->has_watch && self->watch == 0) {
        Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
        char *agents[] = {self->agent};
        watch.world = self->world;
        watch.agents = agents;
        watch.n_agents = 1;
        watch.splices = true;
        status = rp_client_watch(self->client, &watch, &self->watch);
    }
    if (status == RP_CLIENT_OK && self->has_mirror && self->map == 0) {
        Replan__V1__Watch watch = REPLAN__V1__WATCH__INIT;
        watch.world = self->world;
        watch.map = true;
        watch.follows = true;
        status = rp_client_watch(self->client, &watch, &self->map);
    }
    return status;
}

static void take_answer(player_t *self, const Replan__V1__Answer *answer)
{
    if (self->is_resumed && answer->epoch != self->epoch) {
        char words[160];
        (void)snprintf(words, sizeof words,
                       "another epoch began (%" PRIu64 ", now %" PRIu64 "), at version %" PRIu64
                       ", and was at %" PRIu64 "%s",
                       self->epoch, answer->epoch, answer->version, self->version,
                       answer->version < self->version ? ": the changes since are lost" : "");
        say_lost(self, words);
    }
    self->is_resumed = false;
    self->epoch = answer->epoch;
    self->version = answer->version;
    self->has_answer = true;
    (void)snprintf(self->answer, sizeof self->answer, "answer %s %s %.17g %" PRIu64 " %" PRIu64,
                   answer->agent, rp_client_outcome_text(answer->outcome), answer->cost,
                   answer->epoch, answer->version);
}

/// Take one event, or try to go on after a break.
/// @return false when the world is gone, once
static bool take_event(player_t *self)
{
    rp_client_event_t event;
    const bool is_bound =
        (!self->has_watch || self->watch != 0) && (!self->has_mirror || self->map != 0);
    if (!is_bound && watch_again(self) == RP_CLIENT_E_REFUSED && !self->was_told) {
        self->was_told = true;
        say_lost(self, "the world is lost with its agents");
        return false;
    }
    if (!rp_client_poll(self->client, RETRY_MS, &event)) {
        return true;
    }
    if (event.kind == RP_CLIENT_LOST) {
        self->watch = self->map = 0;
        self->is_resumed = true;
        self->has_answer = false;
    } else if (event.kind == RP_CLIENT_ANSWER) {
        take_answer(self, event.answer);
    } else if (event.watch == self->map && self->map != 0 &&
               rp_mirror_needs_watch(rp_mirror_take(&self->mirror, &event))) {
        (void)rp_client_unwatch(self->client, self->map);
        self->map = 0;
    }
    return true;
}

static void tell_answer(player_t *self)
{
    const time_t end = time(NULL) + PATIENCE_S;
    while (!self->has_answer && time(NULL) < end) {
        if (!take_event(self)) {
            printf("gone %s: %s\n", self->world, rp_client_sentence(self->client));
            return;
        }
    }
    puts(self->has_answer ? self->answer : "none");
    self->has_answer = false;
}

static void tell_cells(player_t *self, uint64_t version, uint64_t epoch)
{
    const time_t end = time(NULL) + PATIENCE_S;
    rp_mirror_t *mirror = &self->mirror;
    while ((!mirror->is_whole || mirror->epoch < epoch || mirror->version < version) &&
           time(NULL) < end) {
        (void)take_event(self);
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
    if (argc != 2 || rp_client_open(argv[1], 5000, &self.client) != RP_CLIENT_OK ||
        !rp_mirror_init(&self.mirror, 16, 1024)) {
        fputs("story_player: no daemon\n", stderr);
        return 4;
    }
    while (fgets(line, sizeof line, stdin) != NULL) {
        words[0][0] = words[1][0] = '\0';
        if (sscanf(line, "call %2099s", words[0]) == 1) {
            call(&self, words[0]);
        } else if (sscanf(line, "watch %39s %39s", self.world, self.agent) == 2) {
            self.has_watch = true;
            puts(watch_again(&self) == RP_CLIENT_OK ? "ok" : rp_client_sentence(self.client));
        } else if (sscanf(line, "mirror %39s", self.world) == 1) {
            self.has_mirror = true;
            puts(watch_again(&self) == RP_CLIENT_OK ? "ok" : rp_client_sentence(self.client));
        } else if (sscanf(line, "cells %2099s %2099s", words[0], words[1]) == 2) {
            tell_cells(&self, strtoull(words[0], NULL, 10), strtoull(words[1], NULL, 10));
        } else if (strcmp(line, "answer\n") == 0) {
            tell_answer(&self);
        } else {
            printf("lost %s\n", self.lost);
        }
        (void)fflush(stdout);
    }
    rp_mirror_fini(&self.mirror);
    rp_client_close(&self.client);
    return 0;
}
