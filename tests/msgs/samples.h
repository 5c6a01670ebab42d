/// @file
/// One valid message of each kind, to be packed, spoilt, cut short or taken as a seed.
#ifndef REPLAN_TESTS_SAMPLES_H
#define REPLAN_TESTS_SAMPLES_H

#include <stddef.h>

#include "replan.pb-c.h"

#define RP_SAMPLE_KINDS 28 ///< kinds of requests

/// The messages point at each other and into the arrays, so the whole stays where it was made.
typedef struct rp_samples {
    Replan__V1__Request request; ///< its body is one of those below
    Replan__V1__After after;     ///< not yet in the request
    Replan__V1__Apply apply;
    Replan__V1__Change change; ///< a rectangle of data and cells, from a publisher
    Replan__V1__CreateWorld create_world;
    Replan__V1__Geometry geometry;
    Replan__V1__Profile wheels;  ///< a table of its own
    Replan__V1__Profile careful; ///< like a built-in one
    Replan__V1__Profile *profiles[2];
    Replan__V1__Overlay overlay; ///< a disc and a triangle
    Replan__V1__Resize resize;
    Replan__V1__RemoveWorld remove_world;
    Replan__V1__ListWorlds list_worlds;
    Replan__V1__OpenAgent open_agent;
    Replan__V1__Body body;
    Replan__V1__Policy policy;
    Replan__V1__Motion motion; ///< of a car; not yet in open_agent
    Replan__V1__CloseAgent close_agent;
    Replan__V1__Pose pose;
    Replan__V1__Poses poses;
    Replan__V1__Goal goal;
    Replan__V1__Order order;
    uint64_t goal_ids[2];
    Replan__V1__GetAnswer get_answer;
    Replan__V1__Watch watch;
    Replan__V1__Credit credit;
    Replan__V1__Unwatch unwatch;
    Replan__V1__DeltasSince deltas_since;
    Replan__V1__GetSnapshot get_snapshot;
    Replan__V1__AskCosts ask_costs;
    Replan__V1__AskProbe ask_probe; ///< of `change`
    Replan__V1__AskField ask_field;
    Replan__V1__AskValid ask_valid;
    Replan__V1__AskWhy ask_why;
    Replan__V1__GetStats get_stats;
    Replan__V1__Forgive forgive;
    Replan__V1__ListAgents list_agents;
    Replan__V1__ListShapes list_shapes;
    Replan__V1__ListPeers list_peers;

    uint8_t table[256];
    uint32_t shape_ids[2];
    uint32_t shape_corners[2];
    uint32_t shape_ttls[2];
    double shape_x[4];
    double shape_y[4];
    double shape_radii[2];
    uint8_t data[6];
    uint8_t values[2];
    uint32_t cells[2];
    uint64_t handles[2];
    double x[2];
    double y[2];
    uint32_t offsets[2];
    char *agents[2];
} rp_samples_t;

/// Strings of protobuf-c are not const, though nobody writes to them.
char *rp_sample_text(const char *text);

/// The request gets `change` as its body.
void rp_samples_init(rp_samples_t *self);

/// The number-th kind of request, below RP_SAMPLE_KINDS; its name in `*name` when not NULL.
Replan__V1__Request__BodyCase rp_sample_kind(size_t number, const char **name);

/// open_agent is one with motion: all that this excludes is left out.
void rp_samples_drive(rp_samples_t *self);

/// Give the request the body of this kind.
void rp_samples_choose(rp_samples_t *self, Replan__V1__Request__BodyCase kind);

#endif
