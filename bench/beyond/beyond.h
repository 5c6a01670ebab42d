/// @file
/// Suite `beyond`: protocols that measure every planner on what the best of them can do, and what
/// the choice by `auto` costs. A protocol is a table of cells; each cell has seeded worlds, which
/// become traces. After a protocol has been played, its rows of the last table are compared with
/// their bounds.
#ifndef REPLAN_BENCH_BEYOND_BEYOND_H
#define REPLAN_BENCH_BEYOND_BEYOND_H

#include "bench/measure/paired_run.h"
#include "bench/measure/score_table.h"

/// One row of a protocol's table.
typedef struct rp_beyond_cell {
    const char *name;
    const char *map;     ///< in the folder of maps, without its ending; NULL: random terrain
    uint8_t neighbors;   ///< 4 or 8
    unsigned a;          ///< what the protocol varies: closeness, cells, ...
    unsigned b;          ///< the same: rate, ...
    double elsewhere_us; ///< what another program took on another machine: printed beside, never
                         ///< divided by; 0: not known
    double elsewhere_prepared_us; ///< the same when it had prepared the map; 0: not known
} rp_beyond_cell_t;

// ---- worlds: each makes the trace of a world. @return false when a file is missing (said)

/// Pairs of ends that a path joins, those of a map's file or random ones; nothing changes. Between
/// two there is idle time.
bool rp_beyond_queries(rp_trace_t *trace, const rp_bench_options_t *options,
                       const rp_beyond_cell_t *cell, uint64_t seed);

/// Footprints of 3 x 3 cells come and go anywhere, cell.a of them in each update; fixed ends.
bool rp_beyond_footprints(rp_trace_t *trace, const rp_bench_options_t *options,
                          const rp_beyond_cell_t *cell, uint64_t seed);

/// An agent walks to a goal and sees the cells within 10 of it. cell.a: of 1000 free cells so many
/// are blocked on its prior map, and as many blocked ones are free there; 0: it knows nothing, and
/// takes all for free.
/// Who walks follows its own path, so each has a trace of its own.
/// @param walker  whose path the agent follows
bool rp_beyond_trip(rp_trace_t *trace, const rp_bench_options_t *options,
                    const rp_beyond_cell_t *cell, uint64_t seed, const rp_contender_t *walker);

/// A robot drives over inflated ground of cell.a cells a side, and cell.b times a tick something
/// comes, goes or moves near it. Making a step's changes is inflating them.
bool rp_beyond_drive(rp_trace_t *trace, const rp_bench_options_t *options,
                     const rp_beyond_cell_t *cell, uint64_t seed);

// ---- an agent that walks, for the last two

#include "planners/portfolio/certificate.h"

/// Whoever plays searches where this agent stands. Steps at which its path can be proven by
/// geometry are idle: it keeps it then, unless its planner is asked at every step.
typedef struct rp_costmap_drive {
    rp_trace_t *trace;     ///< borrowed; being made
    rp_grid_t *grid;       ///< owned; the world as the agent knows it
    rp_planner_t *planner; ///< owned
    rp_cell_t *kept;       ///< owned; its path, as it was planned last [grid->cell_count]
    rp_certificate_t path; ///< what is left of it
    rp_change_t *changes;  ///< owned; since the last step
    size_t change_count;
    size_t change_capacity;
    bool asks_always; ///< its planner at idle steps, too
    bool never_idles; ///< it is given no idle time
    rp_cell_t agent;
    rp_cell_t goal;
} rp_costmap_drive_t;

/// @param trace  has its grid as the agent knows it at first
void rp_costmap_drive_init(rp_costmap_drive_t *self, rp_trace_t *trace, rp_cell_t agent,
                           rp_cell_t goal);
void rp_costmap_drive_fini(rp_costmap_drive_t *self);

/// Right after the beginning: the agent follows this contender's path, asked for when it would ask.
void rp_costmap_drive_follow(rp_costmap_drive_t *self, const rp_contender_t *walker);

/// A cell turns out to have this factor.
void rp_costmap_drive_write(rp_costmap_drive_t *self, rp_cell_t cell, uint8_t factor);

/// Everybody is asked for the path. @return false when there is none
bool rp_costmap_drive_ask(rp_costmap_drive_t *self);

/// One cell along the path. @return false at the goal
bool rp_costmap_drive_walk(rp_costmap_drive_t *self);

// ---- what is played

typedef struct rp_beyond rp_beyond_t;

typedef struct rp_beyond_protocol {
    const char *name;
    const char *title;
    const rp_contender_t *contenders; ///< [contender_count]
    size_t contender_count;
    const rp_beyond_cell_t *cells; ///< [cell_count]
    size_t cell_count;
    size_t quick_cell_count; ///< a quick run takes the first ones only
    unsigned worlds;
    unsigned quick_worlds;
    unsigned rounds; ///< of each world, at least; more where these are short
    unsigned quick_rounds;
    bool has_first; ///< the first plan stands apart, as it is the same for all worlds' updates
    bool idles;     ///< there is idle time: who can use it plays once more without
    bool (*make)(rp_trace_t *trace, const rp_bench_options_t *options, const rp_beyond_cell_t *cell,
                 uint64_t seed);
    void (*judge)(rp_beyond_t *self); ///< adds to the targets

    /// Instead of `make`: the trace of one contender, which others play as witnesses only.
    bool (*make_own)(rp_trace_t *trace, const rp_bench_options_t *options,
                     const rp_beyond_cell_t *cell, uint64_t seed, const rp_contender_t *walker);

    const char *elsewhere; ///< whose the figures of other machines are, and where; NULL: there are
                           ///< none
} rp_beyond_protocol_t;

/// Three ways to count idle time. The second is measured with a contender of its own, the other two
/// come out of the same plays.
typedef enum rp_beyond_idle {
    RP_BEYOND_IDLE_FREE,    ///< it is nobody's: a caller has it between two updates anyway
    RP_BEYOND_IDLE_NONE,    ///< there is none
    RP_BEYOND_IDLE_CHARGED, ///< its CPU time is a part of the plan that comes next
    RP_BEYOND_IDLE_COUNT,
} rp_beyond_idle_t;

/// What must be reached, and what was.
typedef struct rp_beyond_target {
    char what[160];
    double least; ///< NAN: the issue names none
    double aim;
    double ours;
    bool is_ceiling; ///< less is better
    const char *unit;
} rp_beyond_target_t;

#define RP_BEYOND_TARGETS_MAX 128u

/// One protocol after the other.
struct rp_beyond {
    const rp_bench_options_t *options;
    const rp_beyond_protocol_t *protocol; ///< under way
    rp_comparison_t match;
    char names[RP_CONTENDERS_MAX][40]; ///< of contenders that play once more without idle time
    rp_score_table_t scores;
    rp_samples_t *us;      ///< owned; every plan [cells * contenders]
    rp_samples_t *charged; ///< owned; every plan with idle time charged to it [as us]
    rp_samples_t *worlds;  ///< owned; of each world the mean of these [as us]
    rp_samples_t
        *apart; ///< owned; of steps that were timed in a timed loop, each by itself [as us]
    rp_samples_t *ticks;    ///< owned; AUTO's plans with the making of what changed [cells]
    rp_samples_t *pairs[2]; ///< owned; auto against A* on buckets, plan by plan; with idle time,
                            ///< and without [cells]
    rp_samples_t *quotients[2]; ///< owned; auto against each, world by world; the same [as us]
    rp_beyond_target_t targets[RP_BEYOND_TARGETS_MAX];
    size_t target_count;
    double slowest[2][RP_BEYOND_IDLE_COUNT]; ///< auto against the best single planner, of all cells
                                             ///< so far: updates alone, and whole sessions
    char slowest_cell[2][RP_BEYOND_IDLE_COUNT][96]; ///< where that was
    unsigned rounds_least; ///< of this protocol, in which a world of a row was played
    unsigned rounds_most;
    unsigned differences; ///< of all protocols
};

/// Microseconds a plan of the median world, idle time free; NAN when this contender did not play.
double rp_beyond_us(rp_beyond_t *self, size_t cell, const char *name);

/// The same of the fastest of these. @param names  ends with NULL
double rp_beyond_best(rp_beyond_t *self, size_t cell, const char *const *names);

/// Where a figure of a cell's contender stands.
size_t rp_beyond_place(const rp_beyond_t *self, size_t cell, size_t who);

/// AUTO's place among the contenders, or, where it does not play, that of the last.
size_t rp_beyond_leader(const rp_beyond_t *self);

/// Keep the cell in which choosing costs most.
/// @param kind  0 updates alone, 1 whole sessions
/// @param who   the best single planner there
void rp_beyond_note_choice(rp_beyond_t *self, size_t cell, unsigned kind, rp_beyond_idle_t idle,
                           double ratio, size_t who);

// ---- idle time

/// Those of a protocol that can use idle time play once more without: adds them.
/// @param contenders  [RP_CONTENDERS_MAX]
/// @return how many there are now
size_t rp_beyond_add_idlers(rp_beyond_t *self, rp_contender_t *contenders, size_t count);

/// The contender that is this one without idle time: itself, when it cannot use any.
size_t rp_beyond_without_idle(const rp_beyond_t *self, size_t who);

/// True for a contender that was added as above.
bool rp_beyond_is_added(const rp_beyond_t *self, size_t who);

/// As rp_beyond_us(), by place, and with idle time counted in one of three ways.
double rp_beyond_idle_us(rp_beyond_t *self, size_t cell, size_t who, rp_beyond_idle_t idle);

/// A percentile of all plans of a cell. @return NAN when there are none
double rp_beyond_idle_percentile(rp_beyond_t *self, size_t cell, size_t who, rp_beyond_idle_t idle,
                                 double percent);

/// The fastest that is one planner and no choice among them.
/// @return RP_CONTENDERS_MAX when there is none
size_t rp_beyond_best_single(rp_beyond_t *self, size_t cell, rp_beyond_idle_t idle);

/// How much slower AUTO is than another, updates alone: where both idle or neither does, the median
/// of the quotients of both in the same round. @return NAN when one did not play
double rp_beyond_slower(rp_beyond_t *self, size_t cell, size_t other, rp_beyond_idle_t idle);

/// What idle time buys, contender by contender, and what it costs.
void rp_beyond_print_idle(rp_beyond_t *self);
void rp_beyond_idle_to_json(rp_beyond_t *self, size_t cell, cJSON *object);

/// "idle time free", ...
extern const char *const rp_beyond_idle_names[RP_BEYOND_IDLE_COUNT];

// ---- the rest

/// Note what a row of the last table reached; not when it is NAN.
void rp_beyond_note(rp_beyond_t *self, const rp_beyond_target_t *target);

/// What no trace holds: a planner's first plan, its making included.
void rp_beyond_first(rp_beyond_t *self);

/// Our entry to a competition, through its dynamic worlds. @param results  gets "gppc"
void rp_beyond_gppc(rp_beyond_t *self, cJSON *results);

/// Programs from packages, on maps that do not change. @param results  gets "peers"
void rp_beyond_peers(rp_beyond_t *self, cJSON *results);

// ---- tables and judgements

void rp_beyond_print(rp_beyond_t *self);

/// A cell of a row: microseconds, or nothing when they are NAN.
void rp_beyond_print_us(double us);
void rp_beyond_print_targets(const rp_beyond_t *self);
void rp_beyond_to_json(rp_beyond_t *self, cJSON *protocols);
void rp_beyond_targets_to_json(const rp_beyond_t *self, cJSON *results);

/// The protocols, in the order played. @return NULL beyond the last
const rp_beyond_protocol_t *rp_beyond_protocol(size_t index);

#endif
