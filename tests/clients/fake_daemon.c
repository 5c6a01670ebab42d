/// A ROUTER that says what a test tells it to say.
#include "tests/clients/fake_daemon.h"

#include <arpa/inet.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>
#include <zmq.h>

#include "msgs/codec.h"

#define ARENA_BYTES (1u << 20)

struct fake_daemon {
    void *context;
    int listener; ///< routers listen by copies of it, so that the port stays ours between two
    void *router;
    void *stop_sender; ///< a message here ends the thread
    void *stop_receiver;
    pthread_t thread;
    char control[64];
    zmq_msg_t peer; ///< whose request is being answered
    fake_daemon_act_t *act;
    void *user;
};

static void must(bool is_true, const char *what)
{
    if (!is_true) {
        fprintf(stderr, "fake daemon: %s: %s\n", what, zmq_strerror(zmq_errno()));
        abort();
    }
}

void fake_daemon_say_bytes(fake_daemon_t *self, const void *bytes, size_t size)
{
    zmq_msg_t peer;
    zmq_msg_init(&peer);
    zmq_msg_copy(&peer, &self->peer);
    must(zmq_msg_send(&peer, self->router, ZMQ_SNDMORE) >= 0, "address");
    must(zmq_send(self->router, bytes, size, 0) >= 0, "send");
}

void fake_daemon_say(fake_daemon_t *self, const Replan__V1__ToClient *news)
{
    rp_buffer_t packed = {0};
    must(rp_codec_pack(&packed, &news->base), "pack");
    fake_daemon_say_bytes(self, packed.bytes, packed.size);
    rp_buffer_fini(&packed);
}

void fake_daemon_reply(fake_daemon_t *self, Replan__V1__Reply *reply)
{
    Replan__V1__ToClient news = REPLAN__V1__TO_CLIENT__INIT;
    news.body_case = REPLAN__V1__TO_CLIENT__BODY_REPLY;
    news.reply = reply;
    fake_daemon_say(self, &news);
}

/// A port that is free.
static void begin_listener(fake_daemon_t *self)
{
    struct sockaddr_in address = {.sin_family = AF_INET};
    socklen_t size = sizeof(address);
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    self->listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    must(self->listener >= 0, "socket");
    must(bind(self->listener, (struct sockaddr *)&address, size) == 0, "bind");
    must(listen(self->listener, 16) == 0, "listen");
    must(getsockname(self->listener, (struct sockaddr *)&address, &size) == 0, "port");
    (void)snprintf(self->control, sizeof(self->control), "tcp://127.0.0.1:%u",
                   (unsigned)ntohs(address.sin_port));
}

static void begin_router(fake_daemon_t *self)
{
    const int copy = dup(self->listener);
    self->router = zmq_socket(self->context, ZMQ_ROUTER);
    must(copy >= 0 && self->router != NULL, "router");
    must(zmq_setsockopt(self->router, ZMQ_USE_FD, &copy, sizeof(copy)) == 0, "listener");
    must(zmq_bind(self->router, self->control) == 0, "bind");
}

void fake_daemon_break(fake_daemon_t *self)
{
    const int linger_ms = 0;
    zmq_setsockopt(self->router, ZMQ_LINGER, &linger_ms, sizeof(linger_ms));
    zmq_close(self->router);
    begin_router(self);
}

static void answer_one(fake_daemon_t *self, rp_message_arena_t *arena)
{
    zmq_msg_t body;
    zmq_msg_init(&self->peer);
    zmq_msg_init(&body);
    must(zmq_msg_recv(&self->peer, self->router, 0) >= 0, "receive");
    must(zmq_msg_recv(&body, self->router, 0) >= 0 && !zmq_msg_more(&body), "one body frame");
    rp_message_arena_reset(arena);
    const Replan__V1__Request *request = (const Replan__V1__Request *)rp_codec_unpack(
        arena, &replan__v1__request__descriptor, zmq_msg_data(&body), zmq_msg_size(&body));
    must(request != NULL, "unpack");
    self->act(self, request, self->user);
    zmq_msg_close(&body);
    zmq_msg_close(&self->peer);
}

static void *run(void *user)
{
    fake_daemon_t *self = user;
    rp_message_arena_t arena;
    rp_message_arena_init(&arena, ARENA_BYTES);
    for (;;) {
        zmq_pollitem_t items[] = {
            {.socket = self->stop_receiver, .events = ZMQ_POLLIN},
            {.socket = self->router, .events = ZMQ_POLLIN},
        };
        if (zmq_poll(items, 2, -1) < 0) {
            continue;
        }
        if (items[0].revents != 0) {
            break;
        }
        answer_one(self, &arena);
    }
    rp_message_arena_fini(&arena);
    return NULL;
}

fake_daemon_t *fake_daemon_new(fake_daemon_act_t *act, void *user)
{
    fake_daemon_t *self = calloc(1, sizeof(*self));
    must(self != NULL, "memory");
    self->act = act;
    self->user = user;
    self->context = zmq_ctx_new();
    begin_listener(self);
    begin_router(self);
    self->stop_sender = zmq_socket(self->context, ZMQ_PAIR);
    self->stop_receiver = zmq_socket(self->context, ZMQ_PAIR);
    must(zmq_bind(self->stop_receiver, "inproc://stop") == 0, "bind");
    must(zmq_connect(self->stop_sender, "inproc://stop") == 0, "connect");
    must(pthread_create(&self->thread, NULL, run, self) == 0, "thread");
    return self;
}

void fake_daemon_destroy(fake_daemon_t **self)
{
    fake_daemon_t *fake = *self;
    must(zmq_send(fake->stop_sender, "", 0, 0) == 0, "stop");
    pthread_join(fake->thread, NULL);
    const int linger_ms = 0;
    zmq_setsockopt(fake->router, ZMQ_LINGER, &linger_ms, sizeof(linger_ms));
    zmq_close(fake->router);
    zmq_close(fake->stop_sender);
    zmq_close(fake->stop_receiver);
    zmq_ctx_term(fake->context);
    close(fake->listener);
    free(fake);
    *self = NULL;
}

const char *fake_daemon_control(const fake_daemon_t *self)
{
    return self->control;
}
