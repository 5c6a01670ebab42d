/// The loop: wait, read what came (control first), work, and again.
///
///     poll -> control, changes, poses: at most READ_MOST messages each
///          -> rp_daemon_work(): plan for about a millisecond, publish, reply, serve watches
#include "daemon/reactor.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <time.h>
#include <unistd.h>
#include <zmq.h>

#include "daemon/connection_list.h"
#include "daemon/connections/guard.h"
#include "daemon/connections/inlet.h"
#include "daemon/connections/paths_socket.h"
#include "daemon/connections/routing_ids.h"
#include "daemon/connections/sockets.h"
#include "daemon/net/frames.h"
#include "daemon/process/capacity.h"
#include "daemon/process/log.h"
#include "daemon/process/process.h"
#include "daemon/process/spin_wait.h"
#include "daemon/requests/restore.h"
#include "daemon/rules/state.h"
#include "daemon/workers/worker.h"

/// Messages of one socket, and their bytes, before the others have their turn.
#define READ_MOST  256
#define READ_BYTES ((size_t)4 << 20)

/// What a message takes on the line beside its longest frame: routing frames, topics, heads.
#define UNFINISHED_MORE ((uint64_t)256 << 10)

/// Long messages that wait to be read are no more than UNREAD, and one. What ZeroMQ takes for a
/// frame beside its bytes. What it reads of one connection before others have their turn.
#define UNREAD      ((uint64_t)8 << 20)
#define LONG_BYTES  ((uint64_t)8 << 10)
#define FRAME_BYTES 192u
#define PIECE       ((uint32_t)128 << 10)
#define TRUSTED     ((uint64_t)16 << 10) ///< of a connection, beside its whole messages

/// The loop turns at least this often.
#define WAIT_MOST_MS 1000

/// A socket that messages come in by. In the order in which they are read.
enum {
    CONTROL,
    CHANGES,
    POSES,
    INLETS,
    SIGNALS = INLETS, ///< descriptors beside them
    REPORTS,          ///< of the workers
    DISK,             ///< took something of what is kept
    CONNECTIONS,      ///< came, went, or sent something
    DESCRIPTORS,
};

struct rp_reactor {
    rp_daemon_t daemon;
    rp_recorder_t *recorder; ///< owned, of what comes in; NULL: nothing is recorded
    void *context;
    rp_send_window_t *unsent;     ///< of control
    rp_routing_ids_t routing_ids; ///< to control
    rp_inlet_t inlets[INLETS];
    rp_guard_t *guard; ///< of the connections of the inlets, in their order
    rp_paths_socket_t *paths;
    rp_ipc_claim_t claims[INLETS + 1]; ///< to the paths of ipc:// endpoints; of `paths` the last
    zmq_msg_t *body;                   ///< of the message at hand
    int signals;
    bool is_stopping;
    rp_spin_wait_t wait;
};

// ---- clocks

static uint64_t clock_us(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * 1000000u + (uint64_t)now.tv_nsec / 1000u;
}

/// The steady clock begins long before the machine does: what is told again after a restart may be
/// older than that.
#define STEADY_START_US ((uint64_t)1 << 53)

static void read_clocks(rp_reactor_t *self)
{
    self->daemon.serving.now.steady_us = STEADY_START_US + clock_us(CLOCK_MONOTONIC);
    self->daemon.serving.now.wall_us = clock_us(CLOCK_REALTIME);
    rp_recorder_now(self->recorder, &self->daemon.serving.now);
}

// ---- out

static rp_sent_t send_control(void *user, const rp_peer_t *peer, const void *bytes, size_t size)
{
    rp_reactor_t *self = user;
    rp_inlet_t *inlet = &self->inlets[CONTROL];
    uint32_t at = 0;
    const uint8_t *frame;
    size_t frame_size;
    bool is_first = true;
    zmq_msg_t body;
    if (!rp_frames_body(self->unsent, peer, bytes, size, &body)) {
        return RP_SENT_FULL;
    }
    inlet->is_doubtful = true;
    while (rp_peer_next(peer, &at, &frame, &frame_size)) {
        if (zmq_send(inlet->socket, frame, frame_size, ZMQ_SNDMORE | ZMQ_DONTWAIT) < 0) {
            // Only the first frame can fail: it chooses the peer.
            const bool is_full = is_first && errno == EAGAIN;
            (void)zmq_msg_close(&body);
            return is_full ? RP_SENT_FULL : RP_SENT_GONE;
        }
        is_first = false;
    }
    if (zmq_msg_send(&body, inlet->socket, ZMQ_DONTWAIT) < 0) {
        (void)zmq_msg_close(&body);
        return RP_SENT_GONE;
    }
    return RP_SENT;
}

static uint64_t count_unsent(void *user, const rp_peer_t *peer)
{
    const rp_send_window_t *window = ((rp_reactor_t *)user)->unsent;
    return peer != NULL ? rp_send_window_of(window, peer) : rp_send_window_total(window);
}

static size_t list_connections(void *user, rp_connection_t *list, size_t most)
{
    return rp_connection_list(((rp_reactor_t *)user)->guard, list, most);
}

static void publish(void *user, const char *topic, const void *bytes, size_t size)
{
    rp_paths_socket_publish(((rp_reactor_t *)user)->paths, topic, bytes, size);
}

static rp_shared_buffer_t *keep(void *user, const void *body)
{
    rp_reactor_t *self = user;
    if (self->body == NULL || zmq_msg_data(self->body) != body) {
        return NULL;
    }
    rp_shared_buffer_t *buffer = rp_frames_keep(self->body);
    self->body = buffer != NULL ? NULL : self->body;
    return buffer;
}

static uint64_t wall_us(void *user)
{
    (void)user;
    return clock_us(CLOCK_REALTIME);
}

// ---- in

/// A message that cannot even be taken apart.
static void refuse(rp_reactor_t *self, const char *socket, const char *sentence)
{
    rp_recorder_malformed(self->recorder, socket, sentence);
    rp_daemon_malformed(&self->daemon, socket, sentence);
}

/// @param from  the connection that it seems to have come by; NULL: one that is gone
static void take_control(rp_reactor_t *self, rp_frames_t *message, rp_guarded_t *from)
{
    rp_peer_t peer = {0};
    bool is_right = message->count >= 2 && !message->is_too_long;
    for (size_t i = 0; is_right && i + 1u < message->count; i++) {
        is_right = rp_peer_add(&peer, zmq_msg_data(&message->frames[i]),
                               zmq_msg_size(&message->frames[i]));
    }
    if (!is_right) {
        refuse(self, "control", "a request is at most 7 routing frames of 255 bytes and a body");
        return;
    }
    zmq_msg_t *body = &message->frames[message->count - 1u];
    peer.connection = rp_routing_ids_connection(&self->routing_ids, &message->frames[0],
                                                &self->daemon.serving.watches.shares);
    rp_connection_note(from, peer.connection);
    rp_recorder_request(self->recorder, &peer, zmq_msg_data(body), zmq_msg_size(body));
    self->body = body;
    rp_daemon_request(&self->daemon, &peer, zmq_msg_data(body), zmq_msg_size(body));
}

/// A published message: topic and body, nothing else.
static void take_published(rp_reactor_t *self, rp_frames_t *message, bool is_change)
{
    if (message->count != 2 || message->is_too_long) {
        refuse(self, is_change ? "changes" : "poses", "a message has 2 frames, topic and body");
        return;
    }
    zmq_msg_t *topic = &message->frames[0];
    zmq_msg_t *body = &message->frames[1];
    void (*take)(rp_daemon_t *, const void *, size_t, const void *, size_t) =
        is_change ? rp_daemon_change : rp_daemon_pose;
    rp_recorder_published(self->recorder, is_change ? RP_RECORDING_CHANGE : RP_RECORDING_POSE,
                          zmq_msg_data(topic), zmq_msg_size(topic), zmq_msg_data(body),
                          zmq_msg_size(body));
    self->body = body;
    take(&self->daemon, zmq_msg_data(topic), zmq_msg_size(topic), zmq_msg_data(body),
         zmq_msg_size(body));
}

static void read_inlet(rp_reactor_t *self, unsigned which)
{
    rp_frames_t message;
    size_t bytes = 0;
    for (int i = 0; i < READ_MOST && bytes < READ_BYTES; i++) {
        if (!rp_inlet_receive(&self->inlets[which], &message)) {
            return;
        }
        bytes += message.size;
        const size_t frames = message.count;
        rp_guarded_t *from = rp_guard_sender(self->guard, which, &message);
        if (which == CONTROL) {
            take_control(self, &message, from);
        } else {
            take_published(self, &message, which == CHANGES);
        }
        self->body = NULL;
        rp_frames_close(&message);
        rp_guard_done(self->guard, which, frames, message.size);
    }
}

/// A connection is gone: its routing id may be another one's by now.
static void has_left(void *user, rp_guarded_t *connection)
{
    rp_reactor_t *self = user;
    const uint64_t number = (uintptr_t)connection->user;
    if (connection->socket == CONTROL && number != 0 && !self->is_stopping) {
        rp_recorder_left(self->recorder, number);
        rp_daemon_left(&self->daemon, number);
    }
}

/// Connections that came and went. Where nothing is left to read, nothing waits.
static void guard_connections(rp_reactor_t *self, bool has_spoken)
{
    for (unsigned which = 0; which < INLETS; which++) {
        if (rp_inlet_is_empty(&self->inlets[which])) {
            rp_guard_turn(self->guard, which);
        }
    }
    rp_guard_work(self->guard, self->daemon.serving.now.steady_us, has_spoken);
}

/// What the sockets and the log count.
static void count_outside(rp_reactor_t *self)
{
    const rp_guard_counts_t inlets = rp_guard_counts(self->guard);
    const rp_paths_counts_t paths = rp_paths_socket_counts(self->paths);
    const rp_stats_outside_t outside = {
        .subscriptions = paths.subscriptions,
        .paths_dropped = paths.dropped,
        .connections = inlets.open + paths.connections,
        .connections_refused = inlets.refused + paths.refused,
        .connections_cut = inlets.cut + paths.cut,
        .log_lost = rp_log_lost(),
    };
    if (rp_stats_set_outside(&self->daemon.serving.stats, &outside)) {
        rp_recorder_outside(self->recorder, &outside);
    }
}

/// Settle the doubts that sends left behind. @return true when some inlet may hold input
static bool is_input_left(rp_reactor_t *self)
{
    bool is_left = false;
    for (unsigned which = 0; which < INLETS; which++) {
        is_left = rp_inlet_settle(&self->inlets[which]) || is_left;
    }
    return is_left;
}

// ---- the loop

static void read_signals(rp_reactor_t *self)
{
    struct signalfd_siginfo info;
    while (read(self->signals, &info, sizeof info) == (ssize_t)sizeof info) {
        if (info.ssi_signo == SIGHUP) {
            rp_log_reopen();
            continue;
        }
        rp_log(RP_LOG_INFO, "stop", "signal=%u", info.ssi_signo);
        self->is_stopping = true;
    }
}

/// Milliseconds until something is due without a message; 0 when work is left.
static int poll_timeout_ms(rp_reactor_t *self)
{
    const rp_daemon_t *daemon = &self->daemon;
    if (is_input_left(self) || daemon->serving.is_work_left || daemon->serving.is_delivery_left ||
        daemon->is_idling) {
        return 0;
    }
    const uint64_t next_us = rp_daemon_next_us(daemon);
    const uint64_t now_us = daemon->serving.now.steady_us;
    if (next_us <= now_us) {
        return 0;
    }
    const uint64_t wait_ms = (next_us - now_us + 999u) / 1000u;
    return wait_ms < WAIT_MOST_MS ? (int)wait_ms : WAIT_MOST_MS;
}

/// Wait until a descriptor speaks. While a worker plans the core is the worker's.
/// @return as poll()
static int wait_for_input(rp_reactor_t *self, struct pollfd *descriptors)
{
    return rp_spin_wait(&self->wait, descriptors, DESCRIPTORS, poll_timeout_ms(self),
                        !rp_host_is_at_work(self->daemon.serving.host), CONNECTIONS);
}

void rp_reactor_say_ready(const rp_reactor_t *self)
{
    const rp_inlet_t *inlets = self->inlets;
    rp_log(RP_LOG_INFO, "ready", "version=%s changes=%s paths=%s control=%s poses=%s pid=%d",
           REPLAN_VERSION, inlets[CHANGES].endpoint, rp_paths_socket_endpoint(self->paths),
           inlets[CONTROL].endpoint, inlets[POSES].endpoint, (int)getpid());
}

void rp_reactor_run(rp_reactor_t *self)
{
    struct pollfd descriptors[DESCRIPTORS];
    for (unsigned which = 0; which < INLETS; which++) {
        descriptors[which] = (struct pollfd){self->inlets[which].descriptor, POLLIN, 0};
    }
    descriptors[SIGNALS] = (struct pollfd){self->signals, POLLIN, 0};
    descriptors[REPORTS] =
        (struct pollfd){rp_host_descriptor(self->daemon.serving.host), POLLIN, 0};
    descriptors[DISK] = (struct pollfd){rp_state_descriptor(&self->daemon.serving), POLLIN, 0};
    descriptors[CONNECTIONS] = (struct pollfd){rp_guard_descriptor(self->guard), POLLIN, 0};
    read_clocks(self);
    while (!self->is_stopping) {
        if (wait_for_input(self, descriptors) < 0 && errno != EINTR) {
            rp_log(RP_LOG_ERROR, "poll", "error=\"%s\"", strerror(errno));
            return;
        }
        read_clocks(self);
        for (unsigned which = 0; which < INLETS; which++) {
            const bool has_spoken = (descriptors[which].revents & POLLIN) != 0;
            if (has_spoken || self->inlets[which].may_hold_input) {
                self->inlets[which].may_hold_input = true;
                read_inlet(self, which);
            }
        }
        if ((descriptors[SIGNALS].revents & POLLIN) != 0) {
            read_signals(self);
        }
        guard_connections(self, descriptors[CONNECTIONS].revents != 0);
        count_outside(self);
        rp_recorder_work(self->recorder, RP_WORKER_STEP);
        rp_daemon_work(&self->daemon, RP_WORKER_STEP);
        rp_recorder_pour(self->recorder);
    }
}

rp_recorder_t *rp_reactor_recorder(rp_reactor_t *self)
{
    return self->recorder;
}

rp_daemon_t *rp_reactor_daemon(rp_reactor_t *self)
{
    return &self->daemon;
}

// ---- birth and death

static bool take_signals(rp_reactor_t *self)
{
    sigset_t signals;
    sigemptyset(&signals);
    sigaddset(&signals, SIGTERM);
    sigaddset(&signals, SIGINT);
    sigaddset(&signals, SIGHUP);
    if (sigprocmask(SIG_BLOCK, &signals, NULL) != 0) {
        return false;
    }
    self->signals = signalfd(-1, &signals, SFD_CLOEXEC | SFD_NONBLOCK);
    return self->signals >= 0;
}

/// What went wrong went wrong with this option. @return false
static bool blame(const char *option, char *error, size_t size)
{
    char why[512];
    (void)snprintf(why, sizeof why, "%s", error);
    (void)snprintf(error, size, "--%s: %s", option, why);
    return false;
}

static bool open_inlet(rp_reactor_t *self, unsigned which, int type, const char *endpoint,
                       char *error, size_t size)
{
    static const char *const names[INLETS] = {"control", "changes", "poses"};
    rp_inlet_t *inlet = &self->inlets[which];
    if (!rp_inlet_open(inlet, self->context, type, names[which], endpoint, &self->claims[which],
                       error, size)) {
        return false;
    }
    if (!rp_guard_watch(self->guard, self->context, names[which], inlet->endpoint)) {
        (void)snprintf(error, size, "%s: its connections cannot be watched", names[which]);
        return false;
    }
    return true;
}

static bool open_guard(rp_reactor_t *self, const rp_capacity_t *capacity)
{
    const rp_guard_options_t options = {
        .most_each = capacity->inlet,
        .most_all = capacity->inlets,
        .ingress = {.unfinished_one = RP_LIMIT_MESSAGE_BYTES + UNFINISHED_MORE,
                    .unfinished_all = RP_LIMIT_UNFINISHED,
                    .unread = UNREAD,
                    .long_bytes = LONG_BYTES,
                    .frame_weight = FRAME_BYTES,
                    .byte_weight = 1,
                    .piece = PIECE,
                    .trusted = TRUSTED},
        .has_left = has_left,
        .user = self,
    };
    self->guard = rp_guard_new(&options);
    return self->guard != NULL;
}

static bool open_paths(rp_reactor_t *self, const rp_config_t *config, uint32_t most, char *error,
                       size_t size)
{
    self->paths = rp_paths_socket_open(self->context, config->paths, &self->claims[INLETS], most,
                                       error, size);
    return self->paths != NULL || blame("paths", error, size);
}

static bool open_sockets(rp_reactor_t *self, const rp_config_t *config, char *error, size_t size)
{
    const rp_capacity_t capacity = rp_capacity_raise();
    if (!open_guard(self, &capacity)) {
        (void)snprintf(error, size, "no memory or no descriptor for connections");
        return false;
    }
    if (!open_inlet(self, CONTROL, ZMQ_ROUTER, config->control, error, size) ||
        !open_inlet(self, CHANGES, ZMQ_SUB, config->changes, error, size) ||
        !open_inlet(self, POSES, ZMQ_SUB, config->poses, error, size) ||
        !open_paths(self, config, capacity.paths, error, size)) {
        return false;
    }
    if (!rp_socket_listen_to(self->inlets[CHANGES].socket, config->changes_from, error, size)) {
        return blame("changes-from", error, size);
    }
    if (!rp_socket_listen_to(self->inlets[POSES].socket, config->poses_from, error, size)) {
        return blame("poses-from", error, size);
    }
    static const char *const topics[] = {"pose/", "goal/", "poses/"};
    (void)zmq_setsockopt(self->inlets[CHANGES].socket, ZMQ_SUBSCRIBE, "change/", strlen("change/"));
    for (size_t i = 0; i < sizeof topics / sizeof topics[0]; i++) {
        (void)zmq_setsockopt(self->inlets[POSES].socket, ZMQ_SUBSCRIBE, topics[i],
                             strlen(topics[i]));
    }
    return true;
}

/// What the daemon says is recorded, too. @param transport  replaced
static bool open_recorder(rp_reactor_t *self, const rp_config_t *config, rp_transport_t *transport,
                          char *error, size_t size)
{
    rp_recording_begin_t begin = {.version = REPLAN_VERSION,
                                  .check_every = config->paranoid,
                                  .memory_bytes = config->memory_bytes};
    memcpy(begin.planner, config->planner, sizeof begin.planner);
    self->recorder = rp_recorder_open(config->record, &begin, error, size);
    if (self->recorder != NULL) {
        *transport = rp_recorder_transport(self->recorder, transport);
    }
    return self->recorder != NULL;
}

/// The daemon with what it kept on disk, and with its recorder. It speaks to sockets that are
/// opened later.
static bool open_daemon(rp_reactor_t *self, const rp_config_t *config, char *error, size_t size)
{
    rp_transport_t transport = {.control = send_control,
                                .publish = publish,
                                .wall_us = wall_us,
                                .keep = keep,
                                .unsent = count_unsent,
                                .connections = list_connections,
                                .address = rp_connection_address,
                                .resident = rp_process_resident_bytes,
                                .user = self};
    if (config->record[0] != '\0' && !open_recorder(self, config, &transport, error, size)) {
        return false;
    }
    const rp_status_t status = rp_daemon_init(&self->daemon, &transport, config->planner,
                                              config->workers, config->memory_bytes);
    if (status != RP_OK) {
        (void)snprintf(
            error, size, "planner \"%s\", %u workers: %s", config->planner, config->workers,
            status == RP_E_UNKNOWN ? "there is no such planner; `replan planners` lists them"
                                   : rp_status_text(status));
        return false;
    }
    self->daemon.serving.check_every = config->paranoid;
    if (getrandom(&self->daemon.intake.hash_key, sizeof self->daemon.intake.hash_key, 0) !=
        (ssize_t)sizeof self->daemon.intake.hash_key) {
        (void)snprintf(error, size, "no random numbers: %s", strerror(errno));
        return false;
    }
    read_clocks(self);
    if (config->state[0] == '\0') {
        return true;
    }
    self->daemon.serving.state = rp_state_open(config->state, config->is_disk, error, size);
    return (self->daemon.serving.state != NULL &&
            rp_restore(&self->daemon.intake, config->salvages, error, size)) ||
           blame("state", error, size);
}

bool rp_reactor_open(const rp_config_t *config, rp_reactor_t **reactor, char *error, size_t size)
{
    rp_reactor_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        (void)snprintf(error, size, "no memory");
        return false;
    }
    self->signals = -1;
    for (unsigned which = 0; which <= INLETS; which++) {
        self->claims[which] = RP_NO_IPC_CLAIM;
    }
    self->wait.awake_us = config->awake_us;
    self->unsent = rp_send_window_new();
    if (self->unsent == NULL) {
        (void)snprintf(error, size, "no memory");
        goto fail;
    }
    // Signals are blocked before there are other threads, so that none of them takes one.
    if (!take_signals(self)) {
        (void)snprintf(error, size, "cannot take over signals");
        goto fail;
    }
    if (!open_daemon(self, config, error, size)) {
        goto fail;
    }
    self->context = zmq_ctx_new();
    if (self->context == NULL || !open_sockets(self, config, error, size)) {
        goto fail;
    }
    read_clocks(self);
    *reactor = self;
    return true;
fail:
    rp_reactor_close(&self);
    return false;
}

void rp_reactor_close(rp_reactor_t **self)
{
    rp_reactor_t *reactor = *self;
    if (reactor == NULL) {
        return;
    }
    rp_paths_socket_close(&reactor->paths);
    rp_guard_destroy(&reactor->guard);
    for (unsigned which = 0; which < INLETS; which++) {
        rp_inlet_close(&reactor->inlets[which]);
    }
    if (reactor->context != NULL) {
        (void)zmq_ctx_term(reactor->context);
    }
    for (unsigned which = 0; which <= INLETS; which++) { // now that their paths are removed
        rp_ipc_claim_release(&reactor->claims[which]);
    }
    rp_send_window_destroy(&reactor->unsent);
    rp_routing_ids_fini(&reactor->routing_ids);
    if (reactor->signals >= 0) {
        (void)close(reactor->signals);
    }
    rp_daemon_fini(&reactor->daemon);
    rp_recorder_close(&reactor->recorder);
    free(reactor);
    *self = NULL;
}
