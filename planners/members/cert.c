/// CERT: an exact field from the goal, and with it a certificate that the present path is optimal.
///
/// Ours; raising d after a search is from Adaptive A* ("Simple Optimization Techniques for A*-Based
/// Search", Sun, Yeoh, Chen, Koenig 2009, section 4.1). Guarantee: optimal. Cost of a change: a
/// look at the cell. A cell that was blocked off the path costs nothing more, nor does one that was
/// freed where no path of interest can pass (field/deferred_decreases.h). Any other freed
/// cell costs a look at its neighbours, and the cells that it makes cheaper; while d(start) remains
/// the cost of the path, the path stands. An obstacle that made the path dearer costs no search
/// when it goes again (field/undo_log.h). Bytes a cell: 16, 4 for each cell that the last
/// search closed, 4 for each that sleeps and 8 for each that was raised. Choose it for fixed ends,
/// or a walking start, and changes that are few at a time.
///
/// d is a consistent lower bound on the cost to the goal (field/field.h). Between changes
/// d(start) = cost of the path, so the path is optimal: that is the whole certificate. When the
/// path is cut but d(start) is what it was, another path of the same cost may lead round the cut.
/// All such paths go along steps on which g + d does not rise. So A* with h = d begins not at the
/// start but at the cells of the path just before the cut, and ends at one behind it. Only if that
/// fails does f rise. At the end each closed cell is raised, d := C - g (line 06' of figure 4
/// there), and the certificate holds again.
#include "planners/core/planner_ops.h"

#include "planners/field/field_core_check.h"
#include "planners/field/stale_values.h"
#include "planners/field/warm_cache.h"

// ---- state

/// A field reaches so many cell lengths beyond the cost of the path: a path that becomes dearer
/// does so by a few as a rule, and each takes as many cells as a good part of the path's own
/// ellipse.
#define SLACK 4u

/// Cells that may hear at once of what became cheaper, without a search.
#define AT_ONCE 32u

/// How many cells of the head are put into OPEN first; twice as many each time that is not enough.
#define HEAD_PORTION 8u

typedef struct cert {
    rp_field_core_t anchored; ///< rooted at the goal; its apex is the start
    rp_cell_t *closed;        ///< of this search, in the order closed [cells]
    uint32_t unseeded;        ///< head cells from this place on are not in OPEN yet
    uint32_t portion;         ///< of them that come next
    rp_cell_t stop;           ///< where it met the tail
    bool has_head;            ///< this search began at the head of the trail
    bool is_doubtful; ///< a batch did not let the path stand, and may have lowered the field;
                      ///< an update follows, or it is taken back first
    rp_warm_cache_t meeting; ///< what idle time has touched
} cert_t;

// ---- invariants

/// With an answer the certificate holds. What was freed and taken back may have lowered the field:
/// then the path is the best all the same, and the next update has the field raised again.
static bool cert_check(const void *state)
{
    const cert_t *self = state;
    const rp_field_core_t *anchored = &self->anchored;
    const bool has_answer =
        anchored->phase == RP_FIELD_CORE_DONE && anchored->answer != RP_FIELD_CORE_NO_PATH;
    const bool is_due = has_answer && !self->is_doubtful;
    return rp_field_core_check(anchored) && (!is_due || rp_field_core_is_certified(anchored));
}

// ---- search

static void cert_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    cert_t *self = state;
    (void)goal_count; // one: the capabilities do not offer more
    self->is_doubtful = false;
    rp_field_core_begin(&self->anchored, goals[0].cell, start, 0);
    rp_field_core_set_slack(&self->anchored, SLACK);
}

/// Put the next portion of the head into OPEN, farther from the cut than the last. A path of the
/// old cost that leaves the head there leaves it on steps that are as good as the head's own. Where
/// d has been raised above what the head promised, f is greater: such a cell waits until the search
/// comes to it.
static void put_portion(cert_t *self)
{
    rp_field_core_t *anchored = &self->anchored;
    rp_field_search_t *homing = &anchored->homing;
    const rp_path_cache_t *trail = &anchored->trail;
    const rp_cost_t whole = rp_path_cache_apex(trail).cost;
    for (uint32_t i = 0; i < self->portion && self->unseeded != trail->end; i++) {
        const rp_path_cache_step_t step = trail->steps[self->unseeded++];
        const rp_node_t *node = &homing->nodes[step.cell];
        const bool is_news = !rp_node_is_of(node, homing->search) || node->g > whole - step.cost;
        if (is_news && rp_field_at(&anchored->field, step.cell) == step.cost) {
            rp_field_search_put_root(homing, step.cell, whole - step.cost);
        }
    }
    self->portion *= 2u;
}

static void begin_search(cert_t *self)
{
    rp_field_core_t *anchored = &self->anchored;
    const rp_path_cache_t *trail = &anchored->trail;
    const rp_cell_t start = anchored->field.apex;
    rp_field_core_open(anchored);
    self->has_head = !rp_path_cache_is_intact(trail) && rp_path_cache_apex(trail).cell == start &&
                     rp_path_cache_apex(trail).cost == rp_field_at(&anchored->field, start);
    self->portion = HEAD_PORTION;
    if (self->has_head) {
        self->unseeded = trail->high + 1u;
        put_portion(self);
    } else {
        self->unseeded = trail->end;
        rp_field_search_put_root(&anchored->homing, start, 0);
    }
}

/// Lay the way that the search found between tail and head.
static void splice(cert_t *self, rp_cell_t stop, rp_cost_t cost)
{
    rp_field_core_t *anchored = &self->anchored;
    const rp_grid_t *grid = anchored->field.grid;
    const rp_node_t *nodes = anchored->homing.nodes;
    rp_path_cache_t *trail = &anchored->trail;
    rp_cell_t root = stop;
    uint32_t count = 0;
    while ((nodes[root].mark & RP_NODE_ROOT) == 0) {
        root = rp_grid_step(grid, root, nodes[root].mark & RP_NODE_DIRECTION);
        count++;
    }
    const uint32_t tail = rp_path_cache_place(trail, stop);
    uint32_t head = RP_PATH_CACHE_NONE;
    if (self->has_head) {
        head = rp_path_cache_place(trail, root);
        rp_undo_log_end_way(&anchored->raises, trail, tail, head);
        count--;
        const rp_cost_t dearer = cost - rp_path_cache_apex(trail).cost;
        for (uint32_t place = head; dearer != 0 && place < trail->end; place++) {
            trail->steps[place].cost += dearer;
        }
    } else {
        rp_undo_log_end(&anchored->raises);
    }
    const uint32_t gap = rp_path_cache_splice(trail, tail, count, head);
    rp_cell_t cell = stop;
    for (uint32_t place = gap; place < gap + count; place++) {
        cell = rp_grid_step(grid, cell, nodes[cell].mark & RP_NODE_DIRECTION);
        rp_path_cache_fill(trail, place, cell, cost - nodes[cell].g);
    }
}

/// Cost of the path, once the search has met the tail of the old one.
static rp_cost_t cost_of_met(const cert_t *self)
{
    const rp_field_core_t *anchored = &self->anchored;
    return anchored->homing.nodes[self->stop].g + rp_field_at(&anchored->field, self->stop);
}

/// The search met the tail.
/// @return false when the budget was spent first
static bool finish(cert_t *self, uint64_t *budget)
{
    rp_field_core_t *anchored = &self->anchored;
    const rp_cost_t cost = cost_of_met(self);
    if (!rp_field_core_raise(anchored, self->closed, cost, budget)) {
        return false;
    }
    if (rp_field_core_is_certified(anchored)) { // what seemed cheaper is not
        rp_undo_log_end(&anchored->raises);
        rp_field_core_answer(anchored, RP_FIELD_CORE_KEPT);
        return true;
    }
    splice(self, self->stop, cost);
    rp_field_core_answer(anchored, RP_FIELD_CORE_NEW);
    return true;
}

/// @return false when the budget was spent first
static bool search(cert_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_field_core_t *anchored = &self->anchored;
    rp_field_search_t *homing = &anchored->homing;
    while (anchored->phase == RP_FIELD_CORE_SEARCH) {
        // The head has f of the old path, and nothing has less: no stale entry hides there.
        if (self->unseeded != anchored->trail.end &&
            rp_field_search_least(homing) > rp_path_cache_apex(&anchored->trail).cost) {
            put_portion(self);
            continue;
        }
        if (*budget == 0) {
            return false;
        }
        const rp_cell_t cell = rp_field_core_close(anchored, budget, stats);
        if (cell == RP_NO_CELL) {
            continue;
        }
        self->closed[homing->closed_count - 1u] = cell;
        if (rp_field_core_joins(anchored, cell)) {
            self->stop = cell;
            anchored->phase = RP_FIELD_CORE_RAISE;
            break;
        }
        rp_field_core_expand(anchored, cell, budget, stats);
    }
    return anchored->phase != RP_FIELD_CORE_RAISE || finish(self, budget);
}

static rp_status_t cert_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    cert_t *self = state;
    rp_field_core_t *anchored = &self->anchored;
    while (anchored->phase != RP_FIELD_CORE_DONE) {
        if (!rp_field_core_prepare(anchored, budget, stats)) {
            return RP_MORE;
        }
        if (anchored->phase == RP_FIELD_CORE_READY) {
            begin_search(self);
        }
        if (!search(self, budget, stats)) {
            return RP_MORE;
        }
    }
    return RP_OK;
}

// ---- changes

/// Finish raising although the answer is not asked for any more: d is consistent only when all
/// cells were raised, or none.
static void raise_rest(cert_t *self)
{
    uint64_t budget = UINT64_MAX;
    if (self->anchored.phase == RP_FIELD_CORE_RAISE) {
        (void)rp_field_core_raise(&self->anchored, self->closed, cost_of_met(self), &budget);
        rp_undo_log_end(&self->anchored.raises);
    }
}

/// Where what was raised for an obstacle is taken back, as that is gone, the path goes its former
/// way.
static void take_in(rp_field_core_t *anchored, const rp_change_t *changes, size_t count)
{
    rp_undo_log_t *raises = &anchored->raises;
    rp_path_cache_apply(&anchored->trail, changes, count);
    rp_disconnection_apply(&anchored->cut, anchored->grid, changes, count);
    rp_deferred_decreases_add_far(&anchored->sleepers, &anchored->field, changes, count);
    rp_undo_log_note_cheaper(raises, &anchored->sleepers, changes, count);
    while (rp_undo_log_can_take_back(raises, anchored->grid, &anchored->homing.metric)) {
        changes = rp_undo_log_restore(raises, &anchored->field, &count);
        if (rp_undo_log_lead_back(raises, &anchored->trail)) {
            anchored->answer = RP_FIELD_CORE_NEW;
        }
        rp_undo_log_drop_last(raises);
    }
    rp_deferred_decreases_apply(&anchored->sleepers, &anchored->field, changes, count);
}

static bool cert_update(void *state, const rp_update_t *update)
{
    cert_t *self = state;
    rp_field_core_t *anchored = &self->anchored;
    self->is_doubtful = false;
    raise_rest(self);
    rp_field_prefetch_first(&anchored->field, update->changes, update->change_count);
    if (!rp_field_core_aim(anchored, update->start)) {
        return false;
    }
    take_in(anchored, update->changes, update->change_count);
    return true;
}

/// The field takes in what became cheaper, which does not fit in, where few cells hear of it.
/// @return false when they are more, or the path is not the best now
static bool settles_at_once(rp_field_core_t *anchored, const rp_change_t *changes, size_t count)
{
    uint64_t budget = AT_ONCE;
    rp_search_stats_t unsaid = {0};
    rp_deferred_decreases_apply(&anchored->sleepers, &anchored->field, changes, count);
    return rp_field_settle(&anchored->field, &budget, &unsaid) &&
           rp_field_core_is_certified(anchored);
}

/// Let what became cheaper sleep, or see that the field needs no look at it, or a short one. None
/// is taken where the batch also shuts a way: if the path does not stand, and that way opens again
/// before a plan is asked for, nobody is told, and what was lowered beside it did not tell it.
static bool cheaper_stand(rp_field_core_t *anchored, const rp_change_t *changes, size_t count,
                          const rp_extent_t *site)
{
    const rp_field_t *field = &anchored->field;
    if (rp_deferred_decreases_suit_all(field, site)) {
        rp_deferred_decreases_add_cheaper(&anchored->sleepers, changes, count, site);
        return true;
    }
    const bool are_near = rp_deferred_decreases_suit_none(field, site);
    bool are_news = false;
    bool has_dearer = false;
    if (rp_extent_is_small(site)) {
        rp_field_prefetch_site(field, site);
    }
    for (size_t i = 0; i < count; i++) {
        if (!rp_change_is_cheaper(&changes[i])) {
            has_dearer |= changes[i].before != changes[i].after;
            continue;
        }
        if (!are_near && rp_deferred_decreases_suit(field, changes[i].cell)) {
            rp_deferred_decreases_add(&anchored->sleepers, changes[i].cell);
        } else {
            are_news |= !rp_stale_values_agrees(field, changes[i].cell);
        }
    }
    rp_undo_log_note_cheaper(&anchored->raises, &anchored->sleepers, changes, count);
    return !are_news || (!has_dearer && settles_at_once(anchored, changes, count));
}

/// The path stands when no change meets it and what became cheaper is too far away.
static bool path_stands(rp_field_core_t *anchored, const rp_change_t *changes, size_t count,
                        const rp_batch_summary_t *gist)
{
    if (gist->has_cheaper) {
        rp_deferred_decreases_prefetch(&anchored->sleepers, changes[0].cell);
        rp_deferred_decreases_prefetch(&anchored->sleepers, changes[count - 1u].cell);
    }
    const bool may_meet = rp_path_cache_may_meet(&anchored->trail, &gist->site);
    for (size_t i = 0; may_meet && i < count; i++) {
        if (rp_path_cache_is_hit(&anchored->trail, &changes[i])) {
            return false;
        }
    }
    if (gist->has_cheaper && !cheaper_stand(anchored, changes, count, &gist->site)) {
        return false;
    }
    anchored->cut.state = RP_DISCONNECTION_NONE;
    return true;
}

/// True when it is still proven that there is no path: nothing was freed beside the cells that are
/// cut off. The field is not needed then.
static bool cut_stands(rp_field_core_t *anchored, const rp_change_t *changes, size_t count)
{
    const rp_disconnection_t *cut = &anchored->cut;
    if (!rp_disconnection_parts(cut, anchored->field.apex, anchored->foot)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const rp_cell_t cell = changes[i].cell;
        if (rp_path_cache_is_hit(&anchored->trail, &changes[i]) || cell == anchored->field.apex ||
            (changes[i].before == 0 && rp_disconnection_is_beside(cut, anchored->grid, cell))) {
            return false;
        }
        if (rp_change_is_cheaper(&changes[i])) {
            rp_deferred_decreases_add(&anchored->sleepers, cell);
            anchored->sleepers.are_near = true;
        }
    }
    return true;
}

static bool cert_stands(void *state, const rp_change_t *changes, size_t count,
                        const rp_batch_summary_t *gist)
{
    cert_t *self = state;
    rp_field_core_t *anchored = &self->anchored;
    if (!self->is_doubtful) {
        self->is_doubtful = anchored->answer == RP_FIELD_CORE_NO_PATH
                                ? !cut_stands(anchored, changes, count)
                                : !path_stands(anchored, changes, count, gist);
    }
    return !self->is_doubtful;
}

// ---- idle time

/// Meet the memory that repairs would meet one by one, and read the grid.
static rp_status_t cert_idle(void *state, uint64_t *budget)
{
    cert_t *self = state;
    const uint32_t cells = self->anchored.grid->cell_count;
    if (self->meeting.met == 0) {
        rp_memory_prefault(self->closed, cells, sizeof *self->closed, 0, 1);
    }
    return rp_warm_cache_go_on(&self->meeting, &self->anchored, NULL, 0, budget);
}

static void cert_warm(const void *state)
{
    const cert_t *self = state;
    rp_field_core_warm(&self->anchored);
    rp_memory_warm(self->closed, sizeof *self->closed);
}

// ---- path

static uint32_t cert_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const cert_t *self = state;
    return rp_field_core_path(&self->anchored, rp_path_cache_write_from_apex, cells, stands);
}

// ---- birth and death

static void cert_unbind(void *state, rp_deferred_free_t *deferred_free)
{
    cert_t *self = state;
    if (self->anchored.grid == NULL) {
        return;
    }
    rp_memory_free(self->closed, self->anchored.grid->cell_count, sizeof *self->closed,
                   deferred_free);
    rp_field_core_fini(&self->anchored, deferred_free);
}

static rp_status_t cert_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options)
{
    cert_t *self = state;
    (void)options; // none concerns this planner
    const rp_status_t status = rp_field_core_init(&self->anchored, grid, grid, 0);
    if (status != RP_OK) {
        return status;
    }
    self->closed = rp_memory_new(grid->cell_count, sizeof *self->closed);
    if (self->closed == NULL ||
        rp_deferred_decreases_init(&self->anchored.sleepers, grid) != RP_OK ||
        rp_undo_log_init(&self->anchored.raises, grid) != RP_OK) {
        cert_unbind(self, NULL);
        return RP_E_MEMORY;
    }
    return RP_OK;
}

static uint64_t cert_bytes(const void *state)
{
    const cert_t *self = state;
    return rp_field_core_bytes(&self->anchored) +
           rp_field_search_closed_most(&self->anchored.homing) * sizeof *self->closed;
}

const rp_planner_ops_t RP_MEMBER(cert) = {
    .info =
        {
            .id = "cert",
            .paper = "ours: anchored field, certificate, repair on the plateau",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_NO_PATH |
                            RP_CAN_EVERY_GRID | RP_CAN_IDLE,
            .bytes_per_cell = RP_FIELD_CORE_BYTES,
        },
    .state_bytes = sizeof(cert_t),
    .bind = cert_bind,
    .unbind = cert_unbind,
    .begin = cert_begin,
    .update = cert_update,
    .stands = cert_stands,
    .search = cert_search,
    .idle = cert_idle,
    .warm = cert_warm,
    .path = cert_path,
    .bytes = cert_bytes,
    .check = cert_check,
};
