/// Sequence numbers of publishers.
#include "daemon/serving/publishers.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

struct rp_publisher {
    char name[RP_LIMIT_NAME + 1u];
    uint64_t incarnation;
    uint64_t newest;       ///< greatest sequence that was applied
    uint64_t lost_through; ///< greatest sequence that was lost and not repaired; 0: none
    struct {
        uint64_t sequence;
        uint64_t version;
    } applied[RP_PUBLISHER_REMEMBERS]; ///< by sequence modulo the number
    UT_hash_handle hh;
};

static rp_publisher_t *find(const rp_publishers_t *self, const char *name)
{
    rp_publisher_t *publisher;
    HASH_FIND_STR(self->by_name, name, publisher);
    return publisher;
}

rp_arrival_t rp_publishers_judge(const rp_publishers_t *self, const char *name,
                                 uint64_t incarnation, uint64_t sequence, uint64_t *version)
{
    const rp_publisher_t *publisher = find(self, name);
    if (publisher == NULL && self->count == RP_LIMIT_PUBLISHERS) {
        return RP_ARRIVAL_TOO_MANY;
    }
    if (publisher == NULL || incarnation > publisher->incarnation) {
        return sequence == 1u ? RP_ARRIVAL_NEXT : RP_ARRIVAL_GAP;
    }
    if (incarnation < publisher->incarnation) {
        return RP_ARRIVAL_LATE;
    }
    if (sequence > publisher->newest) {
        return sequence == publisher->newest + 1u ? RP_ARRIVAL_NEXT : RP_ARRIVAL_GAP;
    }
    const size_t place = sequence % RP_PUBLISHER_REMEMBERS;
    if (publisher->applied[place].sequence == sequence) {
        *version = publisher->applied[place].version;
        return RP_ARRIVAL_REPEATED;
    }
    return RP_ARRIVAL_LATE;
}

static rp_publisher_t *add(rp_publishers_t *self, const char *name)
{
    rp_publisher_t *publisher = calloc(1, sizeof *publisher);
    if (publisher == NULL) {
        return NULL;
    }
    memcpy(publisher->name, name, strlen(name));
    HASH_ADD_STR(self->by_name, name, publisher);
    self->count++;
    return publisher;
}

/// The publisher of a change, as it is before that. @return NULL without memory
static rp_publisher_t *meet(rp_publishers_t *self, const char *name, uint64_t incarnation)
{
    rp_publisher_t *publisher = find(self, name);
    if (publisher == NULL) {
        publisher = add(self, name);
    }
    if (publisher != NULL && incarnation != publisher->incarnation) {
        publisher->incarnation = incarnation;
        publisher->newest = 0;
        // What the older one lost is lost still.
        publisher->lost_through = publisher->lost_through != 0 ? 1u : 0u;
        memset(publisher->applied, 0, sizeof publisher->applied);
    }
    return publisher;
}

/// @return true when it is marked now and was not before
static bool count_mark(rp_publishers_t *self, const rp_publisher_t *publisher, bool was_marked)
{
    const bool is_marked = publisher->lost_through != 0;
    self->gaps += (uint32_t)is_marked - (uint32_t)was_marked;
    return is_marked && !was_marked;
}

bool rp_publishers_note(rp_publishers_t *self, const char *name, uint64_t incarnation,
                        uint64_t sequence, uint64_t repairs_through, uint64_t version)
{
    rp_publisher_t *publisher = meet(self, name, incarnation);
    if (publisher == NULL) {
        return false; // no memory for a new publisher: its first number is not remembered
    }
    const bool was_marked = publisher->lost_through != 0;
    if (sequence > publisher->newest + 1u) {
        publisher->lost_through = sequence - 1u;
    }
    if (repairs_through >= publisher->lost_through) {
        publisher->lost_through = 0;
    }
    publisher->newest = sequence;
    publisher->applied[sequence % RP_PUBLISHER_REMEMBERS].sequence = sequence;
    publisher->applied[sequence % RP_PUBLISHER_REMEMBERS].version = version;
    return count_mark(self, publisher, was_marked);
}

bool rp_publishers_lose(rp_publishers_t *self, const char *name, uint64_t incarnation,
                        uint64_t sequence)
{
    rp_publisher_t *publisher = meet(self, name, incarnation);
    if (publisher == NULL) {
        return false;
    }
    const bool was_marked = publisher->lost_through != 0;
    publisher->newest = sequence;
    publisher->lost_through = sequence;
    return count_mark(self, publisher, was_marked);
}

bool rp_publishers_forgive(rp_publishers_t *self, const char *name)
{
    rp_publisher_t *publisher = find(self, name);
    if (publisher == NULL) {
        return false;
    }
    self->gaps -= publisher->lost_through != 0;
    publisher->lost_through = 0;
    return true;
}

bool rp_publishers_has(const rp_publishers_t *self, const char *name, uint64_t sequence)
{
    const rp_publisher_t *publisher = find(self, name);
    return publisher != NULL && publisher->newest >= sequence;
}

bool rp_publishers_next(const rp_publishers_t *self, rp_past_change_t *heard)
{
    const rp_publisher_t *publisher = heard->publisher != NULL ? heard->publisher : self->by_name;
    uint64_t sequence = heard->publisher != NULL ? heard->sequence : 0u;
    for (; publisher != NULL; publisher = publisher->hh.next, sequence = 0) {
        const uint64_t newest = publisher->newest;
        const uint64_t forgotten =
            newest > RP_PUBLISHER_REMEMBERS ? newest - RP_PUBLISHER_REMEMBERS : 0u;
        sequence = sequence > forgotten ? sequence : forgotten;
        while (sequence < newest) { // which may be the greatest number
            sequence++;
            if (publisher->applied[sequence % RP_PUBLISHER_REMEMBERS].sequence == sequence) {
                *heard = (rp_past_change_t){publisher, publisher->name, publisher->incarnation,
                                            sequence, publisher->lost_through != 0};
                return true;
            }
        }
    }
    return false;
}

bool rp_publishers_next_lost(const rp_publishers_t *self, rp_past_change_t *heard)
{
    const rp_publisher_t *publisher =
        heard->publisher != NULL ? heard->publisher->hh.next : self->by_name;
    for (; publisher != NULL; publisher = publisher->hh.next) {
        const uint64_t newest = publisher->newest;
        if (publisher->applied[newest % RP_PUBLISHER_REMEMBERS].sequence != newest) {
            *heard = (rp_past_change_t){publisher, publisher->name, publisher->incarnation, newest,
                                        publisher->lost_through != 0};
            return true;
        }
    }
    return false;
}

void rp_publishers_fini(rp_publishers_t *self)
{
    rp_publisher_t *publisher;
    rp_publisher_t *next;
    HASH_ITER(hh, self->by_name, publisher, next)
    {
        HASH_DEL(self->by_name, publisher); // NOLINT(clang-analyzer-unix.Malloc): freed once each
        free(publisher);
    }
    *self = (rp_publishers_t){0};
}
