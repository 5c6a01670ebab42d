/// @file
/// The common calls of the C client: make a world, change its cells, open an agent, say where it is
/// and where it goes, get its paths as points. Included by client.h.
///
///     rp_client_create_world(client, "arena", 20, 10, NULL);
///     rp_client_open_agent(client, "arena", "scout", 1.5, 4.5, 18.5, 4.5, NULL);
///     rp_client_watch_agents(client, "arena", NULL, 0, &watch);
///     while (rp_client_next_answer(client, -1, &path) == RP_CLIENT_OK) { draw(path.x_m,
///     path.count); }
///
/// Each is one request, and waits for its reply. What it is given by pointer is borrowed until it
/// returns. Wrong values are refused by the daemon: RP_CLIENT_E_REFUSED, and rp_client_sentence()
/// names the field and its limit.
#ifndef REPLAN_CLIENT_CALLS_H
#define REPLAN_CLIENT_CALLS_H

#include "replan/client.h"

#ifdef __cplusplus
extern "C" {
#endif

// ---- worlds

typedef struct rp_client_world_options {
    double resolution_m; ///< side of a cell
    double origin_x_m;   ///< lower-left corner of cell (0, 0)
    double origin_y_m;
    double origin_yaw;    ///< radians, from +x towards +y
    uint32_t neighbors;   ///< 4 or 8
    bool wraps;           ///< a torus
    const char *profile;  ///< what a byte means: "factor" or "costmap"
    const uint8_t *bytes; ///< row by row [width * height]; NULL: normal ground
} rp_client_world_options_t;

/// Cells of a metre, 8 neighbours, bytes as "factor", normal ground everywhere.
rp_client_world_options_t rp_client_world_defaults(void);

/// @param width, height  cells
/// @param options        NULL: the defaults
rp_client_status_t rp_client_create_world(rp_client_t *self, const char *world, uint32_t width,
                                          uint32_t height,
                                          const rp_client_world_options_t *options);

/// Its agents are closed.
rp_client_status_t rp_client_remove_world(rp_client_t *self, const char *world);

// ---- cells: each call makes one version of the world

/// One byte for a rectangle of cells: 0 blocks, 1 is normal ground.
/// @param version  written: that version; may be NULL, here and below
rp_client_status_t rp_client_fill_rect(rp_client_t *self, const char *world, uint32_t x, uint32_t y,
                                       uint32_t width, uint32_t height, uint8_t byte,
                                       uint64_t *version);

/// @param bytes  row by row [width * height]
rp_client_status_t rp_client_write_rect(rp_client_t *self, const char *world, uint32_t x,
                                        uint32_t y, uint32_t width, uint32_t height,
                                        const uint8_t *bytes, uint64_t *version);

/// @param cells  y * width of the world + x [count]
/// @param bytes  one each [count]
rp_client_status_t rp_client_set_cells(rp_client_t *self, const char *world, const uint32_t *cells,
                                       const uint8_t *bytes, size_t count, uint64_t *version);

/// Lay a disc over the cells, or move the one of this number. What it hides comes back when it
/// moves or goes.
/// @param number  yours
rp_client_status_t rp_client_put_disc(rp_client_t *self, const char *world, uint32_t number,
                                      double x_m, double y_m, double radius_m, uint8_t byte,
                                      uint64_t *version);

/// Remove shapes. One that is not there is no error.
/// @param numbers  [count]; with a count of 0: all
rp_client_status_t rp_client_remove_shapes(rp_client_t *self, const char *world,
                                           const uint32_t *numbers, size_t count,
                                           uint64_t *version);

// ---- agents

typedef struct rp_client_agent_options {
    const char *planner; ///< id; NULL: the daemon's default
    const char *profile; ///< what a byte means to it; NULL: the world's
    double radius_m; ///< each cell whose centre is this near to a blocked one's blocks; 0: a point
    double inscribed_radius_m; ///< inflation as in ROS' costmap_2d
    double inflation_radius_m; ///< 0: none
    double cost_scaling_factor;
    uint32_t cells;     ///< instead of radii: a square body; 0: none
    double tolerance_m; ///< any cell whose centre is this near to the goal will do; 0: only its own
    bool is_nearest;    ///< when the goal cannot be reached: go to the nearest cell that can
    uint64_t goal_id;   ///< echoed in answers

    // When a path that is still legal gives way to a cheaper one (docs/policy.md).
    uint32_t switch_gain_percent; ///< it must save so much
    uint32_t min_interval_ms;     ///< and not sooner than this after the last answer
    uint32_t max_age_ms;          ///< from this age on any saving will do; 0: never
    uint32_t answer_within_ms;    ///< then any legal path is sent; 0: never
    bool may_wait;                ///< planned for only when no other agent waits
    bool immediate_start;         ///< a new goal gets a legal path at once
    double follow_radius_m;       ///< it still follows its path this far from it
    double escape_m;              ///< longest way out of a blocked cell; 0: 64 cells
    uint32_t lease_s; ///< closed when nobody has watched or named it for so long; 0: never

    /// Its path is to be a curve that it can drive, with a disc of radius_m as body: what
    /// rp_client_car(), rp_client_spot() or rp_client_omni() give, borrowed; NULL: it walks from
    /// cell to cell.
    const Replan__V1__Motion *motion;
    double yaw; ///< where it begins: radians from +x towards +y
} rp_client_agent_options_t;

/// Forwards, on arcs of this radius, and on lines.
Replan__V1__Motion rp_client_car(double turning_radius_m);

/// The same, and it turns in place; with radius 0 it drives lines only.
Replan__V1__Motion rp_client_spot(double turning_radius_m);

/// On lines in any direction, whatever its yaw, and turns in place.
Replan__V1__Motion rp_client_omni(void);

/// A point, which switches to a path that is 5 % cheaper, at most five times a second, and is kept
/// for 60 s.
rp_client_agent_options_t rp_client_agent_defaults(void);

/// Open an agent that stands at (x_m, y_m), metres of the world's frame, and goes to (goal_x_m,
/// goal_y_m).
/// @param options  NULL: the defaults
rp_client_status_t rp_client_open_agent(rp_client_t *self, const char *world, const char *agent,
                                        double x_m, double y_m, double goal_x_m, double goal_y_m,
                                        const rp_client_agent_options_t *options);

/// Where the agent is. One that is not open is refused.
rp_client_status_t rp_client_pose(rp_client_t *self, const char *world, const char *agent,
                                  double x_m, double y_m);

/// The same of an agent with motion. @param yaw  radians from +x towards +y
rp_client_status_t rp_client_turn_to(rp_client_t *self, const char *world, const char *agent,
                                     double x_m, double y_m, double yaw);

/// Where it goes. One that is not open is refused.
rp_client_status_t rp_client_goto(rp_client_t *self, const char *world, const char *agent,
                                  double x_m, double y_m);

/// The same of an agent with motion, which is to arrive with this yaw.
rp_client_status_t rp_client_goto_facing(rp_client_t *self, const char *world, const char *agent,
                                         double x_m, double y_m, double yaw);

rp_client_status_t rp_client_close_agent(rp_client_t *self, const char *world, const char *agent);

// ---- answers

/// An answer as points. Without a path there are none, and the cost is -1.
typedef struct rp_client_path {
    const Replan__V1__Answer *answer; ///< all of it; with motion rp_client_pose_at() tells of it
    const char *world;
    const char *agent;
    const char *outcome; ///< "found", "no_path", ..: rp_client_outcome_text()
    const char *reason;
    uint32_t watch; ///< which one; 0: none
    uint64_t version;
    double cost;
    const double *x_m; ///< the middle of each cell, from the start to the goal [count]
    const double *y_m; ///< [count]
    size_t count;
} rp_client_path_t;

/// The newest answer of an agent, for the newest version of its world.
/// @param path  written; borrowed until the next rp_client_call() or call of this header
rp_client_status_t rp_client_answer(rp_client_t *self, const char *world, const char *agent,
                                    rp_client_path_t *path);

/// Follow agents: what rp_client_next_answer() tells. The newest answer of each comes first. The
/// watch goes on when the daemon is started again; rp_client_lost() says what was lost.
/// @param agents  names, which must be open [count]; with a count of 0: all, also those that are
///                opened later
/// @param id      written on success
/// @return as rp_client_watch()
rp_client_status_t rp_client_watch_agents(rp_client_t *self, const char *world,
                                          const char *const *agents, size_t count, uint32_t *id);

/// Keep a copy of a world: rp_client_poll() and rp_client_next_answer() let it follow. It goes on
/// as rp_client_watch_agents() does.
/// @param mirror  initialised; borrowed until rp_client_unwatch() or rp_client_close()
/// @param id      written on success
/// @return as rp_client_watch()
rp_client_status_t rp_client_mirror(rp_client_t *self, const char *world, struct rp_mirror *mirror,
                                    uint32_t *id);

/// The next answer of any watch. Other events are passed over: who wants them calls
/// rp_client_poll().
/// @param timeout_ms  how long to wait; 0: not at all, -1: until there is one
/// @param path        written on success; borrowed until the next rp_client_poll() or call of this
///                    header
/// @return RP_CLIENT_E_TIMEOUT; RP_CLIENT_E_REFUSED when a watch is over, or, once, when the world
/// of
///         one is gone, which it then waits for; RP_CLIENT_E_NO_DAEMON when the line broke and no
///         watch goes on
rp_client_status_t rp_client_next_answer(rp_client_t *self, int timeout_ms, rp_client_path_t *path);

#ifdef __cplusplus
}
#endif

#endif
