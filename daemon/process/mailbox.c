/// One list under one mutex: who takes, takes all of it.
#include "daemon/process/mailbox.h"

#include <stdint.h>
#include <sys/eventfd.h>
#include <unistd.h>

bool rp_mailbox_init(rp_mailbox_t *self, bool by_descriptor)
{
    *self = (rp_mailbox_t){.descriptor = -1};
    self->last = &self->first;
    if (by_descriptor) {
        self->descriptor = eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK);
        if (self->descriptor < 0) {
            self->last = NULL;
            return false;
        }
    }
    (void)pthread_mutex_init(&self->mutex, NULL);
    (void)pthread_cond_init(&self->has_spoken, NULL);
    return true;
}

void rp_mailbox_fini(rp_mailbox_t *self)
{
    if (self->last == NULL) {
        return; // never begun
    }
    if (self->descriptor >= 0) {
        (void)close(self->descriptor);
    }
    (void)pthread_cond_destroy(&self->has_spoken);
    (void)pthread_mutex_destroy(&self->mutex);
    *self = (rp_mailbox_t){.descriptor = -1};
}

void rp_mailbox_put(rp_mailbox_t *self, rp_mailbox_link_t *link)
{
    link->next = NULL;
    (void)pthread_mutex_lock(&self->mutex);
    const bool was_empty = self->first == NULL;
    *self->last = link;
    self->last = &link->next;
    (void)pthread_mutex_unlock(&self->mutex);
    if (!was_empty) {
        return; // the reader was told already
    }
    if (self->descriptor >= 0) {
        const uint64_t one = 1;
        (void)!write(self->descriptor, &one, sizeof one);
    } else {
        (void)pthread_cond_signal(&self->has_spoken);
    }
}

/// Under the mutex.
static rp_mailbox_link_t *take_all(rp_mailbox_t *self)
{
    rp_mailbox_link_t *all = self->first;
    self->first = NULL;
    self->last = &self->first;
    return all;
}

bool rp_mailbox_is_empty(rp_mailbox_t *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    const bool is_empty = self->first == NULL;
    (void)pthread_mutex_unlock(&self->mutex);
    return is_empty;
}

rp_mailbox_link_t *rp_mailbox_take(rp_mailbox_t *self)
{
    if (rp_mailbox_is_empty(self)) {
        return NULL;
    }
    if (self->descriptor >= 0) { // silenced before the list is taken: what comes later speaks again
        uint64_t count;
        (void)!read(self->descriptor, &count, sizeof count);
    }
    (void)pthread_mutex_lock(&self->mutex);
    rp_mailbox_link_t *all = take_all(self);
    (void)pthread_mutex_unlock(&self->mutex);
    return all;
}

rp_mailbox_link_t *rp_mailbox_wait(rp_mailbox_t *self)
{
    (void)pthread_mutex_lock(&self->mutex);
    while (self->first == NULL) {
        (void)pthread_cond_wait(&self->has_spoken, &self->mutex);
    }
    rp_mailbox_link_t *all = take_all(self);
    (void)pthread_mutex_unlock(&self->mutex);
    return all;
}
