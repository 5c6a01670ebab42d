/// @file
/// One request of `replan ctl`: the parsed command line, and the handlers that ctl.c lists.
#ifndef REPLAN_TOOLS_CTL_H
#define REPLAN_TOOLS_CTL_H

#include <stdbool.h>
#include <stdint.h>

#include "replan/client.h"

#define RP_CTL_ARGUMENTS_MAX 64u
#define RP_CTL_GOALS_MAX     ((RP_CTL_ARGUMENTS_MAX - 2u) / 2u)

/// Options that only some commands take, one bit each.
enum rp_ctl_option {
    RP_CTL_SIZE = 1u << 0,
    RP_CTL_MAP = 1u << 1,
    RP_CTL_NEIGHBORS = 1u << 2,
    RP_CTL_WRAP = 1u << 3,
    RP_CTL_PROFILE = 1u << 4,
    RP_CTL_RESOLUTION = 1u << 5,
    RP_CTL_FILL = 1u << 6,
    RP_CTL_PLANNER = 1u << 7,
    RP_CTL_WAIT = 1u << 8,
    RP_CTL_OUTPUT = 1u << 9,
    RP_CTL_GAIN = 1u << 10,
    RP_CTL_INTERVAL = 1u << 11,
    RP_CTL_AGE = 1u << 12,
    RP_CTL_FOLLOW = 1u << 13,
    RP_CTL_LEASE = 1u << 14,
    RP_CTL_EXPECT = 1u << 15,
    RP_CTL_ESCAPE = 1u << 16,
    RP_CTL_WAYPOINTS = 1u << 17,
    RP_CTL_REGION = 1u << 18,
    RP_CTL_TARGET = 1u << 19,
    RP_CTL_TOLERANCE = 1u << 20,
    RP_CTL_NEAREST = 1u << 21,
    RP_CTL_WITHIN = 1u << 22,
    RP_CTL_MAY_WAIT = 1u << 23,
    RP_CTL_IMMEDIATE = 1u << 24,
    RP_CTL_BENDS = 1u << 25,
    RP_CTL_RADIUS = 1u << 26,
    RP_CTL_INFLATION = 1u << 27,
    RP_CTL_TTL = 1u << 28,
    RP_CTL_ORIGIN = 1u << 29,
    RP_CTL_WAY = 1u << 30,
};
#define RP_CTL_OPTIONS 31u
#define RP_CTL_POLICY                                                                              \
    (RP_CTL_GAIN | RP_CTL_INTERVAL | RP_CTL_AGE | RP_CTL_FOLLOW | RP_CTL_LEASE | RP_CTL_ESCAPE |   \
     RP_CTL_WITHIN | RP_CTL_MAY_WAIT | RP_CTL_IMMEDIATE)
#define RP_CTL_BODY (RP_CTL_PROFILE | RP_CTL_RADIUS | RP_CTL_INFLATION)
#define RP_CTL_AIM                                                                                 \
    (RP_CTL_WAYPOINTS | RP_CTL_REGION | RP_CTL_TARGET | RP_CTL_TOLERANCE | RP_CTL_NEAREST)

typedef struct rp_ctl {
    const char *program; ///< "replan ctl", for messages
    const char *control;
    const char *name; ///< of the command
    bool json;
    bool wants_help;
    char *arguments[RP_CTL_ARGUMENTS_MAX]; ///< as many as the command takes
    uint32_t argument_count;
    uint32_t given;                     ///< of enum rp_ctl_option
    const char *values[RP_CTL_OPTIONS]; ///< by the place of the bit
    rp_client_t *client;
} rp_ctl_t;

/// Value of an option, or `otherwise` when it was not given.
const char *rp_ctl_value(const rp_ctl_t *self, enum rp_ctl_option option, const char *otherwise);

/// Each says on stderr what is wrong before it returns false.
/// @param what  names the argument or option
bool rp_ctl_read_metres(const rp_ctl_t *self, const char *what, const char *text, double *metres);
bool rp_ctl_read_whole(const rp_ctl_t *self, const char *what, const char *text, uint32_t most,
                       uint32_t *number);

/// Numbers with commas between them.
/// @param numbers  written [most]
/// @return how many; 0 when the text is something else, or has more
uint32_t rp_ctl_read_list(const char *text, double *numbers, uint32_t most);

/// An origin, X,Y or X,Y,YAW. @return false when it is none, and that was said
bool rp_ctl_read_origin(const rp_ctl_t *self, const char *text, Replan__V1__Geometry *geometry);

/// What --wait says: applied, when nothing.
bool rp_ctl_read_wait(const rp_ctl_t *self, Replan__V1__Wait *wait);

/// Send the request. @param reply  written with RP_EXIT_FINE, borrowed until the next call
/// @return an exit code; why it is not RP_EXIT_FINE was said
int rp_ctl_call(rp_ctl_t *self, Replan__V1__Request *request, const Replan__V1__Reply **reply);

/// The same for requests whose reply says no more than that it was done.
int rp_ctl_do(rp_ctl_t *self, Replan__V1__Request *request);

/// The same for requests that make a version, which is printed.
int rp_ctl_apply(rp_ctl_t *self, Replan__V1__Request *request);

// The commands. Each returns an exit code.
int rp_ctl_worlds(rp_ctl_t *self);
int rp_ctl_create(rp_ctl_t *self);
int rp_ctl_remove(rp_ctl_t *self);
int rp_ctl_snapshot(rp_ctl_t *self);
int rp_ctl_set(rp_ctl_t *self);
int rp_ctl_disc(rp_ctl_t *self);
int rp_ctl_polygon(rp_ctl_t *self);
int rp_ctl_lift(rp_ctl_t *self);
int rp_ctl_resize(rp_ctl_t *self);
int rp_ctl_open(rp_ctl_t *self);
int rp_ctl_close(rp_ctl_t *self);
int rp_ctl_pose(rp_ctl_t *self);
int rp_ctl_goal(rp_ctl_t *self);
int rp_ctl_order(rp_ctl_t *self);
int rp_ctl_answer(rp_ctl_t *self);
int rp_ctl_costs(rp_ctl_t *self);
int rp_ctl_probe(rp_ctl_t *self);
int rp_ctl_field(rp_ctl_t *self);
int rp_ctl_valid(rp_ctl_t *self);
int rp_ctl_why(rp_ctl_t *self);
int rp_ctl_stats(rp_ctl_t *self);
int rp_ctl_forgive(rp_ctl_t *self);

#endif
