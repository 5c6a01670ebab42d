/// AUTO: the planner that chooses a planner, for each update anew.
///
/// Ours. Guarantee: optimal. Cost of a change: about that of the member that suits it. Bytes a
/// cell: those of the members that were used. Choose it unless you know better: it is the default
/// of the daemon and of the tools.
///
/// Several members, each bound to the same grid:
///
///     scratch   starts over each time, as fast as this ground allows: the first path, big batches,
///               ends that jump
///     stay      repairs while both ends stay
///     near goal repairs, too, and searches from the goal: for changes round it
///     walk      repairs for a start that walks
///     chase     repairs for a goal that walks
///     sets      the one that knows several goals
///
/// A member gets its memory when it begins for the first time; most never do.
///
/// On weighted ground no search from scratch is much faster than making the repair for a walking
/// start ready, and on a torus none is much faster than making the one for a fleeing goal ready.
/// There that member makes the first plan. On large weighted ground it would take seconds, so there
/// the search from scratch answers first.
///
/// After that a path may prove itself (portfolio/certificate.h), also when the start has
/// only walked on along it: then no member has to work. Otherwise the choice is made by counters
/// (choice.h).
///
/// In idle time another member is made ready (warmup.h), which takes the next update; where nothing
/// is made ready P4 takes up to 3.6 times as long. In idle time the search from scratch is also
/// told what happened since it worked last. So a repair that turns out to be dearer than a search
/// from scratch can be given up half-way; it ends its search in the next idle time (batches of
/// footprints with 4 neighbours take two thirds of what they take without).
#include "planners/core/planner_ops.h"

#include "planners/portfolio/auto_idle.h"
#include "planners/portfolio/certificate.h"
#include "planners/portfolio/choice.h"
#include "planners/portfolio/late_changes.h"
#include "planners/portfolio/portfolio.h"
#include "planners/portfolio/warmup.h"

// ---- state

/// No repair is given up that costs less than this.
#define PATIENCE_NS 20000u

/// Most cells of weighted ground on which a repair makes the first plan. On more than that a bucket
/// A* answers in a quarter to a third of the time.
#define FIELD_FIRST_CELLS ((uint32_t)1 << 22)

// ---- invariants

static bool is_sound(const rp_auto_t *self, unsigned which)
{
    const rp_portfolio_member_t *member = &self->choice.members[which];
    return !member->is_live || (which == SCRATCH && self->late.count != 0) ||
           member->candidate->ops->check(member->state);
}

static bool auto_check(const void *state)
{
    const rp_auto_t *self = state;
    const unsigned ready = self->warmup.done;
    return (ready == MEMBERS || is_sound(self, ready)) && is_sound(self, self->choice.current);
}

// ---- the members

/// The repair for ends that stay was chosen. If that is to be made ready first, and takes long, the
/// search from scratch takes the update, and goes on doing so until the repair is ready.
static unsigned ready_or_scratch(rp_auto_t *self, const char **why)
{
    rp_choice_t *choice = &self->choice;
    rp_portfolio_member_t *stay = &choice->members[STAY];
    if (stay->is_live || choice->current != SCRATCH ||
        rp_portfolio_member_begin_ns(stay, &self->certificate) < RP_SLICED_FROM_NS) {
        return STAY;
    }
    if (self->warmup.under_way != STAY) {
        rp_warmup_begin_in_slices(&self->warmup, choice, STAY, self->grid);
    }
    *why = "a repair is being made ready";
    return self->warmup.under_way == STAY ? SCRATCH : STAY;
}

/// Choose the member for an update.
/// @param why  written: static text
static unsigned choose(rp_auto_t *self, const rp_update_t *update, bool same_trip, const char **why)
{
    if (self->is_set) {
        *why = rp_portfolio_suits[SETS];
        return SETS;
    }
    if (!same_trip) {
        *why = "an end jumped";
        return SCRATCH;
    }
    const unsigned which = rp_choice_make(&self->choice, update, self->changes, self->warmup.done,
                                          &self->certificate, why);
    return which == STAY ? ready_or_scratch(self, why) : which;
}

/// A member, or the search from scratch if there is no memory for it.
static unsigned equipped(rp_auto_t *self, unsigned which, const char **why)
{
    if (rp_portfolio_member_equip(&self->choice.members[which], self->grid) == RP_OK) {
        return which;
    }
    *why = "no memory for a repair";
    return SCRATCH;
}

/// The member that was chosen begins a plan.
static void start_plan(rp_auto_t *self, const char *why)
{
    self->why = why;
    self->is_done = false;
    self->is_proven = false;
    self->choice.members[self->choice.current].expanded = 0;
}

static void begin_member(rp_auto_t *self, unsigned which, rp_cell_t start, const rp_goal_t *goals,
                         size_t goal_count)
{
    rp_portfolio_member_t *member = &self->choice.members[which];
    if (which == SCRATCH && member->judged != self->grid->written) {
        (void)rp_portfolio_member_judge(member, which, self->grid);
    }
    rp_portfolio_member_begin(member, start, goals, goal_count);
    member->is_live = true;
    if (which == SCRATCH) {
        rp_late_changes_drop(&self->late);
    }
    self->is_beginning = true;
}

/// The member for the first plan: a search from scratch, unless a member that can take in what
/// comes is made ready for hardly more.
static unsigned first_member(const rp_auto_t *self)
{
    if (self->grid->weighted) {
        return self->grid->cell_count <= FIELD_FIRST_CELLS ? WALK : SCRATCH;
    }
    return self->grid->shape.wraps ? CHASE : SCRATCH;
}

static void auto_begin(void *state, rp_cell_t start, const rp_goal_t *goals, size_t goal_count)
{
    rp_auto_t *self = state;
    rp_choice_t *choice = &self->choice;
    rp_choice_forget_trip(choice);
    rp_warmup_forget_trip(&self->warmup);
    choice->members[SCRATCH].is_live = false;
    rp_certificate_drop(&self->certificate);
    self->is_set = goal_count > 1 || goals[0].offset != 0;
    self->changes = 0;
    self->has_idled = false;
    self->stood = 0;
    choice->idles = false;
    self->warmup.member_path.count = 0;
    self->shown = (rp_path_t){NULL, 0};
    self->is_doubtful = false;
    rp_workload_begin(&choice->workload, start, goals[0].cell);
    const unsigned first = first_member(self);
    choice->repair = first != SCRATCH ? first : STAY;
    rp_choice_take(choice, self->is_set ? SETS : first);
    start_plan(self, self->is_set ? rp_portfolio_suits[SETS] : "first");
    begin_member(self, choice->current, start, goals, goal_count);
}

// ---- changes

/// The search from scratch is not needed for this update: keep it for later.
static void defer(rp_auto_t *self, const rp_update_t *update)
{
    rp_portfolio_member_t *scratch = &self->choice.members[SCRATCH];
    rp_late_changes_defer(&self->late, scratch, self->choice.current == SCRATCH, update);
}

/// True when so much was written that another search from scratch is better, which takes over.
static bool changes_scratch(rp_auto_t *self)
{
    rp_portfolio_member_t *scratch = &self->choice.members[SCRATCH];
    const uint64_t most =
        RP_PORTFOLIO_JUDGED_FOR + self->grid->cell_count / RP_PORTFOLIO_JUDGED_SHARE;
    return self->grid->written - scratch->judged > most &&
           rp_portfolio_member_judge(scratch, SCRATCH, self->grid);
}

/// Let a member take the update, or begin anew.
static void update_member(rp_auto_t *self, unsigned which, const rp_update_t *update)
{
    self->is_beginning = false;
    rp_portfolio_member_t *member = &self->choice.members[which];
    const bool goes_on = which == SCRATCH ? !changes_scratch(self) &&
                                                rp_late_changes_update(&self->late, member, update)
                                          : rp_portfolio_member_update(member, update);
    if (!goes_on) {
        begin_member(self, which, update->start, update->goals, update->goal_count);
    }
}

/// True when the rest of the path has proven itself. The path is judged as it was before the start
/// moved on, as its cost was computed then.
static bool proves_itself(rp_auto_t *self, const rp_update_t *update)
{
    return self->choice.current == SCRATCH && self->is_done && !self->is_set &&
           !update->goals_changed &&
           rp_certificate_holds(&self->certificate, update->changes, update->change_count, NULL) &&
           (!update->start_moved || rp_certificate_follow(&self->certificate, update->start));
}

/// True when no member has to search. Changes that were judged when they came are not judged again;
/// a member that is ready has to hear of changes.
static bool stands_after(rp_auto_t *self, const rp_update_t *update)
{
    const bool has_changes = update->change_count != 0;
    const bool must_tell = has_changes && (self->is_doubtful || self->warmup.done != MEMBERS);
    self->is_doubtful = false;
    return !must_tell && proves_itself(self, update);
}

/// Let the path stand: no member has to search. A member that is ready, or being made so, still
/// takes in steps of the start.
static void let_stand(rp_auto_t *self, const rp_update_t *update)
{
    defer(self, update);
    if (self->choice.current == SCRATCH) {
        if (!update->start_moved) { // a repair for a walking start has to take each step in
            rp_choice_forget_repair(&self->choice);
        }
        self->left = self->certificate.path.count;
    }
    start_plan(self, "the path proves itself");
    self->is_proven = true;
    self->is_walked = update->start_moved;
}

/// True when a path that a search from scratch found proves itself. That is done by its steps, so
/// it must have some. It is not known yet whether the start will walk; if it usually stays, no
/// repair would have had to work either. It stays a function of its own, as the registers that it
/// needs would have to be saved for a repair, too.
static __attribute__((noinline)) bool scratch_stands(rp_auto_t *self, const rp_change_t *changes,
                                                     size_t count,
                                                     const rp_batch_summary_t *summary)
{
    rp_choice_t *choice = &self->choice;
    rp_certificate_t *found = &self->certificate;
    if (!choice->members[SCRATCH].is_live || found->path.count < 2u ||
        !rp_late_changes_has_room(&self->late, count)) {
        return false;
    }
    self->is_doubtful = !rp_certificate_holds(found, changes, count, summary);
    if (self->is_doubtful) {
        return false;
    }
    if (choice->workload.walking < RP_WORKLOAD_OFTEN) {
        rp_choice_forget_repair(choice);
    }
    self->stood++;
    self->has_idled = self->has_idled && self->stood != RP_AUTO_STAYS_FROM;
    return true;
}

/// True when a repair sees at once that a batch leaves it nothing to do.
static bool repair_stands(rp_auto_t *self, const rp_change_t *changes, size_t count,
                          const rp_batch_summary_t *summary)
{
    const rp_portfolio_member_t *member = &self->choice.members[self->choice.current];
    const rp_planner_ops_t *ops = member->candidate->ops;
    if (ops->stands == NULL || !ops->stands(member->state, changes, count, summary)) {
        return false;
    }
    self->quiet++;
    return true;
}

/// The slot `stands`. False if another member must be told of the batch. No habit is learnt of a
/// batch that costs next to nothing: a look at where it lies would cost more than all the rest.
static bool auto_stands(void *state, const rp_change_t *changes, size_t count,
                        const rp_batch_summary_t *summary)
{
    rp_auto_t *self = state;
    rp_portfolio_member_t *scratch = &self->choice.members[SCRATCH];
    if (!rp_warmup_is_idle(&self->warmup) ||
        !(self->choice.current == SCRATCH ? scratch_stands(self, changes, count, summary)
                                          : repair_stands(self, changes, count, summary))) {
        return false;
    }
    scratch->is_live = scratch->is_live && rp_late_changes_add(&self->late, changes, count);
    return true;
}

/// Count the batches that left the member at work nothing to do.
static void note_quiet(rp_auto_t *self)
{
    const uint64_t saved_ns = rp_choice_note_quiet(&self->choice, self->quiet);
    rp_warmup_wait(&self->warmup, saved_ns);
    self->quiet = 0;
}

static bool auto_update(void *state, const rp_update_t *update)
{
    rp_auto_t *self = state;
    rp_choice_t *choice = &self->choice;
    rp_warmup_t *warmup = &self->warmup;
    note_quiet(self);
    choice->idles = self->has_idled;
    self->has_idled = false;
    const bool has_changes = update->change_count != 0;
    const bool was_done = self->is_done;
    self->shown = update->shown;
    self->is_set = update->goal_count > 1 || update->goals[0].offset != 0;
    self->changes = update->change_count;
    if (rp_warmup_is_in_slices(warmup)) {
        rp_warmup_tell(warmup, choice, update);
    } else if (has_changes || update->goals_changed) {
        warmup->under_way = MEMBERS;
    }
    rp_warmup_forget_halted(warmup);
    const bool same_trip =
        rp_workload_note(&choice->workload, self->grid, &self->certificate.metric, update);
    if (!same_trip) {
        rp_choice_forget_trip(choice);
        rp_warmup_forget_trip(warmup);
    }
    if (stands_after(self, update)) {
        let_stand(self, update);
        return true;
    }
    const char *why;
    const unsigned which = equipped(self, choose(self, update, same_trip, &why), &why);
    rp_warmup_end(warmup, which, was_done);
    rp_choice_take(choice, which);
    start_plan(self, why);
    if (which != SCRATCH) {
        defer(self, update);
    }
    update_member(self, which, update);
    rp_certificate_drop(&self->certificate);
    return true;
}

// ---- search

/// Note what a finished plan cost.
static void note_cost(rp_auto_t *self)
{
    if (self->is_beginning && self->choice.current != SCRATCH) {
        rp_choice_note_beginning(&self->choice);
    } else {
        const size_t late = rp_late_changes_take_count(&self->late);
        const uint64_t cost_ns = rp_choice_note_plan(&self->choice, self->changes, late);
        rp_warmup_wait(&self->warmup, cost_ns);
    }
}

/// How many cells the member at work may expand before a search from scratch takes over. Only a
/// repair for ends that stay is given up, as it ends its search later: when there is idle time for
/// that, and it will still look cheaper than a search from scratch, it may cost as much as a search
/// from scratch.
static uint64_t patience_with(const rp_auto_t *self)
{
    const rp_portfolio_member_t *member = &self->choice.members[self->choice.current];
    const rp_portfolio_member_t *scratch = &self->choice.members[SCRATCH];
    if (self->choice.current != STAY || !self->choice.idles || self->is_beginning ||
        !scratch->is_live || scratch->plans == 0) {
        return UINT64_MAX;
    }
    const uint64_t flood_ns = rp_portfolio_member_expected_ns(scratch, self->late.count);
    const uint64_t most_ns = flood_ns > PATIENCE_NS ? flood_ns : PATIENCE_NS;
    const bool comes_back = rp_choice_mean_with(&self->choice, most_ns) < scratch->cost_ns;
    return comes_back ? most_ns / member->expansion_ns : UINT64_MAX;
}

/// Give up a repair that has cost as much as a search from scratch, and let a search from scratch
/// take over. The repair may end its search in idle time.
static void give_up(rp_auto_t *self)
{
    rp_goal_t goal;
    const rp_update_t nothing = rp_auto_nothing_new(self, &goal);
    const unsigned which = self->choice.current;
    note_cost(self);
    if (self->shown.count != 0) {
        rp_warmup_halt(&self->warmup, which, &self->shown);
    } else {
        rp_warmup_end(&self->warmup, SCRATCH, true);
    }
    self->warmup.patience_ns = 0;
    rp_choice_take(&self->choice, SCRATCH);
    start_plan(self, "a repair costs more than a flood");
    update_member(self, SCRATCH, &nothing);
}

/// Let the member that was chosen go on.
/// @return as the slot `search`
static rp_status_t search(rp_auto_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_portfolio_member_t *member = &self->choice.members[self->choice.current];
    const uint64_t patience = patience_with(self);
    const uint64_t left = rp_cost_beyond(patience, member->expanded);
    const uint64_t most = left < *budget ? left : *budget;
    const uint64_t before = rp_portfolio_member_expanded(member, stats);
    uint64_t rest = most;
    const rp_status_t status = member->candidate->ops->search(member->state, &rest, stats);
    member->expanded += rp_portfolio_member_expanded(member, stats) - before;
    *budget -= most - rest;
    if (status != RP_MORE || most != left) {
        return status;
    }
    if (member->expanded >= patience) {
        give_up(self);
    } // else the budget went for pages (base/prefault.h)
    return search(self, budget, stats);
}

/// The answer is there: make the member that is under way a little more ready.
static void go_on_behind(rp_auto_t *self, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_warmup_t *warmup = &self->warmup;
    if (!rp_warmup_is_in_slices(warmup)) {
        return;
    }
    const rp_portfolio_member_t *scratch = &self->choice.members[SCRATCH];
    rp_portfolio_member_t *member = &self->choice.members[warmup->under_way];
    const uint64_t cost_ns = scratch->expanded * scratch->expansion_ns;
    const uint64_t part_ns = rp_portfolio_member_begin_ns(member, &self->certificate) / RP_SLICES;
    const uint64_t left_ns = rp_cost_beyond(part_ns, cost_ns);
    const uint64_t least_ns = cost_ns / RP_SLICE_SHARE;
    const uint64_t slice = (left_ns > least_ns ? left_ns : least_ns) / member->expansion_ns + 1u;
    const uint64_t given = slice < *budget ? slice : *budget;
    uint64_t left = given;
    (void)rp_warmup_go_on(warmup, &self->choice, &left);
    *budget -= given - left;
    stats->expanded += given - left;
}

static rp_status_t auto_search(void *state, uint64_t *budget, rp_search_stats_t *stats)
{
    rp_auto_t *self = state;
    const bool was_done = self->is_done;
    const bool searches = !was_done && !self->is_proven;
    const rp_status_t status = searches ? search(self, budget, stats) : RP_OK;
    stats->planner = self->choice.members[self->choice.current].candidate->ops->info.id;
    stats->why = self->why;
    self->is_done = status == RP_OK;
    if (searches) {
        rp_auto_count_bytes(self);
        if (self->is_done) {
            note_cost(self);
        }
    }
    if (self->is_done && !was_done) {
        go_on_behind(self, budget, stats);
    }
    return status;
}

// ---- path

static uint32_t auto_path(const void *state, rp_cell_t *cells, rp_path_stands_t *stands)
{
    const rp_auto_t *self = state;
    const rp_portfolio_member_t *member = &self->choice.members[self->choice.current];
    if (self->is_proven) {
        stands->tail = self->left;
        return self->is_walked ? 0 : RP_PATH_KEPT;
    }
    if (self->choice.current != SCRATCH && self->warmup.member_path.count != 0) {
        return rp_member_path_write(&self->warmup.member_path, member->candidate->ops,
                                    member->state, cells);
    }
    return member->candidate->ops->path(member->state, cells, stands);
}

/// What the search from scratch has found is judged there. What is left of a path that proved
/// itself is known.
static void auto_show(void *state, const rp_path_t *shown)
{
    rp_auto_t *self = state;
    if (self->choice.current != SCRATCH) {
        return;
    }
    if (self->is_proven) {
        self->certificate.path = *shown;
    } else {
        rp_certificate_take(&self->certificate, shown);
    }
}

// ---- birth and death

static void auto_unbind(void *state, rp_deferred_free_t *deferred_free)
{
    rp_auto_t *self = state;
    rp_portfolio_unbind(self->choice.members, deferred_free);
}

static void auto_bind(void *state, const rp_grid_t *grid, const rp_member_options_t *options,
                      rp_arena_t *arena)
{
    rp_auto_t *self = state;
    (void)options; // AUTO chooses its members' own
    self->grid = grid;
    self->arena = arena;
    rp_late_changes_init(&self->late, arena);
    rp_member_path_init(&self->warmup.member_path, grid->cell_count, arena);
    rp_certificate_init(&self->certificate, grid);
    arena->is_short |= rp_portfolio_bind(self->choice.members, grid, first_member(self)) != RP_OK;
}

const rp_planner_ops_t RP_MEMBER(auto) = {
    .info =
        {
            .id = "auto",
            .paper = "ours: chooses among the others, for each update",
            .guarantee = "optimal",
            .capabilities = RP_NATIVE_CHANGES | RP_NATIVE_START | RP_NATIVE_GOAL |
                            RP_NATIVE_NO_PATH | RP_CAN_EVERY_GRID | RP_CAN_GOAL_SET | RP_CAN_IDLE,
            .bytes_per_cell = 32,
        },
    .state_bytes = sizeof(rp_auto_t),
    .bind = auto_bind,
    .unbind = auto_unbind,
    .begin = auto_begin,
    .update = auto_update,
    .stands = auto_stands,
    .search = auto_search,
    .idle = rp_auto_idle,
    .path = auto_path,
    .show = auto_show,
    .check = auto_check,
};
