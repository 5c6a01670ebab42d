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
/// start but at the cells of the path just before the cut, and ends at one behind it.
/// Only if that fails does f rise. At the end each closed cell is raised, d := C - g (line 06' of
/// figure 4 there), and the certificate holds again.
#include "planners/core/planner_ops.h"

#include "base/budget.h"
#include "planners/field/field_core_check.h"
#include "planners/field/stale_values.h"

// ---- state

/// A field reaches so many cell lengths beyond the cost of the path: a path that becomes dearer
/// does so by a few as a rule, and each takes as many cells as a good part of the path's own
/// ellipse.
#define SLACK 4u

/// Cells that may hear at once of what became cheaper, without a search.
#define AT_ONCE 32u

/// How many cells of the head are put into OPEN first; twice as many each time that is not enough.
#define HEAD_PORTION 8u

/// What idle time has touched.
typedef struct warm_cache {
    uint32_t met;   ///< places of which the memory was touched, from the first on
    uint32_t read;  ///< places of which the grid was read since the field was built
    uint32_t build; ///< the number of that build
} warm_cache_t;

typedef struct cert {
    rp_field_core_t core; ///< first; rooted at the goal; its apex is the start
    uint32_t unseeded;    ///< head cells from this place on are not in OPEN yet
    uint32_t portion;     ///< of them that come next
    bool has_head;        ///< this search began at the head of the cached path
    bool is_doubtful;     ///< a batch did not let the path stand, and may have lowered the field;
                          ///< an update follows, or it is taken back first
    warm_cache_t warm_cache;
} cert_t;

// ---- invariants

/// With an answer the certificate holds. What was freed and taken back may have lowered the field:
/// then the path is the best all the same, and the next update has the field raised again.
static bool cert_check(const void *state)
{
    const cert_t *self = state;
    const rp_field_core_t *core = &self->core;
    const bool has_answer =
        core->phase == RP_FIELD_CORE_DONE && core->answer != RP_FIELD_CORE_NO_PATH;
    const bool is_due = has_answer && !self->is_doubtful;
    return rp_field_core_check(core) && (!is_due || rp_field_core_is_certified(core));
}

// ---- search

static void cert_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    cert_t *self = state;
    (void)goal_count; // one: the capabilities do not offer more
    self->is_doubtful = false;
    rp_field_core_begin(&self->core, goals[0].cell, start, 0);
    rp_field_core_set_slack(&self->core, SLACK);
}

/// Put the next portion of the head into OPEN, farther from the cut than the last. A path of the
/// old cost that leaves the head there leaves it on steps that are as good as the head's own. Where
/// d has been raised above what the head promised, f is greater: such a cell waits until the search
/// comes to it.
static void put_portion(cert_t *self)
{
    rp_field_core_t *core = &self->core;
    rp_field_search_t *field_search = &core->field_search;
    const rp_path_cache_t *path_cache = &core->path_cache;
    const rp_cost_t whole = rp_path_cache_apex(path_cache).cost;
    for (uint32_t i = 0; i < self->portion && self->unseeded != path_cache->end; i++) {
        const rp_path_cache_step_t step = path_cache->steps[self->unseeded++];
        const rp_node_t *node = &field_search->nodes[step.cell];
        const bool is_news =
            !rp_node_is_of(node, field_search->search) || node->g > whole - step.cost;
        if (is_news && rp_field_at(&core->field, step.cell) == step.cost) {
            rp_field_search_put_root(field_search, step.cell, whole - step.cost);
        }
    }
    self->portion *= 2u;
}

static void begin_search(cert_t *self)
{
    rp_field_core_t *core = &self->core;
    const rp_path_cache_t *path_cache = &core->path_cache;
    const rp_cell_t start = core->field.apex;
    rp_field_core_open(core);
    self->has_head = !rp_path_cache_is_intact(path_cache) &&
                     rp_path_cache_apex(path_cache).cell == start &&
                     rp_path_cache_apex(path_cache).cost == rp_field_at(&core->field, start);
    self->portion = HEAD_PORTION;
    if (self->has_head) {
        self->unseeded = path_cache->high + 1u;
        put_portion(self);
    } else {
        self->unseeded = path_cache->end;
        rp_field_search_put_root(&core->field_search, start, 0);
    }
}

/// Lay the way that the search found between tail and head.
static void splice(cert_t *self, rp_cell_t stop, rp_cost_t cost)
{
    rp_field_core_t *core = &self->core;
    const rp_grid_t *grid = core->field.grid;
    const rp_node_t *nodes = core->field_search.nodes;
    rp_path_cache_t *path_cache = &core->path_cache;
    rp_cell_t root = stop;
    uint32_t count = 0;
    while ((nodes[root].mark & RP_NODE_ROOT) == 0) {
        root = rp_grid_step(grid, root, nodes[root].mark & RP_NODE_DIRECTION);
        count++;
    }
    const uint32_t tail = rp_path_cache_place(path_cache, stop);
    uint32_t head = RP_PATH_CACHE_NONE;
    if (self->has_head) {
        head = rp_path_cache_place(path_cache, root);
        rp_undo_log_end_way(&core->undo_log, path_cache, tail, head);
        count--;
        const rp_cost_t dearer = cost - rp_path_cache_apex(path_cache).cost;
        for (uint32_t place = head; dearer != 0 && place < path_cache->end; place++) {
            path_cache->steps[place].cost += dearer;
        }
    } else {
        rp_undo_log_end(&core->undo_log);
    }
    const uint32_t gap = rp_path_cache_splice(path_cache, tail, count, head);
    rp_cell_t cell = stop;
    for (uint32_t place = gap; place < gap + count; place++) {
        cell = rp_grid_step(grid, cell, nodes[cell].mark & RP_NODE_DIRECTION);
        rp_path_cache_fill(path_cache, place, cell, cost - nodes[cell].g);
    }
}

/// The search met the tail.
/// @return false when the budget was spent first
static bool finish(cert_t *self, uint64_t *budget)
{
    rp_field_core_t *core = &self->core;
    if (!rp_field_core_raise(core, budget)) {
        return false;
    }
    if (rp_field_core_is_certified(core)) { // what seemed cheaper is not
        rp_undo_log_end(&core->undo_log);
        rp_field_core_answer(core, RP_FIELD_CORE_KEPT);
        return true;
    }
    splice(self, core->stop, rp_field_core_met(core));
    rp_field_core_answer(core, RP_FIELD_CORE_NEW);
    return true;
}

/// @return false when the budget was spent first
static bool search(cert_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_field_core_t *core = &self->core;
    rp_field_search_t *field_search = &core->field_search;
    while (core->phase == RP_FIELD_CORE_SEARCH) {
        // The head has f of the old path, and nothing has less: no stale entry hides there.
        if (self->unseeded != core->path_cache.end &&
            rp_field_search_least(field_search) > rp_path_cache_apex(&core->path_cache).cost) {
            put_portion(self);
            continue;
        }
        if (*budget == 0) {
            return false;
        }
        const rp_cell_t cell = rp_field_core_close(core, budget, stats);
        if (cell == RP_NO_CELL) {
            continue;
        }
        if (rp_field_core_meets(core, cell)) {
            break;
        }
        rp_field_core_expand(core, cell, budget, stats);
    }
    return core->phase != RP_FIELD_CORE_RAISE || finish(self, budget);
}

static rp_status_t cert_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    cert_t *self = state;
    rp_field_core_t *core = &self->core;
    while (core->phase != RP_FIELD_CORE_DONE) {
        if (!rp_field_core_prepare(core, budget, stats)) {
            return RP_MORE;
        }
        if (core->phase == RP_FIELD_CORE_READY) {
            begin_search(self);
        }
        if (!search(self, budget, stats)) {
            return RP_MORE;
        }
    }
    return RP_OK;
}

// ---- changes

/// Where what was raised for an obstacle is taken back, as that is gone, the path goes its former
/// way.
static void take_in(rp_field_core_t *core, const rp_change_t *changes, size_t count)
{
    rp_undo_log_t *undo_log = &core->undo_log;
    rp_path_cache_apply(&core->path_cache, changes, count);
    rp_disconnection_apply(&core->disconnection, core->grid, changes, count);
    rp_deferred_decreases_add_far(&core->deferred, &core->field, changes, count);
    rp_undo_log_note_cheaper(undo_log, &core->deferred, changes, count);
    while (rp_undo_log_can_take_back(undo_log, core->grid, &core->field_search.metric)) {
        changes = rp_undo_log_restore(undo_log, &core->field, &count);
        if (rp_undo_log_lead_back(undo_log, &core->path_cache)) {
            core->answer = RP_FIELD_CORE_NEW;
        }
        rp_undo_log_drop_last(undo_log);
    }
    rp_deferred_decreases_apply(&core->deferred, &core->field, changes, count);
}

/// The first growth goes on as if nothing had happened: what was blocked leaves d a bound, and what
/// became cheaper is taken in when the growth is over.
static void let_grow(rp_field_core_t *core, const rp_change_t *changes, size_t count)
{
    rp_path_cache_apply(&core->path_cache, changes, count);
    rp_deferred_decreases_add_cheaper(&core->deferred, changes, count);
    core->deferred.are_near = core->deferred.count != 0;
}

static bool cert_update(void *state, const rp_update_t *update)
{
    cert_t *self = state;
    rp_field_core_t *core = &self->core;
    self->is_doubtful = false;
    if (rp_wavefront_is_rolling(&core->wavefront) && update->start == core->field.apex) {
        let_grow(core, update->changes, update->change_count);
        return true;
    }
    rp_field_core_raise_rest(core);
    rp_field_prefetch_first(&core->field, update->changes, update->change_count);
    if (!rp_field_core_aim(core, update->start)) {
        return false;
    }
    take_in(core, update->changes, update->change_count);
    return true;
}

/// The field takes in what became cheaper, which does not fit in, where few cells hear of it.
/// @return false when they are more, or the path is not the best now
static bool settles_at_once(rp_field_core_t *core, const rp_change_t *changes, size_t count)
{
    uint64_t budget = AT_ONCE;
    rp_search_stats_t uncounted = {0};
    rp_deferred_decreases_apply(&core->deferred, &core->field, changes, count);
    return rp_field_settle(&core->field, &budget, &uncounted) && rp_field_core_is_certified(core);
}

/// Let what became cheaper sleep, or see that the field needs no look at it, or a short one. None
/// is taken where the batch also shuts a way: if the path does not stand, and that way opens again
/// before a plan is asked for, nobody is told, and what was lowered beside it did not tell it.
static bool cheaper_stand(rp_field_core_t *core, const rp_change_t *changes, size_t count,
                          const rp_extent_t *extent)
{
    const rp_field_t *field = &core->field;
    if (rp_deferred_decreases_suit_all(field, extent)) {
        rp_deferred_decreases_add_cheaper(&core->deferred, changes, count);
        return true;
    }
    const bool are_near = rp_deferred_decreases_suit_none(field, extent);
    bool are_news = false;
    bool has_dearer = false;
    if (rp_extent_is_small(extent)) {
        rp_field_prefetch_site(field, extent);
    }
    for (size_t i = 0; i < count; i++) {
        if (!rp_change_is_cheaper(&changes[i])) {
            has_dearer |= changes[i].before != changes[i].after;
            continue;
        }
        if (!are_near && rp_deferred_decreases_suit(field, changes[i].cell)) {
            rp_deferred_decreases_add(&core->deferred, changes[i].cell);
        } else {
            are_news |= !rp_stale_values_agrees(field, changes[i].cell);
        }
    }
    rp_undo_log_note_cheaper(&core->undo_log, &core->deferred, changes, count);
    return !are_news || (!has_dearer && settles_at_once(core, changes, count));
}

/// The path stands when no change meets it and what became cheaper is too far away.
static bool path_stands(rp_field_core_t *core, const rp_change_t *changes, size_t count,
                        const rp_batch_summary_t *summary)
{
    if (summary->has_cheaper) {
        rp_deferred_decreases_prefetch(&core->deferred, changes[0].cell);
        rp_deferred_decreases_prefetch(&core->deferred, changes[count - 1u].cell);
    }
    const bool may_meet = rp_path_cache_may_meet(&core->path_cache, &summary->extent);
    for (size_t i = 0; may_meet && i < count; i++) {
        if (rp_path_cache_is_hit(&core->path_cache, &changes[i])) {
            return false;
        }
    }
    if (summary->has_cheaper && !cheaper_stand(core, changes, count, &summary->extent)) {
        return false;
    }
    core->disconnection.state = RP_DISCONNECTION_NONE;
    return true;
}

/// True when it is still proven that there is no path: nothing was freed beside the cells that are
/// cut off. The field is not needed then.
static bool cut_stands(rp_field_core_t *core, const rp_change_t *changes, size_t count)
{
    const rp_disconnection_t *disconnection = &core->disconnection;
    if (!rp_disconnection_parts(disconnection, core->field.apex, core->foot)) {
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        const rp_cell_t cell = changes[i].cell;
        if (rp_path_cache_is_hit(&core->path_cache, &changes[i]) || cell == core->field.apex ||
            (changes[i].before == 0 &&
             rp_disconnection_is_beside(disconnection, core->grid, cell))) {
            return false;
        }
        if (rp_change_is_cheaper(&changes[i])) {
            rp_deferred_decreases_add(&core->deferred, cell);
            core->deferred.are_near = true;
        }
    }
    return true;
}

static bool cert_stands(void *state, const rp_change_t *changes, size_t count,
                        const rp_batch_summary_t *summary)
{
    cert_t *self = state;
    rp_field_core_t *core = &self->core;
    if (!self->is_doubtful) {
        self->is_doubtful = core->answer == RP_FIELD_CORE_NO_PATH
                                ? !cut_stands(core, changes, count)
                                : !path_stands(core, changes, count, summary);
    }
    return !self->is_doubtful;
}

// ---- idle time

/// Places whose memory is touched between two looks at the budget, and in the time of an expansion.
#define TOUCHED_AT_ONCE (1u << 13)
#define TOUCHED_EACH    64u

/// Places that are read between two looks at the budget.
#define READ_AT_ONCE (1u << 15)

/// A line of the caches, in cells of the grid; so many are read in the time of an expansion.
#define LINE       64u
#define LINES_EACH 4u

/// The grid and the bits of more cells than these would not stay in the caches.
#define READ_MOST ((uint32_t)1 << 21)

/// So many deferred decreases have their memory met.
#define TOUCHED_DECREASES 4096u

/// Touch the beginning of lists of which only that is used as a rule.
static void touch_lists(rp_field_core_t *core)
{
    rp_deferred_decreases_t *deferred = &core->deferred;
    rp_heap_prefault(&core->field.lowered);
    rp_undo_log_prefault(&core->undo_log);
    if (deferred->capacity > TOUCHED_DECREASES) {
        rp_memory_prefault(deferred->cells, deferred->capacity, sizeof *deferred->cells, 0,
                           TOUCHED_DECREASES);
        rp_memory_touch(deferred->cells, TOUCHED_DECREASES * sizeof *deferred->cells);
    }
}

/// Go on touching memory, in the order of places.
/// @return false when the budget was spent first
static bool touch_memory(warm_cache_t *self, rp_field_core_t *core, uint64_t *budget)
{
    const uint32_t cells = core->grid->cell_count;
    const bool is_huge = self->met == cells || rp_memory_is_huge(cells, sizeof(rp_node_t));
    while (self->met < cells) {
        if (*budget == 0) {
            return false;
        }
        if (self->met == 0) {
            touch_lists(core);
        }
        const uint32_t left = cells - self->met;
        const uint32_t end = self->met + (left < TOUCHED_AT_ONCE ? left : TOUCHED_AT_ONCE);
        rp_prefault_ahead(&core->field_search.prefault, core->field_search.nodes, self->met, end);
        rp_prefault_ahead(&core->field.prefault, core->field.nodes, self->met, end);
        if (!is_huge) { // page by page
            const size_t bytes = (end - self->met) * sizeof(rp_node_t);
            rp_memory_touch(core->field_search.nodes + self->met, bytes);
            rp_memory_touch(core->field.nodes + self->met, bytes);
        }
        rp_budget_pay(budget, (end - self->met) / TOUCHED_EACH + 1u);
        self->met = end;
    }
    return true;
}

/// Read what stands in some places of the grid; the search's bits are written, too, as their pages
/// may be fresh.
static void read_lines(const rp_field_core_t *core, uint32_t place, uint32_t end)
{
    const volatile uint8_t *factors = core->grid->factor;
    const volatile uint8_t *moves = core->grid->moves;
    volatile uint8_t *path_cache = core->path_cache.bits;
    volatile uint8_t *deferred = core->deferred.bits;
    for (; place < end; place += LINE) {
        (void)factors[place];
        (void)moves[place];
        path_cache[place / 8u] = path_cache[place / 8u];
        if (deferred != NULL) {
            deferred[place / 8u] = deferred[place / 8u];
        }
    }
}

/// Go on reading the grid, if the field was built since it was read last.
/// @return false when the budget was spent first
static bool read_grid(warm_cache_t *self, const rp_field_core_t *core, uint64_t *budget)
{
    const uint32_t cells = core->grid->cell_count;
    if (self->build != core->field.build) {
        self->build = core->field.build;
        self->read = cells <= READ_MOST ? 0 : cells;
    }
    while (self->read < cells) {
        if (*budget == 0) {
            return false;
        }
        const uint32_t left = cells - self->read;
        const uint32_t end = self->read + (left < READ_AT_ONCE ? left : READ_AT_ONCE);
        read_lines(core, self->read, end);
        rp_budget_pay(budget, (end - self->read) / (LINE * LINES_EACH) + 1u);
        self->read = end;
    }
    return true;
}

/// Searches touch pages all over the grid, and each first touch is a page fault, while somebody
/// waits for the answer: they are touched here. Building the field has driven the grid out of the
/// caches. So after each build the grid is read through, and with it the bits that each batch asks
/// for: most updates take longer to fetch what stands round the changed cells than for anything
/// else.
static rp_status_t cert_idle(void *state, uint64_t *budget)
{
    cert_t *self = state;
    const uint32_t cells = self->core.grid->cell_count;
    if (self->warm_cache.met == 0) {
        rp_memory_prefault(self->core.closed, cells, sizeof *self->core.closed, 0, 1);
    }
    return touch_memory(&self->warm_cache, &self->core, budget) &&
                   read_grid(&self->warm_cache, &self->core, budget)
               ? RP_OK
               : RP_MORE;
}

// ---- birth and death

static void cert_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                      rp_arena_t *arena)
{
    cert_t *self = state;
    (void)options; // none concerns this planner
    rp_field_core_init(&self->core, grid, grid, 0, arena);
    rp_field_core_take_closed(&self->core, arena);
    rp_deferred_decreases_init(&self->core.deferred, grid, arena);
    rp_undo_log_init(&self->core.undo_log, grid, arena);
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
    .begin = cert_begin,
    .update = cert_update,
    .stands = cert_stands,
    .search = cert_search,
    .idle = cert_idle,
    .path = rp_field_core_path_from_apex,
    .check = cert_check,
};
