/// `replan doctor`: looks at a daemon and at the machine, and says what is wrong, in sentences.
#include "tools/doctor.h"

#include <arpa/inet.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "msgs/request.h"
#include "tools/commands.h"
#include "tools/flags.h"
#include "tools/remote.h"
#include "tools/report.h"
#include "tools/timer.h"

#define TRIES            3u ///< of a question, to see how long it takes
#define SECOND_US        1000000u
#define MIB              ((uint64_t)1 << 20)
#define CLOCK_APART_US   100000u ///< more than this is told
#define SLOW_REPLY_US    50000u  ///< of a request that only asks
#define RESIDENT_PERCENT 200u    ///< of the limit: what is outside of it counts, too
#define UNREAD_BYTES     MIB     ///< that a peer should not leave lying

static const char help[] =
    "usage: replan doctor [OPTION...]\n"
    "\n"
    "Look at a daemon and at this machine: ports, versions, limits, clock, disk, memory, and what\n"
    "the daemon has counted. Prints a sentence for each thing: fine, note (good to know) or "
    "wrong.\n"
    "\n"
    "  -c, --control EP\n"
    "                 the daemon's control socket (" RP_CLIENT_CONTROL ")\n"
    "  --changes EP, --paths EP, --poses EP\n"
    "                 its other sockets (tcp://127.0.0.1:7401, 7402 and 7404; with --control EP\n"
    "                 only those that are given are looked at)\n"
    "  --state DIR    the folder of `repland --state`: free space, kind of disk, time of a write\n"
    "  --json         one JSON object a line: level, about, sentence\n"
    "  --help         this text\n"
    "\n"
    "exit codes: 0 nothing is wrong, 1 something is, 2 bad input, 4 no daemon answers\n"
    "\n"
    "example: replan doctor --state /var/lib/replan\n";

void rp_doctor_tell(rp_doctor_t *self, rp_doctor_level_t level, const char *about,
                    const char *format, ...)
{
    static const char *const words[] = {
        [RP_DOCTOR_FINE] = "fine", [RP_DOCTOR_NOTE] = "note", [RP_DOCTOR_WRONG] = "wrong"};
    char sentence[512];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(sentence, sizeof sentence, format, arguments);
    va_end(arguments);
    self->wrongs += level == RP_DOCTOR_WRONG;
    if (self->json) {
        printf("{\"kind\":\"finding\",\"level\":\"%s\",\"about\":\"%s\",\"sentence\":",
               words[level], about);
        rp_print_json_string(stdout, sentence);
        puts("}");
    } else {
        printf("%-5s  %-8s  %s\n", words[level], about, sentence);
    }
}

// ---- ports

/// Why no connection was tried; errors of connect() are positive.
typedef enum port_fault {
    PORT_FAULT_FORM = -1, ///< it is not tcp://HOST:PORT, or HOST is * or an IPv6 address
    PORT_FAULT_HOST = -2, ///< there is no such host
} port_fault_t;

/// Connect to an endpoint tcp://HOST:PORT by IPv4, which is all that repland listens to.
/// @return 0, why not, as errno, or a port_fault_t
static int try_port(const char *endpoint)
{
    char host[256];
    char port[8];
    int end = 0;
    struct addrinfo *found = NULL;
    const struct addrinfo wanted = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM};
    if (sscanf(endpoint, "tcp://%255[^:*]:%7[0-9]%n", host, port, &end) != 2 ||
        endpoint[end] != '\0') {
        return PORT_FAULT_FORM;
    }
    if (getaddrinfo(host, port, &wanted, &found) != 0) {
        return PORT_FAULT_HOST;
    }
    const int line = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const struct timeval most = {.tv_sec = 1};
    (void)setsockopt(line, SOL_SOCKET, SO_SNDTIMEO, &most, sizeof most);
    const int error = connect(line, found->ai_addr, found->ai_addrlen) == 0 ? 0 : errno;
    (void)close(line);
    freeaddrinfo(found);
    return error;
}

/// @param endpoint  NULL: none is named
static void check_port(rp_doctor_t *self, const char *name, const char *endpoint)
{
    if (endpoint == NULL) {
        return;
    }
    const int error = try_port(endpoint);
    if (error == 0) {
        rp_doctor_tell(self, RP_DOCTOR_FINE, name, "%s takes connections.", endpoint);
    } else if (error == PORT_FAULT_FORM) {
        rp_doctor_tell(self, RP_DOCTOR_NOTE, name,
                       "%s is not looked at: only tcp://HOST:PORT is, with a name or an IPv4 "
                       "address as HOST.",
                       endpoint);
    } else if (error == PORT_FAULT_HOST) {
        rp_doctor_tell(self, RP_DOCTOR_WRONG, name,
                       "The host of %s is not found, or has no IPv4 address.", endpoint);
    } else {
        rp_doctor_tell(self, RP_DOCTOR_WRONG, name,
                       "Nobody takes connections at %s: %s. repland listens where its "
                       "--%s says.",
                       endpoint, strerror(error), name);
    }
}

/// Why there is no daemon. What holds its port may be another program.
static void explain_absence(rp_doctor_t *self)
{
    const char *control = self->control;
    const int error = try_port(control);
    if (error == 0) {
        rp_doctor_tell(
            self, RP_DOCTOR_WRONG, "control",
            "Something takes connections at %s, and does not greet as a repland does: another "
            "program has that port, or the daemon is stopped or hangs.",
            control);
    } else if (error == ECONNREFUSED) {
        rp_doctor_tell(
            self, RP_DOCTOR_WRONG, "control",
            "Nobody listens at %s. Start `repland`, or name its control socket by --control; its "
            "first line, event=ready, has it.",
            control);
    } else {
        const char *why = error == PORT_FAULT_HOST ? "its host is not found, or has no IPv4 address"
                          : error > 0              ? strerror(error)
                                                   : "it is not tcp://HOST:PORT of IPv4";
        rp_doctor_tell(self, RP_DOCTOR_WRONG, "control", "No daemon answers at %s: %s.", control,
                       why);
    }
}

// ---- the daemon

static uint64_t stat_of(const rp_doctor_t *self, const char *name)
{
    const Replan__V1__Stats *stats = self->stats;
    for (size_t i = 0; stats != NULL && i < stats->n_names && i < stats->n_values; i++) {
        if (strcmp(stats->names[i], name) == 0) {
            return stats->values[i];
        }
    }
    return 0;
}

static void check_version(rp_doctor_t *self)
{
    if (strcmp(self->stats->version, REPLAN_VERSION) != 0) {
        rp_doctor_tell(
            self, RP_DOCTOR_WRONG, "version",
            "The daemon is replan %s, this program is %s: fields that only one of them knows are "
            "left out. Install the same version of both.",
            self->stats->version, REPLAN_VERSION);
    } else {
        rp_doctor_tell(self, RP_DOCTOR_FINE, "version", "Daemon and tools are replan %s.",
                       REPLAN_VERSION);
    }
}

/// @param took_us    of a request and its reply, the best of some
/// @param before_us  our clock when the last one was sent, and how long that took
static void check_daemon_clock(rp_doctor_t *self, uint64_t took_us, uint64_t before_us,
                               uint64_t last_us)
{
    const uint64_t theirs_us = stat_of(self, "process.clock_us");
    const int64_t ahead_us = (int64_t)(theirs_us - before_us);
    if (took_us > SLOW_REPLY_US) {
        rp_doctor_tell(
            self, RP_DOCTOR_WRONG, "control",
            "A question took %.0f ms. The daemon or the machine has too much to do; `replan ctl "
            "peers` shows who asks for much.",
            (double)took_us / 1000);
    } else {
        rp_doctor_tell(self, RP_DOCTOR_FINE, "control", "The daemon answers, in %.2f ms.",
                       (double)took_us / 1000);
    }
    if (theirs_us != 0 &&
        (ahead_us < -(int64_t)CLOCK_APART_US || ahead_us > (int64_t)(CLOCK_APART_US + last_us))) {
        rp_doctor_tell(
            self, RP_DOCTOR_WRONG, "clock",
            "The daemon's clock is %.1f s %s ours: arrival_us and sent_us cannot be compared "
            "with stamps of this machine. Run NTP or chrony on both.",
            (double)(ahead_us < 0 ? -ahead_us : ahead_us) / SECOND_US,
            ahead_us < 0 ? "behind" : "ahead of");
    }
}

/// What should be 0.
static void check_counters(rp_doctor_t *self)
{
    static const struct {
        const char *name;
        const char *sentence; ///< after the number
    } rows[] = {
        {"changes.gaps", "times a publisher lost changes on PUB: such a map may be wrong until it "
                         "is restated. Send changes through control, which loses nothing"},
        {"changes.late", "changes came after newer ones of their publisher and were refused: two "
                         "programs publish under one name, or one counts wrongly"},
        {"frames.malformed", "messages could not be read at all: something that does not speak "
                             "replan.v1 sends here"},
        {"replies.dropped", "replies were lost, because their clients did not read or were gone"},
        {"paths.dropped", "messages were dropped on the paths socket: subscribers read too little. "
                          "A watch loses nothing"},
        {"answers.too_large", "answers did not fit into a message of the paths socket; a watch "
                              "sends them whole"},
        {"connections.refused", "connections were refused, because there were enough: see limits"},
        {"connections.cut", "connections were cut for what they sent"},
        {"log.lost", "lines of the log were lost: its disk or its reader is too slow"},
        {"watches.lost", "answers were lost to watches for want of memory"},
        {"planner.differed", "plans cost more than an independent search found: this is a bug, "
                             "please report it"},
    };
    uint32_t found = 0;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const uint64_t value = stat_of(self, rows[i].name);
        if (value != 0) {
            rp_doctor_tell(self, RP_DOCTOR_WRONG, "counted", "%s is %" PRIu64 ": so many %s.",
                           rows[i].name, value, rows[i].sentence);
            found++;
        }
    }
    if (found == 0) {
        rp_doctor_tell(self, RP_DOCTOR_FINE, "counted",
                       "No message was lost, dropped or unreadable since the start.");
    }
}

static void check_daemon_memory(rp_doctor_t *self)
{
    const uint64_t resident = stat_of(self, "process.resident_bytes");
    const uint64_t limit = stat_of(self, "process.memory_limit_bytes");
    self->memory_limit = limit;
    self->resident = resident;
    if (resident == 0) {
        return;
    }
    if (limit != 0 && resident / RESIDENT_PERCENT > limit / 100u) {
        rp_doctor_tell(
            self, RP_DOCTOR_WRONG, "memory",
            "The daemon has %" PRIu64 " MiB in memory, and its --memory is %" PRIu64
            " MiB: what comes in and waits is not part of that. `replan ctl peers` shows whose.",
            resident / MIB, limit / MIB);
    } else {
        rp_doctor_tell(self, RP_DOCTOR_FINE, "memory",
                       "The daemon has %" PRIu64 " MiB in memory; --memory is %" PRIu64 " MiB.",
                       resident / MIB, limit / MIB);
    }
}

/// A call brought nothing, or something else. @param what  it was to do: "list its worlds"
static void tell_failure(rp_doctor_t *self, const char *about, const char *what,
                         rp_client_status_t status)
{
    rp_doctor_tell(self, RP_DOCTOR_WRONG, about, "The daemon does not %s: %.300s.", what,
                   status == RP_CLIENT_OK ? "its reply is another one"
                                          : rp_client_sentence(self->client));
}

static void check_worlds(rp_doctor_t *self)
{
    Replan__V1__ListWorlds list = REPLAN__V1__LIST_WORLDS__INIT;
    const Replan__V1__Reply *reply = NULL;
    Replan__V1__Request request = RP_REQUEST(LIST_WORLDS, list_worlds, &list);
    const rp_client_status_t status = rp_client_call(self->client, &request, &reply);
    if (status != RP_CLIENT_OK || reply->body_case != REPLAN__V1__REPLY__BODY_WORLDS) {
        tell_failure(self, "worlds", "list its worlds", status);
        return;
    }
    for (size_t i = 0; i < reply->worlds->n_worlds; i++) {
        const Replan__V1__WorldInfo *world = reply->worlds->worlds[i];
        const Replan__V1__Head *head = world->head;
        if (head == NULL) {
            continue;
        }
        if (head->gap) {
            rp_doctor_tell(
                self, RP_DOCTOR_WRONG, "worlds",
                "A publisher of world \"%s\" lost changes, so its map may be "
                "wrong, until it restates the present or `replan ctl forgive` ends the mark.",
                world->world);
        }
        if (head->stale_map) {
            rp_doctor_tell(self, RP_DOCTOR_WRONG, "worlds",
                           "No change came to world \"%s\" for %" PRIu64
                           " ms, which is longer than it expects.",
                           world->world, head->map_age_ms);
        }
        if (head->n_overdue_agents != 0) {
            rp_doctor_tell(
                self, RP_DOCTOR_WRONG, "worlds",
                "%zu agents of world \"%s\" wait for an answer for more than a "
                "second, \"%s\" among them: searches are long, or there is not enough CPU.",
                head->n_overdue_agents, world->world, head->overdue_agents[0]);
        }
    }
    const size_t count = reply->worlds->n_worlds;
    rp_doctor_tell(self, RP_DOCTOR_FINE, "worlds",
                   count == 1 ? "There is %zu world." : "There are %zu worlds.", count);
}

static void check_peers(rp_doctor_t *self)
{
    Replan__V1__ListPeers list = REPLAN__V1__LIST_PEERS__INIT;
    const Replan__V1__Reply *reply = NULL;
    Replan__V1__Request request = RP_REQUEST(LIST_PEERS, list_peers, &list);
    const rp_client_status_t status = rp_client_call(self->client, &request, &reply);
    if (status != RP_CLIENT_OK || reply->body_case != REPLAN__V1__REPLY__BODY_PEERS) {
        tell_failure(self, "peers", "list its peers", status);
        return;
    }
    for (size_t i = 0; i < reply->peers->n_peers; i++) {
        const Replan__V1__PeerInfo *peer = reply->peers->peers[i];
        if (peer->bytes_out > UNREAD_BYTES) {
            rp_doctor_tell(self, RP_DOCTOR_WRONG, "peers",
                           "The client at %s leaves %" PRIu64
                           " KiB unread: it reads too slowly, or hangs.",
                           peer->address, peer->bytes_out / 1024u);
        }
        if (peer->refused != 0) {
            rp_doctor_tell(self, RP_DOCTOR_NOTE, "peers",
                           "Of %" PRIu64 " requests of the client at %s %" PRIu64
                           " were refused, the last one because: %s",
                           peer->requests, peer->address, peer->refused, peer->last_refusal);
        }
    }
}

/// How long the daemon took for questions, and our clocks around the last one.
typedef struct pace {
    uint64_t took_us;   ///< the best; UINT64_MAX: none was answered
    uint64_t last_us;   ///< that the last one took
    uint64_t before_us; ///< our clock when it was sent
} pace_t;

/// Ask for the counters: they are in `stats` until the next call.
static rp_client_status_t ask_stats(rp_doctor_t *self, pace_t *pace)
{
    Replan__V1__GetStats get = REPLAN__V1__GET_STATS__INIT;
    const Replan__V1__Reply *reply;
    Replan__V1__Request request = RP_REQUEST(GET_STATS, get_stats, &get);
    self->stats = NULL; // the call ends those that there were
    const uint64_t began_us = rp_timer_clock_ns(CLOCK_MONOTONIC) / 1000u;
    pace->before_us = rp_timer_clock_ns(CLOCK_REALTIME) / 1000u;
    const rp_client_status_t status = rp_client_call(self->client, &request, &reply);
    if (status == RP_CLIENT_OK && reply->body_case == REPLAN__V1__REPLY__BODY_STATS) {
        pace->last_us = rp_timer_clock_ns(CLOCK_MONOTONIC) / 1000u - began_us;
        pace->took_us = pace->last_us < pace->took_us ? pace->last_us : pace->took_us;
        self->stats = reply->stats;
    }
    return status;
}

/// What follows from the counters. @return false when no daemon answers
static bool check_stats(rp_doctor_t *self)
{
    pace_t pace = {.took_us = UINT64_MAX};
    rp_client_status_t status = ask_stats(self, &pace);
    for (unsigned i = 1; i < TRIES && self->stats != NULL; i++) {
        status = ask_stats(self, &pace); // the best counts: another program may have had its turn
    }
    if (self->stats != NULL) {
        check_daemon_clock(self, pace.took_us, pace.before_us, pace.last_us);
        check_version(self);
        check_counters(self);
        check_daemon_memory(self);
        self->stats = NULL; // the next call ends them
        return true;
    }
    const bool answers = status == RP_CLIENT_OK || status == RP_CLIENT_E_REFUSED;
    if (answers || pace.took_us != UINT64_MAX) {
        tell_failure(self, "control", "tell what it counted", status);
    } else {
        explain_absence(self);
    }
    return answers;
}

/// @return an exit code: is there a daemon to look at
static int visit(rp_doctor_t *self)
{
    const rp_client_status_t opened =
        rp_client_open(self->control, RP_REMOTE_CONNECT_MS, &self->client);
    if (opened == RP_CLIENT_E_INVALID) {
        fprintf(stderr, "%s: --control: \"%s\" %s\n", self->program, self->control,
                rp_client_endpoint_fault(self->control));
        return RP_EXIT_INPUT;
    }
    if (opened != RP_CLIENT_OK) {
        explain_absence(self);
        return RP_EXIT_NO_DAEMON;
    }
    if (!check_stats(self)) {
        return RP_EXIT_NO_DAEMON;
    }
    check_worlds(self);
    check_peers(self);
    check_port(self, "changes", self->changes);
    check_port(self, "paths", self->paths);
    check_port(self, "poses", self->poses);
    return RP_EXIT_FINE;
}

// ---- the command line

/// What is looked at although nobody named it.
static void fill_in(rp_doctor_t *self)
{
    if (self->control != NULL) {
        return;
    }
    self->control = RP_CLIENT_CONTROL;
    self->changes = self->changes != NULL ? self->changes : "tcp://127.0.0.1:7401";
    self->paths = self->paths != NULL ? self->paths : "tcp://127.0.0.1:7402";
    self->poses = self->poses != NULL ? self->poses : "tcp://127.0.0.1:7404";
}

static bool read_options(rp_doctor_t *self, int argc, char **argv)
{
    const rp_flag_t flags[] = {
        {.name = "--control", .text = &self->control},
        {.name = "--changes", .text = &self->changes},
        {.name = "--paths", .text = &self->paths},
        {.name = "--poses", .text = &self->poses},
        {.name = "--state", .text = &self->state},
        {.name = "--json", .given = &self->json},
    };
    if (!rp_flags_read(self->program, flags, sizeof flags / sizeof flags[0], argc, argv)) {
        return false;
    }
    if (optind != argc) {
        fprintf(stderr, "%s: \"%s\" is one argument too many, it takes options only\n",
                self->program, argv[optind]);
        return false;
    }
    const char *const endpoints[][2] = {
        {"changes", self->changes}, {"paths", self->paths}, {"poses", self->poses}};
    for (size_t i = 0; i < sizeof endpoints / sizeof endpoints[0]; i++) {
        if (endpoints[i][1] != NULL && strstr(endpoints[i][1], "://") == NULL) {
            fprintf(stderr, "%s: --%s: \"%s\" %s\n", self->program, endpoints[i][0],
                    endpoints[i][1], rp_client_endpoint_fault(endpoints[i][1]));
            return false;
        }
    }
    fill_in(self);
    return true;
}

int rp_doctor_main(int argc, char **argv)
{
    rp_doctor_t self = {.program = argv[0]};
    if (rp_flags_want_help(argc, argv, help)) {
        return RP_EXIT_FINE;
    }
    if (!read_options(&self, argc, argv)) {
        return RP_EXIT_INPUT;
    }
    const int code = visit(&self);
    if (code == RP_EXIT_INPUT) {
        return code;
    }
    rp_doctor_check_machine(&self);
    rp_client_close(&self.client);
    return code != RP_EXIT_FINE ? code : self.wrongs != 0 ? RP_EXIT_DIFFERS : RP_EXIT_FINE;
}
