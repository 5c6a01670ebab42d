#include "planners/lattice/pose_planner.h"

#include <math.h>
#include <stdlib.h>

#include "planners/guide/guide_lead.h"
#include "planners/lattice/goal_ends.h"
#include "planners/lattice/path/mended_path.h"
#include "planners/lattice/written_path.h"
#include "planners/motion/trig.h"

/// Judging allows a body that touches an obstacle, but for rounding.
#define JUDGING_MARGIN (-1e-9)

/// What a bound may miss: OPEN tells keys apart by buckets.
#define BUCKET 32u

/// What comes next.
typedef enum stage {
    STAGE_NEW,    ///< something happened since the last plan
    STAGE_KEEP,   ///< cells were rewritten: the last path may stand without a search
    STAGE_GOAL,   ///< the box round a goal with a heading is being made
    STAGE_FIELD,  ///< the field is being grown or repaired
    STAGE_FIRST,  ///< curves from the start's yaw to the lattice are being made
    STAGE_SEARCH, ///< within the bound
    STAGE_FOUND,  ///< that is over
    STAGE_EXACT,  ///< the cheapest path is being looked for
    STAGE_DONE,
} stage_t;

struct rp_pose_planner {
    const rp_control_set_t *set; ///< borrowed
    const rp_grid_t *grid;       ///< borrowed
    rp_guide_lead_t lead;
    rp_lattice_search_t search;
    rp_mended_path_t mended; ///< for a path that obstacles broke
    uint32_t percent;
    rp_cell_t start;  ///< RP_NO_CELL: none yet
    double yaw;       ///< of the start
    uint32_t heading; ///< of the start, where that is one of the lattice
    bool is_between;  ///< it is none
    double escape;    ///< longest way out of a collision at the start, cells; 0: there is none
    bool is_leaving;  ///< the start overlaps obstacles
    rp_first_curves_t first;
    rp_goal_ends_t ends;
    rp_lattice_goal_t field_goal; ///< that the field was begun for
    rp_kept_path_t kept;
    stage_t kept_stage;          ///< where the path that may be kept belongs: found or done
    rp_lattice_goal_t path_goal; ///< of the written path
    bool has_changed;            ///< something was rewritten since the last search ended
    bool has_freed;              ///< and an obstacle went, since the bound was known
    stage_t stage;
    rp_outcome_t outcome;
    bool had_none;   ///< there was no path, as is_leaving is, and only obstacles came since
    bool is_cut_off; ///< without a path: none of cells leads to the goal either
    uint32_t cost;   ///< of the path, RP_COST_INF without one
    uint32_t bound;
    uint64_t expanded; ///< by searches that are over
    rp_written_path_t written;
};

// ---- the ground

static rp_lattice_pose_t start_pose(const rp_pose_planner_t *self)
{
    return (rp_lattice_pose_t){(uint16_t)rp_grid_x(self->grid, self->start),
                               (uint16_t)rp_grid_y(self->grid, self->start),
                               (uint8_t)self->heading};
}

/// Another question: nothing of the last answer stands.
static void forget(rp_pose_planner_t *self)
{
    self->kept.is_known = false;
    self->had_none = false;
    self->stage = STAGE_NEW;
}

/// See that the ground is made; nothing that was made of other costs stands.
static rp_status_t see_ground(rp_pose_planner_t *self, uint64_t *budget)
{
    bool is_anew;
    const rp_status_t status = rp_guide_lead_see_ground(&self->lead, &is_anew, budget);
    if (is_anew) {
        self->kept.proved = 0;
        self->field_goal.cell = RP_NO_CELL;
        rp_goal_ends_forget(&self->ends);
        forget(self);
    }
    return status;
}

/// @param frees  set where the cell is an obstacle no more
static rp_status_t take_change(rp_pose_planner_t *self, rp_cell_t cell, bool *frees)
{
    bool was_blocked;
    bool blocks;
    const rp_status_t status =
        rp_guide_ground_note(&self->lead.ground, cell, &was_blocked, &blocks);
    *frees = *frees || (was_blocked && !blocks);
    rp_kept_path_note(&self->kept, cell, was_blocked, blocks);
    if (rp_goal_ends_note(&self->ends, rp_grid_x(self->grid, cell), rp_grid_y(self->grid, cell)) &&
        !blocks) {
        self->kept.is_known = false;
    }
    return status;
}

/// Before changes: a path that is shown may stand; a search under way ends.
static void prepare_kept(rp_pose_planner_t *self)
{
    if (self->stage == STAGE_KEEP) {
        return;
    }
    const bool is_shown = self->stage == STAGE_FOUND || self->stage == STAGE_DONE;
    self->kept_stage = self->stage;
    self->kept.is_known = self->kept.is_known && is_shown && !self->grid->weighted;
    self->stage = self->kept.is_known ? STAGE_KEEP : STAGE_NEW;
}

rp_status_t rp_pose_planner_apply(rp_pose_planner_t *self, const rp_change_t *changes, size_t count)
{
    rp_status_t status = RP_OK;
    for (size_t i = 0; i < count; i++) {
        if (!rp_grid_holds(self->grid, changes[i].cell)) {
            return RP_E_INVALID;
        }
    }
    bool frees = false;
    self->had_none = self->stage == STAGE_NEW
                         ? self->had_none
                         : self->stage == STAGE_DONE && self->outcome == RP_OUTCOME_NO_PATH;
    prepare_kept(self);
    for (size_t i = 0; i < count && status == RP_OK; i++) {
        status = take_change(self, changes[i].cell, &frees);
    }
    self->had_none = self->had_none && !frees;
    self->has_changed = self->has_changed || count != 0;
    self->has_freed = self->has_freed || frees;
    self->written.old.bound = frees ? 0 : self->written.old.bound;
    return status;
}

// ---- ends

rp_status_t rp_pose_planner_set_start(rp_pose_planner_t *self, rp_cell_t cell, double yaw)
{
    if (!rp_grid_holds(self->grid, cell) || !isfinite(yaw)) {
        return RP_E_INVALID;
    }
    self->start = cell;
    self->heading = rp_headings_nearest(&self->set->headings, yaw);
    const double off =
        rp_trig_turn(yaw - self->set->headings.angle[self->heading] + RP_LATTICE_YAW_SLACK);
    self->is_between = off > 2.0 * RP_LATTICE_YAW_SLACK;
    self->yaw = self->is_between ? rp_trig_turn(yaw) : self->set->headings.angle[self->heading];
    forget(self);
    return RP_OK;
}

rp_status_t rp_pose_planner_set_goal(rp_pose_planner_t *self, const rp_lattice_goal_t *goal)
{
    if (!rp_grid_holds(self->grid, goal->cell) || rp_goal_ends_set(&self->ends, goal) != RP_OK) {
        return RP_E_INVALID;
    }
    forget(self);
    return RP_OK;
}

rp_status_t rp_pose_planner_set_percent(rp_pose_planner_t *self, uint32_t percent)
{
    if (percent > RP_LATTICE_PERCENT_MOST) {
        return RP_E_INVALID;
    }
    self->percent = percent;
    forget(self);
    return RP_OK;
}

void rp_pose_planner_set_gear(rp_pose_planner_t *self, int32_t gear)
{
    self->first.gear = gear;
    forget(self);
}

void rp_pose_planner_set_escape(rp_pose_planner_t *self, double most)
{
    self->escape = most;
    forget(self);
}

void rp_pose_planner_set_simd(rp_pose_planner_t *self, rp_simd_t simd)
{
    self->search.simd = simd;
    forget(self);
}

// ---- plans

/// Mend the old path, if only obstacles came since it was found, and the start lies on it.
static void begin_mending(rp_pose_planner_t *self)
{
    uint32_t driven;
    self->mended.is_used = false;
    if (!self->first.is_used && self->set->states == self->set->headings.count &&
        rp_written_path_is_on_old(&self->written, start_pose(self), &driven)) {
        rp_mended_path_begin(&self->mended, self->percent, driven);
    }
}

static void begin_search(rp_pose_planner_t *self, uint32_t percent, uint32_t limit)
{
    const rp_cell_t goal = self->ends.goal.cell;
    rp_lattice_search_t *search = rp_mended_path_searching(&self->mended);
    search->rest = rp_goal_ends_has_heading(&self->ends) ? &self->ends.box.rest : NULL;
    rp_lattice_search_begin(search, rp_grid_x(self->grid, goal), rp_grid_y(self->grid, goal),
                            percent, limit);
    rp_written_path_lend_end(&self->written, search);
    rp_first_curves_begin_search(&self->first, search, self->heading);
    rp_written_path_lend_start(&self->written, search);
    search->known = self->mended.is_used ? 0 : search->known;
    self->kept.proved = self->mended.is_used ? self->kept.proved : 0;
}

/// See whether the path stands. Where something was freed, the field is made consistent first.
static rp_status_t try_keeping(rp_pose_planner_t *self, uint64_t *budget)
{
    if (!self->kept.is_known) {
        self->stage = STAGE_NEW;
        return RP_OK;
    }
    if (rp_kept_path_is_broken(&self->kept, &self->search, self->written.root,
                               self->written.children, self->written.child_count)) {
        self->kept.is_known = false;
        self->stage = STAGE_NEW;
        return RP_OK;
    }
    const bool may_fall = self->kept.has_news;
    rp_status_t status = may_fall && rp_guide_lead_is_behind(&self->lead)
                             ? rp_guide_lead_tell(&self->lead, budget)
                             : RP_OK;
    if (status == RP_OK && may_fall) {
        status = rp_guide_field_relax(&self->lead.field, self->search.field_most, budget);
    }
    if (status != RP_OK) {
        return status;
    }
    if (!rp_kept_path_holds(&self->kept, &self->search)) {
        self->stage = STAGE_NEW;
        return RP_OK;
    }
    const uint32_t least = self->cost - (self->cost < BUCKET ? self->cost : BUCKET);
    const uint32_t bound = (uint32_t)((uint64_t)least * 100u / (100u + self->kept.percent));
    self->stage = self->kept_stage;
    self->expanded = 0;
    self->has_freed = false;
    if (may_fall && self->stage == STAGE_FOUND && bound < self->bound) {
        self->bound = bound;
    }
    return RP_OK;
}

/// The start is the goal, and its yaw is fine: it may stay.
static rp_status_t stay(rp_pose_planner_t *self)
{
    const rp_lattice_pose_t at = start_pose(self);
    if (rp_written_path_stay(&self->written, &self->search, at.x, at.y, self->yaw) != RP_OK) {
        return RP_E_MEMORY;
    }
    self->cost = 0;
    self->bound = 0;
    self->outcome = RP_OUTCOME_FOUND;
    self->stage = STAGE_DONE;
    return RP_OK;
}

/// After changes the last path helps, wherever the start is now.
static rp_status_t take_old(rp_pose_planner_t *self)
{
    if (!self->has_changed || self->grid->weighted ||
        !rp_lattice_goal_is_same(&self->path_goal, &self->ends.goal)) {
        self->written.old.count = 0;
        return RP_OK;
    }
    return rp_written_path_remember(&self->written, &self->search,
                                    self->has_freed ? 0 : self->bound);
}

/// Nothing is known of a path: see whether there can be one, and bring the field up to date.
static rp_status_t begin_plan(rp_pose_planner_t *self)
{
    const rp_lattice_pose_t at = start_pose(self);
    rp_status_t status = take_old(self);
    self->kept.is_known = false;
    self->cost = RP_COST_INF;
    self->bound = RP_COST_INF;
    rp_written_path_clear(&self->written);
    self->expanded = 0;
    const bool can_start =
        rp_first_curves_can_rest(&self->search, at.x, at.y, self->yaw, JUDGING_MARGIN);
    const bool is_leaving = !can_start && self->escape > 0.0;
    self->had_none = self->had_none && is_leaving == self->is_leaving;
    self->is_leaving = is_leaving;
    self->first.is_used = self->is_between || self->is_leaving;
    self->outcome = !can_start && !self->is_leaving      ? RP_OUTCOME_START_BLOCKED
                    : !rp_goal_ends_is_open(&self->ends) ? RP_OUTCOME_GOAL_BLOCKED
                                                         : RP_OUTCOME_NO_PATH;
    self->stage = self->outcome == RP_OUTCOME_NO_PATH && !self->had_none ? STAGE_GOAL : STAGE_DONE;
    if (self->stage == STAGE_GOAL && !is_leaving && self->start == self->ends.goal.cell &&
        rp_goal_ends_accepts(&self->ends, self->yaw)) {
        status = status == RP_OK ? stay(self) : status;
    }
    return status;
}

/// A search is over: take its path, if it has a better one.
static rp_status_t end_search(rp_pose_planner_t *self)
{
    const rp_lattice_search_t *search = rp_mended_path_searching(&self->mended);
    const bool is_bounded = search->percent != 0;
    const rp_lattice_pose_t at = start_pose(self);
    rp_status_t status = RP_OK;
    self->expanded += search->counts.expanded;
    self->expanded += self->expanded == 0; // the start's pose, from which all was known
    self->bound = rp_mended_path_bound(&self->mended);
    if (search->has_path) {
        self->outcome = RP_OUTCOME_FOUND;
        status =
            rp_written_path_write(&self->written, search, &self->ends,
                                  self->first.is_used ? &self->first : NULL, at.x, at.y, self->yaw);
        self->cost = search->best - self->written.spare;
    } else if (self->outcome != RP_OUTCOME_FOUND) {
        self->is_cut_off = !self->is_leaving && !rp_goal_ends_has_heading(&self->ends) &&
                           self->lead.field.values[self->start] == RP_GUIDE_FIELD_NONE;
        self->bound = RP_COST_INF;
        status = search->is_dear ? RP_E_UNSUPPORTED : RP_OK;
    }
    rp_guide_field_mark(&self->lead.field, search->field_most);
    self->written.old.count = 0;
    self->path_goal = self->ends.goal;
    self->has_changed = false;
    self->has_freed = false;
    if (self->outcome == RP_OUTCOME_FOUND && self->written.is_whole) {
        rp_mended_path_keep(&self->mended, self->cost, at.x, at.y);
    }
    self->mended.is_used = false;
    const bool is_optimal = !is_bounded || self->outcome != RP_OUTCOME_FOUND;
    self->bound = is_optimal ? self->cost : self->bound;
    self->stage = status != RP_OK ? STAGE_NEW : is_optimal ? STAGE_DONE : STAGE_FOUND;
    return status;
}

/// Search on a field that is behind, for a while; then repair it and search anew. So, too, without
/// a path: whether cells lead to the goal is known from the repaired field only.
static rp_status_t search_hastily(rp_pose_planner_t *self, uint64_t *budget)
{
    const uint64_t slice = *budget < self->lead.hasty_left ? *budget : self->lead.hasty_left;
    uint64_t left = slice;
    const rp_status_t status = rp_mended_path_work(&self->mended, &left);
    const rp_lattice_search_t *search = rp_mended_path_searching(&self->mended);
    *budget -= slice - left;
    self->lead.hasty_left -= slice - left;
    const bool is_vain =
        status == RP_OK ? !search->has_path : status == RP_MORE && self->lead.hasty_left == 0;
    if (!is_vain) {
        return status;
    }
    self->expanded += search->counts.expanded;
    rp_guide_lead_calm(&self->lead);
    self->stage = STAGE_FIELD;
    return RP_OK;
}

/// See that the ways to the goal are right; the field hears of them.
static rp_status_t work_on_goal(rp_pose_planner_t *self, uint64_t *budget)
{
    const bool has_heading = rp_goal_ends_has_heading(&self->ends);
    const bool was_right = self->ends.is_right || !has_heading;
    const bool is_other = !rp_lattice_goal_is_same(&self->field_goal, &self->ends.goal);
    const rp_status_t status = rp_goal_ends_work(&self->ends, budget);
    if (status == RP_OK && (is_other || !was_right)) {
        size_t count = 0;
        const rp_guide_seed_t *seeds = has_heading ? rp_goal_ends_seeds(&self->ends, &count) : NULL;
        rp_guide_lead_aim(&self->lead, self->ends.goal.cell, seeds, count, is_other);
        self->field_goal = self->ends.goal;
    }
    return status;
}

/// One stage of a plan, as far as the budget goes. @return RP_MORE when it is spent
static rp_status_t step(rp_pose_planner_t *self, uint64_t *budget)
{
    uint32_t level;
    rp_lattice_pose_t at;
    rp_status_t status = RP_OK;
    switch (self->stage) {
    case STAGE_NEW:
        return begin_plan(self);
    case STAGE_KEEP:
        return try_keeping(self, budget);
    case STAGE_GOAL:
        status = work_on_goal(self, budget);
        if (status == RP_OK) {
            rp_guide_lead_choose(&self->lead);
            self->stage = STAGE_FIELD;
        }
        return status;
    case STAGE_FIELD:
        at = start_pose(self);
        rp_first_curves_begin(&self->first, &self->set->shape, at.x, at.y, self->yaw, false);
        self->first.leaves_within = self->is_leaving ? self->escape : 0.0;
        status = rp_guide_lead_see(&self->lead, self->start, &self->search.field_most, budget);
        self->stage = status == RP_OK ? STAGE_FIRST : STAGE_FIELD;
        return status;
    case STAGE_FIRST:
        if (self->first.is_used) {
            status = rp_first_curves_work(&self->first, &self->search, budget);
        }
        if (status == RP_OK && self->is_leaving && self->first.count == 0) {
            self->outcome = RP_OUTCOME_START_BLOCKED;
            self->stage = STAGE_DONE;
        } else if (status == RP_OK) {
            begin_mending(self);
            begin_search(self, self->percent, RP_LATTICE_COST_MOST);
            self->stage = STAGE_SEARCH;
        }
        return status;
    case STAGE_FOUND:
        status = work_on_goal(self, budget);
        if (status == RP_OK && rp_guide_lead_is_behind(&self->lead)) { // of what did not wait
            status = rp_guide_lead_tell(&self->lead, budget);
        }
        level = rp_lattice_search_level(&self->search, self->cost);
        if (status == RP_OK) {
            status = rp_guide_field_work_to(&self->lead.field, level, budget);
        }
        if (status == RP_OK) {
            self->search.field_most = level;
            self->mended.is_used = false;
            begin_search(self, 0, self->cost);
            self->stage = STAGE_EXACT;
        }
        return status;
    default:
        status = self->stage == STAGE_SEARCH && self->lead.is_hasty
                     ? search_hastily(self, budget)
                     : rp_mended_path_work(&self->mended, budget);
        return status == RP_OK && self->stage != STAGE_FIELD ? end_search(self) : status;
    }
}

static double length_of(const rp_pose_planner_t *self, uint32_t cost)
{
    const double unit = self->grid->weighted ? self->grid->shape.unit : 1.0;
    return cost == RP_COST_INF ? INFINITY : cost / (unit * RP_LATTICE_UNIT);
}

static void write_plan(const rp_pose_planner_t *self, rp_lattice_plan_t *plan)
{
    *plan = (rp_lattice_plan_t){
        .outcome = self->outcome,
        .cost = length_of(self, self->cost),
        .bound = length_of(self, self->bound),
        .is_optimal = self->stage == STAGE_DONE,
        .escape_count = self->is_leaving ? self->written.first_count : 0,
        .segments = self->written.segments,
        .segment_count = (uint32_t)self->written.segment_count,
        .end = {self->written.x, self->written.y, self->written.heading},
        .path = {self->written.cells, (uint32_t)self->written.cell_count},
        .expanded = self->expanded,
        .family =
            self->outcome == RP_OUTCOME_NO_PATH && self->is_cut_off ? 0 : self->set->headings.count,
    };
}

static rp_status_t plan_until(rp_pose_planner_t *self, stage_t stage, uint64_t *budget,
                              rp_lattice_plan_t *plan)
{
    rp_status_t status = RP_OK;
    if (self->start == RP_NO_CELL || self->ends.goal.cell == RP_NO_CELL) {
        return RP_E_INVALID;
    }
    status = see_ground(self, budget);
    while (self->stage != STAGE_DONE && self->stage != stage && status == RP_OK) {
        status = step(self, budget);
    }
    if (status == RP_OK) {
        write_plan(self, plan);
    }
    return status;
}

rp_status_t rp_pose_planner_plan(rp_pose_planner_t *self, uint64_t *budget, rp_lattice_plan_t *plan)
{
    return plan_until(self, STAGE_FOUND, budget, plan);
}

rp_status_t rp_pose_planner_improve(rp_pose_planner_t *self, uint64_t *budget,
                                    rp_lattice_plan_t *plan)
{
    return plan_until(self, STAGE_DONE, budget, plan);
}

rp_status_t rp_pose_planner_keep(rp_pose_planner_t *self, uint64_t *budget, rp_lattice_plan_t *plan)
{
    rp_status_t status = see_ground(self, budget);
    while ((self->stage == STAGE_KEEP || (self->stage == STAGE_NEW && self->had_none)) &&
           status == RP_OK) {
        status = step(self, budget);
    }
    const bool is_shown =
        self->stage == STAGE_FOUND || self->stage == STAGE_EXACT || self->stage == STAGE_DONE;
    if (status == RP_OK && is_shown) {
        write_plan(self, plan);
    }
    return status != RP_OK || is_shown ? status : RP_E_UNSUPPORTED;
}

uint64_t rp_pose_planner_bytes(const rp_pose_planner_t *self)
{
    return sizeof *self + rp_guide_lead_bytes(&self->lead) +
           self->kept.touched_capacity * sizeof *self->kept.touched +
           rp_lattice_search_bytes(&self->search) + rp_lattice_search_bytes(&self->mended.search) +
           rp_first_curves_bytes(&self->first) + rp_goal_ends_bytes(&self->ends) +
           rp_written_path_bytes(&self->written);
}

const rp_lattice_search_t *rp_pose_planner_searched(const rp_pose_planner_t *self)
{
    return &self->search;
}

// ---- birth and death

static rp_status_t init(rp_pose_planner_t *self)
{
    const uint32_t disc = (uint32_t)rp_lattice_shape_reach(&self->set->shape) + 2u;
    rp_status_t status = rp_guide_lead_init(
        &self->lead, self->grid, self->set->reach > disc ? self->set->reach : disc,
        rp_lattice_shape_inner(&self->set->shape), self->set->spread);
    return status != RP_OK
               ? status
               : rp_lattice_search_init(&self->search, self->set, self->grid,
                                        &self->lead.ground.obstacles, &self->lead.field);
}

rp_status_t rp_pose_planner_new(const rp_control_set_t *set, const rp_grid_t *grid,
                                rp_pose_planner_t **planner)
{
    if (set->builder != NULL) {
        return RP_E_INVALID;
    }
    rp_pose_planner_t *self = calloc(1, sizeof *self);
    if (self == NULL) {
        return RP_E_MEMORY;
    }
    self->set = set;
    self->grid = grid;
    self->percent = RP_LATTICE_PERCENT_DEFAULT;
    rp_goal_ends_init(&self->ends, &self->search);
    rp_mended_path_init(&self->mended, &self->kept, &self->search);
    self->field_goal.cell = RP_NO_CELL;
    const rp_status_t status = init(self);
    if (status != RP_OK) {
        rp_pose_planner_destroy(&self);
        return status;
    }
    *planner = self;
    return RP_OK;
}

void rp_pose_planner_destroy(rp_pose_planner_t **self)
{
    rp_pose_planner_t *planner = *self;
    if (planner == NULL) {
        return;
    }
    rp_lattice_search_fini(&planner->search);
    rp_mended_path_fini(&planner->mended);
    rp_guide_lead_fini(&planner->lead);
    rp_written_path_fini(&planner->written);
    rp_first_curves_fini(&planner->first);
    rp_goal_ends_fini(&planner->ends);
    rp_kept_path_fini(&planner->kept);
    free(planner);
    *self = NULL;
}
