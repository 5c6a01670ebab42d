/// @file
/// Escape reference: what the design says of a start that is blocked, written from that text alone.
/// It calls nothing of the engine and is slow on purpose: every end is looked at, one after the
/// other, by searches that scan all cells for the nearest one.
///
/// A cell is y * width + x, a direction is that of the wire (0 = +x, then towards +y). The world is
/// given as the agent's layer sees it, so inflation and overlays are the caller's.
#ifndef REPLAN_TESTS_ESCAPE_REFERENCE_H
#define REPLAN_TESTS_ESCAPE_REFERENCE_H

#include "replan/session.h"
#include "replan/world.h"

#define RP_ESCAPE_CELLS_MAX 1024u
#define RP_ESCAPE_GOALS_MAX 8u
#define RP_ESCAPE_NO_CELL   UINT32_MAX

/// Cells on which the ways from a blocked start may lie.
typedef struct rp_escape_world {
    uint32_t width; ///< width * height is at most RP_ESCAPE_CELLS_MAX; from 3 when wrapped
    uint32_t height;
    uint8_t neighbors; ///< 4 or 8
    bool wraps;
    uint8_t unit; ///< factor of normal ground
    rp_frame_t frame;
    bool is_obstacle[RP_ESCAPE_CELLS_MAX]; ///< the profile blocks the byte, and not as inscribed
    uint8_t factors[RP_ESCAPE_CELLS_MAX];  ///< 0: the layer blocks the cell, as it does obstacles
} rp_escape_world_t;

typedef struct rp_escape_goal {
    uint32_t cell;
    uint32_t offset; ///< cost of stopping there, in cell lengths
} rp_escape_goal_t;

typedef struct rp_escape_question {
    double x_m; ///< the pose
    double y_m;
    rp_escape_goal_t goals[RP_ESCAPE_GOALS_MAX];
    size_t goal_count; ///< at least 1
    bool is_nearest;
    double escape_m; ///< 0: 64 cells
} rp_escape_question_t;

/// A length between middles: straights + diagonals * sqrt 2, in cells.
typedef struct rp_escape_length {
    uint32_t straights;
    uint32_t diagonals;
} rp_escape_length_t;

/// What the answer must say. Of several ways of that length to that end each is right.
typedef struct rp_escape_decision {
    rp_answer_outcome_t outcome;
    uint32_t cell;          ///< the agent's; RP_ESCAPE_NO_CELL: outside
    bool is_blocked;        ///< that cell is; else there is no way, and the end is that cell
    uint32_t end;           ///< where path begins; the agent's cell unless found
    rp_escape_length_t way; ///< to the end
    double way_m;
    bool reaches_goal; ///< found, and not only the nearest cell
    uint64_t whole; ///< cost of the path on as a whole number: straight steps count 408, diagonal
                    ///< ones 577, times the sum of the factors of both cells; with the offset
    double cost;    ///< the same in cell lengths on normal ground
    double goal_distance; ///< from the end of the path to the nearest goal, in cells
} rp_escape_decision_t;

/// The cell of a pose.
/// @param at  written: the pose in cells, snapped to borders, inside of that cell [2]
/// @return RP_ESCAPE_NO_CELL outside
uint32_t rp_escape_cell(const rp_escape_world_t *self, double x_m, double y_m, double *at);

/// The middle of a cell.
/// @param at  written: in cells [2]
void rp_escape_middle(uint32_t width, uint32_t cell, double *at);

/// Distance of a coordinate of the pose in cells below which two are the same.
double rp_escape_snap(const rp_escape_world_t *self, double x_m, double y_m);

/// The cell one step away, whether that step is legal or not; RP_ESCAPE_NO_CELL outside.
uint32_t rp_escape_step(const rp_escape_world_t *self, uint32_t cell, unsigned direction);

/// For a pose in an obstacle: the directions that lead into a run in which a way may begin, whether
/// a step can be made that way or not. One bit each.
unsigned rp_escape_runs(const rp_escape_world_t *self, double x_m, double y_m);

/// Less than 0, 0 or greater than 0 as `a` is shorter, equal or longer. Exact.
int rp_escape_compare(rp_escape_length_t a, rp_escape_length_t b);

void rp_escape_resolve(const rp_escape_world_t *self, const rp_escape_question_t *question,
                       rp_escape_decision_t *decision);

/// Walk a way: is it one, as far as its steps tell?
/// @param steps   directions [count]
/// @param end     written: where it leads
/// @param length  written
/// @return NULL when every step is legal and the end is its first free cell, else a sentence
const char *rp_escape_walk_way(const rp_escape_world_t *self, const rp_escape_question_t *question,
                               uint32_t way_start, const uint8_t *steps, size_t count,
                               uint32_t *end, rp_escape_length_t *length);

/// Walk a path.
/// @param end    written: where it leads
/// @param whole  written: its cost as a whole number, as in a decision
/// @param cost   written: the same in cell lengths
/// @return NULL when it starts on a free cell and every step is legal, else a sentence
const char *rp_escape_walk_path(const rp_escape_world_t *self, uint32_t start, const uint8_t *steps,
                                size_t count, uint32_t *end, uint64_t *whole, double *cost);

/// Hold a way against the decision: its steps, its end, its length.
/// @return NULL when it is right, else a sentence
const char *rp_escape_judge_way(const rp_escape_world_t *self, const rp_escape_question_t *question,
                                const rp_escape_decision_t *decision, uint32_t way_start,
                                const uint8_t *steps, size_t count);

/// Hold the path on against the decision: its steps, where it ends, and what it costs.
/// @param cost  that it is said to have, in cell lengths
/// @return as above
const char *rp_escape_judge_path(const rp_escape_world_t *self,
                                 const rp_escape_question_t *question,
                                 const rp_escape_decision_t *decision, uint32_t start,
                                 const uint8_t *steps, size_t count, double cost);

#endif
