/// @file
/// Requests that are accepted but for one field that is spoilt, or that reaches the limit and not
/// beyond: what becomes of them, and in which words.
#ifndef REPLAN_TESTS_SPOILT_H
#define REPLAN_TESTS_SPOILT_H

#include "msgs/check.h"
#include "tests/msgs/samples.h"

#define RP_LONG_NAME  "abcdefghijklmnopqrstuvwxyz0123456" // 33 characters
#define RP_LONG_FRAME RP_LONG_NAME RP_LONG_NAME           // 66
#define RP_MANY       140000u                             // more than any limit on a count

extern double rp_many_doubles[RP_MANY];
extern uint32_t rp_many_numbers[RP_MANY];
extern uint64_t rp_many_handles[RP_MANY];
extern char *rp_many_names[RP_MANY]; ///< filled by the first rp_spoilt_judge()

typedef struct rp_spoilt {
    Replan__V1__Request__BodyCase kind;
    const char *name;
    const char *word; ///< of the sentence that refuses it; NULL: it is accepted
    void (*spoil)(rp_samples_t *s);
} rp_spoilt_t;

/// Of a table of X(kind of request, what is wrong, word or NULL, how to spoil `s`): a function each
/// and a row each of an array of rp_spoilt_t.
#define RP_SPOILER(kind, name, word, ...)                                                          \
    static void spoil_##name(rp_samples_t *s)                                                      \
    {                                                                                              \
        __VA_ARGS__;                                                                               \
    }
#define RP_SPOILT(kind, name, word, ...)                                                           \
    {REPLAN__V1__REQUEST__BODY_##kind, #name, word, spoil_##name},

/// Through packing and unpacking, as a stranger's bytes would come, and the check.
bool rp_sample_is_accepted(const Replan__V1__Request *request, rp_refusal_t *refusal);

/// Fails unless it is refused, or accepted, as its row says, and nothing unprintable is echoed.
void rp_spoilt_judge(const rp_spoilt_t *self);

#endif
