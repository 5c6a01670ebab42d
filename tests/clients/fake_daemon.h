/// @file
/// A ROUTER on a thread of its own that says what a test tells it to say: for what a real daemon
/// would do only rarely, or never.
#ifndef REPLAN_TESTS_FAKE_DAEMON_H
#define REPLAN_TESTS_FAKE_DAEMON_H

#include "replan.pb-c.h"

typedef struct fake_daemon fake_daemon_t;

/// Called on the fake's thread with each request.
typedef void fake_daemon_act_t(fake_daemon_t *self, const Replan__V1__Request *request, void *user);

/// Binds a free port. Ends the test program when it cannot.
fake_daemon_t *fake_daemon_new(fake_daemon_act_t *act, void *user);
void fake_daemon_destroy(fake_daemon_t **self);

/// Where to connect; borrowed until destroyed.
const char *fake_daemon_control(const fake_daemon_t *self);

// Only from within act(): send to the client whose request it is.
void fake_daemon_reply(fake_daemon_t *self, Replan__V1__Reply *reply);
void fake_daemon_say(fake_daemon_t *self, const Replan__V1__ToClient *news);
void fake_daemon_say_bytes(fake_daemon_t *self, const void *bytes, size_t size);

/// Only from within act(): break all lines, and be there again at once.
void fake_daemon_break(fake_daemon_t *self);

#endif
