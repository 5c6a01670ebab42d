/// @file
/// What the module exports to JavaScript: the calls of engine.h, planner.h and files/map.h, made
/// flat. No call does more than hand on what it is given; src/*.js checks the arguments and makes
/// objects of what comes back.
///
/// Numbers of 64 bits go as doubles, which hold them up to 2^53: JavaScript has no other numbers.
/// What a call tells beyond its status it leaves as doubles in the object that it is called on
/// (`told`), in the order of an enum below; a pointer goes as one, too. It stands until the next
/// call on the same object. Strings end in 0. Arrays that a call takes are borrowed until it
/// returns.
#ifndef REPLAN_WASM_EXPORTS_H
#define REPLAN_WASM_EXPORTS_H

#include "replan/engine.h"

#ifdef __wasm__
#define RP_JS_EXPORT(name) __attribute__((export_name(#name)))
#else
#define RP_JS_EXPORT(name)
#endif

/// A sentence for a status. @return static text
RP_JS_EXPORT(status_text) const char *rp_js_status_text(rp_status_t status);

/// Memory for arguments; as malloc() and free().
RP_JS_EXPORT(malloc) void *rp_js_malloc(size_t size);
RP_JS_EXPORT(free) void rp_js_free(void *memory);

/// Bytes that are in use of the module's memory.
RP_JS_EXPORT(heap_bytes) double rp_js_heap_bytes(void);

/// A planner of the registry as five doubles: id, paper, guarantee (text), capabilities, bytes a
/// cell.
/// @return false beyond the last
RP_JS_EXPORT(planner_info) bool rp_js_planner_info(uint32_t index, double *told);

// ---- one planner on one grid

typedef struct rp_js_planner rp_js_planner_t;

/// What planner_plan() tells.
enum {
    RP_JS_PLAN_OUTCOME,
    RP_JS_PLAN_COST, ///< infinite without a path
    RP_JS_PLAN_CELLS,
    RP_JS_PLAN_COUNT, ///< of cells: x and y of each as uint32 at RP_JS_PLAN_CELLS
    RP_JS_PLAN_EXPANDED,
    RP_JS_PLAN_GENERATED,
    RP_JS_PLAN_RESTARTS,
    RP_JS_PLAN_BYTES,
    RP_JS_PLAN_PLANNER, ///< text
    RP_JS_PLAN_WHY,     ///< text
    RP_JS_PLAN_TOLD,
};

/// A grid of normal ground and a planner that is bound to it.
/// @param is_costmap  bytes are those of the profile "costmap", not "factor"
/// @return as rp_grid_new(), rp_planner_new() and rp_planner_bind()
RP_JS_EXPORT(planner_new)
rp_status_t rp_js_planner_new(const char *id, uint32_t width, uint32_t height, uint32_t neighbors,
                              bool wraps, bool is_costmap, rp_js_planner_t **planner);

RP_JS_EXPORT(planner_close) void rp_js_planner_close(rp_js_planner_t *self);

/// Where the results of this planner are told. @return [RP_JS_PLAN_TOLD]
RP_JS_EXPORT(planner_told) const double *rp_js_planner_told(const rp_js_planner_t *self);

RP_JS_EXPORT(planner_start)
rp_status_t rp_js_planner_start(rp_js_planner_t *self, uint32_t x, uint32_t y);

/// @param goals  x, y, offset by goal [3 * count]
RP_JS_EXPORT(planner_goals)
rp_status_t rp_js_planner_goals(rp_js_planner_t *self, const uint32_t *goals, size_t count);

/// Write a rectangle, which lies inside.
/// @param data  row by row [width * height], or NULL: `fill` everywhere
/// @return RP_E_MEMORY; the cells are written then, and the next plan begins anew
RP_JS_EXPORT(planner_write)
rp_status_t rp_js_planner_write(rp_js_planner_t *self, uint32_t x, uint32_t y, uint32_t width,
                                uint32_t height, const uint8_t *data, uint8_t fill);

/// Write single cells, which lie inside.
/// @param cells   y * width + x, each at most once [count]
/// @param values  a byte a cell [count], or NULL: `value` for all
RP_JS_EXPORT(planner_write_cells)
rp_status_t rp_js_planner_write_cells(rp_js_planner_t *self, const uint32_t *cells,
                                      const uint8_t *values, size_t count, uint8_t value);

/// @param budget  infinite for no limit
/// @return as rp_planner_plan(), which may be RP_MORE
RP_JS_EXPORT(planner_plan) rp_status_t rp_js_planner_plan(rp_js_planner_t *self, double budget);

/// @return true when there is more to do
RP_JS_EXPORT(planner_idle) bool rp_js_planner_idle(rp_js_planner_t *self, double budget);

// ---- a world, in an engine of its own

typedef struct rp_js_world rp_js_world_t;

/// What world_answer() and world_next() tell.
enum {
    RP_JS_ANSWER_AGENT,
    RP_JS_ANSWER_VERSION,
    RP_JS_ANSWER_WINDOW,
    RP_JS_ANSWER_WIDTH, ///< of the world whose cells are meant
    RP_JS_ANSWER_HEIGHT,
    RP_JS_ANSWER_RESOLUTION,
    RP_JS_ANSWER_ORIGIN_X,
    RP_JS_ANSWER_ORIGIN_Y,
    RP_JS_ANSWER_ORIGIN_YAW,
    RP_JS_ANSWER_PATH_SEQ,
    RP_JS_ANSWER_GOAL_ID,
    RP_JS_ANSWER_POSE_SEQ,
    RP_JS_ANSWER_WAYPOINT,
    RP_JS_ANSWER_GOAL_DISTANCE,
    RP_JS_ANSWER_ESCAPE,
    RP_JS_ANSWER_OUTCOME,
    RP_JS_ANSWER_REASON,
    RP_JS_ANSWER_COST,
    RP_JS_ANSWER_BOUND,
    RP_JS_ANSWER_VALID_THROUGH,
    RP_JS_ANSWER_PLANNER, ///< text, or 0
    RP_JS_ANSWER_EXPANSIONS,
    RP_JS_ANSWER_CELLS,
    RP_JS_ANSWER_COUNT, ///< of cells: x and y of each as int32 at RP_JS_ANSWER_CELLS. On a torus
                        ///< they run on beyond the edge
    RP_JS_ANSWER_WAY,
    RP_JS_ANSWER_WAY_COUNT, ///< the same of the way out of a blocked cell
    RP_JS_ANSWER_SEGMENTS,
    RP_JS_ANSWER_SEGMENT_COUNT,   ///< of a curve: x, y, yaw, curvature, length, turn and course of
                                  ///< each as doubles at RP_JS_ANSWER_SEGMENTS
    RP_JS_ANSWER_ESCAPE_SEGMENTS, ///< of these, the first ones: they lead out of obstacles
    RP_JS_ANSWER_VALID_THROUGH_M, ///< so much of the curve rests on known cells
    RP_JS_ANSWER_TOLD,
};

/// @param numbers   width, height, neighbors, wraps, resolution, origin x, y, yaw, fill (-1: normal
///                  ground), number of profiles
/// @param profile   name of the world's own; NULL: "factor"
/// @param given     bytes from malloc(), the module's own from here on; NULL: `fill`
/// @param profiles  name, factors, like (pointers), unit, unknown, unknown_factor, inscribed
///                  (pointer), inscribed_count by profile [8 * number]
/// @return as rp_engine_open_world()
RP_JS_EXPORT(world_new)
rp_status_t rp_js_world_new(const double *numbers, const char *profile, uint8_t *given,
                            const uint32_t *profiles, rp_js_world_t **world);

RP_JS_EXPORT(world_close) void rp_js_world_close(rp_js_world_t *self);

/// Where the answers of this world are told. @return [RP_JS_ANSWER_TOLD]
RP_JS_EXPORT(world_told) const double *rp_js_world_told(const rp_js_world_t *self);

/// Version, settled, window, sides, frame: what there is to know of a world, in this order.
/// @param told  written [9]
RP_JS_EXPORT(world_state) void rp_js_world_state(const rp_js_world_t *self, double *told);

/// Effective bytes, row by row. @return borrowed until the next call
RP_JS_EXPORT(world_bytes) const uint8_t *rp_js_world_bytes(const rp_js_world_t *self);

/// As planner_write(), and rp_engine_apply().
RP_JS_EXPORT(world_write)
rp_status_t rp_js_world_write(rp_js_world_t *self, uint32_t x, uint32_t y, uint32_t width,
                              uint32_t height, const uint8_t *data, uint8_t fill);

/// As planner_write_cells(), and rp_engine_apply().
RP_JS_EXPORT(world_write_cells)
rp_status_t rp_js_world_write_cells(rp_js_world_t *self, const uint32_t *cells,
                                    const uint8_t *values, size_t count, uint8_t value);

/// Put, move and remove shapes.
/// @param shapes   id, byte, corners, radius, expires_us (0: never), then every x, then every y;
/// one
///                 shape after the other
/// @param removed  ids [removed_count]
/// @return as rp_engine_overlay()
RP_JS_EXPORT(world_overlay)
rp_status_t rp_js_world_overlay(rp_js_world_t *self, const double *shapes, size_t shape_count,
                                const uint32_t *removed, size_t removed_count, bool clears);

/// @param numbers    x, y, width, height, is_told, origin x, y, fill (-1: normal ground)
/// @param rects      x, y, width, height by rectangle [4 * rect_count]
/// @param rect_data  their bytes, one rectangle after the other
/// @return as rp_engine_resize()
RP_JS_EXPORT(world_resize)
rp_status_t rp_js_world_resize(rp_js_world_t *self, const double *numbers, const uint32_t *rects,
                               size_t rect_count, const uint8_t *rect_data);

typedef struct rp_js_staged rp_js_staged_t;

/// Begin to prepare a change in slices, as rp_engine_stage(). It is closed before its world.
/// @param data  bytes from malloc(), the staged change's own from here on; NULL: `fill` everywhere
RP_JS_EXPORT(world_stage)
rp_status_t rp_js_world_stage(rp_js_world_t *self, uint32_t x, uint32_t y, uint32_t width,
                              uint32_t height, uint8_t *data, uint8_t fill,
                              rp_js_staged_t **staged);
/// @return true when there is more to do
RP_JS_EXPORT(staged_work) bool rp_js_staged_work(rp_js_staged_t *self, double budget);
RP_JS_EXPORT(staged_is_ready) bool rp_js_staged_is_ready(const rp_js_staged_t *self);
/// Make the change, prepared or not. @return as rp_engine_apply()
RP_JS_EXPORT(staged_apply) rp_status_t rp_js_staged_apply(rp_js_staged_t *self);
RP_JS_EXPORT(staged_close) void rp_js_staged_close(rp_js_staged_t *self);

/// @param now_us  the caller's clock, which never goes back
/// @param budget  expansions; infinite for no limit
/// @return true when work is left
RP_JS_EXPORT(world_step) bool rp_js_world_step(rp_js_world_t *self, double now_us, double budget);

/// True when the last step lacked memory.
RP_JS_EXPORT(world_is_short) bool rp_js_world_is_short(const rp_js_world_t *self);

/// @return true when there is more to do
RP_JS_EXPORT(world_idle) bool rp_js_world_idle(rp_js_world_t *self, double budget);

/// Tell the next new answer. @return RP_MORE when there is none; RP_E_MEMORY: it is lost
RP_JS_EXPORT(world_next) rp_status_t rp_js_world_next(rp_js_world_t *self);

/// Tell the newest answer of an agent. @return RP_MORE when it is not sure; RP_E_UNKNOWN,
/// RP_E_MEMORY
RP_JS_EXPORT(world_answer) rp_status_t rp_js_world_answer(rp_js_world_t *self, double agent);

/// Bytes that the engine holds: worlds and layers, sessions, planners.
/// @param told  written [3]
RP_JS_EXPORT(world_memory) void rp_js_world_memory(const rp_js_world_t *self, double *told);

// ---- agents: each has a handle of the engine, which a double holds

/// @param numbers  radius, inscribed radius, inflation radius, cost scaling, open (0 heap, 1
///                 buckets), switch_gain_percent, min_interval_ms, max_age_ms, answer_within_ms,
///                 may_wait, starts_at_once, follow radius, escape, cells; of motion: drive (0:
///                 none), turning radius, turn, headings, hold, follow yaw, bound percent, most
///                 headings, reverse, its factor, gear change, padding, number of corners of a
///                 footprint, then x and y of each
/// @param profile, planner  NULL: the world's, and "auto"
/// @return as rp_engine_open()
RP_JS_EXPORT(agent_open)
rp_status_t rp_js_agent_open(rp_js_world_t *self, const double *numbers, const char *profile,
                             const char *planner, double *agent);
/// What is wrong with the motion in agent_open()'s numbers: as rp_engine_judge_motion().
RP_JS_EXPORT(motion_fault)
uint32_t rp_js_motion_fault(const rp_js_world_t *self, const double *numbers);

/// And with its footprint, in words: as rp_engine_judge_footprint().
RP_JS_EXPORT(footprint_fault)
const char *rp_js_footprint_fault(const rp_js_world_t *self, const double *numbers);

RP_JS_EXPORT(agent_close) rp_status_t rp_js_agent_close(rp_js_world_t *self, double agent);
/// @param yaw  NaN: the last one
RP_JS_EXPORT(agent_pose)
rp_status_t rp_js_agent_pose(rp_js_world_t *self, double agent, double x_m, double y_m, double yaw,
                             double pose_seq);

/// @param numbers  kind, first, target, tolerance, is_nearest, goal_id, has a rendezvous, its x, y,
///                 heading (0 any, 1 fixed, 2 either way), yaw tolerance
/// @param places   x, y, offset by place, then with a heading the yaw of each [3 or 4 * count]
/// @return as rp_engine_aim()
RP_JS_EXPORT(agent_aim)
rp_status_t rp_js_agent_aim(rp_js_world_t *self, double agent, const double *numbers,
                            const double *places, size_t count);

/// Number of the place nearest to the mean of all. @param places  as of agent_aim()
/// @return a place, or -1 without memory
RP_JS_EXPORT(middle) int32_t rp_js_middle(const double *places, size_t count);

/// The newest answers of an agent, the newest first: path_seq, sure_until, version, published_us,
/// outcome, reason, cost, expansions of each.
/// @param told  written [8 * RP_PAST_MAX]
/// @return their number
RP_JS_EXPORT(agent_past)
uint32_t rp_js_agent_past(const rp_js_world_t *self, double agent, double *told);

/// What an agent's planner sees, as rp_engine_factors(). @param factors  written [width * height]
RP_JS_EXPORT(agent_factors)
rp_status_t rp_js_agent_factors(rp_js_world_t *self, double agent, uint8_t *factors);

/// Whether a path may be walked now, as rp_engine_walk() and rp_engine_walk_way().
/// @param path, way  x and y by cell [count of each]; the way ends where the path begins
/// @param told       written: cost (-1: illegal), number of illegal steps, of the way's
/// @param offenders  written: numbers of the path's illegal steps, then from `path_count` on those
///                   of the way's [path_count + way_count]
/// @return RP_E_INVALID: a step leads to no neighbour; RP_E_MEMORY
RP_JS_EXPORT(agent_walk)
rp_status_t rp_js_agent_walk(rp_js_world_t *self, double agent, const uint32_t *path,
                             size_t path_count, const uint32_t *way, size_t way_count, double *told,
                             uint32_t *offenders);

// ---- questions

/// What query_result() tells.
enum {
    RP_JS_QUERY_VERSION,
    RP_JS_QUERY_COUNT,
    RP_JS_QUERY_COSTS, ///< doubles, -1: no path [count]
    RP_JS_QUERY_AFTER, ///< doubles, or 0
    RP_JS_QUERY_STEPS, ///< bytes, or 0
    RP_JS_QUERY_X,
    RP_JS_QUERY_Y,
    RP_JS_QUERY_WIDTH,
    RP_JS_QUERY_HEIGHT,
    RP_JS_QUERY_TOLD,
};

/// Ask what rp_question_t may ask.
/// @param numbers  kind, reach, number of `from`, of `to`, of sessions; of the edit x, y, width,
///                 height, fill, cell_count, value
/// @param places   x, y, 0 by place: `from`, then `to`
/// @param data, cells, values  of the edit, as of world_write() and world_write_cells(); NULL: none
/// @return as rp_engine_start_query()
RP_JS_EXPORT(query_start)
rp_status_t rp_js_query_start(rp_js_world_t *self, const double *numbers, const double *places,
                              const double *agents, const uint8_t *data, const uint32_t *cells,
                              const uint8_t *values, double *query);

/// @param told  written with true [RP_JS_QUERY_TOLD]; its arrays are borrowed until query_end()
/// @return false while steps are needed
RP_JS_EXPORT(query_result)
bool rp_js_query_result(const rp_js_world_t *self, double query, double *told);
RP_JS_EXPORT(query_end) void rp_js_query_end(rp_js_world_t *self, double query);

// ---- maps

/// Name of the picture that a YAML needs. @param name  written [1024]
/// @return false when the bytes are a map by themselves
RP_JS_EXPORT(map_refers)
bool rp_js_map_refers(const char *bytes, size_t size, char *name);

/// Read a map.
/// @param other     bytes of the picture that map_refers() named; NULL: none
/// @param told      written: width, height, bytes (pointer, to be freed), is_costmap, resolution,
///                  origin x, y, yaw [8]
/// @param sentence  written when it is refused [512]
/// @return as rp_map_parse()
RP_JS_EXPORT(map_read)
rp_status_t rp_js_map_read(const char *bytes, size_t size, const char *name, const char *other,
                           size_t other_size, const char *other_name, double *told, char *sentence);

/// Make the bytes of a file; of a YAML those of its picture, or with `image` its text.
/// @param path     its suffix chooses the format
/// @param numbers  width, height, is_costmap, resolution, origin x, y, yaw
/// @param told     written: bytes (pointer, to be freed), size [2]
/// @return RP_E_MEMORY
RP_JS_EXPORT(map_write)
rp_status_t rp_js_map_write(const char *path, const double *numbers, const uint8_t *bytes,
                            const char *image, double *told);

#endif
