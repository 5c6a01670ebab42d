/// @file
/// One request of `replan ctl`: the parsed command line, and the handlers that ctl.c lists.
#ifndef REPLAN_TOOLS_CTL_H
#define REPLAN_TOOLS_CTL_H

#include <stdbool.h>
#include <stdint.h>

#include "replan/client.h"

#define RP_CTL_ARGUMENTS_MAX 64u
#define RP_CTL_CORNERS_MAX   16u ///< of a footprint
#define RP_CTL_GOALS_MAX     ((RP_CTL_ARGUMENTS_MAX - 2u) / 2u)

/// Options that only some commands take, one bit each.
typedef uint64_t rp_ctl_options_t;
#define RP_CTL_SIZE       ((rp_ctl_options_t)1 << 0)
#define RP_CTL_MAP        ((rp_ctl_options_t)1 << 1)
#define RP_CTL_NEIGHBORS  ((rp_ctl_options_t)1 << 2)
#define RP_CTL_WRAP       ((rp_ctl_options_t)1 << 3)
#define RP_CTL_PROFILE    ((rp_ctl_options_t)1 << 4)
#define RP_CTL_RESOLUTION ((rp_ctl_options_t)1 << 5)
#define RP_CTL_FILL       ((rp_ctl_options_t)1 << 6)
#define RP_CTL_PLANNER    ((rp_ctl_options_t)1 << 7)
#define RP_CTL_WAIT       ((rp_ctl_options_t)1 << 8)
#define RP_CTL_OUTPUT     ((rp_ctl_options_t)1 << 9)
#define RP_CTL_GAIN       ((rp_ctl_options_t)1 << 10)
#define RP_CTL_INTERVAL   ((rp_ctl_options_t)1 << 11)
#define RP_CTL_AGE        ((rp_ctl_options_t)1 << 12)
#define RP_CTL_FOLLOW     ((rp_ctl_options_t)1 << 13)
#define RP_CTL_LEASE      ((rp_ctl_options_t)1 << 14)
#define RP_CTL_EXPECT     ((rp_ctl_options_t)1 << 15)
#define RP_CTL_ESCAPE     ((rp_ctl_options_t)1 << 16)
#define RP_CTL_WAYPOINTS  ((rp_ctl_options_t)1 << 17)
#define RP_CTL_REGION     ((rp_ctl_options_t)1 << 18)
#define RP_CTL_TARGET     ((rp_ctl_options_t)1 << 19)
#define RP_CTL_TOLERANCE  ((rp_ctl_options_t)1 << 20)
#define RP_CTL_NEAREST    ((rp_ctl_options_t)1 << 21)
#define RP_CTL_WITHIN     ((rp_ctl_options_t)1 << 22)
#define RP_CTL_MAY_WAIT   ((rp_ctl_options_t)1 << 23)
#define RP_CTL_IMMEDIATE  ((rp_ctl_options_t)1 << 24)
#define RP_CTL_BENDS      ((rp_ctl_options_t)1 << 25)
#define RP_CTL_RADIUS     ((rp_ctl_options_t)1 << 26)
#define RP_CTL_INFLATION  ((rp_ctl_options_t)1 << 27)
#define RP_CTL_TTL        ((rp_ctl_options_t)1 << 28)
#define RP_CTL_ORIGIN     ((rp_ctl_options_t)1 << 29)
#define RP_CTL_WAY        ((rp_ctl_options_t)1 << 30)
#define RP_CTL_CELLS      ((rp_ctl_options_t)1 << 31)
#define RP_CTL_TURNING    ((rp_ctl_options_t)1 << 32)
#define RP_CTL_SPOT       ((rp_ctl_options_t)1 << 33)
#define RP_CTL_YAW        ((rp_ctl_options_t)1 << 34)
#define RP_CTL_SEGMENTS   ((rp_ctl_options_t)1 << 35)
#define RP_CTL_REVERSE    ((rp_ctl_options_t)1 << 36)
#define RP_CTL_FACTOR     ((rp_ctl_options_t)1 << 37)
#define RP_CTL_CHANGE     ((rp_ctl_options_t)1 << 38)
#define RP_CTL_FOOTPRINT  ((rp_ctl_options_t)1 << 39)
#define RP_CTL_PADDING    ((rp_ctl_options_t)1 << 40)
#define RP_CTL_OMNI       ((rp_ctl_options_t)1 << 41)
#define RP_CTL_OPTIONS    42u
#define RP_CTL_MOTION                                                                              \
    (RP_CTL_TURNING | RP_CTL_SPOT | RP_CTL_OMNI | RP_CTL_YAW | RP_CTL_SEGMENTS | RP_CTL_REVERSE |  \
     RP_CTL_FACTOR | RP_CTL_CHANGE)
#define RP_CTL_POLICY                                                                              \
    (RP_CTL_GAIN | RP_CTL_INTERVAL | RP_CTL_AGE | RP_CTL_FOLLOW | RP_CTL_LEASE | RP_CTL_ESCAPE |   \
     RP_CTL_WITHIN | RP_CTL_MAY_WAIT | RP_CTL_IMMEDIATE)
#define RP_CTL_BODY                                                                                \
    (RP_CTL_PROFILE | RP_CTL_RADIUS | RP_CTL_INFLATION | RP_CTL_CELLS | RP_CTL_FOOTPRINT |         \
     RP_CTL_PADDING)
#define RP_CTL_AIM                                                                                 \
    (RP_CTL_WAYPOINTS | RP_CTL_REGION | RP_CTL_TARGET | RP_CTL_TOLERANCE | RP_CTL_NEAREST)

typedef struct rp_ctl {
    const char *program; ///< "replan ctl", for messages
    const char *control;
    const char *name; ///< of the command
    bool json;
    bool table; ///< asked for, or stdout is a terminal
    bool wants_help;
    char *arguments[RP_CTL_ARGUMENTS_MAX]; ///< as many as the command takes
    uint32_t argument_count;
    rp_ctl_options_t given;
    const char *values[RP_CTL_OPTIONS]; ///< by the place of the bit
    rp_client_t *client;
} rp_ctl_t;

/// Value of an option, or `otherwise` when it was not given.
const char *rp_ctl_value(const rp_ctl_t *self, rp_ctl_options_t option, const char *otherwise);

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
int rp_ctl_agents(rp_ctl_t *self);
int rp_ctl_shapes(rp_ctl_t *self);
int rp_ctl_peers(rp_ctl_t *self);
int rp_ctl_stats(rp_ctl_t *self);
int rp_ctl_forgive(rp_ctl_t *self);

#endif
