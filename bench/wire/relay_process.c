/// Two sockets in a loop, in a process of its own.
#include "bench/wire/relay_process.h"

#include <signal.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>
#include <zmq.h>

#include "bench/measure/harness.h"

void rp_bench_work(uint64_t ns)
{
    static uint32_t memory[1u << 16];
    static uint32_t state = 1;
    const uint64_t from = rp_bench_wall_ns();
    while (rp_bench_wall_ns() - from < ns) {
        for (unsigned i = 0; i < 64; i++) {
            state = state * 1664525u + 1013904223u;
            memory[state >> 16] += state;
        }
    }
}

static void run_relay(int ready)
{
    void *context = zmq_ctx_new();
    void *in = zmq_socket(context, ZMQ_SUB);
    void *out = zmq_socket(context, ZMQ_XPUB);
    (void)zmq_setsockopt(in, ZMQ_SUBSCRIBE, "", 0);
    (void)zmq_bind(in, "tcp://127.0.0.1:*");
    (void)zmq_bind(out, "tcp://127.0.0.1:*");
    char endpoints[2][64];
    size_t size = sizeof endpoints[0];
    (void)zmq_getsockopt(in, ZMQ_LAST_ENDPOINT, endpoints[0], &size);
    size = sizeof endpoints[1];
    (void)zmq_getsockopt(out, ZMQ_LAST_ENDPOINT, endpoints[1], &size);
    if (write(ready, endpoints, sizeof endpoints) != (ssize_t)sizeof endpoints) {
        _exit(1);
    }
    uint8_t answer[65536];
    size_t answer_size = 0;
    uint64_t work_ns = 0;
    for (;;) {
        zmq_msg_t topic;
        zmq_msg_t body;
        (void)zmq_msg_init(&topic);
        (void)zmq_msg_init(&body);
        if (zmq_msg_recv(&topic, in, 0) < 0 || zmq_msg_recv(&body, in, 0) < 0) {
            _exit(0);
        }
        if (zmq_msg_size(&topic) == 3) {
            answer_size = zmq_msg_size(&body) - sizeof work_ns;
            memcpy(&work_ns, zmq_msg_data(&body), sizeof work_ns);
            memcpy(answer, (const uint8_t *)zmq_msg_data(&body) + sizeof work_ns, answer_size);
        } else {
            rp_bench_work(work_ns);
            (void)zmq_send(out, "path/bench/walker/", 18, ZMQ_SNDMORE);
            (void)zmq_send(out, answer, answer_size, 0);
        }
        (void)zmq_msg_close(&topic);
        (void)zmq_msg_close(&body);
    }
}

bool rp_relay_process_start(rp_relay_process_t *self)
{
    int ends[2];
    if (pipe(ends) != 0) {
        return false;
    }
    self->pid = fork();
    if (self->pid == 0) {
        (void)prctl(PR_SET_PDEATHSIG, SIGTERM);
        run_relay(ends[1]);
    }
    char endpoints[2][64];
    const bool is_ready = read(ends[0], endpoints, sizeof endpoints) == (ssize_t)sizeof endpoints;
    (void)close(ends[0]);
    (void)close(ends[1]);
    memcpy(self->in, endpoints[0], sizeof self->in);
    memcpy(self->out, endpoints[1], sizeof self->out);
    return is_ready;
}

void rp_relay_process_stop(rp_relay_process_t *self)
{
    if (self->pid > 0) {
        (void)kill(self->pid, SIGTERM);
        (void)waitpid(self->pid, NULL, 0);
    }
    self->pid = 0;
}
